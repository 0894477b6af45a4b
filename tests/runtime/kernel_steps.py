"""The kernels of the time loop on a right-hand side written in Python, run by CPython with bounded arrays.

steps = Steps(lambda t, y: [-y[0]], 1, "dopri5")
steps.restart(0.0, [1.0])
steps.step(limit=1.0)        # a proposal: steps.loop.t1, steps.inside(t)
steps.accept()
"""

from __future__ import annotations

from math import inf

import numpy as np

from freewheel.machine.memory import bind
from freewheel.runtime.integrators.problem import StepError
from freewheel.runtime.integrators.registry import METHODS
from freewheel.runtime.integrators.step_control import make_dense, next_step
from freewheel.runtime.loop import outcomes
from freewheel.runtime.loop import time_loop as driving
from freewheel.runtime.loop.point import dense_value
from freewheel.runtime.loop.rows import restart
from freewheel.runtime.loop.workspace import Workspace

MOST_STEPS = 20_000


class Steps:
    """Memory: time, states, derivatives."""

    def __init__(
        self, function, size, solver, *, rtol=1e-6, atol=1e-9, sparsity=None, longest=inf,
        shortest=0.0, fixed=0.0, is_optimistic=False,
    ):  # fmt: skip
        self.function, self.sparsity = function, sparsity
        self.is_auto = solver == "auto"
        self.memory = np.zeros(1 + 2 * size)
        self.space = Workspace(size, 0, [], checked=True)
        loop = self.loop = self.space.loop
        loop.memory_size, loop.memory = len(self.memory), self.memory
        loop.states_slot, loop.derivatives_slot, loop.swing_slot = 1, 1 + size, -1
        loop.rtol, loop.longest, loop.shortest, loop.fixed = rtol, longest, shortest, fixed
        loop.atol[:] = atol
        loop.is_optimistic = int(is_optimistic)
        loop.rejected_before = 1
        loop.detects_stiffness = int(self.is_auto)
        loop.max_sizes, loop.step_sizes = MOST_STEPS, np.empty((MOST_STEPS, 2))
        bind(loop, derivatives=self._derivatives, jacobian_section=driving.no_jacobian)
        self.use("dopri5" if self.is_auto else solver)

    def use(self, solver):
        method = METHODS[solver]
        self.solver = solver
        self.space.use(method, self.sparsity)
        self.loop.is_fixed = int(method.order == 0)
        kernels = method.module.all_kernels()
        bind(self.loop, attempt=kernels[method.attempt], interpolate=kernels[method.inside])

    def _derivatives(self, m):
        n = self.loop.n
        found = self.function(float(m[0]), np.array(m[1 : 1 + n]))
        if found is None:
            return 1
        m[1 + n :] = found
        return 0

    def restart(self, t, y):
        self.loop.y[:] = y
        return restart(self.loop, t)

    def step(self, limit):
        code = next_step(self.loop, limit)
        if code == outcomes.STEP_FAILED:
            raise StepError(self.loop.t, self.loop.h, self.loop.error)
        assert code == 0

    def inside(self, t):
        """States inside the proposal."""
        make_dense(self.loop)
        dense_value(self.loop, t, self.loop.trial)
        return np.array(self.loop.trial)

    def accept(self):
        driving.accept(self.loop)
        if driving.sees_stiffness(self.loop):
            self.loop.detects_stiffness = 0
            self.use("radau")

    def go(self, t, y, stop):
        assert self.restart(t, y) == 0
        while self.loop.t < stop:
            self.step(stop)
            self.accept()
        return self
