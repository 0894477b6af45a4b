"""Quantized bond graphs compiled: the classic coordinator over arrays, and the folded form.

All integers of a network lie in one array, all floats in another; the first integers hold where
each part begins (`network` fills them). Kernels begin by naming the parts they use. What happens,
and in which order, is what `classic` does with the models of `atomics`: same numbers, bit by bit.
"""

from __future__ import annotations

import math

from freewheel.devs.qbg.signal_kernels import (
    level_value,
    signals,
    source_event,
    storage_event,
)
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints

# Roles of components.
LINEAR, STORAGE, SOURCE = 0, 1, 2
# Integers: counts, then where parts begin.
(
    I_COUNT, I_QUEUED, I_PENDING, I_INTERNAL, I_EXTERNAL, I_REPEATS, I_LIMIT, I_STATUS, I_LAST,
    I_NOTED, I_WATCHED,
    I_ROLE, I_OUT, I_ROW, I_ROW_FROM, I_LINK, I_LINK_TO, I_OWNER, I_KIND, I_P, I_Q,
    I_HEAP, I_PLACE, I_WAITING, I_IS_WAITING,
    # where the parts of the floats begin
    F_INPUT, F_NOW, F_SENT, F_FACTOR, F_GAIN, F_X, F_SLOPE, F_LEVEL, F_COMING, F_THEN, F_BEFORE,
    F_DUE, F_ANNOUNCE, F_P, F_Q, F_FOUND,
    HEADER,
) = range(42)  # fmt: skip
REACHED, FULL, ENDLESS = 0, 1, 2  # how a run ended
NEVER = math.inf

network = KernelModule("qbg_network", signals, exports=("run_network", "run_folded"))


# ---------------------------------------------------------------- the heap of times


@network.kernel
def is_earlier(due: Floats, a: Int, b: Int) -> Int:
    """Ties go to the component that comes first."""
    if due[a] < due[b]:
        return 1
    if due[a] == due[b] and a < b:
        return 1
    return 0


@network.kernel
def reorder(ints: Ints, floats: Floats, who: Int) -> None:
    """A time has changed: move its component up or down the heap."""
    heap = ints[ints[I_HEAP] :]
    place = ints[ints[I_PLACE] :]
    due = floats[ints[F_DUE] :]
    count = ints[I_QUEUED]
    at = place[who]
    while at > 0:
        above = (at - 1) // 2
        if is_earlier(due, heap[above], who):
            break
        heap[at] = heap[above]
        place[heap[at]] = at
        at = above
    while True:
        below = 2 * at + 1
        if below >= count:
            break
        if below + 1 < count and is_earlier(due, heap[below + 1], heap[below]):
            below += 1
        if is_earlier(due, who, heap[below]):
            break
        heap[at] = heap[below]
        place[heap[at]] = at
        at = below
    heap[at] = who
    place[who] = at


# ---------------------------------------------------------------- components that wait no time


@network.kernel
def push_waiting(ints: Ints, who: Int) -> None:
    """A heap of numbers: the component of highest precedence goes first."""
    waiting = ints[ints[I_WAITING] :]
    flags = ints[ints[I_IS_WAITING] :]
    if flags[who]:
        return
    flags[who] = 1
    at = ints[I_PENDING]
    ints[I_PENDING] = at + 1
    while at > 0:
        above = (at - 1) // 2
        if waiting[above] < who:
            break
        waiting[at] = waiting[above]
        at = above
    waiting[at] = who


@network.kernel
def pop_waiting(ints: Ints) -> Int:
    waiting = ints[ints[I_WAITING] :]
    flags = ints[ints[I_IS_WAITING] :]
    first = waiting[0]
    flags[first] = 0
    count = ints[I_PENDING] - 1
    ints[I_PENDING] = count
    moved = waiting[count]
    at = 0
    while True:
        below = 2 * at + 1
        if below >= count:
            break
        if below + 1 < count and waiting[below + 1] < waiting[below]:
            below += 1
        if moved < waiting[below]:
            break
        waiting[at] = waiting[below]
        at = below
    waiting[at] = moved
    return first


# ---------------------------------------------------------------- transitions


@network.kernel
def schedule_storage(ints: Ints, floats: Floats, who: Int, t: Float) -> None:
    """From its value and slope: when does its level end?"""
    found = floats[ints[F_FOUND] :]
    quantizer = floats[ints[ints[I_Q] + who] :]
    x = floats[ints[F_X] + who]
    slope = floats[ints[F_SLOPE] + who]
    storage_event(quantizer, x, slope, floats[ints[F_LEVEL] + who], found)
    floats[ints[F_BEFORE] + who] = t
    if floats[ints[F_ANNOUNCE] + who] > 0.0:
        found[0] = 0.0
        found[1] = floats[ints[F_LEVEL] + who]
        found[2] = x
    floats[ints[F_DUE] + who] = t + found[0]
    floats[ints[F_COMING] + who] = found[1]
    floats[ints[F_THEN] + who] = found[2]
    reorder(ints, floats, who)


