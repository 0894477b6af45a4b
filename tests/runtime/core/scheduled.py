"""A core by itself, without a model around it: what stands for the model's logic, and how to run it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from freewheel.runtime.model import Vector
from freewheel.runtime.switched_dae.problem import CoreProblem


@dataclass(frozen=True, slots=True)
class Instant:
    """Bits that the model's own logic sets at a known time."""

    time: float
    bits: tuple[tuple[int, bool], ...]


@dataclass(frozen=True, slots=True)
class ScheduledCore(CoreProblem):
    # The next instant after t, None: no more.
    schedule: Callable[[float], Instant | None] = lambda _: None
    # Called after the event at t has been located: may set bits (latches); tells whether it did.
    logic: Callable[[float, Vector, Vector], bool] | None = None


@dataclass(frozen=True, slots=True)
class CoreSettings:
    stop: float
    interval: float
    start: float = 0.0
    tolerance: float = 1e-6
    absolute: float = 1e-9
    longest_step: float = 0.0  # 0: the whole time
    impulses: str = "warn"  # accept, warn, error
    is_first_order: bool = False  # backward Euler with steps of `longest_step`
    most_steps: int = 1_000_000

    @property
    def h_max(self) -> float:
        return self.longest_step or self.stop - self.start
