"""Between the time loop and SUNDIALS: a step of CVODE or IDA, and what they call back.

The library is entered through addresses that `c` holds; its callbacks get `user`, addresses of:
derivatives, memory, floats and integers of a workspace of their own, Jacobian, packed pattern (two).
"""

from __future__ import annotations

from math import inf

from freewheel.machine.addresses import floats_at, function_at, ints_at
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Function, Int, Ints, Section
from freewheel.runtime.kernels.matrix import compute_jacobian, factor_real, matrix, solve_real
from freewheel.runtime.kernels.places import (
    AT_END,
    AT_JACOBIAN,
    AT_ROWS,
    AT_STARTS,
    DENSE_READY,
    ERROR,
    F1,
    FAILED,
    H_TAKEN,
    HEAD,
    IS_IDA,
    LIBRARY_MEMORY,
    LIBRARY_SLOPE,
    LIBRARY_STEP,
    LIBRARY_Y,
    NONZEROS,
    SHORTEST,
    SPARSE,
    STEP_FAILED,
    STIFFNESS,
    T1,
    Y1,
    F,
    H,
    N,
    T,
    Y,
)
from freewheel.runtime.kernels.point import is_finite, point, rhs, vector_data

sundials = KernelModule(
    "sundials",
    point,
    matrix,
    exports=(
        "try_library", "inside_library", "cvode_rhs", "cvode_jacobian", "ida_residual",
        "ida_jacobian", "solver_type", "solver_ready", "solver_setup", "solver_solve",
    ),
)  # fmt: skip

ONE_STEP = 2
LOW_HALF = 4294967295
FAILED_FROM = 2147483648  # negative results of the library
RECOVERABLE = 1


@sundials.kernel
def try_library(
    derivatives: Section, jacobian: Function, m: Floats, w: Floats, c: Ints, t: Float, limit: Float
) -> Int:
    """One step of the library's own size; the stop time has been set to the limit."""
    n = c[N]
    step = function_at(c[LIBRARY_STEP])
    if c[IS_IDA] == 1:
        code = step(c[LIBRARY_MEMORY], limit, w[T1:], c[LIBRARY_Y], c[LIBRARY_SLOPE], ONE_STEP)
    else:
        code = step(c[LIBRARY_MEMORY], limit, c[LIBRARY_Y], w[T1:], ONE_STEP)
    code = code & LOW_HALF
    c[AT_END] = 0
    c[DENSE_READY] = 1
    w[STIFFNESS] = 0.0
    w[ERROR] = 0.0
    if code >= FAILED_FROM:
        w[ERROR] = inf
        return STEP_FAILED
    if not w[T1] - t > w[SHORTEST]:  # it went on without getting on
        w[ERROR] = inf
        return STEP_FAILED
    w[H_TAKEN] = w[T1] - t
    w[H] = w[H_TAKEN]
    y = vector_data(ints_at(c[LIBRARY_Y]))
    y1 = w[HEAD + Y1 * n :]
    for i in range(n):
        y1[i] = y[i]
    if rhs(derivatives, m, w, c, w[T1], y1, w[HEAD + F1 * n :]) != 0:
        w[ERROR] = inf
        return STEP_FAILED
    c[AT_END] = 1
    return 0


@sundials.kernel
def inside_library(w: Floats, c: Ints) -> Int:
    """The library interpolates by itself, see `dense_value`."""
    return 0


@sundials.kernel
def slope_at(t: Float, y: Floats, out: Floats, user: Ints) -> Int:
    c = ints_at(user[3])
    status = rhs(function_at(user[0]), floats_at(user[1]), floats_at(user[2]), c, t, y, out)
    if status != 0 or is_finite(c[N], out) == 0:
        return RECOVERABLE
    return 0


@sundials.kernel
def cvode_rhs(t: Float, y: Ints, slope: Ints, user: Ints) -> Int:
    return slope_at(t, vector_data(y), vector_data(slope), user)


@sundials.kernel
def ida_residual(t: Float, y: Ints, slope: Ints, residual: Ints, user: Ints) -> Int:
    """y' - f(t, y)"""
    out = vector_data(residual)
    given = vector_data(slope)
    status = slope_at(t, vector_data(y), out, user)
    c = ints_at(user[3])
    for i in range(c[N]):
        out[i] = given[i] - out[i]
    return status


