"""Scalar types of expressions: Real, Integer, Boolean, String, an enumeration or a record.

    type_of(Binary("/", Integer(1), Integer(2)), lookup) == REAL

Integer with Integer stays Integer for `+ - *`; `/` and `^` are Real. Dimensions: see `shape`.
"""

from __future__ import annotations

from collections.abc import Callable

from freewheel.base.names import Name
from freewheel.formula.intrinsics import names_of
from freewheel.formula.nodes import (
    RELATIONS,
    Array,
    Binary,
    Boolean,
    Call,
    Colon,
    Comprehension,
    Expr,
    Field,
    FunctionRef,
    If,
    Index,
    Integer,
    Iterator,
    Literal,
    Output,
    PartialFunction,
    Range,
    Real,
    Record,
    Reduction,
    String,
    Unary,
    Var,
)
from freewheel.formula.shape import FunctionLookup, unknown_functions
from freewheel.formula.types import (
    BOOLEAN,
    INTEGER,
    REAL,
    STRING,
    EnumType,
    FunctionType,
    RecordType,
    Scalar,
    Type,
)
from freewheel.formula.walk import fold

TypeLookup = Callable[[Name], Scalar]


def type_of(expr: Expr, types: TypeLookup, functions: FunctionLookup = unknown_functions) -> Scalar:
    """The scalar type; iterators count as Integer."""
    memo: dict[Expr, Scalar] = {}
    return fold(expr, lambda node, parts: _scalar_type(node, parts, types, functions), memo)


_LEAF_TYPES: dict[type, Scalar] = {
    Real: REAL,
    Integer: INTEGER,
    Boolean: BOOLEAN,
    String: STRING,
    Iterator: INTEGER,
    Colon: INTEGER,
}
_INTEGER_CALLS = names_of(lambda row: row.result == "Integer") | frozenset(
    ("size", "ndims", "Integer", "cardinality")
)
_BOOLEAN_CALLS = frozenset(("edge", "change", "initial", "terminal", "sample", "firstTick"))
# `zeros` and friends are Integer; `identity` too. Others take the type of an argument.
_SAME_CALLS = names_of(lambda row: row.result == "same") | frozenset(
    [
        "sum",
        "product",
        "pre",
        "previous",
        "hold",
        "noEvent",
        "scalar",
        "vector",
        "matrix",
        "transpose",
        "symmetric",
        "array",
        "cross",
        "skew",
        "outerProduct",
        "diagonal",
        "promote",
        "fill",
        "homotopy",
    ]
)


def _scalar_type(
    node: Expr, parts: tuple[Scalar, ...], types: TypeLookup, functions: FunctionLookup
) -> Scalar:
    kind = type(node)
    if kind in _LEAF_TYPES:
        return _LEAF_TYPES[kind]
    if kind is Var:
        return types(node.data)
    if kind is Literal:
        return EnumType(node.data[0], ())
    if kind in (FunctionRef, PartialFunction):
        return FunctionType(node.data if kind is FunctionRef else node.data[0])
    if kind is Unary:
        return parts[0]
    if kind is Binary:
        return _binary_type(node.data, parts)
    if kind is Call:
        return _call_type(node, parts, functions)
    if kind is If:
        return _common(parts[1:])
    if kind in (Array, Range):
        return _common(parts)
    if kind is Record:
        fields = zip(node.data[1], parts, strict=True)
        return RecordType(node.data[0], tuple((label, Type(part)) for label, part in fields))
    if kind is Field:
        inner = parts[0].field(node.data) if isinstance(parts[0], RecordType) else None
        return inner.scalar if inner is not None else REAL
    if kind is Output:
        return _output_type(node.args[0], node.data, functions)
    assert kind in (Comprehension, Reduction, Index), kind
    return parts[0]


def _common(parts: tuple[Scalar, ...]) -> Scalar:
    """Integer and Real together are Real."""
    if not parts:
        return REAL
    return REAL if REAL in parts and INTEGER in parts else parts[0]


def _binary_type(op: str, parts: tuple[Scalar, ...]) -> Scalar:
    if op in RELATIONS or op in ("and", "or"):
        return BOOLEAN
    if op.lstrip(".") in ("/", "^"):
        return REAL
    return _common(parts)


def _call_type(node: Expr, parts: tuple[Scalar, ...], functions: FunctionLookup) -> Scalar:
    name = node.data
    if not isinstance(name, str):
        return _output_type(node, 1, functions)
    if name in _INTEGER_CALLS or name in ("zeros", "ones", "identity"):
        return INTEGER
    if name in _BOOLEAN_CALLS:
        return BOOLEAN
    if name == "String":
        return STRING
    if name in ("smooth", "cat"):
        return _common(parts[1:])
    if name == "fill":
        return parts[0]
    return _common(parts) if name in _SAME_CALLS else REAL


def _output_type(call: Expr, number: int, functions: FunctionLookup) -> Scalar:
    function = functions(call.data) if not isinstance(call.data, str) else None
    return REAL if function is None else function.outputs()[number - 1].type.scalar
