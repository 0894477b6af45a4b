"""HYB-5: a switch equation in a symbolic loop that is valid in both positions, Fig. 3 of document 000.
HYB-8: many switches, one program."""

from __future__ import annotations

import re
from math import exp

import numpy as np
import pytest
from paper_listings import EXAMPLES, listing, loaded, section

from freewheel.structure.nodes import Loop

SWITCHES = EXAMPLES / "switches.mo"
CIRCUITS = ("Switches.Circuit", "Switches.ChoosingCircuit")


def solution(model: str, **options: object) -> list[str]:
    text = listing(SWITCHES, model, "solved", **options)
    return section(text, "SOLVED SYSTEM OF EQUATIONS", "END OF SYSTEM OF SIMULTANEOUS EQUATIONS")


def test_HYB_5_the_solved_loop_reads_as_in_the_paper():
    """Q105 to Q108 there; node n0 is at zero, the other two are n1.V and C.u."""
    assert solution("Switches.Circuit") == [
        "Q101 = Sw.OpenSw - 1",
        "Q102 = R1.R*Q101",
        "Q103 = Q102 + Sw.OpenSw",
        "Q104 = R1.R*Sw.OpenSw",
        "Sw.u = (Q104*i - Sw.OpenSw*C.u)/Q103",
        "n1.V = (Q102*C.u + Q104*i)/Q103",
        "R1.i = (Q101*C.u + Sw.OpenSw*i)/Q103",
        "Sw.i = (Q102*i - Q101*C.u)/Q103",
    ]


@pytest.mark.parametrize("position", [0, 1])
def test_HYB_5_the_determinant_is_not_zero_in_either_position(position):
    lines = dict(line.split(" = ") for line in solution("Switches.Circuit", share=False))
    [divisor] = {value.rpartition("/")[2] for value in lines.values()}
    numbers = divisor.replace("Sw.OpenSw", str(position)).replace("R1.R", "100")
    assert eval(numbers) == (1 if position else -100)


def test_HYB_5_a_choice_has_choices_for_coefficients_as_in_the_rectifier_of_the_paper():
    assert solution("Switches.ChoosingCircuit") == [
        "Q101 = if Sw.OpenSwitch then 1 else 0",
        "Q102 = if Sw.OpenSwitch then 0 else 1",
        "Q103 = R1.R*Q102 - Q101",
        "Q104 = R1.R*Q101",
        "Q105 = R1.R*Q102",
        "Sw.u = (Q101*C.u - Q104*i)/Q103",
        "n1.V = (Q105*C.u - Q104*i)/Q103",
        "R1.i = (Q102*C.u - Q101*i)/Q103",
        "Sw.i = (Q105*i - Q102*C.u)/Q103",
    ]


@pytest.mark.parametrize("is_open", [True, False])
def test_HYB_5_both_ways_to_write_the_switch_have_the_same_solution(is_open):
    numbers = {"R1.R": 100.0, "C.u": 3.0, "i": 0.7, "Sw.OpenSw": float(is_open)}

    def values(model: str) -> dict[str, float]:
        known = {name.replace(".", "_"): value for name, value in numbers.items()}
        for line in solution(model):
            name, formula = line.split(" = ", 1)
            choice = re.sub(
                r"if Sw.OpenSwitch then (\d) else (\d)", r"\2 + (\1 - \2)*Sw.OpenSw", formula
            )
            known[name.replace(".", "_")] = eval(re.sub(r"(\w)\.(\w)", r"\1_\2", choice), {}, known)
        return {name: known[name] for name in ("Sw_u", "n1_V", "R1_i", "Sw_i")}

    assert values("Switches.ChoosingCircuit") == pytest.approx(values("Switches.Circuit"))


def test_HYB_5_without_names_a_choice_is_solved_branch_by_branch():
    assert solution("Switches.ChoosingCircuit", share=False)[0] == (
        "Sw.u = (if Sw.OpenSwitch then C.u - R1.R*i else 0)/(if Sw.OpenSwitch then -1 else R1.R)"
    )


