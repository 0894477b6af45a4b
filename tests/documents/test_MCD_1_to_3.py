"""MCD-1, MCD-2, MCD-3: from the document's Modelica to its causal bond graphs.

Figures 8 and 10 to 21 of Wainer and D'Abreu, "Using a Discrete-Event System Specifications (DEVS) for
designing a Modelica compiler" (document 001). The circuits of Figs. 19 and 21 are in the pictures only;
those here have the same elements.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from freewheel.api.model import load
from freewheel.bondgraph.draw import draw
from freewheel.bondgraph.nodes import Kind, Stage, Stroke
from freewheel.bondgraph.stages import bond_graph

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FIGURES = {name: EXAMPLES / f"mcd_{name}.mo" for name in ("fig1", "fig8", "fig23", "fig26")}
BONDS = EXAMPLES / "bond_graphs"


def shape(name: str, stage: Stage = Stage.CAUSAL):
    graph = bond_graph(load(FIGURES[name]), stage)
    return graph, [(b.tail.vertex, b.head.vertex) for b in graph.bonds]


def test_MCD_1_the_listings_of_the_document_are_read():
    kinds = {
        name: [str(e.kind) for e in bond_graph(load(path), Stage.GRAPH).elements]
        for name, path in FIGURES.items()
    }

    assert kinds == {
        "fig1": ["R", "I", "C", "ground", "R", "Se"],
        "fig8": ["Se", "C", "R", "I", "ground"],
        "fig23": ["Se", "R", "ground"],
        "fig26": ["Se", "R", "C", "ground"],
    }


def test_MCD_2_the_circuit_of_fig_8_has_three_potentials_and_four_ports():
    graph, bonds = shape("fig8", Stage.ONES)

    assert sum(j.kind is Kind.ZERO for j in graph.junctions) == 3
    assert sum(j.kind is Kind.ONE for j in graph.junctions) == 4
    assert len(bonds) == 13  # three at each port, one at ground


def test_MCD_2_fig_15_ground_is_gone():
    graph, _ = shape("fig8", Stage.GROUNDED)

    assert [str(e.kind) for e in graph.elements] == ["Se", "C", "R", "I"]
    assert sum(j.kind is Kind.ZERO for j in graph.junctions) == 2


def test_MCD_2_fig_17_one_junction_of_each_kind_is_left():
    graph, bonds = shape("fig8", Stage.SIMPLIFIED)

    kinds = {j.name: str(j.kind) for j in graph.junctions}
    named = [(kinds.get(a, a), kinds.get(b, b)) for a, b in bonds]
    assert sorted(named) == [("0", "C"), ("0", "I"), ("1", "0"), ("1", "R"), ("V", "1")]


def test_MCD_3_fig_18_causality_of_fig_17():
    graph, _ = shape("fig8")

    effort_in = {
        (b.tail if b.stroke is Stroke.TAIL else b.head).vertex
        for b in graph.bonds
        if b.stroke is not Stroke.NONE
    }
    assert {"R", "I"} <= effort_in
    assert not {"V", "C"} & effort_in
    assert not graph.remarks


def test_MCD_3_fig_19_coupled_capacitors_and_the_cure():
    wrong = bond_graph(load(BONDS / "coupled_capacitors.mo", model="Coupled"))
    cured = bond_graph(load(BONDS / "coupled_capacitors.mo", model="Cured"))

    assert [d.storage for d in wrong.findings.dependent] == ["C2"]
    assert not cured.findings.dependent


def test_MCD_3_figs_20_and_21_a_loop_names_its_resistors_and_a_storage_breaks_it():
    loop = bond_graph(load(BONDS / "algebraic_loop.mo", model="Divider"))
    broken = bond_graph(load(BONDS / "algebraic_loop.mo", model="Broken"))

    assert [found.elements for found in loop.findings.loops] == [("R1", "R2")]
    assert not broken.findings.loops


@pytest.mark.parametrize("model", ["Coupled", "Cured"])
def test_MCD_8_a_dependent_storage_is_simulated_all_the_same(model):
    result = load(BONDS / "coupled_capacitors.mo", model=model).simulate()

    assert abs(result["C1.v"] - result["C2.v"]).max() < 0.02


def test_MCD_2_all_figures_are_drawn():
    for path in FIGURES.values():
        for stage in Stage:
            assert draw(bond_graph(load(path), stage)).startswith("<svg")
