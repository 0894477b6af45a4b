"""Exact solutions of the thirteen models of `examples/variable_structure/multimode.mo`.

    EXACT["M5"]                 # {(name, time): value}
    M10_SWITCHES                # when the diodes of M10 begin to block

Closed forms: momentum and exponentials (M5, M6), elliptic functions and a parabola (M7), decaying
oscillations (M10). The rectifiers are networks, solved in rational numbers and by matrix exponentials
(`exact_networks`). The pendulum of M9 after its impact is an explicit method of order 8 at 1e-13 on its
angle, which the simulator does not know.
"""

from __future__ import annotations

from math import asin, atan2, cos, exp, pi, sin, sqrt

import numpy as np
from exact_networks import solve
from netlists import Network
from scipy.integrate import solve_ivp
from scipy.optimize import brentq
from scipy.special import ellipj, ellipk

G = 9.81


def clutch() -> dict[tuple[str, float], float]:
    """J w' = -d w each; momentum at 5 s; one shaft up to 7 s."""
    (j1, j2), (d1, d2) = (1.0, 2.0), (0.01, 0.0125)
    before1, before2 = exp(-5 * d1 / j1), 1.5 * exp(-5 * d2 / j2)
    joint = (j1 * before1 + j2 * before2) / (j1 + j2)
    released = joint * exp(-2 * (d1 + d2) / (j1 + j2))
    return {
        ("w1", 5.0): joint,
        ("w2", 5.0): joint,
        ("w1", 10.0): released * exp(-3 * d1 / j1),
        ("w2", 10.0): released * exp(-3 * d2 / j2),
    }


def clutch_impulse() -> float:
    return clutch()[("w1", 5.0)] - exp(-0.05)


def motor() -> dict[tuple[str, float], float]:
    """The capacitor is an inertia C k^2 on the shaft; (J + C k^2) w' = k (V - k w)/R."""
    v, r, c, k = 10.0, 10.0, 2.0, 0.25
    own, other = 0.1 + c * k * k, 0.4

    def later(w: float, inertia: float, span: float) -> float:
        return v / k + (w - v / k) * exp(-span * k * k / (r * inertia))

    first = other * 10.0 / (own + other)
    opened = later(first, own + other, 100)
    alone = later(opened, own, 200)
    closed = (own * alone + other * opened) / (own + other)
    return {
        ("w1", 0.0): first,
        ("w1", 100.0): opened,
        ("w2", 200.0): opened,
        ("w1", 300.0): closed,
        ("w2", 300.0): closed,
        ("w1", 500.0): later(closed, own + other, 200),
    }


def broken_pendulum() -> dict[tuple[str, float], float]:
    """phi'' = -g sin(phi) from rest: sin(phi/2) = k sn(K - w t); then a parabola of one second."""
    k, w, t = sin(pi / 8), sqrt(G), 5.0
    sn, cn, _dn, _ = ellipj(ellipk(k * k) - w * t, k * k)
    phi, rate = 2 * asin(k * sn), -2 * k * w * cn
    return {
        ("x", 6.0): sin(phi) + rate * cos(phi),
        ("y", 6.0): -cos(phi) + rate * sin(phi) - G / 2,
    }


def cup_and_ball() -> dict[tuple[str, float], float]:
    """Falls, loses the speed along the string, swings on."""
    x, y = 0.5, -sqrt(0.75)
    taut = cup_and_ball_taut()
    rate = -G * taut * x  # what is left is across: (0, v) . (-y, x)/L
    phi = atan2(x, -y)
    rest = solve_ivp(
        lambda _, s: [s[1], -G * sin(s[0])],
        (taut, 1.0),
        [phi, rate],
        method="DOP853",
        rtol=1e-13,
        atol=1e-14,
    )
    end = rest.y[0, -1]
    return {("x", 1.0): sin(end), ("y", 1.0): -cos(end)}


