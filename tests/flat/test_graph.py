"""Overconstrained connectors, with a small library of frames in the plane.

A frame carries its angle as a redundant pair (cos, sin): three unknowns for two degrees of freedom
would be set equal twice around a loop, so one connection of a loop becomes the equality constraint.
"""

from __future__ import annotations

import pytest

PLANE = """
record Orientation Real c; Real s;
  function equalityConstraint input Orientation a; input Orientation b; output Real residue[1];
    algorithm residue := {a.c*b.s - a.s*b.c}; end equalityConstraint;
end Orientation;
connector Frame Real x; Orientation R; flow Real f; flow Real t; end Frame;
model Fixed Frame a; equation Connections.root(a.R); a.x = 0; a.R = Orientation(1, 0); end Fixed;
model Rod Frame a; Frame b; Boolean from_a = Connections.rooted(a.R);
  equation Connections.branch(a.R, b.R); b.x = a.x + 1; b.R = a.R; a.f + b.f = 0; a.t + b.t = 0; end Rod;
model Body Frame a; Boolean root = Connections.isRoot(a.R);
  equation Connections.potentialRoot(a.R); a.f = 1; a.t = 0;
  if Connections.isRoot(a.R) then a.R = Orientation(1, 0); end if; end Body;
"""


def constraints(printed) -> list[str]:
    return [e for e in printed.equations if "equalityConstraint" in e]


def test_a_tree_has_no_constraint(flat):
    text = (
        PLANE
        + """model M Fixed w; Rod r; Body b;
      equation connect(w.a, r.a); connect(r.b, b.a); end M;"""
    )
    printed = flat(text)

    assert constraints(printed) == []
    assert "w.a.R.c = r.a.R.c" in printed.equations


def test_a_loop_is_broken_once(flat):
    text = (
        PLANE
        + """model M Fixed w; Rod r; Rod q;
      equation connect(w.a, r.a); connect(r.b, q.a); connect(q.b, w.a); end M;"""
    )
    printed = flat(text)

    assert len(constraints(printed)) == 1
    assert constraints(printed)[0].startswith("fill(0.0, 1) = Orientation.equalityConstraint(")


def test_the_other_variables_of_a_broken_connection_stay_connected(flat):
    text = (
        PLANE
        + """model M Fixed w; Rod r; Rod q;
      equation connect(w.a, r.a); connect(r.b, q.a); connect(q.b, w.a); end M;"""
    )
    printed = flat(text)

    assert "w.a.x = q.b.x" in printed.equations
    assert not any(e in ("w.a.R.c = q.b.R.c", "q.b.R.c = w.a.R.c") for e in printed.equations)


def test_two_roots_are_joined_by_a_constraint(flat):
    text = (
        PLANE
        + """model M Fixed w; Fixed v; Rod r;
      equation connect(w.a, r.a); connect(r.b, v.a); end M;"""
    )

    assert len(constraints(flat(text))) == 1


def test_a_potential_root_is_chosen_where_nothing_else_is(flat):
    printed = flat(PLANE + "model M Body b; Rod r; equation connect(b.a, r.a); end M;")

    assert "b.root = true" in printed.equations
    assert "b.a.R.c = 1" in printed.equations


def test_a_potential_root_gives_way_to_a_root(flat):
    printed = flat(PLANE + "model M Fixed w; Body b; equation connect(w.a, b.a); end M;")

    assert "b.root = false" in printed.equations
    assert "b.a.R.c = 1" not in printed.equations


def test_priorities_decide_between_potential_roots(flat):
    text = PLANE.replace(
        "Connections.potentialRoot(a.R);", "Connections.potentialRoot(a.R, p);"
    ).replace("model Body Frame a;", "model Body parameter Integer p = 0; Frame a;")
    printed = flat(
        text + "model M Body b(p = 5); Body c(p = 2); equation connect(b.a, c.a); end M;"
    )

    assert "b.root = false" in printed.equations
    assert "c.root = true" in printed.equations


def test_rooted_tells_which_end_is_nearer_to_the_root(flat):
    text = (
        PLANE
        + """model M Fixed w; Rod r; Rod q;
      equation connect(w.a, r.a); connect(q.b, r.b); end M;"""
    )
    printed = flat(text)

    assert "r.from_a = true" in printed.equations
    assert "q.from_a = false" in printed.equations


