"""Event handlers: reinitialisation of states, and discrete variables that rows read.

change_discrete(qss, number, value, t)    # updates rows and relations that read a discrete variable
reinitialise(qss, i, y, t)                # sets a state to another value
run_handlers(qss, number, t)              # discrete variables behind a relation (program/handlers.py)
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Int
from freewheel.runtime.loop.outcomes import EVENT
from freewheel.runtime.qss.crossings import predict_crossing, predictions
from freewheel.runtime.qss.heap import set_time
from freewheel.runtime.qss.memory import Qss
from freewheel.runtime.qss.quantizers import is_stiff
from freewheel.runtime.qss.rates import (
    evaluate_at_event,
    mark_delay_item,
    set_state,
    update_rate,
    update_readers,
)
from freewheel.runtime.qss.thresholds import CROSSINGS

handling = KernelModule("qss_handling", predictions)


@handling.kernel
def change_discrete(qss: Qss, number: Int, value: Float, t: Float) -> None:
    """Sets a discrete variable (-1: none), and updates rows and crossings that depend on it."""
    if number < 0:
        return
    qss.discrete_values[number] = value
    readers = qss.discrete_readers
    n = qss.n
    for place in range(readers.starts[number], readers.starts[number + 1]):
        row = readers.items[place]
        if row < n:
            update_rate_at_event(qss, row, t)
        elif row < n + qss.relation_count:
            predict_crossing(qss, row - n, t)
        else:
            for item in range(qss.signal_count + qss.delayed_count):
                if qss.delay_items[item].row == row:
                    mark_delay_item(qss, item)


@handling.kernel
def update_discrete(qss: Qss, number: Int, slot: Int, t: Float) -> None:
    if number >= 0 and qss.discrete_values[number] != qss.memory[slot]:
        change_discrete(qss, number, qss.memory[slot], t)


@handling.kernel
def reinitialise(qss: Qss, i: Int, y: Float, t: Float) -> None:
    reset_state(qss, i, y, t)
    update_reinitialised(qss, i, t)


@handling.kernel
def reset_state(qss: Qss, i: Int, y: Float, t: Float) -> None:
    refresh = qss.states[i].refresh_interval
    set_state(qss, i, y, t)
    qss.states[i].refresh_interval = refresh


@handling.kernel
def update_reinitialised(qss: Qss, i: Int, t: Float) -> None:
    update_rate(qss, i, t, 2)
    update_readers(qss, i, t, 1)
    # With order 1 an immediate step could undo a reinitialisation that is smaller than the quantum.
    if qss.order > 1:
        qss.states[i].refresh_interval = abs(qss.states[i].refresh_interval)  # a step, no check
        set_time(qss.heap, i, t)


@handling.kernel
def update_rate_at_event(qss: Qss, i: Int, t: Float) -> None:
    """Updates the row of state i after a change of discrete variables. Events see q of a stiff state and x of
    any other: where stiffness changes, both restart at the value that the event has seen. Otherwise a
    relation that has just crossed could cross back without end."""
    state = qss.states[i]
    was_stiff = is_stiff(qss, state)
    update_rate(qss, i, t, 2)
    if qss.events_see_q == 1 and is_stiff(qss, state) != was_stiff:
        reinitialise(qss, i, state.q0 if was_stiff == 1 else state.x0, t)


@handling.kernel
def apply_handlers(qss: Qss, number: Int, t: Float) -> Int:
    """Reinitialises states and sets pre values: 1 where one has changed, 2 where a state was
    reinitialised."""
    m = qss.memory
    handling = qss.handling
    moved = 0
    for place in range(handling.starts[number], handling.starts[number + 1]):
        handler = qss.handlers[handling.items[place]]
        value = m[handler.target_slot]
        if handler.state >= 0 and value >= 0.5:
            m[handler.target_slot] = 0.0
            moved = 2
            reinitialise(qss, handler.state, m[handler.value_slot], t)
        if handler.pre_slot >= 0 and m[handler.pre_slot] != value:
            m[handler.pre_slot] = value
            moved = max(moved, 1)
    return moved


@handling.kernel
def update_status(qss: Qss, number: Int, t: Float) -> Int:
    """After a reinitialisation the relation itself may change its status: 0. Where another one must change:
    1."""
    m = qss.memory
    found = 0
    for place in range(qss.marked_count):
        other = qss.marked_relations[place]
        evaluate_at_event(qss, qss.n + other, t)
        slot = qss.relations[other].status_slot
        if qss.out[0] * m[slot] < 0.0:
            if other == number:
                m[slot] = -m[slot]
            else:
                found = 1
    return found


@handling.kernel
def update_inactive(qss: Qss, number: Int, t: Float) -> None:
    """Updates statuses that handlers read, of relations that are inactive so far."""
    m = qss.memory
    inactive = qss.inactive
    for place in range(inactive.starts[number], inactive.starts[number + 1]):
        other = inactive.items[place]
        m[qss.awake_slot] = 0.0
        evaluate_at_event(qss, qss.n + other, t)
        m[qss.awake_slot] = 1.0
        slot = qss.relations[other].status_slot
        if other != number and qss.out[0] * m[slot] <= 0.0 and qss.out[0] != 0.0:
            m[slot] = 1.0 if qss.out[0] > 0.0 else -1.0
            change_discrete(qss, qss.relations[other].status_discrete, m[slot], t)
            predict_crossing(qss, other, t)


@handling.kernel
def run_handlers(qss: Qss, number: Int, t: Float) -> Int:
    """The event iteration of the discrete variables behind a relation whose status has changed. 0, or EVENT
    where it does not converge or concerns other relations: all equations of the model are needed."""
    m = qss.memory
    handling = qss.handling
    first_row = qss.n + qss.relation_count
    moved = 1
    update_inactive(qss, number, t)
    for _round in range(CROSSINGS.most_rounds):
        for place in range(handling.starts[number], handling.starts[number + 1]):
            handler = handling.items[place]
            evaluate_at_event(qss, first_row + handler, t)
            m[qss.handlers[handler].target_slot] = qss.out[0]
        moved = apply_handlers(qss, number, t)
        if moved == 0 or qss.failure != 0 or (moved == 2 and update_status(qss, number, t) == 1):
            break
    for place in range(handling.starts[number], handling.starts[number + 1]):
        changed = qss.handlers[handling.items[place]]
        update_discrete(qss, changed.target_discrete, changed.target_slot, t)
        update_discrete(qss, changed.pre_discrete, changed.pre_slot, t)
    relation = qss.relations[number]
    update_discrete(qss, relation.status_discrete, relation.status_slot, t)
    if moved > 0:
        qss.event_item = number
    return EVENT if moved > 0 else 0
