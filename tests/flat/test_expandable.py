"""Expandable connectors: members that come into being by connections."""

from __future__ import annotations

BUS = """
connector In = input Real; connector Out = output Real;
connector BooleanIn = input Boolean; connector BooleanOut = output Boolean;
expandable connector Bus end Bus;
block Source Out y; equation y = time; end Source;
block Sink In u; Real seen = u; end Sink;
block Switch BooleanOut y; equation y = time > 1; end Switch;
"""


def test_a_member_comes_into_being(flat):
    text = (
        BUS
        + """model M Bus bus; Source s; Sink k;
      equation connect(s.y, bus.speed); connect(bus.speed, k.u); end M;"""
    )
    printed = flat(text)

    assert "bus.speed" in printed.names
    assert printed.equations[-2:] == ["s.y = bus.speed", "s.y = k.u"]


def test_members_reach_every_connected_bus(flat):
    text = (
        BUS
        + """
    model Left Bus bus; Source s; equation connect(s.y, bus.speed); end Left;
    model Right Bus bus; Sink k; equation connect(bus.speed, k.u); end Right;
    model M Left l; Right r; Bus bus; equation connect(l.bus, bus); connect(r.bus, bus); end M;
    """
    )
    printed = flat(text)

    assert {"l.bus.speed", "r.bus.speed", "bus.speed"} <= set(printed.names)
    assert sum("speed" in e for e in printed.equations) == 4


def test_two_members_of_different_types(flat):
    text = (
        BUS
        + """model M Bus bus; Source s; Switch b;
      equation connect(s.y, bus.speed); connect(b.y, bus.on); end M;"""
    )
    printed = flat(text)

    assert printed["bus.on"] == "Boolean bus.on"
    assert printed["bus.speed"] == "Real bus.speed"


def test_a_bus_inside_a_bus(flat):
    text = (
        BUS
        + """
    expandable connector Big Bus engine; end Big;
    model M Big bus; Source s; Sink k;
    equation connect(s.y, bus.engine.speed); connect(bus.engine.speed, k.u); end M;
    """
    )
    printed = flat(text)

    assert "bus.engine.speed" in printed.names
    assert printed.equations[-2:] == ["s.y = bus.engine.speed", "s.y = k.u"]


def test_a_declared_member_keeps_its_type(flat):
    text = (
        BUS
        + """
    expandable connector Known Real speed(unit = "m/s"); end Known;
    model M Known bus; Source s; equation connect(s.y, bus.speed); end M;
    """
    )

    assert flat(text)["bus.speed"].startswith("Real bus.speed(unit = m/s)")


def test_array_members(flat):
    text = (
        BUS
        + """
    block Many Out y[3]; equation y = {1, 2, 3}; end Many;
    model M Bus bus; Many m; equation connect(m.y, bus.list); end M;
    """
    )

    assert flat(text).variable("bus.list").dims == (3,)


def test_a_member_that_nothing_tells_the_type_of_is_refused(refused, place):
    text = BUS + "model M Bus a; Bus b; equation connect(a.x, b.y); end M;"
    found = refused(text)

    assert found.code == "F014"
    assert place(found) == "connect(a.x, b.y)"


def test_a_physical_connector_on_a_bus(flat):
    text = (
        BUS
        + """
    connector Pin Real v; flow Real i; end Pin;
    model Ground Pin p; equation p.v = 0; end Ground;
    model M Bus bus; Ground g; Ground h; equation connect(g.p, bus.pin); connect(h.p, bus.pin); end M;
    """
    )
    printed = flat(text)

    assert {"bus.pin.v", "bus.pin.i"} <= set(printed.names)
    assert "g.p.v = bus.pin.v" in printed.equations


def test_indexed_members_make_an_array(flat):
    text = (
        BUS
        + """model M Bus bus; Source s[2]; Sink k[2];
      equation for i in 1:2 loop connect(s[i].y, bus.x[i]); connect(bus.x[i], k[i].u); end for; end M;"""
    )
    printed = flat(text)

    assert printed.variable("bus.x").dims == (2,)
    assert "s[2].y = bus.x[2]" in printed.equations


def test_a_connector_of_each_component_makes_an_array_member(flat):
    printed = flat(BUS + "model M Bus bus; Source s[3]; equation connect(s.y, bus.all_); end M;")

    assert printed.variable("bus.all_").dims == (3,)


def test_members_of_an_array_of_buses(flat):
    text = (
        BUS
        + """model M Bus bus[2]; Source s[2];
      equation for i in 1:2 loop connect(s[i].y, bus[i].x); end for; end M;"""
    )

    assert "s[1].y = bus[1].x" in flat(text).equations
