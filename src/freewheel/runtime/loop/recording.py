"""Rows of a result while it grows: the slots that vary, copied at each stored point.

recorder = Recorder(live)
recorder.add()                  # the present point
recorder.result(...)            # columns, aliases and constants shared
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from time import monotonic, sleep
from typing import Any

import numpy as np
import numpy.typing as npt

from freewheel.base.diagnostics import Diagnostic
from freewheel.base.slots import Info
from freewheel.base.stop import is_asked
from freewheel.result.events import Event
from freewheel.result.impulses import Impulse
from freewheel.result.select import Selection
from freewheel.result.store import Column, Result
from freewheel.runtime.live import LiveModel
from freewheel.runtime.loop.habits import habits_of
from freewheel.runtime.model import CompiledModel, Vector, once, slots_of

VARYING = ("discrete", "continuous")
SPARE = 2  # a result keeps no more than so many times the room it needs
LARGE = 1_000_000  # numbers, which take milliseconds to copy
ROOM = 32_000_000  # numbers, 256 MB: the system gives memory when it is written to
AHEAD = 4_000_000  # numbers stored and not written: a disk takes them within a tenth of a second
FEW_ROWS = 16  # more than an event stores
SOON = 1e-3  # seconds between two questions how far the writer is
PATIENCE = (
    2.0  # seconds for half of `AHEAD`, 16 MB: a disk that is slower does not keep the run waiting
)
MOST_LOOKED_AT = 10_000_000  # numbers
MOST_POSITIONS = 8  # of one variable


class Recorder:
    def __init__(self, live: LiveModel, store: Sequence[str] = ()) -> None:
        """`store` names what varies and is kept; without it everything is."""
        self.live = live
        self.table = once(_table, live.model, tuple(store))
        self.slots = self.table.slots
        self.habits = habits_of(live.model)
        self.rows = np.empty((self.habits.rows, len(self.slots)))
        self.count = 0
        self.written: Callable[[], int | None] | None = None  # rows, by somebody who writes them
        self._lent = 0

    def add(self) -> None:
        if self.count == len(self.rows):
            self.grow()
        np.take(self.live.memory, self.slots, out=self.rows[self.count])
        self.count += 1

    def lend(self) -> int:
        """Rows that a compiled loop may fill before it asks for more: it does not run away from whoever
        writes them."""
        done = None if self.written is None or is_asked() else self.written()
        self._lent = (
            len(self.rows)
            if done is None
            else min(len(self.rows), max(self.count, done + self._ahead))
        )
        return self._lent

    @property
    def _ahead(self) -> int:
        return max(FEW_ROWS, AHEAD // len(self.slots))

    def make_room(self) -> bool:
        """For more rows than were lent; whether that was a matter of waiting."""
        if self._lent < len(self.rows):
            self._wait()
            return True
        self.grow()
        return False

    def _wait(self) -> None:
        """Until half of the rows that are ahead are written, or there is no more reason to wait."""
        late = monotonic() + PATIENCE
        while self.written is not None and not is_asked():
            done = self.written()
            if done is None or monotonic() > late:
                self.written = None
            elif self.count <= done + self._ahead // 2:
                return
            else:
                sleep(SOON)

    def grow(self) -> None:
        """A large table so far that it is hardly copied again: Ctrl-C would wait for that."""
        width, twice = len(self.slots), 2 * len(self.rows)
        try:
            grown = np.empty((max(twice, ROOM // width) if twice * width > LARGE else twice, width))
        except MemoryError:  # a limit counts what is not written to as well
            grown = np.empty((twice, width))
        grown[: self.count] = self.rows[: self.count]
        self.rows = grown
        self.habits.saw_rows(twice, width)

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
        events: Callable[[], Sequence[Event]],
        warnings: Callable[[Vector], Sequence[Diagnostic]],
        said: Sequence[Diagnostic],
        stats: Mapping[str, float | int | str],
        step_sizes: Sequence[tuple[float, float]] | Vector,
        impulses: Sequence[Impulse] = (),
        counts_modes: bool = False,
    ) -> Result:
        """With `counts_modes` statistics say how many there were."""
        return Result(
            self.live.model.name,
            self.curves(),
            self._columns(),
            events=events,
            warnings=warnings,
            said=said,
            stats=stats,
            more_stats=partial(modes_visited, self.table.switching) if counts_modes else None,
            step_sizes=step_sizes,
            impulses=impulses,
            texts=self._texts(),
        )

    def curves(self) -> Vector:
        """As rows lie: the result lays each in one piece when one is read. Few rows are copied, for the room
        there is for many would last as long as the result."""
        rows = self.rows[: self.count]
        return rows.T if is_asked() or SPARE * self.count >= len(self.rows) else rows.copy().T

    def points(self) -> Vector:
        """The rows that will not change, while others may be added. (A compiled loop takes back rows of an
        event that it leaves to Python; it has set how many there are when it was last left.)"""
        count = self.count
        return self.rows[:count]

    def so_far(self, count: int) -> Result:
        """The first rows, while others may be added."""
        rows = self.rows
        data = rows[: min(count, len(rows))].T
        return Result(self.live.model.name, data, self._columns(), texts=self._texts())

    def _texts(self) -> dict[str, str]:
        return {text.name: text.text for text in self.live.model.texts}

    def _columns(self) -> Callable[[], list[Column]]:
        """Only parameters differ from run to run."""
        return partial(self.table.columns, self.live.memory[self.table.held_slots])


def modes_visited(switching: npt.NDArray[np.intp], data: Vector) -> dict[str, int]:
    """Different combinations of what switches, in the curves kept; counters are no switches. 0 where
    nothing switches, or there is too much to look at."""
    count = data.shape[1]
    if not len(switching) or len(switching) * count > MOST_LOOKED_AT:
        return {"modes visited": 0}
    curves = data[switching].astype(np.int64)
    few = np.ptp(curves, axis=1) < MOST_POSITIONS if count else np.zeros(0, dtype=np.bool_)
    if not few.any():
        return {"modes visited": min(1, count)}
    # Points as single items: a set of them is made without a loop in Python.
    points = np.ascontiguousarray(curves[few].T)
    return {"modes visited": len({*points.view(f"V{points[0].nbytes}").ravel().tolist()})}


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """What a result of a model holds, whatever the run."""

    slots: npt.NDArray[np.intp]  # of the curves, time first
    common: tuple[Column, ...]
    held: tuple[int, ...]  # columns of one number, which the run decides
    held_slots: npt.NDArray[np.intp]
    switching: npt.NDArray[np.intp]  # curves of what switches

    def columns(self, values: Vector) -> list[Column]:
        """`values`: those in `held_slots`."""
        columns = list(self.common)
        for k, value in zip(self.held, values.tolist(), strict=True):
            column = columns[k]
            columns[k] = column.holding(column.sign * value + column.offset)
        return columns


def _table(model: CompiledModel, store: Sequence[str]) -> Table:
    variables = model.variables
    kept = _kept(variables, store)
    varying = {v.slot for v in variables if v.kind in VARYING and v.slot >= 0}
    if store:
        varying = {v.slot for v in variables if v.slot in varying and v.name in kept}
    slots = [model.time, *sorted(varying - {model.time})]
    place = {slot: row for row, slot in enumerate(slots)}
    made = [_column(info, place) for info in variables if not store or info.name in kept]
    held = [k for k, (_, slot) in enumerate(made) if slot >= 0]
    switching = {
        place[v.slot]
        for v in variables
        if v.kind == "discrete" and v.type != "Real" and v.slot in place
    }
    return Table(
        slots_of(slots),
        tuple(column for column, _ in made),
        tuple(held),
        slots_of(made[k][1] for k in held),
        slots_of(sorted(switching)),
    )


def _kept(variables: Sequence[Info], store: Sequence[str]) -> frozenset[str]:
    """Names to keep; parameters and constants take no room."""
    if not store:
        return frozenset()
    chosen = Selection([v.name for v in variables]).all_of(store)
    return frozenset(chosen).union(v.name for v in variables if v.kind not in VARYING)


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
