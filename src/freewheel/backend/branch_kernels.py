"""Which solution a nonlinear loop takes where an event changes its equations by a jump.

    a fault in a network with loads of constant power: voltage 0.97 before it, 0.01 in it, and after it
    0.97 or 0.001, which solve the same equations

A loop remembers two of its solutions: the left limit of the present event, and the one that it left last when
its equations jumped. With each goes a *signature*: the signs of the pivots of the Jacobian in a fixed order
of rows, that is of its nested minors. For one unknown it is the sign of the slope; the product is the sign of
the determinant, which no branch changes. Of a solution that is stable for parasitics of any size at all
unknowns no principal minor changes its sign (such a Jacobian is a P-matrix up to signs of rows; Hershkowitz,
"Recent directions in matrix stability", 1992). The rule at an event (docs/theory/events.md, "Jumps"):

1. Values that solve the new equations too stay. Where Newton's method contracts quickly from the old values,
   to a solution with the signature of the left limit, the loop keeps its branch.
2. Else it jumps. If Newton's method contracts quickly from the solution that was left before, that branch is
   there again. The solution from the old values is taken only if it has the same signature, like the other
   state of a latch.
3. Else the solution from the old values is taken if it has the signature of the left limit.
4. Else the branch of the left limit is walked along while the change is made bit by bit, then that of the
   solution left before (`jumps.py`, for which these kernels give up; it needs what tearing hides).
5. Else the solution from the values that were left before, or from start values, if its determinant has the
   sign asked for; else the one from the old values, whatever it is.

The memory of a loop of n unknowns begins at `m[sense]`: the sense of its branch, its stage, a mark of its
equations where it is held, whether it has been held and since when, then values, order of rows and signs of
the left limit, and the same three of the solution left before; then what it assigned at the left limit, what
it is held at, and what it assigned at the solution left before (`branch_memory`, `left_memory` of
`program.nodes`).
"""

from __future__ import annotations

from math import log

from freewheel.backend.follow_kernels import (
    FLOOR,
    FOLLOWING,
    ROUNDED,
    follow_size,
    fw_follow,
    fw_is_bent,
    fw_is_rounding,
    fw_near,
    fw_orientation,
    fw_plain_step,
    fw_settled,
    fw_slopes,
)
from freewheel.backend.linear_kernels import PIVOT, fw_not_finite
from freewheel.backend.llvm_kernels import (
    MAX_HALVINGS,
    MAX_ITERATIONS,
    fw_guess,
    fw_newton,
    fw_norm,
    fw_polish,
    fw_put,
    fw_residual,
    fw_size,
    fw_solve,
    work_size,
)
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Function, Int, Ints
from freewheel.runtime.events.branch_following import FREE, HELD, SINCE, TOLD

BRANCHES = KernelModule("branches_at_events", FOLLOWING, exports=("fw_loop", "fw_walk"))

# Stages of a loop: before the first step, between events, at an event on its branch, and off it.
FRESH, FOLLOWED, SETTLING, JUMPED = 0.0, 1.0, 2.0, 3.0
UNLIKE, SAME_SENSE, ALIKE = 0, 1, 2  # of a Jacobian and a signature
# In place of the sense of a branch: the equations have no solution here but for residuals that no step makes
# smaller, see `fw_is_vague`.
VAGUE = 2.0
# Of the unknowns: at a fold rounding of residuals, of 1e-16, moves them by its root; a hundred times as much.
BESIDE_FOLD = 1e-6
OFF_FOLD = (
    8.0 * ROUNDED
)  # what starts beside a fold: a loop that is followed passes folds by ROUNDED unseen
GIVEN_UP = 5.0  # likewise: at a jump, by rules 1 to 3
SHRUNK = 0.5  # of an unknown: where one moves as far as that its new value, which may be small, is polished
MARK, LEFT = 2, 5  # places behind the sense: the mark of what is held, the left limit
SAME = 1e-9  # of a mark (`fw_mark`): rounding, since it is computed by machine code and without
TIME = 0  # slot (program/layout.py)
FROM_STARTS = 1  # of `fw_guess`
# Values beyond are as good as infinite: their squares, and so norms and products of two, are no numbers.
HUGE = 1e154
# Of the unknowns: Newton's step where they go on to grow or to shrink, so that not even their first digit is
# known. Halving makes it one, rounding of residuals 1e-8.
RUNNING = 0.5
FAR = 1e6  # times its start and nominal value: an unknown that still runs there is not at a fold


