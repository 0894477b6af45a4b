"""How statuses follow residuals: bands of rounding, slopes of residuals of time alone.

rules.doubt_again(causes)       # an event begins
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from freewheel.runtime.events.log import EventLog
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.model import Mask, Vector


@dataclass(frozen=True, slots=True)
class Rules:
    """How statuses follow residuals."""

    bands: Vector  # see `has_left` of `events/location.py`
    forgiven: Vector  # bands that a search has given, until the next event
    sizes: Vector  # how large each residual has been
    rises: Vector  # slopes of residuals of time alone, of others 0; reached zeros are passed
    limit: int  # of rounds
    log: EventLog | None = None

    @classmethod
    def of(cls, loop: Loop, limit: int, log: EventLog | None = None) -> Rules:
        """Those that the kernels of a time loop follow."""
        bands, forgiven = np.asarray(loop.bands), np.asarray(loop.forgiven)
        return cls(bands, forgiven, np.asarray(loop.sizes), np.asarray(loop.rises), limit, log)

    def doubt_again(self, causes: Mask | None) -> None:
        """An event begins. What was forgiven at the one before may be clear by now: a thyristor fired without
        current contradicts itself, and does not once the current flows. Who causes this event has left its
        band; bands of others, of noise and of what is held, are not asked."""
        which = (self.forgiven > 0.0) & (self.bands == self.forgiven)
        if causes is not None:
            which &= ~causes
        self.bands[which] = 0.0
        self.forgiven[:] = 0.0
