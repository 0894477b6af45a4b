"""Algorithm sections as equations: what later statements see of earlier ones."""

from __future__ import annotations

import pytest

from freewheel.base.source import Source
from freewheel.flat.flatten import flatten
from freewheel.instance.instantiate import instantiate
from freewheel.instance.library import Library
from freewheel.structure.blocks.incidence import equation_text
from freewheel.structure.scalarize.expand import expand


def equations(text: str) -> list[str]:
    library = Library([], use_modelicapath=False)
    library.add_file(Source.from_text(f"model M {text} end M;", "M.mo"))
    return [equation_text(e) for e in expand(flatten(instantiate(library, ("M",), {}))).equations]


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ("x := time; y := 2*x;", ["x = time", "y = 2*x"]),
        ("x := time; y := 2*x; x := x + 1;", ["x = time + 1", "y = 2*time"]),
        ("x := time; x := x + 1; y := 2*x;", ["x = time + 1", "y = 2*x"]),
        (
            "x := 0; for i in 1:2 loop x := x + i; end for; y := x;",
            ["x = 3", "y = x"],
        ),
    ],
)
def test_a_formula_mentions_what_is_not_assigned_any_more(statements, expected):
    found = equations(f"Real x; Real y; algorithm {statements}")

    assert sorted(found) == expected


def test_a_buffer_handed_to_a_function_is_not_repeated_in_each_result():
    found = equations("""
  function f input Real u[3]; output Real y[2]; algorithm y := u[1:2]; end f;
  Integer n(start = 0, fixed = true); Real b[3](each fixed = true); Real y[2](each fixed = true);
algorithm
  when sample(0, 1) then n := pre(n) + 1; if n <= 3 then b[n] := time; end if; end when;
  when terminal() then y := f(b); end when;""")
    of_y = [text for text in found if text.startswith("y[")]

    assert len(of_y) == 2
    assert all("{b[1], b[2], b[3]}" in text for text in of_y)
