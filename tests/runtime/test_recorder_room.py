"""A compiled loop does not run away from whoever writes its rows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from freewheel import load
from freewheel.base import stop
from freewheel.runtime.live import LiveModel
from freewheel.runtime.loop import recording
from freewheel.runtime.loop.recording import FEW_ROWS, Recorder


def recorder_of(folder: Path, written: Callable[[], int | None] | None) -> Recorder:
    """Room for a thousand rows."""
    (folder / "M.mo").write_text("model M Real x = sin(time); end M;")
    recorder = Recorder(LiveModel(load(folder / "M.mo").compiled()))
    recorder.count, recorder.written = 500, written
    return recorder


@pytest.fixture(autouse=True)
def ahead(monkeypatch: pytest.MonkeyPatch) -> int:
    """Rows of two numbers that may be ahead."""
    monkeypatch.setattr(recording, "AHEAD", 200)
    return 100


def test_all_room_is_lent_where_nobody_writes(tmp_path: Path) -> None:
    for written in (None, lambda: None):
        recorder = recorder_of(tmp_path, written)
        room = recorder.lend()
        assert room == len(recorder.rows)
        assert not recorder.make_room()
        assert len(recorder.rows) > room


@pytest.mark.parametrize("done", [0, 399, 400, 450, 500])
def test_so_many_rows_are_ahead_at_most(done: int, ahead: int, tmp_path: Path) -> None:
    assert recorder_of(tmp_path, lambda: done).lend() == max(500, done + ahead)


def test_an_event_finds_room_however_wide_the_rows_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording, "AHEAD", 1)
    assert recorder_of(tmp_path, lambda: 500).lend() == 500 + FEW_ROWS


def test_it_waits_until_half_of_that_is_written(ahead: int, tmp_path: Path) -> None:
    counts = iter(range(400, 1000, 10))
    recorder = recorder_of(tmp_path, lambda: next(counts))
    assert recorder.lend() == 500
    assert recorder.make_room()
    assert recorder.lend() == 460 + ahead


def test_it_does_not_wait_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "PATIENCE", 0.01)
    recorder = recorder_of(tmp_path, lambda: 400)
    recorder.lend()
    assert recorder.make_room()
    assert recorder.lend() == len(recorder.rows)


def test_it_does_not_wait_once_it_is_to_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder = recorder_of(tmp_path, lambda: 400)
    recorder.lend()
    monkeypatch.setattr(stop._state, "questions", 1)
    monkeypatch.setattr(recording, "sleep", None)
    assert recorder.make_room()
    assert recorder.lend() == len(recorder.rows)
