"""LAPACK routines by name: each against what numpy says about its result."""

from typing import Any

import numpy as np
import pytest

from freewheel.formula.evaluate import evaluate
from freewheel.formula.external_lapack import LAPACK
from freewheel.formula.nodes import Call, Expr, Integer, Output, Var
from freewheel.formula.python_code import to_python
from freewheel.formula.python_function import function_text
from freewheel.formula.python_runtime import NAMES
from freewheel.formula.statement_nodes import External, Function, FunctionVariable
from freewheel.formula.types import INTEGER, REAL, Type
from freewheel.formula.values import ArrayValue, array_of, to_expr

A = np.array([[0.0, 2.0, 1.0], [1.0, -1.0, 3.0], [2.0, 0.5, 1.0]])
B = np.array([1.0, 2.0, 3.0])
TALL = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]])


def test_linear_equations() -> None:
    result = LAPACK["dgesv"]([3, 1, A, 3, None, B, 3, None])
    assert result[7] == 0
    assert A @ result[5] == pytest.approx(B)
    matrix = np.column_stack([B, 2 * B])
    assert A @ LAPACK["dgesv"]([3, 2, A, 3, None, matrix, 3, None])[5] == pytest.approx(matrix)
    assert LAPACK["dgesv"]([2, 1, np.ones((2, 2)), 2, None, B[:2], 2, None])[7] == 2


def test_factors_serve_solving_and_inverting() -> None:
    factors = LAPACK["dgetrf"]([3, 3, A, 3, None, None])
    solved = LAPACK["dgetrs"](["N", 3, 1, factors[2], 3, factors[4], B, 3, None])
    assert A @ solved[6] == pytest.approx(B)
    inverse = LAPACK["dgetri"]([3, factors[2], 3, factors[4], None, 3, None])
    assert A @ inverse[1] == pytest.approx(np.eye(3))
    assert LAPACK["dgetri"]([1, np.zeros((1, 1)), 1, [1], None, 1, None]) == {6: 1}


def test_tridiagonal_and_triangular() -> None:
    below, diagonal, above = np.array([1.0, 2.0]), np.array([4.0, 5.0, 6.0]), np.array([0.5, 1.5])
    full = np.diag(diagonal) + np.diag(below, -1) + np.diag(above, 1)
    solved = LAPACK["dgtsv"]([3, 1, below, diagonal, above, B, 3, None])
    assert full @ solved[5] == pytest.approx(B)
    right = np.column_stack([B, B])
    result = LAPACK["dtrsm"](["L", "U", "T", "N", 3, 2, 2.0, full, 3, right, 3])
    assert np.triu(full).T @ result[9] == pytest.approx(2 * right)
    positive = A @ A.T + np.eye(3)
    lower = np.tril(LAPACK["dpotrf"](["L", 3, positive, 3, None])[2])
    assert lower @ lower.T == pytest.approx(positive)
    assert LAPACK["dpotrf"](["U", 1, [[-1.0]], 1, None]) == {4: 1}


def test_least_squares() -> None:
    expected = np.linalg.lstsq(TALL, B, rcond=None)[0]
    assert LAPACK["dgels"](["N", 3, 2, 1, TALL, 3, B, 3, None, 9, None])[6][:2] == pytest.approx(
        expected
    )
    result = LAPACK["dgelsy"]([3, 2, 1, TALL, 3, B, 3, None, 1e-12, None, None, 9, None])
    assert result[5][:2] == pytest.approx(expected)
    assert result[9] == 2


def test_least_squares_under_equations() -> None:
    constraint = np.array([[1.0, 1.0, 1.0]])
    args = [3, 3, 1, A, 3, constraint, 1, B, np.array([2.0]), None, None, 9, None]
    x = LAPACK["dgglse"](args)[9]
    assert x.sum() == pytest.approx(2.0)
    gradient = A.T @ (A @ x - B)
    assert gradient == pytest.approx(np.full(3, gradient[0]))  # along the constraint's normal


