"""Could an event have ended otherwise? Its discrete equations are gone through one relation at a time.

    has_rivals(discrete, derivatives, outputs, relations, m, w, c, log)      # 1: perhaps

Where that ends otherwise, both ends go on for a small while: states that only wait, and names that differ,
decide nothing then. The rules are those of `event/rivals.py`, which tells the user if two ways are left.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Floats, Int
from freewheel.runtime.kernels.following import (
    copy,
    evaluate_discrete,
    follow,
    follow_one,
    hold,
    is_back,
    moved,
)
from freewheel.runtime.kernels.loop import Loop
from freewheel.runtime.kernels.point import place
from freewheel.runtime.kernels.settle import settle, settling

rivals = KernelModule("rivals", settling)

NOISE = 1e-12  # these two as in `event/rivals.py`
SAME = 1e-5
NOTHING, SETTLED, CHOSEN = 0, 1, 2


@rivals.kernel
def several_switched(loop: Loop, saved: Floats) -> Int:
    """1 where discrete values of several components have changed."""
    m = loop.memory
    values = loop.pair_slots
    homes = loop.homes
    first = -1
    for i in range(loop.pairs):
        if homes[i] >= 0 and m[values[i]] != saved[values[i]]:
            if first >= 0 and homes[i] != first:
                return 1
            first = homes[i]
    return 0


@rivals.kernel
def mark_resting(loop: Loop, rests: Floats) -> Int:
    """What has just become zero counts as zero; how many."""
    m = loop.memory
    r = loop.relation_count
    sizes = loop.sizes
    slots = loop.residual_slots
    statuses = loop.status_slots
    count = 0
    for i in range(r):
        if abs(m[slots[i]]) <= NOISE * sizes[i]:
            rests[i] = 1.0
            m[statuses[i]] = 0.0
            count += 1
    return count


@rivals.kernel
def one_by_one(loop: Loop, is_first: Int, with_rests: Int) -> Int:
    """From the memory before the event: NOTHING where it does not settle; SETTLED, and 2 more where
    several relations disagreed at once."""
    m = loop.memory
    r = loop.relation_count
    y = loop.y
    rests = loop.residuals_found
    choice = 0
    place(loop, loop.t, y)
    if loop.derivatives(m) != 0 or loop.outputs(m) != 0:
        return NOTHING
    hold(loop)
    if loop.relations(m) != 0:
        return NOTHING
    for i in range(r):
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
    homes = loop.homes
    for i in range(loop.pairs):
        if homes[i] >= 0 and m[values[i]] != after[values[i]]:
            return 1
    return 0


@rivals.kernel
def go_on_a_moment(loop: Loop) -> Int:
    """Two small steps from the memory; 1: that has no solution."""
    m = loop.memory
    n = loop.n
    t = loop.t
    x = loop.trial
    for _ in range(2):
        if loop.derivatives(m) != 0:
            return 1
        t += loop.moment
        for i in range(n):
            x[i] = m[loop.states_slot + i] + loop.moment * m[loop.derivatives_slot + i]
        place(loop, t, x)
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
    return 1 if apart <= SAME * size else 0


@rivals.kernel
def are_apart(loop: Loop) -> Int:
    """1: what is in the memory and the end that was taken (AT_AFTER) go different ways, or nobody knows."""
    m = loop.memory
    other = loop.tried[loop.memory_size :]
    taken = other[loop.memory_size :]
    copy(loop.memory_size, m, other)
    loop.is_thorough = 1
    failed = go_on_a_moment(loop)
    copy(loop.memory_size, m, other)
    copy(loop.memory_size, loop.after, m)
    if failed == 0:
        failed = go_on_a_moment(loop)
    loop.is_thorough = 0
    copy(loop.memory_size, m, taken)
    if failed != 0:
        return 1
    if ends_elsewhere(taken, loop, other) == 0:
        return 0
    return 1 - moves_alike(loop, taken, other)


@rivals.kernel
def has_rivals(loop: Loop) -> Int:
    """1 where the event that has just settled may go on otherwise. The memory and TRIAL stay."""
    m = loop.memory
    n = loop.n
    saved = loop.saved
    if loop.alternatives_left == 0 or several_switched(loop, saved) == 0:
        return 0
    loop.alternatives_left -= 1
    after = loop.after
    copy(loop.memory_size, m, after)
    detail = loop.log_detail
    loop.log_detail = 0
    found = 0
    way = CHOSEN
    for trial in range(4):
        is_first = 1 if trial % 2 == 0 else 0
        if found == 0 and (is_first == 1 or way >= CHOSEN):
            copy(loop.memory_size, saved, m)
            rests = 1 if trial >= 2 else 0
            way = one_by_one(loop, is_first, rests)
            if way % 2 == SETTLED and ends_elsewhere(m, loop, after) == 1:
                found = are_apart(loop)
    copy(loop.memory_size, after, m)
    copy(n, m[loop.states_slot :], loop.trial)
    loop.log_detail = detail
    if loop.alternative_rounds <= 0:
        loop.alternatives_left = 0
    return found
