"""What rows look like at one point: how stiff each state is by itself, and how strongly two drive each
other.

    look(qss, y, t)           # out[0]: largest -a_ii; out[1]: largest tie of two states
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.qss.memory import Qss
from freewheel.runtime.qss.pairs import pairs, row_slopes, slope_by

advising = KernelModule("qss_advising", pairs, exports=("look",))


@advising.kernel
def tie_of(qss: Qss, i: Int, aii: Float, mine: Floats, yours: Floats, t: Float) -> Float:
    """The largest a_ij*a_ji/(a_ii*a_jj) of a state."""
    table = qss.table[qss.rows[i].first :]
    worst = 0.0
    for place in range(qss.rows[i].count):
        j = table[place]
        if j <= i or j >= qss.n or mine[place] == 0.0:
            continue
        if row_slopes(qss, j, t, yours) != 0:
            continue
        both = abs(mine[place] * slope_by(qss, yours, j, i))
        alone = abs(aii * slope_by(qss, yours, j, j))
        if both > 0.0:
            worst = max(worst, both / alone if alone > 0.0 else 1e300)
    return worst


@advising.kernel
def look(qss: Qss, y: Floats, t: Float) -> Int:
    """0, or 1 where slopes are not known."""
    mine = qss.slopes
    yours = qss.other_slopes
    for i in range(qss.n):
        qss.states[i].q0 = y[i]
        qss.states[i].tq = t
    stiffest = 0.0
    tie = 0.0
    for i in range(qss.n):
        if row_slopes(qss, i, t, mine) != 0:
            return 1
        aii = slope_by(qss, mine, i, i)
        stiffest = max(stiffest, -aii)
        tie = max(tie, tie_of(qss, i, aii, mine, yours, t))
    qss.out[0] = stiffest
    qss.out[1] = tie
    return 0
