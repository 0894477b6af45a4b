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
   solution left before (`jumps.py`, for which these kernels give up; it needs what tearing hides). A left
   limit with a singular Jacobian, such as one of a continuum of solutions, is on no branch.
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

from freewheel.backend.beside_fold_kernels import (
    BESIDE_FOLDS,
    fw_is_loose,
    fw_is_proper,
    fw_is_regular,
    fw_side,
    fw_to_side,
    fw_to_zero,
)
from freewheel.backend.follow_kernels import (
    follow_size,
    fw_follow,
    fw_is_rounding,
    fw_settled,
)
from freewheel.backend.linear_kernels import fw_not_finite
from freewheel.backend.llvm_kernels import (
    fw_guess,
    fw_newton,
    fw_polish,
    fw_put,
    fw_residual,
    fw_solve,
    work_size,
)
from freewheel.backend.nearby_solution_kernels import (
    fw_near,
    fw_plain_step,
    fw_slopes,
)
from freewheel.backend.signature_kernels import (
    ALIKE,
    SIGNATURES,
    UNLIKE,
    fw_likeness,
    fw_signature,
)
from freewheel.backend.thresholds import BRANCH, CURVE
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Function, Int, Ints
from freewheel.runtime.events.branch_following import FREE, HELD, LOOSE, REPORTED, SINCE

BRANCHES = KernelModule(
    "branches_at_events", BESIDE_FOLDS, SIGNATURES, exports=("fw_loop", "fw_walk")
)

# Stages of a loop: before the first step (BEGUN: with a regular solution), between events, at an event on its
# branch, and off it.
BEGUN, FRESH, FOLLOWED, SETTLING, JUMPED = -1.0, 0.0, 1.0, 2.0, 3.0
# In place of the sense of a branch: the equations have no solution here but for residuals that no step makes
# smaller, see `fw_is_vague`.
VAGUE = 2.0
GIVEN_UP = 5.0  # likewise: at a jump, by rules 1 to 3
MARK, LEFT = 2, 5  # places behind the sense: the mark of what is held, the left limit
TIME = 0  # slot (program/layout.py)
FROM_STARTS = 1  # of `fw_guess`


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
    if m[sense + REPORTED] == 0.0:
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
        if is_first == 1 or abs(now - m[sense + MARK]) <= BRANCH.same * (1.0 + abs(now)):
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
        if is_first == 0 and moved <= CURVE.rounded:
            m[sense] = 0.0
            return 0
        if moved > BRANCH.shrunk:
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
    far = 0.0 if m[sense] == VAGUE else BRANCH.far
    if fw_plain_step(n, x, nominals, a, f, step, matrix) == 0:
        for i in range(n):
            is_far = 1 if abs(x[i]) >= far * (abs(starts[i]) + nominals[i]) else 0
            if is_far == 1 and abs(step[i]) > BRANCH.running * (
                abs(x[i]) + CURVE.floor * nominals[i]
            ):
                is_running = 1
    fw_residual(residual, n, m, slots, x, f)
    return is_running


@BRANCHES.kernel
def fw_stays_regular(
    residual: Function, jacobian: Function, has_jacobian: Int, n: Int, m: Floats, slots: Ints,
    starts: Floats, nominals: Floats, bounds: Floats, x: Floats, work: Floats,
) -> Int:  # fmt: skip
    """Before the first step, x being a regular solution for other trial values of the states: whether
    Newton's method contracts quickly from there. Then its result, which the memory holds, is regular and on
    the same branch. Else 0, and the slots hold x."""
    trial = work
    rest = work[n:]
    moved = 0.0
    for i in range(n):
        trial[i] = x[i]
    status = fw_near_inside(
        residual, jacobian, has_jacobian, n, m, slots, nominals, bounds, trial, rest
    )  # fmt: skip
    for i in range(n):
        moved = max(moved, abs(trial[i] - x[i]))
    if status == 0 and moved == 0.0:  # nobody has looked at the Jacobian
        side = fw_side(residual, jacobian, has_jacobian, n, m, slots, nominals, trial, rest)
        status = 1 if side == 0.0 else fw_settled(residual, n, m, slots, trial, rest)
    if status != 0:
        fw_put(n, m, slots, x)
        return 0
    fw_to_zero(residual, n, m, slots, starts, nominals, trial, rest)
    return 1


