"""Watching a run: collect transitions and print them as text.

trace = Trace()
simulate(model, 10.0, watch=trace)
print(trace.text())

       1  clock  internal  1 until 2
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import final

from freewheel.devs.run_nodes import Transition


@final
class Trace:
    """Keeps every transition, or those of the models named."""

    def __init__(self, models: Iterable[str] = ()) -> None:
        self.only = frozenset(models)
        self.transitions: list[Transition] = []

    def __call__(self, transition: Transition) -> None:
        if not self.only or transition.model in self.only:
            self.transitions.append(transition)

    def text(self) -> str:
        """One line each: time, model, kind, what arrived, the new state, its end."""
        return "".join(f"{shown(each)}\n" for each in self.transitions)


def shown(transition: Transition) -> str:
    arrived = " ".join(f"{port}={value}" for port, value in transition.events)
    end = "ever" if transition.next_time == math.inf else f"{transition.next_time:g}"
    words = (transition.model, transition.kind, arrived, f"{transition.state} until {end}")
    return f"{transition.time:>12g}  " + "  ".join(word for word in words if word)
