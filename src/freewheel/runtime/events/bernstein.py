"""Where is a polynomial on the other side first? Bernstein coefficients of ever smaller pieces tell.

    first_below(p, 1.0)     # p[0] + p[1]*x + ... + p[4]*x**4 between 0 and 1: a place where it is below zero

A polynomial has no zero in a piece whose Bernstein coefficients are of one sign (Lane, Riesenfeld 1981).
Pieces are halved from left to right until that is so, or an end lies on the other side. Rounding moves the
coefficients no more than it moves the values. Remainders of Sturm's sequence are not like this: a leading
coefficient that is rounding spoils them, and so do zeros close together.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.events.root_solvers import quartic_value, roots

bernstein = KernelModule("bernstein", roots)

NOWHERE = 2.0
ROUNDING = 4e-16  # of the largest coefficient: a piece with smaller values touches zero
NARROWEST = 1e-9  # a dip of a double zero that is not rounding is wider: sqrt(ROUNDING)
PARTS = 8  # places tried between the neighbours of one below zero, for the deepest


@bernstein.kernel
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


@bernstein.kernel
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


@bernstein.kernel
def deepest(p: Floats, side: Float, x: Float, width: Float) -> Float:
    """The lowest of some places around one that is below zero."""
    found = x
    for k in range(2 * PARTS + 1):
        other = x + (k - PARTS) * width / PARTS
        is_inside = other > 0.0 and other < 1.0
        if is_inside and quartic_value(p, other) * side < quartic_value(p, found) * side:
            found = other
    return found


@bernstein.kernel
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
        if not is_clear and largest > ROUNDING * size and width > NARROWEST:
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
