"""Connections: sets of potentials and flows, arrays, borders, what may be connected."""

from __future__ import annotations

import pytest

PIN = """
connector Pin Real v; flow Real i; end Pin;
model Part Pin p; Pin n; equation p.v - n.v = p.i; p.i + n.i = 0; end Part;
model Ground Pin p; equation p.v = 0; end Ground;
"""


def own(printed, count: int) -> list[str]:
    """The equations after those of the components."""
    return printed.equations[count:]


def test_two_connectors(flat):
    printed = flat(PIN + "model M Ground a; Ground b; equation connect(a.p, b.p); end M;")

    assert own(printed, 2) == ["a.p.v = b.p.v", "a.p.i + b.p.i = 0.0"]


def test_three_connectors_make_one_set(flat):
    text = (
        PIN
        + """model M Ground a; Ground b; Ground c;
      equation connect(a.p, b.p); connect(c.p, b.p); end M;"""
    )

    assert own(flat(text), 3) == [
        "a.p.v = b.p.v",
        "a.p.v = c.p.v",
        "a.p.i + b.p.i + c.p.i = 0.0",
    ]


def test_a_connection_written_twice_counts_once(flat):
    text = (
        PIN
        + """model M Ground a; Ground b;
      equation connect(a.p, b.p); connect(b.p, a.p); connect(a.p, b.p); end M;"""
    )

    assert own(flat(text), 2) == ["a.p.v = b.p.v", "a.p.i + b.p.i = 0.0"]


def test_an_unconnected_flow_is_zero(flat):
    assert own(flat(PIN + "model M Ground a; end M;"), 1) == ["a.p.i = 0.0"]


def test_a_border_connector_counts_with_the_other_sign_inside(flat):
    text = (
        PIN
        + """
    model Sub Pin a; Ground g; equation connect(a, g.p); end Sub;
    model M Sub s; Ground h; equation connect(s.a, h.p); end M;
    """
    )

    assert sorted(own(flat(text), 2)) == [
        "-s.a.i + s.g.p.i = 0.0",
        "s.a.i + h.p.i = 0.0",
        "s.a.v = h.p.v",
        "s.a.v = s.g.p.v",
    ]


def test_a_border_connector_left_open_carries_nothing(flat):
    text = (
        PIN
        + """
    model Sub Pin a; Ground g; equation connect(a, g.p); end Sub;
    model M Sub s; end M;
    """
    )

    assert sorted(own(flat(text), 1)) == [
        "-s.a.i + s.g.p.i = 0.0",
        "s.a.i = 0.0",
        "s.a.v = s.g.p.v",
    ]


def test_a_top_level_connector_carries_nothing_from_outside(flat):
    text = PIN + "model M Pin a; Ground g; equation connect(a, g.p); end M;"

    assert sorted(own(flat(text), 1)) == ["-a.i + g.p.i = 0.0", "a.i = 0.0", "a.v = g.p.v"]


def test_connecting_two_borders_of_one_class(flat):
    text = (
        PIN
        + """
    model Wire Pin a; Pin b; equation connect(a, b); end Wire;
    model M Wire w; Ground g; Ground h; equation connect(g.p, w.a); connect(w.b, h.p); end M;
    """
    )
    equations = own(flat(text), 2)

    assert "-w.a.i - w.b.i = 0.0" in equations
    assert len(equations) == 6


def test_arrays_of_connectors_element_by_element(flat):
    text = (
        PIN
        + """
    model Many Pin p[2]; equation p.v = {1, 2}; end Many;
    model M Many a; Many b; equation connect(a.p, b.p); end M;
    """
    )

    assert own(flat(text), 2) == [
        "a.p[1].v = b.p[1].v",
        "a.p[1].i + b.p[1].i = 0.0",
        "a.p[2].v = b.p[2].v",
        "a.p[2].i + b.p[2].i = 0.0",
    ]


def test_a_connector_of_each_component_of_an_array(flat):
    """`connect(r.p, plug.pin)` over arrays on both sides."""
    text = (
        PIN
        + """
    connector Plug Pin pin[3]; end Plug;
    model Star Plug plug; Ground g[3]; equation connect(g.p, plug.pin); end Star;
    model M Star s; end M;
    """
    )
    equations = own(flat(text), 3)

    assert [e for e in equations if ".v = " in e] == [
        f"s.g[{k}].p.v = s.plug.pin[{k}].v" for k in (1, 2, 3)
    ]


def test_slices_also_backwards(flat):
    text = (
        PIN
        + """model Many Pin p[3]; equation p.v = {1, 2, 3}; end Many;
      model M Many a; Many b; equation connect(a.p[3:-1:1], b.p); end M;"""
    )
    equations = own(flat(text), 2)

    assert [e for e in equations if ".v = " in e] == [
        "a.p[3].v = b.p[1].v",
        "a.p[2].v = b.p[2].v",
        "a.p[1].v = b.p[3].v",
    ]


