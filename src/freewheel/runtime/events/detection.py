"""Is there a crossing in a step? Relations are compared with their statuses, the first is located.

    first_crossing(loop)   # 1: see `location.locate`

What is looked at is a choice: the end of the step; also its middle; also the slopes at both ends, so that
a residual which turns inside is seen (a non-essential event, section 9.5 of Cellier and Kofman, Continuous
System Simulation); or the zeros of the polynomial through five values, counted by Sturm's sequence.
The last two ask only where the residual changes enough to have been near zero at all. Where all relations
are straight lines in time, or corners that a core watches by itself, nothing can cross before the zero
that was predicted.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints
from freewheel.runtime.events.bernstein import bernstein, first_below, most_zeros
from freewheel.runtime.events.location import (
    ASIDE,
    bracket,
    locate,
    mark_changed,
    residuals_at,
    residuals_here,
)
from freewheel.runtime.events.root_solvers import coefficients
from freewheel.runtime.events.sturm import (
    NOWHERE,
    POLYNOMIAL,
    nth_zero,
    sequence,
    sturm,
    zeros_between,
)
from freewheel.runtime.integrators.step_control import make_dense, step
from freewheel.runtime.loop.memory import C_END, C_LARGEST, C_MIDDLE, Loop

crossing = KernelModule("crossing", bernstein, bracket, step, sturm)

BY_ENDS, BY_MIDDLE, BY_SLOPES, BY_STURM = 0, 1, 2, 3  # how crossings are looked for


@crossing.kernel
def only_time(loop: Loop, which: Ints) -> Int:
    for i in range(loop.relation_count):
        if which[i] == 1 and loop.time_only[i] == 0:
            return 0
    return 1


@crossing.kernel
def dip_of(
    r0: Float, r1: Float, r2: Float, r3: Float, r4: Float, status: Float, p: Floats
) -> Float:
    """Share of the step at which a residual may be on the other side, between its first two zeros.

    Where Sturm's sequence counts less than the coefficients allow, its remainders may be rounding: of a
    polynomial of lower degree, or of zeros close together, as behind a zero that has just been crossed.
    Then pieces of the polynomial are looked at (`bernstein.py`).
    """
    if not r0 * status > 0.0:
        return NOWHERE
    coefficients(r0, r1, r2, r3, r4, p)
    most = most_zeros(p)
    if most < 2:  # none, or one that shows at the end
        return NOWHERE
    chain = p[POLYNOMIAL:]
    members = sequence(p, 4, chain)
    if zeros_between(chain, members, 0.0, 1.0) < most:
        return first_below(p, status)
    return 0.5 * (nth_zero(chain, members, 1) + nth_zero(chain, members, 2))


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
def earliest_dip(loop: Loop, left: Floats, middle: Floats, end: Floats) -> Float:
    """Where in the step some residual may have crossed zero and come back; beyond 1: nowhere."""
    m = loop.memory
    statuses = loop.status_slots
    candidates = 0
    for i in range(loop.relation_count):
        if m[statuses[i]] != 0.0:
            candidates += comes_near(left[i], middle[i], end[i])
    if candidates == 0:
        return NOWHERE
    quarter = loop.residuals_quarter
    three = loop.residuals_three_quarters
    h = loop.t1 - loop.t
    place_of = 0.25 if loop.detection == BY_STURM else ASIDE
    residuals_at(loop, loop.t + place_of * h, quarter)
    residuals_at(loop, loop.t1 - place_of * h, three)
    share = NOWHERE
    for i in range(loop.relation_count):
        if m[statuses[i]] != 0.0 and comes_near(left[i], middle[i], end[i]) == 1:
            status = m[statuses[i]] * 1.0
            if loop.detection == BY_STURM:
                p = loop.chain
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
def first_pair(loop: Loop, left: Floats, middle: Floats, end: Floats) -> Int:
    """Locate a crossing that no sign at the ends or in the middle of the step shows."""
    share = NOWHERE
    if loop.detection >= BY_SLOPES:
        share = earliest_dip(loop, left, middle, end)
    if share >= 1.0 or share <= 0.0:
        return 0
    t = loop.t + share * (loop.t1 - loop.t)
    dip = loop.residuals_dip
    residuals_at(loop, t, dip)
    if mark_changed(loop, dip, loop.which) == 0:
        return 0
    locate(loop, loop.t, t, left, dip)
    return 1


@crossing.kernel
def keep_corners(loop: Loop, number: Int) -> None:
    """Residuals of corners at the point in memory (`corners.py`), one of the vectors C_LEFT, ..."""
    k = loop.corner_count
    out = loop.corner_values[number * k :]
    largest = loop.corner_values[C_LARGEST * k :]
    for i in range(k):
        out[i] = loop.memory[loop.corner_slots[i]]
        if abs(out[i]) > largest[i]:
            largest[i] = abs(out[i])


@crossing.kernel
def first_crossing(loop: Loop) -> Int:
    """Compare residuals with statuses at the end of the step, in the middle, and where they dip."""
    r = loop.relation_count
    loop.corners_seen = 0
    if r == 0:
        return 0
    if loop.loud == 0 and loop.prediction_is_sure == 1 and loop.t1 < loop.predicted:
        loop.memory_at_end = 0
        return 0
    left = loop.residuals_left
    middle = loop.residuals_middle
    end = loop.residuals_end
    which = loop.which
    make_dense(loop)
    if loop.memory_at_end == 1:  # the memory is there already: one evaluation less
        residuals_here(loop, end)
    else:
        residuals_at(loop, loop.t1, end)
    loop.memory_at_end = 0
    if end[0] == end[0]:  # else there is no value
        keep_corners(loop, C_END)
        loop.corners_seen = 1
    t = 0.5 * (loop.t + loop.t1)
    has_middle = 0
    if t > loop.t and t < loop.t1 and loop.detection != BY_ENDS and loop.loud > 0:
        has_middle = 1
        residuals_at(loop, t, middle)
        if loop.corners_seen == 1 and middle[0] == middle[0]:
            keep_corners(loop, C_MIDDLE)
            loop.corners_seen = 2
        if first_pair(loop, left, middle, end) == 1:
            return 1
        if mark_changed(loop, middle, which) > 0:
            locate(loop, loop.t, t, left, middle)
            return 1
    if mark_changed(loop, end, which) == 0:
        for i in range(r):
            left[i] = end[i]
        return 0
    if loop.t1 == loop.predicted and only_time(loop, which) == 1:
        out = loop.residuals_crossing
        for i in range(r):
            out[i] = end[i]
        loop.crossing_time = loop.t1
    elif has_middle == 1:
        locate(loop, t, loop.t1, middle, end)
    else:
        locate(loop, loop.t, loop.t1, left, end)
    return 1
