"""The time loop: steps, crossings, events, output rows. No Python inside.

    code = drive(discrete, derivatives, outputs, relations, jacobian, attempt, interpolate, ...)

Comes back with a code of `places` when the stop is reached, an event is not plain (`instant.py`), a
buffer is full, the budget of steps is used up, the model has said something or no step is possible.
Called again after the cause was dealt with, it goes on where it was.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Floats, Function, Int, Ints, Section
from freewheel.runtime.kernels.corners import NEVER, corners, hidden_corner
from freewheel.runtime.kernels.crossing import crossing, first_crossing
from freewheel.runtime.kernels.follow import LENIENT, STRICT, solve_loops
from freewheel.runtime.kernels.history import history, reach, remember_step
from freewheel.runtime.kernels.instant import comes_too_fast, instant, instants
from freewheel.runtime.kernels.modes import remember_size
from freewheel.runtime.kernels.places import (
    AT_RESIDUALS,
    AT_WHICH,
    BECAME_STIFF,
    BREATH,
    BUDGET,
    CALM,
    CORE_EVENT,
    CORNER_TIME,
    CORNERS,
    CROSSED,
    CROSSING,
    DETECT,
    END_IS_EVENT,
    ERROR,
    EVENT,
    F1,
    FLAG,
    FRESH,
    HEAD,
    HISTORY,
    IS_FIXED,
    LATELY,
    LIMIT,
    LOG_FULL,
    MAX_ROWS,
    MAX_SIZES,
    MAX_STEPS,
    OPTIMISTIC,
    OWN_STEPS,
    PHASE,
    PLAIN,
    POINTS,
    PREVIOUS_ERROR,
    R_BANDS,
    R_CROSSING,
    R_LEFT,
    REACHED,
    RELATIONS,
    ROWS,
    ROWS_FULL,
    SIZES,
    SIZES_FULL,
    SPOKE,
    STEP_REDO,
    STEPS,
    STIFF,
    STIFFNESS,
    STOP,
    T1,
    TOO_MANY,
    TRIAL,
    WATCH,
    WEAK,
    Y1,
    F,
    N,
    T,
    Y,
)
from freewheel.runtime.kernels.point import dense_value
from freewheel.runtime.kernels.rows import evaluate, grid_point, store_row
from freewheel.runtime.kernels.step import make_dense, next_step, step_to

driver = KernelModule(
    "driver",
    corners,
    crossing,
    history,
    instants,
    exports=("drive", "restart", "look_ahead", "nothing", "no_jacobian"),
    quick_first=True,
)

FORGETTING = 0.9  # per step, of how large a state was
STABILITY_BORDER = 2.8  # of |h * lambda|; see `integrate/choose.py`
STIFF_STEPS = 15
CALM_STEPS = 6
EDGE = 1e-3  # of a step: an event this near to its ends is as good as on them
BEYOND = 0.5 * EDGE
MOST_REPEATS = 8  # of a step, each at most three quarters of the one before
FAR_OUTSIDE = 1e3  # as in `event/chatter.py`


@driver.kernel
def nothing(m: Floats) -> Int:
    """A section without equations."""
    return 0


@driver.kernel
def no_jacobian(m: Floats, values: Floats) -> Int:
    return 1


@driver.kernel
def store_grid(
    derivatives: Section, outputs: Section, interpolate: Function, m: Floats, w: Floats, c: Ints,
    rows: Floats, including_end: Int,
) -> Int:  # fmt: skip
    """Rows at all regular points up to the end of the step."""
    n = c[N]
    x = w[HEAD + TRIAL * n :]
    while True:
        t = grid_point(w, c[POINTS])
        if t > w[T1] or (t == w[T1] and including_end == 0):
            return 0
        if c[ROWS] >= c[MAX_ROWS]:
            return ROWS_FULL
        make_dense(interpolate, w, c)
        dense_value(w, c, t, x)
        code = evaluate(derivatives, outputs, m, w, c, t, x)
        if code != 0:
            return code
        store_row(m, c, rows)
        c[POINTS] += 1
        if t == w[STOP]:
            return 0


@driver.kernel
def accept(w: Floats, c: Ints, sizes: Floats) -> None:
    """Move to the end of the step."""
    n = c[N]
    y = w[HEAD + Y * n :]
    f = w[HEAD + F * n :]
    y1 = w[HEAD + Y1 * n :]
    f1 = w[HEAD + F1 * n :]
    lately = w[HEAD + LATELY * n :]
    sizes[2 * c[SIZES]] = w[T]
    sizes[2 * c[SIZES] + 1] = w[T1] - w[T]
    c[SIZES] += 1
    c[STEPS] += 1
    w[T] = w[T1]
    for i in range(n):
        y[i] = y1[i]
        f[i] = f1[i]
        lately[i] = max(abs(y1[i]), FORGETTING * lately[i])
    w[PREVIOUS_ERROR] = max(w[ERROR], 1e-4)
    c[FRESH] = 0
    remember_size(w, c)


@driver.kernel
def drop_bands(w: Floats, c: Ints) -> None:
    """As `ChatterWatch.see` does: what was noise has become a signal."""
    r = c[RELATIONS]
    bands = w[c[AT_RESIDUALS] + R_BANDS * r :]
    now = w[c[AT_RESIDUALS] + R_LEFT * r :]
    for i in range(r):
        if bands[i] > 0.0 and abs(now[i]) > FAR_OUTSIDE * bands[i]:
            bands[i] = 0.0


@driver.kernel
def sees_stiffness(w: Floats, c: Ints) -> Int:
    if c[DETECT] == 0:
        return 0
    if w[STIFFNESS] > STABILITY_BORDER:
        c[STIFF] += 1
        c[CALM] = 0
        return 1 if c[STIFF] >= STIFF_STEPS else 0
    c[CALM] += 1
    if c[CALM] >= CALM_STEPS:
        c[STIFF] = 0
    return 0


@driver.kernel
def propose(
    derivatives: Section, relations: Section, jacobian: Function, attempt: Function,
    interpolate: Function, m: Floats, w: Floats, c: Ints,
) -> Int:  # fmt: skip
    """A step, cut at the first crossing in it."""
    c[CROSSED] = 0
    solve_loops(m, c, STRICT)
    code = next_step(derivatives, jacobian, attempt, m, w, c, reach(w, c))
    solve_loops(m, c, LENIENT)
    if code != 0:
        return code
    c[CROSSED] = first_crossing(derivatives, relations, interpolate, m, w, c)
    if c[CROSSED] == 0 and c[CORNERS] > 0 and repeats_steps(c) == 1:
        code = end_at_corners(derivatives, relations, jacobian, attempt, interpolate, m, w, c)
        if code != 0:
            return code
    if c[CROSSED] == 1 and c[WEAK] == 1:
        # Where the interpolant is weaker than the step, let the step end just beyond the event: near its end
        # the interpolant is as good, and a step that ends a rounding before the event leaves a tiny one.
        share = (w[CROSSING] - w[T]) / (w[T1] - w[T])
        if share > EDGE and share < 1.0 - EDGE:
            end = min(w[T1], w[CROSSING] + BEYOND * (w[CROSSING] - w[T]))
            solve_loops(m, c, STRICT)
            code = step_to(derivatives, jacobian, attempt, m, w, c, end)
            solve_loops(m, c, LENIENT)
            if code != 0:
                return code
            c[CROSSED] = first_crossing(derivatives, relations, interpolate, m, w, c)
    if c[CROSSED] == 1 and w[CROSSING] < w[T1]:
        cut(w, c)
    elif c[CORE_EVENT] > 0:
        mark_corner(w, c)
    return 0


@driver.kernel
def repeats_steps(c: Ints) -> Int:
    """Of fixed and optimistic steps, and those that a library or a core makes, none is repeated."""
    return 1 if c[IS_FIXED] == 0 and c[OWN_STEPS] == 0 and c[OPTIMISTIC] == 0 else 0


@driver.kernel
def end_at_corners(
    derivatives: Section, relations: Section, jacobian: Function, attempt: Function,
    interpolate: Function, m: Floats, w: Floats, c: Ints,
) -> Int:  # fmt: skip
    """Repeats a step that passes corners unseen, until it ends where one shows."""
    for _ in range(MOST_REPEATS):
        end = hidden_corner(derivatives, relations, interpolate, m, w, c)
        if not end < w[T1]:
            return 0
        w[CORNER_TIME] = NEVER
        solve_loops(m, c, STRICT)
        code = step_to(derivatives, jacobian, attempt, m, w, c, end)
        solve_loops(m, c, LENIENT)
        if code != 0:
            return code
        c[CROSSED] = first_crossing(derivatives, relations, interpolate, m, w, c)
        if c[CROSSED] == 1:
            return 0
    return 0


@driver.kernel
def mark_corner(w: Floats, c: Ints) -> None:
    """The step of an implicit core ended where one of its elements reached a corner."""
    r = c[RELATIONS]
    which = c[c[AT_WHICH] :]
    residuals = w[c[AT_RESIDUALS] + R_CROSSING * r :]
    if c[CROSSED] == 0:
        for i in range(r):
            which[i] = 0
    which[c[CORE_EVENT] - 1] = 1
    residuals[c[CORE_EVENT] - 1] = 0.0
    c[CROSSED] = 1
    w[CROSSING] = w[T1]


@driver.kernel
def cut(w: Floats, c: Ints) -> None:
    """Let the step end at the crossing; the interpolant stays as it is."""
    n = c[N]
    y1 = w[HEAD + Y1 * n :]
    dense_value(w, c, w[CROSSING], w[HEAD + TRIAL * n :])
    x = w[HEAD + TRIAL * n :]
    for i in range(n):
        y1[i] = x[i]
    w[T1] = w[CROSSING]


@driver.kernel
def drive(
    discrete: Section, derivatives: Section, outputs: Section, relations: Section,
    jacobian: Function, attempt: Function, interpolate: Function, m: Floats, w: Floats, c: Ints,
    rows: Floats, sizes: Floats, log: Floats,
) -> Int:  # fmt: skip
    taken = 0
    solve_loops(m, c, LENIENT)
    while True:
        if c[PHASE] == 2:
            code = instant(discrete, derivatives, outputs, relations, m, w, c, rows, log)
            solve_loops(m, c, LENIENT)
            if code != ROWS_FULL and code != LOG_FULL:
                c[PHASE] = 0
            if code != 0:
                return code
        if c[PHASE] == 0:
            if w[T] >= w[LIMIT]:
                return REACHED
            if taken >= c[BUDGET]:
                return BREATH
            if c[STEPS] >= c[MAX_STEPS]:
                return TOO_MANY
            if c[SIZES] >= c[MAX_SIZES]:
                return SIZES_FULL
            code = propose(derivatives, relations, jacobian, attempt, interpolate, m, w, c)
            if code != 0:
                return code
            c[PHASE] = 1 if c[HISTORY] == 0 else 3
        if c[PHASE] == 3:
            code = remember_step(derivatives, relations, interpolate, m, w, c)
            c[PHASE] = 0 if code == STEP_REDO else 3
            if code == STEP_REDO:
                continue
            if code != 0:
                return code
            c[PHASE] = 1
        is_event = c[CROSSED]
        if w[T1] == w[LIMIT] and c[END_IS_EVENT] == 1:
            is_event = 1
        code = store_grid(derivatives, outputs, interpolate, m, w, c, rows, 1 - is_event)
        if code != 0:
            return code
        c[PHASE] = 0
        taken += 1
        accept(w, c, sizes)
        if is_event == 1:
            is_fast = comes_too_fast(w, c) if c[CROSSED] == 1 else 0
            if is_fast == 1 or c[PLAIN] == 0:
                return EVENT if c[CROSSED] == 1 else REACHED
            c[PHASE] = 2
            continue
        drop_bands(w, c)
        if w[T] >= w[LIMIT]:
            return REACHED
        if c[WATCH] > 0:
            code = listen(derivatives, outputs, m, w, c)
            if code != 0:
                return code
        if sees_stiffness(w, c) == 1:
            return BECAME_STIFF


@driver.kernel
def listen(derivatives: Section, outputs: Section, m: Floats, w: Floats, c: Ints) -> Int:
    """Asserts are judged at the end of each accepted step."""
    if c[WATCH] == 1:
        return SPOKE
    m[c[FLAG]] = 0.0
    code = evaluate(derivatives, outputs, m, w, c, w[T], w[HEAD + Y * c[N] :])
    if code != 0:
        return code
    return SPOKE if m[c[FLAG]] != 0.0 else 0
