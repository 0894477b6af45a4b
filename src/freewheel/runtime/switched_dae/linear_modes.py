"""Linear modes of the implicit core: the states alone are integrated, all other unknowns follow.

With the matrices of a mode constant, whatever its index, its states x obey x' = M x + g(t), and y is
their sum with what the residuals of F and its time derivatives at any y of the same states demand. The
analysis of the mode has the operators: one from residuals to changes of y, one to rates of states.
Most residuals are zero but for rounding and cost nothing.
"""

from __future__ import annotations

from math import inf, sqrt

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.linear.dense_lu import (
    dense_lu,
    lu_factor,
    lu_factor_complex,
    lu_solve,
    lu_solve_complex,
)
from freewheel.runtime.switched_dae import radau_tableau as radau
from freewheel.runtime.switched_dae.memory import Core, Mode
from freewheel.runtime.switched_dae.radau_tableau import collocation, increment
from freewheel.runtime.switched_dae.scaling import measure_core
from freewheel.runtime.switched_dae.thresholds import CORE_STEPS
from freewheel.runtime.switched_dae.undetermined import choose_open, core_open
from freewheel.runtime.thresholds import TINIEST

core_linear = KernelModule("core_linear", collocation, dense_lu, core_open)


@core_linear.kernel
def tolerance_of(core: Core, i: Int, size: Float) -> Float:
    """Of unknown i where it is as large as `size`. The absolute part never exceeds what the relative
    one would be for the largest value seen: micro-amperes are as exact as kilovolts."""
    least = core.rtol * max(core.ever[i], core.floor[i])
    return core.rtol * size + min(core.atol[i], least) + TINIEST


@core_linear.kernel
def factor_states(core: Core, mode: Mode, h: Float) -> Int:
    """Factors of mu/h - M for the states of a linear mode, kept until the step size changes."""
    if mode.h_factored == h:
        return 0
    d = mode.states
    motion = mode.motion
    lu = mode.lu
    lu_r = mode.lu_real
    lu_i = mode.lu_imaginary
    for k in range(d * d):
        lu[k] = -motion[k]
        lu_r[k] = -motion[k]
        lu_i[k] = 0.0
    for i in range(d):
        lu[i * d + i] += radau.MU / h
        lu_r[i * d + i] += radau.MU_R / h
        lu_i[i * d + i] += radau.MU_I / h
    core.factor_count += 1
    mode.h_factored = 0.0
    if lu_factor(d, lu, mode.pivots) != 0:
        return 1
    if lu_factor_complex(d, lu_r, lu_i, mode.pivots[core.n :]) != 0:
        return 1
    mode.h_factored = h
    return 0


@core_linear.kernel
def add_scaled(n: Int, factor: Float, x: Floats, y: Floats) -> None:
    for i in range(n):
        y[i] += factor * x[i]


@core_linear.kernel
def residuals_of(core: Core, mode: Mode, m: Floats, t: Float, x: Floats) -> Int:
    """`r` becomes F and its time derivatives for y = x, with all derivatives of y zero."""
    n = core.n
    ys = core.ys
    r = core.r
    for i in range(n):
        ys[i] = x[i]
        ys[n + i] = 0.0
        ys[2 * n + i] = 0.0
        ys[3 * n + i] = 0.0
    for order in range(mode.levels + 1):
        if core.rates(m, t, order, ys, r[order * n :]) != 0:
            return 1
    return 0


@core_linear.kernel
def counts(core: Core, mode: Mode, n: Int, j: Int, row: Int) -> Int:
    """1: residual j, of a row or its time derivatives, is more than rounding."""
    size = abs(core.r[j])
    if mode.is_graded == 1 and j < n and not size <= CORE_STEPS.round_off * core.row_size[j]:
        return 1
    size *= mode.level_scale[j]
    part = mode.row_part[row]
    return 1 if not size <= CORE_STEPS.round_off * core.parts[part] else 0


