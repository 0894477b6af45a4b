"""MCD-1 to MCD-3, row by row: what section 3 of document 001 promises, each with its check.

Wainer and D'Abreu, "Using a Discrete-Event System Specifications (DEVS) for designing a Modelica compiler":
components and checks (3, 3.1), the way to a bond graph (3.2, steps 1 to 5), causality (3.3).
"""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from freewheel.api.model import load
from freewheel.bondgraph.nodes import Kind, Stage, Stroke
from freewheel.bondgraph.picture import picture_of
from freewheel.bondgraph.show import show
from freewheel.bondgraph.stages import bond_graph
from freewheel.bondgraph.to_modelica import to_modelica
from freewheel.devs.qbg.compiled import simulate_compiled
from freewheel.devs.qbg.generate import Quanta, generate
from freewheel.devs.qbg.quantizer import Quantizer
from freewheel.tools.cli import execute
from freewheel.tools.devs_graph import causal_graph

ANALOG = "Modelica.Electrical.Analog"
EC = f"""model EC
  {ANALOG}.Sources.PulseVoltage V(V=200, period=1, width=10);
  {ANALOG}.Basic.Capacitor C(C=200);
  {ANALOG}.Basic.Resistor R(R=1.5);
  {ANALOG}.Basic.Inductor I(L=40);
  {ANALOG}.Basic.Ground Gnd;
equation
  connect(V.p, R.p);
  connect(R.n, I.p);
  connect(R.n, C.p);
  connect(I.n, V.n);
  connect(C.n, V.n);
  connect(C.n, Gnd.p);
end EC;
"""
EXACT = (  # t, voltage of C, current of I
    (0.1, 0.066655543, 8.332406617e-05),
    (1.0, 0.066452134, 1.580796921e-03),
    (10.0, 0.653141772, 8.968658716e-02),
    (100.0, 4.539855636, 6.800286330),
)


@pytest.fixture
def written(tmp_path):
    """A model from text."""

    def make(text):
        path = tmp_path / "model.mo"
        path.write_text(text)
        return path

    return make


def circuit(declarations, *nets):
    """A model of the classes of the document; each net is a list of pins."""
    lines = [f"  {ANALOG}.{line};" for line in declarations]
    wires = [f"  connect({a}, {b});" for net in nets for a, b in itertools.pairwise(net.split())]
    return "\n".join(["model M", *lines, "equation", *wires, "end M;", ""])


# ---------------------------------------------------------------- 3: components

ELEMENTS = {  # kind, and the defaults of the library
    "Basic.Ground": (Kind.GROUND, {}),
    "Basic.Resistor": (Kind.R, {"R": 1.0}),
    "Basic.Conductor": (Kind.R, {"G": 1.0}),
    "Basic.Capacitor": (Kind.C, {"C": 1.0, "start": 0.0}),
    "Basic.Inductor": (Kind.I, {"I": 1.0, "start": 0.0}),
    "Ideal.IdealTransformer": (Kind.TF, {"n": 1.0}),
    "Ideal.IdealGyrator": (Kind.GY, {"g": 1.0}),
}
SHAPES = {
    "Constant": {"k": 1.0},
    "Step": {"height": 1.0, "offset": 0.0, "startTime": 0.0},
    "Sine": {"amplitude": 1.0, "f": 1.0, "phase": 0.0, "offset": 0.0, "startTime": 0.0},
    "Pulse": {"amplitude": 1.0, "width": 50.0, "period": 1.0, "offset": 0.0, "startTime": 0.0},
}


@pytest.mark.parametrize("name", ELEMENTS)
def test_MCD_1_every_component_of_the_document_is_read_with_its_defaults(name, written):
    text = circuit([f"{name} x", "Sources.ConstantVoltage V(V=1)"])

    element = bond_graph(load(written(text)), Stage.GRAPH).element("x")

    assert (element.kind, dict(element.parameters)) == ELEMENTS[name]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("unit", "kind"), [("Voltage", Kind.SE), ("Current", Kind.SF)])
def test_MCD_1_every_source_of_the_document_is_read_with_its_defaults(shape, unit, kind, written):
    amplitude = {"Voltage": "V=1", "Current": "I=1"}[unit]
    text = circuit([f"Sources.{shape}{unit} x({amplitude})"])

    element = bond_graph(load(written(text)), Stage.GRAPH).element("x")

    assert (element.kind, element.signal.name) == (kind, shape)
    given = dict(element.signal.parameters)
    assert {key: given[key] for key in SHAPES[shape]} == SHAPES[shape]


@pytest.mark.parametrize("name", ["f", "freqHz"])
def test_MCD_1_attributes_have_the_names_of_version_2_1_too(name, written):
    text = circuit([f"Sources.SineVoltage x(V=15, {name}=50)"])

    signal = bond_graph(load(written(text)), Stage.GRAPH).element("x").signal

    assert dict(signal.parameters)["f"] == 50.0


# ---------------------------------------------------------------- 3.1: checks

