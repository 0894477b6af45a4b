"""How large the unknowns are: what is noise beside them, how far an element is from its corner.

Each unknown has a size, grown by what is seen and slowly forgotten: one spike must not hide all later
events. Beside it counts a thousandth of the largest unknown of the same part of the mode, brought to
its own units by the columns' scales: where a current has been zero so far, the voltages around tell
what a large one would be. An element's unknown is two things, a current above its corner and a voltage
below, so it has two sizes.
"""

from __future__ import annotations

from math import inf

from freewheel.machine.addresses import floats_at
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints
from freewheel.runtime.kernels.core_places import (
    A_AT,
    BIT,
    BITS,
    COLUMN,
    CORNER_FLOOR,
    E_AT,
    ELEMENTS,
    EVER,
    FIRED,
    FLOOR,
    HEAD,
    HELD,
    IS_GRADED,
    IS_LINEAR,
    MARK,
    MATRICES,
    PART,
    PARTS,
    PLACE,
    RECORD_HEAD,
    ROLES,
    ROUGH,
    ROW_SIZE,
    SIZE,
    TABLES,
    TICK,
    TO_Y_AT,
    UNKNOWN,
    VECTORS,
    N,
)

core_sizes = KernelModule("core_sizes")

BESIDE = 1e-3  # of the largest in its part: less is not told from zero more finely
ELSEWHERE = 1e-6  # of the largest in all parts: rounding travels from mode to mode
FADED = 1e-6  # of the largest ever: what has decayed below is at rest
QUIET = 5e-7  # some units of rounding over the smallest guard that counts
CALM = 1e9  # the same of noise as such
KEPT = 0.8  # of a size per step
DUST = 1e-10  # of the largest in its part: what never was more is rounding


@core_sizes.kernel
def take_roles(m: Floats, w: Floats, c: Ints) -> None:
    """Sizes of the elements' unknowns in the roles the bits give them."""
    n = c[N]
    k = c[ELEMENTS]
    roles = w[HEAD + VECTORS * n :]
    for e in range(k):
        s = c[TABLES + UNKNOWN * k + e]
        above = 1 if m[c[BITS] + c[TABLES + BIT * k + e]] > 0.5 else 0
        w[HEAD + SIZE * n + s] = roles[ROLES * e + above]
        w[HEAD + EVER * n + s] = roles[ROLES * e + 2 + above]


@core_sizes.kernel
def remember_core(m: Floats, w: Floats, c: Ints, x: Floats) -> None:
    """Values before an event have been seen; those of elements belong to roles they may not have."""
    n = c[N]
    for i in range(n):
        w[HEAD + SIZE * n + i] = max(w[HEAD + SIZE * n + i], abs(x[i]))
        w[HEAD + EVER * n + i] = max(w[HEAD + EVER * n + i], abs(x[i]))
    take_roles(m, w, c)


@core_sizes.kernel
def begin_parts(w: Floats, c: Ints, record: Floats) -> None:
    """PARTS from the sizes, in the mode of the record; residuals and values may add to them."""
    n = c[N]
    column = record[RECORD_HEAD + MATRICES * n * n + COLUMN * n :]
    part = record[RECORD_HEAD + MATRICES * n * n + PART * n :]
    parts = w[HEAD + PARTS * n :]
    for i in range(n):
        parts[i] = 0.0
    largest = 0.0
    for i in range(n):
        p = int(part[i])
        size = max(w[HEAD + SIZE * n + i], FADED * w[HEAD + EVER * n + i])
        parts[p] = max(parts[p], size / column[i])
        largest = max(largest, parts[p])
    for i in range(n):
        parts[i] = max(parts[i], ELSEWHERE * largest)
    roughen(w, c, record)


@core_sizes.kernel
def roughen(w: Floats, c: Ints, record: Floats) -> None:
    """ROW_SIZE in a graded mode, the largest term of each row, and ROUGH: beside which size an unknown is
    quiet in spite of the rounding of all rows. A leak of 1e-9 makes amperes of nanovolts."""
    n = c[N]
    for i in range(n):
        w[HEAD + ROUGH * n + i] = 0.0
    if record[IS_GRADED] == 0.0:
        return
    a = record[RECORD_HEAD + A_AT * n * n :]
    to_y = floats_at(int(record[TO_Y_AT]))
    for j in range(n):
        largest = 0.0
        for i in range(n):
            largest = max(largest, abs(a[j * n + i]) * w[HEAD + SIZE * n + i])
        w[HEAD + ROW_SIZE * n + j] = largest
        for i in range(n):
            w[HEAD + ROUGH * n + i] += QUIET * largest * abs(to_y[j * n + i])
    for i in range(n):
        w[HEAD + ROUGH * n + i] += CALM * w[HEAD + TICK * n + i]


