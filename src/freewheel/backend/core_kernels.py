"""Derivatives of an implicit core by differences, where its formulas have none: an external function,
the curvature of a delayed signal.

    fw_core_slope(rates, m, t, order, n, ys, h, out, work)        out = d^order F/dt^order
    fw_core_jacobians(rates, m, t, n, y, slope, sizes, out, work)

`rates(m, t, order, ys, out)` is the core's own function, for lower orders.
"""

from __future__ import annotations

from freewheel.backend.thresholds import DIFFERENCES
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Function, Int

CORE = KernelModule("core_differences")


@CORE.kernel
def fw_core_moved(order: Int, n: Int, ys: Floats, h: Float, out: Floats) -> None:
    """ys = (y, y', ...) a little later, as far as they tell."""
    for k in range(order + 1):
        for i in range(n):
            total = 0.0
            factor = 1.0
            for j in range(order + 2 - k):
                total += factor * ys[(k + j) * n + i]
                factor *= h / (j + 1.0)
            out[k * n + i] = total


@CORE.kernel
def fw_core_slope(
    rates: Function, m: Floats, t: Float, order: Int, n: Int, ys: Floats, h: Float, out: Floats,
    work: Floats,
) -> Int:  # fmt: skip
    """`work`: (order + 2) n numbers."""
    before = work[(order + 1) * n :]
    fw_core_moved(order, n, ys, -h, work)
    if rates(m, t - h, order - 1, work, before) != 0:
        return 1
    fw_core_moved(order, n, ys, h, work)
    if rates(m, t + h, order - 1, work, out) != 0:
        return 1
    for i in range(n):
        out[i] = (out[i] - before[i]) / (2.0 * h)
    return 0


@CORE.kernel
def fw_core_jacobians(
    rates: Function, m: Floats, t: Float, n: Int, y: Floats, slope: Floats, sizes: Floats,
    out: Floats, work: Floats,
) -> Int:  # fmt: skip
    """dF/dy, then dF/dy', by rows. `work`: 4 n numbers."""
    up = work[2 * n :]
    down = work[3 * n :]
    for i in range(n):
        work[i] = y[i]
        work[n + i] = slope[i]
    for j in range(2 * n):
        own = work[j]
        h = DIFFERENCES.central * max(abs(own), sizes[j if j < n else j - n])
        work[j] = own + h
        if rates(m, t, 0, work, up) != 0:
            return 1
        work[j] = own - h
        if rates(m, t, 0, work, down) != 0:
            return 1
        work[j] = own
        first = j if j < n else n * n + j - n
        for i in range(n):
            out[first + i * n] = (up[i] - down[i]) / (2.0 * h)
    return 0
