"""DYM-12: nonlinear loops are torn and solved by Newton; inputs are driven by formulas or data."""

from __future__ import annotations

import numpy as np
from paper_listings import CIRCUITS, loaded

import freewheel as fw
from freewheel.structure.nodes import Loop

# Two diodes in series with a resistor: one loop of five equations, cut at one variable.
DIODES = """
model Diodes
  parameter Real Is = 1e-9, Vt = 0.025, R = 100;
  input Real u;
  Real i, u1, u2, ur, um;
equation
  i = Is*(exp(u1/Vt) - 1);
  i = 2*Is*(exp(u2/Vt) - 1);
  ur = R*i;
  um = u - ur;
  um = u1 + u2;
end Diodes;
"""


def diodes(folder):
    path = folder / "diodes.mo"
    path.write_text(DIODES)
    return fw.load(path)


def test_DYM_12_a_nonlinear_loop_is_torn(tmp_path):
    blocks = diodes(tmp_path).upto("structure").ordered.simulation.blocks
    [loop] = [block for block in blocks if isinstance(block, Loop)]

    assert not loop.is_linear
    assert len(loop.unknowns) == 5
    assert len(loop.guesses) <= 2


def test_DYM_12_newton_solves_it_for_a_formula_as_input(tmp_path):
    result = diodes(tmp_path).simulate(stop=1.0, inputs={"u": "2*time"})
    current, voltage = np.asarray(result["i"]), 2.0 * np.asarray(result.time)
    drop = 0.025 * (np.log1p(current / 1e-9) + np.log1p(current / 2e-9))

    assert current[-1] > 5e-3
    assert np.abs(drop + 100 * current - voltage).max() < 1e-6


def test_DYM_12_data_drive_an_input(tmp_path):
    (tmp_path / "u.csv").write_text("time,u\n0,0\n0.5,12\n1,12\n")

    result = loaded(CIRCUITS, "divider").simulate(stop=1.0, input_file=tmp_path / "u.csv")

    assert np.isclose(np.interp(0.25, result.time, result["y"]), 1.0)
    assert np.isclose(result["y"][-1], 2.0)
