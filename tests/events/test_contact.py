"""A pendulum against a stop, rows of balls that hit each other, several sliding surfaces at once."""

from __future__ import annotations

from math import cos, sin, sqrt

import numpy as np
import pytest

from freewheel.base.diagnostics import SimulationError

PENDULUM = """
model Pendulum "falls from 1 rad onto a stop at 0.2 rad; from 3 s on it is lifted"
  parameter Real e = 0.5, g = 9.81, lift = 0;
  Real phi(start = 1, fixed = true), w(start = 0, fixed = true), u;
equation
  u = if time < 3 then 0 else lift*(time - 3);
  der(phi) = w;
  der(w) = u - g*sin(phi);
  when phi <= 0.2 then
    reinit(w, -e*pre(w));
  end when;
end Pendulum;
"""


def test_a_pendulum_keeps_a_share_of_its_speed_at_each_impact(run):
    r = run(PENDULUM, stop=2.4)
    speed = sqrt(2 * 9.81 * (cos(0.2) - cos(1.0)))
    hits = np.flatnonzero(np.diff(r["w"]) > 0.1 * speed / 8)
    before = [r["w"][k] for k in hits if r.time[k] == r.time[k + 1]][:4]

    assert before == pytest.approx([-speed * 0.5**k for k in range(4)], rel=1e-6)
    assert r["phi"].min() > 0.2 - 1e-9


@pytest.mark.parametrize("e", [0.0, 0.5])
def test_a_pendulum_comes_to_rest_on_the_stop_and_leaves_it(run, e):
    """The lift of 6 N m per second overcomes the weight g*sin(0.2) after a third of a second."""
    r = run(PENDULUM, stop=4.0, params={"e": e, "lift": 6.0})
    leaves = 3 + 9.81 * sin(0.2) / 6
    rests = (r.time > 2.6) & (r.time < leaves - 1e-6)

    assert np.max(np.abs(r["w"][rests])) < 1e-12
    assert np.max(np.abs(r["phi"][rests] - 0.2)) < 1e-9
    left = [event.time for event in r.events if "is left" in event.causes[0]]
    assert left == pytest.approx([leaves], abs=1e-7)
    assert r.final("phi") > 0.3


def row_of(x: np.ndarray, v: np.ndarray) -> str:
    places, speeds = (",".join(map(str, numbers)) for numbers in (x, v))
    return f"""
model Row
  Hybrid.Mechanics.BallRow row(n={len(x)}, d=0.1, x_start={{{places}}}, v_start={{{speeds}}});
end Row;
"""


@pytest.mark.parametrize("seed", range(3))
def test_balls_that_hit_each_other_end_where_those_that_pass_through_would(run, seed):
    """Equal balls exchange their velocities: told apart by place only, they fly straight on."""
    rng = np.random.default_rng(seed)
    n = 6
    x, v = np.cumsum(rng.uniform(0.15, 0.6, n)).round(2), rng.uniform(-2, 2, n).round(2)
    r = run(row_of(x, v), stop=3.0)
    straight = x - 0.1 * np.arange(n) + 3.0 * v
    order = np.argsort(straight)

    assert [r.final(f"row.v[{i + 1}]") for i in range(n)] == [*v[order]]
    ends = [r.final(f"row.x[{i + 1}]") for i in range(n)]
    assert ends == pytest.approx([*(straight[order] + 0.1 * np.arange(n))], abs=1e-12)


def test_two_balls_that_reach_a_row_at_the_same_instant(run):
    """The first is hit from behind just when it hits the next one: both impacts go all the way."""
    x, v = np.array([-1, -0.5, 0, 0.1, 0.2, 0.9]), np.array([2, 1, 0, 0, 0, -1])
    r = run(row_of(x, v), stop=2.0)

    assert [r.final(f"row.v[{i}]") for i in range(1, 7)] == [-1, 0, 0, 0, 1, 2]


def test_two_surfaces_that_move_are_followed_together(run):
    """On x = y = 0: a + 0.3 b = -0.1 and b - 0.3 a = -0.2 sin(t), so a and b follow the sine."""
    text = """
model Corner
  Real x(start = 0.5, fixed = true), y(start = 0.7, fixed = true), z(start = 0, fixed = true), a, b;
equation
  a = if x > 0 then -1 else 1;
  b = if y > 0 then -1 else 1;
  der(x) = a + 0.3*b + 0.1;
  der(y) = b - 0.3*a + 0.2*sin(time);
  der(z) = a + 2*b;
end Corner;
"""
    r = run(text, stop=3.0)
    both = next(e.time for e in r.events if " and the surface of `y > 0`" in e.causes[0])
    t = r.time[r.time > both + 1e-9]
    b = (-0.2 * np.sin(t) - 0.03) / 1.09
    a = -0.1 - 0.3 * b

    assert r["a"][r.time > both + 1e-9] == pytest.approx(a, abs=1e-9)
    assert r["b"][r.time > both + 1e-9] == pytest.approx(b, abs=1e-9)
    assert np.max(np.abs(r["x"][r.time > both])) < 1e-12
    # a + 2 b = -0.1 + 1.7 b; its integral from the corner on.
    slope = (0.2 * (cos(3.0) - cos(both)) - 0.03 * (3.0 - both)) / 1.09
    from_corner = -0.1 * (3.0 - both) + 1.7 * slope
    at_corner = float(np.interp(both, r.time, r["z"]))
    assert r.final("z") == pytest.approx(at_corner + from_corner, abs=1e-7)


def test_logic_that_opens_what_it_has_just_closed_is_named(run):
    """The switch takes the voltage away that closed it: closed it opens, open it closes."""
    text = """
model Circle
  import Modelica.Electrical.Analog.*;
  Sources.ConstantVoltage u(V = 10);
  Basic.Resistor r(R = 1), q(R = 1);
  Ideal.IdealClosingSwitch k(Ron = 1e-3, Goff = 1e-3);
  Basic.Ground g;
equation
  connect(u.p, r.p); connect(r.n, q.p); connect(q.n, g.p); connect(u.n, g.p);
  connect(r.n, k.p); connect(k.n, g.p);
  k.control = time > 0.5 and q.v > 3;
end Circle;
"""
    with pytest.raises(SimulationError) as failure:
        run(text, stop=1.0)
    told = failure.value.diagnostics[0]

    assert told.code == "R006"
    assert "at time 0.5 " in told.message
    assert "q.v > 3" in told.message
    assert "hysteresis" in told.help
    assert failure.value.result.final("q.v") > 4.9
