"""Quantized states from event to event: rows on the output grid, plain events, then on.

    code = drive_quantized(discrete, derivatives, outputs, relations, m, w, c, rows, log, s, z, f, k, hk)

`m`, `w` and `c` are those of the classic loop (`places.py`), so that events are settled by the same
kernels; the rest belongs to the quantized states (`qss_places.py`). Rows come from the continuous
polynomials. Where an event is not plain everything is put back and the code EVENT or REACHED leaves it to
Python.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints, Section
from freewheel.runtime.kernels.calendar import move_samples, set_limit
from freewheel.runtime.kernels.circles import copy
from freewheel.runtime.kernels.follow import WATCHED, branches, solve_loops
from freewheel.runtime.kernels.instant import instants, settle_here, skip_grid, tell_causes
from freewheel.runtime.kernels.places import (
    AT_RESIDUALS,
    AT_SAVED,
    AT_WHICH,
    BREAK,
    CROSSED,
    CROSSING,
    END_IS_EVENT,
    EVENTS,
    FLAG,
    HEAD,
    LIMIT,
    LOG,
    LOG_FULL,
    LOG_LACKS,
    MAX_EVENTS,
    MAX_ROWS,
    MEMORY,
    NOTED,
    PLAIN,
    POINTS,
    R_BANDS,
    R_CROSSING,
    R_LEFT,
    R_RISES,
    REINITS,
    RELATIONS,
    ROWS,
    ROWS_FULL,
    SPOKE,
    STOP,
    TRIAL,
    WATCH,
    WIDTH,
    N,
    T,
    Y,
)
from freewheel.runtime.kernels.places import EVENT as TO_PYTHON
from freewheel.runtime.kernels.places import REACHED as AT_LIMIT
from freewheel.runtime.kernels.places import RECORD as RECORD_EVENTS
from freewheel.runtime.kernels.qss_begin import beginning, resume
from freewheel.runtime.kernels.qss_places import (
    AT_COLUMNS,
    AT_OUT,
    AT_STRAIGHT,
    EVENT,
    ONLY_STATES,
    ORDER,
    REACHED,
    RECORD,
    TX,
    WHO,
    X0,
    X1,
    X2,
    X3,
    Z_BAND,
    Z_QUICK,
    Z_RECORD,
    Z_SHRINKS,
)
from freewheel.runtime.kernels.qss_places import LIMIT as UP_TO
from freewheel.runtime.kernels.qss_places import N as STATES
from freewheel.runtime.kernels.qss_places import T as NOW
from freewheel.runtime.kernels.qss_step import advance, point_at
from freewheel.runtime.kernels.rivals import has_rivals
from freewheel.runtime.kernels.rows import evaluate, grid_point, store_row

quantized_driver = KernelModule(
    "quantized_driver",
    branches,
    instants,
    beginning,
    exports=("drive_quantized", "begin", "resume", "bend_input", "advance", "states_at"),
    inline=(
        *(
            "advance_x",
            "advance_q",
            "first_exit",
            "meets_2",
            "quantize_2",
            "wait_2",
            "wait_explicit",
        ),
        *("wait", "quantize", "split", "rate_of", "renew", "tell", "width_of"),
        *("step_state", "set_time", "has_left", "differs", "copy", "show_states"),
    ),
)

PATIENCE = 1.0  # crossings at once
SHRUNK = 5.0  # times in a row
LEAST = 1e-300  # a slope that says no more than its sign


@quantized_driver.kernel
def show_states(s: Floats, k: Ints, t: Float, row: Floats) -> None:
    """What a row tells of states is the continuous polynomial, also where all else sees q. Rows lie far
    apart and records are long: what is not needed is not read."""
    columns = k[k[AT_COLUMNS] :]
    is_cubic = 1 if k[ORDER] > 2 else 0
    for i in range(k[STATES]):
        if columns[i] >= 0:
            r = s[RECORD * i :]
            e = t - r[TX]
            bend = r[X2]
            if is_cubic == 1:
                bend += e * r[X3]
            row[columns[i]] = r[X0] + e * (r[X1] + e * bend)


@quantized_driver.kernel
def store_point(
    derivatives: Section, outputs: Section, m: Floats, w: Floats, c: Ints, rows: Floats, s: Floats,
    f: Floats, k: Ints, t: Float,
) -> Int:  # fmt: skip
    """A row of the output grid; what the model says there is heard."""
    row = rows[c[ROWS] * c[WIDTH] :]
    if k[ONLY_STATES] == 1:
        row[0] = t
        show_states(s, k, t, row)
        c[ROWS] += 1
        c[POINTS] += 1
        return 0
    x = w[HEAD + TRIAL * c[N] :]
    point_at(s, f, k, t, x)
    if c[WATCH] > 0:
        m[c[FLAG]] = 0.0
    code = evaluate(derivatives, outputs, m, w, c, t, x)
    if code != 0:
        return code
    store_row(m, c, rows)
    show_states(s, k, t, row)
    c[POINTS] += 1
    if c[WATCH] == 1 or (c[WATCH] > 1 and m[c[FLAG]] != 0.0):
        return SPOKE
    return 0


@quantized_driver.kernel
def mark_crossing(w: Floats, c: Ints, z: Floats, f: Floats, k: Ints) -> None:
    """What crossed, as the classic loop tells it."""
    r = c[RELATIONS]
    which = c[c[AT_WHICH] :]
    there = w[c[AT_RESIDUALS] + R_CROSSING * r :]
    before = w[c[AT_RESIDUALS] + R_LEFT * r :]
    rises = w[c[AT_RESIDUALS] + R_RISES * r :]
    bands = w[c[AT_RESIDUALS] + R_BANDS * r :]
    for i in range(r):
        which[i] = 0
        bands[i] = z[Z_RECORD * i + Z_BAND]
    number = k[WHO]
    which[number] = 1
    there[number] = f[AT_OUT]
    before[number] = f[AT_OUT]
    if k[k[AT_STRAIGHT] + number] == 1:  # others may come to rest on zero, whichever way they went
        rises[number] = LEAST if f[AT_OUT + 1] > 0.0 else (-LEAST if f[AT_OUT + 1] < 0.0 else 0.0)
    w[CROSSING] = f[NOW]
    c[CROSSED] = 1


@quantized_driver.kernel
def is_suspicious(r: Floats, c: Ints) -> Int:
    """Crossings at once are for `event/chatter.py` to judge, impacts that come ever faster for
    `event/zeno.py`."""
    if r[Z_QUICK] > PATIENCE:
        return 1
    return 1 if c[REINITS] > 0 and r[Z_SHRINKS] >= SHRUNK else 0


@quantized_driver.kernel
def plain_event(
    discrete: Section, derivatives: Section, outputs: Section, relations: Section,
    m: Floats, w: Floats, c: Ints, rows: Floats, log: Floats,
    s: Floats, z: Floats, f: Floats, k: Ints, hk: Floats,
) -> Int:  # fmt: skip
    """An event at (T, Y) by kernels alone: 0. Else why not, and nothing has changed."""
    n = c[N]
    to_python = TO_PYTHON if c[CROSSED] == 1 else AT_LIMIT
    if c[PLAIN] == 0 or w[T] == w[BREAK] or c[EVENTS] + c[CROSSED] > c[MAX_EVENTS]:
        return to_python
    held_rows = c[ROWS]
    held_log = c[LOG]
    tell_causes(w, c, log)
    copy(c[MEMORY], m, w[c[AT_SAVED] :])
    is_settled = settle_here(discrete, derivatives, outputs, relations, m, w, c, rows, log)
    if is_settled == 1 and c[CROSSED] == 1:  # else for `event/rivals.py` to go through again
        rival = has_rivals(discrete, derivatives, outputs, relations, m, w, c, log)
        is_settled = 1 - rival
    if is_settled == 0 or c[LOG_LACKS] == 1:
        copy(c[MEMORY], w[c[AT_SAVED] :], m)
        c[ROWS] = held_rows
        c[LOG] = held_log
        return LOG_FULL if c[LOG_LACKS] == 1 else to_python
    c[EVENTS] += c[CROSSED]
    c[NOTED] += 1
    copy(n, w[HEAD + TRIAL * n :], w[HEAD + Y * n :])
    if c[RECORD_EVENTS] == 1:
        show_states(s, k, w[T], rows[held_rows * c[WIDTH] :])
    move_samples(w, c, w[T])
    skip_grid(w, c)
    set_limit(w, c)
    solve_loops(m, c, WATCHED)
    code = resume(m, s, z, f, k, hk, w[HEAD + Y * n :], w[T])
    show_states(s, k, w[T], rows[(c[ROWS] - 1) * c[WIDTH] :])
    return code


@quantized_driver.kernel
def drive_quantized(
    discrete: Section, derivatives: Section, outputs: Section, relations: Section,
    m: Floats, w: Floats, c: Ints, rows: Floats, log: Floats,
    s: Floats, z: Floats, f: Floats, k: Ints, hk: Floats,
) -> Int:  # fmt: skip
    n = c[N]
    y = w[HEAD + Y * n :]
    while True:
        if c[ROWS] + 3 > c[MAX_ROWS]:
            return ROWS_FULL  # before anything happens that could not be repeated
        grid = grid_point(w, c[POINTS])
        f[UP_TO] = min(w[LIMIT], grid)
        c[CROSSED] = 0
        code = advance(m, s, z, f, k, hk)
        w[T] = f[NOW]
        is_event = 0
        if code == EVENT:
            mark_crossing(w, c, z, f, k)
            is_event = 1
        elif code != REACHED:
            point_at(s, f, k, w[T], y)
            return code
        elif w[T] >= w[LIMIT] and c[END_IS_EVENT] == 1:
            is_event = 1
        if is_event == 1:
            point_at(s, f, k, w[T], y)
            if c[CROSSED] == 1 and is_suspicious(z[Z_RECORD * k[WHO] :], c) == 1:
                return TO_PYTHON
            code = plain_event(
                discrete, derivatives, outputs, relations, m, w, c, rows, log, s, z, f, k, hk
            )
            if code != 0:
                return code
            if w[T] >= w[STOP]:
                return AT_LIMIT
            continue
        if grid <= w[T]:
            code = store_point(derivatives, outputs, m, w, c, rows, s, f, k, grid)
            if code != 0:
                point_at(s, f, k, w[T], y)
                return code
        if w[T] >= w[LIMIT]:
            point_at(s, f, k, w[T], y)
            return AT_LIMIT
