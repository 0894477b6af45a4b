"""The implicit core by backward Euler with a fixed step, as it is inlined in papers: for teaching.

Cellier and Krebs, Analysis and simulation of variable structure systems using bond graphs and inline
integration, 2007. All unknowns come from one solution of E (y1 - y) / h + A y1 = f; nothing is made
consistent afterwards, nothing controls the error. First order: half-wave rectification with an ideal
diode behind an inductor errs by 0.4 V at h = 1e-4, more than the leak it replaces.
"""

from __future__ import annotations

from math import inf

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.switched_dae.memory import Core, Mode
from freewheel.runtime.switched_dae.mode_selection import core_select, solve_fully
from freewheel.runtime.switched_dae.radau_tableau import C1, C2
from freewheel.runtime.switched_dae.scaling import measure_core
from freewheel.runtime.switched_dae.thresholds import CORE_STEPS
from freewheel.runtime.switched_dae.undetermined import choose_open

core_euler = KernelModule("core_euler", core_select)


@core_euler.kernel
def euler_change(core: Core, m: Floats, h: Float, t: Float) -> Int:
    """`r`, the residual at `ys`, becomes the change of Newton's iteration; unknowns that nothing determines
    stay where they are."""
    n = core.n
    square = n * n
    ys = core.ys
    r = core.r
    both = core.both
    matrix = core.matrix
    if core.jacobians(m, t + h, ys, ys[n:], both) != 0:
        return 1
    for i in range(n):
        largest = 0.0
        for j in range(n):
            k = i * n + j
            matrix[k] = both[k] + both[square + k] / h
            largest = max(largest, abs(matrix[k]))
        if largest > 0.0:
            for j in range(n):
                matrix[i * n + j] /= largest
            r[i] /= -largest
    core.factor_count += 1
    solve_fully(n, 1, matrix, r, core.basis, both)
    return 0


@core_euler.kernel
def attempt_euler_core(core: Core, mode: Mode, m: Floats, h: Float, t: Float) -> Float:
    """A step from (t, y) into y1, with a straight line between; 0, infinite where it fails."""
    n = core.n
    y = core.y
    y1 = core.y1
    z = core.z
    p = core.p
    r = core.r
    ys = core.ys
    for i in range(n):
        y1[i] = y[i]
    done = 0
    for _ in range(CORE_STEPS.most_newton):
        core.newton_count += 1
        for i in range(n):
            ys[i] = y1[i]
            ys[n + i] = (y1[i] - y[i]) / h
        if core.rates(m, t + h, 0, ys, r) != 0 or euler_change(core, m, h, t) != 0:
            return inf
        change = 0.0
        size = 0.0
        for i in range(n):
            y1[i] += r[i]
            change = max(change, abs(r[i]))
            size = max(size, abs(y1[i]))
        if not size < inf:
            return inf
        if mode.is_linear == 1 or change <= CORE_STEPS.settled * size:
            done = 1
            break
    if done == 0:
        return inf
    measure_core(core, mode, y1)
    if mode.is_singular == 1:
        choose_open(core, mode, m, y1)
    for i in range(n):
        whole = y1[i] - y[i]
        z[i] = C1 * whole
        z[n + i] = C2 * whole
        z[2 * n + i] = whole
        p[2 * n + i] = whole / h
    return 0.0
