"""How long a state can wait until its quantized polynomial is too far from the continuous one.

wait(s, k, i, is_own, most)      # from now; 0: at once

`is_own`: the state has just taken its step. Bounds are the quantum around explicit polynomials and twice
the quantum around linearly implicit ones, whose next step is due where the polynomials meet.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints
from freewheel.runtime.kernels.qss_places import (
    CQSS,
    DQ,
    METHOD,
    ORDER,
    Q0,
    Q1,
    Q2,
    QSS,
    RECORD,
    SIDE,
    X0,
    X1,
    X2,
    X3,
    A,
)
from freewheel.runtime.kernels.qss_roots import FAR, first_exit, first_root_of_cubic, polynomials

waiting = KernelModule("qss_waiting", polynomials)

BEYOND = 1.001  # times the bound: rounding is not beyond
LARGE_VALUE = 10.0  # quanta
ROUNDING = 1e-13  # of a coefficient: differences below it say nothing


@waiting.kernel
def wait_explicit(r: Floats, order: Int, most: Float) -> Float:
    """Also after a step of its own: q has the slopes that x had before its rate saw the new q. With
    the last coefficient alone, (quantum/|x_n|)^(1/n), a state whose x_n happens to vanish would sleep
    for ever."""
    width = r[DQ]
    apart = r[Q0] - r[X0]
    if abs(apart) > BEYOND * width:
        return 0.0
    if order == 3:
        c1 = r[Q1] - r[X1]
        c2 = r[Q2] - r[X2]
        up = first_root_of_cubic(apart + width, c1, c2, -r[X3], most)
        return min(up, first_root_of_cubic(apart - width, c1, c2, -r[X3], min(up, most)))
    return first_exit(apart, r[Q1] - r[X1], -r[X2], width)


@waiting.kernel
def wait_centred(r: Floats) -> Float:
    """x may go half a quantum beyond q; turned round, a whole one behind it."""
    rate = r[X1]
    ahead = (r[X0] - r[Q0]) * r[SIDE]
    if r[SIDE] == 0.0:
        gone = abs(r[X0] - r[Q0])
        return max(0.0, 0.5 * r[DQ] - gone) / abs(rate) if rate != 0.0 else FAR
    if rate * r[SIDE] > 0.0:
        return max(0.0, 0.5 * r[DQ] - ahead) / abs(rate)
    if rate != 0.0:
        return max(0.0, r[DQ] + ahead) / abs(rate)
    return FAR


@waiting.kernel
def wait_1(r: Floats) -> Float:
    rate = r[X1]
    apart = r[Q0] - r[X0]
    if abs(apart) > BEYOND * 2.0 * r[DQ]:
        return 0.0
    if rate == 0.0:
        return FAR
    if rate * apart > 0.0:
        return apart / rate
    if apart == 0.0:
        return r[DQ] / abs(rate)
    return max(0.0, 2.0 * r[DQ] - abs(apart)) / abs(rate)


@waiting.kernel
def wait_2(r: Floats, is_own: Int) -> Float:
    width = r[DQ]
    apart = r[Q0] - r[X0]
    slope = r[Q1] - r[X1]
    bend = -r[X2]
    if abs(apart) > BEYOND * 2.0 * width:
        return 0.0
    best = first_exit(apart, slope, bend, 2.0 * width)
    if is_own == 1 and r[A] < 0.0 and bend != 0.0 and abs(slope) > ROUNDING * abs(r[X1]):
        best = min(best, abs(slope / bend))
    # A relative quantum becomes too wide where q goes through zero.
    if r[Q0] * r[Q1] < 0.0 and abs(r[Q0]) > LARGE_VALUE * width:
        best = min(best, (abs(r[Q0]) - 2.0 * width) / abs(r[Q1]))
    return best


@waiting.kernel
def wait_3(r: Floats, is_own: Int, most: Float) -> Float:
    width = r[DQ]
    apart = r[Q0] - r[X0]
    c1 = r[Q1] - r[X1]
    c2 = r[Q2] - r[X2]
    if abs(apart) > BEYOND * 2.0 * width:
        return 0.0
    best = FAR
    if is_own == 1 and r[X3] != 0.0 and abs(c2) > ROUNDING * abs(r[X2]):
        best = abs(c2 / (3.0 * r[X3]))
    up = first_root_of_cubic(apart + 2.0 * width, c1, c2, -r[X3], min(best, most))
    best = min(best, up)
    down = first_root_of_cubic(apart - 2.0 * width, c1, c2, -r[X3], min(best, most))
    best = min(best, down)
    if r[Q0] * r[Q1] < 0.0 and abs(r[Q0]) > LARGE_VALUE * width:
        best = min(best, (abs(r[Q0]) - 2.0 * width) / abs(r[Q1]))
    return best


@waiting.kernel
def wait(s: Floats, k: Ints, i: Int, is_own: Int, most: Float) -> Float:
    """Both polynomials count from now; nobody asks for more than `most`."""
    r = s[RECORD * i :]
    if k[METHOD] == QSS:
        return wait_explicit(r, k[ORDER], most)
    if k[METHOD] == CQSS:
        return wait_centred(r)
    if k[ORDER] == 1:
        return wait_1(r)
    if k[ORDER] == 2:
        return wait_2(r, is_own)
    return wait_3(r, is_own, most)
