"""Keep the trajectories of many models and solvers, and tell what a change of the code did to them.

    python scripts/trajectories.py store before/ [--solver auto --solver qss2] [--only REGEX] [--jobs 2]
    python scripts/trajectories.py compare before/ after/

A run is one model with one solver: every example, the examples of the embedded library, the models of the
benchmarks, of `tests/structure/circuits.mo`, and those given with `--models FILE`. Kept are all numbers,
step sizes, events, impulses and warnings, or the diagnostics of a run that failed. `compare` lists what is
not equal to the last bit, with the largest difference relative to the range of the variable. The folders
belong outside the repository (about 1 GB for all solvers).
"""

from __future__ import annotations

import argparse
import re
import signal
import sys
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[1]
PACKAGES = (
    "Hybrid.Examples",
    "PetriNets.Examples",
    "BondGraph.Examples",
    "Modelica.Blocks.Examples",
    "Modelica.Electrical.Analog.Examples",
    "Modelica.Mechanics.Rotational.Examples",
    "Modelica.Mechanics.Translational.Examples",
    "Modelica.Mechanics.MultiBody.Examples",
    "Modelica.StateGraph.Examples",
    "Modelica.Thermal.HeatTransfer.Examples",
)
FOLDERS = ("examples", "benchmarks/qss")
FILES = ("tests/structure/circuits.mo",)
FIXED_STEP_SOLVERS = ("euler", "rk4", "beuler")
SECONDS = 60  # of a run; one that takes longer is kept as such


def models(more: list[str]) -> Iterator[tuple[str, str]]:
    """(file or library class, class in it)."""
    from freewheel.api import models_in
    from freewheel.base.diagnostics import FreewheelError

    found = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*"))]
    paths = [p for p in found if p.suffix in (".mo", ".dym")] + [ROOT / file for file in FILES]
    for target in [*(str(path) for path in paths), *PACKAGES, *more]:
        try:
            for model in models_in(target):
                yield target, ".".join(model.name)
        except FreewheelError:
            yield target, ""


def name_of(target: str, model: str, solver: str) -> str:
    where = target.removeprefix(f"{ROOT}/").replace("/", "+")
    return f"{where}@{model}@{solver}" if model and model != target else f"{where}@@{solver}"


class TooLongError(Exception):
    pass


def _stop(*_: Any) -> None:
    raise TooLongError


def store(target: str, model: str, solver: str, folder: str) -> str:
    import freewheel as fw
    from freewheel.base.diagnostics import FreewheelError

    path = Path(folder) / f"{name_of(target, model, solver)}.npz"
    if path.exists():
        return "kept"
    signal.signal(signal.SIGALRM, _stop)
    signal.alarm(SECONDS)
    texts: dict[str, str] = {}
    data = sizes = np.zeros((0, 0))
    names: list[str] = []
    try:
        loaded = (
            fw.load(target, model=model) if model and "/" in target else fw.load(model or target)
        )
        result = loaded.simulate(solver=solver)
        data, sizes, names = result.data, result.step_sizes, list(result.columns)
        texts = {
            "events": "\n".join(map(repr, result.events)),
            "impulses": repr(result.impulses),
            "warnings": repr(result.warnings),
        }
        outcome = "fine"
    except FreewheelError as failure:
        outcome = ",".join(d.code for d in failure.diagnostics)
        texts = {"diagnostics": repr([(d.code, d.message) for d in failure.diagnostics])}
    except TooLongError:
        outcome = "too long"
    finally:
        signal.alarm(0)
    np.savez_compressed(
        path, outcome=np.array(outcome), data=data, sizes=sizes, names=np.array(names),
        texts=np.array([f"{key}: {text}" for key, text in texts.items()]),
    )  # fmt: skip
    return outcome


def _store(job: tuple[str, str, str, str]) -> str:
    return store(*job)


def store_all(args: argparse.Namespace) -> None:
    from freewheel.runtime.integrators.choice import AUTO, QUANTIZED, SOLVERS

    every = dict.fromkeys([AUTO, *SOLVERS, *QUANTIZED])
    solvers = args.solver or [s for s in every if s not in FIXED_STEP_SOLVERS]
    Path(args.folder).mkdir(parents=True, exist_ok=True)
    jobs = [
        (target, model, solver, args.folder)
        for target, model in models(args.models.read_text().split() if args.models else [])
        for solver in solvers
        if re.search(args.only, name_of(target, model, solver))
    ]
    counts: dict[str, int] = {}
    with get_context("spawn").Pool(args.jobs, maxtasksperchild=100) as pool:
        for done, outcome in enumerate(pool.imap_unordered(_store, jobs), 1):
            counts[outcome] = counts.get(outcome, 0) + 1
            if sys.stderr.isatty() or done % 200 == 0:
                print(f"\r{done} of {len(jobs)}", end="", file=sys.stderr, flush=True)
    print(f"\n{len(jobs)} runs:", ", ".join(f"{n} {k}" for k, n in sorted(counts.items())))


def difference(one: Any, other: Any) -> str:
    """Empty where both are the same bits."""
    if str(one["outcome"]) != str(other["outcome"]):
        return f"{one['outcome']} -> {other['outcome']}"
    if list(one["names"]) != list(other["names"]):
        return "other variables"
    a, b = one["data"], other["data"]
    if a.shape != b.shape:
        return f"{a.shape[-1]} -> {b.shape[-1]} rows"
    if a.tobytes() != b.tobytes():
        with np.errstate(all="ignore"):
            gap = np.nanmax(np.abs(a - b), axis=1, initial=0.0)  # of each stored curve
            span = np.nanmax(np.abs(a), axis=1, initial=0.0)
            share = np.where(span > 0.0, gap / span, gap)
        worst = int(np.argmax(share))
        return f"differs by {share[worst]:.1e} in stored curve {worst}"
    if one["sizes"].tobytes() != other["sizes"].tobytes():
        return "other steps"
    if list(one["texts"]) != list(other["texts"]):
        return "other events or messages"
    return ""


def compare_all(args: argparse.Namespace) -> int:
    before = {path.name for path in Path(args.before).glob("*.npz")}
    after = {path.name for path in Path(args.after).glob("*.npz")}
    both = sorted(before & after)
    told = 0
    for name in both:
        one, other = np.load(Path(args.before) / name), np.load(Path(args.after) / name)
        text = difference(one, other)
        if text:
            told += 1
            print(f"{name.removesuffix('.npz')}: {text}")
    print(f"{len(both)} runs in both, {told} differ; {len(before ^ after)} in one only")
    return 1 if told else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parts = parser.add_subparsers(dest="part", required=True)
    keep = parts.add_parser("store")
    keep.add_argument("folder")
    keep.add_argument("--solver", action="append")
    keep.add_argument("--only", default="")
    keep.add_argument("--models", type=Path)
    keep.add_argument("--jobs", type=int, default=2)
    tell = parts.add_parser("compare")
    tell.add_argument("before")
    tell.add_argument("after")
    args = parser.parse_args()
    if args.part == "compare":
        return compare_all(args)
    store_all(args)
    return 0


if __name__ == "__main__":
    sys.exit(main())
