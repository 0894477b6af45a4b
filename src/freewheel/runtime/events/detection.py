"""Zero-crossing detection in a step: relations are compared with their statuses, the first crossing is
located.

    first_crossing(loop)      # 1: see `location.locate`
    t = hidden_corner(loop)   # where the step has to end, or NEVER

Relations are evaluated at the end of the step; also in its middle; also by the slopes at both ends, so that a
residual which turns inside is seen (a non-essential event, section 9.5 of Cellier and Kofman, Continuous
System Simulation); or by the zeros of the polynomial through five values (Sturm's sequence). The last two
apply only where the residual changes enough to have been near zero. Where all relations are linear in time,
or corners of an implicit core, nothing crosses before the predicted zero.

A corner, as that of `max(0, u - v)`, makes no event, but error control sees the stages of a step only, and a
step may pass a whole pulse between them. So its residual is examined inside the step in the same way: where
it may have changed its sign and come back, the step is repeated up to there. An excursion below the
tolerance, relative to the largest value of the residual in the run, changes no derivative by more than that
and is ignored.
"""

from __future__ import annotations

from math import inf, nan

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints
from freewheel.runtime.events.location import (
    bracket,
    locate,
    mark_changed,
    residuals_at,
    residuals_here,
)
from freewheel.runtime.events.polynomial_zeros import (
    NOWHERE,
    POLYNOMIAL,
    first_below,
    most_zeros,
    nth_zero,
    polynomials,
    sequence,
    zeros_between,
)
from freewheel.runtime.events.root_solvers import coefficients
from freewheel.runtime.integrators.step_control import make_dense, step
from freewheel.runtime.loop.memory import (
    C_DIP,
    C_END,
    C_LARGEST,
    C_LEFT,
    C_MIDDLE,
    C_QUARTER,
    C_THREE,
    Loop,
)
from freewheel.runtime.loop.point import dense_value, place
from freewheel.runtime.thresholds import LOCATION

crossing = KernelModule("crossing", bracket, polynomials, step)

BY_ENDS, BY_MIDDLE, BY_SLOPES, BY_STURM = range(4)
DETECTIONS = {"ends": BY_ENDS, "middle": BY_MIDDLE, "slopes": BY_SLOPES, "sturm": BY_STURM}
NEVER = inf


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
    """Share of the step at which a residual may be on the other side, between its first two zeros. Where
    Sturm's sequence counts fewer zeros than the signs of the coefficients allow, its remainders may be
    rounding, and Bernstein coefficients decide."""
    if not r0 * status > 0.0:
        return NOWHERE
    coefficients(r0, r1, r2, r3, r4, p)
    most = most_zeros(p)
    if most < 2:  # none, or one that is seen at the end
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
    """Share of the step at which some residual may have crossed zero and come back; beyond 1: nowhere."""
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
    place_of = 0.25 if loop.detection == BY_STURM else LOCATION.aside
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
    """Where the cubic with these values, and slopes by differences, has its extremum."""
    sa = (near - r0) / LOCATION.aside
    sb = (r4 - before) / LOCATION.aside
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
    """Locates a crossing that is seen neither at the ends nor in the middle of the step."""
    share = earliest_dip(loop, left, middle, end) if loop.detection >= BY_SLOPES else NOWHERE
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
def first_crossing(loop: Loop) -> Int:
    """1: a relation leaves its status in the step; the first crossing is located."""
    r = loop.relation_count
    loop.corners_seen = 0
    if r == 0:
        return 0
    if loop.nonlinear_count == 0 and loop.prediction_is_sure == 1 and loop.t1 < loop.predicted:
        loop.memory_at_end = 0
        return 0
    left = loop.residuals_left
    middle = loop.residuals_middle
    end = loop.residuals_end
    which = loop.which
    make_dense(loop)
    if loop.memory_at_end == 1:  # derivatives are there already
        residuals_here(loop, end)
    else:
        residuals_at(loop, loop.t1, end)
    loop.memory_at_end = 0
    if end[0] == end[0]:  # else it cannot be evaluated
        keep_corners(loop, C_END)
        loop.corners_seen = 1
    t = 0.5 * (loop.t + loop.t1)
    has_middle = 0
    if t > loop.t and t < loop.t1 and loop.detection != BY_ENDS and loop.nonlinear_count > 0:
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


