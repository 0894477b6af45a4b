"""Quantized states from event to event: rows on the output grid, plain events, then on.

    code = drive_quantized(loop, qss)

`loop` is the record of the classic loop, so that events are settled by the same kernels. Rows come
from the continuous polynomials. Where an event is not plain everything is put back and the code EVENT or
REACHED leaves it to Python.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.delays.breaks import hold_past, mark_past, put_past_back
from freewheel.runtime.events.ambiguity_kernels import has_rivals
from freewheel.runtime.events.branch_following import WATCHED, branches, solve_loops
from freewheel.runtime.events.instant import instants, settle_here, skip_grid, tell_causes
from freewheel.runtime.events.status_cycles import copy
from freewheel.runtime.events.time_events import move_samples, set_limit
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.loop.outcomes import (
    BREATH,
    EVENT,
    LAG_WRONG,
    LOG_FULL,
    REACHED,
    ROWS_FULL,
    SPOKE,
)
from freewheel.runtime.loop.rows import evaluate, grid_point, store_row
from freewheel.runtime.qss.begin import beginning, resume
from freewheel.runtime.qss.memory import Qss, QssRelation
from freewheel.runtime.qss.scheduler import INNERMOST, SHRUNK, advance, point_at

quantized_driver = KernelModule(
    "quantized_driver",
    branches,
    instants,
    beginning,
    exports=("drive_quantized", "begin", "resume", "bend_input"),
    inline=(
        *INNERMOST,
        *("rate_of", "renew", "renew_readers", "quantum_of", "step_state", "show_states"),
    ),
)

PATIENCE = 1  # crossings at once
LEAST = 1e-300  # a slope that says no more than its sign


@quantized_driver.kernel
def show_states(qss: Qss, t: Float, row: Floats) -> None:
    """What a row tells of states is the continuous polynomial, also where all else sees q. Rows lie far
    apart and records are long: what is not needed is not read."""
    columns = qss.columns
    is_cubic = 1 if qss.order > 2 else 0
    for i in range(qss.n):
        if columns[i] >= 0:
            state = qss.states[i]
            e = t - state.tx
            bend = state.x2
            if is_cubic == 1:
                bend += e * state.x3
            row[columns[i]] = state.x0 + e * (state.x1 + e * bend)


@quantized_driver.kernel
def heard(loop: Loop) -> Int:
    """SPOKE: the model has said something since its flag was cleared, or would not tell."""
    if loop.message_watch == 1:
        return SPOKE
    return SPOKE if loop.message_watch > 1 and loop.memory[loop.message_slot] != 0.0 else 0


@quantized_driver.kernel
def stops_at_once(loop: Loop) -> Int:
    """Before anything happens that could not be repeated."""
    if loop.row_count + 3 > loop.max_rows:
        return ROWS_FULL
    return BREATH if loop.t >= loop.pause_at else 0


@quantized_driver.kernel
def store_point(loop: Loop, qss: Qss, t: Float) -> Int:
    """A row of the output grid; what the model says there is heard."""
    row = loop.rows[loop.row_count * loop.row_width :]
    if qss.only_states == 1:
        row[0] = t
        show_states(qss, t, row)
        loop.row_count += 1
        loop.grid_points += 1
        return 0
    x = loop.trial
    point_at(qss, t, x)
    if loop.message_watch > 0:
        loop.memory[loop.message_slot] = 0.0
    code = evaluate(loop, t, x)
    if code != 0:
        return code
    store_row(loop)
    show_states(qss, t, row)
    loop.grid_points += 1
    return heard(loop)


@quantized_driver.kernel
def mark_crossing(loop: Loop, qss: Qss) -> None:
    """What crossed, as the classic loop tells it."""
    which = loop.which
    there = loop.residuals_crossing
    before = loop.residuals_left
    rises = loop.rises
    bands = loop.bands
    for i in range(loop.relation_count):
        which[i] = 0
        bands[i] = qss.relations[i].band
    number = qss.subject
    which[number] = 1
    there[number] = qss.out[0]
    before[number] = qss.out[0]
    # Others may come to rest on zero, whichever way they went.
    if qss.relations[number].is_straight == 1:
        rises[number] = LEAST if qss.out[1] > 0.0 else (-LEAST if qss.out[1] < 0.0 else 0.0)
    loop.crossing_time = qss.t
    loop.crossed = 1
    loop.is_counted = 0


@quantized_driver.kernel
def is_suspicious(relation: QssRelation, loop: Loop) -> Int:
    """Crossings at once are for `events/chattering.py` to judge, impacts that come ever faster for
    `events/sliding/zeno.py`, both where the states are no longer quantized."""
    if relation.quick > PATIENCE:
        return 1
    return 1 if loop.reinits > 0 and relation.shrinks >= SHRUNK else 0


@quantized_driver.kernel
def plain_event(loop: Loop, qss: Qss) -> Int:
    """An event at (T, Y) by kernels alone: 0. Else why not, and nothing has changed."""
    m = loop.memory
    n = loop.n
    to_python = EVENT if loop.crossed == 1 else REACHED
    if (
        loop.events_are_plain == 0
        or loop.t == loop.input_break
        or loop.state_events + loop.crossed > loop.max_events
        or qss.past_full > 0
        or hold_past(loop) == 1
    ):
        return to_python  # who also makes room for what is remembered
    held_rows = loop.row_count
    held_log = loop.log_count
    tell_causes(loop)
    copy(loop.memory_size, m, loop.saved)
    is_settled = settle_here(loop)
    if is_settled == 1 and loop.crossed == 1 and has_rivals(loop) == 1:
        is_settled = 0  # for `events/ambiguity_kernels.py` to go through again
    if is_settled == 0 or loop.log_lacks == 1:
        copy(loop.memory_size, loop.saved, m)
        put_past_back(loop)
        loop.row_count = held_rows
        loop.log_count = held_log
        return LOG_FULL if loop.log_lacks == 1 else to_python
    loop.state_events += loop.crossed
    loop.all_events += 1
    copy(n, loop.trial, loop.y)
    if loop.record_events == 1:
        show_states(qss, loop.t, loop.rows[held_rows * loop.row_width :])
    move_samples(loop, loop.t)
    skip_grid(loop)
    set_limit(loop)
    if mark_past(loop) == 1:
        return LAG_WRONG
    solve_loops(loop, WATCHED)
    code = resume(qss, loop.y, loop.t)
    show_states(qss, loop.t, loop.rows[(loop.row_count - 1) * loop.row_width :])
    return code


@quantized_driver.kernel
def drive_quantized(loop: Loop, qss: Qss) -> Int:
    y = loop.y
    while True:
        code = stops_at_once(loop)
        if code != 0:
            point_at(qss, loop.t, y)
            return code
        grid = grid_point(loop, loop.grid_points)
        qss.limit = min(loop.limit, grid)
        loop.crossed = 0
        code = advance(qss)
        loop.t = qss.t
        is_event = 0
        if code == EVENT:
            mark_crossing(loop, qss)
            is_event = 1
        elif code != REACHED:
            point_at(qss, loop.t, y)
            return code
        elif loop.t >= loop.limit and loop.end_is_event == 1:
            is_event = 1
        if is_event == 1:
            point_at(qss, loop.t, y)
            if loop.crossed == 1 and is_suspicious(qss.relations[qss.subject], loop) == 1:
                return EVENT
            code = plain_event(loop, qss)
            if code != 0:
                return code
            if loop.t >= loop.stop:
                return REACHED
            continue
        if grid <= loop.t:
            code = store_point(loop, qss, grid)
            if code != 0:
                point_at(qss, loop.t, y)
                return code
        if loop.t >= loop.limit:
            point_at(qss, loop.t, y)
            return REACHED
