"""A progress bar on a terminal, silence everywhere else.

with progress_bar() as tell:
    tell(0.3)       # 30 % done
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

PATIENCE = 0.5  # seconds before a bar appears: a quick run should not flicker
REFRESH = 0.05  # seconds between two updates


@contextmanager
def progress_bar(doing: str = "simulating") -> Iterator[Callable[[float], None]]:
    """A function that takes the fraction done; it draws only where somebody watches stderr."""
    if not sys.stderr.isatty():
        yield lambda fraction: None
        return
    bar = _Bar(doing)
    try:
        yield bar.tell
    finally:
        bar.close()


class _Bar:
    """Starts `rich` only once the run has proved to be slow (its import takes 0.1 s)."""

    def __init__(self, doing: str) -> None:
        self.doing = doing
        self.due = monotonic() + PATIENCE
        self.stop: Callable[[], None] | None = None
        self.move: Callable[[float], None] | None = None

    def tell(self, fraction: float) -> None:
        now = monotonic()
        if now < self.due:
            return
        self.due = now + REFRESH
        if self.move is None:
            self._open()
        assert self.move is not None
        self.move(fraction)

    def _open(self) -> None:
        from rich.console import Console
        from rich.progress import Progress

        progress = Progress(console=Console(stderr=True), transient=True)
        task = progress.add_task(self.doing, total=1.0)
        progress.start()
        self.stop = progress.stop
        self.move = lambda fraction: progress.update(task, completed=fraction)

    def close(self) -> None:
        if self.stop is not None:
            self.stop()
