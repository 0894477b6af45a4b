"""What the simulation remembers, as records, and lookups in it: signals by time, contents of pipes by place.

    fw_history(h, line, point, present, time, 1, out)     # value, slope, share of the present value
    fw_pipe(h, end, place, out)                           # value and slope

A piece is a polynomial of degree four through five equally spaced values, as differences. All lines share the
pieces' times. `runtime/delays/history.py` owns the records, `delays/history_kernels.py` fills them, and
`delays/breaks.py` moves them on at events.

A pipe (`spatialDistribution`) holds stretches: of the initial profile, a straight line, or of a line of
history, found by the place x at which it entered. Those at the ends are looked at.

Breaks and stretches lie in rings, which grow between two calls of kernels.
"""

from __future__ import annotations

from math import sqrt

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints
from freewheel.machine.records import Records, array, record

looking = KernelModule("looking", exports=("fw_history", "fw_pipe"))

DELAYED, VARYING, PLACE = range(3)  # kinds of lines: the last are places x in pipes
PROFILE, FED = 1, 2  # what is in a stretch
OPEN = 10**15  # number of a last piece that is not yet known
ROUGHEST = 6  # order of breaks that are still watched


@record
class Break:
    """Where a signal jumps or bends."""

    time: Float
    end: Int  # the last piece before it
    piece: Int  # the first one after it
    order: Int  # 0: the signal jumps, 1: its derivative ...


@record
class Line:
    """A signal that is remembered. Where signals are quantized it has segments of its own, each a parabola
    that goes on until the next (`qss/delays_kernels.py`), and pieces do not count."""

    signal_slot: Int
    lag_slot: Int  # of the delay time; -1: only pipes look at the line
    longest: Float  # delay time
    sort: Int  # DELAYED ...
    first: Int  # the pieces that may be looked at: those between the breaks around the one in use
    last: Int
    end_value: Float  # where the last piece ends
    end_slope: Float
    old_value: Float  # the same before the present step
    old_slope: Float
    size: Float  # how large the signal was lately
    taken: Floats = array("7")  # values: five for the polynomial, two to compare with
    # ------------------------------------------------------------ breaks
    relation: Int  # watches the next one; where the delay varies the one after it the last
    next_break_slot: Int
    last_break_slot: Int  # -1: the delay never varies
    break_room: Int
    break_first: Int  # place of the oldest
    break_count: Int
    passed: Int  # of them: they lie before the point looked at
    passed_before: Int  # before the present event
    met: Int  # order of the break that it meets at the present event; NOTHING_MET
    feed_count: Int
    feeds: Ints = array("feed_count")  # lines whose breaks the signal inherits; -1 - k: pipe k
    breaks: Records[Break] = array("break_room")
    # ------------------------------------------------------------ segments of a quantized signal
    width: Float  # its quantum
    segment_room: Int
    segment_count: Int
    segment_base: Int  # number of the first
    begins: Floats = array("segment_room")
    values: Floats = array("segment_room")
    slopes: Floats = array("segment_room")
    bends: Floats = array("segment_room")  # half the second derivative


@record
class Stretch:
    """Of what is in a pipe: from s = low to s = high, where s = xi - x is what a particle keeps
    (structure/events/spatial_distribution.py)."""

    low: Float
    high: Float
    kind: Int  # PROFILE or FED
    order: Int  # how rough the border is at which it began
    value: Float  # profile: at s = low,
    steep: Float  # and how steep
    line: Int  # fed: of what flowed in
    offset: Float  # x was offset - s then
    rising: Float  # 1: x rose, -1: it fell
    begins: Int  # pieces of x
    stops: Int
    content_begins: Int  # of the content, where lines have segments of their own
    content_stops: Int


@record
class Pipe:
    """Stretches lie side by side along s: the left end of the pipe is at s = -x, the right one at 1 - x."""

    place: Int  # lines: of x,
    left: Int  # of what may flow in there,
    right: Int  # and there
    forward_slot: Int
    next_border_slot: Int
    last_border_slot: Int
    is_forward: Int
    met: Int  # as that of a line
    room: Int
    first: Int
    count: Int
    first_before: Int  # before the present event
    count_before: Int
    stretches: Records[Stretch] = array("room")


@record
class History:
    line_count: Int
    pipe_count: Int
    relation_count: Int
    states_only: Int  # 1: all signals are states and no delay varies, nothing need be evaluated
    is_quantized: Int  # 1: lines have segments of their own
    floor: Float  # a varying delay below it does not limit steps
    roughest: Int  # order of breaks that are still watched
    alike: Float  # time between breaks that count as one, beside rounding
    lines: Records[Line] = array("line_count")
    pipes: Records[Pipe] = array("pipe_count")
    is_watcher: Ints = array("relation_count")  # 1: the relation watches a break or a border
    # ------------------------------------------------------------ pieces
    room: Int
    count: Int
    base: Int  # number of the first
    begins: Floats = array("room")
    lengths: Floats = array("room")
    differences: Floats = array("5 * line_count * room")  # by piece, then by line
    # ------------------------------------------------------------ how things stand
    end: Float  # of the last piece
    is_fresh: Int  # 1: integration has begun anew there
    began: Int  # pieces before the present step
    was_fresh: Int
    least: Float  # delay: how long the next step may be
    wrong: Int  # 1 + number of the line whose delay time is out of its bounds
    is_own: Int  # 1: nothing but breaks makes the present event
    found: Floats = array("4")


