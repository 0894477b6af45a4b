"""Exact solutions of the models in `examples/`, to round-off or at least to 1e-10.

    EXACT["circuit"](np.array([0.0, 1e-3]))["C.v"]

Each function takes times and returns the named variables at those times. Linear systems
x' = A x + B u are solved by matrix exponentials: a constant or sinusoidal input is made part of the
state (an exosystem), and between switching instants everything is one homogeneous linear system.
Where a signal jumps, the value is the right limit. Independent checks: `test_exact.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Solution = Callable[[Array], dict[str, Array]]


# ---------------------------------------------------------------- tools


def expm(M: Array) -> Array:
    """Matrix exponential by scaling, a Taylor polynomial and squaring."""
    norm = float(np.abs(M).sum(axis=0).max(initial=0.0))
    squarings = max(0, int(np.ceil(np.log2(norm / 0.25)))) if norm > 0 else 0
    scaled = M / 2.0**squarings
    result = term = np.eye(len(M))
    for k in range(1, 19):
        term = term @ scaled / k
        result = result + term
    for _ in range(squarings):
        result = result @ result
    return result


def homogeneous(M: Array, z0: Array, times: Array, origin: float = 0.0) -> Array:
    """z(t) of z' = M z with z(origin) = z0, one row for each time."""
    return np.array([expm(M * (t - origin)) @ z0 for t in times]).reshape(len(times), len(z0))


def driven_by_sine(A: Array, b: Array, x0: Array, w: float, times: Array) -> Array:
    """x(t) of x' = A x + b sin(w t): sine and cosine are two more states."""
    n = len(x0)
    M = np.zeros((n + 2, n + 2))
    M[:n, :n], M[:n, n] = A, b
    M[n, n + 1], M[n + 1, n] = w, -w
    return homogeneous(M, np.concatenate([x0, [0.0, 1.0]]), times)[:, :n]


def driven_by_steps(
    A: Array, b: Array, x0: Array, steps: Sequence[tuple[float, float]], times: Array
) -> Array:
    """x(t) of x' = A x + b u, where u takes the value of each (time, value) from its time on."""
    n = len(x0)
    M = np.zeros((n + 1, n + 1))
    M[:n, :n], M[:n, n] = A, b
    result = np.empty((len(times), n))
    x = x0
    for (begin, u), (end, _) in zip(steps, [*steps[1:], (np.inf, 0.0)], strict=True):
        inside = (times >= begin) & (times < end)
        result[inside] = homogeneous(M, np.append(x, u), times[inside], begin)[:, :n]
        if end < np.inf:
            x = (expm(M * (end - begin)) @ np.append(x, u))[:n]
    return result


def pulses(amplitude: float, period: float, width: float, stop: float) -> list[tuple[float, float]]:
    """A pulse of `width` at the beginning of each period, as steps."""
    steps: list[tuple[float, float]] = []
    for k in range(int(stop / period) + 1):
        steps += [(k * period, amplitude), (k * period + width, 0.0)]
    return steps


def held(steps: Sequence[tuple[float, float]], times: Array) -> Array:
    """The value of the step function at each time."""
    begins = np.array([begin for begin, _ in steps])
    values = np.array([value for _, value in steps])
    return values[np.searchsorted(begins, times, side="right") - 1]


# ---------------------------------------------------------------- circuits


def circuit(times: Array) -> dict[str, Array]:
    V, w, R1, R2, C, L = 10.0, 2 * np.pi * 5000, 100.0, 20.0, 0.1e-6, 1.5e-3
    A = np.diag([-1 / (R1 * C), -R2 / L])
    x = driven_by_sine(A, V * np.array([1 / (R1 * C), 1 / L]), np.zeros(2), w, times)
    u = V * np.sin(w * times)
    return {
        "U0.v": u,
        "C.v": x[:, 0],
        "L.i": x[:, 1],
        "R1.i": (u - x[:, 0]) / R1,
        "L.v": u - R2 * x[:, 1],
        "y1": x[:, 0],
        "y2": x[:, 1],
    }


