"""A step of the core as the time loop wants it: its end, the polynomial between, the event.

    polynomial_core(core, mode, h, slope, out)
    hand_over(core, loop, t, h, limit)

In: the core's arrays after an accepted step. Out: the loop's, filled as by any other method.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.switched_dae import radau_tableau as radau
from freewheel.runtime.switched_dae.memory import Core, Mode

core_dense = KernelModule("core_dense")


@core_dense.kernel
def polynomial_core(core: Core, mode: Mode, h: Float, slope: Floats, out: Floats) -> None:
    """Coefficients of the collocation polynomial, as `dense_at` wants them. That of a storage gets the
    slope with which the step begins as well: what sets out from rest must not seem to go back first.

    The slope of the polynomial is wrong by a multiple of (x - c1)(x - c2)(x - 1), which is zero at the
    nodes; the value by the integral of that, zero at the end of the step. Taking it away makes the
    polynomial one order better. Not where the slope belongs to a transient that the step has passed.
    """
    n = core.n
    z = core.z
    stores = mode.weights
    for i in range(n):
        z1 = z[i]
        z2 = z[n + i]
        z3 = z[2 * n + i]
        q1 = radau.P11 * z1 + radau.P12 * z2 + radau.P13 * z3
        q2 = radau.P21 * z1 + radau.P22 * z2 + radau.P23 * z3
        q3 = radau.P31 * z1 + radau.P32 * z2 + radau.P33 * z3
        q4 = 0.0
        if stores[i] > 0.0 and core.is_first_order == 0:
            q4 = (q1 - h * slope[i]) / (4.0 * radau.C1 * radau.C2)
            if not abs(q4) <= abs(q1) + abs(q2) + abs(q3):
                q4 = 0.0
        out[i] = q1 - 4.0 * q4 * radau.C1 * radau.C2
        out[n + i] = q2 + 2.0 * q4 * (radau.C1 + radau.C2 + radau.C1 * radau.C2)
        out[2 * n + i] = q3 - 4.0 / 3.0 * q4 * (1.0 + radau.C1 + radau.C2)
        out[3 * n + i] = q4


@core_dense.kernel
def hand_over(core: Core, loop: Loop, t: Float, h: Float, limit: Float) -> None:
    """The step as the time loop wants it: end, slope, interpolant, event."""
    n = core.n
    y1 = core.y1
    slope = core.p[2 * n :]
    out = loop.y1
    f1 = loop.f1
    for i in range(n):
        out[i] = y1[i]
        f1[i] = slope[i]
    mode = core.visited[core.mode].mode
    polynomial_core(core, mode, h, loop.f, loop.dense)
    loop.t1 = limit if h == limit - t else t + h
    loop.h_taken = h
    loop.h = core.h
    loop.error = 0.0
    loop.stiffness = 0.0
    loop.memory_at_end = 0
    loop.dense_ready = 1
    if core.wanted == 2:
        core.step_cause = core.fired
        core.cause_time = loop.t1
        loop.core_event = 1 + core.elements[core.fired].relation
