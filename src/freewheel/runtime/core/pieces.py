"""Pieces of curves, tried one after the other, where elements cannot be decided together.

    is_found = search(attached, t)            # beyond a fold, or where the selection failed
    is_found = as_they_start(attached, t)     # at the start: curves on the piece of their start values

The curve of a tunnel diode has three corners and four pieces; a position of its bits is a piece. At the
peak the current can rise no further: both branches that meet there have ended, and the operating point
jumps along the curve to the next piece that has a solution. Pieces are tried in this order: those ahead
in the direction of the motion that ended, from the nearest to the farthest, then those behind. At the start, or
where something else has switched, the piece of the old value and then those nearest to it. Of several
curves the combinations with the smallest distance in all come first. What is stored must not
jump; only where no such piece is found an impulse is allowed. Elements with one corner are decided
together for each choice of pieces, and where this fails they are tried as curves of two pieces.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from math import prod
from typing import TYPE_CHECKING

from freewheel.runtime.kernels import core_places as at
from freewheel.runtime.kernels.core_pieces import NOT_YET, RIGHT
from freewheel.runtime.kernels.core_sections import core_sections

if TYPE_CHECKING:
    from freewheel.runtime.core.attach import AttachedCore

MOST_TRIED = 256  # choices of pieces
MOST_RENEWED = 12  # analyses of a mode that bends, on the way to its solution


@dataclass(frozen=True, slots=True)
class Curve:
    """Corners of one unknown, by their places; piece k lies above k of them."""

    unknown: int
    elements: tuple[int, ...]
    places: tuple[float, ...]

    def piece_at(self, x: float) -> int:
        return sum(x > place for place in self.places)

    def distance(self, piece: int, x: float) -> float:
        """From x to the piece."""
        low = self.places[piece - 1] if piece > 0 else x
        high = self.places[piece] if piece < len(self.places) else x
        return max(low - x, x - high, 0.0)


def search(core: AttachedCore, t: float) -> bool:
    """Whether a position was found; Y, SLOPE and bits are its own then."""
    curves = _curves(core)
    folded = [curve for curve in curves if len(curve.places) > 1]
    found = bool(folded) and _try_pieces(core, t, folded)
    return found or (len(folded) < len(curves) and _try_pieces(core, t, curves))


def as_they_start(core: AttachedCore, t: float) -> bool:
    """Curves with several corners begin on the piece of their start value, where that is no corner."""
    x = core.vector(at.SAVED)
    inside = [
        (curve, curve.piece_at(x[curve.unknown]))
        for curve in _curves(core)
        if len(curve.places) > 1 and x[curve.unknown] not in curve.places
    ]
    return bool(inside) and _begins(core, t, inside, may_jump=False)


def _curves(core: AttachedCore) -> list[Curve]:
    """Without elements that the model's logic holds."""
    memory = core.live.memory
    corners: dict[int, list[tuple[float, int]]] = {}
    for number, element in enumerate(core.core.elements):
        if element.held < 0 or memory[element.held] == 0.0:
            place = float(memory[element.at]) if element.at >= 0 else 0.0
            corners.setdefault(element.unknown, []).append((place, number))
    return [
        Curve(unknown, tuple(n for _, n in sorted(found)), tuple(p for p, _ in sorted(found)))
        for unknown, found in corners.items()
    ]


def _try_pieces(core: AttachedCore, t: float, curves: Sequence[Curve]) -> bool:
    orders = [_order(core, curve) for curve in curves]
    for may_jump in (False, True):
        for pieces in islice(_nearest_first(orders), MOST_TRIED):
            chosen = list(zip(curves, pieces, strict=True))
            if _begins(core, t, chosen, may_jump):
                return True
    return False


def _order(core: AttachedCore, curve: Curve) -> list[int]:
    """Pieces from the first to be tried to the last."""
    c, count = core.c, len(curve.places) + 1
    x = float(core.vector(at.SAVED)[curve.unknown])
    before = int(c[at.MODE_BEFORE])
    cause = int(c[at.CAUSE])
    if before < 0 or cause not in curve.elements:
        return sorted(range(count), key=lambda piece: (curve.distance(piece, x), piece))
    bits = core.modes[before]
    here = sum(bits[core.core.elements[number].bit] for number in curve.elements)
    is_rising = not bits[core.core.elements[cause].bit]
    above, below = list(range(here + 1, count)), list(range(here - 1, -1, -1))
    return [*above, here, *below] if is_rising else [*below, here, *above]


def _nearest_first(orders: Sequence[Sequence[int]]) -> Iterator[tuple[int, ...]]:
    """Combinations of one piece each; those with the smallest sum of ranks first. Of too many
    combinations, those in which one curve differs from its first choice."""
    if prod(map(len, orders)) <= 16 * MOST_TRIED:
        ranks = product(*(range(len(order)) for order in orders))
        for chosen in sorted(ranks, key=sum):
            yield tuple(order[rank] for order, rank in zip(orders, chosen, strict=True))
        return
    first = [order[0] for order in orders]
    yield tuple(first)
    for place, order in enumerate(orders):
        for piece in order[1:]:
            yield (*first[:place], piece, *first[place + 1 :])


def _begins(
    core: AttachedCore, t: float, chosen: Sequence[tuple[Curve, int]], may_jump: bool
) -> bool:
    """Whether the run goes on with these pieces: other elements as they were, or decided anew."""
    memory, model, c = core.live.memory, core.core, core.c
    count = len(model.elements)
    pinned = c[at.TABLES + at.PINNED * count : at.TABLES + (at.PINNED + 1) * count]
    bits = memory[model.bits : model.bits + len(model.bit_names)]
    kept = bits.copy()
    if c[at.MODE_BEFORE] >= 0:
        for element in model.elements:
            if element.held < 0 or memory[element.held] == 0.0:
                bits[element.bit] = core.modes[int(c[at.MODE_BEFORE])][element.bit]
    for curve, piece in chosen:
        for place, number in enumerate(curve.elements):
            bits[model.elements[number].bit] = float(place < piece)
            pinned[number] = 1
    core.vector(at.BEFORE)[:] = core.vector(at.SAVED)
    try:
        if _is_right(core, t, may_jump):
            return True
        core.vector(at.BEFORE)[:] = core.vector(at.SAVED)
        is_whole = bool(pinned.all())
        select = core_sections.callable("select_others")
        if not is_whole and select(memory.ctypes.data, core.address, t) == 0:
            if _is_right(core, t, may_jump):
                return True
    finally:
        pinned[:] = 0
    bits[:] = kept
    return False


def _is_right(core: AttachedCore, t: float, may_jump: bool) -> bool:
    """The mode of the bits in memory; where F bends, with matrices renewed on the way."""
    begins = core_sections.callable("begins_here")
    for _ in range(MOST_RENEWED):
        core.visit(at.BEFORE, t)
        answer = begins(core.live.memory.ctypes.data, core.address, t, int(may_jump))
        if answer != NOT_YET:
            return bool(answer == RIGHT)
        core.vector(at.BEFORE)[:] = core.vector(at.Y)
    return False
