"""Rows of a result while it grows: the slots that vary, copied at each stored point.

recorder = Recorder(live)
recorder.add()                  # the present point
recorder.result(...)            # columns, aliases and constants shared
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from freewheel.base.diagnostics import Diagnostic
from freewheel.result.events import Event
from freewheel.result.store import Column, Result
from freewheel.runtime.live import LiveModel
from freewheel.runtime.model import VariableInfo, Vector

VARYING = ("discrete", "continuous")
FIRST_ROWS = 1024


class Recorder:
    def __init__(self, live: LiveModel) -> None:
        self.live = live
        model = live.model
        slots = {v.slot for v in model.variables if v.kind in VARYING and v.slot >= 0}
        self.slots = np.array([model.time, *sorted(slots - {model.time})], dtype=np.intp)
        self.rows = np.empty((FIRST_ROWS, len(self.slots)))
        self.count = 0

    def add(self) -> None:
        if self.count == len(self.rows):
            self.grow()
        np.take(self.live.memory, self.slots, out=self.rows[self.count])
        self.count += 1

    def grow(self) -> None:
        grown = np.empty((2 * len(self.rows), len(self.slots)))
        grown[: self.count] = self.rows[: self.count]
        self.rows = grown

    def result(
        self,
        events: Sequence[Event],
        warnings: Sequence[Diagnostic],
        stats: Mapping[str, float | int | str],
        step_sizes: Sequence[tuple[float, float]] | Vector,
    ) -> Result:
        data = np.ascontiguousarray(self.rows[: self.count].T)
        place = {int(slot): row for row, slot in enumerate(self.slots)}
        numbers = (info for info in self.live.model.variables if info.type != "String")
        columns = [self._column(info, place) for info in numbers]
        return Result(
            self.live.model.name,
            data,
            columns,
            events=events,
            warnings=tuple(warnings),
            stats=dict(stats),
            step_sizes=step_sizes,
        )

    def _column(self, info: VariableInfo, place: Mapping[int, int]) -> Column:
        row, sign, offset = -1, info.sign, info.offset
        if info.kind in VARYING and info.slot >= 0:
            row = place[info.slot]
        elif info.slot >= 0:  # a parameter: one number for the whole run
            offset = info.sign * float(self.live.memory[info.slot]) + info.offset
            sign = 1.0
        return Column(
            info.name,
            row,
            sign,
            offset,
            info.kind,
            info.type,
            info.unit,
            info.comment,
            info.is_protected,
            info.literals,
        )
