"""Numeric solution of loops: linear systems and Newton's method, for the reference backend.

    solve_linear(m, (3, 4), [[2.0, 0.0], [1.0, 1.0]], [4.0, 5.0])     m[3] = 2.0, m[4] = 3.0

A singular linear system that is consistent gets the solution nearest to the old values; otherwise
`SingularError`. Newton is damped, takes differences for derivatives and tries several starts;
`NoConvergenceError` tells how far it came.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np

Residual = Callable[[list[float]], list[float]]

TOLERANCE = 1e-10  # of the step, relative to the unknown and its nominal value
SMALL = 1e-6  # residuals after the last step, relative to the size of their terms
ROUNDING = 1e-9  # residuals that no step makes smaller
MAX_ITERATIONS = 60
MAX_HALVINGS = 12
PIVOT = 1e-13


class SingularError(ArithmeticError):
    """The matrix of a loop has no inverse and the right side does not fit."""


class NoConvergenceError(ArithmeticError):
    """Newton's method did not find a solution."""


# ---------------------------------------------------------------- linear


def divide(right: float, factor: float, old: float) -> float:
    """One linear equation; `0*x = 0` leaves x as it was."""
    if factor:
        return right / factor
    if right == 0.0:
        return old
    raise SingularError("0*x = " + repr(right))


def solve_linear(
    m: list[float], slots: Sequence[int], matrix: list[list[float]], right: list[float]
) -> None:
    """Solves into the memory."""
    if len(slots) > 6:
        _solve_dense(m, slots, np.array(matrix), np.array(right))
        return
    solution = eliminate([row[:] for row in matrix], right[:])
    if solution is None:
        _solve_dense(m, slots, np.array(matrix), np.array(right))
        return
    for slot, value in zip(slots, solution, strict=True):
        m[slot] = value


def eliminate(a: list[list[float]], b: list[float]) -> list[float] | None:
    """Gaussian elimination with row scaling and pivoting; None where a pivot vanishes."""
    n = len(b)
    for row in range(n):
        scale = max(map(abs, a[row]))
        if not scale or not math.isfinite(scale):
            return None
        a[row] = [entry / scale for entry in a[row]]
        b[row] /= scale
    for k in range(n):
        best = max(range(k, n), key=lambda r: abs(a[r][k]))
        if abs(a[best][k]) < PIVOT:
            return None
        a[k], a[best], b[k], b[best] = a[best], a[k], b[best], b[k]
        pivot_row, pivot = a[k], a[k][k]
        for r in range(k + 1, n):
            factor = a[r][k] / pivot
            if factor:
                row_values = a[r]
                for c in range(k + 1, n):
                    row_values[c] -= factor * pivot_row[c]
                b[r] -= factor * b[k]
    for k in range(n - 1, -1, -1):
        b[k] = (b[k] - sum(a[k][c] * b[c] for c in range(k + 1, n))) / a[k][k]
    return b


def _solve_dense(
    m: list[float], slots: Sequence[int], matrix: np.ndarray, right: np.ndarray
) -> None:
    scale = np.max(np.abs(matrix), axis=1)
    if not np.all(np.isfinite(matrix)) or not np.all(np.isfinite(right)):
        raise SingularError("the coefficients are not finite")
    scale[scale == 0.0] = 1.0
    a, b = matrix / scale[:, None], right / scale
    solution = _regular(a, b)
    if solution is None:
        old = np.array([m[slot] for slot in slots])
        solution = old + np.linalg.lstsq(a, b - a @ old, rcond=1e-12)[0]
        misfit = float(np.max(np.abs(a @ solution - b)))
        if misfit > 1e-8 * (1.0 + float(np.max(np.abs(b)))):
            raise SingularError(f"the loop is singular; {misfit:.3g} is left over")
    for slot, value in zip(slots, solution.tolist(), strict=True):
        m[slot] = value


def _regular(a: np.ndarray, b: np.ndarray) -> np.ndarray | None:
    try:
        solution: np.ndarray = np.linalg.solve(a, b)
    except np.linalg.LinAlgError:
        return None
    if not np.all(np.isfinite(solution)):
        return None
    misfit = np.max(np.abs(a @ solution - b))
    good = misfit <= 1e-6 * (np.max(np.abs(b)) + np.max(np.abs(a)) * np.max(np.abs(solution)))
    return solution if good else None


# ---------------------------------------------------------------- nonlinear


