"""The record of the motions of a model that are held, for `events/sliding/hold_kernels.py`, and its sections.

held = held_motions(memory, live, corners, callbacks)
use_motions(live, held)         # sections that ask whether something is held
"""

from __future__ import annotations

from functools import partial
from math import inf

import numpy as np

from freewheel.machine.memory import Closure, Memory, address_of, bind
from freewheel.runtime.callbacks import Callbacks
from freewheel.runtime.events.sliding.hold_kernels import HeldMotions, holds
from freewheel.runtime.events.sliding.holding_kernels import MOTIONS
from freewheel.runtime.inputs import Line
from freewheel.runtime.live import LiveModel
from freewheel.runtime.loop.time_loop import driver
from freewheel.runtime.model import CompiledModel, Mask, Vector
from freewheel.runtime.thresholds import HOLD, ZENO

SECTIONS = ("derivatives", "relations", "outputs")
FIRST_MODES = 2  # one surface
FIRST_NOTES = 8


def held_motions(
    memory: Memory, live: LiveModel, corners: Mask, callbacks: Callbacks
) -> HeldMotions:
    model, core = live.model, live.model.core
    mixed, carried = _mixed(live), carried_slots(model)
    given = model.states.start + np.flatnonzero(_stored_states(model))
    positions = [core.bits + element.bit for element in core.elements]
    held = memory.new(
        HeldMotions,
        relation_count=len(model.relations),
        states=len(model.states),
        derivatives_slot=model.derivatives.start,
        time_slot=model.time,
        flag_slot=model.message_flag,
        inputs=len(model.inputs),
        mixed=len(mixed),
        carried=len(carried),
        given=len(given),
        positions=len(positions),
        memory_size=len(live.memory),
        input_slots=[info.slot for info in model.inputs],
        mixed_slots=mixed,
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
        begun_room=FIRST_NOTES,
        row_room=HOLD.most_surfaces + 2 * HOLD.most_contacts,
    )
    for motion in held.motions:
        memory.lay_out(
            motion,
            states=len(model.states),
            image_size=len(live.memory),
            surface_room=HOLD.most_surfaces,
            contact_room=HOLD.most_contacts,
            member_room=len(model.relations) + HOLD.most_contacts,
            mode_room=FIRST_MODES,
        )
    _bind(live, held, callbacks)
    return held


def _stored_states(model: CompiledModel) -> Mask:
    """Those whose rates occur in the model; without a core all of them."""
    if not model.core.is_there:
        return np.ones(len(model.states), dtype=np.bool_)
    return np.array(model.core.is_differential, dtype=np.bool_)


def _bind(live: LiveModel, held: HeldMotions, callbacks: Callbacks) -> None:
    """The model's own sections, by machine code or by Python; beside a core those that contain it."""
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


def use_motions(live: LiveModel, held: HeldMotions) -> None:
    sections, closures = {}, {}
    for name in SECTIONS:
        kernel = f"{name}_held"
        closures[name] = Closure(held, holds.address(kernel))
        sections[name] = partial(_at, holds.callable(kernel), live.address, address_of(held))
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
            step = 1e-6 * max(abs(live.time), 1e-3)
            slopes[number] = (piece(live.time + step) - piece(live.time - step)) / (2.0 * step)
    return slopes


def carried_slots(model: CompiledModel) -> list[int]:
    """What the runtime writes into the memory while it runs: about what delays remember."""
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
    # What is remembered has hidden variables.
    slots |= {slot for line in model.delays for slot in (line.signal, line.lag) if slot >= 0}
    slots |= {pipe.forward for pipe in model.transports}
    return sorted(slots - known)
