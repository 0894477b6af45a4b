"""Search for statuses that agree with the residuals they cause, where the plain event iteration finds none.

    agree_thoroughly(loop)      # 0: they agree; else the reason is in `loop.iteration_outcome`

Equations with relations may have several branches, and only an evaluation shows what statuses lead to.
Each way is taken where the one before repeats itself or meets statuses without solution:

1. All statuses follow their residuals at once. Nearly always a round or two is enough.
2. Only the first that disagrees follows: the least-index rule of Murty's pivoting for complementarity
   problems.
3. Statuses and pre values change together, as a clutch needs: torque above its peak lets it slip, the torque
   is below the peak at once, and only `pre` of slipping keeps it slipping.
4. All combinations of the statuses that have changed are tried, the nearest to the old ones first. A Schmitt
   trigger needs this, and a curve beyond a fold. A residual of exactly zero gives the status zero.
5. The same with the relations whose residuals these statuses influence.
6. Residuals that are zero but for rounding keep their status: where two branches meet, rounding may
   contradict both. Such a tolerance band lasts until the residual leaves it, or until the next event.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Int, Ints
from freewheel.result.events import FOLLOWED, ITERATED
from freewheel.runtime.events.branch_following import ENDED
from freewheel.runtime.events.iteration_kernels import (
    ALL,
    FIRST,
    INTERRUPTED,
    NO_SOLUTION,
    RELATIONS_FLIP,
    apply_changes,
    are_same,
    copy,
    count_marked,
    differs,
    disagrees,
    ends_with_message,
    evaluate_discrete,
    is_repeated,
    iteration,
    remember_statuses,
    remove_notes,
    store_pre,
    update_marked,
    update_statuses,
)
from freewheel.runtime.events.log import detail
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.model import STOPPED
from freewheel.runtime.switched_dae.model import CORE_FAILED
from freewheel.runtime.thresholds import AGREEMENT

status_search = KernelModule(
    "status_search", iteration, exports=("agree_thoroughly", "mark_changing")
)

HOPELESS = 2


@status_search.kernel
def evaluate_choice(loop: Loop) -> Int:
    """0: the statuses in memory have a solution, with its residuals. Exceptions that end the run end the
    search; that a core has no solution is a failure like others."""
    if loop.iteration_outcome == INTERRUPTED:
        return 1
    status = evaluate_discrete(loop)
    if status == STOPPED or (status == CORE_FAILED and loop.core.is_stopped == 1):
        loop.iteration_outcome = INTERRUPTED
    if status != 0:
        loop.failures += 1
    return status


@status_search.kernel
def update_sizes(loop: Loop) -> None:
    for i in range(loop.relation_count):
        size = abs(loop.memory[loop.residual_slots[i]])
        if size > loop.seen_sizes[i]:
            loop.seen_sizes[i] = size


@status_search.kernel
def has_ended_branch(loop: Loop) -> Int:
    """1: a nonlinear loop has lost its branch, and the residuals are those where the branch ends."""
    for k in range(loop.branches):
        if loop.memory[loop.branch_slots[2 * k]] == ENDED:
            return 1 if loop.relations(loop.memory) == 0 else 0
    return 0


@status_search.kernel
def keep_left_limit(loop: Loop) -> None:
    """The first evaluation is the left limit: the branches that loops remember of it go into the memory from
    which other ways begin, since the equations change after it."""
    for k in range(loop.branches):
        for slot in range(loop.branch_slots[2 * k], loop.branch_slots[2 * k + 1]):
            loop.tried[slot] = loop.memory[slot]


@status_search.kernel
def follow_until(loop: Loop, order: Int, marks: Ints, is_reported: Int) -> Int:
    """0: equations and statuses agree; 1: they repeat themselves or have no solution. Where that
    `is_reported` as the reason, the memory without solution is kept in `failing`."""
    size = loop.memory_size
    before = loop.tried[3 * size :]
    for turn in range(loop.most_rounds):
        copy(size, loop.memory, before)
        failed = evaluate_choice(loop)
        if failed != 0:
            if is_reported == 1:
                copy(size, before, loop.failing)
                loop.reported_failure = loop.failures
            if has_ended_branch(loop) == 0:
                return 1
        elif turn == 0 and order == ALL:
            keep_left_limit(loop)
        update_sizes(loop)
        if update_marked(loop, order, marks) == 0:
            return 1 if failed != 0 else 0
        if is_repeated(loop, turn, 0) == 1:
            return 1
    return 1


@status_search.kernel
def follow_both_ways(loop: Loop, marks: Ints, is_reported: Int) -> Int:
    """All at once, then one by one."""
    if follow_until(loop, ALL, marks, is_reported) == 0:
        return 0
    return follow_until(loop, FIRST, marks, is_reported)


@status_search.kernel
def move_together(loop: Loop, order: Int, marks: Ints) -> Int:
    """Statuses and pre values change after each evaluation; 0: nothing changes any more."""
    mark = loop.log_count
    for turn in range(loop.most_rounds):
        loop.alternative_rounds -= 1
        if evaluate_choice(loop) != 0:
            break
        changes = apply_changes(loop)
        if update_marked(loop, order, marks) == 0 and changes == 0:
            return 0
        store_pre(loop)
        if loop.relations(loop.memory) != 0:
            break
        update_marked(loop, order, marks)
        if is_repeated(loop, turn, 1) == 1:
            break
    remove_notes(loop, mark)
    return 1


@status_search.kernel
def choice_agrees(loop: Loop) -> Int:
    """1: the statuses in memory agree. Where only relations disagree whose residuals are exactly zero, they
    are at the corner between two branches, and their statuses become zero."""
    for attempt in range(2):
        if evaluate_choice(loop) != 0:
            return 0
        if attempt == 0:
            update_sizes(loop)
        count = 0
        others = 0
        for i in range(loop.relation_count):
            loop.contradicted[i] = disagrees(loop, i)
            count += loop.contradicted[i]
            if loop.contradicted[i] == 1 and loop.memory[loop.residual_slots[i]] != 0.0:
                others += 1
        if count == 0 or others > 0:
            return 1 if count == 0 else 0
        for i in range(loop.relation_count):
            if loop.contradicted[i] == 1:
                loop.memory[loop.status_slots[i]] = 0.0
    return 0


@status_search.kernel
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


@status_search.kernel
def set_choice(loop: Loop, size: Int, flips: Int) -> None:
    """The memory as it was before, with the statuses in `flipped` reversed."""
    m = loop.memory
    before = loop.tried
    copy(loop.memory_size, before, m)
    for j in range(size):
        slot = loop.status_slots[loop.involved[j]]
        m[slot] = 1.0 if before[slot] == 0.0 else before[slot]
    for j in range(flips):
        slot = loop.status_slots[loop.involved[loop.flipped[j]]]
        m[slot] = -m[slot]


@status_search.kernel
def search(loop: Loop, marks: Ints) -> Int:
    """Tries all combinations of the marked relations; 0: the memory is at the first that agrees. Where none
    of the first has a solution, the statuses are not to blame: HOPELESS."""
    failures = loop.failures
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
            if loop.failures - failures == tried and tried >= AGREEMENT.most_unsolved:
                return HOPELESS
            is_next = next_combination(size, flips, loop.flipped)
    return 1


@status_search.kernel
def mark_influenced(loop: Loop, marks: Ints) -> Int:
    """The relations that have changed, and those whose residuals depend on their statuses; how many of the
    latter. Where all statuses up or all down have no solution, any residual may depend on them."""
    m = loop.memory
    first = loop.two_residuals
    failed = 0
    for side in range(2):
        copy(loop.memory_size, loop.tried, m)
        for i in range(loop.relation_count):
            if loop.touched[i] == 1:
                m[loop.status_slots[i]] = 1.0 - 2.0 * side
        if evaluate_choice(loop) != 0:
            failed = 1
        elif side == 0:
            for i in range(loop.relation_count):
                first[i] = m[loop.residual_slots[i]]
    count = 0
    for i in range(loop.relation_count):
        marks[i] = loop.touched[i]
        if marks[i] == 0 and (failed == 1 or first[i] != m[loop.residual_slots[i]]):
            marks[i] = 1
            count += 1
    return count


@status_search.kernel
def forgive_rounding(loop: Loop) -> Int:
    """0: the relations that have changed agree where residuals within rounding keep their status."""
    r = loop.relation_count
    copy(r, loop.bands, loop.old_bands)
    for k in range(3):
        share = AGREEMENT.forgiven
        if k > 0:
            share = AGREEMENT.forgiven_next if k == 1 else AGREEMENT.forgiven_last
        copy(loop.memory_size, loop.tried, loop.memory)
        for i in range(r):
            if loop.touched[i] == 1:
                loop.bands[i] = max(loop.old_bands[i], share * loop.seen_sizes[i])
        if follow_both_ways(loop, loop.contradicted, 0) == 0:
            for i in range(r):
                if loop.touched[i] == 1:
                    loop.forgiven[i] = loop.bands[i]
            return 0
    copy(r, loop.old_bands, loop.bands)
    return 1


@status_search.kernel
def any_way(loop: Loop) -> Int:
    """0: one of the ways leads to statuses that agree. The memory before is in `loop.tried`."""
    if follow_both_ways(loop, loop.touched, 1) == 0:
        return 0
    if loop.moves_values == 1:
        copy(loop.memory_size, loop.tried, loop.memory)
        if move_together(loop, ALL, loop.contradicted) == 0:
            return 0
    found = search(loop, loop.touched)
    if found == 0 or found == HOPELESS:
        return found
    if mark_influenced(loop, loop.influenced) > 0 and search(loop, loop.influenced) == 0:
        return 0
    is_touched = count_marked(loop.relation_count, loop.touched)
    if is_touched == 0 or (loop.keeps_bands == 0 and loop.collects == 0):
        return 1
    return forgive_rounding(loop)


@status_search.kernel
def log_statuses(loop: Loop) -> None:
    """Notes the statuses that have changed; those of failed ways are not noted."""
    changes = 0
    for i in range(loop.relation_count):
        if loop.memory[loop.status_slots[i]] != loop.tried[loop.status_slots[i]]:
            changes += 1
            residual = loop.memory[loop.residual_slots[i]]
            if abs(residual) != AGREEMENT.unseen:
                detail(loop, FOLLOWED, i, residual)
    if changes > 0:
        detail(loop, ITERATED, 0, 0.0)


@status_search.kernel
def agree_thoroughly(loop: Loop) -> Int:
    """Equations with fixed pre values and statuses that follow; 1: the memory is as before."""
    mark = loop.log_count
    copy(loop.memory_size, loop.memory, loop.tried)
    for i in range(loop.relation_count):
        loop.touched[i] = 0
        loop.seen_sizes[i] = loop.sizes[i]  # zero at the start of a run
    loop.iteration_outcome = 0
    loop.failures = 0
    loop.reported_failure = 0
    failed = any_way(loop)
    if failed == 0 and ends_with_message(loop) == 0:
        log_statuses(loop)
        return 0
    remove_notes(loop, mark)
    copy(loop.memory_size, loop.tried, loop.memory)
    if loop.iteration_outcome == 0:
        loop.iteration_outcome = NO_SOLUTION if loop.reported_failure > 0 else RELATIONS_FLIP
    return 1


@status_search.kernel
def mark_changing(loop: Loop) -> None:
    """Marks in `changing` the values that never settle: those that change until all is as it was. A ring of n
    Booleans repeats itself after 2 n rounds; there are no more rounds for what never does."""
    m = loop.memory
    for i in range(loop.pairs):
        loop.changing[i] = 0
    remember_statuses(loop, 0, 1)
    for _round in range(max(loop.most_rounds, 2 * loop.pairs)):
        if evaluate_discrete(loop) != 0:
            return
        for i in range(loop.pairs):
            pre = m[loop.pair_slots[loop.pairs + i]]
            if differs(m[loop.pair_slots[i]], pre, loop.margins[i]) == 1:
                loop.changing[i] = 1
        update_statuses(loop, 0)
        apply_changes(loop)
        store_pre(loop)
        if loop.relations(m) != 0:
            return
        update_statuses(loop, 0)
        remember_statuses(loop, 1, 1)
        if are_same(loop, 1, 0) == 1:
            return
