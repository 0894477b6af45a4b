"""Delayed signals of quantized states, and delayed values that rows read.

    update_signal(qss, line, t, is_forced)    # adds a segment where the signal has left its quantum
    update_delayed(qss, number, t)            # the record of a delayed value

A signal of `delay(..)` or `spatialDistribution(..)` is quantized like a state: a segment, a polynomial of a
degree below the order of the method, is valid until the signal has left it by a quantum, that of the states
that the signal depends on (Castro, Kofman, Cellier 2011, "Quantization-based integration methods for
delay-differential equations"). A delayed value is a record like that of an input: the segment at the delayed
time. It is computed again when the delayed time reaches the next segment, and where the delay varies also
when its polynomial is no longer valid. `delays/lookup.py` reads the same segments for sections of the model.
"""

from __future__ import annotations

from math import inf

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.delays.lookup import (
    FED,
    PLACE,
    Line,
    Stretch,
    looking,
    place_at_end,
    secant,
    segment_at,
    slope_of,
    time_of_entry,
    value_of,
)
from freewheel.runtime.delays.thresholds import DELAYS
from freewheel.runtime.loop.outcomes import LAG_WRONG, STALLED
from freewheel.runtime.qss.handlers import handling
from freewheel.runtime.qss.heap import set_time
from freewheel.runtime.qss.memory import DELAYED_SLOPE, TRANSPORTED_SLOPE, DelayItem, Qss
from freewheel.runtime.qss.methods import CQSS
from freewheel.runtime.qss.next_times import step_factor
from freewheel.runtime.qss.rates import (
    evaluate_at_event,
    fail,
    mark_delay_item,
    mark_delay_readers,
    mark_relations,
    update_readers,
)
from freewheel.runtime.qss.roots import NO_ROOT, first_exit, first_root
from freewheel.runtime.qss.thresholds import CROSSINGS, ROWS, SIGNALS
from freewheel.runtime.thresholds import FOREVER, TINIEST

delayed_signals = KernelModule("qss_delayed_signals", handling, looking)


@delayed_signals.kernel
def update_validity(qss: Qss, item: DelayItem, t: Float, wrong: Float, quantum: Float) -> None:
    """From the error of a nonlinear polynomial since its last update."""
    passed = t - item.updated_at
    item.updated_at = t
    if passed > 0.0:
        change = step_factor(ROWS.soft * quantum, wrong, 3.0)
        longest = SIGNALS.longest_validity * (qss.stop - qss.start)
        item.validity = min(max(passed, 0.5 * item.validity) * change, longest)


@delayed_signals.kernel
def schedule_item(qss: Qss, number: Int, t: Float, then: Float) -> None:
    due = max(then, t + CROSSINGS.shortest * (qss.stop - qss.start))
    set_time(qss.heap, qss.first_delay_item + number, due if due < NO_ROOT else inf)


# ---------------------------------------------------------------- signals


@delayed_signals.kernel
def quantum_of_signal(qss: Qss, number: Int, t: Float) -> Float:
    """The change of a signal when all its states change by their quanta; a common quantum where it depends on
    no state. Delayed values do not count: on a line with reflections quanta would grow with each one. Its row
    has just been evaluated."""
    out = qss.out
    line = qss.history.lines[number]
    line.size = max(line.size, abs(out[0]))
    row = qss.rows[qss.delay_items[number].row]
    total = 0.0
    if row.has_slopes == 1:
        slopes = qss.slopes
        table = qss.table[row.first :]
        if row.slopes(qss.memory, table, qss.event_view, t, slopes) == 0:
            for place in range(row.count):
                if table[place] < qss.n:
                    total += abs(slopes[place]) * qss.states[table[place]].quantum
    if not (total > 0.0 and total < FOREVER):
        largest = max(line.size, abs(out[1]) * qss.longest_validity)
        total = max(qss.signal_relative * largest, qss.signal_absolute)
    line.quantum = max(total, TINIEST)
    return line.quantum


@delayed_signals.kernel
def is_centred(qss: Qss, line: Line) -> Int:
    """Whether segments lie in the middle of the next change of their signal. Those of x in a pipe do not: its
    inverse is needed, and the values at their beginnings are exact."""
    return 1 if qss.method == CQSS and line.sort != PLACE else 0


