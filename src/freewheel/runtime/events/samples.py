"""Samples when a run begins: their series in the record of the time loop, which counts on by itself.

    begin_samples(loop, live, settings)     # then `next_sample(loop)` of `time_events.py`, ...

An instant is computed as start + (first + k*every)*interval/parts, never by adding up, so that it
is hit exactly and series of one clock meet in the same numbers. Instants of others that differ by
rounding only (3 * 0.05 and 15 * 0.01) count as one.
"""

from __future__ import annotations

from math import ceil, isfinite, ulp

from freewheel.runtime.diagnostics import bad_sample, storm_of_samples
from freewheel.runtime.events.time_events import sample_instant
from freewheel.runtime.live import LiveModel
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.settings import Settings


def begin_samples(loop: Loop, live: LiveModel, settings: Settings) -> None:
    """As they stand when the parameters are known and the run begins, instants at its start included. A run
    that could never end is refused."""
    t, counts = settings.start, loop.sample_counts
    for k, sample in enumerate(live.model.samples):
        start, interval = (float(live.memory[slot]) for slot in (sample.start, sample.interval))
        if not (interval > 0.0 and isfinite(interval) and isfinite(start)):
            raise bad_sample(interval, start, sample.span)
        series = (start, interval, sample.first, sample.every, sample.parts)
        loop.sample_series[5 * k : 5 * k + 5] = series
        # Rounding must neither skip the first instant nor repeat one that has passed.
        period = sample.every * interval / sample.parts
        counts[k] = 0
        counts[k] = max(0, ceil((t - sample_instant(loop, k)) / period) - 1)
        while sample_instant(loop, k) < t - 4.0 * ulp(t):
            counts[k] += 1
        number = (settings.stop - sample_instant(loop, k)) / period
        if number > settings.max_events:
            raise storm_of_samples(period, number, settings.max_events, sample.span)
