"""When an element of an implicit core reaches its corner, or a relation its zero, along quantized states.

    predict_watchers(group, t)                    # the next time of each into the heap
    code = cross_watcher(group, number, low, t)   # EVENT: it has, at qss.t; 0: not yet

Watchers have a margin, which is positive while all is well: how far the element is from its corner on its
side, how far a residual is from zero on the side of its status. In a plain mode margins of elements are
polynomials, S z + b(t). Elsewhere, and of relations, they are what three points tell. Foretelling may be
wrong; an event is where the core itself, at the states' values, says that the margin is used up.
"""

from __future__ import annotations

from math import inf

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.loop.outcomes import EVENT, ROW_FAILED
from freewheel.runtime.qss.heap import heaps, set_time
from freewheel.runtime.qss.next_times import change_of_pace, waiting
from freewheel.runtime.qss.roots import FAR, first_root_of_cubic, polynomials
from freewheel.runtime.qss.rows import NOISE, SHORTEST
from freewheel.runtime.qss.switched.memory import QssGroup, Watcher
from freewheel.runtime.qss.switched.rates import (
    BY_SIGHT,
    ROUNDING,
    combine,
    parabola,
    point_of_group,
    rates_in_group,
    stride_of,
    take_point,
    take_relations,
)
from freewheel.runtime.switched_dae.scaling import core_sizes, corner_of, is_held

watching = KernelModule(
    "qss_core_watching", rates_in_group, core_sizes, heaps, polynomials, waiting
)

BEYOND = 2e-9  # of its size: so far beyond its corner an element counts as beyond
COARSER = 10.0  # after each wrong prediction
COARSEST = 1e7
MOST_LOCATE = 60
NARROW = 4e-16
FOLLOWED = 1e-2  # of its size: what is foretold of a margin may be wrong by
SHORTEST_LOOK = 1e-7  # of the whole time, between two looks at a margin
EXACT = 5e-6  # of what counts as beyond: so near to zero a crossing is located


@watching.kernel
def side_of(group: QssGroup, e: Int) -> Float:
    """1.0 above the corner, -1.0 below; 0.0: a gate or a latch holds the element."""
    m = group.qss.memory
    core = group.core
    if is_held(core, m, e) == 1:
        return 0.0
    return 1.0 if m[core.elements[e].bit_slot] > 0.5 else -1.0


@watching.kernel
def size_of_element(group: QssGroup, e: Int) -> Float:
    """Beside which its distance from the corner counts, as in `core_sizes.guard_of`."""
    core = group.core
    i = core.elements[e].unknown
    floor = max(core.corner_floor[i], core.rough[i])
    return max(core.size[i], floor, 1e-300)


@watching.kernel
def tolerance_of_element(group: QssGroup, e: Int) -> Float:
    """As far beyond its corner it may be: a little of its size, and twice what the last restart left."""
    return (BEYOND + 2.0 * group.core.allowed) * size_of_element(group, e)


@watching.kernel
def margin_of_residual(value: Float, status: Float) -> Float:
    if status > 0.0:
        return value
    return -value if status < 0.0 else -abs(value)


@watching.kernel
def margin_here(group: QssGroup, number: Int) -> Float:
    """Of a watcher at the point in memory; infinite where nothing is watched."""
    m = group.qss.memory
    watcher = group.watchers[number]
    value = m[watcher.value_slot]
    if number >= group.element_count:
        return margin_of_residual(value, m[watcher.status_slot])
    side = side_of(group, number)
    return inf if side == 0.0 else side * (value - corner_of(group.core, m, number))


@watching.kernel
def margin_at(group: QssGroup, number: Int, t: Float) -> Float:
    """Exactly, at the values the states have at `t`; not a number where that fails."""
    qss = group.qss
    qss.predictions += 1
    if point_of_group(group, t, BY_SIGHT, t) != 0:
        return inf - inf
    if number >= group.element_count and group.relations(qss.memory) != 0:
        return inf - inf
    return margin_here(group, number)


@watching.kernel
def take_watched(group: QssGroup, t: Float) -> None:
    """What is watched, at a time; what was taken the two times before stays."""
    m = group.qss.memory
    if group.loud_count > 0:
        take_relations(group, t)
    else:
        take_point(group, t, BY_SIGHT, t)
    for number in range(group.element_count + group.loud_count):
        watcher = group.watchers[number]
        watcher.earlier = watcher.after
        watcher.after = watcher.here
        watcher.here = m[watcher.value_slot]
        if number >= group.element_count:
            watcher.here = margin_of_residual(watcher.here, m[watcher.status_slot])


@watching.kernel
def away_of(group: QssGroup, watcher: Watcher, t: Float, c: Floats) -> Float:
    """How long what three points tell of a margin is good for: by how wrong it was the last time."""
    qss = group.qss
    e = t - watcher.seen
    watcher.size = max(watcher.size, abs(c[0]))
    if watcher.seen >= qss.start and e > 0.0:
        wrong = abs(watcher.c0 + e * (watcher.c1 + e * watcher.c2) - c[0])
        allowed = FOLLOWED * watcher.size
        change = change_of_pace(allowed, wrong, 3.0)
        if wrong > allowed:
            watcher.away = e * change
        elif e > 0.5 * watcher.away:
            watcher.away *= change
    span = qss.stop - qss.start
    watcher.away = min(qss.longest_look, max(watcher.away, SHORTEST_LOOK * span))
    watcher.seen = t
    watcher.c0 = c[0]
    watcher.c1 = c[1]
    watcher.c2 = c[2]
    return watcher.away


