"""Corners written with `max`, `min`, `abs` or in `noEvent` are ideal elements where a state gives way."""

from __future__ import annotations

import numpy as np
import pytest

import freewheel as fw

COIL = """
model M "a coil behind an ideal diode"
  Real i(start=0, fixed=true), v, s;
equation
  0.01*der(i) = 10*sin(314*time) - v - 2*i;
  {corner}
end M;
"""
STORE = """
model M "a capacitor behind an ideal diode"
  Real u(start=0, fixed=true), i, s;
equation
  1e-3*der(u) = i - u/50;
  {corner}
end M;
"""
COILS = {
    "max and min": "v = min(s, 0); i = max(s, 0);",
    "turned": "v = -max(-s, 0); i = -min(-s, 0);",
    "abs": "v = (s - abs(s))/2; i = (s + abs(s))/2;",
    "noEvent": "v = noEvent(if s < 0 then s else 0); i = noEvent(if s < 0 then 0 else s);",
    "complementary": "0 = min(i, -v); s = i;",
}
STORES = {
    "max and min": "10*sin(314*time) - u = min(s, 0); i = max(s, 0);",
    "abs": "10*sin(314*time) - u = (s - abs(s))/2; i = (s + abs(s))/2;",
}


def simulated(text: str, folder, **options):
    path = folder / "M.mo"
    path.write_text(text)
    return fw.load(path).simulate(stop=0.1, tol=1e-8, interval=1e-4, **options)


def differ(one, other, name: str) -> float:
    _, i, j = np.intersect1d(one.time, other.time, return_indices=True)
    return float(np.abs(one[name][i] - other[name][j]).max())


@pytest.mark.parametrize("corner", COILS)
def test_a_coil_stops_at_a_corner_however_it_is_written(corner, tmp_path):
    plain = "v = if s < 0 then s else 0; i = if s < 0 then 0 else s;"
    expected = simulated(COIL.format(corner=plain), tmp_path)

    result = simulated(COIL.format(corner=COILS[corner]), tmp_path)

    assert result.stats["solver"] == "core-radau"
    assert result["i"].min() > -1e-9
    assert differ(result, expected, "i") < 1e-6
    assert differ(result, expected, "v") < 1e-4


@pytest.mark.parametrize("corner", STORES)
def test_a_capacitor_is_clamped_at_a_corner_however_it_is_written(corner, tmp_path):
    plain = "10*sin(314*time) - u = if s < 0 then s else 0; i = if s < 0 then 0 else s;"
    expected = simulated(STORE.format(corner=plain), tmp_path)

    result = simulated(STORE.format(corner=STORES[corner]), tmp_path)

    assert result.stats["solver"] == "core-radau"
    assert differ(result, expected, "u") < 1e-6


BRIDGE = """
model Diode
  extends Modelica.Electrical.Analog.Interfaces.OnePort;
  {declared}
equation
  {corner}
end Diode;
model M "a coil, four diodes, a capacitor with its load"
  Modelica.Electrical.Analog.Sources.SineVoltage U(V=10, f=50);
  Modelica.Electrical.Analog.Basic.Inductor L(L=0.01, i(start=0, fixed=true));
  Modelica.Electrical.Analog.Basic.Capacitor C(C=1e-3, v(start=0, fixed=true));
  Modelica.Electrical.Analog.Basic.Resistor R(R=50);
  Modelica.Electrical.Analog.Basic.Ground ground;
  Diode D1, D2, D3, D4;
equation
  connect(U.p, L.p);
  connect(L.n, D1.p);
  connect(D3.n, D1.p);
  connect(U.n, D2.p);
  connect(D4.n, D2.p);
  connect(D1.n, C.p);
  connect(D2.n, C.p);
  connect(R.p, C.p);
  connect(D3.p, ground.p);
  connect(D4.p, ground.p);
  connect(C.n, ground.p);
  connect(R.n, ground.p);
end M;
"""
DIODES = {
    "min": ("", "0 = min(i, -v);"),
    "max": ("", "0 = max(-i, v);"),
    "abs": ("", "i - v = abs(i + v);"),
    "noEvent": ("", "0 = noEvent(min(i, -v));"),
    "signs": ("Boolean off(start=true);", "off = v <= 0 and not i > 0; 0 = if off then i else v;"),
}


@pytest.mark.parametrize("form", DIODES)
def test_four_diodes_are_chosen_together_however_they_are_written(form, tmp_path):
    plain = BRIDGE.format(declared="Real s;", corner="v = min(s, 0); i = max(s, 0);")
    declared, corner = DIODES[form]
    expected = simulated(plain, tmp_path)

    result = simulated(BRIDGE.format(declared=declared, corner=corner), tmp_path)

    assert len(result.events) == len(expected.events) == 15
    assert differ(result, expected, "C.v") < 1e-8
    assert differ(result, expected, "L.i") < 1e-8


QUIET = """
model M
  Real x(start=1, fixed=true), y, z;
equation
  der(x) = -y;
  {said}
  z = min(y, x);
end M;
"""


@pytest.mark.parametrize(
    "said",
    [
        "y = max(x, 0.5);",
        "y = noEvent(if x > 0.5 then x else 0.5);",
        "y + 0.5*abs(y) = 1 + x;",  # solved for what is inside, and about it on both sides
    ],
)
def test_where_nothing_gives_way_they_make_no_events(said, tmp_path):
    result = simulated(QUIET.format(said=said), tmp_path)

    assert result.stats["solver"] != "core-radau"
    assert len(result.events) == 0


SLIP = """
model M "a clutch that slips at a torque of m"
  parameter Real m = 50;
  Real w1(start={start}, fixed=true), w2(start=0, fixed=true), slip = w1 - w2, t, s;
equation
  0.2*der(w1) = 10 - t;
  10*der(w2) = t - 5;
  {corner}
end M;
"""
SLIPS = {
    "max of min": "t = max(-m, min(m, s)); slip = s - t;",
    "min of max": "slip + t = s; t = min(m, max(-m, s));",
    "abs": "t = (abs(s + m) - abs(s - m))/2; slip = s - t;",
    "noEvent": "t = noEvent(if s > m then m elseif s < -m then -m else s); slip = s - t;",
    "the middle in the middle": "t = if m < s then m else if s > -m then s else -m; slip = s - t;",
}


@pytest.mark.parametrize("corner", SLIPS)
@pytest.mark.parametrize("start", [36, 0, -20])
def test_a_clutch_sticks_at_corners_in_a_loop(start, corner, tmp_path):
    """On the middle piece nothing is left for s: `slip = s - s`."""
    path = tmp_path / "M.mo"
    path.write_text(SLIP.format(start=start, corner=SLIPS[corner]))

    result = fw.load(path).simulate(stop=6, tol=1e-9)

    sign = 1 if start > 0 else -1
    slopes = (10 - sign * 50) / 0.2, (sign * 50 - 5) / 10
    meet = start / (slopes[1] - slopes[0])
    assert not result.impulses
    assert result.final("w1") == pytest.approx(slopes[1] * meet + (6 - meet) / 2.04, rel=1e-8)
    assert result.final("slip") == pytest.approx(0, abs=1e-9)
