"""The memory of `delay(..)` and `spatialDistribution(..)`, as records, and lookups in it.

    fw_history(h, line, point, present, time, 1, out)     # value, slope, weight of the present value
    fw_pipe(h, end, place, out)                           # value and slope

Each line (a remembered signal) is a list of segments: polynomials of time up to degree four. Methods with
steps add segments to all lines at each step (`history_kernels.py`); quantized methods add one to a line when
its signal leaves its quantum (`qss/delayed_signals.py`). `history.py` owns the records, `breaks.py` updates
them at events. A pipe (`spatialDistribution`) is a list of stretches along its length: of the initial
profile, or of what has entered.

Segments have consecutive numbers; `base` is the number of the oldest one kept. Breaks and stretches are ring
buffers.
"""

from __future__ import annotations

from math import sqrt

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints
from freewheel.machine.records import Records, array, record
from freewheel.runtime.delays.thresholds import DELAYS
from freewheel.runtime.thresholds import FOREVER

looking = KernelModule("looking", exports=("fw_history", "fw_pipe"))

DELAYED, VARYING, PLACE = range(3)  # kinds of lines; the last is the position x of a pipe
PROFILE, FED = 1, 2  # contents of a stretch: initial profile, or entered
OPEN = 10**15  # number of a last segment that is not yet known
ROUGHEST = 6  # highest order of breaks that are tracked


@record
class Break:
    """A discontinuity of a signal or of one of its derivatives."""

    time: Float
    end: Int  # the last segment before it
    begin: Int  # the first one after it
    order: Int  # 0: the signal jumps, 1: its derivative ...


@record
class Line:
    signal_slot: Int
    lag_slot: Int  # of the delay time; -1: only pipes read the line
    longest: Float  # delay time
    sort: Int  # DELAYED ...
    first: Int  # segments that lookups may use: those between the breaks around the delayed time
    last: Int
    end_value: Float  # of the last segment
    end_slope: Float
    old_value: Float  # the same before the present step
    old_slope: Float
    old_count: Int
    size: Float  # recent magnitude of the signal
    quantum: Float  # of a quantized signal
    samples: Floats = array("7")  # of a new segment: five for the polynomial, two to check it
    # ------------------------------------------------------------ segments
    room: Int
    count: Int
    base: Int  # number of the first
    begins: Floats = array("room")
    coefficients: Floats = array("5 * room")  # c0 + c1*e + ... + c4*e**4, e = time - begin
    # ------------------------------------------------------------ breaks
    relation: Int  # crosses at the next break; where the delay varies, the one after it at the last
    next_break_slot: Int
    last_break_slot: Int  # -1: the delay never varies
    break_room: Int
    break_first: Int  # index of the oldest
    break_count: Int
    passed: Int  # number of breaks before the delayed time
    passed_before: Int  # before the present event
    met: Int  # order of the break that is passed at the present event, or NO_BREAK
    feed_count: Int
    feeds: Ints = array("feed_count")  # lines whose breaks the signal inherits; -1 - k: pipe k
    breaks: Records[Break] = array("break_room")


@record
class Stretch:
    """Content of a pipe from s = low to s = high, where s = xi - x is constant for a particle
    (structure/events/spatial_distribution.py)."""

    low: Float
    high: Float
    kind: Int  # PROFILE or FED
    order: Int  # of the discontinuity at its beginning
    value: Float  # profile: value at s = low,
    steep: Float  # and slope
    line: Int  # fed: the signal that entered
    offset: Float  # x was offset - s then
    rising: Float  # 1: x rose, -1: it fell
    begins: Int  # segments of x
    stops: Int
    content_begins: Int  # segments of the signal that entered
    content_stops: Int


