"""Statuses that run in circles: all further ways to statuses that agree with the residuals they cause.

    agree_thoroughly(loop)      # 0: they agree; else why not is in `loop.iteration_outcome`

Equations that contain relations may have several branches, and only their evaluation tells what a choice of
statuses leads to. Each way is taken where the one before runs in circles or meets a choice without solution:

1. All statuses follow their residuals at once. Nearly always this settles in a round or two.
2. Only the first one that disagrees follows: the least-index rule, by which Murty's pivoting
   settles complementarity problems among coupled switches.
3. Statuses and pre values move together. A clutch needs this: torque above its peak lets it slip, and
   slipping, the torque is below the peak at once; only that it slipped before keeps it slipping.
4. All choices for the few relations involved are tried, the nearest to the old one first. A
   Schmitt trigger needs this: its middle branch only leads back to the one that ceased to exist.
   Beyond the fold of a curve it finds the next branch that has a solution. A residual of exactly
   zero puts its relation on the corner between two branches.
5. The same with the relations whose residuals move when those are chosen otherwise.
6. Residuals that are zero but for rounding are forgiven: where two branches meet, rounding may contradict
   both. Such a band lasts until the residual has left it, or until the next event.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Int, Ints
from freewheel.result.events import FOLLOWED, ITERATED
from freewheel.runtime.events.branch_following import ENDED
from freewheel.runtime.events.location import has_left, sign
from freewheel.runtime.events.log import detail
from freewheel.runtime.events.status_update import (
    INTERRUPTED,
    NO_SOLUTION,
    RELATIONS_FLIP,
    are_same,
    differs,
    evaluate_discrete,
    follow,
    following,
    hold,
    is_back,
    moved,
    must_tell,
    remember_statuses,
    residual_or_side,
    take_back,
)
from freewheel.runtime.events.status_update import (
    copy as copy,  # quantized states take it from here
)
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.model import STOPPED
from freewheel.runtime.switched_dae.model import CORE_FAILED
from freewheel.runtime.thresholds import AGREEMENT

circles = KernelModule("circles", following, exports=("agree_thoroughly", "mark_changing"))


@circles.kernel
def evaluate_choice(loop: Loop) -> Int:
    """0: the statuses in memory have a solution, and residuals are those of it. Exceptions end the search:
    at once those of sections, those of a core where nobody waits for them."""
    if loop.iteration_outcome == INTERRUPTED:
        return 1
    status = evaluate_discrete(loop)
    if status == STOPPED or (status == CORE_FAILED and loop.listens == 0):
        loop.iteration_outcome = INTERRUPTED
    if status != 0:
        loop.failures += 1
    return status


@circles.kernel
def begin_with(loop: Loop, share: Float) -> None:
    """The memory as it was before; of the relations involved a share of their sizes is forgiven."""
    copy(loop.memory_size, loop.tried, loop.memory)
    for i in range(loop.relation_count):
        if loop.touched[i] == 1:
            loop.bands[i] = max(loop.old_bands[i], share * loop.seen_sizes[i])


@circles.kernel
def see_sizes(loop: Loop) -> None:
    for i in range(loop.relation_count):
        size = abs(loop.memory[loop.residual_slots[i]])
        if size > loop.seen_sizes[i]:
            loop.seen_sizes[i] = size


@circles.kernel
def follow_and_mark(loop: Loop, one_only: Int, marks: Ints) -> Int:
    """Those that disagree take their side, or the first of them only; how many, and who."""
    count = 0
    for i in range(loop.relation_count):
        residual = residual_or_side(loop, i)
        status = loop.status_slots[i]
        if has_left(loop.memory[status], residual, loop.bands[i]) == 1:
            marks[i] = 1
            count += 1
            loop.memory[status] = sign(residual)
            if one_only == 1:
                return count
    return count


@circles.kernel
def follow_until(loop: Loop, one_only: Int, marks: Ints, tells: Int) -> Int:
    """0: equations and statuses agree; 1: they run in circles, or there is no solution on the way, which is
    kept in `failing` where that `tells` why nothing agrees."""
    size = loop.memory_size
    begun = loop.tried[3 * size :]
    for turn in range(loop.most_rounds):
        copy(size, loop.memory, begun)
        is_solved = 1 if evaluate_choice(loop) == 0 else 0
        if is_solved == 0:
            if tells == 1:
                copy(size, begun, loop.failing)
                loop.told_failure = loop.failures
            if knows_where_it_ends(loop) == 0:
                return 1
        elif turn == 0 and one_only == 0:
            keep_left_limit(loop)
        see_sizes(loop)
        if follow_and_mark(loop, one_only, marks) == 0:
            return 1 - is_solved
        if is_back(loop, turn, 0) == 1:
            return 1
    return 1


@circles.kernel
def knows_where_it_ends(loop: Loop) -> Int:
    """1: a nonlinear loop has lost its branch on the way: statuses may follow it as far as it went."""
    for k in range(loop.branches):
        if loop.memory[loop.branch_slots[2 * k]] == ENDED:
            return 1 if loop.relations(loop.memory) == 0 else 0
    return 0


@circles.kernel
def keep_left_limit(loop: Loop) -> None:
    """The memory from which other ways begin learns what loops remember of the left limit, which the first
    evaluation is: whatever is tried from there on, its equations have changed."""
    for k in range(loop.branches):
        for slot in range(loop.branch_slots[2 * k], loop.branch_slots[2 * k + 1]):
            loop.tried[slot] = loop.memory[slot]


@circles.kernel
def follow_both_ways(loop: Loop, marks: Ints, tells: Int) -> Int:
    """All at once, then one by one."""
    if follow_until(loop, 0, marks, tells) == 0:
        return 0
    return follow_until(loop, 1, marks, tells)


@circles.kernel
def move_together(loop: Loop) -> Int:
    """One pass, then statuses and pre values both take what it found; 0: until nothing changes."""
    mark = loop.log_count
    for turn in range(loop.most_rounds):
        if evaluate_choice(loop) != 0:
            break
        changes = moved(loop)
        if follow(loop, 0) == 0 and changes == 0:
            return 0
        hold(loop)
        if loop.relations(loop.memory) != 0:
            break
        follow(loop, 0)
        if is_back(loop, turn, 1) == 1:
            break
    take_back(loop, mark)
    return 1


@circles.kernel
def disagreeing(loop: Loop, marks: Ints) -> Int:
    """How many statuses the residuals in memory contradict, and which."""
    count = 0
    for i in range(loop.relation_count):
        status = loop.memory[loop.status_slots[i]]
        marks[i] = has_left(status, residual_or_side(loop, i), loop.bands[i])
        count += marks[i]
    return count


@circles.kernel
def is_cornered(loop: Loop) -> Int:
    """1: only relations disagree whose residuals are exactly zero. Then they are at the corner between two
    branches, and their statuses are."""
    marks = loop.contradicted
    see_sizes(loop)
    if disagreeing(loop, marks) == 0:
        return 0
    for i in range(loop.relation_count):
        if marks[i] == 1 and loop.memory[loop.residual_slots[i]] != 0.0:
            return 0
    for i in range(loop.relation_count):
        if marks[i] == 1:
            loop.memory[loop.status_slots[i]] = 0.0
    return 1


@circles.kernel
def choice_agrees(loop: Loop) -> Int:
    if evaluate_choice(loop) != 0:
        return 0
    if is_cornered(loop) == 1 and evaluate_choice(loop) != 0:
        return 0
    return 1 if disagreeing(loop, loop.contradicted) == 0 else 0


@circles.kernel
def next_combination(size: Int, count: Int, chosen: Ints) -> Int:
    """`count` ascending numbers below `size`, in lexical order; 0: these were the last."""
    j = count - 1
    while j >= 0 and chosen[j] == size - count + j:
        j -= 1
    if j < 0:
        return 0
    chosen[j] += 1
    for k in range(j + 1, count):
        chosen[k] = chosen[k - 1] + 1
    return 1


@circles.kernel
def set_choice(loop: Loop, size: Int, flips: Int) -> None:
    """The memory as it was before, with the first `flips` of `flipped` turned round."""
    m = loop.memory
    before = loop.tried
    copy(loop.memory_size, before, m)
    for j in range(size):
        slot = loop.status_slots[loop.involved[j]]
        m[slot] = 1.0 if before[slot] == 0.0 else before[slot]
    for j in range(flips):
        slot = loop.status_slots[loop.involved[loop.flipped[j]]]
        m[slot] = -m[slot]


@circles.kernel
def search(loop: Loop, marks: Ints) -> Int:
    """Try all choices of the marked relations; 0 with the memory at the first that agrees."""
    size = 0
    for i in range(loop.relation_count):
        if marks[i] == 1:
            loop.involved[size] = i
            size += 1
    tried = 0
    for flips in range(size + 1):
        for j in range(flips):
            loop.flipped[j] = j
        is_next = 1
        while is_next == 1:
            if tried == AGREEMENT.most_choices:
                return 1
            tried += 1
            set_choice(loop, size, flips)
            if choice_agrees(loop) == 1:
                return 0
            is_next = next_combination(size, flips, loop.flipped)
    return 1


@circles.kernel
def residuals_if_all(loop: Loop, status: Float, slot: Int) -> Int:
    """Residuals where all relations involved have one status, into row `slot`; 1: there is no solution."""
    m = loop.memory
    r = loop.relation_count
    copy(loop.memory_size, loop.tried, m)
    for i in range(r):
        if loop.touched[i] == 1:
            m[loop.status_slots[i]] = status
    if evaluate_choice(loop) != 0:
        return 1
    for i in range(r):
        loop.two_residuals[slot * r + i] = m[loop.residual_slots[i]]
    return 0


@circles.kernel
def mark_influenced(loop: Loop, marks: Ints) -> Int:
    """The relations involved, and those whose residuals move when these are chosen otherwise; how many of
    the latter."""
    r = loop.relation_count
    failed = residuals_if_all(loop, 1.0, 0)
    failed += residuals_if_all(loop, -1.0, 1)
    count = 0
    for i in range(r):
        marks[i] = loop.touched[i]
        if marks[i] == 0 and (failed > 0 or loop.two_residuals[i] != loop.two_residuals[r + i]):
            marks[i] = 1
            count += 1
    return count


@circles.kernel
def forgive_rounding(loop: Loop) -> Int:
    """0: the relations involved agree where residuals that are small beside their usual size keep their
    status."""
    r = loop.relation_count
    copy(r, loop.bands, loop.old_bands)
    for k in range(3):
        share = AGREEMENT.forgiven
        if k > 0:
            share = AGREEMENT.forgiven_next if k == 1 else AGREEMENT.forgiven_last
        begin_with(loop, share)
        if follow_both_ways(loop, loop.contradicted, 0) == 0:
            for i in range(r):
                if loop.touched[i] == 1:
                    loop.forgiven[i] = loop.bands[i]
            return 0
    copy(r, loop.old_bands, loop.bands)
    return 1


@circles.kernel
def any_way(loop: Loop) -> Int:
    """0: one of the ways leads to statuses that agree. The memory before is in `loop.tried`."""
    if follow_both_ways(loop, loop.touched, 1) == 0:
        return 0
    if loop.moves_values == 1:
        copy(loop.memory_size, loop.tried, loop.memory)
        if move_together(loop) == 0:
            return 0
    if search(loop, loop.touched) == 0:
        return 0
    if mark_influenced(loop, loop.wider) > 0 and search(loop, loop.wider) == 0:
        return 0
    is_touched = 0
    for i in range(loop.relation_count):
        is_touched = max(is_touched, loop.touched[i])
    if is_touched == 0 or (loop.keeps_bands == 0 and loop.listens == 0):
        return 1
    return forgive_rounding(loop)


@circles.kernel
def note_followers(loop: Loop) -> None:
    """Into the event log: these changed, so the equations are evaluated again. Ways that were tried in vain
    are nobody's business."""
    changes = 0
    for i in range(loop.relation_count):
        if loop.memory[loop.status_slots[i]] != loop.tried[loop.status_slots[i]]:
            changes += 1
            residual = loop.memory[loop.residual_slots[i]]
            if abs(residual) != AGREEMENT.unseen:
                detail(loop, FOLLOWED, i, residual)
    if changes > 0:
        detail(loop, ITERATED, 0, 0.0)


