"""Folds with a horizontal tangent: where the unknown of an element moves faster than any step can follow.

    e = fold_ahead(m, w, c, record)               the corner ahead of the curve that folds; -1: none does
    meet_fold(m, w, c, record, e, shortest)       the step of no length that ends there
    returns(w, c, record)                         1: a solution that leads back into the fold

Near the peak of i = 1 - (s - 1)^2 a current that rises with time makes s = 1 - sqrt(t* - t): the rate of s
grows without bound while the states move as ever, and no step passes t*. Where steps have become as short as
time can tell, the time of the fold is known to the last digit, and what lies beyond is found by the search of
`core/pieces.py`.
"""

from __future__ import annotations

from math import inf

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints
from freewheel.runtime.kernels.core_places import (
    BIT,
    BITS,
    CAUSE,
    CORNER_FLOOR,
    E_AT,
    ELEMENTS,
    FIRED,
    FOLD,
    H_GOOD,
    H_MAX,
    HEAD,
    IS_LINEAR,
    RECORD_HEAD,
    SIZE,
    SLOPE,
    TABLES,
    UNKNOWN,
    WANTED,
    Y1,
    H,
    N,
    P,
    Y,
    Z,
)
from freewheel.runtime.kernels.core_sizes import core_sizes, corner_of, is_held

core_folds = KernelModule("core_folds", core_sizes)

# Times the rate of the fastest state, both beside their sizes. Where the time left is the rounding of time,
# 1e-16 of its scale, a parabola gives 1e8; what follows a state by a curve of finite slope gives that slope.
FAST = 1e4
# shortest steps: at the rate of TREND, s would be at the corner by then. The rate of a root of order p gives
# p times the time that was left, and steps of 1e4 shortest ones are a tenth of that or more.
WITHIN_REACH = 1e5
FIRST_STEP = 0.01  # beyond a fold, of the time in which the fastest state passes its size


@core_folds.kernel
def is_stored(c: Ints, record: Floats, i: Int) -> Int:
    n = c[N]
    for row in range(n):
        if record[RECORD_HEAD + E_AT * n * n + row * n + i] != 0.0:
            return 1
    return 0


@core_folds.kernel
def relative_rate(w: Floats, c: Ints, i: Int) -> Float:
    n = c[N]
    size = max(w[HEAD + SIZE * n + i], w[HEAD + CORNER_FLOOR * n + i], 1e-300)
    return abs(w[HEAD + SLOPE * n + i]) / size


@core_folds.kernel
def usual_rate(w: Floats, c: Ints, record: Floats) -> Float:
    """Of the fastest state, where there is one that moves; at least one size in the longest step."""
    rate = 1.0 / w[H_MAX]
    for i in range(c[N]):
        if is_stored(c, record, i) == 1:
            rate = max(rate, relative_rate(w, c, i))
    return rate


@core_folds.kernel
def begin_anew(w: Floats, c: Ints, record: Floats) -> None:
    """The first step beyond a fold: the short ones before say nothing of what follows."""
    w[H] = FIRST_STEP / usual_rate(w, c, record)
    record[H_GOOD] = w[H]


@core_folds.kernel
def fold_ahead(m: Floats, w: Floats, c: Ints, record: Floats) -> Int:
    """Element of the fastest unknown, where that one folds: the next corner in the direction of its motion,
    else the last one behind. FOLD becomes the direction."""
    n = c[N]
    k = c[ELEMENTS]
    c[FOLD] = 0
    if record[IS_LINEAR] > 0.0:
        return -1
    fastest = FAST * usual_rate(w, c, record)
    folding = -1
    for e in range(k):
        s = c[TABLES + UNKNOWN * k + e]
        rate = relative_rate(w, c, s)
        if is_held(m, c, e) == 0 and is_stored(c, record, s) == 0 and rate > fastest:
            fastest = rate
            folding = s
    if folding < 0:
        return -1
    c[FOLD] = 1 if w[HEAD + SLOPE * n + folding] > 0.0 else -1
    found = -1
    nearest = inf
    for e in range(k):
        if c[TABLES + UNKNOWN * k + e] == folding and is_held(m, c, e) == 0:
            apart = float(c[FOLD]) * (corner_of(m, c, e) - w[HEAD + Y * n + folding])
            is_above = m[c[BITS] + c[TABLES + BIT * k + e]] > 0.5
            is_behind = is_above if c[FOLD] == 1 else not is_above
            distance = 1e150 - apart if is_behind else max(apart, 0.0)
            if distance < nearest:
                nearest = distance
                found = e
    return found


@core_folds.kernel
def meet_fold(m: Floats, w: Floats, c: Ints, record: Floats, e: Int, shortest: Float) -> None:
    """Y1 and the stages of a step in which nothing moves; s is at the corner where it is within reach."""
    n = c[N]
    s = c[TABLES + UNKNOWN * c[ELEMENTS] + e]
    for i in range(n):
        w[HEAD + Y1 * n + i] = w[HEAD + Y * n + i]
        w[HEAD + (P + 2) * n + i] = w[HEAD + SLOPE * n + i]
    for i in range(3 * n):
        w[HEAD + Z * n + i] = 0.0
    apart = corner_of(m, c, e) - w[HEAD + Y * n + s]
    if abs(apart) <= WITHIN_REACH * shortest * abs(w[HEAD + SLOPE * n + s]):
        w[HEAD + Y1 * n + s] = corner_of(m, c, e)
    c[FIRED] = e
    c[WANTED] = 2
    begin_anew(w, c, record)


@core_folds.kernel
def returns(w: Floats, c: Ints, record: Floats) -> Int:
    """1: at the event of a fold, s is on the branch that leads into the fold from the other side."""
    n = c[N]
    if c[FOLD] == 0 or record[IS_LINEAR] > 0.0:
        return 0
    s = c[TABLES + UNKNOWN * c[ELEMENTS] + c[CAUSE]]
    if float(c[FOLD]) * w[HEAD + SLOPE * n + s] >= 0.0:
        return 0
    return 1 if relative_rate(w, c, s) > FAST * usual_rate(w, c, record) else 0
