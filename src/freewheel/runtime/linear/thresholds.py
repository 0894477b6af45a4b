"""Numbers of linear algebra: pivots, ranks, differences."""

from __future__ import annotations

from typing import NamedTuple


class LinearThresholds(NamedTuple):
    """Of factors and Jacobians (`sparse_lu.py`, `jacobian.py`, `elimination_plan.py`)."""

    # Of the largest element: as good a pivot, and the order of the plan fills less
    prefer_diagonal: float = 0.1
    weak_pivot: float = 1e-8  # of the largest element of its column: choose pivots anew
    sparse_share: float = 0.25  # of all elements: a fuller matrix is factored as a dense one
    # States: beyond, sparse factors are faster where the matrix is sparse at all
    dense_up_to: int = 60
    # Of a state: sqrt(EPSILON), where round-off and curvature of a one-sided difference meet
    half_digits: float = 1.4901161193847656e-08


LINEAR = LinearThresholds()


class LeastDistanceThresholds(NamedTuple):
    """Of `least_distance.py` (Lawson and Hanson 1974, chapter 23)."""

    no_way: float = 1e-7  # residual beside one: no z of a sensible size exists
    flat: float = 1e-9  # a row of length one that depends on others but for this
    in_proof: float = 1e-9  # weight beside the largest
    nothing: float = 1e-13  # what a column could still do for the least squares
    same: float = 1e-12  # levels, beside what is missing


LEAST_DISTANCE = LeastDistanceThresholds()
