"""The order of evaluation that a listing shows, for programs: its blocks, and its linear loops as it solves
them.

    ordered_as_listed(ordered)               loops as they were torn
    ordered_as_listed(ordered, "formulas")   Q101 = R1.R + R2.R;  U0.i = (U0.Va - R2.Vb)/Q101; ...
    ordered_as_listed(ordered, "matrix")     one system of all unknowns, nothing torn: A*x = b
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from freewheel.formula import build
from freewheel.formula.nodes import Expr
from freewheel.listing.equations.reading_order import pairs
from freewheel.listing.equations.solution import Style, System, listed_as_program, systems
from freewheel.structure.blocks.tearing import LoopEquation
from freewheel.structure.nodes import Block, Loop, Ordered, ScalarEquation, Solved, Sorted

LOOPS = ("torn", "formulas", "matrix")

Key = tuple[frozenset[Expr], frozenset[tuple[Expr, Expr]]]  # unknowns and sides of a loop


def ordered_as_listed(ordered: Ordered, loops: str = "torn", share: bool = True) -> Ordered:
    """Loops without formulas stay torn. `share` gives names to what formulas have in common."""
    assert loops in LOOPS, loops
    if ordered.core.is_there:
        return ordered
    simulation, listing = ordered.simulation, listed_as_program(ordered)
    block_of = {row: block for block in simulation.blocks for row, _ in pairs(block)}
    blocks = tuple(block_of[pairs(block)[0][0]] for block in listing.blocks)
    ordered = replace(ordered, simulation=replace(simulation, blocks=blocks))
    if loops == "torn":
        return ordered
    found: dict[Key, System] = {}
    for one in systems(ordered, listing, Style(matrix=loops == "matrix", share=share)):
        if loops == "matrix" or one.solution is not None:
            found[_key(one.loop, one.equations)] = one
    return replace(
        ordered,
        simulation=_with(ordered.simulation, found),
        discrete=_with(ordered.discrete, found),
        initial=_with(ordered.initial, found),
    )


def _key(loop: Loop, equations: Sequence[ScalarEquation]) -> Key:
    return frozenset(loop.unknowns), frozenset((e.left, e.right) for e in equations)


def _with(system: Sorted, found: Mapping[Key, System]) -> Sorted:
    blocks: list[Block] = []
    for block in system.blocks:
        if isinstance(block, Solved) or not block.is_linear:
            blocks.append(block)
            continue
        equations = [system.equations[row] for row in block.equations]
        solved = found.get(_key(block, equations))
        blocks += [block] if solved is None else _blocks(solved, block, system)
    return replace(system, blocks=tuple(blocks))


def _blocks(solved: System, loop: Loop, system: Sorted) -> list[Block]:
    """Rows have the numbers of this system."""
    place = {(e.left, e.right): row for row, e in _rows(loop, system)}
    rows = [place[e.left, e.right] for e in solved.equations]
    if solved.solution is None:
        return [_whole(solved, rows)]
    row_of = dict(zip(solved.unknowns, rows, strict=True))
    names = [Solved(name, value, rows[0]) for name, value in solved.solution.names]
    return [*names, *(Solved(var, value, row_of[var]) for var, value in solved.solution.values)]


def _rows(loop: Loop, system: Sorted) -> list[tuple[int, ScalarEquation]]:
    return [(row, system.equations[row]) for row in loop.equations]


def _whole(solved: System, rows: Sequence[int]) -> Loop:
    """The system with a row and a column for everything."""
    parts = [LoopEquation(equation, solved.unknowns) for equation in solved.equations]
    column = {var: k for k, var in enumerate(solved.unknowns)}
    matrix: list[tuple[int, int, Expr]] = []
    for row, part in enumerate(parts):
        assert part.terms is not None
        terms = sorted(part.terms.items(), key=lambda term: column[term[0]])
        matrix += [(row, column[var], coefficient) for var, coefficient in terms]
    return Loop(
        guesses=solved.unknowns,
        inner=(),
        residuals=tuple(part.residual for part in parts),
        equations=tuple(rows),
        residual_equations=tuple(rows),
        unknowns=solved.unknowns,
        matrix=tuple(matrix),
        right=tuple(build.neg(part.rest) for part in parts),
    )
