"""One whole event in machine code: left limit, event iteration, right limit, restart, next time event.

    code = instant(loop)    # 0: integration goes on

With LOG_FULL, IMPACTS_FULL and MOTION_LACKS everything is as before the event: Python makes room, and the
event begins again. With AMBIGUOUS, SPOKE_AT_EVENT and MOTION_CHANGED it is over: its outcome is not unique,
the model has messages, or integration is left to restart with another method. With EVENT_FAILED the run ends:
the model raises an error, nothing settles or a section fails. Quantized states settle plain events only
(`loop.settles_all`): others are undone, and EVENT or REACHED leaves them to the classic engine, with the same
instant.
"""

from __future__ import annotations

from math import inf

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Int
from freewheel.result.events import CROSSED as CROSSED_NOTE
from freewheel.result.events import TOLD
from freewheel.runtime.delays.past import (
    hold_past,
    mark_past,
    move_past_on,
    past,
    put_past_back,
)
from freewheel.runtime.events.ambiguity import alternatives, is_ambiguous
from freewheel.runtime.events.branch_following import FREE, branches, solve_loops
from freewheel.runtime.events.chattering import chatter, forget_switches
from freewheel.runtime.events.detection import crossing, only_time
from freewheel.runtime.events.impacts import SLOW, find_flight, impacts
from freewheel.runtime.events.iteration_kernels import (
    are_equal_at,
    begin_event,
    collect,
    copy,
    count_marked,
    drop_collected,
    drop_messages,
    has_messages,
    iteration,
    settle,
    store_pre,
)
from freewheel.runtime.events.log import begin_record, has_room, note
from freewheel.runtime.events.sliding.release import (
    log_constrained,
    log_left_surfaces,
    mark_constrained,
    mark_ended,
    on_surfaces,
    release_motion,
    releasing,
)
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
    CHOOSING,
    EVALUATING,
    EVENT,
    EVENT_FAILED,
    HISTORY_FULL,
    IMPACTS_FULL,
    JUDGING,
    LAG_WRONG,
    LOG_FULL,
    MOTION_CHANGED,
    MOTION_LACKS,
    NOT_FINITE,
    REACHED,
    ROWS_FULL,
    SECTION_DERIVATIVES,
    SECTION_FAILED,
    SETTLING,
    SPOKE_AT_EVENT,
    STEP_FAILED,
)
from freewheel.runtime.loop.point import is_finite, place
from freewheel.runtime.loop.rows import evaluate, grid_point, restart, restart_here, store_row
from freewheel.runtime.loop.rows import rows as row_kernels
from freewheel.runtime.thresholds import CHATTER, SLIDING, ZENO

instants = KernelModule(
    "instants",
    *(branches, calendar, chatter, crossing, impacts),
    *(modes, past, releasing, alternatives, row_kernels, iteration),
)


@instants.kernel
def log_crossings(loop: Loop) -> None:
    """Begins a record of the event log with the relations that cross zero."""
    begin_record(loop, loop.t)
    for i in range(loop.relation_count):
        if loop.crossed == 1 and loop.which[i] == 1:
            note(loop, CROSSED_NOTE, i, loop.residuals_crossing[i])


@instants.kernel
def log_causes(loop: Loop) -> None:
    log_crossings(loop)
    if loop.cause_text >= 0:
        note(loop, TOLD, loop.cause_text, 0.0)
    if loop.t == loop.input_break and loop.break_jumps == 1:
        note(loop, TOLD, loop.jump_text, 0.0)
    if on_surfaces(loop) == 1:
        log_left_surfaces(loop)


@instants.kernel
def drop_forgiven(loop: Loop) -> None:
    """Drops the tolerance bands that the event before has given to contradictions by rounding: a thyristor
    fired without current contradicts itself, and no longer once the current flows. Bands of the relations
    that cause this event stay, as do those of noise and of sliding."""
    for i in range(loop.relation_count):
        is_cause = loop.crossed == 1 and loop.which[i] == 1
        if loop.forgiven[i] > 0.0 and loop.bands[i] == loop.forgiven[i] and not is_cause:
            loop.bands[i] = 0.0
        loop.forgiven[i] = 0.0


# ---------------------------------------------------------------- the iteration, and its rows


@instants.kernel
def move_inputs(loop: Loop) -> None:
    """To their pieces from the present time on."""
    loop.inputs_moved = 1
    loop.move_inputs_on(loop)


