"""Chattering: relations that switch in quick succession.

    count_switches(loop)      # kernel, 1: counted; 0: there are too many events in a short time
    watch = ChatterWatch(relations, settings, space)
    watch.count(t)      # an event that the time loop has not counted

A residual that should stay at zero is noise of rounding, and each change of its sign is an event. A relation
that switches several times in quick succession, or whose residual is noise before each switch, may be sliding
along its surface (`sliding/transitions.py`). If it is not, it gets a tolerance band around zero, wider each
time, within which it keeps its status. Where time makes no progress the simulation ends with the names of the
relations. Times between switches that shrink like a geometric series (Zeno) are kept for a warning.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from freewheel.base.diagnostics import Diagnostic
from freewheel.base.slots import RelationSlots
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Int
from freewheel.runtime.diagnostics import chattering, ever_faster, too_many_events
from freewheel.runtime.events.iteration_kernels import iteration, size_of
from freewheel.runtime.events.sliding.violations import FOLDS, NO_DERIVATIVE
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.thresholds import CHATTER, NOISE

if TYPE_CHECKING:
    from freewheel.runtime.loop.workspace import Workspace
    from freewheel.runtime.settings import Settings

chatter = KernelModule("chatter", iteration, exports=("count_switches",))


@chatter.kernel
def direction_of(loop: Loop, i: Int) -> Float:
    """1 upwards, -1 downwards, 0 unknown. What always crosses in one direction is reset by the events, and is
    no noise."""
    there = loop.residuals_crossing[i]
    if there == 0.0:
        there = -loop.residuals_left[i]
    return 1.0 if there > 0.0 else (-1.0 if there < 0.0 else 0.0)


@chatter.kernel
def chatters(loop: Loop) -> Int:
    """1: with the present event there are too many in a short time."""
    size = loop.recent_size
    if size == 0 or loop.recent_count + 1 < size:
        return 0
    oldest = loop.recent[(loop.recent_count + 1) % size]
    return 1 if loop.t - oldest < loop.chatter_window else 0


@chatter.kernel
def count_shrinking(loop: Loop, i: Int) -> None:
    """Times between switches that shrink like a geometric series; its limit is reported once."""
    gap = loop.t - loop.last_switch[i]
    before = loop.gaps[i]
    if not gap > loop.quick_gap:
        return  # back and forth
    loop.gaps[i] = gap
    loop.shrinks[i] = loop.shrinks[i] + 1.0 if gap < CHATTER.shrinking * before else 0.0
    is_near = gap < CHATTER.near * (loop.stop - loop.start)
    if loop.shrinks[i] >= CHATTER.many_shrinks and is_near and loop.series_ratio[i] == 0.0:
        loop.series_ratio[i] = gap / before
        loop.series_gap[i] = gap
        loop.series_time[i] = loop.t


@chatter.kernel
def is_found_moving(reason: Int) -> Int:
    """1: a reason that is found only after the residuals were found to move."""
    return 1 if reason >= NO_DERIVATIVE and reason <= FOLDS else 0


@chatter.kernel
def is_known_to_move(loop: Loop, i: Int) -> Int:
    """1: the residual is no noise, so a tolerance band would not help."""
    if loop.time_only[i] == 1:
        return 1
    if loop.impact_count > 0 and loop.has_jumped[i] == 1:
        return 0
    return is_found_moving(loop.violations[i])


@chatter.kernel
def count_switch(loop: Loop, i: Int) -> None:
    quick = loop.quick
    scale = size_of(loop, i)
    noise = max(abs(loop.residuals_left[i]), abs(loop.residuals_crossing[i]))
    is_quick = loop.t - loop.last_switch[i] < loop.quick_gap or noise <= NOISE * scale
    # During sliding each switch counts as the second one: intersections of surfaces are reached from a
    # surface, and a relation that noise brings back to a surface gets its band when it leaves it.
    first = float(loop.is_constrained)
    quick[i] = max(quick[i], first) + 1.0 if is_quick else first
    count_shrinking(loop, i)
    loop.last_switch[i] = loop.t
    direction = direction_of(loop, i)
    returns = direction * loop.ways[i] <= 0.0
    loop.ways[i] = direction
    if quick[i] == CHATTER.quick_first or quick[i] == CHATTER.quick_again:
        for j in range(loop.relation_count):
            is_late = loop.t - loop.last_switch[j] < loop.quick_gap
            loop.candidates[j] = 1 if is_late and quick[j] >= CHATTER.quick_first else 0
    if quick[i] >= CHATTER.patience and is_known_to_move(loop, i) == 0:
        # Wider than the noise, or else it is taken for a signal.
        wide = max(
            10.0 * loop.bands[i], CHATTER.first_band * scale, 2.0 * noise if returns else 0.0
        )
        loop.bands[i] = min(wide, loop.widest_band * scale)
        quick[i] = 1.0


@chatter.kernel
def count_switches(loop: Loop) -> Int:
    for i in range(loop.relation_count):
        loop.candidates[i] = 0
    if loop.crossed == 0:
        return 1
    if chatters(loop) == 1:
        return 0
    if loop.recent_size > 0:
        loop.recent[loop.recent_count % loop.recent_size] = loop.t
        loop.recent_count += 1
    for i in range(loop.relation_count):
        if loop.which[i] == 1 and loop.is_watch[i] == 0:
            count_switch(loop, i)
    return 1


@chatter.kernel
def forget_switches(loop: Loop) -> None:
    """Crossings that make states jump are no noise, and the end of a series of impacts is reported as
    rest."""
    for i in range(loop.relation_count):
        if loop.which[i] == 1:
            loop.quick[i] = 0.0
            loop.bands[i] = 0.0
            loop.shrinks[i] = 0.0


# ---------------------------------------------------------------- counts and diagnostics of a run


class ChatterWatch:
    """Counts of events beside the time loop, whose arrays it shares."""

    def __init__(
        self,
        relations: Sequence[RelationSlots],
        settings: Settings,
        space: Workspace,
        is_known: bool = False,
    ) -> None:
        """`is_known`: the record is a copy of one that has been filled."""
        self.relations = relations
        self.settings = settings
        self.space = space
        self.recent = np.zeros(settings.chatter_events)  # times of the last events, in a ring
        self.total = 0
        self.many, self.many_since = 0, 0.0  # events in the compiled loop
        loop = space.loop
        loop.recent = self.recent
        if not is_known:
            self._describe()

    def _describe(self) -> None:
        settings, loop = self.settings, self.space.loop
        loop.recent_size, loop.recent_count = len(self.recent), 0
        loop.chatter_window = settings.chatter_window * settings.span
        loop.quick_gap = CHATTER.quick * settings.span
        loop.widest_band = CHATTER.widest_band * settings.tolerance
        loop.start, loop.stop = settings.start, settings.stop
        loop.last_switch[:], loop.gaps[:] = -np.inf, np.inf

    def state(self) -> dict[str, Any]:
        """Besides what the record of the time loop holds."""
        counts = [self.total, self.many, self.many_since]
        return {"recent": self.recent, "counts": counts}

    def take_state(self, saved: Mapping[str, Any]) -> None:
        self.recent[:] = saved["recent"]
        self.total, self.many, self.many_since = saved["counts"]

    def note(self, t: float) -> None:
        """A state event that the loop has counted; raises where there are too many."""
        self.total += 1
        if self.total > self.settings.max_events:
            raise too_many_events(self.settings.max_events, t)

    def count(self, t: float, violations: Callable[[int], str] | None = None) -> None:
        """Counts a state event, and finds relations that may be sliding; raises where events do not end."""
        self.note(t)
        self.space.loop.t = t
        if chatter.callable("count_switches")(self.space.address) == 0:
            raise self._chattering(t, violations)

    def _chattering(self, t: float, violations: Callable[[int], str] | None) -> Exception:
        loop, size, count = self.space.loop, len(self.recent), len(self.relations)
        crossing = np.asarray(loop.which)[:count] == 1
        busy = np.flatnonzero((np.asarray(loop.quick) > 0.0) | crossing).tolist()
        reasons = [] if violations is None else [text for i in busy if (text := violations(i))]
        window = t - float(self.recent[(loop.recent_count + 1) % size])
        named = [self.relations[i] for i in busy]
        reason = reasons[0] if reasons else ""
        return chattering(named, size, window, t, reason, self.settings.solver)

    @property
    def warnings(self) -> list[Diagnostic]:
        """Of times between switches that shrink like a geometric series, each relation once."""
        loop = self.space.loop
        found = []
        for i in np.flatnonzero(np.asarray(loop.series_ratio)).tolist():
            t, ratio = float(loop.series_time[i]), float(loop.series_ratio[i])
            limit = t + float(loop.series_gap[i]) * ratio / (1.0 - ratio)
            found.append((t, ever_faster(self.relations[i], limit, ratio, t)))
        return [warning for _, warning in sorted(found, key=lambda pair: pair[0])]

    def count_many(self, number: int, since: float, t: float) -> None:
        """State events of the compiled loop up to `t`."""
        settings = self.settings
        self.total += number
        if self.many == 0:
            self.many_since = since
        self.many += number
        if self.many < CHATTER.many * settings.chatter_events:
            return
        count, began, self.many = self.many, self.many_since, 0
        window = CHATTER.many * CHATTER.many * settings.chatter_window * settings.span
        if t - began < window * count / (CHATTER.many * settings.chatter_events):
            busy = np.flatnonzero(np.asarray(self.space.loop.last_switch) >= since).tolist()
            named = [self.relations[i] for i in busy]
            raise chattering(named, count, t - began, t, solver=settings.solver)

    def is_without_progress(self, t: float) -> bool:
        """Whether all recent events were at the instant of the present one."""
        count, size = self.space.loop.recent_count + 1, len(self.recent)
        return bool(count >= size and self.recent[count % size] == t)

    def restart_counts(self) -> None:
        """Restarts the counts: another method goes on."""
        self.space.loop.recent_count = 0
        self.space.loop.quick[:] = 0.0
