"""The loop of quantized states where an implicit core makes them one group.

    code = begin_group(m, s, z, f, k, hk, t)      # at the values in memory, in the mode of the present bits
    code = advance_group(m, s, z, f, k, hk)       # up to f[LIMIT]: REACHED, EVENT, BREATH, ...

Each chosen state has its quantum and its next time, as in `qss_step.py`; a step of one renews the rates of
those that depend on it. After an event other states may be the chosen ones.
"""

from __future__ import annotations

from math import inf

from freewheel.machine.addresses import floats_at, function_at, ints_at
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints
from freewheel.runtime.kernels.core_places import CORNER_FLOOR, HEAD, ROUGH
from freewheel.runtime.kernels.core_table import K_STATES, K_W
from freewheel.runtime.kernels.qss_core_mode import describe_mode, modes_of_group
from freewheel.runtime.kernels.qss_core_past import (
    is_far_ahead,
    past_of_group,
    remember_group,
)
from freewheel.runtime.kernels.qss_core_places import (
    B0,
    B1,
    B2,
    ELEMENTS,
    EXPECTED,
    F0,
    F1,
    F2,
    G_HEAD,
    GO_ON,
    IS_BENT,
    IS_LINEAR,
    IS_TIMED,
    LAST,
    LOOKED,
    LOUD,
    MODE,
    NOW,
    RENEW,
    RENEWED,
    SEEN,
    SIZES,
    STATES,
    V_HEAD,
    VECTORS,
    W_AWAY,
    W_BEGAN,
    W_COARSE,
    W_RECORD,
    W_SEEN,
    WAS,
)
from freewheel.runtime.kernels.qss_core_places import REFRESH as REFRESH_ALL
from freewheel.runtime.kernels.qss_core_rates import (
    BY_SIGHT,
    CHOOSE_AGAIN,
    ROUNDING,
    bent_rates,
    keep_pace,
    linear_rate,
    look_at_time,
    point_of_group,
    rates_in_group,
    renew_where_it_bends,
)
from freewheel.runtime.kernels.qss_core_watch import (
    cross_watcher,
    predict_watchers,
    unknown_of,
    watching,
)
from freewheel.runtime.kernels.qss_handle import handling, place_state, width_of
from freewheel.runtime.kernels.qss_heap import set_time
from freewheel.runtime.kernels.qss_pairs import is_moved, pairs, quantize_pair
from freewheel.runtime.kernels.qss_places import (
    ASKED_TO_STOP,
    AT_HEAP,
    AT_POS,
    BREATH,
    BUDGET,
    DQ,
    EVENT,
    FLOOD,
    FLOODED,
    GROUP,
    GROUP_FLOATS,
    HORIZON,
    ITEMS,
    LAST_T,
    LIMIT,
    LIQSS,
    MAX_STEPS,
    METHOD,
    MLIQSS,
    ORDER,
    PAIRED,
    Q0,
    Q1,
    Q2,
    REACHED,
    RECORD,
    REFRESHES,
    ROW_FAILED,
    START,
    STEPS,
    STOP,
    TOO_MANY,
    WHO,
    X0,
    X1,
    X2,
    A,
    N,
    T,
)
from freewheel.runtime.kernels.qss_quantize import advance_q, advance_x, quantize
from freewheel.runtime.kernels.qss_rows import split
from freewheel.runtime.kernels.qss_wait import wait

group_steps = KernelModule(
    "qss_core_steps", modes_of_group, rates_in_group, past_of_group, watching, handling, pairs
)

FIRST_LOOK = 1e-6  # of the whole time: time is first looked at again after it
SHORTEST_LOOK, LONGEST = 1e-9, 0.01  # of the whole time, between two looks
SOFT = 0.25  # of a quantum: what f(t) may be wrong by
FOLLOWED = 1e-3  # of its size: the same of an unknown that follows
SOONER = 0.25  # of the last time between looks, after an event
MOST_AT_ONCE = 1000
CLEAR = 1e-3  # of a quantum: a step of q that tells a slope from rounding
ASIDE = 1e-2  # of a quantum: to find the slope of a rate by its own state
TOP = 1e250
LARGEST = 1.7976931348623157e308


