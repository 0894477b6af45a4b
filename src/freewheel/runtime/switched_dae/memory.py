"""The memory of an implicit core (ideal elements), as records that its kernels share.

The core is F(y', y, t; b) = 0 with n unknowns. The bits b lie in the memory of the model, `m` in kernels,
from `core.bits` on; fields that end in `_slot` or `_slots` are places in it. Each position of the bits that
has been met is a mode with a record of its own:

    number = find_mode(core, m)             # -1: this position is new
    mode = core.visited[number].mode
    mode.index, mode.states, mode.to_y[i]

A mode is analysed by Python (`runtime/switched_dae/mode_analysis.py`), while a kernel waits: the table of
modes grows then, and arrays whose size the analysis decides may be others afterwards (`moves`). Records of
modes stay where they are. `runtime/switched_dae/arrays.py` allocates all of this.
"""

from __future__ import annotations

from freewheel.machine.kernel_nodes import Float, Floats, Function, Int, Ints, Section
from freewheel.machine.records import Records, array, record

# What settling an event gives back.
FINISHED, NEED_MODE, RAY, CONTRADICTION, NO_MODE = range(5)
FOLDED = 5  # the curve of `cause` has a fold, and no piece beyond it has a solution
NO_AGREEMENT = 6  # discrete equations and modes change each other for ever

# What `refresh` is asked for instead of a mode's number; and at which values.
PRESENT, REPORT, BY_START, BY_PIECE, UNBROKEN, AT_REST = -1, -2, -3, -4, -5, -6
GO_ON = -7  # nothing, but is refused where the run is to end
AT_Y, AT_Y1, AT_BEFORE, AT_SAVED = range(4)


@record
class Mode:
    """One position of all bits: its matrices, and what follows from them."""

    n: Int
    key_words: Int
    key: Ints = array("key_words")  # its bits, 62 to a word
    was_taken: Int  # 1: a step was made in it
    h_good: Float  # the step size that error control found good in it; 0: none yet
    # ------------------------------------------------------------ what the analysis has found
    is_linear: Int
    is_singular: Int  # 1: unknowns are left open
    is_graded: Int  # 1: numbers differ so much that each row has a rounding of its own
    index: Int
    levels: Int  # of time derivatives that restarts need
    tau: Float  # time scale
    tied: Int  # combinations of rows that say nothing
    matrices: Floats = array("2 * n * n")  # dF/dy, then dF/dy', by rows
    weights: Floats = array("n")  # above zero for unknowns whose rates occur
    level_scale: Floats = array("3 * n")  # scales of rows, of three levels
    column: Floats = array("n")  # typical sizes of unknowns beside each other
    part: Ints = array("n")  # of the mode: of each unknown,
    row_part: Ints = array("n")  # of each row,
    open_part: Ints = array("n")  # of each open direction
    open: Int  # directions left open that elements see,
    unseen: Int  # that none sees
    open_count: Int  # both
    open_rows: Floats = array("open_count * n", moves=True)  # these directions
    # ------------------------------------------------------------ of a linear mode
    # A row for each residual of each level: what it does to y, to y', to the rates of the states; then a row
    # for each state: what it does to y; rates of the states from the states.
    states: Int
    residuals: Int
    linear_states: Int  # `states`, else 0
    to_y: Floats = array("residuals * n", moves=True)
    to_slope: Floats = array("residuals * n", moves=True)
    to_states: Floats = array("residuals * linear_states", moves=True)
    follow: Floats = array("linear_states * n", moves=True)
    motion: Floats = array("linear_states * linear_states", moves=True)
    # ------------------------------------------------------------ of any other
    bent_n: Int  # n, else 0
    gauge: Floats = array("bent_n * bent_n")  # keeps in place what nothing determines
    projector: Floats = array("bent_n * bent_n")  # of errors, onto consistent values
    restart: Floats = array("12 * bent_n * bent_n")  # 4 n times 3 n: from residuals to y, y', ...
    analysed: Floats = array("2 * bent_n * bent_n")  # `matrices` as they were then
    # ------------------------------------------------------------ factors
    factored: Int  # rows of the factors: states of a linear mode, else n
    h_factored: Float  # the step size they belong to; 0: none
    are_good: Int  # 1: Newton's iteration was quick with them
    lu: Floats = array("factored * factored", moves=True)
    lu_real: Floats = array("factored * factored", moves=True)
    lu_imaginary: Floats = array("factored * factored", moves=True)
    row_scale: Floats = array("n")  # of the real and the complex matrix
    row_scale_complex: Floats = array("n")
    pivots: Ints = array("2 * n")
    # ------------------------------------------------------------ what has followed
    by_logic: Int  # the mode after the model's logic switched last, from 1; 0: never
    successor: Ints = array("n")  # by element: the mode after it fired last, likewise
    # ------------------------------------------------ relations as bounds, see `bounds_kernels.py`
    bound_count: Int
    bound_changes: Int  # for each relation one along each direction that no element sees
    bound_rounding: Float  # what is rounding beside them
    bound_residual_slots: Ints = array("bound_count", moves=True)
    bound_status_slots: Ints = array("bound_count", moves=True)
    bound_gradient: Floats = array("bound_changes", moves=True)


