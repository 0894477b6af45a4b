"""Newton's method for nonlinear loops, for the reference backend.

    solve_nonlinear(m, (3,), lambda m: [m[3]**2 - 2.0], (1.0,), (1.0,))     m[3] = 1.4142...

Newton is damped, takes differences for derivatives and tries several starts. Inside the declared
bounds first: trial points beyond them are put on the bound. Where the torn loop has no solution, or
no value to begin with, the whole of its equations is tried: tearing may make a steep function of one
(a chain of diodes: the last one gets all the voltage that the others do not take yet).
`NoConvergenceError` tells how far it came.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from freewheel.backend.llvm_kernels import fw_shrinks
from freewheel.backend.solve import eliminate
from freewheel.backend.thresholds import NEWTON
from freewheel.program.nodes import MAX_WHOLE
from freewheel.runtime.thresholds import TINIEST

Residual = Callable[[list[float]], list[float]]
Bounds = Sequence[tuple[float, float]]

WHOLE_ITERATIONS = 400


class NoConvergenceError(ArithmeticError):
    """Newton's method did not find a solution."""


@dataclass(frozen=True, slots=True)
class Whole:
    """A loop before tearing: `slots` are those that the torn residual assigns."""

    residual: Residual
    slots: tuple[int, ...]


def solve_nonlinear(
    m: list[float],
    slots: Sequence[int],
    residual: Residual,
    starts: Sequence[float],
    nominals: Sequence[float],
    bounds: Bounds = (),
    whole: Whole | None = None,
    follow: tuple[int, int, int] | None = None,
) -> None:
    """Leaves the solution, and everything computed on the way to it, in the memory. `follow`: the
    slot that may ask for the branch of the old values, that of the sense of the branch, and the first of
    those for what `whole` hides, as it was at the left limit of an event (-1: not kept)."""
    if follow is None:
        solve_anyhow(m, slots, residual, starts, nominals, bounds, whole)
        return
    from freewheel.backend.followed import Branch, FollowedLoop

    given = (m, tuple(slots), residual, starts, nominals, bounds, whole)
    FollowedLoop(*given, Branch(*follow)).solve()


def solve_anyhow(
    m: list[float],
    slots: Sequence[int],
    residual: Residual,
    starts: Sequence[float],
    nominals: Sequence[float],
    bounds: Bounds,
    whole: Whole | None,
) -> None:
    """By all means."""
    old = [m[slot] for slot in slots]
    before = [] if whole is None else [m[slot] for slot in whole.slots]
    anywhere = ((-math.inf, math.inf),) * len(slots)
    told = ""
    for area in (tuple(bounds), anywhere) if bounds else (anywhere,):
        loop = _Loop(m, tuple(slots), residual, tuple(nominals), area)
        problem = _in_area(loop, old, starts)
        if not problem:
            return
        told = told or problem
    if whole is not None and _as_a_whole(loop, whole, starts, [*before, *old]):
        return
    loop.evaluate(old)  # whoever is told the values sees what belongs together
    raise NoConvergenceError(told)


def _in_area(loop: _Loop, old: Sequence[float], starts: Sequence[float]) -> str:
    """Why there is no solution; nothing where there is one."""
    told = ""
    for guess in _guesses(loop, old, starts):
        try:
            loop.newton(guess, NEWTON.most_rounds)
            return ""
        except NoConvergenceError as problem:
            told = told or str(problem)
    if len(loop.slots) == 1 and _bracket(loop, (old[0], starts[0])):
        return ""
    return told


def _guesses(loop: _Loop, old: Sequence[float], starts: Sequence[float]) -> Iterator[list[float]]:
    """One start after the other, as they are needed: nearly always the first one does."""
    nominals = loop.nominals
    tried: list[list[float]] = []
    for guess in (
        list(old),
        list(starts),
        [a * (1.0 - NEWTON.beside * (1.0 + 0.3 * k / len(old))) for k, a in enumerate(starts)],
        [0.0] * len(old),
        list(nominals),
        [-nominal for nominal in nominals],
        [0.1 * nominal for nominal in nominals],
        # Off the beaten track: a start with symmetry may have a singular Jacobian.
        [a + b * (0.3 + 0.1 * k) for k, (a, b) in enumerate(zip(starts, nominals, strict=True))],
        [a - b * (0.2 + 0.3 * k) for k, (a, b) in enumerate(zip(starts, nominals, strict=True))],
    ):
        inside = loop.inside(guess)
        if inside not in tried and (not tried or all(map(math.isfinite, inside))):
            tried.append(inside)
            yield inside


