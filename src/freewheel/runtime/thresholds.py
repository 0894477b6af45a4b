"""Numbers of floating point itself, and thresholds of events and of the start of a run.

EPSILON: distance from 1 to the next larger double. LARGEST: `x <= LARGEST` is false of infinities and NaN.
TIED: two times within 16 units in the last place are one instant; sums of intervals (`start + k*interval`)
differ from each other by a few units only.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

LARGEST = 1.7976931348623157e308
EPSILON = 2.220446049250313e-16
TIED = 16.0 * EPSILON
TINIEST = 1e-300  # a size of zero counts as this in a divisor
# Later than any time, larger than any ratio; unlike infinity, zero times this is zero
FOREVER = 1e300
SUCCESSOR = 0.5 * EPSILON * (1.0 + EPSILON)  # times x, added to x: never less than the next number
LEAST_POSITIVE = 5e-324  # the smallest number above zero
GOLDEN = 0.6180339887498949  # changes of no simple ratio: none is lost in a projection
LEAST_SIZE = 1e-6  # a residual that has never been larger counts as this large
NOISE = 1e-12  # of the size of a residual: what round-off leaves of zero in a few sums


class ImpactThresholds(NamedTuple):
    """Of impacts and of rest (`events/sliding/zeno.py`, `events/impacts.py`)."""

    negligible: float = 0.3  # of the tolerance and of the size of a residual: a rise to be left out
    roughly: float = 4.0  # that look may be wrong by so much
    round_off: float = 2.3e-16  # of a state
    probe: float = 1e-7  # of the whole time: how far a first estimate by differences goes
    # Of the size of a state: half of the digits are left to one-sided differences
    difference: float = 1e-7
    # Of what a state was lately: where a velocity that has just become zero is set to zero, states jump by
    # the round-off of their location, some ten thousand units in the last place.
    smallest_jump: float = 1e-11
    least_state: float = 1e-3  # a state near zero counts as this large
    smallest: float = 1e-30  # of the size of a residual: where it is exactly zero
    doublings: int = 100  # of a move: from round-off to any size
    # Of the fastest impact, a hundred times EPSILON: a slower one is round-off of its speed, no impact.
    slowest: float = 2.3e-14
    # Of the speed that an impact leaves: beyond it the series of flights has no limit that counts, and its
    # sum would be a million flights.
    most_kept: float = 1.0 - 1e-6
    # Impacts of a series that are reported; at 0.97 all down to `slowest`
    most_left_out: int = 1000


ZENO = ImpactThresholds()


class SlidingThresholds(NamedTuple):
    """Of sliding and rest (`events/sliding/vector_field.py`, `filippov.py`, `transitions.py`,
    `projection.py`)."""

    # At once: each doubles the modes, and there is an image of the memory for each
    most_surfaces: int = 3
    most_contacts: int = 6  # a body in space has as many degrees of freedom
    # Newton's method for shares begins in the middle of [0, 1]: it is quadratic there, and 30 rounds are for
    # those that begin far from the solution. Shares and reactions are good to 14 digits of 16.
    most_rounds: int = 30
    converged: float = 1e-14
    # Of the size of a residual: half of the digits of a difference over ZENO.probe (1e-7) are good, so that
    # what changes by less than 1e-9 in the whole run, or between modes, is round-off.
    slow: float = 1e-9  # per whole time
    jump: float = 1e-9
    # Cosine of two gradients beside one: angles below 4e-5, four more digits than derivatives lose.
    parallel: float = 1e-9
    # Per whole time: errors of steps decay by exp(-20), eight digits, in a run, and make no model stiff that
    # was not (Baumgarte 1972).
    stiffness: float = 20.0
    # Of time, the step of a central difference of an input: half of the digits are left beside its bend
    stride: float = 1e-6
    least_time: float = 1e-3  # a time near zero counts as this large
    leaving: float = 1e-13  # of the size of a residual: round-off of what has just left a surface
    on_surface: float = 1e-3  # of the tolerance and the size of a residual
    corrections: int = 4  # Gauss and Newton: from 1e-3 of the tolerance to round-off takes two
    # Of the most a state has been: less is what making a core consistent does to it
    moved: float = 1e-9
    least_moved: float = 1e-12  # a state that has always been smaller counts as this large
    # Of the longest of some gradients: a shorter rest of one beside the others is rounding, which has three
    # digits more than EPSILON.
    dependent: float = 1e-13


SLIDING = SlidingThresholds()


class AgreementThresholds(NamedTuple):
    """Of statuses that agree with residuals (`events/status_search.py`)."""

    most_choices: int = 256  # 8 relations; of more relations, those that change only a few
    # Choices without solution after which no other is expected to have one: those of three relations. An
    # evaluation that fails may take seconds, where a homotopy is followed before.
    most_unsolved: int = 8
    most_turns: int = 8  # of the inner loop of the event iteration: a plain case needs two
    # Of the size of a residual, what is forgiven as its round-off: 13 digits are good in sums of a few terms,
    # 11 behind a linear system, 9 behind an iteration that ends there.
    forgiven: float = 1e-13
    forgiven_next: float = 1e-11
    forgiven_last: float = 1e-9
    unseen: float = 1e-30  # the residual of a relation that matters to nobody now
    real_match: float = 1e-9  # a Real that an iteration computes may differ in its last digits


AGREEMENT = AgreementThresholds()


class AmbiguityThresholds(NamedTuple):
    """Of events without a unique outcome (`events/ambiguity.py`)."""

    most_events: int = 50  # of a run that are gone through again
    most_rounds: int = 2000  # of all these
    # Of the run: how far two outcomes are followed; a step that no motion notices
    ahead: float = 1e-8
    same: float = 1e-5  # of the largest derivative: outcomes that move alike are one


AMBIGUITY = AmbiguityThresholds()


class LogThresholds(NamedTuple):
    """Of the event log (`events/log.py`)."""

    # Of an event, for whose notes there is room in a detailed log; most take two or three. With more an event
    # may have to begin again, and an implicit core, which knows that it has tried, differ in the last bit.
    rounds: int = 16


LOG = LogThresholds()


class ChatterThresholds(NamedTuple):
    """Of relations that switch in quick succession (`events/chattering.py`)."""

    quick: float = 1e-10  # of the whole time: two switches closer than this may be noise
    far_outside: float = 1e3  # of a band: there a residual is a signal
    # Quick switches in a row after which to look for sliding motion: two happen where an event is located a
    # little late; the second search is for relations that joined since.
    quick_first: int = 2
    quick_again: int = 5
    patience: int = 8  # quick switches in a row before a band is given, after both searches
    first_band: float = 1e-15  # of the size of a residual: some units in the last place
    widest_band: float = 1e-3  # of the tolerance and the size of a residual: no error that counts
    # Of the time between the switches before: a geometric series, not scatter
    shrinking: float = 0.95
    # Such times in a row: by then the series has gone to 0.6 of what it began with
    many_shrinks: int = 10
    near: float = 1e-6  # of the whole time: the limit of the series is as good as reached
    # A row of so many times more events, in a time so much longer by its square, is too much as well: a
    # hundred million events in the whole run.
    many: int = 10


CHATTER = ChatterThresholds()


class LocationThresholds(NamedTuple):
    """Of crossings between the ends of a step (`events/location.py`, `events/root_solvers.py`)."""

    # Further ones halve the bracket: 2**-60 of a step is below its last digit
    halving_rounds: int = 60
    max_rounds: int = 120  # a round that does not halve the bracket is followed by one that does
    narrow: float = 2.0  # units in the last place of time
    aside: float = 1e-3  # of the bracket: where the slope at its end is taken
    nearly: float = 1e4  # narrowest brackets: below, slopes are rounding, and chords are good
    rounds: int = 60  # of a polynomial in a bracket that halves: as fine as a double
    orders: int = 90  # a double has no more than 2**53 units, less than the 79th Fibonacci number


LOCATION = LocationThresholds()


class ZeroThresholds(NamedTuple):
    """Of zeros of the polynomial of a step (`events/polynomial_zeros.py`)."""

    negligible: float = 1e-13  # of the largest coefficient: below it a remainder is rounding
    # Of a step, by signs in the chain; what is left is located on the residual itself
    halvings: int = 40
    touching: float = 4e-16  # of the largest coefficient: a piece with smaller values touches zero
    narrowest: float = 1e-9  # a dip of a double zero that is not rounding is wider: sqrt(touching)
    parts: int = 8  # places tried on each side of one below zero, for the deepest


ZEROS = ZeroThresholds()


class TimeEventThresholds(NamedTuple):
    """Of relations that only time changes (`events/time_events.py`)."""

    straight: float = 1e-9  # the residual at the predicted zero, as a share of its change
    # Of a predicted time, by secants: two lead to the last digit of a straight one
    corrections: int = 6
    same: float = 16.0  # units in the last place: a residual is on its line
    # Of the end: predicted this little after it, an event is still looked at
    beyond_stop: float = 1e-12


TIME_EVENTS = TimeEventThresholds()


class ChoiceThresholds(NamedTuple):
    """Of states that are chosen while a model runs (`events/dynamic_states.py`)."""

    good: float = 0.8  # determinant from which single variables are states
    serves: float = 0.6  # likewise of preferred ones, which are given up at 0.5
    # Squares of lengths that differ by less are equal: the first variable is taken
    tied: float = 1e-9


CHOICE = ChoiceThresholds()


class FoldThresholds(NamedTuple):
    """Of jumps over a fold (`events/folds.py`, `switched_dae/folds.py`)."""

    # Of the time in which what moves passes its size: half of the digits, then farther and farther
    beyond: float = sqrt(EPSILON)
    farther: float = 8.0  # times
    most_tries: int = 12  # up to about a tenth of the size
    units: float = 64.0  # units in the last place of time, at least


FOLDS = FoldThresholds()


class HomotopyThresholds(NamedTuple):
    """Of the way from the simplified to the actual model (`homotopy.py`)."""

    first_step: float = 0.125  # of the way
    smallest_step: float = 1e-4  # of the way: a curve that needs shorter ones has a fold
    most_trials: int = 1000  # steps, refused ones among them


HOMOTOPY = HomotopyThresholds()


class RunThresholds(NamedTuple):
    """Of settings and of the length of a run (`settings.py`, `loop/classic_engine.py`)."""

    smallest_tolerance: float = 1e-14  # some ten units in the last place: no method gets below
    most_points: int = 1_000_000_000  # stored; with one variable 16 GB
    long: int = 2000  # steps: from there on the best machine code pays
    # States of a held model: a full Jacobian of more takes over 18 MB, and its factors seconds
    full_up_to: int = 1500


RUNS = RunThresholds()


class RangeThresholds(NamedTuple):
    """Of values beside their `min` and `max` (`ranges.py`)."""

    # Parameters that follow from others by a few operations: their last bits do not count
    rounding: float = 16.0 * EPSILON
    largest_exact: float = 2.0**53  # of whole numbers in double precision


RANGES = RangeThresholds()


class SmallStateThresholds(NamedTuple):
    """Of states below their tolerance (`small_states.py`)."""

    # Times its absolute tolerance: a state that stays below has errors of a percent and more
    reach: float = 100.0
    beside_tolerance: float = 1e-4  # of the absolute tolerance, and
    rounded: float = 1e-12  # of the largest state: below either, what began at zero may be rounding
    jitter: float = 0.25  # of its size, from each stored point to the next


SMALL_STATES = SmallStateThresholds()


class StartThresholds(NamedTuple):
    """Of tolerances and of the first inspection of a model (`start.py`, `switched_dae/steady_start.py`)."""

    checks: int = 10  # of relations, in the whole run,
    checks_of_time: int = 500  # and where they depend on time
    # Errors of single steps add up: each is held to a tenth of what is asked for the result
    share_of_step: float = 0.1
    shortest_step: float = 1e-20  # of the whole time
    hardly: float = 1e-6  # of the run: so much may data begin late or end early
    least_tolerance: float = 2.3e-14  # relative, of single steps: a hundred times EPSILON
    # Of time, at least: how far after a refused step its failure is looked for
    after_failure: float = 1e-12
    rounds: int = 2  # statuses that follow from others are few, and near the point is near enough
    # A nominal value of 1 is usually nobody's choice: do not let it hide small states.
    share_of_unsaid_nominal: float = 1e-2


START = StartThresholds()


class UndeterminedThresholds(NamedTuple):
    """Of loops that leave something open (`undetermined.py`, `undetermined_kernels.py`)."""

    # Of its value: by this an unknown of a nonlinear loop is moved, to see what follows
    near: float = 1e-2
    # Of the change: a projection onto what is open keeps a good part of it; a regular loop does not know
    # of it at all, and an unknown of a singular loop that is determined all the same by rounding only.
    follows: float = 1e-6


UNDETERMINED = UndeterminedThresholds()
