"""Overconstrained connectors: which connections close a loop of frames, and who is a root.

Modelica 3.6, "Equation Operators for Overconstrained Connection-Based Equation Systems". Nodes are
records, or variables of a type, with an `equalityConstraint` function; `Connections.branch` gives edges
that must stay, connect gives edges that may be broken. A spanning forest with one root per tree is chosen;
each broken edge becomes `zeros = equalityConstraint(a, b)` instead of `a = b`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from math import prod
from typing import TYPE_CHECKING

from freewheel.base.names import Name, show
from freewheel.flat.connect import Connection, End, GraphStatement
from freewheel.flat.diagnostics import two_roots
from freewheel.flat.nodes import AnyEquation, Equation
from freewheel.formula import nodes as f
from freewheel.instance.components import ComponentInstance, components_of
from freewheel.instance.context import Context
from freewheel.instance.nodes import CONTINUOUS, ClassElement, Typed
from freewheel.instance.session import GraphAnswers
from freewheel.instance.simple_types import EQUALITY

if TYPE_CHECKING:
    from freewheel.instance.classes import ClassNode
    from freewheel.instance.session import Session


class Graph(GraphAnswers):
    def __init__(
        self,
        connections: list[Connection],
        statements: list[GraphStatement],
        is_part: bool = False,
    ) -> None:
        self._is_part = is_part  # the connectors of the class itself are connected, too
        self._degree: dict[Name, int] = {}
        self._parent: dict[Name, Name] = {}
        self._edges: dict[Name, list[Name]] = {}
        self._rooted_trees: set[Name] = set()
        self._roots: dict[Name, None] = {}
        self._branches = [s.paths for s in statements if s.kind == "branch"]
        self.broken: dict[
            int, list[tuple[Name, Name]]
        ] = {}  # position of the connection -> record pairs
        self._used: set[Name] = set()  # connectors that the class around their component connects
        for connection in connections:
            for end in (connection.left, connection.right):
                self._degree[end.path] = self._degree.get(end.path, 0) + 1
                if not end.is_outside:
                    self._used.add(end.path)
        self._span(connections, statements)
        self._depth = self._depths()

    # ------------------------------------------------------------ answers

    def cardinality(self, path: Name) -> int:
        is_own = sum(isinstance(part, str) for part in path) == 1
        return self._degree.get(path, 0) + (self._is_part and is_own)

    def is_root(self, path: Name) -> bool:
        return path in self._roots

    def rooted(self, path: Name) -> bool:
        """Whether this end of its branch is nearer to the root than the other end."""
        for a, b in self._branches:
            if path in (a, b):
                other = b if path == a else a
                return self._depth.get(path, 0) < self._depth.get(other, 0)
        return True

    def neighbours(self, path: Name) -> list[Name]:
        """Records that a branch or a connection joins with this one, within its tree."""
        return self._edges.get(path, [])

    def is_used(self, path: Name) -> bool:
        """Is the connector connected to another component?"""
        return path in self._used

    def without_root(self, nodes: Iterable[ClassNode]) -> list[list[Name]]:
        """The records of each tree that has no root, unconnected ones among the `nodes` included."""
        trees: dict[Name, list[Name]] = {}
        for path in self._parent:
            trees.setdefault(self._find(path), []).append(path)
        found = [paths for tree, paths in trees.items() if tree not in self._rooted_trees]
        for node in nodes:
            if node.restricted_kind() == "connector" and node.path:
                paths = [path for path in _records_in(node) if path not in self._parent]
                found += [[path] for path in paths]
        return found

    # ------------------------------------------------------------ spanning forest

    def _node(self, path: Name) -> Name:
        self._parent.setdefault(path, path)
        self._edges.setdefault(path, [])
        return path

    def _find(self, path: Name) -> Name:
        while self._parent[path] != path:
            path = self._parent[path]
        return path

    def _join(self, a: Name, b: Name) -> None:
        self._edges[a].append(b)
        self._edges[b].append(a)
        root_a, root_b = self._find(a), self._find(b)
        if root_a != root_b:
            self._parent[root_b] = root_a
            if root_b in self._rooted_trees:
                self._rooted_trees.add(root_a)

    def _span(self, connections: list[Connection], statements: list[GraphStatement]) -> None:
        for statement in statements:
            for path in statement.paths:
                self._node(path)
        for statement in statements:
            if statement.kind == "branch":
                self._join(*statement.paths)
        for statement in statements:
            if statement.kind == "root":
                tree = self._find(statement.paths[0])
                if tree in self._rooted_trees:
                    raise two_roots(show(statement.paths[0]), statement.span)
                self._rooted_trees.add(tree)
                self._roots[statement.paths[0]] = None
        for position, connection in enumerate(connections):
            for a, b in record_pairs(connection):
                self._optional(position, self._node(a), self._node(b))
        self._choose_roots(statements)

    def _optional(self, position: int, a: Name, b: Name) -> None:
        tree_a, tree_b = self._find(a), self._find(b)
        both_rooted = tree_a in self._rooted_trees and tree_b in self._rooted_trees
        if tree_a == tree_b or both_rooted:
            if a != b:
                self.broken.setdefault(position, []).append((a, b))
            return
        self._join(a, b)

    def _choose_roots(self, statements: list[GraphStatement]) -> None:
        potential = [s for s in statements if s.kind == "potentialRoot"]
        for statement in sorted(potential, key=lambda s: s.priority):
            path = statement.paths[0]
            tree = self._find(path)
            if tree not in self._rooted_trees:
                self._rooted_trees.add(tree)
                self._roots[path] = None

    def _depths(self) -> dict[Name, int]:
        depth = dict.fromkeys(self._roots, 0)
        queue = deque(self._roots)
        while queue:
            path = queue.popleft()
            for below in self._edges[path]:
                if below not in depth:
                    depth[below] = depth[path] + 1
                    queue.append(below)
        return depth


def record_pairs(connection: Connection) -> Iterator[tuple[Name, Name]]:
    """Overconstrained records inside two connected connectors."""
    if (
        connection.left.component.simple is not None
        or connection.right.component.simple is not None
    ):
        return
    right = dict(_records(connection.right))
    for name, path in _records(connection.left):
        if name in right:
            yield path, right[name]


def _records(end: End) -> Iterator[tuple[Name, Name]]:
    node = end.component.node(end.index)
    if is_overconstrained(node):
        yield (), end.path
        return
    for component in components_of(node):
        if _is_overconstrained(component):
            yield (component.name,), component.resolved().path


def _records_in(node: ClassNode) -> list[Name]:
    """Overconstrained records of a connector."""
    components = filter(_is_overconstrained, components_of(node))
    return [component.resolved().path for component in components]


def _is_overconstrained(component: ComponentInstance) -> bool:
    """A record or, with all its elements, a variable of a type with `equalityConstraint`."""
    if not component.exists():
        return False
    if component.simple is not None:
        return component.simple.constraint is not None
    return not component.dims() and is_overconstrained(component.resolved().node())


def is_overconstrained(node: ClassNode) -> bool:
    return isinstance(node.find(EQUALITY), ClassElement)


def residue_count(node: ClassNode, session: Session) -> int | None:
    """How many equations `equalityConstraint` of an overconstrained record gives; None of others."""
    element = node.find("equalityConstraint")
    if not isinstance(element, ClassElement):
        return None
    residues = session.functions.signature(session.lookup.node(element)).outputs[0].type.dims
    return prod(size or 0 for size in residues)


def constraint_equations(
    session: Session, connections: list[Connection], broken: dict[int, list[tuple[Name, Name]]]
) -> Iterator[AnyEquation]:
    """`zeros(n) = equalityConstraint(a, b)` for each broken edge; none where n is zero."""
    for position, pairs in broken.items():
        connection = connections[position]
        for a, b in pairs:
            element, args = _constraint(session, a, b)
            signature = session.functions.signature(session.lookup.node(element))
            typed = session.elaborator.application.apply(signature, args, {}, connection.span)[0]
            size = typed.type.dims[0] if typed.type.dims else None
            if size == 0:
                continue
            zeros = f.Real(0.0) if size is None else f.Call("fill", f.Real(0.0), f.Integer(size))
            yield Equation(zeros, typed.expr, connection.span, connection.origin)


def _constraint(session: Session, a: Name, b: Name) -> tuple[ClassElement, list[Typed]]:
    """The function of two overconstrained records or variables, and their values."""
    component = session.values.component_at(a)
    if component.simple is not None:
        assert component.simple.constraint is not None
        kind = component.type()
        return component.simple.constraint, [Typed(f.Var(p), kind, CONTINUOUS) for p in (a, b)]
    first = session.record_at(a)
    element = first.find(EQUALITY)
    assert isinstance(element, ClassElement)
    context = Context(first)
    value_of = session.elaborator.references.record_value
    return element, [value_of(session.record_at(p), context) for p in (a, b)]