def _as_a_whole(torn: _Loop, whole: Whole, starts: Sequence[float], old: Sequence[float]) -> bool:
    """All unknowns at once, then the torn loop from there. The `old` values of all come last: they
    are good where the last solution was close by, as in a continuation."""
    m, slots = torn.m, (*whole.slots, *torn.slots)
    if len(slots) > MAX_WHOLE:
        return False
    inner = [m[slot] for slot in whole.slots]
    nominals = (*(max(1.0, abs(v)) if math.isfinite(v) else 1.0 for v in inner), *torn.nominals)
    anywhere = ((-math.inf, math.inf),) * len(slots)
    loop = _Loop(m, slots, whole.residual, nominals, anywhere)
    here = [v if math.isfinite(v) else 0.0 for v in inner]
    for guess in (
        [*here, *starts],
        [0.0] * len(slots),
        [*([0.0] * len(inner)), *starts],
        list(old),
    ):
        try:
            loop.newton(guess, WHOLE_ITERATIONS)
        except NoConvergenceError:
            continue
        found = [m[slot] for slot in slots]
        try:
            torn.newton(found[len(inner) :], NEWTON.most_rounds)
        except NoConvergenceError:
            loop.settle(found)
        return True
    return False


@dataclass(frozen=True, slots=True)
class _Loop:
    """Residuals of some slots of the memory, with the scale and the bounds of each."""

    m: list[float]
    slots: tuple[int, ...]
    residual: Residual
    nominals: tuple[float, ...]
    bounds: tuple[tuple[float, float], ...]

    def inside(self, x: Sequence[float]) -> list[float]:
        return [min(max(v, low), high) for v, (low, high) in zip(x, self.bounds, strict=True)]

    def evaluate(self, x: Sequence[float]) -> list[float] | None:
        """The residuals at `x`; None where the model has no value."""
        for slot, value in zip(self.slots, x, strict=True):
            self.m[slot] = value
        try:
            f = self.residual(self.m)
        except (ArithmeticError, ValueError):
            return None
        return f if all(map(math.isfinite, f)) else None

    def settle(self, x: Sequence[float]) -> None:
        """What the loop computes besides must belong to the solution, not to the last trial."""
        for slot, value in zip(self.slots, x, strict=True):
            self.m[slot] = value
        self.residual(self.m)

    def newton(self, guess: list[float], iterations: int) -> None:
        x = guess
        f = self.evaluate(x) if all(map(math.isfinite, x)) else None
        if f is None:
            raise NoConvergenceError("the residuals cannot be evaluated at the start")
        for _ in range(iterations):
            if not any(f):
                self.settle(x)
                return
            step, scale, slopes = self.step(x, f)
            moved = self.line_search(x, f, step, slopes)
            if moved is None:
                terms = self.terms(x, f)
                if all(abs(v) <= NEWTON.rounding * s for v, s in zip(f, terms, strict=True)):
                    self.settle(x)
                    return
                raise NoConvergenceError(f"no progress; largest residual {max(map(abs, f)):.3g}")
            x, f, share = moved
            has_solution = all(abs(v) <= NEWTON.small * s for v, s in zip(f, scale, strict=True))
            if share == 1.0 and has_solution and self.is_small(step, x):
                self.settle(x)
                return
        raise NoConvergenceError(
            f"{iterations} iterations; largest residual {max(map(abs, f)):.3g}"
        )

    def is_small(self, step: Sequence[float], x: Sequence[float]) -> bool:
        return all(
            abs(d) <= NEWTON.tolerance * (abs(v) + nominal)
            for d, v, nominal in zip(step, x, self.nominals, strict=True)
        )

    def step(
        self, x: list[float], f: list[float]
    ) -> tuple[list[float], list[float], list[list[float]]]:
        """(Newton's step, the size of the terms of each residual, the Jacobian)."""
        n, nominals = len(x), self.nominals
        columns = [self.column(x, f, k) for k in range(n)]
        scale = [
            sum(abs(columns[c][r]) * (abs(x[c]) + nominals[c]) for c in range(n)) for r in range(n)
        ]
        a = [[columns[c][r] for c in range(n)] for r in range(n)]
        if n == 1:
            slope = columns[0][0]
            if slope == 0.0:
                return [nominals[0] * 0.1 + 0.1 * abs(x[0])], scale, a
            return [-f[0] / slope], scale, a
        solution = eliminate([row[:] for row in a], [-v for v in f])
        if solution is None:
            solution = np.linalg.lstsq(np.array(a), -np.array(f), rcond=1e-10)[0].tolist()
        return solution, scale, a

    def column(self, x: list[float], f: list[float], k: int) -> list[float]:
        """Derivatives by one unknown, from differences."""
        h = NEWTON.difference * max(abs(x[k]) + NEWTON.near_zero * self.nominals[k], TINIEST)
        for trial in (h, -h):
            shifted = x[:]
            shifted[k] += trial
            there = self.evaluate(shifted)
            if there is not None:
                distance = shifted[k] - x[k]
                return [(a - b) / distance for a, b in zip(there, f, strict=True)]
        return [0.0] * len(x)

    def terms(self, x: list[float], f: list[float]) -> list[float]:
        """The size of what each residual is made of, seen over a distance: close by, a jump would
        look like a very steep slope and its two sides like rounding."""
        sizes = [0.0] * len(f)
        for k in range(len(x)):
            shifted = x[:]
            shifted[k] += 1e-3 * (abs(x[k]) + self.nominals[k])
            there = self.evaluate(shifted)
            if there is not None:
                sizes = [s + 1e3 * abs(a - b) for s, a, b in zip(sizes, there, f, strict=True)]
        return sizes

    def line_search(
        self, x: list[float], f: list[float], step: list[float], slopes: list[list[float]]
    ) -> tuple[list[float], list[float], float] | None:
        """Halve the step until the residuals shrink, or the corrections that they ask for."""
        now = _norm(f)
        share = 1.0
        for _ in range(NEWTON.most_halvings):
            trial = self.inside([a + share * b for a, b in zip(x, step, strict=True)])
            there = self.evaluate(trial)
            if there is not None and (
                _norm(there) < (1.0 - NEWTON.least_gain * share) * now
                or not any(there)
                or self.shrinks(x, step, share, there, slopes)
            ):
                return trial, there, share
            share *= 0.5
        return None

    def shrinks(
        self,
        x: Sequence[float],
        step: Sequence[float],
        share: float,
        there: Sequence[float],
        slopes: Sequence[Sequence[float]],
    ) -> bool:
        """As `fw_shrinks`."""
        right = np.zeros(len(x))
        matrix = np.zeros(len(x) ** 2)
        a = np.array(slopes).ravel()
        given = (np.array(x), np.array(self.nominals), a, np.array(step), share, np.array(there))
        return fw_shrinks(len(x), *given, right, matrix) != 0


