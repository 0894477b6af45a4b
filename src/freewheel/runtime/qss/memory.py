"""The memory of quantized-state methods, as records that their kernels share.

    state = qss.states[i]
    x = state.x0 + (t - state.tx) * (state.x1 + (t - state.tx) * state.x2)

`runtime/qss/space.py` allocates them for a model and a method. Rows are formulas of the model: derivatives,
one per state, then residuals, one per relation, then handlers, then signals that are remembered and delay
times. What rows see are elements of `states`: states, then inputs, then delayed values; "record" in names of
fields means one of these. Fields that end in `_slot` are places in the memory of the model (`memory`).
"""

from __future__ import annotations

from freewheel.machine.kernel_nodes import Float, Floats, Function, Int, Ints
from freewheel.machine.records import Records, array, record
from freewheel.runtime.delays.lookup import History

FOLLOWS = 1  # a row that time bends, or an input: it is refreshed
CURVED = 2  # no linear function of its records: its polynomial is true only for a while
# What the polynomial of a row misses between two steps: jumps or bends without an event; what time does.
CORNERS, TIME = 1, 2
ASKED = 0  # who asks about a relation: discrete equations of any kind, an event for the caller;
ALONE = 1  # nobody but rows;
HANDLED = 2  # a few discrete variables
DELAYED, DELAYED_SLOPE, TRANSPORTED, TRANSPORTED_SLOPE = 0, 1, 2, 3  # looks: program/past.py


@record
class QuantizedState:
    """A state, an input or a delayed value. Code of the model reads q; where it shall see the continuous
    polynomial, it gets other records, which have that one as their q."""

    q0: Float  # quantized: value, slope, half the second derivative, the time they belong to
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
    last_step: Float  # when that was (linearly implicit method of order 2)
    refresh: Float  # time until its row is looked at again; negative: of a curved row, that is next


@record
class QssRow:
    """A formula of the model. Its functions get (memory, table from `first` on, states, t, out)."""

    evaluate: Function  # value and derivatives by time
    evaluate_with_slope: Function  # of a derivative; behind them the one by its own state
    has_slope: Int  # 0: there is none
    slopes: Function  # derivatives by all its records; of a relation where they are constant
    has_slopes: Int
    first: Int  # in `table`: numbers of records, then of what else it reads
    count: Int  # of records
    follows: Int  # FOLLOWS, CURVED or 0
    misses: Int  # of a derivative: CORNERS, TIME or 0


@record
class QssRelation:
    status_slot: Int
    status_watch: Int  # number of its status among watched slots, or -1
    scope: Int  # ASKED, ALONE or HANDLED
    is_straight: Int  # a straight line of time alone, whose zero is exact
    is_noted: Int  # its crossing will be predicted anew
    is_far: Int  # as long as states stay within their bounds around q it cannot cross
    quick: Int  # crossings in a row that came at once
    shrinks: Int  # how many times in a row the time between two crossings has become shorter
    delta: Float  # how far beyond zero counts as beyond
    size: Float  # how large the residual has been
    coarse: Float  # times the noise: ten times more for each wrong prediction in a row
    last: Float  # when it crossed last
    gap: Float  # time between the last two crossings
    status: Float  # for which the crossing was predicted
    band: Float  # around zero: noise within it is no crossing (`events/chattering.py`)
    look: Float  # how soon a residual that time or states bend is looked at again
    at: Float  # when it was looked at, and its parabola there
    z0: Float
    z1: Float
    z2: Float


@record
class QssHandler:
    """A discrete variable behind a relation (program/handlers.py)."""

    target_slot: Int
    pre_slot: Int  # of its pre value, or -1
    state: Int  # that jumps when it is true, or -1
    value_slot: Int  # of the state's new value
    target_watch: Int  # numbers of target and pre value among watched slots, or -1
    pre_watch: Int


@record
class PastItem:
    """A signal that is remembered, or a look at one, whose record is a delayed value."""

    row: Int  # of the signal; of a look that of the delay time or of x in a pipe, or -1
    is_bent: Int  # its polynomial is true only for a while
    is_noted: Int  # it will be brought up to date
    look: Float  # until it is looked at again, where it is bent
    since: Float  # the last time
    # of a signal
    value: Float  # its polynomial at that time
    slope: Float
    bend: Float
    # of a look
    kind: Int  # DELAYED ...
    number: Int  # of the line, or of the end of a pipe
    lag_slot: Int  # of a delay time that never varies
    segment: Int  # number of the one in use
    entry_segment: Int  # and of that of x in a pipe


