"""Which relations look at what a mode leaves open, and how: numbers for `kernels/core_bounds.py`.

    body = bounds_of(live, record, y)      None: no relation does

Found by differences along the open directions, with all relations awake: the sections of the model know
more of its relations than its matrices do. Corners of elements are none of them: the core keeps to those
itself, and what is left of them in such a direction is rounding.
"""

from __future__ import annotations

import ctypes

import numpy as np
import numpy.typing as npt

from freewheel.runtime.kernels import core_places as at
from freewheel.runtime.kernels.least_distance import room
from freewheel.runtime.live import LiveModel
from freewheel.runtime.model import FINE, Vector

SEEN = 1e-9  # of the largest change that any relation sees: less is rounding


def bounds_of(live: LiveModel, record: Vector, y: Vector) -> Vector | None:
    others = _beside_corners(live)
    if not len(others):
        return None
    n, first, count = len(y), int(record[at.OPEN]), int(record[at.UNSEEN])
    address = int(record[at.FIX_AT]) + 8 * first * n
    rows = np.ctypeslib.as_array(ctypes.cast(address, ctypes.POINTER(ctypes.c_double)), (count, n))
    changes = _changes(live, rows, y)[others]
    if not np.isfinite(changes).all():
        return None
    largest = np.abs(changes).max(initial=0.0)
    is_seen = np.linalg.norm(changes, axis=1) > SEEN * largest
    if not is_seen.any():
        return None
    seen, changes = others[is_seen], changes[is_seen]
    return np.concatenate(
        [[len(seen), 0.0], live.residual_slots[seen], live.statuses[seen], changes.ravel()]
    )


def _beside_corners(live: LiveModel) -> npt.NDArray[np.intp]:
    """Numbers of the relations that are no corners of elements."""
    core = live.model.core
    corners = {slot for e in (core.elements if core else ()) for slot, _ in e.statuses}
    return np.array([i for i, s in enumerate(live.statuses) if int(s) not in corners], np.intp)


def room_for(directions: int, relations: int) -> int:
    """Floats that `move_inside` needs."""
    own = directions + relations * (directions + 1)
    return own + room(directions, relations)


def _changes(live: LiveModel, directions: Vector, y: Vector) -> Vector:
    """Of the residual of each relation along each direction."""
    saved = live.memory.copy()
    if live.model.awake >= 0:
        live.memory[live.model.awake] = 0.0
    here = _residuals(live, y)
    found = [_residuals(live, y + direction) - here for direction in directions]
    live.memory[:] = saved
    return np.array(found).T


def _residuals(live: LiveModel, y: Vector) -> Vector:
    """By the sections of the model itself, its core left aside."""
    live.states[:] = y
    for name in ("derivatives", "relations"):
        section = live.model.sections.get(name)
        if section is not None and section(live.memory) != FINE:
            return np.full(len(live.statuses), np.nan)
    return live.memory[live.residual_slots]
