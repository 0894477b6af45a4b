"""Step sizes: how far to go first, and how far next.

    factor_after(error=0.1, previous=0.5, order=5)      # grow
    first_step(problem, t, y, f, order, span, work)

PI control after Gustafsson; constants of Hairer, Wanner II, section IV.2.
"""

from __future__ import annotations

import numpy as np

from freewheel.runtime.integrate.problem import Problem, Work
from freewheel.runtime.model import Vector

SAFETY = 0.9
LEAST, MOST = 0.2, 10.0
PI = 0.04  # weight of the previous error
TINY = 1e-10


def factor_after(error: float, previous: float, order: int) -> float:
    """By how much to multiply an accepted step; `previous` is the error of the one before."""
    plain = max(error, TINY) ** (-1.0 / order + 0.75 * PI)
    return float(min(MOST, max(LEAST, SAFETY * plain * max(previous, 1e-4) ** PI)))


def optimistic_factor(error: float, order: int) -> float:
    """Equation 3.89 of Cellier and Kofman, to which homework H9.1 refers: the size whose error would have
    been the tolerance, without a margin. Only a factor out of all proportion is bounded."""
    return float(min(MOST, max(LEAST, max(error, TINY) ** (-1.0 / order))))


def factor_after_rejection(error: float, order: int) -> float:
    """Shorten; a step that could not be computed at all is cut to a quarter."""
    if not np.isfinite(error):
        return 0.25
    return float(max(LEAST, min(0.9, SAFETY * error ** (-1.0 / order))))


def first_step(
    problem: Problem, t: float, y: Vector, f: Vector, order: int, span: float, work: Work
) -> float:
    """A step that an explicit Euler step suggests. Hairer, Norsett, Wanner I, section II.4."""
    if problem.size == 0 or span <= 0.0:
        return span
    scale = problem.atol + problem.rtol * np.abs(y)
    size, slope = _rms(y / scale), _rms(f / scale)
    h = min(span, 0.01 * size / slope if size > 1e-5 and slope > 1e-5 else 1e-6 * span)
    beyond = np.empty(problem.size)
    work.evaluations += 1
    if problem.rhs(t + h, y + h * f, beyond) != 0 or not np.isfinite(beyond).all():
        return 0.01 * h
    bend = _rms((beyond - f) / scale) / h
    steepest = max(slope, bend)
    if steepest <= 1e-15:
        return min(span, max(1e-3 * span, 1e-3 * h))
    # Where slope and bend are tiny the formula asks for huge steps: never beyond 100 trial steps.
    return float(min(100.0 * h, (0.01 / steepest) ** (1.0 / order), span))


def _rms(vector: Vector) -> float:
    return float(np.sqrt(vector.dot(vector) / len(vector)))