@watching.kernel
def left_by_restart(group: QssGroup, e: Int, margin: Float) -> Float:
    """An element that begins a mode beyond its corner by less than the absolute tolerance is beyond only if
    it goes on: where nothing has moved yet there is nothing beside which it would be rounding."""
    watcher = group.watchers[e]
    if watcher.began < 0.0:
        core = group.core
        nothing = core.atol[core.elements[e].unknown]
        watcher.began = max(0.0, -2.0 * margin) if -margin <= nothing else 0.0
    elif margin > watcher.began:
        watcher.began = 0.0
    return watcher.began


@watching.kernel
def foretell_margin(group: QssGroup, number: Int, t: Float, h: Float, side: Float) -> Float:
    """Its polynomial, counted from t, into `out`; how long that is good for."""
    out = group.qss.out
    watcher = group.watchers[number]
    is_element = number < group.element_count
    if is_element and group.is_plain == 1:
        i = group.core.elements[number].unknown
        row = group.follow[i * group.n :]
        combine(group, row, group.b0[i], group.b1[i], group.b2[i], t, BY_SIGHT, out)
    else:
        parabola(watcher.earlier, watcher.here, watcher.after, h, out)
        out[3] = 0.0
    if is_element:
        out[0] -= corner_of(group.core, group.qss.memory, number)
        for part in range(4):
            out[part] *= side
        if group.is_plain == 1:
            return FAR
        watcher.size = max(watcher.size, size_of_element(group, number))
    return away_of(group, watcher, t, out)


@watching.kernel
def predict_watcher(group: QssGroup, number: Int, t: Float, h: Float) -> None:
    """When its margin is used up; whatever its polynomial says, it is looked at again before that is old."""
    qss = group.qss
    out = qss.out
    watcher = group.watchers[number]
    side = side_of(group, number) if number < group.element_count else 1.0
    if side == 0.0:
        set_time(qss.heap, group.n + number, inf)
        return
    most = foretell_margin(group, number, t, h, side)
    if number < group.element_count:
        delta = tolerance_of_element(group, number) * watcher.coarse
        delta = max(delta, left_by_restart(group, number, out[0]))
    else:
        delta = max(NOISE * watcher.size * watcher.coarse, watcher.band, 1e-300)
    watcher.delta = delta
    away = 0.0
    if out[0] + delta > 0.0:
        away = first_root_of_cubic(out[0] + delta, out[1], out[2], out[3], qss.stop - t)
        away = max(away, SHORTEST * (qss.stop - qss.start))
    away = min(away, max(most, ROUNDING * abs(t)))
    set_time(qss.heap, group.n + number, t + away if away < FAR else inf)


@watching.kernel
def predict_watchers(group: QssGroup, t: Float) -> None:
    h = stride_of(group, t)
    if group.loud_count > 0 or (group.is_plain == 0 and group.element_count > 0):
        take_watched(group, t - h)
        take_watched(group, t + h)
        take_watched(group, t)  # where the memory stays
    group.qss.predictions += group.element_count + group.loud_count
    for number in range(group.element_count + group.loud_count):
        predict_watcher(group, number, t, h)


@watching.kernel
def locate_watcher(
    group: QssGroup, number: Int, delta: Float, low: Float, high: Float, at_high: Float
) -> Float:
    """Where the margin is used up, between two times; by regula falsi with the Illinois weights. As near
    to zero as it gets: modes are chosen by what is beyond zero, also if it is next to nothing."""
    qss = group.qss
    a = low
    b = high
    ga = margin_at(group, number, a)
    gb = at_high
    if not ga > 0.0:  # it began there: beyond is only what is clearly beyond
        ga += delta
        gb += delta
        level = delta
    else:
        level = 0.0
    if not ga > 0.0:
        return a
    side = 0
    reached = abs(gb)
    closeness = NARROW * (abs(high) + abs(qss.stop - qss.start))
    for _ in range(MOST_LOCATE):
        if b - a <= closeness or reached <= EXACT * delta:
            break
        t = a + (b - a) * ga / (ga - gb)
        if not (t > a and t < b):
            t = 0.5 * (a + b)
        value = margin_at(group, number, t) + level
        if value >= 0.0:  # to stop at zero would make a second event of leaving it
            a = t
            ga = value
            if side == 1:
                gb *= 0.5
            side = 1
        else:
            b = t
            gb = value
            reached = -value
            if side == -1:
                ga *= 0.5
            side = -1
    return b


@watching.kernel
def cross_watcher(group: QssGroup, number: Int, low: Float, t: Float) -> Int:
    """Whether a predicted crossing is one. `low`: since then nothing has happened."""
    qss = group.qss
    watcher = group.watchers[number]
    value = margin_at(group, number, t)
    if value != value:
        return ROW_FAILED
    delta = watcher.delta
    if number < group.element_count:
        group.reach(qss.memory)  # beyond its corner perhaps by what is nothing beside all others
        delta = max(delta, tolerance_of_element(group, number))
    if value > -0.5 * delta:
        if abs(value) <= 2.0 * delta or t <= low:
            watcher.coarse = min(COARSEST, COARSER * watcher.coarse)
        return 0
    watcher.coarse = 1.0
    qss.t = locate_watcher(group, number, delta, low, t, value)
    qss.subject = number
    return EVENT
