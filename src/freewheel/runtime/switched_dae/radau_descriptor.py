"""One step of the implicit core by Radau IIA of order 5 in descriptor form; values made consistent.

The stage increments Z solve F((A^-1 Z)_i / h, y + Z_i, t + c_i h) = 0. In the basis of A's
eigenvectors Newton's matrix falls into mu/h E + A, one real and one complex, with E = dF/dy' and
A = dF/dy (Hairer, Wanner II, sections IV.8 and VI.1). The error counts where states live only: it is
projected onto the consistent values of the mode along the directions that may jump. Linear modes take
the way of `core_linear`.

    core.rates(m, t, order, ys, out)     out = d^order F / dt^order along ys = (y, y', y'', ...)
    core.jacobians(m, t, y, slope, out)  out = dF/dy, then dF/dy', by rows
"""

from __future__ import annotations

from math import inf, pow, sqrt

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.integrators.thresholds import STEPS
from freewheel.runtime.linear.dense_lu import (
    lu_factor,
    lu_factor_complex,
    lu_solve,
    lu_solve_complex,
)
from freewheel.runtime.switched_dae import radau_tableau as radau
from freewheel.runtime.switched_dae.linear_modes import (
    attempt_linear,
    consistent_linear,
    core_linear,
)
from freewheel.runtime.switched_dae.memory import Core, Mode
from freewheel.runtime.switched_dae.radau_tableau import increment
from freewheel.runtime.switched_dae.scaling import begin_parts, measure_core
from freewheel.runtime.switched_dae.thresholds import CORE_STEPS
from freewheel.runtime.switched_dae.undetermined import choose_open
from freewheel.runtime.thresholds import TINIEST

core_step = KernelModule("core_step", core_linear)


@core_step.kernel
def tolerance_here(core: Core, i: Int, size: Float) -> Float:
    """As `tolerance_of` in linear modes, but neighbours have no say: where a curve is horizontal, its
    column shows nothing of what is large."""
    least = core.rtol * max(core.ever[i], core.corner_floor[i])
    return core.rtol * size + min(core.atol[i], least) + TINIEST


@core_step.kernel
def factor_core(core: Core, mode: Mode, h: Float) -> Int:
    """Factors of mu/h E + A, rows scaled; kept with the mode until its step size changes. In a mode
    that leaves unknowns open the gauge is added: the system stays solvable and they stay put."""
    if mode.h_factored == h:
        return 0
    n = core.n
    square = n * n
    a = mode.matrices
    e = mode.matrices[square:]
    gauge = mode.gauge
    lu = mode.lu
    lu_r = mode.lu_real
    lu_i = mode.lu_imaginary
    scales = mode.row_scale
    scales_c = mode.row_scale_complex
    for i in range(n):
        largest = 0.0
        largest_c = 0.0
        for j in range(n):
            k = i * n + j
            lu[k] = radau.MU / h * e[k] + a[k] + gauge[k]
            lu_r[k] = radau.MU_R / h * e[k] + a[k] + gauge[k]
            lu_i[k] = radau.MU_I / h * e[k]
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
    core.factor_count += 1
    mode.h_factored = 0.0
    if lu_factor(n, lu, mode.pivots) != 0:
        return 1
    if lu_factor_complex(n, lu_r, lu_i, mode.pivots[n:]) != 0:
        return 1
    mode.h_factored = h
    return 0


@core_step.kernel
def solve_core(mode: Mode, b: Floats) -> None:
    n = mode.n
    scales = mode.row_scale
    for i in range(n):
        b[i] *= scales[i]
    lu_solve(n, mode.lu, mode.pivots, b)


@core_step.kernel
def stage_slopes(core: Core, h: Float) -> None:
    """`p` from `z`."""
    n = core.n
    z = core.z
    p = core.p
    for i in range(n):
        z1 = z[i]
        z2 = z[n + i]
        z3 = z[2 * n + i]
        p[i] = (radau.B11 * z1 + radau.B12 * z2 + radau.B13 * z3) / h
        p[n + i] = (radau.B21 * z1 + radau.B22 * z2 + radau.B23 * z3) / h
        p[2 * n + i] = (radau.B31 * z1 + radau.B32 * z2 + radau.B33 * z3) / h


