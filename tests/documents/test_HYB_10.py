"""HYB-10, document 000: a robot with six axes and dry friction in every joint, in three dimensions.

The text of `examples/mechanics/robot.mo` runs with the embedded library and, where the environment names one
(FREEWHEEL_MSL), with the Modelica Standard Library. While nothing sticks it is compared with recursive
Newton-Euler equations in numpy.
"""

from __future__ import annotations

import os
from pathlib import Path
from textwrap import indent

import numpy as np
import pytest
from rigid_chains import Link, accelerations
from scipy.integrate import solve_ivp

import freewheel as fw

ROBOT = Path(__file__).parents[2] / "examples" / "mechanics" / "robot.mo"
MSL = os.environ.get("FREEWHEEL_MSL")
AXES = range(1, 7)


@pytest.fixture(scope="module")
def run():
    return fw.load(ROBOT).simulate(tol=1e-8)


def joints(result, name: str) -> np.ndarray:
    return np.array([result[f"arm.joint[{i}].{name}"] for i in AXES])


def test_HYB_10_the_energy_of_the_robot_balances(run):
    """Work of the motors = change of kinetic and potential energy + heat of friction."""
    stored = run["stored"] - run["stored"][0]
    assert np.max(np.abs(run["work"] - stored - run["lost"])) < 1e-8 * run.final("lost")
    assert np.all(np.diff(run["lost"]) >= 0)
    assert run.final("lost") > 500


def test_HYB_10_a_stuck_joint_does_not_move_and_the_modes_are_few(run):
    """3^6 modes are possible; those that come up share one program."""
    stuck = np.array([run[f"drive[{i}].bearing.locked"] for i in AXES]) > 0.5
    assert np.max(np.abs(joints(run, "w")[stuck])) < 1e-12
    assert stuck.sum(axis=0).max() == 6
    assert stuck.sum(axis=0).min() == 0
    assert 20 < run.stats["modes visited"] < 3**6 / 10
    assert 40 < len(run.events) < 100
    assert run.stats["solver"] == "dopri5"  # nothing is regularised, nothing is stiff


def test_HYB_10_the_robot_arrives(run):
    wanted = {1.75: (1.2, -0.5, 0.3, 0.8, 0.5, -1.0), 3.5: (0, 0.2, -0.4, 0, 0.5, 0)}
    for time, angles in wanted.items():
        at = [np.interp(time, run.time, phi) for phi in joints(run, "phi")]
        assert at == pytest.approx(angles, abs=0.05)


R = ((0.2, 0.3, 0), (0, 0.6, 0), (0.15, 0.1, 0), (0.45, 0, 0), (0.08, 0, 0), (0.05, 0, 0))
CENTRES = (
    (0.05, 0.15, 0),
    (0.02, 0.25, 0),
    (0.05, 0.04, 0.03),
    (0.2, 0, 0.01),
    (0.03, 0, 0),
    (0.02, 0, 0),
)
TURN_AXES = ((0, 1, 0), (0, 0, 1), (0, 0, 1), (1, 0, 0), (0, 0, 1), (1, 0, 0))
MASSES = (80, 55, 35, 22, 8, 3)
DIAGONALS = (
    (2.1, 2.0, 2.2),
    (2.5, 0.5, 2.6),
    (0.8, 0.7, 1.0),
    (0.1, 0.6, 0.6),
    (0.02, 0.03, 0.03),
    (0.008, 0.006, 0.006),
)
MIXED = (0.3, 0.05, 0.02, 0, 0, 0)
J = np.array([0.0015, 0.0015, 0.0012, 0.0005, 0.0005, 0.0004])
RATIO = np.array([120, -150, 100, 80, -75, 60])
FRICTION = np.array([60, 70, 45, 12, 10, 6])
VISCOUS = np.array([30, 30, 20, 5, 4, 3])
KS = np.array([4000, 5000, 2000, 200, 120, 40])


