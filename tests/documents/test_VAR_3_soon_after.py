"""Two events a moment apart: the first must not swallow the second.

A choice of positions looks a little ahead. What ends within that time by itself, the last of a magnetizing
current or of a tank's, or the charge of one more stage, must neither be cut off nor be left out.
Judged by exact solutions (`exact_networks`).
"""

from __future__ import annotations

import numpy as np
import pytest
from exact_networks import Exact, solve
from netlists import Network, pulse

import freewheel as fw


def forward_converter() -> Network:
    """The choke runs empty at 355.981 us, the transformer 19 ns later."""
    c = Network("Forward", 4e-4, 1e-6)
    c.constant("U", "u", "0", 48.0)
    c.switch("S", "m", "0", pulse("1/50000", "1/125000"))
    c.inductor("Lm", "u", "m", 1e-3)
    c.transformer("T", "u", "m", "s", "0", 2.0)
    c.transformer("Back", "u", "m", "r", "d", 1.0)
    c.diode("D3", "0", "r")
    c.constant("Ud", "d", "0", 48.0)
    c.diode("D1", "s", "x")
    c.diode("D2", "0", "x")
    c.inductor("L", "x", "o", 1e-4)
    c.capacitor("C", "o", "0", 1e-4)
    c.resistor("R", "o", "0", 5.0)
    return c


def resonant_converter() -> Network:
    """At 341.667 us a switch closes while 4 mA of 20 A are left in the tank."""
    c = Network("Resonant", 3.6e-4, 5e-7)
    c.constant("U1", "p", "0", 50.0)
    c.constant("U2", "0", "n", 50.0)
    c.switch("S1", "p", "a", pulse("1/60000", "1/125000"))
    c.switch("S2", "a", "n", pulse("1/60000", "1/125000", "1/120000"))
    c.diode("F1", "a", "p")
    c.diode("F2", "n", "a")
    c.inductor("L", "a", "b", 2e-5)
    c.capacitor("C", "b", "c", 5e-7)
    for name, p, n in (("D1", "c", "+"), ("D2", "0", "+"), ("D3", "-", "c"), ("D4", "-", "0")):
        c.diode(name, p, n)
    c.capacitor("Co", "+", "-", 2e-5)
    c.resistor("R", "+", "-", 20.0)
    return c


def cascade() -> Network:
    """Two stages without any resistance: at 15.0025 ms one diode hands over, another goes on for 7 us."""
    c = Network("Cascade", 0.06, 1e-4)
    c.sine("U", "a", "0", 10.0, 50.0)
    c.capacitor("C1", "a", "b", 1e-3)
    c.diode("D1", "0", "b")
    c.diode("D2", "b", "c")
    c.capacitor("C2", "c", "0", 1e-3)
    c.capacitor("C3", "b", "d", 1e-3)
    c.diode("D3", "c", "d")
    c.diode("D4", "d", "e")
    c.capacitor("C4", "e", "c", 1e-3)
    c.resistor("R", "e", "0", 500.0)
    return c


def distance(times: np.ndarray, exact: Exact) -> np.ndarray:
    """From each of the times to the nearest event."""
    events = np.array([piece.begin for piece in exact.pieces])
    return np.abs(times[:, None] - events[None, :]).min(axis=1)


COIL = """
model Coil "bends as little as rounding shows, and all the same is not linear"
  extends Modelica.Electrical.Analog.Interfaces.OnePort;
  parameter Real L = 1;
  Real psi;
equation
  psi = L*(i + 1e-13*i^3);
  der(psi) = v;
end Coil;
"""
INDUCTOR = "Modelica.Electrical.Analog.Basic.Inductor"


@pytest.mark.parametrize("bends", [False, True])
@pytest.mark.parametrize(
    ("make", "watched"),
    [
        (forward_converter, ("Lm.i", "L.i", "C.v")),
        (resonant_converter, ("L.i", "C.v", "Co.v")),
        (cascade, ("C1.v", "C2.v", "C3.v", "C4.v")),
    ],
)
def test_VAR_3_what_ends_a_moment_later_ends_by_itself(make, watched, bends, tmp_path):
    network = make()
    path = tmp_path / "model.mo"
    text = network.modelica()
    path.write_text(COIL + text.replace(INDUCTOR, "Coil") if bends else text)
    exact = solve(network)

    result = fw.load(path).simulate()

    assert not result.impulses
    changes = sum(0 < event.time < network.stop for event in result.events)
    assert changes == len(exact.changes)
    rows = np.arange(5, len(result.time) - 5, 7)
    rows = rows[distance(result.time[rows], exact) > 1e-12]
    states = exact.states(result.time[rows])
    for name in watched:
        wanted = exact.row(name) @ states
        assert np.abs(result[name][rows] - wanted).max() < 1e-7 * np.abs(wanted).max(), name
