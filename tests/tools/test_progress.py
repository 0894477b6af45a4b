"""The progress bar: drawn on a terminal that has waited long enough, silent elsewhere."""

import io
import sys

from freewheel.tools import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_silence_when_nobody_watches(monkeypatch):
    piped = io.StringIO()
    monkeypatch.setattr(sys, "stderr", piped)
    monkeypatch.setattr(progress, "PATIENCE", 0.0)

    with progress.progress_bar() as tell:
        tell(0.5)

    assert piped.getvalue() == ""


def test_a_quick_run_does_not_flicker(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)

    with progress.progress_bar() as tell:
        tell(0.5)

    assert terminal.getvalue() == ""


def test_a_slow_run_shows_how_far_it_is(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(progress, "PATIENCE", 0.0)

    with progress.progress_bar() as tell:
        tell(0.5)

    assert "simulating" in terminal.getvalue()
