"""The event loop's side of sliding and resting: when a hold begins, goes on after an event, and ends.

    crossing, causes = holding.let_go(t, y, crossing)     # an event while something is held
    y = holding.take_up(t, before, y, ...)                # after each event, all settled
    holding.hold                                           # what holds from here on, or None

Between two events a hold is nothing but other sections of the model (see `hold.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf

import numpy as np

from freewheel.base.diagnostics import Diagnostic, Label, Severity
from freewheel.base.source import NOWHERE
from freewheel.runtime.event.agree import Rules
from freewheel.runtime.event.hold import Gradients, Hold, Surface, carried_slots
from freewheel.runtime.event.iterate import Discrete
from freewheel.runtime.event.located import Crossing
from freewheel.runtime.event.placing import move_over, project, relations_of
from freewheel.runtime.event.reasons import REAL_MOTION, STATES_JUMP
from freewheel.runtime.event.sliding import Situation, rate_by_steps, settled, slide
from freewheel.runtime.event.stored import corner_relations, jumped
from freewheel.runtime.event.zeno import ZenoWatch
from freewheel.runtime.model import Vector
from freewheel.runtime.settings import Settings
from freewheel.runtime.workspace import Workspace

LEAVING = 1e-13  # of the size of a residual: a band in which what leaves a surface keeps its side
ON_SURFACE = 1e-3  # of the tolerance and the size of a residual


@dataclass(frozen=True, slots=True)
class _Crossed:
    """What happened at an event."""

    relations: list[int]
    jumps: bool  # of states

    @classmethod
    def of(cls, crossing: Crossing | None, jumps: bool) -> _Crossed:
        return cls([] if crossing is None else np.flatnonzero(crossing.which).tolist(), jumps)


class Holding:
    def __init__(
        self, discrete: Discrete, rules: Rules, settings: Settings, space: Workspace
    ) -> None:
        self.discrete = discrete
        self.live = discrete.live
        self.rules = rules.quiet()
        self.span = settings.span
        self.tolerance = settings.tolerance
        self.hold: Hold | None = None
        self.is_new = False  # it did not just go on after an event of something else
        self._would_rest_at = inf  # before the present event
        self.rests_at = inf  # when the last of ever shorter flights ends
        self.left_out: list[tuple[float, int]] = []  # impacts until then: when, of which relation
        self.notes: list[Diagnostic] = []
        self._why_not: dict[int, str] = {}  # relation -> why there is no sliding along its surface
        self.zeno = ZenoWatch(settings.tolerance, space)
        self.corners = corner_relations(self.live.model)  # which a core turns by itself
        self._last: Hold | None = None  # let go at the present event
        self._ended: list[int] = []

    @property
    def why_not(self) -> dict[int, str]:
        """Relation -> why there is no sliding along its surface."""
        return self._why_not | dict.fromkeys(self.zeno.has_jumped(), STATES_JUMP)

    # ------------------------------------------------------------ an event begins

    def let_go(
        self, t: float, y: Vector, crossing: Crossing | None
    ) -> tuple[Crossing | None, list[str]]:
        """The model's own sections again, in the mode that is nearest. What crossed besides, and
        what there is to tell."""
        hold = self.hold
        if hold is None:
            return crossing, []
        which = np.zeros(len(self.live.statuses), dtype=np.bool_)
        if crossing is not None:
            which |= crossing.which
        held = hold.relations
        self._ended = [number for number in held if which[number]]
        carried = carried_slots(self.live.model)
        kept = self.live.memory[carried]
        self.live.memory[:] = hold.image(hold.nearest)
        self.live.memory[carried] = kept
        self.live.place(t, y)
        self.live.use({}, {})
        self.live.evaluate(t, y)
        self.rules.bands[held] = inf
        self.hold, self._last = None, hold
        self.rests_at, self._would_rest_at = inf, self.rests_at
        told = [f"{self._text(number)} is left" for number in self._ended]
        which[held] = False
        if crossing is None or not which.any():
            return None, told
        return replace(crossing, which=which), told

    # ------------------------------------------------------------ an event ends

    def take_up(
        self,
        t: float,
        before: Vector,
        y: Vector,
        saved: Vector,
        crossing: Crossing | None,
        suspects: Sequence[int] = (),
    ) -> Vector:
        """`before` and `y` are the states before and after the event, `saved` the memory before it.
        Hold again what was held, or what now turns out to slide or rest; the states from which to
        go on."""
        last, ended = self._last, self._ended
        self._last, self._ended = None, []
        if len(y) == 0:  # no state, no motion: discrete values may still bring a relation back
            return y
        suspects = [number for number in suspects if not self.corners[number]]
        if crossing is not None and self.corners.any():
            crossing = replace(crossing, which=crossing.which & ~self.corners)
        has_jumped = jumped(self.live, before, y)
        hits = crossing is not None and bool(crossing.which.any()) and has_jumped
        if last is None and not suspects and not hits:
            return y
        if last is not None:
            self._allow_leaving(last)
        elif crossing is not None and hits:
            self._why_not.update((i, STATES_JUMP) for i in np.flatnonzero(crossing.which).tolist())
            undone = self._undo(t, before, saved, crossing)
            if undone is not None:
                return undone
        memory = self.live.memory.copy()
        here = Situation(self.discrete, self.rules, self.span, t, y, memory)
        resting = self._rest(here, last, ended, before, crossing)
        event = _Crossed.of(crossing, jumps=has_jumped)
        found = self._slide(here, last, ended, suspects, resting, event) or resting
        self.live.memory[:] = here.memory
        self.live.place(t, y)
        if found is not None:
            return self._begin(here, found, last)
        if last is not None:
            self._choose_sides(here, last, ended)
            here = replace(here, memory=self.live.memory.copy())
            here = self._depart(here, last, ended)
            y = here.y
        if crossing is not None and jumped(self.live, before, y):
            return self._turn_back(here, np.flatnonzero(crossing.which).tolist())
        return y

    def _allow_leaving(self, last: Hold) -> None:
        """What leaves a surface has a residual of zero, give or take rounding, for a while."""
        for number in last.relations:
            self.rules.bands[number] = LEAVING * max(float(self.rules.sizes[number]), 1e-6)

    def _slide(
        self,
        here: Situation,
        last: Hold | None,
        ended: Sequence[int],
        suspects: Sequence[int],
        resting: Hold | None,
        event: _Crossed,
    ) -> Hold | None:
        """Surfaces that go on together with new ones; if that fails, fewer of them."""
        kept: list[int] = []
        contacts = () if resting is None else resting.contacts
        if last is not None:
            kept = [
                number
                for surface in last.surfaces
                if surface.relation not in ended and (not event.jumps or self._is_on(here, surface))
                for number, _ in surface.members
            ]
        # Where states jump there is no sliding, whatever switched.
        fresh = [] if event.jumps else [number for number in suspects if number not in kept]
        now = [number for number in fresh if number in event.relations]
        tried: list[list[int]] = [[]]
        for numbers in ([*kept, *fresh], [*kept, *now], fresh, now, kept):
            if numbers in tried:
                continue
            tried.append(numbers)
            found = slide(here, numbers, contacts)
            if isinstance(found, Hold):
                return found
            if self.live.core is not None and found in REAL_MOTION:
                # It may be noise all the same.
                found += ", as far as is known beside ideal elements"
            self._why_not.update((number, found) for number in numbers)
        return None

    def _is_on(self, here: Situation, surface: Surface) -> bool:
        residual = self.live.residuals(here.t, here.y)[surface.relation]
        self.live.memory[:] = here.memory
        return bool(abs(residual) <= ON_SURFACE * self.tolerance * here.size(surface.relation))

    def _rest(
        self,
        here: Situation,
        last: Hold | None,
        ended: Sequence[int],
        before: Vector,
        crossing: Crossing | None,
    ) -> Hold | None:
        """At rest on what was hit, together with what rested already."""
        kept = [] if last is None else [contact.relation for contact in last.contacts]
        kept = [number for number in kept if number not in ended]
        hit: list[int] = []
        if crossing is not None and jumped(self.live, before, here.y):
            hit = self.zeno.note(here, crossing, before)
        near = [number for number in self.zeno.impacts if self._is_near(here, number)]
        for numbers in ([*kept, *hit, *near] if hit or kept else [], [*kept, *hit], hit, kept):
            found = self.zeno.rest(here, numbers) if numbers else None
            if found is not None:
                hold, limit = found
                still = self._would_rest_at if self._would_rest_at > here.t else inf
                self.rests_at = limit if hit else still
                if hit or self.rests_at == inf:
                    self.left_out = self.zeno.left_out if limit > here.t else []
                return hold
        return None

    def _is_near(self, here: Situation, number: int) -> bool:
        residual = self.live.residuals(here.t, here.y)[number]
        self.live.memory[:] = here.memory
        return bool(abs(residual) <= self.zeno.negligible(here, number))

    def _begin(self, here: Situation, hold: Hold, last: Hold | None) -> Vector:
        held = hold.relations
        y = project(here, hold.image(0).copy(), hold.surfaces, hold.contacts)
        self.live.memory[:] = hold.image(hold.nearest)
        self.live.place(here.t, y)
        self.live.memory[self.live.statuses[held]] = 1.0  # see `kernels/hold.py` on their residuals
        self.rules.bands[held] = 0.0
        if self.live.core is not None:
            self.live.core.flush()  # an impulse of this event: no step of the core follows for a while
        self.live.use(hold.sections, hold.addresses)
        self.hold = hold
        self.is_new = last is None or last.relations != held
        self._tell(here.t, hold)
        return y

    def _choose_sides(self, here: Situation, last: Hold, ended: Sequence[int]) -> None:
        """After an event that ended a sliding motion otherwise than by leaving: to the side to which
        both modes drive."""
        for surface in last.surfaces:
            if surface.relation in ended or not self._is_on(here, surface):
                continue
            rates = []
            for side in (-1.0, 1.0):
                image = settled(here, {number: side * sign for number, sign in surface.members})
                gradients = Gradients.of(self.live, (surface.relation,))
                if image is None or gradients is None:
                    break
                self.live.memory[:] = image
                self.live.residuals(here.t, here.y)
                rates.append((float(gradients.motion(self.live.memory)[0]), image))
            self.live.memory[:] = here.memory
            self.live.place(here.t, here.y)
            if len(rates) == 2 and rates[0][0] * rates[1][0] > 0.0:
                self.live.memory[:] = rates[1 if rates[1][0] > 0.0 else 0][1]

    def _undo(self, t: float, before: Vector, saved: Vector, crossing: Crossing) -> Vector | None:
        """A crossing against the motion is noise of the step just after another one; an impact must
        not follow from it. The states as they were, a little further on the way they go."""
        hit = np.flatnonzero(crossing.which).tolist()
        if len(hit) != 1 or hit[0] not in self.zeno.impacts:
            return None
        number, now = hit[0], self.live.memory.copy()
        here = Situation(self.discrete, self.rules, self.span, t, before, saved)
        residual = float(crossing.residuals[number])
        rate = float(rate_by_steps(here, saved, [number], before)[0])
        side = -float(np.sign(residual))
        if not (side * rate > 0.0 and abs(residual) <= self.zeno.negligible(here, number)):
            self.live.memory[:] = now
            return None
        y, noise = move_over(here, saved, number, side)
        self.rules.bands[number] = max(4.0 * noise, 4.0 * abs(residual))
        self.live.memory[:] = saved
        self.live.memory[self.live.statuses[number]] = side
        self.live.place(t, y)
        return y

    def _depart(self, here: Situation, last: Hold, ended: Sequence[int]) -> Situation:
        """Errors of steps have moved the states off a surface that is now left: back to it, and to
        the side on which the motion goes on."""
        surfaces = [s for s in last.surfaces if s.relation in ended]
        contacts = [c for c in last.contacts if c.relation in ended]
        if not surfaces and not contacts:
            return here
        y = project(here, here.memory, surfaces, contacts)
        for relation in relations_of(surfaces, contacts):
            side = float(here.memory[self.live.statuses[relation]])
            here = replace(here, y=y)
            y, _ = move_over(here, here.memory, relation, side)
        self.live.memory[:] = here.memory
        self.live.place(here.t, y)
        return replace(here, y=y)

    def _turn_back(self, here: Situation, hit: Sequence[int]) -> Vector:
        """After an impact the residual is beyond zero by rounding, and on its way back: its status is
        that of the flight which begins, else the end of the flight would be no event. The states move
        by as little as brings the residual to that side."""
        for number in hit:
            residual = float(self.live.residuals(here.t, here.y)[number])
            self.live.memory[:] = here.memory
            rate = float(rate_by_steps(here, here.memory, [number], here.y)[0])
            side, limit = float(np.sign(rate)), self.zeno.negligible(here, number)
            if side == 0.0 or residual * side > 0.0 or not abs(residual) <= limit:
                continue
            image = settled(here, {number: side})
            if image is not None:
                y, noise = move_over(here, image, number, side)
                here = replace(here, memory=image, y=y)
                self.rules.bands[number] = 4.0 * noise
        self.live.memory[:] = here.memory
        self.live.place(here.t, here.y)
        return here.y

    # ------------------------------------------------------------ words

    def _text(self, number: int) -> str:
        return f"the surface of `{self.live.model.relations[number].text}`"

    def describe(self) -> str:
        """What the present hold does."""
        assert self.hold is not None
        sliding = [self._text(surface.relation) for surface in self.hold.surfaces]
        resting = [self._text(contact.relation) for contact in self.hold.contacts]
        words = [f"sliding along {' and '.join(sliding)}"] if sliding else []
        words += [f"resting on {' and '.join(resting)}"] if resting else []
        return ", ".join(words)

    def _tell(self, t: float, hold: Hold) -> None:
        """Once for each kind of hold."""
        said = self.describe()
        first = hold.relations[0]
        span = self.live.model.relations[first].span
        labels = () if span is NOWHERE else (Label(span, "this relation is held at zero"),)
        if not any(note.message.startswith(said) for note in self.notes):
            self.notes.append(
                Diagnostic("R104", f"{said} from time {t:.9g}", labels, severity=Severity.NOTE)
            )
