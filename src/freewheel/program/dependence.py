"""Who needs whom among sorted blocks: which of them a section must evaluate.

needed(blocks, [der(x)])     numbers of the blocks, in order
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from freewheel.formula.nodes import Expr, Var
from freewheel.formula.walk import variables_in
from freewheel.graphs.components import reachable
from freewheel.structure.nodes import Block, Solved


def given_by(block: Block) -> tuple[Var, ...]:
    return (block.target,) if isinstance(block, Solved) else block.unknowns


def expressions_of(block: Block) -> list[Expr]:
    """Everything a block evaluates, apart from what a linear loop's matrix says once more."""
    if isinstance(block, Solved):
        return [block.value]
    return [*(step.value for step in block.inner), *block.residuals]


class Dependence:
    """Edges between blocks, computed once and asked several times."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self.blocks = blocks
        self.block_of: dict[Var, int] = {
            var: number for number, block in enumerate(blocks) for var in given_by(block)
        }
        self.uses: list[tuple[Var, ...]] = [
            variables_in(*expressions_of(block)) for block in blocks
        ]
        self.edges: list[list[int]] = [
            self._numbers(used, number) for number, used in enumerate(self.uses)
        ]

    def _numbers(self, used: Iterable[Var], own: int) -> list[int]:
        """Other blocks in order of mention; wide rows are the rule where arrays go into functions."""
        found = dict.fromkeys(map(self.block_of.get, used))
        found.pop(own, None)
        return [number for number in found if number is not None]

    def behind_loops(self) -> dict[Var, bool]:
        """Of each unknown: whether a loop of equations gives it, or something it depends on."""
        known: list[bool] = []
        for number, block in enumerate(self.blocks):
            is_loop = not isinstance(block, Solved)
            known.append(is_loop or any(k < number and known[k] for k in self.edges[number]))
        return {var: known[number] for var, number in self.block_of.items()}

    def needed(self, wanted: Iterable[Var]) -> list[int]:
        """Blocks that `wanted` depends on, in order of evaluation."""
        roots = {self.block_of[var] for var in wanted if var in self.block_of}
        return sorted(reachable(self.edges, sorted(roots)))
