"""Time events that are known before they happen: samples, and stops that others announce.

    calendar = SampleCalendar.at(start_time, [(0.0, 0.1)])
    calendar.next            # 0.0
    calendar.due(0.0)        # [0]; and its next instant becomes 0.1

An instant is computed as start + k * interval, never by adding up, so that it is hit exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil, inf, isfinite, ulp

from freewheel.runtime.failures import bad_sample


@dataclass(slots=True)
class _Series:
    start: float
    interval: float
    count: int  # of the next instant

    @property
    def instant(self) -> float:
        return self.start + self.count * self.interval


@dataclass(slots=True)
class SampleCalendar:
    series: list[_Series] = field(default_factory=list)

    @classmethod
    def at(cls, t: float, samples: Sequence[tuple[float, float]]) -> SampleCalendar:
        """The calendar as it stands when the simulation begins at `t`, instants at `t` included."""
        calendar = cls()
        for start, interval in samples:
            if not (interval > 0.0 and isfinite(interval) and isfinite(start)):
                raise bad_sample(interval, start)
            # Rounding must neither skip the first instant nor repeat one that has passed.
            count = max(0, ceil((t - start) / interval) - 1)
            series = _Series(start, interval, count)
            while series.instant < t - 4.0 * ulp(t):
                series.count += 1
            calendar.series.append(series)
        return calendar

    @property
    def next(self) -> float:
        return min((series.instant for series in self.series), default=inf)

    def due(self, t: float) -> list[int]:
        """Numbers of the samples that fire at `t`, moved on to their following instants."""
        fired = []
        for number, series in enumerate(self.series):
            if series.instant <= t:
                fired.append(number)
                while series.instant <= t:
                    series.count += 1
        return fired
