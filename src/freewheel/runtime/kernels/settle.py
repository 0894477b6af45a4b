"""Discrete equations at one instant, repeated until nothing changes: the plain case of it.

    rounds = settle_plainly(discrete, derivatives, relations, m, w, c, log, 0)    # 0: not plain

The same iteration as `event/iterate.py`. Where statuses run in circles it gives up, and is called again
with `THOROUGH` set, which remembers more (`circles.py`). Where that does not help, a section fails or the
model says something, the caller does it all over again in Python, which knows what to do.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Int
from freewheel.result.events import ITERATED
from freewheel.runtime.kernels.circles import agree_thoroughly, circles
from freewheel.runtime.kernels.following import (
    evaluate_discrete,
    follow,
    has_spoken,
    hold,
    moved,
)
from freewheel.runtime.kernels.loop import Loop
from freewheel.runtime.kernels.notes import detail
from freewheel.runtime.kernels.point import place

settling = KernelModule("settling", circles, exports=("begin_event", "settle_plainly"))

MOST_ROUNDS = 50
MOST_TURNS = 8  # of statuses following residuals: a plain case needs two


@settling.kernel
def begin_event(loop: Loop, t: Float) -> Int:
    """Residuals at (t, TRIAL), and statuses that follow them; 1: not possible."""
    m = loop.memory
    place(loop, t, loop.trial)
    if loop.awake_slot >= 0:
        m[loop.awake_slot] = (
            0.0  # what mattered to nobody may matter now, and it must not come too late
        )
    if loop.derivatives(m) != 0:
        return 1
    if loop.relations(m) != 0:
        return 1
    follow(loop, 0)  # these are told as causes of the event
    return 0


@settling.kernel
def agree_plainly(loop: Loop) -> Int:
    """Equations with pre values held, statuses following; 1: they do not settle."""
    for _turn in range(MOST_TURNS):
        if evaluate_discrete(loop) != 0:
            return 1
        if has_spoken(loop) == 1:
            return 1
        if follow(loop, 1) == 0:
            return 0
        detail(loop, ITERATED, 0, 0.0)
    loop.circles = 1
    return 1


@settling.kernel
def settle_plainly(loop: Loop, once: Int) -> Int:
    """The rounds it took, or 0. `once`: one round only, for samples that are due."""
    m = loop.memory
    loop.circles = 0
    for rounds in range(1, MOST_ROUNDS + 1):
        if loop.is_thorough == 1:
            failed = agree_thoroughly(loop)
        else:
            failed = agree_plainly(loop)
        if failed != 0:
            return 0
        if moved(loop) == 0:
            return rounds
        detail(loop, ITERATED, 0, 0.0)
        hold(loop)
        # Relations that matter since pre values have changed take the side they are on.
        if loop.relations(m) != 0:
            return 0
        follow(loop, 0)
        if once == 1:
            return 1
    return 0
