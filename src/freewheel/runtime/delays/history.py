"""The memory of `delay(..)` and `spatialDistribution(..)` for a model: the records of `delays/lookup.py`.

    history = LiveHistory(model, memory, records)   # part of a `LiveModel`
    history.begin(t)                        # a constant past; the first break is the start
    history.move_on(t, crossing)            # at an event, before the discrete equations
    history.mark(t)                         # and after them
    history.make_room(t)                    # for segments, breaks and stretches

The compiled loop handles most events itself (`delays/breaks.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

from freewheel.base.diagnostics import SimulationError
from freewheel.base.slots import PipeSlots
from freewheel.machine.memory import Memory, address_of
from freewheel.runtime.delays import lookup as at
from freewheel.runtime.delays.breaks import OF_THE_LOOP, breaks
from freewheel.runtime.delays.lookup import History, Line, Pipe
from freewheel.runtime.delays.thresholds import DELAYS
from freewheel.runtime.diagnostics import bad_profile, delay_became_zero, delay_out_of_bounds
from freewheel.runtime.model import CompiledModel, Vector
from freewheel.runtime.thresholds import FOREVER

FIRST_ROOM = 128  # segments of a line
SPARE = 4  # segments that kernels may add before they ask for room
FIRST_PLACES = 16  # breaks of a line, or stretches in a pipe

Integers = npt.NDArray[np.int64]


class LiveHistory:
    def __init__(self, model: CompiledModel, memory: Vector, records: Memory) -> None:
        """`memory`: that of the model; `records`: that of the run."""
        self.lines, self.transports = model.delays, model.transports
        self.memory, self.records = memory, records
        self._numbers: int = memory.ctypes.data
        states = range(model.states.start, model.states.stop)
        only_states = all(d.signal in states and d.last_break < 0 for d in self.lines)
        self.record: History = records.new(
            History,
            line_count=len(self.lines),
            pipe_count=len(self.transports),
            relation_count=len(model.relations),
            is_watcher=[int(relation.is_watch) for relation in model.relations],
            roughest=at.ROUGHEST,
            states_only=int(only_states and not self.transports),
        )
        self.address = address_of(self.record)
        self._describe_lines()
        self._describe_pipes()
        # Machine code of the model finds the record by its address; a float holds all 48 bits.
        memory[model.history] = float(self.address)
        _LIVE[self.address] = self

    def _describe_lines(self) -> None:
        places = {transport.place for transport in self.transports}
        for number, delay in enumerate(self.lines):
            line = self.record.lines[number]
            feeds = len(delay.feeds)
            self.records.lay_out(line, room=FIRST_ROOM, break_room=FIRST_PLACES, feed_count=feeds)
            line.signal_slot, line.lag_slot = delay.signal, delay.lag
            line.sort = at.VARYING if delay.last_break >= 0 else at.DELAYED
            if number in places:
                line.sort = at.PLACE
            line.relation = delay.relation
            line.next_break_slot, line.last_break_slot = delay.next_break, delay.last_break
            line.feeds[:] = delay.feeds
            if delay.lag >= 0:
                self.memory[delay.next_break] = FOREVER
            if delay.last_break >= 0:
                self.memory[delay.last_break] = -FOREVER

    def _describe_pipes(self) -> None:
        for number, about in enumerate(self.transports):
            pipe = self.record.pipes[number]
            self.records.lay_out(pipe, room=len(about.points) + FIRST_PLACES)
            pipe.place, pipe.left, pipe.right = about.place, about.left, about.right
            pipe.forward_slot = about.forward
            pipe.next_border_slot, pipe.last_border_slot = about.next_border, about.last_border
            self.memory[about.next_border], self.memory[about.last_border] = FOREVER, -FOREVER

    # ------------------------------------------------------------ the start

    def prepare(self, t: float, span: float) -> None:
        """After the parameters: one segment for the past, its values not yet known."""
        record = self.record
        record.floor = DELAYS.floor * span
        record.end, record.step_begin, record.least = t, t, FOREVER
        for line, delay in zip(record.lines, self.lines, strict=True):
            line.longest = self.memory[delay.longest] if delay.lag >= 0 else 0.0
            line.first = line.last = 0
        self.hold()

    def hold(self) -> None:
        """The past is constant: what the signals are now."""
        record = self.record
        for line in record.lines:
            self._hold(line, record.end)
        for number, about in enumerate(self.transports):
            self._begin_pipe(record.pipes[number], about)

    def _hold(self, line: Line, t: float) -> None:
        line.count, line.base, line.begins[0] = 1, 0, t
        line.coefficients[:5] = [self.memory[line.signal_slot], 0.0, 0.0, 0.0, 0.0]

    def _begin_pipe(self, pipe: Pipe, about: PipeSlots) -> None:
        points = [float(self.memory[slot]) for slot in about.points]
        if points[0] != 0.0 or points[-1] != 1.0 or points != sorted(points):
            raise bad_profile(about.text, about.span, points)
        slots = [np.array(slots, dtype=np.int64) for slots in (about.points, about.values)]
        addresses = [numbers.ctypes.data for numbers in slots]
        begin = breaks.callable("begin_pipe")
        begin(self.address, self._numbers, address_of(pipe), len(points), *addresses)

    @property
    def functions(self) -> dict[str, tuple[int, Callable[..., int]]]:
        """That the time loop calls."""
        kernels = breaks.all_kernels()
        return {name: (breaks.address(name), kernels[name]) for name in OF_THE_LOOP}

    def begin(self, t: float) -> None:
        self.hold()
        if breaks.callable("begin_breaks")(self.address, self._numbers, t):
            raise self.wrong(t)
        for line in self.lines:
            # Translation took the delayed value for known: zero would make it the present one.
            if line.lag >= 0 and line.last_break < 0 and self.memory[line.lag] <= 0.0:
                raise delay_became_zero(line.text, line.span)

    # ------------------------------------------------------------ quantized signals

    def begin_quantized(self, t: float, span: float) -> None:
        """At the start. The last segment of each line stays open, and only jumps are breaks: at a kink a
        signal gets a new segment like any other."""
        record = self.record
        record.is_quantized, record.roughest, record.alike = 1, 0, DELAYS.alike * span
        for line in record.lines:
            self._hold(line, t)
            line.size = abs(line.coefficients[0])
            if line.lag_slot >= 0:  # lookups may use all segments
                line.break_count = line.passed = 0
                self._show(line)

    def end_quantized(self, t: float) -> None:
        """Methods with steps continue behind the segments that there are."""
        record = self.record
        record.is_quantized, record.roughest, record.alike = 0, at.ROUGHEST, 0.0
        record.end, record.is_fresh = t, 1

    def _show(self, line: Line) -> None:
        """Sets the segments that lookups may use."""
        breaks.callable("show_line")(self._numbers, address_of(line))

    def wrong(self, t: float) -> SimulationError:
        line = self.lines[self.record.wrong - 1]
        lag, longest = float(self.memory[line.lag]), float(self.memory[line.longest])
        return delay_out_of_bounds(line.text, line.span, t, lag, longest)

    # ------------------------------------------------------------ room

    def make_room(self, t: float | None = None) -> None:
        """Whatever is full grows. `t`: the present time, if that is not the begin of the last step."""
        if t is not None:
            self.record.step_begin = t
        self._make_places()
        for number, line in enumerate(self.record.lines):
            if line.count + SPARE > line.room:
                self._forget(number, line)

    def _forget(self, number: int, line: Line) -> None:
        """Drops the segments that are older than any lookup; where these are few, the line grows."""
        oldest = self.record.step_begin - line.longest if line.lag_slot >= 0 else inf
        for pipe in self.record.pipes:
            if number in (pipe.place, pipe.left, pipe.right):
                oldest = min(oldest, self._first_entry(pipe))
        count = line.count
        old = int(np.searchsorted(_begins(line), oldest, side="right")) - 2
        if old < count // 4:
            self.records.resize(line, room=2 * line.room)
            return
        for numbers in (line.begins, line.coefficients):
            table = np.asarray(numbers).reshape(line.room, -1)
            table[: count - old] = table[old:count].copy()
        line.count -= old
        line.old_count -= old
        line.base += old

    def _first_entry(self, pipe: Pipe) -> float:
        """When the oldest content has entered: at the begin of its stretch, or when x was less than now by
        the length of the pipe."""
        line = self.record.lines[pipe.place]
        last = line.count - 1
        begins, values = _begins(line), np.asarray(line.coefficients)[: 5 * line.count : 5]
        now = values[max(0, int(np.searchsorted(begins, self.record.step_begin, side="right")) - 1)]
        oldest = inf
        for k in range(pipe.count):
            stretch = pipe.stretches[(pipe.first + k) % pipe.room]
            if stretch.kind == at.FED:
                first = min(max(0, stretch.begins - line.base), last)
                entered = stretch.rising * values[first : max(first, stretch.stops - line.base) + 1]
                left = stretch.rising * now - 1.0
                index = int(np.searchsorted(entered, left, side="right")) - 2
                oldest = min(oldest, float(begins[first + max(0, index)]))
        return oldest

    def _make_places(self) -> None:
        """For a break of each line and a stretch in each pipe."""
        for line in self.record.lines:
            if line.break_count >= line.break_room:
                rows = self._unrolled(line.breaks, line.break_first)
                self.records.resize(line, break_room=2 * len(rows))
                self.records.rows(line.breaks)[: len(rows)] = rows
                line.break_first = 0
        for pipe in self.record.pipes:
            if pipe.count >= pipe.room:
                rows = self._unrolled(pipe.stretches, pipe.first)
                self.records.resize(pipe, room=2 * len(rows))
                self.records.rows(pipe.stretches)[: len(rows)] = rows
                pipe.first = 0

    def _unrolled(self, ring: Any, first: int) -> Integers:
        """The elements of a ring that is full in their order."""
        return np.roll(self.records.rows(ring), -first, axis=0)


def _begins(line: Line) -> Vector:
    return np.asarray(line.begins)[: line.count]


# ---------------------------------------------------------------- for the reference backend

_LIVE: WeakValueDictionary[int, LiveHistory] = WeakValueDictionary()  # by address of their records


def look_up(address: float, line: float, point: float, *present: float) -> list[float]:
    """Value, slope and share of the present value, as machine code gets them."""
    out = [0.0, 0.0, 0.0]
    now, time = present if present else (0.0, 0.0)
    record = _LIVE[int(address)].record
    at.fw_history(record, line, point, now, time, float(bool(present)), out)
    return out


def look_in_pipe(address: float, end: float, place: float, at_start: float) -> list[float]:
    """Value and slope of what is at an end of a pipe."""
    out = [0.0, 0.0]
    at.fw_pipe(_LIVE[int(address)].record, end, place, out)
    return out
