"""Time events known before they happen: samples, and zeros of residuals of time alone.

    next_sample(loop)      # the earliest instant; inf: none
    foretell(loop)         # loop.predicted
    set_limit(loop)        # where integration stops at the latest

After each event a relation such as `time >= 0.5` has a residual that is a function of time (parameters and
discrete values do not move until the next event). Nearly always it is a straight line: two values give its
zero. Integration then stops exactly there and needs no search. A residual that turns out to be curved is
left to the search for state events. Lines and zeros are kept from event to event: a residual that is where
its line said it would be needs no new evaluation.

Samples follow the rules of `events/samples.py`.
"""

from __future__ import annotations

from math import inf, nan

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.result.events import DUE
from freewheel.runtime.events.location import bracket, residuals_here
from freewheel.runtime.events.log import note, notes
from freewheel.runtime.events.sliding.release import on_surfaces, releasing
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.loop.point import place, point
from freewheel.runtime.thresholds import EPSILON, LARGEST, TIED

calendar = KernelModule("calendar", point, bracket, notes, releasing)

STRAIGHT = 1e-9  # the residual at the predicted zero, as a share of its change
CORRECTIONS = 6
SAME = 16.0  # units in the last place: a residual on its old line


@calendar.kernel
def sample_instant(loop: Loop, number: Int) -> Float:
    """start + (first + k*every)*interval/parts, never by adding up."""
    series = loop.sample_series[5 * number :]
    ticks = series[2] + loop.sample_counts[number] * series[3]
    return series[0] + ticks * series[1] / series[4]


@calendar.kernel
def is_reached(instant: Float, t: Float) -> Int:
    """Whether an instant is not after `t`, but for rounding: 3 * 0.05 and 15 * 0.01 are tied."""
    return 1 if instant <= t + TIED * abs(t) else 0


@calendar.kernel
def next_sample(loop: Loop) -> Float:
    first = inf
    for k in range(loop.samples):
        first = min(first, sample_instant(loop, k))
    return first


@calendar.kernel
def mark_due(loop: Loop, t: Float) -> Int:
    """Let samples fire that are due at `t`; how many."""
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
    """On to the instants after `t`."""
    for k in range(loop.samples):
        while is_reached(sample_instant(loop, k), t) == 1:
            loop.sample_counts[k] += 1


@calendar.kernel
def set_limit(loop: Loop) -> None:
    sample = next_sample(loop)
    loop.limit = min(min(loop.stop, sample), min(loop.predicted, loop.input_break))
    if loop.is_held == 1:
        loop.limit = min(loop.limit, loop.held.rests_at)
    if is_reached(loop.predicted, loop.limit) == 1:  # a sample that is tied with it says when
        is_tied = sample <= loop.stop and is_reached(sample, loop.limit) == 1
        loop.limit = sample if is_tied else loop.predicted
        loop.predicted = loop.limit
    jumps = 1 if loop.limit == loop.input_break and loop.break_jumps == 1 else 0
    loop.end_is_event = 1 if is_reached(sample, loop.limit) == 1 else jumps


# ---------------------------------------------------------------- residuals of time alone


@calendar.kernel
def residuals_then(loop: Loop, t: Float) -> None:
    """At another time. Those of time alone need no derivatives, unless other sections than the model's own
    are in force; the others are of no interest."""
    loop.memory[loop.time_slot] = t
    if loop.events_are_plain == 0 or on_surfaces(loop) == 1:
        loop.derivatives(loop.memory)
    residuals_here(loop, loop.residuals_found)


@calendar.kernel
def on_their_lines(loop: Loop) -> Int:
    """1 where each residual of time alone is where it was expected."""
    slopes = loop.time_slopes
    seen = loop.seen
    candidates = loop.time_only
    for i in range(loop.relation_count):
        if candidates[i] == 1:
            expected = seen[i] + slopes[i] * (loop.t - loop.seen_at[i])
            size = max(abs(seen[i]), abs(slopes[i]) * max(abs(loop.t), abs(loop.seen_at[i])))
            if not abs(loop.residuals_left[i] - expected) <= SAME * EPSILON * size:
                return 0
    return 1


@calendar.kernel
def find_lines(loop: Loop) -> None:
    """Two values give a line."""
    candidates = loop.time_only
    probe = min(loop.interval, loop.stop - loop.t)
    residuals_then(loop, loop.t + probe)
    for i in range(loop.relation_count):
        if candidates[i] == 1:
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
def following(t: Float) -> Float:
    """A time just after `t`, as rounding has it."""
    return t + max(0.6 * EPSILON * abs(t), 1e-300)  # rounds to one unit in the last place


@calendar.kernel
def exact_zero(loop: Loop, i: Int, guess: Float) -> Float:
    """The first time, as rounding has it, at which the residual has left its sign; inf: it is no
    straight line."""
    slope = loop.time_slopes[i]
    before = loop.residuals_left[i]
    t = guess
    crossed = inf  # the earliest time known at which it has left its sign
    for _round in range(CORRECTIONS):
        residuals_then(loop, t)
        residual = loop.residuals_found[i]
        if not abs(residual) <= STRAIGHT * abs(before) + 8.0 * EPSILON * abs(t) * abs(slope):
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
            t = max(moved, following(t))
            if t >= crossed:
                return crossed
    return crossed


@calendar.kernel
def earliest(loop: Loop, after: Float) -> Int:
    """The candidate whose line becomes zero first, not before `after`; -1: none."""
    candidates = loop.time_only
    best = -1
    first = inf
    for i in range(loop.relation_count):
        if candidates[i] == 1 and loop.time_slopes[i] * loop.residuals_left[i] < 0.0:
            zero = loop.t - loop.residuals_left[i] / loop.time_slopes[i]
            if zero > after and zero < first:
                first = zero
                best = i
    return best


@calendar.kernel
def foretell(loop: Loop) -> None:
    """The next exact time up to the stop into `predicted`; residuals at `t` are in `residuals_left`. What is
    tied with `t` has happened."""
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
        if guess > loop.stop + 1e-12 * abs(loop.stop):
            return
        if not abs(zeros[i] - guess) <= SAME * EPSILON * abs(guess):
            zeros[i] = exact_zero(loop, i, guess)
        if not zeros[i] < inf:
            loop.prediction_is_sure = 0
        if zeros[i] > loop.t and zeros[i] < inf:
            if zeros[i] <= loop.stop:
                loop.predicted = zeros[i]
            return


@calendar.kernel
def foretell_anew(loop: Loop, t: Float, y: Floats) -> None:
    """As `foretell`, for events that Python deals with: nothing is known of lines and residuals."""
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
