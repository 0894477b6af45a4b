"""A model held on surfaces: sliding on them (Filippov) or resting on them (contact).

    status = held_derivatives(derivatives, relations, rates, speeds, accelerations, m, w, c)
    status = held_outputs(outputs, m, w, c)

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

`c` and `w` are arrays of the hold's own, laid out by `event/hold.py`. The sections that the time loop
calls get the memory only; the address of `w` stands in the place before the memory's first slot.
"""

from __future__ import annotations

from freewheel.machine.addresses import floats_at, function_at, ints_at
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Floats, Function, Int, Ints, Section
from freewheel.runtime.kernels.dense_lu import dense_lu, lu_factor, lu_solve
from freewheel.runtime.thresholds import LARGEST

# ---------------------------------------------------------------- integers
SIZE = 0  # from image to image: of the memory, and of the room before it
STATES = 1
FIRST_DERIVATIVE = 2  # slots
TIME = 3
INPUTS = 4
MODES = 5  # 2 ** surfaces
SURFACES = 6
CONTACTS = 7
MIXED = 8  # slots
QUIET = 9  # relations that must not be watched
FLAG = 10  # slot in which the model says that it has spoken; -1: none
DERIVATIVES_CODE = 11  # addresses
RELATIONS_CODE = 12
OUTPUTS_CODE = 13
RATES_CODE = 14
SPEEDS_CODE = 15
ACCELERATIONS_CODE = 16
AT_INPUTS = 17  # offsets into c: slots of inputs,
AT_MIXED = 18  # of what is mixed,
AT_QUIET = 19  # of residuals not to be watched,
AT_SURFACES = 20  # of residuals of surfaces,
AT_CONTACTS = 21  # and of contacts,
AT_PIVOTS = 22  # scratch
CARRIED = 23  # slots that the runtime writes between events
AT_CARRIED = 24
GIVEN = 25  # slots of states that images are moved to; the others follow in each of them
AT_GIVEN = 26
C_HEAD = 27

# ---------------------------------------------------------------- floats
ADDRESS = 0  # of c
STIFFNESS = 1
O_SHARES = 2  # offsets into w: shares, then reactions: the unknowns
O_DIRECTIONS = 3  # of reactions, one vector of states each
O_WEIGHTS = 4  # of modes
O_RATES = 5  # of surfaces, for each mode
O_ACCELERATIONS = 6  # of contacts, for each mode
O_SPEEDS = 7  # of contacts
O_REACTIONS = 8  # what a unit of each reaction does to surfaces (rate) and contacts (acceleration)
O_INPUT_SLOPES = 9
O_MATRIX = 10
O_RIGHT = 11
O_VALUES = 12  # scratch: direction in, derivatives out
O_IMAGES = 13  # of the memory, one for each mode
W_HEAD = 14

MOST_ROUNDS = 30
CONVERGED = 1e-14

holding = KernelModule(
    "holding",
    dense_lu,
    exports=("derivatives_held", "relations_held", "outputs_held"),
)


@holding.kernel
def part(w: Floats, offset: Int) -> Floats:
    return w[int(w[offset]) :]


@holding.kernel
def image(w: Floats, c: Ints, mode: Int) -> Floats:
    return w[int(w[O_IMAGES]) + mode * c[SIZE] :]


@holding.kernel
def is_above(mode: Int, surface: Int) -> Int:
    """Whether this mode is that of the positive side of a surface."""
    return (mode >> surface) & 1


@holding.kernel
def move_image(m: Floats, w: Floats, c: Ints, mode: Int) -> None:
    """The image of a mode to the point in memory."""
    to = image(w, c, mode)
    slots = c[c[AT_INPUTS] :]
    to[c[TIME]] = m[c[TIME]]
    given = c[c[AT_GIVEN] :]
    for i in range(c[GIVEN]):
        to[given[i]] = m[given[i]]
    for i in range(c[INPUTS]):
        to[slots[i]] = m[slots[i]]
    carried = c[c[AT_CARRIED] :]
    for i in range(c[CARRIED]):
        to[carried[i]] = m[carried[i]]


@holding.kernel
def along_motion(w: Floats, c: Ints, mode: Int) -> None:
    """VALUES becomes the direction in which this mode moves; behind it slopes of inputs once more."""
    values = part(w, O_VALUES)
    slopes = part(w, O_INPUT_SLOPES)
    now = image(w, c, mode)
    n = c[STATES]
    values[0] = 1.0
    for i in range(n):
        values[1 + i] = now[c[FIRST_DERIVATIVE] + i]
    for i in range(c[INPUTS]):
        values[1 + n + i] = slopes[i]
        values[1 + n + c[INPUTS] + i] = slopes[i]


