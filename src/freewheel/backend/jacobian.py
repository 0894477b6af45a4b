"""The Jacobian program as callable code, in both backends: `jacobian(memory, values) -> status`.

    jacobian = python_jacobian(program, objects)
    jacobian(memory, values)          # entries by columns; after `derivatives` at the same point

Made only when asked for: explicit methods never need it. Status 1 means that an entry has no value
there; solvers then take differences.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from freewheel.backend.failures import FAILURES
from freewheel.backend.llvm_body import Body
from freewheel.backend.llvm_kernels import kernel_addresses
from freewheel.backend.llvm_module import Module
from freewheel.backend.llvm_python import PythonCalls, PythonSide
from freewheel.backend.llvm_steps import Chain
from freewheel.backend.python import jacobian_source
from freewheel.backend.reference import Reference
from freewheel.machine.jit import Code, compile_text
from freewheel.program.jacobian import JacobianProgram, jacobian_of
from freewheel.program.nodes import Program
from freewheel.runtime.model import Vector

Jacobian = Callable[[Vector, Vector], int]


def with_functions(program: Program, made: JacobianProgram) -> Program:
    """The program with the derivatives of functions that the Jacobian calls."""
    return replace(program, functions=(*program.functions, *made.functions))


def python_jacobian(reference: Reference) -> Jacobian | None:
    """The reference, as Python text."""
    made = jacobian_of(reference.program)
    if made is None:
        return None
    source = jacobian_source(with_functions(reference.program, made), made)
    names: dict[str, Any] = dict(reference.names)
    names["FAILURES"] = FAILURES
    exec(compile(source, f"<jacobian of {reference.program.name}>", "exec"), names)
    jacobian: Jacobian = names["jacobian"]
    return jacobian


class LlvmJacobian:
    """Machine code for the Jacobian, in a module of its own."""

    def __init__(self, program: Program, made: JacobianProgram, model: PythonSide) -> None:
        whole = with_functions(program, made)
        calls = PythonCalls(whole)
        text = jacobian_text(whole, made, calls)
        self.python = PythonSide(calls, len(program.start), model.objects)
        self.code: Code = compile_text(text, symbols=kernel_addresses(text))
        self.code.function("bind", "void", ("ptr", "ptr"))(
            self.python.address, model.row_addresses.ctypes.data
        )
        self.address = self.code.address("jacobian")
        self._function: Any = self.code.function("jacobian", "i64", ("ptr", "ptr"))

    def __call__(self, memory: Vector, values: Vector) -> int:
        status: int = self._function(
            memory.__array_interface__["data"][0], values.__array_interface__["data"][0]
        )
        if status:
            self.python.raise_interrupt()
        return status


def jacobian_text(program: Program, made: JacobianProgram, calls: PythonCalls) -> str:
    """`int64 jacobian(double* memory, double* values)`: works on a copy with room for tangents."""
    functions = {function.name: function for function in program.functions}
    module = Module(calls, functions.get)
    around, size, count = module.around, len(program.start), len(made.entries)
    body = Body(around, "jacobian", "ptr %m, ptr %values")
    copy = body.array(size + made.extra)
    around.declare("void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)")
    body.add(f"call void @llvm.memcpy.p0.p0.i64(ptr {copy}, ptr %m, i64 {8 * size}, i1 false)")
    around.declare("void @llvm.memset.p0.i64(ptr, i8, i64, i1)")
    tangents = body.at(copy, size)
    body.add(f"call void @llvm.memset.p0.i64(ptr {tangents}, i8 0, i64 {8 * made.extra}, i1 false)")
    chain = Chain(module, "tangents", made.steps, made.entries)
    chain.call_all(body, chain.write(), "%values", copy)
    status = body.new(f"call i64 @fw_not_finite(i64 {count}, ptr %values)")
    body.fail_if(body.new(f"icmp ne i64 {status}, 0"))
    body.finish("ret i64 0")
    return around.text()
