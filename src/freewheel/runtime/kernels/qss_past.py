"""What is remembered of quantized states, and how rows look back at it.

    sense(m, s, z, f, k, hk, line, t, is_forced)      # does the signal need a new segment?
    look_back(m, s, z, f, k, hk, look, t)             # the record of a delayed value

A signal of `delay(..)` or `spatialDistribution(..)` is quantized like a state: a segment, a polynomial of a
degree below the order of the method, stays until the signal has left it by a quantum, that of the states
that the signal is made of (Castro, Kofman, Cellier 2011, "Quantization-based integration methods for
delay-differential equations"). What rows see is a record like that of an input: the segment at the point
looked at. It is formed anew when that point comes to the next segment, and where the delay varies also when
its polynomial is too old. `kernels/lookup.py` reads the same segments for whole sections of the model.
"""

from __future__ import annotations

from math import inf

from freewheel.machine.addresses import floats_at, function_at
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints
from freewheel.runtime.kernels.lookup import (
    CONTENT,
    CONTENT_BEGINS,
    CONTENT_STOPS,
    FED,
    FIRST,
    FROM,
    HEAD,
    KIND,
    LAST,
    LINE,
    LONGEST,
    OFFSET,
    PLACE,
    ROUNDING,
    S_BASE,
    S_COUNT,
    S_ROOM,
    SEGMENT,
    SEGMENTS,
    SIZE,
    SORT,
    STEEP,
    VALUE,
    WHERE,
    WIDTH,
    WRONG,
    fw_end,
    fw_entered,
    fw_secant,
    fw_segment,
    looking,
)
from freewheel.runtime.kernels.outcomes import LAG_WRONG
from freewheel.runtime.kernels.qss_handle import handling, tell
from freewheel.runtime.kernels.qss_heap import set_time
from freewheel.runtime.kernels.qss_past_notes import note_past, touch_past
from freewheel.runtime.kernels.qss_places import (
    AT_COUNTS,
    AT_LINE_LOOKS,
    AT_LINE_LOOKS_LISTED,
    AT_LOOK_KIND,
    AT_LOOK_LAG,
    AT_LOOK_NUMBER,
    AT_OUT,
    AT_PAST,
    AT_PAST_BENT,
    AT_PAST_MEASURE,
    AT_PAST_NOTED,
    AT_PAST_ROW,
    AT_PAST_STAMP,
    AT_ROW_SLOPES,
    AT_ROWS,
    AT_VIEW,
    CQSS,
    DELAYED_SLOPE,
    DQ,
    FIRST_LOOKED,
    FLOODED,
    HISTORY,
    LINES,
    LOOK,
    LOOKS,
    METHOD,
    ORDER,
    P_ABSOLUTE,
    P_LOOK,
    P_RELATIVE,
    P_SEGMENT,
    P_SINCE,
    P_VALUE,
    P_WHERE,
    PAST_FULL,
    PAST_HEAD,
    PAST_ITEM,
    PAST_NUMBERS,
    PAST_OUT,
    PAST_TOUCHED,
    Q0,
    Q1,
    Q2,
    RECORD,
    RELATIONS,
    START,
    STOP,
    TQ,
    TRANSPORTED_SLOPE,
    TX,
    X0,
    X1,
    X2,
    N,
)
from freewheel.runtime.kernels.qss_roots import FAR, first_exit, first_root
from freewheel.runtime.kernels.qss_rows import FIRST_LOOK, SHORTEST, look_at, touch

pasts = KernelModule("qss_past", handling, looking)

FULL = 0.999  # of a quantum: rounding does not make a segment stay for ever
SOFT = 0.25  # of a quantum: what a polynomial may be wrong by between two looks
LONGEST_LOOK = 0.002  # of the whole time: delay times out of bounds are noticed
SLACK = 1e-12  # of the longest delay time, for rounding
MOST_ROUNDS = 100  # of signals without delay
NEVER = 1e300


@pasts.kernel
def numbers_at(k: Ints, number: Int) -> Int:
    """Where those of a signal or a look are in f."""
    return k[AT_PAST] + PAST_HEAD + PAST_NUMBERS * number


