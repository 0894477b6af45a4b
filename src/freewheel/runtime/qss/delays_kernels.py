"""What is remembered of quantized states, and how rows look back at it.

    sense(qss, line, t, is_forced)      # does the signal need a new segment?
    look_back(qss, look, t)             # the record of a delayed value

A signal of `delay(..)` or `spatialDistribution(..)` is quantized like a state: a segment, a polynomial of a
degree below the order of the method, stays until the signal has left it by a quantum, that of the states
that the signal is made of (Castro, Kofman, Cellier 2011, "Quantization-based integration methods for
delay-differential equations"). What rows see is a record like that of an input: the segment at the point
looked at. It is formed anew when that point comes to the next segment, and where the delay varies also when
its polynomial is too old. `delays/lookup.py` reads the same segments for whole sections of the model.
"""

from __future__ import annotations

from math import inf

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Int
from freewheel.runtime.delays.lookup import (
    FED,
    PLACE,
    ROUNDING,
    Line,
    Stretch,
    entered,
    looking,
    place_at_end,
    secant,
    segment_at,
)
from freewheel.runtime.loop.outcomes import LAG_WRONG, STALLED
from freewheel.runtime.qss.handlers import handling, renew_readers
from freewheel.runtime.qss.heap import set_time
from freewheel.runtime.qss.memory import (
    DELAYED_SLOPE,
    TRANSPORTED_SLOPE,
    PastItem,
    PointLookedAt,
    Qss,
)
from freewheel.runtime.qss.methods import CQSS
from freewheel.runtime.qss.next_times import change_of_pace
from freewheel.runtime.qss.roots import FAR, first_exit, first_root
from freewheel.runtime.qss.rows import (
    FIRST_LOOK,
    SHORTEST,
    fail,
    look_at,
    note_past,
    note_past_of,
    note_relations,
)

pasts = KernelModule("qss_past", handling, looking)

FULL = 0.999  # of a quantum: rounding does not make a segment stay for ever
SOFT = 0.25  # of a quantum: what a polynomial may be wrong by between two looks
LONGEST_LOOK = 0.002  # of the whole time: delay times out of bounds are noticed
SLACK = 1e-12  # of the longest delay time, for rounding
MOST_ROUNDS = 100  # of signals without delay
NEVER = 1e300


@pasts.kernel
def next_past_look(qss: Qss, item: PastItem, passed: Float, wrong: Float, width: Float) -> None:
    """How soon a bent polynomial is looked at again, if it was wrong by so much after `passed`."""
    if passed <= 0.0:
        return
    change = change_of_pace(SOFT * width, wrong, 3.0)
    longest = LONGEST_LOOK * (qss.stop - qss.start)
    item.look = min(max(passed, 0.5 * item.look) * change, longest)


# ---------------------------------------------------------------- what is remembered


@pasts.kernel
def width_of_signal(qss: Qss, number: Int, t: Float) -> Float:
    """The quantum of a signal: how much it moves when all its states move by theirs. A signal without
    states has one that is common to all. (What it sees of the past does not count: waves that go to and
    fro on a line would make quanta grow each time.) Its row has just been looked at."""
    out = qss.out
    line = qss.history.lines[number]
    size = max(line.size, abs(out[0]))
    line.size = size
    row = qss.rows[qss.past[number].row]
    total = 0.0
    if row.has_slopes == 1:
        slopes = qss.slopes
        table = qss.table[row.first :]
        if row.slopes(qss.memory, table, qss.view, t, slopes) == 0:
            for place in range(row.count):
                if table[place] < qss.n:
                    total += abs(slopes[place]) * qss.states[table[place]].quantum
    if not (total > 0.0 and total < NEVER):
        reach = max(size, abs(out[1]) * qss.longest_look)
        total = max(qss.signal_relative * reach, qss.signal_absolute)
    line.width = max(total, 1e-300)
    return line.width


@pasts.kernel
def is_centred(qss: Qss, line: Line) -> Int:
    """Whether segments lie in the middle of the way that their signal goes. Of x in a pipe it is asked when
    it had a value: the beginnings of its segments are exact."""
    return 1 if qss.method == CQSS and line.sort != PLACE else 0


