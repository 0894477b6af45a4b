"""Events that come ever faster (Zeno): a ball that bounces lower each time comes to rest.

    watch.note(here, crossing, before)             # an impact: a crossing that makes states jump
    watch.rest(here, candidates)                   # a hold that keeps things at rest, or None

Let z be the residual of the relation, s its slope after an impact and a the acceleration that drives
back to the surface. The next flight rises by s**2 / 2a and takes 2s / a; if each impact leaves the
share e of the slope, all flights to come take 2s / (a (1 - e)) together. Once the rise is negligible
beside the tolerance, the flights are left out: z = 0 and z' = 0 are kept by a reaction, which acts
along the direction in which impacts change the states, until it would have to pull. The limit of the
series is the time at which things are said to rest; the impacts until then are told all the same, as long as
their speeds are more than rounding. What loses all its speed at once (e = 0) rests at
once; nothing ever falls through a floor.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf

import numpy as np

from freewheel.runtime.event.hold import Contact, Gradients, Hold
from freewheel.runtime.event.located import Crossing
from freewheel.runtime.event.sliding import Situation, holds, rate_by_steps, settled
from freewheel.runtime.event.stored import change_of
from freewheel.runtime.model import Vector

NEGLIGIBLE = 0.3  # of the tolerance and of the size of a residual: a rise to be left out
ROUNDING = 2.3e-14  # of the fastest impact, some hundred roundings: a slower one is none
ROUGHLY = 4.0  # a first look by differences may be wrong by so much
MOST_CONTACTS = 6
MOST_LEFT_OUT = 1000


@dataclass(slots=True)
class Impact:
    """What is known of the impacts on one surface."""

    side: float  # sign of the residual in flight
    t: float = 0.0  # of the last one
    before: Vector = field(default_factory=lambda: np.zeros(0))  # the states
    fastest: float = 0.0  # largest slope of the residual before or after an impact
    share: float = 0.0  # of the slope that the last impact left
    direction: Vector = field(default_factory=lambda: np.zeros(0))  # of the last change of states


class ZenoWatch:
    def __init__(self, tolerance: float) -> None:
        self.tolerance = tolerance
        self.impacts: dict[int, Impact] = {}
        self.left_out: list[
            tuple[float, int]
        ] = []  # impacts of the last rest: when, on which surface

    def note(self, here: Situation, crossing: Crossing, before: Vector) -> list[int]:
        """Take note of an impact; the relations on whose surfaces something may come to rest."""
        slow = []
        hit = np.flatnonzero(crossing.which).tolist()
        for relation in hit:
            side = -float(np.sign(crossing.residuals[relation]))  # whence it came
            speeds = [
                side * float(rate_by_steps(here, here.memory, [relation], y)[0])
                for y in (before, here.y)
            ]
            if not all(np.isfinite(speeds)) or speeds[1] <= speeds[0]:
                continue  # what does not drive away from the surface is no impact
            known = self.impacts.setdefault(relation, Impact(side))
            known.side, known.t, known.before = side, here.t, before
            known.fastest = max(known.fastest, *map(abs, speeds))
            known.share = abs(speeds[1] / speeds[0]) if speeds[0] != 0.0 else 0.0
            if len(hit) == 1 or not len(known.direction):
                known.direction = change_of(here.discrete.live, before, here.y)
            if self._is_slow(abs(speeds[1]), known):
                slow.append(relation)
        return slow

    def _is_slow(self, speed: float, known: Impact) -> bool:
        """Rises grow with the square of the speed."""
        ratio = speed / known.fastest if known.fastest > 0.0 else 0.0
        return ratio * ratio <= ROUGHLY * NEGLIGIBLE * self.tolerance

    def negligible(self, here: Situation, relation: int) -> float:
        return NEGLIGIBLE * self.tolerance * here.size(relation)

    def rest(self, here: Situation, candidates: Sequence[int]) -> tuple[Hold, float] | None:
        """Things at rest on these surfaces, and when they came to rest. The states of `here` need
        not be on the surfaces exactly."""
        relations = tuple(sorted(set(candidates)))[:MOST_CONTACTS]
        gradients = Gradients.of(here.discrete.live, relations) if relations else None
        if gradients is None:
            return None
        contacts = self._contacts(here, gradients)
        if contacts is None:
            return None
        image = settled(here, {contact.relation: contact.side for contact in contacts})
        if image is None:
            return None
        hold = Hold(here.discrete.live, (), contacts, [image], here.stiffness)
        if not holds(here, hold):
            return None
        limit = self._limit(here, gradients, image, hold)
        return None if limit == inf else (hold, limit)

    def _contacts(self, here: Situation, gradients: Gradients) -> list[Contact] | None:
        """Sides and directions; None where a reaction would have no effect."""
        live = here.discrete.live
        live.memory[:] = here.memory
        live.residuals(here.t, here.y)
        point = live.memory.copy()
        live.memory[:] = here.memory
        found = []
        for place, relation in enumerate(gradients.relations):
            known = self.impacts.get(relation)
            if known is None or not known.direction.any():
                return None
            effect = known.side * float(gradients.along(point, 2, known.direction, 0.0)[place])
            if not 0.0 < effect < inf:
                return None
            found.append(Contact(relation, known.side, known.direction / effect))
        return found

    def _limit(self, here: Situation, gradients: Gradients, image: Vector, hold: Hold) -> float:
        """When the last flight ends; infinite where one rises too high to be left out."""
        live = here.discrete.live
        live.memory[:] = image
        distances = np.abs(live.residuals(here.t, here.y)[list(gradients.relations)])
        speeds = np.abs(gradients.motion(live.memory))
        for place, relation in enumerate(gradients.relations):
            known = self.impacts[relation]
            if known.t == here.t:
                live.residuals(here.t, known.before)
                first = abs(float(gradients.motion(live.memory)[place]))
                known.share = float(speeds[place]) / first if first > 0.0 else 0.0
        live.memory[:] = here.memory
        remaining = 0.0
        self.left_out = []
        for place, relation in enumerate(gradients.relations):
            pull, speed = float(hold.reactions[place]), float(speeds[place])
            rise = max(speed * speed / (2.0 * pull), float(distances[place]))
            if not rise <= self.negligible(here, relation):
                return inf
            share = min(self.impacts[relation].share, 1.0 - 1e-6)
            remaining = max(remaining, 2.0 * speed / (pull * (1.0 - share)))
            if len(gradients.relations) == 1 and self.impacts[relation].t == here.t:
                self._leave_out(here.t, relation, speed, pull, share)
        return here.t + remaining

    def _leave_out(self, t: float, relation: int, speed: float, pull: float, share: float) -> None:
        """Impacts to come, by the series."""
        least = ROUNDING * self.impacts[relation].fastest
        while speed > least and len(self.left_out) < MOST_LEFT_OUT:
            t += 2.0 * speed / pull
            self.left_out.append((t, relation))
            speed *= share
