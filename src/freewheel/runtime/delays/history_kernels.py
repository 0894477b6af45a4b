"""What `delay(..)` and `spatialDistribution(..)` look back at grows, step by step.

    remember_step(loop)          # the pieces of the step just proposed

A piece is as exact as the interpolant of any method here. Where a signal bends more than the states
it is made of, a step becomes several pieces: each is compared with two values between. The records are
those of `delays/lookup.py`.
"""

from __future__ import annotations

from math import pow

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.delays.lookup import (
    OPEN,
    PLACE,
    VARYING,
    History,
    fw_history,
    looking,
    nested,
    nested_slope,
)
from freewheel.runtime.integrators.step_control import make_dense, step
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.loop.outcomes import (
    HISTORY_FULL,
    LAG_WRONG,
    SECTION_DERIVATIVES,
    SECTION_FAILED,
    STEP_REDO,
)
from freewheel.runtime.loop.point import dense_value, norm_between, place, point, rhs

history = KernelModule("history", point, step, looking)

NODES = 7  # values taken of each line: five of the polynomial, two to compare with
STEEPEST = 0.2113248654051871  # (3 - sqrt(3))/6: where the error of Hermite's cubic grows fastest
SAFETY = 0.9
SMALLEST = 1.0 / 4096.0  # part of a step
FORGETTING = 0.9  # per piece, of how large a signal was
SLACK = 1e-12  # of the delay time, for rounding


@history.kernel
def take_differences(values: Floats, d: Floats) -> None:
    """Five values become differences."""
    for k in range(5):
        d[k] = values[k]
    for order in range(1, 5):
        for k in range(4, order - 1, -1):
            d[k] = d[k] - d[k - 1]


@history.kernel
def misses_values(h: History, rtol: Float) -> Int:
    """1 where a polynomial of the proposed piece leaves the two values taken between its nodes."""
    for number in range(h.line_count):
        line = h.lines[number]
        v = line.taken
        d = h.differences[5 * (h.line_count * h.count + number) :]
        size = line.size
        for k in range(5):
            size = max(size, abs(v[k]))
        if not abs(nested(d, 0.5) - v[5]) <= rtol * size:
            return 1
        if not abs(nested(d, 3.5) - v[6]) <= rtol * size:
            return 1
    return 0


@history.kernel
def propose_piece(h: History, begin: Float, length: Float, rtol: Float) -> Int:
    """Write a piece behind the last one from the values taken; 1 where it is too rough."""
    piece = h.count
    h.begins[piece] = begin
    h.lengths[piece] = length
    for number in range(h.line_count):
        take_differences(
            h.lines[number].taken, h.differences[5 * (h.line_count * piece + number) :]
        )
    return misses_values(h, rtol)


@history.kernel
def keep_piece(h: History) -> None:
    piece = h.count
    for number in range(h.line_count):
        line = h.lines[number]
        d = h.differences[5 * (h.line_count * piece + number) :]
        end = line.taken[4]
        line.end_value = end
        line.end_slope = nested_slope(d, 4.0) * 4.0 / h.lengths[piece]
        line.size = max(abs(d[0]), abs(end), FORGETTING * line.size)
    h.end = h.begins[piece] + h.lengths[piece]
    h.count = piece + 1
    h.is_fresh = 0


@history.kernel
def begin_remembering(h: History) -> None:
    """Note what is needed to take the step back."""
    h.began = h.count
    h.was_fresh = h.is_fresh
    for number in range(h.line_count):
        line = h.lines[number]
        line.old_value = line.end_value
        line.old_slope = line.end_slope


@history.kernel
def forget_step(h: History, t: Float) -> None:
    h.count = h.began
    h.is_fresh = h.was_fresh
    h.end = t
    for number in range(h.line_count):
        line = h.lines[number]
        line.end_value = line.old_value
        line.end_slope = line.old_slope


@history.kernel
def measure_lags(h: History, m: Floats) -> Int:
    """How long the next step may be; 1 where a delay time is out of its bounds."""
    h.least = 1e300
    h.wrong = 0
    for number in range(h.line_count):
        line = h.lines[number]
        if line.sort == PLACE and line.end_slope != 0.0:
            h.least = min(h.least, 0.5 / abs(line.end_slope))
        if line.lag_slot < 0:
            continue
        lag = m[line.lag_slot]
        slack = SLACK * line.longest
        if not (lag >= -slack and lag <= line.longest + slack):
            h.wrong = number + 1
            return 1
        h.least = min(h.least, max(lag, h.floor) if line.sort == VARYING else lag)
    return 0


