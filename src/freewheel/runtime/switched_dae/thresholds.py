"""Numbers of models with ideal switches. A size is that of an unknown in its part (`scaling.py`)."""

from __future__ import annotations

from typing import NamedTuple


class AnalysisThresholds(NamedTuple):
    """Of ranks in the matrices of a mode, which are balanced: rows and columns about one (`mode_analysis.py`,
    `subspaces.py`, `consistent_restart.py`, `round_off.py`, `graded_inverse.py`, `condensation.py`,
    `impulses.py`, `analysis_renewal.py`)."""

    # Absolute: rows are scaled to one (a relative bound misjudged a peak detector)
    rank: float = 1e-10
    # Of balanced matrices: far from what rounding leaves of a singular pencil
    regular: float = 1e-6
    # Of the largest singular value, in least squares: four digits above EPSILON
    left_out: float = 1e-12
    shifts: tuple[float, ...] = (0.7, 13.0)  # one of them may be an eigenvalue
    # Of the terms of an equation. Events are located to 1e-9 or better; what an equation is violated by
    # that makes an impulse is more.
    holds: float = 1e-6
    singular: float = 1e-11  # beside one: the matrices are balanced
    # The same where jumps and states make up the whole space, so that nothing is open: a state that is
    # faster than the rest by 1e5 lies as near to what jumps, and the square of that is no rank.
    slanted: float = 1e-14
    free: float = 1e-8  # beside one: a direction that the rows leave open; half of the digits
    amplified: float = 1e3  # in units of the mode: rounding becomes so much larger
    few: int = 60  # rows: more take too long in more digits
    most_renewed: int = 20  # unknowns of a mode that `core_renew` analyses again
    most_refined: int = 300  # rows: more take too long in more digits
    # Of all entries beside it: smaller ones are round-off of larger ones; three digits above EPSILON
    round_off: float = 1e-13
    suspect: float = 1e-10  # of the largest entry of a matrix: may be round-off
    in_a_run: float = 1e-15  # of what a row stores
    cancelled: float = 1e-13  # of what an entry has been: less is rounding
    # Singular values of a scaled block: smaller ones are left to the rank decisions
    strong: float = 1e-5
    highest: int = 3  # index: the derivative array has at most three levels
    graded: float = 1e-5  # in balanced units: entries that only leaks have
    least_entry: float = 0.02  # Largest entry of a scaled row: beyond, other units are needed
    most_entry: float = 50.0  # largest entry of a scaled row: beyond, other units are needed


ANALYSIS = AnalysisThresholds()


class EquilibrationThresholds(NamedTuple):
    """Of units of equations and unknowns (`equilibration.py`)."""

    # Beside one: makes the least squares regular where entries leave a unit open
    ridge: float = 1e-9
    round_off: float = 1e-10  # of the largest: such a size shows nothing
    drawn: float = 3.0  # weight of a known size, that of an entry being one
    negligible: float = -14.0  # logarithm: an entry that passes through zero must not count
    passing: float = 1e-4  # share of a row: an entry that matters this little for now
    # Sweeps over rows and columns: each brings them within the root of what they were
    even_out: int = 4


EQUILIBRATION = EquilibrationThresholds()


class DifferenceThresholds(NamedTuple):
    """Of equations known by their residuals only (`equations.py`)."""

    aside: float = 1e-7  # of an unknown, for differences
    seen: float = 1e-8  # of a residual: half of its digits
    larger: float = 1e4  # times the move before, where a residual has not noticed it
    largest_rate: float = 1e30  # an equation in which so much makes no difference has no such rate


DIFFERENCES = DifferenceThresholds()


class SizeThresholds(NamedTuple):
    """Of sizes of unknowns, which fade (`scaling.py`)."""

    # Of the largest in its part: less is not distinguished from zero more finely
    beside: float = 1e-3
    elsewhere: float = 1e-6  # of the largest in all parts: rounding travels from mode to mode
    faded: float = 1e-6  # of the largest ever: what has decayed below is at rest
    quiet: float = 5e-7  # some units of rounding over the smallest guard that counts
    calm: float = 1e9  # the same of noise as such
    kept: float = 0.8  # of a size per step
    round_off: float = 1e-10  # of the largest in its part: what never was more is rounding


