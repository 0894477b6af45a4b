"""Newton's method for nonlinear loops, called by compiled sections.

The same functions run in CPython; they follow `backend.solve`, the reference. Where they give up
(a singular loop, no convergence) the section hands over to the reference, which tries further means
and explains.
"""

from __future__ import annotations

from math import inf, sqrt

from freewheel.backend.linear_kernels import LINEAR, fw_eliminate, fw_least_squares, fw_not_finite
from freewheel.backend.thresholds import NEWTON
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Function, Int, Ints
from freewheel.runtime.thresholds import TINIEST

SOLVERS = KernelModule("solvers", LINEAR)


@SOLVERS.kernel
def fw_put(n: Int, m: Floats, slots: Ints, x: Floats) -> None:
    for i in range(n):
        m[slots[i]] = x[i]


@SOLVERS.kernel
def fw_residual(residual: Function, n: Int, m: Floats, slots: Ints, x: Floats, f: Floats) -> Int:
    """The residuals at x; 1 where the model has no value there."""
    fw_put(n, m, slots, x)
    if residual(m, f) != 0:
        return 1
    return fw_not_finite(n, f)


@SOLVERS.kernel
def fw_norm(n: Int, f: Floats) -> Float:
    total = 0.0
    for i in range(n):
        total += f[i] * f[i]
    return sqrt(total)


@SOLVERS.kernel
def fw_differences(
    residual: Function,
    n: Int,
    m: Floats,
    slots: Ints,
    x: Floats,
    f: Floats,
    nominals: Floats,
    a: Floats,
    there: Floats,
) -> None:
    """The Jacobian by differences, row by row into `a`."""
    for k in range(n):
        own = x[k]
        h = NEWTON.difference * max(abs(own) + NEWTON.near_zero * nominals[k], TINIEST)
        found = 0
        for trial in range(2):
            if found == 0:
                x[k] = own + h if trial == 0 else own - h
                step = x[k] - own
                if fw_residual(residual, n, m, slots, x, there) == 0:
                    found = 1
                    for r in range(n):
                        a[r * n + k] = (there[r] - f[r]) / step
        if found == 0:
            for r in range(n):
                a[r * n + k] = 0.0
        x[k] = own


@SOLVERS.kernel
def fw_size(own: Float, nominal: Float) -> Float:
    """How large an unknown is, itself."""
    return abs(own) if abs(own) > TINIEST else nominal


@SOLVERS.kernel
def fw_balanced(
    n: Int, x: Floats, nominals: Floats, a: Floats, right: Floats, matrix: Floats
) -> Int:
    """a*step = right, the step into `right`, for unknowns of very different sizes: in units of these. In a
    short circuit of 1e-12 ohm currents are 1e12 times as large as voltages, which is not singular."""
    for c in range(n):
        size = fw_size(x[c], nominals[c])
        for r in range(n):
            matrix[r * n + c] = a[r * n + c] * size
    if fw_eliminate(n, matrix, right) != 0:
        return 1
    for c in range(n):
        right[c] *= fw_size(x[c], nominals[c])
    return fw_not_finite(n, right)


@SOLVERS.kernel
def fw_step(n: Int, x: Floats, f: Floats, nominals: Floats, a: Floats, work: Floats) -> Int:
    """Newton's step into work[0:n], the size of each residual's terms into work[n:2n]."""
    for r in range(n):
        size = 0.0
        for c in range(n):
            size += abs(a[r * n + c]) * (abs(x[c]) + nominals[c])
        work[n + r] = size
        work[r] = -f[r]
    if n == 1:
        if a[0] == 0.0:
            work[0] = nominals[0] * 0.1 + 0.1 * abs(x[0])
        else:
            work[0] = -f[0] / a[0]
        return 0
    for i in range(n * n):
        work[2 * n + i] = a[i]
    if fw_eliminate(n, work[2 * n :], work) == 0:
        return 0
    for r in range(n):
        work[r] = -f[r]
    if fw_balanced(n, x, nominals, a, work, work[2 * n :]) == 0:
        return 0
    for r in range(n):
        work[r] = -f[r]
    return fw_least_squares(n, a, work, work[2 * n :])


