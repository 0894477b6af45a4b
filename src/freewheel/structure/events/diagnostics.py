"""What is wrong with when-clauses, delays and discrete equations."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from freewheel.base.diagnostics import CompileError, Diagnostic, Label, Severity, error
from freewheel.base.names import show
from freewheel.base.source import Span
from freewheel.formula.nodes import Var
from freewheel.structure.atoms import is_chosen_state, show_atom
from freewheel.structure.nodes import ScalarEquation, ScalarVariable

DELAY_RULE = 'Modelica 3.6, "delay"'


def longest_delay_missing(lag: str, place: Span) -> CompileError:
    return error(
        "E040",
        f"the delay time `{lag}` can change, but its largest value is not given",
        place,
        help="write `delay(expr, delayTime, delayMax)` with a parameter `delayMax`",
        rule=DELAY_RULE,
    )


def longest_delay_varies(lag: str, place: Span) -> CompileError:
    return error(
        "E041",
        f"the largest delay time `{lag}` can change during the simulation",
        place,
        help="use a parameter or a constant",
        rule=DELAY_RULE,
    )


def not_a_whole_number(equation: str, name: str, place: Span) -> CompileError:
    return error(
        "E030",
        f"`{equation}` does not give a whole number for `{name}` whatever the others are",
        place,
        help="write the Integer alone on one side, and say how it is rounded: `div(m, 2)`",
    )


def not_solvable_for_discrete(equation: str, place: Span) -> CompileError:
    return error(
        "E008",
        f"`{equation}` cannot be solved for its discrete variable",
        place,
        help="write the variable alone on one side",
    )


def elsewhen_of_clock(place: Span) -> CompileError:
    return error(
        "E013",
        "a when-clause with a clock has no elsewhen",
        place,
        help="write one when-clause for each clock",
        rule='Modelica 3.6, "Clocked When-Clause"',
    )


def priority_of_clock(place: Span) -> CompileError:
    return error(
        "E018",
        "a when-clause with a clock has no priority",
        place,
        help="clocks that tick at the same time run in the order of data flow; leave the "
        "annotation out",
    )


def nested_when(place: Span) -> CompileError:
    return error(
        "E013",
        "a when-clause inside another one",
        place,
        help="write `elsewhen`, or two when-clauses one after the other",
        rule='Modelica 3.6, "When-Equations"',
    )


def no_variable_on_left(place: Span) -> CompileError:
    return error(
        "E013",
        "an equation in a when-clause must have a variable alone on its left side",
        place,
        help="write `variable = expression`",
        rule='Modelica 3.6, "When-Equations"',
    )


def both_sides_of_when(name: str, place: Span) -> CompileError:
    return error(
        "E013",
        f"`{name}` stands on both sides: an equation in a when-clause gives its new value",
        place,
        help=f"the value before the event is `pre({name})`",
        rule='Modelica 3.6, "When-Equations"',
    )


def left_limit_outside_when(operator: str, name: str, place: Span) -> CompileError:
    return error(
        "E025",
        f"`{operator}({name})` outside of a when-clause: `{name}` changes between events",
        place,
        help=f"use it in a when-clause, or give `{name}` its value in one; the value a while ago "
        f"is `delay({name}, T)`",
        rule='Modelica 3.6, "Event-Related Operators with Function Syntax"',
    )


def given_twice(variable: Var, before: Span, again: Span) -> CompileError:
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


def never_rests(var: Var, equation: ScalarEquation) -> CompileError:
    return error(
        "E019",
        f"`{show_atom(var.name)}` is discrete, but this equation makes it change all the time",
        equation.span,
        help="put the equation into a when-clause, or drop the word `discrete`",
        rule='Modelica 3.6, "Component Variability"',
    )


def impulses_not_shown(
    given: Var, impulses: Sequence[ScalarVariable], equation: ScalarEquation
) -> Diagnostic:
    names = ", ".join(f"`{show(variable.name)}`" for variable in impulses[:4])
    more = f" and {len(impulses) - 4} more" if len(impulses) > 4 else ""
    what = f"{names}{more}" if impulses else f"derivatives of `{show_atom(given.name)}`"
    return Diagnostic(
        "E026",
        f"impulses of {what} are not in the results: `{show_atom(given.name)}`, of which a derivative is"
        " asked for, is not smooth enough at events",
        (
            Label(equation.span, "jumps at an event, or its derivative does"),
            *(Label(variable.span, "an impulse then") for variable in impulses[:2]),
        ),
        help="between events all values are right; a signal that is smoother has no impulses",
        severity=Severity.WARNING,
    )
