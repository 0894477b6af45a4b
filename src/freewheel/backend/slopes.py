"""Slopes of relations as callable code, made when a simulation asks for them.

make = slopes_of(machine)
slopes = make((0, 3), 1)          # of relations 0 and 3, first derivative
slopes(memory, values)            # in: the direction, see program/rates.py; out: one per relation
slopes.address                    # for kernels; 0 where there is no machine code
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from freewheel.base.making import making
from freewheel.runtime.model import Slopes, Vector

if TYPE_CHECKING:
    from freewheel.backend.llvm import LlvmMachine
    from freewheel.backend.reference import Reference


@dataclass(frozen=True, slots=True)
class InterpretedSlopes:
    function: Callable[[Vector, Vector], int]
    address: int = 0

    def __call__(self, memory: Vector, values: Vector) -> int:
        return self.function(memory, values)


def slopes_of(machine: LlvmMachine | Reference) -> Callable[[tuple[int, ...], int], Slopes | None]:
    """Whoever makes them; None where the model cannot be differentiated."""

    @cache
    def make(relations: tuple[int, ...], order: int) -> Slopes | None:
        from freewheel.backend.jacobian import python_tangents
        from freewheel.backend.llvm_jacobian import compiled_tangents
        from freewheel.backend.reference import Reference
        from freewheel.program.rates import rates_of

        with making:
            made = rates_of(machine.program, relations, order)
            if made is None:
                return None
            if isinstance(machine, Reference):
                return InterpretedSlopes(python_tangents(machine, made))
            return compiled_tangents(machine.program, made, machine.python)

    return make
