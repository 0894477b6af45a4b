"""Impacts: crossings that make states jump, such as a ball that bounces.

    found = find_flight(loop)      # FLIES, SLOW: something may come to rest, or NOT_SETTLED

Three things go beyond a plain event. What is known of the impacts on each surface is kept, for
`zeno.py` to find out when flights become negligible. A crossing against the motion is round-off of the
step just after another impact: no impact must follow from it. And after an impact the residual is beyond zero
by round-off and on its way back: its status is that of the flight which begins, else the end of the flight
would be no event; the states move by as little as brings the residual to that side.

States before the event are in `loop.y`, after it in `loop.trial`; the memory before it is in `loop.saved`,
after it in `loop.after`.
"""

from __future__ import annotations

from math import inf, nan

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.events.iteration_kernels import settle, settling
from freewheel.runtime.events.location import residuals_here, sign
from freewheel.runtime.events.status_update import NOT_PLAIN, copy, hold
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.loop.point import place
from freewheel.runtime.thresholds import HOLD, LARGEST, ZENO

NOT_SETTLED, FLIES, SLOW = range(3)

impacts = KernelModule("impacts", settling)


@impacts.kernel
def see_residuals(loop: Loop, t: Float, y: Floats, out: Floats) -> None:
    """At a point, in the mode of the memory; not numbers where it cannot be evaluated."""
    place(loop, t, y)
    if loop.derivatives(loop.memory) == 0:
        residuals_here(loop, out)
        return
    for i in range(loop.relation_count):
        out[i] = nan


@impacts.kernel
def residual_at(loop: Loop, i: Int, y: Floats) -> Float:
    see_residuals(loop, loop.t, y, loop.residuals_found)
    return loop.residuals_found[i]


@impacts.kernel
def rates_along(loop: Loop, y: Floats, way: Floats, rates: Floats) -> None:
    """How fast residuals change along a way of the states in the mode of the memory, by differences."""
    n = loop.n
    near = loop.k[n:]
    before = loop.residuals_found
    step = ZENO.probe * (loop.stop - loop.start)
    for j in range(n):
        near[j] = y[j] - step * way[j]
    see_residuals(loop, loop.t - step, near, before)
    for j in range(n):
        near[j] = y[j] + step * way[j]
    see_residuals(loop, loop.t + step, near, rates)
    for i in range(loop.relation_count):
        rates[i] = (rates[i] - before[i]) / (2.0 * step)


@impacts.kernel
def residual_rate(loop: Loop, i: Int, memory: Floats, y: Floats) -> Float:
    """The same of one relation, along the motion of the mode in `memory`."""
    copy(loop.memory_size, memory, loop.memory)
    residual_at(loop, i, y)
    copy(loop.n, loop.memory[loop.derivatives_slot :], loop.k)
    rates_along(loop, y, loop.k, loop.residuals_beside)
    return loop.residuals_beside[i]


@impacts.kernel
def size_of(loop: Loop, i: Int) -> Float:
    """Of a residual."""
    return max(loop.sizes[i], ZENO.least_size)


@impacts.kernel
def crossings(loop: Loop) -> Int:
    count = 0
    for i in range(loop.relation_count):
        count += loop.which[i]
    return count


@impacts.kernel
def is_state(loop: Loop, j: Int) -> Int:
    """0: an unknown of an implicit core that is none."""
    return 1 if loop.stored_count == 0 else loop.is_stored[j]


@impacts.kernel
def jump_of_state(loop: Loop, j: Int) -> Float:
    """Beside an implicit core, zero where it is no more than making the core consistent does."""
    change = loop.trial[j] - loop.y[j]
    if loop.stored_count == 0:
        return change
    size = max(abs(loop.y[j]), abs(loop.trial[j]), loop.lately[j])
    return change if is_state(loop, j) == 1 and abs(change) > HOLD.moved * size else 0.0


@impacts.kernel
def has_moved(loop: Loop, before: Floats, after: Floats) -> Int:
    """1: states jump. Beside an implicit core most unknowns are none, and the others by more than what making
    the core consistent does to them."""
    for j in range(loop.n):
        if after[j] != before[j]:
            if loop.stored_count == 0:
                return 1
            size = max(abs(before[j]), abs(after[j]), loop.core.ever[j])
            if loop.is_stored[j] == 1 and abs(after[j] - before[j]) > HOLD.moved * size:
                return 1
    return 0


@impacts.kernel
def note_impact(loop: Loop, i: Int, is_alone: Int) -> Int:
    """1: so slow that something may come to rest. The memory after the event is in `loop.after`."""
    n = loop.n
    side = -sign(loop.residuals_crossing[i])  # whence it came
    first = side * residual_rate(loop, i, loop.after, loop.y)
    second = side * residual_rate(loop, i, loop.after, loop.trial)
    if not (abs(first) <= LARGEST and abs(second) <= LARGEST) or second <= first:
        return 0  # what does not drive away from the surface is no impact
    before = loop.impact_before[n * i :]
    direction = loop.impact_directions[n * i :]
    if is_alone == 1 or loop.impact_known[i] == 0:
        for j in range(n):
            direction[j] = jump_of_state(loop, j)
    copy(n, loop.y, before)
    loop.impact_known[i] = 1
    loop.impact_sides[i] = side
    loop.impact_times[i] = loop.t
    fastest = max(loop.impact_fastest[i], abs(first), abs(second))
    loop.impact_fastest[i] = fastest
    loop.impact_shares[i] = 0.0
    if first != 0.0:
        loop.impact_shares[i] = abs(second / first)
    ratio = 0.0
    if fastest > 0.0:
        ratio = abs(second) / fastest
    return 1 if ratio * ratio <= ZENO.roughly * loop.negligible_rise else 0


