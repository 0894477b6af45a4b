"""What `delay(..)` remembers: pieces of signals, and where these signals jump or bend.

    history = History(model, memory)        # part of a `LiveModel`
    history.begin(t)                        # the past is constant, the first break is the start
    history.remember(step, take, rtol)      # after each step (the compiled loop does it itself)
    history.move_on(t, crossing)            # at an event, before the discrete equations
    history.mark(t)                         # and after them

A break travels: where a remembered signal jumps, the delayed one jumps one delay later, which is an
event of its own and again a break. A jump of a signal stays one (order 0). What does not jump
becomes smoother by one order each time it goes round through a state, so that a break of an order
beyond that of the methods is forgotten (Bellen, Zennaro, "Numerical Methods for Delay Differential
Equations", section 2.1).
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from math import inf, ulp
from typing import Any

import numpy as np

from freewheel.base.diagnostics import SimulationError
from freewheel.runtime.event.located import Crossing
from freewheel.runtime.failures import delay_became_zero, delay_out_of_bounds
from freewheel.runtime.kernels import history as append
from freewheel.runtime.kernels import lookup as at
from freewheel.runtime.model import CompiledModel, Delay, Vector
from freewheel.runtime.pipes import Pipe

FIRST_ROOM = 128  # pieces
ROUGHEST = at.ROUGHEST
ALIKE = 64.0  # units in the last place between breaks that count as one
QUANTA = 4.0  # of a quantized signal: less is no jump
SAME = 1e-8  # relative difference of a signal around an event that is no jump
FLOOR = 1e-3  # of the whole time: a varying delay below it does not limit steps
FAR = 1e300
SHARES = ((5, 0.125), (6, 0.875), (1, 0.25), (2, 0.5), (3, 0.75), (4, 1.0))  # of the nodes taken

Take = Callable[[float], Vector]  # evaluates at a time inside a step; the memory


class _Breaks:
    """Of one line: times, last piece before and first piece after each, orders; `passed` of them lie
    before the point. Those that rounding hardly tells apart are one."""

    def __init__(self, start: float) -> None:
        self.times = [start]
        self.ends = [0.0]
        self.pieces = [1.0]
        self.orders = [1]
        self.passed = 0

    @property
    def next(self) -> float:
        return self.times[self.passed] if self.passed < len(self.times) else FAR

    @property
    def last(self) -> float:
        return self.times[self.passed - 1] if self.passed > 0 else -FAR

    def add(self, t: float, piece: float, order: int, alike: float = 0.0) -> None:
        if order > ROUGHEST:
            return
        if self.times and t - self.times[-1] <= max(ALIKE * ulp(t), alike):
            self.orders[-1] = min(self.orders[-1], order)
            self.pieces[-1] = piece
            return
        self.times.append(t)
        self.ends.append(piece - 1.0)
        self.pieces.append(piece)
        self.orders.append(order)

    def forget(self, oldest: float) -> None:
        """Those that no point will come back to."""
        count = 0
        while count < self.passed - 1 and self.times[count] < oldest:
            count += 1
        if count:
            del self.times[:count], self.ends[:count], self.pieces[:count], self.orders[:count]
            self.passed -= count


class History:
    def __init__(self, model: CompiledModel, memory: Vector) -> None:
        self.lines = model.delays
        self.slot = model.history
        self.memory = memory
        self.watchers = {
            relation
            for line in self.lines
            for relation in (line.relation, line.relation + (line.last_break >= 0))
        }
        self.watchers.update(p.relation + k for p in model.transports for k in (0, 1))
        self.pipes = [Pipe(k, about, self) for k, about in enumerate(model.transports)]
        self.breaks: list[_Breaks] = []
        self.alike = 0.0  # time between breaks that count as one, beside rounding
        self.roughest = ROUGHEST  # order of breaks that are still watched
        # Line -> order of the break it meets at the present event; pipe k counts as -1 - k.
        self.met: dict[int, int] = {}
        self.is_own = False  # nothing but such breaks makes the event
        self.numbers: Vector = np.zeros(0)
        self.lay_out(FIRST_ROOM)
        self.numbers[at.LINES], self.numbers[at.ENDS] = len(self.lines), 2 * len(self.pipes)
        states = range(model.states.start, model.states.stop)
        is_quiet = all(d.signal in states and d.last_break < 0 for d in self.lines)
        self.numbers[at.STATES_ONLY] = float(is_quiet and not self.pipes)
        places = {pipe.about.place for pipe in self.pipes}
        for number, line in enumerate(self.lines):
            block = self.block(number)
            block[at.SIGNAL], block[at.LAG] = line.signal, line.lag
            block[at.SORT] = at.VARYING if line.last_break >= 0 else at.DELAYED
            if number in places:
                block[at.SORT] = at.PLACE
            memory[line.next_break] = FAR
            if line.last_break >= 0:
                memory[line.last_break] = -FAR
        for pipe in self.pipes:
            memory[pipe.about.next_border], memory[pipe.about.last_border] = FAR, -FAR

    def lay_out(self, room: int) -> None:
        """Room for so many pieces; what is there stays."""
        count = len(self.lines)
        size = at.HEAD + (at.LINE + at.NODES) * count + (room + 1) * (2 + 5 * count)
        size += 2 * at.END_OF_PIPE * len(self.pipes)
        grown = np.zeros(size)
        grown[: len(self.numbers)] = self.numbers
        self.numbers = grown
        self.address: int = grown.ctypes.data
        grown[at.ROOM] = room
        self.memory[self.slot] = float(self.address)  # exact: addresses have 48 bits

    def block(self, number: int) -> Vector:
        start = at.HEAD + at.LINE * number
        return self.numbers[start : start + at.LINE]

    def place_of(self, number: int) -> int:
        """Where a piece is in the numbers."""
        return int(at.fw_piece(self.numbers, number))

    # ------------------------------------------------------------ the start

    def prepare(self, t: float, span: float) -> None:
        """After the parameters: one piece for the past, its values not yet known."""
        head = self.numbers
        head[at.FLOOR] = FLOOR * span
        head[at.COUNT], head[at.BASE], head[at.END], head[at.LEAST] = 1.0, 0.0, t, FAR
        for number, line in enumerate(self.lines):
            self.block(number)[at.LONGEST] = self.memory[line.longest] if line.lag >= 0 else 0.0
            self.block(number)[at.FIRST : at.LAST + 1] = 0.0
        self.hold()

    def hold(self) -> None:
        """What the signals are now they were ever before."""
        first = self.place_of(0)
        self.numbers[first], self.numbers[first + 1] = self.numbers[at.END], 1.0
        for number, line in enumerate(self.lines):
            place = first + 2 + 5 * number
            self.numbers[place : place + 5] = 0.0
            self.numbers[place] = self.memory[line.signal]
        for pipe in self.pipes:
            pipe.begin()

    def begin(self, t: float) -> None:
        self.hold()
        self.numbers[at.FRESH] = 1.0
        self.breaks = [_Breaks(t) for _ in self.lines]
        for number, line in enumerate(self.lines):
            self.block(number)[at.END_VALUE] = self.memory[line.signal]
            if line.lag >= 0:
                self._move(number, t - self.memory[line.lag], 0)
        self._measure(t)
        for line in self.lines:
            # Translation took the delayed value for known: zero would make it the present one.
            if line.lag >= 0 and line.last_break < 0 and self.memory[line.lag] <= 0.0:
                raise delay_became_zero(line.text, line.span)

    def next_piece(self, number: int) -> float:
        """Of a line: of the pieces that all lines share, or of its own segments."""
        if self.is_quantized:
            block = self.block(number)
            return float(block[at.S_COUNT] + block[at.S_BASE])
        return float(self.numbers[at.COUNT] + self.numbers[at.BASE])

    @property
    def is_quantized(self) -> bool:
        return bool(self.numbers[at.QUANTIZED] != 0.0)

    # ------------------------------------------------------------ events

    def move_on(self, t: float, crossing: Crossing | None) -> None:
        """Each line to the piece that its point has reached."""
        self.met = {}
        if self.is_quantized:
            for number, line in enumerate(self.lines):
                self.block(number)[at.END_VALUE] = self.memory[line.signal]
        for number, line in enumerate(self.lines):
            if line.lag >= 0:
                self._move(number, t - self.memory[line.lag], self._way(number, crossing))
        for number, pipe in enumerate(self.pipes):
            for order in pipe.move_on():
                self._meet(-1 - number, order)
        self.is_own = crossing is not None and all(
            int(i) in self.watchers for i in np.flatnonzero(crossing.which)
        )

    def _way(self, number: int, crossing: Crossing | None) -> int:
        """+1 where the next break is met, -1 where the last one is met again."""
        relation = self.lines[number].relation
        if crossing is None:
            return 0
        if crossing.which[relation] and crossing.residuals[relation] >= 0.0:
            return 1
        if relation + 1 in self.watchers and self.lines[number].last_break >= 0:
            back = crossing.which[relation + 1] and crossing.residuals[relation + 1] <= 0.0
            return -1 if back else 0
        return 0

    def _move(self, number: int, point: float, way: int) -> None:
        breaks = self.breaks[number]
        rounding = 4.0 * ulp(max(abs(point), abs(self.numbers[at.END])))
        if way < 0 and breaks.passed > 0:
            breaks.passed -= 1
            self._meet(number, breaks.orders[breaks.passed])
        while way >= 0 and (way > 0 or breaks.next <= point + rounding):
            if breaks.passed == len(breaks.times):
                break
            self._meet(number, breaks.orders[breaks.passed])
            breaks.passed += 1
            way = 0
        self.show(number)

    def _meet(self, number: int, order: int) -> None:
        self.met[number] = min(order, self.met.get(number, order))

    def forget_breaks(self, number: int) -> None:
        """Whoever reads the line looks at all of it."""
        breaks = self.breaks[number]
        breaks.times, breaks.ends, breaks.pieces, breaks.orders = [], [], [], []
        breaks.passed = 0
        self.show(number)

    def show(self, number: int) -> None:
        """Let kernels and relations see which pieces a line may use."""
        line, breaks, block = self.lines[number], self.breaks[number], self.block(number)
        block[at.FIRST] = breaks.pieces[breaks.passed - 1] if breaks.passed > 0 else 0.0
        is_open = breaks.passed == len(breaks.times)
        block[at.LAST] = at.OPEN if is_open else breaks.ends[breaks.passed]
        self.memory[line.next_break] = breaks.next
        if line.last_break >= 0:
            # A little before it: just passed, the point must not count as coming back.
            self.memory[line.last_break] = breaks.last - 16.0 * ulp(breaks.last)

    def mark(self, t: float) -> None:
        """Signals may have jumped: a break of each. The memory holds the values after the event."""
        head = self.numbers
        for number, line in enumerate(self.lines):
            block, after = self.block(number), self.memory[line.signal]
            before = block[at.END_VALUE]
            block[at.END_VALUE] = after
            if line.lag < 0:
                continue
            size = max(abs(before), abs(after), block[at.SIZE])
            # Segments of quantized signals end a quantum beside the next ones.
            jumps = abs(after - before) > max(SAME * size, QUANTA * block[at.WIDTH])
            order = 0 if jumps else self._inherited(line)
            if order <= self.roughest:
                self.breaks[number].add(t, self.next_piece(number), order, self.alike)
            self.breaks[number].forget(t - block[at.LONGEST])
            self._move(number, t - self.memory[line.lag], 0)
        for pipe in self.pipes:
            pipe.mark(self._order_into(pipe))
        head[at.FRESH] = 1.0
        self.met, self.is_own = {}, False
        self._measure(t)

    def _order_into(self, pipe: Pipe) -> int:
        """How rough a border flows into a pipe."""
        about = pipe.about
        inflow = about.left if pipe.is_forward else about.right
        if not self.is_own:
            return 0
        return min(self._inherited(self.lines[number]) for number in (inflow, about.place))

    def _inherited(self, line: Delay) -> int:
        """The order of a break without a jump; one beyond all where the event leaves the signal as
        it is."""
        if not self.is_own:
            return 1
        orders = [self.met[number] for number in line.feeds if number in self.met]
        return min(orders, default=ROUGHEST) + 1

    def _measure(self, t: float) -> None:
        if append.fw_measure_lags(self.numbers, self.memory):
            raise self.wrong(t)

    def wrong(self, t: float) -> SimulationError:
        line = self.lines[int(self.numbers[at.WRONG]) - 1]
        lag, longest = float(self.memory[line.lag]), float(self.memory[line.longest])
        return delay_out_of_bounds(line.text, line.span, t, lag, longest)

    # ------------------------------------------------------------ steps

    @property
    def reach(self) -> float:
        """How long the next step may be."""
        return float(self.numbers[at.LEAST])

    def make_room(self) -> None:
        """Forget pieces that nobody will look at any more; where these are few, grow."""
        head = self.numbers
        count, width = int(head[at.COUNT]), 2 + 5 * len(self.lines)
        longest = max(float(self.block(k)[at.LONGEST]) for k in range(len(self.lines)))
        begins = head[self.place_of(0) : self.place_of(count) : width]
        # Rows of the step that is being remembered are still to come.
        began = int(head[at.BEGAN])
        now = head[self.place_of(began)] if began < count else head[at.END]
        old = int(np.searchsorted(begins, now - longest, side="right")) - 2
        kept = min((pipe.oldest_piece() for pipe in self.pipes), default=inf)
        old = int(min(old, kept - head[at.BASE] - 1.0))
        if old < count // 4:
            self.lay_out(2 * int(head[at.ROOM]))
            return
        first, rest = self.place_of(0), head[self.place_of(old) : self.place_of(count)].copy()
        head[first : first + len(rest)] = rest
        head[at.COUNT] -= old
        head[at.BASE] += old
        head[at.BEGAN] -= old


# ---------------------------------------------------------------- for the reference backend


def _numbers_at(address: float) -> Any:
    """The array at an address; its length does not matter to who reads it by places."""
    return (ctypes.c_double * (1 << 40)).from_address(int(address))


def look_up(address: float, line: float, point: float, *present: float) -> list[float]:
    """Value, slope and share of the present value, as machine code gets them."""
    out = [0.0, 0.0, 0.0]
    now, time = present if present else (0.0, 0.0)
    at.fw_history(_numbers_at(address), line, point, now, time, float(bool(present)), out)
    return out


def look_in_pipe(address: float, end: float, place: float, at_start: float) -> list[float]:
    """Value and slope of what is at an end of a pipe."""
    out = [0.0, 0.0]
    at.fw_pipe(_numbers_at(address), end, place, out)
    return out