@pasts.kernel
def next_past_look(a: Floats, f: Floats, passed: Float, wrong: Float, width: Float) -> None:
    """How soon a bent polynomial is looked at again, if it was wrong by so much after `passed`."""
    if passed <= 0.0:
        return
    share = 32.0
    if wrong > 0.0:
        share = SOFT * width / wrong
    change = min(2.0, max(0.2, 0.9 * share ** (1.0 / 3.0)))
    longest = LONGEST_LOOK * (f[STOP] - f[START])
    a[P_LOOK] = min(max(passed, 0.5 * a[P_LOOK]) * change, longest)


# ---------------------------------------------------------------- what is remembered


@pasts.kernel
def width_of_signal(
    m: Floats, s: Floats, f: Floats, k: Ints, h: Floats, line: Int, t: Float
) -> Float:
    """The quantum of a signal: how much it moves when all its states move by theirs. A signal without
    states has one that is common to all. (What it sees of the past does not count: waves that go to and
    fro on a line would make quanta grow each time.) Its row has just been looked at."""
    out = f[AT_OUT:]
    block = HEAD + LINE * line
    size = max(h[block + SIZE], abs(out[0]))
    h[block + SIZE] = size
    row = k[k[AT_PAST_ROW] + line]
    total = 0.0
    address = k[k[AT_PAST_MEASURE] + line]
    if address != 0:
        slopes = f[k[AT_ROW_SLOPES] :]
        table = k[k[k[AT_ROWS] + row] :]
        function = function_at(address)
        if function(m, table, f[k[AT_VIEW] :], t, slopes) == 0:
            for place in range(k[k[AT_COUNTS] + row]):
                if table[place] < k[N]:
                    total += abs(slopes[place]) * s[RECORD * table[place] + DQ]
    if not (total > 0.0 and total < NEVER):
        relative = f[k[AT_PAST] + P_RELATIVE]
        total = max(relative * max(size, abs(out[1]) * f[LOOK]), f[k[AT_PAST] + P_ABSOLUTE])
    h[block + WIDTH] = max(total, 1e-300)
    return h[block + WIDTH]


@pasts.kernel
def is_centred(k: Ints, h: Floats, block: Int) -> Int:
    """Whether segments lie in the middle of the way that their signal goes. Of x in a pipe it is asked when
    it had a value: the beginnings of its segments are exact."""
    return 1 if k[METHOD] == CQSS and h[block + SORT] != PLACE else 0


@pasts.kernel
def add_segment(
    f: Floats, k: Ints, h: Floats, line: Int, t: Float, width: Float, is_forced: Int
) -> None:
    """From now on the signal is what it is by AT_OUT. One that has just begun is written over, unless a new
    one is asked for."""
    block = HEAD + LINE * line
    count = int(h[block + S_COUNT])
    g = floats_at(int(h[block + SEGMENTS]))
    if is_forced == 1 or g[SEGMENT * (count - 1)] < t:
        count += 1
        h[block + S_COUNT] = float(count)
        if count + 2 > h[block + S_ROOM]:
            k[PAST_FULL] = line + 1
    out = f[AT_OUT:]
    last = g[SEGMENT * (count - 1) :]
    last[0] = t
    last[1] = out[0]
    last[2] = out[1] if k[ORDER] > 1 else 0.0
    last[3] = 0.5 * out[2] if k[ORDER] > 2 else 0.0
    if is_centred(k, h, block) == 1:
        last[1] += 0.5 * width * (1.0 if out[1] > 0.0 else (-1.0 if out[1] < 0.0 else 0.0))


