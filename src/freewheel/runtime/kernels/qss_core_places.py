"""Where the quantized states of a model with an implicit core keep what belongs to the present mode.

All states of such a model are one group: n unknowns y, of which a mode leaves d to be chosen freely. These
are quantized; the others follow from them,

    y = S z + b(t)        z' = M z + f(t)

in a linear mode, and by the mode's equations in any other. `g` holds integers and `v` floats, both at
addresses that stand in `k` (`qss_places.GROUP`, `GROUP_FLOATS`). Records, heap and methods are those of
`qss_places.py`: items are the n unknowns, of which only the chosen ones have a time, then watchers (the
elements' corners, after them the relations that nobody else foretells), then one that looks at time.
"""

from __future__ import annotations

# ---------------------------------------------------------------- g: the model
ELEMENTS = 0
LOUD = 1  # relations that are neither a corner nor a straight line of time
DERIVATIVES = 2  # addresses of the sections that contain the core,
RELATIONS_OF = 3
GO_ON = 4  # of `core_visits.core_go_on`,
RENEW = 5  # of `core_visits.core_renew_here`
# ---------------------------------------------------------------- g: the present mode
STATES = 6  # d
IS_LINEAR = 7
IS_PLAIN = 8  # linear, and nothing is open: all unknowns follow by S and b
IS_TIMED = 9  # time itself, or an input, moves it
SEEN = 10  # address of `core_visits.core_seen_here`
PENDING = 11  # 1: an event is over and the mode after it has not been begun
CAUSE = 12  # the element whose corner is crossed, -1: a relation
MODE = 13
IS_BENT = 14  # no mode of the model is linear
PAST = 15  # address of what `delay(..)` looks back at; 0: there is none
G_HEAD = 16
# behind: the chosen unknowns (n), the place of each unknown among them or -1 (n), then of each loud relation
# its number, the slot of its residual, that of its status
LOUD_WIDTH = 3

# ---------------------------------------------------------------- v: numbers
LOOKED = 0  # when f and b were looked at last
REFRESH = 1  # time until the next look
PACE = 2  # time between evaluations of late
LAST = 3  # the last of them
TOLERANCE = 4  # of what is remembered
V_HEAD = 8
# ---------------------------------------------------------------- v: vectors of n
F0, F1, F2 = 0, 1, 2  # f and its derivatives, the second halved, by chosen state
B0, B1, B2 = 3, 4, 5  # b, by unknown
NOW = 6  # y where it was evaluated last
RENEWED = 7  # y where the matrices of the mode were made
SIZES = 8  # the largest that y has been
HERE, AFTER, EARLIER = 9, 10, 11  # y at three times, or rates
WANTED = 12  # values of the chosen states at a time
EXPECTED = 13  # rates of the chosen states, before time is looked at again
SLOPES = 14  # f at another time
WAS = 15  # f as it was foretold
CANDIDATES = 16  # 1.0 for each unknown that may be chosen
VECTORS = 17
# then S and M, n times n by rows (a row for each unknown; for each chosen state), and room for n times n
MATRICES = 3
# then of each loud relation: band, residuals at three times
LOUD_FLOATS = 4


# ---------------------------------------------------------------- z: a watcher
W_RECORD = 9
W_DELTA = 0  # how far beyond counts as beyond
W_SIZE = 1  # how large its margin has been
W_COARSE = 2  # ten times more for each wrong prediction in a row
W_SEEN = 3  # when it was looked at last; before the beginning: not in this mode
W_C0, W_C1, W_C2 = 4, 5, 6  # what was foretold then
W_AWAY = 7  # not later than after this time it is looked at again
W_BEGAN = 8  # how far beyond its corner the restart left an element, as long as it is there


def integers(n: int, loud: int) -> int:
    return G_HEAD + 2 * n + LOUD_WIDTH * loud


def floats(n: int, loud: int) -> int:
    return V_HEAD + VECTORS * n + MATRICES * n * n + LOUD_FLOATS * loud
