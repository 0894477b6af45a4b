"""Radau IIA of order 5: implicit, three stages, for stiff models. Hairer, Wanner II, section IV.8.

The transformation into one real and one complex system is that of `three_stage.py`; their matrices are
computed once and kept while the step size and the Jacobian stay.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from freewheel.runtime.integrate.dense import Interpolant
from freewheel.runtime.integrate.jacobian import Columns, column_groups, jacobian
from freewheel.runtime.integrate.problem import (
    Attempt,
    Problem,
    Sparsity,
    Work,
    failed,
    scaled_norm,
)
from freewheel.runtime.integrate.three_stage import RADAU_IIA, ComplexVector
from freewheel.runtime.model import Vector

A, C, E, POWERS = RADAU_IIA.a, RADAU_IIA.c, RADAU_IIA.error, RADAU_IIA.powers
MU_REAL, MU_COMPLEX = RADAU_IIA.mu_real, RADAU_IIA.mu_complex
T_REAL, T_COMPLEX = RADAU_IIA.t_real, RADAU_IIA.t_complex
TI_REAL, TI_COMPLEX = RADAU_IIA.ti_real, RADAU_IIA.ti_complex

assert np.allclose(A @ C**2, C**3 / 3), "collocation of order three"

MAX_NEWTON = 7
SLOW = 1e-3  # a contraction slower than this asks for a new Jacobian


@dataclass(slots=True)
class _Matrices:
    """Kept from step to step."""

    jacobian: Vector
    h: float = 0.0
    real: Vector | None = None  # inverse of MU_REAL/h - J
    complex: ComplexVector | None = None

    def prepare(self, h: float, work: Work) -> bool:
        if self.real is not None and self.h == h:
            return True
        unit = np.eye(len(self.jacobian))
        try:
            self.real = np.asarray(np.linalg.inv(MU_REAL / h * unit - self.jacobian), float)
            self.complex = np.asarray(np.linalg.inv(MU_COMPLEX / h * unit - self.jacobian), complex)
        except np.linalg.LinAlgError:
            self.real = None
            return False
        self.h = h
        work.factorisations += 2
        return True


@dataclass(frozen=True, slots=True)
class _Stages:
    """Outcome of Newton's iteration."""

    z: Vector
    converged: bool
    iterations: int
    rate: float


