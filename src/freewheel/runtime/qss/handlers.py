"""Who is told when a state jumps or a held number changes, and what a relation's few handlers do.

renew_readers(qss, i, t, is_own)  # rows that look at q of record i
change_held(qss, watched, value, t)      # rows and relations that read a held number
jump(qss, i, y, t)                # a state has another value from now on
handle(qss, number, t)            # discrete variables behind a relation (program/handlers.py)
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Int
from freewheel.runtime.loop.outcomes import EVENT
from freewheel.runtime.qss.heap import set_time
from freewheel.runtime.qss.memory import Qss, QuantizedState
from freewheel.runtime.qss.quantizers import is_stiff
from freewheel.runtime.qss.rows import (
    FIRST_LOOK,
    look_at,
    note_past,
    predict,
    renew,
    rows_of_states,
)

handling = KernelModule("qss_handling", rows_of_states)

MOST_ROUNDS = 20  # of formulas behind a relation


@handling.kernel
def quantum_of(qss: Qss, i: Int, x: Float) -> Float:
    return max(qss.relative[i] * abs(x), qss.absolute[i])


@handling.kernel
def renew_readers(qss: Qss, i: Int, t: Float, is_own: Int) -> None:
    """All rows that look at q of record i are renewed."""
    readers = qss.readers
    for place in range(readers.starts[i], readers.starts[i + 1]):
        j = readers.items[place]
        if j != i or is_own == 0:
            renew(qss, j, t, 0)


@handling.kernel
def change_held(qss: Qss, watched: Int, value: Float, t: Float) -> None:
    """A held number (-1: none) has changed: rows that read it are renewed, crossings predicted."""
    if watched < 0:
        return
    qss.held[watched] = value
    readers = qss.held_readers
    n = qss.n
    first_of_past = n + qss.relation_count
    for place in range(readers.starts[watched], readers.starts[watched + 1]):
        row = readers.items[place]
        if row < n:
            renew_as_seen(qss, row, t)
        elif row < first_of_past:
            predict(qss, row - n, t)
        else:
            for number in range(qss.signal_count + qss.look_count):
                if qss.past[number].row == row:
                    note_past(qss, number)


@handling.kernel
def follow_held(qss: Qss, watched: Int, slot: Int, t: Float) -> None:
    if watched >= 0 and qss.held[watched] != qss.memory[slot]:
        change_held(qss, watched, qss.memory[slot], t)


@handling.kernel
def set_constant(state: QuantizedState, y: Float, t: Float) -> None:
    """A record from `t` on, of which no more than the value is known."""
    state.q0 = y
    state.q1 = 0.0
    state.q2 = 0.0
    state.tq = t
    state.x0 = y
    state.x1 = 0.0
    state.x2 = 0.0
    state.tx = t
    state.x3 = 0.0
    state.quantum = 0.0
    state.a = 0.0
    state.u0 = 0.0
    state.u1 = 0.0
    state.u2 = 0.0
    state.last_step = 0.0
    state.refresh = 0.0


@handling.kernel
def place_state(qss: Qss, i: Int, y: Float, t: Float) -> None:
    state = qss.states[i]
    set_constant(state, y, t)
    qss.sides[i] = 0.0
    state.quantum = quantum_of(qss, i, y)
    state.refresh = FIRST_LOOK * (qss.stop - qss.start)


@handling.kernel
def jump(qss: Qss, i: Int, y: Float, t: Float) -> None:
    """A state has another value from now on."""
    put_state(qss, i, y, t)
    renew_jumped(qss, i, t)


@handling.kernel
def put_state(qss: Qss, i: Int, y: Float, t: Float) -> None:
    refresh = qss.states[i].refresh
    place_state(qss, i, y, t)
    qss.states[i].refresh = refresh


@handling.kernel
def renew_jumped(qss: Qss, i: Int, t: Float) -> None:
    renew(qss, i, t, 2)
    renew_readers(qss, i, t, 1)
    # A first-order q that ran ahead of the jump at once would undo it, if it is smaller than the quantum.
    if qss.order > 1:
        qss.states[i].refresh = abs(qss.states[i].refresh)  # what comes next is a step, no look
        set_time(qss.heap, i, t)


@handling.kernel
def renew_as_seen(qss: Qss, i: Int, t: Float) -> None:
    """The row of state i, after something else than states has changed it. A state that becomes stiff by that
    or ceases to be is seen by q where it was seen by x, or the other way round: both begin at the value that
    the event has seen. A relation that has just crossed would cross back at once otherwise, for ever."""
    state = qss.states[i]
    was_stiff = is_stiff(qss, state)
    renew(qss, i, t, 2)
    if qss.events_see_q == 1 and is_stiff(qss, state) != was_stiff:
        jump(qss, i, state.q0 if was_stiff == 1 else state.x0, t)


@handling.kernel
def apply_handlers(qss: Qss, number: Int, t: Float) -> Int:
    """Flags make states jump, values become pre values: 1 where something moved, 2 where a state jumped."""
    m = qss.memory
    handling = qss.handling
    moved = 0
    for place in range(handling.starts[number], handling.starts[number + 1]):
        handler = qss.handlers[handling.items[place]]
        value = m[handler.target_slot]
        if handler.state >= 0 and value >= 0.5:
            m[handler.target_slot] = 0.0
            moved = 2
            jump(qss, handler.state, m[handler.value_slot], t)
        if handler.pre_slot >= 0 and m[handler.pre_slot] != value:
            m[handler.pre_slot] = value
            moved = max(moved, 1)
    return moved


@handling.kernel
def follow_jump(qss: Qss, number: Int, t: Float) -> Int:
    """A relation whose states have jumped takes the side that it is on now: 0. Another one would have to
    change, too: 1."""
    m = qss.memory
    noted = qss.noted_relations
    found = 0
    for place in range(qss.noted):
        other = noted[place]
        look_at(qss, qss.n + other, t)
        slot = qss.relations[other].status_slot
        if qss.out[0] * m[slot] < 0.0:
            if other == number:
                m[slot] = -m[slot]
            else:
                found = 1
    return found


@handling.kernel
def wake(qss: Qss, number: Int, t: Float) -> None:
    """Statuses that handlers ask about follow, also those of relations that mattered to nobody so far."""
    m = qss.memory
    asleep = qss.asleep
    for place in range(asleep.starts[number], asleep.starts[number + 1]):
        other = asleep.items[place]
        m[qss.awake_slot] = 0.0
        look_at(qss, qss.n + other, t)
        m[qss.awake_slot] = 1.0
        slot = qss.relations[other].status_slot
        if other != number and qss.out[0] * m[slot] <= 0.0 and qss.out[0] != 0.0:
            m[slot] = 1.0 if qss.out[0] > 0.0 else -1.0
            change_held(qss, qss.relations[other].status_watch, m[slot], t)
            predict(qss, other, t)


@handling.kernel
def handle(qss: Qss, number: Int, t: Float) -> Int:
    """Discrete variables behind a relation whose status has changed: formulas with pre values held, until
    nothing moves. The same iteration as that of all equations, for a part of them. 0, or EVENT: in circles,
    or a change of many, for those who know the whole model."""
    m = qss.memory
    handling = qss.handling
    first_row = qss.n + qss.relation_count
    moved = 1
    wake(qss, number, t)
    for _round in range(MOST_ROUNDS):
        for place in range(handling.starts[number], handling.starts[number + 1]):
            handler = handling.items[place]
            look_at(qss, first_row + handler, t)
            m[qss.handlers[handler].target_slot] = qss.out[0]
        moved = apply_handlers(qss, number, t)
        if moved == 0 or qss.failure != 0 or (moved == 2 and follow_jump(qss, number, t) == 1):
            break
    for place in range(handling.starts[number], handling.starts[number + 1]):
        changed = qss.handlers[handling.items[place]]
        follow_held(qss, changed.target_watch, changed.target_slot, t)
        follow_held(qss, changed.pre_watch, changed.pre_slot, t)
    relation = qss.relations[number]
    follow_held(qss, relation.status_watch, relation.status_slot, t)
    if moved > 0:
        qss.subject = number
    return EVENT if moved > 0 else 0
