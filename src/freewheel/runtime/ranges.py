"""Whether values keep within `min` and `max`: parameters before the run, variables in stored rows.

    check_parameters(live, settings)            # after the section `parameters`
    watch = RangeWatch(recorder, settings)
    watch.keep_up()                             # take in rows where there are many of them
    watch.look()                                # at the rows stored since the last look

Rows are stored at regular points and on both sides of each event; what happens between is not seen. A
variable may leave its range by the tolerance of the run, relative to the bound and to the largest value
that it had: the solver promises no more. Each stored curve is told of once. `bounds="warn"` looks when
the run ends, so that it costs one pass over the rows, most of which are taken in on the way; `"error"`
looks at each event, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from freewheel.base.diagnostics import Diagnostic, Label, Severity, SimulationError
from freewheel.base.slots import RangeSlots
from freewheel.base.source import NOWHERE
from freewheel.runtime.live import LiveModel
from freewheel.runtime.loop.recording import VARYING, Recorder
from freewheel.runtime.model import CompiledModel, Vector
from freewheel.runtime.settings import Settings

OFF, WARN, ERROR = "off", "warn", "error"
MOST_TOLD = 10
MANY = 10_000  # rows, which take a part of a millisecond
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


class RangeWatch:
    """Bounds of stored curves. Several names of one curve have the narrowest of their ranges."""

    def __init__(self, recorder: Recorder, settings: Settings) -> None:
        self.recorder, self.settings = recorder, settings
        self.live = recorder.live
        self.ranges: list[tuple[int, RangeSlots]] = []  # row of the curve
        if settings.bounds != OFF:
            self.ranges = _stored(self.live.model, recorder)
        self.seen = 0
        self.told: set[int] = set()  # rows
        if self.ranges:
            self._prepare()

    def _prepare(self) -> None:
        """Bounds of stored numbers instead of variables: `-x` and offsets are turned round."""
        self.rows = np.array([row for row, _ in self.ranges], dtype=np.intp)
        self.bounded = np.array(sorted({row for row, _ in self.ranges}), dtype=np.intp)
        self.exact = np.array([one.is_integer for _, one in self.ranges])
        count = len(self.recorder.slots)
        self.least, self.most = np.full(count, np.inf), np.full(count, -np.inf)
        scales = {info.slot: abs(info.nominal) for info in self.live.model.state_infos}
        slots = self.recorder.slots.tolist()
        self.nominal = np.array([scales.get(slots[row], 0.0) for row, _ in self.ranges])
        self.first = np.full(len(self.ranges), -1, dtype=np.intp)  # stored row outside, if any
        self.bounds: tuple[Vector, Vector] | None = None  # known once parameters are

    def state(self) -> dict[str, Any]:
        saved: dict[str, Any] = {"seen": self.seen, "told": sorted(self.told)}
        if self.ranges:
            bounds = None if self.bounds is None else list(self.bounds)
            saved |= {"least": self.least, "most": self.most, "bounds": bounds}
            saved["first"] = self.first.tolist()
        return saved

    def take_state(self, saved: Mapping[str, Any]) -> None:
        """Of a run that was saved."""
        self.seen, self.told = int(saved["seen"]), set(saved["told"])
        if self.ranges:
            self.least[:], self.most[:] = saved["least"], saved["most"]
            self.first[:] = saved["first"]
            if saved["bounds"] is not None:
                low, high = saved["bounds"]
                self.bounds = low, high

    def _limits(self) -> tuple[Vector, Vector]:
        if self.bounds is None:
            pairs = []
            for _, one in self.ranges:
                low, high = ((b - one.offset) * one.sign for b in _bounds(one, self.live.memory))
                pairs.append((low, high) if one.sign > 0 else (high, low))
            low, high = np.array(pairs).T
            self.bounds = low, high
        return self.bounds

    def keep_up(self) -> None:
        """Take in the rows since the last time, where there are many: the end need not wait for them."""
        if self.ranges and self.recorder.count >= self.seen + MANY:
            self._take_in()

    def look(self) -> None:
        """At the rows stored since the last look."""
        recorder = self.recorder
        is_over = self.settings.bounds == WARN  # then some are taken in without a look
        if not self.ranges or recorder.count == (0 if is_over else self.seen):
            return
        self._take_in()
        found = list(self._found(self._outside()))
        if found and self.settings.bounds == ERROR:
            row, told = min(found, key=lambda one: one[0])
            recorder.count = row + 1  # the rows after it are nobody's
            raise SimulationError(told)
        _tell(self.live, [one for _, one in found], self.settings.bounds)

    def _take_in(self) -> None:
        """Least and most value of each curve, and the row where it first left its range."""
        begin, self.seen = self.seen, self.recorder.count
        # Only curves that have bounds, each in one piece: a tenth of the time.
        bounded = self.bounded
        curves = self.recorder.rows[begin : self.seen].T[bounded]
        if not curves.shape[1]:
            return
        least, most = np.fmin.reduce(curves, axis=1), np.fmax.reduce(curves, axis=1)
        self.least[bounded] = np.fmin(self.least[bounded], least)
        self.most[bounded] = np.fmax(self.most[bounded], most)
        places = np.searchsorted(bounded, self.rows)
        low, high = self._clear_limits()
        new = (self.first < 0) & ((least[places] < low) | (most[places] > high))
        for number in np.flatnonzero(new).tolist():
            curve = curves[places[number]]
            is_out = (curve < low[number]) | (curve > high[number])
            self.first[number] = begin + int(np.argmax(is_out))

    def _clear_limits(self) -> tuple[Vector, Vector]:
        """Beyond these a number is seen to be outside, if the whole curve is judged to be."""
        low, high = self._limits()
        with np.errstate(invalid="ignore", over="ignore"):  # bounds may be infinite, or nearly so
            slack = self.settings.tolerance * self.nominal
            return low - slack, high + slack

    def _outside(self) -> Sequence[int]:
        """Numbers of ranges that were left."""
        low, high = self._limits()
        least, most = self.least[self.rows], self.most[self.rows]
        tolerance = np.where(self.exact, 0.0, self.settings.tolerance)
        size = np.maximum(np.maximum(abs(least), abs(most)), self.nominal)
        with np.errstate(invalid="ignore", over="ignore"):  # bounds may be infinite, or nearly so
            below = least < low - tolerance * np.maximum(size, abs(low))
            above = most > high + tolerance * np.maximum(size, abs(high))
        found: list[int] = np.flatnonzero(below | above).tolist()
        return found

    def _found(self, outside: Iterable[int]) -> Iterator[tuple[int, Diagnostic]]:
        """The number of the first row outside, and what is wrong there."""
        low, _ = self._limits()
        for number in outside:
            row, one = self.ranges[number]
            if row in self.told:
                continue
            self.told.add(row)
            at = max(0, int(self.first[number]))
            value = float(self.recorder.rows[at, row])
            worst = self.least[row] if value < low[number] else self.most[row]
            is_end = self.settings.bounds == ERROR
            told = _of_variable(
                one,
                *_bounds(one, self.live.memory),
                time=float(self.recorder.rows[at, 0]),
                value=one.sign * value + one.offset,
                worst=one.sign * float(value if is_end else worst) + one.offset,
            )
            yield at, told


def _stored(model: CompiledModel, recorder: Recorder) -> list[tuple[int, RangeSlots]]:
    places = {slot: row for row, slot in enumerate(recorder.slots.tolist())}
    return [
        (places[one.slot], one)
        for one in model.ranges
        if one.kind in VARYING and one.slot in places
    ]


def _tell(live: LiveModel, found: Sequence[Diagnostic], bounds: str) -> None:
    if not found:
        return
    if bounds == ERROR:
        raise SimulationError(found[0])
    told = list(found[:MOST_TOLD])
    if len(found) > MOST_TOLD:
        others = len(found) - MOST_TOLD
        more = f"{others} more variable{'s are' if others > 1 else ' is'} out of range"
        told.append(Diagnostic(found[0].code, more, severity=Severity.WARNING))
    live.warnings += [_as_warning(one) for one in told]


def _as_warning(one: Diagnostic) -> Diagnostic:
    return Diagnostic(one.code, one.message, one.labels, one.help, severity=Severity.WARNING)


def _broken(one: RangeSlots, value: float, low: float, high: float) -> str:
    if value < low:
        return f"below its min = {low:g}"
    return f"above its max = {high:g}"


def _of_parameter(one: RangeSlots, value: float, low: float, high: float) -> Diagnostic:
    return Diagnostic(
        "R171",
        f"{one.kind} `{one.name}` = {value:g} is {_broken(one, value, low, high)}",
        _labels(one),
        help="give it another value; `--bounds off` runs without this check",
    )


def _of_variable(
    one: RangeSlots, low: float, high: float, time: float, value: float, worst: float
) -> Diagnostic:
    if one.is_integer and abs(worst) > LARGEST_EXACT:
        return Diagnostic(
            "R172",
            f"Integer `{one.name}` = {value:g} at time {time:g} is beyond 2^53: it is not exact any more",
            _labels(one),
            help="use smaller numbers, or make it a Real",
        )
    reached = "" if worst == value else f", and reaches {worst:g}"
    return Diagnostic(
        "R170",
        f"`{one.name}` = {value:g} at time {time:g} is {_broken(one, value, low, high)}{reached}",
        _labels(one),
        help="the model is used outside of its range, or the bound is wrong; `--bounds off` runs without "
        "this check, `--bounds error` ends here",
    )


def _labels(one: RangeSlots) -> tuple[Label, ...]:
    return () if one.span is NOWHERE else (Label(one.span),)
