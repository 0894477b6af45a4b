"""Lookups in what the simulation remembers: signals by time, contents of pipes by place.

    fw_history(h, line, point, present, time, 1, out)     # value, slope, share of the present value
    fw_pipe(h, end, place, out)                           # value and slope

A piece is a polynomial of degree four through five equally spaced values, as differences. All lines
share the pieces' times. `runtime/history.py` owns the array, `kernels/history.py` fills it:

    0 pieces, 1 number of the first, 2 room, 3 lines, 4 end, ...   HEAD numbers
    a block of LINE numbers for each line, then scratch, then END_OF_PIPE numbers for each end of a
    pipe, then the pieces: begin, length, and for each line five differences

An end of a pipe (`spatialDistribution`) says which stretch of what has flowed in is there: of the
initial profile, a straight line, or of a line of history, found by the place x at which it entered.
"""

from __future__ import annotations

from math import sqrt

from freewheel.machine.addresses import floats_at
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int

looking = KernelModule("looking")

# ---------------------------------------------------------------- where things are
COUNT, BASE, ROOM, LINES, END, LEAST, WRONG, FRESH, FLOOR, BEGAN, WAS_FRESH, ENDS = range(12)
STATES_ONLY = 12  # 1: all signals are states and no delay time varies, nothing need be evaluated
QUANTIZED = (
    13  # 1: each line has segments of its own (kernels/qss_past.py), and pieces do not count
)
HEAD = 16
SIGNAL, LAG, LONGEST, FIRST, LAST, END_VALUE, END_SLOPE, SIZE, SORT, OLD_VALUE, OLD_SLOPE = range(
    11
)
SEGMENTS, S_COUNT, S_BASE, S_ROOM, WIDTH = range(11, 16)  # address, as for pieces; quantum
LINE = 16
DELAYED, VARYING, PLACE = 0.0, 1.0, 2.0  # kinds of lines: the last are places x in pipes
KIND, FROM, VALUE, STEEP, CONTENT, WHERE, OFFSET, RISING, BEGINS, STOPS = range(10)
CONTENT_BEGINS, CONTENT_STOPS = 10, 11  # where lines have segments of their own
END_OF_PIPE = 12
PROFILE, FED = 1.0, 2.0  # what is at an end of a pipe
NODES = 7  # values taken of each line: five of the polynomial, two to compare with
OPEN = 1e15  # number of a last piece that is not yet known

ROUGHEST = 6  # order of breaks that are still watched


@looking.kernel
def fw_scratch(h: Floats, line: Int) -> Int:
    """Where the values taken of a line are."""
    return HEAD + LINE * int(h[LINES]) + NODES * line


@looking.kernel
def fw_end(h: Floats, number: Int) -> Int:
    """Where an end of a pipe is described."""
    return HEAD + (LINE + NODES) * int(h[LINES]) + END_OF_PIPE * number


@looking.kernel
def fw_piece(h: Floats, number: Int) -> Int:
    lines = int(h[LINES])
    return fw_end(h, int(h[ENDS])) + number * (2 + 5 * lines)


@looking.kernel
def fw_nested(h: Floats, at: Int, u: Float) -> Float:
    """The polynomial at u, which counts nodes: Newton's form over 0, 1, 2, 3, 4."""
    high = h[at + 3] + (u - 3.0) / 4.0 * h[at + 4]
    return h[at] + u * (h[at + 1] + (u - 1.0) / 2.0 * (h[at + 2] + (u - 2.0) / 3.0 * high))


@looking.kernel
def fw_nested_slope(h: Floats, at: Int, u: Float) -> Float:
    """Its derivative by u."""
    high = h[at + 3] + (u - 3.0) / 4.0 * h[at + 4]
    middle = h[at + 2] + (u - 2.0) / 3.0 * high
    middle_slope = high / 3.0 + (u - 2.0) / 12.0 * h[at + 4]
    low = h[at + 1] + (u - 1.0) / 2.0 * middle
    return low + u * (middle / 2.0 + (u - 1.0) / 2.0 * middle_slope)


@looking.kernel
def fw_ahead(
    h: Floats, at: Int, looked_at: Float, present: Float, time: Float, out: Floats
) -> None:
    """Between the last piece and the present: a parabola with the slope of the last piece's end,
    a chord after a restart."""
    out[0] = present
    out[1] = 0.0
    out[2] = 1.0
    if looked_at >= time:
        return
    way = time - h[END]
    gone = looked_at - h[END]
    share = gone / way
    before = h[at + END_VALUE]
    if h[FRESH] != 0.0:
        slope = (present - before) / way
        out[0] = before + slope * gone
        out[1] = slope
        out[2] = share
        return
    slope = h[at + END_SLOPE]
    bend = (present - before - slope * way) / (way * way)
    out[0] = before + gone * (slope + bend * gone)
    out[1] = slope + 2.0 * bend * gone
    out[2] = share * share


