"""Rows evaluated by their functions, and everybody's next time brought up to date.

    renew(qss, j, t, is_own)      # derivative j
    predict_noted(qss, t)         # crossings of all relations that are noted
    qss.failure                   # ROW_FAILED where a row has no value: whoever runs the loop asks

A derivative that is renewed changes the continuous polynomial of its state: the state's next time is set,
and the relations that look at it are noted; their crossings are predicted when all rows are done.
"""

from __future__ import annotations

from math import inf

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.loop.outcomes import ROW_FAILED
from freewheel.runtime.qss.heap import heaps, set_time
from freewheel.runtime.qss.memory import CURVED, FOLLOWS, Qss, QssRelation, QssRow, QuantizedState
from freewheel.runtime.qss.methods import LIQSS
from freewheel.runtime.qss.next_times import wait, waiting
from freewheel.runtime.qss.quantizers import advance_q, advance_x, is_stiff, quantizers
from freewheel.runtime.qss.roots import FAR, first_root, polynomials
from freewheel.runtime.thresholds import CHATTER, LARGEST

rows_of_states = KernelModule("qss_rows", heaps, quantizers, waiting, polynomials)

CLEAR = 1e-3  # of a quantum: a step of q that tells slopes from rounding
NOISE = 1e-12  # of the size of a residual
OUTSIDE = 10.0  # times what was taken for noise
TOP = 1e250
FIRST_LOOK = 1e-6  # of the whole time: rows that follow time are first looked at again after it
SHORTEST_LOOK, LONGEST = 1e-9, 0.01  # of the whole time, between two looks at a row
TRUST = 4.0  # times as far as it has reached before, a polynomial is trusted
GROWING = 2.0  # with each look
AFRESH = 0.25  # after an event
TRUE = 0.02  # of the size of a residual: what its parabola may be wrong by
SOONEST = 1e-6  # of the whole time: residuals are not looked at more often
QUIET = 2.0  # quanta
REACH = 2.1  # quanta: bounds of all methods, and a little for rounding
CLEARLY = 1.1  # more than at the time when it will be near
SHORTEST = 1e-15  # of the whole time: crossings are not located more finely


@rows_of_states.kernel
def fail(qss: Qss, row: Int, code: Int) -> None:
    """The first failure is told; those after it may be its consequences."""
    if qss.failure == 0:
        qss.failure = code
        qss.failed_row = row


@rows_of_states.kernel
def rate_of(qss: Qss, j: Int, t: Float, with_own: Int) -> None:
    """The derivatives of x at `t` from the row; x and q of state j are at `t`. `with_own`: also a, but
    what grows by itself is left to the explicit formulas."""
    row = qss.rows[j]
    table = qss.table[row.first :]
    out = qss.out
    with_slope = 1 if with_own == 1 and row.has_slope == 1 else 0
    if with_slope == 1:
        status = row.evaluate_with_slope(qss.memory, table, qss.states, t, out)
    else:
        status = row.evaluate(qss.memory, table, qss.states, t, out)
    qss.evaluations += 1
    state = qss.states[j]
    state.x1 = out[0]
    order = qss.order
    last = out[0]
    if order > 1:
        last = out[1]
        state.x2 = 0.5 * last
        if order > 2:
            last = out[2]
            state.x3 = last / 6.0
    if with_own == 1:
        slope = out[order] if with_slope == 1 else 0.0
        state.a = slope if slope < 0.0 and slope > -TOP else 0.0
    if status != 0 or not abs(last + out[0]) <= LARGEST:
        fail(qss, j, ROW_FAILED)


@rows_of_states.kernel
def split(state: QuantizedState, order: Int) -> None:
    """The rate without a*q."""
    a = state.a
    state.u0 = state.x1 - a * state.q0
    if order > 1:
        state.u1 = 2.0 * state.x2 - a * state.q1
        if order > 2:
            state.u2 = 3.0 * state.x3 - a * state.q2


@rows_of_states.kernel
def note_relations(qss: Qss, i: Int, by_q: Int) -> None:
    """Relations that look at record i will be predicted anew; those that are far only if q has moved."""
    watchers = qss.watchers
    for place in range(watchers.starts[i], watchers.starts[i + 1]):
        number = watchers.items[place]
        relation = qss.relations[number]
        if relation.is_noted == 0 and (by_q == 1 or relation.is_far == 0):
            relation.is_noted = 1
            qss.noted_relations[qss.noted] = number
            qss.noted += 1


@rows_of_states.kernel
def note_past(qss: Qss, number: Int) -> None:
    """A signal, by the number of its line, or a look after them will be brought up to date."""
    if qss.past[number].is_noted == 0:
        qss.past[number].is_noted = 1
        qss.noted_past[qss.past_noted] = number
        qss.past_noted += 1


