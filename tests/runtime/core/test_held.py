"""Sliding and resting beside ideal elements: neither knows of the other, and both are right."""

from __future__ import annotations

import numpy as np
import pytest

import freewheel as fw
from freewheel.base.diagnostics import SimulationError

RECTIFIER = """
partial model Rectifier
  Modelica.Electrical.Analog.Sources.SineVoltage U(V = 10, f = 50);
  Modelica.Electrical.Analog.Basic.Inductor L(L = 0.01, i(start = 0, fixed = true));
  Modelica.Electrical.Analog.Ideal.IdealDiode D(Ron = 0, Goff = 0, Vknee = 0);
  Modelica.Electrical.Analog.Basic.Capacitor C(C = 1e-3, v(start = 0, fixed = true));
  Modelica.Electrical.Analog.Basic.Resistor R(R = 50);
  Modelica.Electrical.Analog.Basic.Ground ground;
equation
  connect(U.p, L.p);
  connect(L.n, D.p);
  connect(D.n, C.p);
  connect(D.n, R.p);
  connect(C.n, ground.p);
  connect(R.n, ground.p);
  connect(U.n, ground.p);
end Rectifier;
"""
PLAIN = "model M extends Rectifier; end M;"
BALL = """
model M
  extends Rectifier;
  Real h(start = 0.004, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -0.7*pre(v));
  end when;
end M;
"""
RELAY = """
model M
  extends Rectifier;
  Real x(start = 0.03, fixed = true);
equation
  der(x) = 10*time - (if x > 0 then 1 else -1);
end M;
"""
TWO = """
model M
  extends Rectifier;
  Real x(start = 0.03, fixed = true), z(start = -0.02, fixed = true);
equation
  der(x) = 10*time - (if x > 0 then 1 else -1);
  der(z) = 0.5 - (if z > 0 then 1 else -1);
end M;
"""
LOAD = """
model M
  extends Rectifier;
  Modelica.Electrical.Analog.Sources.SignalCurrent load;
equation
  load.i = if C.v > 8 then 1.5 else 0;
  connect(load.p, D.n);
  connect(load.n, ground.p);
end M;
"""
BENT = """
model M "with a core that bends: i = flux + flux^3"
  Real flux(start = 0, fixed = true), i, v(start = 0, fixed = true), u, s, load;
  Boolean off;
equation
  i = 50*flux + 2e4*flux^3;
  der(flux) = 10*sin(314*time) - v - u;
  off = s < 0;
  u = if off then s else 0;
  i = if off then 0 else s;
  1e-3*der(v) = i - v/50 - load;
  load = if v > 8 then 1.5 else 0;
end M;
"""


def run(text, tmp_path, stop=0.2, **words):
    file = tmp_path / "m.mo"
    file.write_text(RECTIFIER + text)
    return fw.load(str(file), model="M").simulate(stop=stop, **words)


def on_a_grid(result, name, stop=0.2):
    """Where each run has a row."""
    return np.interp(np.linspace(0, stop, 501), result.time, result[name])


def test_a_ball_comes_to_rest_beside_a_rectifier(tmp_path):
    """It fell through the floor, without a word."""
    result = run(BALL, tmp_path)
    rectifier = run(PLAIN, tmp_path)
    fall = np.sqrt(2 * 0.004 / 9.81)
    rest = fall * (1 + 0.7) / (1 - 0.7)

    assert rest < 0.17
    assert result["h"].min() > -1e-9
    assert np.abs(result["h"][result.time > rest]).max() < 1e-12
    assert any("at rest" in cause for event in result.events for cause in event.causes)
    apart = np.abs(on_a_grid(result, "C.v") - on_a_grid(rectifier, "C.v"))
    assert apart.max() < 1e-5


def exact_relay(times):
    """To the surface, along it as long as 10 t < 1, and away."""
    hit = (1 - np.sqrt(1 - 0.6)) / 10
    before, after = 0.03 - times + 5 * times**2, 5 * (times - 0.1) ** 2
    return np.where(times < hit, before, np.where(times < 0.1, 0.0, after))


@pytest.mark.parametrize("text", [RELAY, TWO])
@pytest.mark.parametrize("words", [{}, {"solver": "liqss2", "tol": 1e-6}], ids=["core", "liqss2"])
def test_a_relay_slides_beside_a_rectifier(text, words, tmp_path):
    """While it does, an ordinary method takes the steps, and diodes turn all the same."""
    result = run(text, tmp_path, **words)
    rectifier = run(PLAIN, tmp_path)

    assert np.abs(result["x"] - exact_relay(np.asarray(result.time))).max() < 1e-5
    assert np.abs(on_a_grid(result, "C.v") - on_a_grid(rectifier, "C.v")).max() < 1e-4
    assert [event.time for event in result.events if "is left" in str(event.causes)] == [
        pytest.approx(0.1, abs=1e-7)
    ]
    if text is TWO:
        late = np.asarray(result.time) > 0.02 / 1.5 + 1e-6
        assert np.abs(result["z"][late]).max() < 1e-9


