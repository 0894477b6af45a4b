"""Where the output of a session goes: the screen, or the file that `outfile` named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from freewheel.base.files import replacing


class Outlet:
    """Texts to the screen, or one after the other into a file that begins empty."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self._file: Path | None = None
        self._text = ""

    def direct(self, file: Path | None) -> None:
        self._file = file
        self._text = ""

    def screen(self, text: str) -> None:
        """Messages are for the user, wherever output goes."""
        self._write(text.rstrip("\n"))

    def write(self, text: str) -> None:
        if self._file is None:
            self.screen(text)
            return
        self._text += text if text.endswith("\n") else text + "\n"
        with replacing(self._file) as stream:
            stream.write(self._text)
