"""How many zeros has a polynomial in an interval? Sturm's sequence of remainders, by counting signs.

    members = sequence(p, 4, chain)              # p[0] + p[1]*x + ... + p[4]*x**4
    zeros_between(chain, members, 0.0, 1.0)      # distinct real zeros in (0, 1]
    nth_zero(chain, members, 2)                  # the second of them

A residual with the same sign at both ends of a step may still have been zero twice inside. The
polynomial through its values tells (P9.2 of Cellier and Kofman, Continuous System Simulation); whether
it is so is then asked of the residual itself.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int

sturm = KernelModule("sturm")

WIDTH = 8  # numbers per member of the chain: its degree, then its coefficients
CHAIN = 48  # numbers in a chain of a polynomial of degree four
POLYNOMIAL = 8  # numbers kept for the polynomial itself, before its chain
NEGLIGIBLE = 1e-13  # of the largest coefficient: below it a remainder is rounding
NOWHERE = 2.0
ROUNDS = 40


@sturm.kernel
def largest_of(q: Floats, degree: Int) -> Float:
    largest = 0.0
    for k in range(degree + 1):
        largest = max(largest, abs(q[1 + k]))
    return largest


@sturm.kernel
def trim(q: Floats, degree: Int, limit: Float) -> Int:
    """Set the degree without leading coefficients that are rounding; -1 where nothing is left."""
    while degree >= 0 and abs(q[1 + degree]) <= limit:
        degree -= 1
    q[0] = degree
    return degree


@sturm.kernel
def sequence(p: Floats, degree: Int, chain: Floats) -> Int:
    """p, its derivative, and the negative remainders of each by the next; how many members."""
    for k in range(degree + 1):
        chain[1 + k] = p[k]
    size = largest_of(chain, degree)
    if size == 0.0:
        return 0
    limit = NEGLIGIBLE * size
    degree = trim(chain, degree, limit)
    second = chain[WIDTH:]
    for k in range(degree):
        second[1 + k] = (k + 1) * chain[2 + k]
    below = trim(second, degree - 1, limit)
    members = 1
    if below >= 0:
        members = 2
    while below > 0:
        dividend = chain[(members - 2) * WIDTH :]
        divisor = chain[(members - 1) * WIDTH :]
        rest = chain[members * WIDTH :]
        above = trim(dividend, degree, 0.0)
        for k in range(above + 1):
            rest[1 + k] = dividend[1 + k]
        for shift in range(above - below, -1, -1):
            factor = rest[1 + below + shift] / divisor[1 + below]
            for k in range(below + 1):
                rest[1 + shift + k] -= factor * divisor[1 + k]
        for k in range(below):
            rest[1 + k] = -rest[1 + k]
        degree = below
        below = trim(rest, below - 1, limit)
        if below < 0:
            return members
        members += 1
    return members


@sturm.kernel
def changes_at(chain: Floats, members: Int, x: Float) -> Int:
    """Changes of sign along the sequence."""
    count = 0
    before = 0.0
    for i in range(members):
        q = chain[i * WIDTH :]
        value = 0.0
        degree = 0
        while degree < q[0]:
            degree += 1
        for k in range(degree, -1, -1):
            value = value * x + q[1 + k]
        if value != 0.0:
            if value * before < 0.0:
                count += 1
            before = value
    return count


@sturm.kernel
def zeros_between(chain: Floats, members: Int, low: Float, high: Float) -> Int:
    return changes_at(chain, members, low) - changes_at(chain, members, high)


@sturm.kernel
def nth_zero(chain: Floats, members: Int, number: Int) -> Float:
    """By halving the interval and counting."""
    low = 0.0
    high = 1.0
    for _ in range(ROUNDS):
        x = 0.5 * (low + high)
        if zeros_between(chain, members, 0.0, x) >= number:
            high = x
        else:
            low = x
    return high
