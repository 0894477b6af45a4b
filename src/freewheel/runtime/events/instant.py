"""One whole event without Python: two rows, discrete equations, restart, next limit.

    code = instant(loop)    # 0: go on

Where the model says something, where nothing agrees or a section fails (which Python tells), for breaks of
inputs and for the first motion that slides or rests, everything is put back as it was before the event. The
code EVENT or REACHED leaves it to Python, which begins anew with the same instant.
AMBIGUOUS: the event is over, and could have ended otherwise.
"""

from __future__ import annotations

from math import inf

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Int
from freewheel.result.events import CROSSED as CROSSED_NOTE
from freewheel.runtime.delays.breaks import (
    breaks,
    hold_past,
    mark_past,
    move_past_on,
    put_past_back,
)
from freewheel.runtime.events.ambiguity_kernels import has_rivals, rivals
from freewheel.runtime.events.branch_following import FREE, branches, solve_loops
from freewheel.runtime.events.chattering_kernels import chatter, forgive
from freewheel.runtime.events.detection import crossing, only_time
from freewheel.runtime.events.impacts import NOT_SETTLED, SLOW, find_flight, impacts
from freewheel.runtime.events.iteration_kernels import begin_event, settle, settling
from freewheel.runtime.events.log import begin_record, note
from freewheel.runtime.events.sliding.release import (
    let_go,
    mark_ended,
    mark_hold,
    on_surfaces,
    releasing,
    tell_ended,
    tell_held,
)
from freewheel.runtime.events.status_update import NOT_PLAIN, copy, hold, take_back
from freewheel.runtime.events.time_events import (
    calendar,
    clear_due,
    foretell,
    mark_due,
    move_samples,
    set_limit,
)
from freewheel.runtime.integrators.first_steps import modes
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.loop.outcomes import (
    AMBIGUOUS,
    EVENT,
    HISTORY_FULL,
    IMPACTS_FULL,
    LAG_WRONG,
    LOG_FULL,
    NOT_FINITE,
    REACHED,
    ROWS_FULL,
    SECTION_DERIVATIVES,
    SECTION_FAILED,
    STEP_FAILED,
)
from freewheel.runtime.loop.point import is_finite
from freewheel.runtime.loop.rows import evaluate, grid_point, restart, restart_here, store_row
from freewheel.runtime.loop.rows import rows as row_kernels
from freewheel.runtime.thresholds import CHATTER, HOLD, ZENO

instants = KernelModule(
    "instants",
    *(breaks, branches, calendar, chatter, crossing, impacts),
    *(modes, releasing, rivals, row_kernels, settling),
)


@instants.kernel
def tell_crossings(loop: Loop) -> None:
    begin_record(loop, loop.t)
    for i in range(loop.relation_count):
        if loop.crossed == 1 and loop.which[i] == 1:
            note(loop, CROSSED_NOTE, i, loop.residuals_crossing[i])


@instants.kernel
def tell_causes(loop: Loop) -> None:
    tell_crossings(loop)
    if on_surfaces(loop) == 1:
        tell_ended(loop)


@instants.kernel
def jump_of(loop: Loop) -> Int:
    """2: states jump at the event; 1: by no more than rounding, as where a velocity that has just become
    zero is set to zero; 0: they stay. Beside an implicit core most unknowns are no states and jump at
    each event, and rounding says nothing."""
    y = loop.y
    lately = loop.lately
    found = 0
    for i in range(loop.n):
        if loop.trial[i] != y[i]:
            by = abs(loop.trial[i] - y[i])
            if loop.stored_count > 0:
                if loop.is_stored[i] == 1 and not by <= HOLD.moved * max(lately[i], abs(y[i])):
                    return 2
                continue
            if not by <= ZENO.smallest_jump * max(lately[i], abs(y[i])):
                return 2
            found = 1
    return found


