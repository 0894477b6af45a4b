"""Which element a name means."""

from __future__ import annotations

import pytest

from freewheel.instance import standard_names

PACKAGE = """
package P
  constant Real c = 1;
  package Q
    constant Real d = 2;
    constant Real e = 3;
    model Part Real x = d; end Part;
    function twice input Real u; output Real y; algorithm y := 2*u; end twice;
  end Q;
end P;
"""


@pytest.mark.parametrize(
    ("clause", "use", "value"),
    [
        ("import P.Q.d;", "d", "2.0"),
        ("import k = P.Q.d;", "k", "2.0"),
        ("import P.Q.{d, e};", "d + e", "2.0 + 3.0"),
        ("import P.Q.*;", "d + e", "2.0 + 3.0"),
        ("import P.Q;", "Q.d", "2.0"),
        ("import R = P.Q;", "R.e", "3.0"),
        ("import P.Q.twice;", "twice(1)", "P.Q.twice(1)"),
        ("", "P.Q.e", "3.0"),
        ("", ".P.Q.e", "3.0"),
    ],
)
def test_every_form_of_import_reaches_its_element(flat, clause, use, value):
    printed = flat(PACKAGE + f"model M {clause} Real y = {use}; end M;")

    assert printed.equations == [f"y = {value}"]


def test_a_qualified_import_wins_over_an_unqualified_one(flat):
    text = PACKAGE + "package O constant Real d = 9; end O;"
    printed = flat(text + "model M import P.Q.*; import O.d; Real y = d; end M;")

    assert printed.equations == ["y = 9.0"]


def test_imports_are_not_inherited(refused):
    found = refused(PACKAGE + "model B import P.Q.d; end B; model M extends B; Real y = d; end M;")

    assert (found.code, found.message) == ("N001", "`d` is not declared in `M` or around it")


def test_protected_members_are_not_imported_by_a_star(refused):
    text = "package P protected constant Real d = 1; end P;"

    assert refused(text + "model M import P.*; Real y = d; end M;").code == "N001"


def test_constants_of_enclosing_packages_are_seen(flat):
    printed = flat(
        "package P constant Real c = 4; package Q model M Real y = c; end M; end Q; end P;", "P.Q.M"
    )

    assert printed.equations == ["y = 4.0"]


def test_the_nearest_declaration_shadows_those_around_it(flat):
    text = """package P constant Real c = 4;
      package Q constant Real c = 5; model M Real y = c; end M; end Q; end P;"""

    assert flat(text, "P.Q.M").equations == ["y = 5.0"]


def test_an_inherited_member_shadows_an_enclosing_one(flat):
    text = """package P constant Real c = 4;
      model B parameter Real c = 6; end B; model M extends B; Real y = c; end M; end P;"""

    assert flat(text, "P.M").equations == ["y = c"]


def test_an_encapsulated_class_does_not_see_what_is_around_it(refused, place):
    found = refused(
        "package P constant Real c = 4; encapsulated model M Real y = c; end M; end P;", "P.M"
    )

    assert found.code == "N001"
    assert place(found) == "c"


def test_an_encapsulated_class_may_import_and_use_basic_types(flat):
    text = (
        "package P constant Real c = 4; encapsulated model M import P; Real y = P.c; end M; end P;"
    )

    assert flat(text, "P.M").equations == ["y = 4.0"]


def test_an_encapsulated_class_still_reaches_functions_of_the_language(flat):
    text = "encapsulated model M Real y = sin(time); end M;"

    assert flat(text).equations == ["y = sin(time)"]


def test_classes_found_through_a_component(flat):
    text = """model World function gravity input Real h; output Real g;
      algorithm g := 10 - h; end gravity; end World;
    model M World w; Real g = w.gravity(2); end M;"""

    assert len(flat(text).functions) == 1


def test_names_after_the_first_are_members_only(refused, place):
    found = refused(
        "package P constant Real c = 4; package Q end Q; end P; model M Real y = P.Q.c; end M;"
    )

    assert (found.code, found.message) == ("N003", "`P.Q` has no member `c`")
    assert place(found) == "P.Q.c"


def test_a_loop_index_hides_a_component(flat):
    printed = flat(
        "model M parameter Integer i = 7; Real x[2]; equation for i in 1:2 loop x[i] = i; end for; end M;"
    )

    assert printed.equations == ["for i in 1:2 loop x[i] = i; end for"]


