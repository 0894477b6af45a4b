"""Statuses that run in circles: the further ways of `event/agree.py`, as far as they are common.

    agree_thoroughly(discrete, derivatives, relations, m, w, c, log)      # 0: they agree

All statuses follow at once; then only the first that disagrees; then statuses and pre values move together,
as friction needs it, which breaks loose where it would stick again if it had not been sliding. Where that
is not enough, or an equation has no solution on the way, Python goes on.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Floats, Int, Ints, Section
from freewheel.result.events import FOLLOWED, ITERATED, NOTE_WIDTH
from freewheel.runtime.kernels.following import (
    SNAPSHOTS,
    evaluate_discrete,
    follow,
    follow_one,
    following,
    has_spoken,
    hold,
    is_back,
    moved,
)
from freewheel.runtime.kernels.notes import detail
from freewheel.runtime.kernels.places import (
    AT_RESIDUAL,
    AT_RESIDUALS,
    AT_STATUS,
    AT_TRIED,
    LOG,
    LOG_LACKS,
    LOG_RECORD,
    MEMORY,
    R_FOUND,
    RELATIONS,
)

circles = KernelModule("circles", following)

UNSEEN = 1e-30  # as in `event/agree.py`: the residual of a relation that matters to nobody now


@circles.kernel
def copy(n: Int, source: Floats, target: Floats) -> None:
    for i in range(n):
        target[i] = source[i]


@circles.kernel
def take_back(log: Floats, c: Ints, mark: Int) -> None:
    """Notes of a way that was tried in vain."""
    if c[LOG_LACKS] == 0:
        log[c[LOG_RECORD] + 2] -= float((c[LOG] - mark) // NOTE_WIDTH)
        c[LOG] = mark


@circles.kernel
def follow_until(
    discrete: Section, derivatives: Section, relations: Section, m: Floats, w: Floats, c: Ints,
    log: Floats, one_only: Int,
) -> Int:  # fmt: skip
    """0: equations and statuses agree; 1: they run in circles; 2: no solution."""
    nobody = w[c[AT_RESIDUALS] + R_FOUND * c[RELATIONS] :]
    for i in range(c[RELATIONS]):
        nobody[i] = 0.0
    for turn in range(SNAPSHOTS + 1):
        if evaluate_discrete(discrete, derivatives, relations, m, c) != 0:
            return 2
        if one_only == 1:
            count = follow_one(m, w, c, 1, nobody)
        else:
            count = follow(m, w, c, log, 0)
        if count == 0:
            return 0
        if is_back(m, w, c, turn, 0) == 1:
            return 1
    return 1


@circles.kernel
def move_together(
    discrete: Section, derivatives: Section, relations: Section, m: Floats, w: Floats, c: Ints,
    log: Floats,
) -> Int:  # fmt: skip
    """One pass, then statuses and pre values both take what it found; 0: until nothing changes."""
    for turn in range(SNAPSHOTS + 1):
        if evaluate_discrete(discrete, derivatives, relations, m, c) != 0:
            return 1
        changes = moved(m, w, c, log)
        if follow(m, w, c, log, 0) == 0 and changes == 0:
            return 0
        hold(m, c)
        if relations(m) != 0:
            return 1
        follow(m, w, c, log, 0)
        if is_back(m, w, c, turn, 1) == 1:
            return 1
    return 1


@circles.kernel
def agree_thoroughly(
    discrete: Section, derivatives: Section, relations: Section, m: Floats, w: Floats, c: Ints,
    log: Floats,
) -> Int:  # fmt: skip
    """Equations with pre values held, statuses following; 1: that is for Python to find."""
    r = c[RELATIONS]
    statuses = c[c[AT_STATUS] :]
    slots = c[c[AT_RESIDUAL] :]
    before = w[c[AT_TRIED] :]
    mark = c[LOG]
    copy(c[MEMORY], m, before)
    found = follow_until(discrete, derivatives, relations, m, w, c, log, 0)
    if found == 1:
        found = follow_until(discrete, derivatives, relations, m, w, c, log, 1)
    if found == 1:
        copy(c[MEMORY], before, m)
        found = move_together(discrete, derivatives, relations, m, w, c, log)
    if found != 0 or has_spoken(m, c) == 1:
        take_back(log, c, mark)
        return 1
    changes = 0
    for i in range(r):
        if m[statuses[i]] != before[statuses[i]]:
            changes += 1
            if abs(m[slots[i]]) != UNSEEN:
                detail(log, c, FOLLOWED, i, m[slots[i]])
    if changes > 0:
        detail(log, c, ITERATED, 0, 0.0)
    return 0
