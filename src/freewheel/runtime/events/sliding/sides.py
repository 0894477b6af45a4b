"""A model put on chosen sides of its relations: all else follows, and residuals are looked at there.

    settle_sides(loop, memory, out)      # 1: `out` is the memory with the sides of `held.wanted`
    rates_by_steps(loop, memory)         # how fast residuals change along a way of the states
    residual_motion(held, memory, i)     # the same by derivatives of formulas

Time and states are those of the event (`loop.t`, `loop.trial`). Whatever is tried, `loop.memory` is
anything afterwards.
"""

from __future__ import annotations

from math import inf

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.events.impacts import has_moved, impacts, rates_along, see_residuals
from freewheel.runtime.events.iteration_kernels import settle
from freewheel.runtime.events.sliding.hold_kernels import (
    HeldMotions,
    along_motion,
    holds,
    slope_along,
)
from freewheel.runtime.events.status_update import NOT_PLAIN, copy, says_something
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.loop.point import place

sides = KernelModule("sides", holds, impacts)


@sides.kernel
def span_of(loop: Loop) -> Float:
    return loop.stop - loop.start


@sides.kernel
def forget(loop: Loop) -> None:
    """What trials have said."""
    if says_something(loop) == 1:
        loop.forget_messages(loop)
        if loop.message_watch == 2:
            loop.memory[loop.message_slot] = 0.0


@sides.kernel
def see_mode_of(loop: Loop, memory: Floats) -> None:
    """The mode of a memory at the event, into `loop.memory` and `held.now`."""
    copy(loop.memory_size, memory, loop.memory)
    see_residuals(loop, loop.t, loop.trial, loop.held.now)


@sides.kernel
def residual_motion(held: HeldMotions, memory: Floats, i: Int) -> Float:
    """dz/dt along the motion of a memory that has been evaluated."""
    along_motion(held, memory)
    return slope_along(held, memory, i, 1, 1.0)


@sides.kernel
def put_on_sides(loop: Loop, memory: Floats) -> None:
    wanted = loop.held.wanted
    copy(loop.memory_size, memory, loop.memory)
    place(loop, loop.t, loop.trial)
    for i in range(loop.relation_count):
        if wanted[i] != 0.0:
            loop.memory[loop.status_slots[i]] = wanted[i]


@sides.kernel
def settle_sides(loop: Loop, memory: Floats, out: Floats) -> Int:
    """1: relations are on the sides that `wanted` asks for, all else follows, and `out` is that memory; 0:
    states jump, the model raises an error, or nothing settles."""
    held = loop.held
    wanted = held.wanted
    bands = loop.bands
    put_on_sides(loop, memory)
    for i in range(loop.relation_count):
        held.kept_bands[i] = bands[i]
        if wanted[i] != 0.0:
            bands[i] = inf
    loop.listens = 1
    loop.errors_heard = 0
    forget(loop)
    rounds = settle(loop, 0)
    if rounds == 0 and loop.iteration_outcome == NOT_PLAIN:
        put_on_sides(loop, memory)
        loop.errors_heard = 0
        forget(loop)
        loop.is_thorough = 1
        rounds = settle(loop, 0)
        loop.is_thorough = 0
    loop.listens = 0
    for i in range(loop.relation_count):
        if wanted[i] != 0.0:
            bands[i] = held.kept_bands[i]
    fine = 1 if rounds > 0 and loop.errors_heard == 0 else 0
    if fine == 1:
        fine = 1 - has_moved(loop, loop.trial, loop.memory[loop.states_slot :])
    copy(loop.memory_size, loop.memory, out)
    forget(loop)
    return fine


@sides.kernel
def clear_wanted(loop: Loop) -> None:
    for i in range(loop.relation_count):
        loop.held.wanted[i] = 0.0


@sides.kernel
def slope_of_mode(loop: Loop, memory: Floats) -> None:
    """Derivatives of the states in the mode of a memory, into `held.way`."""
    see_mode_of(loop, memory)
    copy(loop.n, loop.memory[loop.derivatives_slot :], loop.held.way)


@sides.kernel
def rates_by_steps(loop: Loop, memory: Floats) -> None:
    """A first look: how fast residuals change in a mode along `held.way`, into `held.now`."""
    see_mode_of(loop, memory)
    rates_along(loop, loop.trial, loop.held.way, loop.held.now)
    forget(loop)
