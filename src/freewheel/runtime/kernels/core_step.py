"""One step of the implicit core by Radau IIA of order 5 in descriptor form; values made consistent.

The stage increments Z solve F((A^-1 Z)_i / h, y + Z_i, t + c_i h) = 0. In the basis of A's
eigenvectors Newton's matrix falls into mu/h E + A, one real and one complex, with E = dF/dy' and
A = dF/dy (Hairer, Wanner II, sections IV.8 and VI.1). The error counts where states live only: it is
projected onto the consistent values of the mode along the directions that may jump. Linear modes take
the way of `core_linear`.

    rates(m, t, order, ys, out)     out = d^order F / dt^order along ys = (y, y', y'', ...)
    jacobians(m, t, y, slope, out)  out = dF/dy, then dF/dy', by rows
"""

from __future__ import annotations

from math import inf, pow, sqrt

from freewheel.machine.addresses import floats_at
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Function, Int, Ints
from freewheel.runtime.kernels.core_linear import (
    attempt_linear,
    consistent_linear,
    core_linear,
)
from freewheel.runtime.kernels.core_open import choose_open
from freewheel.runtime.kernels.core_places import (
    A_AT,
    ARE_GOOD,
    ATOL_AT,
    COLUMN,
    CORNER_FLOOR,
    DYS,
    E_AT,
    ELEMENTS,
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
    MATRICES,
    PARTS,
    RECORD_HEAD,
    REST,
    ROW_PART,
    ROWS_COMPLEX,
    ROWS_REAL,
    RTOL,
    SEEN_AT,
    SLOPE,
    TABLES,
    TAU,
    TRIAL,
    UNKNOWN,
    V1,
    WEIGHTS,
    Y1,
    YS,
    N,
    P,
    R,
    Y,
    Z,
)
from freewheel.runtime.kernels.core_sizes import begin_parts, measure_core
from freewheel.runtime.kernels.core_tableau import (
    B11,
    B12,
    B13,
    B21,
    B22,
    B23,
    B31,
    B32,
    B33,
    C1,
    C2,
    E1,
    E2,
    E3,
    MU,
    MU_I,
    MU_R,
    P11,
    P12,
    P13,
    P21,
    P22,
    P23,
    P31,
    P32,
    P33,
    T1,
    T2,
    T3,
    TI1,
    TI2,
    TI3,
    TR1,
    TR2,
    TR3,
    X1,
    X2,
    X3,
    ZI1,
    ZI2,
    ZI3,
    ZR1,
    ZR2,
    ZR3,
)
from freewheel.runtime.kernels.dense_lu import (
    lu_factor,
    lu_factor_complex,
    lu_solve,
    lu_solve_complex,
)

core_step = KernelModule("core_step", core_linear)

MOST_NEWTON = 12
FEW = 4
AT_REST = 0.01  # of the tolerance: an iteration that gets no further is done
MOST_CHORD = 40
ROUNDED = 2e-15  # of the terms of an equation
DIGITS = 1e-7  # of the least that counts beside others: an unknown this small is rounding of theirs


@core_step.kernel
def tolerance_here(w: Floats, n: Int, i: Int, size: Float) -> Float:
    """As `tolerance_of` in linear modes, but neighbours have no say: where a curve is horizontal, its
    column tells nothing of what is large."""
    least = w[RTOL] * max(w[HEAD + EVER * n + i], w[HEAD + CORNER_FLOOR * n + i])
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
    gauge = floats_at(int(record[GAUGE_AT]))
    lu = floats_at(int(record[LU_AT]))
    lu_r = floats_at(int(record[LUR_AT]))
    lu_i = floats_at(int(record[LUI_AT]))
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
    lu_solve(n, floats_at(int(record[LU_AT])), pivots, b)


@core_step.kernel
def stage_slopes(w: Floats, c: Ints, h: Float) -> None:
    """P from Z."""
    n = c[N]
    z = w[HEAD + Z * n :]
    p = w[HEAD + P * n :]
    for i in range(n):
        z1 = z[i]
        z2 = z[n + i]
        z3 = z[2 * n + i]
        p[i] = (B11 * z1 + B12 * z2 + B13 * z3) / h
        p[n + i] = (B21 * z1 + B22 * z2 + B23 * z3) / h
        p[2 * n + i] = (B31 * z1 + B32 * z2 + B33 * z3) / h


@core_step.kernel
def stage_residuals(rates: Function, m: Floats, w: Floats, c: Ints, t: Float, h: Float) -> Int:
    n = c[N]
    y = w[HEAD + Y * n :]
    z = w[HEAD + Z * n :]
    r = w[HEAD + R * n :]
    p = w[HEAD + P * n :]
    ys = w[HEAD + YS * n :]
    stage_slopes(w, c, h)
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
    lu_r = floats_at(int(record[LUR_AT]))
    lu_i = floats_at(int(record[LUI_AT]))
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
    for i in range(n):
        allowed = tolerance_here(w, n, i, max(abs(y[i]), abs(y1[i])))
        allowed = max(allowed, min(w[RTOL], DIGITS) * w[HEAD + FLOOR * n + i])
        size = max(size, r[i] / allowed)
    if record[INDEX] < 2.0:
        # algebraic unknowns too: guards are among them, and they may bend where states do not
        w[REST] = 0.0
        return size
    # of higher index only the dynamic part converges to the last digit; the rest is made consistent
    w[REST] = size
    size = 0.0
    project = floats_at(int(record[ERROR_AT]))
    for i in range(n):
        part = 0.0
        for j in range(n):
            part += project[i * n + j] * d[j]
        if weights[i] > 0.0:
            reached = max(abs(y[i]), abs(y1[i]))
            size = max(size, abs(part) / tolerance_here(w, n, i, reached))
    return size


