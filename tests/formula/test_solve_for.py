"""Equations solved for one unknown, linear forms, simplification: laws and the paper's example."""

import math
from typing import Any

import pytest
import sympy
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from freewheel.formula.evaluate import evaluate
from freewheel.formula.linear import linear_form, sparse_linear_form
from freewheel.formula.nodes import (
    ONE,
    ZERO,
    Binary,
    Call,
    Expr,
    If,
    Integer,
    Real,
    Unary,
    Var,
)
from freewheel.formula.show import show
from freewheel.formula.solve_for import Solution, solve_for
from freewheel.formula.statement_nodes import Function, FunctionVariable
from freewheel.formula.types import REAL, Type
from freewheel.formula.walk import contains

a, b, c, d, e, f, g, x, y = (Var((name,)) for name in "abcdefgxy")


def op(symbol: str, left: Expr, right: Expr) -> Expr:
    return Binary(symbol, left, right)


def value(expr: Expr, **values: Any) -> Any:
    return evaluate(expr, lambda name: values[str(name[0])])


def solved(left: Expr, right: Expr, principal: bool = False) -> Solution:
    solution = solve_for(left, right, x, principal=principal)
    assert solution is not None
    assert not contains(solution.value, x)
    return solution


def test_the_example_of_the_paper() -> None:
    inner = op("-", op("+", op("/", x, b), op("*", c, x)), d)
    sine = op("*", Call("sin", inner), op("+", Call("exp", e), Integer(1)))
    left = op("-", op("^", Call("exp", op("+", a, sine)), Integer(2)), f)
    solution = solved(left, op("*", Integer(2), g), principal=True)
    assert show(solution.value) == ("(asin((log(sqrt(2*g + f)) - a)/(exp(e) + 1)) + d)/(1.0/b + c)")
    assert solve_for(left, op("*", Integer(2), g), x) is None


@pytest.mark.parametrize(
    ("left", "right", "text", "divisors"),
    [
        (op("-", a, x), b, "a - b", []),
        (a, op("*", b, x), "a/b", ["b"]),
        (op("*", x, Real(2.0)), a, "a/2.0", []),
        (op("+", op("*", a, x), op("*", b, x)), c, "c/(a + b)", ["a + b"]),
        (op("/", x, b), a, "a*b", ["b"]),
        (op("*", a, x), op("+", op("*", b, x), c), "c/(a - b)", ["a - b"]),
        (ZERO, op("+", op("+", x, a), b), "-(a + b)", []),
        (op("/", a, x), b, "a/b", ["b"]),
        (Call("exp", op("*", a, x)), b, "log(b)/a", ["a"]),
        (Call("log10", x), b, "10.0^b", []),
        (op("^", Real(2.0), x), b, f"log(b)/{math.log(2.0)}", []),
        (Call("noEvent", Call("log", x)), b, "exp(noEvent(b))", []),
        (If(op("<", a, b), op("*", a, x), op("-", x, b)), c, None, None),
        (op("^", Call("exp", x), Integer(4)), b, "log(b^0.25)", []),
    ],
)
def test_solutions(left: Expr, right: Expr, text: str | None, divisors: Any) -> None:
    solution = solved(left, right)
    values = {"a": 0.7, "b": 1.9, "c": 0.3}
    found = value(solution.value, **values)
    assert value(left, **values, x=found) == pytest.approx(value(right, **values, x=found))
    if text is not None:
        assert show(solution.value) == text
        assert [show(divisor) for divisor in solution.divisors] == divisors


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (Call("sin", x), a),
        (op("^", x, Integer(2)), a),
        (Call("abs", x), a),
        (op("+", Call("exp", x), x), a),
        (Call("exp", x), Call("log", x)),
        (op("*", ZERO, x), a),
        (op("-", x, x), a),
        (If(op("<", x, b), x, a), b),
        (If(op("<", a, b), Call("exp", x), a), b),
        (op("+", a, b), c),
        (Call(("f",), x), b),
    ],
    ids=lambda expr: show(expr),
)
def test_no_answer_where_it_is_not_sure(left: Expr, right: Expr) -> None:
    assert solve_for(left, right, x) is None


def test_conditions_tell_where_an_inverse_goes_too_far() -> None:
    assert solve_for(Call("sqrt", x), a, x) is None
    solution = solved(Call("sqrt", x), a, principal=True)
    assert show(solution.value) == "a^2"
    assert [show(condition) for condition in solution.conditions] == ["a >= 0.0"]


@pytest.mark.parametrize("right", [-2.5, 0.0, 4.0])
@pytest.mark.parametrize("exponent", [3, 5])
def test_odd_powers_have_one_root(right: float, exponent: int) -> None:
    solution = solved(op("^", x, Integer(exponent)), a)
    assert value(solution.value, a=right) ** exponent == pytest.approx(right)


