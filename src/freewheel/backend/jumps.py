"""A loop whose equations jump at an event: its branch is walked along while the change is made bit by bit.

    walk = walk_along(loop, left, nominals)
    walk.is_solved, walk.values         a solution of the new equations on the branch of `left`; or
    walk.share                          how much of the change the branch did not bear

At the left limit z0 all equations of a loop hold, those too that tearing hides. The new ones leave g(z0)
there, which is zero but for the equations that the event has changed. Along g(z) = share*g(z0), from share 1
to 0, the change is made bit by bit, like a fault in a network that grows from nothing. (Torn equations have
another path: what tearing hides follows at once, and may be far away.) Where the path has no fold its end has
the sign of the determinant that its beginning has, and is the solution that belongs to it. Where it has one
the branch ends: a load asks for power at no voltage. If by then the change has been made but for a share of
`BRANCH.small`, values there are as good as can be had, and are held until the equations change again (R156).
Else it is told where the branch ends (R124).
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freewheel.backend.branch_kernels import BRANCHES
from freewheel.backend.follow_kernels import ENDED, SOLVED, follow_size
from freewheel.backend.solve import eliminate
from freewheel.backend.thresholds import BRANCH, NEWTON
from freewheel.runtime.events.branch_following import STRICT

Residual = Callable[[list[float]], list[float]]
Array = NDArray[np.float64]

RESIDUALS = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)


@dataclass(frozen=True, slots=True)
class Equations:
    """All of a loop: `slots` of its unknowns, first the `hidden` ones, which tearing assigns; `residual` of
    as many equations, first those that give these."""

    m: list[float]
    residual: Residual
    slots: tuple[int, ...]
    hidden: int

    def misfits(self, z: Array) -> Array | None:
        for slot, value in zip(self.slots, z.tolist(), strict=True):
            self.m[slot] = value
        try:
            f = np.array(self.residual(self.m), dtype=np.float64)
        except (ArithmeticError, ValueError):
            return None
        return f if np.isfinite(f).all() else None


@dataclass(frozen=True, slots=True)
class Walk:
    """Where a walk has come to: all values, and the share of the change that is left. By their slots: the
    variables whose equations the event has changed, and where all unknowns were before."""

    values: tuple[float, ...]
    share: float
    is_solved: bool
    concerned: tuple[int, ...]
    before: tuple[tuple[int, float], ...]


def walk_along(loop: Equations, left: Sequence[float], nominals: Sequence[float]) -> Walk | None:
    """None where there is no way to begin. `nominals`: of the unknowns that tearing does not hide."""
    start = np.array(left, dtype=np.float64)
    change = loop.misfits(start) if np.isfinite(start).all() else None
    if change is None or len(change) != len(start) or not change.any():
        return None
    found = _walk(loop, start, change, nominals)
    if found is None:
        return None
    code, end, share = found
    while (
        code == ENDED and np.abs(end).max() <= BRANCH.huge
    ):  # what has become small wants another scale
        rest = loop.misfits(end)
        further = None if rest is None or not rest.any() else _walk(loop, end, rest, nominals)
        if further is None or (further[0] == ENDED and further[2] > BRANCH.progress):
            break
        code, end, share = further[0], further[1], share * further[2]
    least = BRANCH.concerned * np.abs(change).max()
    concerned = [loop.slots[k] for k in range(loop.hidden) if abs(change[k]) > least]
    before = tuple(zip(loop.slots, start.tolist(), strict=True))
    return Walk(tuple(end.tolist()), share, code == SOLVED, tuple(concerned), before)


def _walk(
    loop: Equations, start: Array, change: Array, nominals: Sequence[float]
) -> tuple[int, Array, float] | None:
    """How the walk from one point ended, where, and what share of its misfits is left there."""
    scales = _scales(loop, start, change, nominals)
    if scales is None:
        return None
    n = len(start)
    first = start / scales  # the kernel has all unknowns in units of their sizes
    z, work = first.copy(), np.zeros(follow_size(n))
    slots, ones = np.arange(n), np.ones(n)
    given = [array.ctypes.data for array in (z, slots, ones, first, work)]
    evaluate = _as_kernel(loop, scales)
    function = ctypes.cast(evaluate, ctypes.c_void_p).value
    walk = BRANCHES.callable("fw_walk")
    code = int(walk(function, function, 0, n, *given[:4], STRICT, 0.0, given[4]))
    end = scales * (z if code == SOLVED else work[2 : 2 + n])
    rest = loop.misfits(end)
    if rest is None:
        return None
    # The largest ones may be as large as the fault is small: their squares would not be numbers.
    size = float(np.abs(change).max())
    unit = change / size
    return code, end, abs(float((rest / size) @ unit)) / float(unit @ unit)


def _as_kernel(loop: Equations, scales: Array) -> Any:
    """The residuals as a function that kernels can call; its memory holds the unknowns and nothing else."""
    doubles = ctypes.c_double * len(scales)

    def evaluate(memory: int, results: int) -> int:
        found = loop.misfits(scales * np.ctypeslib.as_array(doubles.from_address(memory)))
        if found is None:
            return 1
        np.ctypeslib.as_array(doubles.from_address(results))[:] = found
        return 0

    return RESIDUALS(evaluate)


def _scales(
    loop: Equations, start: Array, change: Array, nominals: Sequence[float]
) -> Array | None:
    """How large unknowns are, in their own units: as they have been or as Newton's first step makes them."""
    columns = []
    for k, value in enumerate(start):
        there = None
        h = NEWTON.difference * (abs(value) if value else NEWTON.near_zero)
        for move in (h, -h):
            trial = start.copy()
            trial[k] += move
            there = loop.misfits(trial)
            if there is not None:
                columns.append((there - change) / (trial[k] - value))
                break
        if there is None:
            return None
    units = np.where(start != 0.0, np.abs(start), 1.0)
    step = eliminate((np.array(columns).T * units).tolist(), (-change).tolist())
    if step is None:
        return None
    sizes = np.abs(start) + np.abs(units * step)
    first = len(start) - len(nominals)
    sizes[first:] = np.minimum(sizes[first:], nominals)
    return np.where(sizes > 0.0, sizes, 1.0)


def percent(share: float) -> str:
    """How much of a change has been made, with as many nines as it takes."""
    digits = max(0, math.ceil(-math.log10(max(share, 1e-15))) - 2)
    return f"{100.0 * (1.0 - share):.{min(digits, 12)}f} %"
