"""Is there a crossing in a step? Relations are compared with their statuses, the first is located.

    first_crossing(derivatives, relations, interpolate, m, w, c)   # 1: see `bracket.locate`

What is looked at is a choice: the end of the step; also its middle; also the slopes at both ends, so that
a residual which turns inside is seen (a non-essential event, section 9.5 of Cellier and Kofman, Continuous
System Simulation); or the zeros of the polynomial through five values, counted by Sturm's sequence.
The last two ask only where the residual changes enough to have been near zero at all. Where all relations
are straight lines in time, or corners that a core watches by itself, nothing can cross before the zero
that was predicted.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Function, Int, Ints, Section
from freewheel.runtime.kernels.bracket import (
    ASIDE,
    bracket,
    locate,
    mark_changed,
    residuals_at,
    residuals_here,
)
from freewheel.runtime.kernels.places import (
    AT_CHAIN,
    AT_CORNER,
    AT_CORNER_VALUES,
    AT_END,
    AT_RESIDUALS,
    AT_STATUS,
    AT_TIME_ONLY,
    AT_WHICH,
    C_END,
    C_LARGEST,
    C_MIDDLE,
    CORNERS,
    CORNERS_SEEN,
    CROSSING,
    DETECTION,
    LOUD,
    PAIRS_FOUND,
    PREDICTED,
    R_CROSSING,
    R_DIP,
    R_END,
    R_LEFT,
    R_MIDDLE,
    R_QUARTER,
    R_THREE,
    RELATIONS,
    SURE,
    T1,
    T,
)
from freewheel.runtime.kernels.roots import coefficients
from freewheel.runtime.kernels.step import make_dense, step
from freewheel.runtime.kernels.sturm import (
    NOWHERE,
    POLYNOMIAL,
    most_zeros,
    nth_zero,
    sequence,
    sturm,
    zeros_between,
)

crossing = KernelModule("crossing", bracket, step, sturm)

BY_ENDS, BY_MIDDLE, BY_SLOPES, BY_STURM = 0, 1, 2, 3  # how crossings are looked for


@crossing.kernel
def only_time(c: Ints, which: Ints) -> Int:
    time_only = c[c[AT_TIME_ONLY] :]
    for i in range(c[RELATIONS]):
        if which[i] == 1 and time_only[i] == 0:
            return 0
    return 1


@crossing.kernel
def dip_of(
    r0: Float, r1: Float, r2: Float, r3: Float, r4: Float, status: Float, p: Floats
) -> Float:
    """Share of the step at which a residual may be on the other side, between its first two zeros."""
    if not r0 * status > 0.0:
        return NOWHERE
    coefficients(r0, r1, r2, r3, r4, p)
    if most_zeros(p) < 2:  # none, or one that shows at the end
        return NOWHERE
    chain = p[POLYNOMIAL:]
    members = sequence(p, 4, chain)
    count = zeros_between(chain, members, 0.0, 1.0)
    if count <= 0 or (count == 1 and r4 * status < 0.0):  # one crossing shows at the end
        return NOWHERE
    first = nth_zero(chain, members, 1)
    return first if count == 1 else 0.5 * (first + nth_zero(chain, members, 2))


@crossing.kernel
def comes_near(r0: Float, r2: Float, r4: Float) -> Int:
    """Whether a residual changes enough within the step to have touched zero inside."""
    least = min(min(abs(r0), abs(r2)), abs(r4))
    moves = abs(r4 - r0) + 2.0 * abs(r0 - 2.0 * r2 + r4)
    return 1 if moves > least else 0


@crossing.kernel
def turns_inside(r0: Float, near: Float, before: Float, r4: Float) -> Int:
    """Whether a residual heads for zero at the beginning and away from it at the end."""
    return 1 if (near - r0) * r0 < 0.0 and (r4 - before) * r4 > 0.0 else 0


@crossing.kernel
def earliest_dip(
    derivatives: Section, relations: Section, m: Floats, w: Floats, c: Ints, left: Floats,
    middle: Floats, end: Floats,
) -> Float:  # fmt: skip
    """Where in the step some residual may have crossed zero and come back; beyond 1: nowhere."""
    r = c[RELATIONS]
    statuses = c[c[AT_STATUS] :]
    candidates = 0
    for i in range(r):
        if m[statuses[i]] != 0.0:
            candidates += comes_near(left[i], middle[i], end[i])
    if candidates == 0:
        return NOWHERE
    quarter = w[c[AT_RESIDUALS] + R_QUARTER * r :]
    three = w[c[AT_RESIDUALS] + R_THREE * r :]
    h = w[T1] - w[T]
    place_of = 0.25 if c[DETECTION] == BY_STURM else ASIDE
    residuals_at(derivatives, relations, m, w, c, w[T] + place_of * h, quarter)
    residuals_at(derivatives, relations, m, w, c, w[T1] - place_of * h, three)
    share = NOWHERE
    for i in range(r):
        if m[statuses[i]] != 0.0 and comes_near(left[i], middle[i], end[i]) == 1:
            status = m[statuses[i]] * 1.0
            if c[DETECTION] == BY_STURM:
                p = w[c[AT_CHAIN] :]
                x = dip_of(left[i], quarter[i], middle[i], three[i], end[i], status, p)
                share = min(share, x)
            elif turns_inside(left[i], quarter[i], three[i], end[i]) == 1:
                share = min(share, lowest_of_cubic(left[i], quarter[i], three[i], end[i]))
    return share


@crossing.kernel
def lowest_of_cubic(r0: Float, near: Float, before: Float, r4: Float) -> Float:
    """Where the cubic with these values, and slopes by differences, is level."""
    sa = (near - r0) / ASIDE
    sb = (r4 - before) / ASIDE
    low = 0.0
    high = 1.0
    for _ in range(40):
        x = 0.5 * (low + high)
        slope = (
            6.0 * x * (1.0 - x) * (r4 - r0)
            + (1.0 - x) * (1.0 - 3.0 * x) * sa
            - x * (2.0 - 3.0 * x) * sb
        )
        if slope * sb > 0.0:
            high = x
        else:
            low = x
    return high


@crossing.kernel
def first_pair(
    derivatives: Section, relations: Section, m: Floats, w: Floats, c: Ints, left: Floats,
    middle: Floats, end: Floats,
) -> Int:  # fmt: skip
    """Locate a crossing that no sign at the ends or in the middle of the step shows."""
    share = NOWHERE
    if c[DETECTION] >= BY_SLOPES:
        share = earliest_dip(derivatives, relations, m, w, c, left, middle, end)
    if share >= 1.0 or share <= 0.0:
        return 0
    t = w[T] + share * (w[T1] - w[T])
    dip = w[c[AT_RESIDUALS] + R_DIP * c[RELATIONS] :]
    residuals_at(derivatives, relations, m, w, c, t, dip)
    if mark_changed(m, w, c, dip, c[c[AT_WHICH] :]) == 0:
        return 0
    locate(derivatives, relations, m, w, c, w[T], t, left, dip)
    c[PAIRS_FOUND] += 1
    return 1


@crossing.kernel
def keep_corners(m: Floats, w: Floats, c: Ints, number: Int) -> None:
    """Residuals of corners at the point in memory (`corners.py`), one of the vectors C_LEFT, ..."""
    k = c[CORNERS]
    slots = c[c[AT_CORNER] :]
    out = w[c[AT_CORNER_VALUES] + number * k :]
    largest = w[c[AT_CORNER_VALUES] + C_LARGEST * k :]
    for i in range(k):
        out[i] = m[slots[i]]
        if abs(out[i]) > largest[i]:
            largest[i] = abs(out[i])


@crossing.kernel
def first_crossing(
    derivatives: Section, relations: Section, interpolate: Function, m: Floats, w: Floats, c: Ints
) -> Int:
    """Compare residuals with statuses at the end of the step, in the middle, and where they dip."""
    r = c[RELATIONS]
    c[CORNERS_SEEN] = 0
    if r == 0:
        return 0
    if c[LOUD] == 0 and c[SURE] == 1 and w[T1] < w[PREDICTED]:
        c[AT_END] = 0
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
    if end[0] == end[0]:  # else there is no value
        keep_corners(m, w, c, C_END)
        c[CORNERS_SEEN] = 1
    t = 0.5 * (w[T] + w[T1])
    has_middle = 0
    if t > w[T] and t < w[T1] and c[DETECTION] != BY_ENDS and c[LOUD] > 0:
        has_middle = 1
        residuals_at(derivatives, relations, m, w, c, t, middle)
        if c[CORNERS_SEEN] == 1 and middle[0] == middle[0]:
            keep_corners(m, w, c, C_MIDDLE)
            c[CORNERS_SEEN] = 2
        if first_pair(derivatives, relations, m, w, c, left, middle, end) == 1:
            return 1
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
