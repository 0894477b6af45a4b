"""Ambiguous events in words: what an event chose, and what it could have chosen as well.

    ambiguity = Ambiguity(discrete)
    ambiguity.tell(t, before, taken, other)     # at most one warning for the same components

Ambiguous events are found by `events/ambiguity_kernels.py`. Models without loops of equations behind their
relations are not looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from freewheel.base.diagnostics import Diagnostic
from freewheel.runtime.diagnostics import listed, several_ways
from freewheel.runtime.events.discrete import Discrete
from freewheel.runtime.model import Vector
from freewheel.runtime.thresholds import AMBIGUITY


class Ambiguity:
    def __init__(self, discrete: Discrete) -> None:
        self.discrete = discrete
        # Forces that depend on each other lead to relations; what only moves tokens has one way.
        # An implicit core chooses by itself, and what is tried would disturb it.
        self.is_possible = not discrete.live.core.is_there and any(
            r.is_behind_loop for r in discrete.live.model.relations
        )
        self.warnings: dict[tuple[str, ...], Diagnostic] = {}
        if self.is_possible:
            self._name_components()

    def _name_components(self) -> None:
        discrete, live = self.discrete, self.discrete.live
        by_slot = {v.slot: v for v in reversed(live.model.variables)}
        known = [by_slot.get(int(slot)) for slot in discrete.values]
        self.names = ["" if v is None or v.type == "Real" else v.name for v in known]
        homes = [name.rpartition(".")[0] for name in self.names]
        order = {home: n for n, home in enumerate(dict.fromkeys(homes))}
        self.home = np.array([order[home] for home in homes], dtype=np.intp)
        self.told = np.array([bool(name) for name in self.names], dtype=np.bool_)
        self.homes = [*order]

    @property
    def to_watch(self) -> tuple[list[int], int]:
        """Component of each discrete value, events to look at."""
        if not self.is_possible:
            return [], 0
        homes = np.where(self.told, self.home, -1).tolist()
        looks = AMBIGUITY.most_events if len({*homes} - {-1}) > 1 else 0
        return homes, looks

    def state(self) -> list[Any]:
        return [[list(apart), told] for apart, told in self.warnings.items()]

    def take_state(self, saved: Sequence[Any]) -> None:
        """Of a run that was saved."""
        self.warnings = {tuple(apart): told for apart, told in saved}

    def tell(self, t: float, before: Vector, taken: Vector, other: Vector) -> None:
        """Memories before the event at `t`, and a moment after it by the two ways."""
        values = self.discrete.values
        differs = (taken[values] != other[values]) & self.told
        changed = (taken[values] != before[values]) & self.told
        apart, involved = (
            tuple(dict.fromkeys(self.homes[n] for n in self.home[mask].tolist()))
            for mask in (differs, differs | changed)
        )
        if apart not in self.warnings:
            numbers = np.flatnonzero(differs).tolist()
            said = self._said(numbers, taken), self._said(numbers, other)
            self.warnings[apart] = several_ways(t, involved, *said)

    def _said(self, numbers: list[int], memory: Vector) -> str:
        """`f1.Backward, f2.Sticking`: what is true; numbers with their value."""
        said: list[str] = []
        types = {v.slot: v.type for v in self.discrete.live.model.variables}
        for n in numbers:
            slot = int(self.discrete.values[n])
            value = memory[slot]
            if types.get(slot) != "Boolean":
                said.append(f"{self.names[n]} = {value:g}")
            elif value >= 0.5:
                said.append(self.names[n])
        return listed(said) or "nothing of that"
