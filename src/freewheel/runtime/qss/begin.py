"""Quantized states at the beginning, and after an event has changed states, statuses or inputs.

begin(qss, y, t)         # all anew
resume(qss, y, t)        # only what differs from what was there
"""

from __future__ import annotations

from math import inf

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.qss.delays_kernels import lay_past, renew_past
from freewheel.runtime.qss.handlers import (
    change_held,
    place_state,
    put_state,
    renew_jumped,
    renew_readers,
)
from freewheel.runtime.qss.memory import Qss
from freewheel.runtime.qss.quantizers import state_at
from freewheel.runtime.qss.rows import FIRST_LOOK, note_relations, predict, rate_of, renew
from freewheel.runtime.qss.scheduler import stepping

beginning = KernelModule("qss_beginning", stepping)


@beginning.kernel
def begin(qss: Qss, y: Floats, t: Float) -> Int:
    """In memory that is new: polynomials of all states are found order by order; 0, or what failed."""
    n = qss.n
    order = qss.order
    qss.last_t = t
    for i in range(n):
        place_state(qss, i, y[i], t)
    if qss.signal_count > 0:
        lay_past(qss, t)
    for degree in range(order):
        for i in range(n):
            rate_of(qss, i, t, qss.is_implicit)
        for i in range(n):
            state = qss.states[i]
            if degree == 0 and order > 1:
                state.q1 = state.x1
            if degree == 1 and order > 2:
                state.q2 = state.x2
    for i in range(n):
        renew(qss, i, t, 0)
    if qss.signal_count > 0:
        renew_past(qss, t, 2)
    for number in range(qss.relation_count):
        relation = qss.relations[number]
        relation.coarse = 1.0
        relation.last = -inf
        relation.look = FIRST_LOOK * (qss.stop - qss.start)
        relation.at = t
        relation.is_noted = 0
        predict(qss, number, t)
    qss.noted = 0
    for i in range(qss.watched):
        qss.held[i] = qss.memory[qss.held_slots[i]]
    return qss.failure


@beginning.kernel
def bend_input(qss: Qss, number: Int, y: Float, slope: Float, t: Float) -> Int:
    """An input has another value or slope from now on."""
    i = qss.n + number
    state = qss.states[i]
    state.q0 = y
    state.x0 = y
    state.q1 = slope
    state.x1 = slope
    state.tq = t
    state.tx = t
    if qss.relation_count > 0:
        note_relations(qss, i, 1)
    renew_readers(qss, i, t, 0)
    return qss.failure


@beginning.kernel
def resume(qss: Qss, y: Floats, t: Float) -> Int:
    """States first: where an event has changed both states and what rows read, rows must not see the one
    without the other (new states of a constraint may have no solution with the old combination)."""
    m = qss.memory
    n = qss.n
    jumped = qss.jumped
    for i in range(n):
        jumped[i] = 1 if y[i] != state_at(qss, i, t) else 0
        if jumped[i] == 1:
            put_state(qss, i, y[i], t)
    slots = qss.held_slots
    for i in range(qss.watched):
        if m[slots[i]] != qss.held[i]:
            change_held(qss, i, m[slots[i]], t)
    for i in range(n):
        if jumped[i] == 1:
            renew_jumped(qss, i, t)
    if qss.signal_count > 0:
        renew_past(qss, t, 1)
    for number in range(qss.relation_count):
        relation = qss.relations[number]
        if relation.status != m[relation.status_slot] or relation.is_noted == 1:
            predict(qss, number, t)
    for number in range(qss.relation_count):
        qss.relations[number].is_noted = 0
    qss.noted = 0
    return qss.failure
