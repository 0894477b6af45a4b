"""The quantized polynomial of a state after a step.

    quantize(qss, i, t, stop)               # q of state i from x, the quantum and the linear model

Explicit methods take the first terms of x (Kofman, QSS1 to QSS3). Linearly implicit ones take a polynomial
that x will meet: with rate = a*q + u(t) and q, x equal in value and in `order` derivatives less one after a
time h, q follows from h; the largest h that keeps |q - x| within bounds is taken (Migoni, Bortolotto, Kofman,
Cellier 2013, LIQSS). The centred method keeps q in the middle of the change of x until the next step.
"""

from __future__ import annotations

from math import inf, sqrt

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Int
from freewheel.runtime.qss.memory import Qss, QuantizedState
from freewheel.runtime.qss.methods import CQSS, LIQSS, QSS
from freewheel.runtime.qss.thresholds import QUANTA

quantizers = KernelModule("qss_quantizers")


@quantizers.kernel
def advance_x(state: QuantizedState, t: Float) -> None:
    """Expands x(t) and u(t) around `t`."""
    e = t - state.tx
    if e != 0.0:
        state.x0 += e * (state.x1 + e * (state.x2 + e * state.x3))
        state.x1 += e * (2.0 * state.x2 + 3.0 * e * state.x3)
        state.x2 += 3.0 * e * state.x3
        state.u0 += e * (state.u1 + e * state.u2)
        state.u1 += 2.0 * e * state.u2
        state.tx = t


@quantizers.kernel
def advance_q(state: QuantizedState, t: Float) -> None:
    e = t - state.tq
    if e != 0.0:
        state.q0 += e * (state.q1 + e * state.q2)
        state.q1 += 2.0 * e * state.q2
        state.tq = t


@quantizers.kernel
def x_at(state: QuantizedState, t: Float) -> Float:
    """The record is not changed."""
    e = t - state.tx
    return state.x0 + e * (state.x1 + e * (state.x2 + e * state.x3))


@quantizers.kernel
def q_at(state: QuantizedState, t: Float) -> Float:
    e = t - state.tq
    return state.q0 + e * (state.q1 + e * state.q2)


@quantizers.kernel
def state_at(qss: Qss, i: Int, t: Float) -> Float:
    """As relations and events see the state."""
    state = qss.states[i]
    if qss.events_see_q == 1 and is_stiff(qss, state) == 1:
        return q_at(state, t)
    return x_at(state, t)


@quantizers.kernel
def is_stiff(qss: Qss, state: QuantizedState) -> Int:
    """A stiff state has settled at q, while its x may be anywhere within the quantum."""
    return 1 if -state.a > qss.stiff else 0


@quantizers.kernel
def meets_2(x: Float, a: Float, u0: Float, u1: Float, h: Float) -> Float:
    """q now such that q and x agree in value and slope after h."""
    reached = (x + h * u0 + 0.5 * h * h * u1) * (1.0 - h * a)
    return (reached + (0.5 * h * h * a - h) * (u0 + h * u1)) / (1.0 - h * a + 0.5 * h * h * a * a)


@quantizers.kernel
def quantize_1(state: QuantizedState) -> None:
    """q is x plus or minus a quantum in the direction of x, or nearer where the rate vanishes."""
    x = state.x0
    width = state.quantum
    a = state.a
    u = state.u0
    q = x
    if u + a * (x + width) > 0.0:
        q = x + width
    elif u + a * (x - width) < 0.0:
        q = x - width
    elif a != 0.0:
        q = -u / a
    state.q0 = q


