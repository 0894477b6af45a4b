"""Filippov's sliding motion: both sides of a switching surface drive to it.

    reason = slide(loop, motion, count)      # SLIDES, or why the relations in `held.numbers` do not

Let z be the residual of the relation. Filippov (1988): if z' < 0 on the side z > 0 and z' > 0 on the side z <
0, the solution stays on z = 0 and moves with share * f+ + (1 - share) * f-, where z' = 0. Each side is a
whole mode of the model: statuses, discrete values and all that depends on them, settled with the status
fixed. Where one surface is not enough, two or more at once (their intersection) are tried; then all
combinations of sides are modes.

A motion does not slide where switching makes states or z itself jump, or at the fold of a curve. The memory
after the event is in `loop.after`, its states are in `loop.trial`.
"""

from __future__ import annotations

from math import sqrt

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints
from freewheel.runtime.events.impacts import clear_wanted, settle_on_sides
from freewheel.runtime.events.iteration_kernels import are_equal_at, copy, size_of
from freewheel.runtime.events.location import sign
from freewheel.runtime.events.sliding.projection import (
    evaluate_mode_of,
    gradient_by_states,
    product,
    projection,
    rates_by_steps,
    residual_motion,
    slope_of_mode,
)
from freewheel.runtime.events.sliding.vector_field import (
    KNOWN,
    NOT_REQUESTED,
    ConstrainedMotion,
    ConstrainedMotions,
    constrained_motion,
    derivative_along,
    image,
    is_above,
    set_zero_direction,
)
from freewheel.runtime.events.sliding.violations import (
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
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.loop.point import place
from freewheel.runtime.thresholds import LARGEST, SLIDING

sliding = KernelModule("sliding", projection)


@sliding.kernel
def request_derivative(held: ConstrainedMotions, relation: Int, order: Int) -> Int:
    """Whether there are derivatives of a residual; NOT_ASKED: Python provides them, and the event begins
    again."""
    known = held.slopes[relation].first_known if order == 1 else held.slopes[relation].second_known
    if known == NOT_REQUESTED:
        held.requested[relation] = held.requested[relation] | order
        held.is_lacking = 1
    return known


@sliding.kernel
def are_smooth(held: ConstrainedMotions, count: Int, relations: Ints) -> Int:
    """Whether these residuals are smooth: without second derivatives, as those of delayed signals, the first
    ones may be discontinuous."""
    found = 1
    for a in range(count):
        for order in range(1, 3):
            if request_derivative(held, relations[a], order) != KNOWN:
                found = 0
    return found


@sliding.kernel
def follow_inputs(loop: Loop) -> None:
    """Slopes of the inputs, in the model's order, at the present time."""
    held = loop.constrained
    m = loop.memory
    if held.inputs == 0:
        return
    if loop.inputs == 0 or held.needs_inputs == 1:
        held.follow_inputs(loop)
        return
    for k in range(held.inputs):
        held.input_slopes[k] = 0.0
        for i in range(loop.inputs):
            line = loop.input_lines[5 * i :]
            if loop.input_slots[i] == held.input_slots[k] and m[loop.time_slot] < line[3]:
                held.input_slopes[k] = line[2]


@sliding.kernel
def is_feasible_here(loop: Loop, motion: ConstrainedMotion) -> Int:
    """Whether all shares lie between zero and one and all reactions push, without the terms that bring the
    states onto the surfaces."""
    k = motion.surfaces
    copy(loop.memory_size, loop.after, loop.memory)
    place(loop, loop.t, loop.trial)
    follow_inputs(loop)
    for i in range(k + motion.contacts):
        motion.unknowns[i] = 0.5 if i < k else 0.0
    motion.stiffness = 0.0
    status = constrained_motion(loop.memory, loop.constrained, motion)
    motion.stiffness = SLIDING.stiffness / (loop.stop - loop.start)
    if status != 0:
        return 0
    for i in range(k + motion.contacts):
        unknown = motion.unknowns[i]
        if not unknown > 0.0 or (i < k and not unknown < 1.0):
            return 0
    return 1


# ---------------------------------------------------------------- a first test by differences


@sliding.kernel
def settle_turned(loop: Loop, count: Int, turned: Float, memory: Floats, out: Floats) -> Int:
    """Settles with the relations in `numbers` on the sides they are on (`turned` 1), or on the others (-1);
    those at zero are up."""
    clear_wanted(loop)
    for a in range(count):
        i = loop.constrained.numbers[a]
        status = loop.after[loop.status_slots[i]]
        loop.wanted[i] = turned * (status if status != 0.0 else 1.0)
    return settle_on_sides(loop, memory, out)


@sliding.kernel
def slow_rate(loop: Loop, i: Int) -> Float:
    """Below it a residual does not move."""
    return SLIDING.slow * size_of(loop, i) / (loop.stop - loop.start)


@sliding.kernel
def mode_moves(loop: Loop, memory: Floats, count: Int) -> Int:
    """1: all residuals in `numbers` move in the mode of a memory."""
    slope_of_mode(loop, memory)
    rates_by_steps(loop, memory)
    for a in range(count):
        i = loop.constrained.numbers[a]
        if not abs(loop.constrained.now[i]) > slow_rate(loop, i):
            return 0
    return 1


@sliding.kernel
def reason_by_rates(loop: Loop, count: Int) -> Int:
    """Why there is no sliding, by rates of the residuals on both sides. Derivatives of formulas cost more and
    most candidates are noise: they are used only where this test finds motion."""
    one = loop.constrained.side_one
    two = loop.constrained.side_two
    if settle_turned(loop, count, 1.0, loop.after, one) == 0:
        return STATES_JUMP
    if settle_turned(loop, count, -1.0, loop.after, two) == 0:
        return STATES_JUMP
    if settle_turned(loop, count, 1.0, two, loop.constrained.side_back) == 0:  # and back
        return STATES_JUMP
    if mode_moves(loop, one, count) == 0 or mode_moves(loop, two, count) == 0:
        return NO_MOTION
    return SLIDES


# ---------------------------------------------------------------- surfaces


@sliding.kernel
def gradient_of_surface(loop: Loop, i: Int, row: Floats) -> Int:
    """By states and time, with length one; 0: it is zero or not finite."""
    held = loop.constrained
    n = loop.n
    gradient_by_states(held, loop.memory, i, 1, row)
    set_zero_direction(held)  # of time and inputs, at fixed states
    for k in range(held.inputs):
        held.values[1 + held.states + k] = held.input_slopes[k]
    row[n] = derivative_along(held, loop.memory, i, 1, 1.0)
    length = sqrt(product(n + 1, row, row))
    if not (length > 0.0 and length <= LARGEST):
        return 0
    for j in range(n + 1):
        row[j] /= length
    return 1


@sliding.kernel
def add_member(motion: ConstrainedMotion, relation: Int, surface: Int, side: Float) -> None:
    motion.member_relations[motion.members] = relation
    motion.member_surfaces[motion.members] = surface
    motion.member_signs[motion.members] = side
    motion.members += 1


@sliding.kernel
def find_surfaces(loop: Loop, motion: ConstrainedMotion, count: Int) -> Int:
    """Groups relations by surface: those with parallel gradients have one. 0: there are too many, or no
    gradient."""
    held = loop.constrained
    wide = loop.n + 1
    motion.surfaces = 0
    motion.members = 0
    evaluate_mode_of(loop, loop.after)
    follow_inputs(loop)
    for a in range(count):
        i = held.numbers[a]
        row = held.rows[motion.surfaces * wide :]
        if gradient_of_surface(loop, i, row) == 0:
            return 0
        found = 0
        for k in range(motion.surfaces):
            cosine = product(wide, row, held.rows[k * wide :])
            if found == 0 and abs(abs(cosine) - 1.0) < SLIDING.parallel:
                found = 1
                add_member(motion, i, k, sign(cosine))
        if found == 0:
            if motion.surfaces == SLIDING.most_surfaces:
                return 0
            add_member(motion, i, motion.surfaces, 1.0)
            motion.surface_relations[motion.surfaces] = i
            motion.surfaces += 1
    for k in range(motion.contacts):
        add_member(motion, motion.contact_relations[k], motion.surfaces + k, 1.0)
    return 1


# ---------------------------------------------------------------- modes


@sliding.kernel
def find_modes(loop: Loop, motion: ConstrainedMotion) -> Int:
    """The memory in each of the modes; 0 where one does not exist."""
    for mode in range(motion.modes):
        clear_wanted(loop)
        for k in range(motion.members):
            surface = motion.member_surfaces[k]
            if surface < motion.surfaces:
                side = 1.0 if is_above(mode, surface) == 1 else -1.0
                loop.wanted[motion.member_relations[k]] = side * motion.member_signs[k]
        if settle_on_sides(loop, loop.after, image(motion, mode)) == 0:
            return 0
    return 1


@sliding.kernel
def agree_on_positions(held: ConstrainedMotions, motion: ConstrainedMotion) -> Int:
    """Ideal elements must have the same positions in all modes: where the switch throws a diode as well, the
    motion is a mixture of more than two modes."""
    for mode in range(1, motion.modes):
        same = are_equal_at(
            held.positions, held.position_slots, image(motion, mode), image(motion, 0)
        )
        if same == 0:
            return 0
    return 1


@sliding.kernel
def agree_on_surfaces(loop: Loop, motion: ConstrainedMotion) -> Int:
    """The residuals must be equal in all modes: where switching makes them jump, the relation depends on
    itself."""
    held = loop.constrained
    k = motion.surfaces
    low = motion.mode_rates
    high = motion.mode_rates[k:]
    for mode in range(motion.modes):
        evaluate_mode_of(loop, image(motion, mode))
        for s in range(k):
            residual = held.now[motion.surface_relations[s]]
            if residual != residual:
                return 0
            low[s] = residual if mode == 0 else min(low[s], residual)
            high[s] = residual if mode == 0 else max(high[s], residual)
    for s in range(k):
        if not high[s] - low[s] <= SLIDING.jump * size_of(loop, motion.surface_relations[s]):
            return 0
    return 1


@sliding.kernel
def turns_round(loop: Loop, motion: ConstrainedMotion) -> Int:
    """1: the surface is the fold of a curve, whose two branches lie on the same side of it: along the same
    direction of the states the residual rises in one mode and falls in the other. Beyond it neither mode has
    a solution."""
    held = loop.constrained
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
def is_attractive(loop: Loop, motion: ConstrainedMotion) -> Int:
    """Filippov's condition: the residual rises below the surface and falls above it."""
    held = loop.constrained
    i = motion.surface_relations[0]
    evaluate_mode_of(loop, image(motion, 0))
    below = residual_motion(held, loop.memory, i)
    evaluate_mode_of(loop, image(motion, 1))
    above = residual_motion(held, loop.memory, i)
    slow = slow_rate(loop, i)
    return 1 if below > slow and above < -slow else 0


@sliding.kernel
def take_contacts(motion: ConstrainedMotion, resting: ConstrainedMotion) -> None:
    """Those of a rest that goes on during the sliding."""
    motion.contacts = resting.contacts
    for k in range(resting.contacts):
        motion.contact_relations[k] = resting.contact_relations[k]
        motion.contact_sides[k] = resting.contact_sides[k]
    copy(resting.contacts * motion.states, resting.directions, motion.directions)


@sliding.kernel
def slide(loop: Loop, motion: ConstrainedMotion, count: Int) -> Int:
    """`motion` becomes the sliding motion on the surfaces of the relations in `held.numbers`, with the
    contacts that it has."""
    held = loop.constrained
    reason = reason_by_rates(loop, count)
    if reason != SLIDES:
        return reason
    known = are_smooth(held, count, held.numbers)
    if held.is_lacking == 1:
        return LACKING
    if known == 0:
        return NO_DERIVATIVE
    if find_surfaces(loop, motion, count) == 0:
        return MANY_SURFACES
    motion.modes = 1 << motion.surfaces
    if motion.modes > motion.mode_room:
        held.lacking_modes = motion.modes
        held.is_lacking = 1
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
    return SLIDES if is_feasible_here(loop, motion) == 1 else NOT_TO_SURFACE
