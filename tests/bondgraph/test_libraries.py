"""The same graph from every library: ours, the Modelica Standard Library, and its early versions."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from freewheel.api.model import load
from freewheel.bondgraph.nodes import Domain, Kind, Stage
from freewheel.bondgraph.show import show
from freewheel.bondgraph.stages import bond_graph

MSL = os.environ.get("FREEWHEEL_MSL")  # where the environment names one, both are read
LIBRARIES = {"ours": (), **({"MSL": (MSL,)} if MSL else {})}
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
BONDS = {
    "mcd_fig8.mo": "V -->| $R, $n3 |--> C, $R -->| R, $R |--> $n3, $n3 -->| I",
    "mcd_fig26.mo": "V -->| $R1, $R1 -->| R1, $R1 |--> C",
    "bond_graphs/drive.mo": "V -->| $R, $R |--> R, $R -->| L, $R |--> motor:1, motor:2 -->| $n5,"
    " $n5 -->| rotor, $n5 |--> gear:1, gear:2 |--> $n6, $n6 |--> load, $n6 |--> bearing",
}

# Version 2 in miniature: signals were arrays, mechanics had no package `Components`.
VERSION_2 = """package Modelica
  package Blocks
    package Sources
      block Pulse
        parameter Real amplitude[:] = {1};
        parameter Real width[:] = {50};
        parameter Real period[:] = {1};
        parameter Real offset[:] = {0};
        parameter Real startTime[:] = {0};
        output Real y[1];
      equation
        y[1] = offset[1];
      end Pulse;
    end Sources;
  end Blocks;
  package Electrical
    package Analog
      package Interfaces
        connector PositivePin
          Real v;
          flow Real i;
        end PositivePin;
        partial model OnePort
          PositivePin p;
          PositivePin n;
          Real v;
          Real i;
        equation
          v = p.v - n.v;
          0 = p.i + n.i;
          i = p.i;
        end OnePort;
        partial model CurrentSource
          extends OnePort;
          replaceable Modelica.Blocks.Sources.Pulse signalSource;
        equation
          i = signalSource.y[1];
        end CurrentSource;
      end Interfaces;
      package Basic
        model Capacitor
          extends Interfaces.OnePort;
          parameter Real C = 1;
        equation
          i = C*der(v);
        end Capacitor;
        model EMF
          parameter Real k = 1;
          Interfaces.PositivePin p;
          Interfaces.PositivePin n;
          Modelica.Mechanics.Rotational.Interfaces.Flange_b flange_b;
        equation
          k*der(flange_b.phi) = p.v - n.v;
          flange_b.tau = -k*p.i;
          p.i + n.i = 0;
        end EMF;
      end Basic;
      package Sources
        model PulseCurrent
          parameter Real I = 1;
          parameter Real width = 50;
          parameter Real period = 1;
          extends Interfaces.CurrentSource(
            redeclare Modelica.Blocks.Sources.Pulse signalSource(
              amplitude={I}, width={width}, period={period}));
        end PulseCurrent;
      end Sources;
    end Analog;
  end Electrical;
  package Mechanics
    package Rotational
      package Interfaces
        connector Flange_b
          Real phi;
          flow Real tau;
        end Flange_b;
      end Interfaces;
      model Inertia
        parameter Real J = 1;
        Interfaces.Flange_b flange_a;
        Interfaces.Flange_b flange_b;
        Real w;
      equation
        flange_a.phi = flange_b.phi;
        w = der(flange_a.phi);
        J*der(w) = flange_a.tau + flange_b.tau;
      end Inertia;
      model IdealGear
        parameter Real ratio = 1;
        Interfaces.Flange_b flange_a;
        Interfaces.Flange_b flange_b;
        Interfaces.Flange_b bearing;
      equation
        flange_a.phi - bearing.phi = ratio*(flange_b.phi - bearing.phi);
        0 = ratio*flange_a.tau + flange_b.tau;
        if cardinality(bearing) == 0 then
          bearing.phi = 0;
        else
          bearing.tau = -flange_a.tau - flange_b.tau;
        end if;
      end IdealGear;
    end Rotational;
  end Mechanics;
end Modelica;
"""
MODEL = """model M
  Modelica.Electrical.Analog.Sources.PulseCurrent J(I=3, width=20, period=4);
  Modelica.Electrical.Analog.Basic.Capacitor C(C=0.5);
  Modelica.Electrical.Analog.Basic.EMF motor(k=0.2);
  Modelica.Mechanics.Rotational.Inertia wheel(J=7);
equation
  connect(J.n, C.p);
  connect(C.p, motor.p);
  connect(J.p, C.n);
  connect(C.n, motor.n);
  connect(motor.flange_b, wheel.flange_a);