# ---------------------------------------------------------------- segments of quantized signals

SEGMENT = 4  # begin, value there, slope, half the second derivative; it goes on until the next
ROUNDING = 8.881784197001252e-16  # four units in the last place


@looking.kernel
def fw_segment(
    h: Floats, line: Int, looked_at: Float, slack: Float, first: Float, last: Float
) -> Int:
    """Which segment of a line holds a time, of those between two numbers."""
    block = HEAD + LINE * line
    g = floats_at(int(h[block + SEGMENTS]))
    low = max(0, int(first - h[block + S_BASE]))
    high = max(0, min(int(h[block + S_COUNT]) - 1, int(last - h[block + S_BASE])))
    low = min(low, high)
    there = looked_at + slack
    while low < high:
        middle = (low + high + 1) // 2
        if g[SEGMENT * middle] <= there:
            low = middle
        else:
            high = middle - 1
    return low


@looking.kernel
def fw_secant(h: Floats, line: Int, number: Int, first: Float, last: Float) -> Float:
    """How steep a signal is whose segments are constants: from one to the next, none of them beyond a
    jump."""
    block = HEAD + LINE * line
    g = floats_at(int(h[block + SEGMENTS]))
    low = max(0, int(first - h[block + S_BASE]))
    high = max(0, min(int(h[block + S_COUNT]) - 1, int(last - h[block + S_BASE])))
    here = SEGMENT * (number if number < high else number - 1)
    if here < SEGMENT * low or here < 0:
        return 0.0
    way = g[here + SEGMENT] - g[here]
    return (g[here + SEGMENT + 1] - g[here + 1]) / way if way > 0.0 else 0.0


@looking.kernel
def fw_remembered(
    h: Floats, line: Int, looked_at: Float, present: Float, time: Float, has_present: Float,
    out: Floats,
) -> Int:  # fmt: skip
    """As `fw_history`. Segments reach up to the present: its value counts only where nothing is
    delayed."""
    block = HEAD + LINE * line
    out[0] = present
    out[1] = 0.0
    out[2] = 1.0
    if has_present != 0.0 and looked_at >= time and h[block + LAST] == OPEN:
        return 0
    slack = ROUNDING * abs(looked_at)
    number = fw_segment(h, line, looked_at, slack, h[block + FIRST], h[block + LAST])
    g = floats_at(int(h[block + SEGMENTS]))[SEGMENT * number :]
    e = looked_at - g[0]
    out[0] = g[1] + e * (g[2] + e * g[3])
    out[1] = g[2] + 2.0 * e * g[3]
    if g[2] == 0.0 and g[3] == 0.0:
        out[1] = fw_secant(h, line, number, h[block + FIRST], h[block + LAST])
    out[2] = 0.0
    return 0


@looking.kernel
def fw_entered(h: Floats, e: Int, target: Float, out: Floats) -> Int:
    """When x had a value: that time, how fast x was and how that changed, and where the segment of x
    ends. x has no jumps: what is missing at the end of a segment is spread over it."""
    line = int(h[e + WHERE])
    block = HEAD + LINE * line
    rising = h[e + RISING]
    g = floats_at(int(h[block + SEGMENTS]))
    count = int(h[block + S_COUNT])
    low = max(0, int(h[e + BEGINS] - h[block + S_BASE]))
    high = max(0, min(count - 1, int(h[e + STOPS] - h[block + S_BASE])))
    low = min(low, high)
    while low < high:
        middle = (low + high + 1) // 2
        if rising * g[SEGMENT * middle + 1] <= rising * target:
            low = middle
        else:
            high = middle - 1
    at = SEGMENT * low
    slope = g[at + 2]
    bend = g[at + 3]
    length = 1e300
    if low + 1 < count:
        length = g[at + SEGMENT] - g[at]
        lacks = g[at + SEGMENT + 1] - (g[at + 1] + length * (slope + length * bend))
        if length > 0.0:
            slope += lacks / length
    way = target - g[at + 1]
    below = max(slope * slope + 4.0 * bend * way, 0.0)
    under = slope + (sqrt(below) if slope >= 0.0 else -sqrt(below))
    gone = 0.0
    if under != 0.0:
        gone = min(max(2.0 * way / under, 0.0), length)
    out[0] = g[at] + gone
    out[1] = slope + 2.0 * bend * gone
    out[2] = 2.0 * bend
    out[3] = g[at] + length
    return low


