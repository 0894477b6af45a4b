"""Root bracketing: the first instant in a step at which a relation leaves its status.

    locate(loop, left, right, left_residuals, right_residuals)   # loop.crossing_time, loop.which

The bracket is narrowed for all relations together, the earliest guess first, until it is as narrow as
rounding allows. The root solver (`root_solvers.py`) makes the guesses.
"""

from __future__ import annotations

from math import nan

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints
from freewheel.runtime.events.root_solvers import (
    DENSE,
    FIBONACCI,
    GOLDEN,
    GOLDEN_SHARE,
    HERMITE,
    NEWTON,
    NONE,
    NORDSIECK,
    coefficients,
    fibonacci_order,
    fibonacci_share,
    guess,
    roots,
    zero_by_derivatives,
    zero_of_chord,
    zero_of_quartic,
)
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.loop.point import dense_value, place, point
from freewheel.runtime.thresholds import EPSILON, LARGEST, LOCATION, TINIEST

bracket = KernelModule("bracket", point, roots)


@bracket.kernel
def residuals_here(loop: Loop, out: Floats) -> None:
    """Residuals at the point in memory, whose derivatives are known; NaN where they fail."""
    status = loop.relations(loop.memory)
    for i in range(loop.relation_count):
        out[i] = loop.memory[loop.residual_slots[i]] if status == 0 else nan


@bracket.kernel
def residuals_at(loop: Loop, t: Float, out: Floats) -> None:
    """Residuals inside the step."""
    dense_value(loop, t, loop.trial)
    place(loop, t, loop.trial)
    loop.evaluations += 1
    if loop.derivatives(loop.memory) != 0:
        for i in range(loop.relation_count):
            out[i] = nan
    else:
        residuals_here(loop, out)


@bracket.kernel
def has_left(status: Float, residual: Float, band: Float) -> Int:
    """1: the residual disagrees with the status.

    The rule of the hybrid paper (two zero-crossing functions zp and zn per relation), by signs: a relation
    keeps its status while the residual has that sign. A status of +1 or -1 is left when the residual reaches
    zero or changes sign; a status of 0 is left as soon as the residual is not zero. A band b widens this
    interval: +1 is left only below -b, -1 only above b, and 0 only beyond b on either side. NaN agrees with
    any status."""
    if abs(residual) <= band:
        if band > 0.0 or status == 0.0:
            return 0
        return 1
    if residual > 0.0:
        return 1 if status != 1.0 else 0
    if residual < 0.0:
        return 1 if status != -1.0 else 0
    return 0


@bracket.kernel
def sign(x: Float) -> Float:
    return 1.0 if x > 0.0 else (-1.0 if x < 0.0 else 0.0)


@bracket.kernel
def mark_changed(loop: Loop, residuals: Floats, which: Ints) -> Int:
    """Marks the relations that have left their status; how many."""
    count = 0
    for i in range(loop.relation_count):
        which[i] = has_left(loop.memory[loop.status_slots[i]], residuals[i], loop.bands[i])
        count += which[i]
    return count


@bracket.kernel
def inside(a: Float, b: Float, share: Float, narrow: Float) -> Float:
    """A time within the bracket; its middle where there is no guess."""
    middle = a + 0.5 * (b - a)
    t = middle if share == NONE else a + share * (b - a)
    t = min(max(t, a + 0.5 * narrow), b - 0.5 * narrow)  # a guess on an end narrows nothing
    return t if t > a and t < b else middle


@bracket.kernel
def guess_by_chords(loop: Loop, a: Float, b: Float, which: Ints, narrow: Float) -> Float:
    """The earliest zero of the chords."""
    share = NONE
    for i in range(loop.relation_count):
        if which[i] == 1:
            ratio = zero_of_chord(loop.residuals_a[i], loop.residuals_b[i])
            if abs(ratio) <= LARGEST:
                share = min(share, ratio)
    return inside(a, b, share, narrow)


@bracket.kernel
def slopes_at(loop: Loop, t: Float, here: Floats, beside: Float, out: Floats) -> None:
    """By a difference towards the inside of the bracket."""
    residuals_at(loop, t + beside, loop.residuals_beside)
    for i in range(loop.relation_count):
        out[i] = (loop.residuals_beside[i] - here[i]) / beside


@bracket.kernel
def guess_by_slopes(
    loop: Loop, a: Float, b: Float, which: Ints, narrow: Float, side: Int, repeats: Int
) -> Float:
    """The earliest guess of the root solver; beyond it, where the last two fell on one side."""
    ra = loop.residuals_a
    rb = loop.residuals_b
    sa = loop.slopes_a
    sb = loop.slopes_b
    width = b - a
    share = NONE
    for i in range(loop.relation_count):
        if which[i] == 1:
            x = guess(loop.root_solver, ra[i], sa[i] * width, rb[i], sb[i] * width)
            if x < 0.0 or x > 1.0 or not abs(x) <= LARGEST:
                x = zero_of_chord(ra[i], rb[i])
            if x >= 0.0 and x <= 1.0:
                share = min(share, x)
    t = inside(a, b, share, narrow)
    if repeats > 0 and side < 0:
        t = a + 2.0 * (t - a) + narrow
    elif repeats > 0:
        t = b - 2.0 * (b - t) - narrow
    return t if t > a and t < b else a + 0.5 * width


