"""Numbers that distinguish zero coefficients from what cancellation leaves, where structure reads them."""

from __future__ import annotations

from typing import NamedTuple

GOLDEN = 0.6180339887498949  # its multiples modulo one are spread evenly, and never fall together


class CancellationThresholds(NamedTuple):
    """Of what is left where numbers ought to cancel."""

    # Of the terms of an equation: what is left where both sides are the same, behind a linear system
    left: float = 1e-9
    # A smaller factor of an unknown that is searched is none: Newton has no direction
    turned: float = 1e-13
    of_state: float = 1e-7  # what is left of a state by cancellation
    # Of the largest coefficient: a remainder of elimination below it is rounding
    remainder: float = 1e-10
    round_off: float = 1e-13  # of the sum of the terms of a residual
    same: float = 1e-12  # relative: sums of a few products of numbers
    # Of the first one: entries of a null vector that are one number, but for what elimination leaves
    equal: float = 1e-6
    nothing: float = 1e-30  # the size of a sum all of whose terms are zero
    lost: float = 1e-12  # of the unknowns: four of sixteen digits
    worse: float = 100.0  # times: what LU loses as well is the matrix's own condition


CANCELLATION = CancellationThresholds()


class RegularityThresholds(NamedTuple):
    """Of matrices that are no longer regular, or nearly so."""

    most_condition: float = 1e9  # of the matrix as it is, rows and columns of size 1
    least_share: float = 1e-4  # smallest share of a change that is left
    # Of the cosines between states and the directions in which variables can move: where they have fallen
    # so far, a variable that follows has half of its digits left (its error is rounding by the cosine
    # squared), and nothing but a rest on the singular point comes next.
    blind: float = 1e-4
    vanished: float = 1e-200  # added to a size: a row that vanishes is no reason to divide by zero
    # Of the same factor in another branch: no ordinary method distinguishes it from nothing
    leak: float = 2e-6
    most_leak: float = 1e-2  # where all leaks are looked at, since an ordinary method has failed


REGULARITY = RegularityThresholds()
