"""Could an event have ended otherwise? Its discrete equations are gone through one relation at a time.

    has_rivals(discrete, derivatives, outputs, relations, m, w, c, log)      # 1: perhaps

Where that ends otherwise, both ends go on for a small while: states that only wait, and names that differ,
decide nothing then. The rules are those of `event/rivals.py`, which tells the user if two ways are left.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Floats, Int, Ints, Section
from freewheel.runtime.kernels.circles import copy
from freewheel.runtime.kernels.following import (
    SNAPSHOTS,
    evaluate_discrete,
    follow,
    follow_one,
    hold,
    is_back,
    moved,
)
from freewheel.runtime.kernels.places import (
    AT_AFTER,
    AT_HOMES,
    AT_PAIRS,
    AT_RESIDUAL,
    AT_RESIDUALS,
    AT_SAVED,
    AT_STATUS,
    AT_TRIED,
    DERIVATIVES,
    HEAD,
    LOG_DETAIL,
    LOOK_ROUNDS,
    LOOKS,
    MEMORY,
    MOMENT,
    PAIRS,
    R_FOUND,
    R_SIZES,
    RELATIONS,
    STATES,
    THOROUGH,
    TRIAL,
    N,
    T,
    Y,
)
from freewheel.runtime.kernels.point import place
from freewheel.runtime.kernels.settle import settle_plainly, settling

rivals = KernelModule("rivals", settling)

NOISE = 1e-12  # these two as in `event/rivals.py`
SAME = 1e-5
NOTHING, SETTLED, CHOSEN = 0, 1, 2


@rivals.kernel
def several_switched(m: Floats, c: Ints, saved: Floats) -> Int:
    """1 where discrete values of several components have changed."""
    values = c[c[AT_PAIRS] :]
    homes = c[c[AT_HOMES] :]
    first = -1
    for i in range(c[PAIRS]):
        if homes[i] >= 0 and m[values[i]] != saved[values[i]]:
            if first >= 0 and homes[i] != first:
                return 1
            first = homes[i]
    return 0


@rivals.kernel
def mark_resting(m: Floats, w: Floats, c: Ints, rests: Floats) -> Int:
    """What has just become zero counts as zero; how many."""
    r = c[RELATIONS]
    sizes = w[c[AT_RESIDUALS] + R_SIZES * r :]
    slots = c[c[AT_RESIDUAL] :]
    statuses = c[c[AT_STATUS] :]
    count = 0
    for i in range(r):
        if abs(m[slots[i]]) <= NOISE * sizes[i]:
            rests[i] = 1.0
            m[statuses[i]] = 0.0
            count += 1
    return count


@rivals.kernel
def one_by_one(
    discrete: Section, derivatives: Section, outputs: Section, relations: Section,
    m: Floats, w: Floats, c: Ints, log: Floats, is_first: Int, with_rests: Int,
) -> Int:  # fmt: skip
    """From the memory before the event: NOTHING where it does not settle; SETTLED, and 2 more where
    several relations disagreed at once."""
    r = c[RELATIONS]
    y = w[HEAD + Y * c[N] :]
    rests = w[c[AT_RESIDUALS] + R_FOUND * r :]
    choice = 0
    place(m, w, c, w[T], y)
    if derivatives(m) != 0 or outputs(m) != 0:
        return NOTHING
    hold(m, c)
    if relations(m) != 0:
        return NOTHING
    for i in range(r):
        rests[i] = 0.0
    if with_rests == 1 and mark_resting(m, w, c, rests) == 0:
        return NOTHING  # it has been gone through
    if follow_one(m, w, c, is_first, rests) > 1:
        choice = CHOSEN
    for turn in range(SNAPSHOTS + 1):
        c[LOOK_ROUNDS] -= 1
        if is_back(m, w, c, turn, 1) == 1:
            return choice
        if evaluate_discrete(discrete, derivatives, relations, m, c) != 0:
            return choice
        changes = moved(m, w, c, log)
        count = follow_one(m, w, c, is_first, rests)
        if count > 1:
            choice = CHOSEN
        if count == 0 and changes == 0:
            return SETTLED + choice
        hold(m, c)
        if relations(m) != 0:
            return choice
        if follow_one(m, w, c, is_first, rests) > 1:
            choice = CHOSEN
    return choice


@rivals.kernel
def ends_elsewhere(m: Floats, c: Ints, after: Floats) -> Int:
    values = c[c[AT_PAIRS] :]
    homes = c[c[AT_HOMES] :]
    for i in range(c[PAIRS]):
        if homes[i] >= 0 and m[values[i]] != after[values[i]]:
            return 1
    return 0


@rivals.kernel
def go_on_a_moment(
    discrete: Section, derivatives: Section, relations: Section, m: Floats, w: Floats, c: Ints,
    log: Floats,
) -> Int:  # fmt: skip
    """Two small steps from the memory; 1: that has no solution."""
    n = c[N]
    t = w[T]
    x = w[HEAD + TRIAL * n :]
    for _ in range(2):
        if derivatives(m) != 0:
            return 1
        t += w[MOMENT]
        for i in range(n):
            x[i] = m[c[STATES] + i] + w[MOMENT] * m[c[DERIVATIVES] + i]
        place(m, w, c, t, x)
        if derivatives(m) != 0:
            return 1
        if relations(m) != 0:
            return 1
        follow(m, w, c, log, 0)
        if settle_plainly(discrete, derivatives, relations, m, w, c, log, 0) == 0:
            return 1
    return 0


@rivals.kernel
def moves_alike(c: Ints, one: Floats, other: Floats) -> Int:
    """1: a name that differs is no other way where nothing moves otherwise."""
    size = 0.0
    apart = 0.0
    for i in range(c[N]):
        here = one[c[DERIVATIVES] + i]
        there = other[c[DERIVATIVES] + i]
        size = max(size, abs(here), abs(there))
        if not abs(here - there) <= apart:
            apart = abs(here - there)
    return 1 if apart <= SAME * size else 0


@rivals.kernel
def are_apart(
    discrete: Section, derivatives: Section, relations: Section, m: Floats, w: Floats, c: Ints,
    log: Floats,
) -> Int:  # fmt: skip
    """1: what is in the memory and the end that was taken (AT_AFTER) go different ways, or nobody knows."""
    other = w[c[AT_TRIED] + c[MEMORY] :]
    taken = other[c[MEMORY] :]
    copy(c[MEMORY], m, other)
    c[THOROUGH] = 1
    failed = go_on_a_moment(discrete, derivatives, relations, m, w, c, log)
    copy(c[MEMORY], m, other)
    copy(c[MEMORY], w[c[AT_AFTER] :], m)
    if failed == 0:
        failed = go_on_a_moment(discrete, derivatives, relations, m, w, c, log)
    c[THOROUGH] = 0
    copy(c[MEMORY], m, taken)
    if failed != 0:
        return 1
    if ends_elsewhere(taken, c, other) == 0:
        return 0
    return 1 - moves_alike(c, taken, other)


@rivals.kernel
def has_rivals(
    discrete: Section, derivatives: Section, outputs: Section, relations: Section,
    m: Floats, w: Floats, c: Ints, log: Floats,
) -> Int:  # fmt: skip
    """1 where the event that has just settled may go on otherwise. The memory and TRIAL stay."""
    n = c[N]
    saved = w[c[AT_SAVED] :]
    if c[LOOKS] == 0 or several_switched(m, c, saved) == 0:
        return 0
    c[LOOKS] -= 1
    after = w[c[AT_AFTER] :]
    copy(c[MEMORY], m, after)
    detail = c[LOG_DETAIL]
    c[LOG_DETAIL] = 0
    found = 0
    way = CHOSEN
    for trial in range(4):
        is_first = 1 if trial % 2 == 0 else 0
        if found == 0 and (is_first == 1 or way >= CHOSEN):
            copy(c[MEMORY], saved, m)
            rests = 1 if trial >= 2 else 0
            way = one_by_one(
                discrete, derivatives, outputs, relations, m, w, c, log, is_first, rests
            )
            if way % 2 == SETTLED and ends_elsewhere(m, c, after) == 1:
                found = are_apart(discrete, derivatives, relations, m, w, c, log)
    copy(c[MEMORY], after, m)
    copy(n, m[c[STATES] :], w[HEAD + TRIAL * n :])
    c[LOG_DETAIL] = detail
    if c[LOOK_ROUNDS] <= 0:
        c[LOOKS] = 0
    return found
