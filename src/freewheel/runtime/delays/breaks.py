"""Discontinuities of delayed signals and borders in pipes, at events.

    save_position(h)
    move_on(h, m, t, crossed, which, residuals)   # before the discrete equations; m: the model's memory
    restore_position(h, m)                        # where the event is started again or left to Python
    mark(h, m, t)                                 # after them; 1: a delay time is out of its bounds

A discontinuity (break) propagates: where a signal jumps, the delayed signal jumps one delay later, which is
an event and again a break. A jump of a signal remains a jump (order 0). Otherwise the solution becomes
smoother by one order each time the break passes through a state; breaks of a higher order than that of the
methods are dropped (Bellen, Zennaro, "Numerical Methods for Delay Differential Equations", section 2.1).

A particle in a pipe has a constant s = xi - x (structure/events/spatial_distribution.py): stretches are
adjacent along s. A stretch that has entered refers to the segments of x and of the signal at that time.
"""

from __future__ import annotations

from math import inf

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints
from freewheel.runtime.delays.history_kernels import history, measure_lags
from freewheel.runtime.delays.lookup import (
    FED,
    OPEN,
    PROFILE,
    ROUGHEST,
    History,
    Line,
    Pipe,
    place_at_end,
)
from freewheel.runtime.delays.thresholds import DELAYS
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.thresholds import FOREVER, LEAST_POSITIVE, SUCCESSOR

# Of the time loop, see `delays/past.py`
OF_THE_LOOP = ("remember_step", "hold_breaks", "move_breaks_on", "put_breaks_back", "mark_breaks")
breaks = KernelModule(
    "breaks",
    history,
    exports=("begin_breaks", "begin_pipe", "mark", "move_on", "show_line", *OF_THE_LOOP),
)

NO_BREAK = ROUGHEST  # one order more is not tracked


@breaks.kernel
def last_place(x: Float) -> Float:
    """The unit in the last place: the distance to the next number (Rump, Zimmermann, Boldo, Melquiond 2009,
    "Computing predecessor and successor in rounding to nearest")."""
    size = abs(x)
    return max((size + SUCCESSOR * size) - size, LEAST_POSITIVE)


# ---------------------------------------------------------------- lines


@breaks.kernel
def index_of_break(line: Line, number: Int) -> Int:
    """In the ring buffer."""
    return (line.break_first + number) % line.break_room


@breaks.kernel
def next_break(line: Line) -> Float:
    if line.passed < line.break_count:
        return line.breaks[index_of_break(line, line.passed)].time
    return FOREVER


@breaks.kernel
def show_line(m: Floats, line: Line) -> None:
    """Sets the segments that lookups may use, and the times that relations compare with."""
    line.first = 0
    line.last = OPEN
    before = -FOREVER
    if line.passed > 0:
        passed = line.breaks[index_of_break(line, line.passed - 1)]
        line.first = passed.begin
        before = passed.time
    if line.passed < line.break_count:
        line.last = line.breaks[index_of_break(line, line.passed)].end
    m[line.next_break_slot] = next_break(line)
    if line.last_break_slot >= 0:
        # A little before it, so that a delayed time that has just passed it does not cross back.
        m[line.last_break_slot] = before - 16.0 * last_place(before)


@breaks.kernel
def pass_breaks(h: History, m: Floats, line: Line, point: Float, way: Int) -> None:
    """Passes all breaks before the delayed time `point`. `way`: +1 where a relation crosses at the next
    break, -1 where one crosses back at the last."""
    rounding = 4.0 * last_place(max(abs(point), abs(h.end)))
    must_pass = way
    if way < 0 and line.passed > 0:
        line.passed -= 1
        line.met = min(line.met, line.breaks[index_of_break(line, line.passed)].order)
    while way >= 0 and line.passed < line.break_count:
        if must_pass == 0 and not next_break(line) <= point + rounding:
            break
        line.met = min(line.met, line.breaks[index_of_break(line, line.passed)].order)
        line.passed += 1
        must_pass = 0
    show_line(m, line)