def solve_nonlinear(
    m: list[float],
    slots: Sequence[int],
    residual: Residual,
    starts: Sequence[float],
    nominals: Sequence[float],
) -> None:
    """Leaves the solution, and everything computed on the way to it, in the memory."""
    old = [m[slot] for slot in slots]
    told = ""
    for guess in _guesses(old, starts, nominals):
        try:
            _newton(m, slots, residual, guess, nominals)
            return
        except NoConvergenceError as problem:
            told = told or str(problem)
    if len(slots) == 1 and _bracket(m, slots, residual, (old[0], starts[0]), nominals[0]):
        return
    for slot, value in zip(slots, old, strict=True):
        m[slot] = value
    raise NoConvergenceError(told)


def _guesses(
    old: Sequence[float], starts: Sequence[float], nominals: Sequence[float]
) -> Iterator[list[float]]:
    """One start after the other, as they are needed: nearly always the first one does."""
    yield list(old)
    tried = [list(old)]
    for guess in (
        list(starts),
        [0.0] * len(old),
        list(nominals),
        [-nominal for nominal in nominals],
        [0.1 * nominal for nominal in nominals],
        # Off the beaten track: a start with symmetry may have a singular Jacobian.
        [a + b * (0.3 + 0.1 * k) for k, (a, b) in enumerate(zip(starts, nominals, strict=True))],
        [a - b * (0.2 + 0.3 * k) for k, (a, b) in enumerate(zip(starts, nominals, strict=True))],
    ):
        if guess not in tried and all(map(math.isfinite, guess)):
            tried.append(guess)
            yield guess


def _bracket(
    m: list[float],
    slots: Sequence[int],
    residual: Residual,
    centres: Sequence[float],
    nominal: float,
) -> bool:
    """One unknown, where Newton fails at kinks: look for a change of sign on both sides of the
    guesses, ever farther away, and close in on it (Illinois method)."""
    for centre in centres:
        middle = _evaluate(m, slots, residual, [centre])
        if middle is None:
            continue
        width = 1e-9 * (abs(centre) + nominal)
        near = {1.0: (centre, middle[0]), -1.0: (centre, middle[0])}
        for _ in range(60):
            for side, (x, f) in near.items():
                there = _evaluate(m, slots, residual, [centre + side * width])
                if there is None:
                    continue
                if (there[0] < 0.0) != (f < 0.0):
                    far = (centre + side * width, there[0])
                    root = _close_in(m, slots, residual, (x, f), far)
                    left_over = _evaluate(m, slots, residual, [root])
                    # At a jump the sign changes too, but nothing is solved there.
                    if left_over and abs(left_over[0]) <= 1e-6 * max(abs(f), abs(there[0])):
                        return True
                near[side] = (centre + side * width, there[0])
            width *= 2.0
    return False


def _close_in(
    m: list[float],
    slots: Sequence[int],
    residual: Residual,
    left: tuple[float, float],
    right: tuple[float, float],
) -> float:
    (a, fa), (b, fb) = left, right
    side = 0
    best, least = (a, abs(fa)) if abs(fa) < abs(fb) else (b, abs(fb))
    for round_ in range(200):
        # Regula falsi is slow on kinks; every third step halves the interval.
        x = 0.5 * (a + b) if round_ % 3 == 2 or fa == fb else (a * fb - b * fa) / (fb - fa)
        if x in (a, b):
            break
        value = _evaluate(m, slots, residual, [x])
        if value is None:
            x = 0.5 * (a + b)
            value = _evaluate(m, slots, residual, [x]) or [0.0]
        f = value[0]
        if abs(f) < least:
            best, least = x, abs(f)
        if f == 0.0 or abs(b - a) <= 1e-15 * (abs(a) + abs(b)):
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


def _newton(
    m: list[float],
    slots: Sequence[int],
    residual: Residual,
    guess: list[float],
    nominals: Sequence[float],
) -> None:
    x = guess
    f = _evaluate(m, slots, residual, x) if all(map(math.isfinite, x)) else None
    if f is None:
        raise NoConvergenceError("the residuals cannot be evaluated at the start")
    for _ in range(MAX_ITERATIONS):
        if not any(f):
            _settle(m, slots, residual, x)
            return
        step, scale = _step(m, slots, residual, x, f, nominals)
        moved = _line_search(m, slots, residual, x, f, step)
        if moved is None:
            terms = _terms(m, slots, residual, x, f, nominals)
            if all(abs(v) <= ROUNDING * s for v, s in zip(f, terms, strict=True)):
                _settle(m, slots, residual, x)
                return
            raise NoConvergenceError(f"no progress; largest residual {max(map(abs, f)):.3g}")
        x, f, share = moved
        has_solution = all(abs(v) <= SMALL * s for v, s in zip(f, scale, strict=True))
        if share == 1.0 and has_solution and _is_small(step, x, nominals, TOLERANCE):
            _settle(m, slots, residual, x)
            return
    raise NoConvergenceError(
        f"{MAX_ITERATIONS} iterations; largest residual {max(map(abs, f)):.3g}"
    )


