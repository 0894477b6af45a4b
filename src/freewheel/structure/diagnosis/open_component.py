"""Can a class with open connectors be solved? Its equations beside those that its users add.

    check_component(flat, outside)      PartCounts(4, 4, False), or CompileError with E001 to E003

What connections will say is not known: each equation from outside may hold any variable of the open
connectors. If even then some equations have no unknown of their own, the class is wrong, whatever it is
connected to. Modelica 3.6, "Balanced Models".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from freewheel.base.diagnostics import CompileError, Label
from freewheel.base.names import Name
from freewheel.flat.nodes import Causality, FlatModel
from freewheel.flat.outside import Outside, without_outside_flows
from freewheel.formula.nodes import Var
from freewheel.formula.walk import variables_in
from freewheel.graphs.matching import FREE, Matching, augment_all, coarse_parts, match
from freewheel.structure.analyse import count, is_unknown, without_objects
from freewheel.structure.blocks.diagnostics import singular
from freewheel.structure.blocks.incidence import folded
from freewheel.structure.events.when_rules import check_single_assignment
from freewheel.structure.nodes import ScalarEquation, ScalarVariable
from freewheel.structure.scalarize.expand import expand
from freewheel.structure.state_machines.remove_machines import remove_machines


class PartCounts(NamedTuple):
    """Numbers of scalars, equations from outside included."""

    unknowns: int
    equations: int
    is_turned: bool  # an equation between inputs lets an output come from outside


def check_component(flat: FlatModel, outside: Outside) -> PartCounts:
    inside, given = without_outside_flows(flat, outside)
    given += outside.roots
    scalar = remove_machines(expand(inside))
    check_single_assignment(scalar.equations)
    equation_count, unknown_count = count(scalar)
    variables = {v.name: v for v in scalar.variables}
    unknowns = tuple(Var(v.name) for v in scalar.variables if is_unknown(v))
    number = {var: k for k, var in enumerate(unknowns)}
    equations = without_objects(scalar)
    rows = [_columns(equation, number) for equation in equations]
    is_turned = _let_outputs_come_from_outside(scalar.variables, equations, rows, number)
    open_ = [k for var, k in number.items() if _is_part(var.name, outside.variables)]
    matching = _with_given(rows, match(rows, len(unknowns)), open_, given)
    rows += [open_] * given
    buses = [k for var, k in number.items() if _is_part(var.name, outside.bus)]
    if not matching.free_rows and len(buses) >= len(matching.free_columns) > 0:
        rows, matching, brought = _with_buses(rows, matching, buses)
        given += brought
    if matching.size != len(unknowns) or matching.size != len(rows):
        parts = coarse_parts(rows, len(unknowns), matching)
        own = tuple(row for row in parts.over_rows if row < len(equations))
        parts = replace(parts, over_rows=own)
        counts = (equation_count + given, unknown_count)
        failure = singular(scalar.name, equations, unknowns, parts, variables, counts)
        is_by_use = bool(set(open_).intersection(parts.under_columns))
        raise _of_class(failure, flat, outside, given) if is_by_use else failure
    return PartCounts(unknown_count, equation_count + given, is_turned)


def _with_given(
    rows: list[list[int]], matching: Matching, open_: list[int], given: int
) -> Matching:
    """With so many equations from outside. Each may hold all open variables, so that first of all they take
    those that are free; as rows of a graph they would have the square of their number of edges."""
    column_of_row, row_of_column = list(matching.column_of_row), list(matching.row_of_column)
    direct = [column for column in open_ if row_of_column[column] == FREE][:given]
    for column in direct:
        row_of_column[column] = len(column_of_row)
        column_of_row.append(column)
    rest = given - len(direct)
    short = [*rows, *([column] for column in direct), *[open_] * rest]
    column_of_row += [FREE] * rest
    augment_all(short, column_of_row, row_of_column, range(len(short) - rest, len(short)))
    return Matching(tuple(column_of_row), tuple(row_of_column))


def _of_class(failure: CompileError, flat: FlatModel, outside: Outside, given: int) -> CompileError:
    """Where the variables of connectors are open, the whole class lacks something."""
    first = failure.diagnostics[0]
    lacking = "it lacks an equation" if first.code == "E001" else "it cannot be solved"
    here = Label(flat.span, f"{lacking}; connections to its connectors give {given}")
    places = {variable.span for variable in flat.variables if variable.name in outside.variables}
    labels = [label for label in first.labels if label.span not in places]
    return CompileError(replace(first, labels=(here, *labels)))


def _with_buses(
    rows: list[list[int]], matching: Matching, buses: Sequence[int]
) -> tuple[list[list[int]], Matching, int]:
    """With equations for members of buses that nothing inside gives; and how many those are."""
    more = [*rows, *([column] for column in buses)]
    column_of_row = [*matching.column_of_row, *(FREE for _ in buses)]
    row_of_column = list(matching.row_of_column)
    augment_all(more, column_of_row, row_of_column, range(len(rows), len(more)))
    used = [row for row in range(len(rows), len(more)) if column_of_row[row] != FREE]
    kept = [*range(len(rows)), *used]
    again = match([more[row] for row in kept], len(row_of_column))
    return [more[row] for row in kept], again, len(used)


def _columns(equation: ScalarEquation, number: Mapping[Var, int]) -> list[int]:
    """What the equation may be solved for; a derivative stands for its variable."""
    if equation.target is not None:
        target = folded(equation.target)
        return [number[target]] if target in number else []
    found = (folded(var) for var in variables_in(equation.left, equation.right))
    return list(dict.fromkeys(number[var] for var in found if var in number))


def _is_part(name: Name, wholes: frozenset[Name]) -> bool:
    """Is it one of these variables, or an element of one?"""
    while name not in wholes:
        if not isinstance(name[-1], int):
            return False
        name = name[:-1]
    return True


def _let_outputs_come_from_outside(
    variables: Sequence[ScalarVariable],
    equations: Sequence[ScalarEquation],
    rows: list[list[int]],
    number: Mapping[Var, int],
) -> bool:
    """`u1 = u2` between inputs turns causality around: whoever uses the block gives an output instead, as
    with Modelica.Blocks.Math.InverseBlockConstraints."""
    inputs = {v.name for v in variables if v.causality is Causality.INPUT}
    outputs = [
        number[Var(v.name)]
        for v in variables
        if v.causality is Causality.OUTPUT and Var(v.name) in number
    ]
    is_met = False
    for row, equation in enumerate(equations):
        used = {folded(var).name for var in variables_in(equation.left, equation.right)}
        if not rows[row] and len(used & inputs) > 1:
            rows[row] = outputs
            is_met = True
    return is_met