@instants.kernel
def doubt_again(loop: Loop) -> None:
    """An event begins. What was forgiven at the one before may be clear by now: a thyristor fired without
    current contradicts itself, and does not once the current flows. Who causes this event has left its band;
    bands of others, of noise and of what is held, are not asked."""
    for i in range(loop.relation_count):
        is_cause = loop.crossed == 1 and loop.which[i] == 1
        if loop.forgiven[i] > 0.0 and loop.bands[i] == loop.forgiven[i] and not is_cause:
            loop.bands[i] = 0.0
        loop.forgiven[i] = 0.0


@instants.kernel
def settle_once(loop: Loop) -> Int:
    """Left row, fixed point, right row: 1. Not a plain case: 0. States end in TRIAL."""
    m = loop.memory
    n = loop.n
    t = loop.t
    trial = loop.trial
    loop.iteration_outcome = 0
    copy(n, loop.y, trial)
    if evaluate(loop, t, trial) != 0:
        return 0
    if loop.record_events == 1:
        store_row(loop)
    solve_loops(loop, FREE)
    if on_surfaces(loop) == 1:
        copy(loop.memory_size, m, loop.held.released)
        if let_go(loop, trial) != 0:
            return 0
        copy(loop.memory_size, m, loop.saved)
    if loop.chooses_states == 1:
        if loop.relations(m) != 0:
            return 0
        loop.choose_states(m)
        # The same point in other coordinates: no state jumps by this, and whoever begins the event anew
        # begins with them.
        copy(n, m[loop.states_slot :], trial)
        copy(n, trial, loop.y)
        copy(loop.memory_size, m, loop.saved)
    hold(loop)
    move_past_on(loop)
    loop.is_due = 1 if mark_due(loop, t) > 0 else 0
    if begin_event(loop, t) != 0:
        return 0
    rounds = settle(loop, loop.is_due)
    if rounds == 0:
        return 0
    if loop.is_due == 1:
        clear_due(loop)
        more = settle(loop, 0)
        if more == 0:
            return 0
        rounds += more
    copy(n, m[loop.states_slot :], trial)
    if loop.message_watch > 0:
        m[loop.message_slot] = 0.0
    if loop.outputs(m) != 0:  # derivatives and residuals are there
        return 0
    if loop.message_watch > 0 and m[loop.message_slot] != 0.0:
        return 0
    store_row(loop)
    if loop.log_lacks == 0:
        loop.log[loop.log_record + 1] = float(rounds)
    return 1


@instants.kernel
def put_back(loop: Loop) -> None:
    """The memory, what is held and the bands of rounding as they were before the event."""
    copy(loop.memory_size, loop.saved, loop.memory)
    if loop.can_hold == 1:
        held = loop.held
        if held.last >= 0:
            copy(loop.memory_size, held.released, loop.memory)
        held.present = held.before_event
        held.rests_at = held.rested_before
        held.left_count = held.left_before
        held.begun_count = held.begun_before
        held.last = -1
        mark_hold(loop)
    for i in range(loop.relation_count):
        loop.bands[i] = loop.bands_before[i]
        loop.forgiven[i] = 0.0


@instants.kernel
def is_put_off(loop: Loop) -> Int:
    """1: rounding was forgiven and nothing has changed: the event comes when it is clear."""
    values = loop.pair_slots
    is_forgiven = 0
    for i in range(loop.relation_count):
        if loop.bands[i] != loop.bands_before[i] and loop.bands[i] < inf:  # else it was held
            is_forgiven = 1
    if is_forgiven == 0 or loop.crossed == 0 or loop.is_due == 1:
        return 0
    for i in range(loop.n):
        if loop.trial[i] != loop.y[i]:
            return 0
    for i in range(loop.relation_count):
        if loop.memory[loop.status_slots[i]] != loop.saved[loop.status_slots[i]]:
            return 0
    for i in range(loop.pairs):
        if loop.memory[values[i]] != loop.saved[values[i]]:
            return 0
    return 1


@instants.kernel
def settle_here(loop: Loop) -> Int:
    """As `settle_once`; from the beginning again, and thoroughly, where statuses run in circles. The
    memory before the event is in `loop.saved`."""
    held_rows = loop.row_count
    mark = loop.log_count
    copy(loop.relation_count, loop.bands, loop.bands_before)
    is_settled = settle_once(loop)
    if is_settled == 1 or loop.iteration_outcome != NOT_PLAIN:
        return is_settled
    put_back(loop)
    put_past_back(loop)
    loop.row_count = held_rows
    take_back(loop, mark)
    loop.is_thorough = 1
    is_settled = settle_once(loop)
    loop.is_thorough = 0
    return is_settled


