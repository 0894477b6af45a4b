"""Curves through points, as the table blocks of Modelica libraries need them.

    curve = Curve(x=(0, 1, 2), y=(0, 1, 4), smoothness=LINEAR)
    curve.inside(0, 0.5), curve.slope(0, 0.5), curve.bend(0, 0.5)   # on the first segment

A segment is a cubic `y + (c + (b + a*v)*v)*v` in v = x - x[i]; the kinds differ only in the slopes
at the points. Sources: Akima 1970 (ContinuousDerivative), Fritsch and Butland 1984, Steffen 1990
(MonotoneContinuousDerivative1 and 2), Ionita 2019 (the modified Akima formula).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

LINEAR, AKIMA, CONSTANT, FRITSCH_BUTLAND, STEFFEN, MODIFIED_AKIMA = range(1, 7)
HOLD, LAST_TWO_POINTS, PERIODIC, NO_EXTRAPOLATION = range(1, 5)

Row = tuple[float, ...]


@dataclass(frozen=True)
class Curve:
    x: Row  # rising; equal neighbours mark a jump of a linear or constant curve
    y: Row
    smoothness: int = LINEAR

    @cached_property
    def cubics(self) -> tuple[tuple[float, float, float], ...]:
        """(a, b, c) of each segment."""
        x, y = self.x, self.y
        if self.smoothness == CONSTANT:
            return ((0.0, 0.0, 0.0),) * (len(x) - 1)
        steepness = [
            (y[i + 1] - y[i]) / (x[i + 1] - x[i]) if x[i + 1] > x[i] else 0.0
            for i in range(len(x) - 1)
        ]
        if self.smoothness == LINEAR or len(x) <= 2:
            return tuple((0.0, 0.0, d) for d in steepness)
        slopes = _slopes(self.smoothness, x, steepness)
        return tuple(
            _cubic(x[i + 1] - x[i], d, slopes[i], slopes[i + 1]) for i, d in enumerate(steepness)
        )

    def segment(self, at: float, first: int = 0, last: int | None = None) -> int:
        """The segment that begins at or before `at`, among those from point `first` to `last`;
        segments of no length are passed over."""
        low, high = first, (len(self.x) - 1 if last is None else last)
        while high - low > 1:
            middle = (low + high) // 2
            if self.x[middle] <= at:
                low = middle
            else:
                high = middle
        while low > first and self.x[low + 1] == self.x[low]:
            low -= 1
        return low

    def inside(self, i: int, at: float) -> float:
        a, b, c = self.cubics[i]
        v = at - self.x[i]
        if self.smoothness == LINEAR and at == self.x[i + 1] > self.x[i]:
            return self.y[i + 1]  # exactly, whatever rounding makes of the slope
        return self.y[i] + ((a * v + b) * v + c) * v

    def slope(self, i: int, at: float) -> float:
        a, b, c = self.cubics[i]
        v = at - self.x[i]
        return (3.0 * a * v + 2.0 * b) * v + c

    def bend(self, i: int, at: float) -> float:
        a, b, _ = self.cubics[i]
        return 6.0 * a * (at - self.x[i]) + 2.0 * b

    def end_slope(self, right: bool) -> float:
        """For extrapolation by the last two points: the slope at an end, for constant segments the
        chord of the two points."""
        i = len(self.x) - 2 if right else 0
        if self.smoothness == CONSTANT:
            return Curve(self.x, self.y).slope(i, self.x[i])
        return self.slope(i, self.x[i + 1] if right else self.x[i])


def _cubic(dx: float, d: float, left: float, right: float) -> tuple[float, float, float]:
    """Hermite's: the chord has steepness d."""
    return (left + right - 2.0 * d) / dx**2, (3.0 * d - 2.0 * left - right) / dx, left


def _slopes(smoothness: int, x: Sequence[float], d: Sequence[float]) -> list[float]:
    if smoothness in (AKIMA, MODIFIED_AKIMA):
        extended = extend(d)
        rule = akima_slope if smoothness == AKIMA else _modified_akima_slope
        return [rule(*extended[i : i + 4]) for i in range(len(d) + 1)]
    rule3 = _fritsch_butland_slope if smoothness == FRITSCH_BUTLAND else _steffen_slope
    inner = [
        0.0 if d[i - 1] * d[i] <= 0.0 else rule3(x[i] - x[i - 1], x[i + 1] - x[i], d[i - 1], d[i])
        for i in range(1, len(d))
    ]
    return [d[0], *inner, d[-1]]


def extend(d: Sequence[float]) -> list[float]:
    """Two more on each side, continuing the differences as a parabola does; linear where only one
    is known."""
    if len(d) == 1:
        return [d[0]] * 5
    left, right = d[0] - d[1], d[-1] - d[-2]
    return [d[0] + 2 * left, d[0] + left, *d, d[-1] + right, d[-1] + 2 * right]


def akima_slope(d1: float, d2: float, d3: float, d4: float) -> float:
    """At the point between d2 and d3: the calmer side counts more."""
    left, right = abs(d4 - d3), abs(d2 - d1)
    if left + right == 0.0:
        return 0.5 * (d2 + d3)
    return (left * d2 + right * d3) / (left + right)


def _modified_akima_slope(d1: float, d2: float, d3: float, d4: float) -> float:
    left = abs(d4 - d3) + 0.5 * abs(d4 + d3)
    right = abs(d2 - d1) + 0.5 * abs(d2 + d1)
    if left + right == 0.0:
        return 0.0
    return (left * d2 + right * d3) / (left + right)


def _fritsch_butland_slope(dx1: float, dx2: float, d1: float, d2: float) -> float:
    """A weighted harmonic mean."""
    return 3.0 * (dx1 + dx2) / ((dx1 + 2.0 * dx2) / d1 + (dx2 + 2.0 * dx1) / d2)


def _steffen_slope(dx1: float, dx2: float, d1: float, d2: float) -> float:
    """The slope of the parabola, at most twice the smaller steepness."""
    parabola = (d1 * dx2 + d2 * dx1) / (dx1 + dx2)
    bound = 2.0 * min(abs(d1), abs(d2))
    return max(-bound, min(bound, parabola))
