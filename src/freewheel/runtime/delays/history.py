"""What `delay(..)` and `spatialDistribution(..)` remember: the records of `delays/lookup.py` for a model.

    history = LiveHistory(model, memory, records)   # part of a `LiveModel`
    history.begin(t)                        # the past is constant, the first break is the start
    history.move_on(t, crossing)            # at an event, before the discrete equations
    history.mark(t)                         # and after them
    history.make_room()                     # the compiled loop fills pieces, breaks and stretches

The compiled loop moves on and marks by itself (`delays/breaks.py`) where it deals with an event.
"""

from __future__ import annotations

from math import inf
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

from freewheel.base.diagnostics import SimulationError
from freewheel.base.slots import PipeSlots
from freewheel.machine.memory import Memory, address_of
from freewheel.runtime.delays import lookup as at
from freewheel.runtime.delays.breaks import FAR, breaks
from freewheel.runtime.delays.lookup import History, Line, Pipe, Stretch
from freewheel.runtime.diagnostics import bad_profile, delay_became_zero, delay_out_of_bounds
from freewheel.runtime.events.location import Crossing
from freewheel.runtime.model import CompiledModel, Vector

FIRST_ROOM = 128  # pieces
FIRST_PLACES = 16  # breaks of a line, or stretches in a pipe
FLOOR = 1e-3  # of the whole time: a varying delay below it does not limit steps

Integers = npt.NDArray[np.int64]


