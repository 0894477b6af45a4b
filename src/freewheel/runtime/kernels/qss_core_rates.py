"""The group of a model with an implicit core at a time: all its unknowns, and the rates of the chosen ones.

    status = point_of_group(m, s, f, k, t, BY_X, t)       # into memory: y and y' where the states are
    status = look_at_time(m, s, f, k, t)              # f(t) and b(t) of a linear mode, as polynomials
    status = rates_of_group(m, s, f, k, t)            # X1, X2, X3 of the chosen states from their q

In a linear mode the rates are M q + f(t): a step of one state changes the rates of those that M ties to it.
In any other mode they come from the core itself, made consistent at the q's; derivatives by time are
differences, as those of rows without formulas are.
"""

from __future__ import annotations

from freewheel.machine.addresses import floats_at, function_at, ints_at
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints
from freewheel.runtime.kernels.core_table import K_SLOPES, K_STATES, K_TIME
from freewheel.runtime.kernels.qss_core_mode import describe_mode, modes_of_group
from freewheel.runtime.kernels.qss_core_places import (
    AFTER,
    B0,
    B1,
    B2,
    DERIVATIVES,
    EARLIER,
    F0,
    F1,
    F2,
    G_HEAD,
    HERE,
    IS_LINEAR,
    IS_TIMED,
    LAST,
    LOOKED,
    MODE,
    NOW,
    PACE,
    RENEW,
    RENEWED,
    SIZES,
    SLOPES,
    STATES,
    V_HEAD,
    VECTORS,
    WANTED,
)
from freewheel.runtime.kernels.qss_core_places import REFRESH as REFRESH_ALL
from freewheel.runtime.kernels.qss_places import (
    BY_Q,
    DQ,
    EVALUATIONS,
    GROUP,
    GROUP_FLOATS,
    ORDER,
    Q0,
    Q1,
    Q2,
    RECORD,
    ROW_FAILED,
    START,
    STOP,
    TQ,
    TX,
    X0,
    X1,
    X2,
    X3,
    N,
)
from freewheel.runtime.kernels.qss_quantize import is_stiff, quantizers

rates_in_group = KernelModule("qss_core_rates", quantizers, modes_of_group)

BY_SIGHT, BY_RATES = 0, 1  # states as events see them; as rates do
CHOOSE_AGAIN = 40
LARGEST = 1.7976931348623157e308
RIGHT = 1e-9  # of a quantum: so near the chosen states are met
CORRECTIONS = 12
SHORT = 0.05  # of the time to the next look: how far apart times are for differences
LONGEST_STRIDE, SHORTEST_STRIDE = 1e-5, 1e-10  # of the whole time
ROUNDING = 1e-12  # of the time itself: nearer times are not told apart well enough
OLD = 0.02  # of its size: an unknown that has moved so far may have other matrices
LATELY = 0.1  # weight of the last time between evaluations


@rates_in_group.kernel
def chosen_at(s: Floats, f: Floats, k: Ints, i: Int, t: Float, kind: Int) -> Float:
    """A state at a time, as rates or as events see it."""
    r = s[RECORD * i :]
    if kind == BY_RATES or (k[BY_Q] == 1 and is_stiff(r, f) == 1):
        e = t - r[TQ]
        return r[Q0] + e * (r[Q1] + e * r[Q2])
    e = t - r[TX]
    return r[X0] + e * (r[X1] + e * (r[X2] + e * r[X3]))


@rates_in_group.kernel
def guess_point(m: Floats, s: Floats, f: Floats, k: Ints, t: Float, kind: Int, at: Float) -> None:
    """All unknowns at `t` into memory, with the chosen states as they are `at` a time: exact in a linear
    mode but for b(t), elsewhere what the last point and S tell."""
    g = ints_at(k[GROUP])
    v = floats_at(k[GROUP_FLOATS])
    table = ints_at(int(m[-2]))
    n = k[N]
    d = g[STATES]
    chosen = g[G_HEAD:]
    y = m[table[K_STATES] :]
    wanted = v[V_HEAD + WANTED * n :]
    now = v[V_HEAD + NOW * n :]
    follow = v[V_HEAD + VECTORS * n :]
    m[table[K_TIME]] = t
    for a in range(d):
        wanted[a] = chosen_at(s, f, k, chosen[a], at, kind)
    e = t - v[LOOKED]
    for i in range(n):
        if g[IS_LINEAR] == 1:
            b = v[V_HEAD + B1 * n + i] + e * v[V_HEAD + B2 * n + i]
            total = v[V_HEAD + B0 * n + i] + e * b
            for a in range(d):
                total += follow[i * n + a] * wanted[a]
        else:
            total = now[i]
            for a in range(d):
                total += follow[i * n + a] * (wanted[a] - now[chosen[a]])
        y[i] = total


