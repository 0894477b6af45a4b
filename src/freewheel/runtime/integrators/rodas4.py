"""RODAS4: a stiffly accurate Rosenbrock method of order 4 with an embedded error of order 3.

Six stages, each one linear solve with the same matrix; no iteration, so nothing can fail to converge.
Coefficients and dense output: Hairer, Wanner, Solving Ordinary Differential Equations II, section VI.4
(method RODAS). The Jacobian is that of the step's beginning; df/dt is a difference.
"""

from __future__ import annotations

from math import sqrt

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Int
from freewheel.runtime.integrators.thresholds import METHODS
from freewheel.runtime.linear.jacobian import compute_jacobian, factor_real, matrix, solve_real
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.loop.point import norm_between, rhs
from freewheel.runtime.thresholds import EPSILON

rosenbrock = KernelModule("rosenbrock", matrix, exports=("try_rodas4", "inside_rodas4"))

GAMMA = 0.25
N2, N3, N4 = 0.386, 0.21, 0.63
A21 = 1.544
A31, A32 = 0.9466785280815826, 0.2557011698983284
A41, A42, A43 = 3.314825187068521, 2.896124015972201, 0.9986419139977817
A51, A52, A53, A54 = 1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950
G21 = -5.6688
G31, G32 = -2.430093356833875, -0.2063599157091915
G41, G42, G43 = -0.1073529058151375, -9.594562251023355, -20.47028614809616
G51, G52, G53, G54 = 7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160
G61, G62, G63 = 8.083246795921522, -7.981132988064893, -31.52159432874371
G64, G65 = 16.31930543123136, -6.058818238834054
T1_, T2_, T3_, T4_ = 0.25, -0.1043, 0.1035, -0.0362  # shares of df/dt
P1, P2, P3 = 10.12623508344586, -7.487995877610167, -34.80091861555747
P4, P5 = -7.992771707568823, 1.025137723295662
Q1, Q2, Q3 = -0.6762803392801253, 6.087714651680015, 16.43084320892478
Q4, Q5 = 24.76722511418386, -6.594389125716872


@rosenbrock.kernel
def prepare_rodas4(loop: Loop, t: Float, h: Float) -> Int:
    """Jacobian and df/dt of the present point, and the factored matrix of this step size."""
    n = loop.n
    if loop.have_jacobian == 0 or loop.jacobian_is_fresh == 0:
        if compute_jacobian(loop, t) != 0:
            return 1
        f = loop.f
        slope = loop.slope_t
        delta = sqrt(EPSILON * max(METHODS.least_time, abs(t)))
        if delta > 0.1 * h:
            delta = max(0.1 * h, 4.0 * EPSILON * abs(t))
        later = t + delta
        if rhs(loop, later, loop.y, slope) != 0:
            return 1
        for i in range(n):
            slope[i] = (slope[i] - f[i]) / (later - t)
        loop.have_jacobian = 1
        loop.jacobian_is_fresh = 1
        loop.have_factors = 0
    if loop.have_factors == 0 or loop.h_factored != h:
        loop.have_factors = 0
        if factor_real(loop, 1.0 / (GAMMA * h)) != 0:
            return 1
        loop.have_factors = 1
        loop.h_factored = h
    return 0


@rosenbrock.kernel
def try_rodas4(loop: Loop, t: Float, h: Float) -> Int:
    n = loop.n
    if prepare_rodas4(loop, t, h) != 0:
        return 1
    y = loop.y
    f0 = loop.f
    slope = loop.slope_t
    f = loop.stage_slopes
    x = loop.trial
    u1 = loop.k
    u2 = loop.k[n:]
    u3 = loop.k[2 * n :]
    u4 = loop.k[3 * n :]
    u5 = loop.k[4 * n :]
    u6 = loop.k[5 * n :]
    y1 = loop.y1
    r = 1.0 / h
    for i in range(n):
        u1[i] = f0[i] + h * T1_ * slope[i]
    solve_real(loop, u1)
    for i in range(n):
        x[i] = y[i] + A21 * u1[i]
    if rhs(loop, t + N2 * h, x, f) != 0:
        return 1
    for i in range(n):
        u2[i] = f[i] + h * T2_ * slope[i] + r * G21 * u1[i]
    solve_real(loop, u2)
    for i in range(n):
        x[i] = y[i] + A31 * u1[i] + A32 * u2[i]
    if rhs(loop, t + N3 * h, x, f) != 0:
        return 1
    for i in range(n):
        u3[i] = f[i] + h * T3_ * slope[i] + r * (G31 * u1[i] + G32 * u2[i])
    solve_real(loop, u3)
    for i in range(n):
        x[i] = y[i] + A41 * u1[i] + A42 * u2[i] + A43 * u3[i]
    if rhs(loop, t + N4 * h, x, f) != 0:
        return 1
    for i in range(n):
        u4[i] = f[i] + h * T4_ * slope[i] + r * (G41 * u1[i] + G42 * u2[i] + G43 * u3[i])
    solve_real(loop, u4)
    for i in range(n):
        x[i] = y[i] + A51 * u1[i] + A52 * u2[i] + A53 * u3[i] + A54 * u4[i]
    if rhs(loop, t + h, x, f) != 0:
        return 1
    for i in range(n):
        u5[i] = f[i] + r * (G51 * u1[i] + G52 * u2[i] + G53 * u3[i] + G54 * u4[i])
    solve_real(loop, u5)
    for i in range(n):
        x[i] += u5[i]
    if rhs(loop, t + h, x, f) != 0:
        return 1
    for i in range(n):
        u6[i] = f[i] + r * (G61 * u1[i] + G62 * u2[i] + G63 * u3[i] + G64 * u4[i] + G65 * u5[i])
    solve_real(loop, u6)
    for i in range(n):
        y1[i] = x[i] + u6[i]
    loop.error = norm_between(loop, u6, y, y1)
    if loop.error <= 1.0:
        if rhs(loop, t + h, y1, loop.f1) != 0:
            return 1
        loop.memory_at_end = 1
    return 0


@rosenbrock.kernel
def inside_rodas4(loop: Loop) -> Int:
    """y0 (1 - x) + x (y1 + (1 - x) (p + x q)), by powers of x."""
    n = loop.n
    y = loop.y
    y1 = loop.y1
    u1 = loop.k
    u2 = loop.k[n:]
    u3 = loop.k[2 * n :]
    u4 = loop.k[3 * n :]
    u5 = loop.k[4 * n :]
    out = loop.dense
    for i in range(n):
        p = P1 * u1[i] + P2 * u2[i] + P3 * u3[i] + P4 * u4[i] + P5 * u5[i]
        q = Q1 * u1[i] + Q2 * u2[i] + Q3 * u3[i] + Q4 * u4[i] + Q5 * u5[i]
        out[i] = y1[i] - y[i] + p
        out[n + i] = q - p
        out[2 * n + i] = -q
        out[3 * n + i] = 0.0
    return 0
