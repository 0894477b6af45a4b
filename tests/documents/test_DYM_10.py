"""DYM-10: the applications. A joint moves the inertia, and states are the modeller's choice."""

from __future__ import annotations

import numpy as np
import pytest
from paper_listings import APPLICATIONS, equations_of, listing, loaded, section

from freewheel.structure.nodes import Loop


def states(model: str) -> list[tuple[str | int, ...]]:
    return [s.name for s in loaded(APPLICATIONS, model).upto("structure").ordered.states]


def loops(model: str) -> list[Loop]:
    blocks = loaded(APPLICATIONS, model).upto("structure").ordered.simulation.blocks
    return [block for block in blocks if isinstance(block, Loop)]


def solution(model: str) -> list[str]:
    text = listing(APPLICATIONS, model, "solved")
    return section(text, "SOLVED SYSTEM OF EQUATIONS", "END OF SYSTEM OF SIMULTANEOUS EQUATIONS")


def test_DYM_10_the_joint_leaves_two_of_six_states_and_moves_the_inertia():
    assert states("lever") == [("B", "phi"), ("B", "w")]
    assert solution("lever")[0] == "Q101 = B.J + B.m*B.d*B.d"
    assert equations_of(listing(APPLICATIONS, "lever", "solved", eliminate="surplus")) == [
        "B: der(phi)=w",
        "lever: der(B.w)=-9.81*B.m*B.d*cos(B.phi)/(B.J+B.m*B.d*B.d)",
    ]


def test_DYM_10_the_lever_keeps_its_energy_and_its_joint():
    result = loaded(APPLICATIONS, "lever").simulate(tol=1e-10)
    x, y = np.asarray(result["B.x"]), np.asarray(result["B.y"])
    speed = np.asarray(result["B.vx"]) ** 2 + np.asarray(result["B.vy"]) ** 2
    energy = speed + 0.15 * np.asarray(result["B.w"]) ** 2 + 2.0 * 9.81 * y

    assert np.abs(energy - energy[0]).max() < 1e-6 * np.abs(energy).max()
    assert np.abs(np.hypot(x, y) - 0.5).max() < 1e-14


def test_DYM_10_energy_as_a_state_leaves_a_nonlinear_system():
    [loop] = loops("superheater_E")

    assert states("superheater_E") == [("E",)]
    assert {var.name for var in loop.unknowns} == {("h",), ("r",)}
    assert not loop.is_linear


def test_DYM_10_enthalpy_as_a_state_gives_equation_11():
    [loop] = loops("superheater_h")

    assert states("superheater_h") == [("h",)]
    assert loop.is_linear
    assert solution("superheater_h")[0] == "Q101 = V*r + V*h*gSlope(h)"
    assert "der(h) = der(E)/Q101" in solution("superheater_h")


@pytest.mark.parametrize(
    ("one", "other", "variable"),
    [("superheater_E", "superheater_h", "h"), ("junction_q", "junction_u", "ud")],
)
def test_DYM_10_both_choices_of_the_state_give_the_same_curve(one, other, variable):
    first = loaded(APPLICATIONS, one).simulate(tol=1e-9)[variable]
    second = loaded(APPLICATIONS, other).simulate(tol=1e-9)[variable]

    assert np.ptp(first) > 0.01 * np.abs(first).max()
    assert np.allclose(first, second, rtol=1e-6)


def test_DYM_10_charge_as_a_state_leaves_a_nonlinear_system():
    [loop] = loops("junction_q")

    assert states("junction_q") == [("qc",)]
    assert {var.name for var in loop.unknowns} == {("ud",), ("id",)}
    assert not loop.is_linear


def test_DYM_10_voltage_as_a_state_gives_a_linear_system():
    [loop] = loops("junction_u")

    assert states("junction_u") == [("ud",)]
    assert loop.is_linear
    assert solution("junction_u") == [
        "Q101 = k3*k6 + k1*k2*ud^(k2 - 1) + k3*k5*exp(ud)",
        "der(id) = (k6*der(qc) + k5*exp(ud)*der(qc))/Q101",
        "der(ud) = der(qc)/Q101",
    ]