@SOLVERS.kernel
def fw_shrinks(
    n: Int,
    x: Floats,
    nominals: Floats,
    a: Floats,
    step: Floats,
    share: Float,
    there: Floats,
    right: Floats,
    matrix: Floats,
) -> Int:
    """Whether a share of Newton's step is good by the corrections it leaves: those from the residuals
    `there`, with the slopes `a` of before, are shorter than the step (the natural monotonicity test;
    Deuflhard, "Newton Methods for Nonlinear Problems", 2004, 3.3). Residuals of watts beside those of volts
    may grow on the best of ways; their units do not matter here. For one unknown it is the same."""
    if n == 1:
        return 0
    for i in range(n):
        right[i] = -there[i]
    for i in range(n * n):
        matrix[i] = a[i]
    if fw_eliminate(n, matrix, right) != 0:
        return 0
    before = 0.0
    after = 0.0
    for i in range(n):
        before = max(before, abs(step[i]) / (abs(x[i]) + nominals[i]))
        after = max(after, abs(right[i]) / (abs(x[i]) + nominals[i]))
    return 1 if after < (1.0 - 0.25 * share) * before else 0


@SOLVERS.kernel
def fw_polish(
    residual: Function,
    jacobian: Function,
    has_jacobian: Int,
    n: Int,
    m: Floats,
    slots: Ints,
    nominals: Floats,
    bounds: Floats,
    x: Floats,
    work: Floats,
) -> Int:
    """From x, a solution as good as nominal values ask for, to one that is good beside the unknowns
    themselves; it ends in the memory. In a short circuit of 1e-12 ohm two solutions may be as close as
    that, and all currents depend on which of them it is."""
    f = work
    there = work[n:]
    trial = work[2 * n :]
    a = work[3 * n :]
    more = work[3 * n + n * n :]
    sizes = work[6 * n + 2 * n * n :]
    if fw_residual(residual, n, m, slots, x, f) != 0:
        return 1
    for _ in range(NEWTON.most_rounds):
        now = fw_norm(n, f)
        if now == 0.0:
            break
        for i in range(n):  # differences must be small beside unknowns that have become small
            sizes[i] = min(nominals[i], abs(x[i])) if x[i] != 0.0 else nominals[i]
        analytic = 0
        if has_jacobian != 0:
            fw_put(n, m, slots, x)
            if jacobian(m, a) == 0 and fw_not_finite(n * n, a) == 0:
                analytic = 1
        if analytic == 0:
            fw_differences(residual, n, m, slots, x, f, sizes, a, there)
        if fw_step(n, x, f, sizes, a, more) != 0:
            break
        size = 0.0
        for i in range(n):
            trial[i] = min(max(x[i] + more[i], bounds[i]), bounds[n + i])
            if more[i] != 0.0:
                size = max(size, abs(more[i]) / max(abs(x[i]), abs(trial[i]), TINIEST))
        if size <= NEWTON.tolerance:
            break
        if fw_residual(residual, n, m, slots, trial, there) != 0:
            break
        if not fw_norm(n, there) <= NEWTON.polished * now:
            break
        for i in range(n):
            x[i] = trial[i]
            f[i] = there[i]
    fw_put(n, m, slots, x)
    return residual(m, there)


@SOLVERS.kernel
def fw_is_flat(
    residual: Function,
    n: Int,
    m: Floats,
    slots: Ints,
    nominals: Floats,
    x: Floats,
    f: Floats,
    work: Floats,
) -> Int:
    """Whether the residuals f at x are rounding of what they are made of, seen over a distance: at a fold
    slopes are zero, and a residual of 1e-17 is large beside them."""
    trial = work
    there = work[n:]
    sizes = work[2 * n :]
    for i in range(n):
        trial[i] = x[i]
        sizes[i] = 0.0
    for k in range(n):
        trial[k] = x[k] + NEWTON.over * fw_size(x[k], nominals[k])
        if fw_residual(residual, n, m, slots, trial, there) == 0:
            for i in range(n):
                sizes[i] += abs(there[i] - f[i]) / NEWTON.over
        trial[k] = x[k]
    for i in range(n):
        if not abs(f[i]) <= NEWTON.rounding * sizes[i]:
            return 0
    return 1


