"""Why the time loop came back to Python."""

from __future__ import annotations

REACHED = 1  # the limit
EVENT = 2  # a relation crosses
ROWS_FULL = 3
SIZES_FULL = 4
PAUSED = 5  # the budget of steps is used up, or a pause is requested
SPOKE = 6  # the model may have said something
BECAME_STIFF = 7
STEP_FAILED = 8
SECTION_FAILED = 9
ROW_FAILED = SECTION_FAILED  # one formula, of quantized states
TOO_MANY = 10
NO_SPACE = 11  # for the sparse factors
LOG_FULL = 12
NOT_FINITE = 13  # a state or a derivative after an event
STALLED = 14  # quantized states take steps without progress of time
AMBIGUOUS = 15  # an event that is over could have ended otherwise
IMPACTS_FULL = 16  # the first impact needs room for what is known of impacts
HISTORY_FULL = 30  # segments need room
LAG_WRONG = 31  # a delay time is out of its bounds
STEP_REDO = 32  # inside only: a step looked too far ahead of what is remembered

SECTION_DERIVATIVES, SECTION_OUTPUTS = 1, 2