@core_step.kernel
def are_rounded(w: Floats, c: Ints, record: Floats) -> Int:
    """1: the residuals of all stages are rounding of the terms of their rows. Where a curve is horizontal
    this is much of the unknown that follows it."""
    n = c[N]
    a = record[RECORD_HEAD + A_AT * n * n :]
    e = record[RECORD_HEAD + E_AT * n * n :]
    for stage in range(3):
        for i in range(n):
            terms = 0.0
            for j in range(n):
                value = w[HEAD + Y * n + j] + w[HEAD + (Z + stage) * n + j]
                terms += abs(a[i * n + j] * value)
                terms += abs(e[i * n + j] * w[HEAD + (P + stage) * n + j])
            if not abs(w[HEAD + (R + stage) * n + i]) <= ROUNDED * terms:
                return 0
    return 1


@core_step.kernel
def newton_core(
    rates: Function, m: Floats, w: Floats, c: Ints, record: Floats, pivots: Ints, h: Float, t: Float
) -> Int:
    """Solve for the stages; the number of iterations, 0: they do not converge. Few of them mean that
    the factors will do for another step. States that are at rest may only wait for what they follow:
    the rest must have come as near as it does. (A product of voltage and current whose factors both
    begin at zero has no slope there.)"""
    n = c[N]
    z = w[HEAD + Z * n :]
    for i in range(3 * n):
        z[i] = 0.0
    # What an attempt that failed went through was never reached, and makes nothing else small.
    begin_parts(w, c, record)
    rounding = 1e-13 / w[RTOL]
    before = inf
    rest_before = inf
    is_stagnant = 0
    for iteration in range(MOST_NEWTON):
        if stage_residuals(rates, m, w, c, t, h) != 0:
            return 0
        if is_stagnant == 1 and are_rounded(w, c, record) == 1:
            record[ARE_GOOD] = 0.0
            return iteration
        size = stage_change(w, c, record, pivots)
        if not size < inf:
            return 0
        is_followed = w[REST] < AT_REST or w[REST] > 0.5 * rest_before
        if iteration + 1 == MOST_NEWTON:
            is_followed = True  # it was given time enough
        rest_before = w[REST]
        # A first change that is small says that the step is short, not that its slopes are known.
        is_small = size < (rounding if iteration == 0 else max(1e-4, rounding))
        if is_small and is_followed:
            record[ARE_GOOD] = 1.0 if iteration < FEW else 0.0
            stage_slopes(w, c, h)
            return iteration + 1
        if iteration > 1 and size < max(AT_REST, 100.0 * rounding) and size > 0.5 * before:
            record[ARE_GOOD] = 0.0  # rounding keeps unknowns moving that are nothing but rounding
            stage_slopes(w, c, h)
            return iteration + 1
        if iteration > 2 and size > 2.0 * before:
            return 0
        is_stagnant = 1 if size > 0.5 * before else 0
        before = size
    return 0


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
    is_judged: Int,
) -> Float:
    """A step from (t, y) into y1; the error in units of the tolerance, infinite where it fails; zero
    where it `is_judged` not."""
    n = c[N]
    y = w[HEAD + Y * n :]
    slope = w[HEAD + SLOPE * n :]
    if record[IS_LINEAR] > 0.0:
        return attempt_linear(rates, m, w, c, record, pivots, h, t, is_judged)
    if record[H_FACTORED] == h and record[ARE_GOOD] > 0.0:
        taken = newton_core(rates, m, w, c, record, pivots, h, t)
        if taken > 0 and is_judged == 0:
            return 0.0
        if taken > 0:
            return error_core(rates, m, w, c, record, pivots, h, t)
    if jacobians(m, t, y, slope, record[RECORD_HEAD:]) != 0:
        return inf
    record[H_FACTORED] = 0.0
    if factor_core(c, record, pivots, h) != 0:
        return inf
    if newton_core(rates, m, w, c, record, pivots, h, t) == 0:
        return inf
    if is_judged == 0:
        return 0.0
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
    project = floats_at(int(record[ERROR_AT]))
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
            part /= tolerance_here(w, n, i, max(abs(y[i]), abs(y1[i])))
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
def inside_elements(w: Floats, c: Ints, theta: Float, out: Floats) -> None:
    """As `inside_core`, for the unknowns of elements only."""
    n = c[N]
    k = c[ELEMENTS]
    y = w[HEAD + Y * n :]
    z = w[HEAD + Z * n :]
    for e in range(k):
        i = c[TABLES + UNKNOWN * k + e]
        z1 = z[i]
        z2 = z[n + i]
        z3 = z[2 * n + i]
        q1 = P11 * z1 + P12 * z2 + P13 * z3
        q2 = P21 * z1 + P22 * z2 + P23 * z3
        q3 = P31 * z1 + P32 * z2 + P33 * z3
        out[i] = y[i] + theta * (q1 + theta * (q2 + theta * q3))


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
    k = floats_at(int(record[K_AT]))
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
            if iteration < 2:  # what only listens has nothing to say before the rest is found
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
def moved_core(c: Ints, record: Floats) -> Float:
    """How far the matrices of the record are from those that were analysed; entries are at most one."""
    n = c[N]
    square = n * n
    now = record[RECORD_HEAD:]
    seen = floats_at(int(record[SEEN_AT]))
    rows = record[RECORD_HEAD + MATRICES * square + LEVEL_SCALE * n :]
    column = record[RECORD_HEAD + MATRICES * square + COLUMN * n :]
    largest = 0.0
    for i in range(n):
        for j in range(n):
            k = i * n + j
            apart = abs(now[k] - seen[k]) + abs(now[square + k] - seen[square + k]) / record[TAU]
            largest = max(largest, apart * rows[i] * column[j])
    return largest


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
