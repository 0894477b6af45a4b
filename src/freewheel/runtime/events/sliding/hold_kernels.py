"""A model held on surfaces: sliding on them (Filippov) or resting on them (contact).

    status = derivatives_held(m, held)      # the model's own derivatives while nothing is held
    status = outputs_held(m, held)

There is one image of the memory for each mode, that is for each choice of sides of the sliding
surfaces. The motion is the mixture of the modes' slopes, weighted by one share for each surface
(the equivalent control; multilinear: Alexander and Seidman 1998), plus a reaction along a fixed direction for
each contact:

    x' = sum of weight(share) * slope of a mode  +  sum of reaction * direction

Shares and reactions follow from the demand that surfaces are not left: z' = -stiffness z on sliding
surfaces, z'' = -2 stiffness z' - stiffness**2 z in contacts; the terms with z take away what errors
of steps have left (Baumgarte 1972). All Real variables are mixed with the same weights. The residual
of a relation that is held is replaced by what ends the hold when it becomes zero: for a surface the
smaller of the share and what it lacks to one, for a contact the reaction.

Beside an implicit core the slopes of a mode are those that its core has there, and the unknowns that are no
states follow in each mode and are mixed like any other variable.

`events/sliding/holding.py` allocates the record and binds the model's sections and the derivatives of its
residuals; `events/sliding/holding_kernels.py` decides what is held.
"""

from __future__ import annotations

from math import nan

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Function, Int, Ints, Section
from freewheel.machine.records import Records, array, record
from freewheel.runtime.linear.dense_lu import dense_lu, lu_factor, lu_solve
from freewheel.runtime.thresholds import HOLD, LARGEST

NOT_ASKED, KNOWN, NONE = range(3)  # of derivatives of a residual


@record
class RelationSlopes:
    """Derivatives of the residual of one relation, see `runtime.model.Slopes`."""

    first: Function
    second: Function
    first_known: Int  # NOT_ASKED, KNOWN or NONE
    second_known: Int


@record
class HeldMotion:
    """One motion on surfaces and in contacts. A surface may belong to several relations, its members.
    Contacts are members too, of surfaces with the numbers behind."""

    states: Int
    image_size: Int  # of the memory
    surface_room: Int
    contact_room: Int
    member_room: Int
    mode_room: Int
    modes: Int  # 2 ** surfaces
    surfaces: Int
    contacts: Int
    members: Int
    surface_relations: Ints = array("surface_room")
    contact_relations: Ints = array("contact_room")
    contact_sides: Floats = array("contact_room")  # sign of the residual away from the surface
    member_relations: Ints = array("member_room")  # the relation of a surface is its first member
    member_surfaces: Ints = array("member_room")
    member_signs: Floats = array("member_room")  # beside the residual of the surface
    stiffness: Float
    unknowns: Floats = array("surface_room + contact_room")  # shares of surfaces, then reactions
    # Of reactions, one vector of states each, scaled so that the reaction is the second derivative of the
    # residual, positive where it drives away from the surface.
    directions: Floats = array("contact_room * states")
    weights: Floats = array("mode_room")
    mode_rates: Floats = array("mode_room * surface_room")
    mode_accelerations: Floats = array("mode_room * contact_room")
    contact_speeds: Floats = array("contact_room")
    # What a unit of each reaction does to surfaces (rate) and contacts (acceleration).
    effects: Floats = array("contact_room * (surface_room + contact_room)")
    pivots: Ints = array("surface_room + contact_room")
    matrix: Floats = array("(surface_room + contact_room) * (surface_room + contact_room)")
    right: Floats = array("surface_room + contact_room")
    images: Floats = array("mode_room * image_size")  # of the memory, one for each mode


