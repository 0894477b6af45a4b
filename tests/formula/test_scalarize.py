"""Taking apart changes no value: scalars evaluate to the elements of the whole."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from freewheel.base.diagnostics import CompileError
from freewheel.base.limits import sized
from freewheel.base.names import Name
from freewheel.formula.evaluate import evaluate
from freewheel.formula.nodes import (
    FALSE,
    ONE,
    TRUE,
    Array,
    Binary,
    Call,
    Colon,
    Comprehension,
    Expr,
    Field,
    If,
    Index,
    Integer,
    Iterator,
    Output,
    Range,
    Real,
    Record,
    Reduction,
    Unary,
    Var,
)
from freewheel.formula.scalar_type import type_of
from freewheel.formula.scalarize import scalarize, scalars_of
from freewheel.formula.shape import dims_of
from freewheel.formula.show import show
from freewheel.formula.statement_nodes import (
    Assign,
    DerivativeInfo,
    Function,
    FunctionVariable,
)
from freewheel.formula.types import BOOLEAN, INTEGER, REAL, RecordType, Type
from freewheel.formula.values import ArrayValue, array_of, select, to_expr

s, v, w, m, n, k = (Var((name,)) for name in "svwmnk")
DIMS: dict[Name, tuple[int, ...]] = {("v",): (3,), ("w",): (3,), ("m",): (2, 3), ("n",): (3, 3)}
VALUES: dict[Name, Any] = {
    ("s",): 2.0,
    ("k",): 2,
    ("v",): array_of([1.0, -2.0, 3.0]),
    ("w",): array_of([0.5, 4.0, -1.0]),
    ("m",): array_of([[1.0, 2.0, 3.0], [4.0, 5.0, 6.5]]),
    ("n",): array_of([[1.0, 2.0, 0.0], [-1.0, 0.5, 3.0], [2.0, 2.0, 1.0]]),
}


def dims(name: Name) -> tuple[int, ...]:
    return DIMS.get(name, ())


def lookup(name: Name) -> Any:
    if name in VALUES:
        return VALUES[name]
    return select(VALUES[name[:1]], name[1:])  # type: ignore[arg-type]


def op(symbol: str, left: Expr, right: Expr) -> Expr:
    return Binary(symbol, left, right)


def constant(nested: Any) -> Expr:
    return to_expr(array_of(nested))


def texts(expr: Expr, *functions: Function) -> list[str]:
    table = {function.name: function for function in functions}
    return [show(part) for part in scalars_of(expr, dims, table.get)]


i, j = Iterator("i"), Iterator("j")
one_to_3 = Range(Integer(1), Integer(1), Integer(3))

CASES = [
    op("+", v, w),
    op("-", v, op("*", s, w)),
    op("*", v, w),
    op("*", m, v),
    op("*", v, n),
    op("*", m, n),
    op("/", v, s),
    op("^", n, Integer(3)),
    op(".*", v, w),
    op("./", s, w),
    op(".^", v, Integer(2)),
    op(".+", s, m),
    Unary("-", m),
    If(op(">", s, Real(1.0)), v, w),
    If(TRUE, v, m),
    Call("sin", v),
    Call("atan2", v, s),
    Call("transpose", m),
    Call("cross", v, w),
    Call("skew", v),
    Call("outerProduct", v, w),
    Call("diagonal", v),
    Call("identity", Integer(2)),
    Call("symmetric", n),
    Call("sum", m),
    Call("product", v),
    Call("min", w),
    Call("max", m),
    Call("max", s, Integer(7)),
    Call("fill", s, Integer(2), Integer(2)),
    Call("linspace", s, Real(4.0), Integer(3)),
    Call("cat", Integer(2), m, m),
    Call("cat", Integer(1), v, w),
    Call("vector", Call("matrix", v)),
    Call("scalar", Call("fill", s, Integer(1), Integer(1))),
    Call("promote", v, Integer(2)),
    Call("array", v, w),
    Call("size", m),
    Call("size", m, Integer(2)),
    Call("ndims", m),
    Array(v, w),
    one_to_3,
    Index(v, Integer(2)),
    Index(m, Integer(2)),
    Index(m, Colon(), Integer(1)),
    Index(m, Integer(1), Range(Integer(2), Integer(1), Integer(3))),
    Index(n, constant([3, 1]), Colon()),
    Index(v, k),
    Index(n, k, Integer(1)),
    Index(n, k, k),
    Index(op("+", v, w), Integer(3)),
    Index(v, op(">", s, Real(0.0))),
    Comprehension(("i",), op("*", i, Index(v, i)), one_to_3),
    Comprehension(
        ("i", "j"),
        op("*", Index(m, j, i), s),
        one_to_3,
        Range(Integer(1), Integer(1), Integer(2)),
    ),
    Comprehension(("i",), Comprehension(("j",), op("+", i, j), one_to_3), one_to_3),
    Comprehension(("i",), i, v),
    Comprehension(
        ("i",),
        Reduction("sum", ("j",), j, Range(Integer(1), Integer(1), i)),
        one_to_3,
    ),
    Reduction("sum", ("i",), op("*", Index(v, i), Index(w, i)), one_to_3),
    Reduction("max", ("i",), Index(v, i), one_to_3),
    Reduction("sum", ("i",), Index(v, i), Range(Integer(2), Integer(1), Integer(1))),
    Call("noEvent", v),
    Call("smooth", Integer(1), v),
]


@pytest.mark.parametrize("expr", CASES, ids=show)
def test_scalars_have_the_values_of_the_whole(expr: Expr) -> None:
    expected = evaluate(expr, lookup)
    assert dims_of(expr, dims) == (expected.dims if isinstance(expected, ArrayValue) else ())
    found = [evaluate(part, lookup) for part in scalars_of(expr, dims)]
    elements = expected.elements if isinstance(expected, ArrayValue) else (expected,)
    assert found == pytest.approx(list(elements))


vectors = st.recursive(
    st.sampled_from([v, w, op("*", n, w)]),
    lambda inner: st.one_of(
        st.builds(lambda a, b: op("+", a, b), inner, inner),
        st.builds(lambda a, b: op("-", a, b), inner, inner),
        st.builds(lambda a, b: op(".*", a, b), inner, inner),
        st.builds(lambda a, b: op("*", op("*", a, b), w), inner, inner),
        st.builds(lambda a: op("*", n, a), inner),
        st.builds(lambda a: Unary("-", a), inner),
        st.builds(lambda a: op("/", a, s), inner),
        st.builds(lambda a, b: Call("cross", a, b), inner, inner),
        st.builds(lambda a, b: If(op("<", Index(a, Integer(1)), s), a, b), inner, inner),
    ),
    max_leaves=6,
)


@settings(max_examples=60)
@given(expr=vectors)
def test_random_vector_formulas_keep_their_values(expr: Expr) -> None:
    expected = evaluate(expr, lookup)
    assert isinstance(expected, ArrayValue)
    found = [evaluate(part, lookup) for part in scalars_of(expr, dims)]
    assert found == pytest.approx(list(expected.elements), rel=1e-9, abs=1e-9)


def test_the_result_is_nested_by_rows() -> None:
    assert scalarize(m, dims) == (
        (Var(("m", 1, 1)), Var(("m", 1, 2)), Var(("m", 1, 3))),
        (Var(("m", 2, 1)), Var(("m", 2, 2)), Var(("m", 2, 3))),
    )
    assert scalarize(op("+", s, Real(0.0)), dims) is s


def test_operators_of_time_reach_the_elements() -> None:
    assert texts(Call("der", v)) == ["der(v[1])", "der(v[2])", "der(v[3])"]
    assert texts(op("-", Call("pre", Index(v, Integer(2))), s)) == ["pre(v[2]) - s"]


def test_zeros_in_matrices_leave_no_trace() -> None:
    rotation = constant([[1, 0], [0, 1]])
    assert texts(op("*", rotation, Array(s, k))) == ["s", "k"]


def test_a_subscript_known_at_run_time_becomes_a_chain() -> None:
    assert texts(Index(v, k)) == ["if k == 1 then v[1] elseif k == 2 then v[2] else v[3]"]


def test_long_sums_need_no_stack() -> None:
    chain: Expr = s
    for _ in range(10_000):
        chain = op("+", chain, k)
    assert len(scalars_of(chain, dims)) == 1


# ---------------------------------------------------------------- calls of functions

COMPLEX = RecordType(("C",), (("re", Type(REAL)), ("im", Type(REAL)), ("v", Type(REAL, (2,)))))


def function(outputs: tuple[FunctionVariable, ...], *inputs: FunctionVariable) -> Function:
    return Function(("f",), (*inputs, *outputs))


def given_input(name: str, rank: int = 0) -> FunctionVariable:
    return FunctionVariable(name, Type(REAL), (None,) * rank, role="input")


def output(name: str, *sizes: Expr | None, scalar: Any = REAL) -> FunctionVariable:
    return FunctionVariable(name, Type(scalar), sizes, role="output")


def test_elements_of_an_array_result_share_one_call() -> None:
    f = function((output("y", Call("size", Var(("u",)), Integer(1))),), given_input("u", 1))
    assert texts(Call(("f",), v), f) == [f"(f({{v[1], v[2], v[3]}}))[{at}]" for at in (1, 2, 3)]
    assert dims_of(op("*", m, Call(("f",), v)), dims, {("f",): f}.get) == (2,)


def test_later_outputs_and_sizes_from_scalar_inputs() -> None:
    f = function((output("y"), output("z", Var(("count",)))), given_input("count"))
    assert texts(Output(2, Call(("f",), Integer(2))), f) == [
        "(output(2, f(2)))[1]",
        "(output(2, f(2)))[2]",
    ]
    assert texts(Output(1, Call(("f",), Integer(2))), f) == ["f(2)"]


def test_record_results_come_field_by_field() -> None:
    f = function((output("y", scalar=COMPLEX),), given_input("u"))
    call = Call(("f",), s)
    assert texts(call, f) == ["(f(s)).re", "(f(s)).im", "((f(s)).v)[1]", "((f(s)).v)[2]"]
    assert texts(Field("im", call), f) == ["(f(s)).im"]
    assert texts(Field("v", call), f) == ["((f(s)).v)[1]", "((f(s)).v)[2]"]
    assert dims_of(Field("v", call), dims, {("f",): f}.get) == (2,)


def test_scalar_functions_are_repeated_over_arrays() -> None:
    f = function((output("y"),), given_input("a"), given_input("b"))
    assert texts(Call(("f",), v, s), f) == [f"f(v[{at}], s)" for at in (1, 2, 3)]


def test_records_and_branches() -> None:
    left = Record(("R",), ("a", "b"), s, v)
    right = Record(("R",), ("a", "b"), k, w)
    assert texts(Field("b", left)) == ["v[1]", "v[2]", "v[3]"]
    assert texts(If(op("<", s, k), left, right))[:2] == [
        "if s < k then s else k",
        "if s < k then v[1] else w[1]",
    ]
    assert texts(Field("a", Array(left, right))) == ["s", "k"]


@pytest.mark.parametrize(
    ("expr", "terms"),
    [
        (op("*", n, n), 27),
        (op("*", m, n), 18),
        (op("^", n, Integer(2)), 54),
        (op("*", v, w), 3),
        (Call("outerProduct", v, w), 9),
    ],
)
def test_products_have_as_many_terms_as_are_allowed(expr: Expr, terms: int) -> None:
    with sized(terms):
        scalarize(expr, dims)
    with sized(terms - 1), pytest.raises(CompileError) as error:
        scalarize(expr, dims)
    assert error.value.diagnostics[0].code == "U111"


@pytest.mark.parametrize(
    ("expr", "code"),
    [
        (op("+", v, m), "N907"),
        (op("*", m, m), "N907"),
        (Index(v, Integer(4)), "N905"),
        (Index(m, Integer(1), Integer(1), Integer(1)), "N907"),
        (If(op("<", s, k), v, m), "N907"),
        (Call("zeros", k), "N912"),
        (Call("size", m, Integer(3)), "N907"),
    ],
)
def test_mistakes_are_told(expr: Expr, code: str) -> None:
    with pytest.raises(CompileError) as error:
        scalarize(expr, dims)
    assert error.value.diagnostics[0].code == code


# ---------------------------------------------------------------- scalar types


@pytest.mark.parametrize(
    ("expr", "kind"),
    [
        (op("+", k, Integer(1)), INTEGER),
        (op("+", k, s), REAL),
        (op("/", k, k), REAL),
        (op("<", k, s), BOOLEAN),
        (op("and", TRUE, FALSE), BOOLEAN),
        (Call("size", v, Integer(1)), INTEGER),
        (Call("mod", k, Integer(2)), INTEGER),
        (Call("sin", k), REAL),
        (Call("edge", TRUE), BOOLEAN),
        (If(TRUE, k, s), REAL),
        (Index(Array(k, k), Integer(1)), INTEGER),
    ],
)
def test_scalar_types(expr: Expr, kind: object) -> None:
    assert type_of(expr, lambda name: INTEGER if name == ("k",) else REAL) == kind


# ---------------------------------------------------------------- functions put in place


def inline_function(value: Expr, *variables: FunctionVariable, **more: Any) -> Function:
    body = (Assign(Var(("y",)), value),)
    return Function(("f",), (*variables, *more.pop("outputs", (output("y"),))), body, inline=True)


def test_marked_functions_are_put_in_place() -> None:
    f = inline_function(op("*", Var(("a",)), Var(("b",))), given_input("a"), given_input("b"))
    assert texts(Call(("f",), s, k), f) == ["s*k"]
    assert texts(Call(("f",), v, s), f) == ["v[1]*s", "v[2]*s", "v[3]*s"]


def test_array_formulas_are_put_in_place() -> None:
    a, b = Var(("a",)), Var(("b",))
    f = inline_function(
        op("*", a, op("*", Integer(2), b)),
        given_input("a", 2),
        given_input("b", 1),
        outputs=(output("y", Call("size", a, Integer(1))),),
    )
    assert texts(Call(("f",), m, v), f) == [
        f"m[{i},1]*(2*v[1]) + m[{i},2]*(2*v[2]) + m[{i},3]*(2*v[3])" for i in (1, 2)
    ]
    f = inline_function(op("*", a, b), given_input("a", 1), given_input("b", 1))
    assert texts(Call(("f",), v, w), f) == ["v[1]*w[1] + v[2]*w[2] + v[3]*w[3]"]


def test_recursive_functions_and_those_with_derivatives_stay_calls() -> None:
    recursive = inline_function(Call(("f",), op("-", Var(("a",)), ONE)), given_input("a"))
    assert texts(Call(("f",), s), recursive) == ["f(s - 1.0)"]
    f = inline_function(Var(("a",)), given_input("a"))
    known = replace(f, derivatives=(DerivativeInfo(("f_der",)),))
    assert texts(Call(("f",), s), known) == ["f(s)"]


def test_parameters_may_decide_sizes_but_nothing_else() -> None:
    asked: list[Name] = []

    def values(name: Name) -> Any:
        asked.append(name)
        return VALUES[name]

    def found(expr: Expr) -> list[str]:
        return [show(part) for part in scalars_of(expr, dims, values=values)]

    up_to_k = Range(Integer(1), Integer(1), k)
    assert found(Comprehension(("i",), op("*", i, s), up_to_k)) == ["s", "2*s"]
    assert found(Index(v, up_to_k)) == ["v[1]", "v[2]"]
    assert found(If(op(">", k, Integer(1)), v, Array(s)))[:2] == ["v[1]", "v[2]"]
    assert set(asked) == {("k",)}
    asked.clear()
    assert found(If(op(">", k, Integer(1)), s, k)) == ["if k > 1 then s else k"]
    assert found(Index(v, k))[0].startswith("if k == 1")
    assert not asked


def test_a_constructor_without_code_is_its_defaults() -> None:
    f = Function(
        ("f",),
        (given_input("a"), replace(output("y"), default=op("+", Var(("a",)), ONE))),
        inline=True,
    )
    assert texts(Call(("f",), s), f) == ["s + 1.0"]


def test_a_function_called_for_its_effect_stays_a_call() -> None:
    check = Function(("check",), (given_input("u", 1),))
    assert texts(Call(("check",), v), check) == ["check({v[1], v[2], v[3]})"]
