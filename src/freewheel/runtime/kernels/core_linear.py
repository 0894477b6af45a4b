"""Linear modes of the implicit core: the states alone are integrated, all other unknowns follow.

With the matrices of a mode constant, whatever its index, its states x obey x' = M x + g(t), and y is
their sum with what the residuals of F and its time derivatives at any y of the same states demand. The
analysis of the mode has the operators: one from residuals to changes of y, one to rates of states.
Most residuals are zero but for rounding and cost nothing.
"""

from __future__ import annotations

from math import inf, sqrt

from freewheel.machine.addresses import floats_at
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Function, Int, Ints
from freewheel.runtime.kernels.core_open import choose_open, core_open
from freewheel.runtime.kernels.core_places import (
    ATOL_AT,
    DYS,
    ERR,
    EVER,
    FACTORED,
    FLOOR,
    H_FACTORED,
    HEAD,
    IS_GRADED,
    IS_SINGULAR,
    LEVEL_SCALE,
    LEVELS,
    LU_AT,
    LUI_AT,
    LUR_AT,
    M_AT,
    MATRICES,
    PARTS,
    RECORD_HEAD,
    ROUGH,
    ROW_PART,
    ROW_SIZE,
    RTOL,
    SIZE,
    SLOPE,
    STATES,
    TICK,
    TIED,
    TIMELESS,
    TO_SLOPE_AT,
    TO_STATES_AT,
    TO_Y_AT,
    TRIAL,
    V1,
    V_AT,
    WEIGHTS,
    Y1,
    YS,
    N,
    P,
    R,
    Y,
    Z,
)
from freewheel.runtime.kernels.core_sizes import measure_core
from freewheel.runtime.kernels.core_tableau import (
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
    dense_lu,
    lu_factor,
    lu_factor_complex,
    lu_solve,
    lu_solve_complex,
)

core_linear = KernelModule("core_linear", dense_lu, core_open)

FOLLOWED = 1e-3  # of its size: how well the polynomial of a step must follow an unknown
BETWEEN = 10.0  # times the tolerance: what is stored between steps
NOTHING = 1e-14  # of their sizes: states this little off are not off
ULP = 4e-16
NOISE = 1e-8  # of ROUGH: more than rounding
NOISY = 4.0  # times what rounding does: more is not rounding
MIDDLE = 0.4  # of the step, away from the nodes
ROUNDING = 1e-15  # of the sizes in its part: a residual this small is none


@core_linear.kernel
def tolerance_of(w: Floats, n: Int, i: Int, size: Float) -> Float:
    """Of unknown i where it is as large as `size`. The absolute part never exceeds what the relative
    one would be for the largest value seen: micro-amperes are as exact as kilovolts."""
    least = w[RTOL] * max(w[HEAD + EVER * n + i], w[HEAD + FLOOR * n + i])
    return w[RTOL] * size + min(w[HEAD + ATOL_AT * n + i], least) + 1e-300


@core_linear.kernel
def factor_states(c: Ints, record: Floats, pivots: Ints, h: Float) -> Int:
    """Factors of mu/h - M for the states of a linear mode, kept until the step size changes."""
    if record[H_FACTORED] == h:
        return 0
    d = int(record[STATES])
    motion = floats_at(int(record[M_AT]))
    lu = floats_at(int(record[LU_AT]))
    lu_r = floats_at(int(record[LUR_AT]))
    lu_i = floats_at(int(record[LUI_AT]))
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


@core_linear.kernel
def add_scaled(n: Int, factor: Float, x: Floats, y: Floats) -> None:
    for i in range(n):
        y[i] += factor * x[i]


@core_linear.kernel
def residuals_of(
    rates: Function, m: Floats, w: Floats, c: Ints, record: Floats, t: Float, x: Floats
) -> Int:
    """R becomes F and its time derivatives for y = x, with all derivatives of y zero."""
    n = c[N]
    ys = w[HEAD + YS * n :]
    r = w[HEAD + R * n :]
    for i in range(n):
        ys[i] = x[i]
        ys[n + i] = 0.0
        ys[2 * n + i] = 0.0
        ys[3 * n + i] = 0.0
    for order in range(int(record[LEVELS]) + 1):
        if rates(m, t, order, ys, r[order * n :]) != 0:
            return 1
    return 0


