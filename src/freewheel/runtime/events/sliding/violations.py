"""Violated conditions of a sliding motion: codes for kernels, and their texts."""

from __future__ import annotations

from collections.abc import Mapping

from freewheel.runtime.thresholds import SLIDING

SLIDES = 0
NO_MOTION, STATES_JUMP, NOT_TO_SURFACE, CORE_MODES_DIFFER, MANY_SURFACES = 1, 2, 3, 4, 5
# Found only after the residuals were found to move.
NO_DERIVATIVE, VALUES_JUMP, FOLDS = 6, 7, 8
BESIDE_CORE = 16  # more than these: as far as can be decided beside ideal elements
LACKING = 32  # undecided: derivatives or room are requested

WORDS: Mapping[int, str] = {
    NO_MOTION: "the compared values hardly move",
    STATES_JUMP: "switching makes states jump, or the other side does not exist",
    NOT_TO_SURFACE: "its two sides do not both drive to the surface",
    CORE_MODES_DIFFER: "ideal elements turn with it, each side has other positions",
    MANY_SURFACES: f"more than {SLIDING.most_surfaces} surfaces meet",
    NO_DERIVATIVE: "its residual cannot be differentiated",
    VALUES_JUMP: "switching makes the compared values themselves jump",
    FOLDS: "a curve has a fold there: beyond it neither side has a solution",
}


def violation_text(code: int) -> str:
    if code > BESIDE_CORE:
        return f"{WORDS[code - BESIDE_CORE]}, as far as is known beside ideal elements"
    return WORDS.get(code, "")
