"""Formulas print as Modelica text with the parentheses the grammar needs."""

import pytest

from freewheel.formula.nodes import (
    Array,
    Binary,
    Boolean,
    Call,
    Colon,
    Comprehension,
    Expr,
    Field,
    FunctionRef,
    If,
    Index,
    Integer,
    Iterator,
    Literal,
    Output,
    PartialFunction,
    Range,
    Real,
    Record,
    Reduction,
    String,
    Unary,
    Var,
)
from freewheel.formula.show import quoted_name, show

a, b, c = Var(("a",)), Var(("b",)), Var(("c",))


def op(symbol: str, left: Expr, right: Expr) -> Expr:
    return Binary(symbol, left, right)


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        (Var(("a", "b", 1, "c")), "a.b[1].c"),
        (Real(1.5), "1.5"),
        (Integer(-3), "-3"),
        (Boolean(True), "true"),
        (String('say "x"\n'), '"say \\"x\\"\\n"'),
        (op("+", op("+", a, b), c), "a + b + c"),
        (op("+", a, op("+", b, c)), "a + (b + c)"),
        (op("-", a, op("-", b, c)), "a - (b - c)"),
        (op("*", op("+", a, b), c), "(a + b)*c"),
        (op("/", a, op("*", b, c)), "a/(b*c)"),
        (op("^", op("^", a, b), c), "(a^b)^c"),
        (op("^", Integer(-2), a), "(-2)^a"),
        (op("*", a, Unary("-", b)), "a*(-b)"),
        (op("*", a, Real(-2.0)), "a*(-2.0)"),
        (Unary("-", op("*", a, b)), "-a*b"),
        (op("*", Unary("-", a), b), "(-a)*b"),
        (Unary("-", op("+", a, b)), "-(a + b)"),
        (op("+", Unary("-", a), b), "-a + b"),
        (op("-", a, Unary("-", b)), "a - (-b)"),
        (Unary("not", op("and", a, b)), "not (a and b)"),
        (Unary("not", op("<", a, b)), "not a < b"),
        (Unary("not", Unary("not", a)), "not (not a)"),
        (op("or", op("and", a, b), c), "a and b or c"),
        (op("and", op("or", a, b), c), "(a or b) and c"),
        (op("==", op("<", a, b), c), "(a < b) == c"),
        (op(".*", Integer(2), a), "2 .* a"),
        (If(a, b, If(b, c, a)), "if a then b elseif b then c else a"),
        (op("+", If(a, b, c), c), "(if a then b else c) + c"),
        (Call("sin", op("+", a, b)), "sin(a + b)"),
        (Call(("P", "f"), a, b), "P.f(a, b)"),
        (Output(2, Call(("f",), a)), "output(2, f(a))"),
        (PartialFunction(("f",), ("k",), Real(2.0)), "function f(k = 2.0)"),
        (FunctionRef(("P", "f")), "P.f"),
        (Array(Array(a, b), Array(b, c)), "{{a, b}, {b, c}}"),
        (Range(Integer(1), Integer(1), a), "1:a"),
        (Range(Integer(1), Integer(2), op("+", a, b)), "1:2:a + b"),
        (Index(a, Colon(), Integer(2)), "a[:, 2]"),
        (Index(Call(("f",), a), Integer(2)), "(f(a))[2]"),
        (
            Comprehension(
                ("i", "j"),
                op("*", Iterator("i"), Iterator("j")),
                Range(Integer(1), Integer(1), Integer(3)),
                a,
            ),
            "{i*j for i in 1:3, j in a}",
        ),
        (Reduction("sum", ("i",), Iterator("i"), a), "sum(i for i in a)"),
        (Record(("R",), ("x", "y"), a, b), "R(x = a, y = b)"),
        (Field("re", Call(("f",), a)), "(f(a)).re"),
        (Literal(("P", "E"), 2, "two"), "P.E.two"),
    ],
)
def test_text_of_each_kind_of_node(expr: Expr, text: str) -> None:
    assert show(expr) == text


def test_flat_names_become_quoted_identifiers_with_array_subscripts_outside() -> None:
    assert show(Var(("a", "b", 1, "c", 2, 3)), quoted=True) == "'a.b[1].c'[2, 3]"
    assert quoted_name(("x", 4)) == "x[4]"
    assert quoted_name(("time",)) == "time"
    assert quoted_name(("a", "'odd'")) == "'a.\\'odd\\''"


def test_a_callback_may_name_the_variables() -> None:
    assert show(Binary("+", a, b), name_text=lambda name: f"<{name[0]}>") == "<a> + <b>"


def test_thousands_of_nested_sums_print() -> None:
    expr: Expr = a
    for _ in range(4_000):
        expr = Binary("+", expr, b)
    assert show(expr).count("b") == 4_000
