"""DYM-1: every listing of documents 003 and 000 is a classic model that runs as its exact solution."""

from __future__ import annotations

from math import cos, exp, pi, sin, sqrt

import numpy as np
import pytest
from classic_models import EXAMPLES, classic
from exact_friction import Blocks, Joint, solve

LISTINGS = {  # file: what of it is printed in the documents
    "classes": ("resistor", "TwoPort", "Resistor", "Capacitor", "Inductor"),
    "circuit": ("circuit",),
    "divider": ("divider",),
    "parcap": ("parcap",),
    "lever": ("lever",),
    "superheater": ("superheater",),
    "steam_table": ("superheater",),
    "junction": ("junction",),
    "limiter": ("Limiter", "LimiterTest"),
    "hysteresis": ("hysteresis",),
    "sampled": ("sampled",),
    "ball": ("ball",),
    "booleans": ("booleans",),
    "switch": ("Switch", "Circuit"),
    "rectifier": ("Rectifier",),
    "rectifier_loop": ("Switch", "Diode", "Rectifier"),
    "two_block": ("TwoBlock",),
}
OPENING = 0.008708133048789  # of the rectifier, with an exact pi


def at(result, name: str, time: float) -> float:
    """The value stored nearest to a time."""
    return float(result[name][np.abs(result.time - time).argmin()])


def event_times(result) -> list[float]:
    return sorted({event.time for event in result.events if event.time > 1e-9})


def test_DYM_1_every_listing_is_a_file():
    assert {path.stem for path in EXAMPLES.glob("*.dym")} == set(LISTINGS)
    for file, names in LISTINGS.items():
        text = (EXAMPLES / f"{file}.dym").read_text(encoding="utf-8")
        assert [name for name in names if f" {name}\n" not in text] == []


@pytest.mark.parametrize("file", LISTINGS)
def test_DYM_1_every_listing_is_balanced(file):
    balance = classic(file).check()

    assert balance.unknowns == balance.equations
    assert balance.warnings == ()


def test_DYM_1_the_circuit_has_two_independent_branches():
    r = classic("circuit").simulate(stop=1e-4, tol=1e-9, inputs={"u": 10.0})

    assert np.allclose(r["y1"], 10 * (1 - np.exp(-r.time / (100 * 0.1e-6))), atol=1e-6)
    assert np.allclose(r["y2"], 10 / 20 * (1 - np.exp(-r.time * 20 / 1.5e-3)), atol=1e-8)


def test_DYM_1_the_divider_divides():
    r = classic("divider").simulate(stop=1.0, inputs={"u": 12.0})

    assert np.allclose(r["y"], 12.0 * 20 / 120)


def test_DYM_1_two_capacitors_share_the_charge():
    r = classic("parcap").simulate(stop=1e-3, inputs={"i": 3e-4})

    assert np.abs(r["C1.u"] - r["C2.u"]).max() == 0.0
    assert np.allclose(r["C1.u"], 3e-4 / 0.3e-6 * r.time, rtol=1e-7, atol=1e-12)


def test_DYM_1_classes_of_the_file_and_of_the_library_work_together():
    """10 V on 1 mF discharge through 50 Ohm and 0.1 H."""
    r = classic("classes").simulate(stop=0.2, tol=1e-9)
    damping, root = 50 / 0.2, sqrt((50 / 0.2) ** 2 - 1 / (0.1 * 1e-3))
    fast, slow = -damping - root, -damping + root
    exact = 10 * (fast * np.exp(slow * r.time) - slow * np.exp(fast * r.time)) / (fast - slow)

    assert np.allclose(r["C.u"], exact, atol=1e-6)


def test_DYM_1_the_limiter_has_its_corners_found():
    r = classic("limiter").simulate(stop=10.0, tol=1e-8)
    corners = [k * pi + pi / 6 for k in range(4)] + [k * pi + 5 * pi / 6 for k in range(3)]

    np.testing.assert_allclose(event_times(r), sorted(t for t in corners if t < 10), rtol=1e-9)
    np.testing.assert_allclose(r["y"], np.clip(2 * np.sin(r.time), -1, 1), atol=1e-12)


def test_DYM_1_the_hysteresis_switches_at_its_bounds():
    r = classic("hysteresis").simulate(stop=10.0, tol=1e-8)
    changes = r.time[1:][np.diff(r["y"]) != 0]

    np.testing.assert_allclose(changes, [2 * pi / 3, 5 * pi / 3, 8 * pi / 3], rtol=1e-9)


def test_DYM_1_the_controller_samples_by_itself():
    r = classic("sampled").simulate(stop=1.05, tol=1e-8)
    x = 0.0
    for k in range(1, 11):
        x = 0.5 * x + 2 * (1 + 0.1 * k)  # new(x) + a*x = b*u, solved for new(x)
        inside = (r.time > 0.1 * k + 1e-6) & (r.time < 0.1 * (k + 1) - 1e-6)
        assert inside.sum() > 10
        np.testing.assert_allclose(r["x"][inside], x, rtol=1e-12)


