"""Folds of nonlinear loops: where the branch ends that a solution follows, and where it goes on.

    i = s^3 - 3*s, der(i) = -s        at s = 1 the curve turns; i is continuous, s jumps from 1 to -2

Steps that would pass a fold are refused until none is left (`backend/follow_kernels.py`): the states are
at the fold then. A point slightly beyond, in the direction in which the states move, has no solution on the
branch; the loop walks on along its curve to the next branch there, and comes back to the fold on it.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt, ulp

import numpy as np

from freewheel.base.diagnostics import Diagnostic, SimulationError
from freewheel.runtime.diagnostics import listed, with_origin
from freewheel.runtime.events.branch_following import (
    FREE,
    JUMPING,
    JUMPING_DOWN,
    JUMPING_UP,
    LENIENT,
)
from freewheel.runtime.live import LiveModel
from freewheel.runtime.model import FINE, Vector

R_NO_BRANCH = "R153"
R_START_ON_FOLD = "R154"
R_QUANTIZED = "R155"

# Beyond the fold, as a share of the size of what moves: half of the digits tell the direction, and the
# other half is lost between the fold and the point beyond.
BEYOND = sqrt(np.finfo(float).eps)
FARTHER = 8.0
MAX_TRIES = 12  # up to about a tenth of the size
LEAST_MOVED = 1e-6  # of its size: a variable that changes by less is not worth telling


def distances_beyond(
    t: float, y: Vector, f: Vector, sizes: Vector, span: float
) -> tuple[float, float]:
    """Times in which no state moves far, and in which the slowest one does not. `sizes`: how large the states
    were lately. A state that sets out from zero has no size yet: it shortens the first one by half of the
    digits at most."""
    size, speed = np.maximum(np.abs(y), sizes), np.abs(f)
    moving = (speed > 0.0) & (size > 0.0)
    times = np.minimum(size[moving] / speed[moving], span)
    slowest = float(np.max(times, initial=0.0)) or span
    first = max(float(np.min(times, initial=slowest)), BEYOND * slowest)
    return max(BEYOND * first, 64.0 * ulp(t)), max(BEYOND * slowest, 64.0 * ulp(t))


def jump(
    live: LiveModel,
    t: float,
    y: Vector,
    f: Vector,
    distances: tuple[float, float],
    is_start: bool,
) -> str:
    """Put the loops on their next branch; what jumped, in words. Empty where there is no fold.

    At a start on a fold rounding decides which of the two branches that end there was left: both are tried.
    """
    lost, before = live.lost, live.memory.copy()
    found, slot = _landing(live, t, y, f, distances, JUMPING)
    if is_start and found is None and slot >= 0:
        ways = [_landing(live, t, y, f, distances, way) for way in (JUMPING_UP, JUMPING_DOWN)]
        landings = [way for way in ways if way[0] is not None]
        if len(landings) == 1:
            found, slot = landings[0]
    if found is None:
        live.solve_loops(FREE)
        slot = lost - 1 if slot < 0 and lost > 0 else slot
        if slot >= 0:
            raise no_branch(live, slot + 1, t, is_start)
        return ""
    live.memory[:] = found
    live.solve_loops(FREE)
    live.forget_lost()
    return jumped(live, slot, float(before[slot]), float(live.memory[slot]))


def _landing(
    live: LiveModel, t: float, y: Vector, f: Vector, distances: tuple[float, float], way: float
) -> tuple[Vector | None, int]:
    """(all values on the next branch, None where there is none; the slot of what jumps, -1: nothing does).
    What fails at a short distance may be rounding; at the second one it is not."""
    before = live.memory.copy()
    found, slot = None, -1
    delta, told = distances
    for _ in range(MAX_TRIES):
        live.memory[:] = before
        live.solve_loops(way)
        status = live.rhs(t + delta, y + delta * f, np.zeros(len(y)))
        slot = abs(live.lost) - 1
        if status != FINE and slot >= 0 and delta >= told:
            break
        if live.lost > 0:
            live.solve_loops(LENIENT)
            live.evaluate(t, y)
            found = live.memory.copy()
            break
        delta *= FARTHER
    live.memory[:] = before
    return found, slot


def jumped(live: LiveModel, slot: int, was: float, now: float) -> str:
    return f"`{_names(live, [slot])[0]}` jumps from {was:.6g} to {now:.6g} at a fold"


def _names(live: LiveModel, slots: Iterable[int]) -> list[str]:
    by_slot = {v.slot: v.name for v in reversed(live.model.variables)}
    return [by_slot.get(slot, "an unknown of a loop") for slot in slots]


def no_branch(live: LiveModel, lost: int, t: float, is_start: bool) -> SimulationError:
    slot = lost - 1
    name, value = _names(live, [slot])[0], float(live.memory[slot])
    if is_start:
        told = Diagnostic(
            R_START_ON_FOLD,
            f"at time {t:.9g} {listed([name])} (now {value:.6g}) starts at a fold: its equation has no "
            "unique solution after it",
            help=f"give `{name}` another start value, which chooses the branch, or another start to the "
            "states; if no branch leads on, the model lacks what makes the variable move",
        )
    else:
        told = Diagnostic(
            R_NO_BRANCH,
            f"at time {t:.9g} {listed([name])} (now {value:.6g}) is at a fold: the branch of its equation "
            "ends, and no other one goes on from there",
            help=f"check the equation and the sign of what drives it; a small `eps*der({name})` in it says "
            "where to go, or let it be a state (stateSelect = StateSelect.always)",
        )
    return with_origin(live.model, SimulationError(told), slot, live.memory)


def lost_by_quantized(live: LiveModel, solver: str) -> SimulationError:
    """Quantized states move one by one, and nobody looks for folds."""
    slot = live.lost - 1
    name, value = _names(live, [slot])[0], float(live.memory[slot])
    told = Diagnostic(
        R_QUANTIZED,
        f"before time {live.time:.9g} {listed([name])} (before: {value:.6g}) came to a fold of its equation; "
        f"{solver} follows no branches",
        help="take a classic method (--solver auto), which makes an event of the fold",
    )
    return with_origin(live.model, SimulationError(told), slot, live.memory)
