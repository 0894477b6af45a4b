"""Residuals in a mode of the model, and states projected onto surfaces.

    evaluate_mode_of(loop, memory)                   # residuals at the event in the mode of a memory
    residual_motion(held, memory, i)            # dz/dt by derivatives of formulas
    rates_by_steps(loop, memory)                # the same of all residuals, by differences
    project(loop, memory, count, surfaces)      # `loop.trial`, onto the surfaces of `held.numbers`

Time and states are those of the event (`loop.t`, `loop.trial`); `loop.memory` is undefined afterwards. The
projection is the least change of the states relative to their sizes, by Gauss-Newton.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.events.impacts import evaluate_residuals, impacts, rates_along
from freewheel.runtime.events.iteration_kernels import copy, drop_messages
from freewheel.runtime.events.sliding.vector_field import (
    ConstrainedMotions,
    derivative_along,
    set_motion_direction,
    set_zero_direction,
    vector_field,
)
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.thresholds import LARGEST, SLIDING, ZENO

projection = KernelModule("projection", vector_field, impacts)


# ---------------------------------------------------------------- modes


@projection.kernel
def evaluate_mode_of(loop: Loop, memory: Floats) -> None:
    """Residuals at the event in the mode of a memory, into `held.now`; `loop.memory` becomes that mode."""
    copy(loop.memory_size, memory, loop.memory)
    evaluate_residuals(loop, loop.t, loop.trial, loop.constrained.now)


@projection.kernel
def residual_motion(held: ConstrainedMotions, memory: Floats, i: Int) -> Float:
    """dz/dt along the motion of a memory that has been evaluated."""
    set_motion_direction(held, memory)
    return derivative_along(held, memory, i, 1, 1.0)


@projection.kernel
def slope_of_mode(loop: Loop, memory: Floats) -> None:
    """Derivatives of the states in the mode of a memory, into `held.way`."""
    evaluate_mode_of(loop, memory)
    copy(loop.n, loop.memory[loop.derivatives_slot :], loop.constrained.way)


@projection.kernel
def rates_by_steps(loop: Loop, memory: Floats) -> None:
    """Rates of the residuals in the mode of a memory along `held.way`, by differences, into `held.now`."""
    evaluate_mode_of(loop, memory)
    rates_along(loop, loop.trial, loop.constrained.way, loop.constrained.now)
    drop_messages(loop)


# ---------------------------------------------------------------- least change


@projection.kernel
def product(n: Int, one: Floats, other: Floats) -> Float:
    total = 0.0
    for j in range(n):
        total += one[j] * other[j]
    return total


@projection.kernel
def least_change(k: Int, n: Int, rows: Floats, wrong: Floats, change: Floats) -> None:
    """The shortest change with rows * change = wrong, both of which are overwritten: Gram-Schmidt, the
    longest of the remaining rows first. Rows that depend on those before but for rounding are left out."""
    largest = 0.0
    for j in range(n):
        change[j] = 0.0
    for _ in range(k):
        longest = 0
        square = -1.0
        for p in range(k):
            other_square = product(n, rows[p * n :], rows[p * n :])
            if other_square > square:
                longest = p
                square = other_square
        largest = max(largest, square)
        if not square > SLIDING.dependent * SLIDING.dependent * largest:
            return
        row = rows[longest * n :]
        share = wrong[longest] / square
        for j in range(n):
            change[j] += share * row[j]
        for p in range(k):
            if p != longest:
                overlap = product(n, rows[p * n :], row) / square
                wrong[p] -= overlap * wrong[longest]
                for j in range(n):
                    rows[p * n + j] -= overlap * row[j]
        for j in range(n):
            row[j] = 0.0


@projection.kernel
def gradient_by_states(
    held: ConstrainedMotions, memory: Floats, i: Int, order: Int, row: Floats
) -> None:
    """The gradient of a residual, or of its rate where the order is two."""
    set_zero_direction(held)
    for j in range(held.states):
        held.values[1 + j] = 1.0
        row[j] = derivative_along(held, memory, i, order, 0.0)
        held.values[1 + j] = 0.0


@projection.kernel
def find_scale(loop: Loop, y: Floats) -> None:
    """Sizes of the states; zero where an unknown of a core is no state."""
    for j in range(loop.n):
        loop.constrained.scale[j] = max(abs(y[j]), ZENO.least_state)
        if loop.stored_count > 0 and loop.is_stored[j] == 0:
            loop.constrained.scale[j] = 0.0


@projection.kernel
def set_up_rows(loop: Loop, count: Int, surfaces: Int) -> Int:
    """Gradients by scaled states, and the residuals; 0: all are zero, or one is not finite."""
    held = loop.constrained
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
    """Projects `loop.trial` onto the surfaces of the relations in `held.numbers`, in the mode of a memory; of
    those after the first `surfaces`, which rest, the rates become zero too."""
    held = loop.constrained
    find_scale(loop, loop.trial)
    for _ in range(SLIDING.corrections):
        evaluate_mode_of(loop, memory)
        if set_up_rows(loop, count, surfaces) == 0:
            break
        least_change(2 * count - surfaces, loop.n, held.rows, held.wrong, held.change)
        for j in range(loop.n):
            loop.trial[j] -= held.scale[j] * held.change[j]