@SOLVERS.kernel
def fw_newton(
    residual: Function,
    jacobian: Function,
    has_jacobian: Int,
    n: Int,
    m: Floats,
    slots: Ints,
    nominals: Floats,
    bounds: Floats,
    x: Floats,
    work: Floats,
) -> Int:
    """From the guess x: 0 and the solution in the memory, or 1."""
    f = work
    there = work[n:]
    trial = work[2 * n :]
    a = work[3 * n :]
    more = work[3 * n + n * n :]
    if fw_residual(residual, n, m, slots, x, f) != 0:
        return 1
    trust = has_jacobian
    for _ in range(NEWTON.most_rounds):
        now = fw_norm(n, f)
        if now == 0.0:
            fw_put(n, m, slots, x)
            return residual(m, there)
        analytic = 0
        if trust != 0:
            fw_put(n, m, slots, x)
            if jacobian(m, a) == 0 and fw_not_finite(n * n, a) == 0:
                analytic = 1
        if analytic == 0:
            fw_differences(residual, n, m, slots, x, f, nominals, a, there)
        if fw_step(n, x, f, nominals, a, more) != 0:
            return 1
        is_zero = 1
        for i in range(n):
            if abs(f[i]) > NEWTON.rounding * more[n + i]:
                is_zero = 0
        share = 1.0
        moved = 0
        size = now
        for _ in range(NEWTON.most_halvings):
            for i in range(n):
                trial[i] = min(max(x[i] + share * more[i], bounds[i]), bounds[n + i])
            if fw_residual(residual, n, m, slots, trial, there) == 0:
                size = fw_norm(n, there)
                if (
                    size < (1.0 - NEWTON.least_gain * share) * now
                    or size == 0.0
                    or fw_shrinks(
                        n, x, nominals, a, more, share, there, more[3 * n + n * n :], more[2 * n :]
                    )
                    != 0
                ):
                    moved = 1
            if moved == 1:
                break
            share *= 0.5
        if moved == 0 and analytic != 0:
            trust = 0
            if fw_residual(residual, n, m, slots, x, f) != 0:
                return 1
            continue
        if moved == 0:
            if is_zero == 0 and fw_is_flat(residual, n, m, slots, nominals, x, f, more) == 0:
                return 1
            fw_put(n, m, slots, x)
            return residual(m, there)
        done = 1
        for i in range(n):
            x[i] = trial[i]
            f[i] = there[i]
            if abs(f[i]) > NEWTON.small * more[n + i]:
                done = 0
            if abs(more[i]) > NEWTON.tolerance * (abs(x[i]) + nominals[i]):
                done = 0
        if done != 0 and share == 1.0:
            if analytic == 0 or size <= 0.5 * now:
                return fw_polish(
                    residual, jacobian, analytic, n, m, slots, nominals, bounds, x, work
                )  # fmt: skip
            # Steep without effect, like a root at zero: a small step proves nothing there.
            trust = 0
    return 1


@SOLVERS.kernel
def fw_guess(
    kind: Int,
    n: Int,
    old: Floats,
    starts: Floats,
    nominals: Floats,
    bounds: Floats,
    x: Floats,
) -> None:
    """Where to begin: what the slots hold, start values, beside these (a load at the voltage of its source
    has no current to divide by), zero, nominal values, and off the track."""
    for k in range(n):
        if kind == 0:
            x[k] = old[k]
        elif kind == 1:
            x[k] = starts[k]
        elif kind == 2:
            x[k] = starts[k] * (1.0 - NEWTON.beside * (1.0 + 0.3 * k / n))
        elif kind == 3:
            x[k] = 0.0
        elif kind == 4:
            x[k] = nominals[k]
        elif kind == 5:
            x[k] = -nominals[k]
        elif kind == 6:
            x[k] = 0.1 * nominals[k]
        elif kind == 7:
            x[k] = starts[k] + nominals[k] * (0.3 + 0.1 * k)
        else:
            x[k] = starts[k] - nominals[k] * (0.2 + 0.3 * k)
        x[k] = min(max(x[k], bounds[k]), bounds[n + k])