def test_two_roots_rigidly_joined_are_refused(refused):
    text = (
        PLANE
        + """model Two Frame a; Frame b;
      equation Connections.root(a.R); Connections.root(b.R); Connections.branch(a.R, b.R); end Two;
      model M Two t; end M;"""
    )

    assert refused(text).code == "F020"


def test_a_residue_without_elements_adds_no_equation(flat):
    """As the reference angle of quasi-static circuits does."""
    text = """
    record Reference Real gamma;
      function equalityConstraint input Reference a; input Reference b; output Real residue[0];
        algorithm assert(abs(a.gamma - b.gamma) < 1e-6, "angles differ"); end equalityConstraint;
    end Reference;
    connector Pin Real v; flow Real i; Reference ref; end Pin;
    model Source Pin p; equation Connections.root(p.ref); p.ref.gamma = time; p.v = 1; end Source;
    model Wire Pin p; Pin n; equation Connections.branch(p.ref, n.ref); p.ref.gamma = n.ref.gamma;
      p.v = n.v; p.i + n.i = 0; end Wire;
    model M Source s; Wire a; Wire b;
    equation connect(s.p, a.p); connect(a.n, b.p); connect(b.n, s.p); end M;
    """
    printed = flat(text)

    assert constraints(printed) == []
    gamma = [e for e in printed.equations if "gamma = " in e and "time" not in e]
    assert len(gamma) == 4  # two wires and two of the three connections


def test_statements_about_the_graph_may_stand_under_conditions(flat):
    """`isRoot` waits for the graph while `potentialRoot` sits inside if."""
    text = (
        PLANE
        + """
    model Choice parameter Boolean be_root = true; Frame a; Real y;
      equation if be_root then Connections.root(a.R); a.R = Orientation(1, 0); a.x = 0; end if;
      if Connections.isRoot(a.R) then y = 1; else y = 2; end if; end Choice;
    model M Choice c; Choice d(be_root = false); Rod r;
    equation connect(c.a, r.a); connect(r.b, d.a); end M;
    """
    )
    printed = flat(text)

    assert "c.y = 1" in printed.equations
    assert "d.y = 2" in printed.equations


LINES = """
type Pair = Real[2];
type Angle {base};
  function equalityConstraint input Angle a; input Angle b; output Real r[{size}];
    algorithm {body} end equalityConstraint;
end Angle;
type Phase = Angle(unit = "rad");
connector C Real v; flow Real i; {kind} theta; end C;
model Source
  C c;
equation
  Connections.potentialRoot(c.theta);
  if Connections.isRoot(c.theta) then c.theta = {value}; end if;
  c.v = time;
end Source;
model Line
  C p, n;
equation
  Connections.branch(p.theta, n.theta);
  p.theta = n.theta; p.i + n.i = 0; p.v - n.v = p.i;
end Line;
model M
  Source a, b; Line l, k;
equation
  connect(a.c, l.p); connect(l.n, b.c); connect(a.c, k.p); connect(k.n, b.c);
end M;
"""


@pytest.mark.parametrize("kind", ["Angle", "Phase"])
@pytest.mark.parametrize(
    ("base", "size", "body", "value", "count"),
    [
        ("extends Real", 0, "", "1", 0),
        ("extends Real", 1, "r := {a - b};", "1", 1),
        ("extends Pair", 0, "", "{1, 2}", 0),
    ],
)
def test_variables_of_an_overdetermined_type_are_nodes_too(
    flat, kind, base, size, body, value, count
):
    printed = flat(LINES.format(kind=kind, base=base, size=size, body=body, value=value))

    assert len(constraints(printed)) == count
    assert f"a.c.theta = {value}" in printed.equations
    assert f"b.c.theta = {value}" not in printed.equations
    joined = [e for e in printed.equations if "theta" in e and "Constraint" not in e]
    assert len(joined) == 2 + 3 + 1  # two lines, three connections of four, one root


def test_an_added_inner_component_brings_its_root(flat):
    """Without the root of `world` a body would take its place."""
    text = (
        PLANE
        + """
      model Arm outer Fixed world; Rod r; Body b;
        equation connect(world.a, r.a); connect(r.b, b.a); end Arm;"""
    )
    printed = flat(text, "Arm")

    assert "b.root = false" in printed.equations
    assert "world.a.R.c = r.a.R.c" in printed.equations
