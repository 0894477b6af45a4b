"""Which definitions a flat model's text needs: functions, records, enumerations, external objects.

In: a flat model. Out: `Reached`, each table sorted by name. A flat model knows every function that
was met while it was made; many of them only gave a constant its value and are not reached again.

    reached(model).functions        # {("F", "area"): Function(...), ...}
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from freewheel.base.names import ClassName
from freewheel.flat.nodes import FlatModel
from freewheel.formula.nodes import Call, Expr, FunctionRef, Literal, PartialFunction, Record
from freewheel.formula.statement_nodes import Function
from freewheel.formula.types import (
    EnumType,
    ExternalObjectType,
    FunctionType,
    RecordType,
    Scalar,
    Type,
)

PREDEFINED = (("StateSelect",), ("AssertionLevel",))
_LEAVES = (str, int, float, bool, type(None))


@dataclass(frozen=True, slots=True)
class Reached:
    functions: dict[ClassName, Function]
    records: dict[ClassName, RecordType]
    enumerations: dict[ClassName, EnumType]
    external_objects: tuple[ClassName, ...]


def reached(model: FlatModel) -> Reached:
    return _Search(model).run()


def parts_of(value: object) -> Iterator[Expr | Scalar]:
    """Every expression and every named type inside equations, statements, variables, functions."""
    stack: list[Any] = [value]
    while stack:
        current = stack.pop()
        if isinstance(current, Expr | EnumType | RecordType | ExternalObjectType | FunctionType):
            yield current
        elif isinstance(current, tuple):
            stack.extend(reversed(current))
        elif isinstance(current, Type):
            stack.append(current.scalar)
        elif not isinstance(current, _LEAVES) and is_dataclass(current):
            stack.extend(
                getattr(current, field.name)
                for field in reversed(fields(current))
                if field.name not in ("span", "origin")
            )


class _Search:
    def __init__(self, model: FlatModel) -> None:
        self._model = model
        self._known = {function.name: function for function in model.functions}
        self._enumerations = {kind.name: kind for kind in model.enumerations}
        self._records = {kind.name: kind for kind in model.records}
        self._objects: dict[ClassName, None] = {}
        self._names: dict[ClassName, None] = {}  # of definitions needed, whatever their kind
        self._waiting: list[ClassName] = []
        self._seen: set[Expr] = set()

    def run(self) -> Reached:
        model = self._model
        self._look_at(
            (
                model.variables,
                model.equations,
                model.initial_equations,
                model.algorithms,
                model.initial_algorithms,
            )
        )
        while self._waiting:
            self._look_into(self._waiting.pop())
        return Reached(
            self._needed(self._known),
            self._needed(self._records),
            self._needed(self._enumerations),
            tuple(sorted(self._objects)),
        )

    def _needed(self, table: dict[ClassName, Any]) -> dict[ClassName, Any]:
        return {name: table[name] for name in sorted(table) if name in self._names}

    def _need(self, name: ClassName) -> None:
        if name not in self._names and name not in PREDEFINED:
            self._names[name] = None
            self._waiting.append(name)

    def _look_into(self, name: ClassName) -> None:
        function = self._known.get(name)
        if function is not None:
            self._look_at(function)
            self._other_functions(function)
        record = self._records.get(name)
        if record is not None:
            self._look_at(tuple(kind for _, kind in record.fields))

    def _other_functions(self, function: Function) -> None:
        for derivative in function.derivatives:
            self._need(derivative.function)
        if function.partial_derivative_of is not None:
            self._need(function.partial_derivative_of[0])

    def _look_at(self, value: object) -> None:
        for part in parts_of(value):
            if isinstance(part, Expr):
                self._expression(part)
            else:
                self._type(part)

    def _expression(self, expr: Expr) -> None:
        """Look at each shared node once; large models repeat whole records in many places."""
        waiting = [expr]
        while waiting:
            node = waiting.pop()
            if node in self._seen:
                continue
            self._seen.add(node)
            waiting.extend(node.args)
            if isinstance(node, Call) and isinstance(node.function, tuple):
                self._need(node.function)
            elif isinstance(node, FunctionRef):
                self._need(node.data)
            elif isinstance(node, PartialFunction | Record | Literal):
                self._need(node.data[0])

    def _type(self, kind: Scalar) -> None:
        if isinstance(kind, EnumType):
            self._enumerations.setdefault(kind.name, kind)
            self._need(kind.name)
        elif isinstance(kind, RecordType):
            known = self._records.get(kind.name)
            self._records[kind.name] = kind if known is None else _merged(known, kind)
            self._need(kind.name)
            self._look_at(tuple(field for _, field in kind.fields))
        elif isinstance(kind, ExternalObjectType):
            self._objects[kind.name] = None
            self._need((*kind.name, "constructor"))
            self._need((*kind.name, "destructor"))
        elif isinstance(kind, FunctionType):
            self._need(kind.name)


def _merged(one: RecordType, other: RecordType) -> RecordType:
    """One definition for records of one class whose array sizes differ: such a size is left open."""
    if one == other or [name for name, _ in one.fields] != [name for name, _ in other.fields]:
        return one
    merged = tuple(
        (name, _merged_type(mine, other.field(name) or mine)) for name, mine in one.fields
    )
    return RecordType(one.name, merged, one.is_operator)


def _merged_type(one: Type, other: Type) -> Type:
    if one.dims == other.dims or len(one.dims) != len(other.dims):
        return one
    pairs = zip(one.dims, other.dims, strict=True)
    return Type(one.scalar, tuple(a if a == b else None for a, b in pairs))
