"""Keep the trajectories of many models and solvers, and tell what a change of the code did to them.

    python scripts/trajectories.py store before/ [--solver auto --solver qss2] [--only REGEX] [--jobs 2]
    python scripts/trajectories.py compare before/ after/

A run is one model with one solver: every example, the examples of the embedded library, the models of the
benchmarks and of the `.mo` files of the tests, and those given with `--models FILE`. A model is compiled once
for all its solvers. Kept are all numbers, step sizes, events, impulses and warnings, or the diagnostics of a
run that failed; one that ends its process has crashed. `compare` lists what is not equal to the last bit,
with the largest difference relative to the range of the variable, and counts small ones apart. The folders
belong outside the repository (about 1 GB for all solvers).
"""

from __future__ import annotations

import argparse
import re
import signal
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.pool import ThreadPool
from pathlib import Path
from typing import Any, NamedTuple

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
FOLDERS = ("examples", "benchmarks/qss", "tests")
FIXED_STEP_SOLVERS = ("euler", "rk4", "beuler")
TO_COMPILE = 60  # seconds
TO_RUN = 10  # seconds; a run that takes longer is kept as such
TINY = 1e-9  # of the range of a variable: round-off in another order
NOTHING = 1e-10  # of the largest range of all variables: one that is smaller is round-off of zero


def models(more: list[str]) -> Iterator[tuple[str, str]]:
    """(file or library class, class in it)."""
    from freewheel.api import models_in
    from freewheel.base.diagnostics import FreewheelError

    found = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*"))]
    paths = [path for path in found if path.suffix in (".mo", ".dym")]
    for target in [*(str(path) for path in paths), *PACKAGES, *more]:
        try:
            for model in models_in(target):
                yield target, ".".join(model.name)
        except FreewheelError:
            yield target, ""


def name_of(target: str, model: str, solver: str) -> str:
    where = target.removeprefix(f"{ROOT}/").replace("/", "+")
    return f"{where}@{model}@{solver}" if model and model != target else f"{where}@@{solver}"


class Job(NamedTuple):
    """One model with all its solvers."""

    target: str
    model: str
    solvers: list[str]
    folder: str


def file_of(job: Job, solver: str) -> Path:
    return Path(job.folder) / f"{name_of(job.target, job.model, solver)}.npz"


class TooLongError(Exception):
    pass


def _stop(*_: Any) -> None:
    raise TooLongError


@contextmanager
def limited(seconds: int) -> Iterator[None]:
    signal.signal(signal.SIGALRM, _stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)


def store_apart(job: Job) -> list[str]:
    """In a process of its own, again for the solvers after one that ends the process."""
    files = [file_of(job, solver) for solver in job.solvers]
    kept = sum(file.exists() for file in files)
    while missing := [file for file in files if not file.exists()]:
        process = get_context("forkserver").Process(target=store, args=(job,))
        process.start()
        process.join()
        if not missing[0].exists() or process.exitcode != 0:
            _kept(next(file for file in files if not file.exists()), "crashed")
    return ["kept"] * kept + [str(np.load(file)["outcome"]) for file in files[kept:]]


def store(job: Job) -> None:
    import freewheel as fw
    from freewheel.base.diagnostics import FreewheelError

    files = [file_of(job, solver) for solver in job.solvers]
    target, model = job.target, job.model
    try:
        with limited(TO_COMPILE):
            is_file = bool(model) and "/" in target
            loaded = fw.load(target, model=model) if is_file else fw.load(model or target)
            loaded.compiled()
    except FreewheelError as failure:
        for file in files:
            _kept(file, failure)
        return
    except TooLongError:
        for file in files:
            _kept(file, "too long")
        return
    for solver, file in zip(job.solvers, files, strict=True):
        run(loaded, solver, file)


def run(loaded: Any, solver: str, file: Path) -> None:
    from freewheel.base.diagnostics import FreewheelError

    if file.exists():
        return
    try:
        with limited(TO_RUN):
            _kept(file, loaded.simulate(solver=solver))
    except FreewheelError as failure:
        _kept(file, failure)
    except TooLongError:
        _kept(file, "too long")


def _kept(file: Path, told: Any) -> None:
    """A run: its result, the exception that ended it, or a word."""
    data = sizes = np.zeros((0, 0))
    columns: list[Any] = []
    texts: dict[str, str] = {}
    if isinstance(told, str):
        outcome = told
    elif isinstance(told, Exception):
        outcome = ",".join(d.code for d in told.diagnostics)  # type: ignore[attr-defined]
        texts = {"diagnostics": repr([(d.code, d.message) for d in told.diagnostics])}  # type: ignore[attr-defined]
    else:
        outcome = "fine"
        data, sizes, columns = told.data, told.step_sizes, list(told.columns.values())
        texts = {
            "events": "\n".join(map(repr, told.events)),
            "impulses": repr(told.impulses),
            "warnings": repr(told.warnings),
        }
    np.savez_compressed(
        file, outcome=np.array(outcome), data=data, sizes=sizes,
        names=np.array([column.name for column in columns]),
        curves=np.array([(c.row, c.sign, c.offset) for c in columns]).reshape(-1, 3),
        texts=np.array([f"{key}: {text}" for key, text in texts.items()]),
    )  # fmt: skip


