"""Corners that make no events: a step must not pass two of them, there and back, unseen.

    t = hidden_corner(derivatives, relations, interpolate, m, w, c)   # where the step has to end, or NEVER

Error control sees the stages of a step only. Outside of the pulses of `max(0, u - v)` the rates are
smooth, steps grow, and one that passes a whole pulse between its stages looks perfect. So the residual
of each corner is looked at inside the step as that of a relation is (`crossing.py`): where it may have
changed its sign and come back, the step is repeated up to there, and error control judges. A corner that
shows at the end of a step has been in its stages.

An excursion that is smaller than the tolerance, beside the largest value of the residual in the run,
changes no rate by more than that and is left alone: noise around zero is no corner.
"""

from __future__ import annotations

from math import inf, nan

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Function, Int, Ints, Section
from freewheel.runtime.kernels.crossing import comes_near, crossing, dip_of, keep_corners
from freewheel.runtime.kernels.places import (
    AT_CHAIN,
    AT_CORNER_VALUES,
    AT_END,
    C_DIP,
    C_END,
    C_LARGEST,
    C_LEFT,
    C_MIDDLE,
    C_QUARTER,
    C_THREE,
    CORNER_TIME,
    CORNERS,
    CORNERS_SEEN,
    EVALUATIONS,
    HEAD,
    RTOL,
    T1,
    TRIAL,
    N,
    T,
)
from freewheel.runtime.kernels.point import dense_value, place
from freewheel.runtime.kernels.step import make_dense

corners = KernelModule("corners", crossing)

NEVER = inf


@corners.kernel
def corner_values(
    derivatives: Section, relations: Section, m: Floats, w: Floats, c: Ints, t: Float, number: Int
) -> None:
    """Residuals of all corners inside the step; NaN where they cannot be computed."""
    x = w[HEAD + TRIAL * c[N] :]
    dense_value(w, c, t, x)
    place(m, w, c, t, x)
    c[EVALUATIONS] += 1
    failed = 1 if derivatives(m) != 0 else relations(m)
    if failed == 0:
        keep_corners(m, w, c, number)
        return
    out = w[c[AT_CORNER_VALUES] + number * c[CORNERS] :]
    for i in range(c[CORNERS]):
        out[i] = nan


@corners.kernel
def is_beyond(left: Float, value: Float, least: Float) -> Int:
    """Whether a residual is on the other side, by more than is left alone."""
    return 1 if left * value < 0.0 and abs(value) > least else 0


@corners.kernel
def pass_on(w: Floats, c: Ints) -> Float:
    """The step is as good as it is: the values at its end are those at the beginning of the next."""
    k = c[CORNERS]
    values = w[c[AT_CORNER_VALUES] :]
    for i in range(k):
        values[C_LEFT * k + i] = values[C_END * k + i]
    w[CORNER_TIME] = w[T1]
    return NEVER


@corners.kernel
def hidden_corner(
    derivatives: Section, relations: Section, interpolate: Function, m: Floats, w: Floats, c: Ints
) -> Float:
    k = c[CORNERS]
    values = w[c[AT_CORNER_VALUES] :]
    left = values[C_LEFT * k :]
    quarter = values[C_QUARTER * k :]
    middle = values[C_MIDDLE * k :]
    three = values[C_THREE * k :]
    end = values[C_END * k :]
    dip = values[C_DIP * k :]
    largest = values[C_LARGEST * k :]
    h = w[T1] - w[T]
    make_dense(interpolate, w, c)
    if c[AT_END] == 1 and c[CORNERS_SEEN] == 0 and relations(m) == 0:
        keep_corners(m, w, c, C_END)
    elif c[CORNERS_SEEN] == 0:
        corner_values(derivatives, relations, m, w, c, w[T1], C_END)
    c[AT_END] = 0
    if w[CORNER_TIME] != w[T]:
        corner_values(derivatives, relations, m, w, c, w[T], C_LEFT)
    if c[CORNERS_SEEN] < 2:
        corner_values(derivatives, relations, m, w, c, w[T] + 0.5 * h, C_MIDDLE)
    candidates = 0
    for i in range(k):
        if left[i] * end[i] > 0.0:
            candidates += comes_near(left[i], middle[i], end[i])
    if candidates == 0:
        return pass_on(w, c)
    corner_values(derivatives, relations, m, w, c, w[T] + 0.25 * h, C_QUARTER)
    corner_values(derivatives, relations, m, w, c, w[T] + 0.75 * h, C_THREE)
    share = 1.0
    guess = 1.0
    for i in range(k):
        if left[i] * end[i] > 0.0:
            least = w[RTOL] * largest[i]
            if is_beyond(left[i], quarter[i], least) == 1:
                share = min(share, 0.25)
            elif is_beyond(left[i], middle[i], least) == 1:
                share = min(share, 0.5)
            elif is_beyond(left[i], three[i], least) == 1:
                share = min(share, 0.75)
            else:
                status = 1.0 if left[i] > 0.0 else -1.0
                p = w[c[AT_CHAIN] :]
                guess = min(
                    guess, dip_of(left[i], quarter[i], middle[i], three[i], end[i], status, p)
                )
    if guess > 0.0 and guess < share:
        corner_values(derivatives, relations, m, w, c, w[T] + guess * h, C_DIP)
        for i in range(k):
            if left[i] * end[i] > 0.0 and is_beyond(left[i], dip[i], w[RTOL] * largest[i]) == 1:
                share = guess
    return w[T] + share * h if share < 1.0 else pass_on(w, c)
