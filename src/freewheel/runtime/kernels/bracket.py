"""Residuals inside a step, and the narrowing of a bracket around the first that leaves its status.

    locate(derivatives, relations, m, w, c, left, right, ra, rb)   # w[CROSSING], R_CROSSING, AT_WHICH

The rules are those of `event/detect.py` and `event/locate.py`: a bracket is narrowed for all
candidates at once, the earliest guess first. How a guess is made is the root solver's choice
(`roots.py`); whatever it guesses, the bracket ends as narrow as floating point allows.
"""

from __future__ import annotations

from math import nan

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints, Section
from freewheel.runtime.kernels.places import (
    AT_CHAIN,
    AT_RESIDUAL,
    AT_RESIDUALS,
    AT_STATUS,
    AT_WHICH,
    CROSSING,
    EPSILON,
    EVALUATIONS,
    HEAD,
    LARGEST,
    LOCATIONS,
    R_A,
    R_B,
    R_BANDS,
    R_BESIDE,
    R_CROSSING,
    R_FOUND,
    R_SLOPE_A,
    R_SLOPE_B,
    RELATIONS,
    ROOT_SOLVER,
    TRIAL,
    N,
)
from freewheel.runtime.kernels.point import dense_value, place, point
from freewheel.runtime.kernels.roots import (
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

bracket = KernelModule("bracket", point, roots)

MAX_ROUNDS = 120  # a round that does not halve the bracket is followed by one that does
NARROW = 2.0
ASIDE = 1e-3  # of the bracket: where the slope at its end is taken
NEARLY = 1e4  # narrowest brackets: slopes are rounding there, chords do


@bracket.kernel
def residuals_here(relations: Section, m: Floats, c: Ints, out: Floats) -> None:
    """Residuals at the point in memory, whose derivatives are known; NaN where they fail."""
    status = relations(m)
    slots = c[c[AT_RESIDUAL] :]
    for i in range(c[RELATIONS]):
        out[i] = m[slots[i]] if status == 0 else nan


@bracket.kernel
def residuals_at(
    derivatives: Section, relations: Section, m: Floats, w: Floats, c: Ints, t: Float, out: Floats
) -> None:
    """Residuals inside the step."""
    n = c[N]
    dense_value(w, c, t, w[HEAD + TRIAL * n :])
    place(m, w, c, t, w[HEAD + TRIAL * n :])
    c[EVALUATIONS] += 1
    if derivatives(m) != 0:
        for i in range(c[RELATIONS]):
            out[i] = nan
    else:
        residuals_here(relations, m, c, out)


@bracket.kernel
def has_left(status: Float, residual: Float, band: Float) -> Int:
    """See `detect.changed`; a residual that is NaN agrees with anything."""
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
def mark_changed(m: Floats, w: Floats, c: Ints, residuals: Floats, which: Ints) -> Int:
    """Mark the relations that have left their status; how many."""
    r = c[RELATIONS]
    bands = w[c[AT_RESIDUALS] + R_BANDS * r :]
    statuses = c[c[AT_STATUS] :]
    count = 0
    for i in range(r):
        which[i] = has_left(m[statuses[i]], residuals[i], bands[i])
        count += which[i]
    return count


@bracket.kernel
def guess_zero(
    r: Int, a: Float, ra: Floats, b: Float, rb: Floats, which: Ints, narrow: Float
) -> Float:
    """The earliest zero of the chords."""
    share = NONE
    for i in range(r):
        if which[i] == 1:
            ratio = zero_of_chord(ra[i], rb[i])
            if abs(ratio) <= LARGEST:
                share = min(share, ratio)
    return inside(a, b, share, narrow)


@bracket.kernel
def inside(a: Float, b: Float, share: Float, narrow: Float) -> Float:
    """A time within the bracket; its middle where there is no guess."""
    middle = a + 0.5 * (b - a)
    t = middle if share == NONE else a + share * (b - a)
    t = min(max(t, a + 0.5 * narrow), b - 0.5 * narrow)  # a guess on an end narrows nothing
    if t > a and t < b:
        return t
    return middle


@bracket.kernel
def slopes_at(
    derivatives: Section, relations: Section, m: Floats, w: Floats, c: Ints, t: Float, here: Floats,
    beside: Float, out: Floats,
) -> None:  # fmt: skip
    """By a difference towards the inside of the bracket."""
    near = w[c[AT_RESIDUALS] + R_BESIDE * c[RELATIONS] :]
    residuals_at(derivatives, relations, m, w, c, t + beside, near)
    for i in range(c[RELATIONS]):
        out[i] = (near[i] - here[i]) / beside


@bracket.kernel
def guess_by_slopes(
    w: Floats, c: Ints, a: Float, b: Float, which: Ints, narrow: Float, side: Int, repeats: Int
) -> Float:
    """The earliest guess of the chosen method. Where the last two fell on one side, go beyond it."""
    r = c[RELATIONS]
    ra = w[c[AT_RESIDUALS] + R_A * r :]
    rb = w[c[AT_RESIDUALS] + R_B * r :]
    sa = w[c[AT_RESIDUALS] + R_SLOPE_A * r :]
    sb = w[c[AT_RESIDUALS] + R_SLOPE_B * r :]
    width = b - a
    share = NONE
    for i in range(r):
        if which[i] == 1:
            x = guess(c[ROOT_SOLVER], ra[i], sa[i] * width, rb[i], sb[i] * width)
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
def guess_by_polynomial(
    derivatives: Section, relations: Section, m: Floats, w: Floats, c: Ints, a: Float, b: Float,
    which: Ints, narrow: Float,
) -> Float:  # fmt: skip
    """The earliest zero of the polynomials through five values in the bracket."""
    r = c[RELATIONS]
    ra = w[c[AT_RESIDUALS] + R_A * r :]
    rb = w[c[AT_RESIDUALS] + R_B * r :]
    quarter = w[c[AT_RESIDUALS] + R_SLOPE_A * r :]
    half = w[c[AT_RESIDUALS] + R_SLOPE_B * r :]
    three = w[c[AT_RESIDUALS] + R_BESIDE * r :]
    p = w[c[AT_CHAIN] :]
    residuals_at(derivatives, relations, m, w, c, a + 0.25 * (b - a), quarter)
    residuals_at(derivatives, relations, m, w, c, a + 0.5 * (b - a), half)
    residuals_at(derivatives, relations, m, w, c, a + 0.75 * (b - a), three)
    share = NONE
    for i in range(r):
        if which[i] == 1:
            coefficients(ra[i], quarter[i], half[i], three[i], rb[i], p)
            x = zero_by_derivatives(p) if c[ROOT_SOLVER] == NORDSIECK else NONE
            if not (x >= 0.0 and x <= 1.0):
                x = zero_of_quartic(p, 0.0, 1.0)
            share = min(share, x)
    return inside(a, b, share, narrow)


@bracket.kernel
def locate(
    derivatives: Section, relations: Section, m: Floats, w: Floats, c: Ints, left: Float,
    right: Float, left_residuals: Floats, right_residuals: Floats,
) -> None:  # fmt: skip
    """Narrow the bracket around the first crossing; AT_WHICH holds those of its right end."""
    r = c[RELATIONS]
    ra = w[c[AT_RESIDUALS] + R_A * r :]
    rb = w[c[AT_RESIDUALS] + R_B * r :]
    sa = w[c[AT_RESIDUALS] + R_SLOPE_A * r :]
    sb = w[c[AT_RESIDUALS] + R_SLOPE_B * r :]
    found = w[c[AT_RESIDUALS] + R_FOUND * r :]
    out = w[c[AT_RESIDUALS] + R_CROSSING * r :]
    which = c[c[AT_WHICH] :]
    goes_through = c[c[AT_WHICH] + r :]
    crossed = c[c[AT_WHICH] + 2 * r :]
    statuses = c[c[AT_STATUS] :]
    bands = w[c[AT_RESIDUALS] + R_BANDS * r :]
    for i in range(r):
        ra[i] = left_residuals[i]
        rb[i] = right_residuals[i]
        out[i] = right_residuals[i]
        goes_through[i] = 1 if rb[i] * m[statuses[i]] < 0.0 else 0
    a = left
    b = right
    narrow = NARROW * EPSILON * max(abs(a), abs(b)) + 1e-300
    kind = c[ROOT_SOLVER]
    by_slopes = 1 if kind >= NEWTON and kind <= HERMITE else 0
    is_section = 1 if kind == GOLDEN else 0
    order = 0
    if kind == FIBONACCI:
        is_section = 1
        order = fibonacci_order((b - a) / narrow)
    halves = 1 if by_slopes == 0 and is_section == 0 else 0
    before = c[EVALUATIONS]
    side = 0
    repeats = 0
    is_slow = 0
    rounds = 0
    if by_slopes == 1:
        slopes_at(derivatives, relations, m, w, c, a, ra, ASIDE * (b - a), sa)
        slopes_at(derivatives, relations, m, w, c, b, rb, -ASIDE * (b - a), sb)
    while b - a > narrow and rounds < MAX_ROUNDS:
        rounds += 1
        width = b - a
        t = a + 0.5 * width
        if is_section == 1:
            share = GOLDEN_SHARE if kind == GOLDEN else fibonacci_share(order)
            t = inside(a, b, share, narrow)
        elif is_slow == 0 and by_slopes == 1 and width > NEARLY * narrow:
            t = guess_by_slopes(w, c, a, b, which, narrow, side, repeats)
        elif is_slow == 0 and rounds == 1 and kind >= DENSE:
            t = guess_by_polynomial(derivatives, relations, m, w, c, a, b, which, narrow)
        elif is_slow == 0:
            t = guess_zero(r, a, ra, b, rb, which, narrow)
        residuals_at(derivatives, relations, m, w, c, t, found)
        count = 0
        for i in range(r):
            crossed[i] = has_left(m[statuses[i]], found[i], bands[i])
            # One that goes through zero has crossed once it is beyond: stopping on an exact zero
            # would make a second event of its leaving.
            if goes_through[i] == 1 and found[i] == 0.0:
                crossed[i] = 0
            count += crossed[i]
        order -= 2 if count > 0 else 1
        if count > 0:
            b = t
            for i in range(r):
                rb[i] = found[i]
                out[i] = found[i]
                which[i] = crossed[i]
                if side == 1 and halves == 1:
                    ra[i] *= 0.5
            repeats = repeats + 1 if side == 1 else 0
            side = 1
            if by_slopes == 1:
                slopes_at(derivatives, relations, m, w, c, b, rb, -ASIDE * (b - a), sb)
        else:
            a = t
            for i in range(r):
                ra[i] = found[i]
                if side == -1 and halves == 1:
                    rb[i] *= 0.5
            repeats = repeats + 1 if side == -1 else 0
            side = -1
            if by_slopes == 1:
                slopes_at(derivatives, relations, m, w, c, a, ra, ASIDE * (b - a), sa)
        is_slow = 1 if b - a > 0.5 * width and (by_slopes == 0 or repeats > 1) else 0
    c[LOCATIONS] += c[EVALUATIONS] - before
    w[CROSSING] = b
