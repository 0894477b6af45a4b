"""Names, members and files that are not what they should be."""

from __future__ import annotations

from freewheel.base.diagnostics import (
    CompileError,
    Diagnostic,
    Label,
    error,
)
from freewheel.base.source import Span

STORAGE_RULE = 'Modelica 3.6, "Mapping Package/Class Structures to a Hierarchical File System"'


def unknown_parameter(model: str, name: str, place: Span | None, help: str) -> CompileError:
    return error("N010", f"`{model}` has no parameter `{name}`", place, help=help)


def unknown_modified_name(model: str, name: str, place: Span | None) -> CompileError:
    return error("N010", f"`{model}` has no `{name}`", place, help="look at `freewheel flatten`")


def unknown_package(name: str, first: str) -> CompileError:
    return CompileError(
        Diagnostic(
            "N002",
            f"class `{name}` not found: there is no `{first}`",
            help="give the file that holds it, or its library with --library or MODELICAPATH",
        )
    )


def unknown_member_class(name: str, package: str, part: str, help: str) -> CompileError:
    return CompileError(
        Diagnostic(
            "N002", f"class `{name}` not found: `{package}` has no class `{part}`", help=help
        )
    )


def defined_twice_in_file(name: str, place: Span, first: Span) -> CompileError:
    return CompileError(
        Diagnostic(
            "N922",
            f"`{name}` is defined twice in one file",
            (
                Label(place, "again here"),
                Label(first, "first here"),
            ),
            help="rename or remove one of them",
        )
    )


def no_enclosing_package(name: str, place: Span) -> CompileError:
    return CompileError(
        Diagnostic(
            "N920",
            f"there is no package `{name}`",
            (Label(place, "named here"),),
            help="give its directory with --library, or remove the `within` clause",
        )
    )


def wrong_class_in_file(wanted: str, found: str, place: Span) -> CompileError:
    return CompileError(
        Diagnostic(
            "N921",
            f"this file should define `{wanted}`, it defines `{found}`",
            (Label(place),),
            help=f"rename the class or the file: a file is named like its class, `{wanted}`",
            rule=STORAGE_RULE,
        )
    )


def wrong_within(found: str, wanted: str, place: Span) -> CompileError:
    return CompileError(
        Diagnostic(
            "N923",
            f"this file says `within {found}`, its directory says `{wanted}`",
            (Label(place),),
            help=f"write `{wanted}`, or move the file",
            rule=STORAGE_RULE,
        )
    )


def imported_from_two(name: str, scope: str, first: str, second: str, place: Span) -> CompileError:
    return error(
        "N011",
        f"`{name}` is imported twice in `{scope}`: from `{first}` and `{second}`",
        place,
        help=f"say which is meant: `import {name} = {second}.{name};`",
        rule='Modelica 3.6, "Importing Definitions from a Package"',
    )


def imported_twice(name: str, scope: str, place: Span) -> CompileError:
    return error(
        "N011",
        f"`{name}` is imported twice in `{scope}`",
        place,
        help="give one of the two another name: `import Name = Package.Class;`",
        rule='Modelica 3.6, "Importing Definitions from a Package"',
    )


def unknown_import(name: str, first: str, place: Span, help: str) -> CompileError:
    return error(
        "N004",
        f"cannot import `{name}`: there is no `{first}` at the top level",
        place,
        help=help,
        rule='Modelica 3.6, "Importing Definitions from a Package"',
    )


def unknown_class(name: str, first: str, scope: str, place: Span, help: str) -> CompileError:
    return error(
        "N002",
        f"class `{name}` not found: no `{first}` in `{scope}` or around it",
        place,
        help=help,
        rule='Modelica 3.6, "Static Name Lookup"',
    )


def unknown_member(holder: str, name: str, place: Span, help: str) -> CompileError:
    return error(
        "N003",
        f"`{holder}` has no member `{name}`",
        place,
        help=help,
        rule='Modelica 3.6, "Composite Name Lookup"',
    )


def not_a_class(name: str, place: Span) -> CompileError:
    return error(
        "N005",
        f"`{name}` is not a class",
        place,
        help="a type name must name a class; components have values, not types",
    )


def unknown_literal(enumeration: str, name: str, place: Span, help: str) -> CompileError:
    return error(
        "N053",
        f"enumeration `{enumeration}` has no literal `{name}`",
        place,
        help=help,
    )


def class_used_as_value(name: str, kind: str, place: Span) -> CompileError:
    return error(
        "N054",
        f"`{name}` is a {kind}, not a value",
        place,
        help="use one of its components, or a component of that class",
    )


def absent_component(name: str, place: Span) -> CompileError:
    return error(
        "N020",
        f"`{name}` does not exist: its condition is false",
        place,
        help="use it only in connect, or where the same condition holds",
        rule='Modelica 3.6, "Conditional Component Declaration"',
    )


def no_such_member(name: str, type_: str, member: str, place: Span) -> CompileError:
    return error(
        "N003",
        f"`{name}` is a {type_} and has no member `{member}`",
        place,
        help="attributes such as `start` are set in modifications, they cannot be read",
    )


def protected_member(name: str, place: Span) -> CompileError:
    return error(
        "N022",
        f"`{name}` is protected",
        place,
        help="move its declaration before the word `protected`, or give the class an output",
        rule='Modelica 3.6, "Access Control -- Public and Protected Elements"',
    )


def literal_declared_twice(name: str, enumeration: str, place: Span) -> CompileError:
    return error(
        "N011",
        f"literal `{name}` is declared twice in `{enumeration}`",
        place,
        help="rename or remove one of the two",
    )


def _article(word: str) -> str:
    return "an" if word.startswith("Integer") else "a"


def type_without_members(type_: str, name: str, place: Span) -> CompileError:
    return error(
        "N003",
        f"{_article(type_)} {type_} has no member `{name}`",
        place,
        help="only records have members",
    )


def unknown_field(record: str, name: str, place: Span, fields: str) -> CompileError:
    return error(
        "N003", f"record `{record}` has no field `{name}`", place, help=("its fields are " + fields)
    )
