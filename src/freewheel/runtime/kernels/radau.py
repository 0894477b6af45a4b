"""Radau IIA of order 5, Lobatto IIIC of order 4, backward Euler: steps by simplified Newton iteration.

Hairer, Wanner II, section IV.8; the numbers of a method of three stages lie at AT_TABLEAU as
`integrate/three_stage.py` has them, where the transformation into one real and one complex system is
explained. An old Jacobian is kept while it contracts well.
"""

from __future__ import annotations

from math import inf, pow, sqrt

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Function, Int, Ints, Section
from freewheel.runtime.integrate.radau import MAX_NEWTON, SLOW
from freewheel.runtime.integrate.three_stage import (
    EXTRA,
    EXTRA_E,
    EXTRA_NODE,
    MU,
    MU_I,
    MU_R,
    NODES,
    POWERS,
    T_IM,
    T_RE,
    T_REAL,
    TI_IM,
    TI_RE,
    TI_REAL,
    E,
)
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
    AT_TABLEAU,
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
        k = w[c[AT_TABLEAU] :]
        if factor_real(w, c, k[MU] / h) != 0:
            return 1
        if factor_complex(w, c, k[MU_R] / h, k[MU_I] / h) != 0:
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
    nodes = w[c[AT_TABLEAU] + NODES :]
    for stage in range(3):
        later = t + nodes[stage] * h
        dense_at(n, w[LAST_T], w[LAST_H], last, powers, later, z[stage * n :])
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
    nodes = w[c[AT_TABLEAU] + NODES :]
    for stage in range(3):
        for i in range(n):
            x[i] = y[i] + z[stage * n + i]
        if rhs(derivatives, m, w, c, t + nodes[stage] * h, x, slopes[stage * n :]) != 0:
            return 1
    return 1 - is_finite(3 * n, slopes)


@radau.kernel
def weighted(n: Int, weights: Floats, x: Floats, out: Floats) -> None:
    """Of three vectors in a row."""
    a = weights[0]
    b = weights[1]
    e = weights[2]
    for i in range(n):
        out[i] = a * x[i] + b * x[n + i] + e * x[2 * n + i]


@radau.kernel
def to_eigenvectors(w: Floats, c: Ints, x: Floats, real: Floats, re: Floats, im: Floats) -> None:
    """Three stages in the basis in which A is diagonal."""
    n = c[N]
    k = w[c[AT_TABLEAU] :]
    weighted(n, k[TI_REAL:], x, real)
    weighted(n, k[TI_RE:], x, re)
    weighted(n, k[TI_IM:], x, im)


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
    k = w[c[AT_TABLEAU] :]
    to_eigenvectors(w, c, slopes, d, dr, di)
    mu = k[MU]
    mu_r = k[MU_R]
    mu_i = k[MU_I]
    for i in range(n):
        d[i] -= mu / h * real[i]
        dr[i] -= (mu_r * re[i] - mu_i * im[i]) / h
        di[i] -= (mu_r * im[i] + mu_i * re[i]) / h
    solve_real(w, c, d)
    solve_complex(w, c, dr, di)
    for i in range(n):
        real[i] += d[i]
        re[i] += dr[i]
        im[i] += di[i]
    for stage in range(3):
        x = k[T_REAL + stage]
        zr = k[T_RE + stage]
        zi = k[T_IM + stage]
        change = slopes[stage * n :]
        for i in range(n):
            change[i] = x * d[i] + zr * dr[i] - zi * di[i]
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
    to_eigenvectors(w, c, z, real, re, im)
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
def without_stages(
    derivatives: Section, m: Floats, w: Floats, c: Ints, t: Float, h: Float, out: Floats
) -> Int:
    """What is added to f(y0) in the error; 1: the slope that a method asks for beside its stages could
    not be computed."""
    n = c[N]
    k = w[c[AT_TABLEAU] :]
    z = w[HEAD + S1 * n :]
    weighted(n, k[E:], z, out)
    for i in range(n):
        out[i] /= h
    if k[EXTRA] == 0.0:
        return 0
    y = w[HEAD + Y * n :]
    x = w[HEAD + TRIAL * n :]
    slope = w[HEAD + K6 * n :]
    expected = w[HEAD + S4 * n :]
    polynomial(w, c, expected)
    node = k[EXTRA_NODE]
    for i in range(n):
        x[i] = y[i] + node * (expected[i] + node * (expected[n + i] + node * expected[2 * n + i]))
    if rhs(derivatives, m, w, c, t + node * h, x, slope) != 0:
        return 1
    weighted(n, k[EXTRA_E:], z, expected)
    for i in range(n):
        out[i] += k[EXTRA] * (slope[i] - expected[i] / h)
    return 1 - is_finite(n, out)


@radau.kernel
def error_radau(derivatives: Section, m: Floats, w: Floats, c: Ints, t: Float, h: Float) -> Float:
    """Embedded estimate, filtered through the matrix so that stiff parts do not inflate it; twice
    where the first value would reject, (8.20)."""
    n = c[N]
    y = w[HEAD + Y * n :]
    f = w[HEAD + F * n :]
    y1 = w[HEAD + Y1 * n :]
    x = w[HEAD + TRIAL * n :]
    stages = w[HEAD + K3 * n :]
    error = w[HEAD + K4 * n :]
    if without_stages(derivatives, m, w, c, t, h, stages) != 0:
        return inf
    for i in range(n):
        error[i] = f[i] + stages[i]
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
        slope[i] += stages[i]
    solve_real(w, c, slope)
    return norm_between(w, c, slope, y, y1)


@radau.kernel
def polynomial(w: Floats, c: Ints, out: Floats) -> None:
    """Coefficients of theta, theta**2, theta**3."""
    n = c[N]
    k = w[c[AT_TABLEAU] + POWERS :]
    for power in range(3):
        weighted(n, k[3 * power :], w[HEAD + S1 * n :], out[power * n :])


@radau.kernel
def keep_last(w: Floats, c: Ints, t: Float, h: Float) -> None:
    """The interpolant, for output and for the guess of the next step."""
    n = c[N]
    y = w[HEAD + Y * n :]
    out = w[HEAD + DENSE * n :]
    last = w[HEAD + LAST_DENSE * n :]
    last_y = w[HEAD + LAST_Y * n :]
    polynomial(w, c, out)
    for i in range(n):
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