@core_linear.kernel
def counts(w: Floats, n: Int, record: Floats, j: Int, row: Int) -> Int:
    """1: residual j, of a row or its time derivatives, is more than rounding."""
    vectors = record[RECORD_HEAD + MATRICES * n * n :]
    size = abs(w[HEAD + R * n + j])
    if record[IS_GRADED] > 0.0 and j < n and not size <= ROUNDING * w[HEAD + ROW_SIZE * n + j]:
        return 1
    size *= vectors[LEVEL_SCALE * n + j]
    part = int(vectors[ROW_PART * n + row])
    return 1 if not size <= ROUNDING * w[HEAD + PARTS * n + part] else 0


@core_linear.kernel
def linear_rates_at(
    rates: Function, m: Floats, w: Floats, c: Ints, record: Floats, t: Float, x: Floats, z: Floats,
    g: Floats,
) -> Int:  # fmt: skip
    """At time t, with the states of x: z = (consistent y) - x, g = rates of the states."""
    n = c[N]
    d = int(record[STATES])
    r = w[HEAD + R * n :]
    to_y = floats_at(int(record[TO_Y_AT]))
    to_states = floats_at(int(record[TO_STATES_AT]))
    if residuals_of(rates, m, w, c, record, t, x) != 0:
        return 1
    for i in range(n):
        z[i] = 0.0
    for i in range(d):
        g[i] = 0.0
    for level in range(int(record[LEVELS]) + 1):
        for i in range(n):
            j = level * n + i
            if counts(w, n, record, j, i) == 1:
                add_scaled(n, -r[j], to_y[j * n :], z)
                add_scaled(d, -r[j], to_states[j * d :], g)
    return 0


@core_linear.kernel
def tick(
    rates: Function, m: Floats, w: Floats, c: Ints, record: Floats, t: Float, x: Floats
) -> None:
    """TICK: how much of each unknown is rounding of the time, x being consistent. A source that is
    joined to a storage by a leak of 1e-10 makes microamperes of it."""
    n = c[N]
    noise = w[HEAD + TICK * n :]
    for i in range(n):
        noise[i] = 0.0
    if record[IS_GRADED] == 0.0:
        return
    later = t + ULP * abs(t)
    if linear_rates_at(rates, m, w, c, record, later, x, noise, w[HEAD + ERR * n :]) != 0:
        return
    for i in range(n):
        noise[i] = abs(noise[i])


@core_linear.kernel
def solve_stages(c: Ints, record: Floats, pivots: Ints, w: Floats) -> None:
    """P: rates at the stages without changes of the states become those changes."""
    n = c[N]
    d = int(record[STATES])
    p = w[HEAD + P * n :]
    a = w[HEAD + V1 * n :]
    a_r = w[HEAD + (V1 + 1) * n :]
    a_i = w[HEAD + (V1 + 2) * n :]
    for i in range(d):
        g1 = p[i]
        g2 = p[n + i]
        g3 = p[2 * n + i]
        a[i] = T1 * g1 + T2 * g2 + T3 * g3
        a_r[i] = TR1 * g1 + TR2 * g2 + TR3 * g3
        a_i[i] = TI1 * g1 + TI2 * g2 + TI3 * g3
    lu_solve(d, floats_at(int(record[LU_AT])), pivots, a)
    lu_r = floats_at(int(record[LUR_AT]))
    lu_i = floats_at(int(record[LUI_AT]))
    lu_solve_complex(d, lu_r, lu_i, pivots[n:], a_r, a_i)
    for i in range(d):
        p[i] = X1 * a[i] + ZR1 * a_r[i] - ZI1 * a_i[i]
        p[n + i] = X2 * a[i] + ZR2 * a_r[i] - ZI2 * a_i[i]
        p[2 * n + i] = X3 * a[i] + ZR3 * a_r[i] - ZI3 * a_i[i]


