"""Clutches, brakes, stops and plays against solutions by hand; where the environment names the Modelica
Standard Library (FREEWHEEL_MSL), its classes must give the same."""

from __future__ import annotations

import os
from math import cos, pi, sqrt

import numpy as np
import pytest

import freewheel as fw

MSL = os.environ.get("FREEWHEEL_MSL")
LIBRARIES = {"ours": (), **({"MSL": (MSL,)} if MSL else {})}


@pytest.fixture(params=LIBRARIES)
def run(request, tmp_path):
    def simulate(text: str, stop: float, **options):
        path = tmp_path / "M.mo"
        path.write_text(text)
        options = {"tol": 1e-8, **options}
        return fw.load(path, library=LIBRARIES[request.param]).simulate(stop=stop, **options)

    return simulate


def at(result, name: str, t: float) -> float:
    return float(np.interp(t, result.time, result[name]))


CLUTCH = """
model M "engine and vehicle: engaged, released at 1, engaged again at 2"
  import Modelica.Mechanics.Rotational.*;
  Components.Inertia a(J=1, phi(start=0, fixed=true), w(start=50, fixed=true));
  Components.Inertia b(J=2, phi(start=0, fixed=true), w(start=0, fixed=true));
  Components.Clutch clutch(fn_max=100, mu_pos=[0, 0.5], peak=1.1);
  Sources.Torque engine(tau=if time < 1 then 0 else 10);
  Modelica.Units.SI.Energy lost(start=0, fixed=true);
equation
  clutch.f_normalized = if time < 1 or time >= 2 then 1 else 0;
  der(lost) = clutch.lossPower;
  connect(engine.flange, a.flange_a);
  connect(a.flange_b, clutch.flange_a);
  connect(clutch.flange_b, b.flange_a);
end M;
"""


def test_a_clutch_engages_is_released_and_engages_again(run):
    """The torque is 50 while it slips: 50 - 50 t meets 25 t at 2/3; then 10 drives the engine alone."""
    r = run(CLUTCH, 3.0)
    meets, again = 2 / 3, 2 + 10 / 65
    assert [min(abs(r.events.times - t)) < 1e-8 for t in (meets, 1.0, 2.0, again)] == [True] * 4
    assert len(r.events) == 4
    assert at(r, "b.w", 1.5) == pytest.approx(50 / 3, rel=1e-9)
    assert at(r, "a.w", 1.5) == pytest.approx(50 / 3 + 5, rel=1e-9)
    assert r.final("b.w") == pytest.approx(50 / 3 + 25 * 10 / 65 + 10 / 3 * (3 - again), rel=1e-9)
    together = (r.time > meets) & (r.time < 1) | (r.time > again)
    assert np.max(np.abs(r["a.w"] - r["b.w"])[together]) < 1e-12
    # What is lost is the work of 50 over the slip: 50*50*(2/3)/2 and 50*10*(10/65)/2.
    assert r.final("lost") == pytest.approx(2500 / 3 + 2500 / 65, rel=1e-7)


def test_a_brake_stops_holds_and_yields(run):
    """tau = 10 holds 5; a torque of 5 t from 2 on breaks it loose at peak*10 = 12, and 10 is left."""
    text = """
model M
  import Modelica.Mechanics.Rotational.*;
  Components.Inertia a(J=1, phi(start=0, fixed=true), w(start=10, fixed=true));
  Components.Brake brake(fn_max=20, mu_pos=[0, 0.5], peak=1.2);
  Sources.Torque push(tau=if time < 4 then 5 else 5 + 5*(time - 4));
equation
  brake.f_normalized = 1;
  connect(push.flange, a.flange_a);
  connect(a.flange_b, brake.flange_a);
end M;
"""
    r = run(text, 6.0)
    stops, loose = 2.0, 4 + 7 / 5
    assert [min(abs(r.events.times - t)) < 1e-7 for t in (stops, 4.0, loose)] == [True] * 3
    held = (r.time > stops + 1e-9) & (r.time < loose - 1e-9)
    assert np.max(np.abs(r["a.w"][held])) < 1e-12
    assert at(r, "brake.tau", 5.0) == pytest.approx(10.0, rel=1e-9)
    assert r.final("a.w") == pytest.approx(2 * (6 - loose) + 2.5 * (6 - loose) ** 2, rel=1e-8)


