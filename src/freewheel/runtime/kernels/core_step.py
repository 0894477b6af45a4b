"""One step of the implicit core by Radau IIA of order 5 in descriptor form.

The stage increments Z solve F((A^-1 Z)_i / h, y + Z_i, t + c_i h) = 0. In the basis of A's
eigenvectors Newton's matrix falls into mu/h E + A, one real and one complex, with E = dF/dy' and
A = dF/dy (Hairer, Wanner II, sections IV.8 and VI.1). The error counts where states live only: it is
projected onto the consistent values of the mode along the directions that may jump.

    rates(m, t, order, ys, out)     out = d^order F / dt^order along ys = (y, y', y'', ...)
    jacobians(m, t, y, slope, out)  out = dF/dy, then dF/dy', by rows
"""

from __future__ import annotations

from math import inf, pow, sqrt

import numpy as np

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Function, Int, Ints
from freewheel.runtime.integrate import radau as reference
from freewheel.runtime.kernels.core_open import choose_open, core_open
from freewheel.runtime.kernels.core_places import (
    A_AT,
    ATOL_AT,
    DYS,
    E_AT,
    ERR,
    ERROR_AT,
    EVER,
    FACTORED,
    FLOOR,
    GAUGE_AT,
    H_FACTORED,
    HAS_STATES,
    HEAD,
    INDEX,
    IS_LINEAR,
    IS_SINGULAR,
    K_AT,
    LEVEL_SCALE,
    LEVELS,
    LU_AT,
    LUI_AT,
    LUR_AT,
    M_AT,
    MATRICES,
    PARTS,
    RECORD_HEAD,
    ROW_PART,
    ROWS_COMPLEX,
    ROWS_REAL,
    RTOL,
    SIZE,
    SLOPE,
    STATES,
    TIED,
    TRIAL,
    V1,
    V_AT,
    WEIGHTS,
    XK_AT,
    Y1,
    YS,
    N,
    P,
    R,
    Y,
    Z,
)
from freewheel.runtime.kernels.core_sizes import measure_core
from freewheel.runtime.kernels.dense_lu import (
    dense_lu,
    lu_factor,
    lu_factor_complex,
    lu_solve,
    lu_solve_complex,
)

core_step = KernelModule("core_step", dense_lu, core_open)

_INVERSE = [[float(x) for x in row] for row in np.linalg.inv(reference.A)]
C1, C2 = float(reference.C[0]), float(reference.C[1])
MU = reference.MU_REAL
MU_R, MU_I = reference.MU_COMPLEX.real, reference.MU_COMPLEX.imag
X1, X2, X3 = (float(x) for x in reference.T_REAL)
ZR1, ZR2, ZR3 = (2.0 * float(x.real) for x in reference.T_COMPLEX)
ZI1, ZI2, ZI3 = (2.0 * float(x.imag) for x in reference.T_COMPLEX)
T1, T2, T3 = (float(x) for x in reference.TI_REAL)
TR1, TR2, TR3 = (float(x.real) for x in reference.TI_COMPLEX)
TI1, TI2, TI3 = (float(x.imag) for x in reference.TI_COMPLEX)
B11, B12, B13 = _INVERSE[0]
B21, B22, B23 = _INVERSE[1]
B31, B32, B33 = _INVERSE[2]
P11, P12, P13 = (float(x) for x in reference.POWERS[0])
P21, P22, P23 = (float(x) for x in reference.POWERS[1])
P31, P32, P33 = (float(x) for x in reference.POWERS[2])
E1, E2, E3 = (float(x) for x in reference.E)
MOST_NEWTON = 12
MOST_CHORD = 40
FOLLOWED = 1e-3  # of its size: how well the polynomial of a step must follow an unknown


