"""Crossings with an implicit core: elements reach their corner, relations their zero.

    predict_margins(qss, t)                     # schedules all of them
    code = locate_crossing(qss, number, low, t) # EVENT at qss.t; 0: no crossing yet

The margin of an element is its distance from its corner, positive on its side; that of a relation is its
residual, positive on the side of its status. Margins of elements in a determined mode are polynomials, S z +
b(t); other margins are parabolas through three points. A prediction may be wrong; an event is where the
margin of the core itself, at the values of the states, is negative.
"""

from __future__ import annotations

from math import inf

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Int
from freewheel.runtime.loop.outcomes import EVENT, ROW_FAILED
from freewheel.runtime.qss.crossings import (
    predictions,
    schedule_crossing,
    time_to_leave,
    update_size,
    validity_of_parabola,
    widen_hysteresis,
)
from freewheel.runtime.qss.memory import Qss
from freewheel.runtime.qss.roots import NO_ROOT
from freewheel.runtime.qss.switched.rates import (
    X_VALUES,
    combine,
    core_rates,
    difference_step,
    evaluate_point,
    evaluate_signals,
    parabola,
    try_point,
)
from freewheel.runtime.qss.thresholds import CROSSINGS, SWITCHED
from freewheel.runtime.switched_dae.scaling import core_sizes, corner_of, is_held
from freewheel.runtime.switched_dae.thresholds import CORE_STEPS
from freewheel.runtime.thresholds import TINIEST

margins = KernelModule("qss_core_margins", core_rates, core_sizes, predictions)


@margins.kernel
def side_of(qss: Qss, e: Int) -> Float:
    """1.0 above the corner, -1.0 below; 0.0: a gate or a latch holds the element."""
    core = qss.group.core
    if is_held(core, qss.memory, e) == 1:
        return 0.0
    return 1.0 if qss.memory[core.elements[e].bit_slot] > 0.5 else -1.0


@margins.kernel
def size_of_element(qss: Qss, e: Int) -> Float:
    """Its magnitude, as in `core_sizes.guard_of`."""
    core = qss.group.core
    i = core.elements[e].unknown
    floor = max(core.corner_floor[i], core.rough[i])
    return max(core.size[i], floor, TINIEST)


@margins.kernel
def tolerance_of_element(qss: Qss, e: Int) -> Float:
    """Beyond its corner: a little of its magnitude, and twice the error of the last restart."""
    return (CORE_STEPS.beyond + 2.0 * qss.group.core.allowed) * size_of_element(qss, e)


@margins.kernel
def margin_here(qss: Qss, number: Int) -> Float:
    """At the point in memory; infinite where the element is held."""
    m = qss.memory
    relation = qss.relations[number]
    value = m[relation.value_slot]
    if number >= qss.group.element_count:
        status = m[relation.status_slot]
        return value if status > 0.0 else (-value if status < 0.0 else -abs(value))
    side = side_of(qss, number)
    return inf if side == 0.0 else side * (value - corner_of(qss.group.core, m, number))


@margins.kernel
def margin_at(qss: Qss, number: Int, t: Float) -> Float:
    """At the values of the states at `t`; not a number where that fails."""
    group = qss.group
    qss.predictions += 1
    if try_point(qss, t, X_VALUES, t) != 0:
        return inf - inf
    if number >= group.element_count and group.relations(qss.memory) != 0:
        return inf - inf
    return margin_here(qss, number)


@margins.kernel
def sample_margins(qss: Qss, t: Float) -> None:
    """Values at a time; the two samples before are kept."""
    group = qss.group
    if group.relation_count > 0:
        evaluate_signals(qss, t)
    else:
        evaluate_point(qss, t, X_VALUES, t)
    for number in range(qss.relation_count):
        relation = qss.relations[number]
        relation.earlier = relation.after
        relation.after = relation.here
        relation.here = qss.memory[relation.value_slot]
        if number >= group.element_count:
            relation.here = margin_here(qss, number)


@margins.kernel
def restart_error(qss: Qss, e: Int, margin: Float) -> Float:
    """An element that begins a mode beyond its corner by less than the absolute tolerance crosses only if it
    moves farther: its magnitude is not yet known."""
    relation = qss.relations[e]
    if relation.overshoot < 0.0:
        core = qss.group.core
        tolerance = core.atol[core.elements[e].unknown]
        relation.overshoot = max(0.0, -2.0 * margin) if -margin <= tolerance else 0.0
    elif margin > relation.overshoot:
        relation.overshoot = 0.0
    return relation.overshoot


