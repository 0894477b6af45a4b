"""Strokes, dependent storages, loops, clashes, and what switches change."""

from __future__ import annotations

import pytest
from switching_circuits import CIRCUITS

from freewheel.api.model import load
from freewheel.base.diagnostics import Severity
from freewheel.base.names import show
from freewheel.bondgraph.nodes import Graph, Stroke
from freewheel.bondgraph.stages import bond_graph


def told(graph: Graph, name: str) -> str:
    """What an element is told by its bond."""
    (bond,) = graph.bonds_of(name)
    end = bond.tail if bond.stroke is Stroke.TAIL else bond.head
    return "effort" if end.vertex == name else "flow"


def messages(graph: Graph, code: str) -> list[str]:
    return [remark.message for remark in graph.remarks if remark.code == code]


def test_the_circuit_of_the_document(graph_of, chains):
    graph = graph_of(
        "PulseVoltage V(V=200); Capacitor C; Resistor R; Inductor I; Ground g;",
        chains("V.p R.p", "R.n C.p I.p", "V.n C.n I.n g.p"),
    )

    assert [told(graph, name) for name in "VRCI"] == ["flow", "effort", "flow", "effort"]
    assert not graph.remarks


# ---------------------------------------------------------------- dependent storages


def test_capacitors_side_by_side_depend_on_each_other(graph_of, chains):
    graph = graph_of(
        "SineVoltage V; Resistor R; Capacitor C1; Capacitor C2; Ground g;",
        chains("V.p R.p", "R.n C1.p C2.p", "V.n C1.n C2.n g.p"),
    )

    (found,) = graph.findings.dependent
    assert (found.storage, found.sources) == ("C2", ("C1",))
    assert messages(graph, "E110") == [
        "`C2` is a dependent storage, its voltage is not a state: `C1` decides it"
        " (causal path C2 - 0 - C1)"
    ]
    (remark,) = graph.remarks
    assert remark.severity is Severity.NOTE
    assert "small resistance" in remark.help


def test_a_small_resistance_gives_the_state_back(graph_of, chains):
    graph = graph_of(
        "SineVoltage V; Resistor R; Capacitor C1; Resistor small(R=1e-3); Capacitor C2; Ground g;",
        chains("V.p R.p", "R.n C1.p small.p", "small.n C2.p", "V.n C1.n C2.n g.p"),
    )

    assert not graph.findings.dependent


@pytest.mark.parametrize(
    ("declarations", "nets", "storage", "teller"),
    [
        ("ConstantVoltage V; Capacitor C; Ground g;", ("V.p C.p", "V.n C.n g.p"), "C", "V"),
        (
            "ConstantVoltage V; Inductor L1; Inductor L2; Ground g;",
            ("V.p L1.p", "L1.n L2.p", "L2.n V.n g.p"),
            "L2",
            "L1",
        ),
        (
            "ConstantCurrent J; Inductor L; Ground g;",
            ("J.n L.p", "L.n J.p g.p"),
            "L",
            "J",
        ),
    ],
)
def test_storages_that_are_no_states(declarations, nets, storage, teller, graph_of, chains):
    graph = graph_of(declarations, chains(*nets))

    (found,) = graph.findings.dependent
    assert (found.storage, found.sources) == (storage, (teller,))
    assert found.path[0] == storage
    assert found.path[-1] == teller


def test_a_transformer_ties_storages_and_a_gyrator_turns_them(graph_of, chains):
    nets = chains("V.p R.p", "R.n C1.p T.p1", "T.p2 C2.p", "V.n C1.n T.n1 T.n2 C2.n g.p")
    parts = "SineVoltage V; Resistor R; Capacitor C1; Capacitor C2; Ground g; "

    tied = graph_of(parts + "IdealTransformer T(n=2);", nets)
    turned = graph_of(parts + "IdealGyrator T(G=2);", nets)

    assert [d.storage for d in tied.findings.dependent] == ["C2"]
    assert not turned.findings.dependent


# ---------------------------------------------------------------- algebraic loops

DIVIDER = "SineVoltage V; Resistor R1; Resistor R2; Ground g;"


def test_a_divider_is_a_loop_and_names_its_resistors(graph_of, chains):
    graph = graph_of(DIVIDER, chains("V.p R1.p", "R1.n R2.p", "R2.n V.n g.p"))

    (loop,) = graph.findings.loops
    assert loop.elements == ("R1", "R2")
    assert loop.path[0] == loop.path[-1] == "R1"
    assert messages(graph, "E111") == [
        "algebraic loop of `R1` and `R2` (closed causal path R1 - 1 - R2 - 1 - R1)"
    ]


