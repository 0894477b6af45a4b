"""The time loop of quantized states: output points, and events that need no Python.

    code = drive_quantized(loop, qss)

`loop` is the record of the classic loop: events are settled by the same kernels. Output points come from the
continuous polynomials; with an implicit core, from the core itself at the values of the states. An event that
needs Python is undone before the code EVENT or REACHED.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.delays.past import hold_past, mark_past, put_past_back
from freewheel.runtime.events.ambiguity import is_ambiguous
from freewheel.runtime.events.branch_following import WATCHED, branches, solve_loops
from freewheel.runtime.events.chattering import count_switches
from freewheel.runtime.events.instant import (
    instant,
    instants,
    log_causes,
    settle_here,
    skip_grid,
)
from freewheel.runtime.events.iteration_kernels import copy
from freewheel.runtime.events.location import mark_changed, residuals_here
from freewheel.runtime.events.log import has_room
from freewheel.runtime.events.time_events import move_samples, set_limit
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.loop.outcomes import (
    EVENT,
    LAG_WRONG,
    LOG_FULL,
    NEEDS_ROOM,
    PAUSED,
    REACHED,
    ROWS_FULL,
    SECTION_FAILED,
    SPOKE,
)
from freewheel.runtime.loop.rows import evaluate, grid_point, store_row
from freewheel.runtime.qss.memory import Qss, QssRelation
from freewheel.runtime.qss.quantizers import state_at
from freewheel.runtime.qss.restart import resume, starting
from freewheel.runtime.qss.scheduler import INNERMOST, advance
from freewheel.runtime.qss.switched.rates import X_VALUES, try_point
from freewheel.runtime.qss.switched.steps import begin_group
from freewheel.runtime.qss.thresholds import CROSSINGS

quantized_driver = KernelModule(
    "quantized_driver",
    branches,
    instants,
    starting,
    exports=("drive_quantized", "begin", "resume", "change_input"),
    inline=(
        *INNERMOST,
        *("evaluate_rate", "update_rate", "update_readers", "quantum_of", "step_state"),
        "store_states",
    ),
)


# ---------------------------------------------------------------- output


@quantized_driver.kernel
def states_at(loop: Loop, qss: Qss, t: Float, y: Floats) -> Int:
    """All states at a time, as relations and events see them, into y; with an implicit core also into
    memory."""
    if qss.has_core == 1:
        group = qss.group
        code = try_point(qss, t, X_VALUES, t)
        for i in range(qss.n):
            y[i] = loop.memory[group.states_slot + i]
        return code
    for i in range(qss.n):
        y[i] = state_at(qss, i, t)
    return 0


@quantized_driver.kernel
def store_states(qss: Qss, t: Float, row: Floats) -> None:
    """The continuous polynomials into an output point, also where events see q."""
    columns = qss.columns
    is_cubic = 1 if qss.order > 2 or qss.has_core == 1 else 0
    for i in range(qss.n):
        if columns[i] >= 0 and (qss.has_core == 0 or qss.group.free_index[i] >= 0):
            state = qss.states[i]
            e = t - state.tx
            bend = state.x2
            if is_cubic == 1:
                bend += e * state.x3
            row[columns[i]] = state.x0 + e * (state.x1 + e * bend)


@quantized_driver.kernel
def message_outcome(loop: Loop) -> Int:
    """SPOKE: the model has given a message, or may have."""
    if loop.message_watch == 1:
        return SPOKE
    return SPOKE if loop.message_watch > 1 and loop.memory[loop.message_slot] != 0.0 else 0


@quantized_driver.kernel
def store_point(loop: Loop, qss: Qss, t: Float) -> Int:
    """A point of the output grid."""
    row = loop.rows[loop.row_count * loop.row_width :]
    if qss.only_states == 1:
        row[0] = t
        store_states(qss, t, row)
        loop.row_count += 1
        loop.grid_points += 1
        return 0
    if loop.message_watch > 0:
        loop.memory[loop.message_slot] = 0.0
    y = loop.y if qss.has_core == 1 else loop.trial
    code = states_at(loop, qss, t, y)
    if qss.has_core == 0:
        code = evaluate(loop, t, y)
    elif code == 0:
        code = SECTION_FAILED if loop.outputs(loop.memory) != 0 else 0
        qss.group.reach(loop.memory)
    if code != 0:
        return code
    store_row(loop)
    store_states(qss, t, row)
    loop.grid_points += 1
    return message_outcome(loop)


# ---------------------------------------------------------------- events


@quantized_driver.kernel
def mark_crossing(loop: Loop, qss: Qss) -> None:
    """The relation that crosses, as the classic loop notes it."""
    relation = qss.relations[qss.event_item]
    number = relation.number
    value = qss.out[0]
    for i in range(loop.relation_count):
        loop.which[i] = 0
    if qss.has_core == 1:
        value = loop.memory[relation.value_slot]
        if qss.event_item < qss.group.element_count:
            qss.group.core.step_cause = qss.event_item
            qss.group.core.cause_time = qss.t
            value = 0.0
    else:
        for i in range(loop.relation_count):
            loop.bands[i] = qss.relations[i].band
        loop.residuals_left[number] = value
        # Other relations may come to rest on zero, from either side.
        if relation.is_straight == 1:
            slope = qss.out[1]
            least = CROSSINGS.least_slope
            loop.rises[number] = least if slope > 0.0 else (-least if slope < 0.0 else 0.0)
        loop.is_counted = 0
    loop.residuals_crossing[number] = value
    loop.which[number] = 1
    loop.crossing_time = qss.t
    loop.crossed = 1


@quantized_driver.kernel
def needs_analysis(relation: QssRelation, loop: Loop) -> Int:
    """Rapid crossings are analysed in `events/chattering.py`, Zeno sequences of impacts in
    `events/sliding/zeno.py`; states are not quantized from there on."""
    if relation.rapid > CROSSINGS.most_rapid:
        return 1
    return 1 if loop.reinits > 0 and relation.shrinking >= CROSSINGS.most_shrinking else 0


@quantized_driver.kernel
def settle_event(loop: Loop, qss: Qss) -> Int:
    """An event at (loop.t, loop.y) without Python: 0. Else the reason, and nothing has changed."""
    m = loop.memory
    to_python = EVENT if loop.crossed == 1 else REACHED
    if has_room(loop) == 0:
        return LOG_FULL
    if loop.crossed == 1 and needs_analysis(qss.relations[qss.event_item], loop) == 1:
        return EVENT
    if (
        loop.events_are_plain == 0
        or loop.t == loop.input_break
        or loop.state_events + loop.crossed > loop.max_events
        or qss.history_full > 0
        or hold_past(loop) == 1
    ):
        return to_python  # which also makes room for delayed signals
    held_rows = loop.row_count
    held_log = loop.log_count
    log_causes(loop)
    copy(loop.memory_size, m, loop.saved)
    is_settled = settle_here(loop)
    if is_settled == 1 and loop.crossed == 1 and is_ambiguous(loop) == 1:
        is_settled = 0  # `events/ambiguity.py` repeats it
    if is_settled == 0 or loop.log_lacks == 1:
        copy(loop.memory_size, loop.saved, m)
        put_past_back(loop)
        loop.row_count = held_rows
        loop.log_count = held_log
        return LOG_FULL if loop.log_lacks == 1 else to_python
    loop.state_events += loop.crossed
    loop.all_events += 1
    copy(loop.n, loop.trial, loop.y)
    if loop.record_events == 1:
        store_states(qss, loop.t, loop.rows[held_rows * loop.row_width :])
    move_samples(loop, loop.t)
    skip_grid(loop)
    set_limit(loop)
    if mark_past(loop) == 1:
        return LAG_WRONG
    solve_loops(loop, WATCHED)
    code = resume(qss, loop.y, loop.t)
    store_states(qss, loop.t, loop.rows[(loop.row_count - 1) * loop.row_width :])
    if code == 0 and loop.t >= loop.stop:
        return REACHED
    return code


@quantized_driver.kernel
def crosses_in_time(loop: Loop) -> Int:
    """At the predicted zero of a relation that is linear in time, with the point in memory; 1: one
    crosses."""
    end = loop.residuals_end
    residuals_here(loop, end)
    if mark_changed(loop, end, loop.which) == 0:
        return 0
    copy(loop.relation_count, end, loop.residuals_crossing)
    loop.crossing_time = loop.t
    loop.crossed = 1
    return 1


@quantized_driver.kernel
def settle_core_event(loop: Loop, qss: Qss) -> Int:
    """The event whose phase is 2, as with the core's own method, then the begin of the next mode."""
    group = qss.group
    if loop.phase == 2:
        code = instant(loop)
        solve_loops(loop, WATCHED)
        if code < NEEDS_ROOM:
            loop.phase = 0
        if code != 0:
            return code
        group.is_pending = 1
    if group.is_pending == 1:
        group.is_pending = 0
        return REACHED if loop.t >= loop.stop else begin_group(qss, loop.t)
    return 0


