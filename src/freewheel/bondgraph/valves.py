"""Switches and diodes: in which position they leave which storage without a state.

    a diode in series with an inductor      open: the inductor is dependent

An ideal valve is a source of zero effort while it is closed and of zero flow while it is open, so its
causality changes. One that leaks or has a resistance behaves like a resistor there and binds nothing.
Positions are tried one by one, in pairs, and all open or all closed; what else valves do only together,
the simulation finds when such a position occurs (structure/branches).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from freewheel.bondgraph.assign import Assignment, assign
from freewheel.bondgraph.nodes import SOURCES, STORAGES, VALVES, Clash, Graph, Release
from freewheel.bondgraph.signals import Signals, input_of
from freewheel.bondgraph.strokes import Web

MOST_IN_PAIRS = 16  # valves; with more only single positions are tried

Case = tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True)
class Positions:
    """What the positions of valves change."""

    releases: tuple[Release, ...] = ()
    clashes: tuple[Clash, ...] = ()
    variable: frozenset[int] = frozenset()  # bonds, from zero on, whose stroke moves


def positions_of(graph: Graph, web: Web, base: Assignment) -> Positions:
    valves = [e.name for e in graph.elements if e.kind in VALVES]
    cases: list[Case] = [
        ((name, is_open),)
        for name in valves
        for is_open in (False, True)
        if is_open in web.ideal[name]
    ]
    moved = {k for name in valves for k in web.touching[name]}
    for case in cases:
        strokes = assign(web, dict(case)).strokes
        moved |= {k for k in range(len(web.bonds)) if base.strokes.at(k) != strokes.at(k)}
    if len(valves) <= MOST_IN_PAIRS:
        cases += list(_pairs(cases))
    cases += [case for is_open in (False, True) if len(case := _all(valves, is_open, web)) > 2]
    releases, clashes = _told(cases, web, base)
    return Positions(tuple(releases), tuple(clashes), frozenset(moved))


def _all(valves: Sequence[str], is_open: bool, web: Web) -> Case:
    return tuple((name, is_open) for name in valves if is_open in web.ideal[name])


def _told(cases: Sequence[Case], web: Web, base: Assignment) -> tuple[list[Release], list[Clash]]:
    """What each case adds to the cases that it contains, which come before it."""
    releases: list[Release] = []
    clashes: list[Clash] = []
    for case in cases:
        if any(set(clash.position) <= set(case) for clash in clashes):
            continue
        found = assign(web, dict(case))
        known = {n for r in releases if set(r.position) < set(case) for n in r.storages}
        new = [n for n in found.dependent if n not in base.dependent and n not in known]
        if new:
            releases.append(Release(case, tuple(new), _tied(new, web, found)))
        for late in found.clashes[len(base.clashes) :]:
            clash = clash_of(web, found, *late)
            if clash.sources:  # two valves that say zero to each other contradict nobody
                clashes.append(replace(clash, position=case))
                break
    return releases, clashes


def _tied(dependent: Sequence[str], web: Web, found: Assignment) -> tuple[str, ...]:
    signals = Signals(web, found.strokes)
    names = dict.fromkeys(
        other
        for name in dependent
        for other in signals.weights(input_of(name, web, found.strokes))
        if web.kinds.get(other) in STORAGES and other not in dependent
    )
    return tuple(names)


def clash_of(web: Web, found: Assignment, late: str, vertex: str) -> Clash:
    """Who says the effort or flow that `late` wanted to say."""
    if not late:
        return Clash((), vertex)
    signals = Signals(web, found.strokes)
    told = signals.weights(input_of(late, web, found.strokes))
    return Clash(tuple(n for n in (late, *told) if web.kinds.get(n) in SOURCES), vertex)


def _pairs(cases: Sequence[Case]) -> Iterator[Case]:
    for (one,), (other,) in combinations(cases, 2):
        if one[0] != other[0]:
            yield one, other
