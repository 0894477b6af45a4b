"""Why relations that switch back and forth are no sliding motion; `event/reasons.py` has the words."""

from __future__ import annotations

SLIDES = 0
NO_MOTION = 1  # the compared values hardly move
NO_DERIVATIVE = 2  # its residual cannot be differentiated
STATES_JUMP = 3  # switching makes states jump, or the other side does not exist
VALUES_JUMP = 4  # switching makes the compared values themselves jump
FOLDS = 5  # a curve has a fold there: beyond it neither side has a solution
NOT_TO_SURFACE = 6  # its two sides do not both drive to the surface
CORE_MODES_DIFFER = 7  # ideal elements turn with it, each side has other positions
MANY_SURFACES = 8  # more than HOLD.most_surfaces meet
BESIDE_CORE = 16  # more than these: as far as is known beside ideal elements
LACKING = 32  # not yet known: derivatives or room are asked for
