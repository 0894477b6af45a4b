"""Numbers of step control, of stiffness and of Newton's method in implicit steps."""

from __future__ import annotations

from math import pi
from typing import NamedTuple

from freewheel.runtime.thresholds import EPSILON


class StepThresholds(NamedTuple):
    """Of sizes of steps (`step_control.py`, `first_steps.py`, `loop/time_loop.py`, `loop/multistep.py`)."""

    # Of the size that the error allows: nine of ten steps are accepted then (Hairer, Norsett, Wanner I,
    # II.4)
    safety: float = 0.9
    # Factors of the size, from one step to the next: the error estimate is no better beyond (likewise)
    least: float = 0.2
    most: float = 10.0  # (likewise)
    # Weight of the previous error (Gustafsson 1991; Hairer, Wanner II, IV.2)
    pi_weight: float = 0.04
    # An error that is smaller counts as this: its power is at most `most` anyway
    tiny: float = 1e-10
    # What the previous error counts as at least: a step by luck without an error shows nothing (dopri5)
    least_error: float = 1e-4
    stretch: float = 1.1  # of a step, to end on the limit: Cellier and Kofman, section 9.3
    nearly: float = 0.999  # of the distance to the limit: a step that long ends on it
    rest: float = 1e-9  # of a step or an interval: a shorter rest of the way belongs to it
    as_good: float = 1.2  # times the size: a step that may be longer by less keeps its factors
    negligible: float = 1e-12  # of the whole time: that many such steps are never taken
    resolved: float = 16.0  # units in the last place of t: shorter steps cannot be resolved
    # Steps toward a fold: each takes at least a quarter of the distance, and within eight of them the
    # shortest refused step is halved. Twice as many without that mean that no step leads nearer.
    most_before: int = 16
    # Of a sine in a relation: the five values of a step detect its crossings
    looked_through: float = pi / 4
    # Of time, the shortest first guess: a thousand times what can be resolved
    unresolved: float = 1e3 * resolved * EPSILON
    first_most: float = 5.0  # times the size of the first step
    # Than what was accepted last: a first step may reach the next event at once
    longer: float = 1.3
    visits_after_rejection: int = 32  # of a mode that are not tried longer after one was rejected
    # Less than the quarter by which the library itself shortens a step that failed
    shorter: float = 0.1
    forgetting: float = 0.9  # per step, of how large a state was
    edge: float = 1e-3  # of a step: an event this near to its ends is as good as on them
    # Of a step: as far as a step that ends with an event is taken beyond it
    beyond: float = 0.5 * edge
    most_repeats: int = 8  # of a step, each at most three quarters of the one before


STEPS = StepThresholds()


class FirstStepThresholds(NamedTuple):
    """Of the size of the first step (`step_control.py`; Hairer, Norsett, Wanner I, II.4)."""

    # Of the whole time: the trial step of a start at rest or at zero, whose sizes say nothing
    unguided: float = 1e-6
    noticed: float = 1e-5  # times the tolerance: states or slopes below say nothing
    resting: float = 1e-15  # times the tolerance per time: nothing moves
    at_rest: float = 1e-3  # of the whole time, or of the trial step: where nothing moves


FIRST_STEP = FirstStepThresholds()


class MethodThresholds(NamedTuple):
    """Of the coefficients of methods (`tableau.py`, `rodas4.py`)."""

    # Conditions of order, which sum a dozen coefficients of 16 digits
    consistent: float = 1e-14
    # Time near zero counts as this in the increment for df/dt, as in rodas (Hairer, Wanner II, IV.7)
    least_time: float = 1e-5


METHODS = MethodThresholds()


class StiffnessThresholds(NamedTuple):
    """Of stiff models: when `auto` leaves the explicit method (Hairer, Wanner II, IV.2), and for which."""

    # Of |h * lambda|: the region reaches to 3.3 on the real axis; PI control lets steps settle a little
    # below.
    border: float = 2.8
    steps: int = 15  # in a row on the border, of Hairer's dopri5
    calm_steps: int = 6  # in a row below it, that let the count begin anew (likewise)
    fine: float = 1e-8  # below it, order 5 beats order 4
    many_states: int = 60  # beyond, a method with one real factorisation is the cheaper one
    large: int = 80  # states of a smooth model: beyond, BDF needs fewer factorisations


STIFFNESS = StiffnessThresholds()


class NewtonThresholds(NamedTuple):
    """Of Newton's method in steps of Radau IIA (Hairer, Wanner II, IV.8)."""

    most_rounds: int = 7  # as in radau5: a slower iteration is cheaper with a shorter step
    slow: float = 1e-3  # a contraction slower than this asks for a new Jacobian
    most_euler: int = 20  # of the steps of backward Euler, which nothing shortens
    # Of the tolerance, when an iteration ends: its error is small beside that of the step (as in radau5)
    solved: float = 0.03
    units: float = 10.0  # units in the last place: more cannot be asked for
    # Of the tolerance: there is no error estimate that could do with less
    euler_solved: float = 1e-3


NEWTON = NewtonThresholds()
