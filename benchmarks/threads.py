"""Throughput of two threads, and of two processes, against one: runs of one model with random parameters.

    python benchmarks/threads.py [--rounds 5] [--runs 40]

Wall clock by turns, as other work comes and goes; two processes tell what the machine has left for two.
`in Python` is the share of a run's CPU time outside of the compiled time loop: that much holds the lock of
Python, so that threads give at most its inverse.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from time import perf_counter, thread_time
from typing import Any
from unittest.mock import patch

from freewheel.api.model import Model, load, load_text
from freewheel.runtime.loop.classic_engine import ClassicEngine
from freewheel.runtime.switched_dae.attached import AttachedCore

ROOT = Path(__file__).parents[1]
Draw = Callable[[float, float], float]
Job = tuple[dict[str, float], float]


def boost(draw: Draw) -> dict[str, float]:
    return {"load.R": draw(50, 500), "choke.L": draw(2e-5, 2e-4), "pwm.width": draw(20, 60)}


def clutch(draw: Draw) -> dict[str, float]:
    return {"driving.J": draw(0.5, 5), "driven.J": draw(0.5, 5)}


ENGAGEMENTS = """
model Engagements "a motor drives a damped load by a clutch, which is pressed and released once a second"
  import Modelica.Mechanics.Rotational;
  Rotational.Components.Inertia driving(J=1, phi(start=0, fixed=true), w(start=50, fixed=true));
  Rotational.Components.Inertia driven(J=2, phi(start=0, fixed=true), w(start=0, fixed=true));
  Rotational.Components.Clutch clutch(fn_max=100, peak=1.1);
  Rotational.Sources.ConstantTorque motor(tau_constant=20);
  Rotational.Components.Damper load(d=2);
  Rotational.Components.Fixed frame;
  Modelica.Blocks.Sources.Pulse pedal(amplitude=1, width=50, period=1, startTime=0.2);
equation
  connect(motor.flange, driving.flange_a);
  connect(driving.flange_b, clutch.flange_a);
  connect(clutch.flange_b, driven.flange_a);
  connect(driven.flange_b, load.flange_a);
  connect(load.flange_b, frame.flange);
  connect(pedal.y, clutch.f_normalized);
end Engagements;
"""
CASES = (
    ("boost, 200 periods", "examples/switching/boost.mo", boost, 0.01),
    ("boost, 2000 periods", "examples/switching/boost.mo", boost, 0.1),
    ("clutch", "Modelica.Mechanics.Rotational.Examples.ClutchEngagement", clutch, 2.0),
    ("clutch, 200 times", ENGAGEMENTS, clutch, 200.0),
)


def loaded(place: str) -> Model:
    """A text, a file of this project or a class."""
    if "\n" in place:
        return load_text(place)
    path = ROOT / place
    return load(path if path.exists() else place)


def run(model: Model, jobs: Sequence[Job]) -> None:
    for params, stop in jobs:
        model.simulate(params=params, stop=stop)


def by_threads(model: Model, jobs: Sequence[Job]) -> float:
    began = perf_counter()
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda k: run(model, jobs[k::2]), range(2)))
    return perf_counter() - began


def by_processes(model: Model, jobs: Sequence[Job]) -> float:
    """They begin with everything compiled."""
    workers = [get_context("fork").Process(target=run, args=(model, jobs[k::2])) for k in range(2)]
    began = perf_counter()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return perf_counter() - began


def alone(model: Model, jobs: Sequence[Job]) -> float:
    began = perf_counter()
    run(model, jobs)
    return perf_counter() - began


def in_python(model: Model, jobs: Sequence[Job]) -> tuple[float, float]:
    """Microseconds of CPU per run, and those outside of the compiled time loop; modes that it asks about are
    analysed in Python."""
    inside, depth = [0.0], [0]

    def timed(function: Callable[..., Any], is_loop: bool) -> Callable[..., Any]:
        def called(*given: Any) -> Any:
            counts = is_loop or depth[0] > 0
            depth[0] += is_loop
            began = thread_time()
            try:
                return function(*given)
            finally:
                depth[0] -= is_loop
                spent = thread_time() - began
                inside[0] += (spent if is_loop else -spent) if counts else 0.0

        return called

    with (
        patch.object(ClassicEngine, "_run", timed(ClassicEngine._run, True)),
        patch.object(AttachedCore, "visit", timed(AttachedCore.visit, False)),
    ):
        began = thread_time()
        run(model, jobs)
        spent = thread_time() - began
    return 1e6 * spent / len(jobs), 1e6 * (spent - inside[0]) / len(jobs)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--runs", type=int, default=40)
    chosen = parser.parse_args()
    for name, place, draw, stop in CASES:
        model = loaded(place)
        uniform = random.Random(1).uniform
        jobs = [(draw(uniform), stop) for _ in range(chosen.runs)]
        by_threads(model, jobs)
        found = [
            (alone(model, jobs), by_threads(model, jobs), by_processes(model, jobs))
            for _ in range(chosen.rounds)
        ]
        gains = [median(one[0] / one[k] for one in found) for k in (1, 2)]
        fresh = [(draw(uniform), stop) for _ in range(chosen.runs)]  # no mode of theirs is known
        spent, python = in_python(model, fresh)
        print(f"{name:20} threads {gains[0]:.2f}, processes {gains[1]:.2f};", end=" ")
        print(f"{spent:.0f} us per run, {python:.0f} outside of the time loop")


if __name__ == "__main__":
    main()
