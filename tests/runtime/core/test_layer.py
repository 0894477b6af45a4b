"""Elements that turn within an impulse, against the same impulse drawn out by resistances of one ohm."""

from __future__ import annotations

import numpy as np
import pytest

import freewheel as fw

CHARGE = """
model Charge "while C1 fills C2, a diode lets C3 have a share"
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
model Flux "two switches open; as soon as the current of L2 is below that of L3, the diode takes over"
  import Modelica.Electrical.Analog.*;
  Basic.Inductor L1(L = 1e-3, i(start = 0.5, fixed = true)), L2(L = 1e-3, i(start = 1, fixed = true)),
    L3(L = {l3}, i(start = 0.8, fixed = true));
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


def followed(rates, start, is_over):
    """z' = rates z from `start` until `is_over(z)`, or to the end: by eigenvalues and bisection."""
    values, vectors = np.linalg.eig(np.array(rates, float))
    parts = np.linalg.solve(vectors, np.array(start, complex))

    def at(t):
        return (vectors @ (np.exp(values * t) * parts)).real

    times = np.linspace(0, 100, 20001)[1:]
    beyond = next((t for t in times if is_over(at(t))), None)
    if beyond is None:
        return at(1e3)
    low, high = beyond - times[0], beyond
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if is_over(at(middle)) else (middle, high)
    return at(high)


def charges_by_hand(c2):
    """Capacitors of 1, c2 and 1; the switch to the second has one ohm, switch and diode to the third two."""
    both = [[-1.5, 1, 0.5], [1 / c2, -1 / c2, 0], [0.5, 0, -0.5]]
    corner = followed(both, [10, 0, 0], lambda v: v[0] < v[2])
    without = [[-1, 1, 0], [1 / c2, -1 / c2, 0], [0, 0, 0]]
    return followed(without, corner, lambda v: False)


@pytest.mark.parametrize("c2", [3.0, 4.0, 30.0])
def test_a_diode_conducts_for_a_part_of_the_impulse(tmp_path, c2):
    (tmp_path / "charge.mo").write_text(CHARGE.format(c2=1e-3 * c2))

    result = fw.load(tmp_path / "charge.mo").simulate(impulses="accept")

    expected = charges_by_hand(c2)
    assert expected[2] > expected[0] + 0.1, "the diode has turned"
    found = [result.final(f"C{k}.v") for k in (1, 2, 3)]
    assert found == pytest.approx(expected, rel=1e-7)
    # three capacitors, one charge
    assert found[0] + c2 * found[1] + found[2] == pytest.approx(10, rel=1e-9)


@pytest.mark.parametrize("c2", [0.5, 1.0, 2.0])
def test_no_element_turns_and_the_jump_is_exact(tmp_path, c2):
    """The third capacitor fills more slowly than the second: all three end at one voltage."""
    (tmp_path / "charge.mo").write_text(CHARGE.format(c2=1e-3 * c2))

    result = fw.load(tmp_path / "charge.mo").simulate(impulses="accept")

    for k in (1, 2, 3):
        assert result.final(f"C{k}.v") == pytest.approx(10 / (2 + c2), rel=1e-13)


def flux_by_hand(l3):
    """What blocks has one siemens: switch and diode side by side have two."""
    blocked = [[-1, -1, 0], [-1, -1.5, 0.5], [0, 0.5 / l3, -0.5 / l3]]
    corner = followed(blocked, [0.5, 1, 0.8], lambda i: i[1] < i[2])
    conducting = [[-1, -1, 0], [-1, -1, 0], [0, 0, 0]]
    return followed(conducting, corner, lambda i: False)


@pytest.mark.parametrize("l3", [0.2, 1.0, 5.0])
def test_a_diode_blocks_for_a_part_of_the_impulse(tmp_path, l3):
    (tmp_path / "flux.mo").write_text(FLUX.format(l3=1e-3 * l3))

    result = fw.load(tmp_path / "flux.mo").simulate(impulses="accept")

    expected = flux_by_hand(l3)
    assert abs(expected[2] - 0.8) > 1e-3, "the diode did not conduct at once"
    found = [result.final(f"L{k}.i") for k in (1, 2, 3)]
    assert found == pytest.approx(expected, rel=1e-7)


def test_the_size_of_units_says_nothing(tmp_path):
    """The same circuit with picofarads."""
    small = CHARGE.replace("1e-3,", "1e-12,").format(c2=4e-12)
    (tmp_path / "charge.mo").write_text(small)

    result = fw.load(tmp_path / "charge.mo").simulate(impulses="accept")

    found = [result.final(f"C{k}.v") for k in (1, 2, 3)]
    assert found == pytest.approx(charges_by_hand(4.0), rel=1e-7)
