"""The implicit core as the time loop sees it: sections that contain it, and a method that steps it.

    status = core_derivatives(m)      y made consistent in its mode, y' known, then the model's own
    status = core_discrete(m)         discrete equations, switches, mode and values of y together
    status = core_relations(m)        residuals; those of corners are the core's own business
    code = try_core(derivatives, jacobian, m, w, c, t, limit)

Sections get the memory only: two places before its first slot stands the address of a table of
integers (the K_... below), kept up to date by `core/attach.py`.
"""

from __future__ import annotations

from math import inf

from freewheel.machine.addresses import floats_at, function_at, ints_at
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Function, Int, Ints, Section
from freewheel.runtime.core.model import CORE_FAILED  # K_FAILED says how
from freewheel.runtime.kernels import core_places as core
from freewheel.runtime.kernels import places as loop
from freewheel.runtime.kernels.core_advance import core_advance, guarded_step
from freewheel.runtime.kernels.core_bounds import core_bounds, forgive_rounding, move_inside
from freewheel.runtime.kernels.core_events import settle
from freewheel.runtime.kernels.core_guess import find_mode
from freewheel.runtime.kernels.core_places import (
    ALL_BITS,
    BEFORE,
    BITS,
    CAUSE,
    E_AT,
    EVER,
    FINISHED,
    FIRED,
    FIRST_ORDER,
    FIX_AT,
    FLOOR,
    FRESH,
    H_GOOD,
    H_MAX,
    IS_LINEAR,
    LAYERED,
    MATRICES,
    MODE_BEFORE,
    NEED_LAYER,
    NEED_MODE,
    OPEN,
    RECORD_HEAD,
    RENEWED,
    SAVED,
    SETTLED,
    SIZE,
    TRIAL,
    UNSEEN,
    WANTED,
    WEIGHTS,
    P,
    Z,
)
from freewheel.runtime.kernels.core_renew import renew_core
from freewheel.runtime.kernels.core_sizes import (
    begin_parts,
    measure_core,
    to_their_sides,
)
from freewheel.runtime.kernels.core_step import consistent_core
from freewheel.runtime.kernels.core_tableau import (
    C1,
    C2,
    P11,
    P12,
    P13,
    P21,
    P22,
    P23,
    P31,
    P32,
    P33,
)

core_sections = KernelModule(
    "core_sections",
    core_advance,
    core_bounds,
    exports=("core_derivatives", "core_discrete", "core_start", "core_relations", "try_core",
             "inside_nothing", "flush_impulse", "rates_with_inputs", "jacobians_anywhere"),
    inline=("counts", "add_scaled", "guard_of", "is_held", "corner_of", "tolerance_of", "key_of",
            "size_of", "residuals_of"),
)  # fmt: skip

# Constants of the two arrays' layouts: those of the core have plain names, the loop's an L_.
HEAD, Y, Y1, SLOPE, N, T, H, MODE, INDEX = (
    core.HEAD,
    core.Y,
    core.Y1,
    core.SLOPE,
    core.N,
    core.T,
    core.H,
    core.MODE,
    core.INDEX,
)
L_HEAD, L_Y, L_Y1, L_F1, L_DENSE = loop.HEAD, loop.Y, loop.Y1, loop.F1, loop.DENSE
L_F = loop.F
L_N, L_T1, L_H, L_H_TAKEN, L_ERROR = loop.N, loop.T1, loop.H, loop.H_TAKEN, loop.ERROR
L_SHORTEST, L_STIFFNESS, L_LONGEST = loop.SHORTEST, loop.STIFFNESS, loop.LONGEST
L_AT_END, L_DENSE_READY, L_REJECTED = loop.AT_END, loop.DENSE_READY, loop.REJECTED
L_CORE_EVENT, L_STEP_FAILED, L_TIME = loop.CORE_EVENT, loop.STEP_FAILED, loop.TIME
L_AT_WHICH, L_CROSSING = loop.AT_WHICH, loop.CROSSING

