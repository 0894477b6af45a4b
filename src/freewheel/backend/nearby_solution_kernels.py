"""Newton's method from a point near the solution of a loop, trusted where its steps shrink quickly.

    fw_near(...)           0: solved on the same branch; 1: the steps do not shrink; MISLED: wrong slopes
    fw_orientation(...)    the sign of the determinant: it changes where a branch turns at a fold

At a fold steps shrink to a half at best, and beyond it they do not shrink (z^2 = b has the steps
z -> (z + b/z)/2). What is done then, `follow_kernels.py` says.
"""

from __future__ import annotations

from freewheel.backend.linear_kernels import fw_eliminate, fw_not_finite
from freewheel.backend.llvm_kernels import (
    SOLVERS,
    fw_balanced,
    fw_differences,
    fw_norm,
    fw_put,
    fw_residual,
)
from freewheel.backend.thresholds import CURVE, NEWTON
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Function, Int, Ints

NEARBY = KernelModule("nearby_solution", SOLVERS)

MISLED = 2  # of `fw_near`


@NEARBY.kernel
def fw_slopes(
    residual: Function, jacobian: Function, has_jacobian: Int, n: Int, m: Floats, slots: Ints,
    nominals: Floats, x: Floats, f: Floats, a: Floats, there: Floats,
) -> None:  # fmt: skip
    """The Jacobian at x, where the residuals are f."""
    if has_jacobian != 0:
        fw_put(n, m, slots, x)
        if jacobian(m, a) == 0 and fw_not_finite(n * n, a) == 0:
            return
    fw_differences(residual, n, m, slots, x, f, nominals, a, there)


@NEARBY.kernel
def fw_plain_step(
    n: Int, x: Floats, nominals: Floats, a: Floats, f: Floats, step: Floats, matrix: Floats
) -> Int:
    """-f/a"""
    if n == 1:
        if a[0] == 0.0:
            return 1
        step[0] = -f[0] / a[0]
        return fw_not_finite(1, step)
    for i in range(n):
        step[i] = -f[i]
    for i in range(n * n):
        matrix[i] = a[i]
    if fw_eliminate(n, matrix, step) == 0:
        return 0
    for i in range(n):
        step[i] = -f[i]
    return fw_balanced(n, x, nominals, a, step, matrix)


@NEARBY.kernel
def fw_near(
    residual: Function, jacobian: Function, has_jacobian: Int, n: Int, m: Floats, slots: Ints,
    nominals: Floats, x: Floats, work: Floats,
) -> Int:  # fmt: skip
    """Newton's method from x as long as its steps shrink quickly: 0 and the memory solved, else 1, or MISLED
    where slopes by formulas are wrong."""
    f = work
    there = work[n:]
    scale = work[2 * n :]
    step = work[3 * n :]
    first = work[4 * n :]
    a = work[5 * n :]
    matrix = work[5 * n + n * n :]
    if fw_residual(residual, n, m, slots, x, f) != 0:
        return 1
    before = 0.0
    for k in range(CURVE.near_iterations):
        if k != 1 and fw_norm(n, f) == 0.0:
            return 0
        fw_slopes(residual, jacobian, has_jacobian, n, m, slots, nominals, x, f, a, there)
        if k == 1 and before > CURVE.rounded and fw_is_bent(n, a, step, first) != 0:
            return 1
        if fw_plain_step(n, x, nominals, a, f, step, matrix) != 0:
            return 1
        size = 0.0
        for i in range(n):
            if k == 0:
                first[i] = f[i]
                scale[i] = max(abs(x[i]), abs(x[i] + step[i])) + CURVE.floor * nominals[i]
            size = max(size, abs(step[i]) / scale[i])
        if k > 0 and size > CURVE.contraction * before and size > CURVE.rounded:
            return 1
        for i in range(n):
            x[i] += step[i]
        if fw_residual(residual, n, m, slots, x, f) != 0:
            return 1
        if size <= NEWTON.tolerance or (
            k > 0 and size <= CURVE.rounded and size > CURVE.contraction * before
        ):
            has_shrunk = 1 if k > 0 and size <= CURVE.contraction * before else 0
            if has_jacobian == 0 or has_shrunk == 1 or size == 0.0:
                return 0
            if not fw_norm(n, f) > CURVE.effect * fw_norm(n, first):
                return 0
            # Small steps without effect: residuals are rounding, or slopes by formulas are too steep.
            for i in range(n):
                step[i] *= CURVE.seen / size
            return fw_misleads(residual, n, m, slots, x, a, step, f, first, scale)
        before = size
    return 1


@NEARBY.kernel
def fw_misleads(
    residual: Function, n: Int, m: Floats, slots: Ints, x: Floats, a: Floats, step: Floats, f: Floats,
    there: Floats, trial: Floats,
) -> Int:  # fmt: skip
    """MISLED where residuals change otherwise over a step than slopes tell: a derivative by annotation, or of
    a function that iterates, may be wrong. Else 0, and the memory belongs to x, where residuals are f."""
    for i in range(n):
        trial[i] = x[i] + step[i]
    status = fw_residual(residual, n, m, slots, trial, there)
    for r in range(n):
        told = 0.0
        size = 0.0
        for c in range(n):
            told += a[r * n + c] * (trial[c] - x[c])
            size += abs(a[r * n + c] * (trial[c] - x[c]))
        if status == 0 and not abs(there[r] - f[r] - told) <= CURVE.effect * size + abs(f[r]):
            status = MISLED
    if status == 0:
        status = fw_residual(residual, n, m, slots, x, f)
    return status


@NEARBY.kernel
def fw_is_bent(n: Int, a: Floats, step: Floats, first: Floats) -> Int:
    """Whether the Jacobian at the end of Newton's first step differs much from that at its beginning: then a
    solution there may have been met by chance."""
    change = 0.0
    whole = 0.0
    for r in range(n):
        size = 0.0
        moved = 0.0
        for c in range(n):
            moved += a[r * n + c] * step[c]
            size += abs(a[r * n + c] * step[c])
        size = max(size, abs(first[r]))
        if size > 0.0:
            change = max(change, abs(moved + first[r]) / size)
            whole = max(whole, abs(first[r]) / size)
    return 1 if change > CURVE.bent_jacobian * whole else 0


@NEARBY.kernel
def fw_orientation(n: Int, a: Floats, matrix: Floats) -> Float:
    """The sign of the determinant; 0 where it cannot be told."""
    if n == 1:
        return 1.0 if a[0] > 0.0 else -1.0 if a[0] < 0.0 else 0.0
    sign = 1.0
    for r in range(n):
        size = 0.0
        for c in range(n):
            size = max(size, abs(a[r * n + c]))
        if not size > 0.0:
            return 0.0
        for c in range(n):
            matrix[r * n + c] = a[r * n + c] / size
    for k in range(n):
        best = k
        for r in range(k + 1, n):
            if abs(matrix[r * n + k]) > abs(matrix[best * n + k]):
                best = r
        if matrix[best * n + k] == 0.0:
            return 0.0
        if best != k:
            sign = -sign
            for c in range(n):
                other = matrix[k * n + c]
                matrix[k * n + c] = matrix[best * n + c]
                matrix[best * n + c] = other
        if matrix[k * n + k] < 0.0:
            sign = -sign
        for r in range(k + 1, n):
            factor = matrix[r * n + k] / matrix[k * n + k]
            for c in range(k + 1, n):
                matrix[r * n + c] -= factor * matrix[k * n + c]
    return sign
