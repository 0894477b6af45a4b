"""After an event: what goes on sliding or resting, what begins to, and what is left.

    code = take_up(loop)      # 0, or LACKING: Python provides what is asked for, and the event begins anew

In: the memory after the event in `loop.after`, its states in `loop.trial`, those before it in `loop.y`; the
memory before it in `loop.saved`; what crossed in `loop.which`, what may slide in `loop.suspects`, and the
motion that was let go in `held.last`. Out: the memory and the states from which to go on, in the same places,
and the motion that holds from here on in `held.present`.

Surfaces that go on are tried together with new ones; if that fails, fewer of them.
"""

from __future__ import annotations

from math import inf

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Int
from freewheel.runtime.events.chattering_kernels import chatter, is_real_motion
from freewheel.runtime.events.impacts import (
    has_moved,
    is_against_motion,
    move_over,
    note_impact,
    size_of,
    turn_back,
    undo,
)
from freewheel.runtime.events.sliding.filippov import ask, slide, take_contacts
from freewheel.runtime.events.sliding.hold_kernels import KNOWN, HeldMotion, HeldMotions, image
from freewheel.runtime.events.sliding.projection import project
from freewheel.runtime.events.sliding.reasons import BESIDE_CORE, LACKING, SLIDES, STATES_JUMP
from freewheel.runtime.events.sliding.release import mark_hold, nearest, releasing
from freewheel.runtime.events.sliding.sides import (
    clear_wanted,
    residual_motion,
    see_mode_of,
    settle_sides,
)
from freewheel.runtime.events.sliding.zeno import RESTS, negligible, rest, zeno
from freewheel.runtime.events.status_update import copy
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.thresholds import HOLD

MOTIONS = 3  # the one let go, one that rests and one that slides
NOTHING, GOES_ON = 0, 1
LIST = 11  # numbers of a hold that is remembered for its note

holding = KernelModule(
    "holding", chatter, releasing, zeno, exports=("take_up", "let_go", "follow_inputs")
)


@holding.kernel
def crosses(loop: Loop, i: Int) -> Int:
    """What an implicit core turns by itself is none of our business."""
    return 1 if loop.crossed == 1 and loop.which[i] == 1 and loop.held.is_corner[i] == 0 else 0


@holding.kernel
def count_crossings(loop: Loop) -> Int:
    count = 0
    for i in range(loop.relation_count):
        count += crosses(loop, i)
    return count


@holding.kernel
def has_suspects(loop: Loop) -> Int:
    for i in range(loop.relation_count):
        if loop.suspects[i] == 1 and loop.held.is_corner[i] == 0:
            return 1
    return 0


@holding.kernel
def is_on(loop: Loop, i: Int) -> Int:
    """Whether the states after the event are on a surface."""
    see_mode_of(loop, loop.after)
    limit = HOLD.on_surface * loop.held.tolerance * size_of(loop, i)
    return 1 if abs(loop.held.now[i]) <= limit else 0


@holding.kernel
def allow_leaving(loop: Loop) -> None:
    """What leaves a surface has a residual of zero, give or take round-off, for a while."""
    held = loop.held
    last = held.motions[held.last]
    for k in range(last.members):
        i = last.member_relations[k]
        loop.bands[i] = HOLD.leaving * size_of(loop, i)


# ---------------------------------------------------------------- rest


@holding.kernel
def mark_impacts(loop: Loop, jumps: Int) -> Int:
    """Surfaces on which something may come to rest, into `hit`, and those near, into `near`; whether any was
    hit."""
    held = loop.held
    is_alone = 1 if count_crossings(loop) == 1 else 0
    found = 0
    for i in range(loop.relation_count):
        held.hit[i] = 0
        if jumps == 1 and crosses(loop, i) == 1:
            held.hit[i] = note_impact(loop, i, is_alone)
            found = max(found, held.hit[i])
    see_mode_of(loop, loop.after)
    for i in range(loop.relation_count):
        held.near[i] = 0
        if loop.impact_count > 0 and abs(held.now[i]) <= negligible(loop, i):
            held.near[i] = loop.impact_known[i]
    return found