# ---------------------------------------------------------------- the loop


@quantized_driver.kernel
def leave(loop: Loop, qss: Qss, code: Int) -> Int:
    """The outcome; y holds the states at the present time."""
    if qss.has_core == 0:
        states_at(loop, qss, loop.t, loop.y)
    return code


@quantized_driver.kernel
def find_event(loop: Loop, qss: Qss, code: Int) -> Int:
    """1: the point where `advance` has ended is an event; 0: it is none, -1: it has no values."""
    is_end = 1 if loop.t >= loop.limit else 0
    if code != EVENT and is_end == 0:
        return 0
    is_event = 1 if code == EVENT or loop.end_is_event == 1 else 0
    if qss.has_core == 0:
        if code == EVENT:
            mark_crossing(loop, qss)
        if is_event == 1:
            states_at(loop, qss, loop.t, loop.y)
        return is_event
    if states_at(loop, qss, loop.t, loop.y) != 0:
        return -1
    if code == EVENT:
        residuals_here(loop, loop.residuals_end)
        mark_crossing(loop, qss)
    elif loop.t == loop.predicted or loop.t >= loop.stop:
        is_event = max(is_event, crosses_in_time(loop))
    return is_event


@quantized_driver.kernel
def drive_quantized(loop: Loop, qss: Qss) -> Int:
    while True:
        if qss.has_core == 1:
            code = settle_core_event(loop, qss)
            if code != 0:
                return code
        if loop.row_count + 3 > loop.max_rows:
            return leave(loop, qss, ROWS_FULL)
        if loop.t >= loop.pause_at:
            return leave(loop, qss, PAUSED)
        grid = grid_point(loop, loop.grid_points)
        qss.limit = min(loop.limit, grid)
        loop.crossed = 0
        code = advance(qss)
        loop.t = qss.t
        if code != EVENT and code != REACHED:
            return leave(loop, qss, code)
        is_event = find_event(loop, qss, code)
        if is_event < 0:
            return SECTION_FAILED
        if is_event == 1 and qss.has_core == 1:
            loop.is_counted = count_switches(loop)
            if loop.is_counted == 0 or loop.events_are_plain == 0:
                return EVENT if loop.crossed == 1 else REACHED
            loop.phase = 2
            continue
        if is_event == 1:
            code = settle_event(loop, qss)
            if code != 0:
                return code
            continue
        if grid <= loop.t:
            code = store_point(loop, qss, grid)
            if code != 0:
                return leave(loop, qss, code)
        if loop.t >= loop.limit:
            return leave(loop, qss, REACHED)
