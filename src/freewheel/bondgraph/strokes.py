"""Causal strokes under construction: what one decided bond says about its neighbours.

    a 0-junction is told its effort by exactly one bond     (one stroke at it)
    a 1-junction is told its flow by exactly one bond       (all strokes but one at it)
    a transformer passes the effort on                      (a stroke at one of its ports)
    a gyrator turns effort into flow                        (strokes at both ports, or at none)

`put` adds all strokes that follow from one, or none where a rule would be broken.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from freewheel.bondgraph.nodes import VALVES, Bond, Element, Graph, Kind


@dataclass(frozen=True, slots=True)
class Web:
    """Who touches which bonds: numbers into `bonds`."""

    bonds: tuple[Bond, ...]
    kinds: Mapping[str, Kind]
    touching: Mapping[str, tuple[int, ...]]
    # Valves, each with the positions (open?) in which it is ideal: it asks for nothing there.
    ideal: Mapping[str, frozenset[bool]]

    def far(self, bond: int, vertex: str) -> str:
        return self.bonds[bond].other(vertex).vertex


def web_of(graph: Graph) -> Web:
    kinds = {e.name: e.kind for e in graph.elements} | {j.name: j.kind for j in graph.junctions}
    touching: dict[str, list[int]] = {name: [] for name in kinds}
    for number, bond in enumerate(graph.bonds):
        touching[bond.tail.vertex].append(number)
        touching[bond.head.vertex].append(number)
    for element in graph.elements:  # bonds of two-ports in the order of their ports
        touching[element.name].sort(key=lambda k: _port(graph.bonds[k], element.name))
    return Web(
        graph.bonds,
        kinds,
        {name: tuple(found) for name, found in touching.items()},
        {e.name: ideal_positions(e) for e in graph.elements if e.kind in VALVES},
    )


def ideal_positions(valve: Element) -> frozenset[bool]:
    """Open (true) without a leak, closed (false) without a resistance."""
    positions = ((True, valve.value("Goff")), (False, valve.value("Ron")))
    return frozenset(is_open for is_open, loss in positions if not loss)


def _port(bond: Bond, name: str) -> str:
    return bond.tail.port if bond.tail.vertex == name else bond.head.port


class BrokenRuleError(Exception):
    """Two neighbours want a stroke at different ends; `vertex` is where it shows."""

    def __init__(self, vertex: str) -> None:
        super().__init__(vertex)
        self.vertex = vertex


class Strokes:
    """For each bond the vertex that is told the effort, or "" while it is open."""

    def __init__(self, web: Web) -> None:
        self.web = web
        self._at = [""] * len(web.bonds)

    def at(self, bond: int) -> str:
        return self._at[bond]

    def is_open(self, bond: int) -> bool:
        return not self._at[bond]

    def put(self, bond: int, vertex: str) -> None:
        """The stroke of `bond` at `vertex`, and all that follows; raises BrokenRuleError and then has
        changed nothing."""
        done: list[int] = []
        try:
            self._set(bond, vertex, vertex, done)
            ends = self.web.bonds[bond]
            self._spread([ends.tail.vertex, ends.head.vertex], done)
        except BrokenRuleError:
            self._undo(done)
            raise

    def spread(self) -> None:
        """What follows from the kinds of vertices alone, as for a junction with one bond."""
        done: list[int] = []
        try:
            self._spread(list(self.web.kinds), done)
        except BrokenRuleError:
            self._undo(done)
            raise

    # ------------------------------------------------------------ inside

    def _set(self, bond: int, vertex: str, cause: str, done: list[int]) -> bool:
        if self._at[bond]:
            if self._at[bond] != vertex:
                raise BrokenRuleError(cause)
            return False
        self._at[bond] = vertex
        done.append(bond)
        return True

    def _undo(self, done: list[int]) -> None:
        for bond in done:
            self._at[bond] = ""

    def _spread(self, queue: list[str], done: list[int]) -> None:
        while queue:
            vertex = queue.pop()
            for bond, place in self._follows(vertex):
                if self._set(bond, place, vertex, done):
                    queue.append(self.web.far(bond, vertex))
                    queue.append(vertex)

    def _follows(self, vertex: str) -> list[tuple[int, str]]:
        kind = self.web.kinds[vertex]
        bonds = self.web.touching[vertex]
        if kind in (Kind.ZERO, Kind.ONE):
            return self._of_junction(vertex, kind, bonds)
        if kind in (Kind.TF, Kind.GY) and len(bonds) == 2:
            return self._of_two_port(vertex, kind, bonds)
        return []

    def _of_junction(
        self, vertex: str, kind: Kind, bonds: tuple[int, ...]
    ) -> list[tuple[int, str]]:
        """One bond decides: at a 0 the one with its stroke here, at a 1 the one without."""

        def decides(bond: int) -> bool:
            return (self._at[bond] == vertex) == (kind is Kind.ZERO)

        known = [b for b in bonds if self._at[b]]
        deciding = [b for b in known if decides(b)]
        if len(deciding) > 1 or (bonds and len(known) == len(bonds) and not deciding):
            raise BrokenRuleError(vertex)
        rest = [b for b in bonds if not self._at[b]]
        is_zero = kind is Kind.ZERO
        if deciding:
            return [(b, self.web.far(b, vertex) if is_zero else vertex) for b in rest]
        if len(rest) == 1:
            return [(rest[0], vertex if is_zero else self.web.far(rest[0], vertex))]
        return []

    def _of_two_port(
        self, vertex: str, kind: Kind, bonds: tuple[int, ...]
    ) -> list[tuple[int, str]]:
        found: list[tuple[int, str]] = []
        for one, other in (bonds, bonds[::-1]):
            if self._at[one]:
                is_here = (self._at[one] == vertex) == (kind is Kind.GY)
                found.append((other, vertex if is_here else self.web.far(other, vertex)))
        return found