@group_steps.kernel
def is_implicit(k: Ints) -> Int:
    return 1 if k[METHOD] == LIQSS or k[METHOD] == MLIQSS else 0


@group_steps.kernel
def own_slope(k: Ints, s: Floats, a: Int) -> None:
    """A of a chosen state of a linear mode."""
    g = ints_at(k[GROUP])
    v = floats_at(k[GROUP_FLOATS])
    n = k[N]
    slope = v[V_HEAD + (VECTORS + n + a) * n + a]
    s[RECORD * g[G_HEAD + a] + A] = slope if slope < 0.0 and slope > -TOP else 0.0


@group_steps.kernel
def schedule(s: Floats, f: Floats, k: Ints, hk: Floats, i: Int, t: Float, is_own: Int) -> None:
    """The rate of state i has changed: when it will have left its quantum."""
    if is_implicit(k) == 1:
        split(s[RECORD * i :], k[ORDER])
    set_time(k, hk, i, t + wait(s, k, i, is_own, f[HORIZON] - t))


@group_steps.kernel
def bring_to(s: Floats, k: Ints, t: Float) -> None:
    """Both polynomials of all chosen states count from `t`."""
    g = ints_at(k[GROUP])
    for a in range(g[STATES]):
        advance_x(s, g[G_HEAD + a], t)
        advance_q(s, g[G_HEAD + a], t)


@group_steps.kernel
def concerns(row: Floats, a: Int, by: Int) -> Int:
    """Whether a step of chosen state `by` (-1: none) matters to the rate of a, of which M has the row."""
    if by < 0:
        return 0
    return 1 if a == by or row[by] != 0.0 else 0


@group_steps.kernel
def is_one_of(a: Int, one: Int, other: Int) -> Int:
    if a == one:
        return 1
    return 1 if a == other else 0


@group_steps.kernel
def renew_rates(
    m: Floats, s: Floats, f: Floats, k: Ints, hk: Floats, t: Float, by: Int, and_by: Int
) -> Int:
    """Rates of those that depend on the chosen states `by` and `and_by` (-1: none), or of all where `by`
    is -1; these two have taken steps."""
    g = ints_at(k[GROUP])
    v = floats_at(k[GROUP_FLOATS])
    n = k[N]
    keep_pace(k, t)
    if g[IS_LINEAR] == 0:
        bring_to(s, k, t)
        code = renew_where_it_bends(m, k, t)
        if code == 0:
            code = bent_rates(m, s, f, k, t)
        if code != 0:
            return code
    for a in range(g[STATES]):
        i = g[G_HEAD + a]
        if g[IS_LINEAR] == 1:
            row = v[V_HEAD + (VECTORS + n + a) * n :]
            if by >= 0 and concerns(row, a, by) == 0 and concerns(row, a, and_by) == 0:
                continue
            advance_x(s, i, t)
            advance_q(s, i, t)
            linear_rate(s, k, a, t)
            if not abs(s[RECORD * i + X1] + s[RECORD * i + X2]) <= LARGEST:
                return ROW_FAILED
        schedule(s, f, k, hk, i, t, is_one_of(a, by, and_by))
    return 0


