"""A command that is interrupted once its run has begun, and what it leaves."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from freewheel.tools import write_behind

# The command as it is, which also says when so much of the run is done.
CHILD = """
from contextlib import contextmanager
from freewheel.tools import write_behind
from freewheel.tools import progress
from freewheel.tools.cli import main

@contextmanager
def watched(doing=""):
    told = []
    def tell(share):
        if not told and share >= {share}:
            told.append(share)
            print("began", flush=True)
    if {at_once}:
        tell(0.0)
    yield tell

progress.progress_bar = watched
write_behind.MANY = {many}
main()
"""
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Ended:
    work: float  # seconds of the processor from the signal to the end
    clock: float  # seconds likewise
    status: int
    told: str


def interrupted(
    arguments: list[str],
    folder: Path,
    wait: float,
    is_stuck: bool = False,
    share: float = 0.0,
    many: int = write_behind.MANY,
) -> Ended:
    """`wait`: seconds after the first steps, or when so large a share of the run is done; of a run that is
    stuck in these, after its beginning. `many`: numbers from which on a table is written behind."""
    child = CHILD.format(at_once=is_stuck, share=share, many=many)
    with subprocess.Popen(
        [sys.executable, "-c", child, *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # ignored where tests run in the background
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "began\n", process.stderr.read()
        time.sleep(wait)
        before = _work(process.pid)
        asked = time.monotonic()
        process.send_signal(signal.SIGINT)
        told = process.stderr.read()
        _, status, used = os.wait4(process.pid, 0)
        clock = time.monotonic() - asked
        process.returncode = os.waitstatus_to_exitcode(status)
    return Ended(used.ru_utime + used.ru_stime - before, clock, process.returncode, told)


def _work(process: int) -> float:
    """Seconds of the processor so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def rows_of(path: Path) -> list[float]:
    """Times of a table that is whole: rows of one width, times that never fall."""
    with path.open(newline="") as stream:
        header, *rows = csv.reader(stream)
    assert all(len(row) == len(header) for row in rows)
    assert path.read_bytes().endswith(b"\n")
    times = [float(row[0]) for row in rows]
    assert times == sorted(times)
    return times
