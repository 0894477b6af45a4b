"""The section `between` as machine code, in a module of its own: `between(memory) -> status`.

    LlvmBetween(recipe, python)(memory)

Made only when asked for: most models with `homotopy` start without it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from freewheel.backend.bound_code import bound_code
from freewheel.backend.llvm_python import PythonCalls, PythonSide
from freewheel.backend.recipe import Recipe, Written
from freewheel.machine.jit import Code
from freewheel.program.section_names import BETWEEN
from freewheel.runtime.model import Vector

if TYPE_CHECKING:
    from freewheel.program.nodes import Program


class LlvmBetween:
    """Machine code, and the reference of the model to help it and to explain its failures."""

    def __init__(self, model: Recipe, python: PythonSide) -> None:
        recipe = Recipe(lambda: model.program, _written)
        self.model = python
        self.python = PythonSide(recipe, python.size, python.objects)
        self.code: Code = bound_code(recipe, self.python, python)
        self._function: Any = self.code.function(BETWEEN, "i64", ("ptr",))

    def __call__(self, memory: Vector) -> int:
        before = memory.copy()
        status: int = self._function(memory.__array_interface__["data"][0])
        if status == 0:
            return 0
        self.python.raise_interrupt()
        memory[:] = before  # the last solution is the best guess, for what loops assign too
        return self.model.reference.run(BETWEEN, memory)


def _written(program: Program) -> Written:
    from freewheel.backend.llvm_module import Module
    from freewheel.backend.llvm_steps import write_section

    calls = PythonCalls(program)
    functions = {function.name: function for function in program.functions}
    module = Module(calls, functions.get)
    write_section(module, BETWEEN, program.sections[BETWEEN], is_helped=False)
    return module.around.text(), calls
