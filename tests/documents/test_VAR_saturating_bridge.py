"""A saturating coil before an ideal bridge: the current commutates from one pair of diodes to the other
where the source has long passed the capacitor's voltage, and F bends (VAR-1).

Independent solution: |i| and v by an explicit method of order 8 with event roots, one sign of i at a time.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from scipy.integrate import solve_ivp

import freewheel as fw

BRIDGE = """
model SaturatingBridge
  import A = Modelica.Electrical.Analog;
  A.Basic.Ground g;
  A.Sources.SineVoltage V(V = 10, f = 50);
  A.Basic.SaturatingInductor L(Lzer = 0.1, Lnom = 0.05, Linf = 0.001, Inom = 0.5, i(start = 0, fixed = true));
  A.Ideal.IdealDiode D[4](each Ron = 0, each Goff = 0, each Vknee = 0);
  A.Basic.Resistor R(R = 5);
  A.Basic.Capacitor C(C = 1e-3, v(start = 0, fixed = true));
equation
  connect(V.n, g.p);
  connect(V.p, L.p);
  connect(L.n, D[1].p);
  connect(D[1].n, C.p);
  connect(D[2].p, C.n);
  connect(D[2].n, L.n);
  connect(g.p, D[3].p);
  connect(D[3].n, C.p);
  connect(D[4].p, C.n);
  connect(D[4].n, g.p);
  connect(R.p, C.p);
  connect(R.n, C.n);
  annotation(experiment(StopTime = 0.1, Interval = 1e-4, Tolerance = 1e-6));
end SaturatingBridge;
"""


def exact(bend: float):
    """Pieces (solution, sign of i), and where they end; `bend` is the current where the coil saturates."""

    def source(t):
        return 10 * np.sin(2 * np.pi * 50 * t)

    def conducting(t, y, sign):
        slope = 0.001 + 0.099 / (1 + (y[0] / bend) ** 2)
        return [(source(t) - sign * y[1]) / slope, (sign * y[0] - y[1] / 5) / 1e-3]

    def blocking(t, y, sign):
        return [0.0, -y[1] / 5 / 1e-3]

    def stops(t, y, sign):
        return sign * y[0] if t > start + 1e-6 else 1.0

    def begins(t, y, sign):
        return abs(source(t)) - y[1]

    stops.terminal, stops.direction = True, -1
    begins.terminal, begins.direction = True, 1
    start, y, sign, pieces = 0.0, np.zeros(2), 1.0, []
    while start < 0.1:
        found = solve_ivp(
            conducting if sign else blocking,
            (start, 0.1),
            y,
            args=(sign,),
            events=stops if sign else begins,
            method="DOP853",
            rtol=1e-12,
            atol=1e-14,
            dense_output=True,
            max_step=1e-4,
        )
        pieces.append((found, sign))
        start, y = found.t[-1], found.y[:, -1]
        y[0] = 0.0
        drive = source(start)
        # at the end of blocking the source equals the capacitor: which way is its sign
        sign = np.sign(drive) if sign == 0.0 or abs(drive) > y[1] else 0.0
    return pieces


def test_VAR_1_the_current_of_a_saturating_coil_commutates(tmp_path):
    path = tmp_path / "model.mo"
    path.write_text(BRIDGE)
    result = fw.load(path).simulate()
    pieces = exact(float(result["L.Ipar"][0]))
    events = np.array([piece.t[-1] for piece, _ in pieces[:-1]])
    off = np.array([result[f"D[{k}].off"] for k in (1, 2)])
    changes = result.time[np.flatnonzero(np.abs(np.diff(off, axis=1)).max(axis=0)) + 1]
    assert len(changes) == len(events)
    assert any(before * after < 0 for (_, before), (_, after) in pairwise(pieces))
    assert np.abs(changes - events).max() < 1e-8
    for name, row in (("L.i", 0), ("C.v", 1)):
        size = np.abs(result[name]).max()
        for piece, _ in pieces:
            inside = (result.time > piece.t[0]) & (result.time < piece.t[-1])
            error = np.abs(result[name][inside] - piece.sol(result.time[inside])[row])
            assert error.max(initial=0.0) < 1e-5 * size
