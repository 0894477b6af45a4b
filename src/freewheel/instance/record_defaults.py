"""What record variables of functions begin with, and the sizes their arrays have.

    output C c(n = k)   with   record C  Integer n; Real L[n, n]; end C      ->   C(k, fill(0, k, k))

A record variable begins with the values that its declaration gives to fields. Where sizes of its arrays
are known in a call only, arrays without a value begin as zeros of that size: the value tells the size to
all rooms behind. Modelica 3.6, "Initialization and Binding Equations of Components in Functions".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from freewheel.formula import nodes as f
from freewheel.formula.types import (
    BOOLEAN,
    INTEGER,
    REAL,
    STRING,
    EnumType,
    RecordType,
    Scalar,
    Type,
)
from freewheel.formula.walk import contains, substitute
from freewheel.instance.components import ComponentInstance, components_of
from freewheel.syntax import expression_nodes as syn_expr

if TYPE_CHECKING:
    from freewheel.instance.classes import ClassNode
    from freewheel.instance.session import Session

_ZEROS: dict[Scalar, f.Expr] = {
    REAL: f.Real(0.0),
    INTEGER: f.Integer(0),
    BOOLEAN: f.FALSE,
    STRING: f.String(""),
}


def record_default(session: Session, node: ClassNode, record: RecordType) -> f.Expr | None:
    """None where a place of the declared sizes does as well, or where no value can be told."""
    fields = components_of(node)
    is_open = any(None in kind.dims for _, kind in record.fields)
    if not is_open and not all(c.binding() is not None for c in fields):
        return None
    maker = _Maker(session, node, {c.name for c in fields})
    values: dict[str, f.Expr] = {}
    waiting = fields
    while waiting:  # a field may need another one, also a later one
        later = []
        for component in waiting:
            value = maker.value(component, values)
            if value is None:
                later.append(component)
            else:
                values[component.name] = value
        if len(later) == len(waiting):
            return None
        waiting = later
    return f.Record(record.name, tuple(c.name for c in fields), *(values[c.name] for c in fields))


class _Maker:
    def __init__(self, session: Session, node: ClassNode, names: set[str]) -> None:
        self._session = session
        self._node = node
        self._names = names

    def value(self, component: ComponentInstance, values: dict[str, f.Expr]) -> f.Expr | None:
        """Of one field; None as long as it needs fields without a value."""
        binding = component.binding()
        if binding is not None:
            typed = self._session.elaborator.binding(component)
            assert typed is not None
            return self._resolved(typed.expr, binding.scope, values)
        zero = self._zero(component)
        sizes: list[f.Expr] = []
        for size, scope in component.subscripts():
            found = None if isinstance(size, syn_expr.Colon) else self._size(size, scope, values)
            if found is None:
                return None
            sizes.append(found)
        return f.Call("fill", zero, *sizes) if zero is not None and sizes else zero

    def _size(
        self, size: syn_expr.Expr, scope: ClassNode, values: dict[str, f.Expr]
    ) -> f.Expr | None:
        if isinstance(size, syn_expr.ComponentRef):
            by_type = self._session.values.type_size(size, scope)
            if by_type is not None:
                return f.Integer(by_type)
        expr = self._session.elaborator.expression(size, scope).expr
        return self._resolved(expr, scope, values)

    def _resolved(self, expr: f.Expr, scope: ClassNode, values: dict[str, f.Expr]) -> f.Expr | None:
        """Names of other fields become their values; those written in the function are its own."""
        if scope.instance is not self._node:
            return expr
        known: dict[f.Expr, f.Expr] = {f.Var((name,)): value for name, value in values.items()}
        missing = {(name,) for name in self._names if name not in values}
        if contains(expr, lambda node: isinstance(node, f.Var) and node.name in missing):
            return None
        return substitute(expr, known)

    def _zero(self, component: ComponentInstance) -> f.Expr | None:
        if component.simple is None:
            return _zero_of(self._session.functions.local_type(component))
        return _zero_of(Type(component.simple.scalar))


def _zero_of(kind: Type) -> f.Expr | None:
    scalar = kind.scalar
    if isinstance(scalar, EnumType) and scalar.literals:
        return f.Literal(scalar.name, 1, scalar.literals[0])
    if isinstance(scalar, RecordType):
        if any(None in inner.dims for _, inner in scalar.fields):
            return None
        parts = [_zero_array(inner) for _, inner in scalar.fields]
        found = [part for part in parts if part is not None]
        names = tuple(name for name, _ in scalar.fields)
        return f.Record(scalar.name, names, *found) if len(found) == len(parts) else None
    return _ZEROS.get(scalar)


def _zero_array(kind: Type) -> f.Expr | None:
    zero = _zero_of(Type(kind.scalar))
    if zero is None or not kind.dims:
        return zero
    return f.Call("fill", zero, *(f.Integer(size or 0) for size in kind.dims))
