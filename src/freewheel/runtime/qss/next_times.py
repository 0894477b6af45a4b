"""Next event times of states: when the quantized polynomial is too far from the continuous one.

    time_to_step(qss, i, is_own, most)      # from now; 0: at once

`is_own`: the state has just taken a step. Bounds are the quantum for explicit methods and twice the quantum
for linearly implicit ones, whose next step is due where the polynomials meet.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Int
from freewheel.runtime.integrators.thresholds import STEPS
from freewheel.runtime.qss.memory import Qss, QuantizedState
from freewheel.runtime.qss.methods import CQSS, QSS
from freewheel.runtime.qss.roots import NO_ROOT, first_exit, first_root_of_cubic, polynomials
from freewheel.runtime.qss.thresholds import QUANTA

waiting = KernelModule("qss_waiting", polynomials)


@waiting.kernel
def step_factor(allowed: Float, wrong: Float, power: Float) -> Float:
    """Factor of the next interval, from the error of a polynomial that grows with this power of time."""
    change = 2.0
    if wrong > 0.0:
        change = min(2.0, max(STEPS.least, STEPS.safety * (allowed / wrong) ** (1.0 / power)))
    return change


@waiting.kernel
def step_explicit(state: QuantizedState, order: Int, most: Float) -> Float:
    """From the whole polynomial, also after an own step: q has the slopes that x had before. With the last
    coefficient alone, (quantum/|x_n|)^(1/n), a state with a vanishing x_n would take no step any more."""
    width = state.quantum
    apart = state.q0 - state.x0
    if abs(apart) > QUANTA.beyond * width:
        return 0.0
    if order == 3:
        c1 = state.q1 - state.x1
        c2 = state.q2 - state.x2
        up = first_root_of_cubic(apart + width, c1, c2, -state.x3, most)
        return min(up, first_root_of_cubic(apart - width, c1, c2, -state.x3, min(up, most)))
    return first_exit(apart, state.q1 - state.x1, -state.x2, width)


@waiting.kernel
def step_centred(state: QuantizedState, side: Float) -> Float:
    """x may go half a quantum beyond q, and a whole one behind it after its rate has changed sign."""
    rate = state.x1
    ahead = (state.x0 - state.q0) * side
    if side == 0.0:
        gone = abs(state.x0 - state.q0)
        return max(0.0, 0.5 * state.quantum - gone) / abs(rate) if rate != 0.0 else NO_ROOT
    if rate * side > 0.0:
        return max(0.0, 0.5 * state.quantum - ahead) / abs(rate)
    if rate != 0.0:
        return max(0.0, state.quantum + ahead) / abs(rate)
    return NO_ROOT


@waiting.kernel
def step_1(state: QuantizedState) -> Float:
    rate = state.x1
    apart = state.q0 - state.x0
    if rate == 0.0:
        return NO_ROOT
    if rate * apart > 0.0:
        return apart / rate
    if apart == 0.0:
        return state.quantum / abs(rate)
    return max(0.0, 2.0 * state.quantum - abs(apart)) / abs(rate)


@waiting.kernel
def step_2(state: QuantizedState, is_own: Int) -> Float:
    width = state.quantum
    apart = state.q0 - state.x0
    slope = state.q1 - state.x1
    bend = -state.x2
    best = first_exit(apart, slope, bend, 2.0 * width)
    if (
        is_own == 1
        and state.a < 0.0
        and bend != 0.0
        and abs(slope) > QUANTA.rounding * abs(state.x1)
    ):
        best = min(best, abs(slope / bend))
    return best


@waiting.kernel
def step_3(state: QuantizedState, is_own: Int, most: Float) -> Float:
    width = state.quantum
    apart = state.q0 - state.x0
    c1 = state.q1 - state.x1
    c2 = state.q2 - state.x2
    best = NO_ROOT
    if is_own == 1 and state.x3 != 0.0 and abs(c2) > QUANTA.rounding * abs(state.x2):
        best = abs(c2 / (3.0 * state.x3))
    up = first_root_of_cubic(apart + 2.0 * width, c1, c2, -state.x3, min(best, most))
    best = min(best, up)
    down = first_root_of_cubic(apart - 2.0 * width, c1, c2, -state.x3, min(best, most))
    return min(best, down)


@waiting.kernel
def time_to_step(qss: Qss, i: Int, is_own: Int, most: Float) -> Float:
    """Both polynomials count from now; times beyond `most` are not needed."""
    state = qss.states[i]
    if qss.method == QSS:
        return step_explicit(state, qss.order, most)
    if qss.method == CQSS:
        return step_centred(state, qss.directions[i])
    bound = 2.0 * state.quantum
    if abs(state.q0 - state.x0) > QUANTA.beyond * bound:
        return 0.0
    if qss.order == 1:
        return step_1(state)
    best = step_2(state, is_own) if qss.order == 2 else step_3(state, is_own, most)
    # A relative quantum is too wide where q passes through zero.
    if state.q0 * state.q1 < 0.0 and abs(state.q0) > QUANTA.large_value * state.quantum:
        best = min(best, (abs(state.q0) - bound) / abs(state.q1))
    return best
