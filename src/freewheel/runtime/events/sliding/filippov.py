"""Sliding motion: a switch that is thrown back at once, because both sides drive to the surface.

    reason = slide(loop, motion, count)      # SLIDES, or why the relations in `held.numbers` do not

Let z be the residual of the relation. Filippov (1988): if z' < 0 on the side z > 0 and z' > 0 on the
side z < 0, the solution stays on z = 0 and moves with the mixture share * f+ + (1 - share) * f- for
which z' = 0. Each side is a whole mode of the model: statuses, discrete values and all that follows
from them, found by letting the discrete equations settle with the status held. Two or more surfaces
at once (their intersection) are tried where one is not enough; then all sides together give modes.

A motion does not slide where switching makes states jump, or makes z itself jump, or where z turns round
(the fold of a curve).

The memory after the event is in `loop.after`, its states are in `loop.trial`.
"""

from __future__ import annotations

from math import sqrt

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.events.impacts import size_of
from freewheel.runtime.events.location import sign
from freewheel.runtime.events.sliding.hold_kernels import (
    KNOWN,
    NOT_ASKED,
    HeldMotion,
    HeldMotions,
    along_nothing,
    image,
    is_above,
    move_held,
    slope_along,
)
from freewheel.runtime.events.sliding.projection import gradient_by_states, product, projection
from freewheel.runtime.events.sliding.reasons import (
    CORE_MODES_DIFFER,
    FOLDS,
    LACKING,
    MANY_SURFACES,
    NO_DERIVATIVE,
    NO_MOTION,
    NOT_TO_SURFACE,
    SLIDES,
    STATES_JUMP,
    VALUES_JUMP,
)
from freewheel.runtime.events.sliding.sides import (
    clear_wanted,
    rates_by_steps,
    residual_motion,
    see_mode_of,
    settle_sides,
    sides,
    slope_of_mode,
    span_of,
)
from freewheel.runtime.events.status_update import copy
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.loop.point import place
from freewheel.runtime.thresholds import HOLD, LARGEST

sliding = KernelModule("sliding", sides, projection)


@sliding.kernel
def ask(held: HeldMotions, relation: Int, order: Int) -> Int:
    """Whether there are derivatives of a residual; NOT_ASKED: there will be an answer next time."""
    known = held.slopes[relation].first_known if order == 1 else held.slopes[relation].second_known
    if known == NOT_ASKED:
        held.asked[relation] = held.asked[relation] | order
        held.lacks = 1
    return known


@sliding.kernel
def ask_all(held: HeldMotions, count: Int) -> Int:
    """Whether the residuals in `numbers` are smooth: what has no second derivative, as a signal of the past,
    may have breaks in the first."""
    found = 1
    for a in range(count):
        for order in range(1, 3):
            if ask(held, held.numbers[a], order) != KNOWN:
                found = 0
    return found


@sliding.kernel
def has_room(held: HeldMotions, motion: HeldMotion, modes: Int) -> Int:
    if modes > motion.mode_room:
        held.lacks_modes = modes
        held.lacks = 1
        return 0
    return 1


@sliding.kernel
def follow_inputs(loop: Loop) -> None:
    """Slopes of the inputs, in the model's order, at the present time."""
    held = loop.held
    m = loop.memory
    if held.inputs == 0:
        return
    if loop.inputs == 0 or held.asks_inputs == 1:
        held.follow_inputs(loop)
        return
    for k in range(held.inputs):
        held.input_slopes[k] = 0.0
        for i in range(loop.inputs):
            line = loop.input_lines[5 * i :]
            if loop.input_slots[i] == held.input_slots[k] and m[loop.time_slot] < line[3]:
                held.input_slopes[k] = line[2]


@sliding.kernel
def holds_here(loop: Loop, motion: HeldMotion) -> Int:
    """Whether all shares lie between zero and one, and all reactions push, at this very point: what
    brings the states onto the surfaces takes no part yet."""
    k = motion.surfaces
    copy(loop.memory_size, loop.after, loop.memory)
    place(loop, loop.t, loop.trial)
    follow_inputs(loop)
    for i in range(k + motion.contacts):
        motion.unknowns[i] = 0.5 if i < k else 0.0
    motion.stiffness = 0.0
    status = move_held(loop.memory, loop.held, motion)
    motion.stiffness = HOLD.stiffness / span_of(loop)
    if status != 0:
        return 0
    for i in range(k + motion.contacts):
        unknown = motion.unknowns[i]
        if not unknown > 0.0 or (i < k and not unknown < 1.0):
            return 0
    return 1


# ---------------------------------------------------------------- a first look


