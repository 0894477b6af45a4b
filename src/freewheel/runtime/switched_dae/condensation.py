"""One part of a mode made small: unknowns that plain algebra gives are solved for first.

Rows without y' and unknowns whose y' nowhere occurs form a block of A. Where it is regular it is
eliminated; what is left is a pencil of about as many unknowns as there are storages, and everything
said of it carries over: with residuals rho of all rows, u the unknowns left,

    u = pick y,    y = back u + direct rho,    residuals of what is left = reduce rho

    E = diag(1, 0, 0), A = [[0, 1, 0], [1, 1, 0], [0, -1, 1]]      ->  one unknown, u' - u = ...
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from freewheel.runtime.model import Vector
from freewheel.runtime.switched_dae.graded_inverse import combined, graded_inverse, storages_apart
from freewheel.runtime.switched_dae.thresholds import ANALYSIS


@dataclass(frozen=True, slots=True)
class Condensed:
    E: Vector
    A: Vector
    pick: Vector
    back: Vector
    direct: Vector
    reduce: Vector
    eliminated: int


def condense_leaky(E: Vector, A: Vector) -> Condensed | None:
    """Where leaks make the block of A nearly singular, and yet all is given: only storages are left, each
    with its own rate. None where it is not like that."""
    combine, E = storages_apart(E)
    A = combined(combine, A)
    row_stays, column_stays = (E != 0.0).any(axis=1), (E != 0.0).any(axis=0)
    rows, columns = np.flatnonzero(~row_stays), np.flatnonzero(~column_stays)
    if len(rows) != len(columns) or len(rows) in (0, len(E)):
        return None
    block = A[np.ix_(rows, columns)]
    if np.linalg.svd(block, compute_uv=False)[-1] > ANALYSIS.strong:
        return None
    inverse = graded_inverse(block)
    if inverse is None:
        return None
    keep, pick = np.eye(len(E))[row_stays], np.eye(len(E))[column_stays]
    if graded_inverse(keep @ E @ pick.T) is None:
        return None
    direct = np.zeros(E.shape)
    direct[np.ix_(columns, rows)] = -inverse
    back = pick.T + direct @ (A @ pick.T)
    reduce = keep + keep @ A @ direct
    small = keep @ E @ pick.T, keep @ A @ back
    return Condensed(*small, pick, back, direct @ combine, reduce @ combine, len(rows))


def condense(E: Vector, A: Vector) -> Condensed:
    """Of scaled matrices; they need not be square."""
    height, width = A.shape
    row_stays, column_stays = (E != 0.0).any(axis=1), (E != 0.0).any(axis=0)
    rows, columns = np.flatnonzero(~row_stays), np.flatnonzero(~column_stays)
    if len(rows) == 0 or len(columns) == 0:
        nothing = np.zeros((width, height))
        return Condensed(E, A, np.eye(width), np.eye(width), nothing, np.eye(height), 0)
    left, sizes, right = np.linalg.svd(A[np.ix_(rows, columns)])
    rank = int((sizes > ANALYSIS.strong).sum())
    inverse = right[:rank].T @ (left[:, :rank].T / sizes[:rank, None])
    direct = np.zeros((width, height))
    direct[np.ix_(columns, rows)] = -inverse
    pick = np.zeros((int(column_stays.sum()) + len(columns) - rank, width))
    d = int(column_stays.sum())
    pick[np.arange(d), np.flatnonzero(column_stays)] = 1.0
    pick[d:, columns] = right[rank:]
    keep = np.zeros((int(row_stays.sum()) + len(rows) - rank, height))
    e = int(row_stays.sum())
    keep[np.arange(e), np.flatnonzero(row_stays)] = 1.0
    keep[e:, rows] = left[:, rank:].T
    back = pick.T + direct @ (A @ pick.T)
    reduce = keep + keep @ A @ direct
    return Condensed(keep @ E @ pick.T, keep @ A @ back, pick, back, direct, reduce, rank)