@core_linear.kernel
def linear_rates_at(
    core: Core, mode: Mode, m: Floats, t: Float, x: Floats, z: Floats, g: Floats
) -> Int:
    """At time t, with the states of x: z = (consistent y) - x, g = rates of the states."""
    n = core.n
    d = mode.states
    r = core.r
    to_y = mode.to_y
    to_states = mode.to_states
    if residuals_of(core, mode, m, t, x) != 0:
        return 1
    for i in range(n):
        z[i] = 0.0
    for i in range(d):
        g[i] = 0.0
    for level in range(mode.levels + 1):
        for i in range(n):
            j = level * n + i
            if counts(core, mode, n, j, i) == 1:
                add_scaled(n, -r[j], to_y[j * n :], z)
                add_scaled(d, -r[j], to_states[j * d :], g)
    return 0


@core_linear.kernel
def tick(core: Core, mode: Mode, m: Floats, t: Float, x: Floats) -> None:
    """`tick`: how much of each unknown is rounding of the time, x being consistent. A source that is
    joined to a storage by a leak of 1e-10 makes microamperes of it."""
    n = core.n
    noise = core.tick
    for i in range(n):
        noise[i] = 0.0
    if mode.is_graded == 0:
        return
    later = t + CORE_STEPS.units * abs(t)
    if linear_rates_at(core, mode, m, later, x, noise, core.err) != 0:
        return
    for i in range(n):
        noise[i] = abs(noise[i])


@core_linear.kernel
def solve_stages(core: Core, mode: Mode) -> None:
    """`p`: rates at the stages without changes of the states become those changes."""
    n = core.n
    d = mode.states
    p = core.p
    a = core.v
    a_r = core.v[n:]
    a_i = core.v[2 * n :]
    for i in range(d):
        g1 = p[i]
        g2 = p[n + i]
        g3 = p[2 * n + i]
        a[i] = radau.T1 * g1 + radau.T2 * g2 + radau.T3 * g3
        a_r[i] = radau.TR1 * g1 + radau.TR2 * g2 + radau.TR3 * g3
        a_i[i] = radau.TI1 * g1 + radau.TI2 * g2 + radau.TI3 * g3
    lu_solve(d, mode.lu, mode.pivots, a)
    lu_r = mode.lu_real
    lu_i = mode.lu_imaginary
    lu_solve_complex(d, lu_r, lu_i, mode.pivots[n:], a_r, a_i)
    for i in range(d):
        p[i] = radau.X1 * a[i] + radau.ZR1 * a_r[i] - radau.ZI1 * a_i[i]
        p[n + i] = radau.X2 * a[i] + radau.ZR2 * a_r[i] - radau.ZI2 * a_i[i]
        p[2 * n + i] = radau.X3 * a[i] + radau.ZR3 * a_r[i] - radau.ZI3 * a_i[i]


@core_linear.kernel
def stage_rates(core: Core, mode: Mode, m: Floats, h: Float, t: Float) -> Int:
    """`z` and `p` at the three nodes, as if the states stayed; 1: it fails. Where time does not matter they
    are all the same."""
    n = core.n
    y = core.y
    z = core.z
    p = core.p
    nodes = 1 if core.is_timeless == 1 else 3
    for stage in range(nodes):
        node = radau.C1 if stage == 0 else (radau.C2 if stage == 1 else 1.0)
        at = t + node * h
        if linear_rates_at(core, mode, m, at, y, z[stage * n :], p[stage * n :]) != 0:
            return 1
    for stage in range(nodes, 3):
        for i in range(n):
            z[stage * n + i] = z[i]
            p[stage * n + i] = p[i]
    return 0


