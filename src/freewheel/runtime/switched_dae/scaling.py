"""How large the unknowns are: what is noise beside them, how far an element is from its corner.

Each unknown has a size, grown by what is seen and slowly forgotten: one spike must not hide all later
events. Beside it counts a thousandth of the largest unknown of the same part of the mode, brought to
its own units by the columns' scales: where a current has been zero so far, the voltages around give
what a large one would be. An element's unknown is two things, a current above its corner and a voltage
below, so it has two sizes.
"""

from __future__ import annotations

from math import inf

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.switched_dae.memory import Core, Mode
from freewheel.runtime.switched_dae.thresholds import SIZES
from freewheel.runtime.thresholds import TINIEST

core_sizes = KernelModule("core_sizes")


@core_sizes.kernel
def take_roles(core: Core, m: Floats) -> None:
    """Sizes of the elements' unknowns in the roles the bits give them."""
    for e in range(core.element_count):
        element = core.elements[e]
        s = element.unknown
        is_above = m[element.bit_slot] > 0.5
        core.size[s] = element.size_above if is_above else element.size_below
        core.ever[s] = element.ever_above if is_above else element.ever_below


@core_sizes.kernel
def remember_core(core: Core, m: Floats, x: Floats) -> None:
    """Values before an event have been seen; those of elements belong to roles they may not have."""
    n = core.n
    for i in range(n):
        core.size[i] = max(core.size[i], abs(x[i]))
        core.ever[i] = max(core.ever[i], abs(x[i]))
    take_roles(core, m)


@core_sizes.kernel
def begin_parts(core: Core, mode: Mode) -> None:
    """`parts` from the sizes, in a mode; residuals and values may add to them."""
    n = core.n
    column = mode.column
    part = mode.part
    parts = core.parts
    for i in range(n):
        parts[i] = 0.0
    largest = 0.0
    for i in range(n):
        p = part[i]
        size = max(core.size[i], SIZES.faded * core.ever[i])
        parts[p] = max(parts[p], size / column[i])
        largest = max(largest, parts[p])
    for i in range(n):
        parts[i] = max(parts[i], SIZES.elsewhere * largest)
    roughen(core, mode)


@core_sizes.kernel
def roughen(core: Core, mode: Mode) -> None:
    """`row_size` in a graded mode, the largest term of each row, and `rough`: beside which size an unknown is
    quiet in spite of the rounding of all rows. A leak of 1e-9 makes amperes of nanovolts."""
    n = core.n
    for i in range(n):
        core.rough[i] = 0.0
    if mode.is_graded == 0:
        return
    a = mode.matrices
    to_y = mode.to_y
    for j in range(n):
        largest = 0.0
        for i in range(n):
            largest = max(largest, abs(a[j * n + i]) * core.size[i])
        core.row_size[j] = largest
        for i in range(n):
            core.rough[i] += SIZES.quiet * largest * abs(to_y[j * n + i])
    for i in range(n):
        core.rough[i] += SIZES.calm * core.tick[i]


@core_sizes.kernel
def measure_core(core: Core, mode: Mode, x: Floats) -> None:
    """`floor` and `corner_floor` from `parts` and from x."""
    n = core.n
    column = mode.column
    part = mode.part
    parts = core.parts
    evers = core.ever
    floors = core.floor
    corner_floors = core.corner_floor
    # Neighbours say little across a leak, and nothing where a curve is horizontal.
    is_graded = mode.is_graded
    say_all = 1 if is_graded == 0 and mode.is_linear == 1 else 0
    largest = 0.0
    for i in range(n):
        p = part[i]
        parts[p] = max(parts[p], abs(x[i]) / column[i])
        largest = max(largest, parts[p])
    for i in range(n):
        beside = column[i] * max(SIZES.beside * parts[part[i]], SIZES.elsewhere * largest)
        ever = evers[i]
        floors[i] = max(beside, SIZES.faded * ever)
        if say_all == 0 and ever > (
            0.0 if is_graded == 1 else SIZES.round_off / SIZES.beside * beside
        ):
            beside = min(beside, SIZES.beside * ever)
        corner_floors[i] = max(beside, SIZES.faded * ever)


