"""First step sizes after events, remembered by mode.

    loop.h = known_size(loop)        # 0: unknown, `step_control.first_step` guesses it
    remember_size(loop)              # after the first accepted step

A mode is the statuses of all relations and all discrete values that are 0 or 1. A converter returns to few
modes many times, and the size that error control found there is a better guess than one from derivatives. The
first step is made longer than error control would choose, since it may reach the next event at once; after a
rejection it is not, for the next 32 visits of the mode.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Int
from freewheel.runtime.integrators.thresholds import STEPS
from freewheel.runtime.loop.memory import MODE_TABLE, Loop

modes = KernelModule("modes")

LARGE_PRIME = 2147483647


@modes.kernel
def mode_key(loop: Loop) -> Int:
    key = 1
    for i in range(loop.relation_count):
        status = loop.memory[loop.status_slots[i]]
        key = (key * 3 + (2 if status > 0.0 else (1 if status < 0.0 else 0))) % LARGE_PRIME
    for i in range(loop.pairs):
        value = loop.memory[loop.pair_slots[i]]
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
    if size < STEPS.unresolved * abs(loop.t):
        return 0.0
    if loop.mode_keys[MODE_TABLE + place] > 0:
        loop.mode_keys[MODE_TABLE + place] -= 1
        return size
    return STEPS.longer * size


@modes.kernel
def remember_size(loop: Loop) -> None:
    """After the first accepted step, whose error shows the right size."""
    key = loop.mode
    if key < 0 or loop.mode_places == 0:
        return
    loop.mode = -1
    if loop.h_taken > 0.0:
        place = key % MODE_TABLE
        loop.mode_keys[place] = key
        loop.mode_sizes[place] = min(loop.h, STEPS.first_most * loop.h_taken)
        if loop.rejected > loop.mode_rejected:
            loop.mode_keys[MODE_TABLE + place] = STEPS.visits_after_rejection
