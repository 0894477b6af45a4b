"""Processor time of an action, as free of chance as it gets: the least of some rounds.

A limit on time in a test is there to tell linear from quadratic, or an end from none, and has a
wide margin for a busy machine. How long things take is measured by `make bench` and by long tests.
"""

from __future__ import annotations

from collections.abc import Callable
from time import process_time


def quickest(action: Callable[[], object], rounds: int = 3) -> float:
    """Seconds of the processor."""
    times = []
    for _ in range(rounds):
        began = process_time()
        action()
        times.append(process_time() - began)
    return min(times)
