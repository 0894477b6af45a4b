"""Polynomials: what cancels, what stays an atom, and that values never change."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from freewheel.formula.evaluate import evaluate
from freewheel.formula.nodes import Binary, Expr, Integer, Real, Unary, Var
from freewheel.formula.polynomial import Atoms, Ratio, constant, product, quotient, reduced, total
from freewheel.formula.show import show


def printed(text: str, to_formula) -> str:
    atoms = Atoms()
    ratio = reduced(atoms.ratio(to_formula(text)))
    top, bottom = atoms.expr(atoms.tidy(ratio.top)), atoms.expr(atoms.tidy(ratio.bottom))
    return f"{show(top)} : {show(bottom)}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(a + b)*(a - b) + b*b", "a*a : 1"),
        ("a*c/(b*c)", "a : b"),
        ("(a*a - b*b)/(a + b)", "a - b : 1"),
        ("(a + b)/(a*a - b*b)", "1 : a - b"),
        ("a - a", "0 : 1"),
        ("sin(x)*sin(x)*m + J + cos(x)*cos(x)*m", "m + J : 1"),
        ("exp(a)*b/exp(a)", "b : 1"),
        ("0.5*a + 0.25*a", "0.75*a : 1"),
        ("a**k", "a^k : 1"),
    ],
)
def test_what_cancels(text, expected, to_formula):
    assert printed(text, to_formula) == expected


def random_formula(source: random.Random, depth: int) -> Expr:
    if depth == 0:
        return source.choice([Var(("a",)), Var(("b",)), Var(("c",)), Integer(2), Real(0.5)])
    op = source.choice(["+", "-", "*", "/", "neg"])
    left = random_formula(source, depth - 1)
    if op == "neg":
        return Unary("-", left)
    return Binary(op, left, random_formula(source, depth - 1))


def test_a_formula_and_its_quotient_of_polynomials_have_the_same_value():
    source = random.Random(5)
    numbers = {("a",): 1.25, ("b",): -0.75, ("c",): 3.5}
    checked = 0
    for _ in range(200):
        expr = random_formula(source, 3)
        atoms = Atoms()
        try:
            value = evaluate(expr, numbers.__getitem__)
        except Exception:  # a constant divided by zero
            continue
        ratio = reduced(atoms.ratio(expr))
        if not ratio.bottom:
            continue
        top = evaluate(atoms.expr(ratio.top), numbers.__getitem__)
        bottom = evaluate(atoms.expr(ratio.bottom), numbers.__getitem__)
        checked += 1
        assert top == pytest.approx(value * bottom, rel=1e-9, abs=1e-9)
    assert checked > 100


def test_division_is_the_inverse_of_multiplication():
    a = {((0, 1),): Fraction(1), (): Fraction(2)}
    b = {((0, 1), (1, 2)): Fraction(3), ((1, 1),): Fraction(-1)}

    assert quotient(product(a, b), a) == b
    assert quotient(b, a) is None
    assert constant(total(a, a, -1)) == 0
    assert reduced(Ratio(product(a, b), b)).top == a
