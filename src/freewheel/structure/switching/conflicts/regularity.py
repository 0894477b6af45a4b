"""Is a matrix still regular when a few of its rows change? One inverse answers for all of them.

    screen = Screen(rows, 400)
    screen.is_regular({17: {3: 1.0}, 18: {4: 1.0}})      with other rows 17 and 18

With M' = M + R (few rows R), det M' = det M * det(1 + R inv(M)), and the last matrix is as small as the
change. "Regular" is said only where that is beyond doubt.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from freewheel.structure.thresholds import REGULARITY

Row = Mapping[int, float]


class Screen:
    def __init__(self, rows: Sequence[Row], size: int) -> None:
        matrix = np.zeros((size, size))
        for number, row in enumerate(rows):
            for column, value in row.items():
                matrix[number, column] = value
        self.row_scale = _sizes(matrix, 1)
        matrix /= self.row_scale[:, None]
        self.column_scale = _sizes(matrix, 0)
        matrix /= self.column_scale
        self.matrix = matrix
        self.inverse = _inverse(matrix)

    def is_regular(self, changed: Mapping[int, Row]) -> bool:
        if self.inverse is None:
            return False
        numbers = list(changed)
        difference = -self.matrix[numbers]
        for at, row in enumerate(changed.values()):
            largest = max(map(abs, row.values()), default=0.0) or 1.0
            for column, value in row.items():
                difference[at, column] += value / largest / self.column_scale[column]
        small = np.eye(len(numbers)) + difference @ self.inverse[:, numbers]
        values = np.linalg.svd(small, compute_uv=False)
        return bool(values[-1] > REGULARITY.least_share * max(1.0, values[0]))


def _sizes(matrix: np.ndarray, axis: int) -> np.ndarray:
    sizes: np.ndarray = np.abs(matrix).max(axis=axis)
    sizes[sizes == 0.0] = 1.0
    return sizes


def _inverse(matrix: np.ndarray) -> np.ndarray | None:
    try:
        inverse = np.linalg.inv(matrix)
    except np.linalg.LinAlgError:
        return None
    size = float(np.abs(inverse).sum(axis=1).max() * np.abs(matrix).sum(axis=1).max())
    return inverse if size < REGULARITY.most_condition else None
