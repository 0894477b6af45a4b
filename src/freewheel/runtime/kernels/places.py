"""Where things are in the two arrays that all kernels share.

`c` holds integers (sizes, slots, counters, offsets), `w` holds floats. Both begin with single numbers
at the places below; vectors of n states follow in `w` at `HEAD + number * n`; everything else lies at
offsets that `c` tells (`AT_...`). `runtime/workspace.py` lays them out.

    y = w[HEAD + Y * n :]
    c[STEPS] += 1
"""

from __future__ import annotations

# ---------------------------------------------------------------- integers: what the model is
N = 0  # states
RELATIONS = 1
WIDTH = 2  # slots in a stored row
TIME = 3  # slots in the memory
STATES = 4
DERIVATIVES = 5
WATCH = 6  # messages of the model: 0 none, 1 ask after each step, 2 ask when the flag is up
FLAG = 7  # its slot
AWAKE = 8  # slot: see `CompiledModel.awake`

# ---------------------------------------------------------------- integers: the method
METHOD = 10
ORDER = 11  # of the error estimate; 0: fixed steps
WEAK = 12  # the interpolant is weaker than the step
STAGES = 13
DETECT = 14  # look for stiffness
SPARSE = 15
NONZEROS = 16
GROUPS = 17
ANALYTIC = 18  # the model computes its Jacobian

# ---------------------------------------------------------------- integers: how things stand
STEPS = 20
REJECTED = 21
EVALUATIONS = 22
JACOBIANS = 23
FACTORISATIONS = 24
NEWTON = 25
ROWS = 26
MAX_ROWS = 27
SIZES = 28
MAX_SIZES = 29
POINTS = 30  # of the output grid that have passed
MAX_STEPS = 31
BUDGET = 32  # steps until the caller wants to hear from us
PHASE = 33  # 0: a step is next; 1: a step waits for its rows to be stored; 2: an event waits;
# 3: a step waits to be remembered
CROSSED = 34
END_IS_EVENT = 35  # an event is known to happen at the limit
AT_END = 36  # the memory holds the end of the step
DENSE_READY = 37  # the interpolant is computed
STIFF = 38
CALM = 39
HAVE_JACOBIAN = 40
FRESH = 41  # the Jacobian belongs to the present point
HAVE_FACTORS = 42
REJECTED_BEFORE = 43
HAS_LAST = 44  # there is an interpolant of the step before
ITERATIONS = 45  # of Newton in the last attempt
STATUS = 46  # of a section that failed
FAILED = 47  # which one
HAVE_SYMBOLIC = 48  # pivots and pattern of the sparse factors
LU_SPACE = 49
IS_FIXED = 50
LOCATIONS = 51  # evaluations spent on locating crossings
OWN_STEPS = 52  # 1: a library chooses step sizes and interpolates by itself; 2: an implicit core
LIBRARY_MEMORY = 53  # addresses: of its data,
LIBRARY_STEP = 54  # of the function that takes a step,
LIBRARY_INSIDE = 55  # of its interpolation,
LIBRARY_Y = 56  # of its vectors of states and, for IDA, of derivatives,
LIBRARY_SLOPE = 57
LIBRARY_TRIAL = 58  # of the vector it interpolates into
IS_IDA = 59
CORE_EVENT = (
    141  # 1 + number of the relation whose corner ended the step of an implicit core; 0: none
)

# ---------------------------------------------------------------- integers: offsets into c
AT_SLOTS = 60  # of a stored row
AT_STATUS = 61  # slots of statuses
AT_RESIDUAL = 62
AT_TIME_ONLY = 63
AT_WHICH = 64  # out: which relations cross
AT_STARTS = 65  # columns of the matrix, as in compressed sparse columns
AT_ROWS = 66
AT_DIAGONAL = 67  # place of each diagonal element
AT_GROUP_STARTS = 68
AT_GROUP_COLUMNS = 69
AT_MAP = 70  # element of the model's Jacobian -> element of the matrix
AT_PIVOTS = 71
AT_PIVOTS_COMPLEX = 72
AT_ORDER = 73  # of columns in the sparse factorisation
AT_INVERSE = 74  # row -> pivot number
AT_L_STARTS = 75
AT_L_ROWS = 76
AT_U_STARTS = 77
AT_U_ROWS = 78
AT_SCRATCH = 79  # four vectors of n integers
MODEL_NONZEROS = 80
PAIRS = 81  # of discrete values and their pre values
AT_PAIRS = 82  # slots of the values, then of the pre values
REINITS = 83
AT_REINITS = 84  # slots of state, new value and flag, one after the other
INPUTS = 85  # that are straight lines at present
AT_INPUTS = 86  # their slots
AT_HOMES = 87  # number of the component of each discrete value; -1: nobody's

