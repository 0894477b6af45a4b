"""Small changes of a matrix, judged by one inverse: never "regular" where it is not."""

from __future__ import annotations

import numpy as np
import pytest

from freewheel.structure.switching.conflicts.regularity import Screen


def rows_of(matrix: np.ndarray) -> list[dict[int, float]]:
    return [{k: float(a) for k, a in enumerate(row) if a} for row in matrix]


@pytest.mark.parametrize("seed", range(30))
def test_singular_changes_are_seen_and_most_regular_ones_pass(seed: int) -> None:
    random = np.random.default_rng(seed)
    n = 12
    matrix = random.normal(size=(n, n)) * (random.random((n, n)) < 0.4) + np.diag(
        random.normal(size=n) + 3.0
    )
    matrix *= 10.0 ** random.uniform(-6, 6, size=(n, 1))  # equations in any unit
    screen = Screen(rows_of(matrix), n)
    twice = {3: {k: 2.0 * float(a) for k, a in enumerate(matrix[5]) if a}}
    other = {3: {k: float(a) for k, a in enumerate(random.normal(size=n))}}

    assert not screen.is_regular(twice)
    assert not screen.is_regular({3: {}})
    changed = matrix.copy()
    changed[3] = list(other[3].values())
    scaled = changed / np.abs(changed).max(axis=1)[:, None]
    if np.linalg.cond(scaled) < 100:
        assert screen.is_regular(other)


def test_a_matrix_that_is_singular_itself_tells_nothing() -> None:
    screen = Screen([{0: 1.0, 1: 1.0}, {0: 1.0, 1: 1.0}], 2)

    assert not screen.is_regular({0: {0: 1.0}})
