"""(e) From the shell to a file of curves, wall clock and, in parentheses, CPU time.

`freewheel run` of a small circuit with the library inside Freewheel, caches empty and full, against
rumoca on the same file with the same library; and CauerLowPassAnalog of the real standard library.
Byte code of Python is there in all cases, as after any installation.
"""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from measure import ROOT, Peers, Section, duration, verdict

CAUER = "Modelica.Electrical.Analog.Examples.CauerLowPassAnalog"
EMBEDDED = ROOT / "src" / "freewheel" / "library"
REPEATS = 3
COLD_GOAL, WARM_GOAL, MSL_GOAL, HELP_GOAL = 1.2, 0.4, 0.2, 0.15

PEER = """
import sys, rumoca
library, file, model, out = sys.argv[1:]
result = rumoca.Session(roots=[library]).load(file, model=model).simulate()
with open(out, "w") as stream:
    stream.write(result.to_json())
"""


class Seconds(NamedTuple):
    """Sorted by wall clock."""

    wall: float
    cpu: float

    def __str__(self) -> str:
        return f"{duration(self.wall)} ({duration(self.cpu)})"

    @property
    def judged(self) -> float:
        """On a busy machine wall clock measures what the others do."""
        return self.cpu if _is_busy() else self.wall


def _is_busy() -> bool:
    return os.getloadavg()[0] > 0.75 * (os.cpu_count() or 1)


def run(peers: Peers) -> Section:
    section = Section(
        "(e) From the shell to curves: wall clock (CPU)",
        ["call", "Freewheel, empty caches", "warm", "goal", "rumoca", "ratio"],
    )
    with tempfile.TemporaryDirectory() as folder:
        _help(section, Path(folder))
        _circuit(section, peers, Path(folder))
        _cauer(section, peers, Path(folder))
    if _is_busy():
        section.notes.append(
            f"The machine was busy (load {os.getloadavg()[0]:.1f}): goals and ratios go by CPU time. "
            "With empty caches a part of that is spent by a second core at the same time."
        )
    if peers.python is None:
        section.notes.append("rumoca was not given (`PEER=python`): not compared.")
    if peers.library is None:
        section.notes.append("The standard library was not given (`MSL=folder`): not measured.")
    return section


def _help(section: Section, folder: Path) -> None:
    seconds = _warm(folder, [sys.executable, "-m", "freewheel", "--help"])
    told = f"{HELP_GOAL:g} s {verdict(seconds.judged, HELP_GOAL)}"
    section.rows.append(["freewheel --help", "-", str(seconds), told, "-", "-"])


def _circuit(section: Section, peers: Peers, folder: Path) -> None:
    (folder / "one").mkdir()
    file = Path(shutil.copy(ROOT / "examples" / "circuit.mo", folder / "one"))
    call = [sys.executable, "-m", "freewheel", "run", str(file), "--out", str(folder / "r.csv")]
    cold, warm = _cold(folder, call), _warm(folder, call)
    peer = None
    if peers.python is not None:
        peer = _peer(folder, peers.python, EMBEDDED, file, "circuit")
    told = f"{COLD_GOAL:g} s {verdict(cold.judged, COLD_GOAL)}, "
    told += f"{WARM_GOAL:g} s {verdict(warm.judged, WARM_GOAL)}"
    section.rows.append(_row("circuit, embedded library", cold, warm, told, peer))


def _cauer(section: Section, peers: Peers, folder: Path) -> None:
    if peers.library is None:
        return
    library = _only_needed(peers.library, folder / "library")
    call = [sys.executable, "-m", "freewheel", "run", CAUER, "--library", str(library)]
    call += ["--out", str(folder / "cauer.csv")]
    cold, warm = _cold(folder, call), _warm(folder, call)
    peer = None
    told = "-"
    if peers.python is not None:
        file = folder / "one" / "M.mo"
        (folder / "one" / "circuit.mo").unlink()
        file.write_text(f"model M\n  extends {CAUER};\nend M;\n")
        peer = _peer(folder, peers.python, library, file, "M")
        if peer is not None:
            told = f"<= {MSL_GOAL:g} of rumoca {verdict(warm.judged / peer.judged, MSL_GOAL)}"
    section.rows.append(_row("CauerLowPassAnalog, standard library", cold, warm, told, peer))


def _row(name: str, cold: Seconds, warm: Seconds, goal: str, peer: Seconds | None) -> list[str]:
    told = ["-", "-"] if peer is None else [str(peer), f"{warm.judged / peer.judged:.2f}"]
    return [name, str(cold), str(warm), goal, *told]


def _only_needed(library: Path, folder: Path) -> Path:
    """A folder with what the model uses: the peer loads everything that it is given."""
    folder.mkdir()
    for name in ("Modelica", "ModelicaServices", "Complex.mo"):
        (folder / name).symlink_to((library / name).resolve())
    return folder


def _cold(folder: Path, call: list[str]) -> Seconds:
    """Once before so that byte code is there, then with empty caches each time."""
    times = []
    for _ in range(REPEATS + 1):
        shutil.rmtree(folder / "cache", ignore_errors=True)
        times.append(_seconds(folder, call))
    return min(times[1:])


def _warm(folder: Path, call: list[str]) -> Seconds:
    return min(_seconds(folder, call) for _ in range(REPEATS + 1))


def _peer(folder: Path, python: Path, library: Path, file: Path, model: str) -> Seconds | None:
    """None where the peer fails, in each of its attempts."""
    call = [str(python), "-c", PEER, str(library), str(file), model, str(folder / "peer.json")]
    times = []
    for _ in range(REPEATS):
        with contextlib.suppress(subprocess.CalledProcessError):
            times.append(_seconds(folder, call))
    return min(times, default=None)


def _seconds(folder: Path, call: list[str]) -> Seconds:
    cache = f"{folder}/cache"
    environment = {name: text for name, text in os.environ.items() if not name.startswith("PYTHON")}
    environment |= {"FREEWHEEL_CACHE": f"{cache}/freewheel", "XDG_CACHE_HOME": cache}
    environment |= {"HOME": str(folder), "PYTHONPYCACHEPREFIX": f"{folder}/bytecode"}
    before = os.times()
    subprocess.run(call, env=environment, cwd=folder, capture_output=True, check=True)
    after = os.times()
    cpu = after.children_user + after.children_system
    return Seconds(
        after.elapsed - before.elapsed, cpu - before.children_user - before.children_system
    )


if __name__ == "__main__":
    print(run(Peers()).markdown())