@impacts.kernel
def gradient_length(loop: Loop, i: Int, residual: Float) -> Float:
    """The gradient of a residual by states relative to their sizes, into `loop.k`; its square."""
    n = loop.n
    gradient = loop.k
    near = loop.k[n:]
    y = loop.trial
    copy(n, y, near)
    length = 0.0
    for j in range(n):
        gradient[j] = 0.0
        if is_state(loop, j) == 1:
            near[j] += ZENO.difference * max(abs(y[j]), ZENO.least_state)
            gradient[j] = (residual_at(loop, i, near) - residual) / ZENO.difference
            near[j] = y[j]
        length += gradient[j] * gradient[j]
    return length


@impacts.kernel
def move_over(loop: Loop, i: Int, side: Float) -> Float:
    """States (`loop.trial`) as near as possible whose residual is on the given side, in the mode of the
    memory; what round-off of the states may do to the residual."""
    n = loop.n
    y = loop.trial
    gradient = loop.k
    moved = loop.k[n:]
    residual = residual_at(loop, i, y)
    length = gradient_length(loop, i, residual)
    noise = 0.0
    for j in range(n):
        noise += ZENO.round_off * abs(gradient[j])
    if length > 0.0 and length <= LARGEST:
        share = 2.0 * max(abs(residual), ZENO.smallest * size_of(loop, i)) / length
        for _ in range(ZENO.doublings):
            for j in range(n):
                scale = max(abs(y[j]), ZENO.least_state)
                moved[j] = y[j] + side * share * scale * gradient[j]
            if residual_at(loop, i, moved) * side > 0.0:
                copy(n, moved, y)
                break
            share *= 2.0
    return noise if noise <= LARGEST else 0.0


@impacts.kernel
def is_against_motion(loop: Loop, i: Int) -> Int:
    """1: the crossing was round-off."""
    residual = loop.residuals_crossing[i]
    if loop.impact_known[i] == 0 or not abs(residual) <= loop.negligible_rise * size_of(loop, i):
        return 0
    return 1 if -sign(residual) * residual_rate(loop, i, loop.saved, loop.y) > 0.0 else 0


@impacts.kernel
def undo(loop: Loop, i: Int) -> None:
    """The states as they were, a little further on the way they go."""
    m = loop.memory
    residual = loop.residuals_crossing[i]
    side = -sign(residual)
    copy(loop.n, loop.y, loop.trial)
    copy(loop.memory_size, loop.saved, m)
    noise = move_over(loop, i, side)
    loop.bands[i] = max(4.0 * noise, 4.0 * abs(residual))
    copy(loop.memory_size, loop.saved, m)
    m[loop.status_slots[i]] = side
    hold(loop)
    copy(loop.memory_size, m, loop.after)


@impacts.kernel
def settle_on_side(loop: Loop, i: Int, side: Float) -> Int:
    """The relation is put on a side and all else follows, from `loop.after`. 0: nothing settles; 1: states
    jump; 2: fine, and the memory shows it."""
    m = loop.memory
    copy(loop.memory_size, loop.after, m)
    place(loop, loop.t, loop.trial)
    m[loop.status_slots[i]] = side
    band = loop.bands[i]
    loop.bands[i] = inf
    loop.errors_heard = 0
    rounds = settle(loop, 0)
    if rounds == 0 and loop.iteration_outcome == NOT_PLAIN:
        copy(loop.memory_size, loop.after, m)
        place(loop, loop.t, loop.trial)
        m[loop.status_slots[i]] = side
        loop.is_thorough = 1
        rounds = settle(loop, 0)
        loop.is_thorough = 0
    loop.bands[i] = band
    if rounds == 0 or loop.errors_heard == 1:
        return 0
    for j in range(loop.n):
        if m[loop.states_slot + j] != loop.trial[j]:
            return 1
    return 2


@impacts.kernel
def turn_back(loop: Loop, i: Int) -> Int:
    """The status of the flight that begins; 0: nothing settles."""
    copy(loop.memory_size, loop.after, loop.memory)
    residual = residual_at(loop, i, loop.trial)
    side = sign(residual_rate(loop, i, loop.after, loop.trial))
    limit = loop.negligible_rise * size_of(loop, i)
    if side == 0.0 or residual * side > 0.0 or not abs(residual) <= limit:
        return 1
    way = settle_on_side(loop, i, side)
    if way == 2:
        copy(loop.memory_size, loop.memory, loop.after)
        loop.bands[i] = 4.0 * move_over(loop, i, side)
    return 0 if way == 0 else 1


@impacts.kernel
def find_flight(loop: Loop) -> Int:
    """`loop.trial` and `loop.after` become what goes on; SLOW: that is for `holding.py` to find."""
    r = loop.relation_count
    which = loop.which
    detail = loop.log_detail
    is_alone = 1 if crossings(loop) == 1 else 0
    for i in range(r):
        if which[i] == 1:
            loop.has_jumped[i] = 1
            if is_alone == 1 and is_against_motion(loop, i) == 1:
                undo(loop, i)
                return FLIES
    for i in range(r):
        if which[i] == 1 and note_impact(loop, i, is_alone) == 1:
            return SLOW
    loop.log_detail = 0
    found = FLIES
    for i in range(r):
        if which[i] == 1 and found == FLIES and turn_back(loop, i) == 0:
            found = NOT_SETTLED
    loop.log_detail = detail
    return found
