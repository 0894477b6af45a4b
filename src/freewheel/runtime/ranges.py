"""Whether values keep within `min` and `max`: parameters before the run, variables in stored rows.

    check_parameters(live, settings)            # after the section `parameters`
    watch = RangeWatch(recorder, settings)
    watch.look()                                # at the rows stored since the last look; raises
    watch.warnings(curves)                      # when a result is asked for them

Rows are stored at regular points and on both sides of each event; what happens between is not seen. A
variable may leave its range by the tolerance of the run, relative to the bound and to the largest value
that it had: the solver promises no more. Each stored curve is told of once. `bounds="warn"` looks when
the result is asked for its warnings; `"error"` looks at each event.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from freewheel.base.diagnostics import Diagnostic, Severity, SimulationError
from freewheel.base.slots import RangeSlots
from freewheel.runtime.diagnostics import labels_at
from freewheel.runtime.live import LiveModel
from freewheel.runtime.loop.recording import VARYING, Recorder, Table
from freewheel.runtime.model import CompiledModel, Mask, Vector, once
from freewheel.runtime.settings import Settings

Integers = npt.NDArray[np.intp]
OFF, WARN, ERROR = "off", "warn", "error"
MOST_TOLD = 10
LARGEST_EXACT = 2.0**53  # of whole numbers in double precision
# Parameters that follow from others by a few operations: their last bits do not count.
ROUNDING = 16.0 * float(np.finfo(np.float64).eps)


def check_parameters(live: LiveModel, settings: Settings) -> None:
    """Also constants; a number out of its range is a warning of the run, or ends it."""
    if settings.bounds == OFF:
        return
    found = [
        _of_parameter(one, value, low, high)
        for one in live.model.ranges
        if one.kind not in VARYING
        for value, low, high in [_value_and_bounds(one, live.memory)]
        if _is_outside(value, low, high)
    ]
    _tell(live, found, settings.bounds)


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
    return value < low - ROUNDING * max(abs(low), abs(value)) or value > high + ROUNDING * max(
        abs(high), abs(value)
    )


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


class RangeWatch:
    """Bounds of stored curves. Several names of one curve have the narrowest of their ranges."""

    def __init__(self, recorder: Recorder, settings: Settings) -> None:
        self.recorder, self.settings = recorder, settings
        self.live = recorder.live
        watched = once(_watched, self.live.model, recorder.table)
        self.watched = watched if settings.bounds != OFF and watched.ranges else None
        self.seen = 0
        self.bounds: tuple[Vector, Vector] | None = None
        count = len(recorder.slots)
        self.least, self.most = np.full(count, np.inf), np.full(count, -np.inf)

    def state(self) -> dict[str, Any]:
        saved: dict[str, Any] = {"seen": self.seen}
        if self.watched is not None:
            bounds = None if self.bounds is None else list(self.bounds)
            saved |= {"least": self.least, "most": self.most, "bounds": bounds}
        return saved

    def take_state(self, saved: Mapping[str, Any]) -> None:
        """Of a run that was saved."""
        self.seen = int(saved["seen"])
        if self.watched is not None:
            self.least[:], self.most[:] = saved["least"], saved["most"]
            if saved["bounds"] is not None:
                low, high = saved["bounds"]
                self.bounds = low, high

    def look(self) -> None:
        """At the rows stored since the last look: what is outside ends the run."""
        recorder, watched = self.recorder, self.watched
        if watched is None or recorder.count == self.seen:
            return
        first, self.seen = self.seen, recorder.count
        # Only curves that have bounds, each in one piece: a tenth of the time.
        curves, bounded = recorder.rows[first : recorder.count].T[watched.bounded], watched.bounded
        self.least[bounded] = np.fmin(self.least[bounded], np.fmin.reduce(curves, axis=1))
        self.most[bounded] = np.fmax(self.most[bounded], np.fmax.reduce(curves, axis=1))
        if self.bounds is None:
            self.bounds = watched.limits(self.live.memory)
        tolerance, memory = self.settings.tolerance, self.live.memory
        data = recorder.rows[: recorder.count].T
        outside = watched.outside(self.bounds, self.least, self.most, tolerance)
        found = [_first_outside(watched, n, memory, tolerance, data) for n in outside]
        if found:
            row, told = min(found, key=lambda one: one[0])
            recorder.count = row + 1  # the rows after it are nobody's
            raise SimulationError(told)

    @property
    def warnings(self) -> Callable[[Vector], list[Diagnostic]] | None:
        """What looks at the curves of a result."""
        if self.watched is None or self.settings.bounds != WARN:
            return None
        return partial(_warnings, self.watched, self.live.memory, self.settings.tolerance)


def _warnings(watched: Watched, memory: Vector, tolerance: float, data: Vector) -> list[Diagnostic]:
    if not data.shape[1]:
        return []
    curves = data[watched.bounded]
    least, most = np.full(len(data), np.inf), np.full(len(data), -np.inf)
    least[watched.bounded] = np.fmin.reduce(curves, axis=1)
    most[watched.bounded] = np.fmax.reduce(curves, axis=1)
    outside = watched.outside(watched.limits(memory), least, most, tolerance)
    first = {watched.ranges[number][0]: number for number in reversed(outside)}  # of each curve
    found = [
        _first_outside(watched, n, memory, tolerance, data, (least, most))
        for n in sorted(first.values())
    ]
    return [_as_warning(one) for one in _fewer([told for _, told in found])]


def _first_outside(
    watched: Watched,
    number: int,
    memory: Vector,
    tolerance: float,
    data: Vector,
    extremes: tuple[Vector, Vector] | None = None,
) -> tuple[int, Diagnostic]:
    """The number of the first row outside, and what is wrong there; with extremes also how far it goes."""
    row, one = watched.ranges[number]
    low, high = (bound[number] for bound in watched.limits(memory))
    curve, slack = data[row], tolerance * watched.nominal[number]
    at = int(np.argmax((curve < low - slack) | (curve > high + slack)))
    worst = curve[at] if extremes is None else extremes[0 if curve[at] < low else 1][row]
    return at, _of_variable(
        one,
        *_bounds(one, memory),
        time=float(data[0, at]),
        value=one.sign * float(curve[at]) + one.offset,
        worst=one.sign * float(worst) + one.offset,
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


def _tell(live: LiveModel, found: Sequence[Diagnostic], bounds: str) -> None:
    if not found:
        return
    if bounds == ERROR:
        raise SimulationError(found[0])
    live.warnings += [_as_warning(one) for one in _fewer(found)]


def _fewer(found: Sequence[Diagnostic]) -> list[Diagnostic]:
    told = list(found[:MOST_TOLD])
    if len(found) > MOST_TOLD:
        others = len(found) - MOST_TOLD
        more = f"{others} more variable{'s are' if others > 1 else ' is'} out of range"
        told.append(Diagnostic(found[0].code, more, severity=Severity.WARNING))
    return told


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
    if one.is_integer and abs(worst) > LARGEST_EXACT:
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
