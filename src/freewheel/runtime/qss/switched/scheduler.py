"""The loop of quantized states where an implicit core makes them one group.

    code = begin_group(group, t)      # at the values in memory, in the mode of the present bits
    code = advance_group(group)       # up to qss.limit: REACHED, EVENT, BREATH, ...

Each chosen state has its quantum and its next time, as in `qss/scheduler.py`; a step of one renews the rates
of those that depend on it. After an event other states may be the chosen ones.
"""

from __future__ import annotations

from math import inf

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.loop.outcomes import EVENT, ROW_FAILED
from freewheel.runtime.qss.handlers import place_state, quantum_of
from freewheel.runtime.qss.heap import empty_heap, set_time
from freewheel.runtime.qss.methods import MLIQSS
from freewheel.runtime.qss.next_times import change_of_pace, wait
from freewheel.runtime.qss.pairs import is_moved, quantize_pair
from freewheel.runtime.qss.quantizers import advance_q, advance_x, quantize
from freewheel.runtime.qss.rows import CLEAR, FIRST_LOOK, LONGEST, SHORTEST_LOOK, TOP, fail, split
from freewheel.runtime.qss.scheduler import SOFT, stepping, stops_after, stops_before
from freewheel.runtime.qss.switched.crossings import (
    cross_watcher,
    predict_watchers,
    watching,
)
from freewheel.runtime.qss.switched.delays import (
    is_far_ahead,
    past_of_group,
    remember_group,
)
from freewheel.runtime.qss.switched.memory import QssGroup
from freewheel.runtime.qss.switched.mode import describe_mode, modes_of_group
from freewheel.runtime.qss.switched.rates import (
    BY_SIGHT,
    ROUNDING,
    bent_rates,
    keep_pace,
    linear_rate,
    look_at_time,
    rates_in_group,
    renew_where_it_bends,
    take_point,
)
from freewheel.runtime.thresholds import LARGEST

group_steps = KernelModule(
    "qss_core_steps", modes_of_group, rates_in_group, past_of_group, watching, stepping
)

FOLLOWED = 1e-3  # of its size: what an unknown that follows may be wrong by
SOONER = 0.25  # of the last time between looks, after an event
ASIDE = 1e-2  # of a quantum: to find the slope of a rate by its own state


@group_steps.kernel
def schedule(group: QssGroup, i: Int, t: Float, is_own: Int) -> None:
    """The rate of state i has changed: when it will have left its quantum."""
    qss = group.qss
    if qss.is_implicit == 1:
        split(qss.states[i], qss.order)
    set_time(qss.heap, i, t + wait(qss, i, is_own, qss.horizon - t))


@group_steps.kernel
def bring_to(group: QssGroup, t: Float) -> None:
    """Both polynomials of all chosen states count from `t`."""
    for a in range(group.state_count):
        state = group.qss.states[group.chosen[a]]
        advance_x(state, t)
        advance_q(state, t)


@group_steps.kernel
def concerns(row: Floats, a: Int, by: Int) -> Int:
    """Whether a step of chosen state `by` (-1: none) matters to the rate of a, of which M has the row."""
    if by < 0:
        return 0
    return 1 if a == by or row[by] != 0.0 else 0


@group_steps.kernel
def renew_rates(group: QssGroup, t: Float, by: Int, and_by: Int) -> Int:
    """Rates of those that depend on the chosen states `by` and `and_by` (-1: none), or of all where `by`
    is -1; these two have taken steps. 1: others should be the chosen ones."""
    qss = group.qss
    n = group.n
    keep_pace(group, t)
    if group.is_linear == 0:
        bring_to(group, t)
        if renew_where_it_bends(group, t) == 1:
            return 1
        bent_rates(group, t)
    for a in range(group.state_count):
        i = group.chosen[a]
        if group.is_linear == 1:
            row = group.motion[a * n :]
            if by >= 0 and concerns(row, a, by) == 0 and concerns(row, a, and_by) == 0:
                continue
            state = qss.states[i]
            advance_x(state, t)
            advance_q(state, t)
            linear_rate(group, a, t)
            if not abs(state.x1 + state.x2) <= LARGEST:
                fail(qss, 0, ROW_FAILED)
        schedule(group, i, t, 0 if a != by and a != and_by else 1)
    return 0


