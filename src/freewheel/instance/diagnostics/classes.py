"""Classes, modifications and redeclarations that break a rule."""

from __future__ import annotations

from freewheel.base.diagnostics import (
    CompileError,
    Diagnostic,
    Label,
    Severity,
    error,
)
from freewheel.base.source import Span


def nested_too_deep(name: str, levels: int, how: str, place: Span) -> CompileError:
    return error(
        "N050",
        f"class `{name}` is {how} more than {levels} levels deep",
        place,
        help="use fewer levels",
    )


def extends_itself(name: str, place: Span) -> CompileError:
    return error(
        "N006",
        f"class `{name}` extends itself",
        place,
        "the circle closes here",
        help="remove one of the extends clauses of the circle",
        rule='Modelica 3.6, "Inheritance - Extends Clause"',
    )


def too_many_bases(name: str, most: int, place: Span) -> CompileError:
    return error(
        "U111",
        f"`{name}` has more than {most:,} base classes",
        place,
        help="look for classes that extend the same class more than once",
    )


def nothing_to_extend(name: str, place: Span) -> CompileError:
    return error(
        "N014",
        f"`{name}` extends an inherited class of the same name, but there is none",
        place,
        help="declare the class without `extends` after its name, or inherit the one meant",
        rule='Modelica 3.6, "The class extends Redeclaration Mechanism"',
    )


def declared_twice(name: str, scope: str, labels: tuple[Label, ...]) -> CompileError:
    return CompileError(
        Diagnostic(
            "N011",
            f"`{name}` is declared twice in `{scope}`",
            labels,
            help="rename or remove one of the two",
            rule='Modelica 3.6, "Declarations"',
        )
    )


def nothing_to_redeclare(name: str, scope: str, place: Span | None) -> CompileError:
    return error(
        "N015",
        f"`{name}` is redeclared, but `{scope}` inherits nothing of that name",
        place,
        help="drop the word `redeclare`, or extend the class that declares the element",
        rule='Modelica 3.6, "Redeclaration"',
    )


def defined_by_itself(name: str, place: Span) -> CompileError:
    return error(
        "N006", f"class `{name}` is defined by itself", place, help="name another class after `=`"
    )


def not_declarable(name: str, title: str, kind: str, place: Span) -> CompileError:
    return error(
        "N017",
        f"`{name}` cannot be declared: `{title}` is a {kind}",
        place,
        help="a component needs a model, block, connector, record or type",
    )


def contains_itself(name: str, path: str, place: Span) -> CompileError:
    return error(
        "N007",
        f"class `{name}` contains itself through `{path}`",
        place,
        help="break the circle: a component cannot contain a component of its own class without end",
    )


def inner_missing(name: str, owner: str, class_name: str, place: Span) -> Diagnostic:
    return Diagnostic(
        "N008",
        f"`outer {name}` in `{owner}` has no `inner` component around it",
        (Label(place),),
        help=f"declare `inner {class_name} {name};` in the model that uses it",
        rule='Modelica 3.6, "Instance Hierarchy Name Lookup of Inner Declarations"',
    )


def inner_added(name: str, class_name: str, place: Span, model: str) -> Diagnostic:
    return Diagnostic(
        "N009",
        f"no `inner {name}` found; one of class `{class_name}` was added at the top",
        (Label(place, "asked for here"),),
        help=f"declare `inner {class_name} {name};` in `{model}`",
        severity=Severity.WARNING,
    )


def not_replaceable(name: str, scope: str, place: Span | None) -> CompileError:
    return error(
        "N016",
        f"`{name}` of `{scope}` is not replaceable",
        place,
        "redeclared here",
        help=f"write `replaceable` before the declaration of `{name}`, or modify it without "
        "`redeclare`",
        rule='Modelica 3.6, "Redeclaration"',
    )


def not_simulatable(name: str, kind: str, place: Span) -> CompileError:
    return error(
        "N019",
        f"`{name}` is a {kind}; only models and blocks can be simulated",
        place,
        help="choose a model with -m",
    )


def partial_model(name: str, place: Span) -> CompileError:
    return error(
        "N018",
        f"`{name}` is partial: something is missing that a model extending it must add",
        place,
        help="choose a model that extends it",
        rule='Modelica 3.6, "Partial Classes"',
    )


def modified_twice(name: str, place: Span) -> CompileError:
    return error(
        "N012",
        f"`{name}` is modified twice in one list",
        place,
        help="keep one of the two modifications",
        rule='Modelica 3.6, "Single Modification"',
    )


def section_not_allowed(kind: str, word: str, place: Span) -> CompileError:
    return error(
        "N021",
        f"a {kind} cannot have an {word} section",
        place,
        help="a function has an algorithm; elsewhere use a model or block",
        rule='Modelica 3.6, "Specialized Classes"',
    )


def several_annotations_given(name: str, place: Span) -> Diagnostic:
    return Diagnostic(
        "S015",
        f"`{name}` has several annotations",
        (Label(place, "the second one"),),
        help="join them into one at the end of the class",
        rule='Modelica 3.6, "Annotations"',
        severity=Severity.WARNING,
    )
