"""Event iteration: discrete equations at one instant, repeated until nothing changes.

    begin_event(loop, t)          # statuses follow the zero-crossing functions at (t, loop.trial)
    rounds = settle(loop, 0)      # 0: the reason is in `loop.iteration_outcome`

Two loops. Inner: pre values are fixed, statuses follow the zero-crossing functions until relations and
equations agree. Outer: `reinit` changes states, values become pre values. This is the iteration of Modelica
3.6, "Events and Synchronization".

The inner loop changes all statuses at once, for a few turns. Where that is not enough the iteration begins
again from the same memory with `is_thorough` set: the inner loop is then `agree_thoroughly` of
`status_search.py`, code of its own that is compiled when a run first needs it.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints
from freewheel.result.events import CHANGED, FOLLOWED, ITERATED, JUMPED, NOTE_WIDTH
from freewheel.runtime.events.location import bracket, has_left, sign
from freewheel.runtime.events.log import detail, notes
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.loop.point import place
from freewheel.runtime.switched_dae.model import CORE_FAILED
from freewheel.runtime.thresholds import AGREEMENT, LEAST_SIZE, TIED

iteration = KernelModule(
    "iteration",
    bracket,
    notes,
    exports=("begin_event", "agree_plainly", "agree_at_start", "settle"),
)

# Why an iteration ends without agreement (`iteration_outcome`).
HAS_MESSAGE = 1  # the model has a message, which Python collects
NOT_PLAIN = 2  # changing all statuses at once does not lead to agreement, see `status_search.py`
RELATIONS_FLIP = 3  # no statuses of the relations that `touched` marks agree
NO_SOLUTION = 4  # the equations have none with the memory in `failing`
NO_RESIDUALS = 5  # the section of relations fails with the present memory
ENDLESS = 6  # values and pre values still differ after the last round
INTERRUPTED = 7  # a section raises an exception, which its caller keeps

ALL, FIRST, LAST = range(3)  # relations that change their statuses together


@iteration.kernel
def copy(n: Int, source: Floats, target: Floats) -> None:
    for i in range(n):
        target[i] = source[i]


@iteration.kernel
def count_marked(n: Int, marks: Ints) -> Int:
    count = 0
    for i in range(n):
        count += marks[i]
    return count


@iteration.kernel
def are_equal_at(n: Int, slots: Ints, one: Floats, other: Floats) -> Int:
    for i in range(n):
        if one[slots[i]] != other[slots[i]]:
            return 0
    return 1


@iteration.kernel
def remove_notes(loop: Loop, mark: Int) -> None:
    """Removes the notes of a failed trial from the present record."""
    if loop.log_lacks == 0:
        loop.log[loop.log_record + 2] -= float((loop.log_count - mark) // NOTE_WIDTH)
        loop.log_count = mark


# ---------------------------------------------------------------- statuses


@iteration.kernel
def size_of(loop: Loop, i: Int) -> Float:
    """Of residual i."""
    return max(loop.sizes[i], LEAST_SIZE)


@iteration.kernel
def signed_residual(loop: Loop, i: Int) -> Float:
    """A number with the sign that the status should have. A residual of time alone counts as beyond its zero
    where it is zero but for rounding: one pulse ends as the next begins, however both are computed."""
    residual = loop.memory[loop.residual_slots[i]]
    rise = loop.rises[i]
    if abs(residual) <= TIED * abs(loop.memory[loop.time_slot]) * abs(rise):
        return rise
    return residual


@iteration.kernel
def disagrees(loop: Loop, i: Int) -> Int:
    status = loop.memory[loop.status_slots[i]]
    return has_left(status, signed_residual(loop, i), loop.bands[i])


@iteration.kernel
def update_statuses(loop: Loop, is_logged: Int) -> Int:
    """All statuses follow the residuals in memory; how many change."""
    m = loop.memory
    count = 0
    for i in range(loop.relation_count):
        residual = signed_residual(loop, i)
        if has_left(m[loop.status_slots[i]], residual, loop.bands[i]) == 1:
            count += 1
            m[loop.status_slots[i]] = sign(residual)
            if is_logged == 1:
                detail(loop, FOLLOWED, i, m[loop.residual_slots[i]])
    return count


@iteration.kernel
def update_marked(loop: Loop, order: Int, marks: Ints) -> Int:
    """The same for all relations that disagree, the first or the last of them, which `marks` then marks; how
    many disagree."""
    count = 0
    chosen = -1
    for i in range(loop.relation_count):
        if disagrees(loop, i) == 1:
            count += 1
            if order == ALL:
                loop.memory[loop.status_slots[i]] = sign(signed_residual(loop, i))
                marks[i] = 1
            elif chosen < 0 or order == LAST:
                chosen = i
    if chosen >= 0:
        loop.memory[loop.status_slots[chosen]] = sign(signed_residual(loop, chosen))
        marks[chosen] = 1
    if order != ALL and count > 1:
        loop.order_matters = 1
    return count


# ---------------------------------------------------------------- values and pre values


@iteration.kernel
def differs(now: Float, before: Float, margin: Float) -> Int:
    if abs(now - before) <= margin * max(abs(now), abs(before)):
        return 0
    return 0 if now != now and before != before else 1  # NaN is equal to NaN


@iteration.kernel
def apply_changes(loop: Loop) -> Int:
    """Executes `reinit`; 1 where there is one, or where a value differs from its pre value."""
    m = loop.memory
    reinits = loop.reinit_slots
    found = 0
    for i in range(loop.pairs):
        value = m[loop.pair_slots[i]]
        if differs(value, m[loop.pair_slots[loop.pairs + i]], loop.margins[i]) == 1:
            found = 1
            detail(loop, CHANGED, i, value)
    for k in range(loop.reinits):
        if m[reinits[3 * k + 2]] >= 0.5:
            m[reinits[3 * k]] = m[reinits[3 * k + 1]]
            m[reinits[3 * k + 2]] = 0.0
            found = 1
            detail(loop, JUMPED, k, m[reinits[3 * k]])
    return found


@iteration.kernel
def store_pre(loop: Loop) -> None:
    """Values become pre values."""
    for i in range(loop.pairs):
        loop.memory[loop.pair_slots[loop.pairs + i]] = loop.memory[loop.pair_slots[i]]


@iteration.kernel
def remember_statuses(loop: Loop, row: Int, with_pre: Int) -> None:
    """Statuses (and pre values) become a row of `snapshots`."""
    r = loop.relation_count
    here = loop.snapshots[row * (r + loop.pairs) :]
    for i in range(r):
        here[i] = loop.memory[loop.status_slots[i]]
    for i in range(loop.pairs):
        here[r + i] = loop.memory[loop.pair_slots[loop.pairs + i]] if with_pre == 1 else 0.0


@iteration.kernel
def are_same(loop: Loop, row: Int, other: Int) -> Int:
    """1 where two rows of `snapshots` are equal, NaN included."""
    wide = loop.relation_count + loop.pairs
    here = loop.snapshots[row * wide :]
    then = loop.snapshots[other * wide :]
    for i in range(wide):
        if then[i] != here[i] and (then[i] == then[i] or here[i] == here[i]):
            return 0
    return 1


@iteration.kernel
def is_repeated(loop: Loop, count: Int, with_pre: Int) -> Int:
    """Stores statuses (and pre values); 1 where they are those of one of the `count` rounds before, or where
    there is no room to store them."""
    if count >= loop.most_rounds:
        return 1
    remember_statuses(loop, count, with_pre)
    for k in range(count):
        if are_same(loop, count, k) == 1:
            return 1
    return 0


# ---------------------------------------------------------------- equations and messages


@iteration.kernel
def has_messages(loop: Loop) -> Int:
    """1: the model may have messages that are not collected yet."""
    if loop.message_watch == 1:
        return 1
    return 1 if loop.message_watch == 2 and loop.memory[loop.message_slot] != 0.0 else 0


@iteration.kernel
def drop_messages(loop: Loop) -> None:
    """Those of trial points."""
    if has_messages(loop) == 1:
        loop.forget_messages(loop)
    if loop.message_watch == 2:
        loop.memory[loop.message_slot] = 0.0


@iteration.kernel
def drop_collected(loop: Loop, mark: Int) -> None:
    """Messages of trials that have been collected, down to the first `mark` ones."""
    while loop.collected > mark:
        loop.drop_last_messages(loop)
        loop.collected -= 1


@iteration.kernel
def collect(loop: Loop) -> None:
    """Keeps the messages of the present point for Python."""
    if has_messages(loop) == 1:
        loop.collected += 1
        if loop.collect_messages(loop) != 0:
            loop.has_errors = 1


@iteration.kernel
def evaluate_discrete(loop: Loop) -> Int:
    """All equations once, and the residuals that result; the status of a section that fails."""
    m = loop.memory
    for k in range(loop.reinits):
        m[loop.reinit_slots[3 * k + 2]] = 0.0
    if loop.collects == 1:
        drop_messages(loop)
    elif loop.message_watch == 2:
        m[loop.message_slot] = 0.0
    status = loop.discrete(m)
    if status == 0:
        status = loop.derivatives(m)
    if status == 0:
        status = loop.relations(m)
    if status == CORE_FAILED:
        loop.has_failed_trials = 1
    return status


@iteration.kernel
def ends_with_message(loop: Loop) -> Int:
    """1: the model has a message that is not collected here: Python begins the event again."""
    if loop.collects == 1 or has_messages(loop) == 0:
        return 0
    loop.iteration_outcome = HAS_MESSAGE
    return 1


# ---------------------------------------------------------------- the iteration


@iteration.kernel
def begin_event(loop: Loop, t: Float) -> None:
    """Residuals at (t, loop.trial), and statuses that follow them. Where the statuses before the event have
    no solution at this point, the iteration is thorough at once, from the residuals before."""
    m = loop.memory
    place(loop, t, loop.trial)
    if loop.awake_slot >= 0:
        m[loop.awake_slot] = 0.0  # relations without influence before the event may have one now
    failed = loop.derivatives(m)
    if failed == 0:
        failed = loop.relations(m)
    loop.is_thorough = 1 if failed != 0 else 0
    update_statuses(loop, 0)  # the log has them as causes of the event


@iteration.kernel
def agree_plainly(loop: Loop) -> Int:
    """Equations with fixed pre values and statuses that follow; 1: they do not agree."""
    for _turn in range(AGREEMENT.most_turns):
        if evaluate_discrete(loop) != 0:
            break
        if ends_with_message(loop) == 1:
            return 1
        if update_statuses(loop, 1) == 0:
            return 0
        detail(loop, ITERATED, 0, 0.0)
    loop.iteration_outcome = NOT_PLAIN
    return 1


@iteration.kernel
def iterate(loop: Loop, once: Int) -> Int:
    loop.iteration_outcome = 0
    loop.has_errors = 0
    for rounds in range(1, loop.most_rounds + 1):
        failed = loop.agree_thoroughly(loop) if loop.is_thorough == 1 else agree_plainly(loop)
        if failed != 0:
            return 0
        if loop.collects == 1:
            collect(loop)
        if apply_changes(loop) == 0:
            return rounds
        detail(loop, ITERATED, 0, 0.0)
        store_pre(loop)
        # Relations that have an influence since pre values have changed get their statuses.
        if loop.relations(loop.memory) != 0:
            loop.iteration_outcome = NO_RESIDUALS
            return 0
        update_statuses(loop, 0)
        if once == 1:
            return rounds
    loop.iteration_outcome = ENDLESS
    return 0


@iteration.kernel
def settle(loop: Loop, once: Int) -> Int:
    """The rounds until nothing changes, or 0. `once`: one round only, for samples that are due."""
    mark = loop.log_count
    said = loop.collected
    start = loop.tried[3 * loop.memory_size :]
    rounds = 0
    if loop.is_thorough == 0:
        copy(loop.memory_size, loop.memory, start)
        rounds = iterate(loop, once)
        if rounds > 0 or loop.iteration_outcome != NOT_PLAIN:
            return rounds
        copy(loop.memory_size, start, loop.memory)
        remove_notes(loop, mark)
        drop_collected(loop, said)
        loop.is_thorough = 1
    rounds = iterate(loop, once)
    loop.is_thorough = 0
    return rounds


# ---------------------------------------------------------------- the initial system


@iteration.kernel
def evaluate_start(loop: Loop) -> Int:
    """The initial system (`loop.discrete`) once, and the residuals that result; 1: a section fails. Its loops
    read the statuses that are given, and it writes those that follow: only equal ones are a solution. Where a
    branch of the given ones has no value, the residuals of the others hold."""
    m = loop.memory
    size = loop.memory_size
    statuses = loop.status_slots
    found = loop.tried
    given = loop.tried[size:]
    residuals = loop.tried[2 * size :]
    for i in range(loop.relation_count):
        given[i] = m[statuses[i]]
    if loop.discrete(m) != 0:
        return 1
    copy(size, m, found)
    if loop.derivatives(m) != 0 or loop.relations(m) != 0:
        return 1
    turned = 0
    for i in range(loop.relation_count):
        if found[statuses[i]] != given[i]:
            turned = 1
    if turned == 0:
        return 0
    for i in range(loop.relation_count):
        residuals[i] = m[loop.residual_slots[i]]
    copy(size, found, m)
    for i in range(loop.relation_count):
        m[statuses[i]] = given[i]
    if loop.relations(m) != 0:
        for i in range(loop.relation_count):
            m[loop.residual_slots[i]] = residuals[i]
    return 0


@iteration.kernel
def pass_corners(loop: Loop) -> Int:
    """As `update_statuses`, but of the relations on one unknown only the first follows whose zero lies on the
    way from its old value to the new one: of those that are passed, the one left farthest behind."""
    m = loop.memory
    for i in range(loop.curve_size):
        loop.next_corner[i] = -1
    for i in range(loop.relation_count):
        curve = loop.curve_of[i]
        if curve >= 0 and disagrees(loop, i) == 1:
            first = loop.next_corner[curve]
            if first < 0 or abs(signed_residual(loop, i) / loop.curve_slopes[i]) > abs(
                signed_residual(loop, first) / loop.curve_slopes[first]
            ):
                loop.next_corner[curve] = i
    count = 0
    for i in range(loop.relation_count):
        if disagrees(loop, i) == 1:
            count += 1
            curve = loop.curve_of[i]
            if curve < 0 or loop.next_corner[curve] == i:
                m[loop.status_slots[i]] = sign(signed_residual(loop, i))
    return count


@iteration.kernel
def agree_along_curves(loop: Loop) -> Int:
    """The branch next to the start values: a curve with several corners passes them one by one. 1: this ends
    at a fold, or on a piece without solution."""
    for _turn in range(AGREEMENT.most_turns + loop.most_corners):
        if evaluate_start(loop) != 0:
            return 1
        if pass_corners(loop) == 0:
            return 0
    return 1


@iteration.kernel
def agree_at_start(loop: Loop) -> Int:
    """As `agree_plainly`, with the initial system."""
    before = loop.tried[3 * loop.memory_size :]
    if loop.curve_size > 0:
        copy(loop.memory_size, loop.memory, before)
        if agree_along_curves(loop) == 0:
            return 0
        copy(loop.memory_size, before, loop.memory)
    for _turn in range(AGREEMENT.most_turns):
        if evaluate_start(loop) != 0:
            return 1
        if update_statuses(loop, 0) == 0:
            return 0
    return 1
