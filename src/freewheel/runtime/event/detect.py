"""Which relations have left their status? Works on signs of residuals, knows no model.

The rule of the hybrid paper (two crossing functions zp and zn per relation), said with signs: a
relation keeps its status while the residual has that sign. A status of +1 or -1 is left when the
residual reaches zero or changes sign; a status of 0 holds while the residual stays exactly zero
(the interval of smallest numbers around it) and is left as soon as it does not. After a restart
each status is the sign of its residual, so nothing triggers twice, and a residual that turns back
at once is seen at the end of the next step.

    changed(np.array([1.0, -1.0]), np.array([0.5, 0.0]))  ->  [False, True]
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from freewheel.runtime.model import Vector

Mask: TypeAlias = npt.NDArray[np.bool_]


def changed(statuses: Vector, residuals: Vector, bands: Vector | None = None) -> Mask:
    """Relations whose residual no longer agrees with the status.

    `bands` widens the interval: a relation with band b leaves +1 only below -b, leaves -1 only
    above b, and leaves 0 only beyond b on either side. Residuals that are NaN agree with anything.
    """
    if bands is None:
        return np.asarray((np.sign(residuals) != statuses) & ~np.isnan(residuals))
    beyond = np.where(np.abs(residuals) <= bands, 0.0, np.sign(residuals))
    inside = (beyond == 0.0) & ((bands > 0.0) | (statuses == 0.0))
    return np.asarray((beyond != statuses) & ~inside & ~np.isnan(residuals))
