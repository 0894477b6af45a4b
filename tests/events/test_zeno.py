"""Bounces that become ever lower: the limit is predicted, then things rest until they are lifted."""

from __future__ import annotations

from math import asin, cos, sin, sqrt

import numpy as np
import pytest

from freewheel.api import load

BALL = """
model Ball
  parameter Real e = 0.7, g = 9.81;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -g;
  when h <= 0 then
    reinit(v, -e*pre(v));
  end when;
end Ball;
"""

METHODS = ("dopri5", "rkf45", "rodas4", "radau", "cvode", "ida")


def times(result, words: str) -> list[float]:
    return [e.time for e in result.events if any(words in cause for cause in e.causes)]


def rest_of(e: float, h: float = 1.0, g: float = 9.81) -> float:
    return sqrt(2 * h / g) * (1 + e) / (1 - e)


def test_bouncing_ball_rests(run):
    """Reference `bouncing_ball`: impacts, then rest from 2.558633965586 on."""
    result = run(BALL, stop=4.0)
    fall = sqrt(2 / 9.81)
    impacts = [fall * (1 + 2 * sum(0.7**j for j in range(1, k + 1))) for k in range(20)]

    assert times(result, "Expression h")[:20] == pytest.approx(impacts, rel=1e-9)
    assert times(result, "at rest") == pytest.approx([2.558633965586], rel=1e-9)
    # 89 impacts until they are slower than 1e-13 m/s, most of them told by the series, and rest
    assert len(result.events) == 90
    series = [fall * (1 + 2 * sum(0.7**j for j in range(1, k + 1))) for k in range(89)]
    assert [e.time for e in result.events][:89] == pytest.approx(series, abs=1e-12)
    assert result["h"].min() > -1e-9
    assert result.final("h") == pytest.approx(0.0, abs=1e-12)
    assert result.final("v") == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("solver", METHODS)
def test_every_method_comes_to_rest(tmp_path, solver):
    path = tmp_path / "Ball.mo"
    path.write_text(BALL)
    result = load(path).simulate(stop=4.0, tol=1e-8, solver=solver)

    assert times(result, "at rest") == pytest.approx([rest_of(0.7)], rel=2e-6)
    assert result["h"].min() > -1e-7


@pytest.mark.parametrize("e", [0.0, 1e-3, 0.3, 0.9, 0.97])
@pytest.mark.parametrize("tol", [1e-4, 1e-6, 1e-10])
def test_whatever_the_restitution_and_the_tolerance(tmp_path, e, tol):
    path = tmp_path / "Ball.mo"
    path.write_text(BALL)
    stop = 1.5 * rest_of(e)
    result = load(path).simulate(stop=stop, tol=tol, params={"e": e})

    assert times(result, "at rest") == pytest.approx([rest_of(e)], rel=100 * tol)
    assert result["h"].min() > -tol
    assert result.final("h") == pytest.approx(0.0, abs=tol)


def test_a_push_lifts_what_rests(run):
    """A force of 15 from time 4 on: h = (15 - 9.81)/2 * (t - 4)**2."""
    text = BALL.replace("der(v) = -g;", "der(v) = (if time > 4 then 15 else 0) - g;")
    result = run(text, stop=5.0)

    assert result.final("h") == pytest.approx(2.595, rel=1e-9)


def test_a_kick_lifts_what_rests_and_it_comes_to_rest_again(run):
    """Thrown with 2 at time 6: flights of 0.4 (1 + 0.7 + ...) in all."""
    text = BALL.replace("end when;", "elsewhen time > 6 then\n    reinit(v, 2);\n  end when;")
    result = run(text, stop=8.0)
    again = 6.0 + 2 * 2 / 9.81 / (1 - 0.7)

    assert times(result, "at rest") == pytest.approx([rest_of(0.7), again], rel=1e-8)


def test_a_force_that_turns_lifts_what_rests_when_it_is_zero(run):
    """Buoyancy grows with time: it exceeds weight at 4.905; cubic growth of h from there."""
    text = BALL.replace("der(v) = -g;", "der(v) = 2*time - g;").replace("e = 0.7", "e = 0.2")
    result = run(text, stop=6.0)

    assert times(result, "is left") == pytest.approx([4.905], abs=1e-7)
    assert result.final("h") == pytest.approx((6.0 - 4.905) ** 3 / 3, rel=1e-6)


