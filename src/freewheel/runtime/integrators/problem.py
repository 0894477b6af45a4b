"""What an integrator may know of a model: how accurate each state should be, how long a step may be.

    Problem(size=2, rtol=1e-6, atol=np.full(2, 1e-9))

A right-hand side (the section `derivatives`) returns a status: 0 is fine, anything else says that the point
cannot be evaluated (a step that meets one is tried again, shorter).
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
    """How much was done; steps only ever add to it."""

    evaluations: int = 0
    jacobians: int = 0
    factorisations: int = 0
    newton_iterations: int = 0
    locating: int = 0  # of the evaluations: to find the instants of events


class StepError(Exception):
    """No step was possible at (t, y); the simulation names the cause."""

    def __init__(self, t: float, h: float, error: float) -> None:
        super().__init__(f"no step possible at t = {t!r}, h = {h!r}")
        self.t = t
        self.h = h
        self.error = error  # of the last attempt; infinite if it could not be computed
