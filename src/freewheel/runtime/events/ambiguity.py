"""Ambiguous events: the solution after an event is not unique, so the model does not define what happens.

    is_ambiguous(loop)                          # kernel, 1: both outcomes are in `loop.tried`
    ambiguity = Ambiguity(discrete)
    ambiguity.warn(t, before, taken, other)     # at most one warning for the same components

Friction with a larger static than dynamic coefficient can leave several ways open: of two blocks both may
break loose, or one, and each way satisfies all equations (document "Hybrid"; Glocker and Pfeiffer 1993). The
order of iteration decides. So where several components have switched at one event, its iteration is repeated
with one relation at a time, from the first to the last and from the last to the first. If that settles at
other values, both outcomes are followed for two small steps, which removes differences by rounding and by
states that only wait. Where they still differ, both are solutions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from freewheel.base.diagnostics import Diagnostic
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Floats, Int
from freewheel.runtime.diagnostics import listed, several_ways
from freewheel.runtime.events.iteration_kernels import (
    FIRST,
    LAST,
    copy,
    drop_collected,
    iteration,
    settle,
    store_pre,
    update_marked,
    update_statuses,
)
from freewheel.runtime.events.status_search import move_together, status_search
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.loop.point import place
from freewheel.runtime.model import CompiledModel, Mask, Vector, once, slots_of
from freewheel.runtime.thresholds import AMBIGUITY, NOISE

if TYPE_CHECKING:
    from freewheel.runtime.events.discrete import Discrete
    from freewheel.runtime.live import Slots

alternatives = KernelModule("alternatives", iteration, status_search)


@alternatives.kernel
def several_switched(loop: Loop, saved: Floats) -> Int:
    """1 where discrete values of several components have changed."""
    first = -1
    for i in range(loop.pairs):
        slot = loop.pair_slots[i]
        if loop.components_of[i] >= 0 and loop.memory[slot] != saved[slot]:
            if first >= 0 and loop.components_of[i] != first:
                return 1
            first = loop.components_of[i]
    return 0


@alternatives.kernel
def settle_in_order(loop: Loop, order: Int, with_zeros: Int) -> Int:
    """1: the event settles from the memory before it where relations change one by one. `with_zeros`:
    residuals that have just become zero have the status zero and stay, provided that there are some."""
    m = loop.memory
    copy(loop.memory_size, loop.saved, m)
    copy(loop.relation_count, loop.kept_bands, loop.bands)
    loop.iteration_outcome = 0
    loop.order_matters = 0
    place(loop, loop.t, loop.y)
    if loop.derivatives(m) != 0 or loop.outputs(m) != 0:
        return 0
    store_pre(loop)
    if loop.relations(m) != 0:
        return 0
    zeros = 0
    for i in range(loop.relation_count):
        small = NOISE * loop.sizes[i]
        if with_zeros == 1 and abs(m[loop.residual_slots[i]]) <= small:
            m[loop.status_slots[i]] = 0.0
            loop.bands[i] = inf
            zeros += 1
    if with_zeros == 1 and zeros == 0:
        return 0
    update_marked(loop, order, loop.contradicted)
    return 1 - move_together(loop, order, loop.contradicted)


@alternatives.kernel
def ends_elsewhere(m: Floats, loop: Loop, after: Floats) -> Int:
    for i in range(loop.pairs):
        if loop.components_of[i] >= 0 and m[loop.pair_slots[i]] != after[loop.pair_slots[i]]:
            return 1
    return 0


@alternatives.kernel
def take_small_steps(loop: Loop) -> Int:
    """Two explicit Euler steps from the memory; 1: they have no solution."""
    m = loop.memory
    t = loop.t
    for _ in range(2):
        if loop.derivatives(m) != 0:
            return 1
        t += loop.small_step
        for i in range(loop.n):
            loop.trial[i] = m[loop.states_slot + i] + loop.small_step * m[loop.derivatives_slot + i]
        place(loop, t, loop.trial)
        if loop.derivatives(m) != 0 or loop.relations(m) != 0:
            return 1
        update_statuses(loop, 0)
        loop.is_thorough = 1
        if settle(loop, 0) == 0:
            return 1
    return 0


@alternatives.kernel
def moves_alike(loop: Loop, one: Floats, other: Floats) -> Int:
    """1: the states have the same derivatives, so that a value with another name is no other way."""
    size = 0.0
    apart = 0.0
    for i in range(loop.n):
        here = one[loop.derivatives_slot + i]
        there = other[loop.derivatives_slot + i]
        size = max(size, abs(here), abs(there))
        if not abs(here - there) <= apart:
            apart = abs(here - there)
    return 1 if apart <= AMBIGUITY.same * size else 0


@alternatives.kernel
def are_apart(loop: Loop) -> Int:
    """1: the outcome in memory and the one that was taken (`after`) move apart; 0 also where one of them has
    no solution."""
    m = loop.memory
    other = loop.tried[loop.memory_size :]
    taken = other[loop.memory_size :]
    copy(loop.relation_count, loop.kept_bands, loop.bands)
    failed = take_small_steps(loop)
    copy(loop.memory_size, m, other)
    copy(loop.memory_size, loop.after, m)
    if failed == 0:
        failed = take_small_steps(loop)
    copy(loop.memory_size, m, taken)
    if failed != 0 or ends_elsewhere(taken, loop, other) == 0:
        return 0
    return 1 - moves_alike(loop, taken, other)


@alternatives.kernel
def has_other_outcome(loop: Loop) -> Int:
    """1: another order, from the memory `saved`, leads to other values than `after`."""
    matters = 1
    for trial in range(4):
        order = FIRST if trial % 2 == 0 else LAST
        if order == FIRST or matters == 1:
            is_settled = settle_in_order(loop, order, 1 if trial >= 2 else 0)
            matters = loop.order_matters
            if is_settled == 1 and ends_elsewhere(loop.memory, loop, loop.after) == 0:
                is_settled = 0
            if is_settled == 1 and are_apart(loop) == 1:
                return 1
    return 0


@alternatives.kernel
def is_ambiguous(loop: Loop) -> Int:
    """1 where the event that has just settled has another outcome. The memory, bands and `trial` stay;
    messages of trials are dropped."""
    m = loop.memory
    r = loop.relation_count
    if loop.alternatives_left == 0 or several_switched(loop, loop.saved) == 0:
        return 0
    loop.alternatives_left -= 1
    detail = loop.log_detail
    loop.log_detail = 0
    collects = loop.collects
    collected = loop.collected
    loop.collects = 1
    copy(loop.memory_size, m, loop.after)
    copy(r, loop.bands, loop.kept_bands)
    copy(r, loop.forgiven, loop.kept_bands[r:])
    found = has_other_outcome(loop)
    copy(r, loop.kept_bands, loop.bands)
    copy(r, loop.kept_bands[r:], loop.forgiven)
    copy(loop.memory_size, loop.after, m)
    copy(loop.n, m[loop.states_slot :], loop.trial)
    loop.collects = collects
    drop_collected(loop, collected)
    loop.log_detail = detail
    if loop.message_watch > 0:
        loop.forget_messages(loop)
    if loop.alternative_rounds <= 0:
        loop.alternatives_left = 0
    return found


# ---------------------------------------------------------------- warnings


class Ambiguity:
    def __init__(self, discrete: Discrete) -> None:
        self.discrete = discrete
        self.warnings: dict[tuple[str, ...], Diagnostic] = {}

    @cached_property
    def components(self) -> Components:
        return once(_components, self.discrete.live.model)

    @property
    def to_watch(self) -> tuple[Sequence[int], int]:
        """Component of each discrete value, and how many events to repeat."""
        return self.components.watched, self.components.repeats

    def state(self) -> list[Any]:
        return [[list(apart), warning] for apart, warning in self.warnings.items()]

    def take_state(self, saved: Sequence[Any]) -> None:
        """Of a run that was saved."""
        self.warnings = {tuple(apart): warning for apart, warning in saved}

    def warn(self, t: float, before: Vector, taken: Vector, other: Vector) -> None:
        """Memories before the event at `t`, and after it by the two ways."""
        values, known = self.discrete.values, self.components
        differs = (taken[values] != other[values]) & known.has_name
        changed = (taken[values] != before[values]) & known.has_name
        apart, involved = (
            tuple(dict.fromkeys(known.components_of[n] for n in known.home[mask].tolist()))
            for mask in (differs, differs | changed)
        )
        if apart not in self.warnings:
            numbers = np.flatnonzero(differs).tolist()
            outcomes = self._described(numbers, taken), self._described(numbers, other)
            self.warnings[apart] = several_ways(t, involved, *outcomes)

    def _described(self, numbers: list[int], memory: Vector) -> str:
        """`f1.Backward, f2.Sticking`: Booleans that are true; numbers with their value."""
        found: list[str] = []
        types = {v.slot: v.type for v in self.discrete.live.model.variables}
        for n in numbers:
            slot, name = int(self.discrete.values[n]), self.components.names[n]
            if types.get(slot) != "Boolean":
                found.append(f"{name} = {memory[slot]:g}")
            elif memory[slot] >= 0.5:
                found.append(name)
        return listed(found) or "nothing of that"


@dataclass(frozen=True, slots=True)
class Components:
    """The components of discrete values, in the order of these."""

    names: tuple[str, ...]  # of the values; empty: it is not reported
    components_of: tuple[str, ...]  # of all components
    home: Slots
    has_name: Mask
    watched: tuple[int, ...]  # number of the component, -1: it is not reported
    repeats: int  # events to repeat


def _components(model: CompiledModel) -> Components:
    by_slot = {v.slot: v for v in reversed(model.variables)}
    known = [by_slot.get(slot) for slot, _ in model.discrete]
    names = tuple("" if v is None or v.type == "Real" else v.name for v in known)
    order: dict[str, int] = {}
    home = [order.setdefault(name.rpartition(".")[0], len(order)) for name in names]
    watched = tuple(n if name else -1 for n, name in zip(home, names, strict=True))
    repeats = AMBIGUITY.most_events if len({*watched} - {-1}) > 1 else 0
    has_name = np.array([bool(name) for name in names], dtype=np.bool_)
    return Components(names, tuple(order), slots_of(home), has_name, watched, repeats)
