"""Inverses of matrices whose numbers differ by many powers of ten, where these are meant.

    graded_inverse([[1, 1], [1, 1 + 1e-9]])        regular: the 1e-9 is no rounding
    graded_inverse([[0.1, 0.3], [0.2, 0.6]])       None: all that is left of 0.6 - 2*0.3 is

Singular values say how large numbers are beside the largest of all, and a leak of 1e-9 would be as good as
nothing. Elimination knows more: an entry is nothing where it is the rest of larger ones that cancelled
each other. Leaky circuits are solved like this to as many digits as ideal ones.
"""

from __future__ import annotations

import numpy as np

from freewheel.runtime.model import Vector
from freewheel.runtime.switched_dae.thresholds import ANALYSIS


def graded_inverse(matrix: Vector) -> Vector | None:
    """By Gauss and Jordan with full pivoting; None where rounding is all that is left."""
    n = len(matrix)
    left, right = np.array(matrix, float), np.eye(n)
    been = np.abs(left)
    open_rows, open_columns = np.ones(n, bool), np.ones(n, bool)
    place = np.zeros(n, int)
    for _ in range(n):
        sizes = np.where(open_rows[:, None] & open_columns, np.abs(left), 0.0)
        row, column = np.unravel_index(int(np.argmax(sizes)), sizes.shape)
        if sizes[row, column] == 0.0:
            return None
        pivot = left[row, column]
        left[row] /= pivot
        right[row] /= pivot
        been[row] /= abs(pivot)
        factors = left[:, column].copy()
        factors[row] = 0.0
        change = np.outer(factors, left[row])
        np.maximum(been, np.abs(change), out=been)
        left -= change
        left[np.abs(left) < ANALYSIS.cancelled * been] = 0.0
        right -= np.outer(factors, right[row])
        open_rows[row] = open_columns[column] = False
        place[column] = row
    return right[place]


def combined(combine: Vector, matrix: Vector) -> Vector:
    """Their product; what is the rest of terms that cancel each other is nothing, no leak."""
    product, been = combine @ matrix, np.abs(combine) @ np.abs(matrix)
    return np.where(np.abs(product) < ANALYSIS.cancelled * been, 0.0, product)


def storages_apart(E: Vector) -> tuple[Vector, Vector]:
    """Combines rows so that as few as there can be have entries of E: of three coils that meet in a
    point two are storages, and the third says something about their voltages."""
    both = np.hstack([np.array(E, float), np.eye(len(E))])  # what is left of E, and the weights
    been = np.abs(both)
    open_rows = np.ones(len(E), bool)
    for _ in range(min(E.shape)):
        sizes = np.where(open_rows[:, None], np.abs(both[:, : E.shape[1]]), 0.0)
        row, column = np.unravel_index(int(np.argmax(sizes)), sizes.shape)
        if sizes[row, column] == 0.0:
            break
        open_rows[row] = False
        factors = np.where(open_rows, both[:, column] / both[row, column], 0.0)
        change = np.outer(factors, both[row])
        np.maximum(been, np.abs(change), out=been)
        both -= change
        both[np.abs(both) < ANALYSIS.cancelled * been] = 0.0
    return both[:, E.shape[1] :], both[:, : E.shape[1]]
