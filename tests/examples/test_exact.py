"""The exact solutions themselves, checked against an integrator and against published numbers."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

EXACT = runpy.run_path(str(Path(__file__).with_name("exact.py")))["EXACT"]


def sine(amplitude: float, f: float, t: float) -> float:
    return amplitude * float(np.sin(2 * np.pi * f * t))


# Right-hand sides written down afresh from the models: name -> (x0, stop, variables, f(t, x)).
SMOOTH: dict[str, tuple[list[float], float, list[str], Callable[..., list[float]]]] = {
    "circuit": (
        [0, 0],
        1e-3,
        ["C.v", "L.i"],
        lambda t, x: [
            (sine(10, 5000, t) - x[0]) / 100 / 1e-7,
            (sine(10, 5000, t) - 20 * x[1]) / 1.5e-3,
        ],
    ),
    "mcd_fig1": (
        [0, 0],
        0.2,
        ["C.v", "L.i"],
        lambda t, x: [
            (sine(220, 50, t) - x[0]) / 10 / 0.01,
            (sine(220, 50, t) - 100 * x[1]) / 0.1,
        ],
    ),
    "mass_spring_damper": (
        [1.5, 0],
        5,
        ["mass.s", "mass.v"],
        lambda t, x: [x[1], -100 * (x[0] - 1) - x[1]],
    ),
    "dc_motor": (
        [0, 0, 0],
        0.2,
        ["inductor.i", "inertia.w", "inertia.phi"],
        lambda t, x: [
            (24 - 0.8 * x[0] - 0.2 * x[1]) / 0.01,
            (0.2 * x[0] - x[1] / 100) / 0.001,
            x[1],
        ],
    ),
    "rc": ([0], 5e-4, ["c.v"], lambda t, x: [(10 - x[0]) / 100 / 1e-6]),
    "two_tanks": (
        [0, 0.5],
        200,
        ["h1", "h2"],
        lambda t, x: [0.1 - 0.05 * x[0], (0.05 * x[0] - 0.1 * x[1]) / 2],
    ),
    "draining_tank": ([4], 200, ["h"], lambda t, x: [-0.004 * np.sqrt(2 * 9.80665 * x[0])]),
    "heated_room": (
        [290.15, 285.15],
        172800,
        ["air.T", "wall.T"],
        lambda t, x: [
            (1500 + 30 * (weather(t) - x[0]) + 200 * (x[1] - x[0])) / 4e5,
            (200 * (x[0] - x[1]) + (weather(t) - x[1]) / 0.02) / 2e7,
        ],
    ),
    "pendulum_ode": ([2, 0], 10, ["phi", "w"], lambda t, x: [x[1], -9.81 * np.sin(x[0])]),
    "van_der_pol": (
        [0.5, 0],
        20,
        ["x", "y"],
        lambda t, x: [x[1], 2 * (1 - x[0] ** 2) * x[1] - x[0]],
    ),
}


def weather(t: float) -> float:
    return 278.15 - 6 * float(np.cos(2 * np.pi * t / 86400))


@pytest.mark.parametrize("name", SMOOTH)
def test_closed_form_agrees_with_an_integrator(name):
    x0, stop, variables, rhs = SMOOTH[name]
    times = np.linspace(0, stop, 41)
    numeric = solve_ivp(rhs, (0, stop), x0, "DOP853", times, rtol=1e-12, atol=1e-13)

    exact = EXACT[name](times)

    for row, variable in zip(numeric.y, variables, strict=True):
        scale = max(1.0, float(np.abs(row).max()))
        assert np.abs(exact[variable] - row).max() < 3e-9 * scale, variable


@pytest.mark.parametrize(
    ("t", "voltage", "current"),
    [
        (0.1, 0.066655543, 8.332406617e-05),
        (1.0, 0.066452134, 1.580796921e-03),
        (10.0, 0.653141772, 8.968658716e-02),
        (100.0, 4.539855636, 6.800286330),
    ],
)
def test_pulsed_circuit_has_its_published_values(t, voltage, current):
    exact = EXACT["mcd_fig8"](np.array([0.0, t]))

    assert exact["C.v"][1] == pytest.approx(voltage, abs=6e-10)
    assert exact["I.i"][1] == pytest.approx(current, rel=1e-8)


def test_pulsed_capacitor_approaches_its_cycle():
    """After many time constants the voltage at the end of a pause is 10 q / (1 + q)."""
    q = np.exp(-1 / 150)

    assert EXACT["mcd_fig26"](np.array([0.0, 6000.0]))["C.v"][1] == pytest.approx(
        10 * q / (1 + q), rel=1e-12
    )


def test_leaky_rectifier_is_within_its_leak_of_the_ideal_one():
    """Ideal diode: opens at 8.708133 ms (the 1993 event log: 8.708E-03), u2(0.2) = 0.457988."""
    exact = EXACT["rectifier"](np.array([0.008708, 0.008710, 0.2]))

    assert exact["D.off"].tolist()[:2] == [0.0, 1.0]
    assert exact["u2"][2] == pytest.approx(0.45798816240656, abs=3.1e-3)


def test_leaky_rectifier_agrees_with_an_integrator():
    """The kink at each switching costs the integrator its order, so steps are kept small."""

    def rhs(t, x):
        difference = sine(1, 50, t) - x[0]
        g = 1 / (10 + 1e-5) if difference > 0 else 1 / (10 + 1e5)
        return [(g * difference - x[0] / 50) / 1e-3]

    times = np.linspace(0, 0.1, 101)
    numeric = solve_ivp(rhs, (0, 0.1), [0], "RK45", times, rtol=1e-10, atol=1e-12, max_step=1e-5)

    assert np.abs(EXACT["rectifier"](times)["u2"] - numeric.y[0]).max() < 1e-8
