"""HYB-1 and HYB-3: the limiter, hysteresis, sampled controller and jumping state of document 000."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest

import freewheel as fw

LIMITER = """
model Limiter "as the paper writes it: one equation in the component"
  input Real x;
  output Real y;
  parameter Real LowLimit = -1;
  parameter Real HighLimit = 1;
equation
  y = if x > HighLimit then HighLimit else if x < LowLimit then LowLimit else x;
end Limiter;

model LimiterTest
  Limiter limiter(x = 2*sin(time));
  Real area(start = 0, fixed = true);
equation
  der(area) = limiter.y;
end LimiterTest;
"""

HYSTERESIS = """
model Forms "the two forms of the text and the Petri net, on one input"
  parameter Real H = 1;
  Real u;
  discrete Real y(start = 1, fixed = true);
  Boolean up(start = true, fixed = true);
  Real z;
  PetriNets.Place low;
  PetriNets.Place high(start = true);
  PetriNets.Transition rise(condition = u > H);
  PetriNets.Transition fall(condition = u < -H);
equation
  u = 2*cos(time);
  when {u > H, u < -H} then
    y = if u > 0 then 1 else -1;
  end when;
  up = u > H or pre(up) and not u < -H;
  z = if up then 1 else -1;
  connect(low.outPort[1], rise.inPort[1]);
  connect(rise.outPort[1], high.inPort[1]);
  connect(high.outPort[1], fall.inPort[1]);
  connect(fall.outPort[1], low.inPort[1]);
end Forms;
"""

SAMPLED = """
model Sampled "new(x) + a*x = b*u, solved for the new x, at instants that the controller sets itself"
  parameter Real a = -0.5;
  parameter Real b = 2;
  parameter Real SamplingRate = 0.1;
  Real u = 1 + time;
  discrete Real x(start = 0, fixed = true);
  discrete Real NextTime(start = SamplingRate, fixed = true);
equation
  when time >= pre(NextTime) then
    NextTime = pre(NextTime) + SamplingRate;
    x = b*u - a*pre(x);
  end when;
end Sampled;
"""

JUMP = """
model Jump
  parameter Real c = 0.7;
  Real Height(start = 1, fixed = true);
  Real Velocity(start = 0, fixed = true);
equation
  der(Height) = Velocity;
  der(Velocity) = -9.81;
  when Height <= 0 then
    reinit(Velocity, -c*pre(Velocity));
  end when;
end Jump;
"""


@pytest.fixture
def simulate(tmp_path):
    def run(text: str, name: str, stop: float):
        path = tmp_path / "m.mo"
        path.write_text(text)
        return fw.load(path, model=name).simulate(stop=stop, tol=1e-8)

    return run


def event_times(result) -> list[float]:
    return sorted({event.time for event in result.events if event.time > 0})


def test_HYB_1_a_limiter_written_once_has_its_corners_found(simulate):
    r = simulate(LIMITER, "LimiterTest", 10.0)
    corners = [k * pi + pi / 6 for k in range(4)] + [k * pi + 5 * pi / 6 for k in range(3)]
    expected = sorted(t for t in corners if t < 10)
    np.testing.assert_allclose(event_times(r), expected, rtol=1e-9)
    np.testing.assert_allclose(r["limiter.y"], np.clip(2 * np.sin(r["time"]), -1, 1), atol=1e-12)
    # The first half-wave: two pieces of 2 sin t and the plateau between them.
    whole = 2 * 2 * (1 - np.cos(pi / 6)) + 4 * pi / 6
    assert np.interp(pi, r["time"], r["area"]) == pytest.approx(whole, abs=1e-4)


def test_HYB_3_three_ways_to_write_a_hysteresis_agree(simulate):
    r = simulate(HYSTERESIS, "Forms", 10.0)
    np.testing.assert_array_equal(r["y"], r["z"])
    np.testing.assert_array_equal(r["y"], 2.0 * r["high.token"] - 1.0)
    changes = r["time"][1:][np.diff(r["y"]) != 0]
    np.testing.assert_allclose(changes, [2 * pi / 3, 5 * pi / 3, 8 * pi / 3], rtol=1e-9)


def test_HYB_3_a_controller_samples_by_itself(simulate):
    r = simulate(SAMPLED, "Sampled", 1.05)
    x, expected = 0.0, []
    for k in range(1, 11):
        x = 0.5 * x + 2 * (1 + 0.1 * k)
        expected.append(x)
    for k, value in enumerate(expected, start=1):
        inside = (r["time"] > 0.1 * k + 1e-6) & (r["time"] < 0.1 * (k + 1) - 1e-6)
        assert inside.sum() > 10
        np.testing.assert_allclose(r["x"][inside], value, rtol=1e-12)


def test_HYB_3_a_state_jumps_at_the_floor(simulate):
    r = simulate(JUMP, "Jump", 1.0)
    first = np.sqrt(2 / 9.81)
    second = first * (1 + 2 * 0.7)
    # 0.4515 and 1.0836: the second lies beyond.
    assert second > 1.0
    # The height leaves the zero it has reached: that is told as an event of the same instant.
    np.testing.assert_allclose(event_times(r), first, rtol=1e-9)
    assert event_times(r)
    v = 0.7 * np.sqrt(2 * 9.81)
    s = r["time"] - first
    after = s > 1e-9
    np.testing.assert_allclose(
        r["Height"][after], v * s[after] - 9.81 / 2 * s[after] ** 2, atol=1e-7
    )