@group_steps.kernel
def partner_in_group(
    s: Floats, f: Floats, k: Ints, a: Int, t: Float, q: Float, slope: Float
) -> Int:
    """As `qss_pairs.partner`, by M: the place of the state quantized together with a; -1: none."""
    g = ints_at(k[GROUP])
    v = floats_at(k[GROUP_FLOATS])
    n = k[N]
    if g[IS_LINEAR] == 0:
        return -1
    motion = v[V_HEAD + (VECTORS + n) * n :]
    i = g[G_HEAD + a]
    best = -1
    tie = 0.0
    for b in range(g[STATES]):
        both = abs(motion[a * n + b] * motion[b * n + a])
        if b == a or both <= tie:
            continue
        j = g[G_HEAD + b]
        advance_x(s, j, t)
        advance_q(s, j, t)
        if is_moved(s, i, j, motion[b * n + a], q, slope) == 1:
            best = b
            tie = both
    if best < 0:
        return -1
    j = g[G_HEAD + best]
    found = quantize_pair(
        s, i, j, motion[a * n + a], motion[a * n + best], motion[best * n + a],
        motion[best * n + best], q, slope, t, f[HORIZON],
    )  # fmt: skip
    return best if found == j else -1


@group_steps.kernel
def step_in_group(
    m: Floats, s: Floats, z: Floats, f: Floats, k: Ints, hk: Floats, i: Int, t: Float
) -> Int:
    """Chosen unknown i takes its step."""
    g = ints_at(k[GROUP])
    n = k[N]
    a = g[G_HEAD + n + i]
    if a < 0:
        set_time(k, hk, i, inf)
        return 0
    r = s[RECORD * i :]
    advance_x(s, i, t)
    advance_q(s, i, t)
    r[DQ] = width_of(f, n, i, r[X0])
    q = r[Q0]
    slope = r[Q1]
    rate = r[X1]
    quantize(s, k, i, t, f[HORIZON])
    other = -1
    if k[METHOD] == MLIQSS:
        other = partner_in_group(s, f, k, a, t, q, slope)
        if other >= 0:
            k[PAIRED] += 1
            j = g[G_HEAD + other]
            s[RECORD * j + DQ] = width_of(f, n, j, s[RECORD * j + X0])
    code = renew_rates(m, s, f, k, hk, t, a, other)
    if code == CHOOSE_AGAIN:
        return choose_again(m, s, z, f, k, hk, t)
    if code != 0:
        return code
    moved = r[Q0] - q
    if g[IS_LINEAR] == 0 and is_implicit(k) == 1 and abs(moved) > CLEAR * r[DQ]:
        r[A] = max(-TOP, min(0.0, (r[X1] - rate) / moved))
        schedule(s, f, k, hk, i, t, 1)
    return predict_watchers(m, s, z, f, k, hk, t)


# ---------------------------------------------------------------- time goes on


@group_steps.kernel
def wrong_rates(s: Floats, k: Ints, passed: Float) -> Float:
    """By how much rates are other than expected, in units of what is allowed. A state that forgets faster
    than that forgets what it was wrong by, too."""
    g = ints_at(k[GROUP])
    v = floats_at(k[GROUP_FLOATS])
    n = k[N]
    worst = 0.0
    for a in range(g[STATES]):
        r = s[RECORD * g[G_HEAD + a] :]
        lasts = passed / (float(k[ORDER]) + 1.0)
        if r[A] < 0.0:
            lasts = min(lasts, -1.0 / r[A])
        off = abs(r[X1] - v[V_HEAD + EXPECTED * n + a]) * lasts
        worst = max(worst, off / (SOFT * r[DQ]))
    return worst


@group_steps.kernel
def left_out(s: Floats, k: Ints, passed: Float) -> Float:
    """What the formulas of the method do not know of f(t), in the same units: x may leave its quantum by
    so much without anybody noticing."""
    g = ints_at(k[GROUP])
    v = floats_at(k[GROUP_FLOATS])
    n = k[N]
    worst = 0.0
    for a in range(g[STATES]):
        more = abs(v[V_HEAD + F2 * n + a]) * passed * passed * passed / 3.0
        if k[ORDER] == 1:
            more += 0.5 * abs(v[V_HEAD + F1 * n + a]) * passed * passed
        if k[ORDER] > 2:
            more = 0.0
        worst = max(worst, more / (SOFT * s[RECORD * g[G_HEAD + a] + DQ]))
    return worst


