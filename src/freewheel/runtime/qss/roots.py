"""Smallest positive roots of polynomials of degree 2 and 3.

first_exit(c0, c1, c2, width)    # of the band around zero
first_root(c0, c1, c2)           # of c0 + c1 t + c2 t**2; NO_ROOT where there is none
first_root_of_cubic(c0, c1, c2, c3, most)
"""

from __future__ import annotations

from math import sqrt

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float
from freewheel.runtime.qss.thresholds import ROOTS
from freewheel.runtime.thresholds import FOREVER

polynomials = KernelModule("qss_polynomials")

NO_ROOT = FOREVER


@polynomials.kernel
def first_root(c0: Float, c1: Float, c2: Float) -> Float:
    if c2 == 0.0 or ROOTS.flat * c1 * c1 > abs(c2 * c0):
        if c1 == 0.0:
            return NO_ROOT
        root = -c0 / c1
        return root if root > 0.0 else NO_ROOT
    below = c1 * c1 - 4.0 * c2 * c0
    if below < 0.0:
        return NO_ROOT
    # The sum of two numbers of one sign loses nothing; the other root is by Vieta's rule.
    half = -0.5 * (c1 + sqrt(below)) if c1 > 0.0 else -0.5 * (c1 - sqrt(below))
    if half == 0.0:
        return NO_ROOT
    one = half / c2
    other = c0 / half
    best = NO_ROOT
    if one > 0.0:
        best = one
    if other > 0.0 and other < best:
        best = other
    return best


@polynomials.kernel
def first_exit(c0: Float, c1: Float, c2: Float, width: Float) -> Float:
    """When c0 + c1 t + c2 t**2, which begins within `width` of zero, leaves that band. One root is
    enough: which border comes first is known from the turning point."""
    sign = -1.0 if c2 < 0.0 else 1.0
    start = sign * c0
    slope = sign * c1
    bend = sign * c2
    up = max(width - start, 0.0)
    if slope < 0.0:
        down = max(width + start, 0.0)
        below = slope * slope - 4.0 * bend * down
        if below >= 0.0:
            return 2.0 * down / (sqrt(below) - slope)
        return (sqrt(slope * slope + 4.0 * bend * up) - slope) / (2.0 * bend)
    under = slope + sqrt(slope * slope + 4.0 * bend * up)
    if under == 0.0:
        return NO_ROOT
    return 2.0 * up / under


@polynomials.kernel
def cubic(c0: Float, c1: Float, c2: Float, c3: Float, t: Float) -> Float:
    return c0 + t * (c1 + t * (c2 + t * c3))


@polynomials.kernel
def root_between(c0: Float, c1: Float, c2: Float, c3: Float, low: Float, high: Float) -> Float:
    """The one root in a bracket, by Newton kept inside it."""
    a = low
    b = high
    falls = 1 if cubic(c0, c1, c2, c3, a) > 0.0 else 0
    # From the middle of a long bracket Newton would come down by a third at a time.
    t = first_root(c0, c1, c2)
    if not (t > a and t < b):
        t = (abs(c0 / c3)) ** (1.0 / 3.0)
    if not (t > a and t < b):
        t = 0.5 * (a + b)
    for _round in range(ROOTS.rounds):
        value = cubic(c0, c1, c2, c3, t)
        if value == 0.0:
            return t
        if (value > 0.0 and falls == 1) or (value < 0.0 and falls == 0):
            a = t
        else:
            b = t
        slope = c1 + t * (2.0 * c2 + t * 3.0 * c3)
        middle = 0.5 * (a + b)
        moved = middle if slope == 0.0 else t - value / slope
        if not (moved > a and moved < b):
            moved = middle
        if abs(moved - t) <= ROOTS.close * abs(t):
            return moved
        t = moved
    return t


@polynomials.kernel
def first_root_of_cubic(c0: Float, c1: Float, c2: Float, c3: Float, most: Float) -> Float:
    """The first root up to `most`, else NO_ROOT. Between turning points a cubic is monotone: the first piece
    whose ends differ in sign holds it."""
    if c3 == 0.0:
        return first_root(c0, c1, c2)
    low = 0.0
    below = c2 * c2 - 3.0 * c1 * c3
    if below > 0.0:
        # Turning points, each computed without loss of digits.
        half = -(c2 + sqrt(below)) if c2 > 0.0 else -(c2 - sqrt(below))
        one = half / (3.0 * c3)
        other = c1 / half
        near = min(one, other)
        far = max(one, other)
        if near > 0.0 and near < most:
            if cubic(c0, c1, c2, c3, near) * c0 <= 0.0:
                return root_between(c0, c1, c2, c3, 0.0, near)
            low = near
        if far > 0.0 and far < most:
            if cubic(c0, c1, c2, c3, far) * c0 <= 0.0:
                return root_between(c0, c1, c2, c3, low, far)
            low = far
    if cubic(c0, c1, c2, c3, most) * c0 <= 0.0:
        return root_between(c0, c1, c2, c3, low, most)
    return NO_ROOT
