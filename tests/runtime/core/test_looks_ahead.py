"""What is evaluated far ahead of a step has no say in it."""

from __future__ import annotations

import numpy as np
import pytest

import freewheel as fw

TEXT = """
model CoreDelay
  Modelica.Electrical.Analog.Sources.SignalVoltage V;
  Modelica.Electrical.Analog.Basic.Inductor L(L = 0.5, i(start = 0, fixed = true));
  Modelica.Electrical.Analog.Ideal.IdealDiode D(Ron = 0, Goff = 0, Vknee = 0);
  Modelica.Electrical.Analog.Basic.Resistor R(R = 1);
  Modelica.Electrical.Analog.Basic.Ground g;
  discrete Real u(start = 0, fixed = true);
  Real p(start = 0, fixed = true);
equation
  V.v = 5*sin(3*time) + 0.5*delay(L.i, 0.2) + u;
  connect(V.p, L.p);
  connect(L.n, D.p);
  connect(D.n, R.p);
  connect(R.n, V.n);
  connect(V.n, g.p);
  when sample(0.1, 0.1) then
    u = 0.5*sin(L.i) + 0.3*pre(u);
  end when;
  der(p) = L.i - p;
  when p > 0.8 then
    reinit(p, 0.2);
  end when;
end CoreDelay;
"""


@pytest.mark.parametrize("tolerance", [1e-5, 1e-6, 1e-7])
def test_a_short_piece_of_the_past_stops_nothing(tmp_path, tolerance):
    """A step of 3e-11 s before an event is remembered as a polynomial, which says 1e18 a little further on;
    beside that all rates seemed to be rounding, and the next step stood still."""
    file = tmp_path / "m.mo"
    file.write_text(TEXT)
    model = fw.load(str(file))
    exact = model.simulate(stop=5, tol=1e-10, interval=0.01)
    result = model.simulate(stop=5, tol=tolerance, interval=0.01)
    grid = np.linspace(0, 5, 501)
    found, wanted = (np.interp(grid, r.time, r["L.i"]) for r in (result, exact))

    assert np.abs(found - wanted).max() < 100 * tolerance
