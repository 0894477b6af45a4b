"""Event iteration: discrete equations at one instant, repeated until nothing changes.

    rounds = settle(loop, 0)      # 0: why not is in `loop.iteration_outcome`

Two loops. Inner: pre values are held, statuses follow the residuals, so that relations and equations agree.
Outer: states jump where `reinit` says, values become pre values. This is the iteration of Modelica 3.6,
"Events and Synchronization", with relations found by iteration.

The inner loop is plain at first: all statuses follow at once, for a few turns. Where that is not enough the
outcome is `NOT_PLAIN`, and the caller begins the instant anew with `is_thorough` set, by which the inner loop
is `agree_thoroughly` of `status_cycles.py`. Few runs need it: code of its own, compiled when first called.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Int
from freewheel.result.events import ITERATED
from freewheel.runtime.events.log import detail
from freewheel.runtime.events.status_update import (
    ENDLESS,
    NO_RESIDUALS,
    NOT_PLAIN,
    copy,
    evaluate_discrete,
    follow,
    following,
    hold,
    moved,
    must_tell,
    says_something,
)
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.loop.point import place

settling = KernelModule(
    "settling", following, exports=("begin_event", "agree_plainly", "agree_at_start", "settle")
)

MOST_TURNS = 8  # of statuses following residuals: a plain case needs two


@settling.kernel
def begin_event(loop: Loop, t: Float) -> Int:
    """Residuals at (t, TRIAL), and statuses that follow them; 1: not possible. Where the point has no
    solution with the statuses before the event, those after it are found thoroughly, from the residuals
    there were."""
    m = loop.memory
    place(loop, t, loop.trial)
    if loop.awake_slot >= 0:
        # What mattered to nobody may matter now, and it must not come too late.
        m[loop.awake_slot] = 0.0
    status = loop.derivatives(m)
    if status == 0:
        status = loop.relations(m)
    if status != 0 and loop.is_thorough == 0:
        loop.iteration_outcome = NOT_PLAIN
        return 1
    follow(loop, 0)  # these are told as causes of the event
    return 0


@settling.kernel
def agree_plainly(loop: Loop) -> Int:
    """Equations with pre values held, statuses following; 1: they do not settle."""
    for _turn in range(MOST_TURNS):
        if evaluate_discrete(loop) != 0:
            loop.iteration_outcome = NOT_PLAIN
            return 1
        if must_tell(loop) == 1:
            return 1
        if follow(loop, 1) == 0:
            return 0
        detail(loop, ITERATED, 0, 0.0)
    loop.iteration_outcome = NOT_PLAIN
    return 1


@settling.kernel
def evaluate_start(loop: Loop) -> Int:
    """The initial system (`loop.discrete`) once, and the residuals it leads to; 1: a section fails. Its loops
    have read the statuses that were given, and it has written those they lead to: only where these are the
    same is there a solution."""
    m = loop.memory
    size = loop.memory_size
    r = loop.relation_count
    statuses = loop.status_slots
    found = loop.tried
    given = loop.tried[size:]
    for i in range(r):
        given[i] = m[statuses[i]]
    if loop.discrete(m) != 0:
        return 1
    copy(size, m, found)
    if loop.derivatives(m) != 0 or loop.relations(m) != 0:
        return 1
    turned = 0
    for i in range(r):
        if found[statuses[i]] != given[i]:
            turned = 1
    if turned == 0:
        return 0
    copy(size, found, m)
    for i in range(r):
        m[statuses[i]] = given[i]
    return 1 if loop.relations(m) != 0 else 0


@settling.kernel
def agree_at_start(loop: Loop) -> Int:
    """As `agree_plainly`, with the initial system."""
    for _turn in range(MOST_TURNS):
        if evaluate_start(loop) != 0:
            return 1
        if follow(loop, 0) == 0:
            return 0
    return 1


@settling.kernel
def settle(loop: Loop, once: Int) -> Int:
    """The rounds it took, or 0. `once`: one round only, for samples that are due."""
    loop.iteration_outcome = 0
    for rounds in range(1, loop.most_rounds + 1):
        if loop.is_thorough == 1:
            failed = loop.agree_thoroughly(loop)
        else:
            failed = agree_plainly(loop)
        if failed != 0:
            return 0
        if loop.listens == 1 and says_something(loop) == 1 and loop.collect_messages(loop) != 0:
            loop.errors_heard = 1
        if moved(loop) == 0:
            return rounds
        detail(loop, ITERATED, 0, 0.0)
        hold(loop)
        # Relations that matter since pre values have changed take the side they are on.
        if loop.relations(loop.memory) != 0:
            loop.iteration_outcome = NO_RESIDUALS
            return 0
        follow(loop, 0)
        if once == 1:
            return rounds
    loop.iteration_outcome = ENDLESS
    return 0
