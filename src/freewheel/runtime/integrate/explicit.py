"""One explicit Runge-Kutta step. Hairer, Norsett, Wanner I, section II.1.

Explicit(DOPRI5).attempt(problem, t, y, f, h, work).error <= 1.0
"""

from __future__ import annotations

import numpy as np

from freewheel.runtime.integrate.dense import from_stages, hermite
from freewheel.runtime.integrate.problem import Attempt, Problem, Rhs, Work, failed, scaled_norm
from freewheel.runtime.integrate.tableau import Tableau
from freewheel.runtime.model import Vector


def rk_stages(
    rhs: Rhs, tableau: Tableau, t: float, y: Vector, h: float, k: Vector, y_stage: Vector
) -> int:
    """Fill `k[1:]`; `k[0]` holds the slope at (t, y). `y_stage` ends as the point of the last
    stage. Never writes `y`: a rejected step leaves nothing to undo."""
    a, c = tableau.a, tableau.c
    for i in range(1, len(c)):
        np.dot(a[i, :i], k[:i], out=y_stage)
        y_stage *= h
        y_stage += y
        status = rhs(t + c[i] * h, y_stage, k[i])
        if status != 0:
            return status
    return 0


class Explicit:
    """Steps by a tableau."""

    def __init__(self, tableau: Tableau, has_weak_interpolant: bool = False) -> None:
        self.has_weak_interpolant = has_weak_interpolant
        self.name = tableau.name
        self.tableau = tableau
        self.error_order = tableau.error_order

    def reset(self) -> None:
        """Nothing is remembered between steps."""

    def attempt(
        self, problem: Problem, t: float, y: Vector, f: Vector, h: float, work: Work
    ) -> Attempt:
        tableau = self.tableau
        k = np.empty((tableau.stages, problem.size))
        k[0] = f
        y_stage = y.copy()
        status = rk_stages(problem.rhs, tableau, t, y, h, k, y_stage)
        work.evaluations += tableau.stages - 1
        if status != 0:
            return failed(y)
        if tableau.last_stage_is_next_first:
            y_new, f_new = y_stage, k[-1]
        else:
            y_new, f_new = y + h * (tableau.b @ k), np.empty(problem.size)
            work.evaluations += 1
            if problem.rhs(t + h, y_new, f_new) != 0:
                return failed(y)
        return self._judged(problem, t, y, h, k, y_new, f_new)

    def _judged(
        self,
        problem: Problem,
        t: float,
        y: Vector,
        h: float,
        k: Vector,
        y_new: Vector,
        f_new: Vector,
    ) -> Attempt:
        tableau = self.tableau
        if tableau.b_error is None:
            error = 0.0 if np.isfinite(y_new).all() and np.isfinite(f_new).all() else np.inf
        else:
            error = scaled_norm(h * (tableau.b_error @ k), y, y_new, problem)
        if not np.isfinite(error):
            return failed(y)
        if tableau.dense is None:
            inside = hermite(t, h, y, k[0], y_new, f_new)
        else:
            inside = from_stages(t, h, y, k, tableau.dense)
        return Attempt(error, y_new, f_new, inside, self._stiffness(y, h, k, y_new))

    def _stiffness(self, y: Vector, h: float, k: Vector, y_new: Vector) -> float:
        """|h * lambda| from two stages at the same time. Hairer, Wanner II, section IV.2."""
        tableau = self.tableau
        if not tableau.last_stage_is_next_first or tableau.c[-2] != 1.0:
            return 0.0
        y_before = y + h * (tableau.a[-2, :-2] @ k[:-2])
        distance = np.linalg.norm(y_new - y_before)
        return float(h * np.linalg.norm(k[-1] - k[-2]) / distance) if distance > 0.0 else 0.0
