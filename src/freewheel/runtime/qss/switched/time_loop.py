"""Quantized states of a model with an implicit core, from event to event.

    code = drive_group(loop, group)

As `qss/time_loop.py`, with the loop of `qss/switched/scheduler.py`. Events are settled as the core's own
method settles them (`events/instant.py`): discrete equations, mode and jump together. Zeros of straight lines
of time are known beforehand, as in the classic loop. Rows hold what the core says at the states' values.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.events.branch_following import WATCHED, branches, solve_loops
from freewheel.runtime.events.chattering_kernels import count_switches
from freewheel.runtime.events.instant import instant, instants
from freewheel.runtime.events.location import mark_changed, residuals_here
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.loop.outcomes import (
    EVENT,
    HISTORY_FULL,
    IMPACTS_FULL,
    LOG_FULL,
    REACHED,
    ROWS_FULL,
    SECTION_FAILED,
)
from freewheel.runtime.loop.rows import grid_point, store_row
from freewheel.runtime.qss.quantizers import x_at
from freewheel.runtime.qss.scheduler import INNERMOST
from freewheel.runtime.qss.switched.memory import QssGroup
from freewheel.runtime.qss.switched.rates import BY_SIGHT, point_of_group
from freewheel.runtime.qss.switched.scheduler import (
    advance_group,
    begin_group,
    group_steps,
)
from freewheel.runtime.qss.time_loop import heard, quantized_driver, stops_at_once

group_driver = KernelModule(
    "qss_core_driver",
    branches,
    instants,
    group_steps,
    quantized_driver,
    exports=("drive_group", "begin_group"),
    inline=(*INNERMOST, "linear_rate", "schedule", "combine"),
)


@group_driver.kernel
def show_chosen(group: QssGroup, t: Float, row: Floats) -> None:
    """What a row tells of quantized states is the continuous polynomial, also where all else sees q."""
    qss = group.qss
    columns = qss.columns
    for a in range(group.state_count):
        i = group.chosen[a]
        if columns[i] >= 0:
            row[columns[i]] = x_at(qss.states[i], t)


@group_driver.kernel
def take_group(loop: Loop, group: QssGroup, t: Float) -> Int:
    """All unknowns at `t`, consistent, into memory and y of the loop."""
    m = loop.memory
    n = loop.n
    y = loop.y
    code = point_of_group(group, t, BY_SIGHT, t)
    for i in range(n):
        y[i] = m[group.states_slot + i]
    return code


@group_driver.kernel
def store_group(loop: Loop, group: QssGroup, t: Float) -> Int:
    """A row of the output grid; what the model says there is heard."""
    m = loop.memory
    row = loop.rows[loop.row_count * loop.row_width :]
    if loop.message_watch > 0:
        m[loop.message_slot] = 0.0
    code = take_group(loop, group, t)
    if code != 0:
        return code
    if loop.outputs(m) != 0:
        return SECTION_FAILED
    group.reach(m)
    store_row(loop)
    show_chosen(group, t, row)
    loop.grid_points += 1
    return heard(loop)


@group_driver.kernel
def mark_watcher(loop: Loop, group: QssGroup) -> None:
    """What crossed, as the classic loop tells it; the core is told which element it was."""
    qss = group.qss
    m = loop.memory
    core = group.core
    which = loop.which
    there = loop.residuals_crossing
    for i in range(loop.relation_count):
        which[i] = 0
    watcher = group.watchers[qss.subject]
    there[watcher.relation] = m[watcher.value_slot]
    if qss.subject < group.element_count:
        core.step_cause = qss.subject
        core.cause_time = qss.t
        there[watcher.relation] = 0.0
    which[watcher.relation] = 1
    loop.crossing_time = qss.t
    loop.crossed = 1


@group_driver.kernel
def crosses_in_time(loop: Loop) -> Int:
    """At the time foretold of a straight line; the memory is there. 1: something crosses."""
    end = loop.residuals_end
    out = loop.residuals_crossing
    residuals_here(loop, end)
    if mark_changed(loop, end, loop.which) == 0:
        return 0
    for i in range(loop.relation_count):
        out[i] = end[i]
    loop.crossing_time = loop.t
    loop.crossed = 1
    return 1


@group_driver.kernel
def drive_group(loop: Loop, group: QssGroup) -> Int:
    qss = group.qss
    while True:
        if loop.phase == 2:
            code = instant(loop)
            solve_loops(loop, WATCHED)
            has_room = code != ROWS_FULL and code != LOG_FULL and code != HISTORY_FULL
            if has_room and code != IMPACTS_FULL:
                loop.phase = 0
            if code != 0:
                return code
            group.is_pending = 1
        if group.is_pending == 1:
            group.is_pending = 0
            if loop.t >= loop.stop:
                return REACHED
            code = begin_group(group, loop.t)
            if code != 0:
                return code
        code = stops_at_once(loop)
        if code != 0:
            return code
        grid = grid_point(loop, loop.grid_points)
        qss.limit = min(loop.limit, grid)
        loop.crossed = 0
        code = advance_group(group)
        loop.t = qss.t
        if code != EVENT and code != REACHED:
            return code
        is_event = 1 if code == EVENT else 0
        if is_event == 1 or loop.t >= loop.limit:
            code = take_group(loop, group, loop.t)
            if code != 0:
                return code
        if is_event == 1:
            residuals_here(loop, loop.residuals_end)
            mark_watcher(loop, group)
        elif loop.t >= loop.limit:
            if loop.t == loop.predicted or loop.t >= loop.stop:
                is_event = crosses_in_time(loop)
            if loop.end_is_event == 1:
                is_event = 1
        if is_event == 1:
            loop.is_counted = count_switches(loop)
            if loop.is_counted == 0 or loop.events_are_plain == 0:
                return EVENT if loop.crossed == 1 else REACHED
            loop.phase = 2
            continue
        if grid <= loop.t:
            code = store_group(loop, group, grid)
            if code != 0:
                return code
        if loop.t >= loop.limit:
            return REACHED