def test_a_storage_in_the_path_breaks_the_loop(graph_of, chains):
    graph = graph_of(
        DIVIDER + " Capacitor C;", chains("V.p R1.p", "R1.n R2.p C.p", "R2.n C.n V.n g.p")
    )

    assert not graph.findings.loops
    assert not graph.remarks


def test_a_bridge_of_resistors_is_one_loop_of_all(graph_of, chains):
    graph = graph_of(
        "SineVoltage V; Resistor a; Resistor b; Resistor c; Resistor d; Resistor x; Ground g;",
        chains("V.p a.p b.p", "a.n c.p x.p", "b.n d.p x.n", "c.n d.n V.n g.p"),
    )

    (loop,) = graph.findings.loops
    assert loop.elements == ("a", "b", "c", "d", "x")


# ---------------------------------------------------------------- sources


def test_sources_that_contradict_each_other_are_an_error(graph_of, chains):
    graph = graph_of(
        "ConstantVoltage V(V=1); ConstantVoltage W(V=2); Resistor R; Ground g;",
        chains("V.p W.p R.p", "V.n W.n R.n g.p"),
    )

    (clash,) = graph.findings.clashes
    assert set(clash.sources) == {"V", "W"}
    (remark,) = [r for r in graph.remarks if r.code == "E113"]
    assert remark.severity is Severity.ERROR
    assert {label.span.text for label in remark.labels} == {"V", "W"}


def test_sources_side_by_side_away_from_ground_contradict_each_other_too(graph_of, chains):
    graph = graph_of(
        "ConstantVoltage V(V=1); ConstantVoltage W(V=2); Resistor R; Resistor Q; Ground g;",
        chains("V.p W.p R.p", "V.n W.n Q.p", "R.n Q.n g.p"),
    )

    assert {name for clash in graph.findings.clashes for name in clash.sources} == {"V", "W"}


def test_sources_contradict_each_other_through_a_transformer(graph_of, chains):
    """Strokes can be put; a loop of junctions with gain one makes the equations singular."""
    graph = graph_of(
        "ConstantVoltage V(V=1); ConstantVoltage W(V=2); IdealTransformer T(n=2); Resistor R;"
        " Resistor Q; Ground g;",
        chains("V.p T.p1 R.p", "V.n T.n1 Q.p", "W.p T.p2", "W.n T.n2 g.p", "R.n Q.n g.p"),
    )

    assert {name for clash in graph.findings.clashes for name in clash.sources} == {"V", "W"}


# Both sides of the transformer begin at one node: with a ratio of one, and only then, their other ends are
# at one potential, which ties C to V. Strokes cannot show that.
TIED = (
    "SineVoltage V; Resistor R1; Resistor R2; Capacitor C; IdealTransformer T(n={}); Ground g;",
    ("R1.p T.p1 T.p2", "T.n1 C.p", "T.n2 R2.p V.p", "R1.n R2.n C.n V.n g.p"),
)


def test_a_ratio_of_one_ties_a_capacitor_to_a_source(graph_of, chains):
    declarations, nets = TIED
    tied, free = (graph_of(declarations.format(ratio), chains(*nets)) for ratio in (1, 2))

    assert [(d.storage, d.sources, d.path) for d in tied.findings.dependent] == [("C", ("V",), ())]
    (message,) = messages(tied, "E115")
    assert message.startswith(
        "`C` is a dependent storage, its voltage is not a state: `V` decides it;"
    )
    assert not free.findings.dependent


def test_a_transformer_whose_sides_lie_side_by_side_leaves_a_current_open(graph_of, chains):
    graph = graph_of(
        "SineCurrent J; Resistor R; IdealTransformer T(n=1); Ground g;",
        chains("J.n R.p T.p1 T.p2", "J.p R.n T.n1 T.n2 g.p"),
    )

    assert messages(graph, "E116") == ["nothing decides every effort and flow around `T`"]
    assert all(remark.severity is not Severity.ERROR for remark in graph.remarks)


# ---------------------------------------------------------------- switches and diodes

IDEAL = "Ron=0, Goff=0"


