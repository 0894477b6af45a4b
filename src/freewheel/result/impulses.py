"""An impulse: what an ideal element passes on in no time.

for impulse in result.impulses:
    print(impulse)              # 0.05 s: 0.137687 through L1
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Impulse:
    """At `time` an equation held only in the mean over no time at all: what it stores (a flux, a charge, a
    momentum) grew by `strength`."""

    time: float
    element: str  # the component the equation belongs to; may be empty
    equation: str
    strength: float

    def __str__(self) -> str:
        return f"{self.time:g} s: {self.strength:.9g} in {self.element or self.equation}"
