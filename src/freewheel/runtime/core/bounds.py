"""Which relations look at what a mode leaves open, and how: numbers for `kernels/core_bounds.py`.

    body = bounds_of(live, record, y)      None: no relation does

Found by differences along the open directions, with all relations awake: the sections of the model know
more of its relations than its matrices do.
"""

from __future__ import annotations

import ctypes

import numpy as np

from freewheel.runtime.kernels import core_places as at
from freewheel.runtime.kernels.least_distance import room
from freewheel.runtime.live import LiveModel
from freewheel.runtime.model import FINE, Vector

SEEN = 1e-9  # of the largest change that any relation sees: less is rounding


def bounds_of(live: LiveModel, record: Vector, y: Vector) -> Vector | None:
    if not live.model.relations:
        return None
    n, first, count = len(y), int(record[at.OPEN]), int(record[at.UNSEEN])
    address = int(record[at.FIX_AT]) + 8 * first * n
    rows = np.ctypeslib.as_array(ctypes.cast(address, ctypes.POINTER(ctypes.c_double)), (count, n))
    changes = _changes(live, rows, y)
    if not np.isfinite(changes).all():
        return None
    largest = np.abs(changes).max(initial=0.0)
    seen = np.flatnonzero(np.linalg.norm(changes, axis=1) > SEEN * largest)
    if not len(seen):
        return None
    return np.concatenate(
        [[len(seen), 0.0], live.residual_slots[seen], live.statuses[seen], changes[seen].ravel()]
    )


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
