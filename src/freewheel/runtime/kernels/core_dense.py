"""A step of the core as the time loop wants it: its end, the polynomial between, the event.

    polynomial_core(w, c, record, h, slope, out)
    hand_over(m, k, w, c, t, h, limit)

In: the core's arrays after an accepted step. Out: the loop's, filled as by any other method.
"""

from __future__ import annotations

from freewheel.machine.addresses import floats_at, ints_at
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Ints
from freewheel.runtime.kernels import places as loop
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

core_dense = KernelModule("core_dense")

# Places in the loop's arrays have an L_, those of the core have plain names.
L_HEAD, L_Y1, L_F, L_F1, L_DENSE = loop.HEAD, loop.Y1, loop.F, loop.F1, loop.DENSE
L_T1, L_H, L_H_TAKEN, L_ERROR = loop.T1, loop.H, loop.H_TAKEN, loop.ERROR
L_STIFFNESS, L_AT_END = loop.STIFFNESS, loop.AT_END
L_DENSE_READY, L_CORE_EVENT = loop.DENSE_READY, loop.CORE_EVENT


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
def hand_over(m: Floats, k: Ints, w: Floats, c: Ints, t: Float, h: Float, limit: Float) -> None:
    """The step as the time loop wants it: end, slope, interpolant, event."""
    v = floats_at(k[K_W])
    d = ints_at(k[K_C])
    n = d[N]
    y1 = v[HEAD + Y1 * n :]
    slope = v[HEAD + (P + 2) * n :]
    out = w[L_HEAD + L_Y1 * n :]
    f1 = w[L_HEAD + L_F1 * n :]
    for i in range(n):
        out[i] = y1[i]
        f1[i] = slope[i]
    record = floats_at(k[K_RECORDS])[d[MODE] * k[K_STRIDE] :]
    polynomial_core(v, d, record, h, w[L_HEAD + L_F * n :], w[L_HEAD + L_DENSE * n :])
    w[L_T1] = limit if h == limit - t else t + h
    w[L_H_TAKEN] = h
    w[L_H] = v[H]
    w[L_ERROR] = 0.0
    w[L_STIFFNESS] = 0.0
    c[L_AT_END] = 0
    c[L_DENSE_READY] = 1
    if d[WANTED] == 2:
        relations = ints_at(k[K_ELEMENT_RELATIONS])
        k[K_CAUSE] = d[FIRED]
        floats_at(k[K_EXTRA])[X_CAUSE_TIME] = w[L_T1]
        c[L_CORE_EVENT] = 1 + relations[d[FIRED]]
