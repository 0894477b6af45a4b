"""Step 4: what is at rest is taken away, for zero effort (or zero speed) carries no power.

    $n3 is ground     ->     its bonds are gone, and Gnd with them

The document erases, where no ground is shown, the junction at the negative pin of every source. Two
sources may well have different negative pins, and both cannot be at zero: here one junction goes in
each part that hangs together, that at the negative pin of its first source, since only differences of
potential matter in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from freewheel.bondgraph.domains import NODE_KIND
from freewheel.bondgraph.nodes import SOURCES, Bond, Graph, Kind, Stage
from freewheel.bondgraph.ones import port_junction


def remove_grounds(graph: Graph) -> Graph:
    assert graph.stage is Stage.DIRECTED
    gone = {j.name for j in graph.junctions if j.is_ground}
    gone |= {e.name for e in graph.elements if e.kind is Kind.GROUND}
    gone |= {_chosen(part, graph) for part in _floating(graph)}
    return replace(
        graph,
        stage=Stage.GROUNDED,
        elements=tuple(e for e in graph.elements if e.name not in gone),
        junctions=tuple(j for j in graph.junctions if j.name not in gone),
        bonds=numbered(
            b for b in graph.bonds if b.tail.vertex not in gone and b.head.vertex not in gone
        ),
    )


def numbered(bonds: Iterable[Bond]) -> tuple[Bond, ...]:
    """From one on, in the order given."""
    return tuple(replace(bond, number=k) for k, bond in enumerate(bonds, 1))


def _floating(graph: Graph) -> list[list[str]]:
    """Junctions that hang together without one at rest, not counting ways through elements."""
    junctions = [j.name for j in graph.junctions]
    near: dict[str, list[str]] = {name: [] for name in junctions}
    for bond in graph.bonds:
        if bond.tail.vertex in near and bond.head.vertex in near:
            near[bond.tail.vertex].append(bond.head.vertex)
            near[bond.head.vertex].append(bond.tail.vertex)
    grounds = {j.name for j in graph.junctions if j.is_ground}
    parts: list[list[str]] = []
    seen: set[str] = set()
    for first in junctions:
        if first in seen:
            continue
        part, stack = [], [first]
        seen.add(first)
        while stack:
            name = stack.pop()
            part.append(name)
            for other in near[name]:
                if other not in seen:
                    seen.add(other)
                    stack.append(other)
        if not grounds.intersection(part):
            parts.append(part)
    return parts


def _chosen(part: list[str], graph: Graph) -> str:
    """The junction at the negative connector of a source, else that with most negative ones."""
    inside = set(part)
    for element in graph.elements:
        if element.kind not in SOURCES:
            continue
        name = port_junction(element, 1)
        if name in inside:
            # Power leaves a source, so what comes into its junction comes from the negative side.
            return next(
                bond.tail.vertex
                for bond in graph.bonds_of(name)
                if bond.head.vertex == name and bond.tail.vertex != element.name
            )
    nodes = [j.name for j in graph.junctions if j.name in inside and j.kind is NODE_KIND[j.domain]]
    return max(nodes, key=lambda name: (_negative_pins(name, graph), -nodes.index(name)))


def _negative_pins(name: str, graph: Graph) -> int:
    """More of them than positive ones: power passes elements from positive to negative."""
    return sum(1 if bond.head.vertex == name else -1 for bond in graph.bonds_of(name))
