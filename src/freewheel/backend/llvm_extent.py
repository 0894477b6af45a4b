"""Between which numbers a subscript lies, where loops over known ranges tell: it needs no check then.

    for i in 1:size(A, 1) loop ... A[i, n - i + 1]      i is in 1..3, n - i + 1 in 1..3

In: an expression of a function, and the bounds of the loops around it. Out: the smallest and the largest
number (interval arithmetic), or None.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from freewheel.base.diagnostics import FreewheelError
from freewheel.formula.faults import NotConstant
from freewheel.formula.nodes import Binary, Expr, Integer, Iterator, Range, Unary

Bounds = tuple[int, int]


def bounds_of(
    expr: Expr, iterators: Mapping[str, list[Bounds | None]], value: Callable[[Expr], object]
) -> Bounds | None:
    if isinstance(expr, Integer):
        return expr.value, expr.value
    if isinstance(expr, Iterator):
        known = iterators.get(expr.data)
        return known[-1] if known else None
    if isinstance(expr, Range):
        return _of_range(expr, iterators, value)
    if isinstance(expr, Binary) and expr.op in ("+", "-"):
        left, right = (bounds_of(part, iterators, value) for part in expr.args)
        if left is not None and right is not None:
            return _joined(expr.op, left, right)
    if isinstance(expr, Unary) and expr.op == "-":
        inner = bounds_of(expr.args[0], iterators, value)
        return None if inner is None else (-inner[1], -inner[0])
    return _constant(expr, value)


def _of_range(
    expr: Range, iterators: Mapping[str, list[Bounds | None]], value: Callable[[Expr], object]
) -> Bounds | None:
    first, step, last = (bounds_of(part, iterators, value) for part in expr.args)
    if first is None or step is None or last is None or step[0] != step[1] or step[0] == 0:
        return None
    return (first[0], last[1]) if step[0] > 0 else (last[0], first[1])


def _joined(op: str, left: Bounds, right: Bounds) -> Bounds:
    if op == "+":
        return left[0] + right[0], left[1] + right[1]
    return left[0] - right[1], left[1] - right[0]


def _constant(expr: Expr, value: Callable[[Expr], object]) -> Bounds | None:
    try:
        found = value(expr)
    except (NotConstant, FreewheelError):
        return None
    is_whole = isinstance(found, int) and not isinstance(found, bool)
    return (found, found) if isinstance(found, int) and is_whole else None