@core_step.kernel
def tolerance_of(w: Floats, n: Int, i: Int, size: Float) -> Float:
    """Of unknown i where it is as large as `size`. The absolute part never exceeds what the relative
    one would be for the largest value seen: micro-amperes are as exact as kilovolts."""
    least = w[RTOL] * max(w[HEAD + EVER * n + i], w[HEAD + FLOOR * n + i])
    return w[RTOL] * size + min(w[HEAD + ATOL_AT * n + i], least) + 1e-300


@core_step.kernel
def factor_core(c: Ints, record: Floats, pivots: Ints, h: Float) -> Int:
    """Factors of mu/h E + A, rows scaled; kept with the mode until its step size changes. In a mode
    that leaves unknowns open the gauge is added: the system stays solvable and they stay put."""
    if record[H_FACTORED] == h:
        return 0
    n = c[N]
    square = n * n
    a = record[RECORD_HEAD + A_AT * square :]
    e = record[RECORD_HEAD + E_AT * square :]
    gauge = record[RECORD_HEAD + GAUGE_AT * square :]
    lu = record[RECORD_HEAD + LU_AT * square :]
    lu_r = record[RECORD_HEAD + LUR_AT * square :]
    lu_i = record[RECORD_HEAD + LUI_AT * square :]
    scales = record[RECORD_HEAD + MATRICES * square + ROWS_REAL * n :]
    scales_c = record[RECORD_HEAD + MATRICES * square + ROWS_COMPLEX * n :]
    for i in range(n):
        largest = 0.0
        largest_c = 0.0
        for j in range(n):
            k = i * n + j
            lu[k] = MU / h * e[k] + a[k] + gauge[k]
            lu_r[k] = MU_R / h * e[k] + a[k] + gauge[k]
            lu_i[k] = MU_I / h * e[k]
            largest = max(largest, abs(lu[k]))
            largest_c = max(largest_c, abs(lu_r[k]) + abs(lu_i[k]))
        if largest == 0.0 or largest_c == 0.0:
            return 1
        scales[i] = 1.0 / largest
        scales_c[i] = 1.0 / largest_c
        for j in range(n):
            k = i * n + j
            lu[k] *= scales[i]
            lu_r[k] *= scales_c[i]
            lu_i[k] *= scales_c[i]
    c[FACTORED] += 1
    record[H_FACTORED] = 0.0
    if lu_factor(n, lu, pivots) != 0:
        return 1
    if lu_factor_complex(n, lu_r, lu_i, pivots[n:]) != 0:
        return 1
    record[H_FACTORED] = h
    return 0


@core_step.kernel
def solve_core(n: Int, record: Floats, pivots: Ints, b: Floats) -> None:
    square = n * n
    scales = record[RECORD_HEAD + MATRICES * square + ROWS_REAL * n :]
    for i in range(n):
        b[i] *= scales[i]
    lu_solve(n, record[RECORD_HEAD + LU_AT * square :], pivots, b)


@core_step.kernel
def stage_residuals(rates: Function, m: Floats, w: Floats, c: Ints, t: Float, h: Float) -> Int:
    n = c[N]
    y = w[HEAD + Y * n :]
    z = w[HEAD + Z * n :]
    r = w[HEAD + R * n :]
    p = w[HEAD + P * n :]
    ys = w[HEAD + YS * n :]
    for i in range(n):
        z1 = z[i]
        z2 = z[n + i]
        z3 = z[2 * n + i]
        p[i] = (B11 * z1 + B12 * z2 + B13 * z3) / h
        p[n + i] = (B21 * z1 + B22 * z2 + B23 * z3) / h
        p[2 * n + i] = (B31 * z1 + B32 * z2 + B33 * z3) / h
    for stage in range(3):
        node = C1 if stage == 0 else (C2 if stage == 1 else 1.0)
        for i in range(n):
            ys[i] = y[i] + z[stage * n + i]
            ys[n + i] = p[stage * n + i]
        if rates(m, t + node * h, 0, ys, r[stage * n :]) != 0:
            return 1
    return 0


