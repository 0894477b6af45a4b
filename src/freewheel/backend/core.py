"""The implicit core as callable code: residual, derivatives, guards and branch vector.

code = compile_core(made, machine)
code.residual(memory, values)       # in: bits, rates, y; out: F
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from freewheel.runtime.model import Vector

if TYPE_CHECKING:
    from freewheel.backend.llvm import LlvmMachine
    from freewheel.backend.reference import Reference
    from freewheel.program.core import CoreProgram
    from freewheel.program.jacobian import JacobianProgram

Function = Callable[[Vector, Vector], int]


@dataclass(frozen=True, slots=True)
class CoreCode:
    """`f(memory, values) -> status`; those of an LLVM machine have an `address` for kernels."""

    bits: Function
    residual: Function
    by_rate: Function
    by_variable: Function
    guard: Function
    guard_by_variable: Function
    slopes: tuple[Function, ...]


def compile_core(made: CoreProgram, machine: LlvmMachine | Reference) -> CoreCode:
    from freewheel.backend.jacobian import python_tangents
    from freewheel.backend.llvm_jacobian import compiled_tangents
    from freewheel.backend.reference import Reference

    def compiled(program: JacobianProgram) -> Function:
        if isinstance(machine, Reference):
            return python_tangents(machine, program)
        return compiled_tangents(machine.program, program, machine.python)

    return CoreCode(
        bits=compiled(made.bits),
        residual=compiled(made.residual),
        by_rate=compiled(made.by_rate),
        by_variable=compiled(made.by_variable),
        guard=compiled(made.guard),
        guard_by_variable=compiled(made.guard_by_variable),
        slopes=tuple(compiled(slope) for slope in made.slopes),
    )