@record
class HeldMotions:
    """All that a run knows of its held motions. Fields that end in `_slots` are places in the memory."""

    # ------------------------------------------------------------ the model
    derivatives: Section  # its own, or those that contain its implicit core
    relations: Section
    outputs: Section
    mode_derivatives: Section  # in an image; beside a core they keep its positions
    mode_relations: Section
    follow_inputs: Function  # slopes of inputs that are functions of Python,
    asks_inputs: Int  # where this is 1
    relation_count: Int
    states: Int
    derivatives_slot: Int
    time_slot: Int
    flag_slot: Int  # in which the model says that it has spoken; -1: none
    inputs: Int
    mixed: Int
    carried: Int  # slots that the runtime writes between events
    given: Int  # states that images are moved to; the others follow in each of them
    positions: Int  # of ideal elements
    memory_size: Int
    input_slots: Ints = array("inputs")
    mixed_slots: Ints = array("mixed")
    carried_slots: Ints = array("carried")
    given_slots: Ints = array("given")
    position_slots: Ints = array("positions")
    residual_slots: Ints = array("relation_count")
    is_corner: Ints = array("relation_count")  # 1: an implicit core turns it by itself
    slopes: Records[RelationSlopes] = array("relation_count")

    tolerance: Float  # of the run

    # ------------------------------------------------------------ what is held
    present: Int  # number of the motion that is held; -1: none
    last: Int  # of the one that was let go at the present event; -1: none
    before_event: Int  # as `present` and
    rested_before: Float  # as `rests_at`,
    left_before: Int  # `left_count`
    begun_before: Int  # and `begun_count`, when the present event began
    is_new: Int  # the present one did not just go on after an event of something else
    motion_count: Int
    motions: Records[HeldMotion] = array("motion_count")
    ended: Ints = array("relation_count")  # 1: the present event ended its part of the hold
    rests_at: Float  # when the last of ever shorter flights ends
    would_rest_at: Float  # the same before the present event
    limit: Float  # the same of a rest that is tried
    series_count: Int  # impacts of a rest that is tried
    left_count: Int  # impacts until it begins that are left out
    left_relation: Int
    left_room: Int
    left_times: Floats = array("left_room")
    begun_count: Int  # different holds so far, for notes
    begun_room: Int
    begun_times: Floats = array("begun_room")
    begun_relations: Ints = array("11 * begun_room")  # surfaces, contacts, relations of both

    # ------------------------------------------------------------ what is asked for
    lacks: Int  # 1: see the following fields
    lacks_modes: Int  # images that a motion must have
    asked: Ints = array("relation_count")  # orders of derivatives, as bits 1 and 2

    # ------------------------------------------------------------ scratch
    input_slopes: Floats = array("inputs")
    # A direction goes in, a derivative comes out.
    values: Floats = array("2 + states + 2 * inputs")
    wanted: Floats = array("relation_count")  # sides on which relations are put; 0: free
    kept_bands: Floats = array("relation_count")
    now: Floats = array("relation_count")  # residuals, or their rates
    numbers: Ints = array("relation_count")  # of relations that are tried together
    listed: Int  # how many of them are surfaces and contacts of a motion
    tried: Ints = array("6 * relation_count")  # such lists, one after the other
    tried_sizes: Ints = array("6")
    resting: Ints = array("relation_count")  # 1: its surface is one to rest on
    hit: Ints = array("relation_count")  # 1: an impact so slow that something may rest
    near: Ints = array("relation_count")  # 1: there were impacts, and the surface is near
    side_one: Floats = array("memory_size")  # memories
    side_two: Floats = array("memory_size")
    side_back: Floats = array("memory_size")
    released: Floats = array("memory_size")  # before a hold was let go
    way: Floats = array("states")
    scale: Floats = array("states")
    row_room: Int
    rows: Floats = array("row_room * (states + 1)")
    wrong: Floats = array("row_room")
    change: Floats = array("states")


holds = KernelModule(
    "holds",
    dense_lu,
    exports=("derivatives_held", "relations_held", "outputs_held"),
)


@holds.kernel
def image(motion: HeldMotion, mode: Int) -> Floats:
    return motion.images[mode * motion.image_size :]


@holds.kernel
def is_above(mode: Int, surface: Int) -> Int:
    """Whether this mode is that of the positive side of a surface."""
    return (mode >> surface) & 1


@holds.kernel
def move_image(m: Floats, held: HeldMotions, to: Floats) -> None:
    """An image to the point in memory."""
    to[held.time_slot] = m[held.time_slot]
    copy_slots(held.given, held.given_slots, m, to)
    copy_slots(held.inputs, held.input_slots, m, to)
    copy_slots(held.carried, held.carried_slots, m, to)


@holds.kernel
def copy_slots(n: Int, slots: Ints, source: Floats, target: Floats) -> None:
    for i in range(n):
        target[slots[i]] = source[slots[i]]


# ---------------------------------------------------------------- derivatives of residuals