@looking.kernel
def last_up_to(
    values: Floats, stride: Int, first: Int, last: Int, count: Int, rising: Float, target: Float
) -> Int:
    """The last of some numbers, which rise or fall, that is not beyond a target, else the first of them; one
    number of each `stride` counts."""
    high = max(0, min(count - 1, last))
    low = min(max(0, first), high)
    while low < high:
        middle = (low + high + 1) // 2
        if rising * values[stride * middle] <= rising * target:
            low = middle
        else:
            high = middle - 1
    return low


@looking.kernel
def nested(d: Floats, u: Float) -> Float:
    """The polynomial at u, which counts nodes: Newton's form over 0, 1, 2, 3, 4."""
    high = d[3] + (u - 3.0) / 4.0 * d[4]
    return d[0] + u * (d[1] + (u - 1.0) / 2.0 * (d[2] + (u - 2.0) / 3.0 * high))


@looking.kernel
def nested_slope(d: Floats, u: Float) -> Float:
    """Its derivative by u."""
    high = d[3] + (u - 3.0) / 4.0 * d[4]
    middle = d[2] + (u - 2.0) / 3.0 * high
    middle_slope = high / 3.0 + (u - 2.0) / 12.0 * d[4]
    low = d[1] + (u - 1.0) / 2.0 * middle
    return low + u * (middle / 2.0 + (u - 1.0) / 2.0 * middle_slope)


@looking.kernel
def look_ahead_of_pieces(
    h: History, line: Line, looked_at: Float, present: Float, time: Float, out: Floats
) -> None:
    """Between the last piece and the present: a parabola with the slope of the last piece's end,
    a chord after a restart."""
    out[0] = present
    out[1] = 0.0
    out[2] = 1.0
    if looked_at >= time:
        return
    way = time - h.end
    gone = looked_at - h.end
    share = gone / way
    before = line.end_value
    if h.is_fresh == 1:
        slope = (present - before) / way
        out[0] = before + slope * gone
        out[1] = slope
        out[2] = share
        return
    slope = line.end_slope
    bend = (present - before - slope * way) / (way * way)
    out[0] = before + gone * (slope + bend * gone)
    out[1] = slope + 2.0 * bend * gone
    out[2] = share * share


# ---------------------------------------------------------------- segments of quantized signals

ROUNDING = 8.881784197001252e-16  # four units in the last place


@looking.kernel
def segment_at(line: Line, looked_at: Float, slack: Float, first: Int, last: Int) -> Int:
    """Which segment of a line holds a time, of those between two numbers."""
    base = line.segment_base
    there = looked_at + slack
    return last_up_to(line.begins, 1, first - base, last - base, line.segment_count, 1.0, there)


@looking.kernel
def secant(line: Line, number: Int, first: Int, last: Int) -> Float:
    """How steep a signal is whose segments are constants: from one to the next, none of them beyond a
    jump."""
    low = max(0, first - line.segment_base)
    high = max(0, min(line.segment_count - 1, last - line.segment_base))
    here = number if number < high else number - 1
    if here < low or here < 0:
        return 0.0
    way = line.begins[here + 1] - line.begins[here]
    rise = line.values[here + 1] - line.values[here]
    return rise / way if way > 0.0 else 0.0


@looking.kernel
def look_at_segments(
    line: Line, looked_at: Float, present: Float, time: Float, has_present: Float, out: Floats
) -> None:
    """As `fw_history`. Segments reach up to the present: its value counts only where nothing is
    delayed."""
    out[0] = present
    out[1] = 0.0
    out[2] = 1.0
    if has_present != 0.0 and looked_at >= time and line.last == OPEN:
        return
    slack = ROUNDING * abs(looked_at)
    number = segment_at(line, looked_at, slack, line.first, line.last)
    slope = line.slopes[number]
    bend = line.bends[number]
    e = looked_at - line.begins[number]
    out[0] = line.values[number] + e * (slope + e * bend)
    out[1] = slope + 2.0 * e * bend
    if slope == 0.0 and bend == 0.0:
        out[1] = secant(line, number, line.first, line.last)
    out[2] = 0.0