SIZES = SizeThresholds()


class PivotThresholds(NamedTuple):
    """Of complementarity problems and linear programs (`complementarity.py`, `largest_margin.py`,
    `bounds.py`)."""

    # Of a balanced problem: a variable that is less negative is zero, a smaller entry is no pivot
    negative: float = 1e-12
    cancelled: float = 1e-11  # of what was subtracted: an entry of M this small is zero
    # Times the number of pairs: pivots by the largest violation before those by the least index
    greedy_pairs: int = 3
    pivot: float = 1e-9  # entries of A are at most one
    beside_rest: float = 1e-13  # beside the rest
    round_off: float = 1e-15  # of the largest entry of a row: four units in its last place
    greedy_rows: int = 4  # times the number of rows: pivots before Bland's rule
    # Of the largest distance: smaller values are preferred while all are this far inside
    level: float = 0.01
    of_distance: float = 1e-12  # of the largest distance
    seen: float = 1e-9  # of the largest change that any relation sees: less is rounding
    margin: float = 0.01  # of the elements' unknowns together
    seen_direction: float = 1e-9  # of a direction: less moves no element


PIVOTS = PivotThresholds()


class SelectionThresholds(NamedTuple):
    """Of the next mode (`mode_selection.py`, `moreau_step.py`)."""

    rank: float = 1e-14  # of balanced matrices: smaller pivots are rounding of those before
    # Of the largest: two diodes back to back do not both conduct by rounding
    nothing: float = 1e-13
    most_rounds: int = 8  # of a mode that bends: values, and matrices at these
    # Of rounds of an event, each thirty times nearer than the last, then far again
    look_aheads: int = 6
    leak: float = 1e-9  # of the first round; the next ones leak less
    least_leak: float = 1e-13  # smaller ones drown in round-off of the entries beside them
    second_leak: float = 1e-7  # where the smaller ones give no basis that solves the system
    third_leak: float = 1e-5
    large: int = 60  # unknowns: from there on one basis takes longer than to ask whether to go on
    agreed: float = 1e-9  # of the values: a round that changes them by less is the last
    balance: int = 6  # sweeps: 1e12 becomes 1.5
    solved: float = 1e-10  # of the terms of a row: a table that lost its digits ends elsewhere
    bases: int = 9  # three for each of three leaks
    # Of the terms a value is made of, states as large as they have ever been among them: less is
    # rounding. States at an event are consistent to about 1e-14.
    round_off: float = 1e-13
    most_bases: int = 40  # tried one after the other until one is right
    look_aheads_by_steps: int = 8  # of one selection,
    nearer: float = 16.0  # each so many times nearer than the last


SELECTION = SelectionThresholds()


