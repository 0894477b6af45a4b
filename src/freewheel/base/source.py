"""Files and places in them: a `Source` holds text, a `Span` points into it.

Nodes keep bare character offsets; a `Span` is made only where a place is reported, and line and
column are computed only when it is printed.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path


@dataclass(frozen=True)
class Source:
    """One file (or a piece of text given on the command line)."""

    path: str
    text: str = field(repr=False)

    @classmethod
    def from_text(cls, text: str, path: str = "<text>") -> Source:
        return cls(path, text)

    @classmethod
    def from_bytes(cls, path: Path, data: bytes) -> Source:
        """Decode UTF-8 with or without a byte-order mark; raises UnicodeDecodeError."""
        return cls(str(path), data.decode("utf-8-sig"))

    @classmethod
    def of_library(cls, path: Path, data: bytes) -> Source:
        """A file of a package. The standard library was written in Latin-1 up to version 3.1, so bytes that
        are no UTF-8 are read as that."""
        try:
            return cls.from_bytes(path, data)
        except UnicodeDecodeError:
            return cls(str(path), data.decode("latin-1"))

    @cached_property
    def line_starts(self) -> list[int]:
        starts = [0]
        find = self.text.find
        at = find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = find("\n", at + 1)
        return starts

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """Both counted from one."""
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def line_text(self, line: int) -> str:
        start = self.line_starts[line - 1]
        end = self.text.find("\n", start)
        return self.text[start : len(self.text) if end < 0 else end].rstrip("\r")


@dataclass(frozen=True, slots=True)
class Span:
    """Characters `start` up to (not including) `end` of a source."""

    source: Source
    start: int
    end: int

    @property
    def line(self) -> int:
        return self.source.line_and_column(self.start)[0]

    @property
    def column(self) -> int:
        return self.source.line_and_column(self.start)[1]

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]


NOWHERE = Span(Source("<nowhere>", ""), 0, 0)
