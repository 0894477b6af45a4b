"""A step of the core as the time loop wants it: its end, the polynomial between, the event.

    polynomial_core(w, c, record, h, slope, out)
    hand_over(m, k, w, c, t, h, limit)

In: the core's arrays after an accepted step. Out: the loop's, filled as by any other method.
"""

from __future__ import annotations

from freewheel.machine.addresses import floats_at, ints_at
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Ints
from freewheel.runtime.kernels.core_places import (
    FIRED,
    FIRST_ORDER,
    HEAD,
    MATRICES,
    MODE,
    RECORD_HEAD,
    WANTED,
    WEIGHTS,
    Y1,
    H,
    N,
    P,
    Z,
)
from freewheel.runtime.kernels.core_table import (
    K_C,
    K_CAUSE,
    K_ELEMENT_RELATIONS,
    K_EXTRA,
    K_RECORDS,
    K_STRIDE,
    K_W,
    X_CAUSE_TIME,
)
from freewheel.runtime.kernels.core_tableau import (
    C1,
    C2,
    P11,
    P12,
    P13,
    P21,
    P22,
    P23,
    P31,
    P32,
    P33,
)
from freewheel.runtime.kernels.loop import Loop

core_dense = KernelModule("core_dense")


@core_dense.kernel
def polynomial_core(
    w: Floats, c: Ints, record: Floats, h: Float, slope: Floats, out: Floats
) -> None:
    """Coefficients of the collocation polynomial, as `dense_at` wants them. That of a storage gets the
    slope with which the step begins as well: what sets out from rest must not seem to go back first.

    The slope of the polynomial is wrong by a multiple of (x - c1)(x - c2)(x - 1), which is zero at the
    nodes; the value by the integral of that, zero at the end of the step. Taking it away makes the
    polynomial one order better. Not where the slope belongs to a transient that the step has passed.
    """
    n = c[N]
    z = w[HEAD + Z * n :]
    stores = record[RECORD_HEAD + MATRICES * n * n + WEIGHTS * n :]
    for i in range(n):
        z1 = z[i]
        z2 = z[n + i]
        z3 = z[2 * n + i]
        q1 = P11 * z1 + P12 * z2 + P13 * z3
        q2 = P21 * z1 + P22 * z2 + P23 * z3
        q3 = P31 * z1 + P32 * z2 + P33 * z3
        q4 = 0.0
        if stores[i] > 0.0 and c[FIRST_ORDER] == 0:
            q4 = (q1 - h * slope[i]) / (4.0 * C1 * C2)
            if not abs(q4) <= abs(q1) + abs(q2) + abs(q3):
                q4 = 0.0
        out[i] = q1 - 4.0 * q4 * C1 * C2
        out[n + i] = q2 + 2.0 * q4 * (C1 + C2 + C1 * C2)
        out[2 * n + i] = q3 - 4.0 / 3.0 * q4 * (1.0 + C1 + C2)
        out[3 * n + i] = q4


@core_dense.kernel
def hand_over(k: Ints, loop: Loop, t: Float, h: Float, limit: Float) -> None:
    """The step as the time loop wants it: end, slope, interpolant, event."""
    v = floats_at(k[K_W])
    d = ints_at(k[K_C])
    n = d[N]
    y1 = v[HEAD + Y1 * n :]
    slope = v[HEAD + (P + 2) * n :]
    out = loop.y1
    f1 = loop.f1
    for i in range(n):
        out[i] = y1[i]
        f1[i] = slope[i]
    record = floats_at(k[K_RECORDS])[d[MODE] * k[K_STRIDE] :]
    polynomial_core(v, d, record, h, loop.f, loop.dense)
    loop.t1 = limit if h == limit - t else t + h
    loop.h_taken = h
    loop.h = v[H]
    loop.error = 0.0
    loop.stiffness = 0.0
    loop.memory_at_end = 0
    loop.dense_ready = 1
    if d[WANTED] == 2:
        relations = ints_at(k[K_ELEMENT_RELATIONS])
        k[K_CAUSE] = d[FIRED]
        floats_at(k[K_EXTRA])[X_CAUSE_TIME] = loop.t1
        loop.core_event = 1 + relations[d[FIRED]]
