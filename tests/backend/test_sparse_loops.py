"""Large linear loops are solved as sparse ones, and agree with the reference."""

from __future__ import annotations

import numpy as np
import pytest

from freewheel.backend.load import BACKENDS
from freewheel.backend.sparse_kernels import (
    SPARSE,
    fw_fits,
    fw_sparse,
    integer_space,
    plan,
    real_space,
)
from freewheel.base.diagnostics import SimulationError
from freewheel.base.source import Source
from freewheel.instance.library import Library
from freewheel.pipeline import Options, compile_model
from freewheel.result.store import Result
from freewheel.runtime.settings import Settings
from freewheel.runtime.simulate import simulate

GRID = """
model Grid "a net of resistors, fed in one corner; conductances hang on a state"
  parameter Integer k = 7;
  parameter Real ground = 1;
  Real s(start = 1, fixed = true), v[k, k], a[k + 1, k], b[k, k + 1];
equation
  der(s) = 0.1*v[1, 1];
  for i in 1:k loop
    a[1, i] = if i == 1 then 1 else 0;
    a[k + 1, i] = ground*v[k, i]*s;
    b[i, 1] = 0;
    b[i, k + 1] = ground*v[i, k]*s;
    for j in 1:k - 1 loop
      a[j + 1, i] = (1 + 0.1*s)*(v[j, i] - v[j + 1, i]);
      b[i, j + 1] = (1 + 0.2*s)*(v[i, j] - v[i, j + 1]);
    end for;
    for j in 1:k loop
      a[i, j] + b[i, j] = a[i + 1, j] + b[i, j + 1];
    end for;
  end for;
end Grid;
"""


def run(backend: str, size: int, **parameters: float) -> Result:
    library = Library([], use_modelicapath=False)
    text = GRID.replace("Integer k = 7", f"Integer k = {size}")
    library.add_file(Source.from_text(text, "grid.mo"))
    model = compile_model(library, ("Grid",), Options(backend=backend)).model
    settings = Settings.of(model, stop=1.0, number_of_intervals=4, parameters=parameters)
    return simulate(model, settings)


class Loop:
    """A matrix and what the kernel keeps about it."""

    def __init__(self, matrix: np.ndarray) -> None:
        self.matrix = matrix
        n = len(matrix)
        self.places = [(r, c) for c in range(n) for r in range(n) if matrix[r, c] != 0.0]
        starts, rows, order, self.space = plan(n, self.places)
        self.given = [np.array(numbers, dtype=np.int64) for numbers in (starts, rows, order)]
        self.whole = np.zeros(integer_space(n, self.space), dtype=np.int64)
        self.real = np.zeros(real_space(n, len(self.places), self.space))

    def solve(self, right: np.ndarray, factor: float = 1.0) -> tuple[int, np.ndarray]:
        starts, rows, order = self.given
        entries = factor * np.array([self.matrix[place] for place in self.places])
        found = np.zeros(len(right))
        given = (starts, rows, entries, order, right, found, self.space, self.whole, self.real)
        return fw_sparse(len(right), *given), found


def random_matrix(n: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    matrix = np.where(rng.uniform(size=(n, n)) < 0.1, rng.uniform(-1.0, 1.0, (n, n)), 0.0)
    matrix += np.eye(n) * rng.uniform(0.1, 1.0, n)
    return np.asarray(matrix * 10.0 ** rng.integers(-5, 6, (n, 1)))


@pytest.mark.parametrize("seed", range(5))
def test_factors_are_kept_and_good(seed: int) -> None:
    loop = Loop(random_matrix(30, seed))
    exact = np.random.default_rng(seed).normal(size=30)

    for factor in (1.0, 2.5):  # chosen pivots, then the same again
        status, found = loop.solve(factor * loop.matrix @ exact, factor)
        assert status == 0
        assert found == pytest.approx(exact, rel=1e-8, abs=1e-8)
        assert loop.whole[0] == 1


def test_pivots_that_have_turned_bad_are_chosen_anew() -> None:
    matrix = np.eye(4) + np.diag([0.5, 0.5, 0.5], 1) + np.diag([0.5, 0.5, 0.5], -1)
    loop = Loop(matrix)
    assert loop.solve(np.ones(4))[0] == 0
    matrix[0, 0] = 1e-14

    status, found = loop.solve(matrix @ np.arange(4.0))

    assert status == 0
    assert found == pytest.approx(np.arange(4.0), abs=1e-9)


def test_a_singular_matrix_is_left_to_others() -> None:
    matrix = np.array([[1.0, 2.0, 0.0], [2.0, 4.0, 0.0], [0.0, 1.0, 1.0]])

    assert Loop(matrix).solve(np.array([1.0, 3.0, 1.0]))[0] == 1


@pytest.mark.parametrize(("noise", "fits"), [(1e-17, 1), (1e-9, 0)])
def test_terms_that_are_nothing_but_rounding_are_forgiven(noise: float, fits: int) -> None:
    """x0 = 1, x1 = x2, x1 = -x2: the last two are exactly zero, found as differences of larger ones."""
    starts, rows = np.array([0, 1, 3, 5]), np.array([0, 1, 2, 1, 2])
    negative = np.array([-1.0, -1.0, -1.0, 1.0, -1.0])
    work = np.zeros(6)
    x = np.array([1.0, noise, 2.0 * noise])

    found = fw_fits(3, starts, rows, negative, np.array([1.0, 0.0, 0.0]), x, work, work[3:])

    assert found == fits


def test_machine_code_is_there() -> None:
    assert SPARSE.address("fw_sparse") != 0


def test_a_grid_of_hundreds_of_unknowns_agrees_with_the_reference() -> None:
    machine, reference = run("llvm", 9), run("python", 9)

    for name in ("s", "v[1,1]", "v[9,9]", "a[5,5]"):
        assert machine[name] == pytest.approx(reference[name], rel=1e-7)
    # All that is fed in leaves at the far edges.
    leaves = sum(machine[f"a[10,{i}]"] + machine[f"b[{i},10]"] for i in range(1, 10))
    assert leaves == pytest.approx(np.ones(len(machine.time)))


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_grid_without_ground_is_named(backend: str) -> None:
    with pytest.raises(SimulationError) as caught:
        run(backend, 8, ground=0.0)

    assert caught.value.diagnostics[0].code == "R123"