@pasts.kernel
def tell_lookers(f: Floats, k: Ints, h: Floats, line: Int) -> None:
    """A signal has a new segment. Who is in it, or in the one before and without an end so far, must
    know."""
    block = HEAD + LINE * line
    newest = h[block + S_COUNT] + h[block + S_BASE] - 1.0
    starts = k[k[AT_LINE_LOOKS] :]
    listed = k[k[AT_LINE_LOOKS_LISTED] :]
    rows = k[AT_PAST_ROW]
    for place in range(starts[line], starts[line + 1]):
        look = listed[place]
        a = f[numbers_at(k, k[LINES] + look) :]
        there = a[P_SEGMENT]
        if k[k[AT_LOOK_KIND] + look] > DELAYED_SLOPE:
            if k[rows + k[LINES] + look] == k[rows + line]:
                there = a[P_WHERE]
            elif h[fw_end(h, k[k[AT_LOOK_NUMBER] + look]) + CONTENT] != float(line):
                there = -1.0
        if there >= newest - 1.0:
            note_past(k, k[LINES] + look)


@pasts.kernel
def sense(
    m: Floats, s: Floats, f: Floats, k: Ints, hk: Floats, line: Int, t: Float, is_forced: Int
) -> Int:
    """Compare a signal with its segment; when it will have left it."""
    code = look_at(m, s, f, k, k[k[AT_PAST_ROW] + line], t)
    if code != 0:
        return code
    h = floats_at(k[HISTORY])
    a = f[numbers_at(k, line) :]
    out = f[AT_OUT:]
    width = width_of_signal(m, s, f, k, h, line, t)
    block = HEAD + LINE * line
    bound = 0.5 * width if is_centred(k, h, block) == 1 else width
    is_bent = k[k[AT_PAST_BENT] + line]
    if is_bent == 1:
        passed = t - a[P_SINCE]
        expected = a[P_VALUE] + passed * (a[P_VALUE + 1] + passed * a[P_VALUE + 2])
        if is_forced > 0:  # another formula may hold from now on
            a[P_LOOK] = FIRST_LOOK * (f[STOP] - f[START])
        else:
            next_past_look(a, f, passed, abs(out[0] - expected), width)
        a[P_SINCE] = t
        a[P_VALUE] = out[0]
        a[P_VALUE + 1] = out[1]
        a[P_VALUE + 2] = 0.5 * out[2]
    g = floats_at(int(h[block + SEGMENTS]))
    last = g[SEGMENT * (int(h[block + S_COUNT]) - 1) :]
    e = t - last[0]
    off = last[1] + e * (last[2] + e * last[3]) - out[0]
    if is_forced > 0 or not abs(off) < FULL * bound:
        add_segment(f, k, h, line, t, width, is_forced)
        tell_lookers(f, k, h, line)
        last = g[SEGMENT * (int(h[block + S_COUNT]) - 1) :]
        e = 0.0
        off = last[1] - out[0]
    slope = last[2] + 2.0 * e * last[3] - out[1]
    away = first_exit(off, slope, last[3] - 0.5 * out[2], bound)
    if is_bent == 1:
        away = min(away, a[P_LOOK])
    if away < FAR:
        away = max(away, SHORTEST * (f[STOP] - f[START]))
    set_time(k, hk, k[PAST_ITEM] + line, t + away if away < FAR else inf)
    return 0


# ---------------------------------------------------------------- looking back


@pasts.kernel
def point_of_delay(m: Floats, s: Floats, f: Floats, k: Ints, look: Int, t: Float) -> Int:
    """The point looked at, its first two derivatives, and the delay time if that never varies."""
    p = f[k[AT_PAST] + PAST_OUT :]
    row = k[k[AT_PAST_ROW] + k[LINES] + look]
    p[3] = NEVER
    if row < 0:
        p[4] = m[k[k[AT_LOOK_LAG] + look]]
        p[0] = t - p[4]
        p[1] = 1.0
        p[2] = 0.0
        return 0
    code = look_at(m, s, f, k, row, t)
    if code != 0:
        return code
    h = floats_at(k[HISTORY])
    line = k[k[AT_LOOK_NUMBER] + look]
    longest = h[HEAD + LINE * line + LONGEST]
    lag = f[AT_OUT]
    if not (lag >= -SLACK * longest and lag <= longest + SLACK * longest):
        h[WRONG] = line + 1.0
        return LAG_WRONG
    p[0] = min(t, t - lag)
    p[1] = 1.0 - f[AT_OUT + 1]
    p[2] = -f[AT_OUT + 2]
    return 0


