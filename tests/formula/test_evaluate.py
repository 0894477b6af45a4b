"""Values of expressions: builtins against Python and numpy, functions run as written."""

import math
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from freewheel.base.diagnostics import CompileError
from freewheel.base.names import ClassName
from freewheel.formula.evaluate import (
    CALL_STEPS,
    Budget,
    Environment,
    NotConstant,
    evaluate,
    no_variables,
    value_of,
)
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
from freewheel.formula.types import INTEGER, REAL, STRING, EnumType, RecordType, Type
from freewheel.formula.values import (
    ArrayValue,
    EnumValue,
    FunctionValue,
    RecordValue,
    Value,
    array_of,
    to_expr,
)

x, n = Var(("x",)), Var(("n",))
real, integer = Type(REAL), Type(INTEGER)


def op(symbol: str, left: Expr, right: Expr) -> Expr:
    return Binary(symbol, left, right)


def value(expr: Expr, *functions: Function, **variables: Value) -> Any:
    table = {function.name: function for function in functions}

    def lookup(name: tuple[Any, ...]) -> Value:
        if name[0] not in variables:
            raise NotConstant(name)
        return variables[name[0]]

    def find(name: ClassName) -> Function:
        return table[name]

    return evaluate(expr, lookup, find)


def constant(nested: Any) -> Expr:
    return to_expr(array_of(nested))


def code_of(error: pytest.ExceptionInfo[CompileError]) -> str:
    return error.value.diagnostics[0].code


# ---------------------------------------------------------------- scalars


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (("div", -7, 2), -3),
        (("mod", -7, 2), 1),
        (("rem", -7, 2), -1),
        (("div", -7.5, 2), -3.0),
        (("mod", -7.5, 2), 0.5),
        (("rem", -7.5, 2), -1.5),
        (("mod", 3, -1.4), -1.2),
        (("floor", -2.1), -3.0),
        (("ceil", 2.1), 3.0),
        (("integer", -2.1), -3),
        (("sign", -2.5), -1),
        (("sign", 0.0), 0),
        (("abs", -3), 3),
        (("atan2", 1.0, -1.0), math.atan2(1.0, -1.0)),
        (("log10", 1000.0), 3.0),
        (("min", 2, 3.5), 2.0),
        (("max", 2, 3), 3),
        (("semiLinear", -2.0, 3.0, 5.0), -10.0),
        (("smooth", 1, 4.0), 4.0),
        (("homotopy", 4.0, 5.0), 4.0),
    ],
)
def test_scalar_builtins(call: tuple[Any, ...], expected: float) -> None:
    found = value(Call(call[0], *map(to_expr, call[1:])))
    assert found == pytest.approx(expected)
    assert type(found) is type(expected)


@given(a=st.integers(-99, 99), b=st.integers(-99, 99).filter(bool))
def test_div_mod_rem_obey_their_laws(a: int, b: int) -> None:
    div, mod, rem = (value(Call(f, Integer(a), Integer(b))) for f in ("div", "mod", "rem"))
    assert div == math.trunc(a / b)
    assert div * b + rem == a
    assert mod == a - math.floor(a / b) * b


def test_enumerations_booleans_and_strings_compare() -> None:
    low, high = Literal(("E",), 1, "low"), Literal(("E",), 2, "high")
    assert value(op("<", low, high)) is True
    assert value(op("<>", String("a"), String("b"))) is True
    assert value(op(">", TRUE, FALSE)) is True
    assert value(Call("Integer", high)) == 2


def test_logic_does_not_look_at_what_cannot_matter() -> None:
    broken = op(">", op("/", Integer(1), Integer(0)), Integer(0))
    assert value(op("and", FALSE, broken)) is False
    assert value(op("or", TRUE, broken)) is True
    assert value(If(TRUE, Integer(1), broken)) == 1
    assert value(op("and", x, FALSE)) is False
    assert value(op("or", op("and", x, x), TRUE)) is True


@pytest.mark.parametrize("right", [TRUE, op(">", op("/", Integer(1), Integer(0)), Integer(0))])
def test_logic_over_an_unknown_has_no_value_where_the_right_side_does_not_decide(right) -> None:
    with pytest.raises(NotConstant):
        value(op("and", x, right))


