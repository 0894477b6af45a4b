"""Event times against exact solutions, to 1e-9 relative at tolerance 1e-8, with ideal elements.

The times of the rectifier come from matrix exponentials and event roots in 34 digits, the others are
closed forms: multiples of pi/3, and a geometric series.
"""

from __future__ import annotations

from math import pi, sqrt

import numpy as np
import pytest

RECTIFIER_TIMES = (
    0.008708133048788693,
    0.02099913900727365,
    0.028265167824178695,
    0.04130779922729581,
    0.04810787178104719,
    0.06141203734466003,
    0.06805252990128129,
    0.08144797743285057,
    0.08803318703499818,
    0.10146044584774004,
    0.10802644515156144,
    0.12146478018411336,
    0.1280240977090372,
    0.14146628794881994,
    0.14802328065660023,
    0.16146681257265702,
    0.16802299630921658,
    0.18146699512961265,
    0.18802289735617989,
)
RECTIFIER_END = 0.45798816240656
RECTIFIER = """
model Rectifier "half-wave rectifier with an ideal diode"
  constant Real pi = 3.14159265358979323846;
  parameter Real f = 50, Ri = 10, RL = 50, C = 0.001;
  Real u0, u, i, u2(start = 0, fixed = true);
  Boolean open(start = true, fixed = true);
equation
  u0 = sin(2*pi*f*time);
  u0 = Ri*i + u + u2;
  C*der(u2) = i - u2/RL;
  0 = if pre(open) then i else u;
  open = u <= 0 and not i > 0;
end Rectifier;
"""
SWING = """
model Swing "x = 2*cos(t), {how}"
  Real x{start};
  {rest}
end Swing;
"""
STATES = {
    "how": "from states",
    "start": "(start = 2, fixed = true), v(start = 0, fixed = true)",
}
OF_TIME = {"how": "a function of time", "start": " = 2*cos(time)"}
OSCILLATOR = "der(x) = v; der(v) = -x;"


def jumps_of(result, name: str) -> list[float]:
    """Times at which a variable has two values."""
    time, values = result.time, result[name]
    at = np.flatnonzero((np.diff(time) == 0.0) & (np.diff(values) != 0.0))
    return time[at].tolist()


@pytest.mark.parametrize("solver", ["auto", "dopri5", "radau", "rodas4"])
def test_the_rectifier_switches_at_the_exact_times(run, solver):
    result = run(RECTIFIER, stop=0.2, tol=1e-8, solver=solver)
    found = jumps_of(result, "open")

    assert found[0] < 1e-12  # it closes as soon as the source rises
    assert found[1:] == pytest.approx(RECTIFIER_TIMES, rel=1e-9)
    assert result.final("u2") == pytest.approx(RECTIFIER_END, rel=1e-8)


def swing(kind, equations: str, declarations: str = "") -> str:
    oscillator = OSCILLATOR if kind is STATES else ""
    return SWING.format(**kind, rest=f"{declarations}\nequation\n{oscillator}\n{equations}")


KINDS = pytest.mark.parametrize("kind", [STATES, OF_TIME], ids=["states", "time"])


@KINDS
def test_hysteresis_h9_12(run, kind):
    text = swing(
        kind,
        "when x < -1 then y = -1; elsewhen x > 1 then y = 1; end when;",
        "discrete Real y(start = 1, fixed = true);",
    )
    result = run(text, stop=10.0)

    assert jumps_of(result, "y") == pytest.approx([2 * pi / 3, 5 * pi / 3, 8 * pi / 3], rel=1e-9)


@KINDS
def test_limiter_h9_13(run, kind):
    text = swing(kind, "y = if x > 1 then 1 else if x < -1 then -1 else x;", "Real y;")
    result = run(text, stop=10.0)
    expected = [k * pi / 3 for k in (1, 2, 4, 5, 7, 8)]

    assert [event.time for event in result.events] == pytest.approx(expected, rel=1e-9)
    at = np.linspace(0.05, 9.95, 100)
    limited = np.clip(2 * np.cos(at), -1, 1)
    assert [result.at("y", t) for t in at] == pytest.approx(limited, abs=1e-3)


def test_bouncing_ball_before_its_limit(run):
    text = """
model Ball
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then
    reinit(v, -0.7*pre(v));
  end when;
end Ball;
"""
    result = run(text, stop=2.55)
    first, e = sqrt(2 / 9.81), 0.7
    expected = [first * (1 + 2 * e * (1 - e**k) / (1 - e)) for k in range(14)]

    assert jumps_of(result, "v")[:14] == pytest.approx(expected, rel=1e-9)
    assert result["h"].min() > -1e-9
