"""When events do not stop: noise is met with a widening band, chattering with a diagnostic.

A residual that should rest on zero is noise of rounding errors; each change of its sign is an
event. A relation that switches several times in quick succession, or that was nothing but noise
before each switch (a brake that holds, for as long as it holds), therefore gets a band around zero,
wider each time, within which it keeps its status. If events go on nevertheless without
progress of time, the model chatters and the simulation ends with the names of the relations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from freewheel.base.diagnostics import Diagnostic
from freewheel.runtime.event.located import Crossing
from freewheel.runtime.event.reasons import REAL_MOTION
from freewheel.runtime.failures import chattering, ever_faster, too_many_events
from freewheel.runtime.kernels.loop import Loop
from freewheel.runtime.model import Mask, Relation, Vector
from freewheel.runtime.settings import Settings

QUICK = 1e-10  # of the whole time: two switches closer than this may be noise
NOISE = 1e-12  # of the largest residual seen, or of one: what rounding leaves of zero
FAR_OUTSIDE = 1e3
SUSPICIOUS = (2, 5)  # quick switches in a row after which to look for sliding motion
SHRINKING = 0.97  # of the time between the switches before
MANY_SHRINKS = 10
# A row of so many times more events, in a time so much longer by its square, is too much as well: a
# hundred million events in the whole run.
MANY = 10
NEAR = 1e-6  # of the whole time
PATIENCE = 8  # so many quick switches in a row
FIRST_BAND = 1e-15  # of the largest residual seen, or of one
WIDEST_BAND = 1e-3  # of the tolerance, likewise


class ChatterWatch:
    """Beside the time loop, whose arrays it reads and writes."""

    def __init__(self, relations: Sequence[Relation], settings: Settings, loop: Loop) -> None:
        self.relations = relations
        self.settings = settings
        self.loop = loop
        self.bands, self.sizes = np.asarray(loop.bands), np.asarray(loop.sizes)
        self.last, self.quick = np.asarray(loop.last_switch), np.asarray(loop.quick)
        self.last[:] = -np.inf
        self.ways = np.zeros(len(relations))  # across zero, the last time
        self.recent = np.empty(settings.chatter_events)  # times of the last events, in a ring
        loop.recent_size, loop.recent = len(self.recent), self.recent
        loop.recent_count = 0  # of all so far
        loop.chatter_window = settings.chatter_window * settings.span
        self.total = 0
        self.many, self.many_since = 0, 0.0  # events that the compiled loop has dealt with
        self.gaps = np.full(len(relations), np.inf)  # between the last two switches
        self.shrinks = np.zeros(len(relations), dtype=np.intp)
        self.warnings: dict[int, Diagnostic] = {}  # of relations that switch ever faster

    def count(
        self, t: float, crossing: Crossing, why_not: Mapping[int, str] | None = None
    ) -> list[int]:
        """Take note of a state event; raises where events do not stop. Relations that switch back so
        soon that the model may be sliding along their surface."""
        settings = self.settings
        suspects: list[int] = []
        self.total += 1
        if self.total > settings.max_events:
            raise too_many_events(settings.max_events, t)
        for i in np.flatnonzero(crossing.which):
            if self.relations[int(i)].is_watch:
                continue
            is_quick = t - self.last[i] < QUICK * settings.span or self._rests(int(i), crossing)
            self.quick[i] = self.quick[i] + 1 if is_quick else 0
            self._watch_gap(int(i), t)
            self.last[i] = t
            way = _way(int(i), crossing)
            returns, self.ways[i] = way * self.ways[i] <= 0.0, way
            if self.quick[i] in SUSPICIOUS:
                lately = t - self.last < QUICK * settings.span
                suspects = np.flatnonzero((self.quick >= SUSPICIOUS[0]) & lately).tolist()
            moves = why_not is not None and why_not.get(int(i)) in REAL_MOTION
            moves = moves or self.relations[int(i)].depends_on_time_only  # that is no noise
            if self.quick[i] >= PATIENCE and not moves:
                self._widen(int(i), _seen(int(i), crossing) if returns else 0.0)
        self.recent[self.loop.recent_count % len(self.recent)] = t
        self.loop.recent_count += 1
        window = t - self._oldest
        if self._is_full and window < settings.chatter_window * settings.span:
            busy = np.flatnonzero((self.quick > 0) | crossing.which).tolist()
            named = [self.relations[i] for i in busy]
            reasons = [why_not[i] for i in busy if i in why_not] if why_not else []
            reason = reasons[0] if reasons else ""
            raise chattering(named, len(self.recent), window, t, reason, settings.solver)
        return suspects

    def _watch_gap(self, i: int, t: float) -> None:
        """Warn, once, of times between switches that shrink like a geometric series."""
        gap, before = t - float(self.last[i]), float(self.gaps[i])
        if gap <= QUICK * self.settings.span:
            return  # back and forth
        self.gaps[i] = gap
        self.shrinks[i] = self.shrinks[i] + 1 if gap < SHRINKING * before else 0
        is_near = gap < NEAR * self.settings.span
        if self.shrinks[i] >= MANY_SHRINKS and is_near and i not in self.warnings:
            ratio = gap / before
            limit = t + gap * ratio / (1.0 - ratio)
            self.warnings[i] = ever_faster(self.relations[i], limit, ratio, t)

    def count_many(self, number: int, since: float, t: float) -> None:
        """State events that the compiled loop has dealt with by itself, up to `t`."""
        settings = self.settings
        self.total += number
        if self.many == 0:
            self.many_since = since
        self.many += number
        if self.many < MANY * settings.chatter_events:
            return
        count, began, self.many = self.many, self.many_since, 0
        window = MANY * MANY * settings.chatter_window * settings.span
        if t - began < window * count / (MANY * settings.chatter_events):
            busy = np.flatnonzero(self.last >= since).tolist()
            named = [self.relations[i] for i in busy]
            raise chattering(named, count, t - began, t, solver=settings.solver)

    @property
    def _is_full(self) -> bool:
        return self.loop.recent_count >= len(self.recent)

    @property
    def _oldest(self) -> float:
        place = self.loop.recent_count % len(self.recent) if self._is_full else 0
        return float(self.recent[place])

    @property
    def stands_still(self) -> bool:
        """Whether all recent events were at one instant."""
        newest = self.recent[(self.loop.recent_count - 1) % len(self.recent)]
        return self._is_full and self._oldest == newest

    def calm_down(self) -> None:
        """Begin to count anew: another method goes on."""
        self.loop.recent_count = 0
        self.quick[:] = 0

    def forgive(self, which: Mask) -> None:
        """These crossings made states jump: they were no noise, however small their residuals."""
        self.quick[which] = 0
        self.bands[which] = 0.0
        self.shrinks[which] = 0  # what comes to rest is said by whoever holds it

    def see(self, residuals: Vector) -> None:
        """Residuals at a point between events. A band is taken away once the residual is far
        outside: what was noise has become a signal."""
        found = np.abs(residuals)
        np.fmax(self.sizes, found, out=self.sizes)
        self.bands[found > FAR_OUTSIDE * self.bands] = 0.0

    def _rests(self, i: int, crossing: Crossing) -> bool:
        """Whether the residual was zero but for rounding already where the step began."""
        began = np.inf if crossing.began is None else abs(float(crossing.began[i]))
        return bool(max(began, abs(crossing.residuals[i])) <= NOISE * self._scale(i))

    def _scale(self, i: int) -> float:
        return max(float(self.sizes[i]), 1e-6)

    def _widen(self, i: int, seen: float) -> None:
        """Around the noise that was seen: from a narrower band it would be taken for a signal."""
        scale = self._scale(i)
        widest = WIDEST_BAND * self.settings.tolerance * scale
        self.bands[i] = min(max(10.0 * self.bands[i], FIRST_BAND * scale, 2.0 * seen), widest)
        self.quick[i] = 1

    def describe(self, crossing: Crossing) -> list[str]:
        """In the words of the hybrid paper's event log."""
        return [
            f"Expression {self.relations[i].text} became {crossing.residuals[i]:.3E} "
            f"({_sign(crossing.residuals[i])} 0)"
            for i in np.flatnonzero(crossing.which).tolist()
        ]


def _way(i: int, crossing: Crossing) -> float:
    """Across zero upwards or downwards; 0: who knows. What always goes the same way was brought back
    by the events: it is no noise, a clock perhaps."""
    way = float(np.sign(crossing.residuals[i]))
    return way if way or crossing.began is None else -float(np.sign(crossing.began[i]))


def _seen(i: int, crossing: Crossing) -> float:
    """How far off zero the residual was on both sides."""
    there = abs(float(crossing.residuals[i]))
    return there if crossing.began is None else max(there, abs(float(crossing.began[i])))


def _sign(value: float) -> str:
    return ">" if value > 0.0 else "<" if value < 0.0 else "="
