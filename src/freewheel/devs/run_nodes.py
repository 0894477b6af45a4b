"""What is told while a model runs (`Transition`) and after it (`Outcome`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from freewheel.devs.nodes import Events, TimedEvent


@dataclass(frozen=True, slots=True)
class Transition:
    """One atomic model took a new state."""

    time: float
    model: str  # dotted path
    kind: str  # start, internal, external or confluent
    events: Events  # what arrived
    state: Any  # the new one
    next_time: float  # when it ends if nothing arrives


Watch: TypeAlias = Callable[[Transition], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run has given."""

    time: float  # of the last transition
    reason: str  # "until", "passive", "stopped" or "limit"
    outputs: tuple[TimedEvent, ...]  # at the outputs of the whole model
    states: Mapping[str, Any]  # by dotted path
    internal: int  # internal transitions; a confluent one counts here and as external
    external: int

    @property
    def transitions(self) -> int:
        return self.internal + self.external

    def at(self, port: str) -> list[tuple[float, Any]]:
        """Times and values at one output."""
        return [(time, value) for time, name, value in self.outputs if name == port]
