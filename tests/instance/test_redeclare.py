"""Replaceable elements: components, classes, packages, and what constrains them."""

from __future__ import annotations

import pytest

RESISTORS = """
partial model Two parameter Real R = 1; Real u; Real i; end Two;
model Linear extends Two; equation u = R*i; end Linear;
model Square extends Two; parameter Real k = 2; equation u = R*i*abs(i)*k; end Square;
model Circuit replaceable Linear r constrainedby Two(R = 5); equation r.u = 1; end Circuit;
"""


def test_the_default_is_used_without_redeclaration(flat):
    printed = flat(RESISTORS + "model M Circuit c; end M;")

    assert printed.equations == ["c.r.u = 1", "c.r.u = c.r.R*c.r.i"]


def test_a_component_is_replaced(flat):
    printed = flat(RESISTORS + "model M Circuit c(redeclare Square r(k = 3)); end M;")

    assert printed.equations == ["c.r.u = 1", "c.r.u = c.r.R*c.r.i*abs(c.r.i)*c.r.k"]
    assert printed.value("c.r.k") == "3"


def test_the_modification_of_the_constraining_clause_stays(flat):
    printed = flat(RESISTORS + "model M Circuit c(redeclare Square r); end M;")

    assert printed.value("c.r.R") == "5"


def test_the_constraining_clause_also_modifies_the_declaration_itself(flat):
    printed = flat(RESISTORS + "model M Circuit c; end M;")

    assert printed.value("c.r.R") == "5"


def test_the_declaration_wins_over_its_constraining_clause(flat):
    text = RESISTORS + "model M replaceable Linear r(R = 6) constrainedby Two(R = 5); end M;"

    assert flat(text).value("r.R") == "6"


def test_without_a_constraining_clause_the_modification_stays(flat):
    text = RESISTORS + "model A replaceable Linear r(R = 6); end A;"

    assert flat(text + "model M A a(redeclare Square r); end M;").value("a.r.R") == "6"


def test_with_a_constraining_clause_the_modification_of_the_declaration_goes(flat):
    text = RESISTORS + "model A replaceable Linear r(R = 6) constrainedby Two; end A;"

    assert flat(text + "model M A a(redeclare Square r); end M;").value("a.r.R") == "1"


def test_the_redeclaration_wins_over_the_constraining_clause(flat):
    printed = flat(RESISTORS + "model M Circuit c(redeclare Square r(R = 8)); end M;")

    assert printed.value("c.r.R") == "8"


def test_a_redeclaration_in_steps(flat):
    text = (
        RESISTORS
        + """
    model Better Circuit c(redeclare replaceable Square r); end Better;
    model M Better b(c(redeclare Linear r)); end M;
    """
    )

    assert flat(text).equations == ["b.c.r.u = 1", "b.c.r.u = b.c.r.R*b.c.r.i"]


def test_what_is_not_replaceable_stays(refused, place):
    text = (
        RESISTORS + "model Fixed Linear r; end Fixed; model M Fixed f(redeclare Square r); end M;"
    )
    found = refused(text)

    assert (found.code, found.message) == ("N016", "`r` of `Fixed` is not replaceable")
    assert place(found) == "redeclare Square r"


def test_a_class_is_replaced(flat):
    text = (
        RESISTORS
        + """
    model Chain replaceable model Part = Linear constrainedby Two; Part a; Part b; end Chain;
    model M Chain c(redeclare model Part = Square(k = 4)); end M;
    """
    )
    printed = flat(text)

    assert (printed.value("c.a.k"), printed.value("c.b.k")) == ("4", "4")


def test_a_class_is_replaced_in_an_extends_clause(flat):
    text = (
        RESISTORS
        + """
    model Chain replaceable model Part = Linear; Part a; end Chain;
    model M extends Chain(redeclare model Part = Square); end M;
    """
    )

    assert flat(text).equations == ["a.u = a.R*a.i*abs(a.i)*a.k"]


def test_a_class_is_replaced_as_an_element(flat):
    text = (
        RESISTORS
        + """
    model Chain replaceable model Part = Linear; Part a; end Chain;
    model M extends Chain; redeclare model Part = Square(k = 6); end M;
    """
    )

    assert flat(text).value("a.k") == "6"


