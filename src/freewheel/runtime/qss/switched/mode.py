"""Which unknowns are quantized in a mode of an implicit core, and how all others follow from them.

    found = choose_unknowns(d, height, n, rows, weights, chosen)    # rows: directions in which y may lie

A mode's values lie in a space of d dimensions (and move with time). It is spanned by combinations of
unknowns; d of the unknowns themselves, each with its own quantum and its own name, serve as well. Only
unknowns whose rates occur can be needed: a direction without any of them has nothing that would move it.
They are found by elimination with the largest pivots, in the units of the mode, so that none of the others
depends on a small difference of the chosen ones.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints
from freewheel.runtime.qss.switched.memory import QssGroup
from freewheel.runtime.switched_dae.memory import Mode

modes_of_group = KernelModule("qss_core_modes")

DUST = 1e-13  # in the units of a mode
NOTHING = 1e-9  # a pivot this small is none
LARGE = 4.0  # times a chosen unknown: such a one should have been chosen itself


@modes_of_group.kernel
def choose_unknowns(
    d: Int, height: Int, n: Int, rows: Floats, weights: Floats, chosen: Ints
) -> Int:
    """The first `d` of the `height` rows become those of the chosen unknowns: one at its own place, zero
    at those of the others. How many there are."""
    for a in range(d):
        best = NOTHING
        row = -1
        column = -1
        for i in range(a, height):
            for j in range(n):
                if weights[j] > 0.0 and abs(rows[i * n + j]) > best * 1.000001:
                    best = abs(rows[i * n + j])
                    row = i
                    column = j
        if row < 0:
            return a
        scale = 1.0 / rows[row * n + column]
        for j in range(n):
            held = rows[row * n + j] * scale
            rows[row * n + j] = rows[a * n + j]
            rows[a * n + j] = held
        rows[a * n + column] = 1.0
        for i in range(height):
            factor = rows[i * n + column]
            if i != a and factor != 0.0:
                for j in range(n):
                    rows[i * n + j] -= factor * rows[a * n + j]
                rows[i * n + column] = 0.0
        chosen[a] = column
    return d


@modes_of_group.kernel
def sort_chosen(d: Int, n: Int, rows: Floats, chosen: Ints) -> None:
    """In the order of the unknowns."""
    for a in range(d):
        least = a
        for b in range(a + 1, d):
            if chosen[b] < chosen[least]:
                least = b
        if least != a:
            held = chosen[a]
            chosen[a] = chosen[least]
            chosen[least] = held
            for j in range(n):
                number = rows[a * n + j]
                rows[a * n + j] = rows[least * n + j]
                rows[least * n + j] = number


@modes_of_group.kernel
def directions_of(n: Int, mode: Mode, column: Floats, rows: Floats) -> Int:
    """Rows that span the values of the mode, in its units; how many."""
    d = mode.states
    if mode.is_linear == 1:
        follow = mode.follow
        for a in range(d):
            for j in range(n):
                rows[a * n + j] = follow[a * n + j] / column[j]
        return d
    project = mode.projector
    for i in range(n):
        for j in range(n):
            rows[i * n + j] = project[j * n + i] * column[i] / column[j]
    return n


@modes_of_group.kernel
def motion_of(group: QssGroup, d: Int, mode: Mode, column: Floats) -> None:
    """M of a linear mode: what a chosen unknown, and all that follows it, does to the rates."""
    n = group.n
    chosen = group.chosen
    room = group.room
    a_matrix = mode.matrices
    to_slope = mode.to_slope
    for b in range(d):
        for i in range(n):
            total = 0.0
            for j in range(n):
                total += a_matrix[i * n + j] * group.follow[j * n + b]
            room[i] = total
        for a in range(d):
            total = 0.0
            for i in range(n):
                total -= to_slope[i * n + chosen[a]] * room[i]
            size = abs(total) * mode.tau * column[chosen[b]] / column[chosen[a]]
            group.motion[a * n + b] = total if not size < DUST else 0.0


@modes_of_group.kernel
def largest_share(d: Int, n: Int, rows: Floats, weights: Floats) -> Float:
    """How much of a chosen unknown another one is that could have been chosen, in units of the mode."""
    largest = 0.0
    for a in range(d):
        for j in range(n):
            if weights[j] > 0.0:
                largest = max(largest, abs(rows[a * n + j]))
    return largest


@modes_of_group.kernel
def describe_mode(group: QssGroup, number: Int, keeps: Int) -> Int:
    """The chosen unknowns, S and M of a mode. `keeps`: the same ones as before. 0; 1 where that cannot be,
    or is no good choice any more."""
    core = group.core
    n = group.n
    mode = core.visited[number].mode
    column = mode.column
    chosen = group.chosen
    back = group.place_of
    rows = group.room
    d = mode.states
    height = directions_of(n, mode, column, rows)
    weights = mode.weights
    allowed = group.candidates
    for j in range(n):
        allowed[j] = weights[j]
        if keeps == 1 and back[j] < 0:
            allowed[j] = 0.0
    if keeps == 1 and d != group.state_count:
        return 1
    found = choose_unknowns(d, height, n, rows, allowed, chosen)
    sort_chosen(found, n, rows, chosen)
    if found < d or (keeps == 1 and largest_share(d, n, rows, weights) > LARGE):
        return 1
    group.state_count = d
    group.mode = number
    group.is_linear = mode.is_linear
    group.is_plain = 1 if mode.is_linear == 1 and mode.is_singular == 0 else 0
    group.is_timed = 1 - core.is_timeless
    for j in range(n):
        back[j] = -1
    for a in range(d):
        back[chosen[a]] = a
        for j in range(n):
            entry = rows[a * n + j]
            if abs(entry) < DUST:
                entry = 0.0
            group.follow[j * n + a] = entry * column[j] / column[chosen[a]]
    if group.is_linear == 1:
        motion_of(group, d, mode, column)
    return 0
