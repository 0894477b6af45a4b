"""Which solver method integrates a clocked partition.

    x = sample(u, Clock(Clock(1, 10), "ImplicitEuler"));  der(z) = x     ->     "ImplicitEuler"

The method of the partition's own clock; else that of the partitions it exchanges values with.
Modelica 3.6, "Inferencing of solverMethod".
"""

from __future__ import annotations

from freewheel.base.source import Span
from freewheel.structure.clocks import diagnostics as faults
from freewheel.structure.clocks.clock_graph import ClockGraph
from freewheel.structure.clocks.nodes import Tie

METHODS = (
    "ExplicitEuler",
    "ExplicitMidPoint2",
    "ExplicitRungeKutta4",
    "ImplicitEuler",
    "ImplicitTrapezoid",
)
# The simulation's own choice: an implicit method of order 2 keeps stiff parts stable.
EXTERNAL = "ImplicitTrapezoid"


def method_of(node: int, graph: ClockGraph, span: Span) -> str:
    found = _nearest(node, graph)
    if not found:
        raise faults.no_method(span)
    method, place = found[0]
    for other, other_place in found[1:]:
        if other != method:
            raise faults.two_methods(method, other, other_place)
    if method == "External":
        return EXTERNAL
    if method not in METHODS:
        raise faults.unknown_method(method, METHODS, place)
    return method


def _nearest(node: int, graph: ClockGraph) -> list[tuple[str, Span]]:
    """Methods of nodes with the same clock; without any, of those beyond conversions. The walk
    does not go on behind a set that has a method."""
    frontier, seen = [node], {node}
    while frontier:
        same = _same_clock(frontier, graph, seen)
        found = [graph.methods[n] for n in same if n in graph.methods and graph.methods[n][0]]
        if found:
            return found
        frontier = []
        for here in same:
            for link in graph.links:
                if link.tie in (Tie.SAME, Tie.TICKS) or here not in (link.first, link.second):
                    continue
                other = link.second if link.first == here else link.first
                if other not in seen:
                    seen.add(other)
                    frontier.append(other)
    return []


def _same_clock(nodes: list[int], graph: ClockGraph, seen: set[int]) -> list[int]:
    result, waiting = [], list(nodes)
    while waiting:
        here = waiting.pop()
        result.append(here)
        for link in graph.links:
            if link.tie is Tie.SAME and here in (link.first, link.second):
                other = link.second if link.first == here else link.first
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
    return result
