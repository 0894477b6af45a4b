"""Where the quantized polynomial of a state goes when the state takes a step.

    quantize(s, k, i, t, stop)              # q of state i from x, the quantum and the local model

Explicit methods take the first terms of x itself (Kofman, QSS1 to QSS3). Linearly implicit ones look
for a polynomial that x will meet: with rate = a*q + u(t) and q, x agreeing in value and in `order`
derivatives less one after a time h, q follows from h; the largest h that keeps |q - x| within bounds is
taken (Migoni, Bortolotto, Kofman, Cellier 2013, LIQSS). The centred method keeps q in the middle of the
way that x goes until the next step.
"""

from __future__ import annotations

from math import inf, sqrt

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints
from freewheel.runtime.kernels.qss_places import (
    CQSS,
    DQ,
    LAST,
    LIQSS,
    METHOD,
    ORDER,
    Q0,
    Q1,
    Q2,
    QSS,
    RECORD,
    SIDE,
    STIFF,
    TQ,
    TX,
    U0,
    U1,
    U2,
    X0,
    X1,
    X2,
    X3,
    A,
)

quantizers = KernelModule("qss_quantizers")

TINY = 1e-40
TRIALS = 60
SETTLED = 10.0  # time constants: beyond, q hardly depends on h any more
OFTEN = 3.0  # time constants between steps: a state that takes more of them than that is parked
PARKED = 1.8  # quanta


@quantizers.kernel
def advance_x(s: Floats, i: Int, t: Float) -> None:
    """The continuous polynomial, and what the rate does besides a*q, count from `t`."""
    r = s[RECORD * i :]
    e = t - r[TX]
    if e != 0.0:
        r[X0] += e * (r[X1] + e * (r[X2] + e * r[X3]))
        r[X1] += e * (2.0 * r[X2] + 3.0 * e * r[X3])
        r[X2] += 3.0 * e * r[X3]
        r[U0] += e * (r[U1] + e * r[U2])
        r[U1] += 2.0 * e * r[U2]
        r[TX] = t


@quantizers.kernel
def advance_q(s: Floats, i: Int, t: Float) -> None:
    r = s[RECORD * i :]
    e = t - r[TQ]
    if e != 0.0:
        r[Q0] += e * (r[Q1] + e * r[Q2])
        r[Q1] += 2.0 * e * r[Q2]
        r[TQ] = t


@quantizers.kernel
def is_stiff(r: Floats, f: Floats) -> Int:
    """Whether a state forgets where it came from in no time. Then q is where it settles, while x may be
    anywhere within the quantum."""
    return 1 if -r[A] > f[STIFF] else 0


@quantizers.kernel
def meets_2(x: Float, a: Float, u0: Float, u1: Float, h: Float) -> Float:
    """q now, if q and x agree in value and slope after h."""
    reached = (x + h * u0 + 0.5 * h * h * u1) * (1.0 - h * a)
    return (reached + (0.5 * h * h * a - h) * (u0 + h * u1)) / (1.0 - h * a + 0.5 * h * h * a * a)


@quantizers.kernel
def quantize_1(r: Floats) -> None:
    """q on the side to which x goes, or where the rate vanishes if that is nearer."""
    x = r[X0]
    width = r[DQ]
    a = r[A]
    u = r[U0]
    q = x
    if u + a * (x + width) > 0.0:
        q = x + width
    elif u + a * (x - width) < 0.0:
        q = x - width
    elif a != 0.0:
        q = -u / a
    r[Q0] = q


