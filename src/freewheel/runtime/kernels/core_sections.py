"""The implicit core as the time loop sees it: sections that contain it, and a method that steps it.

    status = core_derivatives(m)      y made consistent in its mode, y' known, then the model's own
    status = core_discrete(m)         discrete equations, switches, mode and values of y together
    status = core_relations(m)        residuals; those of corners are the core's own business
    code = try_core(derivatives, jacobian, m, loop, t, limit)

Sections get the memory only: two places before its first slot stands the address of a table of
integers (`core_table.py`), kept up to date by `core/attach.py`.
"""

from __future__ import annotations

from math import inf

from freewheel.machine.addresses import floats_at, function_at, ints_at
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints, Section
from freewheel.runtime.core.model import CORE_FAILED  # K_FAILED says how
from freewheel.runtime.kernels.core_advance import INCONSISTENT, core_advance, guarded_step
from freewheel.runtime.kernels.core_bounds import core_bounds, forgive_rounding, move_inside
from freewheel.runtime.kernels.core_dense import core_dense, hand_over
from freewheel.runtime.kernels.core_equations import core_equations
from freewheel.runtime.kernels.core_events import rests_below, settle
from freewheel.runtime.kernels.core_folds import (
    begin_anew,
    core_folds,
    fold_ahead,
    is_stored,
    meet_fold,
    usual_rate,
)
from freewheel.runtime.kernels.core_guess import JUMP, find_mode, jumps
from freewheel.runtime.kernels.core_pieces import core_pieces
from freewheel.runtime.kernels.core_places import (
    ALL_BITS,
    ALL_LINEAR,
    ATOL_AT,
    BEFORE,
    BITS,
    CAUSE,
    E_AT,
    ELEMENTS,
    ERROR,
    EVER,
    FINISHED,
    FIRST_ORDER,
    FIX_AT,
    FLOOR,
    FOLD,
    FOLDED,
    FRESH,
    H_GOOD,
    H_MAX,
    HEAD,
    IS_LINEAR,
    MODE,
    MODE_BEFORE,
    NEARER,
    NEED_MODE,
    OPEN,
    RECORD_HEAD,
    RENEWED,
    SAVED,
    SETTLED,
    SIZE,
    SLOPE,
    STARTING,
    TAU,
    TREND,
    TRIAL,
    UNSEEN,
    WANTED,
    Y1,
    H,
    N,
    P,
    T,
    Y,
)
from freewheel.runtime.kernels.core_renew import renew_core
from freewheel.runtime.kernels.core_sizes import begin_parts, measure_core, to_their_sides
from freewheel.runtime.kernels.core_step import consistent_core
from freewheel.runtime.kernels.core_table import (
    AT_REST,
    BY_PIECE,
    BY_START,
    K_AWAKE,
    K_BASIS,
    K_BOUND_ROOM,
    K_BOUNDS,
    K_C,
    K_CAUSE,
    K_CURVES,
    K_DERIVATIVES,
    K_DISCRETE,
    K_EXTRA,
    K_FAILED,
    K_INITIAL,
    K_JACOBIANS,
    K_KEYS,
    K_PENDING,
    K_PIVOTS,
    K_RATES,
    K_RECORDS,
    K_REFRESH,
    K_RELATIONS,
    K_RESIDUAL_COUNT,
    K_RESIDUALS,
    K_SEEN,
    K_SETTLED,
    K_SHELL,
    K_SLOPES,
    K_STATES,
    K_STATUS_COUNT,
    K_STATUSES,
    K_STRIDE,
    K_SWITCHES,
    K_TIME,
    K_W,
    NO_AGREEMENT,
    PRESENT,
    TELL,
    UNBROKEN,
    X_CAUSE_TIME,
    X_HEAD,
    X_IMPULSE,
    X_KEY,
    X_OFFSET,
    X_SETTLED,
    X_TIME,
    X_WISHED,
)
from freewheel.runtime.kernels.follow import branches, forget_lost, is_lost
from freewheel.runtime.kernels.loop import Loop
from freewheel.runtime.kernels.outcomes import STEP_FAILED
from freewheel.runtime.kernels.step import STRETCH, stands_before, step

