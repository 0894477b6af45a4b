"""Events from outside, checked and in order of time."""

from __future__ import annotations

import math
from collections.abc import Iterable

from freewheel.devs.failures import no_input, no_time
from freewheel.devs.nodes import Coupled, TimedEvent


def arriving(model: Coupled, events: Iterable[TimedEvent]) -> list[TimedEvent]:
    """Sorted by time; those of one time stay in the order given."""
    found = list(events)
    for time, port, _ in found:
        if not 0.0 <= time < math.inf:
            raise no_time(port, time)
        if port not in model.inputs:
            raise no_input(model.inputs, port, time)
    return sorted(found, key=lambda event: event[0])
