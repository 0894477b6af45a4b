"""Can a class with open connectors be solved? Its equations beside those that its users add.

    check_component(flat, outside)      (unknowns, equations), or CompileError with E001 to E003

What connections will say is not known: each equation from outside may hold any variable of the open
connectors. If even then some equations have no unknown of their own, the class is wrong, whatever it is
connected to. Modelica 3.6, "Balanced Models".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from freewheel.base.names import Name
from freewheel.flat.nodes import Causality, FlatModel
from freewheel.flat.outside import Outside, without_outside_flows
from freewheel.formula.nodes import Var
from freewheel.formula.walk import variables_in
from freewheel.graphs.matching import coarse_parts, match
from freewheel.structure.analyse import count, first_steps
from freewheel.structure.clocks.remove_clocks import remove_clocks
from freewheel.structure.expand import expand
from freewheel.structure.incidence import folded, singular
from freewheel.structure.machines.remove_machines import remove_machines
from freewheel.structure.nodes import Elimination, ScalarEquation, ScalarVariable
from freewheel.structure.phase import Phase
from freewheel.structure.texts import put_texts_in_place
from freewheel.structure.when_rules import check_single_assignment


def check_component(flat: FlatModel, outside: Outside) -> tuple[int, int]:
    """Numbers of unknowns and equations, those from outside included."""
    inside, given = without_outside_flows(flat, outside)
    given += outside.roots
    scalar = put_texts_in_place(remove_clocks(remove_machines(expand(inside))))
    check_single_assignment(scalar.equations)
    equation_count, unknown_count = count(scalar)
    _, hybrid = first_steps(scalar, Elimination.NONE)
    phase = Phase(is_initial=False)
    equations = [phase.equation(e) for e in (*hybrid.equations, *hybrid.discrete_equations)]
    unknowns = (*hybrid.continuous, *hybrid.discrete)
    number = {var: k for k, var in enumerate(unknowns)}
    rows = [_columns(equation, number) for equation in equations]
    _let_outputs_come_from_outside(equations, rows, hybrid.aliases.model.variables, number)
    open_ = [k for var, k in number.items() if _is_part(var.name, outside.variables)]
    rows += [open_] * given
    matching = match(rows, len(unknowns))
    if matching.size != len(unknowns) or matching.size != len(rows):
        parts = coarse_parts(rows, len(unknowns), matching)
        own = tuple(row for row in parts.over_rows if row < len(equations))
        variables = {v.name: v for v in hybrid.aliases.model.variables}
        counts = (equation_count + given, unknown_count)
        raise singular(
            scalar.name, equations, unknowns, replace(parts, over_rows=own), variables, counts
        )
    return unknown_count, equation_count + given


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
    equations: Sequence[ScalarEquation],
    rows: list[list[int]],
    variables: Sequence[ScalarVariable],
    number: Mapping[Var, int],
) -> None:
    """`u1 = u2` between inputs turns causality around: whoever uses the block gives an output instead, as
    with Modelica.Blocks.Math.InverseBlockConstraints."""
    inputs = {v.name for v in variables if v.causality is Causality.INPUT}
    outputs = [
        number[Var(v.name)]
        for v in variables
        if v.causality is Causality.OUTPUT and Var(v.name) in number
    ]
    for row, equation in enumerate(equations):
        used = {folded(var).name for var in variables_in(equation.left, equation.right)}
        if not rows[row] and len(used & inputs) > 1:
            rows[row] = outputs
