"""One accepted step: a method is tried until the error is small enough.

    code = next_step(derivatives, jacobian, m, w, c, limit)    # 0: Y1, F1, T1 hold a proposal

PI control after Gustafsson with the constants of Hairer, Wanner II, section IV.2; first step after
Hairer, Norsett, Wanner I, section II.4. The same rules as `integrate/stepper.py`.
"""

from __future__ import annotations

from math import inf, pi, pow, sqrt

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Function, Int, Ints, Section
from freewheel.runtime.kernels.follow import branches, forget_lost, is_lost
from freewheel.runtime.kernels.places import (
    AT_END,
    ATOL,
    DENSE_READY,
    EPSILON,
    ERROR,
    F1,
    FIXED,
    H_TAKEN,
    HEAD,
    IS_FIXED,
    ITERATIONS,
    LARGEST,
    LONGEST,
    NO_SPACE,
    OPTIMISTIC,
    ORDER,
    OWN_STEPS,
    PREVIOUS_ERROR,
    REJECTED,
    RTOL,
    SHORTEST,
    SHRINK,
    STEP_FAILED,
    STIFFNESS,
    SWING,
    T1,
    TRIAL,
    Y1,
    F,
    H,
    N,
    T,
    Y,
)
from freewheel.runtime.kernels.point import is_finite, point, rhs

step = KernelModule("step", point, branches)

ROUNDING = 16.0  # steps shorter than this many units in the last place of t cannot be resolved
SAFETY = 0.9
LEAST = 0.2
MOST = 10.0
PI = 0.04  # weight of the previous error
TINY = 1e-10
STRETCH = 1.1  # of a step, to end on the limit: document 002, section 9.3
LOOKED_THROUGH = pi / 4  # of a sine that a relation looks at, by the five values taken in a step
NEARLY = 0.999  # of the way to the limit, where a step may not be stretched


@step.kernel
def make_dense(interpolate: Function, w: Floats, c: Ints) -> None:
    """The interpolant of the proposal, if it is not there yet."""
    if c[DENSE_READY] == 0 and w[H_TAKEN] != 0.0:
        c[DENSE_READY] = 1
        interpolate(w, c)


@step.kernel
def first_step(derivatives: Section, m: Floats, w: Floats, c: Ints, span: Float) -> Float:
    n = c[N]
    if n == 0 or span <= 0.0:
        return span
    y = w[HEAD + Y * n :]
    f = w[HEAD + F * n :]
    atol = w[HEAD + ATOL * n :]
    x = w[HEAD + TRIAL * n :]
    beyond = w[HEAD + F1 * n :]
    size = 0.0
    slope = 0.0
    for i in range(n):
        scale = atol[i] + w[RTOL] * abs(y[i])
        size += (y[i] / scale) * (y[i] / scale)
        slope += (f[i] / scale) * (f[i] / scale)
    size = sqrt(size / n)
    slope = sqrt(slope / n)
    h = 1e-6 * span
    if size > 1e-5 and slope > 1e-5:
        h = min(span, 0.01 * size / slope)
    for i in range(n):
        x[i] = y[i] + h * f[i]
    if rhs(derivatives, m, w, c, w[T] + h, x, beyond) != 0:
        return 0.01 * h
    if is_finite(n, beyond) == 0:
        return 0.01 * h
    bend = 0.0
    for i in range(n):
        scale = atol[i] + w[RTOL] * abs(y[i])
        ratio = (beyond[i] - f[i]) / scale
        bend += ratio * ratio
    steepest = max(slope, sqrt(bend / n) / h)
    if steepest <= 1e-15:
        return min(span, max(1e-3 * span, 1e-3 * h))
    # Where slope and bend are tiny the formula asks for huge steps: never beyond 100 trial steps.
    return min(100.0 * h, pow(0.01 / steepest, 1.0 / max(c[ORDER], 1)), span)


@step.kernel
def longest_now(m: Floats, w: Floats, c: Ints) -> Float:
    """The longest step: an eighth of the shortest period that relations follow (`program/swings.py`)."""
    if c[SWING] < 0 or not m[c[SWING]] > 0.0:
        return w[LONGEST]
    return min(w[LONGEST], LOOKED_THROUGH / m[c[SWING]])


@step.kernel
def wanted(
    derivatives: Section, m: Floats, w: Floats, c: Ints, limit: Float, longest: Float
) -> Float:
    if c[IS_FIXED] == 1:
        return w[FIXED]
    if w[H] <= 0.0:
        span = min(limit - w[T], longest)
        if not span <= LARGEST:
            span = 1.0
        guess = first_step(derivatives, m, w, c, span)
        # A state near zero makes the guess absurdly short; error control can shorten it anew.
        w[H] = max(guess, 1e-12 * span, 1e3 * ROUNDING * EPSILON * abs(w[T]))
    return min(w[H], longest)


@step.kernel
def factor_after(w: Floats, c: Ints, error: Float) -> Float:
    """By how much to multiply an accepted step."""
    order = float(max(c[ORDER], 1))
    plain = pow(max(error, TINY), 0.75 * PI - 1.0 / order)
    return min(MOST, max(LEAST, SAFETY * plain * pow(max(w[PREVIOUS_ERROR], 1e-4), PI)))