@core_step.kernel
def stage_residuals(core: Core, m: Floats, t: Float, h: Float) -> Int:
    n = core.n
    y = core.y
    z = core.z
    r = core.r
    p = core.p
    ys = core.ys
    stage_slopes(core, h)
    for stage in range(3):
        node = radau.C1 if stage == 0 else (radau.C2 if stage == 1 else 1.0)
        for i in range(n):
            ys[i] = y[i] + z[stage * n + i]
            ys[n + i] = p[stage * n + i]
        if core.rates(m, t + node * h, 0, ys, r[stage * n :]) != 0:
            return 1
    return 0


@core_step.kernel
def stage_change(core: Core, mode: Mode) -> Float:
    """One Newton change of the stage increments; gives its size in units of the tolerance."""
    n = core.n
    y = core.y
    y1 = core.y1
    z = core.z
    r = core.r
    d = core.v
    dr = core.v[n:]
    di = core.v[2 * n :]
    scales = mode.row_scale_complex
    weights = mode.weights
    for i in range(n):
        r1 = r[i]
        r2 = r[n + i]
        r3 = r[2 * n + i]
        d[i] = -(radau.T1 * r1 + radau.T2 * r2 + radau.T3 * r3)
        dr[i] = -(radau.TR1 * r1 + radau.TR2 * r2 + radau.TR3 * r3) * scales[i]
        di[i] = -(radau.TI1 * r1 + radau.TI2 * r2 + radau.TI3 * r3) * scales[i]
    solve_core(mode, d)
    lu_r = mode.lu_real
    lu_i = mode.lu_imaginary
    lu_solve_complex(n, lu_r, lu_i, mode.pivots[n:], dr, di)
    size = 0.0
    for i in range(n):
        z1 = radau.X1 * d[i] + radau.ZR1 * dr[i] - radau.ZI1 * di[i]
        z2 = radau.X2 * d[i] + radau.ZR2 * dr[i] - radau.ZI2 * di[i]
        z3 = radau.X3 * d[i] + radau.ZR3 * dr[i] - radau.ZI3 * di[i]
        z[i] += z1
        z[n + i] += z2
        z[2 * n + i] += z3
        d[i] = z3
        y1[i] = y[i] + z[2 * n + i]
        r[i] = max(abs(z1), abs(z2), abs(z3))
    measure_core(core, mode, y1)
    for i in range(n):
        allowed = tolerance_here(core, i, max(abs(y[i]), abs(y1[i])))
        allowed = max(allowed, min(core.rtol, CORE_STEPS.digits) * core.floor[i])
        size = max(size, r[i] / allowed)
    if mode.index < 2:
        # algebraic unknowns too: guards are among them, and they may bend where states do not
        core.rest = 0.0
        return size
    # of higher index only the dynamic part converges to the last digit; the rest is made consistent
    core.rest = size
    size = 0.0
    project = mode.projector
    for i in range(n):
        part = 0.0
        for j in range(n):
            part += project[i * n + j] * d[j]
        if weights[i] > 0.0:
            reached = max(abs(y[i]), abs(y1[i]))
            size = max(size, abs(part) / tolerance_here(core, i, reached))
    return size


@core_step.kernel
def are_rounded(core: Core, mode: Mode) -> Int:
    """1: the residuals of all stages are rounding of the terms of their rows. Where a curve is horizontal
    this is much of the unknown that follows it."""
    n = core.n
    a = mode.matrices
    e = mode.matrices[n * n :]
    for stage in range(3):
        for i in range(n):
            terms = 0.0
            for j in range(n):
                value = core.y[j] + core.z[stage * n + j]
                terms += abs(a[i * n + j] * value)
                terms += abs(e[i * n + j] * core.p[stage * n + j])
            if not abs(core.r[stage * n + i]) <= CORE_STEPS.rounded * terms:
                return 0
    return 1


