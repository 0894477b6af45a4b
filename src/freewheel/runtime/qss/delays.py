"""What quantized states remember: each signal of `delay(..)` and of pipes as segments of its own.

    past = QuantizedHistory(history, space, settings)
    past.begin(t)              # at the start: a constant, and what holds from now on
    past.make_room()           # for more segments, forgetting what nobody will look at
    past.hand_over(t)          # to a classic method: segments become pieces

`history` is the one that classic methods have, too: it knows of breaks and of stretches in pipes. Segments
take the place of its pieces (`qss/delays_kernels.py`), which all lines share. Only jumps are breaks here: a
bend is a new segment like any other.
"""

from __future__ import annotations

import numpy as np

from freewheel.runtime.delays import lookup as at
from freewheel.runtime.delays.history import LiveHistory
from freewheel.runtime.delays.lookup import Line
from freewheel.runtime.model import Vector
from freewheel.runtime.qss.quanta import Quantum
from freewheel.runtime.qss.space import QuantizedSpace
from freewheel.runtime.settings import Settings

FIRST_ROOM = 64  # segments
SPARE = 4  # that kernels may add before they are asked
LONG_AGO = -1e300
# Of the whole time, between breaks that count as one: crossings are located less finely.
ALIKE = 1e-11


class QuantizedHistory:
    def __init__(self, history: LiveHistory, space: QuantizedSpace, settings: Settings) -> None:
        self.history = history
        self.space = space
        for line in history.record.lines:
            history.records.resize(line, segment_room=FIRST_ROOM)
        space.qss.history = history.record
        common = settings.quanta.get("", Quantum(1e-300, settings.tolerance))
        space.qss.signal_relative = common.relative
        space.qss.signal_absolute = common.absolute
        history.record.alike = ALIKE * settings.span

    def begin(self, t: float) -> None:
        """The past is constant."""
        history = self.history
        history.record.is_quantized = 1
        history.record.roughest = 0
        for line in history.record.lines:
            value = float(history.memory[line.signal_slot])
            line.begins[0], line.begins[1] = LONG_AGO, t
            line.values[0] = line.values[1] = value
            for numbers in (line.slopes, line.bends):
                numbers[0] = numbers[1] = 0.0
            line.segment_count, line.segment_base, line.size = 2, 0, abs(value)
            if line.lag_slot >= 0:  # whoever reads the line looks at all of it
                line.break_count = line.passed = 0
                history.show(line)

    def make_room(self) -> None:
        """For all lines that need it."""
        for number, line in enumerate(self.history.record.lines):
            if line.segment_count + SPARE > line.segment_room:
                self._make_room(number, line)
        self.space.qss.past_full = 0

    def _make_room(self, number: int, line: Line) -> None:
        count = line.segment_count
        old = min(self._forgotten(number, line), count - 2)
        if old < count // 4:
            self.history.records.resize(line, segment_room=2 * line.segment_room)
            return
        for numbers in (line.begins, line.values, line.slopes, line.bends):
            whole = np.asarray(numbers)
            whole[: count - old] = whole[old:count].copy()
        line.segment_count -= old
        line.segment_base += old

    def _forgotten(self, number: int, line: Line) -> int:
        """How many segments nobody will look at any more."""
        history, count = self.history, line.segment_count
        if line.lag_slot < 0:
            kept = min(history.oldest_segment(pipe, number) for pipe in history.record.pipes)
            return max(0, int(min(kept - line.segment_base - 1, count)))
        oldest = self.space.qss.t - line.longest
        return max(0, int(np.searchsorted(_begins(line), oldest, side="right")) - 2)

    # ------------------------------------------------------------ for a classic method

    def hand_over(self, t: float) -> None:
        """Each begin of a segment becomes the begin of a piece of all lines, and all who keep numbers of
        segments get those of pieces."""
        history, record = self.history, self.history.record
        times = np.unique(np.concatenate([*(_begins(line) for line in record.lines), [t]]))
        times = times[times <= t]
        if times[0] == LONG_AGO:
            times[0] = times[1] - 1.0  # any time will do: that segment is a constant
        begins, lengths = times[:-1], np.diff(times)
        count = len(begins)
        self._renumber(begins)
        record.is_quantized, record.roughest, record.alike = 0, at.ROUGHEST, 0.0
        history.records.resize(record, room=max(record.room, 2 * len(times)))
        record.begins[:count], record.lengths[:count] = begins, lengths
        nodes = begins[:, None] + lengths[:, None] * (0.25 * np.arange(5.0))
        table = np.asarray(record.differences).reshape(record.room, len(record.lines), 5)
        for number, line in enumerate(record.lines):
            values = _values(line, begins, nodes)
            for order in range(5):
                table[:count, number, order] = np.diff(values, order)[:, 0]
        record.count, record.base, record.end, record.is_fresh = count, 0, t, 1
        for line in record.lines:
            if line.lag_slot >= 0:
                history.show(line)

    def _renumber(self, pieces: Vector) -> None:
        """`pieces`: their begins."""
        record = self.history.record

        def moved(line: Line, segment: int) -> int:
            """The piece that begins where a segment does; the next one for the next one."""
            begins, place = _begins(line), segment - line.segment_base
            if place >= len(begins):
                return len(pieces)
            return int(np.searchsorted(pieces, begins[max(0, place)])) if place > 0 else 0

        for line in record.lines:
            for one in line.breaks:
                one.end, one.piece = moved(line, one.end + 1) - 1, moved(line, one.piece)
        for pipe in record.pipes:
            x = record.lines[pipe.place]
            for stretch in self.history.stretches(pipe):
                stretch.begins = moved(x, stretch.begins)
                if stretch.stops < at.OPEN:
                    stretch.stops = moved(x, stretch.stops + 1) - 1


def _begins(line: Line) -> Vector:
    return np.asarray(line.begins)[: line.segment_count]


def _values(line: Line, begins: Vector, times: Vector) -> Vector:
    """Of the segments that hold these begins, at the times in the same line."""
    found = np.maximum(np.searchsorted(_begins(line), begins, side="right") - 1, 0)
    first, value, slope, bend = (
        np.asarray(numbers)[found][:, None]
        for numbers in (line.begins, line.values, line.slopes, line.bends)
    )
    gone = times - np.maximum(first, begins[0] - 1.0)
    result: Vector = value + gone * (slope + gone * bend)
    return result
