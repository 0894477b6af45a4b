"""Parameters that are zero and multiply an unknown: such an equation is not about that unknown.

    R*i = u - v   with R = 0   says   u = v   and nothing about i

Solving for `i` would divide by zero, so the value is taken at translation, together with those of
the parameters it is computed from: they are structural here, and a change needs a new translation.
A variable that parameters alone give, as in `R_actual = R*(1 + alpha*(T - T_ref))`, is treated like one.
Where the equations would become singular by that, nothing is done: perhaps the user is going to
give another value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from freewheel.base.names import Name
from freewheel.flat.nodes import Causality, Variability
from freewheel.formula import build
from freewheel.formula.linear import sparse_linear_form
from freewheel.formula.nodes import Binary, Expr, Var
from freewheel.formula.types import REAL
from freewheel.formula.values import to_expr
from freewheel.formula.walk import map_bottom_up, substitute, variables_in
from freewheel.graphs.matching import match
from freewheel.structure.incidence import folded
from freewheel.structure.nodes import ScalarEquation, ScalarVariable
from freewheel.structure.values import ParameterValues


def zero_factors(
    equations: Sequence[ScalarEquation],
    variables: Mapping[Name, ScalarVariable],
    values: ParameterValues,
    dropped: dict[Expr, Expr],
) -> dict[Name, Expr]:
    """Values to put in: the zeros, and everything they are computed from. `dropped` remembers what
    is left of formulas without terms that are zero."""
    found: dict[Name, Expr] = {}
    given = _given(equations, variables, values)
    table = {**variables, **given} if given else variables
    if given:
        values = ParameterValues(table, tuple(values.functions.values()))
    is_zero: dict[Var, bool] = {}
    for equation in equations:
        inside = variables_in(equation.left, equation.right)
        zeros = [var for var in inside if _is_zero(var, table, values, is_zero)]
        if not zeros:
            continue
        unknowns = [var for var in inside if not _is_parameter(var, table)]
        for name in _guilty(equation, unknowns, frozenset(zeros), values):
            _add(name, table, values, found)
    if found:
        # Equations that give a variable the value zero go with it.
        gone = sum(name in given for name in found)
        before = _rank(equations, {}, variables, dropped)
        if before > _rank(equations, found, variables, dropped) + gone:
            return {}
    return {name: value for name, value in found.items() if name not in given}


def _given(
    equations: Sequence[ScalarEquation],
    variables: Mapping[Name, ScalarVariable],
    values: ParameterValues,
) -> dict[Name, ScalarVariable]:
    """Variables that an equation gives from parameters alone, zero, as parameters with that binding. What
    does not change has no rate and no values before events."""
    found: dict[Name, ScalarVariable] = {}
    for equation in equations:
        for side, other in ((equation.left, equation.right), (equation.right, equation.left)):
            if (
                isinstance(side, Var)
                and all(_is_parameter(var, variables) for var in variables_in(other))
                and _is_unknown(side, variables)
                and values.number(other) == 0.0
            ):
                found[side.name] = replace(
                    variables[side.name], variability=Variability.PARAMETER, binding=other
                )
    return found


def without_zeros(
    equation: ScalarEquation, dropped: dict[Expr, Expr] | None = None
) -> ScalarEquation:
    """Terms with a factor zero are dropped; everything here is scalar and finite."""
    left = map_bottom_up(equation.left, _dropped, dropped)
    right = map_bottom_up(equation.right, _dropped, dropped)
    if left is equation.left and right is equation.right:
        return equation
    return replace(equation, left=left, right=right)


_SCALAR = {"+": build.plus, "-": build.minus, "*": build.times, "/": build.over}


def _dropped(node: Expr) -> Expr:
    if isinstance(node, Binary) and node.op in _SCALAR:
        return _SCALAR[node.op](node.left, node.right)
    return build.rebuilt(node, node.args) if node.args else node


def _rank(
    equations: Sequence[ScalarEquation],
    values: Mapping[Name, Expr],
    variables: Mapping[Name, ScalarVariable],
    dropped: dict[Expr, Expr],
) -> int:
    """How many equations can be paired with a variable of their own, derivatives counted as their
    variables."""
    known: dict[Expr, Expr] = {Var(name): value for name, value in values.items()}
    memo: dict[Expr, Expr] = {}
    column: dict[Var, int] = {}
    rows: list[list[int]] = []
    for equation in equations:
        sides = [
            map_bottom_up(substitute(side, known, memo) if known else side, _dropped, dropped)
            for side in (equation.left, equation.right)
        ]
        bases = dict.fromkeys(
            b for b in map(folded, variables_in(*sides)) if _is_unknown(b, variables)
        )
        rows.append([column.setdefault(var, len(column)) for var in bases])
    return match(rows, len(column)).size


def _is_parameter(var: Var, variables: Mapping[Name, ScalarVariable]) -> bool:
    variable = variables.get(var.name)
    return variable is not None and variable.variability <= Variability.PARAMETER


def _is_unknown(var: Var, variables: Mapping[Name, ScalarVariable]) -> bool:
    variable = variables.get(var.name)
    return (
        variable is not None
        and variable.variability > Variability.PARAMETER
        and variable.causality is not Causality.INPUT
    )


def _is_zero(
    var: Var,
    variables: Mapping[Name, ScalarVariable],
    values: ParameterValues,
    memory: dict[Var, bool],
) -> bool:
    if var not in memory:
        variable = variables.get(var.name)
        memory[var] = (
            variable is not None
            and variable.variability == Variability.PARAMETER
            and variable.type == REAL
            and variable.binding is not None
            and values.number(var) == 0.0
        )
    return memory[var]


def _guilty(
    equation: ScalarEquation,
    unknowns: Sequence[Var],
    zeros: frozenset[Var],
    values: ParameterValues,
) -> list[Name]:
    """Zero parameters in coefficients that vanish."""
    residual = build.minus(equation.left, equation.right)
    numbers: dict[Expr, int] = {var: k for k, var in enumerate(unknowns)}
    form = sparse_linear_form(residual, numbers)
    if form is None:
        return []
    return [
        var.name
        for coefficient in form[0].values()
        if values.number(coefficient) == 0.0
        for var in variables_in(coefficient)
        if var in zeros
    ]


def _add(
    name: Name,
    variables: Mapping[Name, ScalarVariable],
    values: ParameterValues,
    found: dict[Name, Expr],
) -> None:
    stack = [name]
    while stack:
        current = stack.pop()
        value = None if current in found else values.value(Var(current))
        if value is None:
            continue
        found[current] = to_expr(value)
        binding = variables[current].binding
        if binding is not None:
            stack.extend(var.name for var in variables_in(binding) if var.name in variables)
