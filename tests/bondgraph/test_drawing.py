"""Pictures: nothing overlaps, everything is there, and the same graph gives the same picture."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path
from time import process_time
from xml.etree import ElementTree

import pytest

from freewheel.api.model import load
from freewheel.bondgraph.draw import COLOURS, draw
from freewheel.bondgraph.labels import Sheet, text_box
from freewheel.bondgraph.layout import place
from freewheel.bondgraph.nodes import Stage
from freewheel.bondgraph.picture import Tone, picture_of
from freewheel.bondgraph.stages import bond_graph

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SVG = "{http://www.w3.org/2000/svg}"


def test_a_chain_is_straight():
    cells = place(5, [(0, 1), (1, 2), (2, 3), (3, 4)])

    assert len({y for _, y in cells}) == 1
    steps = [b[0] - a[0] for a, b in pairwise(cells)]
    assert set(map(abs, steps)) == {1}


def test_a_star_has_its_centre_in_the_middle():
    cells = place(5, [(0, k) for k in range(1, 5)])

    x, y = cells[0]
    assert {(cx - x, cy - y) for cx, cy in cells[1:]} == {(1, 0), (-1, 0), (0, 1), (0, -1)}


def test_parts_that_do_not_touch_stand_apart():
    cells = place(4, [(0, 1), (2, 3)])

    assert max(x for x, _ in cells[:2]) < min(x for x, _ in cells[2:])


@pytest.mark.parametrize("seed", range(6))
def test_no_two_vertices_share_a_cell_and_nothing_depends_on_chance(seed):
    dice = random.Random(seed)
    count = dice.randint(2, 24)
    edges = [(k, dice.randrange(k)) for k in range(1, count)]
    edges += [(dice.randrange(count), dice.randrange(count)) for _ in range(count // 3)]

    cells = place(count, edges)

    assert len(set(cells)) == count
    assert place(count, edges) == cells


@pytest.mark.parametrize("stage", Stage)
def test_every_stage_of_a_drive_is_drawn(stage):
    graph = bond_graph(load("Modelica.Mechanics.Rotational.Examples.GearedDrive"), stage)

    text = draw(graph)

    root = ElementTree.fromstring(text)
    words = " ".join(node.text or "" for node in root.iter(f"{SVG}text"))
    for element in graph.elements:
        assert element.name in words
    assert draw(graph) == text


def test_half_arrows_and_strokes_are_drawn_for_each_bond(graph_of, chains):
    graph = graph_of(
        "SineVoltage V; Resistor R(R=1.5); Capacitor C(C=2); Ground g;",
        chains("V.p R.p", "R.n C.p", "C.n V.n g.p"),
    )

    root = ElementTree.fromstring(draw(graph))
    paths = [node.get("d", "") for node in root.iter(f"{SVG}path")]
    assert sum(path.count("L") == 2 for path in paths) == len(graph.bonds)  # a line and its barb
    assert sum(path.count("L") == 1 for path in paths) == len(graph.bonds)  # strokes
    words = [node.text for node in root.iter(f"{SVG}text")]
    assert "R=1.5" in words
    assert "C=2" in words


def test_what_causality_tells_is_coloured(graph_of, chains):
    dependent = graph_of("SineVoltage V; Capacitor C; Ground g;", chains("V.p C.p", "C.n V.n g.p"))
    loop = graph_of(
        "SineVoltage V; Resistor R1; Resistor R2; Ground g;",
        chains("V.p R1.p", "R1.n R2.p", "R2.n V.n g.p"),
    )

    assert COLOURS[Tone.DEPENDENT] in draw(dependent)
    assert COLOURS[Tone.LOOP] in draw(loop)
    marked = {spot.name: spot.tone for spot in picture_of(loop).spots}
    assert marked["R1"] is marked["R2"] is Tone.LOOP
    assert marked["V"] is Tone.ELECTRICAL


def test_sources_stand_on_the_left_and_ground_at_the_bottom(graph_of, chains):
    nets = chains("V.p R.p", "R.n C.p", "C.n V.n g.p")
    graph = graph_of("SineVoltage V; Resistor R; Capacitor C; Ground g;", nets, "directed")

    root = ElementTree.fromstring(draw(graph))
    places = {
        node.text: (float(node.get("x", "0")), float(node.get("y", "0")))
        for node in root.iter(f"{SVG}text")
    }
    shown = [place for text, place in places.items() if text and (" : " in text or text in "01")]
    middle = [(min(values) + max(values)) / 2 for values in zip(*shown, strict=True)]
    assert places["Se : V"][0] <= middle[0]
    assert places["ground : g"][1] >= middle[1]


# ---------------------------------------------------------------- texts

TEXTS = {  # long names, two-ports, several parts
    "figure 8": EXAMPLES / "mcd_fig8.mo",
    "drive": EXAMPLES / "bond_graphs" / "drive.mo",
    "six diodes": EXAMPLES / "switching" / "six_pulse_rectifier.mo",
    "transformer": EXAMPLES / "switching" / "flyback.mo",
    "geared drive": "Modelica.Mechanics.Rotational.Examples.GearedDrive",
}
WIDTHS = {"9.5": 5.2, "10": 5.6, "10.5": 5.8, None: 6.6}  # of a letter, by size


@pytest.mark.parametrize("stage", Stage)
@pytest.mark.parametrize("name", TEXTS)
def test_no_text_covers_another(name, stage):
    root = ElementTree.fromstring(draw(bond_graph(load(TEXTS[name]), stage)))

    boxes = [
        (node.text, text_box(x, y, wide * len(node.text or ""), 7.0, node.get("text-anchor", "")))
        for node in root.iter(f"{SVG}text")
        if node.get("text-anchor") is not None
        for x, y in [(float(node.get("x", "0")), float(node.get("y", "0")))]
        for wide in [WIDTHS[node.get("font-size")]]
    ]

    assert len(boxes) > 4
    for number, (text, (left, top, right, bottom)) in enumerate(boxes):
        for other, box in boxes[:number]:
            is_apart = box[2] <= left or right <= box[0] or box[3] <= top or bottom <= box[1]
            assert is_apart, (text, other)


def test_a_sheet_tells_what_lies_under_a_text():
    sheet = Sheet()
    sheet.add_line((0.0, 0.0), (500.0, 300.0))
    sheet.add_box((10.0, 100.0, 60.0, 110.0))

    assert sheet.crowding((240.0, 145.0, 260.0, 155.0)) == 1
    assert sheet.crowding((300.0, 100.0, 320.0, 110.0)) == 0
    assert sheet.crowding((55.0, 105.0, 75.0, 115.0)) == 3
    assert sheet.put([(55.0, 105.0, 75.0, 115.0), (61.0, 105.0, 81.0, 115.0)]) == 1


def test_the_time_for_a_ladder_grows_with_its_length(model_of):
    """Only what is near a text is asked whether it covers it: with all others, four times the length would
    take sixteen times as long."""

    def seconds(count: int) -> float:
        model = model_of(f"""model Ladder
  import Modelica.Electrical.Analog.Basic.*;
  Modelica.Electrical.Analog.Sources.StepVoltage V;
  Resistor R[{count}](each R=1);
  Capacitor C[{count}](each C=1);
  Ground g;
equation
  connect(V.p, R[1].p);
  connect(V.n, g.p);
  for k in 1:{count} loop connect(R[k].n, C[k].p); connect(C[k].n, g.p); end for;
  for k in 1:{count - 1} loop connect(R[k].n, R[k + 1].p); end for;
end Ladder;
""")
        began = process_time()
        graph = bond_graph(model)
        text = draw(graph)
        elapsed = process_time() - began
        assert len(graph.bonds) == 4 * count - 1
        assert text.count("<text") > 2 * count
        return elapsed

    seconds(20)  # tables and imports
    assert seconds(500) < 10.0 * seconds(125)
