"""Latched elements without voltage and current.

    conduct_at_rest(attached, t)     # an event has settled; a fired thyristor at its corner conducts

A thyristor in a part that is shorted has s = 0. `off = s < 0 or pre(off) and not fire` says that it conducts
then: it fires, and does not go out. For the selection of a mode both sides are as good, and rounding
would choose; a voltage that comes after the gate has closed would meet another thyristor.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from freewheel.runtime.kernels import core_places as at
from freewheel.runtime.kernels.core_guess import GUARD
from freewheel.runtime.kernels.core_pieces import RIGHT
from freewheel.runtime.kernels.core_sections import core_sections
from freewheel.runtime.model import Vector

if TYPE_CHECKING:
    from freewheel.runtime.core.attach import AttachedCore


def conduct_at_rest(core: AttachedCore, t: float) -> None:
    """Elements that a latch may hold, and does not, change from below to above their corners where they are
    at rest there, if the mode with them is as right as the one that was found."""
    rests = core_sections.callable("rests_below")
    for number, element in enumerate(core.core.elements):
        arrays = core.live.memory.ctypes.data, core.w.ctypes.data, core.c.ctypes.data
        if rests(*arrays, number) == 1:
            _try(core, element.bit, t)


def _try(core: AttachedCore, bit: int, t: float) -> None:
    memory, first = core.live.memory, core.core.bits
    bits = memory[first : first + len(core.core.bit_names)]
    kept = (core.w, core.w.copy()), (core.c, core.c.copy()), (bits, bits.copy())
    found, left_open = core.vector(at.Y).copy(), _open(core)
    bits[bit] = 1.0
    core.vector(at.BEFORE)[:] = found
    core.visit(at.BEFORE, t)
    begins = core_sections.callable("begins_here")
    is_right = int(begins(memory.ctypes.data, core.address, t, 1)) == RIGHT
    stored = np.array(core.core.is_differential)  # potentials of parts that float may be others
    moved = np.abs(core.vector(at.Y) - found) > GUARD * _sizes(core)
    # Of two back to back the one that does not conduct stays off: how they share a current is open.
    if is_right and not (moved & stored).any() and _open(core) <= left_open:
        return
    for array, values in kept:
        array[:] = values
    core.c[at.MODES] = len(core.modes)  # one may have been added
    core.visit(at.Y, t)


def _open(core: AttachedCore) -> float:
    """How many directions the mode leaves open."""
    record = core.records[int(core.c[at.MODE]) * at.stride(core.n) :]
    return float(record[at.OPEN] + record[at.UNSEEN])


def _sizes(core: AttachedCore) -> Vector:
    return np.maximum(core.vector(at.SIZE), core.vector(at.FLOOR))
