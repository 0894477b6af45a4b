"""Tables in one variable, in time and in two variables, with extrapolation.

    Table1D(curves, extrapolation=HOLD).value(1, u)
    TimeTable(...).value(1, t, next_event, next_event_before)
    Table2D(rows, columns, values).value(u1, u2)

A time table answers by the *event interval* that ends at the next time event it is told: as long
as an event has not been handled the left limit is given, afterwards the right one, and rounding of
the event's time does no harm. Nothing is remembered between calls.
"""

from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property
from math import floor

from freewheel.base.diagnostics import Diagnostic, SimulationError
from freewheel.formula.table_curves import (
    AKIMA,
    CONSTANT,
    LAST_TWO_POINTS,
    LINEAR,
    NO_EXTRAPOLATION,
    PERIODIC,
    Curve,
    Row,
)
from freewheel.formula.table_surface import Surface

NEVER = sys.float_info.max
ALWAYS, AT_DISCONTINUITIES, NO_EVENTS = 1, 2, 3
NEAR = 1e-10


def outside(what: str, value: float, low: float, high: float) -> SimulationError:
    return SimulationError(
        Diagnostic(
            "R110",
            f"{what} {value:g} is outside of its table, which covers {low:g} to {high:g}",
            help="extend the table, or choose another extrapolation than NoExtrapolation",
        )
    )


@dataclass(frozen=True, slots=True)
class Local:
    """Value and derivatives of one column at one point."""

    value: float
    slope: float
    bend: float


def _extrapolated(curve: Curve, at: float, right: bool, rule: int, what: str) -> Local:
    end = curve.x[-1] if right else curve.x[0]
    value = curve.y[-1] if right else curve.y[0]
    if rule == NO_EXTRAPOLATION and at != end:
        raise outside(what, at, curve.x[0], curve.x[-1])
    slope = curve.end_slope(right) if rule == LAST_TWO_POINTS else 0.0
    return Local(value + slope * (at - end), slope, 0.0)


def _on(curve: Curve, i: int, at: float) -> Local:
    return Local(curve.inside(i, at), curve.slope(i, at), curve.bend(i, at))


@dataclass(frozen=True)
class Table1D:
    curves: tuple[Curve, ...]  # the columns asked for, all over the same abscissa
    extrapolation: int

    def local(self, column: int, u: float) -> Local:
        curve = self.curves[column - 1]
        x = curve.x
        if len(x) == 1:
            return Local(curve.y[0], 0.0, 0.0)
        if self.extrapolation == PERIODIC:
            u = wrapped(u, x[0], x[-1])
        elif u < x[0] or u > x[-1]:
            return _extrapolated(curve, u, u > x[-1], self.extrapolation, "the value")
        if curve.smoothness == CONSTANT and u >= x[-1]:
            return Local(curve.y[-1], 0.0, 0.0)
        return _on(curve, curve.segment(u), u)


def wrapped(u: float, low: float, high: float) -> float:
    """The same place in the first period; its end stays its end."""
    period = high - low
    if u < low or u > high:
        u -= floor((u - low) / period) * period
    return min(max(u, low), high)


