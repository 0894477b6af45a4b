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
from freewheel.machine.kernel_nodes import Float, Int
from freewheel.runtime.loop.memory import MODE_TABLE, Loop
from freewheel.runtime.thresholds import EPSILON

modes = KernelModule("modes")

LARGE_PRIME = 2147483647
MOST = 5.0  # times the size that was taken
HOPE = 1.3
SHY = 32  # visits of a mode
# Of time, as the shortest first guess in `integrators/step_control.py`: near time zero shorter steps are
# resolved.
UNRESOLVED = 1.6e4 * EPSILON


@modes.kernel
def mode_key(loop: Loop) -> Int:
    m = loop.memory
    statuses = loop.status_slots
    values = loop.pair_slots
    key = 1
    for i in range(loop.relation_count):
        status = m[statuses[i]]
        key = (key * 3 + (2 if status > 0.0 else (1 if status < 0.0 else 0))) % LARGE_PRIME
    for i in range(loop.pairs):
        value = m[values[i]]
        if value == 1.0:
            key = (key * 2 + 1) % LARGE_PRIME
        elif value == 0.0:
            key = (key * 2) % LARGE_PRIME
    return key


@modes.kernel
def known_size(loop: Loop) -> Float:
    if loop.mode_places == 0 or loop.n == 0:
        return 0.0
    key = mode_key(loop)
    loop.mode = key
    loop.mode_rejected = loop.rejected
    place = key % MODE_TABLE
    if loop.mode_keys[place] != key:
        return 0.0
    size = loop.mode_sizes[place]
    if size < UNRESOLVED * abs(loop.t):
        return 0.0
    if loop.mode_keys[MODE_TABLE + place] > 0:
        loop.mode_keys[MODE_TABLE + place] -= 1
        return size
    return HOPE * size


@modes.kernel
def remember_size(loop: Loop) -> None:
    """After the first accepted step: error control has said what would have been good."""
    key = loop.mode
    if key < 0 or loop.mode_places == 0:
        return
    loop.mode = -1
    if loop.h_taken > 0.0:
        place = key % MODE_TABLE
        loop.mode_keys[place] = key
        loop.mode_sizes[place] = min(loop.h, MOST * loop.h_taken)
        if loop.rejected > loop.mode_rejected:
            loop.mode_keys[MODE_TABLE + place] = SHY
