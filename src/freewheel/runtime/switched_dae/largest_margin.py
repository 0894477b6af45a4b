"""The smallest z with g + A z >= margin in every bounded row, the margin being the largest there is.

First the margin: to make the smallest of g + A z as large as it can be, up to a bound, is a linear
programme. Its dual has as many equations as there are unknowns, and a first basis is at hand; the
simplex method with Bland's rule in reserve always ends (Chvatal, Linear Programming, chapters 3, 5).
Rows with a positive multiplier have no room left. Then, from the point so found and never leaving
what is legal, z is made small by an active set (Nocedal, Wright, Numerical Optimization, 16.5).

    g = (3, -1), A = ((1,), (1,)), bound = 0.1      ->   margin 0.1, z = 1.1
    g = (3, -1), A = ((1,), (-1,))                  ->   margin 1, z = -2

If the margin found is negative, nothing is legal.
"""

from __future__ import annotations

from math import sqrt

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.switched_dae.thresholds import PIVOTS
from freewheel.runtime.thresholds import FOREVER

core_legal = KernelModule("core_legal")


@core_legal.kernel
def legal_room(count: Int, q: Int) -> Int:
    """Floats of `work`: a table, its basis, the rows held, their factors, a direction."""
    return (q + 2) * (count + q + 2) + (q + 1) + q + 2 * q * q + q


@core_legal.kernel
def pivot_legal(height: Int, wide: Int, table: Floats, row: Int, column: Int) -> None:
    pivot = table[row * wide + column]
    for j in range(wide):
        table[row * wide + j] /= pivot
    table[row * wide + column] = 1.0
    for i in range(height):
        factor = table[i * wide + column]
        if i != row and factor != 0.0:
            for j in range(wide):
                table[i * wide + j] -= factor * table[row * wide + j]
            table[i * wide + column] = 0.0


@core_legal.kernel
def dual_table(
    count: Int, q: Int, a: Floats, g: Floats, is_bounded: Floats, bound: Float, table: Floats
) -> None:
    """Columns: a multiplier per row, that of the bound, one to read each z from, the right-hand side.
    Rows: A' y = 0, the sum of all is one, the costs g y + bound y0."""
    wide = count + q + 2
    for k in range((q + 2) * wide):
        table[k] = 0.0
    for e in range(count):
        if is_bounded[e] > 0.0:
            for i in range(q):
                table[i * wide + e] = a[e * q + i]
            table[q * wide + e] = 1.0
            table[(q + 1) * wide + e] = g[e]
    for i in range(q):
        table[i * wide + count + 1 + i] = 1.0
    table[q * wide + count] = 1.0
    table[q * wide + wide - 1] = 1.0
    table[(q + 1) * wide + count] = bound


@core_legal.kernel
def first_basis(count: Int, q: Int, is_bounded: Floats, table: Floats, basis: Floats) -> None:
    """The bound's multiplier is one, those of some rows that span all directions are zero."""
    wide = count + q + 2
    pivot_legal(q + 2, wide, table, q, count)
    basis[q] = float(count)
    for i in range(q):
        best = PIVOTS.pivot
        column = -1
        for e in range(count):
            if is_bounded[e] > 0.0 and abs(table[i * wide + e]) > best:
                best = abs(table[i * wide + e])
                column = e
        basis[i] = float(column)
        if column >= 0:  # else no row bounds this direction
            pivot_legal(q + 2, wide, table, i, column)


@core_legal.kernel
def entering_row(count: Int, q: Int, table: Floats, least: Float, is_greedy: Int) -> Int:
    """A row of A that is violated at the present point; -1: none is."""
    costs = table[(q + 1) * (count + q + 2) :]
    found = -1
    for e in range(count + 1):
        if costs[e] < least:
            if is_greedy == 0:
                return e
            found = e
            least = costs[e]
    return found


@core_legal.kernel
def leaving_row(count: Int, q: Int, table: Floats, basis: Floats, column: Int) -> Int:
    wide = count + q + 2
    row = -1
    least = 0.0
    for i in range(q + 1):
        entry = table[i * wide + column]
        if basis[i] >= 0.0 and entry > PIVOTS.pivot:
            ratio = max(table[i * wide + wide - 1], 0.0) / entry
            if row < 0 or ratio < least or (ratio == least and basis[i] < basis[row]):
                row = i
                least = ratio
    return row


@core_legal.kernel
def margin_of(count: Int, q: Int, a: Floats, g: Floats, is_bounded: Floats, z: Floats) -> Float:
    """The smallest of g + A z in the bounded rows."""
    worst = FOREVER
    for e in range(count):
        if is_bounded[e] > 0.0:
            value = g[e]
            for i in range(q):
                value += a[e * q + i] * z[i]
            worst = min(worst, value)
    return worst


@core_legal.kernel
def largest_margin(
    count: Int, q: Int, a: Floats, g: Floats, is_bounded: Floats, bound: Float, z: Floats,
    table: Floats, basis: Floats,
) -> Float:  # fmt: skip
    """The margin and, in z, where it is reached. Of rows in the basis the last column of the table has
    the multipliers."""
    wide = count + q + 2
    dual_table(count, q, a, g, is_bounded, bound, table)
    size = abs(bound)
    for e in range(count):
        if is_bounded[e] > 0.0:
            size = max(size, abs(g[e]))
    first_basis(count, q, is_bounded, table, basis)
    for turn in range(50 * (count + q + 1)):
        greedy = 1 if turn < PIVOTS.greedy_rows * (count + q + 1) else 0
        column = entering_row(count, q, table, -PIVOTS.round_off * size, greedy)
        row = leaving_row(count, q, table, basis, column) if column >= 0 else -1
        if row < 0:
            break
        pivot_legal(q + 2, wide, table, row, column)
        basis[row] = float(column)
    for i in range(q):
        z[i] = table[(q + 1) * wide + count + 1 + i]
    return min(bound, margin_of(count, q, a, g, is_bounded, z))


