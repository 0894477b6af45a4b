"""Delayed signals of a model with an implicit core.

    code = record_signals(qss, t)      # up to t; HISTORY_FULL: make room and call again; LAG_WRONG

Between two steps of states all polynomials remain: signals are sampled at the nodes of a segment from the
group itself, and recorded before the next step changes them (`delays/history_kernels.py`).
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Int
from freewheel.runtime.delays.history_kernels import (
    NODES,
    history,
    is_full,
    keep_segment,
    measure_lags,
    node_of,
    node_time,
    propose_segment,
    sample_signals,
)
from freewheel.runtime.delays.thresholds import DELAYS
from freewheel.runtime.loop.outcomes import HISTORY_FULL, LAG_WRONG, ROW_FAILED
from freewheel.runtime.qss.memory import Qss
from freewheel.runtime.qss.switched.rates import core_rates, evaluate_signals
from freewheel.runtime.qss.thresholds import SIGNALS

recordings = KernelModule("qss_core_recordings", history, core_rates)


@recordings.kernel
def exceeds_memory(qss: Qss, t: Float) -> Int:
    """1: delayed values at `t` may not be recorded yet."""
    group = qss.group
    if group.has_history == 0:
        return 0
    h = group.history
    return 1 if t > h.end + SIGNALS.ahead * h.least else 0


@recordings.kernel
def record_signals(qss: Qss, t: Float) -> Int:
    group = qss.group
    if group.has_history == 0:
        return 0
    h = group.history
    rtol = group.tolerance
    a = h.end
    h.step_begin = a
    whole = t - a
    if whole <= SIGNALS.barely * abs(t):
        return 0  # round-off
    length = min(whole, SIGNALS.ahead * h.least)
    while a < t:
        if is_full(h) == 1:
            return HISTORY_FULL
        b = a + length
        if b > t - 0.5 * DELAYS.smallest * length:
            b = t
        for turn in range(NODES - 1):
            evaluate_signals(qss, node_time(a, b, node_of(turn)))
            sample_signals(h, qss.memory, node_of(turn))
        if qss.failure != 0:
            return ROW_FAILED
        is_rough = propose_segment(h, a, b - a, rtol)
        if is_rough == 1 and length > DELAYS.smallest * whole:
            length *= 0.5
            continue
        keep_segment(h, a, b)
        a = b
        if measure_lags(h, qss.memory) == 1:
            return LAG_WRONG
        length = min(2.0 * length, t - a, SIGNALS.ahead * h.least)
    return 0
