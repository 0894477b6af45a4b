"""What rows look like at one point: how stiff each state is by itself, and how strongly two drive each
other.

    look(m, s, f, k, y, t)           # f[AT_OUT]: largest -a_ii; f[AT_OUT + 1]: largest tie of two states
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints
from freewheel.runtime.kernels.qss_pairs import pairs, row_slopes, slope_by
from freewheel.runtime.kernels.qss_places import (
    AT_COUNTS,
    AT_OUT,
    AT_ROW_SLOPES,
    AT_ROWS,
    Q0,
    RECORD,
    TQ,
    WIDEST,
    N,
)

advising = KernelModule("qss_advising", pairs, exports=("look",))


@advising.kernel
def tie_of(
    m: Floats,
    s: Floats,
    f: Floats,
    k: Ints,
    i: Int,
    aii: Float,
    mine: Floats,
    yours: Floats,
    t: Float,
) -> Float:
    """The largest a_ij*a_ji/(a_ii*a_jj) of a state."""
    table = k[k[k[AT_ROWS] + i] :]
    worst = 0.0
    for place in range(k[k[AT_COUNTS] + i]):
        j = table[place]
        if j <= i or j >= k[N] or mine[place] == 0.0:
            continue
        if row_slopes(m, s, k, j, t, yours) != 0:
            continue
        both = abs(mine[place] * slope_by(k, yours, j, i))
        alone = abs(aii * slope_by(k, yours, j, j))
        if both > 0.0:
            worst = max(worst, both / alone if alone > 0.0 else 1e300)
    return worst


@advising.kernel
def look(m: Floats, s: Floats, f: Floats, k: Ints, y: Floats, t: Float) -> Int:
    """0, or 1 where slopes are not known."""
    mine = f[k[AT_ROW_SLOPES] :]
    yours = f[k[AT_ROW_SLOPES] + k[WIDEST] :]
    for i in range(k[N]):
        s[RECORD * i + Q0] = y[i]
        s[RECORD * i + TQ] = t
    stiffest = 0.0
    tie = 0.0
    for i in range(k[N]):
        if row_slopes(m, s, k, i, t, mine) != 0:
            return 1
        aii = slope_by(k, mine, i, i)
        stiffest = max(stiffest, -aii)
        tie = max(tie, tie_of(m, s, f, k, i, aii, mine, yours, t))
    f[AT_OUT] = stiffest
    f[AT_OUT + 1] = tie
    return 0
