"""The circuit of document 004 with the diodes that documents 000 and 002 write down: a switch whose position
follows the signs of its own voltage and current. A half-wave with L and R has a closed form, the one with L
and a capacitor the published numbers.
"""

from __future__ import annotations

from math import atan2, exp, hypot, pi, sin

import numpy as np
import pytest
from scipy.optimize import brentq

import freewheel as fw

CLOSES, OPENS = "0 = if open then i else v;", "if open then i = 0; else v = 0; end if;"
FORMS = {
    "EVT 9.3": ("open = v <= 0 and not i > 0;", CLOSES),
    "with its past": ("open = not (v > 0 or (not pre(open) and i > 0));", CLOSES),
    "discrete state": ("open = v <= 0 and not i > 0;", CLOSES.replace("open", "pre(open)")),
    "one condition each": ("open = if pre(open) then v <= 0 else i < 0;", CLOSES),
    "an if-equation": ("open = if pre(open) then not v > 0 else i < 0;", OPENS),
    "the other way": (
        "closed = v > 0 or i > 0; open = not closed;",
        "0 = if closed then v else i;",
    ),
    "by another name": ("closed = v > 0 or i > 0; open = not closed;", CLOSES),
    "backwards": ("open = v >= 0 and not i < 0;", CLOSES),
}
MODEL = """
model HalfWave
  parameter Real L = 0.01, R = 2, sign = {sign};
  constant Real pi = 3.141592653589793;
  Real v, i(start = 0, fixed = true);
  Boolean open(start = true), closed;
equation
  L*der(i) = sign*10*sin(100*pi*time) - R*i - v;
  {logic}
  {switch}
  {rest}
  annotation(experiment(StopTime = 0.1, Tolerance = 1e-6));
end HalfWave;
"""


def exact(times: np.ndarray) -> tuple[np.ndarray, float]:
    """The current, and when it ends in each period."""
    w, coil, ohm = 100 * pi, 0.01, 2.0
    z, phi = hypot(ohm, w * coil), atan2(w * coil, ohm)

    def current(t: float) -> float:
        return 10 / z * (sin(w * t - phi) + sin(phi) * exp(-ohm * t / coil))

    end = brentq(current, 0.0101, 0.0199, xtol=1e-16)
    return np.array([current(t % 0.02) if t % 0.02 < end else 0.0 for t in times]), end


@pytest.mark.parametrize("form", FORMS)
def test_VAR_1_a_diode_of_signs_behind_an_inductor(form, tmp_path):
    logic, switch = FORMS[form]
    sign = -1 if form == "backwards" else 1
    rest = "" if "closed = " in logic else "closed = not open;"
    path = tmp_path / "model.mo"
    path.write_text(MODEL.format(sign=sign, logic=logic, switch=switch, rest=rest))

    result = fw.load(path).simulate()

    times = np.asarray(result.time)
    wanted, end = exact(times)
    early = np.minimum(times % 0.02, 0.02 - times % 0.02) < 1e-9
    assert np.abs(sign * result["i"] - wanted)[~early].max() < 1e-7
    events = [event.time for event in result.events if event.time > 0]
    assert events == pytest.approx(
        [end + 0.01 * k if k % 2 == 0 else 0.01 * (k + 1) for k in range(9)]
    )


def test_VAR_1_the_diode_of_the_classic_library(tmp_path):
    path = tmp_path / "rectifier.dym"
    path.write_text("""
model Rectifier
  submodel (VSource) U0
  submodel (Inductor) L(L = 0.01)
  submodel (Resistor) RL(R = 50)
  submodel (Capacitor) C(C = 0.001)
  submodel (Diode) Diode
  submodel Common
  connect Common - ((U0 - L - Diode)//C//RL)
  U0.u0 = 10*sin(2 * 3.141592653589793 * 50 * Time)
end
""")

    result = fw.load(path).simulate(stop=0.2, tol=1e-6)

    assert abs(result.final("C.u")) == pytest.approx(7.414103491510, rel=1e-7)
    assert len(result.events) == 17
    assert result.events[0].time == pytest.approx(0.010119061496939, abs=1e-10)


def test_VAR_1_a_switch_that_looks_elsewhere_too_stays_what_it_is(tmp_path):
    path = tmp_path / "model.mo"
    path.write_text(
        MODEL.format(
            sign=1,
            logic="open = v <= 0 and not i > 0 or time > 1;",
            switch=CLOSES,
            rest="closed = not open;",
        )
    )

    assert [element.kind for element in fw.load(path).switches().switches] == ["choice"]


