"""What can be wrong with clocks, in the modeller's words.

raise mixed(labels...)      a variable that is clocked and not clocked
"""

from __future__ import annotations

from collections.abc import Sequence

from freewheel.base.diagnostics import CompileError, Diagnostic, Label, Severity, error
from freewheel.base.source import NOWHERE, Span
from freewheel.structure.nodes import ScalarEquation

RULE = 'Modelica 3.6, "Clock Partitioning"'


def mixed(name: str, clocked: Span, between: Sequence[Span], unclocked: Span) -> CompileError:
    """`between` are the equations that join what is clocked and what is not."""
    marked = [(clocked, "clocked here")]
    marked += [(span, "joined by this equation") for span in between[:3]]
    if unclocked != clocked or not between:
        marked.append((unclocked, "a continuous-time signal here"))
    labels = [Label(span, text) for span, text in marked if span is not NOWHERE]
    return CompileError(
        Diagnostic(
            "E060",
            f"`{name}` is used as a clocked variable and as one without a clock",
            tuple(labels),
            help="put `sample(..)` where a signal becomes clocked and `hold(..)` where it leaves",
            rule=RULE,
        )
    )


def unequal(first: str, second: str, span: Span, other: Span = NOWHERE) -> CompileError:
    """`other` is where the first of them comes from."""
    marked = [(span, second), (other, first)]
    labels = [Label(place, text) for place, text in marked if place is not NOWHERE]
    return CompileError(
        Diagnostic(
            "E061",
            f"clocks that differ are joined: {first} and {second}",
            tuple(labels),
            help="convert with subSample, superSample, shiftSample or backSample, or use one clock",
            rule='Modelica 3.6, "Sub-Clock Inferencing"',
        )
    )


def several_bases(first: str, second: str, span: Span) -> CompileError:
    return error(
        "E062",
        f"one partition has two clocks that are not comparable: {first} and {second}",
        span,
        help="define one clock and use it at both places; only rational clocks, `Clock(n, m)`,"
        " can be compared",
        rule='Modelica 3.6, "Restrictions on Clocks in a Base-Partition"',
    )


def not_inferred(span: Span) -> CompileError:
    return error(
        "E063",
        "the clock of this equation, or the factor between two clocks, cannot be inferred",
        span,
        help="give the factor, or a clock to both sides",
        rule='Modelica 3.6, "Sub-Clock Inferencing"',
    )


def bad_argument(text: str, span: Span, help: str) -> CompileError:
    return error("E064", text, span, help=help, rule='Modelica 3.6, "Clock Constructors"')


def too_early(span: Span) -> CompileError:
    return error(
        "E065",
        "backSample shifts this clock to before the start of its base clock",
        span,
        help="shift forward first (`shiftSample`), or take a smaller backCounter",
        rule='Modelica 3.6, "Sub-Clock Conversion Operators"',
    )


def finer_than_base(what: str, span: Span) -> CompileError:
    return error(
        "E066",
        f"{what} cannot tick between its events",
        span,
        help="superSample and shiftSample of an event clock may only undo what subSample did",
        rule='Modelica 3.6, "Sub-Clock Conversion Operators"',
    )


def no_method(span: Span) -> CompileError:
    return error(
        "E067",
        "continuous-time equations on a clock need a solver method",
        span,
        help='write `Clock(c, solverMethod = "ImplicitEuler")`',
        rule='Modelica 3.6, "Solver Methods"',
    )


def unknown_method(method: str, known: tuple[str, ...], span: Span) -> CompileError:
    return error(
        "E068",
        f'"{method}" is no solver method for clocked equations',
        span,
        help="one of " + ", ".join(known),
        rule='Modelica 3.6, "Solver Methods"',
    )


def two_methods(first: str, second: str, span: Span) -> CompileError:
    return error(
        "E068",
        f'two solver methods for one clocked partition: "{first}" and "{second}"',
        span,
        help="give one of them",
        rule='Modelica 3.6, "Inferencing of solverMethod"',
    )


def misplaced(what: str, span: Span, help: str) -> CompileError:
    return error("E069", what, span, help=help, rule=RULE)


def circle(equations: Sequence[ScalarEquation]) -> CompileError:
    """Between Booleans and Integers no solver finds a way out."""
    shown = [e for e in equations if e.span is not NOWHERE]
    labels = [Label(e.span, "in the circle") for e in shown[:3]]
    return CompileError(
        Diagnostic(
            "E073",
            f"{len(equations)} clocked equations need each other's values at the same tick",
            tuple(labels),
            help="use `previous(..)` of one of the values; in a state machine use a transition with"
            " `immediate = false`",
            rule='Modelica 3.6, "Sub-Partitioning"',
        )
    )


def default_clock(places: Sequence[Span]) -> Diagnostic:
    return Diagnostic(
        "E059",
        "nothing says when a clocked partition ticks: every second is assumed",
        tuple(Label(span, "on this clock") for span in places[:1] if span is not NOWHERE),
        help="give a clock, as in `sample(u, Clock(1, 10))`",
        rule='Modelica 3.6, "Restrictions on Clocks in a Base-Partition"',
        severity=Severity.WARNING,
    )
