"""Derivatives of builtin functions: part of `differentiate`.

    SCALAR_RULES["sin"]    sin(x) -> cos(x)*dx
    ARRAY_RULES["cross"]   cross(a, b) -> cross(da, b) + cross(a, db)

`ARRAY_RULES` are for functions that are linear in their array arguments.
"""

from __future__ import annotations

from collections.abc import Callable

from freewheel.formula.build import (
    add,
    call,
    div,
    filled,
    if_then_else,
    is_zero,
    neg,
    over,
    power,
    sub,
)
from freewheel.formula.faults import not_differentiable
from freewheel.formula.intrinsics import ROWS, Intrinsic, names_of
from freewheel.formula.nodes import ZERO, Binary, Call, Expr, Integer
from freewheel.formula.product_rules import multiplied
from freewheel.formula.show import show

Rule = Callable[[Expr, tuple[Expr, ...], tuple[Expr, ...]], Expr]

# Piecewise constant between events.
_DISCRETE = ("pre", "edge", "change", "initial", "terminal", "sample", "previous", "hold")
_STEPS = names_of(lambda row: row.is_step) | {"Integer", "String", "firstTick", "interval"}
_SIZES = ("size", "ndims", "identity", "zeros", "ones", "cardinality")
CONSTANT_CALLS = frozenset((*_DISCRETE, *_STEPS, *_SIZES, "der"))

_TWO = Integer(2)


def _square(x: Expr) -> Expr:
    return power(x, _TWO)


def _by_row(row: Intrinsic) -> Rule | None:
    """The rule of a function of one argument, by its formula."""
    if row.derivative is not None:
        formula = row.derivative
        return lambda node, args, changes: multiplied(filled(formula, args[0], node), changes[0])
    if row.divisor is not None:
        divisor = row.divisor
        return lambda node, args, changes: over(changes[0], filled(divisor, args[0], node))
    return None


def _abs(node: Expr, args: tuple[Expr, ...], changes: tuple[Expr, ...]) -> Expr:
    return if_then_else(Binary(">=", args[0], ZERO), changes[0], neg(changes[0]))


def _atan2(node: Expr, args: tuple[Expr, ...], changes: tuple[Expr, ...]) -> Expr:
    (y, x), (dy, dx) = args, changes
    return div(sub(multiplied(x, dy), multiplied(y, dx)), add(_square(x), _square(y)))


def _mod(node: Expr, args: tuple[Expr, ...], changes: tuple[Expr, ...]) -> Expr:
    """The quotient without its fraction is constant between events."""
    name = "floor" if node.data == "mod" else None
    whole = Call("floor", div(*args)) if name else Call("div", *args)
    return sub(changes[0], multiplied(whole, changes[1]))


def _extreme(node: Expr, args: tuple[Expr, ...], changes: tuple[Expr, ...]) -> Expr:
    if len(args) == 1:
        raise not_differentiable(show(node))
    relation = "<=" if node.data == "min" else ">="
    return if_then_else(Binary(relation, *args), *changes)


def _no_event(node: Expr, args: tuple[Expr, ...], changes: tuple[Expr, ...]) -> Expr:
    return call("noEvent", changes[0])


def _smooth(node: Expr, args: tuple[Expr, ...], changes: tuple[Expr, ...]) -> Expr:
    """One order less; an expression that was only continuous keeps nothing."""
    order = args[0].data if isinstance(args[0], Integer) else 0
    return call("smooth", Integer(order - 1), changes[1]) if order > 0 else changes[1]


def _homotopy(node: Expr, args: tuple[Expr, ...], changes: tuple[Expr, ...]) -> Expr:
    return Call("homotopy", *changes)


def _semi_linear(node: Expr, args: tuple[Expr, ...], changes: tuple[Expr, ...]) -> Expr:
    x, positive, negative = args
    dx, dp, dn = changes
    return if_then_else(
        Binary(">=", x, ZERO),
        add(multiplied(dx, positive), multiplied(x, dp)),
        add(multiplied(dx, negative), multiplied(x, dn)),
    )


def _history(node: Expr, args: tuple[Expr, ...], changes: tuple[Expr, ...]) -> Expr:
    """A value out of a history: by the point looked at, and by the present value if it counts."""
    result = multiplied(Call("historySlope", *args), changes[2])
    for change in changes[3:4]:
        result = add(result, multiplied(Call("historyShare", *args), change))
    return result


def _transported(node: Expr, args: tuple[Expr, ...], changes: tuple[Expr, ...]) -> Expr:
    """The content of a pipe by place."""
    return multiplied(Call("transportedSlope", *args), changes[2])


_BY_FORMULA = {row.name: _by_row(row) for row in ROWS}

SCALAR_RULES: dict[str, Rule] = {
    **{name: rule for name, rule in _BY_FORMULA.items() if rule is not None},
    "transported": _transported,
    "history": _history,
    "abs": _abs,
    "atan2": _atan2,
    **dict.fromkeys(("mod", "rem"), _mod),
    **dict.fromkeys(("min", "max"), _extreme),
    "noEvent": _no_event,
    "smooth": _smooth,
    "homotopy": _homotopy,
    "semiLinear": _semi_linear,
}


def _linear(node: Expr, args: tuple[Expr, ...], changes: tuple[Expr, ...]) -> Expr:
    """Linear in the first argument; the others are sizes."""
    return Call(node.data, changes[0], *args[1:])


def _bilinear(node: Expr, args: tuple[Expr, ...], changes: tuple[Expr, ...]) -> Expr:
    (a, b), (da, db) = args, changes
    left = ZERO if is_zero(da) else Call(node.data, da, b)
    right = ZERO if is_zero(db) else Call(node.data, a, db)
    return add(left, right)


def _joined(node: Expr, args: tuple[Expr, ...], changes: tuple[Expr, ...]) -> Expr:
    """`cat` and `array`: parts that do not change become zeros of their own dimensions."""
    first = 1 if node.data == "cat" else 0
    parts = [
        Binary("*", ZERO, arg) if is_zero(change) else change
        for arg, change in zip(args[first:], changes[first:], strict=True)
    ]
    return Call(node.data, *args[:first], *parts)


def _linspace(node: Expr, args: tuple[Expr, ...], changes: tuple[Expr, ...]) -> Expr:
    return Call("linspace", changes[0], changes[1], args[2])


_LINEAR = ("sum", "scalar", "vector", "matrix", "transpose", "diagonal", "symmetric", "skew")

ARRAY_RULES: dict[str, Rule] = {
    "cross": _bilinear,
    "outerProduct": _bilinear,
    "cat": _joined,
    "array": _joined,
    "linspace": _linspace,
}
ARRAY_RULES.update(dict.fromkeys((*_LINEAR, "promote", "fill"), _linear))
