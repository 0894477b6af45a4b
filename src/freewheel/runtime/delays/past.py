"""What the time loop does about remembered signals, in models that have some.

The kernels are those of `delays/breaks.py` and `delays/history_kernels.py`: code of their own, whose
addresses the loop of a model with delays gets (`LiveHistory.functions`) and which no other model compiles.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Int
from freewheel.runtime.loop.memory import Loop

past = KernelModule("past")


@past.kernel
def reach(loop: Loop) -> Float:
    """Where the next step must end at the latest: it may not look at itself."""
    if loop.has_history == 0:
        return loop.limit
    return min(loop.limit, loop.t + loop.history.least)


@past.kernel
def hold_past(loop: Loop) -> Int:
    """Before an event; 1: there is no room for what it may leave."""
    return loop.hold_breaks(loop) if loop.has_history == 1 else 0


@past.kernel
def move_past_on(loop: Loop) -> None:
    """Before the discrete equations. Whoever goes through them again begins with `loop.saved`."""
    if loop.has_history == 1:
        loop.move_breaks_on(loop)


@past.kernel
def put_past_back(loop: Loop) -> None:
    """The event begins anew, or is left to Python. The memory has been put back to `loop.saved`."""
    if loop.has_history == 1:
        loop.put_breaks_back(loop)


@past.kernel
def mark_past(loop: Loop) -> Int:
    """After the event; 1: a delay time is out of its bounds."""
    return loop.mark_breaks(loop) if loop.has_history == 1 else 0