@core_step.kernel
def stage_change(w: Floats, c: Ints, record: Floats, pivots: Ints) -> Float:
    """One Newton change of the stage increments; gives its size in units of the tolerance."""
    n = c[N]
    square = n * n
    y = w[HEAD + Y * n :]
    y1 = w[HEAD + Y1 * n :]
    z = w[HEAD + Z * n :]
    r = w[HEAD + R * n :]
    d = w[HEAD + V1 * n :]
    dr = w[HEAD + (V1 + 1) * n :]
    di = w[HEAD + (V1 + 2) * n :]
    scales = record[RECORD_HEAD + MATRICES * square + ROWS_COMPLEX * n :]
    weights = record[RECORD_HEAD + MATRICES * square + WEIGHTS * n :]
    for i in range(n):
        r1 = r[i]
        r2 = r[n + i]
        r3 = r[2 * n + i]
        d[i] = -(T1 * r1 + T2 * r2 + T3 * r3)
        dr[i] = -(TR1 * r1 + TR2 * r2 + TR3 * r3) * scales[i]
        di[i] = -(TI1 * r1 + TI2 * r2 + TI3 * r3) * scales[i]
    solve_core(n, record, pivots, d)
    lu_r = record[RECORD_HEAD + LUR_AT * square :]
    lu_i = record[RECORD_HEAD + LUI_AT * square :]
    lu_solve_complex(n, lu_r, lu_i, pivots[n:], dr, di)
    size = 0.0
    for i in range(n):
        z1 = X1 * d[i] + ZR1 * dr[i] - ZI1 * di[i]
        z2 = X2 * d[i] + ZR2 * dr[i] - ZI2 * di[i]
        z3 = X3 * d[i] + ZR3 * dr[i] - ZI3 * di[i]
        z[i] += z1
        z[n + i] += z2
        z[2 * n + i] += z3
        d[i] = z3
        y1[i] = y[i] + z[2 * n + i]
        r[i] = max(abs(z1), abs(z2), abs(z3))
    measure_core(w, c, record, y1)
    if record[INDEX] < 2.0:
        for i in range(n):
            if weights[i] > 0.0:
                reached = max(abs(y[i]), abs(y1[i]))
                size = max(size, r[i] / tolerance_of(w, n, i, reached))
        return size
    # of higher index only the dynamic part converges to the last digit; the rest is made consistent
    project = record[RECORD_HEAD + ERROR_AT * square :]
    for i in range(n):
        part = 0.0
        for j in range(n):
            part += project[i * n + j] * d[j]
        if weights[i] > 0.0:
            reached = max(abs(y[i]), abs(y1[i]))
            size = max(size, abs(part) / tolerance_of(w, n, i, reached))
    return size


@core_step.kernel
def factor_states(c: Ints, record: Floats, pivots: Ints, h: Float) -> Int:
    """Factors of mu/h - M for the states of a linear mode, kept until the step size changes."""
    if record[H_FACTORED] == h:
        return 0
    square = c[N] * c[N]
    d = int(record[STATES])
    motion = record[RECORD_HEAD + M_AT * square :]
    lu = record[RECORD_HEAD + LU_AT * square :]
    lu_r = record[RECORD_HEAD + LUR_AT * square :]
    lu_i = record[RECORD_HEAD + LUI_AT * square :]
    for k in range(d * d):
        lu[k] = -motion[k]
        lu_r[k] = -motion[k]
        lu_i[k] = 0.0
    for i in range(d):
        lu[i * d + i] += MU / h
        lu_r[i * d + i] += MU_R / h
        lu_i[i * d + i] += MU_I / h
    c[FACTORED] += 1
    record[H_FACTORED] = 0.0
    if lu_factor(d, lu, pivots) != 0:
        return 1
    if lu_factor_complex(d, lu_r, lu_i, pivots[c[N] :]) != 0:
        return 1
    record[H_FACTORED] = h
    return 0