@BRANCHES.kernel
def fw_stay_loose(
    residual: Function, jacobian: Function, has_jacobian: Int, n: Int, m: Floats, slots: Ints,
    starts: Floats, nominals: Floats, bounds: Floats, x: Floats, sense: Int, work: Floats,
) -> Int:  # fmt: skip
    """Of a continuum of solutions the one near x, the last one; as soon as solutions are isolated again it is
    followed like any other."""
    status = fw_solve(residual, jacobian, has_jacobian, n, m, slots, starts, nominals, bounds, work)
    if status == 0:
        for i in range(n):
            x[i] = m[slots[i]]
        if fw_side(residual, jacobian, has_jacobian, n, m, slots, nominals, x, work) != 0.0:
            m[sense] = 0.0
        status = fw_settled(residual, n, m, slots, x, work)
    return status


@BRANCHES.kernel
def fw_is_huge(n: Int, m: Floats, slots: Ints) -> Int:
    """1: some value is infinite, as good as that, or no number."""
    for i in range(n):
        if not abs(m[slots[i]]) <= BRANCH.huge:
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
    if m[follow] == FREE and m[sense + 1] > FRESH and fw_not_finite(n, x) == 0:
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
            m[sense + REPORTED] = 1.0
            fw_hold_on(m, first, inner, count)
            return 0
    if is_free == 0 and m[sense] == LOOSE:
        return fw_stay_loose(
            residual, jacobian, has_jacobian, n, m, slots, starts, nominals, bounds, x, sense, rest
        )  # fmt: skip
    if is_free == 0 and m[sense] != VAGUE:
        return fw_follow(
            residual, jacobian, has_jacobian, n, m, slots, starts, nominals, bounds, work, follow,
            sense,
        )  # fmt: skip
    # At the start any solution will do; and where there is none but for rounding there is no branch either.
    stays = 0
    if m[sense + 1] == BEGUN and fw_not_finite(n, x) == 0:
        stays = fw_stays_regular(
            residual, jacobian, has_jacobian, n, m, slots, starts, nominals, bounds, x, rest
        )  # fmt: skip
    if stays == 1:
        return max(fw_is_huge(n, m, slots), fw_is_huge(count, m, inner))
    if m[sense + 1] == BEGUN:
        m[sense + 1] = FRESH
    status = fw_solve(residual, jacobian, has_jacobian, n, m, slots, starts, nominals, bounds, rest)
    if status != 0:
        return status
    for i in range(n):
        x[i] = m[slots[i]]
    side = 0.0
    is_loose = 0
    if m[sense + 1] == FRESH:
        fw_to_zero(residual, n, m, slots, starts, nominals, x, rest)
        if fw_is_regular(
            residual, jacobian, has_jacobian, n, m, slots, starts, nominals, x, rest
        ) == 1:  # fmt: skip
            m[sense] = 0.0
            m[sense + 1] = BEGUN
            return max(fw_is_huge(n, m, slots), fw_is_huge(count, m, inner))
        is_loose = fw_is_loose(
            residual, jacobian, has_jacobian, n, m, slots, starts, nominals, bounds, x, rest
        )  # fmt: skip
    if m[sense + 1] == FRESH and is_loose == 0:
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
    if is_loose == 1:
        m[sense] = LOOSE
    return status


def loop_size(n: int) -> int:
    """Numbers that `fw_loop` needs to work with."""
    return max(follow_size(n), 6 * n + 2 * n * n + max(work_size(n), 6 * n + 2 * n * n))
