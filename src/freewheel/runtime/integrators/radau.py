"""Radau IIA of order 5, Lobatto IIIC of order 4, backward Euler: steps by simplified Newton iteration.

Hairer, Wanner II, section IV.8. `loop.tableau` holds the numbers of `integrators/three_stage.py`, which
explains the transformation into one real and one complex system. A Jacobian is kept while the iteration
contracts well.
"""

from __future__ import annotations

from math import inf, pow, sqrt

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.integrators.three_stage import (
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
from freewheel.runtime.integrators.thresholds import NEWTON
from freewheel.runtime.linear.jacobian import (
    compute_jacobian,
    factor_complex,
    factor_real,
    matrix,
    solve_complex,
    solve_real,
)
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.loop.point import dense_at, is_finite, norm_between, rhs
from freewheel.runtime.thresholds import EPSILON

radau = KernelModule(
    "radau",
    matrix,
    exports=("try_radau", "inside_radau", "try_beuler", "inside_beuler"),
    inline=("dense_at", "place", "polynomial", "rhs", "to_eigenvectors", "weighted"),
)


@radau.kernel
def prepare_radau(loop: Loop, t: Float, h: Float) -> Int:
    if loop.have_jacobian == 0:
        if compute_jacobian(loop, t) != 0:
            return 1
        loop.have_jacobian = 1
        loop.jacobian_is_fresh = 1
        loop.have_factors = 0
    if loop.have_factors == 0 or loop.h_factored != h:
        loop.have_factors = 0
        k = loop.tableau
        if factor_real(loop, k[MU] / h) != 0 or factor_complex(loop, k[MU_R] / h, k[MU_I] / h) != 0:
            return 1
        loop.have_factors = 1
        loop.h_factored = h
    return 0


@radau.kernel
def guess_radau(loop: Loop, t: Float, h: Float) -> None:
    """Stage increments by continuing the polynomial of the last step."""
    n = loop.n
    nodes = loop.tableau[NODES:]
    for stage in range(3):
        z = loop.stage_values[stage * n :]
        later = t + nodes[stage] * h
        if loop.has_last == 1:
            dense_at(n, loop.last_t, loop.last_h, loop.last_y, loop.last_dense, later, z)
        for i in range(n):
            z[i] = z[i] - loop.y[i] if loop.has_last == 1 else 0.0


@radau.kernel
def slopes_radau(loop: Loop, t: Float, h: Float) -> Int:
    n = loop.n
    y = loop.y
    z = loop.stage_values
    slopes = loop.stage_slopes
    x = loop.trial
    nodes = loop.tableau[NODES:]
    for stage in range(3):
        for i in range(n):
            x[i] = y[i] + z[stage * n + i]
        if rhs(loop, t + nodes[stage] * h, x, slopes[stage * n :]) != 0:
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
def to_eigenvectors(loop: Loop, x: Floats, real: Floats, re: Floats, im: Floats) -> None:
    """Three stages in the basis in which A is diagonal."""
    n = loop.n
    k = loop.tableau
    weighted(n, k[TI_REAL:], x, real)
    weighted(n, k[TI_RE:], x, re)
    weighted(n, k[TI_IM:], x, im)


@radau.kernel
def newton_change(loop: Loop, h: Float) -> Float:
    """One change of the stage increments, into S4...; its size in units of the tolerance."""
    n = loop.n
    slopes = loop.stage_slopes
    real = loop.k
    re = loop.k[n:]
    im = loop.k[2 * n :]
    d = loop.k[3 * n :]
    dr = loop.k[4 * n :]
    di = loop.k[5 * n :]
    k = loop.tableau
    to_eigenvectors(loop, slopes, d, dr, di)
    mu = k[MU]
    mu_r = k[MU_R]
    mu_i = k[MU_I]
    for i in range(n):
        d[i] -= mu / h * real[i]
        dr[i] -= (mu_r * re[i] - mu_i * im[i]) / h
        di[i] -= (mu_r * im[i] + mu_i * re[i]) / h
    solve_real(loop, d)
    solve_complex(loop, dr, di)
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
    y = loop.y
    size = norm_between(loop, slopes, y, y)
    size = max(size, norm_between(loop, slopes[n:], y, y))
    return max(size, norm_between(loop, slopes[2 * n :], y, y))


@radau.kernel
def newton_radau(loop: Loop, t: Float, h: Float) -> Int:
    """Solve for the stage increments, beginning at the guess; 0: converged."""
    n = loop.n
    z = loop.stage_values
    change = loop.stage_slopes
    real = loop.k
    re = loop.k[n:]
    im = loop.k[2 * n :]
    enough = max(NEWTON.units * EPSILON / loop.rtol, min(NEWTON.solved, sqrt(loop.rtol)))
    to_eigenvectors(loop, z, real, re, im)
    before = 0.0
    rate = 0.0
    for iteration in range(1, NEWTON.most_rounds + 1):
        loop.iterations = iteration
        loop.rate = rate
        if slopes_radau(loop, t, h) != 0:
            return 1
        loop.newton_iterations += 1
        size = newton_change(loop, h)
        if not size < inf:
            return 1
        if iteration > 1 and before > 0.0:
            rate = size / before
            loop.rate = rate
            if rate >= 1.0:
                return 1
            left = float(NEWTON.most_rounds - iteration)
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
def try_radau(loop: Loop, t: Float, h: Float) -> Int:
    while True:
        if prepare_radau(loop, t, h) != 0:
            return 1
        guess_radau(loop, t, h)
        if newton_radau(loop, t, h) == 0:
            break
        if loop.jacobian_is_fresh == 1:
            loop.shrink = 0.5
            return 1
        loop.have_jacobian = 0
    n = loop.n
    y = loop.y
    y1 = loop.y1
    z = loop.stage_values
    for i in range(n):
        y1[i] = y[i] + z[2 * n + i]
    loop.error = error_radau(loop, t, h)
    if not loop.error <= 1.0:
        loop.rejected_before = 1
        return 0
    if rhs(loop, t + h, y1, loop.f1) != 0 or is_finite(n, loop.f1) == 0:
        return 1
    loop.memory_at_end = 1
    loop.rejected_before = 0
    keep_last(loop, t, h)
    loop.jacobian_is_fresh = 0
    if loop.iterations > 2 and loop.rate > NEWTON.slow:
        loop.have_jacobian = 0
    return 0


@radau.kernel
def without_stages(loop: Loop, t: Float, h: Float, out: Floats) -> Int:
    """What is added to f(y0) in the error; 1: the slope that a method asks for beside its stages could not be
    computed."""
    n = loop.n
    k = loop.tableau
    z = loop.stage_values
    weighted(n, k[E:], z, out)
    for i in range(n):
        out[i] /= h
    if k[EXTRA] == 0.0:
        return 0
    y = loop.y
    x = loop.trial
    slope = loop.k[5 * n :]
    expected = loop.stage_slopes
    polynomial(loop, expected)
    node = k[EXTRA_NODE]
    for i in range(n):
        x[i] = y[i] + node * (expected[i] + node * (expected[n + i] + node * expected[2 * n + i]))
    if rhs(loop, t + node * h, x, slope) != 0:
        return 1
    weighted(n, k[EXTRA_E:], z, expected)
    for i in range(n):
        out[i] += k[EXTRA] * (slope[i] - expected[i] / h)
    return 1 - is_finite(n, out)


@radau.kernel
def error_radau(loop: Loop, t: Float, h: Float) -> Float:
    """Embedded estimate, filtered through the matrix so that stiff parts do not inflate it; twice where the
    first value would reject, (8.20)."""
    n = loop.n
    y = loop.y
    f = loop.f
    y1 = loop.y1
    x = loop.trial
    stages = loop.k[2 * n :]
    error = loop.k[3 * n :]
    if without_stages(loop, t, h, stages) != 0:
        return inf
    for i in range(n):
        error[i] = f[i] + stages[i]
    solve_real(loop, error)
    norm = norm_between(loop, error, y, y1)
    if norm <= 1.0 or loop.rejected_before == 0:
        return norm
    slope = loop.k[4 * n :]
    for i in range(n):
        x[i] = y[i] + error[i]
    if rhs(loop, t, x, slope) != 0 or is_finite(n, slope) == 0:
        return norm
    for i in range(n):
        slope[i] += stages[i]
    solve_real(loop, slope)
    return norm_between(loop, slope, y, y1)


@radau.kernel
def polynomial(loop: Loop, out: Floats) -> None:
    """Coefficients of theta, theta**2, theta**3."""
    n = loop.n
    k = loop.tableau[POWERS:]
    for power in range(3):
        weighted(n, k[3 * power :], loop.stage_values, out[power * n :])


@radau.kernel
def keep_last(loop: Loop, t: Float, h: Float) -> None:
    """The interpolant, for output and for the guess of the next step."""
    n = loop.n
    polynomial(loop, loop.dense)
    for i in range(n):
        loop.dense[3 * n + i] = 0.0
        loop.last_y[i] = loop.y[i]
    for i in range(4 * n):
        loop.last_dense[i] = loop.dense[i]
    loop.last_t = t
    loop.last_h = h
    loop.has_last = 1


@radau.kernel
def try_beuler(loop: Loop, t: Float, h: Float) -> Int:
    """Backward Euler: y1 = y + h f(t + h, y1), with a Jacobian of the step's beginning."""
    n = loop.n
    if compute_jacobian(loop, t) != 0 or factor_real(loop, 1.0 / h) != 0:
        return 1
    y = loop.y
    f = loop.f
    y1 = loop.y1
    f1 = loop.f1
    change = loop.stage_values
    for i in range(n):
        y1[i] = y[i]
        f1[i] = f[i]
    for iteration in range(NEWTON.most_euler):
        loop.newton_iterations += 1
        if rhs(loop, t + h, y1, f1) != 0:
            return 1
        for i in range(n):
            change[i] = f1[i] - (y1[i] - y[i]) / h
        solve_real(loop, change)
        size = norm_between(loop, change, y, y1)
        if not size < inf:
            return 1
        for i in range(n):
            y1[i] += change[i]
        if size <= NEWTON.euler_solved and iteration > 0:
            if rhs(loop, t + h, y1, f1) != 0:
                return 1
            loop.memory_at_end = 1
            loop.error = 0.0
            return 0
    return 1


@radau.kernel
def inside_radau(loop: Loop) -> Int:
    """`keep_last` has made the polynomial already."""
    return 0


@radau.kernel
def inside_beuler(loop: Loop) -> Int:
    """A straight line: with stiff models a cubic would follow slopes that last no time at all."""
    n = loop.n
    y = loop.y
    y1 = loop.y1
    out = loop.dense
    for i in range(n):
        out[i] = y1[i] - y[i]
        out[n + i] = 0.0
        out[2 * n + i] = 0.0
        out[3 * n + i] = 0.0
    return 0
