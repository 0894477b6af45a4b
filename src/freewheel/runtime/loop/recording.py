"""Rows of a result while it grows: the slots that vary, copied at each stored point.

recorder = Recorder(live)
recorder.add()                  # the present point
recorder.result(...)            # columns, aliases and constants shared
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from freewheel.base.diagnostics import Diagnostic
from freewheel.base.slots import Info
from freewheel.base.stop import is_asked
from freewheel.result.events import Event
from freewheel.result.impulses import Impulse
from freewheel.result.select import Selection
from freewheel.result.store import Column, Result
from freewheel.runtime.live import LiveModel
from freewheel.runtime.model import Vector

VARYING = ("discrete", "continuous")
FIRST_ROWS = 1024
LARGE = 1_000_000  # numbers, which take milliseconds to copy
ROOM = 32_000_000  # numbers, 256 MB: the system gives memory when it is written to
MOST_LOOKED_AT = 10_000_000  # numbers
MOST_POSITIONS = 8  # of one variable


class Recorder:
    def __init__(self, live: LiveModel, store: Sequence[str] = ()) -> None:
        """`store` names what varies and is kept; without it everything is."""
        self.live = live
        model = live.model
        kept = _kept(model.variables, store)
        self.left_out = frozenset(v.name for v in model.variables) - kept if store else frozenset()
        slots = {v.slot for v in model.variables if v.kind in VARYING and v.slot >= 0}
        if store:
            slots = {v.slot for v in model.variables if v.slot in slots and v.name in kept}
        self.slots = np.array([model.time, *sorted(slots - {model.time})], dtype=np.intp)
        self.rows = np.empty((FIRST_ROWS, len(self.slots)))
        self.count = 0
        self._curves: Vector | None = None

    def add(self) -> None:
        if self.count == len(self.rows):
            self.grow()
        np.take(self.live.memory, self.slots, out=self.rows[self.count])
        self.count += 1

    def grow(self) -> None:
        """A large table so far that it is hardly copied again: Ctrl-C would wait for that."""
        width, twice = len(self.slots), 2 * len(self.rows)
        try:
            grown = np.empty((max(twice, ROOM // width) if twice * width > LARGE else twice, width))
        except MemoryError:  # a limit counts what is not written to as well
            grown = np.empty((twice, width))
        grown[: self.count] = self.rows[: self.count]
        self.rows = grown

    def state(self) -> dict[str, Any]:
        return {"rows": self.rows[: self.count]}

    def take_state(self, saved: Mapping[str, Any]) -> None:
        """Of a run that was saved."""
        rows = saved["rows"]
        assert rows.shape == (len(rows), len(self.slots)), "the rows"
        self.count = 0
        while len(rows) > len(self.rows):
            self.grow()
        self.rows[: len(rows)] = rows
        self.count = len(rows)

    def result(
        self,
        events: Sequence[Event],
        warnings: Sequence[Diagnostic],
        stats: Mapping[str, float | int | str],
        step_sizes: Sequence[tuple[float, float]] | Vector,
        impulses: Sequence[Impulse] = (),
    ) -> Result:
        return Result(
            self.live.model.name,
            self.curves(),
            self._columns(),
            events=events,
            warnings=tuple(warnings),
            stats=dict(stats),
            step_sizes=step_sizes,
            impulses=impulses,
            texts=self._texts(),
        )

    def curves(self) -> Vector:
        """Each in one piece, unless it is about the end: to copy gigabytes takes seconds."""
        if self._curves is None or self._curves.shape[1] != self.count:
            rows = self.rows[: self.count].T
            self._curves = rows if is_asked() else np.ascontiguousarray(rows)
        return self._curves

    def points(self) -> Vector:
        """The rows that will not change, while others may be added. (A compiled loop takes back rows of an
        event that it leaves to Python; it has told how many there are when it was last left.)"""
        count = self.count
        return self.rows[:count]

    def so_far(self, count: int) -> Result:
        """The first rows, while others may be added."""
        rows = self.rows
        data = rows[: min(count, len(rows))].T
        return Result(self.live.model.name, data, self._columns(), texts=self._texts())

    def _texts(self) -> dict[str, str]:
        return {text.name: text.text for text in self.live.model.texts}

    def modes_visited(self) -> int:
        """Different combinations of what switches, in the rows kept; counters are no switches. 0 where
        nothing switches, or there is too much to look at."""
        places = {slot: row for row, slot in enumerate(self.slots.tolist())}
        switching = [
            places[v.slot]
            for v in self.live.model.variables
            if v.kind == "discrete" and v.type != "Real" and v.slot in places
        ]
        columns = sorted(set(switching))
        if not columns or len(columns) * self.count > MOST_LOOKED_AT:
            return 0
        rows = self.rows[: self.count, columns].astype(np.int64)
        few = np.ptp(rows, axis=0) < MOST_POSITIONS if self.count else np.zeros(0, dtype=np.bool_)
        looked_at = np.ascontiguousarray(rows[:, few])
        if not looked_at.shape[1]:
            return min(1, self.count)
        # Rows as single items: a set of them is made without a loop in Python.
        return len(
            {*looked_at.view(f"V{looked_at.itemsize * looked_at.shape[1]}").ravel().tolist()}
        )

    def _columns(self) -> list[Column]:
        """Only parameters differ from run to run; the rest is shared by all runs of a model."""
        variables, slots = self.live.model.variables, tuple(self.slots.tolist())
        key = (slots, self.left_out)
        known = _last[0] if _last else None  # runs in other threads put theirs there
        if known is None or known[0] is not variables or known[1] != key:
            place = {slot: row for row, slot in enumerate(slots)}
            made = [_column(info, place) for info in variables if info.name not in self.left_out]
            held = [k for k, (_, slot) in enumerate(made) if slot >= 0]
            known = (variables, key, [column for column, _ in made], held, made)
            _last[:] = [known]
        _, _, common, held, made = known
        columns = list(common)
        for k in held:
            column, slot = made[k]
            value = column.sign * float(self.live.memory[slot]) + column.offset
            columns[k] = column.holding(value)
        return columns


def _kept(variables: Sequence[Info], store: Sequence[str]) -> frozenset[str]:
    """Names to keep; parameters and constants take no room."""
    if not store:
        return frozenset()
    chosen = Selection([v.name for v in variables]).all_of(store)
    return frozenset(chosen).union(v.name for v in variables if v.kind not in VARYING)


_Known = tuple[
    tuple[Info, ...],
    tuple[tuple[int, ...], frozenset[str]],
    list[Column],
    list[int],
    list[tuple[Column, int]],
]
_last: list[_Known] = []  # of the model that ran last, found again by identity


def _column(info: Info, place: Mapping[int, int]) -> tuple[Column, int]:
    """The column and, of a parameter, the slot of the one number it has in a whole run."""
    is_varying = info.kind in VARYING and info.slot >= 0
    column = Column(
        info.name,
        place[info.slot] if is_varying else -1,
        info.sign,
        info.offset,
        info.kind,
        info.type,
        info.unit,
        info.comment,
        info.is_protected,
        info.literals,
    )
    return column, -1 if is_varying else info.slot
