"""Points that count: all variables evaluated, rows stored, integration begun anew.

code = evaluate(derivatives, outputs, m, w, c, t, y)    # 0, or SECTION_FAILED
store_row(m, c, rows)
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints, Section
from freewheel.runtime.kernels.bracket import bracket, residuals_here
from freewheel.runtime.kernels.modes import known_size, modes
from freewheel.runtime.kernels.places import (
    AT_RESIDUAL,
    AT_RESIDUALS,
    AT_SLOTS,
    DERIVATIVES,
    EVALUATIONS,
    FAILED,
    FRESH,
    HAS_LAST,
    HAVE_FACTORS,
    HAVE_JACOBIAN,
    HEAD,
    INTERVAL,
    PHASE,
    PREVIOUS_ERROR,
    R_LEFT,
    REJECTED_BEFORE,
    RELATIONS,
    ROWS,
    SECTION_DERIVATIVES,
    SECTION_FAILED,
    SECTION_OUTPUTS,
    START,
    STATUS,
    STOP,
    SURE,
    WIDTH,
    F,
    H,
    N,
    T,
    Y,
)
from freewheel.runtime.kernels.point import place, point, rhs

rows = KernelModule("rows", point, bracket, modes)


@rows.kernel
def restart(
    derivatives: Section, relations: Section, m: Floats, w: Floats, c: Ints, t: Float
) -> Int:
    """Begin anew at (t, Y); the status of the right-hand side there."""
    begin_anew(m, w, c, t)
    status = rhs(derivatives, m, w, c, t, w[HEAD + Y * c[N] :], w[HEAD + F * c[N] :])
    if status == 0 and c[RELATIONS] > 0:
        residuals_here(relations, m, c, w[c[AT_RESIDUALS] + R_LEFT * c[RELATIONS] :])
    return status


@rows.kernel
def restart_here(m: Floats, w: Floats, c: Ints) -> None:
    """The same at (T, Y) where the memory has the derivatives and residuals of that point."""
    begin_anew(m, w, c, w[T])
    f = w[HEAD + F * c[N] :]
    left = w[c[AT_RESIDUALS] + R_LEFT * c[RELATIONS] :]
    slots = c[c[AT_RESIDUAL] :]
    for i in range(c[N]):
        f[i] = m[c[DERIVATIVES] + i]
    for i in range(c[RELATIONS]):
        left[i] = m[slots[i]]


@rows.kernel
def begin_anew(m: Floats, w: Floats, c: Ints, t: Float) -> None:
    w[T] = t
    w[H] = known_size(m, w, c)
    w[PREVIOUS_ERROR] = 1e-4
    c[HAVE_JACOBIAN] = 0
    c[FRESH] = 0
    c[HAVE_FACTORS] = 0
    c[HAS_LAST] = 0
    c[REJECTED_BEFORE] = 1
    c[PHASE] = 0
    c[SURE] = 0


@rows.kernel
def evaluate(
    derivatives: Section, outputs: Section, m: Floats, w: Floats, c: Ints, t: Float, y: Floats
) -> Int:
    """All variables at a point that counts."""
    place(m, w, c, t, y)
    c[EVALUATIONS] += 1
    status = derivatives(m)
    if status != 0:
        c[STATUS] = status
        c[FAILED] = SECTION_DERIVATIVES
        return SECTION_FAILED
    status = outputs(m)
    if status != 0:
        c[STATUS] = status
        c[FAILED] = SECTION_OUTPUTS
        return SECTION_FAILED
    return 0


@rows.kernel
def store_row(m: Floats, c: Ints, rows: Floats) -> None:
    """The present point; there is room for it."""
    width = c[WIDTH]
    slots = c[c[AT_SLOTS] :]
    row = rows[c[ROWS] * width :]
    for i in range(width):
        row[i] = m[slots[i]]
    c[ROWS] += 1


@rows.kernel
def grid_point(w: Floats, number: Int) -> Float:
    """Regular points; the last one is the stop time exactly."""
    t = w[START] + number * w[INTERVAL]
    if t > w[STOP] - 1e-9 * w[INTERVAL]:
        return w[STOP]
    return t
