"""EVT-7, the elements that switch in circuits: diode and leaky diode (Figs. 9.26, 9.33), thyristor without
and with a line inductance (H9.7, H9.8), dry hysteresis (H9.12), limiter (H9.13).

The document gives the firing angles, 30 to 45 and 210 to 225 degrees, and 0.2 s; values of the circuits are
ours. The exact solutions are matrix exponentials between switchings.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import pi

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.optimize import brentq

import freewheel as fw

U, F, RI, RL, C, L = 10.0, 50.0, 2.0, 50.0, 1e-3, 0.005
W = 2 * pi * F

RECTIFIER = """
model Rectifier
  Modelica.Electrical.Analog.Sources.SineVoltage line(V = 10, f = 50);
  Modelica.Electrical.Analog.Basic.Resistor inner_(R = 2);
  ELEMENT;
  Modelica.Electrical.Analog.Basic.Capacitor store(C = 1e-3, v(start = 0, fixed = true));
  Modelica.Electrical.Analog.Basic.Resistor load(R = 50);
  Modelica.Electrical.Analog.Basic.Ground ground;
  parameter Real period = 0.02;
  Real angle = 360*mod(time, period)/period;
  Boolean fire = angle >= 30 and angle < 45 or angle >= 210 and angle < 225;
equation
  connect(line.p, inner_.p);
  INDUCTOR
  connect(element.n, store.p);
  connect(store.p, load.p);
  connect(store.n, ground.p);
  connect(load.n, ground.p);
  connect(line.n, ground.p);
  GATE