@sliding.kernel
def want_sides(loop: Loop, count: Int, turned: Float) -> None:
    """The relations in `numbers` on the sides they are on, or turned; those on zero go up first."""
    held = loop.held
    clear_wanted(loop)
    for a in range(count):
        i = held.numbers[a]
        status = loop.after[loop.status_slots[i]]
        held.wanted[i] = turned * (status if status != 0.0 else 1.0)


@sliding.kernel
def slow_rate(loop: Loop, i: Int) -> Float:
    """What counts as no motion of a residual."""
    return HOLD.slow * size_of(loop, i) / span_of(loop)


@sliding.kernel
def mode_moves(loop: Loop, memory: Floats, count: Int) -> Int:
    held = loop.held
    slope_of_mode(loop, memory)
    rates_by_steps(loop, memory)
    for a in range(count):
        i = held.numbers[a]
        if not abs(held.now[i]) > slow_rate(loop, i):
            return 0
    return 1


@sliding.kernel
def look(loop: Loop, count: Int) -> Int:
    """Why there can be no sliding, by rates of the residuals with all statuses turned up and down.
    Derivatives of formulas cost more, and most of what is suspected is noise: they are asked for only
    where this look finds motion."""
    held = loop.held
    want_sides(loop, count, 1.0)
    if settle_sides(loop, loop.after, held.side_one) == 0:
        return STATES_JUMP
    want_sides(loop, count, -1.0)
    if settle_sides(loop, loop.after, held.side_two) == 0:
        return STATES_JUMP
    want_sides(loop, count, 1.0)
    # On the way back. Nobody needs that memory; the states before it are those of the event.
    if settle_sides(loop, held.side_two, held.side_back) == 0:
        return STATES_JUMP
    if mode_moves(loop, held.side_one, count) == 0:
        return NO_MOTION
    return SLIDES if mode_moves(loop, held.side_two, count) == 1 else NO_MOTION


# ---------------------------------------------------------------- surfaces


@sliding.kernel
def gradient_of_surface(loop: Loop, i: Int, row: Floats) -> Int:
    """By states and time, of length one; 0: it has no direction."""
    held = loop.held
    n = loop.n
    gradient_by_states(held, loop.memory, i, 1, row)
    along_nothing(held)  # time goes on, inputs move, and states stay
    for k in range(held.inputs):
        held.values[1 + held.states + k] = held.input_slopes[k]
    row[n] = slope_along(held, loop.memory, i, 1, 1.0)
    length = sqrt(product(n + 1, row, row))
    if not (length > 0.0 and length <= LARGEST):
        return 0
    for j in range(n + 1):
        row[j] /= length
    return 1


@sliding.kernel
def add_member(motion: HeldMotion, relation: Int, surface: Int, side: Float) -> None:
    motion.member_relations[motion.members] = relation
    motion.member_surfaces[motion.members] = surface
    motion.member_signs[motion.members] = side
    motion.members += 1


@sliding.kernel
def find_surfaces(loop: Loop, motion: HeldMotion, count: Int) -> Int:
    """Relations grouped by surface: gradients that are parallel belong to one. 0: too many, or none."""
    held = loop.held
    wide = loop.n + 1
    motion.surfaces = 0
    motion.members = 0
    see_mode_of(loop, loop.after)
    follow_inputs(loop)
    for a in range(count):
        i = held.numbers[a]
        row = held.rows[motion.surfaces * wide :]
        if gradient_of_surface(loop, i, row) == 0:
            return 0
        found = 0
        for k in range(motion.surfaces):
            cosine = product(wide, row, held.rows[k * wide :])
            if found == 0 and abs(abs(cosine) - 1.0) < HOLD.parallel:
                found = 1
                add_member(motion, i, k, sign(cosine))
        if found == 0:
            if motion.surfaces == HOLD.most_surfaces:
                return 0
            add_member(motion, i, motion.surfaces, 1.0)
            motion.surface_relations[motion.surfaces] = i
            motion.surfaces += 1
    for k in range(motion.contacts):
        add_member(motion, motion.contact_relations[k], motion.surfaces + k, 1.0)
    return 1


# ---------------------------------------------------------------- modes


@sliding.kernel
def find_modes(loop: Loop, motion: HeldMotion) -> Int:
    """The memory in each of the modes; 0 where one does not exist."""
    fine = 1
    for mode in range(motion.modes):
        clear_wanted(loop)
        for k in range(motion.members):
            surface = motion.member_surfaces[k]
            if surface < motion.surfaces:
                side = 1.0 if is_above(mode, surface) == 1 else -1.0
                loop.held.wanted[motion.member_relations[k]] = side * motion.member_signs[k]
        out = image(motion, mode)
        if settle_sides(loop, loop.after, out) == 0:
            fine = 0
    return fine


