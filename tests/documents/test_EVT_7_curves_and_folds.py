"""EVT-7: parameterised curves at corners and folds (H9.7 to H9.10), against closed forms."""

from __future__ import annotations

from itertools import pairwise
from math import asin, log, pi, sqrt

import numpy as np
import pytest

import freewheel as fw
from freewheel.base.diagnostics import SimulationError

TUNNEL = """
  i = if s < 0 then 1e-8*s elseif s < 1 then s*1e-3 elseif s < 2 then 1e-3 - (s - 1)*9e-4
    else 1e-4 + (s - 2)*1e-3;
"""
N_CURVE = "y = if x < -1 then 2*x + 3 else if x < 1 then -x else 2*x - 3;"
INDUCTOR = """
model TunnelInductor
  Modelica.Electrical.Analog.Sources.ConstantVoltage U(V=0.25);
  Modelica.Electrical.Analog.Basic.Resistor R(R=10);
  Modelica.Electrical.Analog.Basic.Inductor L(L=1e-6, i(start=0, fixed=true));
  Hybrid.Electrical.TunnelDiode D;
  Modelica.Electrical.Analog.Basic.Ground G;
equation
  connect(U.p, R.p);
  connect(R.n, L.p);
  connect(L.n, D.p);
  connect(D.n, U.n);
  connect(G.p, U.n);
  annotation(experiment(StopTime=5e-8));
end TunnelInductor;
"""


@pytest.fixture
def load(tmp_path):
    def from_text(text):
        path = tmp_path / "m.mo"
        path.write_text(text)
        return fw.load(path)

    return from_text


def test_EVT_7_a_curve_starts_at_its_corner(load):
    model = load(f"model M Real i = 0.9e-3*sin(time), s(start=0); equation {TUNNEL} end M;")
    r = model.simulate(stop=3)
    np.testing.assert_allclose(r["s"], 0.9 * np.sin(r.time), atol=1e-12)


@pytest.mark.parametrize(("start", "found"), [(1, 1.0), (0.5, 1.0), (3, 2.9), (1.6, 1.0)])
def test_EVT_7_at_the_peak_the_start_value_chooses(load, start, found):
    """At the peak s = 1 and s = 2.9 are solutions."""
    model = load(f"model M Real i = 1e-3, s(start={start}); equation {TUNNEL} end M;")
    assert model.simulate()["s"][0] == pytest.approx(found, abs=1e-12)


def test_EVT_7_the_only_solution_is_a_corner_far_from_the_start_value(load):
    model = load(f"model M Real i = 0, s(start=5); equation {TUNNEL} end M;")
    assert model.simulate()["s"][0] == 0.0


@pytest.mark.parametrize(("start", "found"), [(-2, -1.5), (0.3, 0.0), (3, 1.5)])
def test_EVT_7_the_start_value_chooses_the_branch_of_a_fold(load, start, found):
    model = load(f"model M Real x(start={start}), y = 3*sin(time); equation {N_CURVE} end M;")
    assert model.simulate(stop=0.1)["x"][0] == pytest.approx(found, abs=1e-12)


def test_EVT_7_a_parameter_may_give_that_start_value(load):
    text = f"""model M parameter Real x0 = 3; Real x(start=x0), y = 3*sin(time);
    equation {N_CURVE} end M;"""
    model = load(text)
    assert model.simulate(stop=0.1)["x"][0] == pytest.approx(1.5)
    assert model.simulate(stop=0.1, params={"x0": -2})["x"][0] == pytest.approx(-1.5)


@pytest.mark.parametrize("solver", ["dopri5", "radau", "qss2"])
def test_EVT_7_beyond_a_fold_a_relaxation_oscillator_jumps(load, solver):
    """x = (y - 3)/2 up to y = 1, then x = (y + 3)/2 down to y = -1, and so on."""
    text = (
        f"model M Real y(start=0, fixed=true), x(start=-2); equation der(y) = -x; {N_CURVE} end M;"
    )
    r = load(text).simulate(stop=10, solver=solver, tol=1e-7)
    found = _jumps(r, "x")
    exact = [2 * log(1.5) + 2 * k * log(2) for k in range(len(found))]
    assert len(found) == 7
    np.testing.assert_allclose([t for t, _, _ in found], exact, atol=2e-6)
    for k, (_, before, after) in enumerate(found):
        sign = 1 if k % 2 == 0 else -1
        assert (before, after) == (
            pytest.approx(-sign, abs=1e-5),
            pytest.approx(2 * sign, abs=1e-5),
        )
    assert np.all(np.abs(r["y"]) <= 1 + 1e-5)