@record
class Pipe:
    """Stretches in the order of s: the left end of the pipe is at s = -x, the right one at 1 - x."""

    place: Int  # line of x,
    left: Int  # of what enters at the left end,
    right: Int  # and at the right end
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
    is_quantized: Int  # 1: the last segment of each line has no end yet
    floor: Float  # a varying delay below it does not limit steps
    roughest: Int  # highest order of breaks that are tracked
    alike: Float  # time between breaks that count as one, beside rounding
    lines: Records[Line] = array("line_count")
    pipes: Records[Pipe] = array("pipe_count")
    is_watcher: Ints = array("relation_count")  # 1: the relation crosses at a break or a border
    # ------------------------------------------------------------ the present state
    end: Float  # of the last segments
    is_fresh: Int  # 1: integration has restarted there
    step_begin: Float
    was_fresh: Int  # at the begin of the step
    least: Float  # upper bound of the next step: the shortest delay
    wrong: Int  # 1 + number of the line whose delay time is out of its bounds
    is_own: Int  # 1: nothing but breaks causes the present event
    found: Floats = array("4")


# ---------------------------------------------------------------- segments


@looking.kernel
def last_up_to(
    values: Floats, stride: Int, first: Int, last: Int, count: Int, rising: Float, target: Float
) -> Int:
    """Finds by bisection the last of `count` monotone numbers that does not exceed a target, else the first;
    `stride`: distance of the numbers in `values`."""
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
def segment_at(line: Line, time: Float, slack: Float, first: Int, last: Int) -> Int:
    """Index of the segment that contains a time, among the segments numbered `first` to `last`."""
    base = line.base
    there = time + slack
    return last_up_to(line.begins, 1, first - base, last - base, line.count, 1.0, there)


@looking.kernel
def value_of(c: Floats, e: Float) -> Float:
    return c[0] + e * (c[1] + e * (c[2] + e * (c[3] + e * c[4])))


@looking.kernel
def slope_of(c: Floats, e: Float) -> Float:
    return c[1] + e * (2.0 * c[2] + e * (3.0 * c[3] + 4.0 * e * c[4]))


@looking.kernel
def secant(line: Line, index: Int, first: Int, last: Int) -> Float:
    """Slope of a signal whose segments are constants: from one to the next, not across a jump."""
    low = max(0, first - line.base)
    high = max(0, min(line.count - 1, last - line.base))
    here = index if index < high else index - 1
    if here < low or here < 0:
        return 0.0
    way = line.begins[here + 1] - line.begins[here]
    rise = line.coefficients[5 * here + 5] - line.coefficients[5 * here]
    return rise / way if way > 0.0 else 0.0


@looking.kernel
def look_up_segment(line: Line, time: Float, first: Int, last: Int, out: Floats) -> None:
    """Value and slope at a time."""
    index = segment_at(line, time, DELAYS.four_units * abs(time), first, last)
    c = line.coefficients[5 * index :]
    e = time - line.begins[index]
    out[0] = value_of(c, e)
    out[1] = slope_of(c, e)
    if c[1] == 0.0 and c[2] == 0.0 and c[3] == 0.0 and c[4] == 0.0:
        out[1] = secant(line, index, first, last)


@looking.kernel
def extrapolate(
    h: History, line: Line, point: Float, present: Float, time: Float, out: Floats
) -> None:
    """Between the last segment and the present: a parabola with the slope at the last segment's end,
    a straight line after a restart."""
    way = time - h.end
    gone = point - h.end
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


@looking.kernel
def fw_history(
    h: History,
    line: Float,
    point: Float,
    present: Float,
    time: Float,
    has_present: Float,
    out: Floats,
) -> Int:
    """Value and slope of a line (the first is 1) at the time `point`, and the weight of the present value in
    the result.

    Only segments between the breaks around the delayed time count: beyond them the last polynomial is
    continued, so that nothing jumps before the event is handled."""
    one = h.lines[int(line) - 1]
    is_recent = 1 if h.is_quantized == 1 or point > h.end else 0
    out[2] = 0.0
    if has_present != 0.0 and one.last == OPEN and is_recent == 1:
        if point >= time:
            out[0] = present
            out[1] = 0.0
            out[2] = 1.0
            return 0
        if h.is_quantized == 0:
            extrapolate(h, one, point, present, time, out)
            return 0
    look_up_segment(one, point, one.first, one.last, out)
    return 0