@network.kernel
def receive(ints: Ints, floats: Floats, slot: Int, value: Float, t: Float) -> None:
    """The external transition of the component that owns the input."""
    who = ints[ints[I_OWNER] + slot]
    ints[I_EXTERNAL] += 1
    if ints[ints[I_ROLE] + who] == STORAGE:
        x = ints[F_X] + who
        slope = ints[F_SLOPE] + who
        floats[x] = floats[x] + floats[slope] * (t - floats[ints[F_BEFORE] + who])
        floats[slope] = floats[ints[F_GAIN] + who] * value
        schedule_storage(ints, floats, who, t)
        return
    if ints[ints[I_ROLE] + who] == SOURCE:
        own_time = ints[F_SLOPE] + who
        floats[own_time] = floats[own_time] + (t - floats[ints[F_BEFORE] + who])
        floats[ints[F_BEFORE] + who] = t
        floats[ints[F_DUE] + who] = t + (floats[ints[F_X] + who] - floats[own_time])
        reorder(ints, floats, who)
        return
    given = floats[ints[F_INPUT] :]
    now = floats[ints[F_NOW] :]
    sent = floats[ints[F_SENT] :]
    rows = ints[ints[I_ROW] :]
    sources = ints[ints[I_ROW_FROM] :]
    factors = floats[ints[F_FACTOR] :]
    given[slot] = value
    first = ints[ints[I_OUT] + who]
    end = ints[ints[I_OUT] + who + 1]
    changed = 0
    for out in range(first, end):
        total = 0.0
        for at in range(rows[out], rows[out + 1]):
            total += factors[at] * given[sources[at]]
        now[out] = total
        if total != sent[out]:
            changed = 1
    if changed:
        push_waiting(ints, who)


@network.kernel
def deliver(ints: Ints, floats: Floats, out: Int, value: Float, t: Float) -> None:
    """One event to all inputs that are linked to the output."""
    links = ints[ints[I_LINK] :]
    targets = ints[ints[I_LINK_TO] :]
    for at in range(links[out], links[out + 1]):
        receive(ints, floats, targets[at], value, t)


@network.kernel
def note(
    ints: Ints, out: Int, t: Float, value: Float, times: Floats, outs: Ints, values: Floats
) -> None:
    """Remember an event of an output that is watched."""
    if ints[ints[I_WATCHED] + out]:
        at = ints[I_NOTED]
        times[at] = t
        outs[at] = out
        values[at] = value
        ints[I_NOTED] = at + 1


@network.kernel
def fire_linear(
    ints: Ints, floats: Floats, who: Int, times: Floats, outs: Ints, values: Floats
) -> None:
    """Send what has changed; nothing happens if nothing has, after all."""
    now = floats[ints[F_NOW] :]
    sent = floats[ints[F_SENT] :]
    first = ints[ints[I_OUT] + who]
    end = ints[ints[I_OUT] + who + 1]
    t = floats[0]
    changed = 0
    for out in range(first, end):
        if now[out] != sent[out]:
            changed = 1
            note(ints, out, t, now[out], times, outs, values)
            deliver(ints, floats, out, now[out], t)
    if changed:
        ints[I_INTERNAL] += 1
        for out in range(first, end):
            sent[out] = now[out]


@network.kernel
def coming_value(ints: Ints, floats: Floats, who: Int) -> Float:
    """What a storage or source is about to send."""
    if ints[ints[I_ROLE] + who] == STORAGE:
        quantizer = floats[ints[ints[I_Q] + who] :]
        return level_value(quantizer, floats[ints[F_COMING] + who])
    return floats[ints[F_GAIN] + who] * floats[ints[F_THEN] + who]


@network.kernel
def go_on(ints: Ints, floats: Floats, who: Int, t: Float) -> None:
    """The internal transition of a storage or source: a new level, and its end."""
    ints[I_INTERNAL] += 1
    level = ints[F_LEVEL] + who
    floats[level] = floats[ints[F_COMING] + who]
    if ints[ints[I_ROLE] + who] == STORAGE:
        floats[ints[F_ANNOUNCE] + who] = 0.0
        floats[ints[F_X] + who] = floats[ints[F_THEN] + who]
        schedule_storage(ints, floats, who, t)
        return
    found = floats[ints[F_FOUND] :]
    kind = ints[ints[I_KIND] + who]
    p = floats[ints[ints[I_P] + who] :]
    q = floats[ints[ints[I_Q] + who] :]
    own_time = floats[ints[F_X] + who]  # exact; the run's own is a sum of waiting times
    source_event(kind, p, q, own_time, floats[level], found)
    floats[ints[F_SLOPE] + who] = own_time
    floats[ints[F_BEFORE] + who] = t
    floats[ints[F_DUE] + who] = t + (found[0] - own_time)
    floats[ints[F_X] + who] = found[0]
    floats[ints[F_COMING] + who] = found[1]
    floats[ints[F_THEN] + who] = found[2]
    reorder(ints, floats, who)


