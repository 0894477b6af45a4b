"""After an event: which sliding motions and rests go on, begin or end.

    code = find_motion_after(loop)    # 0; LACKING: Python provides what is missing, the event begins again

In: the memory after the event in `loop.after`, its states in `loop.trial`, those before it in `loop.y`; the
memory before it in `loop.saved`; the relations that cross in `loop.which`, the candidates for sliding in
`loop.candidates`, the motion that the event has released in `held.last`. Out: the memory and the states from
which to go on, in the same places, and the motion from here on in `held.present`.

Surfaces that go on are tried together with new ones, and then fewer of them.
"""

from __future__ import annotations

from math import inf

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Int, Ints
from freewheel.runtime.events.chattering import chatter, is_found_moving
from freewheel.runtime.events.impacts import (
    clear_wanted,
    has_moved,
    is_against_motion,
    move_back,
    move_to_side,
    note_impact,
    set_flight_status,
    settle_on_sides,
)
from freewheel.runtime.events.iteration_kernels import copy, count_marked, size_of
from freewheel.runtime.events.sliding.filippov import request_derivative, slide, take_contacts
from freewheel.runtime.events.sliding.projection import evaluate_mode_of, project, residual_motion
from freewheel.runtime.events.sliding.release import mark_constrained, nearest, releasing
from freewheel.runtime.events.sliding.vector_field import (
    KNOWN,
    ConstrainedMotion,
    ConstrainedMotions,
    image,
)
from freewheel.runtime.events.sliding.violations import BESIDE_CORE, LACKING, SLIDES, STATES_JUMP
from freewheel.runtime.events.sliding.zeno import RESTS, negligible, rest, zeno
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.thresholds import SLIDING

MOTIONS = 3  # the one released, one that rests and one that slides
NOTHING, GOES_ON = 0, 1
LIST = 11  # numbers of a motion that is remembered for its note

transitions = KernelModule(
    "holding",
    chatter,
    releasing,
    zeno,
    exports=("find_motion_after", "release_motion", "follow_inputs"),
)


@transitions.kernel
def is_on(loop: Loop, i: Int) -> Int:
    """1: the states after the event are on the surface of relation i."""
    evaluate_mode_of(loop, loop.after)
    limit = SLIDING.on_surface * loop.constrained.tolerance * size_of(loop, i)
    return 1 if abs(loop.constrained.now[i]) <= limit else 0


# ---------------------------------------------------------------- rest


@transitions.kernel
def mark_impacts(loop: Loop) -> Int:
    """Marks the surfaces of slow impacts in `hit` and those nearby in `near`; how many slow impacts."""
    held = loop.constrained
    r = loop.relation_count
    is_alone = 1 if count_marked(r, held.crossing) == 1 else 0
    for i in range(r):
        held.hit[i] = 0
        if held.jumps == 1 and held.crossing[i] == 1:
            held.hit[i] = note_impact(loop, i, is_alone)
    evaluate_mode_of(loop, loop.after)
    for i in range(r):
        held.near[i] = 0
        if loop.impact_count > 0 and abs(held.now[i]) <= negligible(loop, i):
            held.near[i] = loop.impact_known[i]
    return count_marked(r, held.hit)


@transitions.kernel
def mark_resting(loop: Loop, with_kept: Int, with_hit: Int, with_near: Int) -> Int:
    """Marks the surfaces to rest on: those of slow impacts, those of the released motion that are not left,
    and beside them those nearby; how many."""
    held = loop.constrained
    r = loop.relation_count
    for i in range(r):
        held.resting[i] = held.hit[i] if with_hit == 1 else 0
    if with_kept == 1 and held.last >= 0:
        last = held.motions[held.last]
        for k in range(last.contacts):
            if held.ended[last.contact_relations[k]] == 0:
                held.resting[last.contact_relations[k]] = 1
    if with_near == 1 and count_marked(r, held.resting) > 0:
        for i in range(r):
            held.resting[i] = max(held.resting[i], held.near[i])
    return count_marked(r, held.resting)


