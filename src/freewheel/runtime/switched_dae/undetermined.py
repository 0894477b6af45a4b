"""Unknowns that nothing determines: of all their values the smallest that keep every element legal.

A bridge that blocks floats; its potentials can be anything between the rails. Plain minimum norm, even
of the elements' unknowns alone, puts one of them beyond its corner, and the bridge switches without
end. So the elements' unknowns are made small subject to their guards, with the largest margin there
is room for: then the guards pass through zero exactly when no legal values are left (`core_legal`).

The record holds the open directions: first those that some element sees, as long as the elements of
their part see them, then the rest, which is made small itself.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.switched_dae.largest_margin import core_legal, smallest_legal
from freewheel.runtime.switched_dae.memory import Core, Mode
from freewheel.runtime.switched_dae.scaling import core_sizes, corner_of, is_held
from freewheel.runtime.switched_dae.thresholds import PIVOTS

core_open = KernelModule("core_open", core_sizes, core_legal)


@core_open.kernel
def element_at(core: Core, m: Floats, e: Int, column: Floats, x: Floats) -> Float:
    """Distance of an element from its corner to its own side, in units of its column."""
    s = core.elements[e].unknown
    value = (x[s] - corner_of(core, m, e)) / column[s]
    return value if m[core.elements[e].bit_slot] > 0.5 else -value


@core_open.kernel
def gather_open(
    core: Core,
    mode: Mode,
    m: Floats,
    x: Floats,
    first: Int,
    q: Int,
    a: Floats,
    g: Floats,
    is_bounded: Floats,
) -> Int:
    """How many elements are in the part of the directions; what these do to them, where they are, which
    have a guard that counts."""
    n = core.n
    column = mode.column
    directions = mode.open_rows[first * n :]
    count = 0
    for e in range(core.element_count):
        s = core.elements[e].unknown
        if mode.part[s] != mode.open_part[first]:
            continue
        sign = 1.0 if m[core.elements[e].bit_slot] > 0.5 else -1.0
        largest = 0.0
        for i in range(q):
            a[count * q + i] = sign * directions[i * n + s] / column[s]
            largest = max(largest, abs(a[count * q + i]))
        g[count] = element_at(core, m, e, column, x)
        is_bounded[count] = (
            1.0 if largest > PIVOTS.seen_direction and is_held(core, m, e) == 0 else 0.0
        )
        count += 1
    return count


@core_open.kernel
def choose_seen(core: Core, mode: Mode, m: Floats, x: Floats, first: Int, q: Int) -> None:
    """In one part of the mode, with q open directions from `first` on."""
    n = core.n
    directions = mode.open_rows[first * n :]
    z = core.open_z
    g = core.open_g
    is_bounded = core.open_bounded
    a = core.open_a
    count = gather_open(core, mode, m, x, first, q, a, g, is_bounded)
    for i in range(q):  # the smallest of all: the elements see the directions at right angles
        z[i] = 0.0
        for e in range(count):
            z[i] -= a[e * q + i] * g[e]
    move_open(n, q, directions, z, x)
    size = 0.0
    count = gather_open(core, mode, m, x, first, q, a, g, is_bounded)
    for e in range(count):
        size += abs(g[e])
    if size > 0.0:
        smallest_legal(count, q, a, g, is_bounded, PIVOTS.margin * size, z, core.open_work)
        move_open(n, q, directions, z, x)


@core_open.kernel
def move_open(n: Int, q: Int, directions: Floats, z: Floats, x: Floats) -> None:
    for i in range(q):
        for j in range(n):
            x[j] += z[i] * directions[i * n + j]


@core_open.kernel
def choose_open(core: Core, mode: Mode, m: Floats, x: Floats) -> None:
    n = core.n
    total = mode.open
    directions = mode.open_rows
    column = mode.column
    label = mode.open_part
    first = 0
    while first < total:
        q = 1
        while first + q < total and label[first + q] == label[first]:
            q += 1
        choose_seen(core, mode, m, x, first, q)
        first += q
    for i in range(total, total + mode.unseen):
        part = 0.0
        for j in range(n):
            part += directions[i * n + j] * x[j] / (column[j] * column[j])
        for j in range(n):
            x[j] -= part * directions[i * n + j]
