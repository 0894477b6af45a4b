"""Two states that drive each other, quantized together (mLIQSS2).

    j = partner(qss, i, t, stop, q, slope)    # of state i, whose q has just been chosen; -1: none
    quantize_pair(qss, i, j, ...)

A linearly implicit step looks only at how a state depends on itself. Where x_i drives x_j and x_j drives
x_i back, steps of one undo those of the other and both oscillate (Di Pietro, Migoni, Kofman 2019). If the
new q_i changes the rate of x_j, or how that one changes, by more than its mean, both polynomials are found
at once: the formula of LIQSS2 with a matrix of two rows. (To ask also whether x_j would answer costs more
steps than it saves: a Cuk converter takes 1 000 000 with that question and 3600 without.)
"""

from __future__ import annotations

from math import sqrt

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.qss.memory import Qss, QuantizedState
from freewheel.runtime.qss.quantizers import advance_q, advance_x, quantizers

pairs = KernelModule("qss_pairs", quantizers)

TRIALS = 60


@pairs.kernel
def row_slopes(qss: Qss, j: Int, t: Float, out: Floats) -> Int:
    """Partial derivatives of row j by its records."""
    row = qss.rows[j]
    if row.has_slopes == 0:
        return 1
    return row.slopes(qss.memory, qss.table[row.first :], qss.states, t, out)


@pairs.kernel
def slope_by(qss: Qss, slopes: Floats, j: Int, i: Int) -> Float:
    """That of row j by record i."""
    table = qss.table[qss.rows[j].first :]
    for place in range(qss.rows[j].count):
        if table[place] == i:
            return slopes[place]
    return 0.0


@pairs.kernel
def matters(before: Float, after: Float) -> Int:
    return 1 if abs(after - before) > 0.5 * abs(after + before) else 0


@pairs.kernel
def meets_together(
    one: QuantizedState, other: QuantizedState, aii: Float, aij: Float, aji: Float, ajj: Float,
    ui: Float, vi: Float, uj: Float, vj: Float, h: Float,
) -> None:  # fmt: skip
    """q0 and q1 of both, if each agrees with its x in value and slope after h."""
    bii = 1.0 - h * aii
    bij = -h * aij
    bji = -h * aji
    bjj = 1.0 - h * ajj
    half = 0.5 * h * h
    cii = bii + half * (aii * aii + aij * aji)
    cij = bij + half * (aii * aij + aij * ajj)
    cji = bji + half * (aji * aii + ajj * aji)
    cjj = bjj + half * (aji * aij + ajj * ajj)
    pi = one.x0 + h * ui + half * vi
    pj = other.x0 + h * uj + half * vj
    ei = ui + h * vi
    ej = uj + h * vj
    gi = bii * pi + bij * pj + (half * aii - h) * ei + half * aij * ej
    gj = bji * pi + bjj * pj + half * aji * ei + (half * ajj - h) * ej
    under = cii * cjj - cij * cji
    qi = (gi * cjj - gj * cij) / under
    qj = (gj * cii - gi * cji) / under
    fi = aii * qi + aij * qj + ei
    fj = aji * qi + ajj * qj + ej
    below = bii * bjj - bij * bji
    one.q0 = qi
    other.q0 = qj
    one.q1 = (fi * bjj - fj * bij) / below
    other.q1 = (fj * bii - fi * bji) / below


@pairs.kernel
def excess(state: QuantizedState) -> Float:
    """How many bounds q is away from x; not a number counts as far."""
    share = abs(state.q0 - state.x0) / (2.0 * state.quantum)
    return share if share <= 1e100 else 1e100


@pairs.kernel
def is_moved(qss: Qss, i: Int, j: Int, aji: Float, q: Float, slope: Float) -> Int:
    """1 where the step of i from (q, slope) matters to the rate of j, or to how it changes."""
    one = qss.states[i]
    other = qss.states[j]
    if matters(other.x1, other.x1 + aji * (one.q0 - q)) == 1:
        return 1
    return matters(2.0 * other.x2, 2.0 * other.x2 + aji * (one.q1 - slope))


@pairs.kernel
def partner(qss: Qss, i: Int, t: Float, stop: Float, q: Float, slope: Float) -> Int:
    """Of all states that are moved and move i, the one most strongly tied to i; both are quantized.
    `q` and `slope` are those of state i before its step."""
    mine = qss.slopes
    yours = qss.other_slopes
    if row_slopes(qss, i, t, mine) != 0:
        return -1
    table = qss.table[qss.rows[i].first :]
    aii = slope_by(qss, mine, i, i)
    best = -1
    tie = 0.0
    for place in range(qss.rows[i].count):
        j = table[place]
        aij = mine[place]
        if j == i or j >= qss.n or aij == 0.0:
            continue
        if row_slopes(qss, j, t, yours) != 0:
            continue
        aji = slope_by(qss, yours, j, i)
        if abs(aij * aji) <= tie:
            continue
        advance_x(qss.states[j], t)
        advance_q(qss.states[j], t)
        if is_moved(qss, i, j, aji, q, slope) == 1:
            best = j
            tie = abs(aij * aji)
    if best < 0 or row_slopes(qss, best, t, yours) != 0:
        return -1
    aij = slope_by(qss, mine, i, best)
    aji = slope_by(qss, yours, best, i)
    ajj = slope_by(qss, yours, best, best)
    return quantize_pair(qss, i, best, aii, aij, aji, ajj, q, slope, t, stop)


@pairs.kernel
def quantize_pair(
    qss: Qss, i: Int, j: Int, aii: Float, aij: Float, aji: Float, ajj: Float, q: Float,
    slope: Float, t: Float, stop: Float,
) -> Int:  # fmt: skip
    """j, or -1 where no time is short enough; then both stay as they were."""
    one = qss.states[i]
    other = qss.states[j]
    chosen = one.q0
    chosen_slope = one.q1
    held_q = other.q0
    held_slope = other.q1
    ui = one.x1 - aii * q - aij * held_q
    vi = 2.0 * one.x2 - aii * slope - aij * held_slope
    uj = other.x1 - aji * q - ajj * held_q
    vj = 2.0 * other.x2 - aji * slope - ajj * held_slope
    h = stop - t
    for _trial in range(TRIALS):
        meets_together(one, other, aii, aij, aji, ajj, ui, vi, uj, vj, h)
        worst = max(excess(one), excess(other))
        if worst <= 1.0:
            one.tq = t
            other.tq = t
            return j
        h *= min(0.7, sqrt(0.5 / worst))
    one.q0 = chosen
    one.q1 = chosen_slope
    other.q0 = held_q
    other.q1 = held_slope
    return -1
