"""The memory of the time loop, as a record that all its kernels share.

    loop.y[i] += loop.h * loop.f[i]

`runtime/loop/workspace.py` allocates it; arrays that belong to a method, to events or to inputs have no
elements until somebody asks for them. Fields that end in `_slot` or `_slots` are places in the memory of the
model (`memory`, `m` in kernels), which like stored rows belongs to the caller.
"""

from __future__ import annotations

from freewheel.machine.kernel_nodes import Float, Floats, Function, Int, Ints, Section
from freewheel.machine.records import array, record
from freewheel.runtime.delays.lookup import History
from freewheel.runtime.events.sliding.vector_field import ConstrainedMotions
from freewheel.runtime.switched_dae.memory import Core

# Vectors of residuals of corners: at the ends and inside of the step, and the largest ever.
C_LEFT, C_QUARTER, C_MIDDLE, C_THREE, C_END, C_DIP, C_LARGEST = range(7)
MODE_TABLE = 256  # modes whose first step sizes are kept; two that share a place forget each other


@record
class MultistepLibrary:
    """CVODE or IDA: functions of the library, handles of its objects, its vectors as arrays."""

    step: Function  # `CVode` or `IDASolve`
    interpolate: Function  # `GetDky`
    reinitialise: Function  # `ReInit`
    set_first_step: Function
    set_stop: Function
    rejected_steps: Function  # counts since the last restart
    factorisations: Function
    newton_iterations: Function
    is_ida: Int
    n: Int
    memory: Int  # handles: of the integrator,
    y_vector: Int  # of vectors of states,
    slope_vector: Int  # of derivatives,
    trial_vector: Int  # and of states that it interpolates
    first_step: Float  # after the next restart; 0: the library chooses it
    y: Floats = array("n", outside=True)
    slope: Floats = array("n", outside=True)
    trial: Floats = array("n", outside=True)
    step_end: Floats = array("1")  # where it writes the end of its step
    count: Ints = array("1")  # where it writes one of its counts
    past_counts: Ints = array("3")  # rejected, factored, Newton: from before the last restart


