"""EVT-9: conditional index changes by inlined integration (9.52 - 9.59), found and done by the program.

The book inlines backward Euler by hand into the coil in front of an ideal diode. `core-euler` does that to
whatever a switch releases; between events it must give exactly what the formulas of the paper give.
"""

from __future__ import annotations

from math import pi, sin

import numpy as np
import pytest
from switching_circuits import CIRCUITS, halfwave

import freewheel as fw
from freewheel.tools.cli import execute

U, F, L, C, R = 10.0, 50.0, 0.01, 1e-3, 50.0


def written(folder, name: str):
    network, _ = CIRCUITS[name]()
    path = folder / f"{name}.mo"
    path.write_text(network.modelica())
    return path


def paper(h: float, count: int) -> tuple[list[float], list[float]]:
    """Section 4 of document 004, the capacitor inlined as well; the diode conducts (sw = 0), so
    u_D = 0 and i = pre(i) + h/L*(U0 - u_C) with u_C = pre(u_C) + h/C*(i - u_C/R)."""
    i = u = 0.0
    currents, voltages = [], []
    for k in range(1, count + 1):
        source = U * sin(2 * pi * F * k * h)
        a = np.array([[1.0, h / L], [-h / C, 1 + h / (R * C)]])
        i, u = np.linalg.solve(a, [i + h / L * source, u])
        currents.append(float(i))
        voltages.append(float(u))
    return currents, voltages


