"""One step of the implicit core and what lies within it: guards violated inside, the event located.

error = step_core(rates, jacobians, refresh, m, w, c, record, pivots, h, 1)
h = locate_core(...)        # the step repeated so that it ends where the first guard is zero
"""

from __future__ import annotations

from math import inf, pow

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Function, Int, Ints
from freewheel.runtime.kernels.core_euler import attempt_euler_core, core_euler
from freewheel.runtime.kernels.core_events import core_events
from freewheel.runtime.kernels.core_linear import FOLLOWED, MIDDLE, tick
from freewheel.runtime.kernels.core_open import choose_open
from freewheel.runtime.kernels.core_places import (
    ALLOWED,
    DYS,
    ELEMENTS,
    ERR,
    ERROR,
    EVER,
    EVER_BEFORE,
    FIRST_ORDER,
    FLOOR,
    FRESH,
    H_GOOD,
    H_MAX,
    HEAD,
    INDEX,
    IS_LINEAR,
    IS_SINGULAR,
    MODE,
    OUTPUT,
    RECORD_HEAD,
    REJECTED,
    REPEATED,
    SIZE,
    SIZE_BEFORE,
    SLOPE,
    STEPS,
    TAU,
    TRIAL,
    WANTED,
    Y1,
    H,
    N,
    T,
    Y,
)
from freewheel.runtime.kernels.core_renew import core_renew, renew_core
from freewheel.runtime.kernels.core_sizes import (
    BESIDE,
    KEPT,
    grow_core,
    mark_violated,
    marked_guard,
    worst_guard,
)
from freewheel.runtime.kernels.core_step import (
    ROUNDED,
    attempt_core,
    consistent_core,
    inside_core,
    inside_elements,
    moved_core,
    next_size,
)
from freewheel.runtime.kernels.core_tableau import C1, C2

core_advance = KernelModule("core_advance", core_events, core_euler, core_renew)

SHORTEST = 1e-9  # of the time scale of the mode: shorter ones drown in rounding
BENT = 1e-3  # of these: as short as steps may become where F bends
MOST_LOCATE = 60
STALE = 0.2  # change of balanced matrices: more needs a new analysis
INCONSISTENT = 1e-6  # residual at the end of a step, relative: such a step is none
NOISE = 2e-9  # of its size: a guard this little beyond zero is zero (more than `GUARD`)


@core_advance.kernel
def step_core(
    rates: Function, jacobians: Function, refresh: Function, m: Floats, w: Floats, c: Ints,
    record: Floats, pivots: Ints, h: Float, is_judged: Int,
) -> Float:  # fmt: skip
    """An attempt whose end is made consistent where Radau's algebraic values are of lower order. The
    directions of that correction are those of the end: with those of the beginning, a ball on a
    string would be pushed along its path."""
    n = c[N]
    if c[FIRST_ORDER] == 1:
        return attempt_euler_core(rates, jacobians, m, w, c, record, pivots, h, w[T])
    error = attempt_core(rates, jacobians, m, w, c, record, pivots, h, w[T], is_judged)
    if error < inf and record[IS_LINEAR] == 0.0 and record[INDEX] > 1.0:
        end = w[T] + h
        if jacobians(m, end, w[HEAD + Y1 * n :], w[HEAD + SLOPE * n :], record[RECORD_HEAD:]) != 0:
            return inf
        is_old = moved_core(c, record) > 0.0 and renew_core(w, c, record) != 0
        if is_old and refresh(c[MODE], Y1, end) != 0:
            return inf
        c[FRESH] = 1
    if error < inf and record[IS_LINEAR] > 0.0:
        if record[IS_SINGULAR] > 0.0:
            choose_open(m, w, c, record, w[HEAD + Y1 * n :])
    elif error < inf and (record[INDEX] > 1.0 or record[IS_SINGULAR] > 0.0):
        left = consistent_core(rates, m, w, c, record, w[T] + h, w[HEAD + Y1 * n :])
        if not left < INCONSISTENT:
            return inf
    if is_judged == 1 and error <= 1.0 and record[IS_LINEAR] == 0.0:
        error = max(error, bends(rates, m, w, c, record, h))
    return error


