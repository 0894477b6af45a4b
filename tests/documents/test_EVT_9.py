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
        ("halfwave_L_cellier_krebs", "L.i is no state while D.off = true", "C.v"),
        ("halfwave_L_fig9_31", "L.i is no state while D.off = true", "C.v"),
        ("peak_detector", "C.v is no state while D.off = false", "L.i"),
    ],
)
def test_EVT_9_just_the_storage_that_fixes_a_switch_is_released(
    name, released, kept, tmp_path, capsys
):
    assert execute(["explain", "--switches", str(written(tmp_path, name))]) == 0

    text = capsys.readouterr().out
    assert released in text
    assert f"{kept} is no state" not in text


def test_EVT_9_without_a_storage_in_the_way_nothing_is_released(tmp_path, capsys):
    """The resistor of Fig. 9.27 makes a loop that holds in both positions: no implicit part."""
    path = written(tmp_path, "halfwave_fig9_27_amp1")

    assert execute(["explain", "--switches", str(path)]) == 0

    assert "is no state" not in capsys.readouterr().out
    assert fw.load(path).compiled().core is None


def test_EVT_9_two_only_together(tmp_path, capsys):
    assert execute(["explain", "--switches", str(written(tmp_path, "boost_dcm"))]) == 0

    text = capsys.readouterr().out
    assert "only together" in text
    assert "L.i is no state while S.off = true, D.off = true" in text
    assert "C.v is no state while S.off = false, D.off = false" in text
