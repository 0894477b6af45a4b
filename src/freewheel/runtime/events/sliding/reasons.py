"""Why a relation that switches back and forth is no sliding motion, in words."""

from __future__ import annotations

from collections.abc import Mapping

from freewheel.runtime.events.sliding import reason_codes as reasons
from freewheel.runtime.thresholds import HOLD

WORDS: Mapping[int, str] = {
    reasons.NO_MOTION: "the compared values hardly move",
    reasons.NO_DERIVATIVE: "its residual cannot be differentiated",
    reasons.STATES_JUMP: "switching makes states jump, or the other side does not exist",
    reasons.VALUES_JUMP: "switching makes the compared values themselves jump",
    reasons.FOLDS: "a curve has a fold there: beyond it neither side has a solution",
    reasons.NOT_TO_SURFACE: "its two sides do not both drive to the surface",
    reasons.CORE_MODES_DIFFER: "ideal elements turn with it, each side has other positions",
    reasons.MANY_SURFACES: f"more than {HOLD.most_surfaces} surfaces meet",
}


def reason_text(code: int) -> str:
    if code > reasons.BESIDE_CORE:
        return f"{WORDS[code - reasons.BESIDE_CORE]}, as far as is known beside ideal elements"
    return WORDS.get(code, "")