@core_step.kernel
def linear_rates_at(
    rates: Function, m: Floats, w: Floats, c: Ints, record: Floats, t: Float, x: Floats, z: Floats,
    g: Floats,
) -> Int:  # fmt: skip
    """At time t, with the states of x: z = (consistent y) - x, g = rates of the states."""
    n = c[N]
    square = n * n
    d = int(record[STATES])
    wide = (int(record[LEVELS]) + 1) * n
    ys = w[HEAD + YS * n :]
    r = w[HEAD + R * n :]
    k = record[RECORD_HEAD + K_AT * square :]
    xk = record[RECORD_HEAD + XK_AT * square :]
    for i in range(n):
        ys[i] = x[i]
        ys[n + i] = 0.0
        ys[2 * n + i] = 0.0
        ys[3 * n + i] = 0.0
    for order in range(int(record[LEVELS]) + 1):
        if rates(m, t, order, ys, r[order * n :]) != 0:
            return 1
    for i in range(n):
        total = 0.0
        for j in range(wide):
            total -= k[3 * n * i + j] * r[j]
        z[i] = total
    for i in range(d):
        total = 0.0
        for j in range(wide):
            total -= xk[3 * n * i + j] * r[j]
        g[i] = total
    return 0


@core_step.kernel
def attempt_linear(
    rates: Function, m: Floats, w: Floats, c: Ints, record: Floats, pivots: Ints, h: Float, t: Float
) -> Float:
    """A step of the states of a linear mode, of whatever index; all other unknowns follow from them.

    The states obey x' = M x + g(t), so all stages come from one solution. Y1 is consistent.
    """
    n = c[N]
    square = n * n
    d = int(record[STATES])
    y = w[HEAD + Y * n :]
    y1 = w[HEAD + Y1 * n :]
    z = w[HEAD + Z * n :]
    p = w[HEAD + P * n :]
    a = w[HEAD + V1 * n :]
    a_r = w[HEAD + (V1 + 1) * n :]
    a_i = w[HEAD + (V1 + 2) * n :]
    follow = record[RECORD_HEAD + V_AT * square :]
    if factor_states(c, record, pivots, h) != 0:
        return inf
    for stage in range(3):
        node = C1 if stage == 0 else (C2 if stage == 1 else 1.0)
        at = t + node * h
        if linear_rates_at(rates, m, w, c, record, at, y, z[stage * n :], p[stage * n :]) != 0:
            return inf
    for i in range(d):
        g1 = p[i]
        g2 = p[n + i]
        g3 = p[2 * n + i]
        a[i] = T1 * g1 + T2 * g2 + T3 * g3
        a_r[i] = TR1 * g1 + TR2 * g2 + TR3 * g3
        a_i[i] = TI1 * g1 + TI2 * g2 + TI3 * g3
    lu_solve(d, record[RECORD_HEAD + LU_AT * square :], pivots, a)
    lu_r = record[RECORD_HEAD + LUR_AT * square :]
    lu_i = record[RECORD_HEAD + LUI_AT * square :]
    lu_solve_complex(d, lu_r, lu_i, pivots[n:], a_r, a_i)
    for i in range(d):
        x1 = X1 * a[i] + ZR1 * a_r[i] - ZI1 * a_i[i]
        x2 = X2 * a[i] + ZR2 * a_r[i] - ZI2 * a_i[i]
        x3 = X3 * a[i] + ZR3 * a_r[i] - ZI3 * a_i[i]
        p[i] = x1
        p[n + i] = x2
        p[2 * n + i] = x3
    for i in range(n):
        total = z[2 * n + i]
        for j in range(d):
            total += follow[i * d + j] * p[2 * n + j]
        y1[i] = y[i] + total
    measure_core(w, c, record, y1)
    error = error_linear(rates, m, w, c, record, pivots, h, t)
    for stage in range(3):
        for i in range(n):
            total = 0.0
            for j in range(d):
                total += follow[i * d + j] * p[stage * n + j]
            z[stage * n + i] += total
    for i in range(n):
        p[2 * n + i] = (B31 * z[i] + B32 * z[n + i] + B33 * z[2 * n + i]) / h
    if not size_of(n, y1) < inf:
        return inf
    return error


