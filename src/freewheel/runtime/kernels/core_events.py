"""Events of the implicit core: guards, the mode that comes next, the values it begins with.

Restarting goes in rounds from the values before the event: select a mode for all elements together,
make the values consistent with it, check the guards. A mode met for the first time is handed to
Python, which analyses its structure once.
"""

from __future__ import annotations

from freewheel.machine.addresses import floats_at
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Function, Int, Ints
from freewheel.runtime.kernels.core_guess import (
    ALL_NEAR,
    AS_IT_IS,
    GUARD,
    JUMP,
    LEFT_OVER,
    NEARER_BY,
    are_others,
    core_guess,
    find_mode,
    flip,
    flip_near,
    is_right,
    jumps,
    leaves,
    look_ahead,
    look_of,
    next_guess,
    note_successor,
    opens,
    put_elements,
)
from freewheel.runtime.kernels.core_linear import consistent_linear, tick
from freewheel.runtime.kernels.core_places import (
    ALLOWED,
    BEFORE,
    BIT,
    BITS,
    CAUSE,
    CONTRADICTION,
    ELEMENTS,
    EVER,
    FINISHED,
    FIRST_ORDER,
    FLOOR,
    GUESS,
    GUESSED,
    HASTY,
    HEAD,
    HELD,
    IS_GRADED,
    IS_LINEAR,
    LOOK,
    MODE,
    MODE_BEFORE,
    NEARER,
    NEED_MODE,
    NO_MODE,
    RENEWED,
    ROLES,
    SAVED,
    SETTLED,
    SETTLED_AT,
    SETTLED_FOR,
    SIZE,
    SLOPE,
    STATES,
    TABLES,
    TAU,
    TIED,
    TREND,
    TRIAL,
    UNKNOWN,
    V_AT,
    VECTORS,
    WANTED,
    H,
    N,
    T,
    Y,
)
from freewheel.runtime.kernels.core_select import LOOKS, select_core
from freewheel.runtime.kernels.core_sizes import (
    begin_parts,
    grow_core,
    guard_of,
    is_held,
    measure_core,
    remember_core,
    roughen,
    to_their_sides,
    worst_guard,
)
from freewheel.runtime.kernels.core_step import consistent_core

core_events = KernelModule("core_events", core_guess)

MOST_SETTLED = 25  # rounds of selection and restart
ROUNDING = 1e-14  # of the largest unknown
SOON = 1e-6  # of the time scale of a mode
MOST_RENEWED = 12
NEAREST = 3  # times a selection that may have looked too far is made again
FIRST_STEP = 0.01  # of the time scale of the first mode


@core_events.kernel
def looks_nearer(c: Ints) -> Int:
    return 1 if c[NEARER] > 0 and c[NEARER] <= NEAREST else 0


@core_events.kernel
def resolve(
    rates: Function, jacobians: Function, m: Floats, w: Floats, c: Ints, records: Floats,
    stride: Int, keys: Ints, basis: Ints,
) -> Int:  # fmt: skip
    """Select a mode. Where a guard was violated, in the mode before or in that of the last round, that mode
    is no answer: what happens within the look-ahead may be smaller than the leak of the selection,
    then look further. A second round looks less far: the first mode was violated at once, so something
    is faster than the look-ahead."""
    n = c[N]
    look = w[LOOK]
    w[LOOK] = look_of(w, c, records, stride)
    nearer = c[NEARER] if looks_nearer(c) == 1 else 0
    for _ in range((c[SETTLED] - 1) % LOOKS + nearer):
        w[LOOK] /= NEARER_BY
    status = 0
    left = c[MODE] if c[SETTLED] > 1 else (c[MODE_BEFORE] if c[CAUSE] >= 0 else -1)
    for _ in range(4):
        status = select_core(rates, jacobians, m, w, c, w[T], w[HEAD + BEFORE * n :], basis)
        if status != 0 or left < 0 or find_mode(m, c, keys) != left:
            break
        w[LOOK] *= 8.0
    w[LOOK] = look
    is_first = status == 0 and c[CAUSE] >= 0 and c[SETTLED] == 1
    if is_first and find_mode(m, c, keys) == c[MODE_BEFORE]:
        # as far as the selection can see nothing changes, and yet the element is beyond its corner
        count = flip_near(m, w, c)
        if count == 0:
            flip(m, c, c[CAUSE])
    return status


