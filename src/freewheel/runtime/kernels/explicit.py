"""Explicit Runge-Kutta steps: Dormand and Prince unrolled, all others by their tableau.

Each attempt reads Y and F at T, writes Y1 and F1, and returns the error in units of the tolerance;
infinite means that the step could not be computed. Coefficients: Hairer, Norsett, Wanner I, table
II.5.2 and section II.6 (dense output); stiffness estimate: Hairer, Wanner II, section IV.2.
"""

from __future__ import annotations

from math import inf, sqrt

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Function, Int, Ints, Section
from freewheel.runtime.kernels.places import (
    AT_END,
    AT_TABLEAU,
    BEFORE,
    DENSE,
    ERROR,
    F1,
    H_TAKEN,
    HEAD,
    K1,
    K2,
    K3,
    K4,
    K5,
    K6,
    ORDER,
    STAGES,
    STIFFNESS,
    TRIAL,
    Y1,
    F,
    N,
    Y,
)
from freewheel.runtime.kernels.point import hermite, is_finite, norm_between, point, rhs

explicit = KernelModule(
    "explicit",
    point,
    exports=("try_dopri5", "inside_dopri5", "try_tableau", "inside_tableau"),
    quick_first=True,
)

A21 = 1.0 / 5.0
A31, A32 = 3.0 / 40.0, 9.0 / 40.0
A41, A42, A43 = 44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0
A51, A52, A53, A54 = 19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0
A61, A62, A63, A64, A65 = 9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656
B1, B3, B4, B5, B6 = 35.0 / 384.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0
E1, E3, E4 = 71.0 / 57600.0, -71.0 / 16695.0, 71.0 / 1920.0
E5, E6, E7 = -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0
D1, D3 = -12715105075.0 / 11282082432.0, 87487479700.0 / 32700410799.0
D4, D5 = -10690763975.0 / 1880347072.0, 701980252875.0 / 199316789632.0
D6, D7 = -1453857185.0 / 822651844.0, 69997945.0 / 29380423.0
C5 = 8.0 / 9.0


@explicit.kernel
def attempt_dopri5(
    derivatives: Section, m: Floats, w: Floats, c: Ints, t: Float, h: Float
) -> Float:
    n = c[N]
    y = w[HEAD + Y * n :]
    k1 = w[HEAD + F * n :]
    k2 = w[HEAD + K2 * n :]
    k3 = w[HEAD + K3 * n :]
    k4 = w[HEAD + K4 * n :]
    k5 = w[HEAD + K5 * n :]
    k6 = w[HEAD + K6 * n :]
    k7 = w[HEAD + F1 * n :]
    x = w[HEAD + TRIAL * n :]
    before = w[HEAD + BEFORE * n :]
    y1 = w[HEAD + Y1 * n :]
    for i in range(n):
        x[i] = y[i] + h * A21 * k1[i]
    if rhs(derivatives, m, w, c, t + 0.2 * h, x, k2) != 0:
        return inf
    for i in range(n):
        x[i] = y[i] + h * (A31 * k1[i] + A32 * k2[i])
    if rhs(derivatives, m, w, c, t + 0.3 * h, x, k3) != 0:
        return inf
    for i in range(n):
        x[i] = y[i] + h * (A41 * k1[i] + A42 * k2[i] + A43 * k3[i])
    if rhs(derivatives, m, w, c, t + 0.8 * h, x, k4) != 0:
        return inf
    for i in range(n):
        x[i] = y[i] + h * (A51 * k1[i] + A52 * k2[i] + A53 * k3[i] + A54 * k4[i])
    if rhs(derivatives, m, w, c, t + C5 * h, x, k5) != 0:
        return inf
    for i in range(n):
        before[i] = y[i] + h * (A61 * k1[i] + A62 * k2[i] + A63 * k3[i] + A64 * k4[i] + A65 * k5[i])
    if rhs(derivatives, m, w, c, t + h, before, k6) != 0:
        return inf
    for i in range(n):
        y1[i] = y[i] + h * (B1 * k1[i] + B3 * k3[i] + B4 * k4[i] + B5 * k5[i] + B6 * k6[i])
    if rhs(derivatives, m, w, c, t + h, y1, k7) != 0:
        return inf
    c[AT_END] = 1
    slopes = 0.0
    distances = 0.0
    for i in range(n):
        x[i] = h * (E1 * k1[i] + E3 * k3[i] + E4 * k4[i] + E5 * k5[i] + E6 * k6[i] + E7 * k7[i])
        slope = k7[i] - k6[i]
        distance = y1[i] - before[i]
        slopes += slope * slope
        distances += distance * distance
    w[STIFFNESS] = 0.0
    if distances > 0.0:
        w[STIFFNESS] = h * sqrt(slopes / distances)
    return norm_between(w, c, x, y, y1)


