"""Wheels that roll on a plane against motions known in closed form."""

from __future__ import annotations

from math import cos, sin, sqrt

import numpy as np
import pytest

import freewheel as fw

WHEEL = """
model M
  import Modelica.Mechanics.MultiBody.*;
  inner World world(n={0, 0, -1});
  Parts.RollingWheel w(radius=RADIUS, m=MASS, I_axis=AXIAL, I_long=ACROSS, y(start=CIRCLE),
    angles(start={0, 0, LEAN}), der_angles(start={YAW, PITCH, 0}));
end M;
"""


@pytest.mark.parametrize("lean", [0.2, -0.4])
def test_a_leaning_wheel_rolls_in_a_circle(lean, tmp_path):
    """The torque of weight and contact turns the angular momentum at the speed of the path."""
    radius, mass, axial, across, circle = 0.3, 2.0, 0.06, 0.12, 1.5
    circle = circle if lean > 0 else -circle
    stiff = circle * (axial / radius + mass * radius) + across * sin(lean)
    speed = sqrt(mass * radius * 9.80665 * sin(lean) / (cos(lean) * stiff))
    spin = -speed * (circle / radius + sin(lean))
    words = {"RADIUS": radius, "MASS": mass, "AXIAL": axial, "ACROSS": across, "CIRCLE": circle}
    words |= {"LEAN": lean, "YAW": speed + spin * sin(lean), "PITCH": spin * cos(lean)}
    text = WHEEL
    for word, value in words.items():
        text = text.replace(word, repr(value))
    path = tmp_path / "M.mo"
    path.write_text(text)
    r = fw.load(path).simulate(stop=3.0, tol=1e-9, interval=0.05)
    assert np.max(speed * r.time) > 2  # a third of the circle
    assert r["w.x"] == pytest.approx(-circle * np.sin(speed * r.time), abs=1e-5)
    assert r["w.y"] == pytest.approx(circle * np.cos(speed * r.time), abs=1e-5)
    assert r["w.rollingWheel.f_n"] == pytest.approx(mass * 9.80665, rel=1e-5)


SET = """
model M
  import Modelica.Mechanics.MultiBody.*;
  inner World world(n={0, 0, -1});
  Parts.RollingWheelSet w(R_wheel=0.1, m_wheel=0.5, I_wheelAxis=0.01, I_wheelLong=0.02, track=0.5,
    der_theta1(start=1), der_theta2(start=3));
  Modelica.Mechanics.Rotational.Sources.ConstantTorque first(tau_constant=0.1);
  Modelica.Mechanics.Rotational.Sources.ConstantTorque second(tau_constant=0.02);
equation
  connect(first.flange, w.axis1);
  connect(second.flange, w.axis2);
end M;
"""


def test_torques_on_two_wheels_drive_and_steer_their_axle(tmp_path):
    path = tmp_path / "M.mo"
    path.write_text(SET)
    r = fw.load(path).simulate(stop=2.0, tol=1e-9, interval=0.001)
    rolling = 0.5 + 0.01 / 0.1**2
    ahead = (0.1 + 0.02) / 0.1 / (2 * rolling)
    turn = (0.02 - 0.1) * 0.25 / 0.1 / (2 * (rolling * 0.25**2 + 0.02))
    t = r.time
    assert r["w.phi"] == pytest.approx(0.1 * 2 / 0.5 * t + turn * t**2 / 2, abs=1e-7)
    path_speed = 0.2 + ahead * t
    rates = path_speed * np.cos(r["w.phi"]), path_speed * np.sin(r["w.phi"])
    for name, rate in zip(("w.x", "w.y"), rates, strict=True):
        exact = np.r_[0, np.cumsum(np.diff(t) * (rate[1:] + rate[:-1]) / 2)]
        assert r[name] == pytest.approx(exact, abs=1e-6)
