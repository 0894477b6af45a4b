"""Quanta of the states: how far a quantized state may be from the continuous one.

    quanta_of(model, tolerance=1e-3, chosen={"": Quantum(1e-3), "C.v": Quantum(1e-2, 1e-4)})

A quantum is `max(relative * |x|, absolute)`. Unless something is chosen, both follow the tolerance, the
absolute part scaled by the state's nominal value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf

import numpy as np

from freewheel.runtime.diagnostics import usage
from freewheel.runtime.model import CompiledModel, Vector


@dataclass(frozen=True, slots=True)
class Quantum:
    absolute: float
    relative: float = 0.0

    def __post_init__(self) -> None:
        if not (0.0 < self.absolute < inf and 0.0 <= self.relative < inf):
            raise usage(
                "U060",
                f"a quantum of {self.absolute:g} (relative {self.relative:g}) is not possible",
                "the absolute quantum must be positive, the relative one zero or more, for example 1e-4",
            )


def read_quantum(text: str) -> tuple[str, Quantum]:
    """`1e-3`, `1e-3,1e-6` (relative, absolute), `C.v=1e-2`, `C.v=1e-3,1e-6`."""
    name, equals, value = text.rpartition("=")
    parts = value.split(",")
    try:
        numbers = [float(part) for part in parts]
    except ValueError:
        numbers = []
    if len(numbers) not in (1, 2) or (equals and not name.strip()):
        raise usage(
            "U061",
            f"`--quantum {text}` is no quantum",
            "give a number, or relative,absolute, both also for one state: C.v=1e-3,1e-6",
        )
    if len(numbers) == 1:
        return name.strip(), Quantum(numbers[0])
    return name.strip(), Quantum(numbers[1], numbers[0])


def quanta_of(
    model: CompiledModel, tolerance: float, chosen: Mapping[str, Quantum]
) -> tuple[Vector, Vector]:
    """(relative, absolute), one of each per state."""
    names = [info.name for info in model.state_infos]
    for name in chosen:
        if name and name not in names:
            raise usage(
                "U062",
                f"there is no state `{name}` to quantize",
                "states are " + ", ".join(f"`{known}`" for known in names[:5]),
            )
    common = chosen.get("")
    relative = np.full(len(names), tolerance if common is None else common.relative)
    absolute = np.empty(len(names))
    for number, info in enumerate(model.state_infos):
        quantum = chosen.get(info.name, common)
        if quantum is None:
            nominal = abs(info.nominal)
            absolute[number] = tolerance * (nominal if 0.0 < nominal < inf else 1.0)
        else:
            relative[number], absolute[number] = quantum.relative, quantum.absolute
    return relative, absolute