@holds.kernel
def slope_along(held: HeldMotions, memory: Floats, relation: Int, order: Int, time: Float) -> Float:
    """Of a residual, in the direction that `values` holds behind its first number; `memory` holds a point
    that has been evaluated."""
    values = held.values
    values[0] = time
    if order == 1:
        status = held.slopes[relation].first(memory, values)
    else:
        status = held.slopes[relation].second(memory, values)
    return values[0] if status == 0 else nan


@holds.kernel
def along_motion(held: HeldMotions, memory: Floats) -> None:
    """The direction in which this mode moves; behind it slopes of inputs once more."""
    values = held.values
    n = held.states
    for i in range(n):
        values[1 + i] = memory[held.derivatives_slot + i]
    for i in range(held.inputs):
        values[1 + n + i] = held.input_slopes[i]
        values[1 + n + held.inputs + i] = held.input_slopes[i]


@holds.kernel
def along_nothing(held: HeldMotions) -> None:
    """No state and no input moves; for second derivatives inputs keep their slopes."""
    values = held.values
    n = held.states
    for i in range(n):
        values[1 + i] = 0.0
    for i in range(held.inputs):
        values[1 + n + i] = 0.0
        values[1 + n + held.inputs + i] = held.input_slopes[i]


@holds.kernel
def along_states(held: HeldMotions, direction: Floats) -> None:
    """A direction of states, at one time."""
    along_nothing(held)
    for i in range(held.states):
        held.values[1 + i] = direction[i]


# ---------------------------------------------------------------- modes


@holds.kernel
def see_mode(m: Floats, held: HeldMotions, motion: HeldMotion, mode: Int) -> Int:
    """Slopes of one mode, and how fast it moves toward or away from the surfaces."""
    now = image(motion, mode)
    move_image(m, held, now)
    if held.mode_derivatives(now) != 0:
        return 1
    if held.mode_relations(now) != 0:
        return 1
    k = motion.surfaces
    p = motion.contacts
    along_motion(held, now)
    for i in range(k):
        rate = slope_along(held, now, motion.surface_relations[i], 1, 1.0)
        motion.mode_rates[mode * k + i] = rate
    for i in range(p):
        rate = slope_along(held, now, motion.contact_relations[i], 2, 1.0)
        motion.mode_accelerations[mode * p + i] = rate
    return 0


@holds.kernel
def see_contacts(held: HeldMotions, motion: HeldMotion) -> None:
    """Speeds of contacts, and what each reaction does; one mode is as good as another for this."""
    now = image(motion, 0)
    k = motion.surfaces
    p = motion.contacts
    along_motion(held, now)
    for i in range(p):
        motion.contact_speeds[i] = slope_along(held, now, motion.contact_relations[i], 1, 1.0)
    for j in range(p):
        along_states(held, motion.directions[j * held.states :])
        for i in range(k):
            rate = slope_along(held, now, motion.surface_relations[i], 1, 0.0)
            motion.effects[j * (k + p) + i] = rate
        for i in range(p):
            rate = slope_along(held, now, motion.contact_relations[i], 2, 0.0)
            motion.effects[j * (k + p) + k + i] = rate


@holds.kernel
def weigh(motion: HeldMotion) -> None:
    """Weights of the modes by the shares of the surfaces."""
    shares = motion.unknowns
    for mode in range(motion.modes):
        product = 1.0
        for i in range(motion.surfaces):
            product *= shares[i] if is_above(mode, i) == 1 else 1.0 - shares[i]
        motion.weights[mode] = product


@holds.kernel
def set_up_system(held: HeldMotions, motion: HeldMotion) -> None:
    """What is demanded and does not hold, in `right`, and its derivatives by the unknowns, in `matrix`."""
    k = motion.surfaces
    p = motion.contacts
    n = k + p
    stiffness = motion.stiffness
    here = image(motion, 0)
    matrix = motion.matrix
    for row in range(n):
        if row < k:
            total = stiffness * here[held.residual_slots[motion.surface_relations[row]]]
        else:
            i = row - k
            here_z = here[held.residual_slots[motion.contact_relations[i]]]
            total = stiffness * (2.0 * motion.contact_speeds[i] + stiffness * here_z)
        for j in range(p):
            total += motion.unknowns[k + j] * motion.effects[j * n + row]
            matrix[row * n + k + j] = motion.effects[j * n + row]
        for j in range(k):
            matrix[row * n + j] = 0.0
        for mode in range(motion.modes):
            value = 0.0
            if row < k:
                value = motion.mode_rates[mode * k + row]
            else:
                value = motion.mode_accelerations[mode * p + row - k]
            total += motion.weights[mode] * value
            for j in range(k):
                product = value if is_above(mode, j) == 1 else -value
                for other in range(k):
                    if other != j:
                        share = motion.unknowns[other]
                        product *= share if is_above(mode, other) == 1 else 1.0 - share
                matrix[row * n + j] += product
        motion.right[row] = -total


