"""`QuantizedModel`: the rows of a compiled model, as quantized-state methods evaluate them.

Rows are derivatives, one per state, then residuals, one per relation, then handlers, then delayed signals.
Records are states, then inputs, then delayed values. `table[starts[row] : starts[row + 1]]` is an argument of
the functions of a row (`backend/llvm_rows.py`): numbers of records, `counts[row]` of them, then of discrete
variables.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class HandledEvents:
    """Relations that only a few discrete variables depend on."""

    starts: Integers  # relation -> handlers
    listed: Integers
    places: Integers  # per handler: slots of its target and of the pre value, state, slot of its new value
    # Relation -> inactive relations whose statuses its handlers read.
    inactive_starts: Integers
    inactive: Integers
    awake: int  # slot: while it is 0.0 their residuals are evaluated, too

    @staticmethod
    def of(
        listed: Sequence[Sequence[int]],
        places: Integers,
        inactive: Sequence[Sequence[int]] = (),
        awake: int = -1,
    ) -> HandledEvents:
        both = (*flat(listed), places, *flat(inactive or [()] * len(listed)))
        return HandledEvents(*both, awake)


def flat(listed: Sequence[Sequence[int]]) -> tuple[Integers, Integers]:
    starts = np.zeros(len(listed) + 1, dtype=np.int64)
    np.cumsum([len(part) for part in listed], out=starts[1:])
    return starts, np.array([number for part in listed for number in part], dtype=np.int64)


def _no_numbers() -> Integers:
    return np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class QuantizedPast:
    """Delayed signals, one per line of history, and delayed values (program/past.py)."""

    rows: Integers = field(default_factory=_no_numbers)  # of signals; of delayed values, or -1
    bent: Integers = field(default_factory=_no_numbers)  # 1: nonlinear
    kinds: Integers = field(default_factory=_no_numbers)  # of delayed values
    numbers: Integers = field(
        default_factory=_no_numbers
    )  # of delayed values: line, or end of a pipe
    lags: Integers = field(
        default_factory=_no_numbers
    )  # of delayed values: slot of the delay time, or -1
    line_readers: tuple[tuple[int, ...], ...] = ()  # line -> delayed values

    @property
    def lines(self) -> int:
        return len(self.line_readers)


@dataclass(frozen=True, slots=True, eq=False)
class QuantizedModel:
    order: int  # derivatives of rows by time that the functions give, and the rows themselves
    states: int
    relations: int
    inputs: tuple[int, ...]  # slots
    rates: Integers  # addresses of functions, one per row
    own: Integers  # of derivatives: also with the slope by the own state; 0: none
    # Per row: partial derivatives by its records. 0: not known or not needed; of relations also not constant.
    slopes: Integers
    starts: Integers
    table: Integers
    counts: Integers
    follows_time: Integers  # per row: TIME_VARYING, NONLINEAR or 0
    corners: Integers  # per derivative: 1: it may have a jump or kink without an event
    watched: Integers  # slots of discrete variables that rows read
    reader_starts: Integers  # of these -> rows
    reader_rows: Integers
    is_local: Integers  # per relation: ROWS_ONLY, LOCAL or GLOBAL
    handled: HandledEvents
    set_stride: Callable[[float], None]  # of rows that are differentiated by differences in time
    past: QuantizedPast = field(default_factory=QuantizedPast)
    shapes: int = 0
    alive: Sequence[Any] = field(default_factory=tuple)  # machine code lives as long as this

    @property
    def records(self) -> int:
        return self.states + len(self.inputs) + len(self.past.kinds)

    def dependants(self, rows: Integers) -> tuple[Integers, Integers]:
        """Record -> those of some rows (-1: none) that depend on it, by their index in `rows`."""
        there = np.flatnonzero(rows >= 0)
        sizes = self.counts[rows[there]]
        readers = np.repeat(there, sizes)
        columns = self.table[_places(self.starts[rows[there]], sizes)]
        order = np.lexsort((readers, columns))
        starts = np.zeros(self.records + 1, dtype=np.int64)
        np.cumsum(np.bincount(columns, minlength=self.records), out=starts[1:])
        return starts, readers[order]


def _places(starts: Integers, sizes: Integers) -> Integers:
    """Consecutive numbers from each start, as many as its size."""
    total = int(sizes.sum())
    before = np.repeat(np.cumsum(sizes) - sizes, sizes)
    return np.repeat(starts, sizes) + np.arange(total, dtype=np.int64) - before