@group_steps.kernel
def partner_in_group(group: QssGroup, a: Int, t: Float, q: Float, slope: Float) -> Int:
    """As `pairs.partner`, by M: the place of the state quantized together with a; -1: none."""
    qss = group.qss
    n = group.n
    if group.is_linear == 0:
        return -1
    motion = group.motion
    i = group.chosen[a]
    best = -1
    tie = 0.0
    for b in range(group.state_count):
        both = abs(motion[a * n + b] * motion[b * n + a])
        if b == a or both <= tie:
            continue
        j = group.chosen[b]
        advance_x(qss.states[j], t)
        advance_q(qss.states[j], t)
        if is_moved(qss, i, j, motion[b * n + a], q, slope) == 1:
            best = b
            tie = both
    if best < 0:
        return -1
    j = group.chosen[best]
    found = quantize_pair(
        qss, i, j, motion[a * n + a], motion[a * n + best], motion[best * n + a],
        motion[best * n + best], q, slope, t, qss.horizon,
    )  # fmt: skip
    return best if found == j else -1


@group_steps.kernel
def step_in_group(group: QssGroup, i: Int, t: Float) -> None:
    """Chosen unknown i takes its step."""
    qss = group.qss
    a = group.place_of[i]
    if a < 0:
        set_time(qss.heap, i, inf)
        return
    state = qss.states[i]
    advance_x(state, t)
    advance_q(state, t)
    state.quantum = quantum_of(qss, i, state.x0)
    q = state.q0
    slope = state.q1
    rate = state.x1
    quantize(qss, i, t, qss.horizon)
    other = -1
    if qss.method == MLIQSS:
        other = partner_in_group(group, a, t, q, slope)
        if other >= 0:
            qss.paired += 1
            j = group.chosen[other]
            qss.states[j].quantum = quantum_of(qss, j, qss.states[j].x0)
    if renew_rates(group, t, a, other) == 1:
        choose_again(group, t)
        return
    moved = state.q0 - q
    if group.is_linear == 0 and qss.is_implicit == 1 and abs(moved) > CLEAR * state.quantum:
        state.a = max(-TOP, min(0.0, (state.x1 - rate) / moved))
        schedule(group, i, t, 1)
    predict_watchers(group, t)


# ---------------------------------------------------------------- time goes on


@group_steps.kernel
def wrong_rates(group: QssGroup, passed: Float) -> Float:
    """By how much rates are other than expected, in units of what is allowed. A state that forgets faster
    than that forgets what it was wrong by, too."""
    qss = group.qss
    worst = 0.0
    for a in range(group.state_count):
        state = qss.states[group.chosen[a]]
        lasts = passed / (float(qss.order) + 1.0)
        if state.a < 0.0:
            lasts = min(lasts, -1.0 / state.a)
        off = abs(state.x1 - group.expected[a]) * lasts
        worst = max(worst, off / (SOFT * state.quantum))
    return worst


@group_steps.kernel
def left_out(group: QssGroup, passed: Float) -> Float:
    """What the formulas of the method do not know of f(t), in the same units: x may leave its quantum by
    so much without anybody noticing."""
    qss = group.qss
    worst = 0.0
    for a in range(group.state_count):
        more = abs(group.f2[a]) * passed * passed * passed / 3.0
        if qss.order == 1:
            more += 0.5 * abs(group.f1[a]) * passed * passed
        if qss.order > 2:
            more = 0.0
        worst = max(worst, more / (SOFT * qss.states[group.chosen[a]].quantum))
    return worst


