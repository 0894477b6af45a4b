"""df/dy by differences, several columns at once where the sparsity permits.

groups = column_groups(((0, 1), (1,), (2,)), 3)     # columns 0 and 2 share no row
jacobian(problem, groups, t, y, f, work)
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from freewheel.runtime.integrate.problem import Problem, Sparsity, Work
from freewheel.runtime.model import Vector

Columns: TypeAlias = npt.NDArray[np.intp]

HALF_DIGITS = float(np.sqrt(np.finfo(float).eps))


def column_groups(sparsity: Sparsity | None, size: int) -> tuple[Columns, ...]:
    """Columns that may be perturbed together because no row sees two of them (Curtis, Powell and
    Reid); greedy, the fullest columns first."""
    if sparsity is None:
        return tuple(np.array([j]) for j in range(size))
    order = sorted(range(size), key=lambda j: (-len(sparsity[j]), j))
    groups: list[list[int]] = []
    taken: list[set[int]] = []
    for j in order:
        rows = sparsity[j]
        for group, used in zip(groups, taken, strict=True):
            if used.isdisjoint(rows):
                group.append(j)
                used.update(rows)
                break
        else:
            groups.append([j])
            taken.append(set(rows))
    return tuple(np.array(sorted(group)) for group in groups)


def jacobian(
    problem: Problem, groups: tuple[Columns, ...], t: float, y: Vector, f: Vector, work: Work
) -> Vector | None:
    """The dense matrix, or None where a perturbed point cannot be evaluated."""
    matrix = np.zeros((problem.size, problem.size))
    perturbed = np.empty(problem.size)
    work.jacobians += 1
    for group in groups:
        moved = y.copy()
        moved[group] += _steps(problem, y, f)[group]
        steps = moved[group] - y[group]  # what was really added, after rounding
        work.evaluations += 1
        if problem.rhs(t, moved, perturbed) != 0:
            return None
        change = perturbed - f
        if len(group) == 1:
            matrix[:, group[0]] = change / steps[0]
        else:
            _scatter(matrix, problem.sparsity, group, steps, change)
    return matrix if np.isfinite(matrix).all() else None


def _steps(problem: Problem, y: Vector, f: Vector) -> Vector:
    """In the direction of motion; as large as rounding asks for and the tolerance permits."""
    size = np.maximum(np.abs(y), problem.atol / problem.rtol)
    return HALF_DIGITS * np.where(f < 0.0, -size, size)


def _scatter(
    matrix: Vector, sparsity: Sparsity | None, group: Columns, steps: Vector, change: Vector
) -> None:
    assert sparsity is not None
    for j, step in zip(group, steps, strict=True):
        rows = list(sparsity[j])
        matrix[rows, j] = change[rows] / step