@breaks.kernel
def way_of(line: Line, which: Ints, residuals: Floats) -> Int:
    """The argument of `pass_breaks`, from the relations that cross."""
    number = line.relation
    if which[number] == 1 and residuals[number] >= 0.0:
        return 1
    if line.last_break_slot >= 0 and which[number + 1] == 1 and residuals[number + 1] <= 0.0:
        return -1
    return 0


@breaks.kernel
def add_break(h: History, line: Line, t: Float, begin: Int, order: Int) -> None:
    """Breaks that differ by rounding only are one, of the lower order."""
    if line.break_count > 0:
        last = line.breaks[index_of_break(line, line.break_count - 1)]
        if t - last.time <= max(DELAYS.units_alike * last_place(t), h.alike):
            last.order = min(last.order, order)
            last.begin = begin
            return
    new = line.breaks[index_of_break(line, line.break_count)]
    new.time = t
    new.end = begin - 1
    new.begin = begin
    new.order = order
    line.break_count += 1


@breaks.kernel
def forget_breaks_before(line: Line, oldest: Float) -> None:
    """Those that no delayed time can reach again."""
    while line.passed > 1 and line.breaks[line.break_first].time < oldest:
        line.break_first = (line.break_first + 1) % line.break_room
        line.break_count -= 1
        line.passed -= 1


@breaks.kernel
def next_segment(line: Line) -> Int:
    """Its number."""
    return line.count + line.base


@breaks.kernel
def inherited(h: History, line: Line) -> Int:
    """The order of a break without a jump; a higher one than all that are tracked where the event does not
    concern the signal."""
    if h.is_own == 0:
        return 1
    order = NO_BREAK
    for k in range(line.feed_count):
        number = line.feeds[k]
        if number >= 0:
            order = min(order, h.lines[number].met)
        else:
            order = min(order, h.pipes[-1 - number].met)
    return order + 1


@breaks.kernel
def mark_line(h: History, m: Floats, number: Int, t: Float) -> None:
    line = h.lines[number]
    after = m[line.signal_slot]
    before = line.end_value
    line.end_value = after
    if line.lag_slot < 0:
        return
    size = max(abs(before), abs(after), line.size)
    # Adjacent segments of quantized signals differ by a quantum.
    order = inherited(h, line)
    if abs(after - before) > max(DELAYS.no_jump * size, DELAYS.quanta * line.quantum):
        order = 0
    if order <= h.roughest:
        add_break(h, line, t, next_segment(line), order)
    forget_breaks_before(line, t - line.longest)
    pass_breaks(h, m, line, t - m[line.lag_slot], 0)


# ---------------------------------------------------------------- pipes


@breaks.kernel
def next_border(pipe: Pipe) -> Float:
    """The x at which the stretch at the right end has left."""
    return 1.0 - pipe.stretches[place_at_end(pipe, 1)].low if pipe.count > 1 else FOREVER


@breaks.kernel
def last_border(pipe: Pipe) -> Float:
    return -pipe.stretches[place_at_end(pipe, 0)].high if pipe.count > 1 else -FOREVER


@breaks.kernel
def show_pipe(m: Floats, pipe: Pipe) -> None:
    """Sets the borders that relations compare x with."""
    m[pipe.next_border_slot] = next_border(pipe) if pipe.is_forward == 1 else FOREVER
    m[pipe.last_border_slot] = -FOREVER if pipe.is_forward == 1 else last_border(pipe)


@breaks.kernel
def drop_first(pipe: Pipe) -> None:
    pipe.first = (pipe.first + 1) % pipe.room
    pipe.count -= 1


