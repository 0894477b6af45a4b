"""Statuses follow residuals, values become pre values: the single moves of an event's iteration.

    follow(m, w, c, log, 1)            # all at once; how many changed
    follow_one(m, w, c, 1, rests)      # the first that disagrees
    moved(m, w, c, log)                # 1: values differ from pre values, or states jumped

The rules are those of `event/agree.py` and `event/iterate.py`.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.result.events import CHANGED, FOLLOWED, JUMPED
from freewheel.runtime.kernels.bracket import bracket, has_left
from freewheel.runtime.kernels.loop import Loop
from freewheel.runtime.kernels.notes import detail, notes
from freewheel.runtime.thresholds import TIED

following = KernelModule("following", bracket, notes)

SNAPSHOTS = 32  # places that an iteration may have been at; one that is longer is left to Python


@following.kernel
def residual_or_side(loop: Loop, i: Int) -> Float:
    """The residual of relation i, or what has its sign: of time alone it is beyond its zero where that is
    reached but for rounding. One pulse ends as another begins, however their instants are computed."""
    m = loop.memory
    residual = m[loop.residual_slots[i]]
    rise = loop.rises[i]
    if abs(residual) <= TIED * abs(m[loop.time_slot]) * abs(rise):
        return rise
    return residual


@following.kernel
def follow(loop: Loop, listens: Int) -> Int:
    """Set statuses by the residuals in memory; how many changed."""
    m = loop.memory
    r = loop.relation_count
    statuses = loop.status_slots
    slots = loop.residual_slots
    bands = loop.bands
    count = 0
    for i in range(r):
        residual = residual_or_side(loop, i)
        if has_left(m[statuses[i]], residual, bands[i]) == 1:
            count += 1
            m[statuses[i]] = 1.0 if residual > 0.0 else (-1.0 if residual < 0.0 else 0.0)
            if listens == 1:
                detail(loop, FOLLOWED, i, m[slots[i]])
    return count


@following.kernel
def follow_one(loop: Loop, is_first: Int, rests: Floats) -> Int:
    """Only the first relation that disagrees, or the last, takes its side; how many disagreed. Those
    that `rests` marks are left alone."""
    m = loop.memory
    r = loop.relation_count
    statuses = loop.status_slots
    bands = loop.bands
    count = 0
    one = -1
    asked = 0.0
    for i in range(r):
        residual = residual_or_side(loop, i)
        if rests[i] == 0.0 and has_left(m[statuses[i]], residual, bands[i]) == 1:
            count += 1
            if one < 0 or is_first == 0:
                one = i
                asked = residual
    if one >= 0:
        m[statuses[one]] = 1.0 if asked > 0.0 else (-1.0 if asked < 0.0 else 0.0)
    return count


@following.kernel
def differs(now: Float, before: Float, margin: Float) -> Int:
    if abs(now - before) <= margin * max(abs(now), abs(before)):
        return 0
    if now != now and before != before:  # both are no numbers
        return 0
    return 1


@following.kernel
def moved(loop: Loop) -> Int:
    """1 where a value differs from its pre value or a state jumps; states do jump."""
    m = loop.memory
    pairs = loop.pairs
    values = loop.pair_slots
    pre = loop.pair_slots[pairs:]
    margins = loop.margins
    reinits = loop.reinit_slots
    found = 0
    for i in range(pairs):
        if differs(m[values[i]], m[pre[i]], margins[i]) == 1:
            found = 1
            detail(loop, CHANGED, i, m[values[i]])
    for k in range(loop.reinits):
        if m[reinits[3 * k + 2]] >= 0.5:
            m[reinits[3 * k]] = m[reinits[3 * k + 1]]
            m[reinits[3 * k + 2]] = 0.0
            found = 1
            detail(loop, JUMPED, k, m[reinits[3 * k]])
    return found


@following.kernel
def hold(loop: Loop) -> None:
    """Values become pre values."""
    m = loop.memory
    pairs = loop.pairs
    values = loop.pair_slots
    pre = loop.pair_slots[pairs:]
    for i in range(pairs):
        m[pre[i]] = m[values[i]]


@following.kernel
def evaluate_discrete(loop: Loop) -> Int:
    """All equations once, and the residuals they lead to; 1: they have no solution."""
    m = loop.memory
    reinits = loop.reinit_slots
    for k in range(loop.reinits):
        m[reinits[3 * k + 2]] = 0.0
    if loop.message_watch > 0:
        m[loop.message_slot] = 0.0
    if loop.discrete(m) != 0:
        return 1
    if loop.derivatives(m) != 0:
        return 1
    if loop.relations(m) != 0:
        return 1
    return 0


@following.kernel
def has_spoken(loop: Loop) -> Int:
    m = loop.memory
    return 1 if loop.message_watch > 0 and m[loop.message_slot] != 0.0 else 0


@following.kernel
def is_back(loop: Loop, count: Int, with_pre: Int) -> Int:
    """1 where statuses (and pre values) are as they were in one of the `count` rounds before, or where
    there is no room to remember them; they are remembered."""
    m = loop.memory
    r = loop.relation_count
    pairs = loop.pairs
    statuses = loop.status_slots
    pre = loop.pair_slots[pairs:]
    wide = r + pairs
    room = loop.snapshots
    if count >= SNAPSHOTS:
        return 1
    here = room[count * wide :]
    for i in range(r):
        here[i] = m[statuses[i]]
    for i in range(pairs):
        here[r + i] = m[pre[i]] if with_pre == 1 else 0.0
    for k in range(count):
        then = room[k * wide :]
        same = 1
        for i in range(wide):
            if then[i] != here[i] and (then[i] == then[i] or here[i] == here[i]):
                same = 0
        if same == 1:
            return 1
    return 0
