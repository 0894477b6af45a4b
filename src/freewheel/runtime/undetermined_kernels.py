"""Whether unknowns of singular loops follow a change of their old values (`runtime/undetermined.py`)."""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Floats, Int, Ints
from freewheel.runtime.events.iteration_kernels import copy, iteration
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.thresholds import UNDETERMINED

open_loops = KernelModule("open loops", iteration)


@open_loops.kernel
def has_open_loops(loop: Loop, slots: Ints, shares: Floats, count: Int) -> Int:
    """1: some unknowns are not determined. The memory is left as it was."""
    m = loop.memory
    before = loop.after
    copy(loop.memory_size, m, before)
    for i in range(count):
        known = before[slots[i]]
        m[slots[i]] = known + (1.0 + abs(known)) * shares[i]
    found = 0
    if loop.derivatives(m) == 0 and loop.outputs(m) == 0:
        for i in range(count):
            known = before[slots[i]]
            if abs(m[slots[i]] - known) > UNDETERMINED.follows * ((1.0 + abs(known)) * shares[i]):
                found = 1
    copy(loop.memory_size, before, m)
    return found
