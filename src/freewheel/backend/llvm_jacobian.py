"""The Jacobian program as machine code, in a module of its own: `jacobian(memory, values) -> status`.

    LlvmJacobian(jacobian_recipe(recipe), python).address

Made only when asked for: explicit methods never need it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from freewheel.backend.bound_code import bound_code
from freewheel.backend.llvm_python import PythonSide
from freewheel.backend.recipe import Known, Recipe, Written
from freewheel.machine.jit import Code
from freewheel.runtime.model import Vector

if TYPE_CHECKING:
    from freewheel.backend.llvm_python import PythonCalls
    from freewheel.program.nodes import JacobianProgram, Program


def jacobian_recipe(model: Recipe, known: Known | None = None) -> Recipe | None:
    """None where there is no Jacobian: differences must do."""
    if known is not None:
        return Recipe(lambda: model.program, _written, known) if known.digest else None
    from freewheel.program.jacobian import jacobian_of

    made = jacobian_of(model.program)
    if made is None:
        return None
    return Recipe(lambda: model.program, lambda program: _write(program, made))


def compiled_tangents(program: Program, made: JacobianProgram, model: PythonSide) -> LlvmJacobian:
    """Any program of tangents as machine code, called like the Jacobian."""
    return LlvmJacobian(Recipe(lambda: program, lambda plain: _write(plain, made)), model)


def _written(program: Program) -> Written:
    from freewheel.program.jacobian import jacobian_of

    made = jacobian_of(program)
    assert made is not None, "it was there when the code was made"
    return _write(program, made)


def _write(program: Program, made: JacobianProgram) -> Written:
    from freewheel.backend.jacobian import with_functions
    from freewheel.backend.llvm_python import PythonCalls

    whole = with_functions(program, made)
    calls = PythonCalls(whole)
    return jacobian_text(whole, made, calls), calls


class LlvmJacobian:
    """Machine code for the Jacobian."""

    def __init__(self, recipe: Recipe, model: PythonSide) -> None:
        self.recipe = recipe
        self.python = PythonSide(recipe, model.size, model.objects)
        self.code: Code = bound_code(recipe, self.python, model)
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
    """`int64 jacobian(double* memory, double* values)`: works on a copy with room for tangents,
    which begins with what `values` hands in."""
    from freewheel.backend.llvm_body import Body
    from freewheel.backend.llvm_module import Module
    from freewheel.backend.llvm_steps import Chain

    functions = {function.name: function for function in program.functions}
    module = Module(calls, functions.get)
    around, size, count = module.around, len(program.start), len(made.entries)
    body = Body(around, "jacobian", "ptr %m, ptr %values")
    copy = body.array(size + made.extra)
    around.declare("void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)")
    body.add(f"call void @llvm.memcpy.p0.p0.i64(ptr {copy}, ptr %m, i64 {8 * size}, i1 false)")
    around.declare("void @llvm.memset.p0.i64(ptr, i8, i64, i1)")
    tangents, free = body.at(copy, size + made.given), 8 * (made.extra - made.given)
    body.add(f"call void @llvm.memset.p0.i64(ptr {tangents}, i8 0, i64 {free}, i1 false)")
    given, handed = body.at(copy, size), 8 * made.given
    body.add(f"call void @llvm.memcpy.p0.p0.i64(ptr {given}, ptr %values, i64 {handed}, i1 false)")
    chain = Chain(module, "tangents", made.steps, made.entries)
    chain.call_all(body, chain.write(), "%values", copy)
    status = body.new(f"call i64 @fw_not_finite(i64 {count}, ptr %values)")
    body.fail_if(body.new(f"icmp ne i64 {status}, 0"))
    body.finish("ret i64 0")
    return around.text()
