"""How statuses follow residuals: bands of rounding, slopes of residuals of time alone.

rules.doubt_again(causes)       # an event begins
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from freewheel.runtime.event.calendar import TIED
from freewheel.runtime.event.detect import Mask, changed
from freewheel.runtime.event.log import EventLog
from freewheel.runtime.live import LiveModel
from freewheel.runtime.model import Vector


@dataclass(frozen=True, slots=True)
class Rules:
    """How statuses follow residuals."""

    bands: Vector  # see `detect.changed`
    forgiven: Vector  # bands that a search has given, until the next event
    sizes: Vector  # how large each residual has been
    rises: Vector  # slopes of residuals of time alone, of others 0; reached zeros are passed
    limit: int  # of rounds
    log: EventLog | None = None

    def doubt_again(self, causes: Mask | None) -> None:
        """An event begins. What was forgiven at the one before may be clear by now: a thyristor fired without
        current contradicts itself, and does not once the current flows. Who causes this event has left its
        band; bands of others, of noise and of what is held, are not asked."""
        which = (self.forgiven > 0.0) & (self.bands == self.forgiven)
        if causes is not None:
            which &= ~causes
        self.bands[which] = 0.0
        self.forgiven[:] = 0.0


def disagreeing(live: LiveModel, rules: Rules) -> tuple[Mask, Vector]:
    """Which statuses the residuals in memory contradict, and the statuses they ask for."""
    residuals = live.memory[live.residual_slots]
    is_reached = np.abs(residuals) <= TIED * abs(live.time) * np.abs(rules.rises)
    residuals = np.where(is_reached, rules.rises, residuals)
    return changed(live.memory[live.statuses], residuals, rules.bands), np.sign(residuals)


def follow(live: LiveModel, rules: Rules, one_only: bool = False) -> Mask:
    """Set statuses by the residuals in memory; which ones changed."""
    mask, wanted = disagreeing(live, rules)
    if one_only and mask.any():
        first = int(np.argmax(mask))
        mask[:] = False
        mask[first] = True
    live.memory[live.statuses[mask]] = wanted[mask]
    return mask