@quantizers.kernel
def quantize_2(state: QuantizedState, t: Float, stop: Float) -> None:
    """The x of a settled state can stay nearly two quanta from q, since its rate depends on q alone, and
    leaves its bounds at any change. Where steps are frequent a narrower bound is used."""
    x = state.x0
    width = state.quantum
    a = state.a
    u0 = state.u0
    u1 = state.u1
    q = x
    slope = u0
    if a < 0.0:
        bend = 2.0 * state.x2
        if bend == 0.0:
            bend = a * (a * state.q0 + u0) + u1
        if bend == 0.0:
            bend = QUANTA.tiny
        settled = (
            QUANTA.settled_bound * width
            if (state.last_step - t) * a < QUANTA.often
            else 2.0 * width
        )
        h = stop - t
        q = meets_2(x, a, u0, u1, h)
        if abs(q - x) > settled:
            h = min(h, sqrt(abs(2.0 * width / bend)))
            q = meets_2(x, a, u0, u1, h)
            if h > -QUANTA.settled / a and abs(q - x) > settled:
                h = -QUANTA.settled / a
                q = meets_2(x, a, u0, u1, h)
            for _trial in range(QUANTA.trials):
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
    state.q0 = q
    state.q1 = slope


@quantizers.kernel
def meets_3(state: QuantizedState, h: Float) -> None:
    """q0, q1, q2 now such that q and x agree in value, slope and curvature after h."""
    a = state.a
    u0 = state.u0
    u1 = state.u1
    u2 = state.u2
    fade = 1.0 - a * h
    alpha = 0.5 * a / fade
    beta = 0.5 * (u1 + 2.0 * u2 * h) / fade
    wide = 2.0 * h - a * h * h
    under = fade + alpha * wide
    gamma = a / under
    delta = (u0 + h * (u1 + h * u2) - beta * wide) / under
    first = h - 0.5 * a * h * h
    second = h * h - a * h * h * h / 3.0
    reached = state.x0 + h * (u0 + h * (0.5 * u1 + h * u2 / 3.0))
    left = fade + gamma * first + alpha * gamma * second
    q = (reached - delta * first - (alpha * delta + beta) * second) / left
    state.q0 = q
    state.q1 = gamma * q + delta
    state.q2 = alpha * state.q1 + beta


@quantizers.kernel
def quantize_3(state: QuantizedState, t: Float, stop: Float) -> None:
    x = state.x0
    width = state.quantum
    if state.a < 0.0:
        h = stop - t
        meets_3(state, h)
        if not abs(state.q0 - x) <= 2.0 * width:
            h = min(h, (width / max(abs(state.x3), QUANTA.tiny)) ** (1.0 / 3.0))
            meets_3(state, h)
            if h > -QUANTA.settled / state.a and not abs(state.q0 - x) <= 2.0 * width:
                h = -QUANTA.settled / state.a
                meets_3(state, h)
            for _trial in range(QUANTA.trials):
                if abs(state.q0 - x) <= 2.0 * width:
                    break
                h *= min(0.7937, (width / abs(state.q0 - x)) ** (1.0 / 3.0))
                meets_3(state, h)
    elif state.u2 != 0.0:
        h = min(stop - t, (3.0 * width / abs(state.u2)) ** (1.0 / 3.0))
        meets_3(state, h)
    else:
        state.q0 = x
        state.q1 = state.u0
        state.q2 = 0.5 * state.u1
    if not abs(state.q0 - x) <= 2.0 * width:
        state.q0 = x
        state.q1 = state.x1
        state.q2 = state.x2


@quantizers.kernel
def quantize(qss: Qss, i: Int, t: Float, stop: Float) -> None:
    """x counts from `t`."""
    state = qss.states[i]
    order = qss.order
    state.tq = t
    if qss.method == QSS:
        state.q0 = state.x0
        state.q1 = state.x1 if order > 1 else 0.0
        state.q2 = state.x2 if order > 2 else 0.0
    elif qss.method == CQSS:
        qss.directions[i] = 1.0 if state.x1 > 0.0 else (-1.0 if state.x1 < 0.0 else 0.0)
        state.q0 = state.x0 + 0.5 * qss.directions[i] * state.quantum
    elif order == 1:
        quantize_1(state)
    elif order == 2:
        quantize_2(state, t, stop)
        state.last_step = t if qss.method == LIQSS else -inf  # not for mLIQSS
    else:
        quantize_3(state, t, stop)
