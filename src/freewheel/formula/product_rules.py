"""Derivatives of the arithmetic operators: part of `differentiate`.

    d(a*b) = da*b + a*db        d(a/b) = (da - (a/b)*db)/b

Factors keep their order, so that the rules hold for matrices too. The quotient rule reuses the
quotient itself, which the formula computes anyway.
"""

from __future__ import annotations

from collections.abc import Callable

from freewheel.formula.build import add, div, is_zero, mul, power, sub
from freewheel.formula.nodes import ARITHMETIC, ZERO, Binary, Call, Expr, Integer, Real
from freewheel.formula.values import to_expr
from freewheel.formula.walk import map_bottom_up

Rule = Callable[[Expr, Expr, Expr, Expr, Expr], Expr]


def multiplied(left: Expr, right: Expr, op: str = "*") -> Expr:
    """A product in which `ZERO` stands for a zero of any dimensions."""
    if is_zero(left) or is_zero(right):
        return ZERO
    if op == "*":
        return mul(left, right)
    return Binary(op, left, right)


def dotted(expr: Expr) -> Expr:
    """The same arithmetic, element by element: on scalars nothing changes, on arrays it must."""
    return map_bottom_up(
        expr,
        lambda node: (
            Binary("." + node.data, *node.args)
            if isinstance(node, Binary) and node.data in ARITHMETIC
            else node
        ),
    )


def _sum(node: Expr, a: Expr, b: Expr, da: Expr, db: Expr) -> Expr:
    return add(da, db)


def _difference(node: Expr, a: Expr, b: Expr, da: Expr, db: Expr) -> Expr:
    return sub(da, db)


def _product(node: Expr, a: Expr, b: Expr, da: Expr, db: Expr) -> Expr:
    return add(multiplied(da, b, node.data), multiplied(a, db, node.data))


def _quotient(node: Expr, a: Expr, b: Expr, da: Expr, db: Expr) -> Expr:
    """With `/` the divisor is a scalar; with `./` either side may be an array."""
    times = "*" if node.data == "/" else ".*"
    numerator = sub(da, multiplied(node, db, times))
    if node.data == "/":
        return ZERO if is_zero(numerator) else div(numerator, b)
    return Binary("./", numerator, b)


def _power(node: Expr, a: Expr, b: Expr, da: Expr, db: Expr) -> Expr:
    dot = "." if node.data == ".^" else ""
    from_base: Expr = ZERO
    if not is_zero(da):
        lower = _lowered(a, b, dot)
        from_base = multiplied(multiplied(b, lower, dot + "*"), da, dot + "*")
    if is_zero(db):
        return from_base
    from_exponent = multiplied(multiplied(node, Call("log", a), dot + "*"), db, dot + "*")
    return add(from_base, from_exponent)


def _lowered(base: Expr, exponent: Expr, dot: str) -> Expr:
    """`base^(exponent - 1)`."""
    if isinstance(exponent, Real | Integer):
        if exponent.data == 2:
            return base
        lower = to_expr(exponent.data - 1)
        return Binary(".^", base, lower) if dot else power(base, lower)
    return Binary(f"{dot}^", base, Binary(f"{dot}-", exponent, Integer(1)))


OPERATORS: dict[str, Rule] = {
    "+": _sum,
    "-": _difference,
    ".+": _sum,
    ".-": _difference,
    "*": _product,
    ".*": _product,
    "/": _quotient,
    "./": _quotient,
    "^": _power,
    ".^": _power,
}
