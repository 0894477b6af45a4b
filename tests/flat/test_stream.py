"""Stream connectors: `inStream` and `actualStream` replaced by what they mean, checked in numbers."""

from __future__ import annotations

import pytest

import freewheel
from freewheel.base.names import read
from freewheel.formula.evaluate import evaluate

PORT = """
connector Port Real p; flow Real m; stream Real h; end Port;
model Tank parameter Real own = 1; Port a; Real inflow; Real actual;
equation a.h = own; inflow = inStream(a.h); actual = actualStream(a.h); a.p = 1; end Tank;
"""


def value(printed, variable: str, known: dict[str, float]) -> float:
    """The right-hand side of the equation for a variable, in numbers."""
    names = {read(name): number for name, number in known.items()}
    name = read(variable)
    for equation in printed.model.equations:
        if getattr(equation, "left", None) is not None and equation.left.data == name:
            return evaluate(equation.right, names.__getitem__)
    raise AssertionError(variable)


def test_two_connectors_see_each_other(flat):
    printed = flat(PORT + "model M Tank x; Tank y; equation connect(x.a, y.a); end M;")

    assert "x.inflow = y.a.h" in printed.equations
    assert "y.inflow = x.a.h" in printed.equations


def test_a_connector_left_open_sees_itself(flat):
    printed = flat(PORT + "model M Tank x; end M;")

    assert "x.inflow = x.a.h" in printed.equations


def test_stream_variables_are_not_set_equal(flat):
    printed = flat(PORT + "model M Tank x; Tank y; equation connect(x.a, y.a); end M;")

    assert not any(e in ("x.a.h = y.a.h", "y.a.h = x.a.h") for e in printed.equations)
    assert printed.variable("x.a.h").is_stream
    assert printed.variable("x.a.m").is_flow


THREE = (
    PORT
    + """model M Tank x; Tank y; Tank z;
equation connect(x.a, y.a); connect(x.a, z.a); end M;"""
)


@pytest.mark.parametrize(
    ("flow_y", "flow_z", "expected"),
    [
        (-1.0, -3.0, (1 * 10 + 3 * 20) / 4),  # both flow into the mixing point
        (-1.0, 2.0, 10.0),  # only y does
        (5.0, -2.0, 20.0),  # only z does
        (0.0, 0.0, 15.0),  # nothing flows: the mean keeps it defined
    ],
)
def test_three_connectors_mix_what_flows_out(flat, flow_y, flow_z, expected):
    known = {"y.a.m": flow_y, "z.a.m": flow_z, "y.a.h": 10.0, "z.a.h": 20.0}

    assert value(flat(THREE), "x.inflow", known) == pytest.approx(expected, rel=1e-9)


SENSED = (
    PORT
    + """model Sensor parameter Boolean senses = true; Port a(m(min = if senses then 0 else -1));
  equation a.m = 0; a.h = 99; end Sensor;
model M Tank x, y; Sensor z(senses = {}); equation connect(x.a, y.a); connect(x.a, z.a); end M;"""
)


def test_a_connector_that_gives_nothing_is_no_part_of_the_mixture(flat):
    """Else its stream counts half where no other one gives anything."""
    printed = flat(SENSED.replace("{}", "true"))
    known = {"y.a.m": 1.0, "z.a.m": 0.0, "y.a.h": 10.0, "z.a.h": 99.0}

    assert "x.inflow = y.a.h" in printed.equations
    assert value(flat(SENSED.replace("{}", "false")), "x.inflow", known) == 54.5


def test_without_a_connector_that_gives_something_there_is_its_own_stream(flat):
    text = SENSED.replace("{}", "true").replace("Tank x, y", "Tank x, y(a(m(min = 0)))")

    assert "x.inflow = x.a.h" in flat(text).equations


def test_a_border_that_lets_nothing_in_is_no_part_of_the_mixture(flat):
    text = """
    model Box Port b(m(max = {})); Tank t, s; equation connect(b, t.a); connect(b, s.a); end Box;
    model M Tank x; Box box; equation connect(x.a, box.b); end M;
    """

    assert "box.t.inflow = box.s.a.h" in flat(PORT + text.format("0")).equations
    assert "box.t.inflow = box.s.a.h" not in flat(PORT + text.format("1")).equations


