"""Numbers of floating point itself, and how near two times are one.

EPSILON: distance from 1 to the next larger double. LARGEST: `x <= LARGEST` is false of infinities and NaN.
TIED: two times within 16 units in the last place are one instant; sums of intervals (`start + k*interval`)
differ from each other by a few units only.
"""

from __future__ import annotations

from dataclasses import dataclass

LARGEST = 1.7976931348623157e308
EPSILON = 2.220446049250313e-16
TIED = 16.0 * EPSILON


@dataclass(frozen=True, slots=True)
class ImpactThresholds:
    """Of impacts and of rest (`event/zeno.py`, `kernels/impact.py`)."""

    negligible: float = 0.3  # of the tolerance and of the size of a residual: a rise to be left out
    roughly: float = 4.0  # that look may be wrong by so much
    round_off: float = 2.3e-16  # of a state
    probe: float = 1e-7  # of the whole time: how far a first look by differences goes
    difference: float = (
        1e-7  # of the size of a state: half of the digits are left to one-sided differences
    )
    least_state: float = 1e-3  # a state near zero counts as this large
    least_size: float = 1e-6  # a residual that has never been larger counts as this large
    smallest: float = 1e-30  # of the size of a residual: where it is exactly zero
    doublings: int = 100  # of a move: from round-off to any size


ZENO = ImpactThresholds()


@dataclass(frozen=True, slots=True)
class AgreementThresholds:
    """Of statuses that agree with residuals (`kernels/circles.py`)."""

    most_choices: int = 256  # 8 relations; of more relations, those that change only a few
    # Of the size of a residual, what is forgiven as its round-off: 13 digits are good in sums of a few terms,
    # 11 behind a linear system, 9 behind an iteration that ends there.
    forgiven: float = 1e-13
    forgiven_next: float = 1e-11
    forgiven_last: float = 1e-9
    unseen: float = 1e-30  # the residual of a relation that matters to nobody now
    real_match: float = 1e-9  # a Real that an iteration computes may differ in its last digits


AGREEMENT = AgreementThresholds()


@dataclass(frozen=True, slots=True)
class AmbiguityThresholds:
    """Of events that may end otherwise (`kernels/rivals.py`, `event/ambiguity.py`)."""

    most_events: int = 50  # of a run that are gone through again
    most_rounds: int = 2000  # of all these
    ahead: float = (
        1e-8  # of the run: how far two outcomes are followed; a step that no motion notices
    )
    same: float = 1e-5  # of the largest derivative: outcomes that move alike are one
    noise: float = 1e-12  # of the size of a residual: what has just become zero


AMBIGUITY = AmbiguityThresholds()
