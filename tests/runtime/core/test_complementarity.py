"""The criss-cross method on problems as networks of ideal elements make them."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from freewheel.runtime.switched_dae.complementarity import (
    NO_SOLUTION,
    NOT_MONOTONE,
    SOLVED,
    core_pairs,
    criss_cross,
    invert,
)

NOISE = 1e-12


def passive(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Currents and voltages mixed: a symmetric part and a skew one, with many ties. Elements of
    every third problem have nothing of their own: they close loops and open parts."""
    dice = np.random.default_rng(seed)
    k, rank = int(dice.integers(2, 7)), int(dice.integers(0, 4))
    root = dice.integers(-2, 3, size=(k, 0 if seed % 3 == 0 else rank)).astype(float)
    skew = np.triu(dice.integers(-1, 2, size=(k, k)).astype(float), 1)
    return root @ root.T + skew - skew.T, dice.integers(-3, 4, size=k).astype(float)


def solved(M: np.ndarray, v: np.ndarray, run=criss_cross) -> tuple[int, np.ndarray]:
    k = len(v)
    table, value = M.ravel().copy(), v.copy()
    swapped = np.zeros(k, np.int64)
    answer = int(run(k, table, value, np.full(k, NOISE), swapped))
    return answer, np.where(swapped == 1, value, 0.0)


def has_solution(M: np.ndarray, v: np.ndarray) -> bool:
    """By all bases, singular ones by least squares."""
    for active in product([False, True], repeat=len(v)):
        rows, z = np.flatnonzero(active), np.zeros(len(v))
        z[rows] = np.linalg.lstsq(M[np.ix_(rows, rows)], -v[rows], rcond=None)[0]
        w = M @ z + v
        if (z >= -1e-9).all() and (w >= -1e-9).all() and np.abs(w[rows]).max(initial=0.0) < 1e-9:
            return True
    return False


@pytest.mark.parametrize("first", range(0, 400, 100))
def test_a_passive_network_is_solved_whenever_it_has_a_solution(first: int) -> None:
    for seed in range(first, first + 100):
        M, v = passive(seed)
        answer, z = solved(M, v)
        if answer == SOLVED:
            w = M @ z + v
            assert (z >= -1e-9).all(), seed
            assert (w >= -1e-9).all(), seed
            assert abs(z @ w) < 1e-8, seed
        else:
            assert answer >= NO_SOLUTION, seed
            assert not has_solution(M, v), seed


def test_an_element_that_has_no_solution_is_named() -> None:
    M, v = np.array([[1.0, 0.0], [0.0, 0.0]]), np.array([-1.0, -1.0])

    assert solved(M, v)[0] == NO_SOLUTION + 1


def test_an_active_network_is_left_to_another_method() -> None:
    assert solved(np.array([[-1.0]]), np.array([-1.0]))[0] == NOT_MONOTONE


def test_the_kernel_does_what_cpython_does() -> None:
    code = core_pairs.callable("criss_cross")

    def compiled(k, *arrays):
        return code(k, *(array.ctypes.data for array in arrays))

    for seed in range(50):
        M, v = passive(seed)
        slow, fast = solved(M, v), solved(M, v, compiled)
        assert slow[0] == fast[0]
        assert slow[1].tobytes() == fast[1].tobytes()


def test_an_inverse_stops_where_rows_depend_on_each_other() -> None:
    dice = np.random.default_rng(5)
    left, right = dice.normal(size=(5, 3)), dice.normal(size=(3, 5))
    for matrix, rank in ((left @ right, 3), (dice.normal(size=(5, 5)), 5)):
        found, rows, columns = matrix.ravel().copy(), np.zeros(5, np.int64), np.zeros(5, np.int64)
        assert invert(5, found, rows, columns, 1e-12) == rank
        kept = np.ix_(rows[:rank], columns[:rank])
        inverse = found.reshape(5, 5)[:rank, :rank]
        assert np.allclose(inverse @ matrix[kept], np.eye(rank))