@pasts.kernel
def place_in_pipe(m: Floats, s: Floats, f: Floats, k: Ints, look: Int, t: Float) -> Int:
    """Where an end of a pipe is, in the numbers that particles keep, and how that moves."""
    code = look_at(m, s, f, k, k[k[AT_PAST_ROW] + k[LINES] + look], t)
    p = f[k[AT_PAST] + PAST_OUT :]
    p[0] = float(k[k[AT_LOOK_NUMBER] + look] % 2) - f[AT_OUT]
    p[1] = -f[AT_OUT + 1]
    p[2] = -f[AT_OUT + 2]
    return code


@pasts.kernel
def point_in_pipe(f: Floats, k: Ints, h: Floats, e: Int) -> Float:
    """When what is there now has entered: from the place by the inverse of x. Into p[4], p[5]: how fast x
    was then, and how that changed. The number of the segment of x."""
    p = f[k[AT_PAST] + PAST_OUT :]
    target = h[e + OFFSET] - p[0]
    moves = -p[1]
    bends = -p[2]
    out = f[AT_OUT:]
    segment = fw_entered(h, e, target, out)
    p[0] = out[0]
    p[1] = 0.0
    p[2] = 0.0
    if out[1] != 0.0:
        p[1] = moves / out[1]
        p[2] = (bends - out[2] * p[1] * p[1]) / out[1]
    p[3] = out[3]
    p[4] = out[1]
    p[5] = out[2]
    return segment + h[HEAD + LINE * int(h[e + WHERE]) + S_BASE]


@pasts.kernel
def write_record(
    k: Ints, r: Floats, p: Floats, t: Float, value: Float, slope: Float, bend: Float, width: Float
) -> Float:
    """With degrees as those of q: how long until what is left out becomes a quantum. p[6]: 1 where the
    record differs from what it was."""
    order = k[ORDER]
    rise = slope if order > 1 else 0.0
    curve = bend if order > 2 else 0.0
    e = t - r[TQ]
    before = r[Q0] + e * (r[Q1] + e * r[Q2])
    p[6] = 1.0
    if before == value and r[Q1] + 2.0 * e * r[Q2] == rise and r[Q2] == curve:
        p[6] = 0.0
    r[Q0] = value
    r[Q1] = rise
    r[Q2] = curve
    r[TQ] = t
    r[X0] = value
    r[X1] = rise
    r[X2] = curve
    r[TX] = t
    r[DQ] = width
    return first_exit(0.0, slope - rise, bend - curve, width)


@pasts.kernel
def time_out(p: Floats, is_fixed: Int, begin: Float, end: Float, t: Float) -> Float:
    """When a point leaves what lies between two times."""
    if is_fixed == 1:
        return end + p[4] if end < NEVER else NEVER
    best = NEVER
    if end < NEVER:
        best = first_root(p[0] - end, p[1], 0.5 * p[2]) if p[0] < end else 0.0
    if begin > -NEVER and p[0] > begin:
        best = min(best, first_root(p[0] - begin, p[1], 0.5 * p[2]))
    return t + best


@pasts.kernel
def plan_look(f: Floats, k: Ints, hk: Floats, look: Int, t: Float, then: Float) -> None:
    a = f[numbers_at(k, k[LINES] + look) :]
    due = then
    if k[k[AT_PAST_BENT] + k[LINES] + look] == 1:
        due = min(due, t + a[P_LOOK])
    due = max(due, t + SHORTEST * (f[STOP] - f[START]))
    set_time(k, hk, k[PAST_ITEM] + k[LINES] + look, due if due < FAR else inf)