def test_choices_are_solved_branch_by_branch() -> None:
    left = If(op("<", a, b), Call("exp", x), Call("sinh", x))
    solution = solved(left, c)
    for values in ({"a": 1.0, "b": 2.0, "c": 0.4}, {"a": 2.0, "b": 1.0, "c": 0.4}):
        root = value(solution.value, **values)
        assert value(left, **values, x=root) == pytest.approx(0.4)


def test_inverse_annotations() -> None:
    def variable(name: str, role: str) -> FunctionVariable:
        return FunctionVariable(name, Type(REAL), role=role)

    h_pT = Function(
        ("h_pT",),
        (variable("p", "input"), variable("T", "input"), variable("h", "output")),
        inverses=(("T", Call(("T_ph",), Var(("p",)), Var(("h",)))),),
    )
    solution = solve_for(Call(("h_pT",), a, x), b, x, {("h_pT",): h_pT}.get)
    assert solution is not None
    assert show(solution.value) == "T_ph(a, b)"
    assert solve_for(Call(("h_pT",), x, a), b, x, {("h_pT",): h_pT}.get) is None


# ---------------------------------------------------------------- linear forms


def test_linear_forms() -> None:
    form = linear_form(op("-", op("+", op("*", a, x), b), y), [x, y])
    assert form is not None
    assert [show(part) for part in form[0]] == ["a", "-1.0"]
    assert form[1] is b
    assert linear_form(op("*", x, y), [x, y]) is None
    assert linear_form(Call("sin", x), [x]) is None
    assert linear_form(Call("sin", a), [x]) == ((ZERO,), Call("sin", a))
    assert linear_form(op("-", x, x), [x]) == ((ZERO,), ZERO)
    assert sparse_linear_form(y, {x: 0}) == ({}, y)
    choice = linear_form(If(op("<", a, b), op("*", a, x), c), [x])
    assert choice is not None
    assert [show(choice[0][0]), show(choice[1])] == [
        "if a < b then a else 0.0",
        "if a < b then 0.0 else c",
    ]
    assert linear_form(If(op("<", x, b), x, c), [x]) is None


linear_formulas = st.recursive(
    st.sampled_from([x, y, a, b, Real(2.0), Integer(3)]),
    lambda inner: st.one_of(
        st.builds(op, st.sampled_from("+-"), inner, inner),
        st.builds(lambda k, p: op("*", k, p), st.sampled_from([a, b, Real(-0.5)]), inner),
        st.builds(lambda p, k: op("*", p, k), inner, st.sampled_from([a, Integer(2)])),
        st.builds(lambda p: op("/", p, b), inner),
        st.builds(lambda p: Unary("-", p), inner),
        st.builds(lambda p, q: If(op("<", a, b), p, q), inner, inner),
        st.builds(lambda p: Call("noEvent", p), inner),
    ),
    max_leaves=10,
)
POINT = {"a": 1.3, "b": 0.7, "x": -2.1, "y": 0.4}


@settings(max_examples=100)
@given(expr=linear_formulas)
def test_linear_forms_add_up(expr: Expr) -> None:
    form = linear_form(expr, [x, y])
    assert form is not None
    coefficients, rest = form
    assert not any(contains(part, unknown) for part in (*coefficients, rest) for unknown in (x, y))
    total = value(coefficients[0], **POINT) * POINT["x"]
    total += value(coefficients[1], **POINT) * POINT["y"] + value(rest, **POINT)
    assert total == pytest.approx(value(expr, **POINT), abs=1e-9)


@settings(max_examples=100)
@given(expr=linear_formulas)
def test_solutions_solve(expr: Expr) -> None:
    solution = solve_for(expr, c, x)
    form = linear_form(expr, [x])
    assert form is not None
    if solution is None:
        assert form[0][0] is ZERO or value(form[0][0], **POINT) == 0
        return
    values = {**POINT, "c": 0.9}
    assume(all(abs(value(divisor, **values)) > 1e-6 for divisor in solution.divisors))
    root = value(solution.value, **values)
    assert value(expr, **{**values, "x": root}) == pytest.approx(0.9, abs=1e-6)


# ---------------------------------------------------------------- simplification


def test_sympy_agrees_on_the_solution_of_the_paper() -> None:
    symbols = {name: sympy.Symbol(name, positive=True) for name in "abcdefg"}
    values = {"a": 0.1, "b": 1.7, "c": 0.6, "d": 0.2, "e": 0.3, "f": 0.4, "g": 0.9}
    text = sympy.sympify(
        "(asin((log(sqrt(2*g + f)) - a)/(exp(e) + 1)) + d)/(1/b + c)", locals=symbols
    )
    expected = float(text.subs({symbols[name]: number for name, number in values.items()}))
    inner = op("-", op("+", op("/", x, b), op("*", c, x)), d)
    sine = op("*", Call("sin", inner), op("+", Call("exp", e), ONE))
    left = op("-", op("^", Call("exp", op("+", a, sine)), Integer(2)), f)
    solution = solved(left, op("*", Integer(2), g), principal=True)
    assert value(solution.value, **values) == pytest.approx(expected)
    assert value(left, **values, x=expected) == pytest.approx(2 * values["g"])
