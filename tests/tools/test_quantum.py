"""`freewheel run --solver liqss2 --quantum ..`: what is taken, what is refused, and how a flood ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from freewheel.api import load
from freewheel.result.formats import read_result
from freewheel.tools.cli import execute

TEXT = """
model Tank
  Real h(start = 1, fixed = true), T(start = 300, fixed = true);
equation
  der(h) = -h;
  der(T) = 290 - T;
end Tank;
"""


@pytest.fixture
def tank(tmp_path: Path) -> Path:
    path = tmp_path / "Tank.mo"
    path.write_text(TEXT)
    return path


def run(tank: Path, *words: str) -> int:
    out = tank.with_suffix(".csv")
    return execute(["run", str(tank), "--stop", "1", "--out", str(out), *words])


@pytest.mark.parametrize(
    "words",
    [
        ("--solver", "liqss2", "--tol", "1e-4"),
        ("--solver", "qss3", "--quantum", "1e-4"),
        ("--solver", "liqss2", "--quantum", "1e-4,1e-6", "--quantum", "T=1e-2"),
    ],
)
def test_quanta_are_taken(tank: Path, words: tuple[str, ...]) -> None:
    assert run(tank, *words) == 0
    assert read_result(tank.with_suffix(".csv"))["h"][-1] == pytest.approx(0.36788, abs=1e-3)


@pytest.mark.parametrize(
    ("quantum", "code", "cure"),
    [
        ("0", "U060", "must be positive"),
        ("-1e-3", "U060", "must be positive"),
        ("nan", "U060", "must be positive"),
        ("inf", "U060", "must be positive"),
        ("1e-3,0", "U060", "must be positive"),
        ("-1,1e-3", "U060", "zero or more"),
        ("T=0", "U060", "must be positive"),
        ("small", "U061", "give a number"),
        ("1,2,3", "U061", "give a number"),
        ("level=1e-3", "U062", "`h`, `T`"),
    ],
)
def test_bad_quanta_are_refused(
    tank: Path, quantum: str, code: str, cure: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tank, "--solver", "liqss2", f"--quantum={quantum}") == 2

    said = capsys.readouterr().err
    assert f"error[{code}]" in said
    assert cure in said


@pytest.mark.parametrize("solver", ["qss1", "qss2", "liqss2", "mliqss2"])
def test_a_flood_of_steps_ends_with_a_cure(
    tank: Path, solver: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Far more steps than anybody waits for."""
    assert run(tank, "--solver", solver, "--quantum", "1e-19") == 3

    said = capsys.readouterr().err
    assert f"error[R062]: {solver} has taken 10000000 steps" in said
    assert "whose quantum is 1e-19" in said
    assert "help: choose a larger quantum" in said


def test_a_quantum_below_rounding_is_noticed_at_once(
    tank: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--start", "1e6", "--stop", "1000001", "--solver", "qss1", "--quantum", "1e-18")
    assert run(tank, *words) == 3

    said = capsys.readouterr().err
    assert "error[R061]: qss1 takes steps without end at time 1e+06" in said
    assert "help: choose a larger quantum" in said


def test_a_classic_solver_has_no_quantum(tank: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tank, "--solver", "dopri5", "--quantum", "1e-3") == 2
    assert "error[U065]" in capsys.readouterr().err


def test_a_quantum_alone_means_quantized_states(tank: Path) -> None:
    result = load(tank).simulate(stop=1.0, quantum="1e-4")

    assert result.stats["solver"] == "liqss2"
    assert "a quantum was given" in str(result.stats["chosen because"])
