"""The incidence matrix before and after sorting, ready to be drawn or counted.

    matrix = block_matrix(ordered)
    matrix.before.rows[3]       which columns equation 3 holds, in the order written
    matrix.after.blocks         (first, last) place of each block on the diagonal

After sorting, row k is solved for column k; inside a loop the variables that follow come first and
those that are iterated on last, so a well torn loop is lower triangular but for its last columns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from freewheel.formula.nodes import Var
from freewheel.listing.equations.reading_order import pairs
from freewheel.listing.equations.solution import running
from freewheel.structure.atoms import show_atom
from freewheel.structure.blocks.assignment import in_reading_order
from freewheel.structure.blocks.incidence import columns_of
from freewheel.structure.nodes import Block, Loop, Ordered, ScalarEquation, Solved, Sorted
from freewheel.structure.show_lines import Writer


@dataclass(frozen=True, slots=True)
class Matrix:
    """Rows are equations, columns unknowns; `rows[k]` numbers the unknowns of equation k."""

    row_names: tuple[str, ...]
    column_names: tuple[str, ...]
    rows: tuple[tuple[int, ...], ...]
    given: tuple[int, ...]  # the column that each row is solved for


@dataclass(frozen=True, slots=True)
class Place:
    """A block on the diagonal: rows and columns `first` up to (not including) `end`."""

    first: int
    end: int
    torn: int = 0  # how many of its last columns are iterated on
    is_linear: bool = True
    is_implicit: bool = False  # how it is solved depends on the positions of switches

    @property
    def size(self) -> int:
        return self.end - self.first

    @property
    def is_torn(self) -> bool:
        """False for a loop that is solved as a whole, all its unknowns at once."""
        return 0 < self.torn < self.size


@dataclass(frozen=True, slots=True)
class BlockMatrix:
    name: str
    before: Matrix
    after: Matrix
    blocks: tuple[Place, ...]
    states: tuple[str, ...]

    @property
    def loops(self) -> tuple[Place, ...]:
        return tuple(block for block in self.blocks if block.torn)


def block_matrix(ordered: Ordered, initial: bool = False) -> BlockMatrix:
    """Of the running model, or of its start-up system."""
    system = ordered.initial if initial else running(ordered)
    writer = Writer(ordered.scalar.name, ordered.hybrid.crossings)
    order = [pair for block in system.blocks for pair in _in_order(block)]
    given = dict(order)
    number = {id(equation): k for k, equation in enumerate(system.equations)}
    rows = [number[id(e)] for e in in_reading_order(system.equations) if number[id(e)] in given]
    unknowns = _by_appearance([system.equations[r] for r in rows], [u for _, u in order])
    return BlockMatrix(
        name=writer.model,
        before=_matrix(rows, unknowns, given, system, writer),
        after=_matrix([r for r, _ in order], [u for _, u in order], given, system, writer),
        blocks=tuple(_places(system.blocks)),
        states=tuple(show_atom(state.name) for state in ordered.differential),
    )


def _in_order(block: Block) -> list[tuple[int, Var]]:
    """Follow the tearing: what is computed from guesses first, then guesses with residuals."""
    if isinstance(block, Solved):
        return pairs(block)
    inner = [(step.equation, step.target) for step in block.inner]
    return [*inner, *zip(block.residual_equations, block.guesses, strict=True)]


def _places(blocks: Sequence[Block]) -> list[Place]:
    places: list[Place] = []
    at = 0
    for block in blocks:
        if isinstance(block, Loop):
            size = len(block.unknowns)
            where = (at, at + size, len(block.guesses), block.is_linear, block.is_implicit)
            places.append(Place(*where))
        else:
            size = 1
            places.append(Place(at, at + 1))
        at += size
    return places


def _by_appearance(equations: Sequence[ScalarEquation], wanted: Sequence[Var]) -> list[Var]:
    number = {var: k for k, var in enumerate(wanted)}
    found = dict.fromkeys(c for e in equations for c in columns_of(e, number))
    return [wanted[c] for c in found]


def _matrix(
    rows: Sequence[int],
    unknowns: Sequence[Var],
    given: Mapping[int, Var],
    system: Sorted,
    writer: Writer,
) -> Matrix:
    column = {var: k for k, var in enumerate(unknowns)}
    equations = [system.equations[row] for row in rows]
    return Matrix(
        tuple(f"{writer.text(e.left)} = {writer.text(e.right)}" for e in equations),
        tuple(show_atom(var.name) for var in unknowns),
        tuple(tuple(sorted(columns_of(e, column))) for e in equations),
        tuple(column[given[row]] for row in rows),
    )
