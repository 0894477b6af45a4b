"""A nonlinear loop that keeps its branch, for the reference backend and where machine code gives up.

    FollowedLoop(m, slots, residual, starts, nominals, bounds, whole, branch).solve()

First the rules of `branch_kernels.py`, as machine code has them. Where an event changes the equations and
these rules do not tell the solution, the branch of the left limit is walked along, then that of the solution
left before (`jumps.py`); then every other means is tried. A branch that ends is held there if nearly all of
the change has been made, else `BranchEndsError` tells how far it came.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from freewheel.backend import branch_kernels as kernels
from freewheel.backend.jumps import Array, Equations, Walk, walk_along
from freewheel.backend.newton import Bounds, NoConvergenceError, Residual, Whole, solve_anyhow
from freewheel.backend.thresholds import BRANCH
from freewheel.runtime.events.branch_following import ENDED

# The loop as kernels want it: residuals, slopes (none by formulas), memory, starts, nominals, limits.
_Given = tuple[Any, Any, int, int, list[float], list[int], Array, Array, Array]


class BranchEndsError(NoConvergenceError):
    """An event changed the equations, and the branch of before does not bear it: `walk` tells how far."""

    def __init__(self, walk: Walk) -> None:
        super().__init__("the branch of before ends")
        self.walk = walk


@dataclass(frozen=True, slots=True)
class Branch:
    """Slots: what is asked for, the sense of the branch with its memory, and the first of those for what
    tearing hides (-1: not kept)."""

    mode: int
    sense: int
    left: int


@dataclass(frozen=True, slots=True)
class FollowedLoop:
    m: list[float]
    slots: tuple[int, ...]
    residual: Residual
    starts: Sequence[float]
    nominals: Sequence[float]
    bounds: Bounds
    whole: Whole | None
    branch: Branch

    def solve(self) -> None:
        """Leaves the solution, and everything computed on the way to it, in the memory."""
        m, branch = self.m, self.branch
        place = (branch.sense, branch.left, list(self.hidden), len(self.hidden))
        work = np.zeros(kernels.loop_size(len(self.slots)))
        has_been_tried = m[branch.sense] == kernels.GIVEN_UP  # by machine code
        if not has_been_tried and kernels.fw_loop(*self._given(), work, branch.mode, *place) == 0:
            return
        if m[branch.sense] == kernels.GIVEN_UP:
            m[branch.sense] = 0.0
        if m[branch.mode] and m[branch.sense] != kernels.VAGUE:
            raise NoConvergenceError("the branch that was followed ends")
        old = [m[slot] for slot in self.unknowns]
        ended: Walk | None = None
        for walk in self._walks():
            own = np.array(walk.values[len(self.hidden) :])
            if not walk.is_solved:
                ended = ended or walk
            elif self._is_walked_to(own, work) and self._is_finite():
                return
        self._put(old)
        if not self._is_solved_anyhow(work, ended):
            assert ended is not None
            self._put(ended.values)
            if ended.share > BRANCH.small or not self._is_finite():
                m[branch.sense] = ENDED
                raise BranchEndsError(ended)
            own = np.array(ended.values[len(self.hidden) :])
            kernels.fw_hold(self._evaluate, len(own), m, list(self.slots), own, *place, work)

    @property
    def hidden(self) -> tuple[int, ...]:
        """What tearing hides, as far as it is kept."""
        return self.whole.slots if self.whole is not None and self.branch.left >= 0 else ()

    @property
    def unknowns(self) -> tuple[int, ...]:
        return (*self.hidden, *self.slots)

    def _walks(self) -> Iterator[Walk]:
        """From the left limit of an event, then from the solution left before. Where the Jacobian of the left
        limit is singular it is on no branch, and a walk from there would lead wherever rounding does: from
        any i of a load in a short circuit to v = 0."""
        m, n, sense, left = self.m, len(self.slots), self.branch.sense, self.branch.left
        if m[sense + 1] != kernels.JUMPED or left < 0:
            return
        residual = self.residual if self.whole is None else self.whole.residual
        loop = Equations(m, residual, self.unknowns, len(self.hidden))
        values = sense + kernels.LEFT
        before, count = values + 3 * n, len(self.hidden)
        starts = []
        if m[values + 2 * n] != 0.0:
            starts.append([*m[left : left + count], *m[values : values + n]])
        if m[before + 2 * n] != 0.0:
            starts.append([*m[left + 2 * count : left + 3 * count], *m[before : before + n]])
        for start in starts:
            walk = walk_along(loop, start, self.nominals)
            if walk is not None:
                yield walk

    def _is_solved_anyhow(self, work: Array, ended: Walk | None) -> bool:
        """Where no branch leads to a solution: any will do, and without a walk one that is good beside
        nominal values."""
        try:
            given = (self.m, self.slots, self.residual, self.starts, self.nominals, self.bounds)
            solve_anyhow(*given, self.whole)
        except NoConvergenceError:
            if ended is None:
                raise
            return False
        own = np.array([self.m[slot] for slot in self.slots])
        is_taken = kernels.fw_accept(*self._given(), own, self.branch.sense, work) == 0
        is_taken = is_taken or (ended is None and self._take(kernels.fw_take, own, work))
        if is_taken and (not self._is_finite() or self._runs_away(work)):
            is_taken = False
            if ended is None:
                raise NoConvergenceError("values go beyond all bounds on the way to one")
        return is_taken

    def _is_walked_to(self, own: Array, work: Array) -> bool:
        return self._is_inside(own) and self._take(kernels.fw_take_walked, own, work)

    def _is_finite(self) -> bool:
        return kernels.fw_is_huge(len(self.unknowns), self.m, list(self.unknowns)) == 0

    def _runs_away(self, work: Array) -> bool:
        """At the start, where nothing but the equations tells the solution."""
        m, sense = self.m, self.branch.sense
        if m[sense + 1] != kernels.FRESH:
            return False
        own = np.array([m[slot] for slot in self.slots])
        return kernels.fw_runs_away(*self._given()[:8], own, sense, work) != 0

    def _take(self, kernel: Callable[..., int], own: Array, work: Array) -> bool:
        """Slopes come from differences, which must be small beside unknowns that have become small."""
        sizes = np.where(own != 0.0, np.minimum(self.nominals, np.abs(own)), self.nominals)
        return kernel(*self._given()[:6], sizes, own, self.branch.sense, work) == 0

    def _given(self) -> _Given:
        n = len(self.slots)
        anywhere = ((-math.inf, math.inf),) * n
        limits = np.array(self.bounds or anywhere).T.ravel()
        numbers = (np.array(self.starts), np.array(self.nominals), limits)
        return (self._evaluate, self._evaluate, 0, n, self.m, list(self.slots), *numbers)

    def _evaluate(self, m: list[float], f: Array) -> int:
        try:
            f[: len(self.slots)] = self.residual(m)
        except (ArithmeticError, ValueError):
            return 1
        return 0

    def _put(self, values: Sequence[float]) -> None:
        for slot, value in zip(self.unknowns, values, strict=True):
            self.m[slot] = value

    def _is_inside(self, x: Array) -> bool:
        return all(low <= v <= high for v, (low, high) in zip(x, self.bounds, strict=False))