@pasts.kernel
def add_segment(qss: Qss, number: Int, t: Float, width: Float, is_forced: Int) -> None:
    """From now on the signal is what it is by `out`. One that has just begun is written over, unless a new
    one is asked for."""
    line = qss.history.lines[number]
    if is_forced == 1 or line.begins[line.segment_count - 1] < t:
        line.segment_count += 1
        if line.segment_count + 2 > line.segment_room:
            qss.past_full = number + 1
    out = qss.out
    last = line.segment_count - 1
    line.begins[last] = t
    line.values[last] = out[0]
    line.slopes[last] = out[1] if qss.order > 1 else 0.0
    line.bends[last] = 0.5 * out[2] if qss.order > 2 else 0.0
    if is_centred(qss, line) == 1:
        sign = 1.0 if out[1] > 0.0 else (-1.0 if out[1] < 0.0 else 0.0)
        line.values[last] += 0.5 * width * sign


@pasts.kernel
def note_lookers(qss: Qss, number: Int) -> None:
    """A signal has a new segment. Who is in it, or in the one before and without an end so far, must
    know."""
    h = qss.history
    newest = h.lines[number].segment_count + h.lines[number].segment_base - 1
    lookers = qss.lookers
    for place in range(lookers.starts[number], lookers.starts[number + 1]):
        look = lookers.items[place]
        item = qss.past[qss.signal_count + look]
        there = item.segment
        if item.kind > DELAYED_SLOPE:
            pipe = h.pipes[item.number // 2]
            stretch = pipe.stretches[place_at_end(pipe, item.number % 2)]
            if item.row == qss.past[number].row:
                there = item.entry_segment
            elif stretch.kind != FED or stretch.line != number:
                there = -1
        if there >= newest - 1:
            note_past(qss, qss.signal_count + look)


@pasts.kernel
def sense(qss: Qss, line: Int, t: Float, is_forced: Int) -> None:
    """Compare a signal with its segment; when it will have left it."""
    item = qss.past[line]
    look_at(qss, item.row, t)
    if qss.failure != 0:
        return
    signal = qss.history.lines[line]
    out = qss.out
    width = width_of_signal(qss, line, t)
    bound = 0.5 * width if is_centred(qss, signal) == 1 else width
    if item.is_bent == 1:
        passed = t - item.since
        expected = item.value + passed * (item.slope + passed * item.bend)
        if is_forced > 0:  # another formula may hold from now on
            item.look = FIRST_LOOK * (qss.stop - qss.start)
        else:
            next_past_look(qss, item, passed, abs(out[0] - expected), width)
        item.since = t
        item.value = out[0]
        item.slope = out[1]
        item.bend = 0.5 * out[2]
    last = signal.segment_count - 1
    e = t - signal.begins[last]
    off = signal.values[last] + e * (signal.slopes[last] + e * signal.bends[last]) - out[0]
    if is_forced > 0 or not abs(off) < FULL * bound:
        add_segment(qss, line, t, width, is_forced)
        note_lookers(qss, line)
        last = signal.segment_count - 1
        e = 0.0
        off = signal.values[last] - out[0]
    slope = signal.slopes[last] + 2.0 * e * signal.bends[last] - out[1]
    away = first_exit(off, slope, signal.bends[last] - 0.5 * out[2], bound)
    if item.is_bent == 1:
        away = min(away, item.look)
    if away < FAR:
        away = max(away, SHORTEST * (qss.stop - qss.start))
    set_time(qss.heap, qss.first_past_item + line, t + away if away < FAR else inf)


# ---------------------------------------------------------------- looking back


@pasts.kernel
def point_of_delay(qss: Qss, look: Int, t: Float) -> None:
    """The point looked at, its first two derivatives, and the delay time if that never varies."""
    item = qss.past[qss.signal_count + look]
    point = qss.looked_at
    point.end = NEVER
    if item.row < 0:
        point.lag = qss.memory[item.lag_slot]
        point.at = t - point.lag
        point.slope = 1.0
        point.bend = 0.0
        return
    look_at(qss, item.row, t)
    h = qss.history
    line = item.number
    longest = h.lines[line].longest
    lag = qss.out[0]
    if not (lag >= -SLACK * longest and lag <= longest + SLACK * longest):
        h.wrong = line + 1
        fail(qss, item.row, LAG_WRONG)
    point.at = min(t, t - lag)
    point.slope = 1.0 - qss.out[1]
    point.bend = -qss.out[2]


@pasts.kernel
def place_in_pipe(qss: Qss, look: Int, t: Float) -> None:
    """Where an end of a pipe is, in the numbers that particles keep, and how that moves."""
    item = qss.past[qss.signal_count + look]
    look_at(qss, item.row, t)
    point = qss.looked_at
    point.at = float(item.number % 2) - qss.out[0]
    point.slope = -qss.out[1]
    point.bend = -qss.out[2]


@pasts.kernel
def point_in_pipe(qss: Qss, x: Line, stretch: Stretch) -> Int:
    """When what is there now has entered: from the place by the inverse of x.
    The number of the segment of x."""
    point = qss.looked_at
    target = stretch.offset - point.at
    moves = -point.slope
    bends = -point.bend
    out = qss.out
    segment = entered(x, stretch, target, out)
    point.at = out[0]
    point.slope = 0.0
    point.bend = 0.0
    if out[1] != 0.0:
        point.slope = moves / out[1]
        point.bend = (bends - out[2] * point.slope * point.slope) / out[1]
    point.end = out[3]
    point.speed = out[1]
    point.acceleration = out[2]
    return segment + x.segment_base


@pasts.kernel
def write_record(
    qss: Qss, look: Int, t: Float, value: Float, slope: Float, bend: Float, width: Float
) -> Float:
    """With degrees as those of q: how long until what is left out becomes a quantum. `is_new`: 1
    where the record differs from what it was."""
    state = qss.states[qss.first_looked + look]
    rise = slope if qss.order > 1 else 0.0
    curve = bend if qss.order > 2 else 0.0
    e = t - state.tq
    before = state.q0 + e * (state.q1 + e * state.q2)
    qss.looked_at.is_new = 1
    if before == value and state.q1 + 2.0 * e * state.q2 == rise and state.q2 == curve:
        qss.looked_at.is_new = 0
    state.q0 = value
    state.q1 = rise
    state.q2 = curve
    state.tq = t
    state.x0 = value
    state.x1 = rise
    state.x2 = curve
    state.tx = t
    state.quantum = width
    return first_exit(0.0, slope - rise, bend - curve, width)


@pasts.kernel
def time_out(point: PointLookedAt, is_fixed: Int, begin: Float, end: Float, t: Float) -> Float:
    """When a point leaves what lies between two times."""
    if is_fixed == 1:
        return end + point.lag if end < NEVER else NEVER
    best = NEVER
    if end < NEVER:
        best = first_root(point.at - end, point.slope, 0.5 * point.bend) if point.at < end else 0.0
    if begin > -NEVER and point.at > begin:
        best = min(best, first_root(point.at - begin, point.slope, 0.5 * point.bend))
    return t + best


@pasts.kernel
def plan_look(qss: Qss, look: Int, t: Float, then: Float) -> None:
    item = qss.past[qss.signal_count + look]
    due = then
    if item.is_bent == 1:
        due = min(due, t + item.look)
    due = max(due, t + SHORTEST * (qss.stop - qss.start))
    set_time(qss.heap, qss.first_past_item + qss.signal_count + look, due if due < FAR else inf)


@pasts.kernel
def form_from_profile(qss: Qss, look: Int, x: Line, stretch: Stretch, t: Float) -> None:
    """What was in the pipe from the start is a straight line."""
    point = qss.looked_at
    item = qss.past[qss.signal_count + look]
    item.segment = -1
    item.entry_segment = -1
    item.since = t
    steep = stretch.steep
    if item.kind == TRANSPORTED_SLOPE:
        write_record(qss, look, t, steep, 0.0, 0.0, 1.0)
        plan_look(qss, look, t, NEVER)
        return
    width = abs(steep) * x.width
    there = stretch.value + steep * (point.at - stretch.low)
    half = 0.5 * steep * point.bend
    away = write_record(qss, look, t, there, steep * point.slope, half, max(width, 1e-300))
    plan_look(qss, look, t, t + away)


@pasts.kernel
def form_from_line(qss: Qss, look: Int, line: Line, first: Int, last: Int, t: Float) -> None:
    """The record from the segment of a line at the point looked at."""
    point = qss.looked_at
    state = qss.states[qss.first_looked + look]
    item = qss.past[qss.signal_count + look]
    kind = item.kind
    slack = ROUNDING * max(abs(t), abs(point.at))
    segment = segment_at(line, point.at, slack, first, last)
    gone = point.at - line.begins[segment]
    value = line.values[segment] + gone * (line.slopes[segment] + gone * line.bends[segment])
    by_point = line.slopes[segment] + 2.0 * gone * line.bends[segment]
    bend = 2.0 * line.bends[segment]
    slope = by_point * point.slope
    half = 0.5 * (bend * point.slope * point.slope + by_point * point.bend)
    if kind == DELAYED_SLOPE:
        value = by_point if qss.order > 1 else secant(line, segment, first, last)
        slope = bend * point.slope
        half = 0.5 * bend * point.bend
    if kind == TRANSPORTED_SLOPE:
        if qss.order == 1:
            by_point = secant(line, segment, first, last)
        value = 0.0
        slope = 0.0
        half = 0.0
        if point.speed != 0.0:
            value = -by_point / point.speed
            change = bend * point.speed - by_point * point.acceleration
            slope = -change / (point.speed * point.speed) * point.slope
    width = line.width
    number = segment + line.segment_base
    if item.is_bent == 1:
        e = t - state.tq
        expected = state.q0 + e * (state.q1 + e * state.q2)
        if item.segment == number:
            next_past_look(qss, item, t - item.since, abs(value - expected), width)
        item.since = t
    item.segment = number
    away = write_record(qss, look, t, value, slope, half, width)
    lowest = max(0, first - line.segment_base)
    highest = max(0, min(line.segment_count - 1, last - line.segment_base))
    begin = line.begins[segment] if segment > lowest else -NEVER
    end = NEVER
    if segment < highest:
        end = line.begins[segment + 1]
    is_fixed = 1 if kind <= DELAYED_SLOPE and item.row < 0 else 0
    then = time_out(point, is_fixed, begin, min(end, point.end), t)
    plan_look(qss, look, t, min(then, t + away))


@pasts.kernel
def form_look(qss: Qss, look: Int, t: Float) -> None:
    """The record of a look, and when it must be formed anew. `is_new`: whether it has changed."""
    item = qss.past[qss.signal_count + look]
    h = qss.history
    number = item.number
    if item.kind <= DELAYED_SLOPE:
        point_of_delay(qss, look, t)
        line = h.lines[number]
        if qss.failure == 0:
            form_from_line(qss, look, line, line.first, line.last, t)
        return
    place_in_pipe(qss, look, t)
    if qss.failure != 0:
        return
    pipe = h.pipes[number // 2]
    x = h.lines[pipe.place]
    stretch = pipe.stretches[place_at_end(pipe, number % 2)]
    if stretch.kind != FED:
        form_from_profile(qss, look, x, stretch, t)
        return
    item.entry_segment = point_in_pipe(qss, x, stretch)
    line = h.lines[stretch.line]
    form_from_line(qss, look, line, stretch.content_begins, stretch.content_stops, t)


@pasts.kernel
def look_back(qss: Qss, look: Int, t: Float) -> None:
    """Form the record, and tell all who see it."""
    form_look(qss, look, t)
    if qss.failure != 0 or qss.looked_at.is_new == 0:
        return
    i = qss.first_looked + look
    if qss.relation_count > 0:
        note_relations(qss, i, 1)
    note_past_of(qss, i)
    renew_readers(qss, i, t, 0)


# ---------------------------------------------------------------- for the loop


@pasts.kernel
def move_past(qss: Qss, number: Int, t: Float) -> None:
    """A signal or a look whose time has come, or that something it depends on has changed."""
    if number < qss.signal_count:
        sense(qss, number, t, 0)
    else:
        look_back(qss, number - qss.signal_count, t)


@pasts.kernel
def settle_past(qss: Qss, t: Float) -> None:
    """All that is noted. Where nothing is delayed one may call for the other."""
    left = MOST_ROUNDS * (qss.signal_count + qss.look_count)
    while qss.past_noted > 0 and qss.failure == 0:
        qss.past_noted -= 1
        number = qss.noted_past[qss.past_noted]
        qss.past[number].is_noted = 0
        left -= 1
        if left < 0:
            fail(qss, qss.past[number].row, STALLED)
        else:
            move_past(qss, number, t)


@pasts.kernel
def lay_past(qss: Qss, t: Float) -> None:
    """Records of looks at the start, before those of states are known."""
    for number in range(qss.signal_count + qss.look_count):
        qss.past[number].look = FIRST_LOOK * (qss.stop - qss.start)
        qss.past[number].since = t
    for look in range(qss.look_count):
        form_look(qss, look, t)


@pasts.kernel
def renew_past(qss: Qss, t: Float, is_forced: Int) -> None:
    """After an event (1) or at the start (2): each signal has a new segment. Its number was told to who
    watches breaks."""
    for line in range(qss.signal_count):
        sense(qss, line, t, is_forced)
    for look in range(qss.look_count):
        look_back(qss, look, t)
    settle_past(qss, t)
