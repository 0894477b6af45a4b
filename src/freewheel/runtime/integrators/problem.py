"""The problem of an integrator: tolerances, limits of the step size, sparsity.

    Problem(size=2, rtol=1e-6, atol=np.full(2, 1e-9))

The section `derivatives` returns 0, or another status where a point cannot be evaluated: the step is repeated
with a smaller size.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TypeAlias

from freewheel.runtime.model import Vector

Sparsity: TypeAlias = tuple[tuple[int, ...], ...]  # per column: the rows that are not zero


@dataclass(frozen=True, slots=True)
class Problem:
    size: int
    rtol: float
    atol: Vector
    sparsity: Sparsity | None = None
    longest: float = inf  # step
    shortest: float = 0.0
    fixed: float = 0.0  # size of fixed steps


@dataclass(slots=True)
class Work:
    """Counts of work, which only grow."""

    evaluations: int = 0
    jacobians: int = 0
    factorisations: int = 0
    newton_iterations: int = 0
    locating: int = 0  # evaluations that locate events


class StepError(Exception):
    """No step is possible at time t; the simulation names the cause."""

    def __init__(self, t: float, h: float, error: float) -> None:
        super().__init__(f"no step possible at t = {t!r}, h = {h!r}")
        self.t = t
        self.h = h
        self.error = error  # of the last trial step; infinite if it cannot be computed
