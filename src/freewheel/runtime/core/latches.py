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
    at rest there, if the mode with all of them is as right as the one that was found."""
    memory, first = core.live.memory, core.core.bits
    rests = core_sections.callable("rests_below")
    arrays = memory.ctypes.data, core.w.ctypes.data, core.c.ctypes.data
    resting = [e for number, e in enumerate(core.core.elements) if rests(*arrays, number) == 1]
    bits = memory[first : first + len(core.core.bit_names)]
    kept = (core.w, core.w.copy()), (core.c, core.c.copy()), (bits, bits.copy())
    found = core.vector(at.Y).copy()
    for element in resting:
        memory[first + element.bit] = 1.0
    core.vector(at.BEFORE)[:] = found
    core.visit(at.BEFORE, t)
    begins = core_sections.callable("begins_here")
    is_right = int(begins(memory.ctypes.data, core.address, t, 1)) == RIGHT
    stored = np.array(core.core.is_differential)  # potentials of parts that float may be others
    moved = np.abs(core.vector(at.Y) - found) > GUARD * _sizes(core)
    if is_right and not (moved & stored).any():
        return
    for array, values in kept:
        array[:] = values
    core.c[at.MODES] = len(core.modes)  # one may have been added
    core.visit(at.Y, t)


def _sizes(core: AttachedCore) -> Vector:
    return np.maximum(core.vector(at.SIZE), core.vector(at.FLOOR))
