"""The group of a model with an implicit core at a time: all its unknowns, and the rates of the chosen ones.

    status = point_of_group(group, t, BY_SIGHT, t)    # into memory: y and y' where the states are
    take_point(group, t, BY_SIGHT, t)                 # the same; where it has no values the run ends
    look_at_time(group, t)                            # f(t) and b(t) of a linear mode, as polynomials
    bent_rates(group, t)                              # x1, x2, x3 of the chosen states from their q

In a linear mode the rates are M q + f(t): a step of one state changes the rates of those that M ties to it.
In any other mode they come from the core itself, made consistent at the q's; derivatives by time are
differences, as those of rows without formulas are.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.loop.outcomes import ROW_FAILED
from freewheel.runtime.qss.quantizers import is_stiff, q_at, quantizers, state_at
from freewheel.runtime.qss.rows import fail, rows_of_states
from freewheel.runtime.qss.switched.memory import QssGroup
from freewheel.runtime.qss.switched.mode import describe_mode, modes_of_group
from freewheel.runtime.thresholds import LARGEST

rates_in_group = KernelModule("qss_core_rates", quantizers, rows_of_states, modes_of_group)

BY_SIGHT, BY_RATES = 0, 1  # states as events see them; as rates do
RIGHT = 1e-9  # of a quantum: so near the chosen states are met
CORRECTIONS = 12
SHORT = 0.05  # of the time to the next look: how far apart times are for differences
LONGEST_STRIDE, SHORTEST_STRIDE = 1e-5, 1e-10  # of the whole time
ROUNDING = 1e-12  # of the time itself: nearer times are not told apart well enough
OLD = 0.02  # of its size: an unknown that has moved so far may have other matrices
LATELY = 0.1  # weight of the last time between evaluations


@rates_in_group.kernel
def guess_point(group: QssGroup, t: Float, kind: Int, at: Float) -> None:
    """All unknowns at `t` into memory, with the chosen states as they are `at` a time: exact in a linear
    mode but for b(t), elsewhere what the last point and S tell."""
    qss = group.qss
    m = qss.memory
    n = group.n
    d = group.state_count
    chosen = group.chosen
    y = m[group.states_slot :]
    wanted = group.wanted
    now = group.now
    follow = group.follow
    m[group.time_slot] = t
    for a in range(d):
        i = chosen[a]
        wanted[a] = q_at(qss.states[i], at) if kind == BY_RATES else state_at(qss, i, at)
    e = t - group.looked
    for i in range(n):
        if group.is_linear == 1:
            b = group.b1[i] + e * group.b2[i]
            total = group.b0[i] + e * b
            for a in range(d):
                total += follow[i * n + a] * wanted[a]
        else:
            total = now[i]
            for a in range(d):
                total += follow[i * n + a] * (wanted[a] - now[chosen[a]])
        y[i] = total


@rates_in_group.kernel
def point_of_group(group: QssGroup, t: Float, kind: Int, at: Float) -> Int:
    """y and y' at `t` into memory, consistent; 0, or ROW_FAILED. Making values consistent may move the
    chosen ones where others depend on them: these are put back, and what follows them goes along."""
    qss = group.qss
    m = qss.memory
    n = group.n
    d = group.state_count
    chosen = group.chosen
    y = m[group.states_slot :]
    wanted = group.wanted
    follow = group.follow
    guess_point(group, t, kind, at)
    before = 1e300
    for _turn in range(CORRECTIONS):
        qss.evaluations += 1
        if group.derivatives(m) != 0:
            return ROW_FAILED
        worst = 0.0
        for a in range(d):
            off = abs(wanted[a] - y[chosen[a]]) / qss.states[chosen[a]].quantum
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
def take_point(group: QssGroup, t: Float, kind: Int, at: Float) -> None:
    """As `point_of_group`, for those who cannot do without. Nobody asks the core after a failure."""
    if group.qss.failure == 0 and point_of_group(group, t, kind, at) != 0:
        fail(group.qss, 0, ROW_FAILED)


@rates_in_group.kernel
def take_relations(group: QssGroup, t: Float) -> None:
    """All residuals and signals too, as events see the states."""
    take_point(group, t, BY_SIGHT, t)
    if group.qss.failure == 0 and group.relations(group.qss.memory) != 0:
        fail(group.qss, 0, ROW_FAILED)


@rates_in_group.kernel
def parabola(earlier: Float, here: Float, after: Float, h: Float, out: Floats) -> None:
    """Through values at three times, h apart."""
    out[0] = here
    out[1] = (after - earlier) / (2.0 * h)
    out[2] = (after - 2.0 * here + earlier) / (2.0 * h * h)


@rates_in_group.kernel
def keep_point(group: QssGroup) -> None:
    """The point in memory is the last one."""
    m = group.qss.memory
    for i in range(group.n):
        group.now[i] = m[group.states_slot + i]
        group.sizes[i] = max(group.sizes[i], abs(m[group.states_slot + i]))


@rates_in_group.kernel
def stride_of(group: QssGroup, t: Float) -> Float:
    """How far apart times are for differences, around `t`."""
    qss = group.qss
    span = qss.stop - qss.start
    near = min(group.refresh, group.pace) if group.pace > 0.0 else group.refresh
    wanted = min(LONGEST_STRIDE * span, max(SHORTEST_STRIDE * span, SHORT * near))
    return max(wanted, ROUNDING * abs(t))


@rates_in_group.kernel
def keep_pace(group: QssGroup, t: Float) -> None:
    if t > group.last:
        group.pace += LATELY * (t - group.last - group.pace)
        group.last = t


# ---------------------------------------------------------------- what time does in a linear mode


@rates_in_group.kernel
def split_point(group: QssGroup, out_f: Floats, out_b: Floats) -> None:
    """f and b from the point in memory: what is left of y' and y without M z and S z."""
    m = group.qss.memory
    n = group.n
    d = group.state_count
    chosen = group.chosen
    y = m[group.states_slot :]
    slope = m[group.slopes_slot :]
    follow = group.follow
    motion = group.motion
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
def look_at_time(group: QssGroup, t: Float) -> None:
    """Polynomials of f and b from now on; the point at `t` is kept."""
    h = stride_of(group, t)
    out = group.qss.out
    if group.is_timed == 1:
        take_point(group, t + h, BY_SIGHT, t)
        split_point(group, group.slopes, group.after)
        take_point(group, t - h, BY_SIGHT, t)
        split_point(group, group.here, group.earlier)
    take_point(group, t, BY_SIGHT, t)
    keep_point(group)
    group.looked = t
    split_point(group, group.f0, group.b0)
    out[1] = 0.0
    out[2] = 0.0
    for a in range(group.state_count):
        if group.is_timed == 1:
            parabola(group.here[a], group.f0[a], group.slopes[a], h, out)
        group.f1[a] = out[1]
        group.f2[a] = out[2]
    for i in range(group.n):
        if group.is_timed == 1:
            parabola(group.earlier[i], group.b0[i], group.after[i], h, out)
        group.b1[i] = out[1]
        group.b2[i] = out[2]