@core_step.kernel
def size_of(n: Int, x: Floats) -> Float:
    """The largest; infinite where one is no number."""
    largest = 0.0
    for i in range(n):
        if not abs(x[i]) < inf:
            return inf
        largest = max(largest, abs(x[i]))
    return largest


@core_step.kernel
def error_linear(
    rates: Function, m: Floats, w: Floats, c: Ints, record: Floats, pivots: Ints, h: Float, t: Float
) -> Float:
    """The embedded estimate, (8.19) of section IV.8, of the states; and how far unknowns that follow
    the sources leave the polynomial in the middle of the step: a mode without states has no other
    measure of how fast its sources move.

    Z holds the stages without the states' changes, P those changes.
    """
    n = c[N]
    square = n * n
    d = int(record[STATES])
    y = w[HEAD + Y * n :]
    y1 = w[HEAD + Y1 * n :]
    z = w[HEAD + Z * n :]
    p = w[HEAD + P * n :]
    error = w[HEAD + ERR * n :]
    trial = w[HEAD + TRIAL * n :]
    g = w[HEAD + V1 * n :]
    follow = record[RECORD_HEAD + V_AT * square :]
    weights = record[RECORD_HEAD + MATRICES * square + WEIGHTS * n :]
    if linear_rates_at(rates, m, w, c, record, t + 0.4 * h, y, trial, g) != 0:
        return inf
    off = 0.0
    for i in range(n):
        z1 = z[i]
        z2 = z[n + i]
        z3 = z[2 * n + i]
        q1 = P11 * z1 + P12 * z2 + P13 * z3
        q2 = P21 * z1 + P22 * z2 + P23 * z3
        q3 = P31 * z1 + P32 * z2 + P33 * z3
        apart = abs(trial[i] - 0.4 * (q1 + 0.4 * (q2 + 0.4 * q3)))
        size = max(w[HEAD + SIZE * n + i], w[HEAD + FLOOR * n + i], abs(y[i]))
        if apart > FOLLOWED * off * max(size, abs(y[i] + trial[i]), 1e-300):
            off = apart / (FOLLOWED * max(size, abs(y[i] + trial[i]), 1e-300))
    if d == 0:
        return off
    if linear_rates_at(rates, m, w, c, record, t, y, trial, error) != 0:
        return inf
    for i in range(d):
        error[i] += (E1 * p[i] + E2 * p[n + i] + E3 * p[2 * n + i]) / h
    lu_solve(d, record[RECORD_HEAD + LU_AT * square :], pivots, error)
    total = 0.0
    count = 0
    for i in range(n):
        if weights[i] > 0.0:
            part = 0.0
            for j in range(d):
                part += follow[i * d + j] * error[j]
            part /= tolerance_of(w, n, i, max(abs(y[i]), abs(y1[i])))
            total += part * part
            count += 1
    return max(off, sqrt(total / float(max(count, 1))))


@core_step.kernel
def attempt_core(
    rates: Function,
    jacobians: Function,
    m: Floats,
    w: Floats,
    c: Ints,
    record: Floats,
    pivots: Ints,
    h: Float,
    t: Float,
) -> Float:
    """A step from (t, y) into y1; the error in units of the tolerance, infinite where it fails."""
    n = c[N]
    y = w[HEAD + Y * n :]
    z = w[HEAD + Z * n :]
    slope = w[HEAD + SLOPE * n :]
    if record[IS_LINEAR] > 0.0:
        return attempt_linear(rates, m, w, c, record, pivots, h, t)
    if jacobians(m, t, y, slope, record[RECORD_HEAD:]) != 0:
        return inf
    record[H_FACTORED] = 0.0
    if factor_core(c, record, pivots, h) != 0:
        return inf
    for i in range(3 * n):
        z[i] = 0.0
    done = 0
    before = inf
    for iteration in range(MOST_NEWTON):
        if stage_residuals(rates, m, w, c, t, h) != 0:
            return inf
        size = stage_change(w, c, record, pivots)
        if not size < inf:
            return inf
        if size < max(1e-4, 1e-13 / w[RTOL]):
            done = 1
            break
        if iteration > 2 and size > 2.0 * before:
            return inf
        before = size
    if done == 0:
        return inf
    return error_core(rates, m, w, c, record, pivots, h, t)