end Rectifier;
"""
WITHOUT = "connect(inner_.n, element.p);"
WITH = "connect(inner_.n, choke.p); connect(choke.n, element.p);"


def rectifier(tmp_path, element: str, with_choke: bool, is_fired: bool) -> fw.Result:
    choke = "; Modelica.Electrical.Analog.Basic.Inductor choke(L = 0.005)" if with_choke else ""
    text = RECTIFIER.replace("ELEMENT", f"{element}{choke}")
    text = text.replace("INDUCTOR", WITH if with_choke else WITHOUT)
    path = tmp_path / "Rectifier.mo"
    path.write_text(text.replace("GATE", "element.fire = fire;" if is_fired else ""))
    return fw.load(path).simulate(stop=0.2, tol=1e-9)


@cache
def exact(may_begin: Callable[[float], bool], with_choke: bool, stop: float):
    """(time conduction begins, ends) of each pulse, and the voltage of the capacitor at the stop."""
    on = np.zeros((4, 4))  # i, u, sin, cos
    if with_choke:
        on[0] = [-RI / L, -1 / L, U / L, 0.0]
        on[1, :2] = 1 / C, -1 / (RL * C)
    else:  # the first row is of no use: i = (U sin - u)/RI
        on[1] = [0.0, -1 / (RI * C) - 1 / (RL * C), U / (RI * C), 0.0]
    on[2, 3], on[3, 2] = W, -W
    pulses, t, u = [], 0.0, 0.0
    grid = 0.02 / 2400  # 30 degrees are 200 of them
    while t < stop:
        # Blocking: the capacitor discharges until the element is forward biased and may begin.
        begun, now = None, t
        while now < stop and begun is None:
            s = now - t
            forward = U * np.sin(W * now) - u * np.exp(-s / (RL * C))
            if forward > 1e-12 and may_begin(now):
                begun = now
                if s > 0 and may_begin(now - grid):  # the bias decides, not the gate
                    begun = brentq(
                        lambda d, t=t, u=u: U * np.sin(W * d) - u * np.exp(-(d - t) / (RL * C)),
                        *(now - grid, now),
                        xtol=1e-15,
                    )
            now = (np.floor(now / grid + 1e-6) + 1) * grid
        if begun is None:
            return pulses, u * np.exp(-(stop - t) / (RL * C))
        u *= np.exp(-(begun - t) / (RL * C))
        x = np.array([0.0, u, np.sin(W * begun), np.cos(W * begun)])
        step = expm(on * grid)
        s, y = grid, step @ x

        def current(y: np.ndarray) -> float:
            return float(y[0] if with_choke else (U * y[2] - y[1]) / RI)

        while current(y) > 0.0 and begun + s < stop:
            y, s = step @ y, s + grid
        if begun + s >= stop:
            return [*pulses, (begun, stop)], float((expm(on * (stop - begun)) @ x)[1])
        length = brentq(lambda d, x=x: current(expm(on * d) @ x), s - grid, s, xtol=1e-15)
        t, u = begun + length, float((expm(on * length) @ x)[1])
        pulses.append((begun, t))
    return pulses, u


def fired(t: float) -> bool:
    angle = 360 * ((t + 1e-12) % 0.02) / 0.02
    return 30 <= angle < 45 or 210 <= angle < 225


def always(t: float) -> bool:
    return True


def changes(r: fw.Result, name: str) -> np.ndarray:
    return r["time"][1:][np.diff(r[name]) != 0]


@pytest.mark.parametrize("with_choke", [False, True], ids=["H9.7", "H9.8"])
@pytest.mark.parametrize("is_ideal", [True, False])
def test_EVT_7_a_thyristor_conducts_from_its_pulse_until_the_current_ends(
    tmp_path, with_choke, is_ideal
):
    element = "Hybrid.Electrical.Thyristor element" + ("(Ron = 0, Goff = 0)" if is_ideal else "")
    r = rectifier(tmp_path, element, with_choke, is_fired=True)
    pulses, voltage = exact(fired, with_choke, 0.2)
    assert 5 <= len(pulses) <= 10
    expected = np.array(pulses).ravel()
    found = changes(r, "element.open")
    np.testing.assert_allclose(found, expected[: len(found)], atol=1e-8 if is_ideal else 2e-6)
    assert len(found) == len(expected)
    assert r.final("load.v") == pytest.approx(voltage, rel=1e-7 if is_ideal else 1e-3)
    assert r["element.i"].min() > -2e-4


@pytest.mark.parametrize("with_choke", [False, True], ids=["Fig. 9.27", "Fig. 9.31"])
def test_EVT_7_an_ideal_diode_by_its_curve_parameter(tmp_path, with_choke):
    r = rectifier(tmp_path, "Hybrid.Electrical.Diode element", with_choke, is_fired=False)
    pulses, voltage = exact(always, with_choke, 0.2)
    found = changes(r, "element.open")
    expected = np.array(pulses).ravel()
    if pulses[0][0] == 0.0:
        expected = expected[len(expected) - len(found) :]
    np.testing.assert_allclose(found, expected[-len(found) :], atol=1e-8)
    assert len(found) >= 19
    assert r.final("load.v") == pytest.approx(voltage, rel=1e-7)


@pytest.mark.parametrize("leak", [1e-4, 1e-6])
def test_EVT_7_a_leaky_diode_comes_near_the_ideal_one(tmp_path, leak):
    """Equations 9.54, Fig. 9.33: u = R0 s or s, i = s or G0 s; the error falls with the leak."""
    element = f"Hybrid.Electrical.Diode element(Ron = {leak}, Goff = {leak})"
    r = rectifier(tmp_path, element, True, is_fired=False)
    _, voltage = exact(always, True, 0.2)
    s, v, i, opened = (r[f"element.{name}"] for name in ("s", "v", "i", "open"))
    np.testing.assert_allclose(v, np.where(opened > 0.5, s, leak * s), atol=1e-9)
    np.testing.assert_allclose(i, np.where(opened > 0.5, leak * s, s), atol=1e-9)
    assert abs(r.final("load.v") / voltage - 1) < 20 * leak


def test_EVT_7_dry_hysteresis_over_ten_seconds(tmp_path):
    """H9.12: x1 = y1 = -1, x2 = y2 = 1, x = 2 cos t; the output falls at -1 and rises at 1."""
    path = tmp_path / "H.mo"
    path.write_text(
        "model H Hybrid.Signals.DryHysteresis h; equation h.u = 2*cos(time);"
        " annotation(experiment(StopTime = 10)); end H;"
    )
    r = fw.load(path).simulate(tol=1e-8)
    np.testing.assert_allclose(changes(r, "h.y"), [2 * pi / 3, 5 * pi / 3, 8 * pi / 3], rtol=1e-9)
    x, y = r["h.u"], r["h.y"]
    assert np.all(y[x > 1 + 1e-9] == 1.0)
    assert np.all(y[x < -1 - 1e-9] == -1.0)
    # Between the thresholds both branches of Fig. 9.22 are passed.
    assert {float(value) for value in y[np.abs(x) < 0.9]} == {-1.0, 1.0}


def test_EVT_7_a_limiter_over_ten_seconds(tmp_path):
    """H9.13: corners where 2 cos t passes -1 and 1."""
    path = tmp_path / "Lim.mo"
    path.write_text(
        "model Lim Real x = 2*cos(time); Real y = if x < -1 then -1 elseif x > 1 then 1 else x;"
        " annotation(experiment(StopTime = 10)); end Lim;"
    )
    r = fw.load(path).simulate(tol=1e-8)
    np.testing.assert_allclose(r["y"], np.clip(2 * np.cos(r["time"]), -1, 1), atol=1e-12)
    corners = sorted({e.time for e in r.events if e.time > 0})
    np.testing.assert_allclose(corners, [k * pi / 3 for k in range(1, 10) if k % 3], rtol=1e-9)
