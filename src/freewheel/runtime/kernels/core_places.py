"""Where the kernels of the implicit core keep their numbers.

The core is F(y', y, t; b) = 0 with n unknowns; its kernels share four arrays:

    w         floats: settings and results first, then vectors of n, then room for the selection
    c         integers: sizes and counters first, then three tables (unknown, bit, spare) of elements
    records   floats: one record per visited mode, each `stride(n)` long
    pivots    integers: 2 n per record

and the model's own memory `m`, in which the bits b lie from slot `c[BITS]` on.
"""

from __future__ import annotations

# w: numbers
T, H, H_MAX, T_STOP, T_BEGIN, T_FINAL, RTOL, ATOL, ERROR, LOOK, NEXT_OUT, OUT_STEP = range(12)
LARGEST, LAST_EVENT = range(12, 14)
HEAD = 16
# w: vectors of n
Y, Y1, TRIAL, SLOPE, ERR, BEFORE, SAVED, OUTPUT = range(8)
Z = 8  # three stages
R = 11  # three residuals, or three levels
V1 = 14  # transformed, real, real part, imaginary part
YS = 17  # y, y', y'', y'''
P = 21  # stage slopes, 3
DYS = 24  # 4
VECTORS = 28

# c: numbers
N, ELEMENTS, BITS, MODES, MODE, STEPS, REJECTED, FACTORED, REPEATED, EVENTS = range(10)
FIRED, WANTED, OUT_COUNT, OUT_ROOM, LOG_COUNT, LOG_ROOM, HAS_LOGIC, PIVOTS_MADE, ALL_BITS = range(
    10, 19
)
SETTLED, SELECTIONS, ZERO_STEPS, FRESH, MODE_BEFORE, PLAN_AT, PLAN_COUNT, CAUSE, BUDGET = range(
    19, 28
)
TABLES = 32

# records: numbers, then matrices
LEVELS, IS_LINEAR, IS_SINGULAR, H_FACTORED, INDEX, HAS_STATES, H_GOOD = range(7)
RECORD_HEAD = 8
A_AT, E_AT, GAUGE_AT, FIX_AT, ERROR_AT, LU_AT, LUR_AT, LUI_AT = range(8)  # matrices of n*n
K_AT = 8  # 4 n times 3 n
MATRICES = 20
# then vectors of n: scales of the real and the complex matrix, weights, 1/scale of rows (3)
ROWS_REAL, ROWS_COMPLEX, WEIGHTS, LEVEL_SCALE = range(4)
RECORD_VECTORS = 7

# what `run_core` gives back
FINISHED, NEED_MODE, LOGIC, FULL, TOO_SMALL, RAY, CONTRADICTION, CHATTER, NO_MODE, STALE, PAUSED = (
    range(11)
)


# a line of the log: time, element that fired (-1: logic), mode, size of what is stored, impulses
LOG_HEAD = 4


def stride(n: int) -> int:
    """Floats of one record."""
    return RECORD_HEAD + MATRICES * n * n + RECORD_VECTORS * n


def room(n: int, elements: int) -> int:
    """Floats of `w`: the selection needs three matrices, the right-hand sides and a tableau."""
    selection = 5 * n * n + n * (elements + 4) + elements * (3 * elements + 12)
    return HEAD + VECTORS * n + selection
