"""Folding constructors keep values, types and domains."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from freewheel.formula import build
from freewheel.formula.nodes import (
    FALSE,
    ONE,
    TRUE,
    ZERO,
    Array,
    Binary,
    Call,
    Expr,
    Field,
    If,
    Index,
    Integer,
    Literal,
    Real,
    Record,
    String,
    Unary,
    Var,
)

x, y = Var(("x",)), Var(("y",))


def test_integers_stay_integers_except_for_division_and_power() -> None:
    assert build.add(Integer(1), Integer(2)) is Integer(3)
    assert build.mul(Integer(4), Integer(-2)) is Integer(-8)
    assert build.sub(Integer(1), Real(2.0)) is Real(-1.0)
    assert build.div(Integer(4), Integer(2)) is Real(2.0)
    assert build.power(Integer(2), Integer(3)) is Real(8.0)


def test_identities() -> None:
    assert build.add(ZERO, x) is x
    assert build.sub(x, Integer(0)) is x
    assert build.sub(ZERO, x) is Unary("-", x)
    assert build.mul(ONE, x) is x
    assert build.mul(x, Integer(-1)) is Unary("-", x)
    assert build.div(x, ONE) is x
    assert build.power(x, Integer(1)) is x
    assert build.neg(Unary("-", x)) is x
    assert build.neg(Binary("-", x, y)) is Binary("-", y, x)
    assert build.add(x, Unary("-", y)) is Binary("-", x, y)
    assert build.add(String("a"), String("b")) is String("ab")


def test_domains_are_kept() -> None:
    assert build.div(x, x) is Binary("/", x, x)
    assert build.div(ONE, ZERO) is Binary("/", ONE, ZERO)
    assert build.call("sqrt", Real(-1.0)) is Call("sqrt", Real(-1.0))
    assert build.power(Real(-1.0), Real(0.5)) is Binary("^", Real(-1.0), Real(0.5))
    assert build.over(ZERO, ZERO) is Binary("/", ZERO, ZERO)


def test_what_overflows_is_left_to_the_run() -> None:
    """No formula holds an infinite number: `x*1e308*1e308` ended in an internal error."""
    large, x = Real(1e308), Var(("x",))
    product = build.times(build.times(x, large), large)

    assert build.times(large, large) == Binary("*", large, large)
    assert product == Binary("*", Binary("*", large, large), x)


def test_zero_times_something_folds_only_for_scalars() -> None:
    assert build.mul(ZERO, x) is Binary("*", ZERO, x)
    assert build.times(ZERO, x) is ZERO
    assert build.minus(x, x) is ZERO
    assert build.sub(x, x) is Binary("-", x, x)


def test_signs_and_factors_move_to_the_front() -> None:
    assert build.times(x, Unary("-", y)) is Unary("-", Binary("*", x, y))
    assert build.times(x, Real(2.0)) is Binary("*", Real(2.0), x)
    assert build.times(Real(3.0), Binary("*", Real(2.0), x)) is Binary("*", Real(6.0), x)
    assert build.over(Unary("-", x), y) is Unary("-", Binary("/", x, y))
    assert build.total([]) is ZERO
    assert build.total([x, Unary("-", y)]) is Binary("-", x, y)


def test_logic() -> None:
    assert build.logical_and(TRUE, x) is x
    assert build.logical_and(x, FALSE) is FALSE
    assert build.logical_or(FALSE, x) is x
    assert build.logical_or(x, TRUE) is TRUE
    assert build.logical_not(Unary("not", x)) is x
    assert build.logical_not(TRUE) is FALSE
    assert build.if_then_else(TRUE, x, y) is x
    assert build.if_then_else(FALSE, x, y) is y
    assert build.if_then_else(x, y, y) is y
    assert build.if_then_else(x, x, y) is If(x, x, y)
    one, two = Literal(("E",), 1, "one"), Literal(("E",), 2, "two")
    assert build.relation("<", one, two) is TRUE
    assert build.relation("==", two, Integer(2)) is TRUE  # a literal as a subscript
    assert build.relation("==", Integer(1), two) is FALSE
    assert build.relation("==", String("a"), String("b")) is FALSE
    assert build.relation("==", x, x) is Binary("==", x, x)


def test_calls_arrays_and_records() -> None:
    assert build.call("max", Integer(1), Integer(2)) is Integer(2)
    assert build.call("der", Real(3.0)) is ZERO
    assert build.call("noEvent", Real(3.0)) is Real(3.0)
    assert build.call("sin", x) is Call("sin", x)
    assert build.index(Array(x, y), Integer(2)) is y
    assert build.index(Array(x, y), Integer(3)) is Index(Array(x, y), Integer(3))
    assert build.index(x, Integer(1)) is Index(x, Integer(1))
    assert build.field("b", Record(("R",), ("a", "b"), x, y)) is y
    assert build.field("b", x) is Field("b", x)


@pytest.mark.parametrize("name", ["sin", "exp", "atan", "tanh"])
@given(value=st.floats(-20, 20))
def test_builtins_of_constants_are_computed(name: str, value: float) -> None:
    assert build.call(name, Real(value)) is Real(getattr(math, name)(value))


@given(left=st.integers(-50, 50), right=st.integers(-50, 50), op=st.sampled_from("+-*/^"))
def test_folding_agrees_with_python(left: int, right: int, op: str) -> None:
    folded: Expr = build.binary_of(op, Integer(left), Integer(right))
    if op in "/^" and (right == 0 if op == "/" else left == 0 and right < 0):
        assert isinstance(folded, Binary)
        return
    python = {"+": left + right, "-": left - right, "*": left * right}
    expected = python[op] if op in python else (left / right if op == "/" else left**right)
    assert folded.data == pytest.approx(expected)
