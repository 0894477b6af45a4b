"""Large linear loops: sparse elimination, called by compiled sections.

    fw_sparse(n, starts, rows, entries, order, b, x, space, whole, real)     # 0: x holds the solution

The matrix comes column by column. Rows are scaled to one, then factored with pivoting by the kernels
of the integrators, and the solution is checked against the equations. Where it fails the section
hands over to the reference, which knows what to do about singular loops.
"""

from __future__ import annotations

from collections.abc import Iterable

from freewheel.backend.linear_kernels import FINITE, fw_not_finite
from freewheel.backend.thresholds import LINEAR_LOOP
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Floats, Int, Ints
from freewheel.runtime.linear.ordering import minimum_degree
from freewheel.runtime.linear.sparse_lu import (
    sparse_factor,
    sparse_lu,
    sparse_refactor,
    sparse_solve,
)
from freewheel.runtime.thresholds import TINIEST

SPARSE = KernelModule("sparse_loops", FINITE, sparse_lu)

SPACE = 2  # times the fill of the order without pivoting


@SPARSE.kernel
def fw_fits(
    n: Int, starts: Ints, rows: Ints, negative: Floats, b: Floats, x: Floats, rest: Floats,
    sizes: Floats,
) -> Int:  # fmt: skip
    """Whether x solves the scaled equations, and is more than rounding errors. Where all terms of an
    equation vanish but for rounding, the largest terms elsewhere tell how much that may be."""
    given = 0.0
    largest = 0.0
    for i in range(n):
        given = max(given, abs(b[i]))
        rest[i] = b[i]
        sizes[i] = abs(b[i])
    for k in range(n):
        for p in range(starts[k], starts[k + 1]):
            term = negative[p] * x[k]
            rest[rows[p]] += term
            sizes[rows[p]] = max(sizes[rows[p]], abs(term))
            largest = max(largest, abs(term))
            if abs(term) > LINEAR_LOOP.most_growth * given:
                return 0
    for i in range(n):
        if not (abs(rest[i]) <= LINEAR_LOOP.misfit * sizes[i] + LINEAR_LOOP.rounding * largest):
            return 0
    return 1


@SPARSE.kernel
def fw_sparse(
    n: Int, starts: Ints, rows: Ints, entries: Floats, order: Ints, b: Floats, x: Floats,
    space: Int, whole: Ints, real: Floats,
) -> Int:  # fmt: skip
    """Solves into x; 1 where the matrix is singular, or the factors do not fit. `whole` and `real`
    are kept from call to call: pivots are chosen once, as long as they are good."""
    scale = real
    work = real[n:]
    rest = real[2 * n :]
    right = real[3 * n :]
    negative = real[4 * n :]
    lx = real[4 * n + starts[n] :]
    ux = real[4 * n + starts[n] + space :]
    inverse = whole[1:]
    lp = whole[n + 1 :]
    up = whole[2 * n + 2 :]
    scratch = whole[3 * n + 3 :]
    li = whole[7 * n + 3 :]
    ui = whole[7 * n + 3 + space :]
    if fw_not_finite(starts[n], entries) != 0 or fw_not_finite(n, b) != 0:
        return 1
    for i in range(n):
        scale[i] = 0.0
    for p in range(starts[n]):
        scale[rows[p]] = max(scale[rows[p]], abs(entries[p]))
    for i in range(n):
        if scale[i] <= TINIEST:
            return 1
        scale[i] = 1.0 / scale[i]
        right[i] = b[i] * scale[i]
    for p in range(starts[n]):
        negative[p] = -entries[p] * scale[rows[p]]  # what is factored is -J
    if whole[0] == 1:
        status = sparse_refactor(
            n, starts, rows, negative, 0.0, order, inverse, lp, li, lx, up, ui, ux, work
        )
        if status == 0:
            for i in range(n):
                x[i] = right[i]
            sparse_solve(n, order, inverse, lp, li, lx, up, ui, ux, x, work)
            if fw_fits(n, starts, rows, negative, right, x, rest, work) == 1:
                return 0
    whole[0] = 0
    status = sparse_factor(
        n, starts, rows, negative, 0.0, order, inverse, lp, li, lx, up, ui, ux, space, work, scratch
    )
    if status != 0:
        return 1
    for i in range(n):
        x[i] = right[i]
    sparse_solve(n, order, inverse, lp, li, lx, up, ui, ux, x, work)
    if fw_fits(n, starts, rows, negative, right, x, rest, work) == 0:
        return 1
    whole[0] = 1
    return 0


def plan(n: int, places: Iterable[tuple[int, int]]) -> tuple[list[int], list[int], list[int], int]:
    """(starts, rows, order, space) of a matrix with entries in these rows and columns, given column
    by column."""
    columns: list[list[int]] = [[] for _ in range(n)]
    for row, column in places:
        columns[column].append(row)
    starts = [0]
    for found in columns:
        starts.append(starts[-1] + len(found))
    rows = [row for found in columns for row in found]
    order, fill = minimum_degree(n, starts, rows)
    return starts, rows, order, SPACE * fill + 2 * n


def integer_space(n: int, space: int) -> int:
    return 7 * n + 3 + 2 * space


def real_space(n: int, count: int, space: int) -> int:
    return 4 * n + count + 2 * space
