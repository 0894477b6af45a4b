"""A model held on surfaces: sliding on them (Filippov) or resting on them (contact).

    status = derivatives_held(m, held)
    status = outputs_held(m, held)

There is one image of the memory for each mode, that is for each choice of sides of the sliding
surfaces. The motion is the mixture of the modes' slopes, weighted by one share for each surface
(multilinear: Alexander and Seidman 1998), plus a reaction along a fixed direction for each contact:

    x' = sum of weight(share) * slope of a mode  +  sum of reaction * direction

Shares and reactions follow from the demand that surfaces are not left: z' = -stiffness z on sliding
surfaces, z'' = -2 stiffness z' - stiffness**2 z in contacts; the terms with z take away what errors
of steps have left (Baumgarte 1972). All Real variables are mixed with the same weights. The residual
of a relation that is held is replaced by what ends the hold when it becomes zero: for a surface the
smaller of the share and what it lacks to one, for a contact the reaction.

Beside an implicit core the slopes of a mode are those that its core has there, and the unknowns that are no
states follow in each mode and are mixed like any other variable.

`event/hold.py` allocates the record and binds the model's sections and the derivatives of its residuals. The
sections that the time loop calls get the record as their context.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Function, Int, Ints, Section
from freewheel.machine.records import array, record
from freewheel.runtime.kernels.dense_lu import dense_lu, lu_factor, lu_solve
from freewheel.runtime.thresholds import LARGEST


@record
class HeldMotion:
    """A model held on surfaces and in contacts. Fields that end in `_slots` are places in the memory."""

    derivatives: Section  # of the model itself
    relations: Section
    outputs: Section
    rates: Function  # first derivatives of the residuals of surfaces,
    speeds: Function  # of contacts,
    accelerations: Function  # and second ones of contacts
    states: Int
    derivatives_slot: Int
    time_slot: Int
    flag_slot: Int  # in which the model says that it has spoken; -1: none
    inputs: Int
    modes: Int  # 2 ** surfaces
    surfaces: Int
    contacts: Int
    mixed: Int
    quiet: Int  # relations that must not be watched
    carried: Int  # slots that the runtime writes between events
    given: Int  # states that images are moved to; the others follow in each of them
    image_size: Int  # of the memory
    input_slots: Ints = array("inputs")
    mixed_slots: Ints = array("mixed")
    quiet_slots: Ints = array("quiet")
    surface_slots: Ints = array("surfaces")  # of residuals
    contact_slots: Ints = array("contacts")
    carried_slots: Ints = array("carried")
    given_slots: Ints = array("given")
    stiffness: Float
    unknowns: Floats = array("surfaces + contacts")  # shares of surfaces, then reactions
    directions: Floats = array("contacts * states")  # of reactions, one vector of states each
    weights: Floats = array("modes")
    mode_rates: Floats = array("modes * surfaces")
    mode_accelerations: Floats = array("modes * contacts")
    contact_speeds: Floats = array("contacts")
    # What a unit of each reaction does to surfaces (rate) and contacts (acceleration).
    effects: Floats = array("contacts * (surfaces + contacts)")
    input_slopes: Floats = array("inputs")
    pivots: Ints = array("surfaces + contacts")
    matrix: Floats = array("(surfaces + contacts) * (surfaces + contacts)")
    right: Floats = array("surfaces + contacts")
    # A direction goes in, derivatives come out.
    values: Floats = array("1 + states + 2 * inputs + surfaces + contacts")
    images: Floats = array("modes * image_size")  # of the memory, one for each mode


MOST_ROUNDS = 30
CONVERGED = 1e-14

holding = KernelModule(
    "holding",
    dense_lu,
    exports=("derivatives_held", "relations_held", "outputs_held"),
)


@holding.kernel
def image(held: HeldMotion, mode: Int) -> Floats:
    return held.images[mode * held.image_size :]


@holding.kernel
def is_above(mode: Int, surface: Int) -> Int:
    """Whether this mode is that of the positive side of a surface."""
    return (mode >> surface) & 1


@holding.kernel
def move_image(m: Floats, held: HeldMotion, mode: Int) -> None:
    """The image of a mode to the point in memory."""
    to = image(held, mode)
    to[held.time_slot] = m[held.time_slot]
    copy_slots(held.given, held.given_slots, m, to)
    copy_slots(held.inputs, held.input_slots, m, to)
    copy_slots(held.carried, held.carried_slots, m, to)


@holding.kernel
def copy_slots(n: Int, slots: Ints, source: Floats, target: Floats) -> None:
    for i in range(n):
        target[slots[i]] = source[slots[i]]


@holding.kernel
def along_motion(held: HeldMotion, mode: Int) -> None:
    """`values` becomes the direction in which this mode moves; behind it slopes of inputs once more."""
    values = held.values
    slopes = held.input_slopes
    now = image(held, mode)
    n = held.states
    values[0] = 1.0
    for i in range(n):
        values[1 + i] = now[held.derivatives_slot + i]
    for i in range(held.inputs):
        values[1 + n + i] = slopes[i]
        values[1 + n + held.inputs + i] = slopes[i]


@holding.kernel
def along_reaction(held: HeldMotion, contact: Int) -> None:
    """`values` becomes the direction of a reaction."""
    values = held.values
    slopes = held.input_slopes
    directions = held.directions
    n = held.states
    values[0] = 0.0
    for i in range(n):
        values[1 + i] = directions[contact * n + i]
    for i in range(held.inputs):
        values[1 + n + i] = 0.0
        values[1 + n + held.inputs + i] = slopes[i]


@holding.kernel
def see_mode(m: Floats, held: HeldMotion, mode: Int) -> Int:
    """Slopes of one mode, and how fast it moves toward or away from the surfaces."""
    move_image(m, held, mode)
    now = image(held, mode)
    values = held.values
    if held.derivatives(now) != 0:
        return 1
    if held.relations(now) != 0:
        return 1
    k = held.surfaces
    if k > 0:
        along_motion(held, mode)
        if held.rates(now, values) != 0:
            return 1
        for i in range(k):
            held.mode_rates[mode * k + i] = values[i]
    p = held.contacts
    if p > 0:
        along_motion(held, mode)
        if held.accelerations(now, values) != 0:
            return 1
        for i in range(p):
            held.mode_accelerations[mode * p + i] = values[i]
    return 0


@holding.kernel
def see_contacts(held: HeldMotion) -> Int:
    """Speeds of contacts, and what each reaction does; one mode is as good as another for this."""
    now = image(held, 0)
    values = held.values
    effects = held.effects
    k = held.surfaces
    p = held.contacts
    along_motion(held, 0)
    if held.speeds(now, values) != 0:
        return 1
    for i in range(p):
        held.contact_speeds[i] = values[i]
    for j in range(p):
        if k > 0:
            along_reaction(held, j)
            if held.rates(now, values) != 0:
                return 1
            for i in range(k):
                effects[j * (k + p) + i] = values[i]
        along_reaction(held, j)
        if held.accelerations(now, values) != 0:
            return 1
        for i in range(p):
            effects[j * (k + p) + k + i] = values[i]
    return 0


@holding.kernel
def weigh(held: HeldMotion) -> None:
    """Weights of the modes by the shares of the surfaces."""
    shares = held.unknowns
    for mode in range(held.modes):
        product = 1.0
        for i in range(held.surfaces):
            product *= shares[i] if is_above(mode, i) == 1 else 1.0 - shares[i]
        held.weights[mode] = product


@holding.kernel
def set_up_system(held: HeldMotion) -> None:
    """What is demanded and does not hold, in `right`, and its derivatives by the unknowns, in `matrix`."""
    k = held.surfaces
    p = held.contacts
    n = k + p
    stiffness = held.stiffness
    here = image(held, 0)
    unknowns = held.unknowns
    weights = held.weights
    rates = held.mode_rates
    accelerations = held.mode_accelerations
    effects = held.effects
    matrix = held.matrix
    for row in range(n):
        if row < k:
            total = stiffness * here[held.surface_slots[row]]
        else:
            i = row - k
            here_z = here[held.contact_slots[i]]
            total = stiffness * (2.0 * held.contact_speeds[i] + stiffness * here_z)
        for j in range(p):
            total += unknowns[k + j] * effects[j * n + row]
            matrix[row * n + k + j] = effects[j * n + row]
        for j in range(k):
            matrix[row * n + j] = 0.0
        for mode in range(held.modes):
            value = 0.0
            if row < k:
                value = rates[mode * k + row]
            else:
                value = accelerations[mode * p + row - k]
            total += weights[mode] * value
            for j in range(k):
                product = value if is_above(mode, j) == 1 else -value
                for other in range(k):
                    if other != j:
                        share = unknowns[other]
                        product *= share if is_above(mode, other) == 1 else 1.0 - share
                matrix[row * n + j] += product
        held.right[row] = -total


@holding.kernel
def find_shares(held: HeldMotion) -> Int:
    """Newton's method; with up to one surface the system is linear and needs one round."""
    n = held.surfaces + held.contacts
    unknowns = held.unknowns
    right = held.right
    for _round in range(MOST_ROUNDS):
        weigh(held)
        set_up_system(held)
        if lu_factor(n, held.matrix, held.pivots) != 0:
            return 1
        lu_solve(n, held.matrix, held.pivots, right)
        change = 0.0
        for i in range(n):
            unknowns[i] += right[i]
            if not abs(unknowns[i]) <= LARGEST:
                return 1
            change = max(change, abs(right[i]) / (1.0 + abs(unknowns[i])))
        if held.surfaces <= 1 or change < CONVERGED:
            weigh(held)
            return 0
    return 1


