"""Table objects as rows of numbers for `table_kernels`.

table_row(Table1D(...))      an array, or None for what is no table in one variable
"""

from __future__ import annotations

from typing import Any

import numpy as np

from freewheel.backend.table_kernels import HEAD
from freewheel.formula.tables import Table1D, TimeTable
from freewheel.runtime.model import Vector


def table_row(table: Any) -> Vector | None:
    if not isinstance(table, Table1D | TimeTable):
        return None
    first = table.curves[0]
    n = len(first.x)
    head = np.zeros(HEAD)
    head[:4] = n, len(table.curves), first.smoothness, table.extrapolation
    points: tuple[int, ...] = ()
    if isinstance(table, TimeTable):
        points = table.event_points if n > 1 else (0,)
        head[4:7] = table.start_time, table.shift, len(points)
    parts = [head, np.array(first.x), np.array(points, dtype=float)]
    for curve in table.curves:
        parts.append(np.array(curve.y, dtype=float))
        if n == 1:
            parts.append(np.zeros(2))
            continue
        parts += [np.array(column, dtype=float) for column in zip(*curve.cubics, strict=True)]
        parts.append(np.array([curve.end_slope(False), curve.end_slope(True)]))
    return np.concatenate(parts)
