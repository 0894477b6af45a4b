"""Where texts stand in a picture, so that none covers another or a line.

    sheet = Sheet(); sheet.add_line((0, 0), (100, 0))
    sheet.crowding((40, -5, 60, 5))      1: the line runs through this box

Boxes and lines are kept in squares of the sheet, so that only what is near is asked: the time grows with
the size of the picture, not with its square.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import ceil, floor, hypot

Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, right, bottom

SQUARE = 60.0
OVER_TEXT = 3  # a text under a text is worse than a line through it


class Sheet:
    """What is drawn already."""

    def __init__(self) -> None:
        self._boxes: dict[tuple[int, int], list[Box]] = defaultdict(list)
        self._lines: dict[tuple[int, int], list[int]] = defaultdict(list)
        self._ends: list[tuple[Point, Point]] = []

    def add_line(self, tail: Point, head: Point) -> None:
        number = len(self._ends)
        self._ends.append((tail, head))
        pieces = ceil(hypot(head[0] - tail[0], head[1] - tail[1]) / (SQUARE / 2)) or 1
        found: dict[tuple[int, int], None] = {}
        for k in range(pieces + 1):
            x = tail[0] + (head[0] - tail[0]) * k / pieces
            y = tail[1] + (head[1] - tail[1]) * k / pieces
            # A piece is half a square long at most, so the squares around its end hold all of it.
            for square in _squares(
                (x - SQUARE / 2, y - SQUARE / 2, x + SQUARE / 2, y + SQUARE / 2)
            ):
                found[square] = None
        for square in found:
            self._lines[square].append(number)

    def add_box(self, box: Box) -> None:
        for square in _squares(box):
            self._boxes[square].append(box)

    def crowding(self, box: Box) -> int:
        """How much lies under a box."""
        boxes: dict[Box, None] = {}
        lines: dict[int, None] = {}
        for square in _squares(box):
            boxes.update(dict.fromkeys(self._boxes.get(square, ())))
            lines.update(dict.fromkeys(self._lines.get(square, ())))
        texts = sum(_overlap(box, other) for other in boxes)
        return OVER_TEXT * texts + sum(_runs_through(*self._ends[k], box) for k in lines)

    def put(self, candidates: Sequence[Box]) -> int:
        """The number of the first candidate with the least under it, which is taken from now on."""
        best, least = 0, math.inf
        for number, box in enumerate(candidates):
            cost = self.crowding(box)
            if cost < least:
                best, least = number, cost
            if cost == 0:
                break
        self.add_box(candidates[best])
        return best


def text_box(x: float, y: float, width: float, height: float, anchor: str, air: float = 0.0) -> Box:
    """Of a text whose base line begins, has its middle or ends at (x, y), with some air around it."""
    left = {"start": x, "middle": x - width / 2, "end": x - width}[anchor]
    return left - air, y - height - air, left + width + air, y + air


def _squares(box: Box) -> Iterable[tuple[int, int]]:
    for column in range(floor(box[0] / SQUARE), floor(box[2] / SQUARE) + 1):
        for row in range(floor(box[1] / SQUARE), floor(box[3] / SQUARE) + 1):
            yield column, row


def _overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _runs_through(tail: Point, head: Point, box: Box) -> bool:
    """Does a line meet a box? What is left of it after each side has cut it (Liang and Barsky, 1984)."""
    dx, dy = head[0] - tail[0], head[1] - tail[1]
    first, last = 0.0, 1.0
    sides = (
        (-dx, tail[0] - box[0]), (dx, box[2] - tail[0]),
        (-dy, tail[1] - box[1]), (dy, box[3] - tail[1]),
    )  # fmt: skip
    for slope, room in sides:
        if slope == 0.0:
            if room < 0.0:
                return False
        elif slope < 0.0:
            first = max(first, room / slope)
        else:
            last = min(last, room / slope)
    return first <= last
