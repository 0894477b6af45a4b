"""Coefficients of formulas that are linear in given variables.

    linear_form(a*x + b - y, [x, y])  ->  ((a, -1), b)          linear_form(x*y, [x, y])  ->  None

Coefficients and the rest do not contain the variables, and nothing is expanded that does not
contain one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from freewheel.formula.build import (
    call,
    if_then_else,
    is_number,
    minus,
    neg,
    over,
    plus,
    rebuilt,
    times,
)
from freewheel.formula.nodes import (
    LOGICAL,
    ONE,
    RELATIONS,
    ZERO,
    Binary,
    Call,
    Expr,
    If,
    Unary,
    Var,
)
from freewheel.formula.walk import fold, variables_in

# Number of the variable -> coefficient; and what is left. `None` where it is not linear.
Form = tuple[dict[int, Expr], Expr]


def linear_form(expr: Expr, unknowns: Sequence[Expr]) -> tuple[tuple[Expr, ...], Expr] | None:
    """`expr` as `sum(coefficients[i]*unknowns[i]) + rest`, or `None`."""
    form = sparse_linear_form(expr, {unknown: i for i, unknown in enumerate(unknowns)})
    if form is None:
        return None
    coefficients, rest = form
    return tuple(coefficients.get(i, ZERO) for i in range(len(unknowns))), rest


def sparse_linear_form(expr: Expr, numbers: Mapping[Expr, int]) -> Form | None:
    """The same with unknowns by number, and only the coefficients that are there."""

    def visit(node: Expr, parts: tuple[Form | None, ...]) -> Form | None:
        number = numbers.get(node)
        if number is not None:
            return {number: ONE}, ZERO
        if all(part is not None and not part[0] for part in parts):
            rests = tuple(part[1] for part in parts if part is not None)
            return {}, node if rests == node.args else rebuilt(node, rests)
        rule = _RULES.get(type(node))
        return None if rule is None else rule(node, parts)

    memo: dict[Expr, Form | None] = {}
    return fold(expr, visit, memo)


def is_linear(expr: Expr, unknowns: Collection[Expr]) -> bool:
    """Whether that is seen without coefficients, which take long to find in sums of many terms: what
    cancels counts as if it were there."""
    return fold(expr, lambda node, parts: 1 if node in unknowns else _degree(node, parts), {}) <= 1


def _degree(node: Expr, parts: tuple[int, ...]) -> int:
    """0: without unknowns, 1: linear, 2: not known to be."""
    highest = max(parts, default=0)
    if highest != 1:
        return highest
    first, end = _straight(node)
    is_bent = any(parts[:first]) or any(parts[end:]) or (node.data == "*" and 0 not in parts)
    return 2 if is_bent else 1


def bent_variables(expr: Expr) -> set[Var]:
    """Those below something that is not linear in its arguments: `x` and `y` of `sin(x) + x*f(y)`."""
    straight, bent = [expr], []
    seen: set[Expr] = set()
    while straight:
        node = straight.pop()
        if node.args and node not in seen:
            seen.add(node)
            first, end = _straight(node)
            straight += node.args[first:end]
            bent += [*node.args[:first], *node.args[end:]]
    return set(variables_in(*bent))


def _straight(node: Expr) -> tuple[int, int]:
    """First and end of the arguments, one by one, in which the node is linear."""
    op = node.data
    if isinstance(node, Binary):
        return 0, 2 if op in ("+", "-", "*") else int(op == "/")
    if isinstance(node, If):
        return 1, 3
    if isinstance(node, Call) and op in ("noEvent", "smooth"):
        return len(node.args) - 1, len(node.args)
    return 0, int(isinstance(node, Unary) and op == "-")


def _mapped(form: Form, function: Callable[[Expr], Expr]) -> Form:
    coefficients, rest = form
    return {i: function(c) for i, c in coefficients.items()}, function(rest)


def _combined(left: Form, right: Form, join: Callable[[Expr, Expr], Expr]) -> Form:
    """Both forms term by term; a missing coefficient is zero."""
    numbers = sorted({*left[0], *right[0]})
    coefficients = {i: join(left[0].get(i, ZERO), right[0].get(i, ZERO)) for i in numbers}
    kept = {i: c for i, c in coefficients.items() if c is not ZERO}
    return kept, join(left[1], right[1])


def _unary(node: Expr, parts: tuple[Form | None, ...]) -> Form | None:
    (form,) = parts
    if form is None or node.data != "-":
        return None
    return _mapped(form, neg)


def _binary(node: Expr, parts: tuple[Form | None, ...]) -> Form | None:
    left, right = parts
    op = node.data
    if left is None or right is None or op in RELATIONS or op in LOGICAL:
        return None
    if op == "+":
        return _combined(left, right, plus)
    if op == "-":
        return _combined(left, right, minus)
    if op == "*" and not left[0]:
        return _mapped(right, lambda part: times(left[1], part))
    if op == "*" and not right[0]:
        return _mapped(left, lambda part: _right_factor(part, right[1]))
    if op == "/" and not right[0]:
        return _mapped(left, lambda part: over(part, right[1]))
    return None


def _right_factor(part: Expr, factor: Expr) -> Expr:
    return factor if part is ONE else times(part, factor)


def _if(node: Expr, parts: tuple[Form | None, ...]) -> Form | None:
    """Linear branch by branch; the choice goes into the coefficients."""
    condition, then, otherwise = parts
    if condition is None or condition[0] or then is None or otherwise is None:
        return None
    return _combined(then, otherwise, lambda a, b: if_then_else(node.args[0], a, b))


def _call(node: Expr, parts: tuple[Form | None, ...]) -> Form | None:
    """`noEvent` and `smooth` say nothing about values; choices inside stay free of events."""
    if node.data not in ("noEvent", "smooth"):
        return None
    form = parts[-1]
    if form is None:
        return None
    return _mapped(form, lambda part: part if is_number(part) else call("noEvent", part))


_RULES: dict[type, Callable[[Expr, tuple[Form | None, ...]], Form | None]] = {
    Unary: _unary,
    Binary: _binary,
    If: _if,
    Call: _call,
}
