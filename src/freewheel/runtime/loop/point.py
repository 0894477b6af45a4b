"""The model at one point, and measures of states: right-hand side, norm, interpolant.

status = rhs(derivatives, m, w, c, t, y, f)
dense_value(w, c, t, out)              # states inside the step
"""

from __future__ import annotations

from math import inf, sqrt

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.thresholds import LARGEST

point = KernelModule("point")


@point.kernel
def place(loop: Loop, t: Float, y: Floats) -> None:
    """Write time, states and inputs that are straight lines; computes nothing."""
    m = loop.memory
    m[loop.time_slot] = t
    states = m[loop.states_slot :]
    for i in range(loop.n):
        states[i] = y[i]
    if loop.inputs > 0:
        slots = loop.input_slots
        for i in range(loop.inputs):
            line = loop.input_lines[5 * i :]
            inside = line[1] + line[2] * (t - line[0])
            m[slots[i]] = inside if t < line[3] else line[4]


@point.kernel
def rhs(loop: Loop, t: Float, y: Floats, out: Floats) -> Int:
    m = loop.memory
    place(loop, t, y)
    loop.evaluations += 1
    status = loop.derivatives(m)
    slopes = m[loop.derivatives_slot :]
    for i in range(loop.n):
        out[i] = slopes[i]
    return status


@point.kernel
def is_finite(n: Int, x: Floats) -> Int:
    for i in range(n):
        if not abs(x[i]) <= LARGEST:
            return 0
    return 1


@point.kernel
def norm_between(loop: Loop, error: Floats, y: Floats, y1: Floats) -> Float:
    """Root mean square of error over tolerance; infinite where a number is not finite."""
    n = loop.n
    if n == 0:
        return 0.0
    rtol = loop.rtol
    atol = loop.atol
    lately = loop.lately
    total = 0.0
    for i in range(n):
        size = max(max(abs(y[i]), abs(y1[i])), lately[i])
        ratio = error[i] / (atol[i] + rtol * size)
        total += ratio * ratio
    norm = sqrt(total / n)
    if not norm <= LARGEST:
        return inf
    return norm


@point.kernel
def dense_at(
    n: Int, t0: Float, h: Float, y0: Floats, coefficients: Floats, t: Float, out: Floats
) -> None:
    """y0 + theta * c1 + theta**2 * c2 + ..., four coefficients of each state."""
    theta = (t - t0) / h
    for i in range(n):
        high = coefficients[2 * n + i] + theta * coefficients[3 * n + i]
        out[i] = y0[i] + theta * (coefficients[i] + theta * (coefficients[n + i] + theta * high))


@point.kernel
def dense_value(loop: Loop, t: Float, out: Floats) -> None:
    """States at a time inside the step; exact at its end."""
    n = loop.n
    if t == loop.t1 or loop.h_taken == 0.0:
        y1 = loop.y1
        for i in range(n):
            out[i] = y1[i]
    elif loop.own_steps == 1:
        library = loop.library
        library.interpolate(library.memory, t, 0, library.trial_vector)
        found = library.trial
        for i in range(n):
            out[i] = found[i]
    else:
        dense_at(n, loop.t, loop.h_taken, loop.y, loop.dense, t, out)
