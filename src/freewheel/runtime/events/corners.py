"""Corners that make no events: a step must not pass two of them, there and back, unseen.

    t = hidden_corner(loop)   # where the step has to end, or NEVER

Error control sees the stages of a step only. Outside of the pulses of `max(0, u - v)` the rates are
smooth, steps grow, and one that passes a whole pulse between its stages looks perfect. So the residual
of each corner is looked at inside the step as that of a relation is (`detection.py`): where it may have
changed its sign and come back, the step is repeated up to there, and error control judges. A corner that
shows at the end of a step has been in its stages.

An excursion that is smaller than the tolerance, beside the largest value of the residual in the run,
changes no rate by more than that and is left alone: noise around zero is no corner.
"""

from __future__ import annotations

from math import inf, nan

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Int
from freewheel.runtime.events.detection import comes_near, crossing, dip_of, keep_corners
from freewheel.runtime.integrators.step_control import make_dense
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

corners = KernelModule("corners", crossing)

NEVER = inf


@corners.kernel
def corner_values(loop: Loop, t: Float, number: Int) -> None:
    """Residuals of all corners inside the step; NaN where they cannot be computed."""
    dense_value(loop, t, loop.trial)
    place(loop, t, loop.trial)
    loop.evaluations += 1
    failed = 1 if loop.derivatives(loop.memory) != 0 else loop.relations(loop.memory)
    if failed == 0:
        keep_corners(loop, number)
        return
    out = loop.corner_values[number * loop.corner_count :]
    for i in range(loop.corner_count):
        out[i] = nan


@corners.kernel
def is_beyond(left: Float, value: Float, least: Float) -> Int:
    """Whether a residual is on the other side, by more than is left alone."""
    return 1 if left * value < 0.0 and abs(value) > least else 0


@corners.kernel
def pass_on(loop: Loop) -> Float:
    """The step is as good as it is: the values at its end are those at the beginning of the next."""
    k = loop.corner_count
    for i in range(k):
        loop.corner_values[C_LEFT * k + i] = loop.corner_values[C_END * k + i]
    loop.corner_time = loop.t1
    return NEVER


@corners.kernel
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
                guess = min(
                    guess, dip_of(left[i], quarter[i], middle[i], three[i], end[i], status, p)
                )
    if guess > 0.0 and guess < share:
        corner_values(loop, loop.t + guess * h, C_DIP)
        for i in range(k):
            if left[i] * end[i] > 0.0 and is_beyond(left[i], dip[i], loop.rtol * largest[i]) == 1:
                share = guess
    return loop.t + share * h if share < 1.0 else pass_on(loop)