@pytest.mark.parametrize("model", CIRCUITS)
def test_HYB_5_the_switch_equation_is_the_residual(model):
    text = listing(SWITCHES, model, "blocks")
    residuals = [line.split("  ")[-1].strip() for line in text.splitlines() if " 0 = " in line]
    law = "OpenSw*i + (1 - OpenSw)*u" if model == CIRCUITS[0] else "if OpenSwitch then i else u"
    assert residuals == [f"0 = {law}"]


@pytest.mark.parametrize("model", CIRCUITS)
def test_HYB_5_the_circuit_runs_through_both_positions(model):
    result = loaded(SWITCHES, model).simulate(tol=1e-9, inputs={"i": 1.0})
    times, voltage = np.asarray(result.time), np.asarray(result["C.u"])
    closed, opened = 1e-7 * 100 / 6, 1e-7 * 20  # time constants
    first = 100 / 6 * (1 - exp(-1.5e-6 / closed))
    rest = first * exp(-2.5e-6 / opened)
    second = 100 / 6 + (rest - 100 / 6) * exp(-4e-6 / closed)

    assert first == pytest.approx(9.890505670990, abs=1e-12)
    assert second == pytest.approx(15.411766185092, abs=1e-12)
    for time, exact in ((2.5e-6, first), (5e-6, rest), (9e-6, second)):
        assert voltage[np.abs(times - time).argmin()] == pytest.approx(exact, abs=1e-7)
    open_now = (times > 2.6e-6) & (times < 4.9e-6)
    assert np.abs(np.asarray(result["Sw.i"])[open_now]).max() < 1e-15
    assert np.abs(np.asarray(result["R1.u"])[open_now] - 100).max() < 1e-9


def ladder(open_switches: np.ndarray) -> np.ndarray:
    """Voltages of the shunts by nodal analysis; a closed switch joins two nodes."""
    n = len(open_switches)
    matrix, right = np.zeros((2 * n + 1, 2 * n + 1)), np.zeros(2 * n + 1)
    right[0] = 1.0  # current into node 0; nodes 0..n, then the currents of the series branches
    for k in range(n):
        branch = n + 1 + k
        matrix[k, branch], matrix[k + 1, branch] = 1.0, -1.0
        matrix[k + 1, k + 1] += 1 / 5
        matrix[branch, k], matrix[branch, k + 1] = 1.0, -1.0
        matrix[branch, branch] = -(k + 1.0) if open_switches[k] else 0.0
    return np.linalg.solve(matrix, right)[1 : n + 1]


def test_HYB_8_ten_switches_make_one_program_and_few_modes():
    model = loaded(SWITCHES, "Switches.ManySwitches")
    result = model.simulate(tol=1e-9)
    bits = np.array([result[f"Sw[{k}].OpenSwitch"] for k in range(1, 11)]).T > 0.5
    found = np.array([result[f"shunt[{k}].u"] for k in range(1, 11)]).T
    blocks = model.upto("structure").ordered.discrete.blocks

    visited = {tuple(row) for row in bits}
    assert 50 < len(visited) < 200  # of 1024
    assert sum(isinstance(block, Loop) for block in blocks) == 1
    for row in range(0, len(bits), 7):
        assert found[row] == pytest.approx(ladder(bits[row]), abs=1e-12)


def test_HYB_8_the_program_grows_by_a_fixed_number_of_lines_for_each_switch(tmp_path):
    def lines(count: int) -> int:
        file = tmp_path / f"switches{count}.mo"
        file.write_text(re.sub(r"n = 10;", f"n = {count};", SWITCHES.read_text()))
        return len(listing(file, "Switches.ManySwitches", "blocks").splitlines())

    assert lines(40) - lines(20) == 2 * (lines(20) - lines(10))