def _solvers() -> list[str]:
    from freewheel.runtime.integrators.choice import ALL_SOLVERS

    return [solver for solver in ALL_SOLVERS if solver not in FIXED_STEP_SOLVERS]


def store_all(args: argparse.Namespace) -> None:
    solvers = args.solver or _solvers()
    Path(args.folder).mkdir(parents=True, exist_ok=True)
    jobs = []
    for target, model in models(args.models.read_text().split() if args.models else []):
        wanted = [s for s in solvers if re.search(args.only, name_of(target, model, s))]
        if wanted:
            jobs.append(Job(target, model, wanted, args.folder))
    counts: Counter[str] = Counter()
    get_context("forkserver").set_forkserver_preload(["freewheel.api"])
    with ThreadPool(args.jobs) as pool:
        for done, outcomes in enumerate(pool.imap_unordered(store_apart, jobs), 1):
            counts.update(outcomes)
            if sys.stderr.isatty() or done % 50 == 0:
                print(f"\r{done} of {len(jobs)} models", end="", file=sys.stderr, flush=True)
    print(
        f"\n{sum(counts.values())} runs:", ", ".join(f"{n} {k}" for k, n in sorted(counts.items()))
    )


def difference(one: Any, other: Any) -> tuple[float, str]:
    """Its size, relative to the range of the variable that differs most, and a text; empty where both are the
    same bits."""
    if str(one["outcome"]) != str(other["outcome"]):
        return np.inf, f"{one['outcome']} -> {other['outcome']}"
    a, b = one["data"], other["data"]
    found = dict(zip(other["names"], other["curves"], strict=True))
    pairs = [
        (n, p, found[n]) for n, p in zip(one["names"], one["curves"], strict=True) if n in found
    ]
    if len(a) and (len(pairs) < len(one["names"]) or len(pairs) < len(found)):
        return np.inf, f"{len(one['names'])} -> {len(found)} variables, {len(pairs)} in both"
    is_same = a.tobytes() == b.tobytes() and one["curves"].tobytes() == other["curves"].tobytes()
    if not is_same:
        rows = "" if a.shape[1] == b.shape[1] else f", {a.shape[1]} -> {b.shape[1]} rows"
        size, name = max(_shares(a, b, pairs), default=(0.0, ""))
        if size > 0.0 or rows:
            return size, f"`{name}` differs by {size:.1e}{rows}"
    if one["sizes"].tobytes() != other["sizes"].tobytes():
        return 0.0, "other steps"
    if list(one["texts"]) != list(other["texts"]):
        return 0.0, "other events or messages"
    return 0.0, ""


def _shares(a: Any, b: Any, pairs: Sequence[tuple[str, Any, Any]]) -> Iterator[tuple[float, str]]:
    """How far each variable is from the other, relative to its range: at most, or where the rows are others,
    on average over time (an event that moves by round-off is no difference then)."""
    has_rows = a.shape[1] == b.shape[1]
    times = np.unique(np.concatenate((a[0], b[0])))
    middle, length = (times[1:] + times[:-1]) / 2, np.diff(times)
    known: dict[bytes, float] = {}
    ranges = (np.nanmax(np.abs(curve), initial=0.0) for curve in a[1:] if np.ptp(curve) > 0.0)
    least = NOTHING * max(ranges, default=0.0) or 1.0
    for name, p, q in pairs:
        key = p.tobytes() + q.tobytes()
        if key not in known:
            with np.errstate(all="ignore"):
                one, two = (_curve(data, curve) for data, curve in ((a, p), (b, q)))
                span = max(np.nanmax(np.abs(one), initial=0.0), least)
                if has_rows:
                    gap = np.nanmax(np.abs(one - two), initial=0.0)
                else:
                    apart = np.interp(middle, a[0], one) - np.interp(middle, b[0], two)
                    gap = np.nansum(np.abs(apart) * length) / length.sum()
                known[key] = float(gap / span)
        yield known[key], name


def _curve(data: Any, column: Any) -> Any:
    row, sign, offset = column
    return np.full(data.shape[1], offset) if row < 0 else sign * data[int(row)] + offset


def compare_all(args: argparse.Namespace) -> int:
    before = {path.name for path in Path(args.before).glob("*.npz")}
    after = {path.name for path in Path(args.after).glob("*.npz")}
    both = sorted(before & after)
    counts: Counter[str] = Counter()
    for name in both:
        one, other = np.load(Path(args.before) / name), np.load(Path(args.after) / name)
        size, text = difference(one, other)
        counts["equal" if not text else "tiny" if size < TINY else "other"] += 1
        if text:
            print(f"{name.removesuffix('.npz')}: {text}")
    print(f"{len(both)} runs in both:", ", ".join(f"{n} {k}" for k, n in sorted(counts.items())))
    print(f"{len(before ^ after)} in one only")
    return 1 if counts["tiny"] + counts["other"] else 0


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
