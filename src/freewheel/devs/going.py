"""The loop that every coordinator runs in: from one time at which something happens to the next.

    go(coordinator, until=10.0, max_transitions=inf, stop_when=None)      "until"

What happens at one time is the coordinator's business; here is decided when to end, and whose code was
running is told where it fails.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Protocol, TypeVar

from freewheel.devs.closed import Closed


class Coordinator(Protocol):
    closed: Closed
    time: float
    internal: int
    external: int
    running: int  # whose code is, as a number of `closed.models`; beyond them nobody's

    def next_time(self) -> float: ...

    def step(self, time: float) -> None: ...


AnyCoordinator = TypeVar("AnyCoordinator", bound=Coordinator)


def go(
    coordinator: AnyCoordinator,
    until: float,
    max_transitions: float,
    stop_when: Callable[[AnyCoordinator], bool] | None,
) -> str:
    """Go on up to and including `until`; say why it ended."""
    try:
        while True:
            time = coordinator.next_time()
            if time == math.inf:
                return "passive"
            if time > until:
                return "until"
            if coordinator.internal + coordinator.external >= max_transitions:
                return "limit"
            coordinator.step(time)
            if stop_when is not None and stop_when(coordinator):
                return "stopped"
    except Exception as failure:
        if coordinator.running < len(coordinator.closed.models):
            name = coordinator.closed.names[coordinator.running]
            failure.add_note(f"in the model `{name}` at t = {coordinator.time:g}")
        raise