def test_unknown_variables_and_time_dependent_operators_are_not_constant() -> None:
    with pytest.raises(NotConstant) as unknown:
        value(op("+", x, Integer(1)))
    assert unknown.value.name == ("x",)
    with pytest.raises(NotConstant):
        value(Call("der", Integer(1)))


@pytest.mark.parametrize(
    ("expr", "code"),
    [
        (op("/", Integer(1), Integer(0)), "N906"),
        (Call("sqrt", Real(-1.0)), "N906"),
        (Call("mod", Integer(1), Integer(0)), "N906"),
        (op("^", Real(-8.0), Real(0.5)), "N906"),
        (Index(constant([1, 2]), Integer(3)), "N905"),
        (op("+", constant([1, 2]), constant([1, 2, 3])), "N907"),
        (op("+", TRUE, Integer(1)), "N909"),
        (If(Integer(1), x, x), "N909"),
        (Call("zeros", Integer(10_000), Integer(10_000)), "N911"),
        (Range(Integer(1), Integer(0), Integer(3)), "N906"),
    ],
)
def test_mistakes_have_codes(expr: Expr, code: str) -> None:
    with pytest.raises(CompileError) as error:
        value(expr)
    assert code_of(error) == code


def test_deep_chains_are_evaluated() -> None:
    chain: Expr = Integer(0)
    for _ in range(5_000):
        chain = op("+", chain, Integer(1))
    assert value(chain) == 5_000


def test_far_too_deep_chains_are_reported() -> None:
    chain: Expr = x
    for _ in range(100_000):
        chain = Unary("-", chain)
    with pytest.raises(CompileError) as error:
        value(chain, x=1)
    assert code_of(error) == "N908"


# ---------------------------------------------------------------- String


@pytest.mark.parametrize(
    ("args", "text"),
    [
        ((12.3456789,), "12.3457"),
        ((1e-10,), "1e-10"),
        ((2.0,), "2"),
        ((3.14159, 8, False, 3), "    3.14"),
        ((42, 5, True), "42   "),
        ((42, 5, False), "   42"),
        ((True,), "true"),
        ((12.3456, ".2f"), "12.35"),
        ((255, "x"), "ff"),
        ((7, "04d"), "0007"),
        ((1234.5, "e"), "1.234500e+03"),
    ],
)
def test_string_conversion(args: tuple[Any, ...], text: str) -> None:
    kind = {bool: "Boolean", int: "Integer", float: "Real"}[type(args[0])]
    assert value(Call("String", *map(to_expr, (args[0], kind, *args[1:])))) == text


def test_string_of_an_enumeration_is_its_identifier() -> None:
    assert (
        value(Call("String", Literal(("E",), 1, "low"), String("enumeration\nlow\nhigh"))) == "low"
    )


def test_a_bad_format_is_reported() -> None:
    with pytest.raises(CompileError) as error:
        value(Call("String", Real(1.0), String("Real"), String("%s")))
    assert code_of(error) == "N906"


# ---------------------------------------------------------------- arrays

small = st.integers(-5, 5)


@given(rows=st.integers(1, 3), inner=st.integers(1, 3), columns=st.integers(1, 3), data=st.data())
def test_products_agree_with_numpy(rows: int, inner: int, columns: int, data: Any) -> None:
    def draw(*dims: int) -> np.ndarray[Any, Any]:
        count = int(np.prod(dims))
        return np.array(data.draw(st.lists(small, min_size=count, max_size=count))).reshape(dims)

    for left in (draw(rows, inner), draw(inner)):
        for right in (draw(inner, columns), draw(inner)):
            found = value(op("*", constant(left), constant(right)))
            assert found == array_of(left @ right)


