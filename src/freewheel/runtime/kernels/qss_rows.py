"""Rows evaluated by their functions, and everybody's next time brought up to date.

    code = renew(m, s, z, f, k, hk, j, t, is_own)      # derivative j; 0, or ROW_FAILED
    predict_touched(m, s, z, f, k, hk, t)              # crossings of all relations that noticed

A derivative that is renewed changes the continuous polynomial of its state: the state's next time is set,
and the relations that look at it are noted; their crossings are predicted when all rows are done.
"""

from __future__ import annotations

from math import inf

from freewheel.machine.addresses import function_at
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints
from freewheel.runtime.kernels.qss_heap import heap, set_time
from freewheel.runtime.kernels.qss_past_notes import past_notes, touch_past
from freewheel.runtime.kernels.qss_places import (
    AT_COUNTS,
    AT_FOLLOWS,
    AT_OUT,
    AT_OWN,
    AT_RATES,
    AT_ROW_SLOPES,
    AT_ROWS,
    AT_STAMP,
    AT_STATUS,
    AT_STEEPNESS,
    AT_STRAIGHT,
    AT_SZ,
    AT_SZ_ROWS,
    AT_TOUCHED,
    AT_VIEW,
    BY_Q,
    CROSSINGS,
    CURVED,
    DQ,
    DUE,
    EVALUATIONS,
    F_HEAD,
    FAILED_ROW,
    FOLLOWS,
    HORIZON,
    LINES,
    LIQSS,
    LOOK,
    METHOD,
    MLIQSS,
    ORDER,
    Q0,
    Q1,
    Q2,
    Q_BEFORE,
    RATE_BEFORE,
    RECORD,
    REFRESH,
    RELATIONS,
    ROW_FAILED,
    START,
    STOP,
    TOUCHED,
    TX,
    U0,
    U1,
    U2,
    X0,
    X1,
    X2,
    X3,
    Z_0,
    Z_1,
    Z_2,
    Z_AT,
    Z_BAND,
    Z_COARSE,
    Z_DELTA,
    Z_IS_FAR,
    Z_LOOK,
    Z_RECORD,
    Z_SIZE,
    Z_STATUS,
    A,
    N,
)
from freewheel.runtime.kernels.qss_quantize import advance_q, advance_x, is_stiff, quantizers
from freewheel.runtime.kernels.qss_roots import FAR, first_root, polynomials
from freewheel.runtime.kernels.qss_wait import wait, waiting

rows_of_states = KernelModule("qss_rows", heap, quantizers, waiting, polynomials, past_notes)

LARGEST = 1.7976931348623157e308
CLEAR = 1e-3  # of a quantum: a step of q that tells slopes from rounding
NOISE = 1e-12  # of the size of a residual
OUTSIDE = 10.0  # times what was taken for noise
FAR_OUTSIDE = 1e3  # bands, as in `event/chatter.py`
TOP = 1e250
FIRST_LOOK = 1e-6  # of the whole time: rows that follow time are first looked at again after it
SHORTEST_LOOK, LONGEST = 1e-9, 0.01  # of the whole time, between two looks at a row
TRUST = 4.0  # times as far as it has reached before, a polynomial is trusted
GROWING = 2.0  # with each look
AFRESH = 0.25  # after an event
TRUE = 0.02  # of the size of a residual: what its parabola may be wrong by
SOONEST = 1e-6  # of the whole time: residuals are not looked at more often
QUIET = 2.0  # quanta
REACH = 2.1  # quanta: bounds of all methods, and a little for rounding
CLEARLY = 1.1  # more than at the time when it will be near
SHORTEST = 1e-15  # of the whole time: crossings are not located more finely


@rows_of_states.kernel
def rate_of(m: Floats, s: Floats, f: Floats, k: Ints, j: Int, t: Float, with_own: Int) -> Int:
    """The derivatives of x at `t` from the row; x and q of state j are at `t`. `with_own`: also A, but
    what grows by itself is left to the explicit formulas."""
    address = k[k[AT_OWN] + j] if with_own == 1 else k[k[AT_RATES] + j]
    has_own = with_own
    if address == 0:
        address = k[k[AT_RATES] + j]
        has_own = 0
    function = function_at(address)
    out = f[AT_OUT:]
    status = function(m, k[k[k[AT_ROWS] + j] :], s, t, out)
    k[EVALUATIONS] += 1
    r = s[RECORD * j :]
    r[X1] = out[0]
    order = k[ORDER]
    last = out[0]
    if order > 1:
        last = out[1]
        r[X2] = 0.5 * last
        if order > 2:
            last = out[2]
            r[X3] = last / 6.0
    if with_own == 1:
        slope = out[order] if has_own == 1 else 0.0
        r[A] = slope if slope < 0.0 and slope > -TOP else 0.0
    if status != 0 or not abs(last + out[0]) <= LARGEST:
        k[FAILED_ROW] = j
        return ROW_FAILED
    return 0


