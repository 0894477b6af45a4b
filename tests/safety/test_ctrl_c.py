"""Ctrl-C: an end at once, and the curves of a run are kept whatever it was doing."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from types import ModuleType

import numpy as np
import pytest
from tests.safety.interrupted import interrupted, rows_of

from freewheel import read_result
from freewheel.base import files, stop
from freewheel.base.diagnostics import Diagnostic, SimulationError, UsageError
from freewheel.base.files import replacing
from freewheel.machine.kernel import KernelModule
from freewheel.result import number_text
from freewheel.result import write_csv as csv_writer
from freewheel.result import write_mat as mat_writer
from freewheel.result.store import Column, Result
from freewheel.result.write_csv import write_csv
from freewheel.result.write_mat import write_mat
from freewheel.tools.run_files import keep_partial, write_whole

WORK = 0.5  # seconds of the processor from the signal to the end, all rows written
BUSY = 10.0  # times as much at most on a machine that does other things
SWING = "Real x(start = 1, fixed = true), v(start = 0, fixed = true); equation der(x) = v;"
LONG = ("--stop", "1e8", "--interval", "50")
# Runs that take days.
MODELS: dict[str, tuple[str, tuple[str, ...]]] = {
    "ODE": (f"{SWING} der(v) = -x;", LONG),
    "stiff": (f"{SWING} der(v) = 1000*(1 - x^2)*v - x;", LONG),
    "events": (
        "Real x(start = 0, fixed = true); discrete Real s(start = 1, fixed = true); equation der(x) = s;"
        " when x > 1 then s = -1; elsewhen x < -1 then s = 1; end when;",
        ("--stop", "1e7", "--interval", "5", "--max-events", "1000000000"),
    ),
    "ideal": (
        "Real i(start = 0, fixed = true), u, w; Boolean off(start = true); Real s; equation"
        " u = sin(time); der(i) = w - i; off = s < 0; u - w = if off then s else 0;"
        " i = if off then 0 else s;",
        ("--stop", "1e7", "--interval", "5"),
    ),
    "QSS": (
        f"{SWING} der(v) = -x;",
        (*LONG, "--solver", "qss2", "--max-steps", "1000000000000"),
    ),
    "delay": ("Real x(start = 1, fixed = true); equation der(x) = -delay(x, 1);", LONG),
    "CVODE": (f"{SWING} der(v) = 5*(1 - x^2)*v - x;", (*LONG, "--solver", "cvode")),
    "Python": (f"{SWING} der(v) = -x;", (*LONG, "--backend", "python")),
}
# From time 1 on an evaluation takes hours.
STUCK = """model M function f input Real x; output Real y; algorithm y := x;
  for i in 1:1000000 loop for j in 1:1000000 loop y := y + sin(y); end for; end for; end f;
  Real x(start = 1, fixed = true); equation der(x) = if time > 1 then -f(x) else -x; end M;"""


def started(name: str, folder: Path) -> list[str]:
    body, options = MODELS[name]
    (folder / "M.mo").write_text(f"model M {body} end M;")
    (folder / "r.csv").write_text("of an earlier run\n")
    return ["run", "M.mo", *options, "--out", "r.csv"]


def check_kept(name: str, folder: Path, wait: float) -> float:
    """Seconds of the processor from the signal to the end."""
    ended = interrupted(started(name, folder), folder, wait)
    assert ended.status == 130, ended.told
    assert "error[R009]: interrupted at time " in ended.told
    assert "Traceback" not in ended.told
    assert (folder / "r.csv").read_text() == "of an earlier run\n"
    file = "r.partial.mat" if "r.partial.mat" in ended.told else "r.partial.csv"  # many rows or few
    assert sorted(os.listdir(folder)) == ["M.mo", "r.csv", file]
    assert times_of(folder / file)[0] == 0.0
    return ended.work


def times_of(path: Path) -> list[float]:
    return rows_of(path) if path.suffix == ".csv" else list(read_result(path).time)


@pytest.mark.parametrize("name", MODELS)
def test_an_interrupted_run_keeps_its_curves(name: str, tmp_path: Path) -> None:
    assert check_kept(name, tmp_path, 0.3) < BUSY * WORK


@pytest.mark.long
@pytest.mark.parametrize("name", MODELS)
def test_at_any_time_a_run_keeps_its_curves(name: str, tmp_path: Path) -> None:
    chance, found = random.Random(name), []
    for number in range(30):
        folder = tmp_path / str(number)
        folder.mkdir()
        found.append(check_kept(name, folder, 0.8 * chance.random() ** 2))
    assert median(found) < WORK


@pytest.mark.parametrize("kind", ["csv", "mat"])
def test_machine_code_that_does_not_return_keeps_the_curves(kind: str, tmp_path: Path) -> None:
    (tmp_path / "M.mo").write_text(STUCK)
    for wait in (2.0, 8.0, 20.0):  # a busy machine may take long to begin
        words = ["run", "M.mo", "--stop", "10", "--out", f"r.{kind}"]
        ended = interrupted(words, tmp_path, wait, is_stuck=True)
        assert ended.status == 130, ended.told
        if "R009" in ended.told:
            break
    assert ended.work < BUSY * WORK
    assert f"the curves up to time 1 are in r.partial.{kind}" in ended.told
    assert sorted(os.listdir(tmp_path)) == ["M.mo", f"r.partial.{kind}"]


# ---------------------------------------------------------------- files that are cut short


def table(count: int) -> Result:
    data = np.array([np.arange(count), np.linspace(0.0, 1.0, count)])
    return Result("M", data, [Column("x", 1)])


def asked_after(
    monkeypatch: pytest.MonkeyPatch, looks: int, writer: ModuleType = csv_writer
) -> None:
    """A stop is asked for once the writer has looked so often."""
    answers = iter([0] * (looks + 1))
    monkeypatch.setattr(writer, "questions", lambda: next(answers, 1))
    monkeypatch.setattr(writer, "CHUNK", 20)


def test_a_table_is_cut_at_a_whole_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked_after(monkeypatch, 3)
    (tmp_path / "r.csv").write_text("old")
    with pytest.raises(stop.CutShort) as caught:
        write_csv(table(1000), tmp_path / "r.csv", tmp_path / "short.csv")
    assert caught.value.rows == 30
    assert rows_of(tmp_path / "short.csv") == list(range(30))
    assert (tmp_path / "r.csv").read_text() == "old"
    assert sorted(os.listdir(tmp_path)) == ["r.csv", "short.csv"]


def test_a_trajectory_file_is_cut_at_a_whole_point(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_mat(table(1000).until(30), tmp_path / "whole.mat")
    asked_after(monkeypatch, 3, mat_writer)
    with pytest.raises(stop.CutShort) as caught:
        write_mat(table(1000), tmp_path / "r.mat", tmp_path / "short.mat")
    assert caught.value.rows == 30
    assert (tmp_path / "short.mat").read_bytes() == (tmp_path / "whole.mat").read_bytes()
    assert sorted(os.listdir(tmp_path)) == ["short.mat", "whole.mat"]


@pytest.mark.parametrize("looks", [0, 3])
@pytest.mark.parametrize("writer", [csv_writer, mat_writer])
def test_without_rows_or_a_place_nothing_is_left(
    looks: int, writer: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked_after(monkeypatch, looks, writer)
    write = write_csv if writer is csv_writer else write_mat
    place = tmp_path / "short" if looks == 0 else None
    with pytest.raises(stop.CutShort):
        write(table(1000), tmp_path / "r", place)
    assert os.listdir(tmp_path) == []


def interruption(count: int) -> SimulationError:
    return SimulationError(Diagnostic("R009", "interrupted"), result=table(count))


NO_FILES = {"out": None, "plot": None, "plot_file": None, "plot_steps": None}


@pytest.mark.parametrize(("count", "ending"), [(10_000, "csv"), (1_000_001, "mat")])
def test_many_rows_are_kept_in_another_form_than_text(
    count: int,
    ending: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(stop._state, "questions", 1)
    keep_partial(interruption(count), {**NO_FILES, "out": str(tmp_path / "r.csv")})
    assert os.listdir(tmp_path) == [f"r.partial.{ending}"]
    assert np.array_equal(read_result(tmp_path / f"r.partial.{ending}")["x"], table(count)["x"])
    assert ('.to_file("' in capsys.readouterr().err) == (ending == "mat")


@pytest.mark.parametrize(("count", "ending"), [(10_001, "csv"), (50_001, "mat")])
def test_nothing_is_compiled_once_a_stop_is_asked_for(
    count: int, ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What writes tables fast takes a second where it is not kept from before."""
    monkeypatch.setenv("FREEWHEEL_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(number_text, "module", KernelModule("none kept"))
    monkeypatch.setattr(stop._state, "questions", 1)
    out = tmp_path / "out"
    out.mkdir()
    keep_partial(interruption(count), {**NO_FILES, "out": str(out / "r.csv")})
    assert os.listdir(out) == [f"r.partial.{ending}"]
    assert np.array_equal(read_result(out / f"r.partial.{ending}")["x"], table(count)["x"])
    assert not number_text.module.has_code


def test_a_run_that_fails_by_itself_has_time_for_text(tmp_path: Path) -> None:
    keep_partial(interruption(1_000_001), {**NO_FILES, "out": str(tmp_path / "r.csv")})
    assert os.listdir(tmp_path) == ["r.partial.csv"]


def test_no_picture_is_drawn_once_a_stop_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stop._state, "questions", 1)
    files = {"out": str(tmp_path / "r.csv"), "plot": "x", "plot_file": str(tmp_path / "p.png")}
    keep_partial(interruption(100), {**files, "plot_steps": str(tmp_path / "s.png")})
    assert os.listdir(tmp_path) == ["r.partial.csv"]


