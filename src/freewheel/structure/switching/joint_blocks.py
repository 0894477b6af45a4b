"""Blocks over all branches at once, where a released state and its rate are one column.

What a mode speaks of is a part of the incidence over all branches. So its blocks are blocks in each
mode, and a mode is regular if each diagonal block is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from freewheel.formula.nodes import Var
from freewheel.formula.walk import variables_in
from freewheel.graphs.components import components
from freewheel.graphs.matching import FREE, Matching, match
from freewheel.structure.atoms import der_of
from freewheel.structure.blocks.blt import System
from freewheel.structure.nodes import ScalarEquation


@dataclass(frozen=True, slots=True)
class Joined:
    system: System
    matching: Matching
    blocks: tuple[tuple[int, ...], ...]  # rows; a block comes after what it needs
    block_of: tuple[int, ...]  # by row

    def touched(self, rows: Iterable[int]) -> tuple[int, ...]:
        """Blocks with one of the rows, ascending."""
        return tuple(sorted({self.block_of[row] for row in rows}))


def joined(
    equations: Sequence[ScalarEquation], unknowns: Sequence[Var], released: Iterable[Var]
) -> Joined:
    column = {var: number for number, var in enumerate(unknowns)}
    for state in released:
        column[state] = column[der_of(state)]
    needs = [
        tuple(dict.fromkeys(column[v] for v in variables_in(e.left, e.right) if v in column))
        for e in equations
    ]
    choices = [
        needed if e.target is None else tuple(c for c in needed if c == column.get(e.target))
        for e, needed in zip(equations, needs, strict=True)
    ]
    system = System(tuple(equations), tuple(unknowns), tuple(choices), tuple(needs))
    matching = match(system.choices, len(system.unknowns))
    assert FREE not in matching.column_of_row, "open choices speak of all branches"
    blocks = tuple(map(tuple, components(_edges(system, matching))))
    block_of = [0] * len(equations)
    for number, rows in enumerate(blocks):
        for row in rows:
            block_of[row] = number
    return Joined(system, matching, blocks, tuple(block_of))


def _edges(system: System, matching: Matching) -> list[list[int]]:
    row_of, column_of = matching.row_of_column, matching.column_of_row
    return [
        [row_of[c] for c in needs if c != column_of[row]] for row, needs in enumerate(system.needs)
    ]
