"""Builtin functions of the language on values.

    SCALAR["mod"](-3, 2) == 1          ARRAY["sum"](array_of([1, 2, 3])) == 6

`SCALAR` functions take scalars and are applied element by element to arrays; `ARRAY` functions take
whole arrays. Modelica 3.6, "Built-in Intrinsic Operators with Function Syntax" and "Built-in Array
Functions".
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from freewheel.base.diagnostics import CompileError
from freewheel.formula.arithmetic import binary
from freewheel.formula.faults import not_computable, show_dims, too_large, wrong_shape
from freewheel.formula.intrinsics import ROWS
from freewheel.formula.string_format import string_of
from freewheel.formula.values import ArrayValue, EnumValue, Value, array_of, dims_of_value, stack

MAX_ELEMENTS = 5_000_000
HUGE = 1.7976931348623157e308  # min and max of nothing; Modelica 3.6, "Reduction Expressions"


# ---------------------------------------------------------------- scalars


def _smaller(x: Any, y: Any) -> Any:
    return y if _order(y) < _order(x) else x


def _larger(x: Any, y: Any) -> Any:
    return y if _order(y) > _order(x) else x


def _order(x: Any) -> Any:
    return x.index if isinstance(x, EnumValue) else x


def _to_integer(x: Any) -> int:
    return x.index if isinstance(x, EnumValue) else int(x)


SCALAR: dict[str, Callable[..., Any]] = {
    **{row.name: row.value for row in ROWS if not row.is_reduction},
    "Integer": _to_integer,
    "String": string_of,
}
# Operators that say something about events or start-up but do not change a value.
TRANSPARENT: dict[str, int] = {"noEvent": 0, "smooth": 1, "homotopy": 0}


def apply_scalar(name: str, args: tuple[Value, ...]) -> Value:
    """A scalar function, element by element where arguments are arrays."""
    function = SCALAR[name]
    for arg in args:
        if isinstance(arg, ArrayValue):
            return _vectorised(name, args, arg.dims)
    return _guarded(name, function, args)


def _guarded(name: str, function: Callable[..., Any], args: tuple[Any, ...]) -> Value:
    try:
        result: Value = function(*args)
    except (ValueError, OverflowError, ZeroDivisionError, TypeError, AttributeError):
        listing = ", ".join(str(arg) for arg in args)
        raise not_computable(f"`{name}({listing})` has no value") from None
    return result


def _vectorised(name: str, args: tuple[Value, ...], dims: tuple[int, ...]) -> ArrayValue:
    """Modelica 3.6, "Scalar Functions Applied to Array Arguments"."""
    if any(isinstance(arg, ArrayValue) and arg.dims != dims for arg in args):
        raise wrong_shape(f"the array arguments of `{name}` differ in their dimensions")
    function = SCALAR[name]
    columns = [arg.elements if isinstance(arg, ArrayValue) else (arg,) * prod(dims) for arg in args]
    return ArrayValue(
        dims, tuple([_guarded(name, function, row) for row in zip(*columns, strict=True)])
    )


# ---------------------------------------------------------------- arrays


def _array(value: Value, function: str) -> ArrayValue:
    if not isinstance(value, ArrayValue):
        raise wrong_shape(f"`{function}` needs an array")
    return value


def _count(value: Value) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise wrong_shape(f"a dimension must be an Integer >= 0, not {value}")
    return value


def checked_dims(values: tuple[Value, ...]) -> tuple[int, ...]:
    """Of an array that is made: no size is negative, all elements together are not too many."""
    dims = tuple(_count(value) for value in values)
    if prod(dims) > MAX_ELEMENTS:
        raise too_large(f"an array of dimensions {dims}")
    return dims


def _size(value: Value, *axis: Value) -> Value:
    dims = dims_of_value(value)
    if not axis:
        return ArrayValue((len(dims),), dims)
    number = axis[0]
    if not isinstance(number, int) or not 1 <= number <= len(dims):
        raise wrong_shape(f"`size` asks for dimension {number} of {len(dims)}")
    return dims[number - 1]


def _scalar(value: Value) -> Value:
    if not isinstance(value, ArrayValue):
        return value
    if len(value.elements) != 1:
        raise wrong_shape(f"`scalar` needs one element, not {len(value.elements)}")
    only: Value = value.elements[0]
    return only


def _vector(value: Value) -> Value:
    if not isinstance(value, ArrayValue):
        return ArrayValue((1,), (value,))
    if sum(size > 1 for size in value.dims) > 1:
        raise wrong_shape(
            f"`vector` needs at most one dimension above 1, not {show_dims(value.dims)}"
        )
    return ArrayValue((len(value.elements),), value.elements)


def _matrix(value: Value) -> Value:
    if not isinstance(value, ArrayValue):
        return ArrayValue((1, 1), (value,))
    if len(value.dims) == 1:
        return ArrayValue((value.dims[0], 1), value.elements)
    if any(size != 1 for size in value.dims[2:]):
        raise wrong_shape(f"`matrix` cannot drop dimensions of {show_dims(value.dims)}")
    return ArrayValue(value.dims[:2], value.elements)


def _identity(count: Value) -> Value:
    size, _ = checked_dims((count, count))
    return ArrayValue((size, size), tuple([int(i == j) for i in range(size) for j in range(size)]))


def _diagonal(value: Value) -> Value:
    diagonal = _array(value, "diagonal").elements
    size = len(diagonal)
    checked_dims((size, size))
    return ArrayValue(
        (size, size),
        tuple([diagonal[i] if i == j else 0 for i in range(size) for j in range(size)]),
    )


def _fill(value: Value, *counts: Value) -> Value:
    dims = checked_dims(counts)
    if not dims:
        return value
    if isinstance(value, ArrayValue):
        whole = checked_dims((*dims, *value.dims))
        return ArrayValue(whole, value.elements * prod(dims))
    return ArrayValue(dims, (value,) * prod(dims))


def _zeros(*counts: Value) -> Value:
    return _fill(0, *counts)


def _ones(*counts: Value) -> Value:
    return _fill(1, *counts)


def _linspace(first: Any, last: Any, count: Value) -> Value:
    (size,) = checked_dims((count,))
    if size < 2:
        raise wrong_shape("`linspace` needs at least 2 points")
    return array_of([first + (last - first) * i / (size - 1) for i in range(size)])


def _least(*args: Value) -> Value:
    values = _array(args[0], "min").elements if len(args) == 1 else args
    return _reduce(_smaller, values, HUGE) if len(args) == 1 else _pair("min", _smaller, args)


def _greatest(*args: Value) -> Value:
    values = _array(args[0], "max").elements if len(args) == 1 else args
    return _reduce(_larger, values, -HUGE) if len(args) == 1 else _pair("max", _larger, args)


def _pair(name: str, choose: Callable[[Any, Any], Any], args: tuple[Value, ...]) -> Value:
    if any(isinstance(arg, ArrayValue) for arg in args):
        raise wrong_shape(f"`{name}` takes one array or two scalars")
    result: Value = choose(*args)
    # Integer and Real together are Real.
    is_real = isinstance(result, int) and any(isinstance(arg, float) for arg in args)
    return float(result) if is_real and isinstance(result, int) else result


def _reduce(function: Callable[[Any, Any], Any], values: tuple[Any, ...], empty: Any) -> Value:
    if not values:
        return float(empty)
    result: Value = values[0]
    for value in values[1:]:
        result = function(result, value)
    return result


def _sum(value: Value) -> Value:
    elements = _array(value, "sum").elements
    return _reduce(lambda x, y: binary("+", x, y), elements, 0.0) if elements else 0


def _product(value: Value) -> Value:
    elements = _array(value, "product").elements
    return _reduce(lambda x, y: binary("*", x, y), elements, 1.0) if elements else 1


def _transpose(value: Value) -> Value:
    array = _array(value, "transpose")
    if len(array.dims) < 2:
        raise wrong_shape("`transpose` needs at least two dimensions")
    rows, columns, *rest = array.dims
    size = prod(rest)
    elements: list[Any] = []
    for j in range(columns):
        for i in range(rows):
            at = (i * columns + j) * size
            elements.extend(array.elements[at : at + size])
    return ArrayValue((columns, rows, *rest), tuple(elements))


def _outer_product(left: Value, right: Value) -> Value:
    a, b = _array(left, "outerProduct"), _array(right, "outerProduct")
    return binary("*", _matrix(a), _transpose(_matrix(b)))


def _symmetric(value: Value) -> Value:
    matrix = _array(value, "symmetric")
    if len(matrix.dims) != 2 or matrix.dims[0] != matrix.dims[1]:
        raise wrong_shape("`symmetric` needs a square matrix")
    size = matrix.dims[0]
    return ArrayValue(
        matrix.dims,
        tuple(
            [
                matrix.elements[min(i, j) * size + max(i, j)]
                for i in range(size)
                for j in range(size)
            ]
        ),
    )


def _cross(left: Value, right: Value) -> Value:
    a, b = _array(left, "cross"), _array(right, "cross")
    if a.dims != (3,) or b.dims != (3,):
        raise wrong_shape("`cross` needs two vectors of length 3")
    x, y = a.elements, b.elements
    return array_of(
        [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]
    )


def _skew(value: Value) -> Value:
    array = _array(value, "skew")
    if array.dims != (3,):
        raise wrong_shape("`skew` needs a vector of length 3")
    x, y, z = array.elements
    return array_of([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def _promote(value: Value, rank: Value) -> Value:
    dims = dims_of_value(value)
    wanted = _count(rank)
    if wanted < len(dims):
        raise wrong_shape(f"`promote` cannot go from {len(dims)} to {wanted} dimensions")
    if wanted > MAX_ELEMENTS:
        raise too_large(f"an array of {wanted} dimensions")
    elements = value.elements if isinstance(value, ArrayValue) else (value,)
    grown = dims + (1,) * (wanted - len(dims))
    return ArrayValue(grown, elements) if grown else value


def _cat(axis: Value, *values: Value) -> Value:
    arrays = [_array(value, "cat") for value in values]
    if not arrays or not isinstance(axis, int) or not 1 <= axis <= len(arrays[0].dims):
        raise wrong_shape(f"`cat` along dimension {axis} of {len(values)} arrays")
    first = arrays[0].dims
    for array in arrays[1:]:
        if array.dims[: axis - 1] + array.dims[axis:] != first[: axis - 1] + first[axis:]:
            raise wrong_shape(
                f"`cat` joins dimensions {show_dims(first)} and {show_dims(array.dims)}"
            )
    joined = sum(array.dims[axis - 1] for array in arrays)
    dims = checked_dims((*first[: axis - 1], joined, *first[axis:]))
    outer = prod(first[: axis - 1])
    elements: list[Any] = []
    for i in range(outer):
        for array in arrays:
            chunk = prod(array.dims[axis - 1 :])
            elements.extend(array.elements[i * chunk : (i + 1) * chunk])
    return ArrayValue(dims, tuple(elements))


def _stack(*rows: Value) -> Value:
    return stack(rows)


def _ndims(value: Value) -> Value:
    return len(dims_of_value(value))


ARRAY: dict[str, Callable[..., Value]] = {
    "size": _size,
    "ndims": _ndims,
    "scalar": _scalar,
    "vector": _vector,
    "matrix": _matrix,
    "identity": _identity,
    "diagonal": _diagonal,
    "zeros": _zeros,
    "ones": _ones,
    "fill": _fill,
    "linspace": _linspace,
    "min": _least,
    "max": _greatest,
    "sum": _sum,
    "product": _product,
    "transpose": _transpose,
    "outerProduct": _outer_product,
    "symmetric": _symmetric,
    "cross": _cross,
    "skew": _skew,
    "cat": _cat,
    "array": _stack,
    "promote": _promote,
}


def apply_array(name: str, args: tuple[Any, ...]) -> Value:
    """An array function; those that only move elements about take elements of any kind."""
    try:
        return ARRAY[name](*args)
    except CompileError:
        raise
    except (TypeError, ValueError, IndexError):
        raise not_computable(f"`{name}` has no value for these arguments") from None