def mcd_fig1(times: Array) -> dict[str, Array]:
    V, w, R1, R2, C, L = 220.0, 2 * np.pi * 50, 10.0, 100.0, 0.01, 0.1
    A = np.diag([-1 / (R1 * C), -R2 / L])
    x = driven_by_sine(A, V * np.array([1 / (R1 * C), 1 / L]), np.zeros(2), w, times)
    u = V * np.sin(w * times)
    return {"AC.v": u, "C.v": x[:, 0], "L.i": x[:, 1], "R1.i": (u - x[:, 0]) / R1}


def mcd_fig8(times: Array) -> dict[str, Array]:
    """Pulses of 200 V; the capacitor and the inductor are in parallel behind the resistor."""
    R, C, L = 1.5, 200.0, 40.0
    steps = pulses(200.0, 1.0, 0.1, float(times[-1]))
    A = np.array([[-1 / (R * C), -1 / C], [1 / L, 0.0]])
    x = driven_by_steps(A, np.array([1 / (R * C), 0.0]), np.zeros(2), steps, times)
    u = held(steps, times)
    return {"V.v": u, "C.v": x[:, 0], "I.i": x[:, 1], "R.i": (u - x[:, 0]) / R}


def mcd_fig23(times: Array) -> dict[str, Array]:
    u = 15.0 * np.sin(2 * np.pi * 50 * times)
    return {"V.v": u, "R1.v": u, "R1.i": u / 10.0}


def mcd_fig26(times: Array) -> dict[str, Array]:
    R, C = 10.0, 15.0
    steps = pulses(10.0, 2.0, 1.0, float(times[-1]))
    x = driven_by_steps(
        np.array([[-1 / (R * C)]]), np.array([1 / (R * C)]), np.zeros(1), steps, times
    )
    u = held(steps, times)
    return {"V.v": u, "C.v": x[:, 0], "R1.i": (u - x[:, 0]) / R}


def rectifier(times: Array) -> dict[str, Array]:
    """Leaky diode: the conductance from source to capacitor has one value per mode.

    Both branches of the diode's curve meet at zero voltage and current, so the mode changes exactly
    where the source passes the capacitor voltage.
    """
    w, Ri, RL, C, leak = 2 * np.pi * 50, 10.0, 50.0, 1e-3, 1e-5
    conductance = {True: 1 / (Ri + leak), False: 1 / (Ri + 1 / leak)}

    def matrix(on: bool) -> Array:
        g = conductance[on]
        return np.array([[-(g + 1 / RL) / C, g / C, 0.0], [0.0, 0.0, w], [0.0, -w, 0.0]])

    z, begin, on = np.array([0.0, 0.0, 1.0]), 0.0, True
    u2, i0, blocked = (np.empty(len(times)) for _ in range(3))
    while begin <= times[-1]:
        M = matrix(on)
        end = begin + _first_meeting(M, z, on)
        inside = (times >= begin) & (times < end)
        states = homogeneous(M, z, times[inside], begin)
        u2[inside] = states[:, 0]
        i0[inside] = conductance[on] * (states[:, 1] - states[:, 0])
        blocked[inside] = float(not on)
        z, begin, on = expm(M * (end - begin)) @ z, end, not on
    return {"u2": u2, "i0": i0, "D.off": blocked, "U0.v": np.sin(w * times)}


def _first_meeting(M: Array, z0: Array, on: bool) -> float:
    """When source and capacitor voltage meet again: a coarse walk, then bisection."""

    def gap(t: float) -> float:
        z = expm(M * t) @ z0
        return float(z[1] - z[0]) * (1.0 if on else -1.0)

    low = step = 1e-4
    while gap(low + step) > 0:
        low += step
    high = low + step
    while high - low > 1e-15:
        middle = (low + high) / 2
        low, high = (middle, high) if gap(middle) > 0 else (low, middle)
    return high


# ---------------------------------------------------------------- mechanics, heat, tanks


def mass_spring_damper(times: Array) -> dict[str, Array]:
    """x'' + d x' + c x = 0 with x counted from the relaxed length, in closed form."""
    c, d, x0, rest = 100.0, 1.0, 0.5, 1.0
    w = np.sqrt(c - d**2 / 4)
    decay = np.exp(-d / 2 * times)
    x = x0 * decay * (np.cos(w * times) + d / (2 * w) * np.sin(w * times))
    v = -x0 * decay * c / w * np.sin(w * times)
    return {"mass.s": x + rest, "mass.v": v, "spring.f": c * x, "damper.lossPower": d * v**2}