@record
class Visited:
    key: Int  # the first word of the mode's key
    mode: Mode


@record
class Element:
    """A corner of a curve: its bit is set while its unknown is above it."""

    unknown: Int
    bit: Int  # number of the bit
    bit_slot: Int
    place_slot: Int  # of the corner; -1: it is at zero
    held_slot: Int  # not zero while a gate or a latch keeps the element on one side; -1: never
    held_bit: Float  # its bit then
    relation: Int
    is_marked: Int  # 1: beyond its guard in the last step
    # 1: on its side for as long as a piece of its curve is tried (`position_search.py`)
    is_pinned: Int
    # Its unknown is two things, a current above the corner and a voltage below, and has two sizes.
    size_below: Float
    size_above: Float
    ever_below: Float
    ever_above: Float


@record
class CornerStatus:
    """The status of a relation that follows a bit."""

    bit_slot: Int
    status_slot: Int
    residual_slot: Int
    sense: Float  # its value while the bit is set


@record
class Core:
    # ------------------------------------------------------------ the model
    rates: Section  # rates(m, t, order, ys, out): out = d^order F / dt^order along ys = (y, y', y'', ...)
    jacobians: Section  # jacobians(m, t, y, slope, out): out = dF/dy, then dF/dy', by rows
    model_rates: Function  # the model's own, where inputs must be followed
    model_jacobians: Function
    switches: Section  # bits that are no corners
    derivatives: Section  # the sections around the core
    discrete: Section
    relations: Section
    initial: Section
    refresh: Function  # Python: refresh(mode or what else, which values, t)
    n: Int
    element_count: Int
    bits: Int  # slot of the first
    bit_count: Int
    time_slot: Int
    states_slot: Int
    slopes_slot: Int
    settled_slot: Int  # `initial` keeps y while it is set; -1: there is none
    awake_slot: Int  # 0.0 while all relations matter to somebody; -1: there is none
    shell_count: Int  # how many of y are states of the shell
    is_linear: Int  # F is linear in every mode
    is_timeless: Int  # F does not depend on time itself
    curves: Int  # 1: a curve has several corners, 2: some element has one; 0: none
    elements: Records[Element] = array("element_count")
    status_count: Int
    statuses: Records[CornerStatus] = array("status_count")
    input_count: Int
    input_slots: Ints = array("input_count")
    input_lines: Floats = array("5 * input_count")  # t0, y0, slope, t1, y1 of each
    # ------------------------------------------------------------ settings
    rtol: Float
    h_max: Float
    is_first_order: Int  # 1: backward Euler with steps of `h_max`, for teaching
    atol: Floats = array("n")
    # ------------------------------------------------------------ modes
    mode_count: Int
    modes_made: Int  # records of modes that there are
    mode_room: Int
    visited: Records[Visited] = array("mode_room", moves=True)
    mode: Int  # the present one
    mode_before: Int  # -1: none
    is_fresh: Int  # 1: the matrices of the present mode are those of its values
    # ------------------------------------------------------------ the step
    t: Float
    h: Float
    usual: Float  # the mean size of steps of late
    quick: Int  # events since the last step that did not end at once
    is_unsure: Int  # 1: no mode was found that lasts, a burst is to come
    look: Float  # how far the selection of a mode looks ahead
    allowed: Float  # how far beyond its corner an element was at the last restart
    error: Float
    rest: Float  # Newton's last change of what is no state in a mode of higher index, as its size is measured
    fired: Int  # element with the smallest guard
    # 2: the step ends on an event; at an event: 1 while a mode is being analysed, else -1
    wanted: Int
    y: Floats = array("n")
    y1: Floats = array("n")
    trial: Floats = array("n")
    slope: Floats = array("n")
    err: Floats = array("n")
    output: Floats = array("n")
    z: Floats = array("3 * n")  # stages
    r: Floats = array("3 * n")  # three residuals, or three levels
    v: Floats = array("3 * n")  # transformed: real, real part, imaginary part
    ys: Floats = array("4 * n")  # y, y', y'', y'''
    p: Floats = array("3 * n")  # slopes of stages
    dys: Floats = array("4 * n")  # changes of `ys`; of linear modes the values amid a step
    # Slopes at the end of the last step that is longer than rounding of time
    trend: Floats = array("n")
    # ------------------------------------------------------------ how large unknowns are, see `scaling.py`
    size: Floats = array("n")  # what each unknown has been of late
    ever: Floats = array("n")  # the largest it has been
    floor: Floats = array("n")  # the least that counts beside the others
    corner_floor: Floats = array("n")  # the same of guards
    # By part of the mode: the largest of its unknowns, in units of their columns
    parts: Floats = array("n")
    rough: Floats = array("n")  # a thousand million times what rounding makes of each unknown
    tick: Floats = array("n")  # what rounding of the time makes of each unknown, by way of leaks
    row_size: Floats = array("n")  # of a graded mode: what each row adds up
    size_before: Floats = array("n")  # a step that ends beyond a guard
    ever_before: Floats = array("n")
    # ------------------------------------------------------------ the event
    before: Floats = array("n")  # values a second round restarts from
    saved: Floats = array("n")  # values before the event
    cause: Int  # element that fired, -1: the model's own logic
    step_cause: Int  # element whose guard ended the last step,
    cause_time: Float  # and when
    settled: Int  # rounds of selection and restart
    settled_at: Float  # the last event: when,
    settled_for: Int  # and which element caused it
    guess: Int  # which guess of the next mode is tried
    is_guessed: Int  # 1: the present mode is one
    renewed: Int  # how often the matrices of a mode that bends were made anew at this event
    nearer: Int  # how often this event looked less far ahead than usual,
    hasty: Int  # and the mode found before, from 1; 0: none
    is_starting: Int  # 1: the run starts, unknowns of elements hold their start values
    # At the event of a fold: 1 or -1, the direction in which the curve of `cause` is passed; else 0.
    fold: Int
    failed: Int  # what went wrong
    is_stopped: Int  # 1: by an exception that ends the run, such as Ctrl-C
    event_time: Float  # of the event that is being settled; infinite: none is
    switches_key: Float  # of bits that are no corners, as settled last
    settled_y: Floats = array("n")  # y as settled last
    impulse: Floats = array("n")  # E (y+ - y-)
    impulse_waits: Int  # 1: to be reported when integration goes on
    offset: Floats = array("n")  # what a search at the start adds to what the initial system gives
    wished: Floats = array("n")  # both together: y before ideal elements make it consistent
    # ------------------------------------------------------------ selecting a mode, see `position_search.py`
    active: Ints = array("element_count")  # elements that are decided together
    basis: Ints = array("n + element_count + 1")
    zeros: Floats = array("n * n")  # matrices with all elements below,
    ones: Floats = array("n * n")  # and above their corners
    both: Floats = array("2 * n * n")
    matrix: Floats = array("n * n")
    right: Floats = array("(element_count + 1) * n")
    constant: Floats = array("n")
    point: Floats = array("2 * n")
    row_scale: Floats = array("n")
    column_scale: Floats = array("n")
    above_scale: Floats = array("element_count")
    signs: Floats = array("element_count")
    first_signs: Floats = array("element_count")
    pair_scale: Floats = array("element_count")
    pair: Floats = array("element_count")
    table: Floats = array("element_count * (2 * element_count + 2)")
    # ------------------------------------------------------------ steps of Moreau's, see `moreau_step.py`
    inverse: Floats = array("n * n")  # of the basis, in the order of pivots:
    rows_of: Ints = array("n")
    columns_of: Ints = array("n")
    misfit: Floats = array("n")
    terms: Floats = array("n")  # how large they are in each row
    found_signs: Floats = array("element_count")  # after the second of two steps ahead
    warm_signs: Floats = array("element_count")
    is_swapped: Ints = array("element_count")
    noise: Floats = array("element_count")  # what rounding makes of `pair`
    pairs: Floats = array("element_count * element_count")
    lemke_table: Floats = array("element_count * (2 * element_count + 2)")
    lemke_basis: Ints = array("element_count")
    lemke_solution: Floats = array("element_count")
    ahead: Floats = array("2 * n")  # where two steps lead
    # ------------------------------------------------------------ what is open, see `undetermined.py`
    open_z: Floats = array("n")
    open_a: Floats = array("element_count * n")
    open_g: Floats = array("element_count")
    open_bounded: Floats = array("element_count")
    open_work: Floats = array("(n + 2) * (element_count + n + 2) + 2 * n * n + 3 * n + 1")
    bound_room: Int
    bound_work: Floats = array("bound_room", moves=True)
    # ------------------------------------------------ a mode analysed again, see `analysis_renewal.py`
    renewed_n: Int  # n where that is small, else 0
    scaled_a: Floats = array("renewed_n * renewed_n")
    scaled_e: Floats = array("renewed_n * renewed_n")
    jump_rows: Floats = array("renewed_n * renewed_n")
    value_rows: Floats = array("renewed_n * renewed_n")
    levels_found: Floats = array("12 * renewed_n * renewed_n")
    renew_work: Floats = array("26 * renewed_n * renewed_n + 8 * renewed_n")
    spare: Floats = array("8 * n")  # of `equations.py`
    # ------------------------------------------------------------ counters
    steps: Int
    bursts: Int  # see `moreau_burst.py`,
    burst_steps: Int  # and the steps of all of them
    rejected: Int
    repeated: Int
    selections: Int
    pivots_made: Int
    jacobian_count: Int
    factor_count: Int
    newton_count: Int
