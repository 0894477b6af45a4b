"""LAPACK routines that libraries call by name, on numpy.

    LAPACK["dgesv"]([n, nrhs, A, lda, ipiv, b, ldb, info])  ->  {5: x, 7: 0}

A routine gets all arguments of the FORTRAN call in order and answers with those it changes, by
their position from 0. Matrices come as they are written, not column by column; work space and
leading dimensions are not looked at. `info` is 0, or tells as in LAPACK what went wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from freewheel.formula.values import ArrayValue

Matrix = npt.NDArray[np.float64]
Changes = dict[int, Any]


def _matrix(arg: Any) -> Matrix:
    if isinstance(arg, ArrayValue):
        return np.array(arg.elements, dtype=float).reshape(arg.dims)
    return np.array(arg, dtype=float)


# ---------------------------------------------------------------- linear equations


def factored(matrix: Matrix) -> tuple[Matrix, list[int], int]:
    """LU with row exchanges; the exchanges count from 1; and the place of a zero pivot, or 0."""
    lu = matrix.copy()
    pivots: list[int] = []
    singular = 0
    for k in range(min(lu.shape)):
        row = k + int(np.argmax(np.abs(lu[k:, k])))
        pivots.append(row + 1)
        if lu[row, k] == 0.0:
            singular = singular or k + 1
            continue
        lu[[k, row]] = lu[[row, k]]
        lu[k + 1 :, k] /= lu[k, k]
        lu[k + 1 :, k + 1 :] -= np.outer(lu[k + 1 :, k], lu[k, k + 1 :])
    return lu, pivots, singular


def _dgesv(args: list[Any]) -> Changes:
    lu, pivots, singular = factored(_matrix(args[2]))
    if singular:
        return {2: lu, 4: np.array(pivots), 7: singular}
    return {2: lu, 4: np.array(pivots), 5: _substituted(lu, pivots, _matrix(args[5])), 7: 0}


def _substituted(lu: Matrix, pivots: Any, right: Matrix) -> Matrix:
    x = right.copy()
    for k, row in enumerate(pivots):
        x[[k, int(row) - 1]] = x[[int(row) - 1, k]]
    size = len(lu)
    for k in range(size):
        x[k + 1 :] -= np.multiply.outer(lu[k + 1 :, k], x[k])
    for k in range(size - 1, -1, -1):
        x[k] /= lu[k, k]
        x[:k] -= np.multiply.outer(lu[:k, k], x[k])
    return x


def _dgetrf(args: list[Any]) -> Changes:
    lu, pivots, singular = factored(_matrix(args[2]))
    return {2: lu, 4: np.array(pivots), 5: singular}


def _dgetrs(args: list[Any]) -> Changes:
    pivots = _matrix(args[5]).astype(int)
    return {6: _substituted(_matrix(args[3]), pivots, _matrix(args[6])), 8: 0}


def _dgetri(args: list[Any]) -> Changes:
    lu = _matrix(args[1])
    if np.any(np.diag(lu) == 0.0):
        return {6: int(np.argmax(np.diag(lu) == 0.0)) + 1}
    pivots = _matrix(args[3]).astype(int)
    return {1: _substituted(lu, pivots, np.eye(len(lu))), 6: 0}


def _dgtsv(args: list[Any]) -> Changes:
    """A tridiagonal matrix from its three diagonals."""
    below, diagonal, above, right = (_matrix(args[i]) for i in (2, 3, 4, 5))
    full = np.diag(diagonal) + np.diag(below, -1) + np.diag(above, 1)
    lu, pivots, singular = factored(full)
    return {7: singular} if singular else {5: _substituted(lu, pivots, right), 7: 0}


def _dtrsm(args: list[Any]) -> Changes:
    """`op(A)*X = alpha*B` or `X*op(A) = alpha*B` with a triangular `A`."""
    side, uplo, trans, diag = (str(arg).upper() for arg in args[:4])
    a = _matrix(args[7])
    a = np.triu(a) if uplo == "U" else np.tril(a)
    if diag == "U":
        np.fill_diagonal(a, 1.0)
    a = a.T if trans != "N" else a
    right = float(args[6]) * _matrix(args[9])
    return {9: np.linalg.solve(a, right) if side == "L" else np.linalg.solve(a.T, right.T).T}


def _dpotrf(args: list[Any]) -> Changes:
    a = _matrix(args[2])
    is_upper = str(args[0]).upper() == "U"
    symmetric = np.triu(a) + np.triu(a, 1).T if is_upper else np.tril(a) + np.tril(a, -1).T
    try:
        lower = np.linalg.cholesky(symmetric)
    except np.linalg.LinAlgError:
        return {4: 1}
    kept = np.tril(a, -1) + lower.T if is_upper else np.triu(a, 1) + lower
    return {2: kept, 4: 0}


# ---------------------------------------------------------------- least squares


def _dgels(args: list[Any]) -> Changes:
    return {6: _least_squares(_matrix(args[4]), _matrix(args[6]), None)[0], 10: 0}


def _dgelsy(args: list[Any]) -> Changes:
    solution, rank = _least_squares(_matrix(args[3]), _matrix(args[5]), float(args[8]))
    return {5: solution, 9: rank, 12: 0}


def _least_squares(a: Matrix, b: Matrix, cut: float | None) -> tuple[Matrix, int]:
    """The solution of least norm, in a copy of `b` that may be longer than needed."""
    solution, _, rank, _ = np.linalg.lstsq(a, b[: a.shape[0]], rcond=cut)
    result = b.copy()
    result[: a.shape[1]] = solution
    return result, int(rank)


def _dgglse(args: list[Any]) -> Changes:
    """Least squares `A*x = c` under `B*x = d`: within the solutions of the second equation."""
    a, b, c, d = (_matrix(args[i]) for i in (3, 5, 7, 8))
    particular = np.linalg.lstsq(b, d, rcond=None)[0]
    _, sizes, directions = np.linalg.svd(b)
    free = directions[int(np.sum(sizes > 1e-13 * max(1.0, *sizes))) :].T
    step = np.linalg.lstsq(a @ free, c - a @ particular, rcond=None)[0]
    return {9: particular + free @ step, 12: 0}


# ---------------------------------------------------------------- eigenvalues, singular values


def _dgeev(args: list[Any]) -> Changes:
    """A pair of complex vectors is stored as real and imaginary part in two columns."""
    values, vectors = np.linalg.eig(_matrix(args[3]))
    changes: Changes = {5: values.real.copy(), 6: values.imag.copy(), 13: 0}
    if str(args[1]).upper() == "V":
        stored = vectors.real.copy()
        for k in range(len(values)):
            if values[k].imag < 0:
                stored[:, k] = vectors[:, k - 1].imag
        changes[9] = stored
    return changes


def _dgesvd(args: list[Any]) -> Changes:
    return _singular_values(_matrix(args[4]), str(args[0]).upper(), 6, 7, 9, 13)


def _dgesdd(args: list[Any]) -> Changes:
    return _singular_values(_matrix(args[3]), str(args[0]).upper(), 5, 6, 8, 13)


def _singular_values(a: Matrix, job: str, sigma: int, left: int, right: int, info: int) -> Changes:
    if job == "N":
        return {sigma: np.linalg.svd(a, compute_uv=False), info: 0}
    u, sizes, vt = np.linalg.svd(a, full_matrices=True)
    return {sigma: sizes, left: u, right: vt, info: 0}


# ---------------------------------------------------------------- orthogonal factors


def _reflected(matrix: Matrix, is_pivoting: bool) -> tuple[Matrix, Matrix, list[int]]:
    """Householder vectors below the diagonal, R above; columns by falling norm where asked."""
    qr = matrix.copy()
    rows, columns = qr.shape
    order = list(range(1, columns + 1))
    tau = np.zeros(min(rows, columns))
    for k in range(len(tau)):
        if is_pivoting:
            best = k + int(np.argmax(np.linalg.norm(qr[k:, k:], axis=0)))
            qr[:, [k, best]] = qr[:, [best, k]]
            order[k], order[best] = order[best], order[k]
        length = np.linalg.norm(qr[k:, k])
        if length == 0.0 or (k == rows - 1):
            continue
        head = qr[k, k]
        beta = -np.copysign(length, head)
        tau[k] = (beta - head) / beta
        vector = np.append(1.0, qr[k + 1 :, k] / (head - beta))
        qr[k:, k + 1 :] -= tau[k] * np.outer(vector, vector @ qr[k:, k + 1 :])
        qr[k, k], qr[k + 1 :, k] = beta, vector[1:]
    return qr, tau, order


def _dgeqp3(args: list[Any]) -> Changes:
    qr, tau, order = _reflected(_matrix(args[2]), is_pivoting=True)
    return {2: qr, 4: np.array(order), 5: tau, 8: 0}


def _dgeqrf(args: list[Any]) -> Changes:
    qr, tau, _ = _reflected(_matrix(args[2]), is_pivoting=False)
    return {2: qr, 4: tau, 7: 0}


def _dorgqr(args: list[Any]) -> Changes:
    """The first columns of the product of the reflections."""
    vectors, tau = _matrix(args[3]), _matrix(args[5])
    rows, columns = vectors.shape
    q = np.eye(rows, columns)
    for k in range(len(tau) - 1, -1, -1):
        vector = np.append(1.0, vectors[k + 1 :, k])
        q[k:] -= tau[k] * np.outer(vector, vector @ q[k:])
    return {3: q, 8: 0}


# ---------------------------------------------------------------- norms


def _dlange(args: list[Any]) -> Changes:
    """The result is at position -1: it is the value of the function."""
    a = np.abs(_matrix(args[3]))
    kind = str(args[0]).upper()
    if a.size == 0:
        return {-1: 0.0}
    if kind == "M":
        return {-1: float(a.max())}
    if kind in ("1", "O"):
        return {-1: float(a.sum(axis=0).max())}
    return {-1: float(a.sum(axis=1).max() if kind == "I" else np.sqrt((a**2).sum()))}


LAPACK: dict[str, Callable[[list[Any]], Changes]] = {
    "dgesv": _dgesv,
    "dgetrf": _dgetrf,
    "dgetrs": _dgetrs,
    "dgetri": _dgetri,
    "dgtsv": _dgtsv,
    "dtrsm": _dtrsm,
    "dpotrf": _dpotrf,
    "dgels": _dgels,
    "dgelsy": _dgelsy,
    "dgglse": _dgglse,
    "dgeev": _dgeev,
    "dgesvd": _dgesvd,
    "dgesdd": _dgesdd,
    "dgeqp3": _dgeqp3,
    "dgeqrf": _dgeqrf,
    "dorgqr": _dorgqr,
    "dlange": _dlange,
}
