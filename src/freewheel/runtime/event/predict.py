"""Exact times for relations that depend on time alone, such as `time >= 0.5`.

After each event such a residual is known to be a function of time (parameters and discrete values
do not move until the next event). Nearly always it is a straight line: two values give its zero.
Integration then stops exactly there and needs no search. A residual that turns out to be curved is
left to the search for state events.

    Predictor(live).next(t, y, probe=0.01, stop=1.0)   ->  0.5
"""

from __future__ import annotations

from math import inf, nextafter, ulp

import numpy as np

from freewheel.runtime.event.calendar import is_reached
from freewheel.runtime.live import LiveModel
from freewheel.runtime.model import Vector

STRAIGHT = 1e-9  # the residual at the predicted zero, as a share of its change
CORRECTIONS = 6


class Predictor:
    def __init__(self, live: LiveModel) -> None:
        self.live = live
        self.candidates = [
            i for i, relation in enumerate(live.model.relations) if relation.depends_on_time_only
        ]
        self.slopes = np.zeros(len(live.model.relations))
        self.rises = np.zeros(len(live.model.relations))  # slopes of candidates

    def next(self, t: float, y: Vector, probe: float, stop: float) -> float:
        """The next exact time up to `stop`, else infinity. The memory is left as it was."""
        if not self.candidates or stop <= t:
            return inf
        saved = self.live.memory.copy()
        found = self._next(t, y, probe, stop)
        self.live.memory[:] = saved
        self.live.forget_messages()
        return found

    def _next(self, t: float, y: Vector, probe: float, stop: float) -> float:
        here = self.live.residuals(t, y).copy()
        there = self.live.residuals(t + probe, y)
        self.slopes = (there - here) / probe
        rises = self.slopes[self.candidates]
        self.rises[self.candidates] = np.where(np.isfinite(rises), rises, 0.0)
        zeros = []
        for i in self.candidates:
            slope = self.slopes[i]
            if np.isfinite(slope) and slope * here[i] < 0.0:
                zeros.append((t - here[i] / slope, i))
        for zero, i in sorted(zeros):
            if zero > stop * (1.0 + 1e-12):
                break
            exact = self._exact(i, zero, y, here[i])
            if exact is not None and not is_reached(exact, t):
                return exact if exact <= stop else inf
        return inf

    def _exact(self, i: int, t: float, y: Vector, before: float) -> float | None:
        """The first time, as rounding has it, at which the residual has left its old sign."""
        slope = float(self.slopes[i])
        crossed: float | None = None  # the earliest time known at which it has left its sign
        for _ in range(CORRECTIONS):
            residual = float(self.live.residuals(t, y)[i])
            if not abs(residual) <= STRAIGHT * abs(before) + 8.0 * ulp(t) * abs(slope):
                return None
            if residual == 0.0:
                return t
            moved = t - residual / slope
            if residual * before < 0.0:
                crossed = t
                if not moved < t:
                    return t
                t = moved
            else:
                t = max(moved, nextafter(t, inf))
                if crossed is not None and t >= crossed:
                    return crossed
        return crossed
