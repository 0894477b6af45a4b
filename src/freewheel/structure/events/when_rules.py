"""What the language forbids about when-clauses, found once equations are scalars.

check_single_assignment(equations)      two when-clauses give one variable
check_reinits(actions, states)          reinit of what is no state
check_left_limits(parts, variables)     pre of what changes between events
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from freewheel.base.names import Name, show
from freewheel.base.source import Span
from freewheel.flat.nodes import Variability
from freewheel.formula.nodes import Expr, Var
from freewheel.formula.walk import calls_in
from freewheel.structure.events.diagnostics import (
    given_twice,
    left_limit_outside_when,
    not_a_state,
)
from freewheel.structure.nodes import Action, ScalarEquation, ScalarVariable


def check_single_assignment(equations: Sequence[ScalarEquation]) -> None:
    """At one instant both could fire: which value counts?"""
    first: dict[Var, Span] = {}
    for equation in equations:
        if not equation.is_when or equation.target is None:
            continue
        if equation.target in first:
            raise given_twice(equation.target, first[equation.target], equation.span)
        first[equation.target] = equation.span


def check_reinits(actions: Sequence[Action], states: Collection[Var]) -> None:
    for action in actions:
        if action.kind == "reinit" and action.target is not None and action.target not in states:
            raise not_a_state(action.target, action.span, states)


def check_left_limits(
    parts: Iterable[Expr], variables: Mapping[Name, ScalarVariable], span: Span
) -> None:
    """`pre` and `change` ask for the value before an event. Between events that is the one of the last
    event: of a variable that changes all the time nobody means it."""
    for call in (call for part in parts for call in calls_in(part)):
        if call.function not in ("pre", "change") or not isinstance(call.args[0], Var):
            continue
        variable = variables.get(call.args[0].name)
        if variable is not None and variable.variability == Variability.CONTINUOUS:
            name = show(variable.name)
            raise left_limit_outside_when(call.function, name, span)
