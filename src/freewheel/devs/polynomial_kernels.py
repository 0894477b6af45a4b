"""Polynomials up to order 3 as kernels: moved in time, and when they leave a band."""

from __future__ import annotations

import math
from math import sqrt

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int

NEVER = math.inf
HALVINGS = 200  # bisection ends when no number lies between its ends, long before

polynomials = KernelModule("devs_polynomials")


@polynomials.kernel
def shift(c: Floats, count: Int, time: Float) -> None:
    """The coefficients of the same polynomial about a later time (Horner, repeatedly)."""
    for first in range(count - 1):
        for step in range(count - 1 - first):
            k = count - 2 - step
            c[k] = c[k] + time * c[k + 1]


@polynomials.kernel
def cubic_at(c0: Float, c1: Float, c2: Float, c3: Float, t: Float) -> Float:
    return c0 + t * (c1 + t * (c2 + t * c3))


@polynomials.kernel
def turning_time(c1: Float, c2: Float, c3: Float, after: Float) -> Float:
    """The first time after `after` at which the derivative of a cubic is zero."""
    a = 3.0 * c3
    b = 2.0 * c2
    if a == 0.0:
        if b == 0.0:
            return NEVER
        root = -c1 / b
        return root if root > after else NEVER
    inside = b * b - 4.0 * a * c1
    if inside < 0.0:
        return NEVER
    half = -0.5 * (b + sqrt(inside)) if b >= 0.0 else -0.5 * (b - sqrt(inside))
    one = half / a
    other = c1 / half if half != 0.0 else one
    low = min(one, other)
    high = max(one, other)
    if low > after:
        return low
    return high if high > after else NEVER


@polynomials.kernel
def far_enough(c0: Float, c1: Float, c2: Float, c3: Float, start: Float, bound: Float) -> Float:
    """A time by which a cubic that does not turn any more has left the band; never if it rests."""
    if c1 == 0.0 and c2 == 0.0 and c3 == 0.0:
        return NEVER
    step = start if start > 0.0 else 1.0
    while step < NEVER:
        end = start + step
        if abs(cubic_at(c0, c1, c2, c3, end)) >= bound:
            return end
        step = 2.0 * step
    return NEVER


@polynomials.kernel
def first_exit(c0: Float, c1: Float, c2: Float, c3: Float, bound: Float) -> Float:
    """When |c0 + c1 t + c2 t^2 + c3 t^3| first reaches `bound`."""
    if abs(c0) >= bound:
        return 0.0
    start = 0.0
    end = turning_time(c1, c2, c3, start)
    while end < NEVER and abs(cubic_at(c0, c1, c2, c3, end)) < bound:
        start = end
        end = turning_time(c1, c2, c3, start)
    if end == NEVER:
        end = far_enough(c0, c1, c2, c3, start, bound)
    if end == NEVER:
        return NEVER
    low = start
    high = end
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        if middle <= low or middle >= high:
            break
        if abs(cubic_at(c0, c1, c2, c3, middle)) >= bound:
            high = middle
        else:
            low = middle
    return high