@record
class Loop:
    # ------------------------------------------------------------ the model
    discrete: Section  # its equations: discrete ones,
    derivatives: Section  # slopes of states,
    outputs: Section  # what depends on both,
    relations: Section  # residuals,
    jacobian_section: Function  # derivatives of the slopes
    choose_states: Section  # at events, see `events/dynamic_states.py`
    chooses_states: Int  # 1: there is something to choose
    memory: Floats = array("memory_size", outside=True)
    n: Int  # states
    relation_count: Int
    row_width: Int  # slots in a stored row
    memory_size: Int  # slots of the model
    time_slot: Int
    states_slot: Int
    derivatives_slot: Int
    message_watch: Int  # 0: no messages, 1: ask after each step, 2: ask when the flag is up
    message_slot: Int  # the flag
    awake_slot: Int  # see `CompiledModel.awake`
    # How nonlinear loops are solved; 0: there are none (`events/branch_following.py`)
    follow_slot: Int
    branches: Int  # nonlinear loops
    # First and stop of those in which each keeps its branch
    branch_slots: Ints = array("2 * branches")
    swing_slot: Int  # how fast what relations look at swings; -1: nothing is known to
    stored_slots: Ints = array("row_width")
    status_slots: Ints = array("relation_count")
    residual_slots: Ints = array("relation_count")
    time_only: Ints = array("relation_count")  # 1: the relation depends on time alone
    is_watch: Ints = array("relation_count")  # 1: of what is remembered: it may come at any pace
    core: Core  # the implicit core, where `own_steps` is 2
    stored_count: Int  # beside an implicit core: its unknowns, else 0
    is_stored: Ints = array("stored_count")  # 1: a state in some mode
    has_history: Int  # 1: something is remembered
    # Where something is (`delays/past.py`): the step just proposed, and what an event does
    remember_step: Function
    hold_breaks: Function
    move_breaks_on: Function
    put_breaks_back: Function
    mark_breaks: Function
    history: History  # what `delay(..)` and `spatialDistribution(..)` look back at
    inputs: Int  # that are straight lines at present
    input_slots: Ints = array("inputs")
    input_lines: Floats = array("5 * inputs")  # t0, y0, slope, t1, y1 of each

    # ------------------------------------------------------------ settings
    start: Float
    stop: Float
    interval: Float  # of the output grid
    rtol: Float
    longest: Float  # step
    shortest: Float
    fixed: Float  # size of fixed steps
    is_fixed: Int
    is_optimistic: Int  # 1: a step is never repeated, however large its error
    max_steps: Int
    record_events: Int  # 1: two rows at each event
    root_solver: Int  # see `events/root_solvers.py`
    detection: Int  # see `events/detection.py`
    atol: Floats = array("n")

    # ------------------------------------------------------------ the method
    attempt: Function  # tries a step
    interpolate: Function  # makes its interpolant
    restart_method: Function  # after an event, where `own_steps` is 1
    error_order: Int  # of the error estimate; 0: fixed steps
    is_weak: Int  # the interpolant is weaker than the step
    stages: Int
    detects_stiffness: Int
    # 1: a library chooses step sizes and interpolates by itself; 2: an implicit core
    own_steps: Int
    tableau_size: Int
    tableau: Floats = array("tableau_size")

    # ------------------------------------------------------------ the present step
    t: Float
    h: Float  # to be tried next; 0: not yet known
    t1: Float  # end of the step
    h_taken: Float  # size of the step as computed, from which the interpolant counts
    error: Float
    previous_error: Float
    shrink: Float
    stiffness: Float
    limit: Float
    phase: Int  # 0: a step is next; 1: a step waits for its rows; 2: an event waits; 3: to be remembered
    memory_at_end: Int  # the model's memory holds the end of the step
    dense_ready: Int  # the interpolant is computed
    iterations: Int  # of Newton in the last attempt
    fold_h: Float  # before a fold: the shortest step that was refused; 0: none
    fold_steps: Int  # taken since, none of which has brought it nearer
    stiff_steps: Int
    calm_steps: Int
    section_status: Int  # of a section that failed
    failed_section: Int  # which one
    y: Floats = array("n")
    f: Floats = array("n")
    y1: Floats = array("n")
    f1: Floats = array("n")
    # How large each state was lately. One that oscillates is judged by its size, not by how near to zero it
    # happens to be: else every zero would ask for tiny steps.
    lately: Floats = array("n")
    trial: Floats = array("n")
    k: Floats = array("7 * n")  # stages
    before: Floats = array("n")  # the stage before the last of dopri5
    dense: Floats = array("4 * n")  # coefficients of theta, theta**2, ...

    # ------------------------------------------------------------ implicit methods
    last_t: Float  # where the interpolant of the step before begins
    last_h: Float
    has_last: Int  # there is one
    h_factored: Float
    rate: Float  # of convergence of Newton's iteration
    have_jacobian: Int
    jacobian_is_fresh: Int  # it belongs to the present point
    have_factors: Int
    rejected_before: Int
    last_y: Floats = array("n")
    last_dense: Floats = array("4 * n")
    slope_t: Floats = array("n")  # df/dt
    stage_values: Floats = array("3 * n")
    stage_slopes: Floats = array("3 * n")

    # ------------------------------------------------------------ matrices, by compressed sparse columns
    is_sparse: Int
    is_analytic: Int  # the model computes its Jacobian
    column_count: Int  # n where there is a matrix, else 0
    nonzeros: Int
    model_nonzeros: Int
    groups: Int
    column_starts: Ints = array("column_count + 1")
    row_numbers: Ints = array("nonzeros")
    jacobian: Floats = array("nonzeros")
    group_starts: Ints = array("groups + 1")
    group_columns: Ints = array("column_count")
    jacobian_map: Ints = array("model_nonzeros")  # element of the model's Jacobian -> of the matrix
    model_jacobian: Floats = array("model_nonzeros")
    dense_rows: Int  # of dense factors: n or 0
    dense_rows_complex: Int
    pivots: Ints = array("dense_rows")
    pivots_complex: Ints = array("dense_rows_complex")
    dense_factors: Floats = array("dense_rows * dense_rows")
    dense_factors_real: Floats = array("dense_rows_complex * dense_rows_complex")
    dense_factors_imaginary: Floats = array("dense_rows_complex * dense_rows_complex")
    sparse_columns: Int  # of sparse factors: n or 0
    have_symbolic: Int  # pivots and pattern of the sparse factors
    lu_space: Int
    lu_space_complex: Int
    column_order: Ints = array("sparse_columns")
    pivot_of_row: Ints = array("sparse_columns")
    l_starts: Ints = array("sparse_columns + 1")
    u_starts: Ints = array("sparse_columns + 1")
    integer_scratch: Ints = array("4 * sparse_columns")
    sparse_scratch: Floats = array("2 * sparse_columns")
    l_rows: Ints = array("lu_space")
    u_rows: Ints = array("lu_space")
    l_values: Floats = array("lu_space")
    u_values: Floats = array("lu_space")
    l_real: Floats = array("lu_space_complex")
    l_imaginary: Floats = array("lu_space_complex")
    u_real: Floats = array("lu_space_complex")
    u_imaginary: Floats = array("lu_space_complex")

    # ------------------------------------------------------------ a library that steps by itself
    library: MultistepLibrary  # where `own_steps` is 1
    packed_rows_size: Int
    packed_starts_size: Int
    # Pattern of the matrix: 32-bit indices, two in a word
    packed_rows: Ints = array("packed_rows_size")
    packed_starts: Ints = array("packed_starts_size")

    # ------------------------------------------------------------ counters
    steps: Int
    rejected: Int
    evaluations: Int
    jacobians: Int
    factorisations: Int
    newton_iterations: Int
    locations: Int  # evaluations spent on locating crossings

    # ------------------------------------------------------------ what is stored
    row_count: Int
    max_rows: Int
    rows: Floats = array("max_rows * row_width", outside=True)
    size_count: Int
    max_sizes: Int
    step_sizes: Floats = array("2 * max_sizes", outside=True)  # time and size of each step
    grid_points: Int  # of the output grid that have passed
    budget: Int  # steps until the caller wants to hear from us
    asked: Int  # 1: it wants to at once; another thread writes it
    pause_at: Float  # and at the first end of a step from there on

    # ------------------------------------------------------------ crossings
    crossed: Int
    crossing_time: Float
    # 1 + number of the relation whose corner ended the step of an implicit core; 0: none
    core_event: Int
    end_is_event: Int  # an event is known to happen at the limit
    predicted: Float  # a relation of time alone becomes zero there
    prediction_is_sure: Int  # 1: `predicted` is the first zero of all the others
    own_nonlinear_count: Int  # of the model without sliding and rest
    nonlinear_count: Int  # relations that may cross zero inside a step, but those of a core
    which: Ints = array("3 * relation_count")  # out: which relations cross; scratch
    residuals_left: Floats = array("relation_count")  # at the beginning of the step
    residuals_quarter: Floats = array("relation_count")
    residuals_middle: Floats = array("relation_count")
    residuals_three_quarters: Floats = array("relation_count")
    residuals_end: Floats = array("relation_count")
    residuals_dip: Floats = array("relation_count")
    residuals_a: Floats = array("relation_count")  # at the ends of the bracket
    residuals_b: Floats = array("relation_count")
    slopes_a: Floats = array("relation_count")
    slopes_b: Floats = array("relation_count")
    residuals_found: Floats = array("relation_count")
    residuals_beside: Floats = array("relation_count")
    residuals_crossing: Floats = array("relation_count")  # out
    wanted: Floats = array("relation_count")  # sides of relations in a trial; 0: free
    # Round-off around zero in which a relation keeps its status
    bands: Floats = array("relation_count")
    forgiven: Floats = array("relation_count")  # bands that last until the next event
    sizes: Floats = array("relation_count")  # how large each residual has been
    last_switch: Floats = array("relation_count")  # when each relation switched last
    gaps: Floats = array("relation_count")  # time between its last two switches
    # How many times in a row that time has become shorter
    shrinks: Floats = array("relation_count")
    # How many times in a row a relation has switched at once
    quick: Floats = array("relation_count")
    quick_before: Floats = array("relation_count")  # the event
    rises: Floats = array("relation_count")  # slopes of residuals of time alone; of others 0
    time_slopes: Floats = array("relation_count")  # of residuals of time alone,
    seen_at: Floats = array("relation_count")  # which passed this time
    seen: Floats = array("relation_count")  # with this value
    zeros: Floats = array("relation_count")  # and become zero here
    chain_size: Int
    chain: Floats = array("chain_size")  # scratch of polynomials

    # ------------------------------------------------ corners without events, see `events/detection.py`
    corner_count: Int
    corner_time: Float  # where the last values were taken
    corners_seen: Int  # 1: values at the end of the step are there, 2: also in its middle
    corner_slots: Ints = array("corner_count")
    corner_values: Floats = array("7 * corner_count")  # vectors C_LEFT, ...

    # ------------------------------------------------------------ events
    events_are_plain: Int  # 1: events are the loop's own business
    state_events: Int  # dealt with in this call, those of them that a relation made
    all_events: Int
    max_events: Int
    quick_gap: Float  # two switches of a relation closer than this are quick
    recent_size: Int  # so many events
    recent_count: Int  # of all so far
    chatter_window: Float  # within this time mean chattering
    recent: Floats = array("recent_size", outside=True)  # their times, in a ring
    input_break: Float  # time of the next discontinuity of an input
    break_jumps: Int  # 1: the input jumps there
    moves_inputs: (
        Int  # 1: the loop asks for the next pieces of inputs there; 0: that is left to Python
    )
    inputs_moved: Int  # 1: at the present event
    move_inputs_on: Function  # to the pieces that begin at the present time
    put_inputs_back: Function  # to those before
    jump_text: Int  # number of the text of this cause in the event log
    cause_text: Int  # likewise, of what has changed the states before the event; -1: nothing
    most_rounds: Int  # of the event iteration, and of each way in it
    # 1: the iteration uses the search of `events/status_search.py`
    is_thorough: Int
    iteration_outcome: Int  # why it did not settle, see `events/iteration_kernels.py`
    agree_thoroughly: Function  # of `events/status_search.py`
    collects: Int  # 1: messages are collected; 0: the first one ends the iteration
    forget_messages: Function  # those of trials
    collect_messages: Function  # those of a point, for Python; 1: there is an error among them
    collected: Int  # points whose messages are kept,
    collected_before_row: Int  # before the row of the right limit
    drop_last_messages: Function  # of these points, the last one
    settles_all: Int  # 1: the loop settles every event, and keeps its messages; 0: only plain ones
    event_stage: Int  # which part of an event has failed
    has_failed_trials: Int  # 1: an implicit core had no solution in a trial
    forget_failed_trials: Function
    # 1: the loop looks at `bands`; 0: it has others, and whoever knows both may widen them
    keeps_bands: Int
    moves_values: Int  # 1: discrete values may move together with statuses
    failures: Int  # evaluations of the present search that had no solution
    reported_failure: Int  # number of the one that is reported; 0: none
    failing_size: Int  # memory_size where a search is possible, else 0
    failing: Floats = array("failing_size")  # the memory before that evaluation
    touched: Ints = array("relation_count")  # 1: its status changed while all followed
    influenced: Ints = array("relation_count")  # these, and what they influence
    contradicted: Ints = array("relation_count")  # by the residuals of a choice
    involved: Ints = array("relation_count")  # numbers of the relations whose choices are tried
    flipped: Ints = array("relation_count")  # of these, the ones that are turned round
    # At the start: relations on one unknown, by whose number; the number is -1 where there is but one
    curve_size: Int  # relation_count, or 0 where no unknown has several
    most_corners: Int  # of one curve
    curve_of: Ints = array("curve_size")
    curve_slopes: Floats = array("curve_size")
    next_corner: Ints = array("curve_size")  # relation whose corner each curve comes to first
    seen_sizes: Floats = array("relation_count")  # of residuals, those of trials included
    old_bands: Floats = array("relation_count")  # before some were widened
    bands_before: Floats = array("relation_count")  # the event
    two_residuals: Floats = array("2 * relation_count")  # where all involved are up, and down
    changing: Ints = array("pairs")  # out: 1: a value that keeps changing
    pairs: Int  # of discrete values and their pre values
    pair_slots: Ints = array("2 * pairs")  # of the values, then of the pre values
    margins: Floats = array("pairs")  # by how much a discrete value may differ from its pre value
    reinits: Int
    reinit_slots: Ints = array("3 * reinits")  # of state, new value and flag
    samples: Int
    is_due: Int  # 1: samples are due at the present event
    sample_slots: Ints = array("samples")  # of `active`
    sample_counts: Ints = array("samples")  # number of the next instant of each
    sample_series: Floats = array("5 * samples")  # start and interval of each
    saved_size: Int  # memory_size, 0 in workspaces of callbacks
    saved: Floats = array("saved_size")  # the model's memory as it was before an event
    after: Floats = array("saved_size")  # and after it
    tried_size: Int
    # Four memories: before statuses followed, the other outcome, the one taken, before an evaluation
    tried: Floats = array("tried_size")
    snapshot_size: Int
    snapshots: Floats = array("snapshot_size")  # statuses and pre values of the rounds so far

    # ------------------------------------------------ impacts by relation, see `events/impacts.py`
    impact_count: Int  # relation_count, or 0 where no state ever jumps
    impact_states: Int  # n times impact_count
    negligible_rise: Float  # of a residual, relative to its size
    has_jumped: Ints = array("impact_count")  # 1: a crossing made states jump
    impact_known: Ints = array("impact_count")
    impact_sides: Floats = array("impact_count")  # sign of the residual in flight
    impact_times: Floats = array("impact_count")  # of the last impact
    impact_fastest: Floats = array("impact_count")  # largest slope before or after an impact
    impact_shares: Floats = array("impact_count")  # of the slope that the last impact left
    impact_before: Floats = array("impact_states")  # states before the last impact
    impact_directions: Floats = array("impact_states")  # in which it changed them

    # ------------------------------------------------ sliding and rest, see `events/sliding/motions.py`
    can_constrain: Int  # 1: `constrained` is there
    keeps_method: Int  # 1: steps go on alike when a motion begins or ends
    is_constrained: Int  # 1: something slides or rests
    constrained: ConstrainedMotions
    find_motion_after: Function  # of `events/sliding/transitions.py`
    has_errors: Int  # 1: the model has raised an error in the present iteration
    # 1: switches back so soon that the motion may slide along its surface
    candidates: Ints = array("relation_count")
    # Why it does not, see `events/sliding/violations.py`
    violations: Ints = array("relation_count")
    is_counted: Int  # 1: the present event has been looked at by `count_switches`
    widest_band: Float  # of the size of a residual, around noise
    ways: Floats = array("relation_count")  # across zero, the last time
    # Of times between switches ever shorter; 0: none
    series_ratio: Floats = array("relation_count")
    series_gap: Floats = array("relation_count")  # the last of these times
    series_time: Floats = array("relation_count")  # when that was

    # ------------------------------------------------------------ the event log
    log_count: Int  # numbers in it
    max_log: Int
    log: Floats = array("max_log", outside=True)
    log_record: Int  # where the present event begins in it
    log_detail: Int  # 1: each change is noted, else causes only
    log_lacks: Int  # 1: a note did not fit
    log_reserve: Int  # numbers that must be free where an event begins

    # ------------------------------------------------ first steps of modes, see `integrators/first_steps.py`
    mode: Int  # key of the present mode while its first step is not yet taken, else -1
    mode_rejected: Int  # number of rejected steps when the mode began
    mode_places: Int  # 0: nothing is kept
    mode_keys: Ints = array("2 * mode_places")
    mode_sizes: Floats = array("mode_places")  # step sizes that proved good

    # ------------------------------------------------ ambiguous events, see `events/ambiguity.py`
    kept_bands: Floats = array("2 * relation_count")  # bands and forgiven ones, while trials go on
    alternatives_left: Int  # events left that may be gone through again
    alternative_rounds: Int  # rounds left for that
    has_alternative: Int  # 1: the last event could have ended otherwise
    order_matters: Int  # 1: several relations have disagreed at once
    small_step: Float  # with which outcomes are followed
    component_count: Int
    # Number of the component of each discrete value; -1: nobody's
    components_of: Ints = array("component_count")
