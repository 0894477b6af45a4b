"""Remarks about a model with the parameters of a run."""

from __future__ import annotations

import pytest

import freewheel as fw
from freewheel.base.diagnostics import Severity

TEXT = """model M
  parameter Real L=0.02, R=3;
  Real u=20*sin(314*time), i(start=0), v, s;
  Integer off=if s < 0 then 1 else 0;
equation
  u = L*der(i) + R*i + v;
  v = off*s;
  i = (1 - off)*s;
end M;
"""


def test_a_start_value_that_zero_makes_needless_is_not_remarked(tmp_path):
    path = tmp_path / "M.mo"
    path.write_text(TEXT)
    model = fw.load(path)

    with_state = model.simulate(stop=0.01).remarks
    without = model.simulate(stop=0.01, params={"L": 0}).remarks

    assert [remark.code for remark in with_state] == ["E020"]
    assert without == ()


SILENT = "model M parameter Real a; parameter Real b; Real x = a*time + b; end M;"


def test_a_parameter_that_the_run_gives_a_value_is_not_said_to_have_none():
    model = fw.load_text(SILENT)

    def told(**params):
        return [remark.message for remark in model.simulate(params=params).remarks]

    assert told() == ["no value is given for `a`, `b`; zero is used"]
    assert told(a=2) == ["no value is given for `b`; zero is used"]
    assert told(a=2, b=0) == []


FLOATING = """model M
  Modelica.Electrical.Analog.Sources.SineVoltage V(V=10, f=50);
  {diode} D;
  Modelica.Electrical.Analog.Basic.Resistor R(R=100);
  Modelica.Electrical.Analog.Basic.Capacitor C(C=1e-4, v(start=0, fixed=true));
equation
  connect(V.p, D.p);
  connect(D.n, R.p);
  connect(C.p, D.n);
  connect(C.n, R.n);
  connect(R.n, V.n);
  annotation(experiment(StopTime=0.02));
end M;
"""


def test_a_rectifier_without_ground_is_told_so():
    """Each diode makes the circuit a loop that only a run finds undetermined."""
    real = FLOATING.format(diode="Modelica.Electrical.Analog.Semiconductors.Diode")
    leaky = FLOATING.format(diode="Modelica.Electrical.Analog.Ideal.IdealDiode")

    first, second, *_ = fw.load_text(real).simulate().warnings
    with pytest.raises(fw.SimulationError) as failure:
        fw.load_text(leaky).simulate()

    assert (first.code, first.severity, second.code) == ("E031", Severity.WARNING, "R129")
    assert "no ground" in first.message
    assert failure.value.diagnostics[0].code == "E031"
