"""Points that count: all variables evaluated, rows stored, integration begun anew.

code = evaluate(derivatives, outputs, m, w, c, t, y)    # 0, or SECTION_FAILED
store_row(m, c, rows)
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.events.location import bracket, residuals_here
from freewheel.runtime.integrators.first_steps import known_size, modes
from freewheel.runtime.integrators.thresholds import STEPS
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.loop.outcomes import SECTION_DERIVATIVES, SECTION_FAILED, SECTION_OUTPUTS
from freewheel.runtime.loop.point import place, point, rhs

rows = KernelModule("rows", point, bracket, modes)


@rows.kernel
def restart(loop: Loop, t: Float) -> Int:
    """Begin anew at (t, Y); the status of the right-hand side there."""
    begin_anew(loop, t)
    status = rhs(loop, t, loop.y, loop.f)
    if status == 0 and loop.relation_count > 0:
        residuals_here(loop, loop.residuals_left)
    return status


@rows.kernel
def restart_here(loop: Loop) -> None:
    """The same at (T, Y) where the memory has the derivatives and residuals of that point."""
    m = loop.memory
    begin_anew(loop, loop.t)
    f = loop.f
    left = loop.residuals_left
    slots = loop.residual_slots
    for i in range(loop.n):
        f[i] = m[loop.derivatives_slot + i]
    for i in range(loop.relation_count):
        left[i] = m[slots[i]]


@rows.kernel
def begin_anew(loop: Loop, t: Float) -> None:
    loop.t = t
    loop.h = known_size(loop)
    loop.previous_error = STEPS.least_error
    loop.have_jacobian = 0
    loop.jacobian_is_fresh = 0
    loop.have_factors = 0
    loop.has_last = 0
    loop.rejected_before = 1
    loop.phase = 0
    loop.prediction_is_sure = 0


@rows.kernel
def evaluate(loop: Loop, t: Float, y: Floats) -> Int:
    """All variables at a point that counts."""
    m = loop.memory
    place(loop, t, y)
    loop.evaluations += 1
    status = loop.derivatives(m)
    if status != 0:
        loop.section_status = status
        loop.failed_section = SECTION_DERIVATIVES
        return SECTION_FAILED
    status = loop.outputs(m)
    if status != 0:
        loop.section_status = status
        loop.failed_section = SECTION_OUTPUTS
        return SECTION_FAILED
    return 0


@rows.kernel
def store_row(loop: Loop) -> None:
    """The present point; there is room for it."""
    m = loop.memory
    width = loop.row_width
    slots = loop.stored_slots
    row = loop.rows[loop.row_count * width :]
    for i in range(width):
        row[i] = m[slots[i]]
    loop.row_count += 1


@rows.kernel
def grid_point(loop: Loop, number: Int) -> Float:
    """Regular points; the last one is the stop time exactly."""
    t = loop.start + number * loop.interval
    if t > loop.stop - STEPS.rest * loop.interval:
        return loop.stop
    return t
