"""A program as machine code: LLVM text, compiled, with the same sections as the reference.

    machine = LlvmMachine(program)
    machine.sections["derivatives"](memory)         # from Python
    machine.addresses["derivatives"]                # for kernels: int64 f(double* memory)

Parameters are data in the memory: the same program always gives the same text, and object code is
found again by its text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from freewheel.backend.llvm_kernels import kernel_addresses
from freewheel.backend.llvm_module import Module
from freewheel.backend.llvm_python import PythonCalls, PythonSide
from freewheel.backend.llvm_steps import write_section, write_simplified_start
from freewheel.base.diagnostics import Diagnostic
from freewheel.machine.jit import Code, compile_text
from freewheel.program.nodes import SECTIONS, SIMPLIFIED, Program
from freewheel.runtime.model import Vector

if TYPE_CHECKING:
    from freewheel.backend.jacobian import LlvmJacobian


def to_text(program: Program) -> tuple[str, PythonCalls]:
    """LLVM text of all sections, and the pieces of Python it calls."""
    calls = PythonCalls(program)
    functions = {function.name: function for function in program.functions}
    module = Module(calls, functions.get)
    has_simplified = program.started >= 0
    if has_simplified:
        write_section(module, SIMPLIFIED, program.sections[SIMPLIFIED])
    for name in SECTIONS:
        before = ""
        if name == "initial" and has_simplified:
            before = write_simplified_start(module, program.started, len(program.start))
        write_section(module, name, program.sections[name], before)
    return module.around.text(), calls


class LlvmMachine:
    """Machine code in memory and what it needs to live."""

    def __init__(self, program: Program) -> None:
        text, calls = to_text(program)
        self.text = text
        self.program = program
        self.python = PythonSide(calls, len(program.start))
        self.code: Code = compile_text(text, symbols=kernel_addresses(text))
        self.code.function("bind", "void", ("ptr", "ptr"))(
            self.python.address, self.python.row_addresses.ctypes.data
        )
        self.addresses = Addresses(
            {name: self.code.address(name) for name in SECTIONS}, self.jacobian
        )
        self._jacobian: list[LlvmJacobian | None] = []
        self.sections = {name: self._callable(name) for name in SECTIONS}

    def _callable(self, name: str) -> Callable[[Vector], int]:
        function: Any = self.code.function(name, "i64", ("ptr",))

        def section(memory: Vector) -> int:
            status: int = function(memory.__array_interface__["data"][0])
            if status:
                self.python.raise_interrupt()  # the closure also keeps the code alive
            return status

        return section

    def jacobian(self) -> LlvmJacobian | None:
        """Made when first asked for; None where differences must do."""
        from freewheel.backend.jacobian import LlvmJacobian
        from freewheel.program.jacobian import jacobian_of

        if not self._jacobian:
            made = jacobian_of(self.program)
            self._jacobian = [
                None if made is None else LlvmJacobian(self.program, made, self.python)
            ]
        return self._jacobian[0]

    def messages(self) -> list[Diagnostic]:
        self.python.raise_interrupt()
        return self.python.reference.messages() if self.python.said else []

    def explain(self, section: str, status: int) -> Diagnostic:
        self.python.raise_interrupt()
        return self.python.reference.explain(section, status)


class Addresses(Mapping[str, int]):
    """Addresses of the sections; that of the Jacobian is made when it is first asked for."""

    def __init__(self, sections: Mapping[str, int], make: Callable[[], LlvmJacobian | None]):
        self._known = dict(sections)
        self._make = make
        self._is_made = False

    def __getitem__(self, name: str) -> int:
        if name == "jacobian" and not self._is_made:
            self._is_made = True
            made = self._make()
            if made is not None:
                self._known[name] = made.address
        return self._known[name]

    def __contains__(self, name: object) -> bool:
        return self.get(str(name)) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)