@rows_of_states.kernel
def split(r: Floats, order: Int) -> None:
    """The rate without a*q."""
    a = r[A]
    r[U0] = r[X1] - a * r[Q0]
    if order > 1:
        r[U1] = 2.0 * r[X2] - a * r[Q1]
        if order > 2:
            r[U2] = 3.0 * r[X3] - a * r[Q2]


@rows_of_states.kernel
def touch(z: Floats, k: Ints, i: Int, by_q: Int) -> None:
    """Relations that look at record i will be predicted anew; those that are far only if q has moved."""
    starts = k[k[AT_SZ] :]
    listed = k[k[AT_SZ_ROWS] :]
    stamps = k[k[AT_STAMP] :]
    noted = k[k[AT_TOUCHED] :]
    for place in range(starts[i], starts[i + 1]):
        number = listed[place]
        if stamps[number] == 0 and (by_q == 1 or z[Z_RECORD * number + Z_IS_FAR] == 0.0):
            stamps[number] = 1
            noted[k[TOUCHED]] = number
            k[TOUCHED] += 1


@rows_of_states.kernel
def is_moving(s: Floats, k: Ints, row: Int, first: Int) -> Int:
    """Whether any record of a row moves, by its polynomial that begins at `first` (Q0, X0)."""
    table = k[k[k[AT_ROWS] + row] :]
    for place in range(k[k[AT_COUNTS] + row]):
        r = s[RECORD * table[place] + first :]
        if r[1] != 0.0 or r[2] != 0.0:
            return 1
    return 0


@rows_of_states.kernel
def is_quiet(s: Floats, k: Ints, row: Int, away: Float) -> Int:
    """Whether all records of a row stay within a few quanta for a time: it cannot matter how they move."""
    table = k[k[k[AT_ROWS] + row] :]
    for place in range(k[k[AT_COUNTS] + row]):
        r = s[RECORD * table[place] :]
        if (abs(r[Q1]) + away * abs(r[Q2])) * away > QUIET * r[DQ]:
            return 0
    return 1


@rows_of_states.kernel
def until_look(
    s: Floats, f: Floats, k: Ints, j: Int, away: Float, t: Float, passed: Float, is_own: Int
) -> Float:
    """A row that is curved is looked at before its state is due, where that is much farther away than its
    polynomial has ever been asked to reach: its derivatives may happen to vanish here and not a little
    later. REFRESH is negative then. It grows with each time that somebody else makes the row be looked at."""
    r = s[RECORD * j :]
    span = f[STOP] - f[START]
    look = max(GROWING * abs(r[REFRESH]), TRUST * passed)
    look = min(max(look, SHORTEST_LOOK * span), LONGEST * span)
    if is_own == 2:  # another formula may hold from now on
        look = max(AFRESH * look, FIRST_LOOK * span)
    r[REFRESH] = look
    if away <= look or is_quiet(s, k, j, min(away, f[HORIZON] - t)) == 1:
        return away
    r[REFRESH] = -look
    f[F_HEAD + DUE * k[N] + j] = t + away
    return look