WRONG = {  # what is wrong: line, what is written instead, code
    "package": (4, EC.splitlines()[3].replace("Basic", "Basics"), "N003"),
    "class": (4, EC.splitlines()[3].replace("Resistor", "Resistance"), "N003"),
    "undeclared symbol": (8, "  connect(W.p, R.p);", "N001"),
    "attribute": (4, EC.splitlines()[3].replace("R=1.5", "Q=1.5"), "N010"),
    "pin": (8, "  connect(V.plus, R.p);", "N003"),
    "element": (8, "  connect(V.p, R);", "F010"),
    "self-connection": (8, "  connect(V.p, V.n); connect(V.p, R.p);", "E106"),
    "no source": (2, f"  {ANALOG}.Basic.Resistor V;", "E105"),
}


@pytest.mark.parametrize("what", WRONG)
def test_MCD_1_a_wrong_file_is_refused_with_its_line_and_nothing_is_built(
    what, written, tmp_path, capsys
):
    line, text, code = WRONG[what]
    lines = EC.splitlines()
    path = written("\n".join([*lines[: line - 1], text, *lines[line:]]) + "\n")
    outputs = [tmp_path / "ec.svg", tmp_path / "ec.ma"]

    assert execute(["bondgraph", str(path), "--svg", str(outputs[0])]) == 1
    assert execute(["devs", str(path), "--ma", str(outputs[1])]) == 1

    told = capsys.readouterr().err
    place = 1 if what == "no source" else line  # that is said of the model as a whole
    assert f"error[{code}]" in told
    assert f"model.mo:{place}:" in told
    assert "help:" in told
    assert not any(output.exists() for output in outputs)


# ---------------------------------------------------------------- 3.1: the graph


def test_MCD_2_the_graph_of_fig_8_has_nine_nodes(written):
    graph = bond_graph(load(written(EC)), Stage.GRAPH)

    picture = picture_of(graph)

    assert len(picture.spots) == 9
    assert len(graph.wires) == 6


@pytest.mark.parametrize(("name", "ports"), [("IdealTransformer", 2), ("IdealGyrator", 2)])
def test_MCD_2_an_element_of_k_ports_has_2k_nodes(name, ports, written):
    text = circuit([f"Ideal.{name} x", "Sources.ConstantVoltage V(V=1)"])

    picture = picture_of(bond_graph(load(written(text)), Stage.GRAPH))

    nodes = [spot for spot in picture.spots if spot.head.startswith("x.")]
    assert len(nodes) == 2 * ports


# ---------------------------------------------------------------- 3.2, steps 1 to 5


def bonds(graph):
    return [line for line in show(graph).splitlines() if line.startswith(("bond ", "junction "))]


def test_MCD_2_step_1_both_wirings_of_fig_10_are_one(written):
    first = bond_graph(load(written(EC)), Stage.ZEROS)
    other = EC.replace("connect(I.n, V.n)", "connect(I.n, C.n)")
    second = bond_graph(load(written(other)), Stage.ZEROS)

    assert sum(j.kind is Kind.ZERO for j in first.junctions) == 3
    assert bonds(first) == bonds(second)


@pytest.mark.parametrize("seed", range(5))
def test_MCD_2_step_1_the_order_of_connections_does_not_matter(seed, written):
    dice = random.Random(seed)
    lines = EC.splitlines()
    wires = lines[7:13]
    dice.shuffle(wires)
    turned = [_turned(wire) if dice.random() < 0.5 else wire for wire in wires]
    text = "\n".join([*lines[:7], *turned, lines[13], ""])

    for stage in (Stage.ZEROS, Stage.DIRECTED, Stage.CAUSAL):
        assert bonds(bond_graph(load(written(text)), stage)) == bonds(
            bond_graph(load(written(EC)), stage)
        )


def _turned(wire):
    a, b = wire.strip()[len("connect(") : -2].split(", ")
    return f"  connect({b}, {a});"


def test_MCD_2_step_3_power_leaves_sources_and_enters_elements(written):
    graph = bond_graph(load(written(EC)), Stage.DIRECTED)

    sources = {b.tail.vertex for b in graph.bonds} & {e.name for e in graph.elements}
    sinks = {b.head.vertex for b in graph.bonds} & {e.name for e in graph.elements}
    assert sources == {"V"}
    assert sinks == {"C", "R", "I", "Gnd"}


def test_MCD_2_step_3_exchanging_the_pins_of_the_capacitor_turns_its_bonds(written):
    def around(text):
        graph = bond_graph(load(written(text)), Stage.DIRECTED)
        ends = [(b.tail.vertex, b.head.vertex) for b in graph.bonds_of("$C")]
        return [pair for pair in ends if "C" not in pair]

    turned = EC.replace("C.p", "C.x").replace("C.n", "C.p").replace("C.x", "C.n")

    assert sorted(around(EC)) == sorted((b, a) for a, b in around(turned))


def test_MCD_2_step_3_power_enters_a_transformer_at_both_ports(written):
    text = circuit(
        ["Sources.SineVoltage V(V=1)", "Ideal.IdealTransformer T(n=2)", "Basic.Resistor R", "Basic.Ground g"],
        "V.p T.p1", "V.n T.n1 g.p", "T.p2 R.p", "T.n2 R.n g.p",
    )  # fmt: skip

    graph = bond_graph(load(written(text)), Stage.DIRECTED)

    assert [b.head.vertex for b in graph.bonds_of("T")] == ["T", "T"]