@rows_of_states.kernel
def note_past_of(qss: Qss, i: Int) -> None:
    """All that depend on record i."""
    readers = qss.past_readers
    for place in range(readers.starts[i], readers.starts[i + 1]):
        note_past(qss, readers.items[place])


@rows_of_states.kernel
def is_moving(qss: Qss, row: QssRow) -> Int:
    """Whether x of any record of a row moves."""
    table = qss.table[row.first :]
    for place in range(row.count):
        state = qss.states[table[place]]
        if state.x1 != 0.0 or state.x2 != 0.0:
            return 1
    return 0


@rows_of_states.kernel
def is_quiet(qss: Qss, row: QssRow, away: Float) -> Int:
    """Whether all records of a row stay within a few quanta for a time: it cannot matter how they move."""
    table = qss.table[row.first :]
    for place in range(row.count):
        state = qss.states[table[place]]
        if (abs(state.q1) + away * abs(state.q2)) * away > QUIET * state.quantum:
            return 0
    return 1


@rows_of_states.kernel
def until_look(qss: Qss, j: Int, away: Float, t: Float, passed: Float, is_own: Int) -> Float:
    """A row that is curved is looked at before its state is due, where that is much farther away than its
    polynomial has ever been asked to reach: its derivatives may happen to vanish here and not a little
    later. `refresh` is negative then. It grows with each time that somebody else makes the row be looked
    at."""
    state = qss.states[j]
    span = qss.stop - qss.start
    look = max(GROWING * abs(state.refresh), TRUST * passed)
    look = min(max(look, SHORTEST_LOOK * span), LONGEST * span)
    if is_own == 2:  # another formula may hold from now on
        look = max(AFRESH * look, FIRST_LOOK * span)
    state.refresh = look
    if away <= look or is_quiet(qss, qss.rows[j], min(away, qss.horizon - t)) == 1:
        return away
    state.refresh = -look
    qss.due[j] = t + away
    return look


@rows_of_states.kernel
def renew(qss: Qss, j: Int, t: Float, is_own: Int) -> None:
    state = qss.states[j]
    passed = t - state.tx
    advance_x(state, t)
    advance_q(state, t)
    is_implicit = qss.is_implicit
    # By how much the step of q has changed the rate: costs nothing, and where the row is curved it is
    # nearer to what the next step will see than the slope at one point.
    moved = state.q0 - qss.q_before
    by_secant = (
        1 if qss.method == LIQSS and is_own == 1 and abs(moved) > CLEAR * state.quantum else 0
    )
    rate_of(qss, j, t, is_implicit if is_own > 0 and by_secant == 0 else 0)
    if by_secant == 1:
        state.a = min(0.0, (state.x1 - qss.rate_before) / moved)
    if is_implicit == 1:
        split(state, qss.order)
    away = wait(qss, j, 1 if is_own == 1 else 0, qss.horizon - t)
    sort = qss.rows[j].follows
    if sort != 0:
        if sort == CURVED:
            if away > abs(state.refresh) or is_own == 2:
                away = until_look(qss, j, away, t, passed, is_own)
            elif state.refresh < 0.0:
                state.refresh = -state.refresh
        else:
            if is_own == 2:  # another formula may hold from now on
                state.refresh = FIRST_LOOK * (qss.stop - qss.start)
            set_time(qss.heap, qss.n + qss.relation_count + j, t + state.refresh)
    set_time(qss.heap, j, t + away)
    if qss.relation_count > 0:
        note_relations(qss, j, 1 if is_own > 0 else 0)
    if qss.signal_count > 0:
        note_past_of(qss, j)


@rows_of_states.kernel
def look_at(qss: Qss, number: Int, t: Float) -> None:
    """Value and derivatives of a row at an event or on the way to one, into `out`. Stiff states of
    linearly implicit methods are seen by their q: a fast current that has died away leaves a whole
    quantum of x behind, which a large resistance would make a voltage."""
    row = qss.rows[number]
    table = qss.table[row.first :]
    for place in range(row.count):
        i = table[place]
        state = qss.states[i]
        seen = qss.view[i]
        if i >= qss.n or (qss.events_see_q == 1 and is_stiff(qss, state) == 1):
            seen.q0 = state.q0
            seen.q1 = state.q1
            seen.q2 = state.q2
            seen.tq = state.tq
        else:
            advance_x(state, t)
            seen.q0 = state.x0
            seen.q1 = state.x1
            seen.q2 = state.x2
            seen.tq = state.tx
    status = row.evaluate(qss.memory, table, qss.view, t, qss.out)
    if status != 0 or not abs(qss.out[0]) <= LARGEST:
        fail(qss, number, ROW_FAILED)


@rows_of_states.kernel
def residual_of(qss: Qss, number: Int, t: Float) -> None:
    qss.predictions += 1
    look_at(qss, qss.n + number, t)


@rows_of_states.kernel
def note_size(relation: QssRelation, value: Float) -> None:
    """What is as far as never, such as a break that is not yet known, says nothing of a residual."""
    if abs(value) < TOP:
        relation.size = max(relation.size, abs(value))


