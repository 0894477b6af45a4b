"""Signals that drive the inputs of a model.

    constant(5.0)
    expression(lambda t: sin(100 * t))
    read_inputs(Path("data.csv"), held=False)["u"]

A signal is asked for the *piece* that begins at a time: a smooth function, valid until the next
break, and whether the value jumps there. Integration stops at breaks, so no step ever sees a kink
or a jump; a jump makes an event.
"""

from __future__ import annotations

import csv
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf, isfinite
from pathlib import Path
from typing import Protocol

from freewheel.base.files import require_no_device
from freewheel.runtime.diagnostics import usage


@dataclass(frozen=True, slots=True)
class Line:
    """A straight piece, which machine code can follow."""

    t0: float
    y0: float
    slope: float = 0.0
    t1: float = inf
    y1: float = 0.0  # hit exactly at the end, for the next piece to join

    def __call__(self, t: float) -> float:
        return self.y0 + self.slope * (t - self.t0) if t < self.t1 else self.y1


@dataclass(frozen=True, slots=True)
class Piece:
    value: Callable[[float], float]  # a `Line` where it is one
    end: float = inf
    jumps: bool = False  # at the end


class InputSignal(Protocol):
    def piece(self, t: float) -> Piece:
        """From `t` onward."""
        ...


@dataclass(frozen=True, slots=True)
class Smooth:
    """A function of time without breaks."""

    function: Callable[[float], float]

    def piece(self, t: float) -> Piece:
        return Piece(self.function)


@dataclass(frozen=True, slots=True)
class Table:
    """Points in time; between them a line or the last value, outside the first and the last value.

    A time that occurs twice is a jump.
    """

    times: tuple[float, ...]
    values: tuple[float, ...]
    held: bool = False

    def piece(self, t: float) -> Piece:
        at = bisect_right(self.times, t) - 1  # the last point not after t
        if at < 0:
            first = self.values[0]
            jumps = len(self.times) > 1 and self.times[1] == self.times[0]
            return Piece(Line(0.0, first, t1=self.times[0], y1=first), self.times[0], jumps)
        if at + 1 == len(self.times):
            last = self.values[-1]
            return Piece(Line(0.0, last))
        t0, t1, y0, y1 = self.times[at], self.times[at + 1], self.values[at], self.values[at + 1]
        if self.held:
            return Piece(Line(t0, y0, t1=t1, y1=y0), t1, True)
        slope = (y1 - y0) / (t1 - t0)
        return Piece(Line(t0, y0, slope, t1, y1), t1, self._jumps(at + 1))

    def _jumps(self, at: int) -> bool:
        return at + 1 < len(self.times) and self.times[at + 1] == self.times[at]


def constant(value: float) -> InputSignal:
    return Smooth(Line(0.0, value))


def expression(function: Callable[[float], float]) -> InputSignal:
    return Smooth(function)


def read_inputs(path: Path, held: bool = False) -> dict[str, InputSignal]:
    """Columns of a CSV file with a header `"time","u",...`; times must not fall."""
    try:
        require_no_device(path)
        with open(path, encoding="utf-8-sig", newline="") as stream:
            rows = [row for row in csv.reader(stream) if any(cell.strip() for cell in row)]
    except OSError as problem:
        raise _bad(path, f"cannot be read: {problem.strerror or problem}") from problem
    except UnicodeDecodeError as problem:
        raise _bad(path, "is not UTF-8 text", "save it as CSV in UTF-8") from problem
    except csv.Error as problem:
        raise _bad(path, f"is not a text table: {problem}") from problem
    if path.suffix.lower() in (".xlsx", ".xls", ".ods"):
        raise _bad(path, "is a spreadsheet", "save it as CSV")
    if len(rows) < 2:
        raise _bad(path, "holds no data", 'a header `"time","u"` and at least one row are needed')
    names = [cell.strip() for cell in rows[0]]
    if names[0] != "time" or len(names) < 2:
        raise _bad(path, "does not begin with a column `time`", _header(rows[0]))
    columns = _columns(path, names, rows[1:])
    times = columns[0]
    for number, (earlier, later) in enumerate(pairwise(times), start=3):
        if later < earlier:
            raise _bad(path, f"goes back in time in row {number}: {later:g} after {earlier:g}")
    return {
        name: Table(tuple(times), tuple(column), held)
        for name, column in zip(names[1:], columns[1:], strict=True)
    }


def _header(first: Sequence[str]) -> str:
    """What is wrong with the first row."""
    text = "".join(first)
    if len(first) == 1 and any(mark in text for mark in ";\t|"):
        return "separate the columns by commas"
    if text[:1].isdigit():
        return 'the first row names the columns, as in `"time","u"`'
    return 'write a header `"time","u"`: the first column is the time'


def _columns(path: Path, names: Sequence[str], rows: Sequence[Sequence[str]]) -> list[list[float]]:
    columns: list[list[float]] = [[] for _ in names]
    for number, row in enumerate(rows, start=2):
        if len(row) != len(names):
            raise _bad(path, f"has {len(row)} cells in row {number}, the header has {len(names)}")
        for name, column, cell in zip(names, columns, row, strict=True):
            column.append(_number(path, number, name, cell))
    return columns


def _number(path: Path, row: int, name: str, cell: str) -> float:
    try:
        value = float(cell)
    except ValueError:
        value = inf
    if not isfinite(value):
        what = f"has no number in row {row}, column `{name}`: `{cell[:40]}`"
        if "," in cell:
            raise _bad(path, what, "write decimal numbers with a point")
        raise _bad(path, what)
    return value


def _bad(path: Path, what: str, help: str = "correct the input file") -> Exception:
    return usage("U024", f"`{path}` {what}", help, file=str(path))
