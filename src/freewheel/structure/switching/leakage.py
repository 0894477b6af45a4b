"""Leaks seen as what they stand for: small factors of a branch count as zeros.

    v = s*(if off then 1 else 1e-5)        is about v alone while the element conducts, but for its leak

Only for the question of what should stay implicit; what is integrated keeps its leaks. A leaky element
has states of which some are faster than all others by many powers of ten, and several that leak into each
other find their sides only together: both are the business of the core. A factor is a leak beside
another branch in which it is many times larger, whatever the units. Leaks of 1e-5 are mostly no trouble to
an ordinary method, which is faster; should it fail, all leaks are looked at (`REGULARITY.most_leak`).
"""

from __future__ import annotations

from freewheel.formula.linear import linear_form
from freewheel.formula.nodes import ZERO, Expr, If, Var
from freewheel.formula.walk import map_bottom_up, substitute, variables_in
from freewheel.structure.thresholds import REGULARITY
from freewheel.structure.values import ParameterValues


def without_leaks(
    expr: Expr, values: ParameterValues, memo: dict[Expr, Expr], share: float = REGULARITY.leak
) -> Expr:
    """Without leaks of at most this `share`; `memo` remembers formulas that occur again."""

    def visit(node: Expr) -> Expr:
        if not isinstance(node, If):
            return node
        condition, first, second = node.args
        one, other = _without(first, second, values, share), _without(second, first, values, share)
        if one is first and other is second:
            return node
        return If(condition, one, other)

    return map_bottom_up(expr, visit, memo)


def _without(branch: Expr, other: Expr, values: ParameterValues, share: float) -> Expr:
    """A branch without what leaks beside the other one."""
    size, beside = values.number(branch), values.number(other)
    if size is not None and beside is not None:
        return ZERO if _is_leak(size, beside, share) else branch
    shared = frozenset(variables_in(other))
    if not shared:
        return branch  # the end of a long chain of cases: its variables need not be gone through
    zeros: dict[Expr, Expr] = {}
    for var in variables_in(branch):
        if var in shared and values.number(var) is None:
            size, beside = _factor(branch, var, values), _factor(other, var, values)
            if size is not None and beside is not None and _is_leak(size, beside, share):
                zeros[var] = ZERO
    return substitute(branch, zeros) if zeros else branch


def _factor(branch: Expr, var: Var, values: ParameterValues) -> float | None:
    form = linear_form(branch, [var])
    return None if form is None else values.number(form[0][0])


def _is_leak(size: float, beside: float, share: float) -> bool:
    return 0.0 < abs(size) <= share * abs(beside)