TABLE = """
model Table "a table that swings faster than a ball falls throws it"
  parameter Real A = 0.1, w = 12, e = 0.2, g = 9.81;
  Real h(start = 0.2, fixed = true), v(start = 0, fixed = true), s, vs;
equation
  s = A*sin(w*time);
  vs = A*w*cos(w*time);
  der(h) = v;
  der(v) = -g;
  when h <= s then
    reinit(v, vs - e*(pre(v) - vs));
  end when;
end Table;
"""


def test_ball_on_a_table_that_swings(run):
    """It leaves the table when that falls with g: sin(w t) = g / (A w**2); then flies freely."""
    result = run(TABLE, stop=2.0, interval=1e-3)
    t, gap = result["time"], result["h"] - result["s"]
    left = times(result, "is left")
    at_rest = times(result, "resting on")
    angle = asin(9.81 / (0.1 * 144))

    assert gap.min() > -1e-8
    assert len(left) >= 2
    assert len(at_rest) >= 2
    phase = [(12 * moment) % (2 * np.pi) for moment in left]
    assert phase == pytest.approx([angle] * len(left), abs=1e-7)
    first, following = left[0], min(moment for moment in at_rest if moment > left[0])
    flight = (t > first) & (t < min(following, first + 0.05))
    tau = t[flight] - first
    thrown = 0.1 * sin(12 * first) + 1.2 * cos(12 * first) * tau - 9.81 / 2 * tau**2
    assert result["h"][flight] == pytest.approx(thrown, abs=1e-8)


def test_while_it_rests_the_ball_moves_with_the_table(run):
    text = TABLE.replace("w = 12", "w = 8").replace("A = 0.1", "A = 0.05")
    result = run(text, stop=3.0)

    assert result.final("h") == pytest.approx(0.05 * sin(24.0), abs=1e-8)
    assert result.final("v") == pytest.approx(0.4 * cos(24.0), abs=1e-7)


def test_two_balls_one_on_the_other(run):
    text = """
model Stack
  parameter Real m1 = 2, m2 = 1, e = 0.5, g = 9.81;
  Real h1(start = 1, fixed = true), v1(start = 0, fixed = true);
  Real h2(start = 1.5, fixed = true), v2(start = 0, fixed = true);
equation
  der(h1) = v1;
  der(h2) = v2;
  der(v1) = -g;
  der(v2) = -g;
  when h1 <= 0 then
    reinit(v1, -e*pre(v1));
  elsewhen h2 - h1 <= 0.1 then
    reinit(v1, (m1*pre(v1) + m2*pre(v2) + m2*e*(pre(v2) - pre(v1)))/(m1 + m2));
    reinit(v2, (m1*pre(v1) + m2*pre(v2) + m1*e*(pre(v1) - pre(v2)))/(m1 + m2));
  end when;
end Stack;
"""
    result = run(text, stop=3.0)

    assert result["h1"].min() > -1e-8
    assert (result["h2"] - result["h1"]).min() > 0.1 - 1e-8
    assert result.final("h1") == pytest.approx(0.0, abs=1e-9)
    assert result.final("h2") == pytest.approx(0.1, abs=1e-9)
    assert len(result.events) < 200


def test_a_ball_with_a_mode_of_its_own_for_rest(run):
    """The textbook's way: `flying` ends when the speed after an impact is not positive. Rest is found
    before, and an event of `v <= 0` does not disturb it."""
    text = """
model Flying
  parameter Real e = 0.7, g = 9.81;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true), v_new(start = 0, fixed = true);
  Boolean flying(start = true, fixed = true), impact;
equation
  impact = h <= 0;
  der(v) = if flying then -g else 0;
  der(h) = v;
  when {h <= 0 and v <= 0, impact} then
    v_new = if edge(impact) then -e*pre(v) else 0;
    flying = v_new > 0;
    reinit(v, v_new);
  end when;
end Flying;
"""
    result = run(text, stop=3.0)

    assert times(result, "at rest") == pytest.approx([rest_of(0.7)], rel=1e-9)
    assert result["h"].min() > -1e-9
    assert result.final("h") == pytest.approx(0.0, abs=1e-9)


def test_notes_tell_it_once(run):
    result = run(BALL, stop=4.0)
    notes = [w for w in result.warnings if w.code == "R104"]

    assert len(notes) == 1
    assert notes[0].message.startswith("resting on the surface of `h <= 0`")
    assert notes[0].labels[0].span.line == 8
