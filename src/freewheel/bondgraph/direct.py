"""Step 3: which way power counts as positive.

    in:   $n1 -> $R -> R,  $R -> $n2          out:   V -> $V -> $n1,  $n3 -> $V

Power leaves sources and enters everything that stores or dissipates; both ports of a transformer or
gyrator of the electrical library count power in (Wainer and D'Abreu, Fig. 13). Between a port and its two
potentials the direction follows from the signs of its connectors: exchanging the pins of a capacitor
turns those bonds around.
"""

from __future__ import annotations

from dataclasses import replace

from freewheel.bondgraph.nodes import Bond, End, Graph, Kind, Stage
from freewheel.bondgraph.ones import POSITIVE, port_junction

IN, OUT = "i", "o"  # ports of a junction that the modeller drew
DRAWN = (IN, OUT)


def direct(graph: Graph) -> Graph:
    assert graph.stage is Stage.ONES
    out = _outward(graph)
    return replace(
        graph,
        stage=Stage.DIRECTED,
        bonds=tuple(_directed(bond, out.get(bond.head.vertex, False)) for bond in graph.bonds),
    )


def _outward(graph: Graph) -> dict[str, bool]:
    """Junctions of ports, and whether power leaves their element."""
    found = {
        port_junction(element, number): port.is_out
        for element in graph.elements
        for number, port in enumerate(element.ports, 1)
    }
    # The ports of a junction that the modeller drew tell it by their names.
    drawn = [j.name for j in graph.junctions if not j.name.startswith("$") and j.kind is Kind.ONE]
    for bond in graph.bonds:
        if bond.tail.vertex in drawn:
            found[bond.head.vertex] = bond.tail.port == OUT
    return found


def _directed(bond: Bond, is_out: bool) -> Bond:
    """Undirected bonds are written towards the junction of the port."""
    goes_to_port = is_out != (bond.head.port == POSITIVE)
    port = "" if bond.tail.port in DRAWN else bond.tail.port
    tail, head = End(bond.tail.vertex, port), End(bond.head.vertex)
    if not goes_to_port:
        tail, head = head, tail
    return replace(bond, tail=tail, head=head, is_directed=True)
