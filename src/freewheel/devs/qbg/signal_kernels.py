"""Eight signals and quantizers as kernels: values, and the times at which levels are crossed.

A signal is a kind and its numbers `p`; a quantizer is an array `q` (see below). The functions run
both compiled and in CPython, where they are what the atomic models call.

    p of every kind   [0] offset, [1] amplitude, [2] start time
    PULSE             [3] width in % of the period, [4] period, [5] number of periods (< 0: all)
    RAMP              [3] duration
    SINE              [3] angular frequency, [4] phase
    EXP_SINE          [3] angular frequency, [4] phase, [5] damping
    EXPONENTIAL       [3] rise time, [4] time constant of the rise, [5] of the fall
    TABLE             [3] how many points, [4:] their times, then their values: straight lines between
                      points, a jump where two have one time, the end values outside

    q                 [0] quantum of uniform levels k * quantum, or 0: levels are listed;
                      [1] hysteresis window; [2] how many are listed; [3:] the list

The levels number ..., -1, 0, 1, ...; a number is held as a float. Level k holds until the value
reaches level k + 1 or falls to level k less the window: Kofman and Junco, "Quantized state
systems", Trans. SCS 18 (3), 2001.
"""

from __future__ import annotations

import math
from math import asin, atan2, exp, floor, log, sin

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int

CONSTANT, STEP, PULSE, RAMP, SINE, EXP_SINE, EXPONENTIAL, TABLE = range(8)
LAST_JUMPING = PULSE  # up to here a signal is piecewise constant and needs no quantizer
NEVER = math.inf
PI = math.pi
TOUCH = 1e-12  # of the amplitude: a level this close to a peak is reached
HALVINGS = 200  # bisection ends when no number lies between its ends, long before

signals = KernelModule("qbg_signals")


@signals.kernel
def pulse_number(p: Floats, t: Float) -> Float:
    """Which period `t` lies in; exact at the very times that `next_corner` gives."""
    n = float(floor((t - p[2]) / p[4]))
    if p[2] + (n + 1.0) * p[4] <= t:
        n += 1.0
    if p[2] + n * p[4] > t:
        n -= 1.0
    return n


@signals.kernel
def table_piece(p: Floats, t: Float) -> Int:
    """The last point at or before `t`; -1 before all of them."""
    low = -1
    high = int(p[3])
    while high - low > 1:
        middle = (low + high) // 2
        if p[4 + middle] <= t:
            low = middle
        else:
            high = middle
    return low


@signals.kernel
def table_at(p: Floats, t: Float) -> Float:
    count = int(p[3])
    piece = table_piece(p, t)
    if piece < 0:
        return p[4 + count]
    value = p[4 + count + piece]
    if piece + 1 >= count:
        return value
    part = (t - p[4 + piece]) / (p[5 + piece] - p[4 + piece])
    return value + part * (p[5 + count + piece] - value)


@signals.kernel
def signal_at(kind: Int, p: Floats, t: Float) -> Float:
    """The value at `t`; at a jump, that after it."""
    if kind == TABLE:
        return table_at(p, t)
    if kind == CONSTANT:
        return p[0] + p[1]
    if t < p[2]:
        return p[0]
    if kind == STEP:
        return p[0] + p[1]
    if kind == PULSE:
        n = pulse_number(p, t)
        if t >= p[2] + n * p[4] + p[3] / 100.0 * p[4]:
            return p[0]
        if p[5] >= 0.0 and n >= p[5]:
            return p[0]
        return p[0] + p[1]
    if kind == RAMP:
        if t >= p[2] + p[3]:
            return p[0] + p[1]
        return p[0] + p[1] * ((t - p[2]) / p[3])
    if kind == SINE:
        return p[0] + p[1] * sin(p[3] * (t - p[2]) + p[4])
    if kind == EXP_SINE:
        return p[0] + p[1] * exp(-p[5] * (t - p[2])) * sin(p[3] * (t - p[2]) + p[4])
    if t < p[2] + p[3]:
        return p[0] + p[1] * (1.0 - exp(-(t - p[2]) / p[4]))
    top = p[1] * (1.0 - exp(-p[3] / p[4]))
    return p[0] + top * exp(-(t - p[2] - p[3]) / p[5])


@signals.kernel
def turn_phase(kind: Int, p: Floats) -> Float:
    """At this phase plus multiples of pi a sine, damped or not, turns round."""
    if kind == SINE:
        return PI / 2.0
    return atan2(p[3], p[5])


@signals.kernel
def turn_time(kind: Int, p: Floats, n: Float) -> Float:
    """When the sine turns for the `n`-th time."""
    return p[2] + (turn_phase(kind, p) + n * PI - p[4]) / p[3]