@instants.kernel
def skip_grid(loop: Loop) -> None:
    """The rows of the event stand for a regular point there."""
    while (
        grid_point(loop, loop.grid_points) <= loop.t
        and grid_point(loop, loop.grid_points - 1) < loop.t
    ):
        loop.grid_points += 1


@instants.kernel
def go_on(loop: Loop) -> Int:
    """Integration begins anew at (T, Y), where the memory is; 0, or why not."""
    if loop.has_history == 0:
        restart_here(loop)
    else:  # other breaks are watched now, and a delay may show what has just been
        loop.section_status = restart(loop, loop.t)
        if loop.section_status != 0:
            loop.failed_section = SECTION_DERIVATIVES
            return SECTION_FAILED
    if is_finite(loop.n, loop.y) == 0 or is_finite(loop.n, loop.f) == 0:
        return NOT_FINITE
    if loop.own_steps == 1 and loop.restart_method(loop) != 0:
        return STEP_FAILED
    look_ahead(loop)
    return 0


@instants.kernel
def measure_residuals(loop: Loop) -> None:
    """Where integration begins anew. What was noise and is far outside of its band has become a signal."""
    if loop.is_held == 1:  # some of them are shares and reactions
        return
    for i in range(loop.relation_count):
        loop.sizes[i] = max(loop.sizes[i], abs(loop.residuals_left[i]))
        if abs(loop.residuals_left[i]) > CHATTER.far_outside * loop.bands[i]:
            loop.bands[i] = 0.0


@instants.kernel
def look_ahead(loop: Loop) -> None:
    """After a restart: how large residuals are, and the next limit."""
    if loop.relation_count > 0:
        measure_residuals(loop)
        foretell(loop)
    set_limit(loop)


@instants.kernel
def is_suspected(loop: Loop) -> Int:
    """1: the motion may slide along the surface of a relation that has just crossed again."""
    if loop.crossed == 0:
        return 0
    for i in range(loop.relation_count):
        if loop.suspects[i] == 1:
            return 1
    return 0


@instants.kernel
def repeats_at_once(loop: Loop) -> Int:
    """1: a relation has switched back and forth. Then a jump of round-off is an impact as well: the states
    have to be on the side of the motion that begins, or it switches again."""
    for i in range(loop.relation_count):
        if loop.which[i] == 1 and loop.quick[i] >= CHATTER.suspicious:
            return 1
    return 0


@instants.kernel
def begin_with_hold(loop: Loop) -> None:
    """What the event ends of the present hold; nothing is let go yet."""
    held = loop.held
    held.last = -1
    held.before_event = held.present
    held.rested_before = held.rests_at
    held.left_before = held.left_count
    held.begun_before = held.begun_count
    for i in range(loop.relation_count):
        held.ended[i] = 0
    if held.present >= 0:
        mark_ended(loop)


@instants.kernel
def has_ended(loop: Loop) -> Int:
    if loop.can_hold == 1:
        for i in range(loop.relation_count):
            if loop.held.ended[i] == 1:
                return 1
    return 0


@instants.kernel
def store_again(loop: Loop) -> Int:
    """The row of the right limit, at the states in TRIAL; 0: it cannot be evaluated, or the model speaks."""
    m = loop.memory
    copy(loop.memory_size, loop.after, m)
    loop.row_count -= 1
    if loop.message_watch > 0:
        m[loop.message_slot] = 0.0
    if evaluate(loop, loop.t, loop.trial) != 0:
        return 0
    if loop.relations(m) != 0:
        return 0
    if loop.message_watch > 0 and m[loop.message_slot] != 0.0:
        return 0
    store_row(loop)
    return 1


