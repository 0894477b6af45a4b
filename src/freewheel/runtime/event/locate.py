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

MAX_ROUNDS = 120
NARROW = 2.0  # units in the last place of t

Residuals = Callable[[float], Vector]


@dataclass(frozen=True, slots=True)
class Crossing:
    t: float  # the first representable time, nearly, at which a status no longer holds
    which: Mask
    residuals: Vector  # there
    evaluations: int


def locate(
    residuals: Residuals,
    statuses: Vector,
    left: tuple[float, Vector],
    right: tuple[float, Vector],
    bands: Vector | None = None,
) -> Crossing:
    a, values = left
    ra = values.copy()
    b, rb = right
    last = rb.copy()  # untouched residuals at b; `ra` and `rb` are weighted below
    rb = rb.copy()
    which = changed(statuses, last, bands)
    assert which.any()
    narrow = NARROW * ulp(max(abs(a), abs(b)))
    side = 0
    for rounds in range(MAX_ROUNDS):
        if b - a <= narrow:
            break
        t = _guess(a, ra, b, rb, which, rounds, narrow)
        found = residuals(t)
        crossed = changed(statuses, found, bands)
        if crossed.any():
            b, rb, last, which = t, found.copy(), found, crossed
            ra = ra * 0.5 if side == 1 else ra
            side = 1
        else:
            a, ra = t, found.copy()
            rb = rb * 0.5 if side == -1 else rb
            side = -1
    else:
        rounds = MAX_ROUNDS
    return Crossing(b, which, last, rounds)


def _guess(
    a: float, ra: Vector, b: float, rb: Vector, which: Mask, rounds: int, narrow: float
) -> float:
    """The earliest zero of the chords; every fourth round the middle, which bounds the work."""
    middle = a + 0.5 * (b - a)
    if rounds % 4 == 3:
        return middle
    fall = rb[which] - ra[which]
    with np.errstate(divide="ignore", invalid="ignore"):
        share = -ra[which] / fall
    share = share[np.isfinite(share)]
    t = a + float(share.min()) * (b - a) if len(share) else middle
    # A guess on an end would not narrow the bracket: step inside by a little, from that end.
    inside = max(0.5 * narrow, 1e-3 * (b - a) * 0.25**rounds)
    t = min(max(t, a + inside), b - inside)
    return t if a < t < b else middle
