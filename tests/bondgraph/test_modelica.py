"""The equations of the bond graph are those of the model: both simulate to the same curves."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from random_linear_circuits import Circuit, Part, circuit

from freewheel.api.model import models_in
from freewheel.base.diagnostics import CompileError, FreewheelError
from freewheel.bondgraph.nodes import Graph
from freewheel.bondgraph.stages import bond_graph
from freewheel.bondgraph.to_modelica import identifier, to_modelica
from freewheel.result.store import Result

RUN = {"stop": 4.0, "interval": 0.05, "tol": 1e-8}
EXACT = [  # Fig. 8 of document 001: time, voltage of C, current of I
    (0.1, 0.066655543, 8.332406617e-05),
    (1.0, 0.066452134, 1.580796921e-03),
    (10.0, 0.653141772, 8.968658716e-02),
    (100.0, 4.539855636, 6.800286330),
]


def simulated(graph: Graph, model_of, **options) -> Result:
    return model_of(to_modelica(graph)).simulate(**options)


@pytest.mark.parametrize("stage", ["directed", "grounded", "simplified", "causal"])
def test_the_circuit_of_the_document_has_its_exact_numbers(stage, graph_of, model_of, chains):
    graph = graph_of(
        "PulseVoltage V(V=200, period=1, width=10); Capacitor C(C=200); Resistor R(R=1.5);"
        " Inductor I(L=40); Ground g;",
        chains("V.p R.p", "R.n C.p I.p", "V.n C.n I.n g.p"),
        stage,
    )

    result = simulated(graph, model_of, stop=100.0, interval=0.1, tol=1e-10)

    for time, voltage, current in EXACT:
        at = int(np.argmin(abs(result.time - time)))
        assert result.time[at] == pytest.approx(time, abs=1e-12)
        assert result["C.e"][at] == pytest.approx(voltage, rel=1e-6)
        assert result["I.f"][at] == pytest.approx(current, rel=1e-5)


# ---------------------------------------------------------------- random circuits


def pairs(part: Part) -> list[tuple[str, str, int]]:
    """Variables of the circuit, of the graph, and their relative sign."""
    if len(part.nodes) == 4:
        return [("v1", "e1", 1), ("i1", "f1", 1), ("v2", "e2", 1), ("i2", "f2", -1)]
    if part.kind == "V":
        return [("v", "e", 1), ("i", "f", -1)]
    if part.kind == "I":
        return [("v", "e", -1), ("i", "f", 1)]
    return [("v", "e", 1), ("i", "f", 1)]


def worst(parts: tuple[Part, ...], circuit_run: Result, graph_run: Result) -> float:
    """Largest difference over the size of the curve."""
    found = 0.0
    for part in parts:
        for own, other, sign in pairs(part):
            wanted = circuit_run[f"{part.name}.{own}"]
            curve = sign * graph_run[f"{part.name}.{other}"]
            given = np.interp(circuit_run.time, graph_run.time, curve)
            found = max(found, float(np.abs(given - wanted).max() / (1e-3 + np.abs(wanted).max())))
    return found


def compare(seed: int, model_of) -> bool:
    """Whether the circuit has a solution; if so, both have the same one."""
    made = circuit(random.Random(seed))
    model = model_of(made.modelica())
    graph = bond_graph(model)
    try:
        run = model.simulate(**RUN)
    except FreewheelError:
        assert graph.findings.clashes, seed  # the graph tells that too
        with pytest.raises(FreewheelError):
            simulated(graph, model_of, **RUN)
        return False
    assert not graph.findings.clashes, seed
    assert worst(made.parts, run, simulated(graph, model_of, **RUN)) < 1e-4, seed
    return True


@pytest.mark.parametrize("seed", range(12))
def test_a_random_circuit_and_its_graph_run_alike(seed, model_of):
    compare(seed, model_of)


@pytest.mark.long
def test_five_hundred_random_circuits_and_their_graphs_run_alike(model_of):
    solved = sum(compare(seed, model_of) for seed in range(500))

    assert solved > 400


def compare_with_ratio_one(seed: int, model_of) -> str:
    """A ratio of exactly one can tie what structure does not show; the graph tells by numbers."""
    made = circuit(random.Random(seed)).with_ratio(1.0)
    model = model_of(made.modelica())
    graph = bond_graph(model)
    codes = {remark.code for remark in graph.remarks}
    try:
        run = model.simulate(**RUN)
    except FreewheelError:
        assert codes & {"E113", "E115", "E116"}, seed
        return "fails"
    assert "E113" not in codes, seed
    if codes & {"E115", "E116"}:
        return "undecided"
    assert worst(made.parts, run, simulated(graph, model_of, **RUN)) < 1e-4, seed
    return "runs"


@pytest.mark.parametrize(
    ("seed", "outcome"),
    [(9, "runs"), (80, "fails"), (413, "fails"), (717, "undecided"), (1177, "undecided")],
)
def test_a_circuit_with_transformers_of_ratio_one(seed, outcome, model_of):
    assert compare_with_ratio_one(seed, model_of) == outcome


@pytest.mark.long
def test_circuits_with_transformers_of_ratio_one_run_alike_or_are_told(model_of):
    seeds = [s for s in range(2000) if circuit(random.Random(s)).has_transformer]
    outcomes = [compare_with_ratio_one(seed, model_of) for seed in seeds]

    assert outcomes.count("runs") > 200
    assert outcomes.count("fails") > 100


def order_matters(seeds: range, folder) -> list[int]:
    """Seeds whose graph is another one when the connections are written otherwise."""
    lines = ["package Variants"]
    for seed in seeds:
        made = circuit(random.Random(seed))
        for variant, order in enumerate((0, seed + 1, seed + 1000)):
            lines.append(made.shuffled(order).named(f"C{seed}_{variant}").modelica())
    path = folder / "Variants.mo"
    path.write_text("\n".join([*lines, "end Variants;"]))
    graphs = [replace(bond_graph(model), name="") for model in models_in(path)]
    triples = zip(seeds, graphs[::3], graphs[1::3], graphs[2::3], strict=True)
    return [seed for seed, one, two, three in triples if not one == two == three]


def test_the_order_of_connections_does_not_matter(tmp_path):
    assert order_matters(range(30), tmp_path) == []


@pytest.mark.long
def test_the_order_of_connections_does_not_matter_to_five_hundred_circuits(tmp_path):
    assert order_matters(range(500), tmp_path) == []


@pytest.mark.parametrize("seed", [0, 3, 5, 7, 9, 15])
def test_results_with_and_without_a_ground_are_equal(seed, model_of):
    made = circuit(random.Random(seed))
    floating = Circuit(made.name, made.parts, has_ground=False)
    graphs = [bond_graph(model_of(one.modelica())) for one in (made, floating)]
    runs = [simulated(graph, model_of, **RUN) for graph in graphs]

    for part in made.parts:
        for _, name, _ in pairs(part):
            curves = [run[f"{part.name}.{name}"] for run in runs]
            size = 1e-3 + np.abs(curves[0]).max()
            other = np.interp(runs[0].time, runs[1].time, curves[1])
            assert np.abs(other - curves[0]).max() < 1e-4 * size


# ---------------------------------------------------------------- other domains

SHAFT = """model M
  Modelica.Electrical.Analog.Sources.ConstantVoltage V(V=12);
  Modelica.Electrical.Analog.Basic.Resistor R(R=0.5);
  Modelica.Electrical.Analog.Basic.Inductor L(L=0.01);
  Modelica.Electrical.Analog.Basic.RotationalEMF emf(k=0.3);
  Modelica.Electrical.Analog.Basic.Ground g;
  Modelica.Mechanics.Rotational.Components.Inertia rotor(J=0.02);
  Modelica.Mechanics.Rotational.Components.IdealGear gear(ratio=5);
  Modelica.Mechanics.Rotational.Components.SpringDamper shaft(c=40, d=0.3);
  Modelica.Mechanics.Rotational.Components.Inertia load(J=0.7);
  Modelica.Mechanics.Rotational.Components.IdealPlanetary planet(ratio=2.5);
  Modelica.Mechanics.Rotational.Components.Inertia ring(J=0.4);
  Modelica.Mechanics.Rotational.Components.IdealRollingWheel wheel(radius=0.3);
  Modelica.Mechanics.Translational.Components.Mass cart(m=3);
  Modelica.Mechanics.Rotational.Components.IdealGearR2T rack(ratio=4);
  Modelica.Mechanics.Translational.Components.Damper drag(d=2);
  Modelica.Mechanics.Translational.Components.Fixed wall;
