"""The loop of quantized states: whoever is next moves, and those who look at it are told.

    code = advance(qss)        # up to qss.limit: REACHED, EVENT, BREATH, ...

Items of the heap are states, then relations, then rows that follow time by themselves, which are looked
at again before their polynomials are too old. A relation whose status only rows read is dealt with here;
any other crossing is an EVENT for the caller.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.loop.outcomes import (
    BREATH,
    EVENT,
    PAST_FULL,
    REACHED,
    STALLED,
    TOO_MANY,
)
from freewheel.runtime.qss.correction import evaluate_row, follow_rows, mend, mending
from freewheel.runtime.qss.delays_kernels import move_past, pasts, settle_past
from freewheel.runtime.qss.handlers import (
    change_held,
    handle,
    handling,
    quantum_of,
    renew_readers,
)
from freewheel.runtime.qss.heap import set_time
from freewheel.runtime.qss.memory import ALONE, ASKED, HANDLED, Qss, QssRelation, QuantizedState
from freewheel.runtime.qss.methods import MLIQSS
from freewheel.runtime.qss.next_times import change_of_pace, wait
from freewheel.runtime.qss.pairs import pairs, partner
from freewheel.runtime.qss.quantizers import advance_q, advance_x, q_at, quantize, state_at
from freewheel.runtime.qss.rows import (
    LONGEST,
    SHORTEST_LOOK,
    predict,
    predict_noted,
    renew,
    residual_of,
    rests_on_zero,
    until_look,
)
from freewheel.runtime.thresholds import CHATTER, EPSILON

stepping = KernelModule("qss_stepping", handling, pairs, pasts, mending)

INNERMOST = (  # kernels that are written into those that call them
    *("advance_x", "advance_q", "first_exit", "meets_2", "quantize_2", "wait_2", "wait_explicit"),
    *("wait", "quantize", "split", "set_time", "stops_before", "stops_after", "q_at", "x_at"),
    *("state_at", "copy"),
)

SOFT = 0.25  # of a quantum: what a row that follows time may be wrong by
MOST_AT_ONCE = 1000  # steps of each state without any progress of time
COARSER = 10.0  # hysteresis after each wrong prediction
COARSEST = 1e9
QUICK = 1e-9  # of the whole time
SHRUNK = 5  # times in a row: for those who know of ever shorter times


@stepping.kernel
def just_after(t: Float) -> Float:
    """A time just after `t`, as rounding has it."""
    return t + max(0.6 * EPSILON * abs(t), 1e-300)  # rounds to one unit in the last place


@stepping.kernel
def step_state(qss: Qss, i: Int, t: Float) -> None:
    """State i takes its step."""
    state = qss.states[i]
    if qss.missing > 0:
        follow_rows(qss, i, t)
    advance_x(state, t)
    state.quantum = quantum_of(qss, i, state.x0)
    qss.q_before = q_at(state, t)
    qss.rate_before = state.x1
    other = -1
    if qss.method == MLIQSS:
        advance_q(state, t)
        q = state.q0
        slope = state.q1
        quantize(qss, i, t, qss.horizon)
        other = partner(qss, i, t, qss.horizon, q, slope)
    else:
        quantize(qss, i, t, qss.horizon)
    renew(qss, i, t, 1)
    renew_readers(qss, i, t, 1)
    if other >= 0:
        qss.paired += 1
        qss.states[other].quantum = quantum_of(qss, other, qss.states[other].x0)
        renew(qss, other, t, 1)
        renew_readers(qss, other, t, 1)


@stepping.kernel
def has_left_status(relation: QssRelation, status: Float, out: Floats) -> Int:
    if status == 0.0:
        return 1 if abs(out[0]) > relation.band else 0
    if relation.band == 0.0 and rests_on_zero(out) == 1:
        return 1
    beyond = -out[0] if status > 0.0 else out[0]
    return 1 if beyond > relation.band else 0


@stepping.kernel
def cross(qss: Qss, number: Int, t: Float) -> Int:
    """Whether a predicted crossing is one: EVENT; local ones are dealt with, 0."""
    m = qss.memory
    residual_of(qss, number, t)
    relation = qss.relations[number]
    slot = relation.status_slot
    value = qss.out[0]
    has_left = has_left_status(relation, m[slot], qss.out)
    if relation.is_straight == 1 and value == 0.0 and qss.out[1] != 0.0:
        value = qss.out[1]  # the side it will be on
        has_left = 1
    if has_left == 0 and relation.is_straight == 1:
        set_time(qss.heap, qss.n + number, just_after(t))
        return 0
    if has_left == 0:
        is_moving = 1 if qss.out[1] != 0.0 or qss.out[2] != 0.0 else 0
        if abs(value) <= 2.0 * relation.delta and is_moving == 1:
            relation.coarse = min(COARSEST, COARSER * relation.coarse)
        predict(qss, number, t)
        return 0
    is_quick = 1 if t - relation.last < QUICK * (qss.stop - qss.start) else 0
    # Others are judged by those who know of chattering and sliding.
    coarser = min(COARSEST, COARSER * relation.coarse)
    relation.coarse = coarser if is_quick == 1 and relation.scope == ALONE else 1.0
    relation.quick = relation.quick + 1 if is_quick == 1 else 0
    gap = t - relation.last
    if is_quick == 0:  # else it goes back and forth
        relation.shrinks = relation.shrinks + 1 if gap < CHATTER.shrinking * relation.gap else 0
        relation.gap = gap
    relation.last = t
    is_odd = 1 if relation.quick > 0 or relation.shrinks >= SHRUNK else 0
    if relation.scope == ASKED or (relation.scope == HANDLED and is_odd == 1):
        qss.subject = number
        return EVENT
    qss.local_events += 1
    m[slot] = 1.0 if value > 0.0 else (-1.0 if value < 0.0 else 0.0)
    change_held(qss, relation.status_watch, m[slot], t)
    if relation.scope == HANDLED and handle(qss, number, t) == EVENT:
        return EVENT
    predict(qss, number, t)
    return 0


@stepping.kernel
def next_look(qss: Qss, state: QuantizedState, passed: Float, off: Float) -> Float:
    """After which time, if the rate was `off` after `passed`."""
    order = float(qss.order) + 1.0
    change = change_of_pace(SOFT * state.quantum, off * passed / order, order)
    span = qss.stop - qss.start
    return min(max(passed * change, SHORTEST_LOOK * span), LONGEST * span)


@stepping.kernel
def look_again(qss: Qss, j: Int, t: Float, passed: Float) -> None:
    """Renew a row, and learn from how wrong it was."""
    state = qss.states[j]
    since = t - state.tx
    advance_x(state, t)
    expected = state.x1
    x2 = state.x2
    x3 = state.x3
    qss.refreshes += 1
    renew(qss, j, t, 0)
    state.refresh = next_look(qss, state, passed, abs(state.x1 - expected))
    if mend(qss, j, t, min(since, passed), expected, x2, x3) == 1:
        set_time(qss.heap, j, t + wait(qss, j, 0, qss.horizon - t))


@stepping.kernel
def refresh(qss: Qss, j: Int, t: Float) -> None:
    """A row that follows time is looked at again; how wrong it was says how soon the next time."""
    look_again(qss, j, t, qss.states[j].refresh)
    set_time(qss.heap, qss.n + qss.relation_count + j, t + qss.states[j].refresh)


@stepping.kernel
def look_closer(qss: Qss, j: Int, t: Float) -> None:
    """The same of a row that is curved by its states, and whose own state is not yet due. If all is as
    foretold, nothing is touched."""
    state = qss.states[j]
    passed = t - state.tx
    status = evaluate_row(qss, qss.rows[j], t)
    off = abs(qss.out[0] - state.x1 - passed * (2.0 * state.x2 + 3.0 * passed * state.x3))
    if status == 0 and off * passed <= SOFT * (float(qss.order) + 1.0) * state.quantum:
        qss.refreshes += 1
        look = next_look(qss, state, passed, off)
        due = qss.due[j]
        state.refresh = look if due <= t + look else -look
        set_time(qss.heap, j, min(due, t + look))
        return
    look_again(qss, j, t, passed)
    away = wait(qss, j, 0, qss.horizon - t)
    if away > state.refresh:
        away = until_look(qss, j, away, t, 0.0, 0)
    set_time(qss.heap, j, t + away)


@stepping.kernel
def stops_before(qss: Qss, t: Float) -> Int:
    """0: whoever is due at `t` may move."""
    if t > qss.limit:
        qss.t = qss.limit
        return REACHED
    if qss.budget <= 0 or qss.asked != 0:
        qss.budget = 0
        return BREATH
    qss.budget -= 1
    return 0


@stepping.kernel
def stops_after(qss: Qss, item: Int, t: Float, code: Int) -> Int:
    """What an item that has moved at `t` with this code ends; 0: on with the next one."""
    if qss.failure != 0:
        code = qss.failure
    if code == 0:
        qss.stalled = 0 if t > qss.last_t else qss.stalled + 1
        qss.last_t = max(t, qss.last_t)
        if qss.stalled > MOST_AT_ONCE * (qss.n + 10):
            code = STALLED
        if qss.steps >= qss.max_steps:
            code = TOO_MANY
        if code == 0 and qss.past_full > 0:
            code = PAST_FULL
    if code != 0 and code != EVENT:
        qss.subject = item
    return code


@stepping.kernel
def advance(qss: Qss) -> Int:
    n = qss.n
    with_relations = n + qss.relation_count
    past = qss.first_past_item
    heap = qss.heap
    while True:
        t = heap.times[0]
        code = stops_before(qss, t)
        if code != 0:
            return code
        qss.t = t
        item = heap.items[0]
        if item < n:
            if qss.states[item].refresh < 0.0:
                look_closer(qss, item, t)
            else:
                qss.steps += 1
                step_state(qss, item, t)
        elif item < with_relations:
            code = cross(qss, item - n, t)
        elif item < past:
            refresh(qss, item - with_relations, t)
        else:
            move_past(qss, item - past, t)
        if code == 0 and qss.past_noted > 0:
            settle_past(qss, t)
        if code == 0 and qss.noted > 0:
            predict_noted(qss, t)
        code = stops_after(qss, item, t, code)
        if code != 0:
            return code


@stepping.kernel
def point_at(qss: Qss, t: Float, y: Floats) -> None:
    """All states at a time, as relations and events see them."""
    for i in range(qss.n):
        y[i] = state_at(qss, i, t)
