"""Numbers of quantized states."""

from __future__ import annotations

from typing import NamedTuple


class QuantumThresholds(NamedTuple):
    """Of steps of states (`quantizers.py`, `next_times.py`, `couplings.py`, `correction.py`)."""

    # A bend that is zero counts as this: the next step is as far away as can be
    tiny: float = 1e-40
    trials: int = 60  # of a step size, each shorter by a constant factor
    settled: float = 10.0  # time constants: q is nearly independent of a larger h
    often: float = 3.0  # time constants between steps: with more steps the bound is `settled_bound`
    settled_bound: float = 1.8  # quanta
    beyond: float = 1.001  # times the bound, for rounding
    large_value: float = 10.0  # quanta
    rounding: float = 1e-13  # of a coefficient: smaller differences are round-off
    halvings: int = 45  # of an interval: 2**-45 is as fine as times are
    onset: float = 1e-3  # of the present error of the rate
    negligible: float = 1e-7  # of a quantum
    small: float = 0.02  # of a quantum: allowed error of a row with corners
    settled_time: float = 1.0  # time constants: older errors have decayed


QUANTA = QuantumThresholds()


class AdviceThresholds(NamedTuple):
    """Of the models for which quantized states are recommended (`advise.py`)."""

    coarse: float = 1e-4  # tolerance
    few_records: float = 8.0  # of a row, on average
    many_relations: float = 0.25  # of the number of states
    fast: float = 1e3  # time constants in the run
    loose: float = 0.1  # a_ij*a_ji/(a_ii*a_jj): how far two states may drive each other
    # Two states of which that is more swing to and fro, and never come to rest
    swinging: float = 10.0


ADVICE = AdviceThresholds()


class CrossingThresholds(NamedTuple):
    """Of relations (`crossings.py`, `scheduler.py`, `time_loop.py`)."""

    noise: float = 1e-12  # of the magnitude of a residual
    outside: float = 10.0  # times the hysteresis: what is farther from zero needs none
    accuracy: float = 0.02  # of the magnitude of a residual: allowed error of its parabola
    shortest_validity: float = 1e-6  # of the whole time, between two predictions
    bound: float = 2.1  # quanta: the largest |q - x| of all methods, and a little for rounding
    margin: float = 1.1  # times the bound
    shortest: float = 1e-15  # of the whole time: resolution of crossing times
    coarser: float = 10.0  # factor of the hysteresis after a wrong prediction
    coarsest: float = 1e9  # times what it was: a wider hysteresis is the whole range
    most_at_once: int = 1000  # steps of each state without progress of time
    rapid: float = 1e-9  # of the whole time, between two crossings
    most_shrinking: int = 5  # crossings in a row, each after a shorter interval: a Zeno sequence
    most_rapid: int = 1  # rapid crossings in a row
    least_slope: float = 1e-300  # a slope of which only the sign counts
    most_rounds: int = 20  # of the event iteration
    checks: int = 500  # of nonlinear relations, in the whole run
    stiff: float = 1e4  # time constants in the run: events see q of such states
    # Of the whole time, beyond the stop: the horizon of linearly implicit steps
    beyond_stop: float = 1e-3
    quanta_ahead: tuple[float, ...] = (0.0, 1.0, 2.0, 4.0, 8.0, 16.0)  # where a fold is searched


CROSSINGS = CrossingThresholds()


class RowThresholds(NamedTuple):
    """Of rates that are nonlinear, or functions of time (`rates.py`, `engine.py`)."""

    distinct: float = 1e-3  # of a quantum: a smaller step of q gives no slope beside rounding
    top: float = 1e250  # larger values count as infinite
    # Of the whole time: until the first evaluation of a row that varies with time
    first_check: float = 1e-6
    shortest_check: float = 1e-9  # of the whole time, between two evaluations of a row
    longest_check: float = 0.01  # of the whole time, between two evaluations of a row
    trust: float = 4.0  # times the interval over which a polynomial was used before
    growing: float = 2.0  # of the interval, with each evaluation
    afresh: float = 0.25  # of the interval, after an event
    nearly_constant: float = 2.0  # quanta
    soft: float = 0.25  # of a quantum: allowed error of a polynomial between two evaluations
    stride: float = 1e-5  # of the whole time: step of differences in time


ROWS = RowThresholds()


class RootThresholds(NamedTuple):
    """Of the first zero of a polynomial (`roots.py`)."""

    flat: float = 1e-14  # a leading coefficient that rounding hides
    rounds: int = 60  # of Newton's method inside a bracket
    close: float = 1e-5  # of a time to wait: the last step of Newton doubles the digits


ROOTS = RootThresholds()


class SignalThresholds(NamedTuple):
    """Of delayed signals (`delayed_signals.py`, `switched/recording.py`)."""

    nearly: float = 0.999  # of a quantum: rounding must not keep a segment for ever
    longest_validity: float = 0.002  # of the whole time: delay times out of bounds are detected
    most_rounds: int = 100  # of signals without delay
    barely: float = 1e-13  # of time
    ahead: float = 0.5  # of the shortest delay: longest segment


SIGNALS = SignalThresholds()


class SwitchedThresholds(NamedTuple):
    """Of the implicit core beside quantized states (`switched/`)."""

    exact: float = 5e-6  # of the tolerance: a crossing is located so near to zero
    round_off: float = 1e-13  # in the units of a mode
    no_pivot: float = 1e-9  # smaller pivots count as zero
    large: float = 4.0  # largest entry of S that is accepted
    right: float = 1e-9  # of a quantum: accuracy of the free unknowns
    # Of the free unknowns, by the matrices of the mode: each gains a digit or more
    corrections: int = 12
    short: float = 0.05  # of the interval between evaluations: step of differences
    longest_stride: float = 1e-5  # of the whole time
    shortest_stride: float = 1e-10  # of the whole time
    resolved: float = 1e-12  # of the time itself: smallest step of differences
    old: float = 0.02  # of its magnitude: a larger change of an unknown may change the matrices
    lately: float = 0.1  # weight of the last interval in the mean
    sooner: float = 0.25  # of the last interval between expansions, after an event
    aside: float = 1e-2  # of a quantum: step of q that measures the slope of a rate


SWITCHED = SwitchedThresholds()
