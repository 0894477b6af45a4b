"""The steps of document 001 on its own circuit, and what each promises."""

from __future__ import annotations

import pytest

from freewheel.bondgraph.nodes import Kind, Stage
from freewheel.bondgraph.show import show

EC = """PulseVoltage V(V=200, period=1, width=10);
  Capacitor C(C=200);
  Resistor R(R=1.5);
  Inductor I(L=40);
  Ground Gnd;"""
WIRING = (
    "connect(V.p, R.p); connect(R.n, I.p); connect(R.n, C.p);"
    "connect(I.n, V.n); connect(C.n, V.n); connect(C.n, Gnd.p);"
)
# Fig. 10 (b): the same nets, tied otherwise.
OTHER_WIRING = (
    "connect(Gnd.p, I.n); connect(V.n, C.n); connect(I.n, C.n);"
    "connect(I.p, C.p); connect(R.p, V.p); connect(C.p, R.n);"
)
PULSE = "Pulse(amplitude=200, width=10, period=1, nperiod=-1, offset=0, startTime=0)"
ELEMENTS = f"""\
element V Se electrical(V.p, V.n, out) {PULSE}
element C C electrical(C.p, C.n, in) C=200 start=0
element R R electrical(R.p, R.n, in) R=1.5
element I I electrical(I.p, I.n, in) I=40 start=0
"""
EXPECTED = {
    "zeros": """\
junction $n1 0 electrical {V.p, R.p}
junction $n2 0 electrical ground {V.n, C.n, I.n, Gnd.p}
junction $n3 0 electrical {C.p, R.n, I.p}
bond 1 V:p --- $n1
bond 2 V:n --- $n2
bond 3 C:p --- $n3
bond 4 C:n --- $n2
bond 5 R:p --- $n1
bond 6 R:n --- $n3
bond 7 I:p --- $n3
bond 8 I:n --- $n2
bond 9 Gnd:p --- $n2
""",
    "directed": """\
junction $n1 0 electrical
junction $n2 0 electrical ground
junction $n3 0 electrical
junction $V 1 electrical
junction $C 1 electrical
junction $R 1 electrical
junction $I 1 electrical
bond 1 V --> $V
bond 2 $V --> $n1
bond 3 $n2 --> $V
bond 4 $C --> C
bond 5 $n3 --> $C
bond 6 $C --> $n2
bond 7 $R --> R
bond 8 $n1 --> $R
bond 9 $R --> $n3
bond 10 $I --> I
bond 11 $n3 --> $I
bond 12 $I --> $n2
bond 13 $n2 --> Gnd
""",
    "simplified": """\
junction $n3 0 electrical
junction $R 1 electrical
bond 1 V --> $R
bond 2 $n3 --> C
bond 3 $R --> R
bond 4 $R --> $n3
bond 5 $n3 --> I
""",
    "causal": """\
junction $n3 0 electrical
junction $R 1 electrical
bond 1 V -->| $R
bond 2 $n3 |--> C
bond 3 $R -->| R
bond 4 $R |--> $n3
bond 5 $n3 -->| I
""",
}


@pytest.mark.parametrize("stage", EXPECTED)
def test_the_circuit_of_the_document_stage_by_stage(stage, graph_of):
    graph = graph_of(EC, WIRING, stage)

    ground = "element Gnd ground electrical(Gnd.p, in)\n" if stage in ("zeros", "directed") else ""
    assert show(graph) == f"bondgraph M\nstage {stage}\n{ELEMENTS}{ground}{EXPECTED[stage]}"


def test_the_graph_has_two_nodes_per_port_and_one_for_ground(graph_of):
    graph = graph_of(EC, WIRING, "graph")

    pins = {pin for e in graph.elements for p in e.ports for pin in (p.positive, p.negative) if pin}
    assert len(pins) == 9
    assert len(graph.wires) == 6


@pytest.mark.parametrize("stage", [s for s in Stage if s is not Stage.GRAPH])
def test_how_a_net_is_tied_does_not_matter(stage, graph_of):
    assert graph_of(EC, WIRING, stage) == graph_of(EC, OTHER_WIRING, stage)


def test_exchanging_the_pins_of_the_capacitor_turns_its_bonds(graph_of):
    turned = WIRING.replace("C.p", "C.x").replace("C.n", "C.p").replace("C.x", "C.n")

    def around(graph):
        return {(b.tail.vertex, b.head.vertex) for b in graph.bonds_of("$C")} - {("$C", "C")}

    straight = around(graph_of(EC, WIRING, "directed"))
    assert around(graph_of(EC, turned, "directed")) == {(b, a) for a, b in straight}


def test_power_goes_into_both_ports_of_a_transformer(graph_of, chains):
    graph = graph_of(
        "SineVoltage V(V=1); IdealTransformer T(n=2); Resistor R(R=1); Ground g;",
        chains("V.p T.p1", "T.p2 R.p", "V.n T.n1 T.n2 R.n g.p"),
        "directed",
    )

    assert all(b.head.vertex == "T" for b in graph.bonds_of("T"))
    assert {b.head.port for b in graph.bonds_of("T")} == {"1", "2"}


def test_without_a_ground_the_negative_pin_of_the_source_is_at_rest(graph_of):
    with_ground = graph_of(EC, WIRING, "simplified")
    without = graph_of(
        EC.replace("Ground Gnd;", ""), WIRING.replace("connect(C.n, Gnd.p);", ""), "simplified"
    )

    assert without == with_ground


def test_two_sources_without_a_ground_share_one_potential_at_rest(graph_of, chains):
    graph = graph_of(
        "ConstantVoltage V(V=1); ConstantVoltage W(V=2); Resistor R(R=1); Resistor Q(R=2);",
        chains("V.p R.p", "R.n W.p", "V.n Q.p", "Q.n W.n"),
        "grounded",
    )

    # Four potentials, one of them taken away: the negative pins differ and cannot both be zero.
    assert sum(j.kind is Kind.ZERO for j in graph.junctions) == 3


def test_each_side_of_a_transformer_has_its_own_rest(graph_of, chains):
    graph = graph_of(
        "SineVoltage V(V=1); IdealTransformer T(n=2); Resistor R(R=1);",
        chains("V.p T.p1", "V.n T.n1", "T.p2 R.p", "T.n2 R.n"),
        "simplified",
    )

    ends = [(b.tail.vertex, b.head.vertex) for b in graph.bonds]
    assert ends[0] == ("V", "T")
    assert len(graph.junctions) == 1  # both half arrows leave it: power goes into T and into R


def test_elements_side_by_side_away_from_ground_leave_no_mesh(graph_of, chains):
    graph = graph_of(
        "ConstantVoltage V(V=1); Resistor R(R=1); Resistor Q(R=2); Capacitor C(C=1); Resistor S(R=3);"
        " Ground g;",
        chains("V.p R.p", "R.n Q.p C.p", "Q.n C.n S.p", "S.n V.n g.p"),
        "simplified",
    )

    assert len(graph.bonds) == len(graph.junctions) + len(graph.elements) - 1  # a tree
    assert [j.kind for j in graph.junctions] == [Kind.ONE, Kind.ZERO]
