"""Entries of a mode's matrices that are zero but for rounding.

Balancing would take one for a unit, and all the rest would be nothing beside it. It is recognised by what is
larger by thirteen digits: its row and its column, or the same entry in another position of the
switches, or what its row stores beside all that it could add to it in the whole run. An inductor that
a switch shorts sees the others by rounding alone, with nothing beside it in its row.

    E = [[1]], A = [[1403, -661]] while the switch is open, [[0, -7e-14]] while it is closed
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from freewheel.runtime.model import Vector
from freewheel.runtime.switched_dae.problem import CoreProblem
from freewheel.runtime.switched_dae.thresholds import ANALYSIS


def without_round_off(
    core: CoreProblem, t: float, y: Vector, slope: Vector, values: Vector
) -> Vector:
    """`values` are dF/dy, then dF/dy', by rows, of the mode of the present bits; so is what is given
    back."""
    n = core.size
    matrices = values.reshape(2, n, n)
    sizes = np.abs(matrices)
    np.maximum(core.largest, sizes, out=core.largest)
    limits = ANALYSIS.suspect * sizes.max(axis=(1, 2), initial=0.0)
    if not ((sizes > 0.0) & (sizes < limits[:, None, None])).any():
        return values
    found = np.array([_beside_others(matrix) for matrix in matrices])
    _look_elsewhere(core, t, y, slope)
    found |= sizes < ANALYSIS.round_off * core.largest
    if core.span > 0.0:
        found[0] |= _in_vain(core, sizes)
    return np.where(found, 0.0, matrices).ravel()


def _beside_others(matrix: Vector) -> npt.NDArray[np.bool_]:
    sizes = np.abs(matrix)
    rows, columns = sizes.max(axis=1, initial=0.0), sizes.max(axis=0, initial=0.0)
    return np.asarray(sizes < ANALYSIS.round_off * np.minimum(rows[:, None], columns[None, :]))


def _look_elsewhere(core: CoreProblem, t: float, y: Vector, slope: Vector) -> None:
    """The largest that entries are with one switch in the other position."""
    bits = core.memory[core.bits : core.bits + len(core.bit_names)]
    values = np.empty(2 * core.size * core.size)
    for k, bit in enumerate(bits.tolist()):
        bits[k] = 1.0 - bit
        if core.jacobians(core.memory, t, y, slope, values) == 0:
            sizes = np.abs(values).reshape(core.largest.shape)
            np.maximum(core.largest, np.where(np.isfinite(sizes), sizes, 0.0), out=core.largest)
        bits[k] = bit
    core.jacobians(core.memory, t, y, slope, values)  # the memory is that of the mode again


def _in_vain(core: CoreProblem, sizes: Vector) -> npt.NDArray[np.bool_]:
    """Entries of dF/dy that change nothing in the whole run."""
    stored = (sizes[1] * core.seen).max(axis=1, initial=0.0)
    added = sizes[0] * core.seen.max(initial=0.0) * core.span
    return np.asarray(added < ANALYSIS.in_a_run * stored[:, None])
