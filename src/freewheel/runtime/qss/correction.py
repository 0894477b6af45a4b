"""Corrects the continuous state where the polynomial of a row was wrong.

    correct_state(qss, j, t, passed, x1, x2, x3)   # after the row was evaluated again
    correct_rows(qss, i, t)                        # rows that depend on state i, before its q changes

A row may have a jump or a kink without an event (`program/row_corners.py`). All its records have kept their
polynomials since its last evaluation, so that it can be evaluated at any time since: where it has left its
own polynomial is found by bisection, and the integral of the error from there on is added to the state.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Int
from freewheel.runtime.qss.memory import CORNERS, Qss, QssRow
from freewheel.runtime.qss.quantizers import advance_x, quantizers
from freewheel.runtime.qss.thresholds import QUANTA

corrections = KernelModule("qss_corrections", quantizers)


@corrections.kernel
def evaluate_row(qss: Qss, row: QssRow, t: Float) -> Int:
    """A row at a time, by q, into `out`."""
    return row.evaluate(qss.memory, qss.table[row.first :], qss.states, t, qss.out)


@corrections.kernel
def missed_integral(
    qss: Qss, j: Int, t: Float, passed: Float, off: Float, x1: Float, x2: Float, x3: Float,
    share: Float,
) -> Float:  # fmt: skip
    """The integral of row j over the time passed, minus that of x1 + 2 x2 e + 3 x3 e**2 with e = time - t.
    `off`: the present difference, which begins where it was less than a share of that."""
    state = qss.states[j]
    row = qss.rows[j]
    out = qss.out
    low = t - passed
    high = t
    there = off
    for _turn in range(QUANTA.halvings):
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
        if (high - low) * abs(off) <= QUANTA.negligible * state.quantum:
            break
    half = 0.5 * (high - t)
    if evaluate_row(qss, row, t + half) != 0:
        return 0.0
    between = out[0] - (x1 + half * (2.0 * x2 + 3.0 * half * x3))
    return (t - high) / 6.0 * (there + 4.0 * between + off)


@corrections.kernel
def correct_state(
    qss: Qss, j: Int, t: Float, passed: Float, x1: Float, x2: Float, x3: Float
) -> Int:
    """The former rate of the state is x1 + 2 x2 e + 3 x3 e**2 with e = time - t. 1: the state was
    corrected."""
    state = qss.states[j]
    off = state.x1 - x1
    kind = qss.rows[j].correction
    share = QUANTA.onset
    if -state.a * passed > QUANTA.settled_time:
        kind = 0
        share = 0.5
    orders = float(qss.order) + 1.0
    margin = QUANTA.small if kind == CORNERS else 1.0
    if abs(off) * passed > margin * orders * state.quantum:
        state.x0 += missed_integral(qss, j, t, passed, off, x1, x2, x3, share)
        return 1
    if kind != 0:
        state.x0 += off * passed / orders  # the first term of the integral
        return 1
    return 0


@corrections.kernel
def correct_row(qss: Qss, j: Int, t: Float) -> None:
    """Corrects the state of row j up to now."""
    state = qss.states[j]
    passed = t - state.tx
    if -state.a * passed > QUANTA.settled_time:
        return
    if passed <= 0.0 or evaluate_row(qss, qss.rows[j], t) != 0:
        return
    rate = qss.out[0]
    advance_x(state, t)
    x1 = state.x1
    state.x1 = rate
    correct_state(qss, j, t, passed, x1, state.x2, state.x3)
    state.x1 = x1


@corrections.kernel
def correct_rows(qss: Qss, i: Int, t: Float) -> None:
    """Before q of state i changes: rows that depend on it may have left their polynomials by a corner or as a
    function of time."""
    readers = qss.readers
    if qss.rows[i].correction != 0:
        correct_row(qss, i, t)
    for place in range(readers.starts[i], readers.starts[i + 1]):
        j = readers.items[place]
        if j != i and qss.rows[j].correction != 0:
            correct_row(qss, j, t)
