"""When an element of an implicit core reaches its corner, or a relation its zero, along quantized states.

    predict_watchers(m, s, z, f, k, hk, t)      # the next time of each into the heap
    code = cross_watcher(m, s, z, f, k, hk, number, low, t)   # EVENT: it has, at f[T]; 0: not yet

Watchers have a margin, which is positive while all is well: how far the element is from its corner on its
side, how far a residual is from zero on the side of its status. In a plain mode margins of elements are
polynomials, S z + b(t). Elsewhere, and of relations, they are what three points tell. Foretelling may be
wrong; an event is where the core itself, at the states' values, says that the margin is used up.
"""

from __future__ import annotations

from math import inf

from freewheel.machine.addresses import floats_at, function_at, ints_at
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints
from freewheel.runtime.kernels import core_places as core
from freewheel.runtime.kernels.core_places import (
    ALLOWED,
    ATOL_AT,
    BIT,
    BITS,
    CORNER_FLOOR,
    HEAD,
    ROUGH,
    SIZE,
    TABLES,
    UNKNOWN,
)
from freewheel.runtime.kernels.core_sizes import core_sizes, corner_of, is_held
from freewheel.runtime.kernels.core_table import K_C, K_STATES, K_W
from freewheel.runtime.kernels.qss_core_places import (
    AFTER,
    B0,
    B1,
    B2,
    CAUSE,
    EARLIER,
    ELEMENTS,
    G_HEAD,
    HERE,
    IS_PLAIN,
    LOOKED,
    LOUD,
    LOUD_FLOATS,
    LOUD_WIDTH,
    MATRICES,
    RELATIONS_OF,
    SEEN,
    STATES,
    V_HEAD,
    VECTORS,
    W_AWAY,
    W_BEGAN,
    W_C0,
    W_C1,
    W_C2,
    W_COARSE,
    W_DELTA,
    W_RECORD,
    W_SEEN,
    W_SIZE,
)
from freewheel.runtime.kernels.qss_core_rates import (
    BY_SIGHT,
    ROUNDING,
    point_of_group,
    rates_in_group,
    stride_of,
)
from freewheel.runtime.kernels.qss_heap import heap, set_time
from freewheel.runtime.kernels.qss_places import (
    AT_OUT,
    BY_Q,
    CROSSINGS,
    EVENT,
    GROUP,
    GROUP_FLOATS,
    LOOK,
    Q0,
    Q1,
    Q2,
    RECORD,
    ROW_FAILED,
    START,
    STOP,
    TQ,
    TX,
    WHO,
    X0,
    X1,
    X2,
    X3,
    N,
    T,
)
from freewheel.runtime.kernels.qss_quantize import is_stiff
from freewheel.runtime.kernels.qss_roots import FAR, first_root_of_cubic, polynomials

watching = KernelModule("qss_core_watching", rates_in_group, core_sizes, heap, polynomials)

CORE_N, CORE_ELEMENTS = core.N, core.ELEMENTS
BEYOND = 2e-9  # of its size: so far beyond its corner an element counts as beyond
NOISE = 1e-12  # the same of a residual
COARSER = 10.0  # after each wrong prediction
COARSEST = 1e7
SHORTEST = 1e-15  # of the whole time: crossings are not located more finely
MOST_LOCATE = 60
NARROW = 4e-16
FOLLOWED = 1e-2  # of its size: what is foretold of a margin may be wrong by
SHORTEST_LOOK = 1e-7  # of the whole time, between two looks at a margin
EXACT = 5e-6  # of what counts as beyond: so near to zero a crossing is located


@watching.kernel
def side_of(m: Floats, k: Ints, e: Int) -> Float:
    """1.0 above the corner, -1.0 below; 0.0: a gate or a latch holds the element."""
    c = ints_at(ints_at(int(m[-2]))[K_C])
    if is_held(m, c, e) == 1:
        return 0.0
    return 1.0 if m[c[BITS] + c[TABLES + BIT * c[CORE_ELEMENTS] + e]] > 0.5 else -1.0


@watching.kernel
def unknown_of(m: Floats, e: Int) -> Int:
    c = ints_at(ints_at(int(m[-2]))[K_C])
    return c[TABLES + UNKNOWN * c[CORE_ELEMENTS] + e]


@watching.kernel
def size_of_element(m: Floats, e: Int) -> Float:
    """Beside which its distance from the corner counts, as in `core_sizes.guard_of`."""
    table = ints_at(int(m[-2]))
    w = floats_at(table[K_W])
    n = ints_at(table[K_C])[CORE_N]
    i = unknown_of(m, e)
    floor = max(w[HEAD + CORNER_FLOOR * n + i], w[HEAD + ROUGH * n + i])
    return max(w[HEAD + SIZE * n + i], floor, 1e-300)


