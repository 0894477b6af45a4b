"""When does the first relation leave its status inside a step?

In: residuals as a function of time, a bracket whose left end agrees with the statuses and whose
right end does not. Out: a bracket so narrow that floating point offers no useful time between.

    locate(residuals, statuses, (t0, r0), (t1, r1))  ->  Crossing(t, which)

Illinois regula falsi, run for all candidates at once: the earliest guess is tried first, so what
remains at the end is the first crossing, with all relations that cross together.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ulp

import numpy as np

from freewheel.runtime.event.detect import Mask, changed
from freewheel.runtime.model import Vector

MAX_ROUNDS = 120  # a round that does not halve the bracket is followed by one that does
NARROW = 2.0  # units in the last place of t

Residuals = Callable[[float], Vector]


@dataclass(frozen=True, slots=True)
class Crossing:
    t: float  # the first representable time, nearly, at which a status no longer holds
    which: Mask
    residuals: Vector  # there
    evaluations: int
    began: Vector | None = None  # residuals where the step began


def locate(
    residuals: Residuals,
    statuses: Vector,
    left: tuple[float, Vector],
    right: tuple[float, Vector],
    bands: Vector | None = None,
) -> Crossing:
    a, ra = left
    b, rb = right
    at_b, which = rb, changed(statuses, rb, bands)
    assert which.any()
    goes_through = rb * statuses < 0.0
    narrow = NARROW * ulp(max(abs(a), abs(b)))
    side, rounds, is_slow = 0, 0, False
    while b - a > narrow and rounds < MAX_ROUNDS:
        width = b - a
        t = a + 0.5 * width if is_slow else _guess(a, ra, b, rb, which, narrow)
        found = residuals(t)
        rounds += 1
        crossed = _crossed(statuses, found, bands, goes_through)
        if crossed.any():
            b, rb, at_b, which = t, found, found, crossed
            ra = ra * 0.5 if side == 1 else ra
            side = 1
        else:
            a, ra = t, found
            rb = rb * 0.5 if side == -1 else rb
            side = -1
        is_slow = b - a > 0.5 * width
    return Crossing(b, which, at_b, rounds, left[1])


def _crossed(statuses: Vector, residuals: Vector, bands: Vector | None, goes_through: Mask) -> Mask:
    """A residual that goes through zero has crossed once it is beyond; stopping on an exact zero
    would make a second event of its leaving."""
    mask = changed(statuses, residuals, bands)
    return np.asarray(mask & ~(goes_through & (residuals == 0.0)))


def _guess(a: float, ra: Vector, b: float, rb: Vector, which: Mask, narrow: float) -> float:
    """The earliest zero of the chords."""
    fall = rb[which] - ra[which]
    with np.errstate(divide="ignore", invalid="ignore"):
        share = -ra[which] / fall
    share = share[np.isfinite(share)]
    middle = a + 0.5 * (b - a)
    t = a + float(share.min()) * (b - a) if len(share) else middle
    t = min(max(t, a + 0.5 * narrow), b - 0.5 * narrow)  # a guess on an end narrows nothing
    return t if a < t < b else middle
