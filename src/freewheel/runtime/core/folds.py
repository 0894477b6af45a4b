"""Folds of curves without corners, inside a core: `i = s^3 - 3*s` in series with an ideal diode.

    motion = motion_of(core, t, y)
    motion.folding                         # the unknown that no step can follow; None: there is none
    landing = next_branch(core, motion)    # y with it on the next branch; None: no other one goes on

What is stored, the time and the position of the elements are given there; unknown are the rates of what is
stored and the values of all else. As of loops outside of a core (`backend/follow_kernels.py`) a point
slightly beyond the fold has no solution on the branch, and the curve of points at which all residuals are in
the ratio they have there, g(u) = share*g(u0), leads to the next solution. It is walked along by its length,
to which the turning point is a point like others. Both directions lead somewhere; only in one of them the
determinant has the sign that it had on the branch.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt, ulp
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from freewheel.runtime.kernels.core_folds import FAST, FIRST_STEP
from freewheel.runtime.model import Vector

Mask = npt.NDArray[np.bool_]

if TYPE_CHECKING:
    from freewheel.runtime.core.attach import AttachedCore

# Beyond the fold, of the time in which the fastest state passes its size: half of the digits, then farther.
BEYOND, FARTHER, MOST_TRIES = sqrt(np.finfo(float).eps), 8.0, 12
FIRST, LONGEST, SHORTEST = 1e-3, 0.1, 1e-10  # steps along the curve, in sizes of the unknowns
MOST_STEPS = 1000
AWAY = 1e8  # sizes of the unknowns: a curve that leads so far does not come back
CORRECTIONS = 8
ASIDE = 0.1  # of a step: by so much the curve may leave its tangent
STRAIGHT = 0.98  # cosine of the angle between the tangents at both ends of a step
SOLVED = 1e-10  # a correction after which the next one is rounding


@dataclass(frozen=True, slots=True)
class Motion:
    t: float
    y: Vector
    rate: Vector  # as steps have found it that were longer than rounding of time
    stored: Mask  # by unknown: whether its rate occurs
    usual: float  # rate of the fastest state beside its size
    folding: int | None


def motion_of(core: AttachedCore, t: float, y: Vector) -> Motion:
    """As `fold_ahead` of `kernels/core_folds.py`, for all unknowns."""
    n, problem, rate = core.n, core.problem, np.array(core.record.trend)
    out = np.zeros(2 * n * n)
    problem.jacobians(problem.memory, t, y, rate, out)
    stored: Mask = np.asarray(out[n * n :].reshape(n, n).any(axis=0))
    sizes = np.maximum(np.asarray(core.record.size), np.asarray(core.record.corner_floor))
    speed = np.abs(rate) / np.maximum(sizes, 1e-300)
    usual = max(1.0 / core.record.h_max, speed[stored].max(initial=0.0))
    fastest = int(np.argmax(np.where(stored, 0.0, speed)))
    bends = not core.mode.is_linear
    is_fast = bends and not stored[fastest] and speed[fastest] > FAST * usual
    return Motion(t, y, rate, stored, usual, fastest if is_fast else None)


def next_branch(core: AttachedCore, motion: Motion) -> Vector | None:
    """The core is ready to go on from there: its matrices are those of the landing, and the short steps
    before say nothing of what follows."""
    here = _Curve(core, motion, 0.0)
    began = np.asarray(core.record.settled_y)
    sense = here.sense(np.where(motion.stored, motion.rate, began))
    beyond = max(BEYOND / motion.usual, 64.0 * ulp(motion.t))
    for _ in range(MOST_TRIES):
        curve = _Curve(core, motion, beyond)
        for heading in (curve.heading, -curve.heading):
            found = curve.walked(heading)
            landing = None if found is None else here.solved(found)
            if landing is not None and here.sense(landing * here.sizes) * sense >= 0.0:
                core.record.h = FIRST_STEP / motion.usual
                core.forget_step_sizes()
                core.record.y[:] = here.values(landing)
                core.visit(np.asarray(core.record.y), motion.t)
                return here.values(landing)
        beyond *= FARTHER
    return None


class _Curve:
    """g(u) in units in which sizes of unknowns and rows are about one, a time after the fold."""

    def __init__(self, core: AttachedCore, motion: Motion, beyond: float) -> None:
        self.core, self.stored, self.t = core, motion.stored, motion.t + beyond
        self.y = motion.y + np.where(motion.stored, beyond * motion.rate, 0.0)
        sizes = np.maximum(np.abs(motion.y), np.asarray(core.record.size))
        sizes = np.where(sizes > 0.0, sizes, 1.0)
        speeds = np.maximum(np.abs(motion.rate), motion.usual * sizes)
        self.sizes = np.where(motion.stored, speeds, sizes)
        self.start = np.where(motion.stored, motion.rate, motion.y) / self.sizes
        self.heading = np.where(motion.stored, 0.0, motion.rate) / self.sizes
        # The largest term of each row, what is given among them: at a fold there may be no other.
        by_value, by_rate = self.matrices(motion.y, np.where(motion.stored, motion.rate, 0.0))
        terms = np.hstack([by_value * sizes, np.where(motion.stored, by_rate * speeds, 0.0)])
        largest = np.abs(terms).max(axis=1)
        self.rows = 1.0 / np.where(largest > 0.0, largest, 1.0)

    def values(self, u: Vector) -> Vector:
        return np.where(self.stored, self.y, u * self.sizes)

    def matrices(self, y: Vector, rates: Vector) -> Vector:
        """By values and by rates; NaN where there are none."""
        n, problem, out = self.core.n, self.core.problem, np.empty(2 * self.core.n**2)
        if problem.jacobians(problem.memory, self.t, y, rates, out) != 0:
            out[:] = np.nan
        return out.reshape(2, n, n)

    def sense(self, values: Vector) -> float:
        """The sign of the determinant; 0 where it cannot be told."""
        y, rates = np.where(self.stored, self.y, values), np.where(self.stored, values, 0.0)
        matrix = np.where(self.stored, *self.matrices(y, rates)[::-1])
        sign = float(np.linalg.slogdet(matrix * self.sizes * self.rows[:, None])[0])
        return sign if np.isfinite(sign) else 0.0

    def linearised(self, u: Vector) -> tuple[Vector, Vector]:
        """Residuals and their matrix."""
        n, problem, residual = self.core.n, self.core.problem, np.empty(self.core.n)
        y, rates = self.values(u), np.where(self.stored, u * self.sizes, 0.0)
        ys = np.concatenate([y, rates, np.zeros(2 * n)])
        if problem.rates(problem.memory, self.t, 0, ys, residual) != 0:
            residual[:] = np.nan
        by_value, by_rate = self.matrices(y, rates)
        matrix = np.where(self.stored, by_rate, by_value) * self.sizes
        return residual * self.rows, matrix * self.rows[:, None]

    def solved(self, u: Vector) -> Vector | None:
        """By Newton's method."""
        for _ in range(CORRECTIONS):
            residual, matrix = self.linearised(u)
            change = _quotient(matrix, -residual)
            if change is None:
                return None
            u = u + change
            if np.abs(change).max() <= SOLVED:
                return u
        return None

    def walked(self, heading: Vector) -> Vector | None:
        """From the start to the next solution behind a turning point."""
        ahead, matrix = self.linearised(self.start)
        share = float(np.abs(ahead).max())
        if not share > 0.0:
            return None
        ahead = ahead / share
        tangent = _tangent(matrix, ahead, np.append(heading, 0.0))
        point, length, has_turned = np.append(self.start, share), FIRST, False
        for _ in range(MOST_STEPS):
            if tangent is None or length < SHORTEST:
                return None
            new = self._corrected(point + length * tangent, ahead, tangent, length)
            bent = None if new is None else _tangent(self.linearised(new[:-1])[1], ahead, tangent)
            if new is None or bent is None or bent @ tangent < STRAIGHT:
                length *= 0.5
                continue
            has_turned = has_turned or new[-1] > point[-1]
            if new[-1] <= 0.0:
                part = point[-1] / (point[-1] - new[-1])
                found = self.solved((point + part * (new - point))[:-1])
                return found if has_turned else None
            point, tangent = new, bent
            farthest = float(np.abs(point).max())
            if farthest > AWAY:
                return None
            length = min(2.0 * length, LONGEST * max(1.0, farthest))
        return None

    def _corrected(
        self, guess: Vector, ahead: Vector, tangent: Vector, length: float
    ) -> Vector | None:
        """Onto the curve, across its tangent."""
        point = guess
        for _ in range(CORRECTIONS):
            residual, matrix = self.linearised(point[:-1])
            right = np.append(point[-1] * ahead - residual, 0.0)
            change = _quotient(_bordered(matrix, ahead, tangent), right)
            if change is None:
                return None
            point = point + change
            if np.abs(point - guess).max() > ASIDE * length:
                return None
            if np.abs(change).max() <= max(1e-6 * length, SOLVED):
                return point
        return None


def _bordered(matrix: Vector, ahead: Vector, tangent: Vector) -> Vector:
    return np.vstack([np.column_stack([matrix, -ahead]), tangent])


def _tangent(matrix: Vector, ahead: Vector, before: Vector) -> Vector | None:
    """Of the curve, of length one, in the direction in which it was."""
    right = np.zeros(len(before))
    right[-1] = 1.0
    found = _quotient(_bordered(matrix, ahead, before / np.linalg.norm(before)), right)
    return None if found is None else np.asarray(found / np.linalg.norm(found))


def _quotient(matrix: Vector, right: Vector) -> Vector | None:
    if not (np.isfinite(matrix).all() and np.isfinite(right).all()):
        return None
    try:
        found = np.linalg.solve(matrix, right)
    except np.linalg.LinAlgError:
        return None
    return np.asarray(found) if np.isfinite(found).all() else None