@core_legal.kernel
def hold_row(q: Int, row: Floats, held: Int, base: Floats, factors: Floats) -> Int:
    """Add a row to the orthonormal base of those that are held; 0: it is spanned by them."""
    new = base[held * q :]
    for i in range(q):
        new[i] = row[i]
    for j in range(held):
        factors[j * q + held] = 0.0
    for _ in range(2):  # the second time makes it perpendicular to the last digit
        for j in range(held):
            part = 0.0
            for i in range(q):
                part += new[i] * base[j * q + i]
            factors[j * q + held] += part
            for i in range(q):
                new[i] -= part * base[j * q + i]
    length = 0.0
    size = 0.0
    for i in range(q):
        length += new[i] * new[i]
        size += row[i] * row[i]
    length = sqrt(length)
    if length <= PIVOTS.pivot * sqrt(size):
        return 0
    for i in range(q):
        new[i] /= length
    factors[held * q + held] = length
    return 1


@core_legal.kernel
def release_row(
    q: Int, a: Floats, fixed: Int, held: Int, rows: Floats, base: Floats, factors: Floats,
    z: Floats, pull: Floats,
) -> Int:  # fmt: skip
    """z is as small as the rows held allow; drop the one that hinders most, never one of the first
    that are `fixed`. How many are held then; as many as before: it is the smallest of all."""
    worst = -1
    size = 0.0
    for j in range(held - 1, -1, -1):
        total = 0.0
        for i in range(q):
            total += base[j * q + i] * z[i]
        for k in range(j + 1, held):
            total -= factors[j * q + k] * pull[k]
        pull[j] = total / factors[j * q + j]
        size = max(size, abs(pull[j]))
        if j >= fixed and (worst < 0 or pull[j] < pull[worst]):
            worst = j
    if worst < 0 or pull[worst] >= -PIVOTS.beside_rest * size:
        return held
    for j in range(worst, held - 1):
        rows[j] = rows[j + 1]
        hold_row(q, a[int(rows[j]) * q :], j, base, factors)
    return held - 1


@core_legal.kernel
def is_among(count: Int, rows: Floats, e: Int) -> Int:
    for j in range(count):
        if int(rows[j]) == e:
            return 1
    return 0


@core_legal.kernel
def make_small(
    count: Int, q: Int, a: Floats, g: Floats, is_bounded: Floats, margin: Float, fixed: Int,
    rows: Floats, base: Floats, factors: Floats, z: Floats, way: Floats,
) -> None:  # fmt: skip
    """The smallest z with g + A z >= margin, from a z that is legal; the first `fixed` rows stay as they
    are. Every point on the way is legal, so it may end anywhere."""
    held = fixed
    for _ in range(4 * (count + q)):
        size = 0.0
        length = 0.0
        for i in range(q):
            way[i] = -z[i]
        for j in range(held):
            part = 0.0
            for i in range(q):
                part += base[j * q + i] * way[i]
            for i in range(q):
                way[i] -= part * base[j * q + i]
        for i in range(q):
            size = max(size, abs(z[i]))
            length = max(length, abs(way[i]))
        if length <= PIVOTS.beside_rest * size:
            left = release_row(q, a, fixed, held, rows, base, factors, z, way)
            if left == held:
                return
            held = left
            continue
        far = 1.0
        wall = -1
        for e in range(count):
            if is_bounded[e] > 0.0 and is_among(held, rows, e) == 0:
                value = g[e] - margin
                slope = 0.0
                for i in range(q):
                    value += a[e * q + i] * z[i]
                    slope += a[e * q + i] * way[i]
                if slope < -PIVOTS.beside_rest * length and max(value, 0.0) < -far * slope:
                    far = max(value, 0.0) / -slope
                    wall = e
        for i in range(q):
            z[i] += far * way[i]
        if wall >= 0:
            if held == q or hold_row(q, a[wall * q :], held, base, factors) == 0:
                return
            rows[held] = float(wall)
            held += 1


@core_legal.kernel
def smallest_legal(
    count: Int, q: Int, a: Floats, g: Floats, is_bounded: Floats, bound: Float, z: Floats,
    work: Floats,
) -> Float:  # fmt: skip
    """The margin; z is where it is reached. `work` is `legal_room` long."""
    for i in range(q):
        z[i] = 0.0
    if margin_of(count, q, a, g, is_bounded, z) >= bound:
        return bound
    wide = count + q + 2
    table = work
    basis = table[(q + 2) * wide :]
    rows = basis[q + 1 :]
    base = rows[q:]
    factors = base[q * q :]
    way = factors[q * q :]
    margin = largest_margin(count, q, a, g, is_bounded, bound, z, table, basis)
    fixed = 0
    for i in range(q + 1):
        e = int(basis[i])
        is_tight = e >= 0 and e < count and table[i * wide + wide - 1] > PIVOTS.pivot and fixed < q
        if is_tight and hold_row(q, a[e * q :], fixed, base, factors) == 1:
            rows[fixed] = float(e)
            fixed += 1
    make_small(count, q, a, g, is_bounded, margin, fixed, rows, base, factors, z, way)
    return margin