def test_the_balance_at_the_mixing_point_holds(flat):
    printed = flat(THREE)
    flows = {"x.a.m": 2.0, "y.a.m": -0.5, "z.a.m": -1.5}
    streams = {"x.a.h": 5.0, "y.a.h": 10.0, "z.a.h": 20.0}
    actual = {name: value(printed, f"{name}.actual", flows | streams) for name in ("x", "y", "z")}

    assert sum(flows[f"{n}.a.m"] * actual[n] for n in actual) == pytest.approx(0.0, abs=1e-9)


BORDER = (
    PORT
    + """
model Box Port b; Tank t(own = 30); equation connect(b, t.a); end Box;
model M Tank x; Box box; equation connect(x.a, box.b); end M;
"""
)


def test_through_a_border(flat):
    printed = flat(BORDER)

    assert "x.inflow = box.b.h" in printed.equations
    assert "box.b.h = box.t.a.h" in printed.equations
    assert "box.t.inflow = x.a.h" in printed.equations


def test_two_inside_partners_behind_a_border(flat):
    text = (
        PORT
        + """
    model Box Port b; Tank t; Tank s; equation connect(b, t.a); connect(b, s.a); end Box;
    model M Tank x; Box box; equation connect(x.a, box.b); end M;
    """
    )
    printed = flat(text)
    known = {"box.t.a.m": -1.0, "box.s.a.m": -1.0, "box.t.a.h": 10.0, "box.s.a.h": 30.0}
    known |= {"box.b.m": -2.0, "x.a.h": 99.0}

    assert value(printed, "box.b.h", known) == pytest.approx(20.0, rel=1e-9)
    # t receives what comes through the border and from s; now only s flows out
    assert value(printed, "box.t.inflow", known) == pytest.approx(30.0, rel=1e-9)


def test_actual_stream_depends_on_the_direction(flat):
    printed = flat(PORT + "model M Tank x; Tank y; equation connect(x.a, y.a); end M;")
    streams = {"x.a.h": 1.0, "y.a.h": 2.0}

    assert value(printed, "x.actual", streams | {"x.a.m": 3.0}) == 2.0
    assert value(printed, "x.actual", streams | {"x.a.m": -3.0}) == 1.0


def test_arrays_of_streams(flat):
    text = """
    connector Port Real p; flow Real m; stream Real X[2]; end Port;
    model Tank Port a; Real s[2]; equation a.X = {1, 2}; s = inStream(a.X); a.p = 1; end Tank;
    model M Tank x; Tank y; equation connect(x.a, y.a); end M;
    """

    assert "x.s = y.a.X" in flat(text).equations


def test_streams_without_elements_make_no_equations(flat):
    text = """
    connector Port parameter Integer n = 0; Real p; flow Real m; stream Real X[n]; end Port;
    model Tank Port a; Real s[0] = inStream(a.X); equation a.X = fill(1.0, 0); a.p = 1; end Tank;
    model M Tank x; Tank y; equation connect(x.a, y.a); end M;
    """
    printed = flat(text)

    assert printed.variable("x.a.X").dims == (0,)
    assert [e for e in printed.equations if "X" in e and "s" in e] == []


def test_a_stream_without_a_flow_is_refused(refused):
    text = """connector Port Real p; stream Real h; end Port;
      model Tank Port a; Real x = actualStream(a.h); equation a.h = 1; end Tank;
      model M Tank x; Tank y; equation connect(x.a, y.a); end M;"""

    assert refused(text).code == "F031"


def test_in_stream_of_something_else_is_refused(refused):
    assert refused("model M Real x = 1; Real y = inStream(x); end M;").code == "N060"


@pytest.mark.parametrize("operator", ["inStream", "actualStream"])
def test_a_connector_is_picked_while_the_model_runs(tmp_path, operator):
    """`a[k].h` is one of several variables: each has its own `inStream`."""
    path = tmp_path / "M.mo"
    path.write_text(f"""model M
      connector Port Real p; flow Real m; stream Real h; end Port;
      model Tank Port a; parameter Real h; equation a.h = h; a.m = -1; end Tank;
      model Pipe Port a[2]; Integer k = if time > 0.5 then 2 else 1; Real y = {operator}(a[k].h);
      equation a[1].h = 10; a[2].h = 20; a.p = {{1, 1}}; end Pipe;
      Tank one(h = 1), two(h = 2); Pipe pipe;
      equation connect(one.a, pipe.a[1]); connect(two.a, pipe.a[2]); end M;""")

    result = freewheel.load(path).simulate(stop=1.0)

    assert (result["pipe.y"][0], result["pipe.y"][-1]) == (1.0, 2.0)
