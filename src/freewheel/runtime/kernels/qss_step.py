"""The loop of quantized states: whoever is next moves, and those who look at it are told.

    code = advance(m, s, z, f, k, hk)        # up to f[LIMIT]: REACHED, EVENT, BREATH, ...

Items of the heap are states, then relations, then rows that follow time by themselves, which are looked
at again before their polynomials are too old. A relation whose status only rows read is dealt with here;
any other crossing is an EVENT for the caller.
"""

from __future__ import annotations

from freewheel.machine.addresses import function_at
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints
from freewheel.runtime.kernels.qss_handle import handle, handling, read_again, tell, width_of
from freewheel.runtime.kernels.qss_heap import set_time
from freewheel.runtime.kernels.qss_mend import follow_rows, mend, mending
from freewheel.runtime.kernels.qss_pairs import pairs, partner
from freewheel.runtime.kernels.qss_past import move_past, pasts, settle_past
from freewheel.runtime.kernels.qss_places import (
    ALONE,
    ASKED,
    ASKED_TO_STOP,
    AT_HEAP,
    AT_LOCAL,
    AT_OUT,
    AT_RATES,
    AT_ROWS,
    AT_SEEN,
    AT_STATUS,
    AT_STATUS_WATCH,
    AT_STRAIGHT,
    BREATH,
    BUDGET,
    BY_Q,
    DQ,
    DUE,
    EVENT,
    F_HEAD,
    FLOOD,
    FLOODED,
    HANDLED,
    HORIZON,
    LAST_T,
    LIMIT,
    LOCAL_EVENTS,
    MAX_STEPS,
    METHOD,
    MISSING,
    MLIQSS,
    ORDER,
    PAIR_WITH,
    PAIRED,
    PAST_FULL,
    PAST_ITEM,
    PAST_LACKS,
    PAST_TOUCHED,
    Q0,
    Q1,
    Q2,
    Q_BEFORE,
    RATE_BEFORE,
    REACHED,
    RECORD,
    REFRESH,
    REFRESHES,
    RELATIONS,
    START,
    STEPS,
    STOP,
    TOO_MANY,
    TOUCHED,
    TQ,
    TX,
    WHO,
    X0,
    X1,
    X2,
    X3,
    Z_BAND,
    Z_COARSE,
    Z_DELTA,
    Z_GAP,
    Z_LAST,
    Z_QUICK,
    Z_RECORD,
    Z_SHRINKS,
    N,
    T,
)
from freewheel.runtime.kernels.qss_quantize import advance_q, advance_x, is_stiff, quantize
from freewheel.runtime.kernels.qss_rows import (
    LONGEST,
    SHORTEST_LOOK,
    predict,
    predict_touched,
    renew,
    residual_of,
    rests_on_zero,
    until_look,
)
from freewheel.runtime.kernels.qss_wait import wait

stepping = KernelModule("qss_stepping", handling, pairs, pasts, mending)

SOFT = 0.25  # of a quantum: what a row that follows time may be wrong by
SHRINKING = 0.95  # of the time since the crossing before, as in `instant.py`
MOST_AT_ONCE = 1000  # steps of each state without any progress of time
COARSER = 10.0  # hysteresis after each wrong prediction
COARSEST = 1e9
QUICK = 1e-9  # of the whole time
EPSILON = 2.220446049250313e-16
SHRUNK = 5.0  # times in a row: for those who know of ever shorter times


@stepping.kernel
def just_after(t: Float) -> Float:
    """A time just after `t`, as rounding has it."""
    return t + max(0.6 * EPSILON * abs(t), 1e-300)  # rounds to one unit in the last place


@stepping.kernel
def step_state(
    m: Floats, s: Floats, z: Floats, f: Floats, k: Ints, hk: Floats, i: Int, t: Float
) -> Int:
    """State i takes its step."""
    r = s[RECORD * i :]
    if k[MISSING] > 0:
        follow_rows(m, s, f, k, i, t)
    advance_x(s, i, t)
    r[DQ] = width_of(f, k[N], i, r[X0])
    passed = t - r[TQ]
    f[Q_BEFORE] = r[Q0] + passed * (r[Q1] + passed * r[Q2])
    f[RATE_BEFORE] = r[X1]
    other = -1
    if k[METHOD] == MLIQSS:
        advance_q(s, i, t)
        q = r[Q0]
        slope = r[Q1]
        quantize(s, k, i, t, f[HORIZON])
        other = partner(m, s, f, k, i, t, f[HORIZON], q, slope)
    else:
        quantize(s, k, i, t, f[HORIZON])
    k[PAIR_WITH] = other
    code = renew(m, s, z, f, k, hk, i, t, 1)
    if code != 0:
        return code
    code = tell(m, s, z, f, k, hk, i, t, 1)
    if code == 0 and other >= 0:
        k[PAIRED] += 1
        s[RECORD * other + DQ] = width_of(f, k[N], other, s[RECORD * other + X0])
        code = renew(m, s, z, f, k, hk, other, t, 1)
        if code == 0:
            code = tell(m, s, z, f, k, hk, other, t, 1)
    return code


