"""The checks of document 001, section 3.1: each wrong model is refused, and the line is named."""

from __future__ import annotations

import pytest

from freewheel.base.diagnostics import FreewheelError, Severity
from freewheel.bondgraph.stages import bond_graph

BASIC, SOURCES = "Modelica.Electrical.Analog.Basic", "Modelica.Electrical.Analog.Sources"
LINES = [
    "model circuit",
    f"  {SOURCES}.SineVoltage V(V=15);",
    f"  {BASIC}.Resistor R1(R=10);",
    f"  {BASIC}.Ground Gnd;",
    "equation",
    "  connect(V.p, R1.p);",
    "  connect(R1.n, V.n);",
    "  connect(R1.n, Gnd.p);",
    "end circuit;",
]
WRONG = {  # what is wrong: line, its new text, code
    "a package that is not there": (3, f"  {BASIC}ally.Resistor R1(R=10);", "N003"),
    "a class that is not there": (3, f"  {BASIC}.Resister R1(R=10);", "N003"),
    "a symbol that is not declared": (6, "  connect(W.p, R1.p);", "N001"),
    "an attribute that is not there": (3, f"  {BASIC}.Resistor R1(Rho=10);", "N010"),
    "a pin that is not there": (7, "  connect(R1.q, V.n);", "N003"),
    "an element that is no pin": (7, "  connect(R1, V.n);", "F010"),
    "a component connected to itself": (6, "  connect(V.p, R1.p); connect(R1.p, R1.n);", "E106"),
    "a pin connected to itself": (6, "  connect(V.p, R1.p); connect(R1.p, R1.p);", "E106"),
    "no source": (2, f"  {BASIC}.Capacitor V(C=15);", "E105"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_circuit_is_refused_and_its_line_named(case, model_of):
    line, text, code = WRONG[case]
    model = model_of("\n".join([*LINES[: line - 1], text, *LINES[line:]]) + "\n")

    with pytest.raises(FreewheelError) as failure:
        bond_graph(model)

    diagnostic = failure.value.diagnostics[0]
    place = diagnostic.labels[0].span
    assert place.line == (1 if code == "E105" else line)  # nothing moves: of the model as a whole
    assert diagnostic.code == code
    assert diagnostic.help


def test_the_circuit_without_a_mistake_has_its_graph(model_of):
    model = model_of("\n".join(LINES) + "\n")

    bonds = bond_graph(model).bonds

    assert [(b.tail.vertex, b.head.vertex) for b in bonds] == [("V", "R1")]


def test_a_charged_capacitor_is_source_enough(graph_of, chains):
    graph = graph_of(
        "Capacitor C(C=1, v(start=3)); Resistor R(R=1); Ground g;", chains("C.p R.p", "C.n R.n g.p")
    )

    assert len(graph.elements) == 2


def test_a_model_without_power_is_refused(graph_of):
    with pytest.raises(FreewheelError) as failure:
        graph_of("Modelica.Blocks.Sources.Sine s;")

    assert failure.value.diagnostics[0].code == "E104"
    assert "has no element of a bond graph" in failure.value.diagnostics[0].message
    assert "needs components with pins" in failure.value.diagnostics[0].help


def test_a_net_tied_in_a_loop_may_meet_itself(graph_of):
    graph = graph_of(
        "ConstantVoltage V[2](each V=1); Resistor R[2]; Ground g;",
        "for k in 1:2 loop connect(V[k].p, R[k].p); connect(V[k].n, V[1].n); connect(R[k].n, g.p);"
        " end for; connect(V[1].n, g.p);",
    )

    assert len(graph.bonds) == 2


LONELY = """model Lonely
  BondGraph.Junction1 j(no=2, ni=0);
  BondGraph.R r(R=1);
  BondGraph.C c(C=1);
  BondGraph.Se s;
  BondGraph.R load(R=2);
equation
  connect(j.o[1], r.p);
  connect(j.o[2], c.p);
  connect(s.p, load.p);
end Lonely;
"""


def test_bonds_without_a_source_are_told(model_of):
    graph = bond_graph(model_of(LONELY))

    assert graph.findings.resting == (("r", "c"),)
    (told,) = graph.remarks
    assert (told.code, told.severity) == ("E119", Severity.WARNING)
    assert told.message == "nothing moves `r` and `c`: no bond leads from a source to them"
    assert [label.span.line for label in told.labels] == [3, 4]


def test_a_part_with_a_charged_storage_moves(model_of):
    graph = bond_graph(model_of(LONELY.replace("C c(C=1)", "C c(C=1, e(start=2))")))

    assert graph.findings.resting == ()


def test_an_element_without_a_bond_is_told(graph_of, chains):
    graph = graph_of(
        "ConstantVoltage V; Resistor R; Resistor left; Ground g;",
        chains("V.p R.p", "R.n V.n g.p"),
    )

    assert graph.findings.resting == (("left",),)
