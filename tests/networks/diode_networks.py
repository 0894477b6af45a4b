"""Passive networks with many ideal diodes, at rest in the beginning; half of them with ties by symmetry.

    circuit = diode_network(17)
    circuit.text                # as of `random_circuits.py`

Of every second network all elements of a kind have the same value, and all sources the same phase: elements
reach their corners together, and positions that differ in the order of equal diodes are all right. All
storages are at zero, as they are in a model that says nothing of them. The same seed gives the same network
for ever.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from random_circuits import Circuit, Element

LOW, HIGH = {"R": 1.0, "L": 1e-3, "C": 1e-5}, {"R": 100.0, "L": 1e-1, "C": 1e-3}
EQUAL = {"R": 10.0, "L": 1e-2, "C": 1e-4}


def diode_network(seed: int, least_nodes: int = 4, most_nodes: int = 24) -> Circuit:
    """Every node hangs on a tree of elements; each source has a resistor in series."""
    random = Random(f"diodes {seed}")
    nodes = random.randint(least_nodes, most_nodes)
    near = random.choice((2, 4, nodes))  # ladders, ribbons, and anything
    edges = [(k, random.randrange(max(0, k - near), k)) for k in range(1, nodes)]
    edges += [_pair(random, nodes, near) for _ in range(random.randint(nodes // 2, 3 * nodes // 2))]
    is_even = seed % 2 == 0
    kinds = "RLC" + "LC" * random.randint(0, 1) + "D" * random.randint(1, 5)
    elements = [
        _element(random, random.choice(kinds), number, edge, is_even)
        for number, edge in enumerate(edges)
    ]
    for number in range(random.randint(1, 3)):
        one, other = _pair(random, nodes, nodes)
        phase = 0.0 if is_even else float(f"{random.uniform(-3, 3):.4g}")
        elements.append(Element("V", f"V{number}", (one, nodes), 10.0, phase))
        elements.append(Element("R", f"Rs{number}", (nodes, other), 1.0))
        nodes += 1
    return Circuit(f"Diodes{seed}", tuple(elements), nodes, stop=0.04)


def scaled(circuit: Circuit, impedance: float) -> Circuit:
    """The same network in other units: its currents are smaller by `impedance`."""
    factor = {"R": impedance, "L": impedance, "C": 1.0 / impedance}
    elements = [replace(e, value=e.value * factor.get(e.kind, 1.0)) for e in circuit.elements]
    return replace(circuit, elements=tuple(elements))


def permuted(circuit: Circuit, seed: int) -> Circuit:
    """The same network, its elements and nodes in another order."""
    random = Random(f"permuted {seed}")
    order = list(circuit.elements)
    random.shuffle(order)
    numbers = list(range(1, circuit.node_count))
    random.shuffle(numbers)
    node = {0: 0} | dict(zip(range(1, circuit.node_count), numbers, strict=True))
    moved = [replace(e, nodes=(node[e.nodes[0]], node[e.nodes[1]])) for e in order]
    return replace(circuit, elements=tuple(moved))


def _pair(random: Random, nodes: int, near: int) -> tuple[int, int]:
    """Two nodes whose numbers are no farther apart than `near`."""
    one = random.randrange(nodes)
    other = random.choice(
        [k for k in range(max(0, one - near), min(nodes, one + near + 1)) if k != one]
    )
    return (one, other) if random.random() < 0.5 else (other, one)


def _element(
    random: Random, kind: str, number: int, edge: tuple[int, int], is_even: bool
) -> Element:
    ends = edge if random.random() < 0.5 else edge[::-1]
    value = 0.0
    if kind in EQUAL:
        drawn = LOW[kind] * (HIGH[kind] / LOW[kind]) ** random.random()
        value = EQUAL[kind] if is_even else float(f"{drawn:.4g}")
    return Element(kind, f"{kind}{number}", ends, value)
