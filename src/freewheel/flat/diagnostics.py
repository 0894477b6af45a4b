"""What is wrong with connections, bindings and equations, in the modeller's words."""

from __future__ import annotations

from freewheel.base.diagnostics import (
    CompileError,
    Diagnostic,
    Label,
    counted,
    error,
)
from freewheel.base.source import Span

CONNECTOR_HELP = "connect takes two connectors"


def unbalanced_connector(name: str, flows: str, potentials: str, place: Span) -> Diagnostic:
    return Diagnostic(
        "F042",
        f"connector `{name}` has {flows} for {potentials}",
        (Label(place),),
        help="declare one `flow` variable for each variable that is neither flow, stream, input, "
        "output nor parameter",
        rule='Modelica 3.6, "Balanced Models"',
    )


def undecided_connection(place: Span) -> CompileError:
    return error(
        "F012",
        "a connection depends on a condition that is not known before the simulation",
        place,
        help="use constants and parameters with values, or connect without a condition",
        rule='Modelica 3.6, "Connect-Equations"',
    )


def unequal_connected_arrays(left: str, right: str, place: Span) -> CompileError:
    return error(
        "F013",
        f"connected arrays differ in size: {left} and {right}",
        place,
        help="connect connectors of equal sizes",
        rule='Modelica 3.6, "Connect-Equations"',
    )


def not_a_connector(name: str, place: Span) -> CompileError:
    return error("F010", f"`{name}` is not a connector", place, help=CONNECTOR_HELP)


def no_parts(name: str, place: Span) -> CompileError:
    return error("F010", f"`{name}` has no parts", place, help=CONNECTOR_HELP)


def too_many_subscripts(name: str, dimensions: int, place: Span) -> CompileError:
    return error(
        "N038",
        f"`{name}` has {dimensions} dimensions and more subscripts",
        place,
        help="remove subscripts",
    )


def wrong_graph_statement(name: str, count: int, place: Span) -> CompileError:
    return error(
        "N060",
        f"`Connections.{name}` takes {count} connectors or records",
        place,
        help="look up the operator in the Modelica specification",
    )


def root_priority_not_integer(place: Span) -> CompileError:
    return error(
        "N060",
        "the priority of a root must be an Integer",
        place,
        help="write `Connections.potentialRoot(a, 0)`",
    )


def unequal_connectors(left: str, right: str, reason: str, place: Span) -> CompileError:
    return CompileError(
        Diagnostic(
            "F011",
            f"connectors `{left}` and `{right}` do not match: {reason}",
            (Label(place),),
            help="connect connectors of the same type",
            rule='Modelica 3.6, "Restrictions of Connections and Connectors"',
        )
    )


def signal_to_connector(signal: str, connector: str, place: Span) -> CompileError:
    return CompileError(
        Diagnostic(
            "F011",
            f"connectors `{signal}` and `{connector}` do not match: `{signal}` is a signal,"
            f" `{connector}` has several variables",
            (Label(place),),
            help="between them belongs a component with both: a source driven by a signal, or a sensor",
            rule='Modelica 3.6, "Restrictions of Connections and Connectors"',
        )
    )


def two_sources(first: str, second: str, place: Span) -> CompileError:
    return error(
        "F016",
        f"`{first}` and `{second}` both give the value of one signal",
        place,
        help="connect outputs to inputs, and only one output to each",
        rule='Modelica 3.6, "Restrictions of Connections and Connectors"',
    )


def tuple_without_call(place: Span) -> CompileError:
    return error(
        "N073",
        "several variables in brackets need a function call on the other side",
        place,
        help="write one equation per variable",
    )


def wrong_tuple_size(variables: int, outputs: int, function: str, place: Span) -> CompileError:
    return error(
        "N072",
        f"{variables} variables for {counted(outputs, 'output')} of `{function}`",
        place,
        help="leave the surplus variables out",
    )


def connection_in_when(place: Span) -> CompileError:
    return error(
        "F015",
        "a connection cannot stand in a when-clause",
        place,
        help="connections hold all the time; write the connection outside",
        rule='Modelica 3.6, "When-Equations"',
    )


def undetermined_expandable(left: str, right: str, place: Span) -> CompileError:
    return error(
        "F014",
        f"nothing determines the type of `{left}` or `{right}`",
        place,
        help="connect one of them to a connector that is declared",
        rule='Modelica 3.6, "Expandable Connectors"',
    )


def nested_too_deeply(model: str, place: Span) -> CompileError:
    return error(
        "N050",
        f"`{model}` is nested too deeply",
        place,
        help="look for classes that contain each other, and split long expressions",
    )


def two_roots(name: str, place: Span) -> CompileError:
    return error(
        "F020",
        f"two roots in one tree of rigidly connected frames, one at `{name}`",
        place,
        help="remove one of the two fixed points, or put a joint between them",
        rule='Modelica 3.6, "Overconstrained Connection-Based Equation Systems"',
    )


def stream_without_flow(name: str, place: Span) -> CompileError:
    return error(
        "F031",
        f"the connector of stream variable `{name}` has no flow variable",
        place,
        help="a connector with stream variables needs exactly one flow variable",
        rule='Modelica 3.6, "Definition of Stream Connectors"',
    )


def external_object_without_value(name: str, place: Span) -> CompileError:
    return error(
        "N037",
        f"external object `{name}` has no value",
        place,
        help="give it one by its constructor: `= Class(...)`",
        rule='Modelica 3.6, "External Objects"',
    )


def constant_without_value(name: str, needed: str, place: Span) -> CompileError:
    return error(
        "N037",
        f"constant `{name}` needs `{needed}`, which has no value",
        place,
        help="give it a constant value",
    )


def binding_varies_too_much(what: str, place: Span) -> CompileError:
    return error(
        "N044",
        f"{what} changes more often than the variable itself may",
        place,
        help="a parameter needs a value made of parameters and constants; drop `parameter`, or "
        "change the value",
        rule='Modelica 3.6, "Variability of Expressions"',
    )


def unknown_attribute(
    type_: str, name: str, attribute: str, place: Span, help: str
) -> CompileError:
    return error(
        "N010",
        f"{type_} `{name}` has no attribute `{attribute}`",
        place,
        help=help,
        rule='Modelica 3.6, "Predefined Types and Classes"',
    )


def unknown_attribute_element(attribute: str, name: str, element: str, place: Span) -> CompileError:
    return error(
        "N010",
        f"attribute `{attribute}` of `{name}` has no element `{element}`",
        place,
        help=f"give it a value: `{attribute} = ...`",
    )


def attribute_not_constant(what: str, place: Span) -> CompileError:
    return error(
        "N044",
        f"{what} must be made of constants and parameters",
        place,
        help="use a parameter",
        rule='Modelica 3.6, "Predefined Types and Classes"',
    )