def test_array_builtins_agree_with_numpy() -> None:
    a = np.array([[1, 2, 3], [4, 5, 6]])
    v, w = np.array([1, 2, 3]), np.array([-2, 0, 5])
    m = constant(a)
    assert value(Call("transpose", m)) == array_of(a.T)
    assert value(Call("size", m)) == array_of([2, 3])
    assert value(Call("size", m, Integer(2))) == 3
    assert value(Call("ndims", m)) == 2
    assert value(Call("sum", m)) == 21
    assert value(Call("product", constant(w + 1))) == -6
    assert value(Call("min", constant(w))) == -2
    assert value(Call("max", constant(w))) == 5
    assert value(Call("cross", constant(v), constant(w))) == array_of(np.cross(v, w))
    assert value(op("*", Call("skew", constant(v)), constant(w))) == array_of(np.cross(v, w))
    assert value(Call("outerProduct", constant(v), constant(w))) == array_of(np.outer(v, w))
    assert value(Call("identity", Integer(3))) == array_of(np.eye(3, dtype=int))
    assert value(Call("diagonal", constant(v))) == array_of(np.diag(v))
    assert value(Call("linspace", Integer(0), Integer(1), Integer(5))) == array_of(
        np.linspace(0, 1, 5)
    )
    assert value(Call("cat", Integer(1), m, m)) == array_of(np.concatenate([a, a]))
    assert value(Call("cat", Integer(2), m, m)) == array_of(np.concatenate([a, a], axis=1))
    assert value(Call("matrix", constant(v))) == array_of(v.reshape(3, 1))
    assert value(Call("vector", constant(v.reshape(3, 1)))) == array_of(v)
    assert value(Call("scalar", constant([[7]]))) == 7
    assert value(Call("fill", Integer(2), Integer(2), Integer(1))) == array_of([[2], [2]])
    assert value(Call("symmetric", constant([[1, 2], [3, 4]]))) == array_of([[1, 2], [2, 4]])
    assert value(Call("promote", constant(v), Integer(2))) == array_of(v.reshape(3, 1))


def test_empty_arrays_keep_their_dimensions() -> None:
    empty = Call("zeros", Integer(0), Integer(3))
    assert value(Call("size", empty, Integer(2))) == 3
    assert value(Call("transpose", empty)) == ArrayValue((3, 0), ())
    assert value(to_expr(value(empty))) == ArrayValue((0, 3), ())
    assert value(Call("sum", empty)) == 0
    assert value(op("*", Call("zeros", Integer(2), Integer(0)), Call("zeros", Integer(0)))) == (
        array_of([0, 0])
    )


def test_functions_of_scalars_are_applied_element_by_element() -> None:
    assert value(Call("abs", constant([[-1, 2]]))) == array_of([[1, 2]])
    assert value(Call("mod", constant([5, 6]), Integer(4))) == array_of([1, 2])
    assert value(op(".^", constant([1.0, 2.0]), Integer(2))) == array_of([1.0, 4.0])
    assert value(op(".+", Integer(1), constant([1, 2]))) == array_of([2, 3])
    assert value(op("^", constant([[1, 1], [0, 1]]), Integer(3))) == array_of([[1, 3], [0, 1]])


def test_subscripts() -> None:
    m = constant([[1, 2, 3], [4, 5, 6]])
    assert value(Index(m, Integer(2), Integer(1))) == 4
    assert value(Index(m, Integer(2))) == array_of([4, 5, 6])
    assert value(Index(m, Colon(), Integer(2))) == array_of([2, 5])
    assert value(Index(m, Colon(), constant([3, 1]))) == array_of([[3, 1], [6, 4]])
    assert value(Index(constant([1, 2]), TRUE)) == 2
    assert value(Index(constant([1, 2]), Literal(("E",), 1, "low"))) == 1


def test_ranges() -> None:
    assert value(Range(Integer(1), Integer(2), Integer(6))) == array_of([1, 3, 5])
    assert value(Range(Integer(3), Integer(-1), Integer(1))) == array_of([3, 2, 1])
    assert value(Range(Integer(2), Integer(1), Integer(1))) == ArrayValue((0,), ())
    assert len(value(Range(Real(0.0), Real(0.1), Real(1.0)))) == 11
    assert value(Range(FALSE, TRUE, TRUE)) == array_of([False, True])
    low, high = Literal(("E",), 1, "low"), Literal(("E",), 3, "high")
    assert [e.index for e in value(Range(low, Integer(1), high)).elements] == [1, 2, 3]


