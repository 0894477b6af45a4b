"""Identities that never change the domain: a formula goes in, a shorter equal one comes out.

    (a + 2) - a - 1  ->  1            if c then (if c then x else y) else z  ->  if c then x else z

Works on scalar formulas. Terms of sums and numeric factors are collected; products are not expanded
and nothing is cancelled from quotients: `x/x` stays, because it has no value at zero.
"""

from __future__ import annotations

from collections.abc import Iterable

from freewheel.formula.build import (
    is_number,
    minus,
    neg,
    over,
    plus,
    rebuilt,
    times,
)
from freewheel.formula.nodes import (
    FALSE,
    ONE,
    TRUE,
    ZERO,
    Binary,
    Call,
    Expr,
    If,
    Integer,
    Real,
    String,
    Unary,
)
from freewheel.formula.values import to_expr
from freewheel.formula.walk import fold_parts, substitute


def simplify(expr: Expr, memo: dict[Expr, Expr] | None = None) -> Expr:
    """An equal formula, usually shorter. Hand in `memo` to share work between formulas."""
    return fold_parts(expr, _parts, _simplified, {} if memo is None else memo)


def _parts(node: Expr) -> tuple[Expr, ...]:
    """A sum is simplified as a whole, however long it is."""
    return tuple(term for _, term in _terms(node)) if _is_sum(node) else node.args


def _is_sum(expr: Expr) -> bool:
    return isinstance(expr, Binary) and expr.data in ("+", "-")


def _simplified(node: Expr, parts: tuple[Expr, ...]) -> Expr:
    if _is_sum(node):
        return _collected(node, parts)
    if isinstance(node, If):
        return _choice(*parts)
    result = rebuilt(node, parts)
    if isinstance(result, Binary) and result.data in ("*", "/"):
        return _ordered(result)
    if isinstance(result, Call) and result.data in ("noEvent", "smooth"):
        return _without_nesting(result)
    return result


# ---------------------------------------------------------------- choices


def _choice(condition: Expr, then: Expr, otherwise: Expr) -> Expr:
    """Inside a branch its own condition is known."""
    then = substitute(then, {condition: TRUE}) if _is_asked_again(condition, then) else then
    if _is_asked_again(condition, otherwise):
        otherwise = substitute(otherwise, {condition: FALSE})
    if isinstance(then, If) and then.args[0] in (TRUE, FALSE):
        then = then.args[1] if then.args[0] is TRUE else then.args[2]
    if isinstance(otherwise, If) and otherwise.args[0] in (TRUE, FALSE):
        otherwise = otherwise.args[1] if otherwise.args[0] is TRUE else otherwise.args[2]
    if isinstance(condition, Unary) and condition.data == "not":
        condition, then, otherwise = condition.args[0], otherwise, then
    return rebuilt(If(condition, then, otherwise), (condition, then, otherwise))


def _is_asked_again(condition: Expr, branch: Expr) -> bool:
    return isinstance(branch, If) and branch.args[0] is condition


def _without_nesting(node: Call) -> Expr:
    """`noEvent(noEvent(x))` says it once; constants need no saying."""
    inner = node.args[-1]
    if isinstance(inner, Real | Integer):
        return inner
    return inner if node.data == "noEvent" and _is_no_event(inner) else node


def _is_no_event(expr: Expr) -> bool:
    return isinstance(expr, Call) and expr.data == "noEvent"


# ---------------------------------------------------------------- sums


def _collected(node: Expr, parts: tuple[Expr, ...]) -> Expr:
    """One term for each distinct formula, with its numeric factor; then one constant."""
    before = list(_terms(node))
    if any(isinstance(term, String) for _, term in before):
        return node  # texts are joined, not added
    pairs = [
        (factor * inner, term)
        for (factor, _), part in zip(before, parts, strict=True)
        for inner, term in (((1, ONE),) if part is ONE else _terms(part))
    ]
    factors: dict[Expr, float | int] = {}
    constant: float | int = 0
    for factor, term in pairs:
        if term is ONE:
            constant += factor
        else:
            factors[term] = factors.get(term, 0) + factor
    kept = [(term, factor) for term, factor in factors.items() if factor != 0]
    is_same = pairs == before and len(kept) + (constant != 0) == len(before)
    return node if is_same else _sum_of(kept, constant)


def _terms(expr: Expr) -> Iterable[tuple[float | int, Expr]]:
    """The sum as pairs of a number and a formula without numeric factor, left to right."""
    stack: list[tuple[float | int, Expr]] = [(1, expr)]
    while stack:
        factor, node = stack.pop()
        if isinstance(node, Real | Integer):
            yield factor * node.data, ONE
        elif isinstance(node, Unary) and node.data == "-":
            stack.append((-factor, node.args[0]))
        elif isinstance(node, Binary) and node.data in ("+", "-"):
            stack.append((-factor if node.data == "-" else factor, node.right))
            stack.append((factor, node.left))
        elif isinstance(node, Binary) and node.data == "*" and is_number(node.left):
            stack.append((factor * node.left.data, node.right))
        else:
            yield factor, node


def _sum_of(terms: list[tuple[Expr, float | int]], constant: float | int) -> Expr:
    result: Expr = ZERO
    for term, factor in terms:
        if factor < 0 and result is not ZERO:
            result = minus(result, _scaled(-factor, term))
        else:
            result = plus(result, _scaled(factor, term))
    if constant == 0:
        return result
    if constant < 0 and result is not ZERO:
        return minus(result, to_expr(-constant))
    return plus(result, to_expr(constant))


def _scaled(factor: float | int, term: Expr) -> Expr:
    if factor == 1:
        return term
    if factor == -1:
        return neg(term)
    return times(to_expr(factor), term)


# ---------------------------------------------------------------- products


def _ordered(node: Binary) -> Expr:
    """Signs and numeric factors to the front."""
    return times(*node.args) if node.data == "*" else over(*node.args)