equation
  connect(V.p, R.p);
  connect(R.n, L.p);
  connect(L.n, emf.p);
  connect(emf.n, V.n);
  connect(V.n, g.p);
  connect(emf.flange, rotor.flange_a);
  connect(rotor.flange_b, gear.flange_a);
  connect(gear.flange_b, shaft.flange_a);
  connect(shaft.flange_b, load.flange_a);
  connect(load.flange_b, planet.sun);
  connect(planet.ring, ring.flange_a);
  connect(planet.carrier, wheel.flangeR);
  connect(wheel.flangeT, cart.flange_a);
  connect(rack.flangeR, ring.flange_b);
  connect(rack.flangeT, drag.flange_a);
  connect(drag.flange_b, wall.flange);
end M;
"""
OSCILLATOR = """model M
  Modelica.Mechanics.Translational.Components.Mass m1(
    m=2, L=0.2, s(start=0.6, fixed=true), v(start=0.4, fixed=true));
  Modelica.Mechanics.Translational.Components.Mass m2(
    m=1, s(start=1, fixed=true), v(start=0, fixed=true));
  Modelica.Mechanics.Translational.Components.Spring k(c=30, s_rel0=0.3);
  Modelica.Mechanics.Translational.Components.SpringDamper sd(c=20, d=1, s_rel0=0.1);
  Modelica.Mechanics.Translational.Components.Fixed wall(s0=0.05);
  Modelica.Mechanics.Translational.Sources.ForceStep push(
    stepForce=3, offsetForce=0.5, startTime=0.3);
