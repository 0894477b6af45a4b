"""How values of a type change: Reals do, and Reals in records; Integers, Booleans, ... beside them do not.

    has_reals(kind)                  a record {Real d; Boolean is_hot} changes
    no_change(kind, dims, value)     {0, false}: the record that a change of nothing is
    completed(kind, value, change)   a change {dd, ?} becomes {dd, false}

The change of a record is a record of the same type. What is no Real holds zero there, false, or nothing,
which reads as a change of zero.
"""

from __future__ import annotations

from freewheel.formula.build import field, is_zero
from freewheel.formula.faults import not_differentiable
from freewheel.formula.nodes import (
    ZERO,
    Array,
    Binary,
    Boolean,
    Expr,
    If,
    Integer,
    Literal,
    Record,
    String,
)
from freewheel.formula.show import show
from freewheel.formula.types import BOOLEAN, INTEGER, REAL, STRING, EnumType, RecordType, Scalar


def has_reals(kind: Scalar) -> bool:
    if isinstance(kind, RecordType):
        return any(has_reals(part.scalar) for _, part in kind.fields)
    return kind == REAL


def is_smooth_type(kind: Scalar) -> bool:
    """Real, or a record of nothing else."""
    if isinstance(kind, RecordType):
        return bool(kind.fields) and all(is_smooth_type(part.scalar) for _, part in kind.fields)
    return kind == REAL


def no_change(kind: Scalar, dims: int, value: Expr) -> Expr:
    """Zeros in the shape of a value."""
    if dims and isinstance(value, Array):
        return value.with_args(tuple(no_change(kind, dims - 1, part) for part in value.args))
    if dims and isinstance(kind, RecordType):
        raise not_differentiable(show(value))
    if dims:
        return Binary("*", ZERO, value) if kind in (REAL, INTEGER) else value
    if not isinstance(kind, RecordType):
        return ZERO if kind == REAL else _nothing(kind)
    labels = tuple(label for label, _ in kind.fields)
    zeros = [
        no_change(part.scalar, len(part.dims), field(label, value)) for label, part in kind.fields
    ]
    return Record(kind.name, labels, *zeros)


def _nothing(kind: Scalar) -> Expr:
    if kind == BOOLEAN:
        return Boolean(False)
    if kind == STRING:
        return String("")
    if isinstance(kind, EnumType):
        return Literal(kind.name, 1, kind.literals[0])
    return Integer(0)


def completed(kind: Scalar, value: Expr, change: Expr) -> Expr:
    """The change of a record whose parts are known: those that are no Reals do not change."""
    if not isinstance(kind, RecordType) or is_smooth_type(kind):
        return change
    if is_zero(change) or isinstance(change, Binary):  # zero times the record
        return no_change(kind, 0, value)
    if isinstance(change, If) and isinstance(value, If):
        ways = zip(value.args[1:], change.args[1:], strict=True)
        return change.with_args((change.args[0], *(completed(kind, *way) for way in ways)))
    if not isinstance(change, Record):
        return change
    parts = [
        completed(part.scalar, field(label, value), field(label, change))
        if has_reals(part.scalar)
        else no_change(part.scalar, len(part.dims), field(label, value))
        for label, part in kind.fields
    ]
    return change.with_args(tuple(parts))
