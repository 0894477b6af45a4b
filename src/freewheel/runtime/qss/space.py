"""Allocates the records of quantized states (`qss/memory.py`) for a model and a method.

space = QuantizedSpace(quantized, QUANTIZED["liqss2"], statuses, memory_of_the_model)
space.qss.steps, space.qss.states[2].q0
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from freewheel.machine.memory import Memory, address_of
from freewheel.runtime.model import Vector
from freewheel.runtime.qss import memory as at
from freewheel.runtime.qss.memory import DelayedPoint, Heap, Lists, Qss
from freewheel.runtime.qss.methods import QuantizedMethod
from freewheel.runtime.qss.model import QuantizedModel, flat


def new_qss(
    memory: Memory, method: QuantizedMethod, numbers: Vector, items: int, **values: object
) -> Qss:
    """`numbers`: the memory of the model; `items`: number of next event times."""
    qss: Qss = memory.new(
        Qss,
        method=method.kind,
        order=method.order,
        is_implicit=int(method.is_implicit),
        events_see_q=int(method.is_implicit),
        memory_size=len(numbers),
        memory=numbers,
        **values,
    )
    qss.heap = memory.new(Heap, count=items, times=np.inf)
    qss.heap.items[:] = qss.heap.places[:] = np.arange(items)
    qss.point = memory.new(DelayedPoint)
    return qss


class QuantizedSpace:
    def __init__(
        self,
        quantized: QuantizedModel,
        method: QuantizedMethod,
        statuses: Sequence[int],
        numbers: Vector,
        columns: Sequence[int] = (),
        memory: Memory | None = None,
    ) -> None:
        self.quantized = quantized
        self.n, self.relations = n, r = quantized.states, quantized.relations
        past, handled = quantized.past, quantized.handled
        lines, delayed, records = past.lines, len(past.kinds), quantized.records
        follows = n if (quantized.follows_time[:n] == at.TIME_VARYING).any() else 0
        memory = memory or Memory()
        self.qss = new_qss(
            memory,
            method,
            numbers,
            n + r + follows + lines + delayed,
            n=n,
            relation_count=r,
            record_count=records,
            view_count=records if r or lines else 0,
            row_count=len(quantized.rates),
            table_size=len(quantized.table),
            table=quantized.table,
            columns=columns or -1,
            widest=int(quantized.counts.max(initial=0)),
            discrete_count=len(quantized.watched),
            discrete_slots=quantized.watched,
            awake_slot=handled.awake,
            handler_count=len(handled.places),
            signal_count=lines,
            delayed_count=delayed,
            first_delayed=n + len(quantized.inputs),
            first_delay_item=n + r + follows,
        )
        for name, (starts, items) in {
            "readers": quantized.dependants(np.arange(n)),
            "relation_readers": quantized.dependants(np.arange(n, n + r)),
            "discrete_readers": (quantized.reader_starts, quantized.reader_rows),
            "handling": (handled.starts, handled.listed),
            "inactive": (handled.inactive_starts, handled.inactive),
            "delay_readers": quantized.dependants(past.rows),
            "line_readers": flat(past.line_readers),
        }.items():
            sizes = {"owners": len(starts) - 1, "size": len(items)}
            setattr(self.qss, name, memory.new(Lists, **sizes, starts=starts, items=items))
        self.address = address_of(self.qss)
        self._rows()
        if r:
            self._relations(statuses)
        if lines:
            self._past()

    def _rows(self) -> None:
        quantized, n, rows = self.quantized, self.n, self.qss.rows
        follows = quantized.follows_time
        in_time = at.TIME * (follows[:n] == at.TIME_VARYING)
        corrections = np.where(quantized.corners == 1, at.CORNERS, in_time)
        for name, values in (
            ("evaluate", quantized.rates),
            ("evaluate_with_slope", quantized.own),
            ("has_slope", quantized.own != 0),
            ("slopes", quantized.slopes),
            ("has_slopes", quantized.slopes != 0),
            ("first", quantized.starts[:-1]),
            ("count", quantized.counts),
            ("variation", follows),
            ("correction", corrections),
        ):
            rows.column(name)[: len(values)] = values
        self.qss.corrected_rows = int(np.count_nonzero(corrections))

    def _relations(self, statuses: Sequence[int]) -> None:
        quantized, n, r = self.quantized, self.n, self.relations
        number = {int(slot): k for k, slot in enumerate(quantized.watched)}
        straight = (quantized.counts[n : n + r] == 0) & (quantized.follows_time[n:] == 0)
        for name, values in (
            ("number", np.arange(r)),
            ("status_slot", statuses),
            ("status_discrete", [number.get(slot, -1) for slot in statuses]),
            ("scope", quantized.is_local),
            ("is_straight", straight),
        ):
            self.qss.relations.column(name)[:] = values
        for handler, (target, pre, state, value) in zip(
            self.qss.handlers, quantized.handled.places.tolist(), strict=True
        ):
            handler.target_slot, handler.pre_slot = target, pre
            handler.state, handler.value_slot = state, value
            handler.target_discrete = number.get(target, -1)
            handler.pre_discrete = number.get(pre, -1)

    def _past(self) -> None:
        past, items = self.quantized.past, self.qss.delay_items
        for name, values in (("row", past.rows), ("is_nonlinear", past.bent)):
            items.column(name)[:] = values
        known = (("kind", past.kinds), ("number", past.numbers), ("lag_slot", past.lags))
        for name, values in known:
            items.column(name)[past.lines :] = values

    def make_global(self) -> None:
        """All crossings become events of the whole model."""
        self.qss.relations.column("scope")[:] = at.GLOBAL
