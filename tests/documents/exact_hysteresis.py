"""The hysteresis-controlled engine (document 002, Fig. 9.7) by matrix exponentials.

Between two switchings the circuit is linear: x = (i, u, sin, cos, 1), x' = M x with a matrix M for each
position.
A switching is a zero of i - Y -+ B, found by Newton's method on the exact solution.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import expm

FINE = 1e-3  # s: shorter than the shortest stay in a position


@dataclass(frozen=True)
class Engine:
    omega: float = 1.0
    amplitude: float = 1000.0
    R: float = 0.002
    line: float = 0.0025  # H
    filter: float = 0.0075
    C: float = 500.0
    load: float = 6334.0  # A
    u0: float = 1184.0
    band: float = 200.0

    def matrix(self, opposes: bool) -> np.ndarray:
        L = self.line + self.filter
        a = 1.0 if opposes else 0.0
        m = np.zeros((5, 5))
        m[0, :3] = -self.R / L, -a / L, self.amplitude / L
        m[1, 0], m[1, 4] = a / self.C, -self.load / self.C
        m[2, 3], m[3, 2] = self.omega, -self.omega
        return m

    def beyond(self, x: np.ndarray, opposes: bool) -> float:
        """Positive once the current has left the band on the side at which the position changes."""
        wanted = 15e6 / self.amplitude * x[2]
        return wanted - self.band - x[0] if opposes else x[0] - wanted - self.band

    def rate(self, x: np.ndarray, opposes: bool) -> float:
        """Of `beyond`: it is linear in all but the constant band."""
        return self.beyond(self.matrix(opposes) @ x, opposes) + self.band

    def filter_voltage(self, x: np.ndarray, opposes: bool) -> float:
        slope = (self.matrix(opposes) @ x)[0]
        return float(self.amplitude * x[2] - self.R * x[0] - self.line * slope)

    def run(self, stop: float) -> tuple[list[float], np.ndarray, bool]:
        """Times of switchings; current, voltage, ... and position at the end."""
        t, x, opposes = 0.0, np.array([0.0, self.u0, 0.0, 1.0, 1.0]), False
        times: list[float] = []
        while True:
            m = self.matrix(opposes)
            step, s = expm(m * FINE), 0.0
            y = x
            while t + s < stop and self.beyond(y, opposes) <= 0.0:
                y, s = step @ y, s + FINE
            if t + s >= stop:
                y = expm(m * (stop - t)) @ x
                if self.beyond(y, opposes) <= 0.0:
                    return times, y, opposes
                s = stop - t
            crossing = s - 0.5 * FINE
            for _ in range(6):
                y = expm(m * crossing) @ x
                crossing -= self.beyond(y, opposes) / self.rate(y, opposes)
            x, t, opposes = expm(m * crossing) @ x, t + crossing, not opposes
            times.append(t)
