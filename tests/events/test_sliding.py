"""Sliding motion: compared with exact solutions, in both backends and by all kinds of methods."""

from __future__ import annotations

from math import asin, atan2, cos, hypot, pi, sin, sqrt

import numpy as np
import pytest

from freewheel.api import load
from freewheel.base.diagnostics import SimulationError

TWO_RELAYS = """
model TwoRelays
  Real x(start = 1.5, fixed = true), y(start = 1, fixed = true);
equation
  der(x) = if x > y then -2 else 2;
  der(y) = if y > x then -3 else 1.5;
end TwoRelays;
"""

RELAY = """
model Relay "s = 0 is reached, then x1 decays by itself"
  Real x1(start = 1, fixed = true), x2(start = 0, fixed = true), s, u;
  Boolean b;
equation
  s = x1 + x2;
  b = s > 0;
  u = if b then -3 else 3;
  der(x1) = x2;
  der(x2) = u + 0.5*sin(time);
end Relay;
"""

METHODS = ("dopri5", "rkf45", "rodas4", "radau", "cvode", "ida")


def told(result) -> list[str]:
    return [cause for event in result.events for cause in event.causes]


def test_two_relays_meet(run):
    """EVT-15, reference `sliding_mode`: hit at 1/7, share 5/8.5 of one side, x(1) = 31/34."""
    result = run(TWO_RELAYS, stop=1.0)

    assert result.final("x") == pytest.approx(31 / 34, rel=1e-9)
    assert result.final("y") == pytest.approx(31 / 34, rel=1e-9)
    assert result.events[-1].time == pytest.approx(1 / 7, rel=1e-12)
    assert told(result)[-1] == "sliding along the surface of `x > y`"
    assert [w.code for w in result.warnings] == ["R104"]
    assert len(result.events) < 10


@pytest.mark.parametrize("solver", METHODS)
def test_every_method_slides(tmp_path, solver):
    path = tmp_path / "Relay.mo"
    path.write_text(RELAY)
    result = load(path).simulate(stop=4.0, tol=1e-8, solver=solver)
    t, x1 = result["time"], result["x1"]
    hit = next(e.time for e in result.events if "sliding" in e.causes[0])
    later = t > hit
    at_hit = x1[np.searchsorted(t, hit)]

    assert abs(result["s"][later]).max() < 1e-8
    assert x1[later] == pytest.approx(at_hit * np.exp(hit - t[later]), rel=2e-7)


def test_a_boolean_in_between_and_the_equivalent_control(run):
    """On the surface x2 = -x1, so u must be x1 - sin(t)/2 though it is only ever 3 or -3."""
    result = run(RELAY, stop=4.0)
    u, x1 = result.final("u"), result.final("x1")

    assert u == pytest.approx(x1 - 0.5 * sin(4.0), abs=1e-9)


def test_a_switch_with_memory_slides_too(run):
    text = """
model Latch
  Real x1(start = 1, fixed = true), x2(start = 0, fixed = true), s;
  discrete Real u(start = -3, fixed = true);
equation
  s = x1 + x2;
  when s > 0 then
    u = -3;
  elsewhen s < 0 then
    u = 3;
  end when;
  der(x1) = x2;
  der(x2) = u + 0.5*sin(time);
end Latch;
"""
    assert run(text, stop=4.0).final("x1") == pytest.approx(
        run(RELAY, stop=4.0).final("x1"), rel=1e-9
    )


def test_the_surface_is_left_when_one_side_turns(run):
    """x = 0 is hit at 1 - sqrt(0.4) and left at 1, when the upper side no longer drives down."""
    text = """
model Exit
  Real x(start = 0.3, fixed = true), z(start = 0, fixed = true);
equation
  der(x) = if x > 0 then z - 1 else z + 1;
  der(z) = 1;
end Exit;
"""
    result = run(text, stop=3.0)
    begin = [e.time for e in result.events if "sliding" in e.causes[0]]
    end = [e.time for e in result.events if "is left" in e.causes[0]]

    assert begin == pytest.approx([1 - sqrt(0.4)], rel=1e-9)
    assert end == pytest.approx([1.0], rel=1e-9)
    assert result.final("x") == pytest.approx(2.0, rel=1e-9)


