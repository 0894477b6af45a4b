"""The implicit core as the time loop sees it: sections that contain it, and a method that steps it.

    status = core_derivatives(m, core)      y made consistent in its mode, y' known, then the model's own
    status = core_discrete(m, core)         discrete equations, switches, mode and values of y together
    status = core_relations(m, core)        residuals; those of corners are the core's own business
    code = try_core(loop, t, limit)         loop.core

The record of the core is the context of its sections.
"""

from __future__ import annotations

from math import inf

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Section
from freewheel.runtime.events.branch_following import branches, forget_lost, is_lost
from freewheel.runtime.integrators.step_control import stands_before, step
from freewheel.runtime.integrators.thresholds import STEPS
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.loop.outcomes import STEP_FAILED
from freewheel.runtime.switched_dae.analysis_renewal import renew_core
from freewheel.runtime.switched_dae.bounds_kernels import core_bounds, forgive_rounding, move_inside
from freewheel.runtime.switched_dae.dense_output import core_dense, hand_over
from freewheel.runtime.switched_dae.equations import core_equations
from freewheel.runtime.switched_dae.event_location import core_advance, guarded_step
from freewheel.runtime.switched_dae.folds_kernels import (
    begin_anew,
    core_folds,
    fold_ahead,
    is_stored,
    meet_fold,
    usual_rate,
)
from freewheel.runtime.switched_dae.memory import (
    AT_BEFORE,
    AT_REST,
    AT_SAVED,
    AT_Y,
    BY_PIECE,
    BY_START,
    FINISHED,
    FOLDED,
    NEED_MODE,
    NO_AGREEMENT,
    NO_MODE,
    PRESENT,
    REPORT,
    UNBROKEN,
    Core,
    Mode,
)
from freewheel.runtime.switched_dae.mode_change import rests_below, settle
from freewheel.runtime.switched_dae.mode_guesses import find_mode, jumps, put_elements
from freewheel.runtime.switched_dae.model import CORE_FAILED  # `core.failed` says how
from freewheel.runtime.switched_dae.moreau_burst import burst_core, core_bursts
from freewheel.runtime.switched_dae.moreau_step import select_by_steps
from freewheel.runtime.switched_dae.position_trial import core_pieces
from freewheel.runtime.switched_dae.radau_descriptor import consistent_core
from freewheel.runtime.switched_dae.scaling import begin_parts, measure_core, to_their_sides
from freewheel.runtime.switched_dae.thresholds import BURSTS, CORE_STEPS, CURVES, RESTART
from freewheel.runtime.thresholds import SLIDING, ZENO

core_sections = KernelModule(
    "core_sections",
    branches,
    step,
    core_advance,
    core_bounds,
    core_equations,
    core_dense,
    core_folds,
    core_pieces,
    core_bursts,
    exports=("core_derivatives", "core_discrete", "core_start", "core_relations", "try_core",
             "inside_nothing", "flush_impulse", "rates_with_inputs", "jacobians_anywhere",
             "begins_here", "select_others", "rests_below"),
    inline=("counts", "add_scaled", "guard_of", "is_held", "corner_of", "tolerance_of", "tolerance_here",
            "key_of", "size_of", "residuals_of"),
)  # fmt: skip


@core_sections.kernel
def present_mode(core: Core, m: Floats, t: Float) -> Int:
    """The number of the mode of the bits in memory; a new one is analysed. -1: it cannot be."""
    number = find_mode(core, m)
    if number < 0:
        if core.refresh(PRESENT, AT_Y, t) != 0:
            return -1
        number = find_mode(core, m)
    core.mode = number
    return number


@core_sections.kernel
def core_derivatives(m: Floats, core: Core) -> Int:
    n = core.n
    t = m[core.time_slot]
    y = m[core.states_slot :]
    vector = core.y
    held = core.mode
    number = find_mode(core, m)
    if number < 0:
        for i in range(n):
            vector[i] = y[i]
        number = present_mode(core, m, t)
        if number < 0:
            return CORE_FAILED
    core.mode = number
    mode = core.visited[number].mode
    kept = core.trial
    for i in range(n):
        kept[i] = y[i]
    left = consistent_core(core, mode, m, t, y)
    slope = core.slope
    out = m[core.slopes_slot :]
    for i in range(n):
        out[i] = slope[i]
        if not left < CORE_STEPS.inconsistent:  # near a fold, matrices of elsewhere lead away
            y[i] = kept[i]
    core.mode = held
    status = core.derivatives(m)
    if status == 0:
        status = keep_sides(core, mode, m)
    return status


