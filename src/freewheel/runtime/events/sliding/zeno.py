"""Events that come ever faster (Zeno): a ball that bounces lower each time comes to rest.

    rests = rest(loop, motion)      # 1: `motion` keeps things at rest on the surfaces of `held.resting`

Let z be the residual of the relation, s its slope after an impact and a the acceleration that drives
back to the surface. The next flight rises by s**2 / 2a and takes 2s / a; if each impact leaves the
share e of the slope, all flights to come take 2s / (a (1 - e)) together. Once the rise is negligible
beside the tolerance, the flights are left out: z = 0 and z' = 0 are kept by a reaction, which acts
along the direction in which impacts change the states, until it would have to pull. The limit of the
series is the time at which things are said to rest; the impacts until then are told all the same, as long as
their speeds are more than round-off. What loses all its speed at once (e = 0) rests at
once; nothing ever falls through a floor.

The memory after the event is in `loop.after`, its states are in `loop.trial`, those before it in `loop.y`.
"""

from __future__ import annotations

from math import inf

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Int
from freewheel.runtime.events.impacts import see_residuals, size_of
from freewheel.runtime.events.sliding.filippov import (
    add_member,
    ask,
    follow_inputs,
    holds_here,
    sliding,
)
from freewheel.runtime.events.sliding.hold_kernels import (
    KNOWN,
    HeldMotion,
    HeldMotions,
    along_states,
    image,
    slope_along,
)
from freewheel.runtime.events.sliding.reasons import LACKING
from freewheel.runtime.events.sliding.sides import (
    clear_wanted,
    residual_motion,
    see_mode_of,
    settle_sides,
)
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.thresholds import HOLD, LARGEST, ZENO

RESTS, RESTS_NOT = 1, 0

zeno = KernelModule("zeno", sliding)


@zeno.kernel
def negligible(loop: Loop, i: Int) -> Float:
    """A distance from the surface that is left out."""
    return loop.negligible_rise * size_of(loop, i)


@zeno.kernel
def take_resting(held: HeldMotions, motion: HeldMotion) -> None:
    """The relations that `resting` marks become contacts."""
    motion.surfaces = 0
    motion.members = 0
    motion.modes = 1
    motion.contacts = 0
    for i in range(held.relation_count):
        if held.resting[i] == 1 and motion.contacts < HOLD.most_contacts:
            motion.contact_relations[motion.contacts] = i
            add_member(motion, i, motion.contacts, 1.0)
            motion.contacts += 1


@zeno.kernel
def have_derivatives(held: HeldMotions, motion: HeldMotion) -> Int:
    """KNOWN, or why not."""
    found = KNOWN
    for k in range(motion.contacts):
        for order in range(1, 3):
            known = ask(held, motion.contact_relations[k], order)
            if known != KNOWN:
                found = known
    return found


@zeno.kernel
def find_reactions(loop: Loop, motion: HeldMotion) -> Int:
    """Sides and directions; 0 where a reaction would have no effect."""
    held = loop.held
    n = loop.n
    if loop.impact_count == 0:
        return 0
    see_mode_of(loop, loop.after)
    follow_inputs(loop)
    for k in range(motion.contacts):
        i = motion.contact_relations[k]
        known = loop.impact_directions[n * i :]
        direction = motion.directions[n * k :]
        along_states(held, known)
        side = loop.impact_sides[i]
        effect = side * slope_along(held, loop.memory, i, 2, 0.0)
        if not (effect > 0.0 and effect <= LARGEST):
            return 0
        motion.contact_sides[k] = side
        for j in range(n):
            direction[j] = known[j] / effect
    return 1


@zeno.kernel
def leave_out(loop: Loop, i: Int, first: Float, pull: Float, share: Float) -> None:
    """Impacts to come, by the series."""
    held = loop.held
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
def see_speeds(loop: Loop, motion: HeldMotion) -> None:
    """Distances and speeds of the contacts after the event, and the shares that impacts at this instant leave
    of the speeds before it."""
    held = loop.held
    now = image(motion, 0)
    see_mode_of(loop, now)
    for k in range(motion.contacts):
        held.wrong[k] = abs(held.now[motion.contact_relations[k]])
        motion.contact_speeds[k] = abs(
            residual_motion(held, loop.memory, motion.contact_relations[k])
        )
    for k in range(motion.contacts):
        i = motion.contact_relations[k]
        if loop.impact_times[i] == loop.t:
            see_residuals(loop, loop.t, loop.impact_before[loop.n * i :], held.now)
            first = abs(residual_motion(held, loop.memory, i))
            loop.impact_shares[i] = 0.0
            if first > 0.0:
                loop.impact_shares[i] = motion.contact_speeds[k] / first


@zeno.kernel
def limit_of_flights(loop: Loop, motion: HeldMotion) -> Float:
    """When the last flight ends; infinite where one rises too high to be left out."""
    held = loop.held
    remaining = 0.0
    held.series_count = 0
    see_speeds(loop, motion)
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
            leave_out(loop, i, speed, pull, share)
    return loop.t + remaining


@zeno.kernel
def rest(loop: Loop, motion: HeldMotion) -> Int:
    """RESTS, with the limit of the flights in `held.limit`; RESTS_NOT, or LACKING. The states need not be on
    the surfaces exactly."""
    held = loop.held
    take_resting(held, motion)
    known = have_derivatives(held, motion)
    if held.lacks == 1:
        return LACKING
    if known != KNOWN or motion.contacts == 0 or find_reactions(loop, motion) == 0:
        return RESTS_NOT
    clear_wanted(loop)
    for k in range(motion.contacts):
        held.wanted[motion.contact_relations[k]] = motion.contact_sides[k]
    if settle_sides(loop, loop.after, image(motion, 0)) == 0:
        return RESTS_NOT
    if holds_here(loop, motion) == 0:
        return RESTS_NOT
    held.limit = limit_of_flights(loop, motion)
    return RESTS if held.limit < inf else RESTS_NOT