@transitions.kernel
def find_rest(loop: Loop, motion: ConstrainedMotion) -> Int:
    """Rest on the surfaces of slow impacts together with those of the released motion: RESTS, RESTS_NOT or
    LACKING."""
    held = loop.constrained
    has_slow_impact = mark_impacts(loop)
    found = 0
    for choice in range(4):
        with_kept = 0 if choice == 2 else 1
        with_hit = 0 if choice == 3 else 1
        if mark_resting(loop, with_kept, with_hit, 1 if choice == 0 else 0) > 0:
            found = rest(loop, motion)
        if found == LACKING:
            return LACKING
        if found == RESTS:
            still = held.would_rest_at if held.would_rest_at > loop.t else inf
            held.rests_at = held.limit if has_slow_impact > 0 else still
            if has_slow_impact > 0 or held.rests_at == inf:
                held.left_count = held.series_count if held.limit > loop.t else 0
            return RESTS
    return found


# ---------------------------------------------------------------- sliding


@transitions.kernel
def list_kept(loop: Loop) -> Int:
    """Relations of the surfaces of the released motion that are not left; how many."""
    held = loop.constrained
    if held.last < 0:
        return 0
    last = held.motions[held.last]
    count = 0
    for s in range(last.surfaces):
        relation = last.surface_relations[s]
        stays = 1 - held.ended[relation]
        if stays == 1 and held.jumps == 1:
            stays = is_on(loop, relation)
        for k in range(last.members):
            if stays == 1 and last.member_surfaces[k] == s:
                held.numbers[count] = last.member_relations[k]
                count += 1
    return count


@transitions.kernel
def list_relations(loop: Loop, choice: Int) -> Int:
    """Relations to try together, into `numbers`: those kept with all candidates, those kept with the
    candidates that cross now, all candidates, those that cross now, those kept. Where states jump there are
    no candidates."""
    held = loop.constrained
    kept = list_kept(loop)
    only_now = 1 if choice == 1 or choice == 3 else 0
    for i in range(loop.relation_count):
        held.hit[i] = 0 if choice == 4 or held.jumps == 1 else loop.candidates[i]
        if only_now == 1 and held.crossing[i] == 0:
            held.hit[i] = 0
    for a in range(kept):
        held.hit[held.numbers[a]] = 0
    count = 0 if choice == 2 or choice == 3 else kept
    for i in range(loop.relation_count):
        if held.hit[i] == 1:
            held.numbers[count] = i
            count += 1
    return count


@transitions.kernel
def equals_list(count: Int, one: Ints, other: Ints) -> Int:
    for a in range(count):
        if one[a] != other[a]:
            return 0
    return 1


@transitions.kernel
def was_tried(held: ConstrainedMotions, choice: Int, count: Int) -> Int:
    """Stores the list in `numbers`; 1: one of the lists before is equal."""
    room = held.relation_count
    held.tried_sizes[choice] = count
    for a in range(count):
        held.tried[choice * room + a] = held.numbers[a]
    for other in range(choice):
        before = held.tried[other * room :]
        if held.tried_sizes[other] == count and equals_list(count, before, held.numbers) == 1:
            return 1
    return 0


@transitions.kernel
def find_sliding(loop: Loop, motion: ConstrainedMotion) -> Int:
    """SLIDES, LACKING, or another reason; `motion` has the contacts of what rests."""
    held = loop.constrained
    reason = STATES_JUMP
    for choice in range(5):
        count = list_relations(loop, choice)
        if was_tried(held, choice, count) == 1 or count == 0:
            continue
        reason = slide(loop, motion, count)
        if reason == LACKING:
            return LACKING
        if reason == SLIDES:
            return SLIDES
        if loop.stored_count > 0 and is_found_moving(reason) == 1:
            reason += BESIDE_CORE  # it may still be noise
        for a in range(count):
            loop.violations[held.numbers[a]] = reason
    return reason


# ---------------------------------------------------------------- a motion begins


