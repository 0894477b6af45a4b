"""Sorted equations in the order in which the papers print them. For listings only: the program that
runs keeps its own order.

    der(u), what it needs before it; der(i), what it needs; the rest as written; outputs `y = x` last

Cellier and Elmqvist (1993) do not say how their sorting goes about it, but all four of their listings
come out like this:

- The search for what must be evaluated first starts from the derivatives of states, and looks at the
  variables of a formula from left to right.
- An equation takes the first unknown that is free, and takes one from another equation where none is
  (`first come`), so a loop has the causality of the listing.
- Equations of a loop come in the order in which the search meets them, the one it began with last. That
  is also the numbering of rows and columns of its matrix.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise

from freewheel.formula.nodes import Expr, Var
from freewheel.formula.walk import variables_in
from freewheel.graphs.components import components_from, first_visits
from freewheel.graphs.matching import FREE, augment_all
from freewheel.structure.atoms import base_of, is_der
from freewheel.structure.blocks.assignment import in_reading_order
from freewheel.structure.blocks.incidence import matching_columns
from freewheel.structure.nodes import Block, Crossing, Loop, ScalarEquation, Solved, Sorted


def pairs(block: Block) -> list[tuple[int, Var]]:
    """(equation, the unknown it is matched with)."""
    if isinstance(block, Solved):
        return [(block.equation, block.target)]
    return list(zip(block.equations, block.unknowns, strict=True))


@dataclass(frozen=True, slots=True)
class Part:
    """A block, or several that wait for each other through relations: those keep the order they had.
    Of several, `whole` is the loop that they are when relations are looked at, too."""

    blocks: tuple[Block, ...]
    whole: Loop | None = None


@dataclass(frozen=True, slots=True)
class Listing:
    """Equations with an order of reading."""

    equations: tuple[ScalarEquation, ...]
    parts: tuple[Part, ...]

    @property
    def blocks(self) -> Iterator[Block]:
        return (block for part in self.parts for block in part.blocks)


def in_order_of_papers(
    system: Sorted, rates: Sequence[Var], outputs: Set[Var], crossings: Sequence[Crossing] = ()
) -> Listing:
    """`rates` are the derivatives of states."""
    order = {id(e): k for k, e in enumerate(in_reading_order(system.equations))}
    place = [order[id(e)] for e in system.equations]
    blocks = [_first_come(block, system.equations, place) for block in system.blocks]
    given = {var: row for block in blocks for row, var in pairs(block)}
    looked_at = {c.status: variables_in(c.left, c.right) for c in crossings}
    values = {block.equation: block.value for block in blocks if isinstance(block, Solved)}
    edges = [
        _needs(
            (values[row],) if row in values else (equation.left, equation.right), given, looked_at
        )
        for row, equation in enumerate(system.equations)
    ]
    for block in blocks:
        if not isinstance(block, Solved) and block.is_implicit:  # one part, whatever waits for what
            for row, following in pairwise((*block.equations, block.equations[0])):
                edges[row].append(following)
    first = [given[var] for var in rates if var in given]
    last = {given[v] for v in outputs if v in given and _is_copy(system.equations[given[v]])}
    rows = sorted(given.values(), key=lambda row: (row in last, place[row]))
    roots = [*first, *rows]
    visit = {row: k for k, row in enumerate(first_visits(edges, roots))}
    block_of = {row: block for block in blocks for row, _ in pairs(block)}
    number = {id(block): k for k, block in enumerate(blocks)}
    parts: list[Part] = []
    for group in components_from(edges, roots):
        found = {number[id(block_of[row])] for row in group}
        met = tuple(_as_met(blocks[k], visit) for k in sorted(found))
        whole = None if len(met) == 1 else _as_met(_joined(met, system.equations, place), visit)
        parts.append(Part(met, whole if isinstance(whole, Loop) else None))
    return Listing(system.equations, tuple(parts))


def _joined(
    blocks: Sequence[Block], equations: Sequence[ScalarEquation], place: Sequence[int]
) -> Block:
    """One loop of all of them; for reading, so it is not torn."""
    rows, unknowns = zip(*(pair for block in blocks for pair in pairs(block)), strict=True)
    loop = Loop(unknowns, (), (), rows, rows, unknowns)
    return _first_come(loop, equations, place)


def _needs(
    formulas: Sequence[Expr], given: Mapping[Var, int], looked_at: Mapping[Var, Sequence[Var]]
) -> list[int]:
    """Rows that give their variables, in the order written. A relation needs what it compares, a
    derivative that nobody gives is made of its variable."""
    found: list[int] = []
    for var in variables_in(*formulas):
        for needed in looked_at.get(var, (var,)):
            if needed not in given and is_der(needed):
                needed = base_of(needed)
            if needed in given:
                found.append(given[needed])
    return found


def _is_copy(equation: ScalarEquation) -> bool:
    return isinstance(equation.left, Var) and isinstance(equation.right, Var)


def _first_come(block: Block, equations: Sequence[ScalarEquation], place: Sequence[int]) -> Block:
    """The loop with the causality that equations take in the order of reading."""
    if isinstance(block, Solved) or block.is_implicit:
        return block
    rows = sorted(block.equations, key=place.__getitem__)
    number = {var: k for k, var in enumerate(block.unknowns)}
    column_of_row, row_of_column = [FREE] * len(rows), [FREE] * len(number)
    choices = [matching_columns(equations[row], number) for row in rows]
    augment_all(choices, column_of_row, row_of_column, range(len(rows)))
    if FREE in column_of_row:
        return block
    unknowns = tuple(block.unknowns[c] for c in column_of_row)
    return replace(block, equations=tuple(rows), unknowns=unknowns)


def _as_met(block: Block, visit: Mapping[int, int]) -> Block:
    """A loop as the search meets its equations, the first of them last."""
    if isinstance(block, Solved) or block.is_implicit:
        return block
    first, *others = sorted(pairs(block), key=lambda pair: visit[pair[0]])
    met = (*others, first)
    return replace(
        block, equations=tuple(row for row, _ in met), unknowns=tuple(var for _, var in met)
    )
