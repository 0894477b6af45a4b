"""Tracks of upright wires in a channel: which net turns left of which.

A net comes in at the left edge of its channel and leaves at the right one, on other heights, and turns
between them on a track. Where it comes in at the height at which another one leaves, it has to turn first, or
both lie on each other. Nets that would all have to be first (two that change places) are a cycle; one net of
it turns twice, with a dogleg on a free height in between (Deutsch, "A 'dogleg' channel router", 1976). So
every channel has a solution.

    turns(channel)      two nets that change places are three turns on the tracks 0, 1, 2
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

AIR = 2.0  # between wires that belong to different nets
STRAIGHT = 0.5  # a smaller change of height is not drawn


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

    def is_straight(self, net: int) -> bool:
        low, high = self.span(net)
        return high - low <= STRAIGHT


@dataclass(frozen=True, slots=True)
class Turn:
    """An upright line of a net, with the heights at which lines come from the left and go to the right."""

    net: int
    left: tuple[float, ...]
    right: tuple[float, ...]
    after: int | None = None  # number of the turn where a dogleg comes from

    @property
    def span(self) -> tuple[float, float]:
        return min((*self.left, *self.right)), max((*self.left, *self.right))

    @property
    def rank(self) -> tuple[float, float]:
        """Wires that go down turn in the order from below, those that go up in the order from above."""
        left = self.left or self.right or (0.0,)
        right = self.right or left
        start, end = sum(left) / len(left), sum(right) / len(right)
        return (0.0, -start) if end > start else (1.0, start)


def turns(channel: Channel) -> list[tuple[Turn, int]]:
    """(turn, track) of all nets that change their height."""
    found = [
        Turn(net, tuple(channel.left.get(net, ())), tuple(channel.right.get(net, ())))
        for net in channel.nets()
        if not channel.is_straight(net)
    ]
    before = [
        {k for k, o in enumerate(found) if o is not turn and _meets(o, turn)} for turn in found
    ]
    heights = [y for side in (channel.left, channel.right) for ys in side.values() for y in ys]
    track: dict[int, int] = {}
    taken: list[list[tuple[float, float]]] = []
    while len(track) < len(found):
        waiting = [k for k in range(len(found)) if k not in track]
        ready = [k for k in waiting if before[k] <= track.keys()]
        if ready:
            number = min(ready, key=lambda k: found[k].rank)
            least = max((track[k] + 1 for k in before[number]), default=0)
            track[number] = _free_track(taken, found[number].span, least)
        else:
            circle = _cycle(before, waiting[0], track)
            _split(found, before, min(circle, key=lambda k: found[k].rank), heights)
    return [(turn, track[k]) for k, turn in enumerate(found)]


def _meets(first: Turn, second: Turn) -> bool:
    """Whether the entry of the first lies on the height of the exit of the second, or nearly."""
    return any(abs(a - b) < AIR for a in first.left for b in second.right)


def _free_track(
    taken: list[list[tuple[float, float]]], span: tuple[float, float], least: int
) -> int:
    """The first track from `least` on where nothing is in the way; it is taken then."""
    low, high = span
    while len(taken) <= least:
        taken.append([])
    for number in range(least, len(taken)):
        if all(high + AIR < a or b + AIR < low for a, b in taken[number]):
            taken[number].append(span)
            return number
    taken.append([span])
    return len(taken) - 1


def _cycle(before: Sequence[set[int]], start: int, done: Mapping[int, int]) -> list[int]:
    """Turns each of which has to be left of the one before it, and the first left of the last."""
    path = [start]
    while True:
        following = min(k for k in before[path[-1]] if k not in done)
        if following in path:
            return path[path.index(following) :]
        path.append(following)


def _split(found: list[Turn], before: list[set[int]], number: int, heights: list[float]) -> None:
    """Makes two turns of one: the first goes to a free height and waits for none, the second goes on."""
    turn = found[number]
    middle = _free_height(heights, turn.span)
    heights.append(middle)
    found[number] = Turn(turn.net, turn.left, (middle,), turn.after)
    found.append(Turn(turn.net, (middle,), turn.right, number))
    before.append({*before[number], number})
    before[number] = set()


def _free_height(heights: Sequence[float], span: tuple[float, float]) -> float:
    """The place nearest to the middle of the span where a level wire has air above and below."""
    middle = sum(span) / 2
    known = sorted(heights)
    gaps = [(a + b) / 2 for a, b in pairwise(known) if b - a >= 4 * AIR]
    return min([*gaps, known[-1] + 4 * AIR], key=lambda y: abs(y - middle))
