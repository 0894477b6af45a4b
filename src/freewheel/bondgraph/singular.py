"""What strokes do not show: the rank of all equations at once.

    V beside W across a transformer: strokes can be put, but a loop of junctions has the gain 1
    V beside C across a transformer of ratio 1 in a mesh: likewise, C has no state of its own

Each bond has an effort and a flow, each vertex as many equations as bonds, so the system is square. It is
taken with general numbers, moduli as given, and storages at a general frequency: passive elements are
resistors then, and what is singular is so for the sake of sources and junctions. A combination of equations
that vanishes names the sources it needs. Then storages are let speak like sources, a C its effort and an
I its flow: one with which the equations become singular is told by those that spoke before it.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from freewheel.bondgraph.nodes import (
    JUNCTIONS,
    SOURCES,
    STORAGES,
    Bond,
    Clash,
    Dependence,
    Element,
    Graph,
    Kind,
)
from freewheel.bondgraph.strokes import Web

MOST_BONDS = 200  # the cost grows with the third power
TINY = 1e-10
SPEAKS_AS = {Kind.C: Kind.SE, Kind.I: Kind.SF}

Terms = list[tuple[int, float]]  # column and factor: 2k is the effort of bond k, 2k + 1 its flow


def contradictions(graph: Graph, web: Web) -> tuple[Clash, ...]:
    """At most one, with all sources that take part in it."""
    names = _contradicting(web, _moduli(graph), ())
    sources = tuple(name for name in names if web.kinds[name] in SOURCES)
    return (Clash(sources, names[0]),) if names else ()


def hidden_dependences(graph: Graph, web: Web, dependent: Sequence[str]) -> tuple[Dependence, ...]:
    """Storages without a state of their own besides `dependent`; sources contradict nowhere."""
    moduli = _moduli(graph)
    speaking = [n for n, kind in web.kinds.items() if kind in STORAGES and n not in dependent]
    if not _contradicting(web, moduli, speaking):
        return ()
    found: list[Dependence] = []
    heard: list[str] = []
    for name in speaking:
        names = _contradicting(web, moduli, (*heard, name))
        if not names:
            heard.append(name)
            continue
        tellers = [n for n in names if n in heard or web.kinds[n] in SOURCES]
        found.append(Dependence(name, tuple(tellers), ()))
    return tuple(found)


def _contradicting(web: Web, moduli: Mapping[str, float], speaking: Sequence[str]) -> list[str]:
    """Vertices whose equations together say nothing, or contradict; storages in `speaking` count as
    sources."""
    count = len(web.bonds)
    if not 0 < count <= MOST_BONDS:
        return []
    matrix = np.zeros((2 * count, 2 * count))
    owners: list[str] = []
    kinds = dict(web.kinds) | {n: SPEAKS_AS[web.kinds[n]] for n in speaking}
    for vertex, kind in kinds.items():
        for terms in _equations(vertex, kind, web, moduli):
            for column, factor in terms:
                matrix[len(owners), column] += factor
            owners.append(vertex)
    if len(owners) != 2 * count:
        return []  # a two-port that is connected on one side only
    return list(dict.fromkeys(owners[row] for row in _vanishing(matrix)))


def _moduli(graph: Graph) -> dict[str, float]:
    return {e.name: modulus for e in graph.elements if (modulus := _modulus(e)) is not None}


def _vanishing(matrix: NDArray[np.float64]) -> list[int]:
    """Rows of combinations that are zero."""
    left, sizes, _ = np.linalg.svd(matrix)
    null = left[:, sizes < TINY * sizes[0]]
    return [int(row) for row in np.flatnonzero(np.abs(null).max(axis=1, initial=0.0) > 1e-7)]


def _equations(vertex: str, kind: Kind, web: Web, moduli: Mapping[str, float]) -> Iterator[Terms]:
    bonds = web.touching[vertex]
    if kind in JUNCTIONS:
        yield from _of_junction(vertex, kind, bonds, web)
    elif len(bonds) == 2:
        modulus = moduli.get(vertex, _general(vertex))
        yield from _of_two_port(vertex, kind, bonds, web, modulus)
    else:
        for bond in bonds:
            yield _of_element(vertex, kind, bond)


def _of_junction(vertex: str, kind: Kind, bonds: tuple[int, ...], web: Web) -> Iterator[Terms]:
    common, balanced = (0, 1) if kind is Kind.ZERO else (1, 0)
    for bond in bonds[1:]:
        yield [(2 * bonds[0] + common, 1.0), (2 * bond + common, -1.0)]
    if bonds:
        yield [(2 * b + balanced, _sign(web.bonds[b], vertex)) for b in bonds]


def _sign(bond: Bond, vertex: str) -> float:
    return 1.0 if bond.head.vertex == vertex else -1.0


def _of_element(vertex: str, kind: Kind, bond: int) -> Terms:
    effort, flow = 2 * bond, 2 * bond + 1
    if kind is Kind.SE:
        return [(effort, 1.0)]
    if kind is Kind.SF:
        return [(flow, 1.0)]
    return [(effort, 1.0), (flow, -_general(vertex))]


def _of_two_port(
    vertex: str, kind: Kind, bonds: tuple[int, ...], web: Web, modulus: float
) -> Iterator[Terms]:
    """Power counts in at port 1 and out at port 2; a flow that counts in there has the other sign."""
    first, second = bonds
    sign = -_sign(web.bonds[second], vertex)
    if kind is Kind.GY:
        yield [(2 * first, 1.0), (2 * second + 1, -modulus * sign)]
        yield [(2 * second, 1.0), (2 * first + 1, -modulus)]
    elif kind is Kind.TF:
        yield [(2 * first, 1.0), (2 * second, -modulus)]
        yield [(2 * second + 1, sign), (2 * first + 1, -modulus)]
    else:  # a field of storages
        for bond in bonds:
            yield _of_element(f"{vertex}:{bond}", kind, bond)


def _modulus(element: Element) -> float | None:
    """As given: some circuits are singular with a ratio of one only."""
    inverse = element.value("g")
    if element.kind is Kind.GY and inverse:
        return 1.0 / inverse
    return element.value("n" if element.kind is Kind.TF else "r")


def _general(name: str) -> float:
    """Some number between a half and one and a half, the same in every run."""
    return 0.5 + zlib.crc32(name.encode()) / 2**32
