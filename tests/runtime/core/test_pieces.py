"""Pieces of curves beyond folds: which one comes next, for several curves, and for none."""

from __future__ import annotations

import numpy as np
import pytest

import freewheel as fw
from freewheel.base.diagnostics import SimulationError
from freewheel.runtime.switched_dae.position_search import Curve, _ahead, _nearest_first

SERIES = """
model M
  parameter Integer n = {n};
  parameter Real Ip[n] = {peaks};
  Modelica.Electrical.Analog.Sources.ConstantVoltage U(V=0.25*n);
  Modelica.Electrical.Analog.Basic.Resistor R(R=10*n);
  Modelica.Electrical.Analog.Basic.Inductor L(L=n*1e-6, i(start=0, fixed=true));
  Hybrid.Electrical.TunnelDiode D[n](Ip=Ip{leaks});
  Modelica.Electrical.Analog.Basic.Ground G;
  {more}
equation
  connect(U.p, R.p);
  connect(R.n, L.p);
  connect(L.n, D[1].p);
  for k in 1:n - 1 loop
    connect(D[k].n, D[k + 1].p);
  end for;
  connect(D[n].n, {last});
  connect(G.p, U.n);
end M;
"""
DIODE = ("Hybrid.Electrical.Diode E;", "E.p); connect(E.n, U.n")


def _series(tmp_path, peaks, leaks="", more="", last="U.n"):
    text = SERIES.replace("{n}", str(len(peaks))).replace("{leaks}", leaks)
    text = text.replace("{peaks}", "{" + ", ".join(map(repr, peaks)) + "}")
    path = tmp_path / "m.mo"
    path.write_text(text.replace("{more}", more).replace("{last}", last))
    return fw.load(path)


def test_pieces_ahead_lie_in_the_direction_of_the_motion():
    curve = Curve(0, (4, 5, 6), (0.0, 1.0, 2.0))
    assert [*_ahead(curve, [True, False, False], 5)] == [2, 3]
    assert [*_ahead(curve, [True, True, True], 6)] == [2, 1, 0]


def test_a_curve_knows_its_pieces_and_how_far_they_are():
    curve = Curve(0, (4, 5, 6), (0.0, 1.0, 2.0))
    assert [curve.piece_at(x) for x in (-1.0, 0.5, 1.5, 3.0)] == [0, 1, 2, 3]
    assert [curve.distance(piece, 1.25) for piece in range(4)] == [1.25, 0.25, 0.0, 0.75]


def test_combinations_with_the_smallest_change_come_first():
    found = list(_nearest_first([[1, 2, 0], [0, 1]]))
    assert found == [(1, 0), (1, 1), (2, 0), (2, 1), (0, 0), (0, 1)]


@pytest.mark.parametrize("order", [1, -1])
def test_of_ten_diodes_the_weakest_jump_first(tmp_path, order):
    """Five must jump before the current falls again: 2 V + i*(R + the slopes of the others) = 2.5 V."""
    peaks = [1e-3 * (1 - 0.01 * k) for k in range(1, 11)][::order]
    r = _series(tmp_path, peaks).simulate(stop=3e-6, tol=1e-8)
    strong = sorted(peaks)[5:]
    assert [r[f"D[{k + 1}].s"][-1] > 2 for k in range(10)] == [peak not in strong for peak in peaks]
    assert r["L.i"][-1] == pytest.approx(0.5 / (100 + sum(0.1 / peak for peak in strong)), rel=1e-6)


def test_of_ten_equal_diodes_enough_jump(tmp_path):
    r = _series(tmp_path, [1e-3] * 10).simulate(stop=3e-6, tol=1e-8)
    assert sum(r[f"D[{k}].s"][-1] > 2 for k in range(1, 11)) == 5
    assert r["L.i"][-1] == pytest.approx(0.5 / 600, rel=1e-6)
    assert not r.impulses


def test_with_an_ideal_diode_in_series_leaks_make_little_difference(tmp_path):
    """Once all pieces leak, corners are relations of the model, and no sliding is seen in a fold."""
    more, last = DIODE
    runs = [
        _series(tmp_path, [1e-3], leaks, more, last).simulate(stop=1e-7, tol=1e-8)
        for leaks in ("", ", each Ron=1e-5, each Goff=1e-9")
    ]
    t = np.linspace(0, 1e-7, 301)
    one, other = (np.interp(t, r.time, r["L.i"]) for r in runs)
    np.testing.assert_allclose(one, other, atol=1e-8)
    assert runs[0]["L.i"].max() == pytest.approx(1e-3, rel=1e-9)


def test_parallel_diodes_share_a_current(tmp_path):
    text = """model M
      Modelica.Electrical.Analog.Sources.ConstantVoltage U(V=0.25);
      Modelica.Electrical.Analog.Basic.Resistor R(R=10);
      Modelica.Electrical.Analog.Basic.Inductor L(L=1e-6, i(start=0, fixed=true));
      Hybrid.Electrical.TunnelDiode D; Hybrid.Electrical.TunnelDiode E(Vp=0.12, Ip=0.8e-3);
      Modelica.Electrical.Analog.Basic.Ground G;
    equation
      connect(U.p, R.p); connect(R.n, L.p); connect(L.n, D.p); connect(L.n, E.p);
      connect(D.n, U.n); connect(E.n, U.n); connect(G.p, U.n);
    end M;"""
    path = tmp_path / "m.mo"
    path.write_text(text)
    r = fw.load(path).simulate(stop=1e-7, tol=1e-8)
    np.testing.assert_allclose(r["D.i"] + r["E.i"], r["L.i"], atol=1e-12)
    for name, peak, top in (("D", 0.1, 1e-3), ("E", 0.12, 0.8e-3)):
        below = r[f"{name}.s"] <= 2
        curve = np.interp(r[f"{name}.v"][below], [0.0, peak, 0.4], [0.0, top, 1e-4])
        np.testing.assert_allclose(r[f"{name}.i"][below], curve, atol=1e-11)


def test_where_no_piece_has_a_solution_it_is_said(tmp_path):
    text = """model M
      Modelica.Electrical.Analog.Sources.SineCurrent I(I=2e-3, f=1, phase=1.5707963267948966);
      Hybrid.Electrical.TunnelDiode D; Modelica.Electrical.Analog.Basic.Ground G;
    equation connect(I.n, D.p); connect(D.n, I.p); connect(G.p, I.p); end M;"""
    path = tmp_path / "m.mo"
    path.write_text(text)
    with pytest.raises(SimulationError) as told:
        fw.load(path).simulate()
    assert told.value.diagnostics[0].code == "R132"
    assert "time 0.25" in told.value.diagnostics[0].message
