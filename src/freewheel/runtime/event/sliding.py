"""Sliding motion: a switch that is thrown back at once, because both sides drive to the surface.

    hold = slide(situation, [relation numbers])      # a text: why this is no sliding motion

Let z be the residual of the relation. Filippov (1988): if z' < 0 on the side z > 0 and z' > 0 on the
side z < 0, the solution stays on z = 0 and moves with the mixture share * f+ + (1 - share) * f- for
which z' = 0. Each side is a whole mode of the model: statuses, discrete values and all that follows
from them, found by letting the discrete equations settle with the status held. Two or more surfaces
at once (their intersection) are tried where one is not enough; then all sides together give modes.

A motion does not slide where switching makes states jump, or makes z itself jump, or where z turns round
(the fold of a curve).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import inf

import numpy as np

from freewheel.base.diagnostics import SimulationError
from freewheel.runtime.event.agree import Rules
from freewheel.runtime.event.hold import Contact, Gradients, Hold, Surface
from freewheel.runtime.event.iterate import Discrete, settle
from freewheel.runtime.event.reasons import (
    CORE_MODES_DIFFER,
    FOLDS,
    NO_DERIVATIVE,
    NO_MOTION,
    NOT_TO_SURFACE,
    STATES_JUMP,
    VALUES_JUMP,
)
from freewheel.runtime.event.stored import jumped
from freewheel.runtime.model import Vector
from freewheel.runtime.thresholds import ZENO

MOST_SURFACES = 3
SLOW = 1e-9  # of the size of a residual, per whole time: what counts as no motion
JUMP = 1e-9  # of the size of a residual: by how much it may differ between modes
PARALLEL = 1e-9
STIFFNESS = 20.0  # per whole time: how fast errors of steps are taken away, see `kernels/hold.py`


@dataclass(frozen=True, slots=True)
class Situation:
    """Where the model stands: right after an event, all equations settled in `memory`."""

    discrete: Discrete
    rules: Rules
    span: float
    t: float
    y: Vector
    memory: Vector

    @property
    def stiffness(self) -> float:
        return STIFFNESS / self.span

    def size(self, relation: int) -> float:
        return max(float(self.rules.sizes[relation]), ZENO.least_size)

    @contextmanager
    def held(self, relations: Sequence[int]) -> Iterator[None]:
        """Statuses of these do not follow their residuals."""
        numbers = list(relations)
        old = self.rules.bands[numbers].copy()
        self.rules.bands[numbers] = inf
        try:
            yield
        finally:
            self.rules.bands[numbers] = old


def slide(
    here: Situation, relations: Sequence[int], contacts: Sequence[Contact] = ()
) -> Hold | str:
    """The sliding motion on the surfaces of some relations, or why there is none."""
    live = here.discrete.live
    look = _look(here, relations)
    if look:
        return look
    gradients = Gradients.of(live, tuple(relations))
    if gradients is None:
        return NO_DERIVATIVE
    surfaces = _surfaces(here, gradients)
    if not 0 < len(surfaces) <= MOST_SURFACES:
        return f"more than {MOST_SURFACES} surfaces meet"
    images = [_image(here, surfaces, mode) for mode in range(1 << len(surfaces))]
    whole = [image for image in images if image is not None]
    if len(whole) < len(images):
        return STATES_JUMP
    if not _agree_on_positions(here, whole):
        return CORE_MODES_DIFFER
    if not _agree_on_surfaces(here, surfaces, whole):
        return VALUES_JUMP
    if _turns_round(here, [surface.relation for surface in surfaces], whole):
        return FOLDS
    if len(surfaces) == 1 and not _is_attractive(here, surfaces[0], whole):
        return NOT_TO_SURFACE
    hold = Hold(live, surfaces, contacts, whole, here.stiffness)
    return hold if holds(here, hold) else NOT_TO_SURFACE


def holds(here: Situation, hold: Hold) -> bool:
    """Whether all shares lie between zero and one, and all reactions push, at this very point: what
    brings the states onto the surfaces takes no part yet."""
    live = here.discrete.live
    live.memory[:] = here.memory
    hold.follow_inputs()
    live.place(here.t, here.y)
    hold.set_stiffness(0.0)
    status = hold.sections["derivatives"](live.memory)
    hold.set_stiffness(here.stiffness)
    live.memory[:] = here.memory
    fine = bool(np.all((hold.shares > 0.0) & (hold.shares < 1.0)))
    return status == 0 and fine and bool(np.all(hold.reactions > 0.0))


# ---------------------------------------------------------------- modes


def _image(here: Situation, surfaces: Sequence[Surface], mode: int) -> Vector | None:
    """The memory in one of the modes; None where it does not exist."""
    wanted = {
        number: sign if (mode >> place) & 1 else -sign
        for place, surface in enumerate(surfaces)
        for number, sign in surface.members
    }
    return settled(here, wanted)


def settled(here: Situation, wanted: dict[int, float]) -> Vector | None:
    """The memory when some relations are put on a side of theirs and all else follows; None where
    states jump or nothing settles. The live memory is as before."""
    live = here.discrete.live
    live.memory[:] = here.memory
    live.place(here.t, here.y)
    for number, status in wanted.items():
        live.memory[live.statuses[number]] = status
    try:
        with here.held(list(wanted)):
            _, errors = settle(here.discrete, here.rules)
        fine = not errors and not jumped(live, here.y, live.states)
        found = live.memory.copy()
    except SimulationError:
        fine, found = False, here.memory
    live.memory[:] = here.memory
    live.forget_messages()
    return found if fine else None


def rate_by_steps(
    here: Situation, memory: Vector, numbers: list[int], y: Vector, way: Vector | None = None
) -> Vector:
    """A first look, by differences: how fast residuals change in a mode, along its own motion or
    along a `way` of the states."""
    live = here.discrete.live
    live.memory[:] = memory
    step = ZENO.probe * here.span
    live.residuals(here.t, y)
    slope = live.derivatives.copy() if way is None else way
    before = live.residuals(here.t - step, y - step * slope)[numbers]
    after = live.residuals(here.t + step, y + step * slope)[numbers]
    live.memory[:] = here.memory
    live.forget_messages()
    rate: Vector = (after - before) / (2.0 * step)
    return rate


def _look(here: Situation, relations: Sequence[int]) -> str:
    """Why there can be no sliding, by rates of the residuals with all statuses turned up and down.
    Derivatives of formulas cost more, and most of what is suspected is noise: they are asked for only
    where this look finds motion."""
    numbers = list(relations)
    now = here.memory[here.discrete.live.statuses[numbers]]
    up = {number: 1.0 if s == 0.0 else s for number, s in zip(numbers, now.tolist(), strict=True)}
    first = settled(here, up)
    second = settled(here, {number: -status for number, status in up.items()})
    if first is None or second is None:
        return STATES_JUMP
    if settled(replace(here, memory=second), up) is None:
        return STATES_JUMP  # on the way back
    rates = (
        rate_by_steps(here, first, numbers, here.y),
        rate_by_steps(here, second, numbers, here.y),
    )
    slow = np.array([SLOW * here.size(number) for number in numbers]) / here.span
    moving = (np.abs(rates[0]) > slow) & (np.abs(rates[1]) > slow)
    return "" if bool(moving.all()) else NO_MOTION


# ---------------------------------------------------------------- surfaces


def _surfaces(here: Situation, gradients: Gradients) -> list[Surface]:
    """Relations grouped by surface: gradients that are parallel belong to one."""
    live = here.discrete.live
    live.memory[:] = here.memory
    live.residuals(here.t, here.y)
    by_states = gradients.matrix(live.memory)
    by_time = gradients.along(live.memory, 1, np.zeros(gradients.count), 1.0)
    rows = np.column_stack([by_states, by_time])
    live.memory[:] = here.memory
    found: list[tuple[int, Vector, list[tuple[int, float]]]] = []
    for number, row in zip(gradients.relations, rows, strict=True):
        length = float(np.linalg.norm(row))
        if not 0.0 < length < inf:
            return []
        unit = row / length
        for _, known, partners in found:
            if abs(abs(float(unit @ known)) - 1.0) < PARALLEL:
                partners.append((number, float(np.sign(unit @ known))))
                break
        else:
            found.append((number, unit, []))
    return [Surface(number, tuple(partners)) for number, _, partners in found]


def _turns_round(here: Situation, numbers: list[int], images: Sequence[Vector]) -> bool:
    """Where a curve has a fold, its two branches lie on the same side of it: along one and the same way of
    the states the residual rises in one mode and falls in the other. Beyond the fold neither mode has a
    solution, so the motion cannot stay there."""
    rates = [
        [rate_by_steps(here, image, numbers, here.y, way) for image in images]
        for way in (_slope(here, image) for image in images)
    ]
    slow = np.array([SLOW * here.size(number) for number in numbers]) / here.span
    found = np.array(rates)
    rises, falls = (found > slow).any(axis=1), (found < -slow).any(axis=1)
    return bool((rises & falls).any())


def _slope(here: Situation, image: Vector) -> Vector:
    """Derivatives of the states in a mode."""
    live = here.discrete.live
    live.memory[:] = image
    live.residuals(here.t, here.y)
    slope = live.derivatives.copy()
    live.memory[:] = here.memory
    return slope


def _agree_on_surfaces(
    here: Situation, surfaces: Sequence[Surface], images: Sequence[Vector]
) -> bool:
    """The residuals must be the same in all modes: where switching makes them jump, the relation
    decides about itself."""
    live = here.discrete.live
    numbers = [surface.relation for surface in surfaces]
    found = []
    for image in images:
        live.memory[:] = image
        found.append(live.residuals(here.t, here.y)[numbers])
    live.memory[:] = here.memory
    spread = np.ptp(np.array(found), axis=0)
    allowed = np.array([JUMP * here.size(number) for number in numbers])
    return bool(np.all(spread <= allowed))


def _agree_on_positions(here: Situation, images: Sequence[Vector]) -> bool:
    """Ideal elements beside the surfaces must be in the same positions in all modes: where throwing the
    switch throws a diode as well, the motion is a mixture of more than two."""
    core = here.discrete.live.model.core
    if core is None:
        return True
    corners = [core.bits + element.bit for element in core.elements]
    return all(np.array_equal(image[corners], images[0][corners]) for image in images)


def _is_attractive(here: Situation, surface: Surface, images: Sequence[Vector]) -> bool:
    """Filippov's condition: below the surface the residual rises, above it falls."""
    live = here.discrete.live
    gradients = Gradients.of(live, (surface.relation,))
    assert gradients is not None
    rates = []
    for image in images:
        live.memory[:] = image
        live.residuals(here.t, here.y)
        rates.append(float(gradients.motion(live.memory)[0]))
    live.memory[:] = here.memory
    slow = SLOW * here.size(surface.relation) / here.span
    return rates[0] > slow and rates[1] < -slow
