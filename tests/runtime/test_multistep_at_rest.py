"""CVODE and IDA where nothing moves when they begin: the library gives a step up after ten failures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import freewheel as fw

SOLVERS = ["ida", "cvode"]
REST = """
model Rest
  parameter Real k = 1e6, size = 1, begin = 0;
  Real x(start = 0, fixed = true, nominal = size), y(start = 0, fixed = true, nominal = size);
  Real u = {input};
equation
  der(y) = -k*(y - u);
  der(x) = y - 0.1*x;
  annotation(experiment(StopTime = 10));
end Rest;
"""
SINE = "size*sin(3*(time - begin))"


def model(tmp_path: Path, source: str = SINE) -> fw.Model:
    path = tmp_path / "rest.mo"
    path.write_text(REST.format(input=source))
    return fw.load(path)


def exact(k: float, t: float) -> float:
    """x' = y - x/10, y' = -k (y - sin 3t), from zero."""
    matrix = np.array([[-0.1, 1, 0, 0], [0, -k, k, 0], [0, 0, 0, 3], [0, 0, -3, 0]])
    values, vectors = np.linalg.eig(matrix)
    share = np.linalg.solve(vectors, np.array([0, 0, 0, 1.0]))
    return float((vectors @ (share * np.exp(values * t)))[0].real)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("k", [1.0, 1e3, 1e6, 1e9])
@pytest.mark.parametrize("tol", [1e-3, 1e-6, 1e-9])
def test_a_start_at_rest(tmp_path: Path, solver: str, k: float, tol: float) -> None:
    result = model(tmp_path).simulate(params={"k": k}, solver=solver, tol=tol)

    assert result.final("x") == pytest.approx(exact(k, 10), abs=10 * tol)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("size", [1e-9, 1e9])
def test_units_do_not_matter(tmp_path: Path, solver: str, size: float) -> None:
    result = model(tmp_path).changed({"size": repr(size)}).simulate(solver=solver)

    assert result.final("x") / size == pytest.approx(exact(1e6, 10), abs=1e-5)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(
    "choice", ["if time < begin then 0 else {}", "noEvent(if time < begin then 0 else {})"]
)
def test_rest_until_something_happens(tmp_path: Path, solver: str, choice: str) -> None:
    """At an event the method begins anew; without one it meets the corner at its highest order."""
    waiting = model(tmp_path, choice.format(SINE))
    result = waiting.simulate(params={"begin": 2, "k": 1e8}, solver=solver, tol=1e-8)

    assert result.final("x") == pytest.approx(exact(1e8, 8), abs=1e-6)


@pytest.mark.parametrize("solver", SOLVERS)
def test_what_rests_for_ever(tmp_path: Path, solver: str) -> None:
    result = model(tmp_path, "0").simulate(solver=solver)

    assert not result["x"].any()
    assert result.stats["steps"] < 20


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_solution_that_ends_is_still_told(tmp_path: Path, solver: str) -> None:
    path = tmp_path / "pole.mo"
    path.write_text("model Pole Real x(start = 1, fixed = true); equation der(x) = x^2; end Pole;")
    with pytest.raises(fw.SimulationError) as caught:
        fw.load(path).simulate(stop=2, solver=solver)

    assert caught.value.diagnostics[0].code == "R003"