core_sections = KernelModule(
    "core_sections",
    branches,
    step,
    core_advance,
    core_bounds,
    core_equations,
    core_dense,
    core_folds,
    core_pieces,
    exports=("core_derivatives", "core_discrete", "core_start", "core_relations", "try_core",
             "inside_nothing", "flush_impulse", "rates_with_inputs", "jacobians_anywhere",
             "begins_here", "select_others"),
    inline=("counts", "add_scaled", "guard_of", "is_held", "corner_of", "tolerance_of", "tolerance_here",
            "key_of", "size_of", "residuals_of"),
)  # fmt: skip


MOST_TURNS = 20  # of discrete equations and modes
BEYOND = (
    1e-8  # of the time in which the fastest state passes its size: half of the digits tell a fold
)
FARTHER = 64.0
MOVED = 1e-9  # of an unknown: less is what making y consistent does to it
IMPULSE = 1e-8  # of the most that an equation has stored: less is rounding
TELLING = 1e4  # shortest steps: in less than that rounding moves what is close to a fold
WITHIN = 10.0  # times what the tolerance allows: less is none that anybody asked for


@core_sections.kernel
def present_mode(m: Floats, k: Ints, t: Float) -> Int:
    """The number of the mode of the bits in memory; a new one is analysed. -1: it cannot be."""
    c = ints_at(k[K_C])
    mode = find_mode(m, c, ints_at(k[K_KEYS]))
    if mode < 0:
        refresh = function_at(k[K_REFRESH])
        if refresh(PRESENT, Y, t) != 0:
            return -1
        mode = find_mode(m, c, ints_at(k[K_KEYS]))
    c[MODE] = mode
    return mode


@core_sections.kernel
def core_derivatives(m: Floats) -> Int:
    k = ints_at(int(m[-2]))
    w = floats_at(k[K_W])
    c = ints_at(k[K_C])
    n = c[N]
    t = m[k[K_TIME]]
    y = m[k[K_STATES] :]
    vector = w[HEAD + Y * n :]
    held = c[MODE]
    mode = find_mode(m, c, ints_at(k[K_KEYS]))
    if mode < 0:
        for i in range(n):
            vector[i] = y[i]
        mode = present_mode(m, k, t)
        if mode < 0:
            return CORE_FAILED
    c[MODE] = mode
    record = floats_at(k[K_RECORDS])[mode * k[K_STRIDE] :]
    kept = w[HEAD + TRIAL * n :]
    for i in range(n):
        kept[i] = y[i]
    left = consistent_core(function_at(k[K_RATES]), m, w, c, record, t, y)
    slope = w[HEAD + SLOPE * n :]
    out = m[k[K_SLOPES] :]
    for i in range(n):
        out[i] = slope[i]
        if not left < INCONSISTENT:  # near a fold, matrices of elsewhere lead away
            y[i] = kept[i]
    c[MODE] = held
    shell = function_at(k[K_DERIVATIVES])
    status = shell(m)
    if status == 0:
        status = keep_sides(m, k, mode)
    return status


@core_sections.kernel
def keep_sides(m: Floats, k: Ints, mode: Int) -> Int:
    """What nothing determines is chosen so that relations keep their statuses, where that is possible:
    bodies held several times over stay as long as any forces within the bounds hold them."""
    if ints_at(k[K_BOUNDS])[mode] == 0:
        return 0
    relations = function_at(k[K_RELATIONS])
    awake = 1.0
    if k[K_AWAKE] >= 0:  # what matters to nobody sets no bounds, not even while an event begins
        awake = m[k[K_AWAKE]]
        m[k[K_AWAKE]] = 1.0
    status = relations(m)
    if k[K_AWAKE] >= 0:
        m[k[K_AWAKE]] = awake
    if status != 0:
        return status
    n = ints_at(k[K_C])[N]
    record = floats_at(k[K_RECORDS])[mode * k[K_STRIDE] :]
    open_rows = floats_at(int(record[FIX_AT]))[int(record[OPEN]) * n :]
    bounds = floats_at(ints_at(k[K_BOUNDS])[mode])
    if move_inside(m, n, int(record[UNSEEN]), open_rows, bounds, m[k[K_STATES] :],
                   floats_at(k[K_BOUND_ROOM])) == 0:  # fmt: skip
        return 0
    shell = function_at(k[K_DERIVATIVES])
    return shell(m)


