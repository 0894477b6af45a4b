"""Elements of the table held against the equations of their components."""

import pytest

from freewheel.base.diagnostics import CompileError
from freewheel.bondgraph.nodes import Kind, Stage
from freewheel.bondgraph.stages import bond_graph

OPEN = "BondGraph.Junction0 j(ni=1, no=1); BondGraph.R load(R=1);"


def element(model_of, declared, name="x"):
    wires = f"connect({name}.p, j.i[1]); connect(j.o[1], load.p);"
    text = f"model M {declared} {OPEN} equation {wires} end M;"
    return bond_graph(model_of(text), Stage.GRAPH).element(name)


def constant(k):
    return "Constant", {"k": k}


SOURCES = {
    "a number": ("BondGraph.Se x(e0=4);", constant(4.0)),
    "a constant effort": ("BondGraph.Se x(effort=4);", constant(4.0)),
    "both": ("BondGraph.Se x(e0=3, effort=4);", constant(4.0)),
    "a parameter": ("parameter Real k=3; BondGraph.Se x(effort=k^2);", constant(9.0)),
    "time": ("BondGraph.Se x(effort=sin(time));", None),
    "a flow": ("BondGraph.Sf x(flowRate=if time > 1 then 2 else 3);", None),
    "another variable": ("Real u = 2*time; BondGraph.Se x(effort=u);", None),
}


@pytest.mark.parametrize("name", SOURCES)
def test_a_source_gives_what_its_modifiers_say(name, model_of):
    declared, signal = SOURCES[name]

    found = element(model_of, declared)

    given = None if found.signal is None else (found.signal.name, dict(found.signal.parameters))
    assert given == signal
    assert found.is_modulated == (signal is None)
    assert found.drive is not None


def test_an_equation_too_many_is_refused(model_of):
    with pytest.raises(CompileError) as failure:
        element(model_of, "BondGraph.Se x(e0=2, f=3);")

    (told,) = failure.value.diagnostics
    assert told.code == "E121"
    assert told.message.startswith("`x` has an equation too many (modified: `f = 3`)")


@pytest.mark.parametrize("unit", [1e-15, 1e-9, 1.0, 1e9])
def test_units_do_not_matter(unit, model_of):
    """Neither for an element of the library nor for one of the modeller's own."""
    text = f"""model M
      model Mine Modelica.Electrical.Analog.Interfaces.Pin p, n; parameter Real C;
      equation C*der(p.v - n.v) = p.i; p.i + n.i = 0; end Mine;
      Mine a(C={unit}); Modelica.Electrical.Analog.Basic.Capacitor b(C={unit});
      Modelica.Electrical.Analog.Basic.Resistor r(R={1 / unit});
      Modelica.Electrical.Analog.Sources.ConstantVoltage V(V=1);
    end M;"""
    elements = {e.name: e for e in bond_graph(model_of(text), Stage.GRAPH).elements}

    for name, kind, value in (("a", "C", unit), ("b", "C", unit), ("r", "R", 1 / unit)):
        found = elements[name]
        assert found.kind is Kind(kind)
        assert found.value(kind) == pytest.approx(value, rel=1e-12)


def test_a_wave_form_of_the_modeller_is_not_taken_for_one_of_the_library(model_of):
    text = """model M
      block Sine extends Modelica.Blocks.Interfaces.SignalSource; equation y = 1 - time; end Sine;
      Modelica.Electrical.Analog.Sources.SineVoltage V(V=3, redeclare Sine signalSource);
    end M;"""

    assert bond_graph(model_of(text), Stage.GRAPH).element("V").signal is None


@pytest.mark.parametrize("word", ["true", "false"])
def test_a_boolean_parameter_of_a_wave_form_counts(word, model_of):
    text = f"""model M
      Modelica.Electrical.Analog.Sources.SignalVoltage V; Modelica.Electrical.Analog.Basic.Ground g;
      Modelica.Blocks.Sources.Sine s(f=1, startTime=1, phase=1, continuous={word});
    equation connect(s.y, V.v); connect(V.n, g.p); end M;"""

    assert bond_graph(model_of(text), Stage.GRAPH).element("V").is_modulated


ELECTRICAL = "Modelica.Electrical.Analog.Basic"
NOTHING = {  # declaration and connectors of an element whose number is zero, and what it is
    "no resistance": (f"{ELECTRICAL}.Resistor x(R=0);", "p", "n", Kind.SE),
    "no conductance": (f"{ELECTRICAL}.Conductor x(G=0);", "p", "n", Kind.SF),
    "no capacitance": (f"{ELECTRICAL}.Capacitor x(C=0);", "p", "n", Kind.SF),
    "no inductance": (f"{ELECTRICAL}.Inductor x(L=0);", "p", "n", Kind.SE),
    "no damping": (
        "Modelica.Mechanics.Translational.Components.Damper x(d=0);", "flange_a", "flange_b", Kind.SE,
    ),
    "no stiffness": (
        "Modelica.Mechanics.Translational.Components.Spring x(c=0);", "flange_a", "flange_b", Kind.SE,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NOTHING)
def test_an_element_with_the_number_zero_is_a_source_of_nothing(name, model_of):
    declared, first, second, kind = NOTHING[name]
    text = f"model M {declared} {declared.replace(' x(', ' y(')} equation connect(x.{first}, y.{first});"
    graph = bond_graph(model_of(f"{text} connect(x.{second}, y.{second}); end M;"), Stage.GRAPH)

    found = graph.element("x")

    assert found.kind is kind
    assert found.signal is not None
    assert (found.signal.name, dict(found.signal.parameters)) == constant(0.0)
    assert not [told for told in graph.remarks if told.code == "E120"]