def test_connections_in_a_loop(flat):
    text = (
        PIN
        + """model M parameter Integer n = 3; Part r[n];
      equation for k in 1:n - 1 loop connect(r[k].n, r[k + 1].p); end for; end M;"""
    )
    equations = own(flat(text), 6)

    assert [e for e in equations if ".v = " in e] == ["r[1].n.v = r[2].p.v", "r[2].n.v = r[3].p.v"]


def test_connections_under_a_condition(flat):
    text = (
        PIN
        + """model M parameter Boolean on = false; Ground a; Ground b; Ground c;
      equation if on then connect(a.p, b.p); else connect(a.p, c.p); end if; end M;"""
    )
    printed = flat(text)

    assert own(printed, 3) == ["a.p.v = c.p.v", "a.p.i + c.p.i = 0.0", "b.p.i = 0.0"]
    assert printed.variable("on").is_structural


def test_a_condition_known_only_at_run_time_is_refused(refused, place):
    text = (
        PIN
        + """model M Ground a; Ground b;
      equation if time > 1 then connect(a.p, b.p); end if; end M;"""
    )
    found = refused(text)

    assert found.code == "F012"
    assert place(found) == "time > 1"


def test_nested_connectors(flat):
    text = """
    connector Pin Real v; flow Real i; end Pin;
    connector Pair Pin a; Pin b; end Pair;
    model Part Pair c; equation c.a.v = 1; c.b.v = 2; end Part;
    model M Part x; Part y; equation connect(x.c, y.c); end M;
    """

    assert own(flat(text), 4) == [
        "x.c.a.v = y.c.a.v",
        "x.c.a.i + y.c.a.i = 0.0",
        "x.c.b.v = y.c.b.v",
        "x.c.b.i + y.c.b.i = 0.0",
    ]


def test_part_of_a_nested_connector(flat):
    text = """
    connector Pin Real v; flow Real i; end Pin;
    connector Pair Pin a; Pin b; end Pair;
    model Part Pair c; equation c.a.v = 1; c.b.v = 2; end Part;
    model Ground Pin p; equation p.v = 0; end Ground;
    model M Part x; Ground g; equation connect(x.c.a, g.p); end M;
    """

    assert own(flat(text), 3) == ["x.c.a.v = g.p.v", "x.c.a.i + g.p.i = 0.0", "x.c.b.i = 0.0"]


def test_array_variables_in_connectors_stay_whole(flat):
    text = """
    connector Flange Real r[3]; flow Real f[3]; end Flange;
    model Part Flange a; equation a.r = {1, 2, 3}; end Part;
    model M Part x; Part y; Part z; equation connect(x.a, y.a); end M;
    """

    assert own(flat(text), 3) == [
        "x.a.r = y.a.r",
        "x.a.f + y.a.f = fill(0.0, 3)",
        "z.a.f = fill(0.0, 3)",
    ]


def test_signals_are_handed_on(flat):
    text = """
    connector In = input Real; connector Out = output Real;
    block Gain In u; Out y; equation y = 2*u; end Gain;
    model M Gain a; Gain b; In u; Out y; equation connect(u, a.u); connect(a.y, b.u); connect(b.y, y); end M;
    """
    printed = flat(text)

    assert own(printed, 2) == ["u = a.u", "a.y = b.u", "b.y = y"]
    assert printed["u"] == "input Real u"
    assert printed["y"] == "output Real y"
    assert printed["a.u"] == "Real a.u"


def test_elements_of_a_signal_array(flat):
    text = """
    connector In = input Real; connector Out = output Real;
    block Source Out y; equation y = time; end Source;
    block Sum In u[2]; Out y; equation y = sum(u); end Sum;
    model M Source a; Source b; Sum s; equation connect(a.y, s.u[1]); connect(b.y, s.u[2]); end M;
    """

    assert own(flat(text), 3) == ["a.y = s.u[1]", "b.y = s.u[2]"]


def test_a_record_inside_a_connector(flat):
    text = """
    record Frame Real x; Real y; end Frame;
    connector C Frame f; flow Real t; end C;
    model Part C c; equation c.f.x = 1; c.f.y = 2; end Part;
    model M Part a; Part b; equation connect(a.c, b.c); end M;
    """

    assert own(flat(text), 4) == ["a.c.f.x = b.c.f.x", "a.c.f.y = b.c.f.y", "a.c.t + b.c.t = 0.0"]


def test_constants_and_parameters_of_connectors_make_no_equations(flat):
    text = """
    connector C parameter Integer n = 2; Real v[n]; flow Real i[n]; end C;
    model Part C c; equation c.v = {1, 2}; end Part;
    model M Part a; Part b; equation connect(a.c, b.c); end M;
    """

    assert own(flat(text), 2) == ["a.c.v = b.c.v", "a.c.i + b.c.i = fill(0.0, 2)"]


