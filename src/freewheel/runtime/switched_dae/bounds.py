"""Which relations look at what a mode leaves open, and how: numbers for `switched_dae/bounds_kernels.py`.

    put_bounds(live, core, mode, y)

Found by differences along the open directions, with all relations awake: the sections of the model know
more of its relations than its matrices do. Corners of elements are none of them: the core keeps to those
itself, and what is left of them in such a direction is rounding.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from freewheel.machine.memory import memory_of
from freewheel.runtime.linear.least_distance import room
from freewheel.runtime.live import LiveModel
from freewheel.runtime.model import FINE, Vector
from freewheel.runtime.switched_dae.memory import Core, Mode
from freewheel.runtime.switched_dae.thresholds import PIVOTS


def put_bounds(live: LiveModel, core: Core, mode: Mode, y: Vector) -> None:
    """Into the record of a mode whose analysis has left something open that no element sees."""
    seen, changes = _bounds_of(live, mode, y)
    count, memory = len(seen), memory_of(core)
    memory.resize(mode, bound_count=count, bound_changes=changes.size)
    mode.bound_rounding = 0.0
    mode.bound_residual_slots[:] = live.residual_slots[seen]
    mode.bound_status_slots[:] = live.statuses[seen]
    mode.bound_gradient[:] = changes.ravel()
    needed = _room_for(mode.unseen, count) if count > 0 else 0
    if needed > core.bound_room:
        memory.resize(core, bound_room=needed)


def _bounds_of(live: LiveModel, mode: Mode, y: Vector) -> tuple[npt.NDArray[np.intp], Vector]:
    """Relations that see the open directions, and their changes along each."""
    others, n = _beside_corners(live), len(y)
    nobody = others[:0], np.zeros((0, 0))
    if not len(others) or mode.unseen == 0:
        return nobody
    rows = np.asarray(mode.open_rows).reshape(-1, n)[mode.open :]
    changes = _changes(live, rows, y)[others]
    if not np.isfinite(changes).all():
        return nobody
    largest = np.abs(changes).max(initial=0.0)
    is_seen = np.linalg.norm(changes, axis=1) > PIVOTS.seen * largest
    return others[is_seen], changes[is_seen]


def _beside_corners(live: LiveModel) -> npt.NDArray[np.intp]:
    """Numbers of the relations that are no corners of elements."""
    core = live.model.core
    corners = {slot for e in (core.elements if core else ()) for slot, _ in e.statuses}
    return np.array([i for i, s in enumerate(live.statuses) if int(s) not in corners], np.intp)


def _room_for(directions: int, relations: int) -> int:
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
