"""The discrete variables of a model: values, pre values and reinits, with their names."""

from __future__ import annotations

import numpy as np

from freewheel.base.diagnostics import Label
from freewheel.result.events import CHANGED
from freewheel.runtime.events.log import EventLog
from freewheel.runtime.live import LiveModel, Slots
from freewheel.runtime.model import CompiledModel, Mask, Vector, once, slots_of
from freewheel.runtime.thresholds import AGREEMENT


class Discrete:
    """The discrete variables of a live model, as arrays of slots."""

    def __init__(self, live: LiveModel) -> None:
        self.live = live
        self.memory = live.memory
        self.values, self.pre, self.flags, self.margin = once(_arrays, live.model)

    def hold(self) -> None:
        """Values become pre values."""
        self.memory[self.pre] = self.memory[self.values]

    def differ_from(self, memory: Vector) -> Mask:
        """Which discrete values are others than those of another memory."""
        mask: Mask = self.memory[self.values] != memory[self.values]
        return mask

    def labels(self, mask: Mask) -> list[Label]:
        """The lines of source that define these values."""
        model, found = self.live.model, []
        if model.origin is not None:
            for slot in self.values[mask].tolist():
                origin = model.origin(slot, self.memory)
                found += [] if origin is None else [*origin.labels]
        return list(dict.fromkeys(found))

    def names(self, mask: Mask) -> list[str]:
        """Of these values, with aliases; flags of when-clauses have none."""
        by_slot: dict[int, list[str]] = {}
        for variable in self.live.model.variables:
            by_slot.setdefault(variable.slot, []).append(variable.name)
        slots = self.values[mask].tolist()
        return [name for slot in slots for name in by_slot.get(slot, ())]


def _arrays(model: CompiledModel) -> tuple[Slots, Slots, Slots, Vector]:
    """Slots of values, pre values and flags of reinits; how much values may differ."""
    real = {v.slot for v in model.variables if v.type == "Real"}
    values = slots_of(slot for slot, _ in model.discrete)
    margin = np.array([AGREEMENT.real_match if slot in real else 0.0 for slot in values.tolist()])
    pre, flags = (pre for _, pre in model.discrete), (flag for _, _, flag in model.reinits)
    return values, slots_of(pre), slots_of(flags), margin


def note_changes(discrete: Discrete, log: EventLog, moved: Mask) -> bool:
    """Adds them to the event log; true if there are any."""
    for i in np.flatnonzero(moved).tolist():
        log.note(CHANGED, i, float(discrete.memory[discrete.values[i]]))
    return bool(moved.any())


def evaluate_discrete(discrete: Discrete) -> None:
    """All equations once, and the residuals that result."""
    live = discrete.live
    live.memory[discrete.flags] = 0.0
    live.forget_messages()
    live.run("discrete")
    live.run("derivatives")
    live.run("relations")


def corner_relations(model: CompiledModel) -> Mask:
    """Those whose statuses an implicit core sets."""
    return once(_corner_relations, model)


def _corner_relations(model: CompiledModel) -> Mask:
    slots = {slot for element in model.core.elements for slot, _ in element.statuses}
    found = np.array([relation.status in slots for relation in model.relations], dtype=np.bool_)
    found.flags.writeable = False
    return found


def texts_of(live: LiveModel, mask: Mask) -> list[str]:
    """Of these relations."""
    return [r.text for r, flips in zip(live.model.relations, mask, strict=True) if flips]