@group_steps.kernel
def mend_states(s: Floats, k: Ints, passed: Float) -> None:
    """What f(t) was beside its polynomial grows with the third power of time: a quarter of it at the end,
    times the time, is missing in x. Polynomials as they were are in WAS, places are those of F0."""
    g = ints_at(k[GROUP])
    v = floats_at(k[GROUP_FLOATS])
    n = k[N]
    for a in range(g[STATES]):
        wrong = v[V_HEAD + F0 * n + a] - v[V_HEAD + WAS * n + a]
        s[RECORD * g[G_HEAD + a] + X0] += 0.25 * wrong * passed


@group_steps.kernel
def wrong_values(m: Floats, k: Ints) -> Float:
    """The same of elements' unknowns that follow time in a linear mode: b(t) as expected is in RENEWED."""
    g = ints_at(k[GROUP])
    v = floats_at(k[GROUP_FLOATS])
    w = floats_at(ints_at(int(m[-2]))[K_W])
    n = k[N]
    worst = 0.0
    for e in range(g[ELEMENTS]):
        i = unknown_of(m, e)
        floor = max(w[HEAD + CORNER_FLOOR * n + i], w[HEAD + ROUGH * n + i], 1e-300)
        size = max(v[V_HEAD + SIZES * n + i], floor)
        off = abs(v[V_HEAD + B0 * n + i] - v[V_HEAD + RENEWED * n + i])
        worst = max(worst, off / (FOLLOWED * size))
    return worst


@group_steps.kernel
def look_again(
    m: Floats, s: Floats, z: Floats, f: Floats, k: Ints, hk: Floats, t: Float, is_due: Int
) -> Int:
    """Time has gone on: f(t), b(t) and all rates anew; how wrong they were says how soon the next time."""
    g = ints_at(k[GROUP])
    v = floats_at(k[GROUP_FLOATS])
    n = k[N]
    passed = t - v[LOOKED]
    k[REFRESHES] += 1
    bring_to(s, k, t)
    for a in range(g[STATES]):
        v[V_HEAD + EXPECTED * n + a] = s[RECORD * g[G_HEAD + a] + X1]
    worst = 0.0
    if g[IS_LINEAR] == 1:
        expected = v[V_HEAD + RENEWED * n :]  # a linear mode has no other use for it
        for a in range(g[STATES]):
            f1 = v[V_HEAD + F1 * n + a]
            f2 = v[V_HEAD + F2 * n + a]
            v[V_HEAD + WAS * n + a] = v[V_HEAD + F0 * n + a] + passed * (f1 + passed * f2)
        for i in range(n):
            b1 = v[V_HEAD + B1 * n + i]
            b2 = v[V_HEAD + B2 * n + i]
            expected[i] = v[V_HEAD + B0 * n + i] + passed * (b1 + passed * b2)
        seen = function_at(g[SEEN])
        if look_at_time(m, s, f, k, t) != 0 or seen(m) != 0:
            return ROW_FAILED
        worst = max(wrong_values(m, k), left_out(s, k, passed))
        mend_states(s, k, passed)
    code = renew_rates(m, s, f, k, hk, t, -1, -1)
    if code == CHOOSE_AGAIN:
        return choose_again(m, s, z, f, k, hk, t)
    if code != 0:
        return code
    v[LOOKED] = t
    worst = max(worst, wrong_rates(s, k, passed))
    order = float(k[ORDER]) + 1.0
    change = 2.0
    if worst > 0.0:
        change = min(2.0, max(0.2, 0.9 * (1.0 / worst) ** (1.0 / order)))
    if is_due == 1 and passed > 0.0:
        span = f[STOP] - f[START]
        v[REFRESH_ALL] = min(max(passed * change, SHORTEST_LOOK * span), LONGEST * span)
    away = max(v[REFRESH_ALL], ROUNDING * abs(t))
    set_time(k, hk, n + g[ELEMENTS] + g[LOUD], t + away)
    return predict_watchers(m, s, z, f, k, hk, t)


