"""First step sizes after events, remembered by what the model was switched to.

    w[H] = known_size(m, w, c)       # 0: not known, guess it
    remember_size(w, c)              # after the first step

A converter comes back to the same few modes a hundred thousand times. The size that error control
found good there the last time is a better guess than one from derivatives alone, and costs no
evaluation. A mode is the statuses of relations and all discrete values that are 0 or 1.

Control aims below the size it would just accept. Where one step might reach the next event this costs
a second one, so the first step is hopeful; where that was rejected, not for the next 32 times.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints
from freewheel.runtime.kernels.places import (
    AT_MODE_KEYS,
    AT_MODE_SIZES,
    AT_PAIRS,
    AT_STATUS,
    H_TAKEN,
    MODE,
    MODE_REJECTED,
    PAIRS,
    REJECTED,
    RELATIONS,
    H,
    N,
)

modes = KernelModule("modes")

TABLE = 256  # modes; two that share a place forget each other
LARGE_PRIME = 2147483647
MOST = 5.0  # times the size that was taken
HOPE = 1.3
SHY = 32  # visits of a mode


@modes.kernel
def mode_key(m: Floats, c: Ints) -> Int:
    statuses = c[c[AT_STATUS] :]
    values = c[c[AT_PAIRS] :]
    key = 1
    for i in range(c[RELATIONS]):
        status = m[statuses[i]]
        key = (key * 3 + (2 if status > 0.0 else (1 if status < 0.0 else 0))) % LARGE_PRIME
    for i in range(c[PAIRS]):
        value = m[values[i]]
        if value == 1.0:
            key = (key * 2 + 1) % LARGE_PRIME
        elif value == 0.0:
            key = (key * 2) % LARGE_PRIME
    return key


@modes.kernel
def known_size(m: Floats, w: Floats, c: Ints) -> Float:
    if c[AT_MODE_KEYS] == 0 or c[N] == 0:
        return 0.0
    key = mode_key(m, c)
    c[MODE] = key
    c[MODE_REJECTED] = c[REJECTED]
    place = key % TABLE
    if c[c[AT_MODE_KEYS] + place] != key:
        return 0.0
    size = w[c[AT_MODE_SIZES] + place]
    if c[c[AT_MODE_KEYS] + TABLE + place] > 0:
        c[c[AT_MODE_KEYS] + TABLE + place] -= 1
        return size
    return HOPE * size


@modes.kernel
def remember_size(w: Floats, c: Ints) -> None:
    """After the first accepted step: error control has said what would have been good."""
    key = c[MODE]
    if key < 0 or c[AT_MODE_KEYS] == 0:
        return
    c[MODE] = -1
    if w[H_TAKEN] > 0.0:
        place = key % TABLE
        c[c[AT_MODE_KEYS] + place] = key
        w[c[AT_MODE_SIZES] + place] = min(w[H], MOST * w[H_TAKEN])
        if c[REJECTED] > c[MODE_REJECTED]:
            c[c[AT_MODE_KEYS] + TABLE + place] = SHY