@core_linear.kernel
def attempt_linear(core: Core, mode: Mode, m: Floats, h: Float, t: Float, is_judged: Int) -> Float:
    """A step of the states; `y1` is consistent, `dys` holds consistent values in the middle of the step.

    Gives the error in units of the tolerance, infinite where it fails; zero where it `is_judged` not.
    """
    n = core.n
    d = mode.states
    y = core.y
    y1 = core.y1
    z = core.z
    p = core.p
    middle = core.dys
    still = core.err
    follow = mode.follow
    if factor_states(core, mode, h) != 0:
        return inf
    if stage_rates(core, mode, m, h, t) != 0:
        return inf
    for i in range(d):
        still[i] = p[i]
    solve_stages(core, mode)
    for i in range(n):
        y1[i] = y[i] + z[2 * n + i]
    for j in range(d):
        add_scaled(n, p[2 * n + j], follow[j * n :], y1)
    if not size_of(n, y1) < inf:
        return inf
    measure_core(core, mode, y1)
    error = 0.0
    if is_judged == 1:
        error = error_linear(core, mode, m, h, t)
    for j in range(d):
        for stage in range(3):
            add_scaled(n, p[stage * n + j], follow[j * n :], z[stage * n :])
        inside = increment(CORE_STEPS.middle, p[j], p[n + j], p[2 * n + j])
        add_scaled(n, inside, follow[j * n :], middle)
    for i in range(n):
        p[2 * n + i] = (radau.B31 * z[i] + radau.B32 * z[n + i] + radau.B33 * z[2 * n + i]) / h
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
def follows(core: Core) -> Float:
    """How far unknowns that follow the sources leave the polynomial in the middle of the step, in units
    of what is allowed. A mode without states has no other measure of how fast its sources move.

    `z` holds the stages without the changes of the states, `dys` the changes in the middle, which become
    the values there.
    """
    n = core.n
    y = core.y
    z = core.z
    middle = core.dys
    off = 0.0
    for i in range(n):
        apart = abs(middle[i] - increment(CORE_STEPS.middle, z[i], z[n + i], z[2 * n + i]))
        middle[i] += y[i]
        size = max(core.size[i], core.floor[i], abs(y[i]), abs(middle[i]))
        apart -= CORE_STEPS.beside_rough * core.rough[i]
        if apart > 0.0:
            off = max(off, apart / (CORE_STEPS.followed * max(size, TINIEST)))
    return off


@core_linear.kernel
def what_is_fast(core: Core, mode: Mode, errors: Floats) -> Float:
    """`v` becomes what an error of the rates makes of all unknowns by way of states that are faster than
    the step; how much that is, in units of what is allowed between steps.

    With S = 1/(mu/h - M), S errors is the error of a fast state, and S M S errors the same without the
    slow ones.
    """
    n = core.n
    d = mode.states
    change = core.v
    moved = core.v[2 * n :]
    motion = mode.motion
    follow = mode.follow
    lu_solve(d, mode.lu, mode.pivots, errors)
    for i in range(d):
        moved[i] = 0.0
        for j in range(d):
            moved[i] += motion[i * d + j] * errors[j]
    lu_solve(d, mode.lu, mode.pivots, moved)
    for i in range(n):
        change[i] = 0.0
    for j in range(d):
        add_scaled(n, moved[j], follow[j * n :], change)
    off = 0.0
    for i in range(n):
        size = max(core.size[i], core.floor[i], TINIEST)
        off = max(off, abs(change[i]) / (CORE_STEPS.between * tolerance_of(core, i, size)))
    return off


@core_linear.kernel
def stiff_between(core: Core, mode: Mode, m: Floats, h: Float, t: Float) -> Float:
    """How far states that are faster than the step, and all that follows from them, are off in the
    middle of the step, in units of what is allowed.

    `err` holds the rates there without changes of the states. The embedded estimate says nothing of fast
    states: they are right at the end, however long the step. What no step could correct is left alone: the
    rounding of the states, and that of the time, which leaks make large.
    """
    n = core.n
    d = mode.states
    p = core.p
    y = core.y
    amid = core.err
    change = core.v
    defect = core.v[n:]
    spare = core.dys[n:]
    noise = core.dys[2 * n :]
    motion = mode.motion
    weights = mode.weights
    for j in range(d):
        z1 = p[j]
        z2 = p[n + j]
        z3 = p[2 * n + j]
        q1 = radau.P11 * z1 + radau.P12 * z2 + radau.P13 * z3
        q2 = radau.P21 * z1 + radau.P22 * z2 + radau.P23 * z3
        q3 = radau.P31 * z1 + radau.P32 * z2 + radau.P33 * z3
        change[j] = CORE_STEPS.middle * (q1 + CORE_STEPS.middle * (q2 + CORE_STEPS.middle * q3))
        defect[j] = (
            amid[j] - (q1 + CORE_STEPS.middle * (2.0 * q2 + CORE_STEPS.middle * 3.0 * q3)) / h
        )
    for i in range(d):
        for j in range(d):
            defect[i] += motion[i * d + j] * change[j]
    off = what_is_fast(core, mode, defect)
    if off <= 1.0:
        return off
    stored = 0.0
    for i in range(n):
        if weights[i] > 0.0:
            size = max(core.size[i], core.floor[i], TINIEST)
            stored = max(stored, abs(change[i]) / size)
    if stored <= CORE_STEPS.nothing:
        return 0.0
    at = t + CORE_STEPS.middle * h
    if linear_rates_at(core, mode, m, at + CORE_STEPS.aside * (abs(at) + h), y, spare, noise) != 0:
        return inf
    for j in range(d):
        noise[j] -= amid[j]
    return off if off > CORE_STEPS.noisy * what_is_fast(core, mode, noise) else 0.0


