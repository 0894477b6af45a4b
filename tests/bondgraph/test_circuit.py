"""From the instance tree to elements: classes, parameters, parts, wires, and what is refused."""

from __future__ import annotations

import pytest

from freewheel.base.diagnostics import CompileError
from freewheel.bondgraph.nodes import Domain, Kind, Signal, Stage
from freewheel.bondgraph.stages import bond_graph

SUPPORTED = [  # section 3 of document 001, with the defaults of the library
    ("Basic.Resistor", Kind.R, (("R", 1.0),)),
    ("Basic.Conductor", Kind.R, (("G", 1.0),)),
    ("Basic.Capacitor", Kind.C, (("C", 1.0), ("start", 0.0))),
    ("Basic.Inductor", Kind.I, (("I", 1.0), ("start", 0.0))),
    ("Ideal.IdealTransformer", Kind.TF, (("n", 1.0),)),
    ("Ideal.IdealGyrator", Kind.GY, (("g", 1.0),)),
]
SOURCES = [
    ("Constant", {"k": 1.0}),
    ("Step", {"height": 1.0, "offset": 0.0, "startTime": 0.0}),
    ("Sine", {"amplitude": 1.0, "f": 1.0, "phase": 0.0, "offset": 0.0, "startTime": 0.0}),
    ("Pulse", {"amplitude": 1.0, "width": 50.0, "period": 1.0, "offset": 0.0, "startTime": 0.0}),
]
ANALOG = "Modelica.Electrical.Analog"


@pytest.mark.parametrize(("name", "kind", "parameters"), SUPPORTED)
def test_an_element_has_its_kind_and_the_defaults_of_the_library(name, kind, parameters, graph_of):
    graph = graph_of(f"{ANALOG}.{name} x; ConstantVoltage V;", "", "graph")

    element = graph.element("x")
    assert (element.kind, element.parameters) == (kind, parameters)


@pytest.mark.parametrize(("shape", "numbers"), SOURCES)
@pytest.mark.parametrize(("unit", "kind"), [("Voltage", Kind.SE), ("Current", Kind.SF)])
def test_a_source_has_its_wave_form(shape, numbers, unit, kind, graph_of):
    graph = graph_of(f"{shape}{unit} x;", "", "graph")

    element = graph.element("x")
    assert element.kind is kind
    assert isinstance(element.signal, Signal)
    assert element.signal.name == shape
    found = dict(element.signal.parameters)
    assert {name: found[name] for name in numbers} == numbers


def test_a_current_source_gives_power_at_its_negative_pin(graph_of):
    port = graph_of("ConstantCurrent x;", "", "graph").element("x").ports[0]

    assert (port.positive, port.negative, port.is_out) == ("x.n", "x.p", True)


def test_parts_of_parts_and_arrays_are_found(model_of):
    model = model_of("""model Divider
  Modelica.Electrical.Analog.Interfaces.PositivePin p;
  Modelica.Electrical.Analog.Interfaces.NegativePin n;
  Modelica.Electrical.Analog.Basic.Resistor r[3](R={1, 2, 3});
equation
  connect(p, r[1].p);
  for k in 1:2 loop
    connect(r[k].n, r[k + 1].p);
  end for;
  connect(r[3].n, n);
end Divider;
model M
  Divider d;
  Modelica.Electrical.Analog.Sources.ConstantVoltage V(V=6);
equation
  connect(V.p, d.p);
  connect(V.n, d.n);
end M;
""")

    graph = bond_graph(model)

    values = {e.name: e.value("R") for e in graph.elements if e.kind is Kind.R}
    assert values == {"d.r[1]": 1.0, "d.r[2]": 2.0, "d.r[3]": 3.0}
    assert [j.kind for j in graph.junctions] == [Kind.ONE]


def test_sensors_disappear_and_wires_go_through_them(graph_of, chains):
    analog = "Modelica.Electrical.Analog.Sensors"
    graph = graph_of(
        f"ConstantVoltage V(V=1); {analog}.CurrentSensor a; {analog}.VoltageSensor v; Resistor R;"
        " Ground g;",
        chains("V.p a.p", "a.n R.p v.p", "R.n V.n v.n g.p"),
    )

    assert [(b.tail.vertex, b.head.vertex) for b in graph.bonds] == [("V", "R")]


