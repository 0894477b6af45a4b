"""A mode's structure, found when it is first visited: numbers the kernels then use for ever.

In: the matrices of the mode. Out: its record (layout in `kernels/core_places.py`): index, operator of
the conserving restart, projector of the error, gauge of unknowns that nothing determines.

The restart y+ = y- + W c solves F = 0, dF/dt = 0, ..., d^(index-1)F/dt^(index-1) = 0 for c and the
derivatives of y. With E and A constant its matrix is block-bidiagonal; where F bends the kernels
iterate with it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from freewheel.runtime.core.problem import Core
from freewheel.runtime.core.subspaces import Subspaces, subspaces
from freewheel.runtime.kernels import core_places as at
from freewheel.runtime.model import Vector

HIGHEST = 3  # index: the derivative array has at most three levels
SINGULAR = 1e-11
FREE = 1e-8


@dataclass(frozen=True, slots=True)
class ModeFacts:
    """What a reader may want to know of a mode."""

    index: int
    states: int
    free: tuple[str, ...]  # unknowns without a value of their own
    contradicting: tuple[str, ...]  # equations that cannot all hold, should their sources differ


def mode_matrices(core: Core, t: float, y: Vector, slope: Vector) -> tuple[Vector, Vector]:
    n = core.size
    values = np.empty(2 * n * n)
    status = core.jacobians(core.memory, t, y, slope, values)
    assert status == 0, "matrices of a mode"
    return values[n * n :].reshape(n, n), values[: n * n].reshape(n, n)


def analyse_mode(
    core: Core, t: float, y: Vector, slope: Vector, scale: float, record: Vector
) -> ModeFacts:
    """Fill the record of the mode of the present bits; `scale` is a time typical for the model."""
    n = core.size
    E, A = mode_matrices(core, t, y, slope)
    rows = np.maximum(np.abs(E).max(axis=1) / scale, np.abs(A).max(axis=1))
    rows[rows == 0.0] = 1.0
    scaled_e, scaled_a = E / scale / rows[:, None], A / rows[:, None]
    spaces = subspaces(scaled_e, scaled_a)
    levels = min(max(spaces.index - 1, 0), HIGHEST - 1)
    solution, open_ = _restart(scaled_e, scaled_a, spaces, levels, rows, scale)
    fix = _gauge_fix(core, open_)
    record[:] = 0.0
    record[at.LEVELS], record[at.INDEX] = levels, spaces.index
    record[at.IS_LINEAR] = core.is_linear
    record[at.IS_SINGULAR] = open_.shape[1] > 0
    states = spaces.values.shape[1] - spaces.free.shape[1]
    record[at.HAS_STATES] = states > 0
    squares = record[at.RECORD_HEAD : at.RECORD_HEAD + at.MATRICES * n * n]
    _put(squares, at.A_AT, A)
    _put(squares, at.E_AT, E)
    _put(squares, at.GAUGE_AT, rows[:, None] * _gauge(spaces))
    _put(squares, at.FIX_AT, fix)
    _put(squares, at.ERROR_AT, _error_projector(spaces))
    operator = squares[at.K_AT * n * n :].reshape(4 * n, 3 * n)
    operator[: solution.shape[0], : solution.shape[1]] = solution
    vectors = record[at.RECORD_HEAD + at.MATRICES * n * n :].reshape(at.RECORD_VECTORS, n)
    vectors[at.WEIGHTS] = np.abs(E).max(axis=0) > 0.0
    for level in range(levels + 1):
        vectors[at.LEVEL_SCALE + level] = scale**level / rows
    return ModeFacts(
        spaces.index,
        states,
        _named(core.unknowns, open_),
        _named(core.equations, spaces.tied),
    )


def _put(squares: Vector, place: int, matrix: Vector) -> None:
    size = matrix.size
    squares[place * size : (place + 1) * size] = matrix.ravel()


def _restart(
    E: Vector, A: Vector, spaces: Subspaces, levels: int, rows: Vector, scale: float
) -> tuple[Vector, Vector]:
    """Operator from the derivative array to changes of (y, y', ...), and the unknowns left open."""
    n = len(E)
    W = spaces.jumps
    m = W.shape[1]
    array = np.zeros(((levels + 1) * n, m + (levels + 1) * n))
    for level in range(levels + 1):
        here = slice(level * n, (level + 1) * n)
        if level == 0:
            array[here, :m] = A @ W
        else:
            array[here, m + (level - 1) * n : m + level * n] = A
        array[here, m + level * n : m + (level + 1) * n] = E
    left, sizes, right = np.linalg.svd(array, full_matrices=True)
    rank = int((sizes > SINGULAR * max(sizes[0], 1e-300)).sum())
    inverse = right[:rank].T @ (left[:, :rank].T / sizes[:rank, None])
    for level in range(levels + 1):
        inverse[:, level * n : (level + 1) * n] *= scale**level / rows
        inverse[m + level * n : m + (level + 1) * n] *= scale ** -(level + 1)
    open_ = W @ right[rank:].T[:m]
    if open_.size == 0 or np.abs(open_).max() < FREE:
        return np.vstack([W @ inverse[:m], inverse[m:]]), np.zeros((n, 0))
    base, found, _ = np.linalg.svd(open_, full_matrices=False)
    return np.vstack([W @ inverse[:m], inverse[m:]]), base[:, found > FREE]


def _gauge(spaces: Subspaces) -> Vector:
    """Added to the matrices of a step: what nothing determines stays where it is."""
    count = min(spaces.tied.shape[1], spaces.free.shape[1])
    return np.asarray(spaces.tied[:, :count] @ spaces.free[:, :count].T)


def _gauge_fix(core: Core, open_: Vector) -> Vector:
    """Of all values of the open unknowns those with the smallest complementarity unknowns: the plain
    minimum norm makes a floating bridge switch without end."""
    n = core.size
    if open_.shape[1] == 0:
        return np.eye(n)
    places = [element.unknown for element in core.elements]
    seen = open_[places]
    left, sizes, right = np.linalg.svd(seen, full_matrices=True)
    rank = int((sizes > FREE).sum())
    inverse = right[:rank].T @ (left[:, :rank].T / sizes[:rank, None])
    fix = np.eye(n)
    fix[:, places] -= open_ @ inverse
    unseen = open_ @ right[rank:].T  # orthonormal columns
    return np.asarray(fix - unseen @ (unseen.T @ fix))


def _error_projector(spaces: Subspaces) -> Vector:
    V, W = spaces.values, spaces.jumps
    if V.shape[1] == 0:
        return np.zeros((len(V), len(V)))
    both = np.linalg.pinv(np.hstack([V, W]), rcond=1e-12)
    return np.asarray(V @ both[: V.shape[1]])


def _named(names: tuple[str, ...], directions: Vector) -> tuple[str, ...]:
    if directions.shape[1] == 0:
        return ()
    return tuple(n for n, row in zip(names, directions, strict=True) if np.abs(row).max() > 1e-6)