@BRANCHES.kernel
def fw_signature(
    n: Int, x: Floats, nominals: Floats, a: Floats, m: Floats, at: Int, matrix: Floats
) -> None:
    """The signature of a Jacobian at x, and the order of rows that goes with it, from m[at] on; all signs are
    0 where a pivot vanishes, in units of the unknowns."""
    for c in range(n):
        size = fw_size(x[c], nominals[c])
        for r in range(n):
            matrix[r * n + c] = a[r * n + c] * size
    is_regular = fw_scale_rows(n, matrix)
    for i in range(n):
        m[at + i] = float(i)
    for k in range(n):
        best = k
        for r in range(k + 1, n):
            if abs(matrix[r * n + k]) > abs(matrix[best * n + k]):
                best = r
        if not abs(matrix[best * n + k]) > PIVOT:
            is_regular = 0
        if best != k:
            row = m[at + k]
            m[at + k] = m[at + best]
            m[at + best] = row
            for c in range(n):
                other = matrix[k * n + c]
                matrix[k * n + c] = matrix[best * n + c]
                matrix[best * n + c] = other
        m[at + n + k] = fw_eliminate_below(n, matrix, k)
    if is_regular == 0:
        for k in range(n):
            m[at + n + k] = 0.0


@BRANCHES.kernel
def fw_scale_rows(n: Int, matrix: Floats) -> Int:
    """Largest entries become one; 0 where a row is empty or has no numbers."""
    if fw_not_finite(n * n, matrix) != 0:
        return 0
    for r in range(n):
        size = 0.0
        for c in range(n):
            size = max(size, abs(matrix[r * n + c]))
        if not size > 0.0:
            return 0
        for c in range(n):
            matrix[r * n + c] = matrix[r * n + c] / size
    return 1


@BRANCHES.kernel
def fw_eliminate_below(n: Int, matrix: Floats, k: Int) -> Float:
    """Column k below its pivot becomes zero; the sign of the pivot."""
    pivot = matrix[k * n + k]
    if pivot == 0.0:
        return 0.0
    for r in range(k + 1, n):
        factor = matrix[r * n + k] / pivot
        for c in range(k + 1, n):
            matrix[r * n + c] -= factor * matrix[k * n + c]
    return 1.0 if pivot > 0.0 else -1.0


@BRANCHES.kernel
def fw_likeness(n: Int, a: Floats, m: Floats, at: Int, matrix: Floats) -> Int:
    """How a Jacobian is like the signature that begins at m[at]: ALIKE, SAME_SENSE where
    only the sign of its determinant is, or UNLIKE."""
    if m[at + n] == 0.0:
        return UNLIKE
    for k in range(n):
        row = int(m[at + k])
        for c in range(n):
            matrix[k * n + c] = a[row * n + c]
    if fw_scale_rows(n, matrix) == 0:
        return UNLIKE
    differ = 0
    product = 1.0
    for k in range(n):
        sign = fw_eliminate_below(n, matrix, k)
        product *= sign * m[at + n + k]
        if sign != m[at + n + k]:
            differ += 1
    if differ == 0:
        return ALIKE
    return SAME_SENSE if product > 0.0 else UNLIKE


@BRANCHES.kernel
def fw_near_inside(
    residual: Function, jacobian: Function, has_jacobian: Int, n: Int, m: Floats, slots: Ints,
    nominals: Floats, bounds: Floats, x: Floats, work: Floats,
) -> Int:  # fmt: skip
    """As `fw_near`; 1 also where the solution is outside of its bounds."""
    if fw_near(residual, jacobian, has_jacobian, n, m, slots, nominals, x, work) != 0:
        return 1
    for i in range(n):
        if x[i] < bounds[i] or x[i] > bounds[n + i]:
            return 1
    return 0