@core_advance.kernel
def bends(rates: Function, m: Floats, w: Floats, c: Ints, record: Floats, h: Float) -> Float:
    """As `follows` of linear modes: how far unknowns that follow the sources leave the polynomial in
    the middle of the step, in units of what is allowed."""
    n = c[N]
    x = w[HEAD + TRIAL * n :]
    straight = w[HEAD + OUTPUT * n :]
    slope = w[HEAD + SLOPE * n :]
    kept = w[HEAD + ERR * n :]
    inside_core(w, c, MIDDLE, x)
    for i in range(n):
        straight[i] = x[i]
        kept[i] = slope[i]
    if record[IS_SINGULAR] > 0.0:  # what floats leaves the polynomial for other reasons
        choose_open(m, w, c, record, straight)
    left = consistent_core(rates, m, w, c, record, w[T] + MIDDLE * h, x)
    off = 0.0
    # Unknowns of higher index are differences of others: shorter steps have more of their rounding.
    rounding = ROUNDED / BESIDE * pow(max(1.0, record[TAU] / h), record[INDEX] - 1.0)
    for i in range(n):
        slope[i] = kept[i]
        floor = w[HEAD + FLOOR * n + i]
        size = max(w[HEAD + SIZE * n + i], floor, abs(x[i]), 1e-300)
        if left < INCONSISTENT:
            allowed = max(FOLLOWED * size, rounding * floor)
            off = max(off, abs(x[i] - straight[i]) / allowed)
    return off


@core_advance.kernel
def dips_core(
    rates: Function, m: Floats, w: Floats, c: Ints, record: Floats, h: Float, tolerance: Float
) -> Float:
    """Where within the step some guard is violated although none is at its end; 0: nowhere."""
    n = c[N]
    if c[FIRST_ORDER] == 1:
        return 0.0  # a straight line
    x = w[HEAD + TRIAL * n :]
    for place in range(3):
        theta = C1 if place == 0 else (MIDDLE if place == 1 else C2)
        inside_core(w, c, theta, x)
        if record[IS_LINEAR] > 0.0:
            for i in range(n):
                if place == 1:
                    x[i] = w[HEAD + DYS * n + i]
            if record[IS_SINGULAR] > 0.0:
                choose_open(m, w, c, record, x)
        elif record[INDEX] > 1.0 or record[IS_SINGULAR] > 0.0:
            consistent_core(rates, m, w, c, record, w[T] + theta * h, x)
        if worst_guard(m, w, c, x) < -tolerance:
            return theta
    return 0.0


@core_advance.kernel
def guard_after(
    rates: Function, jacobians: Function, refresh: Function, m: Floats, w: Floats, c: Ints,
    record: Floats, pivots: Ints, h: Float,
) -> Float:  # fmt: skip
    """The smallest marked guard at the end of a step; a step that fails is too long."""
    if not step_core(rates, jacobians, refresh, m, w, c, record, pivots, h, 0) < inf:
        return -1.0
    return marked_guard(m, w, c, w[HEAD + Y1 * c[N] :])


