"""Quantized states of a model with an implicit core, from event to event.

    code = drive_group(discrete, derivatives, outputs, relations, m, w, c, rows, log, s, z, f, k, hk)

As `qss_drive.py`, with the loop of `qss_core_step.py`. Events are settled as the core's own method settles
them (`instant.py`): discrete equations, mode and jump together. Zeros of straight lines of time are known
beforehand, as in the classic loop. Rows hold what the core says at the states' values.
"""

from __future__ import annotations

from freewheel.machine.addresses import floats_at, function_at, ints_at
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints, Section
from freewheel.runtime.kernels.bracket import mark_changed, residuals_here
from freewheel.runtime.kernels.core_table import (
    K_CAUSE,
    K_ELEMENT_RELATIONS,
    K_EXTRA,
    K_STATES,
    X_CAUSE_TIME,
)
from freewheel.runtime.kernels.follow import WATCHED, branches, solve_loops
from freewheel.runtime.kernels.instant import comes_too_fast, instant, instants
from freewheel.runtime.kernels.places import (
    AT_RESIDUALS,
    AT_WHICH,
    CROSSED,
    CROSSING,
    END_IS_EVENT,
    FLAG,
    HEAD,
    LIMIT,
    LOG_FULL,
    MAX_ROWS,
    PHASE,
    PLAIN,
    POINTS,
    PREDICTED,
    R_CROSSING,
    R_END,
    RELATIONS,
    ROWS,
    ROWS_FULL,
    SECTION_FAILED,
    SPOKE,
    STOP,
    WATCH,
    WIDTH,
    N,
    T,
    Y,
)
from freewheel.runtime.kernels.places import EVENT as TO_PYTHON
from freewheel.runtime.kernels.places import REACHED as AT_LIMIT
from freewheel.runtime.kernels.qss_core_places import (
    CAUSE,
    ELEMENTS,
    G_HEAD,
    LOUD_WIDTH,
    PENDING,
    SEEN,
    STATES,
)
from freewheel.runtime.kernels.qss_core_rates import BY_SIGHT, point_of_group
from freewheel.runtime.kernels.qss_core_step import (
    advance_group,
    begin_group,
    group_steps,
)
from freewheel.runtime.kernels.qss_places import (
    AT_COLUMNS,
    EVENT,
    GROUP,
    REACHED,
    RECORD,
    TX,
    WHO,
    X0,
    X1,
    X2,
    X3,
)
from freewheel.runtime.kernels.qss_places import LIMIT as UP_TO
from freewheel.runtime.kernels.qss_places import T as NOW
from freewheel.runtime.kernels.rows import grid_point, store_row

group_driver = KernelModule(
    "qss_core_driver",
    branches,
    instants,
    group_steps,
    exports=("drive_group", "begin_group"),
    inline=("advance_x", "advance_q", "first_exit", "meets_2", "quantize_2", "wait_2",
            "wait_explicit", "wait", "quantize", "split", "set_time", "linear_rate", "schedule",
            "is_implicit", "polynomial_of", "copy"),
)  # fmt: skip


@group_driver.kernel
def show_chosen(s: Floats, k: Ints, t: Float, row: Floats) -> None:
    """What a row tells of quantized states is the continuous polynomial, also where all else sees q."""
    g = ints_at(k[GROUP])
    columns = k[k[AT_COLUMNS] :]
    for a in range(g[STATES]):
        i = g[G_HEAD + a]
        if columns[i] >= 0:
            r = s[RECORD * i :]
            e = t - r[TX]
            row[columns[i]] = r[X0] + e * (r[X1] + e * (r[X2] + e * r[X3]))


@group_driver.kernel
def take_group(m: Floats, s: Floats, w: Floats, c: Ints, f: Floats, k: Ints, t: Float) -> Int:
    """All unknowns at `t`, consistent, into memory and Y."""
    n = c[N]
    y = w[HEAD + Y * n :]
    table = ints_at(int(m[-2]))
    code = point_of_group(m, s, f, k, t, BY_SIGHT, t)
    for i in range(n):
        y[i] = m[table[K_STATES] + i]
    return code


@group_driver.kernel
def store_group(
    outputs: Section, m: Floats, w: Floats, c: Ints, rows: Floats, s: Floats, f: Floats, k: Ints,
    t: Float,
) -> Int:  # fmt: skip
    """A row of the output grid; what the model says there is heard."""
    row = rows[c[ROWS] * c[WIDTH] :]
    if c[WATCH] > 0:
        m[c[FLAG]] = 0.0
    code = take_group(m, s, w, c, f, k, t)
    if code != 0:
        return code
    if outputs(m) != 0:
        return SECTION_FAILED
    seen = function_at(ints_at(k[GROUP])[SEEN])
    code = seen(m)
    store_row(m, c, rows)
    show_chosen(s, k, t, row)
    c[POINTS] += 1
    if c[WATCH] == 1 or (c[WATCH] > 1 and m[c[FLAG]] != 0.0):
        return SPOKE
    return 0


