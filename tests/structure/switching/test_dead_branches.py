"""Branches that are never taken are never checked: subscripts outside, sizes below zero, failing calls."""

from __future__ import annotations

import pytest

from freewheel.base.diagnostics import CompileError
from freewheel.base.source import Source
from freewheel.flat.flatten import flatten
from freewheel.instance.instantiate import instantiate
from freewheel.instance.library import Library
from freewheel.structure.blocks.incidence import equation_text
from freewheel.structure.nodes import ScalarModel
from freewheel.structure.scalarize.expand import expand

ROW = "parameter Integer n = 3; Real x[n] = {i*time for i in 1:n}; Real y[n]; "
NONE = "parameter Integer n = 0; Real x[n] = {i*time for i in 1:n}; Real y; "
FAILS = 'function f output Boolean b; algorithm assert(false, "called"); b := true; end f; Real y; '


def scalar_model(text: str) -> ScalarModel:
    library = Library([], use_modelicapath=False)
    library.add_file(Source.from_text(f"model M {text} end M;", "M.mo"))
    return expand(flatten(instantiate(library, ("M",), {})))


def last_equation(text: str) -> str:
    return equation_text(scalar_model(text).equations[-1])


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("equation for i in 1:n loop y[i] = if i == n then 0 else x[i + 1]; end for;", "y[3] = 0"),
        (
            "equation for i in 1:n loop y[i] = if i < n then x[i + 1] else x[i]; end for;",
            "y[3] = x[3]",
        ),
        (
            "equation for i in 1:n loop y[i] = if i == 1 then x[i + 1] elseif i == n then x[i - 1] "
            "else x[i + 1] + x[i - 1]; end for;",
            "y[3] = x[2]",
        ),
        (
            "equation for i in 1:n loop if i < n then y[i] = x[i + 1]; else y[i] = 1; end if; end for;",
            "y[3] = 1",
        ),
        ("equation y = {if i == n then 0 else x[i + 1] - x[i] for i in 1:n};", "y[3] = 0"),
        (
            "equation y = {sum(if i + j > n then 0 else x[i + j] for j in 1:2) for i in 1:n};",
            "y[3] = 0",
        ),
        (
            "algorithm for i in 1:n loop y[i] := if i == n then 0 else x[i + 1]; end for;",
            "y[3] = 0",
        ),
        (
            "algorithm for i in 1:n loop if i == n then y[i] := 2; else y[i] := x[i + 1]; end if; end for;",
            "y[3] = 2",
        ),
        (
            "algorithm for i in 1:n loop if i < n then y[i] := x[i + 1]; elseif i == n then y[i] := 5; "
            "else y[i + 5] := 0; end if; end for;",
            "y[3] = 5",
        ),
        (
            "algorithm for i in 1:n loop y[i] := i; if i > n then y[i + 7] := 1; end if; end for;",
            "y[3] = 3",
        ),
        (
            "equation for i in 1:n loop y[i] = if i < n and x[i + 1] > 0 then x[i + 1] else 0; end for;",
            "y[3] = 0",
        ),
        (
            "equation for i in 1:n loop y[i] = if i == n or x[i + 1] > 0 then 4 else 0; end for;",
            "y[3] = 4",
        ),
        (
            "equation for i in 1:n loop y[i] = if time > 1 and i < n then x[i + 1] else 9; end for;",
            "y[3] = 9",
        ),
        (
            "equation for i in 1:n loop y[i] = if time > 1 or i == n then 9 else x[i + 1]; end for;",
            "y[3] = 9",
        ),
        (
            "equation for i in 1:n loop if time > 1 and i < n then y[i] = x[i + 1]; else y[i] = 9; "
            "end if; end for;",
            "y[3] = 9",
        ),
        (
            "algorithm for i in 1:n loop if time > 1 and i < n then y[i] := x[i + 1]; else y[i] := 9; "
            "end if; end for;",
            "y[3] = 9",
        ),
        (
            "equation when time > 1 then for i in 1:n loop if time > 0 and i < n then y[i] = x[i + 1]; "
            "else y[i] = 9; end if; end for; end when;",
            "when time > 1 then y[3] = 9",
        ),
    ],
)
def test_the_last_round_of_a_loop_needs_no_neighbour(body, expected):
    assert last_equation(ROW + body) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("equation y = if n > 0 then x[1] else 7;", "y = 7"),
        ("equation y = if n > 0 then x[end] else 7;", "y = 7"),
        ("equation y = if n > 1 then sum(fill(time, n - 1)) else time;", "y = time"),
        ("equation y = if n == 0 then 3 elseif x[1] > 0 then 4 else x[2];", "y = 3"),
        (
            "equation y = if time > 10 then 1 elseif n == 0 then 3 else x[2];",
            "y = if time > 10 then 1 else 3",
        ),
        (
            "equation if time > 10 then y = 1; elseif n == 0 then y = 3; else y = x[2]; end if;",
            "y = if time > 10 then 1 else 3",
        ),
        ("Real z[n]; algorithm y := 1; if n > 0 then z[1] := 2; y := z[1]; end if;", "y = 1"),
        (
            "algorithm if n == 0 then y := 1; elseif x[1] > 0 then y := 3; else y := x[2]; end if;",
            "y = 1",
        ),
        (
            "equation y = if n > 0 and x[1] > 0 then x[1] else time;",
            "y = time",
        ),
    ],
)
def test_arrays_without_elements_are_not_looked_into(body, expected):
    assert last_equation(NONE + body) == expected


