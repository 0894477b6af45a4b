"""Where a run goes on that has met a fold: on another branch of a nonlinear loop, or of a core's curve.

    folds = FoldLandings(live, engine, recorder, settings)
    landing = folds.after_failure(began_at)      # no step leads on: None, or the states and what has happened

How a branch is found: `events/folds.py` for loops of the model, `switched_dae/folds.py` inside a core.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from freewheel.runtime.events.branch_following import FREE, LENIENT
from freewheel.runtime.events.folds import distances_beyond, jump, jumped, no_branch
from freewheel.runtime.live import LiveModel
from freewheel.runtime.model import Vector
from freewheel.runtime.settings import Settings

if TYPE_CHECKING:
    from freewheel.runtime.loop.classic_engine import ClassicEngine
    from freewheel.runtime.loop.recording import Recorder
    from freewheel.runtime.switched_dae.folds import Motion

Landing: TypeAlias = tuple[Vector, str]  # states after the jump, and its cause in words


@dataclass(frozen=True, slots=True)
class FoldLandings:
    """The row of the left limit is stored where there is a landing."""

    live: LiveModel
    engine: ClassicEngine
    recorder: Recorder
    settings: Settings

    def after_failure(self, began_at: float) -> Landing | None:
        """No step leads on: whether a loop has met a fold. `began_at`: when the last event was."""
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
        told = jump(live, t, y, engine.f, distances, t - began_at <= distances[1])
        return (y, told) if told else None

    def at_start(self, began_at: float) -> Landing | None:
        """Where a curve inside a core starts at a fold: no step leads on from there."""
        core = self.live.core
        motion = core.start_on_fold(self.engine.t, self.engine.y)
        return self._of_motion(motion, core.only_branch, began_at)

    def _in_core(self, began_at: float) -> Landing | None:
        core, t, y = self.live.core, self.engine.t, self.engine.y
        landing = self._of_motion(core.motion(t, y), core.next_branch, began_at)
        if landing is not None:
            return landing
        # Newton's method may have ended beside the fold: which of the branches it is cannot be told.
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
