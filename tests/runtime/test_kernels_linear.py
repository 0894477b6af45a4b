"""Dense and sparse factorisations against numpy, compiled and run by CPython."""

from __future__ import annotations

import numpy as np
import pytest

from freewheel.runtime.linear import dense_lu, sparse_lu
from freewheel.runtime.linear.ordering import minimum_degree


def pointer(array):
    return array.ctypes.data


def run(module, function, is_compiled, *arguments):
    """Call a kernel with arrays: the compiled one by address, or the Python function itself."""
    if not is_compiled:
        return function(*arguments)
    given = [pointer(a) if isinstance(a, np.ndarray) else a for a in arguments]
    return module.callable(function.__name__)(*given)


compiled = pytest.mark.parametrize("is_compiled", [True, False], ids=["machine", "cpython"])


@compiled
@pytest.mark.parametrize("n", [1, 2, 3, 8, 20])
def test_dense_systems_are_solved(n, is_compiled):
    random = np.random.default_rng(n)
    a, b = random.normal(size=(n, n)), random.normal(size=n)
    factors, x, pivots = a.copy(), b.copy(), np.zeros(n, dtype=np.int64)

    module = dense_lu.dense_lu
    assert run(module, dense_lu.lu_factor, is_compiled, n, factors.ravel(), pivots) == 0
    run(module, dense_lu.lu_solve, is_compiled, n, factors.ravel(), pivots, x)

    assert x == pytest.approx(np.linalg.solve(a, b), rel=1e-9)


@compiled
def test_a_zero_in_the_corner_needs_a_pivot_and_a_singular_matrix_is_noticed(is_compiled):
    pivots = np.zeros(2, dtype=np.int64)
    swapped, singular = np.array([0.0, 1.0, 1.0, 0.0]), np.array([1.0, 2.0, 2.0, 4.0])

    module = dense_lu.dense_lu
    assert run(module, dense_lu.lu_factor, is_compiled, 2, swapped, pivots) == 0
    assert run(module, dense_lu.lu_factor, is_compiled, 2, singular, pivots) == 2


@compiled
@pytest.mark.parametrize("n", [1, 2, 7])
def test_dense_complex_systems_are_solved(n, is_compiled):
    random = np.random.default_rng(n)
    a = random.normal(size=(n, n)) + 1j * random.normal(size=(n, n))
    b = random.normal(size=n) + 1j * random.normal(size=n)
    re, im = a.real.ravel().copy(), a.imag.ravel().copy()
    x, z, pivots = b.real.copy(), b.imag.copy(), np.zeros(n, dtype=np.int64)

    module = dense_lu.dense_lu
    assert run(module, dense_lu.lu_factor_complex, is_compiled, n, re, im, pivots) == 0
    run(module, dense_lu.lu_solve_complex, is_compiled, n, re, im, pivots, x, z)

    assert x + 1j * z == pytest.approx(np.linalg.solve(a, b), rel=1e-9)


