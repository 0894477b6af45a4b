"""VAR-2: the bond graph shows which storages fix which switches, as `explain --switches` tells it.

The structure room finds them from equations and augmenting paths, the bond graph room from causal strokes.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from switching_circuits import CIRCUITS

from freewheel.api.model import Model, load
from freewheel.bondgraph.draw import draw
from freewheel.bondgraph.nodes import Graph, Release
from freewheel.bondgraph.picture import Tone, picture_of
from freewheel.bondgraph.stages import bond_graph

GALLERY = Path(__file__).resolve().parents[2] / "examples" / "switching"
CONDITION = re.compile(r"(.+)\.off = (true|false)")


def positions_from_equations(model: Model) -> list[tuple[set[tuple[str, bool]], set[str]]]:
    """Valves with whether they are open, and the storages that lose their state then."""
    told = model.switches()
    fixed = [each for switch in told.switches for each in switch.fixed] + list(told.together)
    found = []
    for each in fixed:
        parts = [CONDITION.fullmatch(part) for part in each.position.split(", ")]
        assert all(parts), each.position
        position = {(part[1], part[2] == "true") for part in parts if part}
        if each.states:
            found.append((position, {state.rpartition(".")[0] for state in each.states}))
    return found


def missing(model: Model, graph: Graph) -> list[set[tuple[str, bool]]]:
    """Positions that the equations name and the graph does not, for none of their storages."""

    def says(release: Release, position: set[tuple[str, bool]], storages: set[str]) -> bool:
        return set(release.position) <= position and not storages.isdisjoint(
            {*release.storages, *release.tied}
        )

    return [
        position
        for position, storages in positions_from_equations(model)
        if not any(says(release, position, storages) for release in graph.findings.releases)
    ]


@pytest.mark.parametrize("path", sorted(GALLERY.glob("*.mo")), ids=lambda path: path.stem)
def test_VAR_2_every_position_of_the_gallery_is_on_its_graph(path):
    model = load(path)
    graph = bond_graph(model)

    assert positions_from_equations(model)
    assert missing(model, graph) == []


@pytest.mark.long
def test_VAR_2_every_position_of_the_reference_circuits_is_on_its_graph(tmp_path):
    count = 0
    for name, make in CIRCUITS.items():
        network, _ = make()
        path = tmp_path / f"{network.name}.mo"
        path.write_text(network.modelica())
        model = load(path)
        count += len(positions_from_equations(model))
        assert missing(model, bond_graph(model)) == [], name

    assert count >= 60


def test_VAR_2_what_three_diodes_do_only_together_is_told():
    graph = bond_graph(load(GALLERY / "six_pulse_rectifier.mo"))

    found = {
        release.position: (release.storages, release.tied) for release in graph.findings.releases
    }
    three_open = tuple((f"upper[{k}]", True) for k in (1, 2, 3))
    assert found[three_open] == (("smoothing",), ())
    # The current of the third diode above is that of its line when the one below it is open.
    mixed = (("upper[1]", True), ("upper[2]", True), ("lower[3]", True))
    assert found[mixed] == (("smoothing",), ("choke1", "choke2"))
    # No position that is told holds another one that is told for the same storage.
    for one, (storages, _) in found.items():
        for other, (others, _) in found.items():
            assert not (set(other) < set(one) and set(others) & set(storages))


def test_VAR_2_four_switches_of_a_leg_take_one_state():
    graph = bond_graph(load(GALLERY / "three_phase_inverter.mo"))

    leg = tuple((f"{name}[1]", True) for name in ("upper", "lower", "back_up", "back_down"))
    assert [r.storages for r in graph.findings.releases if r.position == leg] == [("L1",)]


def test_VAR_2_the_picture_tells_it():
    graph = bond_graph(load(GALLERY / "boost.mo"))

    notes = picture_of(graph).notes
    assert [(note.text, note.tone) for note in notes] == [
        ("with switch closed and diode closed, store is not a state", Tone.VARIABLE),
        ("with switch open and diode open, choke is not a state", Tone.VARIABLE),
    ]
    assert all(note.text in draw(graph) for note in notes)
