"""What is in the pipes of `spatialDistribution(..)`: stretches, the one at each end in use.

    pipes = Pipes(model, history)
    pipes.begin()                 # stretches of the initial profile, and the first that flows in
    pipes.move_on()               # at an event: a stretch has left
    pipes.mark(order)             # after it: another one flows in, perhaps at the other end

A particle keeps the number s = xi - x (structure/transport.py), so that stretches lie side by side
along s: the left end is at s = -x, the right end at s = 1 - x. A stretch that flowed in is known by
the pieces of history while it did; the borders of stretches at the ends are borders of x.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from freewheel.runtime.failures import bad_profile
from freewheel.runtime.kernels import lookup as at
from freewheel.runtime.model import Transport, Vector

if TYPE_CHECKING:
    from freewheel.runtime.history import History

FAR = 1e300
ROUNDING = 1e-13  # of x, at which a border counts as reached
SHORT = 1e-14  # stretches below this length are nothing


@dataclass(slots=True)
class Stretch:
    """From s = low to s = high. `order`: how rough the border is at which it began."""

    low: float
    high: float
    kind: float
    order: int = 1
    value: float = 0.0  # profile: at s = low, and how steep
    steep: float = 0.0
    line: int = -1  # fed: of what flowed in
    offset: float = 0.0  # x was offset - s then
    rising: float = 0.0
    begins: float = 0.0  # pieces
    stops: float = at.OPEN
    content_begins: float = 0.0  # of the content, where lines have segments of their own
    content_stops: float = at.OPEN


class Pipe:
    def __init__(self, number: int, transport: Transport, history: History) -> None:
        self.number = number
        self.about = transport
        self.history = history
        self.stretches: list[Stretch] = []  # along s
        self.is_forward = True

    @property
    def memory(self) -> Vector:
        return self.history.memory

    @property
    def x(self) -> float:
        return float(self.memory[self.history.lines[self.about.place].signal])

    def begin(self) -> None:
        points = [float(self.memory[slot]) for slot in self.about.points]
        values = [float(self.memory[slot]) for slot in self.about.values]
        if points[0] != 0.0 or points[-1] != 1.0 or points != sorted(points):
            raise bad_profile(self.about.text, self.about.span, points)
        x = self.x
        self.stretches = []
        for a, b, v, w in zip(points, points[1:], values, values[1:], strict=False):
            if b > a:
                steep = (w - v) / (b - a)
                profile = Stretch(a - x, b - x, at.PROFILE, 0, v, steep)
                self.stretches.append(profile)
        self._open(0)

    def _open(self, order: int) -> None:
        """What flows in from now on is a new stretch."""
        x, piece = self.x, self.history.next_piece(self.about.place)
        self.is_forward = bool(self.memory[self.about.forward] > 0.5)
        if self.is_forward:
            self.stretches[0].low = -x
            fed = Stretch(-inf, -x, at.FED, order, line=self.about.left, rising=1.0, begins=piece)
            self.stretches.insert(0, fed)
        else:
            self.stretches[-1].high = 1.0 - x
            fed = Stretch(1.0 - x, inf, at.FED, order, line=self.about.right, begins=piece)
            fed.offset, fed.rising = 1.0, -1.0
            self.stretches.append(fed)
        fed.content_begins = self.history.next_piece(fed.line)
        self.show()

    def _close(self) -> None:
        """The stretch that flows in ends here; one without length is dropped."""
        growing = self.stretches[0 if self.is_forward else -1]
        growing.stops = self.history.next_piece(self.about.place) - 1.0
        if growing.kind == at.FED:
            growing.content_stops = self.history.next_piece(growing.line) - 1.0
        if self.is_forward:
            growing.low = -self.x
        else:
            growing.high = 1.0 - self.x
        if growing.high - growing.low <= SHORT and len(self.stretches) > 1:
            self.stretches.remove(growing)

    def mark(self, order: int) -> None:
        """After an event: a border of this order, where it is one that counts."""
        turns = self.is_forward != bool(self.memory[self.about.forward] > 0.5)
        if turns or order <= self.history.roughest:
            self._close()
            self._open(0 if turns else order)

    def move_on(self) -> list[int]:
        """Let stretches leave whose border is reached; how rough the borders were."""
        x, met = self.x, []
        slack = ROUNDING * (1.0 + abs(x))
        while self.is_forward and len(self.stretches) > 1 and x >= self.next_border - slack:
            del self.stretches[-1]
            met.append(self.stretches[-1].order)
        while not self.is_forward and len(self.stretches) > 1 and x <= self.last_border + slack:
            del self.stretches[0]
            met.append(self.stretches[0].order)
        self.show()
        return met

    @property
    def next_border(self) -> float:
        """Where x lets the stretch at the right end leave."""
        return 1.0 - self.stretches[-1].low if len(self.stretches) > 1 else FAR

    @property
    def last_border(self) -> float:
        return -self.stretches[0].high if len(self.stretches) > 1 else -FAR

    def show(self) -> None:
        """Let kernels and relations see both ends."""
        self.memory[self.about.next_border] = self.next_border if self.is_forward else FAR
        self.memory[self.about.last_border] = -FAR if self.is_forward else self.last_border
        for side, stretch in ((0, self.stretches[0]), (1, self.stretches[-1])):
            start = int(at.fw_end(self.history.numbers, 2 * self.number + side))
            end = self.history.numbers[start : start + at.END_OF_PIPE]
            end[at.KIND], end[at.VALUE], end[at.STEEP] = stretch.kind, stretch.value, stretch.steep
            end[at.FROM] = stretch.low if stretch.kind == at.PROFILE else 0.0
            end[at.CONTENT], end[at.WHERE] = stretch.line, self.about.place
            end[at.OFFSET], end[at.RISING] = stretch.offset, stretch.rising
            end[at.BEGINS], end[at.STOPS] = stretch.begins, stretch.stops
            end[at.CONTENT_BEGINS] = stretch.content_begins
            end[at.CONTENT_STOPS] = stretch.content_stops

    def oldest_segment(self, line: int) -> float:
        """Of a line: the first that is still in the pipe."""
        fed = [stretch for stretch in self.stretches if stretch.kind == at.FED]
        kept = [s.begins for s in fed if line == self.about.place]
        kept += [s.content_begins for s in fed if line == s.line]
        return min(kept, default=inf)

    def oldest_piece(self) -> float:
        """The first that is still in the pipe."""
        fed = [stretch for stretch in self.stretches if stretch.kind == at.FED]
        oldest = min((stretch.begins for stretch in fed), default=inf)
        last = self.stretches[-1]
        if last.kind == at.FED and last.rising > 0.0 and last.begins == oldest:
            began = self.history.block(self.about.place)[at.OLD_VALUE]  # where the step began
            return max(oldest, self._piece_at(last, float(began) - 1.0) - 1.0)
        return oldest

    def _piece_at(self, stretch: Stretch, place: float) -> float:
        """The piece while which x had a value, of a stretch that flowed in on the left."""
        numbers, history = self.history.numbers, self.history
        count = int(numbers[at.COUNT])
        first = max(0, int(stretch.begins - numbers[at.BASE]))
        width = 2 + 5 * len(history.lines)
        start = int(at.fw_piece(numbers, first)) + 2 + 5 * self.about.place
        begins = numbers[start : int(at.fw_piece(numbers, count)) : width]
        found = int(np.searchsorted(begins, place, side="right")) - 1
        return float(numbers[at.BASE] + first + max(0, found))
