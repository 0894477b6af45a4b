"""Signals as pieces of polynomials: coefficients at a time, and how long they are near enough.

The rest of a Taylor polynomial is at most a bound of the next derivative times h^n / n!, so the
next piece begins when that has grown to a quantum: no root is searched for. Pieces also begin where
a signal is not smooth.
"""

from __future__ import annotations

import math
from math import cos, exp, log, sin

from freewheel.devs.qbg.signal_kernels import (
    CONSTANT,
    EXP_SINE,
    EXPONENTIAL,
    PULSE,
    RAMP,
    SINE,
    TABLE,
    next_corner,
    signal_at,
    signals,
    table_piece,
)
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int

NEVER = math.inf

taylor = KernelModule("qbg_taylor", signals)


@taylor.kernel
def smooth_until(kind: Int, p: Floats, t: Float) -> Float:
    """After `t`, when a piece of the signal ends."""
    if kind == CONSTANT:
        return NEVER
    if kind == TABLE:
        after = table_piece(p, t) + 1
        return p[4 + after] if after < int(p[3]) else NEVER
    if t < p[2]:
        return p[2]
    if kind == PULSE:
        return next_corner(kind, p, t)
    if kind == RAMP or kind == EXPONENTIAL:  # noqa: SIM109, a kernel knows no `in`
        return p[2] + p[3] if t < p[2] + p[3] else NEVER
    return NEVER


@taylor.kernel
def table_slope(p: Floats, t: Float) -> Float:
    count = int(p[3])
    piece = table_piece(p, t)
    if piece < 0 or piece + 1 >= count:
        return 0.0
    rise = p[5 + count + piece] - p[4 + count + piece]
    return rise / (p[5 + piece] - p[4 + piece])


@taylor.kernel
def coefficients_at(kind: Int, p: Floats, t: Float, c: Floats) -> None:
    """Value, slope and half of the second derivative, of the piece that begins or goes on at `t`."""
    c[0] = signal_at(kind, p, t)
    c[1] = 0.0
    c[2] = 0.0
    if kind == TABLE:
        c[1] = table_slope(p, t)
        return
    if kind <= PULSE or t < p[2]:  # piecewise constant, or at rest
        return
    since = t - p[2]
    if kind == RAMP:
        c[1] = p[1] / p[3] if t < p[2] + p[3] else 0.0
    elif kind == SINE:
        angle = p[3] * since + p[4]
        c[1] = p[1] * p[3] * cos(angle)
        c[2] = -0.5 * p[1] * p[3] * p[3] * sin(angle)
    elif kind == EXP_SINE:
        angle = p[3] * since + p[4]
        size = p[1] * exp(-p[5] * since)
        c[1] = size * (p[3] * cos(angle) - p[5] * sin(angle))
        both = (p[5] * p[5] - p[3] * p[3]) * sin(angle) - 2.0 * p[5] * p[3] * cos(angle)
        c[2] = 0.5 * size * both
    elif t < p[2] + p[3]:
        rest = p[1] * exp(-since / p[4])
        c[1] = rest / p[4]
        c[2] = -0.5 * rest / (p[4] * p[4])
    else:
        top = p[1] * (1.0 - exp(-p[3] / p[4])) * exp(-(since - p[3]) / p[5])
        c[1] = -top / p[5]
        c[2] = 0.5 * top / (p[5] * p[5])


@taylor.kernel
def rate_bound(kind: Int, p: Floats, t: Float, order: Int) -> Float:
    """A bound of the derivative of that order, from `t` on to the end of the piece."""
    if t < p[2]:
        return 0.0
    since = t - p[2]
    if kind == SINE:
        return abs(p[1]) * exp(order * log(p[3]))
    if kind == EXP_SINE:
        turning = exp(0.5 * order * log(p[3] * p[3] + p[5] * p[5]))
        return abs(p[1]) * exp(-p[5] * since) * turning
    if kind == EXPONENTIAL and t < p[2] + p[3]:
        return abs(p[1]) * exp(-since / p[4]) / exp(order * log(p[4]))
    if kind == EXPONENTIAL:
        top = abs(p[1]) * (1.0 - exp(-p[3] / p[4]))
        return top * exp(-(since - p[3]) / p[5]) / exp(order * log(p[5]))
    return 0.0


@taylor.kernel
def piece_length(bound: Float, order: Int, quantum: Float) -> Float:
    """h with bound * h^order / order! = quantum."""
    factorial = 2.0 if order == 2 else 6.0
    return exp(log(quantum * factorial / bound) / order) if bound > 0.0 else NEVER


@taylor.kernel
def piece_end(kind: Int, p: Floats, t: Float, order: Int, quantum: Float) -> Float:
    """When the next piece begins, after `t`; `order` coefficients are sent."""
    end = smooth_until(kind, p, t)
    wait = piece_length(rate_bound(kind, p, t, order), order, quantum)
    if kind == EXP_SINE and p[5] < 0.0 and wait < NEVER:  # it grows: bounded by its end
        wait = piece_length(rate_bound(kind, p, t + wait, order), order, quantum)
    return min(end, t + wait)
