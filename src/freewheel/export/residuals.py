"""The equations as residuals, for targets that solve differential-algebraic equations themselves.

    i := u/R          ->      i := u/R                   an assignment stays one
    der(u) := i/C     ->      f(1) = der(u) - i/C
    A*x = b           ->      f(2) = A(1,1)*x1 + A(1,2)*x2 - b1

The unknowns are the states and the variables that loops are solved for; "variables involved in simultaneous
systems of equations, and variables involved in certain nonlinear scalar equations" (Cellier and Elmqvist,
1993). What follows from them is assigned, and nothing is iterated on inside.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from freewheel.export.functions import expand_functions
from freewheel.export.nodes import Set, Statement
from freewheel.export.statements import statements_of
from freewheel.formula import build
from freewheel.formula.nodes import Expr, Var
from freewheel.program.nodes import Assign, Program, SolveLinear, SolveNonlinear, slot_var

MARK = "f"
RESIDUAL = "residual"  # Var(("residual", k)) is number k of them


@dataclass(frozen=True, slots=True)
class Implicit:
    """Statements that set all residuals, and the slots of the algebraic unknowns behind the states."""

    statements: tuple[Statement, ...]
    algebraic: tuple[int, ...]
    count: int


def implicit_form(program: Program, kind: str) -> Implicit:
    rates = {state.derivative for state in program.state_slots}
    work = _Work(rates)
    for step in program.sections["derivatives"]:
        if isinstance(step, SolveNonlinear):
            work.all(statements_of(step.inner, MARK))
            work.unknown(step.slots)
            work.residuals(_renamed(step.residuals))
        elif isinstance(step, SolveLinear):
            work.unknown(step.slots)
            work.residuals(_rows(step))
        else:
            work.all(statements_of([step], MARK))
    statements = expand_functions(work.statements, program.functions, program.name, kind, MARK)
    return Implicit(statements, tuple(work.algebraic), work.count)


def _renamed(exprs: Iterable[Expr]) -> list[Expr]:
    """With temporaries named as in the other statements."""
    assigns = [Assign(slot_var(-1), expr) for expr in exprs]
    return [one.value for one in statements_of(assigns, MARK) if isinstance(one, Set)]


def _rows(step: SolveLinear) -> list[Expr]:
    """`A*x - b`"""
    entries = _renamed([entry for _, _, entry in step.matrix])
    found: list[Expr] = []
    for row, right in enumerate(_renamed(step.right)):
        total = build.neg(right)
        for (at, column, _), entry in zip(step.matrix, entries, strict=True):
            if at == row:
                total = build.plus(total, build.times(entry, slot_var(step.slots[column])))
        found.append(total)
    return found


class _Work:
    def __init__(self, rates: set[int]) -> None:
        self.rates = rates
        self.statements: list[Statement] = []
        self.algebraic: list[int] = []
        self.count = 0

    def unknown(self, slots: Iterable[int]) -> None:
        self.algebraic += [slot for slot in slots if slot not in self.rates]

    def residuals(self, values: Iterable[Expr]) -> None:
        for value in values:
            self.statements.append(Set(Var((RESIDUAL, self.count)), value))
            self.count += 1

    def all(self, statements: Iterable[Statement]) -> None:
        """Derivatives of states are unknowns of the solver; all else is assigned."""
        for one in statements:
            if isinstance(one, Set) and one.target.name[0] in self.rates:
                self.residuals([build.minus(one.target, one.value)])
            else:
                self.statements.append(one)