def test_dry_friction_sticks_and_slips(run):
    """A mass on a rough table, pulled by a spring whose end moves: sticks until the spring pulls
    with mu, then x - x0 = V (tau - sin(tau))."""
    text = """
model Stick
  parameter Real V = 0.1, mu = 0.5;
  Real x(start = 0, fixed = true), v(start = 0, fixed = true), F, f;
equation
  F = V*time - x;
  f = if v > 0 then mu elseif v < 0 then -mu else 0;
  der(x) = v;
  der(v) = F - f;
end Stick;
"""
    result = run(text, stop=8.0)
    t, x, f = result["time"], result["x"], result["f"]
    sticks, slips = (t > 1e-3) & (t < 5.0), t > 5.0
    tau = t[slips] - 5.0

    assert abs(x[sticks]).max() < 1e-12
    assert f[sticks] == pytest.approx(
        0.1 * t[sticks], abs=1e-9
    )  # friction is what the spring pulls
    assert x[slips] == pytest.approx(0.1 * (tau - np.sin(tau)), abs=1e-8)


def test_friction_under_a_sinusoidal_force(run):
    """Sticks while the force is smaller than friction; begins to slip exactly when it is not."""
    text = """
model Brake
  Real v(start = 1, fixed = true), F, f;
equation
  F = 1.2*sin(2*time);
  f = if v > 0 then 1 elseif v < 0 then -1 else 0;
  der(v) = F - f;
end Brake;
"""
    result = run(text, stop=6.0)
    left = [e.time for e in result.events if "is left" in e.causes[0]]
    threshold = asin(1 / 1.2) / 2

    assert left == pytest.approx([threshold + k * pi / 2 for k in (1, 2, 3)], rel=1e-8)


def test_two_blocks_that_slide_on_each_other(run):
    """Fig. 7 of the hybrid paper with plain `if v > 0` friction; reference `two_block_friction_coulomb`:
    28 changes among stick, forward and backward, and where the blocks end."""
    text = """
model Blocks
  Real p1(start = 0, fixed = true), p2(start = 0, fixed = true), w, fr1, fr2;
  Real v1(start = 0, fixed = true), v2(start = 0, fixed = true);
equation
  w = v2 - v1;
  fr1 = 0.5*v1 + (if v1 > 0 then 3 elseif v1 < 0 then -3 else 0);
  fr2 = 0.3*w + (if w > 0 then 2 elseif w < 0 then -2 else 0);
  der(p1) = v1;
  der(p2) = v2;
  2*der(v1) = 5*sin(time) - fr1 + fr2;
  der(v2) = 4.5*sin(1.7*time) - fr2;
end Blocks;
"""
    result = run(text, stop=20.0, tol=1e-9)
    times = result.events.times
    changes = (
        *(0.24219028399248, 0.30934146300346, 1.7381047927519, 2.2868745996913, 3.2261354256735),
        *(3.3311663384614, 3.6087348781611, 3.9720734692706, 5.9203771732047, 6.2607567129381),
    )

    assert result.final("p1") == pytest.approx(0.76941157293624, abs=1e-8)
    assert result.final("p2") == pytest.approx(1.6243175377726, abs=1e-8)
    assert [abs(times - change).min() < 1e-8 for change in changes] == [True] * 10


def test_a_curved_surface_is_followed(run):
    """Driven to the unit circle from both sides while turning: an angle of 3 t, a radius of 1."""
    text = """
model Circle
  Real x(start = 2, fixed = true), y(start = 0, fixed = true), r, k;
equation
  r = sqrt(x^2 + y^2);
  k = if x^2 + y^2 > 1 then -1 else 1;
  der(x) = k*x/r - 3*y;
  der(y) = k*y/r + 3*x;
end Circle;
"""
    result = run(text, stop=3.0)
    x, y = result.final("x"), result.final("y")

    assert hypot(x, y) == pytest.approx(1.0, abs=1e-9)
    assert atan2(y, x) == pytest.approx(9.0 - 2 * pi, abs=1e-7)


