"""Radau IIA of order 5 and backward Euler: implicit steps by simplified Newton iteration.

Hairer, Wanner II, section IV.8; the constants are those of `integrate/radau.py`, which explains the
transformation into one real and one complex system. An old Jacobian is kept while it contracts well.
"""

from __future__ import annotations

from math import inf, pow, sqrt

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Function, Int, Ints, Section
from freewheel.runtime.integrate import radau as reference
from freewheel.runtime.kernels.matrix import (
    compute_jacobian,
    factor_complex,
    factor_real,
    matrix,
    solve_complex,
    solve_real,
)
from freewheel.runtime.kernels.places import (
    AT_END,
    DENSE,
    EPSILON,
    ERROR,
    F1,
    FAILED,
    FRESH,
    H_FACTORED,
    HAS_LAST,
    HAVE_FACTORS,
    HAVE_JACOBIAN,
    HEAD,
    ITERATIONS,
    K1,
    K2,
    K3,
    K4,
    K5,
    K6,
    LAST_DENSE,
    LAST_H,
    LAST_T,
    LAST_Y,
    NEWTON,
    NO_SPACE,
    RATE,
    REJECTED_BEFORE,
    RTOL,
    S1,
    S4,
    SHRINK,
    TRIAL,
    Y1,
    F,
    N,
    Y,
)
from freewheel.runtime.kernels.point import dense_at, is_finite, norm_between, rhs

radau = KernelModule(
    "radau", matrix, exports=("try_radau", "inside_radau", "try_beuler", "inside_beuler")
)

C1, C2 = float(reference.C[0]), float(reference.C[1])
MU = reference.MU_REAL
MU_R, MU_I = reference.MU_COMPLEX.real, reference.MU_COMPLEX.imag
X1, X2, X3 = (float(x) for x in reference.T_REAL)
ZR1, ZR2, ZR3 = (2.0 * float(x.real) for x in reference.T_COMPLEX)
ZI1, ZI2, ZI3 = (2.0 * float(x.imag) for x in reference.T_COMPLEX)
V1, V2, V3 = (float(x) for x in reference.TI_REAL)
VR1, VR2, VR3 = (float(x.real) for x in reference.TI_COMPLEX)
VI1, VI2, VI3 = (float(x.imag) for x in reference.TI_COMPLEX)
P11, P12, P13 = (float(x) for x in reference.POWERS[0])
P21, P22, P23 = (float(x) for x in reference.POWERS[1])
P31, P32, P33 = (float(x) for x in reference.POWERS[2])
E1, E2, E3 = (float(x) for x in reference.E)
MAX_NEWTON = reference.MAX_NEWTON
SLOW = reference.SLOW
MOST_EULER = 20


@radau.kernel
def prepare_radau(
    derivatives: Section, jacobian: Function, m: Floats, w: Floats, c: Ints, t: Float, h: Float
) -> Int:
    if c[HAVE_JACOBIAN] == 0:
        if compute_jacobian(derivatives, jacobian, m, w, c, t) != 0:
            return 1
        c[HAVE_JACOBIAN] = 1
        c[FRESH] = 1
        c[HAVE_FACTORS] = 0
    if c[HAVE_FACTORS] == 0 or w[H_FACTORED] != h:
        c[HAVE_FACTORS] = 0
        if factor_real(w, c, MU / h) != 0:
            return 1
        if factor_complex(w, c, MU_R / h, MU_I / h) != 0:
            return 1
        c[HAVE_FACTORS] = 1
        w[H_FACTORED] = h
    return 0


@radau.kernel
def guess_radau(w: Floats, c: Ints, t: Float, h: Float) -> None:
    """Stage increments by continuing the polynomial of the last step."""
    n = c[N]
    z = w[HEAD + S1 * n :]
    if c[HAS_LAST] == 0:
        for i in range(3 * n):
            z[i] = 0.0
        return
    y = w[HEAD + Y * n :]
    last = w[HEAD + LAST_Y * n :]
    powers = w[HEAD + LAST_DENSE * n :]
    dense_at(n, w[LAST_T], w[LAST_H], last, powers, t + C1 * h, z)
    dense_at(n, w[LAST_T], w[LAST_H], last, powers, t + C2 * h, z[n:])
    dense_at(n, w[LAST_T], w[LAST_H], last, powers, t + h, z[2 * n :])
    for i in range(n):
        z[i] -= y[i]
        z[n + i] -= y[i]
        z[2 * n + i] -= y[i]


@radau.kernel
def slopes_radau(derivatives: Section, m: Floats, w: Floats, c: Ints, t: Float, h: Float) -> Int:
    n = c[N]
    y = w[HEAD + Y * n :]
    z = w[HEAD + S1 * n :]
    slopes = w[HEAD + S4 * n :]
    x = w[HEAD + TRIAL * n :]
    for stage in range(3):
        node = C1 if stage == 0 else (C2 if stage == 1 else 1.0)
        for i in range(n):
            x[i] = y[i] + z[stage * n + i]
        if rhs(derivatives, m, w, c, t + node * h, x, slopes[stage * n :]) != 0:
            return 1
    return 1 - is_finite(3 * n, slopes)