@core_linear.kernel
def stage_rates(
    rates: Function, m: Floats, w: Floats, c: Ints, record: Floats, h: Float, t: Float
) -> Int:
    """Z and P at the three nodes, as if the states stayed; 1: it fails. Where time does not matter they
    are all the same."""
    n = c[N]
    y = w[HEAD + Y * n :]
    z = w[HEAD + Z * n :]
    p = w[HEAD + P * n :]
    nodes = 1 if c[TIMELESS] == 1 else 3
    for stage in range(nodes):
        node = C1 if stage == 0 else (C2 if stage == 1 else 1.0)
        at = t + node * h
        if linear_rates_at(rates, m, w, c, record, at, y, z[stage * n :], p[stage * n :]) != 0:
            return 1
    for stage in range(nodes, 3):
        for i in range(n):
            z[stage * n + i] = z[i]
            p[stage * n + i] = p[i]
    return 0


@core_linear.kernel
def attempt_linear(
    rates: Function, m: Floats, w: Floats, c: Ints, record: Floats, pivots: Ints, h: Float,
    t: Float, is_judged: Int,
) -> Float:  # fmt: skip
    """A step of the states; Y1 is consistent, DYS holds consistent values in the MIDDLE of the step.

    Gives the error in units of the tolerance, infinite where it fails; zero where it `is_judged` not.
    """
    n = c[N]
    d = int(record[STATES])
    y = w[HEAD + Y * n :]
    y1 = w[HEAD + Y1 * n :]
    z = w[HEAD + Z * n :]
    p = w[HEAD + P * n :]
    middle = w[HEAD + DYS * n :]
    still = w[HEAD + ERR * n :]
    follow = floats_at(int(record[V_AT]))
    if factor_states(c, record, pivots, h) != 0:
        return inf
    if stage_rates(rates, m, w, c, record, h, t) != 0:
        return inf
    for i in range(d):
        still[i] = p[i]
    solve_stages(c, record, pivots, w)
    for i in range(n):
        y1[i] = y[i] + z[2 * n + i]
    for j in range(d):
        add_scaled(n, p[2 * n + j], follow[j * n :], y1)
    if not size_of(n, y1) < inf:
        return inf
    measure_core(w, c, record, y1)
    error = 0.0
    if is_judged == 1:
        error = error_linear(rates, m, w, c, record, pivots, h, t)
    for j in range(d):
        z1 = p[j]
        z2 = p[n + j]
        z3 = p[2 * n + j]
        for stage in range(3):
            add_scaled(n, p[stage * n + j], follow[j * n :], z[stage * n :])
        q1 = P11 * z1 + P12 * z2 + P13 * z3
        q2 = P21 * z1 + P22 * z2 + P23 * z3
        q3 = P31 * z1 + P32 * z2 + P33 * z3
        inside = MIDDLE * (q1 + MIDDLE * (q2 + MIDDLE * q3))
        add_scaled(n, inside, follow[j * n :], middle)
    for i in range(n):
        p[2 * n + i] = (B31 * z[i] + B32 * z[n + i] + B33 * z[2 * n + i]) / h
    return error


@core_linear.kernel
def size_of(n: Int, x: Floats) -> Float:
    """The largest; infinite where one is no number."""
    largest = 0.0
    for i in range(n):
        if not abs(x[i]) < inf:
            return inf
        largest = max(largest, abs(x[i]))
    return largest


