"""Why the time loop came back to Python."""

from __future__ import annotations

REACHED = 1  # the limit
EVENT = 2  # a relation crosses
PAUSED = 5  # the budget of steps is used up, or a pause is requested
SPOKE = 6  # the model may have said something
BECAME_STIFF = 7
STEP_FAILED = 8
SECTION_FAILED = 9
ROW_FAILED = SECTION_FAILED  # one formula, of quantized states
TOO_MANY = 10
NOT_FINITE = 13  # a state or a derivative after an event
STALLED = 14  # quantized states take steps without progress of time
AMBIGUOUS = 15  # an event that is over could have ended otherwise
MOTION_CHANGED = 18  # sliding or rest begins or ends: steps go on with another method or Jacobian
SPOKE_AT_EVENT = 19  # the event is over, and its messages are kept
EVENT_FAILED = 20  # the event has no end: `Loop.event_stage` says which part of it
LAG_WRONG = 31  # a delay time is out of its bounds
STEP_REDO = 32  # inside only: a step looked too far ahead of what is remembered

# Something lacks room. What has begun begins again once Python has made it.
NEEDS_ROOM = 40
ROWS_FULL = 40
SIZES_FULL = 41
LOG_FULL = 42
NO_SPACE = 43  # for the sparse factors
IMPACTS_FULL = 44  # for what is known of impacts, at the first one
HISTORY_FULL = 45  # for segments of delayed signals
MOTION_LACKS = 46  # derivatives or room that sliding or rest needs

SECTION_DERIVATIVES, SECTION_OUTPUTS = 1, 2
# Stages of an event: a point of which all is evaluated, the choice of states, the iteration, its messages
EVALUATING, CHOOSING, SETTLING, JUDGING = 1, 2, 3, 4