@stepping.kernel
def cross(
    m: Floats, s: Floats, z: Floats, f: Floats, k: Ints, hk: Floats, number: Int, t: Float
) -> Int:
    """Whether a predicted crossing is one; local ones are dealt with."""
    code = residual_of(m, s, f, k, number, t)
    if code != 0:
        return code
    r = z[Z_RECORD * number :]
    slot = k[k[AT_STATUS] + number]
    status = m[slot]
    value = f[AT_OUT]
    band = r[Z_BAND]
    has_left = 0
    if status > 0.0 and value < -band:
        has_left = 1
    if status < 0.0 and value > band:
        has_left = 1
    if status == 0.0 and abs(value) > band:
        has_left = 1
    if status != 0.0 and band == 0.0 and rests_on_zero(f[AT_OUT:]) == 1:
        has_left = 1
    is_straight = k[k[AT_STRAIGHT] + number]
    if is_straight == 1 and value == 0.0 and f[AT_OUT + 1] != 0.0:
        value = f[AT_OUT + 1]  # the side it will be on
        has_left = 1
    if has_left == 0 and is_straight == 1:
        set_time(k, hk, k[N] + number, just_after(t))
        return 0
    if has_left == 0:
        is_moving = 1 if f[AT_OUT + 1] != 0.0 or f[AT_OUT + 2] != 0.0 else 0
        if abs(value) <= 2.0 * r[Z_DELTA] and is_moving == 1:
            r[Z_COARSE] = min(COARSEST, COARSER * r[Z_COARSE])
        return predict(m, s, z, f, k, hk, number, t)
    is_quick = 1 if t - r[Z_LAST] < QUICK * (f[STOP] - f[START]) else 0
    is_local = k[k[AT_LOCAL] + number]
    # Others are judged by those who know of chattering and sliding.
    coarser = min(COARSEST, COARSER * r[Z_COARSE])
    r[Z_COARSE] = coarser if is_quick == 1 and is_local == ALONE else 1.0
    r[Z_QUICK] = r[Z_QUICK] + 1.0 if is_quick == 1 else 0.0
    gap = t - r[Z_LAST]
    if is_quick == 0:  # else it goes back and forth
        r[Z_SHRINKS] = r[Z_SHRINKS] + 1.0 if gap < SHRINKING * r[Z_GAP] else 0.0
        r[Z_GAP] = gap
    r[Z_LAST] = t
    is_odd = 1 if r[Z_QUICK] > 0.0 or r[Z_SHRINKS] >= SHRUNK else 0
    if is_local == ASKED or (is_local == HANDLED and is_odd == 1):
        k[WHO] = number
        return EVENT
    k[LOCAL_EVENTS] += 1
    m[slot] = 1.0 if value > 0.0 else (-1.0 if value < 0.0 else 0.0)
    watched = k[k[AT_STATUS_WATCH] + number]
    if watched >= 0:
        f[k[AT_SEEN] + watched] = m[slot]
        code = read_again(m, s, z, f, k, hk, watched, t)
        if code != 0:
            return code
    if is_local == HANDLED:
        code = handle(m, s, z, f, k, hk, number, t)
        if code != 0:
            return code
    return predict(m, s, z, f, k, hk, number, t)


@stepping.kernel
def next_look(r: Floats, f: Floats, degree: Int, passed: Float, off: Float) -> Float:
    """After which time, if the rate was `off` after `passed`."""
    order = float(degree)
    wrong = off * passed / (order + 1.0)
    change = 2.0
    if wrong > 0.0:
        change = min(2.0, max(0.2, 0.9 * (SOFT * r[DQ] / wrong) ** (1.0 / (order + 1.0))))
    span = f[STOP] - f[START]
    return min(max(passed * change, SHORTEST_LOOK * span), LONGEST * span)


@stepping.kernel
def look_again(
    m: Floats, s: Floats, z: Floats, f: Floats, k: Ints, hk: Floats, j: Int, t: Float, passed: Float
) -> Int:
    """Renew a row, and learn from how wrong it was."""
    r = s[RECORD * j :]
    since = t - r[TX]
    advance_x(s, j, t)
    expected = r[X1]
    x2 = r[X2]
    x3 = r[X3]
    k[REFRESHES] += 1
    code = renew(m, s, z, f, k, hk, j, t, 0)
    if code != 0:
        return code
    r[REFRESH] = next_look(r, f, k[ORDER], passed, abs(r[X1] - expected))
    if mend(m, s, f, k, j, t, min(since, passed), expected, x2, x3) == 1:
        set_time(k, hk, j, t + wait(s, k, j, 0, f[HORIZON] - t))
    return 0


