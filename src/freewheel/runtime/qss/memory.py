"""Records that the kernels of quantized-state methods share.

    state = qss.states[i]
    x = state.x0 + (t - state.tx) * (state.x1 + (t - state.tx) * state.x2)

`runtime/qss/space.py` allocates them. Rows are formulas of the model: derivatives, one per state, then
residuals, one per relation, then handlers, then delayed signals and delay times. The arguments of rows are
elements of `states`: states, then inputs, then delayed values; "record" in names means one of these. Fields
that end in `_slot` are indices into the memory of the model (`memory`).
"""

from __future__ import annotations

from freewheel.machine.kernel_nodes import Float, Floats, Function, Int, Ints
from freewheel.machine.records import Records, array, record
from freewheel.runtime.delays.lookup import History
from freewheel.runtime.qss.switched.memory import CoreGroup

TIME_VARYING = (
    1  # a row that is a nonlinear function of time, or reads an input: evaluated again in time
)
NONLINEAR = 2  # a row that is a nonlinear function of its records
# What the polynomial of a row cannot contain: kinks and jumps without an event; a function of time.
CORNERS, TIME = 1, 2
GLOBAL = 0  # readers of a relation: discrete equations of any kind, an event for the caller;
ROWS_ONLY = 1  # rows only;
LOCAL = 2  # a few discrete variables
DELAYED, DELAYED_SLOPE, TRANSPORTED, TRANSPORTED_SLOPE = (
    0,
    1,
    2,
    3,
)  # delayed values: program/past.py


@record
class QuantizedState:
    """A state, an input or a delayed value. Rows read q; for relations and events x is copied to the q of
    other records."""

    q0: Float  # quantized: value, slope, half the second derivative, at time tq
    q1: Float
    q2: Float
    tq: Float
    x0: Float  # continuous: the same
    x1: Float
    x2: Float
    tx: Float
    x3: Float
    quantum: Float
    a: Float  # partial derivative of the rate by the state itself, where negative
    u0: Float  # rate = a*q + u0 + u1*(t - tx) + u2*(t - tx)**2
    u1: Float
    u2: Float
    last_step: Float  # its time (linearly implicit method of order 2)
    refresh_interval: (
        Float  # until its row is evaluated again; negative: before the step of the state
    )


@record
class QssRow:
    """A formula of the model. Its functions get (memory, table from `first` on, states, t, out)."""

    evaluate: Function  # value and derivatives by time
    evaluate_with_slope: Function  # of a derivative: also the one by its own state
    has_slope: Int
    slopes: Function  # derivatives by all its records; of a relation where they are constant
    has_slopes: Int
    first: Int  # in `table`: numbers of records, then of discrete variables
    count: Int  # of records
    variation: Int  # TIME_VARYING, NONLINEAR or 0
    correction: Int  # of a derivative: CORNERS, TIME or 0


@record
class QssRelation:
    """A zero-crossing function: the residual of a relation, or the margin of an ideal element."""

    number: Int  # of the relation
    status_slot: Int
    status_discrete: Int  # index of its status among discrete variables, or -1
    scope: Int  # GLOBAL, ROWS_ONLY or LOCAL
    is_straight: Int  # linear in time and nothing else: its zero is exact
    is_marked: Int  # its crossing must be predicted again
    is_safe: Int  # it cannot cross while states stay within their bounds around q
    rapid: Int  # crossings in a row within a tiny time
    shrinking: Int  # crossings in a row, each after a shorter interval
    delta: Float  # a crossing is a residual that is beyond zero by delta
    size: Float  # largest magnitude of the residual
    hysteresis: Float  # factor of the noise level: wider after each wrong prediction
    last: Float  # time of the last crossing
    interval: Float  # between the last two crossings
    status: Float  # for which the crossing was predicted
    band: Float  # dead band for round-off (`events/chattering.py`)
    validity: Float  # of the parabola of a nonlinear residual, a time
    predicted_at: Float  # time and coefficients of that parabola
    z0: Float
    z1: Float
    z2: Float
    # ------------------------------------------------------------ with an implicit core
    value_slot: Int  # of the unknown of an element, or of the residual
    overshoot: Float  # by which a restart has left an element beyond its corner; -1: not known yet
    earlier: Float  # value at three times
    here: Float
    after: Float


@record
class QssHandler:
    """An assignment to a discrete variable that depends on a relation (program/handlers.py)."""

    target_slot: Int
    pre_slot: Int  # of its pre value, or -1
    state: Int  # that is reinitialised when it is true, or -1
    value_slot: Int  # of the new value of the state
    target_discrete: Int  # indices of target and pre value among discrete variables, or -1
    pre_discrete: Int


