"""Folded quantized bond graphs of order 2 and 3 as a compiled kernel.

Who influences whom is as in `fold`. Each component has three coefficients of what it sent last and
the time of that; a storage has four of what it holds. The parts lie in the arrays of `network`,
those of polynomials behind each other.
"""

from __future__ import annotations

import math

from freewheel.devs.polynomial_kernels import first_exit, polynomials
from freewheel.devs.qbg.network_kernels import (
    ENDLESS,
    F_ANNOUNCE,
    F_BEFORE,
    F_COMING,
    F_DUE,
    F_FACTOR,
    F_FOUND,
    F_GAIN,
    F_X,
    FULL,
    I_EXTERNAL,
    I_HEAP,
    I_INTERNAL,
    I_KIND,
    I_LAST,
    I_LINK,
    I_LINK_TO,
    I_NOTED,
    I_P,
    I_Q,
    I_QUEUED,
    I_ROLE,
    I_ROW,
    I_ROW_FROM,
    I_STATUS,
    REACHED,
    STORAGE,
    is_endless,
    network,
    reorder,
)
from freewheel.devs.qbg.taylor_kernels import coefficients_at, piece_end, taylor
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints

NEVER = math.inf
HELD, SENT = 4, 3  # coefficients of each component

polynomial_network = KernelModule(
    "qbg_polynomial_network", network, taylor, polynomials, exports=("run_polynomials",)
)


@polynomial_network.kernel
def moved(c: Floats, wait: Float, order: Int) -> None:
    """Coefficients about a later time: numbers c[0] to c[order]."""
    if order == 3:
        c[0] = c[0] + wait * (c[1] + wait * (c[2] + wait * c[3]))
        c[1] = c[1] + wait * (2.0 * c[2] + 3.0 * wait * c[3])
        c[2] = c[2] + 3.0 * wait * c[3]
    elif order == 2:
        c[0] = c[0] + wait * (c[1] + wait * c[2])
        c[1] = c[1] + 2.0 * wait * c[2]
    else:
        c[0] = c[0] + wait * c[1]


@polynomial_network.kernel
def schedule(
    ints: Ints, floats: Floats, held: Floats, sent: Floats, who: Int, order: Int, t: Float
) -> None:
    """When what a storage holds is a quantum away from what it sent; each is described from its own time."""
    h = held[HELD * who :]
    s = sent[SENT * who :]
    wait = t - floats[ints[F_COMING] + who]  # since it was sent
    s0 = s[0] + wait * (s[1] + wait * s[2])
    s1 = s[1] + 2.0 * wait * s[2]
    s2 = s[2]
    quantum = floats[ints[ints[I_Q] + who]]
    lasts = first_exit(h[0] - s0, h[1] - s1, h[2] - s2, h[3], quantum)
    if floats[ints[F_ANNOUNCE] + who] > 0.0:
        lasts = 0.0
    floats[ints[F_BEFORE] + who] = t
    floats[ints[F_DUE] + who] = t + lasts
    reorder(ints, floats, who)


@polynomial_network.kernel
def rate_of(ints: Ints, floats: Floats, sent: Floats, who: Int, t: Float, rate: Floats) -> None:
    """The sum of what arrives at a storage, described from `t` on."""
    first = ints[ints[I_ROW] + who]
    end = ints[ints[I_ROW] + who + 1]
    rate[0] = 0.0
    rate[1] = 0.0
    rate[2] = 0.0
    for at in range(first, end):
        source = ints[ints[I_ROW_FROM] + at]
        factor = floats[ints[F_FACTOR] + at]
        c = sent[SENT * source :]
        wait = t - floats[ints[F_COMING] + source]
        rate[0] = rate[0] + factor * (c[0] + wait * (c[1] + wait * c[2]))
        rate[1] = rate[1] + factor * (c[1] + 2.0 * wait * c[2])
        rate[2] = rate[2] + factor * c[2]


@polynomial_network.kernel
def begin_piece(
    ints: Ints, floats: Floats, held: Floats, sent: Floats, who: Int, order: Int, t: Float
) -> None:
    """A storage or source sends anew."""
    ints[I_INTERNAL] += 1
    s = sent[SENT * who :]
    floats[ints[F_COMING] + who] = t
    if ints[ints[I_ROLE] + who] == STORAGE:
        h = held[HELD * who :]
        moved(h, t - floats[ints[F_BEFORE] + who], order)
        for k in range(order):
            s[k] = h[k]
        floats[ints[F_ANNOUNCE] + who] = 0.0
        schedule(ints, floats, held, sent, who, order, t)
        return
    found = floats[ints[F_FOUND] :]
    kind = ints[ints[I_KIND] + who]
    p = floats[ints[ints[I_P] + who] :]
    own_time = floats[ints[F_X] + who]  # exact; the run's own is a sum of waiting times
    coefficients_at(kind, p, own_time, found)
    for k in range(order):
        s[k] = floats[ints[F_GAIN] + who] * found[k]
    ends = piece_end(kind, p, own_time, order, floats[ints[ints[I_Q] + who]])
    floats[ints[F_DUE] + who] = t + (ends - own_time)
    floats[ints[F_X] + who] = ends
    reorder(ints, floats, who)


@polynomial_network.kernel
def run_polynomials(
    ints: Ints,
    floats: Floats,
    held: Floats,
    sent: Floats,
    order: Int,
    until: Float,
    room: Int,
    times: Floats,
    outs: Ints,
    values: Floats,
) -> Int:
    """Go on to `until`, or until `room` events are noted; each has `order` values."""
    ints[I_NOTED] = 0
    ints[I_STATUS] = REACHED
    links = ints[ints[I_LINK] :]
    targets = ints[ints[I_LINK_TO] :]
    rate = floats[ints[F_FOUND] :]
    while ints[I_QUEUED] > 0:
        who = ints[ints[I_HEAP]]
        t = floats[ints[F_DUE] + who]
        if t > until or t == NEVER:
            break
        if ints[I_NOTED] == room:
            ints[I_STATUS] = FULL
            return room
        ints[I_LAST] = who
        if is_endless(ints, floats, t):
            ints[I_STATUS] = ENDLESS
            break
        begin_piece(ints, floats, held, sent, who, order, t)
        noted = ints[I_NOTED]
        times[noted] = t
        outs[noted] = who
        for k in range(order):
            values[order * noted + k] = sent[SENT * who + k]
        ints[I_NOTED] = noted + 1
        for link in range(links[who], links[who + 1]):
            told = targets[link]
            h = held[HELD * told :]
            moved(h, t - floats[ints[F_BEFORE] + told], order)
            rate_of(ints, floats, sent, told, t, rate)
            for k in range(order):
                h[k + 1] = rate[k] / (k + 1.0)
            ints[I_EXTERNAL] += 1
            schedule(ints, floats, held, sent, told, order, t)
    return ints[I_NOTED]
