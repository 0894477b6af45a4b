"""Latched elements without voltage and current.

    conduct_at_rest(attached, t)     # an event has settled; a fired thyristor at its corner conducts

A thyristor in a part that is shorted has s = 0. `off = s < 0 or pre(off) and not fire` says that it conducts
then: it fires, and does not go out. For the selection of a mode both sides are as good, and rounding
would choose; a voltage that comes after the gate has closed would meet another thyristor.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from freewheel.runtime.model import Vector
from freewheel.runtime.switched_dae.mode_change import rests_below
from freewheel.runtime.switched_dae.position_trial import RIGHT, begins_here
from freewheel.runtime.switched_dae.thresholds import RESTART

if TYPE_CHECKING:
    from freewheel.runtime.switched_dae.attached import AttachedCore


def conduct_at_rest(core: AttachedCore, t: float) -> None:
    """Elements that a latch may hold, and does not, change from below to above their corners where they are
    at rest there, if the mode with them is as right as the one that was found."""
    for number, element in enumerate(core.core.elements):
        if core.call(rests_below, number) == 1:
            _try(core, element.bit, t)


def _try(core: AttachedCore, bit: int, t: float) -> None:
    memory, first = core.live.memory, core.core.bits
    bits = memory[first : first + len(core.core.bit_names)]
    record = core.record
    kept, kept_bits = core.written.keep(), bits.copy()
    found, left_open = np.array(record.y), core.mode.open_count
    bits[bit] = 1.0
    record.before[:] = found
    core.visit(found, t)
    is_right = core.call(begins_here, t, 1) == RIGHT
    stored = np.array(core.core.is_differential)  # potentials of parts that float may be others
    moved = np.abs(np.asarray(record.y) - found) > RESTART.guard * _sizes(core)
    # Of two back to back the one that does not conduct stays off: how they share a current is open.
    if is_right and not (moved & stored).any() and core.mode.open_count <= left_open:
        return
    core.written.put_back(kept)
    bits[:] = kept_bits
    core.visit(np.asarray(record.y), t)


def _sizes(core: AttachedCore) -> Vector:
    sizes: Vector = np.maximum(np.asarray(core.record.size), np.asarray(core.record.floor))
    return sizes