def test_a_surface_that_moves_is_followed(run):
    text = """
model Follow
  Real x(start = 1, fixed = true);
equation
  der(x) = if x > sin(time) then -2 else 2;
end Follow;
"""
    assert run(text, stop=3.0).final("x") == pytest.approx(sin(3.0), abs=1e-9)


def test_an_input_that_moves_the_surface(run):
    text = """
model Driven
  input Real r;
  Real x(start = 1, fixed = true);
equation
  der(x) = if x > r then -2 else 2;
end Driven;
"""
    result = run(text, stop=2.0, inputs={"r": "0.5*cos(time)"})

    assert result.final("x") == pytest.approx(0.5 * cos(2.0), abs=1e-7)


@pytest.mark.parametrize("solver", METHODS)
def test_a_surface_that_an_input_bends_is_followed(tmp_path, solver):
    """The slope of the input is that after the bend from the first evaluation on."""
    path = tmp_path / "Bent.mo"
    path.write_text(
        "model Bent input Real w; Real x(start = 1, fixed = true);"
        " equation der(x) = if x > w then -3 else 3; end Bent;"
    )
    t = np.linspace(0.0, 3.0, 7)
    result = load(path).simulate(stop=3.0, tol=1e-6, inputs={"w": (t, np.sin(t))}, solver=solver)
    hit = next(e.time for e in result.events if "sliding" in e.causes[0])
    later = result["time"] > hit

    assert result["x"][later] == pytest.approx(result["w"][later], abs=1e-9)


def test_two_surfaces_at_once(run):
    """On the intersection a + 0.3 b = -0.1 and b - 0.3 a = -0.2."""
    text = """
model Corner
  Real x(start = 0.5, fixed = true), y(start = 0.7, fixed = true), w(start = 0, fixed = true), a, b;
equation
  a = if x > 0 then -1 else 1;
  b = if y > 0 then -1 else 1;
  der(x) = a + 0.3*b + 0.1;
  der(y) = b - 0.3*a + 0.2;
  der(w) = a + 2*b;
end Corner;
"""
    result = run(text, stop=3.0)

    assert result.final("b") == pytest.approx(-0.23 / 1.09, abs=1e-9)
    assert result.final("a") == pytest.approx(-0.1 + 0.3 * 0.23 / 1.09, abs=1e-9)
    assert abs(result.final("x")) < 1e-9
    assert "the surface of `x > 0` and the surface of `y > 0`" in told(result)[-1]


def test_events_of_others_do_not_end_a_sliding_motion(run):
    """The load changes by samples: at 2 the upper side just stands still, at 3 both sides drive down,
    at 4 up again."""
    text = """
model Sampled
  Real x(start = 0.5, fixed = true), w(start = 0, fixed = true), u;
  discrete Real d(start = 0, fixed = true);
equation
  u = if x > 0 then -1 else 1;
  der(x) = u + d;
  der(w) = u;
  when sample(1, 1) then
    d = if time < 1.5 then 0.5 elseif time < 2.5 then 0.9 elseif time < 3.5 then -3 else 0.25;
  end when;
end Sampled;
"""
    result = run(text, stop=5.0)
    at = dict(zip(result["time"].tolist(), result["w"].tolist(), strict=True))

    assert at[1.0] == pytest.approx(-0.5, abs=1e-9)
    assert at[2.0] == pytest.approx(-1.0, abs=1e-9)
    assert at[3.0] == pytest.approx(-1.9, abs=1e-9)
    assert result.final("x") == pytest.approx(-2.0 + 1.25, abs=1e-9)


def test_delays_go_on_while_the_motion_slides(run):
    """Breaks of the delayed signal are events; they are no news about the sliding motion."""
    text = """
model Delayed
  Real x(start = 1, fixed = true), y(start = 0, fixed = true), d;
equation
  d = delay(y, 0.5);
  der(y) = 1 - d;
  der(x) = (if x > 0 then -2 else 2) + 0.5*d;
end Delayed;
"""
    result = run(text, stop=1.5)
    y_at_1 = 1.0 - 0.5**2 / 2  # y' = 1 - (t - 0.5) from 0.5 on

    assert abs(result["x"][result["time"] > 0.5]).max() < 1e-9
    assert result.final("d") == pytest.approx(y_at_1, rel=1e-9)
    assert sum("sliding" in cause for cause in told(result)) == 1


