"""The vector field during sliding (Filippov) and rest (contact).

    status = derivatives_constrained(m, held)      # the model's own derivatives where nothing slides or rests
    status = outputs_constrained(m, held)

There is one image of the memory for each mode, that is for each choice of sides of the sliding surfaces. The
motion is the combination of the derivatives of the modes, weighted by one share for each surface (equivalent
control; multilinear: Alexander and Seidman 1998), plus a reaction along a fixed direction for each contact:

    x' = sum of weight(share) * slope of a mode  +  sum of reaction * direction

Shares and reactions keep the states on the surfaces: z' = -stiffness z for sliding, z'' = -2 stiffness z' -
stiffness**2 z for contacts; the terms with z remove what errors of steps have left (Baumgarte 1972). All Real
variables are combined with the same weights. The residual of a relation is replaced by what ends the motion
when it becomes zero: for a surface the smaller of the share and one minus the share, for a contact the
reaction.

Beside an implicit core the derivatives of a mode are those of its core, and the unknowns that are no states
follow in each mode and are combined like any other variable. `events/sliding/motions.py` allocates the
record, `events/sliding/transitions.py` decides what slides and rests.
"""

from __future__ import annotations

from math import nan

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Function, Int, Ints, Section
from freewheel.machine.records import Records, array, record
from freewheel.runtime.linear.dense_lu import dense_lu, lu_factor, lu_solve
from freewheel.runtime.thresholds import LARGEST, SLIDING

NOT_REQUESTED, KNOWN, NONE = range(3)  # of derivatives of a residual


@record
class RelationSlopes:
    """Derivatives of the residual of one relation, see `runtime.model.Slopes`."""

    first: Function
    second: Function
    first_known: Int  # NOT_ASKED, KNOWN or NONE
    second_known: Int


