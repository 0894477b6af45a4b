"""What quantized states remember: each signal of `delay(..)` and of pipes as segments of its own.

    past = QuantizedHistory(history, space, settings)
    past.begin(t)              # at the start: a constant, and what holds from now on
    past.make_room()           # for more segments, forgetting what nobody will look at
    past.hand_over(t)          # to a classic method: segments become pieces

`history` is the one that classic methods have, too: it knows of breaks and of stretches in pipes. Segments
take the place of its pieces (`kernels/qss_past.py`), which all lines share. Only jumps are breaks here: a
bend is a new segment like any other.
"""

from __future__ import annotations

import numpy as np

from freewheel.runtime.history import History
from freewheel.runtime.kernels import lookup as at
from freewheel.runtime.model import Vector
from freewheel.runtime.qss.quanta import Quantum
from freewheel.runtime.qss.space import QuantizedSpace
from freewheel.runtime.settings import Settings

FIRST_ROOM = 64  # segments
SPARE = 4  # that kernels may add before they are asked
LONG_AGO = -1e300
ALIKE = (
    1e-11  # of the whole time, between breaks that count as one: crossings are located less finely
)


class QuantizedHistory:
    def __init__(self, history: History, space: QuantizedSpace, settings: Settings) -> None:
        self.history = history
        self.space = space
        self.segments: list[Vector] = [
            np.zeros(at.SEGMENT * FIRST_ROOM) for _ in range(len(history.lines))
        ]
        space.qss.history_size, space.qss.history = len(history.numbers), history.numbers
        common = settings.quanta.get("", Quantum(1e-300, settings.tolerance))
        space.qss.signal_relative = common.relative
        space.qss.signal_absolute = common.absolute
        history.alike = ALIKE * settings.span

    def begin(self, t: float) -> None:
        """The past is constant."""
        history = self.history
        history.numbers[at.QUANTIZED] = 1.0
        history.roughest = 0
        for number, line in enumerate(history.lines):
            value = float(history.memory[line.signal])
            self.segments[number][: 2 * at.SEGMENT] = (
                LONG_AGO,
                value,
                0.0,
                0.0,
                t,
                value,
                0.0,
                0.0,
            )
            block = history.block(number)
            block[at.S_COUNT], block[at.S_BASE], block[at.SIZE] = 2.0, 0.0, abs(value)
            self._show(number)
            if line.lag >= 0:
                history.forget_breaks(number)

    def _show(self, number: int) -> None:
        block, segments = self.history.block(number), self.segments[number]
        item = self.space.qss.past[number]
        item.segment_room, item.segments = len(segments), segments
        block[at.SEGMENTS] = float(segments.ctypes.data)
        block[at.S_ROOM] = float(len(segments) // at.SEGMENT)

    def make_room(self) -> None:
        """For all lines that need it."""
        for number in range(len(self.segments)):
            block = self.history.block(number)
            if block[at.S_COUNT] + SPARE > block[at.S_ROOM]:
                self._make_room(number, block)
        self.space.qss.past_full = 0

    def _make_room(self, number: int, block: Vector) -> None:
        count = int(block[at.S_COUNT])
        old = min(self._forgotten(number, block), count - 2)
        segments = self.segments[number]
        if old < count // 4:
            self.segments[number] = np.concatenate([segments, np.zeros(len(segments))])
        else:
            rest = segments[at.SEGMENT * old : at.SEGMENT * count].copy()
            segments[: len(rest)] = rest
            block[at.S_COUNT] -= old
            block[at.S_BASE] += old
        self._show(number)

    def _forgotten(self, number: int, block: Vector) -> int:
        """How many segments nobody will look at any more."""
        history, count = self.history, int(block[at.S_COUNT])
        if history.lines[number].lag < 0:
            kept = min(pipe.oldest_segment(number) for pipe in history.pipes)
            return max(0, int(min(kept - block[at.S_BASE] - 1.0, count)))
        begins = self.segments[number][: at.SEGMENT * count : at.SEGMENT]
        oldest = self.space.qss.t - float(block[at.LONGEST])
        return max(0, int(np.searchsorted(begins, oldest, side="right")) - 2)

    # ------------------------------------------------------------ for a classic method

    def hand_over(self, t: float) -> None:
        """Each begin of a segment becomes the begin of a piece of all lines, and all who keep numbers of
        segments get those of pieces."""
        history, lines = self.history, range(len(self.segments))
        known = [self._begins(number) for number in lines]
        times = np.unique(np.concatenate([*known, [t]]))
        times = times[times <= t]
        if times[0] == LONG_AGO:
            times[0] = times[1] - 1.0  # any time will do: that segment is a constant
        self._renumber(times[:-1])
        history.numbers[at.QUANTIZED] = 0.0
        history.roughest, history.alike = at.ROUGHEST, 0.0
        history.lay_out(max(int(history.numbers[at.ROOM]), 2 * len(times)))
        head, count = history.numbers, len(times) - 1
        begins, lengths = times[:-1], np.diff(times)
        pieces = head[history.place_of(0) : history.place_of(count)].reshape(count, -1)
        pieces[:, 0], pieces[:, 1] = begins, lengths
        nodes = begins[:, None] + lengths[:, None] * (0.25 * np.arange(5.0))
        for number in lines:
            values = self._values(number, begins, nodes)
            for order in range(5):
                pieces[:, 2 + 5 * number + order] = np.diff(values, order)[:, 0]
        head[at.COUNT], head[at.BASE], head[at.END], head[at.FRESH] = count, 0.0, t, 1.0
        for number, line in enumerate(history.lines):
            if line.lag >= 0:
                history.show(number)

    def _begins(self, number: int) -> Vector:
        count = int(self.history.block(number)[at.S_COUNT])
        return self.segments[number][: at.SEGMENT * count : at.SEGMENT]

    def _values(self, number: int, begins: Vector, times: Vector) -> Vector:
        """Of the segments that hold these begins, at the times in the same line."""
        known = self._begins(number)
        found = np.maximum(np.searchsorted(known, begins, side="right") - 1, 0)
        table = self.segments[number].reshape(-1, at.SEGMENT)[found]
        gone = times - np.maximum(table[:, :1], begins[0] - 1.0)
        result: Vector = table[:, 1:2] + gone * (table[:, 2:3] + gone * table[:, 3:])
        return result

    def _renumber(self, pieces: Vector) -> None:
        """`pieces`: their begins."""
        history = self.history

        def moved(number: int, segment: float) -> float:
            """The piece that begins where a segment does; the next one for the next one."""
            begins = self._begins(number)
            place = int(segment - history.block(number)[at.S_BASE])
            if place >= len(begins):
                return float(len(pieces))
            return float(np.searchsorted(pieces, begins[max(0, place)])) if place > 0 else 0.0

        for number, breaks in enumerate(history.breaks):
            breaks.ends = [moved(number, end + 1.0) - 1.0 for end in breaks.ends]
            breaks.pieces = [moved(number, piece) for piece in breaks.pieces]
        for pipe in history.pipes:
            for stretch in pipe.stretches:
                stretch.begins = moved(pipe.about.place, stretch.begins)
                if stretch.stops < at.OPEN:
                    stretch.stops = moved(pipe.about.place, stretch.stops + 1.0) - 1.0
            pipe.show()
