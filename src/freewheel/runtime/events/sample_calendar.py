"""Time events that are known before they happen: samples, and stops that others announce.

    calendar = SampleCalendar.at(start_time, [Series(0.0, 0.1)])
    calendar.next            # 0.0
    calendar.due(0.0)        # [0]; and its next instant becomes 0.1

An instant is computed as start + (first + k*every)*interval/parts, never by adding up, so that it
is hit exactly and series of one clock meet in the same numbers. Instants of others that differ by
rounding only (3 * 0.05 and 15 * 0.01) count as one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil, inf, isfinite, ulp
from typing import Any

from freewheel.base.source import NOWHERE, Span
from freewheel.runtime.diagnostics import bad_sample, storm_of_samples
from freewheel.runtime.thresholds import TIED


def is_reached(instant: float, t: float) -> bool:
    """Whether an instant is not after `t`, but for rounding."""
    return instant <= t + TIED * abs(t)


@dataclass(slots=True)
class Series:
    """Instants start + (first + k*every)*interval/parts."""

    start: float
    interval: float
    first: int = 0
    every: int = 1
    parts: int = 1
    span: Span = NOWHERE
    count: int = 0  # of the next instant

    @property
    def instant(self) -> float:
        return self.start + (self.first + self.count * self.every) * self.interval / self.parts

    @property
    def numbers(self) -> tuple[float, ...]:
        """What a kernel needs to do the same."""
        return (self.start, self.interval, float(self.first), float(self.every), float(self.parts))


@dataclass(slots=True)
class SampleCalendar:
    series: list[Series] = field(default_factory=list)

    @classmethod
    def at(cls, t: float, samples: Sequence[Series]) -> SampleCalendar:
        """The calendar as it stands when the simulation begins at `t`, instants at `t` included."""
        calendar = cls()
        for series in samples:
            start, interval = series.start, series.interval
            if not (interval > 0.0 and isfinite(interval) and isfinite(start)):
                raise bad_sample(interval, start, series.span)
            # Rounding must neither skip the first instant nor repeat one that has passed.
            period = series.every * interval / series.parts
            series.count = max(0, ceil((t - series.instant) / period) - 1)
            while series.instant < t - 4.0 * ulp(t):
                series.count += 1
            calendar.series.append(series)
        return calendar

    @classmethod
    def of_state(cls, saved: Sequence[Any], spans: Sequence[Span]) -> SampleCalendar:
        """Of a run that was saved; `spans`: where each sample is written."""
        found = []
        for ((start, interval, *rest), count), span in zip(saved, spans, strict=True):
            first, every, parts = (int(number) for number in rest)
            found.append(Series(start, interval, first, every, parts, span, count))
        return cls(found)

    def state(self) -> list[Any]:
        return [[list(series.numbers), series.count] for series in self.series]

    def check(self, stop: float, limit: int) -> None:
        """A run that could never end is refused before it begins."""
        for series in self.series:
            period = series.every * series.interval / series.parts
            count = (stop - series.instant) / period
            if count > limit:
                raise storm_of_samples(period, count, limit, series.span)

    @property
    def next(self) -> float:
        return min((series.instant for series in self.series), default=inf)

    def due(self, t: float) -> list[int]:
        """Numbers of the samples that fire at `t`, moved on to their following instants."""
        fired = []
        for number, series in enumerate(self.series):
            if is_reached(series.instant, t):
                fired.append(number)
                while is_reached(series.instant, t):
                    series.count += 1
        return fired