# ---------------------------------------------------------------- integers: offsets into w
AT_RESIDUALS = 90  # vectors of residuals, see R_...
AT_JACOBIAN = 91
AT_FACTORS = 92  # dense matrix, or values of L
AT_FACTORS_RE = 93  # dense complex matrix, or values of L
AT_FACTORS_IM = 94
AT_U = 95  # values of U of the sparse factors
AT_U_RE = 96
AT_U_IM = 97
AT_TABLEAU = 98
AT_VALUES = 99  # Jacobian as the model computes it
AT_SPARSE = 100  # scratch: two vectors of n floats
AT_MARGINS = 101  # by how much a discrete value may differ from its pre value
AT_LINES = 102  # of inputs: t0, y0, slope, t1, y1 of each
AT_SAVED = 103  # the memory as it was before an event
AT_SAMPLES = 104  # start and interval of each
AT_MODE_SIZES = 105  # first step sizes that proved good, see `kernels/modes.py`

# ---------------------------------------------------------------- integers: events
AT_SAMPLE_SLOTS = 110  # of `active`; then the number of the next instant of each
SAMPLES = 111
AT_MODE_KEYS = 112
MODE = 113  # key of the present mode while its first step is not yet taken, else -1
MEMORY = 114  # size of the memory
PLAIN = 115  # 1: events are the loop's own business
RECORD = 116  # 1: two rows at each event
LOG = 117  # numbers in the event log
MAX_LOG = 118
LOG_RECORD = 119  # where the present event begins in it
LOG_DETAIL = 120  # 1: each change is noted, else causes only
LOG_LACKS = 121  # 1: a note did not fit
EVENTS = 122  # dealt with in this call, those of them that a relation made
MAX_EVENTS = 123
BREAK_JUMPS = 124  # 1: the input jumps at its break
NOTED = 125  # all events dealt with in this call
MODE_REJECTED = 126  # number of rejected steps when the mode began
LOOKS = 127  # events left that `event/rivals.py` may go through again
LOOK_ROUNDS = 128  # rounds left for that
THOROUGH = 129  # 1: statuses that run in circles are followed further, see `kernels/circles.py`

# ---------------------------------------------------------------- integers: crossings
ROOT_SOLVER = 130  # see `kernels/roots.py`
DETECTION = 131  # see `kernels/pairs.py`
PAIRS_FOUND = 132  # crossings that no sign at the ends or in the middle of a step showed
AT_CHAIN = 133  # offset into w: scratch of polynomials
LOUD = 134  # relations that may cross zero inside a step: neither straight in time nor a core's own
SURE = 135  # 1: PREDICTED is the first zero of all the others
CIRCLES = 136  # 1: statuses ran in circles
AT_TRIED = 137  # offsets into w: the memory before statuses followed,
AT_SNAPSHOTS = 138  # statuses and pre values of the rounds so far
AT_AFTER = 139  # the memory after an event

# ---------------------------------------------------------------- integers: delays
HISTORY = 140  # address of what `delay(..)` looks back at; 0: there is none

# ---------------------------------------------------------------- integers: beside an implicit core
OPTIMISTIC = 143  # 1: a step is never repeated, however large its error
FOLLOW = 144  # slot: how nonlinear loops are solved; 0: there are none (kernels/follow.py)
CORNERS = 145  # that make no events (kernels/corners.py)
AT_CORNER = 146  # their slots
AT_CORNER_VALUES = 147  # offset into w
CORNERS_SEEN = 148  # 1: values at the end of the step are there, 2: also in its middle
SWING = 149  # slot: how fast what relations look at swings; -1: nothing is known to
AT_STORED = 142  # 1 for each unknown that is a state in some mode; 0: there is no core

C_HEAD = 160

