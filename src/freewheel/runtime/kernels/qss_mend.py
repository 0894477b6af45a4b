"""What a row did between two looks, where its polynomial proved wrong.

    mend(m, s, f, k, j, t, passed, x1, x2, x3)      # the continuous state, after the row was looked at again

A row may have jumped since the last look without an event (`program/row_corners.py`). All its records have
kept their polynomials meanwhile, else it would have been looked at, so that the row can be asked for any time
since: where it left its own polynomial is found by halving, and what the rate was wrong by from there on is
added to the state.
"""

from __future__ import annotations

from freewheel.machine.addresses import function_at
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints
from freewheel.runtime.kernels.qss_places import (
    AT_OUT,
    AT_RATES,
    AT_ROWS,
    DQ,
    ORDER,
    RECORD,
    X0,
    X1,
)

mending = KernelModule("qss_mending")

HALVINGS = 45


@mending.kernel
def mend(
    m: Floats, s: Floats, f: Floats, k: Ints, j: Int, t: Float, passed: Float, x1: Float, x2: Float,
    x3: Float,
) -> Int:  # fmt: skip
    """The polynomial that the state had until now counts from `t`: its rate is x1 + 2 x2 e + 3 x3 e**2. 1
    where the state was put right."""
    r = s[RECORD * j :]
    off = r[X1] - x1
    if not abs(off) * passed > (float(k[ORDER]) + 1.0) * r[DQ]:
        return 0
    function = function_at(k[k[AT_RATES] + j])
    table = k[k[k[AT_ROWS] + j] :]
    out = f[AT_OUT:]
    low = t - passed
    high = t
    there = off
    for _turn in range(HALVINGS):
        middle = 0.5 * (low + high)
        if not (middle > low and middle < high) or function(m, table, s, middle, out) != 0:
            break
        e = middle - t
        now = out[0] - (x1 + e * (2.0 * x2 + 3.0 * e * x3))
        if abs(now) > 0.5 * abs(off):
            high = middle
            there = now
        else:
            low = middle
    r[X0] += 0.5 * (there + off) * (t - high)
    return 1
