"""Records and operator records."""

from __future__ import annotations

import pytest

POINT = "record Point Real x = 1; Real y = 2; end Point;"


def test_a_record_component_is_its_fields(flat):
    printed = flat(POINT + "model M Point p; end M;")

    assert printed.variables == ["Real p.x", "Real p.y"]
    assert printed.equations == ["p.x = 1", "p.y = 2"]


@pytest.mark.parametrize(
    ("value", "x", "y"),
    [
        ("Point(3, 4)", "3", "4"),
        ("Point(y = 4, x = 3)", "3", "4"),
        ("Point(5)", "5", "2"),
        ("Point()", "1", "2"),
        ("Point(y = 7)", "1", "7"),
        ("q", "q.x", "q.y"),
        ("if time > 1 then q else Point(0, 0)", None, None),
    ],
)
def test_record_values(flat, value, x, y):
    printed = flat(POINT + f"model M Point q; Point p = {value}; end M;")
    condition = "if time > 1 then q.{0} else 0"

    assert printed.equations[-2:] == [
        f"p.x = {x if x is not None else condition.format('x')}",
        f"p.y = {y if y is not None else condition.format('y')}",
    ]


def test_equations_between_records_go_field_by_field(flat):
    text = """record Pair Real x; Real y; end Pair;
      model M Pair p; Pair q(x = 1, y = 2); equation p = q; end M;"""

    assert flat(text).equations == ["q.x = 1", "q.y = 2", "p.x = q.x", "p.y = q.y"]


def test_arrays_of_records(flat):
    text = """record R Real a; Real b[2]; end R;
      model M R r[2]; equation for i in 1:2 loop r[i].a = i; r[i].b = {i, 0}; end for; end M;"""
    printed = flat(text)

    assert printed.names == ["r[1].a", "r[1].b", "r[2].a", "r[2].b"]
    assert printed.equations == ["r[1].a = 1", "r[1].b = {1, 0}", "r[2].a = 2", "r[2].b = {2, 0}"]


def test_an_array_of_records_given_as_a_whole(flat):
    text = (
        POINT
        + "model M parameter Point p[2] = {Point(3, 4), Point(5, 6)}; Real z = sum(p.y); end M;"
    )
    printed = flat(text)

    assert [printed.value(n) for n in printed.names[:4]] == ["3", "4", "5", "6"]
    assert printed.equations == ["z = sum({p[1].y, p[2].y})"]


def test_a_record_in_a_record(flat):
    text = (
        POINT
        + "record Line Point a; Point b(x = 5); end Line; model M Line l = Line(a = Point(9, 8)); end M;"
    )
    printed = flat(text)

    assert printed.equations == ["l.a.x = 9", "l.a.y = 8", "l.b.x = 5", "l.b.y = 2"]


def test_a_record_extending_another(flat):
    text = (
        POINT
        + "record Space extends Point(y = 5); Real z = 3; end Space; model M Space s = Space(x = 0); end M;"
    )

    assert flat(text).equations == ["s.x = 0", "s.y = 5", "s.z = 3"]


def test_a_parameter_record_gives_parameters(flat):
    printed = flat(POINT + "model M parameter Point p(x = 6); end M;")

    assert printed.variables == ["parameter Real p.x = 6", "parameter Real p.y = 2"]


def test_a_field_may_be_given_from_another_field(flat):
    text = """record R parameter Real a = 1; parameter Real b = 2*a; end R;
      model M R r(a = 3); R s = R(a = 4); end M;"""
    printed = flat(text)

    assert printed.value("r.b") == "2*r.a"
    assert printed.value("s.b") == "2*4"


def test_a_final_or_constant_field_is_no_argument_of_the_constructor(refused):
    text = "record R constant Real k = 1; Real a; end R; model M R r = R(k = 2, a = 1); end M;"

    assert refused(text).code == "N066"


def test_a_size_may_refer_to_the_array_itself(flat):
    text = """function f input Real A[:, size(A, 1)]; output Real y; algorithm y := sum(A); end f;
      model M parameter Real A[:, size(A, 1)] = [1, 2; 3, 4]; Real y = f(A); end M;"""

    assert flat(text)["A"] == "parameter Real[2, 2] A = {{1, 2}, {3, 4}}"


def test_records_match_by_the_names_of_their_fields(flat):
    text = """record A Real x; Real y; end A; record B Real y; Real x; end B;
      function f input A a; output Real z; algorithm z := a.x - a.y; end f;
      model M constant Real z = f(B(x = 5, y = 3)); Real w = z; end M;"""

    assert flat(text).value("z") == "2.0"


def test_functions_take_and_give_records(flat):
    text = (
        POINT
        + """
    function mirror input Point p; output Point q; algorithm q.x := p.y; q.y := p.x; end mirror;
    model M Point p; Point q = mirror(p); Real d = (mirror(p)).x; end M;
    """
    )
    printed = flat(text)

    assert printed.equations[2:4] == [
        "q.x = (mirror(Point(x = p.x, y = p.y))).x",
        "q.y = (mirror(Point(x = p.x, y = p.y))).y",
    ]


def test_a_missing_field_is_refused(refused, place):
    found = refused(POINT + "model M Point p; Real z = p.w; end M;")

    assert found.code == "N003"
    assert place(found) == "p.w"


