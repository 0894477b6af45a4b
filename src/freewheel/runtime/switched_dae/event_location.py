"""One step of the implicit core and what lies within it: guards violated inside, the event located.

error = step_core(core, mode, m, h, 1)
h = locate_core(...)        # the step repeated so that it ends where the first guard is zero
"""

from __future__ import annotations

from math import inf, pow

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.switched_dae.analysis_renewal import core_renew, renew_core
from freewheel.runtime.switched_dae.inline_euler import attempt_euler_core, core_euler
from freewheel.runtime.switched_dae.linear_modes import tick
from freewheel.runtime.switched_dae.memory import AT_Y1, Core, Mode
from freewheel.runtime.switched_dae.mode_change import core_events
from freewheel.runtime.switched_dae.radau_descriptor import (
    attempt_core,
    consistent_core,
    inside_core,
    inside_elements,
    moved_core,
    next_size,
)
from freewheel.runtime.switched_dae.radau_tableau import C1, C2
from freewheel.runtime.switched_dae.scaling import (
    grow_core,
    mark_violated,
    marked_guard,
    worst_guard,
)
from freewheel.runtime.switched_dae.thresholds import CORE_STEPS, SIZES
from freewheel.runtime.switched_dae.undetermined import choose_open
from freewheel.runtime.thresholds import TINIEST

core_advance = KernelModule("core_advance", core_events, core_euler, core_renew)


@core_advance.kernel
def step_core(core: Core, mode: Mode, m: Floats, h: Float, is_judged: Int) -> Float:
    """An attempt whose end is made consistent where Radau's algebraic values are of lower order. The
    directions of that correction are those of the end: with those of the beginning, a ball on a
    string would be pushed along its path."""
    if core.is_first_order == 1:
        return attempt_euler_core(core, mode, m, h, core.t)
    error = attempt_core(core, mode, m, h, core.t, is_judged)
    if error < inf and mode.is_linear == 0 and mode.index > 1:
        end = core.t + h
        if core.jacobians(m, end, core.y1, core.slope, mode.matrices) != 0:
            return inf
        is_old = moved_core(core, mode) > 0.0 and renew_core(core, mode) != 0
        if is_old and core.refresh(core.mode, AT_Y1, end) != 0:
            return inf
        core.is_fresh = 1
    if error < inf and mode.is_linear == 1:
        if mode.is_singular == 1:
            choose_open(core, mode, m, core.y1)
    elif error < inf and (mode.index > 1 or mode.is_singular == 1):
        left = consistent_core(core, mode, m, core.t + h, core.y1)
        if not left < CORE_STEPS.inconsistent:
            return inf
    if is_judged == 1 and error <= 1.0 and mode.is_linear == 0:
        error = max(error, bends(core, mode, m, h))
    return error


@core_advance.kernel
def bends(core: Core, mode: Mode, m: Floats, h: Float) -> Float:
    """As `follows` of linear modes: how far unknowns that follow the sources leave the polynomial in
    the middle of the step, in units of what is allowed."""
    n = core.n
    x = core.trial
    straight = core.output
    slope = core.slope
    kept = core.err
    inside_core(core, CORE_STEPS.middle, x)
    for i in range(n):
        straight[i] = x[i]
        kept[i] = slope[i]
    if mode.is_singular == 1:  # what floats leaves the polynomial for other reasons
        choose_open(core, mode, m, straight)
    left = consistent_core(core, mode, m, core.t + CORE_STEPS.middle * h, x)
    off = 0.0
    # Unknowns of higher index are differences of others: shorter steps have more of their rounding.
    rounding = CORE_STEPS.rounded / SIZES.beside * pow(max(1.0, mode.tau / h), mode.index - 1.0)
    for i in range(n):
        slope[i] = kept[i]
        floor = core.floor[i]
        size = max(core.size[i], floor, abs(x[i]), TINIEST)
        if left < CORE_STEPS.inconsistent:
            allowed = max(CORE_STEPS.followed * size, rounding * floor)
            off = max(off, abs(x[i] - straight[i]) / allowed)
    return off


@core_advance.kernel
def dips_core(core: Core, mode: Mode, m: Floats, h: Float, tolerance: Float) -> Float:
    """Where within the step some guard is violated although none is at its end; 0: nowhere."""
    n = core.n
    if core.is_first_order == 1:
        return 0.0  # a straight line
    x = core.trial
    for place in range(3):
        theta = C1 if place == 0 else (CORE_STEPS.middle if place == 1 else C2)
        inside_core(core, theta, x)
        if mode.is_linear == 1:
            for i in range(n):
                if place == 1:
                    x[i] = core.dys[i]
            if mode.is_singular == 1:
                choose_open(core, mode, m, x)
        elif mode.index > 1 or mode.is_singular == 1:
            consistent_core(core, mode, m, core.t + theta * h, x)
        if worst_guard(core, m, x) < -tolerance:
            return theta
    return 0.0


@core_advance.kernel
def guard_after(core: Core, mode: Mode, m: Floats, h: Float) -> Float:
    """The smallest marked guard at the end of a step; a step that fails is too long."""
    if not step_core(core, mode, m, h, 0) < inf:
        return -1.0
    return marked_guard(core, m, core.y1)


