"""What a row did between two looks, where its polynomial proved wrong.

    mend(qss, j, t, passed, x1, x2, x3)      # the continuous state, after the row was looked at again
    follow_rows(qss, i, t)                   # states of rows that see state i, before its q changes

A row may have jumped or bent since the last look without an event (`program/row_corners.py`). All its records
have kept their polynomials meanwhile, else it would have been looked at, so that the row can be asked for any
time since: where it left its own polynomial is found by halving, and what the rate was wrong by from there on
is added to the state.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Int
from freewheel.runtime.qss.memory import CORNERS, Qss, QssRow
from freewheel.runtime.qss.quantizers import advance_x, quantizers

mending = KernelModule("qss_mending", quantizers)

HALVINGS = 45
BEGINS = 1e-3  # of how wrong the rate is now
NEGLIGIBLE = 1e-7  # of a quantum
SMALL = 0.02  # of a quantum: what a corner may cost
FORGOTTEN = 1.0  # time constants: what a state has missed longer ago is of no account


@mending.kernel
def evaluate_row(qss: Qss, row: QssRow, t: Float) -> Int:
    """A row at a time, as it sees the records, into `out`."""
    return row.evaluate(qss.memory, qss.table[row.first :], qss.states, t, qss.out)


@mending.kernel
def missed(
    qss: Qss, j: Int, t: Float, passed: Float, off: Float, x1: Float, x2: Float, x3: Float,
    share: Float,
) -> Float:  # fmt: skip
    """The integral of row j within the time passed, less that of x1 + 2 x2 e + 3 x3 e**2, which counts from
    `t`. `off` is the difference now; it begins at a jump, at a bend, or all along, where it was a share of
    that."""
    state = qss.states[j]
    row = qss.rows[j]
    out = qss.out
    low = t - passed
    high = t
    there = off
    for _turn in range(HALVINGS):
        middle = 0.5 * (low + high)
        if not (middle > low and middle < high) or evaluate_row(qss, row, middle) != 0:
            break
        e = middle - t
        now = out[0] - (x1 + e * (2.0 * x2 + 3.0 * e * x3))
        if abs(now) > share * abs(off):
            high = middle
            there = now
        else:
            low = middle
        if (high - low) * abs(off) <= NEGLIGIBLE * state.quantum:
            break
    half = 0.5 * (high - t)
    if evaluate_row(qss, row, t + half) != 0:
        return 0.0
    between = out[0] - (x1 + half * (2.0 * x2 + 3.0 * half * x3))
    return (t - high) / 6.0 * (there + 4.0 * between + off)


@mending.kernel
def mend(qss: Qss, j: Int, t: Float, passed: Float, x1: Float, x2: Float, x3: Float) -> Int:
    """The polynomial that the state had until now counts from `t`: its rate is x1 + 2 x2 e + 3 x3 e**2. 1
    where the state was put right."""
    state = qss.states[j]
    off = state.x1 - x1
    kind = qss.rows[j].misses
    share = BEGINS
    if -state.a * passed > FORGOTTEN:
        kind = 0
        share = 0.5
    orders = float(qss.order) + 1.0
    margin = SMALL if kind == CORNERS else 1.0
    if abs(off) * passed > margin * orders * state.quantum:
        state.x0 += missed(qss, j, t, passed, off, x1, x2, x3, share)
        return 1
    if kind != 0:
        state.x0 += off * passed / orders  # the first term of what it misses
        return 1
    return 0


@mending.kernel
def follow_row(qss: Qss, j: Int, t: Float) -> None:
    """What the state of row j has missed up to now."""
    state = qss.states[j]
    passed = t - state.tx
    if -state.a * passed > FORGOTTEN:
        return
    if passed <= 0.0 or evaluate_row(qss, qss.rows[j], t) != 0:
        return
    rate = qss.out[0]
    advance_x(state, t)
    x1 = state.x1
    state.x1 = rate
    mend(qss, j, t, passed, x1, state.x2, state.x3)
    state.x1 = x1


@mending.kernel
def follow_rows(qss: Qss, i: Int, t: Float) -> None:
    """Before q of state i changes: rows that see it may have passed a corner since they were renewed, or
    gone with time otherwise than their polynomials say, and nobody has looked."""
    readers = qss.readers
    if qss.rows[i].misses != 0:
        follow_row(qss, i, t)
    for place in range(readers.starts[i], readers.starts[i + 1]):
        j = readers.items[place]
        if j != i and qss.rows[j].misses != 0:
            follow_row(qss, j, t)