@instants.kernel
def settle_here(loop: Loop) -> Int:
    """Row of the left limit, event iteration, row of the right limit: 1; the states are in `loop.trial`.
    0: it fails. The memory before the event is in `loop.saved`."""
    m = loop.memory
    n = loop.n
    trial = loop.trial
    copy(loop.relation_count, loop.bands, loop.bands_before)
    copy(loop.relation_count, loop.quick, loop.quick_before)
    copy(n, loop.y, trial)
    loop.event_stage = EVALUATING
    failed = evaluate(loop, loop.t, trial)
    solve_loops(loop, FREE)
    if failed != 0 and evaluate(loop, loop.t, trial) != 0:
        return 0
    if loop.record_events == 1 and loop.cause_text < 0:
        store_row(loop)
    if on_surfaces(loop) == 1:
        copy(loop.memory_size, m, loop.constrained.released)
        if release_motion(loop, trial) != 0:
            return 0
        copy(loop.memory_size, m, loop.saved)
    if loop.chooses_states == 1:
        loop.event_stage = CHOOSING
        if loop.relations(m) != 0:
            return 0
        loop.choose_states(m)
        # The same point in other coordinates: this is no jump of the states, and an event that begins again
        # begins with them.
        copy(n, m[loop.states_slot :], trial)
        copy(n, trial, loop.y)
        copy(loop.memory_size, m, loop.saved)
    store_pre(loop)
    if loop.t == loop.input_break:
        move_inputs(loop)
    move_past_on(loop)
    loop.is_due = 1 if mark_due(loop, loop.t) > 0 else 0
    begin_event(loop, loop.t)
    loop.event_stage = SETTLING
    loop.collects = loop.settles_all
    rounds = settle(loop, loop.is_due)
    has_errors = loop.has_errors
    if rounds > 0 and loop.is_due == 1:
        clear_due(loop)
        more = settle(loop, 0)
        rounds = rounds + more if more > 0 else 0
        has_errors = max(has_errors, loop.has_errors)
    loop.collects = 0
    if rounds == 0:
        return 0
    if loop.log_lacks == 0:
        loop.log[loop.log_record + 1] = float(rounds)
    loop.event_stage = JUDGING
    if has_errors == 1:
        return 0
    loop.event_stage = EVALUATING
    copy(n, m[loop.states_slot :], trial)
    loop.collected_before_row = loop.collected
    if loop.message_watch == 2:
        m[loop.message_slot] = 0.0
    if loop.outputs(m) != 0 or is_accepted(loop) == 0:  # derivatives and residuals are there
        return 0
    store_row(loop)
    return 1


@instants.kernel
def is_accepted(loop: Loop) -> Int:
    """The point of a row, with its messages; 0: there is an error among them, or they are not kept."""
    if has_messages(loop) == 0:
        return 1
    if loop.settles_all == 0:
        return 0
    loop.has_errors = 0
    collect(loop)
    if loop.has_errors == 1:
        loop.event_stage = JUDGING
    return 1 - loop.has_errors


@instants.kernel
def store_again(loop: Loop) -> Int:
    """The row of the right limit anew, at the states in `loop.trial`; 0: a section fails or there is an
    error."""
    m = loop.memory
    loop.event_stage = EVALUATING
    copy(loop.memory_size, loop.after, m)
    loop.row_count -= 1
    drop_collected(loop, loop.collected_before_row)
    drop_messages(loop)
    if evaluate(loop, loop.t, loop.trial) != 0 or loop.relations(m) != 0:
        return 0
    if is_accepted(loop) == 0:
        return 0
    store_row(loop)
    return 1


@instants.kernel
def is_postponed(loop: Loop) -> Int:
    """1: a contradiction by rounding got a band and nothing has changed: the event comes when it is clear."""
    gets_band = 0
    for i in range(loop.relation_count):
        if (
            loop.bands[i] != loop.bands_before[i] and loop.bands[i] < inf
        ):  # else of a sliding motion
            gets_band = 1
    if gets_band == 0 or loop.crossed == 0 or loop.is_due == 1:
        return 0
    for i in range(loop.n):
        if loop.trial[i] != loop.y[i]:
            return 0
    if are_equal_at(loop.relation_count, loop.status_slots, loop.memory, loop.saved) == 0:
        return 0
    return are_equal_at(loop.pairs, loop.pair_slots, loop.memory, loop.saved)


# ---------------------------------------------------------------- impacts, sliding and rest


@instants.kernel
def jump_of(loop: Loop) -> Int:
    """2: states jump at the event; 1: by rounding, as where a velocity that has just become zero is set to
    zero; 0: they stay. Beside an implicit core most unknowns are no states and jump at each event, and
    rounding counts for nothing."""
    found = 0
    for i in range(loop.n):
        if loop.trial[i] != loop.y[i]:
            by = abs(loop.trial[i] - loop.y[i])
            size = max(loop.lately[i], abs(loop.y[i]))
            if loop.stored_count > 0:
                if loop.is_stored[i] == 1 and not by <= SLIDING.moved * size:
                    return 2
            elif not by <= ZENO.smallest_jump * size:
                return 2
            else:
                found = 1
    return found


