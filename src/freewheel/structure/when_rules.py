"""What the language forbids about when-clauses, found once equations are scalars.

check_single_assignment(equations)      two when-clauses give one variable
check_reinits(actions, states)          reinit of what is no state
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from freewheel.base.diagnostics import CompileError, Diagnostic, Label, error
from freewheel.base.source import Span
from freewheel.formula.nodes import Var
from freewheel.structure.atoms import is_chosen_state, show_atom
from freewheel.structure.nodes import Action, ScalarEquation


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