@core_step.kernel
def newton_core(core: Core, mode: Mode, m: Floats, h: Float, t: Float) -> Int:
    """Solve for the stages; the number of iterations, 0: they do not converge. Few of them mean that
    the factors will do for another step. States that are at rest may only wait for what they follow:
    the rest must have come as near as it does. (A product of voltage and current whose factors both
    begin at zero has no slope there.)"""
    n = core.n
    z = core.z
    for i in range(3 * n):
        z[i] = 0.0
    # What an attempt that failed went through was never reached, and makes nothing else small.
    begin_parts(core, mode)
    rounding = CORE_STEPS.noise / core.rtol
    before = inf
    rest_before = inf
    is_stagnant = 0
    for iteration in range(CORE_STEPS.most_newton):
        core.newton_count += 1
        if stage_residuals(core, m, t, h) != 0:
            return 0
        if is_stagnant == 1 and are_rounded(core, mode) == 1:
            mode.are_good = 0
            return iteration
        size = stage_change(core, mode)
        if not size < inf:
            return 0
        is_followed = core.rest < CORE_STEPS.at_rest or core.rest > 0.5 * rest_before
        if iteration + 1 == CORE_STEPS.most_newton:
            is_followed = True  # it was given time enough
        rest_before = core.rest
        # A first change that is small says that the step is short, not that its slopes are known.
        is_small = size < (rounding if iteration == 0 else max(CORE_STEPS.solved, rounding))
        if is_small and is_followed:
            mode.are_good = 1 if iteration < CORE_STEPS.few else 0
            stage_slopes(core, h)
            return iteration + 1
        if (
            iteration > 1
            and size < max(CORE_STEPS.at_rest, 100.0 * rounding)
            and size > 0.5 * before
        ):
            mode.are_good = 0  # rounding keeps unknowns moving that are nothing but rounding
            stage_slopes(core, h)
            return iteration + 1
        if iteration > 2 and size > 2.0 * before:
            return 0
        is_stagnant = 1 if size > 0.5 * before else 0
        before = size
    return 0


@core_step.kernel
def attempt_core(core: Core, mode: Mode, m: Floats, h: Float, t: Float, is_judged: Int) -> Float:
    """A step from (t, y) into y1; the error in units of the tolerance, infinite where it fails; zero
    where it `is_judged` not."""
    y = core.y
    slope = core.slope
    if mode.is_linear == 1:
        return attempt_linear(core, mode, m, h, t, is_judged)
    if mode.h_factored == h and mode.are_good == 1:
        taken = newton_core(core, mode, m, h, t)
        if taken > 0 and is_judged == 0:
            return 0.0
        if taken > 0:
            return error_core(core, mode, m, h, t)
    if core.jacobians(m, t, y, slope, mode.matrices) != 0:
        return inf
    mode.h_factored = 0.0
    if factor_core(core, mode, h) != 0:
        return inf
    if newton_core(core, mode, m, h, t) == 0:
        return inf
    if is_judged == 0:
        return 0.0
    return error_core(core, mode, m, h, t)


@core_step.kernel
def error_core(core: Core, mode: Mode, m: Floats, h: Float, t: Float) -> Float:
    """Embedded estimate, (8.19) of section IV.8, of the differential part."""
    if mode.states == 0:
        return 0.0
    n = core.n
    square = n * n
    y = core.y
    y1 = core.y1
    z = core.z
    ys = core.ys
    error = core.err
    trial = core.trial
    e = mode.matrices[square:]
    project = mode.projector
    weights = mode.weights
    for i in range(n):
        ys[i] = y[i]
        ys[n + i] = 0.0
        trial[i] = (radau.E1 * z[i] + radau.E2 * z[n + i] + radau.E3 * z[2 * n + i]) / h
    if core.rates(m, t, 0, ys, error) != 0:
        return inf
    for i in range(n):
        total = -error[i]
        for j in range(n):
            total += e[i * n + j] * trial[j]
        error[i] = total
    solve_core(mode, error)
    total = 0.0
    count = 0
    for i in range(n):
        if weights[i] > 0.0:
            part = 0.0
            for j in range(n):
                part += project[i * n + j] * error[j]
            part /= tolerance_here(core, i, max(abs(y[i]), abs(y1[i])))
            total += part * part
            count += 1
    return sqrt(total / float(max(count, 1)))