@core_sizes.kernel
def measure_core(w: Floats, c: Ints, record: Floats, x: Floats) -> None:
    """FLOOR from PARTS and from x."""
    n = c[N]
    column = record[RECORD_HEAD + MATRICES * n * n + COLUMN * n :]
    part = record[RECORD_HEAD + MATRICES * n * n + PART * n :]
    parts = w[HEAD + PARTS * n :]
    evers = w[HEAD + EVER * n :]
    floors = w[HEAD + FLOOR * n :]
    corner_floors = w[HEAD + CORNER_FLOOR * n :]
    # Neighbours say little across a leak, and nothing where a curve is horizontal.
    is_graded = 1 if record[IS_GRADED] > 0.0 else 0
    say_all = 1 if is_graded == 0 and record[IS_LINEAR] != 0.0 else 0
    largest = 0.0
    for i in range(n):
        p = int(part[i])
        parts[p] = max(parts[p], abs(x[i]) / column[i])
        largest = max(largest, parts[p])
    for i in range(n):
        beside = column[i] * max(BESIDE * parts[int(part[i])], ELSEWHERE * largest)
        ever = evers[i]
        floors[i] = max(beside, FADED * ever)
        if say_all == 0 and ever > (0.0 if is_graded == 1 else DUST / BESIDE * beside):
            beside = min(beside, BESIDE * ever)
        corner_floors[i] = max(beside, FADED * ever)


@core_sizes.kernel
def grow_core(m: Floats, w: Floats, c: Ints, record: Floats, x: Floats, kept: Float) -> None:
    """x has been reached: sizes grow, what they were counts `kept` times."""
    n = c[N]
    k = c[ELEMENTS]
    for i in range(n):
        w[HEAD + SIZE * n + i] = max(kept * w[HEAD + SIZE * n + i], abs(x[i]))
        w[HEAD + EVER * n + i] = max(w[HEAD + EVER * n + i], abs(x[i]))
    roles = w[HEAD + VECTORS * n :]
    for e in range(k):
        s = c[TABLES + UNKNOWN * k + e]
        above = 1 if m[c[BITS] + c[TABLES + BIT * k + e]] > 0.5 else 0
        roles[ROLES * e + above] = w[HEAD + SIZE * n + s]
        roles[ROLES * e + 2 + above] = w[HEAD + EVER * n + s]
    begin_parts(w, c, record)
    measure_core(w, c, record, x)


@core_sizes.kernel
def is_held(m: Floats, c: Ints, e: Int) -> Int:
    """1: a gate or latch keeps element e on its side."""
    slot = c[TABLES + HELD * c[ELEMENTS] + e]
    if slot < 0:
        return 0
    return 1 if m[slot] != 0.0 else 0


@core_sizes.kernel
def corner_of(m: Floats, c: Ints, e: Int) -> Float:
    slot = c[TABLES + PLACE * c[ELEMENTS] + e]
    if slot < 0:
        return 0.0
    return m[slot]


@core_sizes.kernel
def to_their_sides(m: Floats, c: Ints, record: Floats, x: Floats) -> None:
    """Unknowns of elements that have changed sides begin at the corner: the voltage of a blocking diode
    is not a current it carries, and where F bends, nothing must be linearised there. What is stored
    (a column of dF/dy') stays as it is."""
    n = c[N]
    k = c[ELEMENTS]
    for e in range(k):
        s = c[TABLES + UNKNOWN * k + e]
        stored = 0.0
        for i in range(n):
            stored = max(stored, abs(record[RECORD_HEAD + E_AT * n * n + i * n + s]))
        if stored == 0.0:
            if m[c[BITS] + c[TABLES + BIT * k + e]] > 0.5:
                x[s] = max(x[s], corner_of(m, c, e))
            else:
                x[s] = min(x[s], corner_of(m, c, e))


@core_sizes.kernel
def guard_of(m: Floats, w: Floats, c: Ints, x: Floats, e: Int) -> Float:
    """How far element e is from its corner, in units of its size; negative: beyond. A held element
    may be anywhere."""
    n = c[N]
    k = c[ELEMENTS]
    if is_held(m, c, e) == 1:
        return inf
    i = c[TABLES + UNKNOWN * k + e]
    s = x[i] - corner_of(m, c, e)
    floor = max(w[HEAD + CORNER_FLOOR * n + i], w[HEAD + ROUGH * n + i])
    size = max(w[HEAD + SIZE * n + i], floor, 1e-300)
    if m[c[BITS] + c[TABLES + BIT * k + e]] < 0.5:
        return -s / size
    return s / size


@core_sizes.kernel
def worst_guard(m: Floats, w: Floats, c: Ints, x: Floats) -> Float:
    """The smallest guard, positive: the mode may stay; its element goes to FIRED."""
    worst = inf
    for e in range(c[ELEMENTS]):
        g = guard_of(m, w, c, x, e)
        if g < worst:
            worst = g
            c[FIRED] = e
    return worst


@core_sizes.kernel
def mark_violated(m: Floats, w: Floats, c: Ints, x: Floats, tolerance: Float) -> None:
    """Elements beyond their guard; the others' noise around zero must not disturb the search."""
    k = c[ELEMENTS]
    for e in range(k):
        c[TABLES + MARK * k + e] = 1 if guard_of(m, w, c, x, e) < -tolerance else 0


@core_sizes.kernel
def marked_guard(m: Floats, w: Floats, c: Ints, x: Floats) -> Float:
    """The smallest guard of the marked elements; its element goes to FIRED."""
    k = c[ELEMENTS]
    worst = inf
    for e in range(k):
        if c[TABLES + MARK * k + e] == 1:
            g = guard_of(m, w, c, x, e)
            if g < worst:
                worst = g
                c[FIRED] = e
    return worst