@pytest.mark.parametrize(
    "body",
    [
        "parameter Integer k = 4; equation y = if k == 4 then 3 elseif f() then 4 else 5;",
        "equation y = if time < 10 then 3 elseif f() then 4 else 5;",
        "parameter Integer k = 4; algorithm if k == 4 then y := 3; elseif f() then y := 4; end if;",
        "algorithm if time < 10 then y := 3; elseif f() then y := 4; end if;",
        "equation if time < 10 then y = 3; elseif f() then y = 4; else y = 5; end if;",
        "equation when time > 1 then if time < 10 then y = 3; elseif f() then y = 4; end if; end when;",
    ],
)
def test_a_condition_that_is_never_reached_is_not_evaluated(body):
    assert last_equation(FAILS + body).count("M.f()") == 1


def test_only_parameters_that_had_to_decide_become_structural():
    model = scalar_model(
        "parameter Boolean has[3] = {true, true, false}; parameter Boolean b = true; Real x[2] = {time, 1};"
        "Real y[3]; Real z = if b then x[1] else x[2];"
        "equation for i in 1:3 loop y[i] = if has[i] then x[i] else 0; end for;"
    )

    assert [v.name for v in model.variables if v.is_structural] == [("has", 3)]


def test_a_long_chain_of_branches_is_taken_apart_without_recursion():
    text = "parameter Integer n = 3; Real x[2] = {time, 1}; Real y; equation y = if n > 9 then x[n] else "
    chain = " ".join(f"if time < {k} then {k} else" for k in range(1, 120))

    assert last_equation(f"{text} {chain} 0;").startswith("y = if time < 1 then 1 else")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (
            ROW + "equation for i in 1:n loop y[i] = if i == n then 0 else x[i + 2]; end for;",
            "N905",
        ),
        (ROW + "equation y = {if time > i then 0 else x[i + 1] for i in 1:n};", "N905"),
        (ROW + "algorithm for i in 1:n loop y[i + 1] := time; end for;", "N905"),
        (NONE + "equation y = if n == 0 then x[1] else 7;", "N034"),
        (NONE + "Real z[n]; algorithm y := 1; if time > 0.5 then z[1] := 2; end if;", "N034"),
    ],
)
def test_what_is_taken_or_may_be_taken_is_still_checked_and_has_a_place(text, code):
    with pytest.raises(CompileError) as caught:
        scalar_model(text)

    found = caught.value.diagnostics[0]
    assert (found.code, bool(found.labels)) == (code, True)


def test_a_size_makes_no_value_structural():
    model = scalar_model(
        "parameter Real table[:, 2] = {{i, i*i} for i in 1:3}; parameter Integer n = size(table, 1);"
        "parameter Integer last = n - 1; Real y[2];"
        "equation for i in 1:2 loop if time > 1 and i < last then y[i] = table[i, 2]; else y[i] = 0; end if;"
        "end for;"
    )

    names = {v.name for v in model.variables if v.is_structural}
    assert ("last",) in names
    assert not any(name[0] == "table" for name in names)


def test_what_a_decisive_parameter_is_computed_from_is_structural_too():
    model = scalar_model(
        "parameter Boolean a[2] = {true, false}; parameter Boolean b = a[1]; parameter Boolean c = not b;"
        "Real y(start = 1, fixed = c); equation der(y) = if time > 1 and c then 1 else 2;"
    )

    names = {v.name for v in model.variables if v.is_structural}
    assert names == {("a", 1), ("b",), ("c",)}


def test_an_element_of_an_empty_array_is_never_taken():
    body = (
        NONE + "Integer k = if time > 1 then n else 0; equation y = if k == 0 then time else x[k];"
    )

    assert last_equation(body) == "y = time"