@core_linear.kernel
def error_linear(core: Core, mode: Mode, m: Floats, h: Float, t: Float) -> Float:
    """The embedded estimate, (8.19) of section IV.8, of the states; and whether the rest follows. `err`
    holds the rates where the step begins, if time does not matter."""
    n = core.n
    d = mode.states
    y = core.y
    y1 = core.y1
    p = core.p
    error = core.err
    trial = core.trial
    middle = core.dys
    follow = mode.follow
    weights = mode.weights
    if core.is_timeless == 1:
        for i in range(n):
            middle[i] = core.z[i]
    elif linear_rates_at(core, mode, m, t + CORE_STEPS.middle * h, y, middle, error) != 0:
        return inf
    off = follows(core)
    if d == 0:
        return off
    off = max(off, stiff_between(core, mode, m, h, t))
    if core.is_timeless == 0 and linear_rates_at(core, mode, m, t, y, trial, error) != 0:
        return inf
    for i in range(d):
        error[i] += (radau.E1 * p[i] + radau.E2 * p[n + i] + radau.E3 * p[2 * n + i]) / h
    lu_solve(d, mode.lu, mode.pivots, error)
    for i in range(n):
        trial[i] = 0.0
    for j in range(d):
        add_scaled(n, error[j], follow[j * n :], trial)
    total = 0.0
    count = 0
    for i in range(n):
        if weights[i] > 0.0:
            part = trial[i] / tolerance_of(core, i, max(abs(y[i]), abs(y1[i])))
            total += part * part
            count += 1
    return max(off, sqrt(total / float(max(count, 1))))


@core_linear.kernel
def consistent_linear(core: Core, mode: Mode, m: Floats, t: Float, x: Floats) -> Float:
    """Move x to consistent values of the same states; `slope` becomes y'. Gives what is left of the
    residuals, which is something only where rows depend on each other."""
    n = core.n
    ys = core.ys
    r = core.r
    slope = core.slope
    to_y = mode.to_y
    to_slope = mode.to_slope
    rows = mode.level_scale
    part_of = mode.row_part
    parts = core.parts
    if residuals_of(core, mode, m, t, x) != 0:
        return inf
    for i in range(n):
        slope[i] = 0.0
    levels = mode.levels + 1
    for level in range(levels):
        for i in range(n):
            j = level * n + i
            if counts(core, mode, n, j, i) == 1:
                add_scaled(n, -r[j], to_y[j * n :], x)
                add_scaled(n, -r[j], to_slope[j * n :], slope)
    for level in range(levels):
        for i in range(n):
            part = part_of[i]
            parts[part] = max(parts[part], abs(r[level * n + i]) * rows[level * n + i])
    if not size_of(n, x) < inf:
        return inf
    left = 0.0
    if mode.tied > 0:
        for i in range(n):
            ys[i] = x[i]
            ys[n + i] = slope[i]
        if core.rates(m, t, 0, ys, r) != 0:
            return inf
        for i in range(n):
            if r[i] != 0.0:
                left = max(left, abs(r[i]) * rows[i] / parts[part_of[i]])
    if mode.is_singular == 1:
        choose_open(core, mode, m, x)
    return left
