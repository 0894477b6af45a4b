"""Symbolic derivatives against finite differences, formulas and functions alike."""

import math
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from freewheel.base.diagnostics import CompileError
from freewheel.base.names import ClassName, Name
from freewheel.formula.differentiate import partial, time_derivative
from freewheel.formula.evaluate import evaluate
from freewheel.formula.function_derivatives import FunctionDerivatives
from freewheel.formula.nodes import (
    ONE,
    TIME,
    ZERO,
    Array,
    Binary,
    Boolean,
    Call,
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
    Unary,
    Var,
)
from freewheel.formula.show import show
from freewheel.formula.statement_nodes import (
    Assign,
    DerivativeInfo,
    External,
    ForStatement,
    Function,
    FunctionVariable,
    IfStatement,
    TupleAssign,
    WhileStatement,
)
from freewheel.formula.types import BOOLEAN, INTEGER, REAL, RecordType, Type

x, y, u, v = (Var((name,)) for name in "xyuv")
dx, dy = Var(("dx",)), Var(("dy",))


def op(symbol: str, left: Expr, right: Expr) -> Expr:
    return Binary(symbol, left, right)


def moving(var: Var) -> Expr:
    return {x: dx, y: dy}.get(var, ZERO)


def number(expr: Expr, functions: Any = None, **values: float) -> float:
    def find(name: ClassName) -> Function:
        found = functions(name)
        assert found is not None
        return found  # type: ignore[no-any-return]

    def lookup(name: Name) -> float:
        return values[str(name[0])]

    result = evaluate(expr, lookup, find)
    assert isinstance(result, int | float)
    return float(result)


