"""Ambiguous events in words: what an event chose, and what it could have chosen as well.

    ambiguity = Ambiguity(discrete)
    ambiguity.tell(t, before, taken, other)     # at most one warning for the same components

Ambiguous events are found by `events/ambiguity_kernels.py`. Models without loops of equations behind their
relations are not looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from freewheel.base.diagnostics import Diagnostic
from freewheel.runtime.diagnostics import listed, several_ways
from freewheel.runtime.events.discrete import Discrete
from freewheel.runtime.live import Slots
from freewheel.runtime.model import CompiledModel, Mask, Vector, once, slots_of
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
            self.components = once(_components, discrete.live.model)

    @property
    def to_watch(self) -> tuple[Sequence[int], int]:
        """Component of each discrete value, events to look at."""
        if not self.is_possible:
            return (), 0
        return self.components.watched, self.components.looks

    def state(self) -> list[Any]:
        return [[list(apart), told] for apart, told in self.warnings.items()]

    def take_state(self, saved: Sequence[Any]) -> None:
        """Of a run that was saved."""
        self.warnings = {tuple(apart): told for apart, told in saved}

    def tell(self, t: float, before: Vector, taken: Vector, other: Vector) -> None:
        """Memories before the event at `t`, and a moment after it by the two ways."""
        values, known = self.discrete.values, self.components
        differs = (taken[values] != other[values]) & known.told
        changed = (taken[values] != before[values]) & known.told
        apart, involved = (
            tuple(dict.fromkeys(known.homes[n] for n in known.home[mask].tolist()))
            for mask in (differs, differs | changed)
        )
        if apart not in self.warnings:
            numbers = np.flatnonzero(differs).tolist()
            said = self._said(numbers, taken), self._said(numbers, other)
            self.warnings[apart] = several_ways(t, involved, *said)

    def _said(self, numbers: list[int], memory: Vector) -> str:
        """`f1.Backward, f2.Sticking`: what is true; numbers with their value."""
        said: list[str] = []
        names = self.components.names
        types = {v.slot: v.type for v in self.discrete.live.model.variables}
        for n in numbers:
            slot = int(self.discrete.values[n])
            value = memory[slot]
            if types.get(slot) != "Boolean":
                said.append(f"{names[n]} = {value:g}")
            elif value >= 0.5:
                said.append(names[n])
        return listed(said) or "nothing of that"


@dataclass(frozen=True, slots=True)
class Components:
    """Of discrete values, in their order."""

    names: tuple[str, ...]  # of the values; empty: nobody is told of it
    homes: tuple[str, ...]  # of all components
    home: Slots
    told: Mask
    watched: tuple[int, ...]  # number of the component, -1: nobody is told
    looks: int  # events to look at


def _components(model: CompiledModel) -> Components:
    by_slot = {v.slot: v for v in reversed(model.variables)}
    known = [by_slot.get(slot) for slot, _ in model.discrete]
    names = tuple("" if v is None or v.type == "Real" else v.name for v in known)
    order: dict[str, int] = {}
    home = [order.setdefault(name.rpartition(".")[0], len(order)) for name in names]
    watched = tuple(n if name else -1 for n, name in zip(home, names, strict=True))
    looks = AMBIGUITY.most_events if len({*watched} - {-1}) > 1 else 0
    told = np.array([bool(name) for name in names], dtype=np.bool_)
    return Components(names, tuple(order), slots_of(home), told, watched, looks)