def test_rows_kept_of_a_whole_run_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked_after(monkeypatch, 3)
    choices = {"out": str(tmp_path / "r.csv"), "plot": None, "plot_file": None, "plot_steps": None}
    with pytest.raises(KeyboardInterrupt):
        write_whole(table(1000), choices)
    assert "the first 30 of 1000 rows, up to time 29, are in " in capsys.readouterr().err
    assert os.listdir(tmp_path) == ["r.partial.csv"]


def test_a_run_that_ends_as_it_is_stopped_is_written_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(stop._state, "questions", 1)
    choices = {"out": str(tmp_path / "r.csv"), "plot": None, "plot_file": None, "plot_steps": None}
    with pytest.raises(KeyboardInterrupt):
        write_whole(table(1000), choices)
    assert len(rows_of(tmp_path / "r.csv")) == 1000
    assert "the curves up to time 999 are in " in capsys.readouterr().err


def test_a_run_that_ends_as_it_is_stopped_is_kept_unasked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stop._state, "questions", 1)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "M.csv").write_text("of somebody else")
    with pytest.raises(KeyboardInterrupt):
        write_whole(table(1000), NO_FILES)
    assert len(rows_of(tmp_path / "M.partial.csv")) == 1000
    assert sorted(os.listdir(tmp_path)) == ["M.csv", "M.partial.csv"]


