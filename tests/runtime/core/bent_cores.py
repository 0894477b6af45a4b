"""Cores that are not linear: a saturating inductor behind a diode, a ball on a string."""

from __future__ import annotations

from math import cosh, sin, tanh

import numpy as np
from scheduled import ScheduledCore

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.switched_dae.model import CoreElement
from freewheel.runtime.switched_dae.problem import CoreProblem

bent = KernelModule("hand_written_bent_cores")

W50 = 314.1592653589793
QUARTER = 1.5707963267948966
G = 9.81


@bent.kernel
def saturating_rates(m: Floats, t: Float, order: Int, ys: Floats, out: Floats) -> Int:
    """Unknowns flux, i, uL, u2, s; only orders 0 and 1 are needed, the index is 2."""
    n = 5
    x = ys[order * n :]
    d = ys[(order + 1) * n :]
    on = m[0]
    u0 = 10.0 * sin(W50 * t + QUARTER * float(order))
    if order == 1:
        u0 *= W50
    out[0] = d[0] - x[2]
    i = ys[1]
    if order == 0:
        out[1] = x[0] - 0.02 * tanh(0.5 * i) - 0.001 * i
    else:
        out[1] = x[0] - (0.01 / (cosh(0.5 * i) * cosh(0.5 * i)) + 0.001) * x[1]
    out[2] = x[2] + (1.0 - on) * x[4] + x[3] - u0
    out[3] = x[1] - on * x[4]
    out[4] = 1e-3 * d[3] + x[3] / 50.0 - x[1]
    return 0 if order < 2 else 1


@bent.kernel
def saturating_jacobians(m: Floats, t: Float, y: Floats, slope: Floats, out: Floats) -> Int:
    for k in range(50):
        out[k] = 0.0
    on = m[0]
    out[2] = -1.0
    out[25] = 1.0
    out[5] = 1.0
    out[6] = -(0.01 / (cosh(0.5 * y[1]) * cosh(0.5 * y[1])) + 0.001)
    out[12] = 1.0
    out[13] = 1.0
    out[14] = 1.0 - on
    out[16] = 1.0
    out[19] = -on
    out[21] = -1.0
    out[23] = 1.0 / 50.0
    out[25 + 23] = 1e-3
    return 0


@bent.kernel
def string_rates(m: Floats, t: Float, order: Int, ys: Floats, out: Floats) -> Int:
    """Unknowns x, y, vx, vy, tension/length, s; taut while the bit is set: index 3."""
    n = 6
    q = ys[order * n :]
    d = ys[(order + 1) * n :]
    on = m[0]
    a = ys[n:]
    b = ys[2 * n :]
    out[0] = d[0] - q[2]
    out[1] = d[1] - q[3]
    out[5] = q[4] - on * q[5]
    if order == 0:
        out[2] = d[2] + ys[4] * ys[0]
        out[3] = d[3] + ys[4] * ys[1] + G
        out[4] = ys[0] * ys[0] + ys[1] * ys[1] - 1.0
    elif order == 1:
        out[2] = d[2] + a[4] * ys[0] + ys[4] * a[0]
        out[3] = d[3] + a[4] * ys[1] + ys[4] * a[1]
        out[4] = 2.0 * (ys[0] * a[0] + ys[1] * a[1])
    else:
        out[2] = d[2] + b[4] * ys[0] + 2.0 * a[4] * a[0] + ys[4] * b[0]
        out[3] = d[3] + b[4] * ys[1] + 2.0 * a[4] * a[1] + ys[4] * b[1]
        out[4] = 2.0 * (a[0] * a[0] + ys[0] * b[0] + a[1] * a[1] + ys[1] * b[1])
    out[4] -= (1.0 - on) * q[5]
    return 0


@bent.kernel
def string_jacobians(m: Floats, t: Float, y: Floats, slope: Floats, out: Floats) -> Int:
    for k in range(72):
        out[k] = 0.0
    on = m[0]
    out[2] = -1.0
    out[6 + 3] = -1.0
    out[12] = y[4]
    out[12 + 4] = y[0]
    out[18 + 1] = y[4]
    out[18 + 4] = y[1]
    out[24] = 2.0 * y[0]
    out[24 + 1] = 2.0 * y[1]
    out[24 + 5] = on - 1.0
    out[30 + 4] = 1.0
    out[30 + 5] = -on
    for k in range(4):
        out[36 + 7 * k] = 1.0
    return 0


def saturating_inductor() -> CoreProblem:
    return ScheduledCore(
        "saturating inductor",
        ("flux", "i", "uL", "u2", "s"),
        ("L", "saturation", "loop", "D", "C"),
        ("D",),
        (CoreElement("D", 4, 0),),
        np.zeros(1),
        0,
        np.zeros(5),
        False,
        saturating_rates,
        saturating_jacobians,
        bent.address("saturating_rates"),
        bent.address("saturating_jacobians"),
    )


def ball_on_a_string(start: tuple[float, float, float, float]) -> CoreProblem:
    return ScheduledCore(
        "ball on a string",
        ("x", "y", "vx", "vy", "lam", "s"),
        ("x", "y", "x momentum", "y momentum", "string", "tension"),
        ("taut",),
        (CoreElement("taut", 5, 0),),
        np.zeros(1),
        0,
        np.array([*start, 0.0, 0.0]),
        False,
        string_rates,
        string_jacobians,
        bent.address("string_rates"),
        bent.address("string_jacobians"),
    )
