"""What can be wrong with state machines."""

from __future__ import annotations

from freewheel.base.diagnostics import CompileError, error
from freewheel.base.source import Span
from freewheel.structure.nodes import ScalarEquation

RULE = 'Modelica 3.6, "Transitions"'


def wrong_machine(text: str, span: Span) -> CompileError:
    return error(
        "E070",
        text,
        span,
        help="a machine has one initialState; transitions stand in equations, those from one state"
        " with different priorities from 1 on",
        rule=RULE,
    )


def outside_of_machine(what: str, span: Span) -> CompileError:
    return error(
        "E071",
        f"`{what}` outside of a state machine",
        span,
        help="name a block instance that `transition` or `initialState` mentions; ticksInState() and"
        " timeInState() stand in a state or in the condition of a transition",
        rule='Modelica 3.6, "Transitions"',
    )


def not_in_state(text: str, equation: ScalarEquation) -> CompileError:
    return error(
        "E072",
        text,
        equation.span,
        help="a state holds clocked equations, each for a variable of its own or an outer output,"
        " and states that are active together give different variables",
        rule='Modelica 3.6, "State Machines"',
    )
