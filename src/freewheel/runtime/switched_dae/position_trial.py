"""One position of all ideal elements, tried: does it begin here, and does it last?

    code = begins_here(core, m, t, may_jump)      RIGHT: y, slope and the mode are those that come next
    status = select_others(core, m, t)            elements that are not pinned, decided together

`switched_dae/position_search.py` asks, where the selection of all elements together finds nothing: beyond the
fold of a curve both branches that meet there have ended, and the solution is on another piece of it.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.switched_dae.folds_kernels import core_folds, is_stored, returns, usual_rate
from freewheel.runtime.switched_dae.linear_modes import tick
from freewheel.runtime.switched_dae.memory import Core, Mode
from freewheel.runtime.switched_dae.mode_change import core_events, holds_on, take_mode
from freewheel.runtime.switched_dae.mode_guesses import find_mode, jumps, look_ahead, look_of
from freewheel.runtime.switched_dae.mode_selection import select_core
from freewheel.runtime.switched_dae.radau_descriptor import consistent_core
from freewheel.runtime.switched_dae.scaling import (
    begin_parts,
    measure_core,
    remember_core,
    roughen,
    to_their_sides,
    worst_guard,
)
from freewheel.runtime.switched_dae.thresholds import RESTART

core_pieces = KernelModule("core_pieces", core_events, core_folds)

# NOT_YET: matrices of the values in `before` led a part of the way. BEYOND: it begins with an impulse that
# brings the element `fired` beyond its corner. LEAVES: it begins, but a moment later `fired` is beyond.
WRONG, RIGHT, NOT_YET, BEYOND, LEAVES = range(5)


@core_pieces.kernel
def later(core: Core, mode: Mode, m: Floats, t: Float, look: Float) -> Float:
    """`trial` is the solution a moment later, states moved on by their rates; what is left of the residuals.
    On a branch that ends at the fold too there is none."""
    n = core.n
    trial = core.trial
    slope = core.slope
    kept = core.err
    for i in range(n):
        trial[i] = core.y[i]
        kept[i] = slope[i]
        if is_stored(core, mode, i) == 1:
            trial[i] += look * slope[i]
    left = consistent_core(core, mode, m, t + look, trial)
    for i in range(n):
        slope[i] = kept[i]
    return left


@core_pieces.kernel
def begins_here(core: Core, m: Floats, t: Float, may_jump: Int) -> Int:
    """The mode of the bits in memory, which has been analysed, from the values in `before`. The guards of all
    elements must hold there and a moment later: at a fold the ended branches still touch it."""
    n = core.n
    y = core.y
    trial = core.trial
    number = find_mode(core, m)
    if number < 0:
        return WRONG
    core.mode = number
    core.t = t
    mode = core.visited[number].mode
    for i in range(n):
        y[i] = core.before[i]
    if mode.is_linear == 0:
        to_their_sides(core, mode, m, y)
    remember_core(core, m, core.saved)
    begin_parts(core, mode)
    left = consistent_core(core, mode, m, t, y)
    tick(core, mode, m, t, y)
    roughen(core, mode)
    measure_core(core, mode, y)
    if not left < RESTART.left_over:
        return WRONG if mode.is_linear == 1 else NOT_YET
    has_jumped = 0 if jumps(core, mode, mode.tau) < RESTART.jump else 1
    if has_jumped > may_jump:
        return WRONG
    worst = worst_guard(core, m, y)
    if not worst >= -RESTART.guard:
        return BEYOND if has_jumped == 1 else WRONG
    if returns(core, mode) == 1:
        return WRONG
    look = look_of(core)
    if core.fold != 0:
        look = RESTART.after_fold / usual_rate(core, mode)
    if core.fold != 0 and mode.is_linear == 0:
        if not later(core, mode, m, t, look) < RESTART.left_over:
            return WRONG
    elif mode.is_linear == 0:
        for i in range(n):
            trial[i] = y[i] + look * core.slope[i]
    elif look_ahead(core, mode, m, look) != 0:
        return WRONG
    measure_core(core, mode, trial)
    if not worst_guard(core, m, trial) >= -RESTART.guard:
        return LEAVES
    is_tied = mode.is_linear == 1 and mode.tied > 0
    if is_tied and holds_on(core, mode, m, look) == 0:
        return WRONG
    take_mode(core, m, number, worst)
    return RIGHT


@core_pieces.kernel
def select_others(core: Core, m: Floats, t: Float) -> Int:
    """0: the bits of all elements that are not pinned are set, for the time after t."""
    look = core.look
    core.look = look_of(core)
    status = select_core(core, m, t, core.before)
    core.look = look
    return status