@radau.kernel
def newton_change(w: Floats, c: Ints, h: Float) -> Float:
    """One change of the stage increments, into S4...; its size in units of the tolerance."""
    n = c[N]
    slopes = w[HEAD + S4 * n :]
    real = w[HEAD + K1 * n :]
    re = w[HEAD + K2 * n :]
    im = w[HEAD + K3 * n :]
    d = w[HEAD + K4 * n :]
    dr = w[HEAD + K5 * n :]
    di = w[HEAD + K6 * n :]
    for i in range(n):
        f1 = slopes[i]
        f2 = slopes[n + i]
        f3 = slopes[2 * n + i]
        d[i] = V1 * f1 + V2 * f2 + V3 * f3 - MU / h * real[i]
        dr[i] = VR1 * f1 + VR2 * f2 + VR3 * f3 - (MU_R * re[i] - MU_I * im[i]) / h
        di[i] = VI1 * f1 + VI2 * f2 + VI3 * f3 - (MU_R * im[i] + MU_I * re[i]) / h
    solve_real(w, c, d)
    solve_complex(w, c, dr, di)
    for i in range(n):
        real[i] += d[i]
        re[i] += dr[i]
        im[i] += di[i]
        slopes[i] = X1 * d[i] + ZR1 * dr[i] - ZI1 * di[i]
        slopes[n + i] = X2 * d[i] + ZR2 * dr[i] - ZI2 * di[i]
        slopes[2 * n + i] = X3 * d[i] + ZR3 * dr[i] - ZI3 * di[i]
    y = w[HEAD + Y * n :]
    size = norm_between(w, c, slopes, y, y)
    size = max(size, norm_between(w, c, slopes[n:], y, y))
    return max(size, norm_between(w, c, slopes[2 * n :], y, y))


@radau.kernel
def newton_radau(derivatives: Section, m: Floats, w: Floats, c: Ints, t: Float, h: Float) -> Int:
    """Solve for the stage increments, beginning at the guess; 0: converged."""
    n = c[N]
    z = w[HEAD + S1 * n :]
    change = w[HEAD + S4 * n :]
    real = w[HEAD + K1 * n :]
    re = w[HEAD + K2 * n :]
    im = w[HEAD + K3 * n :]
    enough = max(10.0 * EPSILON / w[RTOL], min(0.03, sqrt(w[RTOL])))
    for i in range(n):
        real[i] = V1 * z[i] + V2 * z[n + i] + V3 * z[2 * n + i]
        re[i] = VR1 * z[i] + VR2 * z[n + i] + VR3 * z[2 * n + i]
        im[i] = VI1 * z[i] + VI2 * z[n + i] + VI3 * z[2 * n + i]
    before = 0.0
    rate = 0.0
    for iteration in range(1, MAX_NEWTON + 1):
        c[ITERATIONS] = iteration
        w[RATE] = rate
        if slopes_radau(derivatives, m, w, c, t, h) != 0:
            return 1
        c[NEWTON] += 1
        size = newton_change(w, c, h)
        if not size < inf:
            return 1
        if iteration > 1 and before > 0.0:
            rate = size / before
            w[RATE] = rate
            if rate >= 1.0:
                return 1
            left = float(MAX_NEWTON - iteration)
            if pow(rate, left) / (1.0 - rate) * size > enough:
                return 1
        for i in range(3 * n):
            z[i] += change[i]
        if size == 0.0:
            return 0
        if iteration > 1 and rate / (1.0 - rate) * size < enough:
            return 0
        before = size
    return 1


@radau.kernel
def attempt_radau(
    derivatives: Section, jacobian: Function, m: Floats, w: Floats, c: Ints, t: Float, h: Float
) -> Float:
    while True:
        if prepare_radau(derivatives, jacobian, m, w, c, t, h) != 0:
            return inf
        guess_radau(w, c, t, h)
        if newton_radau(derivatives, m, w, c, t, h) == 0:
            break
        if c[FRESH] == 1:
            w[SHRINK] = 0.5
            return inf
        c[HAVE_JACOBIAN] = 0
    n = c[N]
    y = w[HEAD + Y * n :]
    y1 = w[HEAD + Y1 * n :]
    z = w[HEAD + S1 * n :]
    for i in range(n):
        y1[i] = y[i] + z[2 * n + i]
    error = error_radau(derivatives, m, w, c, t, h)
    if error <= 1.0:
        if rhs(derivatives, m, w, c, t + h, y1, w[HEAD + F1 * n :]) != 0:
            return inf
        if is_finite(n, w[HEAD + F1 * n :]) == 0:
            return inf
        c[AT_END] = 1
        c[REJECTED_BEFORE] = 0
        keep_last(w, c, t, h)
        c[FRESH] = 0
        if c[ITERATIONS] > 2 and w[RATE] > SLOW:
            c[HAVE_JACOBIAN] = 0
    else:
        c[REJECTED_BEFORE] = 1
    return error