def test_the_last_iterator_makes_the_first_dimension() -> None:
    i, j = Iterator("i"), Iterator("j")
    body = op("+", op("*", Integer(10), i), j)
    table = Comprehension(("i", "j"), body, constant([1, 2, 3]), constant([1, 2]))
    assert value(table) == array_of([[11, 21, 31], [12, 22, 32]])
    assert value(Reduction("sum", ("i",), op("*", i, i), constant([1, 2, 3]))) == 14
    assert value(Reduction("max", ("i",), Unary("-", i), constant([1, 2, 3]))) == -1
    assert value(Reduction("product", ("i",), i, Call("zeros", Integer(0)))) == 1


def test_sizes_are_known_where_values_are_not() -> None:
    found = evaluate(Call("size", x, Integer(1)), dims=lambda name: (4, 2))
    assert found == 4
    made_of_unknowns = Array(x, x, x)
    found = evaluate(Call("size", made_of_unknowns, Integer(1)), dims=lambda name: (4, 2))
    assert found == 3


def test_records_and_arrays_of_records() -> None:
    r = Record(("R",), ("a", "b"), Integer(1), constant([2, 3]))
    assert value(r) == RecordValue(("R",), (("a", 1), ("b", array_of([2, 3]))))
    assert value(Field("b", Array(r, r))) == array_of([[2, 3], [2, 3]])
    assert value(to_expr(value(r))) == value(r)


# ---------------------------------------------------------------- functions


def variable(name: str, kind: Type, role: str = "local", **more: Any) -> FunctionVariable:
    return FunctionVariable(name, kind, role=role, **more)


def local(name: str) -> Var:
    return Var((name,))


def assign(target: str | Expr, source: Expr) -> Assign:
    return Assign(local(target) if isinstance(target, str) else target, source)


def one_to(last: Expr) -> Expr:
    return Range(Integer(1), Integer(1), last)


FACTORIAL = Function(
    ("fac",),
    (variable("n", integer, "input"), variable("y", integer, "output")),
    (
        IfStatement(
            ((op("<=", n, Integer(1)), (assign("y", Integer(1)), Return())),),
            (assign("y", op("*", n, Call(("fac",), op("-", n, Integer(1))))),),
        ),
        assign("y", op("+", local("y"), Integer(0))),
    ),
)

SQUARES = Function(
    ("squares",),
    (
        variable("v", Type(REAL, (None,)), "input", dims=(None,)),
        variable("y", Type(REAL, (None,)), "output", dims=(Call("size", local("v"), Integer(1)),)),
        variable("s", real, "output", default=Real(0.0)),
    ),
    (
        ForStatement(
            "i",
            one_to(Call("size", local("v"), Integer(1))),
            (
                assign(
                    Index(local("y"), Iterator("i")),
                    op("^", Index(local("v"), Iterator("i")), Integer(2)),
                ),
                assign("s", op("+", local("s"), Index(local("y"), Iterator("i")))),
            ),
        ),
    ),
)


def test_recursion() -> None:
    assert value(Call(("fac",), Integer(10)), FACTORIAL) == math.factorial(10)
    assert value(Call(("fac",), Integer(20)), FACTORIAL) == math.factorial(20)


def test_a_call_runs_once_for_all_its_elements() -> None:
    asked: list[ClassName] = []

    def functions(name: ClassName) -> Function:
        asked.append(name)
        return SQUARES

    def lookup(name: Any) -> Any:
        return 3.0

    calls: dict[Expr, Any] = {}
    call = Call(("squares",), Array(Real(1.0), local("p")))
    first, second = (Index(call, Integer(k)) for k in (1, 2))
    assert evaluate(first, lookup, functions, calls=calls) == 1.0
    assert evaluate(second, lookup, functions, calls=calls) == 9.0
    assert evaluate(Output(2, call), lookup, functions, calls=calls) == 10.0
    assert len(asked) == 1
    # Inside a loop the same formula has another value each time.
    varying = Call(("squares",), Array(Iterator("i"), Real(0.0)))
    rounds = Comprehension(("i",), Output(2, varying), one_to(Integer(3)))
    assert evaluate(rounds, lookup, functions, calls=calls) == array_of([1.0, 4.0, 9.0])


def test_loops_over_local_arrays_and_several_outputs() -> None:
    call = Call(("squares",), constant([1, 2, 3]))
    assert value(call, SQUARES) == array_of([1.0, 4.0, 9.0])
    assert value(Output(2, call), SQUARES) == 14.0