# ---------------------------------------------------------------- the table of a core
K_RATES, K_JACOBIANS, K_REFRESH, K_W, K_C, K_RECORDS, K_STRIDE, K_PIVOTS, K_KEYS, K_BASIS = range(
    10
)
K_DERIVATIVES, K_DISCRETE, K_RELATIONS, K_SWITCHES, K_INITIAL = range(10, 15)  # the shell's code
K_STATES, K_SLOPES, K_TIME = range(15, 18)  # slots
K_STATUSES, K_STATUS_COUNT = range(18, 20)  # address of (bit, slot, +1 or -1) ..., how many
K_RESIDUALS, K_RESIDUAL_COUNT = range(20, 22)  # address of (residual slot, status slot) ...
K_EXTRA, K_PENDING, K_FAILED = range(22, 25)  # address of own floats; impulse to be told; status
K_ELEMENT_RELATIONS = 25  # address of the relation's number of each element
K_CAUSE = 26  # element whose guard ended the last step
K_SETTLED = 27  # slot: `initial` keeps y while it is set; -1: there is none
K_MODEL_RATES = 28  # the model's own `rates` where inputs must be followed
K_INPUTS, K_INPUT_SLOTS, K_LINES = range(
    29, 32
)  # how many, addresses: slots; t0, y0, slope, t1, y1
K_SPARE = 32  # address of 8 n floats
K_MODEL_JACOBIANS = 33
K_SHELL = 34  # how many of y are states of the shell
K_SEEN = 35  # address: 1 for each mode in which a step was taken
K_BOUNDS, K_BOUND_ROOM = 36, 37  # addresses: of the bounds of each mode, see `core_bounds`; of room
K_AWAKE = 38  # slot: 0.0 while all relations matter to somebody; -1: there is none
K_SIZE = 39

# own floats: numbers, then vectors of n
X_TIME, X_CAUSE_TIME, X_KEY = 0, 1, 2
X_HEAD = 4
X_SETTLED, X_IMPULSE = 0, 1  # y as settled last; E (y+ - y-)
X_OFFSET = 2  # what a steady start adds to the values that the initial system gives
X_VECTORS = 3

PRESENT, TELL, IN_LAYER = -1, -2, -3  # what `refresh` is asked for instead of a mode's number
MOST_TURNS = 20  # of discrete equations and modes
NO_AGREEMENT = 20
ASIDE = 1e-7  # of an unknown, for differences
MOVED = 1e-9  # of an unknown: less is what making y consistent does to it
IMPULSE = 1e-8  # of the most that an equation has stored: less is rounding


@core_sections.kernel
def put_inputs(m: Floats, k: Ints, t: Float, ahead: Float) -> None:
    """Straight pieces of inputs at t; `ahead` times their slope further on."""
    slots = ints_at(k[K_INPUT_SLOTS])
    lines = floats_at(k[K_LINES])
    for i in range(k[K_INPUTS]):
        line = lines[5 * i :]
        inside = line[1] + line[2] * (t - line[0])
        m[slots[i]] = (inside if t < line[3] else line[4]) + ahead * line[2]


@core_sections.kernel
def rates_with_inputs(m: Floats, t: Float, order: Int, ys: Floats, out: Floats) -> Int:
    """Inputs move while the core takes a step: the model's `rates` know them as slots only. Their
    part of dF/dt is a difference, exact where F is linear in them."""
    k = ints_at(int(m[-2]))
    c = ints_at(k[K_C])
    rates = function_at(k[K_MODEL_RATES])
    put_inputs(m, k, t, 0.0)
    status = rates(m, t, order, ys, out)
    if order == 1 and status == 0:
        here = floats_at(k[K_SPARE])
        status = rates(m, t, 0, ys, here)
        there = here[c[N] :]
        put_inputs(m, k, t, 1.0)
        if status == 0:
            status = rates(m, t, 0, ys, there)
        put_inputs(m, k, t, 0.0)
        for i in range(c[N]):
            out[i] += there[i] - here[i]
    return status


