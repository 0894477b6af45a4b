"""Quantized states that are chosen while the model runs: pendulums in Cartesian coordinates."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from freewheel.api import Model, load
from freewheel.result.store import Result

METHODS = ("qss1", "qss2", "qss3", "liqss1", "liqss2", "liqss3", "mliqss2", "cqss")
ORDER_1 = ("qss1", "liqss1", "cqss")
ONE = """
model One "turns round and round: it begins with more energy than the top has"
  Real x(start = 0), y(start = -1), vx(start = 7, fixed = true), vy, force;
  Real energy = 0.5*(vx^2 + vy^2) + 9.81*y;
equation
  der(x) = vx; der(y) = vy; der(vx) = -force*x; der(vy) = -force*y - 9.81;
  x^2 + y^2 = 1;
initial equation
  x = 0;
end One;
"""
LEVEL = (
    ONE.replace("One", "Level")
    .replace("x = 0;\nend", "y = 0;\nend")
    .replace(
        "x(start = 0), y(start = -1), vx(start = 7, fixed = true), vy",
        "x(start = 1), y(start = 0), vx, vy(start = 0, fixed = true)",
    )
)
TWO = """
model Two "one pendulum below the other"
  Real x1(start = 1), y1(start = 0), vx1, vy1(start = 0, fixed = true), f1;
  Real x2(start = 2), y2(start = 0), vx2(start = 0), vy2, f2;
  Real energy = 0.5*(vx1^2 + vy1^2 + vx2^2 + vy2^2) + 9.81*(y1 + y2);
equation
  der(x1) = vx1; der(y1) = vy1; der(x2) = vx2; der(y2) = vy2;
  der(vx1) = -f1*x1 + f2*(x2 - x1); der(vy1) = -f1*y1 + f2*(y2 - y1) - 9.81;
  der(vx2) = -f2*(x2 - x1); der(vy2) = -f2*(y2 - y1) - 9.81;
  x1^2 + y1^2 = 1;
  (x2 - x1)^2 + (y2 - y1)^2 = 1;
end Two;
"""


@pytest.fixture(scope="module")
def model_of(tmp_path_factory: pytest.TempPathFactory):
    @cache
    def made(text: str) -> Model:
        path: Path = tmp_path_factory.mktemp("models") / "M.mo"
        path.write_text(text)
        return load(path)

    return made


def apart(result: Result, expected: Result, name: str, until: float) -> float:
    found = np.interp(expected.time, result.time, result[name])
    return float(np.abs(found - expected[name])[expected.time <= until].max())


@pytest.mark.parametrize("method", METHODS)
def test_a_pendulum_turns_over_several_times(model_of, method: str) -> None:
    model = model_of(ONE)
    expected = model.simulate(stop=5, tol=1e-10, interval=0.02)
    quantum = 1e-3 if method in ORDER_1 else 1e-5
    result = model.simulate(stop=5, solver=method, quantum=str(quantum), interval=0.02)
    angle = np.unwrap(np.arctan2(expected["y"], expected["x"]))

    assert abs(angle[-1] - angle[0]) > 3 * 2 * np.pi
    assert abs(len(result.events) - len(expected.events)) <= (method in ORDER_1)  # of new choices
    assert np.abs(result["x"] ** 2 + result["y"] ** 2 - 1).max() < 1e-9
    assert np.abs(result["energy"] - expected["energy"][0]).max() < 1000 * quantum
    assert max(apart(result, expected, name, 5) for name in ("x", "y")) < 1000 * quantum


@pytest.mark.parametrize("method", ["qss2", "qss3", "liqss2", "mliqss2"])
def test_the_error_is_proportional_to_the_quantum(model_of, method: str) -> None:
    model = model_of(LEVEL)
    expected = model.simulate(stop=5, tol=1e-10, interval=0.02)
    errors = [
        apart(model.simulate(stop=5, solver=method, quantum=q, interval=0.02), expected, "x", 5)
        for q in ("1e-4", "1e-6")
    ]

    assert np.log10(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.4)


@pytest.mark.parametrize("method", METHODS)
def test_two_constraints(model_of, method: str) -> None:
    """New states and the combinations that they are must reach all rows at once: with only one of both
    the loop has no solution."""
    model = model_of(TWO)
    expected = model.simulate(stop=1.5, tol=1e-9, interval=0.02)
    quantum = 1e-3 if method in ORDER_1 else 1e-5
    result = model.simulate(stop=1.5, solver=method, quantum=str(quantum), interval=0.02)

    assert len(expected.events) >= 3
    assert max(apart(result, expected, name, 1.5) for name in ("x1", "y2")) < 50 * quantum
