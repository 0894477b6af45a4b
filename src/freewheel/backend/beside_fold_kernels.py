"""Solutions beside a fold, where slopes are zero and rounding hides residuals, and what is no solution.

fw_is_regular(...)     whether there is no fold near a solution, as nearly always: then nothing else is asked
fw_is_proper(...)      whether the equations hold at x, at a fold too
fw_to_side(...)        of two solutions at a start on a fold, the one on the side of the start values
fw_is_loose(...)       whether x is one of a continuum of solutions: v = 0 and v*i = p(v) hold for any i
"""

from __future__ import annotations

from freewheel.backend.follow_kernels import (
    FOLLOWING,
    fw_is_rounding,
)
from freewheel.backend.llvm_kernels import (
    fw_is_flat,
    fw_newton,
    fw_norm,
    fw_put,
    fw_residual,
    fw_size,
)
from freewheel.backend.nearby_solution_kernels import (
    fw_is_bent,
    fw_near,
    fw_orientation,
    fw_plain_step,
    fw_slopes,
)
from freewheel.backend.thresholds import CURVE, FOLD, NEWTON
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Function, Int, Ints
from freewheel.runtime.thresholds import GOLDEN

BESIDE_FOLDS = KernelModule("beside_folds", FOLLOWING)


@BESIDE_FOLDS.kernel
def fw_is_vague(
    residual: Function, jacobian: Function, has_jacobian: Int, n: Int, m: Floats, slots: Ints,
    nominals: Floats, x: Floats, work: Floats,
) -> Int:  # fmt: skip
    """Whether damped Newton steps from x come to an end before they are small beside the unknowns:
    `fw_newton` accepts what is small beside nominal values, although it may be no solution. x is changed."""
    f = work
    there = work[n:]
    trial = work[2 * n :]
    step = work[3 * n :]
    a = work[4 * n :]
    matrix = work[4 * n + n * n :]
    if fw_residual(residual, n, m, slots, x, f) != 0:
        return 0
    for _ in range(NEWTON.most_rounds):
        now = fw_norm(n, f)
        if now == 0.0:
            return 0
        fw_slopes(residual, jacobian, has_jacobian, n, m, slots, nominals, x, f, a, there)
        if fw_plain_step(n, x, nominals, a, f, step, matrix) != 0:
            # At a fold the equations hold all the same.
            return 1 - fw_is_rounding(
                residual, jacobian, has_jacobian, n, m, slots, nominals, x, work
            )  # fmt: skip
        size = 0.0
        for i in range(n):
            size = max(size, abs(step[i]) / (abs(x[i]) + CURVE.floor * nominals[i]))
        if size <= CURVE.rounded:
            return 0
        share = 1.0
        for _ in range(NEWTON.most_halvings):
            for i in range(n):
                trial[i] = x[i] + share * step[i]
            if (
                fw_residual(residual, n, m, slots, trial, there) == 0
                and fw_norm(n, there) < (1.0 - NEWTON.least_gain * share) * now
            ):
                break
            share *= 0.5
        if not fw_norm(n, there) < now:
            share = min(1.0, FOLD.beside / size)
            for i in range(n):
                step[i] *= share
                trial[i] = x[i] + step[i]
            if fw_residual(residual, n, m, slots, trial, there) != 0:
                return 1
            fw_slopes(
                residual, jacobian, has_jacobian, n, m, slots, nominals, trial, there, a, matrix
            )
            return 1 - fw_is_beside_fold(n, a, step, f, share)
        for i in range(n):
            x[i] = trial[i]
            f[i] = there[i]
    return 1


@BESIDE_FOLDS.kernel
def fw_is_beside_fold(n: Int, a: Floats, step: Floats, f: Floats, share: Float) -> Int:
    """Whether a short step, a share of Newton's, over which the Jacobian bends to `a`, is as good as the
    residuals f tell: then these are rounding. f is changed."""
    for r in range(n):
        moved = 0.0
        for c in range(n):
            moved += abs(a[r * n + c] * step[c])
        if abs(f[r]) > moved:
            return 0
    for r in range(n):
        f[r] *= share
    return fw_is_bent(n, a, step, f)