def dc_motor(times: Array) -> dict[str, Array]:
    V, R, L, k, J, d = 24.0, 0.8, 0.01, 0.2, 0.001, 0.01
    A = np.array([[-R / L, -k / L, 0.0], [k / J, -d / J, 0.0], [0.0, 1.0, 0.0]])
    x = driven_by_steps(A, np.array([1 / L, 0.0, 0.0]), np.zeros(3), [(0.0, V)], times)
    return {
        "inductor.i": x[:, 0],
        "inertia.w": x[:, 1],
        "inertia.phi": x[:, 2],
        "emf.tauElectrical": k * x[:, 0],
    }


def rc(times: Array) -> dict[str, Array]:
    V, R, C = 10.0, 100.0, 1e-6
    left = V * np.exp(-times / (R * C))
    return {"c.v": V - left, "r.v": left, "c.i": left / R}


def two_tanks(times: Array) -> dict[str, Array]:
    A1, A2, k1, k2, inflow, h2 = 1.0, 2.0, 0.05, 0.1, 0.1, 0.5
    A = np.array([[-k1 / A1, 0.0], [k1 / A2, -k2 / A2]])
    x = driven_by_steps(A, np.array([1 / A1, 0.0]), np.array([0.0, h2]), [(0.0, inflow)], times)
    return {"h1": x[:, 0], "h2": x[:, 1], "q1": k1 * x[:, 0], "q2": k2 * x[:, 1]}


def draining_tank(times: Array) -> dict[str, Array]:
    """The root of the level falls linearly."""
    A, a, h0, g = 1.0, 0.004, 4.0, 9.80665
    root = np.sqrt(h0) - a / A * np.sqrt(g / 2) * times
    return {"h": root**2, "v": np.sqrt(2 * g) * root}


def heated_room(times: Array) -> dict[str, Array]:
    """Counted from the mean outside temperature; the weather starts at its minimum."""
    air, wall, windows, plaster, insulation = 4e5, 2e7, 30.0, 200.0, 1 / 0.02
    heat, swing, w, mean = 1500.0, 6.0, 2 * np.pi / 86400, 278.15
    M = np.zeros((5, 5))  # air, wall, weather, its derivative over w, heater
    M[0] = np.array([-(windows + plaster), plaster, windows, 0.0, 1.0]) / air
    M[1] = np.array([plaster, -(plaster + insulation), insulation, 0.0, 0.0]) / wall
    M[2, 3], M[3, 2] = w, -w
    z0 = np.array([290.15 - mean, 285.15 - mean, -swing, 0.0, heat])
    z = homogeneous(M, z0, times)
    return {"air.T": z[:, 0] + mean, "wall.T": z[:, 1] + mean, "outside.T": z[:, 2] + mean}


def pendulum_ode(times: Array) -> dict[str, Array]:
    """Released from rest: sin(phi/2) = k sn(K + w0 t, k), with k = sin(start/2)."""
    g, L, start = 9.81, 1.0, 2.0
    w0, k = np.sqrt(g / L), np.sin(start / 2)
    quarter = np.pi / 2 / _agm(1.0, float(np.sqrt(1 - k**2)))
    sn, cn = _sn_cn(quarter + w0 * times, float(k))
    return {"phi": 2 * np.arcsin(k * sn), "w": 2 * k * w0 * cn}


def _agm(a: float, b: float) -> float:
    """Arithmetic-geometric mean."""
    while abs(a - b) > 1e-16 * a:
        a, b = (a + b) / 2, float(np.sqrt(a * b))
    return a


def _sn_cn(u: Array, k: float) -> tuple[Array, Array]:
    """Jacobi's sn and cn by descending Landen steps (Abramowitz and Stegun, 16.4)."""
    a, b, c = [1.0], float(np.sqrt(1 - k**2)), [k]
    while c[-1] > 1e-17:
        c.append((a[-1] - b) / 2)
        a, b = [*a, (a[-1] + b) / 2], float(np.sqrt(a[-1] * b))
    phi = 2 ** (len(a) - 1) * a[-1] * u
    for j in range(len(a) - 1, 0, -1):
        phi = (phi + np.arcsin(c[j] / a[j] * np.sin(phi))) / 2
    return np.sin(phi), np.cos(phi)


