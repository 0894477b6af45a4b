"""Time events known before they happen: samples, and zeros of residuals of time alone.

    next_sample(w, c)                             # the earliest instant; inf: none
    foretell(relations, m, w, c)      # w[PREDICTED]
    set_limit(w, c)                               # where integration stops at the latest

The rules are those of `event/calendar.py` and `event/predict.py`. Lines and zeros are kept from event
to event: a residual that is where its line said it would be needs no new evaluation.
"""

from __future__ import annotations

from math import inf

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints, Section
from freewheel.result.events import DUE
from freewheel.runtime.kernels.bracket import bracket, residuals_here
from freewheel.runtime.kernels.notes import note, notes
from freewheel.runtime.kernels.places import (
    AT_RESIDUALS,
    AT_SAMPLE_SLOTS,
    AT_SAMPLES,
    AT_TIME_ONLY,
    BREAK,
    BREAK_JUMPS,
    END_IS_EVENT,
    EPSILON,
    INTERVAL,
    LARGEST,
    LIMIT,
    PREDICTED,
    R_FOUND,
    R_LEFT,
    R_RISES,
    R_SEEN,
    R_SEEN_AT,
    R_SLOPES,
    R_ZEROS,
    RELATIONS,
    SAMPLES,
    STOP,
    SURE,
    TIED,
    TIME,
    T,
)
from freewheel.runtime.kernels.point import point

calendar = KernelModule("calendar", point, bracket, notes)

STRAIGHT = 1e-9  # the residual at the predicted zero, as a share of its change
CORRECTIONS = 6
SAME = 16.0  # units in the last place: a residual on its old line


@calendar.kernel
def sample_instant(w: Floats, c: Ints, number: Int) -> Float:
    """start + (first + k*every)*interval/parts, never by adding up."""
    series = w[c[AT_SAMPLES] + 5 * number :]
    ticks = series[2] + c[c[AT_SAMPLE_SLOTS] + c[SAMPLES] + number] * series[3]
    return series[0] + ticks * series[1] / series[4]


@calendar.kernel
def is_reached(instant: Float, t: Float) -> Int:
    """Whether an instant is not after `t`, but for rounding: 3 * 0.05 and 15 * 0.01 are tied."""
    return 1 if instant <= t + TIED * abs(t) else 0


@calendar.kernel
def next_sample(w: Floats, c: Ints) -> Float:
    first = inf
    for k in range(c[SAMPLES]):
        first = min(first, sample_instant(w, c, k))
    return first


@calendar.kernel
def mark_due(m: Floats, w: Floats, c: Ints, log: Floats, t: Float) -> Int:
    """Let samples fire that are due at `t`; how many."""
    slots = c[c[AT_SAMPLE_SLOTS] :]
    count = 0
    for k in range(c[SAMPLES]):
        if is_reached(sample_instant(w, c, k), t) == 1:
            m[slots[k]] = 1.0
            note(log, c, DUE, k, t)
            count += 1
    return count


@calendar.kernel
def clear_due(m: Floats, c: Ints) -> None:
    slots = c[c[AT_SAMPLE_SLOTS] :]
    for k in range(c[SAMPLES]):
        m[slots[k]] = 0.0


@calendar.kernel
def move_samples(w: Floats, c: Ints, t: Float) -> None:
    """On to the instants after `t`."""
    counts = c[c[AT_SAMPLE_SLOTS] + c[SAMPLES] :]
    for k in range(c[SAMPLES]):
        while is_reached(sample_instant(w, c, k), t) == 1:
            counts[k] += 1


@calendar.kernel
def set_limit(w: Floats, c: Ints) -> None:
    sample = next_sample(w, c)
    w[LIMIT] = min(min(w[STOP], sample), min(w[PREDICTED], w[BREAK]))
    if is_reached(w[PREDICTED], w[LIMIT]) == 1:  # a sample that is tied with it says when
        is_tied = sample <= w[STOP] and is_reached(sample, w[LIMIT]) == 1
        w[LIMIT] = sample if is_tied else w[PREDICTED]
        w[PREDICTED] = w[LIMIT]
    jumps = 1 if w[LIMIT] == w[BREAK] and c[BREAK_JUMPS] == 1 else 0
    c[END_IS_EVENT] = 1 if is_reached(sample, w[LIMIT]) == 1 else jumps


# ---------------------------------------------------------------- residuals of time alone


@calendar.kernel
def residuals_then(relations: Section, m: Floats, w: Floats, c: Ints, t: Float) -> None:
    """At another time. Those of time alone need no derivatives; the others are of no interest."""
    m[c[TIME]] = t
    residuals_here(relations, m, c, w[c[AT_RESIDUALS] + R_FOUND * c[RELATIONS] :])