@BESIDE_FOLDS.kernel
def fw_is_proper(
    residual: Function, jacobian: Function, has_jacobian: Int, n: Int, m: Floats, slots: Ints,
    nominals: Floats, x: Floats, work: Floats,
) -> Int:  # fmt: skip
    """Whether the equations hold at x, which is left as it is."""
    own = work
    rest = work[n:]
    for i in range(n):
        own[i] = x[i]
    if fw_near(residual, jacobian, has_jacobian, n, m, slots, nominals, own, rest) == 0:
        return 1
    for i in range(n):
        own[i] = x[i]
    if (
        fw_residual(residual, n, m, slots, own, rest) == 0
        and fw_is_flat(residual, n, m, slots, nominals, own, rest, rest[n:]) == 1
    ):
        return 1  # beside a fold, by what rounding allows
    return 1 - fw_is_vague(residual, jacobian, has_jacobian, n, m, slots, nominals, own, rest)


@BESIDE_FOLDS.kernel
def fw_is_regular(
    residual: Function, jacobian: Function, has_jacobian: Int, n: Int, m: Floats, slots: Ints,
    starts: Floats, nominals: Floats, x: Floats, work: Floats,
) -> Int:  # fmt: skip
    """Whether x solves the equations, and the Jacobian there tells residuals at a small distance: an affine
    invariant test of Newton's method (Deuflhard, "Newton Methods for Nonlinear Problems", 2004, 2.1), from
    there back to x. Then x is isolated and at no fold, and the memory belongs to it."""
    f = work
    step = work[n:]
    trial = work[2 * n :]
    there = work[3 * n :]
    a = work[4 * n :]
    matrix = work[4 * n + n * n :]
    if fw_residual(residual, n, m, slots, x, f) != 0:
        return 0
    fw_slopes(residual, jacobian, has_jacobian, n, m, slots, nominals, x, f, a, there)
    if fw_plain_step(n, x, nominals, a, f, step, matrix) != 0:
        return 0
    for k in range(n):
        if abs(step[k]) > CURVE.rounded * (abs(x[k]) + CURVE.floor * nominals[k]):
            return 0
        trial[k] = x[k] + FOLD.regular * fw_size(x[k], nominals[k]) * (1.0 + k * GOLDEN % 1.0)
    if fw_residual(residual, n, m, slots, trial, there) != 0:
        return 0
    if fw_plain_step(n, x, nominals, a, there, step, matrix) != 0:
        return 0
    for k in range(n):
        moved = trial[k] - x[k]
        if not abs(step[k] + moved) <= CURVE.contraction * abs(moved):
            return 0
    return 1 - fw_residual(residual, n, m, slots, x, f)


@BESIDE_FOLDS.kernel
def fw_side(
    residual: Function, jacobian: Function, has_jacobian: Int, n: Int, m: Floats, slots: Ints,
    nominals: Floats, x: Floats, work: Floats,
) -> Float:  # fmt: skip
    """The sign of the determinant at x; 0 where it cannot be told."""
    f = work
    a = work[2 * n :]
    if fw_residual(residual, n, m, slots, x, f) != 0:
        return 0.0
    fw_slopes(residual, jacobian, has_jacobian, n, m, slots, nominals, x, f, a, work[n:])
    return fw_orientation(n, a, work[2 * n + n * n :])


