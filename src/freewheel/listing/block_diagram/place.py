"""Where blocks and wires are drawn: sizes of boxes in, coordinates and polylines out.

    place(boxes, nets).corners      upper left corner of each box

A wire that spans several layers is led through each of them in a lane of its own; one that points
backwards leaves its block at the right, runs back below or above others and enters from the left.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from freewheel.graphs.layers import layers, order
from freewheel.listing.block_diagram.heights import Joint, heights
from freewheel.listing.block_diagram.place_nodes import Box, Lane, Net, Placement
from freewheel.listing.block_diagram.route import Grid, routed

STRAIGHT, TO_LANE, ASIDE = (
    8.0,
    2.0,
    0.3,
)  # weights of wires between lanes, to lanes, to lanes beside


def place(boxes: Sequence[Box], nets: Sequence[Net], first: Sequence[int] = ()) -> Placement:
    """`first` are the boxes where reading begins."""
    edges = [(net.tail[0], head) for net in nets for head, _ in net.heads]
    level = layers(len(boxes), edges, first)
    lanes = _lanes(level, nets)
    joints = _joints(level, lanes, nets)
    ends = [(joint.first, joint.second) for joint in joints]
    rows = order([*level, *(lane.level for lane in lanes)], ends)
    tops = heights(boxes, lanes, rows, joints)
    lefts, wires = routed(Grid(boxes, nets, lanes, level, tops))
    corners = tuple((lefts[level[k]], tops[k]) for k in range(len(boxes)))
    points = [point for wire in wires for line in wire.lines for point in line]
    points += [
        (x + max(b.width, b.span), y + b.height) for (x, y), b in zip(corners, boxes, strict=True)
    ]
    width = max((x for x, _ in points), default=0.0)
    height = max((y for _, y in points), default=0.0)
    return Placement(corners, wires, width, height)


def _lanes(level: Sequence[int], nets: Sequence[Net]) -> list[Lane]:
    found: list[Lane] = []
    for number, net in enumerate(nets):
        start = level[net.tail[0]]
        ends = [level[head] for head, _ in net.heads]
        furthest, nearest = max(ends), min(ends)
        found += [Lane(number, k, False) for k in range(start + 1, furthest)]
        found += [Lane(number, k, True) for k in range(start, nearest - 1, -1) if nearest <= start]
    return found


def _joints(level: Sequence[int], lanes: Sequence[Lane], nets: Sequence[Net]) -> list[Joint]:
    at: dict[tuple[int, bool], dict[int, int]] = {}  # lanes of a net by layer
    for k, lane in enumerate(lanes):
        at.setdefault((lane.net, lane.is_back), {})[lane.level] = len(level) + k
    found: list[Joint] = []
    for number, net in enumerate(nets):
        box, start = net.tail[0], level[net.tail[0]]
        ahead, back = at.get((number, False), {}), at.get((number, True), {})
        for head in net.heads:
            end = level[head[0]]
            if end <= start:
                found.append(Joint(back[end], head[0], None, head, ASIDE))
            elif end - 1 in ahead:
                found.append(Joint(ahead[end - 1], head[0], None, head, TO_LANE))
            else:
                found.append(Joint(box, head[0], net.tail, head, 1.0))
        for chain, weight in ((ahead, TO_LANE), (back, ASIDE)):
            steps = list(chain.values())
            if steps:
                found.append(Joint(box, steps[0], net.tail, None, weight))
            found += [Joint(a, b, None, None, STRAIGHT) for a, b in pairwise(steps)]
    return found
