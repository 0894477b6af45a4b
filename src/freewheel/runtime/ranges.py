"""Whether values keep within `min` and `max`: parameters before the run, variables in stored rows.

    check_parameters(live, settings)            # after the section `parameters`
    watch = RangeWatch(recorder, settings)
    watch.keep_up()                             # take in rows where there are many of them
    watch.check()                               # the rows stored since the last check; raises
    watch.warnings(curves)                      # when a result is asked for them

Rows are stored at regular points and on both sides of each event; what happens between is not seen. A
variable may leave its range by the tolerance of the run, relative to the bound and to the largest value
that it had: the solver promises no more. Each stored curve is reported once. `bounds="warn"` looks when
the result is asked for its warnings, but for the rows of large runs, which are taken in on the way; `"error"`
looks at each event.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from freewheel.base.diagnostics import Diagnostic, Severity, SimulationError
from freewheel.base.slots import RangeSlots
from freewheel.runtime.diagnostics import labels_at
from freewheel.runtime.live import LiveModel
from freewheel.runtime.loop.recording import VARYING, Recorder, Table
from freewheel.runtime.model import CompiledModel, Mask, Vector, once, slots_of
from freewheel.runtime.settings import Settings
from freewheel.runtime.thresholds import RANGES

Integers = npt.NDArray[np.intp]
OFF, WARN, ERROR = "off", "warn", "error"
MOST_REPORTED = 10
MANY = 10_000  # rows, which take a part of a millisecond


def check_parameters(live: LiveModel, settings: Settings) -> None:
    """Also constants; a number out of its range is a warning of the run, or ends it."""
    if settings.bounds == OFF or once(_fixed, live.model).are_within(live.memory):
        return
    found = [
        _of_parameter(one, value, low, high)
        for one in live.model.ranges
        if one.kind not in VARYING
        for value, low, high in [_value_and_bounds(one, live.memory)]
        if _is_outside(value, low, high)
    ]
    _report(live, found, settings.bounds)


@dataclass(frozen=True, slots=True, eq=False)
class Fixed:
    """Ranges of what keeps its value in a run."""

    slots: Integers  # of numbers between given bounds, nearly all
    lows: Vector
    highs: Vector
    others: tuple[RangeSlots, ...]
    are_given: bool  # those that no run changes are kept

    def are_within(self, memory: Vector) -> bool:
        """Whether there is nothing to report, rounding apart."""
        numbers = memory[self.slots]
        if not (self.are_given and ((self.lows <= numbers) & (numbers <= self.highs)).all()):
            return False
        return not any(_is_outside(*_value_and_bounds(one, memory)) for one in self.others)


def _fixed(model: CompiledModel) -> Fixed:
    plain, others, are_given = [], [], True
    for one in (one for one in model.ranges if one.kind not in VARYING):
        has_bounds = one.lowest_slot < 0 and one.highest_slot < 0
        if one.slot < 0 and has_bounds:
            are_given = are_given and not _is_outside(one.offset, one.lowest, one.highest)
        elif has_bounds and one.sign == 1.0 and one.offset == 0.0:
            plain.append(one)
        else:
            others.append(one)
    return Fixed(
        slots_of(one.slot for one in plain),
        np.array([one.lowest for one in plain]),
        np.array([one.highest for one in plain]),
        tuple(others),
        are_given,
    )


def _value_and_bounds(one: RangeSlots, memory: Vector) -> tuple[float, float, float]:
    value = one.offset if one.slot < 0 else one.sign * float(memory[one.slot]) + one.offset
    return value, *_bounds(one, memory)


def _bounds(one: RangeSlots, memory: Vector) -> tuple[float, float]:
    low = one.lowest if one.lowest_slot < 0 else float(memory[one.lowest_slot])
    high = one.highest if one.highest_slot < 0 else float(memory[one.highest_slot])
    return low, high


def _is_outside(value: float, low: float, high: float) -> bool:
    if low <= value <= high:
        return False
    below, above = (RANGES.rounding * max(abs(end), abs(value)) for end in (low, high))
    return value < low - below or value > high + above


@dataclass(frozen=True, slots=True, eq=False)
class Watched:
    """Ranges of stored curves: `-x` and offsets are turned round."""

    ranges: tuple[tuple[int, RangeSlots], ...]  # row of the curve
    rows: Integers
    bounded: Integers  # the same without repetition
    exact: Mask
    nominal: Vector

    def limits(self, memory: Vector) -> tuple[Vector, Vector]:
        """Bounds of stored numbers instead of variables, once parameters are known."""
        pairs = []
        for _, one in self.ranges:
            low, high = ((b - one.offset) * one.sign for b in _bounds(one, memory))
            pairs.append((low, high) if one.sign > 0 else (high, low))
        low, high = np.array(pairs).T
        return low, high

    def outside(
        self, limits: tuple[Vector, Vector], least: Vector, most: Vector, tolerance: float
    ) -> Sequence[int]:
        """Numbers of ranges that were left, by the extremes of all curves."""
        low, high = limits
        least, most = least[self.rows], most[self.rows]
        allowed = np.where(self.exact, 0.0, tolerance)
        size = np.maximum(np.maximum(abs(least), abs(most)), self.nominal)
        with np.errstate(invalid="ignore", over="ignore"):  # bounds may be infinite, or nearly so
            below = least < low - allowed * np.maximum(size, abs(low))
            above = most > high + allowed * np.maximum(size, abs(high))
        found: list[int] = np.flatnonzero(below | above).tolist()
        return found


class Extremes:
    """Of all curves that have bounds, and where each first left its range."""

    def __init__(self, watched: Watched, curves: int, slack: float) -> None:
        self.watched = watched
        self.slack = slack * watched.nominal
        self.least, self.most = np.full(curves, np.inf), np.full(curves, -np.inf)
        self.first = np.full(len(watched.ranges), -1, dtype=np.intp)  # stored row outside, if any

    def take_in(self, begin: int, rows: Vector, limits: tuple[Vector, Vector]) -> None:
        """More rows; `begin` is the number of the first one."""
        if not len(rows):
            return
        watched, bounded = self.watched, self.watched.bounded
        curves = rows.T[bounded]  # only those, each in one piece: a tenth of the time
        least, most = np.fmin.reduce(curves, axis=1), np.fmax.reduce(curves, axis=1)
        self.least[bounded] = np.fmin(self.least[bounded], least)
        self.most[bounded] = np.fmax(self.most[bounded], most)
        places = np.searchsorted(bounded, watched.rows)
        with np.errstate(invalid="ignore", over="ignore"):  # bounds may be infinite, or nearly so
            # Beyond these a number is seen to be outside, if the whole curve is judged to be.
            low, high = limits[0] - self.slack, limits[1] + self.slack
        new = (self.first < 0) & ((least[places] < low) | (most[places] > high))
        for number in np.flatnonzero(new).tolist():
            curve = curves[places[number]]
            is_out = (curve < low[number]) | (curve > high[number])
            self.first[number] = begin + int(np.argmax(is_out))


class RangeWatch:
    """Bounds of stored curves. Several names of one curve have the narrowest of their ranges."""

    def __init__(self, recorder: Recorder, settings: Settings) -> None:
        self.recorder, self.settings = recorder, settings
        self.live = recorder.live
        watched = once(_watched, self.live.model, recorder.table)
        self.watched = watched if settings.bounds != OFF and watched.ranges else None
        self.seen = 0
        self.bounds: tuple[Vector, Vector] | None = None  # known once parameters are
        self._all = watched

    @cached_property
    def extremes(self) -> Extremes:
        """So far; most runs are looked at when they are over."""
        return Extremes(self._all, len(self.recorder.slots), self.settings.tolerance)

    def state(self) -> dict[str, Any]:
        saved: dict[str, Any] = {"seen": self.seen}
        if self.watched is not None:
            bounds, known = None if self.bounds is None else list(self.bounds), self.extremes
            saved |= {"least": known.least, "most": known.most, "bounds": bounds}
            saved["first"] = known.first.tolist()
        return saved

    def take_state(self, saved: Mapping[str, Any]) -> None:
        """Of a run that was saved."""
        self.seen = int(saved["seen"])
        if self.watched is not None:
            known = self.extremes
            known.least[:], known.most[:] = saved["least"], saved["most"]
            known.first[:] = saved["first"]
            if saved["bounds"] is not None:
                low, high = saved["bounds"]
                self.bounds = low, high

    def keep_up(self) -> None:
        """Take in the rows since the last time, where there are many: the end need not wait for them."""
        if self.watched is not None and self.recorder.count >= self.seen + MANY:
            self._take_in(self.watched)

    def _take_in(self, watched: Watched) -> None:
        begin, self.seen = self.seen, self.recorder.count
        if self.bounds is None:
            self.bounds = watched.limits(self.live.memory)
        self.extremes.take_in(begin, self.recorder.rows[begin : self.seen], self.bounds)

    def check(self) -> None:
        """The rows stored since the last check: what is outside ends the run."""
        recorder, watched = self.recorder, self.watched
        if watched is None or recorder.count == self.seen:
            return
        self._take_in(watched)
        known = self.extremes
        assert self.bounds is not None
        outside = watched.outside(self.bounds, known.least, known.most, self.settings.tolerance)
        if outside:
            number = min(outside, key=lambda n: max(0, int(known.first[n])))
            at = max(0, int(known.first[number]))
            row = recorder.rows[at]
            recorder.count = at + 1  # the rows after it are nobody's
            raise SimulationError(_at_row(watched, number, self.live.memory, row))

    @property
    def warnings(self) -> Callable[[Vector], list[Diagnostic]] | None:
        """What looks at the curves of a result; most rows of a large one have been taken in already."""
        if self.watched is None or self.settings.bounds != WARN:
            return None
        memory, tolerance = self.live.memory, self.settings.tolerance
        if self.seen == 0:
            return partial(_warnings, self.watched, memory, tolerance)
        self._take_in(self.watched)
        rows = self.recorder.rows[: self.recorder.count].T
        found = _outside(self.watched, memory, tolerance, self.extremes, rows)
        return lambda _: found


def _warnings(watched: Watched, memory: Vector, tolerance: float, data: Vector) -> list[Diagnostic]:
    if not data.shape[1]:
        return []
    extremes = Extremes(watched, len(data), tolerance)
    extremes.take_in(0, data.T, watched.limits(memory))
    return _outside(watched, memory, tolerance, extremes, data)


def _outside(
    watched: Watched, memory: Vector, tolerance: float, known: Extremes, data: Vector
) -> list[Diagnostic]:
    outside = watched.outside(watched.limits(memory), known.least, known.most, tolerance)
    first = {watched.ranges[number][0]: number for number in reversed(outside)}  # of each curve
    found = [
        _at_row(watched, n, memory, data[:, max(0, int(known.first[n]))], known)
        for n in sorted(first.values())
    ]
    return [_as_warning(one) for one in _fewer(found)]


def _at_row(
    watched: Watched, number: int, memory: Vector, at: Vector, known: Extremes | None = None
) -> Diagnostic:
    """What is wrong in the first row outside; with extremes also how far it goes."""
    row, one = watched.ranges[number]
    low, value = watched.limits(memory)[0][number], float(at[row])
    worst = value
    if known is not None:
        worst = float(known.least[row] if value < low else known.most[row])
    return _of_variable(
        one,
        *_bounds(one, memory),
        time=float(at[0]),
        value=one.sign * value + one.offset,
        worst=one.sign * worst + one.offset,
    )


def _watched(model: CompiledModel, table: Table) -> Watched:
    slots = table.slots.tolist()
    places = {slot: row for row, slot in enumerate(slots)}
    ranges = [
        (places[one.slot], one)
        for one in model.ranges
        if one.kind in VARYING and one.slot in places
    ]
    scales = {info.slot: abs(info.nominal) for info in model.state_infos}
    rows = [row for row, _ in ranges]
    return Watched(
        tuple(ranges),
        np.array(rows, dtype=np.intp),
        np.array(sorted(set(rows)), dtype=np.intp),
        np.array([one.is_integer for _, one in ranges], dtype=np.bool_),
        np.array([scales.get(slots[row], 0.0) for row in rows]),
    )


def _report(live: LiveModel, found: Sequence[Diagnostic], bounds: str) -> None:
    if not found:
        return
    if bounds == ERROR:
        raise SimulationError(found[0])
    live.warnings += [_as_warning(one) for one in _fewer(found)]


def _fewer(found: Sequence[Diagnostic]) -> list[Diagnostic]:
    reported = list(found[:MOST_REPORTED])
    if len(found) > MOST_REPORTED:
        others = len(found) - MOST_REPORTED
        more = f"{others} more variable{'s are' if others > 1 else ' is'} out of range"
        reported.append(Diagnostic(found[0].code, more, severity=Severity.WARNING))
    return reported


def _as_warning(one: Diagnostic) -> Diagnostic:
    return Diagnostic(one.code, one.message, one.labels, one.help, severity=Severity.WARNING)


def _broken(value: float, low: float, high: float) -> str:
    if value < low:
        return f"below its min = {low:g}"
    return f"above its max = {high:g}"


def _of_parameter(one: RangeSlots, value: float, low: float, high: float) -> Diagnostic:
    return Diagnostic(
        "R171",
        f"{one.kind} `{one.name}` = {value:g} is {_broken(value, low, high)}",
        labels_at(one.span),
        help="give it another value; `--bounds off` runs without this check",
    )


def _of_variable(
    one: RangeSlots, low: float, high: float, time: float, value: float, worst: float
) -> Diagnostic:
    if one.is_integer and abs(worst) > RANGES.largest_exact:
        return Diagnostic(
            "R172",
            f"Integer `{one.name}` = {value:g} at time {time:g} is beyond 2^53: it is not exact any more",
            labels_at(one.span),
            help="use smaller numbers, or make it a Real",
        )
    reached = "" if worst == value else f", and reaches {worst:g}"
    return Diagnostic(
        "R170",
        f"`{one.name}` = {value:g} at time {time:g} is {_broken(value, low, high)}{reached}",
        labels_at(one.span),
        help="the model is used outside of its range, or the bound is wrong; `--bounds off` runs without "
        "this check, `--bounds error` ends here",
    )
