"""The sign with which the branches of a switch equation stand in a nonlinear loop.

    0 = if closed then v - R*i else i      ->      0 = if closed then R*i - v else i

An equation says the same with either sign, but the determinant of a loop does not. Its sign marks branches of
solutions apart across an event (`backend/branch_kernels.py`), so that both positions of a switch must have
theirs by one rule: an unknown that stands in both has the same sign in both. That is the way from one to the
other without a division by zero, like a resistance that grows.
"""

from __future__ import annotations

from dataclasses import dataclass

from freewheel.formula import build
from freewheel.formula.linear import linear_form
from freewheel.formula.nodes import Expr, If, Var
from freewheel.formula.walk import variables_in
from freewheel.structure.values import ParameterValues


@dataclass(frozen=True, slots=True)
class Signs:
    """Of the `unknowns` of a loop in its equations, as far as numbers and parameters determine them."""

    unknowns: frozenset[Var]
    values: ParameterValues

    def oriented(self, residual: Expr) -> Expr:
        """Branches have the sign of the first one."""
        if not isinstance(residual, If):
            return residual
        condition, first, others = residual.args
        others = self.oriented(others)
        if self._agreement(first, others) < 0:
            others = turned(others)
        return build.if_then_else(condition, first, others)

    def are_opposed(self, unknown: Var, value: Expr, residual: Expr) -> bool:
        """Whether a residual has the wrong sign beside `value`, which another equation gives to the unknown
        and which takes its place while that is zero."""
        agreement = self._agreement(unknown, residual) or self._agreement(value, residual)
        return agreement < 0

    def _agreement(self, one: Expr, other: Expr) -> int:
        """How many more unknowns have the same sign in both than not; of branches the first counts."""
        here = self._of(one)
        there = self._of(other.args[1] if isinstance(other, If) else other)
        return sum(sign * there.get(var, 0) for var, sign in here.items())

    def _of(self, branch: Expr) -> dict[Var, int]:
        """Of unknowns in which it is linear, others held."""
        found: dict[Var, int] = {}
        for var in variables_in(branch):
            form = linear_form(branch, (var,)) if var in self.unknowns else None
            number = None if form is None else self.values.number(form[0][0])
            if number:
                found[var] = 1 if number > 0.0 else -1
        return found


def turned(residual: Expr) -> Expr:
    """With the other sign, branch by branch."""
    if not isinstance(residual, If):
        return build.neg(residual)
    condition, first, others = residual.args
    return build.if_then_else(condition, build.neg(first), turned(others))