@holding.kernel
def mark_resting(loop: Loop, with_kept: Int, with_hit: Int, with_near: Int) -> Int:
    """Surfaces to rest on, those of the last hold that were not left among them; how many."""
    held = loop.held
    count = 0
    for i in range(loop.relation_count):
        held.resting[i] = 0
        if (with_hit == 1 and held.hit[i] == 1) or (with_near == 1 and held.near[i] == 1):
            held.resting[i] = 1
    if with_kept == 1 and held.last >= 0:
        last = held.motions[held.last]
        for k in range(last.contacts):
            if held.ended[last.contact_relations[k]] == 0:
                held.resting[last.contact_relations[k]] = 1
    for i in range(loop.relation_count):
        count += held.resting[i]
    return count


@holding.kernel
def find_rest(loop: Loop, motion: HeldMotion, jumps: Int) -> Int:
    """At rest on what was hit, together with what rested already: RESTS, RESTS_NOT or LACKING."""
    held = loop.held
    has_hit = mark_impacts(loop, jumps)
    found = 0
    for choice in range(4):
        count = 0
        if choice == 0 and mark_resting(loop, 1, 1, 0) > 0:
            count = mark_resting(loop, 1, 1, 1)
        elif choice == 1:
            count = mark_resting(loop, 1, 1, 0)
        elif choice == 2:
            count = mark_resting(loop, 0, 1, 0)
        elif choice == 3:
            count = mark_resting(loop, 1, 0, 0)
        if count > 0:
            found = rest(loop, motion)
        if found == LACKING:
            return LACKING
        if found == RESTS:
            still = held.would_rest_at if held.would_rest_at > loop.t else inf
            held.rests_at = held.limit if has_hit == 1 else still
            if has_hit == 1 or held.rests_at == inf:
                held.left_count = held.series_count if held.limit > loop.t else 0
            return RESTS
    return found


# ---------------------------------------------------------------- sliding


@holding.kernel
def is_listed(held: HeldMotions, count: Int, relation: Int) -> Int:
    for a in range(count):
        if held.numbers[a] == relation:
            return 1
    return 0


@holding.kernel
def list_kept(loop: Loop, jumps: Int) -> Int:
    """Relations of the surfaces of the last hold that are not left; how many."""
    held = loop.held
    if held.last < 0:
        return 0
    last = held.motions[held.last]
    count = 0
    for s in range(last.surfaces):
        relation = last.surface_relations[s]
        stays = 1 - held.ended[relation]
        if stays == 1 and jumps == 1:
            stays = is_on(loop, relation)
        for k in range(last.members):
            if stays == 1 and last.member_surfaces[k] == s:
                held.numbers[count] = last.member_relations[k]
                count += 1
    return count


@holding.kernel
def list_relations(loop: Loop, choice: Int, jumps: Int) -> Int:
    """Relations to try together, into `numbers`: those kept and all that is suspected, those kept and what
    switched now, all that is suspected, what switched now, those kept. Where states jump there is no sliding,
    whatever switched."""
    held = loop.held
    kept = list_kept(loop, jumps)
    with_kept = 1 if choice == 0 or choice == 1 or choice == 4 else 0
    with_fresh = 0 if choice == 4 or jumps == 1 else 1
    only_now = 1 if choice == 1 or choice == 3 else 0
    for i in range(loop.relation_count):
        is_suspect = loop.suspects[i] == 1 and held.is_corner[i] == 0
        is_meant = with_fresh == 1 and (only_now == 0 or crosses(loop, i) == 1)
        held.hit[i] = 1 if is_suspect and is_meant and is_listed(held, kept, i) == 0 else 0
    count = kept if with_kept == 1 else 0
    for i in range(loop.relation_count):
        if held.hit[i] == 1:
            held.numbers[count] = i
            count += 1
    return count


@holding.kernel
def was_tried(held: HeldMotions, choice: Int, count: Int) -> Int:
    """Whether one of the lists before was the same; it is remembered."""
    room = held.relation_count
    held.tried_sizes[choice] = count
    for a in range(count):
        held.tried[choice * room + a] = held.numbers[a]
    for other in range(choice):
        same = 1 if held.tried_sizes[other] == count else 0
        for a in range(count):
            if same == 1 and held.tried[other * room + a] != held.numbers[a]:
                same = 0
        if same == 1:
            return 1
    return 0