@core_sizes.kernel
def grow_core(core: Core, mode: Mode, m: Floats, x: Floats, kept: Float) -> None:
    """x has been reached: sizes grow, what they were counts `kept` times."""
    for i in range(core.n):
        core.size[i] = max(kept * core.size[i], abs(x[i]))
        core.ever[i] = max(core.ever[i], abs(x[i]))
    for e in range(core.element_count):
        element = core.elements[e]
        s = element.unknown
        if m[element.bit_slot] > 0.5:
            element.size_above = core.size[s]
            element.ever_above = core.ever[s]
        else:
            element.size_below = core.size[s]
            element.ever_below = core.ever[s]
    begin_parts(core, mode)
    measure_core(core, mode, x)


@core_sizes.kernel
def is_held(core: Core, m: Floats, e: Int) -> Int:
    """1: a gate or latch keeps element e on its side."""
    slot = core.elements[e].held_slot
    if slot < 0:
        return 0
    return 1 if m[slot] != 0.0 else 0


@core_sizes.kernel
def corner_of(core: Core, m: Floats, e: Int) -> Float:
    slot = core.elements[e].place_slot
    if slot < 0:
        return 0.0
    return m[slot]


@core_sizes.kernel
def to_their_sides(core: Core, mode: Mode, m: Floats, x: Floats) -> None:
    """Unknowns of elements that have changed sides begin at the corner: the voltage of a blocking diode
    is not a current it carries, and where F bends, nothing must be linearised there. What is stored
    (a column of dF/dy') stays as it is."""
    n = core.n
    for e in range(core.element_count):
        s = core.elements[e].unknown
        stored = 0.0
        for i in range(n):
            stored = max(stored, abs(mode.matrices[n * n + i * n + s]))
        if stored == 0.0:
            if m[core.elements[e].bit_slot] > 0.5:
                x[s] = max(x[s], corner_of(core, m, e))
            else:
                x[s] = min(x[s], corner_of(core, m, e))


@core_sizes.kernel
def guard_of(core: Core, m: Floats, x: Floats, e: Int) -> Float:
    """How far element e is from its corner, in units of its size; negative: beyond. A held element
    may be anywhere."""
    if is_held(core, m, e) == 1:
        return inf
    element = core.elements[e]
    i = element.unknown
    s = x[i] - corner_of(core, m, e)
    floor = max(core.corner_floor[i], core.rough[i])
    size = max(core.size[i], floor, TINIEST)
    if m[element.bit_slot] < 0.5:
        return -s / size
    return s / size


@core_sizes.kernel
def worst_guard(core: Core, m: Floats, x: Floats) -> Float:
    """The smallest guard, positive: the mode may stay; its element goes to `fired`."""
    worst = inf
    for e in range(core.element_count):
        g = guard_of(core, m, x, e)
        if g < worst:
            worst = g
            core.fired = e
    return worst


@core_sizes.kernel
def mark_violated(core: Core, m: Floats, x: Floats, tolerance: Float) -> None:
    """Elements beyond their guard; the others' noise around zero must not disturb the search."""
    k = core.element_count
    for e in range(k):
        core.elements[e].is_marked = 1 if guard_of(core, m, x, e) < -tolerance else 0


@core_sizes.kernel
def marked_guard(core: Core, m: Floats, x: Floats) -> Float:
    """The smallest guard of the marked elements; its element goes to `fired`."""
    k = core.element_count
    worst = inf
    for e in range(k):
        if core.elements[e].is_marked == 1:
            g = guard_of(core, m, x, e)
            if g < worst:
                worst = g
                core.fired = e
    return worst
