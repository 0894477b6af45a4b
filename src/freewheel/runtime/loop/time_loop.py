"""The time loop: steps, crossings, events, output rows. No Python inside.

    code = drive(discrete, derivatives, outputs, relations, jacobian, attempt, interpolate, ...)

Comes back with a code of `places` when the stop is reached, an event is not plain (`instant.py`), a
buffer is full, the budget of steps is used up, the model has said something or no step is possible.
Called again after the cause was dealt with, it goes on where it was.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Floats, Int
from freewheel.runtime.delays.past import past, reach
from freewheel.runtime.events.branch_following import LENIENT, STRICT, solve_loops
from freewheel.runtime.events.chattering import count_switches
from freewheel.runtime.events.detection import NEVER, crossing, first_crossing, hidden_corner
from freewheel.runtime.events.first_instant import starting
from freewheel.runtime.events.instant import bend, instant, instants
from freewheel.runtime.events.sliding.release import log_rest, on_surfaces
from freewheel.runtime.events.time_events import set_limit
from freewheel.runtime.integrators.first_steps import remember_size
from freewheel.runtime.integrators.step_control import make_dense, next_step, step, step_to
from freewheel.runtime.integrators.thresholds import STEPS, STIFFNESS
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.loop.outcomes import (
    BECAME_STIFF,
    EVENT,
    LOG_FULL,
    NEEDS_ROOM,
    PAUSED,
    REACHED,
    ROWS_FULL,
    SIZES_FULL,
    SPOKE,
    STEP_REDO,
    TOO_MANY,
)
from freewheel.runtime.loop.point import dense_value
from freewheel.runtime.loop.rows import evaluate, grid_point, store_row
from freewheel.runtime.thresholds import CHATTER
from freewheel.runtime.undetermined_kernels import open_loops

driver = KernelModule(
    "driver",
    crossing,
    instants,
    open_loops,
    past,
    starting,
    step,
    exports=(
        "drive",
        "instant",
        "bend",
        "restart",
        "first_instant",
        "has_open_loops",
        "begin_steps",
        "measure_residuals",
        "foretell_anew",
        "count_switches",
        "mark_ended",
        "drop_forgiven",
        "mark_due",
        "clear_due",
        "move_samples",
        "set_limit",
        "log_crossings",
        "nothing",
        "no_jacobian",
    ),
    quick_first=True,
    inline=(
        "accept", "drop_bands", "factor_after", "fitted", "forget_lost", "grid_point", "is_lost",
        "longest_now", "make_dense", "place", "reach", "remember_size", "repeats_steps",
        "residuals_here", "rhs", "sees_stiffness", "size_after", "solve_loops", "wanted",
    ),
)  # fmt: skip


@driver.kernel
def nothing(m: Floats) -> Int:
    """A section without equations."""
    return 0


@driver.kernel
def no_jacobian(m: Floats, values: Floats) -> Int:
    return 1


@driver.kernel
def store_grid(loop: Loop, including_end: Int) -> Int:
    """Rows at all regular points up to the end of the step."""
    x = loop.trial
    while True:
        t = grid_point(loop, loop.grid_points)
        if t > loop.t1 or (t == loop.t1 and including_end == 0):
            return 0
        if loop.row_count >= loop.max_rows:
            return ROWS_FULL
        make_dense(loop)
        dense_value(loop, t, x)
        code = evaluate(loop, t, x)
        if code != 0:
            return code
        store_row(loop)
        loop.grid_points += 1
        if t == loop.stop:
            return 0


@driver.kernel
def accept(loop: Loop) -> None:
    """Move to the end of the step."""
    n = loop.n
    y = loop.y
    f = loop.f
    y1 = loop.y1
    f1 = loop.f1
    lately = loop.lately
    loop.step_sizes[2 * loop.size_count] = loop.t
    loop.step_sizes[2 * loop.size_count + 1] = loop.t1 - loop.t
    loop.size_count += 1
    loop.steps += 1
    loop.t = loop.t1
    for i in range(n):
        y[i] = y1[i]
        f[i] = f1[i]
        lately[i] = max(abs(y1[i]), STEPS.forgetting * lately[i])
    loop.previous_error = max(loop.error, STEPS.least_error)
    loop.jacobian_is_fresh = 0
    remember_size(loop)


@driver.kernel
def drop_bands(loop: Loop) -> None:
    """What was noise has become a signal."""
    r = loop.relation_count
    bands = loop.bands
    now = loop.residuals_left
    for i in range(r):
        if bands[i] > 0.0 and abs(now[i]) > CHATTER.far_outside * bands[i]:
            bands[i] = 0.0


@driver.kernel
def sees_stiffness(loop: Loop) -> Int:
    if loop.detects_stiffness == 0:
        return 0
    if loop.stiffness > STIFFNESS.border:
        loop.stiff_steps += 1
        loop.calm_steps = 0
        return 1 if loop.stiff_steps >= STIFFNESS.steps else 0
    loop.calm_steps += 1
    if loop.calm_steps >= STIFFNESS.calm_steps:
        loop.stiff_steps = 0
    return 0


@driver.kernel
def propose(loop: Loop) -> Int:
    """A step, cut at the first crossing in it."""
    loop.crossed = 0
    solve_loops(loop, STRICT)
    code = next_step(loop, reach(loop))
    solve_loops(loop, LENIENT)
    if code != 0:
        return code
    loop.crossed = first_crossing(loop)
    if loop.crossed == 0 and loop.corner_count > 0 and repeats_steps(loop) == 1:
        code = end_at_corners(loop)
        if code != 0:
            return code
    if loop.crossed == 1 and loop.is_weak == 1:
        # Where the interpolant is weaker than the step, let the step end just beyond the event: near its end
        # the interpolant is as good, and a step that ends a rounding before the event leaves a tiny one.
        share = (loop.crossing_time - loop.t) / (loop.t1 - loop.t)
        if share > STEPS.edge and share < 1.0 - STEPS.edge:
            end = min(loop.t1, loop.crossing_time + STEPS.beyond * (loop.crossing_time - loop.t))
            solve_loops(loop, STRICT)
            code = step_to(loop, end)
            solve_loops(loop, LENIENT)
            if code != 0:
                return code
            loop.crossed = first_crossing(loop)
    if loop.crossed == 1 and loop.crossing_time < loop.t1:
        cut(loop)
    elif loop.core_event > 0:
        mark_corner(loop)
    return 0


@driver.kernel
def repeats_steps(loop: Loop) -> Int:
    """Of fixed and optimistic steps, and those that a library or a core makes, none is repeated."""
    return 1 if loop.is_fixed == 0 and loop.own_steps == 0 and loop.is_optimistic == 0 else 0


@driver.kernel
def end_at_corners(loop: Loop) -> Int:
    """Repeats a step that passes corners unseen, until it ends where one shows."""
    for _ in range(STEPS.most_repeats):
        end = hidden_corner(loop)
        if not end < loop.t1:
            return 0
        loop.corner_time = NEVER
        solve_loops(loop, STRICT)
        code = step_to(loop, end)
        solve_loops(loop, LENIENT)
        if code != 0:
            return code
        loop.crossed = first_crossing(loop)
        if loop.crossed == 1:
            return 0
    return 0


@driver.kernel
def mark_corner(loop: Loop) -> None:
    """The step of an implicit core ended where one of its elements reached a corner."""
    r = loop.relation_count
    which = loop.which
    residuals = loop.residuals_crossing
    if loop.crossed == 0:
        for i in range(r):
            which[i] = 0
    which[loop.core_event - 1] = 1
    residuals[loop.core_event - 1] = 0.0
    loop.crossed = 1
    loop.crossing_time = loop.t1


@driver.kernel
def cut(loop: Loop) -> None:
    """Let the step end at the crossing; the interpolant stays as it is."""
    n = loop.n
    y1 = loop.y1
    dense_value(loop, loop.crossing_time, loop.trial)
    x = loop.trial
    for i in range(n):
        y1[i] = x[i]
    loop.t1 = loop.crossing_time


@driver.kernel
def comes_to_rest(loop: Loop) -> Int:
    """1: ever shorter flights that were left out would have ended here."""
    if on_surfaces(loop) == 0:
        return 0
    return 1 if loop.t == loop.constrained.rests_at else 0


@driver.kernel
def bends(loop: Loop) -> Int:
    """1: an input has another slope from here on, without an event."""
    is_own = loop.moves_inputs == 1 and loop.events_are_plain == 1
    return 1 if is_own and loop.t == loop.input_break and loop.t < loop.stop else 0


@driver.kernel
def drive(loop: Loop) -> Int:
    taken = 0
    solve_loops(loop, LENIENT)
    while True:
        if loop.phase == 2:
            code = instant(loop)
            solve_loops(loop, LENIENT)
            if code < NEEDS_ROOM:
                loop.phase = 0
            if code != 0:
                return code
        if loop.phase == 0:
            if comes_to_rest(loop) == 1:
                records = log_rest(loop)
                if records == 0:
                    return LOG_FULL
                loop.all_events += records
                set_limit(loop)
            if bends(loop) == 1:
                code = bend(loop)
                if code != 0:
                    return code
            if loop.t >= loop.limit:
                return REACHED
            if taken >= loop.budget or loop.asked != 0 or loop.t >= loop.pause_at:
                return PAUSED
            if loop.steps >= loop.max_steps:
                return TOO_MANY
            if loop.size_count >= loop.max_sizes:
                return SIZES_FULL
            code = propose(loop)
            if code != 0:
                return code
            loop.phase = 1 if loop.has_history == 0 else 3
        if loop.phase == 3:
            code = loop.remember_step(loop)
            loop.phase = 0 if code == STEP_REDO else 3
            if code == STEP_REDO:
                continue
            if code != 0:
                return code
            loop.phase = 1
        is_event = loop.crossed
        if loop.t1 == loop.limit and loop.end_is_event == 1:
            is_event = 1
        code = store_grid(loop, 1 - is_event)
        if code != 0:
            return code
        loop.phase = 0
        taken += 1
        accept(loop)
        if is_event == 1:
            loop.is_counted = count_switches(loop)
            if loop.is_counted == 0 or loop.events_are_plain == 0:
                return EVENT if loop.crossed == 1 else REACHED
            loop.phase = 2
            continue
        drop_bands(loop)
        if loop.t >= loop.limit and comes_to_rest(loop) == 0 and bends(loop) == 0:
            return REACHED
        if loop.message_watch > 0:
            code = listen(loop)
            if code != 0:
                return code
        if sees_stiffness(loop) == 1:
            return BECAME_STIFF


@driver.kernel
def listen(loop: Loop) -> Int:
    """Asserts are judged at the end of each accepted step."""
    m = loop.memory
    if loop.message_watch == 1:
        return SPOKE
    m[loop.message_slot] = 0.0
    code = evaluate(loop, loop.t, loop.y)
    if code != 0:
        return code
    return SPOKE if m[loop.message_slot] != 0.0 else 0