@BRANCHES.kernel
def fw_is_vague(
    residual: Function, jacobian: Function, has_jacobian: Int, n: Int, m: Floats, slots: Ints,
    nominals: Floats, x: Floats, work: Floats,
) -> Int:  # fmt: skip
    """Whether damped Newton steps from x come to an end before they are small beside the unknowns:
    `fw_newton` accepts what is small beside nominal values, although it may be no solution. x is changed."""
    f = work
    there = work[n:]
    trial = work[2 * n :]
    step = work[3 * n :]
    a = work[4 * n :]
    matrix = work[4 * n + n * n :]
    if fw_residual(residual, n, m, slots, x, f) != 0:
        return 0
    for _ in range(MAX_ITERATIONS):
        now = fw_norm(n, f)
        if now == 0.0:
            return 0
        fw_slopes(residual, jacobian, has_jacobian, n, m, slots, nominals, x, f, a, there)
        if fw_plain_step(n, x, nominals, a, f, step, matrix) != 0:
            # At a fold the equations hold all the same.
            return 1 - fw_is_rounding(
                residual, jacobian, has_jacobian, n, m, slots, nominals, x, work
            )  # fmt: skip
        size = 0.0
        for i in range(n):
            size = max(size, abs(step[i]) / (abs(x[i]) + FLOOR * nominals[i]))
        if size <= ROUNDED:
            return 0
        share = 1.0
        for _ in range(MAX_HALVINGS):
            for i in range(n):
                trial[i] = x[i] + share * step[i]
            if (
                fw_residual(residual, n, m, slots, trial, there) == 0
                and fw_norm(n, there) < (1.0 - 1e-4 * share) * now
            ):
                break
            share *= 0.5
        if not fw_norm(n, there) < now:
            share = min(1.0, BESIDE_FOLD / size)
            for i in range(n):
                step[i] *= share
                trial[i] = x[i] + step[i]
            if fw_residual(residual, n, m, slots, trial, there) != 0:
                return 1
            fw_slopes(
                residual, jacobian, has_jacobian, n, m, slots, nominals, trial, there, a, matrix
            )
            return 1 - fw_is_beside_fold(n, a, step, f, share)
        for i in range(n):
            x[i] = trial[i]
            f[i] = there[i]
    return 1


@BRANCHES.kernel
def fw_is_beside_fold(n: Int, a: Floats, step: Floats, f: Floats, share: Float) -> Int:
    """Whether a short step, a share of Newton's, over which the Jacobian bends to `a`, is as good as the
    residuals f tell: then these are rounding. f is changed."""
    for r in range(n):
        moved = 0.0
        for c in range(n):
            moved += abs(a[r * n + c] * step[c])
        if abs(f[r]) > moved:
            return 0
    for r in range(n):
        f[r] *= share
    return fw_is_bent(n, a, step, f)


@BRANCHES.kernel
def fw_is_proper(
    residual: Function, jacobian: Function, has_jacobian: Int, n: Int, m: Floats, slots: Ints,
    nominals: Floats, x: Floats, work: Floats,
) -> Int:  # fmt: skip
    """Whether the equations hold at x, which is left as it is."""
    own = work
    rest = work[n:]
    for i in range(n):
        own[i] = x[i]
    if fw_near(residual, jacobian, has_jacobian, n, m, slots, nominals, own, rest) == 0:
        return 1
    for i in range(n):
        own[i] = x[i]
    return 1 - fw_is_vague(residual, jacobian, has_jacobian, n, m, slots, nominals, own, rest)


@BRANCHES.kernel
def fw_take(
    residual: Function, jacobian: Function, has_jacobian: Int, n: Int, m: Floats, slots: Ints,
    nominals: Floats, x: Floats, sense: Int, work: Floats,
) -> Int:  # fmt: skip
    """x is the solution: 0, and all that the loop computes besides belongs to it."""
    m[sense] = 0.0
    if fw_is_proper(residual, jacobian, has_jacobian, n, m, slots, nominals, x, work) == 0:
        m[sense] = VAGUE
    return fw_settled(residual, n, m, slots, x, work)


@BRANCHES.kernel
def fw_hold(
    residual: Function, n: Int, m: Floats, slots: Ints, x: Floats, sense: Int, first: Int, inner: Ints,
    count: Int, work: Floats,
) -> Int:  # fmt: skip
    """x, and what the loop assigns, stays as it is in the memory until the equations change."""
    m[sense] = HELD
    for i in range(count):
        m[first + count + i] = m[inner[i]]
    if fw_residual(residual, n, m, slots, x, work) != 0:
        return 1
    m[sense + MARK] = fw_mark(n, m, inner, count, work)
    fw_hold_on(m, first, inner, count)
    if m[sense + TOLD] == 0.0:
        m[sense + SINCE] = m[TIME]
    return 0