def van_der_pol(times: Array) -> dict[str, Array]:
    """No closed form: Taylor series of order 24 with steps that keep the last terms below 1e-17."""
    mu, order = 2.0, 24
    state, now = np.array([0.5, 0.0]), 0.0
    rows = []
    for t in times:
        while now < t:
            x, y = _series(float(state[0]), float(state[1]), mu, order)
            tail = max(abs(x[-1]), abs(y[-1]), 1e-300)
            h = min(float(t) - now, 0.5 * (1e-17 / tail) ** (1 / order))
            powers = h ** np.arange(order + 1)
            state, now = np.array([x @ powers, y @ powers]), now + h
        rows.append(state)
    result = np.array(rows)
    return {"x": result[:, 0], "y": result[:, 1]}


def _series(x0: float, y0: float, mu: float, order: int) -> tuple[Array, Array]:
    """Taylor coefficients of x' = y, y' = mu (1 - x^2) y - x."""
    x, y, square, product = (np.zeros(order + 1) for _ in range(4))
    x[0], y[0] = x0, y0
    for n in range(order):
        square[n] = x[: n + 1] @ x[n::-1]
        product[n] = square[: n + 1] @ y[n::-1]
        x[n + 1] = y[n] / (n + 1)
        y[n + 1] = (mu * (y[n] - product[n]) - x[n]) / (n + 1)
    return x, y


# ---------------------------------------------------------------- delay and transport


def delay_equation(t: Array) -> dict[str, Array]:
    """By the method of steps: y is a sum of powers of t - k + 1, each from its own instant on."""
    y = np.ones_like(t)
    for k in range(1, 12):
        since = np.maximum(t - (k - 1), 0.0)
        power = np.ones_like(t)
        for factor in range(1, k + 1):
            power = power * since / factor
        y = y + (-1) ** k * power
    return {"y": y}


def turning_pipe(t: Array) -> dict[str, Array]:
    """x = 1.5 sin t. What is at an end entered when x was the same (left), or smaller by one."""
    x = 1.5 * np.sin(t)
    is_back = (t >= np.pi / 2) & (t < 1.5 * np.pi)
    entered = np.arcsin(np.clip(x / 1.5, -1, 1))
    through = np.arcsin(np.clip((x - 1) / 1.5, -1, 1))

    def inflow(when: Array) -> Array:
        return 40 - 20 * np.cos(2 * when)

    # The first water from the left comes through at x = 1, that of the second time at x = -1/2.
    has_come = np.where(t < np.pi / 2, x >= 1, (t > np.pi) & (x >= -0.5))
    right = np.where(~is_back & has_come, inflow(through), 20.0)
    left = np.where(is_back, np.where(x >= 0.5, inflow(entered), 20.0), inflow(t))
    return {"x": x, "left": left, "right": right}


def sampled_drive(times: Array) -> dict[str, Array]:
    """Difference equations at the ticks; between them w decays towards the torque."""
    w, x, target, ticks = 0.0, 0.0, 1.0, []
    for tick in range(21):
        if tick % 5 == 0:
            target = 1.0 if tick <= 7 else 2.0
        error = target - w
        x += 0.1 * error
        torque = 4.0 * (error + x)
        ticks.append((w, torque))
        w = torque + (w - torque) * np.exp(-0.1)
    number = np.minimum(np.floor(10.0 * times + 1e-9).astype(int), 20)
    begin, torque = np.array(ticks)[number].T
    decay = np.exp(-(times - number / 10))
    return {"w": torque + (begin - torque) * decay, "torque": torque}


EXACT: dict[str, Solution] = {
    function.__name__: function
    for function in (
        circuit,
        rectifier,
        mcd_fig1,
        mcd_fig8,
        mcd_fig23,
        mcd_fig26,
        mass_spring_damper,
        dc_motor,
        rc,
        two_tanks,
        draining_tank,
        heated_room,
        pendulum_ode,
        van_der_pol,
        delay_equation,
        turning_pipe,
        sampled_drive,
    )
}