# ---------------------------------------------------------------- rates


@rates_in_group.kernel
def combine(
    group: QssGroup, row: Floats, c0: Float, c1: Float, c2: Float, t: Float, kind: Int, out: Floats
) -> None:
    """What time does, which counts from the last look, and the chosen states by a row of M or S: the four
    coefficients of a polynomial that counts from t."""
    qss = group.qss
    e = t - group.looked
    p0 = c0 + e * (c1 + e * c2)
    p1 = c1 + 2.0 * e * c2
    p2 = c2
    p3 = 0.0
    for a in range(group.state_count):
        if row[a] != 0.0:
            state = qss.states[group.chosen[a]]
            if kind == BY_RATES or (qss.events_see_q == 1 and is_stiff(qss, state) == 1):
                since = t - state.tq
                p0 += row[a] * (state.q0 + since * (state.q1 + since * state.q2))
                p1 += row[a] * (state.q1 + 2.0 * since * state.q2)
                p2 += row[a] * state.q2
            else:
                since = t - state.tx
                bend = state.x2 + since * state.x3
                p0 += row[a] * (state.x0 + since * (state.x1 + since * bend))
                p1 += row[a] * (state.x1 + since * (2.0 * state.x2 + 3.0 * since * state.x3))
                p2 += row[a] * (state.x2 + 3.0 * since * state.x3)
                p3 += row[a] * state.x3
    out[0] = p0
    out[1] = p1
    out[2] = p2
    out[3] = p3


@rates_in_group.kernel
def linear_rate(group: QssGroup, a: Int, t: Float) -> None:
    """x1, x2, x3 of chosen state a from the q's. What time does is known to the second derivative at any
    order: x follows it, though the method's formulas know as many terms as its order only."""
    out = group.qss.out
    row = group.motion[a * group.n :]
    combine(group, row, group.f0[a], group.f1[a], group.f2[a], t, BY_RATES, out)
    state = group.qss.states[group.chosen[a]]
    state.x1 = out[0]
    state.x2 = 0.5 * out[1]
    state.x3 = 2.0 * out[2] / 6.0


@rates_in_group.kernel
def take_rates(group: QssGroup, out: Floats) -> None:
    m = group.qss.memory
    for a in range(group.state_count):
        out[a] = m[group.slopes_slot + group.chosen[a]]


@rates_in_group.kernel
def renew_where_it_bends(group: QssGroup, t: Float) -> Int:
    """Matrices of the mode at the last point, if unknowns have gone far since they were made. 1: others
    should be the chosen ones."""
    m = group.qss.memory
    n = group.n
    is_far = 0
    for i in range(n):
        gone = abs(group.now[i] - group.renewed[i])
        if gone > OLD * group.sizes[i]:
            is_far = 1
    if is_far == 0:
        return 0
    m[group.time_slot] = t
    for i in range(n):
        m[group.states_slot + i] = group.now[i]
        group.renewed[i] = group.now[i]
    if group.renew(m, t) != 0:
        fail(group.qss, 0, ROW_FAILED)
        return 0
    return describe_mode(group, group.mode, 1)


@rates_in_group.kernel
def bent_rates(group: QssGroup, t: Float) -> None:
    """x1, x2, x3 of all chosen states of a mode that is not linear."""
    qss = group.qss
    order = qss.order
    h = stride_of(group, t)
    here = group.here
    after = group.after
    earlier = group.earlier
    take_point(group, t, BY_RATES, t)
    keep_point(group)
    take_rates(group, here)
    if order > 1:
        take_point(group, t + h, BY_RATES, t + h)
        take_rates(group, after)
        take_point(group, t - h, BY_RATES, t - h)
        take_rates(group, earlier)
    for a in range(group.state_count):
        state = qss.states[group.chosen[a]]
        state.x1 = here[a]
        if order > 1:
            state.x2 = 0.25 * (after[a] - earlier[a]) / h
        if order > 2:
            state.x3 = (after[a] - 2.0 * here[a] + earlier[a]) / (6.0 * h * h)
