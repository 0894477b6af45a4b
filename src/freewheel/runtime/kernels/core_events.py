"""Events of the implicit core: guards, the mode that comes next, the values it begins with.

Restarting goes in rounds from the values before the event: select a mode for all elements together,
make the values consistent with it, check the guards. A mode met for the first time is handed to
Python, which analyses its structure once.
"""

from __future__ import annotations

from math import inf

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Function, Int, Ints
from freewheel.runtime.kernels.core_places import (
    ALL_BITS,
    ATOL,
    BEFORE,
    BITS,
    CAUSE,
    CONTRADICTION,
    E_AT,
    ELEMENTS,
    EVENTS,
    FINISHED,
    FIRED,
    FRESH,
    HEAD,
    IS_LINEAR,
    LARGEST,
    LOG_COUNT,
    LOG_HEAD,
    LOOK,
    MODE,
    MODE_BEFORE,
    MODES,
    NEED_MODE,
    NO_MODE,
    PLAN_AT,
    PLAN_COUNT,
    RECORD_HEAD,
    SAVED,
    SETTLED,
    T_FINAL,
    T_STOP,
    TABLES,
    WANTED,
    H,
    N,
    T,
    Y,
)
from freewheel.runtime.kernels.core_select import core_select, select_core
from freewheel.runtime.kernels.core_step import consistent_core

core_events = KernelModule("core_events", core_select)

LEFT_OVER = 1e-7  # residual of a restart, relative to its rows: more is a contradiction
GUARD = 1e-9  # of the largest unknown: how far beyond zero a guard may be at a restart


@core_events.kernel
def find_mode(m: Floats, c: Ints, keys: Ints) -> Int:
    """The number of the record of the present bits, -1: not visited before. 62 bits to an integer."""
    bits = c[ALL_BITS]
    words = (bits + 61) // 62
    for mode in range(c[MODES]):
        same = 1
        for word in range(words):
            key = 0
            for b in range(62 * word, min(62 * word + 62, bits)):
                key = 2 * key + (1 if m[c[BITS] + b] > 0.5 else 0)
            if keys[mode * words + word] != key:
                same = 0
        if same == 1:
            return mode
    return -1


@core_events.kernel
def worst_guard(m: Floats, c: Ints, x: Floats) -> Float:
    """The smallest guard, positive: the mode may stay; its element goes to FIRED."""
    k = c[ELEMENTS]
    worst = inf
    for e in range(k):
        s = x[c[TABLES + e]]
        if m[c[BITS] + c[TABLES + k + e]] < 0.5:
            s = -s
        if s < worst:
            worst = s
            c[FIRED] = e
    return worst


@core_events.kernel
def mark_violated(m: Floats, c: Ints, x: Floats, tolerance: Float) -> None:
    """Elements beyond their guard; the others' noise around zero must not disturb the search."""
    k = c[ELEMENTS]
    for e in range(k):
        s = x[c[TABLES + e]]
        if m[c[BITS] + c[TABLES + k + e]] < 0.5:
            s = -s
        c[TABLES + 2 * k + e] = 1 if s < -tolerance else 0


@core_events.kernel
def marked_guard(m: Floats, c: Ints, x: Floats) -> Float:
    """The smallest guard of the marked elements; its element goes to FIRED."""
    k = c[ELEMENTS]
    worst = inf
    for e in range(k):
        if c[TABLES + 2 * k + e] == 1:
            s = x[c[TABLES + e]]
            if m[c[BITS] + c[TABLES + k + e]] < 0.5:
                s = -s
            if s < worst:
                worst = s
                c[FIRED] = e
    return worst


@core_events.kernel
def size_of(n: Int, x: Floats) -> Float:
    largest = 0.0
    for i in range(n):
        largest = max(largest, abs(x[i]))
    return largest


@core_events.kernel
def resolve(
    rates: Function, jacobians: Function, m: Floats, w: Floats, c: Ints, keys: Ints, basis: Ints
) -> Int:  # fmt: skip
    """Select a mode. A guard was violated, so the old one is no answer: what happens within the
    look-ahead may be smaller than the leak of the selection, then look further. A second round looks
    less far: the first mode was violated at once, so something is faster than the look-ahead."""
    n = c[N]
    look = w[LOOK]
    w[LOOK] = min(look, 0.01 * w[H])
    for _ in range(1, c[SETTLED]):
        w[LOOK] /= 30.0
    status = 0
    for _ in range(4):
        status = select_core(rates, jacobians, m, w, c, w[T], w[HEAD + BEFORE * n :], basis)
        if status != 0 or c[CAUSE] < 0 or find_mode(m, c, keys) != c[MODE_BEFORE]:
            break
        w[LOOK] *= 8.0
    w[LOOK] = look
    return status


@core_events.kernel
def settle(
    rates: Function, jacobians: Function, m: Floats, w: Floats, c: Ints, records: Floats,
    stride: Int, keys: Ints, basis: Ints,
) -> Int:  # fmt: skip
    """At an event: the mode that comes next and the values it begins with, in Y.

    SAVED holds the values before; BEFORE the ones a second round restarts from, should the mode that
    was found be violated after its jump.
    """
    n = c[N]
    y = w[HEAD + Y * n :]
    saved = w[HEAD + SAVED * n :]
    before = w[HEAD + BEFORE * n :]
    while c[SETTLED] < 6:
        if c[WANTED] < 0 and resolve(rates, jacobians, m, w, c, keys, basis) != 0:
            return NO_MODE
        mode = find_mode(m, c, keys)
        c[MODE] = mode
        if mode < 0 or (records[mode * stride + IS_LINEAR] == 0.0 and c[FRESH] == 0):
            c[WANTED] = 1
            return NEED_MODE
        c[WANTED] = -1
        for i in range(n):
            y[i] = before[i]
        left = consistent_core(rates, m, w, c, records[mode * stride :], w[T], y)
        largest = max(w[LARGEST], size_of(n, saved))
        if not left < LEFT_OVER * max(largest, size_of(n, y)):
            return CONTRADICTION
        if worst_guard(m, c, y) >= -GUARD * max(largest, size_of(n, y)):
            return FINISHED
        c[SETTLED] += 1
        for i in range(n):
            before[i] = y[i]
    return NO_MODE


@core_events.kernel
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
            size += abs(e[i * n + j]) * max(abs(y[j]), abs(saved[j]), 1e3 * w[ATOL])
        line[LOG_HEAD + i] = total
        stored = max(stored, size)
    line[0] = w[T]
    line[1] = float(c[CAUSE])
    line[2] = float(c[MODE])
    line[3] = stored
    c[LOG_COUNT] += 1
    c[EVENTS] += 1


@core_events.kernel
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


@core_events.kernel
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
