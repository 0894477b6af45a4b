"""Units in which the matrices of a mode are all about one: of rows, of columns, of time.

Volts and micro-amperes meet in one matrix, and E y' + A y = 0 means the same in hours. Rank decisions
must not depend on that, so both matrices are balanced together: the logarithms of r_i a_ij c_j and of
r_i e_ij c_j / tau are made small in the mean, then the largest of every row and column one. Parts of
a mode that have nothing to do with each other get a time scale each.

    E = diag(1e-3, 0), A = [[0, -1e6], [1, 1]]    ->   rows, columns and tau that make 1 of all entries
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from freewheel.runtime.model import Vector
from freewheel.runtime.switched_dae.thresholds import EQUILIBRATION

Labels = npt.NDArray[np.signedinteger]


@dataclass(frozen=True, slots=True)
class Balance:
    rows: Vector  # factors
    columns: Vector  # typical sizes of the unknowns beside each other
    row_tau: Vector  # time scale of each row's part
    column_tau: Vector
    row_part: Labels
    column_part: Labels

    @property
    def tau(self) -> float:
        """The shortest of the time scales."""
        return float(self.row_tau.min()) if len(self.row_tau) else 1.0


def balance(
    E: Vector,
    A: Vector,
    sizes: Vector | None = None,
    elements: Sequence[int] = (),
    usual: Vector | None = None,
) -> Balance:
    """Where the matrices move, `sizes` of the unknowns show which entries pass through zero: a force
    of 1e-8 N would make the time scale a day; so do entries far below what is `usual` for them. The
    columns then follow these sizes."""
    n = len(A)
    row_part, column_part = _parts((E != 0.0) | (A != 0.0))
    count = int(max(row_part.max(), column_part.max())) + 1 if n else 0
    entries = _Entries(E, A, row_part, count)
    passing = np.zeros(len(entries.log), bool)
    if sizes is not None:
        shares = np.abs(A) * np.where(sizes > 0.0, sizes, 1.0)
        shares /= _or_one(shares.max(axis=1))[:, None]
        passing = (entries.is_e == 0.0) & (shares[entries.i, entries.j] < EQUILIBRATION.passing)
        if usual is not None:
            weak = (np.abs(A) < EQUILIBRATION.passing * usual)[entries.i, entries.j]
            passing |= (entries.is_e == 0.0) & weak
        sizes = np.where(sizes > EQUILIBRATION.round_off * sizes.max(initial=0.0), sizes, 0.0)
        sizes[list(elements)] = 0.0  # they mean two things
    r, c, tau = entries.fitted(~passing, sizes)
    seen = entries.log + r[entries.i] + c[entries.j] - tau[entries.part] * entries.is_e
    r, c, tau = entries.fitted((seen > EQUILIBRATION.negligible) & ~passing, sizes)
    rows, columns, times = np.exp(r), np.exp(c), np.exp(tau)
    both = np.abs(E) / times[row_part][:, None] + np.abs(A)
    for _ in range(EQUILIBRATION.even_out):
        scaled = both * rows[:, None] * columns
        rows /= np.sqrt(_or_one(scaled.max(axis=1)))
        columns /= np.sqrt(_or_one(scaled.max(axis=0)))
    rows /= _or_one((both * rows[:, None] * columns).max(axis=1))
    return Balance(rows, columns, times[row_part], times[column_part], row_part, column_part)


def _or_one(values: Vector) -> Vector:
    return np.where(values > 0.0, values, 1.0)


class _Entries:
    """Entries of both matrices as lists of row, column, logarithm."""

    def __init__(self, E: Vector, A: Vector, row_part: Labels, count: int) -> None:
        ei, ej = np.nonzero(E)
        ai, aj = np.nonzero(A)
        self.n, self.count = len(A), count
        self.i, self.j = np.concatenate([ei, ai]), np.concatenate([ej, aj])
        self.log = np.log(np.abs(np.concatenate([E[ei, ej], A[ai, aj]])))
        self.is_e = np.concatenate([np.ones(len(ei)), np.zeros(len(ai))])
        self.part = row_part[self.i]

    def fitted(
        self, kept: npt.NDArray[np.bool_], sizes: Vector | None
    ) -> tuple[Vector, Vector, Vector]:
        """Least squares; a part without E takes the time scale of the others. Columns are drawn to the
        sizes that were seen.

        The unknowns are the logarithms of rows, columns and times. Of every part one row is free; the
        ridge makes it small.
        """
        n, count = self.n, self.count
        i, j, log, is_e, part = (x[kept] for x in (self.i, self.j, self.log, self.is_e, self.part))
        normal, right = np.zeros((2 * n + count,) * 2), np.zeros(2 * n + count)
        terms = ((i, 1.0), (n + j, 1.0), (2 * n + part, -is_e))
        for place, factor in terms:
            np.add.at(right, place, -log * factor)
            for other, weight in terms:
                np.add.at(normal, (place, other), factor * weight)
        normal[np.diag_indices(len(normal))] += EQUILIBRATION.ridge
        if sizes is not None:
            known = np.flatnonzero(sizes > 0.0)
            normal[n + known, n + known] += EQUILIBRATION.drawn
            right[n + known] += EQUILIBRATION.drawn * np.log(sizes[known])
        found: Vector = np.linalg.solve(normal, right).astype(float)
        has_e = np.bincount(part[is_e > 0.0], minlength=count) > 0
        tau = found[2 * n :]
        mean = float(tau[has_e].mean()) if has_e.any() else 0.0
        return found[:n], found[n : 2 * n], np.asarray(np.where(has_e, tau, mean), float)


def _parts(pattern: npt.NDArray[np.bool_]) -> tuple[Labels, Labels]:
    """Rows and columns that hang together have the same number."""
    n = len(pattern)
    in_row = [np.flatnonzero(row).tolist() for row in pattern]
    in_column = [np.flatnonzero(column).tolist() for column in pattern.T]
    rows, columns = np.full(n, -1), np.full(n, -1)
    label = 0
    for first in range(n):
        if columns[first] >= 0:
            continue
        stack = [first]
        columns[first] = label
        while stack:
            for i in in_column[stack.pop()]:
                if rows[i] < 0:
                    rows[i] = label
                    for j in in_row[i]:
                        if columns[j] < 0:
                            columns[j] = label
                            stack.append(j)
        label += 1
    rows[rows < 0] = 0  # a row of zeros: whatever
    return rows, columns
