"""Where the kernels of the implicit core keep their numbers.

The core is F(y', y, t; b) = 0 with n unknowns; its kernels share four arrays:

    w         floats: settings and results first, then vectors of n, sizes of the elements in both
              roles (below or above their corner), room for the selection
    c         integers: sizes and counters first, then tables with one number per element
    records   floats: one record per visited mode, each `stride(n)` long
    pivots    integers: 2 n per record

and the model's own memory `m`, in which the bits b lie from slot `c[BITS]` on.
"""

from __future__ import annotations

# w: numbers
T, H, H_MAX, T_STOP, T_BEGIN, T_FINAL, RTOL, ERROR, LOOK, NEXT_OUT, OUT_STEP, LAST_EVENT = range(12)
ALLOWED = 12  # how far beyond its corner an element was at the last restart
SETTLED_AT, SETTLED_FOR = 13, 14  # the last event: when, and which element caused it
REST = 15  # Newton's last change of what is no state in a mode of higher index, as its size is measured
HEAD = 16
# w: vectors of n
Y, Y1, TRIAL, SLOPE, ERR, BEFORE, SAVED, OUTPUT = range(8)
Z = 8  # three stages
R = 11  # three residuals, or three levels
V1 = 14  # transformed, real, real part, imaginary part
YS = 17  # y, y', y'', y'''
P = 21  # stage slopes, 3
DYS = 24  # 4; of linear modes the values amid a step
ATOL_AT = 28  # absolute tolerance of each unknown
SIZE = 29  # what each unknown has been of late
EVER = 30  # the largest it has been
FLOOR = 31  # the least that counts beside the others
PARTS = 32  # by part of the mode: the largest of its unknowns, in units of their columns
ROUGH = 33  # a thousand million times what rounding makes of each unknown
TICK = 34  # what rounding of the time makes of each unknown, by way of leaks
SIZE_BEFORE, EVER_BEFORE = 35, 36  # a step that ends beyond a guard
ROW_SIZE = 37  # of a graded mode: what each row adds up
CORNER_FLOOR = 38  # as FLOOR, of guards
TREND = 39  # slopes at the end of the last step whose length is more than rounding of time
VECTORS = 40
ROLES = 4  # floats per element after the vectors: size below, above the corner, the same ever

# c: numbers
N, ELEMENTS, BITS, MODES, MODE, STEPS, REJECTED, FACTORED, REPEATED, EVENTS = range(10)
FIRED, WANTED, OUT_COUNT, OUT_ROOM, LOG_COUNT, LOG_ROOM, HAS_LOGIC, PIVOTS_MADE, ALL_BITS = range(
    10, 19
)
SETTLED, SELECTIONS, ZERO_STEPS, FRESH, MODE_BEFORE, PLAN_AT, PLAN_COUNT, CAUSE, BUDGET = range(
    19, 28
)
ALL_LINEAR = 28  # 1: F is linear in every mode
GUESS, GUESSED = 29, 30  # which guess of the next mode is tried; 1: the present mode is one
FIRST_ORDER = 31  # 1: backward Euler with steps of H_MAX, for teaching
TIMELESS = 32  # 1: F does not depend on time itself
RENEWED = 33  # how often the matrices of a mode that bends were made anew at this event
# how often this event looked less far ahead than usual, and the mode found before, from 1; 0: none
NEARER, HASTY = 34, 35
STARTING = 36  # 1: the run starts, unknowns of elements hold their start values
FOLD = 37  # at the event of a fold: 1 or -1, the direction in which the curve of CAUSE is passed; else 0
TABLES = 38
# c: tables, each as long as there are elements, the first at TABLES
UNKNOWN, BIT, MARK, PLACE, HELD, HELD_BIT, ACTIVE = range(7)
PINNED = 7  # 1: on its side for as long as a piece of its curve is tried, see `core/pieces.py`
ELEMENT_TABLES = 8

# records: numbers; addresses of matrices outside, which are as large as the mode needs; two matrices of
# n times n by rows; vectors of n
LEVELS, IS_LINEAR, IS_SINGULAR, H_FACTORED, INDEX, HAS_STATES, H_GOOD, TAU = range(8)
# directions left open that elements see, that none sees; combinations of rows that say nothing; states
OPEN, UNSEEN, TIED, STATES = range(8, 12)
FIX_AT = 12  # the open directions as rows
LU_AT, LUR_AT, LUI_AT = range(13, 16)  # factors: real, real and imaginary part
# of a mode that is not linear: gauge and projector of errors, n times n; restart, 4 n times 3 n
GAUGE_AT, ERROR_AT, K_AT = range(16, 19)
# of a linear mode, a row for each residual of each level: what it does to y, to y', to the rates of the
# states; then a row for each state: what it does to y; rates of the states from the states
TO_Y_AT, TO_SLOPE_AT, TO_STATES_AT, V_AT, M_AT = range(19, 24)
SEEN_AT = 24  # of a mode that is not linear: dF/dy and dF/dy' as they were analysed
ARE_GOOD = 25  # 1: Newton's iteration was quick with the factors there are
BY_LOGIC = 26  # the mode that followed when the model's logic switched last, from 1; 0: never
IS_GRADED = 27  # 1: numbers differ so much that each row has a rounding of its own
RECORD_HEAD = 28
A_AT, E_AT = range(2)
MATRICES = 2
# then vectors of n: scales of the real and the complex matrix, weights, scales of rows (3 levels),
# typical sizes of unknowns beside each other; the part of the mode of each unknown, of each row,
# of each open direction
ROWS_REAL, ROWS_COMPLEX, WEIGHTS, LEVEL_SCALE = range(4)
COLUMN, PART, ROW_PART, OPEN_PART = range(6, 10)
SUCCESSOR = 10  # by element: the mode that followed when it fired last, from 1; 0: never
RECORD_VECTORS = 11

# what `run_core` gives back
FINISHED, NEED_MODE, LOGIC, FULL, TOO_SMALL, RAY, CONTRADICTION, CHATTER, NO_MODE, STALE, PAUSED = (
    range(11)
)
FOLDED = 11  # the curve of CAUSE has a fold, and no piece beyond it has a solution


# a line of the log: time, element that fired (-1: logic), mode, size of what is stored, impulses
LOG_HEAD = 4


def stride(n: int) -> int:
    """Floats of one record."""
    return RECORD_HEAD + MATRICES * n * n + RECORD_VECTORS * n


MOST_RENEWED = 20  # unknowns of a mode that `core_renew` analyses again


def room(n: int, elements: int) -> int:
    """Floats of `w`: the selection needs five matrices, the right-hand sides and a tableau; behind it is
    room to analyse a small mode again."""
    selection = 5 * n * n + n * (elements + 8) + elements * (2 * elements + 12)
    again = 42 * n * n + 8 * n if n <= MOST_RENEWED else 0
    return HEAD + VECTORS * n + ROLES * elements + selection + again
