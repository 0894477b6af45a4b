"""Ideal switches as the command line tells of them."""

import json
from pathlib import Path

import pytest

from freewheel.tools.cli import execute

CIRCUITS = str(Path(__file__).parents[1] / "structure" / "circuits.mo")


def told(capsys, *arguments: str, model: str = "Boost", command: str = "explain") -> str:
    assert execute([command, CIRCUITS, "-m", f"Circuits.{model}", *arguments]) == 0
    return capsys.readouterr().out


def test_which_storages_fix_which_switches(capsys):
    shown = told(capsys, "--switches")

    assert "D: curve by `D.off`" in shown
    assert "only together:\n  L.i is not a state while Sw.off = true, D.off = true\n" in shown


def test_explain_tells_of_them_by_itself(capsys):
    assert "L.i is not a state while D.off = true" in told(capsys, model="HalfWaveL")
    assert "switch" not in told(capsys, model="HalfWave")


def test_all_lists_switches_that_take_nothing_away(capsys):
    assert "D: curve by `D.off`" in told(capsys, "--switches", "--all", model="HalfWave")
    assert "D: curve" not in told(capsys, "--switches", model="HalfWave")


def test_as_json(capsys):
    found = json.loads(told(capsys, "--switches", "--json"))

    assert [switch["name"] for switch in found["switches"]] == ["Sw", "D"]
    assert [fixed["states"] for fixed in found["together"]] == [["L.i"], ["C.v"]]
    assert found["states"] == ["L.i", "C.v"]


def test_whose_switches(capsys):
    assert execute(["explain", "--switches"]) == 2


@pytest.mark.parametrize(
    ("stage", "line"),
    [
        ("sorted", "IMPLICIT SYSTEM OF 5 SIMULTANEOUS EQUATIONS"),
        ("solved", "-- The positions of switches decide how the system of equations is solved."),
        ("blocks", "implicit, D.s, der(L.i), by the positions of switches"),
        ("differentiated", "-- States: C.v, L.i"),
    ],
)
def test_equations_show_the_implicit_part(capsys, stage, line):
    shown = told(capsys, "--stage", stage, model="HalfWaveL", command="equations")

    assert line in shown


@pytest.mark.parametrize("stage", ["sorted", "solved"])
@pytest.mark.parametrize("name", ["boost", "six_pulse_rectifier", "three_phase_inverter"])
def test_every_equation_is_listed_once(capsys, name, stage):
    """Though not all of an implicit part waits for all of it."""
    example = Path(__file__).parents[2] / "examples" / "switching" / f"{name}.mo"

    assert execute(["equations", str(example), "--stage", stage]) == 0

    shown = capsys.readouterr().out.splitlines()
    parts = [k for k, line in enumerate(shown) if line.startswith("IMPLICIT SYSTEM")]
    assert len(parts) == 1
    inside = shown[parts[0] : shown.index("END OF SYSTEM OF SIMULTANEOUS EQUATIONS")]
    equations = [line for line in inside if " = " in line]
    assert len(equations) == int(inside[0].split()[3])


def test_blocks_count_the_implicit_part(capsys):
    shown = told(capsys, model="HalfWaveL", command="blocks")

    assert "1 of them a loop; 2 states" in shown
    assert "implicit loop of 5, iterates on D.s, der(L.i)" in shown