@core_sections.kernel
def core_relations(m: Floats) -> Int:
    """The core watches its corners by itself: here they agree with their statuses."""
    k = ints_at(int(m[-2]))
    shell = function_at(k[K_RELATIONS])
    status = shell(m)
    pairs = ints_at(k[K_RESIDUALS])
    for i in range(k[K_RESIDUAL_COUNT]):
        m[pairs[2 * i]] = m[pairs[2 * i + 1]]
    mode = find_mode(m, ints_at(k[K_C]), ints_at(k[K_KEYS]))
    if mode >= 0 and ints_at(k[K_BOUNDS])[mode] != 0:
        record = floats_at(k[K_RECORDS])[mode * k[K_STRIDE] :]
        forgive_rounding(m, int(record[UNSEEN]), floats_at(ints_at(k[K_BOUNDS])[mode]))
    return status


@core_sections.kernel
def put_statuses(m: Floats, k: Ints) -> Int:
    """Statuses of corners follow the bits; how many changed."""
    c = ints_at(k[K_C])
    triples = ints_at(k[K_STATUSES])
    count = 0
    for i in range(k[K_STATUS_COUNT]):
        is_set = m[c[BITS] + triples[3 * i]] > 0.5
        value = float(triples[3 * i + 2]) if is_set else -float(triples[3 * i + 2])
        if m[triples[3 * i + 1]] != value:
            m[triples[3 * i + 1]] = value
            count += 1
    return count


@core_sections.kernel
def settle_core(m: Floats, k: Ints, t: Float) -> Int:
    """Mode and values that follow on SAVED; 0, or what went wrong."""
    w = floats_at(k[K_W])
    c = ints_at(k[K_C])
    n = c[N]
    y = w[HEAD + Y * n :]
    saved = w[HEAD + SAVED * n :]
    before = w[HEAD + BEFORE * n :]
    w[T] = t
    for i in range(n):
        before[i] = saved[i]
        y[i] = saved[i]
    c[WANTED] = -1
    c[SETTLED] = 1
    c[RENEWED] = 0
    c[NEARER] = 0
    refresh = function_at(k[K_REFRESH])
    if c[STARTING] == 1 and k[K_CURVES] == 1 and refresh(BY_START, SAVED, t) == 0:
        return FINISHED
    if c[FOLD] != 0:
        return FINISHED if refresh(BY_PIECE, SAVED, t) == 0 else FOLDED
    status = NEED_MODE
    for _ in range(100):
        status = settle(
            function_at(k[K_RATES]), function_at(k[K_JACOBIANS]), m, w, c,
            floats_at(k[K_RECORDS]), k[K_STRIDE], ints_at(k[K_KEYS]), ints_at(k[K_BASIS]),
        )  # fmt: skip
        if status != NEED_MODE:
            break
        if refresh(PRESENT, BEFORE, t) != 0:
            return NEED_MODE
    for e in range(c[ELEMENTS]):
        if status == FINISHED and c[ALL_LINEAR] == 1 and rests_below(m, w, c, e) == 1:
            refresh(AT_REST, SAVED, t)
            break
    if status == FINISHED and c[ALL_LINEAR] == 0 and c[CAUSE] >= 0 and k[K_CURVES] == 1:
        record = floats_at(k[K_RECORDS])[c[MODE] * k[K_STRIDE] :]
        if not jumps(w, c, record, record[TAU]) < JUMP:
            refresh(UNBROKEN, SAVED, t)
    if status != FINISHED and k[K_CURVES] > 0 and refresh(BY_PIECE, SAVED, t) == 0:
        return FINISHED
    return status


