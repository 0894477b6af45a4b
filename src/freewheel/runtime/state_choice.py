"""States chosen while running: new combinations of variables where the old ones turn bad.

    choose_states(live)     # after `relations`, at a point that counts; the states have new values

With G the gradient of the constraints, the states become coordinates along which the variables are
free to move: single variables where these lie well, else along an orthonormal base of the null
space of G. The variables themselves do not change, so nothing is lost; see
structure/dynamic_states.py for what is watched.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from freewheel.runtime.live import LiveModel
from freewheel.runtime.model import StateChoice, Vector

MAX_DETERMINANT = 3  # constraints: up to here a determinant is watched, beyond it a matrix
GOOD = 0.8  # product of cosines from which single variables are states

Matrix = npt.NDArray[np.float64]


def choose_states(live: LiveModel) -> None:
    for choice in live.model.choices:
        _choose(live.memory, choice)


def _choose(memory: Vector, choice: StateChoice) -> None:
    gradient = memory[np.array(choice.gradient)]
    if not np.all(np.isfinite(gradient)):
        return  # whoever asks next will find out why
    sizes = np.sqrt(np.sum(gradient * gradient, axis=1))
    sizes[sizes == 0.0] = 1.0
    along, normals = chosen(gradient / sizes[:, None])
    pivots = along / np.array(choice.scales)
    memory[np.array(choice.pivots)] = pivots
    memory[np.array(choice.normals)] = normals
    for states, variables in zip(choice.states, choice.variables, strict=True):
        memory[np.array(states)] = pivots @ memory[np.array(variables)]
    memory[choice.status] = 1.0


def chosen(rows: Matrix) -> tuple[Matrix, Matrix]:
    """(states in terms of the variables, what is watched by), for constraints of length one."""
    count, size = rows.shape
    base, _ = np.linalg.qr(rows.T, mode="complete")
    across, along = base[:, :count].T, base[:, count:].T
    if count > MAX_DETERMINANT:
        return along, np.asarray(np.linalg.pinv(rows).T, dtype=np.float64)
    free = _most_free(along)
    if abs(np.linalg.det(along[:, free])) >= GOOD:
        unit = np.eye(size)
        along, across = unit[free], np.delete(unit, free, axis=0)
    if np.linalg.det(rows @ across.T) < 0.0:  # what is watched begins positive
        across[0] = -across[0]
    return along, across


def _most_free(along: Matrix) -> list[int]:
    """As many variables as directions: each time the one that moves most apart from the others."""
    left = along.copy()
    found: list[int] = []
    for _ in range(len(along)):
        lengths = np.sum(left * left, axis=0)
        column = int(np.argmax(np.round(lengths, 9)))  # ties: the first one
        found.append(column)
        direction = left[:, column] / max(np.sqrt(lengths[column]), 1e-300)
        left -= np.outer(direction, direction @ left)
    return sorted(found)
