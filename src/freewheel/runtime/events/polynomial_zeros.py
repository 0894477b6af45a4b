"""Zeros of a quartic polynomial between 0 and 1, by Sturm's sequence and by Bernstein coefficients.

    members = sequence(p, 4, chain)              # Sturm's sequence of p[0] + p[1]*x + ... + p[4]*x**4
    zeros_between(chain, members, 0.0, 1.0)      # distinct real zeros in (0, 1]
    nth_zero(chain, members, 2)                  # the second of them
    first_below(p, 1.0)                          # a place where p is below zero, by Bernstein coefficients

A residual with the same sign at both ends of a step may have two zeros inside. The polynomial through its
values shows them (P9.2 of Cellier and Kofman, Continuous System Simulation). A leading coefficient that is
rounding spoils the remainders of Sturm's sequence, and so do zeros close together; Bernstein coefficients
change by rounding no more than values do. A polynomial has no zero in a piece whose Bernstein coefficients
have one sign (Lane, Riesenfeld 1981): pieces are halved from left to right until that is so, or an end lies
on the other side.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.events.root_solvers import quartic_value, roots
from freewheel.runtime.thresholds import ZEROS

polynomials = KernelModule("polynomials", roots)

NOWHERE = 2.0
WIDTH = 8  # numbers per member of the chain: its degree, then its coefficients
CHAIN = 48  # numbers in a chain of a polynomial of degree four
POLYNOMIAL = 8  # numbers kept for the polynomial itself, before its chain


@polynomials.kernel
def trim(q: Floats, degree: Int, limit: Float) -> Int:
    """Sets the degree without leading coefficients that are rounding; -1: all are."""
    while degree >= 0 and abs(q[1 + degree]) <= limit:
        degree -= 1
    q[0] = degree
    return degree


@polynomials.kernel
def sequence(p: Floats, degree: Int, chain: Floats) -> Int:
    """p, its derivative, and the negative remainders of each by the next; how many members."""
    size = 0.0
    for k in range(degree + 1):
        chain[1 + k] = p[k]
        size = max(size, abs(p[k]))
    if size == 0.0:
        return 0
    limit = ZEROS.negligible * size
    degree = trim(chain, degree, limit)
    second = chain[WIDTH:]
    for k in range(degree):
        second[1 + k] = (k + 1) * chain[2 + k]
    below = trim(second, degree - 1, limit)
    members = 2 if below >= 0 else 1
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


@polynomials.kernel
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


@polynomials.kernel
def zeros_between(chain: Floats, members: Int, low: Float, high: Float) -> Int:
    return changes_at(chain, members, low) - changes_at(chain, members, high)


@polynomials.kernel
def nth_zero(chain: Floats, members: Int, number: Int) -> Float:
    """By halving the interval and counting."""
    low = 0.0
    high = 1.0
    for _ in range(ZEROS.halvings):
        x = 0.5 * (low + high)
        if zeros_between(chain, members, 0.0, x) >= number:
            high = x
        else:
            low = x
    return high


@polynomials.kernel
def coefficient(p: Floats, low: Float, width: Float, number: Int) -> Float:
    """A Bernstein coefficient of a quartic on a piece: there it is t0 + t1*s + ... + t4*s**4, 0 <= s <= 1."""
    x = low
    t0 = quartic_value(p, x)
    t1 = width * (p[1] + x * (2.0 * p[2] + x * (3.0 * p[3] + x * 4.0 * p[4])))
    t2 = width * width * (p[2] + x * (3.0 * p[3] + x * 6.0 * p[4]))
    if number == 1:
        return t0 + 0.25 * t1
    if number == 2:
        return t0 + 0.5 * t1 + t2 / 6.0
    return t0 + 0.75 * t1 + 0.5 * t2 + 0.25 * width**3 * (p[3] + x * 4.0 * p[4])


@polynomials.kernel
def most_zeros(p: Floats) -> Int:
    """An upper bound, of the same parity, for the zeros of a quartic between 0 and 1: changes of sign among
    its coefficients there. It costs far less than Sturm's sequence."""
    before = p[0]
    count = 0
    for j in range(1, 5):
        value = coefficient(p, 0.0, 1.0, j) if j < 4 else p[0] + p[1] + (p[2] + p[3] + p[4])
        if value * before < 0.0:
            count += 1
        if value != 0.0:
            before = value
    return count


@polynomials.kernel
def deepest(p: Floats, side: Float, x: Float, width: Float) -> Float:
    """The lowest of some places around one that is below zero."""
    found = x
    for k in range(2 * ZEROS.parts + 1):
        other = x + (k - ZEROS.parts) * width / ZEROS.parts
        is_inside = other > 0.0 and other < 1.0
        if is_inside and quartic_value(p, other) * side < quartic_value(p, found) * side:
            found = other
    return found


@polynomials.kernel
def first_below(p: Floats, side: Float) -> Float:
    """A place between 0 and 1 near the first zero where side*p is below zero, or else touches it; NOWHERE if
    it is above."""
    size = 0.0
    for k in range(5):
        size = max(size, abs(p[k]))
    touched = NOWHERE
    number = 0  # of the piece, from the left, among those of its width
    width = 1.0
    while number * width < 1.0:
        low = number * width
        a = quartic_value(p, low) * side
        b = coefficient(p, low, width, 1) * side
        c = coefficient(p, low, width, 2) * side
        d = coefficient(p, low, width, 3) * side
        e = quartic_value(p, low + width) * side
        if a < 0.0 or e < 0.0:
            return deepest(p, side, low if a < 0.0 else low + width, width)
        largest = max(max(max(a, e), max(abs(b), abs(c))), abs(d))
        is_clear = min(min(b, c), d) > 0.0
        if not is_clear and largest > ZEROS.touching * size and width > ZEROS.narrowest:
            number *= 2
            width *= 0.5
        else:
            if not is_clear:
                touched = min(touched, low + 0.5 * width)
            number += 1
            while width < 1.0 and number % 2 == 0:
                number //= 2
                width *= 2.0
    return touched