@BRANCHES.kernel
def fw_mark(n: Int, m: Floats, inner: Ints, count: Int, f: Floats) -> Float:
    """A number that changes with each of the equations, however large others are: logarithms of the residuals
    and of what the loop has assigned."""
    total = 0.0
    for i in range(n):
        total += (1.0 + i) * (log(1.0 + f[i]) if f[i] > 0.0 else -log(1.0 - f[i]))
    for i in range(count):
        value = m[inner[i]]
        total += (1.0 + n + i) * (log(1.0 + value) if value > 0.0 else -log(1.0 - value))
    return total


@BRANCHES.kernel
def fw_hold_on(m: Floats, first: Int, inner: Ints, count: Int) -> None:
    for i in range(count):
        m[inner[i]] = m[first + count + i]


@BRANCHES.kernel
def fw_choose(
    residual: Function, jacobian: Function, has_jacobian: Int, n: Int, m: Floats, slots: Ints,
    starts: Floats, nominals: Floats, bounds: Floats, own: Floats, given: Int, is_last: Int, sense: Int,
    work: Floats,
) -> Int:  # fmt: skip
    """Rules 2, 3 and, where `is_last`, 5: the solution that is taken ends in the memory, or 1. `own` is the
    one from the old values, where it is `given`."""
    left = sense + LEFT
    before = left + 3 * n
    x = work
    f = work[n:]
    there = work[2 * n :]
    a = work[3 * n :]
    matrix = work[3 * n + n * n :]
    rest = work[3 * n + 2 * n * n :]
    has_own = given
    if has_own == 1:
        has_own = fw_is_proper(
            residual, jacobian, has_jacobian, n, m, slots, nominals, own, rest
        )  # fmt: skip
    if has_own == 1:
        fw_residual(residual, n, m, slots, own, f)
        fw_slopes(residual, jacobian, has_jacobian, n, m, slots, nominals, own, f, a, there)
    has_left = 1 if m[left + n + n] != 0.0 else 0
    has_before = 1 if m[before + n + n] != 0.0 else 0
    if has_before == 1:
        for i in range(n):
            x[i] = m[before + i]
        if fw_near_inside(
            residual, jacobian, has_jacobian, n, m, slots, nominals, bounds, x, rest
        ) == 0:  # fmt: skip
            if has_own == 0 or fw_likeness(n, a, m, before + n, matrix) != ALIKE:
                for i in range(n):
                    own[i] = x[i]
            return fw_take(
                residual, jacobian, has_jacobian, n, m, slots, nominals, own, sense, rest
            )
    if has_own == 1 and has_left == 1 and fw_likeness(n, a, m, left + n, matrix) == ALIKE:
        return fw_take(residual, jacobian, has_jacobian, n, m, slots, nominals, own, sense, rest)
    if is_last == 0:
        return 1
    for turn in range(2):
        asked = before if turn == 0 or has_left == 0 else left
        is_asked = has_before if asked == before else has_left
        if turn == 0 and has_before == 0:
            continue
        if turn == 0:
            for i in range(n):
                x[i] = m[before + i]
        else:
            fw_guess(FROM_STARTS, n, x, starts, nominals, bounds, x)
        if fw_newton(
            residual, jacobian, has_jacobian, n, m, slots, nominals, bounds, x, rest
        ) == 0 and fw_is_proper(
            residual, jacobian, has_jacobian, n, m, slots, nominals, x, rest
        ) == 1:  # fmt: skip
            fw_residual(residual, n, m, slots, x, f)
            fw_slopes(residual, jacobian, has_jacobian, n, m, slots, nominals, x, f, a, there)
            if is_asked == 0 or fw_likeness(n, a, m, asked + n, matrix) != UNLIKE:
                return fw_take(
                    residual, jacobian, has_jacobian, n, m, slots, nominals, x, sense, rest
                )
    if has_own == 0:
        return 1
    return fw_take(residual, jacobian, has_jacobian, n, m, slots, nominals, own, sense, rest)


