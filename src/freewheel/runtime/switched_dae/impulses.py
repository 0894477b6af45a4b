"""Is the impulse of a mode change decided by the equations, or is it a choice?

    is_impact(core, t, y_before)        # the bits of the new mode are in the memory

Two shafts are locked (`w1 = w2`): the equation itself does not hold for the stored quantities
before the event, so they must jump, and what is conserved says how far. A string becomes taut (`x^2
+ y^2 = L^2`): the equation holds at this instant; only its time derivative, a constraint on
velocities that nobody has written, does not. A rebound would satisfy all equations as well. The
program makes the new mode hold from then on, so it takes the inelastic impact, which is a choice.

The jump is a choice where the equations of the new mode F(y', y, t) = 0 have a solution without it,
that is with E y = E y- (E = dF/dy', A = dF/dy): rows N with N E = 0 and directions Z with E Z = 0
must satisfy N F + N A Z c = 0 for some c. It takes an index of 3 or more: in modes of lower index
hidden constraints speak of unknowns that nothing stores. See docs/theory/switching.md, "Impulses
that are a choice".
"""

from __future__ import annotations

import numpy as np

from freewheel.runtime.model import Vector
from freewheel.runtime.switched_dae.problem import CoreProblem
from freewheel.runtime.switched_dae.thresholds import ANALYSIS

LEAST_INDEX = 3


def is_impact(core: CoreProblem, t: float, before: Vector) -> bool:
    """Whether the equations as written hold for what was stored before the jump."""
    n = core.size
    values, residual = np.empty(2 * n * n), np.empty(n)
    slope = np.zeros(n)
    if core.jacobians(core.memory, t, before, slope, values) != 0:
        return False
    if core.rates(core.memory, t, 0, np.concatenate([before, np.zeros(3 * n)]), residual) != 0:
        return False
    A, E = values.reshape(2, n, n)
    rows = np.maximum(np.abs(A).max(axis=1), np.abs(E).max(axis=1))
    rows[rows == 0.0] = 1.0
    A, E, residual = A / rows[:, None], E / rows[:, None], residual / rows
    sizes = np.abs(before)
    sizes[sizes == 0.0] = 1.0
    A, E = A * sizes, E * sizes
    left, found, right = np.linalg.svd(E)
    rank = int((found > ANALYSIS.rank * max(found[0], ANALYSIS.rank)).sum())
    N, Z = left[:, rank:].T, right[rank:].T
    wanted = N @ residual
    moved, *_ = np.linalg.lstsq(N @ A @ Z, wanted, rcond=ANALYSIS.rank)
    rest = np.abs(wanted - N @ A @ Z @ moved)
    terms = np.abs(N) @ (np.abs(A).sum(axis=1) + np.abs(residual))
    return bool(np.all(rest <= ANALYSIS.holds * terms))