@core_sections.kernel
def note_impulse(m: Floats, k: Ints, t: Float) -> None:
    """E (y+ - y-) of what has just been settled, told when integration goes on from here: by how much flux,
    charge or momentum grows, whichever side of its equation it was written on."""
    w = floats_at(k[K_W])
    c = ints_at(k[K_C])
    extra = floats_at(k[K_EXTRA])
    n = c[N]
    y = w[HEAD + Y * n :]
    saved = w[HEAD + SAVED * n :]
    ever = w[HEAD + EVER * n :]
    impulse = extra[X_HEAD + X_IMPULSE * n :]
    e = floats_at(k[K_RECORDS])[c[MODE] * k[K_STRIDE] + RECORD_HEAD + E_AT * n * n :]
    is_large = 0
    for i in range(n):
        total = 0.0
        size = 0.0
        largest = 0.0
        allowed = 0.0
        for j in range(n):
            if abs(e[i * n + j]) > abs(largest):
                largest = e[i * n + j]
            allowed += abs(e[i * n + j]) * w[HEAD + ATOL_AT * n + j]
            total += e[i * n + j] * (y[j] - saved[j])
            size += abs(e[i * n + j]) * max(abs(y[j]), abs(saved[j]), ever[j], 1e-3)
        impulse[i] = total if largest > 0.0 else -total
        if abs(total) > IMPULSE * size and abs(total) > WITHIN * allowed:
            is_large = 1
        else:
            impulse[i] = 0.0
    extra[X_TIME] = t
    k[K_PENDING] = is_large


@core_sections.kernel
def flush_impulse(k: Ints) -> Int:
    """Tell of the last impulse, if there is one."""
    if k[K_PENDING] == 0:
        return 0
    k[K_PENDING] = 0
    refresh = function_at(k[K_REFRESH])
    return refresh(TELL, 0, floats_at(k[K_EXTRA])[X_TIME])


@core_sections.kernel
def stays(m: Floats, k: Ints, t: Float) -> Int:
    """1 where the mode and the values of the last round are still right: then of two modes that are,
    none is taken in turn with the other. Y are the values."""
    w = floats_at(k[K_W])
    c = ints_at(k[K_C])
    n = c[N]
    mode = find_mode(m, c, ints_at(k[K_KEYS]))
    if mode < 0:
        return 0
    record = floats_at(k[K_RECORDS])[mode * k[K_STRIDE] :]
    y = w[HEAD + Y * n :]
    settled = floats_at(k[K_EXTRA])[X_HEAD + X_SETTLED * n :]
    w[T] = t
    for i in range(n):
        y[i] = settled[i]
    c[MODE] = mode
    begin_parts(w, c, record)
    left = consistent_core(function_at(k[K_RATES]), m, w, c, record, t, y)
    if not left < inf:
        return 0
    measure_core(w, c, record, y)
    for i in range(n):
        size = max(w[HEAD + SIZE * n + i], w[HEAD + FLOOR * n + i], abs(y[i]))
        if abs(y[i] - settled[i]) > MOVED * size:
            return 0
        y[i] = settled[i]
    return 1


@core_sections.kernel
def begin_settling(m: Floats, k: Ints, t: Float) -> Int:
    """The values before the event: where an iteration goes on, those it began with. 1 where it goes on
    and nothing has moved since the last round."""
    w = floats_at(k[K_W])
    c = ints_at(k[K_C])
    extra = floats_at(k[K_EXTRA])
    n = c[N]
    y = m[k[K_STATES] :]
    saved = w[HEAD + SAVED * n :]
    settled = extra[X_HEAD + X_SETTLED * n :]
    if extra[X_TIME] == t:
        stands = 1
        for i in range(n):  # what has moved since then was a reinit
            size = max(abs(y[i]), abs(settled[i]), abs(saved[i]), 1e-12)
            if abs(y[i] - settled[i]) > MOVED * size:
                saved[i] = y[i]
                stands = 0
        return stands
    for i in range(n):
        saved[i] = y[i]
    c[MODE_BEFORE] = find_mode(m, c, ints_at(k[K_KEYS]))
    c[CAUSE] = k[K_CAUSE] if extra[X_CAUSE_TIME] == t else -1
    if c[CAUSE] < 0:
        c[FOLD] = 0
    return 0


