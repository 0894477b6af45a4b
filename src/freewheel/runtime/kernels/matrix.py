"""The Jacobian, and linear systems with `shift - J`, dense or sparse as `c[SPARSE]` says.

compute_jacobian(derivatives, jacobian, m, w, c, t)    # at Y, F
factor_real(w, c, shift)
solve_real(w, c, b)
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Function, Int, Ints, Section
from freewheel.runtime.kernels.dense_lu import (
    dense_lu,
    lu_factor,
    lu_factor_complex,
    lu_solve,
    lu_solve_complex,
)
from freewheel.runtime.kernels.places import (
    ANALYTIC,
    AT_FACTORS,
    AT_FACTORS_IM,
    AT_FACTORS_RE,
    AT_GROUP_COLUMNS,
    AT_GROUP_STARTS,
    AT_INVERSE,
    AT_JACOBIAN,
    AT_L_ROWS,
    AT_L_STARTS,
    AT_MAP,
    AT_ORDER,
    AT_PIVOTS,
    AT_PIVOTS_COMPLEX,
    AT_ROWS,
    AT_SCRATCH,
    AT_SPARSE,
    AT_STARTS,
    AT_U,
    AT_U_IM,
    AT_U_RE,
    AT_U_ROWS,
    AT_U_STARTS,
    AT_VALUES,
    ATOL,
    FACTORISATIONS,
    FAILED,
    GROUPS,
    HAVE_SYMBOLIC,
    HEAD,
    JACOBIANS,
    LU_SPACE,
    MODEL_NONZEROS,
    NONZEROS,
    RTOL,
    S4,
    SPARSE,
    TRIAL,
    F,
    N,
    Y,
)
from freewheel.runtime.kernels.point import is_finite, point, rhs
from freewheel.runtime.kernels.sparse_lu import (
    sparse_factor,
    sparse_lu,
    sparse_refactor,
    sparse_refactor_complex,
    sparse_solve,
    sparse_solve_complex,
)

matrix = KernelModule("matrix", point, dense_lu, sparse_lu)

HALF_DIGITS = 1.4901161193847656e-08


@matrix.kernel
def compute_jacobian(
    derivatives: Section, jacobian: Function, m: Floats, w: Floats, c: Ints, t: Float
) -> Int:
    """df/dy at (t, Y) where the slope is F; 1: a number is not finite or a point not computable."""
    c[JACOBIANS] += 1
    if c[ANALYTIC] == 1 and analytic_jacobian(derivatives, jacobian, m, w, c, t) == 0:
        return 0  # it may fail where a slope is infinite: a difference is finite even there
    return difference_jacobian(derivatives, m, w, c, t)


@matrix.kernel
def analytic_jacobian(
    derivatives: Section, jacobian: Function, m: Floats, w: Floats, c: Ints, t: Float
) -> Int:
    n = c[N]
    if rhs(derivatives, m, w, c, t, w[HEAD + Y * n :], w[HEAD + S4 * n :]) != 0:
        return 1
    values = w[c[AT_VALUES] :]
    if jacobian(m, values) != 0:
        return 1
    out = w[c[AT_JACOBIAN] :]
    places = c[c[AT_MAP] :]
    for p in range(c[NONZEROS]):
        out[p] = 0.0
    for p in range(c[MODEL_NONZEROS]):
        out[places[p]] = values[p]
    return 1 - is_finite(c[NONZEROS], out)


@matrix.kernel
def difference_jacobian(derivatives: Section, m: Floats, w: Floats, c: Ints, t: Float) -> Int:
    """Columns that share no row are moved together (Curtis, Powell and Reid), in the direction of
    motion, as far as rounding asks for and the tolerance permits."""
    n = c[N]
    y = w[HEAD + Y * n :]
    f = w[HEAD + F * n :]
    x = w[HEAD + TRIAL * n :]
    moved = w[HEAD + S4 * n :]
    atol = w[HEAD + ATOL * n :]
    out = w[c[AT_JACOBIAN] :]
    group_starts = c[c[AT_GROUP_STARTS] :]
    columns = c[c[AT_GROUP_COLUMNS] :]
    starts = c[c[AT_STARTS] :]
    rows = c[c[AT_ROWS] :]
    for i in range(n):
        x[i] = y[i]
    for g in range(c[GROUPS]):
        side = 1.0
        while True:
            for q in range(group_starts[g], group_starts[g + 1]):
                column = columns[q]
                size = side * HALF_DIGITS * max(abs(y[column]), atol[column] / w[RTOL])
                x[column] = y[column] - size if f[column] < 0.0 else y[column] + size
            status = rhs(derivatives, m, w, c, t, x, moved)
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
    return 1 - is_finite(c[NONZEROS], out)


@matrix.kernel
def fill_dense(w: Floats, c: Ints, shift: Float, out: Floats) -> None:
    n = c[N]
    starts = c[c[AT_STARTS] :]
    rows = c[c[AT_ROWS] :]
    values = w[c[AT_JACOBIAN] :]
    for i in range(n * n):
        out[i] = 0.0
    for column in range(n):
        for p in range(starts[column], starts[column + 1]):
            out[rows[p] * n + column] = -values[p]
    for i in range(n):
        out[i * n + i] += shift


@matrix.kernel
def factor_real(w: Floats, c: Ints, shift: Float) -> Int:
    """0 if `shift - J` could be factored; where space was lacking, c[FAILED] becomes -1."""
    n = c[N]
    c[FACTORISATIONS] += 1
    if c[SPARSE] == 0:
        fill_dense(w, c, shift, w[c[AT_FACTORS] :])
        return lu_factor(n, w[c[AT_FACTORS] :], c[c[AT_PIVOTS] :])
    if c[HAVE_SYMBOLIC] == 1:
        status = sparse_refactor(
            n, c[c[AT_STARTS] :], c[c[AT_ROWS] :], w[c[AT_JACOBIAN] :], shift, c[c[AT_ORDER] :],
            c[c[AT_INVERSE] :], c[c[AT_L_STARTS] :], c[c[AT_L_ROWS] :], w[c[AT_FACTORS] :],
            c[c[AT_U_STARTS] :], c[c[AT_U_ROWS] :], w[c[AT_U] :], w[c[AT_SPARSE] :],
        )  # fmt: skip
        if status == 0:
            return 0
    c[HAVE_SYMBOLIC] = 0
    status = sparse_factor(
        n, c[c[AT_STARTS] :], c[c[AT_ROWS] :], w[c[AT_JACOBIAN] :], shift, c[c[AT_ORDER] :],
        c[c[AT_INVERSE] :], c[c[AT_L_STARTS] :], c[c[AT_L_ROWS] :], w[c[AT_FACTORS] :],
        c[c[AT_U_STARTS] :], c[c[AT_U_ROWS] :], w[c[AT_U] :], c[LU_SPACE], w[c[AT_SPARSE] :],
        c[c[AT_SCRATCH] :],
    )  # fmt: skip
    if status == 0:
        c[HAVE_SYMBOLIC] = 1
    if status == -1:
        c[FAILED] = -1
    return status


@matrix.kernel
def solve_real(w: Floats, c: Ints, b: Floats) -> None:
    n = c[N]
    if c[SPARSE] == 0:
        lu_solve(n, w[c[AT_FACTORS] :], c[c[AT_PIVOTS] :], b)
    else:
        sparse_solve(
            n, c[c[AT_ORDER] :], c[c[AT_INVERSE] :], c[c[AT_L_STARTS] :], c[c[AT_L_ROWS] :],
            w[c[AT_FACTORS] :], c[c[AT_U_STARTS] :], c[c[AT_U_ROWS] :], w[c[AT_U] :], b,
            w[c[AT_SPARSE] :],
        )  # fmt: skip


@matrix.kernel
def factor_complex(w: Floats, c: Ints, shift_r: Float, shift_i: Float) -> Int:
    """After `factor_real`, whose pivots a sparse matrix takes over."""
    n = c[N]
    c[FACTORISATIONS] += 1
    if c[SPARSE] == 0:
        re = w[c[AT_FACTORS_RE] :]
        im = w[c[AT_FACTORS_IM] :]
        fill_dense(w, c, shift_r, re)
        for i in range(n * n):
            im[i] = 0.0
        for i in range(n):
            im[i * n + i] = shift_i
        return lu_factor_complex(n, re, im, c[c[AT_PIVOTS_COMPLEX] :])
    return sparse_refactor_complex(
        n, c[c[AT_STARTS] :], c[c[AT_ROWS] :], w[c[AT_JACOBIAN] :], shift_r, shift_i,
        c[c[AT_ORDER] :], c[c[AT_INVERSE] :], c[c[AT_L_STARTS] :], c[c[AT_L_ROWS] :],
        w[c[AT_FACTORS_RE] :], w[c[AT_FACTORS_IM] :], c[c[AT_U_STARTS] :], c[c[AT_U_ROWS] :],
        w[c[AT_U_RE] :], w[c[AT_U_IM] :], w[c[AT_SPARSE] :], w[c[AT_SPARSE] + n :],
    )  # fmt: skip


@matrix.kernel
def solve_complex(w: Floats, c: Ints, b: Floats, d: Floats) -> None:
    n = c[N]
    if c[SPARSE] == 0:
        re = w[c[AT_FACTORS_RE] :]
        im = w[c[AT_FACTORS_IM] :]
        lu_solve_complex(n, re, im, c[c[AT_PIVOTS_COMPLEX] :], b, d)
    else:
        sparse_solve_complex(
            n, c[c[AT_ORDER] :], c[c[AT_INVERSE] :], c[c[AT_L_STARTS] :], c[c[AT_L_ROWS] :],
            w[c[AT_FACTORS_RE] :], w[c[AT_FACTORS_IM] :], c[c[AT_U_STARTS] :],
            c[c[AT_U_ROWS] :], w[c[AT_U_RE] :], w[c[AT_U_IM] :], b, d, w[c[AT_SPARSE] :],
            w[c[AT_SPARSE] + n :],
        )  # fmt: skip
