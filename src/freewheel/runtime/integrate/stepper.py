"""Accepted steps: tries a method until the error is small enough, and remembers the point.

    stepper = Stepper(problem, "auto", longest=0.1)
    stepper.restart(t, y)
    step = stepper.step(limit=1.0)      # step.t1 <= 1.0, step.interpolant
    stepper.accept(step)

A step is a proposal until `accept`: the event loop may cut it first.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite, ulp

import numpy as np

from freewheel.runtime.integrate.choose import AUTO, StiffnessWatch, method_named
from freewheel.runtime.integrate.control import (
    factor_after,
    factor_after_rejection,
    first_step,
    optimistic_factor,
)
from freewheel.runtime.integrate.dense import Interpolant
from freewheel.runtime.integrate.problem import Attempt, Method, Problem, Work
from freewheel.runtime.model import Vector

ROUNDING = 16.0  # steps shorter than this many units in the last place of t cannot be resolved
STRETCH = 1.1  # of a step, to end on the limit: document 002, section 9.3
NEARLY = 0.999  # of the way to the limit, where a step may not be stretched

FORGETTING = 0.9  # per step, of how large a state was


class StepError(Exception):
    """No step was possible at (t, y); the simulation names the cause."""

    def __init__(self, t: float, h: float, error: float) -> None:
        super().__init__(f"no step possible at t = {t!r}, h = {h!r}")
        self.t = t
        self.h = h
        self.error = error  # of the last attempt; infinite if it could not be computed


@dataclass(frozen=True, slots=True)
class Step:
    t0: float
    t1: float
    y1: Vector
    f1: Vector
    interpolant: Interpolant | None  # None: so short that the states stay
    error: float
    stiffness: float

    def __call__(self, t: float) -> Vector:
        """States at a time inside the step; exact at its end."""
        if self.interpolant is None or t == self.t1:
            return self.y1
        return self.interpolant(t)


class Stepper:
    def __init__(
        self,
        problem: Problem,
        solver: str,
        longest: float = inf,
        fixed: float | None = None,
        shortest: float = 0.0,
        is_optimistic: bool = False,
    ) -> None:
        self.problem = problem
        self.method: Method = method_named("dopri5" if solver == AUTO else solver)
        self.watch = StiffnessWatch() if solver == AUTO else None
        self.longest = longest
        self.shortest = shortest  # around time zero rounding alone would permit 1e-300
        self.is_optimistic = is_optimistic  # a step is never repeated
        self.fixed = fixed if self.method.error_order == 0 else None
        self.work = Work()
        self.steps = 0
        self.rejected = 0
        self.notes: list[str] = []
        self.sizes: list[tuple[float, float]] = []  # (t, h) of accepted steps
        self.t = 0.0
        self.y = np.zeros(problem.size)
        self.f = np.zeros(problem.size)
        self.h = 0.0  # to be tried next; 0: not yet known
        self.previous_error = 1e-4

    @property
    def solver(self) -> str:
        return self.method.name

    @property
    def keeps_steps(self) -> bool:
        """Steps are never repeated."""
        return self.fixed is not None or self.is_optimistic

    def restart(self, t: float, y: Vector) -> int:
        """Begin anew at a point; the status of the right-hand side there."""
        self.t, self.y, self.f = t, y.copy(), np.zeros(self.problem.size)
        self.method.reset()
        self.previous_error = 1e-4
        self.h = 0.0
        self.work.evaluations += 1
        return self.problem.rhs(t, self.y, self.f)

    def step(self, limit: float) -> Step:
        """The next step, ending at `limit` at the latest (and exactly there if it comes near)."""
        if limit - self.t <= ROUNDING * ulp(max(abs(self.t), abs(limit))):
            return self._hop(limit)
        h = self._wanted(limit)
        rejected = False
        error = 0.0
        while True:
            if h <= max(self.shortest, ROUNDING * ulp(self.t)):
                raise StepError(self.t, h, error)
            t1, h = self._end(h, limit, rejected)
            attempt = self.method.attempt(self.problem, self.t, self.y, self.f, h, self.work)
            if attempt.error <= 1.0 or (self.is_optimistic and isfinite(attempt.error)):
                break
            error = attempt.error
            self.rejected += 1
            rejected = True
            shrink = attempt.shrink or factor_after_rejection(attempt.error, self._order())
            h = 0.0 if self.fixed is not None else h * shrink
        self.h = self._next(attempt, h, rejected)
        return Step(
            self.t, t1, attempt.y, attempt.f, attempt.interpolant, attempt.error, attempt.stiffness
        )

    def step_to(self, end: float) -> Step:
        """A step that ends exactly at a time inside the last proposal (shorter is easier)."""
        wanted = self.h
        self.h = end - self.t
        step = self.step(end)
        self.h = wanted
        return step

    def accept(self, step: Step) -> None:
        """Move to the end of a step."""
        assert step.t0 == self.t
        self.sizes.append((step.t0, step.t1 - step.t0))
        self.steps += 1
        self.t, self.y, self.f = step.t1, step.y1, step.f1
        self.previous_error = max(step.error, 1e-4)
        lately = self.problem.lately
        np.maximum(np.abs(step.y1), FORGETTING * lately, out=lately)
        if self.watch is not None and self.watch.sees_stiffness(step.stiffness):
            self._become_implicit()

    def _become_implicit(self) -> None:
        self.watch = None
        self.method = method_named("radau")
        self.notes.append(f"changed from dopri5 to radau at time {self.t:g}: the model is stiff")

    def _order(self) -> int:
        return max(self.method.error_order, 1)

    def _wanted(self, limit: float) -> float:
        if self.fixed is not None:
            return self.fixed
        if self.h <= 0.0:
            span = min(limit - self.t, self.longest)
            if not isfinite(span):
                span = 1.0
            guess = first_step(self.problem, self.t, self.y, self.f, self._order(), span, self.work)
            # A state near zero makes the guess absurdly short; error control can shorten it anew.
            self.h = max(guess, 1e-12 * span, 1e3 * ROUNDING * ulp(self.t))
        return min(self.h, self.longest)

    def _end(self, h: float, limit: float, rejected: bool) -> tuple[float, float]:
        """Leave no short step before the limit: stretch by up to 10 % to end there, else go half of
        the way. A rejected size is not stretched again, and none beyond the longest step."""
        left = limit - self.t
        if self.fixed is not None:
            return (limit, left) if h >= (1.0 - 1e-9) * left else (self.t + h, h)
        stretches = not rejected and STRETCH * h >= left and left <= self.longest
        if h >= NEARLY * left or stretches:
            return limit, left
        h = min(h, 0.5 * left)
        return self.t + h, h

    def _next(self, attempt: Attempt, h: float, rejected: bool) -> float:
        if self.fixed is not None:
            return self.fixed
        if self.problem.size == 0:
            return self.longest
        if self.is_optimistic:
            factor = optimistic_factor(attempt.error, self._order())
        else:
            factor = factor_after(attempt.error, self.previous_error, self._order())
        if rejected:
            factor = min(factor, 1.0)
        if attempt.newton_iterations and 1.0 <= factor <= 1.2:
            return h  # the same size keeps the factorised matrices
        if (
            not rejected and h < self.h and factor >= 1.0
        ):  # a limit cut it short: that says nothing against self.h
            return max(h * factor, self.h)
        return h * factor

    def _hop(self, limit: float) -> Step:
        """Over a gap that rounding does not resolve: time moves, the states stay."""
        f = np.empty(self.problem.size)
        self.work.evaluations += 1
        if self.problem.rhs(limit, self.y, f) != 0:
            raise StepError(self.t, limit - self.t, inf)
        return Step(self.t, limit, self.y, f, None, 0.0, 0.0)