@stepping.kernel
def refresh(
    m: Floats, s: Floats, z: Floats, f: Floats, k: Ints, hk: Floats, j: Int, t: Float
) -> Int:
    """A row that follows time is looked at again; how wrong it was says how soon the next time."""
    r = s[RECORD * j :]
    passed = r[REFRESH]
    code = look_again(m, s, z, f, k, hk, j, t, passed)
    if code != 0:
        return code
    set_time(k, hk, k[N] + k[RELATIONS] + j, t + r[REFRESH])
    return 0


@stepping.kernel
def look_closer(
    m: Floats, s: Floats, z: Floats, f: Floats, k: Ints, hk: Floats, j: Int, t: Float
) -> Int:
    """The same of a row that is curved by its states, and whose own state is not yet due. If all is as
    foretold, nothing is touched."""
    r = s[RECORD * j :]
    passed = t - r[TX]
    function = function_at(k[k[AT_RATES] + j])
    status = function(m, k[k[k[AT_ROWS] + j] :], s, t, f[AT_OUT:])
    off = abs(f[AT_OUT] - r[X1] - passed * (2.0 * r[X2] + 3.0 * passed * r[X3]))
    if status == 0 and off * passed <= SOFT * (float(k[ORDER]) + 1.0) * r[DQ]:
        k[REFRESHES] += 1
        look = next_look(r, f, k[ORDER], passed, off)
        due = f[F_HEAD + DUE * k[N] + j]
        r[REFRESH] = look if due <= t + look else -look
        set_time(k, hk, j, min(due, t + look))
        return 0
    code = look_again(m, s, z, f, k, hk, j, t, passed)
    if code != 0:
        return code
    away = wait(s, k, j, 0, f[HORIZON] - t)
    if away > r[REFRESH]:
        away = until_look(s, f, k, j, away, t, 0.0, 0)
    set_time(k, hk, j, t + away)
    return 0


@stepping.kernel
def advance(m: Floats, s: Floats, z: Floats, f: Floats, k: Ints, hk: Floats) -> Int:
    n = k[N]
    with_relations = n + k[RELATIONS]
    past = k[PAST_ITEM]
    limit = f[LIMIT]
    items = k[k[AT_HEAP] :]
    left = k[BUDGET]
    most = MOST_AT_ONCE * (n + 10)
    while True:
        t = hk[0]
        if t > limit:
            f[T] = limit
            k[BUDGET] = left
            return REACHED
        if left <= 0 or k[ASKED_TO_STOP] != 0:
            k[BUDGET] = 0
            return BREATH
        left -= 1
        f[T] = t
        item = items[0]
        if item < n:
            if s[RECORD * item + REFRESH] < 0.0:
                code = look_closer(m, s, z, f, k, hk, item, t)
            else:
                k[STEPS] += 1
                code = step_state(m, s, z, f, k, hk, item, t)
        elif item < with_relations:
            code = cross(m, s, z, f, k, hk, item - n, t)
        elif item < past:
            code = refresh(m, s, z, f, k, hk, item - with_relations, t)
        else:
            code = move_past(m, s, z, f, k, hk, item - past, t)
        if code == 0 and k[PAST_TOUCHED] > 0:
            code = settle_past(m, s, z, f, k, hk, t)
        if code == 0 and k[TOUCHED] > 0:
            code = predict_touched(m, s, z, f, k, hk, t)
        if code == 0:
            if t > f[LAST_T]:
                f[LAST_T] = t
                k[FLOOD] = 0
            else:
                k[FLOOD] += 1
                if k[FLOOD] > most:
                    code = FLOODED
            if k[STEPS] >= k[MAX_STEPS]:
                code = TOO_MANY
            if code == 0 and k[PAST_FULL] > 0:
                code = PAST_LACKS
        if code != 0:
            k[BUDGET] = left
            if code != EVENT:
                k[WHO] = item
            return code


@stepping.kernel
def point_at(s: Floats, f: Floats, k: Ints, t: Float, y: Floats) -> None:
    """States at a time as relations and events see them; the records stay as they are."""
    for i in range(k[N]):
        y[i] = state_at(s, f, k, i, t)


@stepping.kernel
def state_at(s: Floats, f: Floats, k: Ints, i: Int, t: Float) -> Float:
    r = s[RECORD * i :]
    if k[BY_Q] == 1 and is_stiff(r, f) == 1:
        e = t - r[TQ]
        return r[Q0] + e * (r[Q1] + e * r[Q2])
    e = t - r[TX]
    return r[X0] + e * (r[X1] + e * (r[X2] + e * r[X3]))


@stepping.kernel
def states_at(s: Floats, k: Ints, t: Float, y: Floats) -> None:
    """Continuous states at a time."""
    for i in range(k[N]):
        r = s[RECORD * i :]
        e = t - r[TX]
        y[i] = r[X0] + e * (r[X1] + e * (r[X2] + e * r[X3]))