@BRANCHES.kernel
def fw_take_walked(
    residual: Function, jacobian: Function, has_jacobian: Int, n: Int, m: Floats, slots: Ints,
    nominals: Floats, own: Floats, sense: Int, work: Floats,
) -> Int:  # fmt: skip
    """Rule 4: `own` is where a branch led to. 1 where the change began by turning the sign of the
    determinant: then it is on another branch."""
    asked = sense + LEFT if m[sense + LEFT + 2 * n] != 0.0 else sense + LEFT + 3 * n
    f = work
    there = work[n:]
    a = work[2 * n :]
    matrix = work[2 * n + n * n :]
    rest = work[2 * n + 2 * n * n :]
    fw_residual(residual, n, m, slots, own, f)
    fw_slopes(residual, jacobian, has_jacobian, n, m, slots, nominals, own, f, a, there)
    if m[asked + 2 * n] != 0.0 and fw_likeness(n, a, m, asked + n, matrix) == UNLIKE:
        return 1
    return fw_take(residual, jacobian, has_jacobian, n, m, slots, nominals, own, sense, rest)


@BRANCHES.kernel
def fw_accept(
    residual: Function, jacobian: Function, has_jacobian: Int, n: Int, m: Floats, slots: Ints,
    starts: Floats, nominals: Floats, bounds: Floats, own: Floats, sense: Int, work: Floats,
) -> Int:  # fmt: skip
    """`own` solves the equations, as far as can be told without more means; it, or what goes before it at a
    jump, ends in the memory."""
    if m[sense + 1] == JUMPED:
        return fw_choose(
            residual, jacobian, has_jacobian, n, m, slots, starts, nominals, bounds, own, 1, 1, sense, work
        )  # fmt: skip
    return fw_take(residual, jacobian, has_jacobian, n, m, slots, nominals, own, sense, work)


@BRANCHES.kernel
def fw_at_event(
    residual: Function, jacobian: Function, has_jacobian: Int, n: Int, m: Floats, slots: Ints,
    starts: Floats, nominals: Floats, bounds: Floats, work: Floats, sense: Int, first: Int, inner: Ints,
    count: Int,
) -> Int:  # fmt: skip
    """Solves a loop that has been followed. The first call at an instant comes before equations change: what
    it finds is the left limit. What the loop assigns there, to `inner`, is kept from m[first] on."""
    left = sense + LEFT
    x = work
    f = work[n:]
    there = work[2 * n :]
    a = work[3 * n :]
    matrix = work[3 * n + n * n :]
    rest = work[3 * n + 2 * n * n :]
    is_first = 1 if m[sense + 1] == FOLLOWED else 0
    for i in range(n):
        x[i] = m[slots[i]]
        rest[i] = x[i]
        if is_first == 1:
            m[left + i] = x[i]
            m[left + 2 * n + i] = 0.0
    if m[sense] == HELD:
        if fw_residual(residual, n, m, slots, x, f) != 0:
            return 1
        now = fw_mark(n, m, inner, count, f)
        if is_first == 1 or abs(now - m[sense + MARK]) <= SAME * (1.0 + abs(now)):
            fw_hold_on(m, first, inner, count)
            if is_first == 1:
                m[sense + 1] = SETTLING
                m[sense + MARK] = now
                fw_keep(m, first, inner, count)
            return 0
    if fw_near_inside(
        residual, jacobian, has_jacobian, n, m, slots, nominals, bounds, x, rest[n:]
    ) == 0:  # fmt: skip
        moved = 0.0
        for i in range(n):
            if (
                x[i] != rest[i]
            ):  # beside themselves: currents hang on voltages that a short circuit leaves
                moved = max(moved, abs(x[i] - rest[i]) / max(abs(x[i]), abs(rest[i])))
        fw_residual(residual, n, m, slots, x, f)
        if is_first == 0 and moved <= ROUNDED:
            m[sense] = 0.0
            return 0
        if moved > SHRUNK:
            fw_polish(
                residual, jacobian, has_jacobian, n, m, slots, nominals, bounds, x, rest[n:]
            )  # fmt: skip
            fw_residual(residual, n, m, slots, x, f)
        fw_slopes(residual, jacobian, has_jacobian, n, m, slots, nominals, x, f, a, there)
        if is_first == 1:
            fw_signature(n, x, nominals, a, m, left + n, matrix)
            m[sense + 1] = SETTLING
        if is_first == 1 or fw_likeness(n, a, m, left + n, matrix) == ALIKE:
            m[sense] = 0.0
            status = fw_settled(residual, n, m, slots, x, f)
            if is_first == 1:
                fw_keep(m, first, inner, count)
            return status
        status = 0
    else:
        if is_first == 1:
            # What was followed is the left limit, as good as it can be told.
            for i in range(n):
                x[i] = rest[i]
            if fw_is_rounding(
                residual, jacobian, has_jacobian, n, m, slots, nominals, x, rest[n:]
            ) != 0:  # fmt: skip
                m[sense] = 0.0
                m[sense + 1] = SETTLING
                fw_residual(residual, n, m, slots, x, f)
                fw_slopes(
                    residual, jacobian, has_jacobian, n, m, slots, nominals, x, f, a, there
                )  # fmt: skip
                fw_signature(n, x, nominals, a, m, left + n, matrix)
                status = fw_settled(residual, n, m, slots, x, f)
                fw_keep(m, first, inner, count)
                return status
        fw_put(n, m, slots, rest)
        m[sense + 1] = SETTLING if is_first == 1 else JUMPED
        status = fw_solve(
            residual, jacobian, has_jacobian, n, m, slots, starts, nominals, bounds, rest[n:]
        )
        for i in range(n):
            x[i] = m[slots[i]]
    if is_first == 1:
        m[sense + 1] = SETTLING
        if status == 0:
            status = fw_take(
                residual, jacobian, has_jacobian, n, m, slots, nominals, x, sense, work[n:]
            )
        fw_keep(m, first, inner, count)
        return status
    m[sense + 1] = JUMPED
    if fw_choose(
        residual, jacobian, has_jacobian, n, m, slots, starts, nominals, bounds, x, 1 - status, 0, sense,
        work[n:],
    ) == 0:  # fmt: skip
        return 0
    for i in range(n):
        m[slots[i]] = m[left + i]
    m[sense] = GIVEN_UP
    return 1


