"""Folds with a horizontal tangent: where the unknown of an element moves faster than any step can follow.

    e = fold_ahead(core, mode, m)               the corner ahead of the curve that folds; -1: none does
    meet_fold(core, mode, m, e, shortest)       the step of no length that ends there
    returns(core, mode)                         1: a solution that leads back into the fold

Near the peak of i = 1 - (s - 1)^2 a current that rises with time makes s = 1 - sqrt(t* - t): the rate of s
grows without bound while the states move as ever, and no step passes t*. Where steps have become as short as
time can resolve, the time of the fold is known to the last digit, and what lies beyond is found by the
search of `switched_dae/position_search.py`.
"""

from __future__ import annotations

from math import inf

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.switched_dae.memory import Core, Mode
from freewheel.runtime.switched_dae.scaling import core_sizes, corner_of, is_held
from freewheel.runtime.switched_dae.thresholds import CURVES
from freewheel.runtime.thresholds import TINIEST

core_folds = KernelModule("core_folds", core_sizes)


@core_folds.kernel
def is_stored(core: Core, mode: Mode, i: Int) -> Int:
    n = core.n
    for row in range(n):
        if mode.matrices[n * n + row * n + i] != 0.0:
            return 1
    return 0


@core_folds.kernel
def relative_rate(core: Core, i: Int) -> Float:
    size = max(core.size[i], core.corner_floor[i], TINIEST)
    return abs(core.slope[i]) / size


@core_folds.kernel
def usual_rate(core: Core, mode: Mode) -> Float:
    """Of the fastest state, where there is one that moves; at least one size in the longest step."""
    rate = 1.0 / core.h_max
    for i in range(core.n):
        if is_stored(core, mode, i) == 1:
            rate = max(rate, relative_rate(core, i))
    return rate


@core_folds.kernel
def begin_anew(core: Core, mode: Mode) -> None:
    """The first step beyond a fold: the short ones before say nothing of what follows."""
    core.h = CURVES.first_step / usual_rate(core, mode)
    mode.h_good = core.h


@core_folds.kernel
def fold_ahead(core: Core, mode: Mode, m: Floats) -> Int:
    """Element of the fastest unknown, where that one folds: the next corner in the direction of its motion,
    else the last one behind. `fold` becomes the direction."""
    k = core.element_count
    core.fold = 0
    if mode.is_linear == 1:
        return -1
    fastest = CURVES.fast * usual_rate(core, mode)
    folding = -1
    for e in range(k):
        s = core.elements[e].unknown
        rate = relative_rate(core, s)
        if is_held(core, m, e) == 0 and is_stored(core, mode, s) == 0 and rate > fastest:
            fastest = rate
            folding = s
    if folding < 0:
        return -1
    core.fold = 1 if core.slope[folding] > 0.0 else -1
    found = -1
    nearest = inf
    for e in range(k):
        if core.elements[e].unknown == folding and is_held(core, m, e) == 0:
            apart = float(core.fold) * (corner_of(core, m, e) - core.y[folding])
            is_above = m[core.elements[e].bit_slot] > 0.5
            is_behind = is_above if core.fold == 1 else not is_above
            distance = 1e150 - apart if is_behind else max(apart, 0.0)
            if distance < nearest:
                nearest = distance
                found = e
    return found


@core_folds.kernel
def meet_fold(core: Core, mode: Mode, m: Floats, e: Int, shortest: Float) -> None:
    """`y1` and the stages of a step in which nothing moves; s is at the corner where it is within reach."""
    n = core.n
    s = core.elements[e].unknown
    for i in range(n):
        core.y1[i] = core.y[i]
        core.p[2 * n + i] = core.slope[i]
    for i in range(3 * n):
        core.z[i] = 0.0
    apart = corner_of(core, m, e) - core.y[s]
    if abs(apart) <= CURVES.within_reach * shortest * abs(core.slope[s]):
        core.y1[s] = corner_of(core, m, e)
    core.fired = e
    core.wanted = 2
    begin_anew(core, mode)


@core_folds.kernel
def returns(core: Core, mode: Mode) -> Int:
    """1: at the event of a fold, s is on the branch that leads into the fold from the other side."""
    if core.fold == 0 or mode.is_linear == 1:
        return 0
    s = core.elements[core.cause].unknown
    if float(core.fold) * core.slope[s] >= 0.0:
        return 0
    return 1 if relative_rate(core, s) > CURVES.fast * usual_rate(core, mode) else 0
