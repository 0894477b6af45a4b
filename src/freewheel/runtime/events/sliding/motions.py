"""Sliding and rest as Python calls them: the record of constrained motions, and what kernels ask for.

    holding.provide()     # the event begins again
    holding.notes

`events/sliding/transitions.py` makes all decisions. Python allocates the record when something may slide or
rest for the first time, and provides derivatives of residuals, which models have on request
(`CompiledModel.slopes`).
"""

from __future__ import annotations

from functools import partial
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from freewheel.base.diagnostics import Diagnostic, Label, Severity
from freewheel.base.source import NOWHERE
from freewheel.machine.memory import Closure, address_of, bind
from freewheel.result.events import hold_text
from freewheel.runtime.callbacks import Callbacks
from freewheel.runtime.events.discrete import corner_relations
from freewheel.runtime.events.sliding.transitions import LIST, MOTIONS, transitions
from freewheel.runtime.events.sliding.vector_field import (
    KNOWN,
    NONE,
    ConstrainedMotions,
    vector_field,
)
from freewheel.runtime.events.sliding.violations import STATES_JUMP, violation_text
from freewheel.runtime.inputs import Line
from freewheel.runtime.live import LiveModel
from freewheel.runtime.loop.time_loop import driver
from freewheel.runtime.model import CompiledModel, Mask, Vector
from freewheel.runtime.settings import Settings
from freewheel.runtime.thresholds import SLIDING, ZENO

if TYPE_CHECKING:
    from freewheel.runtime.loop.classic_engine import ClassicEngine

SECTIONS = ("derivatives", "relations", "outputs")
FIRST_MODES = 2  # one surface
FIRST_NOTES = 8


class SurfaceMotions:
    def __init__(self, live: LiveModel, settings: Settings, engine: ClassicEngine) -> None:
        self.live = live
        self.tolerance = settings.tolerance
        self.constrained: ConstrainedMotions | None = None
        self.callbacks = engine.motions
        self.corners = corner_relations(live.model)
        self.engine = engine
        self.space = engine.space
        self.loop = self.space.loop

    def violation_of(self, relation: int) -> str:
        """Why there is no sliding along a surface."""
        loop = self.loop
        if loop.impact_count > 0 and loop.has_jumped[relation] == 1:
            return violation_text(STATES_JUMP)
        return violation_text(int(loop.violations[relation]))

    # ------------------------------------------------------------ the record

    def prepare(self) -> ConstrainedMotions:
        """Allocated when something may slide or rest for the first time."""
        if self.constrained is None:
            self.constrained = held_motions(self.live, self.corners, self.callbacks)
            self.constrained.tolerance = self.tolerance
            lines = all(isinstance(piece, Line) for _, piece in self.live.inputs)
            self.constrained.needs_inputs = int(not lines)
            self.loop.constrained, self.loop.can_constrain = self.constrained, 1
            use_motions(self.live, self.constrained)
        if self.loop.impact_count == 0:
            self.engine.make_room_for_impacts()
        self.engine.bind_motions(transitions.address("find_motion_after"))
        return self.constrained

    def provide(self) -> None:
        """What the present event lacks: it begins again."""
        self._provide(self.prepare())

    def _provide(self, held: ConstrainedMotions) -> None:
        """Derivatives and room that a kernel has asked for."""
        for relation in np.flatnonzero(np.asarray(held.requested)).tolist():
            for order in (1, 2):
                if held.requested[relation] & order:
                    self._provide_slopes(held, relation, order)
            held.requested[relation] = 0
        if held.lacking_modes:
            for motion in held.motions:
                self.live.records.resize(motion, mode_room=held.lacking_modes)
        if held.note_count == held.note_room:
            self.live.records.resize(held, note_room=2 * held.note_room)

    def _provide_slopes(self, held: ConstrainedMotions, relation: int, order: int) -> None:
        make = self.live.model.slopes
        made = None if make is None else make((relation,), order)
        place = held.slopes[relation]
        name = "first" if order == 1 else "second"
        if made is not None:
            size, count = len(self.live.memory), 2 + held.states + 2 * held.inputs
            address = made.address or self.callbacks.made_of_two(made, size, count)
            setattr(place, name, address)
        setattr(place, f"{name}_known", NONE if made is None else KNOWN)

    def provide_again(self) -> None:
        """The derivatives of residuals of a run that was saved."""
        assert self.constrained is not None
        for relation, place in enumerate(self.constrained.slopes):
            for order, known in ((1, place.first_known), (2, place.second_known)):
                if known == KNOWN:
                    self._provide_slopes(self.constrained, relation, order)

    def follow_inputs(self) -> None:
        """The slopes of the inputs have changed."""
        if self.live.is_constrained:
            self.engine.follow_inputs()
            transitions.callable("follow_inputs")(self.space.address)

    # ------------------------------------------------------------ words

    @property
    def notes(self) -> list[Diagnostic]:
        """Once for each kind of motion."""
        held, found = self.constrained, []
        relations = self.live.model.relations
        texts: list[str] = []
        for k in range(0 if held is None else held.note_count):
            assert held is not None
            entry = np.asarray(held.note_relations)[LIST * k : LIST * (k + 1)]
            surfaces, contacts, *listed = entry.tolist()
            names = [relation.text for relation in relations]
            text = hold_text(names, listed[:surfaces], listed[surfaces : surfaces + contacts])
            if any(other.startswith(text) for other in texts):
                continue
            texts.append(text)
            span = relations[listed[0]].span
            labels = () if span is NOWHERE else (Label(span, "this relation is held at zero"),)
            text = f"{text} from time {held.note_times[k]:.9g}"
            found.append(Diagnostic("R104", text, labels, severity=Severity.NOTE))
        return found


