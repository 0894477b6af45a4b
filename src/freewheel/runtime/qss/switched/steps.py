"""What a step, the expansion in time and the begin of a mode do to the group of an implicit core.

code = update_group(qss, i, other, t)   # rates and next event times after a step of unknown i
refresh_group(qss, t, is_due)           # f(t), b(t) and all rates again
begin_mode(qss, mode, t)                # after an event other unknowns may be free
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.loop.outcomes import ROW_FAILED
from freewheel.runtime.qss.couplings import couplings, is_moved, quantize_pair
from freewheel.runtime.qss.heap import empty_heap, set_time
from freewheel.runtime.qss.memory import Qss
from freewheel.runtime.qss.next_times import step_factor, time_to_step
from freewheel.runtime.qss.quantizers import advance_q, advance_x
from freewheel.runtime.qss.rates import copy_rates_to_q, fail, set_state, split_rate
from freewheel.runtime.qss.switched.crossings import margins, predict_margins
from freewheel.runtime.qss.switched.modes import describe_mode
from freewheel.runtime.qss.switched.rates import (
    X_VALUES,
    evaluate_point,
    expand_in_time,
    linear_rate,
    nonlinear_rates,
    update_matrices,
    update_mean_interval,
)
from freewheel.runtime.qss.thresholds import ROWS, SWITCHED
from freewheel.runtime.switched_dae.thresholds import CORE_STEPS
from freewheel.runtime.thresholds import LARGEST, TINIEST

core_steps = KernelModule("qss_core_steps", margins, couplings)


@core_steps.kernel
def schedule_step(qss: Qss, i: Int, t: Float, is_own: Int) -> None:
    """After its rate has changed."""
    if qss.is_implicit == 1:
        split_rate(qss.states[i], qss.order)
    set_time(qss.heap, i, t + time_to_step(qss, i, is_own, qss.horizon - t))


@core_steps.kernel
def advance_group(qss: Qss, t: Float) -> None:
    """Both polynomials of all free unknowns count from `t`."""
    group = qss.group
    for a in range(group.state_count):
        state = qss.states[group.free[a]]
        advance_x(state, t)
        advance_q(state, t)


@core_steps.kernel
def depends_on(row: Floats, a: Int, by: Int) -> Int:
    """Whether the rate of free unknown a, with this row of M, depends on q of free unknown `by` (-1:
    none)."""
    if by < 0:
        return 0
    return 1 if a == by or row[by] != 0.0 else 0


@core_steps.kernel
def update_group_rates(qss: Qss, t: Float, by: Int, and_by: Int) -> Int:
    """Rates that depend on the free unknowns `by` and `and_by` (-1: none), which have taken steps; all where
    `by` is -1. 1: other unknowns must be free."""
    group = qss.group
    update_mean_interval(qss, t)
    if group.is_linear == 0:
        advance_group(qss, t)
        if update_matrices(qss, t) == 1:
            return 1
        nonlinear_rates(qss, t)
    for a in range(group.state_count):
        i = group.free[a]
        if group.is_linear == 1:
            row = group.dynamics[a * group.n :]
            if by >= 0 and depends_on(row, a, by) == 0 and depends_on(row, a, and_by) == 0:
                continue
            state = qss.states[i]
            advance_x(state, t)
            advance_q(state, t)
            linear_rate(qss, a, t)
            if not abs(state.x1 + state.x2) <= LARGEST:
                fail(qss, 0, ROW_FAILED)
        schedule_step(qss, i, t, 0 if a != by and a != and_by else 1)
    return 0


@core_steps.kernel
def quantize_with_partner_in_group(qss: Qss, i: Int, t: Float, q: Float, slope: Float) -> Int:
    """As `pairs.quantize_with_partner`, by M."""
    group = qss.group
    n = group.n
    if group.is_linear == 0:
        return -1
    m = group.dynamics
    a = group.free_index[i]
    best = -1
    tie = 0.0
    for b in range(group.state_count):
        both = abs(m[a * n + b] * m[b * n + a])
        if b == a or both <= tie:
            continue
        j = group.free[b]
        advance_x(qss.states[j], t)
        advance_q(qss.states[j], t)
        if is_moved(qss, i, j, m[b * n + a], q, slope) == 1:
            best = b
            tie = both
    if best < 0:
        return -1
    aii = m[a * n + a]
    aij = m[a * n + best]
    aji = m[best * n + a]
    ajj = m[best * n + best]
    return quantize_pair(qss, i, group.free[best], aii, aij, aji, ajj, q, slope, t, qss.horizon)


@core_steps.kernel
def update_group(qss: Qss, i: Int, other: Int, t: Float) -> None:
    """After a step of unknown i, and of `other` if that is not -1."""
    group = qss.group
    and_by = group.free_index[other] if other >= 0 else -1
    if update_group_rates(qss, t, group.free_index[i], and_by) == 1:
        choose_other_states(qss, t)
        return
    state = qss.states[i]
    moved = state.q0 - qss.q_before
    is_distinct = 1 if abs(moved) > ROWS.distinct * state.quantum else 0
    if group.is_linear == 0 and qss.is_implicit == 1 and is_distinct == 1:
        state.a = max(-ROWS.top, min(0.0, (state.x1 - qss.rate_before) / moved))
        schedule_step(qss, i, t, 1)
    predict_margins(qss, t)


# ---------------------------------------------------------------- expansion in time


@core_steps.kernel
def error_of_rates(qss: Qss, passed: Float) -> Float:
    """The error of the expected rates in units of what is allowed. A state with a shorter time constant
    forgets the error within that."""
    group = qss.group
    worst = 0.0
    for a in range(group.state_count):
        state = qss.states[group.free[a]]
        lasts = passed / (float(qss.order) + 1.0)
        if state.a < 0.0:
            lasts = min(lasts, -1.0 / state.a)
        off = abs(state.x1 - group.expected[a]) * lasts
        worst = max(worst, off / (ROWS.soft * state.quantum))
    return worst


@core_steps.kernel
def error_of_order(qss: Qss, passed: Float) -> Float:
    """Terms of f(t) that the formulas of the method neglect, in the same units."""
    group = qss.group
    worst = 0.0
    if qss.order > 2:
        return worst
    for a in range(group.state_count):
        more = abs(group.f2[a]) * passed * passed * passed / 3.0
        if qss.order == 1:
            more += 0.5 * abs(group.f1[a]) * passed * passed
        worst = max(worst, more / (ROWS.soft * qss.states[group.free[a]].quantum))
    return worst


@core_steps.kernel
def error_of_unknowns(qss: Qss, expected: Floats) -> Float:
    """The error of the expected b(t), in the same units."""
    group = qss.group
    core = group.core
    worst = 0.0
    for e in range(group.element_count):
        i = core.elements[e].unknown
        floor = max(core.corner_floor[i], core.rough[i], TINIEST)
        size = max(group.sizes[i], floor)
        worst = max(worst, abs(group.b0[i] - expected[i]) / (CORE_STEPS.followed * size))
    return worst


@core_steps.kernel
def expand_again(qss: Qss, t: Float, passed: Float) -> Float:
    """Expands f and b at `t`; the error of the last expansion. The error of f grows with the third power of
    time: a quarter of it at the end, times the time, is added to x."""
    group = qss.group
    expected = group.mode_point  # a linear mode needs it for nothing else
    for a in range(group.state_count):
        group.expected_f[a] = group.f0[a] + passed * (group.f1[a] + passed * group.f2[a])
    for i in range(group.n):
        expected[i] = group.b0[i] + passed * (group.b1[i] + passed * group.b2[i])
    expand_in_time(qss, t)
    group.reach(qss.memory)
    for a in range(group.state_count):
        qss.states[group.free[a]].x0 += 0.25 * (group.f0[a] - group.expected_f[a]) * passed
    return max(error_of_unknowns(qss, expected), error_of_order(qss, passed))


@core_steps.kernel
def refresh_group(qss: Qss, t: Float, is_due: Int) -> None:
    """Updates f(t), b(t) and all rates; their error determines the next interval."""
    group = qss.group
    passed = t - group.expanded_at
    qss.refreshes += 1
    advance_group(qss, t)
    for a in range(group.state_count):
        group.expected[a] = qss.states[group.free[a]].x1
    worst = expand_again(qss, t, passed) if group.is_linear == 1 else 0.0
    if update_group_rates(qss, t, -1, -1) == 1:
        choose_other_states(qss, t)
        return
    group.expanded_at = t
    worst = max(worst, error_of_rates(qss, passed))
    if is_due == 1 and passed > 0.0:
        change = step_factor(1.0, worst, float(qss.order) + 1.0)
        span = qss.stop - qss.start
        group.refresh_interval = min(
            max(passed * change, ROWS.shortest_check * span), ROWS.longest_check * span
        )
    schedule_refresh(qss, t)
    predict_margins(qss, t)


@core_steps.kernel
def schedule_refresh(qss: Qss, t: Float) -> None:
    away = max(qss.group.refresh_interval, SWITCHED.resolved * abs(t))
    set_time(qss.heap, qss.n + qss.relation_count, t + away)


# ---------------------------------------------------------------- begin of a mode


@core_steps.kernel
def begin_values(qss: Qss, t: Float) -> None:
    """Polynomials of order zero from the values in memory."""
    group = qss.group
    m = qss.memory
    n = group.n
    y = m[group.states_slot :]
    group.expanded_at = t
    group.last = t
    for i in range(n):
        set_state(qss, i, y[i], t)
        group.last_point[i] = y[i]
        group.mode_point[i] = y[i]
        group.sizes[i] = max(group.sizes[i], abs(y[i]))
        total = y[i]
        for a in range(group.state_count):
            total -= group.dependence[i * n + a] * y[group.free[a]]
        group.b0[i] = total
        group.b1[i] = 0.0
        group.b2[i] = 0.0


@core_steps.kernel
def measure_own_slopes(qss: Qss, t: Float) -> None:
    """`a` of all free unknowns: from M, or by a small step of each q."""
    group = qss.group
    for a in range(group.state_count):
        state = qss.states[group.free[a]]
        if group.is_linear == 1:
            slope = group.dynamics[a * group.n + a]
            state.a = slope if slope < 0.0 and slope > -ROWS.top else 0.0
            continue
        held = state.q0
        rate = state.x1
        state.q0 = held + SWITCHED.aside * state.quantum
        nonlinear_rates(qss, t)
        state.a = max(-ROWS.top, min(0.0, (state.x1 - rate) / (SWITCHED.aside * state.quantum)))
        state.q0 = held
        nonlinear_rates(qss, t)


@core_steps.kernel
def evaluate_group_rates(qss: Qss, t: Float) -> None:
    if qss.group.is_linear == 0:
        nonlinear_rates(qss, t)
        return
    for a in range(qss.group.state_count):
        linear_rate(qss, a, t)


@core_steps.kernel
def begin_mode(qss: Qss, mode: Int, t: Float) -> None:
    group = qss.group
    empty_heap(qss.heap)
    # The matrices of a nonlinear mode belong to this point.
    is_unknown = group.is_nonlinear == 1 and group.renew(qss.memory, t) != 0
    if is_unknown or describe_mode(group, mode, 0) != 0:
        fail(qss, 0, ROW_FAILED)
        return
    begin_values(qss, t)
    first = ROWS.first_check * (qss.stop - qss.start)
    group.refresh_interval = max(first, SWITCHED.sooner * group.refresh_interval)
    if group.is_linear == 1:
        expand_in_time(qss, t)
    for degree in range(qss.order):
        evaluate_group_rates(qss, t)
        if degree == 0 and qss.is_implicit == 1:
            measure_own_slopes(qss, t)
        copy_rates_to_q(qss, degree)
    if update_group_rates(qss, t, -1, -1) == 1:
        fail(qss, 0, ROW_FAILED)
    for number in range(qss.relation_count):
        relation = qss.relations[number]
        relation.hysteresis = 1.0
        relation.predicted_at = t
        relation.overshoot = -1.0
        relation.validity = max(first, SWITCHED.sooner * relation.validity)
    if group.is_forced == 1:
        schedule_refresh(qss, t)
    predict_margins(qss, t)


@core_steps.kernel
def choose_other_states(qss: Qss, t: Float) -> None:
    """In a nonlinear mode the free unknowns may become dependent on each other."""
    evaluate_point(qss, t, X_VALUES, t)
    if qss.failure == 0:
        begin_mode(qss, qss.group.mode, t)


@core_steps.kernel
def begin_group(qss: Qss, t: Float) -> Int:
    """Starts at the values in memory, in the mode of the present bits; 0, or the failure."""
    mode = qss.group.go_on(qss.memory, t)
    if mode < 0:
        return ROW_FAILED
    qss.last_t = t
    qss.t = t
    begin_mode(qss, mode, t)
    return qss.failure