@network.kernel
def is_first(ints: Ints, floats: Floats) -> Int:
    """Does a storage or source go before the components that wait no time?"""
    if ints[I_PENDING] == 0:
        return 1
    if ints[I_QUEUED] == 0:
        return 0
    who = ints[ints[I_HEAP]]
    if floats[ints[F_DUE] + who] == floats[0] and who < ints[ints[I_WAITING]]:
        return 1
    return 0


@network.kernel
def is_endless(ints: Ints, floats: Floats, t: Float) -> Int:
    """Count what happens at one time."""
    if t > floats[0]:
        floats[0] = t
        ints[I_REPEATS] = 0
        return 0
    ints[I_REPEATS] += 1
    return 1 if ints[I_REPEATS] > ints[I_LIMIT] else 0


@network.kernel
def has_room(ints: Ints, who: Int, room: Int) -> Int:
    """Can all that a component may send be noted?"""
    sends = ints[ints[I_OUT] + who + 1] - ints[ints[I_OUT] + who]
    return 1 if ints[I_NOTED] + sends <= room else 0


@network.kernel
def run_network(
    ints: Ints, floats: Floats, until: Float, room: Int, times: Floats, outs: Ints, values: Floats
) -> Int:
    """Go on to `until`, or until `room` events are noted; gives how many."""
    ints[I_NOTED] = 0
    ints[I_STATUS] = REACHED
    while True:
        is_timed = is_first(ints, floats)
        if is_timed and ints[I_QUEUED] == 0:
            return ints[I_NOTED]
        component = ints[ints[I_HEAP]] if is_timed else ints[ints[I_WAITING]]
        t = floats[ints[F_DUE] + component] if is_timed else floats[0]
        if t > until or t == NEVER:
            return ints[I_NOTED]
        if not has_room(ints, component, room):
            ints[I_STATUS] = FULL
            return ints[I_NOTED]
        ints[I_LAST] = component
        if is_endless(ints, floats, t):
            ints[I_STATUS] = ENDLESS
            return ints[I_NOTED]
        if not is_timed:
            pop_waiting(ints)
            fire_linear(ints, floats, component, times, outs, values)
            continue
        value = coming_value(ints, floats, component)
        out = ints[ints[I_OUT] + component]
        note(ints, out, t, value, times, outs, values)
        deliver(ints, floats, out, value, t)
        go_on(ints, floats, component, t)


@network.kernel
def run_folded(
    ints: Ints, floats: Floats, until: Float, room: Int, times: Floats, outs: Ints, values: Floats
) -> Int:
    """The same without junctions: a changed level goes straight into the slopes it enters.

    An output is a storage or source; its links are the slopes; a row sums up one slope.
    """
    ints[I_NOTED] = 0
    ints[I_STATUS] = REACHED
    given = floats[ints[F_INPUT] :]
    rows = ints[ints[I_ROW] :]
    sources = ints[ints[I_ROW_FROM] :]
    factors = floats[ints[F_FACTOR] :]
    links = ints[ints[I_LINK] :]
    targets = ints[ints[I_LINK_TO] :]
    while ints[I_QUEUED] > 0:
        component = ints[ints[I_HEAP]]
        t = floats[ints[F_DUE] + component]
        if t > until or t == NEVER:
            break
        if ints[I_NOTED] == room:
            ints[I_STATUS] = FULL
            return room
        ints[I_LAST] = component
        if is_endless(ints, floats, t):
            ints[I_STATUS] = ENDLESS
            break
        value = coming_value(ints, floats, component)
        note(ints, component, t, value, times, outs, values)
        given[component] = value
        go_on(ints, floats, component, t)  # before its own new slope, which may depend on it
        for link in range(links[component], links[component + 1]):
            told = targets[link]
            total = 0.0
            for at in range(rows[told], rows[told + 1]):
                total += factors[at] * given[sources[at]]
            x = ints[F_X] + told
            slope = ints[F_SLOPE] + told
            floats[x] = floats[x] + floats[slope] * (t - floats[ints[F_BEFORE] + told])
            floats[slope] = total
            ints[I_EXTERNAL] += 1
            schedule_storage(ints, floats, told, t)
    return ints[I_NOTED]