@sundials.kernel
def own_jacobian(t: Float, y: Floats, user: Ints) -> Int:
    """df/dy into the workspace of the callbacks."""
    w = floats_at(user[2])
    c = ints_at(user[3])
    n = c[N]
    present = w[HEAD + Y * n :]
    for i in range(n):
        present[i] = y[i]
    if slope_at(t, y, w[HEAD + F * n :], user) != 0:
        return RECOVERABLE
    w[T] = t
    return compute_jacobian(function_at(user[0]), function_at(user[4]), floats_at(user[1]), w, c, t)


@sundials.kernel
def fill_matrix(scale: Float, shift: Float, target: Ints, user: Ints) -> None:
    """`shift + scale * J` into a matrix of the library, dense or by columns."""
    w = floats_at(user[2])
    c = ints_at(user[3])
    n = c[N]
    content = ints_at(target[0])
    starts = c[c[AT_STARTS] :]
    rows = c[c[AT_ROWS] :]
    values = w[c[AT_JACOBIAN] :]
    if c[SPARSE] == 0:
        out = floats_at(content[1])
        for i in range(n * n):
            out[i] = 0.0
        for column in range(n):
            for p in range(starts[column], starts[column + 1]):
                out[column * n + rows[p]] = scale * values[p]
            out[column * n + column] += shift
        return
    out = floats_at(content[2])
    for column in range(n):
        for p in range(starts[column], starts[column + 1]):
            out[p] = scale * values[p]
            if rows[p] == column:
                out[p] += shift
    # Its pattern has been cleared: 32-bit indices, copied two at a time.
    packed_rows = ints_at(user[5])
    packed_starts = ints_at(user[6])
    row_indices = ints_at(content[4])
    start_indices = ints_at(content[5])
    for i in range((c[NONZEROS] + 1) // 2):
        row_indices[i] = packed_rows[i]
    for i in range((n + 1) // 2):
        start_indices[i] = packed_starts[i]
    last_pair = ints_at(content[5] + 4 * (n - 1))  # n + 1 of them: perhaps no whole pairs
    last_pair[0] = starts[n - 1] | (c[NONZEROS] << 32)


@sundials.kernel
def cvode_jacobian(
    t: Float, y: Ints, slope: Ints, target: Ints, user: Ints, a: Ints, b: Ints, d: Ints
) -> Int:
    status = own_jacobian(t, vector_data(y), user)
    if status == 0:
        fill_matrix(1.0, 0.0, target, user)
    return status


@sundials.kernel
def ida_jacobian(
    t: Float, factor: Float, y: Ints, slope: Ints, residual: Ints, target: Ints, user: Ints,
    a: Ints, b: Ints, d: Ints,
) -> Int:  # fmt: skip
    """factor - J"""
    status = own_jacobian(t, vector_data(y), user)
    if status == 0:
        fill_matrix(-1.0, factor, target, user)
    return status


# ---------------------------------------------------------------- our sparse LU as its linear solver


@sundials.kernel
def solver_type(solver: Ints) -> Int:
    """A direct solver."""
    return 0


@sundials.kernel
def solver_ready(solver: Ints) -> Int:
    return 0


@sundials.kernel
def solver_setup(solver: Ints, source: Ints) -> Int:
    """Factor the matrix of the library, which has our pattern; pivots are kept from before."""
    user = ints_at(solver[0])
    w = floats_at(user[2])
    c = ints_at(user[3])
    content = ints_at(source[0])
    given = floats_at(content[2])
    values = w[c[AT_JACOBIAN] :]
    for p in range(c[NONZEROS]):
        values[p] = -given[p]
    if factor_real(w, c, 0.0) == 0:
        return 0
    return -1 if c[FAILED] == -1 else RECOVERABLE


@sundials.kernel
def solver_solve(solver: Ints, source: Ints, x: Ints, b: Ints, tolerance: Float) -> Int:
    user = ints_at(solver[0])
    w = floats_at(user[2])
    c = ints_at(user[3])
    out = vector_data(x)
    given = vector_data(b)
    for i in range(c[N]):
        out[i] = given[i]
    solve_real(w, c, out)
    return 0
