"""Dense linear algebra that compiled sections call: elimination, and singular but consistent loops.

The same functions run in CPython; they follow `backend.solve`, the reference.
"""

from __future__ import annotations

from math import sqrt

from freewheel.backend.thresholds import LINEAR_LOOP
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints
from freewheel.runtime.thresholds import EPSILON, LARGEST, TINIEST

FINITE = KernelModule("finite")  # alone: most sections need nothing else
LINEAR = KernelModule("linear", FINITE)


@FINITE.kernel
def fw_not_finite(n: Int, x: Floats) -> Int:
    """1 where a number is infinite or none. Zero times anything finite is zero."""
    a = 0.0
    b = 0.0
    c = 0.0
    d = 0.0
    i = 0
    while i + 3 < n:
        a += x[i] * 0.0
        b += x[i + 1] * 0.0
        c += x[i + 2] * 0.0
        d += x[i + 3] * 0.0
        i += 4
    while i < n:
        a += x[i] * 0.0
        i += 1
    total = (a + b) + (c + d)
    if total == 0.0:
        return 0
    return 1


@LINEAR.kernel
def fw_eliminate(n: Int, a: Floats, b: Floats) -> Int:
    """Solves a*x = b into b by elimination with row scaling and pivoting; 1 where a pivot vanishes.

    The matrix lies row by row and is used up.
    """
    for row in range(n):
        scale = 0.0
        for c in range(n):
            entry = abs(a[row * n + c])
            if not (entry <= scale):  # also true for what is no number
                scale = entry
        if not (scale > TINIEST) or scale > LARGEST:
            return 1
        share = 1.0 / scale  # one division, and products from there on
        for c in range(n):
            a[row * n + c] = a[row * n + c] * share
        b[row] = b[row] * share
    for k in range(n):
        best = k
        for r in range(k + 1, n):
            if abs(a[r * n + k]) > abs(a[best * n + k]):
                best = r
        if not (abs(a[best * n + k]) >= LINEAR_LOOP.pivot):
            return 1
        if best != k:
            for c in range(k, n):
                other = a[k * n + c]
                a[k * n + c] = a[best * n + c]
                a[best * n + c] = other
            last = b[k]
            b[k] = b[best]
            b[best] = last
        share = 1.0 / a[k * n + k]
        for r in range(k + 1, n):
            factor = a[r * n + k] * share
            if factor != 0.0:
                for c in range(k + 1, n):
                    a[r * n + c] -= factor * a[k * n + c]
                b[r] -= factor * b[k]
    k = n - 1
    while k >= 0:
        value = b[k]
        for c in range(k + 1, n):
            value -= a[k * n + c] * b[c]
        b[k] = value / a[k * n + k]
        k -= 1
    return fw_not_finite(n, b)


@LINEAR.kernel
def fw_rotate(n: Int, a: Floats, v: Floats, p: Int, q: Int) -> Int:
    """Make columns p and q of `a` orthogonal, turning `v` along; 1 where there was need to."""
    alpha = 0.0
    beta = 0.0
    gamma = 0.0
    for i in range(n):
        alpha += a[i * n + p] * a[i * n + p]
        beta += a[i * n + q] * a[i * n + q]
        gamma += a[i * n + p] * a[i * n + q]
    if abs(gamma) <= 1e-15 * sqrt(alpha * beta) or gamma == 0.0:
        return 0
    zeta = (beta - alpha) / (2.0 * gamma)
    tangent = 1.0 / (abs(zeta) + sqrt(1.0 + zeta * zeta))
    if zeta < 0.0:
        tangent = -tangent
    cosine = 1.0 / sqrt(1.0 + tangent * tangent)
    sine = cosine * tangent
    for i in range(n):
        left = a[i * n + p]
        a[i * n + p] = cosine * left - sine * a[i * n + q]
        a[i * n + q] = sine * left + cosine * a[i * n + q]
        left = v[i * n + p]
        v[i * n + p] = cosine * left - sine * v[i * n + q]
        v[i * n + q] = sine * left + cosine * v[i * n + q]
    return 1


@LINEAR.kernel
def fw_misfit(n: Int, a: Floats, x: Floats, b: Floats, r: Floats) -> Float:
    """r = b - a*x; gives its largest entry."""
    largest = 0.0
    for i in range(n):
        total = b[i]
        for k in range(n):
            total -= a[i * n + k] * x[k]
        r[i] = total
        if not (abs(total) <= largest):
            largest = abs(total)
    return largest