@core_sections.kernel
def keep_sides(core: Core, mode: Mode, m: Floats) -> Int:
    """What nothing determines is chosen so that relations keep their statuses, where that is possible:
    bodies held several times over stay as long as any forces within the bounds hold them."""
    if mode.bound_count == 0:
        return 0
    awake = 1.0
    # What matters to nobody sets no bounds, not even while an event begins.
    if core.awake_slot >= 0:
        awake = m[core.awake_slot]
        m[core.awake_slot] = 1.0
    status = core.relations(m)
    if core.awake_slot >= 0:
        m[core.awake_slot] = awake
    if status != 0:
        return status
    if move_inside(core, mode, m, m[core.states_slot :]) == 0:
        return 0
    return core.derivatives(m)


@core_sections.kernel
def core_relations(m: Floats, core: Core) -> Int:
    """The core watches its corners by itself: here they agree with their statuses."""
    status = core.relations(m)
    for i in range(core.status_count):
        corner = core.statuses[i]
        m[corner.residual_slot] = m[corner.status_slot]
    number = find_mode(core, m)
    if number >= 0 and core.visited[number].mode.bound_count > 0:
        forgive_rounding(core.visited[number].mode, m)
    return status


@core_sections.kernel
def put_statuses(core: Core, m: Floats) -> Int:
    """Statuses of corners follow the bits; how many changed."""
    count = 0
    for i in range(core.status_count):
        corner = core.statuses[i]
        value = corner.sense if m[corner.bit_slot] > 0.5 else -corner.sense
        if m[corner.status_slot] != value:
            m[corner.status_slot] = value
            count += 1
    return count


@core_sections.kernel
def settle_core(core: Core, m: Floats, t: Float) -> Int:
    """Mode and values that follow on those in `saved`; 0, or what went wrong."""
    n = core.n
    y = core.y
    saved = core.saved
    before = core.before
    core.t = t
    for i in range(n):
        before[i] = saved[i]
        y[i] = saved[i]
    core.wanted = -1
    core.settled = 1
    core.renewed = 0
    core.nearer = 0
    if core.is_starting == 1 and core.curves == 1 and core.refresh(BY_START, AT_SAVED, t) == 0:
        return FINISHED
    if core.fold != 0:
        return FINISHED if core.refresh(BY_PIECE, AT_SAVED, t) == 0 else FOLDED
    status = NEED_MODE
    for _ in range(100):
        status = settle(core, m)
        if status != NEED_MODE:
            break
        if core.refresh(PRESENT, AT_BEFORE, t) != 0:
            return NEED_MODE
    for e in range(core.element_count):
        if status == FINISHED and core.is_linear == 1 and rests_below(core, m, e) == 1:
            core.refresh(AT_REST, AT_SAVED, t)
            break
    if status == FINISHED and core.is_linear == 0 and core.cause >= 0 and core.curves == 1:
        mode = core.visited[core.mode].mode
        if not jumps(core, mode, mode.tau) < RESTART.jump:
            core.refresh(UNBROKEN, AT_SAVED, t)
    if status != FINISHED and core.curves > 0 and core.refresh(BY_PIECE, AT_SAVED, t) == 0:
        return FINISHED
    if status == NO_MODE:
        status = settle_by_steps(core, m, t)
    return status


@core_sections.kernel
def settle_by_steps(core: Core, m: Floats, t: Float) -> Int:
    """Where no mode was found that satisfies all elements: the one to which steps ahead lead, from the values
    before the event. A burst follows, which makes the impulse too."""
    y = core.y
    n = core.n
    if core.is_linear == 0 or core.is_first_order == 1:
        return NO_MODE
    if core.mode_before >= 0:
        put_elements(core, m, core.mode_before)
    look = RESTART.last_look * (core.usual if core.usual > 0.0 else core.h)
    if select_by_steps(core, m, t, core.saved, look, 0) < 0:
        return NO_MODE
    for i in range(n):
        y[i] = core.saved[i]
    number = present_mode(core, m, t)
    if number < 0:
        return NO_MODE
    mode = core.visited[number].mode
    begin_parts(core, mode)
    if not consistent_core(core, mode, m, t, y) < inf:
        return NO_MODE
    measure_core(core, mode, y)
    core.settled_at = t
    core.allowed = 0.0
    core.is_unsure = 1
    return FINISHED