@core_sections.kernel
def switches_key(m: Floats, k: Ints) -> Float:
    """A number that changes with the bits that are no corners, and with what holds elements."""
    c = ints_at(k[K_C])
    key = 0.0
    for b in range(c[ALL_BITS]):
        key = 2.0 * key + m[c[BITS] + b]
        if key > 1e15:
            key -= 1e15
    return key


@core_sections.kernel
def agree_with_core(m: Floats, k: Ints, shell: Section) -> Int:
    """A section of the shell and the core's mode, in turn, until neither changes anything."""
    w = floats_at(k[K_W])
    c = ints_at(k[K_C])
    extra = floats_at(k[K_EXTRA])
    n = c[N]
    t = m[k[K_TIME]]
    y = m[k[K_STATES] :]
    slope = m[k[K_SLOPES] :]
    found = w[HEAD + Y * n :]
    saved = w[HEAD + SAVED * n :]
    rate = w[HEAD + SLOPE * n :]
    settled = extra[X_HEAD + X_SETTLED * n :]
    switches = function_at(k[K_SWITCHES])
    stands = begin_settling(m, k, t)
    key = -1.0
    for turn in range(MOST_TURNS):
        status = shell(m)
        if status != 0:
            return status
        if turn > 0:
            for i in range(n):
                # A loop of the initial system may have wished otherwise. A state of the shell may follow
                # from what the core has settled, but not if it jumped with the core.
                size = max(abs(settled[i]), abs(saved[i]))
                if i >= k[K_SHELL] or abs(settled[i] - saved[i]) > MOVED * size:
                    y[i] = settled[i]
        status = switches(m)
        if status != 0:
            return status
        if turn > 0 and switches_key(m, k) == key:
            return 0
        is_known = 1 if stands == 1 and turn == 0 and switches_key(m, k) == extra[X_KEY] else 0
        if is_known == 0 or stays(m, k, t) == 0:
            failed = settle_core(m, k, t)
            if failed != FINISHED:
                k[K_FAILED] = failed
                return CORE_FAILED
        key = switches_key(m, k)
        extra[X_KEY] = key
        note_impulse(m, k, t)
        put_statuses(m, k)
        for i in range(n):
            y[i] = found[i]
            settled[i] = found[i]
            slope[i] = rate[i]
        if k[K_SETTLED] >= 0:
            m[k[K_SETTLED]] = 1.0
    k[K_FAILED] = NO_AGREEMENT
    return CORE_FAILED


@core_sections.kernel
def core_discrete(m: Floats) -> Int:
    k = ints_at(int(m[-2]))
    return agree_with_core(m, k, function_at(k[K_DISCRETE]))


@core_sections.kernel
def core_start(m: Floats) -> Int:
    """The initial system, then the mode it leads to."""
    k = ints_at(int(m[-2]))
    extra = floats_at(k[K_EXTRA])
    initial = function_at(k[K_INITIAL])
    if k[K_SETTLED] >= 0:
        m[k[K_SETTLED]] = 0.0
    status = initial(m)
    if status != 0:
        return status
    extra[X_TIME] = inf  # nothing goes on from before
    n = ints_at(k[K_C])[N]
    for i in range(n):
        m[k[K_STATES] + i] += extra[X_HEAD + X_OFFSET * n + i]
        extra[X_HEAD + X_WISHED * n + i] = m[k[K_STATES] + i]
    c = ints_at(k[K_C])
    c[STARTING] = 1
    status = agree_with_core(m, k, function_at(k[K_INITIAL]))
    c[STARTING] = 0
    return status


