"""Zeno accumulation of impacts: a ball that bounces lower each time comes to rest.

    rests = rest(loop, motion)      # 1: `motion` rests on the surfaces of `held.resting`

Let z be the residual of the relation, s its rate after an impact and a the acceleration back to the surface.
The next flight rises by s**2 / 2a and takes 2s / a; if each impact keeps the share e of the rate, all further
flights take 2s / (a (1 - e)) together. Where the rise is negligible beside the tolerance, the flights are
left out: a reaction keeps z = 0 and z' = 0, along the direction in which impacts change the states, until it
would have to pull. The time of rest is the limit of the series; the impacts until then are logged where their
speeds are more than rounding. What loses its speed at once (e = 0) rests at once.

The memory after the event is in `loop.after`, its states are in `loop.trial`, those before it in `loop.y`.
"""

from __future__ import annotations

from math import inf

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Int
from freewheel.runtime.events.impacts import clear_wanted, evaluate_residuals, settle_on_sides
from freewheel.runtime.events.iteration_kernels import size_of
from freewheel.runtime.events.sliding.filippov import (
    add_member,
    are_smooth,
    follow_inputs,
    is_feasible_here,
    sliding,
)
from freewheel.runtime.events.sliding.projection import evaluate_mode_of, residual_motion
from freewheel.runtime.events.sliding.vector_field import (
    ConstrainedMotion,
    ConstrainedMotions,
    derivative_along,
    image,
    set_state_direction,
)
from freewheel.runtime.events.sliding.violations import LACKING
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.thresholds import LARGEST, SLIDING, ZENO

RESTS, RESTS_NOT = 1, 0

zeno = KernelModule("zeno", sliding)


@zeno.kernel
def negligible(loop: Loop, i: Int) -> Float:
    """Of a distance from the surface."""
    return loop.negligible_rise * size_of(loop, i)


@zeno.kernel
def take_resting(held: ConstrainedMotions, motion: ConstrainedMotion) -> None:
    """The relations that `resting` marks become contacts."""
    motion.surfaces = 0
    motion.members = 0
    motion.modes = 1
    motion.contacts = 0
    for i in range(held.relation_count):
        if held.resting[i] == 1 and motion.contacts < SLIDING.most_contacts:
            motion.contact_relations[motion.contacts] = i
            add_member(motion, i, motion.contacts, 1.0)
            motion.contacts += 1


@zeno.kernel
def find_reactions(loop: Loop, motion: ConstrainedMotion) -> Int:
    """Sides and directions; 0 where a reaction has no effect."""
    held = loop.constrained
    n = loop.n
    if loop.impact_count == 0:
        return 0
    evaluate_mode_of(loop, loop.after)
    follow_inputs(loop)
    for k in range(motion.contacts):
        i = motion.contact_relations[k]
        known = loop.impact_directions[n * i :]
        direction = motion.directions[n * k :]
        set_state_direction(held, known)
        side = loop.impact_sides[i]
        effect = side * derivative_along(held, loop.memory, i, 2, 0.0)
        if not (effect > 0.0 and effect <= LARGEST):
            return 0
        motion.contact_sides[k] = side
        for j in range(n):
            direction[j] = known[j] / effect
    return 1


@zeno.kernel
def list_left_out(loop: Loop, i: Int, first: Float, pull: Float, share: Float) -> None:
    """Times of the impacts that are left out, by the series."""
    held = loop.constrained
    least = ZENO.slowest * loop.impact_fastest[i]
    t = loop.t
    speed = first
    held.left_relation = i
    while speed > least and held.series_count < ZENO.most_left_out:
        t += 2.0 * speed / pull
        held.left_times[held.series_count] = t
        held.series_count += 1
        speed *= share


@zeno.kernel
def find_speeds(loop: Loop, motion: ConstrainedMotion) -> None:
    """Distances and speeds of the contacts after the event, and the shares of the speeds before it that
    impacts at this instant keep."""
    held = loop.constrained
    evaluate_mode_of(loop, image(motion, 0))
    for k in range(motion.contacts):
        i = motion.contact_relations[k]
        held.wrong[k] = abs(held.now[i])
        motion.contact_speeds[k] = abs(residual_motion(held, loop.memory, i))
    for k in range(motion.contacts):
        i = motion.contact_relations[k]
        if loop.impact_times[i] == loop.t:
            evaluate_residuals(loop, loop.t, loop.impact_before[loop.n * i :], held.now)
            first = abs(residual_motion(held, loop.memory, i))
            loop.impact_shares[i] = motion.contact_speeds[k] / first if first > 0.0 else 0.0


@zeno.kernel
def limit_of_flights(loop: Loop, motion: ConstrainedMotion) -> Float:
    """The end of the last flight; infinite where one rises too high to be left out."""
    held = loop.constrained
    remaining = 0.0
    held.series_count = 0
    find_speeds(loop, motion)
    for k in range(motion.contacts):
        i = motion.contact_relations[k]
        pull = motion.unknowns[k]
        speed = motion.contact_speeds[k]
        rise = max(speed * speed / (2.0 * pull), held.wrong[k])
        if not rise <= negligible(loop, i):
            return inf
        share = min(loop.impact_shares[i], ZENO.most_kept)
        remaining = max(remaining, 2.0 * speed / (pull * (1.0 - share)))
        if motion.contacts == 1 and loop.impact_times[i] == loop.t:
            list_left_out(loop, i, speed, pull, share)
    return loop.t + remaining


@zeno.kernel
def rest(loop: Loop, motion: ConstrainedMotion) -> Int:
    """RESTS, with the limit of the flights in `held.limit`; RESTS_NOT, or LACKING. The states are near the
    surfaces."""
    held = loop.constrained
    take_resting(held, motion)
    known = are_smooth(held, motion.contacts, motion.contact_relations)
    if held.is_lacking == 1:
        return LACKING
    if known == 0 or motion.contacts == 0 or find_reactions(loop, motion) == 0:
        return RESTS_NOT
    clear_wanted(loop)
    for k in range(motion.contacts):
        loop.wanted[motion.contact_relations[k]] = motion.contact_sides[k]
    if (
        settle_on_sides(loop, loop.after, image(motion, 0)) == 0
        or is_feasible_here(loop, motion) == 0
    ):
        return RESTS_NOT
    held.limit = limit_of_flights(loop, motion)
    return RESTS if held.limit < inf else RESTS_NOT