@pytest.mark.parametrize(("h", "count"), [(5e-5, 160), (8e-5, 100), (1e-4, 80), (4e-4, 20)])
def test_EVT_9_backward_euler_of_the_core_is_that_of_the_paper(h, count, tmp_path):
    """As long as the diode conducts: it opens after 10 ms."""
    network, _ = halfwave(0.0, L)
    path = tmp_path / "HalfWave.mo"
    path.write_text(network.modelica())
    result = fw.load(path).simulate(solver="core-euler", interval=h, stop=count * h)

    currents, voltages = paper(h, count)
    assert result.stats["steps"] == count
    rows = np.flatnonzero(np.diff(result.time, prepend=-1.0) > 1e-9)[1:]
    assert np.asarray(result.time)[rows] == pytest.approx(h * np.arange(1, count + 1), rel=1e-9)
    assert result["L.i"][rows] == pytest.approx(currents, rel=1e-6, abs=1e-9)
    assert result["C.v"][rows] == pytest.approx(voltages, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize(
    ("name", "released", "kept"),
    [
        ("halfwave_L_cellier_krebs", "L.i is not a state while D.off = true", "C.v"),
        ("halfwave_L_fig9_31", "L.i is not a state while D.off = true", "C.v"),
        ("peak_detector", "C.v is not a state while D.off = false", "L.i"),
    ],
)
def test_EVT_9_just_the_storage_that_fixes_a_switch_is_released(
    name, released, kept, tmp_path, capsys
):
    assert execute(["explain", "--switches", str(written(tmp_path, name))]) == 0

    text = capsys.readouterr().out
    assert released in text
    assert f"{kept} is not a state" not in text


def test_EVT_9_without_a_storage_in_the_way_nothing_is_released(tmp_path, capsys):
    """The resistor of Fig. 9.27 makes a loop that holds in both positions: no implicit part."""
    path = written(tmp_path, "halfwave_fig9_27_amp1")

    assert execute(["explain", "--switches", str(path)]) == 0

    assert "is not a state" not in capsys.readouterr().out
    assert not fw.load(path).compiled().core.is_there


def test_EVT_9_two_only_together(tmp_path, capsys):
    assert execute(["explain", "--switches", str(written(tmp_path, "boost_dcm"))]) == 0

    text = capsys.readouterr().out
    assert "only together" in text
    assert "L.i is not a state while S.off = true, D.off = true" in text
    assert "C.v is not a state while S.off = false, D.off = false" in text


# ---------------------------------------------------------------- eqs. 9.55 to 9.59, as printed

SWITCHED = """
model Switched "Eqs. 9.55 with the derivative of the coil; the switch opens at any current"
  parameter Real Ri = 10, RL = 50, C = 1e-3, L = 0.01, opens = 0.0065;
  Real u0, u1, u2(start=0, fixed=true), uL, ud, i0(start=0, fixed=true), iC, iR, s;
  Boolean open = time >= opens;
  Integer mo = if open then 1 else 0;
equation
  u0 = 10*sin(2*Modelica.Constants.pi*50*time);
  u1 = Ri*i0;
  u2 = RL*iR;
  iC = C*der(u2);
  uL = L*der(i0);
  u0 = uL + u1 + ud + u2;
  i0 = iC + iR;
  ud = mo*s;
  i0 = (1 - mo)*s;
end Switched;
"""

INLINED = """
model Inlined "Eqs. 9.57a to i: the coil inlined with the step h, the capacitor left to the solver"
  parameter Real Ri = 10, RL = 50, C = 1e-3, L = 0.01, opens = 0.0065, h = 1e-4;
  Real u2(start=0, fixed=true), iR, iC;
  discrete Real u0, s, ud, u1, uL, i0(start=0, fixed=true);
  discrete Integer mo;
equation
  when sample(h, h) then
    mo = if time >= opens - h/2 then 1 else 0;
    u0 = 10*sin(2*Modelica.Constants.pi*50*time);
    s = (L*pre(i0) + h*(u0 - u2))/(h*mo + (L + h*Ri)*(1 - mo));
    ud = mo*s;
    i0 = (1 - mo)*s;
    u1 = Ri*i0;
    uL = u0 - u1 - ud - u2;
  end when;
  iR = u2/RL;
  iC = i0 - iR;
  der(u2) = iC/C;
end Inlined;
"""


def of_text(folder, text: str):
    path = folder / "m.mo"
    path.write_text(text)
    return fw.load(path)


def last_before(result, name: str, time: float) -> float:
    return float(result[name][np.flatnonzero(np.asarray(result.time) <= time + 1e-9)[-1]])


@pytest.mark.parametrize("h", [4e-4, 1e-4, 2.5e-5])
def test_EVT_9_after_opening_at_a_current_one_step_is_incorrect(h, tmp_path):
    """The equations of the book as they stand: eq. 9.59 with a current that is not zero, then without."""
    opens = 0.0064
    r = of_text(tmp_path, INLINED).simulate(
        stop=0.012, interval=h, tol=1e-9, params={"h": h, "opens": opens}
    )
    before, first, second = opens - h, opens, opens + h
    carried = last_before(r, "i0", before)
    assert abs(carried) > 0.05
    u0, u2 = last_before(r, "u0", first), last_before(r, "u2", first)
    assert last_before(r, "s", first) == pytest.approx(0.01 / h * carried + u0 - u2, rel=1e-9)
    assert last_before(r, "i0", first) == 0.0  # (9.57e)
    for later in (second, second + 5 * h):
        u0, u2 = last_before(r, "u0", later), last_before(r, "u2", later)
        assert last_before(r, "s", later) == pytest.approx(u0 - u2, rel=1e-9)


@pytest.mark.parametrize("solver", ["auto", "core-euler"])
def test_EVT_9_the_program_opens_at_a_current_without_an_incorrect_step(solver, tmp_path):
    """The extra of that one step, L/h*pre(i0) during h, is an impulse of L*pre(i0) at the event itself."""
    r = of_text(tmp_path, SWITCHED).simulate(stop=0.012, interval=1e-4, solver=solver)
    t = np.asarray(r.time)
    at = np.flatnonzero(np.abs(t - 0.0065) < 1e-9)
    carried = float(r["i0"][at[0]])
    assert abs(carried) > 0.05
    [impulse] = r.impulses
    assert impulse.time == pytest.approx(0.0065)
    assert impulse.strength == pytest.approx(-0.01 * carried, rel=1e-9)  # of uL = L*der(i0)
    after = np.arange(at[-1], len(t))
    assert r["i0"][after] == pytest.approx(0.0, abs=1e-15)
    assert r["s"][after] == pytest.approx((r["u0"] - r["u2"])[after], rel=1e-9)  # (9.59)


def test_EVT_9_one_step_later_the_scheme_of_the_book_is_accurate_again(tmp_path):
    """Of first order in h, before the switch opens and after it; the switch adds no other error."""
    exact = of_text(tmp_path, SWITCHED).simulate(
        stop=0.012, interval=1e-4, tol=1e-10, params={"opens": 0.0064}
    )
    errors = []
    for h in (2e-4, 1e-4, 5e-5):
        r = of_text(tmp_path, INLINED).simulate(
            stop=0.012, interval=h, tol=1e-9, params={"h": h, "opens": 0.0064}
        )
        times = (0.006, 0.0064 + h, 0.008, 0.012)
        errors.append([abs(last_before(r, "u2", t) - exact.at("u2", t)) for t in times])
    halved = np.array(errors[:-1]) / np.array(errors[1:])
    assert halved == pytest.approx(2.0, abs=0.4)
    assert np.max(errors[-1]) < 0.02


@pytest.mark.parametrize("h", [4e-4, 1e-4])
def test_EVT_9_closed_with_a_resistor_every_step_is_that_of_eq_9_58(h, tmp_path):
    """s = (L*pre(i0) + h*(u0 - u2))/(L + h*Ri); here the capacitor is inlined by the same method."""
    count = round(0.006 / h)
    r = of_text(tmp_path, SWITCHED).simulate(solver="core-euler", interval=h, stop=count * h)
    rows = np.flatnonzero(np.diff(r.time, prepend=-1.0) > 1e-9)
    i, u0, u2, s = (np.asarray(r[name])[rows] for name in ("i0", "u0", "u2", "s"))
    assert len(rows) == count + 1
    assert s[1:] == pytest.approx((L * i[:-1] + h * (u0 - u2)[1:]) / (L + h * 10.0), rel=1e-6)
