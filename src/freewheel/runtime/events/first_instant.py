"""The start of a run without Python, once parameters and the initial system are done: event, row, restart.

    first_instant(loop)     # 1: fine; 2: with an event of its own, samples; 0: not plain
    begin_steps(loop)       # 1: fine; 0: Python reports why not

What Python does at the start of a run that is not plain (`runtime/simulate.py`), in the same order with the
same kernels. Where something fails, nothing agrees or the model says something, all is put back as it was
before and Python begins anew.
"""

from __future__ import annotations

from math import inf

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Int
from freewheel.runtime.events.instant import (
    drop_forgiven,
    instants,
    log_crossings,
    measure_residuals,
)
from freewheel.runtime.events.iteration_kernels import begin_event, copy, settle, store_pre
from freewheel.runtime.events.log import begin_record
from freewheel.runtime.events.time_events import clear_due, foretell_anew, mark_due, move_samples
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.loop.point import is_finite, place
from freewheel.runtime.loop.rows import restart, store_row

starting = KernelModule("starting", instants)


@starting.kernel
def predict(loop: Loop, t: Float) -> None:
    """The next exact zero of a residual of time alone, from (T, Y); the memory is left as it was."""
    loop.predicted = inf
    has_some = 0
    for i in range(loop.relation_count):
        has_some += loop.time_only[i]
    if has_some == 0 or t >= loop.stop:
        return
    copy(loop.memory_size, loop.memory, loop.after)
    foretell_anew(loop, t, loop.y)
    copy(loop.memory_size, loop.after, loop.memory)


@starting.kernel
def log_start(loop: Loop) -> None:
    """A record of its own kind in the event log."""
    begin_record(loop, loop.start)
    if loop.log_lacks == 0:
        loop.log[loop.log_record + 1] = 1.0
        loop.log[loop.log_record + 3] = 1.0


@starting.kernel
def settle_first(loop: Loop) -> Int:
    """Discrete equations to a fixed point, states in Y: 1; 2: samples are due; 0: not a plain case."""
    t = loop.start
    predict(loop, t)
    loop.t = t
    loop.crossed = 0
    log_crossings(loop)
    is_due = 1 if mark_due(loop, t) > 0 else 0
    if loop.log_lacks == 1:
        return 0
    drop_forgiven(loop)
    copy(loop.n, loop.y, loop.trial)
    begin_event(loop, t)
    rounds = settle(loop, is_due)
    if rounds == 0:
        return 0
    if is_due == 0:
        loop.log_count = loop.log_record  # an event without a cause is none
    else:
        clear_due(loop)
        more = settle(loop, 0)
        if more == 0:
            return 0
        loop.log[loop.log_record + 1] = float(rounds + more)
    copy(loop.n, loop.memory[loop.states_slot :], loop.y)
    return 1 + is_due


@starting.kernel
def try_first(loop: Loop, has_events: Int) -> Int:
    m = loop.memory
    log_start(loop)
    if loop.log_lacks == 1:
        return 0
    store_pre(loop)
    copy(loop.n, m[loop.states_slot :], loop.y)
    if loop.message_watch > 0:
        m[loop.message_slot] = 0.0
    found = 1
    if has_events == 1:
        found = settle_first(loop)
    if found == 0:
        return 0
    place(loop, loop.start, loop.y)
    if loop.derivatives(m) != 0 or loop.outputs(m) != 0:
        return 0
    if loop.message_watch > 0 and m[loop.message_slot] != 0.0:
        return 0
    store_row(loop)
    move_samples(loop, loop.start)
    return found


@starting.kernel
def first_instant(loop: Loop, has_events: Int) -> Int:
    if loop.row_count >= loop.max_rows:
        return 0
    r = loop.relation_count
    mark = loop.log_count
    copy(loop.memory_size, loop.memory, loop.saved)
    copy(r, loop.bands, loop.kept_bands)
    copy(r, loop.forgiven, loop.kept_bands[r:])
    found = try_first(loop, has_events)
    if found == 0:
        copy(loop.memory_size, loop.saved, loop.memory)
        copy(r, loop.kept_bands, loop.bands)
        copy(r, loop.kept_bands[r:], loop.forgiven)
        loop.log_count = mark
    return found


@starting.kernel
def begin_steps(loop: Loop) -> Int:
    counted = loop.evaluations
    if restart(loop, loop.start) != 0:
        loop.evaluations = counted
        return 0
    if is_finite(loop.n, loop.y) == 0 or is_finite(loop.n, loop.f) == 0:
        loop.evaluations = counted
        return 0
    if loop.relation_count > 0:
        measure_residuals(loop)
        predict(loop, loop.start)
    return 1
