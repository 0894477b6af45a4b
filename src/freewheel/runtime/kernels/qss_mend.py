"""What a row did between two looks, where its polynomial proved wrong.

    mend(m, s, f, k, j, t, passed, x1, x2, x3)      # the continuous state, after the row was looked at again
    follow_rows(m, s, f, k, i, t)                   # states of rows that see state i, before its q changes

A row may have jumped or bent since the last look without an event (`program/row_corners.py`). All its records
have kept their polynomials meanwhile, else it would have been looked at, so that the row can be asked for any
time since: where it left its own polynomial is found by halving, and what the rate was wrong by from there on
is added to the state.
"""

from __future__ import annotations

from freewheel.machine.addresses import function_at
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints
from freewheel.runtime.kernels.qss_places import (
    AT_MISSES,
    AT_OUT,
    AT_RATES,
    AT_ROWS,
    AT_SD,
    AT_SD_ROWS,
    CORNERS,
    DQ,
    ORDER,
    RECORD,
    TX,
    X0,
    X1,
    X2,
    X3,
    A,
)
from freewheel.runtime.kernels.qss_quantize import advance_x, quantizers

mending = KernelModule("qss_mending", quantizers)

HALVINGS = 45
BEGINS = 1e-3  # of how wrong the rate is now
NEGLIGIBLE = 1e-7  # of a quantum
SMALL = 0.02  # of a quantum: what a corner may cost
FORGOTTEN = 1.0  # time constants: what a state has missed longer ago is of no account


@mending.kernel
def missed(
    m: Floats, s: Floats, f: Floats, k: Ints, j: Int, t: Float, passed: Float, off: Float,
    x1: Float, x2: Float, x3: Float, share: Float,
) -> Float:  # fmt: skip
    """The integral of row j within the time passed, less that of x1 + 2 x2 e + 3 x3 e**2, which counts from
    `t`. `off` is the difference now; it begins at a jump, at a bend, or all along, where it was a share of
    that."""
    r = s[RECORD * j :]
    function = function_at(k[k[AT_RATES] + j])
    table = k[k[k[AT_ROWS] + j] :]
    out = f[AT_OUT:]
    low = t - passed
    high = t
    there = off
    for _turn in range(HALVINGS):
        middle = 0.5 * (low + high)
        if not (middle > low and middle < high) or function(m, table, s, middle, out) != 0:
            break
        e = middle - t
        now = out[0] - (x1 + e * (2.0 * x2 + 3.0 * e * x3))
        if abs(now) > share * abs(off):
            high = middle
            there = now
        else:
            low = middle
        if (high - low) * abs(off) <= NEGLIGIBLE * r[DQ]:
            break
    half = 0.5 * (high - t)
    if function(m, table, s, t + half, out) != 0:
        return 0.0
    between = out[0] - (x1 + half * (2.0 * x2 + 3.0 * half * x3))
    return (t - high) / 6.0 * (there + 4.0 * between + off)


@mending.kernel
def mend(
    m: Floats, s: Floats, f: Floats, k: Ints, j: Int, t: Float, passed: Float, x1: Float,
    x2: Float, x3: Float,
) -> Int:  # fmt: skip
    """The polynomial that the state had until now counts from `t`: its rate is x1 + 2 x2 e + 3 x3 e**2. 1
    where the state was put right."""
    r = s[RECORD * j :]
    off = r[X1] - x1
    kind = k[k[AT_MISSES] + j]
    share = BEGINS
    if -r[A] * passed > FORGOTTEN:
        kind = 0
        share = 0.5
    orders = float(k[ORDER]) + 1.0
    margin = SMALL if kind == CORNERS else 1.0
    if abs(off) * passed > margin * orders * r[DQ]:
        r[X0] += missed(m, s, f, k, j, t, passed, off, x1, x2, x3, share)
        return 1
    if kind != 0:
        r[X0] += off * passed / orders  # the first term of what it misses
        return 1
    return 0


@mending.kernel
def follow_row(m: Floats, s: Floats, f: Floats, k: Ints, j: Int, t: Float) -> None:
    """What the state of row j has missed up to now."""
    r = s[RECORD * j :]
    passed = t - r[TX]
    function = function_at(k[k[AT_RATES] + j])
    if -r[A] * passed > FORGOTTEN:
        return
    if passed <= 0.0 or function(m, k[k[k[AT_ROWS] + j] :], s, t, f[AT_OUT:]) != 0:
        return
    rate = f[AT_OUT]
    advance_x(s, j, t)
    x1 = r[X1]
    r[X1] = rate
    mend(m, s, f, k, j, t, passed, x1, r[X2], r[X3])
    r[X1] = x1


@mending.kernel
def follow_rows(m: Floats, s: Floats, f: Floats, k: Ints, i: Int, t: Float) -> None:
    """Before q of state i changes: rows that see it may have passed a corner since they were renewed, or
    gone with time otherwise than their polynomials say, and nobody has looked."""
    starts = k[k[AT_SD] :]
    listed = k[k[AT_SD_ROWS] :]
    misses = k[k[AT_MISSES] :]
    if misses[i] != 0:
        follow_row(m, s, f, k, i, t)
    for place in range(starts[i], starts[i + 1]):
        j = listed[place]
        if j != i and misses[j] != 0:
            follow_row(m, s, f, k, j, t)