def test_an_open_diode_takes_the_state_of_the_inductor_in_series(graph_of, chains):
    graph = graph_of(
        f"SineVoltage V; IdealDiode D({IDEAL}, Vknee=0); Inductor L; Resistor R; Ground g;",
        chains("V.p D.p", "D.n L.p", "L.n R.p", "R.n V.n g.p"),
    )

    (release,) = graph.findings.releases
    assert (release.position, release.storages) == ((("D", True),), ("L",))
    assert messages(graph, "E112") == ["with `D` open, `L` is not a state"]


def test_a_closed_switch_ties_two_capacitors(graph_of, chains):
    graph = graph_of(
        f"Capacitor C1(v(start=1)); Capacitor C2; IdealClosingSwitch S({IDEAL}); Ground g;"
        " Modelica.Blocks.Sources.BooleanStep b(startTime=1);",
        chains("C1.p S.p", "S.n C2.p", "C1.n C2.n g.p") + "connect(b.y, S.control);",
    )

    (release,) = graph.findings.releases
    assert (release.position, release.storages, release.tied) == (
        (("S", False),),
        ("C2",),
        ("C1",),
    )


def test_a_diode_that_leaks_takes_no_state(graph_of, chains):
    graph = graph_of(
        "SineVoltage V; IdealDiode D(Ron=1e-3, Goff=1e-3); Inductor L; Resistor R; Ground g;",
        chains("V.p D.p", "D.n L.p", "L.n R.p", "R.n V.n g.p"),
    )

    assert not graph.findings.releases


def test_positions_that_short_a_source_are_told(graph_of, chains):
    graph = graph_of(
        f"ConstantVoltage V; IdealClosingSwitch S({IDEAL}); IdealDiode D({IDEAL}); Inductor L;"
        " Resistor R; Ground g; Modelica.Blocks.Sources.BooleanPulse b(period=1);",
        chains("V.p S.p", "S.n D.n L.p", "L.n R.p", "R.n V.n D.p g.p") + "connect(b.y, S.control);",
    )

    assert [(r.position, r.storages) for r in graph.findings.releases] == [
        ((("S", True), ("D", True)), ("L",))
    ]
    (clash,) = graph.findings.clashes
    assert (clash.position, clash.sources) == ((("S", False), ("D", False)), ("V",))
    variable = {b.number for b in graph.bonds if b.is_variable}
    assert {b.number for name in "SD" for b in graph.bonds_of(name)} <= variable


def test_a_clutch_locks_or_slides(tmp_path):
    graph = bond_graph(load("Modelica.Mechanics.Rotational.Examples.ClutchEngagement"))

    assert any("`clutch` locked" in text for text in messages(graph, "E112"))


def compare_with_the_structure(names: list[str], folder) -> int:
    """The structure room finds released states from equations, this room from strokes (VAR-2)."""
    compared = 0
    for name in names:
        network, _ = CIRCUITS[name]()
        path = folder / f"{network.name}.mo"
        path.write_text(network.modelica())
        model = load(path)
        graph = bond_graph(model)
        core = model.upto("structure").ordered.core
        if not core.is_there:
            continue
        released = {show(var.name[:-1]) for var in core.released}
        named = {storage for r in graph.findings.releases for storage in r.storages}
        tied = {storage for r in graph.findings.releases for storage in r.tied}
        assert named <= released <= named | tied, name
        compared += bool(released)
    return compared


def test_the_graph_names_the_states_that_the_simulation_releases(tmp_path):
    assert compare_with_the_structure(list(CIRCUITS)[2::6], tmp_path) >= 4


@pytest.mark.long
def test_the_graph_names_them_in_all_circuits(tmp_path):
    assert compare_with_the_structure(list(CIRCUITS), tmp_path) > 30


def test_a_position_that_shorts_a_source_is_told(graph_of, chains):
    graph = graph_of(
        f"ConstantVoltage V(V=1); IdealClosingSwitch S({IDEAL}); Resistor R; Ground g;"
        " Modelica.Blocks.Sources.BooleanStep b(startTime=1);",
        chains("V.p S.p R.p", "V.n S.n R.n g.p") + "connect(b.y, S.control);",
    )

    (told,) = [remark for remark in graph.remarks if remark.code == "E114"]
    assert told.message == "`V` would be short-circuited or cut off with `S` closed"
    assert told.severity is Severity.NOTE
    assert "a resistance or a leak" in told.help
    assert [label.span.text for label in told.labels] == ["V"]
