"""Thyristors without voltage and current: `off = s < 0 or pre(off) and not fire` at s = 0."""

from __future__ import annotations

from math import exp

import pytest

import freewheel as fw

SHORTED = """
model Shorted "fired while a switch shorts it; the voltage comes when its gate is closed"
  import Modelica.Electrical.Analog.*;
  Sources.ConstantVoltage V(V = 10);
  Basic.Resistor R(R = 1), load(R = 4);
  Basic.Inductor L(L = 0.05, i(start = 0, fixed = true));
  Ideal.IdealClosingSwitch S(Ron = 0, Goff = 0, control = time < 0.3);
  Ideal.IdealThyristor T(Ron = 0, Goff = 0, Vknee = 0, fire = {fire});
  Basic.Ground ground;
equation
  connect(V.n, ground.p);
  connect(V.p, R.p);
  connect(R.n, S.p);
  connect(S.n, ground.p);
  connect(R.n, T.p);
  connect(T.n, {first}.p);
  connect({first}.n, {second}.p);
  connect({second}.n, ground.p);
  annotation(experiment(StopTime = 0.32, Tolerance = 1e-9));
end Shorted;
"""
ONES = 10 / 5 * (1 - exp(-5 / 0.05 * 0.02))  # the current 0.02 s after the switch has opened


@pytest.mark.parametrize("order", [("L", "load"), ("load", "L")])
@pytest.mark.parametrize(
    ("fire", "current"),
    [("time < 0.1", ONES), ("time > 0.05 and time < 0.1", ONES), ("false", 0.0)],
)
def test_a_thyristor_fired_at_rest_conducts_when_the_voltage_comes(order, fire, current, tmp_path):
    text = SHORTED.format(fire=fire, first=order[0], second=order[1])
    (tmp_path / "shorted.mo").write_text(text)

    result = fw.load(tmp_path / "shorted.mo").simulate()

    assert result.final("L.i") == pytest.approx(current, rel=1e-8, abs=1e-12)
