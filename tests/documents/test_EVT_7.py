"""EVT-7: the elements of the homework of chapter 9 against what their figures show."""

from __future__ import annotations

import numpy as np
import pytest

import freewheel as fw

STICKS_AT = 0.2  # m: the spring of 10 N/m pulls with Fs = 2 N


@pytest.fixture(scope="module")
def play_and_steps():
    return fw.load("Hybrid.Examples.PlayAndSteps").simulate(tol=1e-8)


def test_EVT_7_a_loose_element_lags_by_its_play_and_rests_at_turns(play_and_steps):
    r = play_and_steps
    u, y, time = r["play.u"], r["play.y"], r["time"]
    assert np.all(np.abs(u - y) <= 0.5 + 1e-7)
    # At its top the input turns; it catches the output again one whole play (2 d) lower.
    caught = 5.0 - np.arcsin(1.0 / 2.0) / (0.2 * np.pi)
    resting = (time > 2.5 + 1e-6) & (time < caught - 1e-6)
    assert resting.sum() > 10
    np.testing.assert_allclose(y[resting], 1.5, atol=1e-7)
    after = (time > caught + 1e-6) & (time < 7.5 - 1e-6)
    np.testing.assert_allclose(y[after], u[after] + 0.5, atol=1e-7)


def test_EVT_7_a_hysteretic_quantizer_stays_within_half_a_quantum(play_and_steps):
    r = play_and_steps
    level = r["quantizer.y"]
    assert np.all(np.abs(r["quantizer.u"] - level) <= 0.25 + 1e-7)
    assert np.all(np.abs(level * 4 - np.round(level * 4)) < 1e-12)
    # Up and down on different sides of the input: the level at u = 1.1 differs.
    time = r["time"]
    up = 10 / (2 * np.pi) * np.arcsin(0.55)
    assert level[np.searchsorted(time, up)] == pytest.approx(1.0)
    assert level[np.searchsorted(time, 5 - up)] == pytest.approx(1.25)


def test_EVT_7_a_zener_diode_caps_both_ways():
    r = fw.load("Hybrid.Examples.ZenerProtection").simulate(tol=1e-8)
    v, source = r["load.v"], r["source.v"]
    assert v.max() == pytest.approx(5.1, abs=1e-4)
    assert v.min() == pytest.approx(0.0, abs=1e-4)
    divided = source * 100 / 110
    between = (divided > 0.01) & (divided < 5.0)
    np.testing.assert_allclose(v[between], divided[between], rtol=2e-4)


def test_EVT_7_a_tunnel_diode_stays_on_its_curve_and_keeps_swinging():
    r = fw.load("Hybrid.Examples.TunnelOscillator").simulate(tol=1e-8)
    v, i = r["diode.v"], r["diode.i"]
    upright = r["diode.s"] > 2
    assert upright.any()
    np.testing.assert_allclose(v[upright], 0.4, rtol=1e-12)
    assert np.all(i[upright] >= 1e-4)
    below = ~upright
    np.testing.assert_allclose(
        i[below], np.interp(v[below], [0.0, 0.1, 0.4], [0.0, 1e-3, 1e-4]), atol=1e-9
    )
    late = r["time"] > 1e-7
    assert v[late].max() > 0.39
    assert v[late].min() < 0.1


def test_EVT_7_friction_with_six_states_sticks_and_slips():
    r = fw.load("Hybrid.Examples.StickSlip").simulate(tol=1e-8)
    v, sticks = r["mass.v"], r["friction.Sticking"] > 0.5
    np.testing.assert_allclose(v[sticks], 0.1, atol=1e-9)
    # It slips where the spring reaches the largest sticking force, and swings freely then:
    # s = 0.1 + 0.1 cos(w t) + 0.1/w sin(w t) until its speed is that of the belt again.
    begins = np.flatnonzero(sticks[:-1] & ~sticks[1:])
    np.testing.assert_allclose(r["mass.s"][begins], STICKS_AT, atol=1e-7)
    w = np.sqrt(10.0)
    slips = 2 * (np.pi - np.arctan(w)) / w
    period = slips + (2 * 0.1) / 0.1
    assert len(begins) == 3
    np.testing.assert_allclose(np.diff(r["time"][begins]), period, rtol=1e-7)