@core_linear.kernel
def follows(w: Floats, c: Ints) -> Float:
    """How far unknowns that follow the sources leave the polynomial in the MIDDLE of the step, in units
    of what is allowed. A mode without states has no other measure of how fast its sources move.

    Z holds the stages without the changes of the states, DYS the changes in the middle, which become
    the values there.
    """
    n = c[N]
    y = w[HEAD + Y * n :]
    z = w[HEAD + Z * n :]
    middle = w[HEAD + DYS * n :]
    off = 0.0
    for i in range(n):
        z1 = z[i]
        z2 = z[n + i]
        z3 = z[2 * n + i]
        q1 = P11 * z1 + P12 * z2 + P13 * z3
        q2 = P21 * z1 + P22 * z2 + P23 * z3
        q3 = P31 * z1 + P32 * z2 + P33 * z3
        apart = abs(middle[i] - MIDDLE * (q1 + MIDDLE * (q2 + MIDDLE * q3)))
        middle[i] += y[i]
        size = max(w[HEAD + SIZE * n + i], w[HEAD + FLOOR * n + i], abs(y[i]), abs(middle[i]))
        apart -= NOISE * w[HEAD + ROUGH * n + i]
        if apart > 0.0:
            off = max(off, apart / (FOLLOWED * max(size, 1e-300)))
    return off


@core_linear.kernel
def what_is_fast(w: Floats, c: Ints, record: Floats, pivots: Ints, rates: Floats) -> Float:
    """V1 becomes what an error of the rates makes of all unknowns by way of states that are faster than
    the step; how much that is, in units of what is allowed between steps.

    With S = 1/(mu/h - M), S rates is the error of a fast state, and S M S rates the same without the
    slow ones.
    """
    n = c[N]
    d = int(record[STATES])
    change = w[HEAD + V1 * n :]
    moved = w[HEAD + (V1 + 2) * n :]
    motion = floats_at(int(record[M_AT]))
    follow = floats_at(int(record[V_AT]))
    lu_solve(d, floats_at(int(record[LU_AT])), pivots, rates)
    for i in range(d):
        moved[i] = 0.0
        for j in range(d):
            moved[i] += motion[i * d + j] * rates[j]
    lu_solve(d, floats_at(int(record[LU_AT])), pivots, moved)
    for i in range(n):
        change[i] = 0.0
    for j in range(d):
        add_scaled(n, moved[j], follow[j * n :], change)
    off = 0.0
    for i in range(n):
        size = max(w[HEAD + SIZE * n + i], w[HEAD + FLOOR * n + i], 1e-300)
        off = max(off, abs(change[i]) / (BETWEEN * tolerance_of(w, n, i, size)))
    return off


@core_linear.kernel
def stiff_between(
    rates: Function, m: Floats, w: Floats, c: Ints, record: Floats, pivots: Ints, h: Float, t: Float
) -> Float:
    """How far states that are faster than the step, and all that follows from them, are off in the
    MIDDLE of the step, in units of what is allowed.

    ERR holds the rates there without changes of the states. The embedded estimate says nothing of fast
    states: they are right at the end, however long the step. What no step could mend is left alone: the
    rounding of the states, and that of the time, which leaks make large.
    """
    n = c[N]
    d = int(record[STATES])
    p = w[HEAD + P * n :]
    y = w[HEAD + Y * n :]
    amid = w[HEAD + ERR * n :]
    change = w[HEAD + V1 * n :]
    defect = w[HEAD + (V1 + 1) * n :]
    spare = w[HEAD + (DYS + 1) * n :]
    noise = w[HEAD + (DYS + 2) * n :]
    motion = floats_at(int(record[M_AT]))
    weights = record[RECORD_HEAD + MATRICES * n * n + WEIGHTS * n :]
    for j in range(d):
        z1 = p[j]
        z2 = p[n + j]
        z3 = p[2 * n + j]
        q1 = P11 * z1 + P12 * z2 + P13 * z3
        q2 = P21 * z1 + P22 * z2 + P23 * z3
        q3 = P31 * z1 + P32 * z2 + P33 * z3
        change[j] = MIDDLE * (q1 + MIDDLE * (q2 + MIDDLE * q3))
        defect[j] = amid[j] - (q1 + MIDDLE * (2.0 * q2 + MIDDLE * 3.0 * q3)) / h
    for i in range(d):
        for j in range(d):
            defect[i] += motion[i * d + j] * change[j]
    off = what_is_fast(w, c, record, pivots, defect)
    if off <= 1.0:
        return off
    stored = 0.0
    for i in range(n):
        if weights[i] > 0.0:
            size = max(w[HEAD + SIZE * n + i], w[HEAD + FLOOR * n + i], 1e-300)
            stored = max(stored, abs(change[i]) / size)
    if stored <= NOTHING:
        return 0.0
    at = t + MIDDLE * h
    if linear_rates_at(rates, m, w, c, record, at + 2e-15 * (abs(at) + h), y, spare, noise) != 0:
        return inf
    for j in range(d):
        noise[j] -= amid[j]
    return off if off > NOISY * what_is_fast(w, c, record, pivots, noise) else 0.0


