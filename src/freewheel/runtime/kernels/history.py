"""What `delay(..)` and `spatialDistribution(..)` look back at grows, step by step.

    remember(derivatives, relations, m, w, c, h)          # the pieces of the step just proposed

A piece is as exact as the interpolant of any method here. Where a signal bends more than the states
it is made of, a step becomes several pieces: each is compared with two values between. What is where
in the array tells `kernels/lookup.py`.
"""

from __future__ import annotations

from math import pow

from freewheel.machine.addresses import floats_at
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.kernels.lookup import (
    BEGAN,
    COUNT,
    END,
    END_SLOPE,
    END_VALUE,
    FLOOR,
    FRESH,
    HEAD,
    LAG,
    LAST,
    LEAST,
    LINE,
    LINES,
    LONGEST,
    NODES,
    OLD_SLOPE,
    OLD_VALUE,
    OPEN,
    PLACE,
    ROOM,
    SIGNAL,
    SIZE,
    SORT,
    STATES_ONLY,
    VARYING,
    WAS_FRESH,
    WRONG,
    fw_history,
    fw_nested,
    fw_nested_slope,
    fw_piece,
    fw_scratch,
    looking,
)
from freewheel.runtime.kernels.loop import Loop
from freewheel.runtime.kernels.outcomes import (
    HISTORY_FULL,
    LAG_WRONG,
    SECTION_DERIVATIVES,
    SECTION_FAILED,
    STEP_REDO,
)
from freewheel.runtime.kernels.point import dense_value, norm_between, place, point, rhs
from freewheel.runtime.kernels.step import make_dense, step

history = KernelModule("history", point, step, looking)

STEEPEST = (
    0.2113248654051871  # (3 - sqrt(3))/6: where the error of a cubic of Hermite grows fastest
)
SAFETY = 0.9
SMALLEST = 1.0 / 4096.0  # part of a step
FORGETTING = 0.9  # per piece, of how large a signal was
SLACK = 1e-12  # of the delay time, for rounding


@history.kernel
def fw_take_differences(h: Floats, line: Int, piece: Int) -> None:
    """The five values in scratch become differences in a piece."""
    v = fw_scratch(h, line)
    at = fw_piece(h, piece) + 2 + 5 * line
    for k in range(5):
        h[at + k] = h[v + k]
    for order in range(1, 5):
        for k in range(4, order - 1, -1):
            h[at + k] = h[at + k] - h[at + k - 1]


@history.kernel
def fw_misses(h: Floats, piece: Int, rtol: Float) -> Int:
    """1 where a polynomial leaves the two values taken between its nodes."""
    for line in range(int(h[LINES])):
        v = fw_scratch(h, line)
        at = fw_piece(h, piece) + 2 + 5 * line
        size = h[HEAD + LINE * line + SIZE]
        for k in range(5):
            size = max(size, abs(h[v + k]))
        if not abs(fw_nested(h, at, 0.5) - h[v + 5]) <= rtol * size:
            return 1
        if not abs(fw_nested(h, at, 3.5) - h[v + 6]) <= rtol * size:
            return 1
    return 0


@history.kernel
def fw_propose_piece(h: Floats, begin: Float, length: Float, rtol: Float) -> Int:
    """Write a piece behind the last one from the values in scratch; 1 where it is too rough."""
    piece = int(h[COUNT])
    at = fw_piece(h, piece)
    h[at] = begin
    h[at + 1] = length
    for line in range(int(h[LINES])):
        fw_take_differences(h, line, piece)
    return fw_misses(h, piece, rtol)


@history.kernel
def fw_keep_piece(h: Floats) -> None:
    piece = int(h[COUNT])
    at = fw_piece(h, piece)
    for line in range(int(h[LINES])):
        block = HEAD + LINE * line
        numbers = at + 2 + 5 * line
        end = h[fw_scratch(h, line) + 4]
        h[block + END_VALUE] = end
        h[block + END_SLOPE] = fw_nested_slope(h, numbers, 4.0) * 4.0 / h[at + 1]
        h[block + SIZE] = max(abs(h[numbers]), abs(end), FORGETTING * h[block + SIZE])
    h[END] = h[at] + h[at + 1]
    h[COUNT] = piece + 1.0
    h[FRESH] = 0.0