def test_what_is_half_written_is_taken_away_before_the_end(tmp_path: Path) -> None:
    def write() -> None:
        with replacing(tmp_path / "r.csv") as stream:
            stream.write("half")
            files.abandon()
            assert os.listdir(tmp_path) == []

    with pytest.raises(UsageError):
        write()
    assert os.listdir(tmp_path) == []


# ---------------------------------------------------------------- who ends the process


class Work:
    def __init__(self) -> None:
        self.is_asked = False

    def stop_soon(self) -> None:
        self.is_asked = True

    def so_far(self) -> str:
        return "rows"


@pytest.fixture
def state(monkeypatch: pytest.MonkeyPatch) -> stop._State:
    state = stop._State()
    monkeypatch.setattr(stop, "_state", state)
    return state


def test_nothing_is_held_without_a_watch(state: stop._State) -> None:
    with stop.lasting(), stop.holding(Work()):
        assert not stop.is_held()
        assert stop.take_over() is None


def test_what_is_held_is_told_and_stays_until_it_is_claimed(state: stop._State) -> None:
    stop.watched()
    work = Work()
    with stop.lasting():
        assert stop.may_raise()
        with stop.holding(work):
            assert not stop.may_raise()
            stop.ask()
            assert work.is_asked
        assert stop.is_held()
        assert state.held is work  # on its way to a file
        stop.claim()
        assert stop.take_over() is None
    assert not stop.is_held()


def test_the_handler_raises_once(state: stop._State) -> None:
    assert stop.may_raise()
    assert not stop.may_raise()
    stop.forget()  # a session goes on
    assert stop.may_raise()


# ---------------------------------------------------------------- processes beside the command


def test_no_process_of_check_outlives_it(tmp_path: Path) -> None:
    classes = "".join(
        f"model M{i} Real x[{i}] = sin(time) * (1:{i}); end M{i};" for i in range(1, 2000)
    )
    (tmp_path / "P.mo").write_text(f"package P {classes} end P;")
    words = [sys.executable, "-m", "freewheel", "check", "P.mo", "--jobs", "2"]
    with subprocess.Popen(
        words,
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:
        time.sleep(4.0)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 130
    for _ in range(200):  # a busy machine takes its time
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    os.killpg(process.pid, signal.SIGKILL)
    pytest.fail("a process is left")


def test_a_command_that_only_begins_ends_without_a_traceback() -> None:
    """Its first tenth of a second goes into imports."""
    child = "\n".join(
        (
            "import os, signal, sys",
            "class Finder:",
            "    def find_spec(self, name, *_):",
            "        if name == 'freewheel.tools.cli':",
            "            os.kill(os.getpid(), signal.SIGINT)",
            "sys.meta_path.insert(0, Finder())",
            "from freewheel.__main__ import main",
            "main()",
        )
    )
    done = subprocess.run([sys.executable, "-c", child, "--version"], capture_output=True)
    assert done.returncode == -signal.SIGINT
    assert done.stderr == b""