@instants.kernel
def repeats_at_once(loop: Loop) -> Int:
    """1: a relation has switched back and forth. A jump by rounding is an impact then: unless the states are
    on the side of the motion that begins, the relation switches again."""
    for i in range(loop.relation_count):
        if loop.which[i] == 1 and loop.quick[i] >= CHATTER.quick_first:
            return 1
    return 0


@instants.kernel
def mark_left_surfaces(loop: Loop) -> None:
    """Marks what the event ends of the present constrained motion, which still acts."""
    held = loop.constrained
    held.last = -1
    held.before_event = held.present
    held.rest_before = held.rests_at
    held.left_before = held.left_count
    held.notes_before = held.note_count
    for i in range(loop.relation_count):
        held.ended[i] = 0
    if held.present >= 0:
        mark_ended(loop)


@instants.kernel
def go_beyond(loop: Loop, is_impact: Int, may_slide: Int) -> Int:
    """Impacts, sliding and rest after an event that has settled: 1; 0: it fails; or MOTION_LACKS."""
    copy(loop.memory_size, loop.memory, loop.after)
    found = find_flight(loop) if may_slide == 0 and is_impact == 1 else SLOW
    if found == SLOW and (loop.can_constrain == 0 or loop.find_motion_after(loop) != 0):
        return MOTION_LACKS
    return store_again(loop)


@instants.kernel
def log_new_motion(loop: Loop) -> Int:
    """1: a motion that begins to slide or rest is logged; one with impacts left out is logged when it
    rests."""
    if on_surfaces(loop) == 1 and loop.constrained.is_new == 1 and loop.constrained.left_count == 0:
        log_constrained(loop)
        return 1
    return 0


# ---------------------------------------------------------------- the end of an event


@instants.kernel
def restore_before_event(loop: Loop, was_crossed: Int, rows: Int, log: Int) -> None:
    """Everything as before the event, with so many rows and numbers in the log."""
    copy(loop.memory_size, loop.saved, loop.memory)
    copy(loop.relation_count, loop.bands_before, loop.bands)
    copy(loop.relation_count, loop.quick_before, loop.quick)
    for i in range(loop.relation_count):
        loop.forgiven[i] = 0.0
    put_past_back(loop)
    if loop.inputs_moved == 1:
        loop.put_inputs_back(loop)
    drop_collected(loop, 0)
    loop.crossed = was_crossed
    loop.row_count = rows
    loop.log_count = log
    if loop.can_constrain == 0:
        return
    held = loop.constrained
    if held.last >= 0:
        copy(loop.memory_size, held.released, loop.memory)
    held.present = held.before_event
    held.rests_at = held.rest_before
    held.left_count = held.left_before
    held.note_count = held.notes_before
    held.last = -1
    mark_constrained(loop)
    for i in range(loop.relation_count):
        if held.ended[i] == 1:
            loop.which[i] = 1


@instants.kernel
def skip_grid(loop: Loop) -> None:
    """The rows of the event stand for a regular point there."""
    while (
        grid_point(loop, loop.grid_points) <= loop.t
        and grid_point(loop, loop.grid_points - 1) < loop.t
    ):
        loop.grid_points += 1


@instants.kernel
def measure_residuals(loop: Loop) -> None:
    """Sizes of residuals at a restart. What is far outside of its tolerance band is no noise any more."""
    if loop.is_constrained == 1:  # some of them are shares and reactions
        return
    for i in range(loop.relation_count):
        loop.sizes[i] = max(loop.sizes[i], abs(loop.residuals_left[i]))
        if abs(loop.residuals_left[i]) > CHATTER.far_outside * loop.bands[i]:
            loop.bands[i] = 0.0


@instants.kernel
def finish(loop: Loop, was_constrained: Int) -> Int:
    """The event is over: integration restarts at the states in `loop.trial`, where the memory is; 0, or why
    not."""
    copy(loop.n, loop.trial, loop.y)
    if loop.can_constrain == 1:
        loop.constrained.last = -1
    if mark_past(loop) == 1:
        return LAG_WRONG
    move_samples(loop, loop.t)
    skip_grid(loop)
    if loop.is_constrained != was_constrained and loop.keeps_method == 0:
        return MOTION_CHANGED
    if loop.has_history == 0 and loop.inputs_moved == 0:
        restart_here(loop)
        return go_on(loop)
    return restart_anew(loop)  # a delay may return the values of this instant


@instants.kernel
def restart_anew(loop: Loop) -> Int:
    """Integration restarts at (loop.t, loop.y), where other discontinuities are watched from here on."""
    if loop.inputs_moved == 1 and loop.is_constrained == 1:
        place(loop, loop.t, loop.y)
        loop.constrained.follow_inputs(loop)
    loop.section_status = restart(loop, loop.t)
    if loop.section_status != 0:
        loop.failed_section = SECTION_DERIVATIVES
        return SECTION_FAILED
    return go_on(loop)


