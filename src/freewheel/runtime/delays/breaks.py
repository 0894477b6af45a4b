"""Breaks of remembered signals and borders in pipes, at events.

    stay_here(h)
    move_on(h, m, t, crossed, which, residuals)   # before the discrete equations; m: the model's memory
    take_back_move(h, m)                          # the event begins anew, and does not count so far
    mark(h, m, t)                                 # after them; 1: a delay time is out of its bounds

A break travels: where a remembered signal jumps, the delayed one jumps one delay later, which is an
event of its own and again a break. A jump of a signal stays one (order 0). What does not jump
becomes smoother by one order each time it goes round through a state, so that a break of an order
beyond that of the methods is forgotten (Bellen, Zennaro, "Numerical Methods for Delay Differential
Equations", section 2.1).

A particle in a pipe keeps the number s = xi - x (structure/events/spatial_distribution.py), so that
stretches lie side by side along s. A stretch that flowed in is known by the pieces of history while it did;
the borders of stretches at the ends are borders of x.
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
from freewheel.runtime.loop.memory import Loop

breaks = KernelModule(
    "breaks", history, exports=("begin_breaks", "begin_pipe", "mark", "move_on", "show_line")
)

FAR = 1e300
ALIKE = 64.0  # units in the last place between breaks that count as one
QUANTA = 4.0  # of a quantized signal: less is no jump
SAME = 1e-8  # relative difference of a signal around an event that is no jump
NEXT = 1.1102230246251568e-16  # see `last_place`
LEAST = 5e-324  # above zero
NOTHING_MET = ROUGHEST  # what is one order smoother is not watched
ROUNDING = 1e-13  # of x, at which a border counts as reached
SHORT = 1e-14  # stretches below this length are nothing


@breaks.kernel
def last_place(x: Float) -> Float:
    """The unit in the last place of a number: how far its successor is (Rump, Zimmermann, Boldo,
    Melquiond 2009, "Computing predecessor and successor in rounding to nearest")."""
    size = abs(x)
    return max((size + NEXT * size) - size, LEAST)


# ---------------------------------------------------------------- lines


@breaks.kernel
def place_of_break(line: Line, number: Int) -> Int:
    """In the ring."""
    return (line.break_first + number) % line.break_room


@breaks.kernel
def next_break(line: Line) -> Float:
    if line.passed < line.break_count:
        return line.breaks[place_of_break(line, line.passed)].time
    return FAR


@breaks.kernel
def show_line(m: Floats, line: Line) -> None:
    """Let lookups and relations see which pieces a line may use."""
    line.first = 0
    line.last = OPEN
    before = -FAR
    if line.passed > 0:
        passed = line.breaks[place_of_break(line, line.passed - 1)]
        line.first = passed.piece
        before = passed.time
    if line.passed < line.break_count:
        line.last = line.breaks[place_of_break(line, line.passed)].end
    m[line.next_break_slot] = next_break(line)
    if line.last_break_slot >= 0:
        # A little before it: just passed, the point must not count as coming back.
        m[line.last_break_slot] = before - 16.0 * last_place(before)


@breaks.kernel
def pass_breaks(h: History, m: Floats, line: Line, point: Float, way: Int) -> None:
    """Up to a point. `way`: +1 where the next break is met, -1 where the last one is met again."""
    rounding = 4.0 * last_place(max(abs(point), abs(h.end)))
    must_pass = way
    if way < 0 and line.passed > 0:
        line.passed -= 1
        line.met = min(line.met, line.breaks[place_of_break(line, line.passed)].order)
    while way >= 0 and line.passed < line.break_count:
        if must_pass == 0 and not next_break(line) <= point + rounding:
            break
        line.met = min(line.met, line.breaks[place_of_break(line, line.passed)].order)
        line.passed += 1
        must_pass = 0
    show_line(m, line)


@breaks.kernel
def way_of(line: Line, which: Ints, residuals: Floats) -> Int:
    """As `pass_breaks` has it, by the relations that cross."""
    number = line.relation
    if which[number] == 1 and residuals[number] >= 0.0:
        return 1
    if line.last_break_slot >= 0 and which[number + 1] == 1 and residuals[number + 1] <= 0.0:
        return -1
    return 0


@breaks.kernel
def add_break(h: History, line: Line, t: Float, piece: Int, order: Int) -> None:
    """Breaks that rounding hardly tells apart are one; the roughest counts."""
    if line.break_count > 0:
        last = line.breaks[place_of_break(line, line.break_count - 1)]
        if t - last.time <= max(ALIKE * last_place(t), h.alike):
            last.order = min(last.order, order)
            last.piece = piece
            return
    new = line.breaks[place_of_break(line, line.break_count)]
    new.time = t
    new.end = piece - 1
    new.piece = piece
    new.order = order
    line.break_count += 1


@breaks.kernel
def forget_breaks_before(line: Line, oldest: Float) -> None:
    """Those that no point will come back to."""
    while line.passed > 1 and line.breaks[line.break_first].time < oldest:
        line.break_first = (line.break_first + 1) % line.break_room
        line.break_count -= 1
        line.passed -= 1


@breaks.kernel
def next_piece(h: History, number: Int) -> Int:
    """Of a line: of the pieces that all lines share, or of its own segments."""
    if h.is_quantized == 1:
        return h.lines[number].segment_count + h.lines[number].segment_base
    return h.count + h.base


@breaks.kernel
def inherited(h: History, line: Line) -> Int:
    """The order of a break without a jump; one beyond all where the event leaves the signal as
    it is."""
    if h.is_own == 0:
        return 1
    order = NOTHING_MET
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
    # Segments of quantized signals end a quantum beside the next ones.
    order = inherited(h, line)
    if abs(after - before) > max(SAME * size, QUANTA * line.width):
        order = 0
    if order <= h.roughest:
        add_break(h, line, t, next_piece(h, number), order)
    forget_breaks_before(line, t - line.longest)
    pass_breaks(h, m, line, t - m[line.lag_slot], 0)


# ---------------------------------------------------------------- pipes


@breaks.kernel
def next_border(pipe: Pipe) -> Float:
    """Where x lets the stretch at the right end leave."""
    return 1.0 - pipe.stretches[place_at_end(pipe, 1)].low if pipe.count > 1 else FAR


@breaks.kernel
def last_border(pipe: Pipe) -> Float:
    return -pipe.stretches[place_at_end(pipe, 0)].high if pipe.count > 1 else -FAR


@breaks.kernel
def show_pipe(m: Floats, pipe: Pipe) -> None:
    """Let relations see both ends."""
    m[pipe.next_border_slot] = next_border(pipe) if pipe.is_forward == 1 else FAR
    m[pipe.last_border_slot] = -FAR if pipe.is_forward == 1 else last_border(pipe)


@breaks.kernel
def drop_first(pipe: Pipe) -> None:
    pipe.first = (pipe.first + 1) % pipe.room
    pipe.count -= 1


@breaks.kernel
def open_inflow(h: History, m: Floats, pipe: Pipe, order: Int) -> None:
    """What flows in from now on is a new stretch."""
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
    fed.begins = next_piece(h, pipe.place)
    fed.stops = OPEN
    fed.content_begins = next_piece(h, fed.line)
    fed.content_stops = OPEN
    show_pipe(m, pipe)


@breaks.kernel
def close_inflow(h: History, m: Floats, pipe: Pipe) -> None:
    """The stretch that flows in ends here; one without length is dropped."""
    x = m[h.lines[pipe.place].signal_slot]
    growing = pipe.stretches[place_at_end(pipe, 1 - pipe.is_forward)]
    growing.stops = next_piece(h, pipe.place) - 1
    if growing.kind == FED:
        growing.content_stops = next_piece(h, growing.line) - 1
    if pipe.is_forward == 1:
        growing.low = -x
    else:
        growing.high = 1.0 - x
    if growing.high - growing.low <= SHORT and pipe.count > 1:
        if pipe.is_forward == 1:
            drop_first(pipe)
        else:
            pipe.count -= 1


@breaks.kernel
def begin_pipe(h: History, m: Floats, pipe: Pipe, count: Int, points: Ints, values: Ints) -> None:
    """Stretches of the initial profile, whose numbers are in these slots, and the first that flows in."""
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
def let_leave(h: History, m: Floats, pipe: Pipe) -> None:
    """Stretches whose border is reached; how rough the borders were."""
    x = m[h.lines[pipe.place].signal_slot]
    slack = ROUNDING * (1.0 + abs(x))
    while pipe.is_forward == 1 and pipe.count > 1 and x >= next_border(pipe) - slack:
        pipe.count -= 1
        pipe.met = min(pipe.met, pipe.stretches[place_at_end(pipe, 1)].order)
    while pipe.is_forward == 0 and pipe.count > 1 and x <= last_border(pipe) + slack:
        drop_first(pipe)
        pipe.met = min(pipe.met, pipe.stretches[place_at_end(pipe, 0)].order)
    show_pipe(m, pipe)


@breaks.kernel
def mark_pipe(h: History, m: Floats, pipe: Pipe) -> None:
    """A border, where it is one that counts."""
    is_forward = 1 if m[pipe.forward_slot] > 0.5 else 0
    turns = 1 if is_forward != pipe.is_forward else 0
    order = 0
    if h.is_own == 1 and turns == 0:
        inflow = pipe.left if pipe.is_forward == 1 else pipe.right
        order = min(inherited(h, h.lines[inflow]), inherited(h, h.lines[pipe.place]))
    if order <= h.roughest:
        close_inflow(h, m, pipe)
        open_inflow(h, m, pipe, order)


# ---------------------------------------------------------------- all of them


@breaks.kernel
def forget_what_was_met(h: History) -> None:
    for number in range(h.line_count):
        h.lines[number].met = NOTHING_MET
    for number in range(h.pipe_count):
        h.pipes[number].met = NOTHING_MET
    h.is_own = 0


@breaks.kernel
def begin_breaks(h: History, m: Floats, t: Float) -> Int:
    """At the start, which is the first break of all lines; 1: a delay time is out of its bounds."""
    h.is_fresh = 1
    forget_what_was_met(h)
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
    """Each line to the piece that its point has reached. `crossed`: 1 where relations cross, `which`."""
    forget_what_was_met(h)
    for number in range(h.line_count):
        line = h.lines[number]
        if h.is_quantized == 1:
            line.end_value = m[line.signal_slot]
        if line.lag_slot >= 0:
            way = way_of(line, which, residuals) if crossed == 1 else 0
            pass_breaks(h, m, line, t - m[line.lag_slot], way)
    for number in range(h.pipe_count):
        let_leave(h, m, h.pipes[number])
    h.is_own = crossed
    for i in range(h.relation_count):
        if crossed == 1 and which[i] == 1 and h.is_watcher[i] == 0:
            h.is_own = 0


@breaks.kernel
def show_past(h: History, m: Floats) -> None:
    for number in range(h.line_count):
        if h.lines[number].lag_slot >= 0:
            show_line(m, h.lines[number])
    for number in range(h.pipe_count):
        show_pipe(m, h.pipes[number])


@breaks.kernel
def stay_here(h: History) -> None:
    """Before an event that may be taken back."""
    for number in range(h.line_count):
        h.lines[number].passed_before = h.lines[number].passed
    for number in range(h.pipe_count):
        pipe = h.pipes[number]
        pipe.first_before = pipe.first
        pipe.count_before = pipe.count


@breaks.kernel
def take_back_move(h: History, m: Floats) -> None:
    """As at `stay_here`: the event is gone through again."""
    for number in range(h.line_count):
        h.lines[number].passed = h.lines[number].passed_before
    for number in range(h.pipe_count):
        pipe = h.pipes[number]
        pipe.first = pipe.first_before
        pipe.count = pipe.count_before
    show_past(h, m)


@breaks.kernel
def mark(h: History, m: Floats, t: Float) -> Int:
    """Signals may have jumped: a break of each. The memory holds the values after the event."""
    for number in range(h.line_count):
        mark_line(h, m, number, t)
    for number in range(h.pipe_count):
        mark_pipe(h, m, h.pipes[number])
    h.is_fresh = 1
    forget_what_was_met(h)
    return measure_lags(h, m)


@breaks.kernel
def lacks_places(h: History) -> Int:
    """1: an event might need more room than there is for breaks and stretches."""
    for number in range(h.line_count):
        if h.lines[number].break_count >= h.lines[number].break_room:
            return 1
    for number in range(h.pipe_count):
        if h.pipes[number].count >= h.pipes[number].room:
            return 1
    return 0


# ---------------------------------------------------------------- in the compiled loop


@breaks.kernel
def hold_past(loop: Loop) -> Int:
    """Before the event; 1: there is no room for what it may leave."""
    if loop.has_history == 0:
        return 0
    stay_here(loop.history)
    return lacks_places(loop.history)


@breaks.kernel
def move_past_on(loop: Loop) -> None:
    """Before the discrete equations. Whoever goes through them again begins with `loop.saved`."""
    if loop.has_history == 1:
        h = loop.history
        move_on(h, loop.memory, loop.t, loop.crossed, loop.which, loop.residuals_crossing)
        show_past(h, loop.saved)


@breaks.kernel
def put_past_back(loop: Loop) -> None:
    """The event begins anew, or is left to Python. The memory has been put back to `loop.saved`."""
    if loop.has_history == 1:
        take_back_move(loop.history, loop.memory)


@breaks.kernel
def mark_past(loop: Loop) -> Int:
    """After the event; 1: a delay time is out of its bounds."""
    return mark(loop.history, loop.memory, loop.t) if loop.has_history == 1 else 0