@transitions.kernel
def list_motion(held: ConstrainedMotions, motion: ConstrainedMotion, only_ended: Int) -> Int:
    """Surfaces, then contacts, into `numbers`: those that are left, or all. How many surfaces."""
    count = 0
    for k in range(motion.surfaces):
        if only_ended == 0 or held.ended[motion.surface_relations[k]] == 1:
            held.numbers[count] = motion.surface_relations[k]
            count += 1
    surfaces = count
    for k in range(motion.contacts):
        if only_ended == 0 or held.ended[motion.contact_relations[k]] == 1:
            held.numbers[count] = motion.contact_relations[k]
            count += 1
    held.listed = count
    return surfaces


@transitions.kernel
def remember_motion(loop: Loop, motion: ConstrainedMotion) -> None:
    """Each kind of motion once, for its note."""
    held = loop.constrained
    entry = held.note_relations[LIST * held.note_count :]
    entry[0] = list_motion(held, motion, 0)
    entry[1] = motion.contacts
    for a in range(held.listed):
        entry[2 + a] = held.numbers[a]
    for k in range(held.note_count):
        if equals_list(2 + held.listed, entry, held.note_relations[LIST * k :]) == 1:
            return
    held.note_times[held.note_count] = loop.t
    held.note_count += 1


@transitions.kernel
def begin_motion(loop: Loop, number: Int) -> None:
    held = loop.constrained
    motion = held.motions[number]
    surfaces = list_motion(held, motion, 0)
    project(loop, image(motion, 0), held.listed, surfaces)
    copy(loop.memory_size, image(motion, nearest(motion)), loop.after)
    copy(loop.n, loop.trial, loop.after[loop.states_slot :])
    for k in range(motion.members):
        # A residual that is no longer positive ends the motion, see `vector_field.py`.
        loop.after[loop.status_slots[motion.member_relations[k]]] = 1.0
        loop.bands[motion.member_relations[k]] = 0.0
    held.is_new = 1
    if held.last >= 0:  # the same relations in the same order
        last = held.motions[held.last]
        is_same = motion.surfaces == last.surfaces and motion.contacts == last.contacts
        if is_same and motion.members == last.members:
            held.is_new = 1 - equals_list(
                motion.members, motion.member_relations, last.member_relations
            )
    held.present = number
    mark_constrained(loop)
    remember_motion(loop, motion)


# ---------------------------------------------------------------- a motion ends


@transitions.kernel
def rate_on_side(loop: Loop, motion: ConstrainedMotion, surface: Int, side: Int) -> Int:
    """The mode on one side of a surface, into `side_one` or `side_two`, and the rate of its residual, into
    `wrong`; 0 where there is none."""
    held = loop.constrained
    clear_wanted(loop)
    for k in range(motion.members):
        if motion.member_surfaces[k] == surface:
            way = 1.0 if side == 1 else -1.0
            loop.wanted[motion.member_relations[k]] = way * motion.member_signs[k]
    out = held.side_two if side == 1 else held.side_one
    if settle_on_sides(loop, loop.after, out) == 0:
        return 0
    evaluate_mode_of(loop, out)
    held.wrong[side] = residual_motion(held, loop.memory, motion.surface_relations[surface])
    return 1


@transitions.kernel
def choose_sides(loop: Loop) -> None:
    """After an event that ends a sliding motion other than by leaving: the side to which both modes drive."""
    held = loop.constrained
    last = held.motions[held.last]
    copy(loop.memory_size, loop.after, held.side_back)
    for s in range(last.surfaces):
        relation = last.surface_relations[s]
        if held.ended[relation] == 1 or is_on(loop, relation) == 0:
            continue
        if request_derivative(held, relation, 1) != KNOWN or rate_on_side(loop, last, s, 0) == 0:
            continue
        if rate_on_side(loop, last, s, 1) == 1 and held.wrong[0] * held.wrong[1] > 0.0:
            chosen = held.side_two if held.wrong[1] > 0.0 else held.side_one
            copy(loop.memory_size, chosen, held.side_back)
    copy(loop.memory_size, held.side_back, loop.after)


