"""An event while something is held: what ends, and the model's own equations again.

    mark_ended(loop)       # which parts of the hold the event ends; they are no crossings besides
    let_go(loop, y)        # 0: the memory is that of the nearest mode, with the model's own sections
    tell_held(loop)        # a record of its own in the event log: what the present hold does
    tell_rest(loop)        # the same for things that have come to rest, with impacts left out

`holding.py` then finds out what goes on.
"""

from __future__ import annotations

from math import inf

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Floats, Int
from freewheel.result.events import (
    AT_REST,
    CROSSED,
    NOTE_WIDTH,
    RECORD_HEAD,
    RESTING,
    SLIDING,
    SURFACE_LEFT,
)
from freewheel.runtime.events.log import begin_record, note, notes
from freewheel.runtime.events.sliding.hold_kernels import HeldMotion, copy_slots, holds, image
from freewheel.runtime.events.status_update import copy, following
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.loop.rows import evaluate
from freewheel.runtime.loop.rows import rows as row_kernels

releasing = KernelModule("releasing", following, holds, notes, row_kernels)


@releasing.kernel
def on_surfaces(loop: Loop) -> Int:
    """1: something slides or rests, by a hold that the loop itself begins and ends."""
    return 1 if loop.can_hold == 1 and loop.is_held == 1 else 0


@releasing.kernel
def nearest(motion: HeldMotion) -> Int:
    """The mode with the largest weight."""
    mode = 0
    for i in range(motion.surfaces):
        if motion.unknowns[i] > 0.5:
            mode += 1 << i
    return mode


@releasing.kernel
def mark_ended(loop: Loop) -> None:
    held = loop.held
    motion = held.motions[held.present]
    for i in range(loop.relation_count):
        held.ended[i] = 0
    for k in range(motion.members):
        relation = motion.member_relations[k]
        if loop.crossed == 1 and loop.which[relation] == 1:
            held.ended[relation] = 1
            loop.which[relation] = 0
    crossed = 0
    for i in range(loop.relation_count):
        if loop.which[i] == 1:
            crossed = loop.crossed
    loop.crossed = crossed


@releasing.kernel
def tell_ended(loop: Loop) -> None:
    """Into the record of the present event, in the order of the hold, whether it is let go already or not."""
    held = loop.held
    motion = held.motions[held.present if held.present >= 0 else held.last]
    for s in range(motion.surfaces + motion.contacts):
        for k in range(motion.members):
            i = motion.member_relations[k]
            if motion.member_surfaces[k] == s and held.ended[i] == 1:
                note(loop, SURFACE_LEFT, i, 0.0)


@releasing.kernel
def mark_hold(loop: Loop) -> None:
    """While something is held, shares and reactions stand for residuals: none is known to be straight."""
    loop.is_held = 1 if loop.held.present >= 0 else 0
    loop.loud = loop.relation_count if loop.is_held == 1 else loop.own_loud


@releasing.kernel
def let_go(loop: Loop, y: Floats) -> Int:
    """The status of an evaluation that fails."""
    held = loop.held
    motion = held.motions[held.present]
    now = image(motion, nearest(motion))
    copy_slots(held.carried, held.carried_slots, loop.memory, now)
    copy(loop.memory_size, now, loop.memory)
    held.last = held.present
    held.present = -1
    mark_hold(loop)
    for k in range(motion.members):
        loop.bands[motion.member_relations[k]] = inf
    held.would_rest_at = held.rests_at
    held.rests_at = inf
    return evaluate(loop, loop.t, y)


# ---------------------------------------------------------------- the event log


@releasing.kernel
def tell_motion(loop: Loop) -> None:
    """The surfaces and contacts of the present hold, into the present record."""
    held = loop.held
    motion = held.motions[held.present]
    for k in range(motion.surfaces):
        note(loop, SLIDING, motion.surface_relations[k], 0.0)
    for k in range(motion.contacts):
        note(loop, RESTING, motion.contact_relations[k], 0.0)
    if loop.log_lacks == 0:
        loop.log[loop.log_record + 1] = 1.0  # rounds


@releasing.kernel
def tell_held(loop: Loop) -> None:
    begin_record(loop, loop.t)
    if loop.log_lacks == 0:
        tell_motion(loop)


@releasing.kernel
def tell_rest(loop: Loop) -> Int:
    """The time at which ever shorter flights would have ended: how many records; 0: they do not fit."""
    held = loop.held
    motion = held.motions[held.present]
    parts = 1 + motion.surfaces + motion.contacts
    wide = RECORD_HEAD + NOTE_WIDTH
    room = held.left_count * wide + RECORD_HEAD + parts * NOTE_WIDTH
    if loop.log_count + room > loop.max_log:
        return 0
    for k in range(held.left_count):
        begin_record(loop, min(held.left_times[k], loop.t))
        note(loop, CROSSED, held.left_relation, 0.0)
        loop.log[loop.log_record + 1] = 1.0
    begin_record(loop, loop.t)
    note(loop, AT_REST, 0, 0.0)
    tell_motion(loop)
    records = held.left_count + 1
    held.left_count = 0
    held.rests_at = inf
    return records
