"""Functions whose body is one formula are put in the place of their calls."""

from typing import Any

from freewheel.formula.inline import inline_call
from freewheel.formula.nodes import (
    FALSE,
    Binary,
    Call,
    Expr,
    Field,
    Index,
    Integer,
    Real,
    Record,
    String,
    Var,
)
from freewheel.formula.show import show
from freewheel.formula.statement_nodes import (
    Assert,
    Assign,
    Effect,
    External,
    ForStatement,
    Function,
    FunctionVariable,
    IfStatement,
    Statement,
    TupleAssign,
)
from freewheel.formula.types import REAL, RecordType, Type

u, k, y, t, z = (Var((name,)) for name in "ukytz")
a, b = Var(("m", "a")), Var(("m", "b"))


def op(symbol: str, left: Expr, right: Expr) -> Expr:
    return Binary(symbol, left, right)


def variable(name: str, role: str = "local", **more: Any) -> FunctionVariable:
    return FunctionVariable(name, more.pop("kind", Type(REAL)), role=role, **more)


def function(*body: Statement, **more: Any) -> Function:
    return Function(
        ("f",),
        (
            variable("k", "input"),
            variable("u", "input"),
            variable("y", "output"),
            variable("t", default=op("+", u, Real(1.0))),
        ),
        body,
        **more,
    )


def inlined(made: Function) -> str | None:
    formulas = inline_call(made, (a, b))
    return None if formulas is None else show(formulas[0])


def test_one_assignment() -> None:
    assert inlined(function(Assign(y, op("*", k, u)))) == "m.a*m.b"


def test_defaults_and_steps() -> None:
    made = function(Assign(t, op("*", t, k)), Assign(y, op("+", t, t)))
    assert inlined(made) == "(m.b + 1.0)*m.a + (m.b + 1.0)*m.a"


def test_branches_become_choices() -> None:
    branches = ((op(">", u, k), (Assign(y, u),)), (op("<", u, Real(0.0)), (Assign(y, k),)))
    made = function(Assign(y, Real(0.0)), IfStatement(branches, ()))
    assert inlined(made) == "if m.b > m.a then m.b elseif m.b < 0.0 then m.a else 0.0"
    assert inlined(function(IfStatement(branches[:1], ()))) is None


def test_inner_calls_with_several_outputs() -> None:
    made = function(TupleAssign((None, y), Call(("g",), u)))
    assert inlined(made) == "output(2, g(m.b))"


def test_records_are_built_field_by_field() -> None:
    kind = RecordType(("C",), (("re", Type(REAL)), ("im", Type(REAL))))
    made = Function(
        ("f",),
        (variable("z", "input", kind=Type(kind)), variable("y", "output", kind=Type(kind))),
        (Assign(Field("re", y), Var(("z", "im"))), Assign(Var(("y", "im")), Field("re", y))),
    )
    formulas = inline_call(made, (Record(("C",), ("re", "im"), a, b),))
    assert formulas is not None
    assert show(formulas[0]) == "C(re = m.b, im = m.b)"
    half = Function(("f",), made.variables, made.body[:1])
    assert inline_call(half, (Record(("C",), ("re", "im"), a, b),)) is None


def test_what_is_more_than_a_formula_stays_a_call() -> None:
    assert inlined(function(ForStatement("i", u, ()))) is None
    assert inlined(function(Assign(Index(y, Integer(1)), u))) is None
    assert inlined(function(Assign(y, z))) == "z"  # not a local: a constant from outside
    assert inlined(function(Assign(y, y))) is None
    assert inlined(function(Effect(Assert(FALSE, String("no"))), Assign(y, u))) is None
    assert inlined(function(Assign(y, u), is_impure=True)) is None
    assert inlined(function(external=External("C", "f", None, ()))) is None


def test_defaults_of_locals_are_taken_in_the_order_of_dependence():
    made = Function(
        ("f",),
        (
            variable("k", "input"),
            variable("u", "input"),
            variable("y", "output", default=op("*", t, k)),
            variable("t", default=op("/", Real(1.0), z)),
            variable("z", default=op("+", u, Real(1.0))),
        ),
        (),
    )

    assert inlined(made) == "1.0/(m.b + 1.0)*m.a"


def test_locals_that_need_each_other_are_left_to_the_call():
    made = Function(
        ("f",),
        (
            variable("k", "input"),
            variable("u", "input"),
            variable("y", "output", default=t),
            variable("t", default=z),
            variable("z", default=t),
        ),
        (),
    )

    assert inlined(made) is None
