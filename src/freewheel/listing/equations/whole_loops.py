"""The explicit blocks with the implicit part in its place among them, to be read.

whole(system, core, equations)     blocks that the core needs, the core, all others
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from freewheel.formula.nodes import Var
from freewheel.formula.walk import variables_in
from freewheel.structure.blocks.isolate import residual_of
from freewheel.structure.nodes import Block, Loop, ScalarEquation, Solved, Sorted
from freewheel.structure.switching.nodes import Core


def whole(system: Sorted, core: Core, equations: Sequence[ScalarEquation]) -> Sorted:
    """`equations`: those that the core numbers."""
    rows = (*(part.equation for part in core.followed), *core.equations)
    own = tuple(equations[number] for number in rows)
    numbers = tuple(range(len(system.equations), len(system.equations) + len(own)))
    count = len(core.followed)
    inner = tuple(replace(f, equation=n) for f, n in zip(core.followed, numbers, strict=False))
    targets = tuple(part.target for part in inner)
    implicit = Loop(
        core.matched,
        inner,
        tuple(map(residual_of, own[count:])),
        numbers,
        numbers[count:],
        (*targets, *core.matched),
        is_implicit=True,
    )
    inside = frozenset(targets)
    outside = [b for b in system.blocks if not (isinstance(b, Solved) and b.target in inside)]
    before = _needed(outside, own)
    first = [block for number, block in enumerate(outside) if number in before]
    last = [block for number, block in enumerate(outside) if number not in before]
    return Sorted((*system.equations, *own), (*first, implicit, *last))


def _needed(blocks: Sequence[Block], equations: Sequence[ScalarEquation]) -> set[int]:
    wanted: set[Var] = set(variables_in(*(s for e in equations for s in (e.left, e.right))))
    found: set[int] = set()
    for number in range(len(blocks) - 1, -1, -1):
        block = blocks[number]
        given = (block.target,) if isinstance(block, Solved) else block.unknowns
        if wanted.isdisjoint(given):
            continue
        found.add(number)
        values = [block.value] if isinstance(block, Solved) else block.residuals
        inner = () if isinstance(block, Solved) else (step.value for step in block.inner)
        wanted.update(variables_in(*values, *inner))
    return found
