"""States chosen while running: new combinations of variables where the old ones turn bad.

    choose_states(live)     # after `relations`, at a point that counts; the states have new values

With G the gradient of the constraints, the states become coordinates along an orthonormal base of
its null space: directions in which the variables are free to move. The variables themselves do not
change, so nothing is lost; see structure/dynamic_states.py.
"""

from __future__ import annotations

import numpy as np

from freewheel.runtime.live import LiveModel
from freewheel.runtime.model import StateChoice, Vector


def choose_states(live: LiveModel) -> None:
    for choice in live.model.choices:
        _choose(live.memory, choice)


def _choose(memory: Vector, choice: StateChoice) -> None:
    gradient = memory[np.array(choice.gradient)]
    if not np.all(np.isfinite(gradient)):
        return  # whoever asks next will find out why
    count = len(gradient)
    base, triangle = np.linalg.qr(gradient.T, mode="complete")
    # With a positive diagonal the determinant that is watched begins positive.
    signs = np.where(np.diag(triangle[:count]) < 0.0, -1.0, 1.0)
    pivots = base[:, count:].T / np.array(choice.scales)
    memory[np.array(choice.pivots)] = pivots
    memory[np.array(choice.normals)] = (base[:, :count] * signs).T
    for states, variables in zip(choice.states, choice.variables, strict=True):
        memory[np.array(states)] = pivots @ memory[np.array(variables)]
    memory[choice.status] = 1.0
