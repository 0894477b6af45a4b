"""All slopes of a formula at one point in one walk.

    Gradient(number_of, is_moving).of(x*y + 2*x)   ->   value, {x: y + 2, y: x} as numbers

For plain arithmetic and functions of one number, which is nearly every equation; `None` for any other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from freewheel.formula.intrinsics import ROWS
from freewheel.formula.nodes import Binary, Boolean, Call, Expr, If, Integer, Real, Unary, Var
from freewheel.formula.walk import fold

Slopes = Mapping[Var, float]
Found = tuple[float, Slopes] | None
_NOTHING: Slopes = {}

_Number = Callable[[float], float]
_FUNCTIONS: Mapping[str, tuple[_Number, _Number]] = {
    **{row.name: (row.value, row.slope) for row in ROWS if row.slope is not None},
    "sign": (lambda x: math.copysign(1.0, x), lambda x: 0.0),  # one side, at the jump too
}

KNOWN_FUNCTIONS = frozenset((*_FUNCTIONS, "max", "min"))

_TRUTHS: Mapping[str, Callable[[float, float], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "<>": lambda a, b: a != b,
    "and": lambda a, b: bool(a and b),
    "or": lambda a, b: bool(a or b),
}


class Gradient:
    def __init__(
        self, number_of: Callable[[Var], float | None], is_moving: Callable[[Var], bool]
    ) -> None:
        """`number_of`: the value of a variable at the point; None where it is no number."""
        self.number_of = number_of
        self.is_moving = is_moving
        self.memo: dict[Expr, Found] = {}

    def of(self, expr: Expr) -> Found:
        return fold(expr, self._visit, self.memo)

    def _visit(self, node: Expr, parts: tuple[Found, ...]) -> Found:
        if isinstance(node, Var):
            value = self.number_of(node)
            if value is None:
                return None
            return value, ({node: 1.0} if self.is_moving(node) else _NOTHING)
        if isinstance(node, Real | Integer | Boolean):
            return float(node.data), _NOTHING
        if isinstance(node, If) and parts[0] is not None:
            return parts[1] if parts[0][0] else parts[2]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts) or not known:
            return None
        try:
            return self._operation(node, known)
        except (ArithmeticError, ValueError):
            return None

    def _operation(self, node: Expr, parts: list[tuple[float, Slopes]]) -> Found:
        if isinstance(node, Unary):
            if node.op == "not":
                return float(not parts[0][0]), _NOTHING
            sign = -1.0 if node.op == "-" else 1.0
            return sign * parts[0][0], _scaled(parts[0][1], sign)
        if isinstance(node, Binary) and node.op in _BINARY:
            return _BINARY[node.op](parts[0], parts[1])
        if isinstance(node, Binary) and node.op in _TRUTHS:
            return float(_TRUTHS[node.op](parts[0][0], parts[1][0])), _NOTHING
        if isinstance(node, Call) and node.data in ("max", "min") and len(parts) == 2:
            return (max if node.data == "max" else min)(parts, key=lambda part: part[0])
        if isinstance(node, Call) and node.data in _FUNCTIONS and len(parts) == 1:
            function, slope = _FUNCTIONS[str(node.data)]
            at, slopes = parts[0]
            return function(at), _scaled(slopes, slope(at)) if slopes else _NOTHING
        return None


def _scaled(slopes: Slopes, factor: float) -> Slopes:
    if factor == 1.0 or not slopes:
        return slopes
    return {var: factor * slope for var, slope in slopes.items()}


def _sum(one: Slopes, factor: float, other: Slopes, other_factor: float) -> Slopes:
    if not other:
        return _scaled(one, factor)
    if not one:
        return _scaled(other, other_factor)
    total = {var: factor * slope for var, slope in one.items()}
    for var, slope in other.items():
        total[var] = total.get(var, 0.0) + other_factor * slope
    return total


Pair = tuple[float, Slopes]


def _power(a: Pair, b: Pair) -> Found:
    if b[1]:
        return None
    value = float(a[0] ** b[0])
    slope = float(b[0] * a[0] ** (b[0] - 1.0)) if a[1] else 0.0
    return value, _scaled(a[1], slope)


_BINARY: Mapping[str, Callable[[Pair, Pair], Found]] = {
    "+": lambda a, b: (a[0] + b[0], _sum(a[1], 1.0, b[1], 1.0)),
    "-": lambda a, b: (a[0] - b[0], _sum(a[1], 1.0, b[1], -1.0)),
    "*": lambda a, b: (a[0] * b[0], _sum(a[1], b[0], b[1], a[0])),
    "/": lambda a, b: (a[0] / b[0], _sum(a[1], 1.0 / b[0], b[1], -a[0] / b[0] ** 2)),
    "^": _power,
}