@record
class ConstrainedMotion:
    """A motion on surfaces and in contacts. Several relations may have the same surface: its members.
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
    # Of reactions, scaled so that the reaction is the second derivative of the residual, positive away from
    # the surface
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
class ConstrainedMotions:
    """The sliding motions and rests of a run. Fields that end in `_slots` are places in the memory."""

    # ------------------------------------------------------------ the model
    derivatives: Section  # its own, or those that contain its implicit core
    relations: Section
    outputs: Section
    mode_derivatives: Section  # in an image; beside a core they keep its positions
    mode_relations: Section
    follow_inputs: Function  # slopes of inputs that are functions of Python,
    needs_inputs: Int  # where this is 1
    relation_count: Int
    states: Int
    derivatives_slot: Int
    time_slot: Int
    flag_slot: Int  # of messages of the model; -1: none
    inputs: Int
    combined: Int
    carried: Int  # slots that the runtime writes between events
    given: Int  # states that images are moved to; the others follow in each of them
    positions: Int  # of ideal elements
    memory_size: Int
    input_slots: Ints = array("inputs")
    combined_slots: Ints = array("combined")
    carried_slots: Ints = array("carried")
    given_slots: Ints = array("given")
    position_slots: Ints = array("positions")
    residual_slots: Ints = array("relation_count")
    is_corner: Ints = array("relation_count")  # 1: an implicit core sets its status
    slopes: Records[RelationSlopes] = array("relation_count")

    tolerance: Float  # of the run

    # ------------------------------------------------------------ the present motion
    present: Int  # its number; -1: none
    last: Int  # of the one released at the present event; -1: none
    before_event: Int  # as `present` and
    rest_before: Float  # as `rests_at`,
    left_before: Int  # `left_count`
    notes_before: Int  # and `note_count`, when the present event began
    is_new: Int  # it does not continue the motion before the event
    motion_count: Int
    motions: Records[ConstrainedMotion] = array("motion_count")
    ended: Ints = array("relation_count")  # 1: the present event leaves its surface
    rests_at: Float  # when the last of ever shorter flights ends
    would_rest_at: Float  # the same before the present event
    limit: Float  # the same of a rest that is tried
    series_count: Int  # impacts of a rest that is tried
    left_count: Int  # impacts until it begins that are left out
    left_relation: Int
    left_room: Int
    left_times: Floats = array("left_room")
    note_count: Int  # different motions so far, for notes
    note_room: Int
    note_times: Floats = array("note_room")
    note_relations: Ints = array("11 * note_room")  # surfaces, contacts, relations of both

    # ------------------------------------------------------------ what kernels ask for
    is_lacking: Int  # 1: see the following fields
    lacking_modes: Int  # images that a motion must have
    requested: Ints = array("relation_count")  # orders of derivatives, as bits 1 and 2

    # ------------------------------------------------------------ scratch
    input_slopes: Floats = array("inputs")
    # A direction goes in, a derivative comes out.
    values: Floats = array("2 + states + 2 * inputs")
    now: Floats = array("relation_count")  # residuals, or their rates
    numbers: Ints = array("relation_count")  # of relations that are tried together
    listed: Int  # of them: surfaces and contacts of a motion
    tried: Ints = array("6 * relation_count")  # such lists, one after the other
    tried_sizes: Ints = array("6")
    jumps: Int  # 1: states jump at the present event
    crossing: Ints = array("relation_count")  # 1: it crosses, and no implicit core sets its status
    resting: Ints = array("relation_count")  # 1: its surface is one to rest on
    hit: Ints = array("relation_count")  # 1: an impact so slow that something may rest
    near: Ints = array("relation_count")  # 1: there were impacts, and the surface is near
    side_one: Floats = array("memory_size")  # memories
    side_two: Floats = array("memory_size")
    side_back: Floats = array("memory_size")
    released: Floats = array("memory_size")  # before a motion was released
    way: Floats = array("states")
    scale: Floats = array("states")
    row_room: Int
    rows: Floats = array("row_room * (states + 1)")
    wrong: Floats = array("row_room")
    change: Floats = array("states")


vector_field = KernelModule(
    "holds",
    dense_lu,
    exports=("derivatives_constrained", "relations_constrained", "outputs_constrained"),
)


@vector_field.kernel
def image(motion: ConstrainedMotion, mode: Int) -> Floats:
    return motion.images[mode * motion.image_size :]


@vector_field.kernel
def is_above(mode: Int, surface: Int) -> Int:
    """1: the mode is on the positive side of a surface."""
    return (mode >> surface) & 1


@vector_field.kernel
def move_image(m: Floats, held: ConstrainedMotions, to: Floats) -> None:
    """Sets time, states and inputs of an image to those in memory."""
    to[held.time_slot] = m[held.time_slot]
    copy_slots(held.given, held.given_slots, m, to)
    copy_slots(held.inputs, held.input_slots, m, to)
    copy_slots(held.carried, held.carried_slots, m, to)


@vector_field.kernel
def copy_slots(n: Int, slots: Ints, source: Floats, target: Floats) -> None:
    for i in range(n):
        target[slots[i]] = source[slots[i]]


# ---------------------------------------------------------------- derivatives of residuals


@vector_field.kernel
def derivative_along(
    held: ConstrainedMotions, memory: Floats, relation: Int, order: Int, time: Float
) -> Float:
    """Derivative of a residual in the direction that `values` has behind its first number; `memory` has been
    evaluated."""
    slopes = held.slopes[relation]
    held.values[0] = time
    if order == 1:
        status = slopes.first(memory, held.values)
    else:
        status = slopes.second(memory, held.values)
    return held.values[0] if status == 0 else nan


@vector_field.kernel
def set_motion_direction(held: ConstrainedMotions, memory: Floats) -> None:
    """The direction of motion of a mode, and the slopes of inputs for second derivatives."""
    values = held.values
    n = held.states
    for i in range(n):
        values[1 + i] = memory[held.derivatives_slot + i]
    for i in range(held.inputs):
        values[1 + n + i] = held.input_slopes[i]
        values[1 + n + held.inputs + i] = held.input_slopes[i]


@vector_field.kernel
def set_zero_direction(held: ConstrainedMotions) -> None:
    """A zero direction; second derivatives keep the slopes of inputs."""
    values = held.values
    n = held.states
    for i in range(n):
        values[1 + i] = 0.0
    for i in range(held.inputs):
        values[1 + n + i] = 0.0
        values[1 + n + held.inputs + i] = held.input_slopes[i]


@vector_field.kernel
def set_state_direction(held: ConstrainedMotions, direction: Floats) -> None:
    """A direction of states, at one time."""
    set_zero_direction(held)
    for i in range(held.states):
        held.values[1 + i] = direction[i]


# ---------------------------------------------------------------- modes


@vector_field.kernel
def evaluate_mode(m: Floats, held: ConstrainedMotions, motion: ConstrainedMotion, mode: Int) -> Int:
    """Derivatives of one mode, and its rates toward or away from the surfaces."""
    now = image(motion, mode)
    move_image(m, held, now)
    if held.mode_derivatives(now) != 0 or held.mode_relations(now) != 0:
        return 1
    k = motion.surfaces
    p = motion.contacts
    set_motion_direction(held, now)
    for i in range(k):
        rate = derivative_along(held, now, motion.surface_relations[i], 1, 1.0)
        motion.mode_rates[mode * k + i] = rate
    for i in range(p):
        rate = derivative_along(held, now, motion.contact_relations[i], 2, 1.0)
        motion.mode_accelerations[mode * p + i] = rate
    return 0


@vector_field.kernel
def evaluate_contacts(held: ConstrainedMotions, motion: ConstrainedMotion) -> None:
    """Speeds of contacts and effects of reactions, which are equal in all modes."""
    now = image(motion, 0)
    k = motion.surfaces
    p = motion.contacts
    set_motion_direction(held, now)
    for i in range(p):
        motion.contact_speeds[i] = derivative_along(held, now, motion.contact_relations[i], 1, 1.0)
    for j in range(p):
        set_state_direction(held, motion.directions[j * held.states :])
        for i in range(k):
            rate = derivative_along(held, now, motion.surface_relations[i], 1, 0.0)
            motion.effects[j * (k + p) + i] = rate
        for i in range(p):
            rate = derivative_along(held, now, motion.contact_relations[i], 2, 0.0)
            motion.effects[j * (k + p) + k + i] = rate


@vector_field.kernel
def set_weights(motion: ConstrainedMotion) -> None:
    """Weights of the modes by the shares of the surfaces."""
    shares = motion.unknowns
    for mode in range(motion.modes):
        product = 1.0
        for i in range(motion.surfaces):
            product *= shares[i] if is_above(mode, i) == 1 else 1.0 - shares[i]
        motion.weights[mode] = product


@vector_field.kernel
def set_up_system(held: ConstrainedMotions, motion: ConstrainedMotion) -> None:
    """The residuals of the conditions, in `right`, and their derivatives by the unknowns, in `matrix`."""
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


@vector_field.kernel
def find_shares(held: ConstrainedMotions, motion: ConstrainedMotion) -> Int:
    """Newton's method; with up to one surface the system is linear and needs one round. 1: it fails."""
    n = motion.surfaces + motion.contacts
    unknowns = motion.unknowns
    right = motion.right
    for _round in range(SLIDING.most_rounds):
        set_weights(motion)
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
        if motion.surfaces <= 1 or change < SLIDING.converged:
            set_weights(motion)
            return 0
    return 1


