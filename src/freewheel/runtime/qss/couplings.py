"""Couplings of two states: pairs that are quantized together (mLIQSS2), and a measure for the choice of a
method.

    j = quantize_with_partner(qss, i, t, stop, q, slope)    # of state i, after its step; -1: none
    quantize_pair(qss, i, j, ...)
    measure_stiffness(qss, y, t)    # out[0]: largest -a_ii; out[1]: largest coupling of two states

A linearly implicit step uses only the derivative of a rate by its own state. Where x_i drives x_j and x_j
drives x_i back, steps of one undo those of the other and both oscillate (Di Pietro, Migoni, Kofman 2019). If
the new q_i changes the rate of x_j, or its derivative, by more than its mean, both polynomials are found at
once: the formula of LIQSS2 with a matrix of two rows. (The condition that x_j changes x_i back costs more
steps than it saves: a Cuk converter takes 1 000 000 with it and 3600 without.)
"""

from __future__ import annotations

from math import sqrt

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.qss.memory import Qss, QuantizedState
from freewheel.runtime.qss.quantizers import advance_q, advance_x, quantizers
from freewheel.runtime.qss.thresholds import QUANTA
from freewheel.runtime.thresholds import FOREVER

couplings = KernelModule("qss_couplings", quantizers)


@couplings.kernel
def row_slopes(qss: Qss, j: Int, t: Float, out: Floats) -> Int:
    """Partial derivatives of row j by its records."""
    row = qss.rows[j]
    if row.has_slopes == 0:
        return 1
    return row.slopes(qss.memory, qss.table[row.first :], qss.states, t, out)


@couplings.kernel
def slope_by(qss: Qss, slopes: Floats, j: Int, i: Int) -> Float:
    """That of row j by record i."""
    table = qss.table[qss.rows[j].first :]
    for place in range(qss.rows[j].count):
        if table[place] == i:
            return slopes[place]
    return 0.0


@couplings.kernel
def matters(before: Float, after: Float) -> Int:
    return 1 if abs(after - before) > 0.5 * abs(after + before) else 0


@couplings.kernel
def meets_together(
    one: QuantizedState, other: QuantizedState, aii: Float, aij: Float, aji: Float, ajj: Float,
    ui: Float, vi: Float, uj: Float, vj: Float, h: Float,
) -> None:  # fmt: skip
    """q0 and q1 of both states, such that each agrees with its x in value and slope after h."""
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


@couplings.kernel
def excess(state: QuantizedState) -> Float:
    """|q - x| in units of its bound; large where it is not a number."""
    share = abs(state.q0 - state.x0) / (2.0 * state.quantum)
    return share if share <= 1e100 else 1e100


@couplings.kernel
def is_moved(qss: Qss, i: Int, j: Int, aji: Float, q: Float, slope: Float) -> Int:
    """1 where the step of i from (q, slope) changes the rate of j, or its derivative, by more than its
    mean."""
    one = qss.states[i]
    other = qss.states[j]
    if matters(other.x1, other.x1 + aji * (one.q0 - q)) == 1:
        return 1
    return matters(2.0 * other.x2, 2.0 * other.x2 + aji * (one.q1 - slope))


@couplings.kernel
def quantize_with_partner(qss: Qss, i: Int, t: Float, stop: Float, q: Float, slope: Float) -> Int:
    """Quantizes state i together with the state of the strongest coupling among those that its step changes.
    `q` and `slope`: those of state i before its step."""
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


@couplings.kernel
def quantize_pair(
    qss: Qss, i: Int, j: Int, aii: Float, aij: Float, aji: Float, ajj: Float, q: Float,
    slope: Float, t: Float, stop: Float,
) -> Int:  # fmt: skip
    """j; -1 where there is no solution, and q stays."""
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
    for _trial in range(QUANTA.trials):
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


# ---------------------------------------------------------------- stiffness


@couplings.kernel
def coupling_of(qss: Qss, i: Int, aii: Float, mine: Floats, yours: Floats, t: Float) -> Float:
    """The largest a_ij*a_ji/(a_ii*a_jj) of a state."""
    table = qss.table[qss.rows[i].first :]
    worst = 0.0
    for place in range(qss.rows[i].count):
        j = table[place]
        if j <= i or j >= qss.n or mine[place] == 0.0:
            continue
        if row_slopes(qss, j, t, yours) != 0:
            continue
        both = abs(mine[place] * slope_by(qss, yours, j, i))
        alone = abs(aii * slope_by(qss, yours, j, j))
        if both > 0.0:
            worst = max(worst, both / alone if alone > 0.0 else FOREVER)
    return worst


@couplings.kernel
def measure_stiffness(qss: Qss, y: Floats, t: Float) -> Int:
    """At one point; 0, or 1 where slopes are not known."""
    mine = qss.slopes
    yours = qss.other_slopes
    for i in range(qss.n):
        qss.states[i].q0 = y[i]
        qss.states[i].tq = t
    stiffest = 0.0
    tie = 0.0
    for i in range(qss.n):
        if row_slopes(qss, i, t, mine) != 0:
            return 1
        aii = slope_by(qss, mine, i, i)
        stiffest = max(stiffest, -aii)
        tie = max(tie, coupling_of(qss, i, aii, mine, yours, t))
    qss.out[0] = stiffest
    qss.out[1] = tie
    return 0
