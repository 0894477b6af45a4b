"""A program over a small array of its own instead of the whole memory.

    local = compact(made, handed_in)
    local.program            the same over slots 0, 1, 2, ...
    local.reads              (slot of the memory, place): what must be copied before

A large model evaluates its core thousands of times: it must not copy all its memory each time. What is
handed in comes first, in its order. Loops follow the branch of the memory; which of them loses it is
not told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from freewheel.formula.nodes import Expr
from freewheel.formula.walk import substitute
from freewheel.program.needed import formulas_of, slots_in
from freewheel.program.nodes import (
    Assign,
    JacobianProgram,
    SolveLinear,
    SolveNonlinear,
    Step,
    branch_slots,
    slot_var,
)
from freewheel.program.written import written_slots


@dataclass(frozen=True, slots=True)
class Local:
    program: JacobianProgram
    reads: tuple[tuple[int, int], ...]
    size: int


def compact(made: JacobianProgram, size: int) -> Local:
    """`size`: of the memory; behind it lies what is handed in."""
    handed = range(size, size + made.given)
    used: set[int] = slots_in(made.entries)
    written: set[int] = set()
    guessed: set[int] = set()
    asked: set[int] = set()  # how loops are solved
    answers: set[int] = set()  # the slot after that
    for step in made.steps:
        used |= slots_in(formulas_of(step))
        written |= written_slots((step,))
        if isinstance(step, SolveNonlinear):
            guessed |= set(step.slots)
            if step.follow >= 0:
                guessed.update(branch_slots(step))
                asked.add(step.follow)
                answers.add(step.follow + 1)
    from_memory = sorted(((used - written) | guessed) - set(handed))
    others = sorted((used | written) - set(from_memory) - set(handed))
    place = {
        slot: k for k, slot in enumerate((*handed, *from_memory, *others, *sorted(asked | answers)))
    }
    renaming = _Renaming(place)
    program = replace(
        made,
        steps=tuple(map(renaming.step, made.steps)),
        entries=tuple(map(renaming.expr, made.entries)),
    )
    reads = tuple((slot, place[slot]) for slot in (*from_memory, *asked) if slot < size)
    return Local(program, reads, len(place))


class _Renaming:
    def __init__(self, place: dict[int, int]) -> None:
        self.place = place
        self.names: dict[Expr, Expr] = {slot_var(s): slot_var(k) for s, k in place.items()}
        self.memo: dict[Expr, Expr] = {}

    def expr(self, expr: Expr) -> Expr:
        return substitute(expr, self.names, self.memo)

    def step(self, step: Step) -> Step:
        if isinstance(step, Assign):
            return self.assign(step)
        if isinstance(step, SolveLinear):
            return replace(
                step,
                slots=self.slots(step.slots),
                matrix=tuple((r, c, self.expr(entry)) for r, c, entry in step.matrix),
                right=tuple(map(self.expr, step.right)),
            )
        assert isinstance(step, SolveNonlinear), step
        return replace(
            step,
            slots=self.slots(step.slots),
            inner=tuple(map(self.assign, step.inner)),
            residuals=tuple(map(self.expr, step.residuals)),
            follow=self.place.get(step.follow, -1),
            sense=self.place.get(step.sense, -1),
            left=self.place.get(step.left, -1),
        )

    def assign(self, step: Assign) -> Assign:
        target = self.names.get(step.target, step.target)
        assert isinstance(target, type(step.target))
        guard = None if step.guard is None else self.expr(step.guard)
        return replace(step, target=target, value=self.expr(step.value), guard=guard)

    def slots(self, slots: Sequence[int]) -> tuple[int, ...]:
        return tuple(self.place[slot] for slot in slots)