@rates_in_group.kernel
def point_of_group(m: Floats, s: Floats, f: Floats, k: Ints, t: Float, kind: Int, at: Float) -> Int:
    """y and y' at `t` into memory, consistent; 0, or ROW_FAILED. Making values consistent may move the
    chosen ones where others depend on them: these are put back, and what follows them goes along."""
    g = ints_at(k[GROUP])
    v = floats_at(k[GROUP_FLOATS])
    table = ints_at(int(m[-2]))
    n = k[N]
    d = g[STATES]
    chosen = g[G_HEAD:]
    y = m[table[K_STATES] :]
    wanted = v[V_HEAD + WANTED * n :]
    follow = v[V_HEAD + VECTORS * n :]
    section = function_at(g[DERIVATIVES])
    guess_point(m, s, f, k, t, kind, at)
    before = 1e300
    for _turn in range(CORRECTIONS):
        k[EVALUATIONS] += 1
        if section(m) != 0:
            return ROW_FAILED
        worst = 0.0
        for a in range(d):
            off = abs(wanted[a] - y[chosen[a]]) / s[RECORD * chosen[a] + DQ]
            worst = max(worst, off)
        if not worst <= LARGEST:
            return ROW_FAILED
        if worst <= RIGHT or worst >= 0.5 * before:
            break
        before = worst
        for i in range(n):
            for a in range(d):
                if i != chosen[a]:
                    y[i] += follow[i * n + a] * (wanted[a] - y[chosen[a]])
        for a in range(d):
            y[chosen[a]] = wanted[a]
    return 0


@rates_in_group.kernel
def keep_point(m: Floats, k: Ints) -> None:
    """The point in memory is the last one."""
    v = floats_at(k[GROUP_FLOATS])
    table = ints_at(int(m[-2]))
    n = k[N]
    for i in range(n):
        v[V_HEAD + NOW * n + i] = m[table[K_STATES] + i]
        v[V_HEAD + SIZES * n + i] = max(v[V_HEAD + SIZES * n + i], abs(m[table[K_STATES] + i]))


@rates_in_group.kernel
def stride_of(f: Floats, k: Ints, t: Float) -> Float:
    """How far apart times are for differences, around `t`."""
    v = floats_at(k[GROUP_FLOATS])
    span = f[STOP] - f[START]
    near = min(v[REFRESH_ALL], v[PACE]) if v[PACE] > 0.0 else v[REFRESH_ALL]
    wanted = min(LONGEST_STRIDE * span, max(SHORTEST_STRIDE * span, SHORT * near))
    return max(wanted, ROUNDING * abs(t))


@rates_in_group.kernel
def keep_pace(k: Ints, t: Float) -> None:
    v = floats_at(k[GROUP_FLOATS])
    if t > v[LAST]:
        v[PACE] += LATELY * (t - v[LAST] - v[PACE])
        v[LAST] = t


# ---------------------------------------------------------------- what time does in a linear mode


@rates_in_group.kernel
def split_point(m: Floats, k: Ints, out_f: Floats, out_b: Floats) -> None:
    """f and b from the point in memory: what is left of y' and y without M z and S z."""
    g = ints_at(k[GROUP])
    v = floats_at(k[GROUP_FLOATS])
    table = ints_at(int(m[-2]))
    n = k[N]
    d = g[STATES]
    chosen = g[G_HEAD:]
    y = m[table[K_STATES] :]
    slope = m[table[K_SLOPES] :]
    follow = v[V_HEAD + VECTORS * n :]
    motion = follow[n * n :]
    for a in range(d):
        total = slope[chosen[a]]
        for b in range(d):
            total -= motion[a * n + b] * y[chosen[b]]
        out_f[a] = total
    for i in range(n):
        total = y[i]
        for a in range(d):
            total -= follow[i * n + a] * y[chosen[a]]
        out_b[i] = total


@rates_in_group.kernel
def look_at_time(m: Floats, s: Floats, f: Floats, k: Ints, t: Float) -> Int:
    """Polynomials of f and b from now on; the point at `t` is kept."""
    g = ints_at(k[GROUP])
    v = floats_at(k[GROUP_FLOATS])
    n = k[N]
    h = stride_of(f, k, t)
    f0 = v[V_HEAD + F0 * n :]
    f1 = v[V_HEAD + F1 * n :]
    f2 = v[V_HEAD + F2 * n :]
    b0 = v[V_HEAD + B0 * n :]
    b1 = v[V_HEAD + B1 * n :]
    b2 = v[V_HEAD + B2 * n :]
    if g[IS_TIMED] == 1:
        if point_of_group(m, s, f, k, t + h, BY_SIGHT, t) != 0:
            return ROW_FAILED
        split_point(m, k, v[V_HEAD + SLOPES * n :], v[V_HEAD + AFTER * n :])
        if point_of_group(m, s, f, k, t - h, BY_SIGHT, t) != 0:
            return ROW_FAILED
        split_point(m, k, v[V_HEAD + HERE * n :], v[V_HEAD + EARLIER * n :])
    if point_of_group(m, s, f, k, t, BY_SIGHT, t) != 0:
        return ROW_FAILED
    keep_point(m, k)
    v[LOOKED] = t
    split_point(m, k, f0, b0)
    if g[IS_TIMED] == 0:
        for i in range(n):
            f1[i] = 0.0
            f2[i] = 0.0
            b1[i] = 0.0
            b2[i] = 0.0
        return 0
    for a in range(g[STATES]):
        after = v[V_HEAD + SLOPES * n + a]
        earlier = v[V_HEAD + HERE * n + a]
        f1[a] = (after - earlier) / (2.0 * h)
        f2[a] = (after - 2.0 * f0[a] + earlier) / (2.0 * h * h)
    for i in range(n):
        after = v[V_HEAD + AFTER * n + i]
        earlier = v[V_HEAD + EARLIER * n + i]
        b1[i] = (after - earlier) / (2.0 * h)
        b2[i] = (after - 2.0 * b0[i] + earlier) / (2.0 * h * h)
    return 0


