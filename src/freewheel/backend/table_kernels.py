"""Tables in one variable and in time, evaluated by kernels that follow `formula.tables`.

A table is one row of numbers (`table_data` makes it):

    0 points n, 1 columns, 2 smoothness, 3 extrapolation, 4 start time, 5 shift, 6 event points e
    8 ...       abscissa, n numbers
    8 + n ...   numbers of the event points, e of them
    8 + n + e   per column 4n - 1 numbers: ordinates (n), cubics a, b, c (n - 1 each), end slopes (2)

Each kernel writes value, slope and bend to `out` and gives 1 where the table has no value.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import floor

from freewheel.backend.thresholds import DIFFERENCES
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int

TABLES = KernelModule("tables")

LINEAR = 1
CONSTANT = 3
LAST_TWO_POINTS = 2
PERIODIC = 3
NO_EXTRAPOLATION = 4
HEAD = 8
NEVER = 1.7976931348623157e308


@TABLES.kernel
def fw_segment(x: Floats, at: Float, first: Int, last: Int) -> Int:
    """The segment that begins at or before `at`; segments of no length are passed over."""
    low = first
    high = last
    while high - low > 1:
        middle = (low + high) // 2
        if x[middle] <= at:
            low = middle
        else:
            high = middle
    while low > first and x[low + 1] == x[low]:
        low -= 1
    return low


@TABLES.kernel
def fw_column(t: Floats, column: Int) -> Int:
    """Where a column begins."""
    n = int(t[0])
    return HEAD + n + int(t[6]) + (column - 1) * (4 * n - 1)


@TABLES.kernel
def fw_on_segment(t: Floats, column: Int, i: Int, at: Float, out: Floats) -> None:
    n = int(t[0])
    x = t[HEAD:]
    y = t[fw_column(t, column) :]
    cubics = y[n:]
    a = cubics[i]
    b = cubics[n - 1 + i]
    c = cubics[2 * n - 2 + i]
    v = at - x[i]
    out[0] = y[i] + ((a * v + b) * v + c) * v
    if t[2] == LINEAR and at == x[i + 1] and x[i + 1] > x[i]:
        out[0] = y[i + 1]  # exactly, whatever rounding makes of the slope
    out[1] = (3.0 * a * v + 2.0 * b) * v + c
    out[2] = 6.0 * a * v + 2.0 * b


@TABLES.kernel
def fw_beyond(t: Floats, column: Int, at: Float, right: Int, out: Floats) -> Int:
    """Extrapolation."""
    n = int(t[0])
    y = t[fw_column(t, column) :]
    end = t[HEAD + n - 1] if right != 0 else t[HEAD]
    if t[3] == NO_EXTRAPOLATION and at != end:
        return 1
    slope = 0.0
    if t[3] == LAST_TWO_POINTS:
        slope = y[4 * n - 3 + right]
    out[0] = (y[n - 1] if right != 0 else y[0]) + slope * (at - end)
    out[1] = slope
    out[2] = 0.0
    return 0


@TABLES.kernel
def fw_constant(value: Float, out: Floats) -> Int:
    out[0] = value
    out[1] = 0.0
    out[2] = 0.0
    return 0


@TABLES.kernel
def fw_table_1d(t: Floats, number: Float, u: Float, out: Floats) -> Int:
    n = int(t[0])
    column = int(number)
    if column < 1 or column > int(t[1]) or u != u:
        return 1
    x = t[HEAD:]
    if n == 1:
        return fw_constant(t[fw_column(t, column)], out)
    low = x[0]
    high = x[n - 1]
    at = u
    if t[3] == PERIODIC:
        if at < low or at > high:
            at -= floor((at - low) / (high - low)) * (high - low)
        at = min(max(at, low), high)
    elif at < low:
        return fw_beyond(t, column, at, 0, out)
    elif at > high:
        return fw_beyond(t, column, at, 1, out)
    if t[2] == CONSTANT and at >= high:
        return fw_constant(t[fw_column(t, column) + n - 1], out)
    fw_on_segment(t, column, fw_segment(x, at, 0, n - 1), at, out)
    return 0


# ---------------------------------------------------------------- time


@TABLES.kernel
def fw_event_time(t: Floats, number: Int) -> Float:
    n = int(t[0])
    return t[HEAD + int(t[HEAD + n + number])]


@TABLES.kernel
def fw_interval_before(t: Floats, coming: Float) -> Int:
    """The number of the interval that ends with this event; -1 if it is no event of this table."""
    n = int(t[0])
    count = int(t[6])
    margin = DIFFERENCES.near * (t[HEAD + n - 1] - t[HEAD] + abs(coming))
    for number in range(count):
        time = fw_event_time(t, number)
        if time >= coming - margin:
            if abs(time - coming) <= margin:
                return number
            return -1
    return -1


@TABLES.kernel
def fw_events_until(t: Floats, time: Float) -> Int:
    """How many event points lie at or before a time."""
    number = 0
    count = int(t[6])
    while number < count and fw_event_time(t, number) <= time:
        number += 1
    return number


@TABLES.kernel
def fw_in_interval(t: Floats, column: Int, number: Int, time: Float, out: Floats) -> Int:
    n = int(t[0])
    x = t[HEAD:]
    first = int(t[HEAD + n + number - 1])
    last = int(t[HEAD + n + number])
    while x[last - 1] == x[last]:  # the left limit belongs to the first of equals
        last -= 1
    at = min(max(time, x[first]), x[last])
    fw_on_segment(t, column, fw_segment(x, at, first, last), at, out)
    return 0


@TABLES.kernel
def fw_once(t: Floats, column: Int, time: Float, coming: Float, out: Floats) -> Int:
    count = int(t[6])
    number = fw_interval_before(t, coming)
    if number < 0:  # no event lies ahead, or one that is none of ours
        number = fw_events_until(t, time)
    if number == 0:
        return fw_beyond(t, column, min(time, fw_event_time(t, 0)), 0, out)
    if number == count:
        return fw_beyond(t, column, max(time, fw_event_time(t, count - 1)), 1, out)
    return fw_in_interval(t, column, number, time, out)


@TABLES.kernel
def fw_periodic(t: Floats, column: Int, time: Float, coming: Float, out: Floats) -> Int:
    n = int(t[0])
    start = fw_event_time(t, 0)
    period = t[HEAD + n - 1] - t[HEAD]
    local = time - t[5]
    ahead = coming - t[5] if coming < NEVER else local
    turn = floor((ahead - start) / period) - 1.0
    for _ in range(3):
        number = fw_interval_before(t, ahead - turn * period)
        if number > 0:
            return fw_in_interval(t, column, number, local - turn * period, out)
        turn += 1.0
    at = local - floor((local - start) / period) * period
    number = max(1, min(fw_events_until(t, at), int(t[6]) - 1))
    return fw_in_interval(t, column, number, at, out)


@TABLES.kernel
def fw_table_time(
    t: Floats, number: Float, time: Float, coming: Float, before: Float, out: Floats
) -> Int:
    column = int(number)
    if column < 1 or column > int(t[1]) or time != time:
        return 1
    if time < t[4] or (coming == before and coming <= t[4]):
        return fw_constant(0.0, out)
    if t[0] == 1.0:
        return fw_constant(t[fw_column(t, column)], out)
    if t[3] == PERIODIC:
        return fw_periodic(t, column, time, coming, out)
    return fw_once(t, column, time - t[5], coming - t[5], out)


@TABLES.kernel
def fw_next_event(t: Floats, time: Float, out: Floats) -> Int:
    """The first time event after a time."""
    n = int(t[0])
    count = int(t[6])
    shift = t[5]
    if time < t[4]:
        return fw_constant(t[4], out)
    if n == 1:
        return fw_constant(NEVER, out)
    if t[3] != PERIODIC:
        for number in range(count):
            if fw_event_time(t, number) + shift > time:
                return fw_constant(fw_event_time(t, number) + shift, out)
        return fw_constant(NEVER, out)
    period = t[HEAD + n - 1] - t[HEAD]
    turn = floor((time - shift - fw_event_time(t, 0)) / period) - 1.0
    for _ in range(3):
        for number in range(1, count):
            instant = fw_event_time(t, number) + turn * period + shift
            if instant > time:
                return fw_constant(instant, out)
        turn += 1.0
    return fw_constant(NEVER, out)


KERNELS = ("fw_table_1d", "fw_table_time", "fw_next_event")


@dataclass(frozen=True, slots=True)
class TableCall:
    """How a C function is computed: a kernel, how many arguments it takes after the table, and how
    many changes follow them (0: the value, 1: slope, 2: bend and slope)."""

    kernel: str
    arguments: int
    changes: int = 0


TABLE_CALLS = {
    f"ModelicaStandardTables_Combi{kind}_get{what}": TableCall(kernel, arguments, changes)
    for kind, kernel, arguments in (
        ("Table1D", "fw_table_1d", 2),
        ("TimeTable", "fw_table_time", 4),
    )
    for changes, what in enumerate(("Value", "DerValue", "Der2Value"))
}
TABLE_CALLS["ModelicaStandardTables_CombiTimeTable_nextTimeEvent"] = TableCall("fw_next_event", 1)