@delayed_signals.kernel
def add_segment(qss: Qss, line: Line, t: Float, quantum: Float, is_forced: Int) -> None:
    """Adds the polynomial in `out`. Unless forced, it replaces a segment that begins at `t`, too."""
    if is_forced == 1 or line.begins[line.count - 1] < t:
        line.count += 1
        if line.count + 2 > line.room:
            qss.history_full = 1
    out = qss.out
    line.begins[line.count - 1] = t
    c = line.coefficients[5 * (line.count - 1) :]
    c[0] = out[0]
    c[1] = out[1] if qss.order > 1 else 0.0
    c[2] = 0.5 * out[2] if qss.order > 2 else 0.0
    c[3] = 0.0
    c[4] = 0.0
    if is_centred(qss, line) == 1:
        sign = 1.0 if out[1] > 0.0 else (-1.0 if out[1] < 0.0 else 0.0)
        c[0] += 0.5 * quantum * sign


@delayed_signals.kernel
def mark_line_readers(qss: Qss, number: Int) -> None:
    """Marks delayed values in the newest segment of a signal, or in the one before, which has got an end."""
    h = qss.history
    newest = h.lines[number].count + h.lines[number].base - 1
    readers = qss.line_readers
    for place in range(readers.starts[number], readers.starts[number + 1]):
        reader = qss.signal_count + readers.items[place]
        item = qss.delay_items[reader]
        segment = item.segment
        if item.kind > DELAYED_SLOPE:
            pipe = h.pipes[item.number // 2]
            stretch = pipe.stretches[place_at_end(pipe, item.number % 2)]
            if item.row == qss.delay_items[number].row:
                segment = item.entry_segment
            elif stretch.kind != FED or stretch.line != number:
                segment = -1
        if segment >= newest - 1:
            mark_delay_item(qss, reader)


@delayed_signals.kernel
def update_signal(qss: Qss, number: Int, t: Float, is_forced: Int) -> None:
    """Compares a signal with its segment and schedules the next comparison. `is_forced`: after an event."""
    item = qss.delay_items[number]
    evaluate_at_event(qss, item.row, t)
    if qss.failure != 0:
        return
    line = qss.history.lines[number]
    out = qss.out
    quantum = quantum_of_signal(qss, number, t)
    bound = 0.5 * quantum if is_centred(qss, line) == 1 else quantum
    if item.is_nonlinear == 1:
        passed = t - item.updated_at
        expected = item.value + passed * (item.slope + passed * item.bend)
        if is_forced == 1:  # another formula may hold from now on
            item.validity = ROWS.first_check * (qss.stop - qss.start)
            item.updated_at = t
        else:
            update_validity(qss, item, t, abs(out[0] - expected), quantum)
        item.value = out[0]
        item.slope = out[1]
        item.bend = 0.5 * out[2]
    c = line.coefficients[5 * (line.count - 1) :]
    e = t - line.begins[line.count - 1]
    off = value_of(c, e) - out[0]
    if is_forced == 1 or not abs(off) < SIGNALS.nearly * bound:
        add_segment(qss, line, t, quantum, is_forced)
        mark_line_readers(qss, number)
        c = line.coefficients[5 * (line.count - 1) :]
        e = 0.0
        off = c[0] - out[0]
    away = first_exit(off, slope_of(c, e) - out[1], c[2] - 0.5 * out[2], bound)
    if item.is_nonlinear == 1:
        away = min(away, item.validity)
    schedule_item(qss, number, t, t + away if away < NO_ROOT else FOREVER)


# ---------------------------------------------------------------- delayed times


@delayed_signals.kernel
def delayed_time(qss: Qss, item: DelayItem, t: Float) -> None:
    """The delayed time and its first two derivatives."""
    point = qss.point
    point.end = FOREVER
    if item.row < 0:
        point.lag = qss.memory[item.lag_slot]
        point.time = t - point.lag
        point.slope = 1.0
        point.bend = 0.0
        return
    evaluate_at_event(qss, item.row, t)
    longest = qss.history.lines[item.number].longest
    lag = qss.out[0]
    if not (lag >= -DELAYS.slack * longest and lag <= longest + DELAYS.slack * longest):
        qss.history.wrong = item.number + 1
        fail(qss, item.row, LAG_WRONG)
    point.time = min(t, t - lag)
    point.slope = 1.0 - qss.out[1]
    point.bend = -qss.out[2]


@delayed_signals.kernel
def position_in_pipe(qss: Qss, item: DelayItem, t: Float) -> None:
    """s at the end of a pipe, which particles keep, and its first two derivatives."""
    evaluate_at_event(qss, item.row, t)
    point = qss.point
    point.time = float(item.number % 2) - qss.out[0]
    point.slope = -qss.out[1]
    point.bend = -qss.out[2]


@delayed_signals.kernel
def entry_of_position(qss: Qss, x: Line, stretch: Stretch) -> Int:
    """The time when what is at a position has entered, by the inverse of x. Number of the segment of x."""
    point = qss.point
    moves = -point.slope
    bends = -point.bend
    out = qss.out
    segment = time_of_entry(qss.history, x, stretch, stretch.offset - point.time, out)
    point.time = out[0]
    point.slope = 0.0
    point.bend = 0.0
    if out[1] != 0.0:
        point.slope = moves / out[1]
        point.bend = (bends - out[2] * point.slope * point.slope) / out[1]
    point.end = out[3]
    point.speed = out[1]
    point.acceleration = out[2]
    return segment + x.base


# ---------------------------------------------------------------- delayed values


@delayed_signals.kernel
def set_delayed(qss: Qss, number: Int, t: Float, p: Floats, quantum: Float) -> Float:
    """Writes the polynomial p to a record, in the degree of q; the time until the rest becomes a quantum."""
    state = qss.states[qss.first_delayed + number]
    rise = p[1] if qss.order > 1 else 0.0
    curve = p[2] if qss.order > 2 else 0.0
    e = t - state.tq
    before = state.q0 + e * (state.q1 + e * state.q2)
    qss.point.is_new = 1
    if before == p[0] and state.q1 + 2.0 * e * state.q2 == rise and state.q2 == curve:
        qss.point.is_new = 0
    state.q0 = p[0]
    state.q1 = rise
    state.q2 = curve
    state.tq = t
    state.x0 = p[0]
    state.x1 = rise
    state.x2 = curve
    state.tx = t
    state.quantum = quantum
    return first_exit(0.0, p[1] - rise, p[2] - curve, quantum)


@delayed_signals.kernel
def compose(qss: Qss, value: Float, slope: Float, bend: Float, p: Floats) -> None:
    """A function of the delayed time as a function of time: value, slope and half the second derivative."""
    point = qss.point
    p[0] = value
    p[1] = slope * point.slope
    p[2] = 0.5 * (bend * point.slope * point.slope + slope * point.bend)


@delayed_signals.kernel
def time_to_leave_segment(qss: Qss, is_constant: Int, begin: Float, end: Float, t: Float) -> Float:
    """When the delayed time leaves the interval between two times. `is_constant`: so is the delay."""
    point = qss.point
    if is_constant == 1:
        return end + point.lag if end < FOREVER else FOREVER
    best = FOREVER
    if end < FOREVER:
        best = first_root(point.time - end, point.slope, 0.5 * point.bend)
        if point.time >= end:
            best = 0.0
    if begin > -FOREVER and point.time > begin:
        best = min(best, first_root(point.time - begin, point.slope, 0.5 * point.bend))
    return t + best


@delayed_signals.kernel
def compute_from_profile(qss: Qss, number: Int, x: Line, stretch: Stretch, t: Float) -> Float:
    """The initial profile is piecewise linear; how long it is valid."""
    item = qss.delay_items[qss.signal_count + number]
    item.segment = -1
    item.entry_segment = -1
    item.updated_at = t
    p = qss.out
    quantum = 1.0
    if item.kind == TRANSPORTED_SLOPE:
        p[0] = stretch.steep
        p[1] = 0.0
        p[2] = 0.0
    else:
        value = stretch.value + stretch.steep * (qss.point.time - stretch.low)
        compose(qss, value, stretch.steep, 0.0, p)
        quantum = max(abs(stretch.steep) * x.quantum, TINIEST)
    return t + set_delayed(qss, number, t, p, quantum)


@delayed_signals.kernel
def compute_from_line(qss: Qss, number: Int, line: Line, first: Int, last: Int, t: Float) -> Float:
    """From the segment at the delayed time; how long it is valid."""
    point = qss.point
    state = qss.states[qss.first_delayed + number]
    item = qss.delay_items[qss.signal_count + number]
    p = qss.out
    slack = DELAYS.four_units * max(abs(t), abs(point.time))
    segment = segment_at(line, point.time, slack, first, last)
    gone = point.time - line.begins[segment]
    c = line.coefficients[5 * segment :]
    slope = slope_of(c, gone)
    bend = 2.0 * c[2]
    compose(qss, value_of(c, gone), slope, bend, p)
    if item.kind == DELAYED_SLOPE or item.kind == TRANSPORTED_SLOPE:
        if qss.order == 1:
            slope = secant(line, segment, first, last)
        compose(qss, slope, bend, 0.0, p)
    if item.kind == TRANSPORTED_SLOPE:  # by the position: divided by the speed of x
        p[0] = 0.0
        p[1] = 0.0
        p[2] = 0.0
        if point.speed != 0.0:
            p[0] = -slope / point.speed
            change = bend * point.speed - slope * point.acceleration
            p[1] = -change / (point.speed * point.speed) * point.slope
    if item.is_nonlinear == 1:
        e = t - state.tq
        expected = state.q0 + e * (state.q1 + e * state.q2)
        if item.segment == segment + line.base:
            update_validity(qss, item, t, abs(p[0] - expected), line.quantum)
        item.updated_at = t
    item.segment = segment + line.base
    away = set_delayed(qss, number, t, p, line.quantum)
    lowest = max(0, first - line.base)
    highest = max(0, min(line.count - 1, last - line.base))
    begin = line.begins[segment] if segment > lowest else -FOREVER
    end = line.begins[segment + 1] if segment < highest else FOREVER
    is_constant = 1 if item.kind <= DELAYED_SLOPE and item.row < 0 else 0
    then = time_to_leave_segment(qss, is_constant, begin, min(end, point.end), t)
    return min(then, t + away)


@delayed_signals.kernel
def compute_delayed(qss: Qss, number: Int, t: Float) -> None:
    """The record of a delayed value, and when it must be computed again. `point.is_new`: it has changed."""
    item = qss.delay_items[qss.signal_count + number]
    h = qss.history
    if item.kind <= DELAYED_SLOPE:
        delayed_time(qss, item, t)
    else:
        position_in_pipe(qss, item, t)
    if qss.failure != 0:
        return
    if item.kind <= DELAYED_SLOPE:
        line = h.lines[item.number]
        then = compute_from_line(qss, number, line, line.first, line.last, t)
    else:
        pipe = h.pipes[item.number // 2]
        x = h.lines[pipe.place]
        stretch = pipe.stretches[place_at_end(pipe, item.number % 2)]
        if stretch.kind == FED:
            item.entry_segment = entry_of_position(qss, x, stretch)
            line = h.lines[stretch.line]
            first = stretch.content_begins
            then = compute_from_line(qss, number, line, first, stretch.content_stops, t)
        else:
            then = compute_from_profile(qss, number, x, stretch, t)
    if item.is_nonlinear == 1:
        then = min(then, t + item.validity)
    schedule_item(qss, qss.signal_count + number, t, then)


@delayed_signals.kernel
def update_delayed(qss: Qss, number: Int, t: Float) -> None:
    """Computes a delayed value, and updates all that depends on it."""
    compute_delayed(qss, number, t)
    if qss.failure != 0 or qss.point.is_new == 0:
        return
    i = qss.first_delayed + number
    if qss.relation_count > 0:
        mark_relations(qss, i, 1)
    mark_delay_readers(qss, i)
    update_readers(qss, i, t, 0)


# ---------------------------------------------------------------- for the scheduler


@delayed_signals.kernel
def update_delay_item(qss: Qss, number: Int, t: Float) -> None:
    if number < qss.signal_count:
        update_signal(qss, number, t, 0)
    else:
        update_delayed(qss, number - qss.signal_count, t)


@delayed_signals.kernel
def update_marked_delays(qss: Qss, t: Float) -> None:
    """Until none is marked: where nothing is delayed, one item may mark another."""
    left = SIGNALS.most_rounds * (qss.signal_count + qss.delayed_count)
    while qss.marked_delay_count > 0 and qss.failure == 0:
        qss.marked_delay_count -= 1
        number = qss.marked_delay_items[qss.marked_delay_count]
        qss.delay_items[number].is_marked = 0
        left -= 1
        if left < 0:
            fail(qss, qss.delay_items[number].row, STALLED)
        else:
            update_delay_item(qss, number, t)


@delayed_signals.kernel
def begin_delays(qss: Qss, t: Float) -> None:
    """Delayed values at the start, before the rates of states are known."""
    for number in range(qss.signal_count + qss.delayed_count):
        qss.delay_items[number].validity = ROWS.first_check * (qss.stop - qss.start)
        qss.delay_items[number].updated_at = t
    for number in range(qss.delayed_count):
        compute_delayed(qss, number, t)


@delayed_signals.kernel
def restart_delays(qss: Qss, t: Float) -> None:
    """At the start and after an event each signal has a new segment: breaks refer to its number."""
    for line in range(qss.signal_count):
        update_signal(qss, line, t, 1)
    for number in range(qss.delayed_count):
        update_delayed(qss, number, t)
    update_marked_delays(qss, t)