def test_eigenvalues_with_vectors_in_real_columns() -> None:
    rotation = np.array([[0.0, -2.0], [2.0, 0.0]])
    args: list[Any] = ["N", "V", 2, rotation, 2, None, None, None, 1, None, 2, None, 20, None]
    result = LAPACK["dgeev"](args)
    assert sorted(result[6]) == pytest.approx([-2.0, 2.0])
    first = 0 if result[6][0] > 0 else 1
    vector = result[9][:, 0] + 1j * result[9][:, 1]
    value = complex(result[5][first], result[6][first])
    assert rotation @ vector == pytest.approx(value * vector)


def test_singular_values() -> None:
    result = LAPACK["dgesvd"](["A", "A", 3, 2, TALL, 3, None, None, 3, None, 2, None, 30, None])
    middle = np.zeros((3, 2))
    np.fill_diagonal(middle, result[6])
    assert result[7] @ middle @ result[9] == pytest.approx(TALL)
    args: list[Any] = ["N", 3, 2, TALL, 3, None, None, 3, None, 2, None, 30, None, None]
    assert LAPACK["dgesdd"](args)[5] == pytest.approx(result[6])


@pytest.mark.parametrize("name", ["dgeqrf", "dgeqp3"])
@pytest.mark.parametrize("matrix", [A, TALL], ids=["square", "tall"])
def test_orthogonal_factors(name: str, matrix: Any) -> None:
    rows, columns = matrix.shape
    if name == "dgeqrf":
        result = LAPACK[name]([rows, columns, matrix, rows, None, None, 9, None])
        tau, permuted = result[4], matrix
    else:
        result = LAPACK[name]([rows, columns, matrix, rows, None, None, None, 9, None])
        tau, permuted = result[5], matrix[:, result[4] - 1]
    q = LAPACK["dorgqr"]([rows, columns, columns, result[2], rows, tau, None, 9, None])[3]
    assert q.T @ q == pytest.approx(np.eye(columns))
    assert q @ np.triu(result[2])[:columns] == pytest.approx(permuted)


@pytest.mark.parametrize(("kind", "order"), [("1", 1), ("I", np.inf), ("F", "fro")])
def test_norms(kind: str, order: Any) -> None:
    assert LAPACK["dlange"]([kind, 3, 3, A, 3, None])[-1] == pytest.approx(
        float(np.linalg.norm(A, order))
    )
    assert LAPACK["dlange"](["M", 3, 3, A, 3, None])[-1] == 2.0 + 1.0


def solver() -> Function:
    def variable(
        name: str, role: str, *dims: Expr | None, kind: Any = REAL, default: Any = None
    ) -> Any:
        return FunctionVariable(name, Type(kind), dims, default, role)

    a, b, n = (Var((name,)) for name in ("A", "b", "n"))
    size = Call("size", a, Integer(1))
    names = ("n", "one", "work", "n", "ipiv", "x", "n", "info")
    return Function(
        ("solve",),
        (
            variable("A", "input", None, None),
            variable("b", "input", None),
            variable("x", "output", size, default=b),
            variable("info", "output", kind=INTEGER),
            variable("n", "local", kind=INTEGER, default=size),
            variable("one", "local", kind=INTEGER, default=Integer(1)),
            variable("work", "local", n, n, default=a),
            variable("ipiv", "local", n, kind=INTEGER),
        ),
        external=External("FORTRAN 77", "dgesv", None, tuple(Var((name,)) for name in names)),
    )


def test_fortran_functions_run_in_the_interpreter_and_as_python() -> None:
    function = solver()
    call = Call(("solve",), to_expr(array_of(A)), to_expr(array_of(B)))
    x = evaluate(call, functions=lambda name: function)
    assert isinstance(x, ArrayValue)
    assert A @ np.array(x.elements) == pytest.approx(B)
    assert evaluate(Output(2, call), functions=lambda name: function) == 0
    names = dict(NAMES)
    exec(function_text(function), names)
    assert eval(to_python(call, str), names) == pytest.approx(np.array(x.elements))
    assert eval(to_python(Output(2, call), str), names) == 0
