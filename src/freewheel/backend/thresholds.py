"""Numbers of loops of equations, as machine code and the reference in Python solve them."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple


class LinearThresholds(NamedTuple):
    """Of linear systems, rows and columns scaled to one (`linear_kernels.py`, `sparse_kernels.py`,
    `solve.py`)."""

    # Beside one: a smaller pivot is rounding of those before; three digits above EPSILON
    pivot: float = 1e-13
    rank: float = 1e-12  # singular values below this share of the largest are zero
    sweeps: int = 40  # of rotations (Jacobi): quadratic at the end, six or seven are usual
    # Times n and epsilon: the error of a row, n + 1 rounded terms (Higham, "Accuracy and Stability of
    # Numerical Algorithms", section 12.1), and that of the entries themselves.
    roundings: float = 4.0
    small: float = 1e-9  # beside the largest unknown, columns scaled to one: what may be rounding
    # Of a solution, rows and columns scaled to one: beyond it nothing is certain
    most_growth: float = 1e14
    misfit: float = 1e-9  # of an equation, relative to the largest of its terms
    rounding: float = 1e-13  # of the largest term of all equations
    redundant: float = 1e-6  # of redundant initial equations, relative


LINEAR_LOOP = LinearThresholds()


class NewtonThresholds(NamedTuple):
    """Of Newton's method (`llvm_kernels.py`, `newton.py`)."""

    tolerance: float = 1e-10  # of the step, relative to the unknown and its nominal value
    # Of an unknown, one-sided: sqrt(EPSILON); one near zero counts as this share of its nominal value
    difference: float = 1.5e-8
    near_zero: float = 1e-3
    # Of a share of the step: by so much it has to make residuals smaller (Armijo 1966)
    least_gain: float = 1e-4
    bracket: float = 1e-15  # of its ends: as narrow as it gets
    across: float = 1e-9  # of an unknown: the distance on both sides over which a zero is no jump
    small: float = 1e-6  # residuals after the last step, relative to the size of their terms
    rounding: float = 1e-9  # residuals that no step makes smaller
    over: float = 1e-2  # of an unknown: the distance over which the terms of a residual are seen
    # Of residuals: what a step leaves at most that is not rounding; at a double root a quarter
    polished: float = 0.5
    most_rounds: int = 60  # of one guess: from far away each gains little
    most_halvings: int = 12  # of one step: 2**-12 of it that makes residuals no smaller is none
    # Beside the first: near the start, at zero, and on a grid of nominal values around it
    guesses: int = 9
    # Of a start value, which chooses the branch as long as Newton's method begins near it
    beside: float = 0.05


NEWTON = NewtonThresholds()


class BranchThresholds(NamedTuple):
    """Of the branch of a loop with several solutions (`branch_kernels.py`, `jumps.py`)."""

    # Of an unknown: where one moves as far as that its new value, which may be small, is polished
    shrunk: float = 0.5
    # Of a mark (`fw_mark`): rounding, since it is computed by machine code and without
    same: float = 1e-9
    # Values beyond are as good as infinite: their squares, and so norms and products of two, are no
    # numbers.
    huge: float = 1e154
    # Of the unknowns: Newton's step where they go on to grow or to shrink, so that not even their first
    # digit is known. Halving makes it one, rounding of residuals 1e-8.
    running: float = 0.5
    # Times its start and nominal value: an unknown that still runs there is not at a fold
    far: float = 1e6
    # Of a share: what a walk from where the last one ended may leave, at most
    progress: float = 0.1
    # Of a change: what may be left of it, as of residuals after the last step of Newton's method
    small: float = 1e-6
    # Of the largest residual at the left limit: equations that an event has changed
    concerned: float = 1e-3


BRANCH = BranchThresholds()


class CurveThresholds(NamedTuple):
    """Of the walk along a curve of solutions (`follow_kernels.py`)."""

    contraction: float = 0.25  # of Newton's steps: half of what a fold makes of them
    bent_jacobian: float = 0.5  # its change in Newton's first step, which halves it at a fold
    near_iterations: int = 8  # of Newton's method: a start that is near needs three or four
    # Steps this small, relative to the unknowns, need not shrink any more. A fold that is passed by less
    # is passed by the square of that, which is rounding.
    rounded: float = 1e-8
    # Of a nominal value: what an unknown near zero is compared with. Times `NEWTON.tolerance` it is rounding
    # of numbers of the size of the nominal value; unknowns in small units without a nominal value keep their
    # digits.
    floor: float = 1e-5
    # Of residuals: what Newton's steps leave at most, unless rounding hides what they do
    effect: float = 0.5
    # Of the unknowns: a step over which slopes are compared with residuals, far above rounding
    seen: float = 1e-6
    bent: float = 0.25  # of the share: what a step along the curve may differ from its tangent
    # Slopes at both ends of a step along the curve and on the average: as many times as they may differ.
    # A step over two folds would have the wrong one on the average.
    apart: float = 3.0
    # Steps along the curve of several unknowns, times `rounded`: over shorter ones the average slope is
    # made of what the corrections have left (`fw_correct`), and tells nothing.
    resolved: float = 4.0
    kink: int = 30  # times halved: a difference that is left then is a kink
    samples: int = 16  # between two solutions of one unknown
    # Of an unknown: samples over which only rounding changes at a fold
    spacing: float = 4.0 * 2.0 ** (-52)
    noisy: float = 16.0  # times rounding: what is larger can be told
    most_steps: int = 2000  # along one curve
    most_downhill: int = 16  # decades in which a direction is looked for where the slope is zero
    # Steps of several unknowns over less than `seen` that are refused: a kink has a third as many. Where
    # there are more, slopes by formulas are wrong.
    most_creeps: int = 64
    most_shorter: int = 60  # times that a step along the curve is halved
    corrections: int = 6  # of Newton's method, back to the curve
    flat: float = 1e-3  # of the first step: where a turning point is as good as reached


CURVE = CurveThresholds()


class FoldThresholds(NamedTuple):
    """Of solutions beside a fold (`beside_fold_kernels.py`)."""

    # Of the unknowns: so far from a fold Newton's method takes residuals for rounding (`fw_is_flat`).
    beside: float = sqrt(NEWTON.rounding * NEWTON.over)
    # What starts beside a fold: outside of rounding, of 1e-16 of the largest term, which for curves with
    # terms as large as hundred times their sum moves a fold by 1e-7. Steps inside of it lead anywhere.
    off: float = 1e-6
    # Of a small move of all unknowns: what one of them must keep of it to be loose. Isolated solutions
    # keep nothing, double ones sqrt(NEWTON.rounding) of their size at most: a thousandth of the move.
    kept: float = 0.01
    # Of what is kept: by this half a move may differ from the half of it
    proportional: float = 0.25
    # Of the unknowns: outside of what rounding hides of a fold (`off`, `beside`)
    regular: float = 1e-5


FOLD = FoldThresholds()


class DifferenceThresholds(NamedTuple):
    """Of derivatives by differences (`core_kernels.py`, `llvm_core.py`, `llvm_differences.py`,
    `table_kernels.py`)."""

    # Of an unknown: the third root of what is rounded, for central differences
    central: float = 6e-6
    of_run: float = 1e-7  # of a run: the step where formulas have no derivative
    moved: float = 1e-6  # of the value of a state
    least_moved: float = 1e-9  # of a state near zero, which has no size
    # Of the length of a time table: a time as near as that to a point is at it
    near: float = 1e-10


DIFFERENCES = DifferenceThresholds()
