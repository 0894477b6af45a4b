"""Small numbers that are meant are told from rounding: `switched_dae/graded_inverse.py`."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from freewheel.runtime.switched_dae.consistent_restart import part_of
from freewheel.runtime.switched_dae.graded_inverse import combined, graded_inverse, storages_apart


def exact_inverse(matrix: np.ndarray) -> np.ndarray:
    """By Gauss and Jordan in fractions."""
    n = len(matrix)
    rows = [
        [*map(Fraction, row), *(Fraction(int(i == j)) for j in range(n))]
        for i, row in enumerate(matrix.tolist())
    ]
    for k in range(n):
        pivot = next(i for i in range(k, n) if rows[i][k] != 0)
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for i in range(n):
            if i != k:
                factor = rows[i][k]
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[k], strict=True)]
    return np.array([[float(x) for x in row[n:]] for row in rows])


@pytest.mark.parametrize("leak", [1e-3, 1e-6, 1e-9, 1e-12])
def test_a_leak_is_no_rounding(leak):
    """Two diodes in a loop with a resistor: singular without leaks."""
    matrix = np.array(
        [
            [1.0, -leak, 0.0, 0.0],
            [0.0, 0.0, 1.0, -leak],
            [1.0, 0.0, 1.0, 0.0],
            [0.0, 1.0, 0.0, -1.0],
        ]
    )

    found = graded_inverse(matrix)

    assert found is not None
    assert np.allclose(found, exact_inverse(matrix), rtol=1e-12, atol=0.0)


def test_what_cancels_is_nothing():
    thirds = np.array([[0.1, 0.3, 0.7], [0.2, 0.6, 1.4], [0.3, 0.1, 0.9]])

    assert graded_inverse(thirds) is None
    assert graded_inverse(thirds + np.diag([0.0, 1e-9, 0.0])) is not None


@pytest.mark.parametrize("seed", range(5))
def test_matrices_over_many_powers_of_ten(seed):
    random = np.random.default_rng(seed)
    matrix = random.normal(size=(6, 6)) * 10.0 ** random.integers(-9, 1, (6, 1))

    found = graded_inverse(matrix)

    assert found is not None
    assert np.abs(found / exact_inverse(matrix) - 1.0).max() < 1e-9


def test_of_three_coils_that_meet_two_are_storages():
    coils = np.array([[0.1, 0.0, 0.0], [0.0, 0.2, 0.0], [-0.3, -0.3, 0.0]])

    combine, left = storages_apart(coils)

    assert np.count_nonzero(np.abs(left).max(axis=1)) == 2
    assert np.allclose(combine @ coils, left, atol=1e-15)
    assert abs(np.linalg.det(combine)) == pytest.approx(1.0)


def test_what_cancels_in_combined_rows_is_no_leak():
    """Two rows store the same; what they say of an algebraic unknown cancels, but for rounding."""

    E = np.array([[-1.0, 1.0, 0.0], [0.0, -1.0, 0.0], [0.0, -2.0, 0.0]])
    A = np.array([[0.0, 0.0, 0.5], [0.5, 0.5, 0.25], [0.0, 0.25, 0.5]])
    scale = np.array([1.4585, 1.0985, 1.0097])[:, None]

    combine, left = storages_apart(E * scale)
    rows = (left == 0.0).all(axis=1)

    assert rows.sum() == 1
    assert combined(combine, A * scale)[rows, 2] == 0.0
    part = part_of(E * scale, A * scale, is_graded=True)
    assert (part.index, part.spaces.values.shape[1]) == (2, 1)