@core_sections.kernel
def inside_nothing(loop: Loop) -> Int:
    """The interpolant is made with the step."""
    return 0


@core_sections.kernel
def next_try(m: Floats, k: Ints, t: Float, left: Float, longest: Float, may_stretch: Int) -> Float:
    """The size to be tried, 0: the matrices of the mode could not be had. It leaves no short step before
    the limit, as `step.fitted`."""
    w = floats_at(k[K_W])
    c = ints_at(k[K_C])
    record = floats_at(k[K_RECORDS])[c[MODE] * k[K_STRIDE] :]
    if record[IS_LINEAR] == 0.0 and c[FRESH] == 0:
        jacobians = function_at(k[K_JACOBIANS])
        n = c[N]
        x = w[HEAD + TRIAL * n :]
        for i in range(n):
            x[i] = w[HEAD + Y * n + i]
        to_their_sides(m, c, record, x)
        failed = jacobians(m, t, x, w[HEAD + SLOPE * n :], record[RECORD_HEAD:])
        if failed == 0:
            failed = renew_core(w, c, record)
        refresh = function_at(k[K_REFRESH])
        if failed != 0 and refresh(c[MODE], Y, t) != 0:
            return 0.0
        c[FRESH] = 1
    h = min(w[H], w[H_MAX])
    if c[FIRST_ORDER] == 0:
        h = min(h, longest)
    if h > left * (1.0 - 1e-9):
        return left
    if c[FIRST_ORDER] == 1:
        return h
    if may_stretch == 1 and STRETCH * h >= left and left <= min(w[H_MAX], longest):
        return left
    return min(h, 0.5 * left)


@core_sections.kernel
def is_off_branch(k: Ints, loop: Loop, t: Float) -> Int:
    """1: a loop of the shell has no solution on its branch at time t, with the states in the memory."""
    m = loop.memory
    m[k[K_TIME]] = t
    shell = function_at(k[K_DERIVATIVES])
    return 1 if shell(m) != 0 and is_lost(loop) == 1 else 0


@core_sections.kernel
def shell_is_lost(k: Ints, loop: Loop, t: Float, h: Float) -> Int:
    """1: the step ends where a loop of the shell has lost its branch. The equations of the core contain those
    loops only that lead to it."""
    m = loop.memory
    if loop.follow_slot == 0:
        return 0
    v = floats_at(k[K_W])
    n = ints_at(k[K_C])[N]
    for i in range(n):
        m[k[K_STATES] + i] = v[HEAD + Y1 * n + i]
        m[k[K_SLOPES] + i] = v[HEAD + (P + 2) * n + i]
    return is_off_branch(k, loop, t + h)


@core_sections.kernel
def loses_branch(k: Ints, loop: Loop, t: Float, usual: Float) -> Int:
    """1: where no step leads on, a loop of the shell is at a fold: a moment later it would be beyond. That
    may be short, where a state that sets out from zero makes the `usual` rate: then longer ones."""
    m = loop.memory
    if loop.follow_slot == 0:
        return 0
    v = floats_at(k[K_W])
    n = ints_at(k[K_C])[N]
    farthest = BEYOND * v[H_MAX]
    beyond = max(BEYOND / usual, BEYOND * farthest)
    while True:
        for i in range(n):
            m[k[K_STATES] + i] = v[HEAD + Y * n + i] + beyond * v[HEAD + SLOPE * n + i]
            m[k[K_SLOPES] + i] = v[HEAD + SLOPE * n + i]
        if is_off_branch(k, loop, t + beyond) == 1:
            return 1
        if beyond >= farthest:
            return 0
        beyond = min(FARTHER * beyond, farthest)


