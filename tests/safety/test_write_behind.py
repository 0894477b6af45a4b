"""Large runs are written while they go on: the end, asked for or not, has little left to do."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.safety.interrupted import interrupted

from freewheel import load, read_result
from freewheel.base import files, stop
from freewheel.base.diagnostics import Diagnostic, SimulationError
from freewheel.base.files import Unnamed
from freewheel.result import write_csv as csv_writer
from freewheel.result import write_mat as mat_writer
from freewheel.result.store import Column, Result
from freewheel.result.write_mat import write_mat
from freewheel.tools import write_behind
from freewheel.tools.run_files import keep_partial, write_whole
from freewheel.tools.write_behind import WriteBehind

WORK = 0.25  # seconds of the processor from the signal to the end, whatever the size
CLOCK = 0.5  # seconds likewise on a machine that does nothing else
SWING = "Real x(start = 1, fixed = true), v(start = 0, fixed = true); equation der(x) = v;"
WIDE = (
    f"model M Real a = x*v, b = a + x; Boolean c = x > 0; {SWING} der(v) = -x; end M;"  # 8 numbers
)
OUTS = [("--out", "r.csv"), ("--out", "r.parquet"), ("--out", "r.mat"), ()]


def halted(folder: Path, stop: float, out: tuple[str, ...], share: float) -> tuple[Any, Path]:
    (folder / "M.mo").write_text(WIDE)
    words = ["run", "M.mo", "--stop", str(stop), "--interval", "1e-2", *out]
    ended = interrupted(words, folder, 0.0, share=share)
    assert ended.status == 130, ended.told
    kept = folder / ("r.partial.mat" if out else "M.partial.mat")
    assert sorted(os.listdir(folder)) == sorted(["M.mo", kept.name]), ended.told
    return ended, kept


@pytest.mark.parametrize("out", OUTS)
def test_millions_of_rows_are_kept(out: tuple[str, ...], tmp_path: Path) -> None:
    """As the first rows of the run that is not interrupted, to the last bit."""
    _, path = halted(tmp_path, 6e4, out, 0.4)
    kept, whole = read_result(path), load(tmp_path / "M.mo").simulate(stop=6e4, interval=1e-2)
    assert len(kept) > 2_400_000
    assert list(kept.names()) == list(whole.names())
    for name in kept.names():
        assert np.array_equal(kept[name], whole[name][: len(kept)])


@pytest.mark.long
@pytest.mark.parametrize("out", OUTS)
def test_a_hundred_million_numbers_are_kept_in_no_time(
    out: tuple[str, ...], tmp_path: Path
) -> None:
    found = []
    for number in range(3):  # the machine may do something else at times
        folder = tmp_path / str(number)
        folder.mkdir()
        ended, kept = halted(folder, 1.5e5, out, 0.9)
        found.append(ended)
        assert kept.stat().st_size > 8 * 100_000_000
        kept.unlink()
    assert min(ended.work for ended in found) < WORK
    assert min(ended.clock for ended in found) < CLOCK


# ---------------------------------------------------------------- what is written is what there is

# The command, where few numbers are many and the disk is slower than the run; it says how many points were
# written on the way, and how many numbers were left at most once it had caught up with the run.
CHILD = """
from time import sleep
from freewheel.base import stop
from freewheel.result import write_mat
from freewheel.runtime.loop import recording
from freewheel.tools import cli, write_behind
write_behind.MANY, write_behind.PERIOD, recording.AHEAD = 1000, 1e-3, {ahead}
write_mat.CHUNK = {ahead} // 10
left = []
append = write_mat.GrowingMat.append
def slowly(self, points):
    sleep(1e-3)
    append(self, points)
    if stop.held()[0] is not None:
        rows = stop.held()[0].points()
        numbers = (len(rows) - self.count) * rows.shape[1]
        if left or numbers < {ahead} // 2:
            left.append(numbers)
write_mat.GrowingMat.append = slowly
finish = write_behind.WriteBehind.finish
def told(self, *arguments):
    print("behind", self.known(), max(left))
    return finish(self, *arguments)
