"""A smooth surface through points on a grid, from local slopes. Akima, CACM 17 (1974), 18-20.

Surface.through((0, 1, 2), (0, 1), values).at(0.5, 0.5)   # value, both slopes, twist
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from freewheel.formula.table_curves import Row, akima_slope, extend

Grid = tuple[Row, ...]


@dataclass(frozen=True)
class Surface:
    x: Row
    y: Row
    z: Grid
    zx: Grid
    zy: Grid
    zxy: Grid

    @staticmethod
    def through(x: Row, y: Row, z: Grid) -> Surface:
        columns = tuple(zip(*z, strict=True))
        along_x = [extend(_steepness(x, column)) for column in columns]
        along_y = [extend(_steepness(y, row)) for row in z]
        zx = tuple(
            tuple(akima_slope(*along_x[j][i : i + 4]) for j in range(len(y))) for i in range(len(x))
        )
        zy = tuple(
            tuple(akima_slope(*along_y[i][j : j + 4]) for j in range(len(y))) for i in range(len(x))
        )
        return Surface(x, y, z, zx, zy, _twists(x, along_x, along_y))

    def at(self, x: float, y: float) -> tuple[float, float, float, float]:
        """Value, slope along x, slope along y, mixed derivative."""
        i, j = _cell(self.x, x), _cell(self.y, y)
        u, v = _weights(self.x[i], self.x[i + 1], x), _weights(self.y[j], self.y[j + 1], y)
        return (
            self._patch(i, j, u[0], v[0]),
            self._patch(i, j, u[1], v[0]),
            self._patch(i, j, u[0], v[1]),
            self._patch(i, j, u[1], v[1]),
        )

    def bends(self, x: float, y: float) -> tuple[float, float, float]:
        """Second derivatives: twice along x, mixed, twice along y."""
        i, j = _cell(self.x, x), _cell(self.y, y)
        u, v = _weights(self.x[i], self.x[i + 1], x), _weights(self.y[j], self.y[j + 1], y)
        return (
            self._patch(i, j, u[2], v[0]),
            self._patch(i, j, u[1], v[1]),
            self._patch(i, j, u[0], v[2]),
        )

    def _patch(self, i: int, j: int, u: Row, v: Row) -> float:
        """A bicubic patch: Hermite's weights in both directions."""
        total = 0.0
        for a in (0, 1):
            for b in (0, 1):
                z, zx = self.z[i + a][j + b], self.zx[i + a][j + b]
                zy, zxy = self.zy[i + a][j + b], self.zxy[i + a][j + b]
                total += u[a] * (v[b] * z + v[2 + b] * zy)
                total += u[2 + a] * (v[b] * zx + v[2 + b] * zxy)
        return total


def _steepness(x: Sequence[float], z: Sequence[float]) -> list[float]:
    return [(z[i + 1] - z[i]) / (x[i + 1] - x[i]) for i in range(len(x) - 1)]


def _twists(x: Row, along_x: list[list[float]], along_y: list[list[float]]) -> Grid:
    """Mixed derivatives: cross differences of the four cells around a point, weighted as the
    slopes are."""
    count_x, count_y = len(along_y), len(along_x)
    cross = [extend(_steepness(x, [row[k] for row in along_y])) for k in range(count_y + 3)]
    grid = []
    for i in range(count_x):
        row = []
        for j in range(count_y):
            wx = _pair(*along_x[j][i : i + 4])
            wy = _pair(*along_y[i][j : j + 4])
            near = [[cross[j + 1 + b][i + 1 + a] for b in (0, 1)] for a in (0, 1)]
            total = sum(wx[a] * wy[b] * near[a][b] for a in (0, 1) for b in (0, 1))
            row.append(total / ((wx[0] + wx[1]) * (wy[0] + wy[1])))
        grid.append(tuple(row))
    return tuple(grid)


def _pair(d1: float, d2: float, d3: float, d4: float) -> tuple[float, float]:
    left, right = abs(d4 - d3), abs(d2 - d1)
    return (left, right) if left + right > 0.0 else (1.0, 1.0)


def _cell(x: Row, at: float) -> int:
    low, high = 0, len(x) - 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if x[middle] <= at else (low, middle)
    return low


def _weights(left: float, right: float, at: float) -> tuple[Row, Row, Row]:
    """Of value left, value right, slope left, slope right; then their derivatives, first and
    second."""
    h = right - left
    s = (at - left) / h
    rise = s * s * (3.0 - 2.0 * s)
    slope = 6.0 * s * (1.0 - s) / h
    bend = (6.0 - 12.0 * s) / h**2
    return (
        (1.0 - rise, rise, h * s * (1.0 - s) ** 2, h * s * s * (s - 1.0)),
        (-slope, slope, (1.0 - s) * (1.0 - 3.0 * s), s * (3.0 * s - 2.0)),
        (-bend, bend, (6.0 * s - 4.0) / h, (6.0 * s - 2.0) / h),
    )
