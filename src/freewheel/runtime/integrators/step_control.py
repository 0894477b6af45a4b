"""Step size control: a method is tried until the error estimate is within the tolerance.

    code = next_step(loop, limit)    # 0: loop.y1, loop.f1, loop.t1 hold the step

PI control after Gustafsson with the constants of Hairer, Wanner II, section IV.2; first step after Hairer,
Norsett, Wanner I, section II.4.
"""

from __future__ import annotations

from math import inf, pow, sqrt

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Int
from freewheel.runtime.events.branch_following import branches, forget_lost, is_lost
from freewheel.runtime.integrators.thresholds import FIRST_STEP, STEPS
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.loop.outcomes import NO_SPACE, STEP_FAILED
from freewheel.runtime.loop.point import is_finite, point, rhs
from freewheel.runtime.thresholds import EPSILON, LARGEST

step = KernelModule("step", point, branches)


@step.kernel
def make_dense(loop: Loop) -> None:
    """Computes the interpolant of the step once."""
    if loop.dense_ready == 0 and loop.h_taken != 0.0:
        loop.dense_ready = 1
        loop.interpolate(loop)


@step.kernel
def first_step(loop: Loop, span: Float) -> Float:
    n = loop.n
    if n == 0 or span <= 0.0:
        return span
    y = loop.y
    f = loop.f
    beyond = loop.f1
    size = 0.0
    slope = 0.0
    for i in range(n):
        scale = loop.atol[i] + loop.rtol * abs(y[i])
        size += (y[i] / scale) * (y[i] / scale)
        slope += (f[i] / scale) * (f[i] / scale)
    size = sqrt(size / n)
    slope = sqrt(slope / n)
    h = FIRST_STEP.unguided * span
    if size > FIRST_STEP.noticed and slope > FIRST_STEP.noticed:
        h = min(span, 0.01 * size / slope)
    for i in range(n):
        loop.trial[i] = y[i] + h * f[i]
    if rhs(loop, loop.t + h, loop.trial, beyond) != 0 or is_finite(n, beyond) == 0:
        return 0.01 * h
    bend = 0.0
    for i in range(n):
        ratio = (beyond[i] - f[i]) / (loop.atol[i] + loop.rtol * abs(y[i]))
        bend += ratio * ratio
    steepest = max(slope, sqrt(bend / n) / h)
    if steepest <= FIRST_STEP.resting:
        return min(span, max(FIRST_STEP.at_rest * span, FIRST_STEP.at_rest * h))
    # Where slope and curvature are tiny the formula asks for huge steps: at most 100 trial steps.
    return min(100.0 * h, pow(0.01 / steepest, 1.0 / max(loop.error_order, 1)), span)


@step.kernel
def longest_now(loop: Loop) -> Float:
    """The longest step: an eighth of the shortest period in relations (`program/swings.py`)."""
    if loop.swing_slot < 0 or not loop.memory[loop.swing_slot] > 0.0:
        return loop.longest
    return min(loop.longest, STEPS.looked_through / loop.memory[loop.swing_slot])


@step.kernel
def wanted(loop: Loop, limit: Float, longest: Float) -> Float:
    if loop.is_fixed == 1:
        return loop.fixed
    if loop.h <= 0.0:
        span = min(limit - loop.t, longest)
        if not span <= LARGEST:
            span = 1.0
        guess = first_step(loop, span)
        # A state near zero makes the guess far too short; error control can shorten it again.
        loop.h = max(guess, STEPS.negligible * span, STEPS.unresolved * abs(loop.t))
    return min(loop.h, longest)


@step.kernel
def factor_after(loop: Loop, error: Float) -> Float:
    """The factor of the step size after an accepted step."""
    order = float(max(loop.error_order, 1))
    plain = pow(max(error, STEPS.tiny), 0.75 * STEPS.pi_weight - 1.0 / order)
    before = pow(max(loop.previous_error, STEPS.least_error), STEPS.pi_weight)
    return min(STEPS.most, max(STEPS.least, STEPS.safety * plain * before))


@step.kernel
def optimistic_factor(loop: Loop, error: Float) -> Float:
    """Equation 3.89 of Cellier and Kofman (homework H9.1): the size whose error would have been the
    tolerance, without a safety margin. Only extreme factors are bounded."""
    return min(
        STEPS.most, max(STEPS.least, pow(max(error, STEPS.tiny), -1.0 / max(loop.error_order, 1)))
    )


@step.kernel
def factor_after_rejection(loop: Loop, error: Float) -> Float:
    if not error <= LARGEST:
        return 0.25
    return max(
        STEPS.least, min(STEPS.safety, STEPS.safety * pow(error, -1.0 / max(loop.error_order, 1)))
    )


