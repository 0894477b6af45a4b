"""A model that is held on surfaces: what the kernels of `kernels/hold.py` need, and its sections.

    hold = Hold.of(live, surfaces, contacts, images, stiffness)
    hold.sections["derivatives"](memory)      # shares and reactions found, everything mixed
    hold.addresses["derivatives"]             # the same for the compiled loop
    hold.shares, hold.reactions

Derivatives of residuals come from the model (`CompiledModel.slopes`); where it has none, there is no
hold (`Gradients.of` gives None).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from freewheel.runtime.event.stored import stored_states
from freewheel.runtime.inputs import Line
from freewheel.runtime.kernels import hold as at
from freewheel.runtime.kernels.drive import driver
from freewheel.runtime.live import CONTEXT, LiveModel
from freewheel.runtime.model import CompiledModel, Section, Slopes, Vector
from freewheel.runtime.workspace import Integers


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
        self.w, self.c = _lay_out(live, self.surfaces, self.contacts, images, stiffness)
        self.sections = self._sections()
        self.addresses: Mapping[str, int] = {}
        if "derivatives" in live.model.addresses:
            self._compile()

    def _slopes(self) -> tuple[Slopes | None, Slopes | None, Slopes | None]:
        make = self.live.model.slopes
        assert make is not None
        sliding = tuple(surface.relation for surface in self.surfaces)
        resting = tuple(contact.relation for contact in self.contacts)
        return (
            make(sliding, 1) if sliding else None,
            make(resting, 1) if resting else None,
            make(resting, 2) if resting else None,
        )

    def _sections(self) -> dict[str, Section]:
        """The kernels run by CPython; the reference."""
        model, size = self.live.model, len(self.live.memory)
        w, c = self.w, self.c

        def on_image(section: Section) -> Section:
            return lambda image: section(image[:size])

        def slopes_of(slopes: Slopes | None) -> Callable[[Vector, Vector], int]:
            def called(image: Vector, values: Vector) -> int:
                assert slopes is not None
                return slopes(image[:size], values)

            return called

        derivatives, relations, outputs = (
            on_image(model.sections.get(name, _nothing))
            for name in ("derivatives", "relations", "outputs")
        )
        rates, speeds, accelerations = (slopes_of(slopes) for slopes in self._slopes())
        given = (derivatives, relations, rates, speeds, accelerations)
        return {
            "derivatives": lambda m: at.held_derivatives(*given, m, w, c),
            "relations": _nothing,
            "outputs": lambda m: at.held_outputs(outputs, m, w, c),
        }

    def _compile(self) -> None:
        known = self.live.model.addresses
        nothing = driver.address("nothing")
        codes = [known.get(name, nothing) for name in ("derivatives", "relations", "outputs")]
        if self.live.core is not None:  # its corners are relations like others, while this lasts
            codes[0] = self.live.core.address_in_mode
        codes += [0 if slopes is None else slopes.address for slopes in self._slopes()]
        self.c[at.DERIVATIVES_CODE : at.ACCELERATIONS_CODE + 1] = codes
        self.w[at.ADDRESS] = float(self.c.ctypes.data)
        names = ("derivatives", "relations", "outputs")
        self.addresses = {name: at.holding.address(f"{name}_held") for name in names}
        self.live.set_context(self.w.ctypes.data)
        self.sections = {name: _calling(f"{name}_held", self.live.address) for name in names}

    def follow_inputs(self) -> None:
        slopes = input_slopes(self.live)
        start = int(self.w[at.O_INPUT_SLOPES])
        self.w[start : start + len(slopes)] = slopes

    def set_stiffness(self, stiffness: float) -> None:
        self.w[at.STIFFNESS] = stiffness

    def image(self, mode: int) -> Vector:
        """The memory as it would be in one of the modes."""
        start = int(self.w[at.O_IMAGES]) + mode * int(self.c[at.SIZE])
        return self.w[start : start + len(self.live.memory)]

    @property
    def shares(self) -> Vector:
        start = int(self.w[at.O_SHARES])
        return self.w[start : start + len(self.surfaces)]

    @property
    def reactions(self) -> Vector:
        start = int(self.w[at.O_SHARES]) + len(self.surfaces)
        return self.w[start : start + len(self.contacts)]

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


def _calling(name: str, address: int) -> Section:
    function = at.holding.callable(name)
    return lambda memory: int(function(address))


def _lay_out(
    live: LiveModel,
    surfaces: Sequence[Surface],
    contacts: Sequence[Contact],
    images: Sequence[Vector],
    stiffness: float,
) -> tuple[Vector, Integers]:
    model = live.model
    n, inputs = len(model.states), len(model.inputs)
    k, p, modes = len(surfaces), len(contacts), len(images)
    mixed = _mixed(live)
    partners = [number for surface in surfaces for number, _ in surface.partners]
    c = np.zeros(at.C_HEAD, dtype=np.int64)
    c[: at.FLAG + 1] = (
        *(CONTEXT + len(live.memory), n, model.derivatives.start, model.time, inputs),
        *(modes, k, p, len(mixed), len(partners), model.message_flag),
    )
    residual = [relation.residual for relation in model.relations]
    lists = (
        (at.AT_INPUTS, [info.slot for info in model.inputs]),
        (at.AT_MIXED, mixed),
        (at.AT_QUIET, [residual[number] for number in partners]),
        (at.AT_SURFACES, [residual[surface.relation] for surface in surfaces]),
        (at.AT_CONTACTS, [residual[contact.relation] for contact in contacts]),
        (at.AT_PIVOTS, [0] * (k + p)),
        (at.AT_CARRIED, carried_slots(model)),
        (at.AT_GIVEN, (model.states.start + np.flatnonzero(stored_states(model))).tolist()),
    )
    c[at.CARRIED], c[at.GIVEN] = len(lists[-2][1]), len(lists[-1][1])
    for place, slots in lists:
        c[place] = len(c)
        c = np.concatenate([c, np.array(slots, dtype=np.int64)])
    directions = [number for contact in contacts for number in contact.direction]
    parts: tuple[tuple[int, Sequence[float] | Vector], ...] = (
        (at.O_SHARES, [0.5] * k + [0.0] * p),
        (at.O_DIRECTIONS, directions),
        (at.O_WEIGHTS, np.zeros(modes)),
        (at.O_RATES, np.zeros(modes * k)),
        (at.O_ACCELERATIONS, np.zeros(modes * p)),
        (at.O_SPEEDS, np.zeros(p)),
        (at.O_REACTIONS, np.zeros(p * (k + p))),
        (at.O_INPUT_SLOPES, np.zeros(inputs)),
        (at.O_MATRIX, np.zeros((k + p) ** 2)),
        (at.O_RIGHT, np.zeros(k + p)),
        (at.O_VALUES, np.zeros(1 + n + 2 * inputs + k + p)),
        (at.O_IMAGES, np.concatenate([part for image in images for part in (live.context, image)])),
    )
    w = np.zeros(at.W_HEAD + sum(len(numbers) for _, numbers in parts))
    w[at.STIFFNESS] = stiffness
    start = at.W_HEAD
    for place, numbers in parts:
        w[place] = start
        w[start : start + len(numbers)] = numbers
        start += len(numbers)
    w[at.O_IMAGES] += CONTEXT
    return w, c


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
