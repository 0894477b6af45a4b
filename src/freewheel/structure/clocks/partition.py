"""Clock partitioning: which equations tick together, and when.

    yd = sample(y, c);  xd = previous(xd) + yd;  u = hold(xd);  der(y) = u
    ->   partition 1: yd, xd on clock c      without a clock: u, y

In: equations, conditions and actions as items. Out: partitions with their ticks and solver
methods, and the items that have no clock. Items and variables that occur in one item outside of
conversions belong together (union-find). Modelica 3.6, "Clock Partitioning".
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field

from freewheel.base.diagnostics import CompileError, Diagnostic
from freewheel.base.source import NOWHERE, Span
from freewheel.formula.nodes import Expr, Var
from freewheel.formula.walk import variables_in
from freewheel.structure.atoms import DER, WHEN, show_atom
from freewheel.structure.clocks import diagnostics as faults
from freewheel.structure.clocks.clock_graph import ClockGraph
from freewheel.structure.clocks.inference import infer
from freewheel.structure.clocks.nodes import BaseClock, Ticking
from freewheel.structure.clocks.operators import SUB_CLOCK, IsClock, Terms, terms_of
from freewheel.structure.clocks.solver_methods import method_of
from freewheel.structure.nodes import Action, Condition, ScalarEquation


@dataclass(frozen=True, slots=True)
class Item:
    """An equation, condition or action, and what it says."""

    content: ScalarEquation | Condition | Action
    roots: tuple[Expr, ...]
    span: Span
    clause: int = 0  # of the clocked when-clause around it; 0: none
    clock: Expr | None = None  # of that clause
    lost: tuple[Expr, ...] = ()  # parts that were folded away, but determine the clock


@dataclass(frozen=True, slots=True)
class Partition:
    """What ticks together."""

    items: tuple[Item, ...]
    variables: tuple[Var, ...]
    ticking: Ticking
    method: str  # of its solver, "" for none
    span: Span


@dataclass(frozen=True, slots=True)
class Partitioned:
    partitions: tuple[Partition, ...]
    bases: tuple[BaseClock, ...]
    unclocked: tuple[Item, ...]
    warnings: tuple[Diagnostic, ...] = ()


@dataclass(slots=True)
class _Mark:
    """Why somebody is clocked, or not."""

    who: Hashable
    span: Span


@dataclass(slots=True)
class _Set:
    """A connected set of items and variables."""

    items: list[int] = field(default_factory=list)
    variables: dict[Var, None] = field(default_factory=dict)
    clocked: _Mark | None = None
    unclocked: _Mark | None = None
    node: int = -1


def partition(
    items: Sequence[Item],
    clock_equations: Sequence[ScalarEquation],
    graph: ClockGraph,
    is_clock: IsClock,
) -> Partitioned:
    work = _Partitioner(items, graph, is_clock)
    work.gather()
    for equation in clock_equations:
        first = graph.clock(equation.left, equation.span)
        graph.join(first, graph.clock(equation.right, equation.span), equation.span)
    return work.partitioned()


class _Partitioner:
    def __init__(self, items: Sequence[Item], graph: ClockGraph, is_clock: IsClock) -> None:
        self.items = items
        self.graph = graph
        self.terms = [_terms(item, is_clock) for item in items]
        self.parent: dict[Hashable, Hashable] = {}
        self.marks: list[tuple[bool, _Mark]] = []  # (is clocked, who and where)
        self.clauses: dict[int, int] = {}

    def find(self, who: Hashable) -> Hashable:
        root = who
        while (above := self.parent.setdefault(root, root)) != root:
            root = above
        while self.parent[who] != root:
            self.parent[who], who = root, self.parent[who]
        return root

    def gather(self) -> None:
        for number, (item, terms) in enumerate(zip(self.items, self.terms, strict=True)):
            own = self.find(number)
            for var in self._own_variables(terms):
                self.parent[self.find(var)] = own
            self._mark(number, item, terms)

    def _own_variables(self, terms: Terms) -> list[Var]:
        unknown = self.graph.is_unknown
        return [var for var in terms.inside if var.name[0] == WHEN or unknown(var)]

    def _mark(self, number: int, item: Item, terms: Terms) -> None:
        span = item.span
        if item.clock is not None or terms.marks:
            self.marks.append((True, _Mark(number, span)))
        for call in terms.conversions:
            from_outside, is_hold = call.function == "sample", call.function == "hold"
            argument = call.args[0]
            self.marks.append((not is_hold, _Mark(number, span)))
            if isinstance(argument, Var) and self.graph.is_unknown(argument):
                self.marks.append((not from_outside, _Mark(argument, span)))

    # ------------------------------------------------------------ sets and their clocks

    def partitioned(self) -> Partitioned:
        for _, var in self.graph.beating:
            self.marks.append((True, _Mark(var, NOWHERE)))
        sets = self._sets()
        clocked = [s for s in sets.values() if s.clocked is not None]
        for one in clocked:
            one.node = self.graph.new()
        self._link(sets)
        graph = self.graph
        places = {one.node: self.items[one.items[0]].span for one in clocked if one.items}
        inferred = infer(graph.links, graph.anchors, graph.count, places)
        partitions = tuple(self._partition(one, inferred.ticking[one.node]) for one in clocked)
        rest = [n for s in sets.values() if s.clocked is None for n in s.items]
        return Partitioned(
            partitions,
            inferred.bases,
            tuple(self.items[n] for n in sorted(rest)),
            inferred.warnings,
        )

    def _sets(self) -> dict[Hashable, _Set]:
        sets: dict[Hashable, _Set] = {}
        for number in range(len(self.items)):
            sets.setdefault(self.find(number), _Set()).items.append(number)
        for who in list(self.parent):
            if isinstance(who, Var):
                sets.setdefault(self.find(who), _Set()).variables[who] = None
        for is_clocked, mark in self.marks:
            one = sets.setdefault(self.find(mark.who), _Set())
            if isinstance(mark.who, Var):
                one.variables[mark.who] = None
            if is_clocked and one.clocked is None:
                one.clocked = mark
            elif not is_clocked and one.unclocked is None:
                one.unclocked = mark
            if one.clocked is not None and one.unclocked is not None:
                raise self._mixed(one, one.clocked, one.unclocked)
        return sets

    def _mixed(self, one: _Set, clocked: _Mark, unclocked: _Mark) -> CompileError:
        """Names a variable on the way from what is clocked to what is not."""
        way = self._way(one, clocked.who, unclocked.who)
        named = [w for w in way if isinstance(w, Var) and not str(w.name[0]).startswith("$")]
        between = [
            self.items[w].span
            for w in way
            if isinstance(w, int) and w not in (clocked.who, unclocked.who)
        ]
        name = show_atom(named[0].name) if named else "an expression"
        return faults.mixed(name, clocked.span, between, unclocked.span)

    def _way(self, one: _Set, start: Hashable, end: Hashable) -> list[Hashable]:
        """The shortest one, over items and variables in turn."""
        beside: dict[Hashable, list[Hashable]] = {}
        for number in one.items:
            for var in self._own_variables(self.terms[number]):
                beside.setdefault(number, []).append(var)
                beside.setdefault(var, []).append(number)
        before: dict[Hashable, Hashable] = {start: start}
        waiting = deque([start])
        while waiting and end not in before:
            here = waiting.popleft()
            for there in beside.get(here, ()):
                if there not in before:
                    before[there] = here
                    waiting.append(there)
        way = [end]
        while way[-1] != start:
            way.append(before[way[-1]])
        return way[::-1]

    def _link(self, sets: Mapping[Hashable, _Set]) -> None:
        graph = self.graph
        for number, (item, terms) in enumerate(zip(self.items, self.terms, strict=True)):
            node = sets[self.find(number)].node
            if node < 0:
                continue
            if item.clock is not None:
                graph.join(self._clause(item), node, item.span)
            for clock in terms.clocks:
                graph.join(graph.clock(clock, item.span), node, item.span)
            for call in terms.conversions:
                argument = call.args[0]
                if call.function not in SUB_CLOCK or not isinstance(argument, Var):
                    continue
                if graph.is_unknown(argument):
                    other = sets[self.find(argument)].node
                    graph.convert(call, other, node, item.span)
        for node, var in graph.beating:
            graph.join(node, sets[self.find(var)].node, NOWHERE)

    def _clause(self, item: Item) -> int:
        """All equations of a clocked when-clause have one clock, also if it is inferred."""
        assert item.clock is not None
        known = self.clauses.get(item.clause)
        if known is None:
            known = self.clauses[item.clause] = self.graph.clock(item.clock, item.span)
        return known

    def _partition(self, one: _Set, ticking: Ticking) -> Partition:
        items = tuple(self.items[n] for n in one.items)
        assert one.clocked is not None
        span = items[0].span if items else one.clocked.span
        needs = any(needs_solver(item) for item in items)
        method = method_of(one.node, self.graph, span) if needs else ""
        return Partition(items, tuple(one.variables), ticking, method, span)


def _terms(item: Item, is_clock: IsClock) -> Terms:
    terms = terms_of(item.roots, is_clock)
    if item.lost:
        terms.inside.update(terms_of(item.lost, is_clock).inside)
    return terms


def needs_solver(item: Item) -> bool:
    """Does it hold a derivative?"""
    return any(var.name[0] == DER for var in variables_in(*item.roots))
