"""Why a relation that switches back and forth is no sliding motion, in words."""

from __future__ import annotations

NO_MOTION = "the compared values hardly move"
NO_DERIVATIVE = "its residual cannot be differentiated"
STATES_JUMP = "switching makes states jump, or the other side does not exist"
VALUES_JUMP = "switching makes the compared values themselves jump"
FOLDS = "a curve has a fold there: beyond it neither side has a solution"
NOT_TO_SURFACE = "its two sides do not both drive to the surface"
CORE_MODES_DIFFER = "ideal elements turn with it, each side has other positions"

# Found only after the compared values were seen to move: no noise, which a band could cure.
REAL_MOTION = (NO_DERIVATIVE, VALUES_JUMP, FOLDS)
