"""Events of the implicit core: guards, the mode that comes next, the values it begins with.

Restarting goes in rounds from the values before the event: select a mode for all elements together,
make the values consistent with it, check the guards. A mode met for the first time is handed to
Python, which analyses its structure once.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.switched_dae.linear_modes import consistent_linear, tick
from freewheel.runtime.switched_dae.memory import (
    CONTRADICTION,
    FINISHED,
    NEED_MODE,
    NO_MODE,
    Core,
    Mode,
)
from freewheel.runtime.switched_dae.mode_guesses import (
    ALL_NEAR,
    AS_IT_IS,
    are_others,
    core_guess,
    find_mode,
    flip,
    flip_near,
    is_right,
    jumps,
    leaves,
    look_ahead,
    look_of,
    next_guess,
    note_successor,
    opens,
    put_elements,
)
from freewheel.runtime.switched_dae.mode_selection import select_core
from freewheel.runtime.switched_dae.radau_descriptor import consistent_core
from freewheel.runtime.switched_dae.scaling import (
    begin_parts,
    grow_core,
    guard_of,
    is_held,
    measure_core,
    remember_core,
    roughen,
    to_their_sides,
    worst_guard,
)
from freewheel.runtime.switched_dae.thresholds import RESTART, SELECTION
from freewheel.runtime.thresholds import TINIEST

core_events = KernelModule("core_events", core_guess)


@core_events.kernel
def looks_nearer(core: Core) -> Int:
    return 1 if core.nearer > 0 and core.nearer <= RESTART.nearest else 0


@core_events.kernel
def resolve(core: Core, m: Floats) -> Int:
    """Select a mode. Where a guard was violated, in the mode before or in that of the last round, that mode
    is no answer: what happens within the look-ahead may be smaller than the leak of the selection,
    then look further. A second round looks less far: the first mode was violated at once, so something
    is faster than the look-ahead. Where nothing but these two is found, it is the second that rounding
    has violated: leaks make amperes of nanovolts."""
    look = core.look
    core.look = look_of(core)
    nearer = core.nearer if looks_nearer(core) == 1 else 0
    for _ in range((core.settled - 1) % SELECTION.look_aheads + nearer):
        core.look /= RESTART.nearer_by
    status = 0
    before = core.mode_before if core.cause >= 0 else -1
    left = core.mode if core.settled > 1 else before
    found = -1
    first = -1  # that is not the mode before
    for _ in range(4):
        status = select_core(core, m, core.t, core.before)
        found = find_mode(core, m)
        if status != 0 or (found != left and found != before) or found < 0:
            break
        if found != before and first < 0:
            first = found
        core.look *= 8.0
    if status == 0 and found == before and found >= 0 and first >= 0:
        put_elements(core, m, first)
    core.look = look
    is_first = status == 0 and core.cause >= 0 and core.settled == 1
    if is_first and find_mode(core, m) == core.mode_before:
        # as far as the selection can see nothing changes, and yet the element is beyond its corner
        count = flip_near(core, m)
        if count == 0:
            flip(core, m, core.cause)
    return status


@core_events.kernel
def tolerated(turn: Int) -> Float:
    """How far beyond zero a guard may be at a restart. Where many rounds find no mode, it is the
    rounding of the values before the event that no mode can make good."""
    allowed = RESTART.guard
    for _ in range((turn - 1) // SELECTION.look_aheads):
        allowed *= 10.0
    return allowed


@core_events.kernel
def beyond_by_rounding(core: Core, m: Floats, x: Floats) -> Int:
    """1 where all elements that are beyond their corners are so by less than the rounding of the
    largest unknown there ever was: where all sources pass zero together, no other size is left."""
    n = core.n
    largest = 0.0
    for i in range(n):
        largest = max(largest, core.ever[i])
    for e in range(core.element_count):
        element = core.elements[e]  # its unknown has been another quantity beyond the corner
        largest = max(largest, element.ever_below, element.ever_above)
    for e in range(core.element_count):
        i = core.elements[e].unknown
        size = max(core.size[i], core.floor[i], TINIEST)
        if guard_of(core, m, x, e) * size < -RESTART.round_off * largest:
            return 0
    return 1


@core_events.kernel
def holds_on(core: Core, mode: Mode, m: Floats, look: Float) -> Int:
    """0: rows that depend on each other agree at this instant and contradict each other at the next, as
    two sources do that a diode joins when they are equal. `trial` holds y a little later."""
    left = consistent_linear(core, mode, m, core.t + look, core.trial)
    consistent_linear(core, mode, m, core.t, core.y)  # the slope
    return 1 if left < RESTART.left_over else 0


@core_events.kernel
def is_again(core: Core) -> Int:
    """1: the element that fires has fired a moment ago, so what was chosen then was no answer. Currents
    of leaks are small beside all others, and two elements do not fire together because both are small."""
    near = RESTART.soon * core.visited[core.mode_before].mode.tau
    return 1 if core.settled_for == core.cause and core.t - core.settled_at < near else 0


@core_events.kernel
def is_hasty(core: Core, mode: Mode, m: Floats, look: Float) -> Int:
    """1: the selection may have looked too far. What would have ended by itself a moment later is cut off by
    an impulse, or an element begins on the wrong side of its corner."""
    if core.settled > 1 or core.nearer > RESTART.nearest:
        return 0
    if not jumps(core, mode, mode.tau) < RESTART.jump:
        return 1
    if mode.is_linear == 0:
        return 0
    return leaves(core, mode, m, look)


@core_events.kernel
def look_nearer(core: Core, m: Floats, number: Int) -> None:
    """Select again; if that leads nowhere, what was found first is right after all."""
    for i in range(core.n):
        core.before[i] = core.saved[i]
    core.renewed = 0
    if core.nearer == 0:
        core.hasty = number + 1
    core.nearer += 1
    if core.nearer > RESTART.nearest:
        put_elements(core, m, core.hasty - 1)


@core_events.kernel
def moves(core: Core, mode: Mode, i: Int) -> Int:
    """1: in a linear mode unknown i follows states."""
    if mode.is_linear == 0:
        return 0
    follow = mode.follow
    for j in range(mode.states):
        if follow[j * core.n + i] != 0.0:
            return 1
    return 0


@core_events.kernel
def clear_round_off(core: Core, mode: Mode, x: Floats) -> None:
    """What is zero but for rounding, and stays so in the mode, becomes zero: logic may wait for
    a current that has ended. Where leaks make amperes of nanovolts, nothing is rounding."""
    n = core.n
    if mode.is_graded == 1:
        return
    for i in range(n):
        least = RESTART.round_off * core.ever[i]
        rests = abs(core.slope[i]) * mode.tau <= RESTART.rests * least
        if abs(x[i]) <= least and rests and moves(core, mode, i) == 0:
            x[i] = 0.0


@core_events.kernel
def rests_below(core: Core, m: Floats, e: Int) -> Int:
    """1: element e, which a latch may hold and does not, is below its corner by nothing, in `y` and where the
    look-ahead ends."""
    if core.elements[e].held_slot < 0 or is_held(core, m, e) == 1:
        return 0
    if m[core.elements[e].bit_slot] > 0.5:
        return 0
    now = abs(guard_of(core, m, core.y, e))
    return 1 if now < RESTART.guard and abs(guard_of(core, m, core.trial, e)) < RESTART.guard else 0


@core_events.kernel
def take_mode(core: Core, m: Floats, number: Int, worst: Float) -> None:
    """The run goes on in this mode with the values in `y`; `worst` is their smallest guard."""
    mode = core.visited[number].mode
    y = core.y
    core.allowed = max(0.0, -worst)
    for i in range(core.n):
        core.trend[i] = core.slope[i]
    clear_round_off(core, mode, y)
    grow_core(core, mode, m, y, 1.0)
    if core.settled == 1:
        note_successor(core, number)
    core.settled_at = core.t
    core.settled_for = core.cause
    if core.mode_before < 0 and mode.tau > 0.0 and core.is_first_order == 0:
        core.h = min(core.h, RESTART.first_step * mode.tau)


@core_events.kernel
def settle(core: Core, m: Floats) -> Int:
    """At an event: the mode that comes next and the values it begins with, in `y`.

    `saved` holds the values before; `before` the ones a second round restarts from, should the mode that
    was found be violated after its jump.
    """
    n = core.n
    y = core.y
    saved = core.saved
    before = core.before
    if core.wanted < 0 and core.settled == 1:
        core.guess = 0
    while core.settled < RESTART.most_settled:
        if core.wanted < 0:
            core.is_guessed = 0
            if core.settled == 1:
                core.is_guessed = next_guess(core, m)
            failed = 0
            is_back = core.nearer == RESTART.nearest + 1  # the mode that was found first is there
            if is_back:
                core.nearer += 1
            elif core.is_guessed == 0:
                failed = resolve(core, m)
            if looks_nearer(core) == 1 and (failed != 0 or find_mode(core, m) == core.hasty - 1):
                look_nearer(core, m, core.hasty - 1)
                continue
            if failed != 0:
                return NO_MODE
        number = find_mode(core, m)
        is_single = core.is_guessed == 1 and core.guess != ALL_NEAR and core.guess != AS_IT_IS
        if number < 0 and is_single and is_again(core) == 0:
            continue  # not worth an analysis
        if core.is_guessed == 1 and number >= 0 and opens(core, number) == 1:
            core.wanted = -1
            continue
        core.mode = number
        if number < 0 or (core.visited[number].mode.is_linear == 0 and core.wanted < 0):
            core.wanted = 1
            return NEED_MODE
        if core.wanted < 0 and are_others(core, core.visited[number].mode, m) == 1:
            core.wanted = 1
            return NEED_MODE
        core.wanted = -1
        for i in range(n):
            y[i] = before[i]
        mode = core.visited[number].mode
        if mode.is_linear == 0:
            to_their_sides(core, mode, m, y)
        remember_core(core, m, saved)
        begin_parts(core, mode)
        left = consistent_core(core, mode, m, core.t, y)
        tick(core, mode, m, core.t, y)
        roughen(core, mode)
        measure_core(core, mode, y)
        look = look_of(core)
        if core.is_guessed == 1:
            if not left < RESTART.left_over or is_right(core, mode, m, look) == 0:
                continue
        elif not left < RESTART.left_over:
            if looks_nearer(core) == 1:
                look_nearer(core, m, number)
                continue
            if mode.is_linear == 1 or core.renewed >= RESTART.most_renewed:
                return CONTRADICTION
            # where F bends, matrices of the values before lead a part of the way
            core.renewed += 1
            for i in range(n):
                before[i] = y[i]
            core.wanted = 1
            return NEED_MODE
        elif mode.is_linear == 1 and look_ahead(core, mode, m, look) == 0:
            measure_core(core, mode, core.trial)
            if mode.tied > 0 and holds_on(core, mode, m, look) == 0:
                if looks_nearer(core) == 0:
                    return CONTRADICTION
                look_nearer(core, m, number)
                continue
        if core.is_guessed == 0 and is_hasty(core, mode, m, look) == 1:
            look_nearer(core, m, number)
            continue
        worst = worst_guard(core, m, y)
        is_fine = worst >= -tolerated(core.settled)
        if not is_fine and core.settled > SELECTION.look_aheads:
            is_fine = beyond_by_rounding(core, m, y) == 1
        if is_fine:
            take_mode(core, m, number, worst)
            return FINISHED
        if looks_nearer(core) == 1:
            look_nearer(core, m, number)
            continue
        core.settled += 1
        for i in range(n):
            before[i] = y[i]
    return NO_MODE
