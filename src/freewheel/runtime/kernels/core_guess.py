"""Modes worth a try before all elements are decided together, and whether one of them is right.

Most events repeat others: an element fires and the mode that followed the last time follows again, or
the elements at their corners change sides, or what a switch does leaves all elements where they are.
A guess is right if the restart needs no impulse, all elements are on their sides, and still are after
a small step; a selection among all modes would find the same and costs much more. Linear modes only.
"""

from __future__ import annotations

from freewheel.machine.addresses import floats_at
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Function, Int, Ints
from freewheel.runtime.kernels.core_linear import add_scaled, consistent_linear, linear_rates_at
from freewheel.runtime.kernels.core_open import choose_open
from freewheel.runtime.kernels.core_places import (
    ALL_BITS,
    ALL_LINEAR,
    BIT,
    BITS,
    BY_LOGIC,
    CAUSE,
    COLUMN,
    E_AT,
    ELEMENTS,
    GUESS,
    HEAD,
    IS_SINGULAR,
    LEVEL_SCALE,
    LOOK,
    M_AT,
    MARK,
    MATRICES,
    MODE_BEFORE,
    MODES,
    OPEN,
    PARTS,
    RECORD_HEAD,
    ROLES,
    ROW_PART,
    SAVED,
    SLOPE,
    STATES,
    SUCCESSOR,
    TABLES,
    TAU,
    TIED,
    TRIAL,
    UNSEEN,
    V_AT,
    VECTORS,
    H,
    N,
    P,
    T,
    Y,
    Z,
)
from freewheel.runtime.kernels.core_select import core_select, hold_elements
from freewheel.runtime.kernels.core_sizes import guard_of, measure_core, worst_guard
from freewheel.runtime.kernels.dense_lu import lu_factor, lu_solve

core_guess = KernelModule("core_guess", core_select)

LEFT_OVER = 1e-7  # residual of a restart, relative: more is a contradiction
GUARD = 1e-9  # of its size: how far beyond zero a guard may be at a restart
NEAR = 1e-6  # of its size: an element this near to its corner may change sides
JUMP = 1e-10  # of what a row stores: less is no impulse, an element is not located more exactly;
ROUNDED = 1e-13  # or at an event of the model's own logic, where nothing had to be located
SAME = 1e-12  # of balanced matrices
LOOK_AHEAD = 1e-3  # of the time scale of a mode: how far the selection of the next one looks
NEARER_BY = 30.0  # times: what is looked at when a look-ahead was too long
AS_IT_IS, AS_LAST_TIME, ALL_NEAR, THE_ONE = range(1, 5)


@core_guess.kernel
def key_of(m: Floats, c: Ints, word: Int) -> Int:
    key = 0
    for b in range(62 * word, min(62 * word + 62, c[ALL_BITS])):
        key = 2 * key + (1 if m[c[BITS] + b] > 0.5 else 0)
    return key


@core_guess.kernel
def find_mode(m: Floats, c: Ints, keys: Ints) -> Int:
    """The number of the record of the present bits, -1: not visited before. 62 bits to an integer."""
    words = (c[ALL_BITS] + 61) // 62
    first = key_of(m, c, 0)
    for mode in range(c[MODES]):
        if keys[mode * words] == first:
            same = 1
            for word in range(1, words):
                if keys[mode * words + word] != key_of(m, c, word):
                    same = 0
            if same == 1:
                return mode
    return -1


