"""Discrete equations at one instant, repeated until nothing changes: the plain case of it.

    rounds = settle_plainly(discrete, derivatives, relations, m, w, c, log, 0)    # 0: not plain

The same iteration as `event/iterate.py`. Where statuses run in circles, a section fails or the model
says something, it gives up and the caller does it all over again in Python, which knows what to do.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints, Section
from freewheel.result.events import CHANGED, FOLLOWED, ITERATED, JUMPED
from freewheel.runtime.kernels.bracket import bracket, has_left
from freewheel.runtime.kernels.notes import detail, notes
from freewheel.runtime.kernels.places import (
    AT_MARGINS,
    AT_PAIRS,
    AT_REINITS,
    AT_RESIDUAL,
    AT_RESIDUALS,
    AT_STATUS,
    AWAKE,
    FLAG,
    HEAD,
    PAIRS,
    R_BANDS,
    R_SIGNS,
    REINITS,
    RELATIONS,
    TRIAL,
    WATCH,
    N,
)
from freewheel.runtime.kernels.point import place

settling = KernelModule("settling", bracket, notes, exports=("begin_event", "settle_plainly"))

MOST_ROUNDS = 50
MOST_TURNS = 8  # of statuses following residuals: a plain case needs two


@settling.kernel
def follow(m: Floats, w: Floats, c: Ints, log: Floats, listens: Int) -> Int:
    """Set statuses by the residuals in memory; how many changed."""
    r = c[RELATIONS]
    statuses = c[c[AT_STATUS] :]
    slots = c[c[AT_RESIDUAL] :]
    bands = w[c[AT_RESIDUALS] + R_BANDS * r :]
    signs = w[c[AT_RESIDUALS] + R_SIGNS * r :]
    count = 0
    for i in range(r):
        residual = m[slots[i]]
        if residual == 0.0:
            residual = signs[i]
        if has_left(m[statuses[i]], residual, bands[i]) == 1:
            count += 1
            m[statuses[i]] = 1.0 if residual > 0.0 else (-1.0 if residual < 0.0 else 0.0)
            if listens == 1:
                detail(log, c, FOLLOWED, i, m[slots[i]])
    return count


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
    reinits = c[c[AT_REINITS] :]
    for _turn in range(MOST_TURNS):
        for k in range(c[REINITS]):
            m[reinits[3 * k + 2]] = 0.0
        if c[WATCH] > 0:
            m[c[FLAG]] = 0.0
        if discrete(m) != 0:
            return 1
        if derivatives(m) != 0:
            return 1
        if relations(m) != 0:
            return 1
        if c[WATCH] > 0 and m[c[FLAG]] != 0.0:
            return 1
        if follow(m, w, c, log, 1) == 0:
            return 0
        detail(log, c, ITERATED, 0, 0.0)
    return 1


@settling.kernel
def differs(now: Float, before: Float, margin: Float) -> Int:
    if abs(now - before) <= margin * max(abs(now), abs(before)):
        return 0
    if now != now and before != before:  # both are no numbers
        return 0
    return 1


@settling.kernel
def moved(m: Floats, w: Floats, c: Ints, log: Floats) -> Int:
    """1 where a value differs from its pre value or a state jumps; states do jump."""
    pairs = c[PAIRS]
    values = c[c[AT_PAIRS] :]
    pre = c[c[AT_PAIRS] + pairs :]
    margins = w[c[AT_MARGINS] :]
    reinits = c[c[AT_REINITS] :]
    found = 0
    for i in range(pairs):
        if differs(m[values[i]], m[pre[i]], margins[i]) == 1:
            found = 1
            detail(log, c, CHANGED, i, m[values[i]])
    for k in range(c[REINITS]):
        if m[reinits[3 * k + 2]] >= 0.5:
            m[reinits[3 * k]] = m[reinits[3 * k + 1]]
            m[reinits[3 * k + 2]] = 0.0
            found = 1
            detail(log, c, JUMPED, k, m[reinits[3 * k]])
    return found


@settling.kernel
def settle_plainly(
    discrete: Section, derivatives: Section, relations: Section, m: Floats, w: Floats, c: Ints,
    log: Floats, once: Int,
) -> Int:  # fmt: skip
    """The rounds it took, or 0. `once`: one round only, for samples that are due."""
    pairs = c[PAIRS]
    values = c[c[AT_PAIRS] :]
    pre = c[c[AT_PAIRS] + pairs :]
    for rounds in range(1, MOST_ROUNDS + 1):
        if agree_plainly(discrete, derivatives, relations, m, w, c, log) != 0:
            return 0
        if moved(m, w, c, log) == 0:
            return rounds
        detail(log, c, ITERATED, 0, 0.0)
        for i in range(pairs):
            m[pre[i]] = m[values[i]]
        # Relations that matter since pre values have changed take the side they are on.
        if relations(m) != 0:
            return 0
        follow(m, w, c, log, 0)
        if once == 1:
            return 1
    return 0
