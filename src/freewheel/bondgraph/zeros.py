"""Step 1: a junction for each potential, by transitive closure over the wires.

    wires V.p-R.p, R.n-C.p, R.n-I.p     ->   $n1 {V.p, R.p}, $n2 {R.n, C.p, I.p}, ...

The result depends on which connectors are connected, not on how: sets are numbered by the order of
the elements. In mechanics the common variable is the flow and the junction a 1-junction (domains.py).
A Junction0 that the modeller drew is such a set already and gives it its name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from freewheel.bondgraph.domains import NODE_KIND
from freewheel.bondgraph.nodes import (
    Bond,
    Domain,
    Element,
    End,
    Graph,
    Junction,
    Kind,
    Port,
    Stage,
)

REFERENCE = "$reference."

Root = Callable[[str], str]


def insert_zeros(circuit: Graph) -> Graph:
    """Connected connectors become one junction; every connector of an element touches one."""
    assert circuit.stage is Stage.GRAPH
    drawn = [e for e in circuit.elements if e.kind is Kind.ZERO]
    elements = tuple(e for e in circuit.elements if e.kind is not Kind.ZERO)
    root = closure(
        [
            *((wire.left, wire.right) for wire in circuit.wires),
            *((e.ports[0].positive, port.positive) for e in drawn for port in e.ports),
        ]
    )
    sets = _sets(circuit.elements, root)
    names = {first: f"$n{number}" for number, first in enumerate(sets, 1)}
    names.update({root(port.positive): e.name for e in drawn for port in e.ports})
    grounds = {root(e.ports[0].positive) for e in elements if e.kind is Kind.GROUND}
    junctions = [
        Junction(names[first], NODE_KIND[domain], domain, first in grounds, tuple(pins))
        for first, (domain, pins) in sets.items()
    ]
    junctions += [
        Junction(REFERENCE + domain, NODE_KIND[domain], domain, is_ground=True)
        for domain in _references(elements)
    ]
    bonds = _bonds(elements, names, root)
    return replace(
        circuit,
        stage=Stage.ZEROS,
        elements=elements,
        wires=(),
        junctions=tuple(junctions),
        bonds=tuple(bonds),
    )


def closure(pairs: Iterable[tuple[str, str]]) -> Root:
    """Who stands for each connector: the first of its set."""
    above: dict[str, str] = {}

    def root(pin: str) -> str:
        while above.get(pin, pin) != pin:
            above[pin] = above.get(above[pin], above[pin])
            pin = above[pin]
        return pin

    for left, right in pairs:
        a, b = root(left), root(right)
        if a != b:
            above[b] = a
    return root


def _sets(elements: Sequence[Element], root: Root) -> dict[str, tuple[Domain, list[str]]]:
    """Connectors of elements by the set they are in, in order of the elements."""
    sets: dict[str, tuple[Domain, list[str]]] = {}
    for element in elements:
        for port in element.ports:
            for pin in pins_of(port):
                sets.setdefault(root(pin), (port.domain, []))[1].append(pin)
    return {first: (domain, list(dict.fromkeys(pins))) for first, (domain, pins) in sets.items()}


def pins_of(port: Port) -> tuple[str, ...]:
    return (port.positive, port.negative) if port.negative else (port.positive,)


def _references(elements: Sequence[Element]) -> list[Domain]:
    """Domains in which some element is measured against the reference."""
    return list(
        dict.fromkeys(
            port.domain
            for element in elements
            for port in element.ports
            if not port.negative and element.kind is not Kind.GROUND
        )
    )


def _bonds(elements: Sequence[Element], names: dict[str, str], root: Root) -> list[Bond]:
    bonds: list[Bond] = []
    for element in elements:
        for port in element.ports:
            for pin in pins_of(port):
                tail = End(element.name, pin.removeprefix(element.name + "."))
                bonds.append(Bond(len(bonds) + 1, tail, End(names[root(pin)])))
            if not port.negative and element.kind is not Kind.GROUND:
                head = End(REFERENCE + port.domain)
                bonds.append(Bond(len(bonds) + 1, End(element.name, "-"), head))
    return bonds
