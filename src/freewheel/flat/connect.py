"""Connections: which connectors are tied together, and the equations that follow.

Pass one (`collect`) walks all connect equations, with loops unrolled and conditions decided, and
keeps pairs of connector ends. Pass two (`equations`) unites them into sets and writes, per set and
variable, `a = b` for potentials and one zero sum for flows; a flow that is connected to nothing is
zero (Modelica 3.6, "Generation of Connection Equations"). Each connector may take part twice: from
outside, as a part of its component, and from inside, as a border of its own class.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product, zip_longest
from typing import TYPE_CHECKING

from freewheel.base.diagnostics import CompileError
from freewheel.base.names import Name, show
from freewheel.base.source import Span
from freewheel.flat.diagnostics import (
    no_parts,
    not_a_connector,
    root_priority_not_integer,
    signal_to_connector,
    too_many_subscripts,
    undecided_connection,
    unequal_connected_arrays,
    unequal_connectors,
    wrong_graph_statement,
)
from freewheel.flat.equations import Equations
from freewheel.formula import nodes as f
from freewheel.instance.classes import ClassNode, Deselection
from freewheel.instance.components import ComponentInstance, components_of, find_component
from freewheel.instance.context import Context
from freewheel.instance.nodes import Typed
from freewheel.instance.subscripts import check_bounds, check_kind, numbers_of
from freewheel.syntax import equation_nodes as syn_eq
from freewheel.syntax import expression_nodes as syn_expr
from freewheel.syntax import nodes as syn

if TYPE_CHECKING:
    from freewheel.instance.session import Session


@dataclass(frozen=True, slots=True)
class End:
    """One connector as used in a connect equation.

    `component` and `index` say which one it is; `is_outside` is true when the connector is a border
    of the class the connect equation stands in, false when it belongs to a component of that class.
    """

    component: ComponentInstance
    index: tuple[int, ...]
    is_outside: bool

    @property
    def path(self) -> Name:
        return (*self.component.path, *self.index)


@dataclass(frozen=True, slots=True)
class Connection:
    left: End
    right: End
    span: Span
    origin: Name = ()


@dataclass(frozen=True, slots=True)
class GraphStatement:
    """`Connections.branch(a, b)`, `root(a)`, `potentialRoot(a, priority)`, `uniqueRoot(a)`."""

    kind: str
    paths: tuple[Name, ...]
    span: Span
    priority: int = 0


@dataclass(frozen=True, slots=True)
class Pending:
    """An end that names a member an expandable connector does not have yet."""

    bus: ClassNode
    member: str
    rest: tuple[syn_expr.RefPart, ...]


# The dimensions of an array of connectors and all of them; None if they do not exist.
Ends = tuple[tuple[int, ...], list[End]] | Pending | None


class ConnectionCollector:
    """Pass one."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._elaborator = session.elaborator
        self._equations = Equations(session)
        self.connections: list[Connection] = []
        self.graph: list[GraphStatement] = []
        self._waiting: list[tuple[syn_eq.Connect, Context]] = []

    def of_node(self, node: ClassNode) -> None:
        for scope, section in node.sections():
            if isinstance(section, syn.EquationSection) and not section.initial:
                broken = list(scope.deselections())
                self._block(section.equations, Context(scope), broken)

    def _block(
        self,
        equations: Iterable[syn_eq.AnyEquation],
        context: Context,
        broken: list[Deselection],
    ) -> None:
        for equation in equations:
            if isinstance(equation, syn_eq.Connect):
                if not any(_drops(deselection, equation) for deselection in broken):
                    self._connect(equation, context)
            elif isinstance(equation, syn_eq.ForEquation):
                if _mentions_connect(equation.body):
                    self._for(equation, equation.iterators, context, broken)
            elif isinstance(equation, syn_eq.IfEquation):
                if _mentions_connect(equation):
                    self._block(self._decided(equation, context), context, broken)
            elif isinstance(equation, syn_eq.CallEquation):
                self._graph_statement(equation, context)

    def _for(
        self,
        equation: syn_eq.ForEquation,
        iterators: tuple[syn_expr.Iterator, ...],
        context: Context,
        broken: list[Deselection],
    ) -> None:
        if not iterators:
            self._block(equation.body, context, broken)
            return
        values = self._elaborator.iterators.iterator_range(iterators[0], equation.body, context)
        place = context.span(iterators[0])
        rounds = self._elaborator.iterators.loop_values(values, place)
        context = context.unrolled(rounds, place)
        for value in rounds:
            inner = context.with_iterator(iterators[0].name, value)
            self._for(equation, iterators[1:], inner, broken)

    def _decided(
        self, equation: syn_eq.IfEquation, context: Context
    ) -> tuple[syn_eq.AnyEquation, ...]:
        for branch in equation.branches:
            condition = self._equations.condition(branch.condition, context)
            known = self._equations.decided(condition)
            if known is None:
                raise undecided_connection(context.span(branch.condition))
            if known:
                return branch.body
        return equation.otherwise

    # ------------------------------------------------------------ one connect equation

    def _connect(self, equation: syn_eq.Connect, context: Context) -> None:
        left, right = self._ends_beside(equation.right, equation.left, context)
        if left is None or right is None:
            return  # one of the components does not exist: the connection goes with it
        if isinstance(left, Pending) or isinstance(right, Pending):
            self._waiting.append((equation, context))
            return
        span = context.span(equation)
        if left[0] != right[0] and len(left[1]) != len(right[1]):
            raise unequal_connected_arrays(_dims(left[0]), _dims(right[0]), span)
        origin = context.scope.instance.path or ()
        for a, b in zip(left[1], right[1], strict=True):
            check_pair(a, b, span)
            self.connections.append(Connection(a, b, span, origin))

    def _ends_beside(
        self, other: syn_expr.ComponentRef, ref: syn_expr.ComponentRef, context: Context
    ) -> tuple[Ends, Ends]:
        """The ends of `ref` and of `other`. Beside a component that does not exist a subscript may be
        outside: `connect(sum.u[2], second.y)` where there is one input only."""
        try:
            mine = self.ends(ref, context)
        except CompileError as problem:
            if problem.diagnostics[0].code != "N034" or self.ends(other, context) is not None:
                raise
            return None, None
        try:
            return mine, self.ends(other, context)
        except CompileError as problem:
            if problem.diagnostics[0].code != "N034" or mine is not None:
                raise
            return None, None

    def waiting(self) -> list[tuple[syn_eq.Connect, Context]]:
        """Connections that ask for members of expandable connectors not declared yet."""
        found, self._waiting = self._waiting, []
        return found

    def retry(self, equation: syn_eq.Connect, context: Context) -> None:
        self._connect(equation, context)

    def ends(self, ref: syn_expr.ComponentRef, context: Context) -> Ends:
        """The connectors a reference names, in row-major order, with the dimensions of the array."""
        first = self._elaborator.references.component(ref, context)
        if first is None:
            raise not_a_connector(show(ref.names), context.span(ref))
        is_outside = is_connector(first) and first.owner is context.scope.instance
        current: list[ComponentInstance] = [first]
        dims: list[int] = []
        indices: list[tuple[int, ...]] = [()]
        for position, part in enumerate(ref.parts):
            if position:
                below = self._members(current, indices, part, ref, context, position)
                if isinstance(below, Pending):
                    return below
                current = below
            current = [c.resolved() for c in current]
            if any(not c.exists() for c in current):
                return None
            spread = [self._spread(c, part, context, ref) for c in current]
            if spread and spread[0][0]:
                dims.extend(spread[0][0])
            pairs = [(c, i) for c, (_, picked) in zip(current, spread, strict=True) for i in picked]
            current = [c for c, _ in pairs]
            indices = [i for _, i in pairs]
            if not current:
                return tuple(dims), []
        if not is_connector(current[0]):
            raise not_a_connector(show(ref.names), context.span(ref))
        return tuple(dims), [End(c, i, is_outside) for c, i in zip(current, indices, strict=True)]

    def _members(
        self,
        current: list[ComponentInstance],
        indices: list[tuple[int, ...]],
        part: syn_expr.RefPart,
        ref: syn_expr.ComponentRef,
        context: Context,
        position: int,
    ) -> list[ComponentInstance] | Pending:
        found: list[ComponentInstance] = []
        for component, index in zip(current, indices, strict=True):
            if component.simple is not None:
                raise no_parts(show(component.path), context.span(ref))
            node = component.node(index)
            below = find_component(node, part.name)
            if below is None:
                if (
                    node.kind == "expandable connector"
                    or node.restricted_kind() == "expandable connector"
                ):
                    return Pending(node, part.name, ref.parts[position:])
                raise self._session.lookup.missing(
                    part.name, ref.names[:position], node, context.span(ref)
                )
            found.append(below)
        return found

    def _spread(
        self,
        component: ComponentInstance,
        part: syn_expr.RefPart,
        context: Context,
        ref: syn_expr.ComponentRef,
    ) -> tuple[tuple[int, ...], list[tuple[int, ...]]]:
        """Dimensions that remain open, and the indices picked."""
        dims = component.dims()
        if len(part.subscripts) > len(dims):
            raise too_many_subscripts(show(component.path), len(dims), context.span(ref))
        picks: list[list[int]] = []
        kept: list[int] = []
        for axis, size in enumerate(dims):
            pick = self._pick(part, axis, size, context, ref)
            if isinstance(pick, list):
                kept.append(len(pick))
                picks.append(pick)
            else:
                picks.append([pick])
        return tuple(kept), list(product(*picks))

    def _pick(
        self,
        part: syn_expr.RefPart,
        axis: int,
        size: int,
        context: Context,
        ref: syn_expr.ComponentRef,
    ) -> int | list[int]:
        if axis >= len(part.subscripts) or isinstance(part.subscripts[axis], syn_expr.Colon):
            return list(range(1, size + 1))
        numbers = self._numbers(part.subscripts[axis], context.with_end(f.Integer(size)))
        for number in [numbers] if isinstance(numbers, int) else numbers:
            check_bounds(number, size, axis, context.span(ref))
        return numbers

    def _numbers(self, subscript: syn_expr.Expr, context: Context) -> int | list[int]:
        typed: Typed = self._elaborator.expr(subscript, context)
        place = context.span(subscript)
        check_kind(typed, place)
        return numbers_of(self._session.values.must(typed, place, "a subscript of a connector"))

    def largest_index(self, part: syn_expr.RefPart, context: Context) -> tuple[int, ...]:
        """The largest number each subscript picks, where the array itself is not known yet."""
        found: list[int] = []
        for subscript in part.subscripts:
            numbers = self._numbers(subscript, context)
            found.append(numbers if isinstance(numbers, int) else max(numbers, default=0))
        return tuple(found)

    # ------------------------------------------------------------ the connection graph

    def _graph_statement(self, equation: syn_eq.CallEquation, context: Context) -> None:
        names = equation.call.function.names
        if names[0] != "Connections" or len(names) != 2:
            return
        refs = [a for a in equation.call.args if isinstance(a, syn_expr.ComponentRef)]
        if names[1] in ("branch", "root", "potentialRoot", "uniqueRoot"):
            count = 2 if names[1] == "branch" else 1
            paths = tuple(
                self._elaborator.calls.connector_path(ref, context) for ref in refs[:count]
            )
            if len(paths) != count:
                raise wrong_graph_statement(names[1], count, context.span(equation))
            priority = 0
            extra = (
                equation.call.args[1]
                if len(equation.call.args) > 1 and names[1] == "potentialRoot"
                else None
            )
            named = [n.value for n in equation.call.named if n.name == "priority"]
            if named:
                extra = named[0]
            if extra is not None:
                priority = self._priority(extra, context)
            self.graph.append(GraphStatement(names[1], paths, context.span(equation), priority))

    def _priority(self, expr: syn_expr.Expr, context: Context) -> int:
        typed: Typed = self._elaborator.expr(expr, context)
        place = context.span(expr)
        value = self._session.values.must(typed, place, "the priority of a root")
        if not isinstance(value, int) or isinstance(value, bool):
            raise root_priority_not_integer(place)
        return value