@circles.kernel
def agree_thoroughly(loop: Loop) -> Int:
    """Equations with pre values held, statuses following; 1: the memory is as before."""
    mark = loop.log_count
    copy(loop.memory_size, loop.memory, loop.tried)
    for i in range(loop.relation_count):
        loop.touched[i] = 0
        loop.seen_sizes[i] = loop.sizes[i]  # at the start nothing has been seen before
    loop.iteration_outcome = 0
    loop.failures = 0
    loop.told_failure = 0
    failed = any_way(loop)
    if failed == 0 and must_tell(loop) == 0:
        note_followers(loop)
        return 0
    take_back(loop, mark)
    copy(loop.memory_size, loop.tried, loop.memory)
    if loop.iteration_outcome == 0:
        loop.iteration_outcome = NO_SOLUTION if loop.told_failure > 0 else RELATIONS_FLIP
    return 1


@circles.kernel
def mark_changing(loop: Loop) -> None:
    """Which values change in the circle that the equations run in: further rounds until all is where it was.
    A ring of n Booleans comes back after 2 n rounds; what never comes back is followed no longer. The circle
    is reported, not what else is wrong in it."""
    m = loop.memory
    pre = loop.pair_slots[loop.pairs :]
    for i in range(loop.pairs):
        loop.changing[i] = 0
    remember_statuses(loop, 0, 1)
    for _round in range(max(loop.most_rounds, 2 * loop.pairs)):
        if evaluate_discrete(loop) != 0:
            return
        for i in range(loop.pairs):
            if differs(m[loop.pair_slots[i]], m[pre[i]], loop.margins[i]) == 1:
                loop.changing[i] = 1
        follow(loop, 0)
        moved(loop)
        hold(loop)
        if loop.relations(m) != 0:
            return
        follow(loop, 0)
        remember_statuses(loop, 1, 1)
        if are_same(loop, 1, 0) == 1:
            return
