"""S-functions. What runs needs GNU Octave and belongs to `make test-all`."""

import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from export_models import EVENTS, grid_of, jump_times, model_of, ours

from freewheel.export import ExportOptions, export_model
from freewheel.export.draft import make_draft
from freewheel.export.simulink import block_outputs

DRIVER = Path(__file__).parent / "run_sfunction.m"
# model -> parts of the output interval that the classic Runge-Kutta formula needs
RUNS = {
    "pendulum": 4,
    "mass_spring_damper": 4,
    "van_der_pol": 10,
    "implicit": 2,
    "coupled": 2,
    "started": 4,
    "limited": 8,
    "leaky_rectifier": 2,
    "sampled": 4,
    "hysteresis": 4,
    "bouncing": 4,
    "sampled_drive": 2,
    "named": 4,
}


def test_the_file_is_an_s_function_with_the_flags_of_simulink():
    ((file, text),) = export_model(model_of("limited"), "simulink").items()

    assert file == "Limited.m"
    assert text.startswith("function [sys, x0, str, ts] = Limited(t, x, u, flag)\n")
    assert [int(flag) for flag in re.findall(r"^  case (\d)", text, re.MULTILINE)] == [
        0,
        1,
        2,
        3,
        4,
        5,
    ]


@pytest.mark.parametrize("name", EVENTS)
def test_crossing_functions_are_outputs_behind_those_of_the_model(name):
    (text,) = export_model(model_of(name), "simulink").values()
    draft = make_draft(model_of(name), "simulink", ExportOptions())
    count = len(draft.program.relations)

    assert f"; {len(block_outputs(draft))} + {2 * count}; " in text


@pytest.mark.long
@pytest.mark.parametrize("name", RUNS)
def test_octave_gives_our_curves(tmp_path, name):
    ((file, text),) = export_model(model_of(name), "simulink").items()
    (tmp_path / file).write_text(text)
    shutil.copy(DRIVER, tmp_path)
    stop, interval = grid_of(name)
    call = f"run_sfunction('{Path(file).stem}', {stop!r}, {interval!r}, {RUNS[name]})"
    done = subprocess.run(
        ["octave-cli", "--quiet", "--no-gui", "--eval", call], cwd=tmp_path, capture_output=True,
        text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    table = np.array([line.split() for line in done.stdout.splitlines()], dtype=float)

    result, t = ours(name), table[:, 0]
    away = np.ones(len(t), dtype=bool)
    for instant in jump_times(result):
        away &= np.abs(t - instant) > 1e-6
    draft = make_draft(model_of(name), "simulink", ExportOptions())
    for number, info in enumerate(block_outputs(draft), start=1):
        here = np.interp(t[away], result["time"], result[info.name])
        assert np.abs(table[away, number] - here).max() < 1e-4 * max(1e-9, np.abs(here).max())
