"""Calls: functions, operators and their arguments."""

from __future__ import annotations

from freewheel.base.diagnostics import (
    CompileError,
    counted,
    error,
)
from freewheel.base.source import Span


def circular_defaults(function: str, place: Span, name: str) -> CompileError:
    return error(
        "N065",
        f"the defaults of `{function}` refer to each other in a circle",
        place,
        help=f"give `{name}` in the call",
    )


def wrong_argument_count(
    function: str, count: int, given: int, place: Span, help: str
) -> CompileError:
    return error(
        "N065", f"`{function}` takes {count} arguments, {given} are given", place, help=help
    )


def unequal_array_arguments(function: str, place: Span) -> CompileError:
    return error(
        "N040",
        f"`{function}` is applied to arrays of different sizes",
        place,
        help="give arguments of the same dimensions",
        rule='Modelica 3.6, "Scalar Functions Applied to Array Arguments"',
    )


def wrong_argument_type(
    input_: str, function: str, type_: str, given: str, place: Span
) -> CompileError:
    return error(
        "N068",
        f"input `{input_}` of `{function}` is {type_}, given is {given}",
        place,
        help="give an argument of that type",
        rule='Modelica 3.6, "Positional or Named Input Arguments of Functions"',
    )


def no_output(function: str, place: Span) -> CompileError:
    return error(
        "N072",
        f"`{function}` has no output and cannot be used as a value",
        place,
        help="declare an output in the function and assign it, or call it as an equation or "
        "statement of its own",
    )


def not_callable(name: str, kind: str, place: Span) -> CompileError:
    return error(
        "N061",
        f"`{name}` is a {kind}, it cannot be called",
        place,
        help="call a function or a record",
    )


def variable_called(name: str, place: Span) -> CompileError:
    return error(
        "N061",
        f"`{name}` is a variable, it cannot be called",
        place,
        help="an element of an array is written with square brackets, `x[1]`; the value at the "
        "start is declared, `x(start = 1, fixed = true)`",
    )


def unknown_function(name: str, scope: str, place: Span, help: str) -> CompileError:
    return error(
        "N062",
        f"function `{name}` is not declared in `{scope}` or around it",
        place,
        help=help,
        rule='Modelica 3.6, "Static Name Lookup"',
    )


def argument_given_twice(name: str, place: Span) -> CompileError:
    return error("N063", f"argument `{name}` is given twice", place, help="remove one")


def not_a_reduction(name: str, place: Span) -> CompileError:
    return error(
        "N064",
        f"`{name}` cannot be used with `for` inside its brackets",
        place,
        help="only sum, product, min, max and array can",
        rule='Modelica 3.6, "Reduction Functions and Operators"',
    )


def type_called(name: str, place: Span) -> CompileError:
    return error("N061", f"`{name}` is a type, it cannot be called", place, help="use a value")


def graph_operator_misplaced(name: str, place: Span) -> CompileError:
    return error(
        "N069", f"`{name}` cannot be used here", place, help="use it in equations, on a connector"
    )


def graph_statement_as_value(name: str, place: Span) -> CompileError:
    return error(
        "N069",
        f"`Connections.{name}` is not a value",
        place,
        help="write it as an equation of its own",
    )


def argument_missing(input_: str, function: str, place: Span) -> CompileError:
    return error(
        "N065",
        f"input `{input_}` of `{function}` is not given and has no default",
        place,
        help=f"add `{input_} = ...` to the call",
    )


def not_reducible(name: str, type_: str, place: Span) -> CompileError:
    return error("N041", f"`{name}` cannot be applied to a {type_}", place, help="give numbers")


def no_zero_operator(name: str, place: Span) -> CompileError:
    return error(
        "N041", f"`{name}` has no operator '0'", place, help="declare it, or sum something"
    )


def record_array_of_unknown_size(place: Span) -> CompileError:
    return error(
        "N067", "an array of records whose size is not known here", place, help="use a for-loop"
    )


def not_convertible(type_: str, record: str, place: Span) -> CompileError:
    return error(
        "N041",
        f"a {type_} cannot become a `{record}`",
        place,
        help="construct the record explicitly",
    )


def operator_in_function(name: str, place: Span) -> CompileError:
    return error(
        "N069",
        f"`{name}` cannot be used in a function",
        place,
        help="compute it outside and hand it over as an argument",
        rule='Modelica 3.6, "Function as a Specialized Class"',
    )


def wrong_target_count(targets: int, outputs: int, function: str, place: Span) -> CompileError:
    return error(
        "N072",
        f"{targets} targets for {counted(outputs, 'output')} of `{function}`",
        place,
        help="leave the surplus targets out",
    )


def reinit_arguments(place: Span) -> CompileError:
    return error(
        "N060", "`reinit` takes a variable and a value", place, help="write reinit(x, value)"
    )


def reinit_target(place: Span) -> CompileError:
    return error(
        "N060",
        "`reinit` needs a Real variable that is a state",
        place,
        help="give a discrete variable its value by an equation in the when-clause",
        rule='Modelica 3.6, "reinit"',
    )


def action_argument_missing(name: str, argument: str, place: Span) -> CompileError:
    return error(
        "N060", f"`{name}`: argument `{argument}` is missing", place, help=f"add `{argument} = ...`"
    )


def action_argument_type(name: str, argument: str, type_: str, place: Span) -> CompileError:
    return error(
        "N060", f"`{name}`: argument `{argument}` must be a {type_}", place, help="change its type"
    )
