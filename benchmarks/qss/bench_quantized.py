"""(h) Quantized states on the models of this folder: steps, cost of a step, error.

    python benchmarks/qss/bench_quantized.py [Buck Tyson] [--peer FOLDER]

The error of a run is the L2 distance of all states at 500 regular times to a classic run with a tight
tolerance, relative to that run. Times are CPU seconds of the loop, events and output included, best of
several; what is done once per run (compiling, the initial system, building the result) is left out, as
the peer leaves out its own. Two rows of output are asked for, and two for each event.

FOLDER belongs to a peer, the CIFASIS QSS Solver 4.3. If there is an executable `run` in it, it is called
with a model, a method, the relative and the absolute quantum, and the number of grid intervals before
our turn; then `Model-method.json` tells its steps and seconds, `Model-method.csv` its states on the grid
under our names, and `Model-reference.csv`, if it is there, what it comes to for a tiny quantum. Steps are
those of states, events left out; seconds are of a run with as little output as ours.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from unittest.mock import patch

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from measure import Peers, Section, duration

from freewheel.api import Model, load
from freewheel.result.store import Result
from freewheel.runtime.qss.engine import QuantizedEngine

HERE = Path(__file__).resolve().parent
RUNS = 5
GRID = 500


@dataclass(frozen=True)
class Case:
    methods: tuple[str, ...] = ("liqss2",)
    relative: str = "1e-3"
    absolute: str = "1e-3"
    reference: str = "radau"
    cells: int = 0  # 0: as many as the model says; then there is no reference

    @property
    def quantum(self) -> str:
        return f"{self.relative},{self.absolute}"

    @property
    def params(self) -> dict[str, int]:
        return {"N": self.cells} if self.cells else {}


CASES: Mapping[str, Case] = {
    "Buck": Case(("liqss2", "mliqss2")),
    "BuckBoost": Case(("liqss2", "mliqss2")),
    "Interleaved": Case(),
    "Cuk": Case(("mliqss2",)),
    "InverterChain": Case(reference="dopri5"),
    "Advection": Case(reference="cvode"),
    "AdvectionDiffusionReaction": Case(reference="cvode"),
    "Tyson": Case(("liqss2", "mliqss2", "liqss3"), absolute="1e-6"),
    "LcLine": Case(("liqss2", "qss3"), absolute="1e-6", reference="dopri5"),
    "SpikingNeurons": Case(("liqss2", "qss3"), reference="dopri5"),
    "AirConditioners": Case(("liqss2", "qss3"), reference="dopri5"),
}
LARGE = Case(cells=100_000)  # of the advection
TRANSLATION = """
import sys, time
from freewheel.api import load
began = time.process_time()
model = load(sys.argv[1])
model.simulate(stop=1e-9, interval=1.0, solver="liqss2", params={"N": int(sys.argv[2])})
told = dict(line.split(":", 1) for line in open("/proc/self/status") if ":" in line)
print(time.process_time() - began, int(told["VmHWM"].split()[0]) / 1024)
"""


@dataclass(frozen=True)
class Run:
    steps: int
    seconds: float
    error: float | None

    @property
    def cost(self) -> float:
        """Microseconds per step."""
        return 1e6 * self.seconds / max(1, self.steps)


@contextmanager
def clock_of_the_loop() -> Iterator[list[float]]:
    """Collects the CPU seconds of each call of the compiled loop."""
    kept = QuantizedEngine._run
    spent: list[float] = []

    def timed(engine: QuantizedEngine, budget: int) -> int:
        began = process_time()
        try:
            return kept(engine, budget)
        finally:
            spent.append(process_time() - began)

    with patch.object(QuantizedEngine, "_run", timed):
        yield spent


def on_grid(result: Result, names: Sequence[str], stop: float) -> np.ndarray:
    times = np.linspace(0.0, stop, GRID + 1)
    return np.array([np.interp(times, result.time, result[name]) for name in names])


def distance(found: np.ndarray, right: np.ndarray) -> float:
    return float(np.sqrt(np.sum((found - right) ** 2) / np.sum(right**2)))


# ---------------------------------------------------------------- ours


def reference_of(model: Model, case: Case, names: Sequence[str], stop: float) -> np.ndarray:
    result = model.simulate(solver=case.reference, tol=1e-10, interval=stop / GRID)
    return on_grid(result, names, stop)


def ours(model: Model, case: Case, method: str, stop: float, right: np.ndarray | None) -> Run:
    """Timed with little output, once more on the grid for the error."""
    runs = RUNS if right is not None else 2
    times = []
    for _ in range(runs):
        with clock_of_the_loop() as spent:
            result = model.simulate(
                solver=method, quantum=case.quantum, interval=stop, params=case.params
            )
        times.append(sum(spent))
    error = None
    if right is not None:
        fine = model.simulate(solver=method, quantum=case.quantum, interval=stop / GRID)
        error = distance(on_grid(fine, state_names(model), stop), right)
    return Run(int(result.stats["steps"]), min(times), error)


def classic(model: Model) -> tuple[str, float]:
    """What auto takes, or where that is liqss2 the faster of two, and its CPU seconds after a first run."""
    stop = stop_of(model)
    result = model.simulate(tol=1e-3, interval=stop)
    taken = str(result.stats["solver"])
    found = []
    for solver in ("dopri5", "cvode") if taken == "liqss2" else (taken,):
        times = []
        for _ in range(2):
            began = process_time()
            model.simulate(solver=solver, tol=1e-3, interval=stop)
            times.append(process_time() - began)
        found.append((min(times), solver))
    seconds, solver = min(found)
    return solver, seconds


def state_names(model: Model) -> list[str]:
    return [info.name for info in model.compiled().state_infos]


def stop_of(model: Model) -> float:
    return model.compiled().experiment["stop"]


# ---------------------------------------------------------------- the peer


def peer_run(
    folder: Path | None,
    name: str,
    case: Case,
    method: str,
    names: Sequence[str],
    right: np.ndarray | None,
) -> Run | None:
    if folder is None:
        return None
    stem = f"{name}{case.cells or ''}"
    if (folder / "run").exists():
        words = [stem, method, case.relative, case.absolute, str(GRID)]
        subprocess.run([str(folder / "run"), *words], check=True, cwd=folder)
    told = folder / f"{stem}-{method}.json"
    if not told.exists():
        return None
    known = json.loads(told.read_text())
    error = None
    if right is not None:
        own = folder / f"{stem}-reference.csv"
        expected = states_of(own, names) if own.exists() else right
        error = distance(states_of(folder / f"{stem}-{method}.csv", names), expected)
    return Run(int(known["steps"]), float(known["seconds"]), error)


def states_of(path: Path, names: Sequence[str]) -> np.ndarray:
    with path.open() as file:
        head = file.readline().strip().replace('"', "").split(",")
    values = np.loadtxt(path, delimiter=",", skiprows=1)
    return np.array([values[:, head.index(name)] for name in names])


# ---------------------------------------------------------------- the table


def row_of(name: str, method: str, mine: Run, peer: Run | None, rest: str) -> list[str]:
    def told(run: Run | None) -> list[str]:
        if run is None:
            return ["-", "-", "-"]
        error = "-" if run.error is None else f"{run.error:.1e}"
        return [f"{run.steps:,}".replace(",", " "), f"{run.cost:.3f}", error]

    found = told(mine)
    other = told(peer)
    pairs = [part for both in zip(found, other, strict=True) for part in both]
    whole = "-" if peer is None else f"{mine.seconds / peer.seconds:.2f}"
    return [name, method, *pairs, whole, rest]


def measure(name: str, case: Case, folder: Path | None) -> list[list[str]]:
    model = load(HERE / f"{name}.mo")
    names, stop = ([], 1.0) if case.cells else (state_names(model), stop_of(model))
    right = None if case.cells else reference_of(model, case, names, stop)
    solver, seconds = ("", 0.0) if case.cells else classic(model)
    found = []
    for method in case.methods:
        peer = peer_run(folder, name, case, method, names, right)
        mine = ours(model, case, method, stop, right)
        rest = f"{solver} {duration(seconds)}" if solver else ""
        found.append(row_of(f"{name} {case.cells or ''}".strip(), method, mine, peer, rest))
    return found


def translation() -> str:
    parts = []
    for cells in (10_000, 100_000):
        told = subprocess.run(
            [sys.executable, "-c", TRANSLATION, str(HERE / "Advection.mo"), str(cells)],
            check=True, capture_output=True, text=True,
        ).stdout.split()  # fmt: skip
        parts.append(f"{cells} cells {float(told[0]):.1f} s and {float(told[1]):.0f} MB")
    return f"Translation of the advection and the start of a run: {', '.join(parts)}."


def run(peers: Peers) -> Section:
    return table(list(CASES), peers.quantized, with_large=True)


def table(chosen: Sequence[str], folder: Path | None, with_large: bool) -> Section:
    head = ["model", "method", "steps", "peer's", "us per step", "peer's", "error", "peer's"]
    section = Section("(h) quantized states", [*head, "time / peer's", "classic"])
    for name in chosen:
        section.rows += measure(name, CASES[name], folder)
    if with_large:
        section.rows += measure("Advection", LARGE, folder)
        section.notes.append(translation())
    if folder is None:
        section.notes.append("The peer is not there.")
    return section


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="*", help=", ".join(CASES))
    parser.add_argument("--peer", type=Path, help="a folder of the CIFASIS QSS Solver")
    options = parser.parse_args()
    print(table(options.models or list(CASES), options.peer, not options.models).markdown())