def _dims(dims: tuple[int, ...]) -> str:
    return "[" + ", ".join(map(str, dims)) + "]"


def _drops(deselection: Deselection, equation: syn_eq.Connect) -> bool:
    """`break f` takes the connections of `f` along; `break connect(a, b)` the same text, either way."""
    if isinstance(deselection, syn.BreakElement):
        return deselection.name in (equation.left.names[0], equation.right.names[0])
    broken = deselection.connect
    ends = (_bare(equation.left), _bare(equation.right))
    return ends in (
        (_bare(broken.left), _bare(broken.right)),
        (_bare(broken.right), _bare(broken.left)),
    )


def _bare(node: object) -> object:
    """Syntax without its places in the text."""
    if not isinstance(node, tuple):
        return node
    labels = getattr(node, "_fields", ())
    kept = [part for part, label in zip_longest(node, labels) if label not in ("start", "end")]
    return (type(node), *(_bare(part) for part in kept))


def _mentions_connect(equations: object) -> bool:
    stack = [equations]
    while stack:
        node = stack.pop()
        if isinstance(node, syn_eq.Connect):
            return True
        if isinstance(node, syn_eq.CallEquation):
            if node.call.function.names[0] == "Connections":
                return True
        elif isinstance(node, syn_eq.EquationBranch):
            stack.append(node.body)
        elif isinstance(node, syn_eq.IfEquation):
            stack.extend((node.branches, node.otherwise))
        elif isinstance(node, syn_eq.ForEquation):
            stack.append(node.body)
        elif type(node) is tuple:
            stack.extend(node)
    return False


