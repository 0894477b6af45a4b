"""Signatures of solutions: the signs of the pivots of a Jacobian in a fixed order of rows.

    fw_signature(n, x, nominals, a, m, at, matrix)      order of rows and signs, from m[at] on
    fw_likeness(n, a, m, at, matrix)                    whether a Jacobian has the same

What they tell is in `branch_kernels.py`.
"""

from __future__ import annotations

from freewheel.backend.linear_kernels import fw_not_finite
from freewheel.backend.llvm_kernels import SOLVERS, fw_size
from freewheel.backend.thresholds import LINEAR_LOOP
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int

SIGNATURES = KernelModule("signatures", SOLVERS)

UNLIKE, SAME_SENSE, ALIKE = 0, 1, 2  # of a Jacobian and a signature


@SIGNATURES.kernel
def fw_signature(
    n: Int, x: Floats, nominals: Floats, a: Floats, m: Floats, at: Int, matrix: Floats
) -> None:
    """The signature of a Jacobian at x, and the order of rows that goes with it, from m[at] on; all signs are
    0 where a pivot vanishes, in units of the unknowns."""
    for c in range(n):
        size = fw_size(x[c], nominals[c])
        for r in range(n):
            matrix[r * n + c] = a[r * n + c] * size
    is_regular = fw_scale_rows(n, matrix)
    for i in range(n):
        m[at + i] = float(i)
    for k in range(n):
        best = k
        for r in range(k + 1, n):
            if abs(matrix[r * n + k]) > abs(matrix[best * n + k]):
                best = r
        if not abs(matrix[best * n + k]) > LINEAR_LOOP.pivot:
            is_regular = 0
        if best != k:
            row = m[at + k]
            m[at + k] = m[at + best]
            m[at + best] = row
            for c in range(n):
                other = matrix[k * n + c]
                matrix[k * n + c] = matrix[best * n + c]
                matrix[best * n + c] = other
        m[at + n + k] = fw_eliminate_below(n, matrix, k)
    if is_regular == 0:
        for k in range(n):
            m[at + n + k] = 0.0


@SIGNATURES.kernel
def fw_scale_rows(n: Int, matrix: Floats) -> Int:
    """Largest entries become one; 0 where a row is empty or has no numbers."""
    if fw_not_finite(n * n, matrix) != 0:
        return 0
    for r in range(n):
        size = 0.0
        for c in range(n):
            size = max(size, abs(matrix[r * n + c]))
        if not size > 0.0:
            return 0
        for c in range(n):
            matrix[r * n + c] = matrix[r * n + c] / size
    return 1


@SIGNATURES.kernel
def fw_eliminate_below(n: Int, matrix: Floats, k: Int) -> Float:
    """Column k below its pivot becomes zero; the sign of the pivot."""
    pivot = matrix[k * n + k]
    if pivot == 0.0:
        return 0.0
    for r in range(k + 1, n):
        factor = matrix[r * n + k] / pivot
        for c in range(k + 1, n):
            matrix[r * n + c] -= factor * matrix[k * n + c]
    return 1.0 if pivot > 0.0 else -1.0


@SIGNATURES.kernel
def fw_likeness(n: Int, a: Floats, m: Floats, at: Int, matrix: Floats) -> Int:
    """How a Jacobian is like the signature that begins at m[at]: ALIKE, SAME_SENSE where
    only the sign of its determinant is, or UNLIKE."""
    if m[at + n] == 0.0:
        return UNLIKE
    for k in range(n):
        row = int(m[at + k])
        for c in range(n):
            matrix[k * n + c] = a[row * n + c]
    if fw_scale_rows(n, matrix) == 0:
        return UNLIKE
    differ = 0
    product = 1.0
    for k in range(n):
        sign = fw_eliminate_below(n, matrix, k)
        product *= sign * m[at + n + k]
        if sign != m[at + n + k]:
            differ += 1
    if differ == 0:
        return ALIKE
    return SAME_SENSE if product > 0.0 else UNLIKE
