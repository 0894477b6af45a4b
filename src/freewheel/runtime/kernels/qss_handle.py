"""Who is told when a state jumps or a held number changes, and what a relation's few handlers do.

tell(m, s, z, f, k, hk, i, t, is_own)      # rows that look at q of record i
read_again(m, s, z, f, k, hk, watched, t)  # rows and relations that read a held number
jump(m, s, z, f, k, hk, i, y, t)           # a state has another value from now on
handle(m, s, z, f, k, hk, number, t)       # discrete variables behind a relation (program/handlers.py)
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints
from freewheel.runtime.kernels.qss_heap import set_time
from freewheel.runtime.kernels.qss_past_notes import note_past
from freewheel.runtime.kernels.qss_places import (
    ABS,
    AT_ASLEEP,
    AT_ASLEEP_LISTED,
    AT_HANDLER_PLACES,
    AT_HANDLER_WATCH,
    AT_HANDLERS,
    AT_HANDLES,
    AT_OUT,
    AT_PAST_ROW,
    AT_READER_ROWS,
    AT_READERS,
    AT_SD,
    AT_SD_ROWS,
    AT_SEEN,
    AT_STATUS,
    AT_STATUS_WATCH,
    AT_TOUCHED,
    AWAKE,
    BY_Q,
    DQ,
    EVENT,
    F_HEAD,
    LINES,
    LOOKS,
    ORDER,
    Q0,
    RECORD,
    REFRESH,
    REL,
    RELATIONS,
    ROW_FAILED,
    START,
    STOP,
    TOUCHED,
    TQ,
    TX,
    WHO,
    X0,
    N,
)
from freewheel.runtime.kernels.qss_quantize import is_stiff
from freewheel.runtime.kernels.qss_rows import FIRST_LOOK, look_at, predict, renew, rows_of_states

handling = KernelModule("qss_handling", rows_of_states)

MOST_ROUNDS = 20  # of formulas behind a relation


@handling.kernel
def width_of(f: Floats, n: Int, i: Int, x: Float) -> Float:
    return max(f[F_HEAD + REL * n + i] * abs(x), f[F_HEAD + ABS * n + i])


@handling.kernel
def tell(
    m: Floats, s: Floats, z: Floats, f: Floats, k: Ints, hk: Floats, i: Int, t: Float, is_own: Int
) -> Int:
    """All rows that look at q of record i are renewed."""
    starts = k[k[AT_SD] :]
    listed = k[k[AT_SD_ROWS] :]
    for place in range(starts[i], starts[i + 1]):
        j = listed[place]
        if j != i or is_own == 0:
            code = renew(m, s, z, f, k, hk, j, t, 0)
            if code != 0:
                return code
    return 0


@handling.kernel
def read_again(
    m: Floats, s: Floats, z: Floats, f: Floats, k: Ints, hk: Floats, watched: Int, t: Float
) -> Int:
    """A held number has changed: rows that read it are renewed, relations noted."""
    starts = k[k[AT_READERS] :]
    listed = k[k[AT_READER_ROWS] :]
    n = k[N]
    first_of_past = n + k[RELATIONS]
    code = 0
    for place in range(starts[watched], starts[watched + 1]):
        row = listed[place]
        if row < n:
            code = renew_as_seen(m, s, z, f, k, hk, row, t)
        elif row < first_of_past:
            code = predict(m, s, z, f, k, hk, row - n, t)
        else:
            for number in range(k[LINES] + k[LOOKS]):
                if k[k[AT_PAST_ROW] + number] == row:
                    note_past(k, number)
        if code != 0:
            return code
    return 0


@handling.kernel
def place_state(s: Floats, f: Floats, n: Int, i: Int, y: Float, t: Float) -> None:
    r = s[RECORD * i :]
    for place in range(RECORD):
        r[place] = 0.0
    r[X0] = y
    r[Q0] = y
    r[TX] = t
    r[TQ] = t
    r[DQ] = width_of(f, n, i, y)
    r[REFRESH] = FIRST_LOOK * (f[STOP] - f[START])


@handling.kernel
def jump(
    m: Floats, s: Floats, z: Floats, f: Floats, k: Ints, hk: Floats, i: Int, y: Float, t: Float
) -> Int:
    """A state has another value from now on."""
    put_state(s, f, k[N], i, y, t)
    return tell_jump(m, s, z, f, k, hk, i, t)


@handling.kernel
def put_state(s: Floats, f: Floats, n: Int, i: Int, y: Float, t: Float) -> None:
    refresh = s[RECORD * i + REFRESH]
    place_state(s, f, n, i, y, t)
    s[RECORD * i + REFRESH] = refresh


@handling.kernel
def tell_jump(
    m: Floats, s: Floats, z: Floats, f: Floats, k: Ints, hk: Floats, i: Int, t: Float
) -> Int:
    code = renew(m, s, z, f, k, hk, i, t, 2)
    if code != 0:
        return code
    code = tell(m, s, z, f, k, hk, i, t, 1)
    if k[ORDER] > 1:
        s[RECORD * i + REFRESH] = abs(s[RECORD * i + REFRESH])  # what comes next is a step, no look
        set_time(k, hk, i, t)
    # A first-order q that ran ahead of the jump at once would undo it, if it is smaller than the quantum.
    return code


@handling.kernel
def renew_as_seen(
    m: Floats, s: Floats, z: Floats, f: Floats, k: Ints, hk: Floats, i: Int, t: Float
) -> Int:
    """The row of state i, after something else than states has changed it. A state that becomes stiff by that
    or ceases to be is seen by q where it was seen by x, or the other way round: both begin at the value that
    the event has seen. A relation that has just crossed would cross back at once otherwise, for ever."""
    r = s[RECORD * i :]
    was_stiff = is_stiff(r, f)
    code = renew(m, s, z, f, k, hk, i, t, 2)
    if code != 0 or k[BY_Q] == 0 or is_stiff(r, f) == was_stiff:
        return code
    return jump(m, s, z, f, k, hk, i, r[Q0] if was_stiff == 1 else r[X0], t)


@handling.kernel
def apply_handlers(
    m: Floats, s: Floats, z: Floats, f: Floats, k: Ints, hk: Floats, number: Int, t: Float
) -> Int:
    """Flags make states jump, values become pre values: 1 where something moved, 2 where a state jumped,
    -1: a row failed."""
    starts = k[k[AT_HANDLES] :]
    listed = k[k[AT_HANDLERS] :]
    moved = 0
    for place in range(starts[number], starts[number + 1]):
        places = k[k[AT_HANDLER_PLACES] + 4 * listed[place] :]
        value = m[places[0]]
        if places[2] >= 0 and value >= 0.5:
            m[places[0]] = 0.0
            moved = 2
            if jump(m, s, z, f, k, hk, places[2], m[places[3]], t) != 0:
                return -1
        if places[1] >= 0 and m[places[1]] != value:
            m[places[1]] = value
            moved = max(moved, 1)
    return moved


@handling.kernel
def follow_jump(m: Floats, s: Floats, f: Floats, k: Ints, number: Int, t: Float) -> Int:
    """A relation whose states have jumped takes the side that it is on now: 0. Another one would have to
    change, too: 1. -1: a row failed."""
    noted = k[k[AT_TOUCHED] :]
    found = 0
    for place in range(k[TOUCHED]):
        other = noted[place]
        if look_at(m, s, f, k, k[N] + other, t) != 0:
            return -1
        slot = k[k[AT_STATUS] + other]
        if f[AT_OUT] * m[slot] < 0.0:
            if other == number:
                m[slot] = -m[slot]
            else:
                found = 1
    return found


@handling.kernel
def wake(
    m: Floats, s: Floats, z: Floats, f: Floats, k: Ints, hk: Floats, number: Int, t: Float
) -> Int:
    """Statuses that handlers ask about follow, also those of relations that mattered to nobody so far."""
    starts = k[k[AT_ASLEEP] :]
    listed = k[k[AT_ASLEEP_LISTED] :]
    for place in range(starts[number], starts[number + 1]):
        other = listed[place]
        m[k[AWAKE]] = 0.0
        code = look_at(m, s, f, k, k[N] + other, t)
        m[k[AWAKE]] = 1.0
        if code != 0:
            return code
        slot = k[k[AT_STATUS] + other]
        if other != number and f[AT_OUT] * m[slot] <= 0.0 and f[AT_OUT] != 0.0:
            m[slot] = 1.0 if f[AT_OUT] > 0.0 else -1.0
            watched = k[k[AT_STATUS_WATCH] + other]
            if watched >= 0:
                f[k[AT_SEEN] + watched] = m[slot]
                code = read_again(m, s, z, f, k, hk, watched, t)
                if code != 0:
                    return code
            code = predict(m, s, z, f, k, hk, other, t)
            if code != 0:
                return code
    return 0


@handling.kernel
def handle(
    m: Floats, s: Floats, z: Floats, f: Floats, k: Ints, hk: Floats, number: Int, t: Float
) -> Int:
    """Discrete variables behind a relation whose status has changed: formulas with pre values held, until
    nothing moves. The same iteration as that of all equations, for a part of them."""
    starts = k[k[AT_HANDLES] :]
    listed = k[k[AT_HANDLERS] :]
    first_row = k[N] + k[RELATIONS]
    moved = 1
    code = wake(m, s, z, f, k, hk, number, t)
    if code != 0:
        return code
    for _round in range(MOST_ROUNDS):
        for place in range(starts[number], starts[number + 1]):
            handler = listed[place]
            code = look_at(m, s, f, k, first_row + handler, t)
            if code != 0:
                return code
            m[k[k[AT_HANDLER_PLACES] + 4 * handler]] = f[AT_OUT]
        moved = apply_handlers(m, s, z, f, k, hk, number, t)
        if moved < 0:
            return ROW_FAILED
        if moved == 0:
            break
        if moved == 2:
            others = follow_jump(m, s, f, k, number, t)
            if others < 0:
                return ROW_FAILED
            if others == 1:
                break
    for place in range(starts[number], starts[number + 1]):
        for part in range(2):
            watched = k[k[AT_HANDLER_WATCH] + 2 * listed[place] + part]
            slot = k[k[AT_HANDLER_PLACES] + 4 * listed[place] + part]
            if watched >= 0 and f[k[AT_SEEN] + watched] != m[slot]:
                f[k[AT_SEEN] + watched] = m[slot]
                code = read_again(m, s, z, f, k, hk, watched, t)
                if code != 0:
                    return code
    watched = k[k[AT_STATUS_WATCH] + number]
    status = m[k[k[AT_STATUS] + number]]
    if watched >= 0 and f[k[AT_SEEN] + watched] != status:
        f[k[AT_SEEN] + watched] = status
        code = read_again(m, s, z, f, k, hk, watched, t)
        if code != 0:
            return code
    if moved > 0:
        k[WHO] = number
        return EVENT  # in circles, or a change of many: for those who know the whole model
    return 0
