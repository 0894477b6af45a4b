"""Complementarity problems w = v + M z with w, z >= 0 and w z = 0, from any basis of pairs (w, z).

    answer = criss_cross(k, M, v, noise, is_swapped)     # SOLVED, NOT_MONOTONE, CYCLES, NO_SOLUTION + pair
    answer = lemke(n, table, basis, z)

The network around ideal elements is passive where M is monotone, that is z'M z >= 0 (symmetric for R, L, C).
Then the criss-cross method ends for every v, ties and zeros included: it looks at signs alone, and no ratio
has to be compared with another (den Hertog, Roos, Terlaky, "The linear complementarity problem, sufficient
matrices and the criss-cross method", 1993). An element whose diagonal entry is zero closes a loop without
resistance, or opens the last connection of a part: it changes sides together with another one. Elsewhere
Lemke's method is taken (Cottle, Pang, Stone, The Linear Complementarity Problem, section 4.4).

Bases are made anew by `invert`, an inverse in place with full pivoting that stops where rows depend on each
other.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints
from freewheel.runtime.switched_dae.thresholds import PIVOTS
from freewheel.runtime.thresholds import FOREVER

core_pairs = KernelModule("core_pairs")

SOLVED, NOT_MONOTONE, CYCLES = 0, 1, 2
NO_SOLUTION = 3  # plus the number of the pair that has none


@core_pairs.kernel
def largest_from(n: Int, a: Floats, k: Int) -> Int:
    """Place of the largest entry of the rows and columns from k on."""
    best = 0.0
    place = k * n + k
    for i in range(k, n):
        for j in range(k, n):
            if abs(a[i * n + j]) > best:
                best = abs(a[i * n + j])
                place = i * n + j
    return place


@core_pairs.kernel
def invert(n: Int, a: Floats, rows: Ints, columns: Ints, least: Float) -> Int:
    """`a` becomes its inverse, in the order of pivots: x[columns[i]] = sum of a[i, j] y[rows[j]]. Gives the
    rank, pivots below `least` being none; rows and columns from there on are not solved for."""
    for i in range(n):
        rows[i] = i
        columns[i] = i
    for k in range(n):
        largest = largest_from(n, a, k)
        row = largest // n
        column = largest % n
        if not abs(a[largest]) >= least:
            return k
        if row != k:
            for j in range(n):
                held = a[k * n + j]
                a[k * n + j] = a[row * n + j]
                a[row * n + j] = held
            place = rows[k]
            rows[k] = rows[row]
            rows[row] = place
        if column != k:
            for i in range(n):
                held = a[i * n + k]
                a[i * n + k] = a[i * n + column]
                a[i * n + column] = held
            place = columns[k]
            columns[k] = columns[column]
            columns[column] = place
        pivot = 1.0 / a[k * n + k]
        a[k * n + k] = 1.0
        for j in range(n):
            a[k * n + j] *= pivot
        for i in range(n):
            factor = a[i * n + k]
            if i != k and factor != 0.0:
                a[i * n + k] = 0.0
                for j in range(n):
                    a[i * n + j] -= factor * a[k * n + j]
    return n


@core_pairs.kernel
def pivot_pair(k: Int, r: Int, c: Int, M: Floats, v: Floats, noise: Floats) -> None:
    """w of row r and z of column c change places."""
    pivot = 1.0 / M[r * k + c]
    M[r * k + c] = -1.0
    for j in range(k):
        M[r * k + j] *= -pivot
    v[r] *= -pivot
    noise[r] *= abs(pivot)
    for i in range(k):
        factor = M[i * k + c]
        if i != r and factor != 0.0:
            M[i * k + c] = 0.0
            for j in range(k):
                before = M[i * k + j]
                after = before + factor * M[r * k + j]
                M[i * k + j] = 0.0 if abs(after) < PIVOTS.cancelled * abs(before) else after
            v[i] += factor * v[r]
            noise[i] += abs(factor) * noise[r]


@core_pairs.kernel
def exchange_pairs(k: Int, e: Int, f: Int, M: Floats, v: Floats, noise: Floats) -> None:
    """Two pairs whose own entries do not allow it change sides together."""
    pivot_pair(k, e, f, M, v, noise)
    pivot_pair(k, f, e, M, v, noise)
    for j in range(k):
        held = M[e * k + j]
        M[e * k + j] = M[f * k + j]
        M[f * k + j] = held
    for i in range(k):
        held = M[i * k + e]
        M[i * k + e] = M[i * k + f]
        M[i * k + f] = held
    value = v[e]
    v[e] = v[f]
    v[f] = value
    value = noise[e]
    noise[e] = noise[f]
    noise[f] = value


@core_pairs.kernel
def violated_pair(k: Int, v: Floats, noise: Floats, is_greedy: Int) -> Int:
    """The first with v < 0, or the one that is so by the most of its noise; -1: none is."""
    found = -1
    worst = -1.0
    for e in range(k):
        if v[e] < -noise[e]:
            if is_greedy == 0:
                return e
            ratio = v[e] / noise[e] if noise[e] > 0.0 else -FOREVER
            if found < 0 or ratio < worst:
                worst = ratio
                found = e
    return found


@core_pairs.kernel
def criss_cross(k: Int, M: Floats, v: Floats, noise: Floats, is_swapped: Ints) -> Int:
    """`is_swapped`: 1 for pairs in which z is to be found and w is zero. A v above -noise is not negative."""
    for e in range(k):
        is_swapped[e] = 0
    for count in range(50 * k + 200):
        greedy = 1 if count < PIVOTS.greedy_pairs * k else 0
        e = violated_pair(k, v, noise, greedy)
        if e < 0:
            return SOLVED
        own = M[e * k + e]
        if own < 0.0:
            return NOT_MONOTONE
        if own > 0.0:
            pivot_pair(k, e, e, M, v, noise)
            is_swapped[e] = 1 - is_swapped[e]
            continue
        other = -1
        for f in range(k):
            if M[e * k + f] > 0.0 and (
                other < 0 or (greedy == 1 and M[e * k + f] > M[e * k + other])
            ):
                other = f
        if other < 0:
            return NO_SOLUTION + e
        if not M[other * k + e] < 0.0:
            return NOT_MONOTONE
        exchange_pairs(k, e, other, M, v, noise)
        is_swapped[e] = 1 - is_swapped[e]
        is_swapped[other] = 1 - is_swapped[other]
    return CYCLES


@core_pairs.kernel
def lemke(n: Int, table: Floats, basis: Ints, z: Floats) -> Int:
    """Solve w = M z + q; `table` holds rows of (1, -M, -1, q). Gives the pivots made, -1: a ray.

    Variables 0..n-1 are w, n..2n-1 are z, 2n is the artificial one.
    """
    wide = 2 * n + 2
    row = 0
    for i in range(n):
        basis[i] = i
        z[i] = 0.0
        if table[i * wide + wide - 1] < table[row * wide + wide - 1]:
            row = i
    if table[row * wide + wide - 1] >= -PIVOTS.negative:
        return 0
    entering = 2 * n
    for count in range(50 * n + 200):
        pivot = table[row * wide + entering]
        for j in range(wide):
            table[row * wide + j] /= pivot
        for i in range(n):
            factor = table[i * wide + entering]
            if i != row and factor != 0.0:
                for j in range(wide):
                    table[i * wide + j] -= factor * table[row * wide + j]
        leaving = basis[row]
        basis[row] = entering
        if leaving == 2 * n:
            for i in range(n):
                if basis[i] >= n and basis[i] < 2 * n:
                    z[basis[i] - n] = table[i * wide + wide - 1]
            return count + 1
        entering = leaving + n if leaving < n else leaving - n
        row = -1
        least = 0.0
        for i in range(n):
            if table[i * wide + entering] > PIVOTS.negative:
                ratio = table[i * wide + wide - 1] / table[i * wide + entering]
                # of equal rows the artificial variable's: it ends the search
                if row < 0 or ratio < least or (ratio == least and basis[i] == 2 * n):
                    row = i
                    least = ratio
        if row < 0:
            return -1
    return -1
