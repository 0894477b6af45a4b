"""What counts as a jump of states: beside an implicit core most unknowns are none, and jump at each event.

jumped(live, before, after)     # whether any state did
corner_relations(model)         # relations that an implicit core decides by itself
"""

from __future__ import annotations

import numpy as np

from freewheel.runtime.live import LiveModel
from freewheel.runtime.model import CompiledModel, Mask, Vector, once
from freewheel.runtime.thresholds import HOLD


def stored_states(model: CompiledModel) -> Mask:
    """Those whose rates occur in the model; without a core all of them."""
    if not model.core.is_there:
        return np.ones(len(model.states), dtype=np.bool_)
    return np.array(model.core.is_differential, dtype=np.bool_)


def change_of(live: LiveModel, before: Vector, after: Vector) -> Vector:
    """Of states, zero where it is nothing but rounding."""
    change = np.asarray(after - before)
    if not live.core.is_there:
        return change
    size = np.maximum(np.maximum(np.abs(before), np.abs(after)), live.core.largest)
    return np.where((np.abs(change) > HOLD.moved * size) & stored_states(live.model), change, 0.0)


def jumped(live: LiveModel, before: Vector, after: Vector) -> bool:
    return not np.array_equal(before, after) and bool(change_of(live, before, after).any())


def made_jump(live: LiveModel, which: Mask, before: Vector, after: Vector) -> Mask:
    """Those of the crossings at an event that made states jump. What an ideal element does to unknowns
    that are no states is a jump of that element's own."""
    if jumped(live, before, after):
        return which
    own = which & corner_relations(live.model)
    return own if not np.array_equal(before, after) else np.zeros_like(own)


def corner_relations(model: CompiledModel) -> Mask:
    return once(_corner_relations, model)


def _corner_relations(model: CompiledModel) -> Mask:
    slots = {slot for element in model.core.elements for slot, _ in element.statuses}
    found = np.array([relation.status in slots for relation in model.relations], dtype=np.bool_)
    found.flags.writeable = False
    return found