write_behind.WriteBehind.finish = told
cli.main()
"""
AHEAD = 20_000
MODELS = {
    "ODE": (f"{SWING} der(v) = -x;", {"stop": 1e4, "interval": 0.02}),
    "scaled": (f"Real y = 1 - 2*x, z = -x; {SWING} der(v) = -x;", {"stop": 1e4, "interval": 0.02}),
    "events": (
        "Real x(start = 0, fixed = true); discrete Real s(start = 1, fixed = true); equation der(x) = s;"
        " when x > 1 then s = -1; elsewhen x < -1 then s = 1; end when;",
        {"stop": 1e5, "interval": 5.0, "max_events": 1_000_000},
    ),
    "ideal": (
        "Real i(start = 0, fixed = true), u, w; Boolean off(start = true); Real s; equation"
        " u = sin(time); der(i) = w - i; off = s < 0; u - w = if off then s else 0;"
        " i = if off then 0 else s;",
        {"stop": 3e3, "interval": 0.1},
    ),
    "QSS": (f"{SWING} der(v) = -x; ", {"stop": 300.0, "interval": 1e-3, "solver": "qss2"}),
    "QSS events": (
        "Real x(start = 1, fixed = true); Boolean on(start = true); equation der(x) = if on then 1 else -1;"
        " when x > 2 then on = false; elsewhen x < 1 then on = true; end when;",
        {"stop": 2e4, "interval": 1.0, "solver": "qss2", "max_events": 1_000_000},
    ),
}


@pytest.mark.parametrize("name", MODELS)
def test_rows_do_not_change_once_they_are_written(name: str, tmp_path: Path) -> None:
    body, settings = MODELS[name]
    (tmp_path / "M.mo").write_text(f"model M {body} end M;")
    load(tmp_path / "M.mo").simulate(**settings).to_file(tmp_path / "whole.mat")
    words = [f"--{key.replace('_', '-')}={value}" for key, value in settings.items()]
    done = subprocess.run(
        [sys.executable, "-c", CHILD.format(ahead=AHEAD), "run", "M.mo", *words, "--out", "r.mat"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    written, left = map(int, done.stdout.split()[1:3])
    assert written > 100, done.stdout
    assert left <= AHEAD, "the run does not wait"
    assert (tmp_path / "r.mat").read_bytes() == (tmp_path / "whole.mat").read_bytes()
    assert sorted(os.listdir(tmp_path)) == ["M.mo", "r.mat", "whole.mat"]


# ---------------------------------------------------------------- the file


class Run:
    """A run that has so many points."""

    def __init__(self, count: int = 1000, bad: int | None = None) -> None:
        self.rows = np.column_stack([np.arange(count), np.linspace(0.0, 1.0, count)])
        if bad is not None:
            self.rows[bad, 1] = np.nan

    def stop_soon(self) -> None: ...

    def keep_near(self, written: Callable[[], int | None]) -> None:
        self.written = written

    def points(self) -> Any:
        return self.rows

    def so_far(self) -> SimulationError:
        return SimulationError(Diagnostic("R009", "interrupted"), result=self.result())

    def result(self, count: int | None = None) -> Result:
        return Result("M", self.rows[:count].T, [Column("x", 1), Column("p", offset=2.0)])


@pytest.fixture
def state(monkeypatch: pytest.MonkeyPatch) -> stop._State:
    state = stop._State()
    state.lasts = state.is_watched = True
    monkeypatch.setattr(stop, "_state", state)
    monkeypatch.setattr(write_behind, "MANY", 100)
    monkeypatch.setattr(mat_writer, "CHUNK", 20)
    return state


def behind_of(run: Run, folder: Path, steps: int = 10_000) -> WriteBehind:
    behind = WriteBehind(folder / "r.csv")
    with stop.holding(run):
        while steps > 0 and behind._step():
            steps -= 1
    return behind


@pytest.mark.usefixtures("state")
@pytest.mark.parametrize("count", [1000, 700, 30])
@pytest.mark.parametrize("steps", [5, 10_000])
def test_it_becomes_the_file_of_the_result(count: int, steps: int, tmp_path: Path) -> None:
    run = Run()
    behind = behind_of(run, tmp_path, steps)
    assert os.listdir(tmp_path) == []
    (tmp_path / "r.mat").write_text("of an earlier run")
    assert behind.finish(run.result(count), tmp_path / "r.mat")
    write_mat(run.result(count), tmp_path / "same.mat")
    assert (tmp_path / "r.mat").read_bytes() == (tmp_path / "same.mat").read_bytes()
    assert (tmp_path / "r.mat").stat().st_mode == (tmp_path / "same.mat").stat().st_mode
    behind.drop()
    assert sorted(os.listdir(tmp_path)) == ["r.mat", "same.mat"]


@pytest.mark.usefixtures("state")
def test_a_small_run_has_no_file(tmp_path: Path) -> None:
    run = Run(49)
    behind = behind_of(run, tmp_path)
    assert not behind.has_begun
    assert not behind.finish(run.result(), tmp_path / "r.mat")
    assert os.listdir(tmp_path) == []


@pytest.mark.usefixtures("state")
def test_rows_of_another_run_are_not_taken_for_those_of_this(tmp_path: Path) -> None:
    behind = behind_of(Run(), tmp_path)
    other = Run(49)
    with stop.holding(other):
        pass
    assert behind.known() == 0
    assert not behind.finish(other.result(), tmp_path / "r.mat")
    assert os.listdir(tmp_path) == []


@pytest.mark.usefixtures("state")
def test_nothing_is_kept_from_a_number_on_that_is_none(tmp_path: Path) -> None:
    run = Run(bad=505)
    behind = behind_of(run, tmp_path)
    assert 480 < behind.known() <= 505
    with pytest.raises(SimulationError, match="nan"):
        behind.finish(run.result(), tmp_path / "r.mat")
    assert os.listdir(tmp_path) == []
    behind = behind_of(run, tmp_path)
    keep_partial(run.so_far(), CHOICES | {"out": str(tmp_path / "r.mat")}, behind)
    assert len(read_result(tmp_path / "r.partial.mat")) == 505


@pytest.mark.usefixtures("state")
def test_nobody_waits_for_what_is_not_written(tmp_path: Path) -> None:
    run, bad = Run(), Run(bad=505)
    behind = behind_of(run, tmp_path, 5)
    assert run.written() == behind.known() > 0
    behind.drop()
    assert run.written() is None
    behind_of(bad, tmp_path)
    assert bad.written() is None
    behind_of(run, tmp_path, 5)
    behind = behind_of(other := Run(), tmp_path, 5)
    assert other.written() == behind.known() > 0


@pytest.mark.usefixtures("state")
def test_nobody_waits_for_a_thread_that_has_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: object) -> None:
        raise ValueError("unforeseen")

    run, behind = Run(), WriteBehind(tmp_path / "r.csv")
    monkeypatch.setattr(mat_writer.GrowingMat, "append", fail)
    with stop.holding(run), pytest.raises(ValueError, match="unforeseen"):
        behind.work()
    assert run.written() is None
    assert not behind.has_begun


@pytest.mark.usefixtures("state")
def test_without_space_the_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    run = Run()
    monkeypatch.setattr(mat_writer.GrowingMat, "append", full)
    behind = behind_of(run, tmp_path)
    assert not behind.has_begun
    monkeypatch.undo()
    written = write_whole(run.result(), CHOICES | {"out": str(tmp_path / "r.mat")}, behind)
    assert os.listdir(tmp_path) == ["r.mat"]
    assert list(written) == ["mat"]


def test_a_file_has_a_hidden_name_where_it_must(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "O_TMPFILE")
    for action in (Unnamed.drop, lambda file: files.abandon()):
        file = Unnamed(tmp_path)
        assert len(os.listdir(tmp_path)) == 1
        action(file)
        assert os.listdir(tmp_path) == []
    file = Unnamed(tmp_path)
    file.stream.write(b"whole")
    file.become(tmp_path / "r.mat")
    assert (tmp_path / "r.mat").read_bytes() == b"whole"
    assert os.listdir(tmp_path) == ["r.mat"]


# ---------------------------------------------------------------- asked to stop while files are written

CHOICES: dict[str, Any] = {"out": None, "plot": None, "plot_file": None, "plot_steps": None}


@pytest.mark.parametrize("kind", ["csv", "mat"])
@pytest.mark.parametrize("steps", [5, 10_000])
def test_a_run_that_ends_as_it_is_stopped_is_kept_whole(
    kind: str, steps: int, state: stop._State, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Run()
    behind = behind_of(run, tmp_path, steps)
    monkeypatch.setattr(csv_writer, "takes_long", lambda result: len(result) > 50)
    state.questions = 1
    with pytest.raises(KeyboardInterrupt):
        write_whole(run.result(), CHOICES | {"out": str(tmp_path / f"r.{kind}")}, behind)
    kept = "r.mat" if kind == "mat" else "r.partial.mat"
    assert os.listdir(tmp_path) == [kept]
    assert len(read_result(tmp_path / kept)) == 1000
    assert state.answers == 1


def test_a_table_in_the_making_is_kept_in_the_other_form(
    state: stop._State, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Run()
    behind = behind_of(run, tmp_path)
    monkeypatch.setattr(csv_writer, "takes_long", lambda result: len(result) > 50)

    def cut(*arguments: object) -> None:
        state.questions = 1
        raise stop.CutShort(30)

    monkeypatch.setattr("freewheel.result.write_csv.write_csv", cut)
    with pytest.raises(KeyboardInterrupt):
        write_whole(run.result(), CHOICES | {"out": str(tmp_path / "r.csv")}, behind)
    assert os.listdir(tmp_path) == ["r.partial.mat"]
    assert len(read_result(tmp_path / "r.partial.mat")) == 1000


def test_once_more_cuts_what_is_not_written_yet(
    state: stop._State, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Run()
    behind = behind_of(run, tmp_path, 50)
    state.questions = 1
    answers = iter([1] * 20)
    monkeypatch.setattr(mat_writer, "questions", lambda: next(answers, 2))
    failure = run.so_far()
    keep_partial(failure, CHOICES | {"out": str(tmp_path / "r.mat")}, behind)
    assert os.listdir(tmp_path) == ["r.partial.mat"]
    kept = read_result(tmp_path / "r.partial.mat")
    assert 500 < len(kept) < 1000
    assert kept.time.tolist() == [*range(len(kept))]
