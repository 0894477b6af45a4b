"""The corridor of the room: from an instance to the stage asked for, one pass after the other.

bond_graph(load("ec.mo"), Stage.SIMPLIFIED)
onward(read(text), Stage.CAUSAL)        from a stage that was stored as text
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from freewheel.api.model import Model
from freewheel.base.access import looking
from freewheel.bondgraph.causal import make_causal
from freewheel.bondgraph.check import check, check_circuit
from freewheel.bondgraph.circuit import circuit_of
from freewheel.bondgraph.direct import direct
from freewheel.bondgraph.ground import remove_grounds
from freewheel.bondgraph.nodes import Graph, Stage, Stroke
from freewheel.bondgraph.ones import insert_ones
from freewheel.bondgraph.simplify import simplify
from freewheel.bondgraph.zeros import insert_zeros
from freewheel.pipeline import Options, compile_model

PASSES: dict[Stage, Callable[[Graph], Graph]] = {
    Stage.ZEROS: insert_zeros,
    Stage.ONES: insert_ones,
    Stage.DIRECTED: direct,
    Stage.GROUNDED: remove_grounds,
    Stage.SIMPLIFIED: simplify,
    Stage.CAUSAL: make_causal,
}


def bond_graph(model: Model, stage: Stage = Stage.CAUSAL) -> Graph:
    """The model at one stage; raises CompileError where it has no bond graph."""
    with looking(model.library.readable):
        options = Options(changes=model.changes, stop_after="instance")
        made = compile_model(model.library, model.name, options)
        circuit = circuit_of(made.instance, model.flatten)
        check_circuit(circuit)
        return onward(check(circuit), stage)


def onward(graph: Graph, stage: Stage) -> Graph:
    """From the stage a graph is at to a later one, or to its own: what causality tells comes back."""
    if graph.stage is Stage.CAUSAL:
        return _with_findings(graph)
    order = list(Stage)
    for following in order[order.index(graph.stage) + 1 : order.index(stage) + 1]:
        graph = check(PASSES[following](graph))
    return graph


def _with_findings(graph: Graph) -> Graph:
    """Findings are not written down; strokes put otherwise than ours stay as they are."""
    bare = [replace(b, stroke=Stroke.NONE, is_variable=False) for b in graph.bonds]
    again = make_causal(replace(graph, stage=Stage.SIMPLIFIED, bonds=tuple(bare), remarks=()))
    return again if again == graph else graph