# ---------------------------------------------------------------- floats
T = 0
H = 1  # to be tried next; 0: not yet known
T1 = 2  # end of the step
H_TAKEN = 3  # size of the step as computed, from which the interpolant counts
ERROR = 4
PREVIOUS_ERROR = 5
LIMIT = 6
LONGEST = 7
FIXED = 8
RTOL = 9
SHRINK = 10
STIFFNESS = 11
START = 12
STOP = 13
INTERVAL = 14
PREDICTED = 15  # a relation of time alone becomes zero there
H_FACTORED = 16
LAST_T = 17  # where the interpolant of the step before begins
LAST_H = 18
RATE = 19
CROSSING = 20  # time of the crossing that was found
SHORTEST = 21
BREAK = 22  # of an input: Python's business
CORNER_TIME = 25  # where the last values of corners were taken
MOMENT = 24  # how far the ways that an event leaves open are followed
QUICK_GAP = 23  # two switches of a relation closer than this are looked at by Python

HEAD = 40

# ---------------------------------------------------------------- vectors of n floats
Y = 0
F = 1
Y1 = 2
F1 = 3
LATELY = 4  # how large each state was lately
ATOL = 5
TRIAL = 6
K1 = 7  # stages; K1 itself is a copy of F where a method needs one
K2 = 8
K3 = 9
K4 = 10
K5 = 11
K6 = 12
K7 = 13
DENSE = 14  # four vectors: coefficients of theta, theta**2, ...
LAST_Y = 18
LAST_DENSE = 19  # four
SLOPE_T = 23  # df/dt
S1 = 24  # scratch of the implicit methods
S2 = 25
S3 = 26
S4 = 27
S5 = 28
S6 = 29
BEFORE = 30  # the stage before the last of dopri5
VECTORS = 31

# ---------------------------------------------------------------- vectors of residuals
R_LEFT = 0  # at the beginning of the step
R_MIDDLE = 1
R_END = 2
R_A = 3
R_B = 4
R_FOUND = 5
R_CROSSING = 6  # out
R_BANDS = 7
R_RISES = 8  # slopes of residuals of time alone; of others 0
R_SIZES = 9  # how large each residual has been
R_LAST = 10  # when each relation switched last
R_GAP = 11  # time between its last two switches
R_SHRINKS = 12  # how many times in a row that time has become shorter
R_SLOPES = 13  # of residuals of time alone,
R_SEEN_AT = 14  # which passed this time
R_SEEN = 15  # with this value
R_ZEROS = 16  # and become zero here
R_SLOPE_A = 17  # at the ends of the bracket
R_SLOPE_B = 18
R_BESIDE = 19
R_QUARTER = 20
R_THREE = 21  # at three quarters of the step
R_DIP = 22
R_QUICK = 23  # how many times in a row a relation has switched at once
R_VECTORS = 24

# ---------------------------------------------------------------- vectors of corners
C_LEFT = 0  # as those of residuals
C_QUARTER = 1
C_MIDDLE = 2
C_THREE = 3
C_END = 4
C_DIP = 5
C_LARGEST = 6
C_VECTORS = 7

# ---------------------------------------------------------------- methods
DOPRI5, TABLEAU, RODAS4, RADAU, BEULER = 1, 2, 3, 4, 5

# ---------------------------------------------------------------- why the loop came back
REACHED = 1  # the limit
EVENT = 2  # a relation crosses
ROWS_FULL = 3
SIZES_FULL = 4
BREATH = 5  # the budget of steps is used up
SPOKE = 6  # the model may have said something
BECAME_STIFF = 7
STEP_FAILED = 8
SECTION_FAILED = 9
TOO_MANY = 10
NO_SPACE = 11  # for the sparse factors
HISTORY_FULL = 30
LAG_WRONG = 31  # a delay time is out of its bounds
STEP_REDO = 32  # inside only: a step looked too far ahead of what is remembered
LOG_FULL = 12
NOT_FINITE = 13  # a state or a derivative after an event

SECTION_DERIVATIVES, SECTION_OUTPUTS, SECTION_RELATIONS = 1, 2, 3

LARGEST = 1.7976931348623157e308
EPSILON = 2.220446049250313e-16
TIED = 16.0 * EPSILON  # as in `event/calendar.py`
