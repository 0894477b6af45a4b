"""Unknowns that nothing determines: of all their values the smallest that keep every element legal.

A bridge that blocks floats; its potentials can be anything between the rails. Plain minimum norm, even
of the elements' unknowns alone, puts one of them beyond its corner, and the bridge switches without
end. So the elements' unknowns are made small subject to their guards, with the largest margin there
is room for: then the guards pass through zero exactly when no legal values are left. A quadratic
programme in as many unknowns as the mode leaves open, by penalties with multipliers (Nocedal, Wright,
Numerical Optimization, section 17.3).

The record holds the open directions: first those that some element sees, then the rest, which is made
small itself.
"""

from __future__ import annotations

from math import inf

from freewheel.machine.addresses import floats_at
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints
from freewheel.runtime.kernels.core_places import (
    BIT,
    BITS,
    COLUMN,
    ELEMENTS,
    FIX_AT,
    HEAD,
    MATRICES,
    OPEN,
    OPEN_PART,
    PART,
    RECORD_HEAD,
    ROLES,
    TABLES,
    UNKNOWN,
    UNSEEN,
    VECTORS,
    N,
)
from freewheel.runtime.kernels.core_sizes import core_sizes, corner_of, is_held

core_open = KernelModule("core_open", core_sizes)

SMALLNESS = 1e-8  # weight of small values beside legal ones
MARGIN = 0.01  # of the elements' unknowns together
MULTIPLIERS = 60
NEWTON = 100


@core_open.kernel
def solve_definite(n: Int, a: Floats, b: Floats) -> None:
    """Of a symmetric positive matrix no pivots are needed."""
    for k in range(n):
        if a[k * n + k] <= 0.0:
            a[k * n + k] = 1.0
            b[k] = 0.0
        for i in range(k + 1, n):
            factor = a[i * n + k] / a[k * n + k]
            for j in range(k, n):
                a[i * n + j] -= factor * a[k * n + j]
            b[i] -= factor * b[k]
    for i in range(n - 1, -1, -1):
        total = b[i]
        for j in range(i + 1, n):
            total -= a[i * n + j] * b[j]
        b[i] = total / a[i * n + i]


@core_open.kernel
def element_at(m: Floats, c: Ints, e: Int, column: Floats, x: Floats) -> Float:
    """Distance of an element from its corner to its own side, in units of its column."""
    k = c[ELEMENTS]
    s = c[TABLES + UNKNOWN * k + e]
    value = (x[s] - corner_of(m, c, e)) / column[s]
    return value if m[c[BITS] + c[TABLES + BIT * k + e]] > 0.5 else -value


@core_open.kernel
def belongs(c: Ints, record: Floats, e: Int, first: Int) -> Int:
    """1: element e is in the part of the mode of this open direction."""
    n = c[N]
    vectors = record[RECORD_HEAD + MATRICES * n * n :]
    s = c[TABLES + UNKNOWN * c[ELEMENTS] + e]
    return 1 if vectors[PART * n + s] == vectors[OPEN_PART * n + first] else 0


