"""Tables of the page about events: how often each way of looking misses a crossing, and what it costs
to locate one by each root solver.

    python benchmarks/root_solvers.py

The problems are those of `tests/events/test_random_crossings.py`.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import process_time

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "events"))
import test_random_crossings as crossings

import freewheel as fw
from freewheel.runtime.events.detection import DETECTIONS
from freewheel.runtime.events.root_solvers import ROOT_SOLVERS

PROBLEMS = 1000
SEED = 2026


def runs(model: fw.Model, **choice: str) -> tuple[list[tuple[list[float], list[float]]], dict]:
    """Found and expected times of each problem, and sums over all runs."""
    random = np.random.default_rng(SEED)
    pairs = []
    sums = {"evaluations": 0, "of these to locate events": 0, "steps": 0, "cpu": 0.0}
    for _ in range(PROBLEMS):
        params, expected = crossings.problem(random)
        began = process_time()
        result = model.simulate(
            stop=3.0, tol=crossings.TOLERANCE, interval=3.0, params=params, **choice
        )
        sums["cpu"] += process_time() - began
        for key in ("evaluations", "of these to locate events", "steps"):
            sums[key] += result.stats[key]
        pairs.append((crossings.found(result), expected))
    return pairs, sums


def detections(model: fw.Model, tell: Callable[[str], None]) -> None:
    tell("| `--event-detection` | crossings missed | problems spoilt | evaluations per step |")
    tell("| --- | --- | --- | --- |")
    for name in DETECTIONS:
        pairs, sums = runs(model, event_detection=name)
        total = sum(len(expected) for _, expected in pairs)
        missed = sum(max(0, len(expected) - len(found)) for found, expected in pairs)
        spoilt = sum(len(expected) != len(found) for found, expected in pairs)
        per_step = (sums["evaluations"] - sums["of these to locate events"]) / sums["steps"]
        tell(f"| `{name}` | {missed} of {total} | {spoilt} of {PROBLEMS} | {per_step:.2f} |")


def solvers(model: fw.Model, tell: Callable[[str], None]) -> None:
    tell(
        "| `--root-solver` | evaluations per crossing | largest error of the time | time, all runs |"
    )
    tell("| --- | --- | --- | --- |")
    for name in ROOT_SOLVERS:
        pairs, sums = runs(model, root_solver=name)
        total = sum(len(expected) for _, expected in pairs)
        worst = max(
            float(np.max(np.abs(np.subtract(found, expected))))
            for found, expected in pairs
            if found
        )
        per = sums["of these to locate events"] / total
        tell(f"| `{name}` | {per:.1f} | {worst:.1e} s | {sums['cpu']:.2f} s |")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pieces.mo"
        path.write_text(crossings.MODEL)
        model = fw.load(path)
        model.simulate(stop=3.0)
        detections(model, print)
        print()
        solvers(model, print)


if __name__ == "__main__":
    main()
