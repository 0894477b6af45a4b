"""Numeric solution of linear loops, for the reference backend; newton.py does the others.

    solve_linear(m, (3, 4), [[2.0, 0.0], [1.0, 1.0]], [4.0, 5.0])     m[3] = 2.0, m[4] = 3.0

A singular linear system that is consistent gets the solution nearest to the old values; otherwise
`SingularError`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from freewheel.backend.linear_kernels import fw_drop_rounding
from freewheel.backend.thresholds import LINEAR_LOOP


class SingularError(ArithmeticError):
    """The matrix of a loop has no inverse and the right side does not fit."""


# ---------------------------------------------------------------- linear


def divide(right: float, factor: float, old: float) -> float:
    """One linear equation; `0*x = 0` leaves x as it was."""
    if factor:
        return right / factor
    if right == 0.0:
        return old
    raise SingularError("0*x = " + repr(right))


def solve_linear(
    m: list[float],
    slots: Sequence[int],
    matrix: list[list[float]],
    right: list[float],
    signs: Sequence[int] = (),
) -> None:
    """Solves into the memory. Relations ask for the signs of the unknowns at `signs`: of those, what is less
    than its rounding error becomes zero."""
    solution = eliminate([row[:] for row in matrix], right[:]) if len(slots) <= 6 else None
    if solution is None:
        _solve_dense(m, slots, np.array(matrix), np.array(right))
    else:
        for slot, value in zip(slots, solution, strict=True):
            m[slot] = value
    if signs:
        x = np.array([m[slot] for slot in slots])
        drop_rounding(np.array(matrix), np.array(right), x, signs)
        for place in signs:
            m[slots[place]] = float(x[place])


def drop_rounding(a: np.ndarray, b: np.ndarray, x: np.ndarray, places: Sequence[int]) -> None:
    """As `linear_kernels.fw_drop_rounding`."""
    n = len(x)
    fw_drop_rounding(n, a.ravel(), b, x, len(places), list(places), np.zeros(n * n + 2 * n))


def eliminate(a: list[list[float]], b: list[float]) -> list[float] | None:
    """Gaussian elimination with row scaling and pivoting; None where a pivot vanishes."""
    n = len(b)
    for row in range(n):
        scale = max(map(abs, a[row]))
        if not scale or not math.isfinite(scale):
            return None
        a[row] = [entry / scale for entry in a[row]]
        b[row] /= scale
    for k in range(n):
        best = max(range(k, n), key=lambda r: abs(a[r][k]))
        if abs(a[best][k]) < LINEAR_LOOP.pivot:
            return None
        a[k], a[best], b[k], b[best] = a[best], a[k], b[best], b[k]
        pivot_row, pivot = a[k], a[k][k]
        for r in range(k + 1, n):
            factor = a[r][k] / pivot
            if factor:
                row_values = a[r]
                for c in range(k + 1, n):
                    row_values[c] -= factor * pivot_row[c]
                b[r] -= factor * b[k]
    for k in range(n - 1, -1, -1):
        b[k] = (b[k] - sum(a[k][c] * b[c] for c in range(k + 1, n))) / a[k][k]
    return b


def _solve_dense(
    m: list[float], slots: Sequence[int], matrix: np.ndarray, right: np.ndarray
) -> None:
    scale = np.max(np.abs(matrix), axis=1)
    if not np.all(np.isfinite(matrix)) or not np.all(np.isfinite(right)):
        raise SingularError("the coefficients are not finite")
    scale[scale == 0.0] = 1.0
    a, b = matrix / scale[:, None], right / scale
    solution = _regular(a, b)
    if solution is None:
        old = np.array([m[slot] for slot in slots])
        solution = old + np.linalg.lstsq(a, b - a @ old, rcond=1e-12)[0]
        misfit = float(np.max(np.abs(a @ solution - b)))
        if misfit > 1e-8 * (1.0 + float(np.max(np.abs(b)))):
            raise SingularError(f"the loop is singular; {misfit:.3g} is left over")
    for slot, value in zip(slots, solution.tolist(), strict=True):
        m[slot] = value


def _regular(a: np.ndarray, b: np.ndarray) -> np.ndarray | None:
    """None where rounding errors would decide: a contradiction must not pass for large numbers."""
    columns = np.max(np.abs(a), axis=0)
    columns[columns == 0.0] = 1.0
    try:
        scaled: np.ndarray = np.linalg.solve(a / columns, b)
    except np.linalg.LinAlgError:
        return None
    if not np.all(np.isfinite(scaled)):
        return None
    largest, given = float(np.max(np.abs(scaled))), float(np.max(np.abs(b)))
    misfit = float(np.max(np.abs((a / columns) @ scaled - b)))
    is_good = misfit <= 1e-6 * (given + largest) and largest <= LINEAR_LOOP.most_growth * given
    return scaled / columns if is_good else None
