"""Relations as bounds on what nothing determines: forces that hold a body together.

    moved = move_inside(m, n, q, open_rows, bounds, y, room)

A block that two frictions hold is held by their sum; how they share it is open. The smallest forces may
be beyond what one of them can bear, and the block would begin to slide although nothing compels it to.
So relations that look at such quantities are bounds: of all values those are taken that keep every
relation on its side, and where there are none, those that leave it least. Then relations change exactly
when they must, and all that must do so at the same instant.

`bounds` is what `core/bounds.py` found for a mode: how many relations see the q open directions, room
for what is rounding beside them, the slots of their residuals and statuses, then by relation its change
along each direction.
"""

from __future__ import annotations

from math import sqrt

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Floats, Int
from freewheel.runtime.kernels.least_distance import dot, least_distance, within_bounds

core_bounds = KernelModule("core_bounds", least_distance)

LEVEL = 0.01  # of the largest distance: smaller values are preferred while all are this far inside
ROUNDING = 1e-12  # of the largest distance
NOBODY = 1e-30  # the residual of a relation that matters to nobody


@core_bounds.kernel
def bounds_now(m: Floats, q: Int, bounds: Floats, rows: Floats, margins: Floats) -> Int:
    """Distances to the bounds that count at present, and rows of length one; how many."""
    count = int(bounds[0])
    residuals = bounds[2:]
    statuses = bounds[2 + count :]
    gradient = bounds[2 + 2 * count :]
    found = 0
    for j in range(count):
        side = m[int(statuses[j])]
        residual = m[int(residuals[j])]
        if side == 0.0 or abs(residual) == NOBODY:
            continue
        row = gradient[j * q :]
        size = sqrt(dot(q, row, row))
        for i in range(q):
            rows[found * q + i] = side * row[i] / size
        margins[found] = side * residual / size
        found += 1
    return found


@core_bounds.kernel
def move_inside(
    m: Floats, n: Int, q: Int, open_rows: Floats, bounds: Floats, y: Floats, room: Floats
) -> Int:
    """1: y has moved along the open directions."""
    z = room
    margins = z[q:]
    rows = margins[int(bounds[0]) :]
    work = rows[int(bounds[0]) * q :]
    p = bounds_now(m, q, bounds, rows, margins)
    largest = 0.0
    least = 0.0
    for j in range(p):
        largest = max(largest, abs(margins[j]))
        least = margins[j] if j == 0 else min(least, margins[j])
    bounds[1] = ROUNDING * largest
    if p == 0 or least >= LEVEL * largest:
        return 0
    within_bounds(q, p, rows, margins, LEVEL * largest, z, work)
    for i in range(q):
        for j in range(n):
            y[j] += z[i] * open_rows[i * n + j]
    return 1


@core_bounds.kernel
def forgive_rounding(m: Floats, q: Int, bounds: Floats) -> None:
    """Bounds that must be passed together are reached together but for rounding: none is passed before
    all are beyond it."""
    count = int(bounds[0])
    residuals = bounds[2:]
    statuses = bounds[2 + count :]
    gradient = bounds[2 + 2 * count :]
    for j in range(count):
        row = gradient[j * q :]
        beyond = -m[int(statuses[j])] * m[int(residuals[j])]
        if beyond > bounds[1] * sqrt(dot(q, row, row)):
            return
    for j in range(count):
        side = m[int(statuses[j])]
        if side * m[int(residuals[j])] < 0.0:
            m[int(residuals[j])] = side * NOBODY
