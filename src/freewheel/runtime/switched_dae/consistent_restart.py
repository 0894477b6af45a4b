"""A part of a mode: where it restarts from any values, and how its states move.

The restart y+ = y- + W c solves F = 0, dF/dt = 0, ..., d^levels F/dt^levels = 0 for c and the
derivatives of y; with E and A constant its matrix is block-bidiagonal. W holds the directions that may
jump, so what the pencil conserves (flux, charge, momentum) stays. All in scaled units; derivatives in
units of the time scale.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from freewheel.runtime.model import Vector
from freewheel.runtime.switched_dae.condensation import Condensed, condense, condense_leaky
from freewheel.runtime.switched_dae.subspaces import Subspaces, all_states, subspaces
from freewheel.runtime.switched_dae.thresholds import ANALYSIS


@dataclass(frozen=True, slots=True)
class Part:
    """What is known before the number of levels is."""

    small: Condensed
    spaces: Subspaces

    @property
    def index(self) -> int:
        return max(self.spaces.index, 1 if self.small.eliminated else 0)

    @property
    def is_regular(self) -> bool:
        spaces, (height, width) = self.spaces, self.small.A.shape
        return bool(height == width == spaces.jumps.shape[1] + spaces.values.shape[1])


@dataclass(frozen=True, slots=True)
class Restart:
    steps: list[Vector]  # by derivative of y: from the residuals of all levels, side by side
    states: Vector  # columns: what y does when a state changes
    read: Vector  # rows: the states of y
    open: Vector  # columns: directions that nothing determines
    tied: Vector  # columns: combinations of rows that say nothing


def part_of(E: Vector, A: Vector, *, is_graded: bool = False) -> Part:
    """`is_graded`: small numbers are meant, not rounding."""
    leaky = condense_leaky(E, A) if is_graded else None
    if leaky is not None:
        return Part(leaky, all_states(len(leaky.E)))
    small = condense(E, A)
    return Part(small, subspaces(small.E, small.A))


def restart_of(part: Part, levels: int) -> Restart:
    small, spaces = part.small, part.spaces
    solution, open_ = _solved(part, levels)
    m, width = spaces.jumps.shape[1], small.A.shape[1]
    blocks = [spaces.jumps @ solution[:m]]
    blocks += [solution[m + k * width : m + (k + 1) * width] for k in range(levels + 1)]
    steps = [small.back @ _times_blocks(block, small.reduce, levels + 1) for block in blocks]
    height = small.direct.shape[1]
    for level in range(levels + 1):
        steps[level][:, level * height : (level + 1) * height] -= small.direct
    states, read = _states(part)
    return Restart(
        steps,
        small.back @ states,
        read @ small.pick,
        small.back @ open_,
        small.reduce.T @ spaces.tied,
    )


def _times_blocks(matrix: Vector, block: Vector, count: int) -> Vector:
    """`matrix` times a block-diagonal of equal blocks."""
    height = block.shape[0]
    return np.hstack([matrix[:, k * height : (k + 1) * height] @ block for k in range(count)])


def _solved(part: Part, levels: int) -> tuple[Vector, Vector]:
    """Operator from the derivative array to (c, y', y'', ...), and the unknowns left open."""
    E, A, W = part.small.E, part.small.A, part.spaces.jumps
    (height, width), m = A.shape, W.shape[1]
    array = np.zeros(((levels + 1) * height, m + (levels + 1) * width))
    for level in range(levels + 1):
        here = slice(level * height, (level + 1) * height)
        if level == 0:
            array[here, :m] = A @ W
        else:
            array[here, m + (level - 1) * width : m + level * width] = A
        array[here, m + level * width : m + (level + 1) * width] = E
    if array.size == 0:
        return np.zeros(array.T.shape), W
    if part.is_regular:
        q, r = np.linalg.qr(array.T)
        diagonal = np.abs(np.diag(r))
        if diagonal.min() > ANALYSIS.slanted * max(diagonal.max(), 1.0):
            return _refined(array, np.linalg.solve(r, q.T).T), np.zeros((width, 0))
    left, sizes, right = np.linalg.svd(array, full_matrices=True)
    rank = int((sizes > ANALYSIS.singular * max(sizes[0], 1.0)).sum())
    inverse = right[:rank].T @ (left[:, :rank].T / sizes[:rank, None])
    open_ = W @ right[rank:].T[:m]
    if open_.size == 0 or np.abs(open_).max() < ANALYSIS.free:
        return np.asarray(inverse), np.zeros((width, 0))
    base, found, _ = np.linalg.svd(open_, full_matrices=False)
    return np.asarray(inverse), base[:, found > ANALYSIS.free]


def _refined(array: Vector, inverse: Vector) -> Vector:
    """A right inverse with its rounding taken out, where it is amplified: in chains of loops without
    resistance 1e-11 of a large slope were left in currents that are zero. One Newton step on the inverse
    (Schulz 1933), its residual in more digits."""
    is_amplified = bool(np.abs(inverse).max(initial=0.0) > ANALYSIS.amplified)
    if len(array) > (ANALYSIS.most_refined if is_amplified else ANALYSIS.few):
        return inverse
    exact = array.astype(np.longdouble)
    off = np.eye(len(array)) - exact @ inverse.astype(np.longdouble)
    return np.asarray(inverse + inverse @ off.astype(np.float64))


def _states(part: Part) -> tuple[Vector, Vector]:
    """Directions of the states, without those that are open, and how to read them from y."""
    V, W = part.spaces.values, part.spaces.jumps
    if V.shape[1] == 0:
        return V, V.T
    if part.is_regular:
        both = np.hstack([V, W])
        return V, _refined(both, np.asarray(np.linalg.inv(both), float))[: V.shape[1]]
    if W.shape[1]:  # of V what is perpendicular to the directions it shares with W
        _, sizes, right = np.linalg.svd(V - W @ (W.T @ V), full_matrices=True)
        V = V @ right[: int((sizes > ANALYSIS.free).sum())].T
    both = np.linalg.pinv(np.hstack([V, W]), rcond=ANALYSIS.left_out)
    return V, both[: V.shape[1]]