@history.kernel
def fw_begin_step(h: Floats) -> None:
    """Note what is needed to take the step back."""
    h[BEGAN] = h[COUNT]
    h[WAS_FRESH] = h[FRESH]
    for line in range(int(h[LINES])):
        block = HEAD + LINE * line
        h[block + OLD_VALUE] = h[block + END_VALUE]
        h[block + OLD_SLOPE] = h[block + END_SLOPE]


@history.kernel
def fw_take_back(h: Floats, t: Float) -> None:
    h[COUNT] = h[BEGAN]
    h[FRESH] = h[WAS_FRESH]
    h[END] = t
    for line in range(int(h[LINES])):
        block = HEAD + LINE * line
        h[block + END_VALUE] = h[block + OLD_VALUE]
        h[block + END_SLOPE] = h[block + OLD_SLOPE]


@history.kernel
def fw_measure_lags(h: Floats, m: Floats) -> Int:
    """How long the next step may be; 1 where a delay time is out of its bounds."""
    h[LEAST] = 1e300
    h[WRONG] = 0.0
    for line in range(int(h[LINES])):
        block = HEAD + LINE * line
        if h[block + SORT] == PLACE and h[block + END_SLOPE] != 0.0:
            h[LEAST] = min(h[LEAST], 0.5 / abs(h[block + END_SLOPE]))
        if h[block + LAG] < 0.0:
            continue
        lag = m[int(h[block + LAG])]
        slack = SLACK * h[block + LONGEST]
        if not (lag >= -slack and lag <= h[block + LONGEST] + slack):
            h[WRONG] = line + 1.0
            return 1
        h[LEAST] = min(h[LEAST], max(lag, h[FLOOR]) if h[block + SORT] == VARYING else lag)
    return 0


@history.kernel
def fw_guess_error(h: Floats, m: Floats, t: Float, end: Float, rtol: Float) -> Float:
    """A step longer than a delay has used `fw_ahead`: how far that was off at its end, in units of
    the tolerance."""
    worst = 0.0
    out = h[fw_scratch(h, 0) :]
    for line in range(int(h[LINES])):
        block = HEAD + LINE * line
        if h[block + SORT] == PLACE and not abs(h[block + END_VALUE] - h[block + OLD_VALUE]) < 0.9:
            worst = 2.0  # what enters must not leave in the same step
        if h[block + SORT] != VARYING:
            continue
        looked_at = end - m[int(h[block + LAG])]
        if looked_at > t and h[block + LAST] == OPEN:
            fw_history(h, line + 1.0, looked_at, 0.0, 0.0, 0.0, out)
            true = out[0]
            before = h[block + OLD_VALUE]
            way = end - t
            gone = looked_at - t
            slope = h[block + OLD_SLOPE]
            rise = h[block + END_VALUE] - before
            guess = before + rise * gone / way
            if h[WAS_FRESH] == 0.0:
                guess = before + gone * (slope + (rise - slope * way) / (way * way) * gone)
            worst = max(worst, abs(guess - true) / (rtol * max(h[block + SIZE], 1e-100)))
    return worst


# ---------------------------------------------------------------- in the compiled loop


@history.kernel
def take_values(loop: Loop, h: Floats, t: Float, node: Int) -> Int:
    """All lines at a time inside the step."""
    m = loop.memory
    dense_value(loop, t, loop.trial)
    place(loop, t, loop.trial)
    if h[STATES_ONLY] != 0.0:
        for line in range(int(h[LINES])):
            h[fw_scratch(h, line) + node] = m[int(h[HEAD + LINE * line + SIGNAL])]
        return 0
    loop.evaluations += 1
    status = loop.derivatives(m)
    if status == 0:
        status = loop.relations(m)
    if status != 0:
        loop.section_status = status
        loop.failed_section = SECTION_DERIVATIVES
        return SECTION_FAILED
    for line in range(int(h[LINES])):
        h[fw_scratch(h, line) + node] = m[int(h[HEAD + LINE * line + SIGNAL])]
    return 0


