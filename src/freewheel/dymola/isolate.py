"""Solve an equation of the classic language for `new(x)`, which stands in it once.

    new(x) + a*x = b*u          new(x) = b*u - a*x

Modelica wants equations of a when-clause solved; the classic language does not.
"""

from __future__ import annotations

from freewheel.dymola.kinds import parts
from freewheel.syntax.expression_nodes import Binary, Call, Expr, Unary


def isolated(left: Expr, right: Expr, target: Call) -> Expr | None:
    """What the target equals; `None` if it cannot be had by turning operations round."""
    if _count(left, target) + _count(right, target) != 1:
        return None
    if _count(right, target):
        left, right = right, left
    while left is not target:
        turned = _turned(left, right, target)
        if turned is None:
            return None
        left, right = turned
    return right


def _count(expr: Expr, target: Call) -> int:
    return sum(part is target or part == target for part in parts(expr) if type(part) is Call)


def _turned(left: Expr, right: Expr, target: Call) -> tuple[Expr, Expr] | None:
    """One operation less around the target."""
    start, end = right.start, right.end
    if isinstance(left, Unary) and left.op == "-":
        return left.operand, Unary(start, end, "-", right)
    if not isinstance(left, Binary):
        return None
    is_left = _count(left.left, target) == 1
    inner, other = (left.left, left.right) if is_left else (left.right, left.left)
    if left.op == "+":
        return inner, Binary(start, end, "-", right, other)
    if left.op == "-":
        value = Binary(
            start, end, "+" if is_left else "-", *((right, other) if is_left else (other, right))
        )
        return inner, value
    if left.op == "*":
        return inner, Binary(start, end, "/", right, other)
    if left.op == "/":
        value = (
            Binary(start, end, "*", right, other)
            if is_left
            else Binary(start, end, "/", other, right)
        )
        return inner, value
    return None
