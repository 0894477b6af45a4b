"""What sources give: one of seven signals with its parameters, or a table.

    Signal.make("Sine", amplitude=15.0, frequency=50.0)
    Signal.table([(0.0, 0.0), (1.0, 2.0), (1.0, 5.0)])      a ramp, then a jump to 5

Parameters are those of the blocks of the same names in Modelica.Blocks.Sources, in the old and the
new spelling (`freqHz`, `f`); what is not given has the default there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from freewheel.base.diagnostics import Diagnostic, UsageError
from freewheel.devs.qbg import signal_kernels as kernels
from freewheel.devs.qbg.numbers import number_text

Numbers = Mapping[str, float]


@dataclass(frozen=True)
class Signal:
    """`name` as in `NAMES`, parameters in the order of their declaration."""

    name: str
    parameters: tuple[tuple[str, float], ...]
    points: tuple[tuple[float, float], ...] = ()  # of a Table: time and value, in order of time

    @classmethod
    def table(cls, points: Iterable[tuple[float, float]]) -> Signal:
        """Straight lines from point to point; two points at one time are a jump."""
        kept = _without_repetition(points)
        if not kept:
            raise _wrong("Table", "it has no points")
        if any(b[0] < a[0] for a, b in pairwise(kept)):
            raise _wrong("Table", "its times do not ascend")
        if not all(math.isfinite(number) for point in kept for number in point):
            raise _wrong("Table", "a number is not finite")
        return cls("Table", (), kept)

    @classmethod
    def make(cls, name: str, **given: float) -> Signal:
        """Check the parameters and add those left out."""
        spelled = SPELLINGS.get(name.lower())
        if spelled is None:
            known = ", ".join(DEFAULTS)
            raise UsageError(
                Diagnostic("U084", f"there is no signal `{name}`", help=f"known are {known}")
            )
        if spelled == "Table":
            raise _wrong(spelled, "it is made of points, by `Signal.table`")
        values = dict(DEFAULTS[spelled])
        for key, value in given.items():
            own = OTHER_NAMES.get(key.lower(), key.lower())
            if own not in values:
                raise _wrong(spelled, f"it has no parameter `{key}`, but {', '.join(values)}")
            values[own] = float(value)
        _check(spelled, values)
        return cls(spelled, tuple(values.items()))

    @cached_property
    def kind(self) -> int:
        return KINDS[self.name]

    @cached_property
    def numbers(self) -> list[float]:
        """As the kernels take it."""
        if self.points:
            times, values = zip(*self.points, strict=True)
            return [0.0, 1.0, 0.0, float(len(times)), *times, *values]
        return NUMBERS[self.name](dict(self.parameters))

    @property
    def is_piecewise_constant(self) -> bool:
        return self.kind <= kernels.LAST_JUMPING

    def at(self, time: float) -> float:
        """Not quantized."""
        return kernels.signal_at(self.kind, self.numbers, time)

    def description(self) -> dict[str, str]:
        """As in `.ma` files, with the names of Fig. 24: `wavefreq` is the period in milliseconds, and
        the start is in milliseconds beside it. What has no exact period has a `frequency`."""
        if self.points:
            texts = (
                " ".join(map(number_text, column)) for column in zip(*self.points, strict=True)
            )
            return {"signal": self.name, **dict(zip(("times", "values"), texts, strict=True))}
        values = dict(self.parameters)
        start = {"startTime": values.pop("starttime")} if "starttime" in values else {}
        ticks = 1000.0 / values["frequency"] if "frequency" in values else 0.0
        if ticks and 1000.0 / ticks == values["frequency"]:
            began = 1000.0 * start["startTime"]
            if began / 1000.0 == start["startTime"]:
                del values["frequency"]
                start["startTime"] = began
                values["wavefreq"] = ticks
        kept = {key: v for key, v in values.items() if (key, v) not in UNSAID}
        return {"signal": self.name, **{k: number_text(v) for k, v in (start | kept).items()}}


_TIMING = {"offset": 0.0, "starttime": 0.0}
DEFAULTS: dict[str, dict[str, float]] = {
    "Constant": {"k": 1.0},
    "Step": {"height": 1.0, **_TIMING},
    "Pulse": {"amplitude": 1.0, "width": 50.0, "period": 1.0, "nperiod": -1.0, **_TIMING},
    "Ramp": {"height": 1.0, "duration": 2.0, **_TIMING},
    "Sine": {"amplitude": 1.0, "frequency": 1.0, "phase": 0.0, **_TIMING},
    "ExpSine": {"amplitude": 1.0, "frequency": 2.0, "phase": 0.0, "damping": 1.0, **_TIMING},
    "Table": {},
    "Exponential": {
        "outmax": 1.0, "risetime": math.inf, "risetimeconst": 0.1, "falltimeconst": 0.1, **_TIMING
    },
}  # fmt: skip
KINDS = {
    "Constant": kernels.CONSTANT,
    "Step": kernels.STEP,
    "Pulse": kernels.PULSE,
    "Ramp": kernels.RAMP,
    "Sine": kernels.SINE,
    "ExpSine": kernels.EXP_SINE,
    "Exponential": kernels.EXPONENTIAL,
    "Table": kernels.TABLE,
}
NUMBERS: dict[str, Callable[[Numbers], list[float]]] = {
    "Constant": lambda v: [0.0, v["k"], 0.0],
    "Step": lambda v: [*_first(v, "height")],
    "Pulse": lambda v: [*_first(v, "amplitude"), v["width"], v["period"], v["nperiod"]],
    "Ramp": lambda v: [*_first(v, "height"), v["duration"]],
    "Sine": lambda v: [*_first(v, "amplitude"), 2.0 * math.pi * v["frequency"], v["phase"]],
    "ExpSine": lambda v: [
        *_first(v, "amplitude"), 2.0 * math.pi * v["frequency"], v["phase"], v["damping"]
    ],
    "Exponential": lambda v: [
        *_first(v, "outmax"), v["risetime"], v["risetimeconst"], v["falltimeconst"]
    ],
}  # fmt: skip
SPELLINGS = {name.lower(): name for name in DEFAULTS} | {"exponentials": "Exponential"}
OTHER_NAMES = {"f": "frequency", "freqhz": "frequency", "start_time": "starttime"}
MAIN = {  # what `V` or `I` of a source in Modelica is here
    "Constant": "k", "Step": "height", "Ramp": "height", "Exponential": "outmax"
}  # fmt: skip
UNSAID = {("offset", 0.0), ("phase", 0.0), ("nperiod", -1.0), ("risetime", math.inf)}
POSITIVE = ("period", "frequency", "risetime", "risetimeconst", "falltimeconst")


def _without_repetition(
    points: Iterable[tuple[float, float]],
) -> tuple[tuple[float, float], ...]:
    """At one time the first and the last value count."""
    kept: list[tuple[float, float]] = []
    for time, value in points:
        if len(kept) > 1 and kept[-2][0] == kept[-1][0] == time:
            kept.pop()
        if not kept or kept[-1] != (time, value):
            kept.append((float(time), float(value)))
    return tuple(kept)


def _first(values: Numbers, amplitude: str) -> tuple[float, float, float]:
    return values["offset"], values[amplitude], values["starttime"]


def _check(name: str, values: Numbers) -> None:
    for key, value in values.items():
        if math.isnan(value) or (math.isinf(value) and key != "risetime"):
            raise _wrong(name, f"`{key}` is {value}")
        if key in POSITIVE and value <= 0.0:
            raise _wrong(name, f"`{key}` is {value:g}, it must be above zero")
    if name == "Ramp" and values["duration"] < 0.0:
        raise _wrong(name, "`duration` is below zero")
    if name == "Pulse" and not 0.0 <= values["width"] <= 100.0:
        raise _wrong(name, f"`width` is {values['width']:g} %, it must be from 0 to 100")


def _wrong(name: str, why: str) -> UsageError:
    return UsageError(
        Diagnostic(
            "U085",
            f"the signal {name} cannot be made: {why}",
            help="give finite numbers to parameters that it has; a table has points with times that ascend",
        )
    )
