"""Rows between the steps of a core are as exact as its steps: an order better than collocation alone."""

import numpy as np
import pytest

import freewheel as fw

RECTIFIER = """
model Rectifier
  Modelica.Electrical.Analog.Sources.SineVoltage U(V=10, f=50, startTime=-1);
  Modelica.Electrical.Analog.Basic.Inductor L(L=0.01, i(start=0, fixed=true));
  Modelica.Electrical.Analog.Ideal.IdealDiode D(Ron=0, Goff=0, Vknee=0);
  Modelica.Electrical.Analog.Basic.Resistor R(R=5);
  Modelica.Electrical.Analog.Basic.Ground ground;
equation
  connect(U.p, L.p);
  connect(L.n, D.p);
  connect(D.n, R.p);
  connect(R.n, ground.p);
  connect(U.n, ground.p);
end Rectifier;
"""
W, DAMPING = 2 * np.pi * 50, 500.0  # R/L


def current(times: np.ndarray) -> np.ndarray:
    """i' = 1000 sin(w t) - 500 i while the diode conducts, from zero."""
    size = 1000 / (W**2 + DAMPING**2)
    swing = DAMPING * np.sin(W * times) - W * np.cos(W * times)
    return size * (swing + W * np.exp(-DAMPING * times))


@pytest.mark.parametrize("tolerance", [1e-3, 1e-5, 1e-7])
def test_rows_are_as_exact_as_steps(tmp_path, tolerance):
    path = tmp_path / "rectifier.mo"
    path.write_text(RECTIFIER)
    result = fw.load(path).simulate(stop=0.01, interval=1e-5, tol=tolerance)
    error = np.abs(result["L.i"] - current(result.time))
    assert len(result) > 5 * result.stats["steps"]  # nearly all rows are between steps
    # Steps alone are about that exact; the collocation polynomial would be wrong by 0.015 times as much.
    assert error.max() < 0.004 * tolerance * current(result.time).max()
