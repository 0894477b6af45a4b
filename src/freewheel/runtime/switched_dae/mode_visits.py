"""What a method that is not the core's own asks of the core: to go on in a mode, to renew its matrices.

number = core_go_on(m, t, core)           # of the mode; the event is over. -1: it cannot go on
status = core_point(m, core)              # y, y' and the shell at a guess, in a mode that bends
status = core_renew_here(m, t, core)      # matrices of such a mode, at the point in memory
status = core_in_mode(m, core)            # y, y' and the shell in the mode of any memory
"""

from __future__ import annotations

from math import inf

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.switched_dae.analysis_renewal import renew_core
from freewheel.runtime.switched_dae.memory import AT_Y, Core
from freewheel.runtime.switched_dae.mode_guesses import find_mode
from freewheel.runtime.switched_dae.model import CORE_FAILED
from freewheel.runtime.switched_dae.radau_descriptor import consistent_core, moved_core
from freewheel.runtime.switched_dae.scaling import grow_core, to_their_sides
from freewheel.runtime.switched_dae.sections import (
    core_derivatives,
    core_sections,
    flush_impulse,
    keep_sides,
    present_mode,
)
from freewheel.runtime.switched_dae.thresholds import RESTART

core_visits = KernelModule(
    "core_visits",
    core_sections,
    exports=("core_go_on", "core_point", "core_renew_here", "core_seen_here", "core_in_mode"),
)


@core_visits.kernel
def take_point(core: Core, m: Floats) -> None:
    """`y` and `slope` of the core become those in memory."""
    n = core.n
    for i in range(n):
        core.y[i] = m[core.states_slot + i]
        core.slope[i] = m[core.slopes_slot + i]


@core_visits.kernel
def core_go_on(m: Floats, t: Float, core: Core) -> Int:
    """The impulse of the event is reported. Steps there are none: that one would be made says `h_good`."""
    if flush_impulse(core) != 0:
        return -1
    core.event_time = inf
    take_point(core, m)
    number = present_mode(core, m, t)
    if number < 0:
        return -1
    core.mode_before = number
    mode = core.visited[number].mode
    mode.was_taken = 1
    core.h = min(RESTART.look_ahead * mode.tau, core.h_max) if mode.tau > 0.0 else core.h_max
    mode.h_good = core.h
    return number


@core_visits.kernel
def core_seen_here(m: Floats, core: Core) -> Int:
    """The values in memory have been reached: sizes of unknowns grow, and are slowly forgotten."""
    mode = core.visited[core.mode].mode
    grow_core(core, mode, m, m[core.states_slot :], RESTART.kept)
    return 0


@core_visits.kernel
def renew_matrices(core: Core, m: Floats, t: Float, stale: Float) -> Int:
    """Those of the present mode at the point in memory, where they have moved by more than `stale`; 1: the
    mode cannot be analysed there."""
    n = core.n
    take_point(core, m)
    mode = core.visited[core.mode].mode
    x = core.trial
    for i in range(n):
        x[i] = core.y[i]
    to_their_sides(core, mode, m, x)
    failed = core.jacobians(m, t, x, core.slope, mode.matrices)
    if failed == 0 and moved_core(core, mode) <= stale:
        return 0
    if failed == 0:
        failed = renew_core(core, mode)
    if failed == 0:
        return 0
    return core.refresh(core.mode, AT_Y, t)


@core_visits.kernel
def core_renew_here(m: Floats, t: Float, core: Core) -> Int:
    return renew_matrices(core, m, t, RESTART.stale)


@core_visits.kernel
def core_point(m: Floats, core: Core) -> Int:
    """As `core_derivatives` in a mode that bends, from a guess that may be far away: where iteration does
    not lead to the end, it goes on with matrices of the guess, then with those of where it came to."""
    n = core.n
    t = m[core.time_slot]
    y = m[core.states_slot :]
    guess = core.output
    mode = core.visited[core.mode].mode
    for i in range(n):
        guess[i] = y[i]
    left = consistent_core(core, mode, m, t, y)
    for trial in range(RESTART.trials):
        if left < RESTART.resolved:
            break
        if trial == 0 or not left < inf:
            for i in range(n):
                y[i] = guess[i]
        if renew_matrices(core, m, t, 0.0) != 0:
            return CORE_FAILED
        left = consistent_core(core, mode, m, t, y)
    if not left < RESTART.poor:
        return CORE_FAILED
    slope = m[core.slopes_slot :]
    for i in range(n):
        slope[i] = core.slope[i]
    status = core.derivatives(m)
    if status == 0:
        status = keep_sides(core, mode, m)
    return status


@core_visits.kernel
def core_in_mode(m: Floats, core: Core) -> Int:
    """As `core_derivatives` for a memory that need not be the model's own: the mode of its bits has been
    visited, and what is going on in the core is not disturbed."""
    held = core.mode
    number = find_mode(core, m)
    if number < 0:
        return CORE_FAILED
    core.mode = number
    mode = core.visited[number].mode
    status = core_derivatives(m, core) if mode.is_linear == 1 else core_point(m, core)
    core.mode = held
    return status
