"""Sparse LU of `shift * unit matrix - J`, J by columns. Gilbert, Peierls 1988; as in Davis, Direct
Methods for Sparse Linear Systems, chapter 6.

    sparse_factor(...)      # chooses pivots, finds the pattern of L and U
    sparse_refactor(...)    # the same pivots and pattern, other numbers: several times faster
    sparse_solve(...)

Columns are taken in a given order (see `runtime/linear/ordering.py`); rows are permuted by the pivots, with
the diagonal preferred unless it is less than a tenth of the largest element. L has a unit diagonal as
the first element of each column, U its pivot as the last one.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints
from freewheel.runtime.linear.thresholds import LINEAR

sparse_lu = KernelModule("sparse_lu")


@sparse_lu.kernel
def reach(
    n: Int, k: Int, column: Int, starts: Ints, rows: Ints, inverse: Ints, lp: Ints, li: Ints,
    scratch: Ints,
) -> Int:  # fmt: skip
    """Rows that column `k` of the factors may touch, in an order in which they can be eliminated:
    `scratch[top:n]`. A depth-first search with its own stack."""
    order = scratch[0:]
    stack = scratch[n:]
    place = scratch[2 * n :]
    mark = scratch[3 * n :]
    top = n
    for p in range(starts[column], starts[column + 1]):
        if mark[rows[p]] == k:
            continue
        head = 0
        stack[0] = rows[p]
        while head >= 0:
            row = stack[head]
            pivot = inverse[row]
            if mark[row] != k:
                mark[row] = k
                place[head] = 0
                if pivot >= 0:
                    place[head] = lp[pivot] + 1
            is_done = 1
            if pivot >= 0:
                for q in range(place[head], lp[pivot + 1]):
                    if mark[li[q]] != k:
                        place[head] = q + 1
                        head += 1
                        stack[head] = li[q]
                        is_done = 0
                        break
            if is_done == 1:
                head -= 1
                top -= 1
                order[top] = row
    return top


@sparse_lu.kernel
def sparse_factor(
    n: Int, starts: Ints, rows: Ints, j: Floats, shift: Float, order: Ints, inverse: Ints,
    lp: Ints, li: Ints, lx: Floats, up: Ints, ui: Ints, ux: Floats, space: Int, x: Floats,
    scratch: Ints,
) -> Int:  # fmt: skip
    """0; or k + 1 where column k has no pivot; or -1 where `space` is too small."""
    touched = scratch[0:]
    mark = scratch[3 * n :]
    l_count = 0
    u_count = 0
    for i in range(n):
        inverse[i] = -1
        x[i] = 0.0
        mark[i] = -1
    for k in range(n):
        lp[k] = l_count
        up[k] = u_count
        if l_count + n > space or u_count + n > space:
            return -1
        column = order[k]
        top = reach(n, k, column, starts, rows, inverse, lp, li, scratch)
        for p in range(top, n):
            x[touched[p]] = 0.0
        for p in range(starts[column], starts[column + 1]):
            x[rows[p]] = -j[p]
        x[column] += shift
        for p in range(top, n):
            pivot = inverse[touched[p]]
            if pivot >= 0:
                value = x[touched[p]]
                for q in range(lp[pivot] + 1, lp[pivot + 1]):
                    x[li[q]] -= lx[q] * value
        best = -1
        largest = 0.0
        for p in range(top, n):
            row = touched[p]
            if inverse[row] >= 0:
                ui[u_count] = inverse[row]
                ux[u_count] = x[row]
                u_count += 1
            elif abs(x[row]) > largest:
                largest = abs(x[row])
                best = row
        if best < 0:
            return k + 1
        is_free = inverse[column] < 0 and mark[column] == k
        if is_free and abs(x[column]) >= LINEAR.prefer_diagonal * largest:
            best = column
        ui[u_count] = k
        ux[u_count] = x[best]
        u_count += 1
        inverse[best] = k
        li[l_count] = best
        lx[l_count] = 1.0
        l_count += 1
        for p in range(top, n):
            row = touched[p]
            if inverse[row] < 0:
                li[l_count] = row
                lx[l_count] = x[row] / x[best]
                l_count += 1
        lp[k + 1] = l_count
        up[k + 1] = u_count
    for p in range(l_count):
        li[p] = inverse[li[p]]
    sort_columns(n, up, ui, ux)
    return 0


@sparse_lu.kernel
def sort_columns(n: Int, up: Ints, ui: Ints, ux: Floats) -> None:
    """Refactoring eliminates in rising order; the pivot stays last. Columns are short."""
    for k in range(n):
        for a in range(up[k] + 1, up[k + 1] - 1):
            row = ui[a]
            value = ux[a]
            b = a - 1
            while b >= up[k] and ui[b] > row:
                ui[b + 1] = ui[b]
                ux[b + 1] = ux[b]
                b -= 1
            ui[b + 1] = row
            ux[b + 1] = value


@sparse_lu.kernel
def sparse_refactor(
    n: Int, starts: Ints, rows: Ints, j: Floats, shift: Float, order: Ints, inverse: Ints,
    lp: Ints, li: Ints, lx: Floats, up: Ints, ui: Ints, ux: Floats, x: Floats,
) -> Int:  # fmt: skip
    """0; or k + 1 where the pivot of column k has become too small."""
    for i in range(n):
        x[i] = 0.0
    for k in range(n):
        column = order[k]
        for p in range(starts[column], starts[column + 1]):
            x[inverse[rows[p]]] = -j[p]
        x[inverse[column]] += shift
        last = up[k + 1] - 1
        for p in range(up[k], last):
            row = ui[p]
            value = x[row]
            ux[p] = value
            x[row] = 0.0
            for q in range(lp[row] + 1, lp[row + 1]):
                x[li[q]] -= lx[q] * value
        pivot = x[k]
        x[k] = 0.0
        ux[last] = pivot
        largest = 0.0
        for p in range(lp[k] + 1, lp[k + 1]):
            largest = max(largest, abs(x[li[p]]))
        if not abs(pivot) > LINEAR.weak_pivot * largest:
            return k + 1
        for p in range(lp[k] + 1, lp[k + 1]):
            lx[p] = x[li[p]] / pivot
            x[li[p]] = 0.0
    return 0


@sparse_lu.kernel
def sparse_refactor_complex(
    n: Int, starts: Ints, rows: Ints, j: Floats, shift_r: Float, shift_i: Float, order: Ints,
    inverse: Ints, lp: Ints, li: Ints, lr: Floats, lm: Floats, up: Ints, ui: Ints, ur: Floats,
    um: Floats, x: Floats, z: Floats,
) -> Int:  # fmt: skip
    """With a complex shift; pivots and pattern are those of the real matrix."""
    for i in range(n):
        x[i] = 0.0
        z[i] = 0.0
    for k in range(n):
        column = order[k]
        for p in range(starts[column], starts[column + 1]):
            x[inverse[rows[p]]] = -j[p]
        x[inverse[column]] += shift_r
        z[inverse[column]] += shift_i
        last = up[k + 1] - 1
        for p in range(up[k], last):
            row = ui[p]
            value_r = x[row]
            value_i = z[row]
            ur[p] = value_r
            um[p] = value_i
            x[row] = 0.0
            z[row] = 0.0
            for q in range(lp[row] + 1, lp[row + 1]):
                x[li[q]] -= lr[q] * value_r - lm[q] * value_i
                z[li[q]] -= lr[q] * value_i + lm[q] * value_r
        pivot_r = x[k]
        pivot_i = z[k]
        x[k] = 0.0
        z[k] = 0.0
        ur[last] = pivot_r
        um[last] = pivot_i
        square = pivot_r * pivot_r + pivot_i * pivot_i
        if not square > 0.0:
            return k + 1
        for p in range(lp[k] + 1, lp[k + 1]):
            row = li[p]
            lr[p] = (x[row] * pivot_r + z[row] * pivot_i) / square
            lm[p] = (z[row] * pivot_r - x[row] * pivot_i) / square
            x[row] = 0.0
            z[row] = 0.0
    return 0


@sparse_lu.kernel
def sparse_solve(
    n: Int, order: Ints, inverse: Ints, lp: Ints, li: Ints, lx: Floats, up: Ints, ui: Ints,
    ux: Floats, b: Floats, x: Floats,
) -> None:  # fmt: skip
    """b becomes the solution; x is scratch."""
    for i in range(n):
        x[inverse[i]] = b[i]
    for k in range(n):
        value = x[k]
        if value != 0.0:
            for p in range(lp[k] + 1, lp[k + 1]):
                x[li[p]] -= lx[p] * value
    for k in range(n - 1, -1, -1):
        last = up[k + 1] - 1
        value = x[k] / ux[last]
        x[k] = value
        if value != 0.0:
            for p in range(up[k], last):
                x[ui[p]] -= ux[p] * value
    for k in range(n):
        b[order[k]] = x[k]


@sparse_lu.kernel
def sparse_solve_complex(
    n: Int, order: Ints, inverse: Ints, lp: Ints, li: Ints, lr: Floats, lm: Floats, up: Ints,
    ui: Ints, ur: Floats, um: Floats, b: Floats, d: Floats, x: Floats, z: Floats,
) -> None:  # fmt: skip
    """b + i d becomes the solution."""
    for i in range(n):
        x[inverse[i]] = b[i]
        z[inverse[i]] = d[i]
    for k in range(n):
        value_r = x[k]
        value_i = z[k]
        for p in range(lp[k] + 1, lp[k + 1]):
            x[li[p]] -= lr[p] * value_r - lm[p] * value_i
            z[li[p]] -= lr[p] * value_i + lm[p] * value_r
    for k in range(n - 1, -1, -1):
        last = up[k + 1] - 1
        square = ur[last] * ur[last] + um[last] * um[last]
        value_r = (x[k] * ur[last] + z[k] * um[last]) / square
        value_i = (z[k] * ur[last] - x[k] * um[last]) / square
        x[k] = value_r
        z[k] = value_i
        for p in range(up[k], last):
            x[ui[p]] -= ur[p] * value_r - um[p] * value_i
            z[ui[p]] -= ur[p] * value_i + um[p] * value_r
    for k in range(n):
        b[order[k]] = x[k]
        d[order[k]] = z[k]
