"""One whole event without Python: two rows, discrete equations, restart, next limit.

    code = instant(discrete, derivatives, outputs, relations, m, w, c, rows, log)    # 0: go on

Where the case is not plain (statuses that no iteration settles, a message, a failing section, events that
come suspiciously fast, impacts, several ways to go on, a break of an input) everything is put back as it
was before the event and the code EVENT or REACHED leaves it to Python, which begins anew with the same
instant.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Floats, Int, Ints, Section
from freewheel.result.events import CROSSED as CROSSED_NOTE
from freewheel.runtime.kernels.calendar import (
    calendar,
    clear_due,
    foretell,
    mark_due,
    move_samples,
    set_limit,
)
from freewheel.runtime.kernels.circles import copy, take_back
from freewheel.runtime.kernels.crossing import crossing, only_time
from freewheel.runtime.kernels.follow import FREE, branches, solve_loops
from freewheel.runtime.kernels.following import hold
from freewheel.runtime.kernels.modes import modes
from freewheel.runtime.kernels.notes import begin_record, note
from freewheel.runtime.kernels.places import (
    AT_RESIDUALS,
    AT_SAVED,
    AT_STORED,
    AT_WHICH,
    BREAK,
    CIRCLES,
    CROSSED,
    EVENT,
    EVENTS,
    FLAG,
    HEAD,
    LATELY,
    LOG,
    LOG_FULL,
    LOG_LACKS,
    LOG_RECORD,
    MAX_EVENTS,
    MAX_ROWS,
    MEMORY,
    NOT_FINITE,
    NOTED,
    OWN_STEPS,
    POINTS,
    QUICK_GAP,
    R_BANDS,
    R_CROSSING,
    R_GAP,
    R_LAST,
    R_LEFT,
    R_QUICK,
    R_SHRINKS,
    R_SIZES,
    REACHED,
    RECORD,
    REINITS,
    RELATIONS,
    ROWS,
    ROWS_FULL,
    STATES,
    THOROUGH,
    TRIAL,
    WATCH,
    F,
    N,
    T,
    Y,
)
from freewheel.runtime.kernels.point import is_finite
from freewheel.runtime.kernels.rivals import has_rivals, rivals
from freewheel.runtime.kernels.rows import evaluate, grid_point, restart_here, store_row
from freewheel.runtime.kernels.rows import rows as row_kernels
from freewheel.runtime.kernels.settle import begin_event, settle_plainly, settling

instants = KernelModule(
    "instants", calendar, crossing, modes, settling, rivals, row_kernels, branches
)

SHRINKING = 0.95  # of the time since the switch before
PATIENCE = 5  # so many times in a row
NOISE = 1e-12  # these two as in `event/chatter.py`
FAR_OUTSIDE = 1e3
NEGLIGIBLE = 1e-11  # of what a state was lately: a jump this small is no impact
MOVED = 1e-9  # likewise, where a core makes states consistent at each event


@instants.kernel
def switches_at_once(w: Floats, c: Ints, i: Int) -> Int:
    """1 where a relation has just switched, or was noise around zero all along."""
    r = c[RELATIONS]
    if w[T] - w[c[AT_RESIDUALS] + R_LAST * r + i] < w[QUICK_GAP]:
        return 1
    began = abs(w[c[AT_RESIDUALS] + R_LEFT * r + i])
    there = abs(w[c[AT_RESIDUALS] + R_CROSSING * r + i])
    noise = NOISE * max(w[c[AT_RESIDUALS] + R_SIZES * r + i], 1e-6)
    return 1 if max(began, there) <= noise else 0


@instants.kernel
def comes_too_fast(w: Floats, c: Ints) -> Int:
    """1 where a relation switches at once for the second time, or after ever shorter times: that is
    for `event/chatter.py` to judge. Else the same count is kept here."""
    r = c[RELATIONS]
    which = c[c[AT_WHICH] :]
    last = w[c[AT_RESIDUALS] + R_LAST * r :]
    gaps = w[c[AT_RESIDUALS] + R_GAP * r :]
    shrinks = w[c[AT_RESIDUALS] + R_SHRINKS * r :]
    quick = w[c[AT_RESIDUALS] + R_QUICK * r :]
    found = 0
    for i in range(r):
        if which[i] == 1:
            gap = w[T] - last[i]
            if gap > w[QUICK_GAP]:  # else it goes back and forth
                shrinks[i] = shrinks[i] + 1.0 if gap < SHRINKING * gaps[i] else 0.0
                gaps[i] = gap
            if shrinks[i] >= PATIENCE:
                found = 1
            if quick[i] >= 1.0 and switches_at_once(w, c, i) == 1:
                found = 1
    if found == 1:
        return 1
    for i in range(r):
        if which[i] == 1:
            quick[i] = quick[i] + 1.0 if switches_at_once(w, c, i) == 1 else 0.0
            last[i] = w[T]
    return 0


@instants.kernel
def tell_causes(w: Floats, c: Ints, log: Floats) -> None:
    begin_record(log, c, w[T])
    if c[CROSSED] == 0:
        return
    r = c[RELATIONS]
    which = c[c[AT_WHICH] :]
    residuals = w[c[AT_RESIDUALS] + R_CROSSING * r :]
    for i in range(r):
        if which[i] == 1:
            note(log, c, CROSSED_NOTE, i, residuals[i])


@instants.kernel
def jump_of(w: Floats, c: Ints) -> Int:
    """2: states jump at the event; 1: by no more than rounding, as where a velocity that has just become
    zero is set to zero; 0: they stay. Beside an implicit core most unknowns are no states and jump at
    each event, and rounding says nothing."""
    n = c[N]
    stored = c[c[AT_STORED] :]
    y = w[HEAD + Y * n :]
    trial = w[HEAD + TRIAL * n :]
    lately = w[HEAD + LATELY * n :]
    found = 0
    for i in range(n):
        if trial[i] != y[i]:
            by = abs(trial[i] - y[i])
            if c[AT_STORED] > 0:
                if stored[i] == 1 and not by <= MOVED * max(lately[i], abs(y[i])):
                    return 2
                continue
            if not by <= NEGLIGIBLE * max(lately[i], abs(y[i])):
                return 2
            found = 1
    return found


@instants.kernel
def forgive(w: Floats, c: Ints) -> None:
    """As `ChatterWatch.forgive`: these crossings made states jump, they were no noise."""
    r = c[RELATIONS]
    which = c[c[AT_WHICH] :]
    for i in range(r):
        if which[i] == 1:
            w[c[AT_RESIDUALS] + R_QUICK * r + i] = 0.0
            w[c[AT_RESIDUALS] + R_BANDS * r + i] = 0.0
            w[c[AT_RESIDUALS] + R_SHRINKS * r + i] = 0.0


@instants.kernel
def settle_once(
    discrete: Section, derivatives: Section, outputs: Section, relations: Section,
    m: Floats, w: Floats, c: Ints, rows: Floats, log: Floats,
) -> Int:  # fmt: skip
    """Left row, fixed point, right row: 1. Not a plain case: 0. States end in TRIAL."""
    n = c[N]
    t = w[T]
    trial = w[HEAD + TRIAL * n :]
    copy(n, w[HEAD + Y * n :], trial)
    if evaluate(derivatives, outputs, m, w, c, t, trial) != 0:
        return 0
    if c[RECORD] == 1:
        store_row(m, c, rows)
    solve_loops(m, c, FREE)
    hold(m, c)
    due = mark_due(m, w, c, log, t)
    if begin_event(derivatives, relations, m, w, c, log, t) != 0:
        return 0
    is_due = 1 if due > 0 else 0
    rounds = settle_plainly(discrete, derivatives, relations, m, w, c, log, is_due)
    if rounds == 0:
        return 0
    if is_due == 1:
        clear_due(m, c)
        more = settle_plainly(discrete, derivatives, relations, m, w, c, log, 0)
        if more == 0:
            return 0
        rounds += more
    copy(n, m[c[STATES] :], trial)
    if c[WATCH] > 0:
        m[c[FLAG]] = 0.0
    if outputs(m) != 0:  # derivatives and residuals are there
        return 0
    if c[WATCH] > 0 and m[c[FLAG]] != 0.0:
        return 0
    store_row(m, c, rows)
    if c[LOG_LACKS] == 0:
        log[c[LOG_RECORD] + 1] = float(rounds)
    return 1


@instants.kernel
def settle_here(
    discrete: Section, derivatives: Section, outputs: Section, relations: Section,
    m: Floats, w: Floats, c: Ints, rows: Floats, log: Floats,
) -> Int:  # fmt: skip
    """As `settle_once`; from the beginning again, and thoroughly, where statuses run in circles. The
    memory before the event is in AT_SAVED."""
    held_rows = c[ROWS]
    mark = c[LOG]
    is_settled = settle_once(discrete, derivatives, outputs, relations, m, w, c, rows, log)
    if is_settled == 1 or c[CIRCLES] == 0:
        return is_settled
    copy(c[MEMORY], w[c[AT_SAVED] :], m)
    c[ROWS] = held_rows
    take_back(log, c, mark)
    c[THOROUGH] = 1
    is_settled = settle_once(discrete, derivatives, outputs, relations, m, w, c, rows, log)
    c[THOROUGH] = 0
    return is_settled


@instants.kernel
def skip_grid(w: Floats, c: Ints) -> None:
    """The rows of the event stand for a regular point there."""
    while grid_point(w, c[POINTS]) <= w[T] and grid_point(w, c[POINTS] - 1) < w[T]:
        c[POINTS] += 1


@instants.kernel
def go_on(derivatives: Section, relations: Section, m: Floats, w: Floats, c: Ints) -> Int:
    """Integration begins anew at (T, Y), where the memory is; 0, or why not."""
    n = c[N]
    restart_here(m, w, c)
    if is_finite(n, w[HEAD + Y * n :]) == 0 or is_finite(n, w[HEAD + F * n :]) == 0:
        return NOT_FINITE
    look_ahead(relations, m, w, c)
    return 0


@instants.kernel
def look_ahead(relations: Section, m: Floats, w: Floats, c: Ints) -> None:
    """After a restart: how large residuals are, and the next limit."""
    r = c[RELATIONS]
    if r > 0:
        left = w[c[AT_RESIDUALS] + R_LEFT * r :]
        sizes = w[c[AT_RESIDUALS] + R_SIZES * r :]
        bands = w[c[AT_RESIDUALS] + R_BANDS * r :]
        for i in range(r):
            sizes[i] = max(sizes[i], abs(left[i]))
            if abs(left[i]) > FAR_OUTSIDE * bands[i]:
                bands[i] = 0.0  # what was noise has become a signal
        foretell(relations, m, w, c)
    set_limit(w, c)


@instants.kernel
def instant(
    discrete: Section, derivatives: Section, outputs: Section, relations: Section,
    m: Floats, w: Floats, c: Ints, rows: Floats, log: Floats,
) -> Int:  # fmt: skip
    n = c[N]
    to_python = EVENT if c[CROSSED] == 1 else REACHED
    if c[ROWS] + 2 > c[MAX_ROWS]:
        return ROWS_FULL
    held_rows = c[ROWS]
    held_log = c[LOG]
    if w[T] == w[BREAK] or c[EVENTS] + c[CROSSED] > c[MAX_EVENTS]:
        return to_python
    tell_causes(w, c, log)
    copy(c[MEMORY], m, w[c[AT_SAVED] :])
    is_settled = settle_here(discrete, derivatives, outputs, relations, m, w, c, rows, log)
    by_state = 1 if c[CROSSED] == 1 and only_time(c, c[c[AT_WHICH] :]) == 0 else 0
    has_reinits = 1 if c[OWN_STEPS] != 2 or c[REINITS] > 0 else 0  # an implicit core jumps anyway
    jump = jump_of(w, c)
    if by_state == 1 and has_reinits == 1 and jump == 2:
        is_settled = 0  # states jump: it may be an impact, and `event/zeno.py` must see those
    if is_settled == 1 and by_state == 1:
        rival = has_rivals(discrete, derivatives, outputs, relations, m, w, c, log)
        is_settled = 1 - rival
    if is_settled == 0 or c[LOG_LACKS] == 1:
        copy(c[MEMORY], w[c[AT_SAVED] :], m)
        c[ROWS] = held_rows
        c[LOG] = held_log
        return LOG_FULL if c[LOG_LACKS] == 1 else to_python
    if by_state == 1 and jump == 1:
        forgive(w, c)
    c[EVENTS] += c[CROSSED]
    c[NOTED] += 1
    copy(n, w[HEAD + TRIAL * n :], w[HEAD + Y * n :])
    move_samples(w, c, w[T])
    skip_grid(w, c)
    return go_on(derivatives, relations, m, w, c)
