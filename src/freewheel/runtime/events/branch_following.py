"""Branch following: how nonlinear loops are solved, by a slot of the memory, `m[loop.follow_slot]`.

    solve_loops(loop, STRICT)      from here on a loop that would have to change its branch has no solution

The slot after it has the number of that loop (`backend/follow_kernels.py`).
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Int
from freewheel.runtime.loop.memory import Loop

FREE = 0.0  # at events and at the start: any solution
STRICT = 1.0  # in trial steps: the branch of the values in the memory
LENIENT = 2.0  # inside accepted steps: an interpolated point may lie beyond a fold by rounding
JUMPING = 3.0  # over a fold, to the next branch
WATCHED = 4.0  # by quantized states, which repeat no steps: STRICT at folds, else any solution
# The same from a start on a fold, where rounding hides which of both branches is left: from that on which the
# determinant is positive, or negative.
JUMPING_UP, JUMPING_DOWN = 5.0, 6.0

# Instead of the sign of its determinant, in the memory of a loop (backend/branch_kernels.py): the branch of
# the left limit ends where nearly all of a change has been made, and values there are held until the
# equations change again; or it ends before that, at the values in the memory.
HELD, ENDED = 3.0, 4.0
LOOSE = 6.0  # likewise: at the start a continuum of solutions, none of which is preferred
# Places behind it: whether values have been held while time moves on, and since when.
REPORTED, SINCE = 3, 4

branches = KernelModule("branches")


@branches.kernel
def solve_loops(loop: Loop, mode: Float) -> None:
    if loop.follow_slot > 0:
        loop.memory[loop.follow_slot] = mode


@branches.kernel
def forget_lost(loop: Loop) -> None:
    if loop.follow_slot > 0:
        loop.memory[loop.follow_slot + 1] = 0.0


@branches.kernel
def is_lost(loop: Loop) -> Int:
    return 1 if loop.follow_slot > 0 and loop.memory[loop.follow_slot + 1] != 0.0 else 0
