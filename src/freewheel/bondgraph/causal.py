"""The last stage: strokes on all bonds, and what they tell about the model.

causal(simplify(...)).findings.loops      closed causal paths without a storage
"""

from __future__ import annotations

from dataclasses import replace

from freewheel.bondgraph.assign import assign
from freewheel.bondgraph.check import resting
from freewheel.bondgraph.nodes import (
    JUNCTIONS,
    TWO_PORTS,
    AlgebraicLoop,
    Bond,
    Dependence,
    Findings,
    Graph,
    Kind,
    Stage,
    Stroke,
)
from freewheel.bondgraph.signals import Signals, input_of
from freewheel.bondgraph.singular import contradictions, hidden_dependences
from freewheel.bondgraph.strokes import Strokes, Web, web_of
from freewheel.bondgraph.valves import clash_of, positions_of
from freewheel.bondgraph.words import remarks_of

CLOSE_LOOPS = (Kind.R, Kind.D, Kind.SW)


def make_causal(graph: Graph) -> Graph:
    """Strokes, and findings in `findings` and, in words, in `remarks`."""
    assert graph.stage is Stage.SIMPLIFIED
    web = web_of(graph)
    found = assign(web)
    positions = positions_of(graph, web, found)
    signals = Signals(web, found.strokes)
    clashes = tuple(clash_of(web, found, *late) for late in found.clashes)
    clashes = clashes or contradictions(graph, web)
    hidden = () if clashes else hidden_dependences(graph, web, found.dependent)
    shown = (_dependence(name, web, found.strokes, signals) for name in found.dependent)
    findings = Findings(
        (*shown, *hidden),
        tuple(_loop(circle, graph, signals) for circle in signals.circles()),
        positions.releases,
        (*clashes, *positions.clashes),
        resting(graph),
    )
    causal = replace(
        graph,
        stage=Stage.CAUSAL,
        bonds=tuple(
            _stroked(bond, found.strokes.at(k), k in positions.variable)
            for k, bond in enumerate(graph.bonds)
        ),
        findings=findings,
    )
    return replace(causal, remarks=(*graph.remarks, *remarks_of(causal)))


def _stroked(bond: Bond, vertex: str, is_variable: bool) -> Bond:
    if not vertex:
        return bond
    stroke = Stroke.TAIL if bond.tail.vertex == vertex else Stroke.HEAD
    return replace(bond, stroke=stroke, is_variable=is_variable)


def _dependence(name: str, web: Web, strokes: Strokes, signals: Signals) -> Dependence:
    start = input_of(name, web, strokes)
    ends = signals.origins(start)
    path = signals.shortest(start, lambda s: s in ends) or [start]
    passing = (*JUNCTIONS, *TWO_PORTS)  # where a loop of junctions hides who speaks
    sources = [n for n in signals.weights(start) if n != name and web.kinds[n] not in passing]
    return Dependence(name, tuple(sources), (name, *signals.vertices(path)))


def _loop(circle: list[int], graph: Graph, signals: Signals) -> AlgebraicLoop:
    inside = {signals.producer[s] for s in circle}
    elements = tuple(e.name for e in graph.elements if e.name in inside and e.kind in CLOSE_LOOPS)
    members = set(circle)
    first = next((s for s in circle if signals.producer[s] in elements[:1]), circle[0])
    path = signals.shortest(first, lambda s: s == first and s in members)
    return AlgebraicLoop(elements, signals.vertices(path))
