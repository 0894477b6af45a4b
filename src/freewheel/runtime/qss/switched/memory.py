"""The quantized states of a model with an implicit core, as records that their kernels share.

All states of such a model are one group: of n unknowns y a mode leaves d free. These are quantized; the
others depend on them,

    y = S z + b(t)        z' = M z + f(t)

in a linear mode, and by the equations of the mode in any other. States, heap and methods are those of
`qss/memory.py`: items are the n unknowns, of which only the free ones have a time, then zero-crossing
functions (corners of elements, then relations), then the expansion in time.
"""

from __future__ import annotations

from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints, Section
from freewheel.machine.records import array, record
from freewheel.runtime.delays.lookup import History
from freewheel.runtime.switched_dae.memory import Core


@record
class CoreGroup:
    # ------------------------------------------------------------ the model
    n: Int  # unknowns
    element_count: Int
    relation_count: Int  # neither corners nor linear in time
    time_slot: Int
    states_slot: Int
    slopes_slot: Int
    derivatives: Section  # that contain the core
    relations: Section
    go_on: Section  # of `switched_dae/mode_visits.py`: `core_go_on`,
    renew: Section  # `core_renew_here`,
    reach: Section  # `core_seen_here`
    core: Core
    is_nonlinear: Int  # no mode of the model is linear
    tolerance: Float  # of delayed signals
    has_history: Int
    history: History

    # ------------------------------------------------------------ the present mode
    mode: Int
    state_count: Int  # d
    is_linear: Int
    is_determined: Int  # linear, and S and b give all unknowns
    is_forced: Int  # it depends on time or on inputs
    is_pending: Int  # the mode after an event is not yet initialised
    free: Ints = array("n")  # free unknowns: the first d
    free_index: Ints = array("n")  # of each unknown among the free ones, or -1
    allowed: Floats = array("n")  # above zero for each unknown that may be free
    dependence: Floats = array("n * n")  # S: a row for each unknown
    dynamics: Floats = array("n * n")  # M: a row for each free unknown
    work: Floats = array("n * n")
    f0: Floats = array("n")  # f, its slope and half its second derivative, by free unknown
    f1: Floats = array("n")
    f2: Floats = array("n")
    b0: Floats = array("n")  # b, by unknown
    b1: Floats = array("n")
    b2: Floats = array("n")

    # ------------------------------------------------------------ the present state
    expanded_at: Float  # time of the expansion of f and b
    refresh_interval: Float  # until the next one
    mean_interval: Float  # between evaluations
    last: Float  # time of the last evaluation
    last_point: Floats = array("n")  # y there
    mode_point: Floats = array("n")  # y where the matrices of the mode were evaluated
    sizes: Floats = array("n")  # largest magnitude of y
    here: Floats = array("n")  # y or rates at three times
    after: Floats = array("n")
    earlier: Floats = array("n")
    targets: Floats = array("n")  # values of the free unknowns at a time
    expected: Floats = array("n")  # rates of the free unknowns by the last expansion
    slopes: Floats = array("n")  # f at another time
    expected_f: Floats = array("n")  # f by the last expansion
