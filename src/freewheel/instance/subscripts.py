"""Parts of values: fields of records, elements and slices of arrays.

    x[2:3] of Real[5] -> Index(x, {2, 3}), Real[2]        x[7] -> error N034

A subscript made of constants becomes its number and is checked against the size.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from freewheel.base.names import show
from freewheel.base.source import Span
from freewheel.formula import nodes as f
from freewheel.formula.types import BOOLEAN, INTEGER, EnumType, RecordType, Type
from freewheel.formula.types import show as show_type
from freewheel.formula.values import ArrayValue, EnumValue
from freewheel.instance.context import Context, is_symbolic
from freewheel.instance.diagnostics.names import type_without_members, unknown_field
from freewheel.instance.diagnostics.values import (
    element_out_of_bounds,
    subscript_not_integer,
    subscript_out_of_bounds,
    too_many_subscripts,
)
from freewheel.instance.nodes import PARAMETER, Typed
from freewheel.instance.parts import field_of, index_expr
from freewheel.syntax import expression_nodes as syn_expr

if TYPE_CHECKING:
    from freewheel.instance.elaborate import Elaborator
    from freewheel.instance.session import Session


class Subscripts:
    def __init__(self, session: Session, elaborator: Elaborator) -> None:
        self._session = session
        self._elaborator = elaborator

    def member(self, value: Typed, name: str, place: Span) -> Typed:
        """`value.name` of a record value or an array of them."""
        kind = value.type.scalar
        if not isinstance(kind, RecordType):
            raise type_without_members(show_type(value.type), name, place)
        field = kind.field(name)
        if field is None:
            raise unknown_field(
                show(kind.name), name, place, ", ".join((f"`{n}`" for n, _ in kind.fields))
            )
        dims = (*value.type.dims, *field.dims)
        return Typed(field_of(value.expr, name), Type(field.scalar, dims), value.variability)

    def at_indices(self, value: Typed, index: tuple[int, ...], place: Span) -> Typed:
        expr = index_expr(value.expr, tuple(f.Integer(k) for k in index))
        for axis, number in enumerate(index):
            size = value.type.dims[axis]
            if size is not None and not 1 <= number <= size:
                raise element_out_of_bounds(number, size, axis + 1, place)
        return Typed(
            expr, Type(value.type.scalar, value.type.dims[len(index) :]), value.variability
        )

    def subscripted(
        self, base: Typed, subscripts: Sequence[syn_expr.Expr], context: Context, ref: syn_expr.Expr
    ) -> Typed:
        dims = base.type.dims
        place = context.span(ref)
        if len(subscripts) > len(dims):
            raise too_many_subscripts(len(subscripts), len(dims), place)
        picked: list[f.Expr] = []
        kept: list[int | None] = []
        variability = base.variability
        for axis, subscript in enumerate(subscripts):
            if isinstance(subscript, syn_expr.Colon):
                picked.append(f.Colon())
                kept.append(dims[axis])
                continue
            typed = self._subscript(subscript, base, axis, context)
            variability = max(variability, typed.variability)
            picked.append(self._settled(typed, dims[axis], axis, place))
            if typed.type.dims:
                kept.append(typed.type.dims[0])
        kind = Type(base.type.scalar, (*kept, *dims[len(subscripts) :]))
        return Typed(index_expr(base.expr, tuple(picked)), kind, variability)

    def _subscript(
        self, subscript: syn_expr.Expr, base: Typed, axis: int, context: Context
    ) -> Typed:
        size = base.type.dims[axis]
        end = (
            f.Integer(size) if size is not None else f.Call("size", base.expr, f.Integer(axis + 1))
        )
        typed = self._elaborator.expr(subscript, context.with_end(end))
        check_kind(typed, context.span(subscript))
        return typed

    def _settled(self, typed: Typed, size: int | None, axis: int, place: Span) -> f.Expr:
        """A subscript made of constants becomes its number, and is checked against the size."""
        if typed.variability > PARAMETER or is_symbolic(typed.expr):
            return as_number(typed)
        value = self._session.values.try_of(typed.expr)
        if value is None:
            return as_number(typed)
        numbers = numbers_of(value)
        for number in [numbers] if isinstance(numbers, int) else numbers:
            if size is not None:
                check_bounds(number, size, axis, place)
        if isinstance(numbers, int):
            return f.Integer(numbers)
        return f.Array(*(f.Integer(n) for n in numbers))


def check_kind(typed: Typed, place: Span) -> None:
    """Subscripts are Integers; those of a dimension `Boolean` or of an enumeration are its values."""
    if typed.type.scalar not in (INTEGER, BOOLEAN) and not isinstance(typed.type.scalar, EnumType):
        raise subscript_not_integer(show_type(typed.type), place)


def as_number(typed: Typed) -> f.Expr:
    """The subscripts of a dimension `Boolean` are false, true."""
    if typed.type.scalar == BOOLEAN and not typed.type.dims:
        return f.If(typed.expr, f.Integer(2), f.Integer(1))
    return typed.expr


def numbers_of(value: object) -> int | list[int]:
    if isinstance(value, ArrayValue):
        return [_number(v) for v in value.elements]
    return _number(value)


def _number(value: object) -> int:
    if isinstance(value, bool):  # the subscripts of a dimension `Boolean` are false, true
        return 2 if value else 1
    if isinstance(value, EnumValue):
        return value.index
    assert isinstance(value, int)
    return value


def check_bounds(number: int, size: int, axis: int, place: Span) -> None:
    if not 1 <= number <= size:
        raise subscript_out_of_bounds(number, size, axis + 1, place)
