"""Time events: samples, and zeros of residuals that depend on time alone.

    begin_samples(loop, live, settings)
    next_sample(loop)      # the earliest instant; inf: none
    foretell(loop)         # loop.predicted
    set_limit(loop)        # where integration stops at the latest

A residual such as `time - 0.5` is a function of time between two events, and nearly always linear: two values
give its zero, and integration stops exactly there without a search. A residual that is not linear is located
like a state event. Lines and zeros are kept from event to event: a residual that is on its line needs no new
evaluation.

An instant of a sample is start + (first + k*every)*interval/parts, never a sum of intervals, so that it is
hit exactly and series of one clock have equal instants. Instants that differ by rounding (3 * 0.05 and 15 *
0.01) are one.
"""

from __future__ import annotations

from math import ceil, inf, isfinite, nan, ulp
from typing import TYPE_CHECKING

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.result.events import DUE
from freewheel.runtime.diagnostics import bad_sample, storm_of_samples
from freewheel.runtime.events.location import bracket, residuals_here
from freewheel.runtime.events.log import note, notes
from freewheel.runtime.events.sliding.release import on_surfaces, releasing
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.loop.point import place, point
from freewheel.runtime.thresholds import EPSILON, LARGEST, TIED, TIME_EVENTS, TINIEST

if TYPE_CHECKING:
    from freewheel.runtime.live import LiveModel
    from freewheel.runtime.settings import Settings

calendar = KernelModule("calendar", point, bracket, notes, releasing)


@calendar.kernel
def sample_instant(loop: Loop, number: Int) -> Float:
    series = loop.sample_series[5 * number :]
    ticks = series[2] + loop.sample_counts[number] * series[3]
    return series[0] + ticks * series[1] / series[4]


@calendar.kernel
def is_reached(instant: Float, t: Float) -> Int:
    """Whether an instant is not after `t` but for rounding."""
    return 1 if instant <= t + TIED * abs(t) else 0


@calendar.kernel
def next_sample(loop: Loop) -> Float:
    first = inf
    for k in range(loop.samples):
        first = min(first, sample_instant(loop, k))
    return first


@calendar.kernel
def mark_due(loop: Loop, t: Float) -> Int:
    """Activates the samples that are due at `t`; how many."""
    count = 0
    for k in range(loop.samples):
        if is_reached(sample_instant(loop, k), t) == 1:
            loop.memory[loop.sample_slots[k]] = 1.0
            note(loop, DUE, k, t)
            count += 1
    return count


@calendar.kernel
def clear_due(loop: Loop) -> None:
    for k in range(loop.samples):
        loop.memory[loop.sample_slots[k]] = 0.0


@calendar.kernel
def move_samples(loop: Loop, t: Float) -> None:
    """Advances all series to their instants after `t`."""
    for k in range(loop.samples):
        while is_reached(sample_instant(loop, k), t) == 1:
            loop.sample_counts[k] += 1


@calendar.kernel
def set_limit(loop: Loop) -> None:
    sample = next_sample(loop)
    loop.limit = min(min(loop.stop, sample), min(loop.predicted, loop.input_break))
    if loop.is_constrained == 1:
        loop.limit = min(loop.limit, loop.constrained.rests_at)
    if is_reached(loop.predicted, loop.limit) == 1:  # a sample at the same instant decides it
        is_tied = sample <= loop.stop and is_reached(sample, loop.limit) == 1
        loop.limit = sample if is_tied else loop.predicted
        loop.predicted = loop.limit
    jumps = 1 if loop.limit == loop.input_break and loop.break_jumps == 1 else 0
    loop.end_is_event = 1 if is_reached(sample, loop.limit) == 1 else jumps


# ---------------------------------------------------------------- residuals of time alone


@calendar.kernel
def residuals_then(loop: Loop, t: Float) -> None:
    """Residuals of time alone at another time. They need no derivatives, unless other sections than the
    model's own are in use."""
    loop.memory[loop.time_slot] = t
    if loop.events_are_plain == 0 or on_surfaces(loop) == 1:
        loop.derivatives(loop.memory)
    residuals_here(loop, loop.residuals_found)


@calendar.kernel
def on_their_lines(loop: Loop) -> Int:
    """1 where each residual of time alone is on its line."""
    slopes = loop.time_slopes
    seen = loop.seen
    for i in range(loop.relation_count):
        if loop.time_only[i] == 1:
            expected = seen[i] + slopes[i] * (loop.t - loop.seen_at[i])
            size = max(abs(seen[i]), abs(slopes[i]) * max(abs(loop.t), abs(loop.seen_at[i])))
            if not abs(loop.residuals_left[i] - expected) <= TIME_EVENTS.same * EPSILON * size:
                return 0
    return 1