@holds.kernel
def find_shares(held: HeldMotions, motion: HeldMotion) -> Int:
    """Newton's method; with up to one surface the system is linear and needs one round. A rate that is no
    number makes its row none, and the unknowns stay as they are."""
    n = motion.surfaces + motion.contacts
    unknowns = motion.unknowns
    right = motion.right
    for _round in range(HOLD.most_rounds):
        weigh(motion)
        set_up_system(held, motion)
        if lu_factor(n, motion.matrix, motion.pivots) != 0:
            return 1
        lu_solve(n, motion.matrix, motion.pivots, right)
        change = 0.0
        for i in range(n):
            if not abs(right[i]) <= LARGEST:
                return 1
        for i in range(n):
            unknowns[i] += right[i]
            if not abs(unknowns[i]) <= LARGEST:
                return 1
            change = max(change, abs(right[i]) / (1.0 + abs(unknowns[i])))
        if motion.surfaces <= 1 or change < HOLD.converged:
            weigh(motion)
            return 0
    return 1


@holds.kernel
def mix(m: Floats, held: HeldMotions, motion: HeldMotion) -> None:
    """Real variables of the modes into the memory, and word of messages."""
    first = image(motion, 0)
    for i in range(held.mixed):
        slot = held.mixed_slots[i]
        total = motion.weights[0] * first[slot]
        for mode in range(1, motion.modes):
            total += motion.weights[mode] * image(motion, mode)[slot]
        m[slot] = total
    flag = held.flag_slot
    if flag >= 0:
        for mode in range(motion.modes):
            now = image(motion, mode)
            if now[flag] != 0.0:
                m[flag] = now[flag]
                now[flag] = 0.0


@holds.kernel
def react(held: HeldMotions, motion: HeldMotion) -> None:
    """Reactions into the slopes of all modes."""
    n = held.states
    for mode in range(motion.modes):
        now = image(motion, mode)
        for j in range(motion.contacts):
            reaction = motion.unknowns[motion.surfaces + j]
            for i in range(n):
                now[held.derivatives_slot + i] += reaction * motion.directions[j * n + i]


@holds.kernel
def tell_residuals(m: Floats, held: HeldMotions, motion: HeldMotion) -> None:
    """What ends the hold when it becomes zero; other members of a surface are not watched."""
    unknowns = motion.unknowns
    slots = held.residual_slots
    for i in range(motion.members):
        m[slots[motion.member_relations[i]]] = 1.0
    for i in range(motion.surfaces):
        m[slots[motion.surface_relations[i]]] = min(unknowns[i], 1.0 - unknowns[i])
    for j in range(motion.contacts):
        m[slots[motion.contact_relations[j]]] = unknowns[motion.surfaces + j]


@holds.kernel
def move_held(m: Floats, held: HeldMotions, motion: HeldMotion) -> Int:
    """Slopes of all modes, shares and reactions, and everything mixed."""
    for mode in range(motion.modes):
        if see_mode(m, held, motion, mode) != 0:
            return 1
    if motion.contacts > 0:
        see_contacts(held, motion)
    if find_shares(held, motion) != 0:
        return 1
    react(held, motion)
    mix(m, held, motion)
    tell_residuals(m, held, motion)
    return 0


# ---------------------------------------------------------------- sections of the time loop


@holds.kernel
def derivatives_held(m: Floats, held: HeldMotions) -> Int:
    if held.present < 0:
        return held.derivatives(m)
    return move_held(m, held, held.motions[held.present])


@holds.kernel
def relations_held(m: Floats, held: HeldMotions) -> Int:
    """While something is held `derivatives_held` has written all residuals."""
    if held.present < 0:
        return held.relations(m)
    return 0


@holds.kernel
def outputs_held(m: Floats, held: HeldMotions) -> Int:
    """After `derivatives_held` at the same point."""
    if held.present < 0:
        return held.outputs(m)
    motion = held.motions[held.present]
    for mode in range(motion.modes):
        if held.outputs(image(motion, mode)) != 0:
            return 1
    mix(m, held, motion)
    tell_residuals(m, held, motion)
    return 0
