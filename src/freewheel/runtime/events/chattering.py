"""When events do not stop: noise is met with a widening band, chattering with a diagnostic.

    watch = ChatterWatch(relations, settings, space)   # counts are kept in the record of the time loop
    suspects = watch.count(t, crossing)   # where the loop has not counted by itself

Switches are counted by `events/chattering_kernels.py`. If events go on without progress of time, the model
chatters and the simulation ends with the names of the relations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from freewheel.base.diagnostics import Diagnostic
from freewheel.base.slots import RelationSlots
from freewheel.runtime.diagnostics import chattering, ever_faster, too_many_events
from freewheel.runtime.events.location import Crossing
from freewheel.runtime.loop.time_loop import driver
from freewheel.runtime.loop.workspace import Workspace
from freewheel.runtime.model import Mask
from freewheel.runtime.settings import Settings
from freewheel.runtime.thresholds import CHATTER


class ChatterWatch:
    """Beside the time loop, whose arrays it reads and writes."""

    def __init__(
        self, relations: Sequence[RelationSlots], settings: Settings, space: Workspace
    ) -> None:
        self.relations = relations
        self.settings = settings
        self.space = space
        self.recent = np.zeros(settings.chatter_events)  # times of the last events, in a ring
        self.total = 0
        self.many, self.many_since = 0, 0.0  # events that the compiled loop has dealt with
        loop = space.loop
        loop.recent_size, loop.recent, loop.recent_count = len(self.recent), self.recent, 0
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

    def count(
        self, t: float, crossing: Crossing, why_not: Callable[[int], str] | None = None
    ) -> list[int]:
        """Take note of a state event; raises where events do not stop. Relations that switch back so
        soon that the model may be sliding along their surface."""
        self.note(t)
        space, loop, count = self.space, self.space.loop, len(self.relations)
        loop.t, loop.crossed = t, 1
        loop.which[:count] = crossing.which
        loop.residuals_crossing[:] = crossing.residuals
        loop.residuals_left[:] = np.inf if crossing.began is None else crossing.began
        if driver.callable("count_switches")(space.address) == 0:
            raise self._chattering(t, crossing, why_not)
        return self.suspects

    def _chattering(
        self, t: float, crossing: Crossing, why_not: Callable[[int], str] | None
    ) -> Exception:
        loop, size = self.space.loop, len(self.recent)
        busy = np.flatnonzero((np.asarray(loop.quick) > 0.0) | crossing.which).tolist()
        reasons = [] if why_not is None else [text for i in busy if (text := why_not(i))]
        window = t - float(self.recent[(loop.recent_count + 1) % size])
        named = [self.relations[i] for i in busy]
        reason = reasons[0] if reasons else ""
        return chattering(named, size, window, t, reason, self.settings.solver)

    @property
    def suspects(self) -> list[int]:
        """Relations that may slide, by the present event."""
        found: list[int] = np.flatnonzero(np.asarray(self.space.loop.suspects)).tolist()
        return found

    @property
    def warnings(self) -> list[Diagnostic]:
        """Of times between switches that shrink like a geometric series, each relation once."""
        loop = self.space.loop
        found = []
        for i in np.flatnonzero(np.asarray(loop.shrunk_ratio)).tolist():
            t, ratio = float(loop.shrunk_time[i]), float(loop.shrunk_ratio[i])
            limit = t + float(loop.shrunk_gap[i]) * ratio / (1.0 - ratio)
            found.append((t, ever_faster(self.relations[i], limit, ratio, t)))
        return [warning for _, warning in sorted(found, key=lambda pair: pair[0])]

    def count_many(self, number: int, since: float, t: float) -> None:
        """State events that the compiled loop has dealt with by itself, up to `t`."""
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

    def stands_still(self, t: float) -> bool:
        """Whether all recent events were at one instant, that of the event which is one too many."""
        count, size = self.space.loop.recent_count + 1, len(self.recent)
        return bool(count >= size and self.recent[count % size] == t)

    def calm_down(self) -> None:
        """Begin to count anew: another method goes on."""
        self.space.loop.recent_count = 0
        self.space.loop.quick[:] = 0.0

    def forgive(self, which: Mask) -> None:
        """These crossings made states jump: they were no noise, however small their residuals."""
        loop = self.space.loop
        # what comes to rest is told as that
        for numbers in (loop.quick, loop.shrinks, loop.bands):
            np.asarray(numbers)[which] = 0.0