@rows_of_states.kernel
def renew(
    m: Floats, s: Floats, z: Floats, f: Floats, k: Ints, hk: Floats, j: Int, t: Float, is_own: Int
) -> Int:
    r = s[RECORD * j :]
    passed = t - r[TX]
    advance_x(s, j, t)
    advance_q(s, j, t)
    is_implicit = 1 if k[METHOD] == LIQSS or k[METHOD] == MLIQSS else 0
    # By how much the step of q has changed the rate: costs nothing, and where the row is curved it is
    # nearer to what the next step will see than the slope at one point.
    moved = r[Q0] - f[Q_BEFORE]
    by_secant = 1 if k[METHOD] == LIQSS and is_own == 1 and abs(moved) > CLEAR * r[DQ] else 0
    code = rate_of(m, s, f, k, j, t, is_implicit if is_own > 0 and by_secant == 0 else 0)
    if code != 0:
        return code
    if by_secant == 1:
        r[A] = min(0.0, (r[X1] - f[RATE_BEFORE]) / moved)
    if is_implicit == 1:
        split(r, k[ORDER])
    away = wait(s, k, j, 1 if is_own == 1 else 0, f[HORIZON] - t)
    sort = k[k[AT_FOLLOWS] + j]
    if sort != 0:
        if sort == CURVED:
            if away > abs(r[REFRESH]) or is_own == 2:
                away = until_look(s, f, k, j, away, t, passed, is_own)
            elif r[REFRESH] < 0.0:
                r[REFRESH] = -r[REFRESH]
        else:
            if is_own == 2:  # another formula may hold from now on
                r[REFRESH] = FIRST_LOOK * (f[STOP] - f[START])
            set_time(k, hk, k[N] + k[RELATIONS] + j, t + r[REFRESH])
    set_time(k, hk, j, t + away)
    if k[RELATIONS] > 0:
        touch(z, k, j, 1 if is_own > 0 else 0)
    if k[LINES] > 0:
        touch_past(k, j)
    return 0


@rows_of_states.kernel
def look_at(m: Floats, s: Floats, f: Floats, k: Ints, row: Int, t: Float) -> Int:
    """Value and derivatives of a row at an event or on the way to one, into AT_OUT. Stiff states of
    linearly implicit methods are seen by their q: a fast current that has died away leaves a whole
    quantum of x behind, which a large resistance would make a voltage."""
    table = k[k[k[AT_ROWS] + row] :]
    view = f[k[AT_VIEW] :]
    for place in range(k[k[AT_COUNTS] + row]):
        i = table[place]
        r = s[RECORD * i :]
        seen = view[RECORD * i :]
        if i >= k[N] or (k[BY_Q] == 1 and is_stiff(r, f) == 1):
            for part in range(4):
                seen[part] = r[part]
        else:
            advance_x(s, i, t)
            for part in range(4):
                seen[part] = r[X0 + part]
    function = function_at(k[k[AT_RATES] + row])
    status = function(m, table, view, t, f[AT_OUT:])
    if status != 0 or not abs(f[AT_OUT]) <= LARGEST:
        k[FAILED_ROW] = row
        return ROW_FAILED
    return 0


@rows_of_states.kernel
def residual_of(m: Floats, s: Floats, f: Floats, k: Ints, number: Int, t: Float) -> Int:
    k[CROSSINGS] += 1
    return look_at(m, s, f, k, k[N] + number, t)


@rows_of_states.kernel
def note_size(r: Floats, value: Float) -> None:
    """What is as far as never, such as a break that is not yet known, says nothing of a residual."""
    if abs(value) < TOP:
        r[Z_SIZE] = max(r[Z_SIZE], abs(value))


@rows_of_states.kernel
def time_beyond(value: Float, slope: Float, bend: Float, status: Float, delta: Float) -> Float:
    """Until the residual has left its status by delta; 0: it has."""
    if status > 0.0:
        return 0.0 if value + delta <= 0.0 else first_root(value + delta, slope, bend)
    if status < 0.0:
        return 0.0 if value - delta >= 0.0 else first_root(value - delta, slope, bend)
    if abs(value) >= delta:
        return 0.0
    return min(first_root(value + delta, slope, bend), first_root(value - delta, slope, bend))


@rows_of_states.kernel
def time_to_look(r: Floats, f: Floats, out: Floats, t: Float) -> Float:
    """Until a residual that bends is looked at again: as long as its parabola stays true. How wrong the last
    one has become by now says how long that is."""
    passed = t - r[Z_AT]
    if passed > 0.0 and abs(out[0]) < TOP:
        wrong = abs(out[0] - r[Z_0] - passed * (r[Z_1] + passed * r[Z_2]))
        look = GROWING * max(r[Z_LOOK], passed)
        if wrong > 0.0:
            look = min(look, passed * (TRUE * r[Z_SIZE] / wrong) ** (1.0 / 3.0))
        r[Z_LOOK] = min(max(look, SOONEST * (f[STOP] - f[START])), f[LOOK])
    r[Z_AT] = t
    r[Z_0] = out[0]
    r[Z_1] = out[1]
    r[Z_2] = 0.5 * out[2]
    return r[Z_LOOK]