class Sparse:
    """Arrays of one sparse factorisation of shift - J."""

    def __init__(self, j, is_compiled):
        self.n = len(j)
        self.is_compiled = is_compiled
        mask = (j != 0.0) | np.eye(self.n, dtype=bool)
        self.mask = mask
        columns = [np.flatnonzero(mask[:, k]) for k in range(self.n)]
        self.starts = np.concatenate([[0], np.cumsum([len(c) for c in columns])]).astype(np.int64)
        self.rows = np.concatenate(columns).astype(np.int64)
        order, self.fill = minimum_degree(self.n, self.starts.tolist(), self.rows.tolist())
        self.order = np.array(order, dtype=np.int64)
        self.space = 4 * self.n * self.n
        self.ints = {
            name: np.zeros(size, dtype=np.int64)
            for name, size in (
                ("inverse", self.n), ("lp", self.n + 1), ("li", self.space), ("up", self.n + 1),
                ("ui", self.space), ("scratch", 4 * self.n),
            )
        }  # fmt: skip
        self.lx, self.ux, self.x = np.zeros(self.space), np.zeros(self.space), np.zeros(self.n)

    def values(self, j):
        return np.concatenate([j[self.mask[:, k], k] for k in range(self.n)])

    def call(self, function, *arguments):
        return run(sparse_lu.sparse_lu, function, self.is_compiled, self.n, *arguments)

    def factor(self, j, shift):
        i = self.ints
        return self.call(
            sparse_lu.sparse_factor, self.starts, self.rows, self.values(j), shift, self.order,
            i["inverse"], i["lp"], i["li"], self.lx, i["up"], i["ui"], self.ux, self.space, self.x,
            i["scratch"],
        )  # fmt: skip

    def refactor(self, j, shift):
        i = self.ints
        return self.call(
            sparse_lu.sparse_refactor, self.starts, self.rows, self.values(j), shift, self.order,
            i["inverse"], i["lp"], i["li"], self.lx, i["up"], i["ui"], self.ux, self.x,
        )  # fmt: skip

    def solve(self, b):
        i, b = self.ints, b.copy()
        self.call(
            sparse_lu.sparse_solve, self.order, i["inverse"], i["lp"], i["li"], self.lx, i["up"],
            i["ui"], self.ux, b, self.x,
        )  # fmt: skip
        return b

    def solve_complex(self, j, shift, b):
        i = self.ints
        lr, lm, ur, um = (np.zeros(self.space) for _ in range(4))
        z, x, y = np.zeros(self.n), b.real.copy(), b.imag.copy()
        status = self.call(
            sparse_lu.sparse_refactor_complex, self.starts, self.rows, self.values(j), shift.real,
            shift.imag, self.order, i["inverse"], i["lp"], i["li"], lr, lm, i["up"], i["ui"], ur, um,
            self.x, z,
        )  # fmt: skip
        assert status == 0
        self.call(
            sparse_lu.sparse_solve_complex, self.order, i["inverse"], i["lp"], i["li"], lr, lm,
            i["up"], i["ui"], ur, um, x, y, self.x, z,
        )  # fmt: skip
        return x + 1j * y


def random_sparse(n, seed):
    random = np.random.default_rng(seed)
    return np.where(random.random((n, n)) < 3.0 / n, random.normal(size=(n, n)), 0.0)


@compiled
@pytest.mark.parametrize("seed", range(5))
def test_sparse_systems_are_solved_and_solved_again_with_other_numbers(seed, is_compiled):
    n = 30
    j = random_sparse(n, seed)
    b = np.arange(1.0, n + 1.0)
    sparse = Sparse(j, is_compiled)

    assert sparse.factor(j, 0.7) == 0
    assert sparse.solve(b) == pytest.approx(np.linalg.solve(0.7 * np.eye(n) - j, b), rel=1e-6)
    other = 1.3 * j
    assert sparse.refactor(other, 2.0) == 0
    assert sparse.solve(b) == pytest.approx(np.linalg.solve(2 * np.eye(n) - other, b), rel=1e-6)
    shift = 1.0 + 2.0j
    expected = np.linalg.solve(shift * np.eye(n) - j, b + 1j * b[::-1])
    assert sparse.solve_complex(j, shift, b + 1j * b[::-1]) == pytest.approx(expected, rel=1e-6)


@compiled
def test_a_zero_diagonal_is_pivoted_around(is_compiled):
    j = -np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
    sparse = Sparse(j, is_compiled)

    assert sparse.factor(j, 0.0) == 0
    assert sparse.solve(np.array([1.0, 2.0, 3.0])) == pytest.approx([3.0, 1.0, 2.0])


@compiled
def test_a_sparse_singular_matrix_is_noticed_and_too_little_space_too(is_compiled):
    j = np.array([[1.0, 1.0], [1.0, 1.0]])
    sparse = Sparse(j, is_compiled)

    assert sparse.factor(j, 0.0) == 2
    sparse.space = 1
    assert sparse.factor(j, 5.0) == -1


def test_a_tridiagonal_matrix_fills_nothing_in():
    n = 50
    j = np.eye(n) + np.eye(n, k=1) + np.eye(n, k=-1)

    assert Sparse(j, True).fill == n + (n - 1)


def test_an_arrow_is_eliminated_from_its_tips():
    n = 20
    j = np.eye(n)
    j[0, :] = j[:, 0] = 1.0

    sparse = Sparse(j, True)
    assert sparse.fill == n + (n - 1)
    assert 0 in sparse.order[-2:]