@signals.kernel
def turn_number(kind: Int, p: Floats, t: Float) -> Float:
    """The first turn after `t`."""
    n = float(floor((p[3] * (t - p[2]) + p[4] - turn_phase(kind, p)) / PI))
    while turn_time(kind, p, n) <= t:
        n += 1.0
    return n


@signals.kernel
def next_corner(kind: Int, p: Floats, t: Float) -> Float:
    """After `t`, when the signal jumps or turns round; until then it rises, falls or rests."""
    if kind == CONSTANT:
        return NEVER
    if t < p[2]:
        return p[2]
    if kind == PULSE:
        n = pulse_number(p, t)
        if p[3] <= 0.0 or (p[5] >= 0.0 and n >= p[5]):
            return NEVER
        if p[3] >= 100.0:  # one long pulse
            return p[2] + p[5] * p[4] if p[5] >= 0.0 else NEVER
        down = p[2] + n * p[4] + p[3] / 100.0 * p[4]
        return down if t < down else p[2] + (n + 1.0) * p[4]
    if kind == SINE:
        return turn_time(kind, p, turn_number(kind, p, t))
    if kind == EXP_SINE:
        return turn_time(kind, p, turn_number(kind, p, t))
    if kind == STEP:
        return NEVER
    return p[2] + p[3] if t < p[2] + p[3] else NEVER


@signals.kernel
def reach(kind: Int, p: Floats, target: Float, start: Float, end: Float) -> Float:
    """When the signal, which only rises or only falls from `start` to `end`, has the value."""
    found = end
    y = (target - p[0]) / p[1]
    if kind == RAMP:
        found = p[2] + p[3] * y
    elif kind == SINE:
        n = turn_number(kind, p, start)
        side = asin(max(-1.0, min(1.0, y)))
        even = n - 2.0 * floor(n / 2.0) == 0.0
        found = p[2] + (n * PI + (side if even else -side) - p[4]) / p[3]
    elif kind == EXPONENTIAL and start < p[2] + p[3]:
        found = p[2] - p[4] * log(max(1e-300, 1.0 - y))
    elif kind == EXPONENTIAL:
        top = 1.0 - exp(-p[3] / p[4])
        found = p[2] + p[3] - p[5] * log(max(1e-300, y / top))
    else:
        found = bisect_signal(kind, p, target, start, end)
    return max(start, min(end, found))


@signals.kernel
def bisect_signal(kind: Int, p: Floats, target: Float, start: Float, end: Float) -> Float:
    """For the damped sine, which has no inverse in closed form."""
    low = start
    high = end
    rises = signal_at(kind, p, end) > signal_at(kind, p, start)
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        if middle <= low or middle >= high:
            break
        if (signal_at(kind, p, middle) >= target) == rises:
            high = middle
        else:
            low = middle
    return high


@signals.kernel
def extreme(kind: Int, p: Floats, t: Float, side: Float) -> Float:
    """A bound of the signal from `t` on: above it for `side` 1, below for -1."""
    value = signal_at(kind, p, t)
    if kind == EXP_SINE:
        since = max(t, p[2]) - p[2]
        if p[5] < 0.0:
            return side * NEVER
        bound = p[0] + side * abs(p[1]) * exp(-p[5] * since)
    elif kind == SINE:
        bound = p[0] + side * abs(p[1])
    elif kind == EXPONENTIAL:
        bound = p[0] + p[1] * (1.0 - exp(-p[3] / p[4])) if t < p[2] + p[3] else value
        if side * (p[0] - bound) > 0.0:
            bound = p[0]
    else:
        bound = p[0] + p[1]
    return bound if side * (bound - value) > 0.0 else value


# ---------------------------------------------------------------- quantizers


@signals.kernel
def level_value(q: Floats, k: Float) -> Float:
    """The value of level `k`; beyond a list, infinite."""
    if q[0] > 0.0:
        return k * q[0]
    if k < 0.0:
        return -NEVER
    if k >= q[2]:
        return NEVER
    return q[3 + int(k)]


@signals.kernel
def level_of(q: Floats, x: Float) -> Float:
    """The level at or below `x`; below a list, its first."""
    if q[0] > 0.0:
        k = float(floor(x / q[0]))
        if (k + 1.0) * q[0] <= x:
            k += 1.0
        if k * q[0] > x:
            k -= 1.0
        return k
    low = 0
    high = int(q[2])
    while high - low > 1:
        middle = (low + high) // 2
        if q[3 + middle] <= x:
            low = middle
        else:
            high = middle
    return float(low)


@signals.kernel
def lower_end(q: Floats, k: Float) -> Float:
    """Where level `k` changes to the one below; the first of a list never does."""
    if q[0] <= 0.0 and k <= 0.0:
        return -NEVER
    return level_value(q, k) - q[1]