@BESIDE_FOLDS.kernel
def fw_to_side(
    residual: Function, jacobian: Function, has_jacobian: Int, n: Int, m: Floats, slots: Ints,
    starts: Floats, nominals: Floats, x: Floats, work: Floats,
) -> Float:  # fmt: skip
    """At a start on a fold two solutions are one but for rounding: x becomes the one on the side of the start
    values, which choose the branch if both leave the fold. The sign of the determinant there, before anything
    has moved; 0 where start values say nothing."""
    trial = work
    rest = work[n:]
    apart = 0.0
    for i in range(n):
        trial[i] = starts[i]
        apart = max(apart, abs(starts[i] - x[i]) / (abs(x[i]) + CURVE.floor * nominals[i]))
    if apart <= FOLD.beside:
        return 0.0
    wanted = fw_side(residual, jacobian, has_jacobian, n, m, slots, nominals, trial, rest)
    here = fw_side(residual, jacobian, has_jacobian, n, m, slots, nominals, x, rest)
    share = FOLD.off / apart
    for i in range(n):
        trial[i] = x[i] - share * (starts[i] - x[i])
    behind = fw_side(residual, jacobian, has_jacobian, n, m, slots, nominals, trial, rest)
    if wanted * here == 1.0 and wanted * behind != -1.0:
        return wanted
    while wanted != 0.0 and share * apart <= 2.0 * FOLD.beside:
        for i in range(n):
            trial[i] = x[i] + share * (starts[i] - x[i])
        if wanted == fw_side(
            residual, jacobian, has_jacobian, n, m, slots, nominals, trial, rest
        ):  # fmt: skip
            for i in range(n):
                x[i] = trial[i]
            return wanted
        share *= 2.0
    return 0.0


@BESIDE_FOLDS.kernel
def fw_to_zero(
    residual: Function, n: Int, m: Floats, slots: Ints, starts: Floats, nominals: Floats, x: Floats,
    work: Floats,
) -> None:  # fmt: skip
    """Unknowns that are zero but for rounding become zero, unless some residual grows by it: a product v*i
    vanishes at v = 0 only, and slopes at v = 1e-22 tell nothing."""
    f = work
    there = work[n:]
    count = 0
    for k in range(n):
        if x[k] != 0.0 and abs(x[k]) <= NEWTON.tolerance * fw_size(starts[k], nominals[k]):
            count += 1
    if count == 0 or fw_residual(residual, n, m, slots, x, f) != 0:
        return
    for k in range(n):
        own = x[k]
        if own != 0.0 and abs(own) <= NEWTON.tolerance * fw_size(starts[k], nominals[k]):
            x[k] = 0.0
            is_better = 1 - fw_residual(residual, n, m, slots, x, there)
            for i in range(n):
                if abs(there[i]) > abs(f[i]):
                    is_better = 0
            if is_better == 1:
                for i in range(n):
                    f[i] = there[i]
            else:
                x[k] = own
    fw_residual(residual, n, m, slots, x, f)


@BESIDE_FOLDS.kernel
def fw_is_loose(
    residual: Function, jacobian: Function, has_jacobian: Int, n: Int, m: Floats, slots: Ints,
    starts: Floats, nominals: Floats, bounds: Floats, x: Floats, work: Floats,
) -> Int:  # fmt: skip
    """Whether the solution x is one of a continuum: the Jacobian is singular, and from a point close by
    Newton's method comes back to another solution, from half as far to one half as far. (At a fold, where it
    is singular, too, it comes back to x or to one other solution from both.)"""
    f = work
    step = work[n:]
    trial = work[2 * n :]
    kept = work[3 * n :]
    rest = work[4 * n :]
    if fw_residual(residual, n, m, slots, x, f) != 0:
        return 0
    a = rest
    fw_slopes(residual, jacobian, has_jacobian, n, m, slots, nominals, x, f, a, step)
    status = 0
    if fw_plain_step(n, x, nominals, a, f, step, rest[n * n :]) == 0:
        status = 1
    is_loose = 0
    for turn in range(2):
        for k in range(n):
            size = abs(x[k]) if x[k] != 0.0 else fw_size(starts[k], nominals[k])
            step[k] = (1.0 - 0.5 * turn) * NEWTON.over * size * (1.0 + k * GOLDEN % 1.0)
            trial[k] = x[k] + step[k]
        if status == 0:
            status = fw_newton(
                residual, jacobian, has_jacobian, n, m, slots, nominals, bounds, trial, rest
            )
        for k in range(n):
            moved = m[slots[k]] - x[k]
            if status == 0 and turn == 0:
                kept[k] = moved if abs(moved) > FOLD.kept * step[k] else 0.0
            elif status == 0 and abs(2.0 * moved - kept[k]) < FOLD.proportional * abs(kept[k]):
                is_loose = 1
    fw_put(n, m, slots, x)
    if residual(m, f) != 0:
        return 0
    return is_loose if status == 0 else 0
