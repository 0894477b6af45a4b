"""Unknowns that a switch equation holds at zero, and when.

    0 = if open then i else u      ->      i is zero while `open`, u is zero while `not open`

A loop that finds `u` from its other equations would give it as a difference that rounding keeps from
being zero, and each change of its sign would be an event. The equation itself says that it is zero.
"""

from __future__ import annotations

from collections.abc import Mapping

from freewheel.formula import build
from freewheel.formula.nodes import Binary, Expr, If, Unary, Var


def zero_while(terms: Mapping[Var, Expr], rest: Expr) -> dict[Var, Expr]:
    """In: coefficients of the unknowns of `sum(terms) + rest = 0`. Out: unknown -> condition."""
    found: dict[Var, Expr] = {}
    for condition in dict.fromkeys(c for expr in terms.values() for c in _conditions(expr)):
        for at, meaning in ((1, condition), (2, build.logical_not(condition))):
            left = [v for v, c in terms.items() if not _vanishes(c, condition, at)]
            if len(left) == 1 and _vanishes(rest, condition, at):
                found.setdefault(left[0], meaning)
    return found


def _conditions(coefficient: Expr) -> list[Expr]:
    """That a coefficient hangs on, as a factor."""
    if isinstance(coefficient, If):
        return [coefficient.args[0]]
    if _is_product(coefficient):
        return [c for factor in coefficient.args for c in _conditions(factor)]
    return []


def _vanishes(expr: Expr, condition: Expr, at: int) -> bool:
    """Whether it is zero while the condition selects branch `at`."""
    if isinstance(expr, If) and expr.args[0] is condition:
        return _vanishes(expr.args[at], condition, at)
    if _is_product(expr):
        return any(_vanishes(factor, condition, at) for factor in expr.args)
    return build.is_zero(expr)


def _is_product(expr: Expr) -> bool:
    is_negation = isinstance(expr, Unary) and expr.op == "-"
    return is_negation or (isinstance(expr, Binary) and expr.op == "*")
