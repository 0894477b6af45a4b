"""Functions of matrices and polynomials against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import lu

import freewheel as fw

A = np.array([[4.0, 1, 2], [1, 3, 0], [2, 0, 5]])
W = np.array([[0.0, 1], [-4, -0.4]])
T = np.array([[1.0, 2], [3, 4], [5, 7]])
SINGULAR = np.array([[1.0, 2], [2, 4], [3, 6]])

TEXT = """model M
  import Modelica.Math.Matrices.*;
  import Modelica.Math.Polynomials;
  parameter Real A[3, 3] = [4, 1, 2; 1, 3, 0; 2, 0, 5];
  parameter Real W[2, 2] = [0, 1; -4, -0.4];
  parameter Real T[3, 2] = [1, 2; 3, 4; 5, 7];
  parameter Real b[3] = {1, 2, 4};
  Real F[3, 3];
  Integer pivots[3];
  Real x[3] = LU_solve(F, pivots, b);
  Real upper[3, 3] = cholesky(A);
  Real lower[3, 3] = cholesky(A, false);
  Real ev[2, 2];
  Real vectors[2, 2];
  Real J[2, 2] = eigenValueMatrix(ev);
  Real sigma[2];
  Real U[3, 3];
  Real VT[2, 2];
  Integer full = rank(T);
  Integer one = rank([1, 2; 2, 4; 3, 6]);
  Real c2 = conditionNumber(A);
  Real c1 = conditionNumber(A, 1);
  Real Q[3, 2];
  Real R[2, 2];
  Integer p[2];
  Real fit[2];
  Integer fitRank;
  Real line[3] = Polynomials.fitting({0, 1, 2, 3}, {1, 2, 5, 10}, 2);
  Real roots[3, 2] = Polynomials.roots({1, -6, 11, -6});
equation
  (F, pivots) = LU(A);
  (ev, vectors) = eigenValues(W);
  (sigma, U, VT) = singularValues(T);
  (Q, R, p) = QR(T);
  (fit, fitRank) = leastSquares(T, b);
end M;"""


@pytest.fixture(scope="module")
def value(tmp_path_factory):
    path = tmp_path_factory.mktemp("matrices") / "model.mo"
    path.write_text(TEXT)
    result = fw.load(path).simulate()

    def entries(name: str, *dims: int):
        indices = np.ndindex(dims)
        numbers = [
            result.final(f"{name}[{','.join(str(i + 1) for i in at)}]" if dims else name)
            for at in indices
        ]
        return np.array(numbers).reshape(dims)

    return entries


def test_triangular_factors(value):
    _, lower, upper = lu(A)

    assert value("F", 3, 3) == pytest.approx(upper + lower - np.eye(3))
    assert value("x", 3) == pytest.approx(np.linalg.solve(A, [1, 2, 4]))


def test_cholesky_factors(value):
    lower = np.linalg.cholesky(A)

    assert value("lower", 3, 3) == pytest.approx(lower)
    assert value("upper", 3, 3) == pytest.approx(lower.T)


def test_eigenvalues(value):
    found = value("ev", 2, 2) @ [1, 1j]
    vectors = value("vectors", 2, 2)
    first = vectors @ [1, 1j]

    assert sorted(found, key=lambda z: z.imag) == pytest.approx(
        sorted(np.linalg.eigvals(W), key=lambda z: z.imag)
    )
    assert W @ first == pytest.approx(found[0] * first)
    assert W @ vectors == pytest.approx(vectors @ value("J", 2, 2))


def test_singular_values_rank_and_condition(value):
    middle = np.zeros((3, 2))
    np.fill_diagonal(middle, value("sigma", 2))

    assert value("U", 3, 3) @ middle @ value("VT", 2, 2) == pytest.approx(T)
    assert value("sigma", 2) == pytest.approx(np.linalg.svd(T, compute_uv=False))
    assert (value("full"), value("one")) == (2, np.linalg.matrix_rank(SINGULAR))
    assert value("c2") == pytest.approx(np.linalg.cond(A))
    assert value("c1") == pytest.approx(np.linalg.cond(A, 1))


def test_orthogonal_factors(value):
    q, r, order = value("Q", 3, 2), value("R", 2, 2), value("p", 2).astype(int) - 1

    assert q @ r == pytest.approx(T[:, order])
    assert q.T @ q == pytest.approx(np.eye(2), abs=1e-12)
    assert r[1, 0] == 0


def test_least_squares(value):
    solution, _, rank, _ = np.linalg.lstsq(T, [1, 2, 4], rcond=None)

    assert value("fit", 2) == pytest.approx(solution)
    assert value("fitRank") == rank


def test_fitted_polynomials_and_roots(value):
    assert value("line", 3) == pytest.approx([1, 0, 1], abs=1e-12)
    assert np.sort(value("roots", 3, 2)[:, 0]) == pytest.approx([1, 2, 3])
    assert value("roots", 3, 2)[:, 1] == pytest.approx([0, 0, 0], abs=1e-12)
