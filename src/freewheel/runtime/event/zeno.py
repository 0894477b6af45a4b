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
from math import inf

import numpy as np

from freewheel.machine.kernel_nodes import FloatArray
from freewheel.runtime.event.hold import Contact, Gradients, Hold
from freewheel.runtime.event.located import Crossing
from freewheel.runtime.event.sliding import Situation, holds, rate_by_steps, settled
from freewheel.runtime.event.stored import change_of
from freewheel.runtime.model import Vector
from freewheel.runtime.thresholds import ZENO
from freewheel.runtime.workspace import Workspace

ROUNDING = 2.3e-14  # of the fastest impact, some hundred roundings: a slower one is none
MOST_CONTACTS = 6
MOST_LEFT_OUT = 1000


class ZenoWatch:
    """What is known of impacts lies in the memory of the loop, which goes through most of them by itself
    (`kernels/impact.py`)."""

    def __init__(self, tolerance: float, space: Workspace) -> None:
        self.rise = ZENO.negligible * tolerance
        self.space = space
        self.loop = space.loop
        self.loop.negligible_rise = self.rise
        self.left_out: list[
            tuple[float, int]
        ] = []  # impacts of the last rest: when, on which surface

    @property
    def impacts(self) -> list[int]:
        """Relations on whose surfaces there were some."""
        found: list[int] = np.flatnonzero(np.asarray(self.loop.impact_known)).tolist()
        return found

    def has_jumped(self) -> list[int]:
        """Relations whose crossings made states jump."""
        found: list[int] = np.flatnonzero(np.asarray(self.loop.has_jumped)).tolist()
        return found

    def _before(self, relation: int) -> Vector:
        return _row(self.loop.impact_before, relation, self.loop.n)

    def _direction(self, relation: int) -> Vector:
        return _row(self.loop.impact_directions, relation, self.loop.n)

    def note(self, here: Situation, crossing: Crossing, before: Vector) -> list[int]:
        """Take note of an impact; the relations on whose surfaces something may come to rest."""
        loop, slow = self.loop, []
        if loop.impact_count == 0:
            r = loop.relation_count
            self.space.resize(impact_count=r, impact_states=r * loop.n)
        hit = np.flatnonzero(crossing.which).tolist()
        for relation in hit:
            side = -float(np.sign(crossing.residuals[relation]))  # whence it came
            speeds = [
                side * float(rate_by_steps(here, here.memory, [relation], y)[0])
                for y in (before, here.y)
            ]
            if not all(np.isfinite(speeds)) or speeds[1] <= speeds[0]:
                continue  # what does not drive away from the surface is no impact
            if len(hit) == 1 or loop.impact_known[relation] == 0:
                self._direction(relation)[:] = change_of(here.discrete.live, before, here.y)
            loop.impact_known[relation] = 1
            loop.impact_sides[relation], loop.impact_times[relation] = side, here.t
            self._before(relation)[:] = before
            loop.impact_fastest[relation] = max(loop.impact_fastest[relation], *map(abs, speeds))
            share = abs(speeds[1] / speeds[0]) if speeds[0] != 0.0 else 0.0
            loop.impact_shares[relation] = share
            if self._is_slow(abs(speeds[1]), loop.impact_fastest[relation]):
                slow.append(relation)
        return slow

    def _is_slow(self, speed: float, fastest: float) -> bool:
        """Rises grow with the square of the speed."""
        ratio = speed / fastest if fastest > 0.0 else 0.0
        return ratio * ratio <= ZENO.roughly * self.rise

    def negligible(self, here: Situation, relation: int) -> float:
        return self.rise * here.size(relation)

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
            if not (self.loop.impact_count and self._direction(relation).any()):
                return None
            direction, side = self._direction(relation), float(self.loop.impact_sides[relation])
            effect = side * float(gradients.along(point, 2, direction, 0.0)[place])
            if not 0.0 < effect < inf:
                return None
            found.append(Contact(relation, side, direction / effect))
        return found

    def _limit(self, here: Situation, gradients: Gradients, image: Vector, hold: Hold) -> float:
        """When the last flight ends; infinite where one rises too high to be left out."""
        live = here.discrete.live
        live.memory[:] = image
        distances = np.abs(live.residuals(here.t, here.y)[list(gradients.relations)])
        speeds = np.abs(gradients.motion(live.memory))
        for place, relation in enumerate(gradients.relations):
            if self.loop.impact_times[relation] == here.t:
                live.residuals(here.t, self._before(relation))
                first = abs(float(gradients.motion(live.memory)[place]))
                share = float(speeds[place]) / first if first > 0.0 else 0.0
                self.loop.impact_shares[relation] = share
        live.memory[:] = here.memory
        remaining = 0.0
        self.left_out = []
        for place, relation in enumerate(gradients.relations):
            pull, speed = float(hold.reactions[place]), float(speeds[place])
            rise = max(speed * speed / (2.0 * pull), float(distances[place]))
            if not rise <= self.negligible(here, relation):
                return inf
            share = min(float(self.loop.impact_shares[relation]), 1.0 - 1e-6)
            remaining = max(remaining, 2.0 * speed / (pull * (1.0 - share)))
            if len(gradients.relations) == 1 and self.loop.impact_times[relation] == here.t:
                self._leave_out(here.t, relation, speed, pull, share)
        return here.t + remaining

    def _leave_out(self, t: float, relation: int, speed: float, pull: float, share: float) -> None:
        """Impacts to come, by the series."""
        least = ROUNDING * float(self.loop.impact_fastest[relation])
        while speed > least and len(self.left_out) < MOST_LEFT_OUT:
            t += 2.0 * speed / pull
            self.left_out.append((t, relation))
            speed *= share


def _row(numbers: FloatArray, row: int, width: int) -> Vector:
    found: Vector = np.asarray(numbers)[row * width : (row + 1) * width]
    return found
