"""How far are two results apart?

    compare(result, reference)["C.v"].deviation      # largest difference
    compare(result, reference, tube=1e-3)            # is each curve within a tube of the other?

Both are compared at the reference's times; at an event left limits meet left limits. The tube
forgives a jump that comes a little early or late: a point passes if the other curve takes its
value, within the height, somewhere within the width.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from freewheel.result.store import Result, Vector


@dataclass(frozen=True, slots=True)
class Difference:
    name: str
    deviation: float  # largest absolute difference
    time: float  # where it is
    scale: float  # largest absolute value of the reference
    outside: int = 0  # points outside of the tube

    @property
    def relative(self) -> float:
        return self.deviation / self.scale if self.scale > 0.0 else self.deviation


def compare(
    result: Result,
    reference: Result,
    names: Sequence[str] | None = None,
    tube: float = 1e-3,
    width: float = 2e-3,
) -> dict[str, Difference]:
    """Common variables; `tube` is the height as a share of the reference's range (at least of its
    size times 1e-3), `width` the width as a share of the whole time."""
    chosen = names if names is not None else [n for n in reference.names() if n in result]
    return {name: _difference(name, result, reference, tube, width) for name in chosen}


def _difference(
    name: str, result: Result, reference: Result, tube: float, width: float
) -> Difference:
    times, wanted = reference.time, reference[name]
    got = sampled(result.time, result[name], times)
    distance = np.abs(got - wanted)
    worst = int(np.argmax(distance))
    scale = float(np.max(np.abs(wanted)))
    height = tube * max(float(np.ptp(wanted)), 1e-3 * scale) + 1e-12
    reach = width * float(times[-1] - times[0])
    outside = 0
    for i in np.flatnonzero(~(distance <= height)):
        low, high = _range_near(result.time, result[name], float(times[i]), reach)
        if not low - height <= wanted[i] <= high + height:
            outside += 1
    return Difference(name, float(distance[worst]), float(times[worst]), scale, outside)


def sampled(times: Vector, curve: Vector, at: Vector) -> Vector:
    """Linear between points; where a time occurs twice, left limits for the first asking and
    right limits for a time asked twice in a row."""
    right = np.searchsorted(times, at, side="right")
    left = np.searchsorted(times, at, side="left")
    again = np.concatenate([[False], at[1:] == at[:-1]])
    values = np.empty(len(at))
    for i, (first, last) in enumerate(zip(left, right, strict=True)):
        if first < last:  # hit exactly
            values[i] = curve[last - 1] if again[i] else curve[first]
        elif first == 0 or first == len(times):
            values[i] = curve[min(first, len(times) - 1)]
        else:
            share = (at[i] - times[first - 1]) / (times[first] - times[first - 1])
            values[i] = curve[first - 1] + share * (curve[first] - curve[first - 1])
    return values


def _range_near(times: Vector, curve: Vector, t: float, reach: float) -> tuple[float, float]:
    inside = curve[(times >= t - reach) & (times <= t + reach)]
    near = np.concatenate([inside, sampled(times, curve, np.array([t - reach, t + reach]))])
    return float(np.min(near)), float(np.max(near))