def is_connector(component: ComponentInstance) -> bool:
    if component.simple is not None:
        return _is_connector_type(component)
    return "connector" in component.any_node().restricted_kind()


def _is_connector_type(component: ComponentInstance) -> bool:
    element = component.class_element
    while True:
        if "connector" in element.definition.tree.kind:
            return True
        body = element.definition.tree.body
        if not isinstance(body, syn.ShortBody) or element.definition.source.path == "<predefined>":
            return (
                component.owner.kind == "expandable connector"
                or component.name in component.owner.extra_components
            )
        element = component.session.lookup.class_named(body.type, element.enclosing)


# ---------------------------------------------------------------- pairs of connectors


def check_pair(left: End, right: End, span: Span) -> None:
    """Both connectors must have the same variables, flows against flows."""
    a = dict(_shape(left))
    b = dict(_shape(right))
    if set(a) == set(b) and all(a[name] == b[name] for name in a):
        return
    if _is_bus(left) or _is_bus(right):
        return
    if (() in a) != (() in b):
        signal, other = (left, right) if () in a else (right, left)
        raise signal_to_connector(show(signal.path), show(other.path), span)
    only = [show(n) for n in a if n not in b] + [show(n) for n in b if n not in a]
    different = [show(n) for n in a if n in b and a[n] != b[n]]
    reason = (
        f"`{only[0]}` is in one of them only"
        if only
        else f"`{different[0]}` differs in kind or size"
    )
    raise unequal_connectors(show(left.path), show(right.path), reason, span)


def _is_bus(end: End) -> bool:
    return (
        end.component.simple is None
        and end.component.node(end.index).restricted_kind() == "expandable connector"
    )


def _shape(end: End) -> Iterator[tuple[Name, tuple[str, tuple[int, ...]]]]:
    for name, component, _ in leaves(end):
        dims = component.dims() if name else component.dims()[len(end.index) :]
        yield name, (component.flow, dims)


def leaves(end: End) -> Iterator[tuple[Name, ComponentInstance, Name]]:
    """Variables of a connector: name inside it, component, flat name."""
    if end.component.simple is not None:
        yield (), end.component, end.path
        return
    base = end.path
    for component, path in leaves_of(end.component.node(end.index)):
        yield path[len(base) :], component, path


def leaves_of(node: ClassNode) -> Iterator[tuple[ComponentInstance, Name]]:
    for component in components_of(node):
        component = component.resolved()
        if not component.exists():
            continue
        if component.simple is not None:
            yield component, component.path
        else:
            for below in component.nodes():
                yield from leaves_of(below)