@core_sections.kernel
def try_core(loop: Loop, t: Float, limit: Float) -> Int:
    """One accepted step of the core, to `limit` at most, ending on the first event within."""
    m = loop.memory
    k = ints_at(int(m[-2]))
    v = floats_at(k[K_W])
    d = ints_at(k[K_C])
    n = d[N]
    y = v[HEAD + Y * n :]
    given = loop.y
    loop.core_event = 0
    if flush_impulse(k) != 0:
        loop.error = inf
        return STEP_FAILED
    floats_at(k[K_EXTRA])[X_TIME] = inf  # the event is over
    floats_at(k[K_EXTRA])[X_CAUSE_TIME] = inf
    is_same = 1 if v[T] == t else 0
    v[T] = t
    for i in range(n):
        if y[i] != given[i]:
            is_same = 0
        y[i] = given[i]
    mode = present_mode(m, k, t)
    if mode < 0:
        loop.error = inf
        return STEP_FAILED
    trend = v[HEAD + TREND * n :]
    if is_same == 0 or mode != d[MODE_BEFORE]:
        record = floats_at(k[K_RECORDS])[mode * k[K_STRIDE] :]
        if record[H_GOOD] > 0.0:
            v[H] = record[H_GOOD]
    d[MODE_BEFORE] = mode
    d[FOLD] = 0
    # Looks far ahead, into a past that is not known there, say nothing of what is large.
    here = floats_at(k[K_RECORDS])[mode * k[K_STRIDE] :]
    begin_parts(v, d, here)
    measure_core(v, d, here, y)
    left = limit - t
    taken = 0.0
    may_stretch = 1
    while taken == 0.0:
        h = next_try(m, k, t, left, loop.longest, may_stretch)
        may_stretch = 0
        shortest = max(loop.shortest, 4e-16 * abs(t))
        forget_lost(loop)
        if not h > shortest:
            here = floats_at(k[K_RECORDS])[mode * k[K_STRIDE] :]  # it may have moved
            begin_parts(v, d, here)  # attempts that failed may have been anywhere
            measure_core(v, d, here, y)
            for i in range(n):
                # Of a fast one the last, short steps know how fast it is, and not which way.
                fast = abs(loop.f[i]) if is_stored(d, here, i) == 0 else 0.0
                if fast > abs(trend[i]):
                    trend[i] = fast if trend[i] > 0.0 else -fast
                v[HEAD + SLOPE * n + i] = trend[i]
            if loses_branch(k, loop, t, usual_rate(v, d, here)) == 1:
                begin_anew(v, d, here)
                loop.error = inf
                return STEP_FAILED
            element = fold_ahead(m, v, d, here)
            if element < 0 or h == left:
                loop.error = inf
                loop.h = h
                return STEP_FAILED
            meet_fold(m, v, d, here, element, shortest)
            taken = min(2.0 * shortest, left)
            break
        taken = guarded_step(
            function_at(k[K_RATES]), function_at(k[K_JACOBIANS]), function_at(k[K_REFRESH]), m, v, d,
            floats_at(k[K_RECORDS])[mode * k[K_STRIDE] :], ints_at(k[K_PIVOTS])[2 * n * mode :], h, left,
        )  # fmt: skip
        here = floats_at(k[K_RECORDS])[mode * k[K_STRIDE] :]
        is_before = 0  # a fold, as nearly as numbers tell
        if taken > 0.0 and shell_is_lost(k, loop, t, taken) == 1:
            is_before = stands_before(loop, taken)
            v[H] = 0.25 * taken
            taken = 0.0
        elif taken == 0.0 and not v[ERROR] < inf and stands_before(loop, h) == 1:
            for i in range(n):
                v[HEAD + SLOPE * n + i] = loop.f[i]
            is_before = loses_branch(k, loop, t, usual_rate(v, d, here))
        if is_before == 1:
            begin_anew(v, d, here)
            loop.error = inf
            return STEP_FAILED
        if taken == 0.0:
            loop.rejected += 1
        elif taken > TELLING * shortest:
            for i in range(n):
                trend[i] = v[HEAD + (P + 2) * n + i]
    hand_over(k, loop, t, taken, limit)
    ints_at(k[K_SEEN])[mode] = 1
    return 0