def test_different_connectors_are_refused(refused, place):
    text = (
        PIN
        + """connector Flange Real s; flow Real f; end Flange;
      model Mass Flange a; end Mass;
      model M Ground g; Mass m; equation connect(g.p, m.a); end M;"""
    )
    found = refused(text)

    assert found.code == "F011"
    assert place(found) == "connect(g.p, m.a)"


def test_a_flow_and_a_potential_do_not_match(refused):
    text = """connector A Real v; flow Real i; end A; connector B Real i; flow Real v; end B;
      model M A a; B b; equation connect(a, b); end M;"""

    assert refused(text).code == "F011"


def test_different_sizes_are_refused(refused):
    text = PIN + "model M Ground a[2]; Ground b[3]; equation connect(a.p, b.p); end M;"

    assert refused(text).code == "F013"


def test_what_is_no_connector_is_refused(refused):
    text = PIN + "model M Ground a; Ground b; equation connect(a, b); end M;"

    assert refused(text).code == "F010"


def test_cardinality_counts_connections(flat):
    text = (
        PIN
        + """
    model Probe Pin p; Real n = cardinality(p); end Probe;
    model M Probe a; Probe b; Probe c; equation connect(a.p, b.p); connect(a.p, c.p); end M;
    """
    )

    assert flat(text).equations[:3] == ["a.n = 2", "b.n = 1", "c.n = 1"]


def test_an_assertion_on_cardinality_in_a_loop(flat):
    text = (
        PIN
        + """
    model Vessel parameter Integer n = 2; Pin p[n];
      equation for i in 1:n loop assert(cardinality(p[i]) <= 1, "only one"); p[i].v = 1; end for; end Vessel;
    model M Vessel v; Ground g; equation connect(v.p[1], g.p); end M;
    """
    )

    assert flat(text).equations[0] == 'assert(1 <= 1, "only one")'


def test_conditional_components_take_their_connections_along(flat):
    text = (
        PIN
        + """model M parameter Boolean on = false; Ground a; Ground b if on; Ground c;
      equation connect(a.p, b.p); connect(b.p, c.p); end M;"""
    )
    printed = flat(text)

    assert printed.names == ["on", "a.p.v", "a.p.i", "c.p.v", "c.p.i"]
    assert own(printed, 2) == ["a.p.i = 0.0", "c.p.i = 0.0"]


def test_a_conditional_connector_that_exists(flat):
    """A modification of a conditional connector counts only if it exists."""
    text = """
    connector Heat Real T; flow Real Q; end Heat;
    model Part parameter Boolean use = false; parameter Real T0 = 300; Heat port(T(start = T0)) if use;
      Real T; Real Q; equation if not use then T = T0; end if; Q = 1; end Part;
    """
    printed = flat(
        text + "model M Part a; Part b(use = true, port(T = 5)); equation b.port.T = b.T; end M;"
    )

    assert printed["b.port.T"] == "Real b.port.T(start = b.T0)"
    assert "b.port.T = 5" in printed.equations
    assert "a.port.T" not in printed.names
    assert "a.T = a.T0" in printed.equations


ABSENT = """
connector In = input Real; connector Out = output Real;
block Sum parameter Integer n; In u[n]; Out y = sum(u); end Sum;
block Src Out y = time; end Src;
expandable connector Bus end Bus;
"""


@pytest.mark.parametrize(
    "connection", ["connect(s.u[2], b.y);", "connect(b.y, s.u[2]);", "connect(c[3].y, s.u[5]);"]
)
def test_beside_a_component_that_does_not_exist_subscripts_are_not_looked_at(flat, connection):
    text = f"""{ABSENT} model M
      parameter Boolean two = false;
      Sum s(n = if two then 2 else 1); Src a; Src b if two; Src c[3] if two;
    equation
      connect(s.u[1], a.y); {connection}
    end M;"""

    assert flat(text).equations == ["s.y = sum(s.u)", "a.y = time", "s.u[1] = a.y"]


def test_beside_components_that_exist_they_are(refused):
    text = f"{ABSENT} model M Sum s(n = 1); Src b; equation connect(s.u[2], b.y); end M;"

    assert refused(text).code == "N034"


def test_names_are_looked_up_beside_a_component_that_does_not_exist_too(refused):
    text = f"{ABSENT} model M Sum s(n = 1); Src b if false; equation connect(s.v, b.y); end M;"

    assert refused(text).code == "N003"


@pytest.mark.parametrize("connection", ["connect(u, bus.x);", "connect(bus.x, u);"])
def test_what_does_not_exist_adds_nothing_to_a_bus(flat, connection):
    text = f"""{ABSENT} model A Bus bus; In u if false; Real z = time; equation {connection} end A;
    model M A a; end M;"""

    assert flat(text).names == ["a.z"]
