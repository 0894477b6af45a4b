"""What is wrong with the shape of equations."""

from __future__ import annotations

from freewheel.base.diagnostics import CompileError, error
from freewheel.base.source import Span


def when_in_unknown_loop(place: Span) -> CompileError:
    return error(
        "E017",
        "a when-clause or an action cannot stand inside a loop whose end only a run tells",
        place,
        help="write the loop without `while` and `break` over a range of constants and "
        "parameters, or move it into a function",
    )


def scalar_needed(count: int, place: Span) -> CompileError:
    return error(
        "E015",
        f"a scalar is needed here, not {count} values",
        place,
        help="choose one of them with a subscript",
    )


def priority_not_known(place: Span) -> CompileError:
    return error(
        "E018",
        "the priority of this when-clause is not known at translation time",
        place,
        help="use constants or parameters with values",
    )


def unequal_sides(left: int, right: int, place: Span) -> CompileError:
    return error(
        "E015",
        f"the sides of this equation have {left} and {right} elements",
        place,
        help="both sides of an equation need the same dimensions",
        rule='Modelica 3.6, "Equality and Assignment"',
    )


def unequal_flows(left: int, right: int, place: Span) -> CompileError:
    return error(
        "E015",
        f"{left} values flow in on one side, {right} on the other",
        place,
        help="give `in0` and `in1` the same dimensions",
    )


def unequal_branches(first: int, second: int, place: Span) -> CompileError:
    return error(
        "E009",
        f"the branches of this if-equation have {first} and {second} equations",
        place,
        help="give every branch the same number of equations",
        rule='Modelica 3.6, "If-Equations"',
    )


def reinit_misplaced(place: Span) -> CompileError:
    return error(
        "E014",
        "reinit needs a state variable and a when-clause around it",
        place,
        help="write `when condition then reinit(x, value); end when;`",
        rule='Modelica 3.6, "reinit"',
    )


def wrong_element_count(name: str, count: int, given: int, place: Span) -> CompileError:
    return error(
        "E015",
        f"`{name}` has {count} elements and is given {given} values",
        place,
        help="give as many values as there are elements",
    )


def changing_string(name: str, span: Span) -> CompileError:
    what = f"the text `{name}` is remembered from event to event" if name else "a text decides here"
    return error(
        "E074",
        f"{what}: a String that changes during the simulation can only be used in messages",
        span,
        help="use an Integer or an enumeration, and convert it to a String in the message",
    )
