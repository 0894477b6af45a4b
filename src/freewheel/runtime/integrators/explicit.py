"""Explicit Runge-Kutta steps: Dormand and Prince unrolled, all others by their tableau.

A trial step reads `loop.y` and `loop.f` at t and writes `y1`, `f1` and `error`, in units of the tolerance; it
returns 1 where it cannot be computed. Stiffness estimate: Hairer, Wanner II, section IV.2.
"""

from __future__ import annotations

from math import sqrt

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Int
from freewheel.runtime.integrators.tableau import DOPRI5
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.loop.point import is_finite, norm_between, point, rhs

explicit = KernelModule(
    "explicit",
    point,
    exports=("try_dopri5", "inside_dopri5", "try_tableau", "inside_tableau"),
    quick_first=True,
    inline=("norm_between", "place", "rhs"),
)

assert DOPRI5.b_error is not None
assert DOPRI5.dense is not None
_A = [row[:stage] for stage, row in enumerate(DOPRI5.a.tolist())]
(A21,), (A31, A32), (A41, A42, A43), (A51, A52, A53, A54), (A61, A62, A63, A64, A65) = _A[1:6]
B1, _, B3, B4, B5, B6, _ = DOPRI5.b.tolist()
E1, _, E3, E4, E5, E6, E7 = DOPRI5.b_error.tolist()
D1, _, D3, D4, D5, D6, D7 = DOPRI5.dense[:, 3].tolist()
C5 = 8.0 / 9.0


@explicit.kernel
def try_dopri5(loop: Loop, t: Float, h: Float) -> Int:
    n = loop.n
    y = loop.y
    k1 = loop.f
    k2 = loop.k[n:]
    k3 = loop.k[2 * n :]
    k4 = loop.k[3 * n :]
    k5 = loop.k[4 * n :]
    k6 = loop.k[5 * n :]
    k7 = loop.f1
    x = loop.trial
    before = loop.before
    y1 = loop.y1
    for i in range(n):
        x[i] = y[i] + h * A21 * k1[i]
    if rhs(loop, t + 0.2 * h, x, k2) != 0:
        return 1
    for i in range(n):
        x[i] = y[i] + h * (A31 * k1[i] + A32 * k2[i])
    if rhs(loop, t + 0.3 * h, x, k3) != 0:
        return 1
    for i in range(n):
        x[i] = y[i] + h * (A41 * k1[i] + A42 * k2[i] + A43 * k3[i])
    if rhs(loop, t + 0.8 * h, x, k4) != 0:
        return 1
    for i in range(n):
        x[i] = y[i] + h * (A51 * k1[i] + A52 * k2[i] + A53 * k3[i] + A54 * k4[i])
    if rhs(loop, t + C5 * h, x, k5) != 0:
        return 1
    for i in range(n):
        before[i] = y[i] + h * (A61 * k1[i] + A62 * k2[i] + A63 * k3[i] + A64 * k4[i] + A65 * k5[i])
    if rhs(loop, t + h, before, k6) != 0:
        return 1
    for i in range(n):
        y1[i] = y[i] + h * (B1 * k1[i] + B3 * k3[i] + B4 * k4[i] + B5 * k5[i] + B6 * k6[i])
    if rhs(loop, t + h, y1, k7) != 0:
        return 1
    loop.memory_at_end = 1
    slopes = 0.0
    distances = 0.0
    for i in range(n):
        x[i] = h * (E1 * k1[i] + E3 * k3[i] + E4 * k4[i] + E5 * k5[i] + E6 * k6[i] + E7 * k7[i])
        slope = k7[i] - k6[i]
        distance = y1[i] - before[i]
        slopes += slope * slope
        distances += distance * distance
    loop.stiffness = 0.0
    if distances > 0.0:
        loop.stiffness = h * sqrt(slopes / distances)
    loop.error = norm_between(loop, x, y, y1)
    return 0


@explicit.kernel
def try_tableau(loop: Loop, t: Float, h: Float) -> Int:
    """`loop.tableau` holds a (by rows), b, c and the weights of the error, for up to seven stages."""
    n = loop.n
    stages = loop.stages
    a = loop.tableau
    b = loop.tableau[stages * stages :]
    nodes = loop.tableau[stages * stages + stages :]
    weights = loop.tableau[stages * stages + 2 * stages :]
    y = loop.y
    f = loop.f
    k = loop.k
    x = loop.trial
    y1 = loop.y1
    for i in range(n):
        k[i] = f[i]
    for s in range(1, stages):
        for i in range(n):
            total = 0.0
            for j in range(s):
                total += a[s * stages + j] * k[j * n + i]
            x[i] = y[i] + h * total
        if rhs(loop, t + nodes[s] * h, x, k[s * n :]) != 0:
            return 1
    for i in range(n):
        total = 0.0
        error = 0.0
        for j in range(stages):
            total += b[j] * k[j * n + i]
            error += weights[j] * k[j * n + i]
        y1[i] = y[i] + h * total
        x[i] = h * error
    if rhs(loop, t + h, y1, loop.f1) != 0:
        return 1
    loop.memory_at_end = 1
    if is_finite(n, y1) == 0 or is_finite(n, loop.f1) == 0:
        return 1
    loop.stiffness = 0.0
    loop.error = norm_between(loop, x, y, y1) if loop.error_order > 0 else 0.0
    return 0


@explicit.kernel
def inside_dopri5(loop: Loop) -> Int:
    """The quartic of Hairer I (6.12), by powers of theta."""
    n = loop.n
    h = loop.h_taken
    y = loop.y
    y1 = loop.y1
    k1 = loop.f
    k3 = loop.k[2 * n :]
    k4 = loop.k[3 * n :]
    k5 = loop.k[4 * n :]
    k6 = loop.k[5 * n :]
    k7 = loop.f1
    out = loop.dense
    for i in range(n):
        r1 = y1[i] - y[i]
        r2 = h * k1[i] - r1
        r3 = 2.0 * r1 - h * (k1[i] + k7[i])
        r4 = h * (D1 * k1[i] + D3 * k3[i] + D4 * k4[i] + D5 * k5[i] + D6 * k6[i] + D7 * k7[i])
        out[i] = r1 + r2
        out[n + i] = r3 - r2 + r4
        out[2 * n + i] = -r3 - 2.0 * r4
        out[3 * n + i] = r4
    return 0


@explicit.kernel
def inside_tableau(loop: Loop) -> Int:
    """Cubic Hermite interpolation."""
    n = loop.n
    h = loop.h_taken
    y0 = loop.y
    f0 = loop.f
    y1 = loop.y1
    f1 = loop.f1
    out = loop.dense
    for i in range(n):
        rise = y1[i] - y0[i]
        out[i] = h * f0[i]
        out[n + i] = 3.0 * rise - h * (2.0 * f0[i] + f1[i])
        out[2 * n + i] = h * (f0[i] + f1[i]) - 2.0 * rise
        out[3 * n + i] = 0.0
    return 0
