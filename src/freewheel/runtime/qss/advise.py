"""Automatic choice of quantized states.

    reason = why_quantized(engine, t, y)         # "" where a method with steps is the better one

They win on large sparse models with little activity: fronts, chains, switching networks. A method with steps
advances all states with the fastest. They lose where every state changes all the time, where two stiff states
drive each other (a step of one undoes that of the other), and at tight tolerances: the number of steps grows
with a root of the quantum. docs/theory/quantized_states.md has the measurements behind the numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from freewheel.runtime.model import CompiledModel, Vector
from freewheel.runtime.qss.diagnostics import why_not_quantized
from freewheel.runtime.qss.thresholds import ADVICE
from freewheel.runtime.settings import Settings

if TYPE_CHECKING:
    from freewheel.runtime.qss.engine import QuantizedEngine

MANY_STATES = 500
MANY_WITH_EVENTS = 100  # states, where each event would stop them all


def may_suit(model: CompiledModel, settings: Settings) -> bool:
    """By sizes and settings alone."""
    count = len(model.states)
    many = (
        MANY_WITH_EVENTS if len(model.relations) >= ADVICE.many_relations * count else MANY_STATES
    )
    if model.core.is_there or count < many or settings.tolerance < ADVICE.coarse or settings.inputs:
        return False
    if model.delays or model.choices:  # they can, but nobody has measured whether they win
        return False
    return why_not_quantized(model, "") is None


def why_quantized(engine: QuantizedEngine, t: float, y: Vector) -> str:
    """After the initial system, at the start."""
    from freewheel.runtime.qss.couplings import couplings
    from freewheel.runtime.qss.space import QuantizedSpace

    space, settings = engine.space, engine.settings
    assert isinstance(space, QuantizedSpace)
    if float(space.quantized.counts[: space.n].mean()) > ADVICE.few_records:
        return ""
    values = np.ascontiguousarray(y)
    if couplings.callable("measure_stiffness")(space.address, values.ctypes.data, t) != 0:
        return ""
    stiffest, tie = float(space.qss.out[0]), float(space.qss.out[1])
    if stiffest * settings.span < ADVICE.fast:
        if ADVICE.many_relations * space.n > space.relations or tie > ADVICE.swinging:
            return ""
        return (
            f"{space.n} states, each tied to few others, and {space.relations} relations: each event "
            "would stop them all"
        )
    if tie > ADVICE.loose or space.n < MANY_STATES:
        return ""
    return (
        f"{space.n} states, each tied to few others and stiff by itself (time constants down to "
        f"{1.0 / stiffest:.2g} s), at a tolerance of {settings.tolerance:g}"
    )
