"""A model that is held on surfaces: what the kernels of `kernels/hold.py` need, and its sections.

    hold = Hold.of(live, surfaces, contacts, images, stiffness)
    hold.sections["derivatives"](memory)      # shares and reactions found, everything mixed
    hold.addresses["derivatives"]             # the same for the compiled loop
    hold.shares, hold.reactions

Derivatives of residuals come from the model (`CompiledModel.slopes`); where it has none, there is no
hold (`Gradients.of` gives None).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from freewheel.machine.memory import Closure, Memory, address_of, bind
from freewheel.runtime.event.stored import stored_states
from freewheel.runtime.inputs import Line
from freewheel.runtime.kernels import hold as at
from freewheel.runtime.kernels.drive import driver
from freewheel.runtime.live import LiveModel
from freewheel.runtime.model import CompiledModel, Section, Slopes, Vector

SECTIONS = ("derivatives", "relations", "outputs")


@dataclass(frozen=True, slots=True)
class Surface:
    """Zero of a residual, on which a motion slides."""

    relation: int
    partners: tuple[tuple[int, float], ...] = ()  # relations of the same surface, and their signs

    @property
    def members(self) -> tuple[tuple[int, float], ...]:
        return ((self.relation, 1.0), *self.partners)


@dataclass(frozen=True, slots=True)
class Contact:
    """Zero of a residual, on which something rests. The direction in which the reaction changes
    states is scaled so that the reaction is the second derivative of the residual, taken positive
    where it drives away from the surface."""

    relation: int
    side: float  # sign of the residual away from the surface
    direction: Vector


class Gradients:
    """First and second derivatives of the residuals of some relations."""

    def __init__(self, live: LiveModel, relations: tuple[int, ...], first: Slopes, second: Slopes):
        self.live = live
        self.relations = relations
        self.first = first
        self.second = second
        self.count = len(live.model.states)

    @classmethod
    def of(cls, live: LiveModel, relations: tuple[int, ...]) -> Gradients | None:
        make = live.model.slopes
        if make is None:
            return None
        first, second = make(relations, 1), make(relations, 2)
        return None if first is None or second is None else cls(live, relations, first, second)

    def along(self, memory: Vector, order: int, direction: Vector, time: float) -> Vector:
        """In one direction; the memory holds a point that has been evaluated."""
        slopes = input_slopes(self.live) * (time if order == 1 else 1.0)
        moved = np.zeros(len(slopes)) if time == 0.0 else slopes
        values = np.concatenate([[time], direction, moved, slopes, np.zeros(len(self.relations))])
        status = (self.first if order == 1 else self.second)(memory, values)
        if status != 0:
            return np.full(len(self.relations), np.nan)
        return values[: len(self.relations)].copy()

    def motion(self, memory: Vector, order: int = 1) -> Vector:
        """Along the motion: dz/dt, or its derivative."""
        derivatives = memory[self.live.model.derivatives.slice]
        return self.along(memory, order, derivatives, 1.0)

    def matrix(self, memory: Vector, order: int = 1) -> Vector:
        """By states: one row for each relation."""
        matrix, unit = np.zeros((len(self.relations), self.count)), np.zeros(self.count)
        for column in range(self.count):
            unit[column] = 1.0
            matrix[:, column] = self.along(memory, order, unit, 0.0)
            unit[column] = 0.0
        return matrix


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


class Hold:
    def __init__(
        self,
        live: LiveModel,
        surfaces: Sequence[Surface],
        contacts: Sequence[Contact],
        images: Sequence[Vector],
        stiffness: float,
    ) -> None:
        self.live = live
        self.surfaces = tuple(surfaces)
        self.contacts = tuple(contacts)
        self.modes = len(images)
        self.held = _allocated(live, self.surfaces, self.contacts, images)
        self.held.stiffness = stiffness
        self.sections: dict[str, Section] = {}
        self.addresses: dict[str, Closure] = {}
        if "derivatives" in live.model.addresses:
            self._by_machine_code()
        else:
            self._by_cpython()

    def _slopes(self) -> Iterator[tuple[str, Slopes]]:
        make = self.live.model.slopes
        assert make is not None
        sliding = tuple(surface.relation for surface in self.surfaces)
        resting = tuple(contact.relation for contact in self.contacts)
        wanted = (("rates", sliding, 1), ("speeds", resting, 1), ("accelerations", resting, 2))
        for name, relations, order in wanted:
            slopes = make(relations, order) if relations else None
            if slopes is not None:
                yield name, slopes

    def _by_cpython(self) -> None:
        """For models without machine code."""
        sections, size = self.live.model.sections, len(self.live.memory)

        def on_image(function: Callable[..., int]) -> Callable[..., int]:
            return lambda image, *values: function(image[:size], *values)

        for name in SECTIONS:
            bind(self.held, **{name: on_image(sections.get(name, _nothing))})
        for name, slopes in self._slopes():
            bind(self.held, **{name: on_image(slopes)})
        for name in SECTIONS:
            kernel = at.holding.kernels[f"{name}_held"]
            self.sections[name] = partial(_with_context, kernel, self.held)

    def _by_machine_code(self) -> None:
        known, held = self.live.model.addresses, self.held
        nothing = driver.address("nothing")
        bind(held, **{name: known.get(name, nothing) for name in SECTIONS})
        if self.live.core is not None:  # its corners are relations like others, while this lasts
            bind(held, derivatives=self.live.core.section_in_mode)
        bind(held, **{name: slopes.address for name, slopes in self._slopes()})
        for name in SECTIONS:
            kernel = f"{name}_held"
            self.addresses[name] = Closure(held, at.holding.address(kernel))
            function = at.holding.callable(kernel)
            self.sections[name] = partial(_at, function, self.live.address, address_of(held))

    def follow_inputs(self) -> None:
        self.held.input_slopes[:] = input_slopes(self.live)

    def set_stiffness(self, stiffness: float) -> None:
        self.held.stiffness = stiffness

    def image(self, mode: int) -> Vector:
        """The memory as it would be in one of the modes."""
        start = mode * self.held.image_size
        return np.asarray(self.held.images)[start : start + len(self.live.memory)]

    @property
    def shares(self) -> Vector:
        return np.asarray(self.held.unknowns)[: len(self.surfaces)]

    @property
    def reactions(self) -> Vector:
        return np.asarray(self.held.unknowns)[len(self.surfaces) :]

    @property
    def relations(self) -> list[int]:
        """All that are held."""
        sliding = [number for surface in self.surfaces for number, _ in surface.members]
        return sliding + [contact.relation for contact in self.contacts]

    @property
    def nearest(self) -> int:
        """The mode with the largest weight."""
        return sum(1 << i for i, share in enumerate(self.shares) if share > 0.5)


def _nothing(memory: Vector) -> int:
    return 0


def _with_context(kernel: Callable[..., int], held: at.HeldMotion, memory: Vector) -> int:
    return kernel(memory, held)


def _at(kernel: Callable[..., int], memory_address: int, held: int, memory: Vector) -> int:
    return int(kernel(memory_address, held))


def _allocated(
    live: LiveModel,
    surfaces: Sequence[Surface],
    contacts: Sequence[Contact],
    images: Sequence[Vector],
) -> at.HeldMotion:
    model = live.model
    partners = [number for surface in surfaces for number, _ in surface.partners]
    residual = [relation.residual for relation in model.relations]
    given = model.states.start + np.flatnonzero(stored_states(model))
    mixed, carried = _mixed(live), carried_slots(model)
    return Memory().new(
        at.HeldMotion,
        states=len(model.states),
        derivatives_slot=model.derivatives.start,
        time_slot=model.time,
        flag_slot=model.message_flag,
        inputs=len(model.inputs),
        modes=len(images),
        surfaces=len(surfaces),
        contacts=len(contacts),
        mixed=len(mixed),
        quiet=len(partners),
        carried=len(carried),
        given=len(given),
        image_size=len(live.memory),
        input_slots=[info.slot for info in model.inputs],
        mixed_slots=mixed,
        quiet_slots=[residual[number] for number in partners],
        surface_slots=[residual[surface.relation] for surface in surfaces],
        contact_slots=[residual[contact.relation] for contact in contacts],
        carried_slots=carried,
        given_slots=given,
        unknowns=[0.5] * len(surfaces) + [0.0] * len(contacts),
        directions=[number for contact in contacts for number in contact.direction],
        images=np.concatenate(images),
    )


def carried_slots(model: CompiledModel) -> list[int]:
    """What the runtime writes into the memory while it runs: about what delays remember."""
    slots = [slot for line in model.delays for slot in (line.next_break, line.last_break)]
    slots += [slot for pipe in model.transports for slot in (pipe.next_border, pipe.last_border)]
    return sorted({slot for slot in (*slots, model.history) if slot >= 0})


def _mixed(live: LiveModel) -> list[int]:
    """Slots of Real variables that may differ from mode to mode."""
    model = live.model
    known = {model.time, *(info.slot for info in model.inputs)}
    if model.core is None:
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
