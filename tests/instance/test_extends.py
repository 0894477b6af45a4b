"""Base classes: what is inherited, in which order, and what may be left out."""

from __future__ import annotations


def test_elements_come_in_the_order_of_the_text_with_inherited_ones_in_place(flat):
    text = """
    model A Real a1 = 1; Real a2 = 2; end A;
    model B Real b = 3; end B;
    model M Real m1 = 0; extends A; Real m2 = 4; extends B; end M;
    """
    printed = flat(text)

    assert printed.names == ["m1", "a1", "a2", "m2", "b"]
    assert printed.equations == ["m1 = 0", "a1 = 1", "a2 = 2", "m2 = 4", "b = 3"]


def test_equations_of_base_classes_come_with_them(flat):
    text = """
    model A Real x; equation der(x) = -x; initial equation x = 1; end A;
    model M extends A; Real y; equation y = 2*x; end M;
    """
    printed = flat(text)

    assert printed.equations == ["der(x) = -x", "y = 2*x"]
    assert printed.initial == ["x = 1"]


def test_a_diamond_gives_its_elements_once(flat):
    text = """
    model Top parameter Real p = 1; end Top;
    model Left extends Top; Real l = p; end Left;
    model Right extends Top; Real r = 2*p; end Right;
    model M extends Left; extends Right; end M;
    """
    printed = flat(text)

    assert printed.names == ["p", "l", "r"]
    assert printed.equations == ["l = p", "r = 2*p"]


def test_a_diamond_with_equations_in_its_top_keeps_both(flat):
    """Only elements are shared; a base class met twice brings its equations twice."""
    text = """
    partial model Top Real x; end Top;
    model Left extends Top; equation x = 1; end Left;
    model Right extends Top; Real y; equation y = x; end Right;
    model M extends Left; extends Right; end M;
    """

    assert flat(text).equations == ["x = 1", "y = x"]


def test_a_modification_of_the_extends_clause_reaches_inherited_elements(flat):
    text = """
    model A parameter Real p = 1; Real x(start = 0) = p; end A;
    model M extends A(p = 5, x(start = 2, unit = "m")); end M;
    """
    printed = flat(text)

    assert printed["p"] == "parameter Real p = 5"
    assert printed["x"] == "Real x(start = 2, unit = m)"


def test_the_modification_nearest_to_the_model_wins(flat):
    text = """
    model A parameter Real p = 1; end A;
    model B extends A(p = 2); end B;
    model C extends B(p = 3); end C;
    model M C c(p = 4); B b; end M;
    """
    printed = flat(text)

    assert (printed.value("c.p"), printed.value("b.p")) == ("4", "2")


def test_a_modification_may_use_names_of_the_extending_class(flat):
    text = """
    model A parameter Real p = 1; end A;
    model M parameter Real q = 7; extends A(p = 2*q); end M;
    """

    assert flat(text).value("p") == "2*q"


def test_elements_of_a_protected_extends_are_protected(flat):
    text = "model A Real x = 1; end A; model M protected extends A; public Real y = x; end M;"
    printed = flat(text)

    assert printed.variable("x").is_protected
    assert not printed.variable("y").is_protected


def test_what_a_protected_component_holds_is_protected(flat):
    printed = flat("model A Real x = 1; end A; model M protected A a; end M;")

    assert printed.variable("a.x").is_protected


def test_a_class_inherited_by_a_package_sees_the_constants_of_that_package(flat):
    text = """
    package Base
      constant Integer n = 1;
      model Part Real x[n]; equation x = fill(1.0, n); end Part;
    end Base;
    package Two extends Base(n = 2); end Two;
    model M Base.Part a; Two.Part b; end M;
    """
    printed = flat(text)

    assert [v.dims for v in printed.model.variables] == [(1,), (2,)]


def test_redeclare_in_the_extends_clause(flat):
    text = """
    model Slow Real x = 1; end Slow;
    model Fast Real x = 10; Real y = 2; end Fast;
    model A replaceable Slow part; end A;
    model M extends A(redeclare Fast part); end M;
    """

    assert flat(text).equations == ["part.x = 10", "part.y = 2"]


def test_redeclare_as_an_element(flat):
    text = """
    model Slow Real x = 1; end Slow;
    model Fast Real x = 10; end Fast;
    model A replaceable Slow part; end A;
    model M extends A; redeclare Fast part; end M;
    """

    assert flat(text).equations == ["part.x = 10"]


def test_a_component_left_out_with_break(flat):
    """Selective model extension, new in 3.6."""
    text = """
    connector Pin Real v; flow Real i; end Pin;
    model Part Pin p; Pin n; equation p.v - n.v = p.i; p.i + n.i = 0; end Part;
    model A Part a; Part b; Part c; equation connect(a.n, b.p); connect(b.n, c.p); end A;
    model M extends A(break b); equation connect(a.n, c.p); end M;
    """
    printed = flat(text)

    assert not any(name.startswith("b.") for name in printed.names)
    assert "a.n.v = c.p.v" in printed.equations
    assert "a.n.i + c.p.i = 0.0" in printed.equations


def test_a_component_left_out_may_be_declared_anew(flat):
    text = """
    connector Pin Real v; flow Real i; end Pin;
    model One Pin p; equation p.v = 1; end One;
    model Two Pin p; equation p.v = 2*p.i; end Two;
    model A One a; One b; equation connect(a.p, b.p); end A;
    model M extends A(break b); Two b; equation connect(a.p, b.p); end M;
    """

    assert flat(text).equations == [
        "a.p.v = 1",
        "b.p.v = 2*b.p.i",
        "a.p.v = b.p.v",
        "a.p.i + b.p.i = 0.0",
    ]


def test_leaving_out_what_is_not_there_is_refused(refused, place):
    found = refused("model A Real x = 1; end A; model M extends A(break y); end M;")

    assert found.code == "N010"
    assert place(found) == "break y"


def test_a_connection_left_out_with_break(flat):
    text = """
    connector Pin Real v; flow Real i; end Pin;
    model Part Pin p; Pin n; equation p.v - n.v = p.i; p.i + n.i = 0; end Part;
    model A Part a; Part b; equation connect(a.n, b.p); end A;
    model M extends A(break connect(a.n, b.p)); end M;
    """
    printed = flat(text)

    assert "a.n.v = b.p.v" not in printed.equations
    assert "a.n.i = 0.0" in printed.equations


def test_a_class_that_extends_itself_is_refused(refused):
    found = refused("model A extends B; end A; model B extends A; end B; model M extends A; end M;")

    assert found.code == "N006"


def test_modifying_what_is_not_inherited_is_refused(refused, place):
    found = refused("model A parameter Real p = 1; end A; model M extends A(q = 5); end M;")

    assert (found.code, found.message) == ("N010", "`A` has no element `q` to modify")
    assert place(found) == "q = 5"


def test_the_base_class_name_is_found_in_the_class_around(flat):
    text = """
    package P
      model A Real x = 1; end A;
      package Q extends R; model M extends A; end M; end Q;
      package R constant Real c = 1; end R;
    end P;
    """

    assert flat(text, "P.Q.M").equations == ["x = 1"]


def test_a_long_class_may_extend_a_simple_type(flat):
    text = 'type Length extends Real(unit = "m", min = 0); end Length; model M Length x = 1; end M;'

    assert flat(text)["x"] == "Real x(min = 0, unit = m)"
