"""VAR-4: ideal, leaky 1e-5, leaky 1e-10 and backward Euler side by side, error and cost.

Largest errors of the capacitor's voltage against the ideal circuit are known to many digits: they come from
matrix exponentials of the leaky circuits and of the ideal one.
"""

from __future__ import annotations

import json

import numpy as np
import pytest
from switching_circuits import halfwave

import freewheel as fw
from freewheel.tools.cli import execute

# circuit -> leak -> largest error of C.v over 0.2 s at points 0.1 ms apart
KNOWN = {
    "halfwave_L_fig9_31": (10.0, {1e-3: 0.15866, 1e-5: 1.62501e-3, 1e-10: 1.6254e-8}),
    "halfwave_L_cellier_krebs": (0.0, {1e-3: 0.29389, 1e-5: 2.98224e-3, 1e-10: 2.9827e-8}),
}


def compared(folder, capsys, resistance: float, *options: str) -> dict[str, dict]:
    network, _ = halfwave(resistance, 0.01)
    path = folder / "HalfWave.mo"
    path.write_text(network.modelica())
    code = execute(["compare", str(path), "--watch", "C.v", "--json", *options])
    assert code == 0
    return {row["run"]: row for row in json.loads(capsys.readouterr().out)["rows"]}


@pytest.mark.parametrize("name", KNOWN)
def test_VAR_4_the_table_has_the_known_errors(name, tmp_path, capsys):
    resistance, known = KNOWN[name]
    leaks = [text for size in known for text in ("--leak", repr(size))]

    rows = compared(tmp_path, capsys, resistance, *leaks, "--tol", "1e-9")

    assert list(rows) == ["ideal", *(f"leaky {size:g}" for size in known), "backward Euler"]
    assert rows["ideal"]["error"] < 1e-6
    for size, error in known.items():
        assert rows[f"leaky {size:g}"]["error"] == pytest.approx(error, rel=2e-2)
    for row in rows.values():
        assert row["failure"] == ""
        assert row["variable"] == "C.v"
        assert row["steps"] > 0
        assert row["evaluations"] > row["steps"] / 2
        assert row["seconds"] > 0


def test_VAR_4_backward_euler_is_less_exact_than_the_leaks_it_replaces_and_of_first_order(
    tmp_path, capsys
):
    errors = []
    for step in (4e-5, 2e-5, 1e-5):
        rows = compared(tmp_path, capsys, 0.0, "--step", repr(step), "--leak", "1e-5")
        assert rows["backward Euler"]["error"] > rows["leaky 1e-05"]["error"]
        errors.append(rows["backward Euler"]["error"])

    assert errors[0] / errors[1] == pytest.approx(2.0, rel=0.25)
    assert errors[1] / errors[2] == pytest.approx(2.0, rel=0.25)


def test_VAR_4_the_text_is_a_table(tmp_path, capsys):
    network, _ = halfwave(0.0, 0.01)
    path = tmp_path / "HalfWave.mo"
    path.write_text(network.modelica())

    code = execute(["compare", str(path), "--stop", "0.05"])

    lines = capsys.readouterr().out.splitlines()
    assert code == 0
    assert lines[0].split()[:4] == ["run", "of", "tolerance", "error"]
    assert [line[:14].strip() for line in lines[1:]] == [
        "ideal",
        "leaky 1e-05",
        "leaky 1e-10",
        "backward Euler",
    ]


def test_VAR_4_curves_of_a_file_can_be_the_reference(tmp_path, capsys):
    file = tmp_path / "exact.csv"
    network, _ = halfwave(0.0, 0.01)
    path = tmp_path / "HalfWave.mo"
    path.write_text(network.modelica())
    assert execute(["run", str(path), "--tol", "1e-10", "--out", str(file)]) == 0
    capsys.readouterr()

    rows = compared(tmp_path, capsys, 0.0, "--reference", str(file))

    assert rows["leaky 1e-05"]["error"] == pytest.approx(2.98224e-3, rel=2e-2)


def test_VAR_4_a_model_without_ideal_elements_is_a_wrong_call(tmp_path, capsys):
    network, _ = halfwave(0.0, 0.01)
    path = tmp_path / "HalfWave.mo"
    path.write_text(network.modelica(leak=1e-5))

    code = execute(["compare", str(path)])

    assert code == 2
    assert "error[U039]" in capsys.readouterr().err


def test_VAR_4_the_leaky_circuit_swings_more_and_less_leak_is_not_to_be_seen(tmp_path):
    """Section 6 on Fig. 9: the leaking diode has the larger oscillation; with 1e-10 both curves are one.
    The values of the circuit are not printed: how much larger it is cannot be compared."""
    network, _ = halfwave(0.0, 0.01)
    swings = {}
    for leak in (0.0, 1e-10, 1e-5, 1e-3):
        path = tmp_path / "HalfWave.mo"
        leaky = network.modelica().replace("Ron=0.0, Goff=0.0", f"Ron={leak}, Goff={leak}")
        assert (leaky != network.modelica()) == (leak > 0.0)
        path.write_text(leaky)
        r = fw.load(path).simulate(stop=0.5, tol=1e-9)
        settled = r["C.v"][np.asarray(r.time) > 0.46]
        swings[leak] = float(settled.max() - settled.min())

    assert swings[1e-10] == pytest.approx(swings[0.0], abs=1e-5)
    assert swings[0.0] + 5e-4 < swings[1e-5]
    assert swings[1e-5] + 0.05 < swings[1e-3]
