"""Where things are in the arrays of the quantized-state kernels.

`s` holds a record of `RECORD` numbers for each state, then for each input. A record begins with the
quantized polynomial and goes on with the continuous one, both with the time from which they count, so
that a row can be evaluated along either. `z` holds a record of `Z_RECORD` numbers per relation. `k` and
`f` hold integers and floats: single numbers first, then everything else at offsets that `k` tells.

    x = s[RECORD * i + X0] + (t - s[RECORD * i + TX]) * s[RECORD * i + X1]
"""

from __future__ import annotations

RECORD = 16

# ---------------------------------------------------------------- a state
Q0 = 0  # quantized: value, slope, half the second derivative, the time they belong to
Q1 = 1
Q2 = 2
TQ = 3
X0 = 4  # continuous: the same
X1 = 5
X2 = 6
TX = 7
X3 = 8
DQ = 9  # quantum
A = 10  # partial derivative of the rate by the state itself, where negative
U0 = 11  # rate = A*q + U0 + U1*(t - TX) + ...
U1 = 12
U2 = 13
SIDE = 14  # of q beside x (centred method)
LAST = 14  # when the last step was (linearly implicit method of order 2)
REFRESH = (
    15  # time until a row is looked at again; negative: of a curved row, the next thing to happen
)

# ---------------------------------------------------------------- a relation
Z_RECORD = 15
Z_DELTA = 0  # how far beyond zero counts as beyond
Z_SIZE = 1  # how large the residual has been
Z_COARSE = 2  # times the noise: ten times more for each wrong prediction in a row
Z_LAST = 3  # when it crossed last
Z_STATUS = 4  # for which the crossing was predicted
Z_QUICK = 5  # crossings in a row that came at once
Z_GAP = 6  # time between the last two crossings
Z_SHRINKS = 7  # how many times in a row that time has become shorter
Z_IS_FAR = 8  # 1: as long as states stay within their bounds around q it cannot cross
Z_BAND = 9  # around zero: noise within it is no crossing (`event/chatter.py`)
Z_LOOK = 10  # how soon a residual that time or states bend is looked at again
Z_AT = 11  # when it was looked at, and its parabola there
Z_0 = 12
Z_1 = 13
Z_2 = 14

# ---------------------------------------------------------------- integers: the model
N = 0  # states
INPUTS = 1
RELATIONS = 2
METHOD = 3
ORDER = 4
ITEMS = 5  # in the heap
WATCHED = 6  # slots of the memory that rows read and events change
WIDEST = 7  # records of the widest row
BY_Q = 8  # 1: relations, events and algebraic variables see q of states that are stiff, else x
ONLY_STATES = 9  # 1: rows of the result hold nothing else, and nobody listens to the model
# ---------------------------------------------------------------- integers: how things stand
STEPS = 10
EVALUATIONS = 11
LOCAL_EVENTS = 12
BUDGET = 13
MAX_STEPS = 14
WHO = 15  # the item that asked for something
REFRESHES = 16
CROSSINGS = 17  # predictions of crossings
PAIRED = 18  # steps that moved two states together
FAILED_ROW = 19
FLOOD = 20  # steps without progress of time
TOUCHED = 21  # relations noted
PAIR_WITH = 22
LINES = 23  # signals that are remembered
LOOKS = 24  # into the past
PAST_TOUCHED = 25  # signals and looks noted
PAST_ITEM = 26  # of the heap: the first signal; looks come after signals
PAST_FULL = 27  # a signal whose segments need room, and 1
FIRST_LOOKED = 28  # record of the first look
HISTORY = 29  # address of what is remembered (kernels/lookup.py)
# ---------------------------------------------------------------- integers: offsets into k
AT_RATES = 30  # addresses of functions, per row (states, then relations)
AT_OWN = 31
AT_SLOPES = 32
AT_ROWS = 33  # where the table of each row begins; one more at the end
AT_COUNTS = 34  # records of each row
AT_SD = 35  # state or input -> derivatives: starts, then AT_SD_ROWS
AT_SD_ROWS = 36
AT_SZ = 37  # state or input -> relations
AT_SZ_ROWS = 38
AT_HEAP = 39  # items by place
AT_POS = 40  # places by item
AT_FOLLOWS = 41  # per row: FOLLOWS or CURVED
AT_STATUS = 42  # slots of statuses
AT_LOCAL = 43  # per relation: ASKED, ALONE or HANDLED
AT_WATCH = 44  # watched slots
AT_READERS = 45  # watched slot -> rows: starts
AT_READER_ROWS = 46
AT_STATUS_WATCH = 47  # per relation: number of its status among the watched slots, or -1
AT_STAMP = 48  # per row: number of the step that looked at it last
AT_STRAIGHT = 49  # per relation: 1 where it is a straight line of time alone, whose zero is exact
AT_TOUCHED = 50  # scratch: relations to be looked at
AT_STEEPNESS = 51  # addresses of functions, per relation; 0 where it is not linear
AT_COLUMNS = 54  # of states in a stored row, -1 where they are not
AT_VIEW = 55  # offset into f: records as relations see them
AT_SEEN = 52  # offsets into f
AT_ROW_SLOPES = 53
AT_HANDLES = 56  # relation -> handlers: starts
AT_HANDLERS = 57
AT_HANDLER_PLACES = 58  # per handler: target, pre value, state, new value
AT_HANDLER_WATCH = (
    59  # per handler: numbers of its target and pre value among the watched slots, or -1
)
GROUP = 61  # addresses: what belongs to the group of a model with an implicit core, integers,
GROUP_FLOATS = 62  # floats (`qss_core_places.py`)
AT_PAST_OF = 64  # record -> signals and looks that depend on it: starts
AT_PAST_OF_LISTED = 65
AT_PAST_STAMP = 66  # per signal and look: 1 where it is noted
AT_PAST_NOTED = 67
AT_PAST_ROW = (
    68  # per signal and look: its row; of a look that of the delay time or of x in a pipe, or -1
)
AT_PAST_MEASURE = 69  # per signal: address of its partial derivatives, or 0
AT_PAST_BENT = 70  # per signal and look: 1 where its polynomial is true only for a while
AT_LOOK_KIND = 71  # program/past.py
AT_LOOK_NUMBER = 72  # of the line, or of the end of a pipe
AT_LOOK_LAG = 73  # slot of a delay time that never varies
AT_LINE_LOOKS = 74  # line -> looks: starts
AT_LINE_LOOKS_LISTED = 75
AT_PAST = 76  # offset into f
AT_ASLEEP = 77  # relation -> relations that its handlers must wake: starts
AT_ASLEEP_LISTED = 78
AWAKE = 79  # slot, see `CompiledModel.awake`
AT_MISSES = 80  # per derivative: CORNERS, TIME or 0: what its polynomial may miss between two steps
MISSING = 81  # how many may
ASKED_TO_STOP = 82  # 1: the caller wants to hear from us at once; another thread writes it
K_HEAD = 83

