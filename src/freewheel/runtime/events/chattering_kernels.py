"""Relations that switch in quick succession: suspects of sliding, bands around noise, chattering.

    count_switches(loop)      # 1: counted; 0: one event too many in a short time, which Python tells

A residual that should rest on zero is noise of round-off; each change of its sign is an event. A relation
that switches several times in quick succession, or that was nothing but noise before each switch (a brake
that holds, for as long as it holds), may slide along its surface: `holding.py` finds that out. If it does
not, it gets a band around zero, wider each time, within which it keeps its status. Times between switches
that shrink like a geometric series are kept for a warning.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Int
from freewheel.runtime.events.sliding.reasons import FOLDS, NO_DERIVATIVE
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.thresholds import CHATTER

chatter = KernelModule("chatter")


@chatter.kernel
def scale_of(loop: Loop, i: Int) -> Float:
    return max(loop.sizes[i], CHATTER.least_size)


@chatter.kernel
def seen_around(loop: Loop, i: Int) -> Float:
    """How far off zero the residual was on both sides of the crossing."""
    return max(abs(loop.residuals_left[i]), abs(loop.residuals_crossing[i]))


@chatter.kernel
def switches_at_once(loop: Loop, i: Int) -> Int:
    """1 where a relation has just switched, or was noise around zero all along."""
    if loop.t - loop.last_switch[i] < loop.quick_gap:
        return 1
    return 1 if seen_around(loop, i) <= CHATTER.noise * scale_of(loop, i) else 0


@chatter.kernel
def way_across(loop: Loop, i: Int) -> Float:
    """Upwards or downwards; 0: who knows. What always goes the same way was brought back by the events: it is
    no noise, a clock perhaps."""
    there = loop.residuals_crossing[i]
    if there == 0.0:
        there = -loop.residuals_left[i]
    return 1.0 if there > 0.0 else (-1.0 if there < 0.0 else 0.0)


@chatter.kernel
def chatters(loop: Loop) -> Int:
    """1 where the present event is one too many in a short time."""
    size = loop.recent_size
    if size == 0 or loop.recent_count + 1 < size:
        return 0
    oldest = loop.recent[(loop.recent_count + 1) % size]
    return 1 if loop.t - oldest < loop.chatter_window else 0


@chatter.kernel
def watch_gap(loop: Loop, i: Int) -> None:
    """Times between switches that shrink like a geometric series; their limit is told once."""
    gap = loop.t - loop.last_switch[i]
    before = loop.gaps[i]
    if not gap > loop.quick_gap:
        return  # back and forth
    loop.gaps[i] = gap
    loop.shrinks[i] = loop.shrinks[i] + 1.0 if gap < CHATTER.shrinking * before else 0.0
    is_near = gap < CHATTER.near * (loop.stop - loop.start)
    if loop.shrinks[i] >= CHATTER.many_shrinks and is_near and loop.shrunk_ratio[i] == 0.0:
        loop.shrunk_ratio[i] = gap / before
        loop.shrunk_gap[i] = gap
        loop.shrunk_time[i] = loop.t


@chatter.kernel
def widen(loop: Loop, i: Int, seen: Float) -> None:
    """Around the noise that was seen: from a narrower band it would be taken for a signal."""
    scale = scale_of(loop, i)
    wide = max(10.0 * loop.bands[i], CHATTER.first_band * scale, 2.0 * seen)
    loop.bands[i] = min(wide, loop.widest_band * scale)
    loop.quick[i] = 1.0


@chatter.kernel
def is_real_motion(reason: Int) -> Int:
    """1: a reason that is found only after the compared values were seen to move."""
    return 1 if reason >= NO_DERIVATIVE and reason <= FOLDS else 0


@chatter.kernel
def is_known_to_move(loop: Loop, i: Int) -> Int:
    """1: it is no noise, which a band could cure."""
    if loop.time_only[i] == 1:
        return 1
    if loop.impact_count > 0 and loop.has_jumped[i] == 1:
        return 0
    return is_real_motion(loop.why_not[i])


@chatter.kernel
def mark_suspects(loop: Loop) -> None:
    """Those that have switched back lately."""
    for i in range(loop.relation_count):
        is_late = loop.t - loop.last_switch[i] < loop.quick_gap
        loop.suspects[i] = 1 if is_late and loop.quick[i] >= CHATTER.suspicious else 0


@chatter.kernel
def count_switches(loop: Loop) -> Int:
    for i in range(loop.relation_count):
        loop.suspects[i] = 0
    if loop.crossed == 0:
        return 1
    if chatters(loop) == 1:
        return 0
    if loop.recent_size > 0:
        loop.recent[loop.recent_count % loop.recent_size] = loop.t
        loop.recent_count += 1
    quick = loop.quick
    for i in range(loop.relation_count):
        if loop.which[i] == 1 and loop.is_watch[i] == 0:
            # Beside a hold it counts as if it had switched before: intersections are met from a surface, and
            # if noise brings back what has just left one, the band that ends this is given when it crosses
            # away from the side to which it has left.
            first = float(loop.is_held)
            quick[i] = max(quick[i], first) + 1.0 if switches_at_once(loop, i) == 1 else first
            watch_gap(loop, i)
            loop.last_switch[i] = loop.t
            way = way_across(loop, i)
            returns = 1 if way * loop.ways[i] <= 0.0 else 0
            loop.ways[i] = way
            if quick[i] == CHATTER.suspicious or quick[i] == CHATTER.suspicious_again:
                mark_suspects(loop)
            if quick[i] >= CHATTER.patience and is_known_to_move(loop, i) == 0:
                widen(loop, i, seen_around(loop, i) if returns == 1 else 0.0)
    return 1


@chatter.kernel
def forgive(loop: Loop) -> None:
    """These crossings made states jump, they were no noise; what comes to rest is told as that."""
    for i in range(loop.relation_count):
        if loop.which[i] == 1:
            loop.quick[i] = 0.0
            loop.bands[i] = 0.0
            loop.shrinks[i] = 0.0
