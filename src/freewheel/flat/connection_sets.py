"""Connection sets to equations: potentials equal, flows sum to zero, streams mixed elsewhere.

{r.p.v, c.p.v, g.p.v}  ->  r.p.v = c.p.v;  r.p.v = g.p.v        {r.p.i, c.p.i} -> r.p.i + c.p.i = 0
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from freewheel.base.names import Name, show
from freewheel.base.source import Span
from freewheel.flat.connect import Connection, leaves
from freewheel.flat.diagnostics import two_sources
from freewheel.flat.nodes import AnyEquation, Equation
from freewheel.formula import nodes as f
from freewheel.formula.types import INTEGER, ExternalObjectType
from freewheel.instance.components import ComponentInstance
from freewheel.instance.nodes import PARAMETER

Key = tuple[
    Name, bool
]  # flat name of the variable, and whether seen from inside its class (outside connector)


@dataclass(frozen=True, slots=True)
class Member:
    """A variable of a connector in a connection set."""

    name: Name
    is_outside: bool
    component: ComponentInstance
    index: tuple[int, ...]  # element of an array of simple connectors
    span: Span
    origin: Name

    @property
    def expr(self) -> f.Expr:
        if not self.index:
            return f.Var(self.name)
        return f.Index(f.Var(self.component.path), *(f.Integer(k) for k in self.index))

    @property
    def dims(self) -> tuple[int, ...]:
        return self.component.dims()[len(self.index) :]


class ConnectionSets:
    """Union-find over members; sets and their members keep the order of the model."""

    def __init__(self) -> None:
        self._members: dict[Key, Member] = {}
        self._parent: dict[Key, Key] = {}

    def add(self, connection: Connection, skip: frozenset[Name] = frozenset()) -> None:
        """Tie the variables of two connectors; those under a broken record are left alone."""
        right = {name: (component, path) for name, component, path in leaves(connection.right)}
        for name, component, path in leaves(connection.left):
            if name not in right or any(path[: len(s)] == s for s in skip):
                continue
            other, other_path = right[name]
            index = connection.left.index if not name else ()
            other_index = connection.right.index if not name else ()
            a = self._key(path, connection.left.is_outside, component, index, connection)
            b = self._key(other_path, connection.right.is_outside, other, other_index, connection)
            self._unite(a, b)

    def _key(
        self,
        path: Name,
        is_outside: bool,
        component: ComponentInstance,
        index: tuple[int, ...],
        connection: Connection,
    ) -> Key:
        key = (path, is_outside)
        if key not in self._members:
            self._members[key] = Member(
                path, is_outside, component, index, connection.span, connection.origin
            )
            self._parent[key] = key
        return key

    def _find(self, key: Key) -> Key:
        root = key
        while self._parent[root] != root:
            root = self._parent[root]
        while self._parent[key] != root:
            self._parent[key], key = root, self._parent[key]
        return root

    def _unite(self, a: Key, b: Key) -> None:
        root_a, root_b = self._find(a), self._find(b)
        if root_a != root_b:
            self._parent[root_b] = root_a

    def sets(self) -> list[list[Member]]:
        groups: dict[Key, list[Member]] = {}
        for key, member in self._members.items():
            groups.setdefault(self._find(key), []).append(member)
        return list(groups.values())

    def connected_inside(self) -> set[Name]:
        """Names of variables that are connected as parts of a component."""
        return {name for name, is_outside in self._members if not is_outside}


def equations(sets: Iterable[list[Member]], states: Collection[Name] = ()) -> Iterator[AnyEquation]:
    """`states` of state machines take turns: their outputs may be connected together."""
    for members in sets:
        first = members[0]
        if 0 in first.dims or isinstance(_scalar(first), ExternalObjectType):
            continue
        if first.component.flow == "flow":
            yield _zero_sum(members)
        elif first.component.flow != "stream" and first.component.variability > PARAMETER:
            _check_sources(members, states)
            yield from _equal(members)


def _scalar(member: Member) -> object:
    assert member.component.simple is not None
    return member.component.simple.scalar


def _check_sources(members: list[Member], states: Collection[Name]) -> None:
    """At most one of the connected signals may be the one that gives the value."""
    sources = {member.name: member for member in members if _is_source(member)}
    if len(sources) > 1:
        first, second = list(sources.values())[:2]
        if all(any(name[:k] in states for k in range(1, len(name))) for name in sources):
            return
        raise two_sources(show(first.name), show(second.name), second.span)


def _is_source(member: Member) -> bool:
    component = member.component
    if component.is_protected or component.owner.restricted_kind().startswith("expandable"):
        return False  # a place that signals pass through, whatever its prefix says
    return component.causality == ("input" if member.is_outside else "output")


def _equal(members: list[Member]) -> Iterator[AnyEquation]:
    seen = {members[0].name}
    for member in members[1:]:
        if member.name not in seen:  # the same connector from inside and outside is one variable
            seen.add(member.name)
            yield Equation(members[0].expr, member.expr, member.span, member.origin)


def _zero_sum(members: list[Member]) -> AnyEquation:
    """Flows into the components, minus flows through the border, add up to zero."""
    total: f.Expr | None = None
    for member in members:
        expr = member.expr
        if total is None:
            total = f.Unary("-", expr) if member.is_outside else expr
        else:
            total = f.Binary("-" if member.is_outside else "+", total, expr)
    assert total is not None
    return Equation(total, zero(members[0]), members[0].span, members[0].origin)


def zero(member: Member) -> f.Expr:
    value: f.Expr = f.Integer(0) if _scalar(member) == INTEGER else f.Real(0.0)
    if not member.dims:
        return value
    return f.Call("fill", value, *(f.Integer(d) for d in member.dims))