def test_a_freewheel_drives_one_way_only(run):
    """The shaft is pushed by a sine; the load is taken along, never held back."""
    text = """
model M
  import Modelica.Mechanics.Rotational.*;
  Components.Inertia a(J=1, phi(start=0, fixed=true), w(start=0, fixed=true));
  Components.Inertia b(J=1, phi(start=0, fixed=true), w(start=0, fixed=true));
  Components.OneWayClutch freewheel(fn_max=1000, mu_pos=[0, 0.5]);
  Sources.Torque push(tau=2*cos(time));
equation
  freewheel.f_normalized = 1;
  connect(push.flange, a.flange_a);
  connect(a.flange_b, freewheel.flange_a);
  connect(freewheel.flange_b, b.flange_a);
end M;
"""
    r = run(text.replace("f_normalized = 1", "f_normalized = 1e-12"), 1.0)
    assert at(r, "b.w", 1.0) == pytest.approx(at(r, "a.w", 1.0), abs=1e-9)
    r = run(text, 1.5)
    assert r.final("b.w") == pytest.approx(np.sin(1.5), rel=1e-8)
    assert np.min(r["b.w"] - r["a.w"]) > -1e-12


def test_a_bearing_rubs_until_it_stands(run):
    """tau = 1 + w/2 and J = 2: w = (w0 + 2) exp(-t/4) - 2, which is zero at 4 ln 3."""
    text = """
model M
  import Modelica.Mechanics.Rotational.*;
  Components.Inertia a(J=2, phi(start=0, fixed=true), w(start=-4, fixed=true));
  Components.BearingFriction bearing(tau_pos=[0, 1; 10, 6], peak=1.5);
equation
  connect(a.flange_b, bearing.flange_a);
end M;
"""
    r = run(text, 6.0)
    stands = 4 * np.log(3)
    assert r.events.times == pytest.approx([stands], abs=1e-7)
    before = r.time < stands
    exact = -(6 * np.exp(-r.time[before] / 4) - 2)
    assert np.max(np.abs(r["a.w"][before] - exact)) < 1e-7
    assert np.max(np.abs(r["a.w"][r.time > stands + 1e-9])) < 1e-12


def test_a_play_without_damping_keeps_the_energy(run):
    """Two wheels hit each other through a play of 0.2: half a swing in contact, then free flight."""
    text = """
model M
  import Modelica.Mechanics.Rotational.*;
  Components.Inertia a(J=1, phi(start=0, fixed=true), w(start=1, fixed=true));
  Components.Inertia b(J=1, phi(start=0, fixed=true), w(start=0, fixed=true));
  Components.ElastoBacklash play(c=1e4, d=0, b=0.2);
equation
  connect(a.flange_b, play.flange_a);
  connect(play.flange_b, b.flange_a);
end M;
"""
    r = run(text, 1.0)
    w = sqrt(2e4)
    touch = [0.1, 0.1 + pi / w, 0.3 + pi / w, 0.3 + 2 * pi / w]
    assert all(min(abs(r.events.times - t)) < 1e-6 for t in touch)
    assert at(r, "b.w", 0.2) == pytest.approx(1.0, rel=1e-6)
    assert at(r, "a.w", 0.2) == pytest.approx(0.0, abs=1e-6)
    twist = np.maximum(np.abs(r["play.phi_rel"]) - 0.1, 0.0)
    energy = (r["a.w"] ** 2 + r["b.w"] ** 2 + 1e4 * twist**2) / 2
    assert np.max(np.abs(energy - 0.5)) < 1e-6


def test_a_mass_between_stops_loses_its_speed_there_and_leaves_when_pulled(run):
    """Pushed by 3 against dry friction of 1: s = t^2 up to the stop at 1; pulled from 2 on by -3."""
    text = """
model M
  import Modelica.Mechanics.Translational.*;
  Components.MassWithStopAndFriction mass(m=1, L=0, smax=1, smin=-2, F_prop=0, F_Coulomb=1,
    F_Stribeck=0, fexp=0, s(start=0, fixed=true), v(start=0, fixed=true));
  Sources.Force push(f=if time < 2 then 3 else -3);
equation
  connect(push.flange, mass.flange_b);
end M;
"""
    r = run(text, 5.0)
    assert at(r, "mass.s", 0.5) == pytest.approx(0.25, abs=1e-6)
    rests = (r.time > 1 + 1e-6) & (r.time < 2 - 1e-6)
    assert np.max(np.abs(r["mass.v"][rests])) < 1e-12
    assert np.max(np.abs(r["mass.s"][rests] - 1)) < 1e-7
    assert at(r, "mass.s", 3.0) == pytest.approx(0.0, abs=1e-6)
    assert r.final("mass.s") == pytest.approx(-2.0, abs=1e-7)
    assert abs(r.final("mass.v")) < 1e-12


