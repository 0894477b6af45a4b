"""Impacts: crossings that make states jump by `reinit`, such as a ball that bounces.

    found = find_flight(loop)      # FLIES, or SLOW: something may come to rest

Three things go beyond other events. The data of the impacts on each surface are kept, for `zeno.py` to find
when flights become negligible. A crossing against the motion is rounding of the step after another impact,
and no impact may follow from it. And after an impact the residual is beyond zero by rounding and on its way
back: its status becomes that of the flight which begins, or else its end would be no event, and the states
move by as little as brings the residual to that side.

States before the event are in `loop.y`, after it in `loop.trial`; the memory before it is in `loop.saved`,
after it in `loop.after`.
"""

from __future__ import annotations

from math import inf, nan

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.events.iteration_kernels import (
    copy,
    count_marked,
    drop_collected,
    drop_messages,
    iteration,
    settle,
    size_of,
    store_pre,
)
from freewheel.runtime.events.location import residuals_here, sign
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.loop.point import place
from freewheel.runtime.thresholds import LARGEST, SLIDING, ZENO

FLIES, SLOW = 1, 2

impacts = KernelModule("impacts", iteration)


@impacts.kernel
def evaluate_residuals(loop: Loop, t: Float, y: Floats, out: Floats) -> None:
    """At a point, in the mode of the memory; NaN where it cannot be evaluated."""
    place(loop, t, y)
    if loop.derivatives(loop.memory) == 0:
        residuals_here(loop, out)
    else:
        for i in range(loop.relation_count):
            out[i] = nan


@impacts.kernel
def residual_at(loop: Loop, i: Int, y: Floats) -> Float:
    evaluate_residuals(loop, loop.t, y, loop.residuals_found)
    return loop.residuals_found[i]


@impacts.kernel
def rates_along(loop: Loop, y: Floats, way: Floats, rates: Floats) -> None:
    """Rates of the residuals along a direction of the states in the mode of the memory, by differences."""
    n = loop.n
    near = loop.k[n:]
    before = loop.residuals_found
    step = ZENO.probe * (loop.stop - loop.start)
    for j in range(n):
        near[j] = y[j] - step * way[j]
    evaluate_residuals(loop, loop.t - step, near, before)
    for j in range(n):
        near[j] = y[j] + step * way[j]
    evaluate_residuals(loop, loop.t + step, near, rates)
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
def is_state(loop: Loop, j: Int) -> Int:
    """0: an unknown of an implicit core that is no state."""
    return 1 if loop.stored_count == 0 else loop.is_stored[j]


@impacts.kernel
def jump_of_state(loop: Loop, j: Int) -> Float:
    """Beside an implicit core it is zero within what the consistent restart of the core does."""
    change = loop.trial[j] - loop.y[j]
    if loop.stored_count == 0:
        return change
    size = max(abs(loop.y[j]), abs(loop.trial[j]), loop.lately[j])
    return change if is_state(loop, j) == 1 and abs(change) > SLIDING.moved * size else 0.0


@impacts.kernel
def has_moved(loop: Loop, before: Floats, after: Floats) -> Int:
    """1: states jump; beside an implicit core by more than what its consistent restart does."""
    for j in range(loop.n):
        if after[j] != before[j]:
            if loop.stored_count == 0:
                return 1
            size = max(abs(before[j]), abs(after[j]), loop.core.ever[j])
            if loop.is_stored[j] == 1 and abs(after[j] - before[j]) > SLIDING.moved * size:
                return 1
    return 0


@impacts.kernel
def note_impact(loop: Loop, i: Int, is_alone: Int) -> Int:
    """Keeps the data of an impact; 1: it is so slow that something may come to rest."""
    n = loop.n
    side = -sign(loop.residuals_crossing[i])  # of the residual before
    first = side * residual_rate(loop, i, loop.after, loop.y)
    second = side * residual_rate(loop, i, loop.after, loop.trial)
    if not (abs(first) <= LARGEST and abs(second) <= LARGEST) or second <= first:
        return 0  # an impact drives away from the surface
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
    loop.impact_shares[i] = abs(second / first) if first != 0.0 else 0.0
    ratio = abs(second) / fastest if fastest > 0.0 else 0.0
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
def move_to_side(loop: Loop, i: Int, side: Float) -> Float:
    """Moves the states (`loop.trial`) to the nearest ones whose residual is on the given side, in the mode of
    the memory; returns the change of the residual by rounding of the states."""
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
    """1: the crossing is rounding."""
    residual = loop.residuals_crossing[i]
    if loop.impact_known[i] == 0 or not abs(residual) <= loop.negligible_rise * size_of(loop, i):
        return 0
    return 1 if -sign(residual) * residual_rate(loop, i, loop.saved, loop.y) > 0.0 else 0


