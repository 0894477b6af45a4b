"""Relations as bounds on what nothing determines: forces that hold a body together.

    moved = move_inside(core, mode, m, y)

A block that two frictions hold is held by their sum; how they share it is open. The smallest forces may
be beyond what one of them can bear, and the block would begin to slide although nothing compels it to.
So relations that look at such quantities are bounds: of all values those are taken that keep every
relation on its side, and where there are none, those that leave it least. Then relations change exactly
when they must, and all that must do so at the same instant.

`switched_dae/bounds.py` has found for a mode how many relations see the q open directions, where their
residuals and statuses are, and by relation its change along each direction.
"""

from __future__ import annotations

from math import sqrt

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Floats, Int
from freewheel.runtime.linear.least_distance import dot, least_distance, within_bounds
from freewheel.runtime.switched_dae.memory import Core, Mode
from freewheel.runtime.switched_dae.thresholds import PIVOTS
from freewheel.runtime.thresholds import AGREEMENT

core_bounds = KernelModule("core_bounds", least_distance)


@core_bounds.kernel
def bounds_now(mode: Mode, m: Floats, rows: Floats, margins: Floats) -> Int:
    """Distances to the bounds that count at present, and rows of length one; how many."""
    q = mode.unseen
    gradient = mode.bound_gradient
    found = 0
    for j in range(mode.bound_count):
        side = m[mode.bound_status_slots[j]]
        residual = m[mode.bound_residual_slots[j]]
        if side == 0.0 or abs(residual) == AGREEMENT.unseen:
            continue
        row = gradient[j * q :]
        size = sqrt(dot(q, row, row))
        for i in range(q):
            rows[found * q + i] = side * row[i] / size
        margins[found] = side * residual / size
        found += 1
    return found


@core_bounds.kernel
def move_inside(core: Core, mode: Mode, m: Floats, y: Floats) -> Int:
    """1: y has moved along the open directions."""
    n = mode.n
    q = mode.unseen
    z = core.bound_work
    margins = z[q:]
    rows = margins[mode.bound_count :]
    work = rows[mode.bound_count * q :]
    open_rows = mode.open_rows[mode.open * n :]
    p = bounds_now(mode, m, rows, margins)
    largest = 0.0
    least = 0.0
    for j in range(p):
        largest = max(largest, abs(margins[j]))
        least = margins[j] if j == 0 else min(least, margins[j])
    mode.bound_rounding = PIVOTS.of_distance * largest
    if p == 0 or least >= PIVOTS.level * largest:
        return 0
    within_bounds(q, p, rows, margins, PIVOTS.level * largest, z, work)
    for i in range(q):
        for j in range(n):
            y[j] += z[i] * open_rows[i * n + j]
    return 1


@core_bounds.kernel
def forgive_rounding(mode: Mode, m: Floats) -> None:
    """Bounds that must be passed together are reached together but for rounding: none is passed before
    all are beyond it."""
    q = mode.unseen
    residuals = mode.bound_residual_slots
    statuses = mode.bound_status_slots
    for j in range(mode.bound_count):
        row = mode.bound_gradient[j * q :]
        beyond = -m[statuses[j]] * m[residuals[j]]
        if beyond > mode.bound_rounding * sqrt(dot(q, row, row)):
            return
    for j in range(mode.bound_count):
        side = m[statuses[j]]
        if side * m[residuals[j]] < 0.0:
            m[residuals[j]] = side * AGREEMENT.unseen