@core_events.kernel
def tolerated(turn: Int) -> Float:
    """How far beyond zero a guard may be at a restart. Where many rounds find no mode, it is the
    rounding of the values before the event that no mode can make good."""
    allowed = GUARD
    for _ in range((turn - 1) // LOOKS):
        allowed *= 10.0
    return allowed


@core_events.kernel
def beyond_by_rounding(m: Floats, w: Floats, c: Ints, x: Floats) -> Int:
    """1 where all elements that are beyond their corners are so by less than the rounding of the
    largest unknown there ever was: where all sources pass zero together, no other size is left."""
    n = c[N]
    largest = 0.0
    for i in range(n):
        largest = max(largest, w[HEAD + EVER * n + i])
    roles = w[HEAD + VECTORS * n :]
    for e in range(c[ELEMENTS]):  # an unknown of theirs has been another quantity beyond the corner
        largest = max(largest, roles[ROLES * e + 2], roles[ROLES * e + 3])
    for e in range(c[ELEMENTS]):
        i = c[TABLES + UNKNOWN * c[ELEMENTS] + e]
        size = max(w[HEAD + SIZE * n + i], w[HEAD + FLOOR * n + i], 1e-300)
        if guard_of(m, w, c, x, e) * size < -ROUNDING * largest:
            return 0
    return 1


@core_events.kernel
def holds_on(rates: Function, m: Floats, w: Floats, c: Ints, record: Floats, look: Float) -> Int:
    """0: rows that depend on each other agree at this instant and contradict each other at the next, as
    two sources do that a diode joins when they are equal. TRIAL holds y a little later."""
    n = c[N]
    left = consistent_linear(rates, m, w, c, record, w[T] + look, w[HEAD + TRIAL * n :])
    consistent_linear(rates, m, w, c, record, w[T], w[HEAD + Y * n :])  # the slope
    return 1 if left < LEFT_OVER else 0


@core_events.kernel
def is_again(w: Floats, c: Ints, records: Floats, stride: Int) -> Int:
    """1: the element that fires has fired a moment ago, so what was chosen then was no answer. Currents
    of leaks are small beside all others, and two elements do not fire together because both are small."""
    near = SOON * records[c[MODE_BEFORE] * stride + TAU]
    return 1 if w[SETTLED_FOR] == float(c[CAUSE]) and w[T] - w[SETTLED_AT] < near else 0


@core_events.kernel
def is_hasty(
    rates: Function, m: Floats, w: Floats, c: Ints, record: Floats, look: Float, pivots: Ints
) -> Int:
    """1: the selection may have looked too far. What would have ended by itself a moment later is cut off by
    an impulse, or an element begins on the wrong side of its corner."""
    if c[SETTLED] > 1 or c[NEARER] > NEAREST:
        return 0
    if not jumps(w, c, record, record[TAU]) < JUMP:
        return 1
    if record[IS_LINEAR] == 0.0:
        return 0
    return leaves(rates, m, w, c, record, look, pivots)


@core_events.kernel
def look_nearer(m: Floats, w: Floats, c: Ints, mode: Int, keys: Ints) -> None:
    """Select again; if that leads nowhere, what was found first is right after all."""
    for i in range(c[N]):
        w[HEAD + BEFORE * c[N] + i] = w[HEAD + SAVED * c[N] + i]
    c[RENEWED] = 0
    if c[NEARER] == 0:
        c[HASTY] = mode + 1
    c[NEARER] += 1
    if c[NEARER] > NEAREST:
        put_elements(m, c, keys, c[HASTY] - 1)


@core_events.kernel
def moves(c: Ints, record: Floats, i: Int) -> Int:
    """1: in a linear mode unknown i follows states."""
    if record[IS_LINEAR] == 0.0:
        return 0
    follow = floats_at(int(record[V_AT]))
    for j in range(int(record[STATES])):
        if follow[j * c[N] + i] != 0.0:
            return 1
    return 0


@core_events.kernel
def drop_dust(w: Floats, c: Ints, record: Floats, x: Floats) -> None:
    """What is zero but for rounding, and stays so in the mode of the record, becomes zero: logic may wait for
    a current that has ended. Where leaks make amperes of nanovolts, nothing is rounding."""
    n = c[N]
    if record[IS_GRADED] > 0.0:
        return
    for i in range(n):
        least = ROUNDING * w[HEAD + EVER * n + i]
        rests = abs(w[HEAD + SLOPE * n + i]) * record[TAU] <= 1e3 * least
        if abs(x[i]) <= least and rests and moves(c, record, i) == 0:
            x[i] = 0.0


@core_events.kernel
def rests_below(m: Floats, w: Floats, c: Ints, e: Int) -> Int:
    """1: element e, which a latch may hold and does not, is below its corner by nothing, in Y and where the
    look-ahead ends."""
    n = c[N]
    k = c[ELEMENTS]
    if c[TABLES + HELD * k + e] < 0 or is_held(m, c, e) == 1:
        return 0
    if m[c[BITS] + c[TABLES + BIT * k + e]] > 0.5:
        return 0
    now = abs(guard_of(m, w, c, w[HEAD + Y * n :], e))
    return 1 if now < GUARD and abs(guard_of(m, w, c, w[HEAD + TRIAL * n :], e)) < GUARD else 0


@core_events.kernel
def take_mode(
    m: Floats, w: Floats, c: Ints, records: Floats, stride: Int, mode: Int, worst: Float
) -> None:
    """The run goes on in this mode with the values in Y; `worst` is their smallest guard."""
    record = records[mode * stride :]
    y = w[HEAD + Y * c[N] :]
    w[ALLOWED] = max(0.0, -worst)
    for i in range(c[N]):
        w[HEAD + TREND * c[N] + i] = w[HEAD + SLOPE * c[N] + i]
    drop_dust(w, c, record, y)
    grow_core(m, w, c, record, y, 1.0)
    if c[SETTLED] == 1:
        note_successor(c, records, stride, mode)
    w[SETTLED_AT] = w[T]
    w[SETTLED_FOR] = float(c[CAUSE])
    if c[MODE_BEFORE] < 0 and record[TAU] > 0.0 and c[FIRST_ORDER] == 0:
        w[H] = min(w[H], FIRST_STEP * record[TAU])


@core_events.kernel
def settle(
    rates: Function, jacobians: Function, m: Floats, w: Floats, c: Ints, records: Floats,
    stride: Int, keys: Ints, basis: Ints,
) -> Int:  # fmt: skip
    """At an event: the mode that comes next and the values it begins with, in Y.

    SAVED holds the values before; BEFORE the ones a second round restarts from, should the mode that
    was found be violated after its jump.
    """
    n = c[N]
    y = w[HEAD + Y * n :]
    saved = w[HEAD + SAVED * n :]
    before = w[HEAD + BEFORE * n :]
    if c[WANTED] < 0 and c[SETTLED] == 1:
        c[GUESS] = 0
    while c[SETTLED] < MOST_SETTLED:
        if c[WANTED] < 0:
            c[GUESSED] = 0
            if c[SETTLED] == 1:
                c[GUESSED] = next_guess(m, w, c, records, stride, keys)
            failed = 0
            is_back = c[NEARER] == NEAREST + 1  # the mode that was found first is there
            if is_back:
                c[NEARER] += 1
            elif c[GUESSED] == 0:
                failed = resolve(rates, jacobians, m, w, c, records, stride, keys, basis)
            if looks_nearer(c) == 1 and (failed != 0 or find_mode(m, c, keys) == c[HASTY] - 1):
                look_nearer(m, w, c, c[HASTY] - 1, keys)
                continue
            if failed != 0:
                return NO_MODE
        mode = find_mode(m, c, keys)
        is_single = c[GUESSED] == 1 and c[GUESS] != ALL_NEAR and c[GUESS] != AS_IT_IS
        if mode < 0 and is_single and is_again(w, c, records, stride) == 0:
            continue  # not worth an analysis
        if c[GUESSED] == 1 and mode >= 0 and opens(c, records, stride, mode) == 1:
            c[WANTED] = -1
            continue
        c[MODE] = mode
        if mode < 0 or (records[mode * stride + IS_LINEAR] == 0.0 and c[WANTED] < 0):
            c[WANTED] = 1
            return NEED_MODE
        if c[WANTED] < 0 and are_others(jacobians, m, w, c, records[mode * stride :]) == 1:
            c[WANTED] = 1
            return NEED_MODE
        c[WANTED] = -1
        for i in range(n):
            y[i] = before[i]
        record = records[mode * stride :]
        if record[IS_LINEAR] == 0.0:
            to_their_sides(m, c, record, y)
        remember_core(m, w, c, saved)
        begin_parts(w, c, record)
        left = consistent_core(rates, m, w, c, record, w[T], y)
        tick(rates, m, w, c, record, w[T], y)
        roughen(w, c, record)
        measure_core(w, c, record, y)
        look = look_of(w, c, records, stride)
        if c[GUESSED] == 1:
            if not left < LEFT_OVER or is_right(rates, m, w, c, record, look, basis) == 0:
                continue
        elif not left < LEFT_OVER:
            if looks_nearer(c) == 1:
                look_nearer(m, w, c, mode, keys)
                continue
            if record[IS_LINEAR] > 0.0 or c[RENEWED] >= MOST_RENEWED:
                return CONTRADICTION
            # where F bends, matrices of the values before lead a part of the way
            c[RENEWED] += 1
            for i in range(n):
                before[i] = y[i]
            c[WANTED] = 1
            return NEED_MODE
        elif record[IS_LINEAR] > 0.0 and look_ahead(rates, m, w, c, record, look, basis) == 0:
            measure_core(w, c, record, w[HEAD + TRIAL * n :])
            if record[TIED] > 0.0 and holds_on(rates, m, w, c, record, look) == 0:
                if looks_nearer(c) == 0:
                    return CONTRADICTION
                look_nearer(m, w, c, mode, keys)
                continue
        if c[GUESSED] == 0 and is_hasty(rates, m, w, c, record, look, basis) == 1:
            look_nearer(m, w, c, mode, keys)
            continue
        worst = worst_guard(m, w, c, y)
        is_fine = worst >= -tolerated(c[SETTLED])
        if not is_fine and c[SETTLED] > LOOKS:
            is_fine = beyond_by_rounding(m, w, c, y) == 1
        if is_fine:
            take_mode(m, w, c, records, stride, mode, worst)
            return FINISHED
        if looks_nearer(c) == 1:
            look_nearer(m, w, c, mode, keys)
            continue
        c[SETTLED] += 1
        for i in range(n):
            before[i] = y[i]
    return NO_MODE