@pasts.kernel
def form_from_profile(
    s: Floats, f: Floats, k: Ints, hk: Floats, h: Floats, look: Int, e: Int, t: Float
) -> None:
    """What was in the pipe from the start is a straight line."""
    p = f[k[AT_PAST] + PAST_OUT :]
    r = s[RECORD * (k[FIRST_LOOKED] + look) :]
    a = f[numbers_at(k, k[LINES] + look) :]
    a[P_SEGMENT] = -1.0
    a[P_WHERE] = -1.0
    a[P_SINCE] = t
    steep = h[e + STEEP]
    if k[k[AT_LOOK_KIND] + look] == TRANSPORTED_SLOPE:
        write_record(k, r, p, t, steep, 0.0, 0.0, 1.0)
        plan_look(f, k, hk, look, t, NEVER)
        return
    width = abs(steep) * h[HEAD + LINE * int(h[e + WHERE]) + WIDTH]
    there = h[e + VALUE] + steep * (p[0] - h[e + FROM])
    away = write_record(k, r, p, t, there, steep * p[1], 0.5 * steep * p[2], max(width, 1e-300))
    plan_look(f, k, hk, look, t, t + away)


@pasts.kernel
def form_from_line(
    s: Floats, f: Floats, k: Ints, hk: Floats, h: Floats, look: Int, line: Int, first: Float,
    last: Float, t: Float,
) -> None:  # fmt: skip
    """The record from the segment of a line at the point p[0]."""
    kind = k[k[AT_LOOK_KIND] + look]
    p = f[k[AT_PAST] + PAST_OUT :]
    r = s[RECORD * (k[FIRST_LOOKED] + look) :]
    a = f[numbers_at(k, k[LINES] + look) :]
    block = HEAD + LINE * line
    slack = ROUNDING * max(abs(t), abs(p[0]))
    segment = fw_segment(h, line, p[0], slack, first, last)
    g = floats_at(int(h[block + SEGMENTS]))[SEGMENT * segment :]
    gone = p[0] - g[0]
    value = g[1] + gone * (g[2] + gone * g[3])
    by_point = g[2] + 2.0 * gone * g[3]
    bend = 2.0 * g[3]
    slope = by_point * p[1]
    half = 0.5 * (bend * p[1] * p[1] + by_point * p[2])
    if kind == DELAYED_SLOPE:
        value = by_point if k[ORDER] > 1 else fw_secant(h, line, segment, first, last)
        slope = bend * p[1]
        half = 0.5 * bend * p[2]
    if kind == TRANSPORTED_SLOPE:
        if k[ORDER] == 1:
            by_point = fw_secant(h, line, segment, first, last)
        value = 0.0
        slope = 0.0
        half = 0.0
        if p[4] != 0.0:
            value = -by_point / p[4]
            slope = -(bend * p[4] - by_point * p[5]) / (p[4] * p[4]) * p[1]
    width = h[block + WIDTH]
    number = segment + h[block + S_BASE]
    if k[k[AT_PAST_BENT] + k[LINES] + look] == 1:
        e = t - r[TQ]
        expected = r[Q0] + e * (r[Q1] + e * r[Q2])
        if a[P_SEGMENT] == number:
            next_past_look(a, f, t - a[P_SINCE], abs(value - expected), width)
        a[P_SINCE] = t
    a[P_SEGMENT] = number
    away = write_record(k, r, p, t, value, slope, half, width)
    lowest = max(0, int(first - h[block + S_BASE]))
    highest = max(0, min(int(h[block + S_COUNT]) - 1, int(last - h[block + S_BASE])))
    begin = g[0] if segment > lowest else -NEVER
    end = g[SEGMENT] if segment < highest else NEVER
    is_fixed = 1 if kind <= DELAYED_SLOPE and k[k[AT_PAST_ROW] + k[LINES] + look] < 0 else 0
    then = time_out(p, is_fixed, begin, min(end, p[3]), t)
    plan_look(f, k, hk, look, t, min(then, t + away))