@core_sections.kernel
def note_impulse(core: Core, m: Floats, t: Float) -> None:
    """E (y+ - y-) of what has just been settled, noted when integration goes on from here: by how much flux,
    charge or momentum grows, whichever side of its equation it was written on."""
    n = core.n
    y = core.y
    saved = core.saved
    ever = core.ever
    impulse = core.impulse
    e = core.visited[core.mode].mode.matrices[n * n :]
    is_large = 0
    for i in range(n):
        total = 0.0
        size = 0.0
        largest = 0.0
        allowed = 0.0
        for j in range(n):
            if abs(e[i * n + j]) > abs(largest):
                largest = e[i * n + j]
            allowed += abs(e[i * n + j]) * core.atol[j]
            total += e[i * n + j] * (y[j] - saved[j])
            size += abs(e[i * n + j]) * max(abs(y[j]), abs(saved[j]), ever[j], ZENO.least_state)
        impulse[i] = total if largest > 0.0 else -total
        if abs(total) > RESTART.impulse * size and abs(total) > CURVES.within * allowed:
            is_large = 1
        else:
            impulse[i] = 0.0
    core.event_time = t
    core.impulse_waits = is_large


@core_sections.kernel
def flush_impulse(core: Core) -> Int:
    """Report the last impulse, if there is one."""
    if core.impulse_waits == 0:
        return 0
    core.impulse_waits = 0
    return core.refresh(REPORT, AT_Y, core.event_time)


@core_sections.kernel
def stays(core: Core, m: Floats, t: Float) -> Int:
    """1 where the mode and the values of the last round are still right: then of two modes that are,
    none is taken in turn with the other. `y` are the values."""
    n = core.n
    number = find_mode(core, m)
    if number < 0:
        return 0
    mode = core.visited[number].mode
    y = core.y
    settled = core.settled_y
    core.t = t
    for i in range(n):
        y[i] = settled[i]
    core.mode = number
    begin_parts(core, mode)
    left = consistent_core(core, mode, m, t, y)
    if not left < inf:
        return 0
    measure_core(core, mode, y)
    for i in range(n):
        size = max(core.size[i], core.floor[i], abs(y[i]))
        if abs(y[i] - settled[i]) > SLIDING.moved * size:
            return 0
        y[i] = settled[i]
    return 1


@core_sections.kernel
def begin_settling(core: Core, m: Floats, t: Float) -> Int:
    """The values before the event: where an iteration goes on, those it began with. 1 where it goes on
    and nothing has moved since the last round."""
    n = core.n
    y = m[core.states_slot :]
    saved = core.saved
    settled = core.settled_y
    if core.event_time == t:
        stands = 1
        for i in range(n):  # what has moved since then was a reinit
            size = max(abs(y[i]), abs(settled[i]), abs(saved[i]), SLIDING.least_moved)
            if abs(y[i] - settled[i]) > SLIDING.moved * size:
                saved[i] = y[i]
                stands = 0
        return stands
    for i in range(n):
        saved[i] = y[i]
    core.mode_before = find_mode(core, m)
    core.cause = core.step_cause if core.cause_time == t else -1
    if core.cause < 0:
        core.fold = 0
    return 0


@core_sections.kernel
def switches_key(core: Core, m: Floats) -> Float:
    """A number that changes with the bits that are no corners, and with what holds elements."""
    key = 0.0
    for b in range(core.bit_count):
        key = 2.0 * key + m[core.bits + b]
        if key > 1e15:
            key -= 1e15
    return key


