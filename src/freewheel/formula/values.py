"""Values of evaluated expressions: Python scalars, and three frozen containers.

    Real -> float    Integer -> int    Boolean -> bool    String -> str
    enumeration -> EnumValue    record -> RecordValue    array -> ArrayValue
    function -> FunctionValue

    array_of([[1, 2], [3, 4]]) == ArrayValue((2, 2), (1, 2, 3, 4))

An array keeps its dimensions beside one flat row of elements, so that `zeros(0, 3)` stays a 0 by 3
matrix and elements may be of any kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

from freewheel.base.names import ClassName
from freewheel.formula.faults import subscript_outside, wrong_shape
from freewheel.formula.nodes import (
    Array,
    Boolean,
    Call,
    Expr,
    FunctionRef,
    Integer,
    Literal,
    PartialFunction,
    Real,
    Record,
    String,
)


@dataclass(frozen=True, slots=True)
class EnumValue:
    type_name: ClassName
    index: int  # from 1
    literal: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class RecordValue:
    type_name: ClassName
    fields: tuple[tuple[str, Any], ...]

    def get(self, name: str) -> Value:
        for label, value in self.fields:
            if label == name:
                found: Value = value
                return found
        raise KeyError(name)

    def replaced(self, name: str, value: Value) -> RecordValue:
        return RecordValue(
            self.type_name,
            tuple((label, value if label == name else old) for label, old in self.fields),
        )


@dataclass(frozen=True, slots=True)
class ArrayValue:
    """`elements` in row-major order; none of them is itself an array."""

    dims: tuple[int, ...]
    elements: tuple[Any, ...]

    def __len__(self) -> int:
        return self.dims[0]

    def rows(self) -> tuple[Value, ...]:
        """The parts along the first dimension: scalars of a vector, vectors of a matrix."""
        if len(self.dims) == 1:
            return self.elements
        rest = self.dims[1:]
        size = prod(rest)
        return tuple(
            ArrayValue(rest, self.elements[i * size : (i + 1) * size]) for i in range(self.dims[0])
        )

    def map(self, function: Callable[[Any], Any]) -> ArrayValue:
        return ArrayValue(self.dims, tuple([function(element) for element in self.elements]))

    def nested(self) -> Any:
        """Nested Python lists, e.g. for numpy."""
        if len(self.dims) == 1:
            return list(self.elements)
        return [row.nested() for row in self.rows() if isinstance(row, ArrayValue)]


@dataclass(frozen=True, slots=True)
class FunctionValue:
    """A function as an argument, some of its inputs bound by name."""

    function: ClassName
    names: tuple[str, ...] = ()
    values: tuple[Any, ...] = ()


Value = float | int | bool | str | EnumValue | RecordValue | ArrayValue | FunctionValue


def dims_of_value(value: Value) -> tuple[int, ...]:
    return value.dims if isinstance(value, ArrayValue) else ()


def stack(rows: Sequence[Any]) -> ArrayValue:
    """`{row, row, ...}`: one dimension more, in front; elements may be anything."""
    if not rows:
        return ArrayValue((0,), ())
    first = rows[0]
    if not isinstance(first, ArrayValue):
        if any(isinstance(row, ArrayValue) for row in rows):
            raise wrong_shape("the elements of an array constructor differ in their dimensions")
        return ArrayValue((len(rows),), tuple(rows))
    elements: list[Any] = []
    for row in rows:
        if not isinstance(row, ArrayValue) or row.dims != first.dims:
            raise wrong_shape("the elements of an array constructor differ in their dimensions")
        elements.extend(row.elements)
    return ArrayValue((len(rows), *first.dims), tuple(elements))


def array_of(nested: Any) -> Value:
    """Nested sequences (lists, tuples, numpy arrays) as a value; scalars pass through."""
    if hasattr(nested, "tolist"):
        nested = nested.tolist()
    if isinstance(nested, list | tuple):
        return stack([array_of(part) for part in nested])
    scalar: Value = nested
    return scalar


# ---------------------------------------------------------------- subscripts


def select(value: ArrayValue, subscripts: Sequence[int | Sequence[int] | None]) -> Value:
    """`value[subscripts]`, each a number from 1, several numbers, or `None` for `:`."""
    picked = _positions(value.dims, subscripts)
    if all(isinstance(s, int) for s in subscripts) and len(subscripts) == len(value.dims):
        found: Value = value.elements[picked[0]]
        return found
    kept = tuple(
        size if s is None else len(s)
        for s, size in zip(subscripts, value.dims, strict=False)
        if not isinstance(s, int)
    )
    elements = value.elements
    return ArrayValue(kept + value.dims[len(subscripts) :], tuple([elements[at] for at in picked]))


def updated(
    value: ArrayValue, subscripts: Sequence[int | Sequence[int] | None], new: Value
) -> ArrayValue:
    """A copy with `value[subscripts] := new`."""
    positions = _positions(value.dims, subscripts)
    elements = list(value.elements)
    if isinstance(new, ArrayValue):
        if len(new.elements) != len(positions):
            raise wrong_shape(f"{len(new.elements)} values are assigned to {len(positions)} places")
        for at, element in zip(positions, new.elements, strict=True):
            elements[at] = element
    else:
        if len(positions) != 1:
            raise wrong_shape(f"one value is assigned to {len(positions)} places")
        elements[positions[0]] = new
    return ArrayValue(value.dims, tuple(elements))


def _positions(
    dims: tuple[int, ...], subscripts: Sequence[int | Sequence[int] | None]
) -> list[int]:
    """Places in the flat row that the subscripts name, in order."""
    if len(subscripts) > len(dims):
        raise wrong_shape(f"{len(subscripts)} subscripts for an array of {len(dims)} dimensions")
    positions = [0]
    for axis, size in enumerate(dims):
        subscript = subscripts[axis] if axis < len(subscripts) else None
        if isinstance(subscript, int):
            offsets: Iterable[int] = (_checked(subscript, size, axis),)
        elif subscript is None:
            offsets = range(size)
        else:
            offsets = [_checked(number, size, axis) for number in subscript]
        positions = [base * size + offset for base in positions for offset in offsets]
    return positions


def _checked(number: int, size: int, axis: int) -> int:
    if not 1 <= number <= size:
        raise subscript_outside(number, size, axis + 1)
    return number - 1


# ---------------------------------------------------------------- to and from formulas


def to_expr(value: Value) -> Expr:
    """The constant formula that stands for a value."""
    kind = type(value)
    if kind in _SCALAR_NODES:
        return _SCALAR_NODES[kind](value)
    if isinstance(value, EnumValue):
        return Literal(value.type_name, value.index, value.literal)
    if isinstance(value, RecordValue):
        labels = tuple(label for label, _ in value.fields)
        return Record(value.type_name, labels, *(to_expr(part) for _, part in value.fields))
    if isinstance(value, FunctionValue):
        if not value.names:
            return FunctionRef(value.function)
        return PartialFunction(value.function, value.names, *map(to_expr, value.values))
    assert isinstance(value, ArrayValue), f"no formula for {value!r}"
    if 0 in value.dims and len(value.dims) > 1:  # `{}` cannot say 0 by 3
        return Call("fill", Real(0.0), *(Integer(size) for size in value.dims))
    return Array(*(to_expr(row) for row in value.rows()))


_SCALAR_NODES: dict[type, Callable[[Any], Expr]] = {
    float: Real,
    int: Integer,
    bool: Boolean,
    str: String,
}
