"""States that are chosen while running, beside an implicit core and within it."""

from __future__ import annotations

import numpy as np

import freewheel as fw

RECTIFIER = """
  Modelica.Electrical.Analog.Sources.SineVoltage U(V = 10, f = 50);
  Modelica.Electrical.Analog.Basic.Inductor L(L = 0.01, i(start = 0, fixed = true));
  Modelica.Electrical.Analog.Ideal.IdealDiode D(Ron = 0, Goff = 0, Vknee = 0);
  Modelica.Electrical.Analog.Basic.Resistor R(R = 50);
  Modelica.Electrical.Analog.Basic.Ground ground;
"""
WIRES = """
  connect(U.p, L.p);
  connect(L.n, D.p);
  connect(D.n, R.p);
  connect(R.n, ground.p);
  connect(U.n, ground.p);
"""
PENDULUM = """
  Real x(start = 1, fixed = true), y(start = 0), vx, vy(start = 0, fixed = true), force, push;
"""
MOTION = """
  der(x) = vx;
  der(y) = vy;
  der(vx) = -force*x - push*y;
  der(vy) = -force*y - 9.81 + push*x;
  x^2 + y^2 = 1;
"""


def model(parts, equations, tmp_path):
    file = tmp_path / "m.mo"
    file.write_text(f"model M\n{parts}equation\n{equations}end M;\n")
    return fw.load(str(file))


def test_a_pendulum_keeps_its_energy_beside_a_rectifier(tmp_path):
    """It lost all of it at its lowest point, without a word: y cannot be a state there."""
    text = WIRES + MOTION + "  push = 0;\n"
    result = model(RECTIFIER + PENDULUM, text, tmp_path).simulate(stop=3, tol=1e-7)
    energy = (result["vx"] ** 2 + result["vy"] ** 2) / 2 + 9.81 * result["y"]

    assert result["x"].min() < -0.999
    assert np.abs(energy).max() < 1e-5
    assert not any(warning.code == "E022" for warning in result.warnings)
    assert result["L.i"].min() > -1e-9


def test_quantized_states_do_the_same(tmp_path):
    text = WIRES + MOTION + "  push = 0;\n"
    made = model(RECTIFIER + PENDULUM, text, tmp_path)
    result = made.simulate(stop=1.5, solver="liqss2", quantum="1e-4")
    energy = (result["vx"] ** 2 + result["vy"] ** 2) / 2 + 9.81 * result["y"]

    assert result["x"].min() < -0.999
    assert np.abs(energy).max() < 5e-3


def test_within_a_core_they_are_chosen_once_which_is_told(tmp_path):
    """A pin that holds the pendulum takes its speed away."""
    text = MOTION + "  0 = if time > 0.1 then vx*y - vy*x else push;\n"
    ordered = model(PENDULUM, text, tmp_path).upto("structure").ordered

    (told,) = [warning for warning in ordered.warnings if warning.code == "E022"]
    assert "states among x, y are chosen once for all" in told.message
    assert [label.text for label in told.labels] == ["tied to the others"] * 2