class RestartThresholds(NamedTuple):
    """Of consistent restarts and the position of each element (`mode_guesses.py`, `mode_change.py`,
    `mode_visits.py`, `position_search.py`, `position_trial.py`, `steady_start.py`)."""

    left_over: float = 1e-7  # residual of a restart, relative: more is a contradiction
    guard: float = 1e-9  # of its size: how far beyond zero a guard may be at a restart
    near: float = 1e-6  # of its size: an element this near to its corner may change sides
    # Of what a row stores: less is no impulse, an element is not located more exactly;
    jump: float = 1e-10
    # Or at an event of the model's own logic, where nothing had to be located
    rounded: float = 1e-13
    same: float = 1e-12  # of balanced matrices
    # Of the time scale of a mode: how far the selection of the next one looks
    look_ahead: float = 1e-3
    nearer_by: float = 30.0  # times: what is looked at when a look-ahead was too long
    most_settled: int = 25  # rounds of selection and restart
    round_off: float = 1e-14  # of the largest unknown
    # Times `round_off`, in the time scale of a mode: what moves by less is at rest
    rests: float = 1e3
    soon: float = 1e-6  # of the time scale of a mode
    most_renewed: int = 12  # analyses of a mode that bends, on the way to its solution
    nearest: int = 3  # times a selection that may have looked too far is made again
    first_step: float = 0.01  # of the time scale of the first mode
    # Change of balanced matrices that needs a new analysis, where another method steps: chords with the
    # old ones correct its points, which `trials` of them do only if each leaves a twentieth
    stale: float = 0.05
    trials: int = 6  # of matrices on the way to a point
    resolved: float = 1e-11  # residuals of a point, relative: none; too many
    poor: float = 1e-6  # residuals of a point, relative: none; too many
    kept: float = 0.95  # of a size, whenever it is looked at
    most_tried: int = 256  # choices of pieces
    # Shares of the width of a piece, from the near end: where its solution is searched if not from the
    # corner.
    inside: tuple[float, ...] = (0.125, 0.5, 0.875)
    # Of the time in which the fastest state passes its size: so long a piece must last beyond a fold. The
    # time scale of a mode at a fold is none. A branch that ends there has residuals of this size, which
    # is a hundred times what a restart leaves.
    after_fold: float = 1e-5
    first_step_of_longest: float = 1e-3  # of the longest: the first mode may know better
    first_look: float = 1e-2  # of the first step: how far the selection of the first mode looks
    # Leaks below: what passes an open element and what is left at a closed one, one beside the other, are
    # farther apart than rounding allows.
    drowned: float = 5e-10
    # Of a usual step: where the mode is looked for that no other way has found
    last_look: float = 0.03
    impulse: float = 1e-8  # of the most that an equation has stored: less is rounding
    most_quick: int = 8  # events at one instant before it is left by a burst
    most_turns: int = 20  # of discrete equations and modes
    most_settling: int = 25  # of Newton's method
    moves: float = 1e-3  # of a value, or of what is usual for it
    at_rest: float = 1e-11  # of the rates that a whole change of all values makes


RESTART = RestartThresholds()


class CoreStepThresholds(NamedTuple):
    """Of steps in a mode and of the location of events (`radau_descriptor.py`, `inline_euler.py`,
    `linear_modes.py`, `event_location.py`)."""

    # Rounds of a step: radau5 takes 7, but here a shorter step costs a new analysis where matrices depend
    # on it
    most_newton: int = 12
    few: int = 4  # rounds: a step that needs no more has good matrices
    at_rest: float = 0.01  # of the tolerance: an iteration that gets no further is done
    most_chord: int = 40  # rounds with the matrices of a mode, to make values consistent
    rounded: float = 2e-15  # of the terms of an equation
    # Of the least that counts beside others: an unknown this small is rounding of theirs
    digits: float = 1e-7
    settled: float = 1e-11  # of the largest: a change that ends Newton's iteration
    followed: float = 1e-3  # of its size: how well the polynomial of a step must follow an unknown
    between: float = 10.0  # times the tolerance: what is stored between steps
    nothing: float = 1e-14  # of their sizes: states this little off are not off
    units: float = 4e-16  # of time, or of a size: two units in the last place
    aside: float = 2e-15  # of time: some units farther, to see what rounding of time does
    noise: float = 1e-13  # of what the stages are made of: no iteration gets below
    solved: float = 1e-4  # of the tolerance: the change that ends an iteration
    most_growth: float = 8.0  # of a step: matrices are analysed anew before longer ones
    bracket: float = 1e-13  # of a step: narrower ones around a crossing are rounding
    on_corner: float = 1e-14  # a guard in its unit: round-off of zero
    beside_rough: float = 1e-8  # of `rough`: more than rounding
    noisy: float = 4.0  # times what rounding does: more is not rounding
    middle: float = 0.4  # of the step, away from the nodes
    round_off: float = 1e-15  # of the sizes in its part: a residual this small is none
    shortest: float = 1e-9  # of the time scale of the mode: shorter ones drown in rounding
    bent: float = 1e-3  # of these: as short as steps may become where F bends
    # Of the guard at the other end: from a smaller one at the begin a chord goes hardly forward
    at_begin: float = 1e-3
    # Of the bracket around a crossing: halving alone ends below the last digit
    most_locate: int = 60
    # The same where the core steps: its own iterations have the matrices of the step
    stale: float = 0.2
    inconsistent: float = 1e-6  # residual at the end of a step, relative: such a step is none
    # Of a step: an event within is one of the instant at which the step begins
    at_once: float = 0.01
    # Of its size: a guard this little beyond zero is zero (more than `RESTART.guard`)
    beyond: float = 2e-9


