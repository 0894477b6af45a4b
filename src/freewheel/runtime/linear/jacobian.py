"""The Jacobian, and linear systems with `shift - J`, dense or sparse as `c[SPARSE]` says.

compute_jacobian(derivatives, jacobian, m, w, c, t)    # at Y, F
factor_real(w, c, shift)
solve_real(w, c, b)
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.linear.dense_lu import (
    dense_lu,
    lu_factor,
    lu_factor_complex,
    lu_solve,
    lu_solve_complex,
)
from freewheel.runtime.linear.sparse_lu import (
    sparse_factor,
    sparse_lu,
    sparse_refactor,
    sparse_refactor_complex,
    sparse_solve,
    sparse_solve_complex,
)
from freewheel.runtime.linear.thresholds import LINEAR
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.loop.point import is_finite, point, rhs

matrix = KernelModule("matrix", point, dense_lu, sparse_lu)


@matrix.kernel
def compute_jacobian(loop: Loop, t: Float) -> Int:
    """df/dy at (t, Y) where the slope is F; 1: a number is not finite or a point not computable."""
    loop.jacobians += 1
    if loop.is_analytic == 1 and analytic_jacobian(loop, t) == 0:
        return 0  # it may fail where a slope is infinite: a difference is finite even there
    return difference_jacobian(loop, t)


@matrix.kernel
def analytic_jacobian(loop: Loop, t: Float) -> Int:
    m = loop.memory
    if rhs(loop, t, loop.y, loop.stage_slopes) != 0:
        return 1
    values = loop.model_jacobian
    if loop.jacobian_section(m, values) != 0:
        return 1
    out = loop.jacobian
    places = loop.jacobian_map
    for p in range(loop.nonzeros):
        out[p] = 0.0
    for p in range(loop.model_nonzeros):
        out[places[p]] = values[p]
    return 1 - is_finite(loop.nonzeros, out)


@matrix.kernel
def difference_jacobian(loop: Loop, t: Float) -> Int:
    """Columns that share no row are moved together (Curtis, Powell and Reid), in the direction of
    motion, as far as rounding asks for and the tolerance permits."""
    n = loop.n
    y = loop.y
    f = loop.f
    x = loop.trial
    moved = loop.stage_slopes
    atol = loop.atol
    out = loop.jacobian
    group_starts = loop.group_starts
    columns = loop.group_columns
    starts = loop.column_starts
    rows = loop.row_numbers
    for i in range(n):
        x[i] = y[i]
    for g in range(loop.groups):
        side = 1.0
        while True:
            for q in range(group_starts[g], group_starts[g + 1]):
                column = columns[q]
                size = side * LINEAR.half_digits * max(abs(y[column]), atol[column] / loop.rtol)
                x[column] = y[column] - size if f[column] < 0.0 else y[column] + size
            status = rhs(loop, t, x, moved)
            if status == 0 and is_finite(n, moved) == 1:
                break
            if side < 0.0:
                return 1
            side = -1.0  # at the border of a domain there is only one way to go
        for q in range(group_starts[g], group_starts[g + 1]):
            column = columns[q]
            step = x[column] - y[column]  # what was really added, after rounding
            for p in range(starts[column], starts[column + 1]):
                out[p] = (moved[rows[p]] - f[rows[p]]) / step
            x[column] = y[column]
    return 1 - is_finite(loop.nonzeros, out)


@matrix.kernel
def fill_dense(loop: Loop, shift: Float, out: Floats) -> None:
    n = loop.n
    starts = loop.column_starts
    rows = loop.row_numbers
    values = loop.jacobian
    for i in range(n * n):
        out[i] = 0.0
    for column in range(n):
        for p in range(starts[column], starts[column + 1]):
            out[rows[p] * n + column] = -values[p]
    for i in range(n):
        out[i * n + i] += shift


@matrix.kernel
def factor_real(loop: Loop, shift: Float) -> Int:
    """0 if `shift - J` could be factored; where space was lacking, `failed_section` becomes -1."""
    n = loop.n
    loop.factorisations += 1
    if loop.is_sparse == 0:
        fill_dense(loop, shift, loop.dense_factors)
        return lu_factor(n, loop.dense_factors, loop.pivots)
    if loop.have_symbolic == 1:
        status = sparse_refactor(
            n, loop.column_starts, loop.row_numbers, loop.jacobian, shift, loop.column_order,
            loop.pivot_of_row, loop.l_starts, loop.l_rows, loop.l_values,
            loop.u_starts, loop.u_rows, loop.u_values, loop.sparse_scratch,
        )  # fmt: skip
        if status == 0:
            return 0
    loop.have_symbolic = 0
    status = sparse_factor(
        n, loop.column_starts, loop.row_numbers, loop.jacobian, shift, loop.column_order,
        loop.pivot_of_row, loop.l_starts, loop.l_rows, loop.l_values,
        loop.u_starts, loop.u_rows, loop.u_values, loop.lu_space, loop.sparse_scratch,
        loop.integer_scratch,
    )  # fmt: skip
    if status == 0:
        loop.have_symbolic = 1
    if status == -1:
        loop.failed_section = -1
    return status


@matrix.kernel
def solve_real(loop: Loop, b: Floats) -> None:
    n = loop.n
    if loop.is_sparse == 0:
        lu_solve(n, loop.dense_factors, loop.pivots, b)
    else:
        sparse_solve(
            n, loop.column_order, loop.pivot_of_row, loop.l_starts, loop.l_rows,
            loop.l_values, loop.u_starts, loop.u_rows, loop.u_values, b,
            loop.sparse_scratch,
        )  # fmt: skip


@matrix.kernel
def factor_complex(loop: Loop, shift_r: Float, shift_i: Float) -> Int:
    """After `factor_real`, whose pivots a sparse matrix takes over."""
    n = loop.n
    loop.factorisations += 1
    if loop.is_sparse == 0:
        re = loop.dense_factors_real
        im = loop.dense_factors_imaginary
        fill_dense(loop, shift_r, re)
        for i in range(n * n):
            im[i] = 0.0
        for i in range(n):
            im[i * n + i] = shift_i
        return lu_factor_complex(n, re, im, loop.pivots_complex)
    return sparse_refactor_complex(
        n, loop.column_starts, loop.row_numbers, loop.jacobian, shift_r, shift_i,
        loop.column_order, loop.pivot_of_row, loop.l_starts, loop.l_rows,
        loop.l_real, loop.l_imaginary, loop.u_starts, loop.u_rows,
        loop.u_real, loop.u_imaginary, loop.sparse_scratch, loop.sparse_scratch[n :],
    )  # fmt: skip


@matrix.kernel
def solve_complex(loop: Loop, b: Floats, d: Floats) -> None:
    n = loop.n
    if loop.is_sparse == 0:
        re = loop.dense_factors_real
        im = loop.dense_factors_imaginary
        lu_solve_complex(n, re, im, loop.pivots_complex, b, d)
    else:
        sparse_solve_complex(
            n, loop.column_order, loop.pivot_of_row, loop.l_starts, loop.l_rows,
            loop.l_real, loop.l_imaginary, loop.u_starts,
            loop.u_rows, loop.u_real, loop.u_imaginary, b, d, loop.sparse_scratch,
            loop.sparse_scratch[n :],
        )  # fmt: skip
