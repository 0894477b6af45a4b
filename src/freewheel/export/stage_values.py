"""Stages as plain data for JSON, and the schema of that data: both follow the types of the nodes.

    encode(flat, FlatModel)            {"is": "FlatModel", "name": ["circuit"], "variables": [...], ...}
    Schema().of(FlatModel)             {"$ref": "#/$defs/flat.FlatModel"}

Places in source files are left out: they would differ from machine to machine. A formula is a number, a
Boolean, {"var": "R1.u"}, {"op": "+", "args": [...]} or {"call": "sin", "args": [...]}.
"""

from __future__ import annotations

import math
import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from freewheel.base.names import show
from freewheel.base.source import Span
from freewheel.formula.nodes import (
    Binary,
    Boolean,
    Call,
    Expr,
    If,
    Integer,
    Literal,
    Real,
    String,
    Unary,
    Var,
)
from freewheel.program.core_nodes import CoreProgram
from freewheel.structure.switching.nodes import Core

OMITTED = ("about", "warnings", "plain_derivatives", "plain_relations", "sparsity", "core")
_LATE = {"Core": Core, "CoreProgram": CoreProgram}
NAME = tuple[str | int, ...]


@cache
def hints_of(kind: type) -> dict[str, Any]:
    """Fields that are written, with their types."""
    hints = get_type_hints(kind, localns=_LATE)
    kept = {f.name: hints[f.name] for f in fields(kind) if f.name not in OMITTED}
    return {name: hint for name, hint in kept.items() if Span not in (hint, *get_args(hint))}


# ---------------------------------------------------------------- values


def encode(value: Any, hint: Any) -> Any:
    """`value` of the type `hint` as plain data."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, Enum):
        return value.name.lower()
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, Expr):
        return _formula(value)
    if is_dataclass(value):
        kind: type = type(value)
        parts = {name: encode(getattr(value, name), h) for name, h in hints_of(kind).items()}
        return {"is": kind.__name__, **parts}
    if isinstance(value, Mapping):
        key, item = get_args(_plain(hint, Mapping)) or (Any, Any)
        return {_key(k, key): encode(v, item) for k, v in value.items()}
    if isinstance(value, frozenset):
        return sorted(value)
    assert isinstance(value, tuple | list), type(value)
    if hint == NAME:
        return show(value)
    return [encode(v, h) for v, h in zip(value, _items(hint, len(value)), strict=True)]


def _key(key: Any, hint: Any) -> str:
    return show(key) if hint == NAME or isinstance(key, tuple) else str(key)


def _plain(hint: Any, origin: type) -> Any:
    """The member of a union that is such a container."""
    if get_origin(hint) in (Union, types.UnionType):
        return next((h for h in get_args(hint) if get_origin(h) is origin), hint)
    return hint


def _items(hint: Any, count: int) -> list[Any]:
    parts = get_args(_plain(hint, tuple))
    if len(parts) == 2 and parts[1] is Ellipsis:
        return [parts[0]] * count
    return list(parts) if len(parts) == count else [Any] * count


def _number(value: float) -> Any:
    return value if math.isfinite(value) else {"number": repr(value)}


def _formula(expr: Expr) -> Any:
    match expr:
        case Real():
            return _number(expr.value)
        case Integer() | Boolean():
            return expr.value
        case String():
            return {"string": expr.value}
        case Var():
            return {"var": show(expr.name)}
        case Literal():
            return {"literal": ".".join((*expr.data[0], expr.data[2])), "index": expr.index}
        case Call():
            name = expr.function if isinstance(expr.function, str) else ".".join(expr.function)
            return {"call": name, "args": [_formula(arg) for arg in expr.args]}
    op = expr.data if isinstance(expr, Unary | Binary) else type(expr).__name__.lower()
    found: dict[str, Any] = {"op": op, "args": [_formula(arg) for arg in expr.args]}
    if not isinstance(expr, Unary | Binary | If) and expr.data is not None:
        found["data"] = encode(expr.data, Any)
    return found


# ---------------------------------------------------------------- schema

FORMULA = {
    "anyOf": [
        {"type": ["number", "boolean"]},
        {"type": "object", "required": ["number"], "properties": {"number": {"type": "string"}}},
        {"type": "object", "required": ["string"], "properties": {"string": {"type": "string"}}},
        {"type": "object", "required": ["var"], "properties": {"var": {"type": "string"}}},
        {
            "type": "object",
            "required": ["literal", "index"],
            "properties": {"literal": {"type": "string"}, "index": {"type": "integer"}},
        },
        {
            "type": "object",
            "required": ["call", "args"],
            "properties": {
                "call": {"type": "string"},
                "args": {"type": "array", "items": {"$ref": "#/$defs/Formula"}},
            },
        },
        {
            "type": "object",
            "required": ["op", "args"],
            "properties": {
                "op": {"type": "string"},
                "args": {"type": "array", "items": {"$ref": "#/$defs/Formula"}},
                "data": {},
            },
        },
    ]
}
NUMBER = {
    "anyOf": [
        {"type": "number"},
        {"type": "object", "required": ["number"], "properties": {"number": {"type": "string"}}},
    ]
}
_SIMPLE: dict[Any, Any] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    bool: {"type": "boolean"},
    float: NUMBER,
    type(None): {"type": "null"},
    Any: {},
}


class Schema:
    """Collects definitions while it walks over types."""

    def __init__(self) -> None:
        self.definitions: dict[str, Any] = {}

    def of(self, hint: Any) -> Any:
        if hint in _SIMPLE:
            return _SIMPLE[hint]
        if hint == NAME:
            return {"type": "string"}
        if get_origin(hint) in (Union, types.UnionType):
            return {"anyOf": [self.of(part) for part in get_args(hint)]}
        if get_origin(hint) is tuple:
            return self._tuple(get_args(hint))
        if get_origin(hint) is frozenset:
            return {"type": "array", "items": self.of(get_args(hint)[0])}
        if get_origin(hint) is not None:  # a mapping
            return {"type": "object", "additionalProperties": self.of(get_args(hint)[1])}
        if issubclass(hint, Expr):
            self.definitions["Formula"] = FORMULA
            return {"$ref": "#/$defs/Formula"}
        if issubclass(hint, Enum):
            return {"enum": [member.name.lower() for member in hint]}
        return self._node(hint)

    def _tuple(self, parts: tuple[Any, ...]) -> Any:
        if len(parts) == 2 and parts[1] is Ellipsis:
            return {"type": "array", "items": self.of(parts[0])}
        size = len(parts)
        return {
            "type": "array",
            "prefixItems": [self.of(part) for part in parts],
            "minItems": size,
            "maxItems": size,
        }

    def _node(self, kind: type) -> Any:
        room = kind.__module__.split(".")[1]
        name = f"{room}.{kind.__name__}"  # rooms have nodes of the same name
        if name not in self.definitions:
            self.definitions[name] = {}  # it may contain itself
            hints = hints_of(kind)
            self.definitions[name] = {
                "type": "object",
                "required": ["is", *hints],
                "properties": {
                    "is": {"const": kind.__name__},
                    **{field: self.of(hint) for field, hint in hints.items()},
                },
                "additionalProperties": False,
            }
        return {"$ref": f"#/$defs/{name}"}
