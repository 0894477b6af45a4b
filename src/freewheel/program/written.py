"""Which slots steps write."""

from __future__ import annotations

from collections.abc import Iterable

from freewheel.program.nodes import (
    Act,
    Assign,
    Check,
    Jump,
    SetStatus,
    SolveLinear,
    SolveNonlinear,
    Step,
)


def written_slots(steps: Iterable[Step]) -> set[int]:
    """Slots of the memory, temporaries aside."""
    slots: set[int] = set()
    for step in steps:
        match step:
            case Assign():
                if isinstance(step.target.name[0], int):
                    slots.add(step.target.name[0])
            case SetStatus():
                slots.add(step.slot)
            case SolveLinear():
                slots.update(step.slots)
            case SolveNonlinear():
                slots.update(step.slots)
                slots |= written_slots(step.inner)
            case Jump():
                slots.update((step.flag, step.new))
            case Check() | Act():
                continue
    return slots