@pasts.kernel
def form_look(m: Floats, s: Floats, f: Floats, k: Ints, hk: Floats, look: Int, t: Float) -> Int:
    """The record of a look, and when it must be formed anew. p[6]: whether it has changed."""
    h = floats_at(k[HISTORY])
    number = k[k[AT_LOOK_NUMBER] + look]
    if k[k[AT_LOOK_KIND] + look] <= DELAYED_SLOPE:
        code = point_of_delay(m, s, f, k, look, t)
        if code == 0:
            block = HEAD + LINE * number
            first = h[block + FIRST]
            form_from_line(s, f, k, hk, h, look, number, first, h[block + LAST], t)
        return code
    code = place_in_pipe(m, s, f, k, look, t)
    if code != 0:
        return code
    e = fw_end(h, number)
    if h[e + KIND] != FED:
        form_from_profile(s, f, k, hk, h, look, e, t)
        return 0
    f[numbers_at(k, k[LINES] + look) + P_WHERE] = point_in_pipe(f, k, h, e)
    line = int(h[e + CONTENT])
    form_from_line(s, f, k, hk, h, look, line, h[e + CONTENT_BEGINS], h[e + CONTENT_STOPS], t)
    return 0


@pasts.kernel
def look_back(
    m: Floats, s: Floats, z: Floats, f: Floats, k: Ints, hk: Floats, look: Int, t: Float
) -> Int:
    """Form the record, and tell all who see it."""
    code = form_look(m, s, f, k, hk, look, t)
    if code != 0 or f[k[AT_PAST] + PAST_OUT + 6] == 0.0:
        return code
    i = k[FIRST_LOOKED] + look
    if k[RELATIONS] > 0:
        touch(z, k, i, 1)
    touch_past(k, i)
    return tell(m, s, z, f, k, hk, i, t, 0)


# ---------------------------------------------------------------- for the loop


@pasts.kernel
def move_past(
    m: Floats, s: Floats, z: Floats, f: Floats, k: Ints, hk: Floats, number: Int, t: Float
) -> Int:
    """A signal or a look whose time has come, or that something it depends on has changed."""
    if number < k[LINES]:
        return sense(m, s, f, k, hk, number, t, 0)
    return look_back(m, s, z, f, k, hk, number - k[LINES], t)


@pasts.kernel
def settle_past(m: Floats, s: Floats, z: Floats, f: Floats, k: Ints, hk: Floats, t: Float) -> Int:
    """All that is noted. Where nothing is delayed one may call for the other."""
    stamps = k[k[AT_PAST_STAMP] :]
    noted = k[k[AT_PAST_NOTED] :]
    left = MOST_ROUNDS * (k[LINES] + k[LOOKS])
    found = 0
    while k[PAST_TOUCHED] > 0:
        k[PAST_TOUCHED] -= 1
        number = noted[k[PAST_TOUCHED]]
        stamps[number] = 0
        left -= 1
        if left < 0:
            found = FLOODED
        if found == 0:
            found = move_past(m, s, z, f, k, hk, number, t)
    return found


@pasts.kernel
def lay_past(m: Floats, s: Floats, f: Floats, k: Ints, hk: Floats, t: Float) -> Int:
    """Records of looks at the start, before those of states are known."""
    k[PAST_TOUCHED] = 0
    k[PAST_FULL] = 0
    for number in range(k[LINES] + k[LOOKS]):
        a = f[numbers_at(k, number) :]
        for place in range(PAST_NUMBERS):
            a[place] = 0.0
        a[P_LOOK] = FIRST_LOOK * (f[STOP] - f[START])
        a[P_SINCE] = t
        k[k[AT_PAST_STAMP] + number] = 0
    for look in range(k[LOOKS]):
        r = s[RECORD * (k[FIRST_LOOKED] + look) :]
        for place in range(RECORD):
            r[place] = 0.0
        code = form_look(m, s, f, k, hk, look, t)
        if code != 0:
            return code
    return 0


@pasts.kernel
def renew_past(
    m: Floats, s: Floats, z: Floats, f: Floats, k: Ints, hk: Floats, t: Float, is_forced: Int
) -> Int:
    """After an event (1) or at the start (2): each signal has a new segment. Its number was told to who
    watches breaks."""
    for line in range(k[LINES]):
        code = sense(m, s, f, k, hk, line, t, is_forced)
        if code != 0:
            return code
    for look in range(k[LOOKS]):
        code = look_back(m, s, z, f, k, hk, look, t)
        if code != 0:
            return code
    return settle_past(m, s, z, f, k, hk, t)