@pytest.mark.parametrize(
    "expr",
    [
        op("*", x, y),
        op("/", op("+", x, Real(1.0)), op("+", y, x)),
        op("^", x, Integer(3)),
        op("^", x, Real(0.5)),
        op("^", op("+", x, Real(2.0)), y),
        op("^", Real(2.0), y),
        Unary("-", op("-", x, op("*", Integer(2), y))),
        *[Call(name, x) for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log")],
        *[Call(name, x) for name in ("asin", "acos", "atan", "sqrt", "log10", "abs")],
        Call("abs", Unary("-", x)),
        Call("atan2", y, x),
        Call("atan2", x, op("-", x, y)),
        Call("min", x, y),
        Call("max", op("*", x, x), y),
        Call("mod", x, Real(0.3)),
        Call("rem", x, op("*", y, Real(0.1))),
        Call("semiLinear", op("-", x, Real(0.9)), y, x),
        Call("noEvent", op("*", x, x)),
        Call("smooth", Integer(2), op("*", x, x)),
        Call("homotopy", op("*", x, x), x),
        If(op("<", x, y), op("*", x, x), op("*", y, x)),
        op("*", x, Call("floor", x)),
        Call("sin", op("*", Call("exp", op("*", x, y)), TIME)),
        Index(Array(op("*", x, x), y), Integer(1)),
    ],
    ids=show,
)
def test_derivatives_agree_with_finite_differences(expr: Expr) -> None:
    at = {"x": 0.62, "y": 1.37, "time": 0.4}
    speed = {"x": 0.8, "y": -0.3, "time": 1.0}
    h = 1e-6

    def shifted(step: float) -> float:
        return number(expr, **{name: value + step * speed[name] for name, value in at.items()})

    expected = (shifted(h) - shifted(-h)) / (2 * h)
    whole = number(time_derivative(expr, moving), **at, dx=speed["x"], dy=speed["y"])
    assert whole == pytest.approx(expected, rel=1e-6, abs=1e-7)
    parts = sum(number(partial(expr, var), **at) * speed[str(var.name[0])] for var in (x, y, TIME))
    assert parts == pytest.approx(expected, rel=1e-6, abs=1e-7)


smooth_formulas = st.recursive(
    st.sampled_from([x, y, Real(0.7), Real(2.0)]),
    lambda inner: st.one_of(
        st.builds(op, st.sampled_from("+-*"), inner, inner),
        st.builds(Call, st.sampled_from(["sin", "cos", "tanh", "atan"]), inner),
        st.builds(lambda a, b: op("/", a, op("+", Real(3.0), Call("sin", b))), inner, inner),
        st.builds(lambda a: op("^", a, Integer(2)), inner),
    ),
    max_leaves=8,
)


@settings(max_examples=80)
@given(expr=smooth_formulas)
def test_random_formulas(expr: Expr) -> None:
    at = {"x": 0.62, "y": 1.37}
    h = 1e-5
    above, below = ({**at, "x": at["x"] + s} for s in (h, -h))
    expected = (number(expr, **above) - number(expr, **below)) / (2 * h)
    assume(abs(expected) < 1e4)
    assert number(partial(expr, x), **at) == pytest.approx(expected, rel=1e-5, abs=1e-5)


def test_results_are_tidy() -> None:
    assert show(time_derivative(op("*", x, x), moving)) == "2*x*dx"
    assert show(time_derivative(op("*", u, x), moving)) == "u*dx"
    assert show(time_derivative(op("/", x, u), moving)) == "dx/u"
    assert show(time_derivative(op("-", u, y), moving)) == "-dy"
    assert partial(op("+", op("*", u, x), y), x) is u
    assert partial(op("<", x, y), x) is ZERO
    assert time_derivative(Call("pre", x), moving) is ZERO
    assert time_derivative(TIME, moving) is ONE
    assert partial(Call("der", x), Call("der", x)) is ONE
    assert show(time_derivative(Call("delay", x, Real(1.0)), moving)) == "delay(dx, 1.0)"


def test_long_chains_need_no_stack() -> None:
    chain: Expr = x
    for _ in range(5_000):
        chain = op("+", chain, x)
    assert number(partial(chain, x)) == 5_001


# ---------------------------------------------------------------- functions


def variable(name: str, role: str = "local", **more: Any) -> FunctionVariable:
    return FunctionVariable(name, more.pop("kind", Type(REAL)), role=role, **more)


def assign(target: str | Expr, value: Expr) -> Assign:
    return Assign(Var((target,)) if isinstance(target, str) else target, value)


def library(*functions: Function) -> FunctionDerivatives:
    return FunctionDerivatives({f.name: f for f in functions}.get)


def check(call: Expr, derivatives: FunctionDerivatives, **at: float) -> None:
    """The derivative along dx = 0.8, dy = -0.3 against a finite difference."""
    speed, h = {"x": 0.8, "y": -0.3}, 1e-6

    def shifted(step: float) -> float:
        values = {name: value + step * speed[name] for name, value in at.items()}
        return number(call, derivatives.function, **values)

    change = time_derivative(call, moving, derivatives)
    found = number(change, derivatives.function, **at, dx=0.8, dy=-0.3)
    assert found == pytest.approx((shifted(h) - shifted(-h)) / (2 * h), rel=1e-6, abs=1e-8)


POLYNOMIAL = Function(
    ("poly",),
    (
        variable("c", "input", dims=(None,)),
        variable("u", "input"),
        variable("y", "output", default=Real(0.0)),
    ),
    (
        ForStatement(
            "i",
            Range(Integer(1), Integer(1), Call("size", Var(("c",)), Integer(1))),
            (assign("y", op("+", op("*", y, u), Index(Var(("c",)), Iterator("i")))),),
        ),
    ),
)


def test_one_formula_is_differentiated_in_place() -> None:
    square = Function(
        ("sq",), (variable("u", "input"), variable("y", "output")), (assign("y", op("*", u, u)),)
    )
    derivatives = library(square)
    assert show(time_derivative(Call(("sq",), x), moving, derivatives)) == "2*x*dx"
    assert not derivatives.generated


def test_loops_are_differentiated_as_code() -> None:
    derivatives = library(POLYNOMIAL)
    call = Call(("poly",), Array(x, Real(2.0), op("*", x, y)), op("+", x, y))
    check(call, derivatives, x=0.4, y=1.2)
    assert list(derivatives.generated) == [("poly", "der")]


def test_branches_while_loops_and_calls_inside() -> None:
    newton = Function(
        ("root",),
        (variable("u", "input"), variable("y", "output"), variable("n", kind=Type(INTEGER))),
        (
            assign("n", Integer(0)),
            assign("y", Real(1.0)),
            WhileStatement(
                op("<", Var(("n",)), Integer(30)),
                (
                    assign("y", op("*", Real(0.5), op("+", y, op("/", u, y)))),
                    assign("n", op("+", Var(("n",)), Integer(1))),
                ),
            ),
        ),
    )
    outer = Function(
        ("outer",),
        (variable("u", "input"), variable("y", "output")),
        (
            IfStatement(
                ((op(">", u, Real(1.0)), (assign("y", Call(("root",), op("*", u, u))),)),),
                (assign("y", Call(("root",), u)), assign("y", op("*", y, y))),
            ),
        ),
    )
    derivatives = library(newton, outer)
    check(Call(("outer",), x), derivatives, x=2.3)
    check(Call(("outer",), x), derivatives, x=0.3)
    assert time_derivative(Call(("root",), u), moving, derivatives) is ZERO


def test_several_outputs_arrays_and_tuples() -> None:
    a, w = Var(("A",)), Var(("w",))
    size = Call("size", a, Integer(1))
    product = Function(
        ("times",),
        (
            variable("A", "input", dims=(None, None)),
            variable("w", "input", dims=(None,)),
            variable("y", "output", dims=(size,)),
            variable("norm", "output"),
        ),
        (assign("y", op("*", a, Call("sin", w))), assign("norm", op("*", y, y))),
    )
    caller = Function(
        ("caller",),
        (variable("u", "input"), variable("z", "output"), variable("y", dims=(Integer(2),))),
        (
            TupleAssign(
                (y, Var(("z",))),
                Call(("times",), Array(Array(u, ONE), Array(ONE, u)), Array(u, op("*", u, u))),
            ),
            assign("z", op("+", Var(("z",)), Index(y, Integer(1)))),
        ),
    )
    derivatives = library(product, caller)
    matrix = Array(Array(x, y), Array(ONE, op("*", x, x)))
    call = Call(("times",), matrix, Array(y, x))
    check(Index(call, Integer(2)), derivatives, x=0.7, y=1.1)
    check(Output(2, call), derivatives, x=0.7, y=1.1)
    check(Call(("caller",), x), derivatives, x=0.7)


def test_records() -> None:
    kind = RecordType(("C",), (("re", Type(REAL)), ("im", Type(REAL))))
    z = Var(("z",))
    power = Function(
        ("cis",),
        (variable("u", "input"), variable("z", "output", kind=Type(kind))),
        (
            assign(Field("re", z), Call("cos", u)),
            ForStatement(
                "i",
                Range(Integer(1), Integer(1), Integer(2)),
                (assign(Field("im", z), op("*", Call("sin", u), Field("re", z))),),
            ),
        ),
    )
    check(Field("im", Call(("cis",), op("*", x, x))), library(power), x=0.7)


MIXED = RecordType(
    ("Point",), (("d", Type(REAL)), ("is_hot", Type(BOOLEAN)), ("phase", Type(INTEGER)))
)


def test_reals_beside_booleans_in_a_record_change() -> None:
    """(The change of the record was the record itself.)"""
    p, labels = Var(("p",)), ("d", "is_hot", "phase")
    at = Function(
        ("at",),
        (variable("u", "input"), variable("p", "output", kind=Type(MIXED))),
        (
            assign(Field("is_hot", p), op(">", u, Real(0.5))),
            assign(Field("phase", p), Integer(2)),
            assign(Field("d", p), op("*", u, op("*", u, Field("phase", p)))),
        ),
    )
    through = Function(
        ("through",),
        (
            variable("p", "input", kind=Type(MIXED)),
            variable("y", "output"),
            variable("q", kind=Type(MIXED)),
        ),
        (
            assign(
                "q",
                If(
                    Field("is_hot", p),
                    p,
                    Record(("Point",), labels, ONE, Boolean(False), Integer(1)),
                ),
            ),
            assign(
                "y", op("*", Field("phase", Var(("q",))), op("*", Field("d", p), Field("d", p)))
            ),
        ),
    )
    whole = Function(
        ("whole",),
        (variable("u", "input"), variable("y", "output"), variable("p", kind=Type(MIXED))),
        (assign("p", Call(("at",), u)), assign("y", Call(("through",), p))),
    )
    derivatives = library(at, through, whole)
    check(Field("d", Call(("at",), op("*", x, x))), derivatives, x=0.8)
    check(Call(("whole",), x), derivatives, x=0.8)
    made = Record(("Point",), labels, op("*", x, y), Boolean(True), Integer(3))
    check(Call(("through",), made), derivatives, x=0.8, y=1.3)


def test_constant_tables_and_parts_that_do_not_change() -> None:
    kind = RecordType(("C",), (("re", Type(REAL)), ("v", Type(REAL, (2,)))))
    a, z = Var(("a",)), Var(("z",))
    table = Array(Real(1.0), Real(2.0))
    record = Record(("C",), ("re", "v"), Real(1.0), table)
    f = Function(
        ("f",),
        (
            variable("u", "input"),
            variable("y", "output", default=Real(0.0)),
            variable("a", dims=(None,), default=table),
            variable("z", kind=Type(kind), default=record),
            variable("c", is_constant=True, default=Real(3.0)),
        ),
        (
            ForStatement(
                "i",
                Range(Integer(1), Integer(1), Integer(2)),
                (
                    assign(
                        "y", op("+", y, op("*", Index(a, Iterator("i")), op("^", u, Integer(2))))
                    ),
                ),
            ),
            assign("z", record),
            assign("y", op("+", y, op("*", Index(Field("v", z), Integer(2)), u))),
            assign("y", op("*", y, Var(("c",)))),
        ),
    )
    derivatives = library(f)
    check(Call(("f",), x), derivatives, x=0.7)
    made = derivatives.generated[("f", "der")]
    assert "der_c" not in {v.name for v in made.variables}


def test_a_function_without_code_is_its_defaults() -> None:
    f = Function(("f",), (variable("u", "input"), variable("y", "output", default=op("*", u, u))))
    check(Call(("f",), x), library(f), x=0.7)
    made = library(f).derivative_of(f)
    assert [v.name for v in made.outputs()] == ["der_y"]


def test_annotations_come_first() -> None:
    inputs = (variable("u", "input"), variable("p", "input"))
    changes = (variable("du", "input"),)
    f = Function(
        ("f",),
        (*inputs, variable("y", "output")),
        external=External("C", "f", None, ()),
        derivatives=(
            DerivativeInfo(("never",), zero_derivative=("u",)),
            DerivativeInfo(("f_u",), zero_derivative=("p",)),
            DerivativeInfo(("f_up",)),
        ),
    )
    f_u = Function(
        ("f_u",),
        (*inputs, *changes, variable("y", "output")),
        derivatives=(DerivativeInfo(("f_uu",), order=2, zero_derivative=("p",)),),
    )
    f_uu = Function(("f_uu",), (*inputs, *changes, variable("d2u", "input")))
    derivatives = library(f, f_u, f_uu)
    call = Call(("f",), x, v)
    first = time_derivative(call, moving, derivatives)
    assert show(first) == "f_u(x, v, dx)"
    assert show(time_derivative(Call(("f",), x, y), moving, derivatives)) == "f_up(x, y, dx, dy)"
    ddx = Var(("ddx",))
    second = time_derivative(first, lambda var: {x: dx, dx: ddx}.get(var, ZERO), derivatives)
    assert show(second) == "f_uu(x, v, dx, ddx)"


def test_partial_derivative_functions() -> None:
    f = Function(
        ("f",),
        (variable("u", "input"), variable("v", "input"), variable("y", "output")),
        (assign("y", op("*", op("*", u, u), Call("sin", v))),),
    )
    g = Function(("g",), (), partial_derivative_of=(("f",), ("u", "v")))
    made = library(f).partial_function(g)
    functions = {made.name: made}.get
    found = number(Call(("g",), x, y), functions, x=0.5, y=0.8)
    assert found == pytest.approx(2 * 0.5 * math.cos(0.8))


def test_what_has_no_derivative_is_told() -> None:
    external = Function(("f",), (variable("u", "input"),), external=External("C", "f", None, ()))
    with pytest.raises(CompileError) as error:
        time_derivative(Call(("f",), x), moving, library(external))
    assert error.value.diagnostics[0].code == "N913"
    with pytest.raises(CompileError):
        time_derivative(Call(("unknown",), x), moving)


def test_a_row_that_does_not_change_keeps_its_shape() -> None:
    matrix = Array(Array(Real(1.0), Real(2.0)), Array(x, Real(3.0)))

    change = partial(Call(("f",), matrix), x, _Recorded())

    assert change == Array(Array(ZERO, ZERO), Array(ONE, ZERO))


class _Recorded:
    """Stands for a function whose derivative is the change of its argument."""

    def of_call(self, call: Call, changes: tuple[Expr, ...], is_time: bool = True) -> Expr:
        return changes[0]