def test_an_import_of_nothing_is_refused(refused, place):
    found = refused("model M import Nowhere.x; Real y = x; end M;")

    assert found.code == "N004"
    assert place(found) == "Nowhere.x"


def test_a_package_constant_may_use_one_declared_later(flat):
    text = (
        "package P constant Real a = 2*b; constant Real b = 3; end P; model M Real y = P.a; end M;"
    )

    assert flat(text).equations == ["y = 6.0"]


def test_a_local_class_sees_constants_of_the_model_around_it(flat):
    text = "model M constant Real c = 3; model Part Real x = c; end Part; Part p; end M;"

    assert flat(text).equations == ["p.x = 3.0"]


def test_a_class_of_the_same_name_as_its_package_part(flat):
    """`P.Q` inside package `Q` means the member of `P`, not the `Q` around it."""
    text = """package P package Q package P constant Real c = 1; end P;
      model M Real y = P.c; end M; end Q; constant Real c = 2; end P;"""

    assert flat(text, "P.Q.M").equations == ["y = 1.0"]


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("package P Real x = 2; end P; model M Real y = P.x; end M;", "P.x"),
        ("package P parameter Real x = 2; end P; model M Real y = P.x; end M;", "P.x"),
        ("package P Real x[2] = {1, 2}; end P; model M Real y[2] = P.x; end M;", "P.x"),
        ("package P Real x = 2; model N Real y = x; end N; end P; model M P.N n; end M;", "x"),
        ("package P Real x = 2; end P; model M import P.x; Real y = x; end M;", "x"),
        (
            "package P record R Real a = 1; end R; R r; end P; model M Real y = P.r.a; end M;",
            "P.r.a",
        ),
        ("model A Real x = 2; end A; model M Real y = A.x; end M;", "A.x"),
        (
            "model M Real x = 2; function f input Real u; output Real y; algorithm y := u*x; end f;"
            "Real y = f(time); end M;",
            "x",
        ),
        (
            "model M parameter Real x(fixed = false); function f input Real u; output Real y;"
            "algorithm y := u*x; end f; Real y = f(time); initial equation x = 1; end M;",
            "x",
        ),
    ],
)
def test_of_a_class_only_constants_can_be_used(refused, place, text, where):
    found = refused(text)

    assert (found.code, place(found)) == ("N090", where)


def test_a_function_takes_a_parameter_of_the_model_around_it_by_value(flat):
    text = """
    model M
      parameter Integer n = 2; parameter Real k = 3;
      function f input Real u[n]; output Real y; algorithm y := k*sum(u); end f;
      Real y = f({time, 1});
    end M;"""
    printed = flat(text)

    assert [v.is_structural for v in printed.model.variables] == [True, True, False]


@pytest.mark.parametrize(
    ("use", "wanted"),
    [
        ("Modelica.Fluid.Vessels.OpenTank a;", "`Modelica.Fluid`"),
        ("extends Modelica.Fluid.Vessels.OpenTank;", "`Modelica.Fluid`"),
        ("import Modelica.Media.Air.*; Real x = time;", "`Modelica.Media`"),
        ("Real x = Modelica.Math.FastFourierTransform.realFFT({1}, 2);", "FastFourierTransform`"),
        ("Real x = Modelica.Electrical.Machines.Thermal.convertAlpha(1, 2);", "Machines`"),
    ],
)
def test_what_only_the_standard_library_has_is_said_to_be_there(refused, use, wanted):
    found = refused(f"model M {use} end M;")

    assert found.code == "N003"
    assert found.help.startswith("the Modelica Standard Library 4.1.0 has")
    assert wanted in found.help
    assert "`--library DIR`" in found.help


def test_a_near_miss_of_a_standard_name_is_found(refused):
    found = refused("model M Modelica.Electrical.Machnies.Foo a; end M;")

    assert found.help.startswith("did you mean `Machines`? The Modelica Standard Library")


def test_own_packages_get_no_word_of_the_standard_library(refused):
    text = "package Modelica package Blocks end Blocks; end Modelica;"

    assert "Standard" not in refused(text + "model M Modelica.Blocks.Sources.Sine a; end M;").help


def test_the_names_are_read_for_a_message_only(flat):
    standard_names._below.cache_clear()
    flat("model M Modelica.Blocks.Sources.Sine a(f=1); end M;")

    assert standard_names._below.cache_info().currsize == 0