@dataclass(frozen=True)
class TimeTable:
    curves: tuple[Curve, ...]
    extrapolation: int
    start_time: float
    shift: float
    events: int

    @cached_property
    def event_points(self) -> tuple[int, ...]:
        """Numbers of the points at which event intervals meet, first and last included; of points
        at the same time the last one, after which the next interval begins."""
        x = self.curves[0].x
        inner = []
        is_smooth = self.curves[0].smoothness not in (LINEAR, CONSTANT)
        for i in range(1, len(x) - 1):
            if x[i] <= x[0] or x[i] >= x[-1] or x[i + 1] == x[i]:
                continue
            is_jump = x[i] == x[i - 1]
            if (self.events == ALWAYS and not is_smooth) or (
                self.events == AT_DISCONTINUITIES and is_jump
            ):
                inner.append(i)
        first = bisect_right(x, x[0]) - 1
        return (first, *inner, len(x) - 1)

    @cached_property
    def event_times(self) -> Row:
        return tuple(self.curves[0].x[i] for i in self.event_points)

    @property
    def period(self) -> float:
        return self.curves[0].x[-1] - self.curves[0].x[0]

    def next_event(self, t: float) -> float:
        """The first time event after `t`."""
        if t < self.start_time:
            return self.start_time
        times = self.event_times
        if len(self.curves[0].x) == 1:
            return NEVER
        if self.extrapolation != PERIODIC:
            return next((e + self.shift for e in times if e + self.shift > t), NEVER)
        number = floor((t - self.shift - times[0]) / self.period)
        for k in (number - 1, number, number + 1):
            for e in times[1:]:
                instant = e + k * self.period + self.shift
                if instant > t:
                    return instant
        return NEVER

    def local(self, column: int, t: float, coming: float, coming_before: float) -> Local:
        """`coming` is the next time event as the model knows it, `coming_before` its pre value."""
        curve = self.curves[column - 1]
        if t < self.start_time or (coming == coming_before and coming <= self.start_time):
            return Local(0.0, 0.0, 0.0)
        if len(curve.x) == 1:
            return Local(curve.y[0], 0.0, 0.0)
        if self.extrapolation == PERIODIC:
            return self._periodic(curve, t, coming)
        return self._once(curve, t - self.shift, coming - self.shift)

    def _once(self, curve: Curve, t: float, coming: float) -> Local:
        times = self.event_times
        number = self._interval_before(coming)
        if number is None:  # no event lies ahead, or one that is none of ours
            number = min(bisect_right(times, t), len(times))
        if number == 0:
            at = min(t, times[0])
            return _extrapolated(curve, at, False, self.extrapolation, "the time")
        if number == len(times):
            at = max(t, times[-1])
            return _extrapolated(curve, at, True, self.extrapolation, "the time")
        return self._in_interval(curve, number, t)

    def _periodic(self, curve: Curve, t: float, coming: float) -> Local:
        times, period = self.event_times, self.period
        local = t - self.shift
        ahead = coming - self.shift if coming < NEVER else local
        k = floor((ahead - times[0]) / period)
        for turn in (k - 1, k, k + 1):
            number = self._interval_before(ahead - turn * period)
            if number:
                return self._in_interval(curve, number, local - turn * period)
        at = local - floor((local - times[0]) / period) * period
        return self._in_interval(curve, max(1, min(bisect_right(times, at), len(times) - 1)), at)

    def _interval_before(self, coming: float) -> int | None:
        """The number of the interval that ends with this event; None if it is no event of ours."""
        times = self.event_times
        margin = NEAR * (self.period + abs(coming))
        at = bisect_left(times, coming - margin)
        return at if at < len(times) and abs(times[at] - coming) <= margin else None

    def _in_interval(self, curve: Curve, number: int, t: float) -> Local:
        first, last = self.event_points[number - 1], self.event_points[number]
        while curve.x[last - 1] == curve.x[last]:  # the left limit belongs to the first of equals
            last -= 1
        t = min(max(t, curve.x[first]), curve.x[last])
        return _on(curve, curve.segment(t, first, last), t)


