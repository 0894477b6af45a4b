"""Wires between placed boxes: channels with tracks, and lines from edge to edge.

Channel k lies left of layer k, the last one right of the last layer. A net that changes its height in a
channel gets a track there; nets on one track do not overlap.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from freewheel.listing.block_diagram.place_nodes import LANE, Box, Lane, Net, Point, Wire

TRACK = 9.0  # between upright wires
SIDE = 14.0  # between a box and the first track
AIR = 2.0  # between wires that belong to different nets


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


@dataclass(slots=True)
class Channel:
    """What meets between two layers: heights at its left and at its right edge, net by net."""

    left: dict[int, list[float]] = field(default_factory=dict)
    right: dict[int, list[float]] = field(default_factory=dict)

    def nets(self) -> list[int]:
        return sorted({*self.left, *self.right})

    def span(self, net: int) -> tuple[float, float]:
        heights = [*self.left.get(net, ()), *self.right.get(net, ())]
        return min(heights), max(heights)


def routed(grid: Grid) -> tuple[list[float], tuple[Wire, ...]]:
    """(left edge of each layer, one wire for each net)."""
    channels = _channels(grid)
    tracks = [_tracks(channel) for channel in channels]
    lefts, columns = _columns(grid, tracks)
    lines: list[list[tuple[Point, Point]]] = [[] for _ in grid.nets]
    dots: list[list[Point]] = [[] for _ in grid.nets]
    rights = [x + width for x, width in zip(lefts, grid.widths(), strict=True)]
    for k, channel in enumerate(channels):
        edges = (rights[k - 1] if k else 0.0, lefts[k] if k < len(lefts) else columns[k] + SIDE)
        for net in channel.nets():
            track = tracks[k].get(net)
            if track is None:
                lines[net].append(
                    ((edges[0], channel.span(net)[0]), (edges[1], channel.span(net)[0]))
                )
                continue
            x = columns[k] + SIDE + TRACK * track
            lines[net] += _turn(channel, net, x, edges)
            dots[net] += _branches(channel, net, x)
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


def _columns(grid: Grid, tracks: Sequence[Mapping[int, int]]) -> tuple[list[float], list[float]]:
    """(left edge of each layer, left edge of each channel)."""
    lefts: list[float] = []
    columns: list[float] = []
    widths = grid.widths()
    x = 0.0
    for k, used in enumerate(tracks):
        columns.append(x)
        room = max(used.values(), default=-1) + 1
        x += 2 * SIDE + TRACK * room if 0 < k < len(widths) or room else 0.0
        if k < len(widths):
            lefts.append(x)
            x += widths[k]
    return lefts, columns


def _turn(
    channel: Channel, net: int, x: float, edges: tuple[float, float]
) -> list[tuple[Point, Point]]:
    low, high = channel.span(net)
    return [
        *(((edges[0], y), (x, y)) for y in channel.left.get(net, ())),
        *(((x, y), (edges[1], y)) for y in channel.right.get(net, ())),
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


def _tracks(channel: Channel) -> dict[int, int]:
    """A track for each net that turns: no two nets on one track overlap."""
    turning = [n for n in channel.nets() if channel.span(n)[1] - channel.span(n)[0] > 0.5]
    taken: list[list[tuple[float, float]]] = []
    found: dict[int, int] = {}
    for net in sorted(turning, key=lambda n: _rank(channel, n)):
        low, high = channel.span(net)
        least = max((found[o] + 1 for o in found if _meets(channel, o, net)), default=0)
        track = next(
            (
                k
                for k in range(least, len(taken))
                if all(high + AIR < a or b + AIR < low for a, b in taken[k])
            ),
            max(len(taken), least),
        )
        while len(taken) <= track:
            taken.append([])
        taken[track].append((low, high))
        found[net] = track
    return found


def _rank(channel: Channel, net: int) -> tuple[float, float]:
    """Wires that go down turn in the order from below, those that go up in the order from above."""
    left = channel.left.get(net, channel.right.get(net, [0.0]))
    right = channel.right.get(net, left)
    start, end = sum(left) / len(left), sum(right) / len(right)
    return (0.0, -start) if end > start else (1.0, start)


def _meets(channel: Channel, first: int, second: int) -> bool:
    """Whether the entry of the first lies on the height of the exit of the second, or nearly."""
    exits = channel.right.get(second, ())
    entries = channel.left.get(first, ())
    return any(abs(a - b) < AIR for a in entries for b in exits)


def _branches(channel: Channel, net: int, x: float) -> list[Point]:
    """Dots where three lines meet."""
    low, high = channel.span(net)
    sides = [
        *((y, 0) for y in channel.left.get(net, ())),
        *((y, 1) for y in channel.right.get(net, ())),
    ]
    inner = [(x, y) for y, _ in sides if low + 0.5 < y < high - 0.5]
    ends = [
        (x, end)
        for end in (low, high)
        if len({side for y, side in sides if abs(y - end) <= 0.5}) == 2
    ]
    return [*inner, *ends]