@core_guess.kernel
def put_elements(m: Floats, c: Ints, keys: Ints, mode: Int) -> None:
    """The elements, not the model's own switches, as they are in a mode."""
    k = c[ELEMENTS]
    words = (c[ALL_BITS] + 61) // 62
    for e in range(k):
        b = c[TABLES + BIT * k + e]
        last = min(62 * (b // 62) + 62, c[ALL_BITS]) - 1
        m[c[BITS] + b] = float((keys[mode * words + b // 62] >> (last - b)) & 1)


@core_guess.kernel
def flip(m: Floats, c: Ints, e: Int) -> None:
    slot = c[BITS] + c[TABLES + BIT * c[ELEMENTS] + e]
    m[slot] = 0.0 if m[slot] > 0.5 else 1.0


@core_guess.kernel
def flip_near(m: Floats, w: Floats, c: Ints) -> Int:
    """Elements that were beyond their corners in the last step and are near them now change sides; how
    many. Sides are those before the event."""
    n = c[N]
    k = c[ELEMENTS]
    count = 0
    for e in range(k):
        near = abs(guard_of(m, w, c, w[HEAD + SAVED * n :], e)) < NEAR
        if near and c[TABLES + MARK * k + e] == 1:
            flip(m, c, e)
            count += 1
    return count


@core_guess.kernel
def next_guess(m: Floats, w: Floats, c: Ints, records: Floats, stride: Int, keys: Ints) -> Int:
    """Put the next guess into the bits; 0: none is left, the elements are as before the event."""
    n = c[N]
    k = c[ELEMENTS]
    before = c[MODE_BEFORE]
    if c[ALL_LINEAR] == 0 or before < 0 or k == 0 or c[GUESS] > THE_ONE:
        return 0
    hold_elements(m, c)
    if c[GUESS] == 0:
        c[GUESS] = AS_IT_IS
        if c[CAUSE] < 0 or find_mode(m, c, keys) != before:
            return 1
    elif c[GUESS] == AS_IT_IS and c[CAUSE] >= 0:
        put_elements(m, c, keys, before)
        hold_elements(m, c)
    if c[CAUSE] < 0 and c[GUESS] == AS_IT_IS:
        c[GUESS] = AS_LAST_TIME
        follower = int(records[before * stride + BY_LOGIC]) - 1
        if follower >= 0:
            put_elements(m, c, keys, follower)
            hold_elements(m, c)
            if find_mode(m, c, keys) == follower:
                return 1
    if c[CAUSE] < 0 or c[CAUSE] >= n or find_mode(m, c, keys) == -1:
        put_elements(m, c, keys, before)
        c[GUESS] = THE_ONE + 1
        return 0
    if c[GUESS] == AS_IT_IS:
        c[GUESS] = AS_LAST_TIME
        vectors = before * stride + RECORD_HEAD + MATRICES * n * n
        follower = int(records[vectors + SUCCESSOR * n + c[CAUSE]]) - 1
        if follower >= 0:
            put_elements(m, c, keys, follower)
            hold_elements(m, c)
            return 1
    if c[GUESS] == AS_LAST_TIME:
        c[GUESS] = ALL_NEAR
        put_elements(m, c, keys, before)
        count = flip_near(m, w, c)
        hold_elements(m, c)
        if count > 1:
            return 1
    put_elements(m, c, keys, before)
    if c[GUESS] == ALL_NEAR:
        c[GUESS] = THE_ONE
        flip(m, c, c[CAUSE])
        hold_elements(m, c)
        return 1
    c[GUESS] = THE_ONE + 1
    hold_elements(m, c)
    return 0


@core_guess.kernel
def opens(c: Ints, records: Floats, stride: Int, mode: Int) -> Int:
    """1: a guess would leave more open than before, which should be the work of a selection."""
    if c[GUESS] == AS_LAST_TIME:
        return 0
    before = records[c[MODE_BEFORE] * stride :]
    after = records[mode * stride :]
    return 1 if after[OPEN] + after[UNSEEN] > before[OPEN] + before[UNSEEN] else 0


@core_guess.kernel
def note_successor(c: Ints, records: Floats, stride: Int, mode: Int) -> None:
    """What followed on an element's firing, or on a switch, may follow again."""
    n = c[N]
    if c[MODE_BEFORE] >= 0 and c[CAUSE] < 0:
        records[c[MODE_BEFORE] * stride + BY_LOGIC] = float(mode + 1)
    if c[MODE_BEFORE] >= 0 and c[CAUSE] >= 0 and c[CAUSE] < n:
        vectors = c[MODE_BEFORE] * stride + RECORD_HEAD + MATRICES * n * n
        records[vectors + SUCCESSOR * n + c[CAUSE]] = float(mode + 1)


@core_guess.kernel
def look_of(w: Floats, c: Ints, records: Floats, stride: Int) -> Float:
    """How far ahead a selection looks."""
    look = w[LOOK]
    if c[MODE_BEFORE] >= 0 and records[c[MODE_BEFORE] * stride + TAU] > 0.0:
        look = LOOK_AHEAD * records[c[MODE_BEFORE] * stride + TAU]
    return min(look, 0.01 * w[H])


@core_guess.kernel
def jumps(w: Floats, c: Ints, record: Floats, tau: Float) -> Float:
    """The largest impulse of a restart, beside what the rows may store."""
    n = c[N]
    y = w[HEAD + Y * n :]
    saved = w[HEAD + SAVED * n :]
    e = record[RECORD_HEAD + E_AT * n * n :]
    rows = record[RECORD_HEAD + MATRICES * n * n + LEVEL_SCALE * n :]
    part_of = record[RECORD_HEAD + MATRICES * n * n + ROW_PART * n :]
    largest = 0.0
    for i in range(n):
        total = 0.0
        for j in range(n):
            total += e[i * n + j] * (y[j] - saved[j])
        size = w[HEAD + PARTS * n + int(part_of[i])]
        if total != 0.0:
            largest = max(largest, abs(total) * rows[i] / tau / max(size, 1e-300))
    return largest


@core_guess.kernel
def look_ahead(
    rates: Function, m: Floats, w: Floats, c: Ints, record: Floats, h: Float, pivots: Ints
) -> Int:
    """TRIAL becomes y after a step of backward Euler from Y; 0: done. It tells what is large: where a
    diode carried the only current, nothing but rounding is left at its corner."""
    n = c[N]
    d = int(record[STATES])
    y = w[HEAD + Y * n :]
    z = w[HEAD + Z * n :]
    g = w[HEAD + P * n :]
    trial = w[HEAD + TRIAL * n :]
    motion = floats_at(int(record[M_AT]))
    follow = floats_at(int(record[V_AT]))
    matrix = w[HEAD + VECTORS * n + ROLES * c[ELEMENTS] :]
    if linear_rates_at(rates, m, w, c, record, w[T] + h, y, z, g) != 0:
        return 1
    for i in range(d * d):
        matrix[i] = -motion[i]
    for i in range(d):
        matrix[i * d + i] += 1.0 / h
    if lu_factor(d, matrix, pivots) != 0:
        return 1
    lu_solve(d, matrix, pivots, g)
    for i in range(n):
        trial[i] = y[i] + z[i]
    for j in range(d):
        add_scaled(n, g[j], follow[j * n :], trial)
    if record[IS_SINGULAR] > 0.0:
        choose_open(m, w, c, record, trial)
    return 0


@core_guess.kernel
def leaves(
    rates: Function, m: Floats, w: Floats, c: Ints, record: Floats, h: Float, pivots: Ints
) -> Int:
    """1: an element that is at its corner in Y is beyond it a moment later, though it may have come back
    where a look-ahead ends: what seems to happen at once takes its time."""
    n = c[N]
    y = w[HEAD + Y * n :]
    trial = w[HEAD + TRIAL * n :]
    count = 0
    for e in range(c[ELEMENTS]):
        if e != c[CAUSE] and guard_of(m, w, c, y, e) < NEAR:
            count += 1
    if count == 0 or look_ahead(rates, m, w, c, record, h / NEARER_BY, pivots) != 0:
        return 0
    for e in range(c[ELEMENTS]):
        near = e != c[CAUSE] and guard_of(m, w, c, y, e) < NEAR
        if near and guard_of(m, w, c, trial, e) < -GUARD:
            return 1
    return 0


@core_guess.kernel
def are_others(jacobians: Function, m: Floats, w: Floats, c: Ints, record: Floats) -> Int:
    """1: the matrices of a linear mode are no longer those that were analysed. They are constant between
    events; at an event something beside the core may have switched."""
    n = c[N]
    square = n * n
    now = w[HEAD + VECTORS * n + ROLES * c[ELEMENTS] :]
    known = record[RECORD_HEAD:]
    y = w[HEAD + SAVED * n :]
    slope = w[HEAD + SLOPE * n :]
    rows = record[RECORD_HEAD + MATRICES * square + LEVEL_SCALE * n :]
    column = record[RECORD_HEAD + MATRICES * square + COLUMN * n :]
    if jacobians(m, w[T], y, slope, now) != 0:
        return 0
    for i in range(n):
        for j in range(n):
            k = i * n + j
            apart = abs(now[k] - known[k]) + abs(now[square + k] - known[square + k]) / record[TAU]
            if apart * rows[i] * column[j] > SAME:
                return 1
    return 0


@core_guess.kernel
def is_right(
    rates: Function, m: Floats, w: Floats, c: Ints, record: Floats, h: Float, pivots: Ints
) -> Int:
    """1: the mode of the record, with the values Y that follow on SAVED, is what comes next."""
    n = c[N]
    y = w[HEAD + Y * n :]
    trial = w[HEAD + TRIAL * n :]
    if not jumps(w, c, record, record[TAU]) < (JUMP if c[CAUSE] >= 0 else ROUNDED):
        return 0
    if look_ahead(rates, m, w, c, record, h, pivots) != 0:
        return 0
    measure_core(w, c, record, trial)
    if not worst_guard(m, w, c, y) >= -GUARD:
        return 0
    if record[TIED] > 0.0:  # what agrees at this instant may contradict itself at the next
        left = consistent_linear(rates, m, w, c, record, w[T] + h, trial)
        consistent_linear(rates, m, w, c, record, w[T], y)  # the slope
        if not left < LEFT_OVER:
            return 0
    if not worst_guard(m, w, c, trial) >= -GUARD:
        return 0
    if c[CAUSE] >= 0 and not guard_of(m, w, c, trial, c[CAUSE]) > 0.0:
        return 0
    return 1 - leaves(rates, m, w, c, record, h, pivots)
