"""Folds: limit points where the solution branch of a nonlinear loop, or of the curve of a core, ends.

    i = s^3 - 3*s, der(i) = -s        at s = 1 the curve turns; i is continuous, s jumps from 1 to -2

    folds = FoldLandings(live, engine, recorder, settings)
    landing = folds.after_failure(began_at)      # no step leads on: None, or the states and the cause

Steps beyond a fold are refused until none is possible (`backend/follow_kernels.py`): the states are at the
fold then. A point slightly beyond it, in the direction of motion, has no solution on the branch; the loop is
continued along its curve to the next branch there, and on it back to the fold. `switched_dae/folds.py` does
the same inside a core.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import ulp
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from freewheel.base.diagnostics import Diagnostic, Severity, SimulationError
from freewheel.runtime.diagnostics import listed, with_origin
from freewheel.runtime.events.branch_following import (
    FREE,
    HELD,
    JUMPING,
    JUMPING_DOWN,
    JUMPING_UP,
    LENIENT,
    REPORTED,
    SINCE,
)
from freewheel.runtime.live import LiveModel
from freewheel.runtime.model import FINE, Vector
from freewheel.runtime.settings import Settings
from freewheel.runtime.thresholds import FOLDS

if TYPE_CHECKING:
    from freewheel.runtime.loop.classic_engine import ClassicEngine
    from freewheel.runtime.loop.recording import Recorder
    from freewheel.runtime.switched_dae.folds import Motion

Landing: TypeAlias = tuple[Vector, str]  # states after the jump, and its cause

R_NO_BRANCH = "R153"
R_START_ON_FOLD = "R154"
R_QUANTIZED = "R155"
R_HELD = "R156"


def distances_beyond(
    t: float, y: Vector, f: Vector, sizes: Vector, span: float
) -> tuple[float, float]:
    """Times in which no state moves far, and in which the slowest one does not. `sizes`: of the states
    lately. A state that starts at zero has no size yet: it shortens the first time by half of the digits at
    most."""
    size, speed = np.maximum(np.abs(y), sizes), np.abs(f)
    moving = (speed > 0.0) & (size > 0.0)
    times = np.minimum(size[moving] / speed[moving], span)
    slowest = float(np.max(times, initial=0.0)) or span
    first = max(float(np.min(times, initial=slowest)), FOLDS.beyond * slowest)
    return max(FOLDS.beyond * first, FOLDS.units * ulp(t)), max(
        FOLDS.beyond * slowest, FOLDS.units * ulp(t)
    )


def jump(
    live: LiveModel,
    t: float,
    y: Vector,
    f: Vector,
    distances: tuple[float, float],
    is_start: bool,
) -> str:
    """Puts the loops on their next branch; the jump in words. Empty where there is no fold. At a start on a
    fold rounding decides which of its two branches is left: both are tried."""
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
    """(all values on the next branch, or None; the slot of what jumps, or -1). A failure at the first
    distance may be rounding; at the second one it is not."""
    before = live.memory.copy()
    found, slot = None, -1
    delta, certain = distances
    for _ in range(FOLDS.most_tries):
        live.memory[:] = before
        live.solve_loops(way)
        status = live.rhs(t + delta, y + delta * f, np.zeros(len(y)))
        slot = abs(live.lost) - 1
        if status != FINE and slot >= 0 and delta >= certain:
            break
        if live.lost > 0:
            live.solve_loops(LENIENT)
            live.evaluate(t, y)
            found = live.memory.copy()
            break
        delta *= FOLDS.farther
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
        diagnostic = Diagnostic(
            R_START_ON_FOLD,
            f"at time {t:.9g} {listed([name])} (now {value:.6g}) starts at a fold: its equation has no "
            "unique solution after it",
            help=f"give `{name}` another start value, which chooses the branch, or another start to the "
            "states; if no branch leads on, the model lacks what makes the variable move",
        )
    else:
        diagnostic = Diagnostic(
            R_NO_BRANCH,
            f"at time {t:.9g} {listed([name])} (now {value:.6g}) is at a fold: the branch of its equation "
            "ends, and no other one goes on from there",
            help=f"check the equation and the sign of what drives it; a small `eps*der({name})` in it says "
            "where to go, or let it be a state (stateSelect = StateSelect.always)",
        )
    return with_origin(live.model, SimulationError(diagnostic), slot, live.memory)


def lost_by_quantized(live: LiveModel, solver: str) -> SimulationError:
    """Quantized states change one by one, and their folds are not followed."""
    slot = live.lost - 1
    name, value = _names(live, [slot])[0], float(live.memory[slot])
    diagnostic = Diagnostic(
        R_QUANTIZED,
        f"before time {live.time:.9g} {listed([name])} (before: {value:.6g}) came to a fold of its equation; "
        f"{solver} follows no branches",
        help="take a classic method (--solver auto), which makes an event of the fold",
    )
    return with_origin(live.model, SimulationError(diagnostic), slot, live.memory)


@dataclass(frozen=True, slots=True)
class FoldLandings:
    """Where a run goes on from a fold. The row of the left limit is stored first."""

    live: LiveModel
    engine: ClassicEngine
    recorder: Recorder
    settings: Settings

    def after_failure(self, began_at: float) -> Landing | None:
        """No step is possible: whether the states are at a fold. `began_at`: time of the last event."""
        live, engine = self.live, self.engine
        live.solve_loops(FREE)
        if live.lost == 0:
            return self._in_core(began_at)
        t, y = engine.t, engine.y
        distances = distances_beyond(t, y, engine.f, engine.lately, self.settings.span)
        lost = live.memory[live.model.follow + 1]
        live.solve_loops(LENIENT)
        live.evaluate(t, y)
        self._store()
        live.memory[live.model.follow + 1] = lost
        cause = jump(live, t, y, engine.f, distances, t - began_at <= distances[1])
        return (y, cause) if cause else None

    def at_start(self, began_at: float) -> Landing | None:
        """Where a curve inside a core starts at a fold: no step is possible."""
        core = self.live.core
        motion = core.start_on_fold(self.engine.t, self.engine.y)
        return self._of_motion(motion, core.only_branch, began_at)

    def _in_core(self, began_at: float) -> Landing | None:
        core, t, y = self.live.core, self.engine.t, self.engine.y
        landing = self._of_motion(core.motion(t, y), core.next_branch, began_at)
        if landing is not None:
            return landing
        # Newton's method may have ended beside the fold, where the branch is unknown.
        motion = core.start_beside_fold(t, y) if t == began_at else None
        if motion is None or motion.folding is None:
            return None
        raise no_branch(self.live, self.live.model.states.start + motion.folding + 1, t, True)

    def _of_motion(
        self, motion: Motion | None, find: Callable[[Motion], Vector | None], began_at: float
    ) -> Landing | None:
        live, t, y = self.live, self.engine.t, self.engine.y
        if motion is None or motion.folding is None:
            return None
        live.evaluate(t, y)
        slot = live.model.states.start + motion.folding
        landing = find(motion)
        if landing is None:
            raise no_branch(live, slot + 1, t, t == began_at)
        self._store()
        return landing, jumped(live, slot, y[motion.folding], landing[motion.folding])

    def _store(self) -> None:
        if self.settings.record_events:
            self.recorder.add()


class FixedLoopWatch:
    """Warns once of each nonlinear loop whose values are fixed because an event has left it no solution: a
    fault of 1e-16 ohm beside a load of constant power, for instance.

    The branch ends at a fold after all of the change but a millionth (`backend/jumps.py`). What is continuous
    there, a voltage, is right up to that share. What nothing limits, a current, contradicts its equations."""

    def __init__(self, live: LiveModel) -> None:
        self._live = live
        self._loops = list(live.model.branches)

    def state(self) -> list[int]:
        """Loops without a warning, by the first slot of their branch."""
        return [first for _, first, _ in self._loops]

    def take_state(self, saved: Sequence[int]) -> None:
        self._loops = [loop for loop in self._loops if loop[1] in set(saved)]

    def check(self) -> None:
        memory = self._live.memory
        for loop in list(self._loops):
            slots, first, _ = loop
            if memory[first] == HELD or memory[first + REPORTED] != 0.0:
                self._loops.remove(loop)
                since = float(memory[first + SINCE])
                is_over = bool(memory[first] != HELD)
                self._live.warnings.append(_fixed_values(self._live, slots, since, is_over))


def _fixed_values(
    live: LiveModel, slots: tuple[int, ...], since: float, is_over: bool
) -> Diagnostic:
    by_slot = {v.slot: v.name for v in reversed(live.model.variables)}
    names = [by_slot[slot] for slot in slots if slot in by_slot] or ["unknowns of a loop"]
    warning = Diagnostic(
        R_HELD,
        f"from time {since:.9g} on a nonlinear loop has no solution, as far as can be found: {listed(names)}"
        " stay where all but a millionth of the change at that event has been made, until its equations"
        " change again",
        help="what nothing limits there, such as the current of a load without voltage, is not to be trusted:"
        " make the load an impedance at low voltage, or the fault less perfect",
        severity=Severity.WARNING,
    )
    given = with_origin(live.model, SimulationError(warning), slots[0], live.memory).diagnostics[0]
    if is_over:  # the present values are others
        return replace(given, message=given.message.partition("\n  with ")[0])
    return given