def test_a_relay_inside_a_loop_of_equations(run):
    """a = (sin t + 2 u) / 3 must be zero on the surface, hence b = -sin t."""
    text = """
model LoopRelay
  Real x(start = 0.5, fixed = true), a, b;
equation
  a + 0.5*b = if x > 0 then -2 else 2;
  a - b = sin(time);
  der(x) = a;
end LoopRelay;
"""
    result = run(text, stop=2.0)

    assert result.final("a") == pytest.approx(0.0, abs=1e-9)
    assert result.final("b") == pytest.approx(-sin(2.0), abs=1e-9)


def test_switches_that_make_states_jump_do_not_slide(run):
    text = """
model Counts
  Real x(start = 0.5, fixed = true), n(start = 0, fixed = true);
equation
  der(x) = if x > 0 then -1 else 1;
  der(n) = 0;
  when x > 0 then
    reinit(n, pre(n) + 1);
  end when;
end Counts;
"""
    with pytest.raises(SimulationError) as failure:
        run(text, stop=2.0, max_events=100)
    problem = failure.value.diagnostics[0]

    assert problem.code == "R007"
    assert "100 events within" in problem.message
    assert "per second" in problem.message
    assert "`x > 0` switches back and forth" in problem.message
    assert "switching makes states jump" in problem.message
    assert problem.labels[0].span.line == 5
    assert "hysteresis" in problem.help
    assert "--max-events" in problem.help


def test_switches_that_come_ever_faster_are_warned_of(run):
    """The water tanks: one pump, two leaks of 0.6; empty both at 10, and then?"""
    text = """
model Tanks
  Real x1(start = 1, fixed = true), x2(start = 1, fixed = true);
  Boolean q(start = true, fixed = true);
equation
  der(x1) = (if q then 1 else 0) - 0.6;
  der(x2) = (if q then 0 else 1) - 0.6;
  when x1 <= 0 then
    q = true;
  elsewhen x2 <= 0 then
    q = false;
  end when;
end Tanks;
"""
    result = run(text, stop=11.0)
    warned = [w for w in result.warnings if w.code == "R105"]

    assert len(warned) == 2
    assert "44.4 %" in warned[0].message
    assert "toward time 10 " in warned[0].message


def test_a_hysteresis_is_no_sliding_motion(run):
    """It switches at a finite rate: a period of 4 * 0.1."""
    text = """
model Schmitt
  Real x(start = 0, fixed = true);
  Boolean up(start = true, fixed = true);
equation
  der(x) = if up then 1 else -1;
  up = if pre(up) then x < 0.1 else x < -0.1;
end Schmitt;
"""
    result = run(text, stop=2.0)

    switched = result["time"][1:][np.diff(result["up"]) != 0]

    assert not result.warnings
    assert switched == pytest.approx(np.arange(0.1, 2.0, 0.2), rel=1e-9)


def test_a_hysteresis_that_is_far_too_small_ends_with_its_name(run):
    """A thousand million switches in one second: nobody waits for that."""
    text = """
model Fast
  Real x(start = 0, fixed = true);
  Boolean up(start = true, fixed = true);
equation
  der(x) = if up then 1 else -1;
  up = if pre(up) then x < 5e-10 else x < -5e-10;
end Fast;
"""
    with pytest.raises(SimulationError) as failure:
        run(text, stop=1.0, max_events=50)

    assert failure.value.diagnostics[0].code == "R007"
    assert "x < " in failure.value.diagnostics[0].message


def test_a_side_without_a_value_ends_a_sliding_motion_with_a_message(run):
    text = """
model Root
  Real x(start = 0.5, fixed = true), w(start = 0, fixed = true);
equation
  der(x) = if x > 0 then -1 else 1;
  der(w) = if x > 0 then sqrt(1 - time) else 0;
end Root;
"""
    with pytest.raises(SimulationError) as failure:
        run(text, stop=2.0)

    assert failure.value.diagnostics[0].code == "R012"
    assert failure.value.result.final("w") == pytest.approx(
        (1 - 0.5**1.5) * 2 / 3 + 0.5 * 0.5**1.5 * 2 / 3, abs=1e-4
    )
