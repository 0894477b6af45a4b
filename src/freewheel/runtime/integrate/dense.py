"""Values inside a step: a polynomial in theta = (t - t0) / h that starts at y0.

    y(t0 + theta * h) = y0 + c[0] * theta + c[1] * theta**2 + ...

One form serves all methods: explicit ones give weights of their stages, Radau its collocation
polynomial, and methods without an interpolant of their own the cubic of Hermite.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from freewheel.runtime.model import Vector


@dataclass(frozen=True, slots=True)
class Interpolant:
    t0: float
    h: float
    y0: Vector
    coefficients: Vector  # one row per power of theta, from the first

    def __call__(self, t: float) -> Vector:
        theta = (t - self.t0) / self.h
        total: Vector = self.coefficients[-1] * theta
        for row in self.coefficients[-2::-1]:
            total += row
            total *= theta
        total += self.y0
        return total


def hermite(t0: float, h: float, y0: Vector, f0: Vector, y1: Vector, f1: Vector) -> Interpolant:
    """Cubic with the values and slopes of both ends; its error is of order h**4."""
    rise = y1 - y0
    return Interpolant(
        t0,
        h,
        y0,
        np.array([h * f0, 3.0 * rise - h * (2.0 * f0 + f1), h * (f0 + f1) - 2.0 * rise]),
    )


def from_stages(t0: float, h: float, y0: Vector, k: Vector, weights: Vector) -> Interpolant:
    """`weights[i, j]` is the share of stage i in the power j + 1."""
    return Interpolant(t0, h, y0, h * (weights.T @ k))
