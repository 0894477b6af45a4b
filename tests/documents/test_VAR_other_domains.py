"""Ideal switching outside of linear circuits: a clutch, a saturating coil, shafts in a row.

Independent solutions: closed form for the clutch and the shafts, an explicit method of order 8 with event
roots at 1e-12 for the saturating coil.
"""

from __future__ import annotations

from math import exp, tanh

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import freewheel as fw

CLUTCH = """
model IdealClutch "two shafts, locked together for a while"
  parameter Real J1 = 1, J2 = 2, d = 0.4, tau1 = 5;
  Real w1(start = 0, fixed = true), w2(start = 3, fixed = true), tau;
  Boolean locked = time >= 2 and time < 4;
equation
  J1*der(w1) = tau1 - tau;
  J2*der(w2) = tau - d*w2;
  0 = if locked then w1 - w2 else tau;
  annotation(experiment(StopTime = 6, Interval = 0.02, Tolerance = 1e-6));
end IdealClutch;
"""


def clutch(times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Free, locked with momentum kept, free again."""
    w1, w2 = np.empty_like(times), np.empty_like(times)
    first = times < 2
    w1[first], w2[first] = 5 * times[first], 3 * np.exp(-0.2 * times[first])
    joint = (1 * 10 + 2 * 3 * exp(-0.4)) / 3
    middle = (times >= 2) & (times < 4)
    w1[middle] = w2[middle] = 12.5 + (joint - 12.5) * np.exp(-0.4 / 3 * (times[middle] - 2))
    released = 12.5 + (joint - 12.5) * exp(-0.8 / 3)
    last = times >= 4
    w1[last] = released + 5 * (times[last] - 4)
    w2[last] = released * np.exp(-0.2 * (times[last] - 4))
    return w1, w2


def simulated(text: str, folder, **options):
    path = folder / "model.mo"
    path.write_text(text)
    return fw.load(path).simulate(**options)


def quiet(times: np.ndarray) -> np.ndarray:
    again = times[1:] == times[:-1]
    return ~(np.append(again, False) | np.insert(again, 0, False))


def test_VAR_3_an_ideal_clutch_keeps_momentum_and_tells_its_impulse(tmp_path):
    result = simulated(CLUTCH, tmp_path)

    times = np.asarray(result.time)
    rows = quiet(times)
    w1, w2 = clutch(times)
    assert np.abs(result["w1"] - w1)[rows].max() < 1e-5 * np.abs(w1).max()
    assert np.abs(result["w2"] - w2)[rows].max() < 1e-5 * np.abs(w2).max()
    after = np.flatnonzero(times == 2.0)[-1]
    assert result["w1"][after] == pytest.approx(4.673973425404612, rel=1e-6)
    assert result["w2"][after] == pytest.approx(4.673973425404612, rel=1e-6)
    assert [i.time for i in result.impulses] == [2.0, 2.0]
    strengths = [impulse.strength for impulse in result.impulses]
    assert strengths == pytest.approx([-5.326026574595388, 5.326026574595388], rel=1e-6)


def test_VAR_3_shafts_that_are_locked_one_after_the_other_end_as_one(tmp_path):
    """A row of ten: each clutch closes at its time, momentum is kept at each."""
    n = 10
    result = simulated(
        f"""
model Row
  parameter Integer n = {n};
  Real w[n](start = {{k for k in 1:n}}, each fixed = true), tau[n + 1];
equation
  tau[1] = 0;
  tau[n + 1] = 0;
  for k in 1:n loop
    k*der(w[k]) = tau[k] - tau[k + 1];
  end for;
  for k in 1:n - 1 loop
    0 = if time > 0.1*k then w[k] - w[k + 1] else tau[k + 1];
  end for;
  annotation(experiment(StopTime = 1, Tolerance = 1e-8));
end Row;
""",
        tmp_path,
        impulses="accept",
    )

    inertias, speeds = np.arange(1, n + 1), np.arange(1, n + 1)
    for k in range(1, n):
        joint = (inertias * speeds)[: k + 1].sum() / inertias[: k + 1].sum()
        at = result.at("w[1]", 0.1 * k + 0.05)
        assert at == pytest.approx(joint, rel=1e-9), k
    assert result.final(f"w[{n}]") == pytest.approx((inertias * speeds).sum() / inertias.sum())


def test_VAR_3_a_one_way_element_lets_a_shaft_run_free(tmp_path):
    """w1 drives w2 while it would be faster: complementary speed and torque, no curve of Ron."""
    result = simulated(
        """
model OneWay
  Real w1(start = 0, fixed = true), w2(start = 0, fixed = true), s, tau, slip;
equation
  der(w1) = 3*cos(2*time) - tau;
  2*der(w2) = tau - 0.1*w2;
  slip = w2 - w1;
  slip = if s > 0 then 0 else -s;
  tau = if s > 0 then s else 0;
  annotation(experiment(StopTime = 10, Interval = 0.01, Tolerance = 1e-7));
end OneWay;
""",
        tmp_path,
    )

    def joined(t, w):
        return [(3 * np.cos(2 * t) - 0.1 * w[0]) / 3] * 2

    def free(t, w):
        return [3 * np.cos(2 * t), -0.05 * w[1]]

    def torque(t, w):
        return 3 * np.cos(2 * t) - joined(t, w)[0]

    def slip(t, w):
        return w[1] - w[0]

    torque.terminal, torque.direction = True, -1
    slip.terminal, slip.direction = True, -1
    t, w, is_joined, pieces = 0.0, np.zeros(2), True, []
    while t < 10:
        options = {"rtol": 1e-12, "atol": 1e-13, "method": "DOP853", "dense_output": True}
        found = solve_ivp(
            joined if is_joined else free,
            (t, 10),
            w,
            events=torque if is_joined else slip,
            **options,
        )
        pieces.append(found)
        t, w, is_joined = found.t[-1], found.y[:, -1], not is_joined
    events = [piece.t[-1] for piece in pieces[:-1]]
    assert len(events) > 4
    # by the log: at an event s is zero but for rounding, and its sign there says nothing
    ours = np.array([event.time for event in result.events])
    assert len(ours) == len(events)
    assert np.abs(ours - events).max() < 1e-7
    for name, row in (("w1", 0), ("w2", 1)):
        for k in range(0, len(result.time), 37):
            time = result.time[k]
            piece = pieces[int(np.searchsorted(events, time, side="right"))]
            assert result[name][k] == pytest.approx(piece.sol(time)[row], abs=2e-6)


def test_VAR_3_a_saturating_coil_behind_an_ideal_diode(tmp_path):
    """Nonlinear: the matrices of each mode move with the current."""
    result = simulated(
        """
model Saturating
  parameter Real L0 = 0.02, Ls = 0.002, I0 = 0.5, C = 1e-3, R = 50;
  Real i(start = 0, fixed = true), v(start = 0, fixed = true), psi, u, ud, s;
  Boolean off = s < 0;
equation
  u = 10*sin(2*Modelica.Constants.pi*50*time);
  psi = Ls*i + (L0 - Ls)*I0*tanh(i/I0);
  u = der(psi) + ud + v;
  C*der(v) = i - v/R;
  ud = if off then s else 0;
  i = if off then 0 else s;
  annotation(experiment(StopTime = 0.1, Interval = 1e-4, Tolerance = 1e-6));
end Saturating;
""",
        tmp_path,
    )

    def source(t):
        return 10 * np.sin(2 * np.pi * 50 * t)

    def conducting(t, y):
        slope = 0.002 + 0.018 * (1 - tanh(y[0] / 0.5) ** 2)
        return [(source(t) - y[1]) / slope, (y[0] - y[1] / 50) / 1e-3]

    def blocking(t, y):
        return [0.0, -y[1] / 50 / 1e-3]

    def current(t, y):
        return y[0] if t > start + 1e-6 else 1.0

    def voltage(t, y):
        return source(t) - y[1]

    current.terminal, current.direction = True, -1
    voltage.terminal, voltage.direction = True, 1
    start, y, conducts, pieces = 0.0, np.zeros(2), True, []
    while start < 0.1:
        found = solve_ivp(
            conducting if conducts else blocking,
            (start, 0.1),
            y,
            events=current if conducts else voltage,
            method="DOP853",
            rtol=1e-12,
            atol=1e-14,
            dense_output=True,
            max_step=1e-4,
        )
        pieces.append(found)
        start, y, conducts = found.t[-1], found.y[:, -1], not conducts
        if not conducts:
            y[0] = 0.0
    events = np.array([piece.t[-1] for piece in pieces[:-1]])
    changes = result.time[np.flatnonzero(np.diff(result["off"]) != 0) + 1]
    assert len(changes) == len(events) > 5
    assert np.abs(changes - events).max() < 1e-8
    for name, row in (("i", 0), ("v", 1)):
        size = np.abs(result[name]).max()
        for k in range(1, len(result.time), 23):
            time = result.time[k]
            piece = pieces[int(np.searchsorted(events, time, side="right"))]
            assert abs(result[name][k] - piece.sol(time)[row]) < 1e-5 * size
