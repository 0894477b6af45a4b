"""Why relations that switch back and forth are no sliding motion; `events/sliding/reasons.py` has the
words."""

from __future__ import annotations

SLIDES = 0
NO_MOTION = 1  # the compared values hardly move
STATES_JUMP = 2  # switching makes states jump, or the other side does not exist
NOT_TO_SURFACE = 3  # its two sides do not both drive to the surface
CORE_MODES_DIFFER = 4  # ideal elements turn with it, each side has other positions
MANY_SURFACES = 5  # more than HOLD.most_surfaces meet
# The following are found only after the compared values were seen to move.
NO_DERIVATIVE = 6  # its residual cannot be differentiated
VALUES_JUMP = 7  # switching makes the compared values themselves jump
FOLDS = 8  # a curve has a fold there: beyond it neither side has a solution
BESIDE_CORE = 16  # more than these: as far as is known beside ideal elements
LACKING = 32  # not yet known: derivatives or room are asked for
