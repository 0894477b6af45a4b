"""The two arrays that all kernels of a core share, as they are before the first mode.

w, c = fresh_arrays(core, tolerance=1e-6, absolute=np.full(n, 1e-9))     # layout: `core_places`
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from freewheel.runtime.core.problem import Core
from freewheel.runtime.kernels import core_places as at
from freewheel.runtime.model import Vector

Integers = npt.NDArray[np.int64]


def fresh_arrays(core: Core, tolerance: float, absolute: Vector) -> tuple[Vector, Integers]:
    n, k = core.size, len(core.elements)
    c = np.zeros(at.TABLES + at.ELEMENT_TABLES * k, np.int64)
    c[at.N], c[at.ELEMENTS], c[at.BITS], c[at.ALL_BITS] = n, k, core.bits, len(core.bit_names)
    c[at.ALL_LINEAR], c[at.TIMELESS] = core.is_linear, core.is_timeless
    c[at.MODE] = c[at.MODE_BEFORE] = -1
    tables = c[at.TABLES :].reshape(at.ELEMENT_TABLES, k)
    tables[at.UNKNOWN] = [element.unknown for element in core.elements]
    tables[at.BIT] = [element.bit for element in core.elements]
    tables[at.PLACE] = [element.at for element in core.elements]
    tables[at.HELD] = [element.held for element in core.elements]
    tables[at.HELD_BIT] = [int(element.held_bit) for element in core.elements]
    w = np.zeros(at.room(n, k))
    w[at.RTOL] = tolerance
    w[at.HEAD + at.ATOL_AT * n : at.HEAD + (at.ATOL_AT + 1) * n] = absolute
    return w, c