@watching.kernel
def tolerance_of_element(m: Floats, e: Int) -> Float:
    """As far beyond its corner it may be: a little of its size, and twice what the last restart left."""
    w = floats_at(ints_at(int(m[-2]))[K_W])
    return (BEYOND + 2.0 * w[ALLOWED]) * size_of_element(m, e)


@watching.kernel
def margin_of_residual(value: Float, status: Float) -> Float:
    if status > 0.0:
        return value
    return -value if status < 0.0 else -abs(value)


@watching.kernel
def margin_here(m: Floats, k: Ints, number: Int) -> Float:
    """Of a watcher at the point in memory; infinite where nothing is watched."""
    g = ints_at(k[GROUP])
    table = ints_at(int(m[-2]))
    if number < g[ELEMENTS]:
        side = side_of(m, k, number)
        if side == 0.0:
            return inf
        c = ints_at(table[K_C])
        return side * (m[table[K_STATES] + unknown_of(m, number)] - corner_of(m, c, number))
    relation = g[G_HEAD + 2 * k[N] + LOUD_WIDTH * (number - g[ELEMENTS]) :]
    return margin_of_residual(m[relation[1]], m[relation[2]])


@watching.kernel
def margin_at(m: Floats, s: Floats, f: Floats, k: Ints, number: Int, t: Float) -> Float:
    """Exactly, at the values the states have at `t`; not a number where that fails."""
    g = ints_at(k[GROUP])
    k[CROSSINGS] += 1
    if point_of_group(m, s, f, k, t, BY_SIGHT, t) != 0:
        return inf - inf
    if number >= g[ELEMENTS]:
        relations = function_at(g[RELATIONS_OF])
        if relations(m) != 0:
            return inf - inf
    return margin_here(m, k, number)


@watching.kernel
def polynomial_of(s: Floats, f: Floats, k: Ints, i: Int, t: Float, out: Floats) -> None:
    """Of unknown i in a plain mode, counted from t: four coefficients."""
    g = ints_at(k[GROUP])
    v = floats_at(k[GROUP_FLOATS])
    n = k[N]
    chosen = g[G_HEAD:]
    row = v[V_HEAD + (VECTORS + i) * n :]
    e = t - v[LOOKED]
    b1 = v[V_HEAD + B1 * n + i]
    b2 = v[V_HEAD + B2 * n + i]
    out[0] = v[V_HEAD + B0 * n + i] + e * (b1 + e * b2)
    out[1] = b1 + 2.0 * e * b2
    out[2] = b2
    out[3] = 0.0
    for a in range(g[STATES]):
        if row[a] != 0.0:
            r = s[RECORD * chosen[a] :]
            if k[BY_Q] == 1 and is_stiff(r, f) == 1:
                since = t - r[TQ]
                out[0] += row[a] * (r[Q0] + since * (r[Q1] + since * r[Q2]))
                out[1] += row[a] * (r[Q1] + 2.0 * since * r[Q2])
                out[2] += row[a] * r[Q2]
            else:
                since = t - r[TX]
                out[0] += row[a] * (r[X0] + since * (r[X1] + since * (r[X2] + since * r[X3])))
                out[1] += row[a] * (r[X1] + since * (2.0 * r[X2] + 3.0 * since * r[X3]))
                out[2] += row[a] * (r[X2] + 3.0 * since * r[X3])
                out[3] += row[a] * r[X3]


@watching.kernel
def remember_points(m: Floats, k: Ints, place: Int, part: Int) -> None:
    """y and the loud residuals of the point in memory."""
    g = ints_at(k[GROUP])
    v = floats_at(k[GROUP_FLOATS])
    table = ints_at(int(m[-2]))
    n = k[N]
    for i in range(n):
        v[V_HEAD + place * n + i] = m[table[K_STATES] + i]
    residuals = v[V_HEAD + (VECTORS + MATRICES * n) * n :]
    for number in range(g[LOUD]):
        slot = g[G_HEAD + 2 * n + LOUD_WIDTH * number + 1]
        residuals[LOUD_FLOATS * number + 1 + part] = m[slot]