@dataclass(frozen=True)
class Table2D:
    """values[i][j] belongs to (u1[i], u2[j])."""

    u1: Row
    u2: Row
    values: tuple[Row, ...]
    smoothness: int
    extrapolation: int

    def value(self, u1: float, u2: float) -> float:
        return self.local(u1, u2)[0]

    def local(self, u1: float, u2: float) -> tuple[float, float, float]:
        """Value and both slopes."""
        inner1, beyond1 = self._inside(self.u1, u1, "the first value")
        inner2, beyond2 = self._inside(self.u2, u2, "the second value")
        is_linear_outside = self.extrapolation == LAST_TWO_POINTS
        if self.smoothness == AKIMA:
            value, slope1, slope2, twist = self._smooth(inner1, inner2)
        else:
            # Beyond its ends a table of constant segments goes on by straight lines.
            goes_on = is_linear_outside and (beyond1 != 0.0 or beyond2 != 0.0)
            steps = self.smoothness == CONSTANT and not goes_on
            value, slope1, slope2, twist = self._bilinear(inner1, inner2, steps)
        if not is_linear_outside:
            return value, 0.0 if beyond1 else slope1, 0.0 if beyond2 else slope2
        value += slope1 * beyond1 + slope2 * beyond2 + twist * beyond1 * beyond2
        return value, slope1 + twist * beyond2, slope2 + twist * beyond1

    def bends(self, u1: float, u2: float) -> tuple[float, float, float]:
        """Second derivatives: twice along u1, mixed, twice along u2. Beyond an end the surface goes
        on straight in that direction."""
        inner1, beyond1 = self._inside(self.u1, u1, "the first value")
        inner2, beyond2 = self._inside(self.u2, u2, "the second value")
        goes_on = self.extrapolation == LAST_TWO_POINTS
        if self.smoothness == AKIMA and len(self.u1) > 1 and len(self.u2) > 1:
            first, mixed, second = self._surface.bends(inner1, inner2)
        elif self.smoothness == AKIMA and self._line is not None:
            at = inner1 if len(self.u1) > 1 else inner2
            bend = self._line.bend(self._line.segment(at), at)
            first, mixed, second = (bend, 0.0, 0.0) if len(self.u1) > 1 else (0.0, 0.0, bend)
        elif self.smoothness == LINEAR:
            first, mixed, second = 0.0, self._bilinear(inner1, inner2, False)[3], 0.0
        else:
            first = mixed = second = 0.0
        is_outside = beyond1 != 0.0 or beyond2 != 0.0
        return (
            0.0 if beyond1 else first,
            0.0 if is_outside and not goes_on else mixed,
            0.0 if beyond2 else second,
        )

    def _inside(self, x: Row, u: float, what: str) -> tuple[float, float]:
        """The nearest place inside, and how far beyond it the value is."""
        if len(x) == 1:
            return x[0], 0.0
        if self.extrapolation == PERIODIC:
            return wrapped(u, x[0], x[-1]), 0.0
        inner = min(max(u, x[0]), x[-1])
        if inner != u and self.extrapolation == NO_EXTRAPOLATION:
            raise outside(what, u, x[0], x[-1])
        return inner, u - inner

    def _bilinear(self, at1: float, at2: float, steps: bool) -> tuple[float, float, float, float]:
        """Value, slopes and mixed derivative on one cell."""
        i, k, s, per1 = _share(self.u1, at1, steps)
        j, m, t, per2 = _share(self.u2, at2, steps)
        z00, z01, z10, z11 = (self.values[a][b] for a in (i, k) for b in (j, m))
        low, high = z00 + t * (z01 - z00), z10 + t * (z11 - z10)
        twist = (z11 - z10) - (z01 - z00)
        slope2 = (z01 - z00) + s * twist
        return low + s * (high - low), (high - low) * per1, slope2 * per2, twist * per1 * per2

    def _smooth(self, at1: float, at2: float) -> tuple[float, float, float, float]:
        if len(self.u1) > 1 and len(self.u2) > 1:
            return self._surface.at(at1, at2)
        if self._line is None:
            return self.values[0][0], 0.0, 0.0, 0.0
        at = at1 if len(self.u1) > 1 else at2
        local = _on(self._line, self._line.segment(at), at)
        slopes = (local.slope, 0.0) if len(self.u1) > 1 else (0.0, local.slope)
        return local.value, *slopes, 0.0

    @cached_property
    def _surface(self) -> Surface:
        return Surface.through(self.u1, self.u2, self.values)

    @cached_property
    def _line(self) -> Curve | None:
        """Where one variable has a single value: a curve in the other one."""
        if len(self.u1) > 1:
            return Curve(self.u1, tuple(row[0] for row in self.values), AKIMA)
        return Curve(self.u2, self.values[0], AKIMA) if len(self.u2) > 1 else None


def _share(x: Row, at: float, steps: bool) -> tuple[int, int, float, float]:
    """Both ends of the cell, the share of the way between them, and its derivative."""
    if len(x) == 1:
        return 0, 0, 0.0, 0.0
    i = min(max(bisect_right(x, at) - 1, 0), len(x) - 2)
    if steps:
        i = i + 1 if at >= x[i + 1] else i
        return i, i, 0.0, 0.0
    width = x[i + 1] - x[i]
    return i, i + 1, (at - x[i]) / width, 1.0 / width