@holding.kernel
def find_sliding(loop: Loop, motion: HeldMotion, jumps: Int) -> Int:
    """SLIDES, LACKING, or another reason why not; `motion` has the contacts of what rests."""
    held = loop.held
    reason = STATES_JUMP
    for choice in range(5):
        count = list_relations(loop, choice, jumps)
        if was_tried(held, choice, count) == 1 or count == 0:
            continue
        reason = slide(loop, motion, count)
        if reason == SLIDES:
            return SLIDES
        if reason == LACKING:
            return LACKING
        if loop.stored_count > 0 and is_real_motion(reason) == 1:
            reason += BESIDE_CORE  # it may be noise all the same
        for a in range(count):
            loop.why_not[held.numbers[a]] = reason
    return reason


# ---------------------------------------------------------------- a hold begins


@holding.kernel
def is_same_hold(one: HeldMotion, other: HeldMotion) -> Int:
    """The same relations in the same order."""
    if one.surfaces != other.surfaces or one.contacts != other.contacts:
        return 0
    if one.members != other.members:
        return 0
    for k in range(one.members):
        if one.member_relations[k] != other.member_relations[k]:
            return 0
    return 1


@holding.kernel
def list_motion(held: HeldMotions, motion: HeldMotion, only_ended: Int) -> Int:
    """Surfaces, then contacts, into `numbers`; those that are left, or all. How many surfaces."""
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


@holding.kernel
def remember_hold(loop: Loop, motion: HeldMotion) -> None:
    """Each kind of hold once, for its note."""
    held = loop.held
    surfaces = list_motion(held, motion, 0)
    for k in range(held.begun_count):
        entry = held.begun_relations[LIST * k :]
        same = 1 if entry[0] == surfaces and entry[1] == motion.contacts else 0
        for a in range(held.listed):
            if same == 1 and entry[2 + a] != held.numbers[a]:
                same = 0
        if same == 1:
            return
    entry = held.begun_relations[LIST * held.begun_count :]
    entry[0] = surfaces
    entry[1] = motion.contacts
    for a in range(held.listed):
        entry[2 + a] = held.numbers[a]
    held.begun_times[held.begun_count] = loop.t
    held.begun_count += 1


@holding.kernel
def begin_hold(loop: Loop, number: Int) -> None:
    held = loop.held
    motion = held.motions[number]
    surfaces = list_motion(held, motion, 0)
    project(loop, image(motion, 0), held.listed, surfaces)
    copy(loop.memory_size, image(motion, nearest(motion)), loop.after)
    copy(loop.n, loop.trial, loop.after[loop.states_slot :])
    for k in range(motion.members):
        # What ends a hold is a residual that is no longer positive, see `hold_kernels.py`.
        loop.after[loop.status_slots[motion.member_relations[k]]] = 1.0
        loop.bands[motion.member_relations[k]] = 0.0
    held.is_new = 1
    if held.last >= 0 and is_same_hold(motion, held.motions[held.last]) == 1:
        held.is_new = 0
    held.present = number
    mark_hold(loop)
    remember_hold(loop, motion)


# ---------------------------------------------------------------- a hold ends


@holding.kernel
def rate_on_side(loop: Loop, motion: HeldMotion, surface: Int, side: Int) -> Int:
    """The mode on one side of a surface, into `side_one` or `side_two`, and how fast its residual changes
    there, into `wrong`; 0 where there is none."""
    held = loop.held
    clear_wanted(loop)
    for k in range(motion.members):
        if motion.member_surfaces[k] == surface:
            way = 1.0 if side == 1 else -1.0
            held.wanted[motion.member_relations[k]] = way * motion.member_signs[k]
    out = held.side_two if side == 1 else held.side_one
    if settle_sides(loop, loop.after, out) == 0:
        return 0
    see_mode_of(loop, out)
    held.wrong[side] = residual_motion(held, loop.memory, motion.surface_relations[surface])
    return 1