# ---------------------------------------------------------------- rates


@rates_in_group.kernel
def linear_rate(s: Floats, k: Ints, a: Int, t: Float) -> None:
    """X1, X2, X3 of chosen state a from the q's. What time does is known to the second derivative at any
    order: x follows it, though the method's formulas know as many terms as its order only."""
    g = ints_at(k[GROUP])
    v = floats_at(k[GROUP_FLOATS])
    n = k[N]
    chosen = g[G_HEAD:]
    row = v[V_HEAD + (VECTORS + n + a) * n :]
    e = t - v[LOOKED]
    f2 = v[V_HEAD + F2 * n + a]
    f1 = v[V_HEAD + F1 * n + a]
    x1 = v[V_HEAD + F0 * n + a] + e * (f1 + e * f2)
    x2 = f1 + 2.0 * e * f2
    x3 = 2.0 * f2
    for b in range(g[STATES]):
        if row[b] != 0.0:
            r = s[RECORD * chosen[b] :]
            since = t - r[TQ]
            x1 += row[b] * (r[Q0] + since * (r[Q1] + since * r[Q2]))
            x2 += row[b] * (r[Q1] + 2.0 * since * r[Q2])
            x3 += row[b] * 2.0 * r[Q2]
    r = s[RECORD * chosen[a] :]
    r[X1] = x1
    r[X2] = 0.5 * x2
    r[X3] = x3 / 6.0


@rates_in_group.kernel
def take_rates(m: Floats, k: Ints, out: Floats) -> None:
    g = ints_at(k[GROUP])
    table = ints_at(int(m[-2]))
    for a in range(g[STATES]):
        out[a] = m[table[K_SLOPES] + g[G_HEAD + a]]


@rates_in_group.kernel
def renew_where_it_bends(m: Floats, k: Ints, t: Float) -> Int:
    """Matrices of the mode at the last point, if unknowns have gone far since they were made. 0, or
    CHOOSE_AGAIN: others should be the chosen ones."""
    g = ints_at(k[GROUP])
    v = floats_at(k[GROUP_FLOATS])
    table = ints_at(int(m[-2]))
    n = k[N]
    is_far = 0
    for i in range(n):
        gone = abs(v[V_HEAD + NOW * n + i] - v[V_HEAD + RENEWED * n + i])
        if gone > OLD * v[V_HEAD + SIZES * n + i]:
            is_far = 1
    if is_far == 0:
        return 0
    m[table[K_TIME]] = t
    for i in range(n):
        m[table[K_STATES] + i] = v[V_HEAD + NOW * n + i]
        v[V_HEAD + RENEWED * n + i] = v[V_HEAD + NOW * n + i]
    renew = function_at(g[RENEW])
    if renew(m, t) != 0:
        return ROW_FAILED
    return CHOOSE_AGAIN if describe_mode(m, k, g[MODE], 1) != 0 else 0


@rates_in_group.kernel
def bent_rates(m: Floats, s: Floats, f: Floats, k: Ints, t: Float) -> Int:
    """X1, X2, X3 of all chosen states of a mode that is not linear."""
    g = ints_at(k[GROUP])
    v = floats_at(k[GROUP_FLOATS])
    n = k[N]
    order = k[ORDER]
    h = stride_of(f, k, t)
    here = v[V_HEAD + HERE * n :]
    after = v[V_HEAD + AFTER * n :]
    earlier = v[V_HEAD + EARLIER * n :]
    if point_of_group(m, s, f, k, t, BY_RATES, t) != 0:
        return ROW_FAILED
    keep_point(m, k)
    take_rates(m, k, here)
    if order > 1:
        if point_of_group(m, s, f, k, t + h, BY_RATES, t + h) != 0:
            return ROW_FAILED
        take_rates(m, k, after)
        if point_of_group(m, s, f, k, t - h, BY_RATES, t - h) != 0:
            return ROW_FAILED
        take_rates(m, k, earlier)
    for a in range(g[STATES]):
        r = s[RECORD * g[G_HEAD + a] :]
        r[X1] = here[a]
        if order > 1:
            r[X2] = 0.25 * (after[a] - earlier[a]) / h
        if order > 2:
            r[X3] = (after[a] - 2.0 * here[a] + earlier[a]) / (6.0 * h * h)
    return 0
