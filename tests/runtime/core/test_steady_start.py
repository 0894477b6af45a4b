"""Initial equations `der(x) = 0` of states inside of a core: values and positions of switches at rest."""

from __future__ import annotations

from math import sin

import pytest

import freewheel as fw
from freewheel.base.diagnostics import CompileError, SimulationError

CONVERTER = """
model M "boost converter whose switch is open"
  import Modelica.Electrical.Analog.*;
  Sources.ConstantVoltage V(V={volt});
  Basic.Resistor R(R=2), RL(R=8);
  Basic.Inductor L(L=0.01{coil});
  Ideal.IdealDiode D(Ron=0, Goff=0, Vknee=0);
  Ideal.IdealClosingSwitch S(Ron=0, Goff=0);
  Basic.Capacitor C(C=1e-3);
  Basic.Ground g;
initial equation
  {first}
  {second}
equation
  S.control = time > 0.01;
  connect(V.p, R.p);
  connect(R.n, L.p);
  connect(L.n, D.p);
  connect(S.p, D.p);
  connect(D.n, C.p);
  connect(RL.p, C.p);
  connect(C.n, g.p);
  connect(RL.n, g.p);
  connect(S.n, g.p);
  connect(V.n, g.p);
end M;
"""
REST = {"first": "der(L.i) = 0;", "second": "0 = der(C.v);", "coil": ""}


def loaded(text: str, folder):
    path = folder / "M.mo"
    path.write_text(text)
    return fw.load(path)


@pytest.mark.parametrize(("volt", "current", "voltage"), [(10, 1.0, 8.0), (-10, 0.0, 0.0)])
def test_values_and_positions_are_at_rest(volt, current, voltage, tmp_path):
    """Conducting, or blocking where the source is turned round."""
    result = loaded(CONVERTER.format(volt=volt, **REST), tmp_path).simulate(
        stop=0.02, impulses="error"
    )

    still = result.time < 0.01
    assert result["L.i"][still] == pytest.approx(current, abs=1e-9)
    assert result["C.v"][still] == pytest.approx(voltage, abs=1e-9)
    assert not [w for w in result.warnings if w.code == "E020"]
    if volt > 0:
        assert result.final("L.i") > 1.5  # the switch closes


def test_one_state_at_rest_beside_another_that_is_given(tmp_path):
    text = CONVERTER.format(
        volt=10, first="der(C.v) = 0;", second="", coil=", i(start=0.5, fixed=true)"
    )

    result = loaded(text, tmp_path).simulate(stop=0.005)

    assert result["L.i"][0] == pytest.approx(0.5)
    assert result["C.v"][0] == pytest.approx(4.0)
    assert result.final("L.i") > 0.55


def test_a_coil_that_saturates_begins_at_rest(tmp_path):
    text = """
model M
  Real psi, i(start=0.1), v, s, u;
initial equation
  der(psi) = 0;
equation
  der(psi) = 10 - u - 2*i;
  psi = 0.02*i + 0.05*tanh(i);
  u = if s < 0 then s else 0;
  i = if s < 0 then 0 else s;
  v = u;
end M;
"""
    result = loaded(text, tmp_path).simulate(stop=0.01)

    assert result["i"][0] == pytest.approx(5.0, rel=1e-8)
    assert result.final("i") == pytest.approx(5.0, rel=1e-8)


def test_sources_that_swing_are_at_rest_for_the_first_instant(tmp_path):
    text = CONVERTER.format(volt=10, **REST)
    swinging = "Sources.SineVoltage V(V=10, f=50, phase=1)"
    text = text.replace("Sources.ConstantVoltage V(V=10)", swinging)

    result = loaded(text, tmp_path).simulate(stop=1e-4)

    assert result["L.i"][0] == pytest.approx(sin(1), rel=1e-9)
    assert result["C.v"][0] == pytest.approx(8 * sin(1), rel=1e-9)


def test_other_conditions_on_rates_are_refused(tmp_path):
    text = CONVERTER.format(volt=10, first="der(L.i) = 1;", second="", coil="")

    with pytest.raises(CompileError, match="cannot be met"):
        loaded(text, tmp_path).compiled()


def test_a_state_that_nothing_stops_has_no_rest(tmp_path):
    text = """
model M "a constant current into a capacitor, beside a diode that blocks"
  import Modelica.Electrical.Analog.*;
  Sources.ConstantCurrent I(I=2);
  Ideal.IdealDiode D(Ron=0, Goff=0, Vknee=0);
  Basic.Capacitor C(C=1e-3);
  Basic.Ground g;
initial equation
  der(C.v) = 0;
equation
  connect(I.n, C.p);
  connect(D.n, C.p);
  connect(D.p, g.p);
  connect(C.n, g.p);
  connect(I.p, g.p);
end M;
"""
    with pytest.raises(SimulationError, match=r"no values of `C.v`") as failure:
        loaded(text, tmp_path).simulate(stop=1e-4, impulses="accept")

    assert failure.value.diagnostics[0].code == "R138"
    assert "there is no steady start: no values of `" in failure.value.diagnostics[0].message
    assert "give start values" in failure.value.diagnostics[0].help


@pytest.mark.parametrize(("volt", "current", "voltage"), [(10, 0.2, 10.0), (-10, 0.0, 0.0)])
def test_a_capacitor_outside_of_the_core_rests_with_it(volt, current, voltage, tmp_path):
    """Only the current is a state of the core; the voltage follows it, and its rate must follow that."""
    text = f"""
model M
  import Modelica.Electrical.Analog.*;
  Sources.ConstantVoltage U(V={volt});
  Basic.Inductor L(L=0.01);
  Ideal.IdealDiode D(Ron=0, Goff=0, Vknee=0);
  Basic.Capacitor C(C=1e-3);
  Basic.Resistor R(R=50);
  Basic.Ground g;
initial equation
  der(L.i) = 0;
  der(C.v) = 0;
equation
  connect(U.p, L.p);
  connect(L.n, D.p);
  connect(D.n, C.p);
  connect(R.p, C.p);
  connect(C.n, g.p);
  connect(R.n, g.p);
  connect(U.n, g.p);
end M;
"""

    result = loaded(text, tmp_path).simulate(stop=0.02, impulses="error")

    assert result["L.i"] == pytest.approx(current, abs=1e-9)
    assert result["C.v"] == pytest.approx(voltage, abs=1e-9)