# ---------------------------------------------------------------- beginning


@group_steps.kernel
def lay_group(k: Ints, hk: Floats) -> None:
    items = k[k[AT_HEAP] :]
    places = k[k[AT_POS] :]
    for i in range(k[ITEMS]):
        items[i] = i
        places[i] = i
        hk[i] = inf


@group_steps.kernel
def begin_values(m: Floats, s: Floats, f: Floats, k: Ints, t: Float) -> None:
    """Records from the values in memory, and what follows from them as if time did nothing."""
    g = ints_at(k[GROUP])
    v = floats_at(k[GROUP_FLOATS])
    n = k[N]
    d = g[STATES]
    table = ints_at(int(m[-2]))
    y = m[table[K_STATES] :]
    follow = v[V_HEAD + VECTORS * n :]
    v[LOOKED] = t
    v[LAST] = t
    for i in range(n):
        place_state(s, f, n, i, y[i], t)
        v[V_HEAD + NOW * n + i] = y[i]
        v[V_HEAD + RENEWED * n + i] = y[i]
        v[V_HEAD + SIZES * n + i] = max(v[V_HEAD + SIZES * n + i], abs(y[i]))
        total = y[i]
        for a in range(d):
            total -= follow[i * n + a] * y[g[G_HEAD + a]]
        v[V_HEAD + B0 * n + i] = total
        v[V_HEAD + B1 * n + i] = 0.0
        v[V_HEAD + B2 * n + i] = 0.0


@group_steps.kernel
def own_slopes(m: Floats, s: Floats, f: Floats, k: Ints, t: Float) -> Int:
    """A of all chosen states: from M, or by moving each of them a little."""
    g = ints_at(k[GROUP])
    for a in range(g[STATES]):
        r = s[RECORD * g[G_HEAD + a] :]
        if g[IS_LINEAR] == 1:
            own_slope(k, s, a)
            continue
        held = r[Q0]
        rate = r[X1]
        r[Q0] = held + ASIDE * r[DQ]
        if bent_rates(m, s, f, k, t) != 0:
            return ROW_FAILED
        r[A] = max(-TOP, min(0.0, (r[X1] - rate) / (ASIDE * r[DQ])))
        r[Q0] = held
        if bent_rates(m, s, f, k, t) != 0:
            return ROW_FAILED
    return 0


@group_steps.kernel
def begin_polynomials(m: Floats, s: Floats, f: Floats, k: Ints, t: Float) -> Int:
    """Order by order, as `qss_begin.begin`."""
    g = ints_at(k[GROUP])
    order = k[ORDER]
    for degree in range(order):
        if g[IS_LINEAR] == 0 and bent_rates(m, s, f, k, t) != 0:
            return ROW_FAILED
        for a in range(g[STATES]):
            if g[IS_LINEAR] == 1:
                linear_rate(s, k, a, t)
        if degree == 0 and is_implicit(k) == 1 and own_slopes(m, s, f, k, t) != 0:
            return ROW_FAILED
        for a in range(g[STATES]):
            r = s[RECORD * g[G_HEAD + a] :]
            if degree == 0 and order > 1:
                r[Q1] = r[X1]
            if degree == 1 and order > 2:
                r[Q2] = r[X2]
    return 0


