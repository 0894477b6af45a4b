"""Jumps are projections in the metric of stored energy, against answers by hand."""

from __future__ import annotations

import pytest

import freewheel as fw

CHARGE = """
model Charge "two switches close at once; a diode lets C3 have a share of the charge of C1"
  import Modelica.Electrical.Analog.*;
  Basic.Capacitor C1(C = 1e-3, v(start = 10, fixed = true)), C2(C = {c2}, v(start = 0, fixed = true)),
    C3(C = 1e-3, v(start = 0, fixed = true));
  Ideal.IdealClosingSwitch S1(Ron = 0, Goff = 0), S2(Ron = 0, Goff = 0);
  Ideal.IdealDiode D(Ron = 0, Goff = 0, Vknee = 0);
  Basic.Ground ground;
equation
  S1.control = time > 0.1;
  S2.control = time > 0.1;
  connect(C1.p, S1.p);
  connect(S1.n, C2.p);
  connect(C1.p, S2.p);
  connect(S2.n, D.p);
  connect(D.n, C3.p);
  connect(C1.n, ground.p);
  connect(C2.n, ground.p);
  connect(C3.n, ground.p);
  annotation(experiment(StopTime = 0.2));
end Charge;
"""
FLUX = """
model Flux "two switches open; the diode carries what L3 has more than L2, never less"
  import Modelica.Electrical.Analog.*;
  Basic.Inductor L1(L = 1e-3, i(start = 0.5, fixed = true)), L2(L = 1e-3, i(start = 1, fixed = true)),
    L3(L = {l3}, i(start = {i3}, fixed = true));
  Ideal.IdealClosingSwitch S1(Ron = 0, Goff = 0), S2(Ron = 0, Goff = 0);
  Ideal.IdealDiode D(Ron = 0, Goff = 0, Vknee = 0);
  Basic.Ground ground;
equation
  S1.control = time < 0.1;
  S2.control = time < 0.1;
  connect(L1.p, L2.p);
  connect(L1.n, ground.p);
  connect(L1.p, S1.p);
  connect(S1.n, ground.p);
  connect(L2.n, L3.p);
  connect(L3.n, ground.p);
  connect(L2.n, S2.p);
  connect(S2.n, ground.p);
  connect(D.p, ground.p);
  connect(D.n, L3.p);
  annotation(experiment(StopTime = 0.2));
end Flux;
"""


def finals(tmp_path, text, names):
    (tmp_path / "jump.mo").write_text(text)
    result = fw.load(tmp_path / "jump.mo").simulate(impulses="accept")
    return [result.final(name) for name in names]


@pytest.mark.parametrize("c2", [0.5, 1.0, 4.0, 30.0])
def test_a_diode_within_an_impulse_carries_its_total(tmp_path, c2):
    """The least of (v1 - 10)^2 + c2 v2^2 + v3^2 with v1 = v2 and v1 <= v3: without C3 v1 would be 10/(1 + c2)
    and too high, so all three are equal, and what the diode has carried, v3, is positive. However quickly
    C2 is filled, no current that flows back through the diode is left out."""
    found = finals(tmp_path, CHARGE.format(c2=1e-3 * c2), ("C1.v", "C2.v", "C3.v"))

    assert found == pytest.approx([10 / (2 + c2)] * 3, rel=1e-13)


@pytest.mark.parametrize("l3", [0.2, 1.0, 5.0])
def test_a_diode_that_conducts_leaves_a_current_alone(tmp_path, l3):
    """The least of (i1 - 0.5)^2 + (i2 - 1)^2 + l3 (i3 - 0.8)^2 with i1 = -i2 and i2 <= i3."""
    text = FLUX.format(l3=1e-3 * l3, i3=0.8)

    found = finals(tmp_path, text, ("L1.i", "L2.i", "L3.i"))

    assert found == pytest.approx([-0.25, 0.25, 0.8], rel=1e-13)


@pytest.mark.parametrize("l3", [0.2, 1.0, 5.0])
def test_a_diode_that_blocks_makes_currents_one(tmp_path, l3):
    """As above with i3 = 0.1: below 0.25, so i2 = i3 = (0.5 + 0.1 l3)/(2 + l3)."""
    text = FLUX.format(l3=1e-3 * l3, i3=0.1)

    found = finals(tmp_path, text, ("L1.i", "L2.i", "L3.i"))

    both = (0.5 + 0.1 * l3) / (2 + l3)
    assert found == pytest.approx([-both, both, both], rel=1e-13)


def test_the_size_of_units_says_nothing(tmp_path):
    """The same circuit with picofarads."""
    small = CHARGE.replace("1e-3,", "1e-12,").format(c2=4e-12)

    found = finals(tmp_path, small, ("C1.v", "C2.v", "C3.v"))

    assert found == pytest.approx([10 / 6] * 3, rel=1e-13)
