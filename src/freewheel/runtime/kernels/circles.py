"""Statuses that run in circles: the further ways of `event/agree.py`, as far as they are common.

    agree_thoroughly(discrete, derivatives, relations, m, w, c, log)      # 0: they agree

All statuses follow at once; then only the first that disagrees; then statuses and pre values move together,
as friction needs it, which breaks loose where it would stick again if it had not been sliding. Where that
is not enough, or an equation has no solution on the way, Python goes on.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Floats, Int
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
from freewheel.runtime.kernels.loop import Loop
from freewheel.runtime.kernels.notes import detail

circles = KernelModule("circles", following)

UNSEEN = 1e-30  # as in `event/agree.py`: the residual of a relation that matters to nobody now


@circles.kernel
def copy(n: Int, source: Floats, target: Floats) -> None:
    for i in range(n):
        target[i] = source[i]


@circles.kernel
def take_back(loop: Loop, mark: Int) -> None:
    """Notes of a way that was tried in vain."""
    if loop.log_lacks == 0:
        loop.log[loop.log_record + 2] -= float((loop.log_count - mark) // NOTE_WIDTH)
        loop.log_count = mark


@circles.kernel
def follow_until(loop: Loop, one_only: Int) -> Int:
    """0: equations and statuses agree; 1: they run in circles; 2: no solution."""
    nobody = loop.residuals_found
    for i in range(loop.relation_count):
        nobody[i] = 0.0
    for turn in range(SNAPSHOTS + 1):
        if evaluate_discrete(loop) != 0:
            return 2
        if one_only == 1:
            count = follow_one(loop, 1, nobody)
        else:
            count = follow(loop, 0)
        if count == 0:
            return 0
        if is_back(loop, turn, 0) == 1:
            return 1
    return 1


@circles.kernel
def move_together(loop: Loop) -> Int:
    """One pass, then statuses and pre values both take what it found; 0: until nothing changes."""
    m = loop.memory
    for turn in range(SNAPSHOTS + 1):
        if evaluate_discrete(loop) != 0:
            return 1
        changes = moved(loop)
        if follow(loop, 0) == 0 and changes == 0:
            return 0
        hold(loop)
        if loop.relations(m) != 0:
            return 1
        follow(loop, 0)
        if is_back(loop, turn, 1) == 1:
            return 1
    return 1


@circles.kernel
def agree_thoroughly(loop: Loop) -> Int:
    """Equations with pre values held, statuses following; 1: that is for Python to find."""
    m = loop.memory
    r = loop.relation_count
    statuses = loop.status_slots
    slots = loop.residual_slots
    before = loop.tried
    mark = loop.log_count
    copy(loop.memory_size, m, before)
    found = follow_until(loop, 0)
    if found == 1:
        found = follow_until(loop, 1)
    if found == 1:
        copy(loop.memory_size, before, m)
        found = move_together(loop)
    if found != 0 or has_spoken(loop) == 1:
        take_back(loop, mark)
        return 1
    changes = 0
    for i in range(r):
        if m[statuses[i]] != before[statuses[i]]:
            changes += 1
            if abs(m[slots[i]]) != UNSEEN:
                detail(loop, FOLLOWED, i, m[slots[i]])
    if changes > 0:
        detail(loop, ITERATED, 0, 0.0)
    return 0