@group_driver.kernel
def mark_watcher(m: Floats, w: Floats, c: Ints, f: Floats, k: Ints) -> None:
    """What crossed, as the classic loop tells it; the core is told which element it was."""
    g = ints_at(k[GROUP])
    table = ints_at(int(m[-2]))
    which = c[c[AT_WHICH] :]
    there = w[c[AT_RESIDUALS] + R_CROSSING * c[RELATIONS] :]
    for i in range(c[RELATIONS]):
        which[i] = 0
    number = k[WHO]
    if g[CAUSE] >= 0:
        table[K_CAUSE] = number
        floats_at(table[K_EXTRA])[X_CAUSE_TIME] = f[NOW]
        relation = ints_at(table[K_ELEMENT_RELATIONS])[number]
        there[relation] = 0.0
    else:
        place = g[G_HEAD + 2 * c[N] + LOUD_WIDTH * (number - g[ELEMENTS]) :]
        relation = place[0]
        there[relation] = m[place[1]]
    which[relation] = 1
    w[CROSSING] = f[NOW]
    c[CROSSED] = 1


@group_driver.kernel
def crosses_in_time(relations: Section, m: Floats, w: Floats, c: Ints) -> Int:
    """At the time foretold of a straight line; the memory is there. 1: something crosses."""
    r = c[RELATIONS]
    end = w[c[AT_RESIDUALS] + R_END * r :]
    out = w[c[AT_RESIDUALS] + R_CROSSING * r :]
    residuals_here(relations, m, c, end)
    if mark_changed(m, w, c, end, c[c[AT_WHICH] :]) == 0:
        return 0
    for i in range(r):
        out[i] = end[i]
    w[CROSSING] = w[T]
    c[CROSSED] = 1
    return 1


@group_driver.kernel
def drive_group(
    discrete: Section, derivatives: Section, outputs: Section, relations: Section,
    m: Floats, w: Floats, c: Ints, rows: Floats, log: Floats,
    s: Floats, z: Floats, f: Floats, k: Ints, hk: Floats,
) -> Int:  # fmt: skip
    g = ints_at(k[GROUP])
    while True:
        if c[PHASE] == 2:
            code = instant(discrete, derivatives, outputs, relations, m, w, c, rows, log)
            solve_loops(m, c, WATCHED)
            if code != ROWS_FULL and code != LOG_FULL:
                c[PHASE] = 0
            if code != 0:
                return code
            g[PENDING] = 1
        if g[PENDING] == 1:
            g[PENDING] = 0
            if w[T] >= w[STOP]:
                return AT_LIMIT
            code = begin_group(m, s, z, f, k, hk, w[T])
            if code != 0:
                return code
        if c[ROWS] + 3 > c[MAX_ROWS]:
            return ROWS_FULL  # before anything happens that could not be repeated
        grid = grid_point(w, c[POINTS])
        f[UP_TO] = min(w[LIMIT], grid)
        c[CROSSED] = 0
        code = advance_group(m, s, z, f, k, hk)
        w[T] = f[NOW]
        if code != EVENT and code != REACHED:
            return code
        is_event = 0
        if code == EVENT:
            code = take_group(m, s, w, c, f, k, w[T])
            if code != 0:
                return code
            residuals_here(relations, m, c, w[c[AT_RESIDUALS] + R_END * c[RELATIONS] :])
            mark_watcher(m, w, c, f, k)
            is_event = 1
        elif w[T] >= w[LIMIT]:
            code = take_group(m, s, w, c, f, k, w[T])
            if code != 0:
                return code
            if w[T] == w[PREDICTED] or w[T] >= w[STOP]:
                is_event = crosses_in_time(relations, m, w, c)
            if c[END_IS_EVENT] == 1:
                is_event = 1
        if is_event == 1:
            is_fast = comes_too_fast(w, c) if c[CROSSED] == 1 else 0
            if is_fast == 1 or c[PLAIN] == 0:
                return TO_PYTHON if c[CROSSED] == 1 else AT_LIMIT
            c[PHASE] = 2
            continue
        if grid <= w[T]:
            code = store_group(outputs, m, w, c, rows, s, f, k, grid)
            if code != 0:
                return code
        if w[T] >= w[LIMIT]:
            return AT_LIMIT
