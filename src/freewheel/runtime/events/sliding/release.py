"""An event during sliding or rest: what ends, and the model's own equations again.

mark_ended(loop)            # the surfaces that the event leaves, which are no other crossings
release_motion(loop, y)     # 0: the memory is that of the nearest mode, with the model's own sections
log_motion(loop)            # a record of the event log with the present motion
log_rest(loop)              # the same for what has come to rest, with the impacts left out
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
from freewheel.runtime.events.iteration_kernels import copy, count_marked, iteration
from freewheel.runtime.events.log import begin_record, note, notes
from freewheel.runtime.events.sliding.vector_field import (
    ConstrainedMotion,
    copy_slots,
    image,
    vector_field,
)
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.loop.rows import evaluate
from freewheel.runtime.loop.rows import rows as row_kernels

releasing = KernelModule("releasing", vector_field, iteration, notes, row_kernels)


@releasing.kernel
def on_surfaces(loop: Loop) -> Int:
    """1: the present motion slides or rests."""
    return loop.is_constrained


@releasing.kernel
def nearest(motion: ConstrainedMotion) -> Int:
    """The mode with the largest weight."""
    mode = 0
    for i in range(motion.surfaces):
        if motion.unknowns[i] > 0.5:
            mode += 1 << i
    return mode


@releasing.kernel
def mark_ended(loop: Loop) -> None:
    """Marks the surfaces that are left in `held.ended` instead of `loop.which`."""
    held = loop.constrained
    motion = held.motions[held.present]
    for i in range(loop.relation_count):
        held.ended[i] = 0
    for k in range(motion.members):
        relation = motion.member_relations[k]
        if loop.crossed == 1 and loop.which[relation] == 1:
            held.ended[relation] = 1
            loop.which[relation] = 0
    if count_marked(loop.relation_count, loop.which) == 0:
        loop.crossed = 0


@releasing.kernel
def log_left_surfaces(loop: Loop) -> None:
    """Notes the surfaces that are left in the present record, in their order."""
    held = loop.constrained
    motion = held.motions[held.present if held.present >= 0 else held.last]
    for s in range(motion.surfaces + motion.contacts):
        for k in range(motion.members):
            i = motion.member_relations[k]
            if motion.member_surfaces[k] == s and held.ended[i] == 1:
                note(loop, SURFACE_LEFT, i, 0.0)


@releasing.kernel
def mark_constrained(loop: Loop) -> None:
    """During sliding and rest, shares and reactions replace residuals, and none is linear."""
    loop.is_constrained = 1 if loop.constrained.present >= 0 else 0
    loop.nonlinear_count = (
        loop.relation_count if loop.is_constrained == 1 else loop.own_nonlinear_count
    )


@releasing.kernel
def release_motion(loop: Loop, y: Floats) -> Int:
    """Ends the present motion in its nearest mode; the status of an evaluation that fails."""
    held = loop.constrained
    motion = held.motions[held.present]
    now = image(motion, nearest(motion))
    copy_slots(held.carried, held.carried_slots, loop.memory, now)
    copy(loop.memory_size, now, loop.memory)
    held.last = held.present
    held.present = -1
    mark_constrained(loop)
    for k in range(motion.members):
        loop.bands[motion.member_relations[k]] = inf
    held.would_rest_at = held.rests_at
    held.rests_at = inf
    return evaluate(loop, loop.t, y)


# ---------------------------------------------------------------- the event log


@releasing.kernel
def log_motion(loop: Loop) -> None:
    """Notes the surfaces and contacts of the present motion in the present record."""
    held = loop.constrained
    motion = held.motions[held.present]
    for k in range(motion.surfaces):
        note(loop, SLIDING, motion.surface_relations[k], 0.0)
    for k in range(motion.contacts):
        note(loop, RESTING, motion.contact_relations[k], 0.0)
    if loop.log_lacks == 0:
        loop.log[loop.log_record + 1] = 1.0  # rounds


@releasing.kernel
def log_constrained(loop: Loop) -> None:
    begin_record(loop, loop.t)
    if loop.log_lacks == 0:
        log_motion(loop)


@releasing.kernel
def log_rest(loop: Loop) -> Int:
    """At the limit of a series of flights: how many records are written; 0: there is no room."""
    held = loop.constrained
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
    log_motion(loop)
    records = held.left_count + 1
    held.left_count = 0
    held.rests_at = inf
    return records
