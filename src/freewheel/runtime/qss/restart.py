"""Start of quantized states, and restart after an event has changed states, statuses or inputs.

begin(qss, y, t)         # all of them
resume(qss, y, t)        # what has changed
change_input(qss, number, y, slope, t)
"""

from __future__ import annotations

from math import inf

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.qss.crossings import predict_crossing
from freewheel.runtime.qss.delayed_signals import begin_delays, restart_delays
from freewheel.runtime.qss.handlers import change_discrete, reset_state, update_reinitialised
from freewheel.runtime.qss.memory import Qss
from freewheel.runtime.qss.quantizers import state_at
from freewheel.runtime.qss.rates import (
    copy_rates_to_q,
    evaluate_rate,
    mark_relations,
    set_state,
    update_rate,
    update_readers,
)
from freewheel.runtime.qss.scheduler import stepping
from freewheel.runtime.qss.switched.steps import begin_group
from freewheel.runtime.qss.thresholds import ROWS

starting = KernelModule("qss_starting", stepping)


@starting.kernel
def begin(qss: Qss, y: Floats, t: Float) -> Int:
    """In new memory; 0, or the failure. With an implicit core after each event."""
    if qss.has_core == 1:
        return begin_group(qss, t)
    n = qss.n
    qss.last_t = t
    for i in range(n):
        set_state(qss, i, y[i], t)
    if qss.signal_count > 0:
        begin_delays(qss, t)
    for degree in range(qss.order):
        for i in range(n):
            evaluate_rate(qss, i, t, qss.is_implicit)
        copy_rates_to_q(qss, degree)
    for i in range(n):
        update_rate(qss, i, t, 0)
    if qss.signal_count > 0:
        restart_delays(qss, t)
    for number in range(qss.relation_count):
        relation = qss.relations[number]
        relation.hysteresis = 1.0
        relation.last = -inf
        relation.validity = ROWS.first_check * (qss.stop - qss.start)
        relation.predicted_at = t
        relation.is_marked = 0
        predict_crossing(qss, number, t)
    qss.marked_count = 0
    for i in range(qss.discrete_count):
        qss.discrete_values[i] = qss.memory[qss.discrete_slots[i]]
    return qss.failure


@starting.kernel
def change_input(qss: Qss, number: Int, y: Float, slope: Float, t: Float) -> Int:
    """Sets value and slope of an input."""
    i = qss.n + number
    state = qss.states[i]
    state.q0 = y
    state.x0 = y
    state.q1 = slope
    state.x1 = slope
    state.tq = t
    state.tx = t
    if qss.relation_count > 0:
        mark_relations(qss, i, 1)
    update_readers(qss, i, t, 0)
    return qss.failure


@starting.kernel
def resume(qss: Qss, y: Floats, t: Float) -> Int:
    """States first: rows must not see old states with new discrete variables (a constraint may have no
    solution with the old choice of states)."""
    m = qss.memory
    n = qss.n
    jumped = qss.jumped
    for i in range(n):
        jumped[i] = 1 if y[i] != state_at(qss, i, t) else 0
        if jumped[i] == 1:
            reset_state(qss, i, y[i], t)
    slots = qss.discrete_slots
    for i in range(qss.discrete_count):
        if m[slots[i]] != qss.discrete_values[i]:
            change_discrete(qss, i, m[slots[i]], t)
    for i in range(n):
        if jumped[i] == 1:
            update_reinitialised(qss, i, t)
    if qss.signal_count > 0:
        restart_delays(qss, t)
    for number in range(qss.relation_count):
        relation = qss.relations[number]
        if relation.status != m[relation.status_slot] or relation.is_marked == 1:
            predict_crossing(qss, number, t)
    for number in range(qss.relation_count):
        qss.relations[number].is_marked = 0
    qss.marked_count = 0
    return qss.failure
