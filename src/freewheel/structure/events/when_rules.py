"""What the language forbids about when-clauses, found once equations are scalars.

check_single_assignment(equations)      two when-clauses give one variable
check_reinits(actions, states)          reinit of what is no state
check_left_limits(parts, variables)     pre of what changes between events
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from freewheel.base.diagnostics import CompileError, Diagnostic, Label, error
from freewheel.base.names import Name, show
from freewheel.base.source import Span
from freewheel.flat.nodes import Variability
from freewheel.formula.nodes import Expr, Var
from freewheel.formula.walk import calls_in
from freewheel.structure.atoms import is_chosen_state, show_atom
from freewheel.structure.nodes import Action, ScalarEquation, ScalarVariable


def check_single_assignment(equations: Sequence[ScalarEquation]) -> None:
    """At one instant both could fire: which value counts?"""
    first: dict[Var, Span] = {}
    for equation in equations:
        if not equation.is_when or equation.target is None:
            continue
        if equation.target in first:
            raise _given_twice(equation.target, first[equation.target], equation.span)
        first[equation.target] = equation.span


def _given_twice(variable: Var, before: Span, again: Span) -> CompileError:
    name = show_atom(variable.name)
    return CompileError(
        Diagnostic(
            "E021",
            f"two when-clauses give `{name}`: at an instant when both fire they contradict",
            (Label(before, "the first"), Label(again, "the second")),
            help="make one clause of them: `when .. then .. elsewhen .. then .. end when`",
            rule='Modelica 3.6, "Single Assignment Rule Applied to When-Equations"',
        )
    )


def set_twice(variable: Var, before: Span, again: Span) -> CompileError:
    return CompileError(
        Diagnostic(
            "E021",
            f"two when-clauses set `{show_atom(variable.name)}` anew: at an instant when both fire "
            "they contradict",
            (Label(before, "the first"), Label(again, "the second")),
            help="make one clause of them: `when .. then .. elsewhen .. then .. end when`",
            rule='Modelica 3.6, "reinit"',
        )
    )


def check_reinits(actions: Sequence[Action], states: Collection[Var]) -> None:
    for action in actions:
        if action.kind == "reinit" and action.target is not None and action.target not in states:
            raise not_a_state(action.target, action.span, states)


def not_a_state(variable: Var, span: Span, states: Collection[Var] = ()) -> CompileError:
    plain = [f"`{show_atom(state.name)}`" for state in states if not is_chosen_state(state)]
    cure = (
        f"states here are {', '.join(plain[:5])}"
        if plain
        else "name a variable whose derivative is used"
    )
    if any(map(is_chosen_state, states)):
        cure = (
            "states are combinations of variables, chosen while the model runs; "
            "with other coordinates, an angle perhaps, a variable of the model is the state"
        )
    return error(
        "E014",
        f"reinit of `{show_atom(variable.name)}`, which is not a state",
        span,
        text="only a state has a value that can be set anew",
        help=cure,
        rule='Modelica 3.6, "reinit"',
    )


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
            raise error(
                "E025",
                f"`{call.function}({name})` outside of a when-clause: `{name}` changes between events",
                span,
                help=f"use it in a when-clause, or give `{name}` its value in one; the value a while ago is"
                f" `delay({name}, T)`",
                rule='Modelica 3.6, "Event-Related Operators with Function Syntax"',
            )
