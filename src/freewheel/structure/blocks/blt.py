"""Matching and sorting: equations with unknowns become blocks in an order of evaluation.

    v = u - w;  w = 2*v;  u = sin(time)    ->    [u = sin(time)], [v, w together]

A block of one equation is solved for its unknown where a formula can; everything else is a loop:
torn, with its matrix if it is linear (`backend/newton.py`, `backend/linear_kernels.py` solve what remains).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from freewheel.base.diagnostics import CompileError
from freewheel.formula.build import is_zero
from freewheel.formula.nodes import Expr, If, Var
from freewheel.formula.walk import contains
from freewheel.graphs.components import components
from freewheel.graphs.matching import FREE, CoarseParts, Matching, coarse_parts, match
from freewheel.structure.blocks.incidence import columns_of, matching_columns
from freewheel.structure.blocks.isolate import isolated, residual_of
from freewheel.structure.blocks.tearing import solve_loop
from freewheel.structure.nodes import Block, Loop, ScalarEquation, Solved
from freewheel.structure.switching.numbers.if_chains import ends_of
from freewheel.structure.values import ParameterValues

Blame = Callable[[CoarseParts], CompileError]


@dataclass(frozen=True, slots=True)
class System:
    """Equations and unknowns with their incidence: what may be solved for, and what is needed."""

    equations: tuple[ScalarEquation, ...]
    unknowns: tuple[Var, ...]
    choices: tuple[tuple[int, ...], ...]
    needs: tuple[tuple[int, ...], ...]


def system_of(equations: Sequence[ScalarEquation], unknowns: Sequence[Var]) -> System:
    number = {var: k for k, var in enumerate(unknowns)}
    return System(
        tuple(equations),
        tuple(unknowns),
        tuple(tuple(matching_columns(e, number)) for e in equations),
        tuple(tuple(columns_of(e, number)) for e in equations),
    )


def matched(system: System, blame: Blame) -> Matching:
    """A perfect matching, or the modeller learns why there is none."""
    matching = match(system.choices, len(system.unknowns))
    if matching.size == len(system.unknowns) == len(system.equations):
        return matching
    raise blame(coarse_parts(system.choices, len(system.unknowns), matching))


def components_of(system: System, matching: Matching) -> list[list[int]]:
    """Equation numbers, block by block, needs first."""
    row_of = matching.row_of_column
    column_of = matching.column_of_row
    edges = [
        [row_of[c] for c in needs if row_of[c] != FREE and c != column_of[row]]
        for row, needs in enumerate(system.needs)
    ]
    return components(edges)


def solve_blocks(
    system: System,
    matching: Matching,
    groups: Sequence[Sequence[int]],
    values: ParameterValues,
) -> list[Block]:
    return [solve_group(system, matching, group, values) for group in groups]


def solve_group(
    system: System, matching: Matching, group: Sequence[int], values: ParameterValues
) -> Block:
    if len(group) == 1:
        row = group[0]
        block = solve_one(system.equations[row], system.unknowns[matching.column_of_row[row]], row)
        if not any(map(_vanishes_somewhere, block.divisors)):
            return block
    unknowns = [system.unknowns[matching.column_of_row[row]] for row in group]
    return solve_loop({row: system.equations[row] for row in group}, unknowns, values)


def _vanishes_somewhere(divisor: Expr) -> bool:
    """In a position of a switch, where the equation says nothing of its unknown: a loop keeps the value that
    the unknown has, as far as the equation holds then."""
    return isinstance(divisor, If) and any(map(is_zero, ends_of(divisor)))


def solve_one(equation: ScalarEquation, unknown: Var, row: int) -> Block:
    if equation.left is unknown and not contains(equation.right, unknown):
        return Solved(unknown, equation.right, row)
    if equation.right is unknown and not contains(equation.left, unknown):
        return Solved(unknown, equation.left, row)
    solution = isolated(equation, unknown)
    if solution is not None:
        return Solved(unknown, solution.value, row, solution.divisors)
    return Loop((unknown,), (), (residual_of(equation),), (row,), (row,), (unknown,))