@core_step.kernel
def error_core(
    rates: Function,
    m: Floats,
    w: Floats,
    c: Ints,
    record: Floats,
    pivots: Ints,
    h: Float,
    t: Float,
) -> Float:
    """Embedded estimate, (8.19) of section IV.8, of the differential part."""
    if record[HAS_STATES] == 0.0:
        return 0.0
    n = c[N]
    square = n * n
    y = w[HEAD + Y * n :]
    y1 = w[HEAD + Y1 * n :]
    z = w[HEAD + Z * n :]
    ys = w[HEAD + YS * n :]
    error = w[HEAD + ERR * n :]
    trial = w[HEAD + TRIAL * n :]
    e = record[RECORD_HEAD + E_AT * square :]
    project = record[RECORD_HEAD + ERROR_AT * square :]
    weights = record[RECORD_HEAD + MATRICES * square + WEIGHTS * n :]
    for i in range(n):
        ys[i] = y[i]
        ys[n + i] = 0.0
        trial[i] = (E1 * z[i] + E2 * z[n + i] + E3 * z[2 * n + i]) / h
    if rates(m, t, 0, ys, error) != 0:
        return inf
    for i in range(n):
        total = -error[i]
        for j in range(n):
            total += e[i * n + j] * trial[j]
        error[i] = total
    solve_core(n, record, pivots, error)
    total = 0.0
    count = 0
    for i in range(n):
        if weights[i] > 0.0:
            part = 0.0
            for j in range(n):
                part += project[i * n + j] * error[j]
            part /= tolerance_of(w, n, i, max(abs(y[i]), abs(y1[i])))
            total += part * part
            count += 1
    return sqrt(total / float(max(count, 1)))


@core_step.kernel
def inside_core(w: Floats, c: Ints, theta: Float, out: Floats) -> None:
    """The collocation polynomial of the last attempt at t + theta h."""
    n = c[N]
    y = w[HEAD + Y * n :]
    z = w[HEAD + Z * n :]
    for i in range(n):
        z1 = z[i]
        z2 = z[n + i]
        z3 = z[2 * n + i]
        q1 = P11 * z1 + P12 * z2 + P13 * z3
        q2 = P21 * z1 + P22 * z2 + P23 * z3
        q3 = P31 * z1 + P32 * z2 + P33 * z3
        out[i] = y[i] + theta * (q1 + theta * (q2 + theta * q3))


@core_step.kernel
def consistent_linear(
    rates: Function, m: Floats, w: Floats, c: Ints, record: Floats, t: Float, x: Floats
) -> Float:
    """As `consistent_core`, by one application of the operator. Something can be left only where
    rows depend on each other."""
    n = c[N]
    square = n * n
    wide = (int(record[LEVELS]) + 1) * n
    ys = w[HEAD + YS * n :]
    r = w[HEAD + R * n :]
    slope = w[HEAD + SLOPE * n :]
    k = record[RECORD_HEAD + K_AT * square :]
    rows = record[RECORD_HEAD + MATRICES * square + LEVEL_SCALE * n :]
    part_of = record[RECORD_HEAD + MATRICES * square + ROW_PART * n :]
    parts = w[HEAD + PARTS * n :]
    for i in range(n):
        ys[i] = x[i]
        ys[n + i] = 0.0
        ys[2 * n + i] = 0.0
        ys[3 * n + i] = 0.0
    for order in range(int(record[LEVELS]) + 1):
        if rates(m, t, order, ys, r[order * n :]) != 0:
            return inf
    for i in range(n):
        total = 0.0
        rate = 0.0
        for j in range(wide):
            total -= k[3 * n * i + j] * r[j]
            rate -= k[3 * n * (n + i) + j] * r[j]
        if not abs(total) < inf:
            return inf
        x[i] += total
        slope[i] = rate
    for i in range(wide):
        part = int(part_of[i % n])
        parts[part] = max(parts[part], abs(r[i]) * rows[i])
    left = 0.0
    if record[TIED] > 0.0:
        for i in range(n):
            ys[i] = x[i]
            ys[n + i] = slope[i]
        if rates(m, t, 0, ys, r) != 0:
            return inf
        for i in range(n):
            if r[i] != 0.0:
                left = max(left, abs(r[i]) * rows[i] / parts[int(part_of[i])])
    if record[IS_SINGULAR] > 0.0:
        choose_open(m, w, c, record, x)
    return left


