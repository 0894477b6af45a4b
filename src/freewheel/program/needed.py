"""The steps without which something cannot be computed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from freewheel.formula.nodes import Expr, Var
from freewheel.formula.walk import variables_in
from freewheel.program.nodes import Assign, SolveNonlinear, Step, slot_var
from freewheel.program.share import roots_of
from freewheel.program.written import written_slots


def needed(steps: Sequence[Step], wanted: Iterable[Expr]) -> list[Step]:
    """In order, only those that `wanted` depends on."""
    slots = slots_in(wanted)
    found: list[Step] = []
    for step in reversed(steps):
        if slots.isdisjoint(written_slots((step,))):
            continue
        found.append(step)
        slots |= slots_in(formulas_of(step))
    return found[::-1]


def formulas_of(step: Step) -> list[Expr]:
    """Everything a step evaluates."""
    if isinstance(step, SolveNonlinear):
        return [*(part.value for part in step.inner), *step.residuals]
    return [root for root, _ in roots_of(step)]


def slots_in(exprs: Iterable[Expr]) -> set[int]:
    heads = (var.name[0] for var in variables_in(*exprs))
    return {head for head in heads if isinstance(head, int)}


def influences(
    steps: Iterable[Step], results: Sequence[Expr], columns: Sequence[int]
) -> list[list[int]]:
    """For each of the slots `columns` the numbers of the results that depend on it, ascending."""
    behind: dict[Var, frozenset[int]] = {
        slot_var(slot): frozenset((number,)) for number, slot in enumerate(columns)
    }

    def reached(exprs: Iterable[Expr]) -> frozenset[int]:
        return frozenset().union(*(behind.get(var, frozenset()) for var in variables_in(*exprs)))

    for step in steps:
        found = reached(formulas_of(step))
        if found:
            for var in _given(step):
                behind[var] = behind.get(var, frozenset()) | found
    rows: list[list[int]] = [[] for _ in columns]
    for number, result in enumerate(results):
        for column in reached((result,)):
            rows[column].append(number)
    return rows


def _given(step: Step) -> list[Var]:
    """What a step writes, temporaries included."""
    if isinstance(step, Assign):
        return [step.target]
    inner = step.inner if isinstance(step, SolveNonlinear) else ()
    written = sorted(written_slots((step,)))
    return [*map(slot_var, written), *(part.target for part in inner)]
