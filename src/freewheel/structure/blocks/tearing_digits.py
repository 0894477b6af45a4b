"""Whether tearing a linear loop loses digits, tried on numbers.

    v[k] - v[k+1] = R*i[k];  v[k+1] = G*j[k];  i[k] = i[k+1] + j[k]      k = 1 .. 20

One guess, v[2], gives everything else from one end of such a ladder to the other, and its rounding grows by
the same factor in each section. The matrix itself is well conditioned. In come the coefficients as they
are with the present parameters; a solution that is known is found again by tearing and by elimination with
pivoting (LU), and the errors are compared. Unknowns and rows are equilibrated first, so units do not
matter.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from freewheel.graphs.tearing import Torn
from freewheel.structure.thresholds import CANCELLATION, GOLDEN

Matrix = npt.NDArray[np.float64]

FEWEST = 6  # followed unknowns: fewer steps do not amplify rounding beyond what pivots do
MOST = 400  # unknowns: beyond, the dense trial takes longer than a tenth of a second


def loses_digits(rows: Sequence[Sequence[tuple[int, float]]], torn: Torn, count: int) -> bool:
    """`rows` hold (unknown, coefficient)."""
    if len(torn.order) < FEWEST or count > MOST:
        return False
    A = np.zeros((count, count))
    for number, row in enumerate(rows):
        for column, coefficient in row:
            A[number, column] = coefficient
    A = _equilibrated(A)
    if not np.isfinite(A).all():
        return False
    x = np.where(np.arange(count) % 2, -1.0, 1.0) * (1.0 + np.arange(1, count + 1) * GOLDEN % 1.0)
    b = A @ x
    error = _error(_by_tearing(A, b, torn), x)
    return error > CANCELLATION.lost and error > CANCELLATION.worse * _error(_by_pivoting(A, b), x)


def _equilibrated(A: Matrix) -> Matrix:
    """Largest entries of rows and columns near one, by powers of two."""
    for axis in (1, 0, 1, 0):
        largest = np.abs(A).max(axis=axis, keepdims=True)
        with np.errstate(divide="ignore"):
            A = A * np.exp2(-np.round(np.log2(largest)))
    return A


def _error(found: Matrix | None, x: Matrix) -> float:
    """Relative; infinite where nothing was found."""
    if found is None or not np.isfinite(found).all():
        return float("inf")
    return float(np.abs(found - x).max())


def _by_pivoting(A: Matrix, b: Matrix) -> Matrix | None:
    try:
        return np.asarray(np.linalg.solve(A, b))
    except np.linalg.LinAlgError:
        return None


def _by_tearing(A: Matrix, b: Matrix, torn: Torn) -> Matrix | None:
    """As the run does it: unknowns as linear forms of the guesses, then residuals, then numbers."""
    forms = np.zeros((len(b), len(torn.guessed) + 1))
    for k, guess in enumerate(torn.guessed):
        forms[guess, k] = 1.0
    known = np.zeros(len(b), bool)
    known[list(torn.guessed)] = True
    for row, column in torn.order:
        rest = A[row] @ np.where(known[:, None], forms, 0.0)
        rest[-1] -= b[row]
        forms[column] = -rest / A[row, column]
        known[column] = True
    residuals = A[list(torn.residuals)] @ forms
    guesses = _by_pivoting(residuals[:, :-1], b[list(torn.residuals)] - residuals[:, -1])
    return None if guesses is None else np.asarray(forms @ np.append(guesses, 1.0))
