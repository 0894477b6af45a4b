"""One position of all ideal elements, tried: does it begin here, and does it last?

    code = begins_here(m, k, t, may_jump)      RIGHT: Y, SLOPE and the mode are those that come next
    status = select_others(m, k, t)            elements that are not pinned, decided together

`core/pieces.py` asks, where the selection of all elements together finds nothing: beyond the fold of a
curve both branches that meet there have ended, and the solution is on another piece of it.
"""

from __future__ import annotations

from freewheel.machine.addresses import floats_at, function_at, ints_at
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Function, Int, Ints
from freewheel.runtime.kernels.core_events import core_events, holds_on, take_mode
from freewheel.runtime.kernels.core_folds import core_folds, is_stored, returns, usual_rate
from freewheel.runtime.kernels.core_guess import (
    GUARD,
    JUMP,
    LEFT_OVER,
    find_mode,
    jumps,
    look_ahead,
    look_of,
)
from freewheel.runtime.kernels.core_linear import tick
from freewheel.runtime.kernels.core_places import (
    BEFORE,
    ERR,
    FOLD,
    HEAD,
    IS_LINEAR,
    LOOK,
    MODE,
    SAVED,
    SLOPE,
    TAU,
    TIED,
    TRIAL,
    N,
    T,
    Y,
)
from freewheel.runtime.kernels.core_select import select_core
from freewheel.runtime.kernels.core_sizes import (
    begin_parts,
    measure_core,
    remember_core,
    roughen,
    to_their_sides,
    worst_guard,
)
from freewheel.runtime.kernels.core_step import consistent_core
from freewheel.runtime.kernels.core_table import (
    K_BASIS,
    K_C,
    K_JACOBIANS,
    K_KEYS,
    K_RATES,
    K_RECORDS,
    K_STRIDE,
    K_W,
)

core_pieces = KernelModule("core_pieces", core_events, core_folds)

# NOT_YET: matrices of the values in BEFORE led a part of the way. BEYOND: it begins with an impulse that
# brings the element in FIRED beyond its corner. LEAVES: it begins, but a moment later FIRED is beyond.
WRONG, RIGHT, NOT_YET, BEYOND, LEAVES = range(5)

# Of the time in which the fastest state passes its size: so long a piece must last beyond a fold. The time
# scale of a mode at a fold is none. A branch that ends there has residuals of this size, which is a hundred
# times what a restart leaves.
AFTER_FOLD = 1e-5


@core_pieces.kernel
def later(
    rates: Function, m: Floats, w: Floats, c: Ints, record: Floats, t: Float, look: Float
) -> Float:
    """TRIAL is the solution a moment later, states moved on by their rates; what is left of the residuals.
    On a branch that ends at the fold too there is none."""
    n = c[N]
    trial = w[HEAD + TRIAL * n :]
    slope = w[HEAD + SLOPE * n :]
    kept = w[HEAD + ERR * n :]
    for i in range(n):
        trial[i] = w[HEAD + Y * n + i]
        kept[i] = slope[i]
        if is_stored(c, record, i) == 1:
            trial[i] += look * slope[i]
    left = consistent_core(rates, m, w, c, record, t + look, trial)
    for i in range(n):
        slope[i] = kept[i]
    return left


@core_pieces.kernel
def begins_here(m: Floats, k: Ints, t: Float, may_jump: Int) -> Int:
    """The mode of the bits in memory, which has been analysed, from the values in BEFORE. The guards of all
    elements must hold there and a moment later: at a fold the ended branches still touch it."""
    w = floats_at(k[K_W])
    c = ints_at(k[K_C])
    rates = function_at(k[K_RATES])
    records = floats_at(k[K_RECORDS])
    n = c[N]
    y = w[HEAD + Y * n :]
    trial = w[HEAD + TRIAL * n :]
    mode = find_mode(m, c, ints_at(k[K_KEYS]))
    if mode < 0:
        return WRONG
    c[MODE] = mode
    w[T] = t
    record = records[mode * k[K_STRIDE] :]
    for i in range(n):
        y[i] = w[HEAD + BEFORE * n + i]
    if record[IS_LINEAR] == 0.0:
        to_their_sides(m, c, record, y)
    remember_core(m, w, c, w[HEAD + SAVED * n :])
    begin_parts(w, c, record)
    left = consistent_core(rates, m, w, c, record, t, y)
    tick(rates, m, w, c, record, t, y)
    roughen(w, c, record)
    measure_core(w, c, record, y)
    if not left < LEFT_OVER:
        return WRONG if record[IS_LINEAR] > 0.0 else NOT_YET
    has_jumped = 0 if jumps(w, c, record, record[TAU]) < JUMP else 1
    if has_jumped > may_jump:
        return WRONG
    worst = worst_guard(m, w, c, y)
    if not worst >= -GUARD:
        return BEYOND if has_jumped == 1 else WRONG
    if returns(w, c, record) == 1:
        return WRONG
    look = look_of(w, c, records, k[K_STRIDE])
    if c[FOLD] != 0:
        look = AFTER_FOLD / usual_rate(w, c, record)
    if c[FOLD] != 0 and record[IS_LINEAR] == 0.0:
        if not later(rates, m, w, c, record, t, look) < LEFT_OVER:
            return WRONG
    elif record[IS_LINEAR] == 0.0:
        for i in range(n):
            trial[i] = y[i] + look * w[HEAD + SLOPE * n + i]
    elif look_ahead(rates, m, w, c, record, look, ints_at(k[K_BASIS])) != 0:
        return WRONG
    measure_core(w, c, record, trial)
    if not worst_guard(m, w, c, trial) >= -GUARD:
        return LEAVES
    is_tied = record[IS_LINEAR] > 0.0 and record[TIED] > 0.0
    if is_tied and holds_on(rates, m, w, c, record, look) == 0:
        return WRONG
    take_mode(m, w, c, records, k[K_STRIDE], mode, worst)
    return RIGHT


@core_pieces.kernel
def select_others(m: Floats, k: Ints, t: Float) -> Int:
    """0: the bits of all elements that are not pinned are set, for the time after t."""
    w = floats_at(k[K_W])
    c = ints_at(k[K_C])
    look = w[LOOK]
    w[LOOK] = look_of(w, c, floats_at(k[K_RECORDS]), k[K_STRIDE])
    status = select_core(
        function_at(k[K_RATES]), function_at(k[K_JACOBIANS]), m, w, c, t,
        w[HEAD + BEFORE * c[N] :], ints_at(k[K_BASIS]),
    )  # fmt: skip
    w[LOOK] = look
    return status
