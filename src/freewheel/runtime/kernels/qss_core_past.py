"""What `delay(..)` looks back at, where an implicit core makes quantized states one group.

    code = remember_group(m, s, f, k, t)      # up to t; HISTORY_FULL: make room and call again; LAG_WRONG

Between two steps of states all polynomials stay as they are: what signals are meanwhile is taken at the nodes
of a piece from the group itself, and remembered before the next step changes anything (`history.py`).
"""

from __future__ import annotations

from freewheel.machine.addresses import floats_at, function_at, ints_at
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints
from freewheel.runtime.kernels.history import (
    SMALLEST,
    fw_keep_piece,
    fw_measure_lags,
    fw_propose_piece,
    history,
)
from freewheel.runtime.kernels.lookup import (
    COUNT,
    END,
    END_VALUE,
    HEAD,
    LEAST,
    LINE,
    LINES,
    NODES,
    ROOM,
    SIGNAL,
    fw_scratch,
)
from freewheel.runtime.kernels.outcomes import HISTORY_FULL, LAG_WRONG
from freewheel.runtime.kernels.qss_core_places import PAST, RELATIONS_OF, TOLERANCE
from freewheel.runtime.kernels.qss_core_rates import BY_SIGHT, point_of_group, rates_in_group
from freewheel.runtime.kernels.qss_places import GROUP, GROUP_FLOATS, ROW_FAILED

past_of_group = KernelModule("qss_core_past", history, rates_in_group)

BARELY = 1e-13  # of time
AHEAD = 0.5  # of the shortest delay: so far all may go beyond what is remembered


@past_of_group.kernel
def take_signals(m: Floats, s: Floats, f: Floats, k: Ints, h: Floats, t: Float, node: Int) -> Int:
    """All lines at a time."""
    g = ints_at(k[GROUP])
    relations = function_at(g[RELATIONS_OF])
    if point_of_group(m, s, f, k, t, BY_SIGHT, t) != 0 or relations(m) != 0:
        return ROW_FAILED
    for line in range(int(h[LINES])):
        h[fw_scratch(h, line) + node] = m[int(h[HEAD + LINE * line + SIGNAL])]
    return 0


@past_of_group.kernel
def take_nodes(m: Floats, s: Floats, f: Floats, k: Ints, h: Floats, a: Float, b: Float) -> Int:
    """Values at the nodes of a piece, its end last; those of its begin are known."""
    for line in range(int(h[LINES])):
        h[fw_scratch(h, line)] = h[HEAD + LINE * line + END_VALUE]
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
        if take_signals(m, s, f, k, h, t, at) != 0:
            return ROW_FAILED
    return 0


@past_of_group.kernel
def is_far_ahead(k: Ints, t: Float) -> Int:
    """1: at `t` more is looked back at than is remembered."""
    g = ints_at(k[GROUP])
    if g[PAST] == 0:
        return 0
    h = floats_at(g[PAST])
    return 1 if t > h[END] + AHEAD * h[LEAST] else 0


@past_of_group.kernel
def remember_group(m: Floats, s: Floats, f: Floats, k: Ints, t: Float) -> Int:
    g = ints_at(k[GROUP])
    if g[PAST] == 0:
        return 0
    h = floats_at(g[PAST])
    rtol = floats_at(k[GROUP_FLOATS])[TOLERANCE]
    a = h[END]
    whole = t - a
    if whole <= BARELY * abs(t):
        return 0  # rounding: a polynomial through it would tell nothing
    length = min(whole, AHEAD * h[LEAST])
    while a < t:
        if h[COUNT] >= h[ROOM]:
            return HISTORY_FULL
        b = a + length
        if b > t - 0.5 * SMALLEST * length:
            b = t
        if take_nodes(m, s, f, k, h, a, b) != 0:
            return ROW_FAILED
        is_rough = fw_propose_piece(h, a, b - a, rtol)
        if is_rough == 1 and length > SMALLEST * whole:
            length *= 0.5
            continue
        fw_keep_piece(h)
        h[END] = b
        a = b
        if fw_measure_lags(h, m) == 1:
            return LAG_WRONG
        length = min(2.0 * length, t - a, AHEAD * h[LEAST])
    return 0
