"""Operators on values: `binary("+", 1, 2) == 3`.

Arrays as Modelica 3.6, "Scalar, Vector, Matrix, and Array Operator Functions" says.

Integer with Integer stays Integer for `+ - *`; `/` and `^` are always Real.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from freewheel.formula.faults import (
    division_by_zero,
    not_computable,
    show_dims,
    too_large,
    wrong_shape,
    wrong_types,
)
from freewheel.formula.values import ArrayValue, EnumValue, Value, stack

MAX_STRING = 10_000_000
MAX_INTEGER = 2**63
MAX_PRODUCTS = 5_000_000  # of numbers in a product of matrices: some seconds

_NUMBERS = frozenset((int, float))


def binary(op: str, left: Value, right: Value) -> Value:
    """One operator of the language on two values."""
    if type(left) in _NUMBERS and type(right) in _NUMBERS:
        plain: Value = _ON_NUMBERS[op](left, right)
        return plain
    if op in _RELATIONS:
        return _relate(op, left, right)
    if isinstance(left, str) and isinstance(right, str) and op == "+":
        return _concatenate(left, right)
    if isinstance(left, bool) and isinstance(right, bool) and op in ("and", "or"):
        return (left and right) if op == "and" else (left or right)
    if isinstance(left, ArrayValue) or isinstance(right, ArrayValue):
        return _on_arrays(op, left, right)
    raise wrong_types(f"`{op}` has no meaning for {describe(left)} and {describe(right)}")


def negate(value: Value) -> Value:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return -value
    if isinstance(value, ArrayValue):
        return value.map(negate)
    raise wrong_types(f"`-` has no meaning for {describe(value)}")


def invert(value: Value) -> Value:
    if isinstance(value, bool):
        return not value
    if isinstance(value, ArrayValue):
        return value.map(invert)
    raise wrong_types(f"`not` has no meaning for {describe(value)}")


def describe(value: object) -> str:
    """The kind of a value in words of the language, for messages."""
    if isinstance(value, ArrayValue):
        return "an array"
    words = {float: "a Real", int: "an Integer", bool: "a Boolean", str: "a String"}
    return words.get(type(value)) or (
        "an enumeration value" if isinstance(value, EnumValue) else "a value of another kind"
    )


# ---------------------------------------------------------------- numbers


def _multiply(left: Any, right: Any) -> float | int:
    result: float | int = left * right
    if type(result) is int and abs(result) > MAX_INTEGER:
        raise too_large("an Integer product")
    return result


def _divide(left: Any, right: Any) -> float:
    if right == 0:
        raise division_by_zero(f"{left} / {right}")
    return float(left) / float(right)


def _power(left: Any, right: Any) -> float:
    try:
        return math.pow(left, right)
    except OverflowError:
        raise not_computable(f"`({left})^{right}` is too large for a Real") from None
    except ValueError:
        if left == 0 and right < 0:
            raise division_by_zero(f"{left} ^ {right}") from None
        raise not_computable(f"`({left})^{right}` has no real value") from None


_ON_NUMBERS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": _multiply,
    "/": _divide,
    "^": _power,
    ".+": operator.add,
    ".-": operator.sub,
    ".*": _multiply,
    "./": _divide,
    ".^": _power,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "<>": operator.ne,
}
_RELATIONS = frozenset(("<", "<=", ">", ">=", "==", "<>"))


def _relate(op: str, left: Value, right: Value) -> bool:
    """Strings, Booleans (false < true) and enumerations (by number) compare too."""
    if isinstance(left, EnumValue) and isinstance(right, EnumValue):
        return bool(_ON_NUMBERS[op](left.index, right.index))
    if isinstance(left, str) and isinstance(right, str):
        return bool(_ON_NUMBERS[op](left, right))
    if isinstance(left, bool) and isinstance(right, bool):
        return bool(_ON_NUMBERS[op](left, right))
    raise wrong_types(f"`{op}` cannot compare {describe(left)} with {describe(right)}")


def _concatenate(left: str, right: str) -> str:
    if len(left) + len(right) > MAX_STRING:
        raise too_large("a String")
    return left + right


# ---------------------------------------------------------------- arrays


def _on_arrays(op: str, left: Value, right: Value) -> Value:
    if op.startswith("."):
        return _elementwise(op[1:], left, right)
    if isinstance(left, ArrayValue) and isinstance(right, ArrayValue):
        if op in ("+", "-", "and", "or"):
            return _elementwise(op, left, right)
        if op == "*":
            return _matrix_product(left, right)
    elif op == "*" or (op == "/" and isinstance(left, ArrayValue)):
        return _elementwise(op, left, right)
    elif op == "^" and isinstance(left, ArrayValue):
        return _matrix_power(left, right)
    elif op == "+" and (isinstance(left, str) or isinstance(right, str)):
        return _elementwise(op, left, right)
    raise wrong_types(f"`{op}` has no meaning for {describe(left)} and {describe(right)}")


def _elementwise(op: str, left: Value, right: Value) -> ArrayValue:
    if not isinstance(left, ArrayValue):
        assert isinstance(right, ArrayValue)
        return right.map(lambda element: binary(op, left, element))
    if not isinstance(right, ArrayValue):
        return left.map(lambda element: binary(op, element, right))
    if left.dims != right.dims:
        raise wrong_shape(
            f"`{op}` joins arrays of dimensions {show_dims(left.dims)} and {show_dims(right.dims)}"
        )
    return ArrayValue(
        left.dims,
        tuple([binary(op, a, b) for a, b in zip(left.elements, right.elements, strict=True)]),
    )


def _matrix_product(left: ArrayValue, right: ArrayValue) -> Value:
    if len(left.dims) > 2 or len(right.dims) > 2 or left.dims[-1] != right.dims[0]:
        raise wrong_shape(
            f"`*` joins arrays of dimensions {show_dims(left.dims)} and {show_dims(right.dims)}"
        )
    if math.prod(left.dims) * math.prod(right.dims[1:]) > MAX_PRODUCTS:
        raise too_large(
            f"the product of arrays of dimensions {show_dims(left.dims)} and {show_dims(right.dims)}"
        )
    if len(right.dims) == 1:
        if len(left.dims) == 1:
            return _dot(left.elements, right.elements)
        return stack_or_empty(
            [_dot(_row(left, i), right.elements) for i in range(left.dims[0])], (left.dims[0],)
        )
    columns = [right.elements[j :: right.dims[1]] for j in range(right.dims[1])]
    if len(left.dims) == 1:
        return stack_or_empty([_dot(left.elements, column) for column in columns], right.dims[1:])
    dims = (left.dims[0], right.dims[1])
    return ArrayValue(
        dims, tuple([_dot(_row(left, i), column) for i in range(dims[0]) for column in columns])
    )


def _row(matrix: ArrayValue, i: int) -> tuple[Any, ...]:
    width = matrix.dims[1]
    return matrix.elements[i * width : (i + 1) * width]


def _dot(left: tuple[Any, ...], right: tuple[Any, ...]) -> Value:
    total: Value = 0
    for a, b in zip(left, right, strict=True):
        total = binary("+", total, binary("*", a, b))
    return total


def stack_or_empty(rows: list[Value], dims: tuple[int, ...]) -> ArrayValue:
    return stack(rows) if rows else ArrayValue(dims, ())


def _matrix_power(base: ArrayValue, exponent: Value) -> Value:
    is_square = len(base.dims) == 2 and base.dims[0] == base.dims[1]
    if not is_square or not isinstance(exponent, int) or exponent < 0:
        raise wrong_shape("`^` of a matrix needs a square matrix and an Integer exponent >= 0")
    size = base.dims[0]
    result: Value = ArrayValue(
        base.dims, tuple([float(i == j) for i in range(size) for j in range(size)])
    )
    square: Value = base
    while exponent:
        if exponent % 2:
            result = binary("*", result, square)
        exponent //= 2
        if exponent:
            square = binary("*", square, square)
    return result