@step.kernel
def size_after(loop: Loop, h: Float, rejected: Int) -> Float:
    """The step size to be tried next."""
    if loop.is_fixed == 1:
        return loop.fixed
    if loop.n == 0:
        return loop.longest
    error = loop.error
    factor = (
        optimistic_factor(loop, error) if loop.is_optimistic == 1 else factor_after(loop, error)
    )
    if rejected == 1:
        factor = min(factor, 1.0)
    if loop.iterations > 0 and factor >= 1.0 and factor <= STEPS.as_good:
        return h  # the same size keeps the factorised matrices
    if rejected == 0 and h < loop.h and factor >= 1.0:  # a limit has cut it: `loop.h` is still good
        return max(h * factor, loop.h)
    return h * factor


@step.kernel
def hop(loop: Loop, limit: Float) -> Int:
    """Passes an interval that rounding does not resolve: time moves, the states stay."""
    for i in range(loop.n):
        loop.y1[i] = loop.y[i]
    loop.t1 = limit
    loop.h_taken = 0.0
    loop.error = 0.0
    loop.stiffness = 0.0
    if rhs(loop, limit, loop.y1, loop.f1) != 0:
        loop.error = inf
        return STEP_FAILED
    loop.memory_at_end = 1
    return 0


@step.kernel
def fitted(loop: Loop, h: Float, left: Float, rejected: Int, longest: Float) -> Float:
    """A step size that leaves no short rest before the limit: stretched by up to 10 % to end there, else half
    of the distance. A rejected size is not stretched, and none beyond the longest step."""
    if loop.is_fixed == 1:
        return left if h >= (1.0 - STEPS.rest) * left else h
    if h >= STEPS.nearly * left:
        return left
    if rejected == 0 and STEPS.stretch * h >= left and left <= longest:
        return left
    return min(h, 0.5 * left)


@step.kernel
def next_step(loop: Loop, limit: Float) -> Int:
    """The next step, ending at `limit` at the latest, and exactly there if it comes near."""
    t = loop.t
    if limit - t <= STEPS.resolved * EPSILON * max(abs(t), abs(limit)):
        return hop(loop, limit)
    if loop.own_steps > 0:
        code = loop.attempt(loop, t, limit)
        if code == 0 and is_lost(loop) == 1 and stands_before(loop, loop.t1 - t) == 1:
            return STEP_FAILED
        if code == 0:  # a library may give up without trying again
            count_before(loop, loop.t1 - t)
            forget_lost(loop)
        return code
    longest = longest_now(loop)
    h = wanted(loop, limit, longest)
    left = limit - t
    rejected = 0
    loop.error = 0.0
    while True:
        if not h > max(loop.shortest, STEPS.resolved * EPSILON * abs(t)):
            loop.h = h
            return STEP_FAILED
        h = fitted(loop, h, left, rejected, longest)
        t1 = limit if h == left else t + h
        loop.shrink = 0.0
        loop.stiffness = 0.0
        loop.memory_at_end = 0
        loop.dense_ready = 0
        loop.iterations = 0
        forget_lost(loop)
        if loop.attempt(loop, t, h) != 0:
            if loop.failed_section == -1:
                return NO_SPACE
            loop.error = inf
        error = loop.error
        if error <= 1.0 or (loop.is_optimistic == 1 and error <= LARGEST):
            break
        loop.rejected += 1
        rejected = 1
        if is_lost(loop) == 1:  # a fold is approached closely, with fixed steps too
            if stands_before(loop, h) == 1:
                loop.h = h
                return STEP_FAILED
            h *= 0.25
        elif loop.is_fixed == 1:
            return STEP_FAILED
        else:
            h *= loop.shrink if loop.shrink > 0.0 else factor_after_rejection(loop, error)
    loop.t1 = t1
    loop.h_taken = h
    loop.h = size_after(loop, h, rejected)
    count_before(loop, h)
    return 0


@step.kernel
def count_before(loop: Loop, h: Float) -> None:
    """A step of size h is taken."""
    if h > 4.0 * loop.fold_h:
        loop.fold_h = 0.0
    loop.fold_steps += 1


@step.kernel
def stands_before(loop: Loop, h: Float) -> Int:
    """1: the states are at a fold within rounding, and a step of size h leads beyond it. Shorter steps that
    change no state may be possible, and near time zero there are many."""
    if loop.fold_h == 0.0 or h < 0.5 * loop.fold_h:
        loop.fold_h = h
        loop.fold_steps = 0
    if loop.fold_steps < STEPS.most_before:
        return 0
    if h <= STEPS.negligible * (loop.stop - loop.start):
        return 1
    for i in range(loop.n):
        size = abs(loop.y[i])
        if size > 0.0 and abs(h * loop.f[i]) > STEPS.resolved * EPSILON * size:
            return 0
    return 1


@step.kernel
def step_to(loop: Loop, end: Float) -> Int:
    """Repeats the step so that it ends exactly at a time inside it."""
    h = loop.h
    was_fixed = loop.is_fixed
    loop.h = end - loop.t
    loop.is_fixed = 0
    code = next_step(loop, end)
    loop.is_fixed = was_fixed
    if code == 0:
        loop.h = h
    return code