@pytest.mark.parametrize("text", [LOAD, BENT], ids=["linear", "bent"])
def test_what_switches_may_be_a_part_of_the_circuit(text, tmp_path):
    """A load that is connected above 8 V and not below: the mixture of both is what keeps the voltage
    there. The same with a ramp of a microvolt in place of the switch."""
    result = run(text, tmp_path)
    ramp = "1.5*min(max((#v - 8)/1e-6 + 0.5, 0), 1)"
    steep = text.replace("if C.v > 8 then 1.5 else 0", ramp.replace("#v", "C.v"))
    steep = steep.replace("if v > 8 then 1.5 else 0", ramp.replace("#v", "v"))
    expected = run(steep, tmp_path, tol=1e-8)
    v, load, i = ("C.v", "load.i", "L.i") if text is LOAD else ("v", "load", "i")

    slides = (np.abs(result[v] - 8) < 1e-9) & (result[load] > 1e-6) & (result[load] < 1.5 - 1e-6)
    assert slides.sum() > 10
    assert np.abs((result[i] - 8 / 50 - result[load])[slides]).max() < 1e-6
    assert np.abs(on_a_grid(result, v) - on_a_grid(expected, v)).max() < 2e-6


def test_the_solver_that_is_told_is_that_of_the_core(tmp_path):
    assert run(RELAY, tmp_path, stop=0.08).stats["solver"] == "core-radau"


def test_backward_euler_goes_on_after_a_surface(tmp_path):
    result = run(RELAY, tmp_path, solver="core-euler", interval=1e-4)

    assert np.abs(result["x"] - exact_relay(np.asarray(result.time))).max() < 1e-3


def test_where_a_diode_turns_with_the_switch_there_is_no_sliding(tmp_path):
    """Both sides drive to the surface, but a mixture of four positions would be needed."""
    text = """
model M
  extends Rectifier;
  Modelica.Electrical.Analog.Sources.SignalVoltage V;
  Modelica.Electrical.Analog.Ideal.IdealDiode E(Ron = 0, Goff = 0, Vknee = 0);
  Modelica.Electrical.Analog.Basic.Resistor Q(R = 10);
  Real x(start = 0.03, fixed = true);
equation
  V.v = if x > 0 then 20 else -20;
  der(x) = 3*E.i - 1;
  connect(D.n, V.p);
  connect(V.n, Q.p);
  connect(Q.n, E.p);
  connect(E.n, ground.p);
end M;
"""
    with pytest.raises(SimulationError) as found:
        run(text, tmp_path)
    assert found.value.diagnostics[0].code == "R007"


STUCK = """
model M "two shafts, each in a bearing, a clutch between: all stuck, whatever holds what"
  Modelica.Mechanics.Rotational.Components.Inertia J1(J = 1, phi(fixed = true), w(fixed = true));
  Modelica.Mechanics.Rotational.Components.Inertia J2(J = 1, phi(fixed = true), w(fixed = true));
  Modelica.Mechanics.Rotational.Components.BearingFriction F1(tau_pos = [0, 1; 1, 1.2]);
  Modelica.Mechanics.Rotational.Components.BearingFriction F2(tau_pos = [0, 1; 1, 1.2]);
  Modelica.Mechanics.Rotational.Components.Clutch C(fn_max = 4, mu_pos = [0, 0.5]);
  Modelica.Mechanics.Rotational.Sources.Torque T;
equation
  C.f_normalized = 1;
  T.tau = 3*sin(3*time);
  connect(T.flange, J1.flange_a);
  connect(J1.flange_b, F1.flange_a);
  connect(F1.flange_b, C.flange_a);
  connect(C.flange_b, J2.flange_a);
  connect(J2.flange_b, F2.flange_a);
end M;
"""


@pytest.mark.parametrize("solver", ["auto", "liqss2"])
def test_speeds_of_bodies_that_are_stuck_are_noise(solver, tmp_path):
    """Both shafts turn together: 2 w' = 3 sin 3t - 2 (1 + 0.2 w) as long as they turn forward. Stuck, their
    speeds are zero but for rounding, which is no motion to be held."""
    result = run(STUCK, tmp_path, stop=1.2, solver=solver, tol=1e-6)
    breaks = np.arcsin(2 / 3) / 3
    times = np.asarray(result.time)
    moving = times > breaks
    s = times[moving] - breaks
    # w' + 0.2 w = 1.5 sin(3 t) - 1 from rest
    size, angle = 1.5 / np.hypot(0.2, 3), np.arctan2(3, 0.2)
    steady = size * np.sin(3 * times[moving] - angle) - 5
    exact = steady - (size * np.sin(3 * breaks - angle) - 5) * np.exp(-0.2 * s)

    assert np.abs(result["J1.w"][~moving]).max() < 1e-9
    assert np.abs(result["J1.w"][moving] - np.maximum(exact, 0.0)).max() < 1e-4  # then stuck again
    assert np.abs(result["J1.w"] - result["J2.w"]).max() < 1e-6
    assert run(STUCK, tmp_path, stop=3, solver=solver).time[-1] == 3.0
