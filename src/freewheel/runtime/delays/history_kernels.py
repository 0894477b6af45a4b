"""Adds the segments of a step to the memory of delays.

    remember_step(loop)          # the segments of the step just proposed

A segment is as exact as the interpolant of any method here. Where a signal is less smooth than the states
it is made of, a step becomes several segments: each is compared with two samples between its nodes.
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
    slope_of,
    value_of,
)
from freewheel.runtime.delays.thresholds import DELAYS
from freewheel.runtime.integrators.step_control import make_dense, step
from freewheel.runtime.integrators.thresholds import STEPS
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.loop.outcomes import (
    HISTORY_FULL,
    LAG_WRONG,
    SECTION_DERIVATIVES,
    SECTION_FAILED,
    STEP_REDO,
)
from freewheel.runtime.loop.point import dense_value, norm_between, place, point, rhs
from freewheel.runtime.thresholds import FOREVER, TINIEST

history = KernelModule("history", point, step, looking)

NODES = 7  # samples of each line: five of the polynomial, two to compare with
STEEPEST = 0.2113248654051871  # (3 - sqrt(3))/6: where the error of Hermite's cubic grows fastest


@history.kernel
def fit(v: Floats, length: Float, c: Floats) -> None:
    """The polynomial of degree four through five equally spaced values: Newton's differences, then powers."""
    d1 = v[1] - v[0]
    d2 = v[2] - v[1] - d1
    e2 = v[3] - v[2] - (v[2] - v[1])
    d3 = e2 - d2
    d4 = (v[4] - v[3] - (v[3] - v[2])) - e2 - d3
    s = 4.0 / length
    c[0] = v[0]
    c[1] = s * (d1 - d2 / 2.0 + d3 / 3.0 - d4 / 4.0)
    c[2] = s * s * (d2 / 2.0 - d3 / 2.0 + d4 * 11.0 / 24.0)
    c[3] = s * s * s * (d3 / 6.0 - d4 / 4.0)
    c[4] = s * s * s * s * (d4 / 24.0)


@history.kernel
def propose_segment(h: History, begin: Float, length: Float, rtol: Float) -> Int:
    """Writes a segment behind the last one of each line; 1: it leaves a sample between its nodes."""
    is_rough = 0
    for number in range(h.line_count):
        line = h.lines[number]
        v = line.samples
        c = line.coefficients[5 * line.count :]
        line.begins[line.count] = begin
        fit(v, length, c)
        size = line.size
        for k in range(5):
            size = max(size, abs(v[k]))
        if not abs(value_of(c, 0.125 * length) - v[5]) <= rtol * size:
            is_rough = 1
        if not abs(value_of(c, 0.875 * length) - v[6]) <= rtol * size:
            is_rough = 1
    return is_rough


@history.kernel
def keep_segment(h: History, begin: Float, end: Float) -> None:
    for number in range(h.line_count):
        line = h.lines[number]
        c = line.coefficients[5 * line.count :]
        line.end_value = line.samples[4]
        line.end_slope = slope_of(c, end - begin)
        line.size = max(abs(c[0]), abs(line.end_value), DELAYS.forgetting * line.size)
        line.count += 1
    h.end = end
    h.is_fresh = 0


@history.kernel
def begin_step(h: History) -> None:
    """Saves what is needed to undo the step."""
    h.step_begin = h.end
    h.was_fresh = h.is_fresh
    for number in range(h.line_count):
        line = h.lines[number]
        line.old_value = line.end_value
        line.old_slope = line.end_slope
        line.old_count = line.count


@history.kernel
def undo_step(h: History) -> None:
    h.end = h.step_begin
    h.is_fresh = h.was_fresh
    for number in range(h.line_count):
        line = h.lines[number]
        line.end_value = line.old_value
        line.end_slope = line.old_slope
        line.count = line.old_count


@history.kernel
def is_full(h: History) -> Int:
    for number in range(h.line_count):
        if h.lines[number].count >= h.lines[number].room:
            return 1
    return 0


