"""Steps of CVODE and IDA for the time loop, and the callbacks of the library.

The library is called through the functions of `MultistepLibrary`; its callbacks get a record `Loop` of their
own as user data.
"""

from __future__ import annotations

from math import inf

from freewheel.machine.addresses import floats_at, ints_at
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints
from freewheel.machine.records import record
from freewheel.runtime.integrators.thresholds import STEPS
from freewheel.runtime.linear.jacobian import compute_jacobian, factor_real, matrix, solve_real
from freewheel.runtime.loop.memory import Loop, MultistepLibrary
from freewheel.runtime.loop.outcomes import STEP_FAILED
from freewheel.runtime.loop.point import is_finite, point, rhs

sundials = KernelModule(
    "sundials",
    point,
    matrix,
    exports=(
        "try_library", "inside_library", "restart_library", "cvode_rhs", "cvode_jacobian", "ida_residual",
        "ida_jacobian", "solver_type", "solver_ready", "solver_setup", "solver_solve",
    ),
)  # fmt: skip

ONE_STEP = 2
LOW_HALF = 4294967295
FAILED_FROM = 2147483648  # negative results of the library
RECOVERABLE = 1


@record
class LinearSolver:
    """The head of the library's own structure, with the record as its content."""

    content: Loop


@sundials.kernel
def failed(code: Int) -> Int:
    """The library gives C integers, negative ones where something is wrong."""
    return 1 if code & LOW_HALF >= FAILED_FROM else 0


@sundials.kernel
def try_library(loop: Loop, t: Float, limit: Float) -> Int:
    """One step of the library's own size, to the limit of the loop at most."""
    library = loop.library
    library.set_stop(library.memory, loop.limit)
    memory = library.memory
    y = library.y_vector
    if library.is_ida == 1:
        code = library.step(memory, limit, library.step_end, y, library.slope_vector, ONE_STEP)
    else:
        code = library.step(memory, limit, y, library.step_end, ONE_STEP)
    loop.t1 = library.step_end[0]
    loop.memory_at_end = 0
    loop.dense_ready = 1
    loop.stiffness = 0.0
    loop.error = inf
    if (
        failed(code) == 1 or not loop.t1 - t > loop.shortest
    ):  # it may succeed without progress in time
        return STEP_FAILED
    loop.h_taken = loop.t1 - t
    loop.h = loop.h_taken
    for i in range(loop.n):
        loop.y1[i] = library.y[i]
    if rhs(loop, loop.t1, loop.y1, loop.f1) != 0:
        return STEP_FAILED
    loop.error = 0.0
    loop.memory_at_end = 1
    return 0


@sundials.kernel
def add_counts(library: MultistepLibrary) -> None:
    """A restart sets the library's own counts to zero."""
    library.rejected_steps(library.memory, library.count)
    library.past_counts[0] += library.count[0]
    library.factorisations(library.memory, library.count)
    library.past_counts[1] += library.count[0]
    library.newton_iterations(library.memory, library.count)
    library.past_counts[2] += library.count[0]


@sundials.kernel
def least_first_step(loop: Loop) -> Float:
    """The library takes its first step from slopes, so that no state moves by more than its tolerance. A
    state near zero with a steep slope, as in a short pulse, makes it a step that time does not resolve. Then
    a longer one is set, which error control may shorten; 0: the library chooses."""
    least = STEPS.unresolved * abs(loop.t)
    share = 0.5 * loop.rtol if loop.library.is_ida == 1 else 0.1
    for i in range(loop.n):
        if least * abs(loop.f[i]) > share * abs(loop.y[i]) + 0.5 * loop.atol[i]:
            return least
    return 0.0


@sundials.kernel
def restart_library(loop: Loop) -> Int:
    """Reinitialises the library at (loop.t, loop.y) with the slope loop.f; 1: it refuses."""
    library = loop.library
    for i in range(loop.n):
        library.y[i] = loop.y[i]
        library.slope[i] = loop.f[i]
    add_counts(library)
    if library.is_ida == 1:
        code = library.reinitialise(library.memory, loop.t, library.y_vector, library.slope_vector)
    else:
        code = library.reinitialise(library.memory, loop.t, library.y_vector)
    first = library.first_step if library.first_step != 0.0 else least_first_step(loop)
    library.first_step = 0.0
    library.set_first_step(library.memory, first)
    return failed(code)


@sundials.kernel
def vector_data(vector: Ints) -> Floats:
    """The numbers of a serial vector: its content has length and owner (two 32-bit integers), then the data.
    `integrators/sundials.py` checks this layout."""
    return floats_at(ints_at(vector[0])[1])


@sundials.kernel
def inside_library(loop: Loop) -> Int:
    """The library interpolates by itself, see `dense_value`."""
    return 0


@sundials.kernel
def slope_at(t: Float, y: Floats, out: Floats, loop: Loop) -> Int:
    return RECOVERABLE if rhs(loop, t, y, out) != 0 or is_finite(loop.n, out) == 0 else 0


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
    for i in range(loop.n):
        loop.y[i] = y[i]
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
    # The library has cleared its pattern: 32-bit indices, copied two at a time.
    row_indices = ints_at(content[4])
    start_indices = ints_at(content[5])
    for i in range((loop.nonzeros + 1) // 2):
        row_indices[i] = loop.packed_rows[i]
    for i in range((n + 1) // 2):
        start_indices[i] = loop.packed_starts[i]
    last_pair = ints_at(content[5] + 4 * (n - 1))  # n + 1 indices are perhaps no whole pairs
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


# ---------------------------------------------------------------- sparse LU as linear solver of the library


@sundials.kernel
def solver_type(solver: Ints) -> Int:
    """A direct solver."""
    return 0


@sundials.kernel
def solver_ready(solver: Ints) -> Int:
    return 0


@sundials.kernel
def solver_setup(solver: LinearSolver, source: Ints) -> Int:
    """Factors the matrix of the library, which has the pattern of the model."""
    loop = solver.content
    given = floats_at(ints_at(source[0])[2])
    for p in range(loop.nonzeros):
        loop.jacobian[p] = -given[p]
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
