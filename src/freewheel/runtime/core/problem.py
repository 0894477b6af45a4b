"""What the run time must know of an implicit core F(y', y, t; b) = 0.

A core is filled by a backend or, in tests, by hand. Its functions come twice, as machine code and as
Python functions of the same arguments:

    rates(m, t, order, ys, out) -> status      out = d^order F / dt^order, ys = (y, y', y'', ...)
    jacobians(m, t, y, slope, out) -> status   out = dF/dy, then dF/dy', by rows
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from freewheel.runtime.core.model import CoreElement
from freewheel.runtime.model import Vector

CoreFunction = Callable[..., int]


@dataclass(frozen=True, slots=True)
class Instant:
    """Bits that the model's own logic sets at a known time."""

    time: float
    bits: tuple[tuple[int, bool], ...]


@dataclass(frozen=True, slots=True)
class Core:
    name: str
    unknowns: tuple[str, ...]
    equations: tuple[str, ...]  # what to call the rows of F in messages
    bit_names: tuple[str, ...]
    elements: tuple[CoreElement, ...]
    memory: Vector  # of the model; the bits lie in it
    bits: int  # slot of the first bit
    start: Vector  # y before the first mode is chosen
    is_linear: bool  # F is linear in y and y', with matrices that depend on the bits only
    rates: CoreFunction
    jacobians: CoreFunction
    rates_address: int
    jacobians_address: int
    # The next instant after t, None: no more. (t, memory, y) -> ...
    schedule: Callable[[float], Instant | None] = lambda _: None
    # Called after the event at t has been located: may set bits (latches); tells whether it did.
    logic: Callable[[float, Vector, Vector], bool] | None = None
    # Unknowns, with the rows that give their rates, that nothing else depends on.
    listeners: tuple[int, ...] = ()

    # numbers of the modes that have been analysed, by their bits
    bodies: dict[bytes, Vector] = field(default_factory=dict, repr=False)
    seen: Vector = field(init=False, repr=False)  # the largest each unknown has been at an analysis
    usual: Vector = field(init=False, repr=False)  # the same of dF/dy, where it moves

    def __post_init__(self) -> None:
        object.__setattr__(self, "seen", np.abs(self.start))
        room = 0 if self.is_linear else self.size
        object.__setattr__(self, "usual", np.zeros((room, room)))

    @property
    def size(self) -> int:
        return len(self.unknowns)


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
