"""What a method that is not the core's own asks of the core: to go on in a mode, to renew its matrices.

mode = core_go_on(m, t)             # the event is over; -1: it cannot go on
status = core_point(m)              # y, y' and the shell at a guess, in a mode that bends
status = core_renew_here(m, t)      # matrices of such a mode, at the point in memory
status = core_in_mode(m)            # y, y' and the shell in the mode of any memory
"""

from __future__ import annotations

from math import inf

from freewheel.machine.addresses import floats_at, function_at, ints_at
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints
from freewheel.runtime.core.model import CORE_FAILED
from freewheel.runtime.kernels.core_guess import find_mode
from freewheel.runtime.kernels.core_places import (
    H_GOOD,
    H_MAX,
    HEAD,
    IS_LINEAR,
    MODE,
    MODE_BEFORE,
    OUTPUT,
    RECORD_HEAD,
    SLOPE,
    TAU,
    TRIAL,
    H,
    N,
    Y,
)
from freewheel.runtime.kernels.core_renew import renew_core
from freewheel.runtime.kernels.core_sections import (
    core_derivatives,
    core_sections,
    flush_impulse,
    keep_sides,
    present_mode,
)
from freewheel.runtime.kernels.core_sizes import grow_core, to_their_sides
from freewheel.runtime.kernels.core_step import consistent_core, moved_core
from freewheel.runtime.kernels.core_table import (
    K_C,
    K_DERIVATIVES,
    K_EXTRA,
    K_JACOBIANS,
    K_KEYS,
    K_RATES,
    K_RECORDS,
    K_REFRESH,
    K_SEEN,
    K_SLOPES,
    K_STATES,
    K_STRIDE,
    K_TIME,
    K_W,
    X_TIME,
)

core_visits = KernelModule(
    "core_visits",
    core_sections,
    exports=("core_go_on", "core_point", "core_renew_here", "core_seen_here", "core_in_mode"),
)

TYPICAL = 1e-3  # of the time scale of a mode: as far as the choice of the next mode looks, or less
STALE = 0.05  # change of balanced matrices: more needs a new analysis
TRIALS = 6  # of matrices on the way to a point
RESOLVED, POOR = 1e-11, 1e-6  # residuals of a point, relative: none; too many
KEPT = 0.95  # of a size, whenever it is looked at


@core_visits.kernel
def take_point(m: Floats, k: Ints) -> None:
    """Y and SLOPE of the core become those in memory."""
    w = floats_at(k[K_W])
    n = ints_at(k[K_C])[N]
    for i in range(n):
        w[HEAD + Y * n + i] = m[k[K_STATES] + i]
        w[HEAD + SLOPE * n + i] = m[k[K_SLOPES] + i]


@core_visits.kernel
def core_go_on(m: Floats, t: Float) -> Int:
    """The impulse of the event is told. Steps there are none: that one would be made says `H_GOOD`."""
    k = ints_at(int(m[-2]))
    w = floats_at(k[K_W])
    c = ints_at(k[K_C])
    if flush_impulse(k) != 0:
        return -1
    floats_at(k[K_EXTRA])[X_TIME] = inf
    take_point(m, k)
    mode = present_mode(m, k, t)
    if mode < 0:
        return -1
    c[MODE_BEFORE] = mode
    ints_at(k[K_SEEN])[mode] = 1
    record = floats_at(k[K_RECORDS])[mode * k[K_STRIDE] :]
    w[H] = min(TYPICAL * record[TAU], w[H_MAX]) if record[TAU] > 0.0 else w[H_MAX]
    record[H_GOOD] = w[H]
    return mode


@core_visits.kernel
def core_seen_here(m: Floats) -> Int:
    """The values in memory have been reached: sizes of unknowns grow, and are slowly forgotten."""
    k = ints_at(int(m[-2]))
    w = floats_at(k[K_W])
    c = ints_at(k[K_C])
    record = floats_at(k[K_RECORDS])[c[MODE] * k[K_STRIDE] :]
    grow_core(m, w, c, record, m[k[K_STATES] :], KEPT)
    return 0


@core_visits.kernel
def renew_matrices(m: Floats, k: Ints, t: Float, stale: Float) -> Int:
    """Those of the present mode at the point in memory, where they have moved by more than `stale`; 1: the
    mode cannot be analysed there."""
    w = floats_at(k[K_W])
    c = ints_at(k[K_C])
    n = c[N]
    take_point(m, k)
    record = floats_at(k[K_RECORDS])[c[MODE] * k[K_STRIDE] :]
    x = w[HEAD + TRIAL * n :]
    for i in range(n):
        x[i] = w[HEAD + Y * n + i]
    to_their_sides(m, c, record, x)
    jacobians = function_at(k[K_JACOBIANS])
    failed = jacobians(m, t, x, w[HEAD + SLOPE * n :], record[RECORD_HEAD:])
    if failed == 0 and moved_core(c, record) <= stale:
        return 0
    if failed == 0:
        failed = renew_core(w, c, record)
    if failed == 0:
        return 0
    refresh = function_at(k[K_REFRESH])
    return refresh(c[MODE], Y, t)


@core_visits.kernel
def core_renew_here(m: Floats, t: Float) -> Int:
    return renew_matrices(m, ints_at(int(m[-2])), t, STALE)


@core_visits.kernel
def core_point(m: Floats) -> Int:
    """As `core_derivatives` in a mode that bends, from a guess that may be far away: where iteration does
    not lead to the end, it goes on with matrices of the guess, then with those of where it came to."""
    k = ints_at(int(m[-2]))
    w = floats_at(k[K_W])
    c = ints_at(k[K_C])
    n = c[N]
    t = m[k[K_TIME]]
    y = m[k[K_STATES] :]
    guess = w[HEAD + OUTPUT * n :]
    record = floats_at(k[K_RECORDS])[c[MODE] * k[K_STRIDE] :]
    for i in range(n):
        guess[i] = y[i]
    left = consistent_core(function_at(k[K_RATES]), m, w, c, record, t, y)
    for trial in range(TRIALS):
        if left < RESOLVED:
            break
        if trial == 0 or not left < inf:
            for i in range(n):
                y[i] = guess[i]
        if renew_matrices(m, k, t, 0.0) != 0:
            return CORE_FAILED
        left = consistent_core(function_at(k[K_RATES]), m, w, c, record, t, y)
    if not left < POOR:
        return CORE_FAILED
    slope = m[k[K_SLOPES] :]
    for i in range(n):
        slope[i] = w[HEAD + SLOPE * n + i]
    shell = function_at(k[K_DERIVATIVES])
    status = shell(m)
    if status == 0:
        status = keep_sides(m, k, c[MODE])
    return status


@core_visits.kernel
def core_in_mode(m: Floats) -> Int:
    """As `core_derivatives` for a memory that need not be the model's own: the mode of its bits has been
    visited, and what is going on in the core is not disturbed."""
    k = ints_at(int(m[-2]))
    c = ints_at(k[K_C])
    held = c[MODE]
    mode = find_mode(m, c, ints_at(k[K_KEYS]))
    if mode < 0:
        return CORE_FAILED
    c[MODE] = mode
    record = floats_at(k[K_RECORDS])[mode * k[K_STRIDE] :]
    status = core_derivatives(m) if record[IS_LINEAR] > 0.0 else core_point(m)
    c[MODE] = held
    return status