class Radau:
    """Steps by simplified Newton iteration; an old Jacobian is kept while it contracts well."""

    name = "radau"
    error_order = 4
    has_weak_interpolant = True

    def __init__(self) -> None:
        self.groups: tuple[Columns, ...] | None = None
        self.pattern: Sparsity | None = None  # for which the groups were made
        self.reset()

    def reset(self) -> None:
        self.matrices: _Matrices | None = None
        self.is_fresh = False  # the Jacobian belongs to the present point
        self.last: Interpolant | None = None
        self.rejected_before = True

    def attempt(
        self, problem: Problem, t: float, y: Vector, f: Vector, h: float, work: Work
    ) -> Attempt:
        while True:
            matrices = self._matrices(problem, t, y, f, work)
            if matrices is None or not matrices.prepare(h, work):
                return failed(y)
            stages = _newton(problem, matrices, t, y, h, self._guess(t, y, h), work)
            if stages.converged:
                break
            if self.is_fresh:
                return failed(y, shrink=0.5)
            self.matrices = None
        return self._judged(problem, matrices, t, y, f, h, stages, work)

    def _matrices(
        self, problem: Problem, t: float, y: Vector, f: Vector, work: Work
    ) -> _Matrices | None:
        if self.matrices is None:
            if self.groups is None or self.pattern is not problem.sparsity:
                self.groups = column_groups(problem.sparsity, problem.size)
                self.pattern = problem.sparsity
            slope = jacobian(problem, self.groups, t, y, f, work)
            if slope is None:
                return None
            self.matrices, self.is_fresh = _Matrices(slope), True
        return self.matrices

    def _guess(self, t: float, y: Vector, h: float) -> Vector:
        """Continue the polynomial of the last step."""
        if self.last is None:
            return np.zeros((3, len(y)))
        return np.array([self.last(t + c * h) - y for c in C])

    def _judged(
        self,
        problem: Problem,
        matrices: _Matrices,
        t: float,
        y: Vector,
        f: Vector,
        h: float,
        stages: _Stages,
        work: Work,
    ) -> Attempt:
        y_new = y + stages.z[2]
        f_new = np.empty(problem.size)
        work.evaluations += 1
        if problem.rhs(t + h, y_new, f_new) != 0 or not np.isfinite(f_new).all():
            return failed(y)
        error = self._error(problem, matrices, t, y, f, y_new, h, stages.z, work)
        inside = Interpolant(t, h, y, POWERS @ stages.z)
        self.rejected_before = error > 1.0
        if error <= 1.0:
            self.last = inside
            self.is_fresh = False
            if stages.iterations > 2 and stages.rate > SLOW:
                self.matrices = None
        return Attempt(error, y_new, f_new, inside, newton_iterations=stages.iterations)

    def _error(
        self,
        problem: Problem,
        matrices: _Matrices,
        t: float,
        y: Vector,
        f: Vector,
        y_new: Vector,
        h: float,
        z: Vector,
        work: Work,
    ) -> float:
        """Embedded estimate, filtered through the matrix so that stiff parts do not inflate it;
        filtered twice where the first value would reject, (8.20)."""
        assert matrices.real is not None
        weighted = (E @ z) / h
        error = matrices.real @ (f + weighted)
        norm = scaled_norm(error, y, y_new, problem)
        if norm <= 1.0 or not self.rejected_before:
            return norm
        slope = np.empty(problem.size)
        work.evaluations += 1
        if problem.rhs(t, y + error, slope) != 0 or not np.isfinite(slope).all():
            return norm
        return scaled_norm(matrices.real @ (slope + weighted), y, y_new, problem)


def _newton(
    problem: Problem, matrices: _Matrices, t: float, y: Vector, h: float, z: Vector, work: Work
) -> _Stages:
    """Solve for the stage increments, beginning at `z`."""
    enough = max(10.0 * np.finfo(float).eps / problem.rtol, min(0.03, problem.rtol**0.5))
    assert matrices.real is not None
    assert matrices.complex is not None
    w_real, w_complex = TI_REAL @ z, TI_COMPLEX @ z
    slopes = np.empty((3, problem.size))
    before, rate = 0.0, 0.0
    for iteration in range(1, MAX_NEWTON + 1):
        if not _slopes(problem, t, y, h, z, slopes, work):
            return _Stages(z, False, iteration, rate)
        work.newton_iterations += 1
        step_real = matrices.real @ (TI_REAL @ slopes - MU_REAL / h * w_real)
        step_complex = matrices.complex @ (TI_COMPLEX @ slopes - MU_COMPLEX / h * w_complex)
        change = np.outer(T_REAL, step_real) + 2.0 * np.outer(T_COMPLEX, step_complex).real
        size = max(scaled_norm(row, y, y, problem) for row in change)
        if iteration > 1 and before > 0.0:
            rate = size / before
            left = MAX_NEWTON - iteration
            if rate >= 1.0 or rate**left / (1.0 - rate) * size > enough:
                return _Stages(z, False, iteration, rate)
        w_real, w_complex = w_real + step_real, w_complex + step_complex
        z = z + change
        if size == 0.0 or (iteration > 1 and rate / (1.0 - rate) * size < enough):
            return _Stages(z, True, iteration, rate)
        before = size
    return _Stages(z, False, MAX_NEWTON, rate)


def _slopes(
    problem: Problem, t: float, y: Vector, h: float, z: Vector, slopes: Vector, work: Work
) -> bool:
    for i in range(3):
        work.evaluations += 1
        if problem.rhs(t + C[i] * h, y + z[i], slopes[i]) != 0:
            return False
    return bool(np.isfinite(slopes).all())