def test_a_record_and_a_number_do_not_match(refused):
    assert refused(POINT + "model M Point p = 3; end M;").code in ("N003", "N041")


# ------------------------------------------------------------------------------------ operators

PAIR = """
operator record Pair
  Real a; Real b;
  encapsulated operator 'constructor'
    function fromReals import Pair; input Real a; input Real b = 0; output Pair p(a = a, b = b);
      algorithm end fromReals;
  end 'constructor';
  encapsulated operator '0'
    function zero import Pair; output Pair p; algorithm p := Pair(0, 0); end zero; end '0';
  encapsulated operator '+'
    function add import Pair; input Pair x; input Pair y; output Pair z;
      algorithm z := Pair(x.a + y.a, x.b + y.b); end add; end '+';
  encapsulated operator '-'
    function negate import Pair; input Pair x; output Pair z; algorithm z := Pair(-x.a, -x.b); end negate;
    function subtract import Pair; input Pair x; input Pair y; output Pair z;
      algorithm z := Pair(x.a - y.a, x.b - y.b); end subtract;
  end '-';
  encapsulated operator '*'
    function times import Pair; input Pair x; input Pair y; output Pair z;
      algorithm z := Pair(x.a*y.a, x.b*y.b); end times;
    function scaled import Pair; input Real k; input Pair y; output Pair z;
      algorithm z := Pair(k*y.a, k*y.b); end scaled;
  end '*';
  encapsulated operator '=='
    function same import Pair; input Pair x; input Pair y; output Boolean z;
      algorithm z := x.a == y.a and x.b == y.b; end same; end '==';
  encapsulated operator 'String'
    function text import Pair; input Pair x; output String s;
      algorithm s := String(x.a); end text; end 'String';
end Pair;
"""


@pytest.mark.parametrize(
    ("value", "function"),
    [
        ("x + y", "Pair.'+'.add"),
        ("x - y", "Pair.'-'.subtract"),
        ("-x", "Pair.'-'.negate"),
        ("x*y", "Pair.'*'.times"),
        ("3*x", "Pair.'*'.scaled"),
        ("x + 2", "Pair.'+'.add"),
        ("Pair(1, 2)", "Pair.'constructor'.fromReals"),
        ("Pair(1)", "Pair.'constructor'.fromReals"),
    ],
)
def test_operators_of_an_operator_record_are_called(flat, value, function):
    printed = flat(
        PAIR + f"model M Pair x = Pair(1, 2); Pair y = Pair(3, 4); Pair z = {value}; end M;"
    )

    assert function in printed.functions
    assert function in printed.equations[-1]


def test_comparison_and_text_of_an_operator_record(flat):
    text = (
        PAIR
        + """model M Pair x = Pair(1, 2); Boolean same = x == x;
      String s = String(x); end M;"""
    )
    printed = flat(text)

    assert printed.equations[-2].startswith("same = Pair.'=='.same(")
    assert printed.equations[-1].startswith("s = Pair.'String'.text(")


def test_an_operation_nobody_defined_is_refused(refused):
    found = refused(PAIR + "model M Pair x = Pair(1, 2); Pair y = x/x; end M;")

    assert found.code.startswith("N04")


def test_sum_of_an_array_of_operator_records(flat):
    printed = flat(PAIR + "model M Pair x[2] = {Pair(1), Pair(2)}; Pair s = sum(x); end M;")

    assert "Pair.'+'.add" in printed.functions


@pytest.mark.parametrize(
    "value",
    ["a + b", "a - b", "a*b", "a/b", "-a", "2*a", "a*2", "a^2", "Complex(1, 2)", "a + 1"],
)
def test_complex_arithmetic(flat, value):
    printed = flat(
        f"model M Complex a = Complex(1, 2); Complex b = Complex(3); Complex c = {value}; end M;"
    )

    assert printed.names == ["a.re", "a.im", "b.re", "b.im", "c.re", "c.im"]
    assert len(printed.equations) == 6


def test_an_operator_record_with_redeclared_fields(flat):
    """Complex units: a short class that gives the fields another type."""
    text = """
    type Volt = Real(unit = "V");
    operator record ComplexVolt = Complex(redeclare Volt re, redeclare Volt im);
    model M ComplexVolt u = Complex(1, 2); ComplexVolt w = 2*u; end M;
    """
    printed = flat(text)

    assert printed["u.re"] == "Real u.re(unit = V)"
    assert printed["w.im"] == "Real w.im(unit = V)"


def test_a_connector_made_of_a_record_has_a_value(flat):
    text = """connector Out = output Complex;
      model Sub Out i[2] = {Complex(1, 2), Complex(3, 4)}; end Sub;
      model M Sub s; Out o[2]; equation connect(s.i, o); end M;"""

    assert len(flat(text).equations) == 8


def test_a_constructor_is_applied_to_arrays_element_by_element(flat):
    text = """record R constant Real k = 2; Real a; Real b = 3; end R;
      model M R r[2] = R(a = {5, 6}); R none[0] = R(a = fill(1.0, 0)); end M;"""
    printed = flat(text)

    assert [e for e in printed.equations if ".a" in e] == ["r[1].a = 5", "r[2].a = 6"]
    assert printed.value("r[2].k") == "2.0"
    assert not any(name.startswith("none") for name in printed.names)
