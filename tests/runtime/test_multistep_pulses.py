"""CVODE and IDA in short pulses: their first step after an event must be one that time resolves."""

from __future__ import annotations

from math import exp, sin
from pathlib import Path

import pytest

import freewheel as fw

SOLVERS = ["ida", "cvode"]
WIDTHS = [1e-3, 1e-5, 1e-7, 1e-9]
TIMED = """
model Pulse
  parameter Real width = 1e-5, begin = 2;
  Real x(start = 0, fixed = true);
equation
  der(x) = if time > begin and time < begin + width then 1/width else 0;
end Pulse;
"""
STATES = """
model Pulse
  parameter Real width = 1e-5;
  Real s(start = 0, fixed = true), x(start = 0, fixed = true), y(start = 0, fixed = true);
  Real v(start = 0, fixed = true);
  Real u = if s > 2 and s < 2 + width then 1/width else 0;
equation
  der(s) = 1;
  der(x) = u - x;
  der(y) = v;
  der(v) = u - y;
end Pulse;
"""


def model(tmp_path: Path, text: str) -> fw.Model:
    path = tmp_path / "pulse.mo"
    path.write_text(text)
    return fw.load(path)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("tol", [1e-4, 1e-8, 1e-10])
def test_a_pulse_moves_a_state_at_rest(
    tmp_path: Path, solver: str, width: float, tol: float
) -> None:
    result = model(tmp_path, TIMED).simulate(
        stop=5.0, params={"width": width}, solver=solver, tol=tol
    )

    lost = 4 * 2.2e-16 / width  # both ends of the pulse are rounded
    assert result.final("x") == pytest.approx(1.0, abs=10 * tol + lost)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("tol", [1e-6, 1e-10])
def test_a_pulse_that_a_state_begins(tmp_path: Path, solver: str, width: float, tol: float) -> None:
    result = model(tmp_path, STATES).simulate(
        stop=5.0, params={"width": width}, solver=solver, tol=tol
    )

    near = 100 * tol + width**2 + 100 * 2.2e-16 / width  # where the events lie
    assert result.final("x") == pytest.approx(exp(-3 + width / 2), abs=near)
    assert result.final("y") == pytest.approx(sin(3 - width / 2), abs=near)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("begin", [0.0, 1e-3, 1e6])
def test_early_and_late_pulses(tmp_path: Path, solver: str, begin: float) -> None:
    result = model(tmp_path, TIMED).simulate(
        start=begin - begin / 2,
        stop=1.5 * begin + 1.0,
        params={"begin": begin},
        solver=solver,
        tol=1e-10,
    )

    assert result.final("x") == pytest.approx(1.0, abs=1e-8 + 4 * 2.2e-16 * begin / 1e-5)