@core_advance.kernel
def locate_core(core: Core, mode: Mode, m: Floats, h: Float) -> Float:
    """The step size at which the first guard reaches zero, by repeated steps; `y1` belongs to it.

    Regula falsi with the Illinois weights, begun inside: at the restart the guard may be zero.
    """
    y1 = core.y1
    high = h
    g_high = marked_guard(core, m, y1)
    low = 0.0
    g_low = marked_guard(core, m, core.y)
    closeness = max(CORE_STEPS.units * (abs(core.t) + h), CORE_STEPS.bracket * h)
    x = core.trial
    if not g_low > 0.0 or g_low < CORE_STEPS.at_begin * abs(g_high):
        trial = 0.5 * h
        for _ in range(40):
            core.repeated += 1
            g = guard_after(core, mode, m, trial)
            if g > 0.0:
                low = trial
                g_low = g
                break
            high = trial
            g_high = g
            trial *= 0.25
            # where the last step ended on the corner, the event is at its end
            shortest = CORE_STEPS.shortest * mode.tau
            if (
                g < -CORE_STEPS.beyond
            ):  # not yet; Newton's method may never come so near in modes that bend
                shortest = 0.0 if mode.is_linear == 1 else CORE_STEPS.bent * shortest
            if trial < closeness or trial < shortest:
                break
        if not g_low > 0.0:
            step_core(core, mode, m, high, 0)
            marked_guard(core, m, y1)
            return high
    else:
        # the polynomial of the violated step shows where to look
        a = 0.0
        b = 1.0
        for _ in range(30):
            middle = 0.5 * (a + b)
            if mode.is_linear == 1 and mode.is_singular == 0:
                inside_elements(core, middle, x)
            else:
                inside_core(core, middle, x)
            if mode.is_linear == 1:
                if mode.is_singular == 1:
                    choose_open(core, mode, m, x)
            elif mode.index > 1 or mode.is_singular == 1:
                consistent_core(core, mode, m, core.t + middle * h, x)
            if marked_guard(core, m, x) > 0.0:
                a = middle
            else:
                b = middle
        trial = b * h
        if trial < h:
            core.repeated += 1
            g = guard_after(core, mode, m, trial)
            if g > 0.0:
                low = trial
                g_low = g
            else:
                high = trial
                g_high = g
    side = 0
    at = -1.0
    for _ in range(CORE_STEPS.most_locate):
        if high - low <= closeness:
            break
        trial = low + (high - low) * g_low / (g_low - g_high)
        if trial <= low or trial >= high:
            trial = 0.5 * (low + high)
        core.repeated += 1
        g = guard_after(core, mode, m, trial)
        at = trial
        if abs(g) <= CORE_STEPS.on_corner:
            return trial
        if g > 0.0:
            low = trial
            g_low = g
            if side == 1:
                g_high *= 0.5
            side = 1
        else:
            high = trial
            g_high = g
            if side == -1:
                g_low *= 0.5
            side = -1
    if at != high:
        step_core(core, mode, m, high, 0)
    marked_guard(core, m, y1)
    return high


@core_advance.kernel
def guarded_step(core: Core, mode: Mode, m: Floats, h: Float, left: Float) -> Float:
    """A step of at most h, `left` away from a time that must be met, ending where a guard is violated
    first. Its size, 0: try again with the new `h`. `wanted` is 2 where it ends on an event."""
    n = core.n
    y1 = core.y1
    error = step_core(core, mode, m, h, 1)
    core.error = error
    wanted = next_size(error, h, core.h_max)
    tried = h
    if core.is_first_order == 1 and error == 0.0:
        wanted = core.h_max
    core.wanted = -1
    if not error <= 1.0:
        core.rejected += 1
        core.h = wanted
        return 0.0
    for i in range(n):
        core.size_before[i] = core.size[i]
        core.ever_before[i] = core.ever[i]
    tick(core, mode, m, core.t + h, y1)  # what was fast may have come to rest
    grow_core(core, mode, m, y1, SIZES.kept)
    noise = CORE_STEPS.beyond + 2.0 * core.allowed
    if core.element_count > 0 and worst_guard(core, m, y1) >= -noise:
        inner = dips_core(core, mode, m, h, noise)
        if inner > 0.0:
            core.h = inner * h
            core.repeated += 1
            return 0.0
    if core.element_count > 0 and worst_guard(core, m, y1) < -noise:
        mark_violated(core, m, y1, noise)
        h = locate_core(core, mode, m, h)
        for i in range(n):  # what lies beyond the event never was
            core.size[i] = core.size_before[i]
            core.ever[i] = core.ever_before[i]
        grow_core(core, mode, m, y1, SIZES.kept)
        core.wanted = 2
    else:
        if h < left or wanted > mode.h_good:
            mode.h_good = wanted
        if h < left or wanted > core.h:
            core.h = wanted
    if core.wanted == 2 and core.t == core.settled_at and h < CORE_STEPS.at_once * tried:
        core.quick += 1
    else:
        core.quick = 0
        core.usual = pow(core.usual, 0.8) * pow(tried, 0.2) if core.usual > 0.0 else tried
    core.steps += 1
    if mode.is_linear == 0 and mode.index < 2:
        core.is_fresh = 0 if moved_core(core, mode) > CORE_STEPS.stale else 1
    return h