@watching.kernel
def look_around(m: Floats, s: Floats, f: Floats, k: Ints, t: Float, h: Float) -> Int:
    """Three points: y into HERE, AFTER, EARLIER, and residuals of relations. The memory is at `t` then."""
    g = ints_at(k[GROUP])
    relations = function_at(g[RELATIONS_OF])
    for part in range(3):
        at = t - h if part == 0 else (t + h if part == 1 else t)
        place = EARLIER if part == 0 else (AFTER if part == 1 else HERE)
        if point_of_group(m, s, f, k, at, BY_SIGHT, at) != 0:
            return ROW_FAILED
        if g[LOUD] > 0 and relations(m) != 0:
            return ROW_FAILED
        remember_points(m, k, place, 2 - part)
    return 0


@watching.kernel
def away_of(f: Floats, r: Floats, t: Float, c: Floats) -> Float:
    """How long what three points tell of a margin is good for: by how wrong it was the last time."""
    e = t - r[W_SEEN]
    r[W_SIZE] = max(r[W_SIZE], abs(c[0]))
    if r[W_SEEN] >= f[START] and e > 0.0:
        wrong = abs(r[W_C0] + e * (r[W_C1] + e * r[W_C2]) - c[0])
        allowed = FOLLOWED * r[W_SIZE]
        change = 2.0
        if wrong > 0.0:
            change = min(2.0, max(0.2, 0.9 * (allowed / wrong) ** (1.0 / 3.0)))
        if wrong > allowed:
            r[W_AWAY] = e * change
        elif e > 0.5 * r[W_AWAY]:
            r[W_AWAY] *= change
    span = f[STOP] - f[START]
    r[W_AWAY] = min(f[LOOK], max(r[W_AWAY], SHORTEST_LOOK * span))
    r[W_SEEN] = t
    r[W_C0] = c[0]
    r[W_C1] = c[1]
    r[W_C2] = c[2]
    return r[W_AWAY]


@watching.kernel
def set_crossing(
    z: Floats, f: Floats, k: Ints, hk: Floats, number: Int, t: Float, delta: Float, c: Floats,
    most: Float,
) -> None:  # fmt: skip
    """From a margin's polynomial; whatever it says, the next look is not later than `most`."""
    z[W_RECORD * number + W_DELTA] = delta
    away = 0.0
    if c[0] + delta > 0.0:
        away = first_root_of_cubic(c[0] + delta, c[1], c[2], c[3], f[STOP] - t)
        away = max(away, SHORTEST * (f[STOP] - f[START]))
    away = min(away, max(most, ROUNDING * abs(t)))
    set_time(k, hk, k[N] + number, t + away if away < FAR else inf)


@watching.kernel
def left_by_restart(m: Floats, z: Floats, e: Int, margin: Float) -> Float:
    """An element that begins a mode beyond its corner by less than the absolute tolerance is beyond only if
    it goes on: where nothing has moved yet there is nothing beside which it would be rounding."""
    r = z[W_RECORD * e :]
    if r[W_BEGAN] < 0.0:
        table = ints_at(int(m[-2]))
        n = ints_at(table[K_C])[CORE_N]
        nothing = floats_at(table[K_W])[HEAD + ATOL_AT * n + unknown_of(m, e)]
        r[W_BEGAN] = max(0.0, -2.0 * margin) if -margin <= nothing else 0.0
    elif margin > r[W_BEGAN]:
        r[W_BEGAN] = 0.0
    return r[W_BEGAN]


@watching.kernel
def predict_element(
    m: Floats, s: Floats, z: Floats, f: Floats, k: Ints, hk: Floats, e: Int, t: Float, h: Float
) -> None:
    g = ints_at(k[GROUP])
    v = floats_at(k[GROUP_FLOATS])
    n = k[N]
    side = side_of(m, k, e)
    if side == 0.0:
        set_time(k, hk, n + e, inf)
        return
    out = f[AT_OUT:]
    i = unknown_of(m, e)
    most = FAR
    if g[IS_PLAIN] == 1:
        polynomial_of(s, f, k, i, t, out)
    else:
        here = v[V_HEAD + HERE * n + i]
        after = v[V_HEAD + AFTER * n + i]
        earlier = v[V_HEAD + EARLIER * n + i]
        out[0] = here
        out[1] = (after - earlier) / (2.0 * h)
        out[2] = (after - 2.0 * here + earlier) / (2.0 * h * h)
        out[3] = 0.0
    out[0] -= corner_of(m, ints_at(ints_at(int(m[-2]))[K_C]), e)
    for part in range(4):
        out[part] *= side
    if g[IS_PLAIN] == 0:
        r = z[W_RECORD * e :]
        r[W_SIZE] = max(r[W_SIZE], size_of_element(m, e))
        most = away_of(f, r, t, out)
    delta = tolerance_of_element(m, e) * z[W_RECORD * e + W_COARSE]
    set_crossing(z, f, k, hk, e, t, max(delta, left_by_restart(m, z, e, out[0])), out, most)


