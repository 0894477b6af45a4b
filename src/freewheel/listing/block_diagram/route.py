"""Wires between placed boxes: channels with tracks, and lines from edge to edge.

Channel k lies left of layer k, the last one right of the last layer. A net that changes its height in a
channel gets a track there (`tracks.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from freewheel.listing.block_diagram.place_nodes import LANE, Box, Lane, Net, Point, Wire
from freewheel.listing.block_diagram.tracks import Channel, Turn, turns

TRACK = 9.0  # between upright wires
SIDE = 14.0  # between a box and the first track


@dataclass(frozen=True, slots=True)
class Grid:
    """Boxes and lanes with their layers and heights."""

    boxes: Sequence[Box]
    nets: Sequence[Net]
    lanes: Sequence[Lane]
    level: Sequence[int]  # of boxes
    tops: Sequence[float]  # of boxes, then of lanes

    @property
    def layer_count(self) -> int:
        return max(self.level, default=-1) + 1

    def lane_y(self, number: int) -> float:
        return self.tops[len(self.boxes) + number] + LANE / 2

    def tail_y(self, net: Net) -> float:
        box, port = net.tail
        return self.tops[box] + self.boxes[box].output_y(port)

    def widths(self) -> list[float]:
        """Of layers."""
        found = [0.0] * self.layer_count
        for level, box in zip(self.level, self.boxes, strict=True):
            found[level] = max(found[level], box.width, box.span)
        return found


def routed(grid: Grid) -> tuple[list[float], tuple[Wire, ...]]:
    """(left edge of each layer, one wire for each net)."""
    channels = _channels(grid)
    turned = [turns(channel) for channel in channels]
    lefts, columns = _columns(grid, turned)
    lines: list[list[tuple[Point, Point]]] = [[] for _ in grid.nets]
    dots: list[list[Point]] = [[] for _ in grid.nets]
    rights = [x + width for x, width in zip(lefts, grid.widths(), strict=True)]
    for k, channel in enumerate(channels):
        left, right = (
            rights[k - 1] if k else 0.0,
            lefts[k] if k < len(lefts) else columns[k] + SIDE,
        )
        for net in channel.nets():
            if channel.is_straight(net):
                y = channel.span(net)[0]
                lines[net].append(((left, y), (right, y)))
        places = [columns[k] + SIDE + TRACK * track for _, track in turned[k]]
        ahead = {turn.after: x for (turn, _), x in zip(turned[k], places, strict=True)}
        for number, ((turn, _), x) in enumerate(zip(turned[k], places, strict=True)):
            start = x if turn.after is not None else left
            lines[turn.net] += _drawn(turn, x, (start, ahead.get(number, right)))
            dots[turn.net] += _branches(turn, x)
    for net, line in _through_layers(grid, lefts, rights):
        lines[net].append(line)
    return lefts, tuple(Wire(tuple(a), tuple(b)) for a, b in zip(lines, dots, strict=True))


def _channels(grid: Grid) -> list[Channel]:
    found = [Channel() for _ in range(grid.layer_count + 1)]
    for number, net in enumerate(grid.nets):
        found[grid.level[net.tail[0]] + 1].left.setdefault(number, []).append(grid.tail_y(net))
        for head, port in net.heads:
            y = grid.tops[head] + grid.boxes[head].input_y(port)
            found[grid.level[head]].right.setdefault(number, []).append(y)
    for k, lane in enumerate(grid.lanes):
        found[lane.level].right.setdefault(lane.net, []).append(grid.lane_y(k))
        found[lane.level + 1].left.setdefault(lane.net, []).append(grid.lane_y(k))
    return found


def _columns(
    grid: Grid, turned: Sequence[Sequence[tuple[Turn, int]]]
) -> tuple[list[float], list[float]]:
    """(left edge of each layer, left edge of each channel)."""
    lefts: list[float] = []
    columns: list[float] = []
    widths = grid.widths()
    x = 0.0
    for k, used in enumerate(turned):
        columns.append(x)
        room = max((track for _, track in used), default=-1) + 1
        x += 2 * SIDE + TRACK * room if 0 < k < len(widths) or room else 0.0
        if k < len(widths):
            lefts.append(x)
            x += widths[k]
    return lefts, columns


def _drawn(turn: Turn, x: float, edges: tuple[float, float]) -> list[tuple[Point, Point]]:
    low, high = turn.span
    return [
        *(((edges[0], y), (x, y)) for y in turn.left),
        *(((x, y), (edges[1], y)) for y in turn.right),
        ((x, low), (x, high)),
    ]


def _through_layers(
    grid: Grid, lefts: Sequence[float], rights: Sequence[float]
) -> list[tuple[int, tuple[Point, Point]]]:
    """Lanes, and the way from a box to the edge of its layer where others are wider."""
    found: list[tuple[int, tuple[Point, Point]]] = []
    for k, lane in enumerate(grid.lanes):
        y = grid.lane_y(k)
        found.append((lane.net, ((lefts[lane.level], y), (rights[lane.level], y))))
    for number, net in enumerate(grid.nets):
        level = grid.level[net.tail[0]]
        end = lefts[level] + grid.boxes[net.tail[0]].width
        if end < rights[level]:
            y = grid.tail_y(net)
            found.append((number, ((end, y), (rights[level], y))))
    return found


def _branches(turn: Turn, x: float) -> list[Point]:
    """Dots where three lines meet."""
    low, high = turn.span
    sides = [*((y, 0) for y in turn.left), *((y, 1) for y in turn.right)]
    inner = [(x, y) for y, _ in sides if low + 0.5 < y < high - 0.5]
    ends = [
        (x, end)
        for end in (low, high)
        if len({side for y, side in sides if abs(y - end) <= 0.5}) == 2
    ]
    return [*inner, *ends]