@looking.kernel
def fw_flowed_in(h: Floats, e: Int, target: Float, out: Floats) -> Int:
    """As `fw_pipe`, of a stretch that flowed in."""
    when = h[fw_scratch(h, 0) :]  # nobody needs it where signals are quantized
    fw_entered(h, e, target, when)
    line = int(h[e + CONTENT])
    slack = ROUNDING * abs(when[0])
    number = fw_segment(h, line, when[0], slack, h[e + CONTENT_BEGINS], h[e + CONTENT_STOPS])
    g = floats_at(int(h[HEAD + LINE * line + SEGMENTS]))[SEGMENT * number :]
    gone = when[0] - g[0]
    out[0] = g[1] + gone * (g[2] + gone * g[3])
    out[1] = 0.0
    if when[1] != 0.0:
        out[1] = -(g[2] + 2.0 * gone * g[3]) / when[1]
    return 0


@looking.kernel
def fw_history(
    h: Floats,
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
    if h[QUANTIZED] != 0.0:
        return fw_remembered(h, int(line) - 1, looked_at, present, time, has_present, out)
    at = HEAD + LINE * (int(line) - 1)
    count = int(h[COUNT])
    low = max(0, int(h[at + FIRST] - h[BASE]))
    high = max(0, min(count - 1, int(h[at + LAST] - h[BASE])))
    if has_present != 0.0 and looked_at > h[END] and h[at + LAST] == OPEN:
        fw_ahead(h, at, looked_at, present, time, out)
        return 0
    low = min(low, high)
    while low < high:
        middle = (low + high + 1) // 2
        if h[fw_piece(h, middle)] <= looked_at:
            low = middle
        else:
            high = middle - 1
    begin = fw_piece(h, low)
    numbers = begin + 2 + 5 * (int(line) - 1)
    u = 4.0 * (looked_at - h[begin]) / h[begin + 1]
    out[0] = fw_nested(h, numbers, u)
    out[1] = fw_nested_slope(h, numbers, u) * 4.0 / h[begin + 1]
    out[2] = 0.0
    return 0


# ---------------------------------------------------------------- pipes


@looking.kernel
def fw_when(h: Floats, at: Int, target: Float, rising: Float) -> Float:
    """Where in a piece a line that rises or falls all along has a value: Newton inside a bracket."""
    low = 0.0
    high = 4.0
    begin = h[at]
    way = fw_nested(h, at, 4.0) - begin
    u = 0.0
    if way != 0.0:
        u = min(4.0, max(0.0, 4.0 * (target - begin) / way))
    for _turn in range(60):
        off = rising * (fw_nested(h, at, u) - target)
        if off > 0.0:
            high = u
        else:
            low = u
        slope = rising * fw_nested_slope(h, at, u)
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
def fw_pipe(h: Floats, end: Float, at: Float, out: Floats) -> Int:
    """Value and slope of what is in a pipe, near one of its ends (the first is 1)."""
    e = fw_end(h, int(end) - 1)
    out[0] = h[e + VALUE] + h[e + STEEP] * (at - h[e + FROM])
    out[1] = h[e + STEEP]
    if h[e + KIND] != FED:
        return 0
    target = h[e + OFFSET] - at
    if h[QUANTIZED] != 0.0:
        return fw_flowed_in(h, e, target, out)
    rising = h[e + RISING]
    where = 2 + 5 * int(h[e + WHERE])
    content = 2 + 5 * int(h[e + CONTENT])
    low = max(0, int(h[e + BEGINS] - h[BASE]))
    high = max(0, min(int(h[COUNT]) - 1, int(h[e + STOPS] - h[BASE])))
    low = min(low, high)
    while low < high:
        middle = (low + high + 1) // 2
        if rising * h[fw_piece(h, middle) + where] <= rising * target:
            low = middle
        else:
            high = middle - 1
    begin = fw_piece(h, low)
    u = fw_when(h, begin + where, target, rising)
    out[0] = fw_nested(h, begin + content, u)
    speed = fw_nested_slope(h, begin + where, u)
    out[1] = 0.0
    if speed != 0.0:
        out[1] = -fw_nested_slope(h, begin + content, u) / speed
    return 0
