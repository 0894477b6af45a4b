"""Predicts the next crossing time of each relation from the polynomial of its residual.

predict_crossing(qss, number, t)    # schedules relation `number`
predict_marked(qss, t)              # all relations that are marked
"""

from __future__ import annotations

from math import inf

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.qss.heap import set_time
from freewheel.runtime.qss.memory import NONLINEAR, TIME_VARYING, Qss, QssRelation, QssRow
from freewheel.runtime.qss.rates import evaluate_at_event, rates
from freewheel.runtime.qss.roots import NO_ROOT, first_root, first_root_of_cubic, polynomials
from freewheel.runtime.qss.thresholds import CROSSINGS, ROWS
from freewheel.runtime.thresholds import CHATTER, TINIEST

predictions = KernelModule("qss_predictions", rates, polynomials)


@predictions.kernel
def update_size(relation: QssRelation, value: Float) -> None:
    """The largest magnitude of a residual; an infinite one (no break known yet) does not count."""
    if abs(value) < ROWS.top:
        relation.size = max(relation.size, abs(value))


@predictions.kernel
def time_to_leave(c: Floats, c3: Float, status: Float, delta: Float, most: Float) -> Float:
    """Until a residual c0 + c1*e + c2*e**2 + c3*e**3 has left its status by delta; 0: it has."""
    if status > 0.0:
        above = c[0] + delta
        return 0.0 if above <= 0.0 else first_root_of_cubic(above, c[1], c[2], c3, most)
    below = c[0] - delta
    if status < 0.0:
        return 0.0 if below >= 0.0 else first_root_of_cubic(below, c[1], c[2], c3, most)
    if abs(c[0]) >= delta:
        return 0.0
    return min(first_root(c[0] + delta, c[1], c[2]), first_root(below, c[1], c[2]))


@predictions.kernel
def validity_of_parabola(qss: Qss, relation: QssRelation, c: Floats, t: Float) -> Float:
    """For how long the parabola c of a nonlinear residual is valid, from the present error of the last one.
    Errors grow with the third power of time."""
    passed = t - relation.predicted_at
    if passed > 0.0 and abs(c[0]) < ROWS.top:
        wrong = abs(c[0] - relation.z0 - passed * (relation.z1 + passed * relation.z2))
        validity = ROWS.growing * max(relation.validity, passed)
        if wrong > 0.0:
            validity = min(
                validity, passed * (CROSSINGS.accuracy * relation.size / wrong) ** (1.0 / 3.0)
            )
        shortest = CROSSINGS.shortest_validity * (qss.stop - qss.start)
        relation.validity = min(max(validity, shortest), qss.longest_validity)
    relation.predicted_at = t
    relation.z0 = c[0]
    relation.z1 = c[1]
    relation.z2 = c[2]
    return relation.validity


@predictions.kernel
def widen_hysteresis(relation: QssRelation) -> None:
    relation.hysteresis = min(CROSSINGS.coarsest, CROSSINGS.coarser * relation.hysteresis)


@predictions.kernel
def schedule_crossing(qss: Qss, number: Int, t: Float, away: Float) -> None:
    set_time(qss.heap, qss.n + number, t + away if away < NO_ROOT else inf)


@predictions.kernel
def is_identically_zero(out: Floats) -> Int:
    """Such a residual has no side: a closed switch has no voltage."""
    return 1 if out[0] == 0.0 and out[1] == 0.0 and out[2] == 0.0 else 0


@predictions.kernel
def evaluate_residual(qss: Qss, number: Int, t: Float) -> None:
    qss.predictions += 1
    evaluate_at_event(qss, qss.n + number, t)


@predictions.kernel
def is_moving(qss: Qss, row: QssRow) -> Int:
    """Whether x of any record of a row changes."""
    table = qss.table[row.first :]
    for place in range(row.count):
        state = qss.states[table[place]]
        if state.x1 != 0.0 or state.x2 != 0.0:
            return 1
    return 0


@predictions.kernel
def safe_time(qss: Qss, number: Int, t: Float) -> Float:
    """For how long a linear relation cannot cross, wherever its states are within their bounds around q; 0
    where that is not known. It needs no x, which changes more often than q."""
    m = qss.memory
    row = qss.rows[qss.n + number]
    relation = qss.relations[number]
    relation.is_safe = 0
    if row.has_slopes == 0 or row.variation == TIME_VARYING:
        return 0.0
    status = m[relation.status_slot]
    table = qss.table[row.first :]
    slopes = qss.slopes
    code = row.slopes(m, table, qss.states, t, slopes)
    bound = 0.0
    for place in range(row.count):
        bound += abs(slopes[place]) * qss.states[table[place]].quantum
    bound *= CROSSINGS.bound
    out = qss.out
    code += row.evaluate(m, table, qss.states, t, out)
    if code != 0 or not status * out[0] > CROSSINGS.margin * bound:
        return 0.0
    relation.is_safe = 1
    relation.status = status
    update_size(relation, out[0])
    qss.predictions += 1
    return first_root(status * out[0] - bound, status * out[1], 0.5 * status * out[2])


@predictions.kernel
def predict_crossing(qss: Qss, number: Int, t: Float) -> None:
    away = safe_time(qss, number, t)
    if away > 0.0:
        schedule_crossing(qss, number, t, away)
        return
    evaluate_residual(qss, number, t)
    relation = qss.relations[number]
    out = qss.out
    update_size(relation, out[0])
    if abs(out[0]) > CHATTER.far_outside * relation.band:
        relation.band = 0.0  # no round-off any more
    delta = max(CROSSINGS.noise * relation.size, TINIEST)
    if abs(out[0]) > CROSSINGS.outside * delta * relation.hysteresis:
        relation.hysteresis = 1.0
    delta = delta * relation.hysteresis + relation.band
    relation.delta = delta
    status = qss.memory[relation.status_slot]
    relation.status = status
    if relation.is_straight == 1:
        delta = 0.0
        if out[0] == 0.0 and status * out[1] > 0.0:
            schedule_crossing(qss, number, t, inf)  # at zero, moving to the side of its status
            return
    is_zero = is_identically_zero(out)
    out[2] = 0.5 * out[2]
    if is_zero == 1:
        away = 0.0 if status != 0.0 and relation.band == 0.0 else NO_ROOT
    else:
        away = time_to_leave(out, 0.0, status, delta, NO_ROOT)
    row = qss.rows[qss.n + number]
    if row.variation == TIME_VARYING or (row.variation == NONLINEAR and is_moving(qss, row) == 1):
        away = min(away, validity_of_parabola(qss, relation, out, t))
    if away > 0.0:
        away = max(away, CROSSINGS.shortest * (qss.stop - qss.start))
    schedule_crossing(qss, number, t, away)


@predictions.kernel
def predict_marked(qss: Qss, t: Float) -> None:
    for place in range(qss.marked_count):
        number = qss.marked_relations[place]
        qss.relations[number].is_marked = 0
        predict_crossing(qss, number, t)
    qss.marked_count = 0
