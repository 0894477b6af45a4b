"""Curves of three pieces whose unknown jumps across the middle one: at the start, or by a reinit.

A selection frees one corner of an unknown; where the solution lies beyond another one, that one is next.
"""

from __future__ import annotations

from math import exp

import pytest

import freewheel as fw

CLUTCH = """
model Clutch "slips at a torque of mu, else both speeds are one"
  parameter Real J1 = 0.2, J2 = 10, mu = 50;
  Real w1(start={start}, fixed=true), w2(start=0, fixed=true), t, s;
equation
  J1*der(w1) = 10 - t;
  J2*der(w2) = t - 5;
  {curve}
end Clutch;
"""
CURVES = {
    "forward first": "w1 - w2 = if s > mu then s - mu elseif s < -mu then s + mu else 0;"
    " t = if s > mu then mu elseif s < -mu then -mu else s;",
    "backward first": "w1 - w2 = if s < -mu then s + mu elseif s > mu then s - mu else 0;"
    " t = if s < -mu then -mu elseif s > mu then mu else s;",
    "from below": "w1 - w2 = if s < -mu then s + mu elseif s < mu then 0 else s - mu;"
    " t = if s < -mu then -mu elseif s < mu then s else mu;",
}
LIMITER = """
model Limiter "a coil between two Zener diodes"
  Real i(start={start}, fixed=true), v, s;
equation
  1e-3*der(i) = -i - v;
  v = if s > 5 then 5 elseif s < -5 then -5 else s;
  i = if s > 5 then s - 5 elseif s < -5 then s + 5 else 0;
end Limiter;
"""
BOUNCE = """
model Bounce "the speed is turned round: from one sliding piece to the other"
  parameter Real mu = 2;
  Real v(start=5, fixed=true), f, s;
equation
  der(v) = -f;
  v = if s > mu then s - mu elseif s < -mu then s + mu else 0;
  f = if s > mu then mu elseif s < -mu then -mu else s;
  when time > 1 then
    reinit(v, -pre(v));
  end when;
end Bounce;
"""


def simulated(text: str, folder, **options):
    path = folder / "M.mo"
    path.write_text(text)
    return fw.load(path).simulate(tol=1e-9, **options)


@pytest.mark.parametrize("curve", CURVES)
@pytest.mark.parametrize("start", [36, -20])
def test_a_clutch_begins_to_slip_whichever_way(start, curve, tmp_path):
    result = simulated(CLUTCH.format(start=start, curve=CURVES[curve]), tmp_path, stop=6)

    sign = 1 if start > 0 else -1
    slopes = (10 - sign * 50) / 0.2, (sign * 50 - 5) / 10
    meet = start / (slopes[1] - slopes[0])
    together = slopes[1] * meet + (6 - meet) * 5 / 10.2
    assert not result.impulses
    assert result["w1"][0] == pytest.approx(start)
    assert [event.time for event in result.events] == [pytest.approx(meet, rel=1e-9)]
    assert result.final("w1") == pytest.approx(together, rel=1e-9)


@pytest.mark.parametrize("start", [1, -1])
def test_a_coil_begins_on_either_side_of_a_limiter(start, tmp_path):
    result = simulated(LIMITER.format(start=start), tmp_path, stop=1e-4)

    assert not result.impulses
    assert result.final("i") == pytest.approx(start * (6 * exp(-0.1) - 5), rel=1e-7)


def test_a_reinit_leads_across_two_corners(tmp_path):
    result = simulated(BOUNCE, tmp_path, stop=2)

    assert not result.impulses
    assert result.final("v") == pytest.approx(-1.0, abs=1e-9)
