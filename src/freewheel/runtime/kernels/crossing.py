"""Relations inside a step: compared with their statuses, and the first that leaves is located.

    first_crossing(derivatives, relations, m, w, c)    # 1: w[CROSSING], R_CROSSING, AT_WHICH say

The rules are those of `event/detect.py` and `event/locate.py`: Illinois regula falsi for all
candidates at once, the earliest guess first.
"""

from __future__ import annotations

from math import nan

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Function, Int, Ints, Section
from freewheel.runtime.kernels.places import (
    AT_END,
    AT_RESIDUAL,
    AT_RESIDUALS,
    AT_STATUS,
    AT_TIME_ONLY,
    AT_WHICH,
    CROSSING,
    EPSILON,
    EVALUATIONS,
    HEAD,
    LARGEST,
    LOCATIONS,
    PREDICTED,
    R_A,
    R_B,
    R_BANDS,
    R_CROSSING,
    R_END,
    R_FOUND,
    R_LEFT,
    R_MIDDLE,
    RELATIONS,
    T1,
    TRIAL,
    N,
    T,
)
from freewheel.runtime.kernels.point import dense_value, place, point
from freewheel.runtime.kernels.step import make_dense, step

crossing = KernelModule("crossing", point, step)

MAX_ROUNDS = 120  # a round that does not halve the bracket is followed by one that does
NARROW = 2.0


@crossing.kernel
def residuals_here(relations: Section, m: Floats, c: Ints, out: Floats) -> None:
    """Residuals at the point in memory, whose derivatives are known; NaN where they fail."""
    status = relations(m)
    slots = c[c[AT_RESIDUAL] :]
    for i in range(c[RELATIONS]):
        out[i] = m[slots[i]] if status == 0 else nan


@crossing.kernel
def residuals_at(
    derivatives: Section, relations: Section, m: Floats, w: Floats, c: Ints, t: Float, out: Floats
) -> None:
    """Residuals inside the step."""
    n = c[N]
    dense_value(w, c, t, w[HEAD + TRIAL * n :])
    place(m, w, c, t, w[HEAD + TRIAL * n :])
    c[EVALUATIONS] += 1
    if derivatives(m) != 0:
        for i in range(c[RELATIONS]):
            out[i] = nan
    else:
        residuals_here(relations, m, c, out)


@crossing.kernel
def has_left(status: Float, residual: Float, band: Float) -> Int:
    """See `detect.changed`; a residual that is NaN agrees with anything."""
    if abs(residual) <= band:
        if band > 0.0 or status == 0.0:
            return 0
        return 1
    if residual > 0.0:
        return 1 if status != 1.0 else 0
    if residual < 0.0:
        return 1 if status != -1.0 else 0
    return 0


@crossing.kernel
def mark_changed(m: Floats, w: Floats, c: Ints, residuals: Floats, which: Ints) -> Int:
    """Mark the relations that have left their status; how many."""
    r = c[RELATIONS]
    bands = w[c[AT_RESIDUALS] + R_BANDS * r :]
    statuses = c[c[AT_STATUS] :]
    count = 0
    for i in range(r):
        which[i] = has_left(m[statuses[i]], residuals[i], bands[i])
        count += which[i]
    return count


@crossing.kernel
def guess_zero(
    r: Int, a: Float, ra: Floats, b: Float, rb: Floats, which: Ints, narrow: Float
) -> Float:
    """The earliest zero of the chords."""
    middle = a + 0.5 * (b - a)
    share = 2.0
    for i in range(r):
        if which[i] == 1:
            fall = rb[i] - ra[i]
            if fall != 0.0:
                ratio = -ra[i] / fall
                if abs(ratio) <= LARGEST:
                    share = min(share, ratio)
    t = middle if share == 2.0 else a + share * (b - a)
    t = min(max(t, a + 0.5 * narrow), b - 0.5 * narrow)  # a guess on an end narrows nothing
    if t > a and t < b:
        return t
    return middle


