"""Small linear loops in formulas, causality before differentiation, and what nobody needs."""

from __future__ import annotations

import random

import numpy as np
import pytest

from freewheel.formula import build
from freewheel.formula.evaluate import evaluate
from freewheel.formula.nodes import Expr, Integer, Var
from freewheel.formula.show import show as show_expr
from freewheel.listing.equations.closed_form import closed_form
from freewheel.listing.equations.solution import Style
from freewheel.listing.equations.stages import show
from freewheel.structure.analyse import analyse, first_steps
from freewheel.structure.blocks.assignment import assign
from freewheel.structure.nodes import Elimination, Loop, ScalarEquation
from freewheel.structure.scalarize.expand import expand


def solved(pairs, unknowns, to_formula, share=True):
    equations = [ScalarEquation(to_formula(a), to_formula(b)) for a, b in pairs]
    name = iter("PQRS")
    form = closed_form(
        equations,
        [Var((u,)) for u in unknowns],
        lambda atom: 0,
        (lambda: Var((next(name),))) if share else None,
    )
    if form is None:
        return None
    return [f"{show_expr(v)} = {show_expr(e)}" for v, e in (*form.names, *form.values)]


def test_two_equations_share_their_divisor(to_formula):
    pairs = [("a*x + y", "p"), ("x", "b*y + q")]

    assert solved(pairs, "xy", to_formula) == [
        "P = 1 + a*b",
        "x = (q + p*b)/P",
        "y = (p - a*q)/P",
    ]


def test_without_names_every_formula_has_its_own_divisor(to_formula):
    [first, _] = solved([("a*x + y", "p"), ("x", "b*y")], "xy", to_formula, share=False)

    assert first == "x = p*b/(1 + a*b)"


@pytest.mark.parametrize(
    "pairs",
    [
        [("x*y", "p"), ("x", "y")],  # nonlinear
        [("x + y", "p"), ("2*x + 2*y", "q")],  # singular
    ],
)
def test_what_has_no_closed_form(pairs, to_formula):
    assert solved(pairs, "xy", to_formula) is None


def test_divisors_inside_coefficients_are_cleared(to_formula):
    assert solved([("x/a + y/b", "p"), ("x", "y")], "xy", to_formula)[-1] in (
        "y = a*b*p/P",
        "y = p*a*b/P",
    )


def test_a_large_loop_keeps_its_matrix(flat_model):
    n = 30
    names = "; ".join(f"x{k}" for k in range(n)) + "; a parameter 2.0"
    rows = "; ".join(f"x{k} == a*x{(k + 1) % n} + x{(k + 7) % n} + time" for k in range(n))
    ordered = analyse(flat_model(names, rows))
    [loop] = [b for b in ordered.simulation.blocks if isinstance(b, Loop)]

    assert "solved numerically" in show(ordered, "solved")
    assert len(loop.unknowns) == n


def test_the_last_equation_of_a_chain_is_the_constraint(flat_model):
    scalar = expand(
        flat_model(
            "u1; u2; i1; i2; i input", "der(u1) == i1; der(u2) == i2; u1 == u2; i1 + i2 == i"
        )
    )
    found = assign(first_steps(scalar, Elimination.NONE)[1])

    assert [show_expr(e.left) for e in found.constraints] == ["u1"]
    assert found.unassigned == (Var(("i2",)),)


def test_a_regular_model_has_no_constraint(flat_model):
    scalar = expand(flat_model("x; y", "der(x) == y; y == -x"))
    found = assign(first_steps(scalar, Elimination.NONE)[1])

    assert found.constraints == found.unassigned == ()


def test_surplus_keeps_states_and_outputs_only(flat_model):
    model = flat_model(
        "x start=1 fixed=True; y output; z; w", "der(x) == -(2*x); y == 3*x; z == x + y; w == 2*z"
    )
    ordered = analyse(model, Elimination.SURPLUS)

    assert show(ordered, "solved", Style(surplus=False)).splitlines()[1:-1] == [
        "Test  der(x) = -2*x",
        "      y = 3*x",
    ]


def test_outputs_that_are_aliases_are_told_at_the_end(flat_model):
    ordered = analyse(
        flat_model("x start=1 fixed=True; y output", "der(x) == -x; y == x"), Elimination.SURPLUS
    )

    assert show(ordered, "solved", Style(surplus=False)).splitlines()[-2] == "      y = x"


def test_what_a_switch_looks_at_is_needed_although_it_comes_later(flat_model):
    model = flat_model(
        "off boolean; s; x start=1 fixed=True; y",
        "off == (s < 0); s == 2*x - ite(off, 1, 2)*y; y == ite(off, 3, 4)*s; der(x) == -x*ite(off, 1, 2)",
    )
    text = show(analyse(model, Elimination.SURPLUS), "solved", Style(surplus=False))

    assert "off = s < 0" in text
    assert "\n      s = " in text
    assert "\n      y = " not in text


def test_formulas_have_the_values_that_elimination_with_numbers_gives():
    """Formulas of more than a few terms are left to `elimination.py`."""
    source, solved = random.Random(11), 0
    for _ in range(40):
        n = source.randint(2, 5)
        entries: dict[tuple[int, int], Expr] = {}
        numbers: dict[tuple[str], float] = {}
        for row in range(n):
            for column in {row, (row + 1) % n, source.randrange(n)}:
                name = (f"a{row}{column}",)
                numbers[name] = source.uniform(0.5, 2.0)
                is_one = source.random() < 0.4
                entries[row, column] = Integer(1) if is_one else Var(name)
        for row in range(n):
            numbers[(f"b{row}",)] = source.uniform(-1.0, 1.0)
        unknowns = [Var((f"x{k}",)) for k in range(n)]
        equations = [
            ScalarEquation(
                build.total(
                    [build.mul(entries[r, c], unknowns[c]) for c in range(n) if (r, c) in entries]
                ),
                Var((f"b{r}",)),
            )
            for r in range(n)
        ]
        matrix = np.zeros((n, n))
        for (row, column), entry in entries.items():
            matrix[row, column] = evaluate(entry, numbers.__getitem__)
        if abs(np.linalg.det(matrix)) < 1e-2:
            continue
        expected = np.linalg.solve(matrix, [numbers[(f"b{r}",)] for r in range(n)])

        form = closed_form(equations, unknowns, lambda atom: 0, None)

        if form is not None:
            solved += 1
            found = [evaluate(value, numbers.__getitem__) for _, value in form.values]
            assert np.allclose(found, expected, rtol=1e-8)
    assert solved > 15