def test_a_class_is_replaced_by_a_long_class(flat):
    text = (
        RESISTORS
        + """
    model Chain replaceable model Part = Linear; Part a; end Chain;
    model M extends Chain; redeclare model Part Real x = 42; end Part; end M;
    """
    )

    assert flat(text).equations == ["a.x = 42"]


def test_the_class_given_is_found_where_the_modification_was_written(flat):
    text = (
        RESISTORS
        + """
    package P model Mine extends Two; equation u = 0; end Mine;
      model M Circuit c(redeclare Mine r); end M; end P;
    """
    )

    assert flat(text, "P.M").equations == ["c.r.u = 1", "c.r.u = 0"]


MEDIA = """
partial package Medium
  constant Integer n = 1;
  replaceable record State end State;
  replaceable partial function density input State s; output Real d; end density;
end Medium;
package Water
  extends Medium(n = 2);
  redeclare record State Real T; end State;
  redeclare function density input State s; output Real d; algorithm d := 1000 - s.T; end density;
end Water;
package Gas
  extends Medium;
  redeclare record extends State Real p; Real T; end State;
  redeclare function extends density algorithm d := s.p/s.T; end density;
end Gas;
model Tank
  replaceable package Medium = Water constrainedby Medium_;
  Medium.State s; Real d = Medium.density(s); Real c[Medium.n];
end Tank;
partial package Medium_ extends Medium; end Medium_;
"""


def test_a_package_is_replaced_and_its_constants_follow(flat):
    text = MEDIA + "model M Tank a; Tank b(redeclare package Medium = Gas); end M;"
    printed = flat(text)

    assert printed.names == ["a.s.T", "a.d", "a.c", "b.s.p", "b.s.T", "b.d", "b.c"]
    assert [printed.variable(n).dims for n in ("a.c", "b.c")] == [(2,), (1,)]
    assert printed.functions == ["Water.density", "Gas.density"]


def test_a_package_handed_on_to_a_component(flat):
    text = (
        MEDIA
        + """
    model Plant replaceable package Medium = Water; Tank t(redeclare package Medium = Medium); end Plant;
    model M Plant p(redeclare package Medium = Gas); end M;
    """
    )

    assert flat(text).names == ["p.t.s.p", "p.t.s.T", "p.t.d", "p.t.c"]


def test_a_package_given_with_modified_constants(flat):
    text = MEDIA + "model M Tank t(redeclare package Medium = Water(n = 5)); end M;"

    assert flat(text).variable("t.c").dims == (5,)


def test_a_constant_that_depends_on_the_actual_package(flat):
    """`nS = size(names, 1)` must see the names of the package that is used in the end."""
    text = """
    partial package Base
      constant String names[:] = fill("", 0);
      constant Integer n = size(names, 1);
      model Part Real x[n] = fill(1.0, n); end Part;
    end Base;
    package Air extends Base(names = {"N2", "O2", "Ar"}); end Air;
    model M replaceable package Gas = Air; Gas.Part p; end M;
    """

    assert flat(text).variable("p.x").dims == (3,)


def test_class_extends_adds_to_the_inherited_class(flat):
    text = """
    partial package Base
      replaceable partial model Props parameter Real k = 1; Real x; end Props;
      model User Props p; end User;
    end Base;
    package Mine
      extends Base;
      redeclare model extends Props(k = 3) Real y; equation x = k*y; y = time; end Props;
    end Mine;
    model M Mine.User u; end M;
    """
    printed = flat(text)

    assert printed.names == ["u.p.k", "u.p.x", "u.p.y"]
    assert printed.value("u.p.k") == "3"
    assert printed.equations == ["u.p.x = u.p.k*u.p.y", "u.p.y = time"]


def test_class_extends_twice_in_a_chain(flat):
    text = """
    package A replaceable model Part Real a = 1; end Part; end A;
    package B extends A; redeclare replaceable model extends Part Real b = 2; end Part; end B;
    package C extends B; redeclare model extends Part Real c = 3; end Part; end C;
    model M C.Part p; B.Part q; end M;
    """

    assert flat(text).equations == ["p.a = 1", "p.b = 2", "p.c = 3", "q.a = 1", "q.b = 2"]