@explicit.kernel
def dense_dopri5(w: Floats, c: Ints, h: Float) -> None:
    """The quartic of Hairer I (6.12), by powers of theta; see `integrate/tableau.py`."""
    n = c[N]
    y = w[HEAD + Y * n :]
    y1 = w[HEAD + Y1 * n :]
    k1 = w[HEAD + F * n :]
    k3 = w[HEAD + K3 * n :]
    k4 = w[HEAD + K4 * n :]
    k5 = w[HEAD + K5 * n :]
    k6 = w[HEAD + K6 * n :]
    k7 = w[HEAD + F1 * n :]
    out = w[HEAD + DENSE * n :]
    for i in range(n):
        r1 = y1[i] - y[i]
        r2 = h * k1[i] - r1
        r3 = 2.0 * r1 - h * (k1[i] + k7[i])
        r4 = h * (D1 * k1[i] + D3 * k3[i] + D4 * k4[i] + D5 * k5[i] + D6 * k6[i] + D7 * k7[i])
        out[i] = r1 + r2
        out[n + i] = r3 - r2 + r4
        out[2 * n + i] = -r3 - 2.0 * r4
        out[3 * n + i] = r4


@explicit.kernel
def attempt_tableau(
    derivatives: Section, m: Floats, w: Floats, c: Ints, t: Float, h: Float
) -> Float:
    """The tableau is a (by rows), b, c, weights of the error; up to seven stages at K1."""
    n = c[N]
    stages = c[STAGES]
    a = w[c[AT_TABLEAU] :]
    b = w[c[AT_TABLEAU] + stages * stages :]
    nodes = w[c[AT_TABLEAU] + stages * stages + stages :]
    weights = w[c[AT_TABLEAU] + stages * stages + 2 * stages :]
    y = w[HEAD + Y * n :]
    f = w[HEAD + F * n :]
    k = w[HEAD + K1 * n :]
    x = w[HEAD + TRIAL * n :]
    y1 = w[HEAD + Y1 * n :]
    for i in range(n):
        k[i] = f[i]
    for s in range(1, stages):
        for i in range(n):
            total = 0.0
            for j in range(s):
                total += a[s * stages + j] * k[j * n + i]
            x[i] = y[i] + h * total
        if rhs(derivatives, m, w, c, t + nodes[s] * h, x, k[s * n :]) != 0:
            return inf
    for i in range(n):
        total = 0.0
        error = 0.0
        for j in range(stages):
            total += b[j] * k[j * n + i]
            error += weights[j] * k[j * n + i]
        y1[i] = y[i] + h * total
        x[i] = h * error
    if rhs(derivatives, m, w, c, t + h, y1, w[HEAD + F1 * n :]) != 0:
        return inf
    c[AT_END] = 1
    if is_finite(n, y1) == 0 or is_finite(n, w[HEAD + F1 * n :]) == 0:
        return inf
    w[STIFFNESS] = 0.0
    if c[ORDER] == 0:
        return 0.0
    return norm_between(w, c, x, y, y1)


@explicit.kernel
def try_dopri5(
    derivatives: Section, jacobian: Function, m: Floats, w: Floats, c: Ints, t: Float, h: Float
) -> Int:
    w[ERROR] = attempt_dopri5(derivatives, m, w, c, t, h)
    return 0


@explicit.kernel
def inside_dopri5(w: Floats, c: Ints) -> Int:
    dense_dopri5(w, c, w[H_TAKEN])
    return 0


@explicit.kernel
def try_tableau(
    derivatives: Section, jacobian: Function, m: Floats, w: Floats, c: Ints, t: Float, h: Float
) -> Int:
    w[ERROR] = attempt_tableau(derivatives, m, w, c, t, h)
    return 0


@explicit.kernel
def inside_tableau(w: Floats, c: Ints) -> Int:
    n = c[N]
    y = w[HEAD + Y * n :]
    y1 = w[HEAD + Y1 * n :]
    f1 = w[HEAD + F1 * n :]
    hermite(n, w[H_TAKEN], y, w[HEAD + F * n :], y1, f1, w[HEAD + DENSE * n :])
    return 0
