"""Values, sizes, subscripts and conditions."""

from __future__ import annotations

from freewheel.base.diagnostics import (
    CompileError,
    error,
)
from freewheel.base.source import Span


def size_depends_on_itself(name: str, place: Span) -> CompileError:
    return error(
        "N030",
        f"the size of `{name}` depends on itself",
        place,
        help="give one of the sizes in the circle as a number",
    )


def nested_too_deeply(place: Span) -> CompileError:
    return error(
        "N050",
        "expression nested too deeply",
        place,
        help="name a part of it with a variable of its own",
    )


def one_value_for_array(place: Span) -> CompileError:
    return error(
        "N043",
        "one value is given to an array of components",
        place,
        help="write `each` before the modification to give every element the same value",
        rule='Modelica 3.6, "Modification Equations"',
    )


def integer_too_large(place: Span) -> CompileError:
    return error(
        "N049",
        "this Integer is too large to be exact: Integers go up to 2^53, about 9e15",
        place,
        help="write a Real, with `.0` behind the number or as `1e16`",
        rule='Modelica 3.6, "Integer Type"',
    )


def not_a_value(place: Span) -> CompileError:
    return error(
        "N051",
        "this cannot stand here as a value",
        place,
        help="a list in round brackets, `:` or an iterator is only allowed in special places",
    )


def end_without_array(place: Span) -> CompileError:
    return error(
        "N052",
        "`end` means nothing here: the size of the array is not known",
        place,
        help="write the number, or declare the array with its size",
    )


def condition_not_boolean(place: Span) -> CompileError:
    return error("N042", "a condition must be a Boolean", place, help="compare it with something")


def only_some_elements_given(name: str, place: Span) -> CompileError:
    return error(
        "N033",
        f"an element of `{name}` is given a value, but the others have none",
        place,
        help="give the whole array a value",
    )


def range_not_a_vector(name: str, place: Span) -> CompileError:
    return error(
        "N055", f"the range of `{name}` is not a vector", place, help="write `1:n`, or an array"
    )


def range_missing(name: str, place: Span) -> CompileError:
    return error(
        "N056",
        f"the range of `{name}` is missing and no subscript determines it",
        place,
        help=f"write `{name} in 1:n`",
        rule='Modelica 3.6, "Types as Iteration Ranges"',
    )


def priority_not_integer(place: Span, annotation: str) -> CompileError:
    return error(
        "N045",
        "the priority of a when-clause is an Integer that does not change",
        place,
        help=f"write {annotation} = 1, or a constant or parameter; larger ones come first",
    )


def parameter_assigned(place: Span) -> CompileError:
    return error(
        "N071",
        "a parameter cannot be assigned in an algorithm",
        place,
        help="drop the word `parameter`, or use an initial algorithm and `fixed = false`",
        rule='Modelica 3.6, "Component Variability"',
    )


def input_assigned(name: str, place: Span) -> CompileError:
    return error(
        "N071",
        f"`{name}` is an input of the function and cannot be assigned",
        place,
        help="declare a protected variable and assign that",
        rule='Modelica 3.6, "Function as a Specialized Class"',
    )


def when_condition_not_boolean(place: Span) -> CompileError:
    return error(
        "N042",
        "the condition of a when-clause must be a Boolean, an array of them or a clock",
        place,
        help="compare it with something; `sample(start, interval)` is true at regular times",
    )


def element_out_of_bounds(number: int, size: int, dimension: int, place: Span) -> CompileError:
    return error(
        "N034",
        f"element {number} is asked for, but the value has {size} (dimension {dimension})",
        place,
        help="give the modification as many values as there are elements",
    )


def too_many_subscripts(given: int, dimensions: int, place: Span) -> CompileError:
    return error(
        "N038",
        f"{given} subscripts for a value of {dimensions} dimensions",
        place,
        help="remove subscripts",
        rule='Modelica 3.6, "Array Indexing"',
    )


def subscript_not_integer(type_: str, place: Span) -> CompileError:
    return error(
        "N039",
        f"a subscript must be an Integer, not a {type_}",
        place,
        help="use Integer variables or integer()",
    )


def subscript_out_of_bounds(number: int, size: int, dimension: int, place: Span) -> CompileError:
    return error(
        "N034",
        f"subscript {number} is outside 1..{size} (dimension {dimension})",
        place,
        help="array subscripts run from 1 to the size of the dimension",
        rule='Modelica 3.6, "Array Indexing"',
    )


def size_not_of_integer_type(name: str, place: Span) -> CompileError:
    return error(
        "N035",
        f"the size of `{name}` must be an Integer",
        place,
        help="array sizes are Integer expressions, `:`, Boolean or an enumeration type",
    )


def size_not_an_integer(name: str, place: Span) -> CompileError:
    return error(
        "N035",
        f"the size of `{name}` is not an Integer",
        place,
        help="look at the values of the parameters it is made of",
    )


def negative_size(name: str, value: int, place: Span) -> CompileError:
    return error("N036", f"the size of `{name}` is {value}", place, help="a size is 0 or more")


def value_depends_on_itself(name: str, place: Span) -> CompileError:
    return error(
        "N032",
        f"the value of `{name}` depends on itself",
        place,
        help="break the circle of bindings",
        rule='Modelica 3.6, "Declaration Equations"',
    )
