"""Explicit Runge-Kutta methods as data: a tableau that checks itself when it is made.

    RK4.order == 4, RK4.a.shape == (4, 4)

Coefficients: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, sections II.1, II.5 (Dormand
and Prince) and II.6 (dense output).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from freewheel.runtime.integrators.thresholds import METHODS
from freewheel.runtime.model import Vector


@dataclass(frozen=True, slots=True, eq=False)
class Tableau:
    name: str
    order: int
    a: Vector
    b: Vector
    c: Vector
    b_error: Vector | None = None  # b minus the weights of the embedded method
    error_order: int = 0  # power of h in the error estimate
    dense: Vector | None = None  # weights of an interpolant: stages by powers of theta

    def __post_init__(self) -> None:
        assert np.allclose(self.a.sum(axis=1), self.c, atol=METHODS.consistent), (
            "rows of a sum to c"
        )
        assert np.isclose(self.b.sum(), 1.0), "b sums to one"
        assert not np.triu(self.a).any(), "explicit"
        if self.b_error is not None:
            assert abs(self.b_error.sum()) < METHODS.consistent, "both methods are consistent"
        if self.dense is not None:
            assert np.allclose(self.dense.sum(axis=1), self.b), "the interpolant ends at y1"

    @property
    def stages(self) -> int:
        return len(self.b)

    @property
    def numbers(self) -> Vector:
        """What kernels read: a by rows, b, c, weights of the error."""
        error = self.b_error if self.b_error is not None else np.zeros(self.stages)
        return np.concatenate([self.a.ravel(), self.b, self.c, error])


def _numbers(text: str) -> Vector:
    return np.array([float(Fraction(item)) for item in text.split()])


def _lower(*rows: str) -> Vector:
    matrix = np.zeros((len(rows), len(rows)))
    for i, row in enumerate(rows):
        numbers = _numbers(row)
        matrix[i, : len(numbers)] = numbers
    return matrix


def _dense_of_dormand_prince(b: Vector, d: Vector) -> Vector:
    """The quartic of Hairer I (6.12) written by powers of theta.

    y = y0 + theta*r1 + theta*(1-theta)*r2 + theta^2*(1-theta)*r3 + theta^2*(1-theta)^2*r4 with r1 = h*b.k, r2
    = h*k1 - r1, r3 = 2*r1 - h*k1 - h*k7, r4 = h*d.k."""
    first, last = np.eye(len(b))[0], np.eye(len(b))[-1]
    r2, r3 = first - b, 2.0 * b - first - last
    return np.column_stack([b + r2, r3 - r2 + d, -r3 - 2.0 * d, d])


EULER = Tableau("euler", 1, np.zeros((1, 1)), np.ones(1), np.zeros(1))

RK4 = Tableau(
    "rk4",
    4,
    _lower("", "1/2", "0 1/2", "0 0 1"),
    _numbers("1/6 1/3 1/3 1/6"),
    _numbers("0 1/2 1/2 1"),
)

_B5 = _numbers("35/384 0 500/1113 125/192 -2187/6784 11/84 0")
_D = _numbers(
    "-12715105075/11282082432 0 87487479700/32700410799 -10690763975/1880347072"
    " 701980252875/199316789632 -1453857185/822651844 69997945/29380423"
)

DOPRI5 = Tableau(
    "dopri5",
    5,
    _lower(
        "",
        "1/5",
        "3/40 9/40",
        "44/45 -56/15 32/9",
        "19372/6561 -25360/2187 64448/6561 -212/729",
        "9017/3168 -355/33 46732/5247 49/176 -5103/18656",
        "35/384 0 500/1113 125/192 -2187/6784 11/84",
    ),
    _B5,
    _numbers("0 1/5 3/10 4/5 8/9 1 1"),
    b_error=_numbers("71/57600 0 -71/16695 71/1920 -17253/339200 22/525 -1/40"),
    error_order=5,
    dense=_dense_of_dormand_prince(_B5, _D),
)

_F4 = _numbers("25/216 0 1408/2565 2197/4104 -1/5 0")
_F5 = _numbers("16/135 0 6656/12825 28561/56430 -9/50 2/55")

# Fehlberg 1969; the solution of order 4 goes on, that of order 5 only judges it. Table II.5.1.
RKF45 = Tableau(
    "rkf45",
    4,
    _lower(
        "",
        "1/4",
        "3/32 9/32",
        "1932/2197 -7200/2197 7296/2197",
        "439/216 -8 3680/513 -845/4104",
        "-8/27 2 -3544/2565 1859/4104 -11/40",
    ),
    _F4,
    _numbers("0 1/4 3/8 12/13 1 1/2"),
    b_error=_F4 - _F5,
    error_order=5,
)
