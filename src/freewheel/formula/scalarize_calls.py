"""Builtin functions on arrays, taken apart: part of `scalarize`.

    sum(x) -> x[1] + x[2]        cross(a, b) -> {a[2]*b[3] - a[3]*b[2], ...}

Functions that only move elements about (`transpose`, `cat`, ...) are those of `builtin_values`:
they never look at what they move.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from freewheel.base.limits import check_size
from freewheel.formula import build
from freewheel.formula.builtin_values import HUGE, apply_array
from freewheel.formula.faults import show_dims, wrong_shape
from freewheel.formula.nodes import Array, Call, Expr, Integer, Real
from freewheel.formula.shape import Shapes
from freewheel.formula.values import ArrayValue, Value, to_expr

Parts = Expr | ArrayValue
Rule = Callable[[Shapes, Expr, tuple[Parts, ...]], Parts]


def piece(value: Any) -> Parts:
    """A value out of an array of formulas is a formula or again such an array."""
    assert isinstance(value, Expr | ArrayValue), value
    return value


def whole(parts: Parts) -> Expr:
    """Back to one formula: arrays become array constructors."""
    if isinstance(parts, Expr):
        return parts
    if 0 in parts.dims and len(parts.dims) > 1:  # `{}` cannot say 0 by 3
        return Call("fill", Real(0.0), *map(Integer, parts.dims))
    return Array(*[whole(piece(row)) for row in parts.rows()])


def _formulas(value: Value | Expr) -> Parts:
    """What a builtin on values gave: numbers it brought in become formulas too."""
    if isinstance(value, ArrayValue):
        return value.map(lambda e: e if isinstance(e, Expr) else to_expr(e))
    return value if isinstance(value, Expr) else to_expr(value)


def product(left: Parts, right: Parts) -> Parts:
    """`*` of vectors and matrices."""
    assert isinstance(left, ArrayValue)
    assert isinstance(right, ArrayValue)
    if len(left.dims) > 2 or len(right.dims) > 2 or left.dims[-1] != right.dims[0]:
        raise wrong_shape(
            f"`*` joins arrays of dimensions {show_dims(left.dims)} and {show_dims(right.dims)}"
        )
    inner = right.dims[0]
    width = prod(right.dims[1:])
    check_size(prod(left.dims) * width, "this product of arrays has", unit="terms")
    rows = [left.elements[i * inner : (i + 1) * inner] for i in range(prod(left.dims[:-1]))]
    columns = [right.elements[j::width] for j in range(width)]
    dims = left.dims[:-1] + right.dims[1:]
    elements = tuple([_dot(row, column) for row in rows for column in columns])
    return ArrayValue(dims, elements) if dims else elements[0]


def _dot(left: tuple[Expr, ...], right: tuple[Expr, ...]) -> Expr:
    return build.total([build.times(a, b) for a, b in zip(left, right, strict=True)])


def elementwise_call(name: str, parts: tuple[Parts, ...]) -> Parts:
    """A scalar function or operator (`sin`, `der`, `pre`, `noEvent`, ...) on each element."""
    dims = next((part.dims for part in parts if isinstance(part, ArrayValue)), None)
    if dims is None:
        return build.call(name, *map(whole, parts))
    if any(isinstance(part, ArrayValue) and part.dims != dims for part in parts):
        raise wrong_shape(f"the array arguments of `{name}` differ in their dimensions")
    columns = [
        part.elements if isinstance(part, ArrayValue) else (part,) * prod(dims) for part in parts
    ]
    return ArrayValue(dims, tuple([build.call(name, *row) for row in zip(*columns, strict=True)]))


def _moved(shapes: Shapes, node: Expr, parts: tuple[Parts, ...]) -> Parts:
    return _formulas(apply_array(node.data, parts))


def _counted(shapes: Shapes, node: Expr, parts: tuple[Parts, ...]) -> Parts:
    return _formulas(apply_array(node.data, tuple(shapes.constant(arg) for arg in node.args)))


def _fill(shapes: Shapes, node: Expr, parts: tuple[Parts, ...]) -> Parts:
    counts = tuple(shapes.constant(arg) for arg in node.args[1:])
    return _formulas(apply_array("fill", (parts[0], *counts)))


def _cat(shapes: Shapes, node: Expr, parts: tuple[Parts, ...]) -> Parts:
    axis = shapes.constant(node.args[0])
    return _formulas(apply_array("cat", (axis, *parts[1:])))


def _promote(shapes: Shapes, node: Expr, parts: tuple[Parts, ...]) -> Parts:
    wanted = shapes.constant(node.args[1])
    return _formulas(apply_array("promote", (parts[0], wanted)))


def _linspace(shapes: Shapes, node: Expr, parts: tuple[Parts, ...]) -> Parts:
    first, last, _ = map(whole, parts)
    count = shapes.constant(node.args[2])
    if not isinstance(count, int) or count < 1:
        raise wrong_shape("`linspace` needs at least 2 points")
    if count == 1:  # seen in branches that are never taken: `if n > 1 then linspace(a, b, n)`
        return ArrayValue((1,), (first,))
    step = build.minus(last, first)
    points = [
        build.plus(first, build.over(build.times(step, Integer(i)), Integer(count - 1)))
        for i in range(count)
    ]
    return ArrayValue((count,), tuple(points))


def _elements(parts: tuple[Parts, ...], name: str) -> tuple[Expr, ...]:
    array = parts[0]
    if not isinstance(array, ArrayValue):
        raise wrong_shape(f"`{name}` needs an array")
    return array.elements


def _sum(shapes: Shapes, node: Expr, parts: tuple[Parts, ...]) -> Parts:
    return _accumulated(_elements(parts, "sum"), build.plus, Integer(0))


def _product(shapes: Shapes, node: Expr, parts: tuple[Parts, ...]) -> Parts:
    return _accumulated(_elements(parts, "product"), build.times, Integer(1))


def _extreme(shapes: Shapes, node: Expr, parts: tuple[Parts, ...]) -> Parts:
    """`min` and `max` of an array, pair by pair; of two scalars, as it is."""
    name = node.data
    if len(parts) == 2:
        return build.call(name, *map(whole, parts))
    empty = Real(HUGE if name == "min" else -HUGE)
    return _accumulated(_elements(parts, name), lambda x, y: build.call(name, x, y), empty)


def _accumulated(
    elements: tuple[Expr, ...], join: Callable[[Expr, Expr], Expr], empty: Expr
) -> Expr:
    if not elements:
        return empty
    result = elements[0]
    for element in elements[1:]:
        result = join(result, element)
    return result


def _vector_of_three(part: Parts, name: str) -> tuple[Expr, ...]:
    if not isinstance(part, ArrayValue) or part.dims != (3,):
        raise wrong_shape(f"`{name}` needs vectors of length 3")
    return part.elements


def _cross(shapes: Shapes, node: Expr, parts: tuple[Parts, ...]) -> Parts:
    x, y = (_vector_of_three(part, "cross") for part in parts)
    pairs = ((1, 2), (2, 0), (0, 1))
    return ArrayValue(
        (3,),
        tuple(build.minus(build.times(x[i], y[j]), build.times(x[j], y[i])) for i, j in pairs),
    )


def _skew(shapes: Shapes, node: Expr, parts: tuple[Parts, ...]) -> Parts:
    x, y, z = _vector_of_three(parts[0], "skew")
    zero: Expr = Integer(0)
    elements = (zero, build.neg(z), y, z, zero, build.neg(x), build.neg(y), x, zero)
    return ArrayValue((3, 3), elements)


def _outer_product(shapes: Shapes, node: Expr, parts: tuple[Parts, ...]) -> Parts:
    left, right = parts
    if not isinstance(left, ArrayValue) or not isinstance(right, ArrayValue):
        raise wrong_shape("`outerProduct` needs two vectors")
    check_size(len(left.elements) * len(right.elements), "the outer product has")
    elements = [build.times(a, b) for a in left.elements for b in right.elements]
    return ArrayValue((len(left.elements), len(right.elements)), tuple(elements))


_MOVING = ("scalar", "vector", "matrix", "diagonal", "transpose", "symmetric", "array")
_COUNTING = ("identity", "zeros", "ones")

BUILTIN: dict[str, Rule] = {
    "sum": _sum,
    "product": _product,
    "min": _extreme,
    "max": _extreme,
    "cross": _cross,
    "skew": _skew,
    "outerProduct": _outer_product,
    "linspace": _linspace,
    "fill": _fill,
    "cat": _cat,
    "promote": _promote,
}
BUILTIN.update(dict.fromkeys(_MOVING, _moved))
BUILTIN.update(dict.fromkeys(_COUNTING, _counted))
