"""Root solvers: a guess of the first zero in a bracket, as a share of it.

    zero_of_chord(-1.0, 3.0)                    ->  0.25
    zero_of_cubic(-1.0, 4.0, 3.0, 4.0)          ->  0.25    # values and slopes at both ends

The methods of chapter 9 of Cellier and Kofman, Continuous System Simulation: regula falsi, golden section and
Fibonacci search, Newton, cubic and inverse Hermite interpolation (sections 9.5.1 to 9.5.5), the polynomial of
the dense output, and the same by scaled derivatives at the end of the step (a Nordsieck vector, P9.1). A
polynomial of degree four goes through values at shares 0, 1/4, 1/2, 3/4 and 1. A guess outside of the bracket
means that there is none; `location.py` then halves the bracket.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.thresholds import LOCATION

roots = KernelModule("roots")

ILLINOIS, GOLDEN, NEWTON, CUBIC, HERMITE, DENSE, NORDSIECK, FIBONACCI = range(8)
ROOT_SOLVERS = {
    "illinois": ILLINOIS,
    "golden": GOLDEN,
    "fibonacci": FIBONACCI,
    "newton": NEWTON,
    "cubic": CUBIC,
    "hermite": HERMITE,
    "dense": DENSE,
    "nordsieck": NORDSIECK,
}
NONE = 2.0  # a share beyond the bracket
GOLDEN_SHARE = 0.3819660112501051


@roots.kernel
def fibonacci(number: Int) -> Float:
    """1, 1, 2, 3, 5, ... from number 1 on."""
    before = 0.0
    found = 1.0
    for _ in range(number - 1):
        after = before + found
        before = found
        found = after
    return found


@roots.kernel
def fibonacci_order(width: Float) -> Int:
    """Number of the first Fibonacci number that is not below the width of the bracket in units."""
    number = 1
    while fibonacci(number) < width and number < LOCATION.orders:
        number += 1
    return number


@roots.kernel
def fibonacci_share(order: Int) -> Float:
    """Where to divide a bracket as wide as the Fibonacci number of this order."""
    return fibonacci(order - 2) / fibonacci(order) if order >= 3 else 0.5


@roots.kernel
def zero_of_chord(ra: Float, rb: Float) -> Float:
    return -ra / (rb - ra) if rb - ra != 0.0 else NONE


@roots.kernel
def zero_of_tangent(ra: Float, sa: Float, rb: Float, sb: Float) -> Float:
    """Newton's step from the end with the smaller value."""
    if abs(ra) < abs(rb):
        return NONE if sa == 0.0 else -ra / sa
    return NONE if sb == 0.0 else 1.0 - rb / sb


@roots.kernel
def zero_of_inverse(ra: Float, sa: Float, rb: Float, sb: Float) -> Float:
    """Time as a cubic of the residual, at residual zero."""
    fall = rb - ra
    if fall == 0.0 or sa == 0.0 or sb == 0.0:
        return NONE
    u = -ra / fall
    rest = 1.0 - u
    return u * rest * rest * fall / sa + u * u * (3.0 - 2.0 * u) - u * u * rest * fall / sb


@roots.kernel
def cubic_value(ra: Float, sa: Float, rb: Float, sb: Float, x: Float) -> Float:
    rest = 1.0 - x
    ends = ra * rest * rest * (1.0 + 2.0 * x) + rb * x * x * (3.0 - 2.0 * x)
    return ends + x * rest * (sa * rest - sb * x)


@roots.kernel
def zero_of_cubic(ra: Float, sa: Float, rb: Float, sb: Float) -> Float:
    """The values have different signs, so halving finds a zero of the cubic."""
    if ra * rb > 0.0:
        return NONE
    low = 0.0
    high = 1.0
    for _ in range(LOCATION.rounds):
        x = 0.5 * (low + high)
        if cubic_value(ra, sa, rb, sb, x) * rb > 0.0:
            high = x
        else:
            low = x
    return high


@roots.kernel
def coefficients(r0: Float, r1: Float, r2: Float, r3: Float, r4: Float, p: Floats) -> None:
    """Of the polynomial through five values at shares 0, 1/4, ..., 1; p[k] belongs to x**k."""
    d1 = r1 - r0
    d2 = r2 - 2.0 * r1 + r0
    d3 = r3 - 3.0 * r2 + 3.0 * r1 - r0
    d4 = r4 - 4.0 * r3 + 6.0 * r2 - 4.0 * r1 + r0
    p[0] = r0
    p[1] = 4.0 * (d1 - d2 / 2.0 + d3 / 3.0 - d4 / 4.0)
    p[2] = 16.0 * (d2 / 2.0 - d3 / 2.0 + 11.0 * d4 / 24.0)
    p[3] = 64.0 * (d3 / 6.0 - d4 / 4.0)
    p[4] = 256.0 * d4 / 24.0


@roots.kernel
def quartic_value(p: Floats, x: Float) -> Float:
    return p[0] + x * (p[1] + x * (p[2] + x * (p[3] + x * p[4])))


@roots.kernel
def zero_of_quartic(p: Floats, low: Float, high: Float) -> Float:
    """Between two shares of different signs."""
    end = quartic_value(p, high)
    for _ in range(LOCATION.rounds):
        x = 0.5 * (low + high)
        if quartic_value(p, x) * end > 0.0:
            high = x
        else:
            low = x
    return high


@roots.kernel
def zero_by_derivatives(p: Floats) -> Float:
    """Newton on the expansion around the end of the step, whose terms are h**k/k! * d**k r/dt**k."""
    n0 = quartic_value(p, 1.0)
    n1 = p[1] + 2.0 * p[2] + 3.0 * p[3] + 4.0 * p[4]
    n2 = p[2] + 3.0 * p[3] + 6.0 * p[4]
    n3 = p[3] + 4.0 * p[4]
    n4 = p[4]
    s = -0.5  # (9.27): from the middle of the step
    for _ in range(12):
        value = n0 + s * (n1 + s * (n2 + s * (n3 + s * n4)))
        slope = n1 + s * (2.0 * n2 + s * (3.0 * n3 + s * 4.0 * n4))
        if slope == 0.0:
            return NONE
        s -= value / slope
    return 1.0 + s


@roots.kernel
def guess(kind: Int, ra: Float, sa: Float, rb: Float, sb: Float) -> Float:
    """By the methods that use values and slopes at the ends."""
    if kind == NEWTON:
        return zero_of_tangent(ra, sa, rb, sb)
    if kind == CUBIC:
        return zero_of_cubic(ra, sa, rb, sb)
    if kind == HERMITE:
        return zero_of_inverse(ra, sa, rb, sb)
    return zero_of_chord(ra, rb)
