"""Quantized states at the beginning, and after an event has changed states, statuses or inputs.

begin(m, s, z, f, k, hk, y, t)         # all anew
resume(m, s, z, f, k, hk, y, t)        # only what differs from what was there
"""

from __future__ import annotations

from math import inf

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints
from freewheel.runtime.kernels.qss_handle import place_state, put_state, read_again, tell, tell_jump
from freewheel.runtime.kernels.qss_past import lay_past, renew_past
from freewheel.runtime.kernels.qss_places import (
    AT_HEAP,
    AT_POS,
    AT_SEEN,
    AT_STAMP,
    AT_STATUS,
    AT_WATCH,
    F_HEAD,
    ITEMS,
    JUMPED,
    LAST_T,
    LINES,
    LIQSS,
    METHOD,
    MLIQSS,
    ORDER,
    Q0,
    Q1,
    Q2,
    RECORD,
    RELATIONS,
    START,
    STOP,
    TOUCHED,
    TQ,
    TX,
    WATCHED,
    X0,
    X1,
    X2,
    Z_AT,
    Z_COARSE,
    Z_GAP,
    Z_IS_FAR,
    Z_LAST,
    Z_LOOK,
    Z_QUICK,
    Z_RECORD,
    Z_SHRINKS,
    Z_SIZE,
    Z_STATUS,
    N,
)
from freewheel.runtime.kernels.qss_rows import FIRST_LOOK, predict, rate_of, renew, touch
from freewheel.runtime.kernels.qss_step import state_at, stepping

beginning = KernelModule("qss_beginning", stepping)


@beginning.kernel
def lay_heap(k: Ints, hk: Floats) -> None:
    items = k[k[AT_HEAP] :]
    places = k[k[AT_POS] :]
    for i in range(k[ITEMS]):
        items[i] = i
        places[i] = i
        hk[i] = inf


@beginning.kernel
def note_held(m: Floats, f: Floats, k: Ints) -> None:
    slots = k[k[AT_WATCH] :]
    seen = f[k[AT_SEEN] :]
    for i in range(k[WATCHED]):
        seen[i] = m[slots[i]]


@beginning.kernel
def begin(
    m: Floats, s: Floats, z: Floats, f: Floats, k: Ints, hk: Floats, y: Floats, t: Float
) -> Int:
    """Polynomials of all states are found order by order; 0, or ROW_FAILED."""
    n = k[N]
    order = k[ORDER]
    is_implicit = 1 if k[METHOD] == LIQSS or k[METHOD] == MLIQSS else 0
    lay_heap(k, hk)
    k[TOUCHED] = 0
    f[LAST_T] = t
    for i in range(n):
        place_state(s, f, n, i, y[i], t)
    if k[LINES] > 0:
        code = lay_past(m, s, f, k, hk, t)
        if code != 0:
            return code
    for degree in range(order):
        for i in range(n):
            code = rate_of(m, s, f, k, i, t, is_implicit)
            if code != 0:
                return code
        for i in range(n):
            r = s[RECORD * i :]
            if degree == 0 and order > 1:
                r[Q1] = r[X1]
            if degree == 1 and order > 2:
                r[Q2] = r[X2]
    for i in range(n):
        code = renew(m, s, z, f, k, hk, i, t, 0)
        if code != 0:
            return code
    if k[LINES] > 0:
        code = renew_past(m, s, z, f, k, hk, t, 2)
        if code != 0:
            return code
    for number in range(k[RELATIONS]):
        r = z[Z_RECORD * number :]
        r[Z_SIZE] = 0.0
        r[Z_COARSE] = 1.0
        r[Z_LAST] = -inf
        r[Z_GAP] = 0.0
        r[Z_QUICK] = 0.0
        r[Z_SHRINKS] = 0.0
        r[Z_IS_FAR] = 0.0
        r[Z_LOOK] = FIRST_LOOK * (f[STOP] - f[START])
        r[Z_AT] = t
        k[k[AT_STAMP] + number] = 0
        code = predict(m, s, z, f, k, hk, number, t)
        if code != 0:
            return code
    k[TOUCHED] = 0
    note_held(m, f, k)
    return 0


@beginning.kernel
def bend_input(
    m: Floats, s: Floats, z: Floats, f: Floats, k: Ints, hk: Floats, number: Int, y: Float,
    slope: Float, t: Float,
) -> Int:  # fmt: skip
    """An input has another value or slope from now on."""
    i = k[N] + number
    r = s[RECORD * i :]
    r[Q0] = y
    r[X0] = y
    r[Q1] = slope
    r[X1] = slope
    r[TQ] = t
    r[TX] = t
    if k[RELATIONS] > 0:
        touch(z, k, i, 1)
    return tell(m, s, z, f, k, hk, i, t, 0)


@beginning.kernel
def resume(
    m: Floats, s: Floats, z: Floats, f: Floats, k: Ints, hk: Floats, y: Floats, t: Float
) -> Int:
    """States first: where an event has changed both states and what rows read, rows must not see the one
    without the other (new states of a constraint may have no solution with the old combination)."""
    n = k[N]
    jumped = f[F_HEAD + JUMPED * n :]
    for i in range(n):
        jumped[i] = 0.0
        if y[i] != state_at(s, f, k, i, t):
            jumped[i] = 1.0
            put_state(s, f, n, i, y[i], t)
    slots = k[k[AT_WATCH] :]
    seen = f[k[AT_SEEN] :]
    for i in range(k[WATCHED]):
        if m[slots[i]] != seen[i]:
            seen[i] = m[slots[i]]
            code = read_again(m, s, z, f, k, hk, i, t)
            if code != 0:
                return code
    for i in range(n):
        if jumped[i] == 1.0:
            code = tell_jump(m, s, z, f, k, hk, i, t)
            if code != 0:
                return code
    if k[LINES] > 0:
        code = renew_past(m, s, z, f, k, hk, t, 1)
        if code != 0:
            return code
    statuses = k[k[AT_STATUS] :]
    for number in range(k[RELATIONS]):
        r = z[Z_RECORD * number :]
        if r[Z_STATUS] != m[statuses[number]] or k[k[AT_STAMP] + number] == 1:
            code = predict(m, s, z, f, k, hk, number, t)
            if code != 0:
                return code
    for number in range(k[RELATIONS]):
        k[k[AT_STAMP] + number] = 0
    k[TOUCHED] = 0
    return 0
