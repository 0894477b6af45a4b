"""The arrays that quantized-state kernels share, laid out for a model and a method.

    space = QuantizedSpace(quantized, METHODS_BY_NAME["liqss2"], statuses)
    space.s, space.z, space.f, space.k, space.hk

Places are those of `kernels/qss_places.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from freewheel.runtime.kernels import qss_places as at
from freewheel.runtime.kernels.qss_heap import PADDING
from freewheel.runtime.model import Vector
from freewheel.runtime.qss.model import Integers, QuantizedModel


@dataclass(frozen=True, slots=True)
class QuantizedMethod:
    name: str
    kind: int
    order: int


QUANTIZED = {
    method.name: method
    for method in (
        QuantizedMethod("qss1", at.QSS, 1),
        QuantizedMethod("qss2", at.QSS, 2),
        QuantizedMethod("qss3", at.QSS, 3),
        QuantizedMethod("liqss1", at.LIQSS, 1),
        QuantizedMethod("liqss2", at.LIQSS, 2),
        QuantizedMethod("liqss3", at.LIQSS, 3),
        QuantizedMethod("mliqss2", at.MLIQSS, 2),
        QuantizedMethod("cqss", at.CQSS, 1),
    )
}


class QuantizedSpace:
    def __init__(
        self,
        quantized: QuantizedModel,
        method: QuantizedMethod,
        statuses: Sequence[int],
        columns: Sequence[int] = (),
    ) -> None:
        n, r, inputs = quantized.states, quantized.relations, len(quantized.inputs)
        self.quantized = quantized
        self.n, self.relations = n, r
        follows = quantized.follows_time
        past = quantized.past
        before_past = n + r + (n if (follows[:n] == at.FOLLOWS).any() else 0)
        items = before_past + past.lines + len(past.kinds)
        self.s: Vector = np.zeros(at.RECORD * max(1, quantized.records))
        self.z: Vector = np.zeros(at.Z_RECORD * max(1, r))
        self.hk: Vector = np.full(max(1, items) + PADDING, np.inf)
        self._parts: list[Integers] = [np.zeros(at.K_HEAD, dtype=np.int64)]
        self._size = at.K_HEAD
        head = self._parts[0]
        head[at.N], head[at.INPUTS], head[at.RELATIONS] = n, inputs, r
        head[at.METHOD], head[at.ORDER] = method.kind, method.order
        head[at.ITEMS] = items
        head[at.BY_Q] = int(method.kind in (at.LIQSS, at.MLIQSS))
        head[at.WATCHED] = len(quantized.watched)
        head[at.WIDEST] = int(quantized.counts.max(initial=0))
        head[at.LINES], head[at.LOOKS] = past.lines, len(past.kinds)
        head[at.PAST_ITEM], head[at.FIRST_LOOKED] = before_past, n + inputs
        self._lay_rows()
        self._lay_relations(statuses)
        self._lay_past()
        self._lay(at.AT_COLUMNS, columns or [-1] * n)
        self._lay(at.AT_HEAP, np.arange(items, dtype=np.int64))
        self._lay(at.AT_POS, np.arange(items, dtype=np.int64))
        self.f = self._floats(head)
        self.k: Integers = np.concatenate(self._parts)
        self._parts = []

    def _lay(self, place: int, values: Integers | Sequence[int]) -> None:
        part = np.asarray(values, dtype=np.int64)
        self._parts[0][place] = self._size
        self._parts.append(part)
        self._size += len(part)

    def _lay_rows(self) -> None:
        quantized, n = self.quantized, self.n
        rows = n + self.relations
        self._lay(at.AT_RATES, quantized.rates)
        self._lay(at.AT_OWN, quantized.own)
        self._lay(at.AT_SLOPES, quantized.slopes)
        self._lay(at.AT_COUNTS, quantized.counts)
        self._lay(at.AT_FOLLOWS, quantized.follows_time)
        follows = quantized.follows_time[:n] == at.FOLLOWS
        misses = np.where(quantized.corners == 1, at.CORNERS, at.TIME * follows)
        self._lay(at.AT_MISSES, misses.astype(np.int64))
        self._parts[0][at.MISSING] = int(np.count_nonzero(misses))
        self._lay(at.AT_ROWS, quantized.starts + self._size + len(quantized.starts))
        self._parts.append(quantized.table)
        self._size += len(quantized.table)
        for starts_at, rows_at, first, stop in (
            (at.AT_SD, at.AT_SD_ROWS, 0, n),
            (at.AT_SZ, at.AT_SZ_ROWS, n, rows),
        ):
            starts, listed = quantized.dependants(first, stop)
            self._lay(starts_at, starts)
            self._lay(rows_at, listed)

    def _lay_relations(self, statuses: Sequence[int]) -> None:
        quantized, n, r = self.quantized, self.n, self.relations
        self._lay(at.AT_STATUS, statuses)
        self._lay(at.AT_LOCAL, quantized.is_local)
        self._lay(at.AT_STEEPNESS, quantized.steepness)
        self._lay(at.AT_WATCH, quantized.watched)
        self._lay(at.AT_READERS, quantized.reader_starts)
        self._lay(at.AT_READER_ROWS, quantized.reader_rows)
        number = {int(slot): k for k, slot in enumerate(quantized.watched)}
        handled = quantized.handled
        self._lay(at.AT_HANDLES, handled.starts)
        self._lay(at.AT_HANDLERS, handled.listed)
        self._lay(at.AT_HANDLER_PLACES, handled.places.reshape(-1))
        self._lay(at.AT_ASLEEP, handled.asleep_starts)
        self._lay(at.AT_ASLEEP_LISTED, handled.asleep)
        self._parts[0][at.AWAKE] = handled.awake
        seen = [number.get(int(slot), -1) for slot in handled.places[:, :2].reshape(-1)]
        self._lay(at.AT_HANDLER_WATCH, seen)
        self._lay(at.AT_STATUS_WATCH, [number.get(slot, -1) for slot in statuses])
        self._lay(at.AT_STAMP, np.zeros(r, dtype=np.int64))
        self._lay(at.AT_TOUCHED, np.zeros(r + 1, dtype=np.int64))
        of_time_alone = quantized.counts[n : n + r] == 0
        straight = of_time_alone & (quantized.follows_time[n:] == 0)
        self._lay(at.AT_STRAIGHT, straight.astype(np.int64))

    def _lay_past(self) -> None:
        quantized, past = self.quantized, self.quantized.past
        both = past.lines + len(past.kinds)
        starts, listed = _by_record(quantized)
        self._lay(at.AT_PAST_OF, starts)
        self._lay(at.AT_PAST_OF_LISTED, listed)
        self._lay(at.AT_PAST_STAMP, np.zeros(both, dtype=np.int64))
        self._lay(at.AT_PAST_NOTED, np.zeros(both + 1, dtype=np.int64))
        self._lay(at.AT_PAST_ROW, past.rows)
        self._lay(at.AT_PAST_MEASURE, past.measures)
        self._lay(at.AT_PAST_BENT, past.bent)
        self._lay(at.AT_LOOK_KIND, past.kinds)
        self._lay(at.AT_LOOK_NUMBER, past.numbers)
        self._lay(at.AT_LOOK_LAG, past.lags)
        looked = np.cumsum([0, *(len(looks) for looks in past.lookers)])
        self._lay(at.AT_LINE_LOOKS, looked)
        self._lay(at.AT_LINE_LOOKS_LISTED, [look for looks in past.lookers for look in looks])

    def _floats(self, head: Integers) -> Vector:
        size = at.F_HEAD + at.F_VECTORS * self.n
        head[at.AT_SEEN] = size
        size += len(self.quantized.watched)
        head[at.AT_ROW_SLOPES] = size
        size += 2 * int(head[at.WIDEST]) + 1
        head[at.AT_PAST] = size
        past = self.quantized.past
        size += at.PAST_HEAD + at.PAST_NUMBERS * (past.lines + len(past.kinds))
        head[at.AT_VIEW] = size
        return np.zeros(size + (len(self.s) if self.relations or past.lines else 0))

    def make_global(self) -> None:
        """Let no event be dealt with where it happens."""
        start = int(self.k[at.AT_LOCAL])
        self.k[start : start + self.relations] = 0

    def bands(self) -> Vector:
        """Around zero, of each relation."""
        found: Vector = self.z[at.Z_BAND :: at.Z_RECORD][: self.relations]
        return found

    def quanta(self, number: int) -> Vector:
        """Relative or absolute ones: `REL`, `ABS`."""
        start = at.F_HEAD + number * self.n
        return self.f[start : start + self.n]

    @property
    def arrays(self) -> tuple[int, ...]:
        """Addresses of s, z, f, k, hk."""
        return tuple(
            array.__array_interface__["data"][0]
            for array in (self.s, self.z, self.f, self.k, self.hk)
        )


def _by_record(quantized: QuantizedModel) -> tuple[Integers, Integers]:
    """Record -> signals and looks whose rows read it."""
    readers: list[list[int]] = [[] for _ in range(quantized.records if quantized.past.lines else 0)]
    for number, row in enumerate(quantized.past.rows.tolist()):
        if row >= 0:
            start = int(quantized.starts[row])
            for record in quantized.table[start : start + int(quantized.counts[row])].tolist():
                readers[record].append(number)
    starts = np.cumsum([0, *(len(listed) for listed in readers)])
    return starts, np.array([one for listed in readers for one in listed], dtype=np.int64)
