"""Values of an implicit core at a time, and the rates of its free unknowns.

    status = try_point(qss, t, X_VALUES, t)    # y and y' into memory, at the values of the free unknowns
    evaluate_point(qss, t, X_VALUES, t)        # the same; a failure ends the run
    expand_in_time(qss, t)                     # f(t) and b(t) of a linear mode, as polynomials
    nonlinear_rates(qss, t)                    # x1, x2, x3 of the free unknowns from their q

In a linear mode the rates are M q + f(t): a step changes the rates that depend on it by M. In any other mode
they come from the core itself, consistent at the q's; their derivatives by time are differences.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.loop.outcomes import ROW_FAILED
from freewheel.runtime.qss.memory import Qss
from freewheel.runtime.qss.quantizers import is_stiff, q_at, state_at
from freewheel.runtime.qss.rates import fail, rates
from freewheel.runtime.qss.switched.modes import core_modes, describe_mode
from freewheel.runtime.qss.thresholds import SWITCHED
from freewheel.runtime.thresholds import FOREVER, LARGEST

core_rates = KernelModule("qss_core_rates", rates, core_modes)

X_VALUES, Q_VALUES = 0, 1  # the free unknowns as events see them; as rates do


@core_rates.kernel
def estimate_point(qss: Qss, t: Float, kind: Int, at: Float) -> None:
    """All unknowns at `t` into memory, with the free ones at the time `at`: exact in a linear mode but for
    b(t), elsewhere linear around the last point."""
    group = qss.group
    n = group.n
    d = group.state_count
    free = group.free
    y = qss.memory[group.states_slot :]
    targets = group.targets
    last = group.last_point
    s = group.dependence
    qss.memory[group.time_slot] = t
    for a in range(d):
        i = free[a]
        targets[a] = q_at(qss.states[i], at) if kind == Q_VALUES else state_at(qss, i, at)
    e = t - group.expanded_at
    for i in range(n):
        if group.is_linear == 1:
            total = group.b0[i] + e * (group.b1[i] + e * group.b2[i])
            for a in range(d):
                total += s[i * n + a] * targets[a]
        else:
            total = last[i]
            for a in range(d):
                total += s[i * n + a] * (targets[a] - last[free[a]])
        y[i] = total


@core_rates.kernel
def try_point(qss: Qss, t: Float, kind: Int, at: Float) -> Int:
    """Consistent y and y' at `t` into memory; 0, or ROW_FAILED. Where consistency changes the free unknowns,
    they are reset, and the dependent ones are changed by S."""
    group = qss.group
    n = group.n
    d = group.state_count
    free = group.free
    y = qss.memory[group.states_slot :]
    targets = group.targets
    estimate_point(qss, t, kind, at)
    before = FOREVER
    for _turn in range(SWITCHED.corrections):
        qss.evaluations += 1
        if group.derivatives(qss.memory) != 0:
            return ROW_FAILED
        worst = 0.0
        for a in range(d):
            off = abs(targets[a] - y[free[a]]) / qss.states[free[a]].quantum
            worst = max(worst, off)
        if not worst <= LARGEST:
            return ROW_FAILED
        if worst <= SWITCHED.right or worst >= 0.5 * before:
            break
        before = worst
        for i in range(n):
            for a in range(d):
                if i != free[a]:
                    y[i] += group.dependence[i * n + a] * (targets[a] - y[free[a]])
        for a in range(d):
            y[free[a]] = targets[a]
    return 0


@core_rates.kernel
def evaluate_point(qss: Qss, t: Float, kind: Int, at: Float) -> None:
    """As `try_point`; a failure ends the run."""
    if qss.failure == 0 and try_point(qss, t, kind, at) != 0:
        fail(qss, 0, ROW_FAILED)


@core_rates.kernel
def evaluate_signals(qss: Qss, t: Float) -> None:
    """The same for events, with residuals and delayed signals."""
    evaluate_point(qss, t, X_VALUES, t)
    if qss.failure == 0 and qss.group.relations(qss.memory) != 0:
        fail(qss, 0, ROW_FAILED)


@core_rates.kernel
def parabola(earlier: Float, here: Float, after: Float, h: Float, out: Floats) -> None:
    """Through values at three times with distance h."""
    out[0] = here
    out[1] = (after - earlier) / (2.0 * h)
    out[2] = (after - 2.0 * here + earlier) / (2.0 * h * h)


@core_rates.kernel
def save_point(qss: Qss) -> None:
    group = qss.group
    y = qss.memory[group.states_slot :]
    for i in range(group.n):
        group.last_point[i] = y[i]
        group.sizes[i] = max(group.sizes[i], abs(y[i]))


@core_rates.kernel
def difference_step(qss: Qss, t: Float) -> Float:
    """For derivatives by time."""
    group = qss.group
    span = qss.stop - qss.start
    interval = group.refresh_interval
    if group.mean_interval > 0.0:
        interval = min(interval, group.mean_interval)
    step = min(
        SWITCHED.longest_stride * span,
        max(SWITCHED.shortest_stride * span, SWITCHED.short * interval),
    )
    return max(step, SWITCHED.resolved * abs(t))


@core_rates.kernel
def update_mean_interval(qss: Qss, t: Float) -> None:
    group = qss.group
    if t > group.last:
        group.mean_interval += SWITCHED.lately * (t - group.last - group.mean_interval)
        group.last = t


# ---------------------------------------------------------------- expansion of a linear mode in time


@core_rates.kernel
def split_point(qss: Qss, out_f: Floats, out_b: Floats) -> None:
    """f = z' - M z and b = y - S z at the point in memory."""
    group = qss.group
    n = group.n
    d = group.state_count
    free = group.free
    y = qss.memory[group.states_slot :]
    slope = qss.memory[group.slopes_slot :]
    for a in range(d):
        total = slope[free[a]]
        for b in range(d):
            total -= group.dynamics[a * n + b] * y[free[b]]
        out_f[a] = total
    for i in range(n):
        total = y[i]
        for a in range(d):
            total -= group.dependence[i * n + a] * y[free[a]]
        out_b[i] = total