@SOLVERS.kernel
def fw_close_in(
    residual: Function,
    m: Floats,
    slots: Ints,
    ends: Floats,
    work: Floats,
) -> Float:
    """Between ends[0] and ends[1] with residuals ends[2] and ends[3] of different sign (Illinois
    method; every third step halves the interval, as regula falsi is slow on kinks)."""
    a = ends[0]
    b = ends[1]
    fa = ends[2]
    fb = ends[3]
    x = work
    f = work[1:]
    side = 0
    best = a
    least = abs(fa)
    if abs(fb) < least:
        best = b
        least = abs(fb)
    for turn in range(200):
        x[0] = 0.5 * (a + b)
        if turn % 3 != 2 and fa != fb:
            x[0] = (a * fb - b * fa) / (fb - fa)
        if x[0] == a or x[0] == b:
            break
        if fw_residual(residual, 1, m, slots, x, f) != 0:
            x[0] = 0.5 * (a + b)
            if fw_residual(residual, 1, m, slots, x, f) != 0:
                break
        if abs(f[0]) < least:
            best = x[0]
            least = abs(f[0])
        if f[0] == 0.0 or abs(b - a) <= NEWTON.bracket * (abs(a) + abs(b)):
            return best
        if (f[0] < 0.0) == (fb < 0.0):
            b = x[0]
            fb = f[0]
            if side == 1:
                fa = 0.5 * fa
            side = 1
        else:
            a = x[0]
            fa = f[0]
            if side == -1:
                fb = 0.5 * fb
            side = -1
    return best


@SOLVERS.kernel
def fw_bracket(
    residual: Function,
    m: Floats,
    slots: Ints,
    guess: Float,
    nominal: Float,
    bounds: Floats,
    work: Floats,
) -> Int:
    """One unknown, where Newton fails: look for a change of sign ever farther away from a guess."""
    x = work
    f = work[1:]
    ends = work[2:]
    centre = min(max(guess, bounds[0]), bounds[1])
    x[0] = centre
    if fw_residual(residual, 1, m, slots, x, f) != 0:
        return 1
    near = work[6:]
    for side in range(2):
        near[2 * side] = centre
        near[2 * side + 1] = f[0]
    width = NEWTON.across * (abs(centre) + nominal)
    for _ in range(60):
        for side in range(2):
            x[0] = centre + width if side == 0 else centre - width
            place = x[0]
            if place < bounds[0] or place > bounds[1]:
                continue
            if fw_residual(residual, 1, m, slots, x, f) == 0:
                value = f[0]
                ends[0] = near[2 * side]
                ends[1] = place
                ends[2] = near[2 * side + 1]
                ends[3] = value
                if (value < 0.0) != (ends[2] < 0.0):
                    x[0] = fw_close_in(residual, m, slots, ends, work[10:])
                    # At a jump the sign changes too, but nothing is solved there.
                    status = fw_residual(residual, 1, m, slots, x, f)
                    if status == 0 and abs(f[0]) <= NEWTON.small * max(abs(ends[2]), abs(value)):
                        return 0
                near[2 * side] = place
                near[2 * side + 1] = value
        width *= 2.0
    return 1


@SOLVERS.kernel
def fw_solve(
    residual: Function,
    jacobian: Function,
    has_jacobian: Int,
    n: Int,
    m: Floats,
    slots: Ints,
    starts: Floats,
    nominals: Floats,
    bounds: Floats,
    work: Floats,
) -> Int:
    """Solves a nonlinear loop; on failure the slots hold their old values again.

    `bounds` are all the low ones, then all the high ones; a solution inside goes before others.
    `work` holds 4n for this, 3n + n^2 for Newton and 3n + n^2 for its step.
    """
    old = work
    x = work[n:]
    area = work[2 * n :]
    rest = work[4 * n :]
    has_bounds = 0
    for i in range(n):
        old[i] = m[slots[i]]
        area[i] = bounds[i]
        area[n + i] = bounds[n + i]
        if bounds[i] > -inf or bounds[n + i] < inf:
            has_bounds = 1
    for _ in range(1 + has_bounds):
        for kind in range(NEWTON.guesses):
            fw_guess(kind, n, old, starts, nominals, area, x)
            if fw_not_finite(n, x) == 0:
                status = fw_newton(
                    residual, jacobian, has_jacobian, n, m, slots, nominals, area, x, rest
                )
                if status == 0:
                    return 0
        if n == 1:
            if fw_bracket(residual, m, slots, old[0], nominals[0], area, rest) == 0:
                return 0
            if fw_bracket(residual, m, slots, starts[0], nominals[0], area, rest) == 0:
                return 0
        for i in range(n):
            area[i] = -inf
            area[n + i] = inf
    fw_put(n, m, slots, old)
    return 1


def work_size(n: int) -> int:
    """Numbers that `fw_solve` needs to work with."""
    return 2 * n * n + 11 * n + 16
