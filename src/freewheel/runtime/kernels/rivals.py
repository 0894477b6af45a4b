"""Could an event have ended otherwise? Its discrete equations are gone through one relation at a time.

    has_rivals(discrete, derivatives, outputs, relations, m, w, c, log)      # 1: perhaps

The rules are those of `event/rivals.py`, which is asked where this ends otherwise: it tells whether that is
another way to go on.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Floats, Int, Ints, Section
from freewheel.runtime.kernels.circles import circles, copy
from freewheel.runtime.kernels.following import (
    SNAPSHOTS,
    evaluate_discrete,
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
    HEAD,
    LOG_DETAIL,
    LOOK_ROUNDS,
    LOOKS,
    MEMORY,
    PAIRS,
    R_FOUND,
    R_SIZES,
    RELATIONS,
    N,
    T,
    Y,
)
from freewheel.runtime.kernels.point import place

rivals = KernelModule("rivals", circles)

NOISE = 1e-12  # as in `event/rivals.py`
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
def has_rivals(
    discrete: Section, derivatives: Section, outputs: Section, relations: Section,
    m: Floats, w: Floats, c: Ints, log: Floats,
) -> Int:  # fmt: skip
    """1 where the event that has just settled ends otherwise on another way. The memory stays."""
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
            if way % 2 == SETTLED:
                found = ends_elsewhere(m, c, after)
    copy(c[MEMORY], after, m)
    c[LOG_DETAIL] = detail
    if c[LOOK_ROUNDS] <= 0:
        c[LOOKS] = 0
    return found