@signals.kernel
def table_event(p: Floats, q: Floats, t: Float, k: Float, found: Floats) -> None:
    """As `source_event`, piece by piece: a line may leave the level, or a jump at its end."""
    upper = level_value(q, k + 1.0)
    lower = lower_end(q, k)
    count = int(p[3])
    at = t
    piece = table_piece(p, t)
    found[0] = NEVER
    found[1] = k
    found[2] = level_value(q, k)
    value = table_at(p, t)
    # A line may reach a level at the very time of a jump.
    level = level_of(q, value)
    if piece > 0 and p[3 + piece] == t and (value > upper or value < lower):
        found[0] = t
        found[1] = level
        found[2] = level_value(q, level)
        return
    while piece + 1 < count:
        corner = p[5 + piece]
        start = table_at(p, at)
        last = p[5 + count + piece]  # just before the corner
        if piece >= 0 and last > start and last >= upper:
            found[0] = at + max(0.0, (upper - start) / (last - start)) * (corner - at)
            found[1] = k + 1.0
            found[2] = upper
            return
        if piece >= 0 and last < start and last <= lower:
            found[0] = at + max(0.0, (lower - start) / (last - start)) * (corner - at)
            found[1] = k - 1.0
            found[2] = level_value(q, k - 1.0)
            return
        at = corner
        piece = table_piece(p, at)
        value = table_at(p, at)
        level = level_of(q, value)
        if level != k and (value >= upper or value <= lower):
            found[0] = corner
            found[1] = level
            found[2] = level_value(q, level)
            return


@signals.kernel
def value_at_end(kind: Int, p: Floats, t: Float) -> Float:
    """The value at the end of a piece; of an endless one, what the signal tends to."""
    if t < NEVER:
        return signal_at(kind, p, t)
    if kind == EXPONENTIAL and p[3] < NEVER:
        return p[0]
    return p[0] + p[1]


@signals.kernel
def source_event(kind: Int, p: Floats, q: Floats, t: Float, k: Float, found: Floats) -> None:
    """The first event after `t`: its time to found[0], level to found[1], output to found[2]."""
    if kind == TABLE:
        table_event(p, q, t, k, found)
        return
    at = t
    found[1] = k
    value = signal_at(kind, p, t)
    if p[1] == 0.0:
        found[0] = NEVER
        found[2] = value if kind <= LAST_JUMPING else level_value(q, k)
        return
    if kind <= LAST_JUMPING:
        at = next_corner(kind, p, t)
        while at < NEVER and signal_at(kind, p, at) == value:
            at = next_corner(kind, p, at)
        found[0] = at
        found[2] = signal_at(kind, p, at) if at < NEVER else value
        return
    touch = TOUCH * abs(p[1])
    upper = level_value(q, k + 1.0)
    lower = lower_end(q, k)
    found[0] = NEVER
    found[2] = level_value(q, k)
    while extreme(kind, p, at, 1.0) >= upper - touch or extreme(kind, p, at, -1.0) <= lower + touch:
        corner = next_corner(kind, p, at)
        if corner <= p[2]:  # before the start it rests; there it may jump
            value = signal_at(kind, p, corner)
            if value >= upper or value <= lower:
                found[0] = corner
                found[1] = level_of(q, value)
                found[2] = level_value(q, found[1])
                return
            at = corner
            continue
        last = value_at_end(kind, p, corner)
        rises = last > value_at_end(kind, p, at)
        if rises and last >= upper - touch:
            found[0] = reach(kind, p, upper, at, corner)
            found[1] = k + 1.0
            found[2] = upper
            return
        if not rises and last <= lower + touch:
            found[0] = reach(kind, p, lower, at, corner)
            found[1] = k - 1.0
            found[2] = level_value(q, k - 1.0)
            return
        if corner == NEVER:
            return
        at = corner


@signals.kernel
def storage_event(q: Floats, x: Float, slope: Float, k: Float, found: Floats) -> None:
    """When a line from `x` leaves level `k`: waiting time, the level then, and the value then."""
    if slope > 0.0:
        upper = level_value(q, k + 1.0)
        wait = (upper - x) / slope
        found[0] = wait if wait > 0.0 else 0.0
        found[1] = k + 1.0
        found[2] = upper if wait > 0.0 else x
    elif slope < 0.0:
        lower = lower_end(q, k)
        wait = (lower - x) / slope
        found[0] = wait if wait > 0.0 else 0.0
        found[1] = k - 1.0
        found[2] = lower if wait > 0.0 else x
    else:
        found[0] = NEVER
        found[1] = k
        found[2] = x
