"""The time loop of the implicit core: steps, guards, events, output; leaves for Python seldom.

`run_core` comes back when it is finished, when a mode is met for the first time (`NEED_MODE`: its
structure is analysed once and kept by its bits), at instants that belong to the model's own logic
(`LOGIC`), when a buffer is full, after so many steps that someone may want to interrupt
(`PAUSED`), or with what went wrong.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Function, Int, Ints
from freewheel.runtime.kernels.core_advance import (
    core_advance,
    guarded_step,
)
from freewheel.runtime.kernels.core_events import settle
from freewheel.runtime.kernels.core_places import (
    BEFORE,
    BITS,
    BUDGET,
    CAUSE,
    CHATTER,
    E_AT,
    EVENTS,
    FINISHED,
    FIRED,
    FLOOR,
    FRESH,
    FULL,
    H_GOOD,
    H_MAX,
    HAS_LOGIC,
    HEAD,
    IS_LINEAR,
    LAST_EVENT,
    LOG_COUNT,
    LOG_HEAD,
    LOG_ROOM,
    LOGIC,
    LOOK,
    MODE,
    MODE_BEFORE,
    NEARER,
    NEXT_OUT,
    OUT_COUNT,
    OUT_ROOM,
    OUT_STEP,
    OUTPUT,
    PAUSED,
    PLAN_AT,
    PLAN_COUNT,
    RECORD_HEAD,
    REJECTED,
    REPEATED,
    SAVED,
    SETTLED,
    STALE,
    STEPS,
    T_BEGIN,
    T_FINAL,
    T_STOP,
    TAU,
    TOO_SMALL,
    WANTED,
    Y1,
    ZERO_STEPS,
    H,
    N,
    T,
    Y,
)
from freewheel.runtime.kernels.core_step import (
    consistent_core,
    inside_core,
)

core_drive = KernelModule("core_drive", core_advance, exports=("run_core",))

MOST_ZERO_STEPS = 30


@core_drive.kernel
def log_event(w: Floats, c: Ints, records: Floats, stride: Int, log: Floats) -> None:
    """Time, element that fired (-1: logic), mode, size of E y, then the impulses E (y+ - y-)."""
    n = c[N]
    y = w[HEAD + Y * n :]
    saved = w[HEAD + SAVED * n :]
    line = log[c[LOG_COUNT] * (n + LOG_HEAD) :]
    e = records[c[MODE] * stride + RECORD_HEAD + E_AT * n * n :]
    stored = 0.0
    for i in range(n):
        total = 0.0
        size = 0.0
        for j in range(n):
            total += e[i * n + j] * (y[j] - saved[j])
            size += abs(e[i * n + j]) * max(abs(y[j]), abs(saved[j]), w[HEAD + FLOOR * n + j])
        line[LOG_HEAD + i] = total
        stored = max(stored, size)
    line[0] = w[T]
    line[1] = float(c[CAUSE])
    line[2] = float(c[MODE])
    line[3] = stored
    c[LOG_COUNT] += 1
    c[EVENTS] += 1


@core_drive.kernel
def next_instant(m: Floats, w: Floats, c: Ints, plan: Floats) -> Int:
    """Set the bits planned for now and the stop at the next instant; 0: the plan is used up."""
    if w[T] >= w[T_FINAL] or c[PLAN_AT] >= c[PLAN_COUNT]:
        return 0
    now = plan[3 * c[PLAN_AT]]
    while c[PLAN_AT] < c[PLAN_COUNT] and plan[3 * c[PLAN_AT]] == now:
        m[c[BITS] + int(plan[3 * c[PLAN_AT] + 1])] = plan[3 * c[PLAN_AT] + 2]
        c[PLAN_AT] += 1
    w[T_STOP] = w[T_FINAL]
    if c[PLAN_AT] < c[PLAN_COUNT]:
        w[T_STOP] = min(plan[3 * c[PLAN_AT]], w[T_FINAL])
    return 1


@core_drive.kernel
def enter_event(c: Ints, w: Floats) -> None:
    n = c[N]
    y = w[HEAD + Y * n :]
    saved = w[HEAD + SAVED * n :]
    before = w[HEAD + BEFORE * n :]
    for i in range(n):
        saved[i] = y[i]
        before[i] = y[i]
    c[MODE_BEFORE] = c[MODE]
    c[CAUSE] = c[FIRED]
    c[WANTED] = -1
    c[SETTLED] = 1
    c[NEARER] = 0


@core_drive.kernel
def write_out(
    rates: Function, m: Floats, w: Floats, c: Ints, record: Floats, t: Float, h: Float, out: Floats
) -> Int:
    """Rows of (time, unknowns) up to t + h: states from the polynomial, the rest made consistent."""
    n = c[N]
    x = w[HEAD + OUTPUT * n :]
    while w[NEXT_OUT] <= t + h * (1.0 - 1e-9):
        if c[OUT_COUNT] >= c[OUT_ROOM]:
            return FULL
        inside_core(w, c, (w[NEXT_OUT] - t) / h, x)
        consistent_core(rates, m, w, c, record, w[NEXT_OUT], x)
        row = out[c[OUT_COUNT] * (n + 1) :]
        row[0] = w[NEXT_OUT]
        for i in range(n):
            row[1 + i] = x[i]
        c[OUT_COUNT] += 1
        w[NEXT_OUT] = w[T_BEGIN] + w[OUT_STEP] * float(c[OUT_COUNT])
    return FINISHED


@core_drive.kernel
def run_core(
    rates: Function, jacobians: Function, refresh: Function, m: Floats, w: Floats, c: Ints,
    records: Floats, stride: Int, pivots: Ints, keys: Ints, basis: Ints, out: Floats, log: Floats,
    plan: Floats,
) -> Int:  # fmt: skip
    """Go on to T_STOP. SETTLED > 0 on entry: an event is to be settled first."""
    n = c[N]
    y = w[HEAD + Y * n :]
    y1 = w[HEAD + Y1 * n :]
    while True:
        if c[SETTLED] > 0:
            if c[LOG_COUNT] >= c[LOG_ROOM]:
                return FULL
            status = settle(rates, jacobians, m, w, c, records, stride, keys, basis)
            if status != FINISHED:
                return status
            log_event(w, c, records, stride, log)
            c[SETTLED] = 0
            if records[c[MODE] * stride + H_GOOD] > 0.0:
                w[H] = records[c[MODE] * stride + H_GOOD]
        if w[T] >= w[T_STOP]:
            if next_instant(m, w, c, plan) == 0:
                return FINISHED
            enter_event(c, w)
            c[CAUSE] = -1
            continue
        if c[STEPS] + c[REJECTED] + c[REPEATED] >= c[BUDGET]:
            return PAUSED
        record = records[c[MODE] * stride :]
        mine = pivots[c[MODE] * 2 * n :]
        if record[IS_LINEAR] == 0.0 and c[FRESH] == 0:
            return STALE
        h = min(w[H], w[H_MAX])
        left = w[T_STOP] - w[T]
        if h > left * (1.0 - 1e-9):
            h = left
        elif h > 0.5 * left:
            h = 0.5 * left
        if h < 1e-15 * max(abs(w[T]), 1e-6 * record[TAU]):
            return TOO_SMALL
        h = guarded_step(rates, jacobians, refresh, m, w, c, record, mine, h, left)
        if h == 0.0:
            continue
        event = 1 if c[WANTED] == 2 else 0
        if write_out(rates, m, w, c, record, w[T], h, out) != FINISHED:
            return FULL
        w[T] = w[T_STOP] if h == left else w[T] + h
        for i in range(n):
            y[i] = y1[i]
        if event == 1:
            if w[T] - w[LAST_EVENT] > 1e-6 * w[LOOK]:
                c[ZERO_STEPS] = 0
            c[ZERO_STEPS] += 1
            if c[ZERO_STEPS] > MOST_ZERO_STEPS:
                return CHATTER
            w[LAST_EVENT] = w[T]
            enter_event(c, w)
            if c[HAS_LOGIC] == 1:
                return LOGIC
