"""Subspaces of a matrix pencil s E + A: which directions may jump, which values are consistent.

Wong sequences: W begins with ker E and grows by E^-1(A W), V begins with everything and shrinks by
A^-1(E V). W holds the directions in which a mode's unknowns jump at its beginning, V the values that
are consistent without sources; the number of rounds of W is the index. Berger, Ilchmann, Trenn, The
quasi-Weierstrass form for regular matrix pencils, 2012.

    E = [[1, 0], [0, 0]], A = [[0, 1], [1, 0]]    (y1' + y2 = 0, y1 = 0)    ->  index 2, no V
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from freewheel.base.stop import raise_if_asked
from freewheel.runtime.model import Vector
from freewheel.runtime.switched_dae.thresholds import ANALYSIS


@dataclass(frozen=True, slots=True)
class Subspaces:
    jumps: Vector  # W, orthonormal columns
    values: Vector  # V
    index: int
    free: Vector  # unknowns nothing determines, orthonormal columns
    tied: Vector  # combinations of rows that say nothing, orthonormal columns


def all_states(n: int) -> Subspaces:
    """Of a regular E: no direction jumps, every value is consistent."""
    nothing = np.zeros((n, 0))
    return Subspaces(nothing, np.eye(n), 0, nothing, nothing)


def null_space(matrix: Vector) -> Vector:
    if matrix.size == 0:
        return np.eye(matrix.shape[1])
    raise_if_asked()  # of hundreds of unknowns an analysis takes a second
    _, sizes, right = np.linalg.svd(matrix)
    return np.asarray(right[int((sizes > ANALYSIS.rank).sum()) :].T)


def column_space(matrix: Vector) -> Vector:
    if matrix.size == 0:
        return matrix[:, :0]
    left, sizes, _ = np.linalg.svd(matrix, full_matrices=False)
    return np.asarray(left[:, sizes > ANALYSIS.rank])


def _reached_by(outer: Vector, inner: Vector) -> Vector:
    """All x with `outer` x in the column space of `inner`."""
    base = column_space(inner)
    return null_space(outer - base @ (base.T @ outer))


def _jumps(E: Vector, A: Vector) -> tuple[Vector, int]:
    """W, and how many rounds it took."""
    jumps, index = null_space(E), 0
    while jumps.shape[1] and index < E.shape[1]:
        index += 1
        larger = _reached_by(E, A @ jumps)
        if larger.shape[1] == jumps.shape[1]:
            break
        jumps = larger
    return jumps, index


def _is_regular(E: Vector, A: Vector) -> bool:
    """Whether s E + A can be inverted: then V and W make up the whole space. V, which shrinks, misses states
    that are faster than the rest by some 1e5; of a regular pencil it is also the null space of L' A, with L
    the W of the transposed pencil."""
    return len(E) == E.shape[1] and all(
        np.linalg.svd(A + s * E, compute_uv=False)[-1] > ANALYSIS.regular for s in ANALYSIS.shifts
    )


def subspaces(E: Vector, A: Vector) -> Subspaces:
    """Of a pencil whose matrices are balanced; they need not be square."""
    n = E.shape[1]
    jumps, index = _jumps(E, A)
    values = np.eye(n)
    while True:
        smaller = _reached_by(A, E @ values)
        is_last = smaller.shape[1] == values.shape[1]
        values = smaller
        if is_last:
            break
    if values.shape[1] + jumps.shape[1] < n and _is_regular(E, A):
        left, _ = _jumps(E.T, A.T)
        if left.shape[1] == jumps.shape[1]:
            values = np.linalg.svd(left.T @ A)[2][left.shape[1] :].T
    return Subspaces(
        jumps, values, index, null_space(np.vstack([E, A])), null_space(np.hstack([E, A]).T)
    )
