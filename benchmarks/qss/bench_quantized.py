"""Quantized-state methods on the models of this folder: steps, time per step, error.

    python bench_quantized.py Buck Tyson

The error of a run is the largest over the states of the relative L2 distance to a classic solver with a
tight tolerance. `peer` is what the CIFASIS QSS Solver 4.3 is known to need for the same equations at the
same quantum: steps and milliseconds on a machine that is not this one. Times are the best of three runs of
the whole simulation, output and events included.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from freewheel.api import Model, load
from freewheel.result.store import Result

HERE = Path(__file__).parent
RUNS = 3


@dataclass(frozen=True)
class Case:
    quantum: str = "1e-3,1e-3"  # relative, absolute
    methods: tuple[str, ...] = ("liqss2",)
    reference: str = "radau"
    tolerance: float = 1e-9
    peer: str = ""


CASES: Mapping[str, Case] = {
    "Buck": Case(methods=("liqss2", "mliqss2"), peer="liqss2 2523 steps, 0.55 ms, 6.6e-4"),
    "BuckBoost": Case(methods=("liqss2", "mliqss2"), peer="liqss2 2796 steps, 0.65 ms, 4.8e-4"),
    "Interleaved": Case(peer="liqss2 8064 steps, 1.94 ms, 1e-3"),
    "Cuk": Case(methods=("mliqss2",)),
    "InverterChain": Case(
        reference="dopri5", tolerance=1e-8, peer="liqss2 85240 steps, 29.0 ms, 5.7e-2"
    ),
    "Advection": Case(reference="cvode", peer="liqss2 23226 steps, 5.75 ms, 7.1e-3"),
    "AdvectionDiffusionReaction": Case(
        reference="cvode", peer="liqss2 23316 steps, 8.75 ms, 2.5e-3"
    ),
    "Tyson": Case(
        "1e-3,1e-6",
        ("liqss2", "mliqss2", "liqss3"),
        peer="liqss2 201190 steps, 88.9 ms; mliqss2 25.7 ms; liqss3 diverges",
    ),
    "LcLine": Case(
        methods=("liqss2", "qss2", "qss3"),
        reference="dopri5",
        peer="liqss2 296k steps, 70 ms, 7e-2",
    ),
    "SpikingNeurons": Case(methods=("liqss2", "qss3"), reference="dopri5"),
    "AirConditioners": Case(methods=("liqss2", "qss3"), reference="dopri5"),
}


def error_of(result: Result, expected: Result, states: Sequence[str]) -> float:
    worst = 0.0
    for name in states:
        right = expected[name]
        found = np.interp(expected.time, result.time, result[name])
        worst = max(worst, float(np.sqrt(np.sum((found - right) ** 2) / np.sum(right**2))))
    return worst


def best_of(model: Model, method: str, quantum: str) -> tuple[Result, float]:
    results = [model.simulate(solver=method, quantum=quantum) for _ in range(RUNS + 1)]
    times = [float(result.stats["seconds"]) for result in results[1:]]
    return results[-1], min(times)


def measure(name: str, case: Case) -> None:
    model = load(HERE / f"{name}.mo")
    expected = model.simulate(solver=case.reference, tol=case.tolerance)
    seconds = float(expected.stats["seconds"])
    print(f"{name}: {case.reference} at {case.tolerance:g} takes {1e3 * seconds:.1f} ms")
    if case.peer:
        print(f"  peer     {case.peer}")
    states = [info.name for info in model.compiled().state_infos]
    for method in case.methods:
        result, time = best_of(model, method, case.quantum)
        steps = int(result.stats["steps"])
        print(
            f"  {method:8s} {steps:8d} steps {1e3 * time:9.2f} ms {1e6 * time / max(steps, 1):6.3f} us/step"
            f"  error {error_of(result, expected, states):.1e}  {result.stats['events']} events",
            flush=True,
        )


if __name__ == "__main__":
    for chosen in sys.argv[1:] or CASES:
        measure(chosen, CASES[chosen])
