"""Where no mode lasts: steps of backward Euler in which elements change sides as they must (Moreau's scheme).

    taken = burst_core(core, mode, m, t, left)    # `y1` and the bits are those at t + taken; 0: it fails

Each step is a complementarity problem of its own, so nothing has to be located and nothing comes back without
end. A step of h is compared with two of h/2; both are extrapolated while no element changes its side. The
burst ends when the same mode has lasted for some steps. It is accurate to 1e-5 of what is stored and counted:
it is for instants at which elements change each other within rounding.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.switched_dae.memory import Core, Mode
from freewheel.runtime.switched_dae.mode_selection import hold_elements, one_corner_each
from freewheel.runtime.switched_dae.moreau_step import (
    core_moreau,
    moreau_step,
    put_signs,
    read_signs,
)
from freewheel.runtime.switched_dae.radau_tableau import C1, C2
from freewheel.runtime.switched_dae.thresholds import BURSTS
from freewheel.runtime.thresholds import TINIEST

core_bursts = KernelModule("core_bursts", core_moreau)


@core_bursts.kernel
def apart_core(core: Core, mode: Mode, one: Floats, other: Floats) -> Float:
    """The largest difference of what is stored, in units of its size."""
    largest = 0.0
    for i in range(core.n):
        if mode.weights[i] > 0.0:
            size = max(core.size[i], core.floor[i], abs(one[i]), TINIEST)
            largest = max(largest, abs(one[i] - other[i]) / size)
    return largest


@core_bursts.kernel
def halves(core: Core, m: Floats, k: Int, t: Float, h: Float, x: Floats) -> Int:
    """`trial` after one step from x, `ahead` after two of half the length; the signs of their ends in
    `first_signs` and `signs`. 1: an element has no solution."""
    n = core.n
    put_signs(core, m, k, core.found_signs)
    read_signs(core, m, k)
    if moreau_step(core, m, k, t, h, x, core.trial) != 0:
        return 1
    for e in range(k):
        core.first_signs[e] = core.signs[e]
        core.signs[e] = core.found_signs[e]
    if moreau_step(core, m, k, t, 0.5 * h, x, core.ahead) != 0:
        return 1
    return moreau_step(core, m, k, t + 0.5 * h, 0.5 * h, core.ahead, core.ahead[n:])


@core_bursts.kernel
def burst_core(core: Core, mode: Mode, m: Floats, t: Float, left: Float) -> Float:
    """How long it has lasted. The step as the time loop wants it is a straight line."""
    n = core.n
    x = core.y1
    k = one_corner_each(core, m, hold_elements(core, m), core.y)
    if k == 0:
        return 0.0
    read_signs(core, m, k)
    for e in range(k):
        core.found_signs[e] = core.signs[e]
    for i in range(n):
        x[i] = core.y[i]
    core.bursts += 1
    end = core.ahead[n:]
    usual = core.usual if core.usual > 0.0 else core.h_max
    h = BURSTS.share * usual
    gone = 0.0
    lasting = 0
    for _ in range(BURSTS.most_steps):
        h = min(h, left - gone)
        if halves(core, m, k, t + gone, h, x) != 0:
            break
        core.burst_steps += 1
        error = apart_core(core, mode, core.trial, end)
        if error > BURSTS.tolerance and h > BURSTS.shortest * usual:
            h *= 0.25
            lasting = 0
            continue
        is_same = 1
        is_smooth = 1
        for e in range(k):
            if core.signs[e] != core.found_signs[e]:
                is_same = 0
            if core.signs[e] != core.first_signs[e]:
                is_smooth = 0
            core.found_signs[e] = core.signs[e]
        for i in range(n):
            x[i] = 2.0 * end[i] - core.trial[i] if is_same + is_smooth == 2 else end[i]
        gone += h
        lasting = lasting + 1 if is_same == 1 else 0
        if lasting >= BURSTS.lasting or not gone < left:
            break
        if error < BURSTS.loose * BURSTS.tolerance:
            h *= 2.0
    put_signs(core, m, k, core.found_signs)
    if gone == 0.0:
        return 0.0
    for i in range(n):
        whole = x[i] - core.y[i]
        core.z[i] = C1 * whole
        core.z[n + i] = C2 * whole
        core.z[2 * n + i] = whole
        core.p[2 * n + i] = whole / gone
    return gone
