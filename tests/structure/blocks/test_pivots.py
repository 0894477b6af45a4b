"""What solved forms divide by, and which unknowns loops are torn at."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from freewheel.base.names import show
from freewheel.flat.nodes import FlatModel
from freewheel.structure.analyse import analyse
from freewheel.structure.atoms import show_atom
from freewheel.structure.nodes import Loop, Ordered, Pivot

Flat = Callable[..., FlatModel]


def text(pivot: Pivot) -> str:
    """`2*a*b + -1*c`"""
    return " + ".join("*".join([f"{f:g}", *(show(v.name) for v in p)]) for f, p in pivot)


def pivots(ordered: Ordered) -> set[str]:
    return {text(pivot) for pivot in ordered.pivots}


@pytest.mark.parametrize(
    ("equation", "expected"),
    [
        ("u == R*i", {"1*R"}),
        ("u == -R*k*i", {"1*R", "1*k"}),
        ("u == R*R/k*i", {"1*R"}),
        ("u == (R - 2*k)*i", {"1*R + -2*k"}),
        ("u == R*(k + 1)*i + k*i", {"1*R*k + 1*R + 1*k", "1*R", "1*k + 1", "1*k"}),
        ("u == sin(R)*i", {"1*R"}),
        ("u == max(R - k, 0)*i", {"1*R + -1*k"}),
        ("u == ite(R > 0, R, k)*i", {"1*R", "1*k"}),
        ("u == 2*i", set()),
        ("i == u/R", set()),  # as the modeller wrote it
    ],
)
def test_what_one_equation_is_divided_by(
    flat_model: Flat, equation: str, expected: set[str]
) -> None:
    ordered = analyse(flat_model("R parameter 3; k parameter 2; u; i", f"u == time; {equation}"))

    assert pivots(ordered) == expected


def test_a_variable_that_parameters_give_is_looked_through(flat_model: Flat) -> None:
    ordered = analyse(
        flat_model("R parameter 3; a parameter 0.5; r; u; i", "u == time; r == R*(1 + a); u == r*i")
    )

    assert pivots(ordered) == {"1*R", "1 + 1*a"}


def test_each_value_of_a_resistance_that_switches_is_a_pivot(flat_model: Flat) -> None:
    ordered = analyse(
        flat_model(
            "a parameter 1; b parameter 2; r; u; i; v",
            "r == ite(time < 1, a, b); u == r*i; u == v; der(v) == -i",
        )
    )

    assert pivots(ordered) == {"1*a", "1*b"}


def test_coefficients_of_a_loop_are_pivots(flat_model: Flat) -> None:
    ordered = analyse(
        flat_model("a parameter 3; b parameter 2; x; y", "a*x + y == time; x + b*y == 1")
    )

    assert pivots(ordered) == {"1*a", "1*b"}


def test_a_loop_is_torn_at_the_current_not_divided_by_resistances(flat_model: Flat) -> None:
    ordered = analyse(
        flat_model("R parameter 3; S parameter 2; u; v; i", "u == R*i; v == S*i; u + v == time")
    )
    (loop,) = ordered.simulation.blocks

    assert isinstance(loop, Loop)
    assert [show_atom(g.name) for g in loop.guesses] == ["i"]
    assert all(not block.divisors for block in loop.inner)


def test_a_parameter_is_a_pivot_where_numbers_would_take_more_guesses(flat_model: Flat) -> None:
    ordered = analyse(
        flat_model("a parameter 3; b parameter 2; x; y", "a*x + sin(y) == time; x == b*y")
    )
    (loop,) = ordered.simulation.blocks

    assert isinstance(loop, Loop)
    assert len(loop.guesses) == 1


def test_a_zero_that_parameters_give_is_a_zero_factor(flat_model: Flat) -> None:
    """`r = 0*(1 + a)`: a capacitor at a source has no current of its own then."""
    ordered = analyse(
        flat_model(
            "R parameter 0; a parameter 0.5; C parameter 2; r; v; i",
            "r == R*(1 + a); time - v == r*i; C*der(v) == i",
        )
    )

    assert ordered.states == ()


def test_a_zero_without_which_nothing_is_determined_is_left(flat_model: Flat) -> None:
    ordered = analyse(flat_model("R parameter 0; r; u; i", "u == 1 + time; r == 2*R; u == r*i"))

    assert pivots(ordered) == {"1*R"}


def test_numbers_take_the_place_of_bindings(flat_model: Flat) -> None:
    model = flat_model("C parameter 2; R parameter 1; v; i", "time - v == R*i; C*der(v) == i")

    assert len(analyse(model).states) == 1
    assert analyse(model, numbers={"C": 0.0}).states == ()