class LiveHistory:
    def __init__(self, model: CompiledModel, memory: Vector, records: Memory) -> None:
        """`memory`: that of the model; `records`: where those of the run lie."""
        self.lines, self.transports = model.delays, model.transports
        self.memory, self.records = memory, records
        self._numbers: int = memory.ctypes.data
        states = range(model.states.start, model.states.stop)
        is_quiet = all(d.signal in states and d.last_break < 0 for d in self.lines)
        self.record: History = records.new(
            History,
            line_count=len(self.lines),
            pipe_count=len(self.transports),
            relation_count=len(model.relations),
            is_watcher=[int(relation.is_watch) for relation in model.relations],
            room=FIRST_ROOM,
            roughest=at.ROUGHEST,
            states_only=int(is_quiet and not self.transports),
        )
        self.address = address_of(self.record)
        self._nothing: tuple[Integers, Vector] = (
            np.zeros(len(model.relations), dtype=np.int64),
            np.zeros(len(model.relations)),
        )
        self._describe_lines()
        self._describe_pipes()
        # The only place where a record is known by its address: machine code of the model asks for it there.
        memory[model.history] = float(self.address)  # exact: addresses have 48 bits
        _LIVE[self.address] = self

    def _describe_lines(self) -> None:
        places = {transport.place for transport in self.transports}
        for number, delay in enumerate(self.lines):
            line = self.record.lines[number]
            self.records.lay_out(line, break_room=FIRST_PLACES, feed_count=len(delay.feeds))
            line.signal_slot, line.lag_slot = delay.signal, delay.lag
            line.sort = at.VARYING if delay.last_break >= 0 else at.DELAYED
            if number in places:
                line.sort = at.PLACE
            line.relation = delay.relation
            line.next_break_slot, line.last_break_slot = delay.next_break, delay.last_break
            line.feeds[:] = delay.feeds
            if delay.lag >= 0:
                self.memory[delay.next_break] = FAR
            if delay.last_break >= 0:
                self.memory[delay.last_break] = -FAR

    def _describe_pipes(self) -> None:
        for number, about in enumerate(self.transports):
            pipe = self.record.pipes[number]
            self.records.lay_out(pipe, room=len(about.points) + FIRST_PLACES)
            pipe.place, pipe.left, pipe.right = about.place, about.left, about.right
            pipe.forward_slot = about.forward
            pipe.next_border_slot, pipe.last_border_slot = about.next_border, about.last_border
            self.memory[about.next_border], self.memory[about.last_border] = FAR, -FAR

    # ------------------------------------------------------------ the start

    def prepare(self, t: float, span: float) -> None:
        """After the parameters: one piece for the past, its values not yet known."""
        record = self.record
        record.floor = FLOOR * span
        record.count, record.base, record.end, record.least = 1, 0, t, FAR
        for number, delay in enumerate(self.lines):
            line = record.lines[number]
            line.longest = self.memory[delay.longest] if delay.lag >= 0 else 0.0
            line.first = line.last = 0
        self.hold()

    def hold(self) -> None:
        """What the signals are now they were ever before."""
        record = self.record
        record.begins[0], record.lengths[0] = record.end, 1.0
        first = np.asarray(record.differences)[: 5 * len(self.lines)]
        first[:] = 0.0
        first[::5] = self.memory[[line.signal for line in self.lines]]
        for number, about in enumerate(self.transports):
            self._begin_pipe(record.pipes[number], about)

    def _begin_pipe(self, pipe: Pipe, about: PipeSlots) -> None:
        points = [float(self.memory[slot]) for slot in about.points]
        if points[0] != 0.0 or points[-1] != 1.0 or points != sorted(points):
            raise bad_profile(about.text, about.span, points)
        slots = [np.array(slots, dtype=np.int64) for slots in (about.points, about.values)]
        addresses = [numbers.ctypes.data for numbers in slots]
        begin = breaks.callable("begin_pipe")
        begin(self.address, self._numbers, address_of(pipe), len(points), *addresses)

    def begin(self, t: float) -> None:
        self.hold()
        if breaks.callable("begin_breaks")(self.address, self._numbers, t):
            raise self.wrong(t)
        for line in self.lines:
            # Translation took the delayed value for known: zero would make it the present one.
            if line.lag >= 0 and line.last_break < 0 and self.memory[line.lag] <= 0.0:
                raise delay_became_zero(line.text, line.span)

    # ------------------------------------------------------------ events

    def move_on(self, t: float, crossing: Crossing | None) -> None:
        """Each line to the piece that its point has reached."""
        which, residuals = self._nothing
        if crossing is not None:
            which = np.ascontiguousarray(crossing.which, dtype=np.int64)
            residuals = np.ascontiguousarray(crossing.residuals)
        crossed = int(crossing is not None)
        listed = (crossed, which.ctypes.data, residuals.ctypes.data)
        breaks.callable("move_on")(self.address, self._numbers, t, *listed)

    def mark(self, t: float) -> None:
        """Signals may have jumped: a break of each. The memory holds the values after the event."""
        self._make_places()
        if breaks.callable("mark")(self.address, self._numbers, t):
            raise self.wrong(t)

    def show(self, line: Line) -> None:
        """Let lookups and relations see which pieces a line may use."""
        breaks.callable("show_line")(self._numbers, address_of(line))

    def wrong(self, t: float) -> SimulationError:
        line = self.lines[self.record.wrong - 1]
        lag, longest = float(self.memory[line.lag]), float(self.memory[line.longest])
        return delay_out_of_bounds(line.text, line.span, t, lag, longest)

    # ------------------------------------------------------------ room

    def make_room(self) -> None:
        """Whatever is full grows."""
        self._make_places()
        if self.record.count >= self.record.room:
            self._make_room()

    def _make_room(self) -> None:
        """Forget pieces that nobody will look at any more; where these are few, grow."""
        record = self.record
        count = record.count
        longest = max(line.longest for line in record.lines)
        begins = np.asarray(record.begins)[:count]
        # Rows of the step that is being remembered are still to come.
        now = begins[record.began] if record.began < count else record.end
        old = int(np.searchsorted(begins, now - longest, side="right")) - 2
        kept = min((self._oldest_piece(pipe) for pipe in record.pipes), default=inf)
        old = int(min(old, kept - record.base - 1))
        if old < count // 4:
            self.records.resize(record, room=2 * record.room)
            return
        for numbers in (record.begins, record.lengths, record.differences):
            table = np.asarray(numbers).reshape(record.room, -1)
            table[: count - old] = table[old:count].copy()
        record.count -= old
        record.base += old
        record.began -= old

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

    def stretches(self, pipe: Pipe) -> list[Stretch]:
        """In their order."""
        return [pipe.stretches[(pipe.first + k) % pipe.room] for k in range(pipe.count)]

    def oldest_segment(self, pipe: Pipe, line: int) -> float:
        """Of a line: the first that is still in the pipe."""
        fed = [stretch for stretch in self.stretches(pipe) if stretch.kind == at.FED]
        kept = [s.begins for s in fed if line == pipe.place]
        kept += [s.content_begins for s in fed if line == s.line]
        return min(kept, default=inf)

    def _oldest_piece(self, pipe: Pipe) -> float:
        """The first that is still in the pipe."""
        stretches = self.stretches(pipe)
        oldest = min((s.begins for s in stretches if s.kind == at.FED), default=inf)
        last = stretches[-1]
        if last.kind == at.FED and last.rising > 0.0 and last.begins == oldest:
            began = self.record.lines[pipe.place].old_value  # where the step began
            return max(oldest, self._piece_at(pipe, last, began - 1.0) - 1.0)
        return oldest

    def _piece_at(self, pipe: Pipe, stretch: Stretch, place: float) -> float:
        """The piece while which x had a value, of a stretch that flowed in on the left."""
        record = self.record
        first = max(0, stretch.begins - record.base)
        table = np.asarray(record.differences).reshape(record.room, -1)
        begins = table[first : record.count, 5 * pipe.place]
        found = int(np.searchsorted(begins, place, side="right")) - 1
        return float(record.base + first + max(0, found))


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
