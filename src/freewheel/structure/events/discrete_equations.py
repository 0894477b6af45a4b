"""Discrete equations: which variable each gives, and loops among them.

    b = not a;  n = if rises then pre(n) + 1 else pre(n)

At an event everything is sorted together, continuous and discrete. Where a loop runs through a
Boolean, Integer or enumeration variable or through the status of a relation, it is cut there: the
value of the pass before is used and the event iteration repeats until nothing changes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from freewheel.base.diagnostics import CompileError
from freewheel.base.names import Name, show
from freewheel.formula import build
from freewheel.formula.linear import linear_form
from freewheel.formula.nodes import Unary, Var
from freewheel.formula.types import INTEGER
from freewheel.formula.walk import variables_in
from freewheel.graphs.components import components
from freewheel.graphs.matching import FREE, CoarseParts, Matching, coarse_parts, match
from freewheel.structure.blocks.blt import System, solve_group
from freewheel.structure.blocks.incidence import columns_of, equation_text
from freewheel.structure.blocks.integer_equations import whole_solution
from freewheel.structure.blocks.isolate import residual_of
from freewheel.structure.events.diagnostics import not_a_whole_number, not_solvable_for_discrete
from freewheel.structure.nodes import Block, ScalarEquation, ScalarVariable, Solved
from freewheel.structure.values import ParameterValues

Blame = Callable[[CoarseParts], CompileError]
Columns = Mapping[Var, int]


def with_targets(
    equations: Sequence[ScalarEquation],
    unknowns: Sequence[Var],
    variables: Mapping[Name, ScalarVariable],
    blame: Blame,
) -> list[ScalarEquation]:
    """Every discrete equation written as `target = value`. Those of whole numbers may be solved for one of
    them, where that gives all their variables; where nothing does, the equation to blame is found."""
    number = {var: k for k, var in enumerate(unknowns)}
    whole = {var for var in unknowns if _is_whole(var, variables)}
    for columns in (_written, _solved, _all):
        rows = [columns(equation, number, whole) for equation in equations]
        matching = match(rows, len(unknowns))
        if matching.size == len(rows) == len(unknowns):
            break
    else:
        raise blame(coarse_parts(rows, len(unknowns), matching))
    return [
        _for_target(equation, unknowns[matching.column_of_row[row]], variables)
        for row, equation in enumerate(equations)
    ]


def _is_whole(var: Var, variables: Mapping[Name, ScalarVariable]) -> bool:
    return var.name in variables and variables[var.name].type == INTEGER


def _written(equation: ScalarEquation, number: Columns, whole: set[Var]) -> list[int]:
    """Of variables that stand alone on one side, or else of those that it can be solved for."""
    if equation.target is not None:
        return [number[equation.target]] if equation.target in number else []
    sides = [_plain(equation.left), _plain(equation.right)]
    alone = [number[side] for side in sides if side is not None and side in number]
    return alone or _solved(equation, number, whole)


def _solved(equation: ScalarEquation, number: Columns, whole: set[Var]) -> list[int]:
    """Of all variables that it can be solved for."""
    if equation.target is not None:
        return _written(equation, number, whole)
    sides = (_plain(equation.left), _plain(equation.right))
    inside = [v for v in variables_in(equation.left, equation.right) if v in number]
    return [
        number[var]
        for var in inside
        if var in sides or (var in whole and whole_solution(equation, var) is not None)
    ]


def _all(equation: ScalarEquation, number: Columns, whole: set[Var]) -> list[int]:
    is_given = equation.target is not None
    return _written(equation, number, whole) if is_given else columns_of(equation, number)


def _plain(expr: object) -> Var | None:
    if isinstance(expr, Unary):
        expr = expr.args[0]
    return expr if isinstance(expr, Var) else None


def _for_target(
    equation: ScalarEquation, target: Var, variables: Mapping[Name, ScalarVariable]
) -> ScalarEquation:
    for left, right in ((equation.left, equation.right), (equation.right, equation.left)):
        if left is target:
            return replace(equation, left=left, right=right, target=target)
        if isinstance(left, Unary) and left.args[0] is target:
            return replace(
                equation, left=target, right=build.unary_of(left.op, right), target=target
            )
    if equation.target is target:
        return equation
    value = whole_solution(equation, target) if _is_whole(target, variables) else None
    if value is not None:
        spoken = equation_text(equation)
        return replace(equation, left=target, right=value, target=target, spoken=spoken)
    if linear_form(residual_of(equation), (target,)) and _is_whole(target, variables):
        raise not_a_whole_number(equation_text(equation), show(target.name), equation.span)
    raise not_solvable_for_discrete(equation_text(equation), equation.span)


def mixed_blocks(
    system: System, matching: Matching, switches: Collection[Var], values: ParameterValues
) -> list[Block]:
    """Blocks in order; loops are cut at `switches`."""
    row_of, column_of = matching.row_of_column, matching.column_of_row
    edges = [
        [row_of[c] for c in needs if row_of[c] != FREE and c != column_of[row]]
        for row, needs in enumerate(system.needs)
    ]
    is_switch = [system.unknowns[column_of[row]] in switches for row in range(len(edges))]
    blocks: list[Block] = []
    for group in components(edges):
        for part in _cut(group, edges, is_switch):
            row = part[0]
            unknown, equation = system.unknowns[column_of[row]], system.equations[row]
            if len(part) == 1 and is_switch[row] and equation.left is unknown:
                # It may read itself, `a = a or b`: the value of the pass before, as in other loops.
                blocks.append(Solved(unknown, equation.right, row))
            else:
                blocks.append(solve_group(system, matching, part, values))
    return blocks


def _cut(
    group: list[int], edges: Sequence[Sequence[int]], is_switch: Sequence[bool]
) -> list[list[int]]:
    if len(group) == 1 or not any(is_switch[row] for row in group):
        return [group]
    inside = set(group)
    place = {row: k for k, row in enumerate(group)}
    local = [[place[t] for t in edges[row] if t in inside and not is_switch[t]] for row in group]
    return [[group[k] for k in part] for part in components(local)]