@instants.kernel
def bend(loop: Loop) -> Int:
    """An input has another slope from here on."""
    if hold_past(loop) == 1:
        return HISTORY_FULL
    move_inputs(loop)
    if loop.has_history == 1:
        code = evaluate(loop, loop.t, loop.y)
        if code != 0:
            return code
        loop.crossed = 0
        copy(loop.memory_size, loop.memory, loop.saved)
        move_past_on(loop)
        if mark_past(loop) == 1:
            return LAG_WRONG
    return restart_anew(loop)


@instants.kernel
def go_on(loop: Loop) -> Int:
    if is_finite(loop.n, loop.y) == 0 or is_finite(loop.n, loop.f) == 0:
        return NOT_FINITE
    if loop.own_steps == 1 and loop.restart_method(loop) != 0:
        return STEP_FAILED
    if loop.relation_count > 0:
        measure_residuals(loop)
        foretell(loop)
    set_limit(loop)
    return 0


@instants.kernel
def instant(loop: Loop) -> Int:
    r = loop.relation_count
    was_crossed = loop.crossed
    to_python = EVENT if was_crossed == 1 else REACHED
    if loop.row_count + 2 > loop.max_rows:
        return ROWS_FULL
    if has_room(loop) == 0:
        return LOG_FULL
    rows = loop.row_count
    log = loop.log_count
    may_slide = 1 if loop.crossed == 1 and count_marked(r, loop.candidates) > 0 else 0
    if loop.t == loop.input_break and loop.moves_inputs == 0:
        return to_python
    if loop.state_events + loop.crossed > loop.max_events:
        return to_python
    is_announced = 1 if loop.t == loop.input_break and loop.break_jumps == 1 else 0
    if loop.cause_text >= 0:
        is_announced = 1
    loop.inputs_moved = 0
    if may_slide == 1 and loop.can_constrain == 0:
        return MOTION_LACKS
    was_constrained = loop.is_constrained
    alternatives_left = loop.alternatives_left
    alternative_rounds = loop.alternative_rounds
    if hold_past(loop) == 1:
        return HISTORY_FULL
    if loop.can_constrain == 1:
        mark_left_surfaces(loop)
    log_causes(loop)
    drop_forgiven(loop)
    copy(loop.memory_size, loop.memory, loop.saved)
    is_settled = settle_here(loop)
    is_event = 1 if loop.can_constrain == 1 and count_marked(r, loop.constrained.ended) > 0 else 0
    if is_event == 0:
        is_event = max(is_announced, 1 - is_postponed(loop))
    by_state = 1 if loop.crossed == 1 and only_time(loop, loop.which) == 0 else 0
    # An implicit core jumps anyway.
    has_reinits = 1 if loop.stored_count == 0 or loop.reinits > 0 else 0
    jump = jump_of(loop)
    is_impact = 1 if by_state == 1 and has_reinits == 1 and jump == 2 else 0
    if by_state == 1 and jump == 1 and repeats_at_once(loop) == 1:
        is_impact = 1
    loop.has_alternative = 0
    if is_settled == 1 and is_impact == 1 and loop.impact_count == 0:
        restore_before_event(loop, was_crossed, rows, log)
        return IMPACTS_FULL
    if is_settled == 1 and by_state == 1:
        loop.has_alternative = is_ambiguous(loop)
        if is_impact == 1 or jump == 1:
            forget_switches(loop)
    if loop.can_constrain == 1 and loop.constrained.last >= 0:
        may_slide = 1
    if is_settled == 1 and (is_impact == 1 or may_slide == 1):
        is_settled = go_beyond(loop, is_impact, may_slide)
    is_new = log_new_motion(loop) if is_settled == 1 else 0
    if is_settled == 0 and loop.log_lacks == 0 and loop.settles_all == 1:
        return EVENT_FAILED
    if is_settled != 1 or loop.log_lacks == 1:
        restore_before_event(loop, was_crossed, rows, log)
        loop.alternatives_left = alternatives_left
        loop.alternative_rounds = alternative_rounds
        if loop.log_lacks == 1:
            return LOG_FULL
        return MOTION_LACKS if is_settled == MOTION_LACKS else to_python
    loop.cause_text = -1
    if loop.has_failed_trials == 1:
        loop.has_failed_trials = 0
        loop.forget_failed_trials(loop)
    loop.state_events += was_crossed
    loop.all_events += max(is_event, is_new) + is_new
    if is_event == 0 and is_new == 0:
        loop.log_count = log
    code = finish(loop, was_constrained)
    if code == 0 and loop.has_alternative == 1:
        return AMBIGUOUS
    return SPOKE_AT_EVENT if code == 0 and loop.collected > 0 else code
