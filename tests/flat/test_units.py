"""Units of equations: what is found, what is left alone."""

from __future__ import annotations

import pytest

from freewheel.base.diagnostics import Severity
from freewheel.base.source import Source, Span
from freewheel.flat.nodes import (
    Algorithm,
    Attributes,
    Equation,
    FlatModel,
    IfEquation,
    Variability,
    Variable,
    WhenEquation,
)
from freewheel.flat.units import check_units
from freewheel.formula.nodes import TIME, Array, Binary, Call, If, Index, Integer, Real, Unary, Var
from freewheel.formula.statement_nodes import Assign
from freewheel.formula.types import INTEGER, REAL

SOURCE = Source.from_text("v = R*i;\nReal v;\nReal i;\n", "m.mo")
HERE = Span(SOURCE, 0, 7)
UNITS = {"v": "V", "i": "A", "R": "Ohm", "x": "m", "w": "m/s", "T": "K", "k": "1", "free": ""}

v, i, R, x, w, T, k, free, n = (Var((name,)) for name in [*UNITS, "n"])
TWO = Integer(2)


def model(*equations, **fields) -> FlatModel:
    variables = [
        Variable((name,), REAL, attributes=Attributes(unit=unit), span=Span(SOURCE, 9, 15))
        for name, unit in UNITS.items()
    ]
    variables.append(Variable(("n",), INTEGER))
    return FlatModel(("M",), (*variables, *fields.pop("more", ())), equations, **fields)


def equation(left, right, span=HERE) -> Equation:
    return Equation(left, right, span)


def add(a, b):
    return Binary("+", a, b)


def times(a, b):
    return Binary("*", a, b)


FITTING = [
    (v, times(R, i)),
    (v, times(TWO, v)),
    (v, add(v, Real(1.0))),
    (v, Real(5.0)),
    (Call("der", x), w),
    (w, Binary("/", x, TIME)),
    (times(x, x), Binary("^", x, Integer(2))),
    (x, Call("sqrt", times(x, x))),
    (x, Binary("^", times(x, x), Real(0.5))),
    (v, free),
    (v, times(free, i)),
    (v, add(free, v)),
    (v, times(v, Call("sin", times(k, TIME)))),
    (v, If(Binary(">", v, Real(0.0)), v, Real(0.0))),
    (v, Call("max", v, Real(0.0))),
    (v, Call(("user", "function"), i)),
    (v, Unary("-", v)),
    (v, times(n, v)),
    (x, n),
    (v, times(Real(1.38e-23), T)),
    (v, Binary("/", i, Real(2.0))),
    (v, Call("smooth", Integer(0), v)),
    (Var(("x", 2)), x),
    (Index(v, Integer(1)), v),
    (Array(v, v), v),
    (Real(1.0), Binary("/", T, T)),
    (v, times(v, Binary("^", k, free))),
]


@pytest.mark.parametrize(("left", "right"), FITTING, ids=str)
def test_what_fits_is_left_alone(left, right):
    assert check_units(model(equation(left, right))) == ()


MIXED = [
    (v, i, "F202", "the sides are in V and A"),
    (v, times(v, i), "F202", "V and W"),
    (v, times(TWO, i), "F202", "V and A"),
    (x, Call("der", x), "F202", "m and m/s"),
    (v, add(v, i), "F201", "`v + i` adds V and A"),
    (v, Binary("-", v, i), "F201", "`v - i` relates V and A"),
    (v, If(Binary(">", v, i), v, Real(0.0)), "F201", "`v > i` relates V and A"),
    (v, If(Binary(">", v, Real(0.0)), v, i), "F201", "chooses between V and A"),
    (v, Call("max", v, i), "F201", "relates V and A"),
    (x, Call("sqrt", x), "F202", "m and m^(1/2)"),
    (x, k, "F202", "m and 1"),
    (w, Call("pre", x), "F202", "m/s and m"),
]


@pytest.mark.parametrize(("left", "right", "code", "message"), MIXED, ids=str)
def test_what_mixes_quantities_is_warned_about(left, right, code, message):
    (found,) = check_units(model(equation(left, right)))

    assert (found.code, found.severity) == (code, Severity.WARNING)
    assert message in found.message
    assert found.labels[0].span is HERE


def test_the_sources_of_both_units_are_shown():
    (found,) = check_units(model(equation(v, i)))

    assert [label.text for label in found.labels] == ["", "`v` is in V", "`i` is in A"]


def test_on_request_findings_are_errors():
    (found,) = check_units(model(equation(v, i)), as_errors=True)

    assert found.severity is Severity.ERROR


def test_a_place_in_the_text_is_told_once():
    assert len(check_units(model(equation(v, i), equation(v, T)))) == 1


def test_a_formula_may_hold_the_factor_of_a_conversion():
    length = Variable(("d",), REAL, attributes=Attributes(unit="mm"))
    scaled = Binary("*", Real(1000.0), x)
    assert check_units(model(equation(Var(("d",)), scaled), more=(length,))) == ()


def test_variables_that_are_set_equal_have_the_same_factor():
    length = Variable(("d",), REAL, attributes=Attributes(unit="mm"))
    (found,) = check_units(model(equation(Var(("d",)), x), more=(length,)))

    assert found.code == "F202"
    assert found.message == "`d = x`: mm and m are set equal without conversion"


def test_bindings_and_start_values_are_checked():
    wrong = Variable(
        ("p",), REAL, (), Variability.PARAMETER, binding=v, attributes=Attributes(unit="A")
    )
    start = Variable(("q",), REAL, attributes=Attributes(unit="A", start=v))
    found = check_units(model(more=(wrong, start)))

    assert [f.message for f in found] == [
        "`p` is in A, its value `v` in V",
        "`q` is in A, its start `v` in V",
    ]
    assert {f.code for f in found} == {"F203"}


def test_a_unit_that_is_none_is_told():
    odd = Variable(("p",), REAL, attributes=Attributes(unit="parsec/xyz"))
    (found,) = check_units(model(more=(odd,)))

    assert (found.code, found.message) == ("F204", 'the unit "parsec/xyz" is not understood')


def test_nested_equations_and_statements_are_checked():
    bad = equation(v, i)
    condition = Binary(">", v, Real(0.0))

    assert len(check_units(model(IfEquation(((condition, (bad,)),), ())))) == 1
    assert len(check_units(model(WhenEquation(((condition, (bad,)),))))) == 1
    algorithms = (Algorithm((Assign(v, i, HERE),)),)
    assert len(check_units(model(algorithms=algorithms))) == 1


def test_branches_of_an_equation_with_zero_are_equations_of_their_own():
    choice = If(Binary(">", v, Real(0.0)), v, i)
    wrong = If(Binary(">", v, Real(0.0)), Binary("+", v, i), i)

    assert check_units(model(equation(Real(0.0), choice))) == ()
    assert [f.code for f in check_units(model(equation(wrong, Real(0.0))))] == ["F201"]
    assert len(check_units(model(equation(Real(1.0), choice)))) == 1