@quantizers.kernel
def quantize_2(r: Floats, t: Float, stop: Float) -> None:
    """A state that has settled may have x nearly two quanta beside q for ever: its rate sees q alone.
    Any change sends it out of its bounds then. If its steps come often, it is brought nearer first."""
    x = r[X0]
    width = r[DQ]
    a = r[A]
    u0 = r[U0]
    u1 = r[U1]
    q = x
    slope = u0
    if a < 0.0:
        bend = 2.0 * r[X2]
        if bend == 0.0:
            bend = a * (a * r[Q0] + u0) + u1
        if bend == 0.0:
            bend = TINY
        settled = PARKED * width if (r[LAST] - t) * a < OFTEN else 2.0 * width
        h = stop - t
        q = meets_2(x, a, u0, u1, h)
        if abs(q - x) > settled:
            h = min(h, sqrt(abs(2.0 * width / bend)))
            q = meets_2(x, a, u0, u1, h)
            if h > -SETTLED / a and abs(q - x) > settled:
                h = -SETTLED / a
                q = meets_2(x, a, u0, u1, h)
            for _trial in range(TRIALS):
                if abs(q - x) <= (settled if h * a < -1.0 else 2.0 * width):
                    break
                h *= sqrt(width / abs(q - x))
                q = meets_2(x, a, u0, u1, h)
        slope = (a * q + u0 + h * u1) / (1.0 - h * a)
    elif u1 != 0.0:
        q = x - width if u1 > 0.0 else x + width
        slope = u0 + u1 * sqrt(2.0 * width / abs(u1))
    if not abs(q - x) <= 2.0 * width:
        q = x
    r[Q0] = q
    r[Q1] = slope


@quantizers.kernel
def meets_3(r: Floats, h: Float) -> None:
    """Q0, Q1, Q2 now, if q and x agree in value, slope and curvature after h."""
    a = r[A]
    u0 = r[U0]
    u1 = r[U1]
    u2 = r[U2]
    fade = 1.0 - a * h
    alpha = 0.5 * a / fade
    beta = 0.5 * (u1 + 2.0 * u2 * h) / fade
    wide = 2.0 * h - a * h * h
    under = fade + alpha * wide
    gamma = a / under
    delta = (u0 + h * (u1 + h * u2) - beta * wide) / under
    first = h - 0.5 * a * h * h
    second = h * h - a * h * h * h / 3.0
    reached = r[X0] + h * (u0 + h * (0.5 * u1 + h * u2 / 3.0))
    left = fade + gamma * first + alpha * gamma * second
    q = (reached - delta * first - (alpha * delta + beta) * second) / left
    r[Q0] = q
    r[Q1] = gamma * q + delta
    r[Q2] = alpha * r[Q1] + beta


@quantizers.kernel
def quantize_3(r: Floats, t: Float, stop: Float) -> None:
    x = r[X0]
    width = r[DQ]
    if r[A] < 0.0:
        h = stop - t
        meets_3(r, h)
        if not abs(r[Q0] - x) <= 2.0 * width:
            h = min(h, (width / max(abs(r[X3]), TINY)) ** (1.0 / 3.0))
            meets_3(r, h)
            if h > -SETTLED / r[A] and not abs(r[Q0] - x) <= 2.0 * width:
                h = -SETTLED / r[A]
                meets_3(r, h)
            for _trial in range(TRIALS):
                if abs(r[Q0] - x) <= 2.0 * width:
                    break
                h *= min(0.7937, (width / abs(r[Q0] - x)) ** (1.0 / 3.0))
                meets_3(r, h)
    elif r[U2] != 0.0:
        h = min(stop - t, (3.0 * width / abs(r[U2])) ** (1.0 / 3.0))
        meets_3(r, h)
    else:
        r[Q0] = x
        r[Q1] = r[U0]
        r[Q2] = 0.5 * r[U1]
    if not abs(r[Q0] - x) <= 2.0 * width:
        r[Q0] = x
        r[Q1] = r[X1]
        r[Q2] = r[X2]


@quantizers.kernel
def quantize(s: Floats, k: Ints, i: Int, t: Float, stop: Float) -> None:
    """x is at `t` already."""
    r = s[RECORD * i :]
    order = k[ORDER]
    r[TQ] = t
    if k[METHOD] == QSS:
        r[Q0] = r[X0]
        r[Q1] = r[X1] if order > 1 else 0.0
        r[Q2] = r[X2] if order > 2 else 0.0
    elif k[METHOD] == CQSS:
        r[SIDE] = 1.0 if r[X1] > 0.0 else (-1.0 if r[X1] < 0.0 else 0.0)
        r[Q0] = r[X0] + 0.5 * r[SIDE] * r[DQ]
    elif order == 1:
        quantize_1(r)
    elif order == 2:
        quantize_2(r, t, stop)
        r[LAST] = t if k[METHOD] == LIQSS else -inf  # pairs find their own way
    else:
        quantize_3(r, t, stop)
