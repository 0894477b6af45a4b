"""Every model in `examples/switching/` runs as it is and meets its exact solution.

The circuit is written once more as a network, which is solved in rational numbers and by matrix exponentials
(`tests/documents/exact_networks.py`). The gates of the inverter are found from its sines and its triangle.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import pi, sin
from pathlib import Path

import numpy as np
import pytest
from exact_networks import solve
from netlists import Network, Pulse, pulse
from scipy.optimize import brentq

import freewheel as fw

EXAMPLES = Path(__file__).parents[2] / "examples" / "switching"
ALLOWED = 1e-6  # of the amplitude; all examples ask for a tolerance of 1e-8
SAMPLES = 200
PHASES = (0.0, -2 * pi / 3, 2 * pi / 3)


def buck() -> tuple[Network, dict[str, str]]:
    c = Network("Buck", 3e-3, 1e-6)
    c.constant("source", "in", "0", 24.0)
    c.switch("switch", "in", "x", pulse("2e-5", "1e-5"))
    c.diode("diode", "0", "x")
    c.inductor("choke", "x", "out", 1e-4)
    c.capacitor("store", "out", "0", 2e-5)
    c.resistor("load", "out", "0", 40.0)
    return c, {"choke.i": "choke.i", "store.v": "store.v", "diode.v": "diode.v"}


def boost() -> tuple[Network, dict[str, str]]:
    c = Network("Boost", 0.01, 2.5e-6)
    c.constant("source", "in", "0", 5.0)
    c.inductor("choke", "in", "x", 5e-5)
    c.switch("switch", "x", "0", pulse("5e-5", "2e-5"))
    c.diode("diode", "x", "out")
    c.capacitor("store", "out", "0", 1e-5, 5.0)
    c.resistor("load", "out", "0", 200.0)
    return c, {"choke.i": "choke.i", "store.v": "store.v", "switch.v": "switch.v"}


def flyback() -> tuple[Network, dict[str, str]]:
    c = Network("Flyback", 4e-3, 1e-6)
    c.constant("source", "in", "0", 24.0)
    c.inductor("magnetising", "in", "x", 1.2e-4)
    c.transformer("transformer", "in", "x", "s", "0", -4.0)
    c.switch("switch", "x", "0", pulse("1e-5", "4e-6"))
    c.diode("diode", "s", "out")
    c.capacitor("store", "out", "0", 1e-4)
    c.resistor("load", "out", "0", 4.0)
    return c, {n: n for n in ("magnetising.i", "store.v", "diode.i", "switch.v")}


def sepic() -> tuple[Network, dict[str, str]]:
    c = Network("Sepic", 3e-3, 1e-6)
    c.constant("source", "in", "0", 12.0)
    c.inductor("choke1", "in", "x", 1.5e-4)
    c.inductor("choke2", "y", "0", 1e-4)
    c.switch("switch", "x", "0", pulse("2e-5", "8e-6"))
    c.diode("diode", "y", "out")
    c.capacitor("coupling", "x", "y", 1e-5, 12.0)
    c.capacitor("store", "out", "0", 2.2e-5)
    c.resistor("load", "out", "0", 60.0)
    return c, {n: n for n in ("choke1.i", "choke2.i", "coupling.v", "store.v")}


def six_pulse_rectifier() -> tuple[Network, dict[str, str]]:
    c = Network("SixPulse", 0.06, 2e-5)
    for k, phase in enumerate(PHASES, 1):
        c.sine(f"line{k}", f"s{k}", "m", 325.0, 50.0, phase)
        c.inductor(f"choke{k}", f"s{k}", f"a{k}", 2e-3, 0.0 if k < 3 else None)
        c.diode(f"upper{k}", f"a{k}", "p")
        c.diode(f"lower{k}", "0", f"a{k}")
    c.inductor("smoothing", "p", "q", 0.02)
    c.resistor("load", "q", "0", 20.0)
    return c, {n: n for n in ("choke1.i", "choke2.i", "choke3.i", "smoothing.i", "load.v")}


def gates(phase: float, stop: float, depth: float = 0.8, carrier: float = 1050.0) -> Pulse:
    """Where a sine is above the triangle."""

    def above(t: float) -> float:
        share = (t * carrier) % 1.0
        triangle = 4 * share - 1 if share < 0.5 else 3 - 4 * share
        return depth * sin(2 * pi * 50 * t + phase) - triangle

    edges = [k * 0.5 / carrier for k in range(int(2 * stop * carrier) + 2)]
    inside = 1e-12
    instants = [
        brentq(above, a + inside, b - inside, xtol=1e-17, rtol=1e-15)
        for a, b in itertools.pairwise(edges)
        if above(a + inside) * above(b - inside) < 0
    ]
    return Pulse(table=tuple(map(Fraction, instants)), at_start=above(inside) > 0)


def three_phase_inverter() -> tuple[Network, dict[str, str]]:
    c = Network("Inverter", 0.006, 2e-5)  # the beginning says it all
    c.constant("dc", "p", "0", 600.0)
    for k, phase in enumerate(PHASES, 1):
        gate = gates(phase, c.stop)
        c.gto(f"upper{k}", "p", f"a{k}", gate)
        c.gto(f"lower{k}", f"a{k}", "0", Pulse(table=gate.table, at_start=not gate.at_start))
        c.diode(f"back_up{k}", f"a{k}", "p")
        c.diode(f"back_down{k}", "0", f"a{k}")
        c.resistor(f"R{k}", f"a{k}", f"b{k}", 10.0)
        c.inductor(f"L{k}", f"b{k}", "star", 0.02, 0.0 if k < 3 else None)
    return c, {n: n for n in ("L1.i", "L2.i", "L3.i")}


CASES = {
    "buck": buck,
    "boost": boost,
    "flyback": flyback,
    "sepic": sepic,
    "six_pulse_rectifier": six_pulse_rectifier,
    "three_phase_inverter": three_phase_inverter,
}


def test_every_example_has_an_exact_solution():
    assert {path.stem for path in EXAMPLES.glob("*.mo")} == set(CASES)


@pytest.mark.parametrize("name", CASES)
def test_example_meets_its_exact_solution(name):
    network, variables = CASES[name]()
    exact = solve(network)

    result = fw.load(EXAMPLES / f"{name}.mo").simulate(stop=network.stop)

    assert [w.code for w in result.warnings if w.code == "R131"] == []
    times = np.asarray(result.time)
    events = np.array([piece.begin for piece in exact.pieces])
    near = np.abs(times[:, None] - events[None, :]).min(axis=1)
    quiet = np.flatnonzero(near > 1e-6 * network.interval)
    chosen = np.sort(np.random.default_rng(1).choice(quiet, SAMPLES, replace=False))
    states = exact.states(times[chosen])
    for ours, theirs in variables.items():
        wanted = exact.row(theirs) @ states
        error = np.abs(result[ours][chosen] - wanted).max()
        assert error < ALLOWED * np.abs(wanted).max(), ours