@calendar.kernel
def find_lines(loop: Loop) -> None:
    """Two values give a line."""
    probe = min(loop.interval, loop.stop - loop.t)
    residuals_then(loop, loop.t + probe)
    for i in range(loop.relation_count):
        if loop.time_only[i] == 1:
            slope = (loop.residuals_found[i] - loop.residuals_left[i]) / probe
            if not abs(slope) <= LARGEST:
                slope = 0.0
                loop.prediction_is_sure = 0
            loop.time_slopes[i] = slope
            loop.seen_at[i] = loop.t
            loop.seen[i] = loop.residuals_left[i]
            loop.zeros[i] = inf
            loop.rises[i] = slope


@calendar.kernel
def exact_zero(loop: Loop, i: Int, guess: Float) -> Float:
    """The first representable time at which the residual has left its sign; inf: it is not linear."""
    slope = loop.time_slopes[i]
    before = loop.residuals_left[i]
    t = guess
    crossed = inf  # the earliest known time at which it has left its sign
    for _round in range(TIME_EVENTS.corrections):
        residuals_then(loop, t)
        residual = loop.residuals_found[i]
        if not abs(residual) <= TIME_EVENTS.straight * abs(before) + 8.0 * EPSILON * abs(t) * abs(
            slope
        ):
            return inf
        if residual == 0.0:
            return t
        moved = t - residual / slope
        if residual * before < 0.0:
            crossed = t
            if not moved < t:
                return t
            t = moved
        else:
            t = max(moved, t + max(0.6 * EPSILON * abs(t), TINIEST))  # one unit in the last place
            if t >= crossed:
                return crossed
    return crossed


@calendar.kernel
def earliest(loop: Loop, after: Float) -> Int:
    """The candidate whose line becomes zero first, not before `after`; -1: none."""
    best = -1
    first = inf
    for i in range(loop.relation_count):
        if loop.time_only[i] == 1 and loop.time_slopes[i] * loop.residuals_left[i] < 0.0:
            zero = loop.t - loop.residuals_left[i] / loop.time_slopes[i]
            if zero > after and zero < first:
                first = zero
                best = i
    return best


@calendar.kernel
def foretell(loop: Loop) -> None:
    """The next exact zero up to the stop, into `predicted`; residuals at `t` are in `residuals_left`. Zeros
    that are tied with `t` have happened."""
    loop.predicted = inf
    loop.prediction_is_sure = 1
    has_some = 0
    for i in range(loop.relation_count):
        has_some += loop.time_only[i]
    if has_some == 0 or loop.stop <= loop.t:
        return
    if on_their_lines(loop) == 0:
        find_lines(loop)
    zeros = loop.zeros
    guess = loop.t + TIED * abs(loop.t)
    for _candidate in range(has_some):
        i = earliest(loop, guess)
        if i < 0:
            return
        guess = loop.t - loop.residuals_left[i] / loop.time_slopes[i]
        if guess > loop.stop + TIME_EVENTS.beyond_stop * abs(loop.stop):
            return
        if not abs(zeros[i] - guess) <= TIME_EVENTS.same * EPSILON * abs(guess):
            zeros[i] = exact_zero(loop, i, guess)
        if not zeros[i] < inf:
            loop.prediction_is_sure = 0
        if zeros[i] > loop.t and zeros[i] < inf:
            if zeros[i] <= loop.stop:
                loop.predicted = zeros[i]
            return


@calendar.kernel
def foretell_anew(loop: Loop, t: Float, y: Floats) -> None:
    """As `foretell`, for events of Python: lines and residuals are unknown."""
    place(loop, t, y)
    loop.t = t
    status = loop.derivatives(loop.memory)
    residuals_here(loop, loop.residuals_left)
    for i in range(loop.relation_count):
        loop.seen[i] = nan
        if status != 0:
            loop.residuals_left[i] = nan
    foretell(loop)
    loop.prediction_is_sure = 0


# ---------------------------------------------------------------- the start of a run


def begin_samples(loop: Loop, live: LiveModel, settings: Settings) -> None:
    """The series of the samples, with instants at the start of the run. Raises where there are too many."""
    t, counts = settings.start, loop.sample_counts
    for k, sample in enumerate(live.model.samples):
        start, interval = (float(live.memory[slot]) for slot in (sample.start, sample.interval))
        if not (interval > 0.0 and isfinite(interval) and isfinite(start)):
            raise bad_sample(interval, start, sample.span)
        series = (start, interval, sample.first, sample.every, sample.parts)
        loop.sample_series[5 * k : 5 * k + 5] = series
        # Rounding may neither skip the first instant nor repeat one before the start.
        period = sample.every * interval / sample.parts
        counts[k] = 0
        counts[k] = max(0, ceil((t - sample_instant(loop, k)) / period) - 1)
        while sample_instant(loop, k) < t - 4.0 * ulp(t):
            counts[k] += 1
        number = (settings.stop - sample_instant(loop, k)) / period
        if number > settings.max_events:
            raise storm_of_samples(period, number, settings.max_events, sample.span)
