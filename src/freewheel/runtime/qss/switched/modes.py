"""Selects the free unknowns in a mode of an implicit core, and expresses all others by them.

    found = choose_unknowns(d, height, n, rows, weights, free)    # rows span the space of y

The values of a mode lie in a space of d dimensions (which moves with time). Its basis is d of the unknowns
themselves, each with its own quantum and name, among those whose rates occur. They are selected by
elimination with the largest pivots, in the units of the mode, so that no dependent unknown is a small
difference of free ones.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints
from freewheel.runtime.qss.switched.memory import CoreGroup
from freewheel.runtime.qss.thresholds import SWITCHED
from freewheel.runtime.switched_dae.memory import Mode

core_modes = KernelModule("qss_core_modes")


@core_modes.kernel
def choose_unknowns(d: Int, height: Int, n: Int, rows: Floats, weights: Floats, free: Ints) -> Int:
    """Reduces the first `d` of the `height` rows to the free unknowns: one in their own column, zero in those
    of the others. The number of free unknowns found."""
    for a in range(d):
        best = SWITCHED.no_pivot
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
        free[a] = column
    return d


@core_modes.kernel
def sort_chosen(d: Int, n: Int, rows: Floats, free: Ints) -> None:
    """Ascending."""
    for a in range(d):
        least = a
        for b in range(a + 1, d):
            if free[b] < free[least]:
                least = b
        if least != a:
            held = free[a]
            free[a] = free[least]
            free[least] = held
            for j in range(n):
                number = rows[a * n + j]
                rows[a * n + j] = rows[least * n + j]
                rows[least * n + j] = number


@core_modes.kernel
def directions_of(n: Int, mode: Mode, column: Floats, rows: Floats) -> Int:
    """Rows that span the values of the mode, in its units; their number."""
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


@core_modes.kernel
def motion_of(group: CoreGroup, d: Int, mode: Mode, column: Floats) -> None:
    """M of a linear mode: derivatives of the rates by the free unknowns."""
    n = group.n
    free = group.free
    room = group.work
    a_matrix = mode.matrices
    to_slope = mode.to_slope
    for b in range(d):
        for i in range(n):
            total = 0.0
            for j in range(n):
                total += a_matrix[i * n + j] * group.dependence[j * n + b]
            room[i] = total
        for a in range(d):
            total = 0.0
            for i in range(n):
                total -= to_slope[i * n + free[a]] * room[i]
            size = abs(total) * mode.tau * column[free[b]] / column[free[a]]
            group.dynamics[a * n + b] = total if not size < SWITCHED.round_off else 0.0


@core_modes.kernel
def largest_share(d: Int, n: Int, rows: Floats, weights: Floats) -> Float:
    """The largest entry of S, in units of the mode, of unknowns that could be free."""
    largest = 0.0
    for a in range(d):
        for j in range(n):
            if weights[j] > 0.0:
                largest = max(largest, abs(rows[a * n + j]))
    return largest


@core_modes.kernel
def describe_mode(group: CoreGroup, number: Int, keeps: Int) -> Int:
    """Free unknowns, S and M of a mode. `keeps`: the same ones as before. 0; 1 where that is impossible or
    badly conditioned."""
    core = group.core
    n = group.n
    mode = core.visited[number].mode
    column = mode.column
    free = group.free
    back = group.free_index
    rows = group.work
    d = mode.states
    height = directions_of(n, mode, column, rows)
    weights = mode.weights
    allowed = group.allowed
    for j in range(n):
        allowed[j] = weights[j]
        if keeps == 1 and back[j] < 0:
            allowed[j] = 0.0
    if keeps == 1 and d != group.state_count:
        return 1
    found = choose_unknowns(d, height, n, rows, allowed, free)
    sort_chosen(found, n, rows, free)
    if found < d or (keeps == 1 and largest_share(d, n, rows, weights) > SWITCHED.large):
        return 1
    group.state_count = d
    group.mode = number
    group.is_linear = mode.is_linear
    group.is_determined = 1 if mode.is_linear == 1 and mode.is_singular == 0 else 0
    group.is_forced = 1 - core.is_timeless
    for j in range(n):
        back[j] = -1
    for a in range(d):
        back[free[a]] = a
        for j in range(n):
            entry = rows[a * n + j]
            if abs(entry) < SWITCHED.round_off:
                entry = 0.0
            group.dependence[j * n + a] = entry * column[j] / column[free[a]]
    if group.is_linear == 1:
        motion_of(group, d, mode, column)
    return 0