@instants.kernel
def go_beyond(loop: Loop, is_impact: Int, needs_hold: Int) -> Int:
    """Impacts, sliding and rest, after an event that has settled: 1; 0: that is for Python to find."""
    copy(loop.memory_size, loop.memory, loop.after)
    found = SLOW
    if needs_hold == 0 and is_impact == 1:
        found = find_flight(loop)
    if found == NOT_SETTLED or (found == SLOW and loop.can_hold == 0):
        return 0
    if found == SLOW and loop.take_up(loop) != 0:
        return 0
    return store_again(loop)


@instants.kernel
def tell_new_hold(loop: Loop) -> Int:
    """1: a hold that has just begun is told; one with impacts left out is told when things rest."""
    if on_surfaces(loop) == 1 and loop.held.is_new == 1 and loop.held.left_count == 0:
        tell_held(loop)
        return 1
    return 0


@instants.kernel
def put_event_back(loop: Loop, was_crossed: Int, rows: Int, log: Int) -> None:
    """All as it was before the event, with so many rows and numbers in the log."""
    put_back(loop)
    put_past_back(loop)
    loop.crossed = was_crossed
    loop.row_count = rows
    loop.log_count = log
    if loop.can_hold == 1:
        for i in range(loop.relation_count):
            if loop.held.ended[i] == 1:
                loop.which[i] = 1


@instants.kernel
def finish(loop: Loop) -> Int:
    """The event is over, and integration begins anew; 0, or why not."""
    copy(loop.n, loop.trial, loop.y)
    if loop.can_hold == 1:
        loop.held.last = -1
    if mark_past(loop) == 1:
        return LAG_WRONG
    move_samples(loop, loop.t)
    skip_grid(loop)
    return go_on(loop)


@instants.kernel
def instant(loop: Loop) -> Int:
    was_crossed = loop.crossed
    to_python = EVENT if was_crossed == 1 else REACHED
    if loop.row_count + 2 > loop.max_rows:
        return ROWS_FULL
    held_rows = loop.row_count
    held_log = loop.log_count
    needs_hold = is_suspected(loop)
    if loop.t == loop.input_break or loop.state_events + loop.crossed > loop.max_events:
        return to_python
    if needs_hold == 1 and loop.can_hold == 0:
        return to_python
    if hold_past(loop) == 1:
        return HISTORY_FULL
    if loop.can_hold == 1:
        begin_with_hold(loop)
    tell_causes(loop)
    doubt_again(loop)
    copy(loop.memory_size, loop.memory, loop.saved)
    is_settled = settle_here(loop)
    is_event = 1 if has_ended(loop) == 1 else 1 - is_put_off(loop)
    by_state = 1 if loop.crossed == 1 and only_time(loop, loop.which) == 0 else 0
    # An implicit core jumps anyway.
    has_reinits = 1 if loop.own_steps != 2 or loop.reinits > 0 else 0
    jump = jump_of(loop)
    is_impact = 1 if by_state == 1 and has_reinits == 1 and jump == 2 else 0
    if by_state == 1 and jump == 1 and repeats_at_once(loop) == 1:
        is_impact = 1
    is_ambiguous = 0
    if is_settled == 1 and is_impact == 1 and loop.impact_count == 0:
        put_event_back(loop, was_crossed, held_rows, held_log)
        return IMPACTS_FULL
    if is_settled == 1 and by_state == 1:
        is_ambiguous = has_rivals(loop)
    if is_settled == 1 and by_state == 1 and (is_impact == 1 or jump == 1):
        forgive(loop)
    if loop.can_hold == 1 and loop.held.last >= 0:
        needs_hold = 1
    if is_settled == 1 and (is_impact == 1 or needs_hold == 1):
        is_settled = go_beyond(loop, is_impact, needs_hold)
    told = tell_new_hold(loop) if is_settled == 1 else 0
    if is_settled == 0 or loop.log_lacks == 1:
        put_event_back(loop, was_crossed, held_rows, held_log)
        return LOG_FULL if loop.log_lacks == 1 else to_python
    loop.state_events += was_crossed
    loop.all_events += max(is_event, told) + told
    if is_event == 0 and told == 0:
        loop.log_count = held_log
    code = finish(loop)
    return AMBIGUOUS if code == 0 and is_ambiguous == 1 else code