@holding.kernel
def along_reaction(w: Floats, c: Ints, contact: Int) -> None:
    """VALUES becomes the direction of a reaction."""
    values = part(w, O_VALUES)
    slopes = part(w, O_INPUT_SLOPES)
    directions = part(w, O_DIRECTIONS)
    n = c[STATES]
    values[0] = 0.0
    for i in range(n):
        values[1 + i] = directions[contact * n + i]
    for i in range(c[INPUTS]):
        values[1 + n + i] = 0.0
        values[1 + n + c[INPUTS] + i] = slopes[i]


@holding.kernel
def see_mode(
    derivatives: Section, relations: Section, rates: Function, accelerations: Function, m: Floats,
    w: Floats, c: Ints, mode: Int,
) -> Int:  # fmt: skip
    """Slopes of one mode, and how fast it moves toward or away from the surfaces."""
    move_image(m, w, c, mode)
    now = image(w, c, mode)
    values = part(w, O_VALUES)
    if derivatives(now) != 0:
        return 1
    if relations(now) != 0:
        return 1
    k = c[SURFACES]
    if k > 0:
        along_motion(w, c, mode)
        if rates(now, values) != 0:
            return 1
        found = part(w, O_RATES)
        for i in range(k):
            found[mode * k + i] = values[i]
    p = c[CONTACTS]
    if p > 0:
        along_motion(w, c, mode)
        if accelerations(now, values) != 0:
            return 1
        second = part(w, O_ACCELERATIONS)
        for i in range(p):
            second[mode * p + i] = values[i]
    return 0


@holding.kernel
def see_contacts(
    rates: Function, speeds: Function, accelerations: Function, w: Floats, c: Ints
) -> Int:
    """Speeds of contacts, and what each reaction does; one mode is as good as another for this."""
    now = image(w, c, 0)
    values = part(w, O_VALUES)
    k = c[SURFACES]
    p = c[CONTACTS]
    along_motion(w, c, 0)
    if speeds(now, values) != 0:
        return 1
    found = part(w, O_SPEEDS)
    for i in range(p):
        found[i] = values[i]
    effect = part(w, O_REACTIONS)
    for j in range(p):
        if k > 0:
            along_reaction(w, c, j)
            if rates(now, values) != 0:
                return 1
            for i in range(k):
                effect[j * (k + p) + i] = values[i]
        along_reaction(w, c, j)
        if accelerations(now, values) != 0:
            return 1
        for i in range(p):
            effect[j * (k + p) + k + i] = values[i]
    return 0


@holding.kernel
def weigh(w: Floats, c: Ints) -> None:
    """Weights of the modes by the shares of the surfaces."""
    shares = part(w, O_SHARES)
    weights = part(w, O_WEIGHTS)
    for mode in range(c[MODES]):
        product = 1.0
        for i in range(c[SURFACES]):
            product *= shares[i] if is_above(mode, i) == 1 else 1.0 - shares[i]
        weights[mode] = product


@holding.kernel
def lay_out(w: Floats, c: Ints) -> None:
    """What is demanded and does not hold, in RIGHT, and its derivatives by the unknowns, in MATRIX."""
    k = c[SURFACES]
    p = c[CONTACTS]
    n = k + p
    stiffness = w[STIFFNESS]
    here = image(w, c, 0)
    surfaces = c[c[AT_SURFACES] :]
    contacts = c[c[AT_CONTACTS] :]
    unknowns = part(w, O_SHARES)
    weights = part(w, O_WEIGHTS)
    rates = part(w, O_RATES)
    accelerations = part(w, O_ACCELERATIONS)
    speeds = part(w, O_SPEEDS)
    effect = part(w, O_REACTIONS)
    matrix = part(w, O_MATRIX)
    right = part(w, O_RIGHT)
    for row in range(n):
        if row < k:
            total = stiffness * here[surfaces[row]]
        else:
            i = row - k
            total = stiffness * (2.0 * speeds[i] + stiffness * here[contacts[i]])
        for j in range(p):
            total += unknowns[k + j] * effect[j * n + row]
            matrix[row * n + k + j] = effect[j * n + row]
        for j in range(k):
            matrix[row * n + j] = 0.0
        for mode in range(c[MODES]):
            value = rates[mode * k + row] if row < k else accelerations[mode * p + row - k]
            total += weights[mode] * value
            for j in range(k):
                product = value if is_above(mode, j) == 1 else -value
                for other in range(k):
                    if other != j:
                        share = unknowns[other]
                        product *= share if is_above(mode, other) == 1 else 1.0 - share
                matrix[row * n + j] += product
        right[row] = -total


