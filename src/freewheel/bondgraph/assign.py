"""Step 6: the sequential causality assignment procedure of Karnopp and Rosenberg.

    fixed        sources say their effort or flow
    constrained  junctions, transformers and gyrators pass on what follows
    preferred    storages integrate: a C gives effort, an I gives flow
    arbitrary    what is still open begins at a switch or a resistor; each such choice is a loop

A storage whose bond is decided the other way when its turn comes is dependent. Where a preferred or
free choice would break a rule, the other one is taken.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from freewheel.bondgraph.nodes import STORAGES, VALVES, Kind
from freewheel.bondgraph.strokes import BrokenRuleError, Strokes, Web

# Kinds that give effort: the stroke is at the far end. The others are given effort.
GIVES_EFFORT = {Kind.SE: True, Kind.SF: False, Kind.C: True, Kind.I: False}
Position = Mapping[str, bool]  # valves that are decided, and whether they are open


@dataclass(frozen=True, slots=True)
class Assignment:
    strokes: Strokes
    dependent: tuple[str, ...]  # storages
    clashes: tuple[tuple[str, str], ...]  # source, and the vertex where it broke a rule
    free: tuple[str, ...]  # elements at which a choice was arbitrary


def assign(web: Web, position: Position | None = None) -> Assignment:
    """Strokes for all bonds; valves in `position` count as sources of zero effort or flow."""
    work = _Assigner(web)
    decided = position or {}
    for name, kind in web.kinds.items():
        if kind in (Kind.SE, Kind.SF):
            work.fix(name, GIVES_EFFORT[kind])
    for name, is_open in decided.items():
        work.fix(name, not is_open)
    for name, kind in web.kinds.items():
        if kind in STORAGES:
            work.prefer(name, GIVES_EFFORT[kind])
    valves = [n for n, kind in web.kinds.items() if kind in VALVES and n not in decided]
    resistors = [n for n, kind in web.kinds.items() if kind is Kind.R]
    others = [n for n in web.kinds if n not in decided]
    for name in (*valves, *resistors, *others):
        work.choose(name)
    return Assignment(work.strokes, tuple(work.dependent), tuple(work.clashes), tuple(work.free))


class _Assigner:
    def __init__(self, web: Web) -> None:
        self._web = web
        self.dependent: list[str] = []
        self.clashes: list[tuple[str, str]] = []
        self.free: list[str] = []
        self.strokes = Strokes(web)
        try:
            self.strokes.spread()
        except BrokenRuleError as broken:
            self.clashes.append(("", broken.vertex))

    def _place(self, name: str, bond: int, gives_effort: bool) -> str:
        return self._web.far(bond, name) if gives_effort else name

    def fix(self, name: str, gives_effort: bool) -> None:
        for bond in self._web.touching[name]:
            try:
                self.strokes.put(bond, self._place(name, bond, gives_effort))
            except BrokenRuleError as broken:
                self.clashes.append((name, broken.vertex))

    def prefer(self, name: str, gives_effort: bool) -> None:
        for bond in self._web.touching[name]:
            wanted = self._place(name, bond, gives_effort)
            if self.strokes.is_open(bond) and self._try(bond, wanted):
                continue
            if self.strokes.is_open(bond):
                self._try(bond, self._place(name, bond, not gives_effort))
            if self.strokes.at(bond) != wanted and name not in self.dependent:
                self.dependent.append(name)

    def choose(self, name: str) -> None:
        """An element is given effort, if it can choose."""
        for bond in self._web.touching[name]:
            if self.strokes.is_open(bond):
                self.free.append(name)
                if not self._try(bond, name):
                    self._try(bond, self._web.far(bond, name))

    def _try(self, bond: int, vertex: str) -> bool:
        try:
            self.strokes.put(bond, vertex)
        except BrokenRuleError:
            return False
        return True
