"""What an integrator may know of a model: `y' = f(t, y)` and how accurate each state should be.

    Problem(rhs, size=2, rtol=1e-6, atol=np.full(2, 1e-9))

A right-hand side writes into an array it is given and returns a status: 0 is fine, anything else
says that the point cannot be evaluated (a step that meets one is tried again, shorter).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

import numpy as np

from freewheel.runtime.integrate.dense import Interpolant
from freewheel.runtime.model import Vector

Rhs: TypeAlias = Callable[[float, Vector, Vector], int]
Sparsity: TypeAlias = tuple[tuple[int, ...], ...]  # per column: the rows that are not zero


@dataclass(frozen=True, slots=True)
class Problem:
    rhs: Rhs
    size: int
    rtol: float
    atol: Vector
    sparsity: Sparsity | None = None
    # How large each state was lately, kept by the stepper. A state that oscillates is judged by its
    # size, not by how near to zero it happens to be: else every zero would ask for tiny steps.
    lately: Vector = field(default_factory=lambda: np.zeros(0))

    def __post_init__(self) -> None:
        if len(self.lately) != self.size:
            object.__setattr__(self, "lately", np.zeros(self.size))


@dataclass(slots=True)
class Work:
    """How much was done; steps only ever add to it."""

    evaluations: int = 0
    jacobians: int = 0
    factorisations: int = 0
    newton_iterations: int = 0
    locating: int = 0  # of the evaluations: to find the instants of events


@dataclass(frozen=True, slots=True)
class Attempt:
    """A step that was tried. `error` is in units of the tolerance: up to 1 is good enough, infinite
    means that the step could not be computed."""

    error: float
    y: Vector
    f: Vector
    interpolant: Interpolant | None
    stiffness: float = 0.0  # estimate of |h * lambda|, of explicit methods with an error estimate
    shrink: float = 0.0  # where the method itself knows by how much to shorten a failed step
    newton_iterations: int = 0


class Method(Protocol):
    """A way to take one step. Control, events and output live outside."""

    name: str
    error_order: int  # the error estimate behaves like h ** error_order; 0 means fixed steps
    has_weak_interpolant: bool  # its interpolant is less accurate than its step ends

    def attempt(
        self, problem: Problem, t: float, y: Vector, f: Vector, h: float, work: Work
    ) -> Attempt: ...

    def reset(self) -> None:
        """Forget everything about earlier steps: the point or the function has jumped."""
        ...


def scaled_norm(error: Vector, y: Vector, y_new: Vector, problem: Problem) -> float:
    """Root mean square of error over tolerance; infinite where a number is not finite."""
    if problem.size == 0:
        return 0.0
    size = np.maximum(np.maximum(np.abs(y), np.abs(y_new)), problem.lately)
    scale = problem.atol + problem.rtol * size
    ratio = error / scale
    norm = float(np.sqrt(ratio.dot(ratio) / problem.size))
    return norm if np.isfinite(norm) else np.inf


def failed(y: Vector, shrink: float = 0.0) -> Attempt:
    return Attempt(np.inf, y, y, None, shrink=shrink)