@breaks.kernel
def open_inflow(h: History, m: Floats, pipe: Pipe, order: Int) -> None:
    """Begins a new stretch for what enters from now on."""
    x = m[h.lines[pipe.place].signal_slot]
    side = 1
    pipe.is_forward = 0
    if m[pipe.forward_slot] > 0.5:
        side = 0
        pipe.is_forward = 1
        pipe.stretches[place_at_end(pipe, 0)].low = -x
        pipe.first = (pipe.first + pipe.room - 1) % pipe.room
    else:
        pipe.stretches[place_at_end(pipe, 1)].high = 1.0 - x
    pipe.count += 1
    fed = pipe.stretches[place_at_end(pipe, side)]
    fed.kind = FED
    fed.order = order
    fed.value = 0.0
    fed.steep = 0.0
    fed.low = 1.0 - x if side == 1 else -inf
    fed.high = inf if side == 1 else -x
    fed.line = pipe.right if side == 1 else pipe.left
    fed.offset = 1.0 if side == 1 else 0.0
    fed.rising = -1.0 if side == 1 else 1.0
    fed.begins = next_segment(h.lines[pipe.place])
    fed.stops = OPEN
    fed.content_begins = next_segment(h.lines[fed.line])
    fed.content_stops = OPEN
    show_pipe(m, pipe)


@breaks.kernel
def close_inflow(h: History, m: Floats, pipe: Pipe) -> None:
    """Ends the stretch that enters; one without length is dropped."""
    x = m[h.lines[pipe.place].signal_slot]
    growing = pipe.stretches[place_at_end(pipe, 1 - pipe.is_forward)]
    growing.stops = next_segment(h.lines[pipe.place]) - 1
    if growing.kind == FED:
        growing.content_stops = next_segment(h.lines[growing.line]) - 1
    if pipe.is_forward == 1:
        growing.low = -x
    else:
        growing.high = 1.0 - x
    if growing.high - growing.low <= DELAYS.shortest_stretch and pipe.count > 1:
        if pipe.is_forward == 1:
            drop_first(pipe)
        else:
            pipe.count -= 1


@breaks.kernel
def begin_pipe(h: History, m: Floats, pipe: Pipe, count: Int, points: Ints, values: Ints) -> None:
    """Stretches of the initial profile, whose points are in these slots, and the first one that enters."""
    x = m[h.lines[pipe.place].signal_slot]
    pipe.first = 0
    pipe.count = 0
    for k in range(count - 1):
        a = m[points[k]]
        b = m[points[k + 1]]
        if b > a:
            stretch = pipe.stretches[pipe.count]
            stretch.kind = PROFILE
            stretch.order = 0
            stretch.low = a - x
            stretch.high = b - x
            stretch.value = m[values[k]]
            stretch.steep = (m[values[k + 1]] - m[values[k]]) / (b - a)
            stretch.begins = 0
            stretch.stops = OPEN
            pipe.count += 1
    open_inflow(h, m, pipe, 0)


@breaks.kernel
def drop_outflow(h: History, m: Floats, pipe: Pipe) -> None:
    """Drops stretches that have left, and notes the order of their borders."""
    x = m[h.lines[pipe.place].signal_slot]
    slack = DELAYS.border * (1.0 + abs(x))
    while pipe.is_forward == 1 and pipe.count > 1 and x >= next_border(pipe) - slack:
        pipe.count -= 1
        pipe.met = min(pipe.met, pipe.stretches[place_at_end(pipe, 1)].order)
    while pipe.is_forward == 0 and pipe.count > 1 and x <= last_border(pipe) + slack:
        drop_first(pipe)
        pipe.met = min(pipe.met, pipe.stretches[place_at_end(pipe, 0)].order)
    show_pipe(m, pipe)


@breaks.kernel
def mark_pipe(h: History, m: Floats, pipe: Pipe) -> None:
    """Adds a border where the flow turns, or the content has a break of a low order."""
    is_forward = 1 if m[pipe.forward_slot] > 0.5 else 0
    turns = 1 if is_forward != pipe.is_forward else 0
    order = 0
    if h.is_own == 1 and turns == 0:
        inflow = pipe.left if pipe.is_forward == 1 else pipe.right
        order = min(inherited(h, h.lines[inflow]), inherited(h, h.lines[pipe.place]))
    if order <= h.roughest:
        close_inflow(h, m, pipe)
        open_inflow(h, m, pipe, order)


# ---------------------------------------------------------------- at events