# ---------------------------------------------------------------- corners


@crossing.kernel
def keep_corners(loop: Loop, number: Int) -> None:
    """Residuals of corners at the point in memory, into one of the vectors C_LEFT, ..."""
    k = loop.corner_count
    out = loop.corner_values[number * k :]
    largest = loop.corner_values[C_LARGEST * k :]
    for i in range(k):
        out[i] = loop.memory[loop.corner_slots[i]]
        if abs(out[i]) > largest[i]:
            largest[i] = abs(out[i])


@crossing.kernel
def corner_values(loop: Loop, t: Float, number: Int) -> None:
    """Residuals of all corners inside the step; NaN where they cannot be computed."""
    dense_value(loop, t, loop.trial)
    place(loop, t, loop.trial)
    loop.evaluations += 1
    failed = 1 if loop.derivatives(loop.memory) != 0 else loop.relations(loop.memory)
    if failed == 0:
        keep_corners(loop, number)
        return
    for i in range(loop.corner_count):
        loop.corner_values[number * loop.corner_count + i] = nan


@crossing.kernel
def is_beyond(left: Float, value: Float, least: Float) -> Int:
    """Whether a residual is on the other side by more than `least`."""
    return 1 if left * value < 0.0 and abs(value) > least else 0


@crossing.kernel
def pass_on(loop: Loop) -> Float:
    """The step stays: the values at its end are those at the beginning of the next."""
    k = loop.corner_count
    for i in range(k):
        loop.corner_values[C_LEFT * k + i] = loop.corner_values[C_END * k + i]
    loop.corner_time = loop.t1
    return NEVER


@crossing.kernel
def hidden_corner(loop: Loop) -> Float:
    k = loop.corner_count
    values = loop.corner_values
    left = values[C_LEFT * k :]
    quarter = values[C_QUARTER * k :]
    middle = values[C_MIDDLE * k :]
    three = values[C_THREE * k :]
    end = values[C_END * k :]
    dip = values[C_DIP * k :]
    largest = values[C_LARGEST * k :]
    h = loop.t1 - loop.t
    make_dense(loop)
    if loop.memory_at_end == 1 and loop.corners_seen == 0 and loop.relations(loop.memory) == 0:
        keep_corners(loop, C_END)
    elif loop.corners_seen == 0:
        corner_values(loop, loop.t1, C_END)
    loop.memory_at_end = 0
    if loop.corner_time != loop.t:
        corner_values(loop, loop.t, C_LEFT)
    if loop.corners_seen < 2:
        corner_values(loop, loop.t + 0.5 * h, C_MIDDLE)
    candidates = 0
    for i in range(k):
        if left[i] * end[i] > 0.0:
            candidates += comes_near(left[i], middle[i], end[i])
    if candidates == 0:
        return pass_on(loop)
    corner_values(loop, loop.t + 0.25 * h, C_QUARTER)
    corner_values(loop, loop.t + 0.75 * h, C_THREE)
    share = 1.0
    guess = 1.0
    for i in range(k):
        if left[i] * end[i] > 0.0:
            least = loop.rtol * largest[i]
            if is_beyond(left[i], quarter[i], least) == 1:
                share = min(share, 0.25)
            elif is_beyond(left[i], middle[i], least) == 1:
                share = min(share, 0.5)
            elif is_beyond(left[i], three[i], least) == 1:
                share = min(share, 0.75)
            else:
                status = 1.0 if left[i] > 0.0 else -1.0
                p = loop.chain
                x = dip_of(left[i], quarter[i], middle[i], three[i], end[i], status, p)
                guess = min(guess, x)
    if guess > 0.0 and guess < share:
        corner_values(loop, loop.t + guess * h, C_DIP)
        for i in range(k):
            if left[i] * end[i] > 0.0 and is_beyond(left[i], dip[i], loop.rtol * largest[i]) == 1:
                share = guess
    return loop.t + share * h if share < 1.0 else pass_on(loop)
