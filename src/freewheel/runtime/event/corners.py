"""Corners that a step passes unseen: the reference of `kernels/corners.py`.

    end = watch.hidden(step, 1e-6)        # where the step has to end; infinity: as it is

The formulas are the kernels' own, run by CPython.
"""

from __future__ import annotations

from math import inf

import numpy as np

from freewheel.runtime.integrate.stepper import Step
from freewheel.runtime.kernels.corners import is_beyond
from freewheel.runtime.kernels.crossing import comes_near, dip_of
from freewheel.runtime.kernels.sturm import CHAIN, POLYNOMIAL
from freewheel.runtime.live import LiveModel
from freewheel.runtime.model import Vector


class CornerWatch:
    def __init__(self, live: LiveModel) -> None:
        self._live = live
        self._slots = np.array(live.model.corners, dtype=np.intp)
        self._largest = np.zeros(len(self._slots))

    def hidden(self, step: Step, rtol: float) -> float:
        if not len(self._slots):
            return inf
        left, middle, end = (self._values(step, share) for share in (0.0, 0.5, 1.0))
        both = np.flatnonzero(left * end > 0.0)
        if not any(comes_near(left[i], middle[i], end[i]) for i in both):
            return inf
        quarter, three = self._values(step, 0.25), self._values(step, 0.75)
        share = guess = 1.0
        for i in both:
            least = rtol * self._largest[i]
            shown = [
                place
                for place, values in ((0.25, quarter), (0.5, middle), (0.75, three))
                if is_beyond(left[i], values[i], least)
            ]
            share = min([share, *shown])
            if not shown:
                values = (left[i], quarter[i], middle[i], three[i], end[i])
                scratch = np.zeros(POLYNOMIAL + CHAIN)
                guess = min(guess, dip_of(*values, np.sign(left[i]), scratch))
        if 0.0 < guess < share:
            dip = self._values(step, guess)
            if any(is_beyond(left[i], dip[i], rtol * self._largest[i]) for i in both):
                share = guess
        return step.t0 + share * (step.t1 - step.t0) if share < 1.0 else inf

    def _values(self, step: Step, share: float) -> Vector:
        t = step.t1 if share == 1.0 else step.t0 + share * (step.t1 - step.t0)
        self._live.residuals(t, step(t))
        found: Vector = self._live.memory[self._slots]
        np.fmax(self._largest, np.abs(found), out=self._largest)
        return found
