"""What `delay(..)` looks back at, where an implicit core makes quantized states one group.

    code = remember_group(group, t)      # up to t; HISTORY_FULL: make room and call again; LAG_WRONG

Between two steps of states all polynomials stay as they are: what signals are meanwhile is taken at the nodes
of a piece from the group itself, and remembered before the next step changes anything (`delays/history.py`).
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Int
from freewheel.runtime.delays.history_kernels import (
    NODES,
    SMALLEST,
    history,
    keep_piece,
    measure_lags,
    propose_piece,
    take_ends,
    take_signals_here,
)
from freewheel.runtime.loop.outcomes import HISTORY_FULL, LAG_WRONG, ROW_FAILED
from freewheel.runtime.qss.switched.memory import QssGroup
from freewheel.runtime.qss.switched.rates import rates_in_group, take_relations

past_of_group = KernelModule("qss_core_past", history, rates_in_group)

BARELY = 1e-13  # of time
AHEAD = 0.5  # of the shortest delay: so far all may go beyond what is remembered


@past_of_group.kernel
def take_nodes(group: QssGroup, a: Float, b: Float) -> None:
    """Values at the nodes of a piece, its end last; those of its begin are known."""
    take_ends(group.history)
    for node in range(1, NODES):
        share = 0.25 * (node - 2)
        at = node - 2
        if node == 1:
            share = 0.125
            at = 5
        if node == 2:
            share = 0.875
            at = 6
        t = b if share == 1.0 else a + share * (b - a)
        take_relations(group, t)
        take_signals_here(group.history, group.qss.memory, at)


@past_of_group.kernel
def is_far_ahead(group: QssGroup, t: Float) -> Int:
    """1: at `t` more is looked back at than is remembered."""
    if group.has_history == 0:
        return 0
    h = group.history
    return 1 if t > h.end + AHEAD * h.least else 0


@past_of_group.kernel
def remember_group(group: QssGroup, t: Float) -> Int:
    if group.has_history == 0:
        return 0
    h = group.history
    rtol = group.tolerance
    a = h.end
    whole = t - a
    if whole <= BARELY * abs(t):
        return 0  # rounding: a polynomial through it would tell nothing
    length = min(whole, AHEAD * h.least)
    while a < t:
        if h.count >= h.room:
            return HISTORY_FULL
        b = a + length
        if b > t - 0.5 * SMALLEST * length:
            b = t
        take_nodes(group, a, b)
        if group.qss.failure != 0:
            return ROW_FAILED
        is_rough = propose_piece(h, a, b - a, rtol)
        if is_rough == 1 and length > SMALLEST * whole:
            length *= 0.5
            continue
        keep_piece(h)
        h.end = b
        a = b
        if measure_lags(h, group.qss.memory) == 1:
            return LAG_WRONG
        length = min(2.0 * length, t - a, AHEAD * h.least)
    return 0