@transitions.kernel
def depart(loop: Loop) -> None:
    """Projects the states onto a surface that is left, and moves them to the side on which the motion goes
    on: errors of steps have moved them off it."""
    held = loop.constrained
    surfaces = list_motion(held, held.motions[held.last], 1)
    count = held.listed
    if count == 0:
        return
    project(loop, loop.after, count, surfaces)
    for a in range(count):
        i = held.numbers[a]
        copy(loop.memory_size, loop.after, loop.memory)
        move_to_side(loop, i, loop.after[loop.status_slots[i]])


@transitions.kernel
def end_motions(loop: Loop) -> None:
    """No motion is constrained from here on."""
    if loop.constrained.last >= 0:
        choose_sides(loop)
        depart(loop)
    if loop.impact_count > 0 and has_moved(loop, loop.y, loop.trial) == 1:
        for i in range(loop.relation_count):
            if loop.constrained.crossing[i] == 1:
                set_flight_status(loop, i)


# ---------------------------------------------------------------- the decision


@transitions.kernel
def find_motion(loop: Loop) -> Int:
    """GOES_ON, NOTHING or LACKING."""
    held = loop.constrained
    resting = 1 if held.last == 0 else 0
    moving = 2 if held.last >= 0 and held.last < 2 else 1
    rests = find_rest(loop, held.motions[resting])
    if rests == LACKING:
        return LACKING
    held.motions[moving].contacts = 0
    if rests == RESTS:
        take_contacts(held.motions[moving], held.motions[resting])
    slides = find_sliding(loop, held.motions[moving])
    if slides == LACKING:
        return LACKING
    if slides != SLIDES and rests != RESTS:
        return NOTHING
    begin_motion(loop, moving if slides == SLIDES else resting)
    return GOES_ON


@transitions.kernel
def is_moved_back(loop: Loop) -> Int:
    """A crossing against the motion is rounding of the step after another impact."""
    found = -1
    for i in range(loop.relation_count):
        if loop.constrained.crossing[i] == 1:
            loop.violations[i] = STATES_JUMP
            found = i
    is_alone = count_marked(loop.relation_count, loop.constrained.crossing) == 1
    if loop.impact_count == 0 or not is_alone or is_against_motion(loop, found) == 0:
        return 0
    move_back(loop, found)
    return 1


@transitions.kernel
def find_motion_after(loop: Loop) -> Int:
    held = loop.constrained
    r = loop.relation_count
    held.is_lacking = 0
    held.lacking_modes = 0
    if held.note_count == held.note_room:
        held.is_lacking = 1
        return LACKING
    for i in range(r):  # an implicit core sets the statuses of its corners
        held.crossing[i] = loop.which[i] if loop.crossed == 1 and held.is_corner[i] == 0 else 0
        if held.is_corner[i] == 1:
            loop.candidates[i] = 0
    held.jumps = has_moved(loop, loop.y, loop.trial)
    has_slow_impact = 1 if held.jumps == 1 and count_marked(r, held.crossing) > 0 else 0
    if held.last < 0 and has_slow_impact == 0 and count_marked(r, loop.candidates) == 0:
        return NOTHING
    detail = loop.log_detail
    loop.log_detail = 0
    code = NOTHING
    if held.last >= 0:
        last = held.motions[held.last]
        for k in range(last.members):
            i = last.member_relations[k]
            # The residual of a surface that is left stays zero, but for rounding, for a while.
            loop.bands[i] = SLIDING.leaving * size_of(loop, i)
    elif has_slow_impact == 1 and is_moved_back(loop) == 1:
        code = GOES_ON
    if code == NOTHING:
        code = find_motion(loop)
        if code == NOTHING:
            end_motions(loop)
    loop.log_detail = detail
    if loop.message_watch > 0:
        loop.forget_messages(loop)  # of trials
    return LACKING if code == LACKING else NOTHING
