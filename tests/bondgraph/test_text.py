"""A graph written as text is the same graph when read, at every stage; mistakes have a line."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path

import pytest

from freewheel.api.model import load
from freewheel.base.diagnostics import CompileError
from freewheel.base.source import Source
from freewheel.bondgraph.draw import draw
from freewheel.bondgraph.nodes import Stage
from freewheel.bondgraph.read import read
from freewheel.bondgraph.show import show
from freewheel.bondgraph.stages import bond_graph, onward

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
MODELS = (
    "Modelica.Electrical.Analog.Examples.BridgeRectifier",
    "Modelica.Mechanics.Rotational.Examples.GearedDrive",
    "Modelica.Thermal.HeatTransfer.Examples.HotAndCold",
    "BondGraph.Examples.Chopper",
    "BondGraph.Examples.Motor",
)


@pytest.mark.parametrize("name", MODELS)
def test_reading_undoes_writing_and_the_way_goes_on(name):
    model = load(name)
    last = bond_graph(model)
    for stage in Stage:
        graph = bond_graph(model, stage)

        again = read(Source.from_text(show(graph)))

        assert again == graph
        taken_on = onward(again, Stage.CAUSAL)
        assert taken_on == last
        assert taken_on.findings == last.findings


@pytest.mark.parametrize("stage", Stage)
def test_names_in_quotes_may_hold_anything(stage, graph_of):
    graph = graph_of(
        "ConstantVoltage 'a, (b): c'(V=2); Resistor 'x #y:z'[2](R={1, 3}); Ground g;",
        "connect('a, (b): c'.p, 'x #y:z'[1].p); connect('x #y:z'[1].n, 'x #y:z'[2].p);"
        "connect('x #y:z'[2].n, 'a, (b): c'.n); connect(g.p, 'x #y:z'[2].n);",
        stage,
    )

    assert read(Source.from_text(show(graph))) == graph


GOOD = [
    "bondgraph X",
    "stage grounded",
    "element V Se electrical(V.p, V.n, out) Constant(k=1)",
    "element R R electrical(R.p, R.n, in) R=2",
    "junction $n1 0 electrical",
    "bond 1 V --> $n1",
    "bond 2 $n1 --> R",
]


def test_a_graph_written_by_hand_is_taken_on():
    graph = onward(read(Source.from_text("\n".join(GOOD))), Stage.CAUSAL)

    assert [(b.tail.vertex, b.head.vertex, str(b.stroke)) for b in graph.bonds] == [
        ("V", "R", "head")
    ]


@pytest.mark.parametrize(
    ("line", "text", "complaint"),
    [
        (2, "stage final", "`final` is no stage"),
        (3, "element V Si electrical(V.p, V.n, out) Constant(k=1)", "`Si` is no kind"),
        (3, "element V Se Constant(k=1)", "`V` has no port"),
        (3, "element V Se electrical(V.p, V.n) Constant(k=1)", "a port is"),
        (4, "element R R electrical(R.p, R.n, in) R=two", "`R=two` is not of the form"),
        (4, "element R R electrical(R.p, R.n, in", "missing at the end"),
        (5, "junction V 0 electrical", "`V` is there already"),
        (6, "bond 1 V ==> $n1", "`==>` is none of"),
        (6, "bond 1 V |-->| $n1", "`|-->|` is none of"),
        (6, "bond one V --> $n1", "`one` is no number"),
        (7, "bond 2 $n2 --> R", "there is no element or junction `$n2`"),
        (7, "bond 2 $n1 --> R here", "`here` is too much"),
        (7, "wave 2", "nothing begins with `wave`"),
    ],
)
def test_a_mistake_is_told_with_its_line(line, text, complaint):
    lines = [*GOOD[: line - 1], text, *GOOD[line:]]

    with pytest.raises(CompileError) as failure:
        read(Source.from_text("\n".join(lines)))

    diagnostic = failure.value.diagnostics[0]
    assert diagnostic.code == "E117"
    assert complaint in diagnostic.message
    assert diagnostic.labels[0].span.line == line


def test_strokes_before_their_stage_are_refused():
    lines = [*GOOD[:-1], "bond 2 $n1 -->| R"]

    with pytest.raises(CompileError) as failure:
        read(Source.from_text("\n".join(lines)))

    assert "is inconsistent" in failure.value.diagnostics[0].message


def test_strokes_put_by_hand_stay():
    """Causal strokes against the usual order: the storage is told its effort."""
    lines = [
        "bondgraph X",
        "stage causal",
        "element V Sf electrical(V.p, V.n, out) Constant(k=1)",
        "element C C electrical(C.p, C.n, in) C=2 start=0",
        "bond 1 V -->| C",
    ]
    graph = read(Source.from_text("\n".join(lines)))

    assert onward(graph, Stage.CAUSAL) == graph


ZEROS = """bondgraph M
stage zeros
element V Se electrical(V.p, V.n, out) Constant(k=1)
element R R electrical(R.p, R.n, in) R=1
junction $n1 0 electrical {V.p, R.p}
junction $n2 0 electrical ground {V.n, R.n}
"""


@pytest.mark.parametrize(
    ("before", "after", "complaint"),
    [
        (", R.n}", "}", "`R.n` is at no junction"),
        ("{V.n, R.n}", "{V.n, R.n, V.p}", "a connector is at one junction only"),
        ("(R.p, R.n, in)", "(R.p, in)", "`$reference.electrical` is not there"),
        ("R=1", "R=nan", "`R=nan` is not of the form name=number"),
    ],
)
def test_connectors_without_their_junction_are_told(before, after, complaint):
    assert onward(read(Source.from_text(ZEROS)), Stage.CAUSAL).bonds

    with pytest.raises(CompileError) as failure:
        read(Source.from_text(ZEROS.replace(before, after)))

    (told,) = failure.value.diagnostics
    assert told.code == "E117"
    assert complaint in told.message


@cache
def text_of_figure_8(stage):
    return show(bond_graph(load(EXAMPLES / "mcd_fig8.mo"), stage))


@pytest.mark.parametrize("seed", range(200))
def test_a_damaged_text_is_read_or_refused(seed):
    """What is read can be taken on, drawn and printed; what is not is told with a place."""
    chance = random.Random(seed)
    stage = chance.choice(list(Stage))
    words = re.findall(r"\S+|\s", text_of_figure_8(stage))
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(words))
        words[at] = chance.choice(
            (words[at][:-1], "", "-->", "|-->", "C", "}", "(", "0", "$n1", "nan")
        )

    graph, told = taken_on("".join(words))

    assert all(each.code and each.message for each in told)
    if graph is not None:
        assert draw(graph).startswith("<svg")
        assert read(Source.from_text(show(graph))) == graph


def taken_on(text):
    """The causal graph, or what is wrong."""
    try:
        return onward(read(Source.from_text(text)), Stage.CAUSAL), ()
    except CompileError as failure:
        return None, failure.diagnostics