@core_rates.kernel
def expand_in_time(qss: Qss, t: Float) -> None:
    """Polynomials of f and b around `t`; the point at `t` stays in memory."""
    group = qss.group
    h = difference_step(qss, t)
    out = qss.out
    if group.is_forced == 1:
        evaluate_point(qss, t + h, X_VALUES, t)
        split_point(qss, group.slopes, group.after)
        evaluate_point(qss, t - h, X_VALUES, t)
        split_point(qss, group.here, group.earlier)
    evaluate_point(qss, t, X_VALUES, t)
    save_point(qss)
    group.expanded_at = t
    split_point(qss, group.f0, group.b0)
    out[1] = 0.0
    out[2] = 0.0
    for a in range(group.state_count):
        if group.is_forced == 1:
            parabola(group.here[a], group.f0[a], group.slopes[a], h, out)
        group.f1[a] = out[1]
        group.f2[a] = out[2]
    for i in range(group.n):
        if group.is_forced == 1:
            parabola(group.earlier[i], group.b0[i], group.after[i], h, out)
        group.b1[i] = out[1]
        group.b2[i] = out[2]


# ---------------------------------------------------------------- rates


@core_rates.kernel
def combine(
    qss: Qss, row: Floats, c0: Float, c1: Float, c2: Float, t: Float, kind: Int, out: Floats
) -> None:
    """Coefficients around t of c(t) + row*z, where c is expanded in time and `row` is one of M or S."""
    group = qss.group
    e = t - group.expanded_at
    p0 = c0 + e * (c1 + e * c2)
    p1 = c1 + 2.0 * e * c2
    p2 = c2
    p3 = 0.0
    for a in range(group.state_count):
        if row[a] != 0.0:
            state = qss.states[group.free[a]]
            if kind == Q_VALUES or (qss.events_see_q == 1 and is_stiff(qss, state) == 1):
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


@core_rates.kernel
def linear_rate(qss: Qss, a: Int, t: Float) -> None:
    """x1, x2, x3 of free unknown a from the q's. f(t) counts up to its second derivative at any order."""
    group = qss.group
    out = qss.out
    row = group.dynamics[a * group.n :]
    combine(qss, row, group.f0[a], group.f1[a], group.f2[a], t, Q_VALUES, out)
    state = qss.states[group.free[a]]
    state.x1 = out[0]
    state.x2 = 0.5 * out[1]
    state.x3 = 2.0 * out[2] / 6.0


@core_rates.kernel
def read_rates(qss: Qss, out: Floats) -> None:
    group = qss.group
    for a in range(group.state_count):
        out[a] = qss.memory[group.slopes_slot + group.free[a]]


@core_rates.kernel
def update_matrices(qss: Qss, t: Float) -> Int:
    """Evaluates the matrices of the mode at the last point, where unknowns have changed much since the last
    time. 1: other unknowns must be free."""
    group = qss.group
    m = qss.memory
    n = group.n
    is_old = 0
    for i in range(n):
        if abs(group.last_point[i] - group.mode_point[i]) > SWITCHED.old * group.sizes[i]:
            is_old = 1
    if is_old == 0:
        return 0
    m[group.time_slot] = t
    for i in range(n):
        m[group.states_slot + i] = group.last_point[i]
        group.mode_point[i] = group.last_point[i]
    if group.renew(m, t) != 0:
        fail(qss, 0, ROW_FAILED)
        return 0
    return describe_mode(group, group.mode, 1)


@core_rates.kernel
def nonlinear_rates(qss: Qss, t: Float) -> None:
    """x1, x2, x3 of all free unknowns, by differences in time."""
    group = qss.group
    order = qss.order
    h = difference_step(qss, t)
    here = group.here
    after = group.after
    earlier = group.earlier
    evaluate_point(qss, t, Q_VALUES, t)
    save_point(qss)
    read_rates(qss, here)
    if order > 1:
        evaluate_point(qss, t + h, Q_VALUES, t + h)
        read_rates(qss, after)
        evaluate_point(qss, t - h, Q_VALUES, t - h)
        read_rates(qss, earlier)
    for a in range(group.state_count):
        state = qss.states[group.free[a]]
        state.x1 = here[a]
        if order > 1:
            state.x2 = 0.25 * (after[a] - earlier[a]) / h
        if order > 2:
            state.x3 = (after[a] - 2.0 * here[a] + earlier[a]) / (6.0 * h * h)
