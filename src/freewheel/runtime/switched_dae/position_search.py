"""Pieces of curves, tried one after the other, where elements cannot be decided together.

    is_found = search(attached, t)            # beyond a fold, or where the selection failed
    is_found = as_they_start(attached, t)     # at the start: curves on the piece of their start values

The curve of a tunnel diode has three corners and four pieces; a position of its bits is a piece. At the
peak the current can rise no further: both branches that meet there have ended, and the operating point
jumps along the curve to the next piece that has a solution. Pieces are tried in this order: those ahead
in the direction of the motion, from the nearest to the farthest, then those behind. At the start, or where
something else has switched, the piece of the old value comes first, then those nearest to it. Of several
curves the combinations with the smallest change come first. What is stored must not jump; only where
no such piece is found an impulse is allowed. Elements with one corner are decided together for each
choice of pieces, and where this fails they are tried as curves of two pieces.

Before combinations are tried, curves move one after the other: of ten equal tunnel diodes in series that
are at their peaks, each that jumps leaves the others there, until enough of them have jumped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from freewheel.runtime.switched_dae.arrays import Written
from freewheel.runtime.switched_dae.position_trial import (
    BEYOND,
    LEAVES,
    NOT_YET,
    RIGHT,
    begins_here,
    select_others,
)
from freewheel.runtime.switched_dae.thresholds import RESTART

if TYPE_CHECKING:
    from freewheel.runtime.switched_dae.attached import AttachedCore


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

    def inside(self, piece: int, x: float, share: float) -> float:
        """A point of the piece, at a share of its width from the end where x is. Outer pieces are as wide as
        the curve between its corners, or as x is far from them."""
        first, last = self.places[0], self.places[-1]
        width = max(last - first, abs(x - first), abs(x - last)) or 1.0
        low = self.places[piece - 1] if piece > 0 else first - width
        high = self.places[piece] if piece < len(self.places) else last + width
        from_below = abs(x - low) <= abs(x - high)
        return low + (share if from_below else 1.0 - share) * (high - low)


def search(core: AttachedCore, t: float) -> bool:
    """Whether a position was found; y, slope and bits are its own then."""
    return any(_search(core, t, may_jump) for may_jump in (False, True))


def without_impulse(core: AttachedCore, t: float) -> None:
    """Where the selection has found an impulse: a piece that begins without one, if there is any."""
    first = core.core.bits
    bits = core.live.memory[first : first + len(core.core.bit_names)]
    kept, kept_bits = core.written.keep(), bits.copy()
    if not _search(core, t, may_jump=False):
        core.written.put_back(kept)
        bits[:] = kept_bits
        core.visit(np.asarray(core.record.y), t)


def _search(core: AttachedCore, t: float, may_jump: bool) -> bool:
    curves = _curves(core)
    folded = [curve for curve in curves if len(curve.places) > 1]
    others = len(folded) < len(curves)
    return (
        _one_by_one(core, t, curves, may_jump)
        or (bool(folded) and _try_pieces(core, t, folded, may_jump))
        or (others and _try_pieces(core, t, curves, may_jump))
    )


def _one_by_one(core: AttachedCore, t: float, curves: Sequence[Curve], may_jump: bool) -> bool:
    """From the element whose guard has ended the step: its curve goes on to the next piece on which
    it can stay, then that of the element which cannot stay there, and so on."""
    elements = core.core.elements
    curve_of = {number: curve for curve in curves for number in curve.elements}
    record = core.record
    before, cause = record.mode_before, record.cause
    if before < 0 or cause not in curve_of:
        return False
    kept = core.present_bits()
    bits = list(core.modes[before])
    record.before[:] = record.saved
    for _ in range(sum(len(curve.places) for curve in curves)):
        curve = curve_of[cause]
        for piece in _ahead(curve, [bits[elements[n].bit] for n in curve.elements], cause):
            for place, number in enumerate(curve.elements):
                bits[elements[number].bit] = place < piece
            core.put_elements(bits)
            answer = _answer(core, t, may_jump, [(curve, piece)])
            fired = record.fired
            if answer == RIGHT:
                return True
            if answer == BEYOND or (answer == LEAVES and fired not in curve.elements):
                break
        else:
            break
        if fired not in curve_of:
            break
        cause = fired
        if answer == BEYOND:
            record.before[:] = record.y
    core.put_elements(kept)
    return False


def _ahead(curve: Curve, above: Sequence[bool], cause: int) -> range:
    """Pieces in the direction of the motion across the corner `cause`."""
    here = sum(above)
    if above[curve.elements.index(cause)]:
        return range(here - 1, -1, -1)
    return range(here + 1, len(curve.places) + 1)


def as_they_start(core: AttachedCore, t: float) -> bool:
    """Curves with several corners begin on the piece of their start value, where that is no corner."""
    x = core.record.saved
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


def _try_pieces(core: AttachedCore, t: float, curves: Sequence[Curve], may_jump: bool) -> bool:
    orders = [_order(core, curve) for curve in curves]
    return any(
        _begins(core, t, list(zip(curves, pieces, strict=True)), may_jump)
        for pieces in islice(_nearest_first(orders), RESTART.most_tried)
    )


def _order(core: AttachedCore, curve: Curve) -> list[int]:
    """Pieces from the first to be tried to the last."""
    record, count = core.record, len(curve.places) + 1
    x = float(record.saved[curve.unknown])
    before, cause = record.mode_before, record.cause
    by_distance = sorted(range(count), key=lambda piece: (curve.distance(piece, x), piece))
    if before < 0:
        return by_distance
    bits = core.modes[before]
    here = sum(bits[core.core.elements[number].bit] for number in curve.elements)
    if cause not in curve.elements:
        return [here, *(piece for piece in by_distance if piece != here)]
    is_rising = not bits[core.core.elements[cause].bit]
    above, below = list(range(here + 1, count)), list(range(here - 1, -1, -1))
    return [*above, here, *below] if is_rising else [*below, here, *above]


def _nearest_first(orders: Sequence[Sequence[int]]) -> Iterator[tuple[int, ...]]:
    """Combinations of one piece each, those with the smallest sum of ranks first."""
    for total in range(sum(len(order) - 1 for order in orders) + 1):
        yield from _with_sum(orders, total)


def _with_sum(orders: Sequence[Sequence[int]], total: int) -> Iterator[tuple[int, ...]]:
    if not orders:
        yield from [()] if total == 0 else []
        return
    room = sum(len(order) - 1 for order in orders[1:])
    for rank in range(max(0, total - room), min(len(orders[0]) - 1, total) + 1):
        for rest in _with_sum(orders[1:], total - rank):
            yield (orders[0][rank], *rest)


def _begins(
    core: AttachedCore, t: float, chosen: Sequence[tuple[Curve, int]], may_jump: bool
) -> bool:
    """Whether the run goes on with these pieces: other elements as they were, or decided anew."""
    memory, model, record = core.live.memory, core.core, core.record
    pinned = record.elements.column("is_pinned")
    bits = memory[model.bits : model.bits + len(model.bit_names)]
    kept = bits.copy()
    if record.mode_before >= 0:
        core.put_elements(core.modes[record.mode_before])
    for curve, piece in chosen:
        for place, number in enumerate(curve.elements):
            bits[model.elements[number].bit] = float(place < piece)
            pinned[number] = 1
    record.before[:] = record.saved
    try:
        if _is_right(core, t, chosen, may_jump):
            return True
        record.before[:] = record.saved
        is_selected = not pinned.all() and core.call(select_others, t) == 0
        if is_selected and _is_right(core, t, chosen, may_jump):
            return True
    finally:
        pinned[:] = 0
    bits[:] = kept
    return False


def _is_right(
    core: AttachedCore, t: float, chosen: Sequence[tuple[Curve, int]], may_jump: bool
) -> bool:
    return _answer(core, t, may_jump, chosen) == RIGHT


def _answer(
    core: AttachedCore, t: float, may_jump: bool, chosen: Sequence[tuple[Curve, int]]
) -> int:
    """Of the mode of the bits in memory, from the values in `before`, then from points inside the pieces: at
    a corner where a piece is horizontal Newton's method has no direction. Elements with one
    corner begin there."""
    record = core.record
    before = np.asarray(record.before)
    start = before.copy()
    answer = _from_here(core, t, may_jump)
    folded = [(curve, piece) for curve, piece in chosen if len(curve.places) > 1]
    if answer == RIGHT or not folded or core.mode.is_linear:
        return answer
    reached, fired = np.array(record.y), record.fired
    for share in RESTART.inside:
        before[:] = start
        for curve, piece in folded:
            before[curve.unknown] = curve.inside(piece, start[curve.unknown], share)
        if _comes_to_rest(core, t, may_jump):
            return RIGHT
    record.y[:], record.fired = reached, fired
    return answer


def _comes_to_rest(core: AttachedCore, t: float, may_jump: bool) -> bool:
    """A restart judges residuals by those it began with, and sizes by what it has seen. From a guess both may
    be far too large, so it is made again from its result until that stays."""
    record = core.record
    written = Written(record, floats_only=True)
    kept = written.keep()
    guess, sizes = np.array(record.before), np.array(record.ever)
    for _ in range(RESTART.most_renewed):
        written.put_back(kept)
        record.before[:] = guess
        if _from_here(core, t, may_jump) != RIGHT:
            break
        found = np.array(record.y)
        if (np.abs(found - guess) <= RESTART.guard * np.maximum(np.abs(found), sizes)).all():
            return True
        guess = found
    written.put_back(kept)
    return False


def _from_here(core: AttachedCore, t: float, may_jump: bool) -> int:
    """Where F bends, with matrices renewed on the way."""
    for _ in range(RESTART.most_renewed):
        core.visit(np.asarray(core.record.before), t)
        answer = core.call(begins_here, t, int(may_jump))
        if answer != NOT_YET:
            return answer
        core.record.before[:] = core.record.y
    return NOT_YET