@holding.kernel
def find_shares(w: Floats, c: Ints) -> Int:
    """Newton's method; with up to one surface the system is linear and needs one round."""
    n = c[SURFACES] + c[CONTACTS]
    unknowns = part(w, O_SHARES)
    right = part(w, O_RIGHT)
    for _round in range(MOST_ROUNDS):
        weigh(w, c)
        lay_out(w, c)
        if lu_factor(n, part(w, O_MATRIX), c[c[AT_PIVOTS] :]) != 0:
            return 1
        lu_solve(n, part(w, O_MATRIX), c[c[AT_PIVOTS] :], right)
        change = 0.0
        for i in range(n):
            unknowns[i] += right[i]
            if not abs(unknowns[i]) <= LARGEST:
                return 1
            change = max(change, abs(right[i]) / (1.0 + abs(unknowns[i])))
        if c[SURFACES] <= 1 or change < CONVERGED:
            weigh(w, c)
            return 0
    return 1


@holding.kernel
def mix(m: Floats, w: Floats, c: Ints) -> None:
    """Real variables of the modes into the memory, and word of messages."""
    slots = c[c[AT_MIXED] :]
    weights = part(w, O_WEIGHTS)
    first = image(w, c, 0)
    for i in range(c[MIXED]):
        slot = slots[i]
        total = weights[0] * first[slot]
        for mode in range(1, c[MODES]):
            total += weights[mode] * w[int(w[O_IMAGES]) + mode * c[SIZE] + slot]
        m[slot] = total
    flag = c[FLAG]
    if flag >= 0:
        for mode in range(c[MODES]):
            now = image(w, c, mode)
            if now[flag] != 0.0:
                m[flag] = now[flag]
                now[flag] = 0.0


@holding.kernel
def react(w: Floats, c: Ints) -> None:
    """Reactions into the slopes of all modes."""
    n = c[STATES]
    unknowns = part(w, O_SHARES)
    directions = part(w, O_DIRECTIONS)
    for mode in range(c[MODES]):
        now = image(w, c, mode)
        for j in range(c[CONTACTS]):
            reaction = unknowns[c[SURFACES] + j]
            for i in range(n):
                now[c[FIRST_DERIVATIVE] + i] += reaction * directions[j * n + i]


@holding.kernel
def tell_residuals(m: Floats, w: Floats, c: Ints) -> None:
    """What ends the hold when it becomes zero."""
    unknowns = part(w, O_SHARES)
    surfaces = c[c[AT_SURFACES] :]
    contacts = c[c[AT_CONTACTS] :]
    quiet = c[c[AT_QUIET] :]
    for i in range(c[QUIET]):
        m[quiet[i]] = 1.0
    for i in range(c[SURFACES]):
        m[surfaces[i]] = min(unknowns[i], 1.0 - unknowns[i])
    for j in range(c[CONTACTS]):
        m[contacts[j]] = unknowns[c[SURFACES] + j]


@holding.kernel
def held_derivatives(
    derivatives: Section, relations: Section, rates: Function, speeds: Function,
    accelerations: Function, m: Floats, w: Floats, c: Ints,
) -> Int:  # fmt: skip
    for mode in range(c[MODES]):
        if see_mode(derivatives, relations, rates, accelerations, m, w, c, mode) != 0:
            return 1
    if c[CONTACTS] > 0 and see_contacts(rates, speeds, accelerations, w, c) != 0:
        return 1
    if find_shares(w, c) != 0:
        return 1
    react(w, c)
    mix(m, w, c)
    tell_residuals(m, w, c)
    return 0


@holding.kernel
def held_outputs(outputs: Section, m: Floats, w: Floats, c: Ints) -> Int:
    """After `held_derivatives` at the same point."""
    for mode in range(c[MODES]):
        if outputs(image(w, c, mode)) != 0:
            return 1
    mix(m, w, c)
    tell_residuals(m, w, c)
    return 0


# ---------------------------------------------------------------- sections of the time loop


@holding.kernel
def derivatives_held(m: Floats) -> Int:
    w = floats_at(int(m[-1]))
    c = ints_at(int(w[ADDRESS]))
    return held_derivatives(
        function_at(c[DERIVATIVES_CODE]),
        function_at(c[RELATIONS_CODE]),
        function_at(c[RATES_CODE]),
        function_at(c[SPEEDS_CODE]),
        function_at(c[ACCELERATIONS_CODE]),
        m,
        w,
        c,
    )


@holding.kernel
def relations_held(m: Floats) -> Int:
    """`derivatives_held` has written all residuals."""
    return 0


@holding.kernel
def outputs_held(m: Floats) -> Int:
    w = floats_at(int(m[-1]))
    c = ints_at(int(w[ADDRESS]))
    return held_outputs(function_at(c[OUTPUTS_CODE]), m, w, c)
