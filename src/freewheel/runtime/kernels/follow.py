"""How nonlinear loops are solved, told by a slot of the memory: `m[c[FOLLOW]]`.

    solve_loops(m, c, STRICT)      from here on a loop that would have to change its branch has no solution

The slot after it tells which loop that was (`backend/follow_kernels.py`).
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints
from freewheel.runtime.kernels.places import FOLLOW

FREE = 0.0  # at events and at the start: any solution
STRICT = 1.0  # in trial steps: the branch of the values in the memory
LENIENT = (
    2.0  # inside steps that are accepted: an interpolated point may lie beyond a fold by rounding
)
JUMPING = 3.0  # over a fold, to the next branch
WATCHED = (
    4.0  # by quantized states, whose steps are never repeated: STRICT at folds, else any solution
)

branches = KernelModule("branches")


@branches.kernel
def solve_loops(m: Floats, c: Ints, mode: Float) -> None:
    if c[FOLLOW] > 0:
        m[c[FOLLOW]] = mode


@branches.kernel
def forget_lost(m: Floats, c: Ints) -> None:
    if c[FOLLOW] > 0:
        m[c[FOLLOW] + 1] = 0.0


@branches.kernel
def is_lost(m: Floats, c: Ints) -> Int:
    return 1 if c[FOLLOW] > 0 and m[c[FOLLOW] + 1] != 0.0 else 0