@core_step.kernel
def inside_core(core: Core, theta: Float, out: Floats) -> None:
    """The collocation polynomial of the last attempt at t + theta h."""
    n = core.n
    y = core.y
    z = core.z
    for i in range(n):
        out[i] = y[i] + increment(theta, z[i], z[n + i], z[2 * n + i])


@core_step.kernel
def inside_elements(core: Core, theta: Float, out: Floats) -> None:
    """As `inside_core`, for the unknowns of elements only."""
    n = core.n
    k = core.element_count
    y = core.y
    z = core.z
    for e in range(k):
        i = core.elements[e].unknown
        out[i] = y[i] + increment(theta, z[i], z[n + i], z[2 * n + i])


@core_step.kernel
def consistent_core(core: Core, mode: Mode, m: Floats, t: Float, x: Floats) -> Float:
    """Move x, in the directions that may jump only, to where F and its time derivatives vanish.

    What the pencil conserves (flux, charge, momentum) stays. The mode's record holds the solution
    operator K of the linearised derivative array: a linear mode needs one application, the second
    shows the residual. Gives what is left, beside the sizes in its part of the mode and what there
    was to begin with; `slope` becomes y'.
    """
    if mode.is_linear == 1:
        return consistent_linear(core, mode, m, t, x)
    n = core.n
    levels = mode.levels
    ys = core.ys
    r = core.r
    dys = core.dys
    slope = core.slope
    k = mode.restart
    rows = mode.level_scale
    part_of = mode.row_part
    parts = core.parts
    for i in range(n):
        ys[i] = x[i]
        ys[n + i] = 0.0
        ys[2 * n + i] = 0.0
        ys[3 * n + i] = 0.0
    wide = 3 * n
    left = 0.0
    best = inf
    for iteration in range(CORE_STEPS.most_chord):
        for order in range(levels + 1):
            if core.rates(m, t, order, ys, r[order * n :]) != 0:
                return inf
        left = 0.0
        for i in range((levels + 1) * n):
            size = abs(r[i]) * rows[i]
            part = part_of[i % n]
            if not size < inf:
                return inf
            if iteration < 2:  # what only listens has nothing to say before the rest is found
                parts[part] = max(parts[part], size)
            if size > 0.0:
                left = max(left, size / parts[part])
        if iteration > 1 and (left < CORE_STEPS.round_off or (iteration > 6 and left > 0.5 * best)):
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
    if mode.is_singular == 1:
        choose_open(core, mode, m, x)
    for i in range(n):
        slope[i] = ys[n + i]
    return left


@core_step.kernel
def moved_core(core: Core, mode: Mode) -> Float:
    """How far the matrices of the record are from those that were analysed; entries are at most one."""
    n = core.n
    square = n * n
    now = mode.matrices
    seen = mode.analysed
    rows = mode.level_scale
    column = mode.column
    largest = 0.0
    for i in range(n):
        for j in range(n):
            k = i * n + j
            apart = abs(now[k] - seen[k]) + abs(now[square + k] - seen[square + k]) / mode.tau
            largest = max(largest, apart * rows[i] * column[j])
    return largest


@core_step.kernel
def next_size(error: Float, h: Float, h_max: Float) -> Float:
    """A size a little larger than the last is not worth new factors."""
    if not error < inf:
        return 0.25 * h
    factor = CORE_STEPS.most_growth
    if error > 0.0:
        factor = min(factor, max(STEPS.least, STEPS.safety * pow(error, -0.25)))
    wanted = min(h * factor, h_max)
    if error <= 1.0 and wanted > h and wanted < STEPS.as_good * h:
        return h
    return wanted
