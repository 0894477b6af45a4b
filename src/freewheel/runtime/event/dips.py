"""Has a residual crossed zero and come back inside a step? The reference of `kernels/crossing.py`.

    dip = first_dip(residuals, statuses, (t0, r0), (tm, rm), (t1, r1), BY_STURM)   # (t, r) or None

The formulas are the kernels' own, run by CPython; what is written twice is only the walk over relations.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from freewheel.runtime.kernels.bracket import ASIDE
from freewheel.runtime.kernels.crossing import (
    BY_SLOPES,
    BY_STURM,
    comes_near,
    dip_of,
    lowest_of_cubic,
    turns_inside,
)
from freewheel.runtime.kernels.sturm import CHAIN, NOWHERE, POLYNOMIAL
from freewheel.runtime.model import Vector

Point = tuple[float, Vector]


def first_dip(
    residuals: Callable[[float], Vector],
    statuses: Vector,
    left: Point,
    middle: Point,
    right: Point,
    detection: int,
) -> Point | None:
    """The earliest place in the step at which some residual may have left its status."""
    if detection < BY_SLOPES:
        return None
    near = [
        i for i in np.flatnonzero(statuses) if comes_near(left[1][i], middle[1][i], right[1][i])
    ]
    if not near:
        return None
    h = right[0] - left[0]
    beside = 0.25 if detection == BY_STURM else ASIDE
    quarter = residuals(left[0] + beside * h).copy()
    three = residuals(right[0] - beside * h).copy()
    share = NOWHERE
    for i in near:
        values = (left[1][i], quarter[i], middle[1][i], three[i], right[1][i])
        if detection == BY_STURM:
            share = min(share, dip_of(*values, statuses[i], np.zeros(POLYNOMIAL + CHAIN)))
        elif turns_inside(values[0], values[1], values[3], values[4]):
            share = min(share, lowest_of_cubic(values[0], values[1], values[3], values[4]))
    if not 0.0 < share < 1.0:
        return None
    t = left[0] + share * h
    return t, residuals(t).copy()