def test_MCD_2_step_4_results_are_the_same_with_and_without_ground(written):
    floating = EC.replace(f"  {ANALOG}.Basic.Ground Gnd;\n", "").replace(
        "  connect(C.n, Gnd.p);\n", ""
    )

    runs = []
    for text in (EC, floating):
        graph = bond_graph(load(written(text)))
        model = generate(causal_graph(graph), Quanta(Quantizer(1e-3, 1e-3)))
        runs.append(simulate_compiled(model, 10.0))
        result = load(written(to_modelica(graph))).simulate(stop=10.0, tol=1e-9)
        assert result.final("C.e") == pytest.approx(EXACT[2][1], abs=1e-7)
        assert result.final("I.f") == pytest.approx(EXACT[2][2], abs=1e-7)

    assert np.array_equal(runs[0].times, runs[1].times)
    assert np.array_equal(runs[0].values, runs[1].values)


def test_MCD_2_step_5_two_rules_leave_two_junctions(written):
    graph = bond_graph(load(written(EC)), Stage.SIMPLIFIED)

    near = {
        str(j.kind): {b.other(j.name).vertex for b in graph.bonds_of(j.name)}
        for j in graph.junctions
    }
    assert near["1"] > {"V", "R"}
    assert near["0"] > {"C", "I"}
    assert len(graph.junctions) == 2


# ---------------------------------------------------------------- 3.3: causality


def effort_in(graph):
    return {
        (b.head if b.stroke is Stroke.HEAD else b.tail).vertex
        for b in graph.bonds
        if b.stroke is not Stroke.NONE
    }


def test_MCD_3_the_procedure_gives_the_strokes_of_fig_18(written):
    told = effort_in(bond_graph(load(written(EC))))

    assert {"R", "I"} <= told
    assert not {"V", "C"} & told


DEPENDENT = {
    "C parallel C": (
        circuit(
            ["Sources.SineVoltage V(V=1)", "Basic.Resistor R", "Basic.Capacitor C1", "Basic.Capacitor C2",
             "Basic.Ground g"],
            "V.p R.p", "R.n C1.p C2.p", "V.n C1.n C2.n g.p",
        ),
        "C2", ("C1",),
    ),
    "C across V": (
        circuit(
            ["Sources.SineVoltage V(V=1)", "Basic.Capacitor C", "Basic.Ground g"],
            "V.p C.p", "V.n C.n g.p",
        ),
        "C", ("V",),
    ),
    "L in series with L": (
        circuit(
            ["Sources.SineVoltage V(V=1)", "Basic.Inductor L1", "Basic.Inductor L2", "Basic.Ground g"],
            "V.p L1.p", "L1.n L2.p", "V.n L2.n g.p",
        ),
        "L2", ("L1",),
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", DEPENDENT)
def test_MCD_3_a_dependent_storage_is_named_with_its_path_and_is_simulated(what, written):
    text, storage, tellers = DEPENDENT[what]
    model = load(written(text))

    graph = bond_graph(model)

    (found,) = graph.findings.dependent
    assert (found.storage, found.sources) == (storage, tellers)
    assert (found.path[0], found.path[-1]) == (storage, tellers[0])
    (told,) = graph.remarks
    assert f"`{storage}`" in told.message
    assert "resistance" in told.help
    values = model.simulate(stop=0.3)
    across = "i" if storage.startswith("L") else "v"
    assert np.isfinite(values[f"{storage}.{across}"]).all()


def test_MCD_3_an_algebraic_loop_lists_its_resistors_and_goes_with_a_storage(written):
    parts = [
        "Sources.SineVoltage V(V=1)",
        "Basic.Resistor R1",
        "Basic.Resistor R2",
        "Basic.Ground g",
    ]
    nets = ("V.p R1.p", "R1.n R2.p", "V.n R2.n g.p")
    model = load(written(circuit(parts, *nets)))

    graph = bond_graph(model)

    (loop,) = graph.findings.loops
    assert loop.elements == ("R1", "R2")
    assert loop.path[0] == loop.path[-1] == "R1"
    assert "R2" in loop.path
    result = model.simulate(stop=0.25)
    assert result.final("R2.v") == pytest.approx(0.5, abs=1e-6)  # half of the peak
    with_storage = circuit([*parts, "Basic.Capacitor C"], *nets, "C.p R1.n", "C.n g.p")
    assert not bond_graph(load(written(with_storage))).findings.loops


# ---------------------------------------------------------------- the numbers


@pytest.mark.parametrize(("time", "voltage", "current"), EXACT)
def test_MCD_7_the_circuit_of_fig_8_simulated_has_the_exact_numbers(
    time, voltage, current, written
):
    result = load(written(EC)).simulate(stop=time, tol=1e-10)

    assert result.final("C.v") == pytest.approx(voltage, rel=1e-7)
    assert result.final("I.i") == pytest.approx(current, rel=1e-6)