@margins.kernel
def expand_margin(qss: Qss, number: Int, t: Float, h: Float, side: Float) -> Float:
    """Coefficients of a margin into `out`; for how long they are valid."""
    group = qss.group
    out = qss.out
    relation = qss.relations[number]
    is_element = 1 if number < group.element_count else 0
    if is_element == 1 and group.is_determined == 1:
        i = group.core.elements[number].unknown
        row = group.dependence[i * group.n :]
        combine(qss, row, group.b0[i], group.b1[i], group.b2[i], t, X_VALUES, out)
    else:
        parabola(relation.earlier, relation.here, relation.after, h, out)
        out[3] = 0.0
    if is_element == 1:
        out[0] -= corner_of(group.core, qss.memory, number)
        for part in range(4):
            out[part] *= side
        if group.is_determined == 1:
            return NO_ROOT
        relation.size = max(relation.size, size_of_element(qss, number))
    update_size(relation, out[0])
    return validity_of_parabola(qss, relation, out, t)


@margins.kernel
def predict_margin(qss: Qss, number: Int, t: Float, h: Float) -> None:
    group = qss.group
    out = qss.out
    relation = qss.relations[number]
    side = side_of(qss, number) if number < group.element_count else 1.0
    if side == 0.0:
        schedule_crossing(qss, number, t, inf)
        return
    validity = expand_margin(qss, number, t, h, side)
    if number < group.element_count:
        delta = tolerance_of_element(qss, number) * relation.hysteresis
        delta = max(delta, restart_error(qss, number, out[0]))
    else:
        delta = max(CROSSINGS.noise * relation.size * relation.hysteresis, relation.band, TINIEST)
    relation.delta = delta
    away = time_to_leave(out, out[3], 1.0, delta, qss.stop - t)
    if away > 0.0:
        away = max(away, CROSSINGS.shortest * (qss.stop - qss.start))
    schedule_crossing(qss, number, t, min(away, max(validity, SWITCHED.resolved * abs(t))))


@margins.kernel
def predict_margins(qss: Qss, t: Float) -> None:
    group = qss.group
    h = difference_step(qss, t)
    if group.relation_count > 0 or (group.is_determined == 0 and group.element_count > 0):
        sample_margins(qss, t - h)
        sample_margins(qss, t + h)
        sample_margins(qss, t)  # this point stays in memory
    qss.predictions += qss.relation_count
    for number in range(qss.relation_count):
        predict_margin(qss, number, t, h)


@margins.kernel
def zero_between(
    qss: Qss, number: Int, delta: Float, low: Float, high: Float, at_high: Float
) -> Float:
    """Where a margin becomes negative, by regula falsi with the Illinois weights. The result is beyond zero,
    by as little as possible: it determines the next mode."""
    a = low
    b = high
    ga = margin_at(qss, number, a)
    gb = at_high
    level = 0.0
    if not ga > 0.0:  # it began there: only a margin below -delta counts
        level = delta
        ga += level
        gb += level
    if not ga > 0.0:
        return a
    side = 0
    reached = abs(gb)
    closeness = CORE_STEPS.units * (abs(high) + abs(qss.stop - qss.start))
    for _ in range(CORE_STEPS.most_locate):
        if b - a <= closeness or reached <= SWITCHED.exact * delta:
            break
        t = a + (b - a) * ga / (ga - gb)
        if not (t > a and t < b):
            t = 0.5 * (a + b)
        value = margin_at(qss, number, t) + level
        if value >= 0.0:  # at zero exactly, leaving it would be a second event
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


@margins.kernel
def locate_crossing(qss: Qss, number: Int, low: Float, t: Float) -> Int:
    """Whether a predicted crossing is one. `low`: time of the last item."""
    relation = qss.relations[number]
    value = margin_at(qss, number, t)
    if value != value:
        return ROW_FAILED
    delta = relation.delta
    if number < qss.group.element_count:
        qss.group.reach(qss.memory)  # updates the magnitude of the element
        delta = max(delta, tolerance_of_element(qss, number))
    if value > -0.5 * delta:
        if abs(value) <= 2.0 * delta or t <= low:
            widen_hysteresis(relation)
        return 0
    relation.hysteresis = 1.0
    qss.t = zero_between(qss, number, delta, low, t, value)
    qss.event_item = number
    return EVENT