@LINEAR.kernel
def fw_nearest(n: Int, a: Floats, b: Floats, x: Floats, work: Floats) -> Int:
    """The solution of a singular system that is nearest to x; 1 where there is none.

    One-sided Jacobi: the columns of a*v are made orthogonal, their lengths are the singular values
    (Golub and Van Loan, "Matrix Computations", section on Jacobi methods).
    """
    if fw_not_finite(n * n, a) != 0 or fw_not_finite(n, b) != 0 or fw_not_finite(n, x) != 0:
        return 1
    turned = work
    v = work[n * n :]
    r = work[2 * n * n :]
    size = 0.0
    for i in range(n):
        scale = 0.0
        for k in range(n):
            scale = max(scale, abs(a[i * n + k]))
        if scale == 0.0:
            scale = 1.0
        for k in range(n):
            a[i * n + k] = a[i * n + k] / scale
            turned[i * n + k] = a[i * n + k]
            v[i * n + k] = 1.0 if i == k else 0.0
        b[i] = b[i] / scale
        size = max(size, abs(b[i]))
    fw_misfit(n, a, x, b, r)
    for _ in range(LINEAR_LOOP.sweeps):
        turns = 0
        for p in range(n):
            for q in range(p + 1, n):
                turns += fw_rotate(n, turned, v, p, q)
        if turns == 0:
            break
    longest = 0.0
    for k in range(n):
        length = 0.0
        for i in range(n):
            length += turned[i * n + k] * turned[i * n + k]
        longest = max(longest, length)
    for k in range(n):
        length = 0.0
        share = 0.0
        for i in range(n):
            length += turned[i * n + k] * turned[i * n + k]
            share += turned[i * n + k] * r[i]
        if length > LINEAR_LOOP.rank * LINEAR_LOOP.rank * longest and length > 0.0:
            for i in range(n):
                x[i] += v[i * n + k] * share / length
    if fw_misfit(n, a, x, b, r) <= 1e-8 * (1.0 + size):
        return 0
    return 1


@LINEAR.kernel
def fw_linear(n: Int, a: Floats, b: Floats, x: Floats, work: Floats) -> Int:
    """Solves a*x = b; a singular system that is consistent gets the solution nearest to x.

    `work` holds 3*n*n + 2*n numbers, a and b the first of them afterwards. On failure x may have changed.
    """
    for i in range(n * n):
        work[i] = a[i]
    for i in range(n):
        work[n * n + i] = b[i]
    if fw_eliminate(n, a, b) == 0:
        for i in range(n):
            x[i] = b[i]
        return 0
    return fw_nearest(n, work, work[n * n :], x, work[n * n + n :])


@LINEAR.kernel
def fw_column_sizes(n: Int, a: Floats, x: Floats, sizes: Floats) -> Float:
    """Each unknown times the largest entry of its column, rows scaled to one; gives the largest."""
    for j in range(n):
        sizes[j] = 0.0
    for i in range(n):
        scale = 0.0
        for j in range(n):
            scale = max(scale, abs(a[i * n + j]))
        if scale > TINIEST:
            for j in range(n):
                sizes[j] = max(sizes[j], abs(a[i * n + j]) / scale)
    largest = 0.0
    for j in range(n):
        sizes[j] = sizes[j] * abs(x[j])
        largest = max(largest, sizes[j])
    return largest


@LINEAR.kernel
def fw_drop_rounding(
    n: Int, a: Floats, b: Floats, x: Floats, count: Int, places: Ints, work: Floats
) -> Int:
    """Unknowns of a*x = b that are less than their rounding error become zero, of those at `places`; how
    many.

    A step of refinement leaves the error of x[k] at that of all rows, seen through row k of the inverse
    (Skeel 1980, "Iterative refinement implies numerical stability for Gaussian elimination"). A diode
    without voltage and current would turn to and fro by it. `work` holds n*n + 2*n numbers.
    """
    sizes = work[n * n :]
    y = work[n * n + n :]
    largest = fw_column_sizes(n, a, x, sizes)
    dropped = 0
    for p in range(count):
        k = places[p]
        if x[k] != 0.0 and sizes[k] < LINEAR_LOOP.small * largest:
            for i in range(n):
                for j in range(n):
                    work[j * n + i] = a[i * n + j]
                y[i] = 1.0 if i == k else 0.0
            if fw_eliminate(n, work, y) == 0:
                error = 0.0
                refined = x[k]
                for i in range(n):
                    terms = abs(b[i])
                    rest = b[i]
                    for j in range(n):
                        term = a[i * n + j] * x[j]
                        terms += abs(term)
                        rest -= term
                    error += abs(y[i]) * terms
                    refined += y[i] * rest
                if abs(refined) <= LINEAR_LOOP.roundings * n * EPSILON * error:
                    x[k] = 0.0
                    dropped += 1
    return dropped


@LINEAR.kernel
def fw_least_squares(n: Int, a: Floats, b: Floats, work: Floats) -> Int:
    """A step for a singular matrix: nearly least squares, nearly of least length, into b."""
    size = 0.0
    for i in range(n * n):
        size = max(size, abs(a[i]))
    if not (size > 0.0):
        return 1
    for i in range(n):
        for j in range(n):
            total = 0.0
            for k in range(n):
                total += (a[k * n + i] / size) * (a[k * n + j] / size)
            work[i * n + j] = total
        work[i * n + i] += 1e-14 * n
    for i in range(n):
        total = 0.0
        for k in range(n):
            total += (a[k * n + i] / size) * (b[k] / size)
        work[n * n + i] = total
    if fw_eliminate(n, work, work[n * n :]) != 0:
        return 1
    for i in range(n):
        b[i] = work[n * n + i]
    return 0