@crossing.kernel
def locate(
    derivatives: Section, relations: Section, m: Floats, w: Floats, c: Ints, left: Float,
    right: Float, left_residuals: Floats, right_residuals: Floats,
) -> None:  # fmt: skip
    """Narrow the bracket around the first crossing; AT_WHICH holds those of its right end."""
    r = c[RELATIONS]
    ra = w[c[AT_RESIDUALS] + R_A * r :]
    rb = w[c[AT_RESIDUALS] + R_B * r :]
    found = w[c[AT_RESIDUALS] + R_FOUND * r :]
    out = w[c[AT_RESIDUALS] + R_CROSSING * r :]
    which = c[c[AT_WHICH] :]
    goes_through = c[c[AT_WHICH] + r :]
    crossed = c[c[AT_WHICH] + 2 * r :]
    statuses = c[c[AT_STATUS] :]
    bands = w[c[AT_RESIDUALS] + R_BANDS * r :]
    for i in range(r):
        ra[i] = left_residuals[i]
        rb[i] = right_residuals[i]
        out[i] = right_residuals[i]
        goes_through[i] = 1 if rb[i] * m[statuses[i]] < 0.0 else 0
    a = left
    b = right
    narrow = NARROW * EPSILON * max(abs(a), abs(b)) + 1e-300
    side = 0
    is_slow = 0
    rounds = 0
    while b - a > narrow and rounds < MAX_ROUNDS:
        rounds += 1
        width = b - a
        t = a + 0.5 * width
        if is_slow == 0:
            t = guess_zero(r, a, ra, b, rb, which, narrow)
        residuals_at(derivatives, relations, m, w, c, t, found)
        count = 0
        for i in range(r):
            crossed[i] = has_left(m[statuses[i]], found[i], bands[i])
            # One that goes through zero has crossed once it is beyond: stopping on an exact zero
            # would make a second event of its leaving.
            if goes_through[i] == 1 and found[i] == 0.0:
                crossed[i] = 0
            count += crossed[i]
        if count > 0:
            b = t
            for i in range(r):
                rb[i] = found[i]
                out[i] = found[i]
                which[i] = crossed[i]
                if side == 1:
                    ra[i] *= 0.5
            side = 1
        else:
            a = t
            for i in range(r):
                ra[i] = found[i]
                if side == -1:
                    rb[i] *= 0.5
            side = -1
        is_slow = 1 if b - a > 0.5 * width else 0
    c[LOCATIONS] += rounds
    w[CROSSING] = b


@crossing.kernel
def only_time(c: Ints, which: Ints) -> Int:
    time_only = c[c[AT_TIME_ONLY] :]
    for i in range(c[RELATIONS]):
        if which[i] == 1 and time_only[i] == 0:
            return 0
    return 1


@crossing.kernel
def first_crossing(
    derivatives: Section, relations: Section, interpolate: Function, m: Floats, w: Floats, c: Ints
) -> Int:
    """Compare residuals with statuses in the middle and at the end of the step."""
    r = c[RELATIONS]
    if r == 0:
        return 0
    left = w[c[AT_RESIDUALS] + R_LEFT * r :]
    middle = w[c[AT_RESIDUALS] + R_MIDDLE * r :]
    end = w[c[AT_RESIDUALS] + R_END * r :]
    which = c[c[AT_WHICH] :]
    make_dense(interpolate, w, c)
    if c[AT_END] == 1:  # the memory is there already: one evaluation less
        residuals_here(relations, m, c, end)
    else:
        residuals_at(derivatives, relations, m, w, c, w[T1], end)
    c[AT_END] = 0
    t = 0.5 * (w[T] + w[T1])
    has_middle = 0
    if t > w[T] and t < w[T1]:
        has_middle = 1
        residuals_at(derivatives, relations, m, w, c, t, middle)
        if mark_changed(m, w, c, middle, which) > 0:
            locate(derivatives, relations, m, w, c, w[T], t, left, middle)
            return 1
    if mark_changed(m, w, c, end, which) == 0:
        for i in range(r):
            left[i] = end[i]
        return 0
    if w[T1] == w[PREDICTED] and only_time(c, which) == 1:
        out = w[c[AT_RESIDUALS] + R_CROSSING * r :]
        for i in range(r):
            out[i] = end[i]
        w[CROSSING] = w[T1]
    elif has_middle == 1:
        locate(derivatives, relations, m, w, c, t, w[T1], middle, end)
    else:
        locate(derivatives, relations, m, w, c, w[T], w[T1], left, end)
    return 1
