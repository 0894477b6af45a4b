"""`QuantizedModel`: rows of a compiled model one by one, as quantized-state methods evaluate them.

Rows are derivatives, one per state, and after them residuals, one per relation. Records are states and
after them inputs. `table[starts[row] : starts[row + 1]]` is what the functions of a row are handed
(`backend/llvm_rows.py`): numbers of records, `counts[row]` of them, then held numbers.
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
    """Relations whose change concerns a few discrete variables. Rows of handlers come after those of
    relations."""

    starts: Integers  # relation -> handlers
    listed: Integers
    places: Integers  # per handler: slots of its target and of the pre value, state, slot of its new value
    # Relation -> relations that mattered to nobody, and whose statuses its handlers ask about.
    asleep_starts: Integers
    asleep: Integers
    awake: int  # slot: while it is 0.0 these, too, tell their true residuals

    @staticmethod
    def of(
        listed: Sequence[Sequence[int]],
        places: Integers,
        asleep: Sequence[Sequence[int]] = (),
        awake: int = -1,
    ) -> HandledEvents:
        both = (*flat(listed), places, *flat(asleep or [()] * len(listed)))
        return HandledEvents(*both, awake)


def flat(listed: Sequence[Sequence[int]]) -> tuple[Integers, Integers]:
    starts = np.zeros(len(listed) + 1, dtype=np.int64)
    np.cumsum([len(part) for part in listed], out=starts[1:])
    return starts, np.array([number for part in listed for number in part], dtype=np.int64)


def _no_numbers() -> Integers:
    return np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class QuantizedPast:
    """Signals that are remembered, one per line of history, and looks at them (program/past.py), whose
    records come after those of inputs. Their rows come after those of handlers."""

    rows: Integers = field(default_factory=_no_numbers)  # of signals; of looks, or -1
    bent: Integers = field(default_factory=_no_numbers)  # 1 where polynomials soon are not true
    kinds: Integers = field(default_factory=_no_numbers)  # of looks
    numbers: Integers = field(default_factory=_no_numbers)  # of looks: line, or end of a pipe
    lags: Integers = field(default_factory=_no_numbers)  # of looks: slot of the delay time, or -1
    lookers: tuple[tuple[int, ...], ...] = ()  # line -> looks

    @property
    def lines(self) -> int:
        return len(self.lookers)


@dataclass(frozen=True, slots=True, eq=False)
class QuantizedModel:
    order: int  # derivatives of rows by time that the functions give, and the rows themselves
    states: int
    relations: int
    inputs: tuple[int, ...]  # slots
    rates: Integers  # addresses of functions, one per row
    own: Integers  # of derivatives: with the slope by its own state behind; 0 where there is none
    # Per row: partial derivatives by its records. 0 where they are not known or nobody asks, of relations
    # also where they are not constant.
    slopes: Integers
    starts: Integers
    table: Integers
    counts: Integers
    follows_time: Integers  # per row: FOLLOWS: time bends it, CURVED: only its states do, 0
    corners: Integers  # per derivative: 1 where it may jump or bend without an event
    watched: Integers  # slots that rows read and events change
    reader_starts: Integers  # watched slot -> rows
    reader_rows: Integers
    is_local: Integers  # per relation: ALONE, HANDLED, or ASKED by who knows whom
    handled: HandledEvents
    set_stride: Callable[[float], None]  # for rows that are differentiated by differences in time
    past: QuantizedPast = field(default_factory=QuantizedPast)
    shapes: int = 0
    alive: Sequence[Any] = field(default_factory=tuple)  # machine code lives as long as this

    @property
    def records(self) -> int:
        return self.states + len(self.inputs) + len(self.past.kinds)

    def dependants(self, rows: Integers) -> tuple[Integers, Integers]:
        """Record -> those of some rows (-1: none) that see it, by their place among them."""
        there = np.flatnonzero(rows >= 0)
        sizes = self.counts[rows[there]]
        readers = np.repeat(there, sizes)
        columns = self.table[_places(self.starts[rows[there]], sizes)]
        order = np.lexsort((readers, columns))
        starts = np.zeros(self.records + 1, dtype=np.int64)
        np.cumsum(np.bincount(columns, minlength=self.records), out=starts[1:])
        return starts, readers[order]


def _places(starts: Integers, sizes: Integers) -> Integers:
    """starts[0], starts[0] + 1, ... so many of each."""
    total = int(sizes.sum())
    before = np.repeat(np.cumsum(sizes) - sizes, sizes)
    return np.repeat(starts, sizes) + np.arange(total, dtype=np.int64) - before