@BRANCHES.kernel
def fw_side(
    residual: Function, jacobian: Function, has_jacobian: Int, n: Int, m: Floats, slots: Ints,
    nominals: Floats, x: Floats, work: Floats,
) -> Float:  # fmt: skip
    """The sign of the determinant at x; 0 where it cannot be told."""
    f = work
    a = work[2 * n :]
    if fw_residual(residual, n, m, slots, x, f) != 0:
        return 0.0
    fw_slopes(residual, jacobian, has_jacobian, n, m, slots, nominals, x, f, a, work[n:])
    return fw_orientation(n, a, work[2 * n + n * n :])


@BRANCHES.kernel
def fw_to_side(
    residual: Function, jacobian: Function, has_jacobian: Int, n: Int, m: Floats, slots: Ints,
    starts: Floats, nominals: Floats, x: Floats, work: Floats,
) -> Float:  # fmt: skip
    """At a start on a fold two solutions are one but for rounding: x becomes the one on the side of the start
    values, which choose the branch if both leave the fold. The sign of the determinant there, before anything
    has moved; 0 where start values say nothing."""
    trial = work
    rest = work[n:]
    apart = 0.0
    for i in range(n):
        trial[i] = starts[i]
        apart = max(apart, abs(starts[i] - x[i]) / (abs(x[i]) + FLOOR * nominals[i]))
    if apart <= BESIDE_FOLD:
        return 0.0
    wanted = fw_side(residual, jacobian, has_jacobian, n, m, slots, nominals, trial, rest)
    here = fw_side(residual, jacobian, has_jacobian, n, m, slots, nominals, x, rest)
    share = OFF_FOLD / apart
    for i in range(n):
        trial[i] = x[i] - share * (starts[i] - x[i])
    behind = fw_side(residual, jacobian, has_jacobian, n, m, slots, nominals, trial, rest)
    if wanted * here == 1.0 and wanted * behind != -1.0:
        return wanted
    while wanted != 0.0 and share * apart <= BESIDE_FOLD:
        for i in range(n):
            trial[i] = x[i] + share * (starts[i] - x[i])
        if wanted == fw_side(
            residual, jacobian, has_jacobian, n, m, slots, nominals, trial, rest
        ):  # fmt: skip
            for i in range(n):
                x[i] = trial[i]
            return wanted
        share *= 2.0
    return 0.0


@BRANCHES.kernel
def fw_keep(m: Floats, first: Int, inner: Ints, count: Int) -> None:
    for i in range(count):
        m[first + i] = m[inner[i]]