@core_open.kernel
def newton_open(
    m: Floats, c: Ints, record: Floats, x: Floats, first: Int, q: Int, numbers: Floats,
    shifts: Floats, hessian: Floats, change: Floats,
) -> Float:  # fmt: skip
    """One Newton step of the penalised problem in the open directions and the margin; the largest move
    of an element. `numbers` are the margin, its bound, the force on it."""
    n = c[N]
    k = c[ELEMENTS]
    size = q + 1
    directions = floats_at(int(record[FIX_AT]))[first * n :]
    column = record[RECORD_HEAD + MATRICES * n * n + COLUMN * n :]
    for i in range(size * size):
        hessian[i] = 0.0
    for i in range(size):
        change[i] = 0.0
    change[q] = numbers[2]
    for e in range(k + 1):
        # the last is the margin itself, below its bound
        s = c[TABLES + UNKNOWN * k + e] if e < k else -1
        sign = 1.0
        g = numbers[1]
        weight = 0.0
        pull = 0.0
        if e < k and belongs(c, record, e, first) == 0:
            continue
        if e < k:
            sign = 1.0 if m[c[BITS] + c[TABLES + BIT * k + e]] > 0.5 else -1.0
            g = element_at(m, c, e, column, x)
            weight = SMALLNESS
            pull = -SMALLNESS * g
        is_active = 0
        if g - numbers[0] < shifts[e] and (e == k or is_held(m, c, e) == 0):
            is_active = 1
            weight += 1.0
            pull += shifts[e] - (g - numbers[0])
            change[q] -= shifts[e] - (g - numbers[0])
            hessian[size * size - 1] += 1.0
        if e < k:
            for i in range(q):
                a = sign * directions[i * n + s] / column[s]
                change[i] += pull * a
                for j in range(q):
                    hessian[i * size + j] += weight * a * sign * directions[j * n + s] / column[s]
                if is_active == 1:
                    hessian[i * size + q] -= a
                    hessian[q * size + i] -= a
    hessian[size * size - 1] += SMALLNESS
    solve_definite(size, hessian, change)
    numbers[0] += change[q]
    largest = abs(change[q])
    for i in range(q):
        for j in range(n):
            x[j] += change[i] * directions[i * n + j]
    for e in range(k):
        s = c[TABLES + UNKNOWN * k + e]
        move = 0.0
        for i in range(q):
            move += change[i] * directions[i * n + s] / column[s]
        largest = max(largest, abs(move))
    return largest


@core_open.kernel
def choose_seen(
    m: Floats, w: Floats, c: Ints, record: Floats, x: Floats, first: Int, q: Int
) -> None:
    """In one part of the mode, with q open directions from `first` on: small values first, then a
    margin as large as there is room for, up to a part of their size."""
    n = c[N]
    k = c[ELEMENTS]
    column = record[RECORD_HEAD + MATRICES * n * n + COLUMN * n :]
    numbers = w[HEAD + VECTORS * n + ROLES * k :]
    shifts = numbers[3:]
    hessian = shifts[k + 1 :]
    change = hessian[(q + 1) * (q + 1) :]
    for e in range(k + 1):
        shifts[e] = -inf
    numbers[0] = 0.0
    numbers[1] = 0.0
    numbers[2] = 0.0
    newton_open(m, c, record, x, first, q, numbers, shifts, hessian, change)
    size = 0.0
    for e in range(k):
        if belongs(c, record, e, first) == 1:
            size += abs(element_at(m, c, e, column, x))
    if size == 0.0:
        return
    numbers[1] = MARGIN * size
    numbers[2] = 10.0 * SMALLNESS * size
    for e in range(k + 1):
        shifts[e] = 0.0
    for _ in range(MULTIPLIERS):
        for _ in range(NEWTON):
            moved = newton_open(m, c, record, x, first, q, numbers, shifts, hessian, change)
            if moved <= 1e-15 * size:
                break
        moved = 0.0
        for e in range(k + 1):
            g = element_at(m, c, e, column, x) if e < k else numbers[1]
            shift = max(0.0, shifts[e] - (g - numbers[0]))
            moved = max(moved, abs(shift - shifts[e]))
            shifts[e] = shift
        if moved <= 1e-14 * size:
            break


@core_open.kernel
def choose_open(m: Floats, w: Floats, c: Ints, record: Floats, x: Floats) -> None:
    n = c[N]
    total = int(record[OPEN])
    directions = floats_at(int(record[FIX_AT]))
    column = record[RECORD_HEAD + MATRICES * n * n + COLUMN * n :]
    label = record[RECORD_HEAD + MATRICES * n * n + OPEN_PART * n :]
    first = 0
    while first < total:
        q = 1
        while first + q < total and label[first + q] == label[first]:
            q += 1
        choose_seen(m, w, c, record, x, first, q)
        first += q
    for i in range(total, total + int(record[UNSEEN])):
        part = 0.0
        for j in range(n):
            part += directions[i * n + j] * x[j] / (column[j] * column[j])
        for j in range(n):
            x[j] -= part * directions[i * n + j]
