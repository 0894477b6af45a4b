"""The causal graph read as a block diagram: who computes which effort or flow from which.

    0-junction:   effort of a bond   <-  effort of the deciding bond
                  flow of the deciding bond  <-  flows of all others
    resistor:     flow <- effort, or effort <- flow

Signal 2k is the effort of bond k, 2k + 1 its flow. The effort is computed at the end without the
stroke, the flow at the end with it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

from freewheel.bondgraph.nodes import JUNCTIONS, TWO_PORTS, VALVES, Kind
from freewheel.bondgraph.strokes import Strokes, Web
from freewheel.graphs.components import components, components_from

SOME_MODULUS = 0.7310585786300049  # no ratio that circuits are made of


def effort(bond: int) -> int:
    return 2 * bond


def flow(bond: int) -> int:
    return 2 * bond + 1


class Signals:
    """`needs[s]` lists the signals that `s` is computed from; integrating storages need none."""

    def __init__(self, web: Web, strokes: Strokes) -> None:
        self._web = web
        self._strokes = strokes
        self.producer: list[str] = []
        for number in range(len(web.bonds)):
            told = strokes.at(number)
            teller = web.far(number, told) if told else ""
            self.producer += [teller, told]
        self.needs = [self._needs(signal) for signal in range(len(self.producer))]

    def _needs(self, signal: int) -> list[int]:
        vertex = self.producer[signal]
        if not vertex:
            return []
        kind = self._web.kinds[vertex]
        bond, is_flow = divmod(signal, 2)
        if kind in (Kind.ZERO, Kind.ONE):
            return self._of_junction(vertex, kind, bond, bool(is_flow))
        if kind in (Kind.TF, Kind.GY):
            return self._of_two_port(vertex, kind, bond, bool(is_flow))
        if kind in VALVES and bool(is_flow) in self._web.ideal[vertex]:
            return []
        if kind is Kind.R or kind in VALVES:
            return [effort(bond) if is_flow else flow(bond)]
        return []

    def _of_junction(self, vertex: str, kind: Kind, bond: int, is_flow: bool) -> list[int]:
        others = [b for b in self._web.touching[vertex] if b != bond]
        which = flow if is_flow else effort
        if is_flow == (kind is Kind.ZERO):  # the balance, solved for the deciding bond
            return [which(b) for b in others]
        decides = [b for b in others if (self._strokes.at(b) == vertex) == (kind is Kind.ZERO)]
        return [which(b) for b in decides]

    def _of_two_port(self, vertex: str, kind: Kind, bond: int, is_flow: bool) -> list[int]:
        others = [b for b in self._web.touching[vertex] if b != bond]
        if not others:
            return []
        turned = is_flow != (kind is Kind.GY)
        return [flow(others[0]) if turned else effort(others[0])]

    # ------------------------------------------------------------ questions

    def circles(self) -> list[list[int]]:
        """Signals that need themselves: algebraic loops."""
        return [block for block in components(self.needs) if len(block) > 1]

    def weights(self, start: int) -> dict[str, float]:
        """How much each element at the ends of all paths adds to a signal.

        What reaches it twice with opposite signs adds nothing. Paths end where an element computes;
        moduli of transformers count as some number.
        """
        total: dict[int, dict[str, float]] = {}
        for block in components_from(self.needs, [start]):
            for signal in block:
                own = self.producer[signal]
                if len(block) > 1 or not self._is_passed_on(signal):
                    total[signal] = {own: 1.0}
                    continue
                sums: dict[str, float] = {}
                for need in self.needs[signal]:
                    factor = self._factor(signal, need)
                    for name, value in total[need].items():
                        sums[name] = sums.get(name, 0.0) + factor * value
                total[signal] = {name: value for name, value in sums.items() if abs(value) > 1e-9}
        return total[start]

    def _is_passed_on(self, signal: int) -> bool:
        vertex = self.producer[signal]
        return bool(vertex) and self._web.kinds[vertex] in (*JUNCTIONS, *TWO_PORTS)

    def _factor(self, signal: int, need: int) -> float:
        vertex = self.producer[signal]
        kind = self._web.kinds[vertex]
        if kind in TWO_PORTS:
            return SOME_MODULUS
        if bool(signal % 2) != (kind is Kind.ZERO):
            return 1.0  # the common effort or flow
        heads = [self._web.bonds[s // 2].head.vertex == vertex for s in (signal, need)]
        return -1.0 if heads[0] == heads[1] else 1.0

    def shortest(self, start: int, is_end: Callable[[int], bool]) -> list[int]:
        """From `start` along needs to the nearest end, both included; empty if there is none."""
        came = {start: -1}
        queue = deque([start])
        while queue:
            signal = queue.popleft()
            for need in self.needs[signal]:
                if is_end(need):
                    path = [need, signal]
                    while came[path[-1]] >= 0:
                        path.append(came[path[-1]])
                    return path[::-1]
                if need not in came:
                    came[need] = signal
                    queue.append(need)
        return []

    def origins(self, start: int) -> list[int]:
        """Signals that need nothing, of those that `start` comes from; nearest first."""
        seen = [start]
        known = {start}
        for signal in seen:
            for need in self.needs[signal]:
                if need not in known:
                    known.add(need)
                    seen.append(need)
        return [s for s in seen if not self.needs[s]]

    def vertices(self, path: Sequence[int]) -> tuple[str, ...]:
        """The places a path leads through, without repetition of neighbours."""
        names: list[str] = []
        for signal in path:
            name = self.producer[signal]
            if not names or names[-1] != name:
                names.append(name)
        return tuple(names)


def input_of(storage: str, web: Web, strokes: Strokes) -> int:
    """The signal a storage is given."""
    bond = web.touching[storage][0]
    return effort(bond) if strokes.at(bond) == storage else flow(bond)
