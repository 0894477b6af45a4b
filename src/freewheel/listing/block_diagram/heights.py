"""Heights of boxes and lanes: near what they are joined to, in their order, never on each other.

Each layer takes the places nearest to the wanted ones that keep the distances; that is a least-squares
problem which pooling adjacent violators solves (Ayer et al. 1955). Layers are visited to and fro.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

from freewheel.listing.block_diagram.place_nodes import LANE, Box, Lane, Port

GAP_LANE = 3.0  # below a lane
ROUNDS = 48  # of aligning layers with their neighbours; what still moves is below a pixel
MOST_WORK = 100_000  # vertices times rounds; beyond, a drawing is too large to be looked at anyway
STRAIGHTENED = 3  # rounds at the end in which wires are made straight, from left to right


Pull = tuple[int, float, float]  # another vertex, the wanted distance of tops, weight


@dataclass(frozen=True, slots=True)
class Joint:
    """Two vertices, boxes or lanes, that a wire joins; the ports where they are boxes. `weight` is how
    much the wire should be straight (Gansner, Koutsofios, North, Vo 1993: lanes most of all)."""

    first: int
    second: int
    tail: Port | None
    head: Port | None
    weight: float


def heights(
    boxes: Sequence[Box],
    lanes: Sequence[Lane],
    rows: Sequence[Sequence[int]],
    joints: Sequence[Joint],
) -> list[float]:
    """The top of each box and lane: near what it is joined to, and never on another of its layer."""
    count = len(boxes)
    sizes = [*(b.height + b.room_above for b in boxes), *(LANE for _ in lanes)]
    below = [*(b.gap for b in boxes), *(GAP_LANE for _ in lanes)]
    pulls: list[list[Pull]] = [[] for _ in sizes]
    for joint in joints:
        a, b = joint.first, joint.second
        shift = _offset(boxes, b, joint.head, False) - _offset(boxes, a, joint.tail, True)
        pulls[a].append((b, shift, joint.weight))
        pulls[b].append((a, -shift, joint.weight))
    tops = [0.0] * len(sizes)
    for row in rows:
        y = 0.0
        for vertex in row:
            tops[vertex] = y
            y += sizes[vertex] + below[vertex]
    chains = _chains(lanes, count)
    rounds = max(2 * STRAIGHTENED, min(ROUNDS, MOST_WORK // len(sizes))) if sizes else 0
    for step in range(rounds):
        shared = _shared(chains, tops, pulls)
        is_last = step >= rounds - STRAIGHTENED
        for k in range(len(rows)) if step % 2 == 0 or is_last else reversed(range(len(rows))):
            row = rows[k]
            before = set(rows[k - 1]) if is_last and k else None
            wished = [
                shared[v] if v in shared else _wish(tops[v], tops, pulls[v], before) for v in row
            ]
            weights = [0.1 + sum(weight for _, _, weight in pulls[v]) for v in row]
            gaps = [sizes[v] + below[v] for v in row]
            for vertex, top in zip(row, _apart(wished, weights, gaps), strict=True):
                tops[vertex] = top
    for chain in chains:
        _level(chain, tops)
    highest = min(tops, default=0.0)
    above = [*(b.room_above for b in boxes), *(0.0 for _ in lanes)]
    return [top - highest + room for top, room in zip(tops, above, strict=True)]


def _offset(boxes: Sequence[Box], vertex: int, port: Port | None, is_output: bool) -> float:
    if port is None:
        return LANE / 2
    box = boxes[vertex]
    return box.room_above + (box.output_y(port[1]) if is_output else box.input_y(port[1]))


def _chains(lanes: Sequence[Lane], count: int) -> list[list[int]]:
    """Lanes of one wire in one direction: they should be on one height."""
    found: dict[tuple[int, bool], list[int]] = {}
    for k, lane in enumerate(lanes):
        found.setdefault((lane.net, lane.is_back), []).append(count + k)
    return list(found.values())


def _shared(
    chains: Sequence[Sequence[int]], tops: Sequence[float], pulls: Sequence[Sequence[Pull]]
) -> dict[int, float]:
    """The wanted height of the lanes of each wire together."""
    found: dict[int, float] = {}
    for chain in chains:
        wish = _wish(tops[chain[0]], tops, [pull for k in chain for pull in pulls[k]], None)
        found.update(dict.fromkeys(chain, wish))
    return found


def _level(chain: Sequence[int], tops: list[float]) -> None:
    """Steps of a few pixels between lanes of one wire are taken out: the room around a lane allows it."""
    middle = sorted(tops[k] for k in chain)[len(chain) // 2]
    for k in chain:
        if abs(tops[k] - middle) <= LANE / 3:
            tops[k] = middle


def _wish(
    place: float, tops: Sequence[float], pulls: Sequence[Pull], before: Set[int] | None
) -> float:
    """Where the wires of a vertex would be straight: all of them on average, or with `before` the first
    one that comes from there."""
    if before is not None:
        near = (tops[other] + shift for other, shift, _ in pulls if other in before)
        return next(near, place)
    total = sum(weight for _, _, weight in pulls)
    if not total:
        return place
    return sum(weight * (tops[other] + shift) for other, shift, weight in pulls) / total


def _apart(wished: Sequence[float], weights: Sequence[float], gaps: Sequence[float]) -> list[float]:
    """The nearest places that keep their distances: pool adjacent violators (Ayer et al. 1955)."""
    shifts = [0.0]
    for gap in gaps[:-1]:
        shifts.append(shifts[-1] + gap)
    pools: list[tuple[float, float, int]] = []  # mean, weight, members
    for wish, weight, shift in zip(wished, weights, shifts, strict=False):
        mean, total, members = wish - shift, weight, 1
        while pools and pools[-1][0] > mean:
            other, more, size = pools.pop()
            mean = (mean * total + other * more) / (total + more)
            total, members = total + more, members + size
        pools.append((mean, total, members))
    flat = [mean for mean, _, members in pools for _ in range(members)]
    return [mean + shift for mean, shift in zip(flat, shifts, strict=False)]