@group_steps.kernel
def begin_in_mode(
    m: Floats, s: Floats, z: Floats, f: Floats, k: Ints, hk: Floats, mode: Int, t: Float
) -> Int:
    g = ints_at(k[GROUP])
    v = floats_at(k[GROUP_FLOATS])
    n = k[N]
    lay_group(k, hk)
    if g[IS_BENT] == 1:  # what is analysed belongs to this very point
        renew = function_at(g[RENEW])
        if renew(m, t) != 0:
            return ROW_FAILED
    if describe_mode(m, k, mode, 0) != 0:
        return ROW_FAILED
    begin_values(m, s, f, k, t)
    v[REFRESH_ALL] = max(FIRST_LOOK * (f[STOP] - f[START]), SOONER * v[REFRESH_ALL])
    if g[IS_LINEAR] == 1 and look_at_time(m, s, f, k, t) != 0:
        return ROW_FAILED
    if begin_polynomials(m, s, f, k, t) != 0:
        return ROW_FAILED
    code = renew_rates(m, s, f, k, hk, t, -1, -1)
    if code != 0:
        return ROW_FAILED
    for number in range(g[ELEMENTS] + g[LOUD]):
        r = z[W_RECORD * number :]
        r[W_COARSE] = 1.0
        r[W_SEEN] = -inf
        r[W_BEGAN] = -1.0
        r[W_AWAY] = SOONER * r[W_AWAY]
    if g[IS_TIMED] == 1:
        set_time(k, hk, n + g[ELEMENTS] + g[LOUD], t + max(v[REFRESH_ALL], ROUNDING * abs(t)))
    return predict_watchers(m, s, z, f, k, hk, t)


@group_steps.kernel
def choose_again(m: Floats, s: Floats, z: Floats, f: Floats, k: Ints, hk: Floats, t: Float) -> Int:
    """Where a mode bends, the unknowns that were chosen may come to depend on each other."""
    g = ints_at(k[GROUP])
    if point_of_group(m, s, f, k, t, BY_SIGHT, t) != 0:
        return ROW_FAILED
    return begin_in_mode(m, s, z, f, k, hk, g[MODE], t)


@group_steps.kernel
def begin_group(m: Floats, s: Floats, z: Floats, f: Floats, k: Ints, hk: Floats, t: Float) -> Int:
    """Go on at the values in memory, in the mode of the present bits; 0, or ROW_FAILED."""
    g = ints_at(k[GROUP])
    go_on = function_at(g[GO_ON])
    mode = go_on(m, t)
    if mode < 0:
        return ROW_FAILED
    f[LAST_T] = t
    f[T] = t
    return begin_in_mode(m, s, z, f, k, hk, mode, t)


@group_steps.kernel
def advance_group(m: Floats, s: Floats, z: Floats, f: Floats, k: Ints, hk: Floats) -> Int:
    g = ints_at(k[GROUP])
    n = k[N]
    with_watchers = n + g[ELEMENTS] + g[LOUD]
    limit = f[LIMIT]
    items = k[k[AT_HEAP] :]
    left = k[BUDGET]
    most = MOST_AT_ONCE * (n + 10)
    while True:
        t = hk[0]
        item = items[0]
        is_watcher = 1 if item >= n and item < with_watchers else 0
        if t > limit or is_watcher == 0 or is_far_ahead(k, t) == 1:
            code = remember_group(m, s, f, k, min(t, limit))
            if code != 0:
                k[BUDGET] = left
                return code
        if t > limit:
            f[T] = limit
            k[BUDGET] = left
            return REACHED
        if left <= 0 or k[ASKED_TO_STOP] != 0:
            k[BUDGET] = 0
            return BREATH
        left -= 1
        low = f[T]
        if item < n:
            f[T] = t
            k[STEPS] += 1
            code = step_in_group(m, s, z, f, k, hk, item, t)
        elif item < with_watchers:
            code = cross_watcher(m, s, z, f, k, hk, item - n, low, t)
            happens_at = f[T] if code == EVENT else t
            kept = remember_group(m, s, f, k, happens_at)
            if kept != 0:
                k[BUDGET] = left
                f[T] = low
                return kept
            if code == 0:
                f[T] = t
                code = look_again(m, s, z, f, k, hk, t, 0) if g[IS_TIMED] == 1 else 0
                if code == 0 and g[IS_TIMED] == 0:
                    code = predict_watchers(m, s, z, f, k, hk, t)
        else:
            f[T] = t
            code = look_again(m, s, z, f, k, hk, t, 1)
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
        if code != 0:
            k[BUDGET] = left
            if code != EVENT:
                k[WHO] = item
            return code