# ---------------------------------------------------------------- looks
DELAYED, DELAYED_SLOPE, TRANSPORTED, TRANSPORTED_SLOPE = 0, 1, 2, 3
P_RELATIVE = 0  # quantum of signals of time alone
P_ABSOLUTE = 1
PAST_OUT = 2  # a point looked at, and what is needed with it
PAST_HEAD = 10
PAST_NUMBERS = 8  # of each signal, then of each look
P_LOOK = 0  # until it is looked at again, where it is bent
P_SINCE = 1  # the last time
P_VALUE = 2  # of a signal: its polynomial then, three numbers
P_SEGMENT = 5  # of a look: number of the segment in use
P_WHERE = 6  # and of that of x in a pipe

# ---------------------------------------------------------------- who asks about a relation
ASKED = 0  # discrete equations of any kind: an event for the caller
ALONE = 1  # nobody but rows
HANDLED = 2  # a few discrete variables

# ---------------------------------------------------------------- rows that are looked at again
FOLLOWS = 1  # time bends it, or an input
CORNERS = 1  # jumps or bends without an event
TIME = 2  # what it depends on by time
CURVED = 2  # no linear function of its records: its polynomial is true only for a while

# ---------------------------------------------------------------- floats
T = 0
STOP = 1
LIMIT = 2
START = 3
LAST_T = 4
LOOK = 5  # longest wait for rows that follow time
STIFF = 7  # -A of states that are seen by their q
HORIZON = 6  # as far as linearly implicit steps look: a little beyond the stop
Q_BEFORE = 14  # of the state that takes a step: its q and its rate before
RATE_BEFORE = 15
AT_OUT = 8  # results of a row, a few numbers
F_HEAD = 16  # behind: quanta; watched values; slopes of two rows
REL = 0  # vectors of n numbers at F_HEAD + number * n
ABS = 1
JUMPED = 2  # 1.0: a state that an event has given another value
DUE = 3  # when a state is due whose row is looked at before
F_VECTORS = 4  # then watched values at AT_SEEN, slopes at AT_ROW_SLOPES

# ---------------------------------------------------------------- methods
QSS, LIQSS, MLIQSS, CQSS = 0, 1, 2, 3

# ---------------------------------------------------------------- why the loop came back
REACHED = 1
EVENT = 2
BREATH = 5
ROW_FAILED = 9
TOO_MANY = 10
FLOODED = 14
PAST_LACKS = 33  # segments of a signal need room
