"""The equations of an implicit core as its kernels call them, where the model's own will not do.

status = rates_with_inputs(m, t, order, ys, out, core)       inputs follow their straight pieces
status = jacobians_anywhere(m, t, y, slope, out, core)       by differences where a formula has no slope
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.switched_dae.memory import Core
from freewheel.runtime.switched_dae.thresholds import DIFFERENCES

core_equations = KernelModule("core_equations")


@core_equations.kernel
def put_inputs(core: Core, m: Floats, t: Float, ahead: Float) -> None:
    """Straight pieces of inputs at t; `ahead` times their slope further on."""
    slots = core.input_slots
    lines = core.input_lines
    for i in range(core.input_count):
        line = lines[5 * i :]
        inside = line[1] + line[2] * (t - line[0])
        m[slots[i]] = (inside if t < line[3] else line[4]) + ahead * line[2]


@core_equations.kernel
def rates_with_inputs(m: Floats, t: Float, order: Int, ys: Floats, out: Floats, core: Core) -> Int:
    """Inputs move while the core takes a step: the model's `rates` know them as slots only. Their
    part of dF/dt is a difference, exact where F is linear in them."""
    put_inputs(core, m, t, 0.0)
    status = core.model_rates(m, t, order, ys, out)
    if order == 1 and status == 0:
        here = core.spare
        status = core.model_rates(m, t, 0, ys, here)
        there = here[core.n :]
        put_inputs(core, m, t, 1.0)
        if status == 0:
            status = core.model_rates(m, t, 0, ys, there)
        put_inputs(core, m, t, 0.0)
        for i in range(core.n):
            out[i] += there[i] - here[i]
    return status


@core_equations.kernel
def is_significant(n: Int, here: Floats, there: Floats) -> Int:
    """1: there is a difference, and in no row it is rounding."""
    count = 0
    for i in range(n):
        apart = abs(there[i] - here[i])
        if apart > DIFFERENCES.seen * max(abs(there[i]), abs(here[i])):
            count += 1
        elif apart > 0.0:
            return 0
    return 1 if count > 0 else 0


@core_equations.kernel
def jacobians_anywhere(
    m: Floats, t: Float, y: Floats, slope: Floats, out: Floats, core: Core
) -> Int:
    """Where a formula has no slope (a root at zero, a loop at its fold) differences are enough.
    Rates have no size of their own, and rows are linear in them: they are moved until it shows."""
    n = core.n
    core.jacobian_count += 1
    if core.model_jacobians(m, t, y, slope, out) == 0:
        return 0
    ys = core.spare[2 * n :]
    here = ys[4 * n :]
    there = here[n:]
    for i in range(n):
        ys[i] = y[i]
        ys[n + i] = slope[i]
    if core.rates(m, t, 0, ys, here) != 0:
        return 1
    for j in range(2 * n):  # of y, then of y'
        held = ys[j]
        by = DIFFERENCES.aside * (abs(held) if held != 0.0 else 1.0)
        is_clear = 0
        while is_clear == 0:
            ys[j] = held + by
            if core.rates(m, t, 0, ys, there) != 0:  # beyond a fold there may be none
                by = -by
                ys[j] = held + by
                if core.rates(m, t, 0, ys, there) != 0:
                    return 1
            is_clear = (
                1
                if j < n
                or abs(by) > DIFFERENCES.largest_rate
                or is_significant(n, here, there) == 1
                else 0
            )
            if is_clear == 0:
                by *= DIFFERENCES.larger
        ys[j] = held
        target = out if j < n else out[n * n :]
        column = j if j < n else j - n
        for i in range(n):
            target[i * n + column] = (there[i] - here[i]) / by
    return 0