@sliding.kernel
def agree_on_positions(held: HeldMotions, motion: HeldMotion) -> Int:
    """Ideal elements beside the surfaces must be in the same positions in all modes: where throwing the
    switch throws a diode as well, the motion is a mixture of more than two."""
    for k in range(held.positions):
        slot = held.position_slots[k]
        for mode in range(1, motion.modes):
            if image(motion, mode)[slot] != image(motion, 0)[slot]:
                return 0
    return 1


@sliding.kernel
def agree_on_surfaces(loop: Loop, motion: HeldMotion) -> Int:
    """The residuals must be the same in all modes: where switching makes them jump, the relation
    decides about itself."""
    held = loop.held
    k = motion.surfaces
    low = motion.mode_rates
    high = motion.mode_rates[k:]
    for mode in range(motion.modes):
        see_mode_of(loop, image(motion, mode))
        for s in range(k):
            residual = held.now[motion.surface_relations[s]]
            if residual != residual:
                return 0
            low[s] = residual if mode == 0 else min(low[s], residual)
            high[s] = residual if mode == 0 else max(high[s], residual)
    for s in range(k):
        if not high[s] - low[s] <= HOLD.jump * size_of(loop, motion.surface_relations[s]):
            return 0
    return 1


@sliding.kernel
def turns_round(loop: Loop, motion: HeldMotion) -> Int:
    """Where a curve has a fold, its two branches lie on the same side of it: along one and the same way of
    the states the residual rises in one mode and falls in the other. Beyond the fold neither mode has a
    solution, so the motion cannot stay there."""
    held = loop.held
    k = motion.surfaces
    rises = motion.mode_rates
    falls = motion.mode_rates[k:]
    for way in range(motion.modes):
        slope_of_mode(loop, image(motion, way))
        for s in range(2 * k):
            motion.mode_rates[s] = 0.0
        for mode in range(motion.modes):
            rates_by_steps(loop, image(motion, mode))
            for s in range(k):
                i = motion.surface_relations[s]
                if held.now[i] > slow_rate(loop, i):
                    rises[s] = 1.0
                if held.now[i] < -slow_rate(loop, i):
                    falls[s] = 1.0
        for s in range(k):
            if rises[s] == 1.0 and falls[s] == 1.0:
                return 1
    return 0


@sliding.kernel
def is_attractive(loop: Loop, motion: HeldMotion) -> Int:
    """Filippov's condition: below the surface the residual rises, above it falls."""
    held = loop.held
    i = motion.surface_relations[0]
    see_mode_of(loop, image(motion, 0))
    below = residual_motion(held, loop.memory, i)
    see_mode_of(loop, image(motion, 1))
    above = residual_motion(held, loop.memory, i)
    slow = slow_rate(loop, i)
    return 1 if below > slow and above < -slow else 0


@sliding.kernel
def take_contacts(motion: HeldMotion, resting: HeldMotion) -> None:
    """Those of a rest that goes on beside the sliding."""
    motion.contacts = resting.contacts
    for k in range(resting.contacts):
        motion.contact_relations[k] = resting.contact_relations[k]
        motion.contact_sides[k] = resting.contact_sides[k]
    copy(resting.contacts * motion.states, resting.directions, motion.directions)


@sliding.kernel
def slide(loop: Loop, motion: HeldMotion, count: Int) -> Int:
    """`motion` becomes the sliding motion on the surfaces of the relations in `held.numbers`, together with
    the contacts that it has."""
    held = loop.held
    reason = look(loop, count)
    if reason != SLIDES:
        return reason
    known = ask_all(held, count)
    if held.lacks == 1:
        return LACKING
    if known == 0:
        return NO_DERIVATIVE
    if find_surfaces(loop, motion, count) == 0:
        return MANY_SURFACES
    motion.modes = 1 << motion.surfaces
    if has_room(held, motion, motion.modes) == 0:
        return LACKING
    if find_modes(loop, motion) == 0:
        return STATES_JUMP
    if agree_on_positions(held, motion) == 0:
        return CORE_MODES_DIFFER
    if agree_on_surfaces(loop, motion) == 0:
        return VALUES_JUMP
    if turns_round(loop, motion) == 1:
        return FOLDS
    if motion.surfaces == 1 and is_attractive(loop, motion) == 0:
        return NOT_TO_SURFACE
    return SLIDES if holds_here(loop, motion) == 1 else NOT_TO_SURFACE