@rows_of_states.kernel
def time_beyond(value: Float, slope: Float, bend: Float, status: Float, delta: Float) -> Float:
    """Until the residual has left its status by delta; 0: it has."""
    if status > 0.0:
        return 0.0 if value + delta <= 0.0 else first_root(value + delta, slope, bend)
    if status < 0.0:
        return 0.0 if value - delta >= 0.0 else first_root(value - delta, slope, bend)
    if abs(value) >= delta:
        return 0.0
    return min(first_root(value + delta, slope, bend), first_root(value - delta, slope, bend))


@rows_of_states.kernel
def time_to_look(qss: Qss, relation: QssRelation, out: Floats, t: Float) -> Float:
    """Until a residual that bends is looked at again: as long as its parabola stays true. How wrong the last
    one has become by now says how long that is."""
    passed = t - relation.at
    if passed > 0.0 and abs(out[0]) < TOP:
        wrong = abs(out[0] - relation.z0 - passed * (relation.z1 + passed * relation.z2))
        look = GROWING * max(relation.look, passed)
        if wrong > 0.0:
            look = min(look, passed * (TRUE * relation.size / wrong) ** (1.0 / 3.0))
        relation.look = min(max(look, SOONEST * (qss.stop - qss.start)), qss.longest_look)
    relation.at = t
    relation.z0 = out[0]
    relation.z1 = out[1]
    relation.z2 = 0.5 * out[2]
    return relation.look


@rows_of_states.kernel
def rests_on_zero(out: Floats) -> Int:
    """Neither side: a switch that has closed has no voltage, whichever sign that had before."""
    return 1 if out[0] == 0.0 and out[1] == 0.0 and out[2] == 0.0 else 0


@rows_of_states.kernel
def time_until_near(qss: Qss, number: Int, t: Float) -> Float:
    """How long a linear relation cannot cross, wherever its states are within their bounds around q; 0
    where that is not known. It takes no look at x, which changes more often than q."""
    m = qss.memory
    row = qss.rows[qss.n + number]
    relation = qss.relations[number]
    relation.is_far = 0
    if row.has_slopes == 0 or row.follows == FOLLOWS:
        return 0.0
    status = m[relation.status_slot]
    table = qss.table[row.first :]
    slopes = qss.slopes
    code = row.slopes(m, table, qss.states, t, slopes)
    reach = 0.0
    for place in range(row.count):
        reach += abs(slopes[place]) * qss.states[table[place]].quantum
    reach *= REACH
    out = qss.out
    code += row.evaluate(m, table, qss.states, t, out)
    if code != 0 or not status * out[0] > CLEARLY * reach:
        return 0.0
    relation.is_far = 1
    relation.status = status
    note_size(relation, out[0])
    qss.predictions += 1
    return first_root(status * out[0] - reach, status * out[1], 0.5 * status * out[2])


@rows_of_states.kernel
def predict(qss: Qss, number: Int, t: Float) -> None:
    """When the residual leaves its status, as far as its polynomial tells."""
    away = time_until_near(qss, number, t)
    if away > 0.0:
        set_time(qss.heap, qss.n + number, t + away if away < FAR else inf)
        return
    residual_of(qss, number, t)
    relation = qss.relations[number]
    out = qss.out
    note_size(relation, out[0])
    if abs(out[0]) > CHATTER.far_outside * relation.band:
        relation.band = 0.0  # what was noise has become a signal
    delta = max(NOISE * relation.size, 1e-300)
    if abs(out[0]) > OUTSIDE * delta * relation.coarse:
        relation.coarse = 1.0
    delta = delta * relation.coarse + relation.band
    relation.delta = delta
    status = qss.memory[relation.status_slot]
    relation.status = status
    if relation.is_straight == 1:
        delta = 0.0
        if out[0] == 0.0 and status * out[1] > 0.0:
            # at zero, and about to be on the right side of it
            set_time(qss.heap, qss.n + number, inf)
            return
    if rests_on_zero(out) == 1:
        away = 0.0 if status != 0.0 and relation.band == 0.0 else FAR
    else:
        away = time_beyond(out[0], out[1], 0.5 * out[2], status, delta)
    row = qss.rows[qss.n + number]
    if row.follows == FOLLOWS or (row.follows == CURVED and is_moving(qss, row) == 1):
        away = min(away, time_to_look(qss, relation, out, t))
    if away > 0.0:
        away = max(away, SHORTEST * (qss.stop - qss.start))
    set_time(qss.heap, qss.n + number, t + away if away < FAR else inf)


@rows_of_states.kernel
def predict_noted(qss: Qss, t: Float) -> None:
    for place in range(qss.noted):
        number = qss.noted_relations[place]
        qss.relations[number].is_noted = 0
        predict(qss, number, t)
    qss.noted = 0
