"""The table of integers by which the sections of a core find everything else.

    k = ints_at(int(m[-2]))     two places before the first slot of the memory stands its address
    w = floats_at(k[K_W])       most entries are addresses, of arrays and of functions

Kept up to date by `core/attach.py`. What the places of the arrays mean is in `core_places.py`.
"""

from __future__ import annotations

K_RATES, K_JACOBIANS, K_REFRESH, K_W, K_C, K_RECORDS, K_STRIDE, K_PIVOTS, K_KEYS, K_BASIS = range(
    10
)
K_DERIVATIVES, K_DISCRETE, K_RELATIONS, K_SWITCHES, K_INITIAL = range(10, 15)  # the shell's code
K_STATES, K_SLOPES, K_TIME = range(15, 18)  # slots
K_STATUSES, K_STATUS_COUNT = range(18, 20)  # address of (bit, slot, +1 or -1) ..., how many
K_RESIDUALS, K_RESIDUAL_COUNT = range(20, 22)  # address of (residual slot, status slot) ...
K_EXTRA, K_PENDING, K_FAILED = range(22, 25)  # address of own floats; impulse to be told; status
K_ELEMENT_RELATIONS = 25  # address of the relation's number of each element
K_CAUSE = 26  # element whose guard ended the last step
K_SETTLED = 27  # slot: `initial` keeps y while it is set; -1: there is none
K_MODEL_RATES = 28  # the model's own `rates` where inputs must be followed
K_INPUTS, K_INPUT_SLOTS, K_LINES = range(
    29, 32
)  # how many, addresses: slots; t0, y0, slope, t1, y1
K_SPARE = 32  # address of 8 n floats
K_MODEL_JACOBIANS = 33
K_SHELL = 34  # how many of y are states of the shell
K_SEEN = 35  # address: 1 for each mode in which a step was taken
K_BOUNDS, K_BOUND_ROOM = 36, 37  # addresses: of the bounds of each mode, see `core_bounds`; of room
K_AWAKE = 38  # slot: 0.0 while all relations matter to somebody; -1: there is none
K_CURVES = 39  # 1: a curve has several corners, 2: some element has one; 0: none
K_SIZE = 40

# own floats: numbers, then vectors of n
X_TIME, X_CAUSE_TIME, X_KEY = 0, 1, 2
X_HEAD = 4
X_SETTLED, X_IMPULSE = 0, 1  # y as settled last; E (y+ - y-)
X_OFFSET = 2  # what a search at the start adds to the values that the initial system gives
X_WISHED = 3  # both together: y before ideal elements make it consistent
X_VECTORS = 4

# what `refresh` is asked for instead of a mode's number
PRESENT, TELL, BY_START, BY_PIECE, UNBROKEN, AT_REST = -1, -2, -3, -4, -5, -6
NO_AGREEMENT = 20  # a K_FAILED of its own, beside those of the core