def test_elastic_contact_bounces_and_inelastic_contact_rests(run):
    """A mass on a spring that can lift off: without damping the flights stay as high as they were."""
    text = """
model M
  import Modelica.Mechanics.Translational.*;
  parameter Real d = 0;
  Components.Mass mass(m=1, L=0, s(start=1, fixed=true), v(start=0, fixed=true));
  Components.ElastoGap gap(c=1e6, d=d, s_rel0=0);
  Components.Fixed floor;
  Sources.ConstantForce weight(f_constant=-9.81);
equation
  connect(floor.flange, gap.flange_a);
  connect(gap.flange_b, mass.flange_a);
  connect(weight.flange, mass.flange_b);
end M;
"""
    r = run(text, 3.0, tol=1e-9, interval=1e-3)
    energy = r["mass.v"] ** 2 / 2 + 9.81 * r["mass.s"] + 1e6 * np.minimum(r["mass.s"], 0.0) ** 2 / 2
    assert np.max(np.abs(energy / 9.81 - 1)) < 1e-5
    flights = np.sqrt(2 / 9.81) * np.array([2.0, 4.0])  # the tops, but for the short contacts
    assert all(at(r, "mass.s", t) == pytest.approx(1.0, abs=1e-3) for t in flights)
    r = run(text, 3.0, params={"d": 2000.0})  # contact cannot pull, so one small flight is left
    assert r["mass.s"][r.time > 0.5].max() < 0.1
    assert np.ptp(r["mass.s"][r.time > 2.0]) < 1e-9


def test_elements_that_hold_a_body_twice_need_no_reset(run):
    """Both to the ground: while they stick, only the sum of their forces is known."""
    text = """
model Twice
  import Modelica.Mechanics.Translational.*;
  Components.Mass m(m = 1, L = 0, s(start = 0, fixed = true), v(start = 0, fixed = true));
  Components.Fixed ground;
  Hybrid.Mechanics.SixStateFriction a(Fs = 1, Fd = 1), b(Fs = 1, Fd = 1, resets = false);
  Sources.Force u(f = 3*sin(time));
equation
  connect(ground.flange, a.flange_a);
  connect(ground.flange, b.flange_a);
  connect(a.flange_b, m.flange_a);
  connect(b.flange_b, m.flange_a);
  connect(u.flange, m.flange_b);
end Twice;
"""
    result = run(text, stop=1.5)
    moves = np.arcsin(2 / 3)
    t = result.time[result.time > moves + 1e-6]
    exact = 3 * (cos(moves) - np.cos(t)) - 2 * (t - moves)

    assert result["m.v"][result.time > moves + 1e-6] == pytest.approx(exact, abs=1e-6)
    assert max(abs(result["m.v"][result.time < moves])) < 1e-12


LOSSES = """
model M "driven from the left until 1, from the right from 4 on; in between it rubs and stands"
  import Modelica.Mechanics.Rotational.*;
  Components.Inertia a(J=1, phi(start=0, fixed=true), w(start=0, fixed=true));
  Components.LossyGear gear(ratio=2, lossTable=[0, 0.8, 0.5, 4, 4]);
  Components.Inertia b(J=4);
  Sources.Torque left(tau=if time < 1 then 11 else 0), right(tau=if time < 4 then 0 else 10);
  Modelica.Units.SI.Energy lost(start=0, fixed=true), given(start=0, fixed=true);
equation
  der(lost) = gear.lossPower;
  der(given) = left.tau*a.w + right.tau*b.w;
  connect(left.flange, a.flange_a);
  connect(a.flange_b, gear.flange_a);
  connect(gear.flange_b, b.flange_a);
  connect(b.flange_b, right.flange);
end M;
"""


def test_a_gear_loses_torque_stands_and_is_driven_from_the_other_side(run):
    """With x the torque into the gear at the left and a the acceleration there, rolling forwards: what the
    left drives is 0.8 x - 4, what the right drives 2 x - 4, and both move a load of J/ratio^2 = 1."""
    r = run(LOSSES, 6.0)
    driving = (0.8 * 11 - 4) / 1.8  # x = 11 - a
    coasting = -4 / 1.8  # x = -a
    stands = 1 - driving / coasting
    carried = (10 / 2 - 4) / 3  # x = -a, 2 x - 4 + 10/2 = a
    assert [min(abs(r.events.times - t)) < 1e-8 for t in (1.0, stands, 4.0)] == [True] * 3
    assert at(r, "a.w", 1.0) == pytest.approx(driving, rel=1e-7)
    assert at(r, "a.w", 2.0) == pytest.approx(driving + coasting, rel=1e-7)
    still = (r.time > stands + 1e-6) & (r.time < 4.0)
    assert np.abs(r["a.w"][still]).max() < 1e-9
    assert r["gear.locked"][still].all()
    assert r.final("a.w") == pytest.approx(2 * carried, rel=1e-7)
    energy = 0.5 * r.final("a.w") ** 2 + 2 * r.final("b.w") ** 2
    assert r.final("given") - r.final("lost") == pytest.approx(energy, rel=1e-7)
    assert r.final("lost") > 0
