"""Ambiguous events: could an event have ended otherwise? Then the model does not say what happens.

    has_rivals(loop)      # 1: it could; where both ways lead is in `tried`

Friction that sticks stronger than it slides can leave several ways open: two blocks that both may break
loose, or one of them, and each way agrees with all equations (document "Hybrid"; Glocker and Pfeiffer
1993). Which one is found depends on the order of iteration. So where several components have switched at
one event, the event is gone through again with one relation at a time taking its side, from the first to
the last and from the last to the first. If that settles elsewhere, both ends go on for two small steps:
rounding, states that only wait, what is late by one step and names that differ decide nothing then. Where
both are still apart, both are legal. `events/ambiguity.py` tells it.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.events.iteration_kernels import settle, settling
from freewheel.runtime.events.status_update import (
    copy,
    evaluate_discrete,
    follow,
    follow_one,
    hold,
    is_back,
    moved,
)
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.loop.point import place
from freewheel.runtime.thresholds import AMBIGUITY

rivals = KernelModule("rivals", settling)

NOTHING, SETTLED, CHOSEN = 0, 1, 2


@rivals.kernel
def several_switched(loop: Loop, saved: Floats) -> Int:
    """1 where discrete values of several components have changed."""
    values = loop.pair_slots
    homes = loop.homes
    first = -1
    for i in range(loop.pairs):
        if homes[i] >= 0 and loop.memory[values[i]] != saved[values[i]]:
            if first >= 0 and homes[i] != first:
                return 1
            first = homes[i]
    return 0


@rivals.kernel
def mark_resting(loop: Loop, rests: Floats) -> Int:
    """What has just become zero counts as zero; how many."""
    count = 0
    for i in range(loop.relation_count):
        if abs(loop.memory[loop.residual_slots[i]]) <= AMBIGUITY.noise * loop.sizes[i]:
            rests[i] = 1.0
            loop.memory[loop.status_slots[i]] = 0.0
            count += 1
    return count


@rivals.kernel
def one_by_one(loop: Loop, is_first: Int, with_rests: Int) -> Int:
    """From the memory before the event: NOTHING where it does not settle; SETTLED, and 2 more where
    several relations disagreed at once."""
    m = loop.memory
    rests = loop.residuals_found
    choice = 0
    place(loop, loop.t, loop.y)
    if loop.derivatives(m) != 0 or loop.outputs(m) != 0:
        return NOTHING
    hold(loop)
    if loop.relations(m) != 0:
        return NOTHING
    for i in range(loop.relation_count):
        rests[i] = 0.0
    if with_rests == 1 and mark_resting(loop, rests) == 0:
        return NOTHING  # it has been gone through
    if follow_one(loop, is_first, rests) > 1:
        choice = CHOSEN
    for turn in range(loop.most_rounds):
        loop.alternative_rounds -= 1
        if is_back(loop, turn, 1) == 1:
            return choice
        if evaluate_discrete(loop) != 0:
            return choice
        changes = moved(loop)
        count = follow_one(loop, is_first, rests)
        if count > 1:
            choice = CHOSEN
        if count == 0 and changes == 0:
            return SETTLED + choice
        hold(loop)
        if loop.relations(m) != 0:
            return choice
        if follow_one(loop, is_first, rests) > 1:
            choice = CHOSEN
    return choice


@rivals.kernel
def ends_elsewhere(m: Floats, loop: Loop, after: Floats) -> Int:
    values = loop.pair_slots
    for i in range(loop.pairs):
        if loop.homes[i] >= 0 and m[values[i]] != after[values[i]]:
            return 1
    return 0


@rivals.kernel
def go_on_a_moment(loop: Loop) -> Int:
    """Two small steps from the memory; 1: that has no solution."""
    m = loop.memory
    t = loop.t
    for _ in range(2):
        if loop.derivatives(m) != 0:
            return 1
        t += loop.moment
        for i in range(loop.n):
            loop.trial[i] = m[loop.states_slot + i] + loop.moment * m[loop.derivatives_slot + i]
        place(loop, t, loop.trial)
        if loop.derivatives(m) != 0:
            return 1
        if loop.relations(m) != 0:
            return 1
        follow(loop, 0)
        if settle(loop, 0) == 0:
            return 1
    return 0


@rivals.kernel
def moves_alike(loop: Loop, one: Floats, other: Floats) -> Int:
    """1: a name that differs is no other way where nothing moves otherwise."""
    size = 0.0
    apart = 0.0
    for i in range(loop.n):
        here = one[loop.derivatives_slot + i]
        there = other[loop.derivatives_slot + i]
        size = max(size, abs(here), abs(there))
        if not abs(here - there) <= apart:
            apart = abs(here - there)
    return 1 if apart <= AMBIGUITY.same * size else 0


@rivals.kernel
def are_apart(loop: Loop) -> Int:
    """1: what is in the memory and the end that was taken (`after`) go different ways; 0 also where one of
    them has no solution."""
    m = loop.memory
    other = loop.tried[loop.memory_size :]
    taken = other[loop.memory_size :]
    loop.is_thorough = 1
    failed = go_on_a_moment(loop)
    copy(loop.memory_size, m, other)
    copy(loop.memory_size, loop.after, m)
    if failed == 0:
        failed = go_on_a_moment(loop)
    loop.is_thorough = 0
    copy(loop.memory_size, m, taken)
    if failed != 0 or ends_elsewhere(taken, loop, other) == 0:
        return 0
    return 1 - moves_alike(loop, taken, other)


@rivals.kernel
def goes_otherwise(loop: Loop) -> Int:
    """1: one of the other ways through the event, from the memory `saved`, leads elsewhere than `after`."""
    m = loop.memory
    way = CHOSEN
    for trial in range(4):
        is_first = 1 if trial % 2 == 0 else 0
        if is_first == 1 or way >= CHOSEN:  # else the order made no difference
            copy(loop.memory_size, loop.saved, m)
            rests = 1 if trial >= 2 else 0
            way = one_by_one(loop, is_first, rests)
            is_elsewhere = way % 2 == SETTLED and ends_elsewhere(m, loop, loop.after) == 1
            if is_elsewhere and are_apart(loop) == 1:
                return 1
    return 0


@rivals.kernel
def has_rivals(loop: Loop) -> Int:
    """1 where the event that has just settled may go on otherwise. The memory, bands and `trial` stay; nobody
    listens to what trials say."""
    m = loop.memory
    r = loop.relation_count
    if loop.alternatives_left == 0 or several_switched(loop, loop.saved) == 0:
        return 0
    loop.alternatives_left -= 1
    detail = loop.log_detail
    loop.log_detail = 0
    loop.listens = 1
    copy(loop.memory_size, m, loop.after)
    copy(r, loop.bands, loop.kept_bands)
    copy(r, loop.forgiven, loop.kept_bands[r:])
    found = goes_otherwise(loop)
    copy(r, loop.kept_bands, loop.bands)
    copy(r, loop.kept_bands[r:], loop.forgiven)
    copy(loop.memory_size, loop.after, m)
    copy(loop.n, m[loop.states_slot :], loop.trial)
    loop.listens = 0
    loop.log_detail = detail
    if loop.message_watch > 0:
        loop.forget_messages(loop)
    if loop.alternative_rounds <= 0:
        loop.alternatives_left = 0
    return found


@rivals.kernel
def has_rivals_from(loop: Loop, t: Float, memory: Floats) -> Int:
    """As `has_rivals`, of an event that Python has dealt with; `memory`: before it, with the states there."""
    loop.t = t
    copy(loop.memory_size, memory, loop.saved)
    copy(loop.n, memory[loop.states_slot :], loop.y)
    return has_rivals(loop)
