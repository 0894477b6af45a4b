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

from freewheel.runtime.model import Vector
from freewheel.runtime.switched_dae.mode_cache import KnownModes
from freewheel.runtime.switched_dae.model import CoreElement

CoreFunction = Callable[..., int]


@dataclass(frozen=True, slots=True)
class CoreProblem:
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
    # Unknowns, with the rows that give their rates, that nothing else depends on.
    listeners: tuple[int, ...] = ()
    is_timeless: bool = False  # F does not depend on time itself
    is_steady: bool = False  # matrices are constant in a mode but for the rows of listeners
    span: float = 0.0  # of the run; 0.0: not known
    known: KnownModes = field(default_factory=KnownModes, repr=False)

    filled: dict[int, object] = field(
        default_factory=dict, repr=False
    )  # what records of modes hold
    seen: Vector = field(init=False, repr=False)  # the largest each unknown has been at an analysis
    usual: Vector = field(init=False, repr=False)  # the same of dF/dy, where it moves

    largest: Vector = field(init=False, repr=False)  # of dF/dy and dF/dy', in any mode

    def __post_init__(self) -> None:
        object.__setattr__(self, "largest", np.zeros((2, self.size, self.size)))
        object.__setattr__(self, "seen", np.abs(self.start))
        room = 0 if self.is_linear else self.size
        object.__setattr__(self, "usual", np.zeros((room, room)))

    @property
    def size(self) -> int:
        return len(self.unknowns)