@core_advance.kernel
def locate_core(
    rates: Function, jacobians: Function, refresh: Function, m: Floats, w: Floats, c: Ints,
    record: Floats, pivots: Ints, h: Float,
) -> Float:  # fmt: skip
    """The step size at which the first guard reaches zero, by repeated steps; Y1 belongs to it.

    Regula falsi with the Illinois weights, begun inside: at the restart the guard may be zero.
    """
    n = c[N]
    y1 = w[HEAD + Y1 * n :]
    high = h
    g_high = marked_guard(m, w, c, y1)
    low = 0.0
    g_low = marked_guard(m, w, c, w[HEAD + Y * n :])
    closeness = max(4e-16 * (abs(w[T]) + h), 1e-13 * h)
    x = w[HEAD + TRIAL * n :]
    if not g_low > 0.0 or g_low < 1e-3 * abs(g_high):
        trial = 0.5 * h
        for _ in range(40):
            c[REPEATED] += 1
            g = guard_after(rates, jacobians, refresh, m, w, c, record, pivots, trial)
            if g > 0.0:
                low = trial
                g_low = g
                break
            high = trial
            g_high = g
            trial *= 0.25
            # where the last step ended on the corner, the event is at its end
            shortest = SHORTEST * record[TAU]
            if g < -NOISE:  # not yet; Newton's method may never come so near in modes that bend
                shortest = 0.0 if record[IS_LINEAR] > 0.0 else BENT * shortest
            if trial < closeness or trial < shortest:
                break
        if not g_low > 0.0:
            step_core(rates, jacobians, refresh, m, w, c, record, pivots, high, 0)
            marked_guard(m, w, c, y1)
            return high
    else:
        # the polynomial of the violated step shows where to look
        a = 0.0
        b = 1.0
        for _ in range(30):
            middle = 0.5 * (a + b)
            if record[IS_LINEAR] > 0.0 and record[IS_SINGULAR] == 0.0:
                inside_elements(w, c, middle, x)
            else:
                inside_core(w, c, middle, x)
            if record[IS_LINEAR] > 0.0:
                if record[IS_SINGULAR] > 0.0:
                    choose_open(m, w, c, record, x)
            elif record[INDEX] > 1.0 or record[IS_SINGULAR] > 0.0:
                consistent_core(rates, m, w, c, record, w[T] + middle * h, x)
            if marked_guard(m, w, c, x) > 0.0:
                a = middle
            else:
                b = middle
        trial = b * h
        if trial < h:
            c[REPEATED] += 1
            g = guard_after(rates, jacobians, refresh, m, w, c, record, pivots, trial)
            if g > 0.0:
                low = trial
                g_low = g
            else:
                high = trial
                g_high = g
    side = 0
    at = -1.0
    for _ in range(MOST_LOCATE):
        if high - low <= closeness:
            break
        trial = low + (high - low) * g_low / (g_low - g_high)
        if trial <= low or trial >= high:
            trial = 0.5 * (low + high)
        c[REPEATED] += 1
        g = guard_after(rates, jacobians, refresh, m, w, c, record, pivots, trial)
        at = trial
        if abs(g) <= 1e-14:
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
        step_core(rates, jacobians, refresh, m, w, c, record, pivots, high, 0)
    marked_guard(m, w, c, y1)
    return high


@core_advance.kernel
def guarded_step(
    rates: Function, jacobians: Function, refresh: Function, m: Floats, w: Floats, c: Ints,
    record: Floats, pivots: Ints, h: Float, left: Float,
) -> Float:  # fmt: skip
    """A step of at most h, `left` away from a time that must be met, ending where a guard is violated
    first. Its size, 0: try again with the new H. WANTED is 2 where it ends on an event."""
    n = c[N]
    y1 = w[HEAD + Y1 * n :]
    error = step_core(rates, jacobians, refresh, m, w, c, record, pivots, h, 1)
    w[ERROR] = error
    wanted = next_size(error, h, w[H_MAX])
    if c[FIRST_ORDER] == 1 and error == 0.0:
        wanted = w[H_MAX]
    c[WANTED] = -1
    if not error <= 1.0:
        c[REJECTED] += 1
        w[H] = wanted
        return 0.0
    for i in range(n):
        w[HEAD + SIZE_BEFORE * n + i] = w[HEAD + SIZE * n + i]
        w[HEAD + EVER_BEFORE * n + i] = w[HEAD + EVER * n + i]
    tick(rates, m, w, c, record, w[T] + h, y1)  # what was fast may have come to rest
    grow_core(m, w, c, record, y1, KEPT)
    noise = NOISE + 2.0 * w[ALLOWED]
    if c[ELEMENTS] > 0 and worst_guard(m, w, c, y1) >= -noise:
        inner = dips_core(rates, m, w, c, record, h, noise)
        if inner > 0.0:
            w[H] = inner * h
            c[REPEATED] += 1
            return 0.0
    if c[ELEMENTS] > 0 and worst_guard(m, w, c, y1) < -noise:
        mark_violated(m, w, c, y1, noise)
        h = locate_core(rates, jacobians, refresh, m, w, c, record, pivots, h)
        for i in range(n):  # what lies beyond the event never was
            w[HEAD + SIZE * n + i] = w[HEAD + SIZE_BEFORE * n + i]
            w[HEAD + EVER * n + i] = w[HEAD + EVER_BEFORE * n + i]
        grow_core(m, w, c, record, y1, KEPT)
        c[WANTED] = 2
    else:
        if h < left or wanted > record[H_GOOD]:
            record[H_GOOD] = wanted
        if h < left or wanted > w[H]:
            w[H] = wanted
    c[STEPS] += 1
    if record[IS_LINEAR] == 0.0 and record[INDEX] < 2.0:
        c[FRESH] = 0 if moved_core(c, record) > STALE else 1
    return h