@radau.kernel
def error_radau(derivatives: Section, m: Floats, w: Floats, c: Ints, t: Float, h: Float) -> Float:
    """Embedded estimate, filtered through the matrix so that stiff parts do not inflate it; twice
    where the first value would reject, (8.20)."""
    n = c[N]
    y = w[HEAD + Y * n :]
    f = w[HEAD + F * n :]
    y1 = w[HEAD + Y1 * n :]
    z = w[HEAD + S1 * n :]
    x = w[HEAD + TRIAL * n :]
    error = w[HEAD + K4 * n :]
    for i in range(n):
        error[i] = f[i] + (E1 * z[i] + E2 * z[n + i] + E3 * z[2 * n + i]) / h
    solve_real(w, c, error)
    norm = norm_between(w, c, error, y, y1)
    if norm <= 1.0 or c[REJECTED_BEFORE] == 0:
        return norm
    slope = w[HEAD + K5 * n :]
    for i in range(n):
        x[i] = y[i] + error[i]
    if rhs(derivatives, m, w, c, t, x, slope) != 0:
        return norm
    if is_finite(n, slope) == 0:
        return norm
    for i in range(n):
        slope[i] += (E1 * z[i] + E2 * z[n + i] + E3 * z[2 * n + i]) / h
    solve_real(w, c, slope)
    return norm_between(w, c, slope, y, y1)


@radau.kernel
def keep_last(w: Floats, c: Ints, t: Float, h: Float) -> None:
    """The collocation polynomial, for output and for the guess of the next step."""
    n = c[N]
    y = w[HEAD + Y * n :]
    z = w[HEAD + S1 * n :]
    out = w[HEAD + DENSE * n :]
    last = w[HEAD + LAST_DENSE * n :]
    last_y = w[HEAD + LAST_Y * n :]
    for i in range(n):
        z1 = z[i]
        z2 = z[n + i]
        z3 = z[2 * n + i]
        out[i] = P11 * z1 + P12 * z2 + P13 * z3
        out[n + i] = P21 * z1 + P22 * z2 + P23 * z3
        out[2 * n + i] = P31 * z1 + P32 * z2 + P33 * z3
        out[3 * n + i] = 0.0
        last_y[i] = y[i]
    for i in range(4 * n):
        last[i] = out[i]
    w[LAST_T] = t
    w[LAST_H] = h
    c[HAS_LAST] = 1


@radau.kernel
def attempt_beuler(
    derivatives: Section, jacobian: Function, m: Floats, w: Floats, c: Ints, t: Float, h: Float
) -> Float:
    """Backward Euler: y1 = y + h f(t + h, y1), with a Jacobian of the step's beginning."""
    n = c[N]
    if compute_jacobian(derivatives, jacobian, m, w, c, t) != 0:
        return inf
    if factor_real(w, c, 1.0 / h) != 0:
        return inf
    y = w[HEAD + Y * n :]
    f = w[HEAD + F * n :]
    y1 = w[HEAD + Y1 * n :]
    f1 = w[HEAD + F1 * n :]
    change = w[HEAD + S1 * n :]
    for i in range(n):
        y1[i] = y[i]
        f1[i] = f[i]
    for iteration in range(MOST_EULER):
        c[NEWTON] += 1
        if rhs(derivatives, m, w, c, t + h, y1, f1) != 0:
            return inf
        for i in range(n):
            change[i] = f1[i] - (y1[i] - y[i]) / h
        solve_real(w, c, change)
        size = norm_between(w, c, change, y, y1)
        if not size < inf:
            return inf
        for i in range(n):
            y1[i] += change[i]
        if size <= 1e-3 and iteration > 0:
            if rhs(derivatives, m, w, c, t + h, y1, f1) != 0:
                return inf
            c[AT_END] = 1
            return 0.0
    return inf


@radau.kernel
def dense_line(w: Floats, c: Ints) -> None:
    """A straight line: with stiff models a cubic would follow slopes that last no time at all."""
    n = c[N]
    y = w[HEAD + Y * n :]
    y1 = w[HEAD + Y1 * n :]
    out = w[HEAD + DENSE * n :]
    for i in range(n):
        out[i] = y1[i] - y[i]
        out[n + i] = 0.0
        out[2 * n + i] = 0.0
        out[3 * n + i] = 0.0


@radau.kernel
def try_radau(
    derivatives: Section, jacobian: Function, m: Floats, w: Floats, c: Ints, t: Float, h: Float
) -> Int:
    w[ERROR] = attempt_radau(derivatives, jacobian, m, w, c, t, h)
    return NO_SPACE if c[FAILED] == -1 else 0


@radau.kernel
def inside_radau(w: Floats, c: Ints) -> Int:
    """Nothing is left to do: `keep_last` made the polynomial."""
    return 0


@radau.kernel
def try_beuler(
    derivatives: Section, jacobian: Function, m: Floats, w: Floats, c: Ints, t: Float, h: Float
) -> Int:
    w[ERROR] = attempt_beuler(derivatives, jacobian, m, w, c, t, h)
    return NO_SPACE if c[FAILED] == -1 else 0


@radau.kernel
def inside_beuler(w: Floats, c: Ints) -> Int:
    dense_line(w, c)
    return 0