@holding.kernel
def choose_sides(loop: Loop) -> None:
    """After an event that ended a sliding motion otherwise than by leaving: to the side to which
    both modes drive."""
    held = loop.held
    last = held.motions[held.last]
    copy(loop.memory_size, loop.after, held.side_back)
    for s in range(last.surfaces):
        relation = last.surface_relations[s]
        if held.ended[relation] == 1 or is_on(loop, relation) == 0:
            continue
        if ask(held, relation, 1) != KNOWN or rate_on_side(loop, last, s, 0) == 0:
            continue
        if rate_on_side(loop, last, s, 1) == 0 or not held.wrong[0] * held.wrong[1] > 0.0:
            continue
        chosen = held.side_two if held.wrong[1] > 0.0 else held.side_one
        copy(loop.memory_size, chosen, held.side_back)
    copy(loop.memory_size, held.side_back, loop.after)


@holding.kernel
def depart(loop: Loop) -> None:
    """Errors of steps have moved the states off a surface that is now left: back to it, and to
    the side on which the motion goes on."""
    held = loop.held
    surfaces = list_motion(held, held.motions[held.last], 1)
    count = held.listed
    if count == 0:
        return
    project(loop, loop.after, count, surfaces)
    for a in range(count):
        i = held.numbers[a]
        copy(loop.memory_size, loop.after, loop.memory)
        move_over(loop, i, loop.after[loop.status_slots[i]])


@holding.kernel
def other_motion(held: HeldMotions, taken: Int) -> Int:
    """A motion that is neither the one let go nor this one."""
    for number in range(MOTIONS):
        if number != held.last and number != taken:
            return number
    return 0


@holding.kernel
def find_hold(loop: Loop, jumps: Int) -> Int:
    """GOES_ON, NOTHING or LACKING."""
    held = loop.held
    resting = other_motion(held, -1)
    moving = other_motion(held, resting)
    rests = find_rest(loop, held.motions[resting], jumps)
    if rests == LACKING:
        return LACKING
    held.motions[moving].contacts = 0
    if rests == RESTS:
        take_contacts(held.motions[moving], held.motions[resting])
    slides = find_sliding(loop, held.motions[moving], jumps)
    if slides == LACKING:
        return LACKING
    if slides != SLIDES and rests != RESTS:
        return NOTHING
    begin_hold(loop, moving if slides == SLIDES else resting)
    return GOES_ON


@holding.kernel
def is_undone(loop: Loop) -> Int:
    """A crossing against the motion is round-off of the step just after another impact."""
    found = -1
    for i in range(loop.relation_count):
        if crosses(loop, i) == 1:
            loop.why_not[i] = STATES_JUMP
            found = i
    if loop.impact_count == 0 or count_crossings(loop) != 1 or is_against_motion(loop, found) == 0:
        return 0
    undo(loop, found)
    return 1


@holding.kernel
def go_on_freely(loop: Loop) -> None:
    """Nothing is held from here on."""
    held = loop.held
    if held.last >= 0:
        choose_sides(loop)
        depart(loop)
    if loop.crossed == 1 and loop.impact_count > 0 and has_moved(loop, loop.y, loop.trial) == 1:
        loop.listens = 1
        for i in range(loop.relation_count):
            if crosses(loop, i) == 1:
                turn_back(loop, i)  # where nothing settles, as it is
        loop.listens = 0


@holding.kernel
def take_up(loop: Loop) -> Int:
    held = loop.held
    held.lacks = 0
    held.lacks_modes = 0
    if held.begun_count == held.begun_room:
        held.lacks = 1
        return LACKING
    jumps = has_moved(loop, loop.y, loop.trial)
    hits = 1 if jumps == 1 and count_crossings(loop) > 0 else 0
    if held.last < 0 and hits == 0 and has_suspects(loop) == 0:
        return NOTHING
    detail = loop.log_detail
    loop.log_detail = 0
    code = NOTHING
    if held.last >= 0:
        allow_leaving(loop)
    elif hits == 1 and is_undone(loop) == 1:
        code = GOES_ON
    if code == NOTHING:
        code = find_hold(loop, jumps)
        if code == NOTHING:
            go_on_freely(loop)
    loop.log_detail = detail
    if loop.message_watch > 0:
        loop.forget_messages(loop)  # what trials have said
    return LACKING if code == LACKING else NOTHING