@record
class PointLookedAt:
    """A time in the past; of a pipe first a place, until it is known when what is there has entered."""

    at: Float
    slope: Float
    bend: Float
    end: Float  # of what is known there
    lag: Float  # of a delay that never varies
    speed: Float  # of a pipe: how fast x was then,
    acceleration: Float  # and how that changed
    is_new: Int  # the record differs from what it was


@record
class Heap:
    """Times of items; see `qss/heap.py`."""

    count: Int
    items: Ints = array("count")  # by place
    places: Ints = array("count")  # by item
    times: Floats = array("count + 4")  # by place; behind the last there are times that never come


@record
class Lists:
    """Numbers listed for each of several owners: from items[starts[owner]] up to items[starts[owner + 1]]."""

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
    view: Records[QuantizedState] = array("view_count")  # as relations and events see them
    rows: Records[QssRow] = array("row_count")
    table: Ints = array("table_size")
    relations: Records[QssRelation] = array("relation_count")
    readers: Lists  # record -> derivatives that see it
    watchers: Lists  # record -> relations that see it
    columns: Ints = array("n")  # of states in a stored row, -1 where they are not
    missing: Int  # derivatives whose polynomials may miss something
    widest: Int  # records of the widest row

    # ------------------------------------------------------------ held numbers: events change, rows read them
    watched: Int
    held_slots: Ints = array("watched")
    held: Floats = array("watched")  # their values
    held_readers: Lists  # held number -> rows
    awake_slot: Int  # see `CompiledModel.awake`
    handler_count: Int
    handlers: Records[QssHandler] = array("handler_count")
    handling: Lists  # relation -> handlers
    asleep: Lists  # relation -> those its handlers must wake

    # ------------------------------------------------------------ settings
    method: Int  # its kind: `qss/methods.py`
    order: Int
    is_implicit: Int
    events_see_q: Int  # 1: relations, events and algebraic variables see q of stiff states, else x
    only_states: Int  # 1: rows of the result hold nothing else, and nobody listens to the model
    start: Float
    stop: Float
    horizon: Float  # as far as linearly implicit steps look: a little beyond the stop
    stiff: Float  # -a of states that are seen by their q
    longest_look: Float  # at rows that follow time
    max_steps: Int
    relative: Floats = array("n")  # quanta
    absolute: Floats = array("n")

    # ------------------------------------------------------------ how things stand
    heap: Heap  # items: states, relations, rows that follow time, signals, looks
    t: Float
    limit: Float
    last_t: Float  # when time moved on last
    stalled: Int  # steps since then
    budget: Int
    asked: Int  # 1: the caller wants to hear from us at once; another thread writes it
    subject: Int  # the item that the outcome is about; of an event the relation
    failure: (
        Int  # what ends the run, of `outcomes`: noted where it happens, asked about after each item
    )
    failed_row: Int
    q_before: Float  # of the state that takes a step: its q and its rate before
    rate_before: Float
    out: Floats = array("8")  # results of a row
    slopes: Floats = array("widest")
    other_slopes: Floats = array("widest")
    sides: Floats = array("n")  # of q beside x (centred method)
    due: Floats = array("n")  # when a state is due whose row is looked at before
    jumped: Ints = array("n")  # 1: a state that an event has given another value
    noted: Int  # relations to be predicted anew
    noted_relations: Ints = array("relation_count + 1")

    # ------------------------------------------------------------ counters
    steps: Int
    evaluations: Int
    predictions: Int  # of crossings
    refreshes: Int
    paired: Int  # steps that moved two states together
    local_events: Int

    # ------------------------------------------------------------ the past, see `delays_kernels.py`
    signal_count: Int
    look_count: Int
    first_looked: Int  # record of the first look
    first_past_item: Int  # of the heap
    past: Records[PastItem] = array("signal_count + look_count")
    past_noted: Int
    noted_past: Ints = array("signal_count + look_count + 1")
    past_full: Int  # a signal whose segments need room, and 1
    past_readers: Lists  # record -> signals and looks that see it
    lookers: Lists  # signal -> looks
    signal_relative: Float  # quantum of signals of time alone
    signal_absolute: Float
    looked_at: PointLookedAt
    history: History  # what is remembered: `delays/lookup.py`