@history.kernel
def measure_lags(h: History, m: Floats) -> Int:
    """The shortest delay bounds the next step; 1: a delay time is out of its bounds."""
    h.least = FOREVER
    h.wrong = 0
    for number in range(h.line_count):
        line = h.lines[number]
        if line.sort == PLACE and line.end_slope != 0.0:
            h.least = min(h.least, 0.5 / abs(line.end_slope))
        if line.lag_slot < 0:
            continue
        lag = m[line.lag_slot]
        slack = DELAYS.slack * line.longest
        if not (lag >= -slack and lag <= line.longest + slack):
            h.wrong = number + 1
            return 1
        h.least = min(h.least, max(lag, h.floor) if line.sort == VARYING else lag)
    return 0


@history.kernel
def error_of_extrapolation(h: History, m: Floats, t: Float, end: Float, rtol: Float) -> Float:
    """A step longer than a delay has used `extrapolate`: its error at the end, in units of the tolerance."""
    worst = 0.0
    out = h.found
    for number in range(h.line_count):
        line = h.lines[number]
        if line.sort == PLACE and not abs(line.end_value - line.old_value) < 0.9:
            worst = 2.0  # what enters must not leave in the same step
        if line.sort != VARYING:
            continue
        delayed = end - m[line.lag_slot]
        if delayed > t and line.last == OPEN:
            fw_history(h, number + 1.0, delayed, 0.0, 0.0, 0.0, out)
            true = out[0]
            before = line.old_value
            way = end - t
            gone = delayed - t
            slope = line.old_slope
            rise = line.end_value - before
            guess = before + rise * gone / way
            if h.was_fresh == 0:
                guess = before + gone * (slope + (rise - slope * way) / (way * way) * gone)
            worst = max(worst, abs(guess - true) / (rtol * max(line.size, TINIEST)))
    return worst


# ---------------------------------------------------------------- samples


@history.kernel
def sample_signals(h: History, m: Floats, node: Int) -> None:
    for number in range(h.line_count):
        line = h.lines[number]
        line.samples[node] = m[line.signal_slot]
        if node == 5:  # the first one: the value at the begin is known
            line.samples[0] = line.end_value


@history.kernel
def node_of(turn: Int) -> Int:
    """The order in which nodes are sampled: the end of the segment last."""
    return turn + 5 if turn < 2 else turn - 1


@history.kernel
def node_time(begin: Float, end: Float, node: Int) -> Float:
    if node == 4:
        return end
    share = 0.125 if node == 5 else (0.875 if node == 6 else 0.25 * node)
    return begin + share * (end - begin)


@history.kernel
def sample_step(loop: Loop, t: Float, node: Int) -> Int:
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
    sample_signals(loop.history, m, node)
    return 0


# ---------------------------------------------------------------- in the compiled loop


@history.kernel
def remember(loop: Loop) -> Int:
    """Adds the segments of the proposed step. Called again after room was made, it continues."""
    h = loop.history
    end = loop.t1
    whole = end - loop.t
    if h.end <= loop.t:
        begin_step(h)
    a = h.end
    length = end - a
    while a < end:
        if is_full(h) == 1:
            return HISTORY_FULL
        b = a + length
        if b > end - 0.5 * DELAYS.smallest * length:
            b = end
        for turn in range(NODES - 1):
            code = sample_step(loop, node_time(a, b, node_of(turn)), node_of(turn))
            if code != 0:
                return code
        is_rough = propose_segment(h, a, b - a, loop.rtol)
        if is_rough == 1 and length > DELAYS.smallest * whole:
            length *= 0.5
        else:
            keep_segment(h, a, b)
            a = b
            length = min(2.0 * length, end - a)
    if measure_lags(h, loop.memory) == 1:
        return LAG_WRONG
    error = error_of_extrapolation(h, loop.memory, loop.t, end, loop.rtol)
    if error > 1.0 and whole > DELAYS.shortest_step * h.floor and loop.own_steps == 0:
        undo_step(h)
        loop.h = 0.5 * whole
        return STEP_REDO
    return 0


@history.kernel
def defect(loop: Loop) -> Float:
    """The error of the interpolant in units of the tolerance, from its defect in the differential equation.
    The defect of a cubic is largest at STEEPEST, three times its own error."""
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
        error = max(defect(loop), STEPS.least_error)
        factor = STEPS.safety * pow(error, -0.25)
        if error > 1.0 and whole > DELAYS.shortest_step * h.floor:
            loop.h = whole * max(STEPS.least, factor)
            return STEP_REDO
        loop.h = min(loop.h, whole * max(1.0, factor))
    return remember(loop)