def test_tuple_assignment_drops_what_is_not_wanted() -> None:
    caller = Function(
        ("f",),
        (variable("y", real, "output"),),
        (TupleAssign((None, local("y")), Call(("squares",), constant([3, 4]))),),
    )
    assert value(Call(("f",)), SQUARES, caller) == 25.0


def test_while_break_and_nested_loops() -> None:
    i, count = local("i"), local("y")
    body = (
        assign("i", op("+", i, Integer(1))),
        IfStatement(((op(">", i, Integer(5)), (Break(),)),), ()),
        ForStatement(
            "k",
            one_to(i),
            (
                IfStatement(((op("==", Iterator("k"), Integer(3)), (Break(),)),), ()),
                assign("y", op("+", count, Integer(1))),
            ),
        ),
    )
    function = Function(
        ("f",),
        (
            variable("y", integer, "output", default=Integer(0)),
            variable("i", integer, default=Integer(0)),
        ),
        (WhileStatement(TRUE, body),),
    )
    assert value(Call(("f",)), function) == 1 + 2 + 2 + 2 + 2


def test_records_are_assigned_field_by_field() -> None:
    kind = RecordType(("R",), (("a", real), ("v", Type(REAL, (2,)))))
    r = local("r")
    function = Function(
        ("f",),
        (variable("r", Type(kind), "output"),),
        (
            assign(Field("a", r), Real(1.0)),
            assign(Index(Field("v", r), Integer(2)), Real(3.0)),
            assign(Var(("r", "v", 1)), Field("a", r)),
        ),
    )
    assert value(Call(("f",)), function).get("v") == array_of([1.0, 3.0])


def test_slices_are_assigned() -> None:
    m = local("m")
    function = Function(
        ("f",),
        (variable("m", Type(REAL, (2, 2)), "output", dims=(Integer(2), Integer(2))),),
        (
            assign(Index(m, Colon(), Integer(1)), constant([1, 2])),
            assign(Index(m, one_to(Integer(2)), Integer(2)), constant([3, 4])),
        ),
    )
    assert value(Call(("f",)), function) == array_of([[1.0, 3.0], [2.0, 4.0]])


def test_defaults_may_use_variables_declared_later() -> None:
    function = Function(
        ("f",),
        (
            variable("u", real, "input"),
            variable("y", real, "output", default=op("*", local("k"), local("u"))),
            variable("k", real, default=Real(3.0)),
        ),
    )
    assert value(Call(("f",), Integer(2)), function) == 6.0


def test_functions_as_arguments() -> None:
    twice = Function(
        ("twice",),
        (
            variable("f", real, "input"),
            variable("u", real, "input"),
            variable("y", real, "output"),
        ),
        (assign("y", Call(("f",), Call(("f",), local("u")))),),
    )
    scaled = Function(
        ("scaled",),
        (
            variable("k", real, "input"),
            variable("u", real, "input"),
            variable("y", real, "output"),
        ),
        (assign("y", op("*", local("k"), local("u"))),),
    )
    partial = PartialFunction(("scaled",), ("k",), Integer(3))
    assert value(Call(("twice",), partial, Integer(2)), twice, scaled) == 18.0
    assert value(FunctionRef(("scaled",))) == FunctionValue(("scaled",))


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ((assign("y", Call(("f",))),), "N901"),
        ((WhileStatement(TRUE, ()),), "N902"),
        ((Effect(Assert(FALSE, String("no"))),), "N904"),
        ((), "N910"),
        ((assign("y", local("z")),), "N910"),
    ],
)
def test_what_goes_wrong_in_a_function_is_told(body: Any, code: str) -> None:
    function = Function(("f",), (variable("y", real, "output"), variable("z", real)), body)
    with pytest.raises(CompileError) as error:
        value(Call(("f",)), function)
    assert code_of(error) == code


def test_a_call_counts_as_several_statements() -> None:
    """Recursion that branches is one statement per call, and each call takes as long as five."""
    one = Function(("one",), (FunctionVariable("y", real, (), Integer(1), "output", False),), ())
    call = Call(("one",))
    for steps, is_enough in ((3 * CALL_STEPS, True), (3 * CALL_STEPS - 1, False)):
        env = Environment(no_variables, {("one",): one}.__getitem__, budget=Budget(steps=steps))
        with nullcontext() if is_enough else pytest.raises(CompileError):
            assert value_of(op("+", call, op("+", call, call)), env) == 3.0