@calendar.kernel
def on_their_lines(w: Floats, c: Ints) -> Int:
    """1 where each residual of time alone is where it was expected."""
    r = c[RELATIONS]
    left = w[c[AT_RESIDUALS] + R_LEFT * r :]
    slopes = w[c[AT_RESIDUALS] + R_SLOPES * r :]
    seen_at = w[c[AT_RESIDUALS] + R_SEEN_AT * r :]
    seen = w[c[AT_RESIDUALS] + R_SEEN * r :]
    candidates = c[c[AT_TIME_ONLY] :]
    for i in range(r):
        if candidates[i] == 1:
            expected = seen[i] + slopes[i] * (w[T] - seen_at[i])
            size = max(abs(seen[i]), abs(slopes[i]) * max(abs(w[T]), abs(seen_at[i])))
            if not abs(left[i] - expected) <= SAME * EPSILON * size:
                return 0
    return 1


@calendar.kernel
def find_lines(relations: Section, m: Floats, w: Floats, c: Ints) -> None:
    """Two values give a line."""
    r = c[RELATIONS]
    left = w[c[AT_RESIDUALS] + R_LEFT * r :]
    found = w[c[AT_RESIDUALS] + R_FOUND * r :]
    slopes = w[c[AT_RESIDUALS] + R_SLOPES * r :]
    seen_at = w[c[AT_RESIDUALS] + R_SEEN_AT * r :]
    seen = w[c[AT_RESIDUALS] + R_SEEN * r :]
    rises = w[c[AT_RESIDUALS] + R_RISES * r :]
    zeros = w[c[AT_RESIDUALS] + R_ZEROS * r :]
    candidates = c[c[AT_TIME_ONLY] :]
    probe = min(w[INTERVAL], w[STOP] - w[T])
    residuals_then(relations, m, w, c, w[T] + probe)
    for i in range(r):
        if candidates[i] == 1:
            slope = (found[i] - left[i]) / probe
            if not abs(slope) <= LARGEST:
                slope = 0.0
                c[SURE] = 0
            slopes[i] = slope
            seen_at[i] = w[T]
            seen[i] = left[i]
            zeros[i] = inf
            rises[i] = slope


@calendar.kernel
def following(t: Float) -> Float:
    """A time just after `t`, as rounding has it."""
    return t + max(0.6 * EPSILON * abs(t), 1e-300)  # rounds to one unit in the last place


@calendar.kernel
def exact_zero(relations: Section, m: Floats, w: Floats, c: Ints, i: Int, guess: Float) -> Float:
    """The first time, as rounding has it, at which the residual has left its sign; inf: it is no
    straight line."""
    r = c[RELATIONS]
    found = w[c[AT_RESIDUALS] + R_FOUND * r :]
    slope = w[c[AT_RESIDUALS] + R_SLOPES * r + i]
    before = w[c[AT_RESIDUALS] + R_LEFT * r + i]
    t = guess
    crossed = inf  # the earliest time known at which it has left its sign
    for _round in range(CORRECTIONS):
        residuals_then(relations, m, w, c, t)
        residual = found[i]
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
def earliest(w: Floats, c: Ints, after: Float) -> Int:
    """The candidate whose line becomes zero first, not before `after`; -1: none."""
    r = c[RELATIONS]
    left = w[c[AT_RESIDUALS] + R_LEFT * r :]
    slopes = w[c[AT_RESIDUALS] + R_SLOPES * r :]
    candidates = c[c[AT_TIME_ONLY] :]
    best = -1
    first = inf
    for i in range(r):
        if candidates[i] == 1 and slopes[i] * left[i] < 0.0:
            zero = w[T] - left[i] / slopes[i]
            if zero > after and zero < first:
                first = zero
                best = i
    return best


@calendar.kernel
def foretell(relations: Section, m: Floats, w: Floats, c: Ints) -> None:
    """The next exact time up to the stop into w[PREDICTED]; residuals at T are in R_LEFT. What is tied with
    T has happened."""
    r = c[RELATIONS]
    w[PREDICTED] = inf
    c[SURE] = 1
    has_some = 0
    for i in range(r):
        has_some += c[c[AT_TIME_ONLY] + i]
    if has_some == 0 or w[STOP] <= w[T]:
        return
    if on_their_lines(w, c) == 0:
        find_lines(relations, m, w, c)
    left = w[c[AT_RESIDUALS] + R_LEFT * r :]
    slopes = w[c[AT_RESIDUALS] + R_SLOPES * r :]
    zeros = w[c[AT_RESIDUALS] + R_ZEROS * r :]
    guess = w[T] + TIED * abs(w[T])
    for _candidate in range(has_some):
        i = earliest(w, c, guess)
        if i < 0:
            return
        guess = w[T] - left[i] / slopes[i]
        if guess > w[STOP] + 1e-12 * abs(w[STOP]):
            return
        if not abs(zeros[i] - guess) <= SAME * EPSILON * abs(guess):
            zeros[i] = exact_zero(relations, m, w, c, i, guess)
        if not zeros[i] < inf:
            c[SURE] = 0
        if zeros[i] > w[T] and zeros[i] < inf:
            if zeros[i] <= w[STOP]:
                w[PREDICTED] = zeros[i]
            return