STEPWISE = {  # the same law with names for its parts
    "Booleans": "forward = v > 0; flows = i > 0; open = not (forward or flows);",
    "with its past": "forward = v > 0; flows = i < 0; open = flows or pre(open) and not forward;",
    "a Real": "forward = true; flows = true; open = a < 0; a = if pre(open) then v else i;",
    "other signs": "forward = a <= 0; flows = b >= 0; a = v; b = -i; open = forward and flows;",
}
BRIDGE = """
model Diode
  extends Modelica.Electrical.Analog.Interfaces.OnePort;
  Boolean open(start = true, fixed = {fixed}), forward, flows;
  {names}
equation
  0 = if open then i else v;
  {logic}
end Diode;
model Bridge
  import Modelica.Electrical.Analog.*;
  Sources.SineVoltage U(V = 1, f = 1);
  Basic.Inductor L(L = 0.1, i(start = 0, fixed = true));
  Basic.Capacitor C(C = 1, v(start = 0, fixed = true));
  Basic.Resistor R(R = 1);
  Basic.Ground ground;
  {diode} D1, D2, D3, D4;
equation
  connect(U.p, L.p); connect(L.n, D1.p); connect(D3.n, L.n); connect(D2.p, U.n); connect(D4.n, U.n);
  connect(D1.n, C.p); connect(D2.n, C.p); connect(D3.p, C.n); connect(D4.p, C.n);
  connect(C.p, R.p); connect(C.n, R.n); connect(U.n, ground.p);
end Bridge;
"""


@pytest.mark.parametrize("form", STEPWISE)
def test_VAR_1_the_law_of_a_diode_may_have_names_for_its_parts(form, tmp_path):
    logic = STEPWISE[form]
    names = " ".join(f"Real {name};" for name in "ab" if f"{name} = " in logic)
    fixed = "true" if "pre(" in logic else "false"
    ideal = "Ideal.IdealDiode(Ron = 0, Goff = 0, Vknee = 0)"
    text = BRIDGE.format(fixed=fixed, names=names, logic=logic, diode="Diode")
    path, other = tmp_path / "stepwise.mo", tmp_path / "ideal.mo"
    path.write_text(text)
    other.write_text(text.replace("  Diode D1, D2", f"  model D = {ideal};\n  D D1, D2"))

    result, wanted = (fw.load(p).simulate(stop=5.0, tol=1e-8) for p in (path, other))

    for at in (1.3, 2.9, 5.0):
        assert result.at("C.v", at) == pytest.approx(wanted.at("C.v", at), rel=1e-6)
        assert result.at("L.i", at) == pytest.approx(wanted.at("L.i", at), abs=1e-6)


LATCHES = {
    "as the library's": "v <= 0 and not i > 0 or pre(open) and not fire",
    "one condition each": "if pre(open) then not (fire and v > 0) else i < 0",
    "zero counts": "if pre(open) then not (fire and v > 0) else i <= 0",
    "what opens it": "i < 0 or pre(open) and not (fire and v > 0)",
    "what closes it": "not (i > 0 or (v > 0 and fire))",
}


@pytest.mark.parametrize("form", LATCHES)
@pytest.mark.parametrize("coil", [0.1, 0.0])
def test_VAR_1_a_thyristor_of_signs_and_a_gate(form, coil, tmp_path):
    """Four of them in a bridge, behind an inductor and without one."""
    fire = "fire = mod(time, 0.5) > 0.12;"
    logic = f"forward = true; flows = true; {fire} open = {LATCHES[form]};"
    text = BRIDGE.format(fixed="true", names="Boolean fire;", logic=logic, diode="Diode")
    if coil == 0.0:
        text = text.replace(
            "Basic.Inductor L(L = 0.1, i(start = 0, fixed = true))", "Basic.Resistor L(R = 0)"
        )
    ideal = "extends Ideal.IdealThyristor(Ron = 0, Goff = 0, Vknee = 0)"
    path, other = tmp_path / "signs.mo", tmp_path / "ideal.mo"
    path.write_text(text)
    model = f"  model D {ideal}; equation {fire} end D;\n  D D1, D2"
    other.write_text(text.replace("  Diode D1, D2", model))

    result, wanted = (fw.load(p).simulate(stop=5.0, tol=1e-8) for p in (path, other))

    for at in (1.3, 2.9, 5.0):
        assert result.at("C.v", at) == pytest.approx(wanted.at("C.v", at), rel=1e-6)
