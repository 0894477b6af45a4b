"""The memory of quantized states of a model with an implicit core, as records that their kernels share.

All states of such a model are one group: n unknowns y, of which a mode leaves d to be chosen freely. These
are quantized; the others follow from them,

    y = S z + b(t)        z' = M z + f(t)

in a linear mode, and by the mode's equations in any other. States, heap and methods are those of
`qss/memory.py`: items are the n unknowns, of which only the chosen ones have a time, then watchers (the
elements' corners, after them the relations that nobody else foretells), then one that looks at time.
"""

from __future__ import annotations

from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints, Section
from freewheel.machine.records import Records, array, record
from freewheel.runtime.delays.lookup import History
from freewheel.runtime.qss.memory import Qss
from freewheel.runtime.switched_dae.memory import Core


@record
class Watcher:
    """Of the corner of an element, or of a relation that is neither a corner nor a straight line of time."""

    relation: Int
    value_slot: Int  # of the element's unknown, or of the relation's residual
    status_slot: Int  # of the relation
    band: Float
    delta: Float  # how far beyond counts as beyond
    size: Float  # how large its margin has been
    coarse: Float  # ten times more for each wrong prediction in a row
    seen: Float  # when it was looked at last; before the beginning: not in this mode
    c0: Float  # what was foretold then
    c1: Float
    c2: Float
    away: Float  # not later than after this time it is looked at again
    began: Float  # how far beyond its corner the restart left an element, as long as it is there
    earlier: Float  # the unknown, or the margin of the relation, at three times
    after: Float
    here: Float


@record
class QssGroup:
    qss: Qss
    # ------------------------------------------------------------ the model
    n: Int  # unknowns
    element_count: Int
    loud_count: Int
    time_slot: Int
    states_slot: Int
    slopes_slot: Int
    derivatives: Section  # that contain the core
    relations: Section
    go_on: Section  # of `switched_dae/mode_visits.py`: `core_go_on`,
    renew: Section  # `core_renew_here`,
    reach: Section  # `core_seen_here`
    core: Core
    is_bent: Int  # no mode of the model is linear
    watchers: Records[Watcher] = array("element_count + loud_count")
    tolerance: Float  # of what is remembered
    has_history: Int
    history: History  # what `delay(..)` looks back at

    # ------------------------------------------------------------ the present mode
    mode: Int
    state_count: Int  # d
    is_linear: Int
    is_plain: Int  # linear, and nothing is open: all unknowns follow by S and b
    is_timed: Int  # time itself, or an input, moves it
    is_pending: Int  # an event is over and the mode after it has not been begun
    chosen: Ints = array("n")  # unknowns; as many as states
    place_of: Ints = array("n")  # of each unknown among the chosen ones, or -1
    candidates: Floats = array("n")  # above zero for each unknown that may be chosen
    follow: Floats = array("n * n")  # S: a row for each unknown
    motion: Floats = array("n * n")  # M: a row for each chosen state
    room: Floats = array("n * n")
    f0: Floats = array("n")  # f and its derivatives, the second halved, by chosen state
    f1: Floats = array("n")
    f2: Floats = array("n")
    b0: Floats = array("n")  # b, by unknown
    b1: Floats = array("n")
    b2: Floats = array("n")

    # ------------------------------------------------------------ how things stand
    looked: Float  # when f and b were looked at last
    refresh: Float  # time until the next look
    pace: Float  # time between evaluations of late
    last: Float  # the last of them
    now: Floats = array("n")  # y where it was evaluated last
    renewed: Floats = array("n")  # y where the matrices of the mode were made
    sizes: Floats = array("n")  # the largest that y has been
    here: Floats = array("n")  # y or rates at three times
    after: Floats = array("n")
    earlier: Floats = array("n")
    wanted: Floats = array("n")  # values of the chosen states at a time
    expected: Floats = array("n")  # rates of the chosen states, before time is looked at again
    slopes: Floats = array("n")  # f at another time
    was: Floats = array("n")  # f as it was foretold