@history.kernel
def error_of_guess(h: History, m: Floats, t: Float, end: Float, rtol: Float) -> Float:
    """A step longer than a delay has used `look_ahead_of_pieces`: how far that was off at its end, in
    units of the tolerance."""
    worst = 0.0
    out = h.found
    for number in range(h.line_count):
        line = h.lines[number]
        if line.sort == PLACE and not abs(line.end_value - line.old_value) < 0.9:
            worst = 2.0  # what enters must not leave in the same step
        if line.sort != VARYING:
            continue
        looked_at = end - m[line.lag_slot]
        if looked_at > t and line.last == OPEN:
            fw_history(h, number + 1.0, looked_at, 0.0, 0.0, 0.0, out)
            true = out[0]
            before = line.old_value
            way = end - t
            gone = looked_at - t
            slope = line.old_slope
            rise = line.end_value - before
            guess = before + rise * gone / way
            if h.was_fresh == 0:
                guess = before + gone * (slope + (rise - slope * way) / (way * way) * gone)
            worst = max(worst, abs(guess - true) / (rtol * max(line.size, 1e-100)))
    return worst


# ---------------------------------------------------------------- in the compiled loop


@history.kernel
def take_signals_here(h: History, m: Floats, node: Int) -> None:
    for number in range(h.line_count):
        line = h.lines[number]
        line.taken[node] = m[line.signal_slot]


@history.kernel
def take_values(loop: Loop, t: Float, node: Int) -> Int:
    """All lines at a time inside the step."""
    m = loop.memory
    dense_value(loop, t, loop.trial)
    place(loop, t, loop.trial)
    if loop.history.states_only == 0:
        loop.evaluations += 1
        status = loop.derivatives(m)
        if status == 0:
            status = loop.relations(m)
        if status != 0:
            loop.section_status = status
            loop.failed_section = SECTION_DERIVATIVES
            return SECTION_FAILED
    take_signals_here(loop.history, m, node)
    return 0


@history.kernel
def take_ends(h: History) -> None:
    """Values at the begin of a piece are known."""
    for number in range(h.line_count):
        line = h.lines[number]
        line.taken[0] = line.end_value


@history.kernel
def take_all(loop: Loop, a: Float, b: Float) -> Int:
    """Values at the nodes of a piece, its end last."""
    code = 0
    take_ends(loop.history)
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
            code = take_values(loop, t, at)
    return code


@history.kernel
def remember(loop: Loop) -> Int:
    """The pieces of the proposed step. Called again after room was made, it goes on."""
    h = loop.history
    end = loop.t1
    whole = end - loop.t
    if h.end <= loop.t:
        begin_remembering(h)
    a = h.end
    length = end - a
    while a < end:
        if h.count >= h.room:
            return HISTORY_FULL
        b = a + length
        if b > end - 0.5 * SMALLEST * length:
            b = end
        code = take_all(loop, a, b)
        if code != 0:
            return code
        is_rough = propose_piece(h, a, b - a, loop.rtol)
        if is_rough == 1 and length > SMALLEST * whole:
            length *= 0.5
        else:
            keep_piece(h)
            h.end = b
            a = b
            length = min(2.0 * length, end - a)
    if measure_lags(h, loop.memory) == 1:
        return LAG_WRONG
    error = error_of_guess(h, loop.memory, loop.t, end, loop.rtol)
    if error > 1.0 and whole > 1e-9 * h.floor and loop.own_steps == 0:
        forget_step(h, loop.t)
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
    coefficients = loop.dense
    slope = loop.stage_values
    dense_value(loop, t, loop.trial)
    if rhs(loop, t, loop.trial, slope) != 0:
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
    h = loop.history
    if loop.is_weak == 1 and is_free == 1 and h.end <= loop.t:
        whole = loop.t1 - loop.t
        error = max(defect(loop), 1e-4)
        factor = SAFETY * pow(error, -0.25)
        if error > 1.0 and whole > 1e-9 * h.floor:
            loop.h = whole * max(0.2, factor)
            return STEP_REDO
        loop.h = min(loop.h, whole * max(1.0, factor))
    return remember(loop)


@history.kernel
def reach(loop: Loop) -> Float:
    """Where the next step must end at the latest: it may not look at itself."""
    if loop.has_history == 0:
        return loop.limit
    return min(loop.limit, loop.t + loop.history.least)
