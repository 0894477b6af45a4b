"""Two states that drive each other, quantized together (mLIQSS2).

    j = partner(m, s, f, k, i, t)        # of state i, whose q has just been chosen; -1: none
    quantize_pair(s, f, k, i, j, ...)

A linearly implicit step looks only at how a state depends on itself. Where x_i drives x_j and x_j drives
x_i back, steps of one undo those of the other and both oscillate (Di Pietro, Migoni, Kofman 2019). If the
new q_i changes the rate of x_j, or how that one changes, by more than its mean, both polynomials are found
at once: the formula of LIQSS2 with a matrix of two rows. (To ask also whether x_j would answer costs more
steps than it saves: a Cuk converter takes 1 000 000 with that question and 3600 without.)
"""

from __future__ import annotations

from math import sqrt

from freewheel.machine.addresses import function_at
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints
from freewheel.runtime.kernels.qss_places import (
    AT_COUNTS,
    AT_ROW_SLOPES,
    AT_ROWS,
    AT_SLOPES,
    DQ,
    Q0,
    Q1,
    RECORD,
    TQ,
    WIDEST,
    X0,
    X1,
    X2,
    N,
)
from freewheel.runtime.kernels.qss_quantize import advance_q, advance_x, quantizers

pairs = KernelModule("qss_pairs", quantizers)

TRIALS = 60


@pairs.kernel
def row_slopes(m: Floats, s: Floats, k: Ints, j: Int, t: Float, out: Floats) -> Int:
    """Partial derivatives of row j by its records."""
    address = k[k[AT_SLOPES] + j]
    if address == 0:
        return 1
    function = function_at(address)
    return function(m, k[k[k[AT_ROWS] + j] :], s, t, out)


@pairs.kernel
def slope_by(k: Ints, slopes: Floats, j: Int, i: Int) -> Float:
    """That of row j by record i."""
    table = k[k[k[AT_ROWS] + j] :]
    for place in range(k[k[AT_COUNTS] + j]):
        if table[place] == i:
            return slopes[place]
    return 0.0


@pairs.kernel
def matters(before: Float, after: Float) -> Int:
    return 1 if abs(after - before) > 0.5 * abs(after + before) else 0


@pairs.kernel
def meets_together(
    ri: Floats, rj: Floats, aii: Float, aij: Float, aji: Float, ajj: Float, ui: Float, vi: Float,
    uj: Float, vj: Float, h: Float,
) -> None:  # fmt: skip
    """Q0 and Q1 of both, if each agrees with its x in value and slope after h."""
    bii = 1.0 - h * aii
    bij = -h * aij
    bji = -h * aji
    bjj = 1.0 - h * ajj
    half = 0.5 * h * h
    cii = bii + half * (aii * aii + aij * aji)
    cij = bij + half * (aii * aij + aij * ajj)
    cji = bji + half * (aji * aii + ajj * aji)
    cjj = bjj + half * (aji * aij + ajj * ajj)
    pi = ri[X0] + h * ui + half * vi
    pj = rj[X0] + h * uj + half * vj
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
    ri[Q0] = qi
    rj[Q0] = qj
    ri[Q1] = (fi * bjj - fj * bij) / below
    rj[Q1] = (fj * bii - fi * bji) / below


@pairs.kernel
def excess(r: Floats) -> Float:
    """How many bounds q is away from x; not a number counts as far."""
    share = abs(r[Q0] - r[X0]) / (2.0 * r[DQ])
    return share if share <= 1e100 else 1e100


@pairs.kernel
def is_moved(s: Floats, i: Int, j: Int, aji: Float, q: Float, slope: Float) -> Int:
    """1 where the step of i from (q, slope) matters to the rate of j, or to how it changes."""
    ri = s[RECORD * i :]
    rj = s[RECORD * j :]
    if matters(rj[X1], rj[X1] + aji * (ri[Q0] - q)) == 1:
        return 1
    return matters(2.0 * rj[X2], 2.0 * rj[X2] + aji * (ri[Q1] - slope))


@pairs.kernel
def partner(
    m: Floats, s: Floats, f: Floats, k: Ints, i: Int, t: Float, stop: Float, q: Float, slope: Float
) -> Int:
    """Of all states that are moved and move i, the one most strongly tied to i; both are quantized.
    `q` and `slope` are those of state i before its step."""
    mine = f[k[AT_ROW_SLOPES] :]
    yours = f[k[AT_ROW_SLOPES] + k[WIDEST] :]
    if row_slopes(m, s, k, i, t, mine) != 0:
        return -1
    table = k[k[k[AT_ROWS] + i] :]
    aii = slope_by(k, mine, i, i)
    best = -1
    tie = 0.0
    for place in range(k[k[AT_COUNTS] + i]):
        j = table[place]
        aij = mine[place]
        if j == i or j >= k[N] or aij == 0.0:
            continue
        if row_slopes(m, s, k, j, t, yours) != 0:
            continue
        aji = slope_by(k, yours, j, i)
        if abs(aij * aji) <= tie:
            continue
        advance_x(s, j, t)
        advance_q(s, j, t)
        if is_moved(s, i, j, aji, q, slope) == 1:
            best = j
            tie = abs(aij * aji)
    if best < 0 or row_slopes(m, s, k, best, t, yours) != 0:
        return -1
    aij = slope_by(k, mine, i, best)
    aji = slope_by(k, yours, best, i)
    ajj = slope_by(k, yours, best, best)
    return quantize_pair(s, i, best, aii, aij, aji, ajj, q, slope, t, stop)


@pairs.kernel
def quantize_pair(
    s: Floats, i: Int, j: Int, aii: Float, aij: Float, aji: Float, ajj: Float, q: Float,
    slope: Float, t: Float, stop: Float,
) -> Int:  # fmt: skip
    """j, or -1 where no time is short enough; then both stay as they were."""
    ri = s[RECORD * i :]
    rj = s[RECORD * j :]
    chosen = ri[Q0]
    chosen_slope = ri[Q1]
    held_q = rj[Q0]
    held_slope = rj[Q1]
    ui = ri[X1] - aii * q - aij * held_q
    vi = 2.0 * ri[X2] - aii * slope - aij * held_slope
    uj = rj[X1] - aji * q - ajj * held_q
    vj = 2.0 * rj[X2] - aji * slope - ajj * held_slope
    h = stop - t
    for _trial in range(TRIALS):
        meets_together(ri, rj, aii, aij, aji, ajj, ui, vi, uj, vj, h)
        worst = max(excess(ri), excess(rj))
        if worst <= 1.0:
            ri[TQ] = t
            rj[TQ] = t
            return j
        h *= min(0.7, sqrt(0.5 / worst))
    ri[Q0] = chosen
    ri[Q1] = chosen_slope
    rj[Q0] = held_q
    rj[Q1] = held_slope
    return -1
