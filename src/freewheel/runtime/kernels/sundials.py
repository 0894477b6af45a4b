"""Between the time loop and SUNDIALS: a step of CVODE or IDA, and what they call back.

The library is entered through addresses that the record of the loop holds; its callbacks get a record `Loop`
of their own as user data.
"""

from __future__ import annotations

from math import inf

from freewheel.machine.addresses import floats_at, function_at, ints_at
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints
from freewheel.machine.records import record
from freewheel.runtime.kernels.loop import Loop
from freewheel.runtime.kernels.matrix import compute_jacobian, factor_real, matrix, solve_real
from freewheel.runtime.kernels.outcomes import STEP_FAILED
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


@record
class LinearSolver:
    """The head of the library's own structure: its content is what we gave it."""

    content: Loop


@sundials.kernel
def try_library(loop: Loop, t: Float, limit: Float) -> Int:
    """One step of the library's own size; the stop time has been set to the limit."""
    n = loop.n
    step = function_at(loop.library_step)
    if loop.is_ida == 1:
        code = step(
            loop.library_memory, limit, loop.step_end, loop.library_y, loop.library_slope, ONE_STEP
        )
    else:
        code = step(loop.library_memory, limit, loop.library_y, loop.step_end, ONE_STEP)
    code = code & LOW_HALF
    loop.t1 = loop.step_end[0]
    loop.memory_at_end = 0
    loop.dense_ready = 1
    loop.stiffness = 0.0
    loop.error = 0.0
    if code >= FAILED_FROM:
        loop.error = inf
        return STEP_FAILED
    if not loop.t1 - t > loop.shortest:  # it went on without getting on
        loop.error = inf
        return STEP_FAILED
    loop.h_taken = loop.t1 - t
    loop.h = loop.h_taken
    y = vector_data(ints_at(loop.library_y))
    y1 = loop.y1
    for i in range(n):
        y1[i] = y[i]
    if rhs(loop, loop.t1, y1, loop.f1) != 0:
        loop.error = inf
        return STEP_FAILED
    loop.memory_at_end = 1
    return 0


@sundials.kernel
def inside_library(loop: Loop) -> Int:
    """The library interpolates by itself, see `dense_value`."""
    return 0


@sundials.kernel
def slope_at(t: Float, y: Floats, out: Floats, loop: Loop) -> Int:
    status = rhs(loop, t, y, out)
    if status != 0 or is_finite(loop.n, out) == 0:
        return RECOVERABLE
    return 0


@sundials.kernel
def cvode_rhs(t: Float, y: Ints, slope: Ints, loop: Loop) -> Int:
    return slope_at(t, vector_data(y), vector_data(slope), loop)


@sundials.kernel
def ida_residual(t: Float, y: Ints, slope: Ints, residual: Ints, loop: Loop) -> Int:
    """y' - f(t, y)"""
    out = vector_data(residual)
    given = vector_data(slope)
    status = slope_at(t, vector_data(y), out, loop)
    for i in range(loop.n):
        out[i] = given[i] - out[i]
    return status


@sundials.kernel
def own_jacobian(t: Float, y: Floats, loop: Loop) -> Int:
    """df/dy into the workspace of the callbacks."""
    n = loop.n
    present = loop.y
    for i in range(n):
        present[i] = y[i]
    if slope_at(t, y, loop.f, loop) != 0:
        return RECOVERABLE
    loop.t = t
    return compute_jacobian(loop, t)


@sundials.kernel
def fill_matrix(scale: Float, shift: Float, target: Ints, loop: Loop) -> None:
    """`shift + scale * J` into a matrix of the library, dense or by columns."""
    n = loop.n
    content = ints_at(target[0])
    starts = loop.column_starts
    rows = loop.row_numbers
    values = loop.jacobian
    if loop.is_sparse == 0:
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
    packed_rows = loop.packed_rows
    packed_starts = loop.packed_starts
    row_indices = ints_at(content[4])
    start_indices = ints_at(content[5])
    for i in range((loop.nonzeros + 1) // 2):
        row_indices[i] = packed_rows[i]
    for i in range((n + 1) // 2):
        start_indices[i] = packed_starts[i]
    last_pair = ints_at(content[5] + 4 * (n - 1))  # n + 1 of them: perhaps no whole pairs
    last_pair[0] = starts[n - 1] | (loop.nonzeros << 32)


@sundials.kernel
def cvode_jacobian(
    t: Float, y: Ints, slope: Ints, target: Ints, loop: Loop, a: Ints, b: Ints, d: Ints
) -> Int:
    status = own_jacobian(t, vector_data(y), loop)
    if status == 0:
        fill_matrix(1.0, 0.0, target, loop)
    return status


@sundials.kernel
def ida_jacobian(
    t: Float, factor: Float, y: Ints, slope: Ints, residual: Ints, target: Ints, loop: Loop,
    a: Ints, b: Ints, d: Ints,
) -> Int:  # fmt: skip
    """factor - J"""
    status = own_jacobian(t, vector_data(y), loop)
    if status == 0:
        fill_matrix(-1.0, factor, target, loop)
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
def solver_setup(solver: LinearSolver, source: Ints) -> Int:
    """Factor the matrix of the library, which has our pattern; pivots are kept from before."""
    loop = solver.content
    content = ints_at(source[0])
    given = floats_at(content[2])
    values = loop.jacobian
    for p in range(loop.nonzeros):
        values[p] = -given[p]
    if factor_real(loop, 0.0) == 0:
        return 0
    return -1 if loop.failed_section == -1 else RECOVERABLE


@sundials.kernel
def solver_solve(solver: LinearSolver, source: Ints, x: Ints, b: Ints, tolerance: Float) -> Int:
    loop = solver.content
    out = vector_data(x)
    given = vector_data(b)
    for i in range(loop.n):
        out[i] = given[i]
    solve_real(loop, out)
    return 0