@step.kernel
def optimistic_factor(c: Ints, error: Float) -> Float:
    """Equation 3.89 of Cellier and Kofman, to which homework H9.1 refers: the size whose error would have
    been the tolerance, without a margin. Only a factor out of all proportion is bounded."""
    return min(MOST, max(LEAST, pow(max(error, TINY), -1.0 / max(c[ORDER], 1))))


@step.kernel
def factor_after_rejection(c: Ints, error: Float) -> Float:
    if not error <= LARGEST:
        return 0.25
    return max(LEAST, min(0.9, SAFETY * pow(error, -1.0 / max(c[ORDER], 1))))


@step.kernel
def size_after(w: Floats, c: Ints, h: Float, rejected: Int) -> Float:
    """The step size to be tried next."""
    if c[IS_FIXED] == 1:
        return w[FIXED]
    if c[N] == 0:
        return w[LONGEST]
    factor = optimistic_factor(c, w[ERROR]) if c[OPTIMISTIC] == 1 else factor_after(w, c, w[ERROR])
    if rejected == 1:
        factor = min(factor, 1.0)
    if c[ITERATIONS] > 0 and factor >= 1.0 and factor <= 1.2:
        return h  # the same size keeps the factorised matrices
    if (
        rejected == 0 and h < w[H] and factor >= 1.0
    ):  # a limit cut it short: that says nothing against w[H]
        return max(h * factor, w[H])
    return h * factor


@step.kernel
def hop(derivatives: Section, m: Floats, w: Floats, c: Ints, limit: Float) -> Int:
    """Over a gap that rounding does not resolve: time moves, the states stay."""
    n = c[N]
    y = w[HEAD + Y * n :]
    y1 = w[HEAD + Y1 * n :]
    for i in range(n):
        y1[i] = y[i]
    w[T1] = limit
    w[H_TAKEN] = 0.0
    w[ERROR] = 0.0
    w[STIFFNESS] = 0.0
    if rhs(derivatives, m, w, c, limit, y1, w[HEAD + F1 * n :]) != 0:
        w[ERROR] = inf
        return STEP_FAILED
    c[AT_END] = 1
    return 0


@step.kernel
def fitted(c: Ints, h: Float, left: Float, rejected: Int, longest: Float) -> Float:
    """A step size that leaves no short step before the limit: stretched by up to 10 % to end there, else
    half of the way. A rejected size is not stretched again, and none beyond the longest step."""
    if c[IS_FIXED] == 1:
        return left if h >= (1.0 - 1e-9) * left else h
    if h >= NEARLY * left:
        return left
    if rejected == 0 and STRETCH * h >= left and left <= longest:
        return left
    return min(h, 0.5 * left)


@step.kernel
def next_step(
    derivatives: Section,
    jacobian: Function,
    attempt: Function,
    m: Floats,
    w: Floats,
    c: Ints,
    limit: Float,
) -> Int:
    """The next step, ending at `limit` at the latest (and exactly there if it comes near)."""
    t = w[T]
    if limit - t <= ROUNDING * EPSILON * max(abs(t), abs(limit)):
        return hop(derivatives, m, w, c, limit)
    if c[OWN_STEPS] > 0:
        code = attempt(derivatives, jacobian, m, w, c, t, limit)
        if code == 0:  # a library may give up without trying again
            forget_lost(m, c)
        return code
    longest = longest_now(m, w, c)
    h = wanted(derivatives, m, w, c, limit, longest)
    left = limit - t
    rejected = 0
    w[ERROR] = 0.0
    while True:
        if not h > max(w[SHORTEST], ROUNDING * EPSILON * abs(t)):
            w[H] = h
            return STEP_FAILED
        h = fitted(c, h, left, rejected, longest)
        t1 = limit if h == left else t + h
        w[SHRINK] = 0.0
        w[STIFFNESS] = 0.0
        c[AT_END] = 0
        c[DENSE_READY] = 0
        c[ITERATIONS] = 0
        forget_lost(m, c)
        if attempt(derivatives, jacobian, m, w, c, t, h) == NO_SPACE:
            return NO_SPACE
        error = w[ERROR]
        if error <= 1.0 or (c[OPTIMISTIC] == 1 and error <= LARGEST):
            break
        c[REJECTED] += 1
        rejected = 1
        if is_lost(m, c) == 1:  # a fold must be met closely, with fixed steps too
            h *= 0.25
            continue
        if c[IS_FIXED] == 1:
            return STEP_FAILED
        if w[SHRINK] > 0.0:
            h *= w[SHRINK]
        else:
            h *= factor_after_rejection(c, error)
    w[T1] = t1
    w[H_TAKEN] = h
    w[H] = size_after(w, c, h, rejected)
    return 0


@step.kernel
def step_to(
    derivatives: Section,
    jacobian: Function,
    attempt: Function,
    m: Floats,
    w: Floats,
    c: Ints,
    end: Float,
) -> Int:
    """A step that ends exactly at a time inside the last proposal (shorter is easier)."""
    held = w[H]
    was_fixed = c[IS_FIXED]
    w[H] = end - w[T]
    c[IS_FIXED] = 0
    code = next_step(derivatives, jacobian, attempt, m, w, c, end)
    c[IS_FIXED] = was_fixed
    if code == 0:
        w[H] = held
    return code
