"""The core of a model that has none, so that whoever asks need not look first whether there is one.

    live.core.flush(); live.core.warnings, live.core.work       # of this or of an `AttachedCore`

Most models have no ideal elements: nothing here loads the kernels of those that do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from freewheel.base.diagnostics import Diagnostic, SimulationError
    from freewheel.machine.memory import Closure
    from freewheel.result.impulses import Impulse
    from freewheel.runtime.live import LiveModel
    from freewheel.runtime.loop.memory import Loop
    from freewheel.runtime.model import Vector
    from freewheel.runtime.switched_dae.folds import Motion


class NoCore:
    is_there = False
    method = ""  # that takes the steps
    may_start_on_fold = False
    work = (0, 0, 0, 0)

    def __init__(self) -> None:
        self.largest: Vector = np.zeros(0)
        self.impulses: Sequence[Impulse] = ()
        self.warnings: Sequence[Diagnostic] = ()
        self.stats: Mapping[str, int] = {}

    def join(self, loop: Loop) -> None:
        """The loop need not know."""

    def run_initial(self, live: LiveModel) -> None:
        live.run("initial")

    def mode_sections(
        self, derivatives: int | Closure, relations: int | Closure
    ) -> tuple[int | Closure, int | Closure]:
        """Of a motion that is held, in a mode: the model's own."""
        return derivatives, relations

    def follow_inputs(self, slots: Sequence[int], numbers: Sequence[float]) -> None:
        """Nothing inside follows them."""

    def check(self) -> None:
        """No callback has raised anything."""

    def forget_trials(self) -> None:
        """None were made."""

    def flush(self) -> None:
        """There are no impulses."""

    def state(self) -> dict[str, Any]:
        """Of a run that is saved: nothing."""
        return {}

    def take_state(self, saved: Mapping[str, Any]) -> None:
        """There is none."""

    def failure(self, t: float) -> SimulationError:
        raise AssertionError("no section of a model without a core gives CORE_FAILED")

    def start_on_fold(self, t: float, y: Vector) -> Motion | None:
        return None

    def start_beside_fold(self, t: float, y: Vector) -> Motion | None:
        return None

    def motion(self, t: float, y: Vector) -> Motion | None:
        return None

    def only_branch(self, motion: Motion) -> Vector | None:
        return None

    def next_branch(self, motion: Motion) -> Vector | None:
        return None