def test_warnings_do_not_stop_and_calls_without_outputs_run() -> None:
    check = Function(
        ("check",),
        (variable("u", real, "input"),),
        (Effect(Assert(op(">", local("u"), Integer(0)), String("must be positive"))),),
    )
    caller = Function(
        ("f",),
        (variable("u", real, "input"), variable("y", real, "output")),
        (
            Effect(Assert(FALSE, String("only a warning"), is_warning=True)),
            Effect(CallEquation(Call(("check",), local("u")))),
            assign("y", local("u")),
        ),
    )
    assert value(Call(("f",), Real(1.0)), check, caller) == 1.0
    with pytest.raises(CompileError, match="must be positive"):
        value(Call(("f",), Real(-1.0)), check, caller)


# ---------------------------------------------------------------- external functions


def external(
    name: str, outputs: tuple[str, ...], *inputs: str, result: bool, gives: Type = real
) -> Function:
    variables = [variable(name, Type(STRING), "input") for name in inputs]
    variables += [variable(name, gives, "output") for name in outputs]
    args = [local(name) for name in inputs]
    if result:
        call = External("C", name, local(outputs[0]), tuple(args))
    else:
        call = External("C", name, None, (*args, *(local(name) for name in outputs)))
    return Function(("ext",), tuple(variables), external=call)


def test_strings_are_scanned() -> None:
    scan = external("ModelicaStrings_scanReal", ("next", "number"), "s", "at", "u", result=False)
    call = Call(("ext",), String("x =  -2.5e3;"), Integer(4), FALSE)
    assert value(call, scan) == 12
    assert value(Output(2, call), scan) == -2500.0
    nothing = Call(("ext",), String("abc"), Integer(1), FALSE)
    assert value(nothing, scan) == 1


@pytest.mark.parametrize(
    ("name", "args", "expected"),
    [
        ("ModelicaStrings_length", ("abc",), 3),
        ("ModelicaStrings_substring", ("abcdef", 2, 4), "bcd"),
        ("ModelicaStrings_skipWhiteSpace", ("  x", 1), 3),
        ("ModelicaStrings_compare", ("a", "A", False), EnumValue((), 2)),
        ("ModelicaStrings_compare", ("a", "b", True), EnumValue((), 1)),
    ],
)
def test_string_functions(name: str, args: tuple[Any, ...], expected: Any) -> None:
    labels = [f"u{i}" for i in range(len(args))]
    compare = EnumType(("Compare",), ("Less", "Equal", "Greater"))
    types = {str: Type(STRING), EnumValue: Type(compare), int: integer}
    gives = types[type(expected)]
    function = external(name, ("y",), *labels, result=True, gives=gives)
    found = value(Call(("ext",), *map(to_expr, args)), function)
    if isinstance(expected, EnumValue):
        assert found.index == expected.index
    else:
        assert found == expected


def test_other_scanners() -> None:
    from freewheel.formula.external import EXTERNALS

    assert EXTERNALS["ModelicaStrings_scanInteger"](" 42,", 1, True) == (4, 42)
    assert EXTERNALS["ModelicaStrings_scanInteger"]("-42", 1, True) == (1, 0)
    assert EXTERNALS["ModelicaStrings_scanInteger"]("4.5", 1, True) == (1, 0)
    assert EXTERNALS["ModelicaStrings_scanString"](' "ab" ', 1) == (6, "ab")
    assert EXTERNALS["ModelicaStrings_scanIdentifier"](" a_1 ", 1) == (5, "a_1")
    assert EXTERNALS["ModelicaStrings_hashString"]("") == 0xAAAAAAAA - 2**32
    assert isinstance(EXTERNALS["ModelicaStrings_hashString"]("abc"), int)


def test_unknown_external_functions_are_named() -> None:
    with pytest.raises(CompileError, match="nowhere_to_be_found") as error:
        value(Call(("ext",)), external("nowhere_to_be_found", ("y",), result=True))
    assert code_of(error) == "N903"