@history.kernel
def take_all(loop: Loop, h: Floats, a: Float, b: Float) -> Int:
    """Values at the nodes of a piece, its end last; those of its begin are known."""
    code = 0
    for line in range(int(h[LINES])):
        h[fw_scratch(h, line)] = h[HEAD + LINE * line + END_VALUE]
    for node in range(1, NODES):
        share = 0.25 * (node - 2)
        at = node - 2
        if node == 1:
            share = 0.125
            at = 5
        if node == 2:
            share = 0.875
            at = 6
        t = b if share == 1.0 else a + share * (b - a)
        if code == 0:
            code = take_values(loop, h, t, at)
    return code


@history.kernel
def remember(loop: Loop, h: Floats) -> Int:
    """The pieces of the proposed step. Called again after room was made, it goes on."""
    m = loop.memory
    end = loop.t1
    whole = end - loop.t
    if h[END] <= loop.t:
        fw_begin_step(h)
    a = h[END]
    length = end - a
    while a < end:
        if h[COUNT] >= h[ROOM]:
            return HISTORY_FULL
        b = a + length
        if b > end - 0.5 * SMALLEST * length:
            b = end
        code = take_all(loop, h, a, b)
        if code != 0:
            return code
        is_rough = fw_propose_piece(h, a, b - a, loop.rtol)
        if is_rough == 1 and length > SMALLEST * whole:
            length *= 0.5
        else:
            fw_keep_piece(h)
            h[END] = b
            a = b
            length = min(2.0 * length, end - a)
    if fw_measure_lags(h, m) == 1:
        return LAG_WRONG
    error = fw_guess_error(h, m, loop.t, end, loop.rtol)
    if error > 1.0 and whole > 1e-9 * h[FLOOR] and loop.own_steps == 0:
        fw_take_back(h, loop.t)
        loop.h = 0.5 * whole
        return STEP_REDO
    return 0


@history.kernel
def defect(loop: Loop) -> Float:
    """How far the interpolant is off, in units of the tolerance, judged by how badly it fulfils the
    differential equation. That of a cubic fails most at this place, by three times its own error."""
    n = loop.n
    h = loop.h_taken
    t = loop.t + STEEPEST * (loop.t1 - loop.t)
    theta = (t - loop.t) / h
    x = loop.trial
    coefficients = loop.dense
    slope = loop.stage_values
    dense_value(loop, t, x)
    if rhs(loop, t, x, slope) != 0:
        return 2.0
    for i in range(n):
        high = 3.0 * coefficients[2 * n + i] + 4.0 * theta * coefficients[3 * n + i]
        own = coefficients[i] + theta * (2.0 * coefficients[n + i] + theta * high)
        slope[i] = (own - h * slope[i]) / 3.0
    return norm_between(loop, slope, loop.y, loop.y1)


@history.kernel
def remember_step(loop: Loop) -> Int:
    make_dense(loop)
    is_free = 1 if loop.is_fixed == 0 and loop.own_steps == 0 and loop.h_taken != 0.0 else 0
    h = floats_at(loop.history)
    if loop.is_weak == 1 and is_free == 1 and h[END] <= loop.t:
        whole = loop.t1 - loop.t
        error = max(defect(loop), 1e-4)
        factor = SAFETY * pow(error, -0.25)
        if error > 1.0 and whole > 1e-9 * h[FLOOR]:
            loop.h = whole * max(0.2, factor)
            return STEP_REDO
        loop.h = min(loop.h, whole * max(1.0, factor))
    return remember(loop, floats_at(loop.history))


@history.kernel
def reach(loop: Loop) -> Float:
    """Where the next step must end at the latest: it may not look at itself."""
    if loop.history == 0:
        return loop.limit
    h = floats_at(loop.history)
    return min(loop.limit, loop.t + h[LEAST])
