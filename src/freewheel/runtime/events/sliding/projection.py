"""States moved by as little as brings them onto surfaces.

    project(loop, memory, count, surfaces)      # `loop.trial`, onto the surfaces of `held.numbers`
    least_change(k, n, rows, wrong, change)     # the shortest change with rows * change = wrong

Distances between states are measured relative to their sizes. Gauss and Newton, with the least change in each
round: the pseudo-inverse by one-sided Jacobi rotations (Hestenes 1958; Golub, Van Loan, Matrix Computations,
8.6), which needs nothing but products of rows and is accurate however nearly rows depend on each other.
"""

from __future__ import annotations

from math import sqrt

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.events.sliding.hold_kernels import (
    HeldMotions,
    along_nothing,
    holds,
    slope_along,
)
from freewheel.runtime.events.sliding.sides import residual_motion, see_mode_of, sides
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.thresholds import EPSILON, HOLD, LARGEST, ZENO

projection = KernelModule("projection", holds, sides)


@projection.kernel
def product(n: Int, one: Floats, other: Floats) -> Float:
    total = 0.0
    for j in range(n):
        total += one[j] * other[j]
    return total


@projection.kernel
def turn_rows(n: Int, one: Floats, other: Floats, cosine: Float, sine: Float) -> None:
    for j in range(n):
        first = one[j]
        one[j] = cosine * first - sine * other[j]
        other[j] = sine * first + cosine * other[j]


@projection.kernel
def sweep(k: Int, n: Int, rows: Floats, wrong: Floats) -> Int:
    """Each pair of rows made orthogonal; how many were not."""
    count = 0
    for p in range(k):
        for q in range(p + 1, k):
            one = rows[p * n :]
            other = rows[q * n :]
            square = product(n, one, one)
            other_square = product(n, other, other)
            both = product(n, one, other)
            if abs(both) > EPSILON * sqrt(square) * sqrt(other_square):
                count += 1
                zeta = (other_square - square) / (2.0 * both)
                size = 1.0 / (abs(zeta) + sqrt(1.0 + zeta * zeta))
                tangent = size if zeta >= 0.0 else -size
                cosine = 1.0 / sqrt(1.0 + tangent * tangent)
                turn_rows(n, one, other, cosine, cosine * tangent)
                turn_rows(1, wrong[p:], wrong[q:], cosine, cosine * tangent)
    return count


@projection.kernel
def least_change(k: Int, n: Int, rows: Floats, wrong: Floats, change: Floats) -> None:
    """Rows that depend on others but for round-off are of no account; rows and `wrong` are used up."""
    for _ in range(HOLD.most_sweeps):
        if sweep(k, n, rows, wrong) == 0:
            break
    largest = 0.0
    for p in range(k):
        largest = max(largest, product(n, rows[p * n :], rows[p * n :]))
    smallest = EPSILON * max(k, n)
    for j in range(n):
        change[j] = 0.0
    for p in range(k):
        row = rows[p * n :]
        square = product(n, row, row)
        if square > smallest * smallest * largest:
            share = wrong[p] / square
            for j in range(n):
                change[j] += share * row[j]


@projection.kernel
def gradient_by_states(held: HeldMotions, memory: Floats, i: Int, order: Int, row: Floats) -> None:
    """Of a residual; of its rate where the order is two."""
    along_nothing(held)
    for j in range(held.states):
        held.values[1 + j] = 1.0
        row[j] = slope_along(held, memory, i, order, 0.0)
        held.values[1 + j] = 0.0


@projection.kernel
def find_scale(loop: Loop, y: Floats) -> None:
    """Sizes of the states; zero where an unknown of a core is no state."""
    scale = loop.held.scale
    for j in range(loop.n):
        scale[j] = max(abs(y[j]), ZENO.least_state)
        if loop.stored_count > 0 and loop.is_stored[j] == 0:
            scale[j] = 0.0


@projection.kernel
def set_up_rows(loop: Loop, count: Int, surfaces: Int) -> Int:
    """Gradients by scaled states and what should be zero; 0: there is nothing to do, or no way."""
    held = loop.held
    m = loop.memory
    any_wrong = 0
    total = 2 * count - surfaces
    for a in range(total):
        i = held.numbers[a if a < count else surfaces + a - count]
        row = held.rows[a * loop.n :]
        if a < count:
            held.wrong[a] = held.now[i]
            gradient_by_states(held, m, i, 1, row)
        else:
            held.wrong[a] = residual_motion(held, m, i)
            gradient_by_states(held, m, i, 2, row)
        if not abs(held.wrong[a]) <= LARGEST:
            return 0
        if held.wrong[a] != 0.0:
            any_wrong = 1
        for j in range(loop.n):
            if not abs(row[j]) <= LARGEST:
                return 0
            row[j] *= held.scale[j]
    return any_wrong


@projection.kernel
def project(loop: Loop, memory: Floats, count: Int, surfaces: Int) -> None:
    """`loop.trial` becomes the nearest states on the surfaces of the relations in `held.numbers`, in the mode
    of a memory; those after the first `surfaces` of them rest, without speed."""
    held = loop.held
    find_scale(loop, loop.trial)
    for _ in range(HOLD.corrections):
        see_mode_of(loop, memory)
        if set_up_rows(loop, count, surfaces) == 0:
            break
        least_change(2 * count - surfaces, loop.n, held.rows, held.wrong, held.change)
        for j in range(loop.n):
            loop.trial[j] -= held.scale[j] * held.change[j]