def chain() -> list[Link]:
    """The data of the example; the load belongs to the last link."""
    links = []
    for axis, r, centre, m, diagonal, mixed in zip(
        TURN_AXES, R, CENTRES, MASSES, DIAGONALS, MIXED, strict=True
    ):
        inertia = np.diag(diagonal).astype(float)
        inertia[0, 1] = inertia[1, 0] = mixed
        links.append(Link(axis, r, centre, m, inertia))
    last = links[-1]
    centre, load = np.array(last.to_centre), np.add(R[5], (0.1, 0.05, 0.02))
    m, mass = last.mass, last.mass + 15
    middle = (m * centre + 15 * load) / mass
    inertia = last.inertia + np.diag((0.06, 0.05, 0.04))
    for part, d in ((m, centre - middle), (15, load - middle)):
        inertia = inertia + part * ((d @ d) * np.eye(3) - np.outer(d, d))
    links[-1] = Link(last.axis, last.to_next, tuple(middle), mass, inertia)
    return links


def test_HYB_10_while_nothing_sticks_newton_and_euler_agree(run):
    """From 0.85 to 1 all six joints slide."""
    grid = (run.time >= 0.85 - 1e-9) & (run.time <= 1.0 + 1e-9)
    times = run.time[grid]
    assert np.all(run["stuck"][grid] == 0)
    q, w = joints(run, "phi")[:, grid], joints(run, "w")[:, grid]
    wanted = np.array([run[f"drive[{i}].q"][grid] for i in AXES])
    rate = np.array([run[f"drive[{i}].qd"][grid] for i in AXES])
    side = np.sign(w[:, 0])
    assert np.all(np.sign(w) == side[:, None])
    links = chain()

    def slope(t, state):
        q, w = state[:6], state[6:]
        k = np.array([np.interp(t, times, row) for row in wanted])
        d = np.array([np.interp(t, times, row) for row in rate])
        motor = KS * (12 * (k - q) + d - w)
        friction = side * FRICTION + VISCOUS * w
        return np.r_[w, accelerations(links, (0, 0.4, 0), q, w, motor - friction, J * RATIO**2)]

    for k in range(0, len(times), 6):
        direct = slope(times[k], np.r_[q[:, k], w[:, k]])[6:]
        assert direct == pytest.approx(joints(run, "a")[:, grid][:, k], rel=1e-6, abs=1e-6)
    stop = times[4]
    found = solve_ivp(
        slope, (times[0], stop), np.r_[q[:, 0], w[:, 0]], rtol=1e-7, atol=1e-9, method="LSODA"
    )
    assert found.y[:6, -1] == pytest.approx(q[:, 4], abs=1e-5)


def test_HYB_10_the_example_of_the_library_is_the_same_text():
    text = ROBOT.read_text().split("\n", 1)[1]  # without the remark on top
    folder = Path(fw.__file__).parent / "library/Modelica/Mechanics/MultiBody/Examples/Systems"
    assert indent(text, "  ") in (folder / "RobotR3.mo").read_text()


@pytest.mark.parametrize("library", [None, *([MSL] if MSL else [])])
def test_HYB_10_the_same_text_gives_the_same_motion_with_either_library(run, library):
    other = fw.load(ROBOT, library=(library,) if library else ()).simulate(tol=1e-8)
    assert len(other.events) == len(run.events)
    assert other.events.times == pytest.approx(run.events.times, abs=1e-7)
    assert other.stats["modes visited"] == run.stats["modes visited"]
    for i in AXES:
        name = f"arm.joint[{i}].phi"
        assert np.interp(run.time, other.time, other[name]) == pytest.approx(run[name], abs=1e-6)


@pytest.mark.parametrize("tolerance", [1e-4, 1e-6, 1e-10])
def test_HYB_10_the_balance_follows_the_tolerance(tolerance):
    result = fw.load(ROBOT).simulate(tol=tolerance)
    stored = result["stored"] - result["stored"][0]
    gap = np.max(np.abs(result["work"] - stored - result["lost"]))
    assert gap < 30 * tolerance * result.final("lost")
