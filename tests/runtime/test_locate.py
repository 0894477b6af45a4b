"""The kernel that narrows a bracket around the first crossing, run by CPython with bounded arrays."""

from __future__ import annotations

import numpy as np
import pytest

from freewheel.machine.memory import bind
from freewheel.runtime.events.location import locate, mark_changed, residuals_at
from freewheel.runtime.events.root_solvers import ROOT_SOLVERS
from freewheel.runtime.loop.workspace import Workspace


def located(residuals, root_solver="illinois"):
    """Of residuals on [0, 1] that agree with their statuses at 0: the time, which, evaluations."""
    r = len(residuals(0.0))
    memory = np.zeros(1 + 2 * r)  # time, residuals, statuses
    space = Workspace(0, r, [], checked=True)
    loop = space.loop
    loop.memory_size, loop.memory = len(memory), memory
    loop.states_slot = loop.derivatives_slot = 1
    loop.residual_slots[:], loop.status_slots[:] = range(1, 1 + r), range(1 + r, 1 + 2 * r)
    loop.root_solver = ROOT_SOLVERS[root_solver]
    loop.t, loop.t1, loop.h_taken = 0.0, 1.0, 0.0

    def relations(m):
        m[1 : 1 + r] = residuals(float(m[0]))
        return 0

    bind(loop, derivatives=lambda m: 0, relations=relations)
    memory[1 + r :] = np.sign(residuals(0.0))
    left, right = loop.residuals_left, loop.residuals_end
    residuals_at(loop, 0.0, left)
    residuals_at(loop, 1.0, right)
    assert mark_changed(loop, right, loop.which) > 0
    locate(loop, 0.0, 1.0, left, right)
    return loop.crossing_time, np.array(loop.which[:r]), loop.locations


@pytest.mark.parametrize("root_solver", ROOT_SOLVERS)
@pytest.mark.parametrize(
    "curve",
    [
        lambda t: t - 0.3,
        lambda t: (t - 0.3) ** 3,
        lambda t: np.expm1(20 * (t - 0.3)),
        lambda t: 1e-12 * (t - 0.3),
        lambda t: -1.0 if t < 0.3 else 1.0,
    ],
)
def test_a_crossing_is_located_to_the_last_digits(curve, root_solver):
    t, _, evaluations = located(lambda t: np.array([curve(t)]), root_solver)

    assert t == pytest.approx(0.3, abs=1e-15)
    assert evaluations <= 230


@pytest.mark.parametrize("root_solver", ROOT_SOLVERS)
def test_the_first_of_several_crossings_is_found(root_solver):
    times = np.array([0.9, 0.2, 0.20000001, 0.5])
    t, which, _ = located(lambda t: t - times, root_solver)

    assert t == pytest.approx(0.2, abs=1e-15)
    assert which.tolist() == [0, 1, 0, 0]


def test_many_random_crossings_are_neither_missed_nor_misplaced():
    random = np.random.default_rng(7)
    for _ in range(200):
        roots = np.sort(random.uniform(0.05, 0.95, size=3))
        if np.diff(roots).min() < 1e-6:
            continue
        t, _, _ = located(lambda t, r=roots: np.array([(t - r[0]) * (t - r[1]) * (t - r[2])]))
        assert np.abs(t - roots).min() < 1e-13