def test_a_switch_with_two_contacts_is_two_switches(graph_of):
    graph = graph_of("IdealTwoWaySwitch s; ConstantVoltage V;", "", "graph")

    assert [e.name for e in graph.elements if e.kind is Kind.SW] == ["s.1", "s.2"]


def test_an_amplifier_gives_what_its_feedback_wants(graph_of, chains):
    graph = graph_of(
        "ConstantVoltage V(V=1); Resistor R1; Resistor R2; IdealOpAmp3Pin amplifier; Ground g;",
        chains(
            "V.p R1.p", "R1.n R2.p amplifier.in_n", "R2.n amplifier.out", "V.n amplifier.in_p g.p"
        ),
    )

    assert graph.element("amplifier").is_modulated
    assert graph.element("amplifier").kind is Kind.SE


def test_magnetisation_is_an_inertia_beside_the_transformer(graph_of):
    one = "IdealTransformer T(n=2, considerMagnetization=true, Lm1=0.3); ConstantVoltage V;"
    graph = graph_of(one, "", "graph")

    assert graph.element("T.magnetization").value("I") == 0.3


def test_a_resistor_with_a_heat_port_feeds_the_thermal_side(graph_of, chains):
    graph = graph_of(
        "ConstantVoltage V(V=1); Resistor R(useHeatPort=true); Ground g;"
        " Modelica.Thermal.HeatTransfer.Components.HeatCapacitor c(C=1);",
        chains("V.p R.p", "R.n V.n g.p", "R.heatPort c.port"),
    )

    heat = graph.element("R.heat")
    assert (heat.kind, heat.ports[0].domain, heat.is_modulated) == (Kind.SF, Domain.THERMAL, True)
    assert ("R.heat", "c") in [(b.tail.vertex, b.head.vertex) for b in graph.bonds]


OWN = """model Own
  extends Modelica.Electrical.Analog.Interfaces.OnePort;
equation
  {};
end Own;
model M
  Own x;
  Modelica.Electrical.Analog.Basic.Resistor R;
  Modelica.Electrical.Analog.Sources.ConstantVoltage V;
end M;
"""


@pytest.mark.parametrize(
    ("equation", "kind"),
    [
        ("v = 3*i + i^3", Kind.R),
        ("i = 2*der(v)*(1 + v)", Kind.C),
        ("v = der(i)*p.v", Kind.I),
        ("v = sin(time)", Kind.SE),
        ("i = 2 + time", Kind.SF),
    ],
)
def test_a_one_port_of_the_modeller_is_known_by_its_equation(equation, kind, model_of):
    model = model_of(OWN.format(equation))

    graph = bond_graph(model, Stage.GRAPH)

    assert graph.element("x").kind is kind


def test_a_class_that_nothing_is_known_about_is_refused_with_its_line(graph_of):
    with pytest.raises(CompileError) as failure:
        graph_of("ConstantVoltage V;\n  Modelica.Electrical.Analog.Semiconductors.NPN transistor;")

    diagnostic = failure.value.diagnostics[0]
    assert diagnostic.code == "E102"
    assert "NPN" in diagnostic.message
    assert diagnostic.labels[0].span.line == 6


def test_a_connector_without_power_variables_is_refused_with_its_line(model_of):
    model = model_of("""model M
  connector Pipe
    Real p;
    flow Real m_flow;
    stream Real h;
  end Pipe;
  model Tank
    Pipe a;
  end Tank;
  Tank x;
  Tank y;
  Modelica.Electrical.Analog.Sources.ConstantVoltage V;
equation
  connect(x.a, y.a);
end M;
""")

    with pytest.raises(CompileError) as failure:
        bond_graph(model)

    diagnostic = failure.value.diagnostics[0]
    assert diagnostic.code == "E103"
    assert "is not a power connector known to bond graphs" in diagnostic.message
    assert "one potential and one flow" in diagnostic.help
    assert diagnostic.labels[0].span.line == 14