@looking.kernel
def entered(x: Line, stretch: Stretch, target: Float, out: Floats) -> Int:
    """When x had a value: that time, how fast x was and how that changed, and where the segment of x
    ends. x has no jumps: what is missing at the end of a segment is spread over it."""
    rising = stretch.rising
    begins = x.begins
    values = x.values
    count = x.segment_count
    first = stretch.begins - x.segment_base
    low = last_up_to(values, 1, first, stretch.stops - x.segment_base, count, rising, target)
    slope = x.slopes[low]
    bend = x.bends[low]
    length = 1e300
    if low + 1 < count:
        length = begins[low + 1] - begins[low]
        lacks = values[low + 1] - (values[low] + length * (slope + length * bend))
        if length > 0.0:
            slope += lacks / length
    way = target - values[low]
    below = max(slope * slope + 4.0 * bend * way, 0.0)
    under = slope + (sqrt(below) if slope >= 0.0 else -sqrt(below))
    gone = 0.0
    if under != 0.0:
        gone = min(max(2.0 * way / under, 0.0), length)
    out[0] = begins[low] + gone
    out[1] = slope + 2.0 * bend * gone
    out[2] = 2.0 * bend
    out[3] = begins[low] + length
    return low


@looking.kernel
def look_at_inflow(h: History, x: Line, stretch: Stretch, target: Float, out: Floats) -> None:
    """As `fw_pipe`, of a stretch that flowed in."""
    when = h.found
    entered(x, stretch, target, when)
    line = h.lines[stretch.line]
    slack = ROUNDING * abs(when[0])
    number = segment_at(line, when[0], slack, stretch.content_begins, stretch.content_stops)
    slope = line.slopes[number]
    bend = line.bends[number]
    gone = when[0] - line.begins[number]
    out[0] = line.values[number] + gone * (slope + gone * bend)
    out[1] = 0.0
    if when[1] != 0.0:
        out[1] = -(slope + 2.0 * gone * bend) / when[1]


# ---------------------------------------------------------------- pieces


@looking.kernel
def fw_history(
    h: History,
    line: Float,
    looked_at: Float,
    present: Float,
    time: Float,
    has_present: Float,
    out: Floats,
) -> Int:
    """Value and slope of a line (the first is 1) at a time, and the present value's share in it.

    Only pieces between the breaks around the one in use count: beyond them the last polynomial
    goes on, so that nothing jumps before the event is handled."""
    number = int(line) - 1
    one = h.lines[number]
    if h.is_quantized == 1:
        look_at_segments(one, looked_at, present, time, has_present, out)
        return 0
    if has_present != 0.0 and looked_at > h.end and one.last == OPEN:
        look_ahead_of_pieces(h, one, looked_at, present, time, out)
        return 0
    begins = h.begins
    low = last_up_to(begins, 1, one.first - h.base, one.last - h.base, h.count, 1.0, looked_at)
    d = h.differences[5 * (h.line_count * low + number) :]
    u = 4.0 * (looked_at - begins[low]) / h.lengths[low]
    out[0] = nested(d, u)
    out[1] = nested_slope(d, u) * 4.0 / h.lengths[low]
    out[2] = 0.0
    return 0


# ---------------------------------------------------------------- pipes


@looking.kernel
def node_of(d: Floats, target: Float, rising: Float) -> Float:
    """Where in a piece a line that rises or falls all along has a value: Newton inside a bracket."""
    low = 0.0
    high = 4.0
    begin = d[0]
    way = nested(d, 4.0) - begin
    u = 0.0
    if way != 0.0:
        u = min(4.0, max(0.0, 4.0 * (target - begin) / way))
    for _turn in range(60):
        off = rising * (nested(d, u) - target)
        if off > 0.0:
            high = u
        else:
            low = u
        slope = rising * nested_slope(d, u)
        new = 0.5 * (low + high)
        if slope > 0.0:
            new = u - off / slope
        if off == 0.0:
            return u
        if not (new >= low and new <= high):
            new = 0.5 * (low + high)
        if abs(new - u) <= 1e-15 * 4.0:
            return new
        u = new
    return u


@looking.kernel
def place_at_end(pipe: Pipe, side: Int) -> Int:
    """Where the stretch at an end of a pipe lies in the ring."""
    return (pipe.first + side * (pipe.count - 1)) % pipe.room


@looking.kernel
def fw_pipe(h: History, end: Float, at: Float, out: Floats) -> Int:
    """Value and slope of what is in a pipe, near one of its ends (the first is 1)."""
    number = int(end) - 1
    pipe = h.pipes[number // 2]
    stretch = pipe.stretches[place_at_end(pipe, number % 2)]
    if stretch.kind != FED:
        out[0] = stretch.value + stretch.steep * (at - stretch.low)
        out[1] = stretch.steep
        return 0
    target = stretch.offset - at
    if h.is_quantized == 1:
        look_at_inflow(h, h.lines[pipe.place], stretch, target, out)
        return 0
    rising = stretch.rising
    lines = h.line_count
    x = h.differences[5 * pipe.place :]
    first = stretch.begins - h.base
    low = last_up_to(x, 5 * lines, first, stretch.stops - h.base, h.count, rising, target)
    where = x[5 * lines * low :]
    content = h.differences[5 * (lines * low + stretch.line) :]
    u = node_of(where, target, rising)
    out[0] = nested(content, u)
    speed = nested_slope(where, u)
    out[1] = 0.0
    if speed != 0.0:
        out[1] = -nested_slope(content, u) / speed
    return 0