def test_EVT_7_a_start_that_solves_no_branch_is_refused(load):
    text = """model M Real x(start=0); initial equation der(x) = 0;
    equation der(x) = if x < 1 then x - 2 else x - 0.5; end M;"""
    with pytest.raises(SimulationError) as told:
        load(text).simulate()
    assert told.value.diagnostics[0].code == "R005"
    fine = load(text.replace("0.5", "3")).simulate()
    assert fine["x"][0] == pytest.approx(3)


def test_EVT_7_elements_of_the_homework_are_ideal_by_default(load):
    text = """model M
      Hybrid.Electrical.Thyristor a; Hybrid.Electrical.ZenerDiode b; Hybrid.Electrical.TunnelDiode c;
      Modelica.Electrical.Analog.Sources.ConstantVoltage U(V=-1);
      Modelica.Electrical.Analog.Basic.Ground g;
    equation
      a.fire = false;
      connect(U.p, a.p); connect(U.p, b.p); connect(U.p, c.p); connect(U.n, g.p);
      connect(a.n, g.p); connect(b.n, g.p); connect(c.n, g.p);
    end M;"""
    r = load(text).simulate()
    for name in ("a", "b", "c"):
        assert r[f"{name}.Ron"][0] == r[f"{name}.Goff"][0] == 0.0
        assert np.all(r[f"{name}.i"] == 0.0)


@pytest.mark.parametrize("tol", [1e-4, 1e-9])
@pytest.mark.parametrize("unit", [1.0, 1e3])
def test_EVT_7_a_tunnel_diode_behind_an_inductor_jumps_at_peak_and_valley(load, tol, unit):
    """The current is continuous: up to the peak with 110 Ohm, then against the upright piece down to the
    valley with 10 Ohm, then on the first piece again."""
    text = INDUCTOR.replace("V=0.25", f"V={0.25 * unit}").replace(
        "TunnelDiode D;",
        f"TunnelDiode D(Vp={0.1 * unit}, Vv={0.4 * unit}, Ip={1e-3 * unit}, Iv={1e-4 * unit});",
    )
    r = load(text).simulate(tol=tol)
    peak, valley = 1e-3, 1e-4
    falls = 1e-7 * log((0.015 + peak) / (0.015 + valley))
    goal = 0.25 / 110
    first = 1e-6 / 110 * log(goal / (goal - peak))
    rises = 1e-6 / 110 * log((goal - valley) / (goal - peak))
    exact = [first]
    for k in range(8):
        exact.append(exact[-1] + (falls if k % 2 == 0 else rises))
    found = _jumps(r, "D.s")
    assert len(found) == sum(t < 5e-8 for t in exact)
    np.testing.assert_allclose([t for t, _, _ in found], exact[: len(found)], rtol=1e-2 * tol)
    upper, lower = 2 + (peak - valley) * unit, 0.1
    for k, (_, before, after) in enumerate(found):
        assert before == pytest.approx(1 if k % 2 == 0 else 2, abs=1e-9)
        assert after == pytest.approx(upper if k % 2 == 0 else lower, rel=1e-9)
    at_jumps = [r["L.i"][k : k + 2] for k in _places(r, "D.s")]
    np.testing.assert_allclose([a for a, _ in at_jumps], [b for _, b in at_jumps], rtol=1e-12)
    assert not r.impulses


@pytest.mark.parametrize(("start", "found"), [(3, 2.0004), (1.5, 1 + 5 / 9), (0.5, 0.5)])
def test_EVT_7_the_start_value_chooses_the_piece_of_an_ideal_element(load, start, found):
    text = INDUCTOR.replace("V=0.25", "V=0.42").replace("i(start=0,", "i(start=0.5e-3,")
    r = load(text.replace("TunnelDiode D;", f"TunnelDiode D(s(start={start}));")).simulate(
        stop=2e-8
    )
    assert r["D.s"][0] == pytest.approx(found, rel=1e-12)
    assert r["D.v"][-1] == pytest.approx(
        0.4
    )  # beyond the peak from below and from the falling piece


def test_EVT_7_a_thyristor_lets_the_rest_of_the_half_wave_through(load):
    """H9.7 with a resistor: fired at 30 degrees it conducts until 180; at 210 the voltage is negative."""
    text = """model M
      Modelica.Electrical.Analog.Sources.SineVoltage line(V=10, f=50);
      Modelica.Electrical.Analog.Basic.Ground g;
      Hybrid.Electrical.Thyristor T;
      Modelica.Electrical.Analog.Basic.Resistor R(R=10);
      Real angle = mod(18000*time, 360);
    equation
      T.fire = angle >= 30 and angle <= 45 or angle >= 210 and angle <= 225;
      connect(line.p, T.p); connect(T.n, R.p); connect(R.n, g.p); connect(line.n, g.p);
    end M;"""
    r = load(text).simulate(stop=0.2, tol=1e-8)
    angle = (18000 * r.time) % 360
    inside = (angle > 30.001) & (angle < 179.999)
    outside = (angle < 29.999) | (angle > 180.001)
    np.testing.assert_allclose(r["R.v"][inside], r["line.v"][inside], atol=1e-9)
    np.testing.assert_allclose(r["R.v"][outside], 0.0, atol=1e-9)


