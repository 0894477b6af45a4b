"""Statuses follow residuals, values become pre values: the single moves of an event's iteration.

    follow(loop, 1)               # all at once; how many changed
    follow_one(loop, 1, rests)    # the first that disagrees
    moved(loop)                   # 1: values differ from pre values, or states jumped

A relation disagrees with its residual by the rule `has_left` of `location.py`.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.result.events import CHANGED, FOLLOWED, JUMPED, NOTE_WIDTH
from freewheel.runtime.events.location import bracket, has_left, sign
from freewheel.runtime.events.log import detail, notes
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.thresholds import TIED

following = KernelModule("following", bracket, notes)

# Why an iteration has ended without agreement (`iteration_outcome`).
SPOKEN = 1  # the model said something
NOT_PLAIN = 2  # the plain way does not lead on: there are others, see `status_cycles.py`
RELATIONS_FLIP = 3  # those that `touched` marks: no choice of them agrees
NO_SOLUTION = 4  # of the equations with the memory in `failing`
NO_RESIDUALS = 5  # the section of relations failed with the memory as it is
ENDLESS = 6  # values and pre values still differ after the last round
INTERRUPTED = 7  # a section raised an exception, which is kept where it was called


@following.kernel
def copy(n: Int, source: Floats, target: Floats) -> None:
    for i in range(n):
        target[i] = source[i]


@following.kernel
def take_back(loop: Loop, mark: Int) -> None:
    """Notes of a way that was tried in vain."""
    if loop.log_lacks == 0:
        loop.log[loop.log_record + 2] -= float((loop.log_count - mark) // NOTE_WIDTH)
        loop.log_count = mark


@following.kernel
def residual_or_side(loop: Loop, i: Int) -> Float:
    """The residual of relation i, or what has its sign: of time alone it is beyond its zero where that is
    reached but for rounding. One pulse ends as another begins, however their instants are computed."""
    residual = loop.memory[loop.residual_slots[i]]
    rise = loop.rises[i]
    if abs(residual) <= TIED * abs(loop.memory[loop.time_slot]) * abs(rise):
        return rise
    return residual


@following.kernel
def follow(loop: Loop, listens: Int) -> Int:
    """Set statuses by the residuals in memory; how many changed."""
    m = loop.memory
    count = 0
    for i in range(loop.relation_count):
        residual = residual_or_side(loop, i)
        if has_left(m[loop.status_slots[i]], residual, loop.bands[i]) == 1:
            count += 1
            m[loop.status_slots[i]] = sign(residual)
            if listens == 1:
                detail(loop, FOLLOWED, i, m[loop.residual_slots[i]])
    return count


@following.kernel
def follow_one(loop: Loop, is_first: Int, rests: Floats) -> Int:
    """Only the first relation that disagrees, or the last, takes its side; how many disagreed. Those
    that `rests` marks are left alone."""
    statuses = loop.status_slots
    count = 0
    one = -1
    asked = 0.0
    for i in range(loop.relation_count):
        residual = residual_or_side(loop, i)
        if rests[i] == 0.0 and has_left(loop.memory[statuses[i]], residual, loop.bands[i]) == 1:
            count += 1
            if one < 0 or is_first == 0:
                one = i
                asked = residual
    if one >= 0:
        loop.memory[statuses[one]] = sign(asked)
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
    values = loop.pair_slots
    pre = loop.pair_slots[loop.pairs :]
    reinits = loop.reinit_slots
    found = 0
    for i in range(loop.pairs):
        if differs(m[values[i]], m[pre[i]], loop.margins[i]) == 1:
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
    values = loop.pair_slots
    pre = loop.pair_slots[loop.pairs :]
    for i in range(loop.pairs):
        loop.memory[pre[i]] = loop.memory[values[i]]


@following.kernel
def says_something(loop: Loop) -> Int:
    """1: there may be messages of the model that nobody has taken."""
    if loop.message_watch == 1:
        return 1
    return 1 if loop.message_watch == 2 and loop.memory[loop.message_slot] != 0.0 else 0


@following.kernel
def evaluate_discrete(loop: Loop) -> Int:
    """All equations once, and the residuals they lead to; the status of a section that fails. What was said
    before belongs to a trial and is dropped."""
    m = loop.memory
    for k in range(loop.reinits):
        m[loop.reinit_slots[3 * k + 2]] = 0.0
    if loop.message_watch > 0:
        if loop.listens == 1 and says_something(loop) == 1:
            loop.forget_messages(loop)
        if loop.message_watch == 2:
            m[loop.message_slot] = 0.0
    status = loop.discrete(m)
    if status != 0:
        return status
    status = loop.derivatives(m)
    if status != 0:
        return status
    return loop.relations(m)


@following.kernel
def must_tell(loop: Loop) -> Int:
    """1: the model said something, and nobody listens: that is for Python, which begins anew."""
    if loop.listens == 1 or says_something(loop) == 0:
        return 0
    loop.iteration_outcome = SPOKEN
    return 1


@following.kernel
def remember_statuses(loop: Loop, row: Int, with_pre: Int) -> None:
    """Statuses (and pre values) become a row of `snapshots`."""
    r = loop.relation_count
    pre = loop.pair_slots[loop.pairs :]
    here = loop.snapshots[row * (r + loop.pairs) :]
    for i in range(r):
        here[i] = loop.memory[loop.status_slots[i]]
    for i in range(loop.pairs):
        here[r + i] = loop.memory[pre[i]] if with_pre == 1 else 0.0


@following.kernel
def are_same(loop: Loop, row: Int, other: Int) -> Int:
    """1 where two rows of `snapshots` have the same numbers, or none, in the same places."""
    wide = loop.relation_count + loop.pairs
    here = loop.snapshots[row * wide :]
    then = loop.snapshots[other * wide :]
    for i in range(wide):
        if then[i] != here[i] and (then[i] == then[i] or here[i] == here[i]):
            return 0
    return 1


@following.kernel
def is_back(loop: Loop, count: Int, with_pre: Int) -> Int:
    """1 where statuses (and pre values) are as they were in one of the `count` rounds before, or where
    there is no room to remember them; they are remembered."""
    if count >= loop.most_rounds:
        return 1
    remember_statuses(loop, count, with_pre)
    for k in range(count):
        if are_same(loop, count, k) == 1:
            return 1
    return 0
