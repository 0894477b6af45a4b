"""Values out of the past as variables of their own, for methods that follow rows one by one.

    past = past_of(program)
    past.looks[0].kind, .number       what is looked at: a line of history, or an end of a pipe
    past.steps                        of derivatives and relations, with $look instead of the call

A delayed value does not depend on the present (unless its delay vanishes), so that to a row it is like an
input: something that moves by itself. Each look has a slot behind those of the program.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from freewheel.formula.nodes import ZERO, Call, Expr, Integer
from freewheel.formula.walk import replace as replace_in
from freewheel.program.nodes import Assign, Program, SolveLinear, SolveNonlinear, Step, slot_var

# A value, or how it changes with the point looked at.
KINDS = {"history": 0, "historySlope": 1, "transported": 2, "transportedSlope": 3}


@dataclass(frozen=True, slots=True)
class Look:
    kind: int  # of KINDS
    number: int  # of the line of history, or of the end of a pipe: left and right of each


@dataclass(frozen=True, slots=True)
class PastOfProgram:
    looks: tuple[Look, ...]
    steps: tuple[Step, ...]


def past_of(program: Program) -> PastOfProgram:
    steps = (*program.plain_derivatives, *program.plain_relations)
    if program.history < 0:
        return PastOfProgram((), steps)
    looks: dict[Look, int] = {}
    first, memo = len(program.start), dict[Expr, Expr]()

    def answer(node: Expr) -> Expr | None:
        if not isinstance(node, Call) or not isinstance(node.function, str):
            return None
        if node.function == "historyShare":
            return ZERO  # pieces of the past are known up to the present: its value has no share
        kind = KINDS.get(node.function)
        if kind is None:
            return None
        which = node.args[1]
        assert isinstance(which, Integer), node
        return slot_var(first + looks.setdefault(Look(kind, which.value - 1), len(looks)))

    def formula(expr: Expr) -> Expr:
        return replace_in(expr, answer, memo)

    made = tuple(_mapped(step, formula) for step in steps)
    for number, line in enumerate(program.delays):
        if line.last_break >= 0:  # somebody must notice when its delay time is out of bounds
            looks.setdefault(Look(KINDS["history"], number), len(looks))
    return PastOfProgram(tuple(looks), made)


def _mapped(step: Step, formula: Callable[[Expr], Expr]) -> Step:
    if isinstance(step, Assign):
        return _assign(step, formula)
    if isinstance(step, SolveLinear):
        matrix = tuple((row, column, formula(entry)) for row, column, entry in step.matrix)
        return replace(step, matrix=matrix, right=_all(step.right, formula))
    if isinstance(step, SolveNonlinear):
        inner = tuple(_assign(part, formula) for part in step.inner)
        return replace(step, inner=inner, residuals=_all(step.residuals, formula))
    return step


def _assign(step: Assign, formula: Callable[[Expr], Expr]) -> Assign:
    guard = None if step.guard is None else formula(step.guard)
    return replace(step, value=formula(step.value), guard=guard)


def _all(exprs: Sequence[Expr], formula: Callable[[Expr], Expr]) -> tuple[Expr, ...]:
    return tuple([formula(expr) for expr in exprs])
