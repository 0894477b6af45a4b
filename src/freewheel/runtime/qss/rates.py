"""Evaluates derivatives (rows) and updates the next event times that depend on them.

    update_rate(qss, j, t, is_own)      # derivative j
    update_readers(qss, i, t, is_own)   # all derivatives that depend on q of record i
    qss.failure                         # ROW_FAILED where a row has no value; the loop checks it

An updated derivative changes the continuous polynomial of its state: the next step of the state is scheduled,
and the relations that depend on it are marked; their crossings are predicted after all updates.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Int
from freewheel.runtime.loop.outcomes import ROW_FAILED
from freewheel.runtime.qss.heap import heaps, set_time
from freewheel.runtime.qss.memory import NONLINEAR, Qss, QssRow, QuantizedState
from freewheel.runtime.qss.methods import LIQSS
from freewheel.runtime.qss.next_times import time_to_step, waiting
from freewheel.runtime.qss.quantizers import advance_q, advance_x, is_stiff, quantizers
from freewheel.runtime.qss.thresholds import ROWS
from freewheel.runtime.thresholds import LARGEST

rates = KernelModule("qss_rates", heaps, quantizers, waiting)


@rates.kernel
def fail(qss: Qss, row: Int, code: Int) -> None:
    """Notes the first failure; later ones may be its consequences."""
    if qss.failure == 0:
        qss.failure = code
        qss.failed_row = row


@rates.kernel
def quantum_of(qss: Qss, i: Int, x: Float) -> Float:
    return max(qss.relative[i] * abs(x), qss.absolute[i])


@rates.kernel
def set_constant(state: QuantizedState, y: Float, t: Float) -> None:
    """A record with all derivatives zero."""
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
    state.refresh_interval = 0.0


@rates.kernel
def set_state(qss: Qss, i: Int, y: Float, t: Float) -> None:
    state = qss.states[i]
    set_constant(state, y, t)
    qss.directions[i] = 0.0
    state.quantum = quantum_of(qss, i, y)
    state.refresh_interval = ROWS.first_check * (qss.stop - qss.start)


@rates.kernel
def copy_rates_to_q(qss: Qss, degree: Int) -> None:
    """The next coefficient of q from that of x: polynomials of all states are found order by order."""
    for i in range(qss.n):
        state = qss.states[i]
        if degree == 0 and qss.order > 1:
            state.q1 = state.x1
        if degree == 1 and qss.order > 2:
            state.q2 = state.x2


@rates.kernel
def evaluate_rate(qss: Qss, j: Int, t: Float, with_own: Int) -> None:
    """x1, x2, x3 of state j from its row; x and q are at `t`. `with_own`: also `a`, where it is negative."""
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
        state.a = slope if slope < 0.0 and slope > -ROWS.top else 0.0
    if status != 0 or not abs(last + out[0]) <= LARGEST:
        fail(qss, j, ROW_FAILED)


@rates.kernel
def split_rate(state: QuantizedState, order: Int) -> None:
    """u(t): the rate without a*q."""
    a = state.a
    state.u0 = state.x1 - a * state.q0
    if order > 1:
        state.u1 = 2.0 * state.x2 - a * state.q1
        if order > 2:
            state.u2 = 3.0 * state.x3 - a * state.q2


@rates.kernel
def mark_relations(qss: Qss, i: Int, by_q: Int) -> None:
    """Marks the relations that depend on record i; safe ones (`safe_time`) only if q has changed."""
    readers = qss.relation_readers
    for place in range(readers.starts[i], readers.starts[i + 1]):
        number = readers.items[place]
        relation = qss.relations[number]
        if relation.is_marked == 0 and (by_q == 1 or relation.is_safe == 0):
            relation.is_marked = 1
            qss.marked_relations[qss.marked_count] = number
            qss.marked_count += 1


@rates.kernel
def mark_delay_item(qss: Qss, number: Int) -> None:
    if qss.delay_items[number].is_marked == 0:
        qss.delay_items[number].is_marked = 1
        qss.marked_delay_items[qss.marked_delay_count] = number
        qss.marked_delay_count += 1


@rates.kernel
def mark_delay_readers(qss: Qss, i: Int) -> None:
    """Marks the delayed signals and values that depend on record i."""
    readers = qss.delay_readers
    for place in range(readers.starts[i], readers.starts[i + 1]):
        mark_delay_item(qss, readers.items[place])


@rates.kernel
def is_nearly_constant(qss: Qss, row: QssRow, away: Float) -> Int:
    """Whether all records of a row change by a few quanta at most within a time."""
    table = qss.table[row.first :]
    for place in range(row.count):
        state = qss.states[table[place]]
        if (abs(state.q1) + away * abs(state.q2)) * away > ROWS.nearly_constant * state.quantum:
            return 0
    return 1


@rates.kernel
def time_to_check(qss: Qss, j: Int, away: Float, t: Float, passed: Float, is_own: Int) -> Float:
    """Time until the next step or check of a nonlinear row, whichever is first. A check comes before the step
    where the step is much farther away than the polynomial was used before: its derivatives may vanish
    here and not a little later. `refresh_interval` is negative while a check is scheduled."""
    state = qss.states[j]
    span = qss.stop - qss.start
    check = max(ROWS.growing * abs(state.refresh_interval), ROWS.trust * passed)
    check = min(max(check, ROWS.shortest_check * span), ROWS.longest_check * span)
    if is_own == 2:  # another formula may hold from now on
        check = max(ROWS.afresh * check, ROWS.first_check * span)
    state.refresh_interval = check
    if away <= check or is_nearly_constant(qss, qss.rows[j], min(away, qss.horizon - t)) == 1:
        return away
    state.refresh_interval = -check
    qss.step_times[j] = t + away
    return check


@rates.kernel
def update_rate(qss: Qss, j: Int, t: Float, is_own: Int) -> None:
    """`is_own`: 1 after a step of state j, 2 after an event, 0 after a step of another state."""
    state = qss.states[j]
    passed = t - state.tx
    advance_x(state, t)
    advance_q(state, t)
    is_implicit = qss.is_implicit
    # The secant of the rate over the step of q needs no evaluation, and on a nonlinear row it is nearer to
    # what the next step will see than the slope at one point.
    moved = state.q0 - qss.q_before
    by_secant = (
        1
        if qss.method == LIQSS and is_own == 1 and abs(moved) > ROWS.distinct * state.quantum
        else 0
    )
    evaluate_rate(qss, j, t, is_implicit if is_own > 0 and by_secant == 0 else 0)
    if by_secant == 1:
        state.a = min(0.0, (state.x1 - qss.rate_before) / moved)
    if is_implicit == 1:
        split_rate(state, qss.order)
    away = time_to_step(qss, j, 1 if is_own == 1 else 0, qss.horizon - t)
    variation = qss.rows[j].variation
    if variation == NONLINEAR:
        if away > abs(state.refresh_interval) or is_own == 2:
            away = time_to_check(qss, j, away, t, passed, is_own)
        elif state.refresh_interval < 0.0:
            state.refresh_interval = -state.refresh_interval
    elif variation != 0:
        if is_own == 2:  # another formula may hold from now on
            state.refresh_interval = ROWS.first_check * (qss.stop - qss.start)
        set_time(qss.heap, qss.n + qss.relation_count + j, t + state.refresh_interval)
    set_time(qss.heap, j, t + away)
    if qss.relation_count > 0:
        mark_relations(qss, j, 1 if is_own > 0 else 0)
    if qss.signal_count > 0:
        mark_delay_readers(qss, j)


@rates.kernel
def update_readers(qss: Qss, i: Int, t: Float, is_own: Int) -> None:
    """Updates all derivatives that depend on q of record i, without its own where `is_own` is 1."""
    readers = qss.readers
    for place in range(readers.starts[i], readers.starts[i + 1]):
        j = readers.items[place]
        if j != i or is_own == 0:
            update_rate(qss, j, t, 0)


@rates.kernel
def evaluate_at_event(qss: Qss, number: Int, t: Float) -> None:
    """Value and derivatives of a row at an event or for its prediction, into `out`. It sees x, but q of stiff
    states in linearly implicit methods: a fast current that has decayed leaves a quantum in x, which a large
    resistance would make a voltage."""
    row = qss.rows[number]
    table = qss.table[row.first :]
    for place in range(row.count):
        i = table[place]
        state = qss.states[i]
        seen = qss.event_view[i]
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
    status = row.evaluate(qss.memory, table, qss.event_view, t, qss.out)
    if status != 0 or not abs(qss.out[0]) <= LARGEST:
        fail(qss, number, ROW_FAILED)
