"""Every model in `examples/` runs as it is and meets its exact solution to the tolerance it asks."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest

import freewheel as fw

EXACT = runpy.run_path(str(Path(__file__).with_name("exact.py")))["EXACT"]
EXAMPLES = Path(__file__).parents[2] / "examples"

TOLERANCE = 1e-8  # all examples ask for it
ALLOWED = 10 * TOLERANCE  # of the largest value: local errors add up over a run

# These jump at events: compared everywhere but at the instants of the jumps.
JUMPING = {"V.v", "R.i", "R1.i", "D.off", "left", "right", "torque"}


def away_from_events(times: np.ndarray) -> np.ndarray:
    """True where neither this time nor its neighbours belong to an event (a repeated time)."""
    repeated = np.zeros(len(times), dtype=bool)
    same = np.flatnonzero(np.diff(times) == 0)
    for shift in (-1, 0, 1, 2):
        repeated[np.clip(same + shift, 0, len(times) - 1)] = True
    return ~repeated


def test_every_example_has_an_exact_solution():
    assert {path.stem for path in EXAMPLES.glob("*.mo")} == set(EXACT)


@pytest.mark.parametrize("name", EXACT)
def test_example_meets_its_exact_solution(name):
    result = fw.load(EXAMPLES / f"{name}.mo").simulate()
    times = np.asarray(result.time)

    exact = EXACT[name](times)

    quiet = away_from_events(times)
    assert quiet.sum() > 100
    for variable, expected in exact.items():
        where = quiet if variable in JUMPING else slice(None)
        error = np.abs(np.asarray(result[variable], float) - expected)[where].max()
        assert error < ALLOWED * np.abs(expected).max(), variable
