"""What the benchmarks share: timing, models from text, C programs, tables.

Times are CPU seconds of the process unless a heading says otherwise, best of several: other work
on the machine disturbs them least. A peer that is not there is reported, not an error.
"""

import ctypes
import importlib.util
import os
import platform
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from time import process_time

import freewheel
from freewheel.pipeline import Compilation, Options, compile_model

ROOT = Path(__file__).resolve().parent.parent


@dataclass
class Section:
    """One heading of the report: a table and remarks."""

    title: str
    head: Sequence[str]
    rows: list[Sequence[str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def markdown(self) -> str:
        lines = [f"## {self.title}", ""]
        lines += ["| " + " | ".join(row) + " |" for row in (self.head, ["---"] * len(self.head))]
        lines += ["| " + " | ".join(row) + " |" for row in self.rows]
        return "\n".join([*lines, "", *self.notes, ""])


@dataclass
class Peers:
    """What there is to compare with."""

    library: Path | None = None  # the real standard library
    python: Path | None = None  # an interpreter that has rumoca and xdevs
    quantized: Path | None = None  # see qss/bench_quantized.py
    cadmium: Path | None = None  # a checkout of Cadmium 2


def compiled(text: str, backend: str = "llvm") -> Compilation:
    """The last model of a text through the whole corridor."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "Bench.mo"
        path.write_text(text)
        model = freewheel.load(path)
        return compile_model(model.library, model.name, Options(backend=backend))


def best(action: Callable[[], object], repeats: int = 3) -> float:
    """CPU seconds, the best of some runs."""
    times = []
    for _ in range(repeats):
        began = process_time()
        action()
        times.append(process_time() - began)
    return min(times)


def duration(seconds: float) -> str:
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("us", 1e6)):
        if seconds * factor >= 1.0 or unit == "us":
            return f"{seconds * factor:.3g} {unit}"
    raise AssertionError


def verdict(value: float, goal: float) -> str:
    return "reached" if value <= goal else "missed"


# ---------------------------------------------------------------- C


def has_compiler() -> bool:
    return shutil.which("gcc") is not None


def c_library(source: str, *more: str) -> ctypes.CDLL:
    """C text to a loaded library, `gcc -O2`."""
    folder = Path(tempfile.mkdtemp(prefix="freewheel-bench-"))
    (folder / "code.c").write_text(source)
    target = folder / "code.so"
    command = ["gcc", "-O2", "-shared", "-fPIC", "-o", str(target), str(folder / "code.c")]
    subprocess.run([*command, *more, "-lm"], check=True)
    return ctypes.CDLL(str(target))


def sundials() -> list[str] | None:
    """The libraries to link with CVODE, from the scikit-sundae wheel; None if it is not there."""
    found = importlib.util.find_spec("sksundae")
    if found is None or found.origin is None:
        return None
    folder = Path(found.origin).parent.parent / "scikit_sundae.libs"
    wanted = ("core", "cvode", "nvecserial", "sunmatrixsparse", "sunlinsolsuperlumt")
    names = [sorted(folder.glob(f"libsundials_{name}-*.so*")) for name in wanted]
    if not all(names):
        return None
    return [*(str(group[0]) for group in names), f"-Wl,-rpath,{folder}"]


# ---------------------------------------------------------------- the report


def machine() -> str:
    """Processor, interpreter, commit and date of a measurement."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True
    ).stdout.strip()
    cores = os.cpu_count()
    load = os.getloadavg()[0]
    today = datetime.now(UTC).date().isoformat()
    return (
        f"{_processor()}, {cores} cores (load {load:.1f} at the start), "
        f"Python {platform.python_version()}, commit {commit or 'unknown'}, {today}"
    )


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