CORE_STEPS = CoreStepThresholds()


class BurstThresholds(NamedTuple):
    """Of bursts of steps by Moreau (`moreau_burst.py`, `sections.py`)."""

    share: float = 0.02  # of the usual step: the first one of a burst
    tolerance: float = 1e-5  # of the size of what is stored
    loose: float = 0.1  # of the tolerance: then steps grow
    shortest: float = 1e-9  # of the usual step: shorter ones gain nothing
    lasting: int = 4  # steps in the same mode end a burst
    most_steps: int = 2000  # of one burst: a mode that has not come by then does not
    # Bursts are accurate to 1e-5 of what is stored: a run that lives on them ends with an error.
    few_bursts: int = 20
    # Bursts are accurate to 1e-5 of what is stored: a run that lives on them ends with an error.
    steps_to_a_burst: int = 50


BURSTS = BurstThresholds()


class CurveThresholds(NamedTuple):
    """Of folds of a mode that bends, and of the curve that leads on from them (`folds.py`,
    `folds_kernels.py`, `sections.py`)."""

    first: float = 1e-3  # steps along the curve, in sizes of the unknowns
    longest: float = 0.1  # steps along the curve, in sizes of the unknowns
    shortest: float = 1e-10  # steps along the curve, in sizes of the unknowns
    most_steps: int = 1000  # along a curve: 1e-3 of the sizes each at first, to `away`
    away: float = 1e8  # sizes of the unknowns: a curve that leads so far does not come back
    corrections: int = 8  # of Newton's method, back to the curve
    aside: float = 0.1  # of a step: by so much the curve may leave its tangent
    straight: float = 0.98  # cosine of the angle between the tangents at both ends of a step
    of_length: float = 1e-6  # of a step along the curve: a correction this small is the last
    solved: float = 1e-10  # a correction after which the next one is rounding
    # At a start rounding moves an unknown beside its fold by 1e-8: so small is what there is of its
    # column. A hundred times as much is singular; a hundred times farther away the matrix shows its sign.
    singular: float = 1e-6
    # At a start rounding moves an unknown beside its fold by 1e-8: so small is what there is of its
    # column. A hundred times as much is singular; a hundred times farther away the matrix shows its sign.
    turned: float = 1e-4
    # Likewise, where no step leads on: Newton's method, which is slow at a fold, ends beside it
    beside: float = 1e-3
    flat: float = 1e-2  # of a change of the unknown: a matrix that changes by less does not bend
    # Times the rate of the fastest state, both beside their sizes. Where the time left is the rounding of
    # time, 1e-16 of its scale, a parabola gives 1e8; what follows a state by a curve of finite slope
    # gives that slope.
    fast: float = 1e4
    # Shortest steps: at the rate of `trend` s would be at the corner by then. The rate of a root of order
    # p gives p times the time that was left, and steps of 1e4 shortest ones are a tenth of that or more.
    within_reach: float = 1e5
    # Beyond a fold, of the time in which the fastest state passes its size
    first_step: float = 0.01
    # Of the time in which the fastest state passes its size: half of the digits determine a fold
    beyond: float = 1e-8
    farther: float = 64.0  # times, from one try to the next
    # Shortest steps: in less than that rounding moves what is close to a fold
    resolved: float = 1e4
    within: float = 10.0  # times what the tolerance allows: less is none that anybody asked for


CURVES = CurveThresholds()