def _is_small(
    step: Sequence[float], x: Sequence[float], nominals: Sequence[float], tolerance: float
) -> bool:
    return all(
        abs(d) <= tolerance * (abs(v) + nominal)
        for d, v, nominal in zip(step, x, nominals, strict=True)
    )


def _evaluate(
    m: list[float], slots: Sequence[int], residual: Residual, x: Sequence[float]
) -> list[float] | None:
    """The residuals at `x`; None where the model has no value."""
    for slot, value in zip(slots, x, strict=True):
        m[slot] = value
    try:
        f = residual(m)
    except (ArithmeticError, ValueError):
        return None
    return f if all(map(math.isfinite, f)) else None


def _settle(m: list[float], slots: Sequence[int], residual: Residual, x: Sequence[float]) -> None:
    """What the loop computes besides must belong to the solution, not to the last trial."""
    for slot, value in zip(slots, x, strict=True):
        m[slot] = value
    residual(m)


def _step(
    m: list[float],
    slots: Sequence[int],
    residual: Residual,
    x: list[float],
    f: list[float],
    nominals: Sequence[float],
) -> tuple[list[float], list[float]]:
    """(Newton's step, the size of the terms of each residual)."""
    n = len(x)
    columns: list[list[float]] = []
    for k in range(n):
        h = 1.5e-8 * (abs(x[k]) + 1e-3 * nominals[k] + 1e-12)
        column = None
        for trial in (h, -h):
            shifted = x[:]
            shifted[k] += trial
            there = _evaluate(m, slots, residual, shifted)
            if there is not None:
                h = shifted[k] - x[k]
                column = [(a - b) / h for a, b in zip(there, f, strict=True)]
                break
        columns.append(column if column is not None else [0.0] * n)
    scale = [
        sum(abs(columns[c][r]) * (abs(x[c]) + nominals[c]) for c in range(n)) for r in range(n)
    ]
    if n == 1:
        slope = columns[0][0]
        if slope == 0.0:
            return [nominals[0] * 0.1 + 0.1 * abs(x[0])], scale
        return [-f[0] / slope], scale
    a = [[columns[c][r] for c in range(n)] for r in range(n)]
    solution = eliminate([row[:] for row in a], [-v for v in f])
    if solution is None:
        solution = np.linalg.lstsq(np.array(a), -np.array(f), rcond=1e-10)[0].tolist()
    return solution, scale


def _terms(
    m: list[float],
    slots: Sequence[int],
    residual: Residual,
    x: list[float],
    f: list[float],
    nominals: Sequence[float],
) -> list[float]:
    """The size of what each residual is made of, seen over a distance: close by, a jump would look
    like a very steep slope and its two sides like rounding."""
    sizes = [0.0] * len(f)
    for k in range(len(x)):
        shifted = x[:]
        shifted[k] += 1e-3 * (abs(x[k]) + nominals[k])
        there = _evaluate(m, slots, residual, shifted)
        if there is not None:
            sizes = [s + 1e3 * abs(a - b) for s, a, b in zip(sizes, there, f, strict=True)]
    return sizes


def _line_search(
    m: list[float],
    slots: Sequence[int],
    residual: Residual,
    x: list[float],
    f: list[float],
    step: list[float],
) -> tuple[list[float], list[float], float] | None:
    """Halve the step until the residuals shrink."""
    now = _norm(f)
    share = 1.0
    for _ in range(MAX_HALVINGS):
        trial = [a + share * b for a, b in zip(x, step, strict=True)]
        there = _evaluate(m, slots, residual, trial)
        if there is not None and (_norm(there) < (1.0 - 1e-4 * share) * now or not any(there)):
            return trial, there, share
        share *= 0.5
    return None


def _norm(f: Sequence[float]) -> float:
    return math.sqrt(sum(v * v for v in f))
