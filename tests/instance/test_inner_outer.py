"""Inner and outer components: what an `outer` name stands for."""

from __future__ import annotations

WORLD = """
model World parameter Real g = 9; Real t = time; end World;
model Body outer World world; Real w = world.g; end Body;
"""


def test_outer_means_the_inner_component_around(flat):
    printed = flat(WORLD + "model M inner World world(g = 5); Body b; end M;")

    assert printed.names == ["world.g", "world.t", "b.w"]
    assert printed.equations[-1] == "b.w = world.g"


def test_the_nearest_inner_wins(flat):
    text = (
        WORLD
        + """
    model Moon inner World world(g = 1.6); Body b; end Moon;
    model M inner World world; Moon moon; Body b; end M;
    """
    )

    assert flat(text).equations[-3:] == [
        "moon.world.t = time",
        "moon.b.w = moon.world.g",
        "b.w = world.g",
    ]


def test_through_several_levels(flat):
    text = (
        WORLD
        + """
    model Arm Body b; end Arm; model Robot Arm a[2]; end Robot;
    model M inner World world; Robot r; end M;
    """
    )

    assert flat(text).equations[-2:] == ["r.a[1].b.w = world.g", "r.a[2].b.w = world.g"]


def test_a_missing_inner_is_made_with_a_warning(flat):
    printed = flat(WORLD + "model M Body b; Body c; end M;")

    assert printed.warnings == ["N009"]
    assert sorted(printed.names) == ["b.w", "c.w", "world.g", "world.t"]


def test_a_missing_inner_of_a_partial_class_is_refused(refused, place):
    text = """partial model World parameter Real g; end World;
      model Body outer World world; Real w = world.g; end Body; model M Body b; end M;"""
    found = refused(text)

    assert found.code == "N008"
    assert place(found) == "world"


def test_inner_outer_passes_on_and_is_a_component_too(flat):
    """As state graphs do: a level is `outer` to the one above and `inner` to those below."""
    text = """
    model Root Real active = 1; end Root;
    model Step outer Root root; Real y = root.active; end Step;
    model Composite inner outer Root root; Step s; Real above = root.active; end Composite;
    model M inner Root root; Composite c; Step s; end M;
    """
    equations = flat(text).equations

    assert "c.s.y = c.root.active" in equations
    assert "s.y = root.active" in equations
    assert "c.above = root.active" in equations


def test_modifiers_of_an_inner_outer_component_belong_to_the_inner_one(flat):
    text = """
    model Root parameter Integer n = 1; Real x[n] = ones(n); end Root;
    model Step outer Root root; Real y = root.x[1]; end Step;
    model Composite parameter Integer k = 3; inner outer Root root(n = k); Step s; end Composite;
    model M inner Root root; Composite c; end M;
    """
    printed = flat(text)

    assert printed.variable("c.root.x").dims == (3,)
    assert printed.variable("root.x").dims == (1,)


def test_an_outer_connector_is_connected_to_the_inner_one(flat):
    text = """
    connector Pin Real v; flow Real i; end Pin;
    model Ground Pin p; equation p.v = 0; end Ground;
    model Load outer Pin bus; Ground g; equation connect(g.p, bus); end Load;
    model M inner Pin bus; Load a; Load b; end M;
    """
    equations = flat(text).equations

    assert "a.g.p.v = bus.v" in equations
    assert any("a.g.p.i" in e and "b.g.p.i" in e for e in equations)


def test_an_outer_class_of_a_simple_type(flat):
    text = """model Part outer Real T; Real y = 2*T; end Part;
      model M inner Real T = time; Part p; end M;"""

    assert flat(text).equations == ["T = time", "p.y = 2*T"]


def test_an_outer_function_may_be_called_through_its_component(flat):
    text = """
    model World function gravity input Real h; output Real g; algorithm g := 9.81 - h; end gravity;
      parameter Real k = 1; end World;
    model Body outer World world; Real w = world.gravity(2); end Body;
    model M inner World world; Body b; end M;
    """

    assert flat(text).equations == ["b.w = World.gravity(2)"]


def test_an_inner_parameter_gives_a_size(flat):
    text = """
    model Settings parameter Integer n = 4; end Settings;
    model Part outer Settings settings; Real x[settings.n] = ones(settings.n); end Part;
    model M inner Settings settings(n = 2); Part p; end M;
    """

    assert flat(text).variable("p.x").dims == (2,)


def test_an_outer_function_is_the_inner_one(flat):
    text = """
    partial function F input Real u; output Real y; end F;
    function square extends F; algorithm y := u^2; end square;
    model Part outer function f = F; Real y = f(2); end Part;
    model M inner function f = square; Part p; end M;
    """

    assert flat(text).equations == ["p.y = M.f(2)"]
