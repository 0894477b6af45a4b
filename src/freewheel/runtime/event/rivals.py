"""Could an event have ended otherwise? Then the model does not say what happens, and that is told.

    rivals = Rivals(discrete, rules, span)
    rivals.look(t, y, before)        # after an event; at most one warning for the same elements

Friction that sticks stronger than it slides can leave several ways open: two blocks that both may break
loose, or one of them, and each way agrees with all equations (document "Hybrid"; Glocker and Pfeiffer
1993). Which one is found depends on the order of iteration. So where several components have switched at
one event, the event is gone through again with one relation at a time taking its side, from the first to
the last and from the last to the first. If that settles elsewhere, and both are still apart after a small
step, both are legal. Models without loops of equations behind their relations are not looked at.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from freewheel.base.diagnostics import Diagnostic, SimulationError
from freewheel.runtime.event.agree import Rules, disagreeing, follow
from freewheel.runtime.event.detect import Mask
from freewheel.runtime.event.iterate import Discrete, evaluate_discrete, settle
from freewheel.runtime.failures import listed, several_ways
from freewheel.runtime.model import FINE, Vector

MOST_LOOKS, MOST_ROUNDS = 50, 2000  # events of a run that are gone through again, rounds of all
AHEAD = 1e-8  # of the run
SAME = 1e-5  # of the largest derivative
NOISE = 1e-12  # of the size of a residual: what has just become zero


class Rivals:
    def __init__(self, discrete: Discrete, rules: Rules, span: float) -> None:
        self.discrete = discrete
        self.rules = rules.quiet()
        self.ahead = AHEAD * span
        # Forces that depend on each other lead to relations; what only moves tokens has one way.
        # An implicit core chooses by itself, and what is tried here would disturb it.
        self.is_possible = discrete.live.core is None and any(
            r.is_behind_loop for r in discrete.live.model.relations
        )
        self.looks = self.rounds = 0
        self.has_choice = True  # several relations disagreed at once in the last trial
        self.warnings: dict[tuple[str, ...], Diagnostic] = {}
        live = discrete.live
        by_slot = {v.slot: v for v in reversed(live.model.variables)}
        known = [by_slot.get(int(slot)) for slot in discrete.values]
        self.names = ["" if v is None or v.type == "Real" else v.name for v in known]
        homes = [name.rpartition(".")[0] for name in self.names]
        order = {home: n for n, home in enumerate(dict.fromkeys(homes))}
        self.home = np.array([order[home] for home in homes], dtype=np.intp)
        self.told = np.array([bool(name) for name in self.names], dtype=np.bool_)
        self.homes = [*order]

    @property
    def to_watch(self) -> tuple[list[int], int, int, float]:
        """Component of each discrete value, events to look at, rounds, how far the ways are followed."""
        homes = np.where(self.told, self.home, -1).tolist()
        looks = MOST_LOOKS if self.is_possible and len({*homes} - {-1}) > 1 else 0
        return homes, looks, MOST_ROUNDS, self.ahead

    def look(self, t: float, y: Vector, before: Vector) -> None:
        """`before`: the memory when the event began, at states `y`."""
        discrete, live = self.discrete, self.discrete.live
        if not self.is_possible:
            return
        changed = (live.memory[discrete.values] != before[discrete.values]) & self.told
        if (
            self.looks >= MOST_LOOKS
            or self.rounds >= MOST_ROUNDS
            or len({*self.home[changed].tolist()}) < 2
        ):
            return
        self.looks += 1
        after = live.memory.copy()
        for rests, sign in product((False, True), (1, -1)):
            if sign < 0 and not self.has_choice:
                continue  # the order made no difference
            live.memory[:] = before
            if not self._one_by_one(t, y, sign, rests):
                continue
            if self._differs_from(after).any() and self._are_apart(t, before, after):
                break
        live.memory[:] = after
        live.forget_messages()

    def _are_apart(self, t: float, before: Vector, after: Vector) -> bool:
        """Whether what is in the memory and what was found are different ways to go on."""
        other = self._a_moment_later(t)
        self.discrete.live.memory[:] = after
        taken = self._a_moment_later(t)
        return taken is not None and other is not None and self._compare(t, before, taken, other)

    def _differs_from(self, memory: Vector) -> Mask:
        return self.discrete.differ_from(memory) & self.told

    def _a_moment_later(self, t: float) -> Vector | None:
        """The memory two small steps after the way in it: rounding, states that only wait and what is
        late by one step decide nothing then. None where it has no solution."""
        live = self.discrete.live
        slope = np.zeros(len(live.states))
        for _ in range(2):
            y = live.states.copy()
            if live.rhs(t, y, slope) != FINE:
                return None
            t += self.ahead
            live.residuals(t, y + self.ahead * slope)
            follow(live, self.rules)
            try:
                settle(self.discrete, self.rules)
            except SimulationError:
                return None
        return live.memory.copy()

    def _one_by_one(self, t: float, y: Vector, sign: int, rests: bool) -> bool:
        """Whether it settles. If it `rests`, what has just become zero counts as zero."""
        discrete, live = self.discrete, self.discrete.live
        residuals = live.residuals(t, y)
        at_rest = (np.abs(residuals) <= NOISE * self.rules.sizes) & rests
        self.has_choice = False
        if rests and not at_rest.any():
            return False  # it has been gone through
        live.memory[live.statuses[at_rest]] = 0.0
        self._follow_one(sign, at_rest)
        seen: set[bytes] = set()
        for _ in range(self.rules.limit):
            self.rounds += 1
            here = live.memory[live.statuses].tobytes() + live.memory[discrete.pre].tobytes()
            if here in seen:
                return False  # it goes round in circles
            seen.add(here)
            try:
                evaluate_discrete(discrete)
            except SimulationError:
                return False
            moved = discrete.moved()
            changes = self._follow_one(sign, at_rest) or bool(moved.any())
            if not discrete.apply_reinits() and not changes:
                return True
            discrete.hold()
            live.run("relations")
            self._follow_one(sign, at_rest)
        return False

    def _follow_one(self, sign: int, at_rest: Mask) -> bool:
        """The first or the last relation that disagrees takes its side; false: all agree."""
        live = self.discrete.live
        mask, wanted = disagreeing(live, self.rules)
        found = np.flatnonzero(mask & ~at_rest)
        if len(found) == 0:
            return False
        self.has_choice |= len(found) > 1
        one = found[0] if sign > 0 else found[-1]
        live.memory[live.statuses[one]] = wanted[one]
        return True

    def _compare(self, t: float, before: Vector, taken: Vector, other: Vector) -> bool:
        """Whether both are ways of their own; tells it, once for the same components."""
        values = self.discrete.values
        differs = (taken[values] != other[values]) & self.told
        if not differs.any() or self._goes_the_same_way(taken, other):
            return False
        changed = (taken[values] != before[values]) & self.told
        apart, involved = (
            tuple(dict.fromkeys(self.homes[n] for n in self.home[mask].tolist()))
            for mask in (differs, differs | changed)
        )
        if apart not in self.warnings:
            numbers = np.flatnonzero(differs).tolist()
            said = self._said(numbers, taken), self._said(numbers, other)
            self.warnings[apart] = several_ways(t, involved, *said)
        return True

    def _goes_the_same_way(self, one: Vector, other: Vector) -> bool:
        """A name that differs is no other way where nothing moves otherwise."""
        place = self.discrete.live.model.derivatives.slice
        here, there = one[place], other[place]
        size = max(
            float(np.max(np.abs(here), initial=0.0)), float(np.max(np.abs(there), initial=0.0))
        )
        return bool(np.all(np.abs(here - there) <= SAME * size))

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
