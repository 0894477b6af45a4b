"""Python text means what the formula means: run beside the evaluator on the same numbers."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from freewheel.base.diagnostics import CompileError
from freewheel.base.names import Name
from freewheel.formula.evaluate import evaluate
from freewheel.formula.nodes import (
    FALSE,
    TRUE,
    Array,
    Binary,
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
from freewheel.formula.python_code import plain_function_code, to_python
from freewheel.formula.python_function import function_text, local_code
from freewheel.formula.python_runtime import NAMES
from freewheel.formula.show import show
from freewheel.formula.statement_nodes import (
    Assert,
    Assign,
    Break,
    CallEquation,
    Effect,
    External,
    ForStatement,
    Function,
    FunctionVariable,
    IfStatement,
    Return,
    TupleAssign,
    WhileStatement,
)
from freewheel.formula.types import BOOLEAN, INTEGER, REAL, RecordType, Type
from freewheel.formula.values import ArrayValue, RecordValue, array_of

x, y, k, b, v, w, m = (Var((name,)) for name in "xykbvwm")
VALUES: dict[str, Any] = {
    "x": 0.62,
    "y": -1.37,
    "k": 2,
    "b": True,
    "v": array_of([1.0, -2.0, 3.0]),
    "w": array_of([0.5, 4.0, -1.0]),
    "m": array_of([[1.0, 2.0, 0.5], [4.0, 5.0, 6.5], [0.0, 1.0, 2.0]]),
}


def op(symbol: str, left: Expr, right: Expr) -> Expr:
    return Binary(symbol, left, right)


def name_code(name: Name) -> str:
    return str(name[0]) + "".join(f"[{part - 1}]" for part in name[1:] if isinstance(part, int))


def to_numpy(value: Any) -> Any:
    return np.array(value.nested()) if isinstance(value, ArrayValue) else value


def run(expr: Expr, arrays: bool = False, **values: Any) -> Any:
    text = to_python(expr, name_code, arrays=arrays)
    return eval(text, {**NAMES, **{name: to_numpy(value) for name, value in values.items()}})


SCALARS = [
    op("-", op("-", x, y), op("-", x, y)),
    op("/", x, op("*", y, op("/", x, y))),
    op("*", op("+", x, y), Unary("-", op("+", x, Integer(-3)))),
    op("^", x, Real(1.5)),
    op("^", y, Integer(2)),
    op("^", op("+", x, y), Integer(2)),
    Unary("-", op("^", y, Integer(3))),
    op("*", Real(-2.0), Unary("-", x)),
    If(op("<", x, y), x, If(b, y, op("/", x, Integer(0)))),
    op("+", If(b, x, y), If(Unary("not", b), x, y)),
    op("or", op("and", b, op(">", x, y)), Unary("not", op("<>", x, y))),
    op("==", op("<", x, y), b),
    Call("mod", y, Real(0.4)),
    Call("rem", y, Real(0.4)),
    Call("div", y, Real(0.4)),
    Call("integer", y),
    Call("floor", y),
    Call("sign", y),
    Call("atan2", x, y),
    Call("max", x, op("*", y, y)),
    Call("semiLinear", y, x, k),
    Call("noEvent", op("+", x, y)),
    Call("smooth", Integer(1), x),
    Call("homotopy", x, y),
    Call("String", x, String("Real"), Integer(10), FALSE),
    op("+", String("x = "), Call("String", x, String("Real"))),
    Literal(("E",), 3, "three"),
    *[Call(name, x) for name in ("sin", "exp", "log", "sqrt", "tanh", "abs", "ceil")],
]


@pytest.mark.parametrize("expr", SCALARS, ids=show)
def test_scalar_text_agrees_with_the_evaluator(expr: Expr) -> None:
    expected = evaluate(expr, lambda name: VALUES[str(name[0])])
    found = run(expr, **VALUES)
    expected = getattr(expected, "index", expected) if not isinstance(expected, str) else expected
    assert found == (pytest.approx(expected) if isinstance(expected, float) else expected)


formulas = st.recursive(
    st.sampled_from([x, y, Real(0.7), Real(-2.0), Integer(-3)]),
    lambda inner: st.one_of(
        st.builds(op, st.sampled_from("+-*"), inner, inner),
        st.builds(lambda a: Unary("-", a), inner),
        st.builds(lambda a: op("^", a, Integer(2)), inner),
        st.builds(lambda a, c, d: If(op("<", a, c), d, a), inner, inner, inner),
        st.builds(lambda a, c: op("/", a, op("+", Real(3.0), Call("sin", c))), inner, inner),
    ),
    max_leaves=12,
)


@settings(max_examples=150)
@given(expr=formulas)
def test_random_text_agrees_with_the_evaluator(expr: Expr) -> None:
    expected = evaluate(expr, lambda name: VALUES[str(name[0])])
    assert run(expr, **VALUES) == pytest.approx(expected)


def test_errors_stay_errors() -> None:
    with pytest.raises(ZeroDivisionError):
        run(op("/", x, Integer(0)), x=1.0)
    with pytest.raises(ZeroDivisionError):
        run(op("^", x, Integer(-1)), x=0.0)
    with pytest.raises(ValueError, match="math domain error"):
        run(Call("sqrt", x), x=-1.0)
    with pytest.raises(ValueError, match="math domain error"):
        run(op("^", x, Real(0.5)), x=-1.0)


def test_text_is_plain() -> None:
    assert to_python(op("*", op("+", x, y), k), name_code) == "(x + y)*k"
    assert to_python(op("^", x, Integer(2)), name_code) == "x*x"
    assert to_python(Real(math.inf), name_code) == 'float("inf")'
    assert to_python(Output(2, Call(("P", "f"), x)), name_code) == "f_P__f(x)[1]"


def test_sums_of_thousands_of_terms_compile() -> None:
    chain: Expr = x
    for i in range(10_000):
        chain = op("-" if i % 2 else "+", chain, y)
    assert run(chain, x=1.0, y=0.5) == 1.0


i, j = Iterator("i"), Iterator("j")
three = Range(Integer(1), Integer(1), Integer(3))
ARRAYS = [
    op("+", v, w),
    op("*", v, w),
    op("*", m, v),
    op("*", m, m),
    op("*", x, v),
    op("^", m, Integer(2)),
    op(".^", v, Integer(2)),
    op("./", v, w),
    Unary("-", m),
    Call("sin", v),
    Call("transpose", m),
    Call("cross", v, w),
    Call("skew", v),
    Call("sum", m),
    Call("product", v),
    Call("max", m),
    Call("min", x, y),
    Call("size", m, Integer(2)),
    Call("size", m),
    Call("zeros", Integer(2), Integer(3)),
    Call("fill", x, Integer(2)),
    Call("cat", Integer(1), v, w),
    Call("linspace", x, y, Integer(4)),
    Call("identity", Integer(2)),
    Index(m, Integer(2), Integer(1)),
    Index(m, k, Colon()),
    Index(m, Colon(), k),
    Index(m, Range(Integer(1), Integer(1), Integer(2)), Array(Integer(3), Integer(1))),
    Index(v, b),
    Array(v, w),
    Range(Integer(3), Integer(-1), Integer(1)),
    Comprehension(("i",), op("*", i, Index(v, i)), three),
    Comprehension(("i", "j"), op("-", i, j), three, Range(Integer(1), Integer(1), Integer(2))),
    Reduction("sum", ("i", "j"), op("*", i, j), three, three),
    Reduction("max", ("i",), Index(w, i), three),
    Reduction("product", ("i",), i, three),
    Field("a", Record(("R",), ("a", "c"), v, w)),
]


@pytest.mark.parametrize("expr", ARRAYS, ids=show)
def test_array_text_agrees_with_the_evaluator(expr: Expr) -> None:
    expected = evaluate(expr, lambda name: VALUES[str(name[0])])
    found = run(expr, arrays=True, **VALUES)
    assert np.shape(found) == np.shape(to_numpy(expected))
    assert found == pytest.approx(to_numpy(expected))


# ---------------------------------------------------------------- functions

REAL_TYPE, INT_TYPE = Type(REAL), Type(INTEGER)
u, n, s, t = (Var((name,)) for name in "unst")


def variable(name: str, role: str = "local", kind: Type = REAL_TYPE, **more: Any) -> Any:
    return FunctionVariable(name, kind, role=role, **more)


def assign(target: Expr, value: Expr) -> Assign:
    return Assign(target, value)


size_u = Call("size", u, Integer(1))
FUNCTIONS = {
    function.name: function
    for function in [
        Function(
            ("fac",),
            (variable("n", "input", INT_TYPE), variable("y", "output", INT_TYPE)),
            (
                IfStatement(
                    ((op("<=", n, Integer(1)), (assign(y, Integer(1)), Return())),),
                    (assign(y, op("*", n, Call(("fac",), op("-", n, Integer(1))))),),
                ),
            ),
        ),
        Function(
            ("sort",),
            (
                variable("u", "input", dims=(None,)),
                variable("y", "output", dims=(size_u,), default=u),
                variable("swaps", "output", INT_TYPE, default=Integer(0)),
                variable("t"),
                variable("go", kind=Type(BOOLEAN), default=TRUE),
            ),
            (
                WhileStatement(
                    Var(("go",)),
                    (
                        assign(Var(("go",)), FALSE),
                        ForStatement(
                            "i",
                            Range(Integer(1), Integer(1), op("-", size_u, Integer(1))),
                            (
                                IfStatement(
                                    (
                                        (
                                            op(
                                                "<=",
                                                Index(y, i),
                                                Index(y, op("+", i, Integer(1))),
                                            ),
                                            (),
                                        ),
                                    ),
                                    (
                                        assign(t, Index(y, i)),
                                        assign(Index(y, i), Index(y, op("+", i, Integer(1)))),
                                        assign(Index(y, op("+", i, Integer(1))), t),
                                        assign(Var(("go",)), TRUE),
                                        assign(
                                            Var(("swaps",)),
                                            op("+", Var(("swaps",)), Integer(1)),
                                        ),
                                    ),
                                ),
                            ),
                        ),
                    ),
                ),
            ),
        ),
        Function(
            ("spread",),
            (
                variable("u", "input", dims=(None,)),
                variable("y", "output"),
                variable("t", dims=(size_u,)),
                variable("s", kind=INT_TYPE),
            ),
            (
                TupleAssign((t, s), Call(("sort",), u)),
                assign(y, op("-", Index(t, size_u), Index(t, Integer(1)))),
                assign(y, op("+", y, s)),
            ),
        ),
        Function(
            ("polar",),
            (
                variable("u", "input"),
                variable(
                    "z",
                    "output",
                    Type(RecordType(("C",), (("re", REAL_TYPE), ("v", Type(REAL, (2,)))))),
                ),
            ),
            (
                assign(Field("re", Var(("z",))), Call("cos", u)),
                assign(Index(Field("v", Var(("z",))), Integer(2)), Field("re", Var(("z",)))),
                assign(Var(("z", "v", 1)), u),
            ),
        ),
        Function(
            ("slices",),
            (
                variable("u", "input", dims=(None,)),
                variable("y", "output", dims=(Integer(2), size_u)),
            ),
            (
                assign(Index(y, Integer(1), Colon()), op("*", Integer(2), u)),
                assign(Index(y, Integer(2), Range(Integer(1), Integer(1), size_u)), u),
                assign(Index(y, Integer(2), Integer(1)), Real(9.0)),
            ),
        ),
        Function(
            ("scaled",),
            (variable("k", "input"), variable("u", "input"), variable("y", "output")),
            (assign(y, op("*", k, u)),),
        ),
        Function(
            ("twice",),
            (variable("f", "input"), variable("u", "input"), variable("y", "output")),
            (assign(y, Call(("f",), Call(("f",), u))),),
        ),
        Function(
            ("early",),
            (variable("u", "input"), variable("y", "output", default=Real(0.0))),
            (
                ForStatement(
                    "i",
                    Range(Integer(1), Integer(1), Integer(10)),
                    (
                        assign(y, op("+", y, i)),
                        IfStatement(((op(">", y, u), (Break(),)),), ()),
                    ),
                ),
                Effect(Assert(op("<", y, Real(50.0)), String("too far"))),
                Effect(CallEquation(Call(("scaled",), u, y))),
            ),
        ),
        Function(
            ("length",),
            (variable("u", "input"), variable("y", "output", INT_TYPE)),
            external=External("C", "ModelicaStrings_length", y, (u,)),
        ),
        Function(
            ("missing",),
            (variable("y", "output", INT_TYPE),),
            external=External("C", "not_there", y, ()),
        ),
    ]
}


def compiled() -> dict[str, Any]:
    names = dict(NAMES)
    for function in FUNCTIONS.values():
        exec(function_text(function), names)
    return names


def plain(value: Any) -> Any:
    if isinstance(value, RecordValue):
        return {name: plain(part) for name, part in value.fields}
    return to_numpy(value)


@pytest.mark.parametrize(
    "call",
    [
        Call(("fac",), Integer(6)),
        Call(("sort",), Array(Real(3.0), Real(1.0), Real(2.0))),
        Output(2, Call(("sort",), Array(Real(3.0), Real(1.0), Real(2.0)))),
        Call(("spread",), Array(Real(3.0), Real(1.0), Real(2.0))),
        Field("re", Call(("polar",), Real(0.3))),
        Field("v", Call(("polar",), Real(0.3))),
        Call(("slices",), Array(Real(3.0), Real(1.0))),
        Call(("twice",), PartialFunction(("scaled",), ("k",), Real(3.0)), Real(2.0)),
        Call(("early",), Real(7.0)),
        Call(("length",), String("abcd")),
    ],
    ids=show,
)
def test_functions_agree_with_the_interpreter(call: Expr) -> None:
    expected = plain(evaluate(call, functions=lambda name: FUNCTIONS[name]))
    found = eval(to_python(call, name_code), compiled())
    assert found == pytest.approx(expected)


def test_integers_from_a_memory_of_floats() -> None:
    assert eval("f_fac(5.0)[0]", compiled()) == 120


def test_assignment_copies() -> None:
    names = compiled()
    original = np.array([3.0, 1.0, 2.0])
    names["u"] = original
    eval("f_sort(u)", names)
    assert original.tolist() == [3.0, 1.0, 2.0]


def test_failures_are_told() -> None:
    names = compiled()
    with pytest.raises(CompileError, match="too far"):
        eval("f_early(1000.0)", names)
    with pytest.raises(CompileError, match="not_there"):
        eval("f_missing()", names)


def test_names_are_identifiers() -> None:
    assert local_code("x") == "v_x"
    assert local_code("'a b'").isidentifier()
    assert plain_function_code(("A", "f")) == "f_A__f"
    assert plain_function_code(("Complex", "'-'", "negate")).isidentifier()
    assert to_python(FunctionRef(("A", "f")), name_code) == "f_A__f"


BIG = 3_000_000


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("blank((BIG, 2), lambda: 0.0)", "an array of dimensions"),
        ("blank((BIG, 2), lambda: {'x': blank((), lambda: 0.0)})", "an array of dimensions"),
        ("cat(1, zeros(BIG), zeros(BIG))", "an array of dimensions"),
        ("fill(zeros(1000), BIG)", "an array of dimensions"),
        ("times(array([[1.0]]).repeat(3000, 0), array([[1.0]]).repeat(3000, 1))", "an array of"),
        ("promote(1.0, 1000 * BIG)", "dimensions is too large"),
        ("blank((-1,), lambda: 0.0)", "a dimension must be an Integer >= 0, not -1"),
    ],
)
def test_no_array_grows_without_end_while_a_model_runs(text: str, said: str) -> None:
    with pytest.raises(CompileError) as caught:
        eval(text, {**NAMES, "BIG": BIG})
    assert said in caught.value.diagnostics[0].message