def _norm(f: Sequence[float]) -> float:
    return math.sqrt(sum(v * v for v in f))


def _bracket(loop: _Loop, centres: Sequence[float]) -> bool:
    """One unknown, where Newton fails at kinks: look for a change of sign on both sides of the
    guesses, ever farther away, and close in on it (Illinois method)."""
    ((low, high),) = loop.bounds
    for centre in centres:
        (centre,) = loop.inside([centre])
        middle = loop.evaluate([centre])
        if middle is None:
            continue
        width = NEWTON.across * (abs(centre) + loop.nominals[0])
        near = {1.0: (centre, middle[0]), -1.0: (centre, middle[0])}
        for _ in range(60):
            for side, (x, f) in near.items():
                if not low <= centre + side * width <= high:
                    continue
                there = loop.evaluate([centre + side * width])
                if there is None:
                    continue
                if (there[0] < 0.0) != (f < 0.0):
                    far = (centre + side * width, there[0])
                    root = _close_in(loop, (x, f), far)
                    left_over = loop.evaluate([root])
                    # At a jump the sign changes too, but nothing is solved there.
                    if left_over and abs(left_over[0]) <= NEWTON.small * max(abs(f), abs(there[0])):
                        return True
                near[side] = (centre + side * width, there[0])
            width *= 2.0
    return False


def _close_in(loop: _Loop, left: tuple[float, float], right: tuple[float, float]) -> float:
    (a, fa), (b, fb) = left, right
    side = 0
    best, least = (a, abs(fa)) if abs(fa) < abs(fb) else (b, abs(fb))
    for round_ in range(200):
        # Regula falsi is slow on kinks; every third step halves the interval.
        x = 0.5 * (a + b) if round_ % 3 == 2 or fa == fb else (a * fb - b * fa) / (fb - fa)
        if x in (a, b):
            break
        value = loop.evaluate([x])
        if value is None:
            x = 0.5 * (a + b)
            value = loop.evaluate([x]) or [0.0]
        f = value[0]
        if abs(f) < least:
            best, least = x, abs(f)
        if f == 0.0 or abs(b - a) <= NEWTON.bracket * (abs(a) + abs(b)):
            return x
        if (f < 0.0) == (fb < 0.0):
            b, fb = x, f
            fa = 0.5 * fa if side == 1 else fa
            side = 1
        else:
            a, fa = x, f
            fb = 0.5 * fb if side == -1 else fb
            side = -1
    return best