@bracket.kernel
def guess_by_polynomial(loop: Loop, a: Float, b: Float, which: Ints, narrow: Float) -> Float:
    """The earliest zero of the polynomials through five values in the bracket."""
    ra = loop.residuals_a
    rb = loop.residuals_b
    quarter = loop.slopes_a
    half = loop.slopes_b
    three = loop.residuals_beside
    p = loop.chain
    residuals_at(loop, a + 0.25 * (b - a), quarter)
    residuals_at(loop, a + 0.5 * (b - a), half)
    residuals_at(loop, a + 0.75 * (b - a), three)
    share = NONE
    for i in range(loop.relation_count):
        if which[i] == 1:
            coefficients(ra[i], quarter[i], half[i], three[i], rb[i], p)
            x = zero_by_derivatives(p) if loop.root_solver == NORDSIECK else NONE
            if not (x >= 0.0 and x <= 1.0):
                x = zero_of_quartic(p, 0.0, 1.0)
            share = min(share, x)
    return inside(a, b, share, narrow)


@bracket.kernel
def locate(
    loop: Loop, left: Float, right: Float, left_residuals: Floats, right_residuals: Floats,
) -> None:  # fmt: skip
    """Narrows the bracket around the first crossing; `loop.which` marks the relations that cross at its right
    end."""
    r = loop.relation_count
    ra = loop.residuals_a
    rb = loop.residuals_b
    sa = loop.slopes_a
    sb = loop.slopes_b
    found = loop.residuals_found
    which = loop.which
    goes_through = loop.which[r:]
    crossed = loop.which[2 * r :]
    for i in range(r):
        ra[i] = left_residuals[i]
        rb[i] = right_residuals[i]
        loop.residuals_crossing[i] = right_residuals[i]
        goes_through[i] = 1 if rb[i] * loop.memory[loop.status_slots[i]] < 0.0 else 0
    a = left
    b = right
    narrow = LOCATION.narrow * EPSILON * max(abs(a), abs(b)) + TINIEST
    kind = loop.root_solver
    by_slopes = 1 if kind >= NEWTON and kind <= HERMITE else 0
    is_section = 1 if kind == GOLDEN else 0
    order = 0
    if kind == FIBONACCI:
        is_section = 1
        order = fibonacci_order((b - a) / narrow)
    halves = 1 if by_slopes == 0 and is_section == 0 else 0
    before = loop.evaluations
    side = 0
    repeats = 0
    is_slow = 0
    rounds = 0
    if by_slopes == 1:
        slopes_at(loop, a, ra, LOCATION.aside * (b - a), sa)
        slopes_at(loop, b, rb, -LOCATION.aside * (b - a), sb)
    while b - a > narrow and rounds < LOCATION.max_rounds:
        rounds += 1
        width = b - a
        t = a + 0.5 * width
        if is_section == 1:
            share = GOLDEN_SHARE if kind == GOLDEN else fibonacci_share(order)
            t = inside(a, b, share, narrow)
        elif rounds > LOCATION.halving_rounds:
            t = a + 0.5 * width  # guesses converge slowly at a triple zero
        elif is_slow == 0 and by_slopes == 1 and width > LOCATION.nearly * narrow:
            t = guess_by_slopes(loop, a, b, which, narrow, side, repeats)
        elif is_slow == 0 and rounds == 1 and kind >= DENSE:
            t = guess_by_polynomial(loop, a, b, which, narrow)
        elif is_slow == 0:
            t = guess_by_chords(loop, a, b, which, narrow)
        residuals_at(loop, t, found)
        count = 0
        for i in range(r):
            crossed[i] = has_left(loop.memory[loop.status_slots[i]], found[i], loop.bands[i])
            # One that goes through zero has crossed when it is beyond: on an exact zero a second event would
            # follow when it leaves.
            if goes_through[i] == 1 and found[i] == 0.0:
                crossed[i] = 0
            count += crossed[i]
        order -= 2 if count > 0 else 1
        if count > 0:
            b = t
            for i in range(r):
                rb[i] = found[i]
                loop.residuals_crossing[i] = found[i]
                which[i] = crossed[i]
                if side == 1 and halves == 1:
                    ra[i] *= 0.5
            repeats = repeats + 1 if side == 1 else 0
            side = 1
            if by_slopes == 1:
                slopes_at(loop, b, rb, -LOCATION.aside * (b - a), sb)
        else:
            a = t
            for i in range(r):
                ra[i] = found[i]
                if side == -1 and halves == 1:
                    rb[i] *= 0.5
            repeats = repeats + 1 if side == -1 else 0
            side = -1
            if by_slopes == 1:
                slopes_at(loop, a, ra, LOCATION.aside * (b - a), sa)
        is_slow = 1 if b - a > 0.5 * width and (by_slopes == 0 or repeats > 1) else 0
    loop.locations += loop.evaluations - before
    loop.crossing_time = b