def test_DYM_1_the_ball_bounces():
    r = classic("ball").simulate(stop=1.5, tol=1e-8)
    first = 0.451523640986
    second = first * (1 + 2 * 0.7)

    np.testing.assert_allclose(event_times(r)[0], first, rtol=1e-9)
    np.testing.assert_allclose(event_times(r)[-1], second, rtol=1e-8)
    flying = (r.time > first + 1e-9) & (r.time < second - 1e-9)
    s = r.time[flying] - first
    np.testing.assert_allclose(
        r["Height"][flying], 0.7 * sqrt(2 * 9.81) * s - 9.81 / 2 * s**2, atol=1e-7
    )


def test_DYM_1_boolean_equations_pass_an_event_on():
    r = classic("booleans").simulate(stop=1.0, tol=1e-8)

    assert r.time[1:][np.diff(r["a"]) != 0] == pytest.approx([0.5], abs=1e-9)
    assert r.final("count") == 1


def test_DYM_1_the_switch_circuit_runs_through_both_positions():
    r = classic("switch").simulate(stop=12e-6, tol=1e-9, inputs={"i": 1.0})

    assert at(r, "y", 2.5e-6) == pytest.approx(9.890505670990, abs=1e-7)
    assert at(r, "y", 9e-6) == pytest.approx(15.411766185092, abs=1e-7)


@pytest.mark.parametrize(
    ("file", "position"), [("rectifier", "OpenSwitch"), ("rectifier_loop", "OpenSw")]
)
def test_DYM_1_the_rectifier_charges_until_its_diode_opens(file, position):
    """With the series as printed, C is charged from its second wire: y is the negative of Fig. 6."""
    r = classic(file).simulate(stop=0.2, tol=1e-9, interval=1e-3)
    w, charge, rate = 2 * 3.14159 * 50, 1 / (10 * 0.001), 1 / (10 * 0.001) + 1 / (50 * 0.001)

    def charging(t: float) -> float:
        size = charge / (rate**2 + w**2)
        return size * (rate * sin(w * t) - w * cos(w * t) + w * exp(-rate * t))

    changes = np.flatnonzero(np.diff(r[f"Diode.{position}"]) > 0) + 1
    opening = next(t for t in r.time[changes] if t > 1e-3)
    assert opening == pytest.approx(OPENING, abs=1e-8)
    assert at(r, "y", 0.005) == pytest.approx(-charging(0.005), abs=1e-7)
    assert r.final("y") == pytest.approx(-0.45798816240656, abs=2e-6)  # 3.14159 for pi


def test_DYM_1_two_blocks_stick_and_slip():
    """A force into `ExtForce` is a force out of the block, so the motion is that of forces -u1, -u2."""
    joints = (Joint(-1, 0, 3.0, 3.0, 0.5), Joint(0, 1, 2.0, 2.0, 0.3))
    exact = solve(Blocks((2, 1), joints, ((5, 1), (4.5, 1.7)), 20.0))
    r = classic("two_block").simulate(stop=20.0, interval=0.01, tol=1e-8)

    np.testing.assert_allclose(r.events.times, exact.times, atol=1e-8)
    rows = np.flatnonzero(np.diff(r.time, append=np.inf) > 0)[::20]
    motion = exact.at(r.time[rows])
    size = np.abs(motion).max(axis=0)
    for column, name in enumerate(("m1.v", "m2.v", "m1.p", "m2.p")):
        assert np.abs(-r[name][rows] - motion[:, column]).max() < 1e-5 * size[column], name


def test_DYM_1_the_lever_swings_about_its_joint():
    r = classic("lever").simulate(stop=5.0, tol=1e-10)
    speed = r["B.vx"] ** 2 + r["B.vy"] ** 2
    energy = speed + 0.15 * r["B.w"] ** 2 + 2.0 * 9.81 * r["B.y"]

    assert np.abs(energy - energy[0]).max() < 1e-6 * np.abs(energy).max()
    assert np.abs(np.hypot(r["B.x"], r["B.y"]) - 0.5).max() < 1e-12


@pytest.mark.parametrize(
    ("file", "states", "watched"), [("superheater", "Eh", "h"), ("junction", ("qc", "ud"), "ud")]
)
def test_DYM_1_either_choice_of_the_state_gives_the_same_curve(file, states, watched):
    curves = [
        classic(file)
        .changed({f"{state}.stateSelect": "StateSelect.always"})
        .simulate(stop=10.0, tol=1e-9)[watched]
        for state in states
    ]

    assert np.ptp(curves[0]) > 1e-3 * np.abs(curves[0]).max()
    np.testing.assert_allclose(curves[0], curves[1], rtol=1e-6)
