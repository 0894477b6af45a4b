"""Switches and diodes: in which position they leave which storage without a state.

    a diode in series with an inductor      open: the inductor is dependent

An ideal valve is a source of zero effort while it is closed and of zero flow while it is open, so its
causality changes. One that leaks or has a resistance behaves like a resistor there and binds nothing.
Positions are tried one by one, in pairs, then whole ones (`cases.py`); what is told is always the fewest
valves that do it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from freewheel.bondgraph.assign import Assignment, assign
from freewheel.bondgraph.cases import Case, shrunk, small_cases, whole_positions
from freewheel.bondgraph.nodes import SOURCES, STORAGES, VALVES, Clash, Graph, Release
from freewheel.bondgraph.signals import Signals, input_of
from freewheel.bondgraph.strokes import Web


@dataclass(frozen=True, slots=True)
class Positions:
    """What the positions of valves change."""

    releases: tuple[Release, ...] = ()
    clashes: tuple[Clash, ...] = ()
    variable: frozenset[int] = frozenset()  # bonds, from zero on, whose stroke moves


def positions_of(graph: Graph, web: Web, base: Assignment) -> Positions:
    valves = [e.name for e in graph.elements if e.kind in VALVES]
    if not valves:
        return Positions()
    choices = {name: sorted(web.ideal[name]) for name in valves if web.ideal[name]}
    trials = _Trials(web, base)
    moved = {k for name in valves for k in web.touching[name]}
    for case in small_cases(choices):
        found = trials.hear(case)
        if len(case) == 1:
            moved |= {k for k in range(len(web.bonds)) if _has_moved(k, base, found)}
    if len(choices) > 2:
        for case in whole_positions(choices, trials.is_barred, len(web.bonds)):
            trials.hear(case)
    return Positions(tuple(trials.releases), tuple(trials.clashes), frozenset(moved))


def _has_moved(bond: int, base: Assignment, found: Assignment) -> bool:
    return base.strokes.at(bond) != found.strokes.at(bond)


class _Trials:
    """What each case adds to the cases that it contains."""

    def __init__(self, web: Web, base: Assignment) -> None:
        self._web = web
        self._base = base
        self.releases: list[Release] = []
        self.clashes: list[Clash] = []

    def is_barred(self, case: Case) -> bool:
        """Sources contradict there: nothing more can be said."""
        return any(set(clash.position) <= set(case) for clash in self.clashes)

    def hear(self, case: Case) -> Assignment:
        found = assign(self._web, dict(case))
        if self.is_barred(case):
            return found
        if self._clash(found) is not None:
            self._keep_clash(shrunk(case, lambda c: self._clash(self._assigned(c)) is not None))
            return found
        known = {n for r in self.releases if set(r.position) <= set(case) for n in r.storages}
        for name in found.dependent:
            if name not in self._base.dependent and name not in known:
                self._keep_release(name, case)
        return found

    def _assigned(self, case: Case) -> Assignment:
        return assign(self._web, dict(case))

    def _clash(self, found: Assignment) -> Clash | None:
        """Two valves that say zero to each other contradict nobody: a source takes part."""
        for late in found.clashes[len(self._base.clashes) :]:
            clash = clash_of(self._web, found, *late)
            if clash.sources:
                return clash
        return None

    def _keep_clash(self, case: Case) -> None:
        clash = self._clash(self._assigned(case))
        assert clash is not None
        self.clashes.append(replace(clash, position=case))

    def _keep_release(self, name: str, case: Case) -> None:
        case = shrunk(case, lambda c: name in self._assigned(c).dependent)
        tied = _tied(name, self._web, self._assigned(case))
        for place, other in enumerate(self.releases):
            if other.position == case:
                both = (*other.storages, name)
                left = dict.fromkeys((*other.tied, *tied))
                told = Release(case, both, tuple(n for n in left if n not in both))
                self.releases[place] = told
                return
        self.releases.append(Release(case, (name,), tied))


def _tied(name: str, web: Web, found: Assignment) -> tuple[str, ...]:
    signals = Signals(web, found.strokes)
    told = signals.weights(input_of(name, web, found.strokes))
    return tuple(other for other in told if web.kinds.get(other) in STORAGES and other != name)


def clash_of(web: Web, found: Assignment, late: str, vertex: str) -> Clash:
    """Who says the effort or flow that `late` wanted to say."""
    if not late:
        return Clash((), vertex)
    signals = Signals(web, found.strokes)
    told = signals.weights(input_of(late, web, found.strokes))
    return Clash(tuple(n for n in (late, *told) if web.kinds.get(n) in SOURCES), vertex)