def test_inherited_code_sees_the_record_that_was_redeclared(flat):
    text = """
    partial package Base
      replaceable record State Real p; end State;
      replaceable function make input Real p; output State s; algorithm s := State(p = p); end make;
      model User State s = make(2); end User;
    end Base;
    package Two
      extends Base;
      redeclare record extends State Real q = 7; end State;
      redeclare function extends make algorithm s := State(p = p, q = 1); end make;
    end Two;
    model M Two.User u; end M;
    """
    printed = flat(text)

    assert printed.names == ["u.s.p", "u.s.q"]
    assert printed.equations == ["u.s.p = (Two.make(2)).p", "u.s.q = (Two.make(2)).q"]


def test_class_extends_without_an_inherited_class_is_refused(refused):
    text = "package A end A; package B extends A; redeclare model extends Part end Part; end B;"

    assert refused(text + "model M B.Part p; end M;").code == "N015"


def test_redeclare_without_an_inherited_element_is_refused(refused):
    text = RESISTORS + "model M extends Circuit; redeclare Linear other; end M;"

    assert refused(text).code == "N015"


def test_a_replaceable_type_is_replaced(flat):
    text = """
    connector Port replaceable type Signal = Real; flow Signal f; Signal e; end Port;
    type Force = Real(unit = "N");
    model M Port p(redeclare type Signal = Force); equation p.e = 1; end M;
    """

    assert flat(text)["p.e"] == "Real p.e(unit = N)"


def test_a_replaceable_function_is_replaced(flat):
    text = """
    partial function F input Real u; output Real y; end F;
    function one extends F; algorithm y := u; end one;
    function two extends F; input Real k = 2; algorithm y := k*u; end two;
    model Part replaceable function f = one constrainedby F; Real y = f(time); end Part;
    model M Part p(redeclare function f = two(k = 5)); end M;
    """

    assert flat(text).equations == ["p.y = M.f(time, 5)"]


def test_choices_and_annotations_do_not_disturb(flat):
    text = (
        RESISTORS
        + """
    model C replaceable Linear r constrainedby Two annotation(choices(choice(redeclare Square r "s"))); end C;
    model M C c(redeclare Square r); end M;
    """
    )

    assert flat(text).value("c.r.k") == "2"


EXTENDED = """
package Eq
  replaceable record D end D;
  replaceable record F Real f = 1; end F;
  replaceable model B Real b; equation b = 1; end B;
  replaceable connector C Real e; end C;
end Eq;
record R Real a = 2; end R;
record S Real s = 3; end S;
model Extra Real c; equation c = 5; end Extra;
"""


@pytest.mark.parametrize(
    ("body", "use", "expected"),
    [
        ("redeclare record extends D extends R; end D;", "I.D x(a = 4)", ["x.a = 4"]),
        (
            "redeclare record extends D extends R; extends S(s = 7); end D;",
            "I.D x",
            ["x.a = 2", "x.s = 7"],
        ),
        ("redeclare record extends F(f = 9) extends R; end F;", "I.F x", ["x.f = 9", "x.a = 2"]),
        ("redeclare model extends B extends Extra; end B;", "I.B x", ["x.b = 1", "x.c = 5"]),
        (
            "redeclare record extends D extends R; Real own = 8; end D;",
            "I.D x",
            ["x.a = 2", "x.own = 8"],
        ),
    ],
)
def test_a_class_that_extends_the_inherited_one_may_extend_others_too(flat, body, use, expected):
    text = f"{EXTENDED} package I extends Eq; {body} end I; model M {use}; end M;"

    assert sorted(flat(text).equations) == sorted(expected)


@pytest.mark.parametrize(
    ("declared", "redeclared", "code"),
    [
        ("Real c[:]", "Real c[3]", None),
        ("Real c[2]", "Real c[3]", None),
        ("Real c[:]", "Real c", "N016"),
        ("Real c[:]", "Integer c[3]", "N016"),
        ("Real c", "Real c", "N016"),
        ("final Real c[2]", "Real c[3]", "N016"),
    ],
)
def test_of_what_is_not_replaceable_only_sizes_can_be_redeclared(
    flat, refused, declared, redeclared, code
):
    text = f"record P {declared}; end P; model M P p(redeclare {redeclared}); equation"
    text += " p.c = fill(time, 3); end M;"
    if code is None:
        assert flat(text)["p.c"] == "Real[3] p.c"
    else:
        assert refused(text).code == code