@rows_of_states.kernel
def rests_on_zero(out: Floats) -> Int:
    """Neither side: a switch that has closed has no voltage, whichever sign that had before."""
    return 1 if out[0] == 0.0 and out[1] == 0.0 and out[2] == 0.0 else 0


@rows_of_states.kernel
def time_until_near(
    m: Floats, s: Floats, z: Floats, f: Floats, k: Ints, number: Int, t: Float
) -> Float:
    """How long a linear relation cannot cross, wherever its states are within their bounds around q; 0
    where that is not known. It takes no look at x, which changes more often than q."""
    address = k[k[AT_STEEPNESS] + number]
    row = k[N] + number
    r = z[Z_RECORD * number :]
    r[Z_IS_FAR] = 0.0
    if address == 0 or k[k[AT_FOLLOWS] + row] == FOLLOWS:
        return 0.0
    status = m[k[k[AT_STATUS] + number]]
    table = k[k[k[AT_ROWS] + row] :]
    slopes = f[k[AT_ROW_SLOPES] :]
    function = function_at(address)
    code = function(m, table, s, t, slopes)
    reach = 0.0
    for place in range(k[k[AT_COUNTS] + row]):
        reach += abs(slopes[place]) * s[RECORD * table[place] + DQ]
    reach *= REACH
    out = f[AT_OUT:]
    value_of = function_at(k[k[AT_RATES] + row])
    code += value_of(m, table, s, t, out)
    if code != 0 or not status * out[0] > CLEARLY * reach:
        return 0.0
    r[Z_IS_FAR] = 1.0
    r[Z_STATUS] = status
    note_size(r, out[0])
    k[CROSSINGS] += 1
    return first_root(status * out[0] - reach, status * out[1], 0.5 * status * out[2])


@rows_of_states.kernel
def predict(
    m: Floats, s: Floats, z: Floats, f: Floats, k: Ints, hk: Floats, number: Int, t: Float
) -> Int:
    """When the residual leaves its status, as far as its polynomial tells."""
    away = time_until_near(m, s, z, f, k, number, t)
    if away > 0.0:
        set_time(k, hk, k[N] + number, t + away if away < FAR else inf)
        return 0
    code = residual_of(m, s, f, k, number, t)
    if code != 0:
        return code
    r = z[Z_RECORD * number :]
    out = f[AT_OUT:]
    note_size(r, out[0])
    if abs(out[0]) > FAR_OUTSIDE * r[Z_BAND]:
        r[Z_BAND] = 0.0  # what was noise has become a signal
    delta = max(NOISE * r[Z_SIZE], 1e-300)
    if abs(out[0]) > OUTSIDE * delta * r[Z_COARSE]:
        r[Z_COARSE] = 1.0
    delta = delta * r[Z_COARSE] + r[Z_BAND]
    r[Z_DELTA] = delta
    status = m[k[k[AT_STATUS] + number]]
    r[Z_STATUS] = status
    if k[k[AT_STRAIGHT] + number] == 1:
        delta = 0.0
        if out[0] == 0.0 and status * out[1] > 0.0:
            # at zero, and about to be on the right side of it
            set_time(k, hk, k[N] + number, inf)
            return 0
    if rests_on_zero(out) == 1:
        away = 0.0 if status != 0.0 and r[Z_BAND] == 0.0 else FAR
    else:
        away = time_beyond(out[0], out[1], 0.5 * out[2], status, delta)
    sort = k[k[AT_FOLLOWS] + k[N] + number]
    if sort == FOLLOWS or (sort == CURVED and is_moving(s, k, k[N] + number, X0) == 1):
        away = min(away, time_to_look(r, f, out, t))
    if away > 0.0:
        away = max(away, SHORTEST * (f[STOP] - f[START]))
    set_time(k, hk, k[N] + number, t + away if away < FAR else inf)
    return 0


@rows_of_states.kernel
def predict_touched(
    m: Floats, s: Floats, z: Floats, f: Floats, k: Ints, hk: Floats, t: Float
) -> Int:
    noted = k[k[AT_TOUCHED] :]
    stamps = k[k[AT_STAMP] :]
    found = 0
    for place in range(k[TOUCHED]):
        stamps[noted[place]] = 0
        code = predict(m, s, z, f, k, hk, noted[place], t)
        if code != 0:
            found = code
    k[TOUCHED] = 0
    return found