@impacts.kernel
def move_back(loop: Loop, i: Int) -> None:
    """The states before the crossing, on the side where the motion goes."""
    m = loop.memory
    residual = loop.residuals_crossing[i]
    side = -sign(residual)
    copy(loop.n, loop.y, loop.trial)
    copy(loop.memory_size, loop.saved, m)
    noise = move_to_side(loop, i, side)
    loop.bands[i] = max(4.0 * noise, 4.0 * abs(residual))
    copy(loop.memory_size, loop.saved, m)
    m[loop.status_slots[i]] = side
    store_pre(loop)
    copy(loop.memory_size, m, loop.after)


@impacts.kernel
def settle_on_sides(loop: Loop, memory: Floats, out: Floats) -> Int:
    """Puts relations on the sides in `loop.wanted` and settles all else, from a memory at the event; 1: `out`
    is that mode. 0: states jump, the model raises an error, or nothing settles. `loop.memory` is undefined
    then."""
    r = loop.relation_count
    copy(loop.memory_size, memory, loop.memory)
    place(loop, loop.t, loop.trial)
    copy(r, loop.bands, loop.kept_bands)
    for i in range(r):
        if loop.wanted[i] != 0.0:
            loop.memory[loop.status_slots[i]] = loop.wanted[i]
            loop.bands[i] = inf
    collects = loop.collects
    collected = loop.collected
    loop.collects = 1
    drop_messages(loop)
    rounds = settle(loop, 0)
    loop.collects = collects
    drop_collected(loop, collected)
    for i in range(r):
        if loop.wanted[i] != 0.0:
            loop.bands[i] = loop.kept_bands[i]
    fine = 1 if rounds > 0 and loop.has_errors == 0 else 0
    if fine == 1:
        fine = 1 - has_moved(loop, loop.trial, loop.memory[loop.states_slot :])
    if fine == 1:
        copy(loop.memory_size, loop.memory, out)
    drop_messages(loop)
    return fine


@impacts.kernel
def clear_wanted(loop: Loop) -> None:
    for i in range(loop.relation_count):
        loop.wanted[i] = 0.0


@impacts.kernel
def set_flight_status(loop: Loop, i: Int) -> None:
    """The status of the flight that begins, if all else settles with it."""
    copy(loop.memory_size, loop.after, loop.memory)
    residual = residual_at(loop, i, loop.trial)
    side = sign(residual_rate(loop, i, loop.after, loop.trial))
    limit = loop.negligible_rise * size_of(loop, i)
    if side == 0.0 or residual * side > 0.0 or not abs(residual) <= limit:
        return
    clear_wanted(loop)
    loop.wanted[i] = side
    if settle_on_sides(loop, loop.after, loop.after) == 1:
        loop.bands[i] = 4.0 * move_to_side(loop, i, side)


@impacts.kernel
def find_flight(loop: Loop) -> Int:
    """FLIES: `loop.trial` and `loop.after` are where the motion goes on; SLOW: `transitions.py` decides
    it."""
    which = loop.which
    is_alone = 1 if count_marked(loop.relation_count, which) == 1 else 0
    for i in range(loop.relation_count):
        if which[i] == 1:
            loop.has_jumped[i] = 1
            if is_alone == 1 and is_against_motion(loop, i) == 1:
                move_back(loop, i)
                return FLIES
    for i in range(loop.relation_count):
        if which[i] == 1 and note_impact(loop, i, is_alone) == 1:
            return SLOW
    detail = loop.log_detail
    loop.log_detail = 0
    for i in range(loop.relation_count):
        if which[i] == 1:
            set_flight_status(loop, i)
    loop.log_detail = detail
    return FLIES
