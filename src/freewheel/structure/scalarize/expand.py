"""From the flat model to scalars: variables, equations, whens, algorithms, all in one pass.

expand(flat) -> ScalarModel
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from freewheel.base.names import Name, read
from freewheel.flat.nodes import Algorithm, FlatModel, Variability
from freewheel.formula.nodes import Expr, Var
from freewheel.formula.statement_nodes import (
    ForStatement,
    IfStatement,
    Statement,
    WhenStatement,
    WhileStatement,
)
from freewheel.formula.types import CLOCK, STRING
from freewheel.structure.atoms import INITIAL
from freewheel.structure.clocks.operators import clock_test
from freewheel.structure.events.delays import hidden_equations, hidden_variables
from freewheel.structure.events.priorities import conflicts, in_turn
from freewheel.structure.events.spatial_distribution import pipe_equations, pipe_variables
from freewheel.structure.events.when_clauses import targets_in
from freewheel.structure.nodes import ScalarEquation, ScalarModel
from freewheel.structure.scalarize.algorithms import assigned, expand_algorithm
from freewheel.structure.scalarize.equations import Expander, expand_variables


def expand(flat: FlatModel, numbers: Mapping[str, float] = MappingProxyType({})) -> ScalarModel:
    """Everything scalar. `numbers` are values of parameters instead of their own."""
    expander = Expander(flat)
    given = _given_in_when(flat)
    expand_variables(expander, flat.variables, given, {read(n): v for n, v in numbers.items()})
    expander.settle_fixed()
    equations = expander.equations(flat.equations, None)
    equations += _algorithms(expander, flat.algorithms, 1)
    # What is only said of the start is only looked at there: asserts, calls of functions.
    initial = expander.equations(flat.initial_equations, INITIAL)
    initial += _algorithms(expander, flat.initial_algorithms, len(flat.algorithms) + 1, INITIAL)
    found = conflicts(expander.conditions, equations)
    delays = tuple(expander.operators.delays.lines)
    pipes = tuple(expander.operators.pipes.pipes)
    hidden = (*hidden_variables(delays), *pipe_variables(pipes))
    return ScalarModel(
        name=flat.name,
        variables=tuple(
            replace(v, is_structural=True) if v.name in expander.structural else v
            for v in (*expander.variables.values(), *hidden)
        ),
        equations=(*equations, *hidden_equations(delays), *pipe_equations(pipes)),
        initial_equations=tuple(initial),
        conditions=tuple(in_turn(expander.conditions, _watched(expander, given))),
        actions=tuple(expander.actions),
        samples=tuple(expander.operators.samples.values()),
        delays=delays,
        pipes=pipes,
        functions=tuple((expander.functions | expander.derivatives.generated).values()),
        experiment=flat.experiment,
        warnings=(*flat.warnings, *found),
        span=flat.span,
    )


def _watched(expander: Expander, given: frozenset[Name]) -> list[Var]:
    """Variables that change at events. Beside clocks only those of when-clauses: others may be clocked."""
    return [
        Var(v.name)
        for v in expander.variables.values()
        if v.variability == Variability.DISCRETE
        and v.type not in (CLOCK, STRING)
        and (not expander.uses_clocks or v.name in given)
    ]


def _algorithms(
    expander: Expander, algorithms: Sequence[Algorithm], first: int, guard: Expr | None = None
) -> list[ScalarEquation]:
    return [
        equation
        for number, algorithm in enumerate(algorithms, start=first)
        for equation in expand_algorithm(expander, algorithm, number, guard)
    ]


def _given_in_when(flat: FlatModel) -> frozenset[Name]:
    clocks = {variable.name for variable in flat.variables if variable.type == CLOCK}
    found = set(targets_in(flat.equations, clock_test(lambda var: var.name in clocks)))
    for algorithm in flat.algorithms:
        for clause in _whens(algorithm.statements):
            for _, body in clause.branches:
                found.update(assigned(body))
    return frozenset(found)


def _whens(statements: Sequence[Statement]) -> list[WhenStatement]:
    found: list[WhenStatement] = []
    stack = list(reversed(statements))
    while stack:
        statement = stack.pop()
        match statement:
            case WhenStatement():
                found.append(statement)
            case ForStatement() | WhileStatement():
                stack.extend(statement.body)
            case IfStatement():
                stack.extend(statement.otherwise)
                for _, body in statement.branches:
                    stack.extend(body)
            case _:
                continue
    return found
