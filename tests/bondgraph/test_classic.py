"""Models of the classic language have bond graphs by the same way: through their equations."""

from __future__ import annotations

from pathlib import Path

import pytest

from freewheel.api.model import load
from freewheel.bondgraph.stages import bond_graph
from freewheel.dymola.files import Cuts

CLASSIC = Path(__file__).resolve().parents[2] / "examples" / "dymola"
KINDS = {
    "circuit": {"U0": "Se", "R1": "R", "R2": "R", "C": "C", "L": "I"},
    "divider": {"U0": "Se", "R1": "R", "R2": "R"},
    "parcap": {"I0": "Sf", "C1": "C", "C2": "C"},
    "rectifier": {"U0": "Se", "Ri": "R", "RL": "R", "C": "C", "Diode": "D"},
    "switch": {"I0": "Sf", "R1": "R", "R2": "R", "C": "C", "Sw": "Sw"},
}


def graph_of_classic(name):
    return bond_graph(load(CLASSIC / f"{name}.dym", cuts=Cuts.CONNECTORS))


@pytest.mark.parametrize("name", KINDS)
def test_a_classic_model_has_its_elements(name):
    graph = graph_of_classic(name)

    assert {e.name: str(e.kind) for e in graph.elements} == KINDS[name]
    assert not graph.findings.clashes


def test_values_are_those_of_the_submodels():
    graph = graph_of_classic("circuit")

    values = {e.name: dict(e.parameters) for e in graph.elements}
    assert values["R1"] == {"R": 100.0}
    assert values["C"]["C"] == pytest.approx(1e-7)
    assert values["L"]["I"] == pytest.approx(1.5e-3)


def test_capacitors_in_parallel_and_dividers_are_told_in_the_classic_file():
    (dependent,) = graph_of_classic("parcap").remarks
    (loop,) = graph_of_classic("divider").remarks

    assert (dependent.code, loop.code) == ("E110", "E111")
    assert dependent.labels[0].span.text == "C2"
    assert loop.message.startswith("algebraic loop of `R1` and `R2`")