@core_step.kernel
def consistent_core(
    rates: Function, m: Floats, w: Floats, c: Ints, record: Floats, t: Float, x: Floats
) -> Float:
    """Move x, in the directions that may jump only, to where F and its time derivatives vanish.

    What the pencil conserves (flux, charge, momentum) stays. The mode's record holds the solution
    operator K of the linearised derivative array: a linear mode needs one application, the second
    shows the residual. Gives what is left, beside the sizes in its part of the mode and what there
    was to begin with; SLOPE becomes y'.
    """
    if record[IS_LINEAR] > 0.0:
        return consistent_linear(rates, m, w, c, record, t, x)
    n = c[N]
    square = n * n
    levels = int(record[LEVELS])
    ys = w[HEAD + YS * n :]
    r = w[HEAD + R * n :]
    dys = w[HEAD + DYS * n :]
    slope = w[HEAD + SLOPE * n :]
    k = record[RECORD_HEAD + K_AT * square :]
    rows = record[RECORD_HEAD + MATRICES * square + LEVEL_SCALE * n :]
    part_of = record[RECORD_HEAD + MATRICES * square + ROW_PART * n :]
    parts = w[HEAD + PARTS * n :]
    for i in range(n):
        ys[i] = x[i]
        ys[n + i] = 0.0
        ys[2 * n + i] = 0.0
        ys[3 * n + i] = 0.0
    wide = 3 * n
    left = 0.0
    best = inf
    for iteration in range(MOST_CHORD):
        for order in range(levels + 1):
            if rates(m, t, order, ys, r[order * n :]) != 0:
                return inf
        left = 0.0
        for i in range((levels + 1) * n):
            size = abs(r[i]) * rows[i]
            part = int(part_of[i % n])
            if not size < inf:
                return inf
            if iteration == 0:
                parts[part] = max(parts[part], size)
            if size > 0.0:
                left = max(left, size / parts[part])
        if iteration > 1 and (left < 1e-15 or (iteration > 6 and left > 0.5 * best)):
            break
        if iteration > 2:  # lower levels settle before the higher ones: it may grow at first
            best = min(best, left)
        for i in range((levels + 2) * n):
            total = 0.0
            for j in range((levels + 1) * n):
                total -= k[i * wide + j] * r[j]
            dys[i] = total
        for i in range((levels + 2) * n):
            ys[i] += dys[i]
    for i in range(n):
        x[i] = ys[i]
    if record[IS_SINGULAR] > 0.0:
        choose_open(m, w, c, record, x)
    for i in range(n):
        slope[i] = ys[n + i]
    return left


@core_step.kernel
def next_size(error: Float, h: Float, h_max: Float) -> Float:
    """A size a little larger than the last is not worth new factors."""
    if not error < inf:
        return 0.25 * h
    factor = 8.0 if error == 0.0 else min(8.0, max(0.2, 0.9 * pow(error, -0.25)))
    wanted = min(h * factor, h_max)
    if error <= 1.0 and wanted > h and wanted < 1.2 * h:
        return h
    return wanted
