"""Equations of whole numbers, solved for one of them.

a + b = 1         ->      b = 1 - a
2*n = 4*m + 6     ->      n = 2*m + 3          2*n = m      is not solved: n need not be whole
"""

from __future__ import annotations

from freewheel.formula import build
from freewheel.formula.linear import linear_form
from freewheel.formula.nodes import Expr, Integer, Var
from freewheel.formula.walk import variables_in
from freewheel.structure.blocks.isolate import residual_of
from freewheel.structure.nodes import ScalarEquation


def whole_solution(equation: ScalarEquation, target: Var) -> Expr | None:
    """The value of `target`; None where it need not be whole, or the equation is not linear in it."""
    form = linear_form(residual_of(equation), (target,))
    factor = None if form is None else _whole(form[0][0])
    if form is None or not factor:
        return None
    rest = form[1]
    if abs(factor) == 1:
        return build.neg(rest) if factor > 0 else rest
    return _quotient(rest, -factor)


def _quotient(rest: Expr, divisor: int) -> Expr | None:
    """Term by term, where each is a multiple."""
    variables = variables_in(rest)
    form = linear_form(rest, variables)
    numbers = None if form is None else [_whole(part) for part in (*form[0], form[1])]
    if numbers is None or any(number is None or number % divisor for number in numbers):
        return None
    *factors, constant = (Integer(number // divisor) for number in numbers if number is not None)
    terms = (build.times(factor, var) for factor, var in zip(factors, variables, strict=True))
    return build.total([*terms, constant])


def _whole(expr: Expr) -> int | None:
    if not build.is_number(expr) or not float(expr.data).is_integer():
        return None
    return int(expr.data)
