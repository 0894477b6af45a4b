"""Modes worth a try before all elements are decided together, and whether one of them is right.

Most events repeat others: an element fires and the mode that followed the last time follows again, or
the elements at their corners change sides, or what a switch does leaves all elements where they are.
A guess is right if the restart needs no impulse, all elements are on their sides, and still are after
a small step; a selection among all modes would find the same and costs much more. Linear modes only.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.linear.dense_lu import lu_factor, lu_solve
from freewheel.runtime.switched_dae.linear_modes import (
    add_scaled,
    consistent_linear,
    linear_rates_at,
)
from freewheel.runtime.switched_dae.memory import Core, Mode
from freewheel.runtime.switched_dae.mode_selection import core_select, hold_elements
from freewheel.runtime.switched_dae.scaling import guard_of, measure_core, worst_guard
from freewheel.runtime.switched_dae.thresholds import RESTART
from freewheel.runtime.switched_dae.undetermined import choose_open
from freewheel.runtime.thresholds import TINIEST

core_guess = KernelModule("core_guess", core_select)

AS_IT_IS, AS_LAST_TIME, ALL_NEAR, THE_ONE = range(1, 5)


@core_guess.kernel
def key_of(core: Core, m: Floats, word: Int) -> Int:
    key = 0
    for b in range(62 * word, min(62 * word + 62, core.bit_count)):
        key = 2 * key + (1 if m[core.bits + b] > 0.5 else 0)
    return key


@core_guess.kernel
def find_mode(core: Core, m: Floats) -> Int:
    """The number of the mode of the present bits, -1: not visited before. 62 bits to an integer."""
    words = (core.bit_count + 61) // 62
    first = key_of(core, m, 0)
    visited = core.visited
    for number in range(core.mode_count):
        if visited[number].key == first:
            same = 1
            for word in range(1, words):
                if visited[number].mode.key[word] != key_of(core, m, word):
                    same = 0
            if same == 1:
                return number
    return -1


@core_guess.kernel
def put_elements(core: Core, m: Floats, number: Int) -> None:
    """The elements, not the model's own switches, as they are in a mode."""
    mode = core.visited[number].mode
    for e in range(core.element_count):
        b = core.elements[e].bit
        last = min(62 * (b // 62) + 62, core.bit_count) - 1
        m[core.bits + b] = float((mode.key[b // 62] >> (last - b)) & 1)


@core_guess.kernel
def flip(core: Core, m: Floats, e: Int) -> None:
    slot = core.elements[e].bit_slot
    m[slot] = 0.0 if m[slot] > 0.5 else 1.0


@core_guess.kernel
def flip_near(core: Core, m: Floats) -> Int:
    """Elements that were beyond their corners in the last step and are near them now change sides; how
    many. Sides are those before the event."""
    count = 0
    for e in range(core.element_count):
        near = abs(guard_of(core, m, core.saved, e)) < RESTART.near
        if near and core.elements[e].is_marked == 1:
            flip(core, m, e)
            count += 1
    return count


@core_guess.kernel
def next_guess(core: Core, m: Floats) -> Int:
    """Put the next guess into the bits; 0: none is left, the elements are as before the event."""
    n = core.n
    k = core.element_count
    before = core.mode_before
    if core.is_linear == 0 or before < 0 or k == 0 or core.guess > THE_ONE:
        return 0
    hold_elements(core, m)
    if core.guess == 0:
        core.guess = AS_IT_IS
        if core.cause < 0 or find_mode(core, m) != before:
            return 1
    elif core.guess == AS_IT_IS and core.cause >= 0:
        put_elements(core, m, before)
        hold_elements(core, m)
    if core.cause < 0 and core.guess == AS_IT_IS:
        core.guess = AS_LAST_TIME
        follower = core.visited[before].mode.by_logic - 1
        if follower >= 0:
            put_elements(core, m, follower)
            hold_elements(core, m)
            if find_mode(core, m) == follower:
                return 1
    if core.cause < 0 or core.cause >= n or find_mode(core, m) == -1:
        put_elements(core, m, before)
        core.guess = THE_ONE + 1
        return 0
    if core.guess == AS_IT_IS:
        core.guess = AS_LAST_TIME
        follower = core.visited[before].mode.successor[core.cause] - 1
        if follower >= 0:
            put_elements(core, m, follower)
            hold_elements(core, m)
            return 1
    if core.guess == AS_LAST_TIME:
        core.guess = ALL_NEAR
        put_elements(core, m, before)
        count = flip_near(core, m)
        hold_elements(core, m)
        if count > 1:
            return 1
    put_elements(core, m, before)
    if core.guess == ALL_NEAR:
        core.guess = THE_ONE
        flip(core, m, core.cause)
        hold_elements(core, m)
        return 1
    core.guess = THE_ONE + 1
    hold_elements(core, m)
    return 0


@core_guess.kernel
def opens(core: Core, number: Int) -> Int:
    """1: a guess would leave more open than before, which should be the work of a selection."""
    if core.guess == AS_LAST_TIME:
        return 0
    before = core.visited[core.mode_before].mode
    after = core.visited[number].mode
    return 1 if after.open_count > before.open_count else 0


@core_guess.kernel
def note_successor(core: Core, number: Int) -> None:
    """What followed on an element's firing, or on a switch, may follow again."""
    n = core.n
    if core.mode_before >= 0 and core.cause < 0:
        core.visited[core.mode_before].mode.by_logic = number + 1
    if core.mode_before >= 0 and core.cause >= 0 and core.cause < n:
        core.visited[core.mode_before].mode.successor[core.cause] = number + 1


@core_guess.kernel
def look_of(core: Core) -> Float:
    """How far ahead a selection looks."""
    look = core.look
    if core.mode_before >= 0 and core.visited[core.mode_before].mode.tau > 0.0:
        look = RESTART.look_ahead * core.visited[core.mode_before].mode.tau
    return min(look, 0.01 * core.h)


@core_guess.kernel
def jumps(core: Core, mode: Mode, tau: Float) -> Float:
    """The largest impulse of a restart, beside what the rows may store."""
    n = core.n
    y = core.y
    saved = core.saved
    e = mode.matrices[n * n :]
    rows = mode.level_scale
    part_of = mode.row_part
    largest = 0.0
    for i in range(n):
        total = 0.0
        for j in range(n):
            total += e[i * n + j] * (y[j] - saved[j])
        size = core.parts[part_of[i]]
        if total != 0.0:
            largest = max(largest, abs(total) * rows[i] / tau / max(size, TINIEST))
    return largest


@core_guess.kernel
def look_ahead(core: Core, mode: Mode, m: Floats, h: Float) -> Int:
    """`trial` becomes y after a step of backward Euler from `y`; 0: done. It shows what is large: where a
    diode carried the only current, nothing but rounding is left at its corner."""
    n = core.n
    d = mode.states
    y = core.y
    z = core.z
    g = core.p
    trial = core.trial
    motion = mode.motion
    follow = mode.follow
    matrix = core.matrix
    if linear_rates_at(core, mode, m, core.t + h, y, z, g) != 0:
        return 1
    for i in range(d * d):
        matrix[i] = -motion[i]
    for i in range(d):
        matrix[i * d + i] += 1.0 / h
    core.factor_count += 1
    if lu_factor(d, matrix, core.basis) != 0:
        return 1
    lu_solve(d, matrix, core.basis, g)
    for i in range(n):
        trial[i] = y[i] + z[i]
    for j in range(d):
        add_scaled(n, g[j], follow[j * n :], trial)
    if mode.is_singular == 1:
        choose_open(core, mode, m, trial)
    return 0


@core_guess.kernel
def leaves(core: Core, mode: Mode, m: Floats, h: Float) -> Int:
    """1: an element that is at its corner in `y` is beyond it a moment later, though it may have come back
    where a look-ahead ends: what seems to happen at once takes its time."""
    y = core.y
    trial = core.trial
    count = 0
    for e in range(core.element_count):
        if e != core.cause and guard_of(core, m, y, e) < RESTART.near:
            count += 1
    if count == 0 or look_ahead(core, mode, m, h / RESTART.nearer_by) != 0:
        return 0
    for e in range(core.element_count):
        near = e != core.cause and guard_of(core, m, y, e) < RESTART.near
        if near and guard_of(core, m, trial, e) < -RESTART.guard:
            return 1
    return 0


@core_guess.kernel
def are_others(core: Core, mode: Mode, m: Floats) -> Int:
    """1: the matrices of a linear mode are no longer those that were analysed. They are constant between
    events; at an event something beside the core may have switched."""
    n = core.n
    square = n * n
    now = core.both
    known = mode.matrices
    y = core.saved
    slope = core.slope
    rows = mode.level_scale
    column = mode.column
    if core.jacobians(m, core.t, y, slope, now) != 0:
        return 0
    for i in range(n):
        for j in range(n):
            k = i * n + j
            apart = abs(now[k] - known[k]) + abs(now[square + k] - known[square + k]) / mode.tau
            if apart * rows[i] * column[j] > RESTART.same:
                return 1
    return 0


@core_guess.kernel
def is_right(core: Core, mode: Mode, m: Floats, h: Float) -> Int:
    """1: the mode, with the values `y` that follow on `saved`, is what comes next."""
    y = core.y
    trial = core.trial
    if not jumps(core, mode, mode.tau) < (RESTART.jump if core.cause >= 0 else RESTART.rounded):
        return 0
    if look_ahead(core, mode, m, h) != 0:
        return 0
    measure_core(core, mode, trial)
    if not worst_guard(core, m, y) >= -RESTART.guard:
        return 0
    if mode.tied > 0:  # what agrees at this instant may contradict itself at the next
        left = consistent_linear(core, mode, m, core.t + h, trial)
        consistent_linear(core, mode, m, core.t, y)  # the slope
        if not left < RESTART.left_over:
            return 0
    if not worst_guard(core, m, trial) >= -RESTART.guard:
        return 0
    if core.cause >= 0 and not guard_of(core, m, trial, core.cause) > 0.0:
        return 0
    return 1 - leaves(core, mode, m, h)
