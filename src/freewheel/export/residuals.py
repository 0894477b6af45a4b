"""The equations as residuals, for targets that solve differential-algebraic equations themselves.

    i := u/R          ->      f(1) = i - u/R
    A*x = b           ->      f(2) = A(1,1)*x1 + A(1,2)*x2 - b1

The unknowns are the states and everything that leads to their derivatives; loops stay as they are, and
nothing is iterated on inside.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from freewheel.export.nodes import Choose, Set, Statement
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


def implicit_form(program: Program) -> Implicit:
    rates = {state.derivative for state in program.state_slots}
    work = _Work(rates)
    for step in program.sections["derivatives"]:
        if isinstance(step, SolveNonlinear):
            for part in statements_of(step.inner, MARK):
                work.statement(part)
            work.algebraic += [slot for slot in step.slots if slot not in rates]
            for one in _renamed(step.residuals):
                work.residual(one)
        elif isinstance(step, SolveLinear):
            work.system(step)
        else:
            for statement in statements_of([step], MARK):
                work.statement(statement)
    return Implicit(tuple(work.statements), tuple(work.algebraic), work.count)


def _renamed(exprs: Iterable[Expr]) -> list[Expr]:
    """With temporaries named as in the other statements."""
    assigns = [Assign(slot_var(-1), expr) for expr in exprs]
    return [one.value for one in statements_of(assigns, MARK) if isinstance(one, Set)]


class _Work:
    def __init__(self, rates: set[int]) -> None:
        self.rates = rates
        self.statements: list[Statement] = []
        self.algebraic: list[int] = []
        self.count = 0

    def residual(self, value: Expr) -> None:
        self.statements.append(Set(Var((RESIDUAL, self.count)), value))
        self.count += 1

    def statement(self, statement: Statement) -> None:
        match statement:
            case Set():
                slot = statement.target.name[0]
                if not isinstance(slot, int):
                    self.statements.append(statement)
                    return
                self.unknown(slot)
                self.residual(build.minus(statement.target, statement.value))
            case Choose():  # of a temporary that is not always needed
                self.statements.append(statement)
            case _:
                raise AssertionError(statement)

    def unknown(self, slot: int) -> None:
        if slot not in self.rates:
            self.algebraic.append(slot)

    def system(self, step: SolveLinear) -> None:
        entries = _renamed([entry for _, _, entry in step.matrix])
        for slot in step.slots:
            self.unknown(slot)
        for row, right in enumerate(_renamed(step.right)):
            total = build.neg(right)
            for (at, column, _), entry in zip(step.matrix, entries, strict=True):
                if at == row:
                    total = build.plus(total, build.times(entry, slot_var(step.slots[column])))
            self.residual(total)