@core_sections.kernel
def agree_with_core(core: Core, m: Floats, shell: Section) -> Int:
    """A section of the shell and the core's mode, in turn, until neither changes anything."""
    n = core.n
    t = m[core.time_slot]
    y = m[core.states_slot :]
    slope = m[core.slopes_slot :]
    found = core.y
    saved = core.saved
    rate = core.slope
    settled = core.settled_y
    stands = begin_settling(core, m, t)
    key = -1.0
    for turn in range(RESTART.most_turns):
        status = shell(m)
        if status != 0:
            return status
        if turn > 0:
            for i in range(n):
                # A loop of the initial system may have wished otherwise. A state of the shell may follow
                # from what the core has settled, but not if it jumped with the core.
                size = max(abs(settled[i]), abs(saved[i]))
                if i >= core.shell_count or abs(settled[i] - saved[i]) > SLIDING.moved * size:
                    y[i] = settled[i]
        status = core.switches(m)
        if status != 0:
            return status
        if turn > 0 and switches_key(core, m) == key:
            return 0
        is_known = (
            1 if stands == 1 and turn == 0 and switches_key(core, m) == core.switches_key else 0
        )
        if is_known == 0 or stays(core, m, t) == 0:
            failed = settle_core(core, m, t)
            if failed != FINISHED:
                core.failed = failed
                return CORE_FAILED
        key = switches_key(core, m)
        core.switches_key = key
        note_impulse(core, m, t)
        put_statuses(core, m)
        for i in range(n):
            y[i] = found[i]
            settled[i] = found[i]
            slope[i] = rate[i]
        if core.settled_slot >= 0:
            m[core.settled_slot] = 1.0
    core.failed = NO_AGREEMENT
    return CORE_FAILED


@core_sections.kernel
def core_discrete(m: Floats, core: Core) -> Int:
    return agree_with_core(core, m, core.discrete)


@core_sections.kernel
def core_start(m: Floats, core: Core) -> Int:
    """The initial system, then the mode it leads to."""
    if core.settled_slot >= 0:
        m[core.settled_slot] = 0.0
    status = core.initial(m)
    if status != 0:
        return status
    core.event_time = inf  # nothing goes on from before
    n = core.n
    for i in range(n):
        m[core.states_slot + i] += core.offset[i]
        core.wished[i] = m[core.states_slot + i]
    core.is_starting = 1
    status = agree_with_core(core, m, core.initial)
    core.is_starting = 0
    return status


@core_sections.kernel
def inside_nothing(loop: Loop) -> Int:
    """The interpolant is made with the step."""
    return 0


@core_sections.kernel
def is_off_branch(core: Core, loop: Loop, t: Float, y: Floats, slope: Floats) -> Int:
    """1: a loop of the shell has no solution on its branch at time t. The equations of the core contain those
    loops only that lead to it."""
    m = loop.memory
    if loop.follow_slot == 0:
        return 0
    m[core.time_slot] = t
    for i in range(core.n):
        m[core.states_slot + i] = y[i]
        m[core.slopes_slot + i] = slope[i]
    return 1 if core.derivatives(m) != 0 and is_lost(loop) == 1 else 0


@core_sections.kernel
def next_try(core: Core, loop: Loop, t: Float, left: Float, may_stretch: Int) -> Float:
    """The size to be tried, 0: the matrices of the mode could not be had. It leaves no short step before
    the limit, as `step.fitted`."""
    m = loop.memory
    longest = loop.longest
    mode = core.visited[core.mode].mode
    if mode.is_linear == 0 and core.is_fresh == 0:
        n = core.n
        x = core.trial
        for i in range(n):
            x[i] = core.y[i]
        to_their_sides(core, mode, m, x)
        failed = core.jacobians(m, t, x, core.slope, mode.matrices)
        if failed == 0:
            failed = renew_core(core, mode)
        if failed != 0 and is_off_branch(core, loop, t, core.y, core.slope) == 1:
            return 0.0  # a fold before the core, which rounding has passed
        if failed != 0 and core.refresh(core.mode, AT_Y, t) != 0:
            return 0.0
        core.is_fresh = 1
    h = min(core.h, core.h_max)
    if core.is_first_order == 0:
        h = min(h, longest)
    if h > left * (1.0 - STEPS.rest):
        return left
    if core.is_first_order == 1:
        return h
    if may_stretch == 1 and STEPS.stretch * h >= left and left <= min(core.h_max, longest):
        return left
    return min(h, 0.5 * left)


@core_sections.kernel
def loses_branch(core: Core, loop: Loop, t: Float, usual: Float) -> Int:
    """1: where no step leads on, a loop of the shell is at a fold: a moment later it would be beyond. That
    may be short, where a state that sets out from zero makes the `usual` rate: then longer ones."""
    n = core.n
    y = core.trial
    farthest = CURVES.beyond * core.h_max
    beyond = max(CURVES.beyond / usual, CURVES.beyond * farthest)
    while True:
        for i in range(n):
            y[i] = core.y[i] + beyond * core.slope[i]
        if is_off_branch(core, loop, t + beyond, y, core.slope) == 1:
            return 1
        if beyond >= farthest:
            return 0
        beyond = min(CURVES.farther * beyond, farthest)


