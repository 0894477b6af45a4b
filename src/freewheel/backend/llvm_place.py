"""Where values of functions lie: every value is a row of doubles, records field by field.

    Kind(REAL, (2, 3))         6 doubles, row by row
    Kind(record, (4,))         4 times the doubles of all its fields

A `Place` is a pointer and the kind of what lies there. Functions of the model are compiled once for
each combination of argument shapes (`Native`); arguments lie one after the other, outputs too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod

from freewheel.base.names import ClassName
from freewheel.formula.nodes import (
    Array,
    Expr,
    Field,
    FunctionRef,
    Index,
    Integer,
    Output,
    PartialFunction,
    Record,
)
from freewheel.formula.shape import rank, refined
from freewheel.formula.statement_nodes import Function, FunctionVariable
from freewheel.formula.types import STRING, Basic, EnumType, FunctionType, RecordType, Scalar


class NotCompilable(Exception):  # noqa: N818 -- an answer: this goes by way of Python
    """The machine code cannot do this; the reference does."""


@dataclass(frozen=True, slots=True)
class Kind:
    """`function` is for functions handed over: which one, and the inputs bound to it by name; the
    values of these are what lies in the place."""

    scalar: Scalar
    dims: tuple[int, ...] = ()
    function: tuple[ClassName, tuple[tuple[str, Kind], ...]] | None = None

    @property
    def element_size(self) -> int:
        """Doubles of one element."""
        if self.function is not None:
            return sum(kind.size for _, kind in self.function[1])
        if isinstance(self.scalar, RecordType):
            return sum(kind.size for _, kind in fields_of(self.scalar))
        if isinstance(self.scalar, EnumType):
            return 1
        if self.scalar == STRING:
            return 0  # texts take no part; whoever needs one goes by way of Python
        if isinstance(self.scalar, Basic) and self.scalar.name in ("Real", "Integer", "Boolean"):
            return 1
        raise NotCompilable(str(self.scalar))

    @property
    def size(self) -> int:
        return prod(self.dims) * self.element_size

    @property
    def is_record(self) -> bool:
        return isinstance(self.scalar, RecordType)

    @property
    def is_number(self) -> bool:
        is_plain = not self.dims and not self.is_record and self.function is None
        return is_plain and self.scalar != STRING


def fields_of(record: RecordType) -> list[tuple[str, Kind]]:
    result: list[tuple[str, Kind]] = []
    for name, kind in record.fields:
        if any(size is None for size in kind.dims):
            raise NotCompilable(name)
        result.append((name, Kind(kind.scalar, tuple(size or 0 for size in kind.dims))))
    return result


def field_at(kind: Kind, name: str) -> tuple[int, Kind]:
    """Offset and kind of a field of one record."""
    if not isinstance(kind.scalar, RecordType) or kind.dims:
        raise NotCompilable(name)
    offset = 0
    for label, inner in fields_of(kind.scalar):
        if label == name:
            return offset, inner
        offset += inner.size
    raise NotCompilable(name)


def element_at(kind: Kind, numbers: Sequence[int]) -> tuple[int, Kind]:
    """Offset and kind of the element, or the row, at constant subscripts."""
    if len(numbers) > len(kind.dims):
        raise NotCompilable("subscripts")
    linear = 0
    for number, size in zip(numbers, kind.dims, strict=False):
        if not 1 <= number <= size:
            raise NotCompilable("subscript")
        linear = linear * size + number - 1
    rest = Kind(kind.scalar, kind.dims[len(numbers) :])
    return linear * rest.size, rest


@dataclass(frozen=True, slots=True)
class Native:
    """A compiled function: `int64 name(double* in, double* out)`."""

    name: str
    inputs: tuple[Kind, ...]
    outputs: tuple[Kind, ...]

    @property
    def input_size(self) -> int:
        return sum(kind.size for kind in self.inputs)

    @property
    def output_size(self) -> int:
        return sum(kind.size for kind in self.outputs)

    def output(self, number: int) -> tuple[int, Kind]:
        """Offset and kind of output `number`, from 1."""
        if not 1 <= number <= len(self.outputs):
            raise NotCompilable("output")
        return sum(kind.size for kind in self.outputs[: number - 1]), self.outputs[number - 1]


def offset_of(path: Expr, native: Native) -> int:
    """Where a path with constant subscripts leads in the results of a call."""
    links: list[Expr] = []
    while isinstance(path, Index | Field | Output):
        links.append(path)
        path = path.args[0]
    number = 1
    if links and isinstance(links[-1], Output):
        number = links.pop().data
    offset, kind = native.output(number)
    for link in reversed(links):
        if isinstance(link, Field):
            more, kind = field_at(kind, link.data)
        else:
            more, kind = element_at(kind, [_number(part) for part in link.args[1:]])
        offset += more
    if not kind.is_number:
        raise NotCompilable("not a number")
    return offset


def _number(subscript: Expr) -> int:
    if not isinstance(subscript, Integer):
        raise NotCompilable("subscript")
    return subscript.data


def literal_dims(arg: Expr) -> tuple[int, ...]:
    """Dimensions of nested array constructors."""
    dims: list[int] = []
    while isinstance(arg, Array):
        dims.append(len(arg.args))
        if not arg.args:
            break
        arg = arg.args[0]
    return tuple(dims)


def literal_scalars(arg: Expr, kind: Kind) -> list[Expr]:
    """Scalars of an argument made of array and record constructors, in the order of the kind."""
    if kind.scalar == STRING:
        return []
    if kind.function is not None:
        bound = [inner for _, inner in kind.function[1]]
        pairs = zip(arg.args, bound, strict=True)
        return [scalar for part, inner in pairs for scalar in literal_scalars(part, inner)]
    if kind.dims:
        if not isinstance(arg, Array) or len(arg.args) != kind.dims[0]:
            raise NotCompilable("array")
        inner = Kind(kind.scalar, kind.dims[1:])
        return [scalar for part in arg.args for scalar in literal_scalars(part, inner)]
    if not isinstance(kind.scalar, RecordType):
        if isinstance(arg, Array | Record):
            raise NotCompilable("array")
        return [arg]
    if not isinstance(arg, Record):
        raise NotCompilable("record")
    parts = dict(zip(arg.fields, arg.args, strict=True))
    result: list[Expr] = []
    for name, inner in fields_of(kind.scalar):
        if name not in parts:
            raise NotCompilable(name)
        result += literal_scalars(parts[name], inner)
    return result


def input_kind(
    variable: FunctionVariable,
    arg: Expr,
    dims: Callable[[Expr], tuple[int, ...]],
    lookup: Callable[[ClassName], Function | None],
) -> Kind:
    """The kind of an input for an argument."""
    if isinstance(variable.type.scalar, FunctionType):
        return _function_kind(variable, arg, dims, lookup)
    found = dims(arg)
    if rank(variable) != len(found):
        raise NotCompilable(variable.name)
    return Kind(refined(variable.type.scalar, arg, dims), found)


def _function_kind(
    variable: FunctionVariable,
    arg: Expr,
    dims: Callable[[Expr], tuple[int, ...]],
    lookup: Callable[[ClassName], Function | None],
) -> Kind:
    if isinstance(arg, FunctionRef):
        return Kind(variable.type.scalar, (), (arg.data, ()))
    if not isinstance(arg, PartialFunction):
        raise NotCompilable(variable.name)
    name, labels = arg.data
    function = lookup(name)
    inputs = {} if function is None else {v.name: v for v in function.inputs()}
    if any(label not in inputs for label in labels):
        raise NotCompilable(".".join(name))
    bound = tuple(
        (label, input_kind(inputs[label], value, dims, lookup))
        for label, value in zip(labels, arg.args, strict=True)
    )
    return Kind(variable.type.scalar, (), (name, bound))