@holding.kernel
def mix(m: Floats, held: HeldMotion) -> None:
    """Real variables of the modes into the memory, and word of messages."""
    weights = held.weights
    first = image(held, 0)
    for i in range(held.mixed):
        slot = held.mixed_slots[i]
        total = weights[0] * first[slot]
        for mode in range(1, held.modes):
            total += weights[mode] * image(held, mode)[slot]
        m[slot] = total
    flag = held.flag_slot
    if flag >= 0:
        for mode in range(held.modes):
            now = image(held, mode)
            if now[flag] != 0.0:
                m[flag] = now[flag]
                now[flag] = 0.0


@holding.kernel
def react(held: HeldMotion) -> None:
    """Reactions into the slopes of all modes."""
    n = held.states
    for mode in range(held.modes):
        now = image(held, mode)
        for j in range(held.contacts):
            reaction = held.unknowns[held.surfaces + j]
            for i in range(n):
                now[held.derivatives_slot + i] += reaction * held.directions[j * n + i]


@holding.kernel
def tell_residuals(m: Floats, held: HeldMotion) -> None:
    """What ends the hold when it becomes zero."""
    unknowns = held.unknowns
    for i in range(held.quiet):
        m[held.quiet_slots[i]] = 1.0
    for i in range(held.surfaces):
        m[held.surface_slots[i]] = min(unknowns[i], 1.0 - unknowns[i])
    for j in range(held.contacts):
        m[held.contact_slots[j]] = unknowns[held.surfaces + j]


# ---------------------------------------------------------------- sections of the time loop


@holding.kernel
def derivatives_held(m: Floats, held: HeldMotion) -> Int:
    for mode in range(held.modes):
        if see_mode(m, held, mode) != 0:
            return 1
    if held.contacts > 0 and see_contacts(held) != 0:
        return 1
    if find_shares(held) != 0:
        return 1
    react(held)
    mix(m, held)
    tell_residuals(m, held)
    return 0


@holding.kernel
def relations_held(m: Floats, held: HeldMotion) -> Int:
    """`derivatives_held` has written all residuals."""
    return 0


@holding.kernel
def outputs_held(m: Floats, held: HeldMotion) -> Int:
    """After `derivatives_held` at the same point."""
    for mode in range(held.modes):
        if held.outputs(image(held, mode)) != 0:
            return 1
    mix(m, held)
    tell_residuals(m, held)
    return 0