@BRANCHES.kernel
def fw_runs_away(
    residual: Function, jacobian: Function, has_jacobian: Int, n: Int, m: Floats, slots: Ints,
    starts: Floats, nominals: Floats, x: Floats, sense: Int, work: Floats,
) -> Int:  # fmt: skip
    """Whether x, which solves the equations only beside nominal values, is on a way without end: v = 0 and
    v*i = p have solutions but for a residual that is the smaller the larger i is."""
    f = work
    step = work[n:]
    a = work[2 * n :]
    matrix = work[2 * n + n * n :]
    if fw_residual(residual, n, m, slots, x, f) != 0:
        return 1
    fw_slopes(residual, jacobian, has_jacobian, n, m, slots, nominals, x, f, a, step)
    is_running = 0
    far = 0.0 if m[sense] == VAGUE else FAR
    if fw_plain_step(n, x, nominals, a, f, step, matrix) == 0:
        for i in range(n):
            is_far = 1 if abs(x[i]) >= far * (abs(starts[i]) + nominals[i]) else 0
            if is_far == 1 and abs(step[i]) > RUNNING * (abs(x[i]) + FLOOR * nominals[i]):
                is_running = 1
    fw_residual(residual, n, m, slots, x, f)
    return is_running


@BRANCHES.kernel
def fw_is_huge(n: Int, m: Floats, slots: Ints) -> Int:
    """1: some value is infinite, as good as that, or no number."""
    for i in range(n):
        if not abs(m[slots[i]]) <= HUGE:
            return 1
    return 0


@BRANCHES.kernel
def fw_loop(
    residual: Function, jacobian: Function, has_jacobian: Int, n: Int, m: Floats, slots: Ints,
    starts: Floats, nominals: Floats, bounds: Floats, work: Floats, follow: Int, sense: Int, first: Int,
    inner: Ints, count: Int,
) -> Int:  # fmt: skip
    """Solves a nonlinear loop: on its branch while time moves on, by the rule above at an event. A solution
    has finite values in all that the loop assigns, too. (While time moves on the section looks at them.)"""
    x = work
    rest = work[n:]
    left = sense + LEFT
    for i in range(n):
        x[i] = m[slots[i]]
    if m[follow] == FREE and m[sense + 1] != FRESH and fw_not_finite(n, x) == 0:
        status = fw_at_event(
            residual, jacobian, has_jacobian, n, m, slots, starts, nominals, bounds, work, sense, first,
            inner, count,
        )  # fmt: skip
        if status == 0:
            status = max(fw_is_huge(n, m, slots), fw_is_huge(count, m, inner))
        return status
    is_free = 1 if m[follow] == FREE else 0
    if is_free == 0:
        if m[sense + 1] == JUMPED and m[left + 2 * n] != 0.0:
            for i in range(3 * n):
                m[left + 3 * n + i] = m[left + i]
            for i in range(count):
                m[first + 2 * count + i] = m[first + i]
        m[sense + 1] = FOLLOWED
        if m[sense] == HELD:
            m[sense + TOLD] = 1.0
            fw_hold_on(m, first, inner, count)
            return 0
    if is_free == 0 and m[sense] != VAGUE:
        return fw_follow(
            residual, jacobian, has_jacobian, n, m, slots, starts, nominals, bounds, work, follow,
            sense,
        )  # fmt: skip
    # At the start any solution will do; and where there is none but for rounding there is no branch either.
    status = fw_solve(residual, jacobian, has_jacobian, n, m, slots, starts, nominals, bounds, rest)
    if status != 0:
        return status
    for i in range(n):
        x[i] = m[slots[i]]
    side = 0.0
    if m[sense + 1] == FRESH:
        side = fw_to_side(
            residual, jacobian, has_jacobian, n, m, slots, starts, nominals, x, rest
        )  # fmt: skip
    status = fw_accept(
        residual, jacobian, has_jacobian, n, m, slots, starts, nominals, bounds, x, sense, rest
    )
    if status == 0 and m[sense] == 0.0:
        m[sense] = side
    if status == 0:
        status = max(fw_is_huge(n, m, slots), fw_is_huge(count, m, inner))
    if status == 0 and m[sense + 1] == FRESH:
        status = fw_runs_away(
            residual, jacobian, has_jacobian, n, m, slots, starts, nominals, x, sense, rest
        )  # fmt: skip
    return status


def loop_size(n: int) -> int:
    """Numbers that `fw_loop` needs to work with."""
    return max(follow_size(n), 6 * n + 2 * n * n + max(work_size(n), 6 * n + 2 * n * n))