@core_sections.kernel
def jacobians_anywhere(m: Floats, t: Float, y: Floats, slope: Floats, out: Floats) -> Int:
    """Where a formula has no slope (a root at zero) differences tell as much as is needed."""
    k = ints_at(int(m[-2]))
    n = ints_at(k[K_C])[N]
    jacobians = function_at(k[K_MODEL_JACOBIANS])
    if jacobians(m, t, y, slope, out) == 0:
        return 0
    rates = function_at(k[K_RATES])
    ys = floats_at(k[K_SPARE])[2 * n :]
    here = ys[4 * n :]
    there = here[n:]
    for i in range(n):
        ys[i] = y[i]
        ys[n + i] = slope[i]
    if rates(m, t, 0, ys, here) != 0:
        return 1
    for j in range(2 * n):  # of y, then of y'
        held = ys[j]
        by = ASIDE * max(abs(held), 1.0)
        ys[j] = held + by
        if rates(m, t, 0, ys, there) != 0:
            return 1
        ys[j] = held
        target = out if j < n else out[n * n :]
        column = j if j < n else j - n
        for i in range(n):
            target[i * n + column] = (there[i] - here[i]) / by
    return 0


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
    consistent_core(function_at(k[K_RATES]), m, w, c, record, t, y)
    slope = w[HEAD + SLOPE * n :]
    out = m[k[K_SLOPES] :]
    for i in range(n):
        out[i] = slope[i]
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
    c[LAYERED] = 0
    refresh = function_at(k[K_REFRESH])
    for _ in range(100):
        status = settle(
            function_at(k[K_RATES]), function_at(k[K_JACOBIANS]), m, w, c,
            floats_at(k[K_RECORDS]), k[K_STRIDE], ints_at(k[K_KEYS]), ints_at(k[K_BASIS]),
        )  # fmt: skip
        if status != NEED_MODE and status != NEED_LAYER:
            return status
        if refresh(PRESENT if status == NEED_MODE else IN_LAYER, BEFORE, t) != 0:
            return NEED_MODE
    return NEED_MODE


@core_sections.kernel
def note_impulse(m: Floats, k: Ints, t: Float) -> None:
    """E (y+ - y-) of what has just been settled; told when integration goes on from here."""
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
        for j in range(n):
            total += e[i * n + j] * (y[j] - saved[j])
            size += abs(e[i * n + j]) * max(abs(y[j]), abs(saved[j]), ever[j], 1e-3)
        impulse[i] = total
        if abs(total) > IMPULSE * size:
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
    return agree_with_core(m, k, function_at(k[K_INITIAL]))


@core_sections.kernel
def inside_nothing(w: Floats, c: Ints) -> Int:
    """The interpolant is made with the step."""
    return 0


@core_sections.kernel
def next_try(m: Floats, k: Ints, t: Float, left: Float, longest: Float) -> Float:
    """The size to be tried, 0: the matrices of the mode could not be had."""
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
    if h > 0.5 * left and c[FIRST_ORDER] == 0:
        return 0.5 * left
    return h


@core_sections.kernel
def try_core(
    derivatives: Section, jacobian: Function, m: Floats, w: Floats, c: Ints, t: Float, limit: Float
) -> Int:
    """One accepted step of the core, to `limit` at most, ending on the first event within."""
    k = ints_at(int(m[-2]))
    v = floats_at(k[K_W])
    d = ints_at(k[K_C])
    n = d[N]
    y = v[HEAD + Y * n :]
    given = w[L_HEAD + L_Y * n :]
    c[L_CORE_EVENT] = 0
    if flush_impulse(k) != 0:
        w[L_ERROR] = inf
        return L_STEP_FAILED
    floats_at(k[K_EXTRA])[X_TIME] = inf  # the event is over
    is_same = 1 if v[T] == t else 0
    v[T] = t
    for i in range(n):
        if y[i] != given[i]:
            is_same = 0
        y[i] = given[i]
    mode = present_mode(m, k, t)
    if mode < 0:
        w[L_ERROR] = inf
        return L_STEP_FAILED
    if is_same == 0 or mode != d[MODE_BEFORE]:
        record = floats_at(k[K_RECORDS])[mode * k[K_STRIDE] :]
        if record[H_GOOD] > 0.0:
            v[H] = record[H_GOOD]
    d[MODE_BEFORE] = mode
    left = limit - t
    taken = 0.0
    while taken == 0.0:
        h = next_try(m, k, t, left, w[L_LONGEST])
        if not h > max(w[L_SHORTEST], 4e-16 * abs(t)):
            w[L_ERROR] = inf
            w[L_H] = h
            return L_STEP_FAILED
        taken = guarded_step(
            function_at(k[K_RATES]), function_at(k[K_JACOBIANS]), function_at(k[K_REFRESH]), m, v, d,
            floats_at(k[K_RECORDS])[mode * k[K_STRIDE] :], ints_at(k[K_PIVOTS])[2 * n * mode :], h, left,
        )  # fmt: skip
        if taken == 0.0:
            c[L_REJECTED] += 1
    hand_over(m, k, w, c, t, taken, limit)
    ints_at(k[K_SEEN])[mode] = 1
    return 0