def cup_and_ball_taut() -> float:
    return sqrt(2 * (sqrt(0.75) - 0.2) / G)


def two_branches() -> tuple[dict[tuple[str, float], float], tuple[float, float]]:
    """While both conduct: J = j1 + j2, J'' + J' + J = 0, and j1 - j2 stays; then j'' + j'/2 + j/2 = 0."""
    w = sqrt(0.75)

    def total(t: float) -> float:
        return exp(-t / 2) * (1.5 * cos(w * t) - 0.75 / w * sin(w * t))

    def rate(t: float) -> float:
        return exp(-t / 2) * (-1.5 * cos(w * t) + (0.375 / w - 1.5 * w) * sin(w * t))

    first = brentq(lambda t: total(t) - 0.5, 0.1, 1.2, xtol=1e-15)
    voltage = (rate(first) + total(first)) / 2  # J' = 2 v - J
    a, b = 0.25, sqrt(7) / 4
    slope = ((voltage - 0.25) + a * 0.5) / b

    def single(t: float) -> float:
        return exp(-a * t) * (0.5 * cos(b * t) + slope * sin(b * t))

    span = brentq(single, 0.1, 2.0, xtol=1e-15)
    bend = exp(-a * span) * (
        -a * (0.5 * cos(b * span) + slope * sin(b * span))
        + b * (slope * cos(b * span) - 0.5 * sin(b * span))
    )
    return {("v1", 3.0): bend, ("j1", 3.0): 0.0, ("j2", 3.0): 0.0}, (first, first + span)


def half_wave() -> Network:
    c = Network("HalfWave", 10.0)
    c.sine("U", "a", "0", 1.0, 1.0)
    c.inductor("L", "a", "b", 1.0)
    c.diode("D", "b", "c")
    c.capacitor("C", "c", "0", 1.0)
    c.resistor("R", "c", "0", 1.0)
    return c


def resonator(name: str) -> Network:
    c = Network(name, 5e-3)
    c.capacitor("C", "a", "0", 1e-6, 10.0)
    c.inductor("L", "a", "0", 1e-2)
    return c


def damped_resonator() -> Network:
    c = resonator("Resonator")
    c.resistor("R", "a", "b", 1e3)
    c.diode("D", "b", "0")
    return c


def bridge(with_filter: bool) -> Network:
    c = resonator("Bridge")
    c.resistor("R", "p", "n", 1e3)
    for name, anode, cathode in (
        ("D1", "a", "p"),
        ("D2", "0", "p"),
        ("D3", "n", "a"),
        ("D4", "n", "0"),
    ):
        c.diode(name, anode, cathode)
    if with_filter:
        c.capacitor("F", "p", "n", 300e-9, 0.0)
    return c


def at_end(network: Network, ours: str) -> dict[tuple[str, float], float]:
    stop = float(network.stop)
    return {(ours, stop): float(solve(network).at("C.v", np.array([stop]))[0])}


M10_SWITCHES = two_branches()[1]
EXACT = {
    "M1": {("x", 0.25): 2.5, ("x", 1.0): -5.0},
    "M2": {("b", 2.0): 3.0, ("b", 4.0): 3.0, ("a", 4.0): 5.0},
    "M3": {("a", 8.0): 10.0, ("b", 8.0): 2.0, ("a", 12.0): 0.0, ("b", 12.0): 0.0},
    "M4": {("x", 0.25): 100.0, ("x", 1.0): 102.5},
    "M5": clutch(),
    "M6": motor(),
    "M7": broken_pendulum(),
    "M8": at_end(half_wave(), "v"),
    "M9": cup_and_ball(),
    "M10": two_branches()[0],
    "M11": at_end(damped_resonator(), "C.v"),
    "M12": at_end(bridge(with_filter=False), "C.v"),
    "M13": {("C.v", 0.0): 10 / 1.3, **at_end(bridge(with_filter=True), "C.v")},
}
