"""Step 2: a junction of the other kind for each port, between the two junctions of its connectors.

    V at $n1 and $n3      ->     V -- $V,   $n1 -- $V:+,   $n3 -- $V:-

The two connectors of a port are one thing from now on. An element with k ports gets k junctions; a
ground has none, it stays tied to its potential. A Junction1 of the modeller is a junction now.
"""

from __future__ import annotations

from dataclasses import replace

from freewheel.bondgraph.domains import NODE_KIND
from freewheel.bondgraph.nodes import Bond, Element, End, Graph, Junction, Kind, Port, Stage, dual
from freewheel.bondgraph.zeros import REFERENCE

POSITIVE, NEGATIVE = "+", "-"


def insert_ones(graph: Graph) -> Graph:
    assert graph.stage is Stage.ZEROS
    node_of = {pin: j.name for j in graph.junctions for pin in j.pins}
    junctions: list[Junction] = []
    bonds: list[Bond] = []
    for element in graph.elements:
        if element.kind is Kind.GROUND:
            pin = element.ports[0].positive
            bonds.append(Bond(len(bonds) + 1, End(element.name), End(node_of[pin])))
            continue
        if element.kind is Kind.ONE:
            junctions.append(Junction(element.name, Kind.ONE, element.ports[0].domain))
        for number, port in enumerate(element.ports, 1):
            name = port_junction(element, number)
            junctions.append(Junction(name, dual(NODE_KIND[port.domain]), port.domain))
            bonds.append(Bond(len(bonds) + 1, port_end(element, number), End(name)))
            for node, sign in _nodes(port, node_of):
                bonds.append(Bond(len(bonds) + 1, End(node), End(name, sign)))
    return replace(
        graph,
        stage=Stage.ONES,
        elements=tuple(e for e in graph.elements if e.kind is not Kind.ONE),
        junctions=(*(replace(j, pins=()) for j in graph.junctions), *junctions),
        bonds=tuple(bonds),
    )


def port_junction(element: Element, number: int) -> str:
    return f"${element.name}" + (f".{number}" if len(element.ports) > 1 else "")


def port_end(element: Element, number: int) -> End:
    """Ports of a junction have no number: power goes in or out, that is all."""
    if element.kind is Kind.ONE:
        return End(element.name, "o" if element.ports[number - 1].is_out else "i")
    return End(element.name, str(number) if len(element.ports) > 1 else "")


def _nodes(port: Port, node_of: dict[str, str]) -> tuple[tuple[str, str], tuple[str, str]]:
    """The junctions of both connectors, each with its sign."""
    negative = node_of[port.negative] if port.negative else REFERENCE + port.domain
    return (node_of[port.positive], POSITIVE), (negative, NEGATIVE)