@group_steps.kernel
def mend_states(group: QssGroup, passed: Float) -> None:
    """What f(t) was beside its polynomial grows with the third power of time: a quarter of it at the end,
    times the time, is missing in x. The polynomial as it was is in `was`."""
    for a in range(group.state_count):
        wrong = group.f0[a] - group.was[a]
        group.qss.states[group.chosen[a]].x0 += 0.25 * wrong * passed


@group_steps.kernel
def wrong_values(group: QssGroup) -> Float:
    """The same of elements' unknowns that follow time in a linear mode: b(t) as expected is in `renewed`."""
    core = group.core
    worst = 0.0
    for e in range(group.element_count):
        i = core.elements[e].unknown
        floor = max(core.corner_floor[i], core.rough[i], 1e-300)
        size = max(group.sizes[i], floor)
        off = abs(group.b0[i] - group.renewed[i])
        worst = max(worst, off / (FOLLOWED * size))
    return worst


@group_steps.kernel
def look_at_all_again(group: QssGroup, t: Float, is_due: Int) -> None:
    """Time has gone on: f(t), b(t) and all rates anew; how wrong they were says how soon the next time."""
    qss = group.qss
    n = group.n
    passed = t - group.looked
    qss.refreshes += 1
    bring_to(group, t)
    for a in range(group.state_count):
        group.expected[a] = qss.states[group.chosen[a]].x1
    worst = 0.0
    if group.is_linear == 1:
        expected = group.renewed  # a linear mode has no other use for it
        for a in range(group.state_count):
            f1 = group.f1[a]
            f2 = group.f2[a]
            group.was[a] = group.f0[a] + passed * (f1 + passed * f2)
        for i in range(n):
            b1 = group.b1[i]
            b2 = group.b2[i]
            expected[i] = group.b0[i] + passed * (b1 + passed * b2)
        look_at_time(group, t)
        group.reach(qss.memory)
        worst = max(wrong_values(group), left_out(group, passed))
        mend_states(group, passed)
    if renew_rates(group, t, -1, -1) == 1:
        choose_again(group, t)
        return
    group.looked = t
    worst = max(worst, wrong_rates(group, passed))
    if is_due == 1 and passed > 0.0:
        change = change_of_pace(1.0, worst, float(qss.order) + 1.0)
        span = qss.stop - qss.start
        group.refresh = min(max(passed * change, SHORTEST_LOOK * span), LONGEST * span)
    away = max(group.refresh, ROUNDING * abs(t))
    set_time(qss.heap, n + group.element_count + group.loud_count, t + away)
    predict_watchers(group, t)


# ---------------------------------------------------------------- beginning


@group_steps.kernel
def begin_values(group: QssGroup, t: Float) -> None:
    """Records from the values in memory, and what follows from them as if time did nothing."""
    qss = group.qss
    m = qss.memory
    n = group.n
    d = group.state_count
    y = m[group.states_slot :]
    follow = group.follow
    group.looked = t
    group.last = t
    for i in range(n):
        place_state(qss, i, y[i], t)
        group.now[i] = y[i]
        group.renewed[i] = y[i]
        group.sizes[i] = max(group.sizes[i], abs(y[i]))
        total = y[i]
        for a in range(d):
            total -= follow[i * n + a] * y[group.chosen[a]]
        group.b0[i] = total
        group.b1[i] = 0.0
        group.b2[i] = 0.0


@group_steps.kernel
def own_slopes(group: QssGroup, t: Float) -> None:
    """`a` of all chosen states: from M, or by moving each of them a little."""
    qss = group.qss
    for a in range(group.state_count):
        state = qss.states[group.chosen[a]]
        if group.is_linear == 1:
            slope = group.motion[a * group.n + a]
            state.a = slope if slope < 0.0 and slope > -TOP else 0.0
            continue
        held = state.q0
        rate = state.x1
        state.q0 = held + ASIDE * state.quantum
        bent_rates(group, t)
        state.a = max(-TOP, min(0.0, (state.x1 - rate) / (ASIDE * state.quantum)))
        state.q0 = held
        bent_rates(group, t)


