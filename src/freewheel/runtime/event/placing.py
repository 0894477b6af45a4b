"""States moved by as little as brings them onto surfaces, or to one side of one.

    y = project(here, image, surfaces, contacts)
    y, noise = move_over(here, image, relation, side)

Distances between states are measured relative to their sizes. The live memory is left as it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

import numpy as np

from freewheel.runtime.event.hold import Contact, Gradients, Surface
from freewheel.runtime.event.sliding import Situation
from freewheel.runtime.event.stored import stored_states
from freewheel.runtime.model import Vector
from freewheel.runtime.thresholds import ZENO

CORRECTIONS = 4
FEW_STATES = 50  # up to so many, differences cost less than making derivatives of formulas


def relations_of(surfaces: Sequence[Surface], contacts: Sequence[Contact]) -> tuple[int, ...]:
    sliding = tuple(surface.relation for surface in surfaces)
    return sliding + tuple(contact.relation for contact in contacts)


def project(
    here: Situation, image: Vector, surfaces: Sequence[Surface], contacts: Sequence[Contact]
) -> Vector:
    """The nearest states on the surfaces; where something rests, also without speed. Gauss and
    Newton, with the least change in each round."""
    live, relations = here.discrete.live, relations_of(surfaces, contacts)
    gradients = Gradients.of(live, relations)
    assert gradients is not None
    resting = np.arange(len(surfaces), len(relations))
    scale = np.where(stored_states(live.model), np.maximum(np.abs(here.y), ZENO.least_state), 0.0)
    y = here.y.copy()
    for _ in range(CORRECTIONS):
        live.memory[:] = image
        wrong = live.residuals(here.t, y)[list(relations)]
        rows = gradients.matrix(live.memory)
        if len(resting):
            rows = np.vstack([rows, gradients.matrix(live.memory, 2)[resting]])
            wrong = np.concatenate([wrong, gradients.motion(live.memory)[resting]])
        if not (np.all(np.isfinite(rows)) and np.any(wrong)):
            break
        y = y - scale * np.linalg.lstsq(rows * scale, wrong, rcond=None)[0]
    live.memory[:] = here.memory
    return y


def move_over(here: Situation, image: Vector, number: int, side: float) -> tuple[Vector, float]:
    """States as near as possible whose residual is on the given side; and what rounding of states
    may do to the residual."""
    live = here.discrete.live
    scale = np.where(stored_states(live.model), np.maximum(np.abs(here.y), ZENO.least_state), 0.0)
    live.memory[:] = image
    residual = float(live.residuals(here.t, here.y)[number])
    gradient = _gradient(here, number, residual, scale)
    length, noise = float(gradient @ gradient), ZENO.round_off * float(np.abs(gradient).sum())
    y = here.y
    if 0.0 < length < inf:
        share = 2.0 * max(abs(residual), ZENO.smallest * here.size(number)) / length
        for _ in range(ZENO.doublings):
            y = here.y + side * share * scale * gradient
            if live.residuals(here.t, y)[number] * side > 0.0:
                break
            share *= 2.0
        else:
            y = here.y
    live.memory[:] = here.memory
    return y, noise if noise < inf else 0.0


def _gradient(here: Situation, number: int, residual: float, scale: Vector) -> Vector:
    """Of a residual, by states relative to their sizes, in the mode of the live memory."""
    live = here.discrete.live
    if len(scale) > FEW_STATES:
        exact = Gradients.of(live, (number,))
        if exact is not None:
            found: Vector = scale * exact.matrix(live.memory)[0]
            return found
    gradient = np.zeros(len(scale))
    moved = here.y.copy()
    for place, size in enumerate(scale):
        if size == 0.0:
            continue
        moved[place] += ZENO.difference * size
        gradient[place] = (
            float(live.residuals(here.t, moved)[number]) - residual
        ) / ZENO.difference
        moved[place] = here.y[place]
    return gradient
