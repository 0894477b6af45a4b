"""Discrete equations at one instant, repeated until nothing changes: the plain case of it.

    rounds = settle_plainly(discrete, derivatives, relations, m, w, c, log, 0)    # 0: not plain

The same iteration as `event/iterate.py`. Where statuses run in circles it gives up, and is called again
with `THOROUGH` set, which remembers more (`circles.py`). Where that does not help, a section fails or the
model says something, the caller does it all over again in Python, which knows what to do.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints, Section
from freewheel.result.events import ITERATED
from freewheel.runtime.kernels.circles import agree_thoroughly, circles
from freewheel.runtime.kernels.following import (
    evaluate_discrete,
    follow,
    has_spoken,
    hold,
    moved,
)
from freewheel.runtime.kernels.notes import detail
from freewheel.runtime.kernels.places import AWAKE, CIRCLES, HEAD, THOROUGH, TRIAL, N
from freewheel.runtime.kernels.point import place

settling = KernelModule("settling", circles, exports=("begin_event", "settle_plainly"))

MOST_ROUNDS = 50
MOST_TURNS = 8  # of statuses following residuals: a plain case needs two


@settling.kernel
def begin_event(
    derivatives: Section, relations: Section, m: Floats, w: Floats, c: Ints, log: Floats, t: Float
) -> Int:
    """Residuals at (t, TRIAL), and statuses that follow them; 1: not possible."""
    place(m, w, c, t, w[HEAD + TRIAL * c[N] :])
    if c[AWAKE] >= 0:
        m[c[AWAKE]] = 0.0  # what mattered to nobody may matter now, and it must not come too late
    if derivatives(m) != 0:
        return 1
    if relations(m) != 0:
        return 1
    follow(m, w, c, log, 0)  # these are told as causes of the event
    return 0


@settling.kernel
def agree_plainly(
    discrete: Section, derivatives: Section, relations: Section, m: Floats, w: Floats, c: Ints,
    log: Floats,
) -> Int:  # fmt: skip
    """Equations with pre values held, statuses following; 1: they do not settle."""
    for _turn in range(MOST_TURNS):
        if evaluate_discrete(discrete, derivatives, relations, m, c) != 0:
            return 1
        if has_spoken(m, c) == 1:
            return 1
        if follow(m, w, c, log, 1) == 0:
            return 0
        detail(log, c, ITERATED, 0, 0.0)
    c[CIRCLES] = 1
    return 1


@settling.kernel
def settle_plainly(
    discrete: Section, derivatives: Section, relations: Section, m: Floats, w: Floats, c: Ints,
    log: Floats, once: Int,
) -> Int:  # fmt: skip
    """The rounds it took, or 0. `once`: one round only, for samples that are due."""
    c[CIRCLES] = 0
    for rounds in range(1, MOST_ROUNDS + 1):
        if c[THOROUGH] == 1:
            failed = agree_thoroughly(discrete, derivatives, relations, m, w, c, log)
        else:
            failed = agree_plainly(discrete, derivatives, relations, m, w, c, log)
        if failed != 0:
            return 0
        if moved(m, w, c, log) == 0:
            return rounds
        detail(log, c, ITERATED, 0, 0.0)
        hold(m, c)
        # Relations that matter since pre values have changed take the side they are on.
        if relations(m) != 0:
            return 0
        follow(m, w, c, log, 0)
        if once == 1:
            return 1
    return 0