@breaks.kernel
def clear_met(h: History) -> None:
    for number in range(h.line_count):
        h.lines[number].met = NO_BREAK
    for number in range(h.pipe_count):
        h.pipes[number].met = NO_BREAK
    h.is_own = 0


@breaks.kernel
def begin_breaks(h: History, m: Floats, t: Float) -> Int:
    """The start is the first break of all lines; 1: a delay time is out of its bounds."""
    h.is_fresh = 1
    clear_met(h)
    for number in range(h.line_count):
        line = h.lines[number]
        line.break_first = 0
        line.break_count = 0
        line.passed = 0
        add_break(h, line, t, 1, 1)
        line.end_value = m[line.signal_slot]
        if line.lag_slot >= 0:
            pass_breaks(h, m, line, t - m[line.lag_slot], 0)
    return measure_lags(h, m)


@breaks.kernel
def move_on(h: History, m: Floats, t: Float, crossed: Int, which: Ints, residuals: Floats) -> None:
    """Passes the breaks and borders that are reached. `crossed`: 1 where relations cross, `which`."""
    clear_met(h)
    for number in range(h.line_count):
        line = h.lines[number]
        if h.is_quantized == 1:
            line.end_value = m[line.signal_slot]
        if line.lag_slot >= 0:
            way = way_of(line, which, residuals) if crossed == 1 else 0
            pass_breaks(h, m, line, t - m[line.lag_slot], way)
    for number in range(h.pipe_count):
        drop_outflow(h, m, h.pipes[number])
    h.is_own = crossed
    for i in range(h.relation_count):
        if crossed == 1 and which[i] == 1 and h.is_watcher[i] == 0:
            h.is_own = 0


@breaks.kernel
def show_all(h: History, m: Floats) -> None:
    for number in range(h.line_count):
        if h.lines[number].lag_slot >= 0:
            show_line(m, h.lines[number])
    for number in range(h.pipe_count):
        show_pipe(m, h.pipes[number])


@breaks.kernel
def save_position(h: History) -> None:
    """Before an event that may be undone."""
    for number in range(h.line_count):
        h.lines[number].passed_before = h.lines[number].passed
    for number in range(h.pipe_count):
        pipe = h.pipes[number]
        pipe.first_before = pipe.first
        pipe.count_before = pipe.count


@breaks.kernel
def restore_position(h: History, m: Floats) -> None:
    """Undoes `move_on`."""
    for number in range(h.line_count):
        h.lines[number].passed = h.lines[number].passed_before
    for number in range(h.pipe_count):
        pipe = h.pipes[number]
        pipe.first = pipe.first_before
        pipe.count = pipe.count_before
    show_all(h, m)


@breaks.kernel
def mark(h: History, m: Floats, t: Float) -> Int:
    """Adds breaks where signals have jumped. The memory holds the values after the event."""
    for number in range(h.line_count):
        mark_line(h, m, number, t)
    for number in range(h.pipe_count):
        mark_pipe(h, m, h.pipes[number])
    h.is_fresh = 1
    clear_met(h)
    return measure_lags(h, m)


@breaks.kernel
def lacks_places(h: History) -> Int:
    """1: there is no room for another break or stretch."""
    for number in range(h.line_count):
        if h.lines[number].break_count >= h.lines[number].break_room:
            return 1
    for number in range(h.pipe_count):
        if h.pipes[number].count >= h.pipes[number].room:
            return 1
    return 0


# ---------------------------------------------------------------- in the time loop, see `past.py`


@breaks.kernel
def hold_breaks(loop: Loop) -> Int:
    save_position(loop.history)
    return lacks_places(loop.history)


@breaks.kernel
def move_breaks_on(loop: Loop) -> Int:
    h = loop.history
    move_on(h, loop.memory, loop.t, loop.crossed, loop.which, loop.residuals_crossing)
    show_all(h, loop.saved)
    return 0


@breaks.kernel
def put_breaks_back(loop: Loop) -> Int:
    restore_position(loop.history, loop.memory)
    return 0


@breaks.kernel
def mark_breaks(loop: Loop) -> Int:
    return mark(loop.history, loop.memory, loop.t)