@vector_field.kernel
def combine_modes(m: Floats, held: ConstrainedMotions, motion: ConstrainedMotion) -> None:
    """The combined Real variables into the memory, and flags of messages."""
    first = image(motion, 0)
    for i in range(held.combined):
        slot = held.combined_slots[i]
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


@vector_field.kernel
def add_reactions(held: ConstrainedMotions, motion: ConstrainedMotion) -> None:
    """Adds the reactions to the derivatives of all modes."""
    n = held.states
    for mode in range(motion.modes):
        now = image(motion, mode)
        for j in range(motion.contacts):
            reaction = motion.unknowns[motion.surfaces + j]
            for i in range(n):
                now[held.derivatives_slot + i] += reaction * motion.directions[j * n + i]


@vector_field.kernel
def set_end_residuals(m: Floats, held: ConstrainedMotions, motion: ConstrainedMotion) -> None:
    """Residuals that end the motion when they become zero; other members of a surface are not watched."""
    unknowns = motion.unknowns
    slots = held.residual_slots
    for i in range(motion.members):
        m[slots[motion.member_relations[i]]] = 1.0
    for i in range(motion.surfaces):
        m[slots[motion.surface_relations[i]]] = min(unknowns[i], 1.0 - unknowns[i])
    for j in range(motion.contacts):
        m[slots[motion.contact_relations[j]]] = unknowns[motion.surfaces + j]


@vector_field.kernel
def constrained_motion(m: Floats, held: ConstrainedMotions, motion: ConstrainedMotion) -> Int:
    """Derivatives of all modes, shares and reactions, and the combined variables."""
    for mode in range(motion.modes):
        if evaluate_mode(m, held, motion, mode) != 0:
            return 1
    if motion.contacts > 0:
        evaluate_contacts(held, motion)
    if find_shares(held, motion) != 0:
        return 1
    add_reactions(held, motion)
    combine_modes(m, held, motion)
    set_end_residuals(m, held, motion)
    return 0


# ---------------------------------------------------------------- sections of the time loop


@vector_field.kernel
def derivatives_constrained(m: Floats, held: ConstrainedMotions) -> Int:
    if held.present < 0:
        return held.derivatives(m)
    return constrained_motion(m, held, held.motions[held.present])


@vector_field.kernel
def relations_constrained(m: Floats, held: ConstrainedMotions) -> Int:
    """During sliding and rest `derivatives_constrained` writes all residuals."""
    return held.relations(m) if held.present < 0 else 0


@vector_field.kernel
def outputs_constrained(m: Floats, held: ConstrainedMotions) -> Int:
    """After `derivatives_constrained` at the same point."""
    if held.present < 0:
        return held.outputs(m)
    motion = held.motions[held.present]
    for mode in range(motion.modes):
        if held.outputs(image(motion, mode)) != 0:
            return 1
    combine_modes(m, held, motion)
    set_end_residuals(m, held, motion)
    return 0