@core_sections.kernel
def take_burst(core: Core, loop: Loop, mode: Mode, t: Float, limit: Float) -> Int:
    """1: the step is one of Moreau's; it ends with an event that has no cause but itself."""
    m = loop.memory
    core.quick = 0
    core.is_unsure = 0
    is_rare = core.bursts < BURSTS.few_bursts + core.steps // BURSTS.steps_to_a_burst
    if core.is_linear == 0 or core.is_first_order == 1 or not is_rare:
        return 0
    taken = burst_core(core, mode, m, t, limit - t)
    if not taken > 0.0 or present_mode(core, m, t) < 0:
        return 0
    core.wanted = 2
    core.fired = core.active[0]
    hand_over(core, loop, t, taken, limit)
    core.step_cause = -1
    return 1


@core_sections.kernel
def try_core(loop: Loop, t: Float, limit: Float) -> Int:
    """One accepted step of the core, to `limit` at most, ending on the first event within."""
    m = loop.memory
    core = loop.core
    n = core.n
    y = core.y
    given = loop.y
    loop.core_event = 0
    if flush_impulse(core) != 0:
        loop.error = inf
        return STEP_FAILED
    core.event_time = inf  # the event is over
    core.cause_time = inf
    is_same = 1 if core.t == t else 0
    core.t = t
    for i in range(n):
        if y[i] != given[i]:
            is_same = 0
        y[i] = given[i]
    number = present_mode(core, m, t)
    if number < 0:
        loop.error = inf
        return STEP_FAILED
    trend = core.trend
    here = core.visited[number].mode
    if (is_same == 0 or number != core.mode_before) and here.h_good > 0.0:
        core.h = here.h_good
    core.mode_before = number
    core.fold = 0
    # Looks far ahead, into a past that is not known there, say nothing of what is large.
    begin_parts(core, here)
    measure_core(core, here, y)
    left = limit - t
    is_stuck = core.is_unsure == 1 or core.quick > RESTART.most_quick
    if is_stuck and take_burst(core, loop, here, t, limit) == 1:
        return 0
    taken = 0.0
    may_stretch = 1
    while taken == 0.0:
        forget_lost(loop)
        h = next_try(core, loop, t, left, may_stretch)
        may_stretch = 0
        shortest = max(loop.shortest, CORE_STEPS.units * abs(t))
        forget_lost(loop)
        if not h > shortest:
            begin_parts(core, here)  # attempts that failed may have been anywhere
            measure_core(core, here, y)
            if take_burst(core, loop, here, t, limit) == 1:
                return 0
            for i in range(n):
                # Of a fast one the last, short steps know how fast it is, and not which way.
                fast = abs(loop.f[i]) if is_stored(core, here, i) == 0 else 0.0
                if fast > abs(trend[i]):
                    trend[i] = fast if trend[i] > 0.0 else -fast
                core.slope[i] = trend[i]
            if loses_branch(core, loop, t, usual_rate(core, here)) == 1:
                begin_anew(core, here)
                loop.error = inf
                return STEP_FAILED
            element = fold_ahead(core, here, m)
            if element < 0 or h == left:
                loop.error = inf
                loop.h = h
                return STEP_FAILED
            meet_fold(core, here, m, element, shortest)
            taken = min(2.0 * shortest, left)
            break
        taken = guarded_step(core, here, m, h, left)
        is_before = 0  # a fold, as nearly as numbers can say
        if taken > 0.0 and is_off_branch(core, loop, t + taken, core.y1, core.p[2 * n :]) == 1:
            is_before = stands_before(loop, taken)
            core.h = 0.25 * taken
            taken = 0.0
        elif taken == 0.0 and not core.error < inf and stands_before(loop, h) == 1:
            for i in range(n):
                core.slope[i] = loop.f[i]
            is_before = loses_branch(core, loop, t, usual_rate(core, here))
        if is_before == 1:
            begin_anew(core, here)
            loop.error = inf
            return STEP_FAILED
        if taken == 0.0:
            loop.rejected += 1
        elif taken > CURVES.resolved * shortest:
            for i in range(n):
                trend[i] = core.p[2 * n + i]
    hand_over(core, loop, t, taken, limit)
    here.was_taken = 1
    return 0
