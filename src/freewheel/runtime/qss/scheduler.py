"""The scheduler of quantized states: the item with the next event time is processed.

    code = advance(qss)        # up to qss.limit: REACHED, EVENT, PAUSED, ...

Items of the heap are states, then relations, then time-varying rows, then delayed signals and values. After
the step of a state, the derivatives that depend on it are updated: rows one by one, or those of an implicit
core together (`qss/switched`). A crossing that only rows and few discrete variables depend on is handled
here; any other one is an EVENT for the caller.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.loop.outcomes import (
    EVENT,
    HISTORY_FULL,
    PAUSED,
    REACHED,
    STALLED,
    TOO_MANY,
)
from freewheel.runtime.qss.correction import correct_rows, correct_state, corrections, evaluate_row
from freewheel.runtime.qss.couplings import quantize_with_partner
from freewheel.runtime.qss.crossings import (
    evaluate_residual,
    is_identically_zero,
    predict_crossing,
    predict_marked,
    widen_hysteresis,
)
from freewheel.runtime.qss.delayed_signals import (
    delayed_signals,
    update_delay_item,
    update_marked_delays,
)
from freewheel.runtime.qss.handlers import change_discrete, handling, run_handlers
from freewheel.runtime.qss.heap import set_time
from freewheel.runtime.qss.memory import GLOBAL, LOCAL, ROWS_ONLY, Qss, QssRelation, QuantizedState
from freewheel.runtime.qss.methods import MLIQSS
from freewheel.runtime.qss.next_times import step_factor, time_to_step
from freewheel.runtime.qss.quantizers import advance_q, advance_x, q_at, quantize
from freewheel.runtime.qss.rates import quantum_of, time_to_check, update_rate, update_readers
from freewheel.runtime.qss.switched.crossings import locate_crossing, predict_margins
from freewheel.runtime.qss.switched.recording import exceeds_memory, record_signals, recordings
from freewheel.runtime.qss.switched.steps import (
    core_steps,
    quantize_with_partner_in_group,
    refresh_group,
    update_group,
)
from freewheel.runtime.qss.thresholds import CROSSINGS, ROWS
from freewheel.runtime.thresholds import CHATTER, EPSILON, TINIEST

stepping = KernelModule(
    "qss_stepping", handling, delayed_signals, corrections, core_steps, recordings
)

INNERMOST = (  # kernels that are inlined
    *("advance_x", "advance_q", "first_exit", "meets_2", "quantize_2", "step_2", "step_explicit"),
    *("time_to_step", "quantize", "split_rate", "set_time", "check_limits", "check_outcome"),
    *(
        "q_at",
        "x_at",
        "state_at",
        "copy",
        "update_after_step",
        "linear_rate",
        "schedule_step",
        "combine",
    ),
)


@stepping.kernel
def update_after_step(qss: Qss, i: Int, t: Float) -> None:
    """Row i and all rows that depend on state i."""
    update_rate(qss, i, t, 1)
    update_readers(qss, i, t, 1)


@stepping.kernel
def step_together(qss: Qss, i: Int, t: Float) -> None:
    """State i with a partner (mLIQSS), or in the group of an implicit core."""
    state = qss.states[i]
    advance_q(state, t)
    q = state.q0
    slope = state.q1
    quantize(qss, i, t, qss.horizon)
    other = -1
    if qss.method == MLIQSS and qss.has_core == 1:
        other = quantize_with_partner_in_group(qss, i, t, q, slope)
    elif qss.method == MLIQSS:
        other = quantize_with_partner(qss, i, t, qss.horizon, q, slope)
    if qss.has_core == 0:
        update_after_step(qss, i, t)
    if other >= 0:
        qss.pair_steps += 1
        qss.states[other].quantum = quantum_of(qss, other, qss.states[other].x0)
    if qss.has_core == 1:
        update_group(qss, i, other, t)
    elif other >= 0:
        update_after_step(qss, other, t)


@stepping.kernel
def step_state(qss: Qss, i: Int, t: Float) -> None:
    state = qss.states[i]
    if qss.corrected_rows > 0:
        correct_rows(qss, i, t)
    advance_x(state, t)
    state.quantum = quantum_of(qss, i, state.x0)
    qss.q_before = q_at(state, t)
    qss.rate_before = state.x1
    if qss.method == MLIQSS or qss.has_core == 1:
        step_together(qss, i, t)
    else:
        quantize(qss, i, t, qss.horizon)
        update_after_step(qss, i, t)


# ---------------------------------------------------------------- crossings


@stepping.kernel
def next_representable(t: Float) -> Float:
    return t + max(0.6 * EPSILON * abs(t), TINIEST)  # rounds to one unit in the last place


@stepping.kernel
def has_left_status(relation: QssRelation, status: Float, out: Floats) -> Int:
    if status == 0.0:
        return 1 if abs(out[0]) > relation.band else 0
    if relation.band == 0.0 and is_identically_zero(out) == 1:
        return 1
    beyond = -out[0] if status > 0.0 else out[0]
    return 1 if beyond > relation.band else 0


@stepping.kernel
def note_interval(qss: Qss, relation: QssRelation, t: Float) -> None:
    """Counts rapid crossings, and intervals that become shorter and shorter."""
    interval = t - relation.last
    is_rapid = 1 if interval < CROSSINGS.rapid * (qss.stop - qss.start) else 0
    if (
        is_rapid == 1 and relation.scope == ROWS_ONLY
    ):  # others are checked for chattering and sliding
        widen_hysteresis(relation)
    else:
        relation.hysteresis = 1.0
    relation.rapid = relation.rapid + 1 if is_rapid == 1 else 0
    if is_rapid == 0:
        is_shorter = 1 if interval < CHATTER.shrinking * relation.interval else 0
        relation.shrinking = relation.shrinking + 1 if is_shorter == 1 else 0
        relation.interval = interval
    relation.last = t


@stepping.kernel
def handle_crossing(qss: Qss, number: Int, t: Float) -> Int:
    """Whether a predicted crossing is one: EVENT; 0 where it is none or has been handled."""
    m = qss.memory
    evaluate_residual(qss, number, t)
    relation = qss.relations[number]
    slot = relation.status_slot
    value = qss.out[0]
    has_left = has_left_status(relation, m[slot], qss.out)
    if relation.is_straight == 1 and value == 0.0 and qss.out[1] != 0.0:
        value = qss.out[1]  # the next side
        has_left = 1
    if has_left == 0 and relation.is_straight == 1:
        set_time(qss.heap, qss.n + number, next_representable(t))
        return 0
    if has_left == 0:
        is_moving = 1 if qss.out[1] != 0.0 or qss.out[2] != 0.0 else 0
        if abs(value) <= 2.0 * relation.delta and is_moving == 1:
            widen_hysteresis(relation)
        predict_crossing(qss, number, t)
        return 0
    note_interval(qss, relation, t)
    is_irregular = 1 if relation.rapid > 0 or relation.shrinking >= CROSSINGS.most_shrinking else 0
    if relation.scope == GLOBAL or (relation.scope == LOCAL and is_irregular == 1):
        qss.event_item = number
        return EVENT
    qss.local_events += 1
    m[slot] = 1.0 if value > 0.0 else (-1.0 if value < 0.0 else 0.0)
    change_discrete(qss, relation.status_discrete, m[slot], t)
    if relation.scope == LOCAL and run_handlers(qss, number, t) == EVENT:
        return EVENT
    predict_crossing(qss, number, t)
    return 0


@stepping.kernel
def handle_core_crossing(qss: Qss, number: Int, low: Float, t: Float) -> Int:
    """The same with an implicit core. Nothing has changed since `low`."""
    code = locate_crossing(qss, number, low, t)
    recorded = record_signals(qss, qss.t if code == EVENT else t)
    if recorded != 0:
        qss.t = low
        return recorded
    if code == 0:
        refresh_group(qss, t, 0)
        if qss.group.is_forced == 0:
            predict_margins(qss, t)
    return code


# ---------------------------------------------------------------- rows that are evaluated again in time


@stepping.kernel
def next_refresh(qss: Qss, state: QuantizedState, passed: Float, off: Float) -> Float:
    """The next interval, if the rate had the error `off` after the last one."""
    order = float(qss.order) + 1.0
    change = step_factor(ROWS.soft * state.quantum, off * passed / order, order)
    span = qss.stop - qss.start
    return min(max(passed * change, ROWS.shortest_check * span), ROWS.longest_check * span)


@stepping.kernel
def refresh_row(qss: Qss, j: Int, t: Float, passed: Float) -> None:
    """Updates a row; its error determines the next interval."""
    state = qss.states[j]
    since = t - state.tx
    advance_x(state, t)
    expected = state.x1
    x2 = state.x2
    x3 = state.x3
    qss.refreshes += 1
    update_rate(qss, j, t, 0)
    state.refresh_interval = next_refresh(qss, state, passed, abs(state.x1 - expected))
    if correct_state(qss, j, t, min(since, passed), expected, x2, x3) == 1:
        set_time(qss.heap, j, t + time_to_step(qss, j, 0, qss.horizon - t))


@stepping.kernel
def refresh_time_varying_row(qss: Qss, j: Int, t: Float) -> None:
    if qss.has_core == 1:
        refresh_group(qss, t, 1)
        return
    refresh_row(qss, j, t, qss.states[j].refresh_interval)
    set_time(qss.heap, qss.n + qss.relation_count + j, t + qss.states[j].refresh_interval)


@stepping.kernel
def check_nonlinear_row(qss: Qss, j: Int, t: Float) -> None:
    """Before the step of its state. If the row agrees with its polynomial, nothing is updated."""
    state = qss.states[j]
    passed = t - state.tx
    status = evaluate_row(qss, qss.rows[j], t)
    off = abs(qss.out[0] - state.x1 - passed * (2.0 * state.x2 + 3.0 * passed * state.x3))
    if status == 0 and off * passed <= ROWS.soft * (float(qss.order) + 1.0) * state.quantum:
        qss.refreshes += 1
        check = next_refresh(qss, state, passed, off)
        due = qss.step_times[j]
        state.refresh_interval = check if due <= t + check else -check
        set_time(qss.heap, j, min(due, t + check))
        return
    refresh_row(qss, j, t, passed)
    away = time_to_step(qss, j, 0, qss.horizon - t)
    if away > state.refresh_interval:
        away = time_to_check(qss, j, away, t, 0.0, 0)
    set_time(qss.heap, j, t + away)


# ---------------------------------------------------------------- the loop


@stepping.kernel
def check_limits(qss: Qss, t: Float) -> Int:
    """0: the item at `t` may be processed."""
    if t > qss.limit:
        qss.t = qss.limit
        return REACHED
    if qss.budget <= 0 or qss.stop_request != 0:
        qss.budget = 0
        return PAUSED
    qss.budget -= 1
    return 0


@stepping.kernel
def check_outcome(qss: Qss, item: Int, t: Float, code: Int) -> Int:
    """The outcome after an item; 0: the loop continues."""
    if qss.failure != 0:
        code = qss.failure
    if code == 0:
        qss.stalled = 0 if t > qss.last_t else qss.stalled + 1
        qss.last_t = max(t, qss.last_t)
        if qss.stalled > CROSSINGS.most_at_once * (qss.n + 10):
            code = STALLED
        if qss.steps >= qss.max_steps:
            code = TOO_MANY
        if code == 0 and qss.history_full > 0:
            code = HISTORY_FULL
    if code != 0 and code != EVENT:
        qss.event_item = item
    return code


@stepping.kernel
def record_before(qss: Qss, item: Int, t: Float) -> Int:
    """Delayed signals of an implicit core, before a step changes them."""
    is_relation = 1 if item >= qss.n and item < qss.n + qss.relation_count else 0
    if t > qss.limit or is_relation == 0 or exceeds_memory(qss, t) == 1:
        return record_signals(qss, min(t, qss.limit))
    return 0


@stepping.kernel
def advance(qss: Qss) -> Int:
    n = qss.n
    with_relations = n + qss.relation_count
    first_delay_item = qss.first_delay_item
    heap = qss.heap
    while True:
        t = heap.times[0]
        item = heap.items[0]
        code = record_before(qss, item, t) if qss.has_core == 1 else 0
        if code == 0:
            code = check_limits(qss, t)
        if code != 0:
            return code
        low = qss.t
        qss.t = t
        if item < n:
            if qss.states[item].refresh_interval < 0.0:
                check_nonlinear_row(qss, item, t)
            else:
                qss.steps += 1
                step_state(qss, item, t)
        elif item < with_relations:
            if qss.has_core == 1:
                code = handle_core_crossing(qss, item - n, low, t)
            else:
                code = handle_crossing(qss, item - n, t)
        elif item < first_delay_item:
            refresh_time_varying_row(qss, item - with_relations, t)
        else:
            update_delay_item(qss, item - first_delay_item, t)
        if code == 0 and qss.marked_delay_count > 0:
            update_marked_delays(qss, t)
        if code == 0 and qss.marked_count > 0:
            predict_marked(qss, t)
        code = check_outcome(qss, item, t, code)
        if code != 0:
            return code