# ---------------------------------------------------------------- allocation


def held_motions(live: LiveModel, corners: Mask, callbacks: Callbacks) -> ConstrainedMotions:
    model, core, memory = live.model, live.model.core, live.records
    combined, carried = _mixed(live), carried_slots(model)
    # States whose derivatives occur in the model; without a core all of them
    stored = core.is_differential if core.is_there else np.ones(len(model.states))
    given = model.states.start + np.flatnonzero(stored)
    positions = [core.bits + element.bit for element in core.elements]
    held = memory.new(
        ConstrainedMotions,
        relation_count=len(model.relations),
        states=len(model.states),
        derivatives_slot=model.derivatives.start,
        time_slot=model.time,
        flag_slot=model.message_flag,
        inputs=len(model.inputs),
        combined=len(combined),
        carried=len(carried),
        given=len(given),
        positions=len(positions),
        memory_size=len(live.memory),
        input_slots=[info.slot for info in model.inputs],
        combined_slots=combined,
        carried_slots=carried,
        given_slots=given,
        position_slots=positions,
        residual_slots=live.residual_slots,
        is_corner=corners,
        present=-1,
        last=-1,
        rests_at=inf,
        motion_count=MOTIONS,
        left_room=ZENO.most_left_out,
        note_room=FIRST_NOTES,
        row_room=SLIDING.most_surfaces + 2 * SLIDING.most_contacts,
    )
    for motion in held.motions:
        memory.lay_out(
            motion,
            states=len(model.states),
            image_size=len(live.memory),
            surface_room=SLIDING.most_surfaces,
            contact_room=SLIDING.most_contacts,
            member_room=len(model.relations) + SLIDING.most_contacts,
            mode_room=FIRST_MODES,
        )
    _bind(live, held, callbacks)
    return held


def _bind(live: LiveModel, held: ConstrainedMotions, callbacks: Callbacks) -> None:
    """The model's own sections, as machine code or Python; beside a core those that contain it."""
    own = {name: _address(live, name, callbacks) for name in SECTIONS}
    bind(held, **own)
    derivatives, relations = live.core.mode_sections(own["derivatives"], own["relations"])
    bind(held, mode_derivatives=derivatives, mode_relations=relations)

    def follow() -> int:
        held.input_slopes[:] = input_slopes(live)
        return 0

    bind(held, follow_inputs=callbacks.made(follow))


def _address(live: LiveModel, name: str, callbacks: Callbacks) -> int | Closure:
    if name in live.addresses:
        return live.addresses[name]
    if name in live.sections:
        return callbacks.made_of_memory(live.sections[name], len(live.memory))
    return driver.address("nothing")


def use_motions(live: LiveModel, held: ConstrainedMotions) -> None:
    """Sections that ask whether something slides or rests."""
    sections, closures = {}, {}
    for name in SECTIONS:
        kernel = f"{name}_constrained"
        closures[name] = Closure(held, vector_field.address(kernel))
        sections[name] = partial(_at, vector_field.callable(kernel), live.address, address_of(held))
    live.use_motions(held, sections, closures)


def _at(kernel: object, memory_address: int, held: int, memory: Vector) -> int:
    assert callable(kernel)
    return int(kernel(memory_address, held))


def input_slopes(live: LiveModel) -> Vector:
    """Of the inputs, in the model's order, at the present time."""
    found = dict(live.inputs)
    slopes = np.zeros(len(live.model.inputs))
    for number, info in enumerate(live.model.inputs):
        piece = found.get(info.slot)
        if isinstance(piece, Line):
            slopes[number] = piece.slope if live.time < piece.t1 else 0.0
        elif piece is not None:
            step = SLIDING.stride * max(abs(live.time), SLIDING.least_time)
            slopes[number] = (piece(live.time + step) - piece(live.time - step)) / (2.0 * step)
    return slopes


def carried_slots(model: CompiledModel) -> list[int]:
    """What the runtime writes into the memory for delays."""
    slots = [slot for line in model.delays for slot in (line.next_break, line.last_break)]
    slots += [slot for pipe in model.transports for slot in (pipe.next_border, pipe.last_border)]
    return sorted({slot for slot in (*slots, model.history) if slot >= 0})


def _mixed(live: LiveModel) -> list[int]:
    """Slots of Real variables that may differ from mode to mode."""
    model = live.model
    known = {model.time, *(info.slot for info in model.inputs)}
    if not model.core.is_there:
        known |= set(range(model.states.start, model.states.stop))
    slots = {
        info.slot
        for info in model.variables
        if info.kind == "continuous" and info.type == "Real" and info.slot >= 0
    }
    slots |= set(range(model.states.start, model.states.stop))
    slots |= set(range(model.derivatives.start, model.derivatives.stop))
    slots |= {relation.residual for relation in model.relations}
    # Delays have hidden variables.
    slots |= {slot for line in model.delays for slot in (line.signal, line.lag) if slot >= 0}
    slots |= {pipe.forward for pipe in model.transports}
    return sorted(slots - known)