end M;
"""


def test_names_of_version_2_are_known(tmp_path):
    library = tmp_path / "old" / "Modelica.mo"
    library.parent.mkdir()
    library.write_text(VERSION_2)
    path = tmp_path / "m.mo"
    path.write_text(MODEL)

    graph = bond_graph(load(path, library=[library]))

    source = graph.element("J")
    assert source.signal is not None
    assert dict(source.signal.parameters)["amplitude"] == 3.0
    assert dict(source.signal.parameters)["period"] == 4.0
    assert [str(e.kind) for e in graph.elements] == ["Sf", "C", "GY", "I"]
    assert [port.domain for port in graph.element("motor").ports] == [
        Domain.ELECTRICAL,
        Domain.ROTATIONAL,
    ]
    ends = [(b.tail.vertex, b.head.vertex) for b in graph.bonds]
    assert ("motor", "wheel") in ends


VERSION_4 = """package Modelica
  package Electrical
    package Analog
      package Interfaces
        connector Pin
          Real v;
          flow Real i;
        end Pin;
      end Interfaces;
      package Basic
        model Potentiometer
          Interfaces.Pin pin_p, pin_n, contact;
          parameter Real R = 1;
          Real r = 0.5 + 0.1*sin(time);
        equation
          pin_p.i + pin_n.i + contact.i = 0;
          pin_p.v - contact.v = R*(1 - r)*pin_p.i;
          pin_n.v - contact.v = R*r*pin_n.i;
        end Potentiometer;
      end Basic;
      package Ideal
        model DA_Converter
          Interfaces.Pin p, n;
        equation
          p.v - n.v = 5;
          p.i + n.i = 0;
        end DA_Converter;
      end Ideal;
    end Analog;
  end Electrical;
end Modelica;
"""


def test_a_potentiometer_is_two_resistances_and_a_converter_a_source(tmp_path):
    library = tmp_path / "Modelica.mo"
    library.write_text(VERSION_4)
    path = tmp_path / "m.mo"
    path.write_text("""model M
  Modelica.Electrical.Analog.Basic.Potentiometer pot;
  Modelica.Electrical.Analog.Ideal.DA_Converter source;
equation
  connect(source.p, pot.pin_p);
  connect(source.n, pot.pin_n);
end M;
""")

    graph = bond_graph(load(path, library=[library]), Stage.GRAPH)

    found = {e.name: (str(e.kind), e.is_modulated) for e in graph.elements}
    assert found == {"pot.p": ("R", True), "pot.n": ("R", True), "source": ("Se", True)}
    ends = [(p.positive, p.negative) for p in graph.element("pot.n").ports]
    assert ends == [("pot.pin_n", "pot.contact")]


GEAR = """model M
  Modelica.Mechanics.Rotational.Inertia first(J=7, w(start=1)), second(J=2), third(J=3);
  Modelica.Mechanics.Rotational.IdealGear gear(ratio=4);
equation
  connect(first.flange_b, gear.flange_a);
  connect(gear.flange_b, second.flange_a);
  {more}
end M;
"""


@pytest.mark.parametrize(
    ("more", "negative", "bonds"),
    [
        ("", "", 4),  # two inertias at the gear; the third stands alone
        ("connect(gear.bearing, third.flange_a);", "gear.bearing", 8),
    ],
)
def test_a_bearing_of_version_2_that_nothing_is_mounted_on_is_at_rest(
    tmp_path, more, negative, bonds
):
    library = tmp_path / "Modelica.mo"
    library.write_text(VERSION_2)
    path = tmp_path / "m.mo"
    path.write_text(GEAR.format(more=more))

    graph = bond_graph(load(path, library=[library]))

    assert [port.negative for port in graph.element("gear").ports] == [negative, negative]
    assert len(graph.bonds) == bonds


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("name", BONDS)
def test_each_library_gives_the_same_graph(name, library):
    graph = bond_graph(load(EXAMPLES / name, library=LIBRARIES[library]))

    bonds = [line.split(" ", 2)[2] for line in show(graph).splitlines() if line[:5] == "bond "]
    assert ", ".join(bonds) == BONDS[name]


@pytest.mark.parametrize(
    "name",
    [
        "Modelica.Electrical.Analog.Examples.LowPass",
        "Modelica.Electrical.Analog.Examples.Resonance",
        "Modelica.Electrical.Analog.Examples.WarmResistor",
        "Modelica.Mechanics.Translational.Examples.TwoMasses",
        "Modelica.Mechanics.Translational.Examples.BouncingMass",
        "Modelica.Thermal.HeatTransfer.Examples.Radiator",
    ],
)
def test_examples_of_the_library_have_a_graph_without_loose_ends(name):
    graph = bond_graph(load(name))

    touched = {end.vertex for bond in graph.bonds for end in (bond.tail, bond.head)}
    assert {e.name for e in graph.elements} <= touched
    assert not graph.findings.clashes


def test_a_temperature_on_another_scale_has_no_number(tmp_path):
    path = tmp_path / "m.mo"
    path.write_text(
        "model M Modelica.Thermal.HeatTransfer.Celsius.FixedTemperature t(T=20); end M;"
    )

    source = bond_graph(load(path), Stage.GRAPH).element("t")

    assert (source.kind, source.signal, source.is_modulated) == (Kind.SE, None, True)


def test_a_resistor_has_the_number_of_its_temperature(graph_of):
    parts = "Resistor R(R=2, alpha=0.01); Resistor W(R=2, alpha=0.01, T=310.15); ConstantVoltage V;"
    graph = graph_of(parts, "", "graph")

    assert graph.element("R").parameters == (("R", 2.0),)
    assert graph.element("W").parameters == (("R", 2.2),)


def test_a_resistor_that_is_heated_has_no_number(graph_of):
    parts = "Resistor R(R=2, alpha=0.01, useHeatPort=true); ConstantVoltage V;"
    graph = graph_of(parts, "", "graph")

    assert graph.element("R").parameters == ()
    assert [r.code for r in graph.remarks] == ["E120"]
