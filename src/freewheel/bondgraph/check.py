"""Is the circuit one that a bond graph can be made of? The checks of Wainer and D'Abreu, section 3.1.

Packages, classes, names, attributes and connectors have been checked by the rooms before; here remain
a port connected to itself, and a model in which nothing could ever move. `check` also states what must
hold on leaving each stage.
"""

from __future__ import annotations

import re

from freewheel.base.diagnostics import CompileError, Diagnostic, Label
from freewheel.bondgraph.nodes import (
    JUNCTIONS,
    SOURCES,
    STORAGES,
    Element,
    Graph,
    Kind,
    Stage,
    Stroke,
    Wire,
)
from freewheel.bondgraph.zeros import REFERENCE

RULE = "Wainer and D'Abreu, section 3.1"


def check_circuit(circuit: Graph) -> None:
    """Raises all that is wrong with a circuit as the modeller wrote it."""
    found = [*_self_connections(circuit)]
    if not any(e.kind not in (Kind.GROUND, *JUNCTIONS) for e in circuit.elements):
        found.append(
            Diagnostic(
                "E104",
                f"`{circuit.name}` has no element of a bond graph",
                (Label(circuit.span),),
                help="it needs components with pins, flanges, heat ports or ports of BondGraph",
                rule=RULE,
            )
        )
    elif not any(map(moves, circuit.elements)):
        found.append(
            Diagnostic(
                "E105",
                f"`{circuit.name}` has no source: nothing moves in it",
                (Label(circuit.span),),
                help="add a source, or let a storage start with a value other than zero",
                rule=f"{RULE}: at least one source",
            )
        )
    if found:
        raise CompileError(*found)


def moves(element: Element) -> bool:
    """A source, or a storage that is not empty at the start."""
    if element.kind in STORAGES:
        return bool(element.value("start") or element.value("q0") or not element.parameters)
    return element.kind in SOURCES


def _may_move(element: Element) -> bool:
    """Where springs begin is known only if walls and masses say so; none is called at rest."""
    return moves(element) or element.value("q0") is not None


def resting(graph: Graph) -> tuple[tuple[str, ...], ...]:
    """Elements of parts that hang together by bonds and in which nothing could ever move."""
    links: dict[str, list[str]] = {e.name: [] for e in graph.elements}
    for bond in graph.bonds:
        tail, head = bond.tail.vertex, bond.head.vertex
        links.setdefault(tail, []).append(head)
        links.setdefault(head, []).append(tail)
    elements = {e.name: e for e in graph.elements}
    seen: set[str] = set()
    found: list[tuple[str, ...]] = []
    for first in elements:
        if first in seen:
            continue
        seen.add(first)
        part = [first]
        for vertex in part:
            near = [other for other in dict.fromkeys(links[vertex]) if other not in seen]
            seen.update(near)
            part += near
        if not any(_may_move(elements[name]) for name in part if name in elements):
            inside = set(part)
            found.append(tuple(name for name in elements if name in inside))
    return tuple(found)


def _self_connections(circuit: Graph) -> list[Diagnostic]:
    ports = {
        frozenset((port.positive, port.negative)): element
        for element in circuit.elements
        for port in element.ports
        if port.negative
    }
    found: list[Diagnostic] = []
    for wire in circuit.wires:
        element = ports.get(frozenset((wire.left, wire.right)))
        if element is None and not _names_one_twice(wire):
            continue
        name = element.name if element is not None else wire.left
        found.append(
            Diagnostic(
                "E106",
                f"`{name}` is connected to itself",
                (Label(wire.span),),
                help="remove the connection; a short-circuited element takes no part",
                rule=f"{RULE}: connections from a component to itself",
            )
        )
    return found


def _names_one_twice(wire: Wire) -> bool:
    """`connect(R.p, R.p)` as written; in a loop `connect(r[k].n, r[1].n)` is fine, also for k = 1."""
    if wire.left != wire.right:
        return False
    ends = re.fullmatch(r"connect\s*\(\s*(.+?)\s*,\s*(.+?)\s*\)", wire.span.text)
    return ends is None or ends[1] == ends[2]


def check(graph: Graph) -> Graph:
    """The promise of each stage; a breach is our own mistake."""
    order = list(Stage)
    reached = order.index(graph.stage)
    names = [e.name for e in graph.elements] + [j.name for j in graph.junctions]
    assert len(names) == len(set(names)), "names differ"
    known = set(names)
    for bond in graph.bonds:
        assert {bond.tail.vertex, bond.head.vertex} <= known, bond
        assert bond.is_directed == (reached >= order.index(Stage.DIRECTED)), bond
        if reached < order.index(Stage.CAUSAL):
            assert bond.stroke is Stroke.NONE, bond
    if reached >= order.index(Stage.ZEROS):
        assert not graph.wires, "wires have become junctions"
    if graph.stage is Stage.ZEROS:
        _check_pins(graph)
    if reached >= order.index(Stage.GROUNDED):
        assert not any(j.is_ground for j in graph.junctions), "grounds are gone"
        assert not any(e.kind is Kind.GROUND for e in graph.elements), "grounds are gone"
    return graph


def _check_pins(graph: Graph) -> None:
    """Every connector is at one junction, and what is measured against the reference finds it."""
    pins = [pin for j in graph.junctions for pin in j.pins]
    assert len(pins) == len(set(pins)), "a connector is at one junction only"
    at, names = set(pins), {j.name for j in graph.junctions}
    for element in graph.elements:
        for port in element.ports:
            assert port.positive in at, f"`{port.positive}` is at no junction"
            if port.negative:
                assert port.negative in at, f"`{port.negative}` is at no junction"
            elif element.kind is not Kind.GROUND:
                assert REFERENCE + port.domain in names, f"`{REFERENCE}{port.domain}` is not there"
