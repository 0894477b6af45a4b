"""Folds of curves without corners, inside a core: `i = s^3 - 3*s` in series with an ideal diode.

    motion = motion_of(core, t, y)
    motion.folding                         # the unknown that no step can follow; None: there is none
    landing = next_branch(core, motion)    # y with it on the next branch; None: no other one goes on
    motion = start_on_fold(core, t, y)     # where nothing has moved yet; None: no fold
    landing = only_branch(core, motion)

What is stored, the time and the position of the elements are given there; unknown are the rates of what is
stored and the values of all else. As of loops outside of a core (`backend/follow_kernels.py`) a point
slightly beyond the fold has no solution on the branch, and the curve of points at which all residuals are in
the ratio they have there, g(u) = share*g(u0), leads to the next solution. It is walked along by its length,
to which the turning point is a point like others. Both directions lead somewhere; only in one of them the
determinant has the sign that it had on the branch.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ulp
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from freewheel.runtime.model import Vector
from freewheel.runtime.switched_dae.thresholds import CURVES
from freewheel.runtime.thresholds import FOLDS, TINIEST

Mask = npt.NDArray[np.bool_]

if TYPE_CHECKING:
    from freewheel.runtime.switched_dae.attached import AttachedCore


@dataclass(frozen=True, slots=True)
class Motion:
    t: float
    y: Vector
    rate: Vector  # as steps have found it that were longer than rounding of time
    stored: Mask  # by unknown: whether its rate occurs
    usual: float  # rate of the fastest state beside its size
    folding: int | None


def motion_of(core: AttachedCore, t: float, y: Vector) -> Motion:
    """As `fold_ahead` of `switched_dae/folds_kernels.py`, for all unknowns."""
    n, problem, rate = core.n, core.problem, np.array(core.record.trend)
    out = np.zeros(2 * n * n)
    problem.jacobians(problem.memory, t, y, rate, out)
    stored: Mask = np.asarray(out[n * n :].reshape(n, n).any(axis=0))
    sizes = np.maximum(np.asarray(core.record.size), np.asarray(core.record.corner_floor))
    speed = np.abs(rate) / np.maximum(sizes, TINIEST)
    usual = max(1.0 / core.record.h_max, speed[stored].max(initial=0.0))
    fastest = int(np.argmax(np.where(stored, 0.0, speed)))
    bends = not core.mode.is_linear
    is_fast = bends and not stored[fastest] and speed[fastest] > CURVES.fast * usual
    return Motion(t, y, rate, stored, usual, fastest if is_fast else None)


def next_branch(core: AttachedCore, motion: Motion) -> Vector | None:
    """The core is ready to go on from there: its matrices are those of the landing, and the short steps
    before say nothing of what follows."""
    here = _Curve(core, motion, 0.0)
    began = np.asarray(core.record.settled_y)
    sense = here.sense(np.where(motion.stored, motion.rate, began))
    beyond = max(FOLDS.beyond / motion.usual, FOLDS.units * ulp(motion.t))
    for _ in range(FOLDS.most_tries):
        curve = _Curve(core, motion, beyond)
        for heading in (curve.heading, -curve.heading):
            found = curve.walked(heading)
            landing = None if found is None else here.solved(found)
            if landing is not None and here.sense(landing * here.sizes) * sense >= 0.0:
                return _landed(core, motion, here.values(landing))
        beyond *= FOLDS.farther
    return None


def only_branch(core: AttachedCore, motion: Motion) -> Vector | None:
    """As `next_branch` from a start on a fold, where rounding hides which of both branches was left: the one
    landing to which either leads; None: there are two or none, or both leave the fold."""
    here, beyond = (
        _Curve(core, motion, 0.0),
        max(FOLDS.beyond / motion.usual, FOLDS.units * ulp(motion.t)),
    )
    for _ in range(FOLDS.most_tries):
        curve = _Curve(core, motion, beyond)
        ends = [curve.walked(heading) for heading in (curve.heading, -curve.heading)]
        landings = [here.solved(end) for end in ends if end is not None]
        found = [landing for landing in landings if landing is not None]
        if found:
            return _landed(core, motion, here.values(found[0])) if len(found) == 1 else None
        beyond *= FOLDS.farther
    return None


def _landed(core: AttachedCore, motion: Motion, y: Vector) -> Vector:
    core.record.h = CURVES.first_step / motion.usual
    core.forget_step_sizes()
    core.record.y[:] = y
    core.visit(np.asarray(core.record.y), motion.t)
    return y


def start_on_fold(
    core: AttachedCore, t: float, y: Vector, singular: float = CURVES.singular
) -> Motion | None:
    """The rates of what is stored and, of all else, the direction of the fold. There the
    matrix of all that is unknown is singular, and its determinant changes its sign. (Of a mode of higher
    index it is singular on both sides; where a curve only touches, like s*abs(s), both sides are alike.)"""
    start = _Start(core, t, y)
    if start.is_regular(singular):
        return None
    left, values, right = np.linalg.svd(start.matrix(np.zeros(core.n)))
    flat = values <= singular * values[0]
    left, right = left[:, flat], right[flat].T
    point = start.consistent(left, right)
    if point is None:
        return None
    shares = np.where(start.stored, 0.0, np.linalg.norm(right, axis=1))
    for unknown in np.argsort(-shares, kind="stable").tolist():  # what moves most comes first
        heading = right @ right[unknown]
        if shares[unknown] > CURVES.singular and start.turns(point, heading, left):
            return start.motion(point, heading, unknown)
    return None


def aside(motion: Motion) -> Vector:
    """A point beside a fold at which a start is."""
    along = np.where(motion.stored, 0.0, motion.rate)
    return np.asarray(motion.y + CURVES.turned * along)


def _matrices(core: AttachedCore, t: float, y: Vector, rates: Vector) -> Vector:
    """By values and by rates; NaN where there are none."""
    n, problem, out = core.n, core.problem, np.empty(2 * core.n**2)
    if problem.jacobians(problem.memory, t, y, rates, out) != 0:
        out[:] = np.nan
    return out.reshape(2, n, n)


class _Start:
    """Equations at the start, u = 0 at the given values and at rates zero, in units in which columns and rows
    are about one whatever the units of the model are."""

    def __init__(self, core: AttachedCore, t: float, y: Vector) -> None:
        self.core, self.t, self.y = core, t, y
        self.rows, self.scales = np.ones(core.n), np.ones(core.n)
        self.stored: Mask = np.zeros(core.n, np.bool_)
        by_value, by_rate = _matrices(self.core, self.t, y, np.zeros(core.n))
        self.stored = np.asarray(by_rate.any(axis=0))
        nominals = np.array(core.core.nominals) if core.core.nominals else np.ones(core.n)
        self.sizes = np.where(y != 0.0, np.abs(y), nominals)
        given = np.abs(by_value * self.sizes).max(axis=1, initial=0.0)
        moved = np.abs(by_rate).max(axis=1, initial=0.0)
        rows = 1.0 / _or_one(np.where(given > 0.0, given, moved))
        speeds = 1.0 / _or_one((np.abs(by_rate) * rows[:, None]).max(axis=0, initial=0.0))
        self.scales = np.where(self.stored, speeds, self.sizes)
        self.rows = 1.0 / _or_one(np.maximum(given, (np.abs(by_rate) * speeds).max(axis=1)))

    def _at(self, u: Vector) -> tuple[Vector, Vector]:
        moved = u * self.scales
        return self.y + np.where(self.stored, 0.0, moved), np.where(self.stored, moved, 0.0)

    def matrix(self, u: Vector) -> Vector:
        by_value, by_rate = _matrices(self.core, self.t, *self._at(u))
        return np.asarray(
            np.where(self.stored, by_rate, by_value) * self.scales * self.rows[:, None]
        )

    def is_regular(self, singular: float) -> bool:
        """Or cannot be determined: there are no numbers."""
        matrix, ones = self.matrix(np.zeros(self.core.n)), np.ones(self.core.n)
        if not np.isfinite(matrix).all():
            return True
        found = _quotient(matrix, ones)
        return found is not None and bool(np.abs(found).max() * singular < 1.0)

    def consistent(self, left: Vector, right: Vector) -> Vector | None:
        """Where the equations hold; along the fold no value is moved, and rates follow."""
        n, problem, u = self.core.n, self.core.problem, np.zeros(self.core.n)
        for _ in range(CURVES.corrections):
            y, rates = self._at(u)
            residual = np.empty(n)
            ys = np.concatenate([y, rates, np.zeros(2 * n)])
            if problem.rates(problem.memory, self.t, 0, ys, residual) != 0:
                return None
            change = _quotient(self.matrix(u) + left @ right.T, -self.rows * residual)
            if change is None:
                return None
            change -= right @ np.linalg.lstsq(right[~self.stored], change[~self.stored])[0]
            u = u + change
            if np.abs(change).max() <= CURVES.solved * max(1.0, np.abs(u).max()):
                return u
        return None

    def turns(self, point: Vector, heading: Vector, left: Vector) -> bool:
        """Whether the matrix changes its sign in this direction."""
        heading = heading / np.abs(heading).max()
        slopes = [
            left.T @ self.matrix(point + e * heading) @ heading
            for e in (CURVES.turned, -CURVES.turned)
        ]
        if not np.isfinite(slopes).all():
            return False
        ahead, behind = slopes
        apart, joint = np.abs(ahead - behind).max(), np.abs(ahead + behind).max()
        return bool(apart > CURVES.flat * CURVES.turned and joint < 0.5 * apart)

    def motion(self, point: Vector, heading: Vector, unknown: int) -> Motion:
        y, rates = self._at(point)
        along = np.where(self.stored, rates, heading * self.scales)
        speed = np.abs(rates) / self.sizes
        usual = max(1.0 / self.core.record.h_max, speed[self.stored].max(initial=0.0))
        return Motion(self.t, y, along, self.stored, float(usual), unknown)


def _or_one(sizes: Vector) -> Vector:
    return np.where(sizes > 0.0, sizes, 1.0)


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
        by_value, by_rate = _matrices(
            self.core, self.t, motion.y, np.where(motion.stored, motion.rate, 0.0)
        )
        terms = np.hstack([by_value * sizes, np.where(motion.stored, by_rate * speeds, 0.0)])
        largest = np.abs(terms).max(axis=1)
        self.rows = 1.0 / np.where(largest > 0.0, largest, 1.0)

    def values(self, u: Vector) -> Vector:
        return np.where(self.stored, self.y, u * self.sizes)

    def sense(self, values: Vector) -> float:
        """The sign of the determinant; 0 where it cannot be determined."""
        y, rates = np.where(self.stored, self.y, values), np.where(self.stored, values, 0.0)
        matrix = np.where(self.stored, *_matrices(self.core, self.t, y, rates)[::-1])
        sign = float(np.linalg.slogdet(matrix * self.sizes * self.rows[:, None])[0])
        return sign if np.isfinite(sign) else 0.0

    def linearised(self, u: Vector) -> tuple[Vector, Vector]:
        """Residuals and their matrix."""
        n, problem, residual = self.core.n, self.core.problem, np.empty(self.core.n)
        y, rates = self.values(u), np.where(self.stored, u * self.sizes, 0.0)
        ys = np.concatenate([y, rates, np.zeros(2 * n)])
        if problem.rates(problem.memory, self.t, 0, ys, residual) != 0:
            residual[:] = np.nan
        by_value, by_rate = _matrices(self.core, self.t, y, rates)
        matrix = np.where(self.stored, by_rate, by_value) * self.sizes
        return residual * self.rows, matrix * self.rows[:, None]

    def solved(self, u: Vector) -> Vector | None:
        """By Newton's method."""
        for _ in range(CURVES.corrections):
            residual, matrix = self.linearised(u)
            change = _quotient(matrix, -residual)
            if change is None:
                return None
            u = u + change
            if np.abs(change).max() <= CURVES.solved:
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
        point, length, has_turned = np.append(self.start, share), CURVES.first, False
        for _ in range(CURVES.most_steps):
            if tangent is None or length < CURVES.shortest:
                return None
            new = self._corrected(point + length * tangent, ahead, tangent, length)
            bent = None if new is None else _tangent(self.linearised(new[:-1])[1], ahead, tangent)
            if new is None or bent is None or bent @ tangent < CURVES.straight:
                length *= 0.5
                continue
            has_turned = has_turned or new[-1] > point[-1]
            if new[-1] <= 0.0:
                part = point[-1] / (point[-1] - new[-1])
                found = self.solved((point + part * (new - point))[:-1])
                return found if has_turned else None
            point, tangent = new, bent
            farthest = float(np.abs(point).max())
            if farthest > CURVES.away:
                return None
            length = min(2.0 * length, CURVES.longest * max(1.0, farthest))
        return None

    def _corrected(
        self, guess: Vector, ahead: Vector, tangent: Vector, length: float
    ) -> Vector | None:
        """Onto the curve, across its tangent."""
        point = guess
        for _ in range(CURVES.corrections):
            residual, matrix = self.linearised(point[:-1])
            right = np.append(point[-1] * ahead - residual, 0.0)
            change = _quotient(_bordered(matrix, ahead, tangent), right)
            if change is None:
                return None
            point = point + change
            if np.abs(point - guess).max() > CURVES.aside * length:
                return None
            if np.abs(change).max() <= max(CURVES.of_length * length, CURVES.solved):
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