@core_sections.kernel
def polynomial_core(
    w: Floats, c: Ints, record: Floats, h: Float, slope: Floats, out: Floats
) -> None:
    """Coefficients of the collocation polynomial, as `dense_at` wants them. That of a storage gets the
    slope with which the step begins as well: what sets out from rest must not seem to go back first.

    The slope of the polynomial is wrong by a multiple of (x - c1)(x - c2)(x - 1), which is zero at the
    nodes; the value by the integral of that, zero at the end of the step. Taking it away makes the
    polynomial one order better. Not where the slope belongs to a transient that the step has passed.
    """
    n = c[N]
    z = w[HEAD + Z * n :]
    stores = record[RECORD_HEAD + MATRICES * n * n + WEIGHTS * n :]
    for i in range(n):
        z1 = z[i]
        z2 = z[n + i]
        z3 = z[2 * n + i]
        q1 = P11 * z1 + P12 * z2 + P13 * z3
        q2 = P21 * z1 + P22 * z2 + P23 * z3
        q3 = P31 * z1 + P32 * z2 + P33 * z3
        q4 = 0.0
        if stores[i] > 0.0 and c[FIRST_ORDER] == 0:
            q4 = (q1 - h * slope[i]) / (4.0 * C1 * C2)
            if not abs(q4) <= abs(q1) + abs(q2) + abs(q3):
                q4 = 0.0
        out[i] = q1 - 4.0 * q4 * C1 * C2
        out[n + i] = q2 + 2.0 * q4 * (C1 + C2 + C1 * C2)
        out[2 * n + i] = q3 - 4.0 / 3.0 * q4 * (1.0 + C1 + C2)
        out[3 * n + i] = q4


@core_sections.kernel
def hand_over(m: Floats, k: Ints, w: Floats, c: Ints, t: Float, h: Float, limit: Float) -> None:
    """The step as the time loop wants it: end, slope, interpolant, event."""
    v = floats_at(k[K_W])
    d = ints_at(k[K_C])
    n = d[N]
    y1 = v[HEAD + Y1 * n :]
    slope = v[HEAD + (P + 2) * n :]
    out = w[L_HEAD + L_Y1 * n :]
    f1 = w[L_HEAD + L_F1 * n :]
    for i in range(n):
        out[i] = y1[i]
        f1[i] = slope[i]
    record = floats_at(k[K_RECORDS])[d[MODE] * k[K_STRIDE] :]
    polynomial_core(v, d, record, h, w[L_HEAD + L_F * n :], w[L_HEAD + L_DENSE * n :])
    w[L_T1] = limit if h == limit - t else t + h
    w[L_H_TAKEN] = h
    w[L_H] = v[H]
    w[L_ERROR] = 0.0
    w[L_STIFFNESS] = 0.0
    c[L_AT_END] = 0
    c[L_DENSE_READY] = 1
    if d[WANTED] == 2:
        relations = ints_at(k[K_ELEMENT_RELATIONS])
        k[K_CAUSE] = d[FIRED]
        floats_at(k[K_EXTRA])[X_CAUSE_TIME] = w[L_T1]
        c[L_CORE_EVENT] = 1 + relations[d[FIRED]]
