"""The messages that the simulators of a hierarchy exchange, as CD++ logs them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Party:
    """A simulator or coordinator, by its model's name and its number; `root` is number 0."""

    name: str
    number: int

    def __str__(self) -> str:
        return f"{self.name}({self.number:02})"


@dataclass(frozen=True, slots=True)
class Message:
    """I start, @ collect outputs, * take a transition, X input, Y output, D done."""

    kind: str
    time: float
    source: Party
    target: Party
    port: str = ""
    value: Any = None
    next_time: float = math.inf  # of D: how long until the sender's next transition