@record
class DelayItem:
    """A signal that is delayed, or a delayed value, which is a record."""

    row: Int  # of the signal; of a delayed value that of the delay time or of x in a pipe, or -1
    is_nonlinear: Int
    is_marked: Int  # it must be updated
    validity: Float  # of its polynomial, a time, where nonlinear
    updated_at: Float
    # of a signal
    value: Float  # its polynomial then
    slope: Float
    bend: Float
    # of a delayed value
    kind: Int  # DELAYED ...
    number: Int  # of the line, or of the end of a pipe
    lag_slot: Int  # of a constant delay time
    segment: Int  # number of the one in use
    entry_segment: Int  # and of that of x in a pipe


@record
class DelayedPoint:
    """A delayed time as a function of time; for a pipe first a position."""

    time: Float
    slope: Float
    bend: Float
    end: Float  # until which the function is known
    lag: Float  # if constant
    speed: Float  # of x in a pipe then,
    acceleration: Float
    is_new: Int  # the record has changed


@record
class Heap:
    """Next event times; see `qss/heap.py`."""

    count: Int
    items: Ints = array("count")  # by place
    places: Ints = array("count")  # by item
    times: Floats = array("count + 4")  # by place; infinite behind the last


@record
class Lists:
    """Adjacency lists: those of an owner are items[starts[owner]] to items[starts[owner + 1] - 1]."""

    owners: Int
    size: Int
    starts: Ints = array("owners + 1")
    items: Ints = array("size")


@record
class Qss:
    # ------------------------------------------------------------ the model
    n: Int  # states
    relation_count: Int
    record_count: Int  # of states, inputs and delayed values
    view_count: Int
    row_count: Int
    table_size: Int
    memory_size: Int
    memory: Floats = array("memory_size", outside=True)
    states: Records[QuantizedState] = array("record_count")
    event_view: Records[QuantizedState] = array("view_count")  # as relations and events see them
    rows: Records[QssRow] = array("row_count")
    table: Ints = array("table_size")
    relations: Records[QssRelation] = array("relation_count")
    readers: Lists  # record -> derivatives that depend on it
    relation_readers: Lists  # record -> relations
    columns: Ints = array("n")  # of states in a stored row, or -1
    corrected_rows: Int  # number of derivatives with a `correction`
    widest: Int  # number of records of the widest row
    has_core: Int
    group: CoreGroup  # the states of a model with an implicit core (`qss/switched`)

    # ------------------------------------------------------------ discrete variables that rows read
    discrete_count: Int
    discrete_slots: Ints = array("discrete_count")
    discrete_values: Floats = array("discrete_count")
    discrete_readers: Lists  # -> rows
    awake_slot: Int  # see `CompiledModel.awake`
    handler_count: Int
    handlers: Records[QssHandler] = array("handler_count")
    handling: Lists  # relation -> handlers
    inactive: Lists  # relation -> relations that matter only to its handlers

    # ------------------------------------------------------------ settings
    method: Int  # its kind: `qss/methods.py`
    order: Int
    is_implicit: Int
    events_see_q: Int  # 1: relations, events and algebraic variables see q of stiff states, else x
    only_states: Int  # 1: rows of the result hold nothing else, and messages do not matter
    start: Float
    stop: Float
    horizon: Float  # of linearly implicit steps: a little beyond the stop
    stiff: Float  # -a of states whose q is seen at events
    longest_validity: Float  # of predictions
    max_steps: Int
    relative: Floats = array("n")  # quanta
    absolute: Floats = array("n")

    # ------------------------------------------------------------ the present state
    heap: Heap  # items: states, relations, time-varying rows, delay items
    t: Float
    limit: Float
    last_t: Float  # when time advanced last
    stalled: Int  # steps since then
    budget: Int
    stop_request: Int  # 1: return to the caller; another thread writes it
    event_item: Int  # the item that the outcome is about; of an event the relation
    failure: Int  # an outcome that ends the run; checked after each item
    failed_row: Int
    q_before: Float  # q and rate before the step of a state
    rate_before: Float
    out: Floats = array("8")  # results of a row
    slopes: Floats = array("widest")
    other_slopes: Floats = array("widest")
    directions: Floats = array("n")  # of q beside x (centred method)
    step_times: Floats = array("n")  # next step of a state whose row is checked before
    jumped: Ints = array("n")  # 1: an event has changed the state
    marked_count: Int
    marked_relations: Ints = array("relation_count + 1")

    # ------------------------------------------------------------ counters
    steps: Int
    evaluations: Int
    predictions: Int  # of crossings
    refreshes: Int
    pair_steps: Int  # steps of two states together
    local_events: Int

    # ------------------------------------------------------------ delays, see `delayed_signals.py`
    signal_count: Int
    delayed_count: Int
    first_delayed: Int  # record of the first delayed value
    first_delay_item: Int  # of the heap
    delay_items: Records[DelayItem] = array("signal_count + delayed_count")
    marked_delay_count: Int
    marked_delay_items: Ints = array("signal_count + delayed_count + 1")
    history_full: Int  # 1: the segments of a signal need room
    delay_readers: Lists  # record -> delay items that depend on it
    line_readers: Lists  # signal -> delayed values
    signal_relative: Float  # quantum of signals that depend on no state
    signal_absolute: Float
    point: DelayedPoint
    history: History