def test_EVT_7_a_zener_diode_holds_a_capacitor(load):
    """H9.9: it charges through 10 Ohm, and stays at 5.1 V for as long as the source feeds the diode."""
    text = """model M
      Modelica.Electrical.Analog.Sources.SineVoltage line(V=10, f=50);
      Modelica.Electrical.Analog.Basic.Ground g;
      Modelica.Electrical.Analog.Basic.Resistor R(R=10);
      Modelica.Electrical.Analog.Basic.Capacitor C(C=1e-5, v(start=0, fixed=true));
      Hybrid.Electrical.ZenerDiode Z;
    equation
      connect(line.p, R.p); connect(R.n, C.p); connect(C.p, Z.n);
      connect(Z.p, g.p); connect(C.n, g.p); connect(line.n, g.p);
    end M;"""
    r = load(text).simulate(stop=0.01, tol=1e-9)
    held = (r.time > 2.5e-3) & (r.time < (pi - asin(0.51)) / (100 * pi) - 1e-9)
    np.testing.assert_allclose(r["C.v"][held], 5.1, rtol=1e-9)
    np.testing.assert_allclose(r["Z.i"][held], -(r["line.v"][held] - 5.1) / 10, rtol=1e-7)


def test_EVT_7_a_lamp_discharges_its_capacitor_at_once(load):
    """v(s) has a fold at 2 V and an upright piece at 0.5 V: charged through 1 kOhm from 3 V, the capacitor
    falls to 0.5 V by an impulse, and the current is too small to stay there."""
    text = """
    model Lamp extends Modelica.Electrical.Analog.Interfaces.OnePort; Real s(start=0);
    equation
      v = if s < 1 then s*2 elseif s < 2 then 2 - (s - 1)*1.5 else 0.5;
      i = if s < 1 then 0 elseif s < 2 then (s - 1)*0.01 else 0.01 + (s - 2);
    end Lamp;
    model M
      Modelica.Electrical.Analog.Sources.ConstantVoltage U(V=3);
      Modelica.Electrical.Analog.Basic.Resistor R(R=1000);
      Modelica.Electrical.Analog.Basic.Capacitor C(C=1e-6, v(start=0, fixed=true));
      Modelica.Electrical.Analog.Basic.Ground G; Lamp D;
    equation
      connect(U.p, R.p); connect(R.n, C.p); connect(R.n, D.p);
      connect(D.n, U.n); connect(C.n, U.n); connect(G.p, U.n);
    end M;"""
    r = load(text).simulate(stop=4e-3, tol=1e-9, impulses="accept")
    found = _jumps(r, "C.v")
    exact = [1e-3 * (log(3) + k * log(2.5)) for k in range(4)]
    np.testing.assert_allclose([t for t, _, _ in found], exact, rtol=1e-8)
    np.testing.assert_allclose([(a, b) for _, a, b in found], [(2.0, 0.5)] * 4, rtol=1e-8)


def test_EVT_7_bent_pieces_jump_as_well(load):
    """Pieces that are no straight lines, driven by a current: up at the peak, down at the valley."""
    text = """model M
      Real i = 1e-3*(1 - cos(time)), v, s(start=0);
    equation
      v = if s < 0 then s elseif s < 1 then 0.1*s elseif s < 2 then 0.1 + (s - 1)*0.3 else 0.4;
      i = if s < 0 then 0 elseif s < 1 then 1e-3*(1.5*s - 0.5*s^2)
        elseif s < 2 then 1e-3 - 4.5e-4*(s - 1)*s else 1e-4 + (s - 2);
    end M;"""
    r = load(text).simulate(stop=6.2, tol=1e-8)
    (up, _, after), (down, _, low) = _jumps(r, "s")
    assert up == pytest.approx(pi / 2, rel=1e-8)
    assert after == pytest.approx(2 + 9e-4, rel=1e-9)
    assert down == pytest.approx(2 * pi - np.arccos(0.9), rel=1e-8)
    assert low == pytest.approx(1.5 - sqrt(1.5**2 - 0.2), rel=1e-6)


def _places(r, name):
    t, s = r.time, r[name]
    return [k for k, (a, b) in enumerate(pairwise(t)) if a == b and abs(s[k + 1] - s[k]) > 0.5]


def _jumps(r, name):
    """(time, before, after) of the jumps of a variable."""
    s = r[name]
    return [(float(r.time[k]), float(s[k]), float(s[k + 1])) for k in _places(r, name)]