@watching.kernel
def predict_loud(
    m: Floats, z: Floats, f: Floats, k: Ints, hk: Floats, number: Int, t: Float, h: Float
) -> None:
    g = ints_at(k[GROUP])
    v = floats_at(k[GROUP_FLOATS])
    n = k[N]
    place = number - g[ELEMENTS]
    numbers = v[V_HEAD + (VECTORS + MATRICES * n) * n + LOUD_FLOATS * place :]
    status = m[g[G_HEAD + 2 * n + LOUD_WIDTH * place + 2]]
    r = z[W_RECORD * number :]
    out = f[AT_OUT:]
    here = margin_of_residual(numbers[1], status)
    after = margin_of_residual(numbers[2], status)
    earlier = margin_of_residual(numbers[3], status)
    out[0] = here
    out[1] = (after - earlier) / (2.0 * h)
    out[2] = (after - 2.0 * here + earlier) / (2.0 * h * h)
    out[3] = 0.0
    most = away_of(f, r, t, out)
    delta = max(NOISE * r[W_SIZE] * r[W_COARSE], numbers[0], 1e-300)
    set_crossing(z, f, k, hk, number, t, delta, out, most)


@watching.kernel
def predict_watchers(
    m: Floats, s: Floats, z: Floats, f: Floats, k: Ints, hk: Floats, t: Float
) -> Int:
    g = ints_at(k[GROUP])
    h = stride_of(f, k, t)
    is_seen = g[LOUD] == 0 and (g[IS_PLAIN] == 1 or g[ELEMENTS] == 0)
    if not is_seen and look_around(m, s, f, k, t, h) != 0:
        return ROW_FAILED
    k[CROSSINGS] += g[ELEMENTS] + g[LOUD]
    for e in range(g[ELEMENTS]):
        predict_element(m, s, z, f, k, hk, e, t, h)
    for place in range(g[LOUD]):
        predict_loud(m, z, f, k, hk, g[ELEMENTS] + place, t, h)
    return 0


@watching.kernel
def locate_watcher(
    m: Floats, s: Floats, f: Floats, k: Ints, number: Int, delta: Float, low: Float, high: Float,
    at_high: Float,
) -> Float:  # fmt: skip
    """Where the margin is used up, between two times; by regula falsi with the Illinois weights. As near
    to zero as it gets: modes are chosen by what is beyond zero, also if it is next to nothing."""
    a = low
    b = high
    ga = margin_at(m, s, f, k, number, a)
    gb = at_high
    if not ga > 0.0:  # it began there: beyond is only what is clearly beyond
        ga += delta
        gb += delta
        level = delta
    else:
        level = 0.0
    if not ga > 0.0:
        return a
    side = 0
    reached = abs(gb)
    closeness = NARROW * (abs(high) + abs(f[STOP] - f[START]))
    for _ in range(MOST_LOCATE):
        if b - a <= closeness or reached <= EXACT * delta:
            break
        t = a + (b - a) * ga / (ga - gb)
        if not (t > a and t < b):
            t = 0.5 * (a + b)
        value = margin_at(m, s, f, k, number, t) + level
        if value >= 0.0:  # to stop at zero would make a second event of leaving it
            a = t
            ga = value
            if side == 1:
                gb *= 0.5
            side = 1
        else:
            b = t
            gb = value
            reached = -value
            if side == -1:
                ga *= 0.5
            side = -1
    return b


@watching.kernel
def cross_watcher(
    m: Floats, s: Floats, z: Floats, f: Floats, k: Ints, hk: Floats, number: Int, low: Float,
    t: Float,
) -> Int:  # fmt: skip
    """Whether a predicted crossing is one. `low`: since then nothing has happened."""
    g = ints_at(k[GROUP])
    r = z[W_RECORD * number :]
    value = margin_at(m, s, f, k, number, t)
    if value != value:
        return ROW_FAILED
    delta = r[W_DELTA]
    if number < g[ELEMENTS]:  # it may be beyond its corner by what is nothing beside all others
        seen = function_at(g[SEEN])
        if seen(m) != 0:
            return ROW_FAILED
        delta = max(delta, tolerance_of_element(m, number))
    if value > -0.5 * delta:
        if abs(value) <= 2.0 * delta or t <= low:
            r[W_COARSE] = min(COARSEST, COARSER * r[W_COARSE])
        return 0
    r[W_COARSE] = 1.0
    f[T] = locate_watcher(m, s, f, k, number, delta, low, t, value)
    k[WHO] = number
    g[CAUSE] = number if number < g[ELEMENTS] else -1
    return EVENT
