"""One equation, one unknown: the formula that gives it, or None where no formula is sure to.

C*der(u) = i   for der(u)   ->   i/C
"""

from __future__ import annotations

from freewheel.formula import build
from freewheel.formula.nodes import Expr, Integer, Real, Unary, Var
from freewheel.formula.solve_for import Solution, solve_for
from freewheel.structure.nodes import ScalarEquation


def residual_of(equation: ScalarEquation) -> Expr:
    return build.minus(equation.left, equation.right)


def isolated(equation: ScalarEquation, unknown: Var) -> Solution | None:
    return solve_for(equation.left, equation.right, unknown)


def quotient(rest: Expr, coefficient: Expr) -> Expr:
    """`-rest/coefficient`, without needless signs."""
    if isinstance(coefficient, Real | Integer):
        if coefficient.value == -1:
            return rest
        if coefficient.value == 1:
            return build.neg(rest)
    if isinstance(coefficient, Unary) and coefficient.op == "-":
        return build.over(rest, coefficient.args[0])
    return build.over(build.neg(rest), coefficient)