equation
  connect(wall.flange, k.flange_a);
  connect(k.flange_b, m1.flange_a);
  connect(m1.flange_b, sd.flange_a);
  connect(sd.flange_b, m2.flange_a);
  connect(push.flange, m2.flange_b);
end M;
"""
HEAT = """model M
  Modelica.Thermal.HeatTransfer.Components.HeatCapacitor a(C=15, T(start=373.15));
  Modelica.Thermal.HeatTransfer.Components.HeatCapacitor b(C=15, T(start=273.15));
  Modelica.Thermal.HeatTransfer.Components.ThermalConductor c(G=10);
  Modelica.Thermal.HeatTransfer.Components.ThermalResistor r(R=2);
  Modelica.Thermal.HeatTransfer.Sources.FixedTemperature outside(T=300);
  Modelica.Thermal.HeatTransfer.Sources.FixedHeatFlow heater(Q_flow=20);
  Modelica.Thermal.HeatTransfer.Sensors.TemperatureSensor sensor;
equation
  connect(a.port, c.port_a);
  connect(b.port, c.port_b);
  connect(b.port, r.port_a);
  connect(r.port_b, outside.port);
  connect(heater.port, a.port);
  connect(sensor.port, a.port);
end M;
"""


@pytest.mark.parametrize(
    ("text", "curves"),
    [
        (
            SHAFT,
            {"L.i": "L.f", "rotor.w": "rotor.f", "load.w": "load.f", "ring.w": "ring.f"}
            | {"cart.v": "cart.f", "shaft.tau_c": "'shaft.c'.e"},
        ),
        (OSCILLATOR, {"m1.v": "m1.f", "m2.v": "m2.f", "k.f": "k.e", "sd.f_c": "'sd.c'.e"}),
        (HEAT, {"a.T": "a.e", "b.T": "b.e", "c.Q_flow": "c.f", "r.Q_flow": "r.f"}),
    ],
    ids=["drive", "oscillator", "heat"],
)
def test_other_domains_run_alike(text, curves, model_of):
    model = model_of(text)
    run = model.simulate(**RUN)

    other = simulated(bond_graph(model), model_of, **RUN)

    for own, name in curves.items():
        size = np.abs(run[own]).max()
        given = np.interp(run.time, other.time, other[name])
        assert size > 1e-3
        assert np.abs(given - run[own]).max() < 1e-5 * size, own


# ---------------------------------------------------------------- what cannot be written


def test_what_a_signal_drives_cannot_be_written(graph_of, chains):
    graph = graph_of(
        "SignalVoltage V; Resistor R; Ground g; Modelica.Blocks.Sources.Sine s;",
        chains("V.p R.p", "R.n V.n g.p") + "connect(s.y, V.v);",
    )

    with pytest.raises(CompileError) as failure:
        to_modelica(graph)

    diagnostic = failure.value.diagnostics[0]
    assert diagnostic.code == "E118"
    assert "`V`" in diagnostic.message


@pytest.mark.parametrize(
    ("name", "text"), [("R1", "R1"), ("r[2].x", "'r[2].x'"), ("end", "'end'"), ("a'b", "'a\\'b'")]
)
def test_names_are_quoted_where_they_must(name, text):
    assert identifier(name) == text


def test_positions_of_masses_and_walls_tell_how_far_springs_are_displaced(model_of):
    graph = bond_graph(model_of(OSCILLATOR))

    assert graph.element("k").value("q0") == pytest.approx(0.6 - 0.2 / 2 - 0.05 - 0.3)
    assert graph.element("sd.c").value("q0") == pytest.approx(1 - (0.6 + 0.2 / 2) - 0.1)