@core_linear.kernel
def error_linear(
    rates: Function, m: Floats, w: Floats, c: Ints, record: Floats, pivots: Ints, h: Float, t: Float
) -> Float:
    """The embedded estimate, (8.19) of section IV.8, of the states; and whether the rest follows. ERR
    holds the rates where the step begins, if time does not matter."""
    n = c[N]
    d = int(record[STATES])
    y = w[HEAD + Y * n :]
    y1 = w[HEAD + Y1 * n :]
    p = w[HEAD + P * n :]
    error = w[HEAD + ERR * n :]
    trial = w[HEAD + TRIAL * n :]
    middle = w[HEAD + DYS * n :]
    follow = floats_at(int(record[V_AT]))
    weights = record[RECORD_HEAD + MATRICES * n * n + WEIGHTS * n :]
    if c[TIMELESS] == 1:
        for i in range(n):
            middle[i] = w[HEAD + Z * n + i]
    elif linear_rates_at(rates, m, w, c, record, t + MIDDLE * h, y, middle, error) != 0:
        return inf
    off = follows(w, c)
    if d == 0:
        return off
    off = max(off, stiff_between(rates, m, w, c, record, pivots, h, t))
    if c[TIMELESS] == 0 and linear_rates_at(rates, m, w, c, record, t, y, trial, error) != 0:
        return inf
    for i in range(d):
        error[i] += (E1 * p[i] + E2 * p[n + i] + E3 * p[2 * n + i]) / h
    lu_solve(d, floats_at(int(record[LU_AT])), pivots, error)
    for i in range(n):
        trial[i] = 0.0
    for j in range(d):
        add_scaled(n, error[j], follow[j * n :], trial)
    total = 0.0
    count = 0
    for i in range(n):
        if weights[i] > 0.0:
            part = trial[i] / tolerance_of(w, n, i, max(abs(y[i]), abs(y1[i])))
            total += part * part
            count += 1
    return max(off, sqrt(total / float(max(count, 1))))


@core_linear.kernel
def consistent_linear(
    rates: Function, m: Floats, w: Floats, c: Ints, record: Floats, t: Float, x: Floats
) -> Float:
    """Move x to consistent values of the same states; SLOPE becomes y'. Gives what is left of the
    residuals, which is something only where rows depend on each other."""
    n = c[N]
    ys = w[HEAD + YS * n :]
    r = w[HEAD + R * n :]
    slope = w[HEAD + SLOPE * n :]
    to_y = floats_at(int(record[TO_Y_AT]))
    to_slope = floats_at(int(record[TO_SLOPE_AT]))
    rows = record[RECORD_HEAD + MATRICES * n * n + LEVEL_SCALE * n :]
    part_of = record[RECORD_HEAD + MATRICES * n * n + ROW_PART * n :]
    parts = w[HEAD + PARTS * n :]
    if residuals_of(rates, m, w, c, record, t, x) != 0:
        return inf
    for i in range(n):
        slope[i] = 0.0
    levels = int(record[LEVELS]) + 1
    for level in range(levels):
        for i in range(n):
            j = level * n + i
            if counts(w, n, record, j, i) == 1:
                add_scaled(n, -r[j], to_y[j * n :], x)
                add_scaled(n, -r[j], to_slope[j * n :], slope)
    for level in range(levels):
        for i in range(n):
            part = int(part_of[i])
            parts[part] = max(parts[part], abs(r[level * n + i]) * rows[level * n + i])
    if not size_of(n, x) < inf:
        return inf
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