@group_steps.kernel
def begin_polynomials(group: QssGroup, t: Float) -> None:
    """Order by order, as `begin.begin`."""
    qss = group.qss
    order = qss.order
    for degree in range(order):
        if group.is_linear == 0:
            bent_rates(group, t)
        else:
            for a in range(group.state_count):
                linear_rate(group, a, t)
        if degree == 0 and qss.is_implicit == 1:
            own_slopes(group, t)
        for a in range(group.state_count):
            state = qss.states[group.chosen[a]]
            if degree == 0 and order > 1:
                state.q1 = state.x1
            if degree == 1 and order > 2:
                state.q2 = state.x2


@group_steps.kernel
def begin_in_mode(group: QssGroup, mode: Int, t: Float) -> None:
    qss = group.qss
    empty_heap(qss.heap)
    # What is analysed belongs to this very point.
    is_unknown = group.is_bent == 1 and group.renew(qss.memory, t) != 0
    if is_unknown or describe_mode(group, mode, 0) != 0:
        fail(qss, 0, ROW_FAILED)
        return
    begin_values(group, t)
    group.refresh = max(FIRST_LOOK * (qss.stop - qss.start), SOONER * group.refresh)
    if group.is_linear == 1:
        look_at_time(group, t)
    begin_polynomials(group, t)
    if renew_rates(group, t, -1, -1) == 1:
        fail(qss, 0, ROW_FAILED)
    for number in range(group.element_count + group.loud_count):
        watcher = group.watchers[number]
        watcher.coarse = 1.0
        watcher.seen = -inf
        watcher.began = -1.0
        watcher.away = SOONER * watcher.away
    if group.is_timed == 1:
        look = group.n + group.element_count + group.loud_count
        set_time(qss.heap, look, t + max(group.refresh, ROUNDING * abs(t)))
    predict_watchers(group, t)


@group_steps.kernel
def choose_again(group: QssGroup, t: Float) -> None:
    """Where a mode bends, the unknowns that were chosen may come to depend on each other."""
    take_point(group, t, BY_SIGHT, t)
    if group.qss.failure == 0:
        begin_in_mode(group, group.mode, t)


@group_steps.kernel
def begin_group(group: QssGroup, t: Float) -> Int:
    """Go on at the values in memory, in the mode of the present bits; 0, or what failed."""
    qss = group.qss
    mode = group.go_on(qss.memory, t)
    if mode < 0:
        return ROW_FAILED
    qss.last_t = t
    qss.t = t
    begin_in_mode(group, mode, t)
    return qss.failure


@group_steps.kernel
def advance_group(group: QssGroup) -> Int:
    qss = group.qss
    n = group.n
    with_watchers = n + group.element_count + group.loud_count
    heap = qss.heap
    while True:
        t = heap.times[0]
        item = heap.items[0]
        is_watcher = 1 if item >= n and item < with_watchers else 0
        code = 0
        if t > qss.limit or is_watcher == 0 or is_far_ahead(group, t) == 1:
            code = remember_group(group, min(t, qss.limit))
        if code == 0:
            code = stops_before(qss, t)
        if code != 0:
            return code
        low = qss.t
        if item < n:
            qss.t = t
            qss.steps += 1
            step_in_group(group, item, t)
        elif item < with_watchers:
            code = cross_watcher(group, item - n, low, t)
            happens_at = qss.t if code == EVENT else t
            kept = remember_group(group, happens_at)
            if kept != 0:
                qss.t = low
                return kept
            if code == 0:
                qss.t = t
                look_at_all_again(group, t, 0)
                if group.is_timed == 0:
                    predict_watchers(group, t)
        else:
            qss.t = t
            look_at_all_again(group, t, 1)
        code = stops_after(qss, item, t, code)
        if code != 0:
            return code