# ---------------------------------------------------------------- pipes


@looking.kernel
def inverse(c: Floats, length: Float, target: Float, rising: Float) -> Float:
    """Where a monotone polynomial has a value within its segment: Newton's method inside a bracket."""
    low = 0.0
    high = length
    way = value_of(c, length) - c[0]
    e = min(length, max(0.0, length * (target - c[0]) / way)) if way != 0.0 else 0.0
    for _turn in range(DELAYS.turns):
        off = rising * (value_of(c, e) - target)
        if off == 0.0:
            return e
        if off > 0.0:
            high = e
        else:
            low = e
        slope = rising * slope_of(c, e)
        new = e - off / slope if slope > 0.0 else 0.5 * (low + high)
        if not (new >= low and new <= high):
            new = 0.5 * (low + high)
        if abs(new - e) <= DELAYS.solved * length:
            return new
        e = new
    return e


@looking.kernel
def inverse_of_parabola(c: Floats, lacks: Float, length: Float, target: Float) -> Float:
    """The same by formula; `lacks`: what is added to the slope."""
    slope = c[1] + lacks
    way = target - c[0]
    below = max(slope * slope + 4.0 * c[2] * way, 0.0)
    under = slope + (sqrt(below) if slope >= 0.0 else -sqrt(below))
    return min(max(2.0 * way / under, 0.0), length) if under != 0.0 else 0.0


@looking.kernel
def time_of_entry(h: History, x: Line, stretch: Stretch, target: Float, out: Floats) -> Int:
    """Index of the segment in which x had a value. `out`: that time, speed and acceleration of x then, end of
    the segment. x is continuous: the gap behind a segment of a quantized x is distributed over it."""
    begins = x.begins
    values = x.coefficients
    first = stretch.begins - x.base
    stops = stretch.stops - x.base
    low = last_up_to(values, 5, first, stops, x.count, stretch.rising, target)
    c = values[5 * low :]
    length = FOREVER if h.is_quantized == 1 else h.end - begins[low]
    lacks = 0.0
    if low + 1 < x.count:
        length = begins[low + 1] - begins[low]
        if length > 0.0:
            lacks = (values[5 * low + 5] - value_of(c, length)) / length
    if c[3] == 0.0 and c[4] == 0.0:
        e = inverse_of_parabola(c, lacks, length, target)
    else:
        e = inverse(c, length, target, stretch.rising)
        lacks = 0.0
    out[0] = begins[low] + e
    out[1] = c[1] + lacks + e * (2.0 * c[2] + e * (3.0 * c[3] + 4.0 * e * c[4]))
    out[2] = 2.0 * c[2] + e * (6.0 * c[3] + 12.0 * e * c[4])
    out[3] = begins[low] + length
    return low


@looking.kernel
def place_at_end(pipe: Pipe, side: Int) -> Int:
    """Index of the stretch at the left (0) or right (1) end of a pipe."""
    return (pipe.first + side * (pipe.count - 1)) % pipe.room


@looking.kernel
def fw_pipe(h: History, end: Float, at: Float, out: Floats) -> Int:
    """Value and slope of the content of a pipe at s = `at`, near one of its ends (the first is 1)."""
    number = int(end) - 1
    pipe = h.pipes[number // 2]
    stretch = pipe.stretches[place_at_end(pipe, number % 2)]
    if stretch.kind != FED:
        out[0] = stretch.value + stretch.steep * (at - stretch.low)
        out[1] = stretch.steep
        return 0
    entry = h.found
    time_of_entry(h, h.lines[pipe.place], stretch, stretch.offset - at, entry)
    line = h.lines[stretch.line]
    index = segment_at(
        line,
        entry[0],
        DELAYS.four_units * abs(entry[0]),
        stretch.content_begins,
        stretch.content_stops,
    )
    out[0] = value_of(line.coefficients[5 * index :], entry[0] - line.begins[index])
    out[1] = 0.0
    if entry[1] != 0.0:
        out[1] = -slope_of(line.coefficients[5 * index :], entry[0] - line.begins[index]) / entry[1]
    return 0
